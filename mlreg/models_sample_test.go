package mlreg

import (
	"bytes"
	"encoding/gob"
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
)

func sampleModels(t testing.TB, d Data, score ModelScore, seed uint64, set *SampleModelsSettings) *ModelSample {
	t.Helper()
	m := get(SampleModels(d, score, rand.NewPCG(seed, 1), set))(t)
	return m
}

// Where both run, the sample agrees with the sum over all models, within its
// standard errors; these are neither too small nor useless.
func TestSampleModelsAgainstEnumeration(t *testing.T) {
	repeats(t)
	d := randomDesign(t, 6, 40, 12)
	for i := range 40 {
		d.Y[i] = 0.15*d.Y[i] + math.Sin(float64(i*i))
		d.X.Set(i, 7, d.X.At(i, 2)) // one of two that say the same
	}
	for _, score := range []ModelScore{BICScore{}, SpikeSlab{SlabVar: 2, Pi0: .3}, ZellnerG{Sizes: &BetaBinomial{1, 3}, Noise: KnownVariance(.5)}} {
		e := enumerateModels(t, d, score, &EnumerateSettings{Always: []string{"x4"}, Average: true})
		exact := get(e.ModelAverage())(t)
		var squares, n, offs, coefs float64
		for seed := range uint64(5) {
			m := sampleModels(t, d, score, seed, &SampleModelsSettings{Always: []string{"x4"}, Sweeps: 1500, Average: true})
			average := get(m.ModelAverage())(t)
			for j, b := range average.Coef() {
				z := (b - exact.Coef()[j]) / m.AverageErr()[j]
				if math.Abs(z) > 5 || !(m.AverageErr()[j] < 0.1*exact.StdErr()[j]) {
					t.Errorf("%+v: %s: %v +- %v, exactly %v", score, average.Names()[j], b, m.AverageErr()[j], exact.Coef()[j])
				}
				offs += z * z
				coefs++
			}
			if m.Sweeps() != 6000 || m.Chains() != 4 {
				t.Errorf("%d sweeps of %d chains", m.Sweeps(), m.Chains())
			}
			for j, p := range m.InclusionProb() {
				z := (p - e.InclusionProb()[j]) / m.InclusionErr()[j]
				if math.Abs(z) > 5 || !(m.InclusionErr()[j] < 0.02) {
					t.Errorf("%+v: %s: %v +- %v, exactly %v", score, m.Terms()[j], p, m.InclusionErr()[j], e.InclusionProb()[j])
				}
				squares += z * z
				n++
			}
			for k, p := range m.SizeProb() {
				if math.Abs(p-e.SizeProb()[k]) > 0.03 {
					t.Errorf("size %d: %v, exactly %v", k, p, e.SizeProb()[k])
				}
			}
			if !slices.Equal(m.Aliased(), e.Aliased()) {
				t.Errorf("aliased %v and %v", m.Aliased(), e.Aliased())
			}
			best := m.Best()[0]
			near(t, "best score", best.LogScore, e.MAPModel().LogScore, 1e-12)
			near(t, "best marginal", best.LogMarginal, e.MAPModel().LogMarginal, 1e-12)
			if math.Abs(best.PostProb-e.MAPModel().PostProb) > 0.03 {
				t.Errorf("best model: %v, exactly %v", best.PostProb, e.MAPModel().PostProb)
			}
		}
		if rms := math.Sqrt(squares / n); rms < 0.6 || rms > 1.5 {
			t.Errorf("%+v: errors are %v times their standard errors", score, rms)
		}
		// Variances have no standard errors here: their noise is below 5% in a long run.
		long := get(sampleModels(t, d, score, 6, &SampleModelsSettings{Always: []string{"x4"}, Sweeps: 20000, Average: true}).ModelAverage())(t)
		near(t, "mean of sigma^2", long.Sigma2(), exact.Sigma2(), 0.005)
		for j, v := range long.StdErr() {
			near(t, "standard deviation of "+long.Names()[j], v, exact.StdErr()[j], 0.05)
		}
		if rms := math.Sqrt(offs / coefs); rms < 0.6 || rms > 1.5 {
			t.Errorf("%+v: errors of coefficients are %v times their standard errors", score, rms)
		}
	}
}

