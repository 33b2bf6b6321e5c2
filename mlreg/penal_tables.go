package mlreg

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
)

// coefficientsOf is what a table of coefficients needs of a fit.
type coefficientsOf interface {
	Names() []string
	Coef() []float64
	Scaling() *Scaling
}

// penalized is what the tables of penalized fits of a Gaussian response need.
type penalized interface {
	coefficientsOf
	NObs() int
	RSS() float64
	R2() float64
	DoF() float64
}

// describePenalized returns the table of a penalized fit with the lines given below it, which say from the second on
// how it was computed.
func describePenalized(f coefficientsOf, title string, lines ...string) *report.Table {
	t, out := tables.Coefficients(title, f.Names(), f.Coef(), InterceptName)
	t.Notes, t.Method = lines, lines[1:]
	if out > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("%d slopes of zero not shown", out))
	}
	t.Notes = tables.InScaledUnits(t.Notes, f.Scaling() != nil)
	return t
}

// sizeOf is the line of a penalized fit on its size.
func sizeOf(f penalized) string {
	return fmt.Sprintf("n = %d, dof = %s, RSS = %s, R² = %s", f.NObs(), format.Decimal(f.DoF(), 2), format.Number(f.RSS(), 5), format.Decimal(f.R2(), 4))
}

// gapText states a certificate. Both numbers are bounds: their digits are those of
// an iteration or of rounding.
func gapText(gap, kkt float64, base string) string {
	violation := "KKT violated by at most " + format.PowerAbove(math.Max(kkt, 1e-12))
	if math.IsNaN(gap) {
		return violation
	}
	return "duality gap at most " + format.PowerAbove(math.Max(gap, 1e-12)) + " of the " + base + ", " + violation
}

// ofGroups names a penalty on groups.
func ofGroups(name string, groups bool) string {
	if !groups {
		return name
	}
	return "Group " + strings.ToLower(name[:1]) + name[1:]
}

// interpolated is the certificate of a fit between two lambdas of a path.
const interpolated = "interpolated between two fits: no certificate"

// path is fits along a penalty.
type path interface {
	Lambda() []float64
	Slopes() *mat.Dense
	DoF() []float64
}

// pathRows is how many lambdas a table of a path shows.
const pathRows = 10

// nonzeroColumn counts the slopes that are not zero in some rows.
func nonzeroColumn(slopes *mat.Dense, rows []int) report.Column {
	return tables.Int("nonzero", rows, func(k int) (n int) {
		for _, b := range slopes.RawRowView(k) {
			if b != 0 {
				n++
			}
		}
		return n
	})
}
