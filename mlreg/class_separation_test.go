package mlreg

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize/convex/lp"
)

// separationByDefinition decides by linear programs in the primal, in which
// every row has a slack of its own:
//
//	maximize sum_i t_i  subject to  z_i'delta >= t_i,  0 <= t_i <= 1.
//
// At the maximum every t_i is 0 or 1, and 1 wherever some direction separates.
// It is so degenerate that gonum gives up on a case in a few hundred; ok is then
// false.
func separationByDefinition(d *Design) (s Separation, ok bool) {
	n, p := d.X.Dims()
	k := p + 1
	// Variables: delta = a - b, t, slack of z'delta - t, slack of t <= 1.
	a := mat.NewDense(2*n, 2*k+3*n, nil)
	b, c := make([]float64, 2*n), make([]float64, 2*k+3*n)
	var basic []int
	for i := range n {
		side := 2*d.Y[i] - 1
		for j := range k {
			x := side
			if j > 0 {
				x *= d.X.At(i, j-1)
			}
			a.Set(i, j, -x)
			a.Set(i, k+j, x)
		}
		a.Set(i, 2*k+i, 1)
		a.Set(i, 2*k+n+i, 1)
		a.Set(n+i, 2*k+i, 1)
		a.Set(n+i, 2*k+2*n+i, 1)
		b[n+i] = 1
		c[2*k+i] = -1
	}
	for i := range n {
		basic = append(basic, 2*k+n+i)
	}
	for i := range n {
		basic = append(basic, 2*k+2*n+i)
	}
	best, _, err := lp.Simplex(c, a, b, 1e-9, basic)
	switch {
	case err != nil:
		return 0, false
	case best > -1e-6:
		return Overlapping, true
	case best < -float64(n)+1e-6:
		return Complete, true
	}
	return QuasiComplete, true
}

// integerDesign returns rows of small integers, which are often degenerate.
func integerDesign(rng *rand.Rand, n, p, size int) *Design {
	x := mat.NewDense(n, p, nil)
	y := make([]float64, n)
	for i := range n {
		for j := range p {
			x.Set(i, j, float64(1+rng.IntN(size)))
		}
		y[i] = float64(rng.IntN(2))
	}
	y[0], y[1] = 0, 1
	d, err := NewDesign(x, y)
	if err != nil {
		panic(err)
	}
	return d
}

// checkDirection fails unless the direction of e separates as it says.
func checkDirection(t *testing.T, d *Design, e *SeparationError) {
	t.Helper()
	strict := 0
	for i := range d.NObs() {
		if d.Weight(i) == 0 {
			continue
		}
		eta, size := 0.0, 0.0
		for j, term := range e.Terms {
			x := 1.0
			if k := slices.Index(d.Names, term); k >= 0 {
				x = d.X.At(i, k)
			}
			eta += e.Direction[j] * x
			size += math.Abs(e.Direction[j] * x)
		}
		eta *= 2*d.Y[i] - 1
		if eta < -1e-7*size {
			t.Fatalf("row %d is on the wrong side of %v: %g", i+1, e, eta)
		}
		if eta > 1e-7*size {
			strict++
		}
	}
	if strict != e.Rows || (strict == e.Of) != (e.Kind == Complete) {
		t.Errorf("%d rows are separated strictly, not %d of %d", strict, e.Rows, e.Of)
	}
}

func TestSeparationByDefinition(t *testing.T) {
	repeats(t)
	rng := rand.New(rand.NewPCG(5, 5))
	count := make(map[Separation]int)
	for range 250 {
		p := 1 + rng.IntN(4)
		d := integerDesign(rng, p+2+rng.IntN(4*p+4), p, 2+rng.IntN(4))
		want, ok := separationByDefinition(d)
		if !ok {
			continue
		}
		e := get(CheckSeparation(d))(t)
		got := Overlapping
		if e != nil {
			got = e.Kind
			checkDirection(t, d, e)
		}
		if got != want {
			t.Fatalf("%v, want %v:\n%v\n%v", got, want, mat.Formatted(d.X), d.Y)
		}
		count[got]++
		// The fit finds out by itself.
		f, err := FitLogistic(d, nil)
		var s *SeparationError
		switch {
		case errors.Is(err, ErrRankDeficient):
		case want == Overlapping:
			if err != nil || f.Decrement() > 1e-9 {
				t.Fatalf("overlapping classes: %v", err)
			}
		case !errors.As(err, &s) || s.Kind != want:
			t.Fatalf("%v separation: %v", want, err)
		}
	}
	if count[Overlapping] < 20 || count[QuasiComplete] < 20 || count[Complete] < 20 {
		t.Errorf("cases are one-sided: %v", count)
	}
}

