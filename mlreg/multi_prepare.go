package mlreg

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/hierarchy"
)

// multiData are the sums of groups in working units: column j of [1 x] is
// (x_j - Shift_j)/Scale_j, the response (y - ShiftY)/ScaleY.
type multiData struct {
	h       header
	columns []string // names of the coefficients, the intercept first
	levels  []groupLevel
	tree    *hierarchy.Tree
	blocks  []hierarchy.Block
	shapes  []Varying

	n, w, logW     float64
	rows           []int // of each innermost group
	shift, scale   []float64
	shiftY, scaleY float64
	total          []float64 // cross-products of all rows
}

// newMultiData checks the arguments and sums the groups. With still, columns stay at
// their zero, so that variances are those of the raw columns.
func newMultiData(data Data, groups *Grouping, s *MultiTaskSettings, still bool) (*multiData, error) {
	if err := given("the grouping", groups); err != nil {
		return nil, err
	}
	m := &multiData{levels: groups.levels}
	var d *Design
	if groups.sums == nil {
		var ok bool
		if d, ok = data.(*Design); !ok {
			return nil, fmt.Errorf("%w: a %T has no rows to divide into groups; give a *Design, or a grouping with moments", ErrNeedsRows, data)
		}
		if err := d.checkFit(); err != nil {
			return nil, err
		}
		if d.NObs() != groups.rows() {
			return nil, fmt.Errorf("%w: the design has %d rows, and the grouping %q has %d", ErrShape, d.NObs(), groups.last().Name, groups.rows())
		}
		if err := d.checkFinite(); err != nil {
			return nil, err
		}
		m.h = d.header()
		d = d.lessOffset()
	} else {
		m.h = groups.sums[0].s.header.clone()
		m.h.Omitted = 0
		for _, sum := range groups.sums {
			m.h.Omitted += sum.s.Omitted
		}
		if err := checkCoefficients(m.h.Names, m.h.NoIntercept); err != nil {
			return nil, err
		}
	}
	m.columns = m.h.Names
	if !m.h.NoIntercept {
		m.columns = append([]string{InterceptName}, m.h.Names...)
	}
	if err := m.structure(s); err != nil {
		return nil, err
	}
	total, err := m.totals(d, groups)
	if err != nil {
		return nil, err
	}
	m.units(total, s, still)
	m.sum(d, groups)
	return m, m.checkGroups(s)
}

// structure finds columns and blocks of what varies.
func (m *multiData) structure(s *MultiTaskSettings) error {
	names := cellsOf(m.levels, func(l groupLevel) string { return l.Name })
	m.shapes = slices.Clone(s.Varying)
	if s.Varying == nil {
		for _, name := range names {
			m.shapes = append(m.shapes, Varying{Level: name})
		}
	}
	m.tree = &hierarchy.Tree{Columns: len(m.columns)}
	zero, err := m.find(s.ZeroMean, "ZeroMean")
	if err != nil {
		return err
	}
	varies := make([]bool, len(m.columns))
	for _, l := range m.levels {
		m.tree.Levels = append(m.tree.Levels, hierarchy.Level{N: len(l.Labels), Parent: l.Parent})
	}
	for i := range m.shapes {
		v := &m.shapes[i]
		l, err := findLevel(names, v.Level)
		if err != nil {
			return fmt.Errorf("in Varying[%d]: %w", i, err)
		}
		v.Level = names[l]
		cols := numbersTo(len(m.columns))
		if v.Terms != nil {
			if cols, err = m.find(v.Terms, fmt.Sprintf("Varying[%d].Terms", i)); err != nil {
				return err
			}
		}
		if len(cols) == 0 {
			return fmt.Errorf("%w: Varying[%d] names no coefficient of level %q", ErrSetting, i, v.Level)
		}
		level := &m.tree.Levels[l]
		var at []int
		for _, c := range cols {
			if slices.Contains(level.Vary, c) {
				return fmt.Errorf("%w: Varying[%d]: the coefficient of %q varies at level %q already", ErrSetting, i, m.columns[c], v.Level)
			}
			at = append(at, len(level.Vary))
			level.Vary = append(level.Vary, c)
			varies[c] = true
		}
		v.Terms = cellsOf(cols, func(c int) string { return m.columns[c] })
		switch v.Shape {
		case FullCovariance:
			m.blocks = append(m.blocks, hierarchy.Block{Level: l, At: at})
		case DiagonalCovariance:
			for _, a := range at {
				m.blocks = append(m.blocks, hierarchy.Block{Level: l, At: []int{a}})
			}
		case EqualVariances:
			m.blocks = append(m.blocks, hierarchy.Block{Level: l, At: at, Equal: true})
		default:
			return fmt.Errorf("%w: Varying[%d].Shape = %d; it is FullCovariance, DiagonalCovariance or EqualVariances", ErrSetting, i, v.Shape)
		}
	}
	for l := range m.tree.Levels {
		if len(m.tree.Levels[l].Vary) == 0 {
			return fmt.Errorf("%w: no coefficient varies at level %q; leave the level out, or say in Varying what does", ErrSetting, names[l])
		}
	}
	for c, name := range m.columns {
		switch {
		case !slices.Contains(zero, c):
			m.tree.Fixed = append(m.tree.Fixed, c)
		case !varies[c]:
			return fmt.Errorf("%w: ZeroMean: the coefficient of %q varies at no level, so it would always be zero; leave the term out", ErrSetting, name)
		}
	}
	return nil
}

