package mlreg

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/descent"
	"github.com/regbook/regbook/mlreg/internal/stream"
)

// LARSSettings are the options of FitLARS.
type LARSSettings struct {
	// PenaltyFactor and AlwaysIn are as in LassoSettings.
	PenaltyFactor []float64
	AlwaysIn      []string
	// Lambda is where the path ends. The default 0 is its end, least squares (or,
	// with more terms than observations, an interpolation of the response).
	Lambda float64
	// Knots is the largest number of knots. The default 0 is ten times the
	// smaller of n and p, and 1000.
	Knots int
	// Gap is the largest duality gap of a knot, relative to the residual sum of
	// squares of the null model, that is not an error. The default 0 is 1e-9.
	Gap float64
}

// LARS is the exact path of the lasso by FitLARS. It holds no data and does not
// change.
//
// It is a LassoPath whose grid are the knots, so that At, Constraint and Penalty
// are exact at every lambda. Gap and KKT certify each knot; at lambda = 0 Gap is
// the residual sum of squares less that of FitOLS, relative to that of the null
// model.
type LARS struct {
	LassoPath
	steps larsState
}

type larsState struct {
	Entered, Left []int
}

// FitLARS returns the whole path of the lasso
//
//	RSS + lambda sum_j f_j |b_j|
//
// from LambdaMax down, which is piecewise linear in lambda: coefficients at its
// knots, where a term enters or leaves. It is least angle regression with the
// lasso modification. Terms that get to their bounds at the same lambda enter or
// stay out by non-negative least squares, however many they are. Terms that are
// linear combinations of the active ones do not enter.
//
// A knot whose Gap is above the settings', as there may be where terms are nearly
// linear combinations of each other (high raw powers), and a path with more knots
// than the settings allow are a *ConvergenceError beside the path.
//
// Nil settings are the defaults. Errors are those of FitLassoPath.
//
// Efron, Hastie, Johnstone and Tibshirani, Annals of Statistics 32 (2004),
// 407-499, section 3.1; Osborne, Presnell and Turlach, IMA Journal of Numerical
// Analysis 20 (2000), 389-403; Lawson and Hanson, Solving Least Squares Problems
// (1974), chapter 23.
func FitLARS(data Data, settings *LARSSettings) (*LARS, error) {
	s := args.OrDefaults(settings)
	if err := checkLambda("Lambda", s.Lambda); err != nil {
		return nil, err
	}
	if s.Knots < 0 {
		return nil, fmt.Errorf("%w: Knots = %d; it is not negative", ErrSetting, s.Knots)
	}
	prepared, err := newPenaltyData(data)
	if err != nil {
		return nil, err
	}
	l, err := larsOn(data, prepared, s)
	d, ok := data.(*Design)
	if l == nil || !ok || prepared.HasRows() || float64(d.NObs())*float64(d.NTerms()) > larsRows || l.worst().Gap <= larsRounding {
		return l, err
	}
	// Rows keep twice the digits that cross-products do.
	if prepared, err = rowsData(d); err != nil {
		return l, err
	}
	return larsOn(data, prepared, s)
}

const (
	larsGap      = 1e-9
	larsRounding = 1e-12 // a gap that may be due to cross-products
	larsRows     = 2e7   // numbers in X
)

// larsOn is FitLARS on data that have been prepared.
func larsOn(data Data, prepared *penaltyData, s LARSSettings) (*LARS, error) {
	each := LassoSettings{PenaltyFactor: s.PenaltyFactor, AlwaysIn: s.AlwaysIn, Gap: s.Gap}
	if err := each.check(); err != nil {
		return nil, err
	}
	run, err := newElasticRun(prepared, elasticPenalty{l1: 1}, each)
	if err != nil {
		return nil, err
	}
	if run.max == 0 {
		return nil, fmt.Errorf("%w: response %q does not vary with any penalized term", ErrConstant, run.data.l.Response)
	}
	most := s.Knots
	if most == 0 {
		most = 10*min(run.data.N, run.data.Terms()) + 1000
	}
	unit := run.data.YUnit.Float()
	f := slices.Clone(run.by.Factor)
	floats.Mul(f, run.by.Scale)
	knots, done := descent.Knots(run.data.src, f, s.Lambda/unit, most)
	l := newLARS(run, knots, unit)
	if !done {
		end := l.s.Points[len(l.s.Points)-1].Lambda
		return l, &ConvergenceError{
			Method: "the path of knots", Iterations: len(knots), Measure: "lambda", Value: end, Tol: s.Lambda,
		}
	}
	if err := l.certifyEnd(data); err != nil {
		return l, err
	}
	if s.Gap == 0 {
		s.Gap = larsGap
		if prepared.GErr > 0 {
			s.Gap = defaultGap
		}
	}
	advice := "some terms are nearly linear combinations of others: leave them out, take orthogonal ones, or see FitLassoPath"
	if prepared.GErr > 0 {
		advice = errorOfSums
	}
	if worst := l.worst(); worst.Gap > s.Gap {
		return l, &ConvergenceError{
			Method: fmt.Sprintf("the path of knots, at lambda = %.3g,", worst.Lambda), Iterations: len(knots),
			Measure: "duality gap", Value: worst.Gap, Tol: s.Gap,
			Advice: advice,
		}
	}
	return l, nil
}

