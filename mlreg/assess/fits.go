package assess

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/internal/algebra"
	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/door"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/lsq"
	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
)

// BootstrapFit is Bootstrap of the coefficients of a Gaussian fit, or of its predictions
// for BootstrapSettings.At:
//
//	boot, err := assess.BootstrapFit(d, func(data mlreg.Data) (*mlreg.Ridge, error) {
//		return mlreg.FitRidge(data, 10, nil)
//	}, rand.NewPCG(1, 2), nil)
//
// Of every resample only the weighted sums (Moments) are formed, which fit is given. Errors
// are those of Bootstrap.
func BootstrapFit[F mlreg.CoefFit](d *mlreg.Design, fit func(data mlreg.Data) (F, error), src rand.Source, settings *BootstrapSettings) (*Boot, error) {
	if fit == nil {
		return nil, fmt.Errorf("%w: the function that fits is nil", mlreg.ErrNoData)
	}
	if err := d.CheckFit(); err != nil {
		return nil, err
	}
	set := args.OrDefaults(settings)
	fitted := func(d *mlreg.Design) (f F, err error) {
		m, err := d.Moments()
		if err != nil {
			return f, err
		}
		if f, err = fit(m); err != nil {
			return f, err
		}
		return f, args.Given("the fit", f)
	}
	statistic := func(d *mlreg.Design) ([]float64, error) {
		f, err := fitted(d)
		if err != nil {
			return nil, err
		}
		if set.At != nil {
			return f.Predict(set.At)
		}
		return f.Coef(), nil
	}
	if set.Names == nil {
		f, err := fitted(d)
		if err != nil {
			return nil, err
		}
		if set.Names = f.Names(); set.At != nil {
			set.Names = set.At.RowNames()
		}
	}
	return Bootstrap(d, statistic, src, &set)
}

// BootstrapOLS is Bootstrap of the coefficients of least squares, or of its predictions
// for BootstrapSettings.At, without a fit to any resample: in an orthonormal basis Z of the
// columns of A = [1 X], with the residuals r of all rows, a resample of counts c_i has
//
//	b* = b + T g*,   (sum_i c_i w_i z_i z_i') g* = sum_i c_i w_i z_i r_i,   z_i = T'a_i,
//
// so that all resamples together are one matrix product, and that the condition of A does
// not matter. A resample whose rows do not determine the coefficients is counted in
// Failures. ResampleResiduals and ParametricBootstrap take the residuals, and the noise
// variance, of the fit to d, if BootstrapSettings.Fit is not another.
//
// Studentize takes the standard errors of least squares, sqrt(RSS*/(n - rank) v_j*), which
// suppose the same variance in every row. StdErr is not used. Errors are those of Bootstrap
// and mlreg.FitOLS.
func BootstrapOLS(d *mlreg.Design, src rand.Source, settings *BootstrapSettings) (*Boot, error) {
	set := args.OrDefaults(settings)
	if set.StdErr != nil {
		return nil, fmt.Errorf("%w: BootstrapSettings.StdErr; BootstrapOLS has standard errors of its own, by Studentize", mlreg.ErrSetting)
	}
	ols, err := mlreg.FitOLS(d, nil)
	if err != nil {
		return nil, err
	}
	if !set.Kind.ofRows() && set.Fit == nil {
		set.Fit = ols
	}
	if set.Names == nil {
		if set.Names = ols.Names(); set.At != nil {
			set.Names = set.At.RowNames()
		}
	}
	run, err := newBootRun(d, src, set)
	if err != nil {
		return nil, err
	}
	work, err := newOLSWork(run, ols)
	if err != nil {
		return nil, err
	}
	return run.all(work)
}

// olsWork is the bootstrap of least squares.
type olsWork struct {
	run      *bootRun
	k        int
	estimate []float64
	root     blas64.General // q x k: what the numbers are of the coordinates g
	stderr   []float64      // of the estimate, nil if not wanted
	dof      float64
	z        blas64.General // n x k
	r        []float64      // residuals
	products blas64.General // n x m: z z', z r, r r; empty if too large to keep
}

// mostProducts is how many numbers are kept of the products of rows.
const mostProducts = 1 << 22

