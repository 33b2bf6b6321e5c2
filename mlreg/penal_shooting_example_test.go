package mlreg_test

import (
	"fmt"

	"github.com/janpfeifer/must"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

// How the slopes move from sweep to sweep.
func ExampleShootingAlgorithm() {
	d := must.M1(must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + lweight + svi")).Standardize(nil))
	f := must.M1(mlreg.ShootingAlgorithm(d, 20, &mlreg.ShootingSettings{FromZero: true}))
	fmt.Printf("%d sweeps\n%.4f\n", f.Sweeps(), mat.Formatted(f.Trace().Slice(0, 4, 0, 3)))
	// Output:
	// 9 sweeps
	// ⎡0.0000  0.0000  0.0000⎤
	// ⎢0.7403  0.1868  0.1192⎥
	// ⎢0.6237  0.2010  0.1798⎥
	// ⎣0.5870  0.2019  0.1994⎦
}