// A rare indicator that only one class has separates quasi-completely, and is
// named, in a large design too.
func TestSeparationNamesTheTerm(t *testing.T) {
	for _, n := range []int{300, 60000} {
		d := logisticDesign(t, 4, n, 5)
		for i := range n {
			d.X.Set(i, 2, 0)
			if i%97 == 0 && d.Y[i] == 1 {
				d.X.Set(i, 2, 1)
			}
		}
		_, err := FitLogistic(d, nil)
		var e *SeparationError
		if !errors.As(err, &e) {
			t.Fatalf("n = %d: %v", n, err)
		}
		if e.Kind != QuasiComplete || !slices.Equal(e.Terms, []string{"x3"}) || !slices.Equal(e.Direction, []float64{1}) {
			t.Errorf("n = %d: %v along %v %q", n, e.Kind, e.Direction, e.Terms)
		}
		checkDirection(t, d, e)
		for _, part := range []string{"quasi-complete separation", `x3 is >= 0 where y is "1"`, "LogisticSettings.L2", "N(0, 1/(2 L2))"} {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("the error %q does not say %q", err, part)
			}
		}
		f := fitLogistic(t, d, &LogisticSettings{L2: 0.1})
		if b := f.Slopes()[2]; !(b > 0 && b < 20) || f.Decrement() > 1e-10 {
			t.Errorf("with the prior the coefficient is %v", b)
		}
	}
}

func TestSeparationComplete(t *testing.T) {
	for _, n := range []int{50, 30000} {
		d := logisticDesign(t, 8, n, 3)
		for i := range n {
			d.Y[i] = 0
			if d.X.At(i, 0)-2*d.X.At(i, 1) > 0.3 {
				d.Y[i] = 1
			}
		}
		_, err := FitLogistic(d, nil)
		var e *SeparationError
		if !errors.As(err, &e) || e.Kind != Complete || e.Of != n {
			t.Fatalf("n = %d: %v", n, err)
		}
		checkDirection(t, d, e)
		// One row on the other side, far enough, makes them overlap.
		d.Y[slices.Index(d.Y, 1)] = 0
		far := slices.IndexFunc(d.Y, func(y float64) bool { return y == 1 })
		d.X.Set(far, 0, -20)
		if e, err := CheckSeparation(d); err != nil || e != nil {
			t.Errorf("n = %d: %v, %v of overlapping classes", n, e, err)
		}
	}
}

// A value far out is no reason to see separation.
func TestSeparationOutlier(t *testing.T) {
	for _, far := range []float64{1e6, 1e10, 1e14} {
		d := births(t)
		d.X.Set(5, 1, far)
		if e, err := CheckSeparation(d); err != nil || e != nil {
			t.Errorf("%g: %v, %v", far, e, err)
		}
	}
	f := births(t)
	f.X.Set(5, 1, 1e6)
	if g := fitLogistic(t, f, nil); g.Decrement() > 1e-9 {
		t.Errorf("decrement %g", g.Decrement())
	}
}

func TestSeparationWeightsAndOrigin(t *testing.T) {
	d := get(NewDesign(mat.NewDense(5, 1, []float64{1, 2, 3, 4, 0.5}), []float64{0, 0, 1, 1, 1}, "x"))(t)
	if e, err := CheckSeparation(d); err != nil || e != nil {
		t.Errorf("overlapping rows: %v, %v", e, err)
	}
	d.Weights = []float64{1, 1, 1, 1, 0}
	e, err := CheckSeparation(d)
	if err != nil || e == nil || e.Kind != Complete || e.Of != 4 {
		t.Errorf("without the last row: %v, %v", e, err)
	}
	d.NoIntercept = true
	if e, err := CheckSeparation(d); err != nil || e != nil {
		t.Errorf("without an intercept: %v, %v", e, err)
	}
}

func FuzzSeparation(f *testing.F) {
	f.Add(uint64(1), uint8(9), uint8(2))
	f.Fuzz(func(t *testing.T, seed uint64, n, p uint8) {
		rng := rand.New(rand.NewPCG(seed, 3))
		d := integerDesign(rng, 2+int(n)%20, 1+int(p)%4, 3)
		e := get(CheckSeparation(d))(t)
		got := Overlapping
		if e != nil {
			got = e.Kind
			checkDirection(t, d, e)
		}
		if want, ok := separationByDefinition(d); ok && got != want {
			t.Errorf("%v, want %v", got, want)
		}
	})
}
