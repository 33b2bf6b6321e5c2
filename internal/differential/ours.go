package main

import (
	"fmt"
	"math"

	"github.com/regbook/regbook/frames"
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
	err     error
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

func (v values) refuse(name string, err error) { v[name] = value{err: err} }

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
	for _, k := range kinds {
		if k.name == c.Kind {
			return k.ours(c)
		}
	}
	panic("no kind " + c.Kind)
}

// design builds the design of a case.
func (c *Case) design() (*mlreg.Design, error) {
	df, err := c.table.Frame()
	if err != nil {
		return nil, err
	}
	formula, err := frames.ParseFormula(c.Formula)
	if err != nil {
		return nil, err
	}
	return formula.Design(df, &frames.DesignSettings{Weights: c.Weights})
}

// newRows codes the rows to predict.
func (c *Case) newRows(d *mlreg.Design) (*mlreg.Design, error) {
	df, err := c.rows.Frame()
	if err != nil {
		return nil, err
	}
	rows, err := frames.DesignLike(d, df)
	if err != nil {
		return nil, err
	}
	rows.Weights = nil
	return rows, nil
}
