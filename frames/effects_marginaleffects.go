package frames

import (
	"math"
	"slices"

	"github.com/go-gota/gota/dataframe"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/report"
)

// linked is a fit whose mean is a function of the linear predictor a'b. A fit without
// this method has the mean a'b.
type linked interface {
	LinearPredictor(d *mlreg.Design) ([]float64, error)
	// InverseLink returns the mean at a linear predictor, and its derivative there.
	InverseLink(eta float64) (mean, slope float64)
}

// marginal computes averages of a fit, and their standard errors.
type marginal struct {
	fit   Wald
	in    *inputs
	level float64
	eta   func(d *mlreg.Design) ([]float64, error)
	mean  func(eta float64) (mean, slope float64) // nil for the identity
}

func newMarginal(fit Wald, df dataframe.DataFrame, level float64) (*marginal, error) {
	in, err := inputsOf(fit, df)
	if err != nil {
		return nil, err
	}
	if !(level > 0 && level < 1) {
		return nil, errorf(ErrSetting, "level = %v; it is between 0 and 1", level)
	}
	m := &marginal{fit: fit, in: in, level: level, eta: fit.Predict}
	if f, ok := fit.(interface{ L2() float64 }); ok && f.L2() > 0 {
		return nil, errorf(ErrNoBand, "%T has the penalty L2 = %v, and no standard errors, since its bias is not known", fit, f.L2())
	}
	f, ok := fit.(linked)
	if ok {
		m.eta, m.mean = f.LinearPredictor, f.InverseLink
		return m, nil
	}
	if _, posterior := fit.(interface{ PosteriorMean() []float64 }); posterior {
		return nil, errorf(ErrNoBand, "%T is a posterior, which has no standard errors; ConfidenceBand has its limits", fit)
	}
	if _, classes := fit.(mlreg.Classifier); classes {
		return nil, errorf(ErrNoBand, "%T does not tell how the probabilities of its classes depend on its coefficients", fit)
	}
	return m, nil
}

// scale says what linear predictors are.
func (m *marginal) scale() string {
	if m.mean == nil {
		return "means"
	}
	f, ok := m.fit.(interface{ Link() mlreg.Link })
	switch {
	case !ok || f.Link() == mlreg.LogitLink:
		return "log odds"
	case f.Link() == mlreg.LogLink:
		return "log means"
	case f.Link() == mlreg.IdentityLink:
		return "means"
	}
	return "linear predictors"
}

// rows returns the rows a = (1, x) of a frame in the units of the coefficients, and
// their linear predictors.
func (m *marginal) rows(df dataframe.DataFrame) (*mat.Dense, []float64, error) {
	r, err := rowsFor(m.fit, df, nothingElse)
	if err != nil {
		return nil, nil, err
	}
	if r.design == nil {
		return nil, nil, errorf(ErrNoRows, "no row is complete")
	}
	eta, err := m.eta(r.design)
	if err != nil {
		return nil, nil, err
	}
	names := m.fit.Names()
	first := 0
	if len(names) > 0 && names[0] == mlreg.InterceptName {
		first = 1
	}
	d, err := r.design.Select(names[first:]...)
	if err != nil {
		return nil, nil, err
	}
	if f, ok := m.fit.(interface{ Scaling() *mlreg.Scaling }); ok {
		if d, err = d.Rescale(f.Scaling()); err != nil {
			return nil, nil, err
		}
	}
	a := mat.NewDense(len(eta), len(names), nil)
	for i := range eta {
		row := a.RawRowView(i)
		if first == 1 {
			row[0] = 1
		}
		for j := range names[first:] {
			row[first+j] = d.X.At(i, j)
		}
	}
	return a, eta, nil
}

// estimate returns the row of a table of an estimate with the gradient l in the
// coefficients.
func (m *marginal) estimate(l []float64, estimate float64) (mlreg.CoefRow, error) {
	r, err := mlreg.Contrast(m.fit, l, 0, m.level)
	if err != nil {
		return r, err
	}
	shift := r.Estimate - estimate
	if r, err = mlreg.Contrast(m.fit, l, shift, m.level); err != nil {
		return r, err
	}
	r.Estimate, r.Lower, r.Upper = estimate, r.Lower-shift, r.Upper-shift
	return r, nil
}

// columnMeans returns the means of the columns of a.
func columnMeans(a *mat.Dense) []float64 {
	n, k := a.Dims()
	l := make([]float64, k)
	for i := range n {
		floats.AddScaled(l, 1/float64(n), a.RawRowView(i))
	}
	return l
}

