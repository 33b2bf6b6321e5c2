package mlreg

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/regbook/regbook/mlreg/internal/gram"
)

// One QR gives the residual sums of squares of the fits to the first k columns,
// aliased ones included, at any scale and with weights.
func TestNestedSums(t *testing.T) {
	wide := randomDesign(t, 5, 8, 11)
	aliased := randomDesign(t, 6, 30, 6)
	for i := range 30 {
		aliased.X.Set(i, 2, aliased.X.At(i, 0)-3*aliased.X.At(i, 1))
	}
	weighted := randomDesign(t, 7, 20, 4)
	for i := range 20 {
		weighted.Weights = append(weighted.Weights, float64(i%4))
	}
	through := randomDesign(t, 8, 20, 4)
	through.NoIntercept = true
	huge := randomDesign(t, 9, 20, 4)
	huge.X.Scale(1e100, huge.X)
	for i := range huge.Y {
		huge.Y[i] *= 1e120
	}
	for name, d := range map[string]*Design{"wide": wide, "aliased": aliased, "weighted": weighted, "no intercept": through, "huge": huge} {
		t.Run(name, func(t *testing.T) {
			rss, _, err := nested(d)
			must(t, rss, err)
			if len(rss) != d.NTerms()+1 {
				t.Fatalf("%d sums for %d terms", len(rss), d.NTerms())
			}
			for k := 1; k <= d.NTerms(); k++ {
				if rss[k] > rss[k-1] {
					t.Errorf("the residual sum of squares rises at column %d", k)
				}
				sub := get(d.Select(d.Names[:k]...))(t)
				fit := get(FitOLS(sub, &OLSSettings{Aliased: DropAliased}))(t)
				if math.Abs(rss[k]-fit.RSS()) > 1e-13*rss[0] {
					t.Errorf("%d columns: %v, FitOLS has %v", k, rss[k], fit.RSS())
				}
				if k == 1 {
					near(t, "no column", rss[0], fit.TSS(), 1e-13)
				}
			}
		})
	}
	_, _, err := nested(&Design{})
	wantErr(t, err, ErrNoData)
}

// A large design is solved in working precision; the sums are the same.
func TestNestedSumsLarge(t *testing.T) {
	if testing.Short() {
		t.Skip("large")
	}
	d := randomDesign(t, 11, 4000, 300)
	rss, _, err := nested(d)
	must(t, rss, err)
	fit := get(FitOLS(d, nil))(t)
	near(t, "all columns", rss[300], fit.RSS(), 1e-12)
	near(t, "no column", rss[0], fit.TSS(), 1e-12)
}

// truthDesign is powers to the given degree at n points of [-1, 1], and a truth
// that no polynomial is.
func truthDesign(t *testing.T, n, degree int) (*Design, func(float64) float64) {
	t.Helper()
	f := func(x float64) float64 { return math.Exp(x) * math.Sin(4*x) }
	p := get(NewPowers(degree))(t)
	x := make([]float64, n)
	for i := range x {
		x[i] = 2*float64(i)/float64(n-1) - 1
	}
	return expandCurve(t, p, x, f), f
}

// Bias and variance from the hat matrix, and identities between them.
func TestExpectedErrorPath(t *testing.T) {
	const n, degree, sigma2 = 12, 11, 0.3
	d, _ := truthDesign(t, n, degree)
	path := get(ExpectedErrorPath(d, d.Y, sigma2))(t)
	for k := 1; k <= 6; k++ {
		sub := get(d.Select(d.Names[:k]...))(t)
		h := get(HatMatrix(sub))(t)
		var mean, rest mat.VecDense
		mean.MulVec(h, mat.NewVecDense(n, d.Y))
		rest.SubVec(mat.NewVecDense(n, d.Y), &mean)
		bias2 := mat.Dot(&rest, &rest) / n
		variance := sigma2 * mat.Trace(h) / n
		near(t, "bias", path[k].Bias2, bias2, 1e-11)
		near(t, "variance", path[k].Variance, variance, 1e-12)
		near(t, "error", path[k].Error, bias2+variance, 1e-12)
		near(t, "training", path[k].Training, bias2+sigma2*(1-float64(k+1)/n), 1e-12)
		near(t, "optimism", path[k].New-path[k].Training, 2*sigma2*float64(k+1)/n, 1e-12)
		at := get(ExpectedErrorAt(sub, sub, sigma2, ErrorOnAliased))(t)
		if at.Rank != k+1 || path[k].Rank != k+1 {
			t.Errorf("rank %d and %d of %d columns", at.Rank, path[k].Rank, k)
		}
		nearAll(t, fmt.Sprint("at the training rows, degree ", k), []float64{at.Bias2, at.Variance, at.Training, at.New},
			[]float64{path[k].Bias2, path[k].Variance, path[k].Training, path[k].New}, 1e-9)
	}
	// Degree n-1 interpolates: no bias, no training error, all of the noise.
	last := path[degree]
	if last.Rank != n || last.Bias2 > 1e-25 || math.Abs(last.Training) > 1e-15 || math.Abs(last.New-2*sigma2) > 1e-15 {
		t.Errorf("interpolation: %+v", last)
	}
}