// Sixty candidates: the terms that matter are found, and the same seed gives
// the same bytes on one processor.
func TestSampleModelsBeyondEnumeration(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 1))
	d := randomDesign(t, 7, 150, 60)
	for i := range d.Y {
		d.Y[i] = 2*d.X.At(i, 4) - d.X.At(i, 17) + 1.5*d.X.At(i, 58) + rnd.NormFloat64()
	}
	set := &SampleModelsSettings{Sweeps: 300}
	m := sampleModels(t, d, SpikeSlab{Pi0: 0.05, SlabVar: 4}, 3, set)
	if got := strings.Join(m.MedianModel(), " "); got != "x5 x18 x59" {
		t.Errorf("median model %s", got)
	}
	procs := runtime.GOMAXPROCS(1)
	again := sampleModels(t, d, SpikeSlab{Pi0: 0.05, SlabVar: 4}, 3, set)
	runtime.GOMAXPROCS(procs)
	b := gobBytes(t, m)
	if !bytes.Equal(b, gobBytes(t, again)) {
		t.Error("the same seed gives another sample")
	}
	if bytes.Equal(b, gobBytes(t, sampleModels(t, d, SpikeSlab{Pi0: 0.05, SlabVar: 4}, 4, set))) {
		t.Error("another seed gives the same sample")
	}
	var back ModelSample
	if err := gob.NewDecoder(bytes.NewReader(b)).Decode(&back); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(gobBytes(t, &back), b) || back.Visited() != m.Visited() || back.Response() != "y" {
		t.Error("what was decoded is different")
	}
}

func TestSampleModelsErrors(t *testing.T) {
	d := randomDesign(t, 1, 30, 4)
	if _, err := SampleModels(d, BICScore{}, nil, nil); !errors.Is(err, ErrSetting) {
		t.Errorf("nil source: %v", err)
	}
	src := rand.NewPCG(1, 2)
	if _, err := SampleModels(d, BICScore{}, src, &SampleModelsSettings{Sweeps: 10}); !errors.Is(err, ErrSetting) {
		t.Errorf("10 sweeps: %v", err)
	}
	if _, err := SampleModels(d, SpikeSlab{}, src, nil); !errors.Is(err, ErrSetting) {
		t.Errorf("no slab: %v", err)
	}
	wide := randomDesign(t, 1, 20, 40)
	if _, err := SampleModels(wide, BICScore{}, src, nil); !errors.Is(err, ErrPerfectFit) {
		t.Errorf("n < d: %v", err)
	}
	if m := sampleModels(t, wide, SpikeSlab{SlabVar: 1, Pi0: .1}, 1, &SampleModelsSettings{Sweeps: 100}); len(m.InclusionProb()) != 40 {
		t.Error("n < d with a slab")
	}
	enough := errors.New("enough")
	stop := func(fraction float64) func(done, total float64) error {
		return func(done, total float64) error {
			if done >= fraction*total {
				return enough
			}
			return nil
		}
	}
	m, err := SampleModels(d, BICScore{}, src, &SampleModelsSettings{Progress: stop(.5)})
	if !errors.Is(err, enough) || m == nil || m.Sweeps() == 0 || m.Sweeps() > 12000 {
		t.Errorf("stopped in the middle: %v, %+v", err, m)
	}
	m, err = SampleModels(d, BICScore{}, src, &SampleModelsSettings{Progress: stop(0)})
	if !errors.Is(err, enough) || m != nil {
		t.Errorf("stopped at once: %v, %+v", err, m)
	}
}

func BenchmarkSampleModels(b *testing.B) {
	d := randomDesign(b, 1, 500, 100)
	m := get(d.Moments())(b)
	for b.Loop() {
		if _, err := SampleModels(m, SpikeSlab{SlabVar: 1, Pi0: .1}, rand.NewPCG(1, 2), &SampleModelsSettings{Sweeps: 1000}); err != nil {
			b.Fatal(err)
		}
	}
}
