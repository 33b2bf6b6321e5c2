package frames

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/go-gota/gota/dataframe"
	"gonum.org/v1/gonum/stat"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/report"
)

// Wald is a fit whose coefficients are approximately normal: *mlreg.OLS, *mlreg.Robust,
// *mlreg.Logistic, *mlreg.GLM. Its mean is a'b, or what InverseLink makes of it.
type Wald interface {
	Predictor
	mlreg.Wald
}

// FactorMeans are the means of the response at the levels of a factor, averaged over
// the levels of the other factors. R's emmeans.
type FactorMeans struct {
	Response, Factor string
	Level            float64 // of the limits
	Levels           []string
	// Mean are means on the scale of the response, with standard errors and limits.
	Mean, StdErr, Lower, Upper []float64
	// Contrasts are the differences between all pairs of levels. P is adjusted for their
	// number by Holm's method, and the limits are not. Of a fit with a link they are
	// differences of linear predictors, of two classes of log odds.
	Contrasts report.Rows[mlreg.CoefRow]
	LogOdds   bool   // whether Contrasts are differences of log odds
	Scale     string // what Contrasts are differences of: "means", "log odds", "log means" or "linear predictors"
	Held      []Held
	Averaged  []string // the factors averaged over, all their levels alike
}

// MeansSettings are the options of MarginalMeans.
type MeansSettings struct {
	// At holds columns at values, as EffectSettings.At does. A factor held is not averaged
	// over.
	At map[string]any
}

// MarginalMeans returns the means of a factor: the linear predictor a'b, averaged over
// all combinations of the levels of the other factors, each of the same weight, with
// numbers held at their means,
//
//	m_k = l'b,   its variance l' VCov l,   l the average of the rows a of level k.
//
// Of two classes it is brought to the scale of probabilities after averaging, as
// emmeans does for type = "response". Limits have the given level. Pairs of levels are
// compared by t tests (z of classes and counts) whose P are adjusted by Holm's method: of m, the
// i-th smallest is multiplied by m-i+1, and not below the one before.
//
// Means are those of the rows of df that are complete, as for Effects. Nil settings are
// the defaults. Errors: those of Predict and mlreg.Contrast (mlreg.ErrNotEstimable for
// aliased terms), ErrNoColumn, ErrSetting for a column that is not a factor or a level
// that is not between 0 and 1, and ErrNoBand for a fit with a penalty and a posterior.
//
// Searle, Speed and Milliken, The American Statistician 34 (1980), 216-221; Holm,
// Scandinavian Journal of Statistics 6 (1979), 65-70.
func MarginalMeans(fit Wald, df dataframe.DataFrame, factor string, level float64, settings *MeansSettings) (*FactorMeans, error) {
	var s MeansSettings
	if settings != nil {
		s = *settings
	}
	m, err := newMarginal(fit, df, level)
	if err != nil {
		return nil, err
	}
	in := m.in
	if err := in.known("marginal means", factor); err != nil {
		return nil, err
	}
	levels := in.levels[factor]
	if levels == nil {
		return nil, errorf(ErrSetting, "marginal means: column %q has numbers; Effects is for them, and factor(%s) in the formula makes it a factor", factor, factor)
	}
	averaged := slices.DeleteFunc(slices.Clone(in.names), func(name string) bool {
		_, given := s.At[name]
		return name == factor || given || in.levels[name] == nil || slices.Contains(in.texts, name)
	})
	held, list, err := in.hold(s.At, append(averaged, factor)...)
	if err != nil {
		return nil, err
	}
	out := &FactorMeans{
		Response: effectResponse(fit), Factor: factor, Level: level, Levels: slices.Clone(levels),
		Scale: m.scale(), Held: list, Averaged: averaged,
	}
	out.LogOdds = out.Scale == "log odds"
	var rows [][]float64
	for _, level := range levels {
		grid, err := in.combinations(factor, level, averaged, held)
		if err != nil {
			return nil, err
		}
		if err := out.add(m, grid, &rows); err != nil {
			return nil, err
		}
	}
	out.Contrasts, err = m.pairs(levels, rows)
	return out, err
}

