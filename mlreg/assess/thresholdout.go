package assess

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/door"
	"github.com/regbook/regbook/mlreg/report"
)

// ErrBudgetSpent is the error of a holdout that has answered as many queries as its
// budget allows.
var ErrBudgetSpent = errors.New("mlreg: the budget of the holdout is spent")

// ThresholdoutSettings are the options of NewThresholdout.
type ThresholdoutSettings struct {
	// Threshold is the difference of the two means from which on a query is answered
	// from the holdout, in units of the query's values. The default 0 is 4/sqrt(n),
	// n the rows of the holdout: 0.04 for 10,000 rows, as in the paper's experiment.
	Threshold float64
	// Noise is the scale s of the noise, in the same units. The default 0 is
	// 1/sqrt(n): 0.01 for 10,000 rows.
	Noise float64
	// Gaussian takes normal noise of standard deviation Noise in the comparison and in the
	// answer, each drawn anew for every query. The default is the Laplace noise of
	// the algorithm and its theorem, which is wider: it needs more rows.
	Gaussian bool
}

// Thresholdout is a holdout that many queries may be asked of, each chosen in the light
// of the answers before: a reusable holdout. It counts what it was asked and
// refuses when its budget is spent. It changes with every query, is not to be used by
// several goroutines at once, and lasts as long as the program, in a notebook a cell.
type Thresholdout struct {
	train, holdout *mlreg.Design
	random         *rand.Rand
	gaussian       bool
	threshold      float64
	noise          float64
	raised         float64 // the threshold with its noise
	asked, spent   int
	budget         int
}

// NewThresholdout makes a reusable holdout of training rows, which its user may look
// at, and of holdout rows, which only it may see. The budget, at least 1, is
// the number of queries that it answers from the holdout; a query on whose answer
// the two sets agree costs nothing. Nil settings are the defaults. Errors: mlreg.ErrNoData;
// mlreg.ErrShape if the designs have different terms or scalings; mlreg.ErrSetting for a budget below 1, a
// threshold or noise that is negative or not finite, weights that differ, or a nil source.
//
// Dwork, Feldman, Hardt, Pitassi, Reingold and Roth, The reusable holdout: preserving
// validity in adaptive data analysis, Science 349 (2015), 636-638; the algorithm is in
// its supplement and in Generalization in adaptive data analysis and holdout reuse,
// NIPS 2015, figure 1.
func NewThresholdout(train, holdout *mlreg.Design, budget int, src rand.Source, settings *ThresholdoutSettings) (*Thresholdout, error) {
	for _, d := range []*mlreg.Design{train, holdout} {
		if err := d.Check(); err != nil {
			return nil, err
		}
		for i, w := range d.Weights {
			if w != d.Weights[0] {
				return nil, fmt.Errorf("%w: the rows have weights, %v in row %d; a query is answered by means in which every row counts once", mlreg.ErrSetting, w, d.RowNumber(i))
			}
		}
	}
	if !slices.Equal(train.Names, holdout.Names) {
		return nil, fmt.Errorf("%w: the terms of the training rows and of the holdout differ", mlreg.ErrShape)
	}
	if !door.SameScaling(train.Scaling, holdout.Scaling, train.NTerms()) {
		return nil, fmt.Errorf("%w: the scalings of the training rows and of the holdout differ, so that a query would compare numbers of different units; give the holdout the scaling of the training rows (Rescale)", mlreg.ErrShape)
	}
	s := args.OrDefaults(settings)
	root := math.Sqrt(float64(holdout.NObs()))
	s.Threshold = cmp.Or(s.Threshold, 4/root)
	s.Noise = cmp.Or(s.Noise, 1/root)
	switch {
	case budget < 1:
		return nil, fmt.Errorf("%w: a holdout with a budget of %d answers nothing", mlreg.ErrSetting, budget)
	case !(s.Threshold > 0) || math.IsInf(s.Threshold, 0) || !(s.Noise > 0) || math.IsInf(s.Noise, 0):
		return nil, fmt.Errorf("%w: Threshold = %v, Noise = %v; both are positive and finite", mlreg.ErrSetting, s.Threshold, s.Noise)
	}
	if err := args.Source(src); err != nil {
		return nil, err
	}
	t := &Thresholdout{
		train: train, holdout: holdout, random: rand.New(src), gaussian: s.Gaussian,
		threshold: s.Threshold, noise: s.Noise, budget: budget,
	}
	t.raise()
	return t, nil
}

// raise draws the threshold anew.
func (t *Thresholdout) raise() {
	t.raised = t.threshold
	if !t.gaussian {
		t.raised += t.laplace(2 * t.noise)
	}
}

