package assess

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/door"
	"github.com/regbook/regbook/mlreg/internal/fault"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/lsq"
	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
)

// ConformalBand are prediction limits that hold in finite samples, whatever the noise and
// however wrong the model, if the rows and the new ones are exchangeable: each is a draw
// from the same distribution, say.
type ConformalBand struct {
	Method string
	Level  float64
	// Guaranteed is the probability with which limits at a new row hold its response, at
	// least, over rows and new row together. Expected is that which comes about for a fit
	// that hardly depends on a single row.
	Guaranteed, Expected float64
	// N is the number of rows that limits are made of. Limits are infinite where there are
	// too few for the level.
	N                    int
	Fitted, Lower, Upper []float64 // one value a row
}

// conformalRank returns k = ceil(level (n+1)), the order statistic that n+1 exchangeable
// scores leave above level of them.
func conformalRank(n int, level float64) int { return max(1, int(math.Ceil(level*float64(n+1)-1e-9))) }

// rank sorts the scores of the calibration rows, states the coverage, and returns the
// score of the rank that it needs: infinite if there are too few.
func (b *ConformalBand) rank(score []float64) float64 {
	k := conformalRank(b.N, b.Level)
	b.Guaranteed = math.Min(float64(k)/float64(b.N+1), 1)
	b.Expected = b.Guaranteed
	if k > b.N {
		return math.Inf(1)
	}
	slices.Sort(score)
	return score[k-1]
}

// conformalRows checks the level of limits, and the rows that they are made of.
func conformalRows(d *mlreg.Design, what string, level float64) error {
	if err := fault.Level(level); err != nil {
		return err
	}
	if err := d.CheckFit(); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	for i, w := range d.Weights {
		if w != d.Weights[0] {
			return fmt.Errorf("%w: %s have weights, %v in row %d; rows with weights are not exchangeable", mlreg.ErrSetting, what, w, d.RowNumber(i))
		}
	}
	return nil
}

// SplitConformal returns limits for the rows of new from the residuals of rows that took
// no part in the fit, the calibration rows:
//
//	yhat(x) -+ q s(x),   q the k-th smallest of |y_i - yhat_i|/s(x_i),   k = ceil(level (n+1)).
//
// They hold a new response with probability k/(n+1) exactly if no two scores are equal.
// Spread, if not nil, predicts the size s(x) > 0 of the residuals at a row, so that limits
// are wider where the noise is (locally weighted); nil is s = 1. It must not have seen the
// calibration rows either; one fitted to the absolute residuals of the training rows will
// do.
//
// Errors: mlreg.ErrNoData for nil arguments, mlreg.ErrSetting for a level outside (0, 1), weights that
// differ, calibration rows whose responses are those that the fit or the spread was fitted to,
// in their order (rows that it shares in part are not seen), and a spread that is not positive, and those of the predictions. (Lei, G'Sell,
// Rinaldo, Tibshirani and Wasserman, Journal of the American Statistical Association 113
// (2018), 1094-1111, theorem 2.2 and section 5.2.)
func SplitConformal(fit mlreg.Predictor, calibration, new *mlreg.Design, level float64, spread mlreg.Predictor) (*ConformalBand, error) {
	if err := args.Given("the fit", fit); err != nil {
		return nil, err
	}
	if err := conformalRows(calibration, "the calibration rows", level); err != nil {
		return nil, err
	}
	for k, f := range []mlreg.Predictor{fit, spread} {
		if args.Given("it", f) == nil && door.FittedTo(f, calibration) {
			return nil, fmt.Errorf("%w: the calibration rows are the %d rows that %s is of; keep rows apart for calibration, or take CVPlus or JackknifePlus",
				mlreg.ErrSetting, calibration.NObs(), [...]string{"the fit", "the spread"}[k])
		}
	}
	b := &ConformalBand{Method: "split conformal", Level: level, N: calibration.NObs()}
	at := func(d *mlreg.Design) (yhat, s []float64, err error) {
		if yhat, err = predictAll(fit, d); err != nil {
			return nil, nil, err
		}
		s = slices.Repeat([]float64{1}, len(yhat))
		if spread == nil {
			return yhat, s, nil
		}
		if err := args.Given("the spread", spread); err != nil {
			return nil, nil, err
		}
		if s, err = predictAll(spread, d); err != nil {
			return nil, nil, fmt.Errorf("spread: %w", err)
		}
		for i, v := range s {
			if !(v > 0) {
				return nil, nil, fmt.Errorf("%w: the spread is %v in row %d; it is positive, such as the exponential of a fit to logarithms", mlreg.ErrSetting, v, d.RowNumber(i))
			}
		}
		return yhat, s, nil
	}
	if spread != nil {
		b.Method = "locally weighted split conformal"
	}
	yhat, s, err := at(calibration)
	if err != nil {
		return nil, err
	}
	score := make([]float64, b.N)
	for i, y := range calibration.Y {
		score[i] = math.Abs(y-yhat[i]) / s[i]
	}
	q := b.rank(score)
	if b.Fitted, s, err = at(new); err != nil {
		return nil, err
	}
	for i, v := range b.Fitted {
		b.Lower, b.Upper = append(b.Lower, v-q*s[i]), append(b.Upper, v+q*s[i])
	}
	return b, nil
}

