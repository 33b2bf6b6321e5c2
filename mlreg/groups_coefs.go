package mlreg

import (
	"fmt"
	"math"
	"slices"

	"github.com/regbook/regbook/internal/dist"
	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/fault"
	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
)

// GroupCoef are the coefficients of a group, b* and what varies included, with their
// standard errors, which count the uncertainty of b*.
type GroupCoef struct {
	Group  string
	NObs   int
	Coef   []float64 // in the order of Names
	StdErr []float64
	// Own is the weight of the group's own data in each coefficient that varies, 1 less the
	// shrinkage factor: 1 - v_j/v for the variance v between groups and v_j, what the rows of
	// the group leave of it given b*. It is 0 if all is borrowed, 1 if nothing is; for an
	// intercept alone n_j s^2/(n_j s^2 + sigma^2).
	Own []float64
}

// GroupCoefs are the coefficients of all groups of a level.
type GroupCoefs struct {
	Level string
	Names []string // of the coefficients
	Terms []string // that vary, in the order of Own
	Rows  []GroupCoef
}

// Coef returns the coefficients of a group by its label; ErrSetting if there is none.
func (c *GroupCoefs) Coef(group string) ([]float64, error) {
	for _, row := range c.Rows {
		if row.Group == group {
			return slices.Clone(row.Coef), nil
		}
	}
	return nil, fmt.Errorf("%w: level %q has no group %q", ErrSetting, c.Level, group)
}

// Limits returns limits of a coefficient for every group at a level of confidence, Term
// the group: coef -+ z stderr. They are exact given the variances, and hold somewhat less than
// they say if the variances were estimated. Errors are ErrSetting for
// an unknown term or the level.
func (c *GroupCoefs) Limits(term string, level float64) (report.Rows[Interval], error) {
	if err := fault.Level(level); err != nil {
		return nil, err
	}
	j := slices.Index(c.Names, term)
	if j < 0 {
		return nil, fmt.Errorf("%w: there is no coefficient %q, but %s", ErrSetting, term, format.Quoted(c.Names))
	}
	z := dist.TQuantile(1-level, math.Inf(1))
	return format.Each(c.Rows, func(r GroupCoef) Interval {
		return Interval{r.Group, r.Coef[j] - z*r.StdErr[j], r.Coef[j] + z*r.StdErr[j], level}
	}), nil
}

// GroupPredictive is the distribution that a fit to groups, such as hier.MultiTask, predicts for rows of groups,
// old or new.
type GroupPredictive struct {
	Predictive
	// Seen is the innermost level at which the group of each row was fitted, "" for a row
	// of a group that is new at every level: it is predicted from b*.
	Seen []string
}

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
			tables.Number(format.StdErr+" "+name, c.Rows, 3, func(r GroupCoef) float64 { return at(r.StdErr, j) }))
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
		t.Columns = append(t.Columns, report.NumberColumn(format.StdErr, r.StdErr, 3))
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
