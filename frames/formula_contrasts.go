package frames

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/internal/limit"
	"github.com/regbook/regbook/mlreg"
)

// Contrasts say how a factor of k levels is coded in k-1 columns, where its term is
// not coded in full. Formula writes them C(a, Sum), as patsy does, or
// C(a, contr.sum), as R does.
type Contrasts int

const (
	// TreatmentContrasts are the default: one column for every level except the
	// reference level. It is 1 in the rows of the level, 0 elsewhere, and named
	// after the level. contr.treatment.
	TreatmentContrasts Contrasts = iota
	// SumContrasts have a column for every level except the last: 1 in the rows of
	// its level, -1 in the rows of the last level, 0 elsewhere. Coefficients are
	// deviations from the mean of the levels. Columns are named 1, 2 ... contr.sum.
	SumContrasts
	// HelmertContrasts compare level j+1 with the mean of the j levels before it:
	// column j is -1 for those levels, j for level j+1 and 0 for later levels.
	// Columns are named 1, 2 ... contr.helmert.
	HelmertContrasts
	// PolyContrasts are orthonormal polynomials in the number 1 to k of the level:
	// linear .L, quadratic .Q, cubic .C, then ^4, ^5 ... contr.poly.
	PolyContrasts
)

var contrastNames = []string{"Treatment", "Sum", "Helmert", "Poly"}

// String returns the name used in a formula's C(a, ...).
func (c Contrasts) String() string {
	return format.Choice("Contrasts", int(c), contrastNames[:]...)
}

// contrastsNamed returns the contrasts of a name of patsy's or R's: Sum, sum or
// contr.sum.
func contrastsNamed(name string) (Contrasts, bool) {
	name = strings.ToLower(strings.TrimPrefix(name, "contr."))
	k := slices.IndexFunc(contrastNames, func(c string) bool { return strings.ToLower(c) == name })
	return Contrasts(k), k >= 0
}

// contrastArgs reads C(x, contrasts): contrasts is a name, also in quotes, or
// Treatment("x") with the reference level, which becomes the argument ref.
func contrastArgs(o *options) (Contrasts, error) {
	var called string
	switch n := o.args["contrasts"].(type) {
	case nil:
		return TreatmentContrasts, nil
	case *name:
		called = n.name
	case *text:
		called = n.value
	case *call:
		in, err := matchArgs(o.src, n, []string{"reference"})
		if err != nil {
			return 0, err
		}
		if c, ok := contrastsNamed(n.fn); ok && c == TreatmentContrasts {
			o.args["ref"] = in.args["reference"]
			return c, nil
		}
	}
	if c, ok := contrastsNamed(called); ok {
		return c, nil
	}
	return 0, formulaErrorf(ErrSyntax, o.src, o.args["contrasts"], "contrasts of C are Treatment, Treatment(\"level\"), Sum, Helmert or Poly, not %s%s",
		label(o.args["contrasts"]), nearest(called, contrastNames[:]))
}

// contrastsOf returns the contrasts that C(a, ...) sets, or otherwise.
func contrastsOf(src string, n node, otherwise Contrasts) (Contrasts, error) {
	f, ok := n.(*call)
	if !ok || f.fn != "C" {
		return otherwise, nil
	}
	o, err := matchArgs(src, f, factorParamsOf(f.fn))
	if err != nil || o.args["contrasts"] == nil {
		return otherwise, err
	}
	return contrastArgs(o)
}

// matrix returns the k x (k-1) matrix of contrasts, a row for each level; nil
// for treatment contrasts.
func (c Contrasts) matrix(k int) ([][]float64, error) {
	if c == TreatmentContrasts {
		return nil, nil
	}
	if numbers := float64(k) * float64(k-1); limit.Exceeded(numbers) {
		return nil, errorf(ErrTooLarge, "%s", limit.Text(fmt.Sprintf("the matrix of %v contrasts of %d levels", c, k), numbers, "take those of treatments, the default, or make fewer levels"))
	}
	rows := make([][]float64, k)
	var poly *mlreg.Poly
	if c == PolyContrasts {
		scores := make([]float64, k)
		for i := range scores {
			scores[i] = float64(i + 1)
		}
		var err error
		if poly, err = mlreg.NewPoly(scores, k-1); err != nil {
			return nil, err
		}
	}
	for i := range rows {
		if poly != nil {
			rows[i] = poly.Eval(nil, float64(i+1))
			continue
		}
		rows[i] = make([]float64, k-1)
		for j := range rows[i] {
			switch {
			case c == SumContrasts && i == k-1, c == HelmertContrasts && i <= j:
				rows[i][j] = -1
			case c == SumContrasts && i == j:
				rows[i][j] = 1
			case c == HelmertContrasts && i == j+1:
				rows[i][j] = float64(i)
			}
		}
	}
	return rows, nil
}

// suffix returns the end of the name of column j, after the factor's name.
func (c Contrasts) suffix(j int) string {
	switch {
	case c != PolyContrasts:
		return strconv.Itoa(j + 1)
	case j < 3:
		return []string{".L", ".Q", ".C"}[j]
	}
	return "^" + strconv.Itoa(j+1)
}
