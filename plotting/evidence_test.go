package plotting

import (
	"errors"
	"math"
	"testing"

	"github.com/regbook/regbook/mlreg"
)

func TestGoldenFamilyPlot(t *testing.T) {
	rows, err := mlreg.CompareFamilies([]mlreg.Family{
		{Name: "1", LogEvidence: -30}, {Name: "3", LogEvidence: -21}, {Name: "8", LogEvidence: -23}, {Name: "10", LogEvidence: math.Inf(-1)},
	})
	if err != nil {
		t.Fatal(err)
	}
	f, err := FamilyPlot(rows, "degree")
	if err != nil {
		t.Fatal(err)
	}
	checkImage(t, "familyplot", f)
}

func evidencePath(t *testing.T) (*mlreg.EvidencePath, *mlreg.MaxEvidence) {
	t.Helper()
	surface, err := mlreg.NewEvidenceSurface(weak(t), nil)
	if err != nil {
		t.Fatal(err)
	}
	best, err := surface.Maximize(nil)
	if err != nil {
		t.Fatal(err)
	}
	var tau2 []float64
	for _, e := range Range(-4, 4, 101) {
		tau2 = append(tau2, math.Pow(10, e))
	}
	path, err := surface.Path(tau2, mlreg.KnownVariance(best.Sigma2))
	if err != nil {
		t.Fatal(err)
	}
	return path, best
}

func TestGoldenEvidencePlot(t *testing.T) {
	f, err := EvidencePlot(evidencePath(t))
	if err != nil {
		t.Fatal(err)
	}
	checkImage(t, "evidenceplot", f)
}

func TestEvidenceErrors(t *testing.T) {
	if _, err := EvidencePlot(nil, nil); !errors.Is(err, mlreg.ErrNoData) {
		t.Error(err)
	}
	if _, err := FamilyPlot(nil, ""); !errors.Is(err, mlreg.ErrNoData) {
		t.Error(err)
	}
	path, _ := evidencePath(t)
	if _, err := EvidencePlot(path, nil); err != nil {
		t.Error(err)
	}
}

func TestGoldenCredible(t *testing.T) {
	d := weak(t)
	ols, err := mlreg.FitOLS(d, nil)
	if err != nil {
		t.Fatal(err)
	}
	post, err := mlreg.FitBayes(d, mlreg.GaussianPrior{Tau2: 0.25}, mlreg.InverseGamma{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	f, err := CompareCoefs([]NamedFit{{"least squares", ols}, {"Bayes", Credible(post)}}, 0.95, nil)
	if err != nil {
		t.Fatal(err)
	}
	checkImage(t, "credible", f)
	if _, err := CoefPlot(Credible(nil), 0.95, nil); !errors.Is(err, mlreg.ErrNoData) {
		t.Error(err)
	}
}
