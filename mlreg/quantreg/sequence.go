package quantreg

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/internal/algebra"
	"github.com/regbook/regbook/mlreg/internal/door"
)

// sequence is fits of the same rows, by ascending probabilities or along a penalty.
type sequence struct {
	head mlreg.Linear // of the first fit: what all have in common
	s    sequenceState
}

type sequenceState struct {
	Coef, Low [][]float64 // as mlreg.NewLinear takes them
	States    []state
}

// add appends a fit.
func (f *sequence) add(q *Quantile) {
	if len(f.s.States) == 0 {
		f.head = q.Linear
	}
	f.s.Coef, f.s.Low, f.s.States = append(f.s.Coef, q.Coef()), append(f.s.Low, door.LowOf(&q.Linear)), append(f.s.States, q.s)
}

// restored looks at what gob has filled.
func (f *sequence) restored() error {
	m := len(f.s.States)
	if m == 0 || len(f.s.Coef) != m || len(f.s.Low) != m {
		return fmt.Errorf("%w: %d fits have %d and %d coefficients", mlreg.ErrShape, m, len(f.s.Coef), len(f.s.Low))
	}
	for k, coef := range f.s.Coef {
		if len(f.s.Low[k]) == 0 {
			f.s.Low[k] = nil // gob stores nil as none
		}
		if _, err := f.head.With(coef, f.s.Low[k]); err != nil {
			return err
		}
	}
	return nil
}

// Len returns the number of fits.
func (f *sequence) Len() int { return len(f.s.States) }

// NObs returns the number of observations; rows of weight zero do not count.
func (f *sequence) NObs() int { return f.s.States[0].N }

// Fit returns the k-th fit, counted from 0.
func (f *sequence) Fit(k int) *Quantile {
	l, _ := f.head.With(f.s.Coef[k], f.s.Low[k]) // which have been finite
	return &Quantile{l, f.s.States[k]}
}

// Names returns the names of the coefficients, as those of a fit.
func (f *sequence) Names() []string { return f.head.Names() }

// Response returns the name of the response.
func (f *sequence) Response() string { return f.head.Response() }

// Coding returns how the columns of the design fitted were computed, nil if they were
// given.
func (f *sequence) Coding() *mlreg.Coding { return f.head.Coding() }

// Scaling returns the scaling of the design fitted, nil if its columns were raw.
func (f *sequence) Scaling() *mlreg.Scaling { return f.head.Scaling() }

// Omitted returns the number of rows omitted for missing values before the fit.
func (f *sequence) Omitted() int { return f.head.Omitted() }

// Coef returns the coefficients as a matrix: a row for every fit, a column for every name.
func (f *sequence) Coef() *mat.Dense {
	m := algebra.NewDense(f.Len(), len(f.Names()))
	for k, coef := range f.s.Coef {
		m.SetRow(k, coef)
	}
	return m
}

// each collects a number of every fit.
func (f *sequence) each(of func(s state) float64) []float64 { return format.Each(f.s.States, of) }

// Loss returns the loss of every fit, see Quantile.Loss.
func (f *sequence) Loss() []float64 { return f.each(func(s state) float64 { return s.Loss }) }

// R1 returns 1 - loss/null loss of every fit, see Quantile.R1.
func (f *sequence) R1() []float64 { return f.each(func(s state) float64 { return 1 - s.Loss/s.Null }) }

// Gap returns the duality gap of every fit, see Quantile.Gap.
func (f *sequence) Gap() []float64 { return f.each(func(s state) float64 { return s.Gap }) }

// Predict returns the quantiles of every row of d (rows of the result) for every fit
// (columns). Errors are those of mlreg.OLS.Predict.
func (f *sequence) Predict(d *mlreg.Design) (*mat.Dense, error) {
	m := algebra.NewDense(max(d.NObs(), 1), f.Len())
	for k := range f.Len() {
		yhat, err := f.Fit(k).Predict(d)
		if err != nil {
			return nil, err
		}
		m.SetCol(k, yhat)
	}
	return m, nil
}

// shown are the fits that a table has: ten, from the first to the last.
func (f *sequence) shown() []int {
	const most = 10
	var rows []int
	for i := range min(most, f.Len()) {
		rows = append(rows, int(math.Round(float64(i)*float64(f.Len()-1)/math.Max(float64(min(most, f.Len())-1), 1))))
	}
	return slices.Compact(rows)
}
