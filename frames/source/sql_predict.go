package source

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/go-gota/gota/series"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/frames/internal/table"
	"github.com/regbook/regbook/mlreg"
)

// This file writes predictions as SQL,
//
//	eta = a + sum_j b_j (x_j - m_j) + offset,   prediction = inverse link of eta,
//
// with the columns x_j of the design, their means m_j, as the database reads them, and the
// fit's own linear predictor a at these: no digit is lost to an intercept that a column far
// from zero has made large. Of a column that is not far from zero m_j is 0: a mean that is
// larger than the intercept and than what the column has in a row would take digits of that.
// Columns of the levels of factors are not written one by one: all those of one number and
// the same factors are the number times a value that the levels decide.

// linearPredictor is what of a fit is written.
type linearPredictor struct {
	names  []string // of the columns of the design
	slopes []float64
	link   mlreg.Link
	linear func(d *mlreg.Design) ([]float64, error)
	mean   func(eta float64) float64 // the inverse of the link
	fit    frames.Predictor
	like   *mlreg.Design // of no rows
}

// linearOf finds out whether a fit is a function of a linear predictor.
func linearOf(fit frames.Predictor, like *mlreg.Design) (*linearPredictor, error) {
	f, ok := fit.(interface {
		Names() []string
		Slopes() []float64
		Scaling() *mlreg.Scaling
	})
	if !ok {
		return nil, refuse("the prediction of %T is no function of a sum of terms", fit)
	}
	if g, ok := fit.(interface{ Factor() string }); ok {
		return nil, refuse("the effects of the levels of %s are no sum of terms", g.Factor())
	}
	l := &linearPredictor{link: mlreg.IdentityLink, linear: fit.Predict, mean: func(eta float64) float64 { return eta }, fit: fit, like: like}
	if g, ok := fit.(interface {
		LinearPredictor(d *mlreg.Design) ([]float64, error)
		InverseLink(eta float64) (mean, slope float64)
	}); ok {
		l.link, l.linear = mlreg.LogitLink, g.LinearPredictor
		l.mean = func(eta float64) float64 { mu, _ := g.InverseLink(eta); return mu }
		if g, ok := fit.(interface{ Link() mlreg.Link }); ok {
			l.link = g.Link()
		}
	}
	slopes, scaling := f.Slopes(), f.Scaling()
	l.names = f.Names()
	if len(l.names) > len(slopes) {
		l.names = l.names[1:] // the intercept
	}
	for j := range slopes {
		switch {
		case math.IsNaN(slopes[j]): // aliased
			slopes[j] = 0
		case scaling != nil:
			slopes[j] /= scaling.Scale[j]
		}
	}
	l.slopes = slopes
	return l, nil
}

// rows returns a design of rows of the columns named.
func (l *linearPredictor) rows(rows ...[]float64) (*mlreg.Design, error) {
	d := *l.like
	x := mat.NewDense(len(rows), len(d.Names), nil)
	for i, row := range rows {
		for j, v := range row {
			k := slices.Index(d.Names, l.names[j])
			if k < 0 {
				return nil, refuse("the formula has no column %q", l.names[j])
			}
			x.Set(i, k, v)
		}
	}
	if d.X = x; d.Offset != nil {
		d.Offset = make([]float64, len(rows))
	}
	return &d, nil
}

// atZero returns the linear predictor where all columns are 0.
func (l *linearPredictor) atZero() (float64, error) {
	if len(l.names) == 0 {
		return 0, nil
	}
	d, err := l.rows(make([]float64, len(l.names)))
	if err != nil {
		return 0, err
	}
	eta, err := l.linear(d)
	if err != nil {
		return 0, err
	}
	return eta[0], nil
}

