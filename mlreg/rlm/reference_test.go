package rlm

import (
	"fmt"
	"testing"

	"github.com/regbook/regbook/internal/dist"
	"github.com/regbook/regbook/internal/expect"
	"github.com/regbook/regbook/internal/fatal"
	"github.com/regbook/regbook/internal/rows"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/internal/gram"
)

// noiseReference is what mlreg/testdata/noise.R writes of these fits.
type noiseReference struct {
	Robust []struct {
		Set, Method string
		ScaleOf     string `json:"scale_of"`
		Coef, SE, W []float64
		Scale       float64
	}
	Student []struct {
		Set                      string
		Known                    bool
		Nu, Scale, LogLik, Gauss float64
		Coef                     []float64
	}
}

func readNoise(t *testing.T) (*noiseReference, map[string]*mlreg.Design) {
	t.Helper()
	ref := new(noiseReference)
	sets := rows.Noise(t, ref)
	if len(ref.Robust) != 16 || len(ref.Student) != 8 {
		t.Fatalf("%d robust, %d Student", len(ref.Robust), len(ref.Student))
	}
	return ref, sets
}

// Against rlm, iterated to 1e-13; the scale of its MM is the least of all subsamples.
func TestRobustAgainstR(t *testing.T) {
	ref, sets := readNoise(t)
	methods := map[string]Method{"Huber M": HuberM, "Tukey M": TukeyM, "MM": MM}
	scales := map[string]Scale{"MAD": MADScale, "proposal 2": Proposal2}
	for _, r := range ref.Robust {
		d := sets[r.Set]
		name := r.Set + ", " + r.Method + ", " + r.ScaleOf
		f, err := Fit(d, &Settings{Method: methods[r.Method], Scale: scales[r.ScaleOf], Tol: 1e-13})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		tol := 1e-7
		if r.Method == "MM" && f.Scale() < r.Scale*(1-1e-7) {
			t.Logf("%s: the scale of the start is %v, below that of lqs, %v", name, f.Scale(), r.Scale)
			continue
		}
		if r.Method == "MM" {
			tol = 2e-4 // lqs stops its S-estimate early
		}
		expect.Agrees(t, name+": scale", []float64{f.Scale()}, []float64{r.Scale}, tol)
		expect.Agrees(t, name+": coefficients", f.Coef(), r.Coef, tol)
		expect.Agrees(t, name+": standard errors", f.StdErr(), r.SE, 10*tol)
		expect.Agrees(t, name+": weights", fatal.On(f.Weights(d))(t), r.W, 50*tol)
		if !(f.Equation() <= 1e-13) {
			t.Errorf("%s: the equations hold to %g", name, f.Equation())
		}
	}
}

// Against a direct maximization of the likelihood.
func TestStudentAgainstR(t *testing.T) {
	ref, sets := readNoise(t)
	for _, r := range ref.Student {
		d := sets[r.Set]
		name := fmt.Sprintf("%s, nu known %v", r.Set, r.Known)
		s := &StudentSettings{}
		if r.Known {
			s.Nu = r.Nu
		}
		f, err := FitStudent(d, s)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if f.LogLik() < r.LogLik-1e-7 {
			t.Errorf("%s: log-likelihood %v, and by direct maximization %v", name, f.LogLik(), r.LogLik)
		}
		expect.Agrees(t, name+": log-likelihood", []float64{f.LogLik()}, []float64{r.LogLik}, 1e-7)
		expect.Agrees(t, name+": Gaussian log-likelihood", []float64{f.s.Gaussian}, []float64{r.Gauss}, 1e-10)
		expect.Agrees(t, name+": nu, scale", []float64{f.Nu(), f.Scale()}, []float64{r.Nu, r.Scale}, 1e-3)
		expect.Agrees(t, name+": coefficients", f.Coef(), r.Coef, 2e-3)
	}
}

// The S-scale of an MM-estimate against robustbase, whose search is another; and Student-t
// regressions with their standard errors and evidence against EM, an integral and BIC in R.
func TestRobustStartAndStudentErrors(t *testing.T) {
	var ref struct {
		Starts []struct {
			Set   string
			Scale float64
		}
		Student []struct {
			Set             string
			Known           bool
			Nu, Scale, Bits float64
			Coef, SE        []float64
		}
	}
	expect.JSON(t, "testdata/starts.json", &ref)
	_, sets := readNoise(t)
	if len(ref.Starts) != 4 || len(ref.Student) != 8 {
		t.Fatalf("%d starts, %d Student", len(ref.Starts), len(ref.Student))
	}
	for _, r := range ref.Starts {
		f := fatal.On(Fit(sets[r.Set], &Settings{Subsamples: 5000}))(t)
		expect.Agrees(t, r.Set+": scale of the start", []float64{f.s.StartScale, f.Scale()}, []float64{r.Scale, r.Scale}, 1e-9)
	}
	for _, r := range ref.Student {
		name := fmt.Sprintf("%s, nu known %v", r.Set, r.Known)
		s := &StudentSettings{Tol: 1e-12}
		if r.Known {
			s.Nu = r.Nu
		}
		f := fatal.On(FitStudent(sets[r.Set], s))(t)
		expect.Agrees(t, name+": nu, scale", []float64{f.Nu(), f.Scale()}, []float64{r.Nu, r.Scale}, 1e-7)
		expect.Agrees(t, name+": coefficients", f.Coef(), r.Coef, 1e-7)
		expect.Agrees(t, name+": standard errors", f.StdErr(), r.SE, 1e-7)
		expect.Agrees(t, name+": bits", []float64{f.EvidenceBits()}, []float64{r.Bits}, 1e-9)
	}
}

// glmRows are those of mlreg/testdata/glm.csv: g on x1, x2 and b.
// RLM divides the median of absolute residuals by 0.67449, which R and we round to 0.6745,
// and its variance of psi' by n, for which R and we have n - 1: otherwise both are the same.
func TestRobustAgainstStatsmodels(t *testing.T) {
	var want struct {
		Robust []struct {
			Method            string
			Coef, SE, Weights []float64
			Scale             float64
		}
	}
	expect.JSON(t, "../testdata/noise_statsmodels.json", &want)
	d := rows.CSV(t, "../testdata/glm.csv", "g", "x1", "x2", "b")
	more := madConstant / dist.NormalQuantile(0.75) // of their scale to ours
	for _, r := range want.Robust {
		s := &Settings{Method: HuberM, C: 1.345 * more, Tol: 1e-14}
		if r.Method == "Tukey M" {
			s.Method, s.C = TukeyM, 4.685*more
		}
		f := fatal.On(Fit(d, s))(t)
		expect.NearAll(t, r.Method+": coefficients", f.Coef(), r.Coef, 1e-9)
		expect.Near(t, r.Method+": scale", f.Scale()*more, r.Scale, 1e-10)
		expect.NearAll(t, r.Method+": weights", fatal.On(f.Weights(d))(t), r.Weights, 1e-9)
		var mean, ss float64
		slopes := fatal.On(f.Residuals(d))(t)
		n, k := float64(len(slopes)), float64(len(r.Coef))
		for i, e := range slopes {
			slopes[i] = f.Psi().Slope(e / f.Scale())
			mean += slopes[i] / n
		}
		for _, v := range slopes {
			ss += gram.Square(v - mean)
		}
		kappa := func(div float64) float64 { return 1 + k*ss/div/(n*mean*mean) }
		for j, se := range f.StdErr() {
			expect.Near(t, r.Method+": standard error", se/kappa(n-1)*kappa(n), r.SE[j], 1e-8)
		}
	}
}
