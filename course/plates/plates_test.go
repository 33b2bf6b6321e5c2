package plates_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"

	"github.com/regbook/regbook/course/plates"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/plotting"
)

func models() map[string]frames.Graph {
	return map[string]frames.Graph{
		"Regression": plates.Regression(0.5, 0.25), "Ridge": plates.Ridge(4, 0.25), "Evidence": plates.Evidence(0.25),
		"SpikeAndSlab": plates.SpikeAndSlab(0.3, 2, 0.25), "LogisticRegression": plates.LogisticRegression(1),
		"NaiveBayes": plates.NaiveBayes(0.4, 1),
	}
}

var sizes = map[string][]int{"row": {7}, "term": {3}, "mail": {7}, "word": {3}}

// draws samples a node and returns its columns, which it names.
func draws(t *testing.T, g frames.Graph, node string, sizes map[string][]int, seed uint64) (names []string, column map[string][]float64) {
	t.Helper()
	df, err := g.Sample(node, sizes, rand.NewPCG(seed, 151))
	if err != nil {
		t.Fatal(err)
	}
	column = make(map[string][]float64)
	for _, name := range df.Names() {
		column[name] = df.Col(name).Float()
	}
	return df.Names(), column
}

// The figure has every node of a description by its name, and the sample every node as well.
func TestModelsAreDrawnAndSampled(t *testing.T) {
	for name, g := range models() {
		f, err := plotting.Plate(g)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var page recorder.Canvas
		f.Panels[0][0].Draw(draw.NewCanvas(&page, 400, 400))
		written := make(map[string]int)
		for _, a := range page.Actions {
			if text, ok := a.(*recorder.FillString); ok {
				written[text.String]++
			}
		}
		for _, n := range g {
			for _, what := range append([]string{n.Name}, n.Plates...) {
				if what = strings.TrimSuffix(what, "₀"); written[what] != 1 { // a subscript is a text by itself
					t.Errorf("%s: %q is written %d times", name, what, written[what])
				}
			}
		}
		if want := fmt.Sprintf("directed model of %d nodes", len(g)); !strings.HasPrefix(f.Alt, want) {
			t.Errorf("%s: %s", name, f.Alt)
		}
		last := g[len(g)-1]
		names, column := draws(t, g, last.Name, sizes, 1)
		for _, n := range g {
			found := false
			for _, c := range names {
				found = found || c == n.Name || strings.TrimRight(c, "0123456789") == n.Name
			}
			if !found {
				t.Errorf("%s: node %s is not in the sample %v", name, n.Name, names)
			}
		}
		_, again := draws(t, g, last.Name, sizes, 1)
		if !floats.Equal(column[last.Name], again[last.Name]) {
			t.Errorf("%s: the same source, another sample", name)
		}
	}
}

// near fails where the mean of values is off by more than four standard errors.
func near(t *testing.T, what string, values []float64, want float64) {
	t.Helper()
	mean, sd := stat.MeanStdDev(values, nil)
	if math.Abs(mean-want) > 4*sd/math.Sqrt(float64(len(values))) {
		t.Errorf("%s: mean %v, want %v", what, mean, want)
	}
}

