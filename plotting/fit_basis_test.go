package plotting

import (
	"errors"
	"strings"
	"testing"

	"github.com/regbook/regbook/mlreg"
)

func TestGoldenBasisFunctions(t *testing.T) {
	df := wave(t)
	f := curve(t, df, "y ~ bs(x, df = 6)")
	p := get(BasisFunctions(f.Design, df, &CurveSettings{Title: "B-splines"}))(t)
	checkImage(t, "basisfunctions", Sized(p, 5, 3.2))
}

func TestBasisErrors(t *testing.T) {
	df := wave(t)
	f := curve(t, df, "y ~ poly(x, 3)")
	if _, err := BasisFunctions(nil, df, nil); !errors.Is(err, mlreg.ErrNoData) {
		t.Error(err)
	}
	zero := *f.Design
	zero.RowNumbers = make([]int, zero.NObs())
	if _, err := BasisFunctions(&zero, df, nil); !errors.Is(err, mlreg.ErrShape) || !strings.Contains(err.Error(), "number 0") {
		t.Error(err)
	}
}
