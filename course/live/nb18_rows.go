package live

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot/vg/draw"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/internal/try"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
)

func init() { registered = append(registered, CertifiedRows) }

// CertifiedRows certifies the posterior over the models of eighteen terms, each correlated with the one before, for
// every ratio of terms to rows: intervals that hold with certainty, those that draws add, a sampler's errors beside them, and the exact probabilities. A
// reader of the page moves the number of proposals, too.
func CertifiedRows() *Explorable {
	return &Explorable{
		ID: "18.rows", Title: "Where intervals close: terms per row", Seed: 18, Random: true,
		Params: []Param{
			{Name: "ratio", Label: "terms per row, d/n", Values: []float64{0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9}, Default: 0.9},
			{Name: "proposals", Label: "proposals", Min: 1 << 10, Max: 1 << 16, Step: 4, Log: true, Default: 1 << 13},
		},
		MaxBytes: 700_000,
		draw:     drawCertifiedRows,
	}
}

const certifiedTerms = 18

// neighborly draws so many rows of eighteen terms, each correlated with the one before it, of which three matter.
func neighborly(at Point, rows int) *mlreg.Design {
	src := at.Source(18)
	x := try.Get(datasets.NormalDesign(rows, certifiedTerms, 0.5, src))
	truth := datasets.LinearModel{Coef: make([]float64, certifiedTerms), Sigma: 1}
	truth.Coef[2], truth.Coef[3], truth.Coef[7] = 0.5, 0.2, -0.4
	return try.Get(truth.Draw(x, src))
}

func drawCertifiedRows(at Point) *View {
	ratio := at.Value("ratio")
	rows := int(math.Round(certifiedTerms / ratio))
	d := neighborly(at, rows)
	score := mlreg.BICScore{Sigma2: 1}
	c := try.Get(mlreg.CertifyModels(d, score, at.Source(19), &mlreg.CertifySettings{Nodes: 24, Proposals: int(at.Value("proposals")), Best: 1}))
	chain := try.Get(mlreg.SampleModels(d, score, at.Source(20), &mlreg.SampleModelsSettings{Sweeps: 100}))
	exact := try.Get(mlreg.EnumerateModels(d, score, nil))
	figure := try.Get(plotting.CertifiedInclusion(c, chain, &plotting.InclusionSettings{Title: fmt.Sprintf("Eighteen terms, %d rows", rows)}))
	inside := 0
	marks := plotting.Points{Color: plotting.Black, Shape: draw.BoxGlyph{}, Radius: 1.8, Edge: 0.9, Name: "exact"}
	for j, b := range c.Inclusion() {
		p := exact.InclusionProb()[j]
		if b.Lower <= p && p <= b.Upper {
			inside++
		}
		marks.X, marks.Y = append(marks.X, p), append(marks.Y, float64(certifiedTerms-j)+0.25)
	}
	panel := figure.Panels[0][0]
	try.Check(plotting.Add(panel, marks))
	panel.Y.Max += 0.7 // for the legend
	var g mat.SymDense
	g.SymOuterK(1/float64(rows), d.X.T())
	var eigen mat.EigenSym
	if !eigen.Factorize(&g, false) {
		try.Fail(fmt.Errorf("live: no eigenvalues of %d rows", rows))
	}
	return &View{
		Figure: figure,
		Numbers: []Number{
			{Name: "proposals accepted", Value: 100 * c.Acceptance(), Unit: "%", Digits: 3},
			{Name: "widest interval", Value: c.Width(), Digits: 3},
			{Name: "least eigenvalue of G/n", Value: eigen.Values(nil)[0], Digits: 3},
			{Name: "exact probabilities inside", Value: float64(inside), Digits: 3},
		},
		Sentence: fmt.Sprintf("With %d rows of eighteen terms, %.3g of a hundred proposals are accepted and the widest interval has the width %.2f; %d of the eighteen exact probabilities are inside.",
			rows, 100*c.Acceptance(), c.Width(), inside),
	}
}
