package source

import (
	"maps"
	"math"
	"slices"

	"github.com/regbook/regbook/internal/compressed"
)

// twofold is a number of twice the digits.
type twofold struct{ hi, lo float64 }

func (t *twofold) add(x float64) {
	s := t.hi + x
	b := s - t.hi
	t.lo += (t.hi - (s - b)) + (x - b)
	t.hi = s
}

func (t twofold) value() float64 { return t.hi + t.lo }

func (t *twofold) plus(u twofold) {
	t.add(u.hi)
	t.lo += u.lo
}

// added returns a + b, and what rounding took from it.
func added(a, b float64) (sum, low float64) {
	t := twofold{hi: a}
	t.add(b)
	return t.hi, t.lo
}

// unit is half the distance from 1 to the next float64.
const unit = 1.0 / (1 << 53)

// cellSums are those of a cell.
type cellSums struct {
	n       int     // rows of positive weight
	w, logW twofold // weights
	d       []twofold
	p       []twofold // upper triangle by rows
	noise   []float64 // sums of squares of the errors of values, in units of 2^-53
}

func newCellSums(m int) *cellSums {
	return &cellSums{d: make([]twofold, m), p: make([]twofold, m*(m+1)/2), noise: make([]float64, m)}
}

// plus adds the sums of another cell.
func (f *cellSums) plus(o *cellSums) {
	f.n += o.n
	f.w.plus(o.w)
	for j := range f.d {
		f.d[j].plus(o.d[j])
		f.noise[j] += o.noise[j]
	}
	for i := range f.p {
		f.p[i].plus(o.p[i])
	}
}

// at is where the product of columns j and k >= j stands.
func (f *cellSums) at(j, k int) int {
	m := len(f.d)
	return j*m - j*(j-1)/2 + k - j
}

// centered is the sum of products of deviations of columns j and k from their means.
func (f *cellSums) centered(j, k int) float64 {
	t := f.p[f.at(j, k)]
	dj, q := f.d[j].value(), f.d[k].value()/f.w.value()
	prod := dj * q
	rest := math.FMA(dj, q, -prod)
	return (t.hi - prod) + (t.lo - rest)
}

// setConstant has all values of a column be at a distance from its shift.
func (f *cellSums) setConstant(j int, off float64) {
	f.d[j] = twofold{hi: off * f.w.value()}
	for k := range f.d {
		f.p[f.at(min(j, k), max(j, k))] = twofold{}
	}
}

// check looks at the sums of all rows, which columns are constant, and what the errors of the response take from its
// sums. far says that the shift of a column takes too many of its digits, where that can be mended.
func (f *cellSums) check(w *sqlPlan, passes []columnPass, bound float64, mend bool) (constant []bool, response float64, far bool, err error) {
	constant = make([]bool, len(passes))
	for j, pass := range passes {
		gross, net := f.p[f.at(j, j)].value(), f.centered(j, j)
		err := bound
		if pass.exact {
			err = unit
		}
		mends := mend && gross > 0 && f.movable(j, &pass)
		if gross == 0 || net <= 4*err*gross { // constant in these rows
			constant[j] = true
			far = far || mends
			continue
		}
		if ratio := gross / net; ratio > 4 && mends {
			far = true
		} else if 2*err*ratio >= 0.1 {
			return nil, 0, false, refuse("the sums of %s have lost all their digits", w.names[j])
		}
		noise := unit * math.Sqrt(f.noise[j]/net)
		if !(noise < 0.05) && !far {
			return nil, 0, false, refuse("the values of %s have lost all their digits", w.names[j])
		}
		if j == len(passes)-1 {
			response = noise * (2 + noise)
		}
	}
	return constant, response, far, nil
}

