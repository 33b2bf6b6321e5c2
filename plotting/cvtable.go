package plotting

import (
	"fmt"
	"slices"
	"strings"

	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting/internal/check"
)

// cvTable is how a cross-validation is shown: the candidate of least loss, and the
// simplest within a standard error of it.
func cvTable(cv Validated) (*Table, error) {
	mean, se := cv.Mean(), cv.StdErr()
	chosen := []int{cv.Min(), cv.OneSE()}
	pick := func(v []float64) []float64 { return cells(chosen, func(k int) float64 { return v[k] }) }
	columns := []Column{TextColumn("", "least loss", "one standard error")}
	if x := lambdas(cv); x != nil {
		columns = append(columns, NumberColumn("λ", pick(x), defaultDigits))
	} else {
		columns = append(columns, IntColumn("candidate", cv.Min()+1, cv.OneSE()+1))
	}
	columns = append(columns, NumberColumn("loss", pick(mean), defaultDigits), NumberColumn("std. error", pick(se), 3))
	if path := pathOf(cv); path != nil {
		dof, err := pathDoF(path)
		if err != nil {
			return nil, err
		}
		slopes := path.Slopes()
		columns = append(columns, fixedColumn("dof", pick(dof), 2), IntColumn("nonzero", cells(chosen, func(k int) int {
			row := slopes.RawRowView(k)
			return len(row) - zeros(row)
		})...))
	}
	t, err := NewTable("Cross-validation", columns...)
	if err != nil {
		return nil, err
	}
	t.Notes = []string{fmt.Sprintf("%s, %d candidates", heldOut(cv), len(mean))}
	return t, nil
}

// pathOf returns the path that was cross-validated, nil if there is none.
func pathOf(cv Validated) Path {
	switch v := cv.(type) {
	case *mlreg.ElasticNetCV:
		return v.Path
	case *mlreg.RidgeCV:
		return v.Path
	}
	return nil
}

// lambdas returns those of the candidates, nil if they are not of a path.
func lambdas(cv Validated) []float64 {
	if path := pathOf(cv); path != nil {
		return path.Lambda()
	}
	return nil
}

// foldsText is how folds are shown: "10 folds of 97 rows (9 or 10 each)".
func foldsText(f *mlreg.Folds) string {
	var sizes []int
	for k := range f.Len() {
		sizes = append(sizes, len(f.Test(k)))
	}
	slices.Sort(sizes)
	sizes = slices.Compact(sizes)
	each := strings.Trim(fmt.Sprint(sizes), "[]")
	switch {
	case len(sizes) == 2:
		each = fmt.Sprintf("%d or %d", sizes[0], sizes[1])
	case len(sizes) > 2:
		each = fmt.Sprintf("%d to %d", sizes[0], sizes[len(sizes)-1])
	}
	return fmt.Sprintf("%s of %d rows (%s each)", check.Plural(f.Len(), "fold"), f.NObs(), each)
}
