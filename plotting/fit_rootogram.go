package plotting

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/plot"

	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting/internal/check"
	"github.com/regbook/regbook/plotting/internal/look"
)

// Rootogram hangs the frequencies of counts from those that a fit expects, on the scale of
// their roots: bar k reaches from sqrt(Expected_k) down by sqrt(Observed_k), so that its
// foot is at zero where the fit is right, below where more rows have that count and above
// where fewer have. A root of a frequency varies by about 1/2 whatever its size; dashed
// lines at -1 and 1, Tukey's warning limits, are two of these. Bars that end below zero at
// both ends and above it between are counts that vary more than the fit says.
//
//	plotting.Show(plotting.Rootogram(must.M1(fit.Frequencies(d, 0))))
//
// The error is mlreg.ErrNoData for no frequencies, and mlreg.ErrShape for expected ones of
// another number than observed.
//
// Kleiber and Zeileis, The American Statistician 70 (2016), 296-303; Tukey, Some Graphic
// and Semigraphic Displays (1972).
func Rootogram(counts *mlreg.CountFrequencies) (*plot.Plot, error) {
	const what = "rootogram"
	if counts == nil || len(counts.Observed) == 0 {
		return nil, check.Nothing(what, "there are no frequencies")
	}
	if len(counts.Observed) != len(counts.Expected) {
		return nil, fmt.Errorf("plotting: %s: %w: %d frequencies are expected of %d observed", what, mlreg.ErrShape, len(counts.Expected), len(counts.Observed))
	}
	var x, top, foot []float64
	hanging, half := blocks{fill: Fade(Blue, 0.6)}, 0.9*float64(counts.Width)/2
	for k, n := range counts.Observed {
		x = append(x, float64(k*counts.Width)+float64(counts.Width-1)/2)
		top = append(top, math.Sqrt(counts.Expected[k]))
		foot = append(foot, top[k]-math.Sqrt(n))
		hanging.all = append(hanging.all, Rect{x[k] - half, x[k] + half, foot[k], top[k]})
	}
	if err := check.Finite(what, check.Series{Name: "expected", Values: top}, check.Series{Name: "observed", Values: foot}); err != nil {
		return nil, err
	}
	p, err := Draw(Labels{X: counts.Response, Y: "√rows"},
		drawn{hanging}, HLine{Y: 0, Solid: true}, HLine{Y: 1}, HLine{Y: -1},
		Line{X: x, Y: top, Color: Vermillion, Name: "expected"}, Points{X: x, Y: top, Color: Vermillion})
	if err != nil {
		return nil, err
	}
	p.Legend.Add("observed, hanging", hanging)
	p.Legend.Top = true
	return p, nil
}

// QuantileResiduals draws the quantile residuals of the rows of d, which are standard normal
// under the fit whatever its family (see mlreg.GLM.QuantileResiduals), in two panels: against
// the linear predictor with a smooth curve, which is level at zero if the mean is right, and
// in their order against normal quantiles with the band of QQ at 95%. A steeper line than the
// diagonal is a variance that the family does not have. Residuals of counts are drawn from
// src.
//
// Errors: mlreg.ErrNoData for a nil fit or design; those of mlreg.GLM.QuantileResiduals.
//
// Dunn and Smyth, Journal of Computational and Graphical Statistics 5 (1996), 236-244.
func QuantileResiduals(fit *mlreg.GLM, d *mlreg.Design, src rand.Source) (*Figure, error) {
	const what = "quantile residuals"
	if fit == nil || d == nil {
		return nil, check.Nothing(what, "the design or the fit is nil")
	}
	all, err := fit.QuantileResiduals(d, src)
	if err != nil {
		return nil, fmt.Errorf("plotting: %s: %w", what, err)
	}
	eta, err := fit.LinearPredictor(d)
	if err != nil {
		return nil, fmt.Errorf("plotting: %s: %w", what, err)
	}
	rows := &diagnosed{DiagnosticsSettings: DiagnosticsSettings{Level: 0.95, Extremes: 3}}
	names := d.RowNames()
	var left []string
	for i, r := range all {
		if d.Weights != nil && d.Weights[i] == 0 || !check.IsFinite(r) {
			left = append(left, names[i])
			continue
		}
		rows.fitted, rows.standardized = append(rows.fitted, eta[i]), append(rows.standardized, r)
		rows.RowNames = append(rows.RowNames, names[i])
	}
	if len(rows.fitted) == 0 {
		return nil, check.Nothing(what, "no row has a finite residual")
	}
	if len(left) > 0 {
		rows.omitted = fmt.Sprintf("\n(left out: %d rows of weight 0 or infinite residual)", len(left))
	}
	against, err := rows.overFitted(Labels{Title: "Quantile residuals", X: "linear predictor", Y: "quantile residual"}, rows.standardized)
	if err != nil {
		return nil, err
	}
	normal, err := rows.qq()
	if err != nil {
		return nil, err
	}
	normal.Y.Label.Text = "quantile residual"
	f := Grid(2, against, normal)
	f.Width, f.Height = look.PageWidth, 3.6
	return f, nil
}
