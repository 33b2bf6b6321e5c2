package mlreg

import (
	"bytes"
	"encoding/gob"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// R's step and MASS's stepAIC take the same steps.
func TestStepwiseAgainstR(t *testing.T) {
	directions := map[string]Direction{"forward": Forward, "backward": Backward, "both": Bidirectional}
	for name, set := range subsetSets(t) {
		n := float64(set.d.NObs())
		for _, walk := range set.ref.Walks {
			what := fmt.Sprintf("%s, %s from %s, k = %.3g", name, walk.Direction, walk.From, walk.K)
			s := StepwiseSettings{Direction: directions[walk.Direction], Criterion: ByAIC}
			if walk.K != 2 {
				s.Criterion = ByBIC
			}
			if walk.From == "full" {
				s.Start = set.d.Names
			}
			f, err := FitStepwise(set.d, &s)
			if err != nil {
				t.Fatal(what, err)
			}
			steps := f.Steps()
			if len(steps) != len(walk.Steps) {
				t.Fatalf("%s: %d steps, R has %d", what, len(steps), len(walk.Steps))
			}
			for i, step := range steps {
				if i > 0 {
					sign := "+"
					if step.Change.Drop {
						sign = "-"
					}
					if got := sign + " " + step.Change.Term; got != walk.Steps[i] {
						t.Errorf("%s: step %d is %s, R has %s", what, i, got, walk.Steps[i])
					}
					near(t, what+": RSS of the change", step.Change.RSS, walk.RSS[i], 1e-7)
					near(t, what+": value of the change", step.Change.Value, step.Value, 1e-9)
				}
				near(t, what+": RSS", step.Model.RSS, walk.RSS[i], 1e-9)
				// extractAIC leaves constants out: n (1 + log 2 pi) and the
				// variance's own penalty.
				constant := n*(1+math.Log(2*math.Pi)) + walk.K
				near(t, what+": AIC", step.Value-constant, walk.AIC[i], 1e-7)
			}
			final := f.Final().Terms
			slices.Sort(final)
			if !slices.Equal(final, walk.Final) {
				t.Errorf("%s: final %v, R has %v", what, final, walk.Final)
			}
		}
	}
}

// The statistics of every change are those of refitting.
func TestStepwiseChanges(t *testing.T) {
	d := randomDesign(t, 9, 40, 6)
	for i := range 40 {
		d.Weights = append(d.Weights, 0.5+float64(i%4))
	}
	f := get(FitStepwise(d, &StepwiseSettings{Direction: Bidirectional, Start: []string{"x2", "x4"}, Always: []string{"x6"}}))(t)
	for _, step := range f.Steps() {
		now := get(step.Model.Refit(d))(t)
		near(t, "AIC", step.Value, AIC(now), 1e-10)
		if len(step.Considered) != 5 {
			t.Errorf("%d changes considered", len(step.Considered))
		}
		for _, c := range step.Considered {
			terms := slices.Clone(step.Model.Terms)
			if c.Drop {
				terms = slices.DeleteFunc(terms, func(name string) bool { return name == c.Term })
			} else {
				terms = append(terms, c.Term)
			}
			next := get(SubsetModel{Terms: terms}.Refit(d))(t)
			small, large := now, next
			if c.Drop {
				small, large = next, now
			}
			rows := get(CompareNested(small, large))(t)
			near(t, "RSS", c.RSS, next.RSS(), 1e-9)
			near(t, "AIC after", c.Value, AIC(next), 1e-9)
			near(t, "F", c.F, rows[1].F, 1e-8)
			near(t, "P", c.P, rows[1].P, 1e-7)
		}
	}
}

// Forward and backward to the end look at d + (d-1) + ... models, and each step
// is the best one.
func TestStepwiseFullPath(t *testing.T) {
	d := randomDesign(t, 4, 50, 9)
	for _, direction := range []Direction{Forward, Backward} {
		f := get(FitStepwise(d, &StepwiseSettings{Direction: direction, Criterion: ByBIC, FullPath: true}))(t)
		models := f.Models()
		if len(models) != 10 || f.Visited() != CountStepwise(9, 9) || f.Stopped() != "no term is left to change" {
			t.Errorf("%v: %d models, %v visited, %s", direction, len(models), f.Visited(), f.Stopped())
		}
		for i, m := range models {
			if m.BIC < f.Final().BIC {
				t.Errorf("%v: the final model is not the best of the path", direction)
			}
			if want := i; direction == Forward && m.Size() != want || direction == Backward && m.Size() != 9-want {
				t.Errorf("%v: step %d has %d terms", direction, i, m.Size())
			}
			for _, c := range f.Steps()[i].Considered {
				if i+1 < len(models) && c.RSS < models[i+1].RSS*(1-1e-9) {
					t.Errorf("%v: step %d could have had RSS %g for %g", direction, i, c.RSS, models[i+1].RSS)
				}
			}
		}
	}
	rss, err := FitStepwise(d, &StepwiseSettings{Criterion: ByRSS})
	if err != nil || rss.Final().Size() != 9 {
		t.Errorf("by RSS: %v", err)
	}
	back, err := FitStepwise(d, &StepwiseSettings{Criterion: ByRSS, Direction: Backward, MaxSteps: 4})
	if err != nil || back.Final().Size() != 5 || back.Stopped() != "4 steps were taken" {
		t.Errorf("backward by RSS: %v", err)
	}
	target := rss.Models()[3].TrainError
	stop, err := FitStepwise(d, &StepwiseSettings{Criterion: ByRSS, TrainError: target * 1.0001})
	if err != nil || stop.Final().Size() != 3 || !strings.HasPrefix(stop.Stopped(), "the training error") {
		t.Errorf("training error: %v, %s", err, stop.Stopped())
	}
}

// By p-values every term that stays is below PRemove and every term outside not
// below PEnter.
func TestStepwiseByPValue(t *testing.T) {
	for name, set := range subsetSets(t) {
		for _, direction := range []Direction{Forward, Backward, Bidirectional} {
			f := get(FitStepwise(set.d, &StepwiseSettings{Direction: direction, Criterion: ByPValue, PEnter: 0.05, PRemove: 0.1}))(t)
			steps := f.Steps()
			last := steps[len(steps)-1]
			for _, c := range last.Considered {
				if c.Drop && c.P > 0.1 || !c.Drop && c.P < 0.05 {
					t.Errorf("%s %v: stopped with %+v", name, direction, c)
				}
			}
			if len(last.Model.Terms) == 0 || direction != Bidirectional {
				continue
			}
			ols := get(last.Model.Refit(set.d))(t)
			rows := get(ols.Table(0.95))(t)
			for _, row := range rows[1:] {
				if row.P > 0.1 {
					t.Errorf("%s: %s has p-value %g", name, row.Term, row.P)
				}
			}
		}
	}
}

// Of the terms that may go the one of the least F goes, before any comes in, and of those that may come in the one of
// the largest F comes; F tells apart p-values that are both 0.
func TestChoosePValue(t *testing.T) {
	w := &stepper{set: StepwiseSettings{PEnter: 0.05, PRemove: 0.1}}
	in := []StepChange{{F: 900, P: 0}, {F: 980, P: 0}, {F: 950, P: 0}, {F: 990, P: 0.05}}
	out := []StepChange{{Drop: true, F: 3, P: 0.2}, {Drop: true, F: 1, P: 0.4}, {Drop: true, F: 2, P: 0.3}, {Drop: true, F: 0.5, P: 0.1}}
	for name, c := range map[string]struct {
		considered []StepChange
		want       int
	}{"in": {in, 1}, "out": {out, 1}, "both": {slices.Concat(in, out), 5}, "neither": {[]StepChange{in[3], out[3]}, -1}} {
		if got := w.choosePValue(&Step{Considered: c.considered}); got != c.want {
			t.Errorf("%s: change %d, want %d", name, got, c.want)
		}
	}
	if !strings.HasPrefix(w.out.Stopped(), "no term has a p-value below 0.05 ") {
		t.Error(w.out.Stopped())
	}
}

// folds returns k folds of the rows, row i in fold i mod k.
func folds(t *testing.T, d *Design, k int) (folds *Folds, in, out []*Design) {
	t.Helper()
	of := make([]int, d.NObs())
	for i := range of {
		of[i] = i % k
	}
	for f := range k {
		mask := make([]bool, d.NObs())
		for i := range mask {
			mask[i] = i%k == f
		}
		test, train, err := d.Split(mask)
		if err != nil {
			t.Fatal(err)
		}
		in, out = append(in, train), append(out, test)
	}
	return get(NewFolds(of))(t), in, out
}

// The cross-validated error is that of refitting to the rows.
func TestStepwiseByCV(t *testing.T) {
	sequential(t)
	d, _ := prostate(t)
	division, in, out := folds(t, d, 7)
	byRows := func(terms []string) float64 {
		var ss float64
		for f, train := range in {
			if len(terms) == 0 {
				mean := train.meanY(train.sumWeights())
				ss += out[f].weightedSquares(out[f].Y, mean)
				continue
			}
			ols := get(SubsetModel{Terms: terms}.Refit(train))(t)
			r := get(ols.Residuals(out[f]))(t)
			ss += out[f].weightedSquares(r, 0)
		}
		return ss / float64(d.NObs())
	}
	f := get(FitStepwise(d, &StepwiseSettings{Criterion: ByCV, Folds: division}))(t)
	steps := f.Steps()
	if len(steps) < 3 {
		t.Fatalf("%d steps", len(steps))
	}
	for _, step := range steps {
		near(t, "CV error", step.Value, byRows(step.Model.Terms), 1e-10)
		if !(step.StdErr > 0) {
			t.Errorf("standard error %v", step.StdErr)
		}
		for _, c := range step.Considered {
			near(t, "CV error considered", c.Value, byRows(append(slices.Clone(step.Model.Terms), c.Term)), 1e-10)
			if c.Value < f.Steps()[len(steps)-1].Value && step.Model.Size() == len(steps)-1 {
				t.Errorf("stopped though %s lowers the error", c.Term)
			}
		}
	}
}

// The search is made anew without every fold.
func TestCrossValidateSizes(t *testing.T) {
	d, _ := prostate(t)
	division, in, out := folds(t, d, 5)
	search := func(data Data) ([]SubsetModel, error) {
		f, err := FitBestSubsets(data, nil)
		if err != nil {
			return nil, err
		}
		return f.Models(), nil
	}
	cv := get(CrossValidateSizes(d, division, search))(t)
	if !slices.Equal(cv.Sizes(), []int{0, 1, 2, 3, 4, 5, 6, 7, 8}) || cv.Folds() != 5 {
		t.Fatalf("sizes %v, %d folds", cv.Sizes(), cv.Folds())
	}
	for size := range cv.Sizes() {
		if size == 0 {
			continue
		}
		var ss float64
		var errors, weights []float64
		for f := range in {
			best := get(search(in[f]))(t)
			m := best[size]
			if !slices.Equal(m.Terms, cv.Terms(size)[f]) {
				t.Errorf("fold %d: %v and %v", f, m.Terms, cv.Terms(size)[f])
			}
			ols := get(m.Refit(in[f]))(t)
			r := get(ols.Residuals(out[f]))(t)
			e := out[f].weightedSquares(r, 0)
			ss += e
			errors, weights = append(errors, e/float64(len(r))), append(weights, float64(len(r))/67)
		}
		near(t, "error", cv.Mean()[size], ss/67, 1e-9)
		var variance float64
		for f, e := range errors {
			variance += weights[f] * (e - ss/67) * (e - ss/67) / 4
		}
		near(t, "standard error", cv.StdErr()[size], math.Sqrt(variance), 1e-9)
	}
	if cv.SizeMin() != cv.Sizes()[cv.Min()] || cv.SizeOneSE() != cv.Sizes()[cv.OneSE()] {
		t.Errorf("sizes %d and %d", cv.SizeMin(), cv.SizeOneSE())
	}
	var buf bytes.Buffer
	var back SizeCV
	must(t, &buf, gob.NewEncoder(&buf).Encode(cv))
	must(t, &back, gob.NewDecoder(&buf).Decode(&back))
	if !slices.Equal(back.Sizes(), cv.Sizes()) || !slices.Equal(back.StdErr(), cv.StdErr()) {
		t.Error("it changes by encoding")
	}
	one := get(ValidationSet(append(make([]bool, 66), true)))(t)
	if _, err := CrossValidateSizes(d, one, search); !errors.Is(err, ErrSetting) {
		t.Errorf("one fold: %v", err)
	}
	failing := func(Data) ([]SubsetModel, error) { return nil, ErrConstant }
	if _, err := CrossValidateSizes(d, division, failing); !errors.Is(err, ErrConstant) || !strings.Contains(err.Error(), "fold 0") {
		t.Errorf("failing search: %v", err)
	}
	odd := func(data Data) ([]SubsetModel, error) {
		models, err := search(data)
		return models[data.(*Moments).NObs()%2:][:1], err // 53 or 54 rows
	}
	if _, err := CrossValidateSizes(d, division, odd); !errors.Is(err, ErrNoData) {
		t.Errorf("no common size: %v", err)
	}
}

func TestStepwiseAliased(t *testing.T) {
	d := randomDesign(t, 21, 30, 5)
	d.X.SetCol(3, mat.Col(nil, 1, d.X))
	for _, direction := range []Direction{Forward, Backward, Bidirectional} {
		f, err := FitStepwise(d, &StepwiseSettings{Direction: direction, Criterion: ByBIC})
		if err != nil {
			t.Fatal(direction, err)
		}
		if got := f.Aliased(); !slices.Equal(got, []string{"x4"}) {
			t.Errorf("%v: aliased %v", direction, got)
		}
		terms := f.Final().Terms
		if slices.Contains(terms, "x2") && slices.Contains(terms, "x4") {
			t.Errorf("%v: %v", direction, terms)
		}
	}
	// Forward stops while a degree of freedom is left.
	wide := randomDesign(t, 2, 8, 12)
	f, err := FitStepwise(wide, &StepwiseSettings{Criterion: ByRSS})
	if err != nil || f.Final().Size() != 6 || f.Final().DoFResidual != 1 {
		t.Errorf("n <= d: %v, %d terms", err, f.Final().Size())
	}
	var buf bytes.Buffer
	if err := gob.NewEncoder(&buf).Encode(f); err != nil {
		t.Fatal(err)
	}
	var back Stepwise
	if err := gob.NewDecoder(&buf).Decode(&back); err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(back.Steps()) != fmt.Sprint(f.Steps()) || back.Stopped() != f.Stopped() {
		t.Error("gob changed the path")
	}
}

func TestStepwiseErrors(t *testing.T) {
	d := randomDesign(t, 1, 30, 5)
	wide := randomDesign(t, 1, 6, 8)
	twins := randomDesign(t, 1, 30, 5)
	twins.X.SetCol(3, mat.Col(nil, 1, twins.X))
	constant := *d
	constant.Y = slices.Repeat([]float64{3}, 30)
	division, _, _ := folds(t, d.Rows(0, 1, 2, 3, 4, 5, 6, 7, 8, 9), 3)
	for _, c := range []struct {
		name string
		data Data
		set  StepwiseSettings
		want error
		text string
	}{
		{"backward, n <= d", wide, StepwiseSettings{Direction: Backward}, ErrSaturated, "starts from 9 coefficients, and 6 observations"},
		{"start too many", wide, StepwiseSettings{Start: wide.Names[:6]}, ErrSaturated, "select forward"},
		{"start unknown", d, StepwiseSettings{Start: []string{"z"}}, ErrShape, `"z"`},
		{"start twice", d, StepwiseSettings{Start: []string{"x1", "x1"}}, ErrSetting, "twice"},
		{"start aliased", twins, StepwiseSettings{Start: []string{"x2", "x4"}}, ErrRankDeficient, `"x4"`},
		{"direction", d, StepwiseSettings{Direction: 3}, ErrSetting, "Direction"},
		{"criterion", d, StepwiseSettings{Criterion: 9}, ErrSetting, "Criterion"},
		{"p-values", d, StepwiseSettings{PEnter: 0.2, PRemove: 0.1}, ErrSetting, "PEnter"},
		{"steps", d, StepwiseSettings{MaxSteps: -1}, ErrSetting, "MaxSteps"},
		{"no folds", d, StepwiseSettings{Criterion: ByCV}, ErrSetting, "Folds"},
		{"other folds", d, StepwiseSettings{Criterion: ByCV, Folds: division}, ErrShape, "10 rows"},
		{"full path", d, StepwiseSettings{Direction: Bidirectional, FullPath: true}, ErrSetting, "FullPath"},
		{"Cp", wide, StepwiseSettings{Criterion: ByCp}, ErrSaturated, "Sigma2"},
		{"constant response", &constant, StepwiseSettings{}, ErrConstant, "3 in every row"},
		{"nil", nil, StepwiseSettings{}, ErrNoData, "nil"},
	} {
		f, err := FitStepwise(c.data, &c.set)
		if f != nil || !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.text) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
