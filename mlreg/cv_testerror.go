package mlreg

import (
	"fmt"
	"math"

	"github.com/regbook/regbook/internal/dist"
	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/fault"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
)

// Assessment is the error of a fit on rows that it was not fitted to.
type Assessment struct {
	Loss string // its name
	N    int    // rows of positive weight
	Mean float64
	// StdErr is the standard error of Mean; it is NaN for one row.
	StdErr float64
	// RMSE and R2 are of predicted numbers, NaN for classes.
	RMSE, R2 float64
	// Accuracy is the fraction of the weight of the rows that are put in their class, NaN
	// for numbers.
	Accuracy float64
}

// TestError returns the mean loss of a fit over the rows of d, which should not have
// been used to fit or to choose it:
//
//	m = sum_i w_i L_i / W,   stderr^2 = n/(n-1) sum_i w_i^2 (L_i - m)^2 / W^2,
//
// with L_i the loss of row i, w_i its weight (1 unless d has others), W their sum and n
// the number of rows of positive weight. The standard error is that of a mean over new
// rows for this fit, not over new fits. Beside it are
//
//	RMSE = sqrt(sum_i w_i (y_i - yhat_i)^2 / W),
//	R2   = 1 - sum_i w_i (y_i - yhat_i)^2 / sum_i w_i (y_i - ybar)^2,
//
// ybar the weighted mean of the rows of d, so that R2 is negative for a fit that predicts
// them worse than their own mean does, and NaN if they do not vary. Errors are those of
// RowLosses. Rows in blocks (RowBlocks) take one pass. (Hastie, Tibshirani and Friedman, The Elements of Statistical Learning,
// 2nd ed., section 7.2.)
func TestError(fit any, rows RowBlocks, loss Loss) (*Assessment, error) {
	if err := args.Given("the fit", fit); err != nil {
		return nil, err
	}
	if err := args.Given("the loss", loss); err != nil {
		return nil, err
	}
	var losses, squares, y, missed lossSums
	err := eachLoss(rows, func(block *Design) error {
		p, err := lossesOf(fit, block, loss)
		if err != nil {
			return err
		}
		losses.add(block, p.loss)
		if p.numbers == nil {
			wrong, err := ZeroOneLoss.of(fit, block)
			if err != nil {
				return err
			}
			missed.add(block, wrong.loss)
			return nil
		}
		squared := make([]float64, len(block.Y))
		for i, v := range block.Y {
			squared[i] = gram.Square(v - p.numbers[i])
		}
		squares.add(block, squared)
		y.add(block, block.Y)
		return nil
	})
	if err != nil {
		return nil, err
	}
	nan := math.NaN()
	a := &Assessment{Loss: loss.String(), RMSE: nan, R2: nan, Accuracy: nan}
	a.Mean, a.StdErr, a.N = losses.mean()
	if missed.n > 0 {
		wrong, _, _ := missed.mean()
		a.Accuracy = 1 - wrong
		return a, nil
	}
	mse, _, _ := squares.mean()
	a.RMSE = math.Sqrt(mse)
	if total := y.deviation(); total > 0 {
		a.R2 = 1 - mse/total
	}
	return a, nil
}

// assessmentOf sums up the losses of the rows of d.
func assessmentOf(loss Loss, d *Design, losses []float64) *Assessment {
	nan := math.NaN()
	a := &Assessment{Loss: loss.String(), RMSE: nan, R2: nan, Accuracy: nan}
	a.Mean, a.StdErr, a.N = d.meanLoss(losses)
	return a
}

// meanLoss returns the weighted mean of a value of every row, its standard error, and
// the number of rows of positive weight.
func (d *Design) meanLoss(v []float64) (mean, stderr float64, n int) {
	var w float64
	for i, x := range v {
		if wi := d.Weight(i); wi > 0 {
			w += wi
			mean += wi * x
			n++
		}
	}
	mean /= w
	var ss float64
	for i, x := range v {
		if wi := d.Weight(i); wi > 0 {
			ss += gram.Square(wi / w * (x - mean))
		}
	}
	return mean, math.Sqrt(ss * float64(n) / float64(n-1)), n
}

// ConfInt returns limits of the mean loss over new rows, Student's with N-1 degrees of
// freedom; of a mean of losses that are never negative, the lower one is cut off at 0.
// The Term is the name of the loss. Few rows of skewed losses are covered less often
// than level says; see BootstrapTestError. Errors: ErrSetting (level), ErrSaturated for
// one row.
func (a *Assessment) ConfInt(level float64) (Interval, error) {
	l, err := meanLimits(a.Loss, a.Mean, a.StdErr, a.N, level)
	l.Lower = math.Max(l.Lower, 0)
	return valid(l, err)
}

// meanLimits returns Student's limits of a mean over n rows.
func meanLimits(term string, mean, stderr float64, n int, level float64) (Interval, error) {
	if err := fault.Level(level); err != nil {
		return Interval{}, err
	}
	if n < 2 {
		return Interval{}, fmt.Errorf("%w: the mean over one row has no standard error; give two rows or more", ErrSaturated)
	}
	q := dist.TQuantile(1-level, float64(n-1)) * stderr
	return Interval{term, mean - q, mean + q, level}, nil
}

