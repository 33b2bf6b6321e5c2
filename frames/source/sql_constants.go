package source

import (
	"context"
	"database/sql/driver"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/regbook/regbook/frames/internal/table"
	"github.com/regbook/regbook/mlreg"
)

// This file has the database compute what the constants of poly, scale and splines follow
// from: ranges, order statistics, and the recurrence of orthogonal polynomials.

// basisNeed is a basis whose constants are learned.
type basisNeed struct {
	table.Need
	table.Constants
	raw    string   // the input, NULL where it is not finite
	doubts []string // see compiler
	v      string   // its binding
	inside int      // values that quantiles are of
	mean   float64
	j      *jacobi
}

// mostPasses bounds the passes that refine polynomials.
const mostPasses = 16

// constants learns the bases that SQL can if it pushes, and returns what Design.String says of
// how. Where is that of the rows learned from; n are those of them that are complete, the rows
// in which complete is true, or all if it is "".
func (e *sqlEngine) constants(ctx context.Context, s *session, where, complete string, n int, since *float64, l table.Learner, pushes bool) (how string, err error) {
	var left []string
	told := func() string { return strings.Join(left, "; ") }
	var needs []*basisNeed
	c := &compiler{d: e.d, columns: e.columns}
	if since != nil {
		c.since = *since
	} else {
		c.noDays = true
	}
	plan := &sqlPlan{e: e, prefix: e.prefix(), where: where}
	for _, need := range l.Needs() {
		if need.Factor || need.Variable == -2 {
			continue
		}
		b := &basisNeed{Need: need}
		err := b.write(c, plan)
		if err == nil && pushes {
			err = e.certain(ctx, s, b.doubts, where)
		}
		switch {
		case refused(err):
			left = append(left, fmt.Sprintf("%s from rows (%v)", need.Text, err))
		case err != nil:
			return "", err
		case !pushes:
			left = append(left, fmt.Sprintf("%s from rows (read faster than %v computes it)", need.Text, e.d))
		default:
			needs = append(needs, b)
		}
	}
	if len(needs) == 0 {
		return told(), nil
	}
	err = s.undoing(ctx, func() error { return plan.constants(ctx, s, needs, complete, n) })
	if s.e.d.outOfRange(err) {
		err = refuse("the database cannot represent a value")
	}
	if err != nil && !refused(err) {
		return "", err
	}
	for _, b := range needs {
		if err != nil {
			left = append(left, fmt.Sprintf("%s from rows (%v)", b.Text, err))
		} else if err := l.SetBasis(b.Variable, b.Constants); err != nil {
			return "", err
		}
	}
	if err == nil {
		left = slices.Insert(left, 0, fmt.Sprintf("by %v", e.d))
	}
	return told(), nil
}

// undoing runs f, whose failure some databases would take for one of the whole transaction.
func (s *session) undoing(ctx context.Context, f func() error) error {
	if !s.e.d.Savepoints {
		return f()
	}
	if err := s.commands(ctx, "read", "SAVEPOINT regbook_learn"); err != nil {
		return err
	}
	err := f()
	if s.e.d.outOfRange(err) {
		if undo := s.commands(ctx, "read", "ROLLBACK TO SAVEPOINT regbook_learn"); undo != nil {
			return undo
		}
	}
	return err
}

// write writes the input of a basis.
func (b *basisNeed) write(c *compiler, w *sqlPlan) error {
	d := c.d
	switch {
	case b.Inputs == nil:
		return refuse("SQL has no %s", b.Fn)
	case b.Degree > mostPoly:
		return refuse("the degree is beyond %d", mostPoly)
	case slices.ContainsFunc(b.Boundary, func(v float64) bool { return b.Need.Knots > 0 && d.offConstant(v) != "" }):
		return refuse("%v does not read all digits of the boundary", d)
	}
	known := len(c.doubts)
	x, err := c.rounded(b.Inputs[0])
	if err != nil {
		return err
	}
	b.doubts = c.doubts[known:]
	b.raw = x.sql
	if col := c.columns.named(b.Inputs[0].Text); !d.Finite && (b.Inputs[0].Kind != table.ColumnNode || col == nil || col.Kind == FloatKind) {
		b.raw = "CASE WHEN " + x.sql + " > " + d.number(math.Inf(-1)) + " AND " + x.sql + " < " + d.number(math.Inf(1)) + " THEN " + x.sql + " END"
	}
	if len(b.raw) > maxSQL {
		return refuse("an expression is too long for SQL")
	}
	b.v = w.bind(b.raw)
	return nil
}

