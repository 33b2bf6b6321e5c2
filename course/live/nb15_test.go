package live

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/datasets"
)

// The numbers of every frame by the QR factorization of the lags written out.
func TestOrder(t *testing.T) {
	x := datasets.Lynx().Col("lynx").Float()
	for i, v := range x {
		x[i] = math.Log10(v)
	}
	e := Order()
	var naive float64
	for i := 80; i < 114; i++ {
		naive += (x[i] - x[i-1]) * (x[i] - x[i-1]) / 34
	}
	for _, q := range e.Params[0].Frames {
		k := int(q)
		row := func(i int) []float64 {
			r := []float64{1}
			for lag := 1; lag <= k; lag++ {
				r = append(r, x[i-lag])
			}
			return r
		}
		a := mat.NewDense(60, k+1, nil)
		for i := range 60 {
			a.SetRow(i, row(20+i))
		}
		var qr mat.QR
		qr.Factorize(a)
		var b mat.VecDense
		if err := qr.SolveVecTo(&b, false, mat.NewVecDense(60, x[20:80])); err != nil {
			t.Fatal(err)
		}
		var errs [2]float64
		for i := 20; i < 114; i++ {
			yhat := mat.Dot(&b, mat.NewVecDense(k+1, row(i)))
			part, n := 0, 60.0
			if i >= 80 {
				part, n = 1, 34
			}
			errs[part] += (x[i] - yhat) * (x[i] - yhat) / n
		}
		wantNumbers(t, e, []float64{q}, math.Sqrt(errs[0]), math.Sqrt(errs[1]), math.Sqrt(naive))
	}
}
