package mlreg

import (
	"bytes"
	"encoding/gob"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/algebra"
)

// comparedDesign has a positive response and three terms.
func comparedDesign(t *testing.T) *Design {
	t.Helper()
	d := randomDesign(t, 7, 60, 3)
	for i, y := range d.Y {
		d.Y[i] = math.Exp(y / 4)
	}
	return d
}

// changed returns d with a change to it.
func changed(d *Design, change func(c *Design)) *Design {
	c := *d
	change(&c)
	return &c
}

// asClasses gives d classes for a response.
func asClasses(d *Design, names ...string) *Design {
	return changed(d, func(c *Design) {
		c.Classes, c.Y = names, make([]float64, len(d.Y))
		for i := range c.Y {
			c.Y[i] = float64((i*i + i/3) % len(names))
		}
	})
}

// Fits that differ in what the test takes for the same are refused, and the difference named.
func TestLikelihoodRatioTestRefuses(t *testing.T) {
	d := comparedDesign(t)
	part := func(d *Design, names ...string) *Design { return get(d.Select(names...))(t) }
	ols := func(d *Design) Likelihood { return get(FitOLS(d, nil))(t) }
	logged := d.WithResponse("y", nil)
	logged.Y = make([]float64, len(d.Y))
	for i, y := range d.Y {
		logged.Y[i] = math.Log(y)
	}
	rows := func(skip int) *Design {
		var keep []int
		for i := range d.NObs() {
			if i != skip {
				keep = append(keep, i)
			}
		}
		return d.Rows(keep...)
	}
	weighted := func(k int) *Design {
		return changed(d, func(c *Design) {
			c.Weights = make([]float64, len(d.Y))
			for i := range c.Weights {
				c.Weights[i] = 1 + float64(i%k)
			}
		})
	}
	through := changed(d, func(c *Design) { c.NoIntercept = true })
	classes := asClasses(d, "no", "yes")
	other := changed(classes, func(c *Design) { c.Y = append([]float64{1 - c.Y[0]}, c.Y[1:]...) })
	logistic := func(d *Design, l2 float64) Likelihood { return fitLogistic(t, d, &LogisticSettings{L2: l2}) }
	glm := func(d *Design, f GLMFamily, l Link) Likelihood { return get(FitGLM(d, f, &GLMSettings{Link: l}))(t) }
	counts := changed(d, func(c *Design) {
		c.Y = make([]float64, len(d.Y))
		for i, y := range d.Y {
			c.Y[i] = math.Floor(3 * y)
		}
	})
	known := func(d *Design) Likelihood { return get(FitOLS(d, &OLSSettings{Sigma2: 2}))(t) }
	for _, c := range []struct {
		small, large Likelihood
		says         []string
	}{
		{ols(part(d, "x1")), ols(logged), []string{`values of "y" differ`, "means"}},
		{ols(part(d, "x1")), ols(changed(logged, func(c *Design) { c.Response = "log(y)" })), []string{`"y" and "log(y)"`}},
		{ols(part(rows(3), "x1")), ols(rows(17)), []string{`values of "y" differ`}},
		{ols(part(d, "x1")), ols(rows(17)), []string{"60 and 59 observations"}},
		{ols(part(d, "x1")), ols(weighted(2)), []string{"weights differ", "60 and 90"}},
		{ols(part(weighted(3), "x1")), ols(changed(weighted(3), func(c *Design) { w := append([]float64{}, c.Weights...); w[0], w[1] = w[1], w[0]; c.Weights = w })), []string{`values of "y" differ`}},
		{ols(part(d, "x1")), ols(part(d, "x2", "x3")), []string{`"x1"`, "not nested"}},
		{ols(part(d, "x1")), ols(through), []string{"intercept"}},
		{ols(d), ols(part(d, "x1")), []string{"put the smaller first"}},
		{ols(part(d, "x1")), known(d), []string{"sigma^2 = 2", "estimates it"}},
		{glm(part(d, "x1"), Gamma, LogLink), glm(d, InverseGaussian, LogLink), []string{"gamma family", "inverse Gaussian"}},
		{glm(part(d, "x1"), Gamma, LogLink), glm(d, Gamma, ReciprocalLink), []string{"log link", "reciprocal link"}},
		{glm(part(d, "x1"), Gamma, LogLink), glm(logged.WithResponse("y", counts.Y), Poisson, LogLink), []string{`values of "y" differ`}},
		{glm(part(counts, "x1"), QuasiPoisson, LogLink), glm(counts, QuasiPoisson, LogLink), []string{"quasi-likelihood", "CompareDeviances"}},
		{logistic(part(classes, "x1"), 0), logistic(other, 0), []string{"classes"}},
		{logistic(part(classes, "x1"), 0), logistic(classes, 0.1), []string{"penalty", "L2 = 0.1"}},
	} {
		_, err := LikelihoodRatioTest(c.small, c.large)
		wantError(t, strings.Join(c.says, " "), err, ErrShape, c.says...)
	}
}

