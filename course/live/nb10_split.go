package live

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/plot"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/internal/try"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
)

func init() { registered = append(registered, Split) }

// Split is the case study of the prostate data with other men kept apart: a number of the 97 at
// random, on whom six methods are judged that have learnt from the others.
func Split() *Explorable {
	return &Explorable{
		ID: "10.split", Title: "Which men are kept apart", Seed: 10, Random: true,
		Params: []Param{
			{Name: "split", Label: "draw", Min: 1, Max: 1000, Step: 1, Frames: []float64{1, 2, 3, 4, 5, 6, 7, 8}, Default: 1},
			{Name: "men", Label: "men kept apart", Min: 10, Max: 60, Step: 1, Frames: []float64{15, 30}, Default: 30},
		},
		MaxBytes: 800_000,
		draw:     drawSplit,
	}
}

// splitMen divides the men of a draw, the training rows standardized by themselves.
func splitMen(at Point) (train, test *mlreg.Design, apart []int) {
	all := try.Get(frames.Design(datasets.Prostate(), "lpsa ~ . - train"))
	folds := try.Get(mlreg.RandomValidationSet(all.NObs(), int(math.Round(at.Value("men"))), at.Source(uint64(at.Value("split")))))
	train = try.Get(all.Rows(folds.Train(0)...).Standardize(nil))
	return train, all.Rows(folds.Test(0)...), folds.Test(0)
}

// splitFits are the fits of the methods, the penalties chosen by ten folds of the rows.
func splitFits(at Point, train *mlreg.Design) []mlreg.NamedFit {
	folds := try.Get(mlreg.KFold(train.NObs(), 10, at.Source(1<<32)))
	ols := try.Get(mlreg.FitOLS(train, nil))
	subsets := try.Get(mlreg.FitBestSubsets(train, nil))
	two := try.Get(subsets.BestOfSize(2)[0].Refit(train))
	volume := try.Get(subsets.BestOfSize(1)[0].Refit(train))
	ridge := try.Get(mlreg.FitRidgeCV(train, folds, &mlreg.RidgePathSettings{Ratio: 1e-4}, &mlreg.CVSettings{Progress: at.Progress}))
	lasso := try.Get(mlreg.FitLassoCV(train, folds, &mlreg.PathSettings{Ratio: 1e-3}, &mlreg.CVSettings{Progress: at.Progress}))
	posterior := try.Get(mlreg.EnumerateModels(train, mlreg.BICScore{}, &mlreg.EnumerateSettings{Average: true}))
	average := try.Get(posterior.ModelAverage())
	return []mlreg.NamedFit{
		{Name: "least squares", Fit: ols}, {Name: "best two", Fit: two}, {Name: "ridge", Fit: ridge.FitMin()},
		{Name: "lasso", Fit: lasso.FitMin()}, {Name: "model average", Fit: average},
		{Name: "volume alone", Fit: volume},
	}
}

func drawSplit(at Point) *View {
	train, test, apart := splitMen(at)
	fits := splitFits(at, train)
	verdict := try.Get(mlreg.CompareErrors(test, fits))
	prostate := datasets.Prostate()
	volume := try.Get(frames.Floats(prostate, "lcavol"))
	antigen := try.Get(frames.Floats(prostate, "lpsa"))
	var x, y []float64
	for _, i := range apart {
		x, y = append(x, volume[i]), append(y, antigen[i])
	}
	men := try.Get(plotting.Draw(plotting.Labels{Title: fmt.Sprintf("Draw %g: %d men kept apart", at.Value("split"), len(apart)), X: "lcavol (log of cancer volume in cm³)", Y: "lpsa (log of PSA in ng/ml)"},
		plotting.Points{X: volume, Y: antigen, Color: plotting.Gray, Name: "to learn from"},
		plotting.Points{X: x, Y: y, Color: plotting.Vermillion, Radius: 3, Name: "kept apart"}))
	view := &View{}
	var place, mse, stderr, less, low, high []float64
	ticks := plot.ConstantTicks{}
	for k, v := range verdict {
		place, mse, stderr = append(place, float64(k+1)), append(mse, v.MSE), append(stderr, v.StdErr)
		less = append(less, v.Difference)
		low, high = append(low, v.Difference-v.DifferenceErr), append(high, v.Difference+v.DifferenceErr)
		ticks = append(ticks, plot.Tick{Value: float64(k + 1), Label: strings.Replace(fits[k].Name, " ", "\n", 1)})
		view.Numbers = append(view.Numbers, Number{Name: "test error, " + fits[k].Name, Value: v.MSE, Digits: 3})
	}
	best := floats.MinIdx(mse)
	errors := try.Get(plotting.Draw(plotting.Labels{Title: fmt.Sprintf("Draw %g: least error by %s", at.Value("split"), fits[best].Name), Y: "test error minus that of least squares,\n± one standard error"},
		plotting.HLine{Y: 0}, plotting.ErrorBars{X: place, Y: less, Lower: low, Upper: high}))
	men.X.Min, men.X.Max, men.Y.Min, men.Y.Max = -1.6, 4.1, -0.7, 5.9
	men.Legend.Top, men.Legend.Left = true, true
	errors.X.Min, errors.X.Max, errors.X.Tick.Marker, errors.Y.Min, errors.Y.Max = 0.5, 6.5, ticks, -0.6, 0.6 // of all draws
	view.Figure = plotting.Grid(2, men, errors)
	view.Figure.Width, view.Figure.Height = 9, 3.8
	view.Sentence = fmt.Sprintf("Draw %g keeps %d of 97 men apart; on them the test error is %.3f by least squares, %.3f by the best two terms, %.3f by ridge regression, %.3f by the lasso, %.3f by the model average and %.3f by the volume alone, with standard errors up to %.2f; the least is that of %s.",
		at.Value("split"), len(apart), mse[0], mse[1], mse[2], mse[3], mse[4], mse[5], floats.Max(stderr), fits[best].Name)
	return view
}
