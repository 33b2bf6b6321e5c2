package mlreg

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/expect"
)

// values returns the factors of rows.
func values(rows []VIFRow) []float64 {
	v := make([]float64, len(rows))
	for i, r := range rows {
		v[i] = r.VIF
	}
	return v
}

// determinant of a symmetric positive definite matrix, by elimination.
func determinant(s [][]*big.Rat) *big.Rat {
	det := big.NewRat(1, 1)
	for a := range s {
		det.Mul(det, s[a][a])
		for b := a + 1; b < len(s); b++ {
			f := new(big.Rat).Quo(s[b][a], s[a][a])
			for c := a; c < len(s); c++ {
				s[b][c] = new(big.Rat).Sub(s[b][c], new(big.Rat).Mul(f, s[a][c]))
			}
		}
	}
	return det
}

// exactGVIF returns det(S_gg) det(S_oo) / det(S) of the rows in rational arithmetic.
func exactGVIF(d *Design, terms []string) *big.Rat {
	total := new(big.Rat)
	mean := make([]*big.Rat, d.NTerms())
	for j := range mean {
		mean[j] = new(big.Rat)
	}
	for i := range d.NObs() {
		total.Add(total, rat(d.Weight(i)))
		for j := range mean {
			mean[j].Add(mean[j], new(big.Rat).Mul(rat(d.Weight(i)), exactValue(d, i, j)))
		}
	}
	for j := range mean {
		if mean[j].Quo(mean[j], total); d.NoIntercept {
			mean[j].SetInt64(0)
		}
	}
	part := func(cols []int) *big.Rat {
		s := make([][]*big.Rat, len(cols))
		for a := range cols {
			s[a] = make([]*big.Rat, len(cols))
			for b := range cols {
				s[a][b] = new(big.Rat)
				for i := range d.NObs() {
					x := new(big.Rat).Sub(exactValue(d, i, cols[a]), mean[cols[a]])
					x.Mul(x, new(big.Rat).Sub(exactValue(d, i, cols[b]), mean[cols[b]]))
					s[a][b].Add(s[a][b], x.Mul(x, rat(d.Weight(i))))
				}
			}
		}
		return determinant(s)
	}
	var in, out, all []int
	for j, name := range d.Names {
		all = append(all, j)
		if slices.Contains(terms, name) {
			in = append(in, j)
		} else {
			out = append(out, j)
		}
	}
	v := new(big.Rat).Mul(part(in), part(out))
	return v.Quo(v, part(all))
}

// VIF and GVIF are right to the digits that they promise, which are many, in
// rational arithmetic: of powers to twice the digits, of near copies, with weights,
// without intercept, and of sums.
func TestVIFDigits(t *testing.T) {
	repeats(t)
	rnd := rand.New(rand.NewPCG(3, 4))
	designs := map[string]*Design{"powers": rawPowers(25, 7), "random": randomDesign(t, 2, 15, 4)}
	for _, gap := range []float64{1e-3, 1e-8} {
		designs[fmt.Sprint("copies up to ", gap)] = illConditioned(t, rnd, 12, 4, gap, 1)
	}
	none := *rawPowers(20, 4)
	none.NoIntercept = true
	designs["no intercept"] = &none
	far := randomDesign(t, 5, 15, 3)
	far.X.Apply(func(_, j int, v float64) float64 { return v + float64(j)*1e7 }, far.X)
	designs["far from zero"] = far
	least := map[string]int{"sums of random": 12, "sums of no intercept": 3}
	for name, d := range designs {
		exact := map[string]*big.Rat{} // of rows and of their sums
		check := func(name string, data Data, least int) {
			t.Helper()
			k := d.NTerms() / 2
			groups := []TermGroup{{Name: "first", Terms: d.Names[:k]}, {Name: "second", Terms: d.Names[k:]}}
			columns, err := VIF(data)
			must(t, columns, err)
			terms, err := GVIF(data, groups...)
			for i, r := range append(columns, must(t, terms, err)...) {
				of := []string{r.Term}
				if i >= len(columns) {
					of = groups[i-len(columns)].Terms
				}
				if exact[r.Term] == nil {
					exact[r.Term] = exactGVIF(d, of)
				}
				got := trueDigits(r.VIF, exact[r.Term])
				if got < float64(r.Digits) || r.Digits < least || int(r.DF) != len(of) {
					t.Errorf("%s: VIF of %q is %v, right to %.1f digits, and promises %d of at least %d; DF %v", name, r.Term, r.VIF, got, r.Digits, least, r.DF)
				}
			}
		}
		check(name, d, 14)
		if m, err := d.Moments(); err == nil {
			if _, err := FitOLS(m, nil); err == nil {
				check("sums of "+name, m, least["sums of "+name])
			}
		}
	}
	// The low part decides.
	if a, b := get(VIF(designs["powers"]))(t), get(VIF(withoutLow(designs["powers"])))(t); slices.Equal(a, b) {
		t.Error("VIF does not see the low part of the columns")
	}
}

