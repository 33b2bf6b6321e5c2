package quantiles

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/gram"
)

// Solution is a vertex at which F is least.
type Solution struct {
	v      *vertex
	Passes int // over all rows of a large problem
}

// Rows up to which a problem is solved as a whole, and of the first sample of a larger one.
const wholeRows = 3000

// Solve returns a minimum. Large problems are solved on samples that grow; a row far
// from the fit to a sample then counts by its sign alone, and signs are checked: the
// result is a minimum for all rows (Portnoy and Koenker 1997, section 4). Start is a guess
// of the coefficients, nil for none. A step limit of zero is one that is not met unless
// rounding makes steps go in circles. The error is a *SingularError, ErrUnbounded, or
// ErrSteps beside the best vertex.
func Solve(p *Problem, start []float64, most int) (*Solution, error) {
	most = p.limit(most)
	n := p.A.Rows
	if n <= 2*wholeRows {
		if start == nil {
			start = p.leastSquares()
		}
		basis, err := p.startBasis(start)
		if err != nil {
			return nil, err
		}
		v, err := newVertex(p, basis)
		if err != nil {
			return nil, err
		}
		return &Solution{v: v}, v.minimize(most)
	}
	return p.levels(start, most)
}

// limit is a limit of steps, or the default for 0.
func (p *Problem) limit(most int) int {
	if most <= 0 {
		return 200*(p.A.Rows+p.A.Cols) + 1000
	}
	return most
}

// leastSquares returns coefficients near those of least squares, weighted by the widths
// of the duals, to start from. They are zero if the normal equations are singular.
func (p *Problem) leastSquares() []float64 {
	k := p.A.Cols
	b := make([]float64, k)
	if k == 0 {
		return b
	}
	s := blas64.Symmetric{N: k, Stride: k, Data: make([]float64, k*k), Uplo: blas.Upper}
	blas64.Syrk(blas.Trans, 1, p.A, 0, s)
	blas64.Gemv(blas.Trans, 1, p.A, gram.Vector(p.Y), 0, gram.Vector(b))
	sym := mat.NewSymDense(k, nil)
	for i := range k {
		for j := i; j < k; j++ {
			sym.SetSym(i, j, s.Data[i*k+j])
		}
	}
	var ch mat.Cholesky
	var out mat.VecDense
	if !ch.Factorize(sym) || ch.SolveVecTo(&out, mat.NewVecDense(k, b)) != nil {
		return make([]float64, k)
	}
	return out.RawVector().Data
}

// residuals returns y - A b.
func (p *Problem) residuals(b []float64) []float64 {
	r := make([]float64, len(p.Y))
	p.times(b, r)
	for i, y := range p.Y {
		r[i] = y - r[i]
	}
	return r
}

// times fills out with A b.
func (p *Problem) times(b, out []float64) {
	if len(b) == 0 {
		clear(out)
		return
	}
	gram.EachChunk(len(out), func() func(chunk, start, end int) {
		return func(_, start, end int) {
			blas64.Gemv(blas.NoTrans, 1, p.part(start, end), gram.Vector(b), 0, gram.Vector(out[start:end]))
		}
	})
}

// part returns the rows from start to end of A.
func (p *Problem) part(start, end int) blas64.General {
	a := p.A
	a.Rows, a.Data = end-start, a.Data[start*a.Stride:(end-1)*a.Stride+a.Cols]
	return a
}

func (p *Problem) row(i int) []float64 {
	s := p.A.Stride
	return p.A.Data[i*s : i*s+p.A.Cols]
}

// startBasis returns k rows that determine the coefficients, with residuals at b as
// small as their independence allows. A guess of least squares is moved first: the
// smallest residuals are those beside the quantile of all residuals that the
// bounds of the duals ask for.
func (p *Problem) startBasis(b []float64) ([]int, error) {
	r := p.residuals(b)
	order := make([]int, len(r))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Or(cmp.Compare(r[i], r[j]), i-j) })
	var total, sum float64
	for i := range r {
		total += finite(-p.Low[i])
	}
	center := 0.0
	for _, i := range order {
		center = r[i]
		if sum += p.High[i] - p.Low[i]; sum >= total {
			break
		}
	}
	size := func(i int) float64 { return math.Abs(r[i] - center) }
	slices.SortFunc(order, func(i, j int) int { return cmp.Or(cmp.Compare(size(i), size(j)), i-j) })
	return p.independent(order)
}

