package source

import (
	"cmp"
	"context"
	"database/sql/driver"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/frames/internal/table"
	"github.com/regbook/regbook/mlreg"
)

// binding is an expression that others use by name: a number, the index of a level, the
// input of a basis.
type binding struct{ name, sql string }

// factorCheck finds levels that the plan does not know: code is NULL there.
type factorCheck struct {
	text   string // of the variable
	code   string
	value  string // the expression whose values are the levels
	levels []string
	coded  []codedLevel
	sorted bool // coded is in the order in which the database compares values
}

// sqlPlan is a plan written as SQL, in two steps: bindings of columns of the relation,
// then columns of the design of bindings.
type sqlPlan struct {
	e        *sqlEngine
	prefix   string
	bindings []binding
	names    []string
	columns  []string // of numbers, then the response
	off      []string // of columns: see sql_rounding.go
	cells    *table.Cells
	keys     []cellKey // of the factors of the cells, after that of an absorbed one
	absorbs  bool      // whether the first of the keys is absorbed
	met      levelsMet // of keys whose levels the sums find
	weight   string
	factors  []factorCheck
	used     []*sqlColumn
	complete string   // true in complete rows; "" if all are
	doubts   []string // see compiler
	alone    []*sqlColumn
	where    string
	steps    [][]binding // computed of bindings and of the steps before
	extra    *extraSums  // of rows, besides those of deviations
	ranged   []rangedInput
	beyond   []mlreg.Extrapolation // found by the first pass
	rows     int                   // of table.Plan
}

// rangedInput is the input of a basis that has a range.
type rangedInput struct {
	mlreg.Extrapolation
	x string
}

// mostPoly bounds the degree of orthogonal polynomials in SQL, whose text grows like the
// Fibonacci numbers.
const mostPoly = 8

// write writes a plan as SQL. The error is a *notPushed for what SQL does not compute.
func (e *sqlEngine) write(ctx context.Context, q query, p *table.Plan) (*sqlPlan, error) {
	switch {
	case !p.Exact:
		return nil, refuse("which rows are complete depends on a condition in the formula")
	case p.Response == nil:
		return nil, refuse("the formula has no response")
	case p.Counts:
		return nil, refuse("the response is cbind(yes, no)")
	case len(p.Offsets) > 0:
		return nil, refuse("the formula has an offset")
	}
	where, err := e.whereAll(ctx, q.where)
	if err != nil {
		return nil, err
	}
	w := &sqlPlan{e: e, where: where, prefix: e.prefix(), cells: p.Cells(), rows: p.Rows}
	if n := w.cells.Most(); n > mostCells {
		return nil, refuse("its factors have %.0f combinations of levels, and sums are of at most %d", n, mostCells)
	}
	c, err := w.numbers(p)
	if err != nil {
		return nil, err
	}
	if err := w.response(c, p.Response); err != nil {
		return nil, err
	}
	w.names, w.doubts, w.alone = append(w.names, p.Response.Text), c.doubts, c.alone
	return w, w.short()
}

// mostCells bounds the groups of the sums of a plan.
const mostCells = 1 << 17

// numbers writes the keys and the numbers of cells.
func (w *sqlPlan) numbers(p *table.Plan) (*compiler, error) {
	c, err := w.compiler(p)
	if err != nil {
		return nil, err
	}
	if p.Absorb != "" {
		w.absorbs = true
		column := &table.Node{Kind: table.ColumnNode, Text: p.Absorb, Src: p.Absorb}
		if err := w.key(c, &table.Variable{Text: p.Absorb, Expr: column}); err != nil {
			return nil, err
		}
		w.keys[0].open = true
	}
	for _, k := range w.cells.Factors {
		if err := w.key(c, &p.Variables[k]); err != nil {
			return nil, err
		}
	}
	return c, w.writeNumbers(c, p)
}

// writeNumbers writes the numbers of cells.
func (w *sqlPlan) writeNumbers(c *compiler, p *table.Plan) (err error) {
	parts := make(map[int]func(table.Part) (value, error))
	for _, of := range w.cells.Numbers {
		var factors []value
		var texts, names []string
		for _, part := range of {
			if parts[part.Variable] == nil {
				if parts[part.Variable], err = w.variable(c, &p.Variables[part.Variable]); err != nil {
					return err
				}
			}
			x, err := parts[part.Variable](part)
			if err != nil {
				return err
			}
			factors, texts, names = append(factors, x), append(texts, x.sql), append(names, p.Variables[part.Variable].Text)
		}
		w.names, w.columns, w.off = append(w.names, strings.Join(names, ":")), append(w.columns, strings.Join(texts, " * ")), append(w.off, offProduct(factors...))
	}
	return nil
}

