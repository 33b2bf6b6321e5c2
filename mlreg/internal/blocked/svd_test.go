package blocked

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

func dense(a blas64.General) *mat.Dense {
	var d mat.Dense
	d.SetRawMatrix(a)
	return &d
}

// checkSVD holds U'U = I, V'V = I and a = USV', elements divided by s_1, to the given number, and returns
// the singular values. What is not asked for is not there.
func checkSVD(t *testing.T, what string, a blas64.General, most float64) []float64 {
	t.Helper()
	given := clone(a)
	u, s, v, ok := decompose(a, true, true)
	if !ok {
		t.Fatalf("%s: no convergence", what)
	}
	k := min(a.Rows, a.Cols)
	if len(s) != k || u.Rows != a.Rows || u.Cols != k || v.Rows != a.Cols || v.Cols != k {
		t.Fatalf("%s: shapes %d, %d x %d, %d x %d", what, len(s), u.Rows, u.Cols, v.Rows, v.Cols)
	}
	var off float64
	note := func(b blas64.General, want func(i, j int) float64) {
		for i := range b.Rows {
			for j, x := range row(b, i, 0) {
				if d := math.Abs(x - want(i, j)); !(d <= off) { // NaN, too
					off = d
				}
			}
		}
	}
	one := func(i, j int) float64 {
		if i == j {
			return 1
		}
		return 0
	}
	note(Multiply(u, u, true, false), one)
	note(Multiply(v, v, true, false), one)
	if s[0] > 0 {
		scaled := clone(u)
		for i := range u.Rows {
			for j := range k {
				scaled.Data[i*u.Stride+j] *= s[j] / s[0]
			}
		}
		note(Multiply(scaled, v, false, true), func(i, j int) float64 { return row(given, i, j)[0] / s[0] })
	}
	for j := range k {
		if s[j] < 0 || j > 0 && s[j] > s[j-1] {
			t.Errorf("%s: singular value %d of %v is not in order", what, j, s)
		}
	}
	if !(off <= most) {
		t.Errorf("%s: off by %.1e", what, off)
	}
	for i := range a.Rows {
		for j, x := range row(a, i, 0) {
			if x != row(given, i, j)[0] {
				t.Fatalf("%s: the matrix has changed", what)
			}
		}
	}
	for _, only := range [][2]bool{{true, false}, {false, true}, {false, false}} {
		u, alone, v, ok := decompose(a, only[0], only[1])
		if !ok || only[0] != (u.Data != nil) || only[1] != (v.Data != nil) {
			t.Errorf("%s: converged %v; U is there: %v, V is there: %v; asked for %v", what, ok, u.Data != nil, v.Data != nil, only)
		}
		for k := range alone {
			if d := math.Abs(alone[k] - s[k]); !(d <= most*s[0]) {
				t.Fatalf("%s: singular value %d without vectors is off by %.1e of the first", what, k, d/s[0])
			}
		}
	}
	return s
}

// shapes are on both sides of Unblocked, tall, wide, square and of one row or column.
var shapes = [][2]int{{1, 1}, {9, 1}, {1, 9}, {7, 5}, {5, 7}, {40, 40}, {200, 131}, {131, 200}, {140, 140}, {330, 150}, {150, 330}, {1030, 131}, {210, 131}, {209, 131}}

// The decomposition of random matrices, as they are, sparse, of lower rank, with empty columns, and scaled to where
// squares overflow or vanish.
func TestSVD(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 1))
	scale := func(by float64) func(a blas64.General) {
		return func(a blas64.General) { blas64.Scal(by, blas64.Vector{N: len(a.Data), Inc: 1, Data: a.Data}) }
	}
	for _, kind := range []struct {
		name   string
		change func(a blas64.General)
		zeros  bool // LAPACK's may be wrong
	}{
		{"dense", scale(1), false}, {"large", scale(1e160), false}, {"small", scale(1e-160), false}, {"zero", scale(0), false},
		{"sparse", func(a blas64.General) {
			for i := range a.Data {
				if rng.IntN(20) > 0 {
					a.Data[i] = 0
				}
			}
		}, true},
		{"of rank 3", func(a blas64.General) {
			product := Multiply(matrix(rng, a.Rows, 3), matrix(rng, 3, a.Cols), false, false)
			for i := range a.Rows {
				copy(row(a, i, 0), row(product, i, 0))
			}
		}, false},
		{"with empty columns and rows", func(a blas64.General) {
			for i := range a.Rows {
				for j := range a.Cols {
					if i%3 == 0 || j%2 == 0 {
						row(a, i, j)[0] = 0
					}
				}
			}
		}, true},
	} {
		for _, size := range shapes {
			a := matrix(rng, size[0], size[1])
			kind.change(a)
			s := checkSVD(t, fmt.Sprintf("%s, %d x %d", kind.name, size[0], size[1]), a, 1e-14)
			if kind.zeros {
				continue
			}
			var svd mat.SVD
			svd.Factorize(dense(a), mat.SVDNone)
			for k, want := range svd.Values(nil) {
				if d := math.Abs(s[k] - want); !(d <= 1e-14*s[0]) {
					t.Fatalf("%s, %v: singular value %d is %v, and LAPACK's %v", kind.name, size, k, s[k], want)
				}
			}
		}
	}
}

