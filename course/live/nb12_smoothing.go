package live

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sync"

	"gonum.org/v1/gonum/floats"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/internal/try"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
)

func init() { registered = append(registered, Smoothing) }

// Smoothing is naive Bayes learned from 100 e-mails of the spam data, with a mails of each
// kind invented for every word: the words that tell most, and how the filter does on the
// 4,501 other mails.
func Smoothing() *Explorable {
	return &Explorable{
		ID: "12.smoothing", Title: "Naive Bayes from 100 mails", Seed: 12, Random: true,
		Params: []Param{{
			Name: "a", Label: "smoothing a", Min: 0.001, Max: 100, Step: 1.2, Log: true,
			Frames: []float64{0.001, 0.01, 0.1, 0.3, 1, 3, 10, 30, 100}, Default: 1,
		}},
		MaxBytes: 900_000,
		FreeAxes: true,
		draw:     drawSmoothing,
	}
}

const smoothingMails = 100

var presentWords = sync.OnceValue(func() *mlreg.Design {
	d := try.Get(frames.Design(datasets.Spambase(), "type ~ . - capitalAve - capitalLong - capitalTotal"))
	present := try.Get(d.Presence(0))
	present.Classes = []string{"other mail", "spam"}
	return present
})

// hundredMails has what does not change with the smoothing.
type hundredMails struct {
	train, test *mlreg.Design
	grid, curve []float64 // the smoothing, and the errors on the other mails in percent
}

var lastMails kept[uint64, *hundredMails]

func drawMails(at Point) *hundredMails {
	all := presentWords()
	order := rand.New(at.Source(12)).Perm(all.NObs())
	m := &hundredMails{train: all.Rows(order[:smoothingMails]...), test: all.Rows(order[smoothingMails:]...)}
	for k := range 21 {
		a := math.Pow(10, -3+float64(k)/4)
		_, errors := m.judge(a)
		m.grid, m.curve = append(m.grid, a), append(m.curve, 100*errors)
		at.report(k+1, 21)
	}
	return m
}

// judge learns with a smoothing, and returns the share of errors on the other mails.
func (m *hundredMails) judge(a float64) (fit *mlreg.NaiveBayes, errors float64) {
	fit = try.Get(mlreg.FitNaiveBayes(m.train, a, nil))
	table := try.Get(mlreg.Confusion(fit, m.test, 0))
	return fit, table.ErrorRate()
}

func drawSmoothing(at Point) *View {
	m := lastMails.at(at.Seed, func() *hundredMails { return drawMails(at) })
	a := at.Value("a")
	fit, errors := m.judge(a)
	h := try.Get(mlreg.Surprise(fit, m.test))
	bits := floats.Sum(h) / float64(m.test.NObs())
	words := try.Get(plotting.InformativePlot(fit, "spam", 12))
	first := try.Get(fit.Informative("spam", 1))
	right := try.Get(plotting.Draw(plotting.Labels{Title: fmt.Sprintf("a = %.4g: %.1f%% errors", a, 100*errors), X: "smoothing a", Y: "errors on the other mails (%)"},
		plotting.Line{X: m.grid, Y: m.curve},
		plotting.Points{X: []float64{a}, Y: []float64{100 * errors}, Color: plotting.Vermillion, Radius: 4}, plotting.LogX{}))
	right.Y.Min, right.Y.Max = 0, 40
	figure := try.Get(plotting.SideBySide(words.WithXRange(-17, 17).WithSize(4.8, 3.6), plotting.Sized(right, 3.6, 3.6)))
	return &View{
		Figure: figure,
		Numbers: []Number{
			{Name: "error rate on the other mails", Value: errors, Digits: 4},
			{Name: "surprise", Unit: "bits", Value: bits, Digits: 4},
			{Name: "largest log odds ratio", Value: math.Abs(first[0].LogOdds), Digits: 3},
		},
		Sentence: fmt.Sprintf("With smoothing a = %.4g, learned from %d mails, the filter puts %.1f%% of the others in the wrong class and is surprised by %.3g bits a mail; the word that tells most is %s.",
			a, m.train.NObs(), 100*errors, bits, first[0].Term),
	}
}
