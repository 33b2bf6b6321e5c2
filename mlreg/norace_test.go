//go:build !race

package mlreg

// raceDetector makes the tests that do no more than compute smaller.
const raceDetector = false
