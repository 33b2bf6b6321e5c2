package plotting

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sort"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"

	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting/internal/check"
)

// Path is a sequence of fits from the largest lambda to the smallest, such as
// *mlreg.LassoPath, *mlreg.RidgePath, *mlreg.GLMPath and *mlreg.LARS.
type Path interface {
	Terms() []string
	Lambda() []float64  // descending
	Slopes() *mat.Dense // a row for every lambda, a column for every term
}

// PathAxis is the horizontal axis of a path.
type PathAxis int

// Each axis has the most penalized fit at the left and the least penalized at the
// right: lambda falls, and the others rise.
const (
	ByLambda PathAxis = iota // lambda on a logarithmic axis
	ByL1Norm                 // sum_j |b_j|, the constraint of the lasso
	ByL2Norm                 // sqrt(sum_j b_j^2), that of ridge regression
	ByR2                     // the fraction of deviance, DevianceRatio: 1 - RSS/NullRSS
	ByDoF                    // degrees of freedom, the intercept included
)

var pathAxisNames = map[PathAxis]string{
	ByLambda: "λ (falling)", ByL1Norm: "L₁ norm, Σ|bⱼ|", ByL2Norm: "L₂ norm, ‖b‖",
	ByR2: "fraction of deviance", ByDoF: "degrees of freedom",
}

// LambdaChoice is a choice of lambda by cross-validation, such as *mlreg.LassoCV
// and *mlreg.RidgeCV.
type LambdaChoice interface {
	LambdaMin() float64
	LambdaOneSE() float64
}

// CoefficientPathsSettings are the options of CoefficientPaths.
type CoefficientPathsSettings struct {
	// Title stands above; the default is none.
	Title string
	// Axis is what the coefficients are drawn against; the default is ByLambda.
	Axis PathAxis
	// Choice, if not nil, is marked by vertical lines: the lambda of least
	// cross-validated loss, and that of the one-standard-error rule.
	Choice LambdaChoice
	// Labels is the largest number of terms to label: those with the largest
	// coefficients at the right end. Other terms are thin and gray. The default
	// 0 means 12; a negative number means none.
	Labels int
}

// CoefficientPaths draws the slope of every term along a path, with its name
// where the line ends:
//
//	plotting.Show(plotting.CoefficientPaths(lasso, nil))
//	plotting.Show(plotting.CoefficientPaths(ridge, &plotting.CoefficientPathsSettings{Axis: plotting.ByL2Norm}))
//
// Terms whose slopes are zero everywhere are not drawn, unless there are labels
// for all terms. With up to 14 terms the color follows from the position in the
// design, so that lasso and ridge paths have the same colors. With more, the
// labelled terms have colors in their order. (Murphy, Machine Learning: A
// Probabilistic Perspective, figure 13.7.)
//
// Nil settings are the defaults. Errors: mlreg.ErrNoData for a path that is nil or
// has less than two lambdas; mlreg.ErrSetting for lambda = 0 on the logarithmic
// axis, a choice outside the path, or an axis that the path does not have.
func CoefficientPaths(path Path, settings *CoefficientPathsSettings) (_ *plot.Plot, err error) {
	defer check.Named("coefficient paths", &err)
	s := check.OrDefaults(settings)
	x, err := pathAxis(path, s.Axis)
	if err != nil {
		return nil, err
	}
	var marks lineMarks
	if !check.IsNil(s.Choice) {
		if marks, err = choiceMarks(path, x, s); err != nil {
			return nil, err
		}
	}
	layers := []Layer{HLine{Y: 0}, marks}
	slopes, terms := path.Slopes(), path.Terms()
	shown, labelled := pathTerms(slopes, s.Labels)
	var ends endLabels
	next := 0
	for _, j := range shown {
		y := mat.Col(nil, j, slopes)
		line := Line{X: x, Y: y, Color: Fade(Gray, 0.5), Width: 0.8}
		if labelled[j] {
			place := j
			if len(terms) > 14 {
				place = next
				next++
			}
			c := Palette(place)
			line.Color, line.Width, line.Dashed = c, 0, place/7%2 == 1
			ends = append(ends, endLabel{x: x[len(x)-1], y: y[len(y)-1], text: terms[j], color: c})
		}
		layers = append(layers, line)
	}
	p, err := Draw(Labels{Title: s.Title, X: pathAxisNames[s.Axis], Y: "coefficient"}, append(layers, drawn{ends}, drawn{lineMarkTexts(marks)})...)
	if err != nil {
		return nil, err
	}
	marks.makeRoom(p)
	p.X.Min, p.X.Max = slices.Min(x), slices.Max(x)
	if s.Axis == ByLambda {
		p.X.Scale, p.X.Tick.Marker = plot.InvertedScale{Normalizer: plot.LogScale{}}, LogTicks{}
	}
	return p, nil
}

