package assess

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/door"
	"github.com/regbook/regbook/mlreg/internal/lsq"
	"github.com/regbook/regbook/mlreg/internal/nesting"
)

// drawer draws the resamples of a bootstrap.
type drawer struct {
	d     *mlreg.Design
	set   *BootstrapSettings
	group [][]int // the rows of every unit; of rows and blocks those of positive weight, one each
	// For residuals: what is drawn from, in units of weight 1; for numbers sigma of the
	// noise; for classes their probabilities, cumulated, and the responses.
	pool   []float64
	sigma  float64
	fitted []float64
	below  [][]float64
	labels []float64
}

func newDrawer(d *mlreg.Design, set *BootstrapSettings) (*drawer, error) {
	r := &drawer{d: d, set: set}
	switch set.Kind {
	case ResampleRows, BayesianBootstrap, ResampleBlocks, ResampleResiduals, ParametricBootstrap:
		for i := range d.NObs() {
			if d.Weight(i) > 0 {
				r.group = append(r.group, []int{i})
			}
		}
	case ResampleClusters:
		if len(set.Clusters) != d.NObs() {
			return nil, fmt.Errorf("%w: %d names of clusters (BootstrapSettings.Clusters) for %d rows", mlreg.ErrShape, len(set.Clusters), d.NObs())
		}
		rows, names := nesting.RowsByGroup(set.Clusters)
		for _, name := range names {
			if of := slices.DeleteFunc(rows[name], func(i int) bool { return !(d.Weight(i) > 0) }); len(of) > 0 {
				r.group = append(r.group, of)
			}
		}
	default:
		return nil, fmt.Errorf("%w: %v", mlreg.ErrSetting, set.Kind)
	}
	if len(r.group) < 2 {
		what := "rows of positive weight"
		if set.Kind == ResampleClusters {
			what = "clusters"
		}
		return nil, fmt.Errorf("%w: %d %s; a bootstrap draws from two or more", mlreg.ErrNoData, len(r.group), what)
	}
	if set.Kind == ResampleBlocks {
		set.BlockLength = cmp.Or(set.BlockLength, int(math.Ceil(math.Cbrt(float64(len(r.group)))-1e-9)))
		if set.BlockLength < 1 || set.BlockLength > len(r.group) {
			return nil, fmt.Errorf("%w: blocks of %d rows (BootstrapSettings.BlockLength) of %d", mlreg.ErrSetting, set.BlockLength, len(r.group))
		}
	}
	if !set.Kind.ofRows() {
		return r, r.fit()
	}
	return r, nil
}

// units is the number of what is drawn.
func (r *drawer) units() int { return len(r.group) }

// weights stores the weights of a resample.
func (r *drawer) weights(w []float64, number int, seed [2]uint64) {
	if r.set.Weights != nil {
		copy(w, r.set.Weights.RawRowView(number))
	} else {
		clear(w)
		r.counts(func(unit int, count float64) {
			for _, i := range r.group[unit] {
				w[i] += count
			}
		}, seed)
	}
	if r.d.Weights != nil {
		for i, own := range r.d.Weights {
			w[i] *= own
		}
	}
}

// counts calls add with units and how often they are drawn more.
func (r *drawer) counts(add func(unit int, count float64), seed [2]uint64) {
	n, src := len(r.group), rand.New(rand.NewPCG(seed[0], seed[1]))
	switch r.set.Kind {
	case BayesianBootstrap:
		w, sum := make([]float64, n), 0.0
		for i := range w {
			w[i] = src.ExpFloat64()
			sum += w[i]
		}
		for i, v := range w {
			add(i, float64(n)*v/sum)
		}
	case ResampleBlocks:
		for left := n; left > 0; left -= r.set.BlockLength {
			start := src.IntN(n)
			for i := range min(r.set.BlockLength, left) {
				add((start+i)%n, 1)
			}
		}
	default:
		for range n {
			add(src.IntN(n), 1)
		}
	}
}

// leaveOut stores the weights of all rows but those of a unit.
func (r *drawer) leaveOut(w []float64, unit int) {
	for i := range w {
		w[i] = r.d.Weight(i)
	}
	for _, i := range r.group[unit] {
		w[i] = 0
	}
}

