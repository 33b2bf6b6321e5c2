package assess_test

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/janpfeifer/must"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/assess"
)

// psa is the response of the prostate data, as a sample.
func psa() *mlreg.Design { return must.M1(frames.Design(datasets.Prostate(), "lpsa ~ 1")) }

// The median of a sample, with limits.
func ExampleBootstrap() {
	boot := must.M1(assess.Bootstrap(psa(), assess.QuantileStatistic(0.5), rand.NewPCG(1, 2), &assess.BootstrapSettings{Names: []string{"median"}}))
	fmt.Println(boot)
	fmt.Printf("%d of %d resamples, %d failed; standard error %.3f, bias %.3f\n", boot.B(), boot.Planned, boot.Failed(), boot.StdErr(), boot.Bias())
	// Output:
	// Bootstrap
	// term    estimate   bias  std. error  lower 95%  upper 95%  Monte Carlo error
	// median     2.592  -0.02      0.1458      2.214      2.806             0.0061
	// 2000 resamples of 97 rows, percentile limits at 95%
	//
	// 2000 of 2000 resamples, 0 failed; standard error [0.146], bias [-0.020]
}

// A statistic of your own: it takes the weights of the rows into account, as fits do.
func ExampleBootstrap_statistic() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + lweight"))
	r2 := func(d *mlreg.Design) ([]float64, error) {
		ols, err := mlreg.FitOLS(d, nil)
		if err != nil {
			return nil, err
		}
		return []float64{ols.R2()}, nil
	}
	boot := must.M1(assess.Bootstrap(d, r2, rand.NewPCG(1, 2), &assess.BootstrapSettings{B: 1000, Names: []string{"R²"}}))
	for _, kind := range []assess.IntervalKind{assess.Normal, assess.Basic, assess.Percentile, assess.BCa} {
		limits := must.M1(boot.ConfInt(kind, 0.95))
		fmt.Printf("%-10v  %.2f to %.2f\n", kind, limits[0].Lower, limits[0].Upper)
	}
	// Output:
	// normal      0.48 to 0.71
	// basic       0.49 to 0.72
	// percentile  0.47 to 0.71
	// BCa         0.46 to 0.70
}

// The bootstrap of a maximum fails: most resamples repeat it, and none exceeds it.
func ExampleBoot_Warnings() {
	boot := must.M1(assess.Bootstrap(psa(), assess.MaxStatistic, rand.NewPCG(1, 2), &assess.BootstrapSettings{Names: []string{"maximum"}}))
	fmt.Println(boot.Warnings())
	fmt.Println(boot.Warnings().Has(assess.WarnOrderStatistic, "maximum"))
	// Output:
	// Warnings of a bootstrap
	// kind             warning
	// order statistic  maximum: 85% of the resamples take one of two values, and one row alone moves the estimate; it depends on one or two order statistics, and the bootstrap of them fails
	//
	// true
}

// The coefficients of least squares by resampling rows, which does not suppose that the
// noise is Gaussian or of the same size everywhere.
func ExampleBootstrapOLS() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + lweight + svi"))
	boot := must.M1(assess.BootstrapOLS(d, rand.NewPCG(1, 2), nil))
	fmt.Println(must.M1(boot.Table(assess.BCa, 0.95)))
	// Output:
	// Bootstrap
	// term         estimate     bias  std. error  lower 95%  upper 95%  Monte Carlo error
	// (Intercept)   -0.7772  -0.0059      0.6751     -2.116      0.578             0.0598
	// lcavol         0.5259  -0.0026      0.0696      0.397      0.667             0.0046
	// lweight        0.6618   0.0021      0.1821      0.299      1.025             0.0141
	// svi            0.6657  -0.0022      0.2135      0.263      1.104             0.0163
}

// The band of a curve: cubic splines refitted to resamples (ESL, section 8.2).
func ExampleBoot_Band() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ bs(lcavol, 7)"))
	boot := must.M1(assess.BootstrapOLS(d, rand.NewPCG(1, 2), &assess.BootstrapSettings{B: 200, At: d.Rows(0, 30, 60, 90)}))
	fmt.Println(must.M1(boot.Band(assess.Percentile, 0.95)))
	// Output:
	// Confidence band of the mean
	// row  fitted  std. error  lower 95%  upper 95%
	//   1   1.073      0.3593      0.250      1.824
	//   2   1.937      0.1545      1.576      2.204
	//   3   2.035      0.1595      1.638      2.327
	//   4   4.206      0.5361      2.966      5.166
}

