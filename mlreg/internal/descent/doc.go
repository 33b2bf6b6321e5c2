// Package descent minimises
//
//	P(w) = |y - Xw|^2 + sum_j (L1_j |w_j| + L2_j w_j^2)
//
// over w, some of it perhaps not negative, for one penalty after another (a
// path), with a duality gap that certifies each solution.
//
// A Solver keeps a working set of columns and their cross-products. On it,
// coordinate descent (Friedman, Hastie and Tibshirani, 2010, Journal of
// Statistical Software 33) finds which weights are zero and the signs of the
// others, and Newton steps with an updated Cholesky factor find their values:
// for given signs the problem is a linear system. What violates the optimality
// conditions outside the working set joins it. The data are a Source: rows, or
// sums of them. Curved does the same for any smooth loss.
package descent
