package source

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// DuckDB reads a file as a view of the columns that it had when it was opened. These are its
// messages about a file that has others now.
var (
	otherColumns = regexp.MustCompile(`(?s)Contents of view were altered: (types|names) don't match! Expected \[(.*)\], but found \[(.*)\] instead`)
	fewerColumns = regexp.MustCompile(`has (\d+) columns available but (\d+) columns specified`)
)

// rewritten returns an ErrChanged that names the column if a file was written with other
// columns since it was opened, nil if that is not what err says.
func (e *sqlEngine) rewritten(err error) error {
	text := err.Error()
	if q := (*queryError)(nil); errors.As(err, &q) {
		text = q.err.Error() // all of it
	}
	if e.d != DuckDB || !strings.Contains(text, "Binder Error") {
		return nil
	}
	changed := func(what string) error {
		return errorf(ErrChanged, "%v has changed since it was opened: %s; open it again", e, what)
	}
	if m := fewerColumns.FindStringSubmatch(text); m != nil {
		return changed(fmt.Sprintf("it had %s columns and has %s", m[2], m[1]))
	}
	m := otherColumns.FindStringSubmatch(text)
	if m == nil {
		return nil
	}
	before, now := listed(m[2]), listed(m[3])
	switch {
	case len(before) != len(now) && m[1] == "names": // one has a comma
		return changed("its columns are " + m[3] + " now")
	case len(before) != len(now):
		return changed(fmt.Sprintf("it had %d columns and has %d", len(before), len(now)))
	}
	for j := range before {
		switch {
		case before[j] == now[j]:
		case m[1] == "names":
			return changed(fmt.Sprintf("column %q is %q now", before[j], now[j]))
		case len(e.names) == len(now):
			return changed(fmt.Sprintf("column %q was %s and is %s", e.names[j], before[j], now[j]))
		}
	}
	return changed("it has other columns")
}

// listed splits a list at the commas that no parentheses or quotes enclose.
func listed(s string) []string {
	var all []string
	depth, from, quoted := 0, 0, false
	for i, r := range s {
		switch {
		case r == '"':
			quoted = !quoted
		case quoted:
		case r == '(':
			depth++
		case r == ')':
			depth--
		case depth == 0 && strings.HasPrefix(s[i:], ", "):
			all, from = append(all, s[from:i]), i+2
		}
	}
	return append(all, s[from:])
}
