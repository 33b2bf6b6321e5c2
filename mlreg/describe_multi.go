package mlreg

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
)

// Summary returns the table of b*: estimate, standard error, z, p and limits at the given
// level. Below it stand the variances, the groups, and the certificate. The error is that
// of Table.
func (f *MultiTask) Summary(level float64) (*report.Table, error) {
	t, err := Summary(f, level)
	if err != nil {
		return nil, err
	}
	t.Title = tables.Of("Multi-task fit", f.l.Response)
	t.Notes = f.notes()
	return t, nil
}

// Describe returns the table of b* at level 0.95; see Summary.
func (f *MultiTask) Describe() *report.Table { return tables.OrError(f.Summary(0.95)) }

// String writes the table of b* as text.
func (f *MultiTask) String() string { return f.Describe().String() }

func (f *MultiTask) notes() []string {
	var notes []string
	for _, row := range f.Variances() {
		line := fmt.Sprintf("%s: σ = %s", row.Level, format.Number(row.StdDev, 5))
		if row.Term != "" {
			line = fmt.Sprintf("between groups of %s, %s: s = %s", row.Level, row.Term, format.Number(row.StdDev, 5))
		}
		for _, r := range row.Corr {
			if r == r {
				line += ", correlation " + format.Decimal(r, 3)
			}
		}
		notes = append(notes, line)
	}
	groups := make([]string, len(f.s.Levels))
	for i, l := range f.s.Levels {
		groups[i] = fmt.Sprintf("%s: %s", l.Name, format.Plural(len(l.Labels), "group"))
	}
	notes = append(notes, fmt.Sprintf("n = %d, %s, effective coefficients %s", f.s.N, strings.Join(groups, ", "), format.Decimal(f.s.DoF, 2)))
	name := "-2 log restricted likelihood (REML)"
	switch {
	case f.s.Hyper != nil:
		name = "-2 log evidence"
	case f.s.ML:
		name = "-2 log likelihood"
	}
	line := fmt.Sprintf("%s = %s", name, format.Number(f.s.Criterion, 8))
	if f.s.Avoid {
		line += ", with a prior that keeps variances off zero"
	}
	notes = append(notes, line)
	if f.s.Estimated {
		line := fmt.Sprintf("Newton's method, %s: within %s of the optimum", format.Plural(f.s.Iterations, "step"), format.PowerAbove(math.Max(f.s.Decrement, 1e-16)))
		if !math.IsInf(f.s.Curvature, 1) { // else no variance is off the boundary
			line += ", least curvature " + format.Number(f.s.Curvature, 3)
		}
		notes = append(notes, line)
	} else {
		notes = append(notes, "the variances were given")
	}
	for _, b := range f.s.Boundary {
		means := "the groups do not show that these vary apart, and the criterion rises from there"
		if strings.HasSuffix(b, " is 0") {
			means = "the groups differ no more than the noise of their rows makes them, and a variance just above 0 fits worse"
		}
		notes = append(notes, fmt.Sprintf("at the boundary (no failure): %s; %s (slope %s)", b, means, format.Number(f.s.Outward, 3)))
	}
	var zero []string
	for i, name := range f.Names() {
		if !slices.Contains(f.s.Fixed, i) {
			zero = append(zero, name)
		}
	}
	if len(zero) > 0 {
		notes = append(notes, "varies about zero: "+strings.Join(zero, ", "))
	}
	return inScaledUnits(notes, f.l.Scaling)
}

// Describe returns the variances as a table, in lme4's order.
func (v VarianceComponents) Describe() *report.Table {
	t := tables.Rows("Variances",
		tables.Text("groups", v, func(r VarianceComponent) string { return r.Level }),
		tables.Text("term", v, func(r VarianceComponent) string { return r.Term }),
		tables.Number("variance", v, 5, func(r VarianceComponent) float64 { return r.Variance }),
		tables.Number("std. dev.", v, 5, func(r VarianceComponent) float64 { return r.StdDev }))
	most := 0
	for _, r := range v {
		for _, c := range r.Corr {
			if c == c {
				most = max(most, len(r.Corr))
			}
		}
	}
	for k := range most {
		name := "correlation"
		if most > 1 {
			name = fmt.Sprintf("corr. %d", k+1)
		}
		t.Columns = append(t.Columns, tables.Blank(tables.Decimal(name, v, 3, func(r VarianceComponent) float64 {
			if k < len(r.Corr) {
				return r.Corr[k]
			}
			return math.NaN()
		})))
	}
	return t
}

