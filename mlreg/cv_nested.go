package mlreg

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sync"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/algebra"
	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/door"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
)

// Chosen is a cross-validation that has chosen a candidate, such as a lambda:
// *LassoCV, *ElasticNetCV, *RidgeCV, *LogisticCV, *GLMCV, *MultinomialCV, *GreedyCV, *SizeCV.
type Chosen interface {
	// Chosen returns the candidate of least mean loss, or by the rule of one standard
	// error: its fit to all rows that it was chosen on, its name, and its mean loss.
	Chosen(oneSE bool) (fit any, name string, mean float64, err error)
}

// candidate returns the number of the candidate that a rule takes.
func (c *CV) candidate(oneSE bool) int {
	if oneSE {
		return c.OneSE()
	}
	return c.Min()
}

// Chosen returns the fit of all rows at LambdaMin or LambdaOneSE.
func (c *PathCV[P, F]) Chosen(oneSE bool) (fit any, name string, mean float64, err error) {
	k := c.candidate(oneSE)
	return c.Path.Fit(k), "λ = " + format.Number(c.Lambda()[k], format.Digits), c.Mean()[k], nil
}

// NestedSettings are the options of CrossValidateNested.
type NestedSettings struct {
	// InnerFolds is the number of folds that the training rows of every outer fold are
	// divided into, to choose; the default 0 is 10.
	InnerFolds int
	// OneSE takes the simplest candidate within a standard error of the least mean loss,
	// in place of the one with the least.
	OneSE bool
	// Progress, if not nil, is told after every outer fold how many are done. An error
	// from it stops the work and is returned, with the result over the folds done by then.
	Progress func(done, total float64) error
}

// NestedCV is the error of a procedure that chooses by cross-validation.
type NestedCV struct {
	// Outer is the error of the fits chosen, over the rows held out of the choice. Its
	// standard error takes the rows for independent, which the fits that they share make
	// them not quite.
	Outer *Assessment
	// Planned is the number of outer folds; the slices below have one value for each of
	// those that are done, Fold their numbers.
	Planned int
	Fold    []int
	Chosen  []string  // what was chosen without the fold
	Inner   []float64 // mean loss of the choice in the inner cross-validation
	Mean    []float64 // mean loss over the rows of the fold
}

// CrossValidateNested estimates the error of a whole procedure: a choice by
// cross-validation, and the fit that it chooses. The least mean loss of a
// cross-validation is the least of many and too low for an error to report; here the
// rows of an outer fold take no part in the choice that they judge:
//
//	nested, err := mlreg.CrossValidateNested(d, outer, rand.NewPCG(1, 2),
//		func(train *mlreg.Design, inner *mlreg.Folds) (mlreg.Chosen, error) {
//			return mlreg.FitLassoCV(train, inner, nil, nil)
//		}, mlreg.SquaredLoss, nil)
//
// For every outer fold, choose is given the other rows and folds of them, which src
// makes, stratified if the response is one of classes. If d is standardized, they are
// standardized anew, with the defaults: the rows held out take no part in that. Outer folds are taken at the same
// time, so that choose must not change what it shares. Loss is that of the outer folds;
// the inner cross-validation has its own.
//
// Nil settings are the defaults. Errors: those of KFold for the inner folds and of
// TestError, and those of choose, with the number of the outer fold; ErrNoData if choose
// is nil.
//
// Varma and Simon, BMC Bioinformatics 7 (2006), 91; Hastie, Tibshirani and Friedman, The
// Elements of Statistical Learning, 2nd ed., section 7.10.2.
func CrossValidateNested(d *Design, outer *Folds, src rand.Source, choose func(train *Design, inner *Folds) (Chosen, error), loss Loss, settings *NestedSettings) (*NestedCV, error) {
	set := args.OrDefaults(settings)
	if set.InnerFolds == 0 {
		set.InnerFolds = 10
	}
	if err := d.checkTraining(); err != nil {
		return nil, err
	}
	if err := outer.checkRows(d); err != nil {
		return nil, err
	}
	if choose == nil {
		return nil, fmt.Errorf("%w: the function that chooses is nil", ErrNoData)
	}
	if err := args.Given("the loss", loss); err != nil {
		return nil, err
	}
	raw, train, inner, err := d.nested(outer, set.InnerFolds, src)
	if err != nil {
		return nil, err
	}
	var lock sync.Mutex
	failed := make([]error, outer.Len()) // choices that come with an error, not converged
	found, halted, err := door.Each("fold", outer.Len(), door.Progress("NestedSettings.Progress", set.Progress), func(k int) (*nestedChoice, error) {
		chosen, err := choose(train[k], inner[k])
		if nothing := args.Given("what was chosen", chosen); nothing != nil {
			if err == nil {
				err = nothing
			}
			return nil, err
		}
		lock.Lock()
		failed[k] = err
		lock.Unlock()
		fit, name, mean, err := chosen.Chosen(set.OneSE)
		if err != nil {
			return nil, err
		}
		losses, err := RowLosses(fit, raw.Rows(outer.Test(k)...), loss)
		return &nestedChoice{name, mean, losses}, err
	})
	if err != nil {
		return nil, err
	}
	out := d.assessChoices(outer, found, loss)
	if out == nil {
		return nil, halted
	}
	for k, err := range failed {
		if err != nil && halted == nil {
			halted = fmt.Errorf("outer fold %d: %w", k, err)
		}
	}
	return out, halted
}

