package main

import (
	"fmt"
	"math"
	"regexp"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/try"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/report"
)

// leastSquares is a fit with what its natural scales are made of.
type leastSquares struct {
	*mlreg.OLS
	d *mlreg.Design
	// cond is the condition number of the columns brought to unit length.
	cond float64
	// size is the length of the response, noise that in units of the residuals'.
	size, noise float64
	// reach is, for each coefficient, the largest value that a response of this length
	// gives it.
	reach []float64
	// fitted rows, those of positive weight.
	rows []int
}

func newLeastSquares(fit *mlreg.OLS, d *mlreg.Design) *leastSquares {
	f := &leastSquares{OLS: fit, d: d, cond: max(1, fit.Cond())}
	square := 0.0
	for i, y := range d.Y {
		w := 1.0
		if d.Weights != nil {
			w = d.Weights[i]
		}
		if w > 0 {
			f.rows = append(f.rows, i)
		}
		square += w * y * y
	}
	f.size = math.Sqrt(square)
	f.noise = max(1, min(f.size/math.Sqrt(fit.RSS()), 1e16))
	for _, se := range fit.StdErr() {
		reach := se / math.Sqrt(fit.Sigma2()) * f.size
		if fit.Sigma2() == 0 {
			reach = f.size
		}
		f.reach = append(f.reach, reach)
	}
	return f
}

func oursLM(c *Case) values {
	d := c.design()
	fit := try.Get(mlreg.FitOLS(d, &mlreg.OLSSettings{Aliased: mlreg.DropAliased}))
	f, v := newLeastSquares(fit, d), make(values)
	f.coefficients(v)
	v.part("coef.t", func() { f.inference(v, c.Level) })
	f.whole(v)
	f.variance(v, "anova", f.Anova)
	f.variance(v, "drop1", f.DropTerms)
	f.variance(v, "anova2", f.AnovaTypeII)
	f.variance(v, "anova3", f.AnovaTypeIII)
	f.influence(v)
	f.diagnostics(v)
	v.part("predict.fit", func() { f.predictions(v, codedRows(c.rows, d), c.Level) })
	v.part("beyond.fit", func() { f.beyond(v, c) })
	v.likelihoodRatio("lm.lrt", f.cond*f.noise, d, f.OLS, func(d *mlreg.Design) (mlreg.Likelihood, error) {
		return mlreg.FitOLS(d, &mlreg.OLSSettings{Aliased: mlreg.DropAliased})
	})
	return v
}

// based are functions whose constants are learned.
var based = regexp.MustCompile(`(bs|ns|poly)\(`)

// beyond are predictions outside the range of the rows fitted.
func (f *leastSquares) beyond(v values, c *Case) {
	if !based.MatchString(c.Formula) {
		return
	}
	band := try.Get(f.ConfidenceBand(codedRows(beyond(c.table, c.Weights), f.d), c.Level))
	v.set("beyond.fit", f.cond, band.Fitted, f.predicted(band)...)
}

// predicted is the largest that a response of this length is predicted to be, for each row.
func (f *leastSquares) predicted(band *mlreg.Band) []float64 {
	var scales []float64
	for i := range band.Fitted {
		scales = append(scales, max(math.Abs(band.Fitted[i]), largest(f.d.Y), band.StdErr[i]*f.noise))
	}
	return scales
}

// coefficients are what R has a value for each of.
func (f *leastSquares) coefficients(v values) {
	v.columns(f.d)
	v.set("coef", f.cond, f.Coef(), f.reach...)
	v.relative("coef.stderr", f.cond*f.noise, f.StdErr()...)
}

// inference are the tests and limits of the coefficients, if degrees of freedom are left.
func (f *leastSquares) inference(v values, level float64) {
	if f.DoFResidual() == 0 {
		return
	}
	var t, p, tScale, pScale, limits, limitScale []float64
	for j, row := range try.Get(f.Table(level)) {
		t, p = append(t, row.Statistic), append(p, row.P)
		one := f.noise * math.Sqrt(f.DoFResidual()) // of a coefficient that has its reach
		tScale, pScale = append(tScale, max(math.Abs(row.Statistic), one)), append(pScale, row.P*(1+one+one*math.Abs(row.Statistic))+1e-290)
		limits = append(limits, row.Lower, row.Upper)
		limitScale = append(limitScale, f.reach[j], f.reach[j])
	}
	v.set("coef.t", f.cond, t, tScale...)
	v.set("coef.p", f.cond, p, pScale...)
	v.set("confint", f.cond, limits, limitScale...)
	var covariances, scales []float64
	vcov := f.VCov()
	for j := range vcov.SymmetricDim() {
		for i := range j + 1 {
			covariances = append(covariances, vcov.At(i, j))
			scales = append(scales, math.Sqrt(vcov.At(i, i)*vcov.At(j, j)))
		}
	}
	v.set("vcov", f.cond*f.noise, covariances, scales...)
}

