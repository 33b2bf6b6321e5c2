package mlreg

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/algebra"
	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/lsq"
)

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
	_, err := f.eachFitted(rows, func(b *fittedRows) error {
		whole := b.whole()
		names, err := clusters(whole)
		if err != nil {
			return err
		}
		add := b.adder()
		return s.add(whole, names, func(i int, score []float64) { add(score, b.design.Weight(i)*b.r[i], i) })
	})
	if err != nil {
		return nil, err
	}
	m, err := s.scatter(f.NObs(), f.DoFResidual())
	if err != nil {
		return nil, err
	}
	out, err := f.sandwich(m, Clusters, 0)
	if err != nil {
		return nil, err
	}
	out.s.DoF = float64(len(s.scores) - 1)
	return out, nil
}

// clusterScores are the sums of the scores of the rows of every cluster, in r orthonormal coordinates.
type clusterScores struct {
	r      int
	place  map[string]int
	scores [][]float64
}

// add has addScore add every row of positive weight of a block to the score of its cluster, given the names of the clusters.
func (s *clusterScores) add(d *Design, names []string, addScore func(i int, score []float64)) error {
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

// scatter is c sum_g s_g s_g' for n rows and so many residual degrees of freedom.
func (s *clusterScores) scatter(n int, dof float64) (*mat.SymDense, error) {
	g := float64(len(s.scores))
	if g < 2 {
		return nil, fmt.Errorf("%w: all rows are in one cluster; clustered standard errors need two, and better many", ErrSetting)
	}
	m := mat.NewSymDense(s.r, nil)
	for _, score := range s.scores {
		m.SymRankOne(m, 1, mat.NewVecDense(s.r, score))
	}
	m.ScaleSym(g/(g-1)*float64(n-1)/dof, m)
	return m, nil
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
