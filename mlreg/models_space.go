package mlreg

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/blocked"
	"github.com/regbook/regbook/mlreg/internal/enumerate"
	"github.com/regbook/regbook/mlreg/internal/lsq"
	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
)

// modelSpace is what the models over the candidate terms of some data share:
// the moments of candidates and response about what is in every model, the
// intercept and the terms always in.
type modelSpace struct {
	m          *Moments
	candidates []int // columns, in the order of the design
	always     []int
	nuisance   int       // number of coefficients in every model
	logDet     float64   // log det A'WA of their columns A, centered, in the units of the design
	ylen       float64   // length of the response about them
	yraw       float64   // length of the response, about its mean
	length     []float64 // of the candidates, likewise
	lengths    []float64 // of the terms always in and the candidates
	// corr are the moments about them, packed with the response first; the
	// response is of length 1, and so is a column about its mean alone.
	corr []float64
	all  *enumerate.Sweeper // of always and candidates, in this order; always are swept
	// What bounds of rounding errors are made of: the relative error of the moments,
	// and what it, and the length that the moments lack of a column, are relative to,
	// beside the lengths in corr: of response and candidates, and of what is always in.
	rounding    float64
	gross, lost []float64
	grossAlways []float64
	// aliased are the candidates that are combinations of those before them.
	aliased []string
}

// perfectFit is the part of the response's sum of squares below which what a
// model leaves is not told from nothing by sums of products.
const perfectFit = 1e-12

// newModelSpace prepares the moments of data, of which the named terms are in
// every model and all others are candidates.
func newModelSpace(data Data, always []string) (*modelSpace, error) {
	m, err := sumsOf(data)
	if err != nil {
		return nil, err
	}
	s := &modelSpace{m: m}
	for _, name := range always {
		j := slices.Index(m.s.Names, name)
		if j < 0 {
			return nil, fmt.Errorf("%w: no term %q to be always in among %s", ErrShape, name, format.Quoted(m.s.Names))
		}
		if slices.Contains(s.always, j) {
			return nil, fmt.Errorf("%w: term %q is given twice as always in", ErrSetting, name)
		}
		s.always = append(s.always, j)
	}
	for j := range m.s.Names {
		if !slices.Contains(s.always, j) {
			s.candidates = append(s.candidates, j)
		}
	}
	if len(s.candidates) == 0 {
		return nil, fmt.Errorf("%w: no candidate terms; every term is always in", ErrNoData)
	}
	return s, s.prepare()
}

// prepare computes the moments about what is always in.
func (s *modelSpace) prepare() error {
	e := newEquations(s.m)
	order := append(slices.Clone(s.always), s.candidates...)
	s.newSweeper(e, order)
	if !s.m.s.NoIntercept {
		s.nuisance, s.logDet = 1, math.Log(s.m.s.W)
	}
	for i := range s.always {
		s.all.Flip(i + 1)
		s.nuisance++
		s.logDet += 2 * math.Log(s.lengths[i])
	}
	if idle := s.all.Idle(); len(idle) > 0 {
		return fmt.Errorf("%w: term %q, which is to be always in, is a combination of the others that are (or constant); leave it out",
			ErrRankDeficient, s.m.s.Names[order[idle[0]-1]])
	}
	s.logDet += s.all.Log2Det() * math.Ln2
	s.prepareRounding(e, order)
	s.length = s.lengths[len(s.always):]
	s.correlate()
	s.findAliased()
	return nil
}

// ratio is v/a/b, 0 where a or b is 0.
func ratio(v, a, b float64) float64 {
	if a == 0 || b == 0 {
		return 0
	}
	return v / a / b
}

// newSweeper makes the sweeper of the correlations of all columns, in an order, with the response.
func (s *modelSpace) newSweeper(e *lsq.Equations, order []int) {
	root := make([]float64, len(order))
	s.lengths = make([]float64, len(order))
	for i, j := range order {
		root[i] = math.Sqrt(e.Cross(j, j))
		s.lengths[i] = e.XUnit[j].Out(root[i])
	}
	rooty := math.Sqrt(e.YY)
	s.yraw = e.YUnit.Out(rooty)
	p := enumerate.Problem{D: len(order), M: []float64{ratio(e.YY, rooty, rooty)}, Tol: lsq.AliasSums * lsq.AliasSums,
		Size: make([]float64, len(order)+1)}
	for i, j := range order {
		p.M = append(p.M, ratio(e.C[j], root[i], rooty))
		for k, h := range order[:i+1] {
			p.M = append(p.M, ratio(e.Cross(min(j, h), max(j, h)), root[i], root[k]))
		}
	}
	s.all = enumerate.NewSweeper(&p)
}

// correlate sets the moments of response and candidates about what is always in, swept already.
func (s *modelSpace) correlate() {
	at := func(i int) int {
		if i == 0 {
			return 0
		}
		return i + len(s.always)
	}
	d := len(s.candidates)
	for i := range d + 1 {
		for j := range i + 1 {
			s.corr = append(s.corr, s.all.At(at(i), at(j)))
		}
	}
	left := math.Sqrt(math.Max(s.corr[0], 0))
	if left*left <= perfectFit {
		left = 0
	}
	s.ylen = s.yraw * left
	for i := 1; i <= d; i++ {
		s.corr[enumerate.Tri(i)] = ratio(s.corr[enumerate.Tri(i)], left, 1)
	}
	s.corr[0] = ratio(left, left, 1)
}

