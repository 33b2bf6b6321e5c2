package live

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// The numbers of every frame from the normal equations of centered columns.
func TestTerms(t *testing.T) {
	for terms := range ozoneTerms {
		for _, log := range []bool{false, true} {
			d := ozoneDesign(terms, log)
			n, p := float64(d.NObs()), d.NTerms()
			centered := mat.NewDense(d.NObs(), p+1, nil)
			for j := range p + 1 {
				v := d.Y
				if j < p {
					v = mat.Col(nil, j, d.X)
				}
				mean := stat.Mean(v, nil)
				for i := range v {
					centered.Set(i, j, v[i]-mean)
				}
			}
			// Both sums of squares are Schur complements of the cross-products.
			var all mat.SymDense
			all.SymOuterK(1, centered.T())
			tss := all.At(p, p)
			rss := tss
			if p > 0 {
				var chol, full mat.Cholesky
				if !chol.Factorize(all.SliceSym(0, p)) || !full.Factorize(&all) {
					t.Fatal("not positive definite")
				}
				rss = full.Det() / chol.Det()
			}
			position := 0.
			if log {
				position = 1
			}
			aic := n*(math.Log(2*math.Pi*rss/n)+1) + 2*float64(p+2)
			wantNumbers(t, Terms(), []float64{float64(terms), position}, 1-rss/tss, math.Sqrt(rss/(n-float64(p)-1)), aic)
		}
	}
}

// The three lines of the first page: least squares by its formula, least absolute deviations by trying every line
// through two points, and an MM-estimate that does not follow the last point wherever it is dragged below the line.
func TestFirstLine(t *testing.T) {
	e := FirstLine()
	mm := math.NaN()
	for _, last := range []float64{0, 1.5, 3.4} {
		values := e.Defaults()
		values[2] = last // y of point 9, which comes first
		x, y := make([]float64, 9), make([]float64, 9)
		for i, p := range firstPoints {
			x[i], y[i] = p[0], p[1]
		}
		y[8] = last
		sxy, sxx := 0.0, 0.0
		for i := range x {
			sxy += (x[i] - 5) * y[i]
			sxx += (x[i] - 5) * (x[i] - 5)
		}
		least, best := math.Inf(1), 0.0
		for i := range x {
			for j := range i {
				b := (y[i] - y[j]) / (x[i] - x[j])
				sum := 0.0
				for k := range x {
					sum += math.Abs(y[k] - y[i] - b*(x[k]-x[i]))
				}
				if sum < least {
					least, best = sum, b
				}
			}
		}
		view, err := e.Draw(values, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range []float64{sxy / sxx, best} {
			if got := view.Numbers[i].Value; math.Abs(got-want) > 1e-6 {
				t.Errorf("last point at %g: %s is %g, want %g", last, view.Numbers[i].Name, got, want)
			}
		}
		if got := view.Numbers[2].Value; math.IsNaN(mm) {
			mm = got
		} else if math.Abs(got-mm) > 0.01 {
			t.Errorf("last point at %g: the slope of the MM-estimate is %g, and %g before", last, got, mm)
		}
	}
	if math.Abs(mm-0.8) > 0.1 {
		t.Errorf("the slope of the MM-estimate is %g", mm)
	}
}
