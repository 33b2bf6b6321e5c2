package mlreg

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/problem"
)

// PoissonSettings are the options of BootstrapBlocks.
type PoissonSettings struct {
	// B is the number of resamples, at least 2; the default 0 is 200.
	B int
	// Key returns a number for every row of a block, which the draws of the row come from:
	// the same row has the same draws in whatever order it comes, on whatever shard, and
	// rows of the same key are drawn together, as a cluster. Nil is the place of the row
	// among all.
	Key func(block *Design) ([]uint64, error)
	// At, if not nil, resamples the predictions for these rows, in place of the
	// coefficients.
	At *Design
}

// BootstrapBlocks is a bootstrap of a Gaussian fit to rows in blocks, of all resamples
// in one pass: a row is in a resample as often as a draw from the Poisson distribution
// with mean 1 says, which is a hash of the source's seed, the resample and the row's
// key. As n grows that is the bootstrap of rows; the number of rows of a resample
// varies by sqrt(n). Only the sums of every resample are kept, B p^2/2 numbers, and fit
// is given those. The same source gives the same bytes up to rounding, whatever
// GOMAXPROCS and the size of the blocks.
//
// Boot has no Influence, so that BCa limits are refused. Nil settings are the defaults.
// Errors: ErrSetting (B < 2, nil source), ErrNoData, ErrTooLarge for more than 2^28 numbers
// of sums, ErrShape for another number of keys than rows, those of fit on all rows, and the first of its errors if every resample failed.
//
// Chamandy, Muralidharan, Najmi and Naidu, Estimating uncertainty for massive data streams
// (2012), section 2.
func BootstrapBlocks[F CoefFit](rows RowBlocks, fit func(data Data) (F, error), src rand.Source, settings *PoissonSettings) (*Boot, error) {
	set := orDefaults(settings)
	if set.B == 0 {
		set.B = 200
	}
	switch {
	case fit == nil:
		return nil, fmt.Errorf("%w: the function that fits is nil", ErrNoData)
	case set.B < 2:
		return nil, fmt.Errorf("%w: B = %d resamples; take 2 or more", ErrSetting, set.B)
	}
	if err := checkSumsOfResamples(set.B, 1); err != nil {
		return nil, err
	}
	if err := checkSource(src); err != nil {
		return nil, err
	}
	seed := src.Uint64()
	p, err := newPasses(rows)
	if err != nil {
		return nil, err
	}
	p.once = true
	var whole *Moments
	var sums []problem.Sums
	first := uint64(0)
	err = p.each(func(block *Design) error {
		n := block.NObs()
		key := make([]uint64, n)
		for i := range key {
			key[i] = first + uint64(i)
		}
		first += uint64(n)
		if set.Key != nil {
			var err error
			if key, err = set.Key(block); err != nil {
				return err
			}
			if len(key) != n {
				return fmt.Errorf("%w: %d keys for %d rows", ErrShape, len(key), n)
			}
		}
		if block.weightless() {
			return block.checkFinite()
		}
		m, err := block.Moments()
		if err != nil {
			return err
		}
		if whole == nil {
			if err := checkSumsOfResamples(set.B, len(m.s.Names)); err != nil {
				return err
			}
			whole, sums = m, make([]problem.Sums, set.B)
			for b := range sums {
				sums[b] = problem.NewSums(len(m.s.Names))
			}
		} else if whole, err = whole.Merge(m); err != nil {
			return err
		}
		less := block.lessOffset().rows()
		gram.Each(set.B, func(b int) {
			r := less
			r.Weights = make([]float64, n)
			some := false
			for i := range r.Weights {
				count := poisson(mixed(seed, uint64(b), key[i]))
				r.Weights[i] = count * less.Weight(i)
				some = some || r.Weights[i] > 0
			}
			if some {
				part := problem.SumRows(r)
				sums[b].Merge(&part)
			}
		})
		return nil
	})
	switch {
	case err != nil:
		return nil, err
	case whole == nil:
		return nil, errWeightless
	}
	whole.s.Omitted = p.h.Omitted
	return bootOfSums(whole, sums, fit, set)
}

// checkSumsOfResamples refuses the sums of resamples of p columns if they take too much.
func checkSumsOfResamples(b, p int) error {
	return checkSize(fmt.Sprintf("the sums of B = %d resamples of %d columns", b, p), float64(b)*float64(p)*float64(p)/2, "take a smaller B")
}

// bootOfSums fits to the sums of all resamples.
func bootOfSums[F CoefFit](whole *Moments, sums []problem.Sums, fit func(data Data) (F, error), set PoissonSettings) (*Boot, error) {
	out := &Boot{Kind: PoissonBootstrap, N: whole.s.N, Units: whole.s.N, Planned: len(sums)}
	value := func(m *Moments) ([]float64, error) {
		f, err := fit(m)
		if err == nil {
			err = given("the fit", f)
		}
		if err != nil {
			return nil, err
		}
		if set.At != nil {
			return f.Predict(set.At)
		}
		if out.Names == nil {
			out.Names = f.Names()
		}
		return f.Coef(), nil
	}
	var err error
	if out.Estimate, err = value(whole); err != nil {
		return nil, err
	}
	if set.At != nil {
		out.Names = set.At.RowNames()
	}
	out.Replicates = make([][]float64, len(out.Estimate))
	failures := map[string]int{}
	var failed error
	for b := range sums {
		v, err := []float64(nil), fmt.Errorf("%w: no row was drawn", ErrNoData)
		if sums[b].N > 0 {
			v, err = value(&Moments{momentsState{whole.s.header.clone(), sums[b]}})
		}
		if err == nil && len(v) != len(out.Estimate) {
			err = fmt.Errorf("%w: %d numbers, and %d of all rows", ErrShape, len(v), len(out.Estimate))
		}
		for _, x := range v {
			if err == nil && math.IsNaN(x) {
				err = fmt.Errorf("%w: a number is NaN", ErrNotFinite)
			}
		}
		if err != nil {
			if failed == nil {
				failed = err
			}
			at, ok := failures[err.Error()]
			if !ok {
				at = len(out.Failures)
				failures[err.Error()] = at
				out.Failures = append(out.Failures, BootstrapFailure{Reason: err.Error(), First: b})
			}
			out.Failures[at].Count++
			continue
		}
		for j, x := range v {
			out.Replicates[j] = append(out.Replicates[j], x)
		}
	}
	if len(out.Replicates[0]) == 0 {
		return nil, failed
	}
	return out, nil
}

// mixed hashes three numbers to 64 bits, by the finalizer of SplitMix64 (Steele, Lea and
// Flood 2014).
func mixed(seed, resample, key uint64) uint64 {
	h := seed
	for _, v := range [...]uint64{resample, key} {
		h += 0x9e3779b97f4a7c15 * (v + 1)
		h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
		h = (h ^ h>>27) * 0x94d049bb133111eb
		h ^= h >> 31
	}
	return h
}

// poisson returns the quantile of the Poisson distribution with mean 1 of a uniform number.
func poisson(u uint64) float64 {
	k := 0
	for k < len(poissonBelow) && u >= poissonBelow[k] {
		k++
	}
	return float64(k)
}

// poissonBelow is 2^64 P(at most k) for every k at which that is less than 2^64.
var poissonBelow = func() (below []uint64) {
	p, sum := math.Exp(-1), 0.0
	for k := 1; ; k++ {
		if sum += p; sum >= 1-0x1p-50 {
			return below
		}
		below = append(below, uint64(sum*0x1p64))
		p /= float64(k)
	}
}()
