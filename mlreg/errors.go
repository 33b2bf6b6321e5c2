package mlreg

import (
	"errors"
	"fmt"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/fault"
)

// Sentinels for errors.Is. The errors that functions return wrap them and
// name the culprit: the term, the row and the value.
var (
	// ErrShape says that lengths or dimensions do not fit together.
	ErrShape = fault.ErrShape
	// ErrNoData says that there is no row, or no row of positive weight.
	ErrNoData = fault.ErrNoData
	// ErrNoTerms says that the data have no terms, but the fit needs at least one
	// term, or an intercept.
	ErrNoTerms = errors.New("mlreg: no terms")
	// ErrNotFinite says that a NaN or an infinity was found in the data, or
	// that a sum over the data leaves the range of float64.
	ErrNotFinite = fault.ErrNotFinite
	// ErrConstant says that a column does not vary.
	ErrConstant = errors.New("mlreg: column is constant")
	// ErrRankDeficient says that some columns are linear combinations of
	// others; the error returned is a *RankDeficientError.
	ErrRankDeficient = errors.New("mlreg: design is rank deficient")
	// ErrNotPositiveDefinite says that a covariance matrix has a direction
	// without positive variance; the error names the pivot.
	ErrNotPositiveDefinite = errors.New("mlreg: matrix is not positive definite")
	// ErrSetting says that an argument or a settings field is out of range.
	ErrSetting = fault.ErrSetting
	// ErrLabels says that the classes do not suit the fit or the request: there is
	// only one, there are too many, or the response has numbers that cannot be labels.
	ErrLabels = errors.New("mlreg: wrong classes")
	// ErrSeparated says that a maximum-likelihood estimate does not exist,
	// because the classes are separated; the error returned is a
	// *SeparationError.
	ErrSeparated = errors.New("mlreg: classes are separated")
	// ErrImpossible says that a row has probability zero in every class.
	ErrImpossible = errors.New("mlreg: row is impossible")
	// ErrSaturated says that no residual degree of freedom is left.
	ErrSaturated = fault.ErrSaturated
	// ErrNotEstimable says that the data do not determine the quantity: terms of a
	// combination are aliased, or a row has leverage 1 and fits itself.
	ErrNotEstimable = errors.New("mlreg: not estimable")
	// ErrBoundary says that no maximum lies inside the range of a parameter.
	ErrBoundary = errors.New("mlreg: maximum at the boundary")
	// ErrNotConverged says that an iteration stopped before it converged. The error
	// is a *ConvergenceError, returned with the best result so far.
	ErrNotConverged = errors.New("mlreg: no convergence")
	// ErrNeedsRows says that a computation needs the rows of a *Design, but got
	// only their sums.
	ErrNeedsRows = errors.New("mlreg: rows of the data are needed")
	// ErrChanged says that two passes over row blocks did not have the same rows.
	ErrChanged = errors.New("mlreg: rows changed between passes")
	// ErrTooLarge says that a result would take more than 2^28 numbers, two gigabytes,
	// which is found out before memory is taken. The error says how many and what to do.
	ErrTooLarge = fault.ErrTooLarge
	// ErrCoding says that the columns of the rows were computed with other constants
	// than the columns of the fit; see Coding.
	ErrCoding = errors.New("mlreg: rows are coded differently from the fit")
	// ErrStream says that the bytes do not decode to this result: another type, version or
	// build wrote them, or they are damaged. The result that they were decoded into is then
	// what it was. Bytes that somebody made up to have the checksum do not make decoding
	// panic, but the methods of what they decode to may. A type of exported fields alone,
	// such as a table, a band or a basis, is stored by gob as it is, without a checksum;
	// Design, GaussianPrior and assess.Boot have one.
	ErrStream = fault.ErrStream
)

// RankDeficientError names the terms that are linear combinations of the
// terms before them. It matches ErrRankDeficient.
type RankDeficientError struct {
	Rank    int      // numerical rank of the design, the intercept included
	Columns int      // number of columns, the intercept included
	NObs    int      // number of observations
	Aliased []string // terms that add nothing to those before them
	Advice  string   // a remedy other than leaving the terms out; "" is that of FitOLS
	Sums    bool     // sums told so, which tell columns apart to 1e-7 of their lengths only
}

// Error names the aliased terms and the remedies.
func (e *RankDeficientError) Error() string {
	why := "linear combinations of the terms before them, to rounding"
	if e.NObs < e.Columns {
		why = fmt.Sprintf("beyond what %d observations can determine", e.NObs)
	}
	advice := "set OLSSettings.Aliased to DropAliased or MinimumNorm"
	switch {
	case e.Advice != "":
		advice = e.Advice
	case e.Sums:
		why = "linear combinations of the terms before them as far as sums can tell"
		advice = "set OLSSettings.Aliased to DropAliased, or fit the rows, by RefineOLS if they come in blocks"
	}
	return fmt.Sprintf("%v: rank %d of %d columns; %s: %s; leave them out, or %s",
		ErrRankDeficient, e.Rank, e.Columns, why, format.Quoted(e.Aliased), advice)
}

// Unwrap makes errors.Is(err, ErrRankDeficient) true.
func (e *RankDeficientError) Unwrap() error { return ErrRankDeficient }

// valid returns a result, and none beside an error, so that nothing is printed of what failed.
func valid[T any](result T, err error) (T, error) {
	if err != nil {
		var none T
		return none, err
	}
	return result, nil
}

// ConvergenceError says how far an iteration was from convergence when it
// stopped. It matches ErrNotConverged.
type ConvergenceError struct {
	Method     string  // name of the iteration
	Iterations int     // iterations done
	Measure    string  // name of the measure of convergence
	Value, Tol float64 // the measure at the end, and the tolerance it had to reach
	Advice     string  // a remedy; "" is more iterations
}

// Error names the method, the iterations and the measure against its tolerance.
func (e *ConvergenceError) Error() string {
	advice := e.Advice
	if advice == "" {
		advice = "allow more iterations"
	}
	return fmt.Sprintf("%v: %s after %d iterations: %s %.3g, wanted %.3g; %s",
		ErrNotConverged, format.Line(e.Method), e.Iterations, format.Line(e.Measure), e.Value, e.Tol, advice)
}

// Unwrap makes errors.Is(err, ErrNotConverged) true.
func (e *ConvergenceError) Unwrap() error { return ErrNotConverged }
