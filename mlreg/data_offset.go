package mlreg

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// checkOffset looks at every value of Offset.
func (d *Design) checkOffset() error {
	for i, v := range d.Offset {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("%w: the offset is %v in row %d; an exposure, whose logarithm it often is, must be positive",
				ErrNotFinite, v, d.RowNumber(i))
		}
	}
	return nil
}

// offsetAt returns the offset of row i, 0 if there is none.
func (d *Design) offsetAt(i int) float64 {
	if d.Offset == nil {
		return 0
	}
	return d.Offset[i]
}

// addOffset adds the offset of every row to v, and returns v.
func (d *Design) addOffset(v []float64) []float64 {
	if d.Offset != nil {
		floats.Add(v, d.Offset)
	}
	return v
}

// addOffsets adds the offset of every row of d to each column.
func addOffsets(eta *mat.Dense, d *Design) *mat.Dense {
	for i, v := range d.Offset {
		floats.AddConst(v, eta.RawRowView(i))
	}
	return eta
}

// LessOffset returns the design whose response is y less the offset, which is what fits of
// residuals fit; its fits remember that there was an offset. Without one it is d itself.
func (d *Design) LessOffset() *Design {
	if d == nil || d.Offset == nil || d.Y == nil {
		return d
	}
	sub := *d
	sub.Y = make([]float64, len(d.Y))
	floats.SubTo(sub.Y, d.Y, d.Offset)
	sub.Offset, sub.subtracted = nil, true
	return &sub
}

// withoutOffset returns the design without its offset; fits remember that there was
// one.
func (d *Design) withoutOffset() *Design {
	if d.Offset == nil {
		return d
	}
	sub := *d
	sub.Offset, sub.subtracted = nil, true
	return &sub
}

// refuseOffset is for fits that know no offset.
func (d *Design) refuseOffset(fit string) error {
	if d == nil || d.Offset == nil {
		return nil
	}
	return fmt.Errorf("%w: the design has an offset, and %s knows none; set Design.Offset to nil", ErrSetting, fit)
}

// checkOffset refuses rows that have an offset if the rows fitted had none, and
// the other way round.
func (h *header) checkOffset(d *Design) error {
	has := d.Offset != nil || d.subtracted
	switch {
	case h.Offset && !has:
		return fmt.Errorf("%w: the fit is of rows with an offset, and these rows have none; set Design.Offset", ErrShape)
	case !h.Offset && has:
		return fmt.Errorf("%w: these rows have an offset, and the fit is of rows without; set Design.Offset to nil", ErrShape)
	}
	return nil
}

// predictRows is predict on the columns of d, which are in the fit's order and units,
// plus the offset.
func (f *linear) predictRows(d *Design) []float64 { return d.addOffset(f.predict(d.X, d.XLow)) }
