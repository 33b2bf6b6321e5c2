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

// Describe returns the columns of the design as a table, the response first: mean,
// standard deviation (ddof = 0), smallest and largest value over all rows, whatever
// their weights. Of more than 25 columns it has the first ten. Below stand the number
// of rows and what else the design knows.
func (d *Design) Describe() *report.Table {
	n := d.NObs()
	var terms []string
	var stats [4][]float64
	add := func(name string, x []float64) {
		mean, sd, largest := meanDeviation(x, len(x))
		terms = append(terms, name)
		for k, v := range []float64{orZero(mean, largest), orZero(sd, largest), slices.Min(x), slices.Max(x)} {
			stats[k] = append(stats[k], v)
		}
	}
	if len(d.Y) == n && n > 0 {
		add(orResponse(d.Response), d.Y)
	}
	if n > 0 && d.X != nil {
		for j := range min(d.NTerms(), len(d.Names)) {
			add(d.Names[j], format.Each(numbersTo(n), func(i int) float64 { return d.X.At(i, j) }))
		}
	}
	t := tables.Shortened(tables.Rows(tables.Of("Design", d.Response), report.TextColumn("column", terms...),
		report.NumberColumn("mean", stats[0], 0), report.NumberColumn("std. dev.", stats[1], 0),
		report.NumberColumn("smallest", stats[2], 0), report.NumberColumn("largest", stats[3], 0)))
	size := fmt.Sprintf("%s, %s", format.Plural(n, "row"), format.Plural(len(d.Names), "term"))
	if d.NoIntercept {
		size += ", no intercept"
	}
	if d.Omitted > 0 {
		size += fmt.Sprintf(" (%d omitted for missing values)", d.Omitted)
	}
	t.Notes = append(t.Notes, size)
	if d.Weights != nil {
		t.Notes = append(t.Notes, fmt.Sprintf("rows have weights; %d of them are positive", d.positiveRows()))
	}
	if d.Classes != nil {
		t.Notes = append(t.Notes, "classes: "+strings.Join(d.Classes, ", "))
	}
	if d.Scaling != nil {
		t.Notes = append(t.Notes, "predictors are scaled")
	}
	return t
}

// orResponse is the name of the response in a table.
func orResponse(name string) string {
	if name == "" {
		return "(response)"
	}
	return name
}

// orZero is a mean or a deviation, or 0 if it is the rounding of values as large as the
// largest, whose digits differ between processors.
func orZero(v, largest float64) float64 {
	if math.Abs(v) <= 1e-14*largest {
		return 0
	}
	return v
}

// String writes the columns of the design as text.
func (d *Design) String() string { return d.Describe().String() }

// Describe returns the columns of the data as a table, the response first: weighted mean
// and standard deviation, the root of the centered sum of squares over the sum of the
// weights. Of more than 25 columns it has the first ten. Below stand the number of rows
// and the sum of the weights.
func (m *Moments) Describe() *report.Table {
	w, sxx := m.SumWeights(), m.SXX()
	terms := append([]string{orResponse(m.Response())}, m.Terms()...)
	means := append([]float64{m.MeanY()}, m.MeanX()...)
	sd := []float64{math.Sqrt(m.SYY() / w)}
	for j := range m.Terms() {
		sd = append(sd, math.Sqrt(sxx.At(j, j)/w))
	}
	for j := range means {
		means[j] = orZero(means[j], sd[j])
	}
	t := tables.Shortened(tables.Rows(tables.Of("Moments", m.Response()), report.TextColumn("column", terms...),
		report.NumberColumn("mean", means, 0), report.NumberColumn("std. dev.", sd, 0)))
	size := format.Plural(m.NObs(), "row")
	if w != float64(m.NObs()) {
		size += ", sum of weights " + format.Number(w, 6)
	}
	if m.NoIntercept() {
		size += ", no intercept"
	}
	t.Notes = append(t.Notes, size)
	if m.Scaling() != nil {
		t.Notes = append(t.Notes, "predictors are scaled")
	}
	return t
}

// String writes the columns of the data as text.
func (m *Moments) String() string { return m.Describe().String() }

// Describe returns the center and the scale of every column as a table.
func (s *Scaling) Describe() *report.Table {
	n := max(len(s.Center), len(s.Scale))
	at := format.Each(numbersTo(n), func(j int) [2]float64 {
		center, scale := s.at(j)
		return [2]float64{center, scale}
	})
	return tables.Shortened(tables.Rows("Scaling of the predictors",
		tables.Int("column", numbersTo(n), func(j int) int { return j + 1 }),
		tables.Number("center", at, 0, func(v [2]float64) float64 { return v[0] }),
		tables.Number("scale", at, 0, func(v [2]float64) float64 { return v[1] })))
}

// String writes the scaling as text.
func (s *Scaling) String() string { return s.Describe().String() }

// Describe returns the groups and their columns as a table.
func (g TermGroups) Describe() *report.Table {
	return tables.Rows("Groups of columns",
		tables.Text("group", g, func(g TermGroup) string { return g.Name }),
		tables.Text("columns", g, func(g TermGroup) string { return strings.Join(g.Terms, ", ") }))
}

// String writes the groups as text.
func (g TermGroups) String() string { return g.Describe().String() }

// Describe returns the group as a table.
func (g TermGroup) Describe() *report.Table { return TermGroups{g}.Describe() }