// cellKey is the expression whose values are the levels of a factor.
type cellKey struct {
	text   string // of the variable
	sql    string
	kind   valueKind
	levels []string
	texts  map[string]int
	values map[[2]float64]int

	open bool           // the sums find its levels
	most int            // how many these may be, or statements of their own tell; 0 for any number
	met  []driver.Value // as which the levels of an open key were first met
}

// key adds the key of a factor: its values, which are looked up here, since a comparison with every level would be
// made in every row.
func (w *sqlPlan) key(c *compiler, v *table.Variable) error {
	x, err := c.compile(v.Expr)
	if err != nil {
		return err
	}
	if x.whole == "" && x.kind == numberValue {
		if x, err = c.asNumber(v.Expr, x); err != nil {
			return err
		}
	}
	k := cellKey{text: v.Text, kind: x.kind, levels: v.Levels, texts: make(map[string]int), values: make(map[[2]float64]int)}
	for i, level := range v.Levels {
		if k.texts[level] = i; x.kind != numberValue {
			continue
		}
		num, low, ok := table.SplitText(level)
		if !ok || x.whole == "" {
			if num, err = strconv.ParseFloat(level, 64); err != nil {
				return errorf(frames.ErrLevel, "level %q is no number", level)
			}
			low = 0
		}
		k.values[[2]float64{num, low}] = i
	}
	if x.kind == dateValue {
		return refuse("a factor of dates, %s, is not written as SQL", v.Text)
	}
	k.sql = w.bind(levelValue(x))
	w.keys = append(w.keys, k)
	return nil
}

// newLevel returns the number of a level of an open key, that of one which was not met before.
func (k *cellKey) newLevel(v driver.Value) (int, error) {
	text, ok := levelText(k.kind, v)
	i, known := k.texts[text]
	switch {
	case k.most > 0 && (!ok || !known && len(k.levels) == k.most):
		return 0, errUndecided
	case !ok:
		return 0, errorf(ErrSource, "a level of %s is %v", k.text, v)
	case !known:
		text = strings.Clone(text)
		if of, ok := v.([]byte); ok { // the driver's until the next row
			v = slices.Clone(of)
		}
		i, k.texts[text], k.levels, k.met = len(k.levels), len(k.levels), append(k.levels, text), append(k.met, v)
	}
	return i, nil
}

// level returns the number of the level that a database returned.
func (k *cellKey) level(v driver.Value) (int, error) {
	if k.open {
		return k.newLevel(v)
	}
	text, known := levelText(k.kind, v)
	i, ok := k.texts[text]
	if ok = ok && known && k.kind != numberValue; k.kind == numberValue {
		num, low, is := pairOf(v)
		if i, ok = k.values[[2]float64{num, low}]; !is {
			ok = false
		}
	}
	if !ok {
		return 0, errorf(frames.ErrLevel, "level %q of %s was not seen in training; the levels are %q", text, k.text, k.levels)
	}
	return i, nil
}

// short refuses a plan whose text is too long.
func (w *sqlPlan) short() error {
	size := 0
	for _, b := range w.bindings {
		size += len(b.sql)
	}
	for j, text := range w.columns {
		size += len(text) + len(w.off[j])
	}
	if size > 4*maxSQL {
		return refuse("the formula is too long for SQL")
	}
	return nil
}

// compiler returns that of the expressions of a plan, whose columns it finds.
func (w *sqlPlan) compiler(p *table.Plan) (*compiler, error) {
	if err := w.uses(p); err != nil {
		return nil, err
	}
	c := &compiler{d: w.e.d, columns: w.e.columns}
	if p.Since != "" {
		c.since, _ = daysOf(p.Since)
	}
	return c, nil
}

