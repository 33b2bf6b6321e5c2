package mlreg

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/algebra"
	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/lsq"
)

// blockRows are a block of the rows that a fit was made to, in its order and units, with
// their residuals and leverages.
type blockRows struct {
	design *Design // less its offset
	whole  *Design
	x      *mat.Dense
	r, h   []float64
	coords *lsq.Coordinates
	first  int // rows of the blocks before
}

// fittedBlocks makes two passes over the rows that were fitted: one for their means, about
// which residuals and leverages keep their digits, and one that calls visit. It checks that
// they are as many as the fit has, with its residual sum of squares.
func (f *OLS) fittedBlocks(rows RowBlocks, visit func(b *blockRows) error) error {
	p, err := newPasses(rows)
	if err != nil {
		return err
	}
	mean, err := f.meansOf(p)
	if err != nil {
		return err
	}
	if err := f.checkCount(p.w); err != nil {
		return err
	}
	coords := f.coordinatesAbout(func() []float64 { return mean[:len(f.l.B)] })
	var rss float64
	first := 0
	err = p.each(func(block *Design) error {
		part, err := f.fittedBlock(block, coords, mean)
		if err != nil {
			return err
		}
		part.first = first
		first += block.NObs()
		rss += part.design.weightedSquares(part.r, 0)
		part.h = coords.Leverages(part.x, block.Weights)
		for i, h := range part.h {
			if h >= lsq.LeverageOne {
				part.h[i], part.r[i] = 1, 0
			}
		}
		return visit(part)
	})
	if err != nil {
		return err
	}
	return f.checkRSS(rss)
}

// checkCount refuses other rows than those fitted by how many have a positive weight.
func (f *OLS) checkCount(n int) error {
	if n == f.NObs() {
		return nil
	}
	return fmt.Errorf("%w: the blocks have %d rows of positive weight, and the fit has %d; give the rows that were fitted", ErrShape, n, f.NObs())
}

// checkRSS refuses other rows than those fitted by their residual sum of squares.
func (f *OLS) checkRSS(rss float64) error {
	if math.Abs(rss-f.RSS()) <= 1e-6*f.RSS()+1e-10*f.TSS() {
		return nil
	}
	return fmt.Errorf("%w: the residual sum of squares of these rows is %g, and that of the fit is %g; give the rows that were fitted", ErrShape, rss, f.RSS())
}

// meansOf returns the means of the columns of the fit, that of the response last, by one pass.
func (f *OLS) meansOf(p *passes) ([]float64, error) {
	sums := make([]shiftedSum, len(f.l.B)+1)
	var w float64
	err := p.each(func(block *Design) error {
		z, err := f.columnsOf(block)
		if err != nil {
			return err
		}
		block = block.LessOffset()
		for i, y := range block.Y {
			wi := block.Weight(i)
			if wi == 0 {
				continue
			}
			w += wi
			for j, x := range z.X.RawRowView(i)[:len(f.l.B)] {
				sums[j].add(wi, x)
			}
			sums[len(f.l.B)].add(wi, y)
		}
		return nil
	})
	mean := make([]float64, len(sums))
	for j := range mean {
		mean[j] = sums[j].mean(w)
	}
	return mean, err
}

// fittedBlock returns a block with its residuals: about the means if the coordinates are.
func (f *OLS) fittedBlock(block *Design, coords *lsq.Coordinates, mean []float64) (part *blockRows, err error) {
	z, err := f.columnsOf(block)
	if err != nil {
		return nil, err
	}
	part = &blockRows{design: block.LessOffset(), whole: block, x: z.X, coords: coords}
	if coords.Center == nil {
		part.r, err = f.Residuals(block)
		return part, err
	}
	b := gram.WithoutNaN(f.l.B)
	part.r = make([]float64, block.NObs())
	for i := range part.r {
		r := part.design.Y[i] - mean[len(b)]
		for j, v := range z.X.RawRowView(i)[:len(b)] {
			r -= (v - mean[j]) * b[j]
		}
		part.r[i] = r
	}
	return part, nil
}

