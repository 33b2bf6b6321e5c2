package frames

import "github.com/regbook/regbook/mlreg"

// counts tells whether the response is cbind(yes, no).
func (t *Terms) counts() bool {
	n, err := parseTree(t.Response)
	_, ok := countsCall(n)
	return err == nil && ok
}

// parts returns the expressions whose missing values make an expression missing: the
// two of cbind, or itself.
func (x expression) parts() []expression {
	f, ok := countsCall(x.n)
	if !ok {
		return []expression{x}
	}
	return []expression{{x.src, f.args[0].value}, {x.src, f.args[1].value}}
}

// trials returns the shares of successes and the numbers of trials of cbind.
func (b *builder) trials(x expression) (shares, trials []float64, err error) {
	parts := x.parts()
	shares, err = b.eval.in(x.src).numeric(parts[0].n)
	if err != nil {
		return nil, nil, err
	}
	failures, err := b.eval.in(x.src).numeric(parts[1].n)
	if err != nil {
		return nil, nil, err
	}
	trials = make([]float64, len(shares))
	for i, s := range shares {
		for k, v := range []float64{s, failures[i]} {
			if v < 0 {
				return nil, nil, formulaErrorf(ErrSetting, x.src, parts[k].n, "the count %s is %v in row %d; counts are not negative", label(parts[k].n), v, b.eval.number1(b.eval.rows[i]))
			}
		}
		trials[i] = s + failures[i]
		shares[i] = 0
		if trials[i] > 0 {
			shares[i] = s / trials[i]
		}
	}
	return shares, trials, nil
}

// addCounts gives the design the shares of cbind for its response, and the numbers of
// trials for weights, or as factors of them.
func (b *builder) addCounts(d *mlreg.Design, shares, trials []float64) {
	d.Y = shares
	if d.Weights == nil {
		d.Weights = trials
		return
	}
	for i := range trials {
		d.Weights[i] *= trials[i]
	}
}

// offset returns the sum of the offsets in the rows kept, nil if there are none.
func (b *builder) offset() ([]float64, error) {
	var sum []float64
	for _, x := range b.offsets {
		v, err := b.eval.in(x.src).numeric(x.n)
		if err != nil {
			return nil, err
		}
		if sum == nil {
			sum = v
			continue
		}
		for i := range v {
			sum[i] += v[i]
		}
	}
	return sum, nil
}