// pathTerms returns the terms to draw, those without label first, and which are
// labelled.
func pathTerms(slopes *mat.Dense, labels int) (shown []int, labelled []bool) {
	labels = cmp.Or(labels, 12)
	rows, p := slopes.Dims()
	size, enters := make([]float64, p), make([]bool, p)
	for j := range p {
		for k := range rows {
			enters[j] = enters[j] || slopes.At(k, j) != 0
		}
		size[j] = math.Abs(slopes.At(rows-1, j))
		if !enters[j] {
			size[j] = -1
		}
	}
	labelled = make([]bool, p)
	for _, j := range largest(labels, size) {
		labelled[j] = enters[j] || p <= labels
	}
	for _, with := range []bool{false, true} {
		for j := range p {
			if labelled[j] == with && (enters[j] || with) {
				shown = append(shown, j)
			}
		}
	}
	return shown, labelled
}

// pathAxis returns where on the axis every lambda of the path is.
func pathAxis(path Path, axis PathAxis) ([]float64, error) {
	if check.IsNil(path) {
		return nil, fmt.Errorf("%w: the path is nil", mlreg.ErrNoData)
	}
	lambda := path.Lambda()
	if len(lambda) < 2 {
		return nil, fmt.Errorf("%w: a path of %s is not a line", mlreg.ErrNoData, check.Plural(len(lambda), "lambda"))
	}
	switch axis {
	case ByLambda:
		if last := lambda[len(lambda)-1]; last <= 0 {
			return nil, fmt.Errorf("%w: the path ends at lambda = %v, which a logarithmic axis cannot show; choose another axis", mlreg.ErrSetting, last)
		}
		return lambda, nil
	case ByL1Norm, ByL2Norm:
		slopes := path.Slopes()
		x := make([]float64, len(lambda))
		for k := range x {
			x[k] = mat.Norm(slopes.RowView(k).T(), math.Inf(1)) // of a row: the sum of sizes
			if axis == ByL2Norm {
				x[k] = mat.Norm(slopes.RowView(k), 2)
			}
		}
		return x, nil
	case ByR2:
		if p, ok := path.(interface{ DevianceRatio() []float64 }); ok {
			return p.DevianceRatio(), nil
		}
	case ByDoF:
		if p, ok := path.(interface{ DoF() []float64 }); ok {
			return p.DoF(), nil
		}
	default:
		return nil, fmt.Errorf("%w: there is no axis %d", mlreg.ErrSetting, axis)
	}
	return nil, fmt.Errorf("%w: a %T does not know its %s", mlreg.ErrSetting, path, pathAxisNames[axis])
}

// choiceMarks returns lines at the chosen lambdas.
func choiceMarks(path Path, x []float64, s CoefficientPathsSettings) (lineMarks, error) {
	marks := lineMarks{
		{x: s.Choice.LambdaOneSE(), text: "one standard error", color: Black, dashed: true},
		{x: s.Choice.LambdaMin(), text: "least loss", color: Black},
	}
	lambda := path.Lambda()
	for i, m := range marks {
		k := sort.Search(len(lambda), func(k int) bool { return lambda[k] <= m.x })
		if k == len(lambda) || k == 0 && lambda[0] < m.x {
			return nil, fmt.Errorf("%w: the chosen lambda = %g is not on the path, which goes from %g to %g", mlreg.ErrSetting, m.x, lambda[0], lambda[len(lambda)-1])
		}
		switch {
		case s.Axis == ByLambda:
		case lambda[k] == m.x:
			marks[i].x = x[k]
		default: // between two
			t := (lambda[k-1] - m.x) / (lambda[k-1] - lambda[k])
			marks[i].x = x[k-1] + t*(x[k]-x[k-1])
		}
	}
	return marks, nil
}
