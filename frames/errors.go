package frames

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
)

// Sentinels for errors.Is. The errors that functions return wrap them and name
// the culprit: the column, the row (counted from 1) and the value.
var (
	// ErrCSV says that a file cannot be read as a table.
	ErrCSV = errors.New("cannot read the table")
	// ErrSyntax says that a formula cannot be understood.
	ErrSyntax = errors.New("formula not understood")
	// ErrNoColumn says that a name is not a column of the data.
	ErrNoColumn = errors.New("no such column")
	// ErrNotNumeric says that text was found where a number is needed.
	ErrNotNumeric = errors.New("not a number")
	// ErrMissing says that values are missing: all of them, or any of them
	// under the policy NAError.
	ErrMissing = errors.New("missing values")
	// ErrNotFinite says that a value is infinite, or that a function is not
	// defined there. It is mlreg.ErrNotFinite.
	ErrNotFinite = mlreg.ErrNotFinite
	// ErrLevel says that a factor has a level that its training data did not
	// have, or has too few levels.
	ErrLevel = errors.New("factor level")
	// ErrResponse says that the response is also a predictor.
	ErrResponse = errors.New("response is a predictor")
	// ErrNoRows says that no row is left, or that a frame has none. It is
	// mlreg.ErrNoData.
	ErrNoRows = mlreg.ErrNoData
	// ErrNoRecipe says that a design was not made from a formula.
	ErrNoRecipe = errors.New("design has no formula")
	// ErrNoBand says that a fit has no band of the kind asked for.
	ErrNoBand = errors.New("no band")
	// ErrSetting says that an argument is out of range. It is mlreg.ErrSetting.
	ErrSetting = mlreg.ErrSetting
	// ErrTooLarge says that a result would take more memory than a bound, which is found
	// out before memory is taken. It is mlreg.ErrTooLarge.
	ErrTooLarge = mlreg.ErrTooLarge
)

// kindError is an error of one of the kinds above with its own message.
type kindError struct {
	kind error
	msg  string
}

func (e *kindError) Error() string { return "frames: " + format.Line(e.msg) }
func (e *kindError) Unwrap() error { return e.kind }

func errorf(kind error, format string, args ...any) error {
	return &kindError{kind, fmt.Sprintf(format, args...)}
}

// FormulaError is an error about a place in a formula. Its text shows the
// formula with the place underlined.
type FormulaError struct {
	Kind     error  // one of the sentinels of this package
	Message  string // what is wrong, without the formula
	Formula  string // the formula text
	Pos, End int    // the place, Formula[Pos:End]
}

// Error returns the message, the line of the formula and a line of carets.
func (e *FormulaError) Error() string {
	pos := min(max(e.Pos, 0), len(e.Formula))
	end := min(max(e.End, pos), len(e.Formula))
	start := strings.LastIndexByte(e.Formula[:pos], '\n') + 1
	line := e.Formula[start:]
	if k := strings.IndexByte(line, '\n'); k >= 0 {
		line = line[:k]
	}
	end = min(end, start+len(line))
	pad := strings.Map(func(r rune) rune {
		if r == '\t' {
			return r
		}
		return ' '
	}, lineWithTabs(e.Formula[start:pos]))
	width := max(1, utf8.RuneCountInString(lineWithTabs(e.Formula[pos:end])))
	return fmt.Sprintf("frames: %s\n    %s\n    %s%s", format.Line(e.Message), lineWithTabs(line), pad, strings.Repeat("^", width))
}

// lineWithTabs is format.Line, but for tabs.
func lineWithTabs(s string) string {
	parts := strings.Split(s, "\t")
	for i, part := range parts {
		parts[i] = format.Line(part)
	}
	return strings.Join(parts, "\t")
}

// Unwrap makes errors.Is(err, kind) true.
func (e *FormulaError) Unwrap() error { return e.Kind }

// withoutPlace returns the message of an error without a place, such as one of mlreg, and the kind
// that it has in a formula.
func withoutPlace(err error) (message string, kind error) {
	message = strings.TrimPrefix(err.Error(), "frames: ")
	for _, e := range []error{mlreg.ErrShape, mlreg.ErrSetting, mlreg.ErrNotFinite, mlreg.ErrNoData, mlreg.ErrTooLarge} {
		message = strings.TrimPrefix(message, e.Error()+": ")
	}
	kind = ErrSetting
	for _, own := range []error{ErrNotFinite, ErrNotNumeric, ErrMissing} {
		if errors.Is(err, own) {
			kind = own
		}
	}
	return message, kind
}

// suggest returns `; did you mean "..."?` with the candidate nearest to name,
// or a short list of the candidates if none is near.
func suggest(name string, candidates []string) string {
	if near := nearest(name, candidates); near != "" {
		return near
	}
	const most = 20
	if len(candidates) == 0 {
		return ""
	}
	list := format.Line(strings.Join(candidates[:min(most, len(candidates))], ", "))
	if len(candidates) > most {
		list += fmt.Sprintf(" and %d more", len(candidates)-most)
	}
	return "; there are " + list
}

// longName is the longest name, in bytes, that is compared with others.
const longName = 100

// nearest returns `; did you mean "..."?` with the candidate nearest to name, "" if none
// is near.
func nearest(name string, candidates []string) string {
	letters := utf8.RuneCountInString(name)
	best, bestDist := "", (letters+2)/3+1
	for _, c := range candidates {
		if len(name) > longName || len(c) > longName {
			continue // the distance takes the product of the lengths
		}
		if d := editDistance(strings.ToLower(name), strings.ToLower(c)); d < bestDist && d < max(letters, utf8.RuneCountInString(c)) {
			best, bestDist = c, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %q?", best)
}

// editDistance is the optimal string alignment distance: insertions,
// deletions, substitutions and swaps of neighbors each count one.
func editDistance(a, b string) int {
	s, t := []rune(a), []rune(b)
	older, old, cur := make([]int, len(t)+1), make([]int, len(t)+1), make([]int, len(t)+1)
	for j := range old {
		old[j] = j
	}
	for i := 1; i <= len(s); i++ {
		cur[0] = i
		for j := 1; j <= len(t); j++ {
			cost := 1
			if s[i-1] == t[j-1] {
				cost = 0
			}
			cur[j] = min(old[j]+1, cur[j-1]+1, old[j-1]+cost)
			if i > 1 && j > 1 && s[i-1] == t[j-2] && s[i-2] == t[j-1] {
				cur[j] = min(cur[j], older[j-2]+1)
			}
		}
		older, old, cur = old, cur, older
	}
	return old[len(t)]
}
