package mlreg

import (
	"fmt"
	"math"

	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/report"
)

// lossSums are what the weighted mean of a value of every row, and its standard error, are
// made of, about a value near the mean.
type lossSums struct {
	n               int
	about           float64
	w, wx, wxx      float64 // sums of w, w (x - about) and w (x - about)^2
	w2, w2x, w2xx   float64 // of w^2, w^2 (x - about) and w^2 (x - about)^2
	least, greatest float64
}

// add takes the values of the rows of a block.
func (s *lossSums) add(d *Design, x []float64) {
	if s.n == 0 {
		s.least, s.greatest = math.Inf(1), math.Inf(-1)
		if mean, _, n := d.meanLoss(x); n > 0 && !args.NotFinite(mean) {
			s.about = mean
		}
	}
	for i, v := range x {
		w := d.Weight(i)
		if w == 0 {
			continue
		}
		e := v - s.about
		s.n++
		s.w += w
		s.wx += w * e
		s.wxx += w * e * e
		s.w2 += w * w
		s.w2x += w * w * e
		s.w2xx += w * w * e * e
		s.least, s.greatest = math.Min(s.least, v), math.Max(s.greatest, v)
	}
}

// mean returns what Design.meanLoss does.
func (s *lossSums) mean() (mean, stderr float64, n int) {
	off := s.wx / s.w
	ss := math.Max(s.w2xx-2*off*s.w2x+off*off*s.w2, 0) / (s.w * s.w)
	return s.about + off, math.Sqrt(ss * float64(s.n) / float64(s.n-1)), s.n
}

// eachLoss makes one pass over rows that a fit predicts, and refuses it if there are none.
func eachLoss(rows RowBlocks, visit func(block *Design) error) error {
	p, err := newPasses(rows)
	if err != nil {
		return err
	}
	p.once = true
	if err := p.each(visit); err != nil {
		return err
	}
	if p.w == 0 {
		return errWeightless
	}
	return nil
}

// testErrorOfBlocks is TestError for rows in blocks.
func testErrorOfBlocks(fit any, rows RowBlocks, loss Loss) (*Assessment, error) {
	var losses, squares, y, missed lossSums
	numbers := true
	err := eachLoss(rows, func(block *Design) error {
		if block.weightless() {
			return nil
		}
		p, err := lossesOf(fit, block, loss)
		if err != nil {
			return err
		}
		losses.add(block, p.loss)
		if p.numbers == nil {
			numbers = false
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
	if !numbers {
		wrong, _, _ := missed.mean()
		a.Accuracy = 1 - wrong
		return a, nil
	}
	mse, _, _ := squares.mean()
	a.RMSE = math.Sqrt(mse)
	if y.least < y.greatest {
		off := y.wx / y.w
		a.R2 = 1 - mse/(y.wxx/y.w-off*off)
	}
	return a, nil
}

// compareBlocks is CompareErrors for rows in blocks.
func compareBlocks(rows RowBlocks, fits []NamedFit) (report.Rows[ErrorRow], error) {
	table := make(report.Rows[ErrorRow], len(fits))
	errors, paired := make([]lossSums, len(fits)), make([]lossSums, len(fits))
	err := eachLoss(rows, func(block *Design) error {
		if block.weightless() {
			return nil
		}
		var first []float64
		for k, f := range fits {
			r, e, err := squaredErrors(block, f, k)
			if err != nil {
				return err
			}
			table[k].Name = r.Name
			errors[k].add(block, e)
			if k == 0 {
				first = e
				continue
			}
			paired[k].add(block, differences(e, first))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for k := range table {
		r, n := &table[k], 0
		if r.MSE, r.StdErr, n = errors[k].mean(); n < 2 {
			return nil, fmt.Errorf("%w: %d rows of positive weight; a standard error needs two", ErrNoData, n)
		}
		if k > 0 {
			r.Difference, r.DifferenceErr, _ = paired[k].mean()
		}
	}
	return table, nil
}

// compareLossesOfBlocks is CompareLosses for rows in blocks.
func compareLossesOfBlocks(a, b any, rows RowBlocks, loss Loss) (*LossComparison, error) {
	var first, second, paired lossSums
	err := eachLoss(rows, func(block *Design) error {
		if block.weightless() {
			return nil
		}
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

// squaredErrors returns those of a fit on rows, and its line with the name.
func squaredErrors(d *Design, f NamedFit, k int) (ErrorRow, []float64, error) {
	r := ErrorRow{Name: f.Name}
	if r.Name == "" {
		r.Name = fmt.Sprintf("(%d)", k+1)
	}
	if err := args.Given(fmt.Sprintf("fit %q", r.Name), f.Fit); err != nil {
		return r, nil, err
	}
	p, ok := f.Fit.(Predictor)
	if !ok {
		return r, nil, fmt.Errorf("%w: fit %q is a %T, which does not predict", ErrSetting, r.Name, f.Fit)
	}
	e, err := p.Predict(d)
	if err != nil {
		return r, nil, fmt.Errorf("fit %q: %w", r.Name, err)
	}
	for i, yhat := range e {
		e[i] = gram.Square(d.Y[i] - yhat)
	}
	return r, e, nil
}