// newLARS brings knots to the units of the data.
func newLARS(run *elasticRun, knots []descent.Knot, unit float64) *LARS {
	l := &LARS{LassoPath: *newPath[*ElasticNet](run.state())}
	for _, k := range knots {
		point := &pathPoint{
			Lambda: k.Lambda * unit, Loss: run.data.Squares(k.RSS),
			Gap: k.Gap / run.data.src.Null(), KKT: k.KKT, DoF: float64(len(k.Set)),
		}
		if !run.data.l.NoIntercept {
			point.DoF++
		}
		if !math.IsNaN(point.Gap) {
			run.uncertain(point, run.penalty(point.Lambda), k.Set, k.W)
		}
		run.data.coefficients(point, k.Set, k.W, []float64{0})
		point.Objective = point.Loss
		for i, j := range point.Terms {
			point.Objective += point.Lambda * run.by.Factor[j] * math.Abs(point.Slopes[i])
		}
		if last := len(l.s.Points) - 1; last >= 0 { // two changes may be at the same lambda
			point.Lambda = math.Min(point.Lambda, l.s.Points[last].Lambda)
		}
		l.s.Points = append(l.s.Points, point)
		l.steps.Entered, l.steps.Left = append(l.steps.Entered, k.Entered), append(l.steps.Left, k.Left)
	}
	return l
}

// certifyEnd compares the end of a whole path with least squares, if it has not
// all terms.
func (l *LARS) certifyEnd(data Data) error {
	end := l.s.Points[len(l.s.Points)-1]
	if !math.IsNaN(end.Gap) {
		return nil
	}
	if end.Gap = end.Loss / l.s.Null; end.Gap <= larsRounding {
		return nil // an interpolation
	}
	ols, err := FitOLS(data, &OLSSettings{Aliased: DropAliased})
	if err != nil {
		return err
	}
	end.Gap = math.Max(end.Loss-ols.RSS(), 0) / l.s.Null
	return nil
}

// worst returns the knot of the largest gap.
func (l *LARS) worst() *pathPoint {
	return slices.MaxFunc(l.s.Points, func(a, b *pathPoint) int { return cmp.Compare(a.Gap, b.Gap) })
}

// Entered returns the name of the term that enters at every knot, "" where none
// does. At the knot its slope is still zero.
func (l *LARS) Entered() []string { return l.named(l.steps.Entered) }

// Left returns the name of the term whose slope becomes zero at every knot, ""
// where none does.
func (l *LARS) Left() []string { return l.named(l.steps.Left) }

func (l *LARS) named(columns []int) []string {
	out := make([]string, len(columns))
	for k, j := range columns {
		if j >= 0 {
			out[k] = l.s.L.Names[j]
		}
	}
	return out
}

// Raw returns the same path with coefficients in the raw units of the data; see
// Path.Raw.
func (l *LARS) Raw() (*LARS, error) {
	path, err := l.LassoPath.Raw()
	if err != nil {
		return nil, err
	}
	return &LARS{LassoPath: *path, steps: larsState{slices.Clone(l.steps.Entered), slices.Clone(l.steps.Left)}}, nil
}

// GobEncode implements gob.GobEncoder.
func (l *LARS) GobEncode() ([]byte, error) { return stream.Encode(l, &l.s, &l.steps) }

// GobDecode implements gob.GobDecoder.
func (l *LARS) GobDecode(b []byte) error { return gobDecode(b, l, &l.s, &l.steps) }