// MarginalEffects returns the average marginal effects of a fit on the mean of the
// response: for every column of numbers the average over the rows of its derivative,
//
//	(1/n) sum_i d mean(x_i) / d x,
//
// and for every level of a factor but its first the average difference of the means if
// all rows had that level, and if all had the first. Standard errors are by the delta
// method, sqrt(g' VCov g) with the gradient g in the coefficients; limits have the
// given level. R's margins; statsmodels' get_margeff(dummy=True).
//
// Derivatives are central differences of four points, a thousandth of a standard
// deviation apart (of values next to zero, of the value). Rows are those of df that are
// complete in the columns of the fit, and in the response if df has it; their weights
// do not count. Columns of words() are left out. Errors are those of MarginalMeans, and
// ErrNoColumn for a fit of no column.
//
// Agresti, Categorical Data Analysis, 3rd ed., section 5.4.7; Oehlert, The American
// Statistician 46 (1992), 27-29.
func MarginalEffects(fit Wald, df dataframe.DataFrame, level float64) (report.Rows[mlreg.CoefRow], error) {
	m, err := newMarginal(fit, df, level)
	if err != nil {
		return nil, err
	}
	var out report.Rows[mlreg.CoefRow]
	for _, name := range m.in.names {
		if slices.Contains(m.in.texts, name) {
			continue
		}
		rows, err := m.effectsOf(name)
		if err != nil {
			return nil, err
		}
		out = append(out, rows...)
	}
	if len(out) == 0 {
		return nil, errorf(ErrNoColumn, "the fit is of no column, and has no marginal effect")
	}
	return out, nil
}

// effectsOf returns the average marginal effects of a column.
func (m *marginal) effectsOf(name string) (report.Rows[mlreg.CoefRow], error) {
	levels := m.in.levels[name]
	if levels == nil {
		r, err := m.difference(name, m.steps(name))
		r.Term = name
		return report.Rows[mlreg.CoefRow]{r}, err
	}
	var out report.Rows[mlreg.CoefRow]
	first, err := m.in.level(name, levels[0])
	if err != nil {
		return nil, err
	}
	n := len(m.in.coded.rows)
	for _, level := range levels[1:] {
		v, err := m.in.level(name, level)
		if err != nil {
			return nil, err
		}
		r, err := m.difference(name, []step{
			{slices.Repeat([]inputValue{v}, n), slices.Repeat([]float64{1}, n)},
			{slices.Repeat([]inputValue{first}, n), slices.Repeat([]float64{-1}, n)},
		})
		if err != nil {
			return nil, err
		}
		r.Term = name + ": " + level + " - " + levels[0]
		out = append(out, r)
	}
	return out, nil
}

// step is a value of a column in every row, and its weight in a difference.
type step struct {
	values []inputValue
	weight []float64
}

// steps returns the points of a derivative.
func (m *marginal) steps(name string) []step {
	x := m.in.values(name)
	sd := stat.StdDev(m.in.cols[name].num, nil)
	if !(sd > 0) {
		sd = math.Max(1, math.Abs(x[0].num))
	}
	out := make([]step, 4)
	for k, c := range []struct{ at, weight float64 }{{-2, 1. / 12}, {-1, -8. / 12}, {1, 8. / 12}, {2, -1. / 12}} {
		for _, v := range x {
			h := 1e-3 * sd
			if size := math.Abs(v.num); size > 0 && size < 4*h {
				h = 1e-3 * size
			}
			out[k].values = append(out[k].values, inputValue{num: v.num + c.at*h})
			out[k].weight = append(out[k].weight, c.weight/h)
		}
	}
	return out
}

// difference returns the average over the rows of a weighted sum of means.
func (m *marginal) difference(name string, steps []step) (mlreg.CoefRow, error) {
	n := len(m.in.coded.rows)
	varying := make(map[string][]inputValue)
	for _, other := range m.in.names {
		varying[other] = m.in.values(other)
	}
	gradient := make([]float64, len(m.fit.Names()))
	var total float64
	for _, s := range steps {
		varying[name] = s.values
		a, eta, err := m.rows(m.in.grid(n, nil, varying))
		if err != nil {
			return mlreg.CoefRow{}, err
		}
		for i, v := range eta {
			mean, slope := v, 1.0
			if m.mean != nil {
				mean, slope = m.mean(v)
			}
			w := s.weight[i] / float64(n)
			total += w * mean
			floats.AddScaled(gradient, w*slope, a.RawRowView(i))
		}
	}
	return m.estimate(gradient, total)
}
