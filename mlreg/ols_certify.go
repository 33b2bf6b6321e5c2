package mlreg

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/dd"
	"github.com/regbook/regbook/mlreg/internal/lsq"
	"github.com/regbook/regbook/mlreg/internal/problem"
)

// noBound is the bound where there is none.
func noBound() lsq.Certificate { return lsq.Certificate{Residual: math.Inf(1), StdErr: math.Inf(1)} }

// certify takes the bounds of a solution: of the fit with respect to the numbers
// of the design, and with respect to the raw data that those are rounded from.
func (f *OLS) certify(sol *lsq.Solution, units problem.Units) {
	s := &f.s
	s.YExp, s.YLength = units.YUnit, sol.Lengths.Y
	s.Length = make([]float64, f.columns())
	for c, j := range sol.Keep {
		s.Length[j] = units.XUnit[j].Out(sol.Lengths.A[c])
	}
	s.Bound = sol.Bounds
	s.RawBound = s.Bound
	if f.l.Scaling != nil && !s.Twofold {
		rounded := make([]float64, len(sol.Keep))
		for c, j := range sol.Keep {
			if j >= f.columns()-len(f.l.B) {
				rounded[c] = scalingRounding * sol.Lengths.A[c]
			}
		}
		s.RawBound = sol.Bounds.Perturbed(rounded, sol.T, sol.B, sol.Lengths.R)
	}
	s.CoefDigits, s.StdErrDigits = f.digits(s.Bound)
}

// certifyInputs bounds what the coefficients would change by if every number of the
// raw data were off by half a unit in its last place. The means of columns and of y
// are those that the lengths of a solution of centered sums do not have.
func (f *OLS) certifyInputs(sol *lsq.Solution, units problem.Units, exact bool, means []float64, meanY float64) {
	s := &f.s
	root := math.Sqrt(s.W)
	rounded := make([]float64, len(sol.Keep))
	for c, j := range sol.Keep {
		term := j - f.columns() + len(f.l.B)
		if term < 0 || exact {
			continue // the column of ones
		}
		center, scale := f.l.Scaling.at(term)
		off := math.Abs(center / scale)
		if means != nil {
			off += math.Abs(means[term])
		}
		rounded[c] = dd.Unit * (sol.Lengths.A[c] + units.XUnit[j].In(off*root))
	}
	y := dd.Unit * (sol.Lengths.Y + units.YUnit.In(math.Abs(meanY)*root))
	bound := s.RawBound
	bound.Residual += y
	bound.StdErr += lsq.Ratio(y, sol.Lengths.R)
	s.Inputs = bound.Perturbed(rounded, sol.T, sol.B, sol.Lengths.R)
	s.CoefInputs, s.StdErrInputs = f.digits(s.Inputs)
}

// scalingRounding is the relative error of a number that Design.Rescale has
// centered and scaled in float64.
const scalingRounding = 2 * dd.Unit

// digits returns the number of decimal digits, of coefficients and of standard
// errors, that every one is right to. A coefficient below u|y|/|a_j|, the
// rounding of y in its units, counts as right to as many digits as its error is
// below that. A standard error has no such excuse.
func (f *OLS) digits(bound lsq.Certificate) (coef, stderr int) {
	s := &f.s
	worst := 0.0
	for j, b := range f.Coef() {
		if math.IsNaN(b) {
			continue
		}
		err := s.YExp.Out(bound.Residual * blas64.Nrm2(f.root(j)))
		if j == 0 {
			err += s.YExp.Out(bound.First)
		}
		worst = math.Max(worst, lsq.Ratio(err, math.Max(math.Abs(b), s.YExp.Out(dd.Unit*s.YLength/s.Length[j]))))
	}
	relative := bound.StdErr + float64(s.Rank)/2*dd.Unit + bound.Root*s.Spread
	return countDigits(worst), countDigits(relative)
}

// countDigits turns a relative error, to which the rounding of the result is
// added, into correct decimal digits.
func countDigits(relative float64) int {
	d := math.Floor(-math.Log10(relative + dd.Unit))
	if !(d > 0) {
		return 0
	}
	return int(d)
}