// find returns the numbers of coefficients by their names.
func (m *multiData) find(names []string, what string) ([]int, error) {
	out := make([]int, 0, len(names))
	for _, name := range names {
		c := slices.Index(m.columns, name)
		if c < 0 {
			return nil, fmt.Errorf("%w: %s: there is no coefficient %q, but %s", ErrSetting, what, name, quoteAll(m.columns))
		}
		if slices.Contains(out, c) {
			return nil, fmt.Errorf("%w: %s names %q twice", ErrSetting, what, name)
		}
		out = append(out, c)
	}
	return out, nil
}

// totals returns the moments of all rows.
func (m *multiData) totals(d *Design, groups *Grouping) (*Moments, error) {
	if d != nil {
		return d.Moments()
	}
	total := groups.sums[0]
	for i, sum := range groups.sums[1:] {
		var err error
		if total, err = total.Merge(sum); err != nil {
			return nil, fmt.Errorf("moments %d: %w", i+1, err)
		}
	}
	if total.s.N == 0 {
		return nil, fmt.Errorf("%w: the moments of all groups have no rows", ErrNoData)
	}
	return total, nil
}

// units chooses origins and scales of the columns.
func (m *multiData) units(total *Moments, s *MultiTaskSettings, still bool) {
	c := len(m.columns)
	m.n, m.w, m.logW = float64(total.s.N), total.s.W, total.s.LogW
	m.shift, m.scale, m.scaleY = make([]float64, c), make([]float64, c), 1
	first := c - len(m.h.Names)
	shiftable := first == 1 && slices.Contains(m.tree.Fixed, 0)
	p := len(m.h.Names)
	for j := range p {
		col := j + first
		if shiftable && !still && s.Hyperprior == nil && m.followsIntercept(col) {
			m.shift[col] = total.s.MeanX[j]
		}
		m.scale[col] = math.Sqrt(total.s.SXX[j*p+j]/m.w + square(total.s.MeanX[j]-m.shift[col]))
	}
	if first == 1 {
		m.scale[0] = 1
	}
	for b := range m.blocks {
		if block := &m.blocks[b]; block.Equal { // one scale for all
			for _, at := range block.At {
				m.scale[m.tree.Levels[block.Level].Vary[at]] = 1
			}
		}
	}
	if s.plain {
		for j := range m.scale {
			m.shift[j], m.scale[j] = 0, 1
		}
		return
	}
	if shiftable {
		m.shiftY = total.s.MeanY
	}
	m.scaleY = powerOfTwo(math.Sqrt(total.s.SYY/m.w + square(total.s.MeanY-m.shiftY)))
	for j := range m.scale {
		m.scale[j] = powerOfTwo(m.scale[j])
	}
}

// followsIntercept tells whether another origin of a column leaves the model as it is:
// wherever its coefficient varies, the intercept varies with it freely.
func (m *multiData) followsIntercept(col int) bool {
	for l, level := range m.tree.Levels {
		at, one := slices.Index(level.Vary, col), slices.Index(level.Vary, 0)
		if at < 0 {
			continue
		}
		if one < 0 || !slices.ContainsFunc(m.blocks, func(b hierarchy.Block) bool {
			return b.Level == l && !b.Equal && slices.Contains(b.At, at) && slices.Contains(b.At, one)
		}) {
			return false
		}
	}
	return true
}

// powerOfTwo returns the one just above v/2; 1 for zero.
func powerOfTwo(v float64) float64 {
	if !(v > 0) || math.IsInf(v, 0) {
		return 1
	}
	_, e := math.Frexp(v)
	return math.Ldexp(1, e-1)
}

