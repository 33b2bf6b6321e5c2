package main

import (
	"fmt"
	"math/rand/v2"
	"reflect"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

// seeds makes small data, designs and folds. Fits, and what is made of them, come from the
// calls themselves.
func (p *pool) seeds() error {
	findResults()
	r := rand.New(rand.NewPCG(7, 7))
	column := func(n int, f func(i int) float64) []float64 {
		v := make([]float64, n)
		for i := range v {
			v[i] = f(i)
		}
		return v
	}
	texts := func(n int, of ...string) []string {
		v := make([]string, n)
		for i := range v {
			v[i] = of[r.IntN(len(of))]
		}
		return v
	}
	normal := func(int) float64 { return r.NormFloat64() }
	var whole dataframe.DataFrame
	for _, n := range []int{20, 60} {
		x1 := column(n, normal)
		df := dataframe.New(
			series.New(column(n, func(i int) float64 { return x1[i] + r.NormFloat64() }), series.Float, "y"),
			series.New(x1, series.Float, "x1"), series.New(column(n, normal), series.Float, "x2"), series.New(column(n, normal), series.Float, "x3"),
			series.New(texts(n, "a", "b", "c"), series.String, "g"), series.New(texts(n, "well", "ill"), series.String, "class"),
			series.New(column(n, func(i int) float64 { return float64(i) }), series.Float, "when"))
		p.add(reflect.ValueOf(df))
		whole = df
		for _, formula := range []string{"y ~ x1 + x2 + x3", "y ~ x1*g", "class ~ x1 + x2", "g ~ x1 + x3", "y ~ poly(x1, 3)", "y ~ 1"} {
			d, err := frames.Design(df, formula)
			if err != nil {
				return fmt.Errorf("%s: %w", formula, err)
			}
			p.add(reflect.ValueOf(d))
			if d.Classes == nil {
				m, err := d.Moments()
				if err != nil {
					return err
				}
				p.add(reflect.ValueOf(m))
			}
			if formula == "y ~ x1 + x2 + x3" {
				s, err := d.Standardize(nil)
				if err != nil {
					return err
				}
				p.add(reflect.ValueOf(s))
			}
		}
		folds, err := mlreg.KFold(n, 3, rand.NewPCG(1, 2))
		if err != nil {
			return err
		}
		p.add(reflect.ValueOf(folds))
		p.add(reflect.ValueOf(column(n, normal)))
	}
	hostile := whole.Rename("x\x1b[31m\x07\r", "x1").Rename("\u202ex2\n", "x2")
	if hostile.Err != nil {
		return hostile.Err
	}
	p.add(reflect.ValueOf(hostile))
	for _, formula := range []string{"y ~ .", "class ~ `x\x1b[31m\x07\r` + x3", "y ~ g:`\u202ex2\n`"} {
		d, err := frames.Design(hostile, formula)
		if err != nil {
			return fmt.Errorf("%q: %w", formula, err)
		}
		p.add(reflect.ValueOf(d))
	}
	p.add(reflect.ValueOf(whole.Subset([]int{0})))
	p.add(reflect.ValueOf(whole.Col("x1")))
	p.add(reflect.ValueOf(mat.NewDense(20, 3, column(60, normal))))
	p.add(reflect.ValueOf(mat.NewDense(3, 3, column(9, normal))))
	p.add(reflect.ValueOf(mat.NewSymDense(3, []float64{2, 1, 0, 1, 3, 0.5, 0, 0.5, 1})))
	p.add(reflect.ValueOf(mat.NewVecDense(20, column(20, normal))))
	for _, v := range exportedValues {
		if err, ok := v.(error); ok && err != nil {
			continue
		}
		p.add(reflect.ValueOf(v))
	}
	// Types without hidden fields can be made by anybody: each once, empty and filled.
	for _, t := range exportedTypes {
		if t.Kind() == reflect.Interface || t.Kind() == reflect.Struct && !open(t) && t.NumField() > 0 {
			continue
		}
		v := reflect.New(t)
		v.Elem().Set(p.make(t, 4))
		if t.NumMethod() > 0 {
			p.add(v.Elem())
		} else if v.Type().NumMethod() > 0 {
			p.add(v)
		}
	}
	p.seeded = true
	return nil
}
