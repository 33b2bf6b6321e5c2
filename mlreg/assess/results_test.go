package assess

import (
	"encoding/gob"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/regbook/regbook/internal/expect"
	"github.com/regbook/regbook/internal/exported"
	"github.com/regbook/regbook/internal/fatal"
	"github.com/regbook/regbook/internal/rows"
	"github.com/regbook/regbook/mlreg"
)

// constant predicts the same number for every row.
type constant float64

func (c constant) Predict(d *mlreg.Design) ([]float64, error) {
	return slices.Repeat([]float64{float64(c)}, d.NObs()), nil
}

func fitOLS(d *mlreg.Design) (any, error) { return mlreg.FitOLS(d, nil) }

func chooseFirst(d *mlreg.Design, _ rand.Source) ([]string, error) { return d.Names[:1], nil }

// What is nil and may not be is said.
func TestNilArguments(t *testing.T) {
	d, src := rows.Random(t, 5, 20, 3), rand.NewPCG(1, 2)
	fit := fatal.On(mlreg.FitOLS(d, nil))(t)
	calls := map[string]func() []error{
		"Bootstrap": func() []error {
			return []error{expect.ErrorOf(Bootstrap(nil, MeanStatistic, src, nil)), expect.ErrorOf(Bootstrap(d, nil, src, nil))}
		},
		"BootstrapError": func() []error {
			return []error{
				expect.ErrorOf(BootstrapError(nil, fitOLS, mlreg.SquaredLoss, src, nil)), expect.ErrorOf(BootstrapError(d, nil, mlreg.SquaredLoss, src, nil)),
				expect.ErrorOf(BootstrapError(d, fitOLS, nil, src, nil)), expect.ErrorOf(BootstrapError(d, func(*mlreg.Design) (any, error) { return nil, nil }, mlreg.SquaredLoss, src, nil)),
			}
		},
		"BootstrapOLS": func() []error { return []error{expect.ErrorOf(BootstrapOLS(nil, src, nil))} },
		"BootstrapTestError": func() []error {
			return []error{
				expect.ErrorOf(BootstrapTestError(nil, d, mlreg.SquaredLoss, src, nil)), expect.ErrorOf(BootstrapTestError(fit, nil, mlreg.SquaredLoss, src, nil)),
				expect.ErrorOf(BootstrapTestError(fit, d, nil, src, nil)),
			}
		},
		"ConformalQuantiles": func() []error {
			return []error{
				expect.ErrorOf(ConformalQuantiles(nil, fit, d, d, 0.9)), expect.ErrorOf(ConformalQuantiles(fit, nil, d, d, 0.9)),
				expect.ErrorOf(ConformalQuantiles(fit, fit, nil, d, 0.9)), expect.ErrorOf(ConformalQuantiles(fit, fit, d, nil, 0.9)),
			}
		},
		"JackknifePlus": func() []error {
			return []error{
				expect.ErrorOf(JackknifePlus(nil, d, d, 0.9)), expect.ErrorOf(JackknifePlus((*mlreg.OLS)(nil), d, d, 0.9)),
				expect.ErrorOf(JackknifePlus(fit, nil, d, 0.9)), expect.ErrorOf(JackknifePlus(fit, d, nil, 0.9)),
			}
		},
		"MaxStatistic":      func() []error { return []error{expect.ErrorOf(MaxStatistic(nil))} },
		"MeanStatistic":     func() []error { return []error{expect.ErrorOf(MeanStatistic(nil))} },
		"QuantileStatistic": func() []error { return []error{expect.ErrorOf(QuantileStatistic(0.5)(nil))} },
		"NewEDF":            func() []error { return []error{expect.ErrorOf(NewEDF(nil))} },
		"NewLadder":         func() []error { _, _, err := fatal.On(NewLadder(0))(t).Submit(nil); return []error{err} },
		"NewThresholdout": func() []error {
			return []error{expect.ErrorOf(NewThresholdout(nil, d, 1, src, nil)), expect.ErrorOf(NewThresholdout(d, nil, 1, src, nil))}
		},
		"SelectionStability": func() []error {
			return []error{expect.ErrorOf(SelectionStability(nil, chooseFirst, src, nil)), expect.ErrorOf(SelectionStability(d, nil, src, nil))}
		},
		"SplitConformal": func() []error {
			return []error{
				expect.ErrorOf(SplitConformal(nil, d, d, 0.9, nil)), expect.ErrorOf(SplitConformal(constant(1), nil, d, 0.9, nil)),
				expect.ErrorOf(SplitConformal(constant(1), d, nil, 0.9, nil)), expect.ErrorOf(SplitConformal(constant(1), d, d, 0.9, (*mlreg.OLS)(nil))),
			}
		},
		"BootstrapFit": func() []error {
			return []error{
				expect.ErrorOf(BootstrapFit[*mlreg.OLS](d, nil, src, nil)),
				expect.ErrorOf(BootstrapFit(nil, func(data mlreg.Data) (*mlreg.OLS, error) { return mlreg.FitOLS(data, nil) }, src, nil)),
			}
		},
		"CVPlus": func() []error {
			folds, fit := fatal.On(mlreg.KFold(20, 4, src))(t), func(d *mlreg.Design) (*mlreg.OLS, error) { return mlreg.FitOLS(d, nil) }
			return []error{
				expect.ErrorOf(CVPlus(nil, folds, fit, d, 0.9)), expect.ErrorOf(CVPlus(d, nil, fit, d, 0.9)),
				expect.ErrorOf(CVPlus[*mlreg.OLS](d, folds, nil, d, 0.9)), expect.ErrorOf(CVPlus(d, folds, fit, nil, 0.9)),
			}
		},
	}
	for _, f := range exported.Functions(t, ".") {
		name := f.Name.Name
		call, ok := calls[name]
		if !ok {
			t.Errorf("%s is not tried", name)
			continue
		}
		for k, err := range call() {
			expect.Error(t, fmt.Sprintf("%s, case %d", name, k), err, mlreg.ErrNoData)
		}
	}
	for what, err := range map[string]error{
		"Bootstrap":          expect.ErrorOf(Bootstrap(d, MeanStatistic, nil, nil)),
		"SelectionStability": expect.ErrorOf(SelectionStability(d, chooseFirst, nil, nil)),
		"NewThresholdout":    expect.ErrorOf(NewThresholdout(d, d, 1, nil, nil)),
	} {
		expect.Error(t, what, err, mlreg.ErrSetting, "source")
	}
	f := fatal.On(NewEDF(d.Y))(t)
	if !math.IsNaN(f.Distance(nil)) {
		t.Error("there is a distance from nothing")
	}
}

