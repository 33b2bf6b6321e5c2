package mlreg

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/stream"
	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
)

// WordsSettings are the options of NewWords.
type WordsSettings struct {
	// MinCount is the least number of documents that a word must be in; the default
	// 0 is 2.
	MinCount int
	// MaxWords is the largest number of words to keep: those in most documents and,
	// of equals, the first in byte order. The default 0 keeps all.
	MaxWords int
}

// Words is a bag of words by presence: a document has one column a word of the
// vocabulary,
//
//	g_w(document) = 1 if the document contains w, 0 if not.
//
// The vocabulary is learned from training documents. Words of new documents that are
// not in it do not count; Unknown returns them.
type Words struct {
	Vocabulary []string // in byte order
	Counts     []int    // number of training documents that contain each word
	Everywhere []string // words left out because every training document has them
	Documents  int      // number of training documents
}

// tokenize cuts a text into words: the longest runs of letters, digits and
// combining marks, in lower case. An apostrophe between letters belongs to the
// word (don't), and a right single quote is read as one; everything else
// separates words. Text is taken as it is encoded: Unicode is not normalized.
func tokenize(text string) []string {
	var words []string
	var word []rune
	end := func() {
		if s := strings.TrimRight(string(word), "'"); s != "" {
			words = append(words, s)
		}
		word = word[:0]
	}
	for _, r := range text {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r) || len(word) > 0 && unicode.IsMark(r):
			word = append(word, unicode.ToLower(r))
		case (r == '\'' || r == '’') && len(word) > 0 && unicode.IsLetter(word[len(word)-1]):
			word = append(word, '\'')
		default:
			end()
		}
	}
	end()
	return words
}

// distinctWords returns the distinct words of a text in byte order.
func distinctWords(text string) []string {
	words := tokenize(text)
	slices.Sort(words)
	return slices.Compact(words)
}

// NewWords learns a vocabulary from training documents: the words that are in
// MinCount documents or more, but not in all of them, since a column of ones
// says nothing beside the intercept. Nil settings are the defaults. The error
// matches ErrSetting if a setting is negative, and ErrNoData if no document has
// a word, or no word qualifies.
func NewWords(documents []string, settings *WordsSettings) (*Words, error) {
	s := args.OrDefaults(settings)
	if s.MinCount < 0 || s.MaxWords < 0 {
		return nil, fmt.Errorf("%w: MinCount = %d, MaxWords = %d; neither is negative", ErrSetting, s.MinCount, s.MaxWords)
	}
	if s.MinCount == 0 {
		s.MinCount = 2
	}
	counts := make(map[string]int)
	for _, text := range documents {
		for _, word := range distinctWords(text) {
			counts[word]++
		}
	}
	if len(counts) == 0 {
		return nil, fmt.Errorf("%w: none of the %d documents has a word", ErrNoData, len(documents))
	}
	w := &Words{Documents: len(documents)}
	for word, count := range counts {
		switch {
		case count == len(documents):
			w.Everywhere = append(w.Everywhere, word)
		case count >= s.MinCount:
			w.Vocabulary = append(w.Vocabulary, word)
		}
	}
	if len(w.Vocabulary) == 0 {
		return nil, fmt.Errorf("%w: none of the %d words is in %d documents or more, but not in all %d; lower MinCount",
			ErrNoData, len(counts), s.MinCount, len(documents))
	}
	slices.Sort(w.Everywhere)
	slices.Sort(w.Vocabulary)
	if s.MaxWords > 0 && len(w.Vocabulary) > s.MaxWords {
		slices.SortStableFunc(w.Vocabulary, func(a, b string) int { return counts[b] - counts[a] })
		w.Vocabulary = slices.Clone(w.Vocabulary[:s.MaxWords])
		slices.Sort(w.Vocabulary)
	}
	for _, word := range w.Vocabulary {
		w.Counts = append(w.Counts, counts[word])
	}
	return w, nil
}

// Eval stores in dst, one number a word of the vocabulary, which words the
// document contains, and returns it; a nil dst is allocated. It panics if dst
// has another length.
func (w *Words) Eval(dst []float64, document string) []float64 {
	dst = evalSpace(dst, len(w.Vocabulary), nil, 0)
	clear(dst)
	for _, word := range tokenize(document) {
		if k, ok := slices.BinarySearch(w.Vocabulary, word); ok {
			dst[k] = 1
		}
	}
	return dst
}

// Unknown returns the distinct words of a document that are neither in the
// vocabulary nor in every training document, in byte order.
func (w *Words) Unknown(document string) []string {
	return slices.DeleteFunc(distinctWords(document), w.known)
}

// Count returns how many words a document has, repeats counted, and how many of
// them are unknown.
func (w *Words) Count(document string) (words, unknown int) {
	all := tokenize(document)
	words = len(all)
	return words, len(slices.DeleteFunc(all, w.known))
}

func (w *Words) known(word string) bool {
	_, chosen := slices.BinarySearch(w.Vocabulary, word)
	_, everywhere := slices.BinarySearch(w.Everywhere, word)
	return chosen || everywhere
}

// Expand returns the design, with an intercept, whose columns say which words of
// the vocabulary each document contains; the terms are named by the words. y is
// the response of the documents, or nil if not known. New documents are coded
// alike by the same Words. The error is that of Design.Check.
func (w *Words) Expand(documents []string, y []float64) (*Design, error) {
	if len(documents) == 0 {
		return nil, fmt.Errorf("%w: there are no documents", ErrNoData)
	}
	d := &Design{
		X: mat.NewDense(len(documents), len(w.Vocabulary), nil), Y: slices.Clone(y),
		Names: slices.Clone(w.Vocabulary), Response: "y",
	}
	columns := make([]CodedColumn, len(d.Names))
	for k, word := range d.Names {
		columns[k] = CodedColumn{Name: word} // which depends on no other
	}
	recipe, err := stream.Encode(w, w)
	if err != nil {
		return nil, err
	}
	d.Coding = NewCoding(columns, nil, wordsFormat, recipe)
	for i, text := range documents {
		w.Eval(d.X.RawRowView(i), text)
	}
	return valid(d, d.Check())
}

// Describe returns the words in most training documents as a table, ten of them.
func (w *Words) Describe() *report.Table {
	counts := format.Each(w.Counts, func(c int) float64 { return float64(c) })
	order := gram.LargestOf(min(len(counts), len(w.Vocabulary), format.HeadRows), counts)
	return tables.Rows(fmt.Sprintf("Vocabulary: %s of %s", format.Plural(len(w.Vocabulary), "word"), format.Plural(w.Documents, "document")),
		tables.Text("word", order, func(k int) string { return w.Vocabulary[k] }),
		tables.Int("documents", order, func(k int) int { return w.Counts[k] }))
}

// String writes the words in most training documents as text.
func (w *Words) String() string { return w.Describe().String() }
