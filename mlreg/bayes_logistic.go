package mlreg

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/lapack/lapack64"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/algebra"
	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/lsq"
	"github.com/regbook/regbook/mlreg/internal/newton"
	"github.com/regbook/regbook/mlreg/internal/stream"
	"github.com/regbook/regbook/mlreg/report"
)

// BayesLogisticSettings are the options of FitBayesLogistic.
type BayesLogisticSettings struct {
	// PenalizeIntercept puts the intercept under the Gaussian prior, which then
	// covers p+1 coefficients, the intercept first. The default is a flat
	// prior of density 1 for the intercept.
	PenalizeIntercept bool
	// Offset, Tol and MaxIterations are as in LogisticSettings.
	Offset        string
	Tol           float64
	MaxIterations int
}

// BayesLogistic is the posterior of a logistic regression of two classes, by
// Laplace's method: a Gaussian at its mode. It holds no data and does not change.
type BayesLogistic struct {
	m logit // the mode
	laplacePosterior
}

// laplacePosterior is what a posterior by Laplace's method knows besides its mode. Fits
// embed it.
type laplacePosterior struct{ s laplacePosteriorState }

type laplacePosteriorState struct {
	N          int
	Prior      priorRoot
	First      int // coefficients before those under the prior: 1 or 0
	T          []float64
	LogLik     float64 // at the mode
	LogPrior   float64 // at the mode
	LogDet     float64 // of the posterior covariance
	Decrement  float64
	GradNorm   float64
	Iterations int
}

// FitBayesLogistic finds the posterior of the coefficients w = (b_0, b) of
//
//	P(y_i = second class | x_i, w) = 1/(1 + exp(-(b_0 + x_i'b))),   b ~ N(m0, V0),
//
// where the GaussianPrior covers the slopes, and with PenalizeIntercept the
// intercept too, which otherwise has a flat prior. With w* the maximum of
//
//	J(w) = sum_i w_i log P(y_i | x_i, w) - (b - m0)'V0^-1 (b - m0)/2 + const,
//
// the posterior is approximately N(w*, H^-1), where H is minus the second
// derivatives of J at w*,
//
//	H = A'WA + V0^-1,   W = diag(w_i p_i (1-p_i)),   A = [1 X],
//
// and the evidence p(y | X) is approximately exp(J(w*)) |H/(2 pi)|^(-1/2). The
// maximum always exists, for separated classes too.
//
// Nil settings are the defaults. Errors: as FitLogistic, except for separation and
// aliased terms, which are no errors here; for the prior ErrShape, ErrSetting and
// ErrNotPositiveDefinite. Beside a *ConvergenceError is the best fit.
//
// Murphy, Machine Learning: A Probabilistic Perspective, section 8.4; MacKay,
// Neural Computation 4 (1992), 720-736.
func FitBayesLogistic(d *Design, prior GaussianPrior, settings *BayesLogisticSettings) (*BayesLogistic, error) {
	s := args.OrDefaults(settings)
	l := LogisticSettings{Offset: s.Offset, Tol: s.Tol, MaxIterations: s.MaxIterations}
	if err := l.check(); err != nil {
		return nil, err
	}
	classes, y, err := d.binaryLabels()
	if err != nil {
		return nil, err
	}
	f := &BayesLogistic{m: logit{c: logitState{classes, s.Offset}}, laplacePosterior: laplacePosterior{laplacePosteriorState{N: d.PositiveRows()}}}
	terms, offset, err := f.m.split(d)
	if err != nil {
		return nil, err
	}
	f.m.l = linearState{header: terms.header()}
	err = f.s.fit(&f.m.linear, terms, newton.NewLogistic(y, d.Weights), offset, prior, l, s.PenalizeIntercept)
	if best(err) {
		return f, err
	}
	return nil, err
}

