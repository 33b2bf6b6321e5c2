package mlreg

import (
	"fmt"
	"math"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
)

// Summary returns the table of the posterior: for every coefficient its
// mean, standard deviation and central credible limits at the given level
// (0.95 for 95%), and the probability that it is positive. Below it stand n, the
// noise variance, lambda, the effective number of parameters, the log evidence
// and the method. The error is that of Table.
func (f *Bayes) Summary(level float64) (*report.Table, error) {
	rows, err := f.Table(level)
	if err != nil {
		return nil, err
	}
	t := rows.at(" " + format.Percent(level))
	t.Title, t.Notes = summaryTitle(f), f.facts()
	return t, nil
}

// Describe returns the table of the posterior at level 0.95; see Summary.
func (f *Bayes) Describe() *report.Table { return tables.OrError(f.Summary(0.95)) }

// String writes the table of the posterior as text.
func (f *Bayes) String() string { return f.Describe().String() }

// at is the table of the rows with what follows the names of the limits.
func (r PosteriorRows) at(suffix string) *report.Table {
	mean := format.Each(r, func(r PosteriorRow) float64 { return r.Mean })
	sd := format.Each(r, func(r PosteriorRow) float64 { return r.StdDev })
	unit := tables.Unit(mean, sd)
	return tables.Rows("",
		tables.Text("term", r, func(r PosteriorRow) string { return r.Term }),
		unit("mean", mean),
		unit("std. dev.", sd),
		unit("lower"+suffix, format.Each(r, func(r PosteriorRow) float64 { return r.Lower })),
		unit("upper"+suffix, format.Each(r, func(r PosteriorRow) float64 { return r.Upper })),
		tables.Written("P(w > 0)", format.Each(r, func(r PosteriorRow) float64 { return r.ProbPositive }), format.Probability))
}

// Describe returns the rows as a table.
func (r PosteriorRows) Describe() *report.Table { return r.at("") }

// String writes the rows as text.
func (r PosteriorRows) String() string { return r.Describe().String() }

// Describe returns the row as a table.
func (r PosteriorRow) Describe() *report.Table { return PosteriorRows{r}.Describe() }

// String writes the row as text.
func (r PosteriorRow) String() string { return r.Describe().String() }

// facts returns the lines under a posterior.
func (f *Bayes) facts() []string {
	noise := fmt.Sprintf("n = %d, σ² = %s (known)", f.NObs(), format.Number(f.Sigma2(), format.Digits))
	if !f.SigmaKnown() {
		post := f.NoisePosterior()
		noise = fmt.Sprintf("n = %d, σ² = %s (posterior mean; inverse gamma with shape %s and scale %s)", f.NObs(),
			format.Number(f.Sigma2(), format.Digits), format.Number(post.Shape, format.Digits), format.Number(post.Scale, format.Digits))
	}
	under := len(f.Names())
	prior := "a Gaussian prior of all coefficients"
	if d := int(math.Round(f.DoF() - f.EffectiveParameters())); d > 0 {
		under -= d
		prior = "a flat prior of the intercept"
	}
	strength := fmt.Sprintf("%s of %d parameters determined by the data, with %s", format.Decimal(f.EffectiveParameters(), 2), under, prior)
	if l := f.Lambda(); !math.IsNaN(l) {
		strength = fmt.Sprintf("λ = %s, %s", format.Number(l, format.Digits), strength)
	}
	return inScaledUnits([]string{
		noise, strength,
		fmt.Sprintf("log evidence %s, %s, condition number %s", format.Decimal(f.LogEvidence(), 3), f.Method(), format.Number(f.Cond(), 2)),
	}, f.Scaling())
}

// Describe returns the comparison as a table: log evidence, log Bayes factor against
// the best, prior and posterior probability.
func (r FamilyTable) Describe() *report.Table {
	prob := func(name string, f func(FamilyRow) float64) report.Column {
		return tables.Written(name, format.Each(r, f), format.Probability)
	}
	return tables.Rows("Comparison of families",
		tables.Text("family", r, func(r FamilyRow) string { return r.Name }),
		tables.Decimal("log evidence", r, 2, func(r FamilyRow) float64 { return r.LogEvidence }),
		tables.Decimal("log Bayes factor", r, 2, func(r FamilyRow) float64 { return r.LogBayesFactor }),
		prob("prior", func(r FamilyRow) float64 { return r.Prior }),
		prob("posterior", func(r FamilyRow) float64 { return r.PostProb }))
}

// String writes the comparison as text.
func (r FamilyTable) String() string { return r.Describe().String() }

// Describe returns the line as a table.
func (r FamilyRow) Describe() *report.Table { return FamilyTable{r}.Describe() }

// String writes the line as text.
func (r FamilyRow) String() string { return r.Describe().String() }

