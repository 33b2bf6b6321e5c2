package assess_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/assess"
)

func submit(t *testing.T, l *assess.Ladder, losses ...float64) (score float64, improved bool) {
	t.Helper()
	score, improved, err := l.Submit(losses)
	if err != nil {
		t.Fatal(err)
	}
	return score, improved
}

func TestLadderTellsImprovements(t *testing.T) {
	l, err := assess.NewLadder(0.1)
	if err != nil {
		t.Fatal(err)
	}
	for k, c := range []struct {
		mean, score float64
		improved    bool
	}{
		{0.52, 0.5, true}, {0.41, 0.5, false}, {0.39, 0.4, true}, {0.31, 0.4, false}, {0.9, 0.4, false}, {0.24, 0.2, true},
	} {
		score, improved := submit(t, l, c.mean-0.01, c.mean+0.01)
		if math.Abs(score-c.score) > 1e-12 || improved != c.improved {
			t.Errorf("submission %d of mean loss %v is told %v, %v; want %v, %v", k, c.mean, score, improved, c.score, c.improved)
		}
	}
	if got := l.Scores(); len(got) != 6 || math.Abs(l.Plain()[1]-0.41) > 1e-12 {
		t.Errorf("scores %v, plain %v", got, l.Plain())
	}
}

// TestLadderWithoutParameters holds the margin to the standard error of the difference.
// The differences of the second submission from the first are -1, 0, 0, 0: mean -1/4,
// standard deviation 1/2, so that s/sqrt(n) is 1/4 and the submission is not
// below 1/2 - 1/4. Those of the third are -1, -1, 0, 0: s/sqrt(n) = sqrt(1/3)/2 = 0.289 < 1/2.
func TestLadderWithoutParameters(t *testing.T) {
	l, err := assess.NewLadder(0)
	if err != nil {
		t.Fatal(err)
	}
	if score, _ := submit(t, l, 1, 1, 0, 0); score != 0.5 {
		t.Errorf("the first score is %v", score)
	}
	if score, improved := submit(t, l, 0, 1, 0, 0); improved || score != 0.5 {
		t.Errorf("an improvement of one standard error is told: %v", score)
	}
	if score, improved := submit(t, l, 0, 0, 0, 0); !improved || score != 0 {
		t.Errorf("an improvement of 1.7 standard errors is not told: %v", score)
	}
}

// TestLadderAgainstVotes submits random guesses and then the vote of those that did
// better than a half, which fools a plain leaderboard: the truth is 1/2, and the vote of m
// guesses that are right more often than not is right with probability about
// Phi(sqrt(2m/(pi n))) on those rows, 0.66 here. The ladder tells so little that the vote learns little.
func TestLadderAgainstVotes(t *testing.T) {
	const n, k = 1000, 500
	random := rand.New(rand.NewPCG(1, 2))
	labels := make([]bool, n)
	for i := range labels {
		labels[i] = random.IntN(2) == 0
	}
	attack := func(told func(losses []float64) float64) (last float64) {
		guesses := rand.New(rand.NewPCG(3, 4))
		votes := make([]int, n)
		losses := make([]float64, n)
		for range k {
			guess := make([]int, n)
			for i := range guess {
				guess[i] = 2*guesses.IntN(2) - 1
				losses[i] = 0
				if (guess[i] > 0) != labels[i] {
					losses[i] = 1
				}
			}
			if told(losses) < 0.5 {
				for i, g := range guess {
					votes[i] += g
				}
			}
		}
		for i, v := range votes {
			losses[i] = 0
			if (v > 0) != labels[i] {
				losses[i] = 1
			}
		}
		return told(losses)
	}
	ladder, err := assess.NewLadder(0)
	if err != nil {
		t.Fatal(err)
	}
	withLadder := attack(func(losses []float64) float64 { score, _ := submit(t, ladder, losses...); return score })
	plain := attack(func(losses []float64) float64 {
		var sum float64
		for _, v := range losses {
			sum += v
		}
		return sum / n
	})
	t.Logf("plain leaderboard %.3f, ladder %.3f, truth 0.5", plain, withLadder)
	if plain > 0.38 || withLadder < 0.44 {
		t.Errorf("plain leaderboard %v, ladder %v", plain, withLadder)
	}
}

func TestLadderRefuses(t *testing.T) {
	for _, step := range []float64{-1, math.NaN(), math.Inf(1)} {
		if _, err := assess.NewLadder(step); !errors.Is(err, mlreg.ErrSetting) {
			t.Errorf("step %v: %v", step, err)
		}
	}
	l, err := assess.NewLadder(0)
	if err != nil {
		t.Fatal(err)
	}
	submit(t, l, 0, 1, 1)
	before := l.Scores()
	for _, c := range []struct {
		losses []float64
		err    error
	}{{nil, mlreg.ErrNoData}, {[]float64{1}, mlreg.ErrNoData}, {[]float64{0, 1}, mlreg.ErrShape}, {[]float64{0, math.NaN(), 1}, mlreg.ErrNotFinite}} {
		if _, _, err := l.Submit(c.losses); !errors.Is(err, c.err) {
			t.Errorf("%v: %v, want %v", c.losses, err, c.err)
		}
	}
	if !slices.Equal(before, l.Scores()) {
		t.Error("a refused submission was counted")
	}
}

// Losses whose sum is no float64, steps that nothing is counted in, equal submissions and
// submissions that are refused: what is told is finite, and a record is lower.
func TestLadderHostile(t *testing.T) {
	const big = math.MaxFloat64
	for _, step := range []float64{0, 5e-324, 1e-300, 0.01, 1e300, big} {
		l, err := assess.NewLadder(step)
		if err != nil {
			t.Fatal(err)
		}
		last := math.Inf(1)
		for k, losses := range [][]float64{{big, big}, {big, -big}, {big, big}, {1, 2}, {1, 2}, {5e-324, 5e-324}, {0, 0}, {-big, -big}} {
			score, improved := submit(t, l, losses...)
			if math.IsNaN(score) || math.IsInf(score, 0) || score > last || !improved && score != last {
				t.Errorf("step %v, submission %d: %v after %v, improved %v", step, k, score, last, improved)
			}
			last = score
			before := l.String()
			for _, bad := range [][]float64{nil, {1}, {1, 2, 3}, {1, math.NaN()}, {math.Inf(-1), 1}} {
				if _, _, err := l.Submit(bad); err == nil {
					t.Errorf("%v is taken", bad)
				}
			}
			if l.String() != before || len(l.Scores()) != k+1 {
				t.Errorf("step %v: a submission that is refused changes the board", step)
			}
		}
	}
}
