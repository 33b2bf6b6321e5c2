// Package rlm fits regressions that outliers do not carry away, as R's rlm does, on the designs
// of package mlreg:
//
//	fit, err := rlm.Fit(d, nil)
//	weights, err := fit.Weights(d) // which rows it leaves out
//
// A fit is a small immutable value without data. It predicts, has residuals and stands in tables
// as the fits of mlreg do, since it embeds an mlreg.Linear, and it is an mlreg.Wald.
//
// # Index by task
//
//   - an MM-estimate, which half of the rows cannot carry away, or an M-estimate (rlm, RLM): [Fit],
//     with [Settings]; the weights of the rows [MEstimate.Weights]; what it promises
//     [MEstimate.Breakdown], [MEstimate.Efficiency]
//   - losses, and what a row pulls with: [Psi]; plotting.PsiCurves draws them
//   - noise of Student's t, by maximum likelihood: [FitStudent]; is the noise Gaussian
//     [Student.EvidenceBits], [Student.PIT]
//
// Medians and other quantiles are in package quantreg.
package rlm