// Describe returns the error, with its standard error, as a table.
func (a *Assessment) Describe() *report.Table {
	t := tables.Rows("Test error",
		report.TextColumn("loss", a.Loss), report.NumberColumn("mean", []float64{a.Mean}, 0), report.NumberColumn(format.StdErr, []float64{a.StdErr}, 3))
	for _, c := range []struct {
		name  string
		value float64
	}{{"RMSE", a.RMSE}, {"R²", a.R2}, {"accuracy", a.Accuracy}} {
		if !math.IsNaN(c.value) {
			t.Columns = append(t.Columns, report.NumberColumn(c.name, []float64{c.value}, 0))
		}
	}
	t.Notes = []string{"over " + format.Plural(a.N, "row")}
	return t
}

// String writes the error as text.
func (a *Assessment) String() string { return a.Describe().String() }

// LossComparison is the difference of the errors of two fits on the same rows.
type LossComparison struct {
	Loss             string
	N                int     // rows of positive weight
	MeanA, MeanB     float64 // of each fit
	StdErrA, StdErrB float64
	Difference       float64 // MeanA - MeanB
	StdErr           float64 // of Difference, paired
	Correlation      float64 // of the two losses of a row; NaN if one does not vary
}

// CompareLosses returns the difference of the mean losses of two fits, a less b, over
// the rows (CompareErrors sets squared errors of several fits side by side), with its standard error from the differences row by row,
//
//	D = sum_i w_i (L_i(a) - L_i(b)) / W,
//
// as in TestError. The two are judged on the same rows and share their noise, so
// that this is usually far smaller than sqrt(StdErrA^2 + StdErrB^2), by the correlation
// of the losses. Rows in blocks (RowBlocks) take one pass. Errors are those of RowLosses,
// with the fit that they are of.
func CompareLosses(a, b any, rows RowBlocks, loss Loss) (*LossComparison, error) {
	var first, second, paired lossSums
	err := eachLoss(rows, func(block *Design) error {
		la, lb, err := twoLosses(a, b, block, loss)
		if err != nil {
			return err
		}
		first.add(block, la)
		second.add(block, lb)
		paired.add(block, differences(la, lb))
		return nil
	})
	if err != nil {
		return nil, err
	}
	c := &LossComparison{Loss: loss.String()}
	c.MeanA, c.StdErrA, c.N = first.mean()
	c.MeanB, c.StdErrB, _ = second.mean()
	c.Difference, c.StdErr, _ = paired.mean()
	c.correlate()
	return c, nil
}

// twoLosses returns the losses of two fits on the rows of d.
func twoLosses(a, b any, d *Design, loss Loss) (la, lb []float64, err error) {
	of := func(which string, fit any) ([]float64, error) {
		l, err := RowLosses(fit, d, loss)
		if err != nil {
			return nil, fmt.Errorf("fit %s: %w", which, err)
		}
		return l, nil
	}
	if la, err = of("a", a); err != nil {
		return nil, nil, err
	}
	lb, err = of("b", b)
	return la, lb, err
}

// differences returns a - b.
func differences(a, b []float64) []float64 {
	out := make([]float64, len(a))
	for i := range a {
		out[i] = a[i] - b[i]
	}
	return out
}

// correlate sets the correlation of the losses, by the three standard errors.
func (c *LossComparison) correlate() {
	c.Correlation = (gram.Square(c.StdErrA) + gram.Square(c.StdErrB) - gram.Square(c.StdErr)) / (2 * c.StdErrA * c.StdErrB)
	if !(c.StdErrA > 0 && c.StdErrB > 0) {
		c.Correlation = math.NaN()
	}
}

// ConfInt returns Student's limits of Difference, with N-1 degrees of freedom. Errors
// are those of Assessment.ConfInt.
func (c *LossComparison) ConfInt(level float64) (Interval, error) {
	return meanLimits("a - b", c.Difference, c.StdErr, c.N, level)
}

// Test tests that the two mean losses over new rows are the same: t = Difference/StdErr
// with N-1 degrees of freedom. Two fits that are the same have t = NaN.
func (c *LossComparison) Test() TTest {
	return newTTest(c.Difference/c.StdErr, float64(c.N-1))
}

// Describe returns the two errors and their difference as a table.
func (c *LossComparison) Describe() *report.Table {
	t := tables.Rows("Comparison of test errors",
		report.TextColumn("fit", "a", "b", "a - b"),
		report.NumberColumn(c.Loss, []float64{c.MeanA, c.MeanB, c.Difference}, 0),
		report.NumberColumn(format.StdErr, []float64{c.StdErrA, c.StdErrB, c.StdErr}, 0))
	t.Notes = []string{fmt.Sprintf("over %s; correlation of the losses %s", format.Plural(c.N, "row"), format.Number(c.Correlation, 3))}
	if c.N > 1 && c.StdErr > 0 {
		t.Notes = append(t.Notes, "a - b: "+c.Test().String())
	}
	return t
}

// String writes the comparison as text.
func (c *LossComparison) String() string { return c.Describe().String() }
