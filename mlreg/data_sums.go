package mlreg

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/dd"
	"github.com/regbook/regbook/mlreg/internal/lsq"
	"github.com/regbook/regbook/mlreg/internal/problem"
)

// Sums are the sums of a linear model that were computed elsewhere, such as by a
// database: those of the rows (x_i, y_i) with weights w_i, all 1 unless given, and
// W = sum w_i. MomentsOf makes Moments of them.
//
// Sums are good only if the rows were centered before they were multiplied: by the
// means of a first pass, which leaves
//
//	S_jk = sum w_i (x_ij - c_j)(x_ik - c_k) - W (mean_j - c_j)(mean_k - c_k).
//
// sum w_i x_ij x_ik - W mean_j mean_k is the same in exact arithmetic, but of a column
// with mean 10^6 and standard deviation 1 it keeps one or two digits.
type Sums struct {
	Names    []string // p terms, without the intercept
	Response string   // "" is y
	N        int      // rows of positive weight

	SumWeights    float64 // W; 0 is N
	SumLogWeights float64 // sum log w_i, for log-likelihoods; 0 without weights

	MeanX []float64 // p: sum w_i x_i / W
	MeanY float64
	// MeanXLow (p) and MeanYLow are what rounding took from MeanX and MeanY, such as
	// mean - c of shifted sums if MeanX is c: the means are the sums of both. Nil and 0 are
	// none; the means are then right to rounding.
	MeanXLow []float64
	MeanYLow float64

	SXX *mat.SymDense // p x p: sum w_i (x_i - mean_x)(x_i - mean_x)'; nil for p = 0
	SXY []float64     // p: sum w_i (x_i - mean_x)(y_i - mean_y)
	SYY float64       // sum w_i (y_i - mean_y)^2

	// RelErr bounds the error of the sums: that of S_jk is at most
	// RelErr sqrt(S_jj S_kk), S_y. and S_yy among them, and that of mean_j at most
	// RelErr sqrt(S_jj/W). The default 0 takes them for sums in float64 of N terms,
	// added up in blocks or pairwise.
	RelErr float64

	// ErrX (p) bounds the errors that the values of the columns have before they are
	// summed, such as of logarithms and products that are rounded: the lengths
	// sqrt(sum w_i e_ij^2) of the errors e_ij of column j. Nil is none.
	ErrX []float64

	NoIntercept bool     // the model has no intercept; sums are centered all the same
	Scaling     *Scaling // that x has undergone, nil for none
	Coding      *Coding  // how the columns were computed, nil if they are given
	Omitted     int      // rows left out for missing values
}

// MomentsOf returns the moments that the sums are. What fits to them state, such as
// OLS.Digits, counts RelErr and ErrX. Errors: ErrNoData for N = 0, ErrShape for lengths that
// do not match and for sums that are those of no rows, whatever their errors
// (negative sums of squares, products too large for them), ErrNotFinite, and ErrSetting
// for a RelErr that is not in [0, 1) and an ErrX that is negative.
func MomentsOf(s Sums) (*Moments, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	p := len(s.Names)
	sums := problem.NewSums(p)
	sums.N, sums.W, sums.LogW = s.N, s.weight(), s.SumLogWeights
	copy(sums.MeanX, s.MeanX)
	copy(sums.SXY, s.SXY)
	sums.MeanY, sums.MeanYLow, sums.SYY = s.MeanY, s.MeanYLow, s.SYY
	if s.MeanXLow != nil {
		sums.MeanXLow = append(sums.MeanXLow, s.MeanXLow...)
	}
	for j := range p {
		for k := j; k < p; k++ {
			sums.SXX[j*p+k] = s.SXX.At(j, k)
		}
	}
	sums.RelErr, sums.Gross, sums.GrossW = s.RelErr, sums.Squares(), sums.W
	if s.RelErr == 0 {
		sums.GrossN = s.N
	}
	sums.Lost = slices.Clone(s.ErrX)
	sums.MeanErr = make([]float64, p+1)
	for j := range sums.MeanErr {
		switch {
		case j == p && s.MeanYLow == 0:
			sums.MeanErr[j] += dd.Unit * math.Abs(s.MeanY)
		case j < p && s.MeanXLow == nil:
			sums.MeanErr[j] += dd.Unit * math.Abs(s.MeanX[j])
		}
	}
	h := header{Names: s.Names, Response: s.response(), NoIntercept: s.NoIntercept, Scaling: s.Scaling, Coding: s.Coding, Omitted: s.Omitted}
	m := &Moments{momentsState{h.clone(), sums}}
	return valid(m, m.check(func(int) bool { return false }))
}

// weight returns W.
func (s *Sums) weight() float64 {
	if s.SumWeights == 0 {
		return float64(s.N)
	}
	return s.SumWeights
}