// between returns the difference of the means up to which a query is answered from the
// training rows.
func (t *Thresholdout) between() float64 {
	if t.gaussian {
		return t.raised + t.noise*t.random.NormFloat64()
	}
	return t.raised + t.laplace(4*t.noise)
}

// answered returns the mean of the holdout with noise.
func (t *Thresholdout) answered(h float64) float64 {
	if t.gaussian {
		return h + t.noise*t.random.NormFloat64()
	}
	return h + t.laplace(t.noise)
}

func (t *Thresholdout) laplace(scale float64) float64 {
	e := scale * t.random.ExpFloat64()
	if t.random.IntN(2) == 0 {
		return -e
	}
	return e
}

// Query asks for the mean of a value over the population, such as the loss of a fit, the
// indicator of an error or a product of two columns. The function gives the value of
// every row of a design: it is called with the training rows and with those of the
// holdout, and must neither change rows nor pass the second on. With a and h the means over the two, and
// noise drawn anew for each query,
//
//	answer = a                      if |h - a| <= Threshold + L(2 Noise) + L(4 Noise),
//	         h + L(Noise)           if not, and the budget falls by one,
//
// L(s) Laplace noise of scale s (mean 0, standard deviation s sqrt(2)). The noise of
// scale 2 Noise is drawn anew after each answer from the holdout only. The paper's
// theorem is for values between 0 and 1; others are answered, too, in their units.
//
// Errors: ErrBudgetSpent, before the function is called, when the budget is
// used up; mlreg.ErrShape for another number of values than rows; mlreg.ErrNotFinite with the
// row of a value; mlreg.ErrSetting for a nil function; the function's own error. A query that
// fails costs nothing and draws no noise.
func (t *Thresholdout) Query(value func(d *mlreg.Design) ([]float64, error)) (answer float64, err error) {
	if value == nil {
		return 0, fmt.Errorf("%w: the function of the query is nil", mlreg.ErrSetting)
	}
	if t.spent >= t.budget {
		return 0, fmt.Errorf("%w: %d queries of %d were answered from it", ErrBudgetSpent, t.spent, t.asked)
	}
	a, err := t.mean(t.train, "training", value)
	if err != nil {
		return 0, err
	}
	h, err := t.mean(t.holdout, "holdout", value)
	if err != nil {
		return 0, err
	}
	t.asked++
	if math.Abs(h-a) <= t.between() {
		return a, nil
	}
	answer = t.answered(h)
	t.spent++
	t.raise()
	return answer, nil
}

// mean returns the mean of the values of rows.
func (t *Thresholdout) mean(d *mlreg.Design, which string, value func(d *mlreg.Design) ([]float64, error)) (float64, error) {
	v, err := value(d)
	if err != nil {
		return 0, err
	}
	if len(v) != d.NObs() {
		return 0, fmt.Errorf("%w: the query gives %d values for %d %s rows", mlreg.ErrShape, len(v), d.NObs(), which)
	}
	mean := 0.0
	for i, x := range v {
		if args.NotFinite(x) {
			return 0, fmt.Errorf("%w: the query gives %v for %s row %d", mlreg.ErrNotFinite, x, which, i+1)
		}
		mean += (x - mean) / float64(i+1)
	}
	if args.NotFinite(mean) {
		return 0, fmt.Errorf("%w: the mean of the query over the %s rows is %v; its values are too large", mlreg.ErrNotFinite, which, mean)
	}
	return mean, nil
}

// Asked returns the number of queries answered.
func (t *Thresholdout) Asked() int { return t.asked }

// Left returns how many queries the holdout may still answer.
func (t *Thresholdout) Left() int { return t.budget - t.spent }

// Threshold returns the difference from which on a query is answered from the
// holdout, without its noise.
func (t *Thresholdout) Threshold() float64 { return t.threshold }

// Noise returns the scale of the noise.
func (t *Thresholdout) Noise() float64 { return t.noise }

// Describe returns a table of what was asked and what is left.
func (t *Thresholdout) Describe() *report.Table {
	kind := "Laplace"
	if t.gaussian {
		kind = "normal"
	}
	return &report.Table{
		Title:   "Reusable holdout (Thresholdout)",
		Columns: []report.Column{report.TextColumn("queries", "asked", "answered from the training rows", "answered from the holdout", "left"), report.IntColumn("number", t.asked, t.asked-t.spent, t.spent, t.Left())},
		Notes: []string{fmt.Sprintf("%d training rows, %d in the holdout; threshold %s, %s noise of scale %s",
			t.train.NObs(), t.holdout.NObs(), format.Number(t.threshold, 3), kind, format.Number(t.noise, 3))},
	}
}

// String returns the table as text.
func (t *Thresholdout) String() string { return t.Describe().String() }