// Rows, sums, blocks and streams know the same of the response.
func TestObservedEverywhere(t *testing.T) {
	neverGathered(t)
	d := comparedDesign(t)
	d.Weights = make([]float64, len(d.Y))
	for i := range d.Weights {
		d.Weights[i] = float64((i + 1) % 4)
	}
	small := get(d.Select("x1"))(t)
	blocks := blocksOf(d, 7)
	moments := get(MomentsOfBlocks(blocks))(t)
	folded := get(moments.Merge(get(d.Rows(1, 2, 3, 5).Moments())(t)))(t)
	folded = get(folded.Subtract(get(d.Rows(1, 2, 3, 5).Moments())(t)))(t)
	classes := asClasses(d, "no", "yes")
	reversed := changed(classes, func(c *Design) {
		c.Classes, c.Y = []string{"yes", "no"}, make([]float64, len(classes.Y))
		for i, y := range classes.Y {
			c.Y[i] = 1 - y
		}
	})
	ols, gamma := get(FitOLS(small, nil))(t), get(FitGLM(small, Gamma, &GLMSettings{Link: LogLink}))(t)
	logistic := fitLogistic(t, get(classes.Select("x1"))(t), nil)
	for name, fits := range map[string][2]Likelihood{
		"sums":      {ols, get(FitOLS(moments, nil))(t)},
		"sums back": {ols, get(FitOLS(folded, nil))(t)},
		"blocks":    {gamma, get(FitGLM(blocks, Gamma, &GLMSettings{Link: LogLink}))(t)},
		"classes":   {logistic, get(FitLogistic(blocksOf(classes, 7), nil))(t)},
		"reversed":  {logistic, fitLogistic(t, reversed, nil)},
		"two":       {logistic, get(FitMultinomial(reversed, nil))(t)},
		"shuffled":  {ols, get(FitOLS(d.Rows(rand.New(rand.NewPCG(1, 2)).Perm(60)...), nil))(t)},
	} {
		if test, err := LikelihoodRatioTest(fits[0], fits[1]); err != nil || test.Note != "" {
			t.Errorf("%s: %v, %v", name, test, err)
		}
	}
	// Streams keep it; one of before lacks it, which is noted.
	var buf bytes.Buffer
	back := &OLS{}
	check(t, gob.NewEncoder(&buf).Encode(get(FitOLS(d, nil))(t)))
	check(t, gob.NewDecoder(&buf).Decode(back))
	if test := get(LikelihoodRatioTest(ols, back))(t); test.Note != "" {
		t.Errorf("after gob: %v", test)
	}
	back.l.Observed = observed{}
	if test := get(LikelihoodRatioTest(ols, back))(t); !strings.Contains(test.Note, "earlier version") {
		t.Errorf("of a stream of before: %v", test)
	}
	rows := get(CompareNested(ols, back))(t)
	if !strings.Contains(rows.String(), "earlier version") {
		t.Errorf("of a stream of before:\n%v", rows)
	}
	// A Likelihood from elsewhere says nothing but its number of rows.
	if test := get(LikelihoodRatioTest(likelihood{-300, 1, 45}, ols))(t); !strings.Contains(test.Note, "mlreg.likelihood") {
		t.Errorf("of another type: %v", test)
	}
	_, err := LikelihoodRatioTest(likelihood{-300, 1, 44}, ols)
	wantError(t, "rows of another type", err, ErrShape, "44 and 45")
}

// Where names do not tell whether a term is a combination of others, a note says so.
func TestNestedAsFarAsNamesTell(t *testing.T) {
	d := comparedDesign(t)
	coded := func(names []string, groups []TermGroup, prints string, cols ...func(x1, x2 float64) float64) *Design {
		x := algebra.NewDense(d.NObs(), len(cols))
		var columns []CodedColumn
		for j, f := range cols {
			for i := range d.NObs() {
				x.Set(i, j, f(d.X.At(i, 0), d.X.At(i, 1)))
			}
			columns = append(columns, CodedColumn{Name: names[j], Fingerprint: prints})
		}
		c := get(NewDesign(x, d.Y, names...))(t)
		c.Coding = NewCoding(columns, groups, "", nil)
		return c
	}
	x1 := func(a, _ float64) float64 { return a }
	sq := func(a, _ float64) float64 { return a * a }
	x2 := func(_, b float64) float64 { return b }
	line := coded([]string{"dose"}, nil, "", x1)
	curve := coded([]string{"poly(dose, 2)1", "poly(dose, 2)2"}, []TermGroup{{Name: "poly(dose, 2)", Terms: []string{"poly(dose, 2)1", "poly(dose, 2)2"}}}, "a", x1, sq)
	more := coded([]string{"poly(dose, 2)1", "poly(dose, 2)2", "x2"}, []TermGroup{{Name: "poly(dose, 2)", Terms: []string{"poly(dose, 2)1", "poly(dose, 2)2"}}}, "b", x1, sq, x2)
	apart := coded([]string{"x2", "x3"}, nil, "", x2, sq)
	ols := func(d *Design) *OLS { return get(FitOLS(d, nil))(t) }
	for says, fits := range map[string][2]*OLS{`"dose" of the smaller`: {ols(line), ols(curve)}, `"poly(dose, 2)1" has other constants`: {ols(curve), ols(more)}} {
		test := get(LikelihoodRatioTest(fits[0], fits[1]))(t)
		rows := get(CompareNested(fits[0], fits[1]))(t)
		if !strings.Contains(test.Note, says) || rows[1].Note != test.Note {
			t.Errorf("%q is not in the notes %q and %q", says, test.Note, rows[1].Note)
		}
	}
	_, err := LikelihoodRatioTest(ols(line), ols(apart))
	wantError(t, "no variable of it", err, ErrShape, `"dose"`, "not nested")
	offset := changed(get(d.Select("x1"))(t), func(c *Design) { c.Offset = mat.Col(nil, 1, d.X) })
	if test := get(LikelihoodRatioTest(ols(offset), ols(d)))(t); !strings.Contains(test.Note, "offsets") {
		t.Errorf("%+v", test)
	}
}

