package frames

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/go-gota/gota/dataframe"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/report"
)

// EffectSettings are the options of Effects.
type EffectSettings struct {
	// By names a factor for whose levels the effect is computed side by side, as for an
	// interaction; the default is none.
	By string
	// At holds columns at values: numbers, or levels as text, number or bool. The default
	// is the mean of a number and the most frequent level of a factor.
	At map[string]any
	// From and To are the ends of a numeric predictor. The default, both 0, is the range
	// of the data; with By, of the data of each group.
	From, To float64
	// Points is how many values of a numeric predictor there are, by default 101.
	Points int
	// Residuals puts partial residuals in Effect.Points: what the fit leaves of every
	// observation, beside the curve,
	//
	//	f(x_i, held) + y_i - f(x_i).
	//
	// The default are the observations y_i.
	Residuals bool
}

// Effect is the effect of a predictor on the response: a fit as a function of it, with
// the other columns held. Values are on the scale of the response; of two classes, the
// probability of the second.
type Effect struct {
	Response string // the response, or P(response = class)
	Over, By string // the columns that vary; By is "" if none
	// X are the values of Over, or Levels if it is a factor, and Groups the levels of By,
	// nil if there is none: one value a row, group by group.
	X              []float64
	Levels, Groups []string
	Fitted         []float64
	// Confidence and Prediction are the bands, nil for one that the fit does not have;
	// NoBand says why there is none of the mean.
	Confidence, Prediction *mlreg.Band
	NoBand                 string
	Held                   []Held
	Points                 EffectPoints
	// Beyond says how many of the values are beyond the range of a spline or polynomial.
	Beyond []mlreg.Extrapolation
}

// EffectPoints are the observations, or their partial residuals: Y over X, or over the
// Levels of a factor, in Groups. Y is nil if the frame does not have the response.
type EffectPoints struct {
	X              []float64
	Levels, Groups []string
	Y              []float64
	Residuals      bool
}

// Effects returns the effect of the column over: predictions of the fit, with
// confidence (of a posterior, credible) and prediction bands of the given level, while
// the other columns are held at their means, and factors at their most frequent level.
// It is R's ggeffects::ggpredict, and visreg. Means and levels are those of the rows of
// df that are complete in the columns of the fit, and in the response if df has it.
//
// A fit without a band, such as one with a penalty, has an effect without, and says
// why in NoBand. Nil settings are the defaults.
//
// Errors: those of Predict; ErrNoColumn for a column that the fit does not have;
// ErrLevel and ErrSetting for a value of At, By that is not a factor, From and To,
// Points, a level that is not between 0 and 1, and Residuals of classes.
func Effects(fit Predictor, df dataframe.DataFrame, over string, level float64, settings *EffectSettings) (*Effect, error) {
	in, s, err := effectInputs(fit, df, level, settings)
	if err != nil {
		return nil, err
	}
	return in.effect(fit, over, level, s)
}

// AllEffects returns the effects of all columns that the fit has, in the order of its formula, as Effects does one by
// one; the rows are coded once. It is R's effects::allEffects. Columns whose words are counted, those that
// EffectSettings.At holds, and EffectSettings.By are left out. The errors are those of Effects.
func AllEffects(fit Predictor, df dataframe.DataFrame, level float64, settings *EffectSettings) ([]*Effect, error) {
	in, s, err := effectInputs(fit, df, level, settings)
	if err != nil {
		return nil, err
	}
	var all []*Effect
	for _, name := range in.names {
		if _, held := s.At[name]; held || name == s.By || slices.Contains(in.texts, name) {
			continue
		}
		e, err := in.effect(fit, name, level, s)
		if err != nil {
			return nil, err
		}
		all = append(all, e)
	}
	return all, nil
}

// effectInputs are the inputs of effects, with the settings.
func effectInputs(fit Predictor, df dataframe.DataFrame, level float64, settings *EffectSettings) (*inputs, EffectSettings, error) {
	var s EffectSettings
	if settings != nil {
		s = *settings
	}
	if !(level > 0 && level < 1) {
		return nil, s, errorf(ErrSetting, "level = %v; it is between 0 and 1", level)
	}
	in, err := inputsOf(fit, df)
	return in, s, err
}

// effect is the effect of one column.
func (in *inputs) effect(fit Predictor, over string, level float64, s EffectSettings) (*Effect, error) {
	if err := in.checkEffect(over, s); err != nil {
		return nil, err
	}
	e := &Effect{Response: effectResponse(fit), Over: over, By: s.By}
	varies := []string{over}
	if s.By != "" {
		varies = append(varies, s.By)
	}
	held, list, err := in.hold(s.At, varies...)
	if err != nil {
		return nil, err
	}
	e.Held = list
	grid, err := e.layOut(in, held, s)
	if err != nil {
		return nil, err
	}
	r, err := rowsFor(fit, grid, nothingElse)
	if err != nil {
		return nil, err
	}
	e.Beyond = r.beyond
	if e.Fitted, err = r.vector(fit.Predict); err != nil {
		return nil, err
	}
	if err := e.addBands(fit, grid, level); err != nil {
		return nil, err
	}
	return e, e.addPoints(fit, in, held, s.Residuals)
}

