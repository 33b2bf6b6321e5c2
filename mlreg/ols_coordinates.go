package mlreg

import (
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/lsq"
)

// coordinatesOf returns how the fit maps the rows x, with weights w, that it was
// made to. The basis starts with the column of ones, so the other coordinates are
// those of x minus its mean alone; no digits are lost to a large mean.
func (f *OLS) coordinatesOf(x *mat.Dense, w []float64) *lsq.Coordinates {
	return f.coordinatesAbout(func() []float64 { return lsq.ColumnMeans(x, w) })
}

// coordinatesAbout is coordinatesOf given the means of the columns.
func (f *OLS) coordinatesAbout(means func() []float64) *lsq.Coordinates {
	r := f.s.Rank
	c := f.coordinates(f.s.Root, r)
	if f.l.NoIntercept {
		return c
	}
	for j := range c.Slopes.Rows {
		if c.Slopes.Data[j*r] != 0 {
			return c
		}
	}
	c.Center = means()
	clear(c.Offset[1:])
	return c
}
