package main

import (
	"fmt"

	"github.com/janpfeifer/must"
	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

func main() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + lweight"))
	fmt.Println(must.M1(mlreg.FitOLS(d, nil)))
}
