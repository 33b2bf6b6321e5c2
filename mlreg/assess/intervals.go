package assess

import (
	"fmt"
	"math"
	"slices"

	"github.com/regbook/regbook/internal/dist"
	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/fault"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
)

// IntervalKind is a way to make limits of resamples.
type IntervalKind int

// The ways to make limits of an estimate t of the replicates t*. With 1-alpha the level,
// q(p) is the quantile of the replicates at p, interpolated on the scale of normal
// quantiles between the order statistics (R+1)p, as R's package boot does.
const (
	// Percentile limits are q(alpha/2) and q(1-alpha/2). Default.
	Percentile IntervalKind = iota
	// Basic limits are 2t - q(1-alpha/2) and 2t - q(alpha/2).
	Basic
	// Normal limits are t - bias -+ z sd(t*), with bias = mean(t*) - t.
	Normal
	// Studentized limits are t - s z*(1-alpha/2) and t - s z*(alpha/2), with the quantiles of
	// z* = (t* - t)/s* and the standard errors s of t and s* of t*.
	Studentized
	// BCa limits are percentiles at probabilities corrected for bias and acceleration,
	//
	//	Phi(w + (w + z)/(1 - a (w + z))),
	//
	// with z the normal quantile of alpha/2 and 1-alpha/2, w that of the fraction of t* below
	// t, and a = sum L^3 / (6 (sum L^2)^(3/2)) of the influences L of the rows (jackknife).
	// Efron, Journal of the American Statistical Association 82 (1987), 171-185.
	BCa
)

// String returns "percentile", "basic", "normal", "studentized" or "BCa".
func (k IntervalKind) String() string {
	return format.Choice("IntervalKind", int(k), "percentile", "basic", "normal", "studentized", "BCa")
}

// sortedReplicates are those of one number.
type sortedReplicates struct {
	t        []float64 // rising
	mean, sd float64
}

func (b *Boot) sorted(j int) sortedReplicates { return newSorted(b.Replicates[j]) }

func newSorted(t []float64) sortedReplicates {
	s := sortedReplicates{t: slices.Clone(t)}
	slices.Sort(s.t)
	n := float64(len(t))
	for range 2 { // the second pass takes the rounding of the first away
		var rest float64
		for _, v := range t {
			rest += v - s.mean
		}
		s.mean += rest / n
	}
	for _, v := range t {
		s.sd += gram.Square(v - s.mean)
	}
	s.sd = math.Sqrt(s.sd / (n - 1))
	return s
}

// sdErr is the Monte Carlo error of sd, sd sqrt((kurtosis - 1)/(4 B)).
func (s sortedReplicates) sdErr() float64 {
	if s.sd == 0 {
		return 0
	}
	n, fourth := float64(len(s.t)), 0.0
	for _, v := range s.t {
		fourth += gram.Square(gram.Square((v-s.mean)/s.sd)) / n
	}
	return s.sd * math.Sqrt(math.Max(fourth-1, 0)/(4*n))
}

// at returns the quantile at p, R's boot:::norm.inter.
func (s sortedReplicates) at(p float64) float64 {
	n := len(s.t)
	rank := float64(n+1) * p
	k := int(rank)
	switch {
	case k < 1:
		return s.t[0]
	case k >= n:
		return s.t[n-1]
	case float64(k) == rank || s.t[k] == s.t[k-1]:
		return s.t[k-1]
	}
	low, high := dist.NormalQuantile(float64(k)/float64(n+1)), dist.NormalQuantile(float64(k+1)/float64(n+1))
	return s.t[k-1] + (dist.NormalQuantile(p)-low)/(high-low)*(s.t[k]-s.t[k-1])
}

// errAt is the Monte Carlo error of the quantile at p: half of what lies between those at
// p -+ sqrt(p(1-p)/B), and infinite if one of these is beyond the replicates.
func (s sortedReplicates) errAt(p float64) float64 {
	n := float64(len(s.t))
	e := math.Sqrt(p * (1 - p) / n)
	if !((n+1)*(p-e) >= 1 && (n+1)*(p+e) <= n) {
		return math.Inf(1)
	}
	return (s.at(p+e) - s.at(p-e)) / 2
}

