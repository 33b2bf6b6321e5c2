package openblas

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/blas/gonum"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/netlib/blas/netlib"

	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/internal/gram"
)

// without runs f as in a program that does not import the package.
func without(f func()) {
	blas64.Use(gonum.Implementation{})
	gram.UseBLAS(false)
	defer func() {
		blas64.Use(netlib.Implementation{})
		gram.UseBLAS(true)
	}()
	f()
}

func design(t testing.TB, n, p int) *mlreg.Design {
	rng := rand.New(rand.NewPCG(1, 2))
	x, y := mat.NewDense(n, p, nil), make([]float64, n)
	for i := range n {
		row := x.RawRowView(i)
		for j := range row {
			row[j] = rng.NormFloat64() + 5
			if j > 0 {
				row[j] += row[j-1] / 2
			}
			y[i] += row[j] * float64(j%3)
		}
		y[i] += rng.NormFloat64()
	}
	d, err := mlreg.NewDesign(x, y)
	if err != nil {
		t.Fatal(err)
	}
	d.Weights = make([]float64, n)
	for i := range d.Weights {
		d.Weights[i] = float64(i % 4)
	}
	return d
}

func TestRegistered(t *testing.T) {
	if _, ok := blas64.Implementation().(netlib.Implementation); !ok {
		t.Errorf("blas64 uses %T", blas64.Implementation())
	}
}

// TestSameFits holds fits and moments against those of the default build.
func TestSameFits(t *testing.T) {
	for _, shape := range [][2]int{{9, 1}, {300, 7}, {5000, 50}, {1200, 300}} {
		d := design(t, shape[0], shape[1])
		fit := func() (*mlreg.Moments, []*mlreg.OLS) {
			m, err := d.Moments()
			if err != nil {
				t.Fatal(err)
			}
			var fits []*mlreg.OLS
			for _, data := range []mlreg.Data{d, m} {
				f, err := mlreg.FitOLS(data, nil)
				if err != nil {
					t.Fatal(err)
				}
				fits = append(fits, f)
			}
			return m, fits
		}
		got, gotFits := fit()
		var want *mlreg.Moments
		var wantFits []*mlreg.OLS
		without(func() { want, wantFits = fit() })
		if !mat.EqualApprox(got.SXX(), want.SXX(), 1e-12) {
			t.Errorf("%v: cross-products differ", shape)
		}
		for i, f := range wantFits {
			for j, b := range f.Coef() {
				g := gotFits[i]
				if math.Abs(g.Coef()[j]-b) > 1e-7*f.StdErr()[j] {
					t.Errorf("%v: coefficient %d is %v, by default %v", shape, j, g.Coef()[j], b)
				}
				if se := f.StdErr()[j]; math.Abs(g.StdErr()[j]-se) > 1e-9*se {
					t.Errorf("%v: standard error %d is %v, by default %v", shape, j, g.StdErr()[j], se)
				}
			}
		}
	}
}

func BenchmarkMoments(b *testing.B) {
	for _, shape := range [][2]int{{200_000, 50}, {8000, 1500}} {
		d := design(b, shape[0], shape[1])
		d.Weights = nil
		run := func(b *testing.B) {
			for b.Loop() {
				if _, err := d.Moments(); err != nil {
					b.Fatal(err)
				}
			}
		}
		b.Run("OpenBLAS", run)
		without(func() { b.Run("default", run) })
	}
}
