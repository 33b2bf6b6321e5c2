package source

import (
	"cmp"
	"database/sql/driver"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/frames/internal/table"
)

// This file writes factors as SQL: the number of a level, the keys by which cells are grouped, and checks of their levels.

// factorCheck finds levels that the plan does not know: code is NULL there.
type factorCheck struct {
	text   string // of the variable
	code   string
	value  string // the expression whose values are the levels
	levels []string
	coded  []codedLevel
	sorted bool // coded is in the order in which the database compares values
}

// cellKey is the expression whose values are the levels of a factor.
type cellKey struct {
	text   string // of the variable
	sql    string
	kind   valueKind
	levels []string
	number map[string]int // of a level, by the text that levelText returns

	open bool           // the sums find its levels
	most int            // how many these may be, or statements of their own tell; 0 for any number
	met  []driver.Value // as which the levels of an open key were first met
}

// factor writes the expression whose values are the levels of a factor.
func (c *compiler) factor(text string, n *table.Node) (value, error) {
	x, err := c.compile(n)
	switch {
	case err == nil && x.kind == dateValue:
		err = refuse("a factor of dates, %s, is not written as SQL", text)
	case err == nil && x.kind == numberValue && x.whole == "":
		return c.asNumber(n, x)
	}
	return x, err
}

// key adds the key of a factor: its values, which are looked up here, since a comparison with every level would be
// made in every row.
func (w *sqlPlan) key(c *compiler, v *table.Variable) error {
	x, err := c.factor(v.Text, v.Expr)
	if err != nil {
		return err
	}
	k := cellKey{text: v.Text, kind: x.kind, levels: v.Levels, number: make(map[string]int)}
	for i, level := range v.Levels {
		if x.kind == numberValue {
			num, low, _, err := levelNumber(level, x)
			if err != nil {
				return err
			}
			level = numberText(num, low)
		}
		k.number[level] = i
	}
	k.sql = w.bind(levelValue(x))
	w.keys = append(w.keys, k)
	return nil
}

// level returns the number of the level that a database returned, in an open key that of one which was not met before.
func (k *cellKey) level(v driver.Value) (int, error) {
	text, ok := levelText(k.kind, v)
	i, known := k.number[text]
	switch {
	case ok && known:
		return i, nil
	case !k.open:
		return 0, errorf(frames.ErrLevel, "level %q of %s was not seen in training; the levels are %q", text, k.text, k.levels)
	case k.most > 0 && (!ok || len(k.levels) == k.most):
		return 0, errUndecided
	case !ok:
		return 0, errorf(ErrSource, "a level of %s is %v", k.text, v)
	}
	text = strings.Clone(text)
	if of, ok := v.([]byte); ok { // the driver's until the next row
		v = slices.Clone(of)
	}
	i = len(k.levels)
	k.number[text], k.levels, k.met = i, append(k.levels, text), append(k.met, v)
	return i, nil
}

// levelsOf finds how the levels of a factor are compared.
func (w *sqlPlan) levelsOf(c *compiler, v *table.Variable) (f factorCheck, err error) {
	x, err := c.factor(v.Text, v.Expr)
	if err != nil {
		return f, err
	}
	of := x.sql
	if x.whole != "" {
		of = x.whole
	}
	f = factorCheck{text: v.Text, value: of, levels: v.Levels, coded: make([]codedLevel, len(v.Levels))}
	for k, level := range v.Levels {
		if f.coded[k], err = c.codedLevel(level, k, of, x); err != nil {
			return f, err
		}
	}
	f.sorted = !w.e.d.OneLevel && inOrder(v, x, f.coded) // what stands in WITH is computed for all rows, whether it is needed or not
	return f, nil
}

// code writes the index of a level.
func (w *sqlPlan) code(c *compiler, v *table.Variable) (string, error) {
	f, err := w.levelsOf(c, v)
	if err != nil {
		return "", err
	}
	text := f.write(strconv.Itoa)
	if len(text) > maxSQL {
		return "", refuse("factor %s has too many levels for SQL", v.Text)
	}
	f.code = w.bind(text)
	w.factors = append(w.factors, f)
	return f.code, nil
}

