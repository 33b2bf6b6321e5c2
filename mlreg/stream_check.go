package mlreg

import (
	"fmt"
	"math"
	"reflect"
)

// What each result promises of its parts: lengths agree, values that are finite are,
// places are in range, names differ. gobDecode holds bytes to it.

func (h *header) ok() error {
	var c promises
	c.unique(h.Names)
	c.count("Omitted", h.Omitted)
	if h.Scaling != nil {
		c.part(h.Scaling.check(len(h.Names)))
	}
	return c.broken
}

func (l *linearState) ok() error {
	var c promises
	c.perhaps("B", len(l.B), len(l.Names))
	c.perhaps("BLow", len(l.BLow), len(l.B))
	c.finite("B0", l.B0, l.B0Low)
	for j, b := range l.B {
		if b == b {
			c.finite(l.Names[j], b)
		}
	}
	return c.broken
}

// fitted adds that every term has a coefficient, and that n rows were fitted.
func (c *promises) fitted(l *linearState, n int) {
	c.length("B", len(l.B), len(l.Names))
	c.count("N", n)
}

func (l *logitState) ok() error {
	var c promises
	c.length("Classes", len(l.Classes), 2)
	return c.broken
}

func (m *Moments) ok() error {
	var c promises
	s, p := &m.s, len(m.s.Names)
	c.count("N", s.N, s.GrossN, s.Steps)
	c.length("MeanX", len(s.MeanX), p)
	c.length("SXY", len(s.SXY), p)
	c.square("SXX", len(s.SXX), p)
	c.perhaps("MeanXLow", len(s.MeanXLow), p)
	c.perhaps("Gross", len(s.Gross), p+1)
	c.perhaps("Lost", len(s.Lost), p)
	c.finite("a sum", s.W, s.LogW, s.MeanY, s.SYY)
	c.finite("MeanX", s.MeanX...)
	c.finite("SXY", s.SXY...)
	c.finite("SXX", s.SXX...)
	return c.broken
}

func (f *OLS) ok() error {
	var c promises
	k := f.l.columns()
	c.fitted(&f.l, f.s.N)
	c.between("the rank", 0, k, f.s.Rank)
	c.length("Root", len(f.s.Root), k*f.s.Rank)
	c.keep(len(f.s.RootLow) <= len(f.s.Root) && len(f.s.RootLow)%max(f.s.Rank, 1) == 0, "%d values of RootLow for %d of Root", len(f.s.RootLow), len(f.s.Root))
	c.perhaps("Rest", len(f.s.Rest), (k-f.s.Rank)*f.s.Rank)
	c.perhaps("Length", len(f.s.Length), k)
	c.finite("a sum", f.s.W, f.s.LogW, f.s.RSS, f.s.TSS, f.s.Sigma2Known)
	return c.broken
}

func (f *Robust) ok() error {
	var c promises
	s, k := &f.s, f.columns()
	c.fitted(&f.l, s.N)
	c.keep(len(s.Root) > 0 && len(s.Root)%max(k, 1) == 0, "%d values of Root for %d coefficients", len(s.Root), k)
	c.between("the kind", int(HC0), int(Clusters), int(s.Kind))
	c.count("Lags", s.Lags)
	c.keep(s.DoF > 0, "%v degrees of freedom", s.DoF)
	return c.broken
}

func (f *priorRoot) ok() error {
	var c promises
	c.perhaps("the prior's mean", len(f.Mean), f.K)
	c.finite("the prior's mean", f.Mean...)
	if f.R == nil {
		c.length("the prior's diagonal", len(f.Diag), f.K)
	} else {
		c.length("the prior's diagonal", len(f.Diag), 0)
		c.square("the prior's root", len(f.R), f.K)
	}
	return c.broken
}

func (s *priorState) ok() error {
	var c promises
	c.perhaps("the diagonal", len(s.Diagonal), max(len(s.Mean), len(s.Diagonal)))
	if len(s.Full) > 0 {
		c.square("the covariance", len(s.Full), len(s.Diagonal))
	}
	return c.broken
}

