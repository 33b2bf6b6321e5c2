package frames

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/regbook/regbook/mlreg"
	"gonum.org/v1/gonum/mat"
)

// wave is 40 rows of numbers and text, with a missing number in row 7 and a
// missing text in row 12.
func wave(t *testing.T) dataframe.DataFrame {
	t.Helper()
	const n = 40
	y, x, z, text := make([]float64, n), make([]float64, n), make([]float64, n), make([]string, n)
	words := []string{"red", "green", "blue", "blue sky", "Green, green grass", ""}
	for i := range n {
		x[i], z[i], text[i] = 10*math.Sin(float64(i*i)), float64(i%7), words[i%6]+" day"
		y[i] = x[i] + z[i]
	}
	x[6], text[11] = math.NaN(), "NaN"
	return frame(t, Col("y", y), Col("x", x), Col("z", z), Col("text", text))
}

// Every function of the formula language that gives columns.
var basisTerms = []string{
	"poly(x, 3)", "poly(x, 2, raw = TRUE)", "ns(x, df = 4)", "ns(x, knots = c(-2, 1.5), Boundary.knots = c(-9, 9))", "bs(x, 6)",
	"bs(x, knots = 0, degree = 2)", "rbf(x)", "rbf(x, centers = 4, width = 2.5)", "rbf(x, z, centers = 5, seed = 3)", "rbf(x, centers = \"all\")",
	"rbf(x, centers = c(-5, 0, 5), width = 3)", "rbf(x, centers = 3, seed = 2)", "fourier(x, period = 2 * pi, order = 2)", "fourier(z, 7)",
	"words(text)", "words(text, min = 1, max = 3)", "ns(log(x + 20), 3)", "scale(x)", "scale(x + z, scale = FALSE)",
}

// A term of any basis, alone and in a product, codes its training rows, some of
// them, and single rows as it coded them first, to the bit.
func TestBasisTermsTwice(t *testing.T) {
	df := wave(t)
	for _, term := range basisTerms {
		for _, formula := range []string{"y ~ " + term, "~ z:" + term + " + z - 1"} {
			d, err := Design(df, formula)
			if err != nil {
				t.Fatalf("%s: %v", formula, err)
			}
			again, err := DesignLike(d, df)
			if err != nil {
				t.Fatalf("%s: %v", formula, err)
			}
			sameDesign(t, formula, d, again)
			if again, err = DesignLike(d, df.Subset([]int{d.RowNumber(5) - 1, d.RowNumber(30) - 1})); err != nil {
				t.Fatalf("%s: %v", formula, err)
			}
			sameDesign(t, formula+", two rows", d.Rows(5, 30), again)
			if written := TermsOf(d).Formula; written != formula && !strings.Contains(formula, "z - 1") {
				t.Errorf("%s is written %s", formula, written)
			}
			if !strings.HasPrefix(d.Names[len(d.Names)-1], strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(formula, "y ~ "), "~ "), " + z - 1")) {
				t.Errorf("%s: names %q", formula, d.Names)
			}
		}
	}
}

// The columns of a term are those of the Go value.
func TestRBFTerm(t *testing.T) {
	df := wave(t)
	d := get(Design(df, "y ~ rbf(x, z, centers = 5, seed = 3, width = 2)"))(t)
	basis, ok := TermsOf(d).Variables[0].Basis.(*mlreg.RBF)
	if !ok {
		t.Fatalf("%T", TermsOf(d).Variables[0].Basis)
	}
	if r, c := basis.Centers.Dims(); r != 5 || c != 2 || basis.Width != 2 {
		t.Errorf("%d x %d centers, width %v", r, c, basis.Width)
	}
	in := get(Matrix(df, "x", "z"))(t)
	for i, number := range d.RowNumbers {
		if !slices.Equal(d.X.RawRowView(i), basis.Eval(nil, in.RawRowView(number-1)...)) {
			t.Errorf("row %d", number)
		}
	}
	d = get(Design(df, "y ~ rbf(z)"))(t) // seven distinct values
	basis, ok = TermsOf(d).Variables[0].Basis.(*mlreg.RBF)
	if want := mat.NewDense(7, 1, []float64{0, 1, 2, 3, 4, 5, 6}); !ok || !mat.Equal(basis.Centers, want) || basis.Width != 6/math.Sqrt(14) {
		t.Errorf("%+v", basis)
	}
	d, err := Design(df, "y ~ fourier(z, 7, 2)")
	if err != nil || fmt.Sprintf("%q", d.Names[2:]) != `["fourier(z, 7, 2)sin2" "fourier(z, 7, 2)cos2"]` {
		t.Errorf("%v, %v", d, err)
	}
}

