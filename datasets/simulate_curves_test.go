package datasets

import (
	"errors"
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
	"gonum.org/v1/gonum/stat"
)

// The mean over many draws is the truth, the variance is Sigma2, and the same
// seed gives the same sample.
func TestCurveDraw(t *testing.T) {
	for name, c := range map[string]Curve{"PolyVsDegree": PolyVsDegree(), "PostPred": PostPred(), "Sine": Sine()} {
		src := rand.NewPCG(1, 2)
		exact, err := c.Exact(nil)
		if err != nil {
			t.Fatal(err)
		}
		truth := floats(t, exact, "y")
		var standardised []float64
		for range 2000 {
			df, err := c.Draw(src)
			if err != nil {
				t.Fatal(err)
			}
			for i, y := range floats(t, df, "y") {
				standardised = append(standardised, (y-truth[i])/math.Sqrt(c.Sigma2))
			}
			if !slices.Equal(floats(t, df, "x"), c.X) {
				t.Fatalf("%s: x %v", name, df.Col("x"))
			}
		}
		n := math.Sqrt(float64(len(standardised)))
		if mean, v := stat.MeanVariance(standardised, nil); math.Abs(mean) > 4/n || math.Abs(v-1) > 4*math.Sqrt2/n {
			t.Errorf("%s: standardised noise has mean %v and variance %v", name, mean, v)
		}
		one, err := c.Draw(rand.NewPCG(5, 5))
		if err != nil {
			t.Fatal(err)
		}
		two, err := c.Draw(rand.NewPCG(5, 5))
		if err != nil || !slices.Equal(floats(t, one, "y"), floats(t, two, "y")) {
			t.Errorf("%s: the same seed gives another sample, %v", name, err)
		}
	}
}

// The parameters that pmtk3's scripts have.
func TestCurveTruth(t *testing.T) {
	at := func(c Curve, x, sigma2 float64, n int) float64 {
		t.Helper()
		if c.Sigma2 != sigma2 || len(c.X) != n {
			t.Errorf("variance %v, %d inputs", c.Sigma2, len(c.X))
		}
		return c.F(x)
	}
	if v := at(PolyVsDegree(), 18, 4, 21); math.Abs(v-9) > 1e-14 {
		t.Errorf("parabola of figure 1.7 at 18: %v", v)
	}
	if v := at(PostPred(), 2, 25, 5); v != 16 {
		t.Errorf("parabola of figure 7.12 at 2: %v", v)
	}
	if v := at(Sine(), .25, .09, 12); v != 1 {
		t.Errorf("wave at 1/4: %v", v)
	}
}

func TestCurveErrors(t *testing.T) {
	c := Sine()
	c.Sigma2 = -1
	_, err := c.Draw(rand.NewPCG(1, 1))
	if !errors.Is(err, mlreg.ErrSetting) || !strings.Contains(err.Error(), "is -1") {
		t.Error(err)
	}
	c = Curve{F: math.Log, X: []float64{1, 0}}
	if _, err = c.Draw(rand.NewPCG(1, 1)); !errors.Is(err, mlreg.ErrNotFinite) || !strings.Contains(err.Error(), "input 2 of the curve is 0, and the function -Inf") {
		t.Error(err)
	}
	if _, err = c.Exact([]float64{math.NaN()}); !errors.Is(err, mlreg.ErrNotFinite) {
		t.Error(err)
	}
	if _, err = (Curve{F: math.Sin}).Exact(nil); !errors.Is(err, mlreg.ErrNoData) {
		t.Error(err)
	}
	if _, err = (Curve{X: []float64{1}}).Draw(rand.NewPCG(1, 1)); !errors.Is(err, mlreg.ErrSetting) {
		t.Error(err)
	}
}

// Words in four reviews or more can be fitted; those in three are too many for
// so few, and their minimum-norm fit interpolates.
func TestReviews(t *testing.T) {
	d, err := frames.Design(Reviews(), "stars ~ words(text, min = 4)")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := mlreg.FitOLS(d, nil); err != nil {
		t.Error(d.Names, err)
	}
	if d, err = frames.Design(Reviews(), "stars ~ words(text, min = 3)"); err != nil {
		t.Fatal(err)
	}
	if _, err := mlreg.FitOLS(d, nil); !errors.Is(err, mlreg.ErrRankDeficient) {
		t.Errorf("%d words: %v", d.NTerms(), err)
	}
	fit, err := mlreg.FitOLS(d, &mlreg.OLSSettings{Aliased: mlreg.MinimumNorm})
	if err != nil || fit.RSS() > 1e-24 {
		t.Errorf("minimum norm: %v, %v", fit.RSS(), err)
	}
}

// A parabola with noise, and its fits of degree 1 and 2 (Murphy's figure 1.7).
func ExamplePolyVsDegree() {
	sample, err := PolyVsDegree().Draw(rand.NewPCG(1, 0))
	if err != nil {
		log.Fatal(err)
	}
	for _, formula := range []string{"y ~ x", "y ~ poly(x, 2, raw = TRUE)"} {
		d, err := frames.Design(sample, formula)
		if err != nil {
			log.Fatal(err)
		}
		fit, err := mlreg.FitOLS(d, nil)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%.3f, residual variance %.2f\n", fit.Coef(), fit.Sigma2())
	}
	// Output:
	// [-7.706 0.753], residual variance 21.04
	// [-0.170 -1.627 0.119], residual variance 4.57
}

// Training error and expected error of polynomials, exactly.
func ExampleCurve_Exact() {
	truth, err := Sine().Exact(nil)
	if err != nil {
		log.Fatal(err)
	}
	d, err := frames.Design(truth, "y ~ poly(x, 10)")
	if err != nil {
		log.Fatal(err)
	}
	path, err := mlreg.ExpectedErrorPath(d, d.Y, Sine().Sigma2)
	if err != nil {
		log.Fatal(err)
	}
	for _, degree := range []int{1, 3, 8, 10} {
		e := path[degree]
		fmt.Printf("degree %2d: training %.4f, new responses %.4f\n", degree, e.Training, e.New)
	}
	// Output:
	// degree  1: training 0.3289, new responses 0.3589
	// degree  3: training 0.0666, new responses 0.1266
	// degree  8: training 0.0225, new responses 0.1575
	// degree 10: training 0.0075, new responses 0.1725
}

// Which words go with stars, on so few reviews: those whose estimate is larger
// than its standard error.
func ExampleReviews() {
	d, err := frames.Design(Reviews(), "stars ~ words(text, min = 4)")
	if err != nil {
		log.Fatal(err)
	}
	fit, err := mlreg.FitOLS(d, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d words, R2 %.2f\n", d.NTerms(), fit.R2())
	se := fit.StdErr()
	for j, w := range fit.Coef() {
		if math.Abs(w) > se[j] {
			fmt.Printf("%-28s %5.2f (%.2f)\n", fit.Names()[j], w, se[j])
		}
	}
	// Output:
	// 18 words, R2 0.94
	// (Intercept)                   1.85 (1.25)
	// words(text, min = 4)a         0.88 (0.66)
	// words(text, min = 4)broke    -1.10 (0.77)
	// words(text, min = 4)fast      1.38 (0.88)
	// words(text, min = 4)love      2.09 (0.88)
	// words(text, min = 4)solid     1.00 (0.67)
}
