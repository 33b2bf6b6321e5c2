package descent

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"testing"
)

// glmnet, see testdata/poisson.R: coefficients, deviances and that of the null model,
// with weights and offsets, by both subproblems.
func TestPoissonAgainstGlmnet(t *testing.T) {
	b, err := os.ReadFile("testdata/poisson.json")
	if err != nil {
		t.Fatal(err)
	}
	var in struct {
		X                          [][]float64
		Y, Offset, Weights, Lambda []float64
		Fits                       []struct {
			Alpha, Null         []float64
			Intercept, Deviance []float64
			Coef                [][]float64
		}
	}
	if err := json.Unmarshal(b, &in); err != nil {
		t.Fatal(err)
	}
	n, p := len(in.Y), len(in.X[0])
	c := NewColumns(make([]float64, n*p), in.Y)
	mean := make([]float64, p)
	var total float64
	for i, row := range in.X {
		for j, v := range row {
			mean[j] += v / float64(n)
			c.Column(j)[i] = v
		}
		total += in.Weights[i]
	}
	for j, m := range mean {
		for i := range n {
			c.Column(j)[i] -= m
		}
	}
	fit := NewPoisson(in.Y, in.Weights)
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-7*(1+math.Abs(want)) {
			t.Errorf("%s is %.12g, glmnet has %.12g", what, got, want)
		}
	}
	for _, f := range in.Fits {
		var solvers []*Proximal
		for range 2 {
			solvers = append(solvers, NewProximal(NewLikelihood(c, fit, [][]float64{in.Offset}, true), alone(p)))
		}
		for k, lambda := range in.Lambda {
			e := &Elastic{Of: alone(p)}
			for range p {
				e.L1 = append(e.L1, 2*total*lambda*f.Alpha[0])
				e.L2 = append(e.L2, total*lambda*(1-f.Alpha[0]))
			}
			tol := Tolerance{1e-13, 10_000}
			check := func(cert Certificate, b0 float64, set []int, w []float64) {
				t.Helper()
				b := make([]float64, p)
				for i, j := range set {
					b[j] = w[i]
					b0 -= w[i] * mean[j]
				}
				near("the intercept", b0, f.Intercept[k])
				near("the deviance", cert.RSS, f.Deviance[k])
				for j := range b {
					near("a slope", b[j], f.Coef[k][j])
				}
			}
			for i, pen := range []Penalty{e, other{e}} {
				cert := solvers[i].Solve(pen, tol)
				set, w := solvers[i].Active()
				check(cert, solvers[i].Intercepts()[0], set, w)
			}
		}
		near("the null deviance", solvers[0].Null(), f.Null[0])
	}
}

// A response far from zero, and one with outliers only: the intercept is found from
// anywhere.
func TestInterceptsFarAway(t *testing.T) {
	const n = 21
	y := make([]float64, n)
	for i := range y {
		y[i] = 1e6 + 30*float64(i)
	}
	c := NewColumns(make([]float64, n), y)
	for i := range n {
		c.Column(0)[i] = float64(i) - 10
	}
	h := NewLikelihood(c, newHuber(y, nil, 1), nil, true)
	if got := h.Intercepts()[0]; math.Abs(got-(1e6+300)) > 1 { // the median
		t.Errorf("Huber's intercept is %.10g", got)
	}
	q := NewLikelihood(c, NewPoisson(y, nil), nil, true)
	if got, want := q.Intercepts()[0], math.Log(1e6+300); math.Abs(got-want) > 1e-12 {
		t.Errorf("the intercept of counts is %.17g, want %.17g", got, want)
	}
}

// The degrees of freedom are the sum of the derivatives of the fitted values by their
// responses (Stein), for groups too.
func TestDoFIsStein(t *testing.T) {
	s := simulate(6, 30, 10)
	for penalty, pen := range map[string]*Elastic{
		"groups": group(blocksOf(10), 4, 0), "groups with L2": group(blocksOf(10), 4, 2),
		"elastic net": group(alone(10), 4, 2), "lasso": group(alone(10), 4, 0),
	} {
		solve := func(y []float64) ([]float64, Certificate) {
			c := NewColumns(s.x, y)
			solver := NewProximal(NewQuadratic(NewRows(c), nil), pen.Of)
			cert := solver.Solve(pen, Tolerance{1e-15, 10_000})
			fitted := make([]float64, len(y))
			set, w := solver.Active()
			for i, j := range set {
				for r, v := range c.Column(j) {
					fitted[r] += w[i] * v
				}
			}
			return fitted, cert
		}
		_, cert := solve(s.y)
		var sum float64
		const h = 1e-5
		for i := range s.y {
			y := append([]float64(nil), s.y...)
			y[i] += h
			up, _ := solve(y)
			y[i] -= 2 * h
			down, _ := solve(y)
			sum += (up[i] - down[i]) / (2 * h)
		}
		if math.Abs(sum-cert.DoF) > 1e-4 || cert.DoF < 1 || cert.DoF > 9.9 {
			t.Errorf("%s: %.8g degrees of freedom, want %.8g", penalty, cert.DoF, sum)
		}
	}
}

// Of more rows than one task takes, the loss is the sum of minus log probabilities.
func TestMultinomialSumsOfChunks(t *testing.T) {
	rnd := rand.New(rand.NewPCG(8, 8))
	const n = 700
	classes, eta := perRow(3, n), perRow(3, n)
	for i := range n {
		classes[rnd.IntN(3)][i] = 1
		for k := range eta {
			eta[k][i] = rnd.NormFloat64()
		}
	}
	fit, r, c, sums := NewMultinomial(classes, nil), perRow(3, n), perRow(6, n), newTotals(3)
	fit.At(eta, r, sums)
	fit.Curvatures(0, r, c)
	var loss float64
	for i := range n {
		var sum float64
		for k := range eta {
			sum += math.Exp(eta[k][i])
		}
		for k := range eta {
			if classes[k][i] == 1 {
				loss -= math.Log(math.Exp(eta[k][i]) / sum)
			}
		}
	}
	if math.Abs(loss-sums.Loss) > 1e-9 {
		t.Errorf("loss %g, want %g", sums.Loss, loss)
	}
}
