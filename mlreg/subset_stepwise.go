package mlreg

import (
	"fmt"
	"math"
	"slices"

	"github.com/regbook/regbook/internal/dist"
	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/enumerate"
	"github.com/regbook/regbook/mlreg/internal/subsets"
	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
)

// Direction says whether FitStepwise adds terms, removes them, or does both.
type Direction int

const (
	// Forward adds terms, one at a time.
	Forward Direction = iota
	// Backward removes terms, one at a time.
	Backward
	// Bidirectional does either at every step.
	Bidirectional
)

// String returns the name of the direction.
func (d Direction) String() string {
	return format.Choice("Direction", int(d), "forward", "backward", "bidirectional")
}

// StepwiseSettings are the options of FitStepwise.
type StepwiseSettings struct {
	Direction Direction
	// Criterion ranks the models that are one step away; the default 0 is ByAIC.
	Criterion Criterion
	// Groups are terms that are added and removed together: the columns of a factor
	// or of a polynomial. A term in none of them is a group of its own. Nil takes the
	// groups of the data, see Design.Coding. Always and Start may name a group.
	Groups []TermGroup
	// Always names terms that are in every model; the others are candidates.
	Always []string
	// Start names the candidates in the first model. Nil means none, or all if the
	// direction is Backward.
	Start []string
	// PEnter and PRemove are used with ByPValue: a term is added if its p-value is
	// below PEnter, and removed if it is above PRemove. The default 0 of PEnter is
	// 0.05, that of PRemove 0.10, or PEnter if that is more; PEnter may not exceed
	// PRemove.
	PEnter, PRemove float64
	// Folds are needed for ByCV: those of the rows of a *Design, or MomentFolds.
	Folds *Folds
	// MaxSteps, if not 0, is the largest number of steps.
	MaxSteps int
	// TrainError, if not 0, stops as soon as the training error RSS/W is not
	// above it.
	TrainError float64
	// FullPath continues to the end, Forward or Backward, whatever the criterion
	// says; Final is then the best model of the path.
	FullPath bool
	// Sigma2 is the noise variance in Cp if it is known. The default 0
	// estimates it by RSS/(n - rank) of all terms together.
	Sigma2 float64
}

// StepChange is a term or a group of terms that can be added or removed, with the
// model that results.
type StepChange struct {
	Term string
	Drop bool // the term is removed
	DF   int  // number of coefficients: 1, or those of a group
	// RSS and Value, the criterion, are those of the model after the change.
	RSS, Value float64
	// F is the change of RSS divided by DF and by the noise variance estimated from
	// the larger of the two models. P is the probability of a larger F if the
	// coefficients of the term are zero. Both are NaN if the larger model leaves no
	// degree of freedom.
	F, P float64
}

// Step is a model on the way of a stepwise selection.
type Step struct {
	// Change led to the model; its Term is empty at the start.
	Change StepChange
	Model  SubsetModel
	// Value is the criterion of the model: its AIC, for example. For ByAdjR2 it is
	// the negative of the adjusted R2, for ByPValue the p-value of the change, NaN at
	// the start.
	Value float64
	// StdErr is the standard error of a cross-validated error, NaN otherwise.
	StdErr float64
	// Considered are the changes that were compared next, in the order of the terms.
	Considered []StepChange
}

// Stepwise is the path of a stepwise selection. It holds no data and does not
// change.
type Stepwise struct {
	stored[Stepwise, stepwiseState]
}

type stepwiseState struct {
	Response           string
	N                  int
	Candidates, Always []string
	Aliased            []string
	Direction          Direction
	Criterion          Criterion
	Steps              []Step
	Final              int
	Visited            float64
	Stopped            string
}

