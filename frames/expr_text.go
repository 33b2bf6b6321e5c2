package frames

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-gota/gota/series"
)

// This file has the functions of text that need no pattern. They mean what they mean in R; numbers
// and truth values among their arguments are taken as text, as R writes them: 2.5, TRUE.

func init() {
	for fn, change := range map[string]func(string) string{"tolower": strings.ToLower, "toupper": strings.ToUpper, "as.character": strings.Clone} {
		registerValue(fn, valueFunction{params: []string{"x"}, typ: series.String, of: func(*options) (compute, error) {
			return func(e *evaluator, x []*column) (*column, error) { return e.texted(x, change), nil }, nil
		}})
	}
	registerValue("trimws", valueFunction{params: []string{"x", "which"}, typ: series.String, of: trimmed})
	registerValue("nchar", valueFunction{params: []string{"x"}, typ: series.Int, of: func(*options) (compute, error) {
		return func(e *evaluator, x []*column) (*column, error) {
			return e.counted(x, func(i int) float64 { return float64(utf8.RuneCountInString(x[0].at(i))) }), nil
		}, nil
	}})
	registerValue("substr", valueFunction{params: []string{"x", "start", "stop"}, data: []string{"x", "start", "stop"}, least: 3, typ: series.String, of: substring})
	registerValue("startsWith", valueFunction{params: []string{"x", "prefix"}, data: []string{"x", "prefix"}, least: 2, typ: series.Bool, of: edged(strings.HasPrefix)})
	registerValue("endsWith", valueFunction{params: []string{"x", "suffix"}, data: []string{"x", "suffix"}, least: 2, typ: series.Bool, of: edged(strings.HasSuffix)})
	registerValue("paste", valueFunction{params: []string{"...", "sep"}, typ: series.String, fills: true, of: pasted(" ")})
	registerValue("paste0", valueFunction{params: []string{"...", "sep"}, typ: series.String, fills: true, of: pasted("")})
	registerValue("sprintf", valueFunction{params: []string{"..."}, typ: series.String, fills: true, check: checker.sprintf, of: formatted})
}

// texted returns a text for every row whose arguments are not missing, made of the first of them.
func (e *evaluator) texted(x []*column, change func(string) string) *column {
	return e.textOf(x, func(i int) (string, bool) { return change(x[0].at(i)), true })
}

// textOf returns a text for every row whose arguments are not missing; ok is false where the value is.
func (e *evaluator) textOf(x []*column, value func(i int) (text string, ok bool)) *column {
	c := e.same(series.String, func(c *column, i int) {
		if c.missing[i] = anyMissing(x, i); !c.missing[i] {
			var ok bool
			c.text[i], ok = value(i)
			c.missing[i] = !ok
		}
	})
	c.notDates = true
	return c
}

// counted returns a whole number for every row whose arguments are not missing.
func (e *evaluator) counted(x []*column, value func(i int) float64) *column {
	return e.same(series.Int, func(c *column, i int) {
		if c.missing[i] = anyMissing(x, i); !c.missing[i] {
			c.num[i] = value(i)
		}
	})
}

// trimmed computes trimws(x, which); as in R, blanks are spaces, tabs and the ends of lines.
func trimmed(o *options) (compute, error) {
	const blanks = " \t\r\n"
	which, err := o.among("which", "both", "left", "right")
	if err != nil {
		return nil, err
	}
	return func(e *evaluator, x []*column) (*column, error) {
		return e.texted(x, func(s string) string {
			if which != "right" {
				s = strings.TrimLeft(s, blanks)
			}
			if which != "left" {
				s = strings.TrimRight(s, blanks)
			}
			return s
		}), nil
	}, nil
}

// substring computes substr(x, start, stop), whose places count letters from 1.
func substring(o *options) (compute, error) {
	return func(e *evaluator, x []*column) (*column, error) {
		for k, place := range x[1:] {
			if place.typ == series.String {
				return nil, formulaErrorf(ErrNotNumeric, e.src, o.data[k+1], "substr takes two places, numbers: substr(a, 1, 3) has the first three letters")
			}
		}
		return e.textOf(x, func(i int) (string, bool) {
			letters := []rune(x[0].at(i))
			from := max(math.Trunc(x[1].num[i]), 1)
			to := min(math.Trunc(x[2].num[i]), float64(len(letters)))
			if !(from <= to) {
				return "", true
			}
			return string(letters[int(from)-1 : int(to)]), true
		}), nil
	}, nil
}

// edged computes startsWith and endsWith.
func edged(has func(s, edge string) bool) func(o *options) (compute, error) {
	return func(*options) (compute, error) {
		return func(e *evaluator, x []*column) (*column, error) {
			return e.same(series.Bool, func(c *column, i int) {
				if c.missing[i] = anyMissing(x, i); !c.missing[i] {
					c.num[i] = indicator(has(x[0].at(i), x[1].at(i)))
				}
			}), nil
		}, nil
	}
}

