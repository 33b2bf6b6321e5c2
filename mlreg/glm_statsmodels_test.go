package mlreg

import (
	"math"
	"strconv"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// statsmodelsReference is what testdata/noise_statsmodels.py writes.
type statsmodelsReference struct {
	GLM map[string]struct {
		Coef, SE, HC0, HC1, HC2, HC3, Cluster, Mu []float64
		Deviance, Null, Pearson, Scale, LLF       float64
		DevianceResiduals                         []float64 `json:"resid_deviance"`
		PearsonResiduals                          []float64 `json:"resid_pearson"`
	}
}

// Families, offsets, exposures and covariances of statsmodels' GLM. Its cov_type HC1 to HC3
// are all HC0, and for links that are not canonical it takes the second derivatives seen,
// where Robust takes those expected, as R's sandwich does.
func TestGLMAgainstStatsmodels(t *testing.T) {
	var want statsmodelsReference
	readJSON(t, "noise_statsmodels.json", &want)
	clusters := csvDesign(t, "glm.csv", "cl", "x1").Y
	for name, r := range want.GLM {
		of := name
		switch name {
		case "poissonExposure", "poissonDiscrete":
			of = "poissonOffset"
		case "inverseGaussianLog", "gammaLog", "poisson", "poissonOffset", "binomial", "binomialProbit", "binomialCLogLog", "quasiPoisson":
		default:
			t.Fatalf("no case %s", name)
		}
		c := glmCases[of]
		d := c.design(t)
		f := c.fit(t, d)
		nearAll(t, name+": coefficients", f.Coef(), r.Coef, 1e-8)
		nearAll(t, name+": standard errors", f.StdErr(), r.SE, 1e-6)
		if r.LLF != 0 {
			near(t, name+": log-likelihood", f.LogLik(), r.LLF, 1e-10)
		}
		if r.Scale != 0 {
			near(t, name+": dispersion", f.Dispersion(), r.Scale, 1e-7)
			near(t, name+": deviance", f.Deviance(), r.Deviance, 1e-10)
			near(t, name+": null deviance", f.NullDeviance(), r.Null, 1e-10)
		}
		if r.Mu == nil {
			continue
		}
		near(t, name+": Pearson", f.Pearson(), r.Pearson, 1e-8)
		nearAll(t, name+": means", get(f.Predict(d))(t)[:8], r.Mu, 1e-8)
		nearAll(t, name+": deviance residuals", get(f.DevianceResiduals(d))(t)[:8], r.DevianceResiduals, 1e-7)
		nearAll(t, name+": Pearson residuals", get(f.PearsonResiduals(d))(t)[:8], r.PearsonResiduals, 1e-7)
		for _, hc := range [][]float64{r.HC1, r.HC2, r.HC3} {
			nearAll(t, name+": statsmodels' HC1 to HC3 are its HC0", hc, r.HC0, 1e-12)
		}
		hc0 := get(f.Robust(d, HC0))(t).StdErr()
		var groups []string
		for _, v := range clusters {
			groups = append(groups, strconv.Itoa(int(v)))
		}
		clustered := get(f.Clustered(d, groups))(t).StdErr()
		if f.Link() == f.Family().CanonicalLink() {
			nearAll(t, name+": HC0", hc0, r.HC0, 1e-6)
			nearAll(t, name+": clustered", clustered, r.Cluster, 1e-6)
			continue
		}
		nearAll(t, name+": HC0 by second derivatives seen", seenHC0(t, f, d), r.HC0, 1e-5)
	}
}

// seenHC0 are standard errors H^-1 (sum s_i^2 a_i a_i') H^-1 with the second derivatives of the
// log-likelihood themselves for H, by differences of the scores.
func seenHC0(t *testing.T, f *GLM, d *Design) []float64 {
	t.Helper()
	a, score := get(f.withOnes(d))(t), get(f.eachRow(d, f.score))(t)
	eta := get(f.LinearPredictor(d))(t)
	k := len(f.Coef())
	h, meat := mat.NewDense(k, k, nil), mat.NewDense(k, k, nil)
	for i, s := range score {
		const by = 1e-5
		_, above, _ := f.family().Row(d.Y[i], eta[i]+by)
		_, below, _ := f.family().Row(d.Y[i], eta[i]-by)
		row := mat.NewVecDense(k, a.RawRowView(i))
		h.RankOne(h, -d.Weight(i)*(above-below)/(2*by), row, row)
		meat.RankOne(meat, s*s, row, row)
	}
	var inverse, v mat.Dense
	if err := inverse.Inverse(h); err != nil {
		t.Fatal(err)
	}
	v.Mul(&inverse, meat)
	v.Mul(&v, &inverse)
	se := make([]float64, k)
	for j := range se {
		se[j] = math.Sqrt(v.At(j, j))
	}
	return se
}