// uses finds the columns that must not be missing.
func (w *sqlPlan) uses(p *table.Plan) error {
	var missing []string
	names := p.Used
	if p.Weights != "" && !slices.Contains(names, p.Weights) {
		names = append(slices.Clone(names), p.Weights)
	}
	for _, name := range names {
		k := slices.IndexFunc(w.e.columns, func(c sqlColumn) bool { return c.Name == name })
		if k < 0 {
			return errorf(frames.ErrNoColumn, "%v has no column %q", w.e, name)
		}
		w.used = append(w.used, &w.e.columns[k])
		missing = append(missing, "NOT "+w.e.d.missing(&w.e.columns[k]))
	}
	w.complete = strings.Join(missing, " AND ")
	if p.Weights != "" {
		k := slices.IndexFunc(w.e.columns, func(c sqlColumn) bool { return c.Name == p.Weights })
		col := &w.e.columns[k]
		if col.Kind != FloatKind && col.Kind != WholeKind {
			return refuse("the weights are no numbers")
		}
		w.weight = w.bind(w.e.d.Double(col.Ref))
	}
	return nil
}

// bind names an expression.
func (w *sqlPlan) bind(sql string) string {
	for _, b := range w.bindings {
		if b.sql == sql {
			return b.name
		}
	}
	name := fmt.Sprintf("%s%d", w.prefix, len(w.bindings))
	w.bindings = append(w.bindings, binding{name, sql})
	return name
}

// variable returns what writes the parts of a variable of numbers.
func (w *sqlPlan) variable(c *compiler, v *table.Variable) (func(table.Part) (value, error), error) {
	switch {
	case v.Words:
		return nil, refuse("%s is not written as SQL", v.Text)
	case v.Basis != nil:
		return w.basis(c, v)
	}
	x, err := c.rounded(v.Expr)
	if err != nil {
		return nil, err
	}
	x = w.bound(x)
	return func(table.Part) (value, error) { return x, nil }, nil
}

// bound binds a number and its off.
func (w *sqlPlan) bound(x value) value {
	out := value{sql: w.bind(x.sql)}
	if x.off != "" {
		out.off = w.bind(x.off)
	}
	return out
}

// levelsOf finds how the levels of a factor are compared.
func (w *sqlPlan) levelsOf(c *compiler, v *table.Variable) (f factorCheck, err error) {
	x, err := c.compile(v.Expr)
	if err != nil {
		return f, err
	}
	of := x.sql
	switch {
	case x.kind == dateValue:
		return f, refuse("a factor of dates, %s, is not written as SQL", v.Text)
	case x.whole != "":
		of = x.whole
	case x.kind == numberValue:
		if x, err = c.asNumber(v.Expr, x); err != nil {
			return f, err
		}
	}
	f = factorCheck{text: v.Text, value: of, levels: v.Levels, coded: make([]codedLevel, len(v.Levels))}
	for k, level := range v.Levels {
		if f.coded[k], err = c.codedLevel(level, k, of, x); err != nil {
			return f, err
		}
	}
	f.sorted = !w.e.d.OneLevel && inOrder(v, x, f.coded) // what stands in WITH is computed for all rows, whether it is needed or not
	return f, nil
}

// code writes the index of a level.
func (w *sqlPlan) code(c *compiler, v *table.Variable) (string, error) {
	f, err := w.levelsOf(c, v)
	if err != nil {
		return "", err
	}
	text := f.write(strconv.Itoa)
	if len(text) > maxSQL {
		return "", refuse("factor %s has too many levels for SQL", v.Text)
	}
	f.code = w.bind(text)
	w.factors = append(w.factors, f)
	return f.code, nil
}

// codedLevel is a level as it is compared.
type codedLevel struct {
	level    string
	code     int
	num, low float64 // of numbers
	sql, is  string  // the value, and what is true in its rows
}

// codedLevel writes a level of the values of x, which are read as of.
func (c *compiler) codedLevel(level string, code int, of string, x value) (l codedLevel, err error) {
	l = codedLevel{level: level, code: code}
	if x.kind == truthValue {
		if l.is = x.sql; level != "TRUE" {
			l.is = "NOT (" + x.sql + ")"
		}
		return l, nil
	}
	if l.sql, err = c.levelSQL(level, x); err != nil {
		return l, err
	}
	if x.kind == numberValue {
		var whole bool
		if l.num, l.low, whole = table.SplitText(level); !whole {
			l.num, err = strconv.ParseFloat(level, 64)
		}
	}
	l.is = of + " = " + l.sql
	return l, err
}

