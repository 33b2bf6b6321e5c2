package assess

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/regbook/regbook/internal/expect"
	"github.com/regbook/regbook/internal/fatal"
	"github.com/regbook/regbook/internal/rows"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/internal/gram"
)

// sample returns rows that are a response alone.
func sample(t testing.TB, y ...float64) *mlreg.Design {
	t.Helper()
	return fatal.On(mlreg.NewDesign(nil, y))(t)
}

func normalSample(t testing.TB, seed uint64, n int) *mlreg.Design {
	rnd := rand.New(rand.NewPCG(seed, 1))
	y := make([]float64, n)
	for i := range y {
		y[i] = rnd.NormFloat64()
	}
	return sample(t, y...)
}

// meanErr is the standard error of a mean of rows that count as often as their weight.
func meanErr(d *mlreg.Design) ([]float64, error) {
	var n, mean, ss float64
	for i, y := range d.Y {
		n += d.Weight(i)
		mean += d.Weight(i) * y
	}
	mean /= n
	for i, y := range d.Y {
		ss += d.Weight(i) * gram.Square(y-mean)
	}
	return []float64{math.Sqrt(ss) / n}, nil
}

// All n^n resamples of the mean have the moments that are known exactly: its mean, the
// population's variance over n, and its third moment over n^2.
func TestBootstrapOfTheMeanIsExact(t *testing.T) {
	for n := 2; n <= 7; n++ {
		if n == 7 && testing.Short() {
			continue
		}
		y := []float64{3, -1, 4.5, 0.25, 7, 2, -2.5}[:n]
		resamples := int(math.Round(math.Pow(float64(n), float64(n))))
		w := mat.NewDense(resamples, n, nil)
		for b := range resamples {
			for rest, k := b, 0; k < n; k++ {
				w.Set(b, rest%n, w.At(b, rest%n)+1)
				rest /= n
			}
		}
		boot := fatal.On(Bootstrap(sample(t, y...), MeanStatistic, nil, &BootstrapSettings{Weights: w}))(t)
		mean := stat.Mean(y, nil)
		var second, third, got3 float64
		for _, v := range y {
			second += gram.Square(v-mean) / float64(n)
			third += math.Pow(v-mean, 3) / float64(n)
		}
		for _, v := range boot.Replicates[0] {
			got3 += math.Pow(v-mean, 3) / float64(resamples)
		}
		of := float64(resamples)
		if bias := boot.Bias()[0]; math.Abs(bias) > 1e-13 {
			t.Errorf("n = %d: bias %v", n, bias)
		}
		expect.Near(t, "variance", gram.Square(boot.StdErr()[0])*(of-1)/of, second/float64(n), 1e-10)
		expect.Near(t, "third moment", got3, third/float64(n*n), 1e-9)
	}
}

// The five kinds of limits are those of R's package boot on the same resamples
// (../testdata/boot.R).
func TestBootstrapAgreesWithR(t *testing.T) {
	type limits [][]float64
	type reference struct {
		T0                              []float64
		SD                              []float64
		T, V, Influence                 []float64
		Normal, Basic, Student, Percent limits
		Bca                             limits
		Counts                          [][]float64
	}
	var ref struct {
		X, Y           []float64
		Average, Slope reference
	}
	expect.JSON(t, "../testdata/boot.json", &ref)
	check := func(name string, boot *Boot, j int, want reference) {
		t.Helper()
		expect.Near(t, name+" estimate", boot.Estimate[j], want.T0[0], 1e-12)
		expect.NearAll(t, name+" replicates", boot.Replicates[j], want.T, 1e-10)
		expect.Near(t, name+" standard error", boot.StdErr()[j], want.SD[0], 1e-10)
		expect.NearAll(t, name+" influence", boot.Influence[j], want.Influence, 1e-9)
		for i, v := range want.V {
			expect.Near(t, name+" standard error of a replicate", boot.ReplicateErr[j][i], math.Sqrt(v), 1e-9)
		}
		for kind, ends := range map[IntervalKind]limits{Normal: want.Normal, Basic: want.Basic, Studentized: want.Student, Percentile: want.Percent, BCa: want.Bca} {
			for k, level := range []float64{0.8, 0.95} {
				got := fatal.On(boot.ConfInt(kind, level))(t)[j]
				expect.Near(t, fmt.Sprintf("%s %v lower", name, kind), got.Lower, ends[k][0], 1e-9)
				expect.Near(t, fmt.Sprintf("%s %v upper", name, kind), got.Upper, ends[k][1], 1e-9)
			}
		}
	}
	weights := func(counts [][]float64) *mat.Dense {
		w := mat.NewDense(len(counts), len(counts[0]), nil)
		for b, row := range counts {
			w.SetRow(b, row)
		}
		return w
	}
	average := fatal.On(Bootstrap(sample(t, ref.X...), MeanStatistic, nil, &BootstrapSettings{Weights: weights(ref.Average.Counts), StdErr: meanErr}))(t)
	check("mean", average, 0, ref.Average)
	line := fatal.On(mlreg.NewDesign(mat.NewDense(len(ref.X), 1, ref.X), ref.Y))(t)
	set := &BootstrapSettings{Weights: weights(ref.Slope.Counts), Studentize: true}
	check("slope", fatal.On(BootstrapOLS(line, nil, set))(t), 1, ref.Slope)
}

