package rlm

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/regbook/regbook/internal/expect"
	"github.com/regbook/regbook/internal/fatal"
	"github.com/regbook/regbook/internal/rows"
	"github.com/regbook/regbook/mlreg"
)

// Two planes, leverage points and heavy tails: the greatest of several maxima is found, as by
// R from 300 starts (testdata/student.R), or one that those starts have missed.
func TestStudentReachesGreatestMaximum(t *testing.T) {
	var cases []struct {
		X                        [][]float64
		Y, Maxima, Coef          []float64
		Known, LogLik, Nu, Scale float64
	}
	expect.JSON(t, "testdata/student.json", &cases)
	seeds := uint64(3)
	if testing.Short() {
		seeds = 1
	}
	several, greater := uint64(0), uint64(0)
	for k, r := range cases {
		x := mat.NewDense(len(r.Y), len(r.X[0]), nil)
		for i, row := range r.X {
			x.SetRow(i, row)
		}
		d := fatal.On(mlreg.NewDesign(x, r.Y))(t)
		if r.Nu < 0 {
			r.Nu = math.Inf(1)
		}
		for seed := range seeds {
			name := fmt.Sprintf("case %d, nu %v, seed %d", k, r.Known, seed)
			f := fatal.On(FitStudent(d, &StudentSettings{Nu: r.Known, Source: rand.NewPCG(seed, 3)}))(t)
			if f.Maxima() < 1 || f.Maxima() > len(r.Maxima)+2 || f.Unbounded() {
				t.Errorf("%s: %d maxima, unbounded %v, and R finds %v", name, f.Maxima(), f.Unbounded(), r.Maxima)
			}
			if f.LogLik() > r.LogLik+1e-6 {
				greater++
				law, sum := distuv.StudentsT{Sigma: f.Scale(), Nu: f.Nu()}, 0.0
				for i, fitted := range fatal.On(f.Predict(d))(t) {
					sum += law.LogProb(r.Y[i] - fitted)
				}
				expect.Near(t, name+": log-likelihood by its density", f.LogLik(), sum, 1e-9)
				continue
			}
			expect.Near(t, name+": log-likelihood", f.LogLik(), r.LogLik, 1e-9)
			expect.NearAll(t, name+": coefficients", f.Coef(), r.Coef, 1e-5)
			if f.Nu() != r.Nu {
				expect.Near(t, name+": nu", f.Nu(), r.Nu, 1e-4)
			}
			expect.Near(t, name+": scale", f.Scale(), r.Scale, 1e-5)
			if f.Maxima() > 1 {
				several++
				if !strings.Contains(f.String(), fmt.Sprintf("several maxima, of which %d were found", f.Maxima())) {
					t.Errorf("%s: the table does not tell of %d maxima:\n%v", name, f.Maxima(), f)
				}
			}
		}
	}
	if len(cases) != 60 || several < 8*seeds || greater > 2*seeds {
		t.Errorf("%d of %d x %d fits have several maxima, %d a greater one than R's", several, seeds, len(cases), greater)
	}
}

// A plane goes through any k rows: with n - k < 2k the likelihood of nu = 1/2 has no bound.
func TestStudentUnbounded(t *testing.T) {
	local := 0
	for seed := range uint64(8) {
		d := rows.Random(t, seed, 11, 3)
		for _, c := range []struct {
			nu        float64
			unbounded bool
		}{{0, true}, {0.56, true}, {0.58, false}, {3, false}} { // 4/7 = 0.571
			f, err := FitStudent(d, &StudentSettings{Nu: c.nu})
			if c.unbounded && errors.Is(err, mlreg.ErrNotEstimable) {
				continue
			}
			if err != nil || f.Unbounded() != c.unbounded || strings.Contains(f.String(), "no bound") != c.unbounded {
				t.Errorf("seed %d, nu %v: %v\n%v", seed, c.nu, err, f)
			}
			if c.unbounded {
				local++
			}
		}
	}
	if local < 5 {
		t.Errorf("%d fits are at a maximum beside a likelihood without bound", local)
	}
	d := rows.Random(t, 8, 11, 3)
	// Two thirds of the rows on a plane.
	x, y := mat.NewDense(30, 1, nil), make([]float64, 30)
	rnd := rand.New(rand.NewPCG(1, 2))
	for i := range y {
		x.Set(i, 0, rnd.NormFloat64())
		y[i] = 1 + 2*x.At(i, 0)
		if i%3 == 0 {
			y[i] = 9 * rnd.NormFloat64()
		}
	}
	plane := fatal.On(mlreg.NewDesign(x, y))(t)
	if f, err := FitStudent(plane, nil); !errors.Is(err, mlreg.ErrNotEstimable) {
		t.Errorf("20 of 30 rows on a plane: %v, %v", f, err)
	}
	for _, s := range []StudentSettings{{Subsamples: -1}, {Subsamples: 1<<20 + 1}} {
		if _, err := FitStudent(d, &s); !errors.Is(err, mlreg.ErrSetting) && !errors.Is(err, mlreg.ErrTooLarge) || !strings.Contains(err.Error(), "Subsamples") {
			t.Errorf("%+v: %v", s, err)
		}
	}
}

// Weights times a constant change the scale and nothing else; the Gaussian that the evidence
// is against is least squares.
func TestStudentWeightsTimesConstant(t *testing.T) {
	_, sets := readNoise(t)
	d := *sets["weighted"]
	f := fatal.On(FitStudent(&d, nil))(t)
	d.Weights = append([]float64{}, d.Weights...)
	for i := range d.Weights {
		d.Weights[i] *= 7
	}
	g := fatal.On(FitStudent(&d, nil))(t)
	expect.Near(t, "scale", g.Scale(), f.Scale()*math.Sqrt(7), 1e-7)
	expect.Near(t, "log-likelihood", g.LogLik(), f.LogLik(), 1e-9)
	expect.Near(t, "bits", g.EvidenceBits(), f.EvidenceBits(), 1e-8)
	expect.NearAll(t, "standard errors", g.StdErr(), f.StdErr(), 1e-6)
	ols := fatal.On(mlreg.FitOLS(&d, nil))(t)
	expect.Near(t, "bits by BIC", g.EvidenceBits(), (mlreg.BIC(ols)-mlreg.BIC(g))/(2*math.Ln2), 1e-9)
}