// shiftedSum is a sum about its first value.
type shiftedSum struct {
	from, sum float64
	seen      bool
}

func (s *shiftedSum) add(w, x float64) {
	if !s.seen {
		s.from, s.seen = x, true
	}
	s.sum += w * (x - s.from)
}

func (s *shiftedSum) mean(w float64) float64 { return s.from + s.sum/w }

// robustBlocks is Robust for rows in blocks, whose residuals count by sqrt(c_i), which correct returns for row i of a block.
func (f *OLS) robustBlocks(rows RowBlocks, hc HC, correct func(b *blockRows, i int) (float64, error)) (*Robust, error) {
	if err := f.checkSandwich(); err != nil {
		return nil, err
	}
	m := mat.NewSymDense(f.s.Rank, nil)
	err := f.fittedBlocks(rows, func(b *blockRows) error {
		score := make([]float64, len(b.r))
		for i := range score {
			c, err := correct(b, i)
			if err != nil {
				return err
			}
			score[i] = weighed(b.design.Weight(i), c*b.r[i])
		}
		m.AddSym(m, scattered(b.coords, b.x, score))
		return nil
	})
	if err != nil {
		return nil, err
	}
	return f.sandwich(m, hc, 0)
}

// Clustered returns the fit with a covariance that holds if the noise of rows of one
// cluster is correlated in any way, from the rows that were fitted. With the scores
// s_g = sum w_i r_i a_i over the n_g rows of cluster g, G clusters, n rows and k = DoF,
//
//	VCov = c (A'WA)^-1 (sum_g s_g s_g') (A'WA)^-1,   c = G/(G-1) (n-1)/(n-k).
//
// That is Stata's vce(cluster), sandwich's vcovCL with its defaults, and statsmodels' cov_type
// "cluster"; limits are Student's with G-1 degrees of freedom, as in Stata. Clusters returns
// the name of the cluster of every row of a block; nil takes Design.Clusters, which
// frames.DesignSettings.Clusters sets. Memory is one block and a score for
// every cluster. Few clusters, below some 40, give errors that are too small. Rows of a source.Design with factors take one pass
// by their cells, as in Robust; the block that clusters gets has all columns all the same.
//
// Errors: those of Robust; ErrShape for another number of names than rows; ErrSetting for
// fewer than two clusters; ErrNoData for nil and a design without Clusters.
//
// Liang and Zeger, Biometrika 73 (1986), 13-22; Cameron and Miller, The Journal of Human
// Resources 50 (2015), 317-372, eq. 11 and 12.
func (f *OLS) Clustered(rows RowBlocks, clusters func(block *Design) ([]string, error)) (*Robust, error) {
	if clusters == nil {
		clusters = (*Design).clusterNames
	}
	if err := f.checkSandwich(); err != nil {
		return nil, err
	}
	s := &clusterScores{r: f.s.Rank, place: map[string]int{}}
	cells, err := f.fittedCells(rows, func(b *fittedCellRows) error {
		return s.add(b.expanded(b.design), clusters, func(i int, score []float64) { b.addScore(score, b.design.Weight(i)*b.r[i], i) })
	})
	if cells == nil && err == nil {
		err = f.fittedBlocks(rows, func(b *blockRows) error {
			z := b.coords.Of(b.x)
			return s.add(b.design, clusters, func(i int, score []float64) {
				floats.AddScaled(score, b.design.Weight(i)*b.r[i], z.Data[i*z.Stride:i*z.Stride+z.Cols])
			})
		})
	}
	if err != nil {
		return nil, err
	}
	return f.clustered(s)
}

