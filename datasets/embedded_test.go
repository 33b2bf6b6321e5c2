package datasets

import (
	"fmt"
	"math"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
	"gonum.org/v1/gonum/floats/scalar"
)

func floats(t *testing.T, df dataframe.DataFrame, name string) []float64 {
	t.Helper()
	x := get(frames.Floats(df, name))(t)
	return x
}

func TestProstate(t *testing.T) {
	df := Prostate()
	train := get(frames.Mask(df, "train", "T"))(t)
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
	fit := get(mlreg.FitOLS(train, nil))(t)
	for j, want := range []float64{2.452, .711, .29, -.141, .21, .307, -.287, -.021, .275} {
		if got := fit.Coef()[j]; math.Abs(got-want) > .0005 {
			t.Errorf("%s: %.4f, want %v", fit.Names()[j], got, want)
		}
	}
	r := get(fit.Residuals(test))(t)
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
	mask := get(frames.Mask(df, "train", "T"))(t)
	in, out, err := frames.SplitMask(df, mask)
	if err != nil {
		t.Fatal(err)
	}
	raw := get(frames.Design(in, "lpsa ~ . - train"))(t)
	if train, err = raw.Standardize(nil); err != nil {
		t.Fatal(err)
	}
	if test, err = frames.DesignLike(train, out); err != nil {
		t.Fatal(err)
	}
	return train, test
}

// The least-squares fit of the 64 terms is that of
//
//	/usr/bin/python3 -c 'import numpy as np; from sklearn.datasets import load_diabetes
//	x, y = load_diabetes(return_X_y=True, scaled=False); z = (x-x.mean(0))/x.std(0)
//	q = np.column_stack([z]+[z[:,j]*z[:,k] for j in range(10) for k in range(j,10) if j!=1 or k!=1]+[np.ones(442)])
//	b = np.linalg.lstsq(q, y, rcond=None)[0]; print(q.shape[1]-1, ((y-q@b)**2).sum(), b[2], b[10], b[63])'
func TestDiabetesQuadratic(t *testing.T) {
	d := get(frames.Design(DiabetesQuadratic(), "progression ~ ."))(t)
	ols := get(mlreg.FitOLS(d, nil))(t)
	b := ols.Slopes()
	for _, c := range []struct{ got, want float64 }{
		{ols.RSS(), 1068217.7577252663}, {b[2], 21.915088717555363}, {b[10], 2.7997561283904844}, {b[63], 3.643470917760702},
	} {
		if !scalar.EqualWithinRel(c.got, c.want, 1e-9) {
			t.Errorf("%.12g, want %.12g", c.got, c.want)
		}
	}
	if fmt.Sprint(d.Names[:3], d.Names[10:12], d.Names[63:]) != "[age sex bmi] [age.age age.sex] [s6.s6]" {
		t.Error(d.Names)
	}
}
