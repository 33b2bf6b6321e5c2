package frames

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

func frameMatrix(t *testing.T) *mat.Dense {
	t.Helper()
	m := get(Matrix(frame(t, Col("a", []float64{1, 2, 4}), Col("b", []bool{true, false, true}))))(t)
	return m
}

func TestFloatsAndMatrix(t *testing.T) {
	if got := frameMatrix(t).RawMatrix().Data; !slices.Equal(got, []float64{1, 1, 2, 0, 4, 1}) {
		t.Errorf("matrix %v", got)
	}
	df := frame(t, Col("a", []float64{1e-9, math.Pi}), Col("s", []string{"1", "two"}), Col("n", []int{1 << 53, -3}))
	x, err := Floats(df, "a")
	if err != nil || !slices.Equal(x, []float64{1e-9, math.Pi}) {
		t.Errorf("a = %v, %v: digits were lost", x, err)
	}
	if x[0] = 7; df.Col("a").Float()[0] != 1e-9 {
		t.Error("writing to the slice changed the frame")
	}
	_, err = Floats(df, "s")
	wantError(t, err, ErrNotNumeric, `column "s" is text`, `row 2 has "two"`)
	_, err = Floats(df, "A1")
	wantError(t, err, ErrNoColumn, `did you mean "a"?`)
	_, err = Matrix(df, "a", "s")
	wantError(t, err, ErrNotNumeric)
	_, err = Floats(df.Select("nothing"), "a")
	if err == nil {
		t.Error("the error that a frame carries was not returned")
	}
}

func TestFrameErrors(t *testing.T) {
	_, err := Frame()
	wantError(t, err, ErrSetting)
	_, err = Frame(Col("a", []int{1, 2}), Col("b", []int{1}))
	wantError(t, err, ErrSetting, `column "b" has 1 values, column "a" has 2`)
	_, err = Frame(Col("a", []int{1}), Col("a", []int{1}))
	wantError(t, err, ErrSetting, `two columns are named "a"`)
	_, err = Frame(Col("", []int{1}))
	wantError(t, err, ErrSetting, "no name")
}

func TestMask(t *testing.T) {
	df := frame(t, Col("train", []string{"T", "F", "NaN"}), Col("k", []int{1, 0, 1}), Col("x", []float64{.1, .2, math.NaN()}), Col("b", []bool{true, false, true}))
	for _, test := range []struct {
		name  string
		value any
		want  []bool
	}{
		{"train", "T", []bool{true, false, false}},
		{"k", 1, []bool{true, false, true}},
		{"k", 1.0, []bool{true, false, true}},
		{"k", "1", []bool{true, false, true}},
		{"k", true, []bool{true, false, true}},
		{"x", .2, []bool{false, true, false}},
		{"b", false, []bool{false, true, false}},
		{"b", "false", []bool{false, true, false}},
		{"b", "FALSE", []bool{false, true, false}},
	} {
		got, err := Mask(df, test.name, test.value)
		if err != nil || !slices.Equal(got, test.want) {
			t.Errorf("%s = %v: %v, %v", test.name, test.value, got, err)
		}
	}
	_, err := Mask(df, "train", "t")
	wantError(t, err, ErrSetting, `no row has train = t; did you mean "T"?`)
	_, err = Mask(df, "tran", "T")
	wantError(t, err, ErrNoColumn, `did you mean "train"?`)

	mask := get(Mask(df, "train", "T"))(t)
	in, out, err := SplitMask(df, mask)
	if err != nil || in.Nrow() != 1 || out.Nrow() != 2 || in.Col("train").Records()[0] != "T" {
		t.Errorf("split: %v, %v, %v", in, out, err)
	}
	_, _, err = SplitMask(df, mask[:2])
	wantError(t, err, ErrSetting, "the mask has 2 values and the frame has 3 rows")
	_, _, err = SplitMask(df, []bool{true, true, true})
	wantError(t, err, ErrNoRows)
}

// Numbers are written as R 4.2.2 deparses them: for (v in c(...)) cat(deparse(v))
func TestFormatNumber(t *testing.T) {
	for want, v := range map[string]float64{
		"1e+05": 1e5, "123456": 123456, "0.1": .1, "1e-04": 1e-4, "0.00012": 1.2e-4, "1e+15": 1e15, "0": 0,
		"100": 100, "-2.5": -2.5, "123456789012345": 123456789012345, "1.5e+300": 1.5e300, "3.14159265358979": 3.14159265358979,
		"0.30000000000000004": 0.30000000000000004, // R has 0.3: it stops at 15 digits, at the price of another number
	} {
		if got := formatNumber(v); got != want {
			t.Errorf("%v is written %s, want %s", v, got, want)
		}
	}
}
