package hier

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/internal/algebra"
	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/hierarchy"
	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
)

// diagonal is the covariance matrix of SD.
func diagonal(v *mlreg.Varying) (*mat.SymDense, error) {
	k := len(v.Terms)
	sd := v.SD
	if v.Shape == mlreg.EqualVariances && len(sd) == 1 {
		sd = slices.Repeat(sd, k)
	}
	if len(sd) != k {
		return nil, fmt.Errorf("%w: SD has %d values, and %d coefficients vary: %s", mlreg.ErrShape, len(sd), k, format.Quoted(v.Terms))
	}
	cov := algebra.NewSym(k)
	for i, s := range sd {
		if !(s >= 0) || math.IsInf(s, 1) {
			return nil, fmt.Errorf("%w: the standard deviation of %q is %v; it is finite and not negative", mlreg.ErrSetting, v.Terms[i], s)
		}
		cov.SetSym(i, i, s*s)
	}
	return cov, nil
}

// Hyperprior is the prior of the coefficients that all groups share, N(Mean, Var I), in
// the units of the design; of the intercept, too.
type Hyperprior struct {
	Mean []float64 // nil is zero; else in the order of the coefficients, the intercept first
	Var  float64   // s*^2 > 0
}

// Settings are the settings of Fit.
type Settings struct {
	// Varying says what varies at which level, in one entry or more for each level; nil
	// is every coefficient at every level, with FullCovariance.
	Varying []mlreg.Varying
	// ZeroMean names coefficients that vary about zero instead of about b*; the intercept of
	// a design without one does so anyway.
	ZeroMean []string
	// ML estimates variances by maximum likelihood; false is restricted maximum
	// likelihood (REML). With a Hyperprior it is the evidence that is maximized.
	ML bool
	// Sigma2 is the variance of the residuals if it is known (divided by the weight of
	// a row), 0 if it is estimated.
	Sigma2 float64
	// Hyperprior is the prior of b*, nil a flat one.
	Hyperprior *Hyperprior
	// AvoidZero multiplies the criterion by |Psi|^(1/2) for every covariance matrix
	// estimated, a weakly informative prior that keeps variances off zero and
	// correlations off -1 and 1: for a single standard deviation it is the gamma
	// distribution of shape 2 and rate 0 (Chung et al., Psychometrika 78 (2013),
	// 685-709; Journal of Educational and Behavioral Statistics 40 (2015), 136-157).
	AvoidZero bool
	// Iterations is the most steps of the search; 0 is 200.
	Iterations int
	// Progress is told of steps done.
	Progress func(done, total float64) error

	plain bool // columns and response in their own units
}

// Formula is what a formula with groups says, such as a *frames.Hierarchy: which coefficients vary, and which of them
// vary about zero.
type Formula interface {
	Structure() (varying []mlreg.Varying, zeroMean []string)
}

// For returns settings for a formula: those given, nil for the defaults, with the Varying and ZeroMean of the formula. A
// nil formula leaves them as they are.
//
//	g, err := frames.GroupedDesign(df, "score ~ intake + (intake | school)")
//	fit, err := hier.Fit(g.Design, g.Groups, hier.For(g, nil))
func For(formula Formula, settings *Settings) *Settings {
	s := args.OrDefaults(settings)
	if args.Given("the formula", formula) == nil {
		s.Varying, s.ZeroMean = formula.Structure()
	}
	return &s
}

// variances returns the known ones, nil if they are estimated.
func (s *Settings) variances() []mlreg.Varying {
	for _, v := range s.Varying {
		if v.Cov != nil || v.SD != nil {
			return s.Varying
		}
	}
	return nil
}

// check refuses settings that are out of range.
func (s *Settings) check() error {
	if s.Sigma2 < 0 || math.IsNaN(s.Sigma2) || math.IsInf(s.Sigma2, 1) {
		return fmt.Errorf("%w: Sigma2 = %v; it is finite and positive, or 0 to be estimated", mlreg.ErrSetting, s.Sigma2)
	}
	if s.Iterations < 0 {
		return fmt.Errorf("%w: Iterations = %d", mlreg.ErrSetting, s.Iterations)
	}
	if h := s.Hyperprior; h != nil {
		if !(h.Var > 0) || math.IsInf(h.Var, 1) {
			return fmt.Errorf("%w: Hyperprior.Var = %v; it is finite and positive; a nil Hyperprior is flat", mlreg.ErrSetting, h.Var)
		}
		for i, v := range h.Mean {
			if v-v != 0 {
				return fmt.Errorf("%w: Hyperprior.Mean[%d] is %v", mlreg.ErrNotFinite, i, v)
			}
		}
	}
	known := 0
	for i, v := range s.Varying {
		if v.Cov != nil && v.SD != nil {
			return fmt.Errorf("%w: Varying[%d] has Cov and SD; give one", mlreg.ErrSetting, i)
		}
		if v.Cov != nil || v.SD != nil {
			known++
		}
	}
	switch {
	case known == 0:
		return nil
	case known < len(s.Varying):
		return fmt.Errorf("%w: some entries of Varying have a known covariance, and some have none; give all or none", mlreg.ErrSetting)
	case s.Sigma2 == 0:
		return fmt.Errorf("%w: covariances of Varying are known; set Sigma2, too", mlreg.ErrSetting)
	case s.AvoidZero:
		return fmt.Errorf("%w: AvoidZero is for variances that are estimated, and Varying has known ones", mlreg.ErrSetting)
	}
	return nil
}

