package lsq

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/dd"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/problem"
)

// Equations are G b = c for the columns of X, centered if there is an
// intercept, scaled like a system's: G = X'X, c = X'y, yy = y'y.
type Equations struct {
	*problem.Problem
	sums        *problem.Sums
	noIntercept bool
	g           *mat.SymDense // G

	A     problem.Units // of the columns of A = [1 X] or X
	Sizes Sizes
}

// Sizes are the lengths that equations were made of.
type Sizes struct {
	Centered, Raw []float64 // of the columns of X, about their means and as they are
	One, Y        float64   // of the column of ones, and of y as it is
	// What the sums were made of: the lengths of X and y that their rounding errors
	// are relative to, and those of what the sums lack of the columns.
	Gross  []float64
	GrossY float64
	Lost   []float64
}

// NewEquations prepares sums that have been checked.
func NewEquations(s *problem.Sums, noIntercept bool) *Equations {
	e := &Equations{Problem: problem.FromSums(s, noIntercept), sums: s, noIntercept: noIntercept, g: &mat.SymDense{}}
	if e.Terms() > 0 {
		e.g.SetRawSymmetric(e.G)
	}
	e.A = problem.Units{XUnit: append(make([]problem.Unit, e.Offset()), e.XUnit...), YUnit: e.YUnit}
	e.measure()
	return e
}

// measure sets the lengths.
func (e *Equations) measure() {
	s := e.sums
	l := &e.Sizes
	about := math.Sqrt(s.W)
	if e.noIntercept {
		about = 0 // sums are about zero as they are
	} else {
		l.One = about
	}
	for j, mean := range e.twofoldMeans() {
		length := math.Sqrt(e.g.At(j, j))
		l.Centered = append(l.Centered, length)
		l.Raw = append(l.Raw, math.Hypot(length, about*mean.Hi))
		l.Gross = append(l.Gross, math.Max(length, e.XUnit[j].In(math.Sqrt(s.GrossOf(j)))))
		l.Lost = append(l.Lost, e.XUnit[j].In(s.LostOf(j)))
	}
	l.GrossY = math.Max(math.Sqrt(e.YY), e.YUnit.In(math.Sqrt(s.GrossOf(e.Terms()))))
	l.Y = math.Hypot(math.Sqrt(e.YY), about*e.YUnit.In(s.MeanY))
}

// kept returns the lengths of the kept columns of A, of y and of the residual.
func (e *Equations) kept(keep []int, rss float64) Lengths {
	l := Lengths{Y: e.Sizes.Y, R: math.Sqrt(rss)}
	for _, j := range keep {
		if j < e.Offset() {
			l.A = append(l.A, e.Sizes.One)
		} else {
			l.A = append(l.A, e.Sizes.Raw[j-e.Offset()])
		}
	}
	return l
}

// Columns returns the number of columns of A.
func (e *Equations) Columns() int { return len(e.A.XUnit) }

// Offset returns the number of columns of A = [1 X] before those of X.
func (e *Equations) Offset() int {
	if e.noIntercept {
		return 0
	}
	return 1
}

// twofoldMeans returns the means of the columns in the units of the equations, to
// twice the digits.
func (e *Equations) twofoldMeans() []dd.Number {
	means := make([]dd.Number, len(e.C))
	for j := range means {
		means[j] = e.XUnit[j].InTwofold(e.sums.MeanOf(j))
	}
	return means
}

// centeredRoot returns the T of the slopes: (X'X)^-1 = T T' for centered X.
func (e *Equations) centeredRoot(sol *Solution) *mat.TriDense {
	if e.Offset() == 0 {
		return sol.T
	}
	return corner(sol.T, 1)
}

// Rounding returns the error of the cross-products and their factor, relative to
// the gross lengths, with some to spare. Rows are summed in blocks of some 256: a
// sum of m terms is wrong by at most m roundings, and by about the root of m if
// they are random. A merge is a rounding, too.
func (e *Equations) Rounding() float64 {
	n := float64(e.sums.GrossN)
	if e.sums.Gross == nil {
		n = float64(e.sums.N)
	}
	block := math.Min(n, 256)
	return e.Stated() + dd.Unit*(math.Min(block, 4*math.Sqrt(block))+4*math.Sqrt(n/256+float64(len(e.C)+e.sums.Steps)))
}

