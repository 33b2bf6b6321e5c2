package mlreg

import (
	"math"
	"slices"

	"github.com/regbook/regbook/mlreg/internal/glm"
	"github.com/regbook/regbook/mlreg/internal/newton"
)

// likelihoodModel is what the likelihood is of, and how it is maximized: a family with its
// link, or, with labels, logistic regression of two classes. The settings have no zeros.
type likelihoodModel struct {
	family   GLMFamily
	link     Link
	labels   bool   // the response is one of two labels, whatever they are
	settings string // the name of those that have L2
	likelihoodSettings
}

// fit maximizes the likelihood; see best for the fit beside an error.
func (m *likelihoodModel) fit(rows RowBlocks) (*GLM, error) {
	if d, ok := rows.(*Design); ok {
		return m.ofRows(d)
	}
	return m.ofBlocks(rows)
}

// responses returns the responses of a design as numbers, and its classes if it has them.
func (m *likelihoodModel) responses(d *Design) (classes []string, y []float64, err error) {
	if m.labels {
		return d.binaryLabels()
	}
	if y, err = m.family.responses(d); err != nil {
		return nil, nil, err
	}
	return slices.Clone(d.Classes), y, nil
}

// loss is minus the log-likelihood of rows: of labels without what their family does for numbers.
func (m *likelihoodModel) loss(y, weights []float64) newton.Datafit {
	if m.labels {
		return newton.NewLogistic(y, weights)
	}
	return newton.GLM{Family: m.family.with(m.link), Y: y, Weights: weights}
}

// start returns the fit before the first step, of which own is the log-likelihood of the responses
// at their own means.
func (m *likelihoodModel) start(h header, classes []string, own float64) *GLM {
	return &GLM{linear: linear{linearState{header: h}}, c: glmState{Family: m.family, Link: m.link, Classes: classes, Own: own}}
}

// ofRows fits the rows of a design.
func (m *likelihoodModel) ofRows(d *Design) (*GLM, error) {
	classes, y, err := m.responses(d)
	if err != nil {
		return nil, err
	}
	f := m.start(d.header(), classes, 0)
	if !m.labels {
		f.c.Own = m.family.saturated(y, d.Weights)
	}
	q := &newton.Problem{X: d.X.RawMatrix(), Weights: d.Weights, Fit: m.loss(y, d.Weights), Offset: d.Offset, L2: m.L2, Intercept: !d.NoIntercept}
	n := m.newton()
	if m.L2 == 0 {
		n.Doubt = m.doubt(f, func() (*newton.Separation, error) { return q.Separation(m.sides(y)) })
	}
	if err := f.s.maximize(&f.linear, d, q, n, m.settings); err != nil {
		return f, err
	}
	return f, f.checkBoundary(d)
}

// newton returns the settings of the iteration.
func (m *likelihoodModel) newton() newton.Settings {
	n := newton.Settings{Tol: m.Tol, Most: m.MaxIterations, Linear: !m.family.with(m.link).Canonical()}
	if m.link == ProbitLink || m.link == CLogLogLink {
		// By eta = 50 the slope of a probit's loss of 1 is below any number, and that of a
		// complementary log-log's by exp(eta) = 50 next to it.
		n.Steep = 50
	}
	return n
}

// doubt returns what decides whether a combination of the terms makes the likelihood
// grow for ever, nil for links of which that is not known. The loss of a share of 1 falls to
// 0 as its linear predictor rises, and that of a share of 0 as it falls, by the probit and the
// complementary log-log as by the logit, so that the same combinations do.
func (m *likelihoodModel) doubt(f *GLM, separation func() (*newton.Separation, error)) func() error {
	switch f.family() {
	case glm.Family{Kind: glm.Poisson, Link: glm.Log}, glm.Family{Kind: glm.Binomial, Link: glm.Logit},
		glm.Family{Kind: glm.Binomial, Link: glm.Probit}, glm.Family{Kind: glm.Binomial, Link: glm.CLogLog}:
	default:
		return nil
	}
	return func() error {
		err := separated(separation, f.Names(), f.l.Response, f.c.Classes)
		if e, ok := err.(*SeparationError); ok && !m.labels {
			e.Family = m.family
		}
		return err
	}
}

// sides says, for Separation, on which side of 0 a linear predictor may grow: to that of
// the response at 0 or 1, and for what is between them, as a count above 0, to none.
func (m *likelihoodModel) sides(y []float64) []float64 {
	if m.family.kind() != glm.Poisson {
		return y
	}
	side := make([]float64, len(y))
	for i, v := range y {
		side[i] = math.Min(v, 0.5)
	}
	return side
}
