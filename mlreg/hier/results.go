package hier

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/dist"
	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/internal/algebra"
	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/door"
	"github.com/regbook/regbook/mlreg/internal/fault"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/nesting"
	"github.com/regbook/regbook/mlreg/internal/stream"
	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
)

// NObs returns the number of observations; rows of weight zero do not count.
func (f *MultiTask) NObs() int { return f.s.N }

// Sigma2 returns the variance of the residuals, estimated or known.
func (f *MultiTask) Sigma2() float64 { return f.s.Sigma2 }

// SigmaKnown tells whether Sigma2 was given.
func (f *MultiTask) SigmaKnown() bool { return f.s.Known }

// REML tells whether Criterion is that of the restricted likelihood: neither ML nor a
// Hyperprior was set.
func (f *MultiTask) REML() bool { return !f.s.ML && f.s.Hyper == nil }

// Criterion returns -2 log of what the variances maximize,
//
//	REML      the restricted likelihood, the density of n - p contrasts of the response
//	ML        the likelihood, at the maximum over b*
//	evidence  with a Hyperprior: the density of the response, b* integrated out
//
// with all constants, as lme4 prints it; without the prior of AvoidZero.
func (f *MultiTask) Criterion() float64 { return f.s.Criterion }

// LogLik returns -Criterion/2; of a fit by REML it is lme4's logLik, comparable between
// fits with the same b* alone.
func (f *MultiTask) LogLik() float64 { return -f.s.Criterion / 2 }

// LikelihoodModel says what the likelihood is of; see the type.
func (f *MultiTask) LikelihoodModel() *mlreg.LikelihoodModel {
	l := &mlreg.LikelihoodModel{Model: mlreg.LinearModel, Restricted: f.REML(), Given: map[string]string{"nu": "+Inf"}}
	names := f.Names()
	if terms, err := f.Part(format.Each(f.s.Fixed, func(j int) string { return names[j] })...); err == nil {
		l.Terms = terms
	}
	if f.s.Hyper != nil {
		l.Maximized = "the evidence under a Hyperprior (MultiTask.LogEvidence)"
	} else if f.s.Avoid {
		l.Maximized = "the likelihood times the prior of AvoidZero"
	}
	if f.s.Known {
		l.Given["sigma^2"] = fmt.Sprint(f.s.Sigma2)
	}
	for _, level := range f.s.Levels {
		for _, j := range level.Vary {
			l.Vary = append(l.Vary, fmt.Sprintf("%q varies between groups of %q", names[j], level.Name))
		}
		if !f.s.Estimated {
			l.Given["the covariance between groups of "+level.Name] = fmt.Sprint(level.Psi)
		}
	}
	return l
}

// Parameters returns the number of coefficients b* and of variances and covariances
// that were estimated, as lme4 counts them.
func (f *MultiTask) Parameters() int {
	k := len(f.s.Fixed)
	if !f.s.Known {
		k++
	}
	return k + f.covariances()
}

// covariances returns the number of variances and covariances between groups.
func (f *MultiTask) covariances() int {
	k := 0
	if !f.s.Estimated {
		return 0
	}
	for _, l := range f.s.Levels {
		for i, b := range l.Block {
			for j := range i + 1 {
				if l.Block[j] == b && (!l.Equal[i] || i == j && slices.Index(l.Block, b) == i) {
					k++
				}
			}
		}
	}
	return k
}

// LogEvidence returns log p(y) given the variances, b* and all b_j integrated out
// under the Hyperprior. Without one it is NaN: a flat prior has no evidence. The difference of
// two fits to the same rows and response is the logarithm of their Bayes factor, at the
// variances of each.
func (f *MultiTask) LogEvidence() float64 {
	if f.s.Hyper == nil {
		return math.NaN()
	}
	return f.LogLik()
}

// VCov returns the covariance matrix of b* given the variances, in the order of Names:
// that of the posterior, which for a flat prior is that of generalized least squares.
// Coefficients of ZeroMean have zeros.
func (f *MultiTask) VCov() *mat.SymDense {
	return symmetric(f.s.Root, len(f.Names()))
}

// symmetric returns a k x k matrix that is symmetric but for rounding.
func symmetric(a []float64, k int) *mat.SymDense {
	v := algebra.NewSym(k)
	for i := range k {
		for j := range i + 1 {
			v.SetSym(i, j, (a[i*k+j]+a[j*k+i])/2)
		}
	}
	return v
}

