package mlreg

import (
	"bytes"
	"encoding/gob"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// presence returns four conditions of the births, present or not, with three
// classes.
func presence(t *testing.T) *Design {
	t.Helper()
	d := get(csvDesign(t, "birthwt.csv", "race", "smoke", "ptl", "ht", "ui").Presence(0))(t)
	return d
}

func fitNaiveBayes(t *testing.T, d *Design, smoothing float64) *NaiveBayes {
	t.Helper()
	f := get(FitNaiveBayes(d, smoothing, nil))(t)
	return f
}

// scikit-learn's BernoulliNB, see testdata/logistic.py.
func TestNaiveBayesAgainstPython(t *testing.T) {
	want := classifierReferences(t).NaiveBayes
	d := presence(t)
	for name, smoothing := range map[string]float64{"0.5": 0.5, "1.0": 1} {
		f, w := fitNaiveBayes(t, d, smoothing), want[name]
		nearAll(t, "log prior", logs(f.Prior()), w["logprior"], 1e-13)
		nearAll(t, "log probabilities", logs(f.Prob().RawMatrix().Data), w["logprob"], 1e-13)
		p := get(f.LogProb(d.Rows(0, 1, 2, 3, 4, 5)))(t)
		nearAll(t, "log posterior", p.RawMatrix().Data, w["prob"], 1e-12)
		if !slices.Equal(f.Classes(), []string{"1", "2", "3"}) || f.Parameters() != 14 {
			t.Errorf("classes %q, %d parameters", f.Classes(), f.Parameters())
		}
	}
}

// The worked example of an e-mail w = [0,1,1,0,0,0,1,0]: a product of p or 1-p.
func TestNaiveBayesWorkedExample(t *testing.T) {
	p := []float64{0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8}
	q := []float64{0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5}
	prob := mat.NewDense(2, 8, slices.Concat(p, q))
	f := get(NewNaiveBayes([]string{"ham", "spam"}, []string{"a", "b", "c", "d", "e", "f", "g", "h"}, []float64{3, 1}, prob))(t)
	d := get(NewDesign(mat.NewDense(1, 8, []float64{0, 1, 1, 0, 0, 0, 1, 0}), nil, f.Names()...))(t)
	joint := get(f.LogJoint(d))(t)
	near(t, "ham", joint.At(0, 0), math.Log(0.75*0.9*0.2*0.3*0.6*0.5*0.4*0.7*0.2), 1e-14)
	near(t, "spam", joint.At(0, 1), math.Log(0.25*math.Pow(0.5, 8)), 1e-14)
}

// The lecture's spam filter: the words "won" and "$" are in 1% and 2% of ham and
// in 50% and 70% of spam, and 1% of the mail is spam.
func TestNaiveBayesSpamNumbers(t *testing.T) {
	f := get(NewNaiveBayes([]string{"ham", "spam"}, []string{"won", "$"}, []float64{0.99, 0.01}, mat.NewDense(2, 2, []float64{0.01, 0.02, 0.5, 0.7})))(t)
	d := get(NewDesign(mat.NewDense(4, 2, []float64{1, 1, 1, 0, 0, 1, 0, 0}), nil, "won", "$"))(t)
	p := get(f.ClassProb(d))(t)
	for i, w := range []float64{
		0.01 * 0.5 * 0.7 / (0.01*0.5*0.7 + 0.99*0.01*0.02),
		0.01 * 0.5 * 0.3 / (0.01*0.5*0.3 + 0.99*0.01*0.98),
		0.01 * 0.5 * 0.7 / (0.01*0.5*0.7 + 0.99*0.99*0.02),
		0.01 * 0.5 * 0.3 / (0.01*0.5*0.3 + 0.99*0.99*0.98),
	} {
		near(t, "P(spam)", p.At(i, 1), w, 1e-13)
	}
	put, err := Classify(f, d)
	if err != nil || !slices.Equal(put, []string{"spam", "ham", "ham", "ham"}) {
		t.Errorf("put in %q, %v", put, err)
	}
	e := get(f.Explain(d, 1))(t)
	sum := math.Log(0.01 / 0.99)
	for _, v := range e {
		sum += v.LogRatio
	}
	near(t, "log odds", sum, math.Log(p.At(1, 1)/p.At(1, 0)), 1e-12)
	if e[0].Term != "won" || !e[0].Present || e[1].Present {
		t.Errorf("evidence %+v", e)
	}
	best, err := f.Informative("spam", 1)
	if err != nil || len(best) != 1 || best[0].Term != "$" {
		t.Errorf("most informative: %+v, %v", best, err)
	}
	near(t, "its log odds ratio", best[0].LogOdds, math.Log(0.7/0.3/(0.02/0.98)), 1e-13)
}

// Without smoothing a word never seen in a class makes a row impossible there, and
// one never seen at all, everywhere.
func TestNaiveBayesZeros(t *testing.T) {
	x := mat.NewDense(4, 3, []float64{1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 1, 0})
	d := get(NewDesign(x, []float64{0, 0, 1, 1}, "won", "meeting", "never"))(t)
	d.Classes = []string{"ham", "spam"}
	f := fitNaiveBayes(t, d, 0)
	rows := get(NewDesign(mat.NewDense(3, 3, []float64{1, 0, 0, 1, 1, 1, 0, 0, 0}), nil, "won", "meeting", "never"))(t)
	joint := get(f.LogJoint(rows))(t)
	near(t, "possible", joint.At(0, 0), math.Log(0.5*1*0.5*1), 1e-14)
	if !math.IsInf(joint.At(0, 1), -1) || !math.IsInf(joint.At(1, 0), -1) {
		t.Errorf("impossible rows: %v", mat.Formatted(joint))
	}
	culprits, err := f.Culprits(rows, 0)
	if err != nil || !slices.Equal(culprits, []Culprit{{"spam", "won", true}, {"spam", "meeting", false}}) {
		t.Errorf("culprits %v, %v", culprits, err)
	}
	p, err := f.ClassProb(rows.Rows(0))
	if err != nil || p.At(0, 0) != 1 || p.At(0, 1) != 0 {
		t.Errorf("%v, %v", p, err)
	}
	_, err = f.ClassProb(rows)
	wantErr(t, err, ErrImpossible, "row 2", `in class "ham" the feature "never" never occurs`, `in class "spam" the feature "won" never occurs`, "smoothing")
	_, err = f.ClassProb(rows.Rows(2))
	wantErr(t, err, ErrImpossible, "row 1", `"won" always occurs, and it is absent`)
	smooth := fitNaiveBayes(t, d, 0.1)
	if p, err = smooth.ClassProb(rows); err != nil || !(p.At(1, 0) > 0 && p.At(1, 0) < 1) {
		t.Errorf("smoothed: %v, %v", p, err)
	}
	odds, err := f.Informative("ham", 5)
	if err != nil || len(odds) != 3 || !math.IsInf(odds[0].LogOdds, 1) || odds[2].Term != "never" || odds[2].LogOdds != 0 {
		t.Errorf("%+v, %v", odds, err)
	}
}

// Many features do not underflow; weights count rows; the prior can be given.
func TestNaiveBayesProperties(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 4))
	x := mat.NewDense(40, 5000, nil)
	y := make([]float64, 40)
	for i := range 40 {
		y[i] = float64(i % 3)
		for j := range 5000 {
			if rng.Float64() < 0.2+0.1*y[i] {
				x.Set(i, j, 1)
			}
		}
	}
	d := get(NewDesign(x, y))(t)
	f := fitNaiveBayes(t, d, 1)
	p := get(f.ClassProb(d))(t)
	for i := range 40 {
		if p.At(i, i%3) < 0.999 {
			t.Errorf("row %d: %v", i, p.RawRowView(i))
		}
	}
	ll, err := f.LogLikRows(d)
	if err != nil || slices.Min(ll) < -1e-3 || slices.Max(ll) > 0 {
		t.Errorf("log likelihoods %v, %v", ll, err)
	}

	small := presence(t)
	var rows []int
	weighted := presence(t)
	for i := range small.NObs() {
		weighted.Weights = append(weighted.Weights, float64(i%3))
		for range i % 3 {
			rows = append(rows, i)
		}
	}
	a, b := fitNaiveBayes(t, weighted, 1), fitNaiveBayes(t, small.Rows(rows...), 1)
	nearAll(t, "repeated rows", a.Prob().RawMatrix().Data, b.Prob().RawMatrix().Data, 1e-13)
	nearAll(t, "prior of repeated rows", a.Prior(), b.Prior(), 1e-13)
	given, err := FitNaiveBayes(small, 1, &NaiveBayesSettings{Prior: []float64{1, 1, 2}})
	if err != nil || !slices.Equal(given.Prior(), []float64{0.25, 0.25, 0.5}) {
		t.Errorf("a given prior: %v, %v", given, err)
	}

	// Of three classes, the others count together.
	g := fitNaiveBayes(t, small, 1)
	best := get(g.Informative("2", 4))(t)
	var in, out, n, m float64
	for i, label := range small.Y {
		j := slices.Index(small.Names, best[0].Term)
		if label == 2 {
			n++
			in += small.X.At(i, j)
		} else {
			m++
			out += small.X.At(i, j)
		}
	}
	near(t, "in class", best[0].InClass, (in+1)/(n+2), 1e-13)
	near(t, "elsewhere", best[0].Elsewhere, (out+1)/(m+2), 1e-13)
	near(t, "log odds", best[0].LogOdds, math.Log((in+1)/(n-in+1)/((out+1)/(m-out+1))), 1e-12)

	var buf bytes.Buffer
	if err := gob.NewEncoder(&buf).Encode(g); err != nil {
		t.Fatal(err)
	}
	var h NaiveBayes
	if err := gob.NewDecoder(&buf).Decode(&h); err != nil {
		t.Fatal(err)
	}
	u := get(g.ClassProb(small))(t)
	v, err := h.ClassProb(small)
	if err != nil || !mat.Equal(u, v) {
		t.Errorf("a fit changes by encoding: %v", err)
	}
}