// The means over many draws of the noise are what the formulas say, at training
// rows and at others, with more columns than rows too.
func TestExpectedErrorBySimulation(t *testing.T) {
	repeats(t)
	const n, sigma2, draws = 9, 0.5, 4000
	rnd := rand.New(rand.NewPCG(3, 4))
	for _, degree := range []int{2, 5, 13} {
		train, f := truthDesign(t, n, degree)
		at := get(ExpandLike(train, inputs(-.95, -.3, .1, .62, 1.1), []float64{f(-.95), f(-.3), f(.1), f(.62), f(1.1)}))(t)
		want := get(ExpectedErrorAt(train, at, sigma2, MinimumNorm))(t)
		var errors, training []float64
		for range draws {
			noisy := *train
			noisy.Y = make([]float64, n)
			for i := range noisy.Y {
				noisy.Y[i] = train.Y[i] + math.Sqrt(sigma2)*rnd.NormFloat64()
			}
			fit := get(FitOLS(&noisy, &OLSSettings{Aliased: MinimumNorm}))(t)
			r := get(fit.Residuals(at))(t)
			errors = append(errors, gram.Squares(r)/float64(len(r)))
			training = append(training, fit.RSS()/n)
		}
		for _, c := range []struct {
			what   string
			sample []float64
			want   float64
		}{{"error", errors, want.Error}, {"training", training, want.Training}} {
			mean, sd := stat.MeanStdDev(c.sample, nil)
			if math.Abs(mean-c.want) > 4*sd/math.Sqrt(draws)+1e-12 {
				t.Errorf("degree %d, %s: mean %v of the draws, expected %v", degree, c.what, mean, c.want)
			}
		}
	}
}

func TestExpectedErrorErrors(t *testing.T) {
	d := randomDesign(t, 1, 6, 2)
	for _, sigma2 := range []float64{-1, math.NaN(), math.Inf(1)} {
		_, err := ExpectedErrorPath(d, d.Y, sigma2)
		wantErr(t, err, ErrSetting, "noise variance", fmt.Sprint(sigma2))
	}
	_, err := ExpectedErrorPath(d, d.Y[:3], 1)
	wantErr(t, err, ErrShape, "3 values for the 6 rows")
	unknown := *d
	unknown.Y = nil
	_, err = ExpectedErrorAt(d, &unknown, 1, ErrorOnAliased)
	wantErr(t, err, ErrNoData)
	weighted := *d
	weighted.Weights = []float64{1, 1, 1, 1, 1, 2}
	_, err = ExpectedErrorPath(&weighted, d.Y, 1)
	wantErr(t, err, ErrSetting, "without weights")
	_, err = ExpectedErrorAt(randomDesign(t, 2, 4, 6), d, 1, ErrorOnAliased)
	wantErr(t, err, ErrRankDeficient)
}