// fit finds the mode of the posterior of f, whose header is known, and the Gaussian at it;
// d has the terms of f.
func (s *laplacePosteriorState) fit(f *linear, d *Design, fit newton.Datafit, offset []float64, prior GaussianPrior, l LogisticSettings, penalize bool) error {
	names := f.Names()
	if !d.NoIntercept && !penalize {
		s.First = 1
	}
	root, err := prior.root(names[s.First:])
	if err != nil {
		return err
	}
	s.Prior = *root

	columns := d.X.RawMatrix()
	var center []float64
	if in := newton.Conditioning(columns, d.Weights, !d.NoIntercept); in != nil && !d.NoIntercept {
		for j := range in.Scale {
			in.Scale[j] = 1 // the prior's scale is what counts
		}
		center, columns = in.Center, in.Of(columns).RawMatrix()
	}

	// In z with b = m0 + F z, V0 = F F', the prior is standard normal.
	n, k := d.NObs(), len(names)-s.First
	x := algebra.NewDense(n, k)
	for i := range n {
		copy(x.RawRowView(i)[k-columns.Cols:], columns.Data[i*columns.Stride:i*columns.Stride+columns.Cols])
	}
	shift := offset
	if root.Mean != nil {
		shift = make([]float64, n)
		copy(shift, offset)
		blas64.Gemv(blas.NoTrans, 1, x.RawMatrix(), gram.Vector(root.Mean), 1, gram.Vector(shift))
	}
	root.rightOf(x)
	back := &fromCentered{first: s.First, center: center}
	if k > columns.Cols { // the intercept is under the prior
		constant := append([]float64{1}, center...)
		constant = append(constant, make([]float64, k-len(constant))...)
		if root.Mean != nil {
			floats.AddConst(blas64.Dot(gram.Vector(constant), gram.Vector(root.Mean)), shift)
		}
		ones := algebra.RowOf(constant)
		root.rightOf(ones)
		back.addConstant(x, ones.RawRowView(0))
	}
	q := &newton.Problem{
		X: x.RawMatrix(), Weights: d.Weights, Fit: fit,
		Offset: shift, L2: 0.5, Intercept: s.First == 1,
	}
	solution, err := q.Solve(make([]float64, q.Parameters()), nil, newton.Settings{Tol: l.Tol, Most: l.MaxIterations})
	if err != nil {
		return d.explained(err)
	}
	s.set(f, solution, back)
	return notConverged(solution.Converged, solution.Iterations, solution.Decrement, l.Tol)
}

// fromCentered leads parameters z of the iteration back to those of the design.
//
// Where columns are far from zero, x_i = c + z_i, and the intercept has a flat
// prior, the iteration has that of the columns z_i. Where the intercept is under
// the prior, A F = 1v' + [0 Z]F with v = F'(1, c) has columns that are all but
// multiples of each other; the reflection U that takes v to the first axis leaves
// only the first of them large, and the prior of z standard normal.
type fromCentered struct {
	first  int
	center []float64 // p, nil for none
	u      []float64 // U = I - 2uu', nil for I
}

// addConstant replaces x by (x + 1v')U, or by x + 1v' if no column is centered.
func (c *fromCentered) addConstant(x *mat.Dense, v []float64) {
	n, _ := x.Dims()
	if c.center != nil {
		c.u = slices.Clone(v)
		length := blas64.Nrm2(gram.Vector(v))
		c.u[0] += math.Copysign(length, v[0])
		blas64.Scal(1/blas64.Nrm2(gram.Vector(c.u)), gram.Vector(c.u))
		v = append([]float64{-math.Copysign(length, v[0])}, make([]float64, len(v)-1)...)
	}
	for i := range n {
		row := x.RawRowView(i)
		c.reflect(gram.Vector(row))
		blas64.Axpy(1, gram.Vector(v), gram.Vector(row))
	}
}

// reflect replaces z by Uz.
func (c *fromCentered) reflect(z blas64.Vector) {
	if c.u != nil {
		blas64.Axpy(-2*blas64.Dot(gram.Vector(c.u), z), gram.Vector(c.u), z)
	}
}