// bootLimits are limits of one number with the larger of their Monte Carlo errors.
type bootLimits struct {
	lower, upper, monteCarlo float64
}

// between returns the quantiles at two probabilities.
func (s sortedReplicates) between(low, high float64) bootLimits {
	return bootLimits{s.at(low), s.at(high), math.Max(s.errAt(low), s.errAt(high))}
}

func (s sortedReplicates) percentiles(level float64) bootLimits {
	return s.between((1-level)/2, (1+level)/2)
}

// limits returns those of number j.
func (b *Boot) limits(j int, kind IntervalKind, level float64) (bootLimits, error) {
	s, t := b.sorted(j), b.Estimate[j]
	switch kind {
	case Percentile:
		return s.percentiles(level), nil
	case Basic:
		l := s.percentiles(level)
		l.lower, l.upper = 2*t-l.upper, 2*t-l.lower
		return l, nil
	case Normal:
		z := dist.NormalQuantile((1 + level) / 2)
		middle := 2*t - s.mean
		return bootLimits{middle - z*s.sd, middle + z*s.sd, math.Hypot(s.sd/math.Sqrt(float64(len(s.t))), z*s.sdErr())}, nil
	case Studentized:
		if b.ReplicateErr == nil {
			return bootLimits{}, fmt.Errorf("%w: studentized limits need standard errors on every resample; set BootstrapSettings.StdErr, or Studentize", mlreg.ErrSetting)
		}
		z, bad := make([]float64, len(s.t)), 0
		for i, v := range b.Replicates[j] {
			if z[i] = (v - t) / b.ReplicateErr[j][i]; args.NotFinite(z[i]) {
				bad++
			}
		}
		if bad > 0 {
			return bootLimits{}, fmt.Errorf("%w: %q has standard error 0 on %d of %d resamples, so that its studentized limits do not exist", mlreg.ErrNotFinite, b.Names[j], bad, len(z))
		}
		l, se := newSorted(z).percentiles(level), b.EstimateErr[j]
		return bootLimits{t - se*l.upper, t - se*l.lower, se * l.monteCarlo}, nil
	case BCa:
		low, high, err := b.adjusted(j, s, level)
		if err != nil {
			return bootLimits{}, err
		}
		return s.between(low, high), nil
	}
	return bootLimits{}, fmt.Errorf("%w: %v", mlreg.ErrSetting, kind)
}

// acceleration returns a of the BCa method, NaN if the influences are not known.
func (b *Boot) acceleration(j int) float64 {
	if b.Influence == nil {
		return math.NaN()
	}
	var second, third float64
	for _, l := range b.Influence[j] {
		second += l * l
		third += l * l * l
	}
	if second == 0 {
		return 0
	}
	return third / (6 * math.Pow(second, 1.5))
}

// adjusted returns the probabilities of the BCa limits.
func (b *Boot) adjusted(j int, s sortedReplicates, level float64) (low, high float64, err error) {
	if b.Influence == nil {
		return 0, 0, fmt.Errorf("%w: BCa limits need the influence of every row, which was not computed: that is so for blocks, residuals and parametric resamples, "+
			"with SkipJackknife, for more rows than resamples, and if the statistic fails without some row", mlreg.ErrSetting)
	}
	below, _ := slices.BinarySearch(s.t, b.Estimate[j])
	if below == 0 || below == len(s.t) {
		return 0, 0, fmt.Errorf("%w: every replicate of %q lies on one side of the estimate, or is it, so that BCa limits do not exist; see Boot.Warnings", mlreg.ErrNotEstimable, b.Names[j])
	}
	w, a := dist.NormalQuantile(float64(below)/float64(len(s.t))), b.acceleration(j)
	at := func(p float64) float64 {
		z := w + dist.NormalQuantile(p)
		if !(1-a*z > 0) || math.IsInf(z, 0) { // past its pole the correction turns round
			err = fmt.Errorf("%w: BCa limits of %q at level %v: the acceleration %.3g and the bias correction %.3g are too large for so high a level", mlreg.ErrNotEstimable, b.Names[j], level, a, w)
		}
		return dist.NormalBelow(w + z/(1-a*z))
	}
	low, high = at((1-level)/2), at((1+level)/2)
	return low, high, err
}

