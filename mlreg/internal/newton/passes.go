package newton

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/lsq"
)

// Block is a part of the rows of Passes. Y are 0 and 1, or between them, as for
// Problem.Separation; it may be nil for losses of which nobody asks for one.
type Block struct {
	X               blas64.General
	Y               []float64
	Weights, Offset []float64 // nil for ones, and for zeros
	Fit             Datafit
}

// Passes is a Problem whose rows come in blocks, by one pass over all of them for every
// step. Of its X only the numbers of rows and columns are known. A block is valid during
// the call only. Where Sum is set, it has the sums of a pass, and there are no blocks: Solve
// is all that can be asked for.
type Passes struct {
	Problem
	Each func(f func(b Block) error) error
	// Cells has the rows by cells of factors, nil if there are none: no step then reads blocks of all columns.
	Cells *Cells
	Sum   func(b0 float64, b []float64) (*Sums, error)
}

// Sums are those of a pass that was made elsewhere, with what is known of their errors.
type Sums struct {
	*gram.LossSums
	Products *gram.Sums // of the columns, at the curvatures
	RelErr   float64    // of a sum of terms of one sign
	Cross    float64    // of cross-products, relative to the lengths of the columns about their means
	Eta      float64    // the root of sum_i c_i d_i^2, for errors d_i of eta_i and r_i/c_i
	Lost     []float64  // p: the roots of sum_i c_i d_ij^2, for errors d_ij of x_ij; nil for none
}

// summed is at of sums that were computed elsewhere.
func (q *Passes) summed(beta []float64) (*Point, error) {
	b0, b := q.split(beta)
	s, err := q.Sum(b0, b)
	if err != nil {
		return nil, err
	}
	if !finite(s.Loss) {
		return nil, ErrNotFinite
	}
	pt := q.point(beta, s.LossSums, []float64{s.Least})
	pt.products, pt.stated = s.Products, s
	return pt, nil
}

// at evaluates f, its gradient and its Hessian by one pass.
func (q *Passes) at(beta []float64) (*Point, error) {
	if q.Sum != nil {
		return q.summed(beta)
	}
	b0, b := q.split(beta)
	total, products, least, err := q.sums(b0, b)
	if err != nil {
		return nil, err
	}
	if products == nil || !finite(total.Loss) {
		return nil, ErrNotFinite
	}
	pt := q.point(beta, total, []float64{least})
	pt.products = products
	return pt, nil
}

// sums returns the sums of the losses, the cross-products at the curvatures, and the least curvature.
func (q *Passes) sums(b0 float64, b []float64) (total *gram.LossSums, products *gram.Sums, least float64, err error) {
	if q.Cells != nil {
		return q.Cells.sums(q.Scaling, b0, b)
	}
	total, least = &gram.LossSums{X: make([]float64, len(b)), Least: math.Inf(1)}, math.Inf(1)
	err = q.Each(func(block Block) error {
		x := q.conditioned(block.X)
		curvature := make([]float64, x.Rows)
		total.Add(gram.Rows{X: x}.Losses(block.Fit, curvature, block.Offset, b0, b))
		for _, c := range curvature {
			if c > 0 {
				least = math.Min(least, c)
			}
		}
		part := gram.Centered(gram.Rows{X: x, Weights: curvature})
		if products == nil {
			products = part
		} else {
			products.Merge(part)
		}
		return nil
	})
	return total, products, least, err
}

// conditioned returns the columns in the scaling of the problem.
func (q *Passes) conditioned(x blas64.General) blas64.General {
	if q.Scaling == nil || x.Cols == 0 {
		return x
	}
	return q.Scaling.Of(x).RawMatrix()
}

// hessianAt factors H at a point, whose cross-products it uses up.
func (q *Passes) hessianAt(pt *Point) (*Hessian, error) {
	if q.X.Cols == 0 {
		return constantHessian(pt.Sums.Curvature), nil
	}
	cross := 0.0
	if pt.stated != nil {
		cross = pt.stated.Cross
	}
	return q.hessianOf(pt.products, cross)
}

// Bounding returns none: a Hessian of the bound would take a pass.
func (q *Passes) Bounding() (*Hessian, error) { return nil, nil }