// MultiTask is a fit by Fit. It holds no data and does not change.
type MultiTask struct {
	mlreg.Linear
	s fitState
}

type fitState struct {
	N          int
	W          float64
	Fixed      []int     // coefficients with a mean b*
	Root       []float64 // k x k, b*'s covariance; zero in rows of other coefficients
	Sigma2     float64
	Known      bool // Sigma2
	Estimated  bool // covariances
	ML, Avoid  bool
	Hyper      *Hyperprior
	Criterion  float64
	DoF        float64
	ExplainedX float64 // variance of x'b* over the rows
	Levels     []levelState

	Iterations                              int
	Gradient, Decrement, Curvature, Outward float64
	Boundary                                []string
}

// levelState are the groups of a level.
type levelState struct {
	Name    string
	Labels  []string
	Rows    []int
	Vary    []int
	Block   []int // of each varying coefficient; those of one block covary
	Equal   []bool
	Psi     []float64
	MeanVar float64   // variance of z'u, mean over the rows
	Coef    []float64 // groups x coefficients
	Cov     []float64 // groups x k(k+1)/2
	Own     []float64 // groups x varying
}

// Fit fits a regression for every group at once, whose coefficients are
// similar: row i of group j has
//
//	y_ij ~ N(x_ij'b_j, sigma^2),   b_j ~ N(b*, Psi),   b* ~ N(mu, s*^2 I) or flat,
//
// x with a leading 1 for the intercept. Coefficients may vary or be common to all groups
// (Varying); groups may nest: then those of a class vary about those of its school. With
// weights the variance of a residual is sigma^2/w.
//
// Given the variances, b* and all b_j have a Gaussian distribution, computed exactly by
// eliminating one group after the other (O(J p^3) operations for J groups of p
// coefficients): groups with few rows borrow from the others. Variances that are not given
// maximize the restricted likelihood (REML), the likelihood, or with a Hyperprior the
// evidence. Newton's method with exact second derivatives finds the maximum, and the fit
// carries its certificate: Gradient, Decrement, Curvature, and at a boundary, where
// a variance is zero, Outward and Boundary.
//
// The data are a *Design. Nil settings let every coefficient vary at every level.
//
// Errors: mlreg.ErrNotEstimable if the groups cannot tell the variances (one group, a group for
// every row, or by REML a factor of the groups among the terms), mlreg.ErrRankDeficient
// (*mlreg.RankDeficientError) for collinear columns, mlreg.ErrSaturated if no residual is left,
// mlreg.ErrShape, mlreg.ErrSetting; *mlreg.ConvergenceError with the best fit.
//
// Murphy, Machine Learning: A Probabilistic Perspective, section 9.5 (9.110 is its joint
// density); Laird and Ware, Biometrics 38 (1982), 963-974; Bates et al., Journal of
// Statistical Software 67(1) (2015), whose criterion (eq. 41, 32) this is.
func Fit(data mlreg.Data, groups *mlreg.Grouping, settings *Settings) (*MultiTask, error) {
	s := args.OrDefaults(settings)
	if err := s.check(); err != nil {
		return nil, err
	}
	m, err := newGroupData(data, groups, &s, false)
	if err != nil {
		return nil, err
	}
	return m.fit(&s)
}

