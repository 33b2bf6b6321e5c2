package tsa

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/expect"
	"github.com/regbook/regbook/internal/fatal"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/report"
)

// driven returns a series of channels "y", "a", "b" of which a drives y, with missing
// values and a gap in time, in two groups.
func driven(t testing.TB, n int) *Series {
	t.Helper()
	src := rand.New(rand.NewPCG(21, 1))
	x := mat.NewDense(n, 3, nil)
	for i := range n {
		var y1, y2, a2 float64
		if i >= 2 {
			y1, y2, a2 = x.At(i-1, 0), x.At(i-2, 0), x.At(i-2, 1)
		}
		x.Set(i, 1, 3+src.NormFloat64())
		x.Set(i, 2, 100+src.NormFloat64())
		x.Set(i, 0, 1+0.5*y1-0.3*y2+0.8*a2+0.5*src.NormFloat64())
	}
	s := fatal.On(NewSeries(x, "y", "a", "b"))(t)
	s.Group, s.Time = make([]string, n), make([]float64, n)
	for i := range n {
		s.Group[i], s.Time[i] = "first", 10+0.5*float64(i)
		if i > n/3 {
			s.Group[i] = "second"
		}
		if i > n/2 {
			s.Time[i] += 3
		}
	}
	x.Set(0, 0, math.NaN())
	x.Set(n-1, 1, math.NaN())
	x.Set(n/5, 0, math.NaN())
	x.Set(n/4, 1, math.NaN())
	s.Values.Copy(x)
	return s
}

var lagsCases = []struct {
	q        int
	settings *LagsSettings
}{
	{1, nil},
	{4, nil},
	{3, &LagsSettings{Response: "a"}},
	{0, &LagsSettings{Channels: []ChannelLags{{"y", 1, 3}, {"a", 0, 2}, {"b", 0, 0}}}},
	{2, &LagsSettings{Horizon: 3, Trend: 2, Seasons: []Season{{12, 2}}}},
	{2, &LagsSettings{Channels: []ChannelLags{{"a", 2, 5}}, NoIntercept: true}},
	{0, &LagsSettings{Trend: 1}},
	{3, &LagsSettings{Use: scattered(120)}},
	{2, &LagsSettings{Channels: []ChannelLags{{"b", 1, 3}, {"y", 1, 2}}, Trend: 1, Use: scattered(120), NoIntercept: true}},
}

// scattered marks single rows, short runs and long ones of n.
func scattered(n int) []bool {
	use := make([]bool, n)
	for i := range use {
		use[i] = i%17 == 3 || i%40 > 24 || i > 90
	}
	return use
}

// What the moments of lags are, and each estimator on them, is what those of the design
// with its rows are.
func TestLagsAgainstDesign(t *testing.T) {
	s := driven(t, 120)
	for k, c := range lagsCases {
		l := fatal.On(NewLags(s, c.q, c.settings))(t)
		d := l.Design()
		if err := d.Check(); err != nil {
			t.Fatal(err)
		}
		if d.NObs() != l.NObs() || d.NTerms() != l.NTerms() {
			t.Fatalf("case %d: %d x %d rows, want %d x %d", k, d.NObs(), d.NTerms(), l.NObs(), l.NTerms())
		}
		got, want := fatal.On(l.Moments())(t), fatal.On(d.Moments())(t)
		p := l.NTerms()
		for i := range p {
			expect.Near(t, "MeanX", got.MeanX()[i], want.MeanX()[i], 1e-14)
			for j := i; j < p; j++ {
				if scale := math.Sqrt(want.SXX().At(i, i) * want.SXX().At(j, j)); math.Abs(got.SXX().At(i, j)-want.SXX().At(i, j)) > 1e-12*scale {
					t.Errorf("case %d: SXX(%d, %d) is %v, want %v", k, i, j, got.SXX().At(i, j), want.SXX().At(i, j))
				}
			}
			if scale := math.Sqrt(want.SXX().At(i, i) * want.SYY()); math.Abs(got.SXY()[i]-want.SXY()[i]) > 1e-12*scale {
				t.Errorf("case %d: SXY(%d) is %v, want %v", k, i, got.SXY()[i], want.SXY()[i])
			}
		}
		expect.Near(t, "SYY", got.SYY(), want.SYY(), 1e-13)
		sameFits(t, fmt.Sprintf("case %d", k), l, d)
	}
}