// Stated returns the error that sums computed elsewhere state, relative to the gross
// lengths.
func (e *Equations) Stated() float64 { return e.sums.Stated(e.noIntercept) }

// Solve factors G = R'R, leaving aliased columns out, and solves for the
// slopes and the intercept.
func (e *Equations) Solve() *Solution {
	// The factor, and its inverse, are where those of A'A will be.
	keep, full := choleskyBeside(e.varying(), AliasSums, roundingOfSums+e.Stated(), e.Offset())
	r := below(full, e.Offset())
	k := len(keep)
	rhs := make([]float64, k)
	for i, j := range keep {
		rhs[i] = e.C[j]
	}
	rinv := &mat.TriDense{}
	if k+e.Offset() > 0 {
		rinv = mat.NewTriDense(k+e.Offset(), mat.Upper, nil)
	}
	sol := &Solution{Keep: keep, Rest: e.rest(keep, r), T: corner(rinv, e.Offset()), BLow: make([]float64, k), FirstLow: make([]float64, k)}
	if k > 0 {
		blas64.Trsv(blas.Trans, Upper(r), gram.Vector(rhs))
		blas64.Trsv(blas.NoTrans, Upper(r), gram.Vector(rhs))
		inverseTo(sol.T.RawTriangular(), Upper(r))
		sol.B = rhs
	}
	sol.RSS, sol.Bounds = e.fit(sol)
	if e.noIntercept {
		sol.Cond = ConditionNumber(r, sol.T)
		sol.Lengths = e.kept(keep, sol.RSS)
		e.countLost(sol)
		return sol
	}
	sol = e.withIntercept(sol, full, rinv)
	e.countLost(sol)
	return sol
}

// withIntercept adds the intercept to a solution for the slopes. The corners of full and of rinv
// have the factor of the centered columns and its inverse; the rest of them is filled in.
//
// A'A for A = [1 X] has the factor [sqrt(W), sqrt(W) mean'; 0, R], and b_0 is mean_y - mean'b.
func (e *Equations) withIntercept(sol *Solution, full *mat.Dense, rinv *mat.TriDense) *Solution {
	s, k := e.sums, len(sol.Keep)
	root := math.Sqrt(s.W)
	full.Set(0, 0, root)
	rinv.SetTri(0, 0, 1/root)
	b0 := e.YUnit.InTwofold(dd.Of(s.MeanY).Add(dd.Of(s.MeanYLow)))
	size, spread := math.Abs(b0.Hi), e.Sizes.GrossY
	off, away := e.YUnit.In(s.MeanErrOf(e.Terms())), 0.0 // what the means are wrong by
	all, means := []int{0}, e.twofoldMeans()
	first := dd.NewVector(k) // the row of the intercept in the inverse: -mean'T
	for i, j := range sol.Keep {
		all = append(all, j+1)
		mean := means[j]
		full.Set(0, i+1, root*mean.Hi)
		for c := i; c < k; c++ {
			first.Set(c, first.At(c).Sub(mean.Mul(dd.Of(sol.T.At(i, c)))))
		}
		b0 = b0.Sub(mean.Mul(dd.Of(sol.B[i])))
		size += math.Abs(mean.Hi * sol.B[i])
		spread += e.Sizes.Gross[j] * math.Abs(sol.B[i])
		if wrong := e.XUnit[j].In(s.MeanErrOf(j)); wrong > 0 {
			off += wrong * math.Abs(sol.B[i])
			away += wrong * RowLength(sol.T, i)
		}
	}
	for i, rest := range sol.Rest {
		sol.Rest[i] = append([]float64{0}, rest...) // of a centered column
	}
	for c := range k {
		rinv.SetTri(0, c+1, first.Hi[c])
	}
	// The means are known to twice the digits but for those of what they are the
	// centers of. What they are wrong by counts near the means, where slopes do not, and of
	// the response where rows of weight W were taken away: the w left have it some W/w times.
	sol.Bounds.First = e.Rounding()*spread*math.Sqrt(math.Max(s.W, s.GrossW))/s.W + 4*float64(k+2)*dd.Eps*size + off
	sol.Bounds.StdErr += root * away // of a mean, whose variance is 1/W at least
	return &Solution{
		Keep: all, Rest: sol.Rest, B: append([]float64{b0.Hi}, sol.B...), BLow: append([]float64{b0.Lo}, sol.BLow...), T: rinv, FirstLow: append([]float64{0}, first.Lo...),
		Cond: ConditionNumber(full, rinv), RSS: sol.RSS, Lengths: e.kept(all, sol.RSS), Bounds: sol.Bounds,
	}
}

