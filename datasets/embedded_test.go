package datasets

import (
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/regbook/regbook/frames"
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