// FitStepwise selects terms one at a time. From a first model it goes to the best
// model that has one term more, or one less, as long as the criterion falls. The
// intercept, unless the design has none, is in every model. Of d candidates it
// compares no more than d + (d-1) + ... models, where the best subset is one of 2^d,
// and need not find it.
//
// ByAIC this is R's step: factors are added and removed as wholes, and a term stays
// in the model as long as an interaction with it does.
//
// ByPValue uses the F test of the one term. Each step removes the term with the
// largest p-value if that is above PRemove; otherwise it adds the term with the
// smallest p-value if that is below PEnter (Efroymson 1960; Miller, Subset Selection
// in Regression, 2nd ed., section 3.3). The p-values of selected terms are too small:
// the selection used them.
//
// ByCV fits the terms of a model by least squares to all folds but one and takes the
// error on that fold. Since the terms were chosen with that fold, the error of the
// final model is too small; CrossValidateSizes selects anew in every fold.
//
// A term is not added if it is a combination of those in the model, or if it would
// leave no residual degree of freedom. Backward selection from all terms leaves out
// at the start those that Aliased names, and needs more observations than terms.
//
// Nil settings are the defaults. Errors: ErrSetting, ErrShape (folds that do not
// add up to the data), ErrSaturated (a first model without a degree of freedom),
// ErrRankDeficient (Start), ErrConstant (the response), ErrPerfectFit (what is always
// in, a model on the way by AIC, BIC or the p-value, or that of all terms by Cp,
// leaves no residual: less than 1e-12 of the sum of squares), ErrNoData,
// ErrNotFinite.
func FitStepwise(data Data, settings *StepwiseSettings) (*Stepwise, error) {
	set := args.OrDefaults(settings)
	if err := set.check(); err != nil {
		return nil, err
	}
	var folds *foldErrors
	if set.Criterion == ByCV && data != nil {
		var err error
		if folds, err = newFoldErrors(data, set.Folds); err != nil {
			return nil, err
		}
	}
	var m *Moments
	if set.Groups == nil && data != nil {
		var err error
		if m, err = data.Moments(); err != nil {
			return nil, err
		}
		set.Groups = inGroups(m.s.Names, m.s.Coding.Groups())
	}
	s, err := newSubsetData(data, m, set.ungroup(set.Always), set.Sigma2)
	if err != nil {
		return nil, err
	}
	w := &stepper{subsetData: s, set: set, folds: folds, sweeper: enumerate.NewSweeper(&enumerate.Problem{
		D: len(s.candidates), M: s.corr, Tol: subsetPivot, Size: make([]float64, len(s.candidates)+1),
	})}
	if err := w.group(); err != nil {
		return nil, err
	}
	if folds != nil && folds.total.s.N != s.m.s.N {
		return nil, fmt.Errorf("%w: the folds have %d rows together and the data %d", ErrShape, folds.total.s.N, s.m.s.N)
	}
	if err := w.start(); err != nil {
		return nil, err
	}
	if err := w.walk(); err != nil {
		return nil, err
	}
	return &w.out, nil
}

// check refuses settings that contradict each other, and sets defaults.
func (set *StepwiseSettings) check() error {
	if set.Criterion == 0 {
		set.Criterion = ByAIC
	}
	if set.PEnter == 0 {
		set.PEnter = 0.05
	}
	if set.PRemove == 0 {
		set.PRemove = math.Max(0.10, set.PEnter)
	}
	switch {
	case set.Direction < Forward || set.Direction > Bidirectional:
		return fmt.Errorf("%w: StepwiseSettings.Direction = %d; it is Forward, Backward or Bidirectional", ErrSetting, set.Direction)
	case set.Criterion < ByRSS || set.Criterion > ByCV:
		return fmt.Errorf("%w: StepwiseSettings.Criterion = %d", ErrSetting, set.Criterion)
	case !(set.PEnter > 0 && set.PEnter <= set.PRemove && set.PRemove < 1):
		return fmt.Errorf("%w: PEnter = %v and PRemove = %v; 0 < PEnter <= PRemove < 1 is needed, or a term could be added and removed for ever",
			ErrSetting, set.PEnter, set.PRemove)
	case set.MaxSteps < 0 || !(set.TrainError >= 0):
		return fmt.Errorf("%w: MaxSteps = %d, TrainError = %v; neither is negative", ErrSetting, set.MaxSteps, set.TrainError)
	case set.Criterion == ByCV && (set.Folds == nil || set.Folds.Len() < 2):
		return fmt.Errorf("%w: ByCV needs StepwiseSettings.Folds, two or more", ErrSetting)
	case set.FullPath && (set.Direction == Bidirectional || set.Criterion == ByPValue):
		return fmt.Errorf("%w: FullPath needs Direction Forward or Backward, and a Criterion that ranks models, which ByPValue does not", ErrSetting)
	}
	return nil
}

