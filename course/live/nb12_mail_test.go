package live

import (
	"math"
	"slices"
	"testing"
)

// The verdict on every mail from counts of words, without a fit.
func TestMail(t *testing.T) {
	all := presentWords()
	want := [][]string{
		{"address", "all", "charDollar", "charExclamation", "credit", "free", "num000", "remove", "you", "your"},
		{"all", "conference", "george", "hp", "lab", "meeting", "pm", "project"},
		{"charDollar", "charSemicolon", "credit", "mail", "order", "receive", "report", "will", "you", "your"},
		{"you"},
	}
	for k, m := range sampleMails {
		row, count := termsIn(all.Names, m[1])
		var found []string
		for j, name := range all.Names {
			if row[j] == 1 {
				found = append(found, name)
			}
		}
		slices.Sort(found)
		if !slices.Equal(found, want[k]) || count != len(found) {
			t.Errorf("%s has %v, want %v", m[0], found, want[k])
		}
		wantNumbers(t, Mail(), []float64{float64(k)}, mailCounts(all.Names, want[k], t)...)
	}
	// A typed text takes the place of the mail; a blank one has no words.
	for text, words := range map[string][]string{"Meeting re: the 1999 TABLE (original)": {"meeting", "re", "num1999", "table", "original", "charRoundbracket"}, " ": nil, "num3d charHash ###": {"charHash"}} {
		view, err := Mail().Draw(nil, &DrawSettings{Text: text})
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range mailCounts(all.Names, words, t) {
			if got := view.Numbers[i].Value; math.Abs(got-v) > 1e-9*math.Max(1, math.Abs(v)) {
				t.Errorf("%q: %s, want %g", text, view.Numbers[i], v)
			}
		}
		if view.Text != text {
			t.Errorf("the view is about %q, not %q", view.Text, text)
		}
	}
}

// mailCounts returns the numbers of a mail of these terms.
func mailCounts(names, terms []string, t *testing.T) []float64 {
	all := presentWords()
	var mails [2]float64
	for _, y := range all.Y {
		mails[int(y)]++
	}
	odds := math.Log(mails[1] / mails[0])
	for j, name := range names {
		var has [2]float64
		for i, y := range all.Y {
			has[int(y)] += all.X.At(i, j)
		}
		for k, sign := range []float64{-1, 1} {
			p := (has[k] + 1) / (mails[k] + 2)
			if !slices.Contains(terms, name) {
				p = 1 - p
			}
			odds += sign * math.Log(p)
		}
	}
	return []float64{float64(len(terms)), odds, 1 / (1 + math.Exp(-odds))}
}
