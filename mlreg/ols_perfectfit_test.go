package mlreg

import (
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// made returns 30 rows of 6 terms, of which x2 and x4 make the response, exactly
// or but for the rounding of a factor; x6 is 3 x2 with other rounding.
func made(t *testing.T, factor float64) *Design {
	t.Helper()
	r := randomDesign(t, 11, 30, 6)
	x := mat.DenseCopyOf(r.X)
	y := make([]float64, 30)
	for i := range y {
		for j := range 5 {
			x.Set(i, j, float64(int(100*x.At(i, j)))) // whole numbers
		}
		y[i] = factor * (7 + 2*x.At(i, 1) - 3*x.At(i, 3))
	}
	return mustDesign(t, x, y)
}

// R 4.2: step(lm(y ~ .)) stops with "AIC is -infinity for this model, so 'step'
// cannot proceed", or goes on and warns of "model selection on an essentially
// perfect fit is nonsense".
func TestStepwisePerfectFit(t *testing.T) {
	for _, factor := range []float64{1, 0.1, 1e-9 / 3} {
		d := made(t, factor)
		for _, direction := range []Direction{Forward, Backward, Bidirectional} {
			for _, c := range []Criterion{ByAIC, ByBIC, ByPValue} {
				f, err := FitStepwise(d, &StepwiseSettings{Direction: direction, Criterion: c})
				wantError(t, direction.String()+" "+c.String(), err, ErrPerfectFit, `"x2"`, "ByAdjR2")
				if f != nil {
					t.Errorf("%v %v: a result with the error", direction, c)
				}
			}
			_, err := FitStepwise(d, &StepwiseSettings{Direction: direction, Criterion: ByCp})
			wantError(t, "Cp", err, ErrPerfectFit, "StepwiseSettings.Sigma2")
		}
		// Others choose the two terms, and stop at them.
		folds, _, _ := folds(t, d, 5)
		for name, set := range map[string]StepwiseSettings{
			"adjusted R2": {Criterion: ByAdjR2}, "known variance": {Criterion: ByCp, Sigma2: factor * factor}, "training error": {TrainError: 1e-8 * factor * factor},
			"CV": {Criterion: ByCV, Folds: folds}, "both ways": {Criterion: ByCV, Folds: folds, Direction: Bidirectional},
			"path": {Criterion: ByAdjR2, FullPath: true}, "path by CV": {Criterion: ByCV, Folds: folds, FullPath: true},
		} {
			f, err := FitStepwise(d, &set)
			if got := must(t, f, err).Final().Terms; !slices.Equal(got, []string{"x2", "x4"}) {
				t.Errorf("factor %v, %s: terms %q: %s", factor, name, got, f.Stopped())
			}
		}
		greedy, err := FitGreedy(d, nil)
		if got := must(t, greedy, err).Terms(); len(got) != 2 {
			t.Errorf("factor %v, greedy: %q: %v, %s", factor, got, greedy.Steps(), greedy.s.Stopped)
		}
	}
}

func TestSubsetsPerfectFit(t *testing.T) {
	for _, factor := range []float64{1, 0.1, 1e-9 / 3} {
		d := made(t, factor)
		for _, c := range []Criterion{ByAIC, ByBIC} {
			_, err := FitBestSubsets(d, &SubsetSettings{Criterion: c})
			wantError(t, c.String(), err, ErrPerfectFit, `"x2", "x4"`)
			one, err := FitBestSubsets(d, &SubsetSettings{Criterion: c, MaxSize: 1})
			if got := must(t, one, err).Models()[0]; got.Size() != 1 {
				t.Errorf("one term: %+v", got)
			}
		}
		_, err := FitBestSubsets(d, &SubsetSettings{Criterion: ByCp})
		wantError(t, "Cp", err, ErrPerfectFit, "SubsetSettings.Sigma2")
		best, err := FitBestSubsets(d, &SubsetSettings{Criterion: ByAdjR2})
		if got := must(t, best, err).Models()[0].Terms; !slices.Equal(got, []string{"x2", "x4"}) {
			t.Errorf("factor %v: adjusted R2: %q", factor, got)
		}
		all, err := FitBestSubsets(d, nil)
		if got := must(t, all, err).BestOfSize(2)[0].Terms; !slices.Equal(got, []string{"x2", "x4"}) || all.Sigma2() != 0 {
			t.Errorf("factor %v: two terms: %q, noise variance %v", factor, got, all.Sigma2())
		}
		adjusted, err := all.BestBy(ByAdjR2)
		if must(t, &adjusted, err); !slices.Equal(adjusted.Terms, []string{"x2", "x4"}) {
			t.Errorf("factor %v: by adjusted R2 %q", factor, adjusted.Terms)
		}
		for _, c := range []Criterion{ByAIC, ByBIC} {
			_, err := all.BestBy(c)
			wantError(t, "best by "+c.String(), err, ErrPerfectFit)
		}
		_, err = all.BestBy(ByCp)
		wantError(t, "best by Cp", err, ErrSaturated)
		_, err = EnumerateModels(d, BICScore{}, nil)
		wantError(t, "enumeration", err, ErrPerfectFit)
	}
}

// Terms that fit exactly are equal and stay in their order.
func TestFilterPerfectFit(t *testing.T) {
	r := randomDesign(t, 5, 40, 1)
	x, y := mat.NewDense(40, 4, nil), make([]float64, 40)
	for i := range y {
		v := r.X.At(i, 0)
		y[i] = 0.1 * v
		x.SetRow(i, []float64{r.Y[i], v / 3, v, 0.7 * v})
	}
	rows, err := FilterTerms(mustDesign(t, x, y))
	must(t, &rows, err)
	var order []string
	for _, row := range rows {
		order = append(order, row.Term)
	}
	if got := strings.Join(order, " "); got != "x2 x3 x4 x1" {
		t.Errorf("order %s: %+v", got, rows)
	}
}
