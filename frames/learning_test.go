package frames

import (
	"math"
	"testing"

	"github.com/go-gota/gota/dataframe"
)

// Constants are learnt on all rows in which the term's own column is present, and
// with LearnComplete on the rows kept; levels on the rows kept, as in R's lm.
func TestLearningRows(t *testing.T) {
	nan := math.NaN()
	df := frame(t,
		Col("y", []float64{1, 2, 3, 4, 5, 6, nan, 8}), Col("x", []float64{1, 5, 2, 8, 9, 3, 400, 7}), Col("z", []float64{1, 2, nan, 4, 5, 6, 7, 8}),
		Col("g", []string{"a", "b", "c", "a", "b", "a", "c", "b"}), Col("text", []string{"to be", "or not", "to do", "be or", "not do", "to or", "do be", "or be"}))
	complete := df.Subset([]int{0, 1, 3, 4, 5, 7})
	for _, formula := range []string{"scale(x)", "ns(x, 2)", "bs(x, 4)", "poly(x, 2)", "rbf(x, centers = 3)", "rbf(x, z, centers = 3)", "words(text)", "poly(log(x), 2)"} {
		f := get(ParseFormula("y ~ g + z + " + formula))(t)
		of := func(df dataframe.DataFrame, s *DesignSettings) string {
			d := get(f.Design(df, s))(t)
			terms := TermsOf(d)
			if levels := terms.Variables[0].Levels; len(levels) != 2 {
				t.Errorf("%s: levels %q", formula, levels)
			}
			v := terms.Variables[2]
			if v.Words != nil {
				return string(rune('0' + v.Words.Documents))
			}
			return v.fingerprint()
		}
		all, kept, only := of(df, nil), of(df, &DesignSettings{LearnComplete: true}), of(complete, nil)
		if kept != only {
			t.Errorf("%s: LearnComplete does not learn on the complete rows", formula)
		}
		if all == kept {
			t.Errorf("%s: the rows left out for other columns are not learnt from", formula)
		}
	}
	// Rows like training keep what was learnt; a row left out may hold what no
	// function takes.
	df = df.Mutate(frame(t, Col("x", []float64{1, 5, 2, 8, 9, 3, -1, 7})).Col("x"))
	d := get(Design(df, "y ~ z + scale(log(x))"))(t)
	again := get(DesignLike(d, df))(t)
	sameDesign(t, "like training", d, again)
	_, err := Design(df, "z ~ scale(log(x))")
	wantError(t, err, ErrNotFinite, "row 7")
}
