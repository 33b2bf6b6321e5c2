package mlreg

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/algebra"
	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/newton"
	"github.com/regbook/regbook/mlreg/internal/problem"
	"github.com/regbook/regbook/mlreg/report"
)

// MultinomialSettings are the options of FitMultinomial.
type MultinomialSettings struct {
	// L2 is the weight of the penalty L2 sum_k |b_k|_2^2 on the slopes of all
	// classes but the first, in the units of the design; 0 is maximum
	// likelihood.
	L2 float64
	// Tol is the Newton decrement to stop at, by default 1e-11: see
	// Multinomial.Decrement.
	Tol float64
	// MaxIterations limits the Newton steps, by default to 100.
	MaxIterations int
}

// Multinomial is a logistic regression of two or more classes. It holds no data
// and does not change.
type Multinomial struct {
	stored[Multinomial, multinomialState]
}

type multinomialState struct {
	L          linearState // without coefficients
	Classes    []string    // q
	B          []float64   // (q-1) x k, the intercept first
	Root       []float64   // square, of order (q-1) k: VCov = Root Root'
	L2         float64
	N          int
	Loss, Null float64
	Decrement  float64
	GradNorm   float64
	Iterations int
}

// FitMultinomial maximizes the likelihood of
//
//	P(y_i = class k | x_i) = exp(eta_ik) / sum_l exp(eta_il),
//	eta_ik = b_0k + x_i'b_k,  eta_i1 = 0,
//
// for q classes, the first being the reference, with the parameters of nnet::multinom
// in R and of MNLogit in statsmodels; with two classes it is FitLogistic. Weights count
// observations. With L2 > 0 it minimizes minus the log-likelihood plus L2 times the sum
// of squares of all slopes.
//
// Newton's method with a line search on (q-1)(p+1) parameters. As for
// FitLogistic, the estimate does not exist if the classes are separated; linear
// programming decides, and a *SeparationError names a direction. Its Terms are
// then those of Names.
//
// The response is an index of Classes, or a number for a label. Nil settings are
// the defaults. Errors are those of FitLogistic; ErrLabels also for a class
// without rows.
//
// Agresti, Categorical Data Analysis, 3rd ed., section 8.1.
func FitMultinomial(d *Design, settings *MultinomialSettings) (*Multinomial, error) {
	s := likelihoodSettings(args.OrDefaults(settings))
	if err := s.check("MultinomialSettings"); err != nil {
		return nil, err
	}
	classes, index, err := d.manyLabels()
	if err != nil {
		return nil, err
	}
	f := &Multinomial{store[Multinomial](multinomialState{
		L:       linearState{header: d.header()},
		Classes: classes, L2: s.L2, N: d.PositiveRows(),
	})}
	q, err := newton.NewMultinomial(d.rows(), index, len(classes), s.L2)
	if err != nil {
		return nil, d.named(err)
	}
	n := newton.Settings{Tol: s.Tol, Most: s.MaxIterations}
	if s.L2 == 0 {
		if err := f.checkRank(d); err != nil {
			return nil, err
		}
		n.Doubt = func() error { return separated(q.Separation, f.Names(), d.Response, classes) }
	}
	sol, err := q.Solve(n)
	if errors.Is(err, newton.ErrNotFinite) {
		return nil, fmt.Errorf("%w: second derivatives of the likelihood leave the range of float64; rescale the terms, or the weights", ErrNotFinite)
	}
	if err != nil {
		return nil, err
	}
	f.s.Loss, f.s.B, f.s.Root = sol.Point.Loss, slices.Clone(sol.Point.Beta), sol.Root
	f.s.Null, f.s.GradNorm = q.Null(), blas64.Nrm2(gram.Vector(sol.Point.Score))/q.W
	f.s.Decrement, f.s.Iterations = sol.Decrement, sol.Iterations
	q.Unscale(f.s.B, f.s.Root, !d.NoIntercept)
	return f, notConverged(sol.Converged, sol.Iterations, sol.Decrement, s.Tol)
}

// checkRank names aliased terms.
func (f *Multinomial) checkRank(d *Design) error {
	q := &newton.Problem{X: d.X.RawMatrix(), Weights: d.Weights, Fit: newton.NewLogistic(nil, d.Weights), Intercept: !d.NoIntercept}
	h, err := q.Conditioned().Bounding()
	if err != nil {
		return d.explained(err)
	}
	if h.Complete() {
		return nil
	}
	return rankDeficient((&linear{f.s.L}).Names(), h.Keep, f.s.N, "MultinomialSettings")
}

// Classes returns the names of the q classes; the first is the reference.
func (f *Multinomial) Classes() []string { return slices.Clone(f.s.Classes) }

// Response returns the name of the response.
func (f *Multinomial) Response() string { return f.s.L.Response }

// Scaling returns the scaling of the design fitted, nil if its columns were raw.
func (f *Multinomial) Scaling() *Scaling { return f.s.L.Scaling.clone() }

// Coding returns how the columns of the design were computed, nil if they were
// given.
func (f *Multinomial) Coding() *Coding { return f.s.L.Coding }

// Terms returns the names of the coefficients of a class: "(Intercept)" first if
// one was fitted, then the terms.
func (f *Multinomial) Terms() []string { return (&linear{f.s.L}).Names() }

// Names returns the names of all coefficients, class by class without the first,
// as "class:term".
func (f *Multinomial) Names() []string { return classNames(f.s.Classes[1:], f.Terms()) }

func classNames(classes, terms []string) []string {
	var names []string
	for _, class := range classes {
		for _, term := range terms {
			names = append(names, class+":"+term)
		}
	}
	return names
}

// Coef returns the coefficients in the order of Names.
func (f *Multinomial) Coef() []float64 { return slices.Clone(f.s.B) }

