package hier

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/hierarchy"
	"github.com/regbook/regbook/mlreg/internal/quadrature"
	"github.com/regbook/regbook/mlreg/internal/stream"
	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
	"gonum.org/v1/gonum/floats"
)

// VariancePosteriorSettings are the settings of FitVariancePosterior.
type VariancePosteriorSettings struct {
	// HalfCauchy is the scale A of a prior 2/(pi A (1 + (tau/A)^2)) of tau; 0 is the
	// uniform prior on tau >= 0.
	HalfCauchy float64
	// Panels is the number of parts into which the range of tau is cut for quadrature; 0
	// is 64.
	Panels int
}

// VariancePosterior is the posterior distribution of a standard deviation between groups,
// by FitVariancePosterior, with that of the coefficients averaged over it. It does not
// change.
type VariancePosterior struct {
	s variancePosteriorState
}

type variancePosteriorState struct {
	Term, Level  string
	Tau, Density []float64 // at the nodes, ascending
	CDF          []float64 // at the ends of the panels, of which tau/(tau + Scale) are equidistant
	Scale        float64
	Mean, SD     float64
	Mode         float64
	Error        float64
	HalfCauchy   float64
	Groups       int
	Names, Terms []string // of the coefficients
	MeanCoef     []float64
	MeanSD       []float64
	Labels       []string
	Rows         []int
	Coef, StdErr []float64 // groups x coefficients
	Own          []float64
}

// FitVariancePosterior returns the posterior distribution of the standard deviation tau of
// the one coefficient that varies (or of the equal ones), given a uniform or half-Cauchy
// prior of tau and the residual variance (Sigma2; weights 1/se^2 and Sigma2 = 1 for
// estimates with known standard errors),
//
//	p(tau | y) ~ p(tau) exp(-Criterion(tau)/2),
//
// Criterion that of REML, in which b* is integrated out under a flat prior, or of the
// evidence with a Hyperprior. The coefficients of the groups are averaged over it, so
// that their standard deviations count that tau is not known. Integrals are by Gauss-Legendre
// quadrature of 16 nodes in each panel of tau/(tau + scale), once with half of the panels:
// the difference is Error.
//
// Errors: mlreg.ErrSetting if more than one variance is unknown, if Sigma2 is not set, or ML is;
// mlreg.ErrNotEstimable with fewer than three groups and a uniform prior, which leave the
// posterior without a finite integral.
//
// Gelman et al., Bayesian Data Analysis, 3rd ed., section 5.4, equation 5.21; Gelman,
// Bayesian Analysis 1 (2006), 515-534, for the priors.
func FitVariancePosterior(data mlreg.Data, groups *mlreg.Grouping, settings *Settings, quadrature *VariancePosteriorSettings) (*VariancePosterior, error) {
	s, q := args.OrDefaults(settings), args.OrDefaults(quadrature)
	if err := q.check(&s); err != nil {
		return nil, err
	}
	m, err := newGroupData(data, groups, &s, false)
	if err != nil {
		return nil, err
	}
	model := m.model(&s)
	if len(m.blocks) != 1 || model.Parameters() != 1 {
		return nil, fmt.Errorf("%w: %d variances and covariances are unknown; let one coefficient vary, or several with EqualVariances", mlreg.ErrSetting, model.Parameters())
	}
	filled := 0
	for _, n := range m.rows {
		if n > 0 {
			filled++
		}
	}
	if q.HalfCauchy == 0 && filled < 3 {
		return nil, fmt.Errorf("%w: a uniform prior needs three groups or more, and there are %d; set HalfCauchy", mlreg.ErrNotEstimable, filled)
	}
	best, err := m.search(model, &s)
	if err != nil {
		return nil, err
	}
	p := &posteriorWork{m: m, s: &s, q: &q, model: model, unit: m.unit(m.blocks[0].Level, 0), peak: best.Minus2}
	sigma := math.Sqrt(s.Sigma2) / m.scaleY // of theta: tau/sigma
	// The scale: where the criterion is some units above its least value.
	p.scale = math.Max(math.Abs(best.Theta[0]), 1e-8) * sigma
	for range 200 {
		v, err := model.Evaluate([]float64{2 * p.scale / sigma}, 0, 0)
		if err != nil {
			return nil, m.explain(err)
		}
		if v.Minus2 > best.Minus2+2 {
			break
		}
		p.scale *= 1.5
	}
	p.sigma = sigma
	panels := cmp.Or(q.Panels, 64)
	fine, err := p.integrate(panels)
	if err != nil {
		return nil, err
	}
	coarse, err := p.integrate(max(panels/2, 1))
	if err != nil {
		return nil, err
	}
	return p.result(fine, coarse)
}

