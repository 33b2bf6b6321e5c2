package plotting

import (
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
