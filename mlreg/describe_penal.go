package mlreg

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
)

// coefTable is the table of the coefficients of a penalized fit, those that are zero
// left out if there are many; out tells how many.
func coefTable(title string, names []string, coef []float64) (t *report.Table, out int) {
	const many = 20
	if all := len(coef); all > many {
		var keptNames []string
		var kept []float64
		for i, b := range coef {
			if b != 0 || names[i] == InterceptName {
				keptNames, kept = append(keptNames, names[i]), append(kept, b)
			}
		}
		names, coef, out = keptNames, kept, all-len(kept)
	}
	return &report.Table{Title: title, Columns: []report.Column{report.TextColumn("term", names...), tables.Estimates(coef)}}, out
}

// penalized is what the tables of penalized fits of a Gaussian response need.
type penalized interface {
	Names() []string
	Coef() []float64
	NObs() int
	RSS() float64
	R2() float64
	DoF() float64
	Scaling() *Scaling
}

// describePenalized returns the table of a penalized fit with the lines given below it.
func describePenalized(f penalized, title string, lines ...string) *report.Table {
	t, out := coefTable(title, f.Names(), f.Coef())
	t.Notes = lines
	if out > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("%d slopes of zero not shown", out))
	}
	t.Notes = inScaledUnits(t.Notes, f.Scaling())
	return t
}

// sizeOf is the line of a penalized fit on its size.
func sizeOf(f penalized) string {
	return fmt.Sprintf("n = %d, dof = %s, RSS = %s, R² = %s", f.NObs(), format.Decimal(f.DoF(), 2), format.Number(f.RSS(), 5), format.Decimal(f.R2(), 4))
}

// gapText states a certificate. Both numbers are bounds: their digits are those of
// an iteration or of rounding.
func gapText(gap, kkt float64, base string) string {
	violation := "KKT violated by at most " + format.PowerAbove(math.Max(kkt, 1e-12))
	if math.IsNaN(gap) {
		return violation
	}
	return "duality gap at most " + format.PowerAbove(math.Max(gap, 1e-12)) + " of the " + base + ", " + violation
}

// title names a fit by its penalties.
func (f *penalFit) title(kind, response string) string {
	name, at := "Lasso", fmt.Sprintf("λ = %s", format.Number(f.L1(), 6))
	if f.L2() > 0 {
		name, at = "Elastic net", fmt.Sprintf("λ₁ = %s, λ₂ = %s", format.Number(f.L1(), 6), format.Number(f.L2(), 6))
	}
	return fmt.Sprintf("%s %s of %s at %s", ofGroups(name, f.s.Grouped), kind, response, at)
}

// ofGroups names a penalty on groups.
func ofGroups(name string, groups bool) string {
	if !groups {
		return name
	}
	return "Group " + strings.ToLower(name[:1]) + name[1:]
}

// interpolated is the certificate of a fit between two lambdas of a path.
const interpolated = "interpolated between two fits: no certificate"

// Describe returns the table of the coefficients, without those that are zero if there
// are more than 20, with the size of the fit and its certificate.
func (f *ElasticNet) Describe() *report.Table {
	size, certificate := fmt.Sprintf("n = %d", f.NObs()), interpolated
	if !math.IsNaN(f.KKT()) {
		size, certificate = sizeOf(f), gapText(f.Gap(), f.KKT(), "null RSS")
	}
	return describePenalized(f, f.title("fit", f.Response()), size, certificate)
}

// String writes the table of the fit as text.
func (f *ElasticNet) String() string { return f.Describe().String() }

// Describe returns the table of the coefficients, without those that are zero if there
// are more than 20, with the size of the fit and its two certificates.
func (f *RelaxedLasso) Describe() *report.Table {
	title := fmt.Sprintf("Relaxed lasso fit of %s at λ = %s, γ = %s", f.Response(), format.Number(f.Lambda(), 6), format.Number(f.Gamma(), 6))
	return describePenalized(f, title, sizeOf(f), gapText(f.Gap(), f.KKT(), "null RSS"))
}

