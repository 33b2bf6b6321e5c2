package frames

import (
	"strings"

	"github.com/go-gota/gota/series"

	"github.com/regbook/regbook/frames/internal/table"
)

// distinctValues are the distinct values of a column, by first appearance.
type distinctValues struct {
	table.Column        // the field has the type only, and Missing is not set
	kept         []bool // whether a row that is kept has the value
	row          int    // of the block, where the last was met

	ofText map[string]int
	ofNum  map[float64]int
	ofPair map[[2]float64]int // of whole numbers beyond 2^53
}

// column returns the values as a column.
func (d *distinctValues) column(name string) *column {
	return &column{name: name, typ: d.Type, num: d.Num, low: d.Low, text: d.Text, missing: make([]bool, len(d.kept)), notDates: true}
}

// number returns the index of a number, which is added if it is new.
func (d *distinctValues) number(v, low float64, row int) int {
	k, known := 0, false
	if low == 0 {
		k, known = d.ofNum[v]
	} else {
		k, known = d.ofPair[[2]float64{v, low}]
	}
	if known {
		return k
	}
	k = len(d.kept)
	if low == 0 {
		d.ofNum[v] = k
	} else {
		d.ofPair[[2]float64{v, low}] = k
	}
	d.AppendNumber(v, low)
	d.kept, d.row = append(d.kept, false), row
	return k
}

func (d *distinctValues) add(c *column, kept []int) {
	if d.ofText == nil {
		d.Type, d.ofText, d.ofNum, d.ofPair = c.typ, make(map[string]int), make(map[float64]int), make(map[[2]float64]int)
	}
	last, k := "", -1 // rows often repeat the one before
	next := 0
	for i, missing := range c.missing {
		isKept := next < len(kept) && kept[next] == i
		if isKept {
			next++
		}
		if missing {
			continue
		}
		if d.Type == series.String {
			if k < 0 || c.text[i] != last {
				last = c.text[i]
				var ok bool
				if k, ok = d.ofText[last]; !ok {
					k = len(d.kept)
					own := strings.Clone(last)
					d.ofText[own] = k
					d.Text, d.kept, d.row = append(d.Text, own), append(d.kept, false), i
				}
			}
		} else {
			v, low := c.value(i)
			k = d.number(v+0, low, i) // -0 is 0
		}
		d.kept[k] = d.kept[k] || isKept
	}
}

// slipsOfLevels returns the slips of a column of which the distinct values are known: those
// of all its values, if all are numbers, have a unit or the form of a date, and otherwise none.
func slipsOfLevels(e *evaluator, n *collected) slips {
	c := n.distinct.column("")
	var s slips
	if _, named := stripped(n.x.n).(*name); !named || c.typ != series.String {
		return s
	}
	s.add(e, n.x.n, c)
	if s.numbers < s.present && s.units.all() < s.present && s.dates.written < s.present {
		return slips{}
	}
	return s
}
