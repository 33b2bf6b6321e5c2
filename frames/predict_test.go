package frames

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"errors"
	"math"
	"os"
	"os/exec"
	"reflect"
	"slices"
	"strconv"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg"
)

// rNumbers are numbers of R, null for NA.
type rNumbers []float64

func (x *rNumbers) UnmarshalJSON(b []byte) error {
	var values []*float64
	if err := json.Unmarshal(b, &values); err != nil {
		return err
	}
	*x = nil
	for _, v := range values {
		if v == nil {
			*x = append(*x, math.NaN())
		} else {
			*x = append(*x, *v)
		}
	}
	return nil
}

// rFrame makes a frame of the columns that jsonlite wrote, null for NA.
func rFrame(t *testing.T, columns map[string]json.RawMessage) dataframe.DataFrame {
	t.Helper()
	var cols []series.Series
	for name, raw := range columns {
		var text []*string
		var num rNumbers
		if json.Unmarshal(raw, &num) == nil {
			cols = append(cols, series.New([]float64(num), series.Float, name))
			continue
		}
		var truths []bool
		if json.Unmarshal(raw, &truths) == nil {
			cols = append(cols, series.New(truths, series.Bool, name))
			continue
		}
		if err := json.Unmarshal(raw, &text); err != nil {
			t.Fatal(err)
		}
		values := slices.Repeat([]string{"NaN"}, len(text))
		for i, v := range text {
			if v != nil {
				values[i] = *v
			}
		}
		cols = append(cols, series.New(values, series.String, name))
	}
	return dataframe.New(cols...)
}

// near compares numbers, NaN with NaN, within a relative tolerance.
func near(t *testing.T, what string, got, want []float64, tol float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %v, want %v", what, got, want)
		return
	}
	for i, w := range want {
		if math.IsNaN(got[i]) != math.IsNaN(w) || math.Abs(got[i]-w) > tol*math.Abs(w) {
			t.Errorf("%s: row %d is %v, want %v", what, i+1, got[i], w)
		}
	}
}

// limitsOf are the columns of R's matrices of limits.
func limitsOf(rows []rNumbers) (lower, upper []float64) {
	for _, row := range rows {
		lower, upper = append(lower, row[0]), append(upper, row[1])
	}
	return lower, upper
}

type predictCases struct {
	Train, New map[string]json.RawMessage
	Level      float64
	Linear     []struct {
		Formula      string
		Weighted     bool
		Fit, SE, HC3 rNumbers
		Confidence   []rNumbers
		Prediction   []rNumbers
		DF           float64
	}
	Logistic []struct {
		Formula    string
		Fit, SE    rNumbers
		Confidence []rNumbers
	}
}

// Predictions of new rows, some of them with missing values, are R's: of polynomials,
// splines and scaled columns by the constants of the rows fitted.
func TestPredictLikeR(t *testing.T) {
	var all predictCases
	if err := json.Unmarshal(get(os.ReadFile("testdata/predict.json"))(t), &all); err != nil {
		t.Fatal(err)
	}
	train, rows := rFrame(t, all.Train), rFrame(t, all.New)
	for _, c := range all.Linear {
		settings := &DesignSettings{}
		if c.Weighted {
			settings.Weights = "w"
		}
		d := get(get(ParseFormula(c.Formula))(t).Design(train, settings))(t)
		ols := get(mlreg.FitOLS(d, nil))(t)
		near(t, c.Formula, get(Predict(ols, rows))(t), c.Fit, 1e-11)
		confidence, prediction := get(ConfidenceBand(ols, rows, all.Level))(t), get(PredictionBand(ols, rows, all.Level))(t)
		near(t, c.Formula+": standard errors", confidence.StdErr, c.SE, 1e-9)
		lower, upper := limitsOf(c.Confidence)
		near(t, c.Formula+": confidence", confidence.Lower, lower, 1e-9)
		near(t, c.Formula+": confidence", confidence.Upper, upper, 1e-9)
		lower, upper = limitsOf(c.Prediction)
		near(t, c.Formula+": prediction", prediction.Lower, lower, 1e-9)
		near(t, c.Formula+": prediction", prediction.Upper, upper, 1e-9)

		robust := get(ols.Robust(d, mlreg.HC3))(t)
		near(t, c.Formula+": robust", get(Predict(robust, rows))(t), c.Fit, 1e-11)
		near(t, c.Formula+": HC3", get(ConfidenceBand(robust, rows, all.Level))(t).StdErr, c.HC3, 1e-8)
	}
	for _, c := range all.Logistic {
		fit := get(mlreg.FitLogistic(get(Design(train, c.Formula))(t), nil))(t)
		near(t, c.Formula, get(Predict(fit, rows))(t), c.Fit, 1e-8)
		band := get(ConfidenceBand(fit, rows, all.Level))(t)
		lower, upper := limitsOf(c.Confidence)
		near(t, c.Formula, band.Fitted, c.Fit, 1e-8)
		near(t, c.Formula+": standard errors", band.StdErr, c.SE, 1e-7)
		near(t, c.Formula+": confidence", band.Lower, lower, 1e-7)
		near(t, c.Formula+": confidence", band.Upper, upper, 1e-7)
	}
}