// fit prepares the draws from a fit.
func (r *drawer) fit() error {
	fit := r.set.Fit
	if err := args.Given("BootstrapSettings.Fit, which "+r.set.Kind.String()+" are drawn from,", fit); err != nil {
		return err
	}
	if c, ok := fit.(mlreg.Classifier); ok && r.set.Kind == ParametricBootstrap {
		return r.fitClasses(c)
	}
	f, ok := fit.(mlreg.Predictor)
	if !ok {
		return fmt.Errorf("%w: BootstrapSettings.Fit, a %T, does not predict", mlreg.ErrSetting, fit)
	}
	if _, classes := fit.(mlreg.Classifier); classes {
		return fmt.Errorf("%w: BootstrapSettings.Fit, a %T, is of classes, which have no residuals; take ParametricBootstrap", mlreg.ErrSetting, fit)
	}
	var err error
	if r.fitted, err = f.Predict(r.d); err != nil {
		return err
	}
	if r.set.Kind == ParametricBootstrap {
		s, ok := fit.(interface{ Sigma2() float64 })
		if !ok {
			return fmt.Errorf("%w: BootstrapSettings.Fit, a %T, has no Sigma2 to draw noise of", mlreg.ErrSetting, fit)
		}
		if r.sigma = math.Sqrt(s.Sigma2()); args.NotFinite(r.sigma) {
			return fmt.Errorf("%w: the noise variance of BootstrapSettings.Fit is %v", mlreg.ErrSaturated, s.Sigma2())
		}
		return nil
	}
	leverage := make([]float64, r.d.NObs())
	if s, ok := fit.(mlreg.LinearSmoother); ok {
		if leverage, err = s.Leverage(r.d); err != nil {
			return err
		}
	}
	var mean float64
	for i, y := range r.d.Y {
		if w := r.d.Weight(i); w > 0 && leverage[i] < lsq.LeverageOne {
			e := (y - r.fitted[i]) * math.Sqrt(w/(1-leverage[i]))
			mean += e
			r.pool = append(r.pool, e)
		}
	}
	if len(r.pool) < 2 {
		return fmt.Errorf("%w: %d residuals of rows of leverage below 1", mlreg.ErrSaturated, len(r.pool))
	}
	for i := range r.pool {
		r.pool[i] -= mean / float64(len(r.pool))
	}
	return nil
}

func (r *drawer) fitClasses(c mlreg.Classifier) error {
	classes := c.Classes()
	if _, err := door.LabelsOf(r.d, classes); err != nil {
		return err
	}
	prob, err := c.ClassProb(r.d)
	if err != nil {
		return err
	}
	for k, name := range classes {
		label := float64(slices.Index(r.d.Classes, name))
		if r.d.Classes == nil {
			if label, err = strconv.ParseFloat(name, 64); err != nil {
				return fmt.Errorf("%w: class %q is no number, and the design has no names of classes", mlreg.ErrLabels, name)
			}
		} else if label < 0 {
			return fmt.Errorf("%w: the design has no class %q", mlreg.ErrLabels, classes[k])
		}
		r.labels = append(r.labels, label)
	}
	r.below = make([][]float64, r.d.NObs())
	for i := range r.below {
		var sum float64
		for _, p := range prob.RawRowView(i) {
			sum += p
			r.below[i] = append(r.below[i], sum)
		}
	}
	return nil
}

// response stores a response drawn from the fit.
func (r *drawer) response(y []float64, seed [2]uint64) {
	src := rand.New(rand.NewPCG(seed[0], seed[1]))
	for i := range y {
		w := r.d.Weight(i)
		switch {
		case r.below != nil:
			u := src.Float64()
			k := 0
			for k < len(r.labels)-1 && u >= r.below[i][k] {
				k++
			}
			y[i] = r.labels[k]
		case r.pool != nil:
			y[i] = r.fitted[i] + scaledNoise(r.pool[src.IntN(len(r.pool))], w)
		default:
			y[i] = r.fitted[i] + scaledNoise(r.sigma*src.NormFloat64(), w)
		}
	}
}

// scaledNoise returns noise of a row of weight w, of one of weight zero none.
func scaledNoise(e, w float64) float64 {
	if w == 0 {
		return 0
	}
	return e / math.Sqrt(w)
}