// check refuses settings out of range, of the quadrature or of the fit.
func (q *VariancePosteriorSettings) check(s *Settings) error {
	if err := s.check(); err != nil {
		return err
	}
	if q.HalfCauchy < 0 || q.HalfCauchy-q.HalfCauchy != 0 {
		return fmt.Errorf("%w: HalfCauchy = %v; it is finite and positive, or 0 for a uniform prior", mlreg.ErrSetting, q.HalfCauchy)
	}
	if q.Panels < 0 || q.Panels == 1 {
		return fmt.Errorf("%w: Panels = %d; it is 2 or more", mlreg.ErrSetting, q.Panels)
	}
	switch {
	case s.variances() != nil || s.AvoidZero:
		return fmt.Errorf("%w: the posterior is of a variance that is not given, without AvoidZero", mlreg.ErrSetting)
	case s.Sigma2 == 0:
		return fmt.Errorf("%w: Sigma2 is not set; with weights 1/se^2 it is 1", mlreg.ErrSetting)
	case s.ML && s.Hyperprior == nil:
		return fmt.Errorf("%w: ML maximizes over b*; leave it out, and b* is integrated out", mlreg.ErrSetting)
	}
	return nil
}

type posteriorWork struct {
	m                        *groupData
	s                        *Settings
	q                        *VariancePosteriorSettings
	model                    *hierarchy.Model
	unit, peak, scale, sigma float64
}

type posteriorNodes struct {
	tau, weight []float64 // working units; weights hold the posterior, and sum to 1
	density     []float64 // by tau, normalized
	cdf         []float64
	mean, sd    float64
	norm        float64
	values      []*hierarchy.Value
}

// density is the posterior by u = tau/(tau + scale), not normalized.
func (p *posteriorWork) density(u float64) (tau, f, jacobian float64, v *hierarchy.Value, err error) {
	tau = p.scale * u / (1 - u)
	jacobian = p.scale / gram.Square(1-u)
	v, err = p.model.Evaluate([]float64{tau / p.sigma}, 0, 0)
	if err != nil {
		return 0, 0, 0, nil, p.m.explain(err)
	}
	f = math.Exp(-(v.Minus2 - p.peak) / 2)
	if a := p.q.HalfCauchy; a > 0 {
		f /= 1 + gram.Square(tau*p.unit/a)
	}
	return tau, f, jacobian, v, nil
}

const panelNodes = 16

// panelRule is the rule of a panel.
var panelRule = sync.OnceValue(func() quadrature.Rule { return quadrature.Legendre(panelNodes) })

func (p *posteriorWork) integrate(panels int) (*posteriorNodes, error) {
	out := &posteriorNodes{cdf: []float64{0}}
	sum := 0.0
	for k := range panels {
		for u, w := range panelRule().Between(float64(k)/float64(panels), float64(k+1)/float64(panels)) {
			tau, f, jacobian, v, err := p.density(u)
			if err != nil {
				return nil, err
			}
			out.tau, out.density = append(out.tau, tau), append(out.density, f)
			out.weight, out.values = append(out.weight, w*f*jacobian), append(out.values, v)
			sum += w * f * jacobian
		}
		out.cdf = append(out.cdf, sum)
	}
	out.norm = sum
	for i := range out.weight {
		out.weight[i] /= sum
		out.density[i] /= sum
		out.mean += out.weight[i] * out.tau[i]
	}
	for i := range out.weight {
		out.sd += out.weight[i] * gram.Square(out.tau[i]-out.mean)
	}
	out.sd = math.Sqrt(out.sd)
	for i := range out.cdf {
		out.cdf[i] /= sum
	}
	return out, nil
}

