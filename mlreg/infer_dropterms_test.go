package mlreg

import (
	"bytes"
	"encoding/gob"
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/report"
)

// crossed returns rows of three factors and a number with aliased terms: c has as
// many levels as a and b together, each within one level of a; some cells of a:b
// are empty.
func crossed(t *testing.T, seed uint64, n int) (*Design, []TermGroup) {
	t.Helper()
	r := randomDesign(t, seed, n, 4)
	x := mat.NewDense(n, 12, nil)
	for i := range n {
		raw := r.X.RawRowView(i)
		a, b := i%3, int(math.Abs(raw[0])*7)%3
		if a == 2 && b == 2 {
			b = 0
		}
		c := 2*a + i/3%2
		for l := 1; l < 3; l++ {
			x.Set(i, l-1, indicator(a == l))
			x.Set(i, l+1, indicator(b == l))
		}
		for l := 1; l < 5; l++ {
			x.Set(i, 3+l, indicator(c == l))
		}
		x.Set(i, 8, raw[1])
		x.Set(i, 9, indicator(a == 1 && b == 1))
		x.Set(i, 10, indicator(a == 2 && b == 2))
		x.Set(i, 11, indicator(a == 1 && b == 2))
	}
	names := make([]string, 12)
	for j := range names {
		names[j] = fmt.Sprintf("x%d", j)
	}
	groups := []TermGroup{
		{Name: "a", Terms: names[:2]}, {Name: "b", Terms: names[2:4]}, {Name: "c", Terms: names[4:8]}, {Name: "x", Terms: names[8:9]},
		{Name: "a:b", Terms: names[9:12], Margins: []string{"a", "b"}},
	}
	d := mustDesign(t, x, r.Y, names...)
	d.Coding = NewCoding(nil, groups, "", nil)
	return d, groups
}

