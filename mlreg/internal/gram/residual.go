package gram

import (
	"slices"

	"github.com/regbook/regbook/mlreg/internal/dd"
)

// Gradient are the sums over rows that a step of iterative refinement needs,
// in about twice the working precision: each is a value and a correction to
// it that is small beside the sum of the sizes of the terms.
type Gradient struct {
	RSS          float64   // sum w_i r_i^2
	Ones, OnesLo float64   // sum w_i r_i
	X, XLo       []float64 // p: sum w_i r_i a_ij
}

// Add adds the sums over other rows.
func (g *Gradient) Add(o *Gradient) {
	var low float64
	g.RSS += o.RSS
	g.Ones, low = twoSum(g.Ones, o.Ones)
	g.OnesLo += low + o.OnesLo
	for j, v := range o.X {
		g.X[j], low = twoSum(g.X[j], v)
		g.XLo[j] += low + o.XLo[j]
	}
}

// Residuals returns the sums over the residuals of the response Y,
//
//	r_i = y_i - b_0 - sum_j a_ij b_j,  b_0 = b0+b0Lo,  b_j = b[j]+bLo[j],
//
// and writes those to dst (length n) unless it is nil. A residual is rounded
// once: products and sums are compensated (Ogita, Rump and Oishi, 2005, SIAM
// Journal on Scientific Computing 26, algorithm 5.3), so its error is a
// rounding of r_i plus about p^2 2^-106 times the sum of sizes. The scales,
// powers of two, apply to X and Y as in Rows. It reads the rows once.
func (r Rows) Residuals(dst []float64, b0, b0Lo float64, b, bLo []float64) *Gradient {
	n, p := r.X.Rows, r.X.Cols
	hi, lo := slices.Clone(b), slices.Clone(bLo)
	yscale := 1.0
	if r.Scale != nil {
		yscale = r.Scale[p]
		for j := range hi {
			hi[j] *= r.Scale[j]
			lo[j] *= r.Scale[j]
		}
	}
	const least, chunks = 1024, 64
	rows := max(least, ceil(n, chunks))
	parts := make([]Gradient, ceil(n, rows))
	Parallel(len(parts), func() func(int) {
		return func(chunk int) {
			g := Gradient{X: make([]float64, p), XLo: make([]float64, p)}
			var rss, rssLo float64
			for i := chunk * rows; i < min((chunk+1)*rows, n); i++ {
				x := r.row(i)
				fit, fitLo := active.dot(x, hi, lo)
				e, e1 := twoSum(float64(yscale*r.Y[i]), -b0)
				e, e2 := twoSum(e, -fit)
				e += e1 + e2 - b0Lo - fitLo
				if dst != nil {
					dst[i] = e
				}
				w := r.weight(i)
				if w == 0 {
					continue
				}
				we := float64(w * e)
				active.axpy(we, x, g.X, g.XLo)
				var low float64
				g.Ones, low = twoSum(g.Ones, we)
				g.OnesLo += low
				rss, low = twoSum(rss, float64(we*e))
				rssLo += low
			}
			g.RSS = rss + rssLo
			parts[chunk] = g
		}
	})
	g := &Gradient{X: make([]float64, p), XLo: make([]float64, p)}
	for _, part := range parts {
		g.Add(&part)
	}
	if r.Scale != nil {
		for j := range g.X {
			g.X[j] *= r.Scale[j]
			g.XLo[j] *= r.Scale[j]
		}
	}
	return g
}

// twoSum returns the rounded sum and its rounding error (Knuth). A product
// handed to it is converted to float64 first, which keeps the compiler from
// fusing it with the sum.
func twoSum(a, b float64) (sum, err float64) {
	sum = a + b
	z := sum - a
	return sum, (a - (sum - z)) + (b - z)
}

// dotPortable returns x'(b+low) as a value and a correction.
func dotPortable(x, b, low []float64) (s, e float64) {
	for j, v := range x {
		p := float64(v * b[j])
		var d float64
		s, d = twoSum(s, p)
		e += d + dd.Rest(v, b[j], p) + v*low[j]
	}
	return s, e
}

// axpyPortable adds f x to g + low.
func axpyPortable(f float64, x, g, low []float64) {
	for j, v := range x {
		p := float64(f * v)
		var d float64
		g[j], d = twoSum(g[j], p)
		low[j] += d + dd.Rest(f, v, p)
	}
}

// sumLanes adds four values and their corrections.
func sumLanes(sums *[8]float64) (s, e float64) {
	a, ae := twoSum(sums[0], sums[1])
	b, be := twoSum(sums[2], sums[3])
	s, e = twoSum(a, b)
	return s, e + (ae + be) + ((sums[4] + sums[5]) + (sums[6] + sums[7]))
}
