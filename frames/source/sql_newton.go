package source

import (
	"context"
	"errors"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/frames/internal/table"
	"github.com/regbook/regbook/internal/compressed"
	"github.com/regbook/regbook/mlreg"
)

// This file writes a step of Newton's method as one statement, as MADlib's logistic regression does (Hellerstein and others,
// The MADlib analytics library, VLDB 2012, section 4.2): that of weighted least squares with weights c_i, the curvatures of
// the loss at eta_i, and responses z_i = r_i/c_i, whose products with the columns are the gradient. So sums, blocks, cells and bounds are those
// of sql_blocks.go. How far eta_i and z_i can be from the exact ones is an expression of the row (sql_rounding.go).

// farthest bounds |eta_i|: beyond it exp, or the square of a residual, leaves the range that every database has.
const farthest = 300

// newtonPlan is a plan whose sums are those of steps.
type newtonPlan struct {
	*sqlPlan
	s      *session
	rows   int
	passes []columnPass // the last, of z, is about 0
	by     grouping
	levels []factorCheck // of the factors of the cells
	center []float64     // of the numbers
}

// weigh finds the responses by one GROUP BY and the means of numbers by one statement, and has f ask for the sums.
func (e *sqlEngine) weigh(ctx context.Context, q query, p *table.Plan, forced bool, f func(*compressed.Weighted, table.Counts, string) error) error {
	responses := *p
	responses.Products, responses.Variables = nil, nil
	w, err := e.write(ctx, q, p)
	if err != nil {
		return err
	}
	if !forced {
		if err := e.prefersSteps(ctx, p, w); err != nil {
			return err
		}
	}
	n := &newtonPlan{sqlPlan: w}
	c := &compiler{d: e.d, columns: e.columns}
	for _, k := range w.cells.Factors {
		of, err := w.levelsOf(c, &p.Variables[k])
		if err != nil {
			return err
		}
		n.levels = append(n.levels, of)
	}
	rows, counts, stamp, err := e.countRows(ctx, q, &responses)
	if err != nil {
		return err
	}
	if n.rows = counts.N - counts.Omitted; rows == nil || n.rows == 0 {
		return refuse("there are no rows")
	}
	return e.computed(ctx, func(s *session) error {
		beyond, err := n.learn(ctx, s)
		if err != nil {
			return err
		}
		counts.AddBeyond(beyond...)
		out := &compressed.Weighted{Rows: rows, Center: n.centers(p), At: func(loss compressed.Loss, intercept float64, slopes []float64) (*compressed.LossSums, error) {
			return n.at(ctx, loss, intercept, slopes)
		}}
		if err := f(out, counts, stamp); err != nil {
			return err
		}
		return w.unchanged(ctx, s, stamp)
	})
}

// learn finds the means of the numbers, and the terms that have rows beyond their range.
func (n *newtonPlan) learn(ctx context.Context, s *session) (beyond []mlreg.Extrapolation, err error) {
	n.s = s
	if n.passes, beyond, err = n.first(ctx, s, n.rows); err != nil {
		return nil, err
	}
	for j, pass := range n.passes[:len(n.passes)-1] {
		if pass.least == pass.largest {
			return nil, refuse("%s is constant", n.names[j])
		}
	}
	n.passes[len(n.passes)-1] = columnPass{}
	n.by, err = n.grouping(ctx, s, n.rows, nil)
	return beyond, err
}

// centers sets what is taken from numbers in the linear predictor, and returns it by columns of the design: the mean of a
// column that is a number, where there is an intercept, and 0 of others.
func (n *newtonPlan) centers(p *table.Plan) []float64 {
	n.center = make([]float64, len(n.passes))
	all := make([]float64, len(p.Names))
	for _, e := range n.cells.Effects(make([]float64, len(p.Names))) {
		for _, j := range e.Columns {
			if p.Intercept && e.Of >= 0 && e.Factors == nil {
				all[j] = n.passes[e.Of].shift
				n.center[e.Of] = all[j]
			}
		}
	}
	return all
}

