package quantiles

import (
	"cmp"
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/gram"
)

// Solution is a vertex at which F is least.
type Solution struct {
	v       *vertex
	Passes  int  // over all rows, some of which counted by their signs
	Sampled bool // rows were sampled first
}

// sampleRows are the rows of the first sample of a large problem.
const sampleRows = 3000

// Solve returns a minimum. If there are many rows, one far from a first guess of the fit
// counts by its sign alone, and signs are checked: the result is a minimum for all rows
// (Portnoy and Koenker 1997, section 4). The guess is that of least squares, and of steps
// towards less loss; for large problems it is the fit to a sample, of samples that grow.
// A step limit of zero is one that is not met unless rounding makes steps go in circles. The
// error is a *SingularError, ErrUnbounded, or ErrSteps beside the best vertex.
func Solve(p *Problem, most int) (*Solution, error) {
	most = p.limit(most)
	if p.A.Rows < 8*p.first() {
		return p.whole(most)
	}
	return p.levels(most)
}

// first is the number of rows of the first sample.
func (p *Problem) first() int { return max(sampleRows, 20*p.A.Cols) }

// whole solves without samples.
func (p *Problem) whole(most int) (*Solution, error) {
	many, steps := p.A.Rows >= signRows, 0
	if many {
		steps = smoothSteps
	}
	g := &guess{residuals: p.smoothed(steps), from: p.A.Rows, most: most, once: true}
	var err error
	if g.basis, err = p.startBasis(g.residuals); err != nil {
		return nil, err
	}
	if many && g.share(p.A.Cols) < 0.5 {
		err = p.globs(nil, g)
	}
	return p.finish(g, err)
}

// guess is a fit to some of the rows, or to all of them by another criterion.
type guess struct {
	residuals   []float64 // of all rows; nil unless computed
	b           []float64 // coefficients, which residuals are of if they are nil
	basis       []int     // rows that determine the coefficients
	from        int       // number of rows that it was fitted to
	steps, most int       // so far, and their limit
	passes      int
	once        bool // the rest is left to the steps on all rows
}

// share is that of the rows near the fit: those within three standard errors of a prediction,
// sqrt(k/from) standard deviations, which at the median hold that share.
func (g *guess) share(k int) float64 {
	return math.Min(1, 3*math.Sqrt(float64(k)/float64(g.from)))
}

// finish goes from the basis of a guess to a minimum, unless the guess failed.
func (p *Problem) finish(g *guess, failed error) (*Solution, error) {
	if failed != nil && failed != ErrSteps {
		return nil, failed
	}
	v, err := newVertex(p, g.basis)
	if err != nil {
		return nil, err
	}
	v.steps = g.steps
	s := &Solution{v: v, Passes: g.passes}
	if failed != nil {
		return s, failed
	}
	return s, v.minimize(g.most)
}

// limit is a limit of steps, or the default for 0.
func (p *Problem) limit(most int) int {
	if most <= 0 {
		return 200*(p.A.Rows+p.A.Cols) + 1000
	}
	return most
}

// Steps of smoothed, and the share of the rows in its band. Two steps find most signs under
// Cauchy noise, and where the spread depends on the terms; more take longer than they save,
// as do steps and signs if there are fewer than signRows rows.
const (
	smoothSteps = 2
	smoothShare = 0.3
	signRows    = 1000
)

// smoothed returns centered residuals from near the fit: those of least squares, and of steps
// from there that take F for quadratic in a band about zero, Newton's but for A'A in place
// of its sum over the rows in the band (Fernandes, Guerre and Horta, Journal of Business and
// Economic Statistics 39 (2021), 338-357, smooth so). A step that does not lower F is not
// taken. If A'A is singular the residuals are those of zero coefficients.
func (p *Problem) smoothed(steps int) []float64 {
	b := make([]float64, p.A.Cols)
	ch, d := p.normal(), slices.Clone(p.Y)
	var best []float64
	var least float64
	for step := 0; ; step++ {
		if ch != nil {
			gram.Axpy(1, p.newton(ch, d), b)
		}
		r := p.residuals(b)
		p.center(r)
		f := p.loss(r)
		if step > 0 && !(f < least) {
			return best
		}
		best, least = r, f
		if ch == nil || step == steps || !p.slopes(r, d) {
			return best
		}
	}
}

// normal factors A'A; it returns nil if that is singular.
func (p *Problem) normal() *mat.Cholesky {
	k := p.A.Cols
	if k == 0 {
		return nil
	}
	products := blas64.General{Rows: k, Cols: k, Stride: k, Data: make([]float64, k*k)}
	gram.AddProduct(products, 1, p.A, p.A, true)
	var ch mat.Cholesky
	if !ch.Factorize(mat.NewSymDense(k, products.Data)) { // its upper triangle
		return nil
	}
	return &ch
}