// Least squares on sums of products is that on rows drawn and copied, and so are other
// fits on sums; predictions are those of the coefficients.
func TestBootstrapOfFitsAgreesWithCopies(t *testing.T) {
	train, test := rows.Prostate(t)
	weighted := *train
	weighted.Weights = make([]float64, 67)
	for i := range weighted.Weights {
		weighted.Weights[i] = float64(i % 4)
	}
	shifted := *train
	shifted.X = mat.DenseCopyOf(train.X)
	shifted.X.Apply(func(i, j int, v float64) float64 { return 1e6 + v }, train.X)
	bare := *train
	bare.NoIntercept = true
	for name, d := range map[string]*mlreg.Design{"rows": train, "weights": &weighted, "far from zero": &shifted, "no intercept": &bare} {
		for _, kind := range []BootstrapKind{ResampleRows, BayesianBootstrap, ResampleBlocks, ResampleClusters, ResampleResiduals, ParametricBootstrap} {
			set := BootstrapSettings{Kind: kind, B: 80}
			for i := range d.NObs() {
				set.Clusters = append(set.Clusters, fmt.Sprint(i%25))
			}
			slow := func(d *mlreg.Design) ([]float64, error) {
				f, err := mlreg.FitOLS(d, nil)
				if err != nil {
					return nil, err
				}
				return f.Coef(), nil
			}
			generic := set
			generic.Fit = fatal.On(mlreg.FitOLS(d, nil))(t)
			a, b := fatal.On(BootstrapOLS(d, rand.NewPCG(1, 2), &set))(t), fatal.On(Bootstrap(d, slow, rand.NewPCG(1, 2), &generic))(t)
			// Means of columns are at 1e6 there, and the intercept loses as many digits.
			tol := 1e-8
			if name == "far from zero" {
				tol = 1e-6
			}
			for j := range a.Names {
				expect.NearAll(t, fmt.Sprintf("%s, %v, %s", name, kind, a.Names[j]), a.Replicates[j], b.Replicates[j], tol)
				if kind == ResampleRows || kind == ResampleClusters {
					expect.NearAll(t, fmt.Sprintf("%s, %v, influence of %s", name, kind, a.Names[j]), a.Influence[j], b.Influence[j], tol)
				}
			}
			if a.Failed() != 0 || a.B() != 80 || kind == ResampleClusters && a.Units != 25 {
				t.Errorf("%s, %v: %d failed of %d, of %d units", name, kind, a.Failed(), a.B(), a.Units)
			}
		}
	}
	ridge := func(data mlreg.Data) (*mlreg.Ridge, error) { return mlreg.FitRidge(data, 5, nil) }
	coef := fatal.On(BootstrapFit(train, ridge, rand.NewPCG(1, 2), &BootstrapSettings{B: 30}))(t)
	at := fatal.On(BootstrapFit(train, ridge, rand.NewPCG(1, 2), &BootstrapSettings{B: 30, At: test}))(t)
	ols := fatal.On(BootstrapOLS(train, rand.NewPCG(1, 2), &BootstrapSettings{B: 30}))(t)
	olsAt := fatal.On(BootstrapOLS(train, rand.NewPCG(1, 2), &BootstrapSettings{B: 30, At: test}))(t)
	for _, pair := range [][2]*Boot{{coef, at}, {ols, olsAt}} {
		for b := range 30 {
			for i := range test.NObs() {
				sum := pair[0].Replicates[0][b]
				for j, x := range test.X.RawRowView(i) {
					sum += x * pair[0].Replicates[j+1][b]
				}
				expect.Near(t, "prediction", pair[1].Replicates[i][b], sum, 1e-9)
			}
		}
	}
	band := fatal.On(olsAt.Band(Normal, 0.95))(t)
	if len(band.Lower) != 30 || band.Kind != mlreg.Confidence || !(band.Lower[3] < band.Fitted[3] && band.Fitted[3] < band.Upper[3]) {
		t.Errorf("%v", band)
	}
}

// Rows that are too many for their products to be kept give the same.
func TestBootstrapOLSInBlocks(t *testing.T) {
	d := rows.Random(t, 3, 3000, 60)
	if w := 3000 * (61*62/2 + 62); w <= mostProducts {
		t.Fatal("the products are kept")
	}
	boot := fatal.On(BootstrapOLS(d, rand.NewPCG(1, 2), &BootstrapSettings{B: 3, SkipJackknife: true}))(t)
	slow := fatal.On(BootstrapFit(d, func(data mlreg.Data) (*mlreg.OLS, error) { return mlreg.FitOLS(data, nil) }, rand.NewPCG(1, 2), &BootstrapSettings{B: 3, SkipJackknife: true}))(t)
	for j := range boot.Names {
		expect.NearAll(t, boot.Names[j], boot.Replicates[j], slow.Replicates[j], 1e-9)
	}
}

// A resample drawn with replacement has n rows, a Bayesian one weights that sum to n, one
// of clusters keeps them together, one of blocks has rows that follow each other.
func TestDraws(t *testing.T) {
	d := normalSample(t, 1, 24)
	d.Weights = slices.Repeat([]float64{1}, 24)
	d.Weights[5] = 0
	var clusters []string
	for i := range 24 {
		clusters = append(clusters, fmt.Sprint(i/3))
	}
	for _, kind := range []BootstrapKind{ResampleRows, BayesianBootstrap, ResampleClusters, ResampleBlocks} {
		boot := fatal.On(Bootstrap(d, func(d *mlreg.Design) ([]float64, error) { return slices.Clone(d.Weights), nil }, rand.NewPCG(1, 2),
			&BootstrapSettings{Kind: kind, B: 400, Clusters: clusters, BlockLength: 4}))(t)
		var mean, variance float64
		follows := 0
		for b := range boot.B() {
			var sum float64
			for i := range 24 {
				w := boot.Replicates[i][b]
				sum += w
				if kind == ResampleClusters && i != 5 && i != 4 && i/3*3 != i && w != boot.Replicates[i-1][b] {
					t.Fatal("a cluster is divided")
				}
				if kind == ResampleBlocks && i > 6 && w > 0 && (boot.Replicates[i-1][b] > 0 || boot.Replicates[(i+1)%24][b] > 0) {
					follows++
				}
			}
			mean += boot.Replicates[0][b] / 400
			variance += gram.Square(boot.Replicates[0][b]-1) / 400
			if want := 23.0; kind != ResampleClusters && math.Abs(sum-want) > 1e-9 {
				t.Fatalf("%v: weights sum to %v", kind, sum)
			}
			if boot.Replicates[5][b] != 0 {
				t.Fatal("a row without weight is drawn")
			}
		}
		// The variance of a weight is 1 - 1/n for rows, (n-1)/(n+1) for Bayesian weights.
		want := map[BootstrapKind]float64{ResampleRows: 22.0 / 23, BayesianBootstrap: 22.0 / 24, ResampleClusters: 7.0 / 8, ResampleBlocks: variance}[kind]
		if math.Abs(mean-1) > 0.25 || math.Abs(variance-want) > 0.3 {
			t.Errorf("%v: weights of mean %v and variance %v, %v is expected", kind, mean, variance, want)
		}
		if kind == ResampleBlocks && follows == 0 {
			t.Error("no row follows another")
		}
	}
}