// What takes a while reports it, in order, and ends with the first error.
func TestProgress(t *testing.T) {
	d := rows.Random(t, 7, 60, 6)
	whole := fatal.On(mlreg.FitOLS(d, nil))(t)
	src := func() rand.Source { return rand.NewPCG(1, 2) }
	bootstrap := func(run func(*BootstrapSettings) (*Boot, error), set BootstrapSettings) func(expect.Told) (any, error) {
		return func(p expect.Told) (any, error) {
			set.Progress = p
			return orNil(run(&set))
		}
	}
	ofMean := func(s *BootstrapSettings) (*Boot, error) { return Bootstrap(d, MeanStatistic, src(), s) }
	ofOLS := func(s *BootstrapSettings) (*Boot, error) { return BootstrapOLS(d, src(), s) }
	ofRidge := func(s *BootstrapSettings) (*Boot, error) {
		return BootstrapFit(d, func(data mlreg.Data) (*mlreg.Ridge, error) { return mlreg.FitRidge(data, 1, nil) }, src(), s)
	}
	ofError := func(s *BootstrapSettings) (*Boot, error) {
		return BootstrapTestError(whole, d, mlreg.SquaredLoss, src(), s)
	}
	for name, run := range map[string]func(expect.Told) (any, error){
		"Bootstrap":                 bootstrap(ofMean, BootstrapSettings{}),
		"Bootstrap that chooses B":  bootstrap(ofMean, BootstrapSettings{LimitError: 0.02, MaxB: 4000}),
		"BootstrapOLS":              bootstrap(ofOLS, BootstrapSettings{B: 600}),
		"BootstrapOLS, studentized": bootstrap(ofOLS, BootstrapSettings{B: 600, Studentize: true}),
		"BootstrapFit":              bootstrap(ofRidge, BootstrapSettings{B: 100}),
		"BootstrapTestError":        bootstrap(ofError, BootstrapSettings{B: 100}),
		"BootstrapError": func(p expect.Told) (any, error) {
			return orNil(BootstrapError(d, fitOLS, mlreg.SquaredLoss, src(), &BootstrapSettings{B: 100, Progress: p}))
		},
		"SelectionStability": func(p expect.Told) (any, error) {
			return orNil(SelectionStability(d, chooseFirst, src(), &StabilitySettings{Progress: p}))
		},
	} {
		expect.TellsProgress(t, name, run)
		expect.EndsByProgress(t, name, run)
	}
}

// orNil makes a nil pointer a nil value.
func orNil[T any](result *T, err error) (any, error) {
	if result == nil {
		return nil, err
	}
	return result, err
}