func (f *Bayes) ok() error {
	var c promises
	s, first := &f.s, 0
	c.fitted(&f.l, s.N)
	if !f.l.NoIntercept && !s.Penalize {
		first = 1
	}
	c.length("Center", len(s.Center), len(f.l.Names))
	if s.Prior == nil {
		return fmt.Errorf("there is no prior")
	}
	c.part(s.Prior.ok())
	c.length("the prior", s.Prior.K, f.l.columns()-first)
	if s.Root != nil {
		c.square("Root", len(s.Root), s.Prior.K)
		return c.broken
	}
	c.keep(s.Rows > 0 || s.Prior.K == 0, "there is no covariance")
	c.square("L", len(s.L), s.Rows)
	c.keep(c.broken != nil || len(s.T) == s.Rows*s.Prior.K, "%d values of T, wanted %d x %d", len(s.T), s.Rows, s.Prior.K)
	return c.broken
}

func (f *BayesLogistic) ok() error {
	var c promises
	k := f.m.l.columns()
	c.fitted(&f.m.l, f.s.N)
	c.between("First", 0, 1, f.s.First)
	c.part(f.s.Prior.ok())
	c.length("the prior", f.s.Prior.K, k-f.s.First)
	c.square("T", len(f.s.T), k)
	c.finite("T", f.s.T...)
	return c.broken
}

func (f *BayesGLM) ok() error {
	var c promises
	k := f.l.columns()
	c.fitted(&f.l, f.s.N)
	c.between("First", 0, 1, f.s.First)
	c.part(f.s.Prior.ok())
	c.length("the prior", f.s.Prior.K, k-f.s.First)
	c.square("T", len(f.s.T), k)
	c.finite("T", f.s.T...)
	c.keep((f.c.Family == Poisson || f.c.Family == Binomial) && f.c.Link == f.c.Family.CanonicalLink(), "the %v family has the %v link", f.c.Family, f.c.Link)
	return c.broken
}

func (f *Logistic) ok() error {
	var c promises
	c.fitted(&f.l, f.s.N)
	c.count("Iterations", f.s.Iterations)
	c.square("Root", len(f.s.Root), f.l.columns())
	c.finite("the loss", f.s.Loss, f.s.Null)
	return c.broken
}

func (f *GLM) ok() error {
	var c promises
	c.fitted(&f.l, f.s.N)
	c.count("Iterations", f.s.Iterations)
	c.square("Root", len(f.s.Root), f.l.columns())
	c.finite("the deviance", f.s.Loss)
	_, err := f.c.Family.linked(f.c.Link)
	c.keep(err == nil && f.c.Link != 0, "the %v family has the %v link", f.c.Family, f.c.Link)
	if f.c.Sandwich != nil {
		c.square("the sandwich covariance", len(f.c.Sandwich), f.l.columns())
	}
	return c.broken
}

func (f *Multinomial) ok() error {
	var c promises
	s, k := &f.s, f.s.L.columns()
	q := len(s.Classes)
	c.count("N", s.N, s.Iterations)
	c.keep(q >= 2, "%d classes", q)
	c.length("B", len(s.B), (q-1)*k)
	c.finite("B", s.B...)
	c.square("Root", len(s.Root), len(s.B))
	return c.broken
}

func (f *NaiveBayes) ok() error {
	var c promises
	s, p, q := &f.s, len(f.s.L.Names), len(f.s.Classes)
	c.count("N", s.N)
	c.keep(q > 0, "there are no classes")
	c.length("Prior", len(s.Prior), q)
	c.length("P", len(s.P), q*p)
	c.length("Not", len(s.Not), q*p)
	c.perhaps("Rows", len(s.Rows), q)
	c.length("Counts", len(s.Counts), len(s.Rows))
	for _, row := range s.Counts {
		c.length("Counts", len(row), p)
	}
	c.probabilities("Prior", s.Prior...)
	c.probabilities("P", s.P...)
	c.probabilities("Not", s.Not...)
	return c.broken
}

