package plotting

// HostileResults is for the tests of package plotting_test.
var HostileResults = hostileResults