// sums centers the sums. A product is wrong by bound of its size about the shifts, and so is a sum of deviations, which the
// correction takes as far as the mean is from the shift; a column of whole numbers is not.
func (f *cellSums) sums(passes []columnPass, bound float64) *compressed.Sums {
	m := len(passes)
	s := &compressed.Sums{N: f.n, W: f.w.value(), LogW: f.logW.value(), S: make([]float64, m*m), Gross: make([]float64, m), Lost: make([]float64, m-1), RelErr: 4 * unit}
	for j, pass := range passes {
		mean, low := added(pass.shift, f.d[j].value()/s.W)
		s.Mean, s.Low = append(s.Mean, mean), append(s.Low, low)
		if s.Gross[j] = f.p[f.at(j, j)].value(); s.Gross[j] > 0 {
			err := bound
			if pass.exact {
				err = unit
			}
			far := math.Abs(f.d[j].value()) / math.Sqrt(s.W*s.Gross[j])
			s.RelErr = math.Max(s.RelErr, 4*unit+err*(1+2*math.Min(1, far)))
		}
		if j < m-1 {
			s.Lost[j] = unit * math.Sqrt(f.noise[j])
		}
		for k := j; k < m; k++ {
			s.S[j*m+k] = f.centered(j, k)
		}
	}
	return s
}

// groupSums are sums of groups of rows: about shifts, to twice the digits.
type groupSums struct {
	by    grouping
	folds []map[int]*cellSums // by the number of the cell
	most  int                 // rows of the largest block
	rows  int                 // of all blocks
	asked int                 // statements
}

// bound is that of the errors of sums. A deviation, its product with another and with a weight are each rounded once,
// and a sum of k terms k - 1 times.
func (g *groupSums) bound(w *sqlPlan) float64 {
	if w.e.compensated { // a second term is of order k^2 unit^2
		k := float64(g.most) * unit
		return 8*unit + k*k
	}
	return float64(g.most+4) * unit
}

// exactness finds the columns of whole numbers whose sums are exact: that of the squares of their deviations, which
// only grows, stays below 2^53, and so do those of deviations and of products.
func (g *groupSums) exactness(w *sqlPlan, passes []columnPass) {
	for j := range passes {
		gross := 0.0
		for _, cells := range g.folds {
			for _, c := range cells {
				gross += c.p[c.at(j, j)].value()
			}
		}
		passes[j].exact = passes[j].whole && w.weight == "" && gross < 1<<53
	}
}

// total adds up the cells of folds.
func (g *groupSums) total(m int, folds ...map[int]*cellSums) *cellSums {
	total := newCellSums(m)
	for _, cells := range folds {
		for _, c := range cells {
			total.plus(c)
		}
	}
	return total
}

// numberedCell has the sums of the cell of a number, as compressed.SumsOf makes them.
type numberedCell struct {
	number int
	sums   any
}

// finish makes the sums of cells. again says that the shifts were too far from the means; they
// are corrected then.
func (g *groupSums) finish(w *sqlPlan, passes []columnPass) (out [][]numberedCell, again bool, err error) {
	g.exactness(w, passes)
	bound := g.bound(w)
	all := g.total(len(passes), g.folds...)
	if _, _, far, err := all.check(w, passes, bound, true); err != nil && len(g.folds) == 1 {
		return nil, false, err
	} else if far {
		all.correct(passes)
		return nil, true, nil
	}
	for _, cells := range g.folds {
		total := g.total(len(passes), cells)
		if total.n == 0 {
			out = append(out, nil)
			continue
		}
		constant, noise, _, err := total.check(w, passes, bound, false)
		if err != nil {
			return nil, false, err
		}
		var sums []numberedCell
		for _, cell := range slices.SortedFunc(maps.Keys(cells), w.compareCells) {
			c := cells[cell]
			if c.n == 0 {
				continue
			}
			for j := range passes {
				if constant[j] {
					c.setConstant(j, total.d[j].value()/total.w.value())
				}
			}
			of := c.sums(passes, bound)
			of.RelErr += noise
			sums = append(sums, numberedCell{cell, compressed.SumsOf(of)})
		}
		out = append(out, sums)
	}
	return out, false, nil
}

// correct moves the shifts to the means, those of whole numbers to the next whole one.
func (f *cellSums) correct(passes []columnPass) {
	for j := range passes {
		pass := &passes[j]
		if f.n == 0 || !f.movable(j, pass) {
			continue
		}
		if pass.shift += f.d[j].value() / f.w.value(); pass.whole {
			pass.shift = math.Round(pass.shift)
		}
	}
}

// movable tells whether a shift can be nearer to the mean.
func (f *cellSums) movable(j int, pass *columnPass) bool {
	return !pass.exact || math.Abs(f.d[j].value()) > f.w.value()
}
