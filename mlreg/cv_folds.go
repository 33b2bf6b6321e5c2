package mlreg

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/door"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/nesting"
	"github.com/regbook/regbook/mlreg/internal/stream"
	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
)

// Folds say which rows are held out together. KFold, DefaultFolds, StratifiedKFold,
// GroupedKFold, LeaveOneOut, ValidationSet, RandomValidationSet and NewFolds make
// them; MomentFolds makes those of data whose rows are elsewhere. They do not change.
type Folds struct {
	of   []int // the fold of each row, -1 if it is never held out
	k    int
	sums []*Moments // of each fold, by MomentFolds
}

// NewFolds returns the folds of an assignment: for every row the number of its fold,
// counted from 0, or -1 if it is never held out. The error names a fold without
// rows, or one that leaves no row to fit.
func NewFolds(assignment []int) (*Folds, error) {
	f := &Folds{of: slices.Clone(assignment)}
	for i, k := range f.of {
		if k < -1 {
			return nil, fmt.Errorf("%w: row %d is in fold %d; folds are counted from 0, and -1 is none", ErrSetting, i+1, k)
		}
		if k >= len(f.of) {
			return nil, fmt.Errorf("%w: row %d is in fold %d, and there are %s: a fold has no rows; number them from 0", ErrNoData, i+1, k, format.Plural(len(f.of), "row"))
		}
		f.k = max(f.k, k+1)
	}
	if f.k == 0 {
		return nil, fmt.Errorf("%w: no row is held out", ErrNoData)
	}
	size := make([]int, f.k)
	for _, k := range f.of {
		if k >= 0 {
			size[k]++
		}
	}
	for k, n := range size {
		if n == 0 {
			return nil, fmt.Errorf("%w: fold %d has no rows", ErrNoData, k)
		}
		if n == len(f.of) {
			return nil, fmt.Errorf("%w: fold %d has all %d rows and leaves none to fit", ErrNoData, k, n)
		}
	}
	return f, nil
}

// checkFolds refuses numbers of folds that n rows, or groups of them, cannot make.
func checkFolds(n, k int, what string, src rand.Source) error {
	if k < 2 || k > n {
		return fmt.Errorf("%w: %d folds of %d %s; take at least 2, and at most one for each of the %s", ErrSetting, k, n, what, what)
	}
	if err := args.Size(fmt.Sprintf("folds of %d %s", n, what), float64(n), "divide a part of them, or use MomentFolds"); err != nil {
		return err
	}
	return args.Source(src)
}

// KFold divides n rows at random into k folds, 2 <= k <= n, whose sizes differ by
// one at most. The same source gives the same folds. It is ErrSetting if k is out of
// range or the source is nil.
func KFold(n, k int, src rand.Source) (*Folds, error) {
	if err := checkFolds(n, k, "rows", src); err != nil {
		return nil, err
	}
	f := &Folds{of: make([]int, n), k: k}
	for i, row := range rand.New(src).Perm(n) {
		f.of[row] = i % k
	}
	return f, nil
}

// StratifiedKFold divides rows at random into k folds, each of which has its share of
// every label, up to a row. Labels are the class of every row, or a response with few
// levels. Errors are those of KFold.
func StratifiedKFold[T cmp.Ordered](labels []T, k int, src rand.Source) (*Folds, error) {
	if err := checkFolds(len(labels), k, "rows", src); err != nil {
		return nil, err
	}
	f := &Folds{of: make([]int, len(labels)), k: k}
	rows := rand.New(src).Perm(len(labels))
	slices.SortStableFunc(rows, func(a, b int) int { return cmp.Compare(labels[a], labels[b]) })
	for i, row := range rows {
		f.of[row] = i % k
	}
	return f, nil
}

// GroupedKFold divides rows at random into k folds and keeps the rows of a group
// together, such as the measurements of one patient. The groups, largest first, go to
// the fold that has the fewest rows. Errors are those of KFold; k is at most the
// number of groups.
func GroupedKFold[T cmp.Ordered](groups []T, k int, src rand.Source) (*Folds, error) {
	rows, names := nesting.RowsByGroup(groups)
	if err := checkFolds(len(names), k, "groups", src); err != nil {
		return nil, err
	}
	shuffleLargestFirst(names, rows, src)
	f := &Folds{of: make([]int, len(groups)), k: k}
	size := make([]int, k)
	for _, g := range names {
		smallest := 0
		for j, n := range size {
			if n < size[smallest] {
				smallest = j
			}
		}
		size[smallest] += len(rows[g])
		for _, i := range rows[g] {
			f.of[i] = smallest
		}
	}
	return f, nil
}

