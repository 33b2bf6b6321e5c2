package descent

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// simulated are columns with a response for every loss, weights and offsets.
type simulated struct {
	*Columns
	weights, offset []float64
	labels, counts  []float64
	classes         [][]float64 // indicators
}

// simulate draws centered columns.
func simulate(seed uint64, n, p int) *simulated {
	rows, _ := problem(seed, n, p)
	rnd := rand.New(rand.NewPCG(seed, 77))
	s := &simulated{Columns: rows.Columns, classes: perRow(3, n)}
	for j := range p {
		col := s.Column(j)
		var mean float64
		for _, v := range col {
			mean += v / float64(n)
		}
		for i := range col {
			col[i] -= mean
		}
	}
	for i := range n {
		eta := 0.7*s.Column(0)[i] - 0.5*s.Column(p / 2)[i]
		s.weights = append(s.weights, 0.2+float64(rnd.IntN(4)))
		s.offset = append(s.offset, 0.3*rnd.NormFloat64())
		label, count := 0.0, 0.0
		if eta+rnd.NormFloat64() > 0 {
			label = 1
		}
		for at := rnd.ExpFloat64(); at < 2*math.Exp(eta); at += rnd.ExpFloat64() {
			count++
		}
		s.labels, s.counts = append(s.labels, label), append(s.counts, count)
		class := rnd.IntN(3)
		if eta > 0.5 {
			class = 2
		}
		s.classes[class][i] = 1
	}
	return s
}

// losses are the losses of one linear predictor.
func (s *simulated) losses(weights []float64) map[string]Datafit {
	return map[string]Datafit{
		"squares":  newSquares(s.y, weights),
		"logistic": NewLogistic(s.labels, weights),
		"Poisson":  NewPoisson(s.counts, weights),
		"Huber":    newHuber(s.y, weights, 0.8),
	}
}

// Derivatives are those of differences, curvature is within its bound, and Fenchel's
// inequality holds, with equality at minus the residual.
func TestDatafits(t *testing.T) {
	s := simulate(4, 40, 6)
	rnd := rand.New(rand.NewPCG(5, 6))
	fits := s.losses(s.weights)
	fits["multinomial"] = NewMultinomial(s.classes, s.weights)
	for name, fit := range fits {
		q := fit.Predictors()
		at := func(eta [][]float64) (r, c [][]float64, sums *Totals) {
			r, c, sums = perRow(q, s.n), perRow(q*(q+1)/2, s.n), newTotals(q)
			fit.At(eta, r, sums)
			fit.Curvatures(0, r, c)
			return r, c, sums
		}
		eta := perRow(q, s.n)
		for k := range eta {
			for i := range eta[k] {
				eta[k][i] = 1.5 * rnd.NormFloat64()
			}
		}
		r, c, sums := at(eta)
		if sums.Loss < 0 {
			t.Errorf("%s: loss %g", name, sums.Loss)
		}
		const h = 1e-5
		for i := range s.n {
			if d := math.Abs(s.y[i] - eta[0][i]); name == "Huber" && math.Abs(d-0.8) < 1e-3 {
				continue // between the two pieces
			}
			row := make([]float64, q)
			for k := range q {
				step := func(d float64) (float64, [][]float64) {
					old := eta[k][i]
					eta[k][i] += d
					r, _, sums := at(eta)
					eta[k][i] = old
					return sums.Loss, r
				}
				up, upR := step(h)
				down, downR := step(-h)
				if got, want := r[k][i], (down-up)/(2*h); math.Abs(got-want) > 1e-6*(1+math.Abs(want)) {
					t.Errorf("%s: residual of row %d is %g, want %g", name, i, got, want)
				}
				for l := k; l < q; l++ {
					if got, want := c[pair(q, k, l)][i], (downR[l][i]-upR[l][i])/(2*h); math.Abs(got-want) > 1e-6*(1+math.Abs(want)) {
						t.Errorf("%s: second derivative (%d, %d) of row %d is %g, want %g", name, k, l, i, got, want)
					}
				}
				if c[pair(q, k, k)][i] > fit.Bound(i) {
					t.Errorf("%s: curvature %g of row %d is above %g", name, c[pair(q, k, k)][i], i, fit.Bound(i))
				}
				row[k] = r[k][i]
			}
		}
		// sum of F(eta) + F*(-r) + r'eta is zero, and not negative for other theta.
		for _, f := range []float64{1, 0.6, 0} {
			sum := sums.Loss
			for i := range s.n {
				theta := make([]float64, q)
				for k := range theta {
					theta[k] = f * r[k][i]
					sum += theta[k] * eta[k][i]
				}
				sum += fit.Conjugate(i, theta)
			}
			if f == 1 && math.Abs(sum) > 1e-10 || f < 1 && sum < 1e-3 {
				t.Errorf("%s: %g at %g of the residual", name, sum, f)
			}
		}
		var total float64
		for k := range q {
			total = 0
			for _, v := range r[k] {
				total += v
			}
			if math.Abs(total-sums.R[k]) > 1e-10 {
				t.Errorf("%s: sum of residuals %g, want %g", name, sums.R[k], total)
			}
		}
	}
}