// CoefMatrix returns the coefficients as a matrix: a row for every class but the
// first, a column for each of Terms.
func (f *Multinomial) CoefMatrix() *mat.Dense {
	return mat.NewDense(len(f.s.Classes)-1, len(f.Terms()), f.Coef())
}

// VCov returns the covariance matrix of the coefficients in the order of Names,
// the inverse of the Hessian of the objective.
func (f *Multinomial) VCov() *mat.SymDense { return algebra.Covariance(f.s.Root, len(f.s.B)) }

// InferenceDoF is +Inf: statistics are normal, z.
func (f *Multinomial) InferenceDoF() float64 { return math.Inf(1) }

// Table returns the table of coefficients with z statistics and Wald limits at
// the given level; see CoefTable.
func (f *Multinomial) Table(level float64) (report.Rows[CoefRow], error) { return CoefTable(f, level) }

// ClassProb returns the probabilities of the classes for every row of d, n x q.
// Columns are found by name and brought to the units of the fit.
func (f *Multinomial) ClassProb(d *Design) (*mat.Dense, error) {
	return f.s.L.classProb(d, len(f.s.Classes), f.s.B)
}

// classProb returns the probabilities of q classes for every row of d; b are the
// coefficients of all of them, or of all but the first, class by class.
func (l *linearState) classProb(d *Design, q int, b []float64) (*mat.Dense, error) {
	x, err := l.rows(d)
	if err != nil {
		return nil, err
	}
	return l.softmax(x, q, b), nil
}

// softmax is classProb for rows in the order and the units of the fit.
func (l *linearState) softmax(x *mat.Dense, q int, b []float64) *mat.Dense {
	n, _ := x.Dims()
	p := mat.NewDense(n, q, nil)
	k := l.columns()
	for i := range n {
		row, all := x.RawRowView(i), p.RawRowView(i)
		to := all[q-len(b)/k:]
		for c := range to {
			b := b[c*k : (c+1)*k]
			if !l.NoIntercept {
				to[c], b = b[0], b[1:]
			}
			to[c] += blas64.Dot(gram.Vector(b), gram.Vector(row))
		}
		newton.Softmax(all)
	}
	return p
}

// LogLikRows returns w log P(class of the row), natural logarithm, for every row
// of d; over the rows fitted it sums to LogLik.
func (f *Multinomial) LogLikRows(d *Design) ([]float64, error) { return logLikRows(f, d) }

func logLikRows(f Classifier, d *Design) ([]float64, error) {
	p, err := f.ClassProb(d)
	if err != nil {
		return nil, err
	}
	p.Apply(func(_, _ int, v float64) float64 { return math.Log(v) }, p)
	return classLogLik(d, f.Classes(), p)
}

// NObs returns the number of observations; rows of weight zero do not count.
func (f *Multinomial) NObs() int { return f.s.N }

// LogLik returns the log-likelihood at the estimate, without the penalty.
func (f *Multinomial) LogLik() float64 { return -f.s.Loss }

func (f *Multinomial) head() *header { return &f.s.L.header }

// LikelihoodModel says what the likelihood is of; see the type.
func (f *Multinomial) LikelihoodModel() *LikelihoodModel {
	l := &LikelihoodModel{Model: "a multinomial logit", Maximized: penalizedBy(f.s.L2)}
	if len(f.s.Classes) == 2 {
		l.Model = modelOf(Binomial, LogitLink)
	}
	return l
}

// Parameters returns the number of coefficients.
func (f *Multinomial) Parameters() int { return len(f.s.B) }

// Deviance returns -2 LogLik.
func (f *Multinomial) Deviance() float64 { return 2 * f.s.Loss }

// NullDeviance returns the deviance of the model of intercepts alone; without
// intercepts, of equal probabilities.
func (f *Multinomial) NullDeviance() float64 { return 2 * f.s.Null }

// LR is the likelihood-ratio test that all slopes are zero; P is NaN for a
// penalized fit.
func (f *Multinomial) LR() Chi2Test {
	return slopesTest(f.NullDeviance()-f.Deviance(), (len(f.s.Classes)-1)*len(f.s.L.Names), f.s.L2)
}

// Decrement certifies the fit: see Logistic.Decrement.
func (f *Multinomial) Decrement() float64 { return f.s.Decrement }

// GradNorm returns the Euclidean length of the gradient of the objective, in
// standardized columns, divided by the sum of weights.
func (f *Multinomial) GradNorm() float64 { return f.s.GradNorm }

// Iterations returns the number of Newton steps.
func (f *Multinomial) Iterations() int { return f.s.Iterations }

// Raw returns the same fit with coefficients and covariance in the raw units of
// the data; see OLS.Raw.
func (f *Multinomial) Raw() (*Multinomial, error) {
	raw := *f
	scaling := f.s.L.Scaling
	if scaling == nil {
		return &raw, nil
	}
	for j, c := range scaling.Center {
		if f.s.L.NoIntercept && c != 0 {
			return nil, fmt.Errorf("%w: the fit has no intercept, and term %q was centered at %v; in raw units it needs one",
				ErrShape, f.s.L.Names[j], c)
		}
	}
	raw.s.B, raw.s.Root, raw.s.L.Scaling = slices.Clone(f.s.B), slices.Clone(f.s.Root), nil
	(*problem.Scaling)(scaling).Unscale(raw.s.B, raw.s.Root, !f.s.L.NoIntercept)
	return &raw, nil
}

// Describe returns the table of the fit; see Summary.
func (f *Multinomial) Describe() *report.Table { return summary(f) }

// String writes the table of the fit as text.
func (f *Multinomial) String() string { return f.Describe().String() }
