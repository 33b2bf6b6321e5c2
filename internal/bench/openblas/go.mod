module github.com/regbook/regbook/internal/bench/openblas

go 1.25.0

require (
	github.com/regbook/regbook v0.0.0
	github.com/regbook/regbook/mlreg/openblas v0.0.0
)

require (
	golang.org/x/tools v0.39.0 // indirect
	gonum.org/v1/gonum v0.17.0 // indirect
	gonum.org/v1/netlib v0.0.0-20230729102104-8b8060e7531f // indirect
)

replace (
	github.com/regbook/regbook => ../../..
	github.com/regbook/regbook/mlreg/openblas => ../../../mlreg/openblas
)
