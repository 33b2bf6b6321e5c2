package mlreg

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/dd"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
)

// GreedySettings are the options of FitGreedy.
type GreedySettings struct {
	// MaxTerms is the largest number of terms to choose; the default 0 is 20.
	MaxTerms int
	// TrainError, if not 0, stops as soon as the training error RSS/W is not
	// above it.
	TrainError float64
	// Test, if not nil, are rows to predict after every step; they need the
	// terms of the training rows.
	Test *Design
	// Patience, if not 0, stops when the error on Test has not fallen for so
	// many steps.
	Patience int
}

// GreedyStep is a choice of FitGreedy.
type GreedyStep struct {
	Term string
	// TrainError is RSS/W after the step, TestError the mean squared error on
	// the test rows, NaN if there are none.
	TrainError, TestError float64
	// Considered is the number of terms among which it was chosen.
	Considered int
}

// Greedy is a model of terms chosen one at a time from a dictionary,
//
//	yhat = b_0 + b_1 h_1(x) + ... + b_k h_k(x),
//
// for every k up to its size. It holds no data and does not change.
type Greedy struct {
	stored[Greedy, greedyState]
}

type greedyState struct {
	Linear linearState // of all terms chosen, in the order chosen
	N      int
	Steps  []GreedyStep
	// The chosen columns, centered and weighted, are Q R, R packed by columns,
	// and the response has the coordinates Z.
	R, Z        []float64
	Means       []float64 // of the chosen columns
	MeanY       float64
	StartErrors [2]float64 // on training and test rows without any term
	Stopped     string
}

// greedyAlias is the squared relative length of the part of a term orthogonal to
// those chosen below which it is a combination of them.
const greedyAlias = 1e-10

// FitGreedy chooses terms from a dictionary, which may be large: the columns of d.
// It starts from the intercept and adds, one after the other, the term that leaves
// the least training error when least squares refits all coefficients. A Basis such
// as RandomCosines makes a dictionary of functions of the inputs,
//
//	h, err := mlreg.NewRandomCosines(2, 1000, 1, rand.NewPCG(1, 2))
//	train, err := mlreg.Expand(h, x, y)
//	g, err := mlreg.FitGreedy(train, nil)
//	test, err := mlreg.ExpandLike(train, xnew, nil)
//	yhat, err := g.Predict(test, g.Size())
//
// It chooses the same terms as FitStepwise, Forward and ByRSS, but takes 2 n d
// multiplications and additions a step and no d x d sums, so that d can be many
// thousands. Of the terms made orthogonal to those chosen, the best one has the
// largest (h'r)^2/|h|^2: orthogonal least squares (Chen, Cowan and Grant, IEEE
// Transactions on Neural Networks 2 (1991), 302-309). Orthogonal matching pursuit
// compares terms that are not orthogonal. Either is a heuristic; to choose the best k
// terms is intractable.
//
// The settings say when to stop: at a number of terms, at a training error, or when
// the error on test rows no longer falls. BestSize is the number of terms with the
// least test error. Of equally good terms the first is chosen; a combination of
// those chosen is passed over.
//
// Nil settings are the defaults. Errors: ErrSetting, ErrConstant (the response),
// ErrNoData, ErrShape, ErrNotFinite.
func FitGreedy(d *Design, settings *GreedySettings) (*Greedy, error) {
	set := args.OrDefaults(settings)
	if set.MaxTerms == 0 {
		set.MaxTerms = 20
	}
	switch {
	case set.MaxTerms < 0 || !(set.TrainError >= 0) || set.Patience < 0:
		return nil, fmt.Errorf("%w: MaxTerms = %d, TrainError = %v, Patience = %d; none is negative",
			ErrSetting, set.MaxTerms, set.TrainError, set.Patience)
	case set.Patience > 0 && set.Test == nil:
		return nil, fmt.Errorf("%w: Patience = %d needs GreedySettings.Test", ErrSetting, set.Patience)
	case set.Test != nil && set.Test.Y == nil:
		return nil, fmt.Errorf("%w: the test rows have no response", ErrNoData)
	}
	g, err := newGreedyRun(d, set)
	if err != nil {
		return nil, err
	}
	g.run()
	return &g.out, nil
}