// String writes the table of the fit as text.
func (f *RelaxedLasso) String() string { return f.Describe().String() }

// Describe returns the table of the coefficients, with the size of the fit, the method
// and its certificate.
func (f *Ridge) Describe() *report.Table {
	return describePenalized(f, fmt.Sprintf("Ridge fit of %s at λ = %s", f.Response(), format.Number(f.Lambda(), 6)),
		sizeOf(f)+", GCV = "+format.Number(f.GCV(), 4), f.Method()+", "+gapText(math.NaN(), f.KKT(), ""))
}

// String writes the table of the fit as text.
func (f *Ridge) String() string { return f.Describe().String() }

// Describe returns the table of the coefficients, with the size of the fit.
func (f *PCR) Describe() *report.Table {
	return describePenalized(f, fmt.Sprintf("Fit of %s on %s", f.Response(), format.Plural(f.Components(), "principal component")), sizeOf(f))
}

// String writes the table of the fit as text.
func (f *PCR) String() string { return f.Describe().String() }

// Describe returns the table of the coefficients, with the number of sweeps, how far
// the last one went, and the objective.
func (f *Shooting) Describe() *report.Table {
	t := &report.Table{
		Title:   fmt.Sprintf("Lasso of %s at λ = %s by the shooting algorithm", f.Response(), format.Number(f.Lambda(), 6)),
		Columns: []report.Column{report.TextColumn("term", f.Names()...), tables.Estimates(f.Coef())},
	}
	if change := f.Change(); len(change) > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("%s, the last changed the slopes by %s in all", format.Plural(f.Sweeps(), "sweep"), format.Number(change[len(change)-1], 2)))
	}
	objective := f.Objective()
	t.Notes = append(t.Notes, "RSS + λΣ|b| = "+format.Number(objective[len(objective)-1], 6)+", without a certificate")
	return t
}

// String writes the table of the fit as text.
func (f *Shooting) String() string { return f.Describe().String() }

// Describe returns the table of the coefficients, without those that are zero if there
// are more than 20, with the deviances and the certificate.
func (f *SparseLogistic) Describe() *report.Table {
	classes := f.Classes()
	title := f.title("logistic fit", f.Response())
	t, out := coefTable(title+fmt.Sprintf(": log odds of %s against %s", classes[1], classes[0]), f.Names(), f.Coef())
	t.Notes = f.ofClasses()
	if out > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("%d slopes of zero not shown", out))
	}
	t.Notes = inScaledUnits(t.Notes, f.Scaling())
	return t
}

// String writes the table of the fit as text.
func (f *SparseLogistic) String() string { return f.Describe().String() }

// Describe returns the table of the coefficients, without those that are zero if there
// are more than 20, with the deviances and the certificate.
func (f *SparseGLM) Describe() *report.Table {
	t, out := coefTable(f.title(f.c.Family.title()+" fit", f.Response()), f.Names(), f.Coef())
	t.Notes = f.ofClasses()
	if out > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("%d slopes of zero not shown", out))
	}
	t.Notes = inScaledUnits(t.Notes, f.Scaling())
	return t
}

// String writes the table of the fit as text.
func (f *SparseGLM) String() string { return f.Describe().String() }

// ofClasses are the notes on the size of a fit to classes, and its certificate.
func (f *penalFit) ofClasses() []string {
	size := fmt.Sprintf("n = %d", f.NObs())
	if math.IsNaN(f.KKT()) {
		return []string{size, interpolated}
	}
	size += fmt.Sprintf(", dof = %s, deviance %s, null deviance %s", format.Decimal(f.DoF(), 2), format.Decimal(2*f.s.Loss, 2), format.Decimal(2*f.s.Null, 2))
	return []string{size, gapText(f.Gap(), f.KKT(), "null deviance/2")}
}