// everyPredictor returns a fit of each type that predicts, to cars.
func everyPredictor(t *testing.T) map[string]Coded {
	df := cars(t)
	d := get(Design(df, "mpg ~ poly(wt, 2) + cyl"))(t)
	scaled := get(d.Standardize(nil))(t)
	heavy := slices.Clone(d.Y)
	for i, mpg := range d.Y {
		heavy[i] = 0
		if mpg+float64(i%3)*2 < 21 {
			heavy[i] = 1
		}
	}
	labels := scaled.WithResponse("thirsty", heavy)
	line := get(Design(df, "mpg ~ wt"))(t).WithResponse("thirsty", heavy)
	kinds := get(Design(df, "cyl ~ scale(wt)"))(t)
	features := get(Design(df, "cyl ~ I(wt > 3) - 1"))(t)
	ols := get(mlreg.FitOLS(d, nil))(t)
	net := get(mlreg.FitElasticNetPath(scaled, 0.5, nil))(t)
	enumeration := get(mlreg.EnumerateModels(scaled, mlreg.BICScore{}, &mlreg.EnumerateSettings{Average: true}))(t)
	prior := mlreg.GaussianPrior{Tau2: 1}
	steps := get(mlreg.FitStepwise(scaled, nil))(t)
	return map[string]Coded{
		"OLS": ols, "OLS of scaled columns": get(mlreg.FitOLS(scaled, nil))(t),
		"Robust":      get(ols.Robust(d, mlreg.HC0))(t),
		"Ridge":       get(mlreg.FitRidge(scaled, 1, nil))(t),
		"RidgePath":   get(get(mlreg.FitRidgePath(scaled, nil))(t).At(2))(t),
		"Lasso":       get(mlreg.FitLasso(scaled, 3, nil))(t),
		"ElasticNet":  get(net.At(net.Lambda()[5]))(t),
		"LARS":        get(get(mlreg.FitLARS(scaled, nil))(t).At(3))(t),
		"Shooting":    get(mlreg.ShootingAlgorithm(scaled, 1, nil))(t),
		"PCR":         get(mlreg.FitPCR(scaled, 2, nil))(t),
		"Stepwise":    get(steps.Final().Refit(scaled))(t),
		"Bayes":       get(mlreg.FitBayes(scaled, prior, mlreg.KnownVariance(1), nil))(t),
		"Average":     get(enumeration.ModelAverage())(t),
		"Logistic":    get(mlreg.FitLogistic(line, nil))(t),
		"penalized":   get(mlreg.FitLogistic(labels, &mlreg.LogisticSettings{L2: 1}))(t),
		"sparse":      get(mlreg.FitLogisticElasticNet(labels, 0.1, 0.1, nil))(t),
		"posterior":   get(mlreg.FitBayesLogistic(labels, prior, nil))(t),
		"multinomial": get(mlreg.FitMultinomial(kinds, &mlreg.MultinomialSettings{L2: 0.1}))(t),
		"naive Bayes": get(mlreg.FitNaiveBayes(features, 1, nil))(t),
	}
}