func (s *pathState) ok() error {
	var c promises
	p := len(s.L.Names)
	c.count("N", s.N)
	c.keep(p > 0 && len(s.Points) > 0, "a path of %d terms and %d points", p, len(s.Points))
	most := 2
	if s.several() {
		most = s.Predictors
		c.length("Classes", len(s.Classes), most)
	}
	c.perhaps("Classes", len(s.Classes), most)
	c.length("GroupNames", len(s.GroupNames), len(s.GroupOf))
	for _, of := range s.GroupOf {
		c.keep(len(of) > 0, "an empty group")
		c.between("a term", 0, p-1, of...)
	}
	c.perhaps("Factor", len(s.Factor), p)
	for _, point := range s.Points {
		c.length("Slopes", len(point.Slopes), len(point.Terms))
		c.between("a term", 0, s.slopes()-1, point.Terms...)
		c.finite("a point of the path", point.Lambda, point.Intercept)
		if s.several() {
			c.length("Intercepts", len(point.Intercepts), s.Predictors)
			c.finite("an intercept", point.Intercepts...)
		}
		c.finite("Slopes", point.Slopes...)
	}
	if s.Ridge != nil {
		c.part(s.Ridge.ok(p))
	}
	return c.broken
}

func (s *ridgeAnywhere) ok(p int) error {
	var c promises
	spectrum, k := &s.Spectrum, len(s.Spectrum.D)
	c.length("MeanX", len(s.MeanX), p)
	c.perhaps("Basis", len(s.Basis), p*k)
	c.length("E", len(spectrum.E), max(k-1, 0))
	c.length("B", len(spectrum.B), k)
	c.length("Square", len(spectrum.Square), k)
	c.finite("D", spectrum.D...)
	c.finite("E", spectrum.E...)
	c.finite("B", spectrum.B...)
	c.finite("Square", spectrum.Square...)
	if s.Undone != nil {
		c.part(s.Undone.check(p))
	}
	return c.broken
}

func (p *Path[F]) ok() error {
	var c promises
	var fit F
	_, ridge := any(fit).(*Ridge)
	_, logistic := any(fit).(*SparseLogistic)
	_, classes := any(fit).(*SparseMultinomial)
	_, quantile := any(fit).(*Quantile)
	_, counts := any(fit).(*SparseGLM)
	c.keep(counts == (p.s.Family != 0) && (!counts || p.s.Family.check() == nil && pathLinks[p.s.Family.kind()] != 0), "a path of other fits")
	c.keep(quantile == (p.s.Quantile != nil), "a path of other fits")
	c.keep(ridge == (p.s.Ridge != nil), "a path of other fits")
	c.keep((logistic || classes) == (p.s.Classes != nil), "a path of other fits")
	c.keep(classes == p.s.several(), "a path of other fits")
	return c.broken
}

func (l *LARS) ok() error {
	var c promises
	p := len(l.s.L.Names)
	c.length("Entered", len(l.steps.Entered), len(l.s.Points))
	c.length("Left", len(l.steps.Left), len(l.s.Points))
	c.between("a term", -1, p-1, l.steps.Entered...)
	c.between("a term", -1, p-1, l.steps.Left...)
	return c.broken
}

// penalty wants finite penalties, and an objective that is finite, or NaN after
// interpolation.
func (c *promises) penalty(s *penalState) {
	c.finite("the penalty", s.Lambda, s.L1, s.L2)
	if s.Objective == s.Objective {
		c.finite("the objective", s.Objective)
	}
}

func (f *ElasticNet) ok() error {
	var c promises
	c.fitted(&f.l, f.s.N)
	c.penalty(&f.s)
	return c.broken
}

func (f *SparseGLM) ok() error {
	var c promises
	c.fitted(&f.l, f.s.N)
	c.penalty(&f.s)
	c.keep(f.c.Family.check() == nil && pathLinks[f.c.Family.kind()] == f.c.Link && f.c.Link != 0, "the %v family has the %v link", f.c.Family, f.c.Link)
	return c.broken
}

func (f *SparseLogistic) ok() error {
	var c promises
	c.fitted(&f.l, f.s.N)
	c.penalty(&f.s)
	return c.broken
}

