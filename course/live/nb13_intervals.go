package live

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"

	"github.com/regbook/regbook/internal/try"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/assess"
	"github.com/regbook/regbook/plotting"
)

func init() { registered = append(registered, NoiseIntervals) }

// NoiseIntervals are limits at 90% for new rows around a line, by Student's t, by
// jackknife+ and by split conformal limits that are wider where residuals are, under noise
// that is normal, skewed, or grows toward the ends, and around a line where the truth is
// bent; and how many of 4,000 fresh rows each holds.
func NoiseIntervals() *Explorable {
	return &Explorable{
		ID: "13.intervals", Title: "Limits for new rows under four kinds of noise", Seed: 13, Random: true,
		Params: []Param{{
			Name: "noise", Label: "noise", Values: []float64{0, 1, 2, 3},
			Texts: []string{"normal noise", "skewed noise", "noise that grows toward the ends", "a bent truth"}, Default: 2,
		}},
		draw: drawNoiseIntervals,
	}
}

const (
	intervalRows  = 200
	intervalFresh = 4000
	intervalLevel = 0.9
)

// noisyLine are n rows of x and x^2 and a response: with noise of mean 0 about 1 + x, or
// about x^2.
func noisyLine(n int, kind float64, random *rand.Rand) *mlreg.Design {
	x, y := mat.NewDense(n, 2, nil), make([]float64, n)
	for i := range y {
		v := 4*random.Float64() - 2
		x.SetRow(i, []float64{v, v * v})
		switch kind {
		case 0:
			y[i] = 1 + v + random.NormFloat64()
		case 1:
			y[i] = 1 + v + 1.5*(random.ExpFloat64()-1)
		case 2:
			y[i] = 1 + v + (0.2+0.5*v*v)*random.NormFloat64()
		default:
			y[i] = v*v + 0.5*random.NormFloat64()
		}
	}
	return try.Get(mlreg.NewDesign(x, y, "x", "x²"))
}

// limitsAt are the limits of each kind for rows of a design, in turn lower and upper.
func limitsAt(train, at *mlreg.Design) (limits [3][2][]float64) {
	line := try.Get(train.Select("x"))
	ols := try.Get(mlreg.FitOLS(line, nil))
	t := try.Get(ols.PredictionBand(at, intervalLevel))
	plus := try.Get(assess.JackknifePlus(ols, line, at, intervalLevel))
	local := localLimits(train, at)
	return [3][2][]float64{{t.Lower, t.Upper}, {plus.Lower, plus.Upper}, {local.Lower, local.Upper}}
}

// localLimits fit the line, and the size of its residuals as a + b x^2, to half of the
// rows, and calibrate on the others.
func localLimits(train, at *mlreg.Design) *assess.ConformalBand {
	first := make([]bool, train.NObs())
	for i := range first {
		first[i] = i%2 == 0
	}
	fitted, calibration := try.Get2(train.Split(first))
	line := try.Get(fitted.Select("x"))
	ols := try.Get(mlreg.FitOLS(line, nil))
	residuals := try.Get(ols.Residuals(line))
	for i, r := range residuals {
		residuals[i] = math.Abs(r)
	}
	squares := try.Get(fitted.Select("x²"))
	sizes := try.Get(mlreg.NewDesign(squares.X, residuals, "x²"))
	spread := try.Get(mlreg.FitOLS(sizes, nil))
	return try.Get(assess.SplitConformal(ols, calibration, at, intervalLevel, spread))
}

// held is the share of rows between limits, in percent.
func held(y []float64, limits [2][]float64) float64 {
	inside := 0.0
	for i, v := range y {
		if limits[0][i] <= v && v <= limits[1][i] {
			inside++
		}
	}
	return 100 * inside / float64(len(y))
}