// independent returns the first k rows in an order that are linearly independent, and
// well so, if there are such.
func (p *Problem) independent(order []int) ([]int, error) {
	k := p.A.Cols
	var basis []int
	var q [][]float64 // orthonormal
	taken := make([]bool, len(p.Y))
	w := make([]float64, k)
	for _, least := range []float64{0.1, 1e-3, 1e-6, 1e-9, 1e-12} {
		for _, i := range order {
			if len(basis) == k {
				return basis, nil
			}
			if taken[i] {
				continue
			}
			copy(w, p.row(i))
			length := blas64.Nrm2(gram.Vector(w))
			if length == 0 {
				continue
			}
			left := length
			for range 2 {
				for _, u := range q {
					gram.Axpy(-gram.Dot(u, w), u, w)
				}
				left = blas64.Nrm2(gram.Vector(w))
				if left < least*length {
					break
				}
			}
			if left < least*length {
				continue
			}
			u := slices.Clone(w)
			blas64.Scal(1/left, gram.Vector(u))
			q = append(q, u)
			basis, taken[i] = append(basis, i), true
		}
	}
	if len(basis) == k {
		return basis, nil
	}
	return nil, p.singular(q)
}

// singular finds the columns that are combinations of those before them in the rows
// whose span has the orthonormal basis q.
func (p *Problem) singular(q [][]float64) error {
	k := p.A.Cols
	var keep []int
	var columns [][]float64
	for j := range k {
		c := make([]float64, len(q))
		for i := range q {
			c[i] = q[i][j]
		}
		length := blas64.Nrm2(gram.Vector(c))
		for range 2 {
			for _, u := range columns {
				gram.Axpy(-gram.Dot(u, c), u, c)
			}
		}
		if left := blas64.Nrm2(gram.Vector(c)); left > 1e-9*length && left > 0 {
			blas64.Scal(1/left, gram.Vector(c))
			columns, keep = append(columns, c), append(keep, j)
		}
	}
	return &SingularError{Rank: len(q), Keep: keep}
}

// take returns the problem of some rows; the others count by fixed duals, whose sum
// a_i d_i is given, nil for rows left out.
func (p *Problem) take(rows []int, fixed []float64) *Problem {
	k := p.A.Cols
	q := &Problem{
		A: blas64.General{Rows: len(rows), Cols: k, Stride: k, Data: make([]float64, len(rows)*k)},
		Y: make([]float64, len(rows)), Low: make([]float64, len(rows)), High: make([]float64, len(rows)),
	}
	for s, i := range rows {
		copy(q.A.Data[s*k:], p.row(i))
		q.Y[s], q.Low[s], q.High[s] = p.Y[i], p.Low[i], p.High[i]
	}
	if fixed != nil || p.Linear != nil {
		q.Linear = make([]float64, k)
		copy(q.Linear, p.Linear)
		for j, x := range fixed {
			q.Linear[j] -= x
		}
	}
	return q
}

// sample returns m of n rows that look random, the same for the same n and m, and all of
// those given, in order.
func sample(n, m int, with []int) []int {
	share := float64(m) / float64(n)
	chosen := make([]bool, n)
	for _, i := range with {
		chosen[i] = true
	}
	rows := make([]int, 0, m+len(with))
	for i := range n {
		if chosen[i] || 2*math.Abs(scatter(i+n))-1 < share {
			rows = append(rows, i)
		}
	}
	return rows
}

// levels solves for samples that grow, then for all rows.
func (p *Problem) levels(start []float64, most int) (*Solution, error) {
	n, k := p.A.Rows, p.A.Cols
	first := max(wholeRows, 20*k)
	sizes := []int{n}
	for m := n / 8; m >= first; m /= 8 {
		sizes = append(sizes, m)
	}
	slices.Reverse(sizes)
	var basis []int // rows of p
	var b []float64
	last := 0
	for _, m := range sizes {
		var rows []int
		if m == n {
			rows = make([]int, n)
			for i := range rows {
				rows[i] = i
			}
		} else {
			rows = sample(n, m, basis)
		}
		if basis == nil {
			var err error
			if basis, rows, b, err = p.firstSample(rows, start, most); err != nil {
				return nil, err
			}
			last = len(rows)
			if m < n {
				continue
			}
		}
		var passes int
		var err error
		if basis, b, passes, err = p.globs(rows, basis, b, last, most); err != nil {
			return nil, err
		}
		last = len(rows)
		if m == n {
			v, err := newVertex(p, basis)
			if err != nil {
				return nil, err
			}
			return &Solution{v: v, Passes: passes}, v.minimize(most)
		}
	}
	panic("quantiles: the last sample is of all rows")
}

// firstSample solves for a sample alone. If it does not determine the coefficients,
// rows that do join it.
func (p *Problem) firstSample(rows []int, start []float64, most int) (basis, all []int, b []float64, err error) {
	small := p.take(rows, nil)
	if start == nil {
		start = small.leastSquares()
	}
	local, err := small.startBasis(start)
	if err != nil {
		order := make([]int, len(p.Y))
		for i := range order {
			order[i] = i
		}
		slices.SortFunc(order, func(i, j int) int { return cmp.Compare(scatter(i), scatter(j)) })
		global, err := p.independent(order)
		if err != nil {
			return nil, nil, nil, err
		}
		rows = slices.Compact(slices.Sorted(slices.Values(append(slices.Clone(rows), global...))))
		small = p.take(rows, nil)
		local = places(rows, global)
	}
	v, err := newVertex(small, local)
	if err != nil {
		return nil, nil, nil, err
	}
	if err := v.minimize(most); err != nil && err != ErrUnbounded {
		return nil, nil, nil, err
	}
	basis = make([]int, len(v.basis))
	for j, s := range v.basis {
		basis[j] = rows[s]
	}
	return basis, rows, v.b, nil
}