// newton solves A'A x = A'd; it returns zeros if rounding leaves nothing.
func (p *Problem) newton(ch *mat.Cholesky, d []float64) []float64 {
	k := p.A.Cols
	g := make([]float64, k)
	blas64.Gemv(blas.Trans, 1, p.A, gram.Vector(d), 0, gram.Vector(g))
	var out mat.VecDense
	if ch.SolveVecTo(&out, mat.NewVecDense(k, g)) != nil {
		return make([]float64, k)
	}
	return out.RawVector().Data
}

// leastSquares returns coefficients of least squares, zero if A'A is singular.
func (p *Problem) leastSquares() []float64 {
	if ch := p.normal(); ch != nil {
		return p.newton(ch, p.Y)
	}
	return make([]float64, p.A.Cols)
}

// slopes fills d with those of the smoothed check functions at residuals, over the mean of
// their change in the band; it reports whether they are finite.
func (p *Problem) slopes(r, d []float64) bool {
	for i, x := range r {
		d[i] = math.Abs(x)
	}
	band := nth(d, int(smoothShare*float64(len(d)-1)))
	var within, sum float64
	for i, x := range r {
		low, high := p.Low[i], p.High[i]
		d[i] = min(max((low+high+(high-low)*(x/band))/2, low), high)
		sum += d[i]
		if math.Abs(x) <= band {
			within += high - low
		}
	}
	factor := 2 * band * float64(len(r)) / within
	blas64.Scal(factor, gram.Vector(d))
	return sum-sum == 0 && factor > 0 && !math.IsInf(factor, 1)
}