// someRows are twenty rows of the design at most, the first and the last among them.
func someRows(d *mlreg.Design) []float64 {
	var x []float64
	n := d.NObs()
	k := min(20, n)
	for i := range k {
		at := 0
		if k > 1 {
			at = int(math.Floor(float64(i) * float64(n-1) / float64(k-1)))
		}
		for j := range d.NTerms() {
			x = append(x, d.X.At(at, j))
		}
	}
	return x
}

// columnScales are the largest values of the columns, for each value of someRows.
func columnScales(d *mlreg.Design) []float64 {
	var scales []float64
	for range min(20, d.NObs()) {
		for j := range d.NTerms() {
			scales = append(scales, largest(mat.Col(nil, j, d.X)))
		}
	}
	return scales
}

// whole are the numbers about the whole fit.
func (f *leastSquares) whole(v values) {
	v.relative("nobs", 1, float64(f.NObs()))
	v.relative("df", 1, f.DoF(), f.DoFResidual())
	v.set("rss", f.cond*f.noise, []float64{f.RSS()}, f.RSS())
	v.relative("sigma", f.cond*f.noise, math.Sqrt(f.Sigma2()))
	v.set("r2", f.cond*f.noise, []float64{f.R2(), f.AdjR2()}, 1)
	test := f.F()
	v.set("f", f.cond*f.noise*f.noise, []float64{test.Stat, test.DF1, test.DF2}, max(1, test.Stat))
	v.set("f.p", f.cond*f.noise*f.noise, []float64{test.P}, f.tailScale(test.P, test.Stat))
	loglik := []float64{f.LogLik(), mlreg.AIC(f.OLS), mlreg.BIC(f.OLS)}
	v.set("loglik", f.cond*f.noise, loglik, max(float64(f.NObs()), largest(loglik)))
}

// tailScale is the natural scale of the probability p of more than a statistic; of more
// than a tiny one it goes with its root.
func (f *leastSquares) tailScale(p, statistic float64) float64 {
	return p*(float64(f.NObs())+1/math.Sqrt(max(statistic, 1e-16))) + 1e-290
}

// variance are the columns of an analysis of variance.
func (f *leastSquares) variance(v values, name string, table func(...mlreg.TermGroup) (report.Rows[mlreg.AnovaRow], error)) {
	var rows []mlreg.AnovaRow
	v.part(name+".terms", func() { rows = try.Get(table()) })
	if rows == nil {
		return
	}
	var terms []string
	var df, ss, fs, fScale, p, pScale []float64
	for _, row := range rows {
		if row.Term == "Residuals" {
			continue
		}
		terms = append(terms, row.Term)
		df, ss, fs, p = append(df, row.DF), append(ss, row.SumSq), append(fs, row.F), append(p, row.P)
		fScale = append(fScale, max(1, math.Abs(row.F)))
		pScale = append(pScale, f.tailScale(row.P, row.F))
	}
	amplification := f.cond * f.noise * f.noise
	v.texts(name+".terms", terms)
	v.relative(name+".df", 1, df...)
	if name == "anova2" || name == "anova3" { // car inverts covariances
		amplification *= f.cond
	}
	v.set(name+".ss", amplification/(f.noise*f.noise), ss, f.size*f.size)
	v.set(name+".f", amplification, fs, fScale...)
	v.set(name+".p", amplification, p, pScale...)
}

// influence are the numbers of single rows.
func (f *leastSquares) influence(v values) {
	y := largest(f.d.Y)
	v.part("fitted", func() {
		fitted := try.Get(f.Fitted(f.d))
		v.set("fitted", f.cond, f.only(fitted), max(y, largest(fitted)))
	})
	var in *mlreg.Influence
	v.part("hat", func() { in = try.Get(f.Influence(f.d)) })
	if in == nil {
		return
	}
	v.set("residuals", f.cond, f.only(in.Residuals), y)
	v.set("hat", f.cond, f.only(in.Leverage), 1)
	// What divides by 1 - h, or by s without the row, is as much less certain.
	rows := func(name string, of []float64, power float64) {
		var scales []float64
		for _, i := range f.rows {
			free := max(1-in.Leverage[i], 1e-15)
			left := 1.0 // of the residual sum of squares, without the row
			if s := in.Sigma[i]; s > 0 {
				left = max(1, f.Sigma2()/(s*s))
			}
			scales = append(scales, max(1, math.Abs(of[i]))*math.Pow(left, power)/free)
		}
		v.set(name, f.cond*f.noise, f.only(of), scales...)
	}
	rows("rstandard", in.Standardized, 0)
	rows("rstudent", in.Studentized, 1)
	rows("cooks", in.CooksDistance, 0)
	rows("dffits", in.DFFITS, 1)
	rows("covratio", in.CovRatio, 1)
	v.part("dfbetas", func() { f.betas(v, try.Get(f.DFBETAS(f.d)), in) })
}