// sameFits fits both data by every kind of estimator.
func sameFits(t *testing.T, what string, l *Lags, d *mlreg.Design) {
	t.Helper()
	same := func(kind string, got, want []float64, tol float64) {
		t.Helper()
		for j := range want {
			if !(math.Abs(got[j]-want[j]) <= tol*(1+math.Abs(want[j]))) {
				t.Errorf("%s, %s: coefficient %d is %v, want %v", what, kind, j, got[j], want[j])
			}
		}
	}
	a, b := fatal.On(mlreg.FitOLS(l, nil))(t), fatal.On(mlreg.FitOLS(d, nil))(t)
	same("OLS", a.Coef(), b.Coef(), 1e-9)
	same("standard errors", a.StdErr(), b.StdErr(), 1e-9)
	expect.Near(t, "RSS", a.RSS(), b.RSS(), 1e-10)
	same("residuals", fatal.On(l.Residuals(a))(t), fatal.On(b.Residuals(d))(t), 1e-9)
	same("ridge", fatal.On(mlreg.FitRidge(l, 2, nil))(t).Coef(), fatal.On(mlreg.FitRidge(d, 2, nil))(t).Coef(), 1e-9)
	same("lasso", fatal.On(mlreg.FitLasso(l, 10, nil))(t).Coef(), fatal.On(mlreg.FitLasso(d, 10, nil))(t).Coef(), 1e-6)
	for what, groups := range map[string]report.Rows[mlreg.TermGroup]{"columns": nil, "channels": l.ByChannel(), "lags": l.ByLag()} {
		settings := &mlreg.PathSettings{Groups: groups, Count: 6}
		got, want := fatal.On(mlreg.FitLassoPath(l, settings))(t), fatal.On(mlreg.FitLassoPath(d, settings))(t)
		same("lambda of "+what, got.Lambda(), want.Lambda(), 1e-10)
		for k := range got.Lambda() {
			same("lasso path over "+what, got.Fit(k).Coef(), want.Fit(k).Coef(), 1e-5)
		}
	}
	same("ridge path", fatal.On(mlreg.FitRidgePath(l, nil))(t).RSS(), fatal.On(mlreg.FitRidgePath(d, nil))(t).RSS(), 1e-9)
	cov := mat.NewDiagDense(len(l.Terms()), nil)
	for j := range len(l.Terms()) {
		cov.SetDiag(j, 0.5+float64(j))
	}
	for _, prior := range []mlreg.GaussianPrior{{Tau2: 1}, {Cov: cov}} {
		got, want := fatal.On(mlreg.FitBayes(l, prior, mlreg.InverseGamma{}, nil))(t), fatal.On(mlreg.FitBayes(d, prior, mlreg.InverseGamma{}, nil))(t)
		same("Bayes", got.Coef(), want.Coef(), 1e-9)
		same("Bayes's covariance", got.PosteriorCov().RawSymmetric().Data, want.PosteriorCov().RawSymmetric().Data, 1e-9)
		expect.Near(t, "evidence", got.LogEvidence(), want.LogEvidence(), 1e-10)
	}
	spike := mlreg.SpikeSlab{SlabVar: 10, Noise: mlreg.KnownVariance(0.3)}
	for what, groups := range map[string]report.Rows[mlreg.TermGroup]{"channels": l.ByChannel(), "lags": l.ByLag(), "columns": nil} {
		by := &mlreg.EnumerateSettings{Groups: groups, Average: true}
		x, y := fatal.On(mlreg.EnumerateModels(l, spike, by))(t), fatal.On(mlreg.EnumerateModels(d, spike, by))(t)
		same("spike and slab over "+what, x.InclusionProb(), y.InclusionProb(), 1e-7)
		same("average over "+what, fatal.On(x.ModelAverage())(t).Coef(), fatal.On(y.ModelAverage())(t).Coef(), 1e-7)
		expect.Near(t, "normalizer", x.LogNormalizer(), y.LogNormalizer(), 1e-9)
		best, slow := x.MAPModel(), y.MAPModel()
		same("best model of "+what, best.Coef, slow.Coef, 1e-7)
		if !slices.Equal(best.Terms, slow.Terms) || !slices.Equal(best.Columns, slow.Columns) || !slices.Equal(x.Terms(), y.Terms()) {
			t.Errorf("%s: the best model of %s is %q (%q), not %q (%q)", what, what, best.Terms, best.Columns, slow.Terms, slow.Columns)
		}
	}
}

