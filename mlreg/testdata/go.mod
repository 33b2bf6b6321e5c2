// No Go package is here. This file keeps what tests compare with out of the
// module that "go get github.com/regbook/regbook" fetches.
module github.com/regbook/regbook/mlreg/testdata

go 1.24.4