// inOrder sorts levels as the database compares their values, and tells whether it knows how: bytes are the same in
// all encodings for texts of ASCII only, and texts that are no column compare as the database likes.
func inOrder(v *table.Variable, x value, all []codedLevel) bool {
	switch x.kind {
	case numberValue:
		slices.SortFunc(all, func(a, b codedLevel) int { return cmp.Or(cmp.Compare(a.num, b.num), cmp.Compare(a.low, b.low)) })
		return true
	case textValue:
		ascii := func(l codedLevel) bool {
			return !strings.ContainsFunc(l.level, func(r rune) bool { return r >= utf8.RuneSelf })
		}
		if v.Expr.Kind != table.ColumnNode || slices.ContainsFunc(all, func(l codedLevel) bool { return !ascii(l) }) {
			return false
		}
		slices.SortFunc(all, func(a, b codedLevel) int { return strings.Compare(a.level, b.level) })
		return true
	}
	return false
}

// write writes what of returns for the code of the level of a row, NULL of a value that is no level: by halves, if levels are in
// their order, so that a row makes about as many comparisons as the number of levels has binary digits. It mentions the value
// and no name, since a database that puts expressions in the place of names would write the code out for every level.
func (f *factorCheck) write(of func(code int) string) string {
	const few = 4
	var write func(levels []codedLevel) string
	write = func(levels []codedLevel) string {
		if half := len(levels) / 2; f.sorted && len(levels) > few {
			return "CASE WHEN " + f.value + " < " + levels[half].sql + " THEN " + write(levels[:half]) + " ELSE " + write(levels[half:]) + " END"
		}
		var text strings.Builder
		text.WriteString("CASE")
		for _, l := range levels {
			text.WriteString(" WHEN " + l.is + " THEN " + of(l.code))
		}
		return text.String() + " END"
	}
	return write(f.coded)
}

// valueOf writes one of the values that the levels of some of all factors decide, those of the last one running first.
func (w *sqlPlan) valueOf(all []factorCheck, factors []int, values []float64) string {
	if len(factors) == 0 || !slices.ContainsFunc(values, func(v float64) bool { return v != values[0] }) {
		return w.e.d.number(values[0])
	}
	f := &all[factors[0]]
	each := len(values) / len(f.levels)
	return f.write(func(code int) string { return w.valueOf(all, factors[1:], values[code*each:(code+1)*each]) })
}

func (w *sqlPlan) response(c *compiler, v *table.Variable) error {
	if v.Levels != nil {
		code, err := w.code(c, v)
		if err != nil {
			return err
		}
		w.columns, w.off = append(w.columns, w.e.d.Double(code)), append(w.off, "")
		return nil
	}
	x, err := c.rounded(v.Expr)
	if err != nil {
		return err
	}
	x = w.bound(x)
	w.columns, w.off = append(w.columns, x.sql), append(w.off, x.off)
	return nil
}