// The same source gives the same bits whatever the number of processors, and another
// source others.
func TestBootstrapIsReproducible(t *testing.T) {
	train, _ := rows.Prostate(t)
	run := func(seed uint64) string {
		ols := fatal.On(BootstrapOLS(train, rand.NewPCG(seed, 2), &BootstrapSettings{B: 700, Studentize: true}))(t)
		mean := fatal.On(Bootstrap(train, MeanStatistic, rand.NewPCG(seed, 2), &BootstrapSettings{B: 700}))(t)
		return fmt.Sprintf("%x %x %x", ols.Replicates, ols.ReplicateErr, mean.Replicates)
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	one := run(1)
	for _, procs := range []int{2, 3, 8} {
		runtime.GOMAXPROCS(procs)
		if run(1) != one {
			t.Errorf("other bits with %d processors", procs)
		}
	}
	if run(2) == one {
		t.Error("another source gives the same")
	}
}

// Studentized limits of a mean cover it as often as they say; percentile limits of the
// maximum of uniform numbers never cover the end of the range, and those of the variance of
// few rows with heavy tails do too rarely.
func TestBootstrapCoverage(t *testing.T) {
	expect.Repeats(t)
	rnd := rand.New(rand.NewPCG(11, 12))
	const level = 0.9
	variance := func(d *mlreg.Design) ([]float64, error) {
		e, err := meanErr(d)
		var n float64
		for i := range d.Y {
			n += d.Weight(i)
		}
		return []float64{gram.Square(e[0]) * n}, err
	}
	for _, c := range []struct {
		name      string
		n         int
		draw      func() float64
		statistic Statistic
		truth     float64
		kind      IntervalKind
		most      float64 // coverage is visibly below it; 0 is right
	}{
		{"studentized, normal mean", 30, rnd.NormFloat64, MeanStatistic, 0, Studentized, 0},
		{"studentized, exponential mean", 60, rnd.ExpFloat64, MeanStatistic, 1, Studentized, 0},
		{"maximum", 50, rnd.Float64, MaxStatistic, 1, Percentile, 0.01},
		{"variance, heavy tails", 20, func() float64 { return math.Exp(1.5 * rnd.NormFloat64()) }, variance, (math.Exp(2.25) - 1) * math.Exp(2.25), Percentile, 0.6},
	} {
		studies := 600
		if c.most > 0 { // far from the level
			studies = 150
		}
		covered := 0
		for range studies {
			y := make([]float64, c.n)
			for i := range y {
				y[i] = c.draw()
			}
			boot := fatal.On(Bootstrap(sample(t, y...), c.statistic, rnd, &BootstrapSettings{B: 399, StdErr: meanErr, SkipJackknife: true}))(t)
			if l := fatal.On(boot.ConfInt(c.kind, level))(t)[0]; l.Lower <= c.truth && c.truth <= l.Upper {
				covered++
			}
		}
		rate, se := float64(covered)/float64(studies), math.Sqrt(level*(1-level)/float64(studies))
		if c.most == 0 && math.Abs(rate-level) > 4*se || c.most > 0 && rate > c.most {
			t.Errorf("%s: %v of the limits at %v cover", c.name, rate, level)
		}
	}
}

// Every reason not to believe a bootstrap is named, and none of them where there is none.
func TestBootstrapWarnings(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	draw := func(n int, f func() float64) *mlreg.Design {
		y := make([]float64, n)
		for i := range y {
			y[i] = f()
		}
		return sample(t, y...)
	}
	cauchy := func() float64 { return rnd.NormFloat64() / rnd.NormFloat64() }
	bernoulli := func() float64 { return float64(rnd.IntN(20) / 19) }
	sometimes := func(d *mlreg.Design) ([]float64, error) {
		switch {
		case d.Weights != nil && d.Weights[0] == 0 && d.Weights[1] == 0:
			return nil, errors.New("neither of the first rows is there")
		case d.Weights != nil && d.Weights[2] > 2:
			return []float64{math.NaN()}, nil
		case d.Weights != nil && d.Weights[3] > 2:
			return []float64{1, 2}, nil
		}
		return MeanStatistic(d)
	}
	for _, c := range []struct {
		name      string
		d         *mlreg.Design
		statistic Statistic
		want      []string
	}{
		{"mean", draw(50, rnd.NormFloat64), MeanStatistic, nil},
		{"exponential", draw(50, rnd.ExpFloat64), MeanStatistic, nil},
		{"maximum", draw(50, rnd.Float64), MaxStatistic, []string{WarnOrderStatistic}},
		{"minimum", draw(50, rnd.Float64), QuantileStatistic(0), []string{WarnOrderStatistic}},
		{"median of few", draw(21, rnd.Float64), QuantileStatistic(0.5), []string{WarnFewValues}},
		{"median of many", draw(401, rnd.Float64), QuantileStatistic(0.5), nil},
		{"rare event", draw(25, bernoulli), MeanStatistic, []string{WarnBoundary}},
		{"Cauchy", draw(50, cauchy), MeanStatistic, []string{WarnHeavyTails}},
		{"few rows", draw(8, rnd.NormFloat64), MeanStatistic, []string{WarnFewRows}},
		{"sometimes", draw(50, rnd.NormFloat64), sometimes, []string{WarnFailed, WarnFailed, WarnFailed}},
	} {
		boot := fatal.On(Bootstrap(c.d, c.statistic, rand.NewPCG(1, 2), nil))(t)
		var got []string
		for _, w := range boot.Warnings() {
			got = append(got, w.Kind)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: warnings %v, wanted %v\n%v", c.name, got, c.want, boot)
		}
		if boot.B()+boot.Failed() != 2000 {
			t.Errorf("%s: %d resamples and %d failures", c.name, boot.B(), boot.Failed())
		}
	}
	// The fraction of resamples that have the maximum is 1 - (1-1/n)^n.
	boot := fatal.On(Bootstrap(draw(50, rnd.Float64), MaxStatistic, rand.NewPCG(1, 2), nil))(t)
	share := 0.0
	for _, v := range boot.Replicates[0] {
		if v == boot.Estimate[0] {
			share += 1.0 / 2000
		}
	}
	want := 1 - math.Pow(1-1.0/50, 50)
	if math.Abs(share-want) > 4*math.Sqrt(want*(1-want)/2000) {
		t.Errorf("%v of the resamples have the maximum, %v is expected", share, want)
	}
	least := fatal.On(Bootstrap(draw(50, rnd.Float64), QuantileStatistic(0), rand.NewPCG(1, 2), nil))(t)
	expect.Error(t, "BCa of a minimum", expect.ErrorOf(least.ConfInt(BCa, 0.9)), mlreg.ErrNotEstimable, "t1")
	// Failures that the statistic makes: neither of two rows is drawn with (1-2/n)^n.
	d := twoRare(t)
	boot = fatal.On(Bootstrap(d, func(d *mlreg.Design) ([]float64, error) {
		f, err := mlreg.FitLogistic(d, nil)
		if err != nil {
			return nil, err
		}
		return f.Coef(), nil
	}, rand.NewPCG(1, 2), &BootstrapSettings{B: 400, SkipJackknife: true}))(t)
	if !boot.Warnings().Has(WarnFailed, "") || boot.Failures[0].Count < 30 || !strings.Contains(boot.String(), "failed") {
		t.Errorf("one class missing: %v", boot)
	}
	// The lasso holds coefficients at zero.
	train, _ := rows.Prostate(t)
	lasso := fatal.On(BootstrapFit(train, func(data mlreg.Data) (*mlreg.Lasso, error) { return mlreg.FitLasso(data, 15, nil) }, rand.NewPCG(1, 2), &BootstrapSettings{B: 300, SkipJackknife: true}))(t)
	if !lasso.Warnings().Has(WarnBoundary, "gleason") || lasso.Warnings().Has(WarnBoundary, "lcavol") {
		t.Errorf("lasso: %v", lasso.Warnings())
	}
}

// twoRare has two rows of the second class among twenty-five.
func twoRare(t testing.TB) *mlreg.Design {
	d := rows.Classes(t, 3, 25)
	clear(d.Y)
	d.Y[4], d.Y[9] = 1, 1
	d.X.Set(4, 0, 0)
	d.X.Set(9, 0, 0.1)
	return d
}

// Resamples are added until the limits are known as well as is wanted.
func TestBootstrapChoosesB(t *testing.T) {
	d := normalSample(t, 1, 40)
	boot := fatal.On(Bootstrap(d, MeanStatistic, rand.NewPCG(1, 2), &BootstrapSettings{B: 200, LimitError: 0.03}))(t)
	rows := fatal.On(boot.Table(Percentile, 0.95))(t)
	if boot.B() <= 200 || boot.Planned != boot.B() || rows[0].MonteCarlo > 0.03*rows[0].StdErr {
		t.Errorf("%d resamples: %v", boot.B(), rows)
	}
	few := fatal.On(Bootstrap(d, MeanStatistic, rand.NewPCG(1, 2), &BootstrapSettings{B: 200, LimitError: 1e-6, MaxB: 500}))(t)
	if few.B() != 500 {
		t.Errorf("%d resamples, at most 500", few.B())
	}
	if expect.RaceDetector {
		return // the same again
	}
	// The error that is stated is the one there is: limits of many bootstraps.
	var lower, stated, sds, sdErrs []float64
	for seed := range uint64(200) {
		b := fatal.On(Bootstrap(d, MeanStatistic, rand.NewPCG(seed, 2), &BootstrapSettings{B: 400, SkipJackknife: true}))(t)
		r := fatal.On(b.Table(Percentile, 0.9))(t)[0]
		lower, stated, sds = append(lower, r.Lower), append(stated, r.MonteCarlo), append(sds, r.StdErr)
		sdErrs = append(sdErrs, r.StdErrErr)
	}
	// Over 200 bootstraps a standard deviation is known to 5%.
	if got, want := stat.StdDev(sds, nil), stat.Mean(sdErrs, nil); math.Abs(got/want-1) > 0.2 {
		t.Errorf("standard errors vary by %v, and %v is stated", got, want)
	}
	// The larger of the two errors is stated.
	if got, want := stat.StdDev(lower, nil), stat.Mean(stated, nil); got < want/1.6 || got > 1.2*want {
		t.Errorf("lower limits vary by %v, and %v is stated", got, want)
	}
}

// The error estimates are those of the definition, by loops over copied rows.
func TestBootstrapError(t *testing.T) {
	d := rows.Random(t, 2, 25, 4)
	set := &BootstrapSettings{B: 50}
	fit := func(d *mlreg.Design) (any, error) { return mlreg.FitOLS(d, nil) }
	a := fatal.On(BootstrapError(d, fit, mlreg.SquaredLoss, rand.NewPCG(1, 2), set))(t)
	counts := fatal.On(Bootstrap(d, func(d *mlreg.Design) ([]float64, error) {
		if d.Weights == nil {
			return make([]float64, 25), nil
		}
		return slices.Clone(d.Weights), nil
	}, rand.NewPCG(1, 2), &BootstrapSettings{B: 50, SkipJackknife: true}))(t)
	sum, times := make([]float64, 25), make([]float64, 25)
	for b := range 50 {
		var rows []int
		for i := range 25 {
			rows = append(rows, slices.Repeat([]int{i}, int(counts.Replicates[i][b]))...)
		}
		yhat := fatal.On(fatal.On(mlreg.FitOLS(d.Rows(rows...), nil))(t).Predict(d))(t)
		for i := range 25 {
			if counts.Replicates[i][b] == 0 {
				sum[i] += gram.Square(d.Y[i] - yhat[i])
				times[i]++
			}
		}
	}
	var loo, gamma float64
	for i := range sum {
		loo += sum[i] / times[i] / 25
	}
	ols := fatal.On(mlreg.FitOLS(d, nil))(t)
	yhat := fatal.On(ols.Predict(d))(t)
	for _, y := range d.Y {
		for _, v := range yhat {
			gamma += gram.Square(y-v) / 625
		}
	}
	apparent := ols.RSS() / 25
	expect.Near(t, "leave-one-out", a.LeaveOneOut, loo, 1e-9)
	expect.Near(t, "no information", a.NoInformation, gamma, 1e-10)
	expect.Near(t, "apparent", a.Apparent, apparent, 1e-10)
	expect.Near(t, ".632", a.Err632, .368*apparent+.632*loo, 1e-12)
	r := (loo - apparent) / (gamma - apparent)
	v := .632 / (1 - .368*r)
	expect.Near(t, ".632+", a.Err632Plus, (1-v)*apparent+v*loo, 1e-12)

	// Classes drawn at random: a rule that repeats the nearest row has no apparent error
	// and errs half of the time, which .632 does not see and .632+ does.
	var b ErrorEstimates
	const studies = 20
	for seed := range uint64(studies) {
		rnd := rand.New(rand.NewPCG(seed, 4))
		noise := rows.Random(t, 5+seed, 40, 3)
		noise.Classes = []string{"a", "b"}
		for i := range noise.Y {
			noise.Y[i] = float64(rnd.IntN(2))
		}
		nearest := func(d *mlreg.Design) (any, error) { return nearestRow{noise, d}, nil }
		a := fatal.On(BootstrapError(noise, nearest, mlreg.ZeroOneLoss, rand.NewPCG(seed, 2), &BootstrapSettings{B: 50}))(t)
		b.Apparent += a.Apparent / studies
		b.LeaveOneOut += a.LeaveOneOut / studies
		b.Err632 += a.Err632 / studies
		b.Err632Plus += a.Err632Plus / studies
	}
	se := 0.5 / math.Sqrt(40*studies)
	if b.Apparent != 0 || math.Abs(b.LeaveOneOut-0.5) > 4*se || b.Err632 > 0.4 || b.Err632Plus < 0.44 || b.Err632Plus > 0.5+4*se {
		t.Errorf("%v", &b)
	}
}

// nearestRow puts a row in the class of the nearest row of positive weight.
type nearestRow struct{ rows, weighted *mlreg.Design }

func (nearestRow) Classes() []string { return []string{"a", "b"} }

func (f nearestRow) ClassProb(d *mlreg.Design) (*mat.Dense, error) {
	w := slices.Clone(f.weighted.Weights)
	p := mat.NewDense(d.NObs(), 2, nil)
	for i := range d.NObs() {
		best, least := 0, math.Inf(1)
		for k := range f.rows.NObs() {
			var distance float64
			for j, x := range d.X.RawRowView(i) {
				distance += gram.Square(x - f.rows.X.At(k, j))
			}
			if (w == nil || w[k] > 0) && distance < least {
				best, least = k, distance
			}
		}
		p.Set(i, int(f.rows.Y[best]), 1)
	}
	return p, nil
}

// The interval of a test error: its standard error is that of mlreg.TestError up to sqrt(1-1/n).
func TestBootstrapTestError(t *testing.T) {
	train, test := rows.Prostate(t)
	ols := fatal.On(mlreg.FitOLS(train, nil))(t)
	a := fatal.On(mlreg.TestError(ols, test, mlreg.SquaredLoss))(t)
	boot := fatal.On(BootstrapTestError(ols, test, mlreg.SquaredLoss, rand.NewPCG(1, 2), nil))(t)
	expect.Near(t, "estimate", boot.Estimate[0], a.Mean, 1e-12)
	expect.Near(t, "own standard error", boot.EstimateErr[0], a.StdErr*math.Sqrt(29.0/30), 1e-12)
	if se := boot.StdErr()[0]; math.Abs(se-boot.EstimateErr[0]) > 4*boot.EstimateErr[0]/math.Sqrt(4000) {
		t.Errorf("standard error %v, and %v is expected", se, boot.EstimateErr[0])
	}
	expect.Error(t, "residuals", expect.ErrorOf(BootstrapTestError(ols, test, mlreg.SquaredLoss, rand.NewPCG(1, 2), &BootstrapSettings{Kind: ResampleResiduals})), mlreg.ErrSetting, "residuals")
}

// Responses drawn from a classifier have its probabilities.
func TestParametricBootstrapOfClasses(t *testing.T) {
	d := rows.Classes(t, 1, 60)
	fit := fatal.On(mlreg.FitLogistic(d, nil))(t)
	boot := fatal.On(Bootstrap(d, func(d *mlreg.Design) ([]float64, error) { return slices.Clone(d.Y), nil }, rand.NewPCG(1, 2),
		&BootstrapSettings{Kind: ParametricBootstrap, Fit: fit, B: 3000}))(t)
	p := fatal.On(fit.Predict(d))(t)
	for i := range p {
		if got := stat.Mean(boot.Replicates[i], nil); math.Abs(got-p[i]) > 5*math.Sqrt(p[i]*(1-p[i])/3000)+1e-9 {
			t.Errorf("row %d: %v drawn with probability %v", i, got, p[i])
		}
	}
}

func TestEDF(t *testing.T) {
	f := fatal.On(NewEDF([]float64{3, 1, 2, 2}))(t)
	for x, want := range map[float64]float64{0: 0, 1: 0.25, 1.5: 0.25, 2: 0.75, 2.5: 0.75, 3: 1, 9: 1} {
		if got := f.At(x); got != want {
			t.Errorf("F(%v) = %v", x, got)
		}
	}
	// R: ks.test(c(.1,.4,.7), "punif")$statistic
	expect.Near(t, "distance", fatal.On(NewEDF([]float64{0.1, 0.4, 0.7}))(t).Distance(func(x float64) float64 { return x }), 0.3, 1e-14)
	// It goes to zero as 1/sqrt(n), and the band holds it as often as it says.
	rnd := rand.New(rand.NewPCG(1, 2))
	uniform := func(n int) float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = rnd.Float64()
		}
		return fatal.On(NewEDF(x))(t).Distance(func(x float64) float64 { return x })
	}
	within := 0
	half := fatal.On(fatal.On(NewEDF(make([]float64, 100)))(t).Band(0.9))(t)
	var small, large float64
	for range 1000 {
		v := uniform(100)
		small += v
		large += uniform(1600)
		if v <= half {
			within++
		}
	}
	if within < 900-40 || within > 960 {
		t.Errorf("%d of 1000 within the band at 90%%", within)
	}
	if ratio := small / large; ratio < 3.6 || ratio > 4.4 {
		t.Errorf("16 times the values divide the distance by %v", ratio)
	}
	expect.Error(t, "no values", expect.ErrorOf(NewEDF(nil)), mlreg.ErrNoData, "no values")
	expect.Error(t, "NaN", expect.ErrorOf(NewEDF([]float64{1, math.NaN()})), mlreg.ErrNotFinite, "element 2 of x")
	expect.Error(t, "level", expect.ErrorOf(f.Band(1)), mlreg.ErrSetting, "level")
}

