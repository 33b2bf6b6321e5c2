package plotting

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg"
)

// columns returns the matrix with the columns given.
func columns(cols ...[]float64) *mat.Dense {
	m := mat.NewDense(len(cols[0]), len(cols), nil)
	for j, c := range cols {
		m.SetCol(j, c)
	}
	return m
}

// hat returns the hat matrix of x = (0, 2, 4) with an intercept, which is that
// of the three-point example.
func hat(t *testing.T) mat.Matrix {
	t.Helper()
	d, err := mlreg.NewDesign(columns([]float64{0, 2, 4}), nil)
	if err != nil {
		t.Fatal(err)
	}
	h, err := mlreg.HatMatrix(d)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// recorder is a Sink that keeps what it gets.
type recorder []Bundle

func (r *recorder) Put(b Bundle) error {
	*r = append(*r, b)
	return nil
}

// record makes Show write to a recorder for the length of the test.
func record(t *testing.T) *recorder {
	t.Helper()
	r := &recorder{}
	previous := SetSink(r)
	t.Cleanup(func() { SetSink(previous) })
	return r
}

// weak is a design whose first weight the data hardly determine.
func weak(t *testing.T) *mlreg.Design {
	t.Helper()
	var a, b, y []float64
	for i := range 30 {
		a = append(a, 0.25*math.Sin(float64(5*i)))
		b = append(b, math.Cos(float64(3*i))+0.8*a[i])
		y = append(y, 2*a[i]+1.5*b[i]+0.5*math.Sin(float64(11*i)))
	}
	d, err := mlreg.NewDesign(columns(a, b), y)
	if err != nil {
		t.Fatal(err)
	}
	return d
}
