package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/regbook/regbook/internal/randomtable"
)

// formulas draws formulas for a table.
type formulas struct {
	dice
	table *table
	// plain formulas have numbers only, no factor and no function; simple ones few
	// functions and no interaction.
	plain, simple bool
	// intercept asks for one, and more for several terms.
	intercept, more bool
	// room is how many columns of the design the rows still allow.
	room int
}

// variable is an expression that may stand in a formula, and how many columns it makes.
type variable struct {
	text  string
	width int
}

var word = regexp.MustCompile(`^[A-Za-z.][A-Za-z0-9._]*$`)

// quoted returns a name as a formula has it.
func quoted(name string) string {
	if word.MatchString(name) {
		return name
	}
	return "`" + name + "`"
}

// draw returns a formula of the given response, already quoted or in a function; columns
// named in leave do not occur in it.
func (f *formulas) draw(response string, leave ...string) string {
	var candidates []column
	for _, c := range f.table.Columns {
		if _, number := c.Numbers(); !slices.Contains(leave, c.Name) && len(c.Levels()) > 1 && (number || !f.plain && len(c.Levels()) < 8) {
			candidates = append(candidates, c)
		}
	}
	f.Shuffle(len(candidates), func(i, j int) { candidates[i], candidates[j] = candidates[j], candidates[i] })
	if len(candidates) == 0 || !f.more && f.Chance(0.01) {
		return response + " ~ 1"
	}
	if f.table.Name != "random" && f.Chance(0.08) && len(leave) == 1 && !f.tooWide(candidates) {
		return response + " ~ " + f.dot(candidates)
	}
	var terms []string
	count := f.Between(1, 5)
	if f.more {
		count = f.Between(2, 9)
	}
	for _, c := range candidates[:min(len(candidates), count)] {
		term := f.term(c, candidates)
		if f.room -= term.width; f.room < 0 && len(terms) > 0 {
			break
		}
		if !slices.Contains(terms, term.text) {
			terms = append(terms, term.text)
		}
	}
	right := strings.Join(terms, " + ")
	if !f.intercept && f.Chance(0.08) {
		return response + " ~ " + randomtable.Pick(f.dice, right+" - 1", "0 + "+right)
	}
	return response + " ~ " + right
}

// tooWide tells whether the main effects of all columns leave no row.
func (f *formulas) tooWide(candidates []column) bool {
	width := 0
	for _, c := range candidates {
		width += asItIs(c).width
	}
	for _, c := range f.table.Columns {
		if _, number := c.Numbers(); !number && len(c.Levels()) >= 8 {
			return true
		}
	}
	return width > f.room
}

// dot returns a right side with a dot.
func (f *formulas) dot(candidates []column) string {
	switch other := quoted(randomtable.Pick(f.dice, candidates...).Name); {
	case f.Chance(0.2):
		return ". - " + other
	case !f.intercept && f.Chance(0.2):
		return ". - 1"
	}
	return "."
}

// asItIs returns a column as it is.
func asItIs(c column) variable { return variable{quoted(c.Name), widthOf(c)} }

func widthOf(c column) int {
	if _, number := c.Numbers(); number {
		return 1
	}
	return len(c.Levels()) - 1
}

// term draws a term that starts from a column.
func (f *formulas) term(c column, candidates []column) variable {
	a := f.variable(c)
	if f.plain || f.simple || len(candidates) < 2 || !f.Chance(0.3) {
		return a
	}
	other := randomtable.Pick(f.dice, candidates...)
	if other.Name == c.Name {
		return a
	}
	b := f.variable(other)
	if f.Chance(0.5) {
		b = asItIs(other)
	}
	product := a.width*b.width + a.width + b.width
	if product > f.room {
		return a
	}
	switch f.IntN(8) {
	case 0, 1:
		return variable{a.text + ":" + b.text, a.width*b.width + 2}
	case 2:
		return variable{a.text + "/" + b.text, product}
	case 3:
		return variable{"(" + a.text + " + " + b.text + ")^2", product}
	case 4:
		return variable{a.text + "*" + b.text + " - " + a.text, product}
	default:
		return variable{a.text + "*" + b.text, product}
	}
}