// Describe returns the table of the coefficients, a column for each class, without the
// terms that are zero in all if there are more than 20, with the deviances and the
// certificate.
func (f *SparseMultinomial) Describe() *report.Table {
	const many = 20
	b, names := f.CoefMatrix(), f.Terms()
	var shown []int
	for j, name := range names {
		nonzero := slices.ContainsFunc(mat.Col(nil, j, b), func(v float64) bool { return v != 0 })
		if len(names) <= many || name == InterceptName || nonzero {
			shown = append(shown, j)
		}
	}
	t := &report.Table{
		Title:   f.title("multinomial fit", f.Response()),
		Columns: []report.Column{tables.Text("term", shown, func(j int) string { return names[j] })},
	}
	for k, class := range f.Classes() {
		column := tables.Estimates(format.Each(shown, func(j int) float64 { return b.At(k, j) }))
		column.Name = class
		t.Columns = append(t.Columns, column)
	}
	t.Notes = f.ofClasses()
	if out := len(names) - len(shown); out > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("%s with slopes of zero not shown", format.Plural(out, "term")))
	}
	t.Notes = inScaledUnits(t.Notes, f.Scaling())
	return t
}

// String writes the table of the fit as text.
func (f *SparseMultinomial) String() string { return f.Describe().String() }

// path is fits along a penalty.
type path interface {
	Lambda() []float64
	Slopes() *mat.Dense
	DoF() []float64
}

// pathRows is how many lambdas a table of a path shows.
const pathRows = 10

// Describe returns ten lambdas of the path as a table, from its first to its last:
// degrees of freedom, the number of slopes that are not zero, their L1 norm, and R2, or
// the ratio of deviances of classes. Below it stand the numbers of lambdas and
// observations, and the certificate of the worst lambda.
func (p *Path[F]) Describe() *report.Table {
	lambda, slopes := p.Lambda(), p.Slopes()
	var rows []int
	for i := range pathRows {
		rows = append(rows, int(math.Round(float64(i)*float64(len(lambda)-1)/(pathRows-1))))
	}
	rows = slices.Compact(rows)
	pick := func(v []float64) []float64 { return format.Each(rows, func(k int) float64 { return v[k] }) }
	explains, base := "R²", "null RSS"
	if p.s.Classes != nil || p.s.Family != 0 {
		explains, base = "deviance ratio", "null deviance/2"
	}
	if p.s.Quantile != nil {
		explains, base = "R1", "null loss"
	}
	notes := []string{fmt.Sprintf("n = %d, %d lambdas, %s", p.NObs(), len(lambda), format.Plural(len(p.s.L.Names), "term"))}
	if m := p.LambdaMax(); !math.IsInf(m, 0) && !math.IsNaN(m) {
		notes = append(notes, "all penalized slopes are zero from λ = "+format.Number(m, 6)+" on")
	}
	if gap, worst := slices.Max(p.Gap()), slices.Max(p.KKT()); worst > 0 || !math.IsNaN(gap) {
		notes = append(notes, "at every λ: "+gapText(gap, worst, base))
	}
	if p.s.L1 > 0 && p.s.GroupOf == nil && !p.s.several() {
		notes = append(notes, otherTerms(nil, nil, splitGroups(p.s.L.Names, p.s.L.Coding.Groups()))...)
	}
	return &report.Table{
		Title: tables.Of(p.s.title(), p.Response()),
		Columns: []report.Column{
			tables.Written("λ", pick(lambda), func(v float64) string { return format.Number(v, format.Digits) }),
			report.DecimalColumn("dof", pick(p.DoF()), 2),
			nonzeroColumn(slopes, rows),
			tables.Number("Σ|b|", rows, 0, func(k int) float64 { return mat.Norm(slopes.RowView(k).T(), math.Inf(1)) }),
			report.DecimalColumn(explains, pick(p.DevianceRatio()), 4),
		},
		Notes: inScaledUnits(notes, p.Scaling()),
	}
}

// String writes the table of the path as text.
func (p *Path[F]) String() string { return p.Describe().String() }

