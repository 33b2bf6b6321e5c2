package mlreg

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/algebra"
	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/dist"
	"github.com/regbook/regbook/mlreg/internal/fault"
	"github.com/regbook/regbook/mlreg/internal/gram"
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
func (f *MultiTask) LikelihoodModel() *LikelihoodModel {
	l := &LikelihoodModel{Model: LinearModel, Restricted: f.REML(), Given: map[string]string{"nu": "+Inf"}}
	h, slopes, names := f.l.header, []int(nil), f.Names()
	h.NoIntercept = true
	for _, j := range f.s.Fixed {
		if names[j] == InterceptName {
			h.NoIntercept = false
		} else {
			slopes = append(slopes, j-len(names)+len(h.Names))
		}
	}
	h = h.columns(slopes)
	l.Terms = &Linear{linear{linearState{h, coefficients{B: make([]float64, len(slopes))}}}}
	if f.s.Hyper != nil {
		l.Maximized = "the evidence under a Hyperprior (MultiTask.EvidenceBits compares it)"
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
// under the Hyperprior. Without one it is NaN: a flat prior has no evidence.
func (f *MultiTask) LogEvidence() float64 {
	if f.s.Hyper == nil {
		return math.NaN()
	}
	return f.LogLik()
}

// EvidenceBits returns how many bits more the evidence of f has than that of another
// fit to the same response: log2 of the Bayes factor, at the variances of each. Both need a
// Hyperprior (ErrSetting) and the same rows (ErrShape); fits by REML compare by
// TestVariance, and only with equal b*.
func (f *MultiTask) EvidenceBits(other *MultiTask) (float64, error) {
	if err := args.Given("the other fit", other); err != nil {
		return 0, err
	}
	if f.s.Hyper == nil || other.s.Hyper == nil {
		return 0, fmt.Errorf("%w: evidence needs a proper prior of b*; set Hyperprior in both fits", ErrSetting)
	}
	if err := new(comparison).sameRows(f, other); err != nil {
		return 0, err
	}
	return (f.LogEvidence() - other.LogEvidence()) / math.Ln2, nil
}

// VCov returns the covariance matrix of b* given the variances, in the order of Names:
// that of the posterior, which for a flat prior is that of generalized least squares.
// Coefficients of ZeroMean have zeros.
func (f *MultiTask) VCov() *mat.SymDense {
	k := f.columns()
	v := algebra.NewSym(k)
	for i := range k {
		for j := range i + 1 {
			v.SetSym(i, j, (f.s.Root[i*k+j]+f.s.Root[j*k+i])/2)
		}
	}
	return v
}

// StdErr returns the standard errors of b*, in the order of Names.
func (f *MultiTask) StdErr() []float64 {
	k := f.columns()
	return format.Each(gram.NumbersTo(k), func(j int) float64 { return math.Sqrt(math.Max(f.s.Root[j*k+j], 0)) })
}

// InferenceDoF returns +Inf: limits of b* are normal, given the variances.
func (f *MultiTask) InferenceDoF() float64 { return math.Inf(1) }

// Table returns the table of b*, see CoefTable.
func (f *MultiTask) Table(level float64) (report.Rows[CoefRow], error) { return CoefTable(f, level) }

// ConfInt returns limits of b*, see the function ConfInt.
func (f *MultiTask) ConfInt(level float64) (report.Rows[Interval], error) { return ConfInt(f, level) }

// EffectiveDoF returns the effective number of coefficients, the trace of the matrix that
// takes the response to the fitted values: between that of one regression for all rows
// and that of one for each group.
func (f *MultiTask) EffectiveDoF() float64 { return f.s.DoF }

// Levels returns the names of the levels of groups, the outermost first.
func (f *MultiTask) Levels() []string {
	return format.Each(f.s.Levels, func(l multiLevel) string { return l.Name })
}

func (f *MultiTask) level(name string) (*multiLevel, error) {
	l, err := findLevel(f.Levels(), name)
	if err != nil {
		return nil, err
	}
	return &f.s.Levels[l], nil
}

// GroupCov returns Psi, the covariance matrix between the groups of a level, and the
// coefficients that it is of; "" is the innermost level. An unknown level is ErrSetting.
func (f *MultiTask) GroupCov(level string) (terms []string, psi *mat.SymDense, err error) {
	l, err := f.level(level)
	if err != nil {
		return nil, nil, err
	}
	names := f.Names()
	k := len(l.Vary)
	psi = algebra.NewSym(k)
	for i, c := range l.Vary {
		terms = append(terms, names[c])
		for j := range i + 1 {
			psi.SetSym(i, j, (l.Psi[i*k+j]+l.Psi[j*k+i])/2)
		}
	}
	return terms, psi, nil
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
	return format.Each(f.s.Levels, func(l multiLevel) float64 { return l.MeanVar / total })
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

// GroupCoefs returns the coefficients of every group of a level, "" the innermost. A
// group without rows has b* and the uncertainty of a new group. An unknown level is
// ErrSetting.
func (f *MultiTask) GroupCoefs(level string) (*GroupCoefs, error) {
	l, err := f.level(level)
	if err != nil {
		return nil, err
	}
	out := &GroupCoefs{Level: l.Name, Names: f.Names()}
	c, k := f.columns(), len(l.Vary)
	for _, v := range l.Vary {
		out.Terms = append(out.Terms, out.Names[v])
	}
	half := c * (c + 1) / 2
	for g, label := range l.Labels {
		row := GroupCoef{Group: label, NObs: l.Rows[g], Coef: slices.Clone(l.Coef[g*c : (g+1)*c]), Own: slices.Clone(l.Own[g*k : (g+1)*k])}
		for j := range c {
			row.StdErr = append(row.StdErr, math.Sqrt(math.Max(l.Cov[g*half+j*(j+1)/2+j], 0)))
		}
		out.Rows = append(out.Rows, row)
	}
	return out, nil
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
		return Interval{r.Group, r.Coef[j] - z*r.StdErr[j], r.Coef[j] + z*r.StdErr[j]}
	}), nil
}

// GroupPredictive is the distribution that a MultiTask fit predicts for rows of groups,
// old or new.
type GroupPredictive struct {
	Predictive
	// Seen is the innermost level at which the group of each row was fitted, "" for a row
	// of a group that is new at every level: it is predicted from b*.
	Seen []string
}

// PredictGroups predicts the rows of d in their groups,
//
//	y ~ N(x'b_j, sigma^2/w + x'Var(b_j)x),
//
// b_j with its uncertainty, which counts that of b*. A group that was not fitted, or had
// no rows, is predicted from b*, or from the group around it, and its variance has Psi,
// too (Seen says so). Groups need the levels of the fit by name (ErrShape). Limits have
// probability level, given the variances. Other errors are those of Predict.
func (f *MultiTask) PredictGroups(d *Design, groups *Grouping, level float64) (*GroupPredictive, error) {
	if err := fault.Level(level); err != nil {
		return nil, err
	}
	if err := args.Given("the grouping", groups); err != nil {
		return nil, err
	}
	x, err := f.rows(d)
	if err != nil {
		return nil, err
	}
	n, _ := x.Dims()
	if groups.rows() != n {
		return nil, fmt.Errorf("%w: %d rows to predict, and the grouping %q has %d", ErrShape, n, groups.last().Name, groups.rows())
	}
	if !slices.Equal(groups.Levels(), f.Levels()) {
		return nil, fmt.Errorf("%w: the fit has the levels %s, and the rows to predict %s", ErrShape, format.Quoted(f.Levels()), format.Quoted(groups.Levels()))
	}
	number := make([]map[string]int, len(f.s.Levels))
	for l := range number {
		number[l] = make(map[string]int, len(f.s.Levels[l].Labels))
		for g, label := range f.s.Levels[l].Labels {
			if f.s.Levels[l].Rows[g] > 0 {
				number[l][label] = g
			}
		}
	}
	z := dist.TQuantile(1-level, math.Inf(1))
	p := &GroupPredictive{Predictive: Predictive{Level: level}}
	full := make([]float64, f.columns())
	for i := range n {
		copy(full[f.columns()-len(f.l.Names):], x.RawRowView(i))
		if !f.l.NoIntercept {
			full[0] = 1
		}
		seen := -1
		var at int
		for l := range f.s.Levels {
			g, ok := number[l][groups.label(l, i)]
			if !ok {
				break
			}
			seen, at = l, g
		}
		mean, v := f.groupRow(full, seen, at)
		mean += d.offsetAt(i)
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
func (f *MultiTask) GobEncode() ([]byte, error) { return stream.Encode(f, &f.l, &f.s) }

// GobDecode implements gob.GobDecoder.
func (f *MultiTask) GobDecode(b []byte) error { return gobDecode(b, f, &f.l, &f.s) }

// Tabulate returns the variances as a table, in lme4's order.
func (VarianceComponent) Tabulate(v []VarianceComponent) *report.Table {
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

// Describe returns the variance as a table.
func (v VarianceComponent) Describe() *report.Table {
	return report.Rows[VarianceComponent]{v}.Describe()
}

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
