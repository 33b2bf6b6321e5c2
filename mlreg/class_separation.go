package mlreg

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/glm"
	"github.com/regbook/regbook/mlreg/internal/newton"
)

// Separation says how far a linear combination of the terms tells two classes
// apart, which decides whether the maximum-likelihood estimate of a logistic
// regression exists (Albert and Anderson, Biometrika 71 (1984), 1-10).
type Separation int

const (
	// Overlapping: no combination separates the classes; the estimate exists.
	Overlapping Separation = iota
	// QuasiComplete: some combination is never negative for the second class
	// and never positive for the first, and not always zero. The estimate does
	// not exist.
	QuasiComplete
	// Complete: some combination is positive for all rows of the second class
	// and negative for all rows of the first. The estimate does not exist.
	Complete
)

// String returns the name in words.
func (s Separation) String() string {
	return [...]string{"overlapping", "quasi-complete", "complete"}[s]
}

// SeparationError says that the classes of a logistic regression are separated,
// or some means of a generalized linear model go to the boundary,
// so that its likelihood has no maximum: it grows for ever along Direction. It
// matches ErrSeparated.
type SeparationError struct {
	Kind Separation // QuasiComplete or Complete
	// Terms are the coefficients that the direction moves, as a fit names
	// them, and Direction their weights, in the units of the design, the
	// largest being 1 or -1. Of two classes, eta = sum_j Direction[j] Terms[j]
	// is >= 0 for the second and <= 0 for the first.
	Terms     []string
	Direction []float64
	// Rows are those that the direction separates strictly, Of all rows; for q
	// classes, a row counts for q-1, once with every class that is not its own.
	Rows, Of int
	Classes  []string // nil of counts
	Response string
	Family   GLMFamily // of a generalized linear model; 0 if not one
}

// Error names the direction and the cure.
func (e *SeparationError) Error() string { return format.Line(e.text()) }

func (e *SeparationError) text() string {
	terms := slices.Clone(e.Terms)
	if j := slices.Index(terms, InterceptName); j >= 0 {
		terms[j] = ""
	}
	eta := combination(terms, e.Direction, 4)
	if e.Family != 0 && e.Classes == nil {
		where := "responses are 0 falls to 0"
		if e.Family.kind() == glm.Binomial {
			where = "responses are 0 falls to 0, or whose responses are 1 rises to 1,"
		}
		return fmt.Sprintf("mlreg: no maximum-likelihood estimate of the %v family exists: along %s the mean of rows whose %s (%q, %d of %d rows), "+
			"and no other mean moves, so that the likelihood grows for ever; leave the term out, join the level of the factor with another, "+
			"or set GLMSettings.L2, which has a maximum always",
			e.Family, eta, where, e.Response, e.Rows, e.Of)
	}
	if len(e.Classes) > 2 {
		return fmt.Sprintf("%v: no maximum-likelihood estimate exists, by %s separation: along %s no row loses odds of its class of %s to another, "+
			"and %d of %d odds grow for ever; set MultinomialSettings.L2, the Gaussian prior N(0, 1/(2 L2)) on the slopes in the units of the design, "+
			"which has a maximum always, or leave a term out",
			ErrSeparated, e.Kind, eta, e.Response, e.Rows, e.Of)
	}
	relation := [2]string{"<= 0", ">= 0"}
	if e.Kind == Complete {
		relation = [2]string{"< 0", "> 0"}
	}
	return fmt.Sprintf("%v: no maximum-likelihood estimate exists, by %s separation: %s is %s where %s is %q and %s where it is %q"+
		" (not zero in %d of %d rows), and the likelihood grows for ever along it; "+
		"set LogisticSettings.L2, the Gaussian prior N(0, 1/(2 L2)) on the slopes in the units of the design, "+
		"which has a maximum always, or leave a term out",
		ErrSeparated, e.Kind, eta, relation[1], e.Response, e.Classes[1], relation[0], e.Classes[0], e.Rows, e.Of)
}

// Unwrap makes errors.Is(err, ErrSeparated) true.
func (e *SeparationError) Unwrap() error { return ErrSeparated }

// CheckSeparation decides whether a linear combination of the terms, with the
// intercept if the design has one, separates the two classes of its response. It
// returns nil if they overlap. Rows of weight zero do not count. The error is
// one of bad data, see FitLogistic, or if rounding keeps it from deciding.
//
// With the rows z_i = s_i (1, x_i), s_i = 1 for the second class and -1 for the
// first, it solves the linear program
//
//	maximize sum_i c_i z_i'delta   subject to   z_i'delta >= 0,  |delta_j| <= 1
//
// with positive weights c_i, in columns centered and scaled to typical values of 1,
// and rows scaled to a largest value of 1. The maximum is zero if and only if the
// classes overlap (Konis, Linear programming algorithms for detecting separated data
// in binary logistic regression models, 2007, section 4.1). Rows on the boundary are
// then tried again without the others, until none is left (complete) or the rest
// overlap (quasi-complete). Values below 1e-9 count as zero.
func CheckSeparation(d *Design) (*SeparationError, error) {
	if err := d.checkTraining(); err != nil {
		return nil, err
	}
	if err := d.checkFinite(); err != nil {
		return nil, err
	}
	classes, y, err := d.binaryLabels()
	if err != nil {
		return nil, err
	}
	q := &newton.Problem{X: d.X.RawMatrix(), Weights: d.Weights, Intercept: !d.NoIntercept}
	names := (&linear{linearState{header: d.header()}}).Names()
	found, err := q.Separation(y)
	return newSeparationError(found, err, names, d.Response, classes)
}

// separated asks for a direction that separates classes, and returns it as an error.
func separated(ask func() (*newton.Separation, error), names []string, response string, classes []string) error {
	found, err := ask()
	e, err := newSeparationError(found, err, names, response, classes)
	if err != nil {
		return err
	}
	if e != nil {
		return e
	}
	return nil
}

// newSeparationError names a direction, nil if there is none, without terms that
// move nothing.
func newSeparationError(s *newton.Separation, err error, names []string, response string, classes []string) (*SeparationError, error) {
	if errors.Is(err, newton.ErrUndecided) {
		return nil, fmt.Errorf("%w: %v; set LogisticSettings.L2", ErrNotConverged, err)
	}
	if s == nil || err != nil {
		return nil, err
	}
	e := &SeparationError{Kind: QuasiComplete, Rows: s.Rows, Of: s.Of, Classes: classes, Response: response}
	if s.Complete() {
		e.Kind = Complete
	}
	largest := floats.Norm(s.Moves, math.Inf(1))
	for j, v := range s.Values {
		if math.Abs(s.Moves[j]) > 1e-7*largest {
			e.Terms = append(e.Terms, names[j])
			e.Direction = append(e.Direction, v)
		}
	}
	length := floats.Norm(e.Direction, math.Inf(1))
	for j := range e.Direction {
		e.Direction[j] /= length
	}
	return e, nil
}