func TestWordsTerm(t *testing.T) {
	df := wave(t)
	d := get(Design(df, "y ~ words(text)"))(t)
	// Row 12, of which a text is missing, is left out; "day" is in every text.
	if want := []string{"words(text)blue", "words(text)grass", "words(text)green", "words(text)red", "words(text)sky"}; !slices.Equal(d.Names, want) {
		t.Errorf("%q", d.Names)
	}
	if terms := TermsOf(d); !slices.Equal(terms.Words, []WordCount{{"words(text)", 92, 0}}) || terms.Omitted != 1 || !slices.Equal(terms.Variables[0].Words.Everywhere, []string{"day"}) {
		t.Errorf("%+v", terms)
	}
	like := get(DesignLike(d, frame(t, Col("text", []string{"a RED sea", "grass", "no"}))))(t)
	if want := []float64{0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0}; !slices.Equal(like.X.RawMatrix().Data, want) {
		t.Errorf("%v", like.X.RawMatrix().Data)
	}
	if s := TermsOf(like).String(); !strings.Contains(s, "words(text): 3 of 5 words are not in the vocabulary") {
		t.Error(s)
	}
	if n := TermsOf(d).Words[0].Words; n != 92 {
		t.Errorf("the training terms changed: %d words", n)
	}
}

// Any formula on this frame gives a design that codes its rows again, or an
// error.
func FuzzDesign(f *testing.F) {
	for _, term := range basisTerms {
		f.Add(term)
	}
	large := regexp.MustCompile(`[0-9]{3}|[0-9][eE]`) // designs that only take long
	f.Fuzz(func(t *testing.T, right string) {
		if large.MatchString(right) {
			t.Skip()
		}
		df := wave(t)
		d, err := Design(df, "y ~ "+right)
		if err != nil {
			return
		}
		again, err := DesignLike(d, df)
		if err != nil {
			t.Fatalf("%s: %v", right, err)
		}
		sameDesign(t, right, d, again)
	})
}

func TestTooManyHarmonics(t *testing.T) {
	n := 3000
	_, err := Design(frame(t, Col("x", make([]float64, n))), "~ fourier(x, 7, order = 1000000)")
	wantError(t, err, ErrSetting, "frames: fourier(x, 7, order = 1e+06): harmonics up to 1000000 have 2000000 columns; a basis has at most 2^17\n    ~ fourier(x, 7, order = 1000000)\n      ^^^")
}

