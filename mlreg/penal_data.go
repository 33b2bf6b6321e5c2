package mlreg

import (
	"github.com/regbook/regbook/mlreg/internal/descent"
	"github.com/regbook/regbook/mlreg/internal/problem"
)

// prepared are data in the form that solvers want: rows or sums, centered if there is an
// intercept, weighted, and with columns and response divided by powers of two so that their
// lengths are about 1.
type prepared struct {
	problem.Problem
	l linearState // without coefficients
}

// penaltyData are prepared data with a loss, for an L1 penalty.
type penaltyData struct {
	prepared
	src descent.Source // of squares, which are the loss
	// likelihood has another loss instead of squares, of columns multiplied by stretch, nil for ones.
	likelihood func(stretch []float64) *descent.Likelihood
	predictors int // linear, of which the loss is
	// deviation are scales of the columns for which the penalty is meant, nil
	// for ones: that of slope b_j is of deviation_j b_j.
	deviation []float64
	classes   []string  // of a logistic regression
	family    GLMFamily // of a generalized linear model
}

// newPenaltyData chooses between rows and sums.
func newPenaltyData(data Data) (*penaltyData, error) {
	if d, ok := data.(*Design); ok && preferRows(d.NObs(), d.NTerms()) {
		return rowsData(d)
	}
	m, err := sumsOf(data)
	if err != nil {
		return nil, err
	}
	d := &penaltyData{prepared: *m.prepared(), predictors: 1}
	g := d.G
	for i := range g.N {
		for j := i + 1; j < g.N; j++ {
			g.Data[j*g.Stride+i] = g.Data[i*g.Stride+j]
		}
	}
	d.src = descent.NewSums(g.Data, d.C, d.YY)
	return d, nil
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

// prepared returns the sums.
func (m *Moments) prepared() *prepared {
	return &prepared{*problem.FromSums(&m.s.Sums, m.s.NoIntercept), linearState{header: m.header()}}
}

// rowsData are the rows of a design.
func rowsData(d *Design) (*penaltyData, error) {
	rows, err := preparedRows(d, nil)
	if err != nil {
		return nil, err
	}
	return &penaltyData{prepared: *rows, predictors: 1, src: descent.NewRows(rows.columns())}, nil
}

// columns are those of the rows.
func (d *prepared) columns() *descent.Columns { return descent.NewColumns(d.XT.Data, d.Y) }

// preparedRows are those of a design that has a term, in the given order if it is not nil.
func preparedRows(d *Design, order []int) (*prepared, error) {
	if err := d.checkFit(); err != nil {
		return nil, err
	}
	if len(d.Names) == 0 {
		return nil, errNoTerms
	}
	d = d.LessOffset()
	rows, err := problem.FromRows(d.rows(), order)
	if err != nil {
		return nil, d.named(err)
	}
	return &prepared{*rows, linearState{header: d.header()}}, nil
}

// loss brings an objective of the solver to the units of the data, and per is what
// the solver has for a loss of 1: the deviance of a logistic regression is twice
// its loss.
func (d *penaltyData) loss(v float64) float64 { return d.Squares(v) / d.per() }
func (d *penaltyData) per() float64 {
	if d.likelihood != nil {
		return 2
	}
	return 1
}
