package mlreg_test

import (
	"fmt"
	"log"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg"
)

// noisy returns 40 rows of six terms, of which the response depends on two.
func noisy() *mlreg.Design {
	rnd := rand.New(rand.NewPCG(1, 2))
	x, y := mat.NewDense(40, 6, nil), make([]float64, 40)
	for i := range 40 {
		for j := range 6 {
			x.Set(i, j, rnd.NormFloat64())
		}
		y[i] = 5 + 3*x.At(i, 1) - 2*x.At(i, 4) + rnd.NormFloat64()
	}
	d, err := mlreg.NewDesign(x, y)
	if err != nil {
		log.Fatal(err)
	}
	return d
}

// The lasso leaves terms out and shrinks the others.
func ExampleFitLasso() {
	lasso, err := mlreg.FitLasso(noisy(), 40, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("active %v, slopes %.2f\n", lasso.Active(), lasso.Slopes())
	fmt.Printf("R2 %.2f with %v degrees of freedom; the gap is below 1e-6: %v\n", lasso.R2(), lasso.DoF(), lasso.Gap() <= 1e-6)
	// Output:
	// active [x2 x5], slopes [0.00 2.12 0.00 0.00 -1.38 0.00]
	// R2 0.79 with 3 degrees of freedom; the gap is below 1e-6: true
}

// A term that is always in, and one that may not be negative.
func ExampleFitElasticNet() {
	net, err := mlreg.FitElasticNet(noisy(), 20, 5, &mlreg.LassoSettings{AlwaysIn: []string{"x1"}, NonNegative: []string{"x5"}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.2f\n", net.Slopes())
	// Output:
	// [-0.39 1.58 -0.23 0.00 0.00 0.00]
}

// A path, the fit between two of its lambdas, and its L1 norm there.
func ExampleFitLassoPath() {
	path, err := mlreg.FitLassoPath(noisy(), &mlreg.PathSettings{Count: 5, Ratio: 0.05})
	if err != nil {
		log.Fatal(err)
	}
	for k, lambda := range path.Lambda() {
		terms, slopes := path.Active(k)
		fmt.Printf("lambda %6.2f  R2 %.2f  terms %d %.2f\n", lambda, path.R2()[k], terms, slopes)
	}
	fit, err := path.At(100)
	if err != nil {
		log.Fatal(err)
	}
	nu, err := path.Constraint(100)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("at 100: %.2f, norm %.2f\n", fit.Slopes(), nu)
	// Output:
	// lambda 128.46  R2 0.00  terms [] []
	// lambda  60.75  R2 0.65  terms [1 4] [1.59 -0.95]
	// lambda  28.73  R2 0.84  terms [1 4] [2.41 -1.61]
	// lambda  13.58  R2 0.88  terms [1 4] [2.79 -1.92]
	// lambda   6.42  R2 0.89  terms [1 2 3 4] [2.99 0.02 0.14 -2.08]
	// at 100: [0.00 0.67 0.00 0.00 -0.40 0.00], norm 1.07
}

// Half of the penalty on the squares.
func ExampleFitElasticNetPath() {
	path, err := mlreg.FitElasticNetPath(noisy(), 0.5, &mlreg.PathSettings{Lambda: []float64{100, 10, 1}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.2f\n", mat.Formatted(path.Slopes()))
	// Output:
	// ⎡ 0.00   0.55   0.00   0.00  -0.35   0.00⎤
	// ⎢-0.11   2.40   0.00   0.12  -1.71   0.00⎥
	// ⎣ 0.04   3.14   0.17   0.31  -2.19  -0.13⎦
}

// The exact path: where terms enter and leave.
func ExampleFitLARS() {
	path, err := mlreg.FitLARS(noisy(), nil)
	if err != nil {
		log.Fatal(err)
	}
	for k, lambda := range path.Lambda() {
		fmt.Printf("%.2f: enters %q, leaves %q\n", lambda, path.Entered()[k], path.Left()[k])
	}
	// Output:
	// 128.46: enters "x2", leaves ""
	// 106.72: enters "x5", leaves ""
	// 13.50: enters "x4", leaves ""
	// 7.13: enters "x3", leaves ""
	// 6.41: enters "x6", leaves ""
	// 2.52: enters "x1", leaves ""
	// 0.00: enters "", leaves ""
}

// How the slopes move from sweep to sweep.
func ExampleShootingAlgorithm() {
	f, err := mlreg.ShootingAlgorithm(noisy(), 40, &mlreg.ShootingSettings{FromZero: true})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d sweeps\n%.3f\n", f.Sweeps(), mat.Formatted(f.Trace().Slice(0, 4, 0, 6)))
	// Output:
	// 6 sweeps
	// ⎡ 0.000   0.000   0.000   0.000   0.000   0.000⎤
	// ⎢-0.303   1.538   0.000   0.000  -1.265   0.000⎥
	// ⎢ 0.000   2.083   0.000   0.000  -1.369   0.000⎥
	// ⎣ 0.000   2.116   0.000   0.000  -1.377   0.000⎦
}

// Ridge regression shrinks all terms and leaves none out.
func ExampleFitRidge() {
	d := noisy()
	ridge, err := mlreg.FitRidge(d, 10)
	if err != nil {
		log.Fatal(err)
	}
	loo, err := mlreg.LOOMSE(ridge, d)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("slopes %.2f, %.2f degrees of freedom, GCV %.3f, leave-one-out %.3f\n", ridge.Slopes(), ridge.DoF(), mlreg.GCV(ridge), loo)
	// Output:
	// slopes [-0.26 2.04 -0.10 0.16 -1.50 -0.00], 5.39 degrees of freedom, GCV 2.315, leave-one-out 2.331
}

// What is left of each principal direction, and how many degrees of freedom.
func ExampleFitRidgePath() {
	path, err := mlreg.FitRidgePath(noisy(), &mlreg.RidgePathSettings{Lambda: []float64{100, 10, 1}})
	if err != nil {
		log.Fatal(err)
	}
	for k, lambda := range path.Lambda() {
		fmt.Printf("lambda %3g: slopes %.2f, shrinkage %.2f\n", lambda, path.Fit(k).Slopes(), path.Shrinkage(lambda))
	}
	fmt.Printf("degrees of freedom at 50: %.2f\n", path.DoF(50))
	// Output:
	// lambda 100: slopes [-0.20 0.51 -0.10 0.02 -0.40 0.06], shrinkage [0.37 0.30 0.24 0.23 0.17 0.11]
	// lambda  10: slopes [-0.26 2.04 -0.10 0.16 -1.50 -0.00], shrinkage [0.86 0.81 0.76 0.75 0.67 0.54]
	// lambda   1: slopes [0.02 3.07 0.15 0.31 -2.15 -0.13], shrinkage [0.98 0.98 0.97 0.97 0.95 0.92]
	// degrees of freedom at 50: 3.26
}

// Regression on the first three principal components.
func ExampleFitPCR() {
	pcr, err := mlreg.FitPCR(noisy(), 3)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("singular values %.2f, R2 %.2f\n", pcr.SingularValues(), pcr.R2())
	// Output:
	// singular values [7.73 6.62 5.66 5.49 4.46 3.46], R2 0.49
}

// Ten folds, the best lambda and the largest that is about as good.
func ExampleFitLassoCV() {
	d := noisy()
	folds, err := mlreg.KFold(d.NObs(), 10, rand.NewPCG(3, 4))
	if err != nil {
		log.Fatal(err)
	}
	cv, err := mlreg.FitLassoCV(d, folds, nil, &mlreg.CVSettings{Standardize: &mlreg.StandardizeSettings{}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("least error %.2f at lambda = %.2f with %v\n", cv.Mean()[cv.Min()], cv.LambdaMin(), cv.FitMin().Active())
	fmt.Printf("one standard error: lambda = %.2f with %v\n", cv.LambdaOneSE(), cv.FitOneSE().Active())
	// Output:
	// least error 1.15 at lambda = 5.56 with [x2 x3 x4 x5 x6]
	// one standard error: lambda = 16.98 with [x2 x5]
}

// Least squares on the first terms, from one to six.
func ExampleCrossValidate() {
	d := noisy()
	folds, err := mlreg.KFold(d.NObs(), 5, rand.NewPCG(3, 4))
	if err != nil {
		log.Fatal(err)
	}
	cv, err := mlreg.CrossValidate(d, folds, func(train *mlreg.Design) ([]*mlreg.OLS, error) {
		var fits []*mlreg.OLS
		for k := range train.Names {
			part, err := train.Select(train.Names[:k+1]...)
			if err != nil {
				return nil, err
			}
			fit, err := mlreg.FitOLS(part, nil)
			if err != nil {
				return nil, err
			}
			fits = append(fits, fit)
		}
		return fits, nil
	}, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("errors %.1f, standard errors %.1f\n", cv.Mean(), cv.StdErr())
	fmt.Printf("best with %d terms, with %d within a standard error\n", cv.Min()+1, cv.OneSE()+1)
	// Output:
	// errors [9.7 5.8 5.6 5.8 1.1 1.2], standard errors [1.5 0.7 0.8 0.9 0.2 0.2]
	// best with 5 terms, with 5 within a standard error
}

// What glmnet calls lambda = 0.3, alpha = 0.5.
func ExampleFromGlmnet() {
	d := noisy()
	l1, l2, err := mlreg.FromGlmnet(d, 0.3, 0.5)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("l1 = %.3f, l2 = %.3f\n", l1, l2)
	// Output:
	// l1 = 12.000, l2 = 2.030
}
