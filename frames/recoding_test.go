package frames

import (
	"bytes"
	"encoding/gob"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/regbook/regbook/mlreg"
)

// cars are rows of R's mtcars: Mazda RX4 to Merc 280.
func cars(t *testing.T) dataframe.DataFrame {
	return frame(t,
		Col("mpg", []float64{21, 21, 22.8, 21.4, 18.7, 18.1, 14.3, 24.4, 22.8, 19.2}),
		Col("wt", []float64{2.620, 2.875, 2.320, 3.215, 3.440, 3.460, 3.570, 3.190, 3.150, 3.440}),
		Col("cyl", []string{"six", "six", "four", "six", "eight", "six", "eight", "four", "four", "six"}))
}

func carsFit(t *testing.T, formula string) (*mlreg.Design, *mlreg.OLS) {
	d := get(Design(cars(t), formula))(t)
	fit := get(mlreg.FitOLS(d, nil))(t)
	return d, fit
}

// New rows that were coded by constants of their own are refused, naming the term, and
// those coded like training are predicted as R does.
func TestRowsCodedAnew(t *testing.T) {
	rows := frame(t, Col("mpg", []float64{1, 2, 3, 4}), Col("wt", []float64{2.5, 3, 3.5, 2.7}), Col("cyl", []string{"six", "four", "eight", "six"}))
	fewer := frame(t, Col("mpg", []float64{1, 2}), Col("wt", []float64{2.5, 3}), Col("cyl", []string{"six", "four"}))
	other := frame(t, Col("mpg", []float64{1, 2, 3, 4}), Col("wt", []float64{2.5, 3, 3.5, 2.7}), Col("cyl", []string{"six", "four", "eight", "ten"}))
	for _, c := range []struct {
		formula, term string // "" if there is nothing to learn
		rows          dataframe.DataFrame
	}{
		{"mpg ~ poly(wt, 2)", "poly(wt, 2)", rows},
		{"mpg ~ ns(wt, 2)", "ns(wt, 2)", rows},
		{"mpg ~ bs(wt, 3)", "bs(wt, 3)", rows},
		{"mpg ~ scale(wt)", "scale(wt)", rows},
		{"mpg ~ rbf(wt, centers = 2, width = 1)", "rbf(wt, centers = 2, width = 1)", rows},
		{"mpg ~ cyl:scale(wt)", "cyl:scale(wt)", rows},
		{"mpg ~ wt + C(cyl, Sum)", "C(cyl, Sum)", other},
		{"mpg ~ wt + cyl", "cyl", other}, // a row of ten would be predicted as eight
		{"mpg ~ wt + cyl", "", rows},
		{"mpg ~ log(wt) + I(wt^2)", "", rows},
		{"mpg ~ poly(wt, 2, raw = TRUE) + fourier(wt, 7)", "", rows},
		{"mpg ~ ns(wt, knots = 3, Boundary.knots = c(2, 4))", "", rows},
		{"mpg ~ words(cyl, min = 1) - 1", "", rows},
	} {
		_, fit := carsFit(t, c.formula)
		anew := get(Design(c.rows, c.formula))(t)
		_, err := fit.Predict(anew)
		switch {
		case c.term == "" && err != nil:
			t.Errorf("%s: %v", c.formula, err)
		case c.term != "" && (!errors.Is(err, mlreg.ErrCoding) || !strings.Contains(err.Error(), fmt.Sprintf("term %q ", c.term)) ||
			!strings.Contains(err.Error(), "frames.DesignLike")):
			t.Errorf("%s: %v", c.formula, err)
		}
	}
	d, fit := carsFit(t, "mpg ~ poly(wt, 2)")
	like := get(DesignLike(d, rows))(t)
	// Rscript -e 'print(predict(lm(mpg ~ poly(wt, 2), head(mtcars, 10)), data.frame(wt = c(2.5, 3, 3.5, 2.7))), digits = 12)'
	want := []float64{22.6399536821, 22.8197771869, 17.5524892224, 23.3655364604}
	got, err := fit.Predict(like)
	for i, v := range got {
		if err != nil || math.Abs(v-want[i]) > 1e-9 {
			t.Errorf("%v, want %v; %v", got, want, err)
		}
	}
	_, fit = carsFit(t, "mpg ~ wt + cyl")
	anew := get(Design(fewer, "mpg ~ wt + cyl"))(t)
	_, err = fit.Predict(anew)
	wantError(t, err, mlreg.ErrCoding, `term "cyl"`, "frames.DesignLike")
}

// A design from which terms were selected codes new rows as before, and its fit
// takes them.
func TestDesignLikeSelected(t *testing.T) {
	d, _ := carsFit(t, "mpg ~ poly(wt, 2) + cyl")
	some := get(d.Select("cylsix", "poly(wt, 2)1"))(t)
	if TermsOf(some) != nil {
		t.Error("a part of a formula's terms has its Terms")
	}
	fit := get(mlreg.FitOLS(some, nil))(t)
	again := get(DesignLike(some, cars(t)))(t)
	sameDesign(t, "selected", some, again)
	if _, err := fit.Predict(again); err != nil {
		t.Error(err)
	}
}

// A fit that comes from another process refuses there as it does here. The other
// process is this test, run by itself, which writes the fit to a file.
func TestRowsCodedAnewElsewhere(t *testing.T) {
	const formula = "mpg ~ poly(wt, 2) + cyl"
	d, fit := carsFit(t, formula)
	if file := os.Getenv("FRAMES_TEST_FIT"); file != "" {
		var b bytes.Buffer
		enc := gob.NewEncoder(&b)
		if err := errors.Join(enc.Encode(fit), enc.Encode(d), os.WriteFile(file, b.Bytes(), 0o600)); err != nil {
			t.Fatal(err)
		}
		return
	}
	file := t.TempDir() + "/fit.gob"
	other := exec.Command(os.Args[0], "-test.run=^TestRowsCodedAnewElsewhere$")
	other.Env = append(os.Environ(), "FRAMES_TEST_FIT="+file)
	if out, err := other.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	stored := get(os.ReadFile(file))(t)
	var back mlreg.OLS
	var design mlreg.Design
	dec := gob.NewDecoder(bytes.NewReader(stored))
	if err := errors.Join(dec.Decode(&back), dec.Decode(&design)); err != nil {
		t.Fatal(err)
	}
	if _, err := back.Predict(d); err != nil { // learned here from the same rows
		t.Error(err)
	}
	rows := cars(t).Subset([]int{0, 2, 4, 6, 8})
	anew := get(Design(rows, formula))(t)
	_, err := back.Predict(anew)
	wantError(t, err, mlreg.ErrCoding, "poly(wt, 2)", "frames.DesignLike")
	like := get(DesignLike(&design, rows))(t)
	if _, err := back.Predict(like); err != nil {
		t.Error(err)
	}
}
