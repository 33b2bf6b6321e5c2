package assess

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/internal/limit"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/internal/algebra"
	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/door"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/stream"
)

// Statistic is computed from rows: some numbers, always as many. Resamples are weights
// (mlreg.Design.Weights): a row that is drawn twice has twice its weight, one that is not drawn
// has zero. So the statistic must be one of weighted rows, as fits are, and neither
// change the design nor keep it; it is called from several goroutines.
type Statistic func(d *mlreg.Design) ([]float64, error)

// BootstrapKind is a way to resample.
type BootstrapKind int

// The ways to resample.
const (
	// ResampleRows draws as many rows as there are, with replacement. Default.
	ResampleRows BootstrapKind = iota
	// BayesianBootstrap weighs the rows by n times a draw from the Dirichlet
	// distribution with all parameters 1 (Rubin, The Annals of Statistics 9 (1981),
	// 130-134).
	BayesianBootstrap
	// ResampleClusters draws whole clusters of rows with replacement, as many as there are.
	ResampleClusters
	// ResampleBlocks draws blocks of rows that follow each other, for series: the
	// circular blocks of Politis and Romano (1992), the last one cut so that as many
	// rows are drawn as there are.
	ResampleBlocks
	// ResampleResiduals keeps the rows and draws the residuals of a fit, divided by
	// sqrt(1 - leverage) if it has leverages, and centered: y* = yhat + e*. A row of weight
	// w has e*/sqrt(w).
	ResampleResiduals
	// ParametricBootstrap keeps the rows and draws the response from a fit: of a number,
	// y* ~ N(yhat, Sigma2/w); of a class, by its probabilities.
	ParametricBootstrap
)

// String returns "rows", "Bayesian", "clusters", "blocks", "residuals" or "parametric".
func (k BootstrapKind) String() string {
	return format.Choice("BootstrapKind", int(k), "rows", "Bayesian", "clusters", "blocks", "residuals", "parametric")
}

// ofRows tells whether the rows are drawn, and not the response.
func (k BootstrapKind) ofRows() bool { return k != ResampleResiduals && k != ParametricBootstrap }

// BootstrapSettings are the options of Bootstrap, BootstrapOLS, BootstrapFit,
// BootstrapTestError and BootstrapError.
type BootstrapSettings struct {
	Kind BootstrapKind
	// B is the number of resamples, at least 2; the default 0 is 2000.
	B int
	// LimitError, if not 0, has resamples added, twice as many at a time, until the Monte
	// Carlo error of the percentile limits of every number at 95% is at most so many of its
	// standard errors, or MaxB is reached; the default of MaxB is 100,000, and the numbers of
	// all resamples are at most 2^28.
	LimitError float64
	MaxB       int
	// Clusters are the names of the clusters that rows belong to, for ResampleClusters.
	Clusters []string
	// BlockLength is that of ResampleBlocks; the default 0 is n^(1/3), rounded up.
	BlockLength int
	// Fit is what ResampleResiduals and ParametricBootstrap draw from. BootstrapOLS has
	// its own.
	Fit any
	// Weights are resamples that are given (B x n: how often each row is drawn), in
	// place of drawn ones; a source is then not needed.
	Weights *mat.Dense
	// StdErr returns the standard errors of the numbers on a resample, for Studentized
	// intervals. Nil has none.
	StdErr Statistic
	// Studentize has BootstrapOLS compute the standard errors of least squares on every
	// resample. With At it has no effect.
	Studentize bool
	// At, if not nil, has BootstrapOLS and BootstrapFit resample the predictions for these
	// rows, in place of the coefficients.
	At *mlreg.Design
	// SkipJackknife leaves out the fits without each row; BCa intervals and some
	// warnings need them. They are left out anyway if there are more rows (clusters)
	// than resamples, and for ResampleBlocks, ResampleResiduals and ParametricBootstrap.
	SkipJackknife bool
	// Names are those of the numbers; the default is t1, t2 ...
	Names []string
	// Progress, if not nil, is told how many resamples are done. An error from it stops the
	// work and is returned, together with the result over the resamples done by then.
	Progress func(done, total float64) error
}

// BootstrapFailure counts resamples on which a statistic failed for one reason.
type BootstrapFailure struct {
	Reason string
	Count  int
	First  int // number of the first such resample, from 0
}

