package hier

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/door"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/hierarchy"
	"github.com/regbook/regbook/mlreg/internal/stream"
	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
	"gonum.org/v1/gonum/floats"
)

// AscentMethod is a way to the maximum of (9.110).
type AscentMethod int

const (
	// Alternation maximizes over all b_j given b*, then over b* given all b_j, and so on.
	Alternation AscentMethod = iota
	// GradientAscent follows the gradient of all coefficients at once, with the step 1/L, L
	// a bound of the largest curvature.
	GradientAscent
)

// MAPSettings are the settings of FitMAP.
type MAPSettings struct {
	// Method is Alternation by default.
	Method AscentMethod
	// HyperSD is s*, the prior standard deviation of b* about Mean; 0 is a flat prior.
	HyperSD float64
	Mean    []float64 // mu, in the order of the coefficients, the intercept first; nil is zero
	// Tol ends the iteration when the objective J is within Tol (1 + |J|) of its maximum; 0
	// is 1e-10.
	Tol float64
	// Iterations is the most of them; 0 is 10000.
	Iterations int
	// Progress is told of iterations done.
	Progress func(done, total float64) error
}

// MAP is the maximum of the joint density of FitMAP. It holds no data and
// does not change.
type MAP struct {
	mlreg.Linear
	s mapState
}

type mapState struct {
	N          int
	Method     AscentMethod
	Level      string
	Labels     []string
	Rows       []int
	Coef       []float64 // groups x coefficients
	Objective  []float64 // before the first iteration and after each
	Gradient   float64
	Gap        float64
	Iterations int
	Sigma2     float64
	SD         []float64
	HyperSD    float64
}

// FitMAP maximizes the joint density of the responses and all coefficients at
// given variances,
//
//	J(b) = sum_j [-|y_j - X_j b_j|^2/(2 sigma^2) - |b_j - b*|^2/(2 s_j^2)] - |b* - mu|^2/(2 s*^2),
//
// by gradient ascent or by alternating between the b_j and b*; J is concave, and both reach
// its only maximum, which Fit computes at once. sd has s_j of every group in
// order, or one for all. The intercept is a coefficient like the others. The last term has
// s*: the lecture prints s_j there (an erratum), which would pull b* to mu as s_j falls.
//
// Gap is the distance of J from its maximum, exact since J is quadratic. Errors: mlreg.ErrSetting,
// mlreg.ErrShape; *mlreg.ConvergenceError with the result so far.
//
// Murphy, Machine Learning: A Probabilistic Perspective, section 9.5.1, eq. 9.110.
func FitMAP(data mlreg.Data, groups *mlreg.Grouping, sigma2 float64, sd []float64, settings *MAPSettings) (*MAP, error) {
	s := args.OrDefaults(settings)
	if err := args.Given("the grouping", groups); err != nil {
		return nil, err
	}
	levels := door.GroupsOf(groups)
	if len(levels) != 1 {
		return nil, fmt.Errorf("%w: the groups nest (%s); this objective is of one level", mlreg.ErrSetting, format.Quoted(groups.Levels()))
	}
	n := len(levels[0].Labels)
	if !(sigma2 > 0) || math.IsInf(sigma2, 1) {
		return nil, fmt.Errorf("%w: sigma2 = %v; it is finite and positive", mlreg.ErrSetting, sigma2)
	}
	if len(sd) == 1 {
		sd = slices.Repeat(sd, n)
	}
	if len(sd) != n {
		return nil, fmt.Errorf("%w: %d standard deviations for %d groups; give one, or one for each", mlreg.ErrShape, len(sd), n)
	}
	for g, v := range sd {
		if !(v > 0) || math.IsInf(v, 1) {
			return nil, fmt.Errorf("%w: the standard deviation of group %q is %v; it is finite and positive", mlreg.ErrSetting, levels[0].Labels[g], v)
		}
	}
	if s.HyperSD < 0 || s.HyperSD-s.HyperSD != 0 {
		return nil, fmt.Errorf("%w: HyperSD = %v; it is finite and positive, or 0 for a flat prior", mlreg.ErrSetting, s.HyperSD)
	}
	if s.Tol < 0 || math.IsNaN(s.Tol) || s.Iterations < 0 {
		return nil, fmt.Errorf("%w: Tol = %v, Iterations = %d", mlreg.ErrSetting, s.Tol, s.Iterations)
	}
	if s.Method != Alternation && s.Method != GradientAscent {
		return nil, fmt.Errorf("%w: Method = %d; it is Alternation or GradientAscent", mlreg.ErrSetting, s.Method)
	}
	m, err := newGroupData(data, groups, &Settings{Sigma2: sigma2, Varying: []mlreg.Varying{{SD: []float64{1}, Shape: mlreg.EqualVariances}}, plain: true}, true)
	if err != nil {
		return nil, err
	}
	c := len(m.columns)
	j := &hierarchy.Joint{Tree: m.tree, Sigma2: sigma2, Star2: math.Inf(1), Mu: make([]float64, c)}
	if s.HyperSD > 0 {
		j.Star2 = gram.Square(s.HyperSD)
	}
	if s.Mean != nil {
		if len(s.Mean) != c {
			return nil, fmt.Errorf("%w: Mean has %d values for %d coefficients", mlreg.ErrShape, len(s.Mean), c)
		}
		for i, v := range s.Mean {
			if v-v != 0 {
				return nil, fmt.Errorf("%w: Mean[%d] is %v", mlreg.ErrNotFinite, i, v)
			}
		}
		j.Mu = slices.Clone(s.Mean)
	}
	for _, v := range sd {
		j.S2 = append(j.S2, v*v)
	}
	return m.ascend(j, &s, sd)
}