// FitTable says of which fits AIC does not compare, and does not refuse them.
func TestFitTableIncomparable(t *testing.T) {
	d := randomDesign(t, 3, 60, 1)
	doubled := d.WithResponse("y", append([]float64{}, d.Y...))
	doubled.Y[0]++
	weighted := changed(d, func(c *Design) {
		c.Weights = make([]float64, len(d.Y))
		for i := range c.Weights {
			c.Weights[i] = float64(1 + i%3)
		}
	})
	classes := asClasses(d, "no", "yes")
	ols := get(FitOLS(d, nil))(t)
	for says, fits := range map[string][]NamedFit{
		"their weights":     {{"a", ols}, {"b", get(FitOLS(weighted, nil))(t)}},
		"a and b: the val":  {{"a", ols}, {"b", get(FitOLS(doubled, nil))(t)}},
		"b maximizes the l": {{"a", fitLogistic(t, classes, nil)}, {"b", fitLogistic(t, classes, &LogisticSettings{L2: 1})}},
	} {
		if text := get(FitTable(fits, nil))(t).String(); !strings.Contains(text, says) || strings.Contains(text, "n differs") {
			t.Errorf("no %q in\n%s", says, text)
		}
	}
}

// What is known of rows that stand for others is what is known of those, but for their order.
func TestObservedOfRowsThatStandForOthers(t *testing.T) {
	d := &Design{X: algebra.NewDense(4, 0), Y: []float64{1, 5, -2, 7}, Weights: []float64{2, 0, 0.5, 3}}
	times := []int{3, 2, 1, 4}
	var rows []int
	for i, n := range times {
		rows = append(rows, slices.Repeat([]int{i}, n)...)
	}
	got, want := d.observedTimes(times), d.Rows(rows...).observed()
	if !got.Y.near(want.Y) || got.N != want.N || math.Abs(got.W-want.W) > 1e-14*want.W || math.Abs(got.LogW-want.LogW) > 1e-14 || got.Hash != 0 {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// Means and standard deviations of any numbers, merged or not.
func TestMeanSD(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 3))
	for _, c := range []struct{ mean, sd, w float64 }{{0, 1, 1}, {1e6, 1, 3}, {1e308, 1e306, 1}, {0, 1e308, 1}, {1e-300, 1e-305, 1}, {5, 0, 2}, {0, 0, 1}} {
		d := &Design{X: algebra.NewDense(101, 0), Y: make([]float64, 101), Weights: make([]float64, 101)}
		for i := range d.Y {
			d.Y[i], d.Weights[i] = c.mean+c.sd*(rnd.Float64()-0.5), c.w*float64(i%3)
		}
		if c.sd == 0 {
			d.Weights[100] = c.w
		}
		all := d.observed()
		var parts observed
		for first := 0; first < 101; first += 13 {
			parts = parts.and((&Design{X: algebra.NewDense(min(13, 101-first), 0), Y: d.Y[first:min(first+13, 101)], Weights: d.Weights[first:min(first+13, 101)]}).observed())
		}
		if !all.Y.near(parts.Y) || all.N != parts.N || all.Hash != parts.Hash || math.Abs(all.Y.Mean-c.mean) > c.sd || math.Abs(all.Y.SD-c.sd*math.Sqrt(1./12)) > 0.05*c.sd {
			t.Errorf("%+v: %+v, in parts %+v", c, all, parts)
		}
		d.Y[50] += c.sd / 1e3
		if c.sd > 0 && d.Weights[50] > 0 && d.observed().Y.near(all.Y) {
			t.Errorf("%+v: another value of one row is not seen", c)
		}
	}
}