func (f *SparseMultinomial) ok() error {
	var c promises
	q := len(f.c.Classes)
	c.count("N", f.s.N)
	c.keep(q >= 2, "%d classes", q)
	c.length("B", len(f.c.B), q*f.l.columns())
	c.finite("B", f.c.B...)
	c.finite("the objective", f.s.Lambda, f.s.L1, f.s.L2, f.s.Objective)
	return c.broken
}

func (f *Ridge) ok() error {
	var c promises
	c.fitted(&f.l, f.s.N)
	c.finite("a sum", f.s.Lambda, f.s.RSS, f.s.Null, f.s.DoF)
	c.perhaps("By", len(f.s.By), len(f.l.Names))
	return c.broken
}

func (f *PCR) ok() error {
	var c promises
	p := len(f.l.Names)
	c.fitted(&f.l, f.s.N)
	c.between("the number of components", 0, min(p, len(f.s.Square)), f.s.K)
	c.length("Center", len(f.s.Center), p)
	c.length("Loadings", len(f.s.Loadings), p*f.s.K)
	c.perhaps("By", len(f.s.By), p)
	c.finite("Loadings", f.s.Loadings...)
	return c.broken
}

func (f *Shooting) ok() error {
	var c promises
	sweeps := len(f.s.Change)
	c.fitted(&f.l, f.s.N)
	c.length("Objectives", len(f.s.Objectives), sweeps+1)
	c.length("Trace", len(f.s.Trace), (sweeps+1)*len(f.l.B))
	return c.broken
}

func (f *ModelAverage) ok() error {
	var c promises
	c.fitted(&f.l, f.s.N)
	c.square("Cov", len(f.s.Cov), f.l.columns())
	return c.broken
}

// models adds what the result of a sum over models of candidates promises.
func (c *promises) models(candidates, always []string, inclusion, sizes, sizePrior []float64, best []RankedModel) {
	d := len(candidates)
	c.unique(append(append([]string(nil), candidates...), always...))
	c.length("Inclusion", len(inclusion), d)
	c.length("Sizes", len(sizes), d+1)
	c.length("SizePrior", len(sizePrior), d+1)
	c.probabilities("Inclusion", inclusion...)
	c.keep(len(best) > 0, "there is no best model")
	for _, m := range best {
		c.ranked(m, candidates)
	}
}

func (c *promises) ranked(m RankedModel, candidates []string) {
	_, err := positions(m.Terms, candidates)
	c.part(err)
	c.unique(m.Terms)
	columns := len(m.Terms)
	if m.Columns != nil {
		columns = len(m.Columns)
	}
	c.perhaps("Coef", len(m.Coef), columns)
}

func (e *Enumeration) ok() error {
	var c promises
	s, d := &e.s, len(e.s.Candidates)
	c.count("N", s.N)
	c.models(s.Candidates, s.Always, s.Inclusion, s.Sizes, s.SizePrior, s.Best)
	c.ranked(s.Median, s.Candidates)
	if s.Pair != nil {
		c.square("Pair", len(s.Pair), d)
	}
	if s.Scores != nil {
		c.keep(d < 62 && len(s.Scores) == 1<<d, "%d scores of the subsets of %d candidates", len(s.Scores), d)
	}
	return c.broken
}

func (m *ModelSample) ok() error {
	var c promises
	s := &m.s
	c.count("N", s.N, s.Chains, s.Sweeps, s.Visited)
	c.models(s.Candidates, s.Always, s.Inclusion, s.Sizes, s.SizePrior, s.Best)
	c.length("Err", len(s.Err), len(s.Candidates))
	if s.Average != nil {
		c.length("AverageErr", len(s.AverageErr), s.Average.l.columns())
	}
	return c.broken
}

