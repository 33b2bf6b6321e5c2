package mlreg

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/dist"
	"github.com/regbook/regbook/mlreg/internal/algebra"
	"github.com/regbook/regbook/mlreg/internal/gram"
)

// bayesData is the regression y = Z b + noise as FitBayes and the evidence see
// it, for k coefficients b under a proper prior: the p slopes, with X and y
// centered if the intercept has a flat prior, or the intercept and the slopes
// with Z = [1 X] if the prior is of both. Rows carry sqrt(w_i).
type bayesData struct {
	linearState
	penalize bool // the intercept is one of the k coefficients
	flat     bool // the intercept has a flat prior
	n        int
	w, logW  float64
	center   []float64 // p means, zero unless flat
	meanY    float64
	rows     *Design       // nil if only sums are known
	g        *mat.SymDense // Z'Z, nil if the rows are fewer than k
	c        []float64     // Z'y
	yy       float64       // y'y
	stated   float64       // relative error of the sums, if they were computed elsewhere
}

func newBayesData(data Data, penalize bool) (*bayesData, error) {
	if data == nil {
		return nil, fmt.Errorf("%w: data is nil", ErrNoData)
	}
	d, ok := data.(*Design)
	if !ok {
		m, err := data.Moments()
		if err != nil {
			return nil, err
		}
		return sumsOnly(m, penalize)
	}
	if err := d.checkFit(); err != nil {
		return nil, err
	}
	d = d.LessOffset()
	b := &bayesData{linearState: linearState{header: d.header()}}
	if d.NObs() >= len(d.Names)+1 {
		m, err := d.Moments()
		if err != nil {
			return nil, err
		}
		b, err := sumsOnly(m, penalize)
		if err != nil {
			return nil, err
		}
		b.rows = d
		return b, nil
	}
	if err := d.checkSquares(); err != nil {
		return nil, err
	}
	b.rows = d
	rows := d.rows()
	b.n, b.w, b.logW = rows.Totals()
	if err := b.intercept(penalize); err != nil {
		return nil, err
	}
	if b.flat {
		b.center, b.meanY = rows.Means(b.w)
	}
	return b, nil
}

// intercept says how the intercept is treated.
func (b *bayesData) intercept(penalize bool) error {
	if penalize && b.NoIntercept {
		return fmt.Errorf("%w: BayesSettings.PenalizeIntercept is set, and the model has no intercept", ErrSetting)
	}
	b.penalize, b.flat = penalize, !penalize && !b.NoIntercept
	b.center = make([]float64, len(b.Names))
	return nil
}

// sumsOnly takes Z'Z, Z'y and y'y from moments.
func sumsOnly(m *Moments, penalize bool) (*bayesData, error) {
	s := &m.s
	if s.N == 0 {
		return nil, fmt.Errorf("%w: the moments are of no rows", ErrNoData)
	}
	if err := checkCoefficients(s.Names, s.NoIntercept); err != nil {
		return nil, err
	}
	p := len(s.Names)
	b := &bayesData{
		linearState: linearState{header: m.header()},
		n:           s.N, w: s.W, logW: s.LogW,
	}
	if err := b.intercept(penalize); err != nil {
		return nil, err
	}
	b.stated = s.Stated(!b.flat)
	xx, xy, yy := s.About(!b.flat)
	b.g, b.c, b.yy = algebra.NewSym(b.k()), make([]float64, b.k()), yy
	first := b.k() - p
	if b.flat {
		copy(b.center, s.MeanX)
		b.meanY = s.MeanY
	} else if first == 1 {
		b.g.SetSym(0, 0, s.W)
		b.c[0] = s.W * s.MeanY
		for j, mean := range s.MeanX {
			b.g.SetSym(0, j+1, s.W*mean)
		}
	}
	copy(b.c[first:], xy)
	for i := range p {
		for j := i; j < p; j++ {
			b.g.SetSym(first+i, first+j, xx.Data[i*xx.Stride+j])
		}
	}
	return b, nil
}

// k returns the number of coefficients under the prior.
func (b *bayesData) k() int {
	if b.penalize {
		return len(b.Names) + 1
	}
	return len(b.Names)
}

// priorNames returns the names of the coefficients under the prior.
func (b *bayesData) priorNames() []string {
	if b.penalize {
		return append([]string{InterceptName}, b.Names...)
	}
	return b.Names
}

// z returns the rows of positive weight of Z and y, and below them as many
// rows of zeros as asked for.
func (b *bayesData) z(zeros int) (*mat.Dense, []float64) {
	d := b.rows
	y := make([]float64, 0, b.n+zeros)
	z := mat.NewDense(b.n+zeros, b.k(), nil)
	for i := range d.NObs() {
		w := d.Weight(i)
		if w == 0 {
			continue
		}
		root := math.Sqrt(w)
		row := z.RawRowView(len(y))
		if b.penalize {
			row[0], row = root, row[1:]
		}
		for j, x := range d.X.RawRowView(i) {
			row[j] = root * (x - b.center[j])
		}
		y = append(y, root*(d.Y[i]-b.meanY))
	}
	return z, y[:b.n+zeros]
}

// split returns the intercept and the slopes that the k coefficients m mean.
func (b *bayesData) split(m []float64) (b0 float64, slopes []float64) {
	if b.penalize {
		return m[0], m[1:]
	}
	b0 = b.meanY
	for j, v := range m {
		b0 -= b.center[j] * v
	}
	return b0, m
}

// residual returns Z'(y - Z m) and the squared length of y - Z m, by one pass
// over the rows.
func (b *bayesData) residual(m []float64) (zr []float64, rss float64) {
	b0, slopes := b.split(m)
	d := b.rows
	rows := gram.Rows{X: d.X.RawMatrix(), Y: d.Y, Weights: d.Weights}
	sums := rows.Residuals(nil, b0, 0, slopes, make([]float64, len(slopes)))
	if b.penalize {
		zr = append(zr, sums.Ones+sums.OnesLo)
	}
	for j, c := range b.center {
		zr = append(zr, sums.X[j]-c*sums.Ones+(sums.XLo[j]-c*sums.OnesLo))
	}
	return zr, sums.RSS
}

// constants returns what the evidence needs of the data beside fit and log determinant.
func (b *bayesData) constants() dist.Evidence {
	c := dist.Evidence{Flat: b.flat, N: float64(b.n), W: b.w, LogW: b.logW}
	if b.flat {
		c.N--
	}
	return c
}

// logEvidence returns the log marginal likelihood of data whose fit and log
// determinant are those of the relative posterior, and the parameters of the
// posterior of sigma^2.
func logEvidence(c dist.Evidence, noise Noise, fit, logDet float64) (log float64, sigma2 InverseGamma) {
	if known, ok := noise.(KnownVariance); ok {
		return c.KnownNoise(float64(known), fit, logDet), InverseGamma{}
	}
	prior := noise.(InverseGamma)
	log, sigma2.Shape, sigma2.Scale = c.UnknownNoise(prior.Shape, prior.Scale, fit, logDet)
	return log, sigma2
}