// Every fit, as it is and from a gob stream, predicts a frame: the rows that are
// complete as from a design, the others as missing.
func TestPredictOfEveryFit(t *testing.T) {
	rows := frame(t, Col("wt", []float64{2.5, math.NaN(), 3.5, 2.7}), Col("cyl", []string{"six", "four", "eight", "four"}))
	complete := rows.Subset([]int{0, 2, 3})
	codings := map[string]*mlreg.Design{
		"other": get(Design(cars(t), "mpg ~ poly(wt, 2) + cyl"))(t), "multinomial": get(Design(cars(t), "cyl ~ scale(wt)"))(t),
		"naive Bayes": get(Design(cars(t), "cyl ~ I(wt > 3) - 1"))(t), "Logistic": get(Design(cars(t), "mpg ~ wt"))(t),
	}
	for name, fit := range everyPredictor(t) {
		train := codings[name]
		if train == nil {
			train = codings["other"]
		}
		like := get(DesignLike(train, complete))(t)
		for _, fit := range []Coded{fit, throughGob(t, fit)} {
			if f, ok := fit.(Predictor); ok {
				want := get(f.Predict(like))(t)
				near(t, name, get(Predict(f, rows))(t), []float64{want[0], math.NaN(), want[1], want[2]}, 1e-14)
			}
			if f, ok := fit.(Classifier); ok {
				want, p := get(mlreg.Classify(f, like))(t), get(ClassProb(f, rows))(t)
				if got := get(Classify(f, rows))(t); !slices.Equal(got, []string{want[0], "NaN", want[1], want[2]}) {
					t.Errorf("%s: classes %q, want %q", name, got, want)
				}
				near(t, name, mat.Row(nil, 2, p), mat.Row(nil, 1, get(f.ClassProb(like))(t)), 1e-14)
				if !math.IsNaN(p.At(1, 0)) {
					t.Errorf("%s: a row with a missing value has the probability %v", name, p.At(1, 0))
				}
			} else if _, ok := fit.(Predictor); !ok {
				t.Errorf("%s, %T, does not predict", name, fit)
			}
		}
	}
}

func throughGob(t *testing.T, fit Coded) Coded {
	t.Helper()
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(fit); err != nil {
		t.Fatal(err)
	}
	back := reflect.New(reflect.TypeOf(fit).Elem()).Interface()
	if err := gob.NewDecoder(&b).Decode(back); err != nil {
		t.Fatal(err)
	}
	return back.(Coded)
}

// Bands: which fits have which, and that those of others say why not.
func TestBandsOfEveryFit(t *testing.T) {
	rows := frame(t, Col("wt", []float64{2.5, math.NaN(), 3.5}), Col("cyl", []string{"six", "four", "eight"}))
	confidence := []string{"OLS", "OLS of scaled columns", "Robust", "Stepwise", "Bayes", "Logistic", "posterior"}
	prediction := []string{"OLS", "OLS of scaled columns", "Stepwise", "Bayes"}
	for name, fit := range everyPredictor(t) {
		for _, c := range []struct {
			has  []string
			make func(Coded, dataframe.DataFrame, float64) (*mlreg.Band, error)
		}{{confidence, ConfidenceBand}, {prediction, PredictionBand}} {
			b, err := c.make(fit, rows, 0.9)
			if !slices.Contains(c.has, name) {
				if !errors.Is(err, ErrNoBand) && !(name == "penalized" && errors.Is(err, mlreg.ErrNotEstimable)) {
					t.Errorf("%s: band %v, %v", name, b, err)
				}
				continue
			}
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			if b.Level != 0.9 || !math.IsNaN(b.Lower[1]) || !(b.Lower[0] < b.Fitted[0] && b.Fitted[2] < b.Upper[2] && b.StdErr[0] > 0) {
				t.Errorf("%s: band\n%v", name, b)
			}
			near(t, name, b.Fitted, get(Predict(fit.(Predictor), rows))(t), 1e-13)
			if _, err := c.make(fit, rows, 90); !errors.Is(err, mlreg.ErrSetting) {
				t.Errorf("%s: level 90: %v", name, err)
			}
			none := rows.Subset([]int{1})
			if b, err := c.make(fit, none, 0.9); err != nil || !math.IsNaN(b.Upper[0]) {
				t.Errorf("%s: band of a missing row %v, %v", name, b, err)
			}
			if _, err := c.make(fit, none, 0); !errors.Is(err, ErrSetting) {
				t.Errorf("%s: level 0 of a missing row: %v", name, err)
			}
		}
	}
	every := everyPredictor(t)
	_, err := ConfidenceBand(every["Ridge"], rows, 0.9)
	wantError(t, err, ErrNoBand, "*mlreg.Ridge", "penalized", "mlreg.FitBayes")
	_, err = PredictionBand(every["Logistic"], rows, 0.9)
	wantError(t, err, ErrNoBand, "one of its classes")
	if kind := get(ConfidenceBand(every["Bayes"], rows, 0.9))(t).Kind; kind != mlreg.Credible {
		t.Errorf("the band of a posterior is a %v", kind)
	}
}

