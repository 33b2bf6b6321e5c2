package frames

import (
	"math/rand/v2"

	"github.com/regbook/regbook/mlreg"
	"gonum.org/v1/gonum/mat"
)

func init() {
	registerBasis("rbf", basisFunction{params: []string{"...", "centers", "width", "seed"}, fit: fitRBF})
}

// defaultCenters is how many prototypes rbf takes unless told.
const defaultCenters = 10

// fitRBF learns rbf(..., centers, width, seed): radial basis functions of the
// columns given. centers is how many training rows are prototypes, 10 unless
// given and there are as many, "all" for all distinct rows, or c(...) for given
// prototypes in one column; c(7) is one at 7. In one column they are at
// quantiles; in several, or if a seed is given, they are rows drawn with that
// seed, 1 unless given. The width is mlreg.PrototypeWidth unless given.
func fitRBF(x [][]float64, o *options) (mlreg.Basis, error) {
	centers, err := prototypes(columnsOf(x), o)
	if err != nil {
		return nil, err
	}
	width, given, err := o.real("width")
	if err != nil {
		return nil, err
	}
	if !given {
		if width = mlreg.PrototypeWidth(centers); width == 0 {
			return nil, errorf(ErrSetting, "there is one prototype, so give the width, in the units of the columns")
		}
	}
	return mlreg.NewRBF(centers, width)
}

// prototypes returns the centers that the options ask for.
func prototypes(x *mat.Dense, o *options) (*mat.Dense, error) {
	seed, err := o.integer("seed", 1)
	if err != nil {
		return nil, err
	}
	distinct, err := mlreg.DistinctRows(x)
	if err != nil {
		return nil, err
	}
	n, d := distinct.Dims()
	k := min(defaultCenters, n)
	switch v := o.args["centers"].(type) {
	case nil:
	case *text:
		if v.value != "all" {
			return nil, formulaErrorf(ErrSyntax, o.src, v, "centers of rbf is a number of rows, \"all\" or c(...), not %s", label(v))
		}
		return distinct, nil
	case *call:
		values, err := o.reals("centers")
		if err != nil {
			return nil, err
		}
		if d > 1 {
			return nil, formulaErrorf(ErrSetting, o.src, v, "prototypes can be given for one column, not for %d", d)
		}
		return mat.NewDense(len(values), 1, values), nil
	default:
		if k, err = o.integer("centers", 0); err != nil {
			return nil, err
		}
	}
	if d == 1 && o.args["seed"] == nil {
		return mlreg.QuantilePrototypes(distinct.RawMatrix().Data, k)
	}
	return mlreg.SamplePrototypes(distinct, k, rand.NewPCG(uint64(seed), 0))
}
