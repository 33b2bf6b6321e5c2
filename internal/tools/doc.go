// Package tools pins, in its go.mod, the programs that build and check Regbook:
// the GoNB kernel, the goimports and gopls that it calls, and staticcheck.
// "go build -o DIR tool", run here, builds them all.
package tools
