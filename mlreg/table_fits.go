package mlreg

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/fault"
	"github.com/regbook/regbook/mlreg/report"
)

// NamedFit is a column of FitTable: a fit and its heading.
type NamedFit struct {
	Name string // "(1)", "(2)", ... if it is empty
	// Fit has a Table of coefficients, as least squares, logistic regression and the
	// posteriors have, or Names and Coef alone, as penalized fits have.
	Fit any
}

// BelowEstimate is what FitTable writes below an estimate.
type BelowEstimate int

// What can stand below an estimate.
const (
	StdErrBelow  BelowEstimate = iota // the standard error, in parentheses: the default
	LimitsBelow                       // the limits at the level, in brackets
	PBelow                            // the p-value, in parentheses
	NothingBelow                      // the estimates alone
)

// String names it as a setting does.
func (b BelowEstimate) String() string {
	if b < 0 || b > NothingBelow {
		return fmt.Sprintf("BelowEstimate(%d)", int(b))
	}
	return [...]string{"StdErrBelow", "LimitsBelow", "PBelow", "NothingBelow"}[b]
}

// FitTableSettings are the options of FitTable.
type FitTableSettings struct {
	// Below is what stands below each estimate.
	Below BelowEstimate
	// Level of the limits, 0.95 by default.
	Level float64
	// Stars marks estimates by their p-values: * below 0.05, ** below 0.01, ***
	// below 0.001.
	Stars bool
	// Digits is the number of significant digits of an estimate, 4 by default.
	Digits int
}

// FitTable sets fits side by side, a column each: a row for every term that any of
// them has, the estimate with its standard error below, and below these what the
// fits can say of n, R2, adjusted R2, sigma, log-likelihood, AIC, BIC and lambda.
// It is R's modelsummary or statsmodels' summary_col. A term that a fit does not
// have is empty; an aliased one is NA. Nil settings are the defaults. Fits of
// different numbers of observations or of different responses, such as y and
// log(y), are marked as such, and so are those of other weights or values of the response, by
// REML beside maximum likelihood or of other fixed terms, and with a penalty: their AIC, BIC
// and R2 do not compare.
//
// The errors: ErrNoData without a fit or with a nil one, ErrSetting for what has no
// coefficients or for a level that is not between 0 and 1.
func FitTable(fits []NamedFit, settings *FitTableSettings) (*report.Table, error) {
	s := args.OrDefaults(settings)
	if s.Level == 0 {
		s.Level = 0.95
	}
	if s.Digits <= 0 {
		s.Digits = format.Digits
	}
	if len(fits) == 0 {
		return nil, fmt.Errorf("%w: there are no fits", ErrNoData)
	}
	if err := fault.Level(s.Level); err != nil {
		return nil, err
	}
	if s.Below < 0 || s.Below > NothingBelow {
		return nil, fmt.Errorf("%w: Below = %v", ErrSetting, s.Below)
	}
	rows := make([]report.Rows[CoefRow], len(fits))
	var terms []string
	for i, f := range fits {
		var err error
		rows[i], err = coefRowsOf(f.Fit, s.Level)
		if err != nil {
			return nil, fmt.Errorf("fit %q: %w", f.heading(i), err)
		}
		for _, r := range rows[i] {
			if !slices.Contains(terms, r.Term) {
				terms = append(terms, r.Term)
			}
		}
	}
	first, columns := s.columns(fits, terms, rows)
	addFacts(&first, columns, fits)
	return &report.Table{Columns: append([]report.Column{first}, columns...), Notes: s.notes(fits)}, nil
}

// columns are the terms, and a column for every fit with what is below each estimate.
func (s *FitTableSettings) columns(fits []NamedFit, terms []string, rows []report.Rows[CoefRow]) (first report.Column, columns []report.Column) {
	first.Name = "term"
	for _, term := range terms {
		first.Cells = append(first.Cells, term)
		if s.Below != NothingBelow {
			first.Cells = append(first.Cells, "")
		}
	}
	for i, f := range fits {
		c := report.Column{Name: f.heading(i), Align: report.AlignDecimal}
		if s.Below == LimitsBelow {
			c.Align = report.AlignRight
		}
		for _, term := range terms {
			s.write(&c, rows[i], term)
		}
		columns = append(columns, c)
	}
	return first, columns
}

func (f NamedFit) heading(i int) string {
	if f.Name == "" {
		return fmt.Sprintf("(%d)", i+1)
	}
	return f.Name
}

func (f NamedFit) isPosterior() bool {
	_, ok := f.Fit.(interface{ PosteriorMean() []float64 })
	return ok
}

// coefRowsOf returns the coefficients of a fit with what it knows of their errors.
func coefRowsOf(fit any, level float64) (report.Rows[CoefRow], error) {
	if err := args.Given("the fit", fit); err != nil {
		return nil, err
	}
	switch f := fit.(type) {
	case interface {
		Table(level float64) (report.Rows[CoefRow], error)
	}:
		return f.Table(level)
	case interface {
		Table(level float64) (report.Rows[PosteriorRow], error)
	}:
		posterior, err := f.Table(level)
		nan := math.NaN()
		return format.Each(posterior, func(r PosteriorRow) CoefRow {
			return CoefRow{r.Term, r.Mean, r.StdDev, nan, nan, r.Lower, r.Upper, r.Level}
		}), err
	case interface {
		Names() []string
		Coef() []float64
	}:
		nan := math.NaN()
		coef := f.Coef()
		rows := make(report.Rows[CoefRow], len(coef))
		for j, name := range f.Names() {
			rows[j] = CoefRow{name, coef[j], nan, nan, nan, nan, nan, 0}
		}
		return rows, nil
	}
	return nil, fmt.Errorf("%w: a %T has no coefficients", ErrSetting, fit)
}