func newOLSWork(run *bootRun, ols *mlreg.OLS) (*olsWork, error) {
	d := run.d
	columns, err := door.ColumnsOf(ols, d)
	if err != nil {
		return nil, err
	}
	x, root := columns.(*mlreg.Design).X, door.RootOf(ols)
	n, k := d.NObs(), len(root)/len(ols.Names())
	w := &olsWork{run: run, k: k, dof: float64(run.out.N - k), estimate: ols.Coef()}
	c, err := door.CoordinatesOf(ols, x, d.Weights)
	if err != nil {
		return nil, err
	}
	w.z = c.Of(x)
	fitted, err := ols.Predict(d)
	if err != nil {
		return nil, err
	}
	w.r = make([]float64, n)
	for i, y := range d.Y {
		if d.Weight(i) > 0 {
			w.r[i] = y - fitted[i]
		}
	}
	w.root = blas64.General{Rows: len(ols.Names()), Cols: k, Stride: k, Data: root}
	if at := run.set.At; at != nil {
		if columns, err = door.ColumnsOf(ols, at); err != nil {
			return nil, fmt.Errorf("BootstrapSettings.At: %w", err)
		}
		if w.estimate, err = ols.Predict(at); err != nil {
			return nil, err
		}
		w.root = c.Of(columns.(*mlreg.Design).X)
	} else if run.set.Studentize {
		if w.dof <= 0 {
			return nil, args.ResidualDoF(w.dof)
		}
		w.stderr = ols.StdErr()
	}
	if n*w.width() <= mostProducts {
		w.products = w.rowProducts(0, n)
	}
	return w, nil
}

// width is the number of products of a row.
func (w *olsWork) width() int { return w.k*(w.k+1)/2 + w.k + 1 }

// rowProducts returns the products of some rows, without their counts.
func (w *olsWork) rowProducts(from, to int) blas64.General {
	m := w.width()
	p := blas64.General{Rows: to - from, Cols: m, Stride: m, Data: make([]float64, (to-from)*m)}
	gram.EachChunk(p.Rows, func() func(chunk, start, end int) {
		return func(_, start, end int) {
			for i := start; i < end; i++ {
				z, r := w.z.Data[(from+i)*w.k:(from+i+1)*w.k], w.r[from+i]
				out := p.Data[i*m : (i+1)*m]
				at := 0
				for a, za := range z {
					for _, zb := range z[a:] {
						out[at] = za * zb
						at++
					}
				}
				for _, za := range z {
					out[at] = za * r
					at++
				}
				out[at] = r * r
			}
		}
	})
	return p
}

func (w *olsWork) start() (value, stderr []float64, err error) { return w.estimate, w.stderr, nil }

// without is in closed form for rows: b_(i) = b - T z_i w_i r_i/(1 - h_i).
func (w *olsWork) without() ([][]float64, error) {
	units := w.run.draw.units()
	out := make([][]float64, units)
	var failed error
	if w.run.set.Kind == ResampleClusters {
		seeds := make([][]float64, units)
		for i := range seeds {
			seeds[i] = make([]float64, w.run.d.NObs())
			w.run.draw.leaveOut(seeds[i], i)
		}
		for i, o := range w.solveAll(seeds) {
			if out[i] = o.value; o.err != nil {
				failed = o.err
			}
		}
		return out, failed
	}
	for u, rows := range w.run.draw.group {
		i := rows[0]
		z, weight := w.z.Data[i*w.k:(i+1)*w.k], w.run.d.Weight(i)
		h := weight * gram.Squares(z)
		if h >= lsq.LeverageOne {
			return nil, fmt.Errorf("%w: row %d has leverage 1", mlreg.ErrNotEstimable, i+1)
		}
		out[u] = slices.Clone(w.estimate)
		for j := range out[u] {
			out[u][j] -= gram.Dot(w.root.Data[j*w.k:(j+1)*w.k], z) * weight * w.r[i] / (1 - h)
		}
	}
	return out, nil
}