// predictAll predicts rows and checks that there is a finite value of each.
func predictAll(f mlreg.Predictor, d *mlreg.Design) ([]float64, error) {
	if err := args.Given("the design", d); err != nil {
		return nil, err
	}
	yhat, err := f.Predict(d)
	if err == nil && len(yhat) != d.NObs() {
		err = fmt.Errorf("%w: the fit predicts %d values for %d rows", mlreg.ErrShape, len(yhat), d.NObs())
	}
	if err != nil {
		return nil, err
	}
	for i, v := range yhat {
		if args.NotFinite(v) {
			return nil, fmt.Errorf("%w: the prediction of row %d is %v", mlreg.ErrNotFinite, d.RowNumber(i), v)
		}
	}
	return yhat, nil
}

// CVPlus returns limits for the rows of new from fits without each fold, which judge the
// fold, with the n residuals R_i = |y_i - yhat_(i)(x_i)| of rows by the fits without their
// fold:
//
//	lower   the (n+1-k)-th smallest of yhat_(i)(x) - R_i,   k = ceil(level (n+1))
//	upper   the k-th smallest of yhat_(i)(x) + R_i.
//
// With alpha = 1-level they hold a new response with probability of at least 1 - 2 alpha
// for LeaveOneOut folds, the jackknife+, and for K folds of m = n/K rows at least
//
//	1 - 2 alpha - min(2 (1-1/K)/(m+1), (1-K/n)/(K+1)).
//
// Usually it is about level. Fitted is the mean of the predictions without each row. For
// least squares and ridge regression, JackknifePlus needs no fits. Every row must be in a
// fold (mlreg.ErrSetting). Errors are those of SplitConformal and of fit, with the number of the
// fold.
//
// Barber, Candes, Ramdas and Tibshirani, The Annals of Statistics 49 (2021), 486-507,
// theorems 1 and 4.
func CVPlus[P mlreg.Predictor](d *mlreg.Design, folds *mlreg.Folds, fit func(train *mlreg.Design) (P, error), new *mlreg.Design, level float64) (*ConformalBand, error) {
	if fit == nil {
		return nil, fmt.Errorf("%w: the function that fits is nil", mlreg.ErrNoData)
	}
	if err := conformalRows(d, "the rows", level); err != nil {
		return nil, err
	}
	if err := door.CheckFolds(folds, d); err != nil {
		return nil, err
	}
	if err := args.Given("the design of the new rows", new); err != nil {
		return nil, err
	}
	n := d.NObs()
	of := folds.Assignment()
	if i := slices.Index(of, -1); i >= 0 {
		return nil, fmt.Errorf("%w: row %d is in no fold; every row must be predicted without it", mlreg.ErrSetting, i+1)
	}
	parts, residual, err := outOfFold(d, folds, fit, new)
	if err != nil {
		return nil, err
	}
	b := newPlusBand("jackknife+", level, n)
	if folds.Len() < n {
		size := n
		for k := range folds.Len() {
			size = min(size, len(folds.Test(k)))
		}
		kk, nn := float64(folds.Len()), float64(n)
		b.Method = fmt.Sprintf("CV+ with %d folds", folds.Len())
		b.Guaranteed = math.Max(0, b.Guaranteed-math.Min(2*(1-1/kk)/(float64(size)+1), (1-kk/nn)/(kk+1)))
	}
	low, high := make([]float64, n), make([]float64, n)
	for j := range new.NObs() {
		var mean float64
		for i, k := range of {
			at := parts[k][j]
			mean += at / float64(n)
			low[i], high[i] = at-residual[i], at+residual[i]
		}
		slices.Sort(low)
		slices.Sort(high)
		b.Fitted = append(b.Fitted, mean)
		lower, upper := math.Inf(-1), math.Inf(1)
		if k := conformalRank(n, level); k <= n {
			lower, upper = low[n-k], high[k-1]
		}
		b.Lower, b.Upper = append(b.Lower, lower), append(b.Upper, upper)
	}
	return b, nil
}

