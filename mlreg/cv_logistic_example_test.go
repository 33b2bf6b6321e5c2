package mlreg_test

import (
	"fmt"
	"math/rand/v2"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

// How much penalty for seminal vesicle invasion? R: cv.glmnet(family = "binomial").
func ExampleFitLogisticCV() {
	d := must.M1(frames.Design(datasets.Prostate(), "svi ~ . - train"))
	folds := must.M1(mlreg.StratifiedKFold(d.Y, 10, rand.NewPCG(1, 2)))
	cv := must.M1(mlreg.FitLogisticCV(d, 1, folds, nil, &mlreg.CVSettings{Standardize: &mlreg.StandardizeSettings{}}))
	fmt.Printf("%s %.3f at lambda = %.3f\n", cv.Measure(), cv.Mean()[cv.Min()], cv.LambdaMin())
	fmt.Printf("within one standard error at %.3f: %v\n", cv.LambdaOneSE(), cv.FitOneSE().Active())
	// Output:
	// mean deviance 0.522 at lambda = 3.165
	// within one standard error at 7.310: [lcp lpsa]
}

// Misclassified rows in place of the deviance.
func ExampleClassError() {
	d := must.M1(frames.Design(datasets.Prostate(), "svi ~ lcp + lpsa"))
	folds := must.M1(mlreg.StratifiedKFold(d.Y, 10, rand.NewPCG(1, 2)))
	cv := must.M1(mlreg.FitLogisticCV(d, 1, folds, &mlreg.PathSettings{Lambda: []float64{8, 4, 2}}, &mlreg.CVSettings{Loss: mlreg.ClassError}))
	fmt.Printf("%.0f of 97 rows\n", 97*cv.Mean()[cv.Min()])
	// Output: 10 of 97 rows
}

// The area under the ROC curve. R: cv.glmnet(family = "binomial", type.measure = "auc").
func ExampleFitLogisticCV_area() {
	d := must.M1(frames.Design(datasets.Prostate(), "svi ~ . - train"))
	folds := must.M1(mlreg.StratifiedKFold(d.Y, 5, rand.NewPCG(1, 2)))
	cv := must.M1(mlreg.FitLogisticCV(d, 1, folds, nil, &mlreg.CVSettings{AUC: true, Standardize: &mlreg.StandardizeSettings{}}))
	fmt.Printf("AUC %.3f at lambda = %.3f\n", 1-cv.Mean()[cv.Min()], cv.LambdaMin())
	// Output: AUC 0.965 at lambda = 2.394
}

// The class of the row has the probability 0.9, or 0.1.
func ExampleDevianceLoss() {
	fmt.Printf("%.3f %.3f\n", mlreg.DevianceLoss(1, 0.9), mlreg.DevianceLoss(0, 0.9))
	// Output: 0.211 4.605
}
