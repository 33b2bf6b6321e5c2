package mlreg

import (
	"fmt"
	"testing"

	"gonum.org/v1/gonum/mat"
)

func TestScratch(t *testing.T) {
	x := mat.NewDense(3, 2, []float64{2, 0, 2, 2, 2, 4})
	y := []float64{6, 0, 0}
	p, r, err := Project(x, y)
	fmt.Println(p, r, err)
	d, _ := NewDesign(x, y)
	_, err = FitOLS(d, nil)
	fmt.Println(err)
	f, err := FitOLS(d, &OLSSettings{Aliased: DropAliased})
	fmt.Println(f.Coef(), f.StdErr(), f.Cond(), f.Orthogonality(), f.RSS(), err)
	f, err = FitOLS(d, &OLSSettings{Aliased: MinimumNorm})
	fmt.Println(f.Coef(), f.StdErr(), f.Cond(), f.Orthogonality(), f.RSS(), err)
	m, err := d.Moments()
	f, err = FitOLS(m, &OLSSettings{Aliased: DropAliased})
	fmt.Println(f.Coef(), f.StdErr(), f.Cond(), f.Orthogonality(), f.RSS(), err)
	h, err := HatMatrix(d)
	fmt.Println(mat.Formatted(h), err)
	fmt.Println(f.Table(.95))
	fmt.Println(tUpper(.025, 3), tUpper(.025, 1e6), tUpper(1e-10, 7), tUpper(.4, 2.5))
}