func TestBootstrapBadInput(t *testing.T) {
	d, src := normalSample(t, 1, 10), rand.NewPCG(1, 2)
	ols := fatal.On(mlreg.FitOLS(rows.Random(t, 1, 10, 2), nil))(t)
	bad := func(what string, d *mlreg.Design, s Statistic, set *BootstrapSettings, want error, names string) {
		t.Helper()
		expect.Error(t, what, expect.ErrorOf(Bootstrap(d, s, src, set)), want, names)
	}
	missing := *d
	missing.Y = slices.Clone(d.Y)
	missing.Y[2] = math.NaN()
	bad("nothing", d, nil, nil, mlreg.ErrNoData, "statistic is nil")
	bad("no design", nil, MeanStatistic, nil, mlreg.ErrNoData, "design")
	bad("B = 1", d, MeanStatistic, &BootstrapSettings{B: 1}, mlreg.ErrSetting, "B = 1")
	bad("B = -1", d, MeanStatistic, &BootstrapSettings{B: -1}, mlreg.ErrSetting, "B = -1")
	bad("MaxB", d, MeanStatistic, &BootstrapSettings{B: 10, MaxB: 5}, mlreg.ErrSetting, "at most 5")
	bad("many", d, MeanStatistic, &BootstrapSettings{B: 2, LimitError: 1e-9, MaxB: math.MaxInt}, mlreg.ErrTooLarge, "MaxB = 9223372036854775807")
	bad("many numbers", d, func(*mlreg.Design) ([]float64, error) { return make([]float64, 1000), nil }, &BootstrapSettings{B: 1 << 20}, mlreg.ErrTooLarge, "of 1000 numbers")
	bad("limit error", d, MeanStatistic, &BootstrapSettings{LimitError: -1}, mlreg.ErrSetting, "LimitError = -1")
	bad("kind", d, MeanStatistic, &BootstrapSettings{Kind: 9}, mlreg.ErrSetting, "BootstrapKind(9)")
	bad("one row", sample(t, 1), MeanStatistic, nil, mlreg.ErrNoData, "1 rows")
	bad("missing value", &missing, MeanStatistic, nil, mlreg.ErrNotFinite, "row 3")
	bad("names", d, MeanStatistic, &BootstrapSettings{Names: []string{"a", "b"}}, mlreg.ErrShape, "2 names")
	bad("no clusters", d, MeanStatistic, &BootstrapSettings{Kind: ResampleClusters}, mlreg.ErrShape, "0 names of clusters")
	bad("one cluster", d, MeanStatistic, &BootstrapSettings{Kind: ResampleClusters, Clusters: slices.Repeat([]string{"a"}, 10)}, mlreg.ErrNoData, "1 clusters")
	bad("blocks", d, MeanStatistic, &BootstrapSettings{Kind: ResampleBlocks, BlockLength: 11}, mlreg.ErrSetting, "blocks of 11")
	bad("no fit", d, MeanStatistic, &BootstrapSettings{Kind: ResampleResiduals}, mlreg.ErrNoData, "Fit")
	bad("no variance", d, MeanStatistic, &BootstrapSettings{Kind: ParametricBootstrap, Fit: constant(1)}, mlreg.ErrSetting, "Sigma2")
	bad("other rows", d, MeanStatistic, &BootstrapSettings{Kind: ResampleResiduals, Fit: ols}, mlreg.ErrShape, "x1")
	bad("other weights", d, MeanStatistic, &BootstrapSettings{Weights: mat.NewDense(3, 4, nil)}, mlreg.ErrShape, "4 rows")
	bad("negative weights", d, MeanStatistic, &BootstrapSettings{Weights: mat.NewDense(2, 10, slices.Repeat([]float64{-1}, 20))}, mlreg.ErrSetting, "row 1 -1 times")
	bad("no number", d, func(*mlreg.Design) ([]float64, error) { return nil, nil }, nil, mlreg.ErrNoData, "no number")
	bad("NaN", d, func(*mlreg.Design) ([]float64, error) { return []float64{math.NaN()}, nil }, nil, mlreg.ErrNotFinite, "all rows")
	bad("quantile", d, QuantileStatistic(2), nil, mlreg.ErrSetting, "2")
	bad("fails always", d, func(d *mlreg.Design) ([]float64, error) {
		if d.Weights == nil {
			return []float64{1}, nil
		}
		return nil, mlreg.ErrSaturated
	}, nil, mlreg.ErrSaturated, "2000 of 2000")
	expect.Error(t, "no source", expect.ErrorOf(Bootstrap(d, MeanStatistic, nil, nil)), mlreg.ErrSetting, "rand.NewPCG")
	expect.Error(t, "no fit", expect.ErrorOf(BootstrapFit[*mlreg.OLS](d, nil, src, nil)), mlreg.ErrNoData, "nil")
	expect.Error(t, "standard errors", expect.ErrorOf(BootstrapOLS(d, src, &BootstrapSettings{StdErr: meanErr})), mlreg.ErrSetting, "Studentize")
	collinear := rows.Random(t, 1, 10, 2)
	collinear.X.SetCol(1, mat.Col(nil, 0, collinear.X))
	expect.Error(t, "aliased", expect.ErrorOf(BootstrapOLS(collinear, src, nil)), mlreg.ErrRankDeficient, "x2")
	rare := rows.Random(t, 1, 10, 1)
	rare.X.SetCol(0, []float64{1, 0, 0, 0, 0, 0, 0, 0, 0, 0})
	boot := fatal.On(BootstrapOLS(rare, src, nil))(t)
	if n := boot.Failed(); math.Abs(float64(n)/2000-math.Pow(0.9, 10)) > 0.05 || boot.Failures[0].Reason != mlreg.ErrRankDeficient.Error() {
		t.Errorf("%d resamples do not have the row: %v", n, boot.Failures)
	}
	expect.Error(t, "no influence", expect.ErrorOf(boot.ConfInt(BCa, 0.9)), mlreg.ErrSetting, "influence")
	expect.Error(t, "no standard errors", expect.ErrorOf(boot.ConfInt(Studentized, 0.9)), mlreg.ErrSetting, "StdErr")
	expect.Error(t, "level", expect.ErrorOf(boot.ConfInt(Normal, 0)), mlreg.ErrSetting, "level")
	expect.Error(t, "kind of limits", expect.ErrorOf(boot.ConfInt(IntervalKind(7), 0.9)), mlreg.ErrSetting, "IntervalKind(7)")
	stop := errors.New("enough")
	boot, err := Bootstrap(d, MeanStatistic, src, &BootstrapSettings{Progress: func(done, _ float64) error {
		if done < 500 {
			return nil
		}
		return stop
	}})
	if !errors.Is(err, stop) || boot.B() != 512 || !strings.Contains(boot.String(), "stopped after 512 of 2000") {
		t.Errorf("%v: %v", err, boot)
	}
	expect.Error(t, "error of nothing", expect.ErrorOf(BootstrapError(d, nil, mlreg.SquaredLoss, src, nil)), mlreg.ErrNoData, "nil")
	func() {
		defer func() {
			if p, ok := recover().(*mlreg.PanicError); !ok || !strings.Contains(p.Error(), "statistic") {
				t.Errorf("panic %v", p)
			}
		}()
		_, _ = Bootstrap(d, func(d *mlreg.Design) ([]float64, error) {
			if d.Weights != nil {
				panic("oh")
			}
			return []float64{1}, nil
		}, src, nil)
	}()
}

