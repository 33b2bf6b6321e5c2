// Package format writes numbers and names as tables and figures show them.
package format

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Digits is the number of significant digits of a table.
const Digits = 4

// mostDigits are all that a float64 has.
const mostDigits = 1100

// Number formats x to the given number of significant digits, without an
// exponent where 1e-4 <= |x| < 1e7 and without trailing zeros. What is before
// the point keeps its digits. NaN is "NA", infinite values are "Inf" and "-Inf".
func Number(x float64, digits int) string {
	switch {
	case math.IsNaN(x):
		return "NA"
	case math.IsInf(x, 1):
		return "Inf"
	case math.IsInf(x, -1):
		return "-Inf"
	case x == 0:
		return "0"
	}
	digits = min(max(digits, 1), mostDigits)
	s := strconv.FormatFloat(x, 'e', digits-1, 64)
	e := strings.IndexByte(s, 'e')
	exponent, err := strconv.Atoi(s[e+1:])
	if err != nil || exponent < -4 || exponent >= 7 {
		return trimZeros(s[:e]) + s[e:]
	}
	decimals := max(0, digits-1-exponent)
	return trimZeros(strconv.FormatFloat(x, 'f', decimals, 64))
}

// trimZeros removes zeros, and then a point, from the end of a decimal number.
func trimZeros(s string) string {
	if !strings.Contains(s, ".") {
		return s
	}
	return strings.TrimRight(strings.TrimRight(s, "0"), ".")
}

// Numbers formats a column: all values with the same number of decimals if
// that shows the largest to the given significant digits and the smallest to
// two, in at most ten characters; each value by itself otherwise. Whole
// numbers are written without decimals.
func Numbers(xs []float64, digits int) []string {
	cells := make([]string, len(xs))
	decimals, common := CommonDecimals(xs, digits)
	for i, x := range xs {
		if common {
			cells[i] = Decimal(x, decimals)
		} else {
			cells[i] = Number(x, digits)
		}
	}
	if common {
		dropCommonZeros(cells, decimals)
	}
	return cells
}

// dropCommonZeros removes the last decimals of numbers that all have the given
// number of them, as long as all end in 0.
func dropCommonZeros(cells []string, decimals int) {
	for ; decimals > 0; decimals-- {
		for _, s := range cells {
			if c := s[len(s)-1]; c >= '1' && c <= '9' {
				return
			}
		}
		for i, s := range cells {
			if strings.HasSuffix(s, "0") {
				cells[i] = strings.TrimSuffix(s[:len(s)-1], ".")
			}
		}
	}
}

// CommonDecimals returns the number of decimals that suits all finite values,
// and whether there is one.
func CommonDecimals(xs []float64, digits int) (decimals int, ok bool) {
	smallest, largest := math.Inf(1), 0.0
	whole := true
	for _, x := range xs {
		a := math.Abs(x)
		if math.IsNaN(a) || math.IsInf(a, 0) || a == 0 {
			continue
		}
		smallest, largest = math.Min(smallest, a), math.Max(largest, a)
		whole = whole && a == math.Trunc(a)
	}
	if largest == 0 {
		return 0, true
	}
	if whole {
		return 0, largest < 1e15
	}
	order := func(a float64) int { return int(math.Floor(math.Log10(a))) }
	decimals = max(digits-1-order(largest), 1-order(smallest), 0)
	return decimals, decimals <= 8 && max(order(largest), 0)+2+decimals <= 10
}

// Decimal formats x with so many decimals; zero has no sign, and what is not
// finite is written as Number does.
func Decimal(x float64, decimals int) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return Number(x, 1)
	}
	s := strconv.FormatFloat(x, 'f', min(max(decimals, 0), mostDigits), 64)
	if strings.Trim(s, "-0.") == "" {
		s = strings.TrimPrefix(s, "-") // no -0.00
	}
	return s
}

// PValue formats a probability to four decimals, and below 0.0001 as "<0.0001".
// NaN is "NA".
func PValue(p float64) string {
	if p < 1e-4 {
		return "<0.0001"
	}
	return Decimal(p, 4)
}

// Probability writes a probability to four decimals, and what is nearer to 0
// or 1 than that as <0.0001 and >0.9999.
func Probability(p float64) string {
	if p > 0.9999 {
		return ">0.9999"
	}
	return PValue(p)
}

