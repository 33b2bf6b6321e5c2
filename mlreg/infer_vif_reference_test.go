package mlreg_test

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

// GVIF of factors, polynomials and interactions is that of R's car; testdata/gvif.R
// made the values. Those of car go through a float64 covariance matrix.
func TestGVIFOfCar(t *testing.T) {
	births, err := frames.ReadCSV("testdata/birthwt.csv", nil)
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile("testdata/gvif.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Formula         string
		Weighted        bool
		Terms           []string
		GVIF, DF, PerDF []float64
	}
	if err := json.Unmarshal(b, &cases); err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		d, err := frames.Design(births.Frame, c.Formula)
		if err != nil {
			t.Fatal(c.Formula, err)
		}
		if c.Weighted {
			d.Weights = births.Frame.Col("w").Float()
		}
		rows, err := mlreg.GVIF(d)
		if err != nil || len(rows) != len(c.Terms) {
			t.Fatal(c.Formula, rows, err)
		}
		for i, r := range rows {
			if r.Term != c.Terms[i] || r.DF != c.DF[i] || !(math.Abs(r.VIF/c.GVIF[i]-1) < 1e-9) || !(math.Abs(r.PerDF/c.PerDF[i]-1) < 1e-9) || r.Digits < 14 {
				t.Errorf("%s: %+v, and car has %s %v %v %v", c.Formula, r, c.Terms[i], c.GVIF[i], c.DF[i], c.PerDF[i])
			}
		}
	}
}