// Residuals are drawn divided by sqrt(1 - leverage), so that the standard errors are those
// of least squares on average; parametric noise has the variance of the fit.
func TestResidualAndParametricBootstrapHaveTheVariance(t *testing.T) {
	d := rows.Random(t, 9, 14, 6)
	ols := fatal.On(mlreg.FitOLS(d, nil))(t)
	h, r := fatal.On(ols.Leverage(d))(t), fatal.On(ols.Residuals(d))(t)
	var pool []float64
	for i := range r {
		pool = append(pool, r[i]/math.Sqrt(1-h[i]))
	}
	variance := gram.Square(stat.StdDev(pool, nil)) * 13 / 14
	const b = 20_000
	for kind, want := range map[BootstrapKind]float64{ResampleResiduals: variance, ParametricBootstrap: ols.Sigma2()} {
		boot := fatal.On(BootstrapOLS(d, rand.NewPCG(1, 2), &BootstrapSettings{Kind: kind, B: b}))(t)
		for j, se := range boot.StdErr() {
			if exact := ols.StdErr()[j] * math.Sqrt(want/ols.Sigma2()); math.Abs(se/exact-1) > 4/math.Sqrt(2*b) {
				t.Errorf("%v: standard error of %s %v, %v is exact", kind, boot.Names[j], se, exact)
			}
		}
	}
}