// set takes the mode and the covariance from those of z.
func (s *laplacePosteriorState) set(f *linear, solution *newton.Solution, back *fromCentered) {
	pt, h := solution.Point, solution.Hessian
	k, first := len(pt.Beta), s.First
	z := slices.Clone(pt.Beta[first:])
	back.reflect(gram.Vector(z))
	w := s.Prior.times(z)
	if m := s.Prior.Mean; m != nil {
		blas64.Axpy(1, gram.Vector(m), gram.Vector(w))
	}
	w = append(slices.Clone(pt.Beta[:first]), w...)

	// H^-1 = G G' with G = diag(1, F) root.
	g := mat.DenseCopyOf(h.Root)
	if first < k {
		for j := range k {
			back.reflect(gram.Column(g.Slice(first, k, 0, k).(*mat.Dense), j))
		}
		s.Prior.leftOf(g.Slice(first, k, 0, k).(*mat.Dense))
	}
	s.LogDet = 2 * s.Prior.logDet()
	for j := range k {
		s.LogDet += 2 * math.Log(math.Abs(h.Root.At(j, j)))
	}
	for j, c := range back.center {
		if first == 1 {
			w[0] -= c * w[j+1]
			blas64.Axpy(-c, gram.Vector(g.RawRowView(j+1)), gram.Vector(g.RawRowView(0)))
		}
	}
	s.T = gaussianFromRows(w, mat.DenseCopyOf(g.T())).s.T

	f.l.B = w
	if !f.l.NoIntercept {
		f.l.B0, f.l.B = w[0], w[1:]
	}
	s.LogLik = -pt.Sums.Loss
	s.LogPrior = s.logPriorAt(w)
	s.Decrement, s.GradNorm, s.Iterations = solution.Decrement, blas64.Nrm2(gram.Vector(pt.Score)), solution.Iterations
}

// InferenceDoF is +Inf: the posterior is approximated by a normal distribution.
func (f *laplacePosterior) InferenceDoF() float64 { return math.Inf(1) }

// NObs returns the number of observations; rows of weight zero do not count.
func (f *laplacePosterior) NObs() int { return f.s.N }

// LogLik returns the log-likelihood at the mode.
func (f *laplacePosterior) LogLik() float64 { return f.s.LogLik }

// Decrement certifies the mode: see Logistic.Decrement.
func (f *laplacePosterior) Decrement() float64 { return f.s.Decrement }

// GradNorm returns the Euclidean norm of the gradient of the log posterior at the mode, in
// coordinates in which the prior covariance is the identity.
func (f *laplacePosterior) GradNorm() float64 { return f.s.GradNorm }

// Iterations returns the number of Newton steps.
func (f *laplacePosterior) Iterations() int { return f.s.Iterations }

// posterior returns the Gaussian at a mode.
func (s *laplacePosteriorState) posterior(mode []float64) *Gaussian {
	return &Gaussian{store[Gaussian](gaussianState{mode, slices.Clone(s.T)})}
}

// Names returns the names of the coefficients: "(Intercept)" first if there is
// one, then the terms.
func (f *BayesLogistic) Names() []string { return f.m.Names() }

// Coef returns w*, the mode of the posterior and the mean of its Gaussian, in the
// order of Names.
func (f *BayesLogistic) Coef() []float64 { return f.m.Coef() }

// PosteriorMean is Coef.
func (f *BayesLogistic) PosteriorMean() []float64 { return f.Coef() }

// Posterior returns N(w*, H^-1) over the coefficients in the order of Names.
func (f *BayesLogistic) Posterior() *Gaussian { return f.s.posterior(f.Coef()) }

// VCov returns H^-1, the covariance of the posterior.
func (f *BayesLogistic) VCov() *mat.SymDense { return f.Posterior().Cov() }

// PosteriorCov is VCov.
func (f *BayesLogistic) PosteriorCov() *mat.SymDense { return f.VCov() }

// Table returns the table of coefficients: mode, standard deviation, their ratio,
// and the limits of the central interval with probability level; see CoefTable.
func (f *BayesLogistic) Table(level float64) (report.Rows[CoefRow], error) {
	return CoefTable(f, level)
}

// Response returns the name of the response.
func (f *BayesLogistic) Response() string { return f.m.Response() }

// Scaling returns the scaling of the design fitted, nil if its columns were raw.
func (f *BayesLogistic) Scaling() *Scaling { return f.m.Scaling() }

// Coding returns how the columns of the design were computed, nil if they were
// given.
func (f *BayesLogistic) Coding() *Coding { return f.m.Coding() }

