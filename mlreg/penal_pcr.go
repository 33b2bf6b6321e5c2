package mlreg

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/algebra"
	"github.com/regbook/regbook/mlreg/internal/blocked"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/stream"
	"github.com/regbook/regbook/mlreg/report"
)

// PCRSettings are the options of FitPCR.
type PCRSettings struct {
	// Standardize takes the components of the columns divided by their standard
	// deviations, which are those of the correlation matrix, as prcomp(scale. = TRUE)
	// and princomp(cor = TRUE) do in R. The slopes stay in the units of the design.
	Standardize bool
}

// deviations returns the standard deviations of the columns if they are asked for.
func (s *PCRSettings) deviations(d *prepared) ([]float64, error) {
	if s == nil || !s.Standardize {
		return nil, nil
	}
	by := d.Lengths()
	for j, length := range by {
		if by[j] = d.XUnit[j].Out(length / math.Sqrt(d.W)); by[j] == 0 {
			return nil, fmt.Errorf("%w: term %q cannot be standardized; leave it out", ErrConstant, d.l.Names[j])
		}
	}
	return by, nil
}

// PCR is a fit by FitPCR. It holds no data and does not change.
type PCR struct {
	linear
	s pcrState
}

type pcrState struct {
	N, K      int
	RSS, Null float64
	Center    []float64 // p: of the columns divided by By
	By        []float64 // p; nil is ones
	Loadings  []float64 // p x K
	Square    []float64 // squared singular values, all
}

// FitPCR is principal components regression: least squares on the first k
// principal components of X. With the singular value decomposition X = U S V' of
// the centered X, s_1 >= s_2 >= ...,
//
//	yhat = mean(y) + sum_{j<=k} u_j u_j'y,   b = sum_{j<=k} v_j u_j'y / s_j,
//
// where least squares has the sum over all components, and ridge regression all
// of them weighted by s_j^2/(s_j^2 + lambda). Components depend on the units of
// the terms: Design.Standardize first if these are different, or let the settings
// do so for the components alone.
//
// Rows are decomposed as they are (as long as that takes less than about a
// second), sums by the eigenvectors of their cross-products. Nil
// settings are the defaults. Errors: ErrNoData, ErrShape, ErrNotFinite; ErrSetting
// if k is not between 1 and the number of singular values that are not zero;
// ErrConstant for a term that cannot be standardized.
//
// Hastie, Tibshirani and Friedman, The Elements of Statistical Learning, 2nd ed.,
// section 3.5.1.
func FitPCR(data Data, k int, settings *PCRSettings) (*PCR, error) {
	d, err := newRidgeData(data, settings.deviations)
	if err != nil {
		return nil, err
	}
	components := d.componentsOfRows
	if d.XT.Data == nil {
		components = d.componentsOfSums
	}
	v, square, tol, err := components(k)
	if err != nil {
		return nil, err
	}
	rank := 0
	for rank < len(square) && square[rank] > tol*square[0] {
		rank++
	}
	if k < 1 || k > rank {
		for j := range d.l.Names {
			if length := d.lengths[j]; length > 0 && length < smallTerm && k >= 1 {
				return nil, d.lost(j)
			}
		}
		return nil, fmt.Errorf("%w: %d components; X has %d of them", ErrSetting, k, rank)
	}
	p := len(d.l.Names)
	f := &PCR{s: pcrState{N: d.N, K: k, By: d.by, Null: d.Squares(d.YY), Loadings: make([]float64, p*k)}}
	for _, s := range square {
		f.s.Square = append(f.s.Square, (2 * d.unit).Out(math.Max(s, 0)))
	}
	w := make([]float64, p)
	rest := d.YY
	for c := range k {
		col := gram.Column(v, c)
		orient(col)
		along := d.along(col) // s_c u_c'y
		blas64.Axpy(along/square[c], col, gram.Vector(w))
		rest -= along * along / square[c]
		for j := range p {
			f.s.Loadings[j*k+c] = v.At(j, c)
		}
	}
	_, f.s.RSS = d.gradient(w)
	f.linear = d.coefficients(w)
	if d.XT.Data == nil {
		f.s.RSS = math.Max(rest, 0)
	}
	f.s.RSS = d.Squares(f.s.RSS)
	f.s.Center = d.MeanX
	return f, nil
}

// componentsOfRows returns the loadings of the principal components, as columns, their squared
// singular values, and what share of the first a square has to exceed to be no rounding.
func (d *ridgeData) componentsOfRows(int) (v *mat.Dense, square []float64, tol float64, err error) {
	v, s, u, err := blocked.SVD(mat.NewDense(d.XT.Rows, d.XT.Cols, d.XT.Data), mat.SVDThin)
	if err != nil {
		return nil, nil, 0, err
	}
	for c, s := range s {
		square = append(square, s*s)
		d.smallLoadings(gram.Column(v, c), s, func(j int) float64 {
			return blas64.Dot(rowOfMatrix(d.XT, j), gram.Column(u, c)) / s
		})
	}
	return v, square, noSquare, nil
}