// Studentized limits of least squares under parametric noise are those of Student's t, of every
// coefficient.
func TestStudentizedParametricBootstrapIsStudent(t *testing.T) {
	d := rows.Random(t, 9, 14, 5)
	ols := fatal.On(mlreg.FitOLS(d, nil))(t)
	boot := fatal.On(BootstrapOLS(d, rand.NewPCG(3, 4), &BootstrapSettings{Kind: ParametricBootstrap, B: 20_000, Studentize: true}))(t)
	exact := fatal.On(ols.ConfInt(0.9))(t)
	for j, r := range fatal.On(boot.Table(Studentized, 0.9))(t) {
		if off := math.Max(math.Abs(r.Lower-exact[j].Lower), math.Abs(r.Upper-exact[j].Upper)); off > 4*r.MonteCarlo {
			t.Errorf("%s: %v to %v, exactly %v to %v, off by %.1f Monte Carlo errors", exact[j].Term, r.Lower, r.Upper, exact[j].Lower, exact[j].Upper, off/r.MonteCarlo)
		}
	}
}

// The Monte Carlo error of a limit at or beyond the extremes of the replicates is not
// known: 20 resamples do not tell limits at 95%, 1000 do.
func TestBootstrapMonteCarloErrorAtTheExtremes(t *testing.T) {
	d := normalSample(t, 3, 15)
	const note = "at the extremes of the resamples"
	for _, c := range []struct {
		resamples int
		level     float64
		known     bool
	}{{20, 0.95, false}, {39, 0.95, false}, {1000, 0.95, true}, {60, 0.5, true}, {1000, 0.9999, false}} {
		boot := fatal.On(Bootstrap(d, MeanStatistic, rand.NewPCG(1, 2), &BootstrapSettings{B: c.resamples, StdErr: meanErr}))(t)
		for _, kind := range []IntervalKind{Percentile, Basic, Studentized, BCa} {
			table := fatal.On(boot.Table(kind, c.level))(t)
			if known := !math.IsInf(table[0].MonteCarlo, 1); known != c.known || strings.Contains(table.String(), note) == known || math.IsNaN(table[0].MonteCarlo) {
				t.Errorf("%d resamples, %v at %v: %v", c.resamples, kind, c.level, table)
			}
		}
	}
	boot := fatal.On(Bootstrap(d, MeanStatistic, rand.NewPCG(1, 2), &BootstrapSettings{B: 20, LimitError: 0.5}))(t)
	if boot.B() < 80 {
		t.Errorf("%d resamples are said to tell the limits", boot.B())
	}
	// A level so high that Phi's argument is infinite, or past the pole of the correction.
	boot = fatal.On(Bootstrap(d, MeanStatistic, rand.NewPCG(1, 2), nil))(t)
	if _, err := boot.Table(BCa, 1-1e-16); !errors.Is(err, mlreg.ErrNotEstimable) {
		t.Errorf("%v", err)
	}
}

