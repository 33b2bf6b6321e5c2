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
	n, err := Network(fit, d)
	if err != nil {
		t.Fatal(err)
	}
	checkImage(t, "network", n)
}

// Units hang on the inputs they are computed from, interactions on both.
func TestNetworkLinks(t *testing.T) {
	x, z, y := []float64{1, 2, 3, 4, 5, 7, 8, 9}, []float64{2, 1, 4, 3, 6, 5, 9, 7}, []float64{1, 3, 2, 5, 4, 6, 9, 8}
	df, err := frames.Frame(frames.Col("x", x), frames.Col("z", z), frames.Col("y", y))
	if err != nil {
		t.Fatal(err)
	}
	fit, d := fitted(t, df, "y ~ poly(x, 2) + z + x:z")
	n, err := newNetwork(fit, d)
	if err != nil {
		t.Fatal(err)
	}
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
	d, err := mlreg.NewDesign(columns([]float64{1, 2, 3}), []float64{1, 2, 4}, "a")
	if err != nil {
		t.Fatal(err)
	}
	d.NoIntercept = true
	fit, err := mlreg.FitOLS(d, nil)
	if err != nil {
		t.Fatal(err)
	}
	n, err := newNetwork(fit, d)
	if err != nil {
		t.Fatal(err)
	}
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
	wide, err := mlreg.NewDesign(mat.NewDense(2, 61, nil), []float64{1, 2})
	if err != nil {
		t.Fatal(err)
	}
	fit, err := mlreg.FitOLS(wide, &mlreg.OLSSettings{Aliased: mlreg.MinimumNorm})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Network(fit, wide); !errors.Is(err, mlreg.ErrShape) {
		t.Error(err)
	}
}