// A fit that comes from another process, with nothing else, predicts a frame. The other
// process is this test, run by itself.
func TestPredictElsewhere(t *testing.T) {
	const formula = "log(mpg) ~ poly(wt, 2) + ns(hp, 2) + scale(wt):cyl + words(cyl, min = 1)"
	df := cars(t).Mutate(series.New([]float64{110, 110, 93, 111, 175, 105, 245, 62, 95, 123}, series.Float, "hp"))
	d := get(Design(df, formula))(t)
	fit := get(mlreg.FitRidge(d, 0.5, nil))(t)
	if file := os.Getenv("FRAMES_TEST_PREDICT"); file != "" {
		var b bytes.Buffer
		if err := errors.Join(gob.NewEncoder(&b).Encode(fit), os.WriteFile(file, b.Bytes(), 0o600)); err != nil {
			t.Fatal(err)
		}
		return
	}
	file := t.TempDir() + "/fit.gob"
	other := exec.Command(os.Args[0], "-test.run=^TestPredictElsewhere$")
	other.Env = append(os.Environ(), "FRAMES_TEST_PREDICT="+file)
	if out, err := other.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	var back mlreg.Ridge
	if err := gob.NewDecoder(bytes.NewReader(get(os.ReadFile(file))(t))).Decode(&back); err != nil {
		t.Fatal(err)
	}
	rows := df.Subset([]int{7, 3, 2}).Drop("mpg")
	want := get(fit.Predict(d.Rows(7, 3, 2)))(t)
	near(t, formula, get(Predict(&back, rows))(t), want, 1e-14)
}

// Only the columns that a fit needs have to be there, with values: not the response,
// nor those of terms left out.
func TestPredictNeedsItsTermsOnly(t *testing.T) {
	d := get(Design(cars(t), "mpg ~ poly(wt, 2) + cyl"))(t)
	alone := get(mlreg.FitOLS(get(d.Select("poly(wt, 2)1"))(t), nil))(t)
	if got := get(Predict(alone, frame(t, Col("wt", []float64{3, 4}))))(t); len(got) != 2 || math.IsNaN(got[1]) {
		t.Errorf("%v", got)
	}
	all := get(mlreg.FitOLS(d, nil))(t)
	_, err := Predict(all, frame(t, Col("wt", []float64{3, 4})))
	wantError(t, err, ErrNoColumn, `"cyl"`)
	_, err = Predict(all, frame(t, Col("wt", []float64{3, 4}), Col("cyl", []string{"six", "ten"})))
	wantError(t, err, ErrLevel, `"ten"`, "row 2")
	missing := frame(t, Col("wt", []float64{math.NaN(), math.NaN()}), Col("cyl", []string{"six", "six"}))
	if got := get(Predict(all, missing))(t); len(got) != 2 || !math.IsNaN(got[0]) || !math.IsNaN(got[1]) {
		t.Errorf("a column of missing values only: %v", got)
	}
	strict := get(get(ParseFormula("mpg ~ wt"))(t).Design(cars(t), &DesignSettings{NA: NAError}))(t)
	if got := get(Predict(get(mlreg.FitOLS(strict, nil))(t), missing))(t); !math.IsNaN(got[0]) {
		t.Errorf("%v", got)
	}

	offset := frame(t, Col("y", []bool{true, false, true, false, true, false}), Col("a", []float64{1, 2, 3, 4, 5, 7}), Col("b", []float64{1, 0, 2, 1, 3, 1}))
	withOffset := get(mlreg.FitLogistic(get(Design(offset, "y ~ a + offset(b)"))(t), nil))(t)
	if got := get(Predict(withOffset, offset.Drop("y")))(t); len(got) != 6 || !(got[2] > got[1]) {
		t.Errorf("with an offset: %v", got)
	}
}

