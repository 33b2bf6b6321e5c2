package live

import (
	"fmt"
	"math"
	"sync"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot/vg/draw"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/internal/try"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
)

func init() { registered = append(registered, Overfitting) }

// Overfitting is polynomials of degree 1 to 11 through twelve points of a sine: the fits to
// twenty samples, and the errors that are expected of such a fit, exactly: on the training
// responses, on new responses at the same inputs and on new responses between them. A reader of the
// page moves the number of points and the noise, too.
func Overfitting() *Explorable {
	return &Explorable{
		ID: "03.overfitting", Title: "Overfitting: twenty samples, one degree", Seed: 5, Random: true,
		Params: []Param{
			{Name: "degree", Label: "degree", Values: plotting.Range(1, 11, 11), Default: 10},
			{Name: "n", Label: "points", Min: 12, Max: 60, Step: 1, Default: 12},
			{Name: "sigma", Label: "standard deviation of the noise", Min: 0.1, Max: 1, Step: 0.05, Default: 0.3},
		},
		MaxBytes: 700_000,
		draw:     drawOverfitting,
	}
}

// wave has what does not change with the degree.
type wave struct {
	sine               datasets.CurveModel
	design             *mlreg.Design // of degree 11, at the inputs, its response the truth
	at                 *mlreg.Design // from 0 to 1, where errors are expected
	grid               []float64     // of the curves
	curve              *mlreg.Design // at the grid
	training, new, off []float64     // expected errors by degree
	bias2, variance    []float64     // of the last
}

var notebookWave = sync.OnceValue(func() wave { return waveOf(datasets.Sine()) })

var lastWave kept[[2]float64, wave] // by points and noise

// waveAt is the notebook's wave, or one of other points and noise.
func waveAt(at Point) wave {
	sine, n, sigma := datasets.Sine(), int(math.Round(at.Value("n"))), at.Value("sigma")
	if n == len(sine.X) && sigma == 0.3 {
		return notebookWave()
	}
	sine.X, sine.Sigma2 = plotting.Range(0, 1, n), sigma*sigma
	return lastWave.at([2]float64{float64(n), sigma}, func() wave { return waveOf(sine) })
}

func waveOf(sine datasets.CurveModel) (w wave) {
	w.sine = sine
	exact := try.Get(sine.Exact(nil))
	w.design = try.Get(frames.Design(exact, "y ~ poly(x, 11)"))
	w.at = designAt(sine, w.design, plotting.Range(0, 1, 401))
	w.grid = plotting.Range(0, 1, 201)
	w.curve = designAt(sine, w.design, w.grid)
	path := try.Get(mlreg.ExpectedErrorPath(w.design, w.design.Y, sine.Sigma2))
	for k := 1; k <= 11; k++ {
		train := try.Get(w.design.Select(w.design.Names[:k]...))
		e := try.Get(mlreg.ExpectedErrorAt(train, w.at, sine.Sigma2, mlreg.ErrorOnAliased))
		w.training, w.new, w.off = append(w.training, path[k].Training), append(w.new, path[k].New), append(w.off, e.New)
		w.bias2, w.variance = append(w.bias2, e.Bias2), append(w.variance, e.Variance)
	}
	if len(sine.X) == 12 {
		w.training[10] = 0 // and not its rounding error
	}
	return w
}

// designAt returns the columns of a design at other inputs.
func designAt(sine datasets.CurveModel, like *mlreg.Design, x []float64) *mlreg.Design {
	at := try.Get(sine.Exact(x))
	return try.Get(frames.DesignLike(like, at))
}

