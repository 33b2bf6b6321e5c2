package mlreg

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/algebra"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/lsq"
	"github.com/regbook/regbook/mlreg/internal/newton"
	"github.com/regbook/regbook/mlreg/internal/problem"
)

// Laplace's method for a likelihood of a linear predictor: the mode of the posterior, and the
// Gaussian at it.

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

// fit finds the mode of the posterior of f, whose header is known, and the Gaussian at it;
// d has the terms of f.
func (s *laplacePosteriorState) fit(f *linear, d *Design, fit newton.Datafit, prior GaussianPrior, l likelihoodSettings, penalize bool) error {
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
	if in := problem.Conditioning(d.rows()); in != nil && !d.NoIntercept {
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
	shift := d.Offset
	if root.Mean != nil {
		shift = make([]float64, n)
		copy(shift, d.Offset)
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

func (s *laplacePosteriorState) logEvidence(k int) float64 {
	return s.LogLik + s.LogPrior + float64(k)/2*math.Log(2*math.Pi) + s.LogDet/2
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

// predictor returns means and standard deviations of the linear predictor for the rows of d.
func (s *laplacePosteriorState) predictor(f *linear, d *Design) (mean, sd []float64, err error) {
	if mean, err = f.Predict(d); err != nil {
		return nil, nil, err
	}
	a, err := f.withOnes(d)
	if err != nil {
		return nil, nil, err
	}
	return mean, s.deviations(a), nil
}

// deviations returns the standard deviations of a'w for every row of a.
func (s *laplacePosteriorState) deviations(a *mat.Dense) []float64 {
	n, k := a.Dims()
	t := mat.NewDense(k, k, s.T)
	sd := make([]float64, n)
	v := make([]float64, k)
	for i := range sd {
		copy(v, a.RawRowView(i))
		blas64.Trmv(blas.NoTrans, lsq.Upper(t), gram.Vector(v))
		sd[i] = blas64.Nrm2(gram.Vector(v))
	}
	return sd
}