// nestedChoice is what an inner cross-validation chose: its name, its mean loss there, and its
// losses on the outer fold.
type nestedChoice struct {
	name   string
	inner  float64
	losses []float64
}

// assessChoices puts the outer folds together, nil if none has a choice.
func (d *Design) assessChoices(outer *Folds, found []*nestedChoice, loss Loss) *NestedCV {
	out := &NestedCV{Planned: outer.Len()}
	var rows []int
	var losses []float64
	for k, c := range found {
		if c == nil {
			continue
		}
		test := outer.Test(k)
		mean, _, _ := d.Rows(test...).meanLoss(c.losses)
		out.Fold, out.Chosen = append(out.Fold, k), append(out.Chosen, c.name)
		out.Inner, out.Mean = append(out.Inner, c.inner), append(out.Mean, mean)
		rows, losses = append(rows, test...), append(losses, c.losses...)
	}
	if len(rows) == 0 {
		return nil
	}
	out.Outer = assessmentOf(loss, d.Rows(rows...), losses)
	return out
}

// nested returns the rows as they were before any scaling, and of every outer fold the
// training rows and their folds. A scaling of all rows has seen those that are held out;
// the training rows have their own.
func (d *Design) nested(outer *Folds, folds int, src rand.Source) (raw *Design, train []*Design, inner []*Folds, err error) {
	if raw, err = d.Rescale(nil); err != nil {
		return nil, nil, nil, err
	}
	scaled := CVSettings{}
	if d.Scaling != nil {
		scaled.Standardize = &StandardizeSettings{}
	}
	train, inner = make([]*Design, outer.Len()), make([]*Folds, outer.Len())
	for k := range train {
		if train[k], err = scaled.standardized(raw.Rows(outer.Train(k)...)); err != nil {
			return nil, nil, nil, fmt.Errorf("outer fold %d: %w", k, err)
		}
		if d.Classes != nil {
			inner[k], err = StratifiedKFold(train[k].Y, folds, src)
		} else {
			inner[k], err = KFold(train[k].NObs(), folds, src)
		}
		if err != nil {
			return nil, nil, nil, fmt.Errorf("inner folds of outer fold %d: %w", k, err)
		}
	}
	return raw, train, inner, nil
}

// Describe returns the choices and their errors as a table.
func (c *NestedCV) Describe() *report.Table {
	t := tables.Rows("Nested cross-validation",
		report.IntColumn("fold", c.Fold...), report.TextColumn("chosen", c.Chosen...), report.NumberColumn("inner loss", c.Inner, 0), report.NumberColumn("outer loss", c.Mean, 0))
	t.Notes = []string{fmt.Sprintf("%s %s, standard error %s; %s", c.Outer.Loss, format.Number(c.Outer.Mean, format.Digits), format.Number(c.Outer.StdErr, 3), format.HeldOut(len(c.Fold), c.Planned))}
	return t
}

// String writes the choices and their errors as text.
func (c *NestedCV) String() string { return c.Describe().String() }

// RepeatedCV is a cross-validation repeated on several divisions into folds.
type RepeatedCV struct {
	// Repeats has a row of mean losses, one for each candidate, for every division.
	Repeats [][]float64
	// Within has the standard errors that go with them.
	Within  [][]float64
	Measure string
}

