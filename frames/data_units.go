package frames

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Percent returns a function for CSVSettings.Clean that reads percentages as fractions:
// 12.5% is 0.125, as in scales::percent and unlike readr::parse_number, which drops the
// sign. Decimal is the decimal mark, '.' or ','; the other of the two, a blank or an
// apostrophe may group thousands, by threes. So 1,234% is 12.34 by Percent('.'), and
// 0.01234 by Percent(',').
//
// Blanks around the sign and a minus sign or parentheses for negative values are read, too.
// A number without a percent sign, other than 0, is not: 5 might be 5 or 0.05. It stays text
// that says so, which the report names, or the error of a type that is forced. So do cells
// that are no numbers.
//
//	Clean: map[string]func(string) string{"rate": frames.Percent('.')}
func Percent(decimal rune) func(cell string) string {
	return func(cell string) string {
		number, exponent, negative, unit := amount(cell, decimal)
		switch {
		case number == "":
			return cell
		case unit == "" && strings.Trim(number, "0") != "":
			return cell + " without a percent sign"
		case unit != "%" && unit != "":
			return cell
		}
		return scientific(number, exponent-2, negative)
	}
}

// Currency returns a function for CSVSettings.Clean that reads amounts of money: it drops the
// sign of the currency, such as "$", "€" or "USD", before or after the number. Decimal is the
// decimal mark, '.' or ','; the other of the two, a blank or an apostrophe may group
// thousands, by threes. So $1,234 is 1234 by Currency("$", '.'), and € 1.234,50 is 1234.5 by
// Currency("€", ',').
//
// Negative amounts are written -$5, $-5, -5 $, or in parentheses: ($5.00). A number without
// a sign is read as it is. Cells with the sign of another currency, or with marks that do not
// group by threes (3,50 if decimal is '.'), stay text, which the report names.
//
//	Clean: map[string]func(string) string{"price": frames.Currency("$", '.')}
func Currency(sign string, decimal rune) func(cell string) string {
	return func(cell string) string {
		number, exponent, negative, unit := amount(cell, decimal)
		if number == "" || unit != "" && unit != strings.TrimSpace(sign) {
			return cell
		}
		return scientific(number, exponent, negative)
	}
}

// scientific writes digits times a power of ten, which is read whatever the marks of the
// file are. Zeros that a decimal mark was followed by do not make a whole number of it.
func scientific(digits string, exponent int, negative bool) string {
	minus := ""
	if negative {
		minus = "-"
	}
	if digits = strings.TrimLeft(digits, "0"); digits == "" {
		digits = "0"
	}
	if exponent == 0 {
		return minus + digits
	}
	return minus + digits + "e" + strconv.Itoa(exponent)
}

// amount reads a number with a unit before or after it, a percent sign or that of a currency:
// its digits, the power of ten that they are to be multiplied by, and whether it is
// negative. The digits are "" if the cell is no such number.
func amount(cell string, decimal rune) (digits string, exponent int, negative bool, unit string) {
	s := strings.TrimSpace(strings.ReplaceAll(cell, "\u2212", "-"))
	if inner, ok := strings.CutPrefix(s, "("); ok && strings.HasSuffix(inner, ")") {
		s, negative = strings.TrimSpace(strings.TrimSuffix(inner, ")")), true
	}
	first := strings.IndexAny(s, "0123456789")
	last := strings.LastIndexAny(s, "0123456789")
	if first < 0 {
		return "", 0, false, ""
	}
	for _, mark := range []string{".", ","} { // .5
		if strings.HasSuffix(s[:first], mark) {
			first--
		}
	}
	before, ok := signedUnit(s[:first])
	after := strings.TrimSpace(s[last+1:])
	switch {
	case !ok || before.unit != "" && after != "" || negative && before.minus:
		return "", 0, false, ""
	case before.unit == "%" || after != "" && !isUnit(after):
		return "", 0, false, ""
	}
	if digits, exponent, ok = groupedDigits(s[first:last+1], decimal); !ok {
		return "", 0, false, ""
	}
	return digits, exponent, negative || before.minus, before.unit + after
}

// beforeNumber is what stands before the digits of an amount.
type beforeNumber struct {
	unit  string
	minus bool
}

// signedUnit reads the unit and the sign before a number, in either order: -$, $-, $, +.
func signedUnit(s string) (b beforeNumber, ok bool) {
	s = strings.TrimSpace(s)
	if rest, minus := strings.CutPrefix(s, "-"); minus {
		s, b.minus = strings.TrimSpace(rest), true
	} else if rest, minus := strings.CutSuffix(s, "-"); minus {
		s, b.minus = strings.TrimSpace(rest), true
	} else if rest, plus := strings.CutPrefix(s, "+"); plus {
		s = strings.TrimSpace(rest)
	}
	b.unit = s
	return b, s == "" || isUnit(s)
}