// Any fit that takes sums: the lasso holds coefficients at zero in some resamples, and
// limits of those are not to be believed.
func ExampleBootstrapFit() {
	d := must.M1(must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + lweight + age")).Standardize(nil))
	boot := must.M1(assess.BootstrapFit(d, func(data mlreg.Data) (*mlreg.Lasso, error) {
		return mlreg.FitLasso(data, 20, nil)
	}, rand.NewPCG(1, 2), &assess.BootstrapSettings{B: 500}))
	fmt.Println(boot)
	// Output:
	// Bootstrap
	// term         estimate     bias  std. error  lower 95%  upper 95%  Monte Carlo error
	// (Intercept)     2.478  -0.0065     0.07644      2.327      2.611             0.0103
	// lcavol          0.683  -0.0115     0.08705      0.506      0.858             0.0159
	// lweight         0.203  -0.0015     0.07562      0.040      0.357             0.0130
	// age             0.000  -0.0033     0.01689     -0.055      0.000             0.0095
	// 500 resamples of 97 rows, percentile limits at 95%
	// warning: age: 85% of the resamples give 0, an end of the range of the estimate
}

// Limits of a test error over few rows.
func ExampleBootstrapTestError() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ . - train"))
	of := must.M1(must.M1(mlreg.RandomParts(d.NObs(), rand.NewPCG(1, 2), 0.7, 0.3)).Designs(d))
	ols := must.M1(mlreg.FitOLS(of[0], nil))
	boot := must.M1(assess.BootstrapTestError(ols, of[1], mlreg.SquaredLoss, rand.NewPCG(3, 4), nil))
	fmt.Println(must.M1(boot.Table(assess.Studentized, 0.95)))
	// Output:
	// Bootstrap
	// term           estimate    bias  std. error  lower 95%  upper 95%  Monte Carlo error
	// squared error    0.5051  0.0033       0.175     0.2243      1.675              0.085
}

// The error on new rows, estimated without any.
func ExampleBootstrapError() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ . - train"))
	a := must.M1(assess.BootstrapError(d, func(d *mlreg.Design) (any, error) { return mlreg.FitOLS(d, nil) }, mlreg.SquaredLoss, rand.NewPCG(1, 2), nil))
	fmt.Println(a)
	// Output:
	// Error estimated from the rows fitted
	// estimate                 squared error
	// apparent                         0.444
	// leave-one-out bootstrap          0.601
	// .632                             0.543
	// .632+                            0.546
	// no information                   2.194
	// 200 resamples of 97 rows; Monte Carlo error of leave-one-out 0.0092; relative overfitting 0.09
}

// The median of a sample.
func ExampleQuantileStatistic() {
	d := must.M1(mlreg.NewDesign(nil, []float64{1, 2, 3, 10}))
	median := assess.QuantileStatistic(0.5)
	fmt.Println(must.M1(median(d)))
	// Output:
	// [2.5]
}

// How far the distribution of a sample is from the one that it was drawn from.
func ExampleNewEDF() {
	rnd := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{10, 1000, 100_000} {
		x := make([]float64, n)
		for i := range x {
			x[i] = rnd.Float64()
		}
		f := must.M1(assess.NewEDF(x))
		fmt.Printf("n = %6d  F(0.5) = %.3f  distance %.4f, below %.4f with probability 0.95\n",
			n, f.At(0.5), f.Distance(func(x float64) float64 { return math.Min(math.Max(x, 0), 1) }), must.M1(f.Band(0.95)))
	}
	// Output:
	// n =     10  F(0.5) = 0.500  distance 0.2814, below 0.4295 with probability 0.95
	// n =   1000  F(0.5) = 0.512  distance 0.0246, below 0.0429 with probability 0.95
	// n = 100000  F(0.5) = 0.499  distance 0.0029, below 0.0043 with probability 0.95
}

// The limits of one number by every kind, with what its distribution looks like.
func ExampleBoot_Limits() {
	boot := must.M1(assess.Bootstrap(psa(), assess.MeanStatistic, rand.NewPCG(1, 2), &assess.BootstrapSettings{Names: []string{"mean"}}))
	fmt.Println(must.M1(boot.Limits("mean", 0.95)))
	values, estimate, err := boot.Replicated("mean")
	if err != nil {
		panic(err)
	}
	fmt.Printf("%d values about %.3f, cautions: %q\n", len(values), estimate, boot.Cautions("mean"))
	fmt.Println(boot.Describe().Notes)
	// Output:
	// Confidence limits
	// term         lower 95%  upper 95%
	// percentile      2.2348     2.7095
	// basic           2.2473     2.7219
	// normal          2.2506     2.7161
	// studentized    NA         NA
	// BCa             2.2468     2.7245
	//
	// 2000 values about 2.478, cautions: []
	// [2000 resamples of 97 rows, percentile limits at 95%]
}

// Resamples that are given: all four of two rows.
func ExampleBootstrapSettings() {
	d := must.M1(mlreg.NewDesign(nil, []float64{0, 1}))
	all := mat.NewDense(4, 2, []float64{2, 0, 1, 1, 1, 1, 0, 2})
	boot := must.M1(assess.Bootstrap(d, assess.MeanStatistic, nil, &assess.BootstrapSettings{Weights: all}))
	fmt.Println(boot.Replicates[0])
	// Output:
	// [0 0.5 0.5 1]
}

// A row of weight 3 counts three times.
func ExampleMeanStatistic() {
	d := must.M1(mlreg.NewDesign(nil, []float64{0, 4}))
	d.Weights = []float64{1, 3}
	fmt.Println(must.M1(assess.MeanStatistic(d)))
	// Output:
	// [3]
}

// A row of weight zero does not count.
func ExampleMaxStatistic() {
	d := must.M1(mlreg.NewDesign(nil, []float64{1, 4, 2}))
	d.Weights = []float64{1, 0, 1}
	fmt.Println(must.M1(assess.MaxStatistic(d)))
	// Output:
	// [2]
}
