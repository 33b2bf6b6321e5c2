package dist

import (
	"encoding/csv"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/regbook/regbook/internal/fatal"
)

// readRows reads a CSV file of testdata: the first field of every record, and
// the others as numbers.
func readRows(t *testing.T, name string) (keys []string, values [][]float64) {
	t.Helper()
	file := fatal.On(os.Open(filepath.Join("testdata", name)))(t)
	defer file.Close()
	records := fatal.On(csv.NewReader(file).ReadAll())(t)
	for _, record := range records[1:] {
		row := make([]float64, len(record)-1)
		for i, field := range record[1:] {
			var err error
			if row[i], err = strconv.ParseFloat(field, 64); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
		keys, values = append(keys, record[0]), append(values, row)
	}
	return keys, values
}

func tail(t *testing.T, what string, x, d1, d2 float64) float64 {
	t.Helper()
	switch what {
	case "normal":
		return TTwoSided(x, math.Inf(1))
	case "t":
		return TTwoSided(x, d2)
	case "F":
		return FUpper(x, d1, d2)
	case "chi2":
		return Chi2Upper(x, d1)
	case "qnorm":
		return TUpper(x, math.Inf(1))
	case "qt":
		return TUpper(x, d2)
	case "qf":
		return FQuantile(x, d1, d2)
	case "qchisq":
		return Chi2Quantile(x, d1)
	}
	t.Fatalf("no distribution %q", what)
	return 0
}

// tailTolerance is the relative error that the package states.
func tailTolerance(p float64) float64 {
	if p < 1e-100 {
		return 4e-13
	}
	return 1e-13
}

// Tails against 60-digit arithmetic (testdata/distributions.py).
func TestTailsExact(t *testing.T) {
	what, rows := readRows(t, "distributions_mpmath.csv")
	for i, r := range rows {
		tol := tailTolerance(r[3])
		if what[i] == "normal" {
			tol = 1e-15
		}
		if got := tail(t, what[i], r[0], r[1], r[2]); !(math.Abs(got/r[3]-1) < tol) {
			t.Errorf("%s tail of %v with %v and %v degrees of freedom: %v, want %v, off by %.1e", what[i], r[0], r[1], r[2], got, r[3], got/r[3]-1)
		}
	}
}

// Why the tails are ours: those of gonum keep fewer than 8 digits in a tenth of the
// same cases.
func TestTailsOfGonum(t *testing.T) {
	what, rows := readRows(t, "distributions_mpmath.csv")
	lost, total := 0, 0
	for i, r := range rows {
		var got float64
		switch x, d1, d2 := r[0], r[1], r[2]; what[i] {
		case "t":
			got = 2 * distuv.StudentsT{Sigma: 1, Nu: d2}.Survival(x)
		case "F":
			got = distuv.F{D1: d1, D2: d2}.Survival(x)
		case "chi2":
			got = distuv.ChiSquared{K: d1}.Survival(x)
		default:
			continue
		}
		total++
		if !(math.Abs(got/r[3]-1) < 1e-8) {
			lost++
		}
	}
	t.Logf("%d of %d tails have fewer than 8 digits", lost, total)
	if lost < total/10 {
		t.Errorf("%d of %d tails of gonum have fewer than 8 digits: are ours still needed?", lost, total)
	}
}

// Large degrees of freedom and quantiles against R (testdata/distributions.R),
// whose quantiles have fewer digits in places: qt is off by 3e-8 at nu = 0.5
// and p = 1e-8, and qf replaces d2 > 4e5 by infinity.
func TestDistributionsAgainstR(t *testing.T) {
	what, rows := readRows(t, "distributions_r.csv")
	for i, r := range rows {
		if got := tail(t, what[i], r[0], r[1], r[2]); !(math.Abs(got/r[3]-1) < 2e-13) {
			t.Errorf("%s(%v; %v, %v) = %.17g, R has %.17g, off by %.1e", what[i], r[0], r[1], r[2], got, r[3], got/r[3]-1)
		}
	}
}

// Quantiles invert the tails to the last digits, as far as their own rounding
// lets them.
func TestQuantilesInvertTails(t *testing.T) {
	for _, d1 := range []float64{0.5, 1, 2, 7, 40, 1e3, 1e6} {
		for _, d2 := range []float64{0.5, 1, 2, 7, 40, 1e3, 1e7, math.Inf(1)} {
			for _, p := range []float64{1e-290, 1e-50, 1e-9, 0.001, 0.025, 0.3, 0.5} {
				check := func(name string, q float64, tails func(x float64) (float64, float64, float64), p float64) {
					t.Helper()
					if q > 1e300 || q < 1e-300 {
						return
					}
					upper, lower, slope := tails(q)
					off := upper/p - 1
					noise := slope / upper
					if p > 0.5 {
						off, noise = lower/(1-p)-1, slope/lower
					}
					if !(math.Abs(off) < tailTolerance(p)+4e-16*noise) {
						t.Errorf("%s quantile of %v with %v and %v degrees of freedom is %v, whose tail is off by %.1e", name, p, d1, d2, q, off)
					}
				}
				for _, p := range []float64{p, 1 - p} {
					if p == 1 {
						continue
					}
					check("F", FQuantile(p, d1, d2), func(x float64) (float64, float64, float64) { return FTails(x, d1, d2) }, p)
					check("t", TQuantile(p, d2), func(x float64) (float64, float64, float64) { return TTails(x, d2) }, p)
					check("chi2", Chi2Quantile(p, d1), func(x float64) (float64, float64, float64) { return Chi2Tails(x, d1) }, p)
				}
			}
		}
	}
}

func TestDistributionsBadArguments(t *testing.T) {
	for name, v := range map[string]float64{
		"t of NaN": TTwoSided(math.NaN(), 3), "no degrees of freedom": TTwoSided(1, 0), "p = 0": TUpper(0, 3),
		"p = 1": TUpper(1, 3), "negative d1": FUpper(1, -1, 3), "NaN d2": FQuantile(0.1, 2, math.NaN()), "chi2": Chi2Upper(1, 0),
	} {
		if !math.IsNaN(v) {
			t.Errorf("%s: %v, want NaN", name, v)
		}
	}
	if p := FUpper(math.Inf(1), 2, 3); p != 0 {
		t.Errorf("P(F >= Inf) = %v", p)
	}
	if p := TTwoSided(math.Inf(-1), 3); p != 0 {
		t.Errorf("P(|T| >= Inf) = %v", p)
	}
}