// nets are elastic nets of p weights, of ever smaller penalties.
func nets(rnd *rand.Rand, p int, top float64, positive []bool) []*Elastic {
	var out []*Elastic
	factor := make([]float64, p)
	for j := range factor {
		factor[j] = 0.5 + rnd.Float64()
	}
	factor[1] = 0
	for _, share := range []float64{0.8, 0.3, 0.1, 0.02} {
		e := &Elastic{L1: make([]float64, p), L2: make([]float64, p), Of: alone(p), Positive: positive}
		for j, f := range factor {
			e.L1[j], e.L2[j] = share*top*f, share*top*f*0.2
		}
		out = append(out, e)
	}
	return out
}

// other hides that a penalty is an elastic net.
type other struct{ Penalty }

// The working sets of blocks and of single weights, and the solver of squares, find the same.
func TestSolversAgree(t *testing.T) {
	tol := Tolerance{1e-12, 10_000}
	for k, shape := range [][2]int{{60, 12}, {60, 37}, {60, 62}, {60, 87}, {partRows + 500, 5}, {2*partRows + 1, fewColumns}} {
		seed, n, p := uint64(k), shape[0], shape[1]
		s := simulate(seed, n, p)
		rnd := rand.New(rand.NewPCG(seed, 3))
		positive := make([]bool, p)
		positive[0], positive[2], positive[p/2] = true, true, true
		var weights []float64
		if seed%2 == 1 {
			weights = s.weights
		}
		for name, fit := range s.losses(weights) {
			solver := func() *Proximal {
				return NewProximal(NewLikelihood(s.Columns, fit, [][]float64{s.offset}, seed != 2), alone(p))
			}
			special, general := solver(), solver()
			var top float64
			for _, g := range special.Descent() {
				top = math.Max(top, math.Abs(g))
			}
			for k, e := range nets(rnd, p, top, positive) {
				a, b := special.Solve(e, tol), general.Solve(other{e}, tol)
				compare(t, fmt.Sprintf("seed %d, %s, penalty %d", seed, name, k), special.Null(), a, b)
			}
		}
		rows, sums := problem(seed, n, p)
		for _, src := range []Source{rows, sums} {
			special, general := New(src), NewProximal(NewQuadratic(src, nil), alone(p))
			var top float64
			for _, g := range special.Descent() {
				top = math.Max(top, math.Abs(g))
			}
			for k, e := range nets(rnd, p, top, positive) {
				a, b := special.Solve(e, tol), general.Solve(other{e}, tol)
				compare(t, fmt.Sprintf("seed %d, %T, penalty %d", seed, src, k), special.Null(), a, b)
			}
		}
	}
}

func compare(t *testing.T, name string, null float64, a, b Certificate) {
	t.Helper()
	if !a.Done || !b.Done || math.Abs(a.Objective-b.Objective) > 2e-12*null || math.Abs(a.DoF-b.DoF) > 1e-6 || b.KKT > 1e-6 {
		t.Errorf("%s: %+v\n and %+v (null %g)", name, a, b, null)
	}
}
