package mlreg

import (
	"fmt"
	"slices"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/door"
	"github.com/regbook/regbook/mlreg/internal/stream"
	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
)

// SizeCV is the cross-validation of models by their size. Its candidates are
// sizes, the smallest first: Mean, StdErr, Min and OneSE are those of CV.
type SizeCV struct {
	*CV
	s sizeState
}

type sizeState struct {
	Sizes []int
	Terms [][][]string // of every size, those selected without fold k
	// The fits of SizeMin and SizeOneSE terms that search selected from all rows, nil
	// where it has no model of the size.
	FitMin, FitOneSE *OLS
}

// CrossValidateSizes estimates the prediction error of a selection of terms by
// the size of the model it selects: for every fold, search selects models of
// several sizes from the data of all other folds, least squares fits them there,
// and they predict the fold; the loss is the squared error. The search is part of
// what is validated, so that a fold does not help to select the terms that are then
// tested on it (Hastie, Tibshirani and Friedman, The Elements of Statistical
// Learning, 2nd ed., section 7.10.2). For the best subsets, search is
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
// has a model of are returned; of several models of a size, the last counts. Last,
// all rows are searched, and least squares fits the models of SizeMin and SizeOneSE
// terms, see Chosen. Folds are searched at the same time, so that search must not
// change what it shares.
//
// The data are a *Design and folds of its rows; or nil, if the folds are
// MomentFolds. Errors: ErrSetting for fewer than two folds, ErrShape for folds of
// other rows, ErrNoData (also if no size is common to all folds), and those of
// search, with the number of the fold.
func CrossValidateSizes(data Data, folds *Folds, search func(Data) ([]SubsetModel, error)) (*SizeCV, error) {
	if search == nil {
		return nil, fmt.Errorf("%w: the function that searches is nil", ErrNoData)
	}
	f, err := newFoldErrors(data, folds)
	if err != nil {
		return nil, err
	}
	found, _, err := door.Each("fold", len(f.rest), nil, func(k int) (map[int][]string, error) {
		return modelsBySize(search(f.rest[k]))
	})
	if err != nil {
		return nil, err
	}
	c := &SizeCV{}
	for size := range found[0] {
		if !slices.ContainsFunc(found, func(terms map[int][]string) bool { _, ok := terms[size]; return !ok }) {
			c.s.Sizes = append(c.s.Sizes, size)
		}
	}
	if len(c.s.Sizes) == 0 {
		return nil, fmt.Errorf("%w: search found no size for which every fold has a model", ErrNoData)
	}
	slices.Sort(c.s.Sizes)
	losses := make([]*foldLoss, len(f.rest))
	for k := range losses {
		losses[k] = &foldLoss{weight: f.held[k].s.W}
	}
	for _, size := range c.s.Sizes {
		terms := make([][]string, len(losses))
		for k, l := range losses {
			terms[k] = found[k][size]
			e, err := f.fold(k, terms[k])
			if err != nil {
				return nil, err
			}
			l.mean = append(l.mean, e)
		}
		c.s.Terms = append(c.s.Terms, terms)
	}
	if c.CV, err = newCV(losses); err != nil {
		return nil, err
	}
	c.CV.s.Measure = "mean squared error"
	return valid(c, c.chooseFrom(data, f.total, search))
}

func modelsBySize(models []SubsetModel, err error) (map[int][]string, error) {
	bySize := make(map[int][]string)
	for _, m := range models {
		bySize[m.Size()] = slices.Clone(m.Terms)
	}
	return bySize, err
}

// chooseFrom fits the models that are chosen of all rows.
func (c *SizeCV) chooseFrom(data Data, total *Moments, search func(Data) ([]SubsetModel, error)) error {
	models, err := modelsBySize(search(total))
	if err != nil {
		return fmt.Errorf("all rows: %w", err)
	}
	fit := func(size int) (*OLS, error) {
		terms, ok := models[size]
		if !ok {
			return nil, nil
		}
		var from Data = total
		if d, ok := data.(*Design); ok {
			from = d
		}
		selected, err := selectTerms(from, terms)
		if err != nil {
			return nil, err
		}
		return FitOLS(selected, &OLSSettings{Aliased: DropAliased})
	}
	if c.s.FitMin, err = fit(c.SizeMin()); err != nil {
		return err
	}
	c.s.FitOneSE = c.s.FitMin
	if c.SizeOneSE() != c.SizeMin() {
		c.s.FitOneSE, err = fit(c.SizeOneSE())
	}
	return err
}