// StdErr returns the standard errors of b*, in the order of Names.
func (f *MultiTask) StdErr() []float64 {
	k := len(f.Names())
	return format.Each(gram.NumbersTo(k), func(j int) float64 { return math.Sqrt(math.Max(f.s.Root[j*k+j], 0)) })
}

// InferenceDoF returns +Inf: limits of b* are normal, given the variances.
func (f *MultiTask) InferenceDoF() float64 { return math.Inf(1) }

// Table returns the table of b*, see CoefTable.
func (f *MultiTask) Table(level float64) (report.Rows[mlreg.CoefRow], error) {
	return mlreg.CoefTable(f, level)
}

// ConfInt returns limits of b*, see the function ConfInt.
func (f *MultiTask) ConfInt(level float64) (report.Rows[mlreg.Interval], error) {
	return mlreg.ConfInt(f, level)
}

// EffectiveDoF returns the effective number of coefficients, the trace of the matrix that
// takes the response to the fitted values: between that of one regression for all rows
// and that of one for each group.
func (f *MultiTask) EffectiveDoF() float64 { return f.s.DoF }

// Levels returns the names of the levels of groups, the outermost first.
func (f *MultiTask) Levels() []string {
	return format.Each(f.s.Levels, func(l levelState) string { return l.Name })
}

func (f *MultiTask) level(name string) (*levelState, error) {
	l, err := nesting.Find(f.Levels(), name)
	if err != nil {
		return nil, err
	}
	return &f.s.Levels[l], nil
}

// GroupCov returns Psi, the covariance matrix between the groups of a level, and the
// coefficients that it is of; "" is the innermost level. An unknown level is mlreg.ErrSetting.
func (f *MultiTask) GroupCov(level string) (terms []string, psi *mat.SymDense, err error) {
	l, err := f.level(level)
	if err != nil {
		return nil, nil, err
	}
	names := f.Names()
	return format.Each(l.Vary, func(c int) string { return names[c] }), symmetric(l.Psi, len(l.Vary)), nil
}

// VarianceComponent is a line of the table of variances. The level of the residuals is
// "Residual", their term "".
type VarianceComponent struct {
	Level, Term      string
	Variance, StdDev float64
	Corr             []float64 // with the coefficients of the level before it; NaN if fixed at zero or undefined
}

// Variances returns the variances and standard deviations between groups, innermost
// level first as lme4 prints them, and of the residuals.
func (f *MultiTask) Variances() report.Rows[VarianceComponent] {
	var out report.Rows[VarianceComponent]
	names := f.Names()
	for i := len(f.s.Levels) - 1; i >= 0; i-- {
		l := &f.s.Levels[i]
		k := len(l.Vary)
		for a, c := range l.Vary {
			v := math.Max(l.Psi[a*k+a], 0)
			row := VarianceComponent{Level: l.Name, Term: names[c], Variance: v, StdDev: math.Sqrt(v)}
			for b := range a {
				r := math.NaN()
				if l.Block[a] == l.Block[b] && !l.Equal[a] {
					if d := l.Psi[a*k+a] * l.Psi[b*k+b]; d > 0 {
						r = math.Max(-1, math.Min(1, l.Psi[a*k+b]/math.Sqrt(d)))
					}
				}
				row.Corr = append(row.Corr, r)
			}
			out = append(out, row)
		}
	}
	return append(out, VarianceComponent{Level: "Residual", Variance: f.s.Sigma2, StdDev: math.Sqrt(f.s.Sigma2)})
}

// ICC returns the intraclass correlation of every level, outermost first: the part of
// the variance that b* leaves which lies between the groups of that level,
//
//	v_l / (sum_l v_l + sigma^2),   v_l = mean over the rows of z'Psi_l z,
//
// for an intercept that varies its variance alone (Johnson, Methods in Ecology and
// Evolution 5 (2014), 944-946, for slopes).
func (f *MultiTask) ICC() []float64 {
	total := f.s.Sigma2
	for _, l := range f.s.Levels {
		total += l.MeanVar
	}
	return format.Each(f.s.Levels, func(l levelState) float64 { return l.MeanVar / total })
}