// isUnit reports whether a text is a percent sign or that of a currency: a symbol such as $,
// perhaps after letters (US$), or a code of three capitals.
func isUnit(s string) bool {
	if s == "%" {
		return true
	}
	if len(s) > 8 {
		return false
	}
	last, _ := utf8.DecodeLastRuneInString(s)
	letters := strings.TrimSuffix(s, string(last))
	if unicode.Is(unicode.Sc, last) {
		return strings.IndexFunc(letters, func(r rune) bool { return r < 'A' || r > 'Z' }) < 0
	}
	return len(s) == 3 && strings.IndexFunc(s, func(r rune) bool { return r < 'A' || r > 'Z' }) < 0
}

// groupedDigits reads digits with a decimal mark and groups of three.
func groupedDigits(s string, decimal rune) (digits string, exponent int, ok bool) {
	whole, fraction, point := strings.Cut(s, string(decimal))
	if point && (fraction == "" || strings.Trim(fraction, "0123456789") != "") {
		return "", 0, false
	}
	if strings.Trim(whole, "0123456789") != "" {
		other := rune(',')
		if decimal == ',' {
			other = '.'
		}
		k := strings.IndexFunc(whole, func(r rune) bool { return r < '0' || r > '9' })
		group, _ := utf8.DecodeRuneInString(whole[k:])
		if !slices.Contains([]rune{other, ' ', '\u00a0', '\u202f', '\'', '’'}, group) {
			return "", 0, false
		}
		if whole, ok = joinedGroups(whole, group); !ok {
			return "", 0, false
		}
	}
	return whole + fraction, -len(fraction), whole+fraction != ""
}

// unitCounts counts the cells of a column that are numbers with a unit.
type unitCounts struct {
	units []unitCount
	other slipCell // the first cell that is none
}

// unitCount counts the cells with a unit.
type unitCount struct {
	unit       string
	first      slipCell
	count      int
	dot, comma int // cells that are numbers with that decimal mark only
	either     int // cells that are numbers with both: 1,234
}

// add takes a cell that is not missing; rows are counted from 1.
func (u *unitCounts) add(row int, cell string) {
	const longest, most = 40, 8
	dot, comma, unit := "", "", ""
	if len(cell) <= longest && strings.ContainsAny(cell, "0123456789") {
		other := ""
		dot, _, _, unit = amount(cell, '.')
		comma, _, _, other = amount(cell, ',')
		unit = cmp.Or(unit, other)
	}
	k := slices.IndexFunc(u.units, func(c unitCount) bool { return c.unit == unit })
	if unit == "" || k < 0 && len(u.units) == most {
		u.other.take(row, cell)
		return
	}
	if k < 0 {
		k = len(u.units)
		u.units = append(u.units, unitCount{unit: strings.Clone(unit)})
	}
	c := &u.units[k]
	c.first.take(row, cell)
	c.count++
	switch {
	case comma == "":
		c.dot++
	case dot == "":
		c.comma++
	case strings.ContainsAny(cell, ".,"):
		c.either++
	}
}

// all counts the cells with any unit.
func (u *unitCounts) all() int {
	n := 0
	for _, c := range u.units {
		n += c.count
	}
	return n
}

// note says that most of the values are percentages or amounts, and what reads them; "" if
// they are not.
func (u *unitCounts) note(present int) string {
	if len(u.units) == 0 || !mostly(u.all(), present) {
		return ""
	}
	c := u.units[0]
	for _, other := range u.units {
		if other.count > c.count {
			c = other
		}
	}
	rest := u.other
	for _, other := range u.units {
		if other.unit != c.unit && (rest.row == 0 || other.first.row < rest.row) {
			rest = other.first
		}
	}
	culprit := ""
	if rest.row > 0 {
		culprit = fmt.Sprintf(", though row %d has %q", rest.row, rest.cell)
	}
	what, cure := c.cure()
	return fmt.Sprintf("text, such as %q in row %d%s; to read %s, set CSVSettings.Clean to %s", c.first.cell, c.first.row, culprit, what, cure)
}

// cure says what reads the cells.
func (c unitCount) cure() (what, call string) {
	what = "amounts"
	with := func(decimal rune) string { return fmt.Sprintf("frames.Currency(%q, %q)", c.unit, decimal) }
	if c.unit == "%" {
		what = "percentages"
		with = func(decimal rune) string { return fmt.Sprintf("frames.Percent(%q)", decimal) }
	}
	switch {
	case c.comma > c.dot:
		return what, with(',')
	case c.dot == 0 && c.either > 0:
		return what, with('.') + ", or if the decimal mark is a comma to " + with(',')
	}
	return what, with('.')
}

// inParentheses says what reads a number in parentheses, without a unit; "" for other cells.
func inParentheses(cell string) string {
	for _, decimal := range []rune{'.', ','} {
		if digits, _, negative, unit := amount(cell, decimal); digits != "" && negative && unit == "" && strings.Contains(cell, "(") {
			return fmt.Sprintf("; if parentheses make it negative, set CSVSettings.Clean to frames.Currency(\"\", %q)", decimal)
		}
	}
	return ""
}

// slipCell is a cell with its row, counted from 1; 0 if there is none.
type slipCell struct {
	row  int
	cell string
}

// take keeps the first cell.
func (s *slipCell) take(row int, cell string) {
	if s.row == 0 {
		s.row, s.cell = row, strings.Clone(cell)
	}
}