func (w *olsWork) resample(first int, seeds [][2]uint64) []outcome {
	draws := make([][]float64, len(seeds))
	ofRows := w.run.set.Kind.ofRows()
	gram.Each(len(seeds), func(s int) {
		draws[s] = make([]float64, w.run.d.NObs())
		if ofRows {
			w.run.draw.weights(draws[s], first+s, seeds[s])
		} else {
			w.run.draw.response(draws[s], seeds[s])
		}
	})
	if ofRows {
		return w.solveAll(draws)
	}
	return w.project(draws)
}

// sums returns the matrix product of draws (S x n), transposed, and columns of rows that
// are given block by block.
func (w *olsWork) sums(draws [][]float64, width int, columns func(from, to int) blas64.General) blas64.General {
	n, s := w.run.d.NObs(), len(draws)
	out := blas64.General{Rows: s, Cols: width, Stride: width, Data: make([]float64, s*width)}
	block := max(1, min(n, mostProducts/max(width, s)))
	for from := 0; from < n; from += block {
		to := min(from+block, n)
		counts := blas64.General{Rows: to - from, Cols: s, Stride: s, Data: make([]float64, (to-from)*s)}
		for i := range counts.Rows {
			for c, draw := range draws {
				counts.Data[i*s+c] = draw[from+i]
			}
		}
		gram.AddProduct(out, 1, counts, columns(from, to), false)
	}
	return out
}

// solveAll solves the normal equations of rows with weights.
func (w *olsWork) solveAll(draws [][]float64) []outcome {
	g := w.sums(draws, w.width(), func(from, to int) blas64.General {
		if w.products.Data == nil {
			return w.rowProducts(from, to)
		}
		p := w.products
		p.Rows, p.Data = to-from, p.Data[from*p.Stride:]
		return p
	})
	out := make([]outcome, len(draws))
	gram.Parallel(len(out), func() func(int) {
		l, x := make([]float64, w.k*w.k), make([]float64, w.k)
		return func(s int) {
			var ok bool
			if out[s], ok = w.solve(g.Data[s*g.Stride:(s+1)*g.Stride], l, x); !ok {
				out[s] = w.refit(draws[s])
			}
		}
	})
	return out
}

// The normal equations of a resample do if its pivots, of the Gram matrix of a basis that
// is orthonormal on all rows, are above leastPivot. Below are resamples that do not
// determine the coefficients, and those without rows of high leverage, such as an outlier of
// a predictor, which may determine them well.
const (
	leastPivot = 1e-6
	leastRSS   = 1e-13 // of the same rows' by the fit to all: less is rounding
)

// refit returns the numbers of a resample by a fit to its rows.
func (w *olsWork) refit(draw []float64) (o outcome) {
	sub := *w.run.d
	sub.Weights = draw
	fit, err := mlreg.FitOLS(&sub, nil)
	if err != nil {
		return outcome{err: err}
	}
	o.value = fit.Coef()
	if at := w.run.set.At; at != nil {
		o.value, o.err = fit.Predict(at)
	} else if w.stderr != nil {
		o.stderr = make([]float64, len(o.value))
		if fit.DoF() < float64(fit.NObs()) { // else the rows are fitted exactly
			for j, s := range fit.StdErr() {
				o.stderr[j] = s * math.Sqrt((float64(fit.NObs())-fit.DoF())/w.dof)
			}
		}
	}
	return o
}

// solve returns the numbers of a resample with the sums given, and whether their pivots
// are large enough; l (k x k) and x (k) are space.
func (w *olsWork) solve(sums, l, x []float64) (outcome, bool) {
	k, at := w.k, 0
	// Row a of U with G = U'U, from the upper triangle of G.
	for a := range k {
		row := l[a*k : (a+1)*k]
		copy(row[a:], sums[at:at+k-a])
		at += k - a
	}
	x = x[:k]
	copy(x, sums[at:at+k])
	rss, least := sums[at+k], leastRSS*sums[at+k]
	for a := range k {
		row := l[a*k : (a+1)*k]
		if !(row[a] > leastPivot) {
			return outcome{}, false
		}
		inv := 1 / math.Sqrt(row[a])
		for b := a; b < k; b++ {
			row[b] *= inv
		}
		x[a] *= inv // U'x = right side, on the way
		for b := a + 1; b < k; b++ {
			f := row[b]
			if f == 0 {
				continue
			}
			below := l[b*k : (b+1)*k]
			for c := b; c < k; c++ {
				below[c] -= f * row[c]
			}
			x[b] -= f * x[a]
		}
		rss -= x[a] * x[a]
	}
	for a := k - 1; a >= 0; a-- {
		row := l[a*k : (a+1)*k]
		v := x[a]
		for b := a + 1; b < k; b++ {
			v -= row[b] * x[b]
		}
		x[a] = v / row[a]
	}
	o := outcome{value: w.numbers(x)}
	if w.stderr != nil {
		if rss <= least {
			rss = 0
		}
		o.stderr = w.stdErr(l, math.Sqrt(rss/w.dof))
	}
	return o, true
}