func (f *Subsets) ok() error {
	var c promises
	s := &f.s
	c.count("N", s.N)
	c.unique(append(append([]string(nil), s.Candidates...), s.Always...))
	c.between("the criterion", int(ByRSS), int(ByCV), int(s.Criterion))
	c.keep(len(s.Models) > 0, "there is no model")
	if s.Criterion == ByRSS {
		c.keep(len(s.Open) >= len(s.Models), "%d bounds for %d sizes", len(s.Open), len(s.Models))
	} else if len(s.Models) > 0 {
		c.keep(len(s.Models[0]) > 0, "there is no model")
	}
	return c.broken
}

func (f *Stepwise) ok() error {
	var c promises
	s := &f.s
	c.count("N", s.N)
	c.unique(append(append([]string(nil), s.Candidates...), s.Always...))
	c.between("the criterion", int(ByRSS), int(ByCV), int(s.Criterion))
	c.between("the direction", int(Forward), int(Bidirectional), int(s.Direction))
	c.between("the final step", 0, len(s.Steps)-1, s.Final)
	return c.broken
}

func (f *Greedy) ok() error {
	var c promises
	s, k := &f.s, len(f.s.Steps)
	c.count("N", s.N)
	c.length("the terms", len(s.Linear.Names), k)
	c.length("R", len(s.R), k*(k+1)/2)
	c.length("Z", len(s.Z), k)
	c.length("Means", len(s.Means), k)
	return c.broken
}

func (e *EvidenceSurface) ok() error {
	var c promises
	c.count("N", e.s.N)
	c.length("T2", len(e.s.T2), len(e.s.S2))
	c.finite("T2", e.s.T2...)
	c.finite("the constants", e.s.Constants.N, e.s.Constants.W, e.s.Constants.LogW, e.s.Rest)
	for _, s2 := range e.s.S2 {
		c.keep(s2 > 0, "a squared singular value is %v", s2)
	}
	return c.broken
}

func (g *Gaussian) ok() error {
	var c promises
	k := len(g.s.Mean)
	c.keep(k > 0, "there is no variable")
	c.square("T", len(g.s.T), k)
	c.finite("Mean", g.s.Mean...)
	c.finite("T", g.s.T...)
	return c.broken
}

func (s *linearGaussianState) ok() error {
	var c promises
	if s.Prior == nil || s.Noise == nil || s.A == nil {
		return fmt.Errorf("a part is missing")
	}
	rows, cols := s.A.Dims()
	c.length("B", len(s.B), rows)
	c.length("the noise", s.Noise.Dim(), rows)
	c.length("the prior", s.Prior.Dim(), cols)
	return c.broken
}

func (a *LaplaceApproximation) ok() error {
	var c promises
	d := len(a.s.Mode)
	c.count("Iterations", a.s.Iterations)
	c.keep(d > 0, "there is no variable")
	c.square("H", len(a.s.H), d)
	c.square("R", len(a.s.R), d)
	c.finite("Mode", a.s.Mode...)
	c.finite("H", a.s.H...)
	c.finite("R", a.s.R...)
	return c.broken
}

func (s *cvState) ok() error {
	var c promises
	c.keep(s.Folds > 0 && s.Candidates > 0, "%d candidates in %d folds", s.Candidates, s.Folds)
	c.length("Weight", len(s.Weight), s.Folds)
	c.between("the number of candidates", 0, len(s.Loss), s.Candidates)
	c.keep(c.broken != nil || len(s.Loss) == s.Folds*s.Candidates, "%d losses of %d candidates in %d folds", len(s.Loss), s.Candidates, s.Folds)
	c.keep(s.Planned >= s.Folds, "%d of %d folds", s.Folds, s.Planned)
	c.perhaps("RowErr", len(s.RowErr), s.Candidates)
	return c.broken
}

func (s *stabilityState) ok() error {
	var c promises
	p := len(s.Names)
	c.unique(s.Names)
	c.count("N", s.N, s.Planned, s.Done, s.Failed, s.FailureAt)
	c.between("Rows", int(HalfSamples), int(BootstrapResamples), int(s.Rows))
	c.square("Pairs", len(s.Pairs), p)
	c.between("Pairs", 0, s.Done, s.Pairs...)
	c.length("Counts", len(s.Counts), len(s.Sets))
	c.between("Counts", 0, s.Done, s.Counts...)
	for _, columns := range s.Sets {
		c.between("Sets", 0, p-1, columns...)
	}
	return c.broken
}