// Ridge regression is linear in the response: its fits to the n unit responses make
// the matrix of it, and the errors follow from that.
func TestExpectedRidgeErrorAt(t *testing.T) {
	const sigma2 = 0.7
	tall, wide, through := randomDesign(t, 21, 9, 3), randomDesign(t, 22, 6, 8), randomDesign(t, 23, 8, 3)
	through.NoIntercept = true
	raw := randomDesign(t, 24, 9, 3)
	standardized := get(raw.Standardize(nil))(t)
	for name, c := range map[string]struct {
		train *Design
		at    *Design
	}{
		"tall": {tall, randomDesign(t, 31, 5, 3)}, "wide": {wide, randomDesign(t, 32, 5, 8)},
		"no intercept": {through, through.Rows(0, 2, 5)}, "raw rows": {standardized, raw.Rows(1, 4)},
	} {
		for _, lambda := range []float64{0.05, 3} {
			got, err := ExpectedRidgeErrorAt(c.train, c.at, sigma2, lambda)
			if err != nil {
				t.Fatal(name, err)
			}
			n, m := c.train.NObs(), c.at.NObs()
			smoother := func(d *Design) *mat.Dense {
				s := mat.NewDense(d.NObs(), n, nil)
				for i := range n {
					unit := make([]float64, n)
					unit[i] = 1
					fit := get(FitRidge(c.train.WithResponse("y", unit), lambda, nil))(t)
					column := get(fit.Predict(d))(t)
					s.SetCol(i, column)
				}
				return s
			}
			var bias, own mat.VecDense
			s, h := smoother(c.at), smoother(c.train)
			f := mat.NewVecDense(n, c.train.Y)
			bias.MulVec(s, f)
			bias.SubVec(mat.NewVecDense(m, c.at.Y), &bias)
			own.MulVec(h, f)
			own.SubVec(f, &own)
			rest := mat.NewDiagDense(n, nil)
			for i := range n {
				rest.SetDiag(i, 1)
			}
			var noise mat.Dense
			noise.Sub(rest, h)
			square := func(a mat.Matrix) float64 { return math.Pow(mat.Norm(a, 2), 2) }
			want := []float64{square(&bias) / float64(m), sigma2 * square(s) / float64(m),
				(square(&own) + sigma2*square(&noise)) / float64(n)}
			nearAll(t, fmt.Sprint(name, ", lambda ", lambda), []float64{got.Bias2, got.Variance, got.Training}, want, 1e-10)
			near(t, "new", got.New, got.Error+sigma2, 1e-15)
			near(t, "error", got.Error, got.Bias2+got.Variance, 1e-15)
		}
	}
	free := get(ExpectedRidgeErrorAt(tall, tall, sigma2, 0))(t)
	ols := get(ExpectedErrorAt(tall, tall, sigma2, ErrorOnAliased))(t)
	if free.Rank != 4 || ols.Rank != 4 {
		t.Errorf("rank %d, of least squares %d", free.Rank, ols.Rank)
	}
	nearAll(t, "no penalty", []float64{free.Bias2, free.Variance, free.Training}, []float64{ols.Bias2, ols.Variance, ols.Training}, 1e-10)

	_, err := ExpectedRidgeErrorAt(tall, tall, -1, 1)
	wantErr(t, err, ErrSetting, "noise variance")
	_, err = ExpectedRidgeErrorAt(tall, tall, 1, -1)
	wantErr(t, err, ErrSetting, "lambda")
	_, err = ExpectedRidgeErrorAt(wide, wide, 1, 0)
	wantErr(t, err, ErrRankDeficient)
	unknown := *tall
	unknown.Y = nil
	_, err = ExpectedRidgeErrorAt(tall, &unknown, 1, 1)
	wantErr(t, err, ErrNoData)
}

// The variance of ridge regression on many columns with zeros is that of the matrix that makes its predictions of the response.
func TestExpectedRidgeErrorOfSparseColumns(t *testing.T) {
	const sigma2, lambda = 0.7, 5
	d := sparseDesign(t, 330, 140)
	n := float64(d.NObs())
	_, hat := ridgeByInverse(t, d, lambda)
	e := get(ExpectedRidgeErrorAt(d, d, sigma2, lambda))(t)
	square := math.Pow(mat.Norm(hat, 2), 2)
	near(t, "variance", e.Variance, sigma2*square/n, 1e-11)
	near(t, "training", e.Training, e.Bias2+sigma2*(n-2*mat.Trace(hat)+square)/n, 1e-11)
	if e.Rank != 140 {
		t.Errorf("rank %d", e.Rank)
	}
}
