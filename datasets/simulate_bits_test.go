package datasets

import (
	"fmt"
	"testing"

	"github.com/go-gota/gota/dataframe"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

// The bits of the lecture's two tables, to the decimals printed: of the data, of the model,
// and the score, minus their sum.
func TestBitsOfTheLecture(t *testing.T) {
	for _, c := range []struct {
		name    string
		df      dataframe.DataFrame
		formula string
		want    string
	}{
		{"straight", StraightSample(), "y ~ x1 + x2", "16.36 9.97 -26.33"},
		{"straight", StraightSample(), "y ~ x1 + x2 + I((x1+x2)^2)", "15.77 13.29 -29.06"},
		{"curved", CurvedSample(), "y ~ x1 + x2", "58.56 9.97 -68.53"},
		{"curved", CurvedSample(), "y ~ x1 + x2 + I((x1+x2)^2)", "38.05 13.29 -51.34"},
	} {
		d := get(frames.Design(c.df, c.formula))(t)
		if d.NObs() != 100 {
			t.Errorf("%s: %d rows", c.name, d.NObs())
		}
		fit := get(mlreg.FitLogistic(d, nil))(t)
		l := mlreg.DescriptionLength(fit)
		if got := fmt.Sprintf("%.2f %.2f %.2f", l.Data, l.Model, -l.Total()); got != c.want {
			t.Errorf("%s, %s: %s, the lecture has %s", c.name, c.formula, got, c.want)
		}
	}
}

func TestBentSurfaces(t *testing.T) {
	if got := StraightClasses().LogOdds(1, -0.5); got != 1.5 {
		t.Errorf("straight: %v", got)
	}
	if got := CurvedClasses().LogOdds(2, -1); got != 2.3 {
		t.Errorf("curved: %v", got)
	}
}