func (s *sizeCVState) ok() error {
	var c promises
	if s.CV == nil {
		return fmt.Errorf("a part is missing")
	}
	c.length("Sizes", len(s.Sizes.Sizes), s.CV.Len())
	c.length("Terms", len(s.Sizes.Terms), s.CV.Len())
	for k, terms := range s.Sizes.Terms {
		c.length("Terms", len(terms), s.CV.Folds())
		for _, names := range terms {
			c.keep(c.broken != nil || len(names) == s.Sizes.Sizes[k], "%d terms of a model of another size", len(names))
		}
	}
	return c.broken
}

func (s *pathCVState[P, F]) ok() error {
	var c promises
	if s.CV == nil || reflect.ValueOf(s.Path).IsNil() {
		return fmt.Errorf("a part is missing")
	}
	c.length("the path", len(s.Path.Lambda()), s.CV.Len())
	return c.broken
}

func (s *greedyCVState) ok() error {
	if s.CV == nil || s.Greedy == nil {
		return fmt.Errorf("a part is missing")
	}
	var c promises
	c.between("the number of candidates", 1, s.Greedy.Size()+1, s.CV.Len())
	return c.broken
}

func (s *foldsState) ok() error {
	var c promises
	c.between("a fold", -1, s.K-1, s.Of...)
	c.perhaps("Sums", len(s.Sums), s.K)
	c.keep(len(s.Sums) > 0 || s.K <= len(s.Of), "%d folds of %d rows", s.K, len(s.Of))
	return c.broken
}

func (e *expansion) ok() error {
	if e.Basis == nil {
		return fmt.Errorf("there is no basis")
	}
	return nil
}

func (s *designState) ok() error {
	d := s.design()
	if d.X == nil {
		return nil // the zero value
	}
	return d.checkShape()
}

func (s *quantileState) ok() error {
	var c promises
	c.count("N", s.N, s.Rows, s.Steps, s.Passes)
	c.keep(s.Tau > 0 && s.Tau < 1, "tau is %v", s.Tau)
	c.finite("a sum", s.W, s.LogW, s.Loss, s.Null, s.Objective, s.L1, s.L2)
	c.length("ZeroDual", len(s.ZeroDual), len(s.Zero))
	c.between("a row", 0, max(s.Rows-1, 0), s.Zero...)
	c.between("Basis", 0, len(s.Zero), s.Basis)
	c.length("High", len(s.High), len(s.Low))
	c.keep(s.Unique || len(s.Low) > 0, "there is no range of the coefficients")
	return c.broken
}

// columns adds what depends on the number of terms, and of coefficients.
func (s *quantileState) columns(terms, coefs int) error {
	var c promises
	c.perhaps("Low", len(s.Low), coefs)
	c.perhaps("Penalty", len(s.Penalty), terms)
	return c.broken
}

func (f *Quantile) ok() error {
	var c promises
	c.fitted(&f.l, f.s.N)
	c.part(f.s.ok())
	c.part(f.s.columns(len(f.l.Names), f.l.columns()))
	return c.broken
}

func (s *quantilesState) ok() error {
	var c promises
	c.part(s.Head.ok())
	c.keep(len(s.Fits) > 0, "there are no fits")
	c.length("States", len(s.States), len(s.Fits))
	c.perhaps("From", len(s.From), len(s.Fits))
	c.length("To", len(s.To), len(s.From))
	for k := range s.Fits {
		if c.broken != nil {
			return c.broken
		}
		l := linearState{s.Head, s.Fits[k]}
		c.part(l.ok())
		c.fitted(&l, s.States[k].N)
		c.part(s.States[k].ok())
		c.part(s.States[k].columns(len(l.Names), l.columns()))
	}
	return c.broken
}

func (f *QuantileInference) ok() error {
	var c promises
	c.fitted(&f.l, f.s.N)
	c.square("Root", len(f.s.Root), f.l.columns())
	c.finite("Root", f.s.Root...)
	c.between("the kind", int(HendricksKoenker), int(PowellKernel), int(f.s.Kind))
	return c.broken
}