// MarginalR2 returns the part of the variance that b* explains,
//
//	var(x'b*) / (var(x'b*) + sum_l v_l + sigma^2),
//
// v_l as in ICC and the first over the rows given, about the mean, with an intercept or
// without, and divisor n; rows count by their weights in both (Nakagawa and Schielzeth,
// Methods in Ecology and Evolution 4 (2013), 133-142, eq. 26).
func (f *MultiTask) MarginalR2() float64 { return f.s.ExplainedX / f.variance() }

// ConditionalR2 returns the part of the variance that b* and the groups explain
// together (Nakagawa and Schielzeth, eq. 30).
func (f *MultiTask) ConditionalR2() float64 { return 1 - f.s.Sigma2/f.variance() }

func (f *MultiTask) variance() float64 {
	v := f.s.ExplainedX + f.s.Sigma2
	for _, l := range f.s.Levels {
		v += l.MeanVar
	}
	return v
}

// Iterations returns the number of Newton steps; 0 if the variances were given.
func (f *MultiTask) Iterations() int { return f.s.Iterations }

// Gradient returns the largest absolute derivative of Criterion by the parameters of the
// variances, in units in which a relative change of a standard deviation is one: the
// search ended where it vanishes. NaN if the variances were given.
func (f *MultiTask) Gradient() float64 { return f.s.Gradient }

// Decrement returns Newton's estimate of how much lower Criterion could be, g'H^-1 g/2
// for its gradient g and Hessian H. NaN if the variances were given.
func (f *MultiTask) Decrement() float64 { return f.s.Decrement }

// Curvature returns the least eigenvalue of the Hessian of Criterion, along variances
// that are not zero: positive at a maximum of the likelihood that is one.
func (f *MultiTask) Curvature() float64 { return f.s.Curvature }

// Boundary says which variances are zero, or which correlation is -1 or 1; nil if none.
// lme4 calls such a fit singular. It is no failure: the groups differ less than their
// rows' noise alone would make them differ, and zero is the best estimate. Its
// certificate is Outward.
func (f *MultiTask) Boundary() []string { return slices.Clone(f.s.Boundary) }

// Outward returns the least derivative of Criterion as a variance that is zero leaves
// zero: if positive, every small variance is worse than none. NaN if none is zero.
func (f *MultiTask) Outward() float64 { return f.s.Outward }

// GroupCoefs returns the coefficients of every group of a level, "" the innermost. A
// group without rows has b* and the uncertainty of a new group. An unknown level is
// mlreg.ErrSetting.
func (f *MultiTask) GroupCoefs(level string) (*mlreg.GroupCoefs, error) {
	l, err := f.level(level)
	if err != nil {
		return nil, err
	}
	out := &mlreg.GroupCoefs{Level: l.Name, Names: f.Names()}
	c, k := len(out.Names), len(l.Vary)
	for _, v := range l.Vary {
		out.Terms = append(out.Terms, out.Names[v])
	}
	half := c * (c + 1) / 2
	for g, label := range l.Labels {
		row := mlreg.GroupCoef{Group: label, NObs: l.Rows[g], Coef: slices.Clone(l.Coef[g*c : (g+1)*c]), Own: slices.Clone(l.Own[g*k : (g+1)*k])}
		for j := range c {
			row.StdErr = append(row.StdErr, math.Sqrt(math.Max(l.Cov[g*half+j*(j+1)/2+j], 0)))
		}
		out.Rows = append(out.Rows, row)
	}
	return out, nil
}