// A fit to samples of a fit has its probabilities, within Monte Carlo error.
func TestNaiveBayesSample(t *testing.T) {
	f := fitNaiveBayes(t, presence(t), 1)
	const n = 40000
	d := get(f.Sample(n, "", rand.NewPCG(1, 2)))(t)
	g := fitNaiveBayes(t, d, 0)
	for k, prior := range f.Prior() {
		if e := math.Sqrt(prior * (1 - prior) / n); math.Abs(g.Prior()[k]-prior) > 4*e {
			t.Errorf("prior %v, sampled %v", prior, g.Prior()[k])
		}
		for j := range f.Names() {
			p := f.Prob().At(k, j)
			if e := math.Sqrt(p * (1 - p) / n / prior); math.Abs(g.Prob().At(k, j)-p) > 4*e {
				t.Errorf("class %d, feature %d: %v, sampled %v", k, j, p, g.Prob().At(k, j))
			}
		}
	}
	again, err := f.Sample(n, "", rand.NewPCG(1, 2))
	if err != nil || !mat.Equal(again.X, d.X) {
		t.Errorf("the same seed gives other rows, %v", err)
	}
	one, err := f.Sample(10, "2", rand.NewPCG(1, 2))
	if err != nil || slices.Min(one.Y) != 1 || slices.Max(one.Y) != 1 {
		t.Errorf("rows of class 2: %v, %v", one, err)
	}
}