// ungroup returns names with those of groups replaced by their terms.
func (set *StepwiseSettings) ungroup(names []string) []string {
	if names == nil {
		return nil
	}
	terms := []string{}
	for _, name := range names {
		k := slices.IndexFunc(set.Groups, func(g TermGroup) bool { return g.Name == name })
		if k < 0 {
			terms = append(terms, name)
		} else {
			terms = append(terms, set.Groups[k].Terms...)
		}
	}
	return terms
}

// stepUnit is what comes and goes as one: candidates, counted from 0.
type stepUnit struct {
	name       string
	candidates []int
	margins    []string
}

// group makes the units of the candidates, in the order of their first terms.
func (w *stepper) group() error {
	groupOf := make(map[string]int)
	for k, g := range w.set.Groups {
		for _, term := range g.Terms {
			if first, twice := groupOf[term]; twice {
				return fmt.Errorf("%w: term %q is in the groups %q and %q", ErrSetting, term, w.set.Groups[first].Name, g.Name)
			}
			if !slices.Contains(w.m.s.Names, term) {
				return fmt.Errorf("%w: group %q: no term %q among %s", ErrShape, g.Name, term, format.Quoted(w.m.s.Names))
			}
			groupOf[term] = k
		}
	}
	unitOf := make(map[int]int)
	for c, name := range w.terms(w.candidates) {
		k, grouped := groupOf[name]
		if u, begun := unitOf[k]; grouped && begun {
			w.units[u].candidates = append(w.units[u].candidates, c)
			continue
		}
		if grouped {
			unitOf[k] = len(w.units)
			g := w.set.Groups[k]
			w.units = append(w.units, stepUnit{g.Name, []int{c}, g.Margins})
		} else {
			w.units = append(w.units, stepUnit{name: name, candidates: []int{c}})
		}
	}
	return nil
}

// stepper is a stepwise selection under way.
type stepper struct {
	*subsetData
	units   []stepUnit
	set     StepwiseSettings
	sweeper *enumerate.Sweeper
	folds   *foldErrors
	out     Stepwise
}

// start takes the terms of the first model in.
func (w *stepper) start() error {
	w.out.s = stepwiseState{
		Response: w.m.s.Response, N: w.m.s.N, Candidates: w.terms(w.candidates), Always: w.terms(w.always), Aliased: w.aliased,
		Direction: w.set.Direction, Criterion: w.set.Criterion,
	}
	first := w.set.ungroup(w.set.Start)
	all := first == nil && w.set.Direction == Backward
	if all {
		first = w.out.s.Candidates
	}
	for _, name := range first {
		c := slices.Index(w.out.s.Candidates, name)
		switch {
		case c < 0:
			return fmt.Errorf("%w: StepwiseSettings.Start: no candidate %q among %s", ErrShape, name, format.Quoted(w.out.s.Candidates))
		case w.sweeper.In(c + 1):
			return fmt.Errorf("%w: StepwiseSettings.Start names term %q twice", ErrSetting, name)
		case math.IsNaN(subsets.Change(w.sweeper, c+1, subsetPivot)):
			if all && w.m.s.N > w.nuisance+w.sweeper.Size() {
				continue
			}
			if !all {
				return fmt.Errorf("%w: StepwiseSettings.Start: term %q is a combination of those before it", ErrRankDeficient, name)
			}
		default:
			w.sweeper.Flip(c + 1)
		}
		if rank := w.nuisance + w.sweeper.Size(); rank >= w.m.s.N {
			return fmt.Errorf("%w: the %v selection starts from %d coefficients, and %d observations leave no residual degree of freedom; "+
				"select forward, or start from fewer terms", ErrSaturated, w.set.Direction, w.nuisance+len(first), w.m.s.N)
		}
	}
	if w.set.Criterion == ByCp {
		if err := w.checkCp("StepwiseSettings"); err != nil {
			return err
		}
	}
	return w.record(StepChange{RSS: math.NaN(), Value: math.NaN(), F: math.NaN(), P: math.NaN()})
}