// sum adds up the cross-products of the groups.
func (m *multiData) sum(d *Design, groups *Grouping) {
	c := len(m.columns)
	q, first := c+1, c-len(m.h.Names)
	of, n := groups.last().Of, len(groups.last().Labels)
	sums := make([]float64, n*q*q)
	m.rows = make([]int, n)
	z := make([]float64, q)
	if first == 1 {
		z[0] = 1
	}
	if d != nil {
		for i, g := range of {
			w := d.weight(i)
			if w == 0 {
				continue
			}
			m.rows[g]++
			x := d.X.RawRowView(i)
			for j := first; j < c; j++ {
				z[j] = (x[j-first] - m.shift[j]) / m.scale[j]
			}
			z[c] = (d.Y[i] - m.shiftY) / m.scaleY
			a := sums[g*q*q : (g+1)*q*q]
			for i, u := range z {
				u *= w
				row := a[i*q : i*q+i+1]
				for j := range row {
					row[j] += u * z[j]
				}
			}
		}
	} else {
		p := len(m.h.Names)
		for i, g := range of {
			sum := &groups.sums[i].s
			m.rows[g] += sum.N
			for j := range p {
				z[j+first] = (sum.MeanX[j] - m.shift[j+first]) / m.scale[j+first]
			}
			z[c] = (sum.MeanY - m.shiftY) / m.scaleY
			a := sums[g*q*q : (g+1)*q*q]
			for i, u := range z {
				for j := range i + 1 {
					s := sum.W * u * z[j]
					switch {
					case i == c && j == c:
						s += sum.SYY / (m.scaleY * m.scaleY)
					case i == c && j >= first:
						s += sum.SXY[j-first] / (m.scaleY * m.scale[j])
					case j >= first:
						s += sum.SXX[(j-first)*p+i-first] / (m.scale[i] * m.scale[j])
					}
					a[i*q+j] += s
				}
			}
		}
	}
	m.total = make([]float64, q*q)
	for g := range n {
		a := sums[g*q*q : (g+1)*q*q]
		for i := range q {
			for j := range i {
				a[j*q+i] = a[i*q+j]
			}
		}
		for k, v := range a {
			m.total[k] += v
		}
	}
	m.tree.Sums = sums
}

// checkGroups refuses what the groups cannot determine.
func (m *multiData) checkGroups(s *MultiTaskSettings) error {
	estimated := s.variances() == nil
	for l, level := range m.levels {
		rows := m.rowsOf(l)
		filled, most := 0, 0
		for _, n := range rows {
			if n > 0 {
				filled++
			}
			most = max(most, n)
		}
		vary := m.tree.Levels[l].Vary
		if !estimated {
			continue
		}
		if filled < 2 {
			return fmt.Errorf("%w: grouping %q has one group, which shows no variance between groups; fit it by FitOLS, or give the variances", ErrNotEstimable, level.Name)
		}
		if s.Sigma2 == 0 && most <= len(vary) {
			what := fmt.Sprintf("no group of %q has more rows (%d at most) than coefficients that vary (%d)", level.Name, most, len(vary))
			if most == 1 {
				what = fmt.Sprintf("every row is a group of its own in %q (%d groups); is it an identifier of rows?", level.Name, filled)
			}
			return fmt.Errorf("%w: %s, so that the variance between groups cannot be told from that of the residuals; choose another grouping, fewer varying coefficients, or set Sigma2", ErrNotEstimable, what)
		}
	}
	return nil
}

// rowsOf returns the number of rows of every group of a level.
func (m *multiData) rowsOf(level int) []int {
	rows := m.rows
	for l := len(m.levels) - 1; l > level; l-- {
		up := make([]int, len(m.levels[l-1].Labels))
		for g, n := range rows {
			up[m.levels[l].Parent[g]] += n
		}
		rows = up
	}
	return slices.Clone(rows)
}

// model is what the room below solves.
func (m *multiData) model(s *MultiTaskSettings) *hierarchy.Model {
	out := &hierarchy.Model{
		Tree: m.tree, Blocks: m.blocks, N: m.n, ML: s.ML, Sigma2: s.Sigma2 / square(m.scaleY), Avoid: s.AvoidZero,
		LogWeights: m.logW,
	}
	for _, c := range m.tree.Fixed {
		out.LogScale += math.Log(m.scale[c])
	}
	if h := s.Hyperprior; h != nil {
		out.Prior = &hierarchy.Prior{}
		for _, c := range m.tree.Fixed {
			mean := 0.0
			if h.Mean != nil {
				mean = h.Mean[c]
			}
			if c == 0 && !m.h.NoIntercept {
				mean -= m.shiftY
			}
			unit := m.scale[c] / m.scaleY
			out.Prior.Mean = append(out.Prior.Mean, mean*unit)
			out.Prior.Var = append(out.Prior.Var, h.Var*unit*unit)
		}
	}
	return out
}

