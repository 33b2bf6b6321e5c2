package live

import (
	"fmt"
	"math"
	"strings"
	"sync"
	"unicode"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/try"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
)

func init() { registered = append(registered, Mail) }

// Mail is the verdict of naive Bayes on a mail, one of four or the reader's own, as the sum of what
// its words say, and of what those say that are not in it. The filter has learned from the
// 4,601 mails of the spam data, with one mail of each kind invented for every word.
func Mail() *Explorable {
	names := make([]string, len(sampleMails))
	values := make([]float64, len(sampleMails))
	for i, m := range sampleMails {
		names[i], values[i] = m[0], float64(i)
	}
	return &Explorable{
		ID: "12.mail", Title: "What the words of a mail say", Seed: 1,
		Params:   []Param{{Name: "mail", Label: "mail", Values: values, Texts: names}},
		Text:     "or type one:",
		FreeAxes: true,
		draw:     drawMail,
	}
}

// sampleMails have a name and a text.
var sampleMails = [][2]string{
	{"a prize", "You won! Claim your FREE prize of $1,000,000 now. Remove your doubts: no credit needed, all you send us is your address."},
	{"a meeting", "Hi George, could we move the project meeting at the lab to 3 pm? I am at the HP conference all day."},
	{"an order", "Thank you for your order. Your credit card has been charged $25; you will receive a report by mail."},
	{"three words", "See you tomorrow"},
}

var mailFilter = sync.OnceValue(func() *mlreg.NaiveBayes {
	all := presentWords()
	return try.Get(mlreg.FitNaiveBayes(all, 1, nil))
})

// marks are the characters among the terms of the spam data.
var marks = map[string]string{
	"charSemicolon": ";", "charRoundbracket": "(", "charSquarebracket": "[", "charExclamation": "!", "charDollar": "$", "charHash": "#",
}

// termsIn says which terms of the spam data a text has: words of letters and digits, of either case,
// and characters.
func termsIn(terms []string, text string) (row []float64, count int) {
	words := map[string]bool{}
	for _, w := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		words[w] = true
	}
	row = make([]float64, len(terms))
	for j, term := range terms {
		mark, isMark := marks[term]
		digits, isNumber := strings.CutPrefix(term, "num")
		if isMark && strings.Contains(text, mark) || isNumber && words[digits] || words[term] && !isMark && !isNumber {
			row[j] = 1
			count++
		}
	}
	return row, count
}

func drawMail(at Point) *View {
	fit := mailFilter()
	text := at.Text
	if text == "" {
		text = sampleMails[int(at.Value("mail"))][1]
	}
	row, count := termsIn(fit.Names(), text)
	d := try.Get(mlreg.NewDesign(mat.NewDense(1, len(row), row), nil, fit.Names()...))
	p := try.Get(fit.LogProb(d))
	odds := p.At(0, 1) - p.At(0, 0)
	told := try.Get(fit.Explain(d, 0))
	found := "none of the words is in it"
	for _, e := range told {
		if e.Present {
			found = fmt.Sprintf("the word in it that tells most is %s", e.Term)
			break
		}
	}
	figure := try.Get(plotting.ExplainPlot(fit, d, 0, 14))
	spam := math.Exp(p.At(0, 1))
	return &View{
		Figure: figure,
		Numbers: []Number{
			{Name: "terms of the filter in the mail", Value: float64(count), Digits: 2},
			{Name: "log odds of spam", Value: odds, Digits: 4},
			{Name: "P(spam)", Value: spam, Digits: 3},
		},
		Sentence: fmt.Sprintf("The mail has %d of the filter's %d words and characters; %s. The log odds of spam are %.2f, the probability %.3g.",
			count, len(row), found, odds, spam),
		Text: text,
	}
}