// in returns the candidates in the model, counted from 0, with those given
// flipped.
func (w *stepper) in(flipped ...int) []int {
	var in []int
	for j := range w.candidates {
		if w.sweeper.In(j+1) != slices.Contains(flipped, j) {
			in = append(in, j)
		}
	}
	return in
}

// record adds the present model to the path.
func (w *stepper) record(change StepChange) error {
	model, err := w.model(w.in())
	if err != nil {
		return err
	}
	step := Step{Change: change, Model: model, Value: model.value(w.set.Criterion), StdErr: math.NaN()}
	switch w.set.Criterion {
	case ByPValue:
		step.Value = change.P
	case ByCV:
		if step.Value, step.StdErr, err = w.cvError(model.Terms); err != nil {
			return err
		}
	}
	steps := append(w.out.s.Steps, step)
	w.out.s.Steps = steps
	if last := len(steps) - 1; !w.set.FullPath || compareValues(step.Value, steps[w.out.s.Final].Value) < 0 {
		w.out.s.Final = last
	}
	return nil
}

// cvError returns the cross-validated error of a model, 0 if it is nothing but
// rounding, and its standard error.
func (w *stepper) cvError(terms []string) (mean, stderr float64, err error) {
	mean, stderr, err = w.folds.of(terms)
	if mean <= perfectFit*w.yraw*w.yraw/w.m.s.W {
		mean = 0
	}
	return mean, stderr, err
}

// walk goes step after step.
func (w *stepper) walk() error {
	for {
		at := &w.out.s.Steps[len(w.out.s.Steps)-1]
		switch {
		case w.set.TrainError > 0 && at.Model.TrainError <= w.set.TrainError:
			w.out.s.Stopped = fmt.Sprintf("the training error %.4g is not above %.4g", at.Model.TrainError, w.set.TrainError)
			return nil
		case w.set.MaxSteps > 0 && len(w.out.s.Steps) > w.set.MaxSteps:
			w.out.s.Stopped = fmt.Sprintf("%d steps were taken", w.set.MaxSteps)
			return nil
		}
		if err := at.Model.checkPerfect(w.set.Criterion); err != nil {
			return err
		}
		changes, flips, err := w.changes(at)
		if err != nil {
			return err
		}
		at.Considered = changes
		w.out.s.Visited += float64(len(changes))
		next := w.choose(at)
		if next < 0 {
			return nil
		}
		for _, c := range flips[next] {
			w.sweeper.Flip(c + 1)
		}
		if err := w.record(changes[next]); err != nil {
			return err
		}
	}
}

// flip returns by how much the RSS changes, in units of w.ylen^2, if the
// candidates of a unit go, or come as far as they are independent, and which those
// are. It leaves the model as it was.
func (w *stepper) flip(candidates []int, drop bool) (by float64, flipped []int) {
	for _, c := range candidates {
		if w.sweeper.In(c+1) != drop {
			continue
		}
		change := subsets.Change(w.sweeper, c+1, subsetPivot)
		if math.IsNaN(change) {
			continue
		}
		by, flipped = by+change, append(flipped, c)
		if len(candidates) > 1 {
			w.sweeper.Flip(c + 1)
		}
	}
	if len(candidates) > 1 {
		for _, c := range slices.Backward(flipped) {
			w.sweeper.Flip(c + 1)
		}
	}
	return by, flipped
}

