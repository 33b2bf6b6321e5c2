package mlreg

import (
	"fmt"
	"math/big"
	"reflect"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/dd"
)

// rawPowers returns n rows of the powers 1 ... p of a column, to twice the digits,
// with a response, weights and a group.
func rawPowers(n, p int) *Design {
	d := &Design{X: mat.NewDense(n, p, nil), XLow: mat.NewDense(n, p, nil), Response: "y"}
	for j := range p {
		d.Names = append(d.Names, fmt.Sprintf("x^%d", j+1))
	}
	d.Coding = NewCoding(nil, []TermGroup{{Name: "low", Terms: []string{"x^1", "x^2"}}, {Name: "high", Terms: d.Names[2:], Margins: []string{"low"}}}, "", nil)
	for i := range n {
		x := 1.7 + float64(i*i%97)/7.3 // no power of which is a float64
		for j := range p {
			hi, lo := Power(x, j+1)
			d.X.Set(i, j, hi)
			d.XLow.Set(i, j, lo)
		}
		d.Y = append(d.Y, float64(i*37%19)-x)
		d.Weights = append(d.Weights, 1+float64(i%3))
		d.RowNumbers = append(d.RowNumbers, 2*i+1)
	}
	return d
}

// withoutLow returns the design rounded to float64.
func withoutLow(d *Design) *Design { return d.withColumns(doubleColumns{hi: d.X}) }

func exactValue(d *Design, i, j int) *big.Rat {
	v := rat(d.X.At(i, j))
	if d.XLow != nil {
		v.Add(v, rat(d.XLow.At(i, j)))
	}
	return v
}

// Every method of a design that returns a design carries both parts of its
// columns, and its names, groups, scaling, rows and weights stay consistent.
func TestDesignsKeepTwiceTheDigits(t *testing.T) {
	d := rawPowers(23, 6)
	same := func(d *Design, i, j int) *big.Rat { return exactValue(d, i, j) }
	scaling := &Scaling{Center: []float64{1, 2, 3, 4, 5, 6}, Scale: []float64{.1, 3, 7, 11, 13, 17}}
	scaled := func(s *Scaling) func(d *Design, i, j int) *big.Rat {
		return func(d *Design, i, j int) *big.Rat {
			v := exactValue(d, i, j)
			return v.Quo(v.Sub(v, rat(s.Center[j])), rat(s.Scale[j]))
		}
	}
	cases := map[string]struct {
		of   func(d *Design) (*Design, error)
		want func(d *Design, i, j int) *big.Rat
	}{
		"Rows": {
			func(d *Design) (*Design, error) { return d.Rows(7, 2, 2), nil },
			func(d *Design, i, j int) *big.Rat { return exactValue(d, []int{7, 2, 2}[i], j) },
		},
		"Split": {
			func(d *Design) (*Design, error) {
				mask := make([]bool, 23)
				mask[5], mask[9] = true, true
				in, _, err := d.Split(mask)
				return in, err
			},
			func(d *Design, i, j int) *big.Rat { return exactValue(d, []int{5, 9}[i], j) },
		},
		"Select": {
			func(d *Design) (*Design, error) { return d.Select("x^6", "x^2") },
			func(d *Design, i, j int) *big.Rat { return exactValue(d, i, []int{5, 1}[j]) },
		},
		"Rescale":      {func(d *Design) (*Design, error) { return d.Rescale(scaling) }, scaled(scaling)},
		"WithResponse": {func(d *Design) (*Design, error) { return d.WithResponse("z", d.Weights), nil }, same},
		"LessOffset":   {func(d *Design) (*Design, error) { return d.LessOffset(), nil }, same},
		"Standardize": {
			func(d *Design) (*Design, error) { return d.Standardize(nil) },
			func(d *Design, i, j int) *big.Rat {
				s := get(d.Standardize(nil))(t)
				return scaled(s.Scaling)(d, i, j)
			},
		},
		"Presence": { // of what is above a value by the low part alone
			func(d *Design) (*Design, error) { return d.Presence(d.X.At(3, 4)) },
			func(d *Design, i, j int) *big.Rat {
				if exactValue(d, i, j).Cmp(rat(d.X.At(3, 4))) > 0 {
					return rat(1)
				}
				return rat(0)
			},
		},
	}
	of := reflect.TypeOf(d)
	for k := range of.NumMethod() {
		m := of.Method(k)
		for out := range m.Type.NumOut() {
			if _, ok := cases[m.Name]; m.Type.Out(out) == of && !ok {
				t.Errorf("Design.%s is not tested here", m.Name)
			}
		}
	}
	for name, c := range cases {
		got, err := c.of(d)
		must(t, got, err)
		dropped, err := c.of(withoutLow(d))
		must(t, dropped, err)
		if err := got.Check(); err != nil {
			t.Error(name, err)
		}
		changed := false
		for i := range got.NObs() {
			for j := range got.NTerms() {
				want := c.want(d, i, j)
				if got := exactValue(got, i, j); relativeTo(got, want) > 1e-28 {
					t.Fatalf("%s: row %d, term %q is off by %.1e", name, i, d.Names[j], relativeTo(got, want))
				}
				changed = changed || exactValue(dropped, i, j).Cmp(exactValue(got, i, j)) != 0
			}
		}
		if !changed && !(name == "Presence" && d.XLow.At(3, 4) <= 0) {
			t.Errorf("%s: the low parts make no difference, so the test sees nothing", name)
		}
		for i := range got.NObs() {
			k := slices.Index(d.RowNumbers, got.RowNumber(i))
			if k < 0 || got.Weights[i] != d.Weights[k] {
				t.Errorf("%s: row %d has another number or weight", name, i)
			}
		}
	}
	for _, c := range []struct {
		names []string
		want  []TermGroup
	}{
		{[]string{"x^6", "x^2"}, []TermGroup{{Name: "high", Terms: []string{"x^6"}, Margins: []string{"low"}}, {Name: "low", Terms: []string{"x^2"}}}},
		{[]string{"x^3"}, []TermGroup{{Name: "high", Terms: []string{"x^3"}, Margins: []string{}}}},
	} {
		sub := get(d.Select(c.names...))(t)
		if got := inGroups(sub.Names, sub.Coding.Groups()); !reflect.DeepEqual(got, c.want) {
			t.Errorf("groups of what is selected: %v", got)
		}
	}
	d.Classes = []string{"a", "b"}
	if z := d.WithResponse("z", d.Weights); z.Classes != nil || z.Response != "z" {
		t.Errorf("another response: %q of the classes %v", z.Response, z.Classes)
	}
}