// What would take too much memory is refused before it is taken, with its size and what to do.
func TestSizesAreChecked(t *testing.T) {
	d, src := rows.Random(t, 1, 20, 2), rand.NewPCG(1, 2)
	const huge = 1 << 40
	for what, err := range map[string]error{
		"Bootstrap":          expect.ErrorOf(Bootstrap(d, MeanStatistic, src, &BootstrapSettings{B: huge})),
		"SelectionStability": expect.ErrorOf(SelectionStability(d, chooseFirst, src, &StabilitySettings{Resamples: huge})),
	} {
		expect.Error(t, what, err, mlreg.ErrTooLarge, "most")
	}
}

// Every result goes through gob and says what it said before, and refuses what is no stream of its own; counters,
// whose copy would have budget left that the other has spent, are not stored.
func TestResultsSurviveGob(t *testing.T) {
	d, src := fatal.On(rows.Random(t, 5, 20, 3).Standardize(nil))(t), rand.NewPCG(1, 2)
	fit := fatal.On(mlreg.FitOLS(d, nil))(t)
	boot := fatal.On(BootstrapOLS(d, src, &BootstrapSettings{B: 40, Studentize: true}))(t)
	highest := fatal.On(Bootstrap(d, MaxStatistic, src, &BootstrapSettings{B: 40}))(t)
	stability := fatal.On(SelectionStability(d, chooseFirst, src, nil))(t)
	for _, v := range []fmt.Stringer{
		boot, highest, highest.Warnings(), BootstrapFailure{"none", 1, 2}, fatal.On(boot.Table(Percentile, 0.9))(t), stability,
		fatal.On(BootstrapError(d, fitOLS, mlreg.SquaredLoss, src, &BootstrapSettings{B: 20}))(t),
		fatal.On(JackknifePlus(fit, d, d, 0.9))(t), fatal.On(NewEDF(d.Y))(t),
	} {
		expect.SurvivesGob(t, v)
	}
	for _, v := range []gob.GobEncoder{boot, stability} {
		expect.RefusesDamage(t, v, mlreg.ErrStream)
	}
	expect.Error(t, "another type", new(Boot).GobDecode(fatal.On(stability.GobEncode())(t)), mlreg.ErrStream, "wanted a stream of type Boot", "found type Stability")
	for _, v := range []any{&Thresholdout{}, &Ladder{}} {
		if err := gob.NewEncoder(io.Discard).Encode(v); err == nil {
			t.Errorf("gob takes a %T, whose copy would not be the same", v)
		}
	}
	back := new(Boot)
	if err := back.GobDecode(fatal.On((*boot).GobEncode())(t)); err != nil || !reflect.DeepEqual(back, boot) {
		t.Errorf("a bootstrap after gob is %v, %v", back, err)
	}
}

// Limits of one number by every kind are those of each, and NaN where there are none.
func TestLimitsOfOneNumber(t *testing.T) {
	d := rows.Random(t, 5, 20, 3)
	boot := fatal.On(BootstrapOLS(d, rand.NewPCG(1, 2), &BootstrapSettings{B: 200}))(t)
	all := fatal.On(boot.Limits("x2", 0.8))(t)
	for k, l := range all {
		kind := IntervalKind(k)
		if kind == Studentized {
			if !math.IsNaN(l.Lower) || !math.IsNaN(l.Upper) {
				t.Errorf("limits without standard errors: %v", l)
			}
			continue
		}
		if own := fatal.On(boot.ConfInt(kind, 0.8))(t)[2]; l.Term != kind.String() || l.Lower != own.Lower || l.Upper != own.Upper || l.Level != 0.8 {
			t.Errorf("%v, and alone %v", l, own)
		}
	}
	values, estimate, err := boot.Replicated("x2")
	if err != nil || !slices.Equal(values, boot.Replicates[2]) || estimate != boot.Estimate[2] || len(all) != 5 {
		t.Errorf("%v, %v, %v, %d kinds", values, estimate, err, len(all))
	}
	_, _, none := (*Boot)(nil).Replicated("x2")
	expect.Error(t, "nothing", none, mlreg.ErrNoData)
	expect.Error(t, "another name", expect.ErrorOf(boot.Limits("x9", 0.8)), mlreg.ErrShape, `"x9"`)
	expect.Error(t, "level", expect.ErrorOf(boot.Limits("x2", 1)), mlreg.ErrSetting)
	few := fatal.On(BootstrapOLS(d.Rows(0, 1, 2, 3, 4, 5, 6, 7), rand.NewPCG(1, 2), &BootstrapSettings{B: 40}))(t)
	if texts := few.Cautions("x2"); len(texts) == 0 || slices.ContainsFunc(few.Warnings(), func(w BootstrapWarning) bool {
		return slices.Contains(texts, w.Text) != (w.Term == "" || w.Term == "x2")
	}) {
		t.Errorf("%v of %v", texts, few.Warnings())
	}
}