// betas are DFBETAS, a row after the other; R has no columns for aliased terms.
func (f *leastSquares) betas(v values, betas *mat.Dense, in *mlreg.Influence) {
	var numbers, scales []float64
	for _, i := range f.rows {
		for j, b := range f.Coef() {
			if math.IsNaN(b) {
				continue
			}
			numbers = append(numbers, betas.At(i, j))
			left := 1.0
			if s := in.Sigma[i]; s > 0 {
				left = max(1, f.Sigma2()/(s*s))
			}
			scales = append(scales, max(1, math.Abs(betas.At(i, j)))*left/max(1-in.Leverage[i], 1e-15))
		}
	}
	v.set("dfbetas", f.cond*f.noise, numbers, scales...)
}

// only returns the values of the rows that were fitted.
func (f *leastSquares) only(x []float64) []float64 {
	var values []float64
	for _, i := range f.rows {
		values = append(values, x[i])
	}
	return values
}

// carVIF returns the numbers of car's vif, with the degrees of freedom if a term has
// several.
func carVIF(rows []mlreg.VIFRow) []float64 {
	several := slices.ContainsFunc(rows, func(r mlreg.VIFRow) bool { return r.DF > 1 })
	var numbers []float64
	for _, r := range rows {
		numbers = append(numbers, r.VIF)
		if several {
			numbers = append(numbers, r.DF)
		}
	}
	return numbers
}

// diagnostics are tests and inflation factors.
func (f *leastSquares) diagnostics(v values) {
	v.part("vif", func() { v.relative("vif", f.cond*f.cond, carVIF(try.Get(mlreg.GVIF(f.d)))...) })
	for hc := mlreg.HC0; hc <= mlreg.HC3; hc++ {
		name := fmt.Sprintf("hc%d", hc-mlreg.HC0)
		v.part(name, func() {
			robust := try.Get(f.Robust(f.d, hc)).StdErr()
			v.set(name, f.cond*f.noise/f.free(), robust, f.robustScale(robust)...)
		})
	}
	if f.d.Weights != nil {
		return // bptest's squares are of the residuals without the weights
	}
	v.part("bptest", func() {
		test := try.Get(f.BreuschPagan(f.d))
		v.set("bptest", f.cond*f.noise, []float64{test.Stat, test.DF, test.P}, test.Stat+1, 1, f.tailScale(test.P, test.Stat))
	})
	v.part("dwtest", func() {
		v.set("dwtest", f.cond*f.noise, []float64{mlreg.DurbinWatson(try.Get(f.Residuals(f.d)))}, 1)
	})
}

// free is the least of 1 - h.
func (f *leastSquares) free() float64 {
	leverage, err := f.Leverage(f.d)
	if err != nil {
		return 1
	}
	least := 1.0
	for _, i := range f.rows {
		least = min(least, max(1-leverage[i], 1e-15))
	}
	return least
}

// robustScale is the larger of the robust and the ordinary standard error.
func (f *leastSquares) robustScale(robust []float64) []float64 {
	var scales []float64
	for j, se := range f.StdErr() {
		scales = append(scales, max(se, robust[j]))
	}
	return scales
}

// predictions are those of new rows, with their limits.
func (f *leastSquares) predictions(v values, rows *mlreg.Design, level float64) {
	for _, limits := range []struct {
		name string
		band func(*mlreg.Design, float64) (*mlreg.Band, error)
	}{{"predict.conf", f.ConfidenceBand}, {"predict.pred", f.PredictionBand}} {
		v.part(limits.name, func() {
			band := try.Get(limits.band(rows, level))
			var both, scales []float64
			reach := f.predicted(band)
			for i, most := range reach {
				both, scales = append(both, band.Lower[i], band.Upper[i]), append(scales, most, most)
			}
			v.set(limits.name, f.cond, both, scales...)
			v.set("predict.fit", f.cond, band.Fitted, reach...)
		})
	}
}
