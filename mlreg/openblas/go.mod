module github.com/regbook/regbook/mlreg/openblas

go 1.25.0

require (
	github.com/regbook/regbook v0.0.0
	gonum.org/v1/gonum v0.17.0
	gonum.org/v1/netlib v0.0.0-20230729102104-8b8060e7531f
)

require golang.org/x/tools v0.39.0 // indirect

replace github.com/regbook/regbook => ../..