// clustered returns the fit with the covariance of the scores.
func (f *OLS) clustered(s *clusterScores) (*Robust, error) {
	g := float64(len(s.scores))
	if g < 2 {
		return nil, fmt.Errorf("%w: all rows are in one cluster; clustered standard errors need two, and better many", ErrSetting)
	}
	m := mat.NewSymDense(s.r, nil)
	for _, score := range s.scores {
		m.SymRankOne(m, 1, mat.NewVecDense(s.r, score))
	}
	n := float64(f.NObs())
	m.ScaleSym(g/(g-1)*(n-1)/f.DoFResidual(), m)
	out, err := f.sandwich(m, Clusters, 0)
	if err != nil {
		return nil, err
	}
	out.s.DoF = g - 1
	return out, nil
}

// clusterScores are the sums of the scores of the rows of every cluster, in r orthonormal coordinates.
type clusterScores struct {
	r      int
	place  map[string]int
	scores [][]float64
}

// add has addScore add every row of positive weight of a block to the score of its cluster.
func (s *clusterScores) add(d *Design, clusters func(block *Design) ([]string, error), addScore func(i int, score []float64)) error {
	names, err := clusters(d)
	if err != nil {
		return err
	}
	if len(names) != d.NObs() {
		return fmt.Errorf("%w: %d names of clusters for %d rows", ErrShape, len(names), d.NObs())
	}
	for i, name := range names {
		if d.Weight(i) == 0 {
			continue
		}
		g, ok := s.place[name]
		if !ok {
			g = len(s.scores)
			s.place[name], s.scores = g, append(s.scores, make([]float64, s.r))
		}
		addScore(i, s.scores[g])
	}
	return nil
}

// clusterNames returns the clusters of the design.
func (d *Design) clusterNames() ([]string, error) {
	if d.Clusters == nil {
		return nil, fmt.Errorf("%w: the design has no clusters; name their column, frames.DesignSettings{Clusters: \"firm\"}, or give the cluster of every row, which Design.RowNumbers tells of a block of a source", ErrNoData)
	}
	return d.Clusters, nil
}

// checkSandwich refuses fits that have no robust covariance.
func (f *OLS) checkSandwich() error {
	if f.s.Rank == 0 {
		return fmt.Errorf("%w: no coefficient was fitted", ErrNotEstimable)
	}
	return args.ResidualDoF(f.DoFResidual())
}

// correction is sqrt(c_i) for a row of leverage h.
func (f *OLS) correction(hc HC, h float64, row int) (float64, error) {
	switch rest := 1 - h; {
	case hc == HC1:
		return math.Sqrt(float64(f.NObs()) / f.DoFResidual()), nil
	case hc >= HC2 && rest == 0:
		return 0, fmt.Errorf("%w: row %d has leverage 1, for which %v is not defined; use HC0 or HC1", ErrNotEstimable, row, hc)
	case hc == HC2:
		return 1 / math.Sqrt(rest), nil
	case hc == HC3:
		return 1 / rest, nil
	}
	return 1, nil
}

// scatter sums z z' over rows, chunk by chunk.
type scatter struct{ parts []*mat.SymDense }

func newScatter(r, n int) *scatter {
	s := &scatter{make([]*mat.SymDense, gram.Chunks(n))}
	for i := range s.parts {
		s.parts[i] = mat.NewSymDense(r, nil)
	}
	return s
}

func (s *scatter) add(chunk int, z blas64.General) {
	algebra.AddInner(s.parts[chunk].RawSymmetric(), z)
}

// scattered is the sum of s_i^2 z_i z_i' over the rows x, with their coordinates z_i.
func scattered(coords *lsq.Coordinates, x *mat.Dense, s []float64) *mat.SymDense {
	sum := newScatter(coords.Slopes.Cols, len(s))
	coords.Each(x, func(chunk, start int, z blas64.General) {
		for i := range z.Rows {
			scaleRow(s[start+i], z.Data[i*z.Stride:i*z.Stride+z.Cols])
		}
		sum.add(chunk, z)
	})
	return sum.sum()
}

func (s *scatter) sum() *mat.SymDense {
	r := s.parts[0].SymmetricDim()
	m := mat.NewSymDense(r, nil)
	for _, part := range s.parts {
		m.AddSym(m, part)
	}
	return m
}