// componentsOfSums is componentsOfRows of cross-products, with the loadings of the first k only.
func (d *ridgeData) componentsOfSums(k int) (v *mat.Dense, square []float64, tol float64, err error) {
	p := d.G.N
	first := p - min(max(k, 1), p) // the least of the components, by ascending eigenvalues
	square, ascending, err := algebra.Eigenvectors(mat.NewSymDense(p, d.G.Data), first)
	if err != nil {
		return nil, nil, 0, err
	}
	slices.Reverse(square)
	v = mat.NewDense(p, p-first, nil)
	for j := range p - first {
		from, s := gram.Column(ascending, p-first-1-j), square[j]
		blas64.Copy(from, gram.Column(v, j))
		product := make([]float64, p)
		blas64.Symv(1, d.G, from, 0, gram.Vector(product))
		d.smallLoadings(gram.Column(v, j), math.Sqrt(math.Max(s, 0)), func(i int) float64 { return product[i] / s })
	}
	return v, square, 1e-15 * float64(p), nil
}

// smallLoadings sets the elements of a direction v that belong to columns much
// shorter than the singular value s: a decomposition gives all elements to the
// rounding of the largest. Anew they are x_j'u/s, with u = Xv/s.
func (d *ridgeData) smallLoadings(v blas64.Vector, s float64, anew func(j int) float64) {
	for j := range v.N {
		if d.lengths[j] < 1e-4*s {
			v.Data[j*v.Inc] = anew(j)
		}
	}
}

// rowOfMatrix is row j of a as a vector.
func rowOfMatrix(a blas64.General, j int) blas64.Vector {
	return gram.Vector(a.Data[j*a.Stride : j*a.Stride+a.Cols])
}

// orient makes the largest element of a direction positive.
func orient(v blas64.Vector) {
	if v.Data[blas64.Iamax(v)*v.Inc] < 0 {
		blas64.Scal(-1, v)
	}
}

// along returns (Xv)'y.
func (d *ridgeData) along(v blas64.Vector) float64 {
	if d.XT.Data == nil {
		return blas64.Dot(v, gram.Vector(d.C))
	}
	var sum float64
	for j := range d.XT.Rows {
		sum += v.Data[j*v.Inc] * gram.Dot(d.XT.Data[j*d.XT.Stride:j*d.XT.Stride+d.XT.Cols], d.Y)
	}
	return sum
}

// NObs returns the number of observations; rows of weight zero do not count.
func (f *PCR) NObs() int { return f.s.N }

// Components returns k, the number of principal components.
func (f *PCR) Components() int { return f.s.K }

// Loadings returns the first k principal directions, p x k, of unit length; the
// element of each that is largest in size is positive.
func (f *PCR) Loadings() *mat.Dense {
	return mat.NewDense(len(f.l.Names), f.s.K, slices.Clone(f.s.Loadings))
}

// SingularValues returns the singular values of the centered X (with
// PCRSettings.Standardize, of the standardized X), descending, as
// many as the smaller of n and p; their squares over n are the variances along
// the components.
func (f *PCR) SingularValues() []float64 {
	s := slices.Clone(f.s.Square)
	for k, v := range s {
		s[k] = math.Sqrt(v)
	}
	return s
}

// Scores returns (x - mean)'v_j, x divided by its standard deviations with
// PCRSettings.Standardize, for every row of d and each of the k components.
// Errors are those of Predict.
func (f *PCR) Scores(d *Design) (*mat.Dense, error) {
	x, err := f.rows(d)
	if err != nil {
		return nil, err
	}
	centered := mat.DenseCopyOf(x)
	n, _ := x.Dims()
	for i := range n {
		row := centered.RawRowView(i)
		if f.s.By != nil {
			floats.Div(row, f.s.By)
		}
		for j, m := range f.s.Center {
			row[j] -= m
		}
	}
	var scores mat.Dense
	scores.Mul(centered, f.Loadings())
	return &scores, nil
}

// RSS returns the residual sum of squares, weighted if the design is.
func (f *PCR) RSS() float64 { return f.s.RSS }

// NullRSS returns the residual sum of squares of the null model.
func (f *PCR) NullRSS() float64 { return f.s.Null }

// R2 returns 1 - RSS/NullRSS.
func (f *PCR) R2() float64 { return 1 - f.s.RSS/f.s.Null }

// DoF returns the degrees of freedom: k, plus 1 for the intercept.
func (f *PCR) DoF() float64 {
	if f.l.NoIntercept {
		return float64(f.s.K)
	}
	return float64(f.s.K + 1)
}

// GobEncode implements gob.GobEncoder.
func (f *PCR) GobEncode() ([]byte, error) { return stream.Encode(f, &f.l, &f.s) }

// GobDecode implements gob.GobDecoder.
func (f *PCR) GobDecode(b []byte) error { return gobDecode(b, f, &f.l, &f.s) }

// Describe returns the table of the coefficients, with the size of the fit.
func (f *PCR) Describe() *report.Table {
	return describePenalized(f, fmt.Sprintf("Fit of %s on %s", f.Response(), format.Plural(f.Components(), "principal component")), sizeOf(f))
}

// String writes the table of the fit as text.
func (f *PCR) String() string { return f.Describe().String() }