func (in *inputs) checkEffect(over string, s EffectSettings) error {
	if err := in.known("effects", over); err != nil {
		return err
	}
	if s.By != "" {
		if err := in.known("EffectSettings.By", s.By); err != nil {
			return err
		}
		if s.By == over || in.levels[s.By] == nil {
			return errorf(ErrSetting, "EffectSettings.By = %q; it is a factor other than %q; At holds a number at a value", s.By, over)
		}
	}
	if s.Points < 0 || s.Points == 1 {
		return errorf(ErrSetting, "EffectSettings.Points = %d; it is at least 2", s.Points)
	}
	if s.From-s.From != 0 || s.To-s.To != 0 || (s.From != 0 || s.To != 0) && s.From >= s.To {
		return errorf(ErrSetting, "EffectSettings.From = %v, To = %v", s.From, s.To)
	}
	return nil
}

// effectResponse names what a fit predicts.
func effectResponse(fit any) string {
	name := responseOf(fit)
	if f, ok := fit.(mlreg.Classifier); ok && len(f.Classes()) == 2 {
		return fmt.Sprintf("P(%s = %s)", name, f.Classes()[1])
	}
	return name
}

// layOut fills the rows of the effect, and returns them as a frame.
func (e *Effect) layOut(in *inputs, held map[string]inputValue, s EffectSettings) (dataframe.DataFrame, error) {
	groups := in.levels[s.By]
	if s.By == "" {
		groups = []string{""}
	}
	varying := map[string][]inputValue{}
	for _, group := range groups {
		at, levels, err := in.axis(e.Over, group, s)
		if err != nil {
			return dataframe.DataFrame{}, err
		}
		for i, v := range at {
			varying[e.Over] = append(varying[e.Over], v)
			if levels != nil {
				e.Levels = append(e.Levels, levels[i])
			} else {
				e.X = append(e.X, v.num)
			}
			if s.By == "" {
				continue
			}
			g, err := in.level(s.By, group)
			if err != nil {
				return dataframe.DataFrame{}, err
			}
			varying[s.By] = append(varying[s.By], g)
			e.Groups = append(e.Groups, group)
		}
	}
	return in.grid(len(varying[e.Over]), held, varying), nil
}

// axis returns the values of a column: its levels, or a range in the rows of a group.
func (in *inputs) axis(over, group string, s EffectSettings) (values []inputValue, levels []string, err error) {
	if levels = in.levels[over]; levels != nil {
		for _, level := range levels {
			v, err := in.level(over, level)
			if err != nil {
				return nil, nil, err
			}
			values = append(values, v)
		}
		return values, levels, nil
	}
	n := cmp.Or(s.Points, 101)
	from, to := s.From, s.To
	if from == 0 && to == 0 {
		from, to = in.reach(over, s.By, group)
	}
	for i := range n {
		t := float64(i) / float64(n-1)
		values = append(values, inputValue{num: from*(1-t) + to*t})
	}
	return values, nil, nil
}

// reach returns the range of a column in the rows of a group, or in all rows if the
// group has no two values.
func (in *inputs) reach(over, by, group string) (from, to float64) {
	var own []float64
	all := in.cols[over].num
	for i, v := range all {
		if by != "" && in.cols[by].at(i) == group {
			own = append(own, v)
		}
	}
	if own == nil || slices.Min(own) == slices.Max(own) {
		own = all
	}
	return slices.Min(own), slices.Max(own)
}

// addBands adds the bands that the fit has.
func (e *Effect) addBands(fit Coded, grid dataframe.DataFrame, level float64) error {
	var err error
	if e.Confidence, err = ConfidenceBand(fit, grid, level); err != nil {
		if !errors.Is(err, ErrNoBand) && !errors.Is(err, mlreg.ErrNotEstimable) && !errors.Is(err, mlreg.ErrSaturated) {
			return err
		}
		e.NoBand = strings.TrimPrefix(err.Error(), "frames: ")
		return nil
	}
	if _, glm := fit.(interface{ Family() mlreg.GLMFamily }); glm {
		return nil // limits of counts are steps, and those of shares need numbers of trials
	}
	if e.Prediction, err = PredictionBand(fit, grid, level); errors.Is(err, ErrNoBand) {
		return nil
	}
	return err
}

