package mlreg

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// The band of a fit at a row is that of the contrast whose weights are the row: of the
// mean for robust covariances, of the log odds for classes.
func TestBandsAreThoseOfContrasts(t *testing.T) {
	const level = 0.8
	raw := randomDesign(t, 21, 40, 3)
	d := get(raw.Standardize(nil))(t)
	labels := *d
	labels.Y = make([]float64, 40)
	for i := range labels.Y {
		labels.Y[i] = float64(i * i % 7 % 2)
	}
	robust := get(get(FitOLS(d, nil))(t).Robust(d, HC2))(t)
	logistic := get(FitLogistic(&labels, nil))(t)
	ofMean, ofP := get(robust.ConfidenceBand(raw, level))(t), get(logistic.ConfidenceBand(raw, level))(t)
	for i := range raw.NObs() {
		row := append([]float64{1}, d.X.RawRowView(i)...)
		want := get(Contrast(robust, row, 0, level))(t)
		near(t, "robust fit", ofMean.Fitted[i], want.Estimate, 1e-12)
		near(t, "robust standard error", ofMean.StdErr[i], want.StdErr, 1e-12)
		near(t, "robust limit", ofMean.Lower[i], want.Lower, 1e-11)
		want = get(Contrast(logistic, row, 0, level))(t)
		p := sigmoid(want.Estimate)
		near(t, "probability", ofP.Fitted[i], p, 1e-12)
		near(t, "standard error of a probability", ofP.StdErr[i], p*(1-p)*want.StdErr, 1e-12)
		near(t, "lower limit of a probability", ofP.Lower[i], sigmoid(want.Lower), 1e-12)
		near(t, "upper limit of a probability", ofP.Upper[i], sigmoid(want.Upper), 1e-12)
	}
	if ofMean.Kind != Confidence || ofP.Kind != Confidence || ofP.Level != level {
		t.Errorf("bands %v and %v", ofMean.Kind, ofP.Kind)
	}
	for _, level := range []float64{0, 1, math.NaN()} {
		_, err := logistic.ConfidenceBand(raw, level)
		wantError(t, "level", err, ErrSetting)
		_, err = robust.ConfidenceBand(raw, level)
		wantError(t, "level", err, ErrSetting)
	}
	penalized := get(FitLogistic(&labels, &LogisticSettings{L2: 2}))(t)
	_, err := penalized.ConfidenceBand(raw, level)
	wantError(t, "penalized", err, ErrNotEstimable, "L2 = 2", "FitBayesLogistic")

	double := *raw
	double.X, double.Names = mat.DenseCopyOf(raw.X), slices.Clone(raw.Names)
	double.X.SetCol(2, mat.Col(nil, 0, raw.X))
	shortest := get(get(FitOLS(&double, &OLSSettings{Aliased: MinimumNorm}))(t).Robust(&double, HC0))(t)
	_, err = shortest.ConfidenceBand(&double, level)
	wantError(t, "minimum norm", err, ErrNotEstimable)
	dropped := get(FitOLS(&double, &OLSSettings{Aliased: DropAliased}))(t)
	two := get(FitOLS(get(raw.Select(raw.Names[:2]...))(t), nil))(t)
	got := get(get(dropped.Robust(&double, HC1))(t).ConfidenceBand(&double, level))(t)
	want := get(get(two.Robust(get(raw.Select(raw.Names[:2]...))(t), HC1))(t).ConfidenceBand(raw, level))(t)
	nearAll(t, "aliased", got.Upper, want.Upper, 1e-10)
}

// Credible bands of probabilities hold those of draws from the posterior, and those of
// a mean are the Predictive's.
func TestCredibleBands(t *testing.T) {
	sequential(t)
	const level, draws = 0.9, 200_000
	d := randomDesign(t, 22, 25, 2)
	post := get(FitBayes(d, GaussianPrior{Tau2: 2}, InverseGamma{Shape: 2, Scale: 1}, nil))(t)
	p := get(post.Predictive(d, level))(t)
	mean, obs := get(post.CredibleBand(d, level))(t), get(post.PredictionBand(d, level))(t)
	nearAll(t, "mean", mean.Lower, p.LowerMean, 0)
	nearAll(t, "observation", obs.Upper, p.UpperObs, 0)
	near(t, "variance", mean.StdErr[3]*mean.StdErr[3], p.ParamVar[3], 1e-14)
	if mean.Kind != Credible || obs.Kind != Prediction || mean.Kind.String() != "credible band of the mean" {
		t.Errorf("bands %v and %v", mean.Kind, obs.Kind)
	}

	labels := *d
	labels.Y = make([]float64, 25)
	for i := range labels.Y {
		labels.Y[i] = float64(i % 2)
	}
	classes := get(FitBayesLogistic(&labels, GaussianPrior{Tau2: 9}, nil))(t)
	band := get(classes.CredibleBand(d, level))(t)
	w := get(classes.Sample(draws, rand.NewPCG(3, 4)))(t)
	for _, i := range []int{0, 7, 19} {
		values := make([]float64, draws)
		for s := range values {
			b := w.RawRowView(s)
			values[s] = sigmoid(b[0] + b[1]*d.X.At(i, 0) + b[2]*d.X.At(i, 1))
		}
		sum, sd := stat.MeanStdDev(values, nil)
		near(t, "mean of p", band.Fitted[i], sum, 6/math.Sqrt(draws))
		near(t, "deviation of p", band.StdErr[i], sd, 6/math.Sqrt(draws))
		inside := 0.0
		for _, v := range values {
			if band.Lower[i] < v && v < band.Upper[i] {
				inside++
			}
		}
		near(t, "probability inside", inside/draws, level, 0.005)
	}
	for _, c := range []struct{ mean, sd, want float64 }{{0, 1e5, 0.5}, {3, 0, 0}, {-800, 1, 0}} {
		near(t, "deviation", deviationOfSigmoid(c.mean, c.sd), c.want, 1e-9)
	}
	_, err := classes.CredibleBand(d, 2)
	wantError(t, "level", err, ErrSetting)
}
