// Package expect has what tests of several packages say of numbers and errors.
package expect

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats/scalar"
)

// Near fails unless got and want agree to the relative tolerance; near zero,
// to a thousandth of it absolutely.
func Near(t testing.TB, what string, got, want, tol float64) {
	t.Helper()
	if math.IsNaN(got) && math.IsNaN(want) {
		return
	}
	if !scalar.EqualWithinAbsOrRel(got, want, tol*1e-3, tol) {
		t.Errorf("%s = %.17g, want %.17g (difference %.2g, tolerance %.2g)", what, got, want, got-want, tol)
	}
}

// NearAll is Near for slices.
func NearAll(t testing.TB, what string, got, want []float64, tol float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s has %d values, want %d", what, len(got), len(want))
	}
	for i := range got {
		Near(t, what+"["+strconv.Itoa(i)+"]", got[i], want[i], tol)
	}
}

// Agrees fails unless the values are those of R, to a part of them and a thousandth of one.
func Agrees(t testing.TB, what string, got, want []float64, tol float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d values, wanted %d", what, len(got), len(want))
	}
	for j := range want {
		if !(math.Abs(got[j]-want[j]) <= tol*(1e-3+math.Abs(want[j]))) {
			t.Errorf("%s: value %d is %v, and R's %v", what, j, got[j], want[j])
		}
	}
}

// Error fails unless the error is a sentinel's, and names all the names.
func Error(t testing.TB, what string, err, sentinel error, names ...string) {
	t.Helper()
	if !errors.Is(err, sentinel) {
		t.Errorf("%s: error %v, want one that is %v", what, err, sentinel)
		return
	}
	for _, name := range names {
		if !strings.Contains(err.Error(), name) {
			t.Errorf("%s: error %q does not name %q", what, err, name)
		}
	}
}

// JSON reads a file of reference values.
func JSON(t testing.TB, file string, into any) {
	t.Helper()
	b, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(b, into)
	}
	if err != nil {
		t.Fatal(file, err)
	}
}

// CSV returns columns of numbers of a file, by the names in its first line.
func CSV(t testing.TB, file string, names ...string) [][]float64 {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	records, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(file, err)
	}
	columns := make([][]float64, len(names))
	for c, name := range names {
		j := slices.Index(records[0], name)
		for _, record := range records[1:] {
			v, err := strconv.ParseFloat(record[j], 64)
			if err != nil {
				t.Fatal(file, name, err)
			}
			columns[c] = append(columns[c], v)
		}
	}
	return columns
}

// ErrorOf is the error of a call.
func ErrorOf[T any](_ T, err error) error { return err }

// Repeats skips, with -short, a test that computes the same many times over, or measures:
// make test runs it once, and the others also with the race detector and without the
// processor's vector instructions.
func Repeats(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("repeats a computation")
	}
}
