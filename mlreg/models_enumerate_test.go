package mlreg

import (
	"bytes"
	"encoding/gob"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"runtime"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

func enumerateModels(t testing.TB, data Data, score ModelScore, settings *EnumerateSettings) *Enumeration {
	t.Helper()
	e := get(EnumerateModels(data, score, settings))(t)
	if !e.Exact() {
		t.Fatalf("%v models of %d terms were summed", e.Models(), len(e.Terms()))
	}
	return e
}

// modelDesigns are designs with what a design can have; x2 and x5 are
// always in for those of odd number.
func modelDesigns(t testing.TB, n, p int) []*Design {
	var all []*Design
	for seed := range uint64(4) {
		d := randomDesign(t, seed, n, p)
		d.NoIntercept = seed >= 2
		if seed%2 == 1 {
			d.Weights = make([]float64, n)
			for i := range d.Weights {
				d.Weights[i] = float64(1+i%5) / 2
			}
		}
		all = append(all, d)
	}
	return all
}

func alwaysIn(i int, d *Design) []string {
	if i%2 == 0 {
		return nil
	}
	return []string{"x2", "x5"}
}

// Under the BIC score every model's likelihood is that of least squares on its
// terms, and the averages are those of the least-squares fits.
func TestEnumerateBICAgainstOLS(t *testing.T) {
	sequential(t)
	for i, d := range modelDesigns(t, 30, 8) {
		for _, sigma2 := range []float64{0, 1.7} {
			always := alwaysIn(i, d)
			e := enumerateModels(t, d, BICScore{Sigma2: sigma2, Pi0: 0.3},
				&EnumerateSettings{Always: always, Average: true, Scores: true})
			scores := get(e.GrayScores())(t)
			average := get(e.ModelAverage())(t)
			names := average.Names()
			k := len(names)
			mean, second := mat.NewVecDense(k, nil), mat.NewSymDense(k, nil)
			var total, s2 float64
			for g := range scores {
				terms := e.GrayModel(g)
				sub := get(d.Select(append(slices.Clone(always), terms...)...))(t)
				var f *OLS
				if len(sub.Names) == 0 { // FitOLS wants a column
					sub = get(d.Select(d.Names[0]))(t)
					sub.X.Zero()
				}
				f = get(FitOLS(sub, &OLSSettings{Sigma2: sigma2, Aliased: DropAliased}))(t)
				size := float64(len(terms))
				want := f.LogLik() - size/2*math.Log(30) + size*math.Log(.3) + (float64(len(e.Terms()))-size)*math.Log(.7)
				near(t, fmt.Sprint("score of ", terms), scores[g], want, 1e-12)

				p := math.Exp(want - e.LogNormalizer())
				total += p
				s2 += p * f.Sigma2()
				b, v := f.Coef(), f.VCov()
				at := func(name string) int { return slices.Index(names, name) }
				for i, ni := range f.Names() {
					if math.IsNaN(b[i]) {
						continue
					}
					mean.SetVec(at(ni), mean.AtVec(at(ni))+p*b[i])
					for j, nj := range f.Names()[:i+1] {
						second.SetSym(at(ni), at(nj), second.At(at(ni), at(nj))+p*(v.At(i, j)+b[i]*b[j]))
					}
				}
			}
			near(t, "sum of probabilities", total, 1, 1e-12)
			near(t, "Sigma2", average.Sigma2(), s2, 1e-12)
			second.SymRankOne(second, -1, mean)
			nearAll(t, "Coef", average.Coef(), mean.RawVector().Data, 1e-11)
			nearSym(t, "VCov", average.VCov(), second, 1e-10)
			for j, sd := range average.StdErr() {
				near(t, "StdErr", sd, math.Sqrt(second.At(j, j)), 1e-10)
			}
		}
	}
}

// Ridge regression with every term forced in by its prior is what the slab's
// average must be.
func TestModelAverageOfSlabIsRidge(t *testing.T) {
	d := randomDesign(t, 3, 25, 5)
	const v, s2 = 0.05, 1.3
	e := enumerateModels(t, d, SpikeSlab{Pi0: 1 - 1e-15, SlabVar: v, Noise: KnownVariance(s2)}, &EnumerateSettings{Average: true})
	f := get(e.ModelAverage())(t)
	// Ridge is least squares with sqrt(lambda) I below the rows; the column of
	// ones is a term that is 0 there.
	x := mat.NewDense(30, 6, nil)
	y := make([]float64, 30)
	copy(y, d.Y)
	for i := range 25 {
		x.Set(i, 0, 1)
		for j := range 5 {
			x.Set(i, j+1, d.X.At(i, j))
		}
	}
	for j := range 5 {
		x.Set(25+j, j+1, math.Sqrt(s2/v))
	}
	augmented := get(NewDesign(x, y))(t)
	augmented.NoIntercept = true
	ridge := get(FitOLS(augmented, &OLSSettings{Sigma2: s2}))(t)
	nearAll(t, "Coef", f.Coef(), ridge.Coef(), 1e-11)
	nearSym(t, "VCov", f.VCov(), ridge.VCov(), 1e-10)
	near(t, "Sigma2", f.Sigma2(), s2, 1e-13)
}

// hadamard returns the first d non-constant columns of the Hadamard matrix of
// order n, a power of 2, and a response: orthogonal columns of squared length n.
func hadamard(t testing.TB, n, d int) *Design {
	x := mat.NewDense(n, d, nil)
	y := make([]float64, n)
	for i := range n {
		for j := range d {
			x.Set(i, j, 1-2*float64(bits.OnesCount(uint(i&(j+1)))%2))
			y[i] += x.At(i, j) * float64(j%7) / 4
		}
		y[i] += math.Sin(float64(i * i))
	}
	des := get(NewDesign(x, y))(t)
	return des
}

// Of orthogonal columns the inclusions are independent, with odds
//
//	Pi0/(1-Pi0) (1 + n V)^(-1/2) exp((x'y)^2 / (2 s2 (n + 1/V))),  V = SlabVar/s2.
//
// Of as many candidates as there can be, it sums over one task only: the 2^22 models that
// agree on eight terms.
func TestEnumerateOrthogonal(t *testing.T) {
	const pi0, slab, s2, n = 0.2, 3.0, 9.0, 32
	for _, d := range []int{20, MostCandidates} {
		des := hadamard(t, n, d)
		score := SpikeSlab{Pi0: pi0, SlabVar: slab, Noise: KnownVariance(s2)}
		var e *Enumeration
		in := slices.Repeat([]float64{0.5}, d) // 0 and 1: out of, and in, all models that are summed
		if d < MostCandidates {
			e = enumerateModels(t, des, score, nil)
		} else {
			e = firstTask(t, des, score)
			decided := 0
			for j, p := range e.InclusionProb() {
				if p == 0 || p == 1 {
					in[j] = p
					decided++
				}
			}
			if decided != 8 || e.Models() != 1<<22 {
				t.Errorf("%v models, which agree on %d terms", e.Models(), decided)
			}
		}
		m := get(des.Moments())(t)
		const v = slab / s2
		logZ := -(n-1)/2.*math.Log(2*math.Pi*s2) - math.Log(n)/2 - m.SYY()/2/s2
		p := make([]float64, d)
		sizes := []float64{1}
		for j, c := range m.SXY() {
			odds := pi0 / (1 - pi0) / math.Sqrt(1+n*v) * math.Exp(c*c/2/s2/(n+1/v))
			out := 1.0
			switch in[j] {
			case 0:
				odds = 0
			case 1:
				out = 0
			}
			p[j] = odds / (out + odds)
			logZ += math.Log(out+odds) + math.Log(1-pi0)
			next := make([]float64, len(sizes)+1)
			for k, s := range sizes {
				next[k] += s * (1 - p[j])
				next[k+1] += s * p[j]
			}
			sizes = next
		}
		nearAll(t, "InclusionProb", e.InclusionProb(), p, 1e-12)
		nearAll(t, "SizeProb", e.SizeProb(), sizes, 1e-12)
		near(t, "LogNormalizer", e.LogNormalizer(), logZ, 1e-13)
		top := 1.0
		for _, pj := range p {
			top *= max(pj, 1-pj)
		}
		near(t, "MAP", e.MAPModel().PostProb, top, 1e-12)
		if !slices.Equal(e.MAPModel().Terms, e.MedianModel().Terms) {
			t.Error("MAP and median model differ")
		}
		if e.ScoreError() > 1e-9 { // a bound for all models
			t.Errorf("ScoreError %g", e.ScoreError())
		}
	}
}

// firstTask sums over the models of one task.
func firstTask(t testing.TB, data Data, score ModelScore) *Enumeration {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	enough := errors.New("enough")
	e, err := EnumerateModels(data, score, &EnumerateSettings{Progress: func(_, _ float64) error { return enough }})
	if !errors.Is(err, enough) {
		t.Fatal(err)
	}
	return e
}

// The order of the terms does not matter, sizes and pairs sum to what they
// must, and all of it is the same on one processor.
func TestEnumerateConsistency(t *testing.T) {
	const p = 14
	d := randomDesign(t, 5, 60, p)
	var reversed []string
	for j := range p {
		reversed = append(reversed, d.Names[(5*j+3)%p])
	}
	other := get(d.Select(reversed...))(t)
	for _, score := range []ModelScore{BICScore{Pi0: .2}, ZellnerG{}, SpikeSlab{SlabVar: 1}, SpikeSlab{SlabVar: 10, Noise: KnownVariance(1)}} {
		set := &EnumerateSettings{Average: true}
		e, f := enumerateModels(t, d, score, set), enumerateModels(t, other, score, set)
		near(t, "LogNormalizer", f.LogNormalizer(), e.LogNormalizer(), 1e-13)
		nearAll(t, "SizeProb", f.SizeProb(), e.SizeProb(), 1e-12)
		pair := get(e.PairInclusion())(t)
		otherPair := get(f.PairInclusion())(t)
		var k1, k2, pairs float64
		for k, v := range e.SizeProb() {
			k1 += float64(k) * v
			k2 += float64(k*k) * v
		}
		for i, v := range e.InclusionProb() {
			k1 -= v
			near(t, "pair", pair.At(i, i), v, 0)
			oi := slices.Index(reversed, d.Names[i])
			for j := range p {
				pairs += pair.At(i, j)
				near(t, "pair", otherPair.At(oi, slices.Index(reversed, d.Names[j])), pair.At(i, j), 1e-12)
			}
		}
		near(t, "mean size less inclusions", k1, 0, 1e-10)
		near(t, "sum of pairs", pairs, k2, 1e-12)
		a := get(e.ModelAverage())(t)
		b := get(f.ModelAverage())(t)
		ya := get(a.Predict(d))(t)
		yb := get(b.Predict(d))(t)
		nearAll(t, "Predict", yb, ya, 1e-11)

		plain := enumerateModels(t, d, score, nil)
		nearAll(t, "InclusionProb without Average", plain.InclusionProb(), e.InclusionProb(), 1e-12)
		if plain.MAPModel().LogScore != e.MAPModel().LogScore {
			t.Error("the MAP model depends on Average")
		}

		procs := runtime.GOMAXPROCS(1)
		one := enumerateModels(t, d, score, set)
		runtime.GOMAXPROCS(procs)
		if !bytes.Equal(gobBytes(t, one), gobBytes(t, e)) {
			t.Error("the result depends on the number of processors")
		}
	}
}

func gobBytes(t testing.TB, v any) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(v); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestEnumerationGob(t *testing.T) {
	e := enumerateModels(t, randomDesign(t, 1, 20, 6), ZellnerG{}, &EnumerateSettings{Average: true, Scores: true, Always: []string{"x2"}})
	b := gobBytes(t, e)
	var back Enumeration
	if err := gob.NewDecoder(bytes.NewReader(b)).Decode(&back); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(gobBytes(t, &back), b) {
		t.Error("what was decoded encodes differently")
	}
	f := get(back.ModelAverage())(t)
	g := get(e.ModelAverage())(t)
	nearAll(t, "Coef", f.Coef(), g.Coef(), 0)
	nearSym(t, "VCov", f.VCov(), g.VCov(), 0)
}

func TestEnumerateStopped(t *testing.T) {
	d := randomDesign(t, 4, 50, 16)
	enough := errors.New("enough")
	var calls []float64
	e, err := EnumerateModels(d, BICScore{}, &EnumerateSettings{Progress: func(done, total float64) error {
		if calls = append(calls, done); total != 1<<16 {
			t.Errorf("total %v", total)
		}
		if done >= total/4 {
			return enough
		}
		return nil
	}})
	if !errors.Is(err, enough) || e == nil {
		t.Fatalf("stopped: %v, %v", e, err)
	}
	if e.Exact() || e.Models() < 1<<14 || e.Models() >= 1<<16 {
		t.Errorf("%v models after the stop", e.Models())
	}
	if !slices.IsSorted(calls) {
		t.Errorf("progress went back: %v", calls)
	}
	var sum float64
	for _, p := range e.SizeProb() {
		sum += p
	}
	near(t, "sum of sizes", sum, 1, 1e-12)
	whole := enumerateModels(t, d, BICScore{}, nil)
	if e.LogNormalizer() > whole.LogNormalizer() || e.LogNormalizer() < whole.MAPModel().LogScore {
		t.Errorf("part of the sum %v, all of it %v", e.LogNormalizer(), whole.LogNormalizer())
	}
}

func TestEnumerateErrors(t *testing.T) {
	d := randomDesign(t, 1, 30, 4)
	wide := randomDesign(t, 1, 10, 12)
	exact := d.Rows(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)
	for i := range exact.Y {
		exact.Y[i] = 1 + exact.X.At(i, 2)
	}
	constant := d.Rows(0, 1, 2, 3, 4, 5, 6, 7)
	for i := range constant.Y {
		constant.Y[i] = 3
	}
	collinear := d.Rows(0, 1, 2, 3, 4, 5, 6, 7)
	for i := range 8 {
		collinear.X.Set(i, 1, 3*collinear.X.At(i, 0))
	}
	for _, test := range []struct {
		name  string
		data  Data
		score ModelScore
		set   EnumerateSettings
		want  error
		says  string
	}{
		{"nil data", nil, BICScore{}, EnumerateSettings{}, ErrNoData, "data is nil"},
		{"nil score", d, nil, EnumerateSettings{}, ErrSetting, "SpikeSlab, BICScore or ZellnerG"},
		{"d > 30", randomDesign(t, 1, 50, 31), BICScore{}, EnumerateSettings{}, ErrSetting, "use SampleModels"},
		{"d = 0", d, BICScore{}, EnumerateSettings{Always: d.Names}, ErrNoData, "no candidate terms"},
		{"always", d, BICScore{}, EnumerateSettings{Always: []string{"age"}}, ErrShape, `"age"`},
		{"always twice", d, BICScore{}, EnumerateSettings{Always: []string{"x1", "x1"}}, ErrSetting, `"x1" is given twice`},
		{"always collinear", collinear, BICScore{}, EnumerateSettings{Always: []string{"x1", "x2"}}, ErrRankDeficient, `"x2"`},
		{"Pi0 = 1", d, BICScore{Pi0: 1}, EnumerateSettings{}, ErrSetting, "Pi0 = 1"},
		{"Pi0 < 0", d, SpikeSlab{Pi0: -.1, SlabVar: 1}, EnumerateSettings{}, ErrSetting, "Pi0 = -0.1"},
		{"Pi0 NaN", d, ZellnerG{Pi0: math.NaN()}, EnumerateSettings{}, ErrSetting, "Pi0 = NaN"},
		{"Pi0 and Sizes", d, ZellnerG{Pi0: .5, Sizes: &BetaBinomial{1, 1}}, EnumerateSettings{}, ErrSetting, "both"},
		{"beta", d, BICScore{Sizes: &BetaBinomial{0, 1}}, EnumerateSettings{}, ErrSetting, "A: 0"},
		{"slab variance", d, SpikeSlab{}, EnumerateSettings{}, ErrSetting, "SlabVar = 0"},
		{"slab variance < 0", d, SpikeSlab{SlabVar: -1}, EnumerateSettings{}, ErrSetting, "SlabVar = -1"},
		{"g", d, ZellnerG{G: -3}, EnumerateSettings{}, ErrSetting, "G = -3"},
		{"sigma2", d, BICScore{Sigma2: -1}, EnumerateSettings{}, ErrSetting, "Sigma2 = -1"},
		{"noise", d, SpikeSlab{SlabVar: 1, Noise: KnownVariance(0)}, EnumerateSettings{}, ErrSetting, "sigma^2 = 0"},
		{"shape", d, ZellnerG{Noise: InverseGamma{Shape: -1}}, EnumerateSettings{}, ErrSetting, "Shape: -1"},
		{"best", d, BICScore{}, EnumerateSettings{Best: -1}, ErrSetting, "Best = -1"},
		{"scores", randomDesign(t, 1, 50, 21), BICScore{}, EnumerateSettings{Scores: true}, ErrSetting, "at most 20"},
		{"n <= d", wide, BICScore{}, EnumerateSettings{}, ErrPerfectFit, "12 candidates fit 10 observations exactly"},
		{"RSS = 0", exact, BICScore{}, EnumerateSettings{}, ErrPerfectFit, `fit response "y" exactly`},
		{"constant response", constant, ZellnerG{}, EnumerateSettings{}, ErrPerfectFit, "without any candidate"},
		{"average", randomDesign(t, 1, 3, 2), ZellnerG{}, EnumerateSettings{Average: true}, ErrSetting, "3 observations"},
		{"no response", &Design{X: d.X, Names: d.Names}, BICScore{}, EnumerateSettings{}, ErrNoData, "no response"},
		{"no rows", NewMoments(d), BICScore{}, EnumerateSettings{}, ErrNoData, "no rows"},
	} {
		_, err := EnumerateModels(test.data, test.score, &test.set)
		if !errors.Is(err, test.want) || !strings.Contains(fmt.Sprint(err), test.says) {
			t.Errorf("%s: %v; want %v saying %q", test.name, err, test.want, test.says)
		}
	}
	e := enumerateModels(t, d, BICScore{}, nil)
	if _, err := e.PairInclusion(); !errors.Is(err, ErrSetting) {
		t.Errorf("pairs that were not summed: %v", err)
	}
	if _, err := e.ModelAverage(); !errors.Is(err, ErrSetting) {
		t.Errorf("averages that were not summed: %v", err)
	}
	if _, err := e.GrayScores(); !errors.Is(err, ErrSetting) {
		t.Errorf("scores that were not kept: %v", err)
	}
	// What leaves no residual is no trouble where the noise variance is known,
	// has a proper prior, or the coefficients have one.
	for _, test := range []struct {
		d     *Design
		score ModelScore
	}{
		{wide, BICScore{Sigma2: 1}}, {wide, ZellnerG{}}, {wide, SpikeSlab{SlabVar: 1}},
		{exact, ZellnerG{}}, {exact, SpikeSlab{SlabVar: 1}}, {constant, ZellnerG{Noise: InverseGamma{1, 1}}},
		{constant, SpikeSlab{SlabVar: 1, Noise: KnownVariance(1)}}, {constant, BICScore{Sigma2: 2}},
	} {
		e := enumerateModels(t, test.d, test.score, &EnumerateSettings{Average: true})
		a := get(e.ModelAverage())(t)
		for j, p := range e.InclusionProb() {
			if !(p >= 0 && p <= 1) || math.IsNaN(a.Coef()[j]) || math.IsNaN(a.StdErr()[j]) {
				t.Errorf("%+v: p = %v, coefficient %v +- %v", test.score, p, a.Coef()[j], a.StdErr()[j])
			}
		}
	}
}

func TestGrayOrder(t *testing.T) {
	e := enumerateModels(t, randomDesign(t, 1, 20, 3), BICScore{}, nil)
	var got []string
	for i := range 8 {
		got = append(got, strings.Join(e.GrayModel(i), ""))
	}
	if want := []string{"", "x1", "x1x2", "x2", "x2x3", "x1x2x3", "x1x3", "x3"}; !slices.Equal(got, want) {
		t.Errorf("Gray order %v, want %v", got, want)
	}
}

func BenchmarkEnumerateModels(b *testing.B) {
	for _, p := range []int{15, 20, 25} {
		for _, average := range []bool{false, true} {
			b.Run(fmt.Sprintf("d=%d/average=%v", p, average), func(b *testing.B) {
				d := randomDesign(b, 1, 200, p)
				m := get(d.Moments())(b)
				b.ReportAllocs()
				for b.Loop() {
					if _, err := EnumerateModels(m, BICScore{Pi0: 0.1}, &EnumerateSettings{Average: average}); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/math.Ldexp(1, p), "ns/model")
			})
		}
	}
}

// The coefficients of the models, weighted by their probabilities, are the
// model-averaged ones; under BIC they are those of least squares; and a sampled
// model has the same. A copy of a column adds a coefficient of 0.
func TestCoefOfBestModels(t *testing.T) {
	d := randomDesign(t, 9, 40, 6)
	for i := range 40 {
		d.X.Set(i, 4, d.X.At(i, 1))
	}
	for _, score := range []ModelScore{BICScore{}, ZellnerG{G: 3}, SpikeSlab{SlabVar: .2}, SpikeSlab{SlabVar: 2, Noise: KnownVariance(1.5)}} {
		e := enumerateModels(t, d, score, &EnumerateSettings{Always: []string{"x3"}, Average: true, Best: 32})
		average := get(e.ModelAverage())(t)
		mean := make(map[string]float64)
		for _, m := range e.Best() {
			if len(m.Coef) != len(m.Terms) {
				t.Fatalf("%d coefficients of %v", len(m.Coef), m.Terms)
			}
			for i, term := range m.Terms {
				mean[term] += m.PostProb * m.Coef[i]
			}
		}
		for _, term := range e.Terms() {
			i := slices.Index(average.Names(), term)
			near(t, fmt.Sprintf("%+v: mean of %s", score, term), mean[term], average.Coef()[i], 1e-11)
		}
		sample := sampleModels(t, d, score, 1, &SampleModelsSettings{Always: []string{"x3"}, Sweeps: 50})
		nearAll(t, "sampled", sample.Best()[0].Coef, e.MAPModel().Coef, 1e-13)
		nearAll(t, "prior", sample.SizePrior(), e.SizePrior(), 0)
	}
	e := enumerateModels(t, d, BICScore{}, &EnumerateSettings{Best: 64})
	for _, m := range e.Best()[:20] {
		if slices.Contains(m.Terms, "x2") && slices.Contains(m.Terms, "x5") {
			continue // least squares leaves the later one with no coefficient
		}
		sub := get(d.Select(m.Terms...))(t)
		ols := get(FitOLS(sub, nil))(t)
		nearAll(t, fmt.Sprint(m.Terms), m.Coef, ols.Slopes(), 1e-11)
	}
}

// The prior of the size is binomial, or what the beta-binomial says.
func TestSizePrior(t *testing.T) {
	d := randomDesign(t, 2, 20, 4)
	nearAll(t, "binomial", enumerateModels(t, d, BICScore{Pi0: .1}, nil).SizePrior(),
		[]float64{.6561, .2916, .0486, .0036, .0001}, 1e-12)
	nearAll(t, "uniform", enumerateModels(t, d, BICScore{Sizes: &BetaBinomial{1, 1}}, nil).SizePrior(),
		[]float64{.2, .2, .2, .2, .2}, 1e-12)
}