// greedyRun is FitGreedy under way.
type greedyRun struct {
	*prepared
	set    GreedySettings
	y      []float64 // residual
	first  []float64 // squared lengths of the columns as they are
	length []float64 // of what of them is orthogonal to those chosen
	inner  []float64 // of the columns and the residual
	basis  [][]float64
	test   *mat.Dense // columns of the test rows
	chosen []int
	out    Greedy
}

func newGreedyRun(d *Design, set GreedySettings) (*greedyRun, error) {
	if err := d.refuseOffset("FitGreedy"); err != nil {
		return nil, err
	}
	rows, err := preparedRows(d, nil)
	if err != nil {
		return nil, err
	}
	p := rows.Terms()
	g := &greedyRun{prepared: rows, set: set, y: rows.Y, first: make([]float64, p), inner: make([]float64, p)}
	g.out = Greedy{store[Greedy](greedyState{Linear: linearState{header: g.header()}, N: rows.N, MeanY: rows.MeanY})}
	for j := range p {
		g.first[j], g.inner[j] = gram.Squares(g.Column(j)), gram.Dot(g.Column(j), g.y)
	}
	g.length = slices.Clone(g.first)
	for j, m := range g.MeanX { // a constant is not told from the intercept
		if m = g.XUnit[j].In(m); g.first[j] <= greedyAlias*greedyAlias*g.W*m*m {
			g.length[j] = 0
		}
	}
	rss := g.rss()
	if rss <= greedyAlias*greedyAlias*g.W*gram.Square(g.MeanY) {
		return nil, fmt.Errorf("%w: response %q is %v in every row; there is nothing to explain", ErrConstant, d.Response, d.Y[0])
	}
	g.out.s.StartErrors = [2]float64{rss / g.W, math.NaN()}
	if set.Test != nil {
		x, err := g.l.rows(set.Test)
		if err != nil {
			return nil, fmt.Errorf("test rows: %w", err)
		}
		g.test = x
		g.out.s.StartErrors[1] = g.testError()
	}
	return g, nil
}

func (g *greedyRun) rss() float64 { return g.Squares(gram.Squares(g.y)) }

// run chooses term after term.
func (g *greedyRun) run() {
	s := &g.out.s
	train, least, since := s.StartErrors[0], s.StartErrors[1], 0
	for {
		switch {
		case g.set.TrainError > 0 && train <= g.set.TrainError:
			s.Stopped = fmt.Sprintf("the training error %.4g is not above %.4g", train, g.set.TrainError)
			return
		case g.set.Patience > 0 && since >= g.set.Patience:
			s.Stopped = fmt.Sprintf("the test error has not fallen for %d steps", since)
			return
		case len(s.Steps) == g.set.MaxTerms:
			s.Stopped = fmt.Sprintf("%d terms were chosen", g.set.MaxTerms)
			return
		}
		j, considered := g.best()
		if j < 0 {
			s.Stopped = "no other term lowers the training error"
			return
		}
		g.take(j)
		train = g.rss() / g.W
		step := GreedyStep{Term: g.l.Names[j], TrainError: train, TestError: math.NaN(), Considered: considered}
		if g.test != nil {
			step.TestError = g.testError()
			since++
			if step.TestError < least {
				least, since = step.TestError, 0
			}
		}
		s.Steps = append(s.Steps, step)
	}
}

// best returns the term that lowers the training error most, -1 if none does, and
// how many there were to choose from.
func (g *greedyRun) best() (at, considered int) {
	at = -1
	var most float64
	for j, length := range g.length {
		if length <= greedyAlias*g.first[j] {
			continue
		}
		considered++
		if gain := gram.Square(g.inner[j] / math.Sqrt(length)); gain > most*(1+1e-12) {
			at, most = j, gain
		}
	}
	rounding := gram.Square(16*dd.Unit) * g.W * (g.out.s.StartErrors[0] + gram.Square(g.MeanY))
	if rss := g.rss(); g.Squares(most) <= dd.Unit*rss || rss <= rounding {
		return -1, considered
	}
	return at, considered
}