// outOfFold returns the predictions of the new rows by the fits without each fold, and the absolute
// residuals of the rows by those without theirs.
func outOfFold[P mlreg.Predictor](d *mlreg.Design, folds *mlreg.Folds, fit func(train *mlreg.Design) (P, error), new *mlreg.Design) (at [][]float64, residual []float64, err error) {
	residual = make([]float64, d.NObs())
	at, _, err = door.Each("fold", folds.Len(), nil, func(k int) ([]float64, error) {
		f, err := fit(d.Rows(folds.Train(k)...))
		if err != nil {
			return nil, err
		}
		if err := args.Given("the fit", f); err != nil {
			return nil, err
		}
		test := folds.Test(k)
		held, err := predictAll(f, d.Rows(test...))
		if err != nil {
			return nil, err
		}
		for i, row := range test {
			residual[row] = math.Abs(d.Y[row] - held[i])
		}
		return predictAll(f, new)
	})
	return at, residual, err
}

// newPlusBand is the jackknife+ of n rows.
func newPlusBand(method string, level float64, n int) *ConformalBand {
	return &ConformalBand{Method: method, Level: level, N: n, Guaranteed: math.Max(0, 2*level-1), Expected: level}
}

// JackknifePlus returns the limits of CVPlus with LeaveOneOut folds for a fit by mlreg.FitOLS or
// mlreg.FitRidge to the rows d, in closed form and without another fit: with residuals e_i,
// leverages h_i and the same lambda and scaling,
//
//	yhat_(i)(x) = yhat(x) - a'(A'A + lambda F)^-1 a_i e_i/(1 - h_i),   R_i = |e_i|/(1 - h_i),
//
// a = (1, x), A the rows a_i'. The intercept is not penalized. Fitted are the predictions
// of the fit itself. Limits hold with probability of at least 2 level - 1, and usually about
// level.
//
// Errors: those of SplitConformal; mlreg.ErrSetting for another fit, mlreg.ErrShape for rows that are
// not those fitted, mlreg.ErrNotEstimable for a row of leverage 1.
//
// Barber, Candes, Ramdas and Tibshirani, The Annals of Statistics 49 (2021), 486-507,
// theorem 1.
func JackknifePlus(fit mlreg.LinearSmoother, d, new *mlreg.Design, level float64) (*ConformalBand, error) {
	if err := args.Given("the fit", fit); err != nil {
		return nil, err
	}
	if err := conformalRows(d, "the rows", level); err != nil {
		return nil, err
	}
	if err := args.Given("the design of the new rows", new); err != nil {
		return nil, err
	}
	s, err := newSmootherRows(fit, d)
	if err != nil {
		return nil, err
	}
	at, err := door.ColumnsOf(fit, new)
	if err != nil {
		return nil, fmt.Errorf("the new rows: %w", err)
	}
	n := d.NObs()
	b := newPlusBand("jackknife+", level, n)
	if b.Fitted, err = s.fit.Predict(new); err != nil {
		return nil, fmt.Errorf("the new rows: %w", err)
	}
	b.Lower, b.Upper = slices.Repeat([]float64{math.Inf(-1)}, len(b.Fitted)), slices.Repeat([]float64{math.Inf(1)}, len(b.Fitted))
	if k := conformalRank(n, level); k <= n {
		s.limits(b, at.(*mlreg.Design).X, n+1-k)
	}
	return b, nil
}

// smoother is least squares or ridge regression.
type smoother interface {
	mlreg.LinearSmoother
	mlreg.Predictor
	NObs() int
	DoF() float64
}

// smootherRows are the rows of a smoother.
type smootherRows struct {
	fit      smoother
	coords   *lsq.Coordinates
	x        *mat.Dense
	residual []float64 // e/(1-h)
	most     float64   // largest |z_i| |residual_i|
}

func newSmootherRows(fit mlreg.LinearSmoother, d *mlreg.Design) (*smootherRows, error) {
	s := &smootherRows{}
	switch f := fit.(type) {
	case *mlreg.OLS:
		if aliased := f.Aliased(); len(aliased) > 0 {
			return nil, fmt.Errorf("%w: the fit has aliased terms %s; leave them out", mlreg.ErrNotEstimable, format.Quoted(aliased))
		}
		s.fit = f
	case *mlreg.Ridge:
		s.fit = f
	default:
		return nil, fmt.Errorf("%w: a %T; the closed form is of *OLS and *Ridge, and CVPlus takes any fit", mlreg.ErrSetting, fit)
	}
	if n := s.fit.NObs(); n != d.NObs() {
		return nil, fmt.Errorf("%w: the fit is to %d rows, and there are %d; give those fitted", mlreg.ErrShape, n, d.NObs())
	}
	columns, err := door.ColumnsOf(fit, d)
	if err != nil {
		return nil, err
	}
	s.x = columns.(*mlreg.Design).X
	h, err := s.leverages(d)
	if err != nil {
		return nil, err
	}
	return s, s.leaveOut(d, h)
}