// A fit to a matrix takes the columns with the names of its terms.
func TestPredictOfAMatrix(t *testing.T) {
	d := get(mlreg.NewDesign(mat.NewDense(4, 2, []float64{1, 2, 2, 1, 3, 5, 4, 3}), []float64{1, 2, 4, 3}, "a", "b"))(t)
	fit := get(mlreg.FitOLS(d, nil))(t)
	rows := frame(t, Col("b", []float64{2, math.NaN(), 5}), Col("c", []string{"x", "y", "z"}), Col("a", []float64{1, 2, 3}), Col("y", []float64{1, 2, math.NaN()}))
	want := get(fit.Predict(d))(t)
	near(t, "matrix", get(Predict(fit, rows))(t), []float64{want[0], math.NaN(), want[2]}, 1e-14)
	got := get(Augment(fit, rows))(t)
	near(t, "residuals", got.Col(".resid").Float(), []float64{1 - want[0], math.NaN(), math.NaN()}, 1e-14)
	_, err := Predict(fit, rows.Drop("a"))
	wantError(t, err, ErrNoColumn, `"a"`, "matrix")
	mean := get(mlreg.FitOLS(get(mlreg.NewDesign(nil, []float64{1, 3}))(t), nil))(t)
	near(t, "mean", get(Predict(mean, rows))(t), []float64{2, 2, 2}, 0)

	powers := get(mlreg.NewPowers(2))(t)
	expanded := get(mlreg.FitOLS(get(mlreg.Expand(powers, mat.NewDense(4, 1, []float64{1, 2, 3, 5}), []float64{1, 2, 4, 3}))(t), nil))(t)
	_, err = Predict(expanded, rows)
	wantError(t, err, ErrNoRecipe, "mlreg.ExpandLike")
}

// seesParts keeps the largest design that was predicted.
type seesParts struct {
	*mlreg.OLS
	parts, numbers int
}

func (f *seesParts) Predict(d *mlreg.Design) ([]float64, error) {
	f.parts, f.numbers = f.parts+1, max(f.numbers, d.NObs()*d.NTerms())
	return f.OLS.Predict(d)
}

// Rows by a factor of many levels are predicted in parts, as one by one, whatever the columns read of other rows.
func TestPredictInParts(t *testing.T) {
	const n, levels, fitted = 60_000, 300, 3_000
	y, x, zone := make([]float64, n), make([]float64, n), make([]string, n)
	for i := range y {
		x[i], zone[i] = float64(i*i%1009), "z"+strconv.Itoa(i*7%levels)
		y[i] = x[i]/100 + float64(i*7%levels%13) + float64(i*i%7)
	}
	x[40_000] = math.NaN()
	part := func(from, to int) dataframe.DataFrame {
		return frame(t, Col("y", y[from:to]), Col("x", x[from:to]), Col("zone", zone[from:to]))
	}
	fit := &seesParts{OLS: get(mlreg.FitOLS(get(Design(part(0, fitted), "y ~ x + lag(x, 1) + zone"))(t), nil))(t)}
	got := get(Predict(fit, part(0, n)))(t)
	if fit.parts != 2 || fit.numbers > mostInPart {
		t.Errorf("%d parts, of up to %d numbers", fit.parts, fit.numbers)
	}
	for _, from := range []int{0, 20_000, 39_000, n - 1_000} {
		want := get(Predict(fit.OLS, part(from, from+1_000)))(t)
		for i, v := range want[1:] { // the first has no row before it
			if row := from + 1 + i; got[row] != v {
				t.Fatalf("row %d: %v, alone %v", row, got[row], v)
			}
		}
	}
	if !math.IsNaN(got[0]) || !math.IsNaN(got[40_000]) || !math.IsNaN(got[40_001]) || math.IsNaN(got[40_002]) {
		t.Error("rows with missing values are predicted, or others are not")
	}
}

func (f *seesParts) PredictionBand(d *mlreg.Design, level float64) (*mlreg.Band, error) {
	f.parts, f.numbers = f.parts+1, max(f.numbers, d.NObs()*d.NTerms())
	return f.OLS.PredictionBand(d, level)
}

