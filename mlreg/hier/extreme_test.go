package hier

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/regbook/regbook/internal/expect"
	"github.com/regbook/regbook/internal/fatal"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/internal/algebra"
	"github.com/regbook/regbook/mlreg/internal/gram"
)

// Groups that differ by a million standard deviations of the residuals, a predictor that
// explains all but 1e-12, slopes that vary a million standard deviations from zero, without an
// intercept or independent of one: the optimum of testdata/extreme.py in 50 digits. lme4
// gives 464.51 for the first criterion, which is 461.75, 337.41499 for the third, 337.41555, and
// 480.14 for the last, 472.51; it drops the predictor of the fourth.
func TestFarFromZero(t *testing.T) {
	var ref struct {
		Data  map[string]map[string]any
		Cases []struct {
			Name      string
			Criterion float64
		}
	}
	expect.JSON(t, "testdata/extreme.json", &ref)
	var exact map[string]struct {
		Criterion, Sigma float64
		Beta, StdErr, SD []float64
	}
	expect.JSON(t, "testdata/extreme_exact.json", &exact)
	one := []string{mlreg.InterceptName}
	for _, c := range []struct {
		name, data string
		varying    []mlreg.Varying
		digits     float64 // of b* and the variances
	}{
		{"far", "far", []mlreg.Varying{{Terms: one}}, 1e-9},
		{"steep", "steep", []mlreg.Varying{{Terms: one}}, 1e-9},
		{"slope6", "slope6", []mlreg.Varying{{Terms: []string{"x"}}}, 1e-8},
		{"slope9", "slope9", []mlreg.Varying{{Terms: []string{"x"}}}, 1e-5},
		{"both6", "both6", []mlreg.Varying{{Shape: mlreg.DiagonalCovariance}}, 1e-8},
	} {
		t.Run(c.name, func(t *testing.T) {
			column := func(name string) []float64 {
				var out []float64
				for _, v := range ref.Data[c.data][name].([]any) {
					out = append(out, v.(float64))
				}
				return out
			}
			y := column("y")
			d := &mlreg.Design{X: algebra.NewDense(len(y), 1), Y: y, Names: []string{"x"}, Response: "y"}
			d.X.SetCol(0, column("x"))
			g := fatal.On(mlreg.NewGrouping("g", column("g")))(t)
			fit := fatal.On(Fit(d, g, &Settings{Varying: c.varying}))(t)
			want := exact[c.name]
			if !(fit.Decrement() < 1e-9) || !(fit.Curvature() > 0) {
				t.Errorf("decrement %g, curvature %g", fit.Decrement(), fit.Curvature())
			}
			expect.Near(t, "criterion", fit.Criterion(), want.Criterion, 1e-9)
			expect.Near(t, "sigma", math.Sqrt(fit.Sigma2()), want.Sigma, c.digits)
			expect.NearAll(t, "b*", fit.Coef(), want.Beta, c.digits)
			expect.NearAll(t, "standard errors", fit.StdErr(), want.StdErr, c.digits)
			for i, sd := range want.SD {
				expect.Near(t, "standard deviation between groups", fit.Variances()[i].StdDev, sd, c.digits)
			}
		})
	}
}

// Rows that the groups fit to rounding are saturated, however large, and sums whose residuals
// are rounding, too.
func TestSaturated(t *testing.T) {
	d, g := schools(t, 3, 8, 6)
	for _, size := range []float64{1e-6, 1, 1e9} {
		y := make([]float64, d.NObs())
		for i := range y {
			y[i] = size * (math.Sin(float64(levelsOf(g)[0].Of[i]+1)) + d.X.At(i, 0)/3)
		}
		settings := &Settings{Varying: []mlreg.Varying{{Terms: []string{mlreg.InterceptName}}}}
		if _, err := Fit(d.WithResponse("y", y), g, settings); !errors.Is(err, mlreg.ErrSaturated) {
			t.Errorf("size %g: %v", size, err)
		}
		for i := range y {
			y[i] += 1e-9 * size * math.Cos(float64(7*i))
		}
		if _, err := Fit(d.WithResponse("y", y), g, settings); err != nil {
			t.Errorf("size %g with noise: %v", size, err)
		}
	}
}

// An intercept that varies about zero, of a design that has none.
func TestInterceptAboutZero(t *testing.T) {
	d, g := schools(t, 3, 8, 6)
	none := *d
	none.NoIntercept = true
	intercept := []mlreg.Varying{{Terms: []string{mlreg.InterceptName}}}
	a := fatal.On(Fit(&none, g, &Settings{Varying: intercept}))(t)
	b := fatal.On(Fit(d, g, &Settings{Varying: intercept, ZeroMean: []string{mlreg.InterceptName}}))(t)
	expect.Near(t, "criterion", a.Criterion(), b.Criterion(), 1e-12)
	expect.NearAll(t, "b*", a.Coef(), b.Coef(), 1e-12)
	if a.Coef()[0] != 0 || a.Parameters() != 3 {
		t.Errorf("intercept %v, %d parameters", a.Coef()[0], a.Parameters())
	}
}

// Classes in schools that differ by a million standard deviations of the residuals: REML of the
// balanced layout is the analysis of variance.
func TestNestedFarFromZero(t *testing.T) {
	const schools, classes, each = 6, 3, 4
	src := rand.New(rand.NewPCG(20, 1))
	var y []float64
	var school, class []int
	for a := range schools {
		u := 1e6 * src.NormFloat64()
		for b := range classes {
			w := 2 * src.NormFloat64()
			for range each {
				y, school, class = append(y, math.Round(1e3*(u+w+src.NormFloat64()))/1e3), append(school, a), append(class, b)
			}
		}
	}
	g := fatal.On(mlreg.NestGroups(fatal.On(mlreg.NewGrouping("school", school))(t), "class", class))(t)
	fit := fatal.On(Fit(&mlreg.Design{X: algebra.NewDense(len(y), 0), Y: y, Response: "y"}, g, nil))(t)
	msw, msb, msa := 0.0, 0.0, 0.0
	grand := 0.0
	for _, v := range y {
		grand += v / float64(len(y))
	}
	for a := range schools {
		rows := y[a*classes*each : (a+1)*classes*each]
		mean := 0.0 // from the first row
		for _, v := range rows {
			mean += (v - rows[0]) / float64(len(rows))
		}
		msa += classes * each * gram.Square(rows[0]+mean-grand) / (schools - 1)
		for b := range classes {
			in := rows[b*each : (b+1)*each]
			own := 0.0
			for _, v := range in {
				own += (v - rows[0]) / each
			}
			msb += each * gram.Square(own-mean) / (schools * (classes - 1))
			for _, v := range in {
				msw += gram.Square(v-rows[0]-own) / (schools * classes * (each - 1))
			}
		}
	}
	expect.Near(t, "sigma^2", fit.Sigma2(), msw, 1e-7)
	expect.Near(t, "classes", fit.Variances()[0].Variance, (msb-msw)/each, 1e-7)
	expect.Near(t, "schools", fit.Variances()[1].Variance, (msa-msb)/(classes*each), 1e-7)
}
