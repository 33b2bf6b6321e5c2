package live

import (
	"fmt"
	"math"
	"sync"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/internal/try"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
)

func init() { registered = append(registered, LassoPath) }

// LassoPath is the lasso of the prostate data's 67 training rows, standardized, for every
// penalty: where it is on the path, the weights there, and the certificate. At the minimum
// 2|x_j'r| is lambda for every term that has a weight, and at most lambda for the others; the
// residual that has this bound proves that no weights have a lower objective.
func LassoPath() *Explorable {
	return &Explorable{
		ID: "08.lasso_path", Title: "The lasso path, with its certificate", Seed: 1,
		Params: []Param{{
			Name: "lambda", Label: "λ", Min: 0.5, Max: 120, Step: 1.02, Log: true,
			Frames: []float64{110, 80, 60, 45, 35, 28, 20, 14, 8, 5, 3, 1, 0.5}, Default: 20,
		}},
		MaxBytes: 700_000,
		draw:     drawLassoPath,
	}
}

// prostateLasso has what does not change with lambda.
type prostateLasso struct {
	train *mlreg.Design
	path  *mlreg.LassoPath
}

var prostatePath = sync.OnceValue(func() (p prostateLasso) {
	prostate := datasets.Prostate()
	all := try.Get(frames.Design(prostate, "lpsa ~ . - train"))
	mask := try.Get(frames.Mask(prostate, "train", "T"))
	train, _ := try.Get2(all.Split(mask))
	p.train = try.Get(train.Standardize(nil))
	p.path = try.Get(mlreg.FitLassoPath(p.train, &mlreg.PathSettings{Ratio: 1e-3}))
	return p
})

func drawLassoPath(at Point) *View {
	p := prostatePath()
	lambda := at.Value("lambda")
	fit := try.Get(mlreg.FitLasso(p.train, lambda, nil))
	r := try.Get(fit.Residuals(p.train))
	place, ratio := certificateOf(p.train, r, lambda)
	active := len(fit.Active())
	bound := fit.Objective() - fit.Gap()*fit.NullRSS()

	path := try.Get(plotting.CoefficientPaths(p.path, &plotting.CoefficientPathsSettings{Title: fmt.Sprintf("λ = %.4g on the path", lambda)}))
	path.Y.Label.Text = "weight"
	try.Check(plotting.Add(path, plotting.VLine{X: lambda, Color: plotting.Black, Solid: true}))
	weights := try.Get(plotting.Draw(plotting.Labels{Title: fmt.Sprintf("%d of %d weights are zero", len(place)-active, len(place)), Y: "weight"},
		plotting.HLine{Y: 0, Solid: true}, plotting.Bars{X: place, Y: fit.Slopes(), Color: plotting.Vermillion}))
	weights.Y.Min, weights.Y.Max = path.Y.Min, path.Y.Max
	certificate := try.Get(plotting.Draw(plotting.Labels{Title: "The certificate: 1 where the weight is not zero, at most 1 elsewhere", Y: "2|xᵀr| / λ"},
		plotting.Bars{X: place, Y: ratio, Color: plotting.Green}, plotting.HLine{Y: 1, Color: plotting.Black, Solid: true}))
	certificate.Y.Min, certificate.Y.Max = 0, 1.2
	nameBars(p.train.Names, place, weights, certificate)
	figure := plotting.Grid(1, path, weights, certificate)
	figure.Width, figure.Height = 6.4, 7
	view := &View{
		Figure: figure,
		Numbers: []Number{
			{Name: "weights that are not zero", Value: float64(active), Digits: 1},
			{Name: "Σ|w|", Value: floats.Norm(fit.Slopes(), 1), Digits: 4},
			{Name: "RSS", Value: fit.RSS(), Digits: 5},
			{Name: "objective", Value: fit.Objective(), Digits: 5},
			{Name: "bound", Value: bound, Digits: 5},
		},
		Sentence: fmt.Sprintf("At λ = %.4g the lasso keeps %d of %d weights, RSS %.4g; the objective is %.5g, and the bound below which no weights get is %.5g.",
			lambda, active, len(place), fit.RSS(), fit.Objective(), bound),
	}
	view.drag(at, path, "λ", func(at Point) (x, y float64) { return at.Value("lambda"), (path.Y.Min + path.Y.Max) / 2 }, "lambda")
	return view
}

// certificateOf returns the ratio of 2|x_j'r| to lambda for every column, and where it is drawn.
func certificateOf(d *mlreg.Design, residuals []float64, lambda float64) (place, ratio []float64) {
	var xr mat.VecDense
	xr.MulVec(d.X.T(), mat.NewVecDense(len(residuals), residuals))
	ratio, place = xr.RawVector().Data, make([]float64, d.NTerms())
	for j := range ratio {
		ratio[j], place[j] = 2*math.Abs(ratio[j])/lambda, float64(j+1)
	}
	return place, ratio
}

// nameBars writes the names of columns below their bars.
func nameBars(names []string, place []float64, panels ...*plot.Plot) {
	ticks := make(plot.ConstantTicks, len(place))
	for j, name := range names {
		ticks[j] = plot.Tick{Value: place[j], Label: name}
	}
	for _, panel := range panels {
		panel.X.Min, panel.X.Max, panel.X.Tick.Marker = 0.4, float64(len(place))+0.6, ticks
	}
}