// basis writes the functions of a basis.
func (w *sqlPlan) basis(c *compiler, v *table.Variable) (func(table.Part) (value, error), error) {
	if len(v.Inputs) != 1 {
		return nil, refuse("%s is not written as SQL", v.Text)
	}
	in, err := c.rounded(v.Inputs[0])
	if err != nil {
		return nil, err
	}
	in = w.bound(in)
	x, d := in.sql, w.e.d
	if r, ok := table.RangeOf(v.Text, v.Basis); ok {
		w.ranged = append(w.ranged, rangedInput{r, x})
	}
	each := func(f func(k int) string, off func(k int) string) func(table.Part) (value, error) {
		return func(p table.Part) (value, error) { return value{sql: f(p.Index), off: off(p.Index)}, nil }
	}
	spline := func(b mlreg.Basis, knots, boundary []float64, degree int, natural bool) func(table.Part) (value, error) {
		center, half := boundary[0]/2+boundary[1]/2, boundary[1]/2-boundary[0]/2
		return each(piecesOf(b, knots, boundary, degree, natural).write(d, x), func(k int) string { return d.offBasis(b, k, degree, center, half, in) })
	}
	switch b := v.Basis.(type) {
	case *mlreg.Poly:
		if b.Degree() > mostPoly {
			return nil, refuse("%s is of a degree that is not written as SQL", v.Text)
		}
		spread := math.Sqrt(b.Beta[0])
		return each(func(k int) string { return polySQL(d, b, x)[k] }, func(k int) string { return d.offBasis(b, k, k+1, b.Alpha[0], spread, in) }), nil
	case *mlreg.Powers:
		power := func(k int) string { return "(" + strings.TrimSuffix(strings.Repeat(x+" * ", k+1), " * ") + ")" }
		return each(power, func(k int) string {
			if k == 0 {
				return in.off
			}
			return sumOf("("+d.number(float64(k))+" * "+absolute(power(k))+")", times(d.number(float64(k+1))+" * "+absolute(power(k-1)), in.off))
		}), nil
	case *mlreg.Fourier:
		turn := "((" + x + " - " + d.number(b.Period) + " * floor(" + x + " / " + d.number(b.Period) + ")) / " + d.number(b.Period) + ")"
		return each(func(k int) string {
			return []string{"sin", "cos"}[k%2] + "(" + d.number(2*math.Pi*float64(k/2+1)) + " * " + turn + ")"
		}, func(k int) string { // x and the multiple of the period are rounded at the size of x
			rate := d.number(2 * math.Pi * float64(k/2+1) / math.Abs(b.Period))
			return sumOf(d.number(elementary+16*math.Pi*float64(k/2+1)), times("3 * "+rate, absolute(x)), times(rate, in.off))
		}), nil
	case *mlreg.BSpline:
		return spline(b, b.Knots, b.Boundary, b.Degree, false), nil
	case *mlreg.NaturalSpline:
		return spline(b, b.Knots, b.Boundary, 3, true), nil
	}
	if center, scale, ok := affine(v.Basis); ok {
		return each(func(int) string {
			return "((" + x + " - " + d.number(center) + ") / " + d.number(scale) + ")"
		}, func(int) string {
			inner := sumOf(in.off, d.offConstant(center), "(2 * "+absolute(x+" - "+d.number(center))+")")
			return "(" + inner + " / " + d.number(math.Abs(scale)) + ")"
		}), nil
	}
	return nil, refuse("%s is not written as SQL", v.Text)
}

// affine returns the constants of (x - center)/scale.
func affine(b mlreg.Basis) (center, scale float64, ok bool) {
	v := reflect.ValueOf(b)
	if v.Kind() != reflect.Pointer || v.IsNil() || v.Elem().Kind() != reflect.Struct || v.Elem().NumField() != 2 {
		return 0, 0, false
	}
	c, s := v.Elem().FieldByName("Center"), v.Elem().FieldByName("Scale")
	if !c.IsValid() || !s.IsValid() || c.Kind() != reflect.Float64 || s.Kind() != reflect.Float64 {
		return 0, 0, false
	}
	center, scale = c.Float(), s.Float()
	for _, x := range []float64{center, center + scale, center - 3*scale} {
		if got := b.Eval(nil, x); len(got) != 1 || got[0] != (x-center)/scale {
			return 0, 0, false
		}
	}
	return center, scale, true
}

// polySQL writes the recurrence of orthogonal polynomials.
func polySQL(d *Dialect, p *mlreg.Poly, x string) []string {
	before, last, root := d.number(0), d.number(1/math.Sqrt(float64(p.N))), 0.0
	var out []string
	for k := range p.Alpha {
		next := "(" + x + " - " + d.number(p.Alpha[k]) + ") * " + last
		if k > 0 {
			next += " - " + d.number(root) + " * " + before
		}
		root = math.Sqrt(p.Beta[k])
		before, last = last, "(("+next+") / "+d.number(root)+")"
		out = append(out, last)
	}
	return out
}

// pieces are functions that are polynomials between knots: of piece i, function k is
// sum_j coef[i][k][j] u^j, u = (x - mid[i])/half[i].
type pieces struct {
	to        []float64 // the ends of all pieces but the last
	mid, half []float64
	coef      [][][]float64
}

