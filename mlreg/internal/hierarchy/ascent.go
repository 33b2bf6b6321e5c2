package hierarchy

import "math"

// Joint is the logarithm of the joint density of rows and coefficients at given
// variances (Murphy 9.110), without its constants,
//
//	J(b) = sum_j [-|y_j - X_j b_j|^2/(2 sigma^2) - |b_j - b*|^2/(2 s_j^2)] - |b* - mu|^2/(2 s*^2),
//
// of groups whose cross-products a tree of one level holds.
type Joint struct {
	Tree   *Tree
	Sigma2 float64
	S2     []float64 // of each group
	Star2  float64   // +Inf: flat
	Mu     []float64

	products []float64 // of every group
}

func (j *Joint) sums(g int) []float64 {
	size := (j.Tree.Columns + 1) * (j.Tree.Columns + 1)
	if j.products == nil {
		n := j.Tree.Levels[0].N
		j.products = make([]float64, n*size)
		for g := range n {
			j.Tree.Products(g, j.products[g*size:(g+1)*size])
		}
	}
	return j.products[g*size : (g+1)*size]
}

// Value returns J and, unless it is nil, its gradient.
func (j *Joint) Value(b, gradient []float64) float64 {
	c, n := j.Tree.Columns, j.Tree.Levels[0].N
	q := c + 1
	star := b[n*c:]
	clear(gradient)
	sum := 0.0
	for g := range n {
		a, bj := j.sums(g), b[g*c:(g+1)*c]
		sum -= a[c*q+c] / (2 * j.Sigma2)
		for i := range c {
			r := a[i*q+c] // x_i'(y - X b)
			for l := range c {
				r -= a[i*q+l] * bj[l]
			}
			d := bj[i] - star[i]
			sum += (bj[i]*a[i*q+c] + bj[i]*r) / (2 * j.Sigma2)
			sum -= d * d / (2 * j.S2[g])
			if gradient != nil {
				gradient[g*c+i] = r/j.Sigma2 - d/j.S2[g]
				gradient[n*c+i] += d / j.S2[g]
			}
		}
	}
	for i := range c {
		d := star[i] - j.Mu[i]
		sum -= d * d / (2 * j.Star2)
		if gradient != nil {
			gradient[n*c+i] -= d / j.Star2
		}
	}
	return sum
}

// Gap returns how much larger J is at its maximum: g'H^-1 g/2 for the gradient g and the
// negative Hessian H, by eliminating the groups; J is quadratic, so that it is exact. NaN if
// H is singular.
func (j *Joint) Gap(gradient []float64) float64 {
	c, n := j.Tree.Columns, j.Tree.Levels[0].N
	h, r := make([]float64, c*c), append([]float64(nil), gradient[n*c:]...)
	for i := range c {
		h[i*c+i] = 1 / j.Star2
	}
	gap := 0.0
	for g := range n {
		l, ok := j.factor(g)
		if !ok {
			return math.NaN()
		}
		x := append([]float64(nil), gradient[g*c:(g+1)*c]...)
		solve(l, c, x)
		gap += dot(x, gradient[g*c:(g+1)*c]) / 2
		inv := inverse(l, c)
		w := 1 / j.S2[g]
		for i := range c {
			r[i] += w * x[i]
			h[i*c+i] += w
			for k := range c {
				h[i*c+k] -= w * w * inv[i*c+k]
			}
		}
	}
	if _, bad := cholesky(h, c); bad >= 0 {
		return math.NaN()
	}
	x := append([]float64(nil), r...)
	solve(h, c, x)
	return gap + dot(x, r)/2
}

// factor is the Cholesky factor of the group's part of the negative Hessian.
func (j *Joint) factor(g int) ([]float64, bool) {
	c := j.Tree.Columns
	a, l := j.sums(g), make([]float64, c*c)
	for i := range c {
		for k := range c {
			l[i*c+k] = a[i*(c+1)+k] / j.Sigma2
		}
		l[i*c+i] += 1 / j.S2[g]
	}
	_, bad := cholesky(l, c)
	return l, bad < 0
}

// Bound is at least the largest eigenvalue of the negative Hessian.
func (j *Joint) Bound() float64 {
	c, n := j.Tree.Columns, j.Tree.Levels[0].N
	most, star := 0.0, 1/j.Star2
	for g := range n {
		a, m := j.sums(g), make([]float64, c*c)
		for i := range c {
			copy(m[i*c:(i+1)*c], a[i*(c+1):])
		}
		if values, _ := eigen(m, c); values != nil {
			most = math.Max(most, values[c-1]/j.Sigma2+2/j.S2[g])
		}
		star += 2 / j.S2[g]
	}
	return math.Max(most, star)
}

// Ascend takes a step of gradient ascent of length 1/bound.
func (j *Joint) Ascend(b, gradient []float64, bound float64) {
	for i, g := range gradient {
		b[i] += g / bound
	}
}

// Alternate maximizes J over all b_j given b*, then over b* given them. It returns false
// if a matrix is singular.
func (j *Joint) Alternate(b []float64) bool {
	c, n := j.Tree.Columns, j.Tree.Levels[0].N
	star := b[n*c:]
	next, weight := make([]float64, c), 1/j.Star2
	for i := range c {
		if weight > 0 {
			next[i] = j.Mu[i] * weight
		}
	}
	for g := range n {
		l, ok := j.factor(g)
		if !ok {
			return false
		}
		a, x := j.sums(g), b[g*c:(g+1)*c]
		for i := range c {
			x[i] = a[i*(c+1)+c]/j.Sigma2 + star[i]/j.S2[g]
		}
		solve(l, c, x)
		for i := range c {
			next[i] += x[i] / j.S2[g]
		}
		weight += 1 / j.S2[g]
	}
	for i := range c {
		star[i] = next[i] / weight
	}
	return true
}
