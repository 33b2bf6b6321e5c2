package frames

import (
	"math"
	"slices"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/regbook/regbook/mlreg"
)

// The references in testdata are R's, written by broom.R.
func readTable(t *testing.T, path string) dataframe.DataFrame {
	t.Helper()
	c := get(ReadCSV(path, nil))(t)
	return c.Frame
}

// sameNumbers compares the columns of want with those of got, within a
// relative tolerance.
func sameNumbers(t *testing.T, got, want dataframe.DataFrame, tol float64) {
	t.Helper()
	for _, name := range want.Names() {
		w, err := Floats(want, name)
		if err != nil {
			continue // text, compared by name elsewhere
		}
		g := get(Floats(got, name))(t)
		for i := range w {
			if !(math.Abs(g[i]-w[i]) <= tol*math.Abs(w[i])) {
				t.Errorf("%s, row %d: %v, R has %v", name, i+1, g[i], w[i])
			}
		}
	}
}

func prostate(t *testing.T) dataframe.DataFrame {
	t.Helper()
	return readTable(t, "testdata/prostate.csv")
}

func TestDescribeLikeR(t *testing.T) {
	df := prostate(t)
	got := get(Describe(df))(t)
	want := readTable(t, "testdata/describe.csv")
	if got.Nrow() != want.Nrow()+1 { // R's table has no row for train
		t.Fatalf("%d rows, want %d", got.Nrow(), want.Nrow()+1)
	}
	sameNumbers(t, got, want, 1e-14)
	if s := got.Subset(want.Nrow()).Records()[1]; !slices.Equal(s[:5], []string{"train", "string", "97", "0", "2"}) || s[5] != "NaN" {
		t.Errorf("train is described by %q", s)
	}
}

func TestDescribeMissing(t *testing.T) {
	nan := math.NaN()
	got, err := Describe(frame(t, Col("x", []float64{nan, 3, nan, 1, 2}), Col("none", []float64{nan, nan, nan, nan, nan}),
		Col("big", []float64{1e15, 1e15 + 2, nan, nan, nan}), Col("b", []bool{true, false, true, true, true}), Col("one", []float64{nan, nan, 7, nan, nan}),
		Col("edge", []float64{1 << 53, 1<<53 + 2, 1<<53 + 2, nan, nan}))) // its mean is not a float64
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][]float64{
		"n": {3, 0, 2, 5, 1, 3}, "missing": {2, 5, 3, 0, 4, 2}, "distinct": {3, 0, 2, 2, 1, 2},
		"mean": {2, nan, 1e15 + 1, .8, 7, 1<<53 + 2}, "sd": {1, nan, math.Sqrt2, math.Sqrt(.2), nan, math.Sqrt(4. / 3)},
		"min": {1, nan, 1e15, 0, 7, 1 << 53}, "q25": {1.5, nan, 1e15 + .5, 1, 7, 1 << 53}, // a half rounds to even
		"median": {2, nan, 1e15 + 1, 1, 7, 1<<53 + 2}, "max": {3, nan, 1e15 + 2, 1, 7, 1<<53 + 2},
	} {
		x := get(Floats(got, name))(t)
		for i, w := range want {
			if math.IsNaN(w) != math.IsNaN(x[i]) || math.Abs(x[i]-w) > 1e-15*math.Abs(w) {
				t.Errorf("%s: %v, want %v", name, x, want)
				break
			}
		}
	}
}

// Row 110 of the course's ledger: pandas' info() on the training rows.
func TestInfo(t *testing.T) {
	train := get(Where(prostate(t), "train == 'T'"))(t)
	got, err := Info(train.Drop("train"))
	if want := "67 rows, 9 columns: 5 float, 4 int; no missing values"; err != nil || got != want {
		t.Errorf("%q, %v; want %q", got, err, want)
	}
	got, err = Info(frame(t, Col("a", []float64{1, math.NaN()}), Col("b", []string{"x", "NaN"}), Col("c", []bool{true, false})))
	if want := "2 rows, 3 columns: 1 float, 1 bool, 1 string; 2 missing values"; err != nil || got != want {
		t.Errorf("%q, %v; want %q", got, err, want)
	}
}

func TestBroomLikeR(t *testing.T) {
	df := prostate(t)
	d := get(Design(df, "lpsa ~ lcavol + poly(age, 2) + svi"))(t)
	fit := get(mlreg.FitOLS(d, nil))(t)
	want := readTable(t, "testdata/tidy.csv")
	got := get(Tidy(fit, .9))(t)
	if !slices.Equal(got.Names(), want.Names()) || !slices.Equal(got.Col("term").Records(), want.Col("term").Records()) {
		t.Errorf("tidy has %q of %q", got.Names(), got.Col("term"))
	}
	sameNumbers(t, got, want, 1e-9) // R's quantile and tail functions and ours
	if _, err := Tidy(fit, 95); err == nil {
		t.Error("a level of 95 was taken")
	}

	want = readTable(t, "testdata/glance.csv")
	got, err := Glance(fit)
	if err != nil || !slices.Equal(got.Names(), want.Names()) {
		t.Fatalf("glance has %q, %v; R has %q", got.Names(), err, want.Names())
	}
	sameNumbers(t, got, want, 1e-9)

	got, err = Augment(fit, df)
	if err != nil || got.Nrow() != 97 || got.Names()[0] != "lcavol" {
		t.Fatalf("augment: %v, %v", got, err)
	}
	sameNumbers(t, got, readTable(t, "testdata/augment.csv"), 1e-11)
}
