package assess

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/report"
)

// Ladder is a leaderboard that tells a submission its loss only if it is better than the
// best before by more than chance: what it says between two records carries no
// information on the holdout. It changes with every submission and is not to
// be used by several goroutines at once.
type Ladder struct {
	step   float64
	best   []float64 // losses of the best submission
	scores []float64 // what was told, one a submission
	means  []float64 // what a plain leaderboard tells
}

// NewLadder makes a leaderboard with a step: a mean loss is shown only if it falls by
// more than the step, and is rounded to it. A step of 0 takes for each submission the
// standard error of its improvement, and rounds to 1/n: the ladder without parameters.
// It is mlreg.ErrSetting if the step is negative or not finite.
//
// Blum and Hardt, The ladder: a reliable leaderboard for machine learning
// competitions, ICML 2015, figures 1 and 3.
func NewLadder(step float64) (*Ladder, error) {
	if !(step >= 0) || math.IsInf(step, 0) {
		return nil, fmt.Errorf("%w: step = %v; it is finite and not negative", mlreg.ErrSetting, step)
	}
	return &Ladder{step: step}, nil
}

// Submit takes the losses of a submission on the rows of the holdout, in the same order
// every time, and returns the score that the leaderboard tells. With R the
// mean loss, R* the last score told, d_i the differences from the losses of the
// submission that was given it, and s their standard deviation with n - 1,
//
//	score = R rounded to the step   if R < R* - step, or, for step 0, R < R* - s/sqrt(n),
//	        R*                      if not.
//
// The first submission is told its own R, rounded. Errors: mlreg.ErrNoData for fewer than two
// losses; mlreg.ErrShape if their number differs from the first submission's; mlreg.ErrNotFinite
// with the row. A submission that is refused changes nothing.
func (l *Ladder) Submit(losses []float64) (score float64, improved bool, err error) {
	n := len(losses)
	switch {
	case n < 2:
		return 0, false, fmt.Errorf("%w: a submission of %d losses", mlreg.ErrNoData, n)
	case l.best != nil && n != len(l.best):
		return 0, false, fmt.Errorf("%w: a submission of %d losses; the first had %d", mlreg.ErrShape, n, len(l.best))
	}
	for i, v := range losses {
		if args.NotFinite(v) {
			return 0, false, fmt.Errorf("%w: loss %v of row %d", mlreg.ErrNotFinite, v, i+1)
		}
	}
	mean := stat.Mean(losses, nil)
	if args.NotFinite(mean) { // their sum is too large
		mean = 0
		for _, v := range losses {
			mean += v / float64(n)
		}
	}
	improved = true
	if told := len(l.scores); told > 0 {
		score = l.scores[told-1]
		improved = mean < score-l.margin(losses)
	}
	if improved {
		unit := cmp.Or(l.step, 1/float64(n))
		score = math.Round(mean/unit) * unit
		if args.NotFinite(score) { // a step that is too small to count in
			score = mean
		}
		l.best = slices.Clone(losses)
	}
	l.scores, l.means = append(l.scores, score), append(l.means, mean)
	return score, improved, nil
}

// margin is by how much a mean loss has to be below the last score.
func (l *Ladder) margin(losses []float64) float64 {
	if l.step > 0 {
		return l.step
	}
	differences := make([]float64, len(losses))
	for i, v := range losses {
		differences[i] = v - l.best[i]
	}
	return stat.StdDev(differences, nil) / math.Sqrt(float64(len(losses)))
}

// Scores returns what the ladder told, one score a submission.
func (l *Ladder) Scores() []float64 { return slices.Clone(l.scores) }

// Plain returns the mean losses of the submissions, which a leaderboard without a
// ladder would have told.
func (l *Ladder) Plain() []float64 { return slices.Clone(l.means) }

// Describe returns a table of the leaderboard.
func (l *Ladder) Describe() *report.Table {
	title := "Leaderboard: the ladder without parameters"
	if l.step > 0 {
		title = "Leaderboard: the ladder with step " + format.Number(l.step, 3)
	}
	var after []string // nothing, before the first submission
	var told, least []float64
	if n := len(l.scores); n > 0 {
		after, told, least = []string{fmt.Sprintf("%d submissions", n)}, l.scores[n-1:], []float64{slices.Min(l.means)}
	}
	return &report.Table{Title: title, Columns: []report.Column{
		report.TextColumn("after", after...), report.NumberColumn("best score told", told, 4), report.NumberColumn("least mean loss", least, 4),
	}}
}

// String returns the table as text.
func (l *Ladder) String() string { return l.Describe().String() }