// freedom is the multiple of log sigma^2 in the criterion.
func (m *multiData) freedom(s *MultiTaskSettings) float64 {
	if s.ML || s.Hyperprior != nil {
		return m.n
	}
	return m.n - float64(len(m.tree.Fixed))
}

// rawMatrix returns T with b = T c (+ the shift of y) for coefficients c in working
// units.
func (m *multiData) rawMatrix() []float64 {
	c := len(m.columns)
	t := make([]float64, c*c)
	for j := range c {
		t[j*c+j] = m.scaleY / m.scale[j]
		if m.shift[j] != 0 {
			t[j] = -m.shift[j] * m.scaleY / m.scale[j]
		}
	}
	return t
}

// raw brings coefficients to the units of the data.
func (m *multiData) raw(t, coef []float64) []float64 {
	c := len(m.columns)
	out := make([]float64, c)
	for i := range c {
		for j := range c {
			if v := t[i*c+j]; v != 0 {
				out[i] += v * coef[j]
			}
		}
	}
	if !m.h.NoIntercept {
		out[0] += m.shiftY
	}
	return out
}

// rawCov returns T cov T' for some columns.
func (m *multiData) rawCov(t, cov []float64, columns []int) []float64 {
	c, k := len(m.columns), len(columns)
	out := make([]float64, k*k)
	half := make([]float64, k*k)
	for i, a := range columns {
		for j := range columns {
			for l, b := range columns {
				half[i*k+j] += t[a*c+b] * cov[l*k+j]
			}
		}
	}
	for i := range columns {
		for j, a := range columns {
			for l, b := range columns {
				out[i*k+j] += half[i*k+l] * t[a*c+b]
			}
		}
	}
	return out
}

// working returns the parameters of known covariances of all blocks.
func (m *multiData) working(s *MultiTaskSettings) ([][]float64, error) {
	delta := make([][]float64, len(m.tree.Levels))
	for l, level := range m.tree.Levels {
		delta[l] = make([]float64, len(level.Vary)*len(level.Vary))
	}
	c := len(m.columns)
	for i := range m.shapes {
		v := &m.shapes[i]
		l, err := findLevel(cellsOf(m.levels, func(l groupLevel) string { return l.Name }), v.Level)
		if err != nil {
			return nil, err
		}
		cols, err := m.find(v.Terms, "Terms")
		if err != nil {
			return nil, err
		}
		k := len(cols)
		cov := v.Cov
		if v.SD != nil {
			if cov, err = v.diagonal(); err != nil {
				return nil, fmt.Errorf("in Varying[%d]: %w", i, err)
			}
		}
		if cov.SymmetricDim() != k {
			return nil, fmt.Errorf("%w: Varying[%d].Cov has order %d, and %d coefficients vary: %s", ErrShape, i, cov.SymmetricDim(), k, quoteAll(v.Terms))
		}
		if err := checkCovariance(cov, v.Terms); err != nil {
			return nil, fmt.Errorf("Varying[%d].Cov: %w", i, err)
		}
		// c = T^-1 b: scaled, and the intercept at the shifted origin.
		inv := make([]float64, c*c)
		for j := range c {
			inv[j*c+j] = m.scale[j] / m.scaleY
			if m.shift[j] != 0 {
				inv[j] = m.shift[j] / m.scaleY
			}
		}
		raw := make([]float64, k*k)
		for a := range k {
			for b := range k {
				raw[a*k+b] = cov.At(a, b) / s.Sigma2 * square(m.scaleY)
			}
		}
		work := m.rawCov(inv, raw, cols)
		vary := m.tree.Levels[l].Vary
		n := len(vary)
		for a, ca := range cols {
			for b, cb := range cols {
				delta[l][slices.Index(vary, ca)*n+slices.Index(vary, cb)] = work[a*k+b]
			}
		}
	}
	return delta, nil
}

// checkCovariance refuses what is no covariance matrix; a variance may be zero.
func checkCovariance(cov *mat.SymDense, terms []string) error {
	k := cov.SymmetricDim()
	for i := range k {
		for j := range i + 1 {
			v := cov.At(i, j)
			if v-v != 0 {
				return fmt.Errorf("%w: element (%d, %d) is %v", ErrNotFinite, i, j, v)
			}
			if i == j && v < 0 {
				return fmt.Errorf("%w: the variance of %q is %v", ErrSetting, terms[i], v)
			}
		}
	}
	var e mat.EigenSym
	if !e.Factorize(cov, false) || e.Values(nil)[0] < -1e-12*e.Values(nil)[k-1] {
		return fmt.Errorf("%w: it has a direction of negative variance", ErrNotPositiveDefinite)
	}
	return nil
}