// Bands and classes by a factor of many levels are computed in parts, as one by one, and say what lies beyond ranges in all rows.
func TestBandsAndClassesInParts(t *testing.T) {
	const n, levels, fitted = 60_000, 300, 3_000
	y, x, zone, class := make([]float64, n), make([]float64, n), make([]string, n), make([]string, n)
	for i := range y {
		x[i], zone[i], class[i] = float64(i*i%1009), "z"+strconv.Itoa(i*7%levels), "no"
		y[i] = x[i]/100 + float64(i*7%levels%13) + float64(i*i%7)
		if i*i%1009+i*i%331 > 700 {
			class[i] = "yes"
		}
	}
	x[10_000], x[40_000], x[59_000] = 5000, math.NaN(), 6000
	part := func(from, to int) dataframe.DataFrame {
		return frame(t, Col("y", y[from:to]), Col("x", x[from:to]), Col("zone", zone[from:to]), Col("class", class[from:to]))
	}
	fit := &seesParts{OLS: get(mlreg.FitOLS(get(Design(part(0, fitted), "y ~ poly(x, 2) + zone"))(t), nil))(t)}
	band := get(PredictionBand(fit, part(0, n), 0.9))(t)
	if fit.parts != 2 || fit.numbers > mostInPart {
		t.Errorf("%d parts, of up to %d numbers", fit.parts, fit.numbers)
	}
	if len(band.Beyond) != 1 || band.Beyond[0].Rows != 2 || band.Beyond[0].Farthest != 6000 || band.Kind != mlreg.Prediction || band.Level != 0.9 {
		t.Errorf("%v of level %v, beyond ranges %v", band.Kind, band.Level, band.Beyond)
	}
	logit := get(mlreg.FitLogistic(get(Design(part(0, fitted), "class ~ x + zone"))(t), &mlreg.LogisticSettings{L2: 1}))(t)
	prob, classes := get(ClassProb(logit, part(0, n)))(t), get(Classify(logit, part(0, n)))(t)
	for _, from := range []int{0, 39_500, 58_500} {
		want := get(PredictionBand(fit.OLS, part(from, from+1_000), 0.9))(t)
		to := from + 1_000
		near(t, "fitted", band.Fitted[from:to], want.Fitted, 0)
		near(t, "errors", band.StdErr[from:to], want.StdErr, 1e-12)
		near(t, "lower", band.Lower[from:to], want.Lower, 1e-12)
		near(t, "upper", band.Upper[from:to], want.Upper, 1e-12)
		alone := get(ClassProb(logit, part(from, to)))(t)
		for k := range logit.Classes() {
			near(t, "probability", mat.Col(nil, k, prob)[from:to], mat.Col(nil, k, alone), 1e-14)
		}
		if !slices.Equal(classes[from:to], get(Classify(logit, part(from, to)))(t)) {
			t.Errorf("classes of rows from %d on", from)
		}
	}
}

func TestAugment(t *testing.T) {
	df := frame(t, Col("y", []float64{1, 2, math.NaN(), 4, 5}), Col("x", []float64{1, 3, 2, 4, math.NaN()}))
	fit := get(mlreg.FitOLS(get(Design(df, "y ~ x"))(t), nil))(t)
	fitted, nan := get(Predict(fit, df))(t), math.NaN()
	got := get(Augment(fit, df))(t)
	if !slices.Equal(got.Names(), []string{"y", "x", ".fitted", ".resid", ".hat", ".cooksd", ".std.resid"}) || got.Nrow() != 5 {
		t.Errorf("%v", got)
	}
	near(t, "fitted", got.Col(".fitted").Float(), fitted, 0)
	if math.IsNaN(fitted[2]) || !math.IsNaN(fitted[4]) {
		t.Errorf("fitted %v", fitted)
	}
	near(t, "residuals", got.Col(".resid").Float(), []float64{1 - fitted[0], 2 - fitted[1], nan, 4 - fitted[3], nan}, 0)
	if v := got.Col(".cooksd").Float(); !(v[0] > 0) || !math.IsNaN(v[2]) || !math.IsNaN(v[4]) {
		t.Errorf("Cook's distances %v", v)
	}
	confidence, prediction := get(ConfidenceBand(fit, df, 0.8))(t), get(PredictionBand(fit, df, 0.8))(t)
	got = get(Augment(fit, df, prediction))(t)
	near(t, "lower", got.Col(".lower").Float(), prediction.Lower, 0)
	near(t, "upper", got.Col(".upper").Float(), prediction.Upper, 0)
	got = get(Augment(fit, df, confidence, prediction))(t)
	near(t, "lower", got.Col(".lower.confidence").Float(), confidence.Lower, 0)
	near(t, "upper", got.Col(".upper.prediction").Float(), prediction.Upper, 0)

	for _, c := range []struct {
		bands []*mlreg.Band
		says  string
	}{{[]*mlreg.Band{confidence, nil}, "band 2 is nil"}, {[]*mlreg.Band{{Lower: make([]float64, 2)}}, "2 rows and the frame 5"}, {[]*mlreg.Band{confidence, confidence}, "two bands"}} {
		_, err := Augment(fit, df, c.bands...)
		wantError(t, err, ErrSetting, c.says)
	}
	// New rows have no diagnostics of the rows fitted, and without the response no residuals.
	other := frame(t, Col("x", []float64{1, 9}), Col("y", []float64{3, 1}))
	if got := get(Augment(fit, other))(t).Names(); !slices.Equal(got, []string{"x", "y", ".fitted", ".resid", ".hat"}) {
		t.Errorf("%q", got)
	}
	if got := get(Augment(fit, other.Drop("y")))(t).Names(); !slices.Equal(got, []string{"x", ".fitted", ".hat"}) {
		t.Errorf("%q", got)
	}
}

