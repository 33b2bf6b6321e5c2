package mlreg

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/hierarchy"
	"github.com/regbook/regbook/mlreg/internal/problem"
)

// multiData are the groups in working units: column j of the tree is (x - Shift)/Scale of a
// coefficient, the response (y - ShiftY)/ScaleY less what base explains.
type multiData struct {
	h       header
	columns []string // names of the coefficients, the intercept first
	levels  []groupLevel
	vary    [][]int // of every level, the coefficients that vary
	work    []workColumn
	tree    *hierarchy.Tree
	blocks  []hierarchy.Block
	shapes  []Varying

	n, w, logW     float64
	rows           []int // of each innermost group
	shiftY, scaleY float64
	base           []float64 // of the fixed coefficients
	noise          float64   // bound of what rounding makes of a sum of squares that is zero
	sxx            []float64 // p x p, sums of products of the columns about their means, in their units
	total          []float64 // cross-products of all rows
}

// workColumn is a column of the tree. Those of the coefficients stand first, about their
// mean where an intercept makes up for it; those of coefficients that vary without one, and
// so about zero, follow.
type workColumn struct {
	coef         int
	shift, scale float64
}

// newMultiData checks the arguments and sums the groups. With still, columns stay at
// their zero, so that variances are those of the raw columns.
func newMultiData(data Data, groups *Grouping, s *MultiTaskSettings, still bool) (*multiData, error) {
	if err := args.Given("the grouping", groups); err != nil {
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
		d = d.LessOffset()
	} else {
		m.h = groups.sums[0].header()
		m.h.Omitted, m.h.Observed = 0, observed{}
		for _, sum := range groups.sums {
			m.h.Omitted += sum.s.Omitted
			m.h.Observed = m.h.Observed.and(sum.header().Observed)
		}
		if err := checkCoefficients(m.h.Names, m.h.NoIntercept); err != nil {
			return nil, err
		}
	}
	// An intercept that varies about zero is one of the coefficients.
	if m.h.NoIntercept && slices.ContainsFunc(s.Varying, func(v Varying) bool { return slices.Contains(v.Terms, InterceptName) }) {
		m.h.NoIntercept = false
		if !slices.Contains(s.ZeroMean, InterceptName) {
			s.ZeroMean = append(slices.Clone(s.ZeroMean), InterceptName)
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
	if err := m.checkGroups(s); err != nil || s.plain {
		return m, err
	}
	return m, m.refine(d, groups, s)
}

// structure finds columns and blocks of what varies.
func (m *multiData) structure(s *MultiTaskSettings) error {
	names := format.Each(m.levels, func(l groupLevel) string { return l.Name })
	m.shapes = slices.Clone(s.Varying)
	if s.Varying == nil {
		for _, name := range names {
			m.shapes = append(m.shapes, Varying{Level: name})
		}
	}
	if h := s.Hyperprior; h != nil && h.Mean != nil && len(h.Mean) != len(m.columns) {
		return fmt.Errorf("%w: Hyperprior.Mean has %d values for %d coefficients", ErrShape, len(h.Mean), len(m.columns))
	}
	m.tree, m.vary = &hierarchy.Tree{}, make([][]int, len(m.levels))
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
		cols := gram.NumbersTo(len(m.columns))
		if v.Terms != nil {
			if cols, err = m.find(v.Terms, fmt.Sprintf("Varying[%d].Terms", i)); err != nil {
				return err
			}
		}
		if len(cols) == 0 {
			return fmt.Errorf("%w: Varying[%d] names no coefficient of level %q", ErrSetting, i, v.Level)
		}
		var at []int
		for _, c := range cols {
			if slices.Contains(m.vary[l], c) {
				return fmt.Errorf("%w: Varying[%d]: the coefficient of %q varies at level %q already", ErrSetting, i, m.columns[c], v.Level)
			}
			at = append(at, len(m.vary[l]))
			m.vary[l] = append(m.vary[l], c)
			varies[c] = true
		}
		v.Terms = format.Each(cols, func(c int) string { return m.columns[c] })
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
	for l, vary := range m.vary {
		if len(vary) == 0 {
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
			return nil, fmt.Errorf("%w: %s: there is no coefficient %q, but %s", ErrSetting, what, name, format.Quoted(m.columns))
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

// units chooses origins and scales of the columns. With still, effects of groups are
// about the zero of their columns.
func (m *multiData) units(total *Moments, s *MultiTaskSettings, still bool) {
	c, p := len(m.columns), len(m.h.Names)
	first := c - p
	m.n, m.w, m.logW = float64(total.s.N), total.s.W, total.s.LogW
	m.sxx, m.scaleY = total.s.SXX, 1
	square0 := func(coef int, shift float64) float64 { // mean square
		if coef < first {
			return 1
		}
		j := coef - first
		return m.sxx[j*p+j]/m.w + gram.Square(total.s.MeanX[j]-shift)
	}
	free := first == 1 && slices.Contains(m.tree.Fixed, 0)
	m.work = make([]workColumn, c)
	for coef := range m.work {
		w := workColumn{coef: coef, scale: 1}
		if coef >= first && free && s.Hyperprior == nil && !s.plain && slices.Contains(m.tree.Fixed, coef) {
			w.shift = total.s.MeanX[coef-first]
		}
		if coef >= first && !s.plain {
			w.scale = powerOfTwo(math.Sqrt(square0(coef, w.shift)))
		}
		m.work[coef] = w
	}
	for b := range m.blocks {
		block := &m.blocks[b]
		l := block.Level
		if m.tree.Levels[l].Vary == nil {
			m.tree.Levels[l].Vary = slices.Clone(m.vary[l])
		}
		vary := m.tree.Levels[l].Vary
		one := 0.0
		for _, at := range block.At {
			one = math.Max(one, square0(m.vary[l][at], 0))
		}
		centered := !still && !block.Equal && slices.ContainsFunc(block.At, func(at int) bool { return first == 1 && m.vary[l][at] == 0 })
		for _, at := range block.At {
			coef := m.vary[l][at]
			w := workColumn{coef: coef, scale: m.work[coef].scale}
			switch {
			case block.Equal && len(block.At) > 1 && !s.plain: // one scale for all
				w.scale = powerOfTwo(math.Sqrt(one))
			case centered:
				continue
			case m.work[coef].shift != 0:
				w.scale = powerOfTwo(math.Sqrt(square0(coef, 0)))
			}
			if w == m.work[coef] {
				continue
			}
			if k := slices.Index(m.work, w); k >= 0 {
				vary[at] = k
				continue
			}
			vary[at] = len(m.work)
			m.work = append(m.work, w)
		}
	}
	m.tree.Columns = len(m.work)
	if s.plain {
		return
	}
	if free {
		m.shiftY = total.s.MeanY
	}
	m.scaleY = powerOfTwo(math.Sqrt(total.s.SYY/m.w + gram.Square(total.s.MeanY-m.shiftY)))
	const eps = 256 * 0x1p-53
	m.noise = gram.Square(eps) * (total.s.SYY + m.w*gram.Square(total.s.MeanY)) / gram.Square(m.scaleY)
}

// powerOfTwo returns the one just above v/2; 1 for zero.
func powerOfTwo(v float64) float64 {
	if !(v > 0) || math.IsInf(v, 0) {
		return 1
	}
	_, e := math.Frexp(v)
	return math.Ldexp(1, e-1)
}

// sum adds the rows, or the rows that sums amount to, to the groups.
func (m *multiData) sum(d *Design, groups *Grouping) {
	c, first := len(m.work), len(m.columns)-len(m.h.Names)
	of := groups.last().Of
	m.rows = make([]int, len(groups.last().Labels))
	z := make([]float64, c+1)
	m.tree.Start()
	add := func(g int, root float64, x []float64, y float64) {
		y = (y - m.shiftY) / m.scaleY
		for j, w := range m.work {
			z[j] = 1
			if w.coef >= first {
				z[j] = x[w.coef-first] - w.shift
			}
			z[j] /= w.scale
		}
		for i, b := range m.base {
			y -= b * z[m.tree.Fixed[i]]
		}
		z[c] = y
		if root != 1 {
			for j := range z {
				z[j] *= root
			}
		}
		m.tree.Add(g, z)
	}
	if d != nil {
		for i, g := range of {
			if w := d.Weight(i); w > 0 {
				m.rows[g]++
				add(g, math.Sqrt(w), d.X.RawRowView(i), d.Y[i])
			}
		}
	} else {
		for i, g := range of {
			sum := &groups.sums[i].s
			if sum.N == 0 {
				continue
			}
			m.rows[g] += sum.N
			add(g, math.Sqrt(sum.W), sum.MeanX, sum.MeanY)
			m.addDeviations(g, &sum.Sums, z)
			m.noise += 256 * 0x1p-53 * sum.SYY / gram.Square(m.scaleY)
		}
	}
	m.tree.Finish()
	q := c + 1
	m.total = make([]float64, q*q)
	for g := range m.rows {
		m.tree.Products(g, m.total)
	}
}

// addDeviations adds rows that have the sums of products of deviations from the means: those
// of a triangular factor.
func (m *multiData) addDeviations(g int, sum *problem.Sums, z []float64) {
	p, c, first := len(m.h.Names), len(m.work), len(m.columns)-len(m.h.Names)
	k := p + 1
	a := make([]float64, k*k) // lower triangle
	for i := range p {
		for j := range i + 1 {
			a[i*k+j] = sum.SXX[j*p+i]
		}
		a[p*k+i] = sum.SXY[i]
	}
	a[p*k+p] = sum.SYY
	for j := range k {
		d := a[j*k+j]
		for l := range j {
			d -= a[j*k+l] * a[j*k+l]
		}
		if !(d > 1e-15*a[j*k+j]) { // rounding, or nothing
			for i := j; i < k; i++ {
				a[i*k+j] = 0
			}
			continue
		}
		d = math.Sqrt(d)
		a[j*k+j] = d
		for i := j + 1; i < k; i++ {
			s := a[i*k+j]
			for l := range j {
				s -= a[i*k+l] * a[j*k+l]
			}
			a[i*k+j] = s / d
		}
	}
	for j := range k {
		for i, w := range m.work {
			z[i] = 0
			if w.coef >= first {
				if at := w.coef - first; at >= j {
					z[i] = a[at*k+j] / w.scale
				}
			}
		}
		z[c] = a[p*k+j] / m.scaleY
		m.tree.Add(g, z)
	}
}

// refine takes what the fixed coefficients explain from the response, if that is nearly all,
// so that the residuals keep their digits, and refuses a response of which nothing but
// rounding is left.
func (m *multiData) refine(d *Design, groups *Grouping, s *MultiTaskSettings) error {
	model := m.model(s)
	beta, rss, err := model.Residual()
	if err != nil {
		return nil // the fit says which column it is
	}
	if yy := m.total[len(m.total)-1]; rss < 1e-4*yy && d != nil {
		m.base = beta
		m.sum(d, groups)
		if m.total[len(m.total)-1] > yy { // the rows do not tell these coefficients
			m.base = nil
			m.sum(d, groups)
		}
		if _, rss, err = m.model(s).Residual(); err != nil {
			return nil
		}
	}
	if s.Sigma2 == 0 && s.variances() == nil && rss <= m.noise {
		return m.explain(hierarchy.ErrPerfect)
	}
	return nil
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
		vary := m.vary[l]
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
		Tree: m.tree, Blocks: m.blocks, N: m.n, ML: s.ML, Sigma2: s.Sigma2 / gram.Square(m.scaleY), Avoid: s.AvoidZero,
		LogWeights: m.logW,
	}
	for _, c := range m.tree.Fixed {
		out.LogScale += math.Log(m.work[c].scale)
	}
	if h := s.Hyperprior; h != nil {
		out.Prior = &hierarchy.Prior{}
		for i, c := range m.tree.Fixed {
			mean := 0.0
			if h.Mean != nil {
				mean = h.Mean[c]
			}
			if c == 0 && !m.h.NoIntercept {
				mean -= m.shiftY
			}
			unit := m.work[c].scale / m.scaleY
			out.Prior.Mean = append(out.Prior.Mean, mean*unit-m.baseOf(i))
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

// rawMatrix returns T, coefficients x columns of the tree, with b = T c (+ the shift of
// y) for coefficients c in working units.
func (m *multiData) rawMatrix() []float64 {
	n := len(m.work)
	t := make([]float64, len(m.columns)*n)
	for j, w := range m.work {
		t[w.coef*n+j] = m.scaleY / w.scale
		if w.shift != 0 {
			t[j] = -w.shift * m.scaleY / w.scale
		}
	}
	return t
}

// unit is that of the standard deviation of a coefficient that varies.
func (m *multiData) unit(level, at int) float64 {
	return m.scaleY / m.work[m.tree.Levels[level].Vary[at]].scale
}

// raw brings coefficients to the units of the data, in place of out.
func (m *multiData) raw(t, coef, out []float64) {
	n := len(m.work)
	for i := range out {
		out[i] = 0
		for j, v := range t[i*n : (i+1)*n] {
			if v != 0 {
				out[i] += v * coef[j]
			}
		}
	}
	if !m.h.NoIntercept {
		out[0] += m.shiftY
	}
}

// rawCov returns T cov T' for some coefficients, rows of T, and columns of the tree.
func (m *multiData) rawCov(t, cov []float64, coefs, columns []int) []float64 {
	k := len(coefs)
	out := make([]float64, k*k)
	m.rawCovTo(out, make([]float64, k*len(columns)), t, cov, coefs, columns)
	return out
}

func (m *multiData) rawCovTo(out, half, t, cov []float64, coefs, columns []int) {
	n, k, q := len(m.work), len(coefs), len(columns)
	clear(half)
	clear(out)
	for i, a := range coefs {
		for l, b := range columns {
			if v := t[a*n+b]; v != 0 {
				for j := range q {
					half[i*q+j] += v * cov[l*q+j]
				}
			}
		}
	}
	for j, a := range coefs {
		for l, b := range columns {
			if v := t[a*n+b]; v != 0 {
				for i := range k {
					out[i*k+j] += half[i*q+l] * v
				}
			}
		}
	}
}

// working returns the parameters of known covariances of all blocks.
func (m *multiData) working(s *MultiTaskSettings) ([][]float64, error) {
	delta := make([][]float64, len(m.tree.Levels))
	for l, level := range m.tree.Levels {
		delta[l] = make([]float64, len(level.Vary)*len(level.Vary))
	}
	for i := range m.shapes {
		v := &m.shapes[i]
		l, err := findLevel(format.Each(m.levels, func(l groupLevel) string { return l.Name }), v.Level)
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
			return nil, fmt.Errorf("%w: Varying[%d].Cov has order %d, and %d coefficients vary: %s", ErrShape, i, cov.SymmetricDim(), k, format.Quoted(v.Terms))
		}
		if err := checkCovariance(cov, v.Terms); err != nil {
			return nil, fmt.Errorf("Varying[%d].Cov: %w", i, err)
		}
		// c = T^-1 b: scaled, and the intercept at the shifted origin.
		vary := m.tree.Levels[l].Vary
		inv := make([]float64, k*k)
		at := format.Each(cols, func(coef int) int { return slices.Index(m.vary[l], coef) })
		for j, a := range at {
			w := m.work[vary[a]]
			inv[j*k+j] = w.scale / m.scaleY
			if w.shift != 0 {
				inv[slices.Index(cols, 0)*k+j] = w.shift / m.scaleY
			}
		}
		n := len(vary)
		for i := range k {
			for j := range k {
				sum := 0.0
				for a := range k {
					for b := range k {
						sum += inv[i*k+a] * cov.At(a, b) * inv[j*k+b]
					}
				}
				delta[l][at[i]*n+at[j]] = sum / s.Sigma2 * gram.Square(m.scaleY)
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