// numbers are the estimate moved by coordinates.
func (w *olsWork) numbers(x []float64) []float64 {
	v := make([]float64, len(w.estimate))
	for j := range v {
		v[j] = w.estimate[j] + gram.Dot(w.root.Data[j*w.k:(j+1)*w.k], x)
	}
	return v
}

// stdErr returns sigma times the lengths of the rows of root U^-1.
func (w *olsWork) stdErr(u []float64, sigma float64) []float64 {
	k := w.k
	out, v := make([]float64, w.root.Rows), make([]float64, k)
	for j := range out {
		copy(v, w.root.Data[j*k:(j+1)*k])
		for a := range k { // v' U^-1, from the left
			v[a] /= u[a*k+a]
			for b := a + 1; b < k; b++ {
				v[b] -= v[a] * u[a*k+b]
			}
		}
		out[j] = sigma * math.Sqrt(gram.Squares(v))
	}
	return out
}

// project returns the numbers of responses that were drawn.
func (w *olsWork) project(responses [][]float64) []outcome {
	d := w.run.d
	fitted := make([]float64, d.NObs())
	for i, y := range d.Y {
		fitted[i] = y - w.r[i]
	}
	rss := make([]float64, len(responses))
	gram.Each(len(responses), func(s int) {
		for i, y := range responses[s] {
			e, weight := y-fitted[i], d.Weight(i)
			if weight == 0 {
				e = 0
			}
			rss[s] += weight * e * e
			responses[s][i] = weight * e
		}
	})
	g := w.sums(responses, w.k, func(from, to int) blas64.General {
		z := w.z
		z.Rows, z.Data = to-from, z.Data[from*z.Stride:]
		return z
	})
	out := make([]outcome, len(responses))
	gram.Each(len(out), func(s int) {
		x := g.Data[s*g.Stride : s*g.Stride+w.k]
		out[s].value = w.numbers(x)
		if w.stderr != nil {
			sigma := math.Sqrt(math.Max(rss[s]-gram.Squares(x), 0) / w.dof)
			out[s].stderr = make([]float64, w.root.Rows)
			for j := range out[s].stderr {
				out[s].stderr[j] = sigma * math.Sqrt(gram.Squares(w.root.Data[j*w.k:(j+1)*w.k]))
			}
		}
	})
	return out
}

// BootstrapTestError is Bootstrap of the mean loss of a fit over rows that it was not
// fitted to, the interval of mlreg.TestError for few rows or skewed losses. Studentized limits
// are there too. The fit is given: limits are of its error over new rows. Errors are those
// of Bootstrap and mlreg.RowLosses; resamples are of rows, clusters, blocks or Bayesian
// (mlreg.ErrSetting).
func BootstrapTestError(fit any, d *mlreg.Design, loss mlreg.Loss, src rand.Source, settings *BootstrapSettings) (*Boot, error) {
	set := args.OrDefaults(settings)
	if !set.Kind.ofRows() {
		return nil, fmt.Errorf("%w: resamples of kind %v; an error is of rows", mlreg.ErrSetting, set.Kind)
	}
	losses, err := mlreg.RowLosses(fit, d, loss)
	if err != nil {
		return nil, err
	}
	if set.Names == nil {
		set.Names = []string{loss.String()}
	}
	rows := &mlreg.Design{X: algebra.NewDense(d.NObs(), 0), Y: losses, Response: loss.String(), Weights: d.Weights, RowNumbers: d.RowNumbers}
	for i := range losses {
		if d.Weight(i) == 0 {
			rows.Y[i] = 0 // whatever it is
		}
	}
	if set.StdErr == nil && set.Kind == ResampleRows {
		set.StdErr = func(d *mlreg.Design) ([]float64, error) {
			var mean, ss, w float64
			for i, l := range d.Y {
				mean += d.Weight(i) * l
				w += d.Weight(i)
			}
			mean /= w
			for i, l := range d.Y {
				// A row drawn c times is c rows of its own weight.
				own := 1.0
				if rows.Weights != nil {
					own = rows.Weights[i]
				}
				ss += own * d.Weight(i) * gram.Square(l-mean)
			}
			return []float64{math.Sqrt(ss) / w}, nil
		}
	}
	return Bootstrap(rows, MeanStatistic, src, &set)
}

