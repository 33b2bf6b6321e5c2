package plotting

import (
	"cmp"
	"math"

	"gonum.org/v1/plot"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/plotting/internal/check"
)

// Validated is the result of a cross-validation: *mlreg.CV, *mlreg.LassoCV,
// *mlreg.ElasticNetCV, *mlreg.RidgeCV, *mlreg.LogisticCV,
// *mlreg.MultinomialCV and *mlreg.SizeCV.
type Validated interface {
	Mean() []float64
	StdErr() []float64
	Min() int
	OneSE() int
	Folds() int
	Planned() int
}

// CVCurveSettings are the options of CVCurve.
type CVCurveSettings struct {
	// Title stands above; the default is none.
	Title string
	// X are the values of the candidates, in their order, and XName is their name,
	// such as "degree". The default is lambda for a path, and the number of the
	// candidate otherwise.
	X     []float64
	XName string
	// Root draws the square roots of the losses: the RMSE if they are squared
	// errors.
	Root bool
	// Loss is what the mark of the least calls the loss, such as "error"; the
	// default is "loss".
	Loss string
	// Training, if not nil, are the losses of the candidates on the rows they
	// were fitted to, drawn as a line.
	Training []float64
}

// CVCurve draws the loss of a cross-validation with bars of one standard error, or
// a band if there are more than 60 candidates. It marks the candidate with the
// least loss, and the simplest candidate within one standard error of it, that is,
// below the dashed line (Hastie, Tibshirani and Friedman, The Elements of
// Statistical Learning, 2nd ed., section 7.10). The most penalized candidate is at
// the left: lambda falls. Roots are those of the losses and of their limits.
//
// Nil settings are the defaults. Errors: mlreg.ErrNoData if there is no
// cross-validation; mlreg.ErrShape if X or Training does not have one value for
// each candidate.
func CVCurve(cv Validated, settings *CVCurveSettings) (*plot.Plot, error) {
	s := check.OrDefaults(settings)
	if check.IsNil(cv) {
		return nil, check.Nothing("cross-validation", "the result is nil")
	}
	mean, se := cv.Mean(), cv.StdErr()
	x, name, byLambda := s.X, s.XName, false
	if x == nil {
		if path, ok := cv.(interface{ Lambda() []float64 }); ok {
			x = path.Lambda()
			byLambda = x[len(x)-1] > 0
			name = pathAxisNames[ByLambda]
		} else {
			x, name = Range(1, float64(len(mean)), len(mean)), "candidate"
		}
	}
	if err := check.Lengths("cross-validation", check.Series{Name: "the loss", Values: mean}, check.Series{Name: "X", Values: x}); err != nil {
		return nil, err
	}
	c := cvCurve{x: x, least: cv.Min(), simple: cv.OneSE(), root: s.Root, loss: cmp.Or(s.Loss, "loss")}
	c.limit = c.of(mean[c.least] + se[c.least])
	for k, m := range mean {
		c.mean = append(c.mean, c.of(m))
		c.lower, c.upper = append(c.lower, c.of(m-se[k])), append(c.upper, c.of(m+se[k]))
	}
	if s.Training != nil {
		if err := check.Lengths("cross-validation", check.Series{Name: "the loss", Values: mean}, check.Series{Name: "the training loss", Values: s.Training}); err != nil {
			return nil, err
		}
		c.training = format.Each(s.Training, c.of)
	}
	y := "mean squared error"
	if c, ok := cv.(interface{ Measure() string }); ok && c.Measure() != "" {
		y = c.Measure()
	}
	if s.Root {
		y = "root " + y
	}
	return c.draw(Labels{Title: s.Title, X: name, Y: y}, byLambda, format.HeldOut(cv.Folds(), cv.Planned()))
}

// mostBars is for how many candidates bars stand clear of each other.
const mostBars = 60

type cvCurve struct {
	x, mean, lower, upper, training []float64
	least, simple                   int
	limit                           float64
	root                            bool
	loss                            string
}

// of returns the value drawn for a loss.
func (c *cvCurve) of(loss float64) float64 {
	if c.root {
		return math.Sqrt(math.Max(loss, 0))
	}
	return loss
}

func (c *cvCurve) draw(labels Labels, byLambda bool, name string) (*plot.Plot, error) {
	marks := lineMarks{
		{x: c.x[c.simple], text: "one standard error", color: Black, dashed: true},
		{x: c.x[c.least], text: "least " + c.loss, color: Black},
	}
	layers := []Layer{marks, HLine{Y: c.limit, Name: "least " + c.loss + " plus its standard error"}}
	if len(c.x) <= mostBars {
		layers = append(layers, Line{X: c.x, Y: c.mean, Color: Blue, Width: 1},
			ErrorBars{X: c.x, Y: c.mean, Lower: c.lower, Upper: c.upper, Color: Fade(Blue, 0.7), Name: name})
	} else {
		layers = append(layers, Ribbon{X: c.x, Lower: c.lower, Upper: c.upper, Color: Blue},
			Line{X: c.x, Y: c.mean, Color: Blue, Name: name})
	}
	if c.training != nil {
		layers = append(layers, Line{X: c.x, Y: c.training, Color: Green, Name: "training rows"})
	}
	for _, k := range []int{c.simple, c.least} {
		layers = append(layers, Points{X: c.x[k : k+1], Y: c.mean[k : k+1], Color: Vermillion, Radius: 4})
	}
	if byLambda {
		layers = append(layers, LogX{})
	}
	p, err := Draw(labels, append(layers, drawn{lineMarkTexts(marks)})...)
	if err != nil {
		return nil, err
	}
	if byLambda {
		p.X.Scale = plot.InvertedScale{Normalizer: plot.LogScale{}}
	}
	marks.makeRoom(p)
	return p, nil
}
