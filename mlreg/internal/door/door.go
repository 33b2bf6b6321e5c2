// Package door hands what mlreg does not export to the packages beside it, and runs the tasks that users hand over. It cannot
// import mlreg, so mlreg sets its functions, and they take and return types of mlreg as any.
package door

import (
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/lsq"
	"github.com/regbook/regbook/mlreg/internal/nesting"
	"github.com/regbook/regbook/mlreg/internal/problem"
)

// MomentsOf makes the *mlreg.Moments of sums over the rows of like, a *mlreg.Design with names,
// response, coding, intercept and omitted rows; its rows are not used. The error names a column
// whose squares leave the range of float64; varies tells whether a column, or column p, the
// response, has two values.
var MomentsOf func(like any, sums problem.Sums, varies func(column int) bool) (moments any, err error)

// SumsOf returns the sums of *mlreg.Moments, which must not be changed.
var SumsOf func(moments any) *problem.Sums

// Prepare prepares the rows of a *mlreg.Design, with so many rows of zeros below them. The error names a term.
var Prepare func(design any, below int) (*problem.Prepared, error)

// GroupsOf returns the levels of a *mlreg.Grouping, the outermost first, which must not be changed.
var GroupsOf func(grouping any) []nesting.Level

// ValidateRows is mlreg.CrossValidate of predictions that depend on which rows the fold has: predict gets the rows
// outside the fold, and those in it of positive weight, and returns a row for each of these, a column for each candidate.
// Design, folds and settings are those of CrossValidate; the result is an *mlreg.CV, nil if there is none.
var ValidateRows func(design, folds, settings any, predict func(train, test []int) (*mat.Dense, error)) (cv any, err error)

// LowOf returns what rounding took from the coefficients of a *mlreg.Linear, in their order; nil if that is not known.
var LowOf func(linear any) []float64

// CheckPath, PathPenalty and PathGrid are what *mlreg.PathSettings say of the path of a *mlreg.Design: whether they
// are valid whatever the data, the penalty of its terms, of which there must be some, and the grid in
// descending order, where largest is the smallest lambda that holds all penalized slopes at zero.
var (
	CheckPath   func(settings any) error
	PathPenalty func(settings, design any) (*problem.Penalty, error)
	PathGrid    func(settings, design any, largest float64) ([]float64, error)
)

// CheckTraining is what every fit checks of a *mlreg.Design before it looks at the values of its terms.
var CheckTraining func(design any) error

// CheckFolds refuses *mlreg.Folds that are not of the rows of a *mlreg.Design.
var CheckFolds func(folds, design any) error

// FittedTo tells whether a fit is of the rows of a *mlreg.Design, as far as it and responses in their order tell.
var FittedTo func(fit, design any) bool

// LabelsOf returns the index in classes of the class of every row of a *mlreg.Design.
var LabelsOf func(design any, classes []string) ([]int, error)

// LossesOf returns the mlreg.Loss of every row of a *mlreg.Design, and what row i would pay for the prediction of row j.
var LossesOf func(fit, design, loss any) (losses []float64, pay func(i, j int) float64, err error)

// SameScaling tells whether two *mlreg.Scaling of p columns are the same.
var SameScaling func(a, b any, p int) bool

// ColumnsOf, CoordinatesOf and RootOf are of a *mlreg.OLS or *mlreg.Ridge, RootOf of the first alone: the *mlreg.Design of the columns
// of a *mlreg.Design in the order and the units of the fit; the coordinates of such columns x, which it was fitted to with these
// weights, all the same for a ridge regression; and T with (A'A)^-1 = T T', row by row.
var (
	ColumnsOf     func(fit, design any) (columns any, err error)
	CoordinatesOf func(fit any, x *mat.Dense, weights []float64) (*lsq.Coordinates, error)
	RootOf        func(fit any) []float64
)