// constants makes the passes.
func (w *sqlPlan) constants(ctx context.Context, s *session, needs []*basisNeed, complete string, n int) error {
	if err := w.ranges(ctx, s, needs, complete, n); err != nil {
		return err
	}
	for _, b := range needs {
		if err := w.distinct(ctx, s, b); err != nil {
			return err
		}
	}
	if err := w.knots(ctx, s, needs); err != nil {
		return err
	}
	return w.polynomials(ctx, s, needs)
}

// ranges counts, and finds the ends and the middle of every input.
func (w *sqlPlan) ranges(ctx context.Context, s *session, needs []*basisNeed, complete string, n int) error {
	d := w.e.d
	const each = 6
	step := (d.MaxTargets - 1) / each
	for from := 0; from < len(needs); from += step {
		part := needs[from:min(len(needs), from+step)]
		plan := *w
		plan.bindings = slices.Clone(w.bindings)
		known := ""
		if complete != "" {
			known = plan.bind("CASE WHEN " + complete + " THEN 1 ELSE 0 END")
		}
		items := plan.carried()
		targets := []string{"count(*)"}
		for _, b := range part {
			x := plan.item(b.v)
			present, inside := "count("+x+")", "0"
			if known != "" {
				present = countIf(plan.item(known) + " = 1 AND " + x + " IS NOT NULL")
			}
			if b.Boundary != nil {
				inside = countIf(x + " >= " + d.number(b.Boundary[0]) + " AND " + x + " <= " + d.number(b.Boundary[1]))
			}
			targets = append(targets, "count("+x+")", "min("+x+")", "max("+x+")", "avg("+x+" / 2)", present, inside)
		}
		row, err := s.one(ctx, plan.from(items, targets, ""), len(targets))
		if err != nil {
			return err
		}
		at := 1
		number := func() float64 { at++; return numberOrNaN(row[at-1]) }
		for _, b := range part {
			b.N, b.Least, b.Largest, b.mean = int(number()), number()+0, number()+0, 2*number()
			present, inside := number(), number()
			switch {
			case present != float64(n):
				return refuse("it is not finite in %v complete rows", float64(n)-present)
			case !(b.Least <= b.Largest) || math.IsInf(b.Least, 0) || math.IsInf(b.Largest, 0):
				return refuse("it has no range")
			}
			b.mean = math.Max(b.Least, math.Min(b.Largest, b.mean))
			if b.inside = b.N; b.Boundary != nil {
				b.inside = int(inside)
			}
		}
	}
	return nil
}

// carried are items that hand all bindings on; a SELECT of one level needs none.
func (w *sqlPlan) carried() []binding {
	if w.e.d.OneLevel {
		return nil
	}
	var items []binding
	for _, b := range w.bindings {
		items = append(items, binding{w.item(b.name), b.name})
	}
	return items
}

// item is the name of a binding that carried hands on.
func (w *sqlPlan) item(name string) string {
	if w.e.d.OneLevel {
		return name
	}
	return name + "_"
}

// distinct finds distinct values until there are enough: among some rows, then among all.
func (w *sqlPlan) distinct(ctx context.Context, s *session, b *basisNeed) error {
	switch {
	case b.Least == b.Largest:
		b.Constants.Distinct = []float64{b.Least}
		return nil
	case b.Need.Distinct <= 1:
		b.Constants.Distinct = []float64{b.Least, b.Largest}
		return nil
	}
	const some = 10_000
	for _, limit := range []int{some, 0} {
		rows := w.e.relation + whereClause(w.where, w.complete)
		text := fmt.Sprintf("SELECT %s AS %s FROM %s", b.raw, b.v, rows)
		if limit > 0 {
			text += fmt.Sprintf(" LIMIT %d", limit)
		}
		var values []float64
		err := w.e.eachValue(ctx, s, b.Text, fmt.Sprintf("SELECT DISTINCT %[1]s FROM (%[2]s) AS regbook_rows WHERE %[1]s IS NOT NULL LIMIT %[3]d", b.v, text, b.Need.Distinct+2), func(x float64) {
			values = append(values, x+0)
		})
		if err != nil {
			return err
		}
		slices.Sort(values)
		b.Constants.Distinct = slices.Compact(values)
		if len(b.Constants.Distinct) > b.Need.Distinct || b.N <= limit {
			return nil
		}
	}
	return nil
}