// Up to Unblocked singular values have the bits of mat.SVD, and one more is right where that is not.
func TestSVDOfAnySize(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 2))
	for _, kind := range []mat.SVDKind{mat.SVDNone, mat.SVDThinU, mat.SVDThinV, mat.SVDThin} {
		for _, a := range []blas64.General{matrix(rng, 200, Unblocked), matrix(rng, Unblocked, 130), endingEarly(rng, Unblocked), endingEarly(rng, Unblocked+1)} {
			k := a.Cols
			u, s, v, err := SVD(dense(a), kind)
			if err != nil || (u != nil) != (kind&mat.SVDThinU != 0) || (v != nil) != (kind&mat.SVDThinV != 0) {
				t.Fatalf("%d columns, kind %d: U %v, V %v, error %v", k, kind, u != nil, v != nil, err)
			}
			if k == Unblocked+1 {
				_, right, _, _ := decompose(a, true, true)
				for k, want := range right {
					if !(math.Abs(s[k]-want) < 1e-12) {
						t.Errorf("kind %d: singular value %d is %v, want %v", kind, k, s[k], want)
					}
				}
				continue
			}
			var svd mat.SVD
			svd.Factorize(dense(a), kind)
			if !slices.Equal(s, svd.Values(nil)) {
				t.Errorf("%d columns, kind %d: other singular values than those of mat.SVD", k, kind)
			}
			if kind == mat.SVDThin {
				var wantU, wantV mat.Dense
				svd.UTo(&wantU)
				svd.VTo(&wantV)
				if !mat.Equal(u, &wantU) || !mat.Equal(v, &wantV) {
					t.Errorf("%d columns: other vectors than those of mat.SVD", k)
				}
			}
		}
	}
}

// endingEarly returns k columns with zeros, of which the second of 32 ends before the others and has next to no row in common with them.
func endingEarly(rng *rand.Rand, k int) blas64.General {
	a := matrix(rng, 3*k, k)
	for i := range a.Rows {
		for j := range k {
			nonzero := i%2 == 0
			if j%width == 1 {
				nonzero = i%2 == 1 && i >= k && i < 3*k-15
			}
			if i != j && !nonzero {
				row(a, i, j)[0] = 0
			}
		}
	}
	return a
}

// Columns with zeros at ends at which others have none, of which LAPACK in gonum 0.17.0 loses products as it factors them, and a
// triangle of which it does so as it multiplies out reflections of its rows: elements beside the diagonal join three columns, and two,
// so that the second reflection ends before the first and the fourth.
func TestSVDOfZeros(t *testing.T) {
	for _, k := range []int{40, 140, 200} {
		rng := rand.New(rand.NewPCG(uint64(k), 3))
		ends := endingEarly(rng, k)
		checkSVD(t, fmt.Sprintf("%d columns that end early", k), ends, 1e-14)
		checkSVD(t, fmt.Sprintf("%d rows that end early", k), transposed(ends, 0, k, ends.Rows), 1e-14)
		triangle := zeros(k, k)
		for i := range k {
			row(triangle, i, i)[0] = 1
		}
		row(triangle, 0, k-1)[0], row(triangle, k/2, k-1)[0], row(triangle, 1, 3)[0] = 1, 2, 1
		checkSVD(t, fmt.Sprintf("triangle of %d", k), triangle, 1e-14)
		checkSVD(t, fmt.Sprintf("lower triangle of %d", k), transposed(triangle, 0, k, k), 1e-14)
	}
}

// The singular values of dummies are the roots of their counts.
func TestSVDOfDummies(t *testing.T) {
	const levels, most = 150, 12
	rng := rand.New(rand.NewPCG(7, 7))
	var level []int
	var want []float64
	for count := most; count > 0; count-- {
		for j := range levels {
			if j%most+1 == count {
				want = append(want, math.Sqrt(float64(count)))
				for range count {
					level = append(level, j)
				}
			}
		}
	}
	rng.Shuffle(len(level), func(i, j int) { level[i], level[j] = level[j], level[i] })
	a := zeros(len(level), levels)
	for i, j := range level {
		row(a, i, j)[0] = 1
	}
	for k, s := range checkSVD(t, "dummies", a, 1e-14) {
		if d := math.Abs(s - want[k]); !(d < 1e-14) {
			t.Errorf("singular value %d is %v, not the root of a count, %v", k, s, want[k])
		}
	}
}