// holds reports whether any of a unit is in the model.
func (w *stepper) holds(u stepUnit) bool {
	return slices.ContainsFunc(u.candidates, func(c int) bool { return w.sweeper.In(c + 1) })
}

// marginal reports whether a unit may go, because no interaction with it is in the
// model, or come, because all that it is an interaction of is.
func (w *stepper) marginal(u stepUnit, drop bool) bool {
	return !slices.ContainsFunc(w.units, func(v stepUnit) bool {
		if drop {
			return slices.Contains(v.margins, u.name) && w.holds(v)
		}
		return slices.Contains(u.margins, v.name) && !w.holds(v)
	})
}

// changes returns the changes that may be made to the present model, and the
// candidates that they flip.
func (w *stepper) changes(at *Step) (changes []StepChange, flips [][]int, err error) {
	unit := w.ylen * w.ylen
	n, rank := float64(w.m.s.N), w.nuisance+w.sweeper.Size()
	for _, u := range w.units {
		drop := w.holds(u)
		if drop && w.set.Direction == Forward || !drop && w.set.Direction == Backward || !w.marginal(u, drop) {
			continue
		}
		by, flipped := w.flip(u.candidates, drop)
		if len(flipped) == 0 || !drop && rank+len(flipped) >= w.m.s.N {
			continue
		}
		change := StepChange{Term: u.name, Drop: drop, DF: len(flipped), RSS: math.Max(at.Model.RSS+by*unit, 0)}
		df := float64(change.DF)
		to := rank + change.DF
		change.F = -by * unit / df / (change.RSS / (n - float64(to)))
		if drop {
			to = rank - change.DF
			change.F = by * unit / df / (at.Model.RSS / (n - float64(rank)))
		}
		change.P = dist.FUpper(change.F, df, n-float64(max(rank, to)))
		change.Value = w.describe(nil, change.RSS, to).value(w.set.Criterion)
		switch w.set.Criterion {
		case ByPValue:
			change.Value = change.P
		case ByCV:
			if change.Value, _, err = w.cvError(w.names(w.in(flipped...))); err != nil {
				return nil, nil, err
			}
		}
		changes, flips = append(changes, change), append(flips, flipped)
	}
	return changes, flips, nil
}

// choose returns which of the changes to make, or -1 and why none.
func (w *stepper) choose(at *Step) int {
	if len(at.Considered) == 0 {
		w.out.s.Stopped = "no term is left to change"
		return -1
	}
	if w.set.Criterion == ByPValue {
		return w.choosePValue(at)
	}
	best := 0
	for i, c := range at.Considered {
		if compareValues(c.Value, at.Considered[best].Value) < 0 {
			best = i
		}
	}
	ends := w.set.FullPath || w.set.Criterion == ByRSS && w.set.Direction != Bidirectional
	if ends || compareValues(at.Considered[best].Value, at.Value) < 0 {
		return best
	}
	w.out.s.Stopped = fmt.Sprintf("no change lowers the %v", w.set.Criterion)
	return -1
}

// choosePValue is choose by p-values; equal ones are told apart by F.
func (w *stepper) choosePValue(at *Step) int {
	enter, remove := -1, -1
	for i, c := range at.Considered {
		switch {
		case c.Drop && c.P > w.set.PRemove && (remove < 0 || c.F < at.Considered[remove].F):
			remove = i
		case !c.Drop && c.P < w.set.PEnter && (enter < 0 || c.F > at.Considered[enter].F):
			enter = i
		}
	}
	if remove >= 0 {
		return remove
	}
	if enter < 0 {
		w.out.s.Stopped = fmt.Sprintf("no term has a p-value below %v to come in, or above %v to go", w.set.PEnter, w.set.PRemove)
	}
	return enter
}