// combinations returns the rows of a level of a factor with all combinations of the
// levels of others.
func (in *inputs) combinations(factor, level string, others []string, held map[string]inputValue) (dataframe.DataFrame, error) {
	none := dataframe.DataFrame{}
	n := 1
	for _, name := range others {
		if n *= len(in.levels[name]); n > maxTerms {
			return none, errorf(ErrSetting, "marginal means: there are more than %d combinations of the levels of %q; hold some by At", maxTerms, others)
		}
	}
	varying := make(map[string][]inputValue)
	for i := range n {
		v, err := in.level(factor, level)
		if err != nil {
			return none, err
		}
		varying[factor] = append(varying[factor], v)
		rest := i
		for _, name := range others {
			levels := in.levels[name]
			if v, err = in.level(name, levels[rest%len(levels)]); err != nil {
				return none, err
			}
			varying[name] = append(varying[name], v)
			rest /= len(levels)
		}
	}
	return in.grid(n, held, varying), nil
}

// add adds the mean of the rows of a grid, and the row of the coefficients behind it.
func (means *FactorMeans) add(m *marginal, grid dataframe.DataFrame, rows *[][]float64) error {
	a, eta, err := m.rows(grid)
	if err != nil {
		return err
	}
	l := columnMeans(a)
	*rows = append(*rows, l)
	r, err := m.estimate(l, stat.Mean(eta, nil))
	if err != nil {
		return err
	}
	slope := 1.0
	if m.mean != nil {
		r.Estimate, slope = m.mean(r.Estimate)
		lower, _ := m.mean(r.Lower)
		upper, _ := m.mean(r.Upper)
		r.Lower, r.Upper, slope = math.Min(lower, upper), math.Max(lower, upper), math.Abs(slope) // a mean may fall with it
	}
	means.Mean, means.StdErr = append(means.Mean, r.Estimate), append(means.StdErr, slope*r.StdErr)
	means.Lower, means.Upper = append(means.Lower, r.Lower), append(means.Upper, r.Upper)
	return nil
}

// pairs returns the differences between all pairs of rows, with Holm's P.
func (m *marginal) pairs(levels []string, rows [][]float64) (report.Rows[mlreg.CoefRow], error) {
	var out report.Rows[mlreg.CoefRow]
	for i := range levels {
		for j := i + 1; j < len(levels); j++ {
			l := make([]float64, len(rows[i]))
			for k := range l {
				l[k] = rows[i][k] - rows[j][k]
			}
			r, err := mlreg.Contrast(m.fit, l, 0, m.level)
			if err != nil {
				return nil, err
			}
			r.Term = levels[i] + " - " + levels[j]
			out = append(out, r)
		}
	}
	p := make([]float64, len(out))
	for k, r := range out {
		p[k] = r.P
	}
	for k, v := range holm(p) {
		out[k].P = v
	}
	return out, nil
}

// holm returns the P values adjusted for their number by Holm's method.
func holm(p []float64) []float64 {
	order := allRows(len(p))
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case p[a] < p[b]:
			return -1
		case p[a] > p[b]:
			return 1
		}
		return 0
	})
	out, largest := make([]float64, len(p)), 0.0
	for i, k := range order {
		largest = math.Max(largest, float64(len(p)-i)*p[k])
		out[k] = math.Min(1, largest)
	}
	return out
}

// ContrastTable returns the differences of the levels as a table.
func (means *FactorMeans) ContrastTable() *report.Table {
	t := means.Contrasts.Describe()
	t.Title = fmt.Sprintf("Differences of %s by %s", means.Scale, means.Factor)
	t.Notes = append(t.Notes, "p by Holm's method; limits are of each difference by itself")
	return t
}

// Describe returns the means as a table; ContrastTable has their differences.
func (means *FactorMeans) Describe() *report.Table {
	lower, upper := format.Limits(means.Level, "")
	t := &report.Table{
		Title: fmt.Sprintf("Marginal means of %s by %s", means.Response, means.Factor),
		Columns: []report.Column{
			report.TextColumn(means.Factor, means.Levels...),
			report.NumberColumn("mean", means.Mean, 0), report.NumberColumn(format.StdErr, means.StdErr, 0),
			report.NumberColumn(lower, means.Lower, 0), report.NumberColumn(upper, means.Upper, 0),
		},
	}
	if len(means.Averaged) > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("averaged over the levels of %s", strings.Join(means.Averaged, ", ")))
	}
	if len(means.Held) > 0 {
		t.Notes = append(t.Notes, heldNote(means.Held))
	}
	return t
}

// String writes the means and their contrasts as text.
func (means *FactorMeans) String() string {
	return means.Describe().String() + "\n" + means.ContrastTable().String()
}