// codedLevel is a level as it is compared.
type codedLevel struct {
	level    string
	code     int
	num, low float64 // of numbers
	sql, is  string  // the value, and what is true in its rows
}

// codedLevel writes a level of the values of x, which are read as of.
func (c *compiler) codedLevel(level string, code int, of string, x value) (l codedLevel, err error) {
	l = codedLevel{level: level, code: code}
	if x.kind == truthValue {
		if l.is = x.sql; level != "TRUE" {
			l.is = "NOT (" + x.sql + ")"
		}
		return l, nil
	}
	if x.kind == textValue {
		l.sql, err = c.d.text(level)
	} else {
		var whole bool
		if l.num, l.low, whole, err = levelNumber(level, x); whole {
			l.sql = wholeConstant(l.num, l.low)
		} else {
			l.sql = c.d.number(l.num)
		}
	}
	l.is = of + " = " + l.sql
	return l, err
}

// levelNumber reads a level of the numbers x; whole says that it is compared as an integer of SQL.
func levelNumber(level string, x value) (num, low float64, whole bool, err error) {
	if num, low, whole = table.SplitText(level); whole && x.whole != "" {
		return num, low, true, nil
	}
	if num, err = strconv.ParseFloat(level, 64); err != nil {
		err = errorf(frames.ErrLevel, "level %q is no number", level)
	}
	return num, 0, false, err
}

// inOrder sorts levels as the database compares their values, and tells whether it knows how: bytes are the same in
// all encodings for texts of ASCII only, and texts that are no column compare as the database likes.
func inOrder(v *table.Variable, x value, all []codedLevel) bool {
	switch x.kind {
	case numberValue:
		slices.SortFunc(all, func(a, b codedLevel) int { return cmp.Or(cmp.Compare(a.num, b.num), cmp.Compare(a.low, b.low)) })
		return true
	case textValue:
		ascii := func(l codedLevel) bool {
			return !strings.ContainsFunc(l.level, func(r rune) bool { return r >= utf8.RuneSelf })
		}
		if v.Expr.Kind != table.ColumnNode || slices.ContainsFunc(all, func(l codedLevel) bool { return !ascii(l) }) {
			return false
		}
		slices.SortFunc(all, func(a, b codedLevel) int { return strings.Compare(a.level, b.level) })
		return true
	}
	return false
}

// write writes what of returns for the code of the level of a row, NULL of a value that is no level: by halves, if levels are in
// their order, so that a row makes about as many comparisons as the number of levels has binary digits. It mentions the value
// and no name, since a database that puts expressions in the place of names would write the code out for every level.
func (f *factorCheck) write(of func(code int) string) string {
	const few = 4
	var write func(levels []codedLevel) string
	write = func(levels []codedLevel) string {
		if half := len(levels) / 2; f.sorted && len(levels) > few {
			return "CASE WHEN " + f.value + " < " + levels[half].sql + " THEN " + write(levels[:half]) + " ELSE " + write(levels[half:]) + " END"
		}
		var text strings.Builder
		text.WriteString("CASE")
		for _, l := range levels {
			text.WriteString(" WHEN " + l.is + " THEN " + of(l.code))
		}
		return text.String() + " END"
	}
	return write(f.coded)
}

// valueOf writes one of the values that the levels of some of all factors decide, those of the last one running first.
func (w *sqlPlan) valueOf(all []factorCheck, factors []int, values []float64) string {
	if len(factors) == 0 || !slices.ContainsFunc(values, func(v float64) bool { return v != values[0] }) {
		return w.e.d.number(values[0])
	}
	f := &all[factors[0]]
	each := len(values) / len(f.levels)
	return f.write(func(code int) string { return w.valueOf(all, factors[1:], values[code*each:(code+1)*each]) })
}
