package mlreg_test

import (
	"fmt"

	"github.com/janpfeifer/must"
	"gonum.org/v1/gonum/floats"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

// The vocabulary is learnt from three reviews, and a fourth is coded by it.
// scikit-learn: CountVectorizer(binary=True, min_df=2), but for the words that
// all texts have and for its tokens of two letters or more.
func ExampleNewWords() {
	words := must.M1(mlreg.NewWords([]string{
		"The tea was hot and the cake was good.",
		"Good tea, slow service.",
		"The service was slow; the tea was cold.",
	}, nil))
	fmt.Printf("%q, in every review %q\n", words.Vocabulary, words.Everywhere)
	review := "A slow, cold tea. Was it good?"
	total, unknown := words.Count(review)
	fmt.Println(words.Eval(nil, review), unknown, "of", total, "words are not known:", words.Unknown(review))
	// Output:
	// ["good" "service" "slow" "the" "was"], in every review ["tea"]
	// [1 0 1 0 1] 3 of 7 words are not known: [a cold it]
}

// What the words of a review of a kettle say about its stars.
func ExampleWords_Expand() {
	df := datasets.Reviews()
	texts := df.Col("text").Records()
	words := must.M1(mlreg.NewWords(texts, &mlreg.WordsSettings{MinCount: 4}))
	d := must.M1(words.Expand(texts, must.M1(frames.Floats(df, "stars"))))
	ridge := must.M1(mlreg.FitRidge(d, 5, nil))
	best, worst := floats.MaxIdx(ridge.Slopes()), floats.MinIdx(ridge.Slopes())
	fmt.Printf("%d words; %q %+.2f, %q %+.2f\n", d.NTerms(), d.Names[best], ridge.Slopes()[best], d.Names[worst], ridge.Slopes()[worst])
	// Output: 18 words; "love" +0.61, "broke" -0.56
}