// Boot is the result of a bootstrap.
type Boot struct {
	Kind BootstrapKind
	// N is the number of rows of positive weight, Units of what was drawn: rows, clusters.
	N, Units int
	Names    []string
	Estimate []float64 // of all rows
	// Replicates are the values on the resamples: a slice for every name. Resamples that
	// failed are in Failures instead.
	Replicates [][]float64
	Failures   []BootstrapFailure
	// EstimateErr and ReplicateErr are standard errors of Estimate and Replicates, nil
	// without BootstrapSettings.StdErr or Studentize.
	EstimateErr  []float64
	ReplicateErr [][]float64
	// Influence is (n-1)(mean of t_(i) - t_(i)), a slice for every name, with t_(i) the value
	// without row (cluster) i; nil if it was not computed.
	Influence [][]float64
	// Moving is the number of rows (clusters) without which a number is another, for every
	// name; nil as Influence is.
	Moving []int
	// Planned is the number of resamples asked for; there are fewer if Progress stopped the
	// work.
	Planned int
}

// bareBoot is a Boot without its methods.
type bareBoot Boot

// GobEncode implements gob.GobEncoder.
func (b Boot) GobEncode() ([]byte, error) { return stream.Encode(b, bareBoot(b)) }

// GobDecode implements gob.GobDecoder.
func (b *Boot) GobDecode(data []byte) error { return stream.Decode(data, b, nil, (*bareBoot)(b)) }

// Bootstrap computes a statistic on resamples of the rows of d, and so estimates how it
// varies from sample to sample:
//
//	boot, err := assess.Bootstrap(d, assess.MeanStatistic, rand.NewPCG(1, 2), nil)
//	limits, err := boot.ConfInt(assess.BCa, 0.95)
//
// Resamples are weights and no rows are copied. The same source gives the same bytes
// whatever GOMAXPROCS is. A resample on which the statistic returns an error, a NaN or
// another number of values is counted in Boot.Failures with the reason. Rows of weight
// zero are never drawn.
//
// What it does not say it warns of: see Boot.Warnings.
//
// Nil settings are the defaults. Errors: mlreg.ErrSetting (B < 2, a nil source, a kind without
// what it needs), mlreg.ErrNoData for fewer than two rows (clusters) to draw, those of the
// statistic on all rows, and the first of its errors if every resample failed.
//
// Efron, The Annals of Statistics 7 (1979), 1-26; Davison and Hinkley, Bootstrap Methods
// and their Application (1997); Hastie, Tibshirani and Friedman, The Elements of
// Statistical Learning, 2nd ed., section 8.2.
func Bootstrap(d *mlreg.Design, statistic Statistic, src rand.Source, settings *BootstrapSettings) (*Boot, error) {
	if statistic == nil {
		return nil, fmt.Errorf("%w: the statistic is nil", mlreg.ErrNoData)
	}
	run, err := newBootRun(d, src, args.OrDefaults(settings))
	if err != nil {
		return nil, err
	}
	return run.all(&statisticWork{run: run, statistic: statistic})
}

// bootRun is a bootstrap under way.
type bootRun struct {
	d    *mlreg.Design
	set  BootstrapSettings
	draw *drawer
	seed *rand.PCG
	out  Boot
}

// bootWork computes the statistic: on all rows, without a unit, on resamples.
type bootWork interface {
	// start returns the value on all rows and its standard errors, nil without.
	start() (value, stderr []float64, err error)
	// without returns the values without every unit, one slice each.
	without() ([][]float64, error)
	// resample returns the outcomes of as many resamples as there are seeds, of which the
	// first has the number given.
	resample(first int, seeds [][2]uint64) []outcome
}

// outcome is what came of a resample.
type outcome struct {
	value, stderr []float64
	err           error
}