func TestLagsBlocks(t *testing.T) {
	l := fatal.On(NewLags(driven(t, 900), 2, nil))(t)
	d := l.Design()
	i := 0
	if err := l.EachBlock(func(block *mlreg.Design) error {
		for k := range block.NObs() {
			if !slices.Equal(block.X.RawRowView(k), d.X.RawRowView(i)) || block.Y[k] != d.Y[i] || block.RowNumber(k) != d.RowNumber(i) {
				t.Fatalf("row %d differs", i)
			}
			i++
		}
		return nil
	}); err != nil || i != d.NObs() {
		t.Errorf("%d of %d rows, %v", i, d.NObs(), err)
	}
	want := errors.New("enough")
	expect.Error(t, "nil visit", l.EachBlock(nil), mlreg.ErrNoData, "nil")
	if err := l.EachBlock(func(*mlreg.Design) error { return want }); err != want {
		t.Errorf("%v", err)
	}
	if s := fatal.On(mlreg.SampleModels(l, mlreg.ZellnerG{}, rand.NewPCG(1, 2), &mlreg.SampleModelsSettings{Groups: l.ByChannel(), Sweeps: 20}))(t); len(s.Terms()) != 3 {
		t.Errorf("terms %q", s.Terms())
	}
}

// The rows of parts have moments that sum to those of all.
func TestLagsMergeAndSubtract(t *testing.T) {
	l := fatal.On(NewLags(driven(t, 200), 3, nil))(t)
	held, rest := make([]bool, 200), make([]bool, 200)
	for i := range held {
		held[i] = i%50 < 11
		rest[i] = !held[i]
	}
	in, out := fatal.On(l.Only(held))(t), fatal.On(l.Only(rest))(t)
	whole, a, b := fatal.On(l.Moments())(t), fatal.On(in.Moments())(t), fatal.On(out.Moments())(t)
	merged, left := fatal.On(a.Merge(b))(t), fatal.On(whole.Subtract(a))(t)
	for i := range l.NTerms() {
		for j := range l.NTerms() {
			if x, y := merged.SXX().At(i, j), whole.SXX().At(i, j); math.Abs(x-y) > 1e-11*200 {
				t.Errorf("merged SXX(%d, %d) = %v, want %v", i, j, x, y)
			}
			if x, y := left.SXX().At(i, j), b.SXX().At(i, j); math.Abs(x-y) > 1e-11*200 {
				t.Errorf("SXX(%d, %d) of the rest = %v, want %v", i, j, x, y)
			}
		}
	}
	if in.NObs()+out.NObs() != l.NObs() {
		t.Errorf("%d + %d rows of %d", in.NObs(), out.NObs(), l.NObs())
	}
}

// A lag never reaches over a gap or into another group.
func TestLagsStayTogether(t *testing.T) {
	s := driven(t, 60)
	s.Values.Apply(func(i, j int, _ float64) float64 { return float64(10*i + j) }, s.Values)
	s.Values.Set(40, 1, math.NaN())
	l := fatal.On(NewLags(s, 2, nil))(t)
	var want []int
	for i := range 60 {
		// The second group begins in row 21, and row 31 comes after a gap.
		if i > 1 && i != 21 && i != 22 && i != 31 && i != 32 && i != 41 && i != 42 {
			want = append(want, i)
		}
	}
	if !slices.Equal(l.Rows(), want) {
		t.Errorf("rows %v\nwant %v", l.Rows(), want)
	}
	d := l.Design()
	for i, t0 := range l.Rows() {
		for k, v := range []int{10*t0 - 10, 10*t0 - 20, 10*t0 - 9, 10*t0 - 19, 10*t0 - 8, 10*t0 - 18} {
			if d.X.At(i, k) != float64(v) {
				t.Errorf("row %d, %s: %v, want %v", t0, d.Names[k], d.X.At(i, k), v)
			}
		}
	}
	if want := []string{"lag(y, 1)", "lag(y, 2)", "lag(a, 1)", "lag(a, 2)", "lag(b, 1)", "lag(b, 2)"}; !slices.Equal(d.Names, want) {
		t.Errorf("names %q", d.Names)
	}
}

