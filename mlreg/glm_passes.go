package mlreg

import (
	"math"
	"slices"

	"github.com/regbook/regbook/mlreg/internal/glm"
	"github.com/regbook/regbook/mlreg/internal/newton"
)

// glmResponses are the responses of a family in row blocks.
type glmResponses struct {
	family  GLMFamily
	some    bool
	classes *binaryBlocks // nil if the responses are numbers
	numbers responseSums
	own     float64 // see GLMFamily.saturated
}

// add takes those of a block of the first pass.
func (r *glmResponses) add(block *Design) error {
	if !r.some && block.Classes != nil {
		if err := r.family.checkClasses(block); err != nil {
			return err
		}
		r.classes = &binaryBlocks{}
	}
	r.some = true
	if r.classes != nil {
		return r.classes.add(block)
	}
	if err := block.checkResponse(); err != nil {
		return err
	}
	if err := r.family.addResponses(block, &r.numbers); err != nil {
		return err
	}
	r.own += r.family.saturated(block.Y, block.Weights)
	return nil
}

// finish checks them, given the number of rows of positive weight.
func (r *glmResponses) finish(rows int, response string) error {
	if r.classes != nil {
		return r.classes.finish(rows)
	}
	return r.family.checkBoundary(&r.numbers, response)
}

// of returns those of a block as numbers.
func (r *glmResponses) of(block *Design) []float64 {
	if r.classes != nil {
		return r.classes.coded(block.Y)
	}
	return block.Y
}

// mean returns the mean of the responses and the sum of the weights.
func (r *glmResponses) mean() (mean, w float64) {
	if r.classes != nil {
		return r.classes.mean()
	}
	return r.numbers.sum / r.numbers.w, r.numbers.w
}

// fitGLMBlocks is FitGLM for rows that come in blocks, by settings without zeros.
func fitGLMBlocks(rows RowBlocks, family GLMFamily, s GLMSettings) (*GLM, error) {
	responses := &glmResponses{family: family}
	b, err := newLikelihoodBlocks(rows, blockModel{
		responses: responses.add,
		terms:     func(block *Design) (*Design, error) { return block, nil },
		fit: func(block *Design, rough LogisticSettings) (Wald, error) {
			return glmOfRows(block, family, GLMSettings{Link: s.Link, L2: rough.L2, Tol: rough.Tol, MaxIterations: rough.MaxIterations})
		},
	}, LogisticSettings{L2: s.L2})
	if err != nil {
		return nil, err
	}
	if b.all.d != nil {
		return glmOfRows(b.all.d, family, s)
	}
	if err := responses.finish(b.w, b.h.Response); err != nil {
		return nil, err
	}
	f := &GLM{linear: linear{linearState{header: b.h.clone()}}, c: glmState{Family: family, Link: s.Link, Own: responses.own}}
	if responses.classes != nil {
		f.c.Classes = slices.Clone(responses.classes.classes)
	}
	q := &newton.Passes{
		Problem: b.problem(s.L2, !f.l.NoIntercept),
		Each: func(use func(newton.Block) error) error {
			return b.each(func(block *Design) error {
				y := responses.of(block)
				return use(newton.Block{
					X: block.X.RawMatrix(), Y: f.sides(y), Weights: block.Weights, Offset: block.Offset,
					Fit: newton.GLM{Family: f.family(), Y: y, Weights: block.Weights},
				})
			})
		},
	}
	mean, w := responses.mean()
	err = b.maximize(&f.linear, &f.s, q, f.newton(s), likelihoodMean{mean, f.family().Eta(mean), w}, f.doubt, "GLMSettings")
	if err != nil || s.Link != IdentityLink {
		return f, err
	}
	return f, b.each(f.checkBoundary)
}

// sides says, for Separation, on which side of 0 a linear predictor may grow: to that of
// the response at 0 or 1, and for what is between them, as a count above 0, to none.
func (f *GLM) sides(y []float64) []float64 {
	if f.family().Kind != glm.Poisson {
		return y
	}
	side := make([]float64, len(y))
	for i, v := range y {
		side[i] = math.Min(v, 0.5)
	}
	return side
}