// findAliased names the candidates that are combinations of those before them.
func (s *modelSpace) findAliased() {
	d := len(s.candidates)
	if p := pivots(s.corr, d); p != nil && slices.Min(p[:d]) > clearPivot {
		return
	}
	own := enumerate.NewSweeper(&enumerate.Problem{D: d, M: s.corr, Tol: lsq.AliasSums * lsq.AliasSums, Size: make([]float64, d+1)})
	for i := range d {
		own.Flip(i + 1)
	}
	for _, i := range own.Idle() {
		s.aliased = append(s.aliased, s.m.s.Names[s.candidates[i-1]])
	}
}

// terms returns the names of the given columns.
func (s *modelSpace) terms(columns []int) []string {
	names := make([]string, len(columns))
	for i, j := range columns {
		names[i] = s.m.s.Names[j]
	}
	return names
}

// scored is a model space with a score: a problem of package enumerate and what
// leads from its numbers back to the units of the data.
type scored struct {
	*modelSpace
	enumerate.Problem
	// log p(y|model) p(model) is constant + log(2) L.
	constant float64
	logPrior []float64  // log p(model) by number of terms
	units    *termUnits // nil if every column is a term, and every set of them a model
	counts   []float64  // with units: logarithms of the numbers of models by number of terms
	unit     []float64  // of coefficients
	unitQ    float64    // of sums of squares
}

// newScored makes the problem of a score.
func newScored(data Data, score ModelScore, c choice) (*scored, error) {
	if score == nil {
		return nil, fmt.Errorf("%w: the score is nil; it is a SpikeSlab, BICScore or ZellnerG", ErrSetting)
	}
	space, err := newModelSpace(data, c.always)
	if err != nil {
		return nil, err
	}
	d := len(space.candidates)
	s := &scored{modelSpace: space, unitQ: space.ylen * space.ylen, unit: make([]float64, d)}
	s.Problem = enumerate.Problem{D: d, M: slices.Clone(space.corr), Tol: lsq.AliasSums * lsq.AliasSums,
		Size: make([]float64, d+1), VarSlope: make([]float64, d+1)}
	if s.unitQ == 0 {
		s.unitQ = 1
	}
	for j := range s.unit {
		if s.length[j] > 0 {
			s.unit[j] = s.ylen / s.length[j]
		}
	}
	if err := s.setUnits(c); err != nil {
		return nil, err
	}
	if err := score.set(s); err != nil {
		return nil, err
	}
	s.normalizePrior()
	if s.units == nil {
		for k, v := range s.logPrior {
			s.Size[k] += v / math.Ln2
		}
	}
	return s, s.checkFit()
}

// clearPivot is what a pivot, of rows of about 1 on the diagonal, is not rounding
// above: sweeps would find no other rank.
const clearPivot = 1e-10

// pivots returns what is left of the diagonal of moments of d rows, packed with the
// response first, by those before it: of the rows in order, and of the response after
// all of them. It returns nil for few rows, whose sweeps take no time, and if they are
// not independent.
func pivots(packed []float64, d int) []float64 {
	if d < blocked.Least {
		return nil
	}
	a := mat.NewDense(d+1, d+1, nil)
	for i := range d {
		for j := range i + 1 {
			a.Set(j, i, packed[enumerate.Tri(i+1)+j+1])
		}
		a.Set(i, d, packed[enumerate.Tri(i+1)])
	}
	a.Set(d, d, packed[0])
	if !blocked.Cholesky(a.RawMatrix()) {
		return nil
	}
	p := make([]float64, d+1)
	for i := range p {
		p[i] = a.At(i, i) * a.At(i, i)
	}
	return p
}

// checkFit refuses a power of Q if some model leaves a Q that is zero but for
// rounding.
func (s *scored) checkFit() error {
	if s.Power == 0 {
		return nil
	}
	if p := pivots(s.M, s.D); p != nil && slices.Min(p) > clearPivot {
		return nil
	}
	full := enumerate.NewSweeper(&s.Problem)
	for i := range s.D {
		full.Flip(i + 1)
	}
	if q := full.At(0, 0); !(q > perfectFit) {
		n := s.m.s.N
		why := fmt.Sprintf("the candidates fit response %q exactly", s.m.s.Response)
		switch {
		case s.ylen == 0:
			why = fmt.Sprintf("response %q is fitted exactly without any candidate", s.m.s.Response)
		case n-s.nuisance <= s.D:
			why = fmt.Sprintf("%d candidates fit %d observations exactly", s.D, n)
		}
		return fmt.Errorf("%w: %s, so that the noise variance can be zero; give it (KnownVariance, BICScore.Sigma2), "+
			"a proper prior (InverseGamma), or fewer candidates", ErrPerfectFit, why)
	}
	return nil
}

// probOf is a column of probabilities to four decimals.
func probOf(name string, p []float64) report.Column { return report.DecimalColumn(name, p, 4) }

// marks is a column with a mark for the terms that are in.
func marks(name string, terms []string, in func(term string) bool) report.Column {
	return tables.Text(name, terms, func(term string) string {
		if in(term) {
			return "•"
		}
		return ""
	})
}

// describeModels returns the table of a posterior over models, with columns and notes
// of its own.
func describeModels(response string, terms []string, inclusion []float64, best RankedModel, median []string, columns []report.Column) *report.Table {
	return &report.Table{
		Title: tables.Of("Posterior over models", response),
		Columns: slices.Concat([]report.Column{report.TextColumn("term", terms...), probOf("p(in)", inclusion)}, columns,
			[]report.Column{marks("MAP", terms, isIn(best.Terms)), marks("median", terms, isIn(median))}),
	}
}

// modelText writes the terms and the probability: "x1 x2}, probability 0.31".
func modelText(m RankedModel) string {
	return strings.Join(m.Terms, " ") + "}, probability " + format.Decimal(m.PostProb, 4)
}