// String writes the variances as text.
func (v VarianceComponents) String() string { return v.Describe().String() }

// Describe returns the variance as a table.
func (v VarianceComponent) Describe() *report.Table { return VarianceComponents{v}.Describe() }

// String writes the variance as text.
func (v VarianceComponent) String() string { return v.Describe().String() }

// Describe returns the coefficients of the groups as a table.
func (c *GroupCoefs) Describe() *report.Table {
	if c == nil {
		return tables.Rows("Coefficients of groups")
	}
	title := "Coefficients of groups"
	if c.Level != "" {
		title = "Coefficients of the groups of " + c.Level
	}
	t := tables.Rows(title,
		tables.Text("group", c.Rows, func(r GroupCoef) string { return r.Group }),
		tables.Int("n", c.Rows, func(r GroupCoef) int { return r.NObs }))
	at := func(v []float64, j int) float64 {
		if j < len(v) {
			return v[j]
		}
		return math.NaN()
	}
	for j, name := range c.Names {
		t.Columns = append(t.Columns, tables.Number(name, c.Rows, 4, func(r GroupCoef) float64 { return at(r.Coef, j) }),
			tables.Number("std. error "+name, c.Rows, 3, func(r GroupCoef) float64 { return at(r.StdErr, j) }))
	}
	for j, name := range c.Terms {
		t.Columns = append(t.Columns, tables.Decimal("own "+name, c.Rows, 2, func(r GroupCoef) float64 { return at(r.Own, j) }))
	}
	t.Notes = []string{"own: weight of the group's own rows; the rest is borrowed from the others"}
	return t
}

// String writes the coefficients of the groups as text.
func (c *GroupCoefs) String() string { return c.Describe().String() }

// Describe returns the coefficients of the group as a table.
func (r GroupCoef) Describe() *report.Table {
	t := tables.Rows("Coefficients of group "+r.Group, report.NumberColumn("coefficient", r.Coef, 4))
	if len(r.StdErr) == len(r.Coef) {
		t.Columns = append(t.Columns, report.NumberColumn("std. error", r.StdErr, 3))
	}
	t.Notes = []string{format.Plural(r.NObs, "row")}
	return t
}

// String writes the coefficients of the group as text.
func (r GroupCoef) String() string { return r.Describe().String() }

// Head returns the predictions of the first rows as a table: 0 means ten rows, or all of up
// to 25, and a negative number all. Names of the rows are their numbers if nil. The error is
// ErrShape if there are other than one name for each row.
func (p *GroupPredictive) Head(rows int, names []string) (*report.Table, error) {
	t, err := p.Predictive.Head(rows, names)
	if err != nil {
		return nil, err
	}
	if len(p.Seen) == len(p.Mean) && len(t.Columns) > 0 {
		seen := make([]string, min(len(p.Seen), len(t.Columns[0].Cells)))
		fresh := 0
		for i := range seen {
			if seen[i] = p.Seen[i]; seen[i] == "" {
				seen[i] = "new"
			}
		}
		for _, s := range p.Seen {
			if s == "" {
				fresh++
			}
		}
		t.Columns = append(t.Columns, report.TextColumn("group of", seen...))
		if fresh > 0 {
			t.Notes = append(t.Notes, format.Plural(fresh, "row")+" of new groups, predicted from b*")
		}
	}
	return t, nil
}

// Describe returns the predictions as a table.
func (p *GroupPredictive) Describe() *report.Table { return tables.OrError(p.Head(0, nil)) }

// String writes the predictions as text.
func (p *GroupPredictive) String() string { return p.Describe().String() }

// Describe returns the test as a table.
func (v *VarianceTest) Describe() *report.Table {
	t := tables.Rows(fmt.Sprintf("Test of the variance of %s between groups of %s", v.Term, v.Level),
		report.NumberColumn("statistic", []float64{v.Stat}, 5), report.TextColumn("null distribution", fmt.Sprintf("χ²(%d)/2 + χ²(%d)/2", v.DF1, v.DF2)),
		report.PColumn("p", []float64{v.P}), report.PColumn(fmt.Sprintf("p of χ²(%d)", v.DF2), []float64{v.Naive}))
	t.Notes = []string{"p counts that zero is at the edge of the range of a variance"}
	return t
}

// String writes the test as text.
func (v *VarianceTest) String() string { return v.Describe().String() }

