package datasets

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/go-gota/gota/dataframe"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
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
// times 1/100 and 100. Their R2 is computed in rational arithmetic. A test derives
// them and holds the embedded files to what it finds.
func NIST(name string) (*Certified, error) {
	k := slices.IndexFunc(NISTNames(), func(s string) bool { return strings.EqualFold(s, name) })
	if k < 0 {
		return nil, fmt.Errorf("datasets: no certified set %q; there are %s", name, strings.Join(NISTNames(), ", "))
	}
	return readNIST(NISTNames()[k]), nil
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

// CorrectDigits returns the number of correct decimal digits of the worst value,
//
//	min over j of -log10(|got_j - want_j| / |want_j|),
//
// 0 to 15, with the absolute error where want_j is 0, and 0 if a value of got is NaN or
// infinite: the log relative error of McCullough (1998), The American Statistician 52,
// 358-366. Hold the coefficients of a program against Certified.Coef with it. The error
// is mlreg.ErrShape if the lengths differ, and mlreg.ErrNoData if there are no values.
func CorrectDigits(got, want []float64) (float64, error) {
	if len(got) != len(want) {
		return 0, fmt.Errorf("datasets: %w: %d values to compare with %d", mlreg.ErrShape, len(got), len(want))
	}
	if len(got) == 0 {
		return 0, fmt.Errorf("datasets: %w: no values to compare", mlreg.ErrNoData)
	}
	least := 15.0
	for j, w := range want {
		off := math.Abs(got[j] - w)
		if w != 0 {
			off /= math.Abs(w)
		}
		digits := -math.Log10(off)
		if math.IsNaN(digits) {
			digits = 0
		}
		least = min(least, digits)
	}
	return max(least, 0), nil
}

// nistFile is an embedded set.
type nistFile struct {
	Name       string   `json:"name"`
	Source     string   `json:"source"`
	Derived    bool     `json:"derived,omitempty"`
	Powers     []int    `json:"powers"`
	Coef       []string `json:"coef"`
	StdErr     []string `json:"stderr"`
	ResidualSD string   `json:"residual_sd"`
	R2         string   `json:"r_squared"`
	Y          []string `json:"y"`
	X          []string `json:"x"`
}

func readNIST(name string) *Certified {
	var file nistFile
	if err := json.Unmarshal(read("nist/"+strings.ToLower(name)+".json"), &file); err != nil {
		panic(fmt.Sprintf("datasets: %s: %v", name, err))
	}
	c := &Certified{
		Name: file.Name, Source: file.Source, Derived: file.Derived, Powers: file.Powers,
		XText: file.X, YText: file.Y, CoefText: file.Coef, StdErrText: file.StdErr,
		ResidualSDText: file.ResidualSD, R2Text: file.R2,
	}
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
