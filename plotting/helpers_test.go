package plotting

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/fatal"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting/internal/samples"
)

// Names of what several tests draw.
var (
	columns      = samples.Columns
	coded        = samples.Coded
	standardized = samples.Standardized
	wave         = samples.Wave
	weak         = samples.Weak
	girolami     = samples.Girolami
)

// hat returns the hat matrix of x = (0, 2, 4) with an intercept, which is that
// of the three-point example.
func hat(t *testing.T) mat.Matrix {
	t.Helper()
	d := get(mlreg.NewDesign(columns([]float64{0, 2, 4}), nil))(t)
	h := get(mlreg.HatMatrix(d))(t)
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

// get is fatal.On: png := get(figure.PNG())(t).
func get[T any](value T, err error) func(testing.TB) T { return fatal.On(value, err) }
