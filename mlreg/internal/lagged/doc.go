// Package lagged sums a design of lagged channels without its rows.
//
// A row of the design at time t has the values z(c, t-i) of channels c at lags i.
// With the rows in runs a <= t < b of neighboring times, the cross-products
//
//	G(i, j) = sum_t z(c, t-i) z(d, t-j)
//
// of neighboring lags differ by what enters and leaves a run only,
//
//	G(i+1, j+1) = G(i, j) + sum over runs of z(c, a-1-i) z(d, a-1-j) - z(c, b-1-i) z(d, b-1-j):
//
// the matrix is block Toeplitz but for the ends of runs. (Kailath, Kung and Morf 1979,
// Displacement ranks of matrices and linear equations, Journal of Mathematical Analysis
// and Applications 68, 395-407.) So products over all times are needed for the first
// row of blocks only. Its right side is a view of the series, whose rows are windows
// that overlap in memory, which the kernel of package gram reads as a matrix.
//
// Each step of the recurrence rounds once. The error of an entry is at most that of
// direct sums of squares as large as the largest diagonal element that the recurrence
// came through since its products were last summed directly; Gross keeps these. The
// recurrence is refreshed, by direct sums, after 128 steps, and where a sum of squares
// has shrunk so much, a hundredfold, that the rounding of a large value which left the
// window would show.
//
// Runs of up to eight times are summed directly.
package lagged