// StdErr returns the standard deviation of the replicates of every number, divisor B-1:
// the bootstrap's standard errors.
func (b *Boot) StdErr() []float64 {
	return format.Each(gram.NumbersTo(len(b.Names)), func(j int) float64 { return b.sorted(j).sd })
}

// Bias returns the mean of the replicates less the estimate, of every number.
func (b *Boot) Bias() []float64 {
	return format.Each(gram.NumbersTo(len(b.Names)), func(j int) float64 { return b.sorted(j).mean - b.Estimate[j] })
}

// B returns the number of resamples that the result is over.
func (b *Boot) B() int { return len(b.Replicates[0]) }

// Failed returns the number of resamples on which the statistic failed.
func (b *Boot) Failed() int {
	n := 0
	for _, f := range b.Failures {
		n += f.Count
	}
	return n
}

// BootRow is a number with its limits.
type BootRow struct {
	Term                   string
	Estimate, Bias, StdErr float64
	Lower, Upper, Level    float64 // Level is that of the limits, 0.95 for 95%
	// MonteCarlo is the error that the number of resamples leaves in the limits, the
	// larger of the two, infinite if there are too few for the level; StdErrErr that in
	// StdErr.
	MonteCarlo, StdErrErr float64
}

// Table returns the limits of every number at a level, with their Monte Carlo errors.
// Of Percentile, Basic, Studentized and BCa limits these are those of the quantiles, half
// of what lies between the ones at p -+ sqrt(p(1-p)/B), and infinite if B is too small for
// the level: if one of those is beyond the smallest or the largest replicate, which is at
// p = 1/(B+1) or B/(B+1). Errors: mlreg.ErrSetting for a level that is not between 0 and 1 and
// for a kind that needs what was not computed; mlreg.ErrNotEstimable for BCa limits of an
// estimate at an end of its replicates, or whose correction has no value at the level;
// mlreg.ErrNotFinite for Studentized limits if a standard error is 0 on a resample.
func (b *Boot) Table(kind IntervalKind, level float64) (report.Rows[BootRow], error) {
	if err := fault.Level(level); err != nil {
		return nil, err
	}
	var rows report.Rows[BootRow]
	for j, name := range b.Names {
		l, err := b.limits(j, kind, level)
		if err != nil {
			return nil, err
		}
		s := b.sorted(j)
		rows = append(rows, BootRow{name, b.Estimate[j], s.mean - b.Estimate[j], s.sd, l.lower, l.upper, level, l.monteCarlo, s.sdErr()})
	}
	return rows, nil
}

// ConfInt returns the limits of every number at a level. Errors are those of Table.
func (b *Boot) ConfInt(kind IntervalKind, level float64) (report.Rows[mlreg.Interval], error) {
	rows, err := b.Table(kind, level)
	if err != nil {
		return nil, err
	}
	return format.Each(rows, func(r BootRow) mlreg.Interval {
		return mlreg.Interval{Term: r.Term, Lower: r.Lower, Upper: r.Upper, Level: level}
	}), nil
}

// Replicated returns the values of a number on the resamples, and that of all rows. Errors:
// mlreg.ErrNoData if there is no resample, mlreg.ErrShape if there is no number of that name.
func (b *Boot) Replicated(term string) (values []float64, estimate float64, err error) {
	if b == nil || len(b.Replicates) == 0 {
		return nil, 0, fmt.Errorf("%w: there is no bootstrap", mlreg.ErrNoData)
	}
	j := slices.Index(b.Names, term)
	if j < 0 {
		return nil, 0, fmt.Errorf("%w: no number %q among %s", mlreg.ErrShape, term, format.Quoted(b.Names))
	}
	return slices.Clone(b.Replicates[j]), b.Estimate[j], nil
}