func TestSeriesLag(t *testing.T) {
	s := driven(t, 60)
	for _, steps := range []int{0, 1, 4, -2} {
		got := fatal.On(s.Lag("a", steps))(t)
		for i, v := range got {
			from := i - steps
			want := math.NaN()
			// Stretches begin in rows 0, 21 and 31.
			stretch := func(i int) int { return map[bool]int{true: 1}[i >= 21] + map[bool]int{true: 1}[i >= 31] }
			if from >= 0 && from < 60 && stretch(from) == stretch(i) {
				want = s.Values.At(from, 1)
			}
			if v != want && !(math.IsNaN(v) && math.IsNaN(want)) {
				t.Errorf("lag %d in row %d is %v, want %v", steps, i, v, want)
			}
		}
	}
	expect.Error(t, "channel", expect.ErrorOf(s.Lag("q", 1)), mlreg.ErrShape, `"q"`)
	s.RowNumbers = []int{1}
	expect.Error(t, "numbers", expect.ErrorOf(s.Lag("a", 1)), mlreg.ErrShape, "1 numbers")
}

func TestLagsRefuse(t *testing.T) {
	plain := func() *Series { return fatal.On(NewSeries(mat.NewDense(5, 1, []float64{1, 2, 4, 3, 5}), "y"))(t) }
	with := func(change func(*Series)) *Series {
		s := plain()
		change(s)
		return s
	}
	for _, c := range []struct {
		s        *Series
		q        int
		settings *LagsSettings
		kind     error
		says     string
	}{
		{plain(), 5, nil, mlreg.ErrSetting, "lag 5"},
		{plain(), 4, &LagsSettings{Horizon: 2}, mlreg.ErrNoData, "up to 5"},
		{plain(), -1, nil, mlreg.ErrSetting, "q = -1"},
		{nil, 1, nil, mlreg.ErrNoData, "series"},
		{&Series{}, 1, nil, mlreg.ErrNoData, "no values"},
		{with(func(s *Series) { s.Time = []float64{0, 1, 1, 2, 3} }), 1, nil, mlreg.ErrShape, "rows 2 and 3"},
		{with(func(s *Series) { s.Time = []float64{0, 1, 3, 2, 4} }), 1, nil, mlreg.ErrShape, "row 4"},
		{with(func(s *Series) { s.Time = []float64{0, 1, 2.3, 3, 4} }), 1, nil, mlreg.ErrShape, "from row 2 to row 3, 1 to 2.3, are 1.3 steps of 1"},
		// The smallest distance is what is wrong, not those it does not divide.
		{with(func(s *Series) { s.Time = []float64{0, 10, 20, 23, 33} }), 1, nil, mlreg.ErrShape, "from row 3 to row 4, 20 to 23, are 0.3 steps of 10"},
		{with(func(s *Series) { s.Time, s.RowNumbers = []float64{0, 10, 20, 23, 33}, []int{5, 1, 7, 2, 9} }), 1, nil, mlreg.ErrShape, "from row 7 to row 2"},
		{with(func(s *Series) {
			s.Time, s.Calendar = []float64{0, 7, 14, 17, 24}, CalendarDays
		}), 1, nil, mlreg.ErrShape, "1970-01-15 to 1970-01-18, are 0.4286 steps of 7"},
		{with(func(s *Series) { s.Time, s.Step = []float64{0, 10, 20, 23, 33}, 3 }), 1, nil, mlreg.ErrShape, "from row 1 to row 2, 0 to 10, are 3.333 steps of 3"},
		{with(func(s *Series) {
			s.Time, s.Group = []float64{0, 3, 0, 10, 23}, []string{"a", "a", "b", "b", "b"}
		}), 1, nil, mlreg.ErrShape, "from row 1 to row 2"},
		{with(func(s *Series) { s.Time = []float64{0, 1, math.NaN(), 3, 4} }), 1, nil, mlreg.ErrNotFinite, "row 3"},
		{with(func(s *Series) { s.Time = []float64{0, 1} }), 1, nil, mlreg.ErrShape, "2 times for 5 rows"},
		{with(func(s *Series) { s.Group = []string{"a", "b"} }), 1, nil, mlreg.ErrShape, "2 groups for 5"},
		{with(func(s *Series) { s.Group = []string{"a", "b", "a", "b", "b"} }), 1, nil, mlreg.ErrShape, `"a" begins again in row 3`},
		{with(func(s *Series) { s.Group = []string{"a", "a", "b", "b", "b"} }), 3, nil, mlreg.ErrNoData, "has 3 times"},
		{with(func(s *Series) { s.Step = -1 }), 1, nil, mlreg.ErrSetting, "Step"},
		{with(func(s *Series) { s.Values.Set(2, 0, math.Inf(1)) }), 1, nil, mlreg.ErrNotFinite, "row 3"},
		{with(func(s *Series) {
			for i := range 5 {
				s.Values.Set(i, 0, math.NaN())
			}
		}), 1, nil, mlreg.ErrNoData, "all 5 are missing"},
		{plain(), 1, &LagsSettings{Response: "x"}, mlreg.ErrShape, `"x"`},
		{plain(), 1, &LagsSettings{Channels: []ChannelLags{{"x", 1, 2}}}, mlreg.ErrShape, `"x"`},
		{plain(), 1, &LagsSettings{Channels: []ChannelLags{{"y", 0, 2}}}, mlreg.ErrSetting, "lag 0"},
		{plain(), 1, &LagsSettings{Channels: []ChannelLags{{"y", 2, 1}}}, mlreg.ErrSetting, "2 to 1"},
		{plain(), 1, &LagsSettings{Channels: []ChannelLags{{"y", 1, 1}, {"y", 2, 2}}}, mlreg.ErrSetting, "twice"},
		{plain(), 1, &LagsSettings{Trend: 4}, mlreg.ErrSetting, "Trend"},
		{plain(), 1, &LagsSettings{Horizon: -1}, mlreg.ErrSetting, "Horizon"},
		{plain(), 1, &LagsSettings{Seasons: []Season{{0, 1}}}, mlreg.ErrSetting, "period"},
		{plain(), 1, &LagsSettings{Use: []bool{true}}, mlreg.ErrShape, "Use"},
	} {
		_, err := NewLags(c.s, c.q, c.settings)
		if !errors.Is(err, c.kind) || !strings.Contains(fmt.Sprint(err), c.says) {
			t.Errorf("%v; want %v with %q", err, c.kind, c.says)
		}
	}
	flat := fatal.On(NewLags(fatal.On(NewSeries(mat.NewDense(5, 1, []float64{.1, .1, .1, .1, .1})))(t), 1, nil))(t)
	if _, err := mlreg.FitOLS(flat, nil); !errors.Is(err, mlreg.ErrRankDeficient) || !strings.Contains(err.Error(), "lag(x1, 1)") {
		t.Errorf("a constant series: %v", err)
	}
	for _, err := range []error{
		expect.ErrorOf(NewSeries(nil)), expect.ErrorOf(NewSeries(&mat.Dense{})), expect.ErrorOf(NewSeries(mat.NewDense(2, 2, nil), "a", "a")),
		expect.ErrorOf(NewSeries(mat.NewDense(2, 2, nil), "a")), expect.ErrorOf(flat.Only(nil)), expect.ErrorOf(flat.Only(make([]bool, 5))),
		expect.ErrorOf(flat.Predict(nil)), expect.ErrorOf((*Series)(nil).Channel("a")), expect.ErrorOf(plain().Channel("a")),
	} {
		if err == nil {
			t.Error("no error")
		}
	}
}

