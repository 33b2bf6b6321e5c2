package source

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/regbook/regbook/frames/internal/table"
	"github.com/regbook/regbook/mlreg"
)

// binding is an expression that others use by name: a number, the index of a level, the
// input of a basis.
type binding struct{ name, sql string }

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
	used     sqlColumns
	complete string   // true in complete rows; "" if all are
	doubts   []string // see compiler
	alone    sqlColumns
	where    string
	steps    [][]binding // computed of bindings and of the steps before
	extra    *extraSums  // of rows, besides those of deviations
	ranged   []rangedInput
	rows     int // of table.Plan
}

// rangedInput is the input of a basis that has a range.
type rangedInput struct {
	mlreg.Extrapolation
	x string
}

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

// short refuses a plan whose text is too long.
func (w *sqlPlan) short() error {
	size := lengthOf(w.bindings)
	for j, text := range w.columns {
		size += len(text) + len(w.off[j])
	}
	if size > 4*maxSQL {
		return refuse("the formula is too long for SQL")
	}
	return nil
}

// lengthOf is how long expressions are together.
func lengthOf(all []binding) (size int) {
	for _, b := range all {
		size += len(b.sql)
	}
	return size
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
func (w *sqlPlan) uses(p *table.Plan) (err error) {
	names := p.Used
	if p.Weights != "" && !slices.Contains(names, p.Weights) {
		names = append(slices.Clone(names), p.Weights)
	}
	if w.used, err = w.e.columnsOf(names); err != nil {
		return err
	}
	var missing []string
	for _, c := range w.used {
		missing = append(missing, "NOT "+w.e.d.missing(c))
	}
	w.complete = strings.Join(missing, " AND ")
	if p.Weights != "" {
		col := w.used.named(p.Weights)
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
