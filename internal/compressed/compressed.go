// Package compressed hands sums of cells from package frames, which finds the cells, to package mlreg, which sets
// the functions but one. A cell has the rows in which the levels of all factors of a formula are the same: every column of a
// design is there a multiple of one of few numbers, or constant, so that no dummy is ever a column of rows.
package compressed

import "errors"

// Column says that column At of a design is Times times number Of of a cell, or Times itself if Of is -1.
type Column struct {
	At, Of int
	Times  float64
}

// Cell has the sums of the numbers of a cell and the response, as the functions below make them, and the columns of the
// design that are not 0 in it, in their order.
type Cell struct {
	Sums    any
	Columns []Column
	Level   string // of a factor that is absorbed, and has no columns
}

// Levels are the cells of the levels of a factor to absorb.
type Levels struct {
	Like   any // a *mlreg.Design of the columns
	Factor string
	Cells  []Cell // those of a level one after the other
}

// Sums are those of a cell that were computed elsewhere, of k numbers of which the response is the last.
type Sums struct {
	N         int     // rows of positive weight
	W, LogW   float64 // sums of weights and of their logarithms
	Mean, Low []float64
	S         []float64 // k x k, the upper triangle by rows, about the means
	// The error of S_ij is at most RelErr times the root of Gross_i Gross_j, and that of a mean RelErr times the root of
	// Gross_i/W: the sums of squares about what was taken from the numbers.
	RelErr float64
	Gross  []float64
	Lost   []float64 // k-1: lengths of the errors of the numbers before they were summed
}

// Counted are rows of which all that have the same cell, response and offset are one: the columns of the design are
// constant in a cell.
type Counted struct {
	Like    any // a *mlreg.Design of the columns, without rows
	Columns func(cell int) []Column
	Rows    any  // of CountRows
	Pushed  bool // a database counted them
}

// Blocks are row blocks by cells.
type Blocks struct {
	Like    any // a *mlreg.Design of the columns, which are raw, without rows
	Columns func(cell int) []Column
	// Each calls f with the rows of every block in turn: d is a *mlreg.Design of the numbers, and of[i] the cell of row i.
	Each func(f func(d any, of []int) error) error
}

// MostCounted bounds how many different rows Counted has.
const MostCounted = 1 << 16

// MostGathered is how many numbers row blocks may have in all that a likelihood holds, so that it reads them once.
const MostGathered = 4_000_000

// Weighted are rows whose sums at coefficients a database computes, those of a Newton step by one statement.
type Weighted struct {
	Like   any       // a *mlreg.Design of the columns, without rows
	Rows   any       // of CountRows: the responses and weights, all in one cell
	Center []float64 // what is taken from the columns
	// At returns the sums at eta_i = intercept + sum_j slopes_j (x_ij - Center_j). ErrRows says that rows tell more.
	At func(loss Loss, intercept float64, slopes []float64) (*LossSums, error)
}

// Loss is minus the log-likelihood of a row, or half its deviance.
type Loss struct {
	Counts bool    // log(mean) is eta; otherwise the log odds of two classes are
	One    float64 // the response of the second class
}

// LossSums are sums of losses, of which r_i = w_i (y_i - mean) and c_i are minus the slopes and the curvatures.
type LossSums struct {
	Loss             float64 // NaN if a sum is not finite
	Least, Curvature float64 // the least c_i/w_i and c_i
	Largest          float64 // |eta_i|
	Cells            []Cell  // of weights c_i, with responses r_i/c_i
	RelErr           float64 // of a sum of terms of one sign
	Eta              float64 // the root of sum_i c_i d_i^2, for errors d_i of eta_i and r_i/c_i
}

// ErrRows says that rows are to be read.
var ErrRows = errors.New("rows are to be read")

var (
	// SumsOf returns Sums as those of a Cell.
	SumsOf func(s *Sums) any
	// SumRows returns the sums of every cell of the rows of d, a *mlreg.Design of the numbers; of[i] is the cell of row i.
	// That of a cell without a row of positive weight is nil.
	SumRows func(d any, of []int, cells int) ([]any, error)
	// Merge adds the rows of other sums of the same cell.
	Merge func(to, from any)
	// Moments returns the *mlreg.Moments of all rows, of the columns of like, a *mlreg.Design whose rows are not used.
	Moments func(like any, cells []Cell) (any, error)
	// LevelsOf returns the cells of row blocks that can be summed where they are, nil if they are to be read. Package
	// frames/source sets it.
	LevelsOf = func(rows any) (*Levels, error) { return nil, nil }
	// CountRows counts the rows of d, a *mlreg.Design without columns; of[i] is the cell of row i, which stands for times[i]
	// rows, for one if times is nil. It is nil if a value does not let them be counted, or there are too many.
	CountRows func(d any, of, times []int) any
	// JoinCounted adds other rows behind. It is false if those are too many to be counted.
	JoinCounted func(to, from any) bool
	// WeightedOf calls f, with rows that are held still, if a database is to compute their sums. Package frames/source sets it.
	WeightedOf = func(rows any, f func(*Weighted) error) error { return nil }
	// BlocksOf returns row blocks by cells, nil if these save nothing. Package frames/source sets it.
	BlocksOf = func(rows any) (*Blocks, error) { return nil, nil }
	// CountedOf returns row blocks counted, nil if they are to be read. Package frames/source sets it.
	CountedOf = func(rows any) (*Counted, error) { return nil, nil }
)