// Variances of weights and of residuals are those of the description, and every response is
// the sum over its own row.
func TestMoments(t *testing.T) {
	squares := func(x []float64) []float64 { return floats.MulTo(make([]float64, len(x)), x, x) }
	for name, c := range map[string]struct {
		g             frames.Graph
		tau2, w2, off float64 // off is the share of zeros among the weights
	}{
		"Regression":   {plates.Regression(0.5, 0.25), 0.5, 3 * 0.25, 0},
		"Ridge":        {plates.Ridge(4, 0.25), 0.0625, 3 * 0.0625 * 0.0625, 0},
		"SpikeAndSlab": {plates.SpikeAndSlab(0.3, 2, 0.25), 0.6, 0.3 * 3 * 4, 0.7},
	} {
		_, w := draws(t, c.g, "w", map[string][]int{"row": {1}, "term": {20000}}, 2)
		near(t, name+" w", w["w"], 0)
		near(t, name+" w²", squares(w["w"]), c.tau2)
		near(t, name+" w⁴", squares(squares(w["w"])), c.w2)
		zero := make([]float64, len(w["w"]))
		for i, v := range w["w"] {
			if v == 0 {
				zero[i] = 1
			}
		}
		near(t, name+" zeros", zero, c.off)
		_, y := draws(t, c.g, "y", map[string][]int{"row": {5000}, "term": {3}}, 3)
		residual := make([]float64, 5000)
		for i := range residual {
			residual[i] = y["y"][i]
			for j := range 3 {
				residual[i] -= y[fmt.Sprint("w", j+1)][i] * y[fmt.Sprint("x", j+1)][i]
			}
		}
		near(t, name+" residual", residual, 0)
		near(t, name+" residual²", squares(residual), 0.25)
	}
	var logs []float64
	for seed := range uint64(2000) {
		_, w := draws(t, plates.Evidence(0.25), "w", map[string][]int{"row": {1}, "term": {1}}, seed)
		logs = append(logs, math.Log10(w["τ"][0]))
	}
	near(t, "log10 τ", logs, 0)
	near(t, "its square", squares(logs), 1.0/3)
}

// The chance of a response is the logistic function of its row's sum.
func TestLogisticMoments(t *testing.T) {
	_, v := draws(t, plates.LogisticRegression(4), "y", map[string][]int{"row": {20000}, "term": {2}}, 4)
	pull := make([]float64, len(v["y"]))
	weighted := make([]float64, len(v["y"]))
	for i, y := range v["y"] {
		eta := v["w1"][i]*v["x1"][i] + v["w2"][i]*v["x2"][i]
		p := 1 / (1 + math.Exp(-eta))
		pull[i], weighted[i] = y-p, eta*(y-p)
	}
	near(t, "y - p", pull, 0)
	near(t, "eta (y - p)", weighted, 0)
	near(t, "(y - p)²", floats.MulTo(make([]float64, len(pull)), pull, pull), func() float64 {
		mean := 0.0
		for i := range pull {
			p := v["y"][i] - pull[i]
			mean += p * (1 - p) / float64(len(pull))
		}
		return mean
	}())
}

// Classes come with pi, fractions of words with the variance of Beta(a, a), and words with the
// fraction of their class.
func TestNaiveBayesMoments(t *testing.T) {
	_, v := draws(t, plates.NaiveBayes(0.3, 2), "x", map[string][]int{"mail": {200}, "word": {1000}}, 5)
	var class, middle, spread, pull [2][]float64
	for i, y := range v["y"] {
		k := int(y)
		if v["word"][i] == 1 {
			class[0] = append(class[0], y)
		}
		p := []float64{v["p0"][i], v["p1"][i]}
		if v["mail"][i] == 1 {
			for c := range p {
				middle[c] = append(middle[c], p[c])
				spread[c] = append(spread[c], math.Pow(p[c]-0.5, 2))
			}
		}
		pull[k] = append(pull[k], v["x"][i]-p[k])
	}
	near(t, "π", class[0], 0.3)
	for k := range 2 {
		near(t, "mean of Beta(2, 2)", middle[k], 0.5)
		near(t, "variance of Beta(2, 2)", spread[k], 0.05)
		near(t, "x - p", pull[k], 0)
	}
}

// Settings out of range are seen in the sample.
func TestOutOfRange(t *testing.T) {
	for what, g := range map[string]frames.Graph{"tau2": plates.Regression(-1, 1), "sigma2": plates.LogisticRegression(-1),
		"pi": plates.SpikeAndSlab(1.5, 1, 1), "lambda": plates.Ridge(-1, 1), "a": plates.NaiveBayes(0.5, 0)} {
		node := g[len(g)-1].Name
		if _, v := draws(t, g, node, sizes, 1); !math.IsNaN(v[node][0]) {
			t.Errorf("%s: %v", what, v[node])
		}
	}
}
