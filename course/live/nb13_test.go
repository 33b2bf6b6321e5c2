package live

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/assess"
)

// The correlations of the resamples from sums over the men drawn, and their quantiles by
// interpolating the order statistics as R's boot.ci does, on the scale of the normal distribution.
func TestResamples(t *testing.T) {
	e := Resamples()
	d := volumeAndPSA()
	whole, err := correlation(d)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range e.Params[0].Frames {
		view, err := e.Draw([]float64{b}, nil)
		if err != nil {
			t.Fatal(err)
		}
		boot, err := assess.Bootstrap(d, correlation, rand.NewPCG(e.Seed, 1), &assess.BootstrapSettings{B: int(b), SkipJackknife: true})
		if err != nil {
			t.Fatal(err)
		}
		sorted := slices.Clone(boot.Replicates[0])
		slices.Sort(sorted)
		var mean, square float64
		for _, v := range sorted {
			mean += v / b
		}
		for _, v := range sorted {
			square += (v - mean) * (v - mean) / (b - 1)
		}
		if sd := view.Numbers[0].Value; math.Abs(sd-math.Sqrt(square)) > 1e-12 {
			t.Errorf("B = %v: standard error %v, want %v", b, sd, math.Sqrt(square))
		}
		for k, p := range []float64{0.025, 0.975} {
			at := p * (b + 1) // between the order statistics around it
			low, high := sorted[max(0, int(math.Floor(at))-1)], sorted[min(len(sorted)-1, int(math.Ceil(at))-1)]
			if v := view.Numbers[1+k].Value; v < low || v > high {
				t.Errorf("B = %v: limit %v is not between %v and %v", b, v, low, high)
			}
		}
		if whole[0] < view.Numbers[1].Value || whole[0] > view.Numbers[2].Value {
			t.Errorf("B = %v: the correlation %v is outside its limits", b, whole[0])
		}
	}
}

// A vote of m guesses that are right more often than not is right on those rows with
// probability about Phi(sqrt(2m/(pi n))), m about k/2; on fresh rows it is guessing.
func TestQueries(t *testing.T) {
	e := Queries()
	for _, k := range e.Params[0].Frames {
		var attack Attack
		for board := range uint64(Boards) {
			a, err := VoteAttack(int(k), rand.NewPCG(e.Seed, uint64(k)+board<<32))
			if err != nil {
				t.Fatal(err)
			}
			attack.Plain += a.Plain / Boards
			attack.Ladder += a.Ladder / Boards
			attack.Fresh += a.Fresh / Boards
		}
		wantNumbers(t, e, []float64{k}, 100*attack.Plain, 100*attack.Ladder, 100*attack.Fresh)
		expected := math.Erfc(-math.Sqrt(k/(math.Pi*BoardRows))/math.Sqrt2) / 2
		if noise := 0.5 / math.Sqrt(BoardRows); k >= 10 && math.Abs(attack.Plain-expected) > 3*noise {
			t.Errorf("k = %v: the plain leaderboard says %v, expected about %v", k, attack.Plain, expected)
		} else if math.Abs(attack.Fresh-0.5) > 4*noise {
			t.Errorf("k = %v: %v on fresh rows", k, attack.Fresh)
		}
	}
}

// Of one uniform number u, sup|F_1 - F| is max(u, 1-u), with mean 3/4.
func TestDistanceOfEDF(t *testing.T) {
	mean, err := DistanceOfEDF(1, 4000, rand.NewPCG(1, 2))
	if err != nil || math.Abs(mean-0.75) > 0.01 {
		t.Errorf("%v, %v", mean, err)
	}
}

// Jackknife+ from a fit without each row, and Student's t limits by their formula.
func TestNoiseIntervals(t *testing.T) {
	e := NoiseIntervals()
	for _, kind := range e.Params[0].Values {
		view, err := e.Draw([]float64{kind}, nil)
		if err != nil {
			t.Fatal(err)
		}
		random := rand.New(rand.NewPCG(e.Seed, uint64(kind)+1))
		train := noisyLine(intervalRows, kind, random)
		fresh := noisyLine(intervalFresh, kind, random)
		var x, y []float64
		for i := range intervalRows {
			x, y = append(x, train.X.At(i, 0)), append(y, train.Y[i])
		}
		a, b := stat.LinearRegression(x, y, nil, false)
		mean, sxx, rss := stat.Mean(x, nil), 0., 0.
		for i, v := range x {
			sxx += (v - mean) * (v - mean)
			rss += (y[i] - a - b*v) * (y[i] - a - b*v)
		}
		const n = intervalRows
		quantile := distuv.StudentsT{Sigma: 1, Nu: n - 2}.Quantile(0.95)
		inT, inPlus := 0., 0.
		intercepts, slopes, left := make([]float64, n), make([]float64, n), make([]float64, n)
		for i := range x {
			rest := func(v []float64) []float64 { return slices.Delete(slices.Clone(v), i, i+1) }
			intercepts[i], slopes[i] = stat.LinearRegression(rest(x), rest(y), nil, false)
			left[i] = math.Abs(y[i] - intercepts[i] - slopes[i]*x[i])
		}
		k := int(math.Ceil(0.9 * (n + 1)))
		for i, v := range fresh.Y[:500] {
			at := fresh.X.At(i, 0)
			if math.Abs(v-a-b*at) <= quantile*math.Sqrt(rss/(n-2)*(1+1./n+(at-mean)*(at-mean)/sxx)) {
				inT += 100. / 500
			}
			low, high := make([]float64, n), make([]float64, n)
			for j := range x {
				low[j], high[j] = intercepts[j]+slopes[j]*at-left[j], intercepts[j]+slopes[j]*at+left[j]
			}
			slices.Sort(low)
			slices.Sort(high)
			if low[n-k] <= v && v <= high[k-1] {
				inPlus += 100. / 500
			}
		}
		judged := limitsAt(train, fresh.Rows(firstRows(500)...))
		for c, want := range []float64{inT, inPlus} {
			if got := held(fresh.Y[:500], judged[c]); math.Abs(got-want) > 1e-9 {
				t.Errorf("%s: limits %d hold %v, want %v", e.Params[0].Texts[int(kind)], c, got, want)
			}
		}
		for _, share := range view.Numbers[1:] {
			if math.Abs(share.Value-90) > 6 {
				t.Errorf("%s: %v", e.Params[0].Texts[int(kind)], share)
			}
		}
	}
}

func firstRows(n int) (rows []int) {
	for i := range n {
		rows = append(rows, i)
	}
	return rows
}

// Simulations refuse what they cannot make before they start.
func TestSimulationsRefuse(t *testing.T) {
	src, random := rand.NewPCG(1, 2), rand.New(rand.NewPCG(1, 2))
	last := func(values ...any) error {
		err, _ := values[len(values)-1].(error)
		return err
	}
	for what, test := range map[string]struct{ got, want error }{
		"Coins without a source": {last(Coins(3, nil)), mlreg.ErrSetting},
		"many Coins":             {last(Coins(1<<31, random)), mlreg.ErrTooLarge},
		"Uniforms":               {last(Uniforms(-2, src)), mlreg.ErrSetting},
		"DistanceOfEDF":          {last(DistanceOfEDF(24, 1<<62, src)), mlreg.ErrTooLarge},
		"VoteAttack":             {last(VoteAttack(1<<31, src)), mlreg.ErrTooLarge},
	} {
		if !errors.Is(test.got, test.want) {
			t.Errorf("%s: %v, wanted %v", what, test.got, test.want)
		}
	}
}