// heldLocally draws the share of fresh rows that each kind of limits holds, by eighths of x.
func heldLocally(fresh *mlreg.Design, limits [3][2][]float64) *plot.Plot {
	const parts = 8
	var rows [parts]float64
	var inside [3][parts]float64
	for i, y := range fresh.Y {
		part := min(int((fresh.X.At(i, 0)+2)/4*parts), parts-1)
		rows[part]++
		for k := range limits {
			if limits[k][0][i] <= y && y <= limits[k][1][i] {
				inside[k][part]++
			}
		}
	}
	middles := plotting.Range(-2+2./parts, 2-2./parts, parts)
	for k := range inside {
		for part := range rows {
			inside[k][part] *= 100 / rows[part]
		}
	}
	p := try.Get(plotting.Draw(plotting.Labels{Title: "The share held, by eighths of x", X: "x", Y: "held (%)"},
		plotting.HLine{Y: 100 * intervalLevel},
		plotting.Line{X: middles, Y: inside[0][:], Color: plotting.Fade(plotting.Blue, 0.45), Width: 5},
		plotting.Line{X: middles, Y: inside[1][:], Color: plotting.Vermillion},
		plotting.Line{X: middles, Y: inside[2][:], Color: plotting.Green}))
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = -2.05, 2.05, 55, 101
	return p
}

// drawTrained draws the rows with the limits that were fitted to them, and says which share of fresh rows these hold.
func drawTrained(train *mlreg.Design, share [3]float64) *plot.Plot {
	grid := plotting.Range(-2, 2, 81)
	x := mat.NewDense(len(grid), 2, nil)
	for i, v := range grid {
		x.SetRow(i, []float64{v, v * v})
	}
	line := try.Get(mlreg.NewDesign(x, make([]float64, len(grid)), "x", "x²"))
	drawn := limitsAt(train, line)
	wide := plotting.Fade(plotting.Blue, 0.45) // Student's limits show on both sides of the others
	p := try.Get(plotting.Draw(plotting.Labels{
		Title: fmt.Sprintf("Fresh rows inside (%%): t %.1f, jackknife+ %.1f, split %.1f", share[0], share[1], share[2]), X: "x", Y: "y",
	},
		plotting.Points{X: mat.Col(nil, 0, train.X), Y: train.Y, Color: plotting.Fade(plotting.Gray, 0.6), Radius: 1.8},
		plotting.Line{X: grid, Y: drawn[0][0], Color: wide, Width: 5, Name: "Student's t"},
		plotting.Line{X: grid, Y: drawn[0][1], Color: wide, Width: 5},
		plotting.Line{X: grid, Y: drawn[1][0], Color: plotting.Vermillion, Name: "jackknife+"},
		plotting.Line{X: grid, Y: drawn[1][1], Color: plotting.Vermillion},
		plotting.Line{X: grid, Y: drawn[2][0], Color: plotting.Green, Name: "split, varying width"},
		plotting.Line{X: grid, Y: drawn[2][1], Color: plotting.Green}))
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = -2.05, 2.05, -8, 11
	p.Legend.Top, p.Legend.Left, p.Legend.XOffs, p.Legend.YOffs = true, true, 8, -4
	return p
}

func drawNoiseIntervals(at Point) *View {
	kind := at.Value("noise")
	random := rand.New(at.Source(uint64(kind) + 1))
	train := noisyLine(intervalRows, kind, random)
	fresh := noisyLine(intervalFresh, kind, random)
	judged := limitsAt(train, fresh)
	var share [3]float64
	for k := range share {
		share[k] = held(fresh.Y, judged[k])
	}
	p := drawTrained(train, share)
	local := heldLocally(fresh, judged)
	figure := plotting.Grid(1, p, local)
	figure.Width, figure.Height = 6.4, 6
	return &View{
		Figure: figure,
		Numbers: []Number{
			{Name: "fresh rows inside Student's t limits", Unit: "%", Value: share[0], Digits: 4},
			{Name: "inside those of jackknife+", Unit: "%", Value: share[1], Digits: 4},
			{Name: "inside the split conformal ones of varying width", Unit: "%", Value: share[2], Digits: 4},
		},
		Sentence: fmt.Sprintf("Of %d fresh rows, limits at 90%% hold %.1f%% by Student's t, %.1f%% by jackknife+ and %.1f%% by split conformal limits of varying width.",
			intervalFresh, share[0], share[1], share[2]),
	}
}
