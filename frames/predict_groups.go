package frames

import (
	"slices"
	"strings"

	"github.com/go-gota/gota/dataframe"

	"github.com/regbook/regbook/mlreg"
)

// GroupPredictor is a fit that predicts rows in their groups, such as a *hier.MultiTask.
type GroupPredictor interface {
	Coded
	Levels() []string
	PredictGroups(d *mlreg.Design, groups *mlreg.Grouping, level float64) (*mlreg.GroupPredictive, error)
}

// PredictGroups predicts every row of df in its group, as hier.MultiTask.PredictGroups: the
// columns of the groups have the names of the fit's levels, and a row of a new group is
// predicted from b*. A row with a missing value has NaN. Extrapolations tells whether rows lie
// beyond the range of a spline or polynomial, of which R warns. Errors are those of Predict, and
// ErrNoColumn for a column of groups.
func PredictGroups(fit GroupPredictor, df dataframe.DataFrame, level float64) (*mlreg.GroupPredictive, error) {
	r, err := rowsFor(fit, df, weightsToo)
	if err != nil {
		return nil, err
	}
	levels := fit.Levels()
	if len(levels) == 0 {
		return nil, errorf(ErrSetting, "the fit has no level of groups")
	}
	names := strings.Split(levels[len(levels)-1], "/")
	known, err := r.inGroups(df, names)
	if err != nil {
		return nil, err
	}
	out := &mlreg.GroupPredictive{Seen: make([]string, r.n)}
	out.Level = level
	var p mlreg.GroupPredictive
	if len(known.rows) > 0 {
		groups, err := groupsOf(df, names, known.rows)
		if err != nil {
			return nil, err
		}
		of, err := fit.PredictGroups(known.design, groups, level)
		if err != nil {
			return nil, err
		}
		p = *of
		for k, i := range known.rows {
			out.Seen[i] = p.Seen[k]
		}
	}
	out.Mean, out.NoiseVar, out.ParamVar = known.spread(p.Mean), known.spread(p.NoiseVar), known.spread(p.ParamVar)
	out.LowerMean, out.UpperMean = known.spread(p.LowerMean), known.spread(p.UpperMean)
	out.LowerObs, out.UpperObs = known.spread(p.LowerObs), known.spread(p.UpperObs)
	return out, nil
}

// inGroups returns the rows that have values in the columns of groups.
func (r *codedRows) inGroups(df dataframe.DataFrame, names []string) (*codedRows, error) {
	var columns []*column
	for _, name := range names {
		c, err := copyColumn(df, name)
		if err != nil {
			return nil, err
		}
		columns = append(columns, c)
	}
	out := &codedRows{n: r.n}
	var keep []int // of the coded rows
	for k, i := range r.rows {
		if !slices.ContainsFunc(columns, func(c *column) bool { return c.missing[i] }) {
			keep, out.rows = append(keep, k), append(out.rows, i)
		}
	}
	if len(keep) > 0 {
		out.design = r.design.Rows(keep...)
	}
	return out, nil
}