func TestNaiveBayesBadInput(t *testing.T) {
	d := presence(t)
	raw := csvDesign(t, "birthwt.csv", "race", "smoke", "ptl", "lwt")
	one := presence(t)
	for i := range one.Y {
		one.Y[i] = 1
	}
	empty := presence(t)
	for i, y := range empty.Y {
		empty.Y[i] = y - 1
	}
	empty.Classes = []string{"a", "b", "c", "d"}
	continuous := presence(t)
	for i := range continuous.Y {
		continuous.Y[i] = float64(i)
	}
	for _, c := range []struct {
		d         *Design
		smoothing float64
		prior     []float64
		kind      error
		parts     []string
	}{
		{d, -1, nil, ErrSetting, []string{"smoothing = -1"}},
		{d, math.NaN(), nil, ErrSetting, nil},
		{raw, 1, nil, ErrSetting, []string{`"lwt" is 182 in row 1`, "Presence"}},
		{one, 1, nil, ErrLabels, []string{`one class only, "1"`}},
		{empty, 1, nil, ErrLabels, []string{`class "d"`}},
		{continuous, 1, nil, ErrLabels, []string{"too many for classes"}},
		{d, 1, []float64{1, 2}, ErrShape, []string{"2 prior probabilities of 3 classes"}},
		{d, 1, []float64{1, 2, -1}, ErrSetting, []string{`class "3" is -1`}},
		{d, 1, []float64{0, 0, 0}, ErrSetting, []string{"sum to 0"}},
	} {
		_, err := FitNaiveBayes(c.d, c.smoothing, &NaiveBayesSettings{Prior: c.prior})
		wantErr(t, err, c.kind, c.parts...)
	}
	f := fitNaiveBayes(t, d, 1)
	less := get(d.Select("smoke", "ht"))(t)
	_, err := f.ClassProb(less)
	wantErr(t, err, ErrShape, `"ptl"`)
	_, err = f.Informative("7", 1)
	wantErr(t, err, ErrLabels, `"7"`)
	_, err = f.Explain(d, 0)
	wantErr(t, err, ErrLabels, "3 classes")
	_, err = f.Sample(0, "", rand.NewPCG(1, 1))
	wantErr(t, err, ErrSetting)
	_, err = f.Sample(1, "x", rand.NewPCG(1, 1))
	wantErr(t, err, ErrLabels, `"x"`)
	_, err = ROC(f, d)
	wantErr(t, err, ErrLabels, "3 classes")
	_, err = NewNaiveBayes([]string{"a", "b"}, []string{"w"}, []float64{1, 1}, mat.NewDense(2, 1, []float64{0.5, 1.5}))
	wantErr(t, err, ErrSetting, `"w" in class "b" is 1.5`)
	_, err = NewNaiveBayes([]string{"a"}, []string{"w"}, []float64{1}, mat.NewDense(1, 1, []float64{0.5}))
	wantErr(t, err, ErrShape)
}
