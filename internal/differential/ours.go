package main

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/internal/try"
	"github.com/regbook/regbook/mlreg"
)

// value is a quantity as this project gives it.
type value struct {
	numbers []float64
	texts   []string
	// scale is the natural scale of each number, or of all.
	scale []float64
	// amplification is the factor by which rounding may grow in R.
	amplification float64
	// aliased says that some columns of the design are combinations of others.
	aliased bool
	// tied says that two changes of a stepwise selection are as good up to rounding.
	tied bool
	err  error
}

// values are quantities by name.
type values map[string]value

// set adds numbers with their natural scale, one for each number or one for all.
func (v values) set(name string, amplification float64, numbers []float64, scale ...float64) {
	v[name] = value{numbers: numbers, scale: scale, amplification: amplification}
}

// relative adds numbers that are their own scale.
func (v values) relative(name string, amplification float64, numbers ...float64) {
	v.set(name, amplification, numbers, magnitudes(numbers)...)
}

func (v values) texts(name string, texts []string) { v[name] = value{texts: texts} }

// part has compute add some quantities. If it fails, the one of that name is refused.
func (v values) part(name string, compute func()) {
	if err := try.Do(compute); err != nil {
		v[name] = value{err: err}
	}
}

// columns adds the names of the coefficients and the design, on which the rest depends.
func (v values) columns(d *mlreg.Design) {
	names := d.Names
	if !d.NoIntercept {
		names = append([]string{mlreg.InterceptName}, names...)
	}
	v.texts("names", names)
	v.set("design", 1, someRows(d), columnScales(d)...)
}

// magnitudes returns absolute values.
func magnitudes(x []float64) []float64 {
	m := make([]float64, len(x))
	for i := range x {
		m[i] = math.Abs(x[i])
	}
	return m
}

// largest returns the largest absolute value of finite numbers.
func largest(x []float64) float64 {
	most := 0.0
	for _, v := range x {
		if m := math.Abs(v); m > most && !math.IsInf(m, 0) {
			most = m
		}
	}
	return most
}

// ours computes the quantities of a case, or tells why the case is refused.
func ours(c *Case) (v values, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	defer try.Handle(&err)
	for _, k := range kinds {
		if k.name == c.Kind {
			return k.ours(c), nil
		}
	}
	panic("no kind " + c.Kind)
}

// design builds the design of a case.
func (c *Case) design() *mlreg.Design {
	df := try.Get(c.table.Frame())
	formula := try.Get(frames.ParseFormula(c.Formula))
	return try.Get(formula.Design(df, &frames.DesignSettings{Weights: c.Weights}))
}

// codedRows codes rows as those of a design.
func codedRows(t *table, d *mlreg.Design) *mlreg.Design {
	rows := try.Get(frames.DesignLike(d, try.Get(t.Frame())))
	rows.Weights = nil
	return rows
}

// smaller returns a design without its last term.
func smaller(d *mlreg.Design) *mlreg.Design {
	if d.NTerms() == 0 {
		try.Fail(errors.New("no term"))
	}
	last := d.Names[d.NTerms()-1:]
	for _, g := range d.Coding.Groups() {
		if slices.Contains(g.Terms, last[0]) {
			last = g.Terms
		}
	}
	if len(last) == d.NTerms() && d.NoIntercept {
		try.Fail(errors.New("one term, and no intercept"))
	}
	return try.Get(d.Select(slices.DeleteFunc(slices.Clone(d.Names), func(name string) bool { return slices.Contains(last, name) })...))
}

// likelihoodRatio sets the test of a fit against that without the last term of its design.
func (v values) likelihoodRatio(name string, amplification float64, d *mlreg.Design, large mlreg.Likelihood, fit func(*mlreg.Design) (mlreg.Likelihood, error)) {
	v.part(name, func() {
		small := try.Get(fit(smaller(d)))
		test := try.Get(mlreg.LikelihoodRatioTest(small, large))
		n := max(float64(d.NObs()), test.Stat)
		// Near a statistic of 0, P falls like its root: rounding of the statistic is no rounding of P.
		const tolerated = 1e-9 // of the statistic, in quantities
		chi := distuv.ChiSquared{K: max(test.DF, 1)}
		moved := chi.Survival(test.Stat) - chi.Survival(test.Stat+tolerated*n)
		v.set(name, amplification, []float64{test.Stat, test.DF, test.P}, n, 1, test.P*n+moved/tolerated+1e-290)
	})
}
