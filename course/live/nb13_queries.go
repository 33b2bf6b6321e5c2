package live

import (
	"fmt"
	"math/rand/v2"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/internal/try"
	"github.com/regbook/regbook/mlreg/assess"
	"github.com/regbook/regbook/plotting"
)

func init() { registered = append(registered, Queries) }

// Queries is a competition without skill: k submissions guess 500 labels, and then their
// makers submit the vote of those that the leaderboard called better than chance. What
// a plain leaderboard says of the vote, what one with a ladder says, and what the vote is worth
// on fresh rows, where each guess is right half of the time.
func Queries() *Explorable {
	return &Explorable{
		ID: "13.queries", Title: "A leaderboard that is asked too often", Seed: 13, Random: true,
		Params: []Param{{
			Name: "k", Label: "submissions",
			Values: []float64{10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500, 700, 1000},
			Frames: []float64{10, 30, 100, 300, 1000}, Default: 1000,
		}},
		draw: drawQueries,
	}
}

// BoardRows is the number of rows that the leaderboard of Queries judges by.
const BoardRows = 500

// Boards is the number of competitions of which Queries shows the means.
const Boards = 20

// Attack is the outcome of a vote.
type Attack struct {
	Plain  float64 // accuracy on the holdout, which a plain leaderboard states
	Ladder float64 // what the ladder states of the vote that it led to
	Fresh  float64 // accuracy of the first vote on as many fresh rows
}

// VoteAttack makes k random submissions to both leaderboards and then the votes. Errors:
// those of Coins.
func VoteAttack(k int, src rand.Source) (Attack, error) {
	if err := checkSimulation("a vote of submissions", src != nil, BoardRows*float64(k), k); err != nil {
		return Attack{}, err
	}
	random := rand.New(src)
	ladder, err := assess.NewLadder(0)
	if err != nil {
		return Attack{}, err
	}
	// The labels are all 1: guesses at random cannot know.
	plain, byLadder, fresh := make([]int, BoardRows), make([]int, BoardRows), make([]int, BoardRows)
	guess, losses := make([]int, BoardRows), make([]float64, BoardRows)
	vote := func(votes []int) (wrong float64) {
		for i, v := range votes {
			losses[i] = 0
			if v < 0 || v == 0 && random.IntN(2) == 0 {
				losses[i] = 1
				wrong++
			}
		}
		return wrong / BoardRows
	}
	for range k {
		wrong := 0.0
		for i := range guess {
			guess[i], losses[i] = 1, 0
			if random.Uint64()>>63 == 0 {
				guess[i], losses[i] = -1, 1
				wrong++
			}
		}
		_, improved, err := ladder.Submit(losses)
		if err != nil {
			return Attack{}, err
		}
		better := wrong/BoardRows < 0.5
		for i, g := range guess {
			if better {
				plain[i] += g
				fresh[i] += 2*int(random.Uint64()>>63) - 1
			}
			if improved {
				byLadder[i] += g
			}
		}
	}
	a := Attack{Plain: 1 - vote(plain), Fresh: 1 - vote(fresh)}
	vote(byLadder)
	score, _, err := ladder.Submit(losses)
	a.Ladder = 1 - score
	return a, err
}

// meanAttack returns the mean outcome of VoteAttack over Boards competitions.
func meanAttack(k int, at Point) (mean Attack) {
	for board := range uint64(Boards) {
		a := try.Get(VoteAttack(k, at.Source(uint64(k)+board<<32)))
		mean.Plain += a.Plain / Boards
		mean.Ladder += a.Ladder / Boards
		mean.Fresh += a.Fresh / Boards
	}
	return mean
}

func drawQueries(at Point) *View {
	chosen := int(at.Value("k"))
	var x, plain, ladder, fresh []float64
	var last Attack
	for _, k := range []int{10, 30, 100, 300, 1000} {
		k = min(k, chosen)
		a := meanAttack(k, at)
		x, plain, ladder, fresh = append(x, float64(k)), append(plain, 100*a.Plain), append(ladder, 100*a.Ladder), append(fresh, 100*a.Fresh)
		if last = a; k == chosen {
			break
		}
	}
	submissions := format.Plural(chosen, "submission")
	p := try.Get(plotting.Draw(plotting.Labels{
		Title: fmt.Sprintf("After %s: plain board %.0f%%, ladder %.0f%%, truth 50%%", submissions, 100*last.Plain, 100*last.Ladder),
		X:     "submissions before the vote", Y: "right answers of the vote (%)",
	},
		plotting.Line{X: x, Y: plain, Name: "a plain leaderboard says"},
		plotting.Points{X: x, Y: plain, Color: plotting.Blue},
		plotting.Line{X: x, Y: ladder, Name: "the ladder says"},
		plotting.Points{X: x, Y: ladder, Color: plotting.Vermillion},
		plotting.Points{X: x, Y: fresh, Color: plotting.Gray, Name: "fresh rows say"},
		plotting.HLine{Y: 50}, plotting.LogX{}))
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 8, 1200, 45, 85
	p.Legend.Top, p.Legend.Left, p.Legend.XOffs, p.Legend.YOffs = true, true, 8, -4
	return &View{
		Figure: plotting.Sized(p, 6.4, 3.6),
		Numbers: []Number{
			{Name: "the plain leaderboard says", Unit: "%", Value: 100 * last.Plain, Digits: 4},
			{Name: "the ladder says", Unit: "%", Value: 100 * last.Ladder, Digits: 4},
			{Name: "on fresh rows", Unit: "%", Value: 100 * last.Fresh, Digits: 4},
		},
		Sentence: fmt.Sprintf("After %s at random (means of %d competitions), the vote of those that looked better than chance is right in %.1f%% of the rows by a plain leaderboard, in %.1f%% by the ladder, and in %.1f%% of fresh rows.",
			submissions, Boards, 100*last.Plain, 100*last.Ladder, 100*last.Fresh),
	}
}