// Describe returns the posterior of tau as a table: mean, standard deviation, mode, median and
// central limits of 95%.
func (p *VariancePosterior) Describe() *report.Table {
	q := make([]float64, 3)
	for i, prob := range []float64{0.025, 0.5, 0.975} {
		q[i] = math.NaN()
		if len(p.s.Tau) > 0 {
			if v, err := p.Quantile(prob); err == nil {
				q[i] = v
			}
		}
	}
	t := tables.Rows(fmt.Sprintf("Posterior of the standard deviation τ of %s between groups of %s", p.s.Term, p.s.Level),
		report.NumberColumn("mean", []float64{p.s.Mean}, 4), report.NumberColumn("std. dev.", []float64{p.s.SD}, 4), report.NumberColumn("mode", []float64{p.s.Mode}, 4),
		report.NumberColumn("2.5%", q[:1], 4), report.NumberColumn("median", q[1:2], 4), report.NumberColumn("97.5%", q[2:], 4))
	prior := "uniform prior of τ"
	if p.s.HalfCauchy > 0 {
		prior = "half-Cauchy prior of τ, scale " + format.Number(p.s.HalfCauchy, 4)
	}
	t.Notes = []string{fmt.Sprintf("%s; %s; error of the quadrature below %s", prior, format.Plural(p.s.Groups, "group"), format.PowerAbove(math.Max(p.s.Error, 1e-15)))}
	return t
}

// String writes the posterior of tau as text.
func (p *VariancePosterior) String() string { return p.Describe().String() }

// Describe returns b* as a table, with what the iteration reached below it.
func (f *MultiTaskMAP) Describe() *report.Table {
	t := &report.Table{Title: tables.Of("Joint maximum", f.l.Response), Columns: []report.Column{report.TextColumn("term", f.Names()...), tables.Estimates(f.Coef())}}
	t.Notes = inScaledUnits([]string{
		fmt.Sprintf("n = %d, %s: %s", f.s.N, f.s.Level, format.Plural(len(f.s.Labels), "group")),
		fmt.Sprintf("%s, %s: largest derivative %s, objective within %s of its maximum", f.method(), format.Plural(f.s.Iterations, "iteration"),
			format.PowerAbove(math.Max(f.s.Gradient, 1e-16)), format.PowerAbove(math.Max(f.s.Gap, 1e-16))),
	}, f.l.Scaling)
	return t
}

// String writes b* as text.
func (f *MultiTaskMAP) String() string { return f.Describe().String() }

// Describe returns the errors as a table.
func (c *MultiTaskCV) Describe() *report.Table {
	if c.CV == nil {
		return tables.Rows("Cross-validated error by s and s*")
	}
	hyper := make([]string, len(c.s.HyperSD))
	for i, h := range c.s.HyperSD {
		if hyper[i] = "flat"; h > 0 {
			hyper[i] = format.Number(h, 4)
		}
	}
	t := tables.Rows("Cross-validated error by s and s*",
		report.NumberColumn("s", c.s.SD, 4), report.TextColumn("s*", hyper...), report.NumberColumn(c.Measure(), c.Mean(), 5), report.NumberColumn("std. error", c.StdErr(), 3))
	best := c.Min()
	t.Notes = []string{fmt.Sprintf("least error at s = %s, s* = %s", format.Number(c.s.SD[best], 4), hyper[best])}
	return t
}

// String writes the errors as text.
func (c *MultiTaskCV) String() string { return c.Describe().String() }

// Describe returns the levels as a table.
func (g *Grouping) Describe() *report.Table {
	if g == nil || len(g.levels) == 0 {
		return tables.Rows("Groups")
	}
	least, most := make([]int, len(g.levels)), make([]int, len(g.levels))
	for l, level := range g.levels {
		count := make([]int, len(level.Labels))
		for i, of := range level.Of {
			if g.sums != nil {
				count[of] += g.sums[i].s.N
				continue
			}
			count[of]++
		}
		least[l], most[l] = slices.Min(count), slices.Max(count)
	}
	return tables.Rows("Groups",
		tables.Text("level", g.levels, func(l groupLevel) string { return l.Name }),
		tables.Int("groups", g.levels, func(l groupLevel) int { return len(l.Labels) }),
		report.IntColumn("least rows", least...), report.IntColumn("most rows", most...))
}

// String writes the levels as text.
func (g *Grouping) String() string { return g.Describe().String() }
