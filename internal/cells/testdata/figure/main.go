package main

import (
	"github.com/janpfeifer/must"
	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
)

func main() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + lweight"))
	ols := must.M1(mlreg.FitOLS(d, nil))
	figure := must.M1(plotting.Diagnostics(ols, d, nil))
	plotting.Show(ols, figure)
}