// places returns where the rows wanted stand in ascending rows.
func places(rows, wanted []int) []int {
	at := make([]int, len(wanted))
	for c, i := range wanted {
		at[c], _ = slices.BinarySearch(rows, i)
	}
	return at
}

// globs solves for the rows given, from a basis and coefficients b of a sample of
// size last: rows whose residuals are large beside what b may be off by count by
// their sign, until the solution says that a sign was wrong.
func (p *Problem) globs(rows, basis []int, b []float64, last, most int) ([]int, []float64, int, error) {
	k := p.A.Cols
	whole := p
	if len(rows) < len(p.Y) {
		whole = p.take(rows, nil)
	}
	r := whole.residuals(b)
	size := make([]float64, len(r))
	for s, x := range r {
		size[s] = math.Abs(x)
	}
	// Rows near the fit: those within three standard errors of a prediction from the
	// sample, sqrt(k/last) standard deviations, which at the median hold that share.
	share := math.Min(1, 3*math.Sqrt(float64(k)/float64(last)))
	band := nth(slices.Clone(size), int(share*float64(len(size)-1)))
	inside := make([]bool, len(rows))
	for s := range rows {
		inside[s] = size[s] <= band
	}
	local := places(rows, basis)
	for _, s := range local {
		inside[s] = true
	}
	signs := make([]bool, len(rows))
	for s, x := range r {
		signs[s] = x > 0
	}
	d := make([]float64, len(rows))
	for passes := 1; ; passes++ {
		var near []int
		for s := range d {
			d[s] = 0
			switch {
			case inside[s]:
				near = append(near, s)
			case signs[s]:
				d[s] = whole.High[s]
			default:
				d[s] = whole.Low[s]
			}
		}
		fixed := make([]float64, k)
		if k > 0 {
			blas64.Gemv(blas.Trans, 1, whole.A, gram.Vector(d), 0, gram.Vector(fixed))
		}
		v, err := newVertex(whole.take(near, fixed), places(near, local))
		if err == nil {
			err = v.minimize(most)
		}
		if err == ErrUnbounded && len(near) < len(rows) {
			if share *= 2; share < 1 {
				band = nth(slices.Clone(size), int(share*float64(len(size)-1)))
			} else {
				band = math.Inf(1)
			}
			for s := range inside {
				inside[s] = inside[s] || size[s] <= band
			}
			continue
		}
		if err != nil {
			return nil, nil, passes, err
		}
		for j, s := range v.basis {
			local[j] = near[s]
		}
		wrong := 0
		r = whole.residuals(v.b)
		for s, x := range r {
			if !inside[s] && (x > 0) != signs[s] {
				inside[s] = true
				wrong++
			}
		}
		if wrong == 0 {
			out := make([]int, k)
			for j, s := range local {
				out[j] = rows[s]
			}
			return out, v.b, passes, nil
		}
	}
}

// nth returns the element that stands at place m in ascending order, and changes the
// order.
func nth(x []float64, m int) float64 {
	lo, hi := 0, len(x)-1
	for lo < hi {
		pivot := x[lo+(hi-lo)/2]
		i, j := lo, hi
		for i <= j {
			for x[i] < pivot {
				i++
			}
			for x[j] > pivot {
				j--
			}
			if i <= j {
				x[i], x[j] = x[j], x[i]
				i, j = i+1, j-1
			}
		}
		switch {
		case m <= j:
			hi = j
		case m >= i:
			lo = i
		default:
			return x[m]
		}
	}
	return x[lo]
}

// Weighted returns the least element at which the weights of those up to it reach a share
// of the sum of all, and the largest if rounding leaves none. It changes the order of x.
func Weighted(x, weights []float64, share float64) float64 {
	var total float64
	for _, w := range weights {
		total += w
	}
	left := share * total
	weights = slices.Clone(weights)
	lo, hi := 0, len(x)-1
	for lo < hi {
		pivot := x[lo+(hi-lo)/2]
		i, j := lo, hi
		var below float64 // the weights of x[lo:i]
		for i <= j {
			for x[i] < pivot {
				below += weights[i]
				i++
			}
			for x[j] > pivot {
				j--
			}
			if i <= j {
				x[i], x[j] = x[j], x[i]
				weights[i], weights[j] = weights[j], weights[i]
				below += weights[i]
				i, j = i+1, j-1
			}
		}
		between := 0.0
		if i-j == 2 { // one element, the pivot, is in neither part
			between = weights[j+1]
		}
		switch {
		case below-between >= left:
			hi = j
		case below >= left:
			return pivot
		default:
			left -= below
			lo = i
		}
	}
	return x[lo]
}