// Describe returns the maximum as a table. The gradient is stated as a bound: its
// digits are rounding.
func (m *MaxEvidence) Describe() *report.Table {
	short := func(v float64) string { return format.Number(v, format.Digits) }
	t := tables.List("Maximum of the evidence",
		[]string{"τ²", "σ²", "λ = σ²/τ²", "log evidence", "effective parameters"},
		[]float64{m.Tau2, m.Sigma2, m.Lambda, m.LogEvidence, m.EffectiveParameters},
		short(m.Tau2), short(m.Sigma2), short(m.Lambda), format.Decimal(m.LogEvidence, 3), format.Decimal(m.EffectiveParameters, 3))
	if len(m.Gradient) > 0 {
		g := 1e-8
		for _, v := range m.Gradient {
			g = math.Max(g, math.Abs(v))
		}
		t.Notes = []string{"gradient at most " + format.PowerAbove(g)}
	}
	return t
}

// String writes the maximum as text.
func (m *MaxEvidence) String() string { return m.Describe().String() }

// Describe returns the evidence along prior variances as a table.
func (p *EvidencePath) Describe() *report.Table {
	t := tables.Rows("Log evidence by prior variance",
		tables.Written("τ²", p.Tau2, func(v float64) string { return format.Number(v, format.Digits) }),
		tables.Written("λ", p.Lambda, func(v float64) string { return format.Number(v, format.Digits) }),
		report.DecimalColumn("log evidence", p.LogEvidence, 3),
		report.DecimalColumn("effective parameters", p.EffectiveParameters, 3),
		report.NumberColumn("RSS", p.RSS, format.Digits+1))
	if len(p.Tau2) > 0 {
		best := "largest at τ² = " + format.Number(p.Tau2[p.Best], format.Digits)
		if p.AtEdge {
			best += ", an edge of the grid"
		}
		t.Notes = []string{best}
	}
	return t
}

// String writes the evidence along prior variances as text.
func (p *EvidencePath) String() string { return p.Describe().String() }

// Describe returns the surface as a table that is written in a line: what it is of, and
// the directions of the data that it is made of.
func (e *EvidenceSurface) Describe() *report.Table {
	s2 := e.s.S2
	return tables.Line(fmt.Sprintf("%s as a function of τ² and σ²: n = %d, %s of the terms that vary",
		tables.Of("Log evidence", e.Response()), e.NObs(), format.Plural(len(s2), "direction")),
		report.NumberColumn("singular value", format.Each(s2, math.Sqrt), 0),
		report.NumberColumn("projection of the response", format.Each(e.s.T2, math.Sqrt), 0))
}

// String writes in a line what the surface is of.
func (e *EvidenceSurface) String() string { return e.Describe().String() }

// Describe returns the mode and the standard deviations at it as a table, with the log
// of the normalizing constant and a bound on the gradient.
func (a *LaplaceApproximation) Describe() *report.Table {
	return &report.Table{
		Title: "Laplace approximation",
		Columns: []report.Column{
			tables.Text("coordinate", numbersTo(a.Dim()), func(i int) string { return fmt.Sprintf("θ%d", i+1) }),
			report.NumberColumn("mode", a.Mode(), 0),
			report.NumberColumn("std. dev.", a.Gaussian().StdDev(), 0),
		},
		Notes: []string{
			fmt.Sprintf("ln p* at the mode %s, ln Z %s", format.Decimal(a.LogAtMode(), 4), format.Decimal(a.LogNormalizer(), 4)),
			"gradient at the mode at most " + format.PowerAbove(math.Max(a.GradNorm(), 1e-6)),
		},
	}
}

// String writes the approximation as text.
func (a *LaplaceApproximation) String() string { return a.Describe().String() }

// wholeCov is how many dimensions a distribution has whose covariances are shown.
const wholeCov = 8

// Describe returns means and standard deviations as a table, and the covariances of up
// to eight dimensions.
func (g *Gaussian) Describe() *report.Table {
	k := g.Dim()
	name := func(i int) string { return fmt.Sprintf("x%d", i+1) }
	t := tables.Rows("Gaussian distribution",
		tables.Text("coordinate", numbersTo(k), name),
		report.NumberColumn("mean", g.Mean(), 0),
		report.NumberColumn("std. dev.", g.StdDev(), 0))
	if cov := g.Cov(); k > 1 && k <= wholeCov {
		for j := range k {
			t.Columns = append(t.Columns, tables.Number("cov. "+name(j), numbersTo(k), 0, func(i int) float64 { return cov.At(i, j) }))
		}
	}
	return t
}

// String writes the distribution as text.
func (g *Gaussian) String() string { return g.Describe().String() }