// check looks at lengths and values.
func (s *Sums) check() error {
	p := len(s.Names)
	if s.N <= 0 {
		return fmt.Errorf("%w: the sums are of %d rows", ErrNoData, s.N)
	}
	order := 0
	if s.SXX != nil && !s.SXX.IsEmpty() {
		order = s.SXX.SymmetricDim()
	}
	switch {
	case len(s.MeanX) != p || len(s.SXY) != p || order != p:
		return fmt.Errorf("%w: %d names, %d means, %d products with the response and a %d x %d SXX", ErrShape, p, len(s.MeanX), len(s.SXY), order, order)
	case s.MeanXLow != nil && len(s.MeanXLow) != p:
		return fmt.Errorf("%w: %d names and %d values of MeanXLow", ErrShape, p, len(s.MeanXLow))
	case s.ErrX != nil && len(s.ErrX) != p:
		return fmt.Errorf("%w: %d names and %d values of ErrX", ErrShape, p, len(s.ErrX))
	case slices.ContainsFunc(s.ErrX, func(e float64) bool { return !(e >= 0) || math.IsInf(e, 0) }):
		return fmt.Errorf("%w: Sums.ErrX = %v; errors are not negative", ErrSetting, s.ErrX)
	case !(s.RelErr >= 0 && s.RelErr < 1):
		return fmt.Errorf("%w: Sums.RelErr = %v; it lies in [0, 1)", ErrSetting, s.RelErr)
	case !(s.weight() > 0) || math.IsInf(s.weight(), 0):
		return fmt.Errorf("%w: Sums.SumWeights = %v; it is positive and finite", ErrSetting, s.SumWeights)
	case args.NotFinite(s.SumLogWeights):
		return fmt.Errorf("%w: Sums.SumLogWeights = %v", ErrNotFinite, s.SumLogWeights)
	case s.SumLogWeights > float64(s.N)*math.Log(s.weight()/float64(s.N))+1e-9*float64(s.N):
		return fmt.Errorf("%w: Sums.SumLogWeights = %v, more than that of %d equal weights that sum to %v", ErrShape, s.SumLogWeights, s.N, s.weight())
	case s.Omitted < 0:
		return fmt.Errorf("%w: Sums.Omitted = %d; it is not negative", ErrSetting, s.Omitted)
	}
	seen := make(map[string]bool, p)
	for _, name := range s.Names {
		if seen[name] {
			return fmt.Errorf("%w: two terms are named %q", ErrShape, name)
		}
		seen[name] = true
	}
	if s.Scaling != nil {
		if err := s.Scaling.check(p); err != nil {
			return err
		}
	}
	return s.checkProducts()
}

// name returns that of column j, of the response if j = p.
func (s *Sums) name(j int) string {
	if j < len(s.Names) {
		return fmt.Sprintf("term %q", s.Names[j])
	}
	return fmt.Sprintf("response %q", s.response())
}

func (s *Sums) response() string {
	if s.Response == "" {
		return "y"
	}
	return s.Response
}

// product returns S_jk, of which column p is the response.
func (s *Sums) product(j, k int) float64 {
	p := len(s.Names)
	switch {
	case j == p && k == p:
		return s.SYY
	case j == p:
		return s.SXY[k]
	case k == p:
		return s.SXY[j]
	}
	return s.SXX.At(j, k)
}

// checkProducts wants means and products that are finite and, within their error, those of
// some rows: |S_jk| is at most sqrt(S_jj S_kk), and S is positive semidefinite.
func (s *Sums) checkProducts() error {
	p := len(s.Names)
	roots := make([]float64, p+1)
	for j := range roots {
		mean, low := s.MeanY, s.MeanYLow
		if j < p {
			mean, low = s.MeanX[j], 0
			if s.MeanXLow != nil {
				low = s.MeanXLow[j]
			}
		}
		ss := s.product(j, j)
		switch {
		case args.NotFinite(mean) || args.NotFinite(low):
			return fmt.Errorf("%w: the mean of %s is %v", ErrNotFinite, s.name(j), mean+low)
		case args.NotFinite(ss):
			return fmt.Errorf("%w: the sum of squares of %s is %v", ErrNotFinite, s.name(j), ss)
		case ss < 0:
			return fmt.Errorf("%w: the sum of squares of %s is %v; sums that were not centered first are lost to rounding like this", ErrShape, s.name(j), ss)
		}
		roots[j] = math.Sqrt(ss)
	}
	// Beside RelErr, what rounding of many terms can do.
	err := s.RelErr + dd.Unit*(64+4*math.Sqrt(float64(s.N)))
	r := mat.NewSymDense(p+1, nil)
	for j := range p + 1 {
		r.SetSym(j, j, 1+float64(p+1)*err)
		for k := j + 1; k <= p; k++ {
			v := s.product(j, k)
			if args.NotFinite(v) {
				return fmt.Errorf("%w: the sum of products of %s and %s is %v", ErrNotFinite, s.name(j), s.name(k), v)
			}
			if math.Abs(v) > roots[j]*roots[k]*(1+2*err) {
				return fmt.Errorf("%w: the sum of products of %s and %s is %v, more than their sums of squares, %v and %v, allow",
					ErrShape, s.name(j), s.name(k), v, s.product(j, j), s.product(k, k))
			}
			if v != 0 {
				r.SetSym(j, k, v/roots[j]/roots[k])
			}
		}
	}
	if _, ok := lsq.Factor(r); ok {
		return nil
	}
	keep, _ := lsq.Cholesky(r, 0, 0)
	for j := range p + 1 {
		if !slices.Contains(keep, j) {
			return fmt.Errorf("%w: the sums of products are those of no rows, by more than their error (Sums.RelErr = %g): %s and those before it have a combination whose sum of squares is negative",
				ErrShape, s.RelErr, s.name(j))
		}
	}
	return nil
}