// eachValue calls f with the numbers of a SELECT of one.
func (e *sqlEngine) eachValue(ctx context.Context, s *session, what, query string, f func(x float64)) error {
	c := &aboutColumn{sqlColumn: &sqlColumn{Field: table.Field{Name: what}}}
	return s.each(ctx, query, 1, func(row []driver.Value) error {
		x, err := e.valueOf(c, row[0])
		if err == nil {
			f(x)
		}
		return err
	})
}

// knots finds quantiles: by one query that sorts, or by bins.
func (w *sqlPlan) knots(ctx context.Context, s *session, needs []*basisNeed) error {
	e, d := w.e, w.e.d
	var sorted []*basisNeed
	for _, b := range needs {
		switch {
		case b.Need.Knots == 0 || b.inside == 0 || len(b.Constants.Distinct) <= b.Need.Distinct:
		case b.inside <= mostSorted && d.Quantiles != nil:
			sorted = append(sorted, b)
		default:
			value := b.within(d, b.raw)
			c := &aboutColumn{sqlColumn: &sqlColumn{Field: table.Field{Name: b.Text}}, value: value, finite: value, n: b.inside, least: b.Least, largest: b.Largest}
			if b.Boundary != nil {
				c.least, c.largest = math.Max(b.Least, b.Boundary[0]), math.Min(b.Largest, b.Boundary[1])
			}
			for i := range b.Need.Knots {
				q, err := e.quantile(ctx, s, c, whereClauseText(w.where, w.complete), b.level(i))
				if err != nil {
					return err
				}
				b.Constants.Knots = append(b.Constants.Knots, q)
			}
		}
	}
	for _, b := range sorted {
		if err := w.sortedKnots(ctx, s, b); err != nil {
			return err
		}
	}
	return nil
}

// level is that of the quantile where knot i lies.
func (b *basisNeed) level(i int) float64 { return float64(i+1) / float64(b.Need.Knots+1) }

// within is NULL for what lies beyond the boundary.
func (b *basisNeed) within(d *Dialect, x string) string {
	if b.Boundary == nil {
		return x
	}
	return "CASE WHEN " + x + " >= " + d.number(b.Boundary[0]) + " AND " + x + " <= " + d.number(b.Boundary[1]) + " THEN " + x + " END"
}

// whereClauseText joins conditions.
func whereClauseText(conditions ...string) string {
	return strings.TrimPrefix(whereClause(conditions...), " WHERE ")
}

// sortedKnots finds quantiles by the two order statistics around each.
func (w *sqlPlan) sortedKnots(ctx context.Context, s *session, b *basisNeed) error {
	d := w.e.d
	var ranks []int
	for i := range b.Need.Knots {
		k := int(float64(b.inside-1) * b.level(i))
		ranks = append(ranks, k, min(k+1, b.inside-1))
	}
	levels := make([]string, len(ranks))
	for i, k := range ranks {
		levels[i] = strconv.FormatFloat((float64(k)+0.5)/float64(b.inside), 'f', -1, 64)
	}
	plan := *w
	plan.bindings = []binding{{b.v, b.within(d, b.raw)}}
	x := plan.item(b.v)
	all := d.Quantiles(x, strings.Join(levels, ", "))
	targets := []string{"count(" + x + ")"}
	for i := range ranks {
		targets = append(targets, fmt.Sprintf("%s[%d]", all, i+1))
	}
	if d.SkipNull {
		plan.complete = whereClauseText(w.complete, b.v+" IS NOT NULL")
	}
	row, err := s.one(ctx, plan.from(plan.carried(), targets, ""), len(targets))
	if err != nil {
		return err
	}
	if n := numberOrNaN(row[0]); n != float64(b.inside) {
		return w.e.otherRows()
	}
	for i := range b.Need.Knots {
		pair := []float64{numberOrNaN(row[1+2*i]), numberOrNaN(row[2+2*i])}
		b.Constants.Knots = append(b.Constants.Knots, mixed(pair, b.inside, b.level(i)))
	}
	return nil
}