// String writes the group as text.
func (g TermGroup) String() string { return g.Describe().String() }

// Describe returns the columns as a table: the term that each belongs to, and the
// fingerprint of what it learned.
func (c *Coding) Describe() *report.Table {
	columns := c.s.Columns
	return tables.Shortened(tables.Rows("Coding of columns",
		tables.Text("column", columns, func(k CodedColumn) string { return k.Name }),
		tables.Text("term", columns, func(k CodedColumn) string { return c.term(k.Name) }),
		tables.Text("fingerprint", columns, func(k CodedColumn) string { return k.Fingerprint })))
}

// String writes the columns as text.
func (c *Coding) String() string { return c.Describe().String() }

// describeBasis returns the functions of a basis as a table, of many the first 25, with
// what it is in the title.
func describeBasis(b Basis, kind string, notes ...string) *report.Table {
	inputs := []string{"x"}
	if d := b.Inputs(); d != 1 {
		inputs = format.Each(numbersTo(d), func(j int) string { return fmt.Sprintf("x%d", j+1) })
	}
	names, err := columnNames(b, inputs)
	if err != nil {
		return tables.Line(kind + ": " + err.Error())
	}
	show := names[:min(len(names), format.FewRows)]
	t := &report.Table{
		Title:   fmt.Sprintf("%s: %s of %s", kind, format.Plural(len(names), "function"), format.Plural(len(inputs), "input")),
		Columns: []report.Column{tables.Int("", numbersTo(len(show)), func(k int) int { return k + 1 }), report.TextColumn("function", show...)},
		Notes:   notes,
	}
	if more := len(names) - len(show); more > 0 {
		t.Notes = append([]string{fmt.Sprintf("... %d more", more)}, notes...)
	}
	return t
}

// knotNotes tells of the knots of a spline.
func knotNotes(knots, boundary []float64) []string {
	notes := []string{"no knots inside"}
	if len(knots) > 0 {
		notes[0] = "knots inside at " + format.Brackets(knots)
	}
	if len(boundary) == 2 {
		notes = append(notes, "boundary "+format.Brackets(boundary))
	}
	return notes
}

// Describe returns the functions of the basis as a table.
func (b *BSpline) Describe() *report.Table {
	return describeBasis(b, fmt.Sprintf("B-splines of degree %d", b.Degree), knotNotes(b.Knots, b.Boundary)...)
}

// String writes the functions of the basis as text.
func (b *BSpline) String() string { return b.Describe().String() }

// Describe returns the functions of the basis as a table.
func (n *NaturalSpline) Describe() *report.Table {
	return describeBasis(n, "Natural cubic splines", knotNotes(n.Knots, n.Boundary)...)
}

// String writes the functions of the basis as text.
func (n *NaturalSpline) String() string { return n.Describe().String() }

// Describe returns the functions of the basis as a table.
func (p *Poly) Describe() *report.Table { return describeBasis(p, "Orthogonal polynomials") }

// String writes the functions of the basis as text.
func (p *Poly) String() string { return p.Describe().String() }

// Describe returns the functions of the basis as a table.
func (p *Powers) Describe() *report.Table { return describeBasis(p, "Powers") }

// String writes the functions of the basis as text.
func (p *Powers) String() string { return p.Describe().String() }

// Describe returns the functions of the basis as a table.
func (f *Fourier) Describe() *report.Table {
	return describeBasis(f, "Waves", "period "+format.Number(f.Period, format.Digits))
}

// String writes the functions of the basis as text.
func (f *Fourier) String() string { return f.Describe().String() }

// Describe returns the functions of the basis as a table.
func (r *RBF) Describe() *report.Table {
	return describeBasis(r, "Radial basis functions", "width "+format.Number(r.Width, format.Digits))
}

// String writes the functions of the basis as text.
func (r *RBF) String() string { return r.Describe().String() }

// Describe returns the functions of the basis as a table.
func (r *RandomCosines) Describe() *report.Table { return describeBasis(r, "Random cosines") }

// String writes the functions of the basis as text.
func (r *RandomCosines) String() string { return r.Describe().String() }

// Describe returns the functions of the basis as a table.
func (a *Additive) Describe() *report.Table {
	return describeBasis(a, "Sum of "+format.Plural(len(a.Parts), "basis part"))
}

// String writes the functions of the basis as text.
func (a *Additive) String() string { return a.Describe().String() }

// Describe returns the functions of the basis as a table.
func (i *Interaction) Describe() *report.Table { return describeBasis(i, "Products of two bases") }

// String writes the functions of the basis as text.
func (i *Interaction) String() string { return i.Describe().String() }

// Describe returns the words in most training documents as a table, ten of them.
func (w *Words) Describe() *report.Table {
	counts := format.Each(w.Counts, func(c int) float64 { return float64(c) })
	order := largestOf(min(len(counts), len(w.Vocabulary), format.HeadRows), counts)
	return tables.Rows(fmt.Sprintf("Vocabulary: %s of %s", format.Plural(len(w.Vocabulary), "word"), format.Plural(w.Documents, "document")),
		tables.Text("word", order, func(k int) string { return w.Vocabulary[k] }),
		tables.Int("documents", order, func(k int) int { return w.Counts[k] }))
}

// String writes the words in most training documents as text.
func (w *Words) String() string { return w.Describe().String() }
