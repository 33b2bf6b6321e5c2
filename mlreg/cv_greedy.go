package mlreg

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/door"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/stream"
	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
)

// GreedyCV is a greedy choice with its cross-validation: the candidates are the numbers
// of terms, from none to the most that every fold chose.
type GreedyCV struct {
	*CV
	// Greedy is the choice on all rows.
	Greedy *Greedy
}

// FitGreedyCV chooses terms by FitGreedy on all rows, and cross-validates how many: in
// every fold the terms are chosen anew from the other rows, so that the choice is part of
// what is validated, and the models of none, one, two ... terms predict the rows of the
// fold. GreedySettings.Test and Patience are refused (ErrSetting): the folds take their
// place. Nil settings are the defaults; the other errors are those of FitGreedy and
// CrossValidate. (Hastie, Tibshirani and Friedman, The Elements of Statistical Learning,
// 2nd ed., section 7.10.2.)
func FitGreedyCV(d *Design, folds *Folds, settings *GreedySettings, cv *CVSettings) (*GreedyCV, error) {
	if settings != nil && (settings.Test != nil || settings.Patience > 0) {
		return nil, fmt.Errorf("%w: GreedySettings.Test and Patience; the folds say how many terms", ErrSetting)
	}
	c, err := cv.folds(d, folds)
	if err != nil {
		return nil, err
	}
	if c.raw == nil {
		return nil, fmt.Errorf("%w: these folds are sums (MomentFolds); see CrossValidateSizes", ErrNeedsRows)
	}
	all, err := c.rows()
	if err != nil {
		return nil, err
	}
	greedy, err := FitGreedy(all, settings)
	if err != nil {
		return nil, err
	}
	size := greedy.Size()
	each, _, err := door.Each("fold", folds.Len(), nil, func(k int) (*Greedy, error) {
		train, err := c.standardized(c.train(k))
		if err != nil {
			return nil, err
		}
		return FitGreedy(train, settings)
	})
	if err != nil {
		return nil, err
	}
	for _, g := range each {
		size = min(size, g.Size())
	}
	result, err := c.validateRows(func(k int) (*mat.Dense, error) {
		test := c.test(k)
		yhat := mat.NewDense(test.NObs(), size+1, nil)
		for j := range size + 1 {
			values, err := each[k].Predict(test, j)
			if err != nil {
				return nil, err
			}
			yhat.SetCol(j, values)
		}
		return yhat, nil
	})
	if result == nil {
		return nil, err
	}
	return &GreedyCV{result, greedy}, err
}

// SizeMin returns the number of terms of least mean loss.
func (c *GreedyCV) SizeMin() int { return c.Min() }

// SizeOneSE returns the least number of terms whose mean loss is within a standard error
// of the least, see CV.OneSE.
func (c *GreedyCV) SizeOneSE() int { return c.OneSE() }

// Chosen returns the model of SizeMin or SizeOneSE terms that were chosen on all rows.
func (c *GreedyCV) Chosen(oneSE bool) (fit any, name string, mean float64, err error) {
	k := c.candidate(oneSE)
	return greedyModel{c.Greedy, k}, format.Plural(k, "term"), c.Mean()[k], nil
}

// Describe returns the errors by the number of terms as a table, with the numbers that
// they select.
func (c *GreedyCV) Describe() *report.Table {
	t := tables.Rows("Cross-validated error of a greedy choice",
		report.IntColumn("terms", gram.NumbersTo(c.Len())...), report.NumberColumn("loss", c.Mean(), 0), report.NumberColumn(format.StdErr, c.StdErr(), 3))
	t.Notes = []string{fmt.Sprintf("least error with %s; within one standard error of it with %d", format.Plural(c.SizeMin(), "term"), c.SizeOneSE())}
	return t
}

// String writes the errors as text.
func (c *GreedyCV) String() string { return c.Describe().String() }

// GobEncode implements gob.GobEncoder.
func (c *GreedyCV) GobEncode() ([]byte, error) { return stream.Encode(c, c.CV, c.Greedy) }

// GobDecode implements gob.GobDecoder.
func (c *GreedyCV) GobDecode(b []byte) error { return gobDecode(b, c, &c.CV, &c.Greedy) }
