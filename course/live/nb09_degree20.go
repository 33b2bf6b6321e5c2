package live

import (
	"fmt"
	"math/rand/v2"

	"github.com/go-gota/gota/dataframe"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/internal/try"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
)

func init() { registered = append(registered, Degree20) }

// Degree20 is ridge regression of 25 points on a wave by the powers 1 to 20 of x, each
// standardized, for every penalty.
func Degree20() *Explorable {
	return &Explorable{
		ID: "09.degree20", Title: "A polynomial of degree twenty", Seed: 130, Random: true,
		Params: []Param{{
			Name: "lambda", Label: "λ", Min: 1e-12, Max: 1000, Step: 10, Log: true,
			Frames: []float64{1e-12, 1e-10, 1e-8, 1e-6, 1e-5, 1e-4, 1e-3, 0.01, 0.1, 1, 10, 100, 1000}, Default: 1e-4,
		}},
		MaxBytes: 500_000,
		draw:     drawDegree20,
	}
}

// Degree20Data returns the points of Degree20, and their powers as a design.
func Degree20Data(seed uint64) (dataframe.DataFrame, *mlreg.Design, error) {
	sine := datasets.Sine()
	sine.X = plotting.Range(0, 1, 25)
	df, err := sine.Draw(rand.NewPCG(9, seed))
	if err != nil {
		return df, nil, err
	}
	d, err := frames.Design(df, "y ~ poly(x, 20, raw = TRUE)")
	if err != nil {
		return df, nil, err
	}
	d, err = d.Standardize(nil)
	return df, d, err
}

func drawDegree20(at Point) *View {
	lambda := at.Value("lambda")
	df, d := try.Get2(Degree20Data(at.Seed))
	fit := try.Get(mlreg.FitRidge(d, lambda, nil))
	truth := datasets.Sine().F
	p := try.Get(plotting.FitCurves(df, &plotting.CurveSettings{
		Title: fmt.Sprintf("λ = %.4g, %.1f degrees of freedom", lambda, fit.DoF()), Truth: truth,
	}, plotting.CurveFit{Name: "ridge", Fit: fit, Design: d}))
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = -0.05, 1.05, -2, 2
	p.Legend.Top, p.Legend.XOffs, p.Legend.YOffs = true, -8, -4
	yhat := try.Get(fit.Predict(d))
	var off float64
	x := df.Col("x").Float()
	for i, v := range yhat {
		off += (v - truth(x[i])) * (v - truth(x[i])) / float64(len(yhat))
	}
	return &View{
		Figure: plotting.Sized(p, 6.4, 3.8),
		Numbers: []Number{
			{Name: "degrees of freedom", Value: fit.DoF(), Digits: 2},
			{Name: "mean squared distance from the truth", Value: off, Digits: 2},
			{Name: "RSS", Value: fit.RSS(), Digits: 3},
		},
		Sentence: fmt.Sprintf("At λ = %.4g the polynomial has %.1f degrees of freedom, RSS %.3g, and a mean squared distance of %.2g from the wave.",
			lambda, fit.DoF(), fit.RSS(), off),
	}
}