// Signed writes a number to two decimals with its sign: +1.25.
func Signed(x float64) string {
	s := Decimal(x, 2)
	if s[0] == '-' {
		return s
	}
	return "+" + s
}

// Grouped writes a whole number with commas between thousands.
func Grouped(x float64) string {
	s := strconv.FormatFloat(x, 'f', 0, 64)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Plural returns "1 row", "2 rows".
func Plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// How many rows of many are shown.
const (
	HeadRows = 10
	FewRows  = 25 // no more are shown whole
)

// HeadLength returns how many of n rows are shown: 0 means ten, or all if there
// are up to 25, and a negative number all.
func HeadLength(rows, n int) int {
	switch {
	case rows == 0 && n <= FewRows, rows < 0, rows > n:
		return n
	case rows == 0:
		return HeadRows
	}
	return rows
}

// HeldOut says how many of the planned folds of a cross-validation were held out.
func HeldOut(done, planned int) string {
	switch {
	case planned == 1:
		return "rows held out"
	case done < planned:
		return fmt.Sprintf("%d of the folds of %d-fold cross-validation", done, planned)
	}
	return fmt.Sprintf("%d-fold cross-validation", planned)
}

// Quoted quotes names for an error: the first twelve, and how many more there are.
func Quoted(names []string) string {
	const most = 12
	quoted := make([]string, 0, most)
	for i, name := range names {
		if i == most {
			return strings.Join(quoted, ", ") + fmt.Sprintf(" and %d more", len(names)-most)
		}
		quoted = append(quoted, fmt.Sprintf("%q", name))
	}
	return strings.Join(quoted, ", ")
}

// Set writes names as a set.
func Set(names []string) string { return "{" + strings.Join(names, ", ") + "}" }

// Choice returns the name of a choice of a type, and Type(7) for one without a name.
func Choice(of string, choice int, names ...string) string {
	if choice < 0 || choice >= len(names) {
		return fmt.Sprintf("%s(%d)", of, choice)
	}
	return names[choice]
}

// Line sets the lines of a text side by side and shows control characters,
// changes of the direction of writing, and bytes that are no characters as Go
// escapes them, so that no name moves the cursor or hides another.
func Line(s string) string {
	if !strings.ContainsFunc(s, hidden) && utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	s = strings.ReplaceAll(s, "\r\n", "\n")
	for i, width := 0, 0; i < len(s); i += width {
		var r rune
		r, width = utf8.DecodeRuneInString(s[i:])
		switch {
		case r == '\n' || r == '\r' || r == '\t':
			b.WriteByte(' ')
		case r == utf8.RuneError && width == 1 || r < 0x80 && hidden(r):
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case hidden(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// Error returns an error that says what err says as Line writes it, and wraps err: the
// errors of the system have paths as they are.
func Error(err error) error {
	if err == nil {
		return nil
	}
	return &lineError{err}
}

type lineError struct{ err error }

func (e *lineError) Error() string { return Line(e.err.Error()) }
func (e *lineError) Unwrap() error { return e.err }

// hidden tells what Line does not write as it is.
func hidden(r rune) bool {
	return unicode.IsControl(r) || r >= 0x200E && r <= 0x200F || r >= 0x2028 && r <= 0x202E || r >= 0x2066 && r <= 0x2069
}

// mathDelimiters are set off in elements of their own, where the TeX
// typesetters of notebooks, which look for pairs within one text, do not find
// them.
var mathDelimiters = strings.NewReplacer("$", "<span>$</span>", `\`, `<span>\</span>`)

// HTML makes a page show the characters of a text as they are.
func HTML(s string) string { return mathDelimiters.Replace(EscapeHTML(Line(s))) }

var markup = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;", "'", "&#39;")

// EscapeHTML is html.EscapeString without package html, whose table of two thousand entities the linker of
// every cell would read.
func EscapeHTML(s string) string { return markup.Replace(s) }

// Each returns f of every row.
func Each[R, C any](rows []R, f func(R) C) []C {
	c := make([]C, len(rows))
	for i, r := range rows {
		c[i] = f(r)
	}
	return c
}
