// The notebooks hold no Go package. This file keeps them, and their pictures,
// out of the module that "go get github.com/regbook/regbook" fetches.
module github.com/regbook/regbook/notebooks

go 1.24.4
