package mlreg

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
)

// foldErrors computes cross-validated errors from the moments of the folds.
type foldErrors struct {
	folds, rest []*Moments // a fold and all other folds
}

func newFoldErrors(folds []*Moments) (*foldErrors, error) {
	if len(folds) < 2 {
		return nil, fmt.Errorf("%w: %d folds; there are two or more", ErrSetting, len(folds))
	}
	total := folds[0]
	for k, fold := range folds[1:] {
		var err error
		if total, err = total.Merge(fold); err != nil {
			return nil, fmt.Errorf("folds 1 and %d: %w", k+2, err)
		}
	}
	f := &foldErrors{folds: folds}
	for k, fold := range folds {
		if fold.s.N == 0 {
			return nil, fmt.Errorf("%w: fold %d is empty", ErrNoData, k+1)
		}
		rest, err := total.Subtract(fold)
		if err != nil {
			return nil, fmt.Errorf("without fold %d: %w", k+1, err)
		}
		f.rest = append(f.rest, rest)
	}
	return f, nil
}

// n returns the number of rows.
func (f *foldErrors) n() int { return f.rest[0].s.N + f.folds[0].s.N }

// of returns the cross-validated squared error of least squares on the given
// terms, and its standard error.
func (f *foldErrors) of(terms []string) (mean, stderr float64, err error) {
	errors, weights := make([]float64, len(f.folds)), make([]float64, len(f.folds))
	for k := range f.folds {
		if errors[k], err = f.fold(k, terms); err != nil {
			return 0, 0, err
		}
		weights[k] = f.folds[k].s.W
	}
	mean, stderr = foldMean(errors, weights)
	return mean, stderr, nil
}

// foldMean returns the mean of the errors of folds by their weights, and the
// standard deviation of the errors over the root of the number of folds.
func foldMean(errors, weights []float64) (mean, stderr float64) {
	k := float64(len(errors))
	var sum, weight, plain, squares float64
	for i, e := range errors {
		sum += weights[i] * e
		weight += weights[i]
		plain += e / k
	}
	for _, e := range errors {
		squares += (e - plain) * (e - plain)
	}
	return sum / weight, math.Sqrt(squares / (k - 1) / k)
}

// fold returns the mean squared error on fold k of the terms fitted to the
// others.
func (f *foldErrors) fold(k int, terms []string) (float64, error) {
	test, err := f.folds[k].Select(terms...)
	if err != nil {
		return 0, err
	}
	fit := linear{linearState{header: header{NoIntercept: test.s.NoIntercept}}}
	if len(terms) > 0 {
		train, err := f.rest[k].Select(terms...)
		if err != nil {
			return 0, err
		}
		ols, err := fitSums(train, OLSSettings{Aliased: DropAliased})
		if err != nil {
			return 0, err
		}
		fit = ols.linear
	} else if !test.s.NoIntercept {
		fit.l.B0 = f.rest[k].s.MeanY
	}
	return test.squares(&fit) / test.s.W, nil
}

// squares returns sum_i w_i (y_i - b_0 - x_i'b)^2 over the rows of m, whose terms
// are those of the fit in its order.
func (m *Moments) squares(f *linear) float64 {
	s := &m.s
	b := withoutNaN(f.l.B)
	bias := s.MeanY - f.l.B0
	ss := s.SYY
	if p := len(b); p > 0 {
		v, image := vector(b), vector(make([]float64, p))
		bias -= blas64.Dot(vector(s.MeanX), v)
		blas64.Symv(1, m.SXX().RawSymmetric(), v, 0, image)
		ss += blas64.Dot(image, v) - 2*blas64.Dot(vector(s.SXY), v)
	}
	return math.Max(ss, 0) + s.W*bias*bias
}

// SizeError is the cross-validated error of models of a size.
type SizeError struct {
	Size int
	// CVError is the mean of the squared errors of all rows, StdErr the
	// standard deviation of the errors of the folds over the root of their
	// number.
	CVError, StdErr float64
	// Terms are those selected without fold k, for every fold.
	Terms [][]string
}

// CrossValidateSizes estimates the prediction error of a selection of terms by
// the size of the model it selects: for every fold, search selects models of
// several sizes from the data of all other folds, least squares fits them there,
// and they predict the fold. The search is part of what is validated, so that a
// fold does not help to select the terms that are then tested on it (Hastie,
// Tibshirani and Friedman, The Elements of Statistical Learning, 2nd ed., section
// 7.10.2). For the best subsets, search is
//
//	func(data mlreg.Data) ([]mlreg.SubsetModel, error) {
//		f, err := mlreg.FitBestSubsets(data, nil)
//		if err != nil {
//			return nil, err
//		}
//		return f.Models(), nil
//	}
//
// and for forward selection the Models of a FullPath. Only sizes that every fold
// has a model of are returned, the smallest first; of several models of a size,
// the last counts. The moments of a fold are those of its rows,
// Design.Rows(...).Moments().
//
// Errors: ErrSetting for fewer than two folds, ErrShape for folds of different
// data, ErrNoData, and those of search.
func CrossValidateSizes(folds []*Moments, search func(Data) ([]SubsetModel, error)) ([]SizeError, error) {
	f, err := newFoldErrors(folds)
	if err != nil {
		return nil, err
	}
	bySize := make(map[int][]SubsetModel)
	var sizes []int
	for k, rest := range f.rest {
		models, err := search(rest)
		if err != nil {
			return nil, fmt.Errorf("without fold %d: %w", k+1, err)
		}
		for _, m := range models {
			list := bySize[m.Size()]
			switch {
			case len(list) == k+1:
				list[k] = m
			case len(list) == k:
				bySize[m.Size()] = append(list, m)
			}
			if !slices.Contains(sizes, m.Size()) {
				sizes = append(sizes, m.Size())
			}
		}
	}
	slices.Sort(sizes)
	var out []SizeError
	for _, size := range sizes {
		list := bySize[size]
		if len(list) < len(folds) {
			continue
		}
		row := SizeError{Size: size}
		var errors, weights []float64
		for k, m := range list {
			e, err := f.fold(k, m.Terms)
			if err != nil {
				return nil, err
			}
			errors, weights = append(errors, e), append(weights, folds[k].s.W)
			row.Terms = append(row.Terms, m.Terms)
		}
		row.CVError, row.StdErr = foldMean(errors, weights)
		out = append(out, row)
	}
	return out, nil
}

// BestSize returns the row with the least cross-validated error, and the smallest
// row whose error is within one standard error of it, the one-standard-error rule
// (Breiman, Friedman, Olshen and Stone 1984, section 3.4.3); -1 and -1 if there
// are no rows.
func BestSize(rows []SizeError) (least, oneStdErr int) {
	least, oneStdErr = -1, -1
	for i, row := range rows {
		if least < 0 || row.CVError < rows[least].CVError {
			least = i
		}
	}
	for i, row := range rows {
		if row.CVError <= rows[least].CVError+rows[least].StdErr && (oneStdErr < 0 || row.Size < rows[oneStdErr].Size) {
			oneStdErr = i
		}
	}
	return least, oneStdErr
}