// variable draws a column as it is or a function of it.
func (f *formulas) variable(c column) variable {
	values, number := c.Numbers()
	as := asItIs(c)
	if f.plain || f.Chance(0.5) || f.simple && f.Chance(0.6) {
		return as
	}
	levels := len(c.Levels())
	if !number {
		return f.factor(c, as)
	}
	if levels <= 7 && f.Chance(0.5) {
		return variable{"factor(" + as.text + ")", levels - 1}
	}
	if f.Chance(0.1) {
		return f.condition(as, randomtable.Pick(f.dice, values...))
	}
	least := slices.Min(values)
	options := []variable{
		{"I(" + as.text + "^2)", 1}, {"I(" + as.text + "/3 + 1)", 1}, {"abs(" + as.text + ")", 1},
		{"scale(" + as.text + ")", 1}, {"scale(" + as.text + ", scale = FALSE)", 1}, {"I(" + as.text + "^3)", 1},
		{"I(-" + as.text + ")", 1}, {"sin(" + as.text + ")", 1},
	}
	if least > 0 {
		options = append(options, variable{"log(" + as.text + ")", 1}, variable{"log(" + as.text + ")", 1},
			variable{"I(1/" + as.text + ")", 1}, variable{"log10(" + as.text + ")", 1})
	}
	if least >= 0 {
		options = append(options, variable{"sqrt(" + as.text + ")", 1}, variable{"log1p(" + as.text + ")", 1})
	}
	if k := f.Between(2, 5); levels > k+3 {
		for range 2 {
			options = append(options, variable{fmt.Sprintf("poly(%s, %d)", as.text, k), k},
				variable{fmt.Sprintf("ns(%s, %d)", as.text, k), k},
				variable{fmt.Sprintf("ns(%s, df = %d)", as.text, k), k},
				variable{fmt.Sprintf("bs(%s, %d)", as.text, k+2), k + 2},
				variable{fmt.Sprintf("bs(%s, df = %d)", as.text, k+1), k + 1})
		}
		options = append(options, variable{fmt.Sprintf("poly(%s, %d, raw = TRUE)", as.text, min(k, 3)), min(k, 3)},
			variable{fmt.Sprintf("ns(log(%s + %s), %d)", as.text, randomtable.Text(1-min(least, 0)*1.01, 4), k), k})
		if levels > 12 {
			slices.Sort(values)
			at := func(p float64) string { return randomtable.Text(values[int(p*float64(len(values)))], 12) }
			options = append(options, variable{fmt.Sprintf("ns(%s, knots = c(%s, %s))", as.text, at(0.3), at(0.7)), 3},
				variable{fmt.Sprintf("bs(%s, knots = %s, degree = 2)", as.text, at(0.5)), 3})
		}
	}
	return randomtable.Pick(f.dice, options...)
}

// factor draws a coding of a column of text.
func (f *formulas) factor(c column, as variable) variable {
	switch level := randomtable.Pick(f.dice, c.Levels()...); f.IntN(8) {
	case 0, 1:
		return variable{"factor(" + as.text + ")", as.width}
	case 2:
		return variable{fmt.Sprintf("relevel(factor(%s), ref = %q)", as.text, level), as.width}
	case 3:
		return variable{fmt.Sprintf("C(%s, %s)", as.text, randomtable.Pick(f.dice, "Sum", "Helmert", "Poly")), as.width}
	case 4:
		if word.MatchString(level) && level != "TRUE" && level != "FALSE" {
			return variable{fmt.Sprintf("I(%s == %q)", as.text, level), 1}
		}
	}
	return as
}

// condition draws a condition on a number, or a choice by one.
func (f *formulas) condition(as variable, at float64) variable {
	is := as.text + randomtable.Pick(f.dice, " > ", " <= ") + randomtable.Text(at, 4)
	return variable{randomtable.Pick(f.dice, "I("+is+")", "ifelse("+is+", "+as.text+", "+randomtable.Text(at, 4)+")"), 1}
}
