// Package certify brackets sums over all subsets of the terms of a linear model that are
// too many to be summed: the normalizer of the posterior and the probability of every
// term, by intervals that hold jointly with a probability that is asked for.
//
// A subset T of units, each of one or several columns, has the weight
//
//	w(T) = exp(Size[|T|] + sum_{k in T} Own[k]) f(Q(T)) [det G_TT^-1/2],   Q(T) = y - b_T' G_TT^-1 b_T
//
// with f(Q) = Q^-h or exp(-phi Q). The matrix M of y, b and G is taken as it is stored. The
// statements below are what the code refers to; 5 and 6 are in rounding.go, with constants.
//
// 1. Mixture. Q^-h R(Q) = sum_i kappa_i exp(-phi_i Q), the trapezoid rule in log phi of
// the integral of the gamma function, with |R - 1| <= eps for all Q there are (mixture.go).
// Each i, a component, is a problem with f(Q) = kappa_i exp(-phi_i Q) and a tree of its own.
//
// 2. Separable bound. A node has units S in, F free, and the others out; G, b, q are what
// elimination of S leaves. For a diagonal D with 0 < D <= G as matrices, any beta, and
// u = b - (G-D) beta, every z with support T has
//
//	q - 2b'z + z'Gz >= q - beta'(G-D)beta - 2u'z + z'Dz,
//
// since (z-beta)'(G-D)(z-beta) >= 0. The left side is Q(S+T) for the best z, the right side
// is at least q - beta'(G-D)beta - sum_{j in T} u_j^2/d_j. So with x_k the sum of phi u_j^2/d_j
// over the columns of unit k, and Own[k],
//
//	sum_T w(S+T) <= kappa exp(-phi (q - beta'(G-D)beta)) sum_T exp(Size[|S|+|T|] + sum_{k in T} x_k),
//
// a product if Size is linear, and a sum by dynamic programming if not (law.go). Its log is convex in
// (G-D) beta, and decreases by Newton's method (bound.go); D goes up by coordinate ascent
// on a barrier (diagonal.go). beta = 0 with D the least eigenvalue is the eigenvalue's bound.
//
// 3. Inheritance. 0 <= D <= G holds for the rows of fewer columns, and for any Schur complement:
// a child takes over D. It also takes over u, by solving (G'-D) beta' = b' - u. Then its bound
// is at most the part of the parent's: in short, the right side above is the best of its kind
// with that u and D, for the child too. So U_in + U_out <= U.
//
// 4. Determinant. With v_j = 1/(G^-1)_jj, the pivot of j given all others, det G_TT >=
// prod_T v_j: a pivot given fewer is larger. v is inherited like D. The factor goes to x.
//
// 5. Rounding of elimination. What is computed is exact for a matrix M~ with
// (1-tau) M <= M~ <= (1+tau) M. This order of matrices passes to Schur complements, so
// that Q and every pivot have the relative error tau, whatever the node and the subset.
//
// 6. Proof of D <= G (Rump, BIT 46 (2006), 433-452). If Cholesky's factorization of G - D
// runs to its end in floating point, then G - D >= -diag(c_j), with c_j from the error
// analysis of the factorization; D - c is taken.
//
// 7. Lower bound (Jensen). For any product law q over T and any z, log sum_T w(S+T) >= E log w + H(q), and
// E Q is at most E of the quadratic at z restricted to T (lower.go). Subtrees of few
// columns are summed (leaf.go).
//
// 8. Sampling. The trees are frozen. A draw is an open node in proportion to its bound U,
// then T by the law of its bound. X = w/u lies in [0, 1], and E X = sum_open w/sum_open U.
// With the sums over leaves Z0, N0: log Z from the empirical Bernstein bound of E X;
// the probability p of an event by inverting the test of
//
//	E (gamma - p)(X - a) = (p Z0 - N0)/sum U - a (E gamma - p)
//
// with a fixed by a pilot and E gamma that of the bounds' laws (interval.go). The number of draws is fixed
// beforehand, too. The error probability alpha is split over the two sides of all
// statements.
//
// 9. Exact draws. With leaves in proportion to their sums among the proposals, and X = 1 there, what is accepted with
// probability X are independent draws from the weights, normalized (posterior.go).
//
// 10. Coefficients. That of column j in T is m_j = (G_TT^-1 b_T)_j, and 0 in subsets without j. By Cauchy and
// Schwarz, and as Q falls and the pivot 1/(G_TT^-1)_jj does when T grows,
//
//	m_j^2 <= (G_TT^-1)_jj b_T'G_TT^-1 b_T <= (y - Q(all))/v_j,
//
// v_j being that of statement 4 for all columns. So m_j is bounded, and its mean over the weights is bracketed like
// the probability of an event, by E (m_j - c) X (average.go).
//
// Assumed: the source gives independent uniform bits, and so do the generators that it seeds. Arithmetic is that of IEEE 754. math.Exp,
// Log, Log1p, Expm1 and Atan are right to 4 units in the last place, and math.Lgamma to 16 units in that of 1 + |its value|.
package certify
