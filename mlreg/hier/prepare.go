package hier

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/door"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/hierarchy"
	"github.com/regbook/regbook/mlreg/internal/nesting"
	"github.com/regbook/regbook/mlreg/internal/problem"
)

// groupData are the groups in working units: column j of the tree is (x - Shift)/Scale of a
// coefficient, the response (y - ShiftY)/ScaleY less what base explains.
type groupData struct {
	linear  *mlreg.Linear // of no coefficients yet
	columns []string      // names of the coefficients, the intercept first
	first   int           // 1 with an intercept, 0 without one
	levels  []nesting.Level
	vary    [][]int // of every level, the coefficients that vary
	work    []workColumn
	tree    *hierarchy.Tree
	blocks  []hierarchy.Block
	shapes  []mlreg.Varying

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

// newGroupData checks the arguments and sums the groups. With still, columns stay at
// their zero, so that variances are those of the raw columns.
func newGroupData(data mlreg.Data, groups *mlreg.Grouping, s *Settings, still bool) (*groupData, error) {
	if err := args.Given("the grouping", groups); err != nil {
		return nil, err
	}
	m := &groupData{levels: door.GroupsOf(groups)}
	d, err := m.rowsIn(data, groups)
	if err != nil {
		return nil, err
	}
	if err := m.name(d, s); err != nil {
		return nil, err
	}
	if err := m.structure(s); err != nil {
		return nil, err
	}
	total, err := d.Moments()
	if err != nil {
		return nil, err
	}
	m.units(total, s, still)
	m.sum(d)
	if err := m.checkGroups(s); err != nil || s.plain {
		return m, err
	}
	return m, m.refine(d, s)
}

// rowsIn are the rows of the groups, less their offset.
func (m *groupData) rowsIn(data mlreg.Data, groups *mlreg.Grouping) (*mlreg.Design, error) {
	d, ok := data.(*mlreg.Design)
	if !ok {
		return nil, fmt.Errorf("%w: a %T has no rows to divide into groups; give a *Design", mlreg.ErrNeedsRows, data)
	}
	if err := d.CheckFit(); err != nil {
		return nil, err
	}
	if d.NObs() != groups.NObs() {
		return nil, fmt.Errorf("%w: the design has %d rows, and the grouping %q has %d", mlreg.ErrShape, d.NObs(), m.last().Name, groups.NObs())
	}
	return d.LessOffset(), nil
}

// last are the innermost groups.
func (m *groupData) last() *nesting.Level { return &m.levels[len(m.levels)-1] }

// name names the coefficients.
func (m *groupData) name(d *mlreg.Design, s *Settings) error {
	terms, noIntercept := d.Names, d.NoIntercept
	k := len(terms)
	if !noIntercept {
		k++
	}
	if k == 0 {
		return fmt.Errorf("%w, and no intercept: the model predicts 0, and there is nothing to fit", mlreg.ErrNoTerms)
	}
	all, err := mlreg.NewLinear(d, make([]float64, k), nil)
	if err != nil {
		return err
	}
	// An intercept that varies about zero is one of the coefficients.
	if noIntercept && slices.ContainsFunc(s.Varying, func(v mlreg.Varying) bool { return slices.Contains(v.Terms, mlreg.InterceptName) }) {
		noIntercept = false
		if !slices.Contains(s.ZeroMean, mlreg.InterceptName) {
			s.ZeroMean = append(slices.Clone(s.ZeroMean), mlreg.InterceptName)
		}
	}
	m.columns = terms
	if !noIntercept {
		m.first, m.columns = 1, append([]string{mlreg.InterceptName}, terms...)
	}
	m.linear, err = all.Part(m.columns...)
	return err
}

// structure finds columns and blocks of what varies.
func (m *groupData) structure(s *Settings) error {
	names := format.Each(m.levels, func(l nesting.Level) string { return l.Name })
	m.shapes = slices.Clone(s.Varying)
	if s.Varying == nil {
		for _, name := range names {
			m.shapes = append(m.shapes, mlreg.Varying{Level: name})
		}
	}
	if h := s.Hyperprior; h != nil && h.Mean != nil && len(h.Mean) != len(m.columns) {
		return fmt.Errorf("%w: Hyperprior.Mean has %d values for %d coefficients", mlreg.ErrShape, len(h.Mean), len(m.columns))
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
		if err := m.addVarying(i, names, varies); err != nil {
			return err
		}
	}
	for l, vary := range m.vary {
		if len(vary) == 0 {
			return fmt.Errorf("%w: no coefficient varies at level %q; leave the level out, or say in Varying what does", mlreg.ErrSetting, names[l])
		}
	}
	for c, name := range m.columns {
		switch {
		case !slices.Contains(zero, c):
			m.tree.Fixed = append(m.tree.Fixed, c)
		case !varies[c]:
			return fmt.Errorf("%w: ZeroMean: the coefficient of %q varies at no level, so it would always be zero; leave the term out", mlreg.ErrSetting, name)
		}
	}
	return nil
}

// addVarying puts the i-th of what varies into the blocks of its level, and marks its
// coefficients.
func (m *groupData) addVarying(i int, names []string, varies []bool) error {
	v := &m.shapes[i]
	l, err := nesting.Find(names, v.Level)
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
		return fmt.Errorf("%w: Varying[%d] names no coefficient of level %q", mlreg.ErrSetting, i, v.Level)
	}
	var at []int
	for _, c := range cols {
		if slices.Contains(m.vary[l], c) {
			return fmt.Errorf("%w: Varying[%d]: the coefficient of %q varies at level %q already", mlreg.ErrSetting, i, m.columns[c], v.Level)
		}
		at = append(at, len(m.vary[l]))
		m.vary[l] = append(m.vary[l], c)
		varies[c] = true
	}
	v.Terms = format.Each(cols, func(c int) string { return m.columns[c] })
	switch v.Shape {
	case mlreg.FullCovariance:
		m.blocks = append(m.blocks, hierarchy.Block{Level: l, At: at})
	case mlreg.DiagonalCovariance:
		for _, a := range at {
			m.blocks = append(m.blocks, hierarchy.Block{Level: l, At: []int{a}})
		}
	case mlreg.EqualVariances:
		m.blocks = append(m.blocks, hierarchy.Block{Level: l, At: at, Equal: true})
	default:
		return fmt.Errorf("%w: Varying[%d].Shape = %d; it is FullCovariance, DiagonalCovariance or EqualVariances", mlreg.ErrSetting, i, v.Shape)
	}
	return nil
}