// linear writes the linear predictor, and what it may be off by in units of 2^-53.
func (n *newtonPlan) linear(w *sqlPlan, intercept float64, slopes []float64) (eta, off string) {
	d := w.e.d
	terms, sizes, offs := []string{d.number(intercept)}, []string{d.number(math.Abs(intercept))}, []string(nil)
	for _, e := range n.cells.Effects(slopes) {
		if !slices.ContainsFunc(e.Values, func(v float64) bool { return v != 0 }) {
			continue
		}
		term := w.valueOf(n.levels, e.Factors, e.Values)
		if e.Factors != nil {
			term = w.bind(term)
		}
		if e.Of >= 0 {
			offs = append(offs, times(absolute(term), w.off[e.Of]))
			x := "(" + w.columns[e.Of] + ")"
			if center := n.center[e.Of]; e.Factors == nil && center != 0 {
				x = "(" + x + " - " + d.number(center) + ")"
			}
			term = "(" + term + " * " + x + ")"
		}
		terms, sizes = append(terms, term), append(sizes, absolute(term))
	}
	return "(" + strings.Join(terms, " + ") + ")", sumOf(append(offs, "("+d.number(float64(len(terms)+6))+" * "+sumOf(sizes...)+")")...)
}

// step writes the sums at coefficients; out gets those that are of no cell.
func (n *newtonPlan) step(loss compressed.Loss, intercept float64, slopes []float64, out *compressed.LossSums) (*sqlPlan, error) {
	w := *n.sqlPlan
	d, name := w.e.d, func(of string) string { return w.prefix + of }
	w.bindings, w.columns, w.off = slices.Clone(w.bindings), slices.Clone(w.columns), slices.Clone(w.off)
	eta, off := n.linear(&w, intercept, slopes)
	y := w.columns[len(w.columns)-1]
	w.steps = [][]binding{{{name("eta"), eta}, {name("eo"), off}}}
	w.steps = append(w.steps, lossSteps(d, loss, y, name)...)
	size := lengthOf(slices.Concat(w.bindings, slices.Concat(w.steps...)))
	if m := len(w.columns); size > maxSQL || d.OneLevel && size*m*m > 16*maxSQL { // there a name is written out where it is used
		return nil, refuse("the linear predictor is too long for SQL")
	}
	last := len(w.columns) - 1
	w.columns[last], w.off[last] = name("z"), name("zo")
	total, weighted := name("l"), name("v")
	if w.weight != "" {
		total, weighted = w.weight+" * "+total, w.weight+" * "+weighted
	}
	w.weight = "(" + weighted + ")"
	least := func(to *float64) func(*cellSums, float64) {
		return func(_ *cellSums, x float64) { *to = math.Min(*to, x) }
	}
	var sum twofold
	w.extra = &extraSums{
		items: []binding{{name("ls"), "(" + total + ")"}, {name("vs"), "(" + name("v") + ")"}, {name("es"), absolute(name("eta"))}},
		sums: []sumTarget{
			{"sum(" + name("ls") + ")", func(_ *cellSums, x float64) { sum.add(x); out.Loss = sum.value() }},
			{"min(" + name("vs") + ")", least(&out.Least)},
			{"min(CASE WHEN " + name("w") + " > 0 THEN " + name("w") + " ELSE " + d.number(math.MaxFloat64) + " END)", least(&out.Curvature)},
			{"max(" + name("es") + ")", func(_ *cellSums, x float64) { out.Largest = math.Max(out.Largest, x) }},
		},
	}
	return &w, nil
}

