package mlreg

import (
	"math"
	"slices"

	"github.com/regbook/regbook/mlreg/internal/glm"
	"github.com/regbook/regbook/mlreg/internal/newton"
)

// glmBlocks are row blocks of the responses of a family.
type glmBlocks struct {
	likelihoodBlocks
	classes *binaryBlocks // nil if the responses are numbers
	numbers responseSums
	own     float64 // see GLMFamily.saturated
}

// newGLMBlocks makes the first pass.
func newGLMBlocks(rows RowBlocks, family GLMFamily, s GLMSettings) (*glmBlocks, error) {
	p, err := newPasses(rows)
	if err != nil {
		return nil, err
	}
	b := &glmBlocks{likelihoodBlocks: likelihoodBlocks{passes: p}}
	first := true
	err = p.each(func(block *Design) error {
		if first && block.Classes != nil {
			if err := family.checkClasses(block); err != nil {
				return err
			}
			b.classes = &binaryBlocks{}
		}
		first = false
		if err := b.addResponses(block, family); err != nil {
			return err
		}
		b.all.add(block)
		if !block.weightless() {
			b.add(block, func() []float64 { return startOfGLM(block, family, s) })
		}
		return nil
	})
	switch {
	case err != nil || b.all.d != nil:
		return b, err
	case !b.some:
		return nil, errWeightless
	case b.classes != nil:
		return b, b.classes.finish(p.w)
	}
	return b, family.checkBoundary(&b.numbers, p.h.Response)
}

// addResponses takes those of a block of the first pass.
func (b *glmBlocks) addResponses(block *Design, family GLMFamily) error {
	if b.classes != nil {
		return b.classes.add(block)
	}
	if err := block.checkResponse(); err != nil {
		return err
	}
	if err := family.addResponses(block, &b.numbers); err != nil {
		return err
	}
	b.own += family.saturated(block.Y, block.Weights)
	return nil
}

// responses returns those of a block as numbers.
func (b *glmBlocks) responses(block *Design) []float64 {
	if b.classes != nil {
		return b.classes.coded(block.Y)
	}
	return block.Y
}

// mean returns the mean of the responses and the sum of the weights.
func (b *glmBlocks) mean() (mean, w float64) {
	if c := b.classes; c != nil {
		w = c.weight[0] + c.weight[1]
		return c.weight[1] / w, w
	}
	return b.numbers.sum / b.numbers.w, b.numbers.w
}

// startOfGLM is startOf of a generalized linear model.
func startOfGLM(block *Design, family GLMFamily, s GLMSettings) []float64 {
	l := LogisticSettings{L2: s.L2}
	if !l.roughly(block) {
		return nil
	}
	f, err := glmOfRows(block, family, GLMSettings{Link: s.Link, L2: l.L2, Tol: l.Tol, MaxIterations: l.MaxIterations})
	if err != nil {
		return nil
	}
	return f.Coef()
}

// fitGLMBlocks is FitGLM for rows that come in blocks, by settings without zeros.
func fitGLMBlocks(rows RowBlocks, family GLMFamily, s GLMSettings) (*GLM, error) {
	b, err := newGLMBlocks(rows, family, s)
	if err != nil {
		return nil, err
	}
	if b.all.d != nil {
		return glmOfRows(b.all.d, family, s)
	}
	f := &GLM{linear: linear{linearState{header: b.h.clone()}}, c: glmState{Family: family, Link: s.Link, Own: b.own}}
	if b.classes != nil {
		f.c.Classes = slices.Clone(b.classes.classes)
	}
	q := &newton.Passes{
		Problem: b.problem(s.L2, !f.l.NoIntercept),
		Each: func(use func(newton.Block) error) error {
			return b.each(func(block *Design) error {
				y := b.responses(block)
				return use(newton.Block{
					X: block.X.RawMatrix(), Y: f.sides(y), Weights: block.Weights, Offset: block.Offset,
					Fit: newton.GLM{Family: f.family(), Y: y, Weights: block.Weights},
				})
			})
		},
	}
	mean, w := b.mean()
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