func TestBasisTermErrors(t *testing.T) {
	nothing := make([]string, 40)
	for i := range nothing {
		nothing[i] = " ?!"
	}
	constant := make([]float64, 40)
	df := wave(t).CBind(frame(t, Col("empty", nothing), Col("same", constant)))
	for _, test := range []struct {
		term    string
		kind    error
		message string // with the formula and the carets below it
	}{
		{"rbf(x, width = 0)", ErrSetting, "rbf(x, width = 0): the width of radial basis functions is 0; it is positive"},
		{"rbf(x, width = -1)", ErrSetting, "is -1; it is positive"},
		{"rbf(x, width = z)", ErrSyntax, "width of rbf is a number, not z\n    y ~ rbf(x, width = z)\n                       ^"},
		{"rbf(x, width = 1/0)", ErrSyntax, "width of rbf is a number, not 1/0"},
		{"rbf(x, centers = 1)", ErrSetting, "one prototype has no default width"},
		{"rbf(z, centers = 8)", ErrSetting, "8 prototypes from 7 distinct rows; take 1 to 7"},
		{"rbf(z, centers = 8, seed = 1)", ErrSetting, "from 7 distinct rows"},
		{"rbf(same)", ErrSetting, "one prototype"},
		{"rbf(x, centers = 2.5)", ErrSyntax, "whole number"},
		{"rbf(x, centers = \"some\")", ErrSyntax, "not \"some\"\n    y ~ rbf(x, centers = \"some\")\n                         ^^^^^^"},
		{"rbf(x, z, centers = c(1, 2))", ErrSetting, "needs one column, not 2"},
		{"rbf(x, seed = 0)", ErrSyntax, "seed of rbf"},
		{"rbf(centers = 3)", ErrSyntax, "a column is missing: rbf(..., centers, width, seed)"},
		{"rbf(x, 10)", ErrSyntax, "10 is not a column; arguments of rbf other than columns are named: rbf(..., centers, width, seed)"},
		{"rbf(x, .)", ErrSyntax, "the dot"},
		{"rbf(text)", ErrNotNumeric, `column "text" is text`},
		{"ns(x, df = 0)", ErrSyntax, "df of ns is a whole number of at least 1, not 0"},
		{"ns(z, 7)", ErrSetting, "ns(z, 7): a spline of 7 columns needs more than 7 distinct values; there are 7\n    y ~ ns(z, 7)\n        ^^^^^^^^"},
		{"ns(x, knots = c(0, 99))", ErrSetting, "the interior knot 99 is not between the boundary knots"},
		{"ns(x, knots = c())", ErrSyntax, "knots of ns has no numbers"},
		{"ns(x, knots = c(1, a = 2))", ErrSyntax, "no names"},
		{"ns(x, knots = c(1, z))", ErrSyntax, "not z"},
		{"ns(x, df = 3, knots = 1)", ErrSetting, "not both"},
		{"ns(x, Boundary.knots = 3)", ErrSetting, "two numbers"},
		{"ns(same, 2)", ErrSetting, "needs a range"},
		{"ns(x, degree = 2)", ErrSyntax, `ns has no argument "degree"`},
		{"bs(x, 2)", ErrSetting, "DF = 2; the spline has at least 3 columns"},
		{"poly(same, 2)", ErrSetting, "there are 1"},
		{"fourier(x)", ErrSetting, "give the period"},
		{"fourier(x, period = 0)", ErrSetting, "the period is 0"},
		{"fourier(x, -7)", ErrSetting, "the period is -7"},
		{"fourier(x, 7, order = 0)", ErrSyntax, "order of fourier"},
		{"words(x)", ErrSetting, `column "x" is not text`},
		{"words(empty)", ErrSetting, "words(empty): none of the 40 documents has a word"},
		{"words(text, min = 100)", ErrSetting, "lower MinCount"},
		{"words(text, min = -1)", ErrSyntax, "min of words"},
		{"words(I(text))", ErrSyntax, "words takes the name of a text column"},
		{"log(rbf(x))", ErrSyntax, "rbf gives columns"},
		{"c(1, 2)", ErrSyntax, `no function "c"`},
	} {
		t.Run(test.term, func(t *testing.T) {
			_, err := Design(df, "y ~ "+test.term)
			wantError(t, err, test.kind, test.message)
		})
	}
	_, err := Design(df, "y ~ rbf(y, x)")
	wantError(t, err, ErrResponse, "also a predictor: rbf(y, x)")
}

// The columns of a frame that columns of the design are made from.
func TestTermsInputs(t *testing.T) {
	df := get(Frame(
		Col("x", []float64{1, 2, 3, 4, 5, 6}), Col("z", []float64{2, 1, 3, 5, 4, 6}),
		Col("kind", []string{"a", "b", "a", "b", "a", "b"}), Col("y", []float64{1, 2, 4, 3, 6, 5}),
	))(t)
	d := get(Design(df, "y ~ poly(x, 2) + I(x * z) + kind + rbf(x, z, centers = 2, width = 1) + poly(x, 2):kind"))(t)
	terms := TermsOf(d)
	for column, want := range map[string][]string{
		"poly(x, 2)2":                        {"x"},
		"I(x * z)":                           {"x", "z"},
		"kindb":                              {"kind"},
		"poly(x, 2)1:kindb":                  {"x", "kind"},
		"rbf(x, z, centers = 2, width = 1)2": {"x", "z"},
	} {
		if got, err := terms.Inputs(column); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s is made from %q, %v", column, got, err)
		}
	}
	if _, err := terms.Inputs("poly(x, 2)3"); !errors.Is(err, ErrNoColumn) {
		t.Error(err)
	}
}
