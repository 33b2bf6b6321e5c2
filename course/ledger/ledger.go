// Package ledger holds a notebook to the numbers of the lectures: its last cell
// states them, Done shows what was compared, and a number that is off makes the
// cell, and with it the notebook, fail.
//
//	ledger.Near("93 projection", 1e-12, yhat, 5, 2, -1)
//	ledger.Printed("95 length of the residual", norm, "2.45")
//	ledger.True("94 orthogonal", math.Abs(dot) < 1e-12)
//	ledger.Done()
//
// The leading number of a name is the row of the course's ledger of formulas,
// numbers and figures, notebooks/LEDGER.md. The site reads what Done prints.
package ledger

import (
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"
	"text/tabwriter"
)

type check struct {
	name, got, want string
	ok              bool
}

var checks []check

// Near compares values with those wanted; each may differ by tol of the value
// wanted, or by tol if that is below 1.
func Near(name string, tol float64, got []float64, want ...float64) {
	ok := len(got) == len(want)
	for i := range min(len(got), len(want)) {
		ok = ok && math.Abs(got[i]-want[i]) <= tol*math.Max(1, math.Abs(want[i]))
	}
	add(name, format(got), format(want), ok)
}

// Printed compares a value with a number as a lecture prints it: they agree if
// the value, rounded to the digits printed, is that number.
func Printed(name string, got float64, want string) {
	decimals := 0
	if dot := strings.IndexByte(want, '.'); dot >= 0 {
		decimals = len(want) - dot - 1
	}
	number, err := strconv.ParseFloat(want, 64)
	half := 0.5 * math.Pow10(-decimals)
	add(name, strconv.FormatFloat(got, 'f', decimals+3, 64), want,
		err == nil && math.Abs(got-number) <= half*(1+1e-9))
}

// True states what has to hold.
func True(name string, ok bool) {
	add(name, strconv.FormatBool(ok), "true", ok)
}

// Done prints what was compared and panics if anything was off, or if nothing
// was compared.
func Done() {
	if err := done(os.Stdout); err != nil {
		panic(err)
	}
}

func done(w io.Writer) error {
	stated := checks
	checks = nil
	failed := 0
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, c := range stated {
		mark := "ok"
		if !c.ok {
			mark = "OFF"
			failed++
		}
		if _, err := fmt.Fprintf(table, "%s\t%s\t%s\twant %s\n", mark, c.name, c.got, c.want); err != nil {
			return err
		}
	}
	if err := table.Flush(); err != nil {
		return err
	}
	switch {
	case len(stated) == 0:
		return fmt.Errorf("ledger: nothing was compared")
	case failed > 0:
		return fmt.Errorf("ledger: %d of %d numbers are off", failed, len(stated))
	}
	return nil
}

func add(name, got, want string, ok bool) {
	checks = append(checks, check{name, got, want, ok})
}

func format(values []float64) string {
	var text []string
	for _, v := range values {
		text = append(text, strconv.FormatFloat(v, 'g', 6, 64))
	}
	return strings.Join(text, " ")
}
