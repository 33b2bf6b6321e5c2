package mlreg

import (
	"fmt"
	"math"
	"slices"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
)

// Describe returns the table of the coefficients, of which those that are zero are left
// out if there are more than 20, with the range of each if the fit is not unique, the
// size of the fit, and its certificate.
func (f *Quantile) Describe() *report.Table {
	title := fmt.Sprintf("Quantile regression of %s at τ = %s", f.Response(), format.Number(f.Tau(), 6))
	if f.Tau() == 0.5 {
		title = "Median regression of " + f.Response()
	}
	if f.L1() > 0 {
		title += ", λ₁ = " + format.Number(f.L1(), 6)
	}
	if f.L2() > 0 {
		title += ", λ₂ = " + format.Number(f.L2(), 6)
	}
	t, out := coefTable(title, f.Names(), f.Coef())
	if r := f.Range(); !f.Unique() && out == 0 {
		t.Columns = append(t.Columns,
			tables.Number("least", r, format.Digits+1, func(l Interval) float64 { return l.Lower }),
			tables.Number("largest", r, format.Digits+1, func(l Interval) float64 { return l.Upper }))
	}
	t.Notes = append(joined(append(sizeFacts(f), "loss "+format.Number(f.Loss(), 5), "R1 = "+format.Decimal(f.R1(), 4))),
		joined(likelihoodFacts(f))...)
	certificate := f.Method() + ", duality gap at most " + format.PowerAbove(math.Max(f.Gap(), 1e-15)) + " of the objective"
	if f.L2() == 0 {
		if f.Unique() {
			certificate += ", the only minimum"
		} else {
			certificate += ", one of many minima: least and largest are the ranges of the coefficients over all of them"
		}
	}
	t.Notes = append(t.Notes, certificate)
	if out > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("%d slopes of zero not shown", out))
	}
	t.Notes = inScaledUnits(t.Notes, f.Scaling())
	return t
}

// String writes the table of the fit as text.
func (f *Quantile) String() string { return f.Describe().String() }

// Describe returns the table of the fit; see Summary.
func (f *QuantileInference) Describe() *report.Table {
	t := summary(f)
	note := fmt.Sprintf("standard errors: %s, bandwidth %s", f.Sparsity(), format.Number(f.Bandwidth(), 3))
	if f.Crossed() > 0 {
		note += fmt.Sprintf("; in %s the fits at τ ∓ h cross", format.Plural(f.Crossed(), "row"))
	}
	t.Notes = append(t.Notes, note)
	return t
}

func (f *QuantileInference) kind() string {
	return fmt.Sprintf("Quantile regression (τ = %s)", format.Number(f.Tau(), 6))
}

// String writes the table of the fit as text.
func (f *QuantileInference) String() string { return f.Describe().String() }

// Describe returns the coefficients as a table, a row for every fit; of more than ten
// fits ten are shown, from the first to the last.
func (f *Quantiles) Describe() *report.Table {
	var rows []int
	for i := range min(pathRows, f.Len()) {
		rows = append(rows, int(math.Round(float64(i)*float64(f.Len()-1)/math.Max(float64(min(pathRows, f.Len())-1), 1))))
	}
	rows = slices.Compact(rows)
	tau, coef, r1 := f.Tau(), f.Coef(), f.R1()
	t := &report.Table{
		Title:   "Quantile regressions of " + f.Response(),
		Columns: []report.Column{tables.Written("τ", format.Each(rows, func(k int) float64 { return tau[k] }), func(v float64) string { return format.Number(v, 4) })},
	}
	for j, name := range f.Names() {
		const most = 8
		if j == most {
			t.Notes = append(t.Notes, fmt.Sprintf("%d coefficients not shown", len(f.Names())-most))
			break
		}
		t.Columns = append(t.Columns, tables.Number(name, rows, 0, func(k int) float64 { return coef.At(k, j) }))
	}
	t.Columns = append(t.Columns, report.DecimalColumn("R1", format.Each(rows, func(k int) float64 { return r1[k] }), 4))
	note := fmt.Sprintf("n = %d, %s", f.NObs(), format.Plural(f.Len(), "fit"))
	if f.s.From != nil {
		note += fmt.Sprintf(", all quantiles from %s to %s", format.Number(f.s.From[0], 3), format.Number(f.s.To[f.Len()-1], 6))
	}
	t.Notes = inScaledUnits(append(t.Notes, note, "duality gaps at most "+format.PowerAbove(math.Max(slices.Max(f.Gap()), 1e-15))+" of the objective"), f.Scaling())
	return t
}

// String writes the table of the fits as text.
func (f *Quantiles) String() string { return f.Describe().String() }

