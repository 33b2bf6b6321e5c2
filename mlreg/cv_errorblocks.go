package mlreg

import (
	"fmt"
	"math"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/gram"
)

// lossSums are what the weighted mean of a value of every row, and its standard error, are
// made of, about a value near the mean. Of one block they have what Design.meanLoss computes.
type lossSums struct {
	blocks, n               int
	first, stderr, variance float64 // mean, its standard error and mean squared deviation, of the first block
	about                   float64
	w, wx, wxx              float64 // sums of w, w (x - about) and w (x - about)^2
	w2, w2x, w2xx           float64 // of w^2, w^2 (x - about) and w^2 (x - about)^2
	least, greatest         float64
}

// add takes the values of the rows of a block, of which one has a positive weight.
func (s *lossSums) add(d *Design, x []float64) {
	if s.blocks++; s.blocks == 1 {
		s.least, s.greatest = math.Inf(1), math.Inf(-1)
		s.first, s.stderr, _ = d.meanLoss(x)
		s.variance, _, _ = d.meanLoss(format.Each(x, func(v float64) float64 { return gram.Square(v - s.first) }))
		if !args.NotFinite(s.first) {
			s.about = s.first
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

// mean returns the mean, its standard error, and the number of rows of positive weight.
func (s *lossSums) mean() (mean, stderr float64, n int) {
	if s.blocks == 1 {
		return s.first, s.stderr, s.n
	}
	off := s.wx / s.w
	ss := math.Max(s.w2xx-2*off*s.w2x+off*off*s.w2, 0) / (s.w * s.w)
	return s.about + off, math.Sqrt(ss * float64(s.n) / float64(s.n-1)), s.n
}

// deviation returns the mean squared deviation from the mean, 0 if the values do not vary.
func (s *lossSums) deviation() float64 {
	switch off := s.wx / s.w; {
	case s.least == s.greatest:
		return 0
	case s.blocks == 1:
		return s.variance
	default:
		return s.wxx/s.w - off*off
	}
}

// eachLoss makes one pass over the blocks of rows that a fit predicts, but those without weight, and refuses it if there are
// no others.
func eachLoss(rows RowBlocks, visit func(block *Design) error) error {
	if err := args.Given("the design", rows); err != nil {
		return err
	}
	p, err := newPasses(rows)
	if err != nil {
		return err
	}
	p.once, p.absorbs = true, true
	err = p.each(func(block *Design) error {
		if block.weightless() {
			return nil
		}
		return visit(block)
	})
	if err == nil && p.w == 0 {
		err = errWeightless
	}
	return err
}

// squaredErrors returns those of the k-th fit on rows.
func squaredErrors(d *Design, f NamedFit, k int) ([]float64, error) {
	name := f.heading(k)
	if err := args.Given(fmt.Sprintf("fit %q", name), f.Fit); err != nil {
		return nil, err
	}
	p, ok := f.Fit.(Predictor)
	if !ok {
		return nil, fmt.Errorf("%w: fit %q is a %T, which does not predict", ErrSetting, name, f.Fit)
	}
	e, err := p.Predict(d)
	if err != nil {
		return nil, fmt.Errorf("fit %q: %w", name, err)
	}
	for i, yhat := range e {
		e[i] = gram.Square(d.Y[i] - yhat)
	}
	return e, nil
}