// title says what a path is of.
func (s *pathState) title() string {
	title := "Lasso path"
	switch {
	case s.L1 == 0:
		title = "Ridge path"
	case s.L1 < 1:
		title = "Elastic net path (L1 share " + format.Number(s.L1, 3) + ")"
	}
	if s.Relaxed {
		title = "Relaxed lasso path (γ = " + format.Number(s.Gamma, 6) + ")"
	}
	switch title = ofGroups(title, s.GroupOf != nil); {
	case s.Quantile != nil:
		title += fmt.Sprintf(" of the quantile at τ = %s", format.Number(s.Quantile.Tau, 6))
	case s.several():
		title = "Multinomial " + strings.ToLower(title[:1]) + title[1:]
	case s.Family != 0:
		title = s.Family.title() + " " + strings.ToLower(title[:1]) + title[1:]
	case s.Classes != nil:
		title = "Logistic " + strings.ToLower(title[:1]) + title[1:]
	}
	return title
}

// nonzeroColumn counts the slopes that are not zero in some rows.
func nonzeroColumn(slopes *mat.Dense, rows []int) report.Column {
	return tables.Int("nonzero", rows, func(k int) (n int) {
		for _, b := range slopes.RawRowView(k) {
			if b != 0 {
				n++
			}
		}
		return n
	})
}

// describe is the table of a cross-validation: the candidate of least loss, and the
// simplest within a standard error of it, with the lambda, the degrees of freedom and
// the slopes that a path has for each.
func (c *CV) describe(p path) *report.Table {
	mean, se := c.Mean(), c.StdErr()
	chosen := []int{c.Min(), c.OneSE()}
	pick := func(v []float64) []float64 { return format.Each(chosen, func(k int) float64 { return v[k] }) }
	t := &report.Table{Title: "Cross-validation", Columns: []report.Column{report.TextColumn("", "least loss", "one standard error")}}
	if p == nil {
		t.Columns = append(t.Columns, report.IntColumn("candidate", chosen[0]+1, chosen[1]+1))
	} else {
		t.Columns = append(t.Columns, report.NumberColumn("λ", pick(p.Lambda()), 0))
	}
	t.Columns = append(t.Columns, report.NumberColumn("loss", pick(mean), 0), report.NumberColumn("std. error", pick(se), 3))
	if p != nil {
		t.Columns = append(t.Columns, report.DecimalColumn("dof", pick(p.DoF()), 2), nonzeroColumn(p.Slopes(), chosen))
	}
	t.Notes = []string{fmt.Sprintf("%s, %d candidates", format.HeldOut(c.Folds(), c.Planned()), len(mean))}
	return t
}

// Describe returns the candidate of least loss, and the one that the rule of one
// standard error takes, as a table.
func (c *CV) Describe() *report.Table { return c.describe(nil) }

// String writes the two candidates as text.
func (c *CV) String() string { return c.Describe().String() }

// Describe returns the lambda of least loss, and the one that the rule of one standard
// error takes, as a table.
func (c *PathCV[P, F]) Describe() *report.Table { return c.describe(c.Path) }

// String writes the two lambdas as text.
func (c *PathCV[P, F]) String() string { return c.Describe().String() }

// Describe returns the sizes of the folds as a table that is written in a line:
// "10 folds of 97 rows (9 or 10 each)".
func (f *Folds) Describe() *report.Table {
	counts := format.Each(numbersTo(f.Len()), f.size)
	sizes := slices.Clone(counts)
	slices.Sort(sizes)
	sizes = slices.Compact(sizes)
	each := strings.Trim(fmt.Sprint(sizes), "[]")
	switch {
	case len(sizes) == 2:
		each = fmt.Sprintf("%d or %d", sizes[0], sizes[1])
	case len(sizes) > 2:
		each = fmt.Sprintf("%d to %d", sizes[0], sizes[len(sizes)-1])
	}
	return tables.Line(fmt.Sprintf("%s of %d rows (%s each)", format.Plural(f.Len(), "fold"), f.NObs(), each),
		tables.Int("fold", numbersTo(f.Len()), func(k int) int { return k + 1 }), report.IntColumn("rows", counts...))
}

// String writes the sizes of the folds in a line.
func (f *Folds) String() string { return f.Describe().String() }
