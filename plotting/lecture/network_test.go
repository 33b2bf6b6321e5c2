package lecture

import (
	"errors"
	"reflect"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

func TestGoldenNetwork(t *testing.T) {
	fit, d := fitted(t, wave(t), "y ~ rbf(x, centers = 5, width = 0.2)")
	n := get(Network(fit, d))(t)
	checkImage(t, "network", n)
}

// Units hang on the inputs they are computed from, interactions on both.
func TestNetworkLinks(t *testing.T) {
	x, z, y := []float64{1, 2, 3, 4, 5, 7, 8, 9}, []float64{2, 1, 4, 3, 6, 5, 9, 7}, []float64{1, 3, 2, 5, 4, 6, 9, 8}
	df := get(frames.Frame(frames.Col("x", x), frames.Col("z", z), frames.Col("y", y)))(t)
	fit, d := fitted(t, df, "y ~ poly(x, 2) + z + x:z")
	n := get(newNetwork(fit, d))(t)
	if want := []string{"x", "z"}; !reflect.DeepEqual(n.inputs, want) {
		t.Errorf("inputs %q", n.inputs)
	}
	if want := [][]int{nil, {0}, {0}, {1}, {1, 0}}; !reflect.DeepEqual(n.links, want) {
		t.Errorf("units %q have the inputs %v", n.units, n.links)
	}
	if got, want := n.weights, fit.Coef(); !reflect.DeepEqual(got, want) {
		t.Errorf("weights %v, want %v", got, want)
	}
	if n.style(n.largest).Width <= n.style(n.largest/2).Width {
		t.Error("the line of a larger weight is not wider")
	}
}

// Without a formula the columns are the inputs, and without an intercept there
// is no constant unit.
func TestNetworkOfColumns(t *testing.T) {
	d := get(mlreg.NewDesign(columns([]float64{1, 2, 3}), []float64{1, 2, 4}, "a"))(t)
	d.NoIntercept = true
	fit := get(mlreg.FitOLS(d, nil))(t)
	n := get(newNetwork(fit, d))(t)
	if len(n.inputs) != 0 || !reflect.DeepEqual(n.units, []string{"a"}) {
		t.Errorf("inputs %q, units %q", n.inputs, n.units)
	}
	if f, err := Network(fit, d); err != nil {
		t.Error(err)
	} else if _, err := f.PNG(); err != nil {
		t.Error(err)
	}
}

func TestNetworkErrors(t *testing.T) {
	df := wave(t)
	cubic, _ := fitted(t, df, "y ~ poly(x, 3)")
	for _, formula := range []string{"y ~ x", "y ~ poly(x, 4)", "y ~ bs(x, df = 3)"} {
		if _, err := Network(cubic, coded(t, df, formula)); !errors.Is(err, mlreg.ErrShape) {
			t.Errorf("%s: %v", formula, err)
		}
	}
	if _, err := Network(nil, nil); !errors.Is(err, mlreg.ErrNoData) {
		t.Error(err)
	}
	wide := get(mlreg.NewDesign(mat.NewDense(2, 61, nil), []float64{1, 2}))(t)
	fit := get(mlreg.FitOLS(wide, &mlreg.OLSSettings{Aliased: mlreg.MinimumNorm}))(t)
	if _, err := Network(fit, wide); !errors.Is(err, mlreg.ErrShape) {
		t.Error(err)
	}
}