// Limits returns the limits of one number at a level by every IntervalKind, each under the name of
// the kind, and NaN if they do not exist: studentized ones need standard errors, BCa ones the
// influence of the rows. Errors are those of Replicated, and mlreg.ErrSetting for a level that is
// not between 0 and 1.
func (b *Boot) Limits(term string, level float64) (report.Rows[mlreg.Interval], error) {
	if _, _, err := b.Replicated(term); err != nil {
		return nil, err
	}
	if err := fault.Level(level); err != nil {
		return nil, err
	}
	j := slices.Index(b.Names, term)
	var rows report.Rows[mlreg.Interval]
	for kind := Percentile; kind <= BCa; kind++ {
		l, err := b.limits(j, kind, level)
		if err != nil {
			l.lower, l.upper = math.NaN(), math.NaN()
		}
		rows = append(rows, mlreg.Interval{Term: kind.String(), Lower: l.lower, Upper: l.upper, Level: level})
	}
	return rows, nil
}

// Band returns the limits of predictions (BootstrapSettings.At), each with its own level:
// a confidence band of the mean. Errors are those of Table. (Hastie, Tibshirani and
// Friedman, The Elements of Statistical Learning, 2nd ed., section 8.2.1.)
func (b *Boot) Band(kind IntervalKind, level float64) (*mlreg.Band, error) {
	rows, err := b.Table(kind, level)
	if err != nil {
		return nil, err
	}
	band := &mlreg.Band{Kind: mlreg.Confidence, Level: level}
	for _, r := range rows {
		band.Fitted, band.StdErr = append(band.Fitted, r.Estimate), append(band.StdErr, r.StdErr)
		band.Lower, band.Upper = append(band.Lower, r.Lower), append(band.Upper, r.Upper)
	}
	return band, nil
}

// Tabulate returns the limits as a table.
func (BootRow) Tabulate(r []BootRow) *report.Table {
	lower, upper := tables.Limits(r, func(r BootRow) float64 { return r.Level })
	t := tables.Rows("Bootstrap",
		tables.Text("term", r, func(r BootRow) string { return r.Term }),
		tables.Number("estimate", r, 0, func(r BootRow) float64 { return r.Estimate }),
		tables.Number("bias", r, 2, func(r BootRow) float64 { return r.Bias }),
		tables.Number(format.StdErr, r, 0, func(r BootRow) float64 { return r.StdErr }),
		tables.Number(lower, r, 0, func(r BootRow) float64 { return r.Lower }),
		tables.Number(upper, r, 0, func(r BootRow) float64 { return r.Upper }),
		tables.Number(format.MonteCarlo, r, 2, func(r BootRow) float64 { return r.MonteCarlo }))
	if slices.ContainsFunc(r, func(r BootRow) bool { return math.IsInf(r.MonteCarlo, 1) }) {
		t.Notes = append(t.Notes, "an infinite Monte Carlo error: the limit is at the extremes of the resamples, of which more are needed for this level")
	}
	return t
}

// String writes the line as text.
func (r BootRow) String() string { return report.Rows[BootRow]{r}.String() }

// Describe returns the percentile limits at 95% as a table, with the warnings.
func (b *Boot) Describe() *report.Table {
	rows, err := b.Table(Percentile, 0.95)
	if err != nil {
		return tables.OrError(nil, err)
	}
	t := rows.Describe()
	note := format.Plural(b.B(), "resample") + " of " + b.Kind.String()
	switch b.Kind {
	case ResampleClusters:
		note = fmt.Sprintf("%s of %d clusters of %d rows", format.Plural(b.B(), "resample"), b.Units, b.N)
	case BayesianBootstrap:
		note = fmt.Sprintf("Bayesian, %s of %d rows", format.Plural(b.B(), "draw of the weights"), b.N)
	case ResampleBlocks:
		note += fmt.Sprintf(" of %d rows", b.N)
	case ResampleRows:
		note = fmt.Sprintf("%s of %d rows", format.Plural(b.B(), "resample"), b.N)
	}
	note += ", percentile limits at 95%"
	if done := b.B() + b.Failed(); done < b.Planned {
		note += fmt.Sprintf("; stopped after %d of %d", done, b.Planned)
	}
	t.Notes = append(t.Notes, note)
	for _, w := range b.Warnings() {
		t.Notes = append(t.Notes, "warning: "+w.Text)
	}
	return t
}

// String writes the percentile limits at 95% as text.
func (b *Boot) String() string { return b.Describe().String() }