// ErrorEstimates are estimates, from the rows that are fitted alone, of the error of a fit.
type ErrorEstimates struct {
	Loss string
	N, B int // rows of positive weight, resamples
	// Apparent is the mean loss on the rows fitted themselves, LeaveOneOut that of fits to
	// resamples on the rows not drawn, NoInformation if response and predictors were
	// independent, Overfitting their relation R.
	Apparent, LeaveOneOut, NoInformation, Overfitting float64
	Err632, Err632Plus                                float64
	// MonteCarlo is the error that B leaves in LeaveOneOut.
	MonteCarlo float64
	Failures   []BootstrapFailure
}

// BootstrapError estimates the error of a fitting procedure on new rows from the rows of d
// alone: fit is given every resample, as weights, and its predictions of the rows that were
// not drawn are judged,
//
//	LeaveOneOut   mean over rows i of the mean loss of i by the fits without it
//	Err632        .368 Apparent + .632 LeaveOneOut
//	Err632Plus    (1-v) Apparent + v L,   L = min(LeaveOneOut, NoInformation)
//	v             .632/(1 - .368 R)
//	R             (L - Apparent)/(NoInformation - Apparent), between 0 and 1
//
// NoInformation is the mean loss over all pairs of a response and a prediction. A fit to a
// resample has seen .632 of the rows, so that LeaveOneOut is too high, and Apparent too
// low. Resamples are of rows or clusters (mlreg.ErrSetting). Resamples on which fit fails are
// counted. Errors are those of Bootstrap and mlreg.RowLosses.
//
// Efron and Tibshirani, Journal of the American Statistical Association 92 (1997), 548-560,
// eq. 17, 24 and 27 to 32.
func BootstrapError(d *mlreg.Design, fit func(d *mlreg.Design) (any, error), loss mlreg.Loss, src rand.Source, settings *BootstrapSettings) (*ErrorEstimates, error) {
	if fit == nil {
		return nil, fmt.Errorf("%w: the function that fits is nil", mlreg.ErrNoData)
	}
	if err := args.Given("the loss", loss); err != nil {
		return nil, err
	}
	set := args.OrDefaults(settings)
	if err := set.completeForError(); err != nil {
		return nil, err
	}
	if err := door.CheckTraining(d); err != nil {
		return nil, err
	}
	all := *d
	f, err := fit(&all)
	if err != nil {
		return nil, err
	}
	losses, pay, err := door.LossesOf(f, d, loss)
	if err != nil {
		return nil, err
	}
	// The numbers of a resample: the losses of the rows. A log loss may be below zero by the
	// rounding of a probability of 1.
	statistic := func(sub *mlreg.Design) ([]float64, error) {
		f, err := fit(sub)
		if err != nil {
			return nil, err
		}
		l, err := mlreg.RowLosses(f, d, loss)
		if err != nil {
			return nil, err
		}
		for i := range l {
			if sub.Weight(i) > 0 || d.Weight(i) == 0 {
				l[i] = drawn
			}
		}
		return l, nil
	}
	boot, err := Bootstrap(d, statistic, src, &set)
	if boot == nil {
		return nil, err
	}
	a := &ErrorEstimates{Loss: loss.String(), N: d.PositiveRows(), B: boot.B(), Failures: boot.Failures}
	a.Apparent = weightedMean(d, losses)
	if err := a.leaveOut(d, boot); err != nil {
		return nil, err
	}
	a.NoInformation = noInformation(d, pay)
	a.combine()
	return a, err
}

