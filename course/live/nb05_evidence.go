package live

import (
	"fmt"
	"math"

	"github.com/go-gota/gota/dataframe"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/plot"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/internal/try"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
)

func init() { registered = append(registered, Evidence) }

// Evidence is a line and a parabola that compete for points of a parabola,
// 0.5 + x + 0.5 x^2 with noise of variance 0.25, as the points arrive: the posterior of each
// family, under N(0, 1) on every weight, and the log evidence of the points so far.
func Evidence() *Explorable {
	return &Explorable{
		ID: "05.evidence", Title: "A line or a parabola, as points arrive", Seed: 3, Random: true,
		Params: []Param{{
			Name: "n", Label: "points", Min: 1, Max: 40, Step: 1,
			Frames: []float64{8, 10, 12, 15, 18, 20, 22, 25, 27, 28, 30, 33, 36, 40}, Default: 40,
		}},
		MaxBytes: 900_000,
		draw:     drawEvidence,
	}
}

func drawEvidence(at Point) *View {
	const sigma2 = 0.25
	truth := func(x float64) float64 { return 0.5 + x + 0.5*x*x }
	curve := datasets.CurveModel{F: truth, Sigma2: sigma2}.Uniform(40, -1.5, 1.5, at.Source(5))
	df := try.Get(curve.Draw(at.Source(50)))
	n := int(math.Round(at.Value("n")))
	var panels []*plot.Plot
	var logs [2][]float64
	for k := range logs {
		p, log := drawFamily(k, df, n, truth, sigma2)
		logs[k], panels = log, append(panels, p)
	}
	ahead := floats.SubTo(make([]float64, 40), logs[1], logs[0])
	evidence, lead := plotEvidence(logs, ahead, n)
	figure := plotting.Grid(2, panels[0], panels[1], evidence, lead)
	figure.Height = 6.6
	p := 1 / (1 + math.Exp(-ahead[n-1]))
	return &View{
		Figure: figure,
		Numbers: []Number{
			{Name: "log evidence, line", Value: logs[0][n-1], Digits: 4},
			{Name: "log evidence, parabola", Value: logs[1][n-1], Digits: 4},
			{Name: "P(parabola | data)", Value: p, Digits: 3},
		},
		Sentence: fmt.Sprintf("After %d of 40 points the log evidence of the line is %.2f and that of the parabola %.2f; if both were equally probable before, the parabola now has probability %.3f.",
			n, logs[0][n-1], logs[1][n-1], p),
	}
}

// drawFamily draws the line, 0, or the parabola, 1, given the first n points, and returns the log evidences of the first 1, 2, ...
func drawFamily(k int, df dataframe.DataFrame, n int, truth func(x float64) float64, sigma2 float64) (*plot.Plot, []float64) {
	prior, noise := mlreg.GaussianPrior{Tau2: 1}, mlreg.KnownVariance(sigma2)
	settings := &mlreg.BayesSettings{PenalizeIntercept: true}
	d := try.Get(frames.Design(df, []string{"y ~ x", "y ~ x + I(x^2)"}[k]))
	logs := try.Get(mlreg.SequentialLogEvidence(d, prior, noise, settings))
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
	}
	first := df.Subset(rows)
	some := try.Get(frames.DesignLike(d, first))
	fit := try.Get(mlreg.FitBayes(some, prior, noise, settings))
	p := try.Get(plotting.PredictivePlot(fit, some, first, &plotting.PredictiveSettings{
		From: -1.6, To: 1.6, Truth: truth, TruthColor: plotting.Black, Color: plotting.Palette(k),
		Title: fmt.Sprintf("%s, n = %d: log evidence %.1f", []string{"line", "parabola"}[k], n, logs[n-1]),
	}))
	p.Y.Min, p.Y.Max = -3.2, 4.5
	p.Legend.Top, p.Legend.Left, p.Legend.XOffs, p.Legend.YOffs = true, true, 8, -4
	return p, logs
}

// plotEvidence draws the log evidences of the first n of 40 points, and how far the second is ahead.
func plotEvidence(logs [2][]float64, ahead []float64, n int) (evidence, lead *plot.Plot) {
	points := plotting.Range(1, 40, 40)
	evidence = try.Get(plotting.Draw(plotting.Labels{Title: "Log evidence of the points so far", X: "points", Y: "log p(y₁ … yₙ)"},
		plotting.Line{X: points[:n], Y: logs[0][:n], Name: "line"}, plotting.Line{X: points[:n], Y: logs[1][:n], Name: "parabola"},
		plotting.Points{X: points[n-1 : n], Y: logs[0][n-1 : n], Color: plotting.Palette(0)},
		plotting.Points{X: points[n-1 : n], Y: logs[1][n-1 : n], Color: plotting.Palette(1)}))
	lead = try.Get(plotting.Draw(plotting.Labels{Title: "Lead of the parabola (dashed: 15 points)", X: "points", Y: "log evidence, parabola − line"},
		plotting.HLine{Y: 0, Solid: true, Color: plotting.Gray}, plotting.Line{X: points[:n], Y: ahead[:n], Color: plotting.Black},
		plotting.VLine{X: 15}, plotting.Points{X: points[n-1 : n], Y: ahead[n-1 : n], Color: plotting.Black}))
	low := math.Min(floats.Min(logs[0]), floats.Min(logs[1]))
	evidence.X.Min, evidence.X.Max, evidence.Y.Min, evidence.Y.Max = 0, 41, 1.05*low, 1
	lead.X.Min, lead.X.Max = 0, 41
	lead.Y.Min, lead.Y.Max = math.Min(-3, floats.Min(ahead)-0.5), math.Max(3, floats.Max(ahead)+0.5)
	evidence.Legend.Top, evidence.Legend.XOffs, evidence.Legend.YOffs = true, -8, -4
	return evidence, lead
}