// addPoints adds the observations, or partial residuals.
func (e *Effect) addPoints(fit Predictor, in *inputs, held map[string]inputValue, residuals bool) error {
	y := in.coded.design.Y
	if y == nil {
		return nil
	}
	p := EffectPoints{Y: slices.Clone(y), Residuals: residuals}
	if in.levels[e.Over] == nil {
		p.X = slices.Clone(in.cols[e.Over].num)
	}
	for i := range y {
		if in.levels[e.Over] != nil {
			p.Levels = append(p.Levels, in.cols[e.Over].at(i))
		}
		if e.By != "" {
			p.Groups = append(p.Groups, in.cols[e.By].at(i))
		}
	}
	if residuals {
		if _, ok := fit.(mlreg.Classifier); ok {
			return errorf(ErrSetting, "EffectSettings.Residuals: %s has classes, whose residuals are not on its scale", responseOf(fit))
		}
		varying := map[string][]inputValue{e.Over: in.values(e.Over)}
		if e.By != "" {
			varying[e.By] = in.values(e.By)
		}
		component, err := Predict(fit, in.grid(len(y), held, varying))
		if err != nil {
			return err
		}
		fitted, err := fit.Predict(in.coded.design)
		if err != nil {
			return err
		}
		for i := range p.Y {
			p.Y[i] += component[i] - fitted[i]
		}
	}
	e.Points = p
	return nil
}

// Frame returns the effect as a frame, a row for every value: the columns Over and By,
// .fitted, .std.error, and the limits .lower.confidence, .upper.confidence,
// .lower.prediction and .upper.prediction of the bands that there are.
func (e *Effect) Frame() (dataframe.DataFrame, error) {
	if e == nil {
		return dataframe.DataFrame{}, errorf(ErrNoRows, "the effect is nil")
	}
	var cols []Column
	if e.Levels != nil {
		cols = append(cols, Col(e.Over, e.Levels))
	} else {
		cols = append(cols, Col(e.Over, e.X))
	}
	if e.By != "" {
		cols = append(cols, Col(e.By, e.Groups))
	}
	cols = append(cols, Col(".fitted", e.Fitted))
	if b := e.Confidence; b != nil {
		cols = append(cols, Col(".std.error", b.StdErr), Col(".lower.confidence", b.Lower), Col(".upper.confidence", b.Upper))
	}
	if b := e.Prediction; b != nil {
		cols = append(cols, Col(".lower.prediction", b.Lower), Col(".upper.prediction", b.Upper))
	}
	return Frame(cols...)
}

// Describe returns the effect as a table; of a numeric predictor with more than eleven
// values it has eleven of a group, from end to end.
func (e *Effect) Describe() *report.Table {
	rows := e.shown()
	t := &report.Table{Title: fmt.Sprintf("Effect of %s on %s", e.Over, e.Response)}
	if e.Levels != nil {
		t.Columns = append(t.Columns, report.TextColumn(e.Over, picked(rows, e.Levels)...))
	} else {
		t.Columns = append(t.Columns, report.NumberColumn(e.Over, picked(rows, e.X), 0))
	}
	if e.By != "" {
		t.Columns = append(t.Columns, report.TextColumn(e.By, picked(rows, e.Groups)...))
	}
	add := func(name string, values []float64) {
		t.Columns = append(t.Columns, report.NumberColumn(name, picked(rows, values), 0))
	}
	add("fitted", e.Fitted)
	if b := e.Confidence; b != nil {
		add(format.StdErr, b.StdErr)
		lower, upper := format.Limits(b.Level, "")
		add(lower, b.Lower)
		add(upper, b.Upper)
		t.Notes = append(t.Notes, fmt.Sprintf("%s, %s: %v", lower, upper, b.Kind))
	}
	if b := e.Prediction; b != nil {
		lower, upper := format.Limits(b.Level, "new")
		add(lower, b.Lower)
		add(upper, b.Upper)
		t.Notes = append(t.Notes, fmt.Sprintf("%s, %s: %v", lower, upper, b.Kind))
	}
	if e.NoBand != "" {
		t.Notes = append(t.Notes, e.NoBand)
	}
	for _, b := range e.Beyond {
		t.Notes = append(t.Notes, b.String())
	}
	if len(e.Held) > 0 {
		t.Notes = append(t.Notes, heldNote(e.Held))
	}
	return t
}

// String writes the effect as text.
func (e *Effect) String() string { return e.Describe().String() }

// shown returns the rows of the table.
func (e *Effect) shown() []int {
	const most = 11
	n := len(e.Fitted)
	if e.Levels != nil {
		return allRows(n)
	}
	groups := 1
	for i := 1; i < len(e.Groups); i++ {
		if e.Groups[i] != e.Groups[i-1] {
			groups++
		}
	}
	per := n / groups
	var rows []int
	for g := range groups {
		for k := range min(most, per) {
			rows = append(rows, g*per+int(math.Round(float64(k*(per-1))/float64(max(min(most, per)-1, 1)))))
		}
	}
	return rows
}

// heldNote says at which values columns are held.
func heldNote(held []Held) string {
	parts := make([]string, len(held))
	for i, h := range held {
		parts[i] = fmt.Sprintf("%s = %s (%s)", h.Column, h.Value, h.Rule)
	}
	return "held: " + strings.Join(parts, ", ")
}