// Solve is Problem.Solve, with a Hessian for every step, since that costs no other pass.
// It also returns the certificate.
func (q *Passes) Solve(start []float64, settings Settings) (*Solution, Certificate, error) {
	r := &run{of: q, Problem: &q.Problem, Settings: settings, shortest: 1e-6, anew: true}
	s, err := r.solve(start)
	if err != nil {
		return s, Certificate{}, err
	}
	c, err := q.certify(s)
	return s, c, err
}

// certify is Problem.Certify: another pass if the largest change of a linear predictor is
// to be known.
func (q *Passes) certify(s *Solution) (Certificate, error) {
	pt, h := s.Point, s.Hessian
	c := q.certificate(pt, h)
	change := c.Distance / math.Sqrt(pt.Sums.Least)
	if change > 1e-9 && q.Sum == nil {
		root := mat.DenseCopyOf(h.Root).RawMatrix().Data
		var largest float64
		err := q.Each(func(b Block) error {
			for i, v := range Quadratic(q.conditioned(b.X), root, q.Intercept) {
				if b.Weights == nil || b.Weights[i] > 0 {
					largest = math.Max(largest, v)
				}
			}
			return nil
		})
		if err != nil {
			return Certificate{}, err
		}
		change = c.Distance * math.Sqrt(largest)
	}
	c.StdErr += change + h.rounding + 8*unit
	return c, nil
}