// find returns the numbers of coefficients by their names.
func (m *groupData) find(names []string, what string) ([]int, error) {
	out := make([]int, 0, len(names))
	for _, name := range names {
		c := slices.Index(m.columns, name)
		if c < 0 {
			return nil, fmt.Errorf("%w: %s: there is no coefficient %q, but %s", mlreg.ErrSetting, what, name, format.Quoted(m.columns))
		}
		if slices.Contains(out, c) {
			return nil, fmt.Errorf("%w: %s names %q twice", mlreg.ErrSetting, what, name)
		}
		out = append(out, c)
	}
	return out, nil
}

// units chooses origins and scales of the columns. With still, effects of groups are
// about the zero of their columns. A problem.Prepared would have one origin for a coefficient,
// which here may have several columns of the tree, about its own and about those of blocks.
func (m *groupData) units(total *mlreg.Moments, s *Settings, still bool) {
	c, first := len(m.columns), m.first
	p := c - first
	sums := door.SumsOf(total)
	m.n, m.w, m.logW = float64(sums.N), sums.W, sums.LogW
	m.sxx, m.scaleY = sums.SXX, 1
	square0 := func(coef int, shift float64) float64 { // mean square
		if coef < first {
			return 1
		}
		j := coef - first
		return m.sxx[j*p+j]/m.w + gram.Square(sums.MeanX[j]-shift)
	}
	free := first == 1 && slices.Contains(m.tree.Fixed, 0)
	m.work = make([]workColumn, c)
	for coef := range m.work {
		w := workColumn{coef: coef, scale: 1}
		if coef >= first && free && s.Hyperprior == nil && !s.plain && slices.Contains(m.tree.Fixed, coef) {
			w.shift = sums.MeanX[coef-first]
		}
		if coef >= first && !s.plain {
			w.scale = scaleOf(square0(coef, w.shift))
		}
		m.work[coef] = w
	}
	for b := range m.blocks {
		m.unitsOfBlock(&m.blocks[b], square0, s.plain, still)
	}
	m.tree.Columns = len(m.work)
	if s.plain {
		return
	}
	if free {
		m.shiftY = sums.MeanY
	}
	m.scaleY = scaleOf(sums.SYY/m.w + gram.Square(sums.MeanY-m.shiftY))
	const eps = 256 * 0x1p-53
	m.noise = gram.Square(eps) * (sums.SYY + m.w*gram.Square(sums.MeanY)) / gram.Square(m.scaleY)
}