// take adds term j.
func (g *greedyRun) take(j int) {
	s := &g.out.s
	u := slices.Clone(g.Column(j))
	column := make([]float64, len(g.basis)+1)
	for range 2 { // once more for what rounding left
		for k, q := range g.basis {
			c := blas64.Dot(gram.Vector(q), gram.Vector(u))
			column[k] += c
			blas64.Axpy(-c, gram.Vector(q), gram.Vector(u))
		}
	}
	length := blas64.Nrm2(gram.Vector(u))
	column[len(g.basis)] = length
	blas64.Scal(1/length, gram.Vector(u))
	z := blas64.Dot(gram.Vector(u), gram.Vector(g.y))
	blas64.Axpy(-z, gram.Vector(u), gram.Vector(g.y))

	image := gram.Vector(make([]float64, len(g.length))) // h'u
	blas64.Gemv(blas.NoTrans, 1, g.XT, gram.Vector(u), 0, image)
	for i, v := range image.Data {
		g.length[i] -= v * v
		g.inner[i] -= v * z
	}
	g.length[j] = 0
	g.basis = append(g.basis, u)
	g.chosen = append(g.chosen, j)
	for _, r := range column {
		s.R = append(s.R, g.XUnit[j].Out(r))
	}
	s.Z = append(s.Z, g.YUnit.Out(z))
	s.Means = append(s.Means, g.MeanX[j])
	s.Linear.header = g.header()
}

// header returns that of the terms chosen.
func (g *greedyRun) header() header { return g.l.header.columns(g.chosen) }

// testError returns the mean squared error on the test rows of all terms chosen.
func (g *greedyRun) testError() float64 {
	d := g.set.Test
	b0, b := g.out.coef(len(g.chosen))
	residual := slices.Clone(d.Y)
	for i := range residual {
		residual[i] -= b0
		row := g.test.RawRowView(i)
		for k, j := range g.chosen {
			residual[i] -= b[k] * row[j]
		}
	}
	return d.weightedSquares(residual, 0) / d.sumWeights()
}

// coef returns the intercept and the coefficients of the first k terms.
func (f *Greedy) coef(k int) (b0 float64, b []float64) {
	b = slices.Clone(f.s.Z[:k])
	b0 = f.s.MeanY
	for j := k - 1; j >= 0; j-- {
		column := f.s.R[j*(j+1)/2 : (j+1)*(j+2)/2]
		b[j] /= column[j]
		for i := range j {
			b[i] -= column[i] * b[j]
		}
		b0 -= b[j] * f.s.Means[j]
	}
	return b0, b
}

// Size returns the number of terms chosen.
func (f *Greedy) Size() int { return len(f.s.Steps) }

// Steps returns the choices in order.
func (f *Greedy) Steps() report.Rows[GreedyStep] { return slices.Clone(f.s.Steps) }

// Terms returns the terms in the order chosen.
func (f *Greedy) Terms() []string { return slices.Clone(f.s.Linear.Names) }

// Predictors returns the models of the first 1, 2, ... Size terms chosen, which are the
// candidates of a cross-validation that asks when to stop:
//
//	cv, err := mlreg.CrossValidate(train, folds, func(d *mlreg.Design) ([]mlreg.Predictor, error) {
//		g, err := mlreg.FitGreedy(d, nil)
//		return g.Predictors(), err
//	}, nil)
//
// A nil Greedy has none.
func (f *Greedy) Predictors() []Predictor {
	if f == nil {
		return nil
	}
	models := make([]Predictor, f.Size())
	for k := range models {
		models[k] = greedyModel{f, k + 1}
	}
	return models
}

// greedyModel is the model of the first terms.
type greedyModel struct {
	all   *Greedy
	terms int
}

func (m greedyModel) Predict(d *Design) ([]float64, error) { return m.all.Predict(d, m.terms) }

// Response returns the name of the response.
func (f *Greedy) Response() string { return f.s.Linear.Response }

// Scaling returns the scaling of the terms chosen, nil if the columns were raw.
func (f *Greedy) Scaling() *Scaling { return f.s.Linear.Scaling.clone() }

