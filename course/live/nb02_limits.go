package live

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/internal/try"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
)

func init() { registered = append(registered, Limits) }

// Limits are Student's limits of the slope in 100 studies of n rows, x evenly spread between 0
// and 10, of which the truth is 1 + x/2 with noise of standard deviation 2. Their width shrinks
// as 1/sqrt(n) and grows with the level; how many hold the truth goes with the level alone. The
// studies of one n are the same at every level.
func Limits() *Explorable {
	return &Explorable{
		ID: "02.limits", Title: "Which limits hold the truth, and how wide they are", Seed: 2, Random: true,
		Params: []Param{
			{Name: "n", Label: "n", Unit: "rows", Min: 30, Max: 120, Step: 1, Frames: []float64{30, 60, 120}, Default: 30},
			{Name: "level", Label: "level", Unit: "%", Min: 50, Max: 99, Step: 1, Frames: []float64{50, 80, 95, 99}, Default: 95},
		},
		draw: drawLimits,
	}
}

func drawLimits(at Point) *View {
	const studies, slope = 100, 0.5
	n, level := int(math.Round(at.Value("n"))), at.Value("level")/100
	x := plotting.Range(5/float64(n), 10-5/float64(n), n)
	d := try.Get(mlreg.NewDesign(mat.NewDense(n, 1, x), nil, "x"))
	truth := datasets.LinearModel{Coef: []float64{1, slope}, Sigma: 2}
	r := try.Get(truth.Replicate(d, studies, at.Source(uint64(n)), func(d *mlreg.Design) (mlreg.Wald, error) { return mlreg.FitOLS(d, nil) }))
	limits := make([]mlreg.Interval, studies)
	held, width := 0, 0.0
	for i, f := range r.Fits {
		all := try.Get(mlreg.ConfInt(f, level))
		limits[i] = all[1]
		width += (all[1].Upper - all[1].Lower) / studies
		if all[1].Lower <= slope && slope <= all[1].Upper {
			held++
		}
	}
	p := try.Get(plotting.Intervals(plotting.Labels{
		Title: fmt.Sprintf("%.3g%% limits of the slope in %d studies of %d rows", 100*level, studies, n), X: "study", Y: "slope",
	}, limits, slope))
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, studies+1, -0.2, 1.5
	p.Legend.Top, p.Legend.XOffs, p.Legend.YOffs = true, -8, -4
	return &View{
		Figure: plotting.Sized(p, 6.4, 3.8),
		Numbers: []Number{
			{Name: "studies whose limits hold the truth", Value: float64(held), Digits: 3},
			{Name: "mean width", Value: width, Digits: 3},
		},
		Sentence: fmt.Sprintf("With %d rows, the %.3g%% limits of %d of %d studies hold the true slope; they are %.3g wide on average.",
			n, 100*level, held, studies, width),
	}
}