func newBootRun(d *mlreg.Design, src rand.Source, set BootstrapSettings) (*bootRun, error) {
	if err := door.CheckTraining(d); err != nil {
		return nil, err
	}
	if err := d.Check(); err != nil {
		return nil, err
	}
	set.B = cmp.Or(set.B, 2000)
	if set.Weights != nil {
		rows, cols := set.Weights.Dims()
		if cols != d.NObs() {
			return nil, fmt.Errorf("%w: the resamples given are of %d rows and the design has %d", mlreg.ErrShape, cols, d.NObs())
		}
		if set.Kind != ResampleRows || set.LimitError != 0 {
			return nil, fmt.Errorf("%w: resamples are given (BootstrapSettings.Weights), of kind %v with LimitError %v; they are of rows and cannot be added to", mlreg.ErrSetting, set.Kind, set.LimitError)
		}
		for b := range rows {
			for i, w := range set.Weights.RawRowView(b) {
				if !(w >= 0) || math.IsInf(w, 1) {
					return nil, fmt.Errorf("%w: resample %d has row %d %v times", mlreg.ErrSetting, b, i+1, w)
				}
			}
		}
		set.B = rows
	} else if err := args.Source(src); err != nil {
		return nil, err
	}
	set.MaxB = cmp.Or(set.MaxB, max(100_000, set.B))
	switch {
	case limit.Exceeded(float64(set.B)):
		return nil, fmt.Errorf("%w: %s", mlreg.ErrTooLarge, limit.Text(fmt.Sprintf("a bootstrap of B = %d resamples", set.B), float64(set.B), "LimitError chooses B"))
	case limit.Exceeded(float64(set.MaxB)):
		return nil, fmt.Errorf("%w: %s", mlreg.ErrTooLarge, limit.Text(fmt.Sprintf("a bootstrap of MaxB = %d resamples", set.MaxB), float64(set.MaxB), "allow a larger LimitError"))
	case set.B < 2 || set.MaxB < set.B:
		return nil, fmt.Errorf("%w: B = %d resamples, at most %d; take 2 or more", mlreg.ErrSetting, set.B, set.MaxB)
	case !(set.LimitError >= 0):
		return nil, fmt.Errorf("%w: LimitError = %v; it is a part of a standard error, such as 0.05", mlreg.ErrSetting, set.LimitError)
	}
	draw, err := newDrawer(d, &set)
	if err != nil {
		return nil, err
	}
	r := &bootRun{d: d, set: set, draw: draw}
	r.out = Boot{Kind: set.Kind, N: d.PositiveRows(), Units: draw.units(), Planned: set.B}
	if src != nil {
		r.seed = rand.NewPCG(src.Uint64(), src.Uint64())
	} else {
		r.seed = rand.NewPCG(0, 0)
	}
	return r, nil
}

// all runs the work.
func (r *bootRun) all(work bootWork) (*Boot, error) {
	value, stderr, err := work.start()
	if err != nil {
		return nil, err
	}
	if err := r.begin(value, stderr); err != nil {
		return nil, err
	}
	if err := r.jackknife(work); err != nil {
		return nil, err
	}
	const chunk = 256
	progress := door.Progress("BootstrapSettings.Progress", r.set.Progress)
	var first error
	for done := 0; done < r.out.Planned; {
		seeds := make([][2]uint64, min(chunk, r.out.Planned-done))
		for i := range seeds {
			seeds[i] = [2]uint64{r.seed.Uint64(), r.seed.Uint64()}
		}
		for i, o := range work.resample(done, seeds) {
			if err := r.add(done+i, o); err != nil && first == nil {
				first = err
			}
		}
		done += len(seeds)
		if progress != nil {
			if err := progress(float64(done), float64(r.out.Planned)); err != nil {
				if len(r.out.Replicates[0]) < 2 {
					return nil, err
				}
				return &r.out, err
			}
		}
		if done == r.out.Planned && r.wantsMore() {
			r.out.Planned = min(2*done, r.set.MaxB)
		}
	}
	if len(r.out.Replicates[0]) < 2 {
		return nil, fmt.Errorf("%d of %d resamples failed: %w", r.out.Planned-len(r.out.Replicates[0]), r.out.Planned, first)
	}
	return &r.out, nil
}

// begin checks what the statistic of all rows is, and keeps it.
func (r *bootRun) begin(value, stderr []float64) error {
	for _, v := range append(slices.Clone(value), stderr...) {
		if math.IsNaN(v) {
			return fmt.Errorf("%w: the statistic of all rows, %s", mlreg.ErrNotFinite, format.Brackets(value))
		}
	}
	switch q := len(value); {
	case q == 0:
		return fmt.Errorf("%w: the statistic returns no number", mlreg.ErrNoData)
	case stderr != nil && len(stderr) != q:
		return fmt.Errorf("%w: %d standard errors of %d numbers", mlreg.ErrShape, len(stderr), q)
	case r.set.Names != nil && len(r.set.Names) != q:
		return fmt.Errorf("%w: %d names for the %d numbers of the statistic", mlreg.ErrShape, len(r.set.Names), q)
	case r.set.Names == nil:
		for j := range q {
			r.set.Names = append(r.set.Names, fmt.Sprintf("t%d", j+1))
		}
	}
	if err := args.Size(fmt.Sprintf("a bootstrap of %d resamples of %d numbers", r.set.B, len(value)), float64(r.set.B)*float64(len(value)), "take a smaller B, or fewer numbers"); err != nil {
		return err
	}
	r.set.MaxB = max(r.set.B, min(r.set.MaxB, limit.Numbers/len(value)))
	r.out.Names, r.out.Estimate, r.out.EstimateErr = slices.Clone(r.set.Names), value, stderr
	r.out.Replicates = make([][]float64, len(value))
	if stderr != nil {
		r.out.ReplicateErr = make([][]float64, len(value))
	}
	return nil
}

