package mlreg

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/report"
)

func TestNewDesignCopies(t *testing.T) {
	x, y := mat.NewDense(2, 1, []float64{1, 2}), []float64{3, 4}
	d := get(NewDesign(x, y, "a"))(t)
	x.Set(0, 0, 9)
	y[0] = 9
	if d.X.At(0, 0) != 1 || d.Y[0] != 3 {
		t.Error("the design changed with the caller's data")
	}
}

func TestDesignErrors(t *testing.T) {
	x := func(v ...float64) *mat.Dense { return mat.NewDense(len(v), 1, v) }
	for _, test := range []struct {
		name string
		d    Design
		want error
		says string
	}{
		{"empty", Design{}, ErrNoData, "0 x 0"},
		{"no rows", Design{X: &mat.Dense{}, Names: []string{"a"}}, ErrNoData, "0 x 0"},
		{"names", Design{X: x(1, 2), Names: []string{"a", "b"}}, ErrShape, "2 names for the 1 columns"},
		{"y too short", Design{X: x(1, 2), Y: []float64{1}, Names: []string{"a"}, Response: "psa"}, ErrShape, `"psa" has 1 values for the 2 rows`},
		{"weights", Design{X: x(1, 2), Weights: []float64{1}, Names: []string{"a"}}, ErrShape, "1 weights for the 2 rows"},
		{"NaN in X", Design{X: x(1, math.NaN()), Names: []string{"age"}}, ErrNotFinite, `"age" is NaN in row 2`},
		{"Inf in X", Design{X: x(math.Inf(-1), 0), Names: []string{"age"}}, ErrNotFinite, `"age" is -Inf in row 1`},
		{"NaN in y", Design{X: x(1, 2), Y: []float64{0, math.NaN()}, Names: []string{"a"}, Response: "psa"}, ErrNotFinite, `"psa" is NaN in row 2`},
		{"negative weight", Design{X: x(1, 2), Weights: []float64{1, -2}, Names: []string{"a"}}, ErrSetting, "row 2 is -2"},
		{"same name", Design{X: mat.NewDense(1, 2, nil), Names: []string{"a", "a"}}, ErrShape, `both named "a"`},
		{"scaling", Design{X: x(1), Names: []string{"a"}, Scaling: &Scaling{}}, ErrShape, "0 centers"},
	} {
		err := test.d.Check()
		if !errors.Is(err, test.want) || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: %v; want %v saying %q", test.name, err, test.want, test.says)
		}
	}
	if _, err := NewDesign(x(1, 2), []float64{1, 2, 3}); !errors.Is(err, ErrShape) {
		t.Errorf("lengths: %v", err)
	}
}

func TestModelMatrix(t *testing.T) {
	d := get(NewDesign(mat.NewDense(2, 2, []float64{2, 3, 4, 5}), nil))(t)
	for _, c := range []struct {
		none bool
		want *mat.Dense
	}{{false, mat.NewDense(2, 3, []float64{1, 2, 3, 1, 4, 5})}, {true, mat.NewDense(2, 2, []float64{2, 3, 4, 5})}} {
		d.NoIntercept = c.none
		m, err := d.ModelMatrix()
		if err != nil || !mat.Equal(m, c.want) {
			t.Errorf("without intercept %v: %v, %v", c.none, m, err)
		}
		m.Set(0, 0, 9)
		if d.X.At(0, 0) != 2 {
			t.Error("the matrix is not a copy")
		}
	}
	alone := get(NewDesign(nil, []float64{3, 4}))(t)
	if m, err := alone.ModelMatrix(); err != nil || !mat.Equal(m, mat.NewDense(2, 1, []float64{1, 1})) {
		t.Errorf("the intercept alone: %v, %v", m, err)
	}
	d.X.Set(1, 1, math.NaN())
	if _, err := d.ModelMatrix(); !errors.Is(err, ErrNotFinite) {
		t.Errorf("NaN: %v", err)
	}
}

func TestRowsSplitSelect(t *testing.T) {
	d := randomDesign(t, 1, 6, 3)
	d.Weights = []float64{1, 2, 3, 4, 5, 6}
	sub := d.Rows(4, 1, 1)
	for i, row := range []int{4, 1, 1} {
		if sub.Y[i] != d.Y[row] || sub.Weights[i] != d.Weights[row] || !slices.Equal(sub.X.RawRowView(i), d.X.RawRowView(row)) {
			t.Errorf("row %d of the selection is not row %d", i, row)
		}
	}
	in, out, err := d.Split([]bool{true, false, true, false, true, false})
	if err != nil || in.NObs() != 3 || out.NObs() != 3 || in.Y[1] != d.Y[2] || out.Y[1] != d.Y[3] {
		t.Errorf("split: %v", err)
	}
	if _, _, err := d.Split([]bool{true}); !errors.Is(err, ErrShape) {
		t.Errorf("short mask: %v", err)
	}
	if _, _, err := d.Split(make([]bool, 6)); !errors.Is(err, ErrNoData) {
		t.Errorf("empty part: %v", err)
	}
	d = get(d.Standardize(nil))(t)
	two, err := d.Select("x3", "x1")
	if err != nil || two.X.At(2, 0) != d.X.At(2, 2) || two.Scaling.Center[1] != d.Scaling.Center[0] {
		t.Errorf("select: %v", err)
	}
	if _, err := d.Select("x9"); !errors.Is(err, ErrShape) || !strings.Contains(err.Error(), `"x9"`) {
		t.Errorf("select of a missing term: %v", err)
	}
}

// The table of a design has means, deviations and ranges, that of its sums the same
// means and deviations; a mean that is rounding is 0, and of many columns few are shown.
func TestDescribeData(t *testing.T) {
	d := get(NewDesign(mat.NewDense(4, 2, []float64{1, 0.1, 2, -0.1, 3, 0.3, 6, -0.3}), []float64{1, 1, 2, 4}, "a", "b"))(t)
	d.Response = "y"
	want := [][]float64{{2, 3, 0}, {math.Sqrt(1.5), math.Sqrt(3.5), math.Sqrt(0.05)}, {1, 1, -0.3}, {4, 6, 0.3}}
	for name, table := range map[string]*report.Table{"design": d.Describe(), "moments": get(d.Moments())(t).Describe()} {
		if got := table.Columns[0].Cells; !slices.Equal(got, []string{"y", "a", "b"}) {
			t.Errorf("%s: columns %q", name, got)
		}
		for k, c := range table.Columns[1:] {
			for i, v := range c.Values {
				if !(math.Abs(v-want[k][i]) <= 1e-15*math.Abs(want[k][i])*4) {
					t.Errorf("%s: %s of %s is %v, want %v", name, c.Name, table.Columns[0].Cells[i], v, want[k][i])
				}
			}
		}
	}
	wide := randomDesign(t, 1, 5, 60)
	for name, text := range map[string]string{"design": wide.String(), "scaling": get(wide.Standardize(nil))(t).Scaling.String()} {
		if lines := strings.Count(text, "\n"); lines > 15 || !strings.Contains(text, " more columns") {
			t.Errorf("%s is shown in %d lines:\n%s", name, lines, text)
		}
	}
}
