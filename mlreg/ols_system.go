package mlreg

import (
	"gonum.org/v1/gonum/blas/blas64"

	"github.com/regbook/regbook/mlreg/internal/gram"

	"github.com/regbook/regbook/mlreg/internal/lsq"
	"github.com/regbook/regbook/mlreg/internal/problem"
)

// newSystem is the least-squares problem of the rows of d.
func newSystem(d *Design) (*lsq.System, error) {
	if err := d.checkFit(); err != nil {
		return nil, err
	}
	s, err := lsq.NewSystem(d.rows())
	return s, d.named(err)
}

// newEquations is the least-squares problem of moments.
func newEquations(m *Moments) *lsq.Equations { return lsq.NewEquations(&m.s.Sums, m.s.NoIntercept) }

// notFinite names what makes the length of term j (of the response if j < 0)
// no number to work with.
func (d *Design) notFinite(j int) error { return d.named(&problem.RangeError{Column: j}) }

// checkSquares names the first term, or the response, whose squares are not.
func (d *Design) checkSquares() error {
	for j := range d.Names {
		if e, ok := problem.Exponent(blas64.Nrm2(gram.Column(d.X, j))); !ok || max(e, -e) > problem.MostSquared {
			return d.notFinite(j)
		}
	}
	if e, ok := problem.Exponent(blas64.Nrm2(gram.Vector(d.Y))); !ok || max(e, -e) > problem.MostSquared {
		return d.notFinite(-1)
	}
	return nil
}

func square(x float64) float64 { return x * x }
