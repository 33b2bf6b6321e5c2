// Package lecture draws illustrations that belong to a lecture: pictures of an
// idea, made with the fits and figures of the other packages.
//
//	plotting.Show(lecture.Projection(x1, x2, y, nil))
//
// The site's gallery has a picture of each (make site, build/site/gallery.html).
//
// # Index by task
//
// I explain
//
//   - least squares as a projection onto a plane: [Projection]
//   - an additive model as a network of units: [Network]
//   - penalties: the balls of norms [NormBalls], where contours touch them
//     [PenaltyGeometry], soft and hard thresholds [Thresholding], subgradients
//     of a convex function [Subgradients]
//   - the lasso: its kink in one weight [OneCoordinate], the sweeps of its algorithm
//     [ShootingSteps]
//   - priors: normal against Laplace [NormalLaplace], how one moves an estimate
//     [RidgeGeometry]
//   - the evidence of a family, and what flexibility costs: [OccamsRazor]
//   - posteriors: how one comes about as data arrive [WeightSpace], that of a
//     logistic regression [LogisticPosterior], Laplace's method [LaplacePanels]
package lecture