// Coding returns how the columns of the design were computed, nil if they were
// given.
func (f *Greedy) Coding() *Coding { return f.s.Linear.Coding }

// NObs returns the number of observations; rows of weight zero do not count.
func (f *Greedy) NObs() int { return f.s.N }

// model returns the model of the first k terms.
func (f *Greedy) model(k int) (*linear, error) {
	if k < 0 || k > f.Size() {
		return nil, fmt.Errorf("%w: %d terms of the %d chosen", ErrSetting, k, f.Size())
	}
	l := f.s.Linear
	l.Names = l.Names[:k]
	if l.Scaling != nil {
		l.Scaling = &Scaling{Center: l.Scaling.Center[:k], Scale: l.Scaling.Scale[:k]}
	}
	l.B0, l.B = f.coef(k)
	return &linear{l}, nil
}

// Coef returns the coefficients of the model of the first k terms, the intercept
// first if there is one, and their names, in the units of the design. It is
// ErrSetting, here and below, if k is not between 0 and Size.
func (f *Greedy) Coef(k int) (names []string, coef []float64, err error) {
	m, err := f.model(k)
	if err != nil {
		return nil, nil, err
	}
	return m.Names(), m.Coef(), nil
}

// Predict returns the predictions of the model of the first k terms for the rows
// of d, as OLS.Predict does.
func (f *Greedy) Predict(d *Design, k int) ([]float64, error) {
	m, err := f.model(k)
	switch {
	case err != nil:
		return nil, err
	case k == 0:
		return valid(slices.Repeat([]float64{m.l.B0}, d.NObs()), d.Check())
	}
	return m.Predict(d)
}

// Refit fits the first k terms to data by least squares.
func (f *Greedy) Refit(data Data, k int) (*OLS, error) {
	m, err := f.model(k)
	if err != nil {
		return nil, err
	}
	return SubsetModel{Terms: m.l.Names}.Refit(data)
}

// StartErrors returns the training and the test error without any term; the
// latter is NaN without test rows.
func (f *Greedy) StartErrors() (train, test float64) { return f.s.StartErrors[0], f.s.StartErrors[1] }

// BestSize returns the number of terms with the least test error, the smallest of
// equals; all of them if there were no test rows.
func (f *Greedy) BestSize() int {
	if math.IsNaN(f.s.StartErrors[1]) {
		return f.Size()
	}
	best, least := 0, f.s.StartErrors[1]
	for i, step := range f.s.Steps {
		if step.TestError < least {
			best, least = i+1, step.TestError
		}
	}
	return best
}

// Visited returns the number of models that were compared: CountStepwise(d, k) for k
// chosen of d terms, if none is a combination of others.
func (f *Greedy) Visited() float64 {
	var sum float64
	for _, step := range f.s.Steps {
		sum += float64(step.Considered)
	}
	return sum
}

// Stopped says why no more terms were chosen.
func (f *Greedy) Stopped() string { return f.s.Stopped }

// Tabulate returns the terms as a table, with the errors of the models that they made.
func (GreedyStep) Tabulate(s []GreedyStep) *report.Table {
	return tables.Rows("Terms chosen from a dictionary",
		tables.Text("term", s, func(s GreedyStep) string { return s.Term }),
		tables.Number("training error", s, 0, func(s GreedyStep) float64 { return s.TrainError }),
		tables.Blank(tables.Number("test error", s, 0, func(s GreedyStep) float64 { return s.TestError })))
}

// String writes the step as text.
func (s GreedyStep) String() string { return report.Rows[GreedyStep]{s}.String() }

// Describe returns the terms chosen as a table, with why the selection stopped.
func (f *Greedy) Describe() *report.Table {
	t := report.Rows[GreedyStep](f.Steps()).Describe()
	t.Notes = []string{fmt.Sprintf("%s; %s models were compared", f.Stopped(), format.Grouped(f.Visited()))}
	if k := f.BestSize(); k < f.Size() {
		t.Notes = append(t.Notes, "least test error with "+format.Plural(k, "term"))
	}
	return t
}

// String writes the terms chosen as text.
func (f *Greedy) String() string { return f.Describe().String() }
