package frames

import (
	"math/rand/v2"

	"github.com/regbook/regbook/mlreg"
	"gonum.org/v1/gonum/mat"
)

func init() {
	registerBasis("rbf", basisFunction{params: []string{"...", "centers", "width", "seed"}, fit: fitRBF})
}

// defaultCenters is the default number of prototypes of rbf.
const defaultCenters = 10

// fitRBF learns rbf(..., centers, width, seed): radial basis functions of the
// columns given. centers is the number of training rows that become prototypes,
// by default 10 or all rows if there are fewer; "all" takes all distinct rows,
// and c(...) sets prototypes in one column: c(7) is one at 7. In one column the
// default prototypes are at quantiles. In several columns, or if a seed is
// given, they are rows drawn with that seed; its default is 1. The default
// width is mlreg.PrototypeWidth.
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
			return nil, errorf(ErrSetting, "one prototype has no default width; give the width, in the units of the columns")
		}
	}
	return mlreg.NewRBF(centers, width)
}

// prototypes returns the centers that the options set.
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
			return nil, formulaErrorf(ErrSetting, o.src, v, "centers = c(...) needs one column, not %d", d)
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