// result averages the coefficients over the nodes.
func (p *posteriorWork) result(fine, coarse *posteriorNodes) (*VariancePosterior, error) {
	m, c := p.m, len(p.m.columns)
	l := p.m.blocks[0].Level
	out := &VariancePosterior{variancePosteriorState{HalfCauchy: p.q.HalfCauchy}}
	s := &out.s
	s.Level, s.Term, s.Names = m.levels[l].Name, m.columns[m.vary[l][0]], slices.Clone(m.columns)
	for _, v := range m.vary[l] {
		s.Terms = append(s.Terms, m.columns[v])
	}
	s.Groups, s.Labels, s.Rows = len(m.levels[l].Labels), slices.Clone(m.levels[l].Labels), m.rowsOf(l)
	k := len(s.Terms)
	s.MeanCoef, s.MeanSD = make([]float64, c), make([]float64, c)
	s.Coef, s.StdErr, s.Own = make([]float64, s.Groups*c), make([]float64, s.Groups*c), make([]float64, s.Groups*k)
	s.Mean, s.SD = fine.mean*p.unit, fine.sd*p.unit
	s.Error = math.Max(math.Abs(fine.norm/coarse.norm-1), math.Abs(fine.mean/coarse.mean-1))
	for i, tau := range fine.tau {
		s.Tau, s.Density = append(s.Tau, tau*p.unit), append(s.Density, fine.density[i]/p.unit)
		if w := fine.weight[i]; w > 1e-14 {
			settings := *p.s
			settings.Varying = slices.Clone(p.s.Varying)
			f, err := m.result(&settings, &hierarchy.Optimum{Value: fine.values[i], Delta: p.model.Delta(fine.values[i].Theta)})
			if err != nil {
				return nil, err
			}
			se := f.StdErr()
			for j, b := range f.Coef() {
				s.MeanCoef[j] += w * b
				s.MeanSD[j] += w * (gram.Square(se[j]) + b*b)
			}
			level := &f.s.Levels[l]
			half := c * (c + 1) / 2
			for g := range s.Groups {
				for j := range c {
					b := level.Coef[g*c+j]
					s.Coef[g*c+j] += w * b
					s.StdErr[g*c+j] += w * (level.Cov[g*half+j*(j+1)/2+j] + b*b)
				}
			}
			for j, v := range level.Own {
				s.Own[j] += w * v
			}
		}
	}
	s.Mode = peak(s.Tau, s.Density)
	for j, b := range s.MeanCoef {
		s.MeanSD[j] = math.Sqrt(math.Max(s.MeanSD[j]-b*b, 0))
	}
	for j, b := range s.Coef {
		s.StdErr[j] = math.Sqrt(math.Max(s.StdErr[j]-b*b, 0))
	}
	s.CDF, s.Scale = fine.cdf, p.scale*p.unit
	return out, nil
}

// Term returns the name of the coefficient whose standard deviation tau is.
func (p *VariancePosterior) Term() string { return p.s.Term }

// Level returns the name of the level of groups.
func (p *VariancePosterior) Level() string { return p.s.Level }

// Mean returns the posterior mean of tau; with a uniform prior and three groups it is
// not finite, and quadrature gives some large number.
func (p *VariancePosterior) Mean() float64 { return p.s.Mean }

// StdDev returns the posterior standard deviation of tau.
func (p *VariancePosterior) StdDev() float64 { return p.s.SD }

// peak returns where a density is largest, that of the parabola of its logarithm through the
// highest node and its neighbors: of two nodes that are as high, either gives the same. It is 0
// if the first node is the highest.
func peak(x, density []float64) float64 {
	top := floats.MaxIdx(density)
	if top == 0 {
		return 0
	}
	if top == len(x)-1 || density[top-1] == 0 || density[top+1] == 0 {
		return x[top]
	}
	at := math.Log(density[top])
	left, right := x[top-1]-x[top], x[top+1]-x[top]
	a, b := (math.Log(density[top-1])-at)/left, (math.Log(density[top+1])-at)/right
	bend := (b - a) / (right - left)
	if !(bend < 0) {
		return x[top]
	}
	return x[top] + math.Min(math.Max((bend*left-a)/(2*bend), left), right)
}

// Mode returns where the density is largest, 0 at the boundary: of the parabola of its logarithm
// through the highest node of the quadrature and its neighbors.
func (p *VariancePosterior) Mode() float64 { return p.s.Mode }

// Error returns the relative difference of the integral, or of the mean of tau, with
// half as many panels.
func (p *VariancePosterior) Error() float64 { return p.s.Error }

// Density returns the nodes of the quadrature, ascending, and the density there.
func (p *VariancePosterior) Density() (tau, density []float64) {
	return slices.Clone(p.s.Tau), slices.Clone(p.s.Density)
}

// CDF returns the probability that tau is at most x: in each panel that of the polynomial
// through its nodes.
func (p *VariancePosterior) CDF(x float64) float64 {
	if !(x > 0) {
		return 0
	}
	panels := len(p.s.CDF) - 1
	u := x / (x + p.s.Scale)
	k := min(int(u*float64(panels)), panels-1)
	if u >= 1 || k < 0 || (k+1)*panelNodes > len(p.s.Tau) {
		return 1
	}
	if !(u > float64(k)/float64(panels)) {
		return p.s.CDF[k]
	}
	nodes, values := make([]float64, panelNodes), make([]float64, panelNodes)
	for i := range nodes {
		tau := p.s.Tau[k*panelNodes+i]
		nodes[i] = tau / (tau + p.s.Scale)
		values[i] = p.s.Density[k*panelNodes+i] * gram.Square(tau+p.s.Scale) / p.s.Scale
	}
	sum := p.s.CDF[k]
	for v, w := range panelRule().Between(float64(k)/float64(panels), u) {
		sum += w * lagrange(nodes, values, v)
	}
	return math.Max(0, math.Min(1, sum))
}