// DefaultFolds are the folds that FitLassoCV and the like take if none are given: ten, or as many as
// there are rows or clusters if those are fewer, at random and the same in every run. Rows of a cluster
// (Design.Clusters) stay together as in GroupedKFold, and of classes every fold has its share as in
// StratifiedKFold. Errors are those of KFold, and ErrNoData for a nil design.
func DefaultFolds(d *Design) (*Folds, error) {
	if err := d.Check(); err != nil {
		return nil, err
	}
	const most = 10
	src, n := rand.NewPCG(1, 1), d.NObs()
	switch {
	case d.Clusters != nil:
		_, names := nesting.RowsByGroup(d.Clusters)
		return GroupedKFold(d.Clusters, min(most, len(names)), src)
	case d.Classes != nil && d.Y != nil:
		return StratifiedKFold(d.Y, min(most, n), src)
	}
	return KFold(n, min(most, n), src)
}

// LeaveOneOut returns n folds of one row each, n >= 2 (ErrSetting).
func LeaveOneOut(n int) (*Folds, error) {
	if n < 2 {
		return nil, fmt.Errorf("%w: one of %d rows cannot be left out; take two rows or more", ErrSetting, n)
	}
	if err := args.Size(fmt.Sprintf("folds of %d rows", n), float64(n), "LOOMSE needs none"); err != nil {
		return nil, err
	}
	return &Folds{of: gram.NumbersTo(n), k: n}, nil
}

// ValidationSet returns a single fold, of the rows for which held is true; the others
// are fitted. It is ErrNoData if there are none of either.
func ValidationSet(held []bool) (*Folds, error) {
	of := make([]int, len(held))
	for i, h := range held {
		if !h {
			of[i] = -1
		}
	}
	return NewFolds(of)
}

// RandomValidationSet returns a single fold, of size rows taken at random from n,
// 1 <= size < n (ErrSetting).
func RandomValidationSet(n, size int, src rand.Source) (*Folds, error) {
	if size < 1 || size >= n {
		return nil, fmt.Errorf("%w: %d of %d rows to hold out; hold out one at least, and not all", ErrSetting, size, n)
	}
	if err := args.Source(src); err != nil {
		return nil, err
	}
	if err := args.Size(fmt.Sprintf("folds of %d rows", n), float64(n), "divide a part of them"); err != nil {
		return nil, err
	}
	held := make([]bool, n)
	for _, row := range rand.New(src).Perm(n)[:size] {
		held[row] = true
	}
	return ValidationSet(held)
}

// MomentFolds returns folds whose sums alone are known, such as those of a table that
// does not fit into memory, given the moments of two or more folds.
// CrossValidateSizes, FitLearningCurve, FitStepwise and the ...CV of
// the lasso, elastic net and ridge regression take them; what needs rows refuses them. The
// error names a fold that is empty (ErrNoData) or has other terms than the first
// (ErrShape).
func MomentFolds(sums ...*Moments) (*Folds, error) {
	if len(sums) < 2 {
		return nil, fmt.Errorf("%w: the moments of %d folds; give two or more", ErrSetting, len(sums))
	}
	for k, m := range sums {
		if m == nil || m.s.N == 0 {
			return nil, fmt.Errorf("%w: fold %d is empty", ErrNoData, k)
		}
		if !slices.Equal(m.s.Names, sums[0].s.Names) {
			return nil, fmt.Errorf("%w: fold %d has the terms %s, and fold 0 has %s", ErrShape, k, format.Quoted(m.s.Names), format.Quoted(sums[0].s.Names))
		}
	}
	return &Folds{k: len(sums), sums: slices.Clone(sums)}, nil
}

// Len returns the number of folds.
func (f *Folds) Len() int { return f.k }

// NObs returns the number of rows.
func (f *Folds) NObs() int {
	n := len(f.of)
	for _, m := range f.sums {
		n += m.s.N
	}
	return n
}

// Assignment returns the fold of every row, -1 for a row that is never held out,
// and nil for MomentFolds.
func (f *Folds) Assignment() []int { return slices.Clone(f.of) }

// Test returns the rows held out in fold k.
func (f *Folds) Test(k int) []int { return f.rows(func(fold int) bool { return fold == k }) }

// Train returns the rows that are fitted when fold k is held out.
func (f *Folds) Train(k int) []int { return f.rows(func(fold int) bool { return fold != k }) }

// size returns the number of rows of fold k.
func (f *Folds) size(k int) int {
	if f.sums != nil {
		return f.sums[k].s.N
	}
	return len(f.Test(k))
}

func (f *Folds) rows(in func(fold int) bool) []int {
	var rows []int
	for i, fold := range f.of {
		if in(fold) {
			rows = append(rows, i)
		}
	}
	return rows
}

