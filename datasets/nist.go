package datasets

import (
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/go-gota/gota/dataframe"
	"github.com/regbook/regbook/frames"
)

// Certified is a linear regression of NIST's Statistical Reference Datasets
// (StRD, https://www.itl.nist.gov/div898/strd/lls/lls.shtml; a work of the
// United States government, in the public domain): y on powers of x, with
// results certified to 15 digits. The published decimals are in the fields
// ending in Text; the numbers are the float64 nearest to them.
type Certified struct {
	Name    string
	Source  string
	Derived bool  // computed exactly from another set, as NIST describes; see NIST
	Powers  []int // the powers of x in the model, 0 for the intercept
	X, Y    []float64
	Coef    []float64 // of the powers, in their order
	StdErr  []float64
	// ResidualSD is sqrt(RSS/(n-p)). R2 is 1 - RSS/TSS, where TSS is about the
	// mean if there is an intercept and about 0 if not.
	ResidualSD, R2 float64

	XText, YText, CoefText, StdErrText []string
	ResidualSDText, R2Text             string
}

// NISTNames returns the names that NIST takes.
func NISTNames() []string {
	return []string{"Filip", "NoInt1", "Wampler1", "Wampler2", "Wampler3", "Wampler4", "Wampler5"}
}

// NIST returns a certified regression by its name, in upper or lower case. The
// error lists all names.
//
// Filip, NoInt1, Wampler1 and Wampler4 are as published. The others follow
// from them without rounding, since NIST made all Wampler sets on x = 0 ... 20
// from polynomials of degree 5 and one vector of errors e, orthogonal to them:
//
//	Wampler1  y = 1 + x + ... + x^5
//	Wampler2  y = 1 + x/10 + ... + (x/10)^5
//	Wampler3  y of Wampler1 + e
//	Wampler4  y of Wampler1 + 100 e
//	Wampler5  y of Wampler1 + 10000 e
//
// so that the standard errors of Wampler3 and Wampler5 are those of Wampler4
// times 1/100 and 100. Their R2 is computed in rational arithmetic.
func NIST(name string) (*Certified, error) {
	k := slices.IndexFunc(NISTNames(), func(s string) bool { return strings.EqualFold(s, name) })
	if k < 0 {
		return nil, fmt.Errorf("datasets: no certified set %q; there are %s", name, strings.Join(NISTNames(), ", "))
	}
	switch name := NISTNames()[k]; name {
	case "Wampler2":
		return wampler2(), nil
	case "Wampler3":
		return wamplerNoise(name, 1, -2), nil
	case "Wampler5":
		return wamplerNoise(name, 10000, 2), nil
	default:
		return published(name), nil
	}
}

// Frame returns the data as a frame with columns x and y.
func (c *Certified) Frame() dataframe.DataFrame {
	return built(frames.Col("x", c.X), frames.Col("y", c.Y))
}

// Formula returns the model as a formula for frames.Design.
func (c *Certified) Formula() string {
	degree := slices.Max(c.Powers)
	right := "x"
	if degree > 1 {
		right = fmt.Sprintf("poly(x, %d, raw = TRUE)", degree)
	}
	if !slices.Contains(c.Powers, 0) {
		right += " - 1"
	}
	return "y ~ " + right
}

// published reads an embedded set.
func published(name string) *Certified {
	var file struct {
		Name, Source string
		Powers       []int
		X, Y         []string
		Coef, StdErr []string
		ResidualSD   string `json:"residual_sd"`
		R2           string `json:"r_squared"`
	}
	if err := json.Unmarshal(read("nist/"+strings.ToLower(name)+".json"), &file); err != nil {
		panic(fmt.Sprintf("datasets: %s: %v", name, err))
	}
	return (&Certified{
		Name: file.Name, Source: file.Source, Powers: file.Powers,
		XText: file.X, YText: file.Y, CoefText: file.Coef, StdErrText: file.StdErr,
		ResidualSDText: file.ResidualSD, R2Text: file.R2,
	}).numbers()
}

// numbers fills the numbers from their texts.
func (c *Certified) numbers() *Certified {
	parse := func(s string) float64 {
		v, err := strconv.ParseFloat(s, 64)
		if err != nil {
			panic(fmt.Sprintf("datasets: %s: %v", c.Name, err))
		}
		return v
	}
	for _, pair := range []struct {
		text []string
		to   *[]float64
	}{{c.XText, &c.X}, {c.YText, &c.Y}, {c.CoefText, &c.Coef}, {c.StdErrText, &c.StdErr}} {
		*pair.to = make([]float64, len(pair.text))
		for i, s := range pair.text {
			(*pair.to)[i] = parse(s)
		}
	}
	c.ResidualSD, c.R2 = parse(c.ResidualSDText), parse(c.R2Text)
	return c
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
	c := derived(published("Wampler1"), "Wampler2", "its design, with y = 1 + x/10 + ... + (x/10)^5")
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
	return c.numbers()
}

// wamplerNoise returns Wampler1 with its errors times factor; shift moves the
// decimal point of Wampler4's standard errors.
func wamplerNoise(name string, factor int64, shift int) *Certified {
	clean, noisy := published("Wampler1"), published("Wampler4")
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
	return c.numbers()
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