// jacobi is the recurrence of polynomials in t = (x - center)/scale,
//
//	t q_k = s_{k+1} q_{k+1} + a_k q_k + s_k q_{k-1},   q_0 = 1,
//
// that are about orthogonal.
type jacobi struct {
	center, scale float64 // as the database reads them
	a, s          []float64
	done          bool
}

// polynomials finds the recurrence of orthogonal polynomials, several bases by one pass: of
// the sums of products of polynomials that are about orthogonal follow those that are. The
// first are Legendre's, and the passes end when no digit was cancelled.
func (w *sqlPlan) polynomials(ctx context.Context, s *session, needs []*basisNeed) error {
	var open []*basisNeed
	for _, b := range needs {
		switch {
		case b.Degree == 0 || len(b.Constants.Distinct) <= b.Need.Distinct:
		case b.Least == b.Largest: // scale
			b.Alpha, b.Beta = []float64{b.Least}, []float64{0}
		default:
			half := b.Largest/2 - b.Least/2
			if !(half > 1e-100 && half < 1e100) {
				return refuse("its square leaves the range")
			}
			b.j = &jacobi{center: b.mean, scale: half}
			open = append(open, b)
		}
	}
	if len(open) == 0 {
		return nil
	}
	var constants []string
	for _, b := range open {
		constants = append(constants, w.e.d.number(b.j.center), w.e.d.number(b.j.scale))
	}
	row, err := s.one(ctx, "SELECT "+strings.Join(constants, ", "), len(constants))
	if err != nil {
		return err
	}
	for i, b := range open {
		b.j.center, b.j.scale = numberOrNaN(row[2*i]), numberOrNaN(row[2*i+1])
		mid := (b.Least/2 + b.Largest/2 - b.j.center) / b.j.scale
		for k := range b.Degree {
			b.j.a = append(b.j.a, mid)
			k := float64(k + 1)
			b.j.s = append(b.j.s, k/math.Sqrt(4*k*k-1))
		}
	}
	for range mostPasses {
		for from := 0; from < len(open); {
			to, targets := from, 1
			for ; to < len(open); to++ {
				d := open[to].Degree
				if targets += (d + 1) * (d + 4); to > from && targets > w.e.d.MaxTargets {
					break
				}
			}
			if err := w.orthogonal(ctx, s, open[from:to]); err != nil {
				return err
			}
			from = to
		}
		open = slices.DeleteFunc(open, func(b *basisNeed) bool { return b.j.done })
		if len(open) == 0 {
			return nil
		}
	}
	return refuse("its polynomials are not found by sums")
}

// orthogonal sums products of the polynomials, and corrects them.
func (w *sqlPlan) orthogonal(ctx context.Context, s *session, needs []*basisNeed) error {
	d := w.e.d
	plan := *w
	plan.bindings = nil
	var items []binding
	targets := []string{"count(*)"}
	for i, b := range needs {
		t := plan.bind("((" + b.raw + ") - " + d.number(b.j.center) + ") / " + d.number(b.j.scale))
		names := []string{""}
		for k, text := range polySQL(d, &mlreg.Poly{N: 1, Alpha: b.j.a, Beta: b.j.squares()}, t) {
			name := fmt.Sprintf("%sq%d_%d", w.prefix, i, k+1)
			names, items = append(names, name), append(items, binding{name, text})
		}
		size := b.j.sizes((b.Least-b.j.center)/b.j.scale, (b.Largest-b.j.center)/b.j.scale)
		targets = append(targets, "count("+names[1]+")")
		for k := 1; k <= b.Degree; k++ {
			for m := 0; m <= k; m++ {
				x := names[k]
				if m > 0 {
					x += " * " + names[m]
				}
				if w.e.compensated {
					targets = append(targets, "sum("+x+")", "0")
				} else {
					targets = append(targets, d.exactSum(x, size[k]*size[m], b.N)...)
				}
			}
		}
	}
	row, err := s.one(ctx, plan.from(items, targets, ""), len(targets))
	if err != nil {
		return err
	}
	at := 0
	number := func() float64 { at++; return numberOrNaN(row[at]) } // behind the count
	for _, b := range needs {
		if number() != float64(b.N) {
			return w.e.otherRows()
		}
		if err := b.correct(number); err != nil {
			return err
		}
	}
	return nil
}