// lagrange is the polynomial through some points, at x.
func lagrange(nodes, values []float64, x float64) float64 {
	sum := 0.0
	for i, a := range nodes {
		l := values[i]
		for j, b := range nodes {
			if j != i {
				l *= (x - b) / (a - b)
			}
		}
		sum += l
	}
	return sum
}

// Quantile returns the value of tau that it exceeds with probability 1 - p; p outside
// (0, 1) is mlreg.ErrSetting.
func (p *VariancePosterior) Quantile(prob float64) (float64, error) {
	if !(prob > 0 && prob < 1) {
		return 0, fmt.Errorf("%w: the probability of a quantile is %v; it lies between 0 and 1", mlreg.ErrSetting, prob)
	}
	a, b := 0.0, 1.0 // u = tau/(tau + scale)
	for range 60 {
		u := (a + b) / 2
		if p.CDF(p.s.Scale*u/(1-u)) < prob {
			a = u
		} else {
			b = u
		}
	}
	u := (a + b) / 2
	return p.s.Scale * u / (1 - u), nil
}

// GroupCoefs returns the coefficients of the groups, averaged over tau.
func (p *VariancePosterior) GroupCoefs() *mlreg.GroupCoefs {
	s := &p.s
	out := &mlreg.GroupCoefs{Level: s.Level, Names: slices.Clone(s.Names), Terms: slices.Clone(s.Terms)}
	c, k := len(s.Names), len(s.Terms)
	for g, label := range s.Labels {
		out.Rows = append(out.Rows, mlreg.GroupCoef{
			Group: label, NObs: s.Rows[g], Coef: slices.Clone(s.Coef[g*c : (g+1)*c]),
			StdErr: slices.Clone(s.StdErr[g*c : (g+1)*c]), Own: slices.Clone(s.Own[g*k : (g+1)*k]),
		})
	}
	return out
}

// Names returns the names of the coefficients.
func (p *VariancePosterior) Names() []string { return slices.Clone(p.s.Names) }

// Coef returns the posterior mean of b*, averaged over tau.
func (p *VariancePosterior) Coef() []float64 { return slices.Clone(p.s.MeanCoef) }

// StdErr returns the posterior standard deviations of b*.
func (p *VariancePosterior) StdErr() []float64 { return slices.Clone(p.s.MeanSD) }

// GobEncode implements gob.GobEncoder.
func (p *VariancePosterior) GobEncode() ([]byte, error) { return stream.Encode(p, &p.s) }

// GobDecode implements gob.GobDecoder.
func (p *VariancePosterior) GobDecode(b []byte) error { return stream.Decode(b, p, nil, &p.s) }

// Describe returns the posterior of tau as a table: mean, standard deviation, mode, median and
// central limits of 95%.
func (p *VariancePosterior) Describe() *report.Table {
	q := make([]float64, 3)
	for i, prob := range []float64{0.025, 0.5, 0.975} {
		q[i] = math.NaN()
		if len(p.s.Tau) > 0 {
			if v, err := p.Quantile(prob); err == nil {
				q[i] = v
			}
		}
	}
	lower, upper := format.Limits(0.95, "")
	t := tables.Rows(fmt.Sprintf("Posterior of the standard deviation τ of %s between groups of %s", p.s.Term, p.s.Level),
		report.NumberColumn("mean", []float64{p.s.Mean}, 4), report.NumberColumn(format.StdDev, []float64{p.s.SD}, 4), report.NumberColumn("mode", []float64{p.s.Mode}, 4),
		report.NumberColumn(lower, q[:1], 4), report.NumberColumn("median", q[1:2], 4), report.NumberColumn(upper, q[2:], 4))
	prior := "uniform prior of τ"
	if p.s.HalfCauchy > 0 {
		prior = "half-Cauchy prior of τ, scale " + format.Number(p.s.HalfCauchy, 4)
	}
	t.Notes = []string{fmt.Sprintf("%s; %s; error of the quadrature below %s", prior, format.Plural(p.s.Groups, "group"), format.PowerAbove(math.Max(p.s.Error, 1e-15)))}
	return t
}

// String writes the posterior of tau as text.
func (p *VariancePosterior) String() string { return p.Describe().String() }