// A resample without an outlier of a predictor, which alone carries the basis of all
// rows, has the coefficients of the rows that are left.
func TestBootstrapOLSWithoutAnOutlier(t *testing.T) {
	d := rows.Random(t, 4, 30, 2)
	at := rows.Random(t, 5, 3, 2)
	w := mat.NewDense(2, 30, nil)
	for i := range 30 {
		w.Set(0, i, float64(i%3))
		w.Set(1, i, float64(i%2))
	}
	for _, size := range []float64{1e3, 1e5, 1e7, 1e10} {
		d.X.Set(3, 0, size) // drawn by the second
		got := fatal.On(BootstrapOLS(d, nil, &BootstrapSettings{Weights: w, Studentize: true}))(t)
		there := fatal.On(BootstrapOLS(d, nil, &BootstrapSettings{Weights: w, At: at}))(t)
		if got.B() != 2 {
			t.Fatalf("outlier %v: %v", size, got.Failures)
		}
		var rows []int
		for i := range 30 {
			for range i % 3 {
				rows = append(rows, i)
			}
		}
		want := fatal.On(mlreg.FitOLS(d.Rows(rows...), nil))(t)
		predicted := fatal.On(want.Predict(at))(t)
		for j, b := range want.Coef() {
			expect.Near(t, fmt.Sprintf("outlier %v: coefficient", size), got.Replicates[j][0], b, 1e-9)
			expect.Near(t, fmt.Sprintf("outlier %v: standard error", size), got.ReplicateErr[j][0], want.StdErr()[j], 1e-9)
			expect.Near(t, fmt.Sprintf("outlier %v: prediction", size), there.Replicates[j][0], predicted[j], 1e-9)
		}
	}
}

