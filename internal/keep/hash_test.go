package keep

import (
	"bytes"
	"encoding/gob"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg"
)

func hashOf(t *testing.T, v any) [16]byte {
	t.Helper()
	d, err := HashValue("v", v)
	if err != nil {
		t.Fatal(err)
	}
	return d.Hash
}

// Equal values have equal hashes, however they came to be: computed twice, or read
// back from a stream; others have others.
func TestHashValue(t *testing.T) {
	design := func(last float64) *mlreg.Design {
		d, err := mlreg.NewDesign(mat.NewDense(4, 1, []float64{1, 2, 3, last}), []float64{1, 3, 2, 5}, "x")
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	fit := func(d *mlreg.Design) *mlreg.OLS {
		f, err := mlreg.FitOLS(d, nil)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	first, again := hashOf(t, design(7)), hashOf(t, design(7))
	if first != again || first == hashOf(t, design(8)) {
		t.Error("hashes of designs")
	}
	f := fit(design(7))
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(f); err != nil {
		t.Fatal(err)
	}
	var back mlreg.OLS
	if err := gob.NewDecoder(&b).Decode(&back); err != nil {
		t.Fatal(err)
	}
	if hashOf(t, f) != hashOf(t, &back) || hashOf(t, f) == hashOf(t, fit(design(8))) {
		t.Error("hashes of fits")
	}
	if hashOf(t, 1) == hashOf(t, 1.0) || hashOf(t, []string{"ab", "c"}) == hashOf(t, []string{"a", "bc"}) {
		t.Error("hashes of different values are equal")
	}
	for _, v := range []any{map[string]int{"a": 1}, func() {}, struct{ F func() }{}} {
		if _, err := HashValue("v", v); err == nil {
			t.Errorf("%T has a hash", v)
		}
	}
}
