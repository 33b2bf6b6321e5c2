package frames

import "github.com/regbook/regbook/mlreg"

func init() {
	registerBasis("words", basisFunction{params: []string{"x", "min", "max"}, fitText: fitWords})
}

// fitWords learns words(x, min, max): see mlreg.WordsSettings.
func fitWords(docs []string, o *options) (*mlreg.Words, error) {
	var s mlreg.WordsSettings
	var err error
	if s.MinCount, err = o.integer("min", 0); err != nil {
		return nil, err
	}
	if s.MaxWords, err = o.integer("max", 0); err != nil {
		return nil, err
	}
	return mlreg.NewWords(docs, &s)
}

// wordNames returns the names of the columns of words().
func wordNames(v Variable) []string {
	names := make([]string, len(v.Words.Vocabulary))
	for k, word := range v.Words.Vocabulary {
		names[k] = v.Text + word
	}
	return names
}

// codeWords computes the columns of words(), and counts the words in its Terms.
func (b *builder) codeWords(v Variable, docs []string) *coded {
	c := &coded{names: wordNames(v), cols: make([][]float64, len(v.Words.Vocabulary))}
	for k := range c.cols {
		c.cols[k] = make([]float64, len(docs))
	}
	count := WordCount{Variable: v.Text}
	row := make([]float64, len(c.cols))
	for i, doc := range docs {
		for k, present := range v.Words.Eval(row, doc) {
			c.cols[k][i] = present
		}
		words, unknown := v.Words.Count(doc)
		count.Words += words
		count.Unknown += unknown
	}
	b.terms.Words = append(b.terms.Words, count)
	return c
}