func drawOverfitting(at Point) *View {
	w := waveAt(at)
	k := int(at.Value("degree"))
	fits := w.fits(k, at)
	var layers []plotting.Layer
	for i, y := range fits {
		l := plotting.Line{X: w.grid, Y: y, Color: plotting.Fade(plotting.Blue, 0.35), Width: 1.2}
		if i == 0 {
			l.Name = "fits to 20 samples"
		}
		layers = append(layers, l)
	}
	layers = append(layers, plotting.Curve{F: datasets.Sine().F, From: 0, To: 1, Color: plotting.Vermillion, Dashed: true, Name: "truth"},
		plotting.Points{X: w.sine.X, Y: w.design.Y, Color: plotting.Vermillion, Name: "truth at the inputs"})
	left := try.Get(plotting.Draw(plotting.Labels{Title: fmt.Sprintf("Degree %d (cut at ±3)", k), X: "x", Y: "y"}, layers...))
	left.Y.Min, left.Y.Max = -3, 3
	sigma2 := w.sine.Sigma2
	right := try.Get(plotting.ErrorCurves(plotting.Labels{Title: "Expected squared error", X: "degree", Y: "mean squared error"},
		plotting.Range(1, 11, 11), []plotting.ErrorCurve{
			{Name: "training", Values: w.training, NoMinimum: true, Color: plotting.Green},
			{Name: "new responses, same inputs", Values: w.new, NoMinimum: true, Color: plotting.Purple},
			{Name: "new responses, 0 to 1", Values: w.off, NoMinimum: true, Color: plotting.Orange},
		}, plotting.LogY{}, plotting.HLine{Y: sigma2, Name: "noise σ²"}, w.rings(k)))
	right.Y.Min, right.Y.Max = 0.0005, 10
	right.Legend.Top, right.Legend.Left, right.Legend.XOffs, right.Legend.YOffs = false, true, 8, 4
	figure := plotting.Grid(2, left, right)
	figure.Height = 4
	through := ""
	if n := len(w.sine.X); n != 12 {
		through = fmt.Sprintf(" through %d points", n)
	}
	return &View{
		Figure: figure,
		Numbers: []Number{
			{Name: "training error", Value: w.training[k-1], Digits: 3},
			{Name: "new responses, same inputs", Value: w.new[k-1], Digits: 3},
			{Name: "new responses, 0 to 1", Value: w.off[k-1], Digits: 3},
			{Name: "squared bias", Value: math.Round(w.bias2[k-1]*1e6) / 1e6, Digits: 3},
			{Name: "variance", Value: w.variance[k-1], Digits: 3},
		},
		Sentence: fmt.Sprintf("Polynomials of degree %d%s leave %.3g of the training responses on average, and miss new ones by %.3g at the same inputs and by %.3g from 0 to 1; the noise alone is %.2g.",
			k, through, w.training[k-1], w.new[k-1], w.off[k-1], sigma2),
	}
}

// rings marks the errors of a degree; one that is zero has no place on the logarithmic axis.
func (w wave) rings(degree int) plotting.Points {
	p := plotting.Points{Name: fmt.Sprintf("degree %d", degree), Color: plotting.Black, Radius: 6, Shape: draw.RingGlyph{}}
	for _, errors := range [][]float64{w.training, w.new, w.off} {
		if e := errors[degree-1]; e > 0 {
			p.X, p.Y = append(p.X, float64(degree)), append(p.Y, e)
		}
	}
	return p
}

// fits returns the curves of twenty samples.
func (w wave) fits(degree int, at Point) [][]float64 {
	train := try.Get(w.design.Select(w.design.Names[:degree]...))
	noise := at.Source(3)
	var all [][]float64
	for range 20 {
		y := append([]float64(nil), w.design.Y...)
		for i := range y {
			y[i] += math.Sqrt(w.sine.Sigma2) * datasets.NormalNoise(noise)
		}
		fit := try.Get(mlreg.FitOLS(train.WithResponse("y", y), nil))
		curve := mat.NewVecDense(len(w.grid), nil)
		first := w.curve.X.Slice(0, len(w.grid), 0, degree)
		curve.MulVec(first, mat.NewVecDense(degree, fit.Slopes()))
		floats.AddConst(fit.Intercept(), curve.RawVector().Data)
		all = append(all, curve.RawVector().Data)
	}
	return all
}