// fit solves for given or estimated variances.
func (m *groupData) fit(s *Settings) (*MultiTask, error) {
	model := m.model(s)
	var best *hierarchy.Optimum
	var failed error
	if s.variances() != nil {
		delta, err := m.working(s)
		if err != nil {
			return nil, err
		}
		v, err := model.EvaluateAt(delta)
		if err != nil {
			return nil, m.explain(err)
		}
		nan := math.NaN()
		best = &hierarchy.Optimum{Value: v, Delta: delta, Gradient: nan, Decrement: nan, Curvature: nan, Outward: nan, Converged: true}
	} else {
		var err error
		best, err = model.Search(nil, 0, cmp.Or(s.Iterations, 200), s.Progress)
		if best == nil {
			return nil, m.explain(err)
		}
		if s.Sigma2 == 0 && math.Exp(best.LogVar)*m.n <= m.noise {
			return nil, m.explain(hierarchy.ErrPerfect)
		}
		if err != nil {
			if errors.Is(err, hierarchy.ErrPerfect) {
				return nil, m.explain(err)
			}
			failed = err
		} else if !best.Converged {
			failed = notSearched(best)
		} else if math.Abs(best.Curvature) < flatCriterion {
			return nil, fmt.Errorf("%w: the criterion does not change with a variance between groups (curvature %.2g); terms tell these groups apart already: leave out the groups as a term, or what varies between them", mlreg.ErrNotEstimable, best.Curvature)
		}
	}
	f, err := m.result(s, best)
	if err != nil {
		return nil, err
	}
	return f, failed
}

// flatCriterion is a curvature of the criterion that is rounding: then no variance is better
// than another. The units are those of MultiTask.Gradient.
const flatCriterion = 1e-7

// explain names columns in the errors of the room below.
func (m *groupData) explain(err error) error {
	var collinear *hierarchy.ErrCollinear
	switch {
	case errors.As(err, &collinear):
		return &mlreg.RankDeficientError{
			Rank: len(m.tree.Fixed) - 1, Columns: len(m.tree.Fixed), NObs: int(m.n), Aliased: []string{m.columns[collinear.Column]},
			Advice: "use fewer terms, or a Hyperprior",
		}
	case errors.Is(err, hierarchy.ErrPerfect):
		return fmt.Errorf("%w: the coefficients of the groups fit every row, and no variance is left for the residuals; let fewer coefficients vary, or set Sigma2", mlreg.ErrSaturated)
	}
	return err
}

// result leads an optimum back to the units of the data.
func (m *groupData) result(s *Settings, best *hierarchy.Optimum) (*MultiTask, error) {
	c, n := len(m.columns), len(m.work)
	t := m.rawMatrix()
	sigma2 := math.Exp(best.LogVar)
	groups, dof := m.tree.Posterior(best.Delta, best.Beta, best.Cov)
	f := &MultiTask{s: fitState{
		N: int(m.n), W: m.w, Fixed: m.tree.Fixed, Sigma2: sigma2 * gram.Square(m.scaleY),
		Known: s.Sigma2 > 0, Estimated: s.variances() == nil, ML: s.ML && s.Hyperprior == nil, Avoid: s.AvoidZero,
		Iterations: best.Iterations, Gradient: best.Gradient, Decrement: best.Decrement,
		Curvature: best.Curvature, Outward: best.Outward,
	}}
	if s.Hyperprior != nil {
		f.s.Hyper = &Hyperprior{slices.Clone(s.Hyperprior.Mean), s.Hyperprior.Var}
	}
	f.s.Criterion = best.Minus2 + 2*m.freedom(s)*math.Log(m.scaleY)
	if s.AvoidZero { // its prior is not part of the likelihood that is reported
		f.s.Criterion += m.logPsi(best)
	}
	p := len(m.tree.Fixed)
	beta, cov := make([]float64, n), make([]float64, n*n)
	for i, a := range m.tree.Fixed {
		beta[a] = best.Beta[i] + m.baseOf(i)
		for j, b := range m.tree.Fixed {
			cov[a*n+b] = best.Cov[i*p+j] * sigma2
		}
	}
	raw := make([]float64, c)
	m.raw(t, beta, raw)
	for a := range raw {
		if !slices.Contains(m.tree.Fixed, a) {
			raw[a] = 0
		}
	}
	var err error
	if f.Linear, err = m.linear.With(raw, nil); err != nil {
		return nil, err
	}
	f.s.Root = m.rawCov(t, cov, gram.NumbersTo(c), gram.NumbersTo(n))
	f.s.DoF = dof + float64(p)
	if h := s.Hyperprior; h != nil {
		for i, a := range m.tree.Fixed {
			f.s.DoF -= best.Cov[i*p+i] * sigma2 / (h.Var * gram.Square(m.work[a].scale/m.scaleY))
		}
	}
	f.s.ExplainedX = m.explained(f.Slopes())
	for l := range m.levels {
		f.s.Levels = append(f.s.Levels, m.level(l, best, groups[l], t))
	}
	f.s.Boundary = m.boundary(best)
	return f, nil
}