func relativeTo(got, want *big.Rat) float64 {
	diff := new(big.Rat).Sub(got, want)
	if want.Sign() != 0 {
		diff.Quo(diff, want)
	}
	f, _ := diff.Abs(diff).Float64()
	return f
}

// Fits, and diagnostics that fit again, see the low part: they have the digits that
// they promise on X + XLow, which X alone has not.
func TestFitsSeeTwiceTheDigits(t *testing.T) {
	sequential(t)
	d := rawPowers(40, 8)
	coef, _ := exactFit(t, d)
	fit := get(FitOLS(d, nil))(t)
	digits, _ := fit.Digits()
	dropped := get(FitOLS(withoutLow(d), nil))(t)
	blind := true
	for j, b := range fit.Coef() {
		if trueDigits(b, coef[j]) < float64(digits) {
			t.Errorf("coefficient %d has %.1f digits, and %d are promised", j, trueDigits(b, coef[j]), digits)
		}
		blind = blind && trueDigits(dropped.Coef()[j], coef[j]) >= float64(digits)
	}
	if blind || digits < 13 {
		t.Errorf("%d digits, as many without the low part: the test sees nothing", digits)
	}
	rss, _, err := nested(d)
	must(t, rss, err)
	near(t, "RSS of all terms", rss[8], fit.RSS(), 1e-13)
	near(t, "RSS of five terms", rss[5], get(SubsetModel{Terms: d.Names[:5]}.Refit(d))(t).RSS(), 1e-13)
	plain := d.withoutWeights()
	full := get(FitOLS(plain.WithResponse("y", plain.Y), nil))(t)
	path := get(ExpectedErrorPath(plain.WithResponse("y", nil), plain.Y, 0))(t)
	near(t, "bias", path[8].Bias2*40, full.RSS(), 1e-13)
	standard := get(FitOLS(get(d.Standardize(nil))(t), nil))(t)
	near(t, "RSS of standardized terms", standard.RSS(), fit.RSS(), 1e-13)
	if _, err := FitOLS(d.withColumns(doubleColumns{d.X, mat.NewDense(40, 7, nil)}), nil); err == nil {
		t.Error("a low part of another shape is taken")
	}
	if v := (doubleColumns{d.X, d.XLow}).at(3, 4); v != (dd.Number{Hi: d.X.At(3, 4), Lo: d.XLow.At(3, 4)}) {
		t.Errorf("value %v", v)
	}
}
