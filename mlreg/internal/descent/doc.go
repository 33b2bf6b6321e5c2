// Package descent minimizes a loss plus a penalty over weights w, for one penalty
// after another (a path), with a duality gap that certifies each solution.
//
// A Datafit is a loss of rows: logistic, multinomial, or of a generalized linear model. A
// Penalty is a sum over blocks of weights: lasso, elastic net, group lasso, some
// weights perhaps not negative. Both solvers are a Path.
//
// Proximal knows neither by its name; it sees a Model, that is a Datafit on columns
// (Likelihood) or squares of a Source (Quadratic). It keeps a working set of blocks, which
// those join that violate the optimality conditions, and minimizes quadratic models of the
// deviance on it. That is the work of a subproblem, of which there are two. One is for any
// penalty (quadratics): proximal steps block by block find which weights are zero, and Newton
// steps on the others their values. The other (singles) is for elastic nets of single weights:
// coordinate descent (Friedman, Hastie and Tibshirani, 2010, Journal of Statistical Software
// 33), and Newton steps whose Cholesky factor is updated as weights come and go, since for
// given signs the problem is a linear system.
//
// Solver is for elastic nets of squares,
//
//	P(w) = |y - Xw|^2 + sum_j (L1_j |w_j| + L2_j w_j^2),
//
// which are their own quadratic model: it has the working set of singles, and asks a Source,
// rows or sums of them, for gradients once where a Proximal does twice.
package descent
