package frames

import (
	"math"
	"slices"

	"github.com/regbook/regbook/frames/internal/table"
	"github.com/regbook/regbook/mlreg"
)

// scaleOf learns scale of the recurrence of polynomials of degree 1, whose constants are mean
// and variance (about the mean, by n).
func scaleOf(c table.Constants, o *options) (mlreg.Basis, error) {
	center, scale, err := scaleOptions(o)
	if err != nil {
		return nil, err
	}
	mean, squares := c.Alpha[0], c.Beta[0]
	s := &scaled{Scale: 1}
	if center {
		s.Center = mean
	} else {
		squares += mean * mean
	}
	if scale {
		if s.Scale = math.Sqrt(squares * float64(c.N) / float64(c.N-1)); !(s.Scale > 0) {
			return nil, errorf(ErrSetting, "the values do not vary")
		}
	}
	return s, nil
}

// polyMoments holds the triangle R of the powers 1, t, t^2 ... of one input, t = (x -
// center)/scale, from which the constants of poly and scale follow: it is what a QR
// factorization of the rows leaves, and takes one pass.
type polyMoments struct {
	degree        int
	n             int
	center, scale float64
	r             [][]float64 // (degree+1) x (degree+1), upper triangle
	low, high     float64
	distinct      map[float64]bool
}

func newPolyMoments(degree int) *polyMoments {
	p := &polyMoments{degree: degree, distinct: make(map[float64]bool), r: make([][]float64, degree+1)}
	for i := range p.r {
		p.r[i] = make([]float64, degree+1)
	}
	return p
}

// add rotates the rows of the powers into the triangle (Givens).
func (p *polyMoments) add(x []float64) error {
	if len(x) == 0 {
		return nil
	}
	if p.n == 0 {
		low, high := slices.Min(x), slices.Max(x)
		p.center, p.scale = low/2+high/2, high/2-low/2
		if !(p.scale > 0) {
			p.scale = 1
		}
		p.low, p.high = low, high
	}
	p.low, p.high = min(p.low, slices.Min(x)), max(p.high, slices.Max(x))
	row := make([]float64, p.degree+1)
	for _, v := range x {
		if len(p.distinct) <= p.degree {
			p.distinct[v] = true
		}
		t := (v - p.center) / p.scale
		row[0] = 1
		for k := range p.degree {
			row[k+1] = row[k] * t
		}
		for k := range row {
			if row[k] == 0 {
				continue
			}
			h := math.Hypot(p.r[k][k], row[k])
			if math.IsInf(h, 0) {
				return errorf(ErrNotFinite, "the input of a polynomial is too large or too small to square; rescale it")
			}
			cos, sin := p.r[k][k]/h, row[k]/h
			for j := k; j < len(row); j++ {
				a, b := p.r[k][j], row[j]
				p.r[k][j], row[j] = cos*a+sin*b, cos*b-sin*a
			}
		}
	}
	p.n += len(x)
	return nil
}

// poly returns the recurrence of the orthogonal polynomials: with the triangle R of the
// powers, alpha_k = R_k,k+1/R_kk - R_k-1,k/R_k-1,k-1 and beta_k = (R_kk/R_k-1,k-1)^2
// (Golub and Welsch 1969, Mathematics of Computation 23, section 4).
func (p *polyMoments) poly() (*mlreg.Poly, error) {
	if len(p.distinct) <= p.degree {
		return nil, errorf(ErrSetting, "a polynomial of degree %d needs more than %d distinct values; there are %d", p.degree, p.degree, len(p.distinct))
	}
	out := &mlreg.Poly{N: p.n, Low: p.low, High: p.high}
	before := 0.0
	for k := range p.degree {
		ratio := p.r[k][k+1] / p.r[k][k]
		out.Alpha = append(out.Alpha, p.center+p.scale*(ratio-before))
		before = ratio
		root := p.scale * p.r[k+1][k+1] / p.r[k][k]
		if !(root*root > 0) || math.IsInf(root*root, 0) {
			return nil, errorf(ErrNotFinite, "the input of a polynomial is too large or too small to square; rescale it")
		}
		out.Beta = append(out.Beta, root*root)
	}
	return out, nil
}

// basis returns the constants of poly or scale.
func (p *polyMoments) basis(fn string, o *options) (mlreg.Basis, error) {
	if fn == "poly" {
		return p.poly()
	}
	ratio, spread := p.r[0][1]/p.r[0][0], p.scale*p.r[1][1]/p.r[0][0]
	return scaleOf(table.Constants{N: p.n, Alpha: []float64{p.center + p.scale*ratio}, Beta: []float64{spread * spread}}, o)
}