// baseOf is what a fixed coefficient had before the search.
func (m *groupData) baseOf(i int) float64 {
	if m.base == nil {
		return 0
	}
	return m.base[i]
}

// level leads the groups of a level back to the units of the data.
func (m *groupData) level(l int, best *hierarchy.Optimum, groups *hierarchy.Groups, t []float64) levelState {
	level, vary, work := &m.levels[l], m.vary[l], m.tree.Levels[l].Vary
	k, c, n, sigma2 := len(vary), len(m.columns), len(m.work), math.Exp(best.LogVar)
	psi := make([]float64, k*k)
	for i, v := range best.Delta[l] {
		psi[i] = v * sigma2
	}
	out := levelState{
		Name: level.Name, Labels: slices.Clone(level.Labels), Rows: m.rowsOf(l), Vary: slices.Clone(vary),
		Psi: m.rawCov(t, psi, vary, work), Block: make([]int, k), Equal: make([]bool, k), MeanVar: m.meanVar(psi, work),
	}
	for b := range m.blocks {
		if m.blocks[b].Level == l {
			for _, at := range m.blocks[b].At {
				out.Block[at], out.Equal[at] = b, m.blocks[b].Equal
			}
		}
	}
	count, half := len(level.Labels), c*(c+1)/2
	out.Coef, out.Cov, out.Own = make([]float64, count*c), make([]float64, 0, count*half), make([]float64, 0, count*k)
	coefs, columns := gram.NumbersTo(c), gram.NumbersTo(n)
	full, given, raw, part := make([]float64, n*n), make([]float64, k*k), make([]float64, c*c), make([]float64, c*n)
	pairs := n * (n + 1) / 2
	for g := range count {
		m.rawCovTo(given, part[:k*k], t, groups.K[g*k*k:(g+1)*k*k], vary, work)
		for i := range vary {
			own := 0.0
			if prior := out.Psi[i*k+i]; prior > 0 {
				own = math.Max(0, math.Min(1, 1-given[i*k+i]*sigma2/prior))
			}
			out.Own = append(out.Own, own)
		}
		coef := groups.Coef[g*n : (g+1)*n]
		for i, a := range m.tree.Fixed {
			coef[a] += m.baseOf(i)
		}
		m.raw(t, coef, out.Coef[g*c:(g+1)*c])
		at := g * pairs
		for i := range n {
			for j := range i + 1 {
				full[i*n+j] = groups.Cov[at] * sigma2
				full[j*n+i] = full[i*n+j]
				at++
			}
		}
		m.rawCovTo(raw, part, t, full, coefs, columns)
		for i := range c {
			out.Cov = append(out.Cov, raw[i*c:i*c+i+1]...)
		}
	}
	return out
}

// logPsi is the sum of log |Psi| over the blocks, in working units.
func (m *groupData) logPsi(best *hierarchy.Optimum) float64 {
	sum, at := 0.0, 0
	for b := range m.blocks {
		block := &m.blocks[b]
		sum += float64(len(block.At)) * best.LogVar
		if block.Equal {
			sum += 2 * float64(len(block.At)) * math.Log(math.Abs(best.Theta[at]))
			at++
			continue
		}
		for i := range block.At {
			for j := range i + 1 {
				if i == j {
					sum += 2 * math.Log(math.Abs(best.Theta[at]))
				}
				at++
			}
		}
	}
	return sum
}

// explained is the variance of x'b over the rows, for slopes b.
func (m *groupData) explained(b []float64) float64 {
	p, sum := len(b), 0.0
	for i := range p {
		for j := range i {
			sum += 2 * b[i] * b[j] * m.sxx[j*p+i]
		}
		sum += b[i] * b[i] * m.sxx[i*p+i]
	}
	return math.Max(sum/m.w, 0)
}

// meanVar is the mean of z'Psi z over the rows, for columns z of the tree.
func (m *groupData) meanVar(psi []float64, columns []int) float64 {
	q, k, sum := len(m.work)+1, len(columns), 0.0
	for i, a := range columns {
		for j, b := range columns {
			sum += psi[i*k+j] * m.total[a*q+b]
		}
	}
	return sum / m.w * gram.Square(m.scaleY)
}