// at returns the linear predictor at the shifts, and how far those of the fit at other
// places lie from it and the slopes; it refuses a fit whose predictions are not those of the
// slopes. A fit whose intercept has no more than the digits of a float64 loses those that a
// column far from zero takes.
func (l *linearPredictor) at(passes []columnPass) (eta0, off float64, err error) {
	if len(l.names) == 0 {
		f, ok := l.fit.(interface{ Intercept() float64 })
		if !ok {
			return 0, 0, refuse("%T has no intercept to predict by", l.fit)
		}
		return f.Intercept(), 0, nil
	}
	const probes = 4
	rnd := rand.New(rand.NewPCG(1, 17))
	places := make([][]float64, probes)
	for i := range places {
		for _, p := range passes {
			x := p.shift
			if i > 0 {
				x = p.least + (p.largest-p.least)*rnd.Float64()
			}
			places[i] = append(places[i], x)
		}
	}
	d, err := l.rows(places...)
	if err != nil {
		return 0, 0, err
	}
	eta, err := l.linear(d)
	if err != nil {
		return 0, 0, err
	}
	mean, err := l.fit.Predict(d)
	if err != nil {
		return 0, 0, err
	}
	for i, place := range places {
		want, size, whole := eta[0], math.Abs(eta[0]), 0.0
		for j, x := range place {
			by := l.slopes[j] * (x - passes[j].shift)
			want, size, whole = want+by, size+math.Abs(by), whole+math.Abs(l.slopes[j]*x)
		}
		if !(math.Abs(eta[i]-want) <= 1e-10*size+1e-13*whole) || mean[i] != l.mean(eta[i]) && mean[i] == mean[i] {
			return 0, 0, refuse("the prediction of %T is no function of its coefficients", l.fit)
		}
		off = math.Max(off, math.Abs(eta[i]-want))
	}
	return eta[0], off, nil
}

// predicted returns the engine of the relation with predictions. The error is a *notPushed
// for what SQL does not compute.
func (e *sqlEngine) predicted(ctx context.Context, conditions []table.Condition, fit frames.Predictor, p table.Predictor, column string) (*sqlEngine, error) {
	where, err := e.whereAll(ctx, conditions)
	if err != nil {
		return nil, err
	}
	coder, err := p.Coder()
	if err != nil {
		return nil, err
	}
	plan, err := coder.Plan()
	if err != nil {
		return nil, err
	}
	if !plan.Exact {
		return nil, refuse("which rows are complete depends on a condition in the formula")
	}
	like, err := coder.Like(table.Counts{})
	if err != nil {
		return nil, err
	}
	l, err := linearOf(fit, like)
	if err != nil {
		return nil, err
	}
	w := &predictionPlan{sqlPlan: &sqlPlan{e: e, where: where, prefix: e.prefix()}, l: l, column: column}
	for strings.HasPrefix(strings.ToLower(column), w.prefix) {
		w.prefix += "_"
	}
	if err := w.write(plan); err != nil {
		return nil, err
	}
	if err := e.computed(ctx, func(s *session) error { return w.learn(ctx, s) }); err != nil {
		return nil, err
	}
	quoted, err := e.d.ident(column)
	if err != nil {
		return nil, err
	}
	mean := w.mean
	if e.d.OneLevel && l.link == mlreg.IdentityLink { // the name of a name gets lost
		mean = w.eta
	}
	return e.as(func(out *sqlEngine) {
		out.name = fmt.Sprintf("%s with predictions %q", e.name, column)
		out.relation = "(" + w.rows(append(e.refs(), mean+" AS "+quoted)) + ") AS " + w.prefix + "_predicted"
		out.columns = append(slices.Clone(e.columns), &sqlColumn{Field: table.Field{Name: column, Type: series.Float}, TypedColumn: TypedColumn{Ref: quoted, Declared: "REAL"}})
		out.depth++
		out.checks = append(slices.Clone(e.checks), w.check)
	}), nil
}

// predictionPlan is the linear predictor of a fit written as SQL.
type predictionPlan struct {
	*sqlPlan
	l       *linearPredictor
	column  string
	effects []table.Effect // of numbers
	offset  string         // "" if there is none
	passes  []columnPass   // of numbers
	// eta is the linear predictor, NULL in rows that are not complete, and mean the
	// prediction, computed of that.
	eta, mean string
	terms     int     // of its sum
	size      float64 // the largest sum of their sizes
	lost      float64 // what rounding may take from it
}

// write writes the numbers of which the columns of the design are.
func (w *predictionPlan) write(p *table.Plan) error {
	used := *p // of the columns that the fit has
	used.Products = nil
	for _, name := range w.l.names {
		k := slices.Index(p.Names, name)
		if k < 0 {
			return refuse("the formula has no column %q", name)
		}
		used.Products = append(used.Products, p.Products[k])
	}
	c, err := w.compiler(p)
	if err != nil {
		return err
	}
	w.cells = used.Cells()
	for _, k := range w.cells.Factors {
		if _, err := w.code(c, &p.Variables[k]); err != nil {
			return err
		}
	}
	if err := w.writeNumbers(c, p); err != nil {
		return err
	}
	w.effects = w.cells.Effects(w.l.slopes)
	var offsets []value
	for _, n := range p.Offsets {
		x, err := c.rounded(n)
		if err != nil {
			return err
		}
		offsets = append(offsets, x)
	}
	w.doubts = c.doubts
	if len(offsets) > 0 {
		var texts []string
		for _, x := range offsets {
			texts = append(texts, "("+x.sql+")")
		}
		w.offset = w.bind("(" + strings.Join(texts, " + ") + ")")
	}
	if w.mean, err = w.e.d.inverseLink(w.l.link, w.prefix+"_eta"); err != nil {
		return err
	}
	return w.short()
}