// Describe returns the system as a table: a row for each value of y with its
// coefficients in x, the constant, and the standard deviation of its noise.
func (s *LinearGaussian) Describe() *report.Table {
	q, k := s.a.Dims()
	t := &report.Table{Title: "Linear Gaussian system, y = A x + b + noise", Columns: []report.Column{
		tables.Text("value", numbersTo(q), func(i int) string { return fmt.Sprintf("y%d", i+1) }),
	}}
	for j := range min(k, wholeCov) {
		t.Columns = append(t.Columns, tables.Number(fmt.Sprintf("x%d", j+1), numbersTo(q), 0, func(i int) float64 { return s.a.At(i, j) }))
	}
	t.Columns = append(t.Columns, report.NumberColumn("b", s.b, 0), report.NumberColumn("noise s.d.", s.noise.StdDev(), 0))
	if k > wholeCov {
		t.Notes = []string{fmt.Sprintf("... %d more columns of A", k-wholeCov)}
	}
	if k <= wholeCov {
		t.Notes = append(t.Notes, "x has the prior mean "+format.Brackets(s.prior.Mean())+" and standard deviations "+format.Brackets(s.prior.StdDev()))
	}
	return t
}

// String writes the system as text.
func (s *LinearGaussian) String() string { return s.Describe().String() }

// Head returns the predictions for the first rows with their limits as a table: the mean,
// its standard deviation (of not knowing the coefficients), that of a new observation,
// and the limits of both. rows, names and errors are those of Band.Head.
func (p *Predictive) Head(rows int, names []string) (*report.Table, error) {
	number := func(name string, values []float64) report.Column { return report.NumberColumn(name, values, 0) }
	l := format.Percent(p.Level)
	return tables.Head("Predictive distribution", rows, names,
		number("mean", p.Mean), number("s.d. of mean", format.Each(p.ParamVar, math.Sqrt)),
		number("lower "+l+" of mean", p.LowerMean), number("upper "+l+" of mean", p.UpperMean),
		number("s.d. of new", p.StdDev()),
		number("lower "+l+" of new", p.LowerObs), number("upper "+l+" of new", p.UpperObs))
}

// Describe returns the predictions as a table; see Head.
func (p *Predictive) Describe() *report.Table { return tables.OrError(p.Head(0, nil)) }

// String writes the predictions as text.
func (p *Predictive) String() string { return p.Describe().String() }

// Describe returns the description length as a table that is written in a line:
// "163.72 bits = 147.22 (data) + 16.50 (model)".
func (c CodeLength) Describe() *report.Table {
	line := fmt.Sprintf("%s bits = %s (data) + %s (model)", format.Decimal(c.Total(), 2), format.Decimal(c.Data, 2), format.Decimal(c.Model, 2))
	bits := func(name string, v float64) report.Column { return report.DecimalColumn(name, []float64{v}, 2) }
	return tables.Line(line, bits("bits", c.Total()), bits("data", c.Data), bits("model", c.Model))
}

// String writes the description length in a line.
func (c CodeLength) String() string { return c.Describe().String() }

// Describe returns the prior as a table that is written in a line.
func (p GaussianPrior) Describe() *report.Table {
	spread, dim := "variance τ² = "+format.Number(p.Tau2, format.Digits)+" each", len(p.Mean)
	var sd []float64
	if p.Cov != nil {
		dim = p.Cov.SymmetricDim()
		spread = fmt.Sprintf("a covariance of order %d", dim)
		sd = format.Each(numbersTo(dim), func(i int) float64 { return math.Sqrt(p.Cov.At(i, i)) })
	} else {
		dim = max(dim, 1)
		sd = format.Each(numbersTo(dim), func(int) float64 { return math.Sqrt(p.Tau2) })
	}
	mean, about := make([]float64, dim), "0"
	if len(p.Mean) == dim && p.Mean != nil {
		mean = p.Mean
		about = "a mean of their own"
	}
	return tables.Line("Gaussian prior of the coefficients about "+about+" with "+spread,
		report.NumberColumn("mean", mean, 0), report.NumberColumn("std. dev.", sd, 0))
}

// String writes the prior in a line.
func (p GaussianPrior) String() string { return p.Describe().String() }

// Describe returns the distribution as a table that is written in a line.
func (g InverseGamma) Describe() *report.Table {
	line := fmt.Sprintf("σ² is inverse gamma with shape %s and scale %s", format.Number(g.Shape, format.Digits), format.Number(g.Scale, format.Digits))
	if g == (InverseGamma{}) {
		line = "σ² has Jeffreys' prior 1/σ²"
	}
	return tables.Line(line, tables.One("shape", g.Shape), tables.One("scale", g.Scale))
}

// String writes the distribution in a line.
func (g InverseGamma) String() string { return g.Describe().String() }

// Describe returns the variance as a table that is written in a line.
func (v KnownVariance) Describe() *report.Table {
	return tables.Line("σ² = "+format.Number(float64(v), format.Digits)+" (known)", tables.One("σ²", float64(v)))
}

// String writes the variance in a line.
func (v KnownVariance) String() string { return v.Describe().String() }