// Resamples that are fitted exactly have no standard error, and studentized limits do not
// exist.
func TestStudentizedLimitsOfSaturatedResamples(t *testing.T) {
	boot := fatal.On(BootstrapOLS(rows.Random(t, 1, 5, 2), rand.NewPCG(1, 2), &BootstrapSettings{B: 1000, Studentize: true}))(t)
	if table, err := boot.Table(Studentized, 0.95); !errors.Is(err, mlreg.ErrNotFinite) || !strings.Contains(err.Error(), fmt.Sprintf("of %d resamples", boot.B())) {
		t.Errorf("%v, %v", table, err)
	}
}

// certain gives the first class a probability of 1, and what rounding may add.
type certain struct{ over float64 }

func (certain) Classes() []string { return []string{"a", "b"} }
func (c certain) ClassProb(d *mlreg.Design) (*mat.Dense, error) {
	p := mat.NewDense(d.NObs(), 2, nil)
	for i := range d.NObs() {
		p.Set(i, 0, 0.25)
		p.Set(i, 1, 0.75)
		if d.Y[i] == 0 {
			p.Set(i, 0, 1+c.over)
			p.Set(i, 1, 0)
		}
	}
	return p, nil
}

// A log loss below zero, by rounding, is a loss and not that of a row that was drawn.
func TestBootstrapErrorOfCertainRows(t *testing.T) {
	d := &mlreg.Design{X: mat.NewDense(8, 1, []float64{1, 2, 3, 4, 5, 6, 7, 8}), Y: []float64{0, 0, 0, 0, 1, 1, 1, 1}, Names: []string{"x"}, Response: "y", Classes: []string{"a", "b"}}
	of := func(over float64) float64 {
		return fatal.On(BootstrapError(d, func(*mlreg.Design) (any, error) { return certain{over}, nil }, mlreg.LogLoss, rand.NewPCG(1, 2), nil))(t).LeaveOneOut
	}
	expect.Near(t, "leave-one-out", of(0x1p-52), of(0), 1e-12)
}

// Means of rows that count differently are not what is answered.
func TestThresholdoutRefusesWeights(t *testing.T) {
	d := rows.Random(t, 1, 20, 2)
	weighted := *d
	weighted.Weights = slices.Repeat([]float64{1}, 20)
	fatal.On(NewThresholdout(d, &weighted, 3, rand.NewPCG(1, 2), nil))(t)
	weighted.Weights[4] = 7
	if _, err := NewThresholdout(d, &weighted, 3, rand.NewPCG(1, 2), nil); !errors.Is(err, mlreg.ErrSetting) || !strings.Contains(err.Error(), "7 in row 5") {
		t.Errorf("%v", err)
	}
}

// The products of rows are z z' (upper triangle), z r and r r, of any rows.
func TestRowProducts(t *testing.T) {
	w := &olsWork{k: 2, z: blas64.General{Rows: 3, Cols: 2, Stride: 2, Data: []float64{1, 2, 3, 5, 7, 11}}, r: []float64{13, 17, 19}}
	want := []float64{9, 15, 25, 51, 85, 289, 49, 77, 121, 133, 209, 361}
	if got := w.rowProducts(1, 3).Data; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
