package datasets

import (
	"math"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

func floats(t *testing.T, df dataframe.DataFrame, name string) []float64 {
	t.Helper()
	x, err := frames.Floats(df, name)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func TestProstate(t *testing.T) {
	df := Prostate()
	train, err := frames.Mask(df, "train", "T")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, in := range train {
		if in {
			n++
		}
	}
	if n != 67 || len(train) != 97 {
		t.Errorf("%d of %d rows are for training, ESL has 67 of 97", n, len(train))
	}
	// An erratum of the first printing of ESL: the prostate of subject 32
	// weighed 449.25 g (log 6.108); it was 44.9 g.
	if w := floats(t, df, "lweight")[31]; w != 3.804438 {
		t.Errorf("lweight of subject 32 is %v, the corrected value is 3.804438", w)
	}
}

// Row 114 of the course's ledger: least squares on the 67 training rows, the
// predictors standardized on them with ddof 0; test MSE .5213.
func TestProstateLeastSquares(t *testing.T) {
	train, test := splitProstate(t)
	fit, err := mlreg.FitOLS(train, nil)
	if err != nil {
		t.Fatal(err)
	}
	for j, want := range []float64{2.452, .711, .29, -.141, .21, .307, -.287, -.021, .275} {
		if got := fit.Coef()[j]; math.Abs(got-want) > .0005 {
			t.Errorf("%s: %.4f, want %v", fit.Names()[j], got, want)
		}
	}
	r, err := fit.Residuals(test)
	if err != nil {
		t.Fatal(err)
	}
	var mse float64
	for _, v := range r {
		mse += v * v / float64(len(r))
	}
	if math.Abs(mse-.5213) > .00005 || len(r) != 30 {
		t.Errorf("test MSE %.5f on %d rows, want .5213 on 30", mse, len(r))
	}
}

func splitProstate(t *testing.T) (train, test *mlreg.Design) {
	t.Helper()
	df := Prostate()
	mask, err := frames.Mask(df, "train", "T")
	if err != nil {
		t.Fatal(err)
	}
	in, out, err := frames.SplitMask(df, mask)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := frames.Design(in, "lpsa ~ . - train")
	if err != nil {
		t.Fatal(err)
	}
	if train, err = raw.Standardize(nil); err != nil {
		t.Fatal(err)
	}
	if test, err = frames.DesignLike(train, out); err != nil {
		t.Fatal(err)
	}
	return train, test
}
