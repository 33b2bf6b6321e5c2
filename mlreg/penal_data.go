package mlreg

import (
	"fmt"

	"github.com/regbook/regbook/mlreg/internal/descent"
	"github.com/regbook/regbook/mlreg/internal/problem"
)

// penaltyData are data brought to the form that the solver of L1-penalized
// problems wants: centered if there is an intercept, weighted, and with columns
// and response divided by powers of two so that their lengths are about 1.
type penaltyData struct {
	problem.Problem
	l   linearState // without coefficients
	src descent.Source
	// deviation are scales of the columns for which the penalty is meant, nil
	// for ones: that of slope b_j is of deviation_j b_j.
	deviation []float64
	losses    *losses  // that are not squares
	classes   []string // of a logistic regression
	// stated is the error of the cross-products that sums computed elsewhere state, of
	// |x_j||x_k|; 0 for rows, and for sums of rows.
	stated float64
	family GLMFamily // of a generalized linear model
}

// losses are a loss of the rows, with offsets of its linear predictors.
type losses struct {
	columns *descent.Columns
	fit     descent.Datafit
	offset  [][]float64 // nil for zeros
}

// solver returns a solver that starts from slopes of zero, for penalties whose blocks of weights
// are these; unit multiplies the columns, nil for ones.
func (d *penaltyData) solver(of [][]int, unit []float64) descent.Path {
	switch l := d.losses; {
	case l != nil:
		for j, u := range unit {
			column := l.columns.Column(j)
			for i := range column {
				column[i] *= u
			}
		}
		return descent.NewProximal(descent.NewLikelihood(l.columns, l.fit, l.offset, !d.l.NoIntercept), of)
	case unit == nil:
		return descent.New(d.src)
	}
	return descent.NewProximal(descent.NewQuadratic(d.src, unit), of)
}

// newPenaltyData chooses between rows and sums.
func newPenaltyData(data Data) (*penaltyData, error) {
	if data == nil {
		return nil, fmt.Errorf("%w: data is nil", ErrNoData)
	}
	if d, ok := data.(*Design); ok && preferRows(d.NObs(), d.NTerms()) {
		return rowsData(d)
	}
	m, err := sumsOf(data)
	if err != nil {
		return nil, err
	}
	return sumsData(m), nil
}

// preferRows tells whether a path over n rows and p columns takes less time with
// the rows than with all cross-products: these are n p^2/2 products at the speed
// of the processor; with rows there are about forty passes over X at the speed of
// memory, which is a sixteenth of it, and the cross-products of the columns that
// become active, perhaps half of what can.
func preferRows(n, p int) bool {
	most := float64(min(n, p)) / 2
	sums := float64(p) * float64(p) / 2
	rows := 40*16*float64(p) + 4*most*most/2
	return n < p || rows < sums
}

// sumsOf returns the moments of data that have a row and a term.
func sumsOf(data Data) (*Moments, error) {
	if data == nil {
		return nil, fmt.Errorf("%w: data is nil", ErrNoData)
	}
	m, err := data.Moments()
	if err != nil {
		return nil, err
	}
	if m.s.N == 0 {
		return nil, fmt.Errorf("%w: the moments are of no rows", ErrNoData)
	}
	return m, checkTerms(m.s.Names)
}

// sumsData are moments.
func sumsData(m *Moments) *penaltyData {
	d := &penaltyData{
		Problem: *problem.FromSums(&m.s.Sums, m.s.NoIntercept), stated: m.s.StatedOfLengths(m.s.NoIntercept),
		l: linearState{header: m.header()},
	}
	g := d.G
	for i := range g.N {
		for j := i + 1; j < g.N; j++ {
			g.Data[j*g.Stride+i] = g.Data[i*g.Stride+j]
		}
	}
	d.src = descent.NewSums(g.Data, d.C, d.YY)
	return d
}

// rowsData are the rows of a design.
func rowsData(d *Design) (*penaltyData, error) {
	c, out, err := designColumns(d, nil)
	if err != nil {
		return nil, err
	}
	out.src = descent.NewRows(c)
	return out, nil
}

// designColumns are the rows of d, in the given order if it is not nil, by
// columns: centered, scaled and multiplied by the roots of the weights.
func designColumns(d *Design, order []int) (*descent.Columns, *penaltyData, error) {
	rows, err := preparedRows(d, order)
	if err != nil {
		return nil, nil, err
	}
	out := &penaltyData{Problem: *rows, l: linearState{header: d.header()}}
	return descent.NewColumns(rows.XT.Data, rows.Y), out, nil
}

// preparedRows are those of a design that has a term.
func preparedRows(d *Design, order []int) (*problem.Problem, error) {
	if err := d.checkFit(); err != nil {
		return nil, err
	}
	if err := checkTerms(d.Names); err != nil {
		return nil, err
	}
	d = d.LessOffset()
	rows, err := problem.FromRows(d.rows(), order)
	return rows, d.named(err)
}

// loss brings an objective of the solver to the units of the data, and per is what
// the solver has for a loss of 1: the deviance of a logistic regression is twice
// its loss.
func (d *penaltyData) loss(v float64) float64 { return d.Squares(v) / d.per() }
func (d *penaltyData) per() float64 {
	if d.losses != nil {
		return 2
	}
	return 1
}

// predictors returns the number of linear predictors.
func (d *penaltyData) predictors() int {
	if d.losses == nil {
		return 1
	}
	return d.losses.fit.Predictors()
}
