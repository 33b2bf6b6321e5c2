package main

import (
	"fmt"
	"reflect"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/try"
	"github.com/regbook/regbook/mlreg"
)

// axis is what the numbers of a quantity belong to.
type axis int

const (
	whole axis = iota
	byRow      // the rows compared, in their order
	byColumn
	origin // the intercept
)

// quantity has numbers of a fit.
type quantity struct {
	name string
	axis axis
	v    []float64
	// power is that of the column's unit, -1 for slopes.
	power int
}

// quantities of a fit, in their order.
type quantities []quantity

func (q *quantities) add(name string, a axis, power int, v ...float64) {
	*q = append(*q, quantity{name, a, v, power})
}

// coefficients adds an intercept, if there is one, and slopes.
func (q *quantities) coefficients(name string, v []float64, columns int) {
	if len(v) > columns {
		q.add(name+" (intercept)", origin, 0, v[0])
	}
	q.add(name, byColumn, -1, v[len(v)-columns:]...)
}

// numbers are methods of a fit that return one.
var numbers = []string{"RSS", "NullRSS", "R2", "DoF", "Sigma2", "LogLik", "Deviance", "NullDeviance", "Objective", "Scale", "Loss", "Criterion",
	"LogEvidence", "EffectiveParameters", "EffectiveDoF", "Nu", "Dispersion", "Pearson", "GCV", "LambdaMin", "LambdaOneSE", "SizeMin", "SizeOneSE", "LogNormalizer", "Mean", "StdDev", "Mode"}

// lists are methods that return several.
var lists = []string{"Lambda", "Objective", "Mean", "StdErr", "SingularValues", "SizeProb", "Deviance", "DoF"}

// of collects what a fit says of itself.
func (in *input) of(fit any) quantities {
	var q quantities
	v := reflect.ValueOf(fit)
	coefficients := false
	if f, ok := fit.(interface{ Coef() []float64 }); ok && len(f.Coef()) <= in.width+1 {
		q.coefficients("coefficients", f.Coef(), in.width)
		coefficients = true
	}
	if f, ok := fit.(interface{ StdErr() []float64 }); ok && coefficients {
		q.coefficients("standard errors", f.StdErr(), in.width)
	}
	for _, name := range numbers {
		if m := v.MethodByName(name); m.IsValid() {
			if f, ok := m.Interface().(func() float64); ok {
				q.add(name, whole, 0, f())
			}
		}
	}
	for _, name := range lists {
		if m := v.MethodByName(name); m.IsValid() && !(coefficients && name == "StdErr") {
			if f, ok := m.Interface().(func() []float64); ok {
				q.add(name, whole, 0, f()...)
			}
		}
	}
	if p, ok := fit.(interface {
		Slopes() *mat.Dense
		Intercept() []float64
	}); ok {
		q.path(p.Slopes(), p.Intercept())
	}
	if m, ok := fit.(interface{ CoefMatrix() *mat.Dense }); ok {
		for k := range m.CoefMatrix().RawMatrix().Rows {
			q.coefficients(fmt.Sprint("coefficients of class ", k), m.CoefMatrix().RawRowView(k), in.width)
		}
	}
	in.rowsOf(&q, fit)
	return q
}

// path adds the slopes at some places of a path.
func (q *quantities) path(slopes *mat.Dense, intercepts []float64) {
	n, _ := slopes.Dims()
	for k := 0; k < n; k += max(1, n/4) {
		q.add(fmt.Sprint("slopes at ", k), byColumn, -1, slopes.RawRowView(k)...)
		q.add(fmt.Sprint("slopes (intercept) at ", k), origin, 0, intercepts[k])
	}
}

// rowsOf adds what a fit says of the rows compared.
func (in *input) rowsOf(q *quantities, fit any) {
	switch f := fit.(type) {
	case interface {
		Predict(*mlreg.Design) ([]float64, error)
	}:
		q.add("predictions", byRow, 0, try.Get(f.Predict(in.compared))...)
	case interface {
		ClassProb(*mlreg.Design) (*mat.Dense, error)
	}:
		q.add("probabilities", byRow, 0, mat.Col(nil, 0, try.Get(f.ClassProb(in.compared)))...)
	}
	if f, ok := fit.(interface {
		Leverage(*mlreg.Design) ([]float64, error)
	}); ok {
		v := take(try.Get(f.Leverage(in.d)), in.kept)
		for i, w := range in.compared.Weights {
			v[i] /= w
		}
		q.add("leverages over weights", byRow, 0, v...)
	}
	if f, ok := fit.(interface {
		CooksDistance(*mlreg.Design) ([]float64, error)
	}); ok {
		q.add("Cook's distances", byRow, 0, take(try.Get(f.CooksDistance(in.d)), in.kept)...)
	}
}

// set tells which columns are in a model.
func (in *input) set(terms []string) []float64 {
	v := make([]float64, in.width)
	for j, name := range in.d.Names {
		v[j] = truth(slices.Contains(terms, name))
	}
	return v
}

// byTerm adds a number for every term: of a column for itself, of those of a factor together.
func (in *input) byTerm(q *quantities, name string, of map[string]float64) {
	v := make([]float64, in.width)
	for j, column := range in.d.Names {
		v[j] = of[column]
	}
	q.add(name, byColumn, 0, v...)
	for _, g := range in.terms {
		q.add(name+" of a factor", whole, 0, of[g.Name])
	}
}