// The best model of lags is the fit to its columns; a sample of models, and the best
// subsets, agree.
func TestModelsOfLags(t *testing.T) {
	l := fatal.On(NewLags(driven(t, 300), 3, nil))(t)
	groups := l.ByLag()
	d := l.Design()
	e := fatal.On(mlreg.EnumerateModels(l, mlreg.BICScore{Pi0: 0.3}, &mlreg.EnumerateSettings{Groups: groups}))(t)
	best := e.MAPModel()
	fit := fatal.On(mlreg.FitOLS(fatal.On(d.Select(best.Columns...))(t), nil))(t)
	expect.NearAll(t, "its coefficients", best.Coef, fit.Slopes(), 1e-8)
	s := fatal.On(mlreg.SampleModels(l, mlreg.BICScore{Pi0: 0.3}, rand.NewPCG(1, 2), &mlreg.SampleModelsSettings{Groups: groups, Sweeps: 2000}))(t)
	for k, p := range s.InclusionProb() {
		if math.Abs(p-e.InclusionProb()[k]) > 5*s.InclusionErr()[k]+1e-3 {
			t.Errorf("sampled inclusion of %s: %v (%v), want %v", s.Terms()[k], p, s.InclusionErr()[k], e.InclusionProb()[k])
		}
	}
	subsets := fatal.On(mlreg.FitBestSubsets(l, &mlreg.SubsetSettings{Groups: groups, Criterion: mlreg.ByBIC}))(t)
	all := fatal.On(mlreg.EnumerateModels(l, mlreg.BICScore{Pi0: 0.5}, &mlreg.EnumerateSettings{Groups: groups}))(t)
	if found := subsets.Models()[0]; !slices.Equal(found.Groups, all.MAPModel().Terms) {
		t.Errorf("the best subset is %q, the most probable model %q", found.Groups, all.MAPModel().Terms)
	}
}