// Describe returns the crossings as a table.
func (c QuantileCrossings) Describe() *report.Table {
	return tables.Rows("Crossing quantiles",
		tables.Int("row", c, func(r QuantileCrossing) int { return r.Row + 1 }),
		tables.Number("τ", c, 4, func(r QuantileCrossing) float64 { return r.Lower }),
		tables.Number("fit", c, format.Digits+1, func(r QuantileCrossing) float64 { return r.AtLower }),
		tables.Number("next τ", c, 4, func(r QuantileCrossing) float64 { return r.Upper }),
		tables.Number("its fit", c, format.Digits+1, func(r QuantileCrossing) float64 { return r.AtUpper }))
}

// String writes the crossings as text.
func (c QuantileCrossings) String() string { return c.Describe().String() }

// Describe returns the crossing as a table.
func (c QuantileCrossing) Describe() *report.Table { return QuantileCrossings{c}.Describe() }

// String writes the crossing as text.
func (c QuantileCrossing) String() string { return c.Describe().String() }

// Describe returns the certificate in lines.
func (c *QuantileCertificate) Describe() *report.Table {
	return &report.Table{
		Title: "Certificate of a quantile regression",
		Columns: []report.Column{
			report.TextColumn("", "objective", "dual objective", "gap", "rows above, on and below the fit", "rows whose subgradient is wrong", "imbalance of a column"),
			report.TextColumn("value", format.Number(c.Objective, 10), format.Number(c.Dual, 10), "≤ "+format.PowerAbove(math.Max(c.Gap, 1e-15)),
				fmt.Sprintf("%d, %d, %d", c.Above, c.On, c.Below), fmt.Sprint(c.Outside), "≤ "+format.PowerAbove(math.Max(c.Imbalance, 1e-15))),
		},
	}
}

// String writes the certificate as text.
func (c *QuantileCertificate) String() string { return c.Describe().String() }

// Describe returns the table of the fit; see Summary.
func (f *MEstimate) Describe() *report.Table {
	t := summary(f)
	if f.Exact() {
		t.Notes = append(t.Notes, "exact: more than half of the rows lie on the fit, and the scale is 0")
		return t
	}
	t.Notes = append(t.Notes,
		fmt.Sprintf("%s; %s weight below %v", f.Psi(), format.Plural(f.Outliers(), "row")+" of", outlierWeight),
		fmt.Sprintf("breakdown at %s of the rows, efficiency %s at Gaussian noise", format.Percent(math.Round(1000*f.Breakdown())/1000), format.Percent(math.Round(1000*f.Efficiency())/1000)),
		fmt.Sprintf("%s, estimating equations hold to %s", format.Plural(f.Iterations(), "iteration"), format.PowerAbove(math.Max(f.Equation(), 1e-15))))
	return t
}

func (f *MEstimate) kind() string { return f.RobustMethod().String() + " estimate" }

// String writes the table of the fit as text.
func (f *MEstimate) String() string { return f.Describe().String() }

// Describe returns the table of the fit; see Summary.
func (f *Student) Describe() *report.Table {
	t := summary(f)
	nu := "noise: Student's t with " + format.Number(f.Nu(), 4) + " degrees of freedom"
	if math.IsInf(f.Nu(), 1) {
		nu = "noise: Gaussian, the limit of Student's t"
	}
	if !f.NuKnown() {
		nu += " (estimated)"
	}
	t.Notes = append(t.Notes,
		nu+", scale "+format.Number(f.Scale(), format.Digits),
		fmt.Sprintf("evidence against Gaussian noise: %s bits", format.Decimal(f.EvidenceBits(), 1)),
		"breakdown at "+format.Percent(f.Breakdown())+" of the rows: outlying responses lose their weight, rows far out in their terms do not; see FitRobust",
		fmt.Sprintf("%s, likelihood equations hold to %s", format.Plural(f.Iterations(), "iteration"), format.PowerAbove(math.Max(f.Equation(), 1e-15))))
	if note := f.maximaNote(); note != "" {
		t.Notes = append(t.Notes, note)
	}
	return t
}

func (f *Student) kind() string { return "Student-t regression" }

// String writes the table of the fit as text.
func (f *Student) String() string { return f.Describe().String() }

// Describe returns the loss, its constant and its efficiency as a table that is written in
// a line: "bisquare, c = 4.685". A slice of losses is a table with a row for each,
// in which a loss without a constant has c NaN.
func (p Psi) Describe() *report.Table {
	line, c := p.Kind.String(), math.NaN()
	if p.Kind != AbsolutePsi && p.Kind != SquarePsi {
		c = p.constant()
		line = fmt.Sprintf("%v, c = %v", p.Kind, c)
	}
	return tables.Line(line, report.TextColumn("loss", p.Kind.String()), tables.One("c", c), tables.One("efficiency", p.Efficiency()))
}

// String writes the loss in a line.
func (p Psi) String() string { return p.Describe().String() }
