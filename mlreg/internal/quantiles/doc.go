// Package quantiles minimizes sums of check functions of residuals exactly,
//
//	F(b) = sum_i c_i(y_i - a_i'b) + q'b,  c_i(r) = high_i r for r >= 0, low_i r for r < 0,
//
// low_i <= 0 <= high_i. Quantile regression of weights w_i has low_i = -(1-tau) w_i
// and high_i = tau w_i; a lasso penalty is a row a = e_j, y = 0 with the bounds -lambda
// and lambda. The dual problem is
//
//	maximize y'd,  A'd = q,  low_i <= d_i <= high_i.
//
// A minimum lies at a vertex: k rows, the basis, have residual zero and determine b; every
// other row has d_i at the bound of its residual's sign, and the d_i of the basis
// follow. The vertex is a minimum if these lie within their bounds.
//
// Barrodale and Roberts, SIAM Journal on Numerical Analysis 10 (1973), 839-848; Koenker
// and d'Orey, Applied Statistics 36 (1987), 383-393; Portnoy and Koenker, Statistical
// Science 12 (1997), 279-300.
package quantiles