// correct takes the means of the products of a basis's polynomials, each in two parts, and, if they
// are orthogonal by now, their recursion.
func (b *basisNeed) correct(number func() float64) error {
	g := make([][]float64, b.Degree+1)
	g[0] = []float64{1}
	for k := 1; k <= b.Degree; k++ {
		for range k + 1 {
			high := number()
			g[k] = append(g[k], (high+number())/float64(b.N))
		}
	}
	if !b.j.correct(g) {
		return refuse("its polynomials are not found by sums")
	}
	if !b.j.done {
		return nil
	}
	for k, a := range b.j.a {
		b.Alpha = append(b.Alpha, b.j.center+b.j.scale*a)
		root := b.j.scale * b.j.s[k]
		b.Beta = append(b.Beta, root*root)
	}
	return nil
}

func (j *jacobi) squares() []float64 {
	out := make([]float64, len(j.s))
	for k, s := range j.s {
		out[k] = s * s
	}
	return out
}

// sizes returns the largest sizes of the polynomials between two places, about.
func (j *jacobi) sizes(from, to float64) []float64 {
	p := &mlreg.Poly{N: 1, Alpha: j.a, Beta: j.squares()}
	size := make([]float64, len(j.a)+1)
	size[0] = 1
	const points = 1000
	for i := range points + 1 {
		for k, v := range p.Eval(nil, from+(to-from)*float64(i)/points) {
			size[k+1] = math.Max(size[k+1], 1.1*math.Abs(v))
		}
	}
	return size
}

// correct takes the mean products g (lower triangle) of the polynomials to the recurrence of
// orthogonal ones, by the triangle of g = L L',
//
//	a_k + s_{k+1} L_{k+1,k}/L_kk - s_k L_{k,k-1}/L_{k-1,k-1},   s_{k+1} L_{k+1,k+1}/L_kk,
//
// (Golub and Welsch 1969, Mathematics of Computation 23, section 4, with sums of products of
// any polynomials for those of powers; Gautschi 2004, Orthogonal Polynomials, section 2.1.7).
// Where L has no digits left the recurrence is continued, for the next pass. It is false if
// nothing was won.
func (j *jacobi) correct(g [][]float64) bool {
	m := len(g)
	l := make([][]float64, m)
	right := 0 // rows of L with digits
	j.done = true
	for i := range m {
		l[i] = make([]float64, i+1)
		for k := range i + 1 {
			v := g[i][k]
			for r := range k {
				v -= l[i][r] * l[k][r]
			}
			if k < i {
				l[i][k] = v / l[k][k]
				continue
			}
			if v-v != 0 || !(v > 1e-9*g[i][i]) {
				j.done = false
				break
			}
			if v < 0.5*g[i][i] {
				j.done = false
			}
			l[i][i] = math.Sqrt(v)
			right = i
		}
		if right < i {
			break
		}
	}
	if right == 0 {
		return false
	}
	a, s := slices.Clone(j.a), slices.Clone(j.s)
	for k := range right {
		a[k] += j.s[k] * l[k+1][k] / l[k][k]
		if k > 0 {
			a[k] -= j.s[k-1] * l[k][k-1] / l[k-1][k-1]
		}
		s[k] *= l[k+1][k+1] / l[k][k]
	}
	for k := right; k < len(a); k++ {
		a[k], s[k] = a[right-1], s[right-1]
	}
	j.a, j.s = a, s
	return true
}