// Classes returns the names of the two classes; probabilities are of the second.
func (f *BayesLogistic) Classes() []string { return f.m.Classes() }

// LogEvidence returns Laplace's approximation of log p(y | X),
//
//	log p(y | X, w*) + log p(w*) + (k/2) log(2 pi) - log|H|/2
//
// for k coefficients. A flat intercept has density 1: compare evidences only if the
// intercept is flat in all models, or in none.
func (f *BayesLogistic) LogEvidence() float64 {
	return f.s.logEvidence(len(f.Names()))
}

func (s *laplacePosteriorState) logEvidence(k int) float64 {
	return s.LogLik + s.LogPrior + float64(k)/2*math.Log(2*math.Pi) + s.LogDet/2
}

// Laplace returns the approximation of the density p(y | X, w) p(w).
func (f *BayesLogistic) Laplace() *LaplaceApproximation {
	k := len(f.Names())
	inverse := mat.NewDense(k, k, slices.Clone(f.s.T)) // of T'T = H^-1
	if !lapack64.Trtri(lsq.Upper(inverse)) {
		panic("mlreg: the root of a posterior covariance is singular")
	}
	precision := algebra.Outer(inverse)
	r := gaussianFromRows(f.Coef(), mat.DenseCopyOf(inverse.T())).s.T // R'R = H
	return &LaplaceApproximation{store[LaplaceApproximation](laplaceState{
		Mode: f.Coef(), LogAtMode: f.s.LogLik + f.s.LogPrior, H: precision.RawSymmetric().Data, R: r,
		GradNorm: f.s.GradNorm, Iterations: f.s.Iterations,
	})}
}

// LogPriorAt returns the logarithm of the prior density at the coefficients w, in
// the order of Names; NaN if w has another length.
func (f *BayesLogistic) LogPriorAt(w []float64) float64 {
	if len(w) != len(f.Names()) {
		return math.NaN()
	}
	return f.s.logPriorAt(w)
}

func (s *laplacePosteriorState) logPriorAt(w []float64) float64 {
	v := slices.Clone(w[s.First:])
	if m := s.Prior.Mean; m != nil {
		blas64.Axpy(-1, gram.Vector(m), gram.Vector(v))
	}
	k := len(v)
	log := -float64(k) / 2 * math.Log(2*math.Pi)
	log -= s.Prior.logDet()
	if s.Prior.R == nil {
		for j, s := range s.Prior.Diag {
			v[j] /= s
		}
	} else {
		blas64.Trsv(blas.Trans, s.Prior.upper(), gram.Vector(v))
	}
	return log - blas64.Dot(gram.Vector(v), gram.Vector(v))/2
}

// LogLikAt returns the log-likelihood of the rows of d at the coefficients w, in
// the order of Names; a w of another length is ErrShape.
func (f *BayesLogistic) LogLikAt(d *Design, w []float64) (float64, error) {
	if len(w) != len(f.Names()) {
		return 0, fmt.Errorf("%w: %d coefficients for %s", ErrShape, len(w), format.Quoted(f.Names()))
	}
	at := Logistic{logit: f.m}
	at.l.B = slices.Clone(w)
	if !at.l.NoIntercept {
		at.l.B0, at.l.B = w[0], at.l.B[1:]
	}
	rows, err := at.LogLikRows(d)
	if err != nil {
		return 0, err
	}
	var sum float64
	for _, v := range rows {
		sum += v
	}
	return sum, nil
}

// GobEncode implements gob.GobEncoder.
func (f *BayesLogistic) GobEncode() ([]byte, error) { return stream.Encode(f, &f.m.l, &f.m.c, &f.s) }

// GobDecode implements gob.GobDecoder.
func (f *BayesLogistic) GobDecode(b []byte) error { return gobDecode(b, f, &f.m.l, &f.m.c, &f.s) }

func (f *BayesLogistic) restored() error { return f.m.restored() }

// Kind names the fit in the title of its tables.
func (f *BayesLogistic) Kind() string { return "Logistic posterior" }

// Describe returns the table of the posterior; see Summary.
func (f *BayesLogistic) Describe() *report.Table { return summary(f) }

// String writes the table of the posterior as text.
func (f *BayesLogistic) String() string { return f.Describe().String() }