// Terms returns the candidate terms.
func (f *Stepwise) Terms() []string { return slices.Clone(f.s.Candidates) }

// Always returns the terms that are in every model.
func (f *Stepwise) Always() []string { return slices.Clone(f.s.Always) }

// Response returns the name of the response.
func (f *Stepwise) Response() string { return f.s.Response }

// NObs returns the number of observations; rows of weight zero do not count.
func (f *Stepwise) NObs() int { return f.s.N }

// Aliased returns the candidates that are combinations of those before them.
func (f *Stepwise) Aliased() []string { return slices.Clone(f.s.Aliased) }

// Direction returns which way the selection went.
func (f *Stepwise) Direction() Direction { return f.s.Direction }

// Criterion returns what ranked the models.
func (f *Stepwise) Criterion() Criterion { return f.s.Criterion }

// Steps returns the path, the first model included.
func (f *Stepwise) Steps() report.Rows[Step] {
	steps := slices.Clone(f.s.Steps)
	for i, step := range steps {
		steps[i] = step.clone()
	}
	return steps
}

func (s Step) clone() Step {
	s.Model, s.Considered = s.Model.clone(), slices.Clone(s.Considered)
	return s
}

// Models returns the models of the path, the first one included.
func (f *Stepwise) Models() report.Rows[SubsetModel] {
	models := make([]SubsetModel, len(f.s.Steps))
	for i, step := range f.s.Steps {
		models[i] = step.Model.clone()
	}
	return models
}

// Final returns the model selected: the last one of the path or, of a full path, the
// best one.
func (f *Stepwise) Final() SubsetModel { return f.s.Steps[f.s.Final].Model.clone() }

// Visited returns the number of models that were compared with the first or a later
// one, including those of the step that was not taken. Forward selection of all d
// terms compares CountStepwise(d, d).
func (f *Stepwise) Visited() float64 { return f.s.Visited }

// Stopped says why the selection went no further.
func (f *Stepwise) Stopped() string { return f.s.Stopped }

// Tabulate returns the steps as a table.
func (Step) Tabulate(steps []Step) *report.Table { return stepsTable(steps, 0) }

// stepsTable returns the steps as a table, with their criterion.
func stepsTable(s []Step, c Criterion) *report.Table {
	columns := []report.Column{tables.Text("step", s, func(s Step) string {
		switch {
		case s.Change.Term == "":
			return "start"
		case s.Change.Drop:
			return "− " + s.Change.Term
		}
		return "+ " + s.Change.Term
	})}
	if c != ByRSS { // which has a column anyway
		name := "criterion" // of ByAdjR2 its negative
		if c != 0 && c != ByAdjR2 {
			name = c.String()
		}
		columns = append(columns, tables.Number(name, s, format.Digits+1, func(s Step) float64 { return s.Value }))
	}
	return tables.Rows("Steps of a selection", append(columns,
		tables.Number("RSS", s, format.Digits+1, func(s Step) float64 { return s.Model.RSS }),
		tables.Text("terms", s, func(s Step) string { return format.Set(s.Model.Terms) }))...)
}

// String writes the step as text.
func (s Step) String() string { return report.Rows[Step]{s}.String() }

// Describe returns the steps of the selection as a table, with why it stopped and what
// it selected.
func (f *Stepwise) Describe() *report.Table {
	t := stepsTable(f.s.Steps, f.Criterion())
	t.Title = fmt.Sprintf("Selection, %s, by %s", f.Direction(), f.Criterion())
	t.Notes = []string{fmt.Sprintf("%s; %s models were looked at", f.Stopped(), format.Grouped(f.Visited())), "selected " + format.Set(f.Final().Terms)}
	return t
}

// String writes the steps of the selection as text.
func (f *Stepwise) String() string { return f.Describe().String() }