// Chosen returns least squares on the SizeMin or SizeOneSE terms that were selected from
// all rows. The error is ErrNoData if no model of that size was.
func (c *SizeCV) Chosen(oneSE bool) (fit any, name string, mean float64, err error) {
	k, ols := c.candidate(oneSE), c.s.FitMin
	if oneSE {
		ols = c.s.FitOneSE
	}
	if ols == nil {
		return nil, "", 0, fmt.Errorf("%w: the search of all rows has no model of %s", ErrNoData, format.Plural(c.s.Sizes[k], "term"))
	}
	return ols, format.Plural(c.s.Sizes[k], "term"), c.Mean()[k], nil
}

// Sizes returns the number of terms of every candidate, ascending.
func (c *SizeCV) Sizes() []int { return slices.Clone(c.s.Sizes) }

// SizeMin returns the size of least mean loss.
func (c *SizeCV) SizeMin() int { return c.s.Sizes[c.Min()] }

// SizeOneSE returns the smallest size whose mean loss is within a standard error
// of the least, see CV.OneSE.
func (c *SizeCV) SizeOneSE() int { return c.s.Sizes[c.OneSE()] }

// Terms returns the terms that were selected without each of the folds, for the
// k-th of Sizes.
func (c *SizeCV) Terms(k int) [][]string {
	terms := make([][]string, len(c.s.Terms[k]))
	for fold, names := range c.s.Terms[k] {
		terms[fold] = slices.Clone(names)
	}
	return terms
}

// GobEncode implements gob.GobEncoder.
func (c *SizeCV) GobEncode() ([]byte, error) { return stream.Encode(c, c.CV, &c.s) }

// GobDecode implements gob.GobDecoder.
func (c *SizeCV) GobDecode(b []byte) error { return gobDecode(b, c, &c.CV, &c.s) }

// foldErrors computes cross-validated errors of least squares from the moments of
// the folds.
type foldErrors struct {
	*foldSums
	rest []*Moments // of all other folds
}

func newFoldErrors(data Data, folds *Folds) (*foldErrors, error) {
	sums, err := newFoldSums(data, folds)
	if err != nil {
		return nil, err
	}
	if len(sums.held) < 2 {
		return nil, fmt.Errorf("%w: %d fold; there are two or more", ErrSetting, len(sums.held))
	}
	f := &foldErrors{foldSums: sums}
	for k := range sums.held {
		rest, err := sums.train(k)
		if err != nil {
			return nil, err
		}
		f.rest = append(f.rest, rest)
	}
	return f, nil
}

// of returns the cross-validated squared error of least squares on the given
// terms, and its standard error.
func (f *foldErrors) of(terms []string) (mean, stderr float64, err error) {
	losses := make([]*foldLoss, len(f.rest))
	for k := range losses {
		e, err := f.fold(k, terms)
		if err != nil {
			return 0, 0, err
		}
		losses[k] = &foldLoss{mean: []float64{e}, weight: f.held[k].s.W}
	}
	cv, err := newCV(losses)
	if err != nil {
		return 0, 0, err
	}
	return cv.Mean()[0], cv.StdErr()[0], nil
}

// fold returns the mean squared error on fold k of the terms fitted to the
// others.
func (f *foldErrors) fold(k int, terms []string) (float64, error) {
	test, err := f.held[k].Select(terms...)
	if err != nil {
		return 0, err
	}
	fit := linear{linearState{header: header{NoIntercept: test.s.NoIntercept}}}
	if len(terms) > 0 {
		train, err := f.rest[k].Select(terms...)
		if err != nil {
			return 0, err
		}
		ols, err := fitSums(train, nil, OLSSettings{Aliased: DropAliased})
		if err != nil {
			return 0, err
		}
		fit = ols.linear
	} else if !test.s.NoIntercept {
		fit.l.B0 = f.rest[k].s.MeanY
	}
	return test.squares(&fit) / test.s.W, nil
}

// Describe returns the errors by the number of terms as a table, with the sizes that
// they select.
func (c *SizeCV) Describe() *report.Table {
	t := tables.Rows("Cross-validated error by number of terms",
		report.IntColumn("size", c.Sizes()...), report.NumberColumn("loss", c.Mean(), 0), report.NumberColumn(format.StdErr, c.StdErr(), 3))
	t.Notes = []string{fmt.Sprintf("least error with %s; within one standard error of it with %d", format.Plural(c.SizeMin(), "term"), c.SizeOneSE())}
	return t
}

// String writes the errors as text.
func (c *SizeCV) String() string { return c.Describe().String() }
