package frames

import (
	"encoding/json"
	"math"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/regbook/regbook/mlreg"
)

// reference is testdata/model_matrix.json, written by R 4.2.2:
// LC_ALL=C Rscript model_matrix.R > model_matrix.json
type reference struct {
	Data    map[string][]any
	Designs []designOfR
}

type designOfR struct {
	Formula       string
	Labels, Names []string
	X, Y          []float64
	Rows          []int // those kept, if any are left out
}

func loadReference(t *testing.T) (reference, dataframe.DataFrame) {
	t.Helper()
	data := get(os.ReadFile("testdata/model_matrix.json"))(t)
	var ref reference
	if err := json.Unmarshal(data, &ref); err != nil {
		t.Fatal(err)
	}
	var cols []Column
	for _, name := range []string{"y", "a", "b", "k", "z", "g", "h", "f", "my col"} {
		switch ref.Data[name][0].(type) {
		case float64:
			cols = append(cols, Col(name, cast[float64](ref.Data[name])))
		case string:
			cols = append(cols, Col(name, cast[string](ref.Data[name])))
		case bool:
			cols = append(cols, Col(name, cast[bool](ref.Data[name])))
		}
	}
	return ref, frame(t, cols...)
}

func cast[T any](values []any) []T {
	out := make([]T, len(values))
	for i, v := range values {
		out[i] = v.(T)
	}
	return out
}

func frame(t testing.TB, cols ...Column) dataframe.DataFrame {
	t.Helper()
	df := get(Frame(cols...))(t)
	return df
}

// relTol holds for every entry against R's, relative to the largest of its
// column: both sides round each operation once or a few times. Columns of an
// orthogonal polynomial or a spline go through a recurrence or a QR, and lose
// more.
const (
	relTol  = 4e-16
	polyTol = 1e-13
)

func TestModelMatrixLikeR(t *testing.T) {
	ref, df := loadReference(t)
	likeR(t, df, ref.Designs)
}

func likeR(t *testing.T, df dataframe.DataFrame, designs []designOfR) {
	for _, c := range designs {
		t.Run(c.Formula, func(t *testing.T) {
			d := get(Design(df, c.Formula))(t)
			names, first := d.Names, 0
			if !d.NoIntercept {
				names, first = append([]string{mlreg.InterceptName}, names...), 1
			}
			if !slices.Equal(names, c.Names) {
				t.Fatalf("columns %q\nR has  %q", names, c.Names)
			}
			if c.Rows != nil && !slices.Equal(d.RowNumbers, c.Rows) {
				t.Fatalf("rows %v\nR has %v", d.RowNumbers, c.Rows)
			}
			var labels []string
			for _, term := range TermsOf(d).Terms {
				labels = append(labels, term.Label)
			}
			if !slices.Equal(labels, c.Labels) {
				t.Errorf("terms %q\nR has %q", labels, c.Labels)
			}
			for j := first; j < len(names); j++ {
				want, largest := make([]float64, d.NObs()), 0.0
				for i := range want {
					want[i] = c.X[i*len(names)+j]
					largest = math.Max(largest, math.Abs(want[i]))
				}
				tol := relTol
				if regexp.MustCompile(`(poly|ns|bs)\(`).MatchString(names[j]) && !strings.Contains(names[j], "raw") {
					tol = polyTol
				}
				for i, w := range want {
					if got := d.X.At(i, j-first); !(math.Abs(got-w) <= tol*largest) {
						t.Fatalf("column %s, row %d: %v, R has %v", names[j], i+1, got, w)
					}
				}
			}
			if len(d.Y) != len(c.Y) {
				t.Fatalf("%d responses, R has %d", len(d.Y), len(c.Y))
			}
			for i, w := range c.Y {
				if math.Abs(d.Y[i]-w) > relTol*math.Abs(w) {
					t.Errorf("response %d: %v, R has %v", i+1, d.Y[i], w)
				}
			}
		})
	}
}

// The formula with the dot written out, and the code applied to the rows it
// was learned on, give the same design again, to the last bit.
func TestDesignTwice(t *testing.T) {
	ref, df := loadReference(t)
	designTwice(t, df, ref.Designs)
}

func designTwice(t *testing.T, df dataframe.DataFrame, designs []designOfR) {
	for _, c := range designs {
		d := get(Design(df, c.Formula))(t)
		again, err := DesignLike(d, df)
		if err != nil {
			t.Fatalf("%s: %v", c.Formula, err)
		}
		sameDesign(t, c.Formula+" by DesignLike", d, again)
		f := get(ParseFormula(c.Formula))(t)
		for _, text := range []string{TermsOf(d).Formula, f.String()} {
			again, err := Design(df, text)
			if err != nil {
				t.Fatalf("%s: %v", text, err)
			}
			sameDesign(t, text, d, again)
		}
	}
}

func sameDesign(t *testing.T, what string, a, b *mlreg.Design) {
	t.Helper()
	if !slices.Equal(a.Names, b.Names) || !slices.Equal(a.X.RawMatrix().Data, b.X.RawMatrix().Data) ||
		!slices.Equal(a.Y, b.Y) || a.NoIntercept != b.NoIntercept || a.Response != b.Response {
		t.Errorf("%s: the design is not the same: %q and %q", what, a.Names, b.Names)
	}
}
