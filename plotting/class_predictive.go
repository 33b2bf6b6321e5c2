package plotting

import (
	"cmp"
	"fmt"
	"math/rand/v2"

	"github.com/go-gota/gota/dataframe"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"

	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting/internal/check"
)

// LogisticPredictive shows in three panels what a posterior of logistic
// regression predicts over two inputs: contours of the probability of the second
// class at the mode, the plug-in; the boundaries, probability 1/2, of draws of
// the posterior; and contours of the probability averaged over these draws,
// which move apart where the draws disagree. (Murphy, Machine Learning: A
// Probabilistic Perspective, figure 8.6.)
//
// The design d was made by frames.Design from df and fitted. Nil settings are
// the defaults; Title is the title of the figure. Errors are those of ClassMap,
// and mlreg.ErrSetting for fewer than two draws.
func LogisticPredictive(df dataframe.DataFrame, d *mlreg.Design, f *mlreg.BayesLogistic, settings *ClassMapSettings) (_ *Figure, err error) {
	defer check.Named("logistic predictive", &err)
	if f == nil {
		return nil, fmt.Errorf("%w: the posterior is nil", mlreg.ErrNoData)
	}
	v, err := newTwoInputs(df, d, f.Classes(), settings)
	if err != nil {
		return nil, err
	}
	v.s.Draws = cmp.Or(v.s.Draws, 100)
	if v.s.Levels == nil {
		v.s.Levels = []float64{0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9}
	}
	plugin, err := f.PlugIn(v.grid)
	if err != nil {
		return nil, err
	}
	draws, average, err := v.posteriorDraws(f)
	if err != nil {
		return nil, err
	}
	boundaries, err := v.boundaries(f, draws)
	if err != nil {
		return nil, err
	}
	half := func(p []float64) []Layer {
		at := func(i int) float64 { return p[i] }
		rows := make([][]float64, len(p))
		for i := range rows {
			rows[i] = []float64{1 - p[i], p[i]}
		}
		return []Layer{probabilities{rows, v}, v.contours(v.s.Levels, Gray, 0.9, at), v.contours([]float64{0.5}, Black, 1.6, at)}
	}
	var panels []*plot.Plot
	for _, panel := range []struct {
		title  string
		layers []Layer
	}{
		{"Plug-in", half(plugin)},
		{fmt.Sprintf("Boundaries of %d draws", v.s.Draws), boundaries},
		{fmt.Sprintf("Average over %d draws", v.s.Draws), half(average)},
	} {
		p, err := v.draw(panel.title, panel.layers...)
		if err != nil {
			return nil, err
		}
		if len(panels) < 2 {
			p.Legend = plot.NewLegend() // the last panel's is that of all
		}
		panels = append(panels, p)
	}
	fig := Grid(3, panels...)
	fig.Title = v.s.Title
	fig.Alt = fmt.Sprintf("probability of %s = %s over %s and %s: at the mode, boundaries of %d draws of the posterior, and averaged over them",
		f.Response(), v.classes[1], v.s.X, v.s.Y, v.s.Draws)
	return fig, nil
}

// posteriorDraws returns draws of the posterior and the probabilities that are
// averaged over the same draws.
func (v *twoInputs) posteriorDraws(f *mlreg.BayesLogistic) (draws *mat.Dense, average []float64, err error) {
	src := &recordedSource{src: check.Source(v.s.Random)}
	if average, _, err = f.MonteCarloPredictive(v.grid, v.s.Draws, src); err != nil {
		return nil, nil, err
	}
	draws, err = f.Sample(v.s.Draws, &replayedSource{src.numbers})
	return draws, average, err
}

// recordedSource is a source that keeps what it has given.
type recordedSource struct {
	src     rand.Source
	numbers []uint64
}

func (r *recordedSource) Uint64() uint64 {
	r.numbers = append(r.numbers, r.src.Uint64())
	return r.numbers[len(r.numbers)-1]
}

// replayedSource is a source that gives what a recordedSource kept.
type replayedSource struct{ numbers []uint64 }

func (p *replayedSource) Uint64() uint64 {
	first := p.numbers[0]
	p.numbers = p.numbers[1:]
	return first
}

// boundaries returns the lines on which the log odds of each draw are zero.
func (v *twoInputs) boundaries(f *mlreg.BayesLogistic, draws *mat.Dense) ([]Layer, error) {
	grid, err := v.grid.Rescale(f.Scaling())
	if err != nil {
		return nil, err
	}
	names, intercept := f.Names(), 0
	if len(names) > 0 && !grid.NoIntercept {
		intercept = 1
	}
	if grid, err = grid.Select(names[intercept:]...); err != nil {
		return nil, err
	}
	eta, err := mlreg.Functions(grid, draws)
	if err != nil {
		return nil, err
	}
	count, _ := draws.Dims()
	layers := make([]Layer, count)
	for s := range layers {
		layers[s] = v.contours([]float64{0}, Fade(Black, 0.25), 0.7, func(i int) float64 { return eta.At(i, s) })
	}
	return layers, nil
}