func TestAugmentClasses(t *testing.T) {
	every := everyPredictor(t)
	rows := frame(t, Col("wt", []float64{2.5, math.NaN(), 3.5}), Col("cyl", []string{"six", "four", "eight"}))
	got := get(Augment(every["multinomial"], rows))(t)
	if !slices.Equal(got.Names(), []string{"wt", "cyl", ".class", ".prob.eight", ".prob.four", ".prob.six"}) || !got.Col(".class").IsNaN()[1] {
		t.Errorf("%v", got)
	}
	var sum float64
	for _, name := range got.Names()[3:] {
		sum += got.Col(name).Float()[2]
	}
	if math.Abs(sum-1) > 1e-15 {
		t.Errorf("probabilities sum to %v", sum)
	}
	if got := get(Augment(every["Logistic"], rows))(t).Names(); !slices.Equal(got, []string{"wt", "cyl", ".fitted", ".class", ".hat"}) {
		t.Errorf("%q", got)
	}

}

// Limits of new observations of a generalized linear model: those of counts are whole, and those of
// shares take the numbers of trials from both columns of cbind.
func TestPredictionBandOfGLM(t *testing.T) {
	df := frame(t, Col("x", []float64{0, 1, 2, 3, 4, 5, 6, 7}), Col("y", []int{2, 1, 6, 5, 12, 11, 20, 38}),
		Col("yes", []int{1, 0, 3, 2, 4, 5, 4, 6}), Col("no", []int{6, 7, 3, 5, 4, 2, 3, 1}))
	counts := get(mlreg.FitGLM(get(Design(df, "y ~ x"))(t), mlreg.Poisson, nil))(t)
	rows := frame(t, Col("x", []float64{3, math.NaN(), 7.5}))
	b := get(PredictionBand(counts, rows, 0.9))(t)
	if b.Lower[0] != math.Trunc(b.Lower[0]) || !(b.Lower[0] < b.Fitted[0] && b.Fitted[0] < b.Upper[0]) || !math.IsNaN(b.Upper[1]) {
		t.Errorf("counts: %v", b)
	}
	shares := get(mlreg.FitGLM(get(Design(df, "cbind(yes, no) ~ x"))(t), mlreg.Binomial, nil))(t)
	_, err := PredictionBand(shares, rows, 0.9)
	wantError(t, err, mlreg.ErrSetting, "number of trials", "yes + no")
	trials := frame(t, Col("x", []float64{3, 3}), Col("yes", []int{0, 0}), Col("no", []int{20, 200}))
	s := get(PredictionBand(shares, trials, 0.9))(t)
	if k := 20 * s.Lower[0]; math.Abs(k-math.Round(k)) > 1e-12 || s.Upper[0]-s.Lower[0] <= s.Upper[1]-s.Lower[1] {
		t.Errorf("shares: %v", s)
	}
	near(t, "of both columns", s.Fitted, get(Predict(shares, trials))(t), 1e-13)
	if e := get(Effects(counts, df, "x", 0.9, nil))(t); e.Prediction != nil {
		t.Error("an effect on a mean of counts has limits of counts")
	}
}