// learn finds the means of the columns and checks all rows.
func (w *predictionPlan) learn(ctx context.Context, s *session) error {
	n, passes, err := w.pass(ctx, s)
	if err != nil {
		return err
	}
	w.passes = passes
	zero, err := w.l.atZero()
	if err != nil {
		return err
	}
	at, off, err := w.l.at(w.columnPasses(zero))
	if err != nil {
		return err
	}
	w.sum(at)
	if len(w.eta) > 4*maxSQL {
		return refuse("the sum of the terms is too long for SQL")
	}
	w.lost = off + float64(w.terms+8)*unit*w.size
	for _, e := range w.effects {
		if e.Of >= 0 { // a row has one of the values
			w.lost += e.Size * w.passes[e.Of].noise / math.Sqrt(float64(max(n, 1)))
		}
	}
	return w.checkValues(ctx, s, n)
}

// columnPasses returns the ranges of the columns of the design, and what they are about. It makes the means of
// numbers 0 that would take digits.
func (w *predictionPlan) columnPasses(zero float64) []columnPass {
	const times = 16
	all := make([]columnPass, len(w.l.names))
	for _, e := range w.effects {
		of := columnPass{largest: 1}
		if e.Of >= 0 {
			of = w.passes[e.Of]
		}
		least := math.Min(math.Abs(of.least), math.Abs(of.largest))
		far := of.least > 0 == (of.largest > 0) && math.Abs(of.shift) <= times*least
		switch {
		case e.Factors != nil: // a row has one of the levels, and all means would be added up
			of.shift, of.least, of.largest = 0, math.Min(of.least, 0), math.Max(of.largest, 0)
		case e.Of >= 0 && !far && !(math.Abs(e.Values[0]*of.shift) <= times*math.Abs(zero)):
			of.shift = 0
			w.passes[e.Of].shift = 0
		}
		for _, j := range e.Columns {
			all[j] = of
		}
	}
	return all
}

// check checks the rows again, which may be others by now.
func (w *predictionPlan) check(ctx context.Context, s *session) error {
	n, _, err := w.pass(ctx, s)
	if err != nil {
		return err
	}
	return w.checkValues(ctx, s, n)
}

// pass counts the complete rows, and finds means and ranges of their numbers and what is wrong with a row.
func (w *predictionPlan) pass(ctx context.Context, s *session) (n int, passes []columnPass, err error) {
	counts, _, err := w.count(ctx, s)
	if n = counts.N - counts.Omitted; err != nil || n == 0 || len(w.columns)+len(w.factors) == 0 {
		return n, make([]columnPass, len(w.columns)), err
	}
	passes, _, err = w.first(ctx, s, n)
	return n, passes, err
}

// sum writes the linear predictor.
func (w *predictionPlan) sum(at float64) {
	d := w.e.d
	all := []string{d.number(at)}
	w.size = math.Abs(at)
	for _, e := range w.effects {
		if e.Size == 0 {
			continue
		}
		times, size := "", 1.0
		if e.Of >= 0 {
			pass := w.passes[e.Of]
			times = "(" + w.columns[e.Of] + ")"
			if size = math.Max(pass.largest, -pass.least); e.Factors == nil {
				if size = math.Max(pass.largest-pass.shift, pass.shift-pass.least); pass.shift != 0 {
					times = "(" + times + " - " + d.number(pass.shift) + ")"
				}
			}
			times = " * " + times
		}
		all = append(all, w.valueOf(w.factors, e.Factors, e.Values)+times)
		w.size += e.Size * size
	}
	if w.offset != "" {
		all = append(all, w.offset)
	}
	w.terms, w.eta = len(all), "("+strings.Join(all, " + ")+")"
	var known []string
	if w.complete != "" {
		known = append(known, w.complete)
	}
	for _, f := range w.factors {
		known = append(known, f.code+" IS NOT NULL")
	}
	if len(known) > 0 {
		w.eta = "CASE WHEN " + strings.Join(known, " AND ") + " THEN " + w.eta + " END"
	}
}