// RepeatCV repeats a cross-validation on as many divisions into folds, which cv makes
// from the source that it is given:
//
//	cv, err := mlreg.RepeatCV(20, rand.NewPCG(1, 2), func(src rand.Source) (*mlreg.CV, error) {
//		folds, err := mlreg.KFold(d.NObs(), 10, src)
//		if err != nil {
//			return nil, err
//		}
//		lasso, err := mlreg.FitLassoCV(d, folds, nil, nil)
//		if err != nil {
//			return nil, err
//		}
//		return lasso.CV, nil
//	})
//
// Errors: ErrSetting for times < 2 or a nil source, ErrNoData if cv is nil or returns
// nil, ErrShape if candidates become more or fewer, and those of cv, with the number of
// the repeat.
func RepeatCV(times int, src rand.Source, cv func(src rand.Source) (*CV, error)) (*RepeatedCV, error) {
	if times < 2 {
		return nil, fmt.Errorf("%w: %d repeats; take two or more", ErrSetting, times)
	}
	if err := args.Source(src); err != nil {
		return nil, err
	}
	if err := args.Size(fmt.Sprintf("%d repeats", times), float64(times), "take fewer"); err != nil {
		return nil, err
	}
	if cv == nil {
		return nil, fmt.Errorf("%w: the function that cross-validates is nil", ErrNoData)
	}
	r := &RepeatedCV{}
	for k := range times {
		c, err := cv(src)
		if err != nil {
			return nil, fmt.Errorf("repeat %d: %w", k, err)
		}
		if err := args.Given("the cross-validation", c); err != nil {
			return nil, fmt.Errorf("repeat %d: %w", k, err)
		}
		if k > 0 && c.Len() != len(r.Repeats[0]) {
			return nil, fmt.Errorf("%w: %d candidates in the first repeat and %d in repeat %d", ErrShape, len(r.Repeats[0]), c.Len(), k)
		}
		r.Repeats, r.Within, r.Measure = append(r.Repeats, c.Mean()), append(r.Within, c.StdErr()), c.Measure()
	}
	return r, nil
}

// Mean returns the mean loss of every candidate, averaged over the repeats.
func (r *RepeatedCV) Mean() []float64 { return algebra.Averages(r.Repeats) }

// StdErr returns the standard error of a single cross-validation, averaged over the
// repeats: repeats are on the same rows and do not lower it.
func (r *RepeatedCV) StdErr() []float64 { return algebra.Averages(r.Within) }

// SplitErr returns what the divisions that were drawn leave uncertain in Mean: the
// standard deviation over the repeats divided by the root of their number.
func (r *RepeatedCV) SplitErr() []float64 {
	mean := r.Mean()
	out := make([]float64, len(mean))
	n := float64(len(r.Repeats))
	for _, row := range r.Repeats {
		for j, v := range row {
			out[j] += gram.Square(v - mean[j])
		}
	}
	for j, v := range out {
		out[j] = math.Sqrt(v / (n - 1) / n)
	}
	return out
}

// Min returns the candidate of least mean loss, the simplest if there are several.
func (r *RepeatedCV) Min() int { return leastOf(r.Mean()) }

// OneSE returns the simplest candidate whose mean loss is at most one standard error
// above the least, see CV.OneSE.
func (r *RepeatedCV) OneSE() int { return withinOneSE(r.Mean(), r.StdErr()) }

// Describe returns the candidate of least loss, and the one that the rule of one standard
// error takes, as a table.
func (r *RepeatedCV) Describe() *report.Table {
	chosen := []int{r.Min(), r.OneSE()}
	pick := func(v []float64) []float64 { return format.Each(chosen, func(k int) float64 { return v[k] }) }
	t := &report.Table{Title: "Repeated cross-validation", Columns: []report.Column{
		report.TextColumn("", "least loss", "one standard error"), report.IntColumn("candidate", chosen[0]+1, chosen[1]+1),
		report.NumberColumn("loss", pick(r.Mean()), 0), report.NumberColumn(format.StdErr, pick(r.StdErr()), 3), report.NumberColumn("of the divisions", pick(r.SplitErr()), 3)}}
	t.Notes = []string{fmt.Sprintf("%d divisions into folds, %d candidates", len(r.Repeats), len(r.Repeats[0]))}
	return t
}

// String writes the two candidates as text.
func (r *RepeatedCV) String() string { return r.Describe().String() }
