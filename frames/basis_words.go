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

// codeWords computes the columns of words(), and counts the words in its Terms.
func (b *builder) codeWords(v Variable, docs []string) *coded {
	c := &coded{cols: make([][]float64, len(v.Words.Vocabulary))}
	for k, word := range v.Words.Vocabulary {
		c.cols[k] = make([]float64, len(docs))
		c.names = append(c.names, v.Text+word)
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