// completeForError refuses resamples that do not leave rows out, and puts defaults for zeros.
func (s *BootstrapSettings) completeForError() error {
	if s.Kind != ResampleRows && s.Kind != ResampleClusters {
		return fmt.Errorf("%w: resamples of kind %v; the rows that are not drawn are those of ResampleRows and ResampleClusters", mlreg.ErrSetting, s.Kind)
	}
	s.B = cmp.Or(s.B, 200)
	if err := args.Size(fmt.Sprintf("a bootstrap of B = %d resamples", s.B), float64(s.B), "200 will do"); err != nil {
		return err
	}
	s.SkipJackknife, s.StdErr, s.LimitError, s.Names = true, nil, 0, nil
	return nil
}

// drawn is the loss of a row in a resample that has it.
const drawn = -1

// leaveOut averages the losses of every row over the resamples without it.
func (a *ErrorEstimates) leaveOut(d *mlreg.Design, boot *Boot) error {
	var total float64
	sum, weight := make([]float64, boot.B()), make([]float64, boot.B())
	for i, losses := range boot.Replicates {
		var mean, times float64
		for b, l := range losses {
			if l != drawn {
				mean += l
				times++
				sum[b] += d.Weight(i) * l
				weight[b] += d.Weight(i)
			}
		}
		if times > 0 {
			a.LeaveOneOut += d.Weight(i) * mean / times
			total += d.Weight(i)
		}
	}
	if total == 0 {
		return fmt.Errorf("%w: every resample has every row; take more resamples than %d", mlreg.ErrNoData, boot.B())
	}
	a.LeaveOneOut /= total
	var each []float64
	for b, w := range weight {
		if w > 0 {
			each = append(each, sum[b]/w)
		}
	}
	if s := newSorted(each); len(each) > 1 {
		a.MonteCarlo = s.sd / math.Sqrt(float64(len(each)))
	}
	return nil
}

// noInformation is the mean loss over pairs of rows.
func noInformation(d *mlreg.Design, pay func(i, j int) float64) float64 {
	n := d.NObs()
	sums, weights := make([]float64, n), make([]float64, n)
	gram.Each(n, func(i int) {
		if d.Weight(i) == 0 {
			return
		}
		for j := range n {
			if w := d.Weight(i) * d.Weight(j); w > 0 {
				sums[i] += w * pay(i, j)
				weights[i] += w
			}
		}
	})
	var sum, weight float64
	for i := range sums {
		sum, weight = sum+sums[i], weight+weights[i]
	}
	return sum / weight
}

// combine computes the two estimates.
func (a *ErrorEstimates) combine() {
	const in = .632 // 1 - 1/e to three places, as Efron and Tibshirani define the estimators
	a.Err632 = (1-in)*a.Apparent + in*a.LeaveOneOut
	l := math.Min(a.LeaveOneOut, a.NoInformation)
	if l > a.Apparent && a.NoInformation > a.Apparent {
		a.Overfitting = (l - a.Apparent) / (a.NoInformation - a.Apparent)
	}
	v := in / (1 - (1-in)*a.Overfitting)
	a.Err632Plus = (1-v)*a.Apparent + v*l
}

// Describe returns the estimates as a table.
func (a *ErrorEstimates) Describe() *report.Table {
	t := tables.Rows("Error estimated from the rows fitted",
		report.TextColumn("estimate", "apparent", "leave-one-out bootstrap", ".632", ".632+", "no information"),
		report.NumberColumn(a.Loss, []float64{a.Apparent, a.LeaveOneOut, a.Err632, a.Err632Plus, a.NoInformation}, 0))
	t.Notes = []string{fmt.Sprintf("%d resamples of %d rows; Monte Carlo error of leave-one-out %.2g; relative overfitting %.2f", a.B, a.N, a.MonteCarlo, a.Overfitting)}
	for _, f := range a.Failures {
		t.Notes = append(t.Notes, fmt.Sprintf("warning: %d resamples failed: %s", f.Count, f.Reason))
	}
	return t
}

// String writes the estimates as text.
func (a *ErrorEstimates) String() string { return a.Describe().String() }