// piecesOf finds the polynomials of a spline by its values at as many points as they
// have coefficients. Beyond the boundary a natural spline is linear, and the
// outermost polynomials of a B-spline continue.
func piecesOf(b mlreg.Basis, knots, boundary []float64, degree int, natural bool) *pieces {
	p := &pieces{}
	ends := slices.Concat(boundary[:1], knots, boundary[1:])
	add := func(low, high float64, degree int) {
		mid, half := low/2+high/2, high/2-low/2
		nodes := make([]float64, degree+1)
		values := make([][]float64, degree+1)
		for i := range nodes {
			nodes[i] = math.Cos(math.Pi * (float64(i) + 0.5) / float64(degree+1))
			x := mid + half*nodes[i]
			nodes[i] = (x - mid) / half // of the x that was rounded
			values[i] = b.Eval(nil, x)
		}
		m := len(values[0])
		coef := make([][]float64, m)
		for k := range coef {
			y := make([]float64, len(nodes))
			for i := range y {
				y[i] = values[i][k]
			}
			coef[k] = interpolate(nodes, y)
		}
		p.mid, p.half, p.coef = append(p.mid, mid), append(p.half, half), append(p.coef, coef)
	}
	width := boundary[1] - boundary[0]
	if natural {
		add(boundary[0]-width, boundary[0], 1)
		p.to = append(p.to, boundary[0])
	}
	for i := range ends[1:] {
		add(ends[i], ends[i+1], degree)
		p.to = append(p.to, ends[i+1])
	}
	if natural {
		add(boundary[1], boundary[1]+width, 1)
	} else {
		p.to = p.to[:len(p.to)-1]
	}
	return p
}

// interpolate returns the coefficients of the polynomial through points, by divided
// differences.
func interpolate(x, y []float64) []float64 {
	n := len(x)
	d := slices.Clone(y)
	for k := 1; k < n; k++ {
		for i := n - 1; i >= k; i-- {
			d[i] = (d[i] - d[i-1]) / (x[i] - x[i-k])
		}
	}
	coef := make([]float64, n)
	for k := n - 1; k >= 0; k-- { // coef = coef (u - x_k) + d_k
		for i := n - 1; i > 0; i-- {
			coef[i] = coef[i-1] - x[k]*coef[i]
		}
		coef[0] = d[k] - x[k]*coef[0]
	}
	return coef
}

// write returns what writes function k.
func (p *pieces) write(d *Dialect, x string) func(k int) string {
	return func(k int) string {
		poly := func(i int) string {
			u := "((" + x + " - " + d.number(p.mid[i]) + ") / " + d.number(p.half[i]) + ")"
			c := p.coef[i][k]
			text := d.number(c[len(c)-1])
			for j := len(c) - 2; j >= 0; j-- {
				text = "(" + text + " * " + u + " + " + d.number(c[j]) + ")"
			}
			return text
		}
		if len(p.to) == 0 {
			return poly(0)
		}
		text := "CASE"
		for i, to := range p.to {
			text += " WHEN " + x + " < " + d.number(to) + " THEN " + poly(i)
		}
		return "(" + text + " ELSE " + poly(len(p.to)) + " END)"
	}
}

// from writes a SELECT of values, computed of bindings of the rows that are complete.
func (w *sqlPlan) from(items []binding, targets []string, group string) string {
	where := whereClause(w.where, w.complete)
	after := ""
	if group != "" {
		after = " GROUP BY " + group
	}
	list := func(all []binding) string {
		parts := make([]string, len(all))
		for i, b := range all {
			parts[i] = b.sql + " AS " + b.name
		}
		return strings.Join(parts, ", ")
	}
	if w.e.d.OneLevel {
		return "WITH " + list(slices.Concat(w.bindings, slices.Concat(w.steps...), items)) +
			" SELECT " + strings.Join(targets, ", ") + " FROM " + w.e.relation + where + after
	}
	fence, once := w.e.d.Fence, ""
	if w.e.d.FenceItem != "" {
		once = ", " + w.e.d.FenceItem + " AS " + w.prefix + "fence"
	}
	rows, names := "SELECT "+list(w.bindings)+once+" FROM "+w.e.relation+where+fence, slices.Clone(w.bindings)
	for _, step := range w.steps {
		for k := range names {
			names[k].sql = names[k].name
		}
		names = append(names, step...)
		rows = "SELECT " + list(names) + once + " FROM (" + rows + ") AS regbook_rows" + fence
	}
	return "SELECT " + strings.Join(targets, ", ") + " FROM (SELECT " + list(items) + once + " FROM (" + rows + ") AS regbook_rows" + fence + ") AS regbook_columns" + after
}
