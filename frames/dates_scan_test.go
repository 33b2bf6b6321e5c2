package frames

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
)

const clockPattern = `(?:[T ]\s*(\d{1,2}):(\d{2})(?::(\d{2})(\.\d+)?)?\s*([AaPp][Mm])?\s*(Z|[+-]\d{2}:?\d{2})?)?$`

// The forms of dates, as patterns.
var (
	numbersPattern = regexp.MustCompile(`^(\d{1,4})([-/.])(\d{1,2})([-/.])(\d{1,4})` + clockPattern)
	dayPattern     = regexp.MustCompile(`^(?:[A-Za-z]+, )?(\d{1,2})(?:st|nd|rd|th)?[. -]+([A-Za-z]{3,9})[., -]+(\d{4})` + clockPattern)
	monthPattern   = regexp.MustCompile(`^(?:[A-Za-z]+, )?([A-Za-z]{3,9})[. -]+(\d{1,2})(?:st|nd|rd|th)?[, ]+(\d{4})` + clockPattern)
)

// byPatterns reads a date and its clock by the patterns.
func byPatterns(cell string) (d writtenDate, clock [6]string, ok bool) {
	var rest []string
	if m := numbersPattern.FindStringSubmatch(cell); m != nil && m[2] == m[4] {
		switch a, b, c := whole(m[1]), whole(m[3]), whole(m[5]); {
		case len(m[1]) == 4 && len(m[5]) <= 2:
			d = writtenDate{year: a, month: b, day: c}
		case len(m[1]) <= 2 && len(m[5]) == 4:
			d = writtenDate{year: c, month: b, day: a, unsure: m[2] != ".", dotted: m[2] == "."}
		default:
			return d, clock, false
		}
		rest = m[6:]
	} else if m := dayPattern.FindStringSubmatch(cell); m != nil {
		d, rest = writtenDate{year: whole(m[3]), month: monthOf(m[2]), day: whole(m[1]), named: true}, m[4:]
	} else if m := monthPattern.FindStringSubmatch(cell); m != nil {
		d, rest = writtenDate{year: whole(m[3]), month: monthOf(m[1]), day: whole(m[2]), named: true}, m[4:]
	} else {
		return d, clock, false
	}
	copy(clock[:], rest)
	clock[5] = strings.Replace(clock[5], ":", "", 1)
	return d, clock, true
}

// A cell that is made of pieces of dates is read as the patterns read it.
func TestDateScanReadsThePatterns(t *testing.T) {
	if testing.Short() {
		t.Skip("repeats a computation")
	}
	pieces := strings.Split("1|01|29|024|2024|20245|-|-|/|/|.|.|,| | |, |, |T|t|:|:|03|59|5|st|nd|th|xx|March|mar|Sept|May|Ma|September|Septemberr|Monday|Mon, |am|PM|Z|z|+|+05:30|-0100|.25|\t|é|10:30| 2024|2024|1 |1-|21st |May, 2024", "|")
	rng := rand.New(rand.NewPCG(7, 1))
	read := 0
	for range 300_000 {
		var b strings.Builder
		b.WriteString([]string{"", "", "1 May", "May 1", "May.", "1.03.", "1/03/2024", "2024-03-01 10:30", "2024-03-01T10:30:05", "Monday, 1 May 2024 1:30"}[rng.IntN(10)])
		for range 1 + rng.IntN(9) {
			b.WriteString(pieces[rng.IntN(len(pieces))])
		}
		cell := b.String()
		want, wantClock, wantOK := byPatterns(cell)
		scan := dateScan{cell}
		got, ok := scan.numbers()
		if !ok {
			scan = dateScan{cell}
			got, ok = scan.named()
		}
		clock, told := scan.clock()
		if ok = ok && told && got.month > 0; ok != (wantOK && want.month > 0) || ok && (got != want || clock != wantClock) {
			t.Fatalf("%q: %v %q %v, want %v %q %v", cell, got, clock, ok, want, wantClock, wantOK)
		}
		if ok {
			read++
		}
	}
	if read < 1000 {
		t.Errorf("%d dates only", read)
	}
}