// checkRows refuses folds that are not of the rows of d.
func (f *Folds) checkRows(d *Design) error {
	switch {
	case f == nil:
		return fmt.Errorf("%w: the folds are nil", ErrNoData)
	case f.sums != nil:
		return fmt.Errorf("%w: these folds are sums (MomentFolds); folds of rows are needed, such as those of KFold", ErrShape)
	case f.NObs() != d.NObs():
		return fmt.Errorf("%w: the folds have %d rows and the design has %d", ErrShape, f.NObs(), d.NObs())
	}
	return nil
}

// foldSums are the moments of folds.
type foldSums struct {
	total *Moments
	held  []*Moments
}

// newFoldSums sums up the rows of every fold, or takes the sums of MomentFolds,
// whose data may be anything.
func newFoldSums(data Data, folds *Folds) (*foldSums, error) {
	s := &foldSums{}
	if folds != nil && folds.sums != nil {
		s.held = folds.sums
		for k, m := range s.held {
			if err := s.add(m); err != nil {
				return nil, fmt.Errorf("fold %d: %w", k, err)
			}
		}
		return s, nil
	}
	d, ok := data.(*Design)
	if !ok {
		return nil, noRowsToDivide(data)
	}
	if err := d.checkFit(); err != nil {
		return nil, err
	}
	if err := folds.checkRows(d); err != nil {
		return nil, err
	}
	for k := range folds.Len() {
		rows := d.Rows(folds.Test(k)...)
		if rows.weightless() {
			return nil, fmt.Errorf("%w: every row of fold %d has weight zero", ErrNoData, k)
		}
		m, err := rows.Moments()
		if err != nil {
			return nil, err
		}
		s.held = append(s.held, m)
		if err := s.add(m); err != nil {
			return nil, err
		}
	}
	if always := folds.rows(func(fold int) bool { return fold < 0 }); len(always) > 0 {
		if rows := d.Rows(always...); !rows.weightless() {
			m, err := rows.Moments()
			if err != nil {
				return nil, err
			}
			if err := s.add(m); err != nil {
				return nil, err
			}
		}
	}
	return s, nil
}

// noRowsToDivide is the error for data that are neither rows nor come with MomentFolds.
func noRowsToDivide(data Data) error {
	return fmt.Errorf("%w: a %T has no rows to divide into folds; give a *Design, or MomentFolds of the sums of every fold, which source.Design.Folds returns", ErrShape, data)
}

func (s *foldSums) add(m *Moments) (err error) {
	if s.total == nil {
		s.total = m
		return nil
	}
	s.total, err = s.total.Merge(m)
	return err
}

// train returns the moments of the training rows of a fold: those of all rows
// less the fold's.
func (s *foldSums) train(k int) (*Moments, error) {
	m, err := s.total.Subtract(s.held[k])
	if err != nil {
		return nil, fmt.Errorf("without fold %d: %w", k, err)
	}
	p := len(m.s.Names)
	// A column that varies in the fold only: what rounding left of it.
	for j := range p {
		if m.s.SXX[j*p+j] > 1e-13*s.total.s.SXX[j*p+j] {
			continue
		}
		for i := range p {
			m.s.SXX[min(i, j)*p+max(i, j)] = 0
		}
		m.s.SXY[j] = 0
	}
	return m, nil
}

// GobEncode implements gob.GobEncoder.
func (f *Folds) GobEncode() ([]byte, error) { return stream.Encode(f, f.of, f.sums) }

// GobDecode implements gob.GobDecoder.
func (f *Folds) GobDecode(b []byte) error { return gobDecode(b, f, &f.of, &f.sums) }

func (f *Folds) restored() error {
	made, err := NewFolds(f.of)
	if len(f.sums) > 0 {
		made, err = MomentFolds(f.sums...)
	}
	if err == nil {
		*f = *made
	}
	return err
}

// Describe returns the sizes of the folds as a table that is written in a line:
// "10 folds of 97 rows (9 or 10 each)".
func (f *Folds) Describe() *report.Table {
	counts := format.Each(gram.NumbersTo(f.Len()), f.size)
	sizes := slices.Clone(counts)
	slices.Sort(sizes)
	sizes = slices.Compact(sizes)
	each := strings.Trim(fmt.Sprint(sizes), "[]")
	switch {
	case len(sizes) == 2:
		each = fmt.Sprintf("%d or %d", sizes[0], sizes[1])
	case len(sizes) > 2:
		each = fmt.Sprintf("%d to %d", sizes[0], sizes[len(sizes)-1])
	}
	return tables.Line(fmt.Sprintf("%s of %d rows (%s each)", format.Plural(f.Len(), "fold"), f.NObs(), each),
		tables.Int("fold", gram.NumbersTo(f.Len()), func(k int) int { return k + 1 }), report.IntColumn("rows", counts...))
}

// String writes the sizes of the folds in a line.
func (f *Folds) String() string { return f.Describe().String() }

func init() {
	door.CheckFolds = func(folds, design any) error { return folds.(*Folds).checkRows(design.(*Design)) }
}
