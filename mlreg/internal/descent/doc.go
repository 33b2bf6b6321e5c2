// Package descent minimizes a loss plus a penalty over weights w, for one penalty
// after another (a path), with a duality gap that certifies each solution.
//
// A Datafit is a loss of rows: logistic, multinomial, or of a generalized linear model. A
// Penalty is a sum over blocks of weights: lasso, elastic net, group lasso, some
// weights perhaps not negative. Proximal knows neither by its name; it sees a Model,
// that is a Datafit on columns (Likelihood) or squares of a Source (Quadratic).
//
// Two solvers are for the penalty sum_j (L1_j |w_j| + L2_j w_j^2) alone, for which
// they are faster. Solver is for squares,
//
//	P(w) = |y - Xw|^2 + sum_j (L1_j |w_j| + L2_j w_j^2),
//
// and keeps a working set of columns and their cross-products. On it, coordinate
// descent (Friedman, Hastie and Tibshirani, 2010, Journal of Statistical Software 33)
// finds which weights are zero and the signs of the others, and Newton steps with an
// updated Cholesky factor find their values: for given signs the problem is a linear
// system. What violates the optimality conditions outside the working set joins it.
// The data are a Source: rows, or sums of them. Curved does the same for any Datafit
// of one linear predictor.
package descent