// jackknife computes the influence of every unit, if it may.
func (r *bootRun) jackknife(work bootWork) error {
	k := r.set.Kind
	if r.set.SkipJackknife || k == ResampleBlocks || !k.ofRows() || r.draw.units() > r.set.B {
		return nil
	}
	values, err := work.without()
	if err != nil || values == nil {
		return nil // without some row there is no value: then there is no influence either
	}
	r.out.Influence, r.out.Moving = influenceOf(values), make([]int, len(r.out.Names))
	for j, t := range r.out.Estimate {
		var most float64
		for _, v := range values {
			most = math.Max(most, math.Abs(v[j]-t))
		}
		for _, v := range values {
			if change := math.Abs(v[j] - t); change > 1e-9*most && change > 1e-12*math.Abs(t) {
				r.out.Moving[j]++
			}
		}
	}
	return nil
}

// influenceOf returns (n-1)(mean of t_(i) - t_(i)) of every number, of the values without
// each of n units.
func influenceOf(without [][]float64) [][]float64 {
	n, q := len(without), len(without[0])
	out := make([][]float64, q)
	mean := algebra.Averages(without)
	for j := range out {
		out[j] = make([]float64, n)
		for i, v := range without {
			out[j][i] = float64(n-1) * (mean[j] - v[j])
		}
	}
	return out
}

var (
	errNaNStatistic  = fmt.Errorf("%w: the statistic is NaN or infinite", mlreg.ErrNotFinite)
	errFewStatistics = fmt.Errorf("%w: the statistic returns another number of values", mlreg.ErrShape)
)

// add keeps the outcome of a resample, or counts why there is none.
func (r *bootRun) add(number int, o outcome) error {
	q := len(r.out.Estimate)
	switch {
	case o.err != nil:
	case len(o.value) != q || r.out.EstimateErr != nil && len(o.stderr) != q:
		o.err = errFewStatistics
	case slices.ContainsFunc(o.value, args.NotFinite) || slices.ContainsFunc(o.stderr, args.NotFinite):
		o.err = errNaNStatistic
	}
	if o.err != nil {
		reason := failureReason(o.err)
		for i, f := range r.out.Failures {
			if f.Reason == reason {
				r.out.Failures[i].Count++
				return o.err
			}
		}
		r.out.Failures = append(r.out.Failures, BootstrapFailure{reason, 1, number})
		return o.err
	}
	for j, v := range o.value {
		r.out.Replicates[j] = append(r.out.Replicates[j], v)
		if r.out.EstimateErr != nil {
			r.out.ReplicateErr[j] = append(r.out.ReplicateErr[j], o.stderr[j])
		}
	}
	return nil
}

// failureReason is what failures are counted by: the sentinel of this package that an
// error wraps, or else its text.
func failureReason(err error) string {
	for _, s := range []error{errNaNStatistic, errFewStatistics} {
		if err == s {
			return s.Error()
		}
	}
	for _, s := range []error{mlreg.ErrRankDeficient, mlreg.ErrSeparated, mlreg.ErrLabels, mlreg.ErrConstant, mlreg.ErrNotConverged, mlreg.ErrSaturated, mlreg.ErrNoData, mlreg.ErrNotFinite, mlreg.ErrImpossible, mlreg.ErrBoundary} {
		if errors.Is(err, s) {
			return s.Error()
		}
	}
	return err.Error()
}

// wantsMore tells whether the limits are not known as well as LimitError wants.
func (r *bootRun) wantsMore() bool {
	if r.set.LimitError == 0 || r.out.Planned >= r.set.MaxB || len(r.out.Replicates[0]) < 2 {
		return false
	}
	for j := range r.out.Names {
		s := r.out.sorted(j)
		if limits := s.percentiles(0.95); !(limits.monteCarlo <= r.set.LimitError*s.sd) {
			return true
		}
	}
	return false
}

// statisticWork is the bootstrap of a statistic of the user's.
type statisticWork struct {
	run       *bootRun
	statistic Statistic
}