// rows writes the SELECT of targets, which have the columns and the linear predictor, from
// all rows of the relation.
func (w *predictionPlan) rows(targets []string) string {
	var bindings []string
	for _, b := range w.bindings {
		bindings = append(bindings, b.sql+" AS "+b.name)
	}
	eta := w.prefix + "_eta"
	if w.e.d.OneLevel {
		return "WITH " + strings.Join(append(bindings, w.eta+" AS "+eta), ", ") + " SELECT " + strings.Join(targets, ", ") + " FROM " + w.e.relation
	}
	refs := w.e.refs()
	from := w.e.relation
	if len(bindings) > 0 {
		from = "(SELECT " + strings.Join(append(slices.Clone(refs), bindings...), ", ") + " FROM " + from + ") AS " + w.prefix + "_rows"
	}
	return "SELECT " + strings.Join(targets, ", ") + " FROM (SELECT " + strings.Join(append(refs, w.eta+" AS "+eta), ", ") + " FROM " + from + ") AS " + w.prefix + "_linear"
}

// checkValues refuses linear predictors that are not defined, or whose terms cancel.
func (w *predictionPlan) checkValues(ctx context.Context, s *session, n int) error {
	eta := w.prefix + "_eta"
	targets := []string{"count(" + eta + ")", "min(" + eta + ")", "max(" + eta + ")", "min(" + w.mean + ")"}
	if w.e.d.Finite {
		targets = append(targets, "count("+w.mean+")")
	}
	row, err := s.one(ctx, w.rows(targets)+whereClause(w.where), len(targets))
	if err != nil || n == 0 {
		return err
	}
	var x [3]float64
	for i := range x {
		x[i] = numberOrNaN(row[i])
	}
	largest := math.Max(-x[1], x[2])
	switch {
	case x[0] != float64(n) || largest-largest != 0:
		return refuse("a term is not defined in %v of %d complete rows", float64(n)-x[0], n)
	case w.e.d.Finite && numberOrNaN(row[4]) != x[0]:
		return refuse("a prediction is not defined or infinite, which %v has not", w.e.d)
	case w.lost > 1e-11*largest:
		return refuse("rounding would leave %.0f digits of the sum of the terms", math.Max(0, -math.Log10(w.lost/largest)))
	}
	return nil
}

// inverseLink writes the mean at a linear predictor.
func (d *Dialect) inverseLink(link mlreg.Link, eta string) (string, error) {
	zero, one, inf := d.number(0), d.number(1), d.number(math.Inf(1))
	falling := func(x string) string { // of x <= 0; PostgreSQL's exp refuses what leaves the range
		return "CASE WHEN " + x + " > " + d.number(-745) + " THEN exp(" + x + ") ELSE " + zero + " END"
	}
	exp := func(x string) string {
		return "CASE WHEN " + x + " > " + d.number(709.782) + " THEN " + inf + " WHEN " + x + " > " + d.number(-745) + " THEN exp(" + x + ") WHEN " + x + " IS NOT NULL THEN " + zero + " END"
	}
	switch link {
	case mlreg.IdentityLink:
		return eta, nil
	case mlreg.LogLink:
		return exp(eta), nil
	case mlreg.LogitLink:
		low := "(" + falling("(-abs("+eta+"))") + ")"
		return "CASE WHEN " + eta + " < " + zero + " THEN " + low + " / (" + one + " + " + low + ") WHEN " + eta + " >= " + zero + " THEN " + one + " / (" + one + " + " + low + ") END", nil
	case mlreg.ReciprocalLink:
		return "CASE WHEN " + eta + " = " + zero + " THEN " + inf + " ELSE " + one + " / nullif(" + eta + ", " + zero + ") END", nil // NULL if eta is
	case mlreg.SqrtLink:
		return "CASE WHEN " + eta + " >= " + zero + " THEN " + eta + " * " + eta + " END", nil
	case mlreg.ReciprocalSquareLink:
		return "CASE WHEN " + eta + " > " + zero + " THEN " + one + " / sqrt(abs(" + eta + ")) END", nil
	case mlreg.CLogLogLink: // 1 - exp(-t), t = exp(eta); for small t by its series
		t := "(" + exp(eta) + ")"
		series := one
		for k := 6; k > 1; k-- {
			series = "(" + one + " - " + t + " / " + d.number(float64(k)) + " * " + series + ")"
		}
		return "CASE WHEN " + eta + " < " + d.number(-5) + " THEN " + t + " * " + series + " WHEN " + eta + " > " + d.number(4) + " THEN " + one + " WHEN " + eta + " IS NOT NULL THEN " + one + " - exp(-" + t + ") END", nil
	}
	return "", refuse("the inverse of the %v link is not written as SQL", link)
}
