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
			d, err := ozoneDesign(terms, log)
			if err != nil {
				t.Fatal(err)
			}
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