// boundary says which variances are zero.
func (m *groupData) boundary(best *hierarchy.Optimum) []string {
	var out []string
	for b := range m.blocks {
		block := &m.blocks[b]
		if best.Rank == nil {
			continue
		}
		n := len(block.At)
		level, vary, work := m.levels[block.Level].Name, m.vary[block.Level], m.tree.Levels[block.Level].Vary
		var zero []string
		k := len(vary)
		if block.Equal && best.Rank[b] == 0 {
			out = append(out, fmt.Sprintf("the variance between the groups of %s is 0", level))
			continue
		}
		if block.Equal || best.Rank[b] == n {
			continue
		}
		psi := m.rawCov(m.rawMatrix(), best.Delta[block.Level], vary, work)
		for _, at := range block.At {
			scale := gram.Square(m.scaleY / m.work[work[at]].scale)
			if psi[at*k+at] <= 1e-12*scale {
				zero = append(zero, m.columns[vary[at]])
			}
		}
		for _, name := range zero {
			out = append(out, fmt.Sprintf("the variance of %s between the groups of %s is 0", name, level))
		}
		left := n - best.Rank[b] - len(zero)
		switch {
		case left <= 0:
		case n == 2:
			a, c := block.At[0], block.At[1]
			sign := "1"
			if psi[a*k+c] < 0 {
				sign = "-1"
			}
			out = append(out, fmt.Sprintf("the correlation of %s and %s between the groups of %s is %s",
				m.columns[vary[a]], m.columns[vary[c]], level, sign))
		default:
			out = append(out, fmt.Sprintf("the covariance matrix between the groups of %s has rank %d of %d", level, best.Rank[b], n))
		}
	}
	return out
}

// Summary returns the table of b*: estimate, standard error, z, p and limits at the given
// level. Below it stand the variances, the groups, and the certificate. The error is that
// of Table.
func (f *MultiTask) Summary(level float64) (*report.Table, error) {
	t, err := mlreg.Summary(f, level)
	if err != nil {
		return nil, err
	}
	t.Title = tables.Of("Multi-task fit", f.Response())
	t.Notes = f.notes()
	return t, nil
}

// Describe returns the table of b* at level 0.95; see Summary.
func (f *MultiTask) Describe() *report.Table { return tables.OrError(f.Summary(0.95)) }

// String writes the table of b* as text.
func (f *MultiTask) String() string { return f.Describe().String() }

func (f *MultiTask) notes() []string {
	var notes []string
	for _, row := range f.Variances() {
		line := fmt.Sprintf("%s: σ = %s", row.Level, format.Number(row.StdDev, 5))
		if row.Term != "" {
			line = fmt.Sprintf("between groups of %s, %s: s = %s", row.Level, row.Term, format.Number(row.StdDev, 5))
		}
		for _, r := range row.Corr {
			if r == r {
				line += ", correlation " + format.Decimal(r, 3)
			}
		}
		notes = append(notes, line)
	}
	groups := make([]string, len(f.s.Levels))
	for i, l := range f.s.Levels {
		groups[i] = fmt.Sprintf("%s: %s", l.Name, format.Plural(len(l.Labels), "group"))
	}
	notes = append(notes, fmt.Sprintf("n = %d, %s, effective coefficients %s", f.s.N, strings.Join(groups, ", "), format.Decimal(f.s.DoF, 2)))
	name := "-2 log restricted likelihood (REML)"
	switch {
	case f.s.Hyper != nil:
		name = "-2 log evidence"
	case f.s.ML:
		name = "-2 log likelihood"
	}
	line := fmt.Sprintf("%s = %s", name, format.Number(f.s.Criterion, 8))
	if f.s.Avoid {
		line += ", with a prior that keeps variances off zero"
	}
	notes = append(notes, line)
	if f.s.Estimated {
		line := fmt.Sprintf("Newton's method, %s: within %s of the optimum", format.Plural(f.s.Iterations, "step"), format.PowerAbove(math.Max(f.s.Decrement, 1e-16)))
		if !math.IsInf(f.s.Curvature, 1) { // else no variance is off the boundary
			line += ", least curvature " + format.Number(f.s.Curvature, 3)
		}
		notes = append(notes, line)
	} else {
		notes = append(notes, "the variances were given")
	}
	for _, b := range f.s.Boundary {
		means := "the groups do not show that these vary apart, and the criterion rises from there"
		if strings.HasSuffix(b, " is 0") {
			means = "the groups differ no more than the noise of their rows makes them, and a variance just above 0 fits worse"
		}
		notes = append(notes, fmt.Sprintf("at the boundary (no failure): %s; %s (slope %s)", b, means, format.Number(f.s.Outward, 3)))
	}
	var zero []string
	for i, name := range f.Names() {
		if !slices.Contains(f.s.Fixed, i) {
			zero = append(zero, name)
		}
	}
	if len(zero) > 0 {
		notes = append(notes, "varies about zero: "+strings.Join(zero, ", "))
	}
	return tables.InScaledUnits(notes, f.Scaling() != nil)
}