// ascend iterates until the gap is small.
func (m *groupData) ascend(j *hierarchy.Joint, s *MAPSettings, sd []float64) (*MAP, error) {
	c, n := len(m.columns), len(m.levels[0].Labels)
	b, gradient := make([]float64, (n+1)*c), make([]float64, (n+1)*c)
	for g := range n + 1 {
		copy(b[g*c:], j.Mu)
	}
	tol, most, bound := cmp.Or(s.Tol, 1e-10), cmp.Or(s.Iterations, 10000), j.Bound()
	out := &MAP{s: mapState{
		N: int(m.n), Method: s.Method, Level: m.levels[0].Name, Labels: slices.Clone(m.levels[0].Labels), Rows: m.rowsOf(0),
		Sigma2: j.Sigma2, SD: slices.Clone(sd), HyperSD: s.HyperSD,
	}}
	var failed error
	for {
		v := j.Value(b, gradient)
		out.s.Objective = append(out.s.Objective, v)
		gap := j.Gap(gradient)
		if math.IsNaN(gap) {
			return nil, &mlreg.RankDeficientError{Rank: c - 1, Columns: c, NObs: int(m.n), Aliased: m.columns[c-1:], Advice: "set HyperSD"}
		}
		out.s.Gap, out.s.Gradient = gap, floats.Norm(gradient, math.Inf(1))
		if gap <= tol*(1+math.Abs(v)) {
			break
		}
		if out.s.Iterations == most {
			failed = &mlreg.ConvergenceError{Method: out.method(), Iterations: most, Measure: "gap of the objective", Value: gap, Tol: tol * (1 + math.Abs(v))}
			break
		}
		if s.Progress != nil {
			if err := s.Progress(float64(out.s.Iterations), float64(most)); err != nil {
				failed = err
				break
			}
		}
		out.s.Iterations++
		if s.Method == GradientAscent {
			j.Ascend(b, gradient, bound)
		} else {
			j.Alternate(b)
		}
	}
	out.s.Coef = b[:n*c]
	star := b[n*c:]
	var err error
	if out.Linear, err = m.linear.With(star, nil); err != nil {
		return nil, err
	}
	return out, failed
}

func (f *MAP) method() string {
	if f.s.Method == GradientAscent {
		return "gradient ascent"
	}
	return "alternation"
}

// NObs returns the number of observations.
func (f *MAP) NObs() int { return f.s.N }

// Objective returns J before the first iteration and after each.
func (f *MAP) Objective() []float64 { return slices.Clone(f.s.Objective) }

// Iterations returns how many there were.
func (f *MAP) Iterations() int { return f.s.Iterations }

// Gradient returns the largest absolute derivative of J at the end.
func (f *MAP) Gradient() float64 { return f.s.Gradient }

// Gap returns how much larger J is at its maximum: g'H^-1 g/2 for its gradient g and
// minus its Hessian H.
func (f *MAP) Gap() float64 { return f.s.Gap }

// Groups returns the labels of the groups.
func (f *MAP) Groups() []string { return slices.Clone(f.s.Labels) }

// GroupCoef returns the coefficients b_j of group j, counted from 0, in the order of Names.
// It panics if there is no such group.
func (f *MAP) GroupCoef(j int) []float64 {
	c := len(f.Names())
	return slices.Clone(f.s.Coef[j*c : (j+1)*c])
}

// GobEncode implements gob.GobEncoder.
func (f *MAP) GobEncode() ([]byte, error) { return stream.Encode(f, &f.Linear, &f.s) }

// GobDecode implements gob.GobDecoder.
func (f *MAP) GobDecode(b []byte) error { return stream.Decode(b, f, nil, &f.Linear, &f.s) }

// Describe returns b* as a table, with what the iteration reached below it.
func (f *MAP) Describe() *report.Table {
	t := &report.Table{Title: tables.Of("Joint maximum", f.Response()), Columns: []report.Column{report.TextColumn("term", f.Names()...), tables.Estimates(f.Coef())}}
	t.Notes = tables.InScaledUnits([]string{
		fmt.Sprintf("n = %d, %s: %s", f.s.N, f.s.Level, format.Plural(len(f.s.Labels), "group")),
		fmt.Sprintf("%s, %s: largest derivative %s, objective within %s of its maximum", f.method(), format.Plural(f.s.Iterations, "iteration"),
			format.PowerAbove(math.Max(f.s.Gradient, 1e-16)), format.PowerAbove(math.Max(f.s.Gap, 1e-16))),
	}, f.Scaling() != nil)
	return t
}

// String writes b* as text.
func (f *MAP) String() string { return f.Describe().String() }
