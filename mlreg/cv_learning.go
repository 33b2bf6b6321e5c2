package mlreg

import (
	"fmt"
	"math"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/door"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
)

// LearningCurve is how the errors of a fit change with the number of rows.
type LearningCurve struct {
	// NObs has the numbers of training rows, averaged over the folds, ascending.
	NObs []float64
	// Train and Test are the mean squared errors over the training rows and over the
	// fold held out, averaged over the folds, and TrainErr and TestErr their standard
	// deviations over the folds divided by the root of their number. Folds share rows;
	// these standard errors treat them as independent.
	Train, Test, TrainErr, TestErr []float64
	Folds                          int
}

// FitLearningCurve fits to one, two ... K-1 of K folds, those that follow the fold held
// out, and takes the mean squared errors over these and over the fold. It needs the sums of
// the folds alone: data are a *Design and folds of its rows, or nil and MomentFolds. What
// Train and Test come to as rows grow, and how far apart they still are, tells whether
// more rows or other terms would help.
//
// Errors: ErrSetting for fewer than two folds, ErrShape for folds of other rows, ErrNoData
// (nil), and those of fit, with the number of the fold.
func FitLearningCurve[F CoefFit](data Data, folds *Folds, fit func(train Data) (F, error)) (*LearningCurve, error) {
	if fit == nil {
		return nil, fmt.Errorf("%w: the function that fits is nil", ErrNoData)
	}
	if folds == nil {
		return nil, fmt.Errorf("%w: the folds are nil", ErrNoData)
	}
	sums, err := newFoldSums(data, folds)
	if err != nil {
		return nil, err
	}
	k := len(sums.held)
	if k < 2 {
		return nil, fmt.Errorf("%w: %d fold; there are two or more", ErrSetting, k)
	}
	each, _, err := door.Each("fold", k, nil, func(held int) ([]learningPoint, error) {
		var points []learningPoint
		var train *Moments
		for step := 1; step < k; step++ {
			next := sums.held[(held+step)%k]
			if train != nil {
				var err error
				if next, err = train.Merge(next); err != nil {
					return nil, err
				}
			}
			train = next
			f, err := fit(train)
			if err != nil {
				return nil, fmt.Errorf("%d rows: %w", train.s.N, err)
			}
			p := learningPoint{n: float64(train.s.N)}
			if p.train, err = train.MeanSquaredError(f); err != nil {
				return nil, err
			}
			if p.test, err = sums.held[held].MeanSquaredError(f); err != nil {
				return nil, err
			}
			points = append(points, p)
		}
		return points, nil
	})
	if err != nil {
		return nil, err
	}
	return averageCurve(each), nil
}

// learningPoint has the errors of a fit to n rows.
type learningPoint struct{ n, train, test float64 }

// averageCurve takes means, and their standard errors, over the folds held out.
func averageCurve(each [][]learningPoint) *LearningCurve {
	k := len(each)
	c := &LearningCurve{Folds: k}
	for step := range k - 1 {
		mean := func(of func(learningPoint) float64) (mean, stderr float64) {
			for _, points := range each {
				mean += of(points[step]) / float64(k)
			}
			for _, points := range each {
				stderr += gram.Square(of(points[step]) - mean)
			}
			return mean, math.Sqrt(stderr / float64(k-1) / float64(k))
		}
		n, _ := mean(func(p learningPoint) float64 { return p.n })
		train, trainErr := mean(func(p learningPoint) float64 { return p.train })
		test, testErr := mean(func(p learningPoint) float64 { return p.test })
		c.NObs = append(c.NObs, n)
		c.Train, c.TrainErr = append(c.Train, train), append(c.TrainErr, trainErr)
		c.Test, c.TestErr = append(c.Test, test), append(c.TestErr, testErr)
	}
	return c
}

// Describe returns the errors by the number of rows as a table.
func (c *LearningCurve) Describe() *report.Table {
	t := tables.Rows("Learning curve",
		report.NumberColumn("rows", c.NObs, 0), report.NumberColumn("training error", c.Train, 0), report.NumberColumn("test error", c.Test, 0), report.NumberColumn(format.StdErr, c.TestErr, 3))
	t.Notes = []string{fmt.Sprintf("mean squared errors, averaged over %d folds", c.Folds)}
	return t
}

// String writes the errors as text.
func (c *LearningCurve) String() string { return c.Describe().String() }