// loss is F without its linear part.
func (p *Problem) loss(r []float64) (sum float64) {
	for i, x := range r {
		sum += max(p.Low[i]*x, p.High[i]*x)
	}
	return sum
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

// center moves residuals so that they have the quantile zero that the bounds of the duals
// ask for.
func (p *Problem) center(r []float64) {
	widths := make([]float64, len(r))
	var above, total float64
	for i := range r {
		widths[i] = p.High[i] - p.Low[i]
		above += p.High[i]
		total += widths[i]
	}
	if !(total > 0) || math.IsInf(total, 1) {
		return
	}
	center := Weighted(slices.Clone(r), widths, above/total)
	for i := range r {
		r[i] -= center
	}
}

// startBasis returns k rows that determine the coefficients, with residuals as small as their
// independence allows.
func (p *Problem) startBasis(r []float64) ([]int, error) {
	nearest := make(crossings, len(r))
	for i := range r {
		nearest[i] = crossing{t: math.Abs(r[i]), row: i}
	}
	nearest.order()
	return p.independent(func() int { return nearest.pop().row })
}

// independent returns the first k rows in an order that are linearly independent, and
// well so, if there are such. Each call of next returns the row that comes next.
func (p *Problem) independent(next func() int) ([]int, error) {
	k := p.A.Cols
	var basis, order []int
	var q [][]float64 // orthonormal
	taken := make([]bool, len(p.Y))
	w := make([]float64, k)
	for _, least := range []float64{0.1, 1e-3, 1e-6, 1e-9, 1e-12} {
		for at := range p.Y {
			if len(basis) == k {
				return basis, nil
			}
			if at == len(order) {
				order = append(order, next())
			}
			i := order[at]
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
func (p *Problem) levels(most int) (*Solution, error) {
	n := p.A.Rows
	sizes := []int{n}
	for m := n / 8; m >= p.first(); m /= 8 {
		sizes = append(sizes, m)
	}
	slices.Reverse(sizes)
	g, err := p.firstSample(sample(n, sizes[0], nil), most)
	if g == nil {
		return nil, err
	}
	for _, m := range sizes[1:] {
		if err != nil {
			break
		}
		var rows []int
		if m < n {
			rows = sample(n, m, g.basis)
		}
		err = p.globs(rows, g)
	}
	s, err := p.finish(g, err)
	if s != nil {
		s.Sampled = true
	}
	return s, err
}

// firstSample solves for a sample alone. If it does not determine the coefficients,
// rows that do join it. The error is ErrSteps beside a guess, or another beside none.
func (p *Problem) firstSample(rows []int, most int) (*guess, error) {
	small := p.take(rows, nil)
	s, err := small.whole(most)
	if singular := new(SingularError); errors.As(err, &singular) {
		order := make([]int, len(p.Y))
		for i := range order {
			order[i] = i
		}
		slices.SortFunc(order, func(i, j int) int { return cmp.Compare(scatter(i), scatter(j)) })
		at := -1
		global, failed := p.independent(func() int { at++; return order[at] })
		if failed != nil {
			return nil, failed
		}
		rows = slices.Compact(slices.Sorted(slices.Values(append(slices.Clone(rows), global...))))
		s, err = p.take(rows, nil).finish(&guess{basis: places(rows, global), most: most}, nil)
	}
	if s == nil || err != nil && err != ErrUnbounded && err != ErrSteps {
		return nil, err
	}
	g := &guess{b: s.v.b, basis: make([]int, len(s.v.basis)), from: len(rows), steps: s.v.steps, most: most}
	for j, i := range s.v.basis {
		g.basis[j] = rows[i]
	}
	if err == ErrUnbounded {
		err = nil
	}
	return g, err
}

// places returns where the rows wanted stand in ascending rows.
func places(rows, wanted []int) []int {
	at := make([]int, len(wanted))
	for c, i := range wanted {
		at[c], _ = slices.BinarySearch(rows, i)
	}
	return at
}

// globs solves for the rows given, all if they are nil, from a guess: rows whose residuals
// are large beside what it may be off by count by their sign, until the solution says that
// a sign was wrong. The guess becomes the solution.
func (p *Problem) globs(rows []int, g *guess) error {
	whole, local := p, slices.Clone(g.basis)
	if rows != nil {
		whole, local = p.take(rows, nil), places(rows, g.basis)
	}
	f := whole.folded(g, local)
	for {
		g.passes++
		v, err := f.vertex(local)
		if err != nil {
			return err
		}
		v.steps = g.steps
		err = v.minimize(g.most)
		if err == ErrUnbounded && len(f.near) < whole.A.Rows && !g.once {
			f.widen()
			continue
		}
		g.b, g.steps = v.b, v.steps
		for j, s := range v.basis {
			local[j] = f.near[s]
			if g.basis[j] = local[j]; rows != nil {
				g.basis[j] = rows[local[j]]
			}
		}
		if err == ErrUnbounded && g.once {
			return nil
		}
		if err != nil {
			return err
		}
		if f.unfold(v) == 0 || g.once {
			return nil
		}
	}
}

// folded are rows of which those far from a guess count by the signs of their residuals alone.
type folded struct {
	*Problem
	inside   []bool // rows that are taken by themselves
	positive []bool // the sign of the residual
	size     []float64
	share    float64 // of the rows that are near
	near     []int
}

// folded takes the rows near a guess, and those of its basis, by themselves.
func (p *Problem) folded(g *guess, basis []int) *folded {
	n := p.A.Rows
	r := g.residuals
	if r == nil {
		r = p.residuals(g.b)
	}
	f := &folded{Problem: p, inside: make([]bool, n), positive: make([]bool, n), size: make([]float64, n), share: g.share(p.A.Cols)}
	g.residuals, g.from, g.passes = nil, n, 0
	for s, x := range r {
		f.size[s], f.positive[s] = math.Abs(x), x > 0
	}
	f.open(nth(slices.Clone(f.size), int(f.share*float64(n-1))))
	for _, s := range basis {
		f.inside[s] = true
	}
	return f
}

// open takes the rows whose residuals are in a band by themselves.
func (f *folded) open(band float64) {
	for s := range f.inside {
		f.inside[s] = f.inside[s] || f.size[s] <= band
	}
}

// widen takes twice as many rows by themselves.
func (f *folded) widen() {
	band := math.Inf(1)
	if f.share *= 2; f.share < 1 {
		band = nth(slices.Clone(f.size), int(f.share*float64(len(f.size)-1)))
	}
	f.open(band)
}

// vertex is that of a basis, for the near rows, with the others in a linear term.
func (f *folded) vertex(basis []int) (*vertex, error) {
	k := f.A.Cols
	f.near = f.near[:0]
	d := make([]float64, f.A.Rows)
	for s := range d {
		switch {
		case f.inside[s]:
			f.near = append(f.near, s)
		case f.positive[s]:
			d[s] = f.High[s]
		default:
			d[s] = f.Low[s]
		}
	}
	fixed := make([]float64, k)
	if k > 0 {
		blas64.Gemv(blas.Trans, 1, f.A, gram.Vector(d), 0, gram.Vector(fixed))
	}
	return newVertex(f.take(f.near, fixed), places(f.near, basis))
}

// unfold takes the rows by themselves whose residuals have another sign at a vertex, and counts them.
func (f *folded) unfold(v *vertex) int {
	wrong := 0
	for s, x := range f.residuals(v.b) {
		if !f.inside[s] && (x > 0) != f.positive[s] {
			f.inside[s] = true
			wrong++
		}
	}
	return wrong
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