func indicator(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// refit returns RSS and rank without the terms of the groups named.
func refit(t *testing.T, d *Design, without ...string) (rss, rank float64) {
	t.Helper()
	var names []string
	for _, g := range d.Coding.Groups() {
		if !slices.Contains(without, g.Name) {
			names = append(names, g.Terms...)
		}
	}
	part, err := d.Select(names...)
	f := fitted(t, must(t, part, err), &OLSSettings{Aliased: DropAliased})
	return f.RSS(), f.DoF()
}

// What a line says is what two fits differ by, with aliased terms as well, in any
// order, with weights, without an intercept, in other units, of sums and stored.
func TestDropTermsByRefits(t *testing.T) {
	sequential(t)
	for seed := range uint64(6) {
		d, _ := crossed(t, seed, 40)
		switch seed {
		case 1: // c before what it contains
			groups := d.Coding.Groups()
			groups = []TermGroup{groups[2], groups[0], groups[1], groups[3], groups[4]}
			var order []string
			for _, g := range groups {
				order = append(order, g.Terms...)
			}
			part, err := d.Select(order...)
			d = must(t, part, err)
			d.Coding = NewCoding(nil, groups, "", nil)
		case 2:
			d.Weights = make([]float64, 40)
			for i := range d.Weights {
				d.Weights[i] = float64(i % 4)
			}
		case 3:
			d.NoIntercept = true
		case 4: // an empty cell has no scale
			d.X.SetCol(10, mat.Col(nil, 9, d.X))
			scaled, err := d.Standardize(nil)
			d = must(t, scaled, err)
		}
		m, err := d.Moments()
		sums := fitted(t, must(t, m, err), &OLSSettings{Aliased: DropAliased})
		f := fitted(t, d, &OLSSettings{Aliased: DropAliased})
		if len(f.Aliased()) < 2 {
			t.Fatalf("aliased terms %q", f.Aliased())
		}
		raw, err := f.Raw()
		must(t, raw, err)
		var stored OLS
		var buffer bytes.Buffer
		if err := gob.NewEncoder(&buffer).Encode(f); err != nil {
			t.Fatal(err)
		}
		if err := gob.NewDecoder(&buffer).Decode(&stored); err != nil {
			t.Fatal(err)
		}
		for _, f := range []*OLS{f, sums, raw, &stored} {
			above := map[string][]string{"a": {"a:b"}, "b": {"a:b"}}
			check := func(what string, row AnovaRow, beside []string) {
				t.Helper()
				less, lessRank := refit(t, d, beside...)
				rss, rank := refit(t, d, append(slices.Clone(beside), row.Term)...)
				if row.DF != lessRank-rank || math.Abs(row.SumSq-(rss-less)) > 1e-10*f.TSS() {
					t.Errorf("seed %d, %s, %s: %+v, refits differ by %v and df %v", seed, f.Method(), what, row, rss-less, lessRank-rank)
				}
				if row.DF == 0 {
					if row.SumSq != 0 || !math.IsNaN(row.F) || !math.IsNaN(row.P) {
						t.Errorf("seed %d, %s: %+v", seed, what, row)
					}
					return
				}
				near(t, "F", row.F, (rss-less)/row.DF/f.Sigma2(), 1e-7)
			}
			rows, err := f.DropIgnoringMargins()
			for _, row := range must(t, rows, err) {
				check("all", row, nil)
			}
			rows, err = f.DropTerms()
			if len(must(t, rows, err)) != 3 {
				t.Errorf("%d lines that are in no margin", len(rows))
			}
			for _, row := range rows {
				check("not marginal", row, nil)
			}
			rows, err = f.AnovaTypeII()
			must(t, rows, err)
			if last := rows[5]; last.Term != "Residuals" || last.SumSq != f.RSS() {
				t.Errorf("last line %+v", last)
			}
			for _, row := range rows[:5] {
				check("type II", row, above[row.Term])
			}
			_, err = f.AnovaTypeIII()
			wantError(t, "type III", err, ErrNotEstimable, `"x`)
		}
	}
}

func TestAnovaTypeIII(t *testing.T) {
	d := randomDesign(t, 7, 20, 3)
	f := fitted(t, d, nil)
	drop, err := f.DropTerms()
	must(t, drop, err)
	three, err := f.AnovaTypeIII()
	if len(must(t, three, err)) != 4 || !slices.Equal(three[:3], drop) || three[3].Term != "Residuals" {
		t.Errorf("type III %v, each term dropped %v", three, drop)
	}
	groups := []TermGroup{{Name: "a", Terms: d.Names[:1], Reference: []string{`b = "u"`}}, {Name: "b", Terms: d.Names[1:2]},
		{Name: "a:b", Terms: d.Names[2:], Margins: []string{"a", "b"}}}
	_, err = f.AnovaTypeIII(groups...)
	wantError(t, "reference level", err, ErrSetting, `"a" would be about b = "u" only`)
	_, err = f.DropTerms(groups[:2]...)
	wantError(t, "groups", err, ErrShape, `"x3"`)
	least := fitted(t, d.Rows(0, 1, 2), &OLSSettings{Aliased: MinimumNorm})
	for _, test := range []func(...TermGroup) (report.Rows[AnovaRow], error){least.DropTerms, least.DropIgnoringMargins, least.AnovaTypeII, least.AnovaTypeIII} {
		_, err = test()
		wantError(t, "minimum norm", err, ErrNotEstimable)
	}
}

// The last of the indicators of units within 2 kinds is what the others leave of
// the kind. Sums tell it as rows do.
func TestNestedIndicatorsOfSums(t *testing.T) {
	for _, n := range []int{84, 400, 3000} {
		for _, units := range []int{12, 40} {
			x, y := mat.NewDense(n, units+1, nil), randomDesign(t, 3, n, 2)
			for i := range n {
				u := (i * 7) % units
				x.Set(i, 0, indicator(u >= units/2))
				x.Set(i, 1, y.X.At(i, 0)*3+400)
				if u > 0 {
					x.Set(i, u+1, 1)
				}
			}
			d := mustDesign(t, x, y.Y)
			m, err := d.Moments()
			sums := fitted(t, must(t, m, err), &OLSSettings{Aliased: DropAliased})
			if rows := fitted(t, d, &OLSSettings{Aliased: DropAliased}); !slices.Equal(sums.Aliased(), rows.Aliased()) || len(rows.Aliased()) != 1 {
				t.Errorf("%d rows, %d units: aliased %q, of rows %q", n, units, sums.Aliased(), rows.Aliased())
			}
		}
	}
}