// The solution of the group lasso over channels or lags has, of every group, a gradient as
// long as its penalty and along its coefficients, or no longer if these are zero.
func TestGroupLassoOfLags(t *testing.T) {
	l := fatal.On(NewLags(driven(t, 300), 4, nil))(t)
	d := l.Design()
	for _, groups := range []report.Rows[mlreg.TermGroup]{l.ByChannel(), l.ByLag()} {
		path := fatal.On(mlreg.FitLassoPath(l, &mlreg.PathSettings{Groups: groups, Count: 8}))(t)
		for k, lambda := range path.Lambda() {
			b := path.Fit(k).Slopes()
			r := fatal.On(path.Fit(k).Residuals(d))(t)
			zeros := 0
			for _, g := range groups {
				var dots, own []float64
				for _, term := range g.Terms {
					j := slices.Index(d.Names, term)
					var dot float64
					for i := range r {
						dot += d.X.At(i, j) * r[i]
					}
					dots, own = append(dots, 2*dot), append(own, b[j])
				}
				limit := lambda * math.Sqrt(float64(len(g.Terms)))
				length := math.Sqrt(gram.Squares(own))
				if length == 0 {
					zeros++
					if most := math.Sqrt(gram.Squares(dots)); most > limit*(1+1e-6) {
						t.Errorf("lambda %v: %s is out, with a gradient of %v beyond %v", lambda, g.Name, most, limit)
					}
					continue
				}
				for i, v := range own {
					expect.Near(t, "gradient in "+g.Name, dots[i]/limit, v/length, 1e-4)
				}
			}
			if k == 0 && zeros != len(groups) || k > 0 && zeros == len(groups) {
				t.Errorf("lambda %v: %d groups are out", lambda, zeros)
			}
		}
	}
}

// A group lasso over lags has whole lags at zero.
func TestLagsByLag(t *testing.T) {
	l := fatal.On(NewLags(driven(t, 300), 4, nil))(t)
	path := fatal.On(mlreg.FitLassoPath(l, &mlreg.PathSettings{Groups: l.ByLag(), Count: 20}))(t)
	fit := fatal.On(path.At(path.Lambda()[2]))(t)
	zeros := 0
	b := fit.Slopes()
	for lag := range 4 {
		none := b[lag] == 0
		for c := range 3 {
			if (b[4*c+lag] == 0) != none {
				t.Errorf("lag %d is in for some channels only: %v", lag+1, b)
			}
		}
		if none {
			zeros++
		}
	}
	if zeros == 0 || zeros == 4 {
		t.Errorf("%d lags of 4 are out", zeros)
	}
}
