// Package ledger holds a notebook to what it says. Any cell states results and
// binds the numbers of the text; the last cell's Done shows what was compared in all
// cells of the session, and a result that is off makes it, and with it the
// notebook, fail.
//
//	ledger.Near("93 projection", 1e-12, yhat, 5, 2, -1)
//	ledger.Printed("95 length of the residual", norm, "2.45")
//	ledger.True("94 orthogonal", math.Abs(dot) < 1e-12)
//	ledger.Bind("slope", ols.Slopes()[0])
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
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"text/tabwriter"
)

type check struct {
	name, got, want string
	ok              bool
}

// Near compares values with those wanted; each may differ by tol of the value
// wanted, or by tol if that is below 1.
func Near(name string, tol float64, got []float64, want ...float64) {
	ok := len(got) == len(want)
	for i := range min(len(got), len(want)) {
		ok = ok && math.Abs(got[i]-want[i]) <= tol*math.Max(1, math.Abs(want[i]))
	}
	current.state(check{name, format(got), format(want), ok})
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
	current.state(check{name, strconv.FormatFloat(got, 'f', decimals+3, 64), want,
		err == nil && math.Abs(got-number) <= half*(1+1e-9)})
}

// True states what has to hold.
func True(name string, ok bool) {
	current.state(check{name, strconv.FormatBool(ok), "true", ok})
}

// Bind names a value that the text states: a number of any type, or a string. In
// the text a comment behind the number says the name,
//
//	the slope is 0.52<!--=slope-->
//
// and the project's runner compares them (make test). Bind prints nothing. A name is
// letters, digits, points and underscores, and has one value in a notebook. Bind
// panics if it has another, if the value is NaN or infinite or neither number nor
// string.
func Bind(name string, value any) {
	text, err := written(value)
	if err == nil && !bindable.MatchString(name) {
		err = fmt.Errorf("want letters, digits, points and underscores, a letter first")
	}
	if err == nil {
		err = current.bind(name, text)
	}
	if err != nil {
		panic(fmt.Errorf("ledger: Bind(%q): %w", name, err))
	}
}

var bindable = regexp.MustCompile(`^\pL[\pL\pN._]*$`)

// written returns a value as Go writes its constants, a float with all digits.
func written(value any) (string, error) {
	v := reflect.ValueOf(value)
	switch {
	case v.Kind() == reflect.String:
		return strconv.Quote(v.String()), nil
	case v.CanInt():
		return strconv.FormatInt(v.Int(), 10), nil
	case v.CanUint():
		return strconv.FormatUint(v.Uint(), 10), nil
	case !v.CanFloat():
		return "", fmt.Errorf("a %T is neither a number nor a string", value)
	case math.IsNaN(v.Float()) || math.IsInf(v.Float(), 0):
		return "", fmt.Errorf("the value is %g", v.Float())
	}
	return strconv.FormatFloat(v.Float(), 'g', -1, v.Type().Bits()), nil
}

// Done prints what was compared, in this cell and in those that ran before it,
// and panics if anything was off, or if nothing was compared. Of a cell that ran
// twice the second run counts.
func Done() {
	if err := current.done(os.Stdout); err != nil {
		panic(err)
	}
}

func (s *session) done(w io.Writer) error {
	stated, err := s.checks()
	if err != nil {
		return fmt.Errorf("ledger: %w", err)
	}
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

func format(values []float64) string {
	var text []string
	for _, v := range values {
		text = append(text, strconv.FormatFloat(v, 'g', 6, 64))
	}
	return strings.Join(text, " ")
}