// leverages sets the coordinates of the rows and returns their leverages, which show whether these are the rows fitted.
func (s *smootherRows) leverages(d *mlreg.Design) (h []float64, err error) {
	if _, ols := s.fit.(*mlreg.OLS); ols {
		if s.coords, err = door.CoordinatesOf(s.fit, s.x, nil); err != nil {
			return nil, err
		}
		if h, err = s.fit.Leverage(d); err != nil {
			return nil, err
		}
		if w := d.Weight(0); w != 1 { // of weights that are all w, as the root is
			scale(s.coords, math.Sqrt(w))
		}
	} else {
		if s.coords, err = door.CoordinatesOf(s.fit, s.x, d.Weights); err != nil {
			return nil, err
		}
		h = s.coords.Leverages(s.x, nil)
	}
	if sum, dof := floats.Sum(h), s.fit.DoF(); math.Abs(sum-dof) > 1e-6*(1+dof) {
		return nil, fmt.Errorf("%w: leverages sum to %.6g, and the fit has %.6g degrees of freedom: these are not the rows fitted", mlreg.ErrShape, sum, dof)
	}
	return h, nil
}

// leaveOut sets the residuals of the rows by the fits without them.
func (s *smootherRows) leaveOut(d *mlreg.Design, h []float64) (err error) {
	if s.residual, err = s.fit.Predict(d); err != nil {
		return err
	}
	for i, y := range d.Y {
		if h[i] >= lsq.LeverageOne {
			return fmt.Errorf("%w: row %d has leverage 1, so the other rows do not determine its prediction", mlreg.ErrNotEstimable, d.RowNumber(i))
		}
		e := (y - s.residual[i]) / (1 - h[i])
		if args.NotFinite(e) {
			return fmt.Errorf("%w: the residual of row %d, predicted without it, is %v", mlreg.ErrNotFinite, d.RowNumber(i), e)
		}
		s.residual[i], s.most = e, math.Max(s.most, math.Sqrt(h[i])*math.Abs(e))
	}
	return nil
}

// scale multiplies the coordinates.
func scale(c *lsq.Coordinates, by float64) {
	c.Slopes.Data, c.Offset = slices.Clone(c.Slopes.Data), slices.Clone(c.Offset)
	floats.Scale(by, c.Slopes.Data)
	floats.Scale(by, c.Offset)
}

// centered returns some rows of x less the center, as columns of a p x m matrix.
func centered(c *lsq.Coordinates, x *mat.Dense, rows []int) blas64.General {
	columns := newGeneral(c.Slopes.Rows, len(rows))
	for i, row := range rows {
		for j, v := range x.RawRowView(row) {
			if c.Center != nil {
				v -= c.Center[j]
			}
			columns.Data[j*columns.Stride+i] = v
		}
	}
	return columns
}

func newGeneral(rows, columns int) blas64.General {
	return blas64.General{Rows: rows, Cols: columns, Stride: max(columns, 1), Data: make([]float64, rows*max(columns, 1))}
}

