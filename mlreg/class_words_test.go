package mlreg

import (
	"bytes"
	"encoding/gob"
	"fmt"
	"slices"
	"testing"
)

func TestTokenize(t *testing.T) {
	for text, want := range map[string]string{
		"The cat's mat; 2 CATS' mats!":     `["the" "cat's" "mat" "2" "cats" "mats"]`,
		"don’t 'quote' rock''n'roll":       `["don't" "quote" "rock" "n'roll"]`,
		"Ärger naïve e\u0301te\u0301 x2-y": "[\"ärger\" \"naïve\" \"e\u0301te\u0301\" \"x2\" \"y\"]",
		" \t,.!  ":                         `[]`,
		"":                                 `[]`,
	} {
		if got := fmt.Sprintf("%q", tokenize(text)); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

var menu = []string{"The soup is hot", "the Soup, the fish and the soup", "", "fish is fresh the day it is caught"}

func TestWords(t *testing.T) {
	w := get(NewWords(menu, nil))(t)
	if fmt.Sprint(w.Vocabulary, w.Counts, w.Everywhere, w.Documents) != "[fish is soup the] [2 2 2 3] [] 4" {
		t.Errorf("%+v", w)
	}
	d := get(w.Expand(menu, []float64{1, 2, 3, 4}))(t)
	want := []float64{
		0, 1, 1, 1,
		1, 0, 1, 1,
		0, 0, 0, 0,
		1, 1, 0, 1,
	}
	if !slices.Equal(d.X.RawMatrix().Data, want) || !slices.Equal(d.Names, w.Vocabulary) {
		t.Errorf("%v %q", d.X.RawMatrix().Data, d.Names)
	}
	if got := w.Unknown("Hot soup, hot dog, the"); fmt.Sprint(got) != "[dog hot]" {
		t.Errorf("unknown %q", got)
	}
	if n, unknown := w.Count("Hot soup, hot dog, the"); n != 5 || unknown != 3 {
		t.Errorf("%d words, %d unknown", n, unknown)
	}
	// A word of every document is left out; min and max count documents.
	w = get(NewWords([]string{menu[0], menu[1], menu[3]}, &WordsSettings{MinCount: 1, MaxWords: 3}))(t)
	if fmt.Sprint(w.Vocabulary, w.Everywhere) != "[fish is soup] [the]" {
		t.Errorf("%+v", w)
	}
	if got := w.Unknown("the day"); fmt.Sprint(got) != "[day]" {
		t.Errorf("unknown %q", got)
	}
	var buf bytes.Buffer
	var again Words
	if err := gob.NewEncoder(&buf).Encode(w); err != nil {
		t.Fatal(err)
	}
	if err := gob.NewDecoder(&buf).Decode(&again); err != nil || fmt.Sprint(again) != fmt.Sprint(*w) {
		t.Errorf("after gob %+v, %v", again, err)
	}
}

func TestWordsErrors(t *testing.T) {
	for _, empty := range [][]string{nil, {"", "  ", "?!"}} {
		_, err := NewWords(empty, nil)
		wantErr(t, err, ErrNoData, fmt.Sprintf("none of the %d documents has a word", len(empty)))
	}
	_, err := NewWords([]string{"one", "two three"}, nil)
	wantErr(t, err, ErrNoData, "none of the 3 words is in 2 documents or more, but not in all 2; lower MinCount")
	_, err = NewWords(menu, &WordsSettings{MinCount: -1})
	wantErr(t, err, ErrSetting, "MinCount = -1")
	w := get(NewWords(menu, nil))(t)
	_, err = w.Expand(nil, nil)
	wantErr(t, err, ErrNoData)
	_, err = w.Expand(menu, []float64{1})
	wantErr(t, err, ErrShape)
}
