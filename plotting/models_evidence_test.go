package plotting

import (
	"errors"
	"math"
	"testing"

	"github.com/regbook/regbook/mlreg"
)

func TestGoldenFamilyPlot(t *testing.T) {
	rows := get(mlreg.CompareFamilies([]mlreg.Family{
		{Name: "1", LogEvidence: -30}, {Name: "3", LogEvidence: -21}, {Name: "8", LogEvidence: -23}, {Name: "10", LogEvidence: math.Inf(-1)},
	}))(t)
	f := get(FamilyPlot(rows, "degree"))(t)
	checkImage(t, "familyplot", f)
}

func evidencePath(t *testing.T) (*mlreg.EvidencePath, *mlreg.MaxEvidence) {
	t.Helper()
	surface := get(mlreg.NewEvidenceSurface(weak(t), nil))(t)
	best := get(surface.Maximize(nil))(t)
	var tau2 []float64
	for _, e := range Range(-4, 4, 101) {
		tau2 = append(tau2, math.Pow(10, e))
	}
	path := get(surface.Path(tau2, mlreg.KnownVariance(best.Sigma2)))(t)
	return path, best
}

func TestGoldenEvidencePlot(t *testing.T) {
	f := get(EvidencePlot(evidencePath(t)))(t)
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
	ols := get(mlreg.FitOLS(d, nil))(t)
	post := get(mlreg.FitBayes(d, mlreg.GaussianPrior{Tau2: 0.25}, mlreg.InverseGamma{}, nil))(t)
	f := get(CompareCoefs([]NamedFit{{Name: "least squares", Fit: ols}, {Name: "Bayes", Fit: Credible(post)}}, 0.95, nil))(t)
	checkImage(t, "credible", f)
	if _, err := CoefPlot(Credible(nil), 0.95, nil); !errors.Is(err, mlreg.ErrNoData) {
		t.Error(err)
	}
}