// add puts a cell below the others of a column.
func add(c *report.Column, cell string, value float64) {
	c.Cells, c.Values = append(c.Cells, cell), append(c.Values, value)
}

// write adds the estimate of a term, and what stands below it.
func (s *FitTableSettings) write(c *report.Column, rows report.Rows[CoefRow], term string) {
	j := slices.IndexFunc(rows, func(r CoefRow) bool { return r.Term == term })
	if j < 0 {
		add(c, "", math.NaN())
		if s.Below != NothingBelow {
			add(c, "", math.NaN())
		}
		return
	}
	r := rows[j]
	decimals, common := format.CommonDecimals([]float64{r.Estimate, r.StdErr}, s.Digits)
	number := func(v float64) string {
		if !common || math.IsNaN(v) || math.IsInf(v, 0) {
			return format.Number(v, s.Digits)
		}
		return format.Decimal(v, decimals)
	}
	estimate := number(r.Estimate)
	if s.Stars {
		estimate += stars(r.P)
	}
	add(c, estimate, r.Estimate)
	switch known := !math.IsNaN(r.StdErr); {
	case s.Below == NothingBelow:
	case !known, s.Below == PBelow && math.IsNaN(r.P):
		add(c, "", math.NaN())
	case s.Below == LimitsBelow:
		c.Cells = append(c.Cells, "["+number(r.Lower)+", "+number(r.Upper)+"]")
		c.Values = append(c.Values, math.NaN())
	case s.Below == PBelow:
		add(c, "("+format.PValue(r.P)+")", r.P)
	default:
		add(c, "("+number(r.StdErr)+")", r.StdErr)
	}
}

func stars(p float64) string {
	switch {
	case p < 0.001:
		return "***"
	case p < 0.01:
		return "**"
	case p < 0.05:
		return "*"
	}
	return ""
}

// rowsOfFacts are the facts that are rows below the coefficients.
var rowsOfFacts = []string{"nobs", "lambda", "r.squared", "adj.r.squared", "sigma", "logLik", "AIC", "BIC"}

// addFacts adds a row for every fact that one of the fits knows to the terms and to the
// columns of the fits.
func addFacts(terms *report.Column, columns []report.Column, fits []NamedFit) {
	write := make(map[string]func(v float64) string)
	for _, f := range slices.Concat(fitFacts...) {
		write[f.name] = f.cell
	}
	for _, name := range rowsOfFacts {
		known := format.Each(fits, func(f NamedFit) report.Rows[Fact] { return factsOf(f.Fit, name) })
		first := slices.IndexFunc(known, func(f report.Rows[Fact]) bool { return len(f) > 0 })
		if first < 0 {
			continue
		}
		terms.Cells = append(terms.Cells, known[first][0].Label)
		for i, facts := range known {
			if len(facts) > 0 {
				add(&columns[i], write[name](facts[0].Value), facts[0].Value)
			} else {
				add(&columns[i], "", math.NaN())
			}
		}
	}
}

// notes says how to read the table.
func (s *FitTableSettings) notes(fits []NamedFit) []string {
	var notes []string
	switch s.Below {
	case StdErrBelow:
		note := "standard errors in parentheses"
		if slices.ContainsFunc(fits, NamedFit.isPosterior) {
			note = "standard errors, or standard deviations of a posterior, in parentheses"
		}
		notes = append(notes, note)
	case LimitsBelow:
		notes = append(notes, format.Percent(s.Level)+" limits in brackets")
	case PBelow:
		notes = append(notes, "p-values in parentheses")
	}
	if s.Stars {
		notes = append(notes, "* p < 0.05, ** p < 0.01, *** p < 0.001")
	}
	sizes := map[int]bool{}
	for _, f := range fits {
		if o, ok := f.Fit.(interface{ NObs() int }); ok {
			sizes[o.NObs()] = true
		}
	}
	if len(sizes) > 1 {
		notes = append(notes, "n differs: R², AIC and BIC do not compare these fits")
	}
	if responses := responsesOf(fits); len(responses) > 1 {
		notes = append(notes, "responses differ ("+strings.Join(responses, ", ")+"): estimates, R², AIC and BIC do not compare these fits")
	}
	return append(notes, incomparable(fits)...)
}

// incomparable says which fits do not compare with the first, beside those of other numbers
// of rows and of responses by other names.
func incomparable(fits []NamedFit) []string {
	var notes []string
	for i, f := range fits {
		own, _ := likelihoodsOf(f.Fit, f.Fit)
		if own != nil && own.Maximized != "" {
			notes = append(notes, fmt.Sprintf("%s maximizes %s: its AIC and BIC do not compare", f.heading(i), own.Maximized))
		}
		if i == 0 {
			continue
		}
		if a, b := headOf(fits[0].Fit), headOf(f.Fit); a != nil && b != nil {
			if kind, reason := a.differs(b); kind == otherWeights || kind == otherValues {
				notes = append(notes, fmt.Sprintf("%s and %s: %s, so that R², AIC and BIC do not compare them", fits[0].heading(0), f.heading(i), reason))
			}
		}
		if small, large := likelihoodsOf(fits[0].Fit, f.Fit); small != nil {
			if reason := small.otherCriterion(large); reason != "" {
				notes = append(notes, fmt.Sprintf("%s and %s: AIC and BIC do not compare them: %s", fits[0].heading(0), f.heading(i), reason))
			}
		}
	}
	return notes
}

// responsesOf returns the names of the responses that differ.
func responsesOf(fits []NamedFit) []string {
	var names []string
	for _, f := range fits {
		if r, ok := f.Fit.(interface{ Response() string }); ok && r.Response() != "" && !slices.Contains(names, r.Response()) {
			names = append(names, r.Response())
		}
	}
	return names
}