// limits stores those of the rows x: with R_i the residuals and t_i what leaving row i out
// takes from the prediction, the rank-th largest of R_i + t_i and of R_i - t_i. As |t_i| is
// at most delta = |z| max |z_i| R_i, that one is within delta of R_(rank): a row with R_i
// above R_(rank) + 2 delta is surely larger, and one below R_(rank) - 2 delta is surely
// smaller, so that only the few rows between are looked at.
func (s *smootherRows) limits(b *ConformalBand, x *mat.Dense, rank int) {
	m, _ := x.Dims()
	slopes, constant, length := products(s.coords, x)
	size := format.Each(s.residual, math.Abs)
	at := kthLargest(slices.Clone(size), rank)
	delta, most := make([]float64, m), 0.0
	for j := range delta {
		delta[j] = math.Sqrt(length[j]) * s.most * (1 + 1e-9)
		if math.IsNaN(delta[j]) {
			delta[j] = math.Inf(1)
		}
		most = math.Max(most, delta[j])
	}
	var order []int // of the rows that are looked at, the largest first
	above := 0      // rows before them
	for i, v := range size {
		switch {
		case v > at+2*most:
			above++
		case v >= at-2*most:
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(size[b], size[a]), a-b) })
	size = gram.Take(size, order)
	shared := newGeneral(len(order), m)
	gram.AddProduct(shared, 1, centered(s.coords, s.x, order), slopes, false)
	gram.Parallel(m, func() func(int) {
		low, high := make([]float64, len(order)), make([]float64, len(order))
		return func(j int) {
			first, _ := slices.BinarySearchFunc(size, at+2*delta[j], falling)
			end, _ := slices.BinarySearchFunc(size, math.Nextafter(at-2*delta[j], math.Inf(-1)), falling)
			low, high := low[:end-first], high[:end-first]
			for i := range low {
				v := s.residual[order[first+i]]
				t := (constant[j] + shared.Data[(first+i)*m+j]) * v
				low[i], high[i] = math.Abs(v)+t, math.Abs(v)-t
			}
			k := rank - above - first
			b.Lower[j] = b.Fitted[j] - kthLargest(low, k)
			b.Upper[j] = b.Fitted[j] + kthLargest(high, k)
		}
	})
}

// products returns what makes z_i'z_j of the coordinates of rows i and of the rows x, j: the slopes S z_j, as columns,
// and the constants offset'z_j; and z_j'z_j.
func products(c *lsq.Coordinates, x *mat.Dense) (slopes blas64.General, constant, length []float64) {
	m, _ := x.Dims()
	z := newGeneral(c.Slopes.Cols, m)
	for t, v := range c.Offset {
		floats.AddConst(v, z.Data[t*z.Stride:t*z.Stride+m])
	}
	gram.AddProduct(z, 1, c.Slopes, centered(c, x, gram.NumbersTo(m)), false)
	slopes, constant, length = newGeneral(c.Slopes.Rows, m), make([]float64, m), make([]float64, m)
	gram.AddProduct(slopes, 1, transposed(c.Slopes), z, false)
	for t, v := range c.Offset {
		for j, z := range z.Data[t*z.Stride : t*z.Stride+m] {
			constant[j] += v * z
			length[j] += z * z
		}
	}
	return slopes, constant, length
}

// falling compares for a search among values that descend.
func falling(v, target float64) int { return cmp.Compare(target, v) }

// transposed returns the transpose of a.
func transposed(a blas64.General) blas64.General {
	t := newGeneral(a.Cols, a.Rows)
	for i := range a.Rows {
		for j, v := range a.Data[i*a.Stride : i*a.Stride+a.Cols] {
			t.Data[j*t.Stride+i] = v
		}
	}
	return t
}

// kthLargest returns the k-th largest value, k >= 1, and disorders the others (Hoare's
// selection).
func kthLargest(v []float64, k int) float64 {
	low, high := 0, len(v)-1
	for low < high {
		pivot := v[(low+high)/2]
		i, j := low, high
		for i <= j {
			for v[i] > pivot {
				i++
			}
			for v[j] < pivot {
				j--
			}
			if i <= j {
				v[i], v[j] = v[j], v[i]
				i++
				j--
			}
		}
		switch {
		case k-1 <= j:
			high = j
		case k-1 >= i:
			low = i
		default:
			return v[k-1]
		}
	}
	return v[k-1]
}

// Head returns the limits of the first rows as a table: 0 means ten rows, or all of up to
// 25, and a negative number all. Names of the rows are their numbers if nil. The error is
// mlreg.ErrShape if there are other than one name for each row.
func (b *ConformalBand) Head(rows int, names []string) (*report.Table, error) {
	lower, upper := format.Limits(b.Level, "")
	t, err := tables.Head("Prediction limits by "+b.Method, rows, names,
		report.NumberColumn("fitted", b.Fitted, 0), report.NumberColumn(lower, b.Lower, 0), report.NumberColumn(upper, b.Upper, 0))
	if err != nil {
		return nil, err
	}
	t.Notes = append(t.Notes, fmt.Sprintf("from %s; a new response is held with probability %s at least, and about %s is expected, if rows are exchangeable",
		format.Plural(b.N, "row"), format.Number(b.Guaranteed, 3), format.Number(b.Expected, 3)))
	return t, nil
}

// Describe returns the limits as a table.
func (b *ConformalBand) Describe() *report.Table { return tables.OrError(b.Head(0, nil)) }

// String writes the limits as text.
func (b *ConformalBand) String() string { return b.Describe().String() }
