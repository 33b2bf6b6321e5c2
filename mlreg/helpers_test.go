package mlreg

import (
	"encoding/csv"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/expect"
	"github.com/regbook/regbook/internal/fatal"
	"github.com/regbook/regbook/mlreg/internal/gram"
)

// sequential skips, with the race detector, a long test that starts no goroutine, and so has no
// race to find. Without it, the test fails if it does start one.
func sequential(t *testing.T) {
	t.Helper()
	if expect.RaceDetector {
		t.Skip("starts no goroutine")
	}
	before := gram.Started()
	t.Cleanup(func() {
		if started := gram.Started() - before; started != 0 {
			t.Errorf("starts %d goroutines: it belongs under the race detector", started)
		}
	})
}

// racy tells, with the race detector, whether f starts a goroutine: what does not is not tried
// on further data there. Without it, all is tried.
func racy(f func()) bool {
	before := gram.Started()
	f()
	return !expect.RaceDetector || gram.Started() != before
}

// randomDesign returns n rows of p standard normal columns that share a common
// part, so that they are correlated, and a response that depends on them.
func randomDesign(t testing.TB, seed uint64, n, p int) *Design {
	t.Helper()
	rnd := rand.New(rand.NewPCG(seed, 1))
	x := mat.NewDense(n, p, nil)
	y := make([]float64, n)
	for i := range n {
		common := rnd.NormFloat64()
		for j := range p {
			v := common + rnd.NormFloat64()
			x.Set(i, j, v)
			y[i] += v * float64(j%3-1)
		}
		y[i] += 2 + rnd.NormFloat64()
	}
	d := get(NewDesign(x, y))(t)
	return d
}

// sparseDesign returns n rows of p columns without an intercept that have zeros in half of the rows, the second of
// 32 in the other half and in the last rows, too, and a response of noise. Of such columns LAPACK in gonum 0.17.0 loses products, if there
// are more than 128 in a factorization, or 32 in a product with its Q; see blocked.QR.
func sparseDesign(t testing.TB, n, p int) *Design {
	t.Helper()
	rnd := rand.New(rand.NewPCG(uint64(n), uint64(p)))
	x, y := mat.NewDense(n, p, nil), make([]float64, n)
	for i := range n {
		y[i] = rnd.NormFloat64()
		for j := range p {
			nonzero := i%2 == 0
			if j%32 == 1 {
				nonzero = i%2 == 1 && i >= min(p, n/2) && i < n-15
			}
			if i == j || nonzero {
				x.Set(i, j, rnd.NormFloat64())
			}
		}
	}
	d := get(NewDesign(x, y))(t)
	d.NoIntercept = true
	return d
}

// csvColumns reads the named columns of a CSV file in testdata, as text.
func csvColumns(t testing.TB, file string) map[string][]string {
	t.Helper()
	f := get(os.Open(filepath.Join("testdata", file)))(t)
	records := get(csv.NewReader(f).ReadAll())(t)
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	columns := make(map[string][]string)
	for _, record := range records[1:] {
		for j, v := range record {
			columns[records[0][j]] = append(columns[records[0][j]], v)
		}
	}
	return columns
}

// csvDesign reads a design from a CSV file in testdata.
func csvDesign(t testing.TB, file, response string, terms ...string) *Design {
	t.Helper()
	columns := csvColumns(t, file)
	parse := func(name string) []float64 {
		out := make([]float64, len(columns[name]))
		for i, text := range columns[name] {
			v, err := strconv.ParseFloat(text, 64)
			if err != nil {
				t.Fatalf("%s: column %q, row %d: %v", file, name, i+1, err)
			}
			out[i] = v
		}
		return out
	}
	y := parse(response)
	x := mat.NewDense(len(y), len(terms), nil)
	for j, name := range terms {
		x.SetCol(j, parse(name))
	}
	d := get(NewDesign(x, y, terms...))(t)
	d.Response = response
	return d
}

var prostateTerms = []string{"lcavol", "lweight", "age", "lbph", "svi", "lcp", "gleason", "pgg45"}

// prostate returns the training and the test rows of the prostate data.
func prostate(t testing.TB) (train, test *Design) {
	t.Helper()
	d := csvDesign(t, "prostate.csv", "lpsa", prostateTerms...)
	var mask []bool
	for _, v := range csvColumns(t, "prostate.csv")["train"] {
		mask = append(mask, v == "T")
	}
	train, test, err := d.Split(mask)
	if err != nil {
		t.Fatal(err)
	}
	return train, test
}

// nearSym is near for symmetric matrices.
func nearSym(t testing.TB, what string, got, want mat.Symmetric, tol float64) {
	t.Helper()
	if got.SymmetricDim() != want.SymmetricDim() {
		t.Fatalf("%s is of order %d, want %d", what, got.SymmetricDim(), want.SymmetricDim())
	}
	for i := range want.SymmetricDim() {
		for j := range i + 1 {
			near(t, what+" element", got.At(i, j), want.At(i, j), tol)
		}
	}
}

// get returns v, or ends the test with the error: fit := get(FitOLS(d, nil))(t).
func get[T any](v T, err error) func(testing.TB) T { return fatal.On(v, err) }

// What tests of other packages say of numbers and errors as well.
var (
	near      = expect.Near
	nearAll   = expect.NearAll
	wantError = expect.Error
	repeats   = expect.Repeats
)

// readJSON reads a file of reference values in testdata.
func readJSON(t testing.TB, file string, into any) {
	t.Helper()
	expect.JSON(t, filepath.Join("testdata", file), into)
}