// So many rows that sums take their place, and the same rows one column wider, by
// a copy too near for sums: both keep their promise.
func TestVIFOfManyRows(t *testing.T) {
	const n, p = 90000, 10
	d := randomDesign(t, 8, n, p)
	got := get(VIF(d))(t)
	want := got
	if !expect.RaceDetector { // in double-double: no goroutine
		want = get(VIF(d.withColumns(doubleColumns{d.X, mat.NewDense(n, p, nil)})))(t)
	}
	for j, r := range got {
		near(t, r.Term, r.VIF, want[j].VIF, tenTo(-r.Digits))
		if r.Digits < 10 || want[j].Digits < 14 && !expect.RaceDetector {
			t.Errorf("%s: %d digits by sums, %d by rows", r.Term, r.Digits, want[j].Digits)
		}
	}
	wide := mat.NewDense(n, p+1, nil) // whose last column is nearly that before it
	wide.Slice(0, n, 0, p).(*mat.Dense).Copy(d.X)
	for i := range n {
		wide.Set(i, p, d.X.At(i, p-1)+1e-7*d.X.At(i, i%p))
	}
	for _, r := range get(VIF(&Design{X: wide, Y: d.Y, Names: append(slices.Clone(d.Names), "copy"), Response: d.Response}))(t) {
		if r.Digits < 7 {
			t.Errorf("%s beside a copy that is too near for sums: %d digits of %g", r.Term, r.Digits, r.VIF)
		}
	}
	g, err := GVIF(d, TermGroup{Name: "a", Terms: d.Names[:3]}, TermGroup{Name: "b", Terms: d.Names[3:]})
	must(t, g, err)
	near(t, "of two groups", g[0].VIF, g[1].VIF, 1e-10) // det R_gg det R_oo is the same for both
}

func tenTo(e int) float64 {
	v := 1.0
	for range -e {
		v /= 10
	}
	return v
}

// Groups: those of the design by default, columns that lie apart too; what does not
// hold every column once is refused.
func TestGVIFGroups(t *testing.T) {
	d := randomDesign(t, 3, 30, 4)
	d.Coding = NewCoding(nil, []TermGroup{{Name: "g", Terms: []string{"x1", "x3"}}}, "", nil)
	rows := get(GVIF(d))(t)
	if len(rows) != 3 || rows[0].Term != "g" || rows[0].DF != 2 || rows[1].Term != "x2" {
		t.Errorf("rows %v", rows)
	}
	near(t, "apart", rows[0].VIF, float(exactGVIF(d, []string{"x1", "x3"})), 1e-14)
	near(t, "per degree of freedom", rows[0].PerDF*rows[0].PerDF*rows[0].PerDF*rows[0].PerDF, rows[0].VIF, 1e-14)
	near(t, "one of one column", rows[1].VIF, get(VIF(d))(t)[1].VIF, 1e-14)
	near(t, "sums", get(GVIF(get(d.Moments())(t)))(t)[0].VIF, rows[0].VIF, 1e-12)
	_, err := GVIF(d, TermGroup{Name: "g", Terms: []string{"x1", "x3"}})
	wantError(t, "groups", err, ErrShape, `"x2"`)
	_, err = GVIF(nil)
	wantError(t, "nil", err, ErrNoData)
	one := get(d.Select("x1"))(t)
	if rows := get(GVIF(one))(t); rows[0].VIF != 1 || rows[0].Term != "g" {
		t.Errorf("one term: %v", rows)
	}
	d.X.SetCol(2, mat.Col(nil, 0, d.X))
	_, err = GVIF(d)
	wantError(t, "aliased", err, ErrRankDeficient, `"x3"`, "take for infinite their factors")
}

func float(x *big.Rat) float64 {
	f, _ := x.Float64()
	return f
}