// certifyRaw brings the bounds of a fit to raw units, in which the coefficients
// and Root are already. Raw columns are taken to be as long as they can be.
func (f *OLS) certifyRaw(scaling *Scaling) {
	s := &f.s
	if s.Length == nil { // there is no bound
		return
	}
	s.Bound, s.Length = s.RawBound, slices.Clone(s.Length)
	offset := f.columns() - len(f.l.B)
	size, spread := math.Abs(f.l.B0), 0.0
	for j, b := range f.l.B {
		if math.IsNaN(b) {
			continue
		}
		center, scale := scaling.at(j)
		s.Length[j+offset] = s.Length[j+offset]*scale + math.Abs(center)*math.Sqrt(s.W)
		if center != 0 {
			size += math.Abs(b * center)
			spread += math.Abs(center) * blas64.Nrm2(f.root(j+offset))
		}
	}
	if spread > 0 {
		s.Bound.First += s.YExp.In(f.sumRounding() * size)
		s.RawBound.First = s.Bound.First
		s.Inputs.First = s.Bound.First
		s.Spread = 1 + 2*spread/blas64.Nrm2(f.root(0))
	}
	s.CoefDigits, s.StdErrDigits = f.digits(s.Bound)
	s.CoefInputs, s.StdErrInputs = f.digits(s.Inputs)
}

// sumRounding bounds the relative error of a combination of the coefficients,
// beside the sum of the sizes of its terms, before it is rounded.
func (f *OLS) sumRounding() float64 {
	if f.l.BLow == nil {
		return float64(f.columns()+2) * dd.Unit
	}
	return 4 * float64(f.columns()+2) * dd.Eps
}

// ContrastError returns a bound on the rounding error of the combination l'b as
// Contrast estimates it: how far it is from that of the exact least-squares fit
// to the numbers of the design (after Raw: to the raw data). The vector l has one
// weight a coefficient, in the order of Names. With (A'A)^-1 = T T', and columns
// and y of A wrong by what the fit's rounding errors amount to, that is
//
//	|T'l| times the size of those errors + the rounding of the sum;
//
// |T'l| is the standard error of l'b for sigma = 1, so that a combination that the
// data determine well is known to more digits than its coefficients. It is
// infinite for a minimum-norm fit. ErrShape says if l has the wrong length,
// ErrNotEstimable if it gives weight to an aliased term.
//
// Reference: Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed.,
// section 20.1.
func (f *OLS) ContrastError(l []float64) (float64, error) {
	if len(l) == 0 {
		return 0, fmt.Errorf("%w: a contrast without weights", ErrShape)
	}
	weights := mat.NewDense(1, len(l), slices.Clone(l))
	if err := checkContrasts(f, weights, []float64{0}); err != nil {
		return 0, err
	}
	var bound float64
	f.combine(weights, nil, func(_ int, value dd.Number, root dd.Vector) {
		bound = f.errorOf(f.s.Bound, value, root, l)
	})
	return bound, nil
}

// PredictError returns, for every row of d, a bound on the rounding error of
// Predict: how far it is from the prediction of the exact least-squares fit to
// the raw data. It is ContrastError of the row, and counts that rows and the
// design fitted were rounded when they were scaled, unless XLow carries what that
// took. Errors are those of Predict.
func (f *OLS) PredictError(d *Design) ([]float64, error) {
	if err := args.Given("the design", d); err != nil {
		return nil, err
	}
	scaled := d.Scaling != nil || f.l.Scaling != nil
	d, err := f.columnsOf(d)
	if err != nil {
		return nil, err
	}
	bounds := make([]float64, d.NObs())
	offset := f.columns() - len(f.l.B)
	row := make([]float64, f.columns())
	f.combinations(d.X, d.XLow, func(i int, value dd.Number, root dd.Vector) {
		row[0] = 1
		copy(row[offset:], d.X.RawRowView(i))
		bounds[i] = f.errorOf(f.s.RawBound, value, root, row)
		if scaled && d.XLow == nil {
			bounds[i] += scalingRounding * f.size(row)
		}
	})
	return bounds, nil
}

// errorOf bounds the error of the combination l'b of the given value and
// combination of Root.
func (f *OLS) errorOf(b lsq.Certificate, value dd.Number, root dd.Vector, l []float64) float64 {
	if math.IsInf(b.Residual, 1) {
		return b.Residual
	}
	size := f.size(l)
	var spread float64
	for j, w := range l {
		if t := blas64.Nrm2(f.root(j)); w != 0 && !math.IsNaN(t) {
			spread += math.Abs(w) * t
		}
	}
	bound := b.Residual * (root.Norm().Float() + b.Root*spread)
	if f.columns() > len(f.l.B) {
		bound += math.Abs(l[0]) * b.First
	}
	return f.s.YExp.Out(bound) + dd.Unit*math.Abs(value.Float()) + f.sumRounding()*size
}

// size returns sum_j |l_j b_j|.
func (f *OLS) size(l []float64) float64 {
	var size float64
	for j, b := range f.Coef() {
		if !math.IsNaN(b) {
			size += math.Abs(l[j] * b)
		}
	}
	return size
}