// of computes the statistic of a design.
func (w *statisticWork) of(d *mlreg.Design) (o outcome) {
	if o.value, o.err = w.statistic(d); o.err == nil && w.run.set.StdErr != nil {
		o.stderr, o.err = w.run.set.StdErr(d)
	}
	return o
}

func (w *statisticWork) start() (value, stderr []float64, err error) {
	d := *w.run.d
	o := w.of(&d)
	return o.value, o.stderr, o.err
}

func (w *statisticWork) without() ([][]float64, error) {
	values := make([][]float64, w.run.draw.units())
	var lock sync.Mutex
	var failed error
	first := len(values) // of the units that fail, whatever their order in time
	gram.Parallel(len(values), func() func(int) {
		sub := *w.run.d
		sub.Weights = make([]float64, w.run.d.NObs())
		return func(i int) {
			defer door.NamePanic("the statistic")
			w.run.draw.leaveOut(sub.Weights, i)
			value, err := w.statistic(&sub)
			if err == nil && (len(value) != len(w.run.out.Estimate) || slices.ContainsFunc(value, args.NotFinite)) {
				err = errNaNStatistic
			}
			if values[i] = value; err != nil {
				lock.Lock()
				defer lock.Unlock()
				if i < first {
					first, failed = i, err
				}
			}
		}
	})
	return values, failed
}

func (w *statisticWork) resample(first int, seeds [][2]uint64) []outcome {
	out := make([]outcome, len(seeds))
	gram.Parallel(len(seeds), func() func(int) {
		sub := *w.run.d
		if w.run.set.Kind.ofRows() {
			sub.Weights = make([]float64, w.run.d.NObs())
		} else {
			sub.Y = make([]float64, w.run.d.NObs())
		}
		return func(i int) {
			defer door.NamePanic(fmt.Sprintf("the statistic of resample %d", first+i))
			if w.run.set.Kind.ofRows() {
				w.run.draw.weights(sub.Weights, first+i, seeds[i])
			} else {
				w.run.draw.response(sub.Y, seeds[i])
			}
			out[i] = w.of(&sub)
		}
	})
	return out
}

// MeanStatistic is the weighted mean of the response, for Bootstrap.
func MeanStatistic(d *mlreg.Design) ([]float64, error) {
	if err := door.CheckTraining(d); err != nil {
		return nil, err
	}
	return []float64{weightedMean(d, d.Y)}, nil
}

// weightedMean returns the mean of a value of every row of positive weight.
func weightedMean(d *mlreg.Design, v []float64) float64 {
	var sum, weight float64
	for i, x := range v {
		if w := d.Weight(i); w > 0 {
			weight += w
			sum += w * x
		}
	}
	return sum / weight
}

// MaxStatistic is the largest response of a row of positive weight, for Bootstrap. It
// is the textbook example of a bootstrap that fails: see Boot.Warnings.
func MaxStatistic(d *mlreg.Design) ([]float64, error) {
	if err := door.CheckTraining(d); err != nil {
		return nil, err
	}
	most := math.Inf(-1)
	for i, y := range d.Y {
		if d.Weight(i) > 0 {
			most = math.Max(most, y)
		}
	}
	return []float64{most}, nil
}

// QuantileStatistic returns the statistic, for Bootstrap, that is the sample quantile of
// the response at a probability p, 0 <= p <= 1 (mlreg.ErrSetting, when it is called): that of
// mlreg.SampleQuantile, of a sample in which row i occurs as often as its weight says.
func QuantileStatistic(p float64) func(d *mlreg.Design) ([]float64, error) {
	return func(d *mlreg.Design) ([]float64, error) {
		if !(p >= 0 && p <= 1) {
			return nil, fmt.Errorf("%w: the quantile at probability %v; it lies between 0 and 1", mlreg.ErrSetting, p)
		}
		if err := door.CheckTraining(d); err != nil {
			return nil, err
		}
		order := gram.NumbersTo(d.NObs())
		slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(d.Y[a], d.Y[b]), a-b) })
		var total float64
		for i := range order {
			total += d.Weight(i)
		}
		h := math.Max(total-1, 0) * p
		k := math.Floor(h)
		at := func(position float64) float64 { // the value that occurs there, from 0
			var sum, last float64
			for _, i := range order {
				if w := d.Weight(i); w > 0 {
					sum, last = sum+w, d.Y[i]
					if position < sum*(1-1e-12) {
						return last
					}
				}
			}
			return last
		}
		low := at(k)
		if h == k {
			return []float64{low}, nil
		}
		return []float64{low + (h-k)*(at(k+1)-low)}, nil
	}
}
