package mlreg

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
)

// Sentinels for errors.Is. The errors that functions return wrap them and
// name the culprit: the term, the row and the value.
var (
	// ErrShape says that lengths or dimensions do not fit together.
	ErrShape = errors.New("mlreg: shapes do not match")
	// ErrNoData says that there is no row, or no row of positive weight.
	ErrNoData = errors.New("mlreg: no observations")
	// ErrNoTerms says that the data have no terms, and that the fit asked for is
	// of terms, or that the model has no intercept either.
	ErrNoTerms = errors.New("mlreg: no terms")
	// ErrNotFinite says that a NaN or an infinity was found in the data, or
	// that a sum over the data leaves the range of float64.
	ErrNotFinite = errors.New("mlreg: value is not finite")
	// ErrConstant says that a column does not vary.
	ErrConstant = errors.New("mlreg: column is constant")
	// ErrRankDeficient says that some columns are linear combinations of
	// others; the error returned is a *RankDeficientError.
	ErrRankDeficient = errors.New("mlreg: design is rank deficient")
	// ErrNotPositiveDefinite says that a covariance matrix has a direction
	// without positive variance; the error names the pivot.
	ErrNotPositiveDefinite = errors.New("mlreg: matrix is not positive definite")
	// ErrSetting says that an argument or a settings field is out of range.
	ErrSetting = errors.New("mlreg: invalid setting")
	// ErrLabels says that the response is not a class of the kind wanted: one
	// class only, too many, or numbers that are no labels.
	ErrLabels = errors.New("mlreg: response is not such a class")
	// ErrSeparated says that a maximum-likelihood estimate does not exist,
	// because the classes are separated; the error returned is a
	// *SeparationError.
	ErrSeparated = errors.New("mlreg: classes are separated")
	// ErrImpossible says that a row has probability zero whatever its class.
	ErrImpossible = errors.New("mlreg: row is impossible")
	// ErrSaturated says that no residual degree of freedom is left.
	ErrSaturated = errors.New("mlreg: no residual degrees of freedom")
	// ErrNotEstimable says that the data do not determine a combination of
	// coefficients, because terms are aliased, or what a row would be without
	// itself.
	ErrNotEstimable = errors.New("mlreg: not estimable")
	// ErrBoundary says that a maximum is not attained inside the range of a
	// parameter.
	ErrBoundary = errors.New("mlreg: maximum at the boundary")
	// ErrNotConverged says that an iteration stopped at its cap; the error
	// returned is a *ConvergenceError, beside the best result so far.
	ErrNotConverged = errors.New("mlreg: no convergence")
	// ErrNeedsRows says that a computation needs the rows of a *Design, and
	// was handed sums of them.
	ErrNeedsRows = errors.New("mlreg: rows of the data are needed")
	// ErrCoding says that rows were coded with other constants than those of the
	// fit, see Coding.
	ErrCoding = errors.New("mlreg: rows are coded otherwise")
	// ErrStream says that the bytes to decode are not those of the result: they are
	// of another type or version, or damaged.
	ErrStream = errors.New("mlreg: stream is not of this result")
)

// RankDeficientError names the terms that are linear combinations of the
// terms before them. It matches ErrRankDeficient.
type RankDeficientError struct {
	Rank    int      // numerical rank of the design, the intercept included
	Columns int      // number of columns, the intercept included
	NObs    int      // number of observations
	Aliased []string // terms that add nothing to those before them

	advice string // what else there is to do than leave them out
}

// Error names the aliased terms and what to do about them.
func (e *RankDeficientError) Error() string {
	why := "exact linear combinations of the terms before them"
	if e.NObs < e.Columns {
		why = fmt.Sprintf("beyond what %d observations can determine", e.NObs)
	}
	advice := e.advice
	if advice == "" {
		advice = "set OLSSettings.Aliased to DropAliased or MinimumNorm"
	}
	return fmt.Sprintf("%v: rank %d of %d columns; %s: %s; leave them out, or %s",
		ErrRankDeficient, e.Rank, e.Columns, why, quoteAll(e.Aliased), advice)
}

// Unwrap makes errors.Is(err, ErrRankDeficient) true.
func (e *RankDeficientError) Unwrap() error { return ErrRankDeficient }

// ConvergenceError says how far an iteration was from convergence when it
// stopped. It matches ErrNotConverged.
type ConvergenceError struct {
	Method     string  // what was iterated
	Iterations int     // how often
	Measure    string  // what was to become small
	Value, Tol float64 // how small it was, and should have been

	advice string // "" for more iterations
}

// Error says what was iterated, how often, and how far it came.
func (e *ConvergenceError) Error() string {
	advice := e.advice
	if advice == "" {
		advice = "allow more iterations"
	}
	return fmt.Sprintf("%v: %s after %d iterations: %s %.3g, wanted %.3g; %s",
		ErrNotConverged, e.Method, e.Iterations, e.Measure, e.Value, e.Tol, advice)
}

// Unwrap makes errors.Is(err, ErrNotConverged) true.
func (e *ConvergenceError) Unwrap() error { return ErrNotConverged }

func quoteAll(names []string) string {
	const most = 12
	quoted := make([]string, 0, most)
	for i, name := range names {
		if i == most {
			return strings.Join(quoted, ", ") + fmt.Sprintf(" and %d more", len(names)-most)
		}
		quoted = append(quoted, fmt.Sprintf("%q", name))
	}
	return strings.Join(quoted, ", ")
}

var errNilDesign = fmt.Errorf("%w: the design is nil", ErrNoData)

// given returns ErrNoData if an argument is nil, or an interface that holds a nil.
func given(what string, argument any) error {
	if d, ok := argument.(*Design); ok && d == nil {
		return errNilDesign
	}
	if v := reflect.ValueOf(argument); !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() {
		return fmt.Errorf("%w: %s is nil", ErrNoData, what)
	}
	return nil
}
