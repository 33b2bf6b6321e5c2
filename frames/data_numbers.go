package frames

import (
	"slices"
	"strconv"
	"strings"
)

// marks are the marks of decimal numbers; thousands is 0 if there is none.
type marks struct{ decimal, thousands rune }

// dotted are the marks of Go's numbers.
var dotted = marks{decimal: '.'}

// number reads a decimal number, of digits with the given marks and an
// exponent, or an infinity. Numbers beyond float64, hexadecimal numbers and
// digits separated by underscores do not count.
func (m marks) number(cell string) (float64, bool) {
	cell, ok := m.plain(cell)
	if !ok || strings.ContainsAny(cell, "_xXpP") || strings.EqualFold(strings.TrimLeft(cell, "+-"), "nan") {
		return 0, false
	}
	v, err := strconv.ParseFloat(cell, 64)
	return v, err == nil
}

// integer reads a decimal integer of up to 64 bits.
func (m marks) integer(cell string) (int, bool) {
	cell, ok := m.plain(cell)
	if !ok {
		return 0, false
	}
	v, err := strconv.Atoi(cell)
	return v, err == nil
}

// otherBlanks makes blanks of those that break no line.
var otherBlanks = strings.NewReplacer("\u00a0", " ", "\u202f", " ")

// plain returns a number as Go writes it, and false if it has a dot that is not
// a mark, or groups that do not have three digits.
func (m marks) plain(cell string) (string, bool) {
	if m.thousands == ' ' {
		cell = otherBlanks.Replace(cell)
	}
	if m.thousands != 0 && strings.ContainsRune(cell, m.thousands) {
		whole, rest := cell, ""
		if k := strings.IndexAny(cell, string(m.decimal)+"eE"); k >= 0 {
			whole, rest = cell[:k], cell[k:]
		}
		grouped := strings.TrimLeft(whole, "+-")
		digits, ok := joinedGroups(grouped, m.thousands)
		if !ok {
			return "", false
		}
		cell = strings.TrimSuffix(whole, grouped) + digits + rest
	}
	if m.decimal != '.' {
		if strings.ContainsRune(cell, '.') {
			return "", false
		}
		cell = strings.Replace(cell, string(m.decimal), ".", 1)
	}
	return cell, true
}

// joinedGroups takes the marks out of a whole number; it is false if the groups between them do not
// have three digits.
func joinedGroups(whole string, mark rune) (digits string, ok bool) {
	groups := strings.Split(whole, string(mark))
	for i, g := range groups {
		if len(g) > 3 || i > 0 && len(g) < 3 || g == "" || strings.Trim(g, "0123456789") != "" {
			return "", false
		}
	}
	return strings.Join(groups, ""), true
}

// otherMarks reports whether a cell is a number with marks other than a single
// dot: 2,5 or 1.234,5 or 1,234.5.
func otherMarks(cell string) bool {
	return slices.ContainsFunc([]marks{{',', '.'}, {'.', ','}}, func(m marks) bool {
		_, ok := m.number(cell)
		return ok
	})
}