// PredictGroups predicts the rows of d in their groups,
//
//	y ~ N(x'b_j, sigma^2/w + x'Var(b_j)x),
//
// b_j with its uncertainty, which counts that of b*. A group that was not fitted, or had
// no rows, is predicted from b*, or from the group around it, and its variance has Psi,
// too (Seen says so). Groups need the levels of the fit by name (mlreg.ErrShape). Limits have
// probability level, given the variances. Other errors are those of Predict.
func (f *MultiTask) PredictGroups(d *mlreg.Design, groups *mlreg.Grouping, level float64) (*mlreg.GroupPredictive, error) {
	if err := fault.Level(level); err != nil {
		return nil, err
	}
	if err := args.Given("the grouping", groups); err != nil {
		return nil, err
	}
	columns, err := f.Columns(d)
	if err != nil {
		return nil, err
	}
	levels := door.GroupsOf(groups)
	n := columns.NObs()
	if groups.NObs() != n {
		return nil, fmt.Errorf("%w: %d rows to predict, and the grouping %q has %d", mlreg.ErrShape, n, levels[len(levels)-1].Name, groups.NObs())
	}
	if !slices.Equal(groups.Levels(), f.Levels()) {
		return nil, fmt.Errorf("%w: the fit has the levels %s, and the rows to predict %s", mlreg.ErrShape, format.Quoted(f.Levels()), format.Quoted(groups.Levels()))
	}
	number := f.numbers()
	z := dist.TQuantile(1-level, math.Inf(1))
	p := &mlreg.GroupPredictive{Predictive: mlreg.Predictive{Level: level}}
	var full []float64
	for i := range n {
		full = full[:0]
		if f.HasIntercept() {
			full = append(full, 1)
		}
		full = append(full, columns.X.RawRowView(i)...)
		seen, at := -1, 0
		for l, known := range number {
			g, ok := known[levels[l].Labels[levels[l].Of[i]]]
			if !ok {
				break
			}
			seen, at = l, g
		}
		mean, v := f.groupRow(full, seen, at)
		if d.Offset != nil {
			mean += d.Offset[i]
		}
		noise := f.s.Sigma2 / d.Weight(i)
		name := ""
		if seen >= 0 {
			name = f.s.Levels[seen].Name
		}
		p.Seen = append(p.Seen, name)
		p.Mean = append(p.Mean, mean)
		p.ParamVar, p.NoiseVar = append(p.ParamVar, v), append(p.NoiseVar, noise)
		sd, obs := math.Sqrt(v), math.Sqrt(v+noise)
		p.LowerMean, p.UpperMean = append(p.LowerMean, mean-z*sd), append(p.UpperMean, mean+z*sd)
		p.LowerObs, p.UpperObs = append(p.LowerObs, mean-z*obs), append(p.UpperObs, mean+z*obs)
	}
	return p, nil
}

// numbers returns, level by level, the numbers of the groups with rows by their labels.
func (f *MultiTask) numbers() []map[string]int {
	out := make([]map[string]int, len(f.s.Levels))
	for l, level := range f.s.Levels {
		out[l] = make(map[string]int, len(level.Labels))
		for g, label := range level.Labels {
			if level.Rows[g] > 0 {
				out[l][label] = g
			}
		}
	}
	return out
}

// groupRow is mean and variance of x'b for a group of a level, or for a new one (-1).
func (f *MultiTask) groupRow(x []float64, level, g int) (mean, v float64) {
	c := len(x)
	if level < 0 {
		coef := f.Coef()
		for i, xi := range x {
			mean += xi * coef[i]
			for j, xj := range x {
				v += xi * xj * f.s.Root[i*c+j]
			}
		}
	} else {
		l := &f.s.Levels[level]
		at := g * c * (c + 1) / 2
		for i, xi := range x {
			mean += xi * l.Coef[g*c+i]
			for j := range i + 1 {
				w := 2.0
				if i == j {
					w = 1
				}
				v += w * xi * x[j] * l.Cov[at]
				at++
			}
		}
	}
	for _, l := range f.s.Levels[level+1:] {
		k := len(l.Vary)
		for i, a := range l.Vary {
			for j, b := range l.Vary {
				v += x[a] * x[b] * l.Psi[i*k+j]
			}
		}
	}
	return mean, math.Max(v, 0)
}

// GobEncode implements gob.GobEncoder.
func (f *MultiTask) GobEncode() ([]byte, error) { return stream.Encode(f, &f.Linear, &f.s) }

// GobDecode implements gob.GobDecoder.
func (f *MultiTask) GobDecode(b []byte) error { return stream.Decode(b, f, nil, &f.Linear, &f.s) }

// Tabulate returns the variances as a table, in lme4's order.
func (VarianceComponent) Tabulate(v []VarianceComponent) *report.Table {
	t := tables.Rows("Variances",
		tables.Text("groups", v, func(r VarianceComponent) string { return r.Level }),
		tables.Text("term", v, func(r VarianceComponent) string { return r.Term }),
		tables.Number("variance", v, 5, func(r VarianceComponent) float64 { return r.Variance }),
		tables.Number(format.StdDev, v, 5, func(r VarianceComponent) float64 { return r.StdDev }))
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

// Describe returns the variance as a table.
func (v VarianceComponent) Describe() *report.Table {
	return report.Rows[VarianceComponent]{v}.Describe()
}

// String writes the variance as text.
func (v VarianceComponent) String() string { return v.Describe().String() }
