package mlreg

import (
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/gram"
)

// The algebra of projections: H and M are symmetric and idempotent, HA = A,
// MA = 0, Hy + My = y, and H y are the fitted values.
func TestHatMatrixAlgebra(t *testing.T) {
	for seed := range uint64(6) {
		n, p := 20, 4
		d := randomDesign(t, seed, n, p)
		d.NoIntercept = seed%2 == 0
		rank := p
		if !d.NoIntercept {
			rank++
		}
		if seed >= 4 { // an aliased column changes nothing
			for i := range n {
				d.X.Set(i, 3, d.X.At(i, 0)+d.X.At(i, 1))
			}
			rank--
		}
		h := get(HatMatrix(d))(t)
		m := get(ResidualMaker(d))(t)
		zero := func(what string, a mat.Matrix) {
			t.Helper()
			if norm := mat.Norm(a, 2); norm > 1e-13 {
				t.Errorf("seed %d: %s has norm %g", seed, what, norm)
			}
		}
		var hh, mm, hx, mx, hm mat.Dense
		hh.Mul(h, h)
		hh.Sub(&hh, h)
		zero("HH - H", &hh)
		mm.Mul(m, m)
		mm.Sub(&mm, m)
		zero("MM - M", &mm)
		hx.Mul(h, d.X)
		hx.Sub(&hx, d.X)
		zero("HX - X", &hx)
		mx.Mul(m, d.X)
		zero("MX", &mx)
		hm.Mul(h, m)
		zero("HM", &hm)
		near(t, "trace of H", mat.Trace(h), float64(rank), 1e-13)

		f := get(FitOLS(d, &OLSSettings{Aliased: DropAliased}))(t)
		yhat := get(f.Fitted(d))(t)
		var hy mat.VecDense
		hy.MulVec(h, mat.NewVecDense(n, d.Y))
		nearAll(t, "Hy", hy.RawVector().Data, yhat, 1e-13)
		lev := get(Leverage(d))(t)
		of := get(f.Leverage(d))(t)
		nearAll(t, "leverage of the fit", of, lev, 1e-12)
		for i, v := range lev {
			near(t, "leverage", v, h.At(i, i), 1e-14)
			if v < 0 || v > 1+1e-14 {
				t.Errorf("leverage %v", v)
			}
		}
	}
}

// Of weighted rows H projects sqrt(w) y, and a row of weight zero has no say.
func TestHatMatrixWeighted(t *testing.T) {
	d := randomDesign(t, 20, 15, 2)
	d.Weights = make([]float64, 15)
	for i := range d.Weights {
		d.Weights[i] = float64(i % 4)
	}
	lev := get(Leverage(d))(t)
	f := get(FitOLS(d, nil))(t)
	of := get(f.Leverage(d))(t)
	nearAll(t, "leverage", of, lev, 1e-13)
	if lev[0] != 0 || lev[4] != 0 {
		t.Errorf("leverage of rows of weight zero: %v, %v", lev[0], lev[4])
	}
	var sum float64
	for _, v := range lev {
		sum += v
	}
	near(t, "sum of leverages", sum, 3, 1e-14)
}

// The worked example of the lectures: y = (6,0,0) projected onto the plane of
// (2,2,2) and (0,2,4) is (5,2,-1).
func TestProject(t *testing.T) {
	x := mat.NewDense(3, 2, []float64{2, 0, 2, 2, 2, 4})
	projection, residual, err := Project(x, []float64{6, 0, 0})
	if err != nil {
		t.Fatal(err)
	}
	nearAll(t, "projection", projection, []float64{5, 2, -1}, 1e-15)
	nearAll(t, "residual", residual, []float64{1, -2, 1}, 1e-15)
	if _, _, err := Project(x, []float64{1}); !errors.Is(err, ErrShape) {
		t.Errorf("lengths: %v", err)
	}
	if _, _, err := Project(x, nil); !errors.Is(err, ErrNoData) {
		t.Errorf("no y: %v", err)
	}
}

// Of many rows, cross-products give the leverages that an orthonormal basis gives, to 8
// digits of their mean, or they are not asked.
func TestLeverageOfManyRows(t *testing.T) {
	for name, c := range map[string]struct {
		change func(d *Design)
		fast   bool
	}{
		"plain":           {func(*Design) {}, true},
		"no intercept":    {func(d *Design) { d.NoIntercept = true }, true},
		"far from zero":   {func(d *Design) { moveColumn(d, 0, 1e5) }, true},
		"further":         {func(d *Design) { moveColumn(d, 0, 1e11) }, false},
		"units":           {func(d *Design) { scaleColumn(d, 1, 1e-100) }, true},
		"weights":         {func(d *Design) { d.Weights = ramp(d.NObs()) }, true},
		"nearly alike":    {func(d *Design) { near1(d, 1e-7) }, false},
		"aliased":         {func(d *Design) { near1(d, 0) }, false},
		"an outlying row": {func(d *Design) { d.X.Set(17, 2, 1e6) }, true},
	} {
		d := randomDesign(t, 5, 2720, 60) // just so many that sums are preferred
		c.change(d)
		h := leverageOfSums(d)
		if (h != nil) != c.fast {
			t.Errorf("%s: by sums: %v", name, h != nil)
		}
		q := get(orthonormal(d))(t)
		got := get(Leverage(d))(t)
		_, rank := q.Dims()
		var sum float64
		for i, v := range got {
			if want := gram.Squares(q.RawRowView(i)); math.Abs(v-want) > 1e-8*float64(rank)/2720 {
				t.Fatalf("%s: row %d: %v, want %v", name, i, v, want)
			}
			sum += v
		}
		near(t, name+": sum", sum, float64(rank), 1e-8)
	}
}

func moveColumn(d *Design, j int, by float64) {
	for i := range d.NObs() {
		d.X.Set(i, j, d.X.At(i, j)+by)
	}
}

func scaleColumn(d *Design, j int, by float64) {
	for i := range d.NObs() {
		d.X.Set(i, j, d.X.At(i, j)*by)
	}
}

// near1 makes column 1 column 0 with so much of its own.
func near1(d *Design, own float64) {
	for i := range d.NObs() {
		d.X.Set(i, 1, d.X.At(i, 0)+own*d.X.At(i, 1))
	}
}

// ramp are weights from 0 up to 2.
func ramp(n int) []float64 {
	w := make([]float64, n)
	for i := range w {
		w[i] = 2 * float64(i%100) / 100
	}
	return w
}