// countLost adds to the bounds that the sums lack what rounding took from the
// columns.
func (e *Equations) countLost(sol *Solution) {
	if e.sums.Lost == nil {
		return
	}
	lost := make([]float64, len(sol.Keep))
	for c, j := range sol.Keep {
		if j >= e.Offset() {
			lost[c] = e.Sizes.Lost[j-e.Offset()]
		}
	}
	sol.Bounds = sol.Bounds.Perturbed(lost, sol.T, sol.B, math.Sqrt(sol.RSS))
}

// varying returns the equations' matrix with 0 for the squared length of a column
// that does not vary, to AliasRows of its length, so that it is aliased with the
// intercept as it is to a fit to rows.
func (e *Equations) varying() *mat.SymDense {
	g := e.g
	for j, length := range e.Sizes.Centered {
		if length > AliasRows*e.Sizes.Raw[j] {
			continue
		}
		if g == e.g {
			g = mat.NewSymDense(len(e.C), nil)
			g.CopySym(e.g)
		}
		g.SetSym(j, j, 0)
	}
	return g
}

// rest returns the columns that are not kept in the orthonormal basis of the kept
// ones, whose factor is r.
func (e *Equations) rest(keep []int, r *mat.Dense) [][]float64 {
	var rest [][]float64
	for j := range e.C {
		before, kept := slices.BinarySearch(keep, j)
		if kept {
			continue
		}
		v := make([]float64, before)
		for i, q := range keep[:before] {
			v[i] = e.g.At(q, j)
		}
		if before > 0 {
			t := Upper(r)
			t.N = before
			blas64.Trsv(blas.Trans, t, gram.Vector(v))
		}
		rest = append(rest, v)
	}
	return rest
}

// fit returns the residual sum of squares of the slopes, and the bounds of
// their errors: those of the cross-products, magnified by (X'X)^-1.
func (e *Equations) fit(sol *Solution) (rss float64, bounds Certificate) {
	rest := e.gradient(sol.Keep, sol.B)
	rss = e.YY
	l := Lengths{Y: e.Sizes.GrossY}
	for c, j := range sol.Keep {
		rss -= sol.B[c] * (e.C[j] + rest[j])
		l.A = append(l.A, e.Sizes.Gross[j])
	}
	rss = math.Max(rss, 0)
	size := e.Rounding() * l.data(sol.B)
	amplified, frobenius := RootLengths(sol.T, l.A)
	rho := e.Rounding() * (frobenius * frobenius)
	if rho >= 1 { // the bounds hold to first order in rho
		return rss, Certificate{Residual: math.Inf(1), StdErr: math.Inf(1), Root: 1}
	}
	return rss, Certificate{
		Residual: size * amplified / (1 - rho),
		StdErr:   (rho + Ratio(size*l.data(sol.B), rss)) / (1 - rho),
		Root:     float64(len(sol.Keep)) * dd.Unit * (1 + frobenius),
	}
}

// gradient returns c - G b = X'r for the slopes b of the columns kept.
func (e *Equations) gradient(keep []int, b []float64) []float64 {
	all := make([]float64, len(e.C))
	for c, j := range keep {
		all[j] = b[c]
	}
	rest := slices.Clone(e.C)
	if len(rest) > 0 {
		blas64.Symv(-1, e.g.RawSymmetric(), gram.Vector(all), 1, gram.Vector(rest))
	}
	return rest
}

// Orthogonality returns max_j |x_j'r| / (|x_j| |y|).
func (e *Equations) Orthogonality(sol *Solution) float64 {
	offset := e.Offset()
	keep := make([]int, 0, len(sol.Keep))
	for _, j := range sol.Keep[offset:] {
		keep = append(keep, j-offset)
	}
	var worst float64
	for j, v := range e.gradient(keep, sol.B[offset:]) {
		if length := math.Sqrt(e.g.At(j, j) * e.YY); length > 0 {
			worst = math.Max(worst, math.Abs(v)/length)
		}
	}
	return worst
}