// pasted computes paste(a, b, sep = " "). As in R, a missing value is the text NA.
func pasted(sep string) func(o *options) (compute, error) {
	return func(o *options) (compute, error) {
		sep, err := o.text("sep", sep)
		if err != nil {
			return nil, err
		}
		return func(e *evaluator, x []*column) (*column, error) {
			parts := make([]string, len(x))
			return e.textOf(nil, func(i int) (string, bool) {
				for k, c := range x {
					parts[k] = c.at(i)
				}
				return strings.Join(parts, sep), true
			}), nil
		}, nil
	}
}

// verb is a place for a value in a format of sprintf, with the text before it.
type verb struct {
	before, flags string
	letter        byte // 0 of what is behind the last value
}

// sprintf checks sprintf(format, ...).
func (c checker) sprintf(n *call) error {
	o, err := matchArgs(c.src, n, []string{"..."})
	if err != nil {
		return err
	}
	verbs, err := verbsOf(o)
	if err != nil {
		return err
	}
	if values := len(o.data) - 1; values != len(verbs)-1 {
		return c.fail(n, "the format of sprintf has places for %d values, and %d are given", len(verbs)-1, values)
	}
	for _, x := range o.data[1:] {
		if err := c.comparable(x); err != nil {
			return err
		}
	}
	return nil
}

// verbsOf reads the format of sprintf: that of C, of which R's and Go's are.
func verbsOf(o *options) ([]verb, error) {
	t, ok := stripped(o.data[0]).(*text)
	if !ok {
		return nil, formulaErrorf(ErrSyntax, o.src, o.data[0], "the first argument of sprintf is its format, a text in quotes, such as \"%%.1f kg\"")
	}
	var all []verb
	before, rest := "", t.value
	for {
		text, after, found := strings.Cut(rest, "%")
		before += text
		if !found {
			return append(all, verb{before: before}), nil
		}
		if strings.HasPrefix(after, "%") {
			before, rest = before+"%", after[1:]
			continue
		}
		flags := len(after) - len(strings.TrimLeft(after, "+- #0123456789."))
		if flags == len(after) || !strings.ContainsRune("diouxXeEfgGs", rune(after[flags])) {
			return nil, formulaErrorf(ErrSyntax, o.src, o.data[0], "the format %q has %q, which sprintf does not know; its places are %%d, %%s, %%f, %%e, %%g and %%x, with width and digits as in %%5.1f, and %%%% is a percent sign",
				t.value, "%"+after[:min(len(after), flags+1)])
		}
		all = append(all, verb{before: before, flags: after[:flags], letter: after[flags]})
		before, rest = "", after[flags+1:]
	}
}

// formatted computes sprintf(format, ...). As in R, a missing value is the text NA.
func formatted(o *options) (compute, error) {
	verbs, err := verbsOf(o)
	if err != nil {
		return nil, err
	}
	return func(e *evaluator, x []*column) (*column, error) {
		x = x[1:]
		for k, c := range x {
			if c.typ == series.String && verbs[k].letter != 's' {
				return nil, formulaErrorf(ErrNotNumeric, e.src, o.data[k+1], "%s is text; its place in the format is %%s, not %%%s%c", label(o.data[k+1]), verbs[k].flags, verbs[k].letter)
			}
			if slices.Contains([]byte("dioxX"), verbs[k].letter) {
				for i, v := range c.num {
					if v != math.Trunc(v) && !c.missing[i] {
						return nil, formulaErrorf(ErrNotNumeric, e.src, o.data[k+1], "%%%c is for whole numbers, and %s is %s in row %d; %%.0f rounds, %%g is for any number", verbs[k].letter, label(o.data[k+1]), c.at(i), e.number1(e.row(i)))
					}
				}
			}
		}
		return e.textOf(nil, func(i int) (string, bool) {
			var b strings.Builder
			for k, v := range verbs {
				b.WriteString(v.before)
				if v.letter != 0 {
					b.WriteString(v.format(x[k], i))
				}
			}
			return b.String(), true
		}), nil
	}, nil
}

// format writes a value.
func (v verb) format(c *column, i int) string {
	width, _, digits := strings.Cut(v.flags, ".")
	switch {
	case c.missing[i]: // R gives it the width, and blanks for zeros
		return fmt.Sprintf("%"+strings.TrimLeft(strings.ReplaceAll(width, "+", ""), "0#")+"s", "NA")
	case v.letter == 's':
		return fmt.Sprintf("%"+v.flags+"s", c.at(i))
	case slices.Contains([]byte("diu"), v.letter):
		if num, low := c.value(i); low != 0 {
			return exactText(num, low)
		}
		return fmt.Sprintf("%"+v.flags+"d", int64(c.num[i]))
	case slices.Contains([]byte("oxX"), v.letter):
		return fmt.Sprintf("%"+v.flags+string(v.letter), int64(c.num[i]))
	case (v.letter == 'g' || v.letter == 'G') && !digits:
		return fmt.Sprintf("%"+v.flags+".6"+string(v.letter), c.num[i])
	}
	return fmt.Sprintf("%"+v.flags+string(v.letter), c.num[i])
}