// unitsOfBlock chooses origins and scales of the columns of a block, which may differ from those
// of the coefficients common to all groups; square has the mean square of a column about a shift.
func (m *groupData) unitsOfBlock(block *hierarchy.Block, square func(coef int, shift float64) float64, plain, still bool) {
	l, first := block.Level, m.first
	if m.tree.Levels[l].Vary == nil {
		m.tree.Levels[l].Vary = slices.Clone(m.vary[l])
	}
	vary := m.tree.Levels[l].Vary
	one := 0.0
	for _, at := range block.At {
		one = math.Max(one, square(m.vary[l][at], 0))
	}
	centered := !still && !block.Equal && slices.ContainsFunc(block.At, func(at int) bool { return first == 1 && m.vary[l][at] == 0 })
	for _, at := range block.At {
		coef := m.vary[l][at]
		w := workColumn{coef: coef, scale: m.work[coef].scale}
		switch {
		case block.Equal && len(block.At) > 1 && !plain: // one scale for all
			w.scale = scaleOf(one)
		case centered:
			continue
		case m.work[coef].shift != 0:
			w.scale = scaleOf(square(coef, 0))
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

// scaleOf is a power of two of about the size of a column with that mean square.
func scaleOf(square float64) float64 { return problem.UnitOf(math.Sqrt(square) / 2).Float() }

// sum adds the rows to the groups.
func (m *groupData) sum(d *mlreg.Design) {
	c, first := len(m.work), m.first
	m.rows = make([]int, len(m.last().Labels))
	z := make([]float64, c+1)
	m.tree.Start()
	for i, g := range m.last().Of {
		weight := d.Weight(i)
		if weight <= 0 {
			continue
		}
		m.rows[g]++
		x, y := d.X.RawRowView(i), (d.Y[i]-m.shiftY)/m.scaleY
		for j, w := range m.work {
			z[j] = 1
			if w.coef >= first {
				z[j] = x[w.coef-first] - w.shift
			}
			z[j] /= w.scale
		}
		for k, b := range m.base {
			y -= b * z[m.tree.Fixed[k]]
		}
		z[c] = y
		if root := math.Sqrt(weight); root != 1 {
			for j := range z {
				z[j] *= root
			}
		}
		m.tree.Add(g, z)
	}
	m.tree.Finish()
	q := c + 1
	m.total = make([]float64, q*q)
	for g := range m.rows {
		m.tree.Products(g, m.total)
	}
}

// refine takes what the fixed coefficients explain from the response, if that is nearly all,
// so that the residuals keep their digits, and refuses a response of which nothing but
// rounding is left.
func (m *groupData) refine(d *mlreg.Design, s *Settings) error {
	model := m.model(s)
	beta, rss, err := model.Residual()
	if err != nil {
		return nil // the fit says which column it is
	}
	if yy := m.total[len(m.total)-1]; rss < 1e-4*yy {
		m.base = beta
		m.sum(d)
		if m.total[len(m.total)-1] > yy { // the rows do not tell these coefficients
			m.base = nil
			m.sum(d)
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
func (m *groupData) checkGroups(s *Settings) error {
	if s.variances() != nil {
		return nil
	}
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
		if filled < 2 {
			return fmt.Errorf("%w: grouping %q has one group, which shows no variance between groups; fit it by FitOLS, or give the variances", mlreg.ErrNotEstimable, level.Name)
		}
		if s.Sigma2 == 0 && most <= len(vary) {
			what := fmt.Sprintf("no group of %q has more rows (%d at most) than coefficients that vary (%d)", level.Name, most, len(vary))
			if most == 1 {
				what = fmt.Sprintf("every row is a group of its own in %q (%d groups); is it an identifier of rows?", level.Name, filled)
			}
			return fmt.Errorf("%w: %s, so that the variance between groups cannot be told from that of the residuals; choose another grouping, fewer varying coefficients, or set Sigma2", mlreg.ErrNotEstimable, what)
		}
	}
	return nil
}

// rowsOf returns the number of rows of every group of a level.
func (m *groupData) rowsOf(level int) []int {
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
func (m *groupData) model(s *Settings) *hierarchy.Model {
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
			if c == 0 && m.first == 1 {
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
func (m *groupData) freedom(s *Settings) float64 {
	if s.ML || s.Hyperprior != nil {
		return m.n
	}
	return m.n - float64(len(m.tree.Fixed))
}

// rawMatrix returns T, coefficients x columns of the tree, with b = T c (+ the shift of
// y) for coefficients c in working units.
func (m *groupData) rawMatrix() []float64 {
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
func (m *groupData) unit(level, at int) float64 {
	return m.scaleY / m.work[m.tree.Levels[level].Vary[at]].scale
}

// raw brings coefficients to the units of the data, in place of out.
func (m *groupData) raw(t, coef, out []float64) {
	n := len(m.work)
	for i := range out {
		out[i] = 0
		for j, v := range t[i*n : (i+1)*n] {
			if v != 0 {
				out[i] += v * coef[j]
			}
		}
	}
	if m.first == 1 {
		out[0] += m.shiftY
	}
}

// rawCov returns T cov T' for some coefficients, rows of T, and columns of the tree.
func (m *groupData) rawCov(t, cov []float64, coefs, columns []int) []float64 {
	k := len(coefs)
	out := make([]float64, k*k)
	m.rawCovTo(out, make([]float64, k*len(columns)), t, cov, coefs, columns)
	return out
}

func (m *groupData) rawCovTo(out, half, t, cov []float64, coefs, columns []int) {
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
func (m *groupData) working(s *Settings) ([][]float64, error) {
	delta := make([][]float64, len(m.tree.Levels))
	for l, level := range m.tree.Levels {
		delta[l] = make([]float64, len(level.Vary)*len(level.Vary))
	}
	for i := range m.shapes {
		v := &m.shapes[i]
		l, err := nesting.Find(format.Each(m.levels, func(l nesting.Level) string { return l.Name }), v.Level)
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
			if cov, err = diagonal(v); err != nil {
				return nil, fmt.Errorf("in Varying[%d]: %w", i, err)
			}
		}
		if cov.SymmetricDim() != k {
			return nil, fmt.Errorf("%w: Varying[%d].Cov has order %d, and %d coefficients vary: %s", mlreg.ErrShape, i, cov.SymmetricDim(), k, format.Quoted(v.Terms))
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
				return fmt.Errorf("%w: element (%d, %d) is %v", mlreg.ErrNotFinite, i, j, v)
			}
			if i == j && v < 0 {
				return fmt.Errorf("%w: the variance of %q is %v", mlreg.ErrSetting, terms[i], v)
			}
		}
	}
	var e mat.EigenSym
	if !e.Factorize(cov, false) || e.Values(nil)[0] < -1e-12*e.Values(nil)[k-1] {
		return fmt.Errorf("%w: it has a direction of negative variance", mlreg.ErrNotPositiveDefinite)
	}
	return nil
}