func (f *MultiTask) ok() error {
	var c promises
	s, k := &f.s, f.l.columns()
	c.fitted(&f.l, s.N)
	c.square("Root", len(s.Root), k)
	c.between("a fixed coefficient", 0, k-1, s.Fixed...)
	c.keep(len(s.Levels) > 0, "no level of groups")
	for i := range s.Levels {
		l := &s.Levels[i]
		n, v := len(l.Labels), len(l.Vary)
		c.length("Rows", len(l.Rows), n)
		c.between("a varying coefficient", 0, k-1, l.Vary...)
		c.length("Block", len(l.Block), v)
		c.length("Equal", len(l.Equal), v)
		c.square("Psi", len(l.Psi), v)
		c.length("Coef", len(l.Coef), n*k)
		c.length("Cov", len(l.Cov), n*k*(k+1)/2)
		c.length("Own", len(l.Own), n*v)
	}
	return c.broken
}

func (f *MultiTaskMAP) ok() error {
	var c promises
	c.fitted(&f.l, f.s.N)
	c.length("Coef", len(f.s.Coef), len(f.s.Labels)*f.l.columns())
	c.length("Rows", len(f.s.Rows), len(f.s.Labels))
	return c.broken
}

func (s *variancePosteriorState) ok() error {
	var c promises
	k := len(s.Names)
	c.length("Density", len(s.Density), len(s.Tau))
	c.keep(len(s.CDF) > 1 && len(s.Tau) == (len(s.CDF)-1)*panelNodes, "%d nodes in %d panels", len(s.Tau), len(s.CDF)-1)
	c.length("Labels", len(s.Labels), s.Groups)
	c.length("Rows", len(s.Rows), s.Groups)
	c.length("MeanCoef", len(s.MeanCoef), k)
	c.length("MeanSD", len(s.MeanSD), k)
	c.length("Coef", len(s.Coef), s.Groups*k)
	c.length("StdErr", len(s.StdErr), s.Groups*k)
	c.length("Own", len(s.Own), s.Groups*len(s.Terms))
	return c.broken
}

func (s *multiCVState) ok() error {
	var c promises
	c.length("HyperSD", len(s.HyperSD), len(s.SD))
	return c.broken
}

func (s *groupingState) ok() error {
	var c promises
	c.keep(len(s.Levels) > 0, "no level of groups")
	for i := range s.Levels {
		l := &s.Levels[i]
		c.between("a group", 0, len(l.Labels)-1, l.Of...)
		c.length("rows", len(l.Of), len(s.Levels[0].Of))
		if i > 0 {
			c.length("Parent", len(l.Parent), len(l.Labels))
			c.between("a parent", 0, len(s.Levels[i-1].Labels)-1, l.Parent...)
		}
	}
	if c.broken == nil {
		c.perhaps("Sums", len(s.Sums), len(s.Levels[0].Of))
	}
	return c.broken
}

func (f *MEstimate) ok() error {
	var c promises
	c.fitted(&f.l, f.s.N)
	c.square("Root", len(f.s.Root), f.l.columns())
	c.count("Rows", f.s.Rows, f.s.Iterations)
	c.between("the method", int(MM), int(TukeyM), int(f.s.Method))
	c.keep(f.s.C > 0, "the constant is %v", f.s.C)
	c.keep(f.s.Scale >= 0 && !math.IsInf(f.s.Scale, 0), "the scale is %v", f.s.Scale)
	return c.broken
}

func (f *Student) ok() error {
	var c promises
	c.fitted(&f.l, f.s.N)
	c.square("Root", len(f.s.Root), f.l.columns())
	c.count("Rows", f.s.Rows, f.s.Iterations, f.s.Maxima)
	c.keep(f.s.Nu > 0, "nu is %v", f.s.Nu)
	c.keep(f.s.Scale > 0 && !math.IsInf(f.s.Scale, 0), "the scale is %v", f.s.Scale)
	return c.broken
}
