package live

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/internal/try"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
)

func init() { registered = append(registered, Direction) }

// Direction is ridge regression and principal components regression on 50 rows of 20 correlated
// predictors, the response f plus noise of variance 1, for a signal f that lies along the leading
// principal components, along all of them with equal weights, or along the last. The expected errors are
// exact, and f has the same variance in every direction.
func Direction() *Explorable {
	return &Explorable{
		ID: "09.direction", Title: "Ridge against principal components, by the signal's direction", Seed: 65, Random: true,
		Params: []Param{
			{Name: "direction", Label: "signal", Values: []float64{0, 1, 2}, Texts: DirectionNames(), Default: 1},
			{
				Name: "lambda", Label: "λ", Min: 0.01, Max: 10_000, Step: 1.2, Log: true,
				Frames: []float64{0.1, 1, 3, 10, 30, 100, 300, 1000}, Default: 10,
			},
		},
		MaxBytes: 900_000,
		draw:     drawDirection,
	}
}

// DirectionNames returns the signals of Direction, in the order of its parameter.
func DirectionNames() []string {
	return []string{"first four components", "all components, equal weights", "last four components"}
}

// DirectionSignal returns the design of the principal component scores of 50 rows of 20 predictors
// (neighbors correlated by 0.7), whose response is the signal without noise, of mean square 2: along
// the first four components, along all with the same weight, or along the last four. The error is
// mlreg.ErrSetting for another direction than 0, 1 and 2.
func DirectionSignal(direction int, seed uint64) (*mlreg.Design, error) {
	const n, p, few, square = 50, 20, 4, 2.0
	if direction < 0 || direction > 2 {
		return nil, fmt.Errorf("live: %w: direction %d; there are 0, 1 and 2", mlreg.ErrSetting, direction)
	}
	x, err := datasets.NormalDesign(n, p, 0.7, rand.NewPCG(9, seed))
	if err != nil {
		return nil, err
	}
	var svd mat.SVD
	if !svd.Factorize(x.X, mat.SVDThin) {
		return nil, fmt.Errorf("live: the singular value decomposition did not converge")
	}
	var u mat.Dense
	svd.UTo(&u)
	scores, f := mat.NewDense(n, p, nil), make([]float64, n)
	for k, s := range svd.Values(nil) {
		in := direction == 1 || direction == 0 && k < few || direction == 2 && k >= p-few
		for i := range n {
			v := s * u.At(i, k)
			scores.Set(i, k, v)
			if in {
				f[i] += v
			}
		}
	}
	var sum float64
	for _, v := range f {
		sum += v * v
	}
	for i := range f {
		f[i] *= math.Sqrt(square * n / sum)
	}
	d, err := mlreg.NewDesign(scores, f)
	if err != nil {
		return nil, err
	}
	d.NoIntercept = true
	return d, nil
}

// directionErrors has what does not change with lambda.
type directionErrors struct {
	d           *mlreg.Design
	pcr         []mlreg.ExpectedError // of principal components regression
	best        int                   // of these, where the error is least
	share       []float64             // of the signal's square, by component
	grid, ridge []float64             // lambda, and the expected error of ridge regression
}

var lastDirection [3]kept[uint64, directionErrors] // of each direction

func directionOf(direction int, seed uint64) (e directionErrors) {
	e.d = try.Get(DirectionSignal(direction, seed))
	e.pcr = try.Get(mlreg.ExpectedErrorPath(e.d, e.d.Y, 1))
	for k, at := range e.pcr {
		if at.Error < e.pcr[e.best].Error {
			e.best = k
		}
	}
	full := try.Get(mlreg.FitOLS(e.d, nil))
	for k, w := range full.Slopes() { // the columns are orthogonal
		z := mat.Col(nil, k, e.d.X)
		e.share = append(e.share, floats.Dot(z, z)*w*w/(2*float64(e.d.NObs())))
	}
	e.grid = plotting.LogRange(0.01, 10_000, 61)
	for _, lambda := range e.grid {
		at := try.Get(mlreg.ExpectedRidgeErrorAt(e.d, e.d, 1, lambda))
		e.ridge = append(e.ridge, at.Error)
	}
	return e
}

func drawDirection(at Point) *View {
	direction, lambda := int(at.Value("direction")), at.Value("lambda")
	e := lastDirection[direction].at(at.Seed, func() directionErrors { return directionOf(direction, at.Seed) })
	own := try.Get(mlreg.ExpectedRidgeErrorAt(e.d, e.d, 1, lambda))
	path := try.Get(mlreg.FitRidgePath(e.d, &mlreg.RidgePathSettings{Lambda: []float64{lambda}}))
	components := e.components(path.Shrinkage(lambda))
	errors := e.errors(lambda, own.Error)
	figure := plotting.Grid(2, components, errors)
	figure.Height = 3.6
	cut, squares := e.pcr[e.best].Error, e.pcr[len(e.pcr)-1].Error
	return &View{
		Figure: figure,
		Numbers: []Number{
			{Name: "ridge's error", Value: own.Error, Digits: 3},
			{Name: "degrees of freedom of ridge", Value: path.DoF()[0], Digits: 3},
			{Name: "PCR's least error", Value: cut, Digits: 3},
			{Name: "components of PCR", Value: float64(e.best), Digits: 2},
			{Name: "error of least squares", Value: squares, Digits: 3},
		},
		Sentence: fmt.Sprintf("Signal along %s: at λ = %.4g ridge regression has the expected error %.3g, principal components regression at best %.3g (K = %d), least squares %.3g.",
			DirectionNames()[direction], lambda, own.Error, cut, e.best, squares),
	}
}

// components draws the factors of ridge regression and of the best cut over the share of the signal.
func (e *directionErrors) components(ridge []float64) *plot.Plot {
	place, end := plotting.Range(1, float64(len(ridge)), len(ridge)), float64(e.best)+0.5
	p := try.Get(plotting.Draw(plotting.Labels{Title: "Components", X: "component", Y: "factor, or share"},
		plotting.Bars{X: place, Y: e.share, Color: plotting.Gray, Name: "share of the signal's square"},
		plotting.Line{X: place, Y: ridge, Name: "ridge", Color: plotting.Blue},
		plotting.Line{X: []float64{0.5, end, end, 20.5}, Y: []float64{1, 1, 0, 0}, Dashed: true, Color: plotting.Black, Name: e.cutName()}))
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, 21, 0, 1.3
	p.Legend.Top, p.Legend.XOffs, p.Legend.YOffs = true, -8, -4
	return p
}

// errors draws the expected error of ridge regression, with a dot at a penalty, and of its rivals.
func (e *directionErrors) errors(lambda, own float64) *plot.Plot {
	p := try.Get(plotting.Draw(plotting.Labels{Title: "Expected squared error of the fit", X: "λ", Y: "error"}, plotting.LogX{},
		plotting.Line{X: e.grid, Y: e.ridge, Name: "ridge", Color: plotting.Blue},
		plotting.HLine{Y: e.pcr[e.best].Error, Name: e.cutName(), Color: plotting.Black},
		plotting.HLine{Y: e.pcr[len(e.pcr)-1].Error, Name: "least squares", Color: plotting.Gray},
		plotting.Points{X: []float64{lambda}, Y: []float64{own}, Color: plotting.Blue, Radius: 4.5}))
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0.01, 10_000, 0, 2.6
	p.Legend.Top, p.Legend.Left, p.Legend.XOffs, p.Legend.YOffs = true, true, 8, -4
	return p
}

func (e *directionErrors) cutName() string { return fmt.Sprintf("PCR, K = %d", e.best) }
