package exercise

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/regbook/regbook/datasets"
)

func init() {
	answers["00.1"] = func(t *testing.T) any {
		n := 0
		for _, x := range column(t, "Ozone") {
			if x > 60 {
				n++
			}
		}
		return n
	}
	answers["00.2"] = func(t *testing.T) any { return math.Exp(10 * weather(t)[1]) }
	answers["00.3"] = func(t *testing.T) any {
		slope := weather(t)[1]
		return func(degrees float64) float64 { return math.Pow(math.Exp(slope), degrees) }
	}
	answers["00.4"] = func(t *testing.T) any { // the F test of the months beside the weather
		small, n := leftOver(t, false)
		large, _ := leftOver(t, true)
		const months, parameters = 4, 8
		f := (small - large) / months / (large / float64(n-parameters))
		if p := (distuv.F{D1: months, D2: float64(n - parameters)}).Survival(f); p > 0.05 {
			return "none"
		}
		return "some"
	}
	answers["00.5"] = func(t *testing.T) any { // the exponentials of the logarithms, fitted again
		_, y, x := weatherRows(t, false)
		for i, v := range y {
			y[i] = math.Exp(v)
		}
		var w mat.VecDense
		if err := w.SolveVec(x, mat.NewVecDense(len(y), y)); err != nil {
			t.Fatal(err)
		}
		return mat.Dot(&w, mat.NewVecDense(4, []float64{1, 15, 15, 50}))
	}
}

func column(t *testing.T, name string) []float64 {
	s := datasets.AirQuality().Col(name)
	if s.Err != nil {
		t.Fatal(s.Err)
	}
	return s.Float()
}

// leftOver returns the sum of squares that the weather leaves of log ozone, and the rows.
func leftOver(t *testing.T, months bool) (rss float64, n int) {
	w, y, x := weatherRows(t, months)
	for i, v := range y {
		e := v - mat.Dot(x.RowView(i), mat.NewVecDense(len(w), w))
		rss += e * e
	}
	return rss, len(y)
}

// weather returns the coefficients of log ozone on the weather.
func weather(t *testing.T) []float64 {
	w, _, _ := weatherRows(t, false)
	return w
}

// weatherRows returns the coefficients of log ozone on temperature, wind and sun, by the normal
// equations, and with months those of June to September against May, with what they were fitted to.
func weatherRows(t *testing.T, months bool) (coef, y []float64, x *mat.Dense) {
	ozone, temp, wind, sun := column(t, "Ozone"), column(t, "Temp"), column(t, "Wind"), column(t, "Solar")
	dates := datasets.AirQuality().Col("Date").Records()
	var rows []float64
	width := 4
	for i := range ozone {
		if math.IsNaN(ozone[i] + temp[i] + wind[i] + sun[i]) {
			continue
		}
		row := []float64{1, (temp[i] - 32) * 5 / 9, wind[i], sun[i]}
		if months {
			for month := range 4 {
				in := 0.0
				if int(dates[i][6]-'0') == month+6 {
					in = 1
				}
				row = append(row, in)
			}
		}
		width = len(row)
		rows, y = append(rows, row...), append(y, math.Log(ozone[i]))
	}
	x = mat.NewDense(len(y), width, rows)
	var xx mat.Dense
	var xy, w mat.VecDense
	xx.Mul(x.T(), x)
	xy.MulVec(x.T(), mat.NewVecDense(len(y), y))
	if err := w.SolveVec(&xx, &xy); err != nil {
		t.Fatal(err)
	}
	return w.RawVector().Data, y, x
}
