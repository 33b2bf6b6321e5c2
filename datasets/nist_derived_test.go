package datasets

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math/big"
	"os"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the sets that are derived from others")

// The derived sets are what NIST's description makes of the published ones, in exact
// arithmetic. go test ./datasets -run Derived -update writes them.
func TestDerivedSets(t *testing.T) {
	for _, c := range []*Certified{wampler2(), wamplerNoise("Wampler3", 1, -2), wamplerNoise("Wampler5", 10000, 2)} {
		want := get(json.MarshalIndent(nistFile{
			Name: c.Name, Source: c.Source, Derived: true, Powers: c.Powers, Coef: c.CoefText, StdErr: c.StdErrText,
			ResidualSD: c.ResidualSDText, R2: c.R2Text, Y: c.YText, X: c.XText,
		}, "", ""))(t)
		path := "nist/" + strings.ToLower(c.Name) + ".json"
		if *update {
			if err := os.WriteFile("data/"+path, want, 0o644); err != nil {
				t.Fatal(err)
			}
		} else if !bytes.Equal(read(path), want) {
			t.Errorf("%s is not what NIST's description makes of the published sets; go test -update writes that", path)
		}
	}
}

// derived returns a copy of a set under another name, without its numbers.
func derived(from *Certified, name, how string) *Certified {
	c := *from
	c.Name, c.Derived = name, true
	c.Source = "derived exactly from NIST StRD " + from.Name + ": " + how
	c.YText, c.CoefText, c.StdErrText = slices.Clone(c.YText), slices.Clone(c.CoefText), slices.Clone(c.StdErrText)
	return &c
}

func wampler2() *Certified {
	c := derived(readNIST("Wampler1"), "Wampler2", "its design, with y = 1 + x/10 + ... + (x/10)^5")
	for i, s := range c.XText {
		x := new(big.Rat).Quo(rat(s), big.NewRat(10, 1))
		y := new(big.Rat)
		for range 6 { // Horner
			y.Add(y.Mul(y, x), big.NewRat(1, 1))
		}
		c.YText[i] = y.FloatString(5) // y is a whole number of 1e-5
	}
	for k := range c.CoefText {
		c.CoefText[k] = big.NewRat(1, power(10, k)).FloatString(15)
	}
	return c
}

// wamplerNoise returns Wampler1 with its errors times factor; shift moves the
// decimal point of Wampler4's standard errors.
func wamplerNoise(name string, factor int64, shift int) *Certified {
	clean, noisy := readNIST("Wampler1"), readNIST("Wampler4")
	c := derived(noisy, name, fmt.Sprintf("y of Wampler1 + %d e, where Wampler4 has 100 e", factor))
	for i := range c.YText {
		exact := rat(clean.YText[i])
		e := new(big.Rat).Sub(rat(noisy.YText[i]), exact)
		e.Mul(e, big.NewRat(factor, 100))
		c.YText[i] = e.Add(e, exact).RatString() // a whole number
	}
	for k, s := range c.StdErrText {
		c.StdErrText[k] = fmt.Sprintf("%sE%+03d", s, shift)
	}
	c.ResidualSDText = fmt.Sprintf("%sE%+03d", c.ResidualSDText, shift)
	c.R2Text = rSquared(clean.YText, c.YText).FloatString(15)
	return c
}

// rSquared returns 1 - RSS/TSS of the given fitted values, exactly.
func rSquared(fitted, y []string) *big.Rat {
	mean, rss, tss := new(big.Rat), new(big.Rat), new(big.Rat)
	for _, s := range y {
		mean.Add(mean, rat(s))
	}
	mean.Quo(mean, big.NewRat(int64(len(y)), 1))
	for i, s := range y {
		r := new(big.Rat).Sub(rat(s), rat(fitted[i]))
		rss.Add(rss, r.Mul(r, r))
		d := new(big.Rat).Sub(rat(s), mean)
		tss.Add(tss, d.Mul(d, d))
	}
	return rss.Sub(big.NewRat(1, 1), rss.Quo(rss, tss))
}

func rat(s string) *big.Rat {
	r, ok := new(big.Rat).SetString(s)
	if !ok {
		panic(fmt.Sprintf("datasets: %q is not a decimal", s))
	}
	return r
}

func power(base int64, k int) int64 {
	p := int64(1)
	for range k {
		p *= base
	}
	return p
}