// lossSteps writes, of the linear predictor, the curvature v, the residual over it z, what this may be off by and the
// loss l of a row of weight 1. Of two classes with e = exp(-|eta|), v = e/(1+e)^2, and z is 1+e, or that over e where eta has the sign of the
// other class; of counts with e = exp(eta), v = e, z = y/e - 1, and l is y times exp(-t) - 1 + t, t = log(y) - eta.
func lossSteps(d *Dialect, loss compressed.Loss, y string, name func(string) string) [][]binding {
	eta, e, t, z := name("eta"), name("e"), name("t"), name("z")
	zero, one, far := d.number(0), d.number(1), d.number(farthest)
	if loss.Counts {
		series := one
		for k := 14; k > 2; k-- {
			series = "(" + one + " - " + t + " / " + d.number(float64(k)) + " * " + series + ")"
		}
		grown := "CASE WHEN abs(" + t + ") < " + d.number(0.5) + " THEN " + t + " * " + t + " / " + d.number(2) + " * " + series + " ELSE " + e + " / " + y + " - " + one + " + " + t + " END"
		return [][]binding{
			{{e, "exp(CASE WHEN abs(" + eta + ") < " + far + " THEN " + eta + " ELSE " + far + " END)"}, {t, "(" + d.Ln + "(CASE WHEN " + y + " > 0 THEN " + y + " ELSE " + one + " END) - " + eta + ")"}},
			{{name("v"), "(" + e + " * " + one + ")"}, {z, "(" + y + " / " + e + " - " + one + ")"}, {name("l"), "CASE WHEN " + y + " > 0 THEN " + y + " * " + grown + " ELSE " + e + " END"}},
			{{name("zo"), "(" + name("eo") + " + " + d.number(8) + " * (abs(" + z + ") + " + one + "))"}},
		}
	}
	second := y + " = " + d.number(loss.One)
	near, wrong := "("+one+" + "+e+")", "(("+one+" + "+e+") / "+e+")"
	return [][]binding{
		{{e, "exp(-CASE WHEN abs(" + eta + ") < " + far + " THEN abs(" + eta + ") ELSE " + far + " END)"}, {t, "CASE WHEN " + second + " THEN " + eta + " ELSE -" + eta + " END"}},
		{{name("v"), "(" + e + " / (" + near + " * " + near + "))"},
			{z, "((CASE WHEN " + second + " THEN " + one + " ELSE -" + one + " END) * (CASE WHEN " + t + " >= " + zero + " THEN " + near + " ELSE " + wrong + " END))"},
			{name("l"), "(" + d.Ln + near + " - CASE WHEN " + t + " < " + zero + " THEN " + t + " ELSE " + zero + " END)"}},
		{{name("zo"), "(" + name("eo") + " + " + d.number(12) + " * abs(" + z + "))"}},
	}
}

// at computes the sums at coefficients.
func (n *newtonPlan) at(ctx context.Context, loss compressed.Loss, intercept float64, slopes []float64) (*compressed.LossSums, error) {
	out := &compressed.LossSums{Least: math.Inf(1), Curvature: math.Inf(1)}
	w, err := n.step(loss, intercept, slopes, out)
	if err != nil {
		return nil, err
	}
	g, err := w.products(ctx, n.s, n.passes, n.by, nil)
	switch {
	case errors.Is(err, frames.ErrNotFinite) || err == nil && !(out.Largest < farthest):
		return &compressed.LossSums{Loss: math.NaN()}, nil
	case err != nil:
		return nil, err
	case g.rows != n.rows:
		return nil, w.e.otherRows()
	}
	bound, last := g.bound(w), len(n.passes)-1
	total := g.total(len(n.passes), g.folds[0])
	for j := range last {
		if gross := total.p[total.at(j, j)].value(); total.centered(j, j) <= 4*bound*gross {
			return nil, refuse("%s is constant but for rounding", w.names[j])
		}
	}
	out.RelErr, out.Eta = bound, unit*math.Sqrt(total.noise[last])
	for _, cell := range slices.Sorted(maps.Keys(g.folds[0])) {
		out.Cells = append(out.Cells, compressed.Cell{Sums: compressed.SumsOf(g.folds[0][cell].sums(n.passes, bound)), Columns: w.cells.Columns(cell)})
	}
	return out, nil
}
