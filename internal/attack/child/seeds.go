package main

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"regexp"

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
	// In a call for names, every name and every level moves a terminal.
	name, level := func(s string) string { return s }, func(s string) string { return s }
	if p.moving {
		name = moving
		level = func(s string) string { return s + "\x1b[2J\x07" }
	}
	var whole dataframe.DataFrame
	for _, n := range []int{20, 60} {
		x1 := column(n, normal)
		df := dataframe.New(
			series.New(column(n, func(i int) float64 { return x1[i] + r.NormFloat64() }), series.Float, name("y")),
			series.New(x1, series.Float, name("x1")), series.New(column(n, normal), series.Float, name("x2")), series.New(column(n, normal), series.Float, name("x3")),
			series.New(texts(n, level("a"), level("b"), level("c")), series.String, name("g")), series.New(texts(n, level("well"), level("ill")), series.String, name("class")),
			series.New(column(n, func(i int) float64 { return float64(i) }), series.Float, name("when")))
		p.add(reflect.ValueOf(df))
		whole = df
		if err := p.seedDesigns(df, name); err != nil {
			return err
		}
		folds, err := mlreg.KFold(n, 3, rand.NewPCG(1, 2))
		if err != nil {
			return err
		}
		p.add(reflect.ValueOf(folds))
		p.add(reflect.ValueOf(column(n, normal)))
	}
	if err := p.hostileNames(whole); err != nil {
		return err
	}
	p.add(reflect.ValueOf(whole.Subset([]int{0})))
	p.add(reflect.ValueOf(whole.Col(whole.Names()[1])))
	p.add(reflect.ValueOf(mat.NewDense(20, 3, column(60, normal))))
	p.add(reflect.ValueOf(mat.NewDense(3, 3, column(9, normal))))
	p.add(reflect.ValueOf(mat.NewSymDense(3, []float64{2, 1, 0, 1, 3, 0.5, 0, 0.5, 1})))
	p.add(reflect.ValueOf(mat.NewVecDense(20, column(20, normal))))
	p.seedExported()
	p.seeded = true
	return nil
}

// seedDesigns adds designs of a frame, their moments and their standardized columns.
func (p *pool) seedDesigns(df dataframe.DataFrame, name func(string) string) error {
	for _, formula := range []string{"y ~ x1 + x2 + x3", "y ~ x1*g", "class ~ x1 + x2", "g ~ x1 + x3", "y ~ poly(x1, 3)", "y ~ 1"} {
		for _, word := range []string{"y", "x1", "x2", "x3", "g", "class"} {
			if p.moving {
				formula = regexp.MustCompile(`\b`+word+`\b`).ReplaceAllLiteralString(formula, "`"+name(word)+"`")
			}
		}
		d, err := frames.Design(df, formula)
		if err != nil {
			return fmt.Errorf("%q: %w", formula, err)
		}
		p.add(reflect.ValueOf(d))
		if d.Classes == nil {
			m, err := d.Moments()
			if err != nil {
				return err
			}
			p.add(reflect.ValueOf(m))
		}
		if d.Classes == nil && d.NTerms() > 0 {
			s, err := d.Standardize(nil)
			if err != nil {
				return err
			}
			p.add(reflect.ValueOf(s))
		}
	}
	return nil
}

// seedExported adds what the packages export: values, and types without hidden fields.
func (p *pool) seedExported() {
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
}

// hostileNames adds data some of whose names move a terminal.
func (p *pool) hostileNames(whole dataframe.DataFrame) error {
	if p.moving {
		return nil
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
	return nil
}
