package plotting

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/plot"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg/report"
	"github.com/regbook/regbook/plotting/internal/hostile"
)

// Whatever the range, marks are few, finite and in it.
func FuzzTicks(f *testing.F) {
	for _, r := range hostile.Ranges {
		f.Add(r[0], r[1], 0, false)
		f.Add(r[0], r[1], 30, true)
	}
	f.Fuzz(func(t *testing.T, a, b float64, target int, whole bool) {
		for _, marks := range [][]float64{markValues(Ticks{Target: target, Whole: whole}.Ticks(a, b)), markValues(LogTicks{}.Ticks(a, b))} {
			if len(marks) > 2*mostTicks {
				t.Errorf("%d marks of %v to %v", len(marks), a, b)
			}
			for _, v := range marks {
				if v-v != 0 {
					t.Errorf("a mark at %v of %v to %v", v, a, b)
				}
			}
		}
	})
}

// Whatever the names, cells and numbers, Show writes a form of every kind or returns an
// error, and the plain one does nothing to a terminal.
func FuzzShow(f *testing.F) {
	f.Add("title", "a\nb", "x\x1b[31m", 1.5, 3)
	f.Add("<script>", "\u202e", "$x$", math.NaN(), -1)
	f.Add("", "", "\xff\xfe", math.Inf(1), 1<<40)
	f.Fuzz(func(t *testing.T, title, name, cell string, v float64, n int) {
		got := record(t)
		show := func(value any, err error) {
			if err == nil {
				err = Display(value)
			}
			if err != nil && strings.ContainsFunc(err.Error(), moves) {
				t.Errorf("%q", err)
			}
		}
		table, err := report.NewTable(title, report.TextColumn(name, cell, cell), report.NumberColumn(cell, []float64{v, -v}, n%20))
		show(table, err)
		df, err := frames.Frame(frames.Col(name, []string{cell, title}), frames.Col(cell+"2", []float64{v, 1}))
		show(df, err)
		show([]string{name, cell}, nil)
		show(map[string]float64{name: v}, nil)
		show([]float64{v, float64(n)}, nil)
		show(v, nil)
		for _, b := range *got {
			if strings.ContainsFunc(b.Text, moves) {
				t.Errorf("%q", b.Text)
			}
			if strings.Contains(b.HTML, "<script") {
				t.Errorf("%q", b.HTML)
			}
		}
	})
}

// moves tells whether a character does something to a terminal.
func moves(r rune) bool { return r < ' ' && r != '\n' && r != '\t' || r == 0x7f || r == 0x202e }

func markValues(marks []plot.Tick) (values []float64) {
	for _, m := range marks {
		values = append(values, m.Value)
	}
	return values
}
