package lecture

import (
	"testing"

	"github.com/regbook/regbook/internal/fatal"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
	"github.com/regbook/regbook/plotting/internal/golden"
	"github.com/regbook/regbook/plotting/internal/samples"
)

// checkImage holds a figure against testdata/name.png.
func checkImage(t *testing.T, name string, f *plotting.Figure) {
	t.Helper()
	png := get(f.PNG())(t)
	golden.PNG(t, name, png)
}

// Names of what several tests draw.
var (
	columns      = samples.Columns
	coded        = samples.Coded
	standardized = samples.Standardized
	wave         = samples.Wave
	weak         = samples.Weak
	fitted       = samples.Fitted
)

func girolami(t *testing.T) *mlreg.Design {
	t.Helper()
	_, d := samples.Girolami(t)
	return d
}

// get is fatal.On: png := get(figure.PNG())(t).
func get[T any](value T, err error) func(testing.TB) T { return fatal.On(value, err) }