// Working is Problem.working, given the mean of the responses: the parameters that solve,
// by the sums of one pass, the least-squares problem of a generalized linear model at
// means near its responses.
func (q *Passes) Working(mean float64) ([]float64, error) {
	var sums *gram.Sums
	err := q.Each(func(block Block) error {
		fit, ok := block.Fit.(GLM)
		if !ok {
			return ErrNotFinite
		}
		weights, z := fit.Working(mean, block.Offset)
		part := gram.Centered(gram.Rows{X: q.conditioned(block.X), Y: z, Weights: weights})
		if sums == nil {
			sums = part
		} else {
			sums.Merge(part)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	beta := make([]float64, q.Parameters())
	if sums == nil || !(sums.W > 0) {
		return beta, nil
	}
	p := q.X.Cols
	product := func(j, k int) float64 { // j <= k
		v := sums.S.Data[j*sums.S.Stride+k]
		if !q.Intercept {
			v += sums.W * sums.Mean[j] * sums.Mean[k]
		}
		return v
	}
	b := beta[q.First():]
	if p > 0 {
		s := mat.NewSymDense(p, nil)
		for j := range p {
			for k := j; k < p; k++ {
				s.SetSym(j, k, product(j, k))
			}
		}
		keep, r := lsq.Cholesky(s, lsq.AliasSums, 0)
		v := make([]float64, len(keep))
		for c, j := range keep {
			v[c] = product(j, p)
		}
		if len(keep) > 0 {
			blas64.Trsv(blas.Trans, lsq.Upper(r), gram.Vector(v))
			blas64.Trsv(blas.NoTrans, lsq.Upper(r), gram.Vector(v))
		}
		for c, j := range keep {
			b[j] = v[c]
		}
	}
	if q.Intercept {
		beta[0] = sums.Mean[p] - gram.Dot(sums.Mean[:p], b)
	}
	return beta, nil
}

// Null is Problem.Null, given the mean of the responses and the intercept of the model
// without offsets.
func (q *Passes) Null(mean, constant float64) (intercept, loss float64, err error) {
	null := &Passes{Problem: Problem{X: blas64.General{Rows: q.X.Rows}, Intercept: q.Intercept}, Each: func(f func(b Block) error) error {
		constant := func(b Block) error {
			b.X = blas64.General{Rows: b.X.Rows}
			return f(b)
		}
		if q.Cells != nil {
			return q.Cells.Each(func(b Block, _ []int) error { return constant(b) })
		}
		return q.Each(constant)
	}}
	if !q.Intercept {
		pt, err := null.at(nil)
		if err == ErrNotFinite { // no row has a mean at 0
			return 0, math.Inf(1), nil
		}
		if err != nil {
			return 0, 0, err
		}
		return 0, pt.F, nil
	}
	settings := Settings{Tol: 1e-12, Most: 200}
	s, _, err := null.Solve([]float64{constant}, settings)
	if err == ErrNotFinite {
		start, wrong := null.Working(mean)
		if wrong != nil {
			return 0, 0, wrong
		}
		s, _, err = null.Solve(start, settings)
	}
	if err != nil {
		return 0, 0, err
	}
	return s.Point.Beta[0], s.Point.F, nil
}

// Separation decides whether a direction separates the classes, by cutting planes: the
// linear program of Problem.Separation is solved for some rows, at first those with the
// smallest s_i eta_i at the given parameters, which overlap if any do; of rows that no
// direction may move, those with the largest |eta_i|. If a direction
// separates these, a pass looks for rows on its wrong side; they are added until there is
// none, or no direction is left.
func (q *Passes) Separation(beta []float64) (*Separation, error) {
	const passes = 50
	most := 2*separationRows + 20*q.Parameters()
	b0, b := q.split(beta)
	rows, _, err := q.worst(most, func(block Block, i int, x []float64) float64 {
		if q.Scaling != nil {
			eta := b0
			for j, v := range x {
				eta += b[j] * (v - q.Scaling.Center[j]) / q.Scaling.Scale[j]
			}
			return eta
		}
		return b0 + gram.Dot(x, b)
	}, math.Inf(1))
	if err != nil {
		return nil, err
	}
	for range passes {
		part := Problem{X: rows.matrix(q.X.Cols), Intercept: q.Intercept}
		found, err := part.Separation(rows.labels())
		if found == nil || err != nil {
			return nil, err
		}
		c0, c := q.split(found.Values)
		wrong, counts, err := q.worst(most, func(_ Block, _ int, x []float64) float64 {
			value, size := c0, math.Abs(c0)
			for j, v := range x {
				value += c[j] * v
				size = math.Max(size, math.Abs(c[j]*v))
			}
			if size == 0 {
				return 0
			}
			return value / size
		}, -separationZero)
		if err != nil {
			return nil, err
		}
		if len(wrong) == 0 {
			found.Rows, found.Of = counts.strict, counts.all
			return found, nil
		}
		rows = append(rows, wrong...)
	}
	return nil, ErrUndecided
}

// labelled are rows with their classes.
type labelled []labelledRow

type labelledRow struct {
	x         []float64
	y, margin float64
}

func (l labelled) matrix(p int) blas64.General {
	m := blas64.General{Rows: len(l), Cols: p, Stride: max(p, 1), Data: make([]float64, 0, len(l)*p)}
	for _, r := range l {
		m.Data = append(m.Data, r.x...)
	}
	return m
}

func (l labelled) labels() []float64 {
	y := make([]float64, len(l))
	for i, r := range l {
		y[i] = r.y
	}
	return y
}

// marginCounts are numbers of rows of positive weight.
type marginCounts struct{ strict, all int }

// worst returns the rows with the smallest margins s_i value_i below a limit, by one pass.
func (q *Passes) worst(most int, value func(b Block, i int, x []float64) float64, below float64) (labelled, marginCounts, error) {
	var rows labelled
	var n marginCounts
	limit := below
	shrink := func() {
		if len(rows) <= most {
			return
		}
		slices.SortStableFunc(rows, func(a, b labelledRow) int { return cmp.Compare(a.margin, b.margin) })
		rows = slices.Clip(rows[:most])
		limit = math.Min(limit, rows[most-1].margin)
	}
	err := q.Each(func(b Block) error {
		for i := range b.X.Rows {
			if b.Weights != nil && b.Weights[i] == 0 {
				continue
			}
			x := b.X.Data[i*b.X.Stride : i*b.X.Stride+b.X.Cols]
			margin := value(b, i, x)
			switch y := b.Y[i]; {
			case y > 0 && y < 1: // which no direction may move
				margin = -math.Abs(margin)
			case y == 0:
				margin = -margin
			}
			n.all++
			if margin > separationZero {
				n.strict++
			}
			if margin < limit {
				rows = append(rows, labelledRow{slices.Clone(x), b.Y[i], margin})
				if len(rows) >= 2*most {
					shrink()
				}
			}
		}
		return nil
	})
	shrink()
	return rows, n, err
}
