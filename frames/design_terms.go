package frames

import (
	"fmt"
	"slices"
	"strings"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
)

// Terms is a formula fitted to data: all constants needed to code new rows like
// the training rows. A design made from a formula keeps its Terms in its Coding.
// Terms hold no data and can be stored with gob.
type Terms struct {
	Formula   string     // the formula as text, the dot written out
	Response  string     // the response as written in the formula, "" if none
	Classes   []string   // the levels of a response that is a class, nil for a number
	Intercept bool       // whether an intercept is fitted
	Variables []Variable // the variables of the terms
	Terms     []Term     // the terms, by rising order of interaction
	Columns   []string   // names of the columns of X
	Assign    []int      // the term, as an index of Terms, of each column
	Offsets   []string   // what the offsets are, for example log(t)
	Weights   string     // the column of weights, "" if none
	Absorb    string     // the column of the factor to absorb, "" if none
	NA        NAPolicy   // the policy for missing values
	Since     string     // the day from which dates are counted, in ISO form; "" if there are none

	N       int            // rows of the frame
	Omitted int            // rows omitted for missing values
	Missing []MissingCount // columns used that have missing values
	Words   []WordCount    // for each words(), how much of the text its vocabulary covers
	Rounded []string       // columns of numbers whose integers beyond 2^53 are the nearest float64
	// Beyond has the terms bs, ns and poly that have rows beyond their range: rows coded like
	// those fitted, or boundary knots within the data.
	Beyond []mlreg.Extrapolation
}

// Variable is one expression of a formula, with the constants learned from the
// training rows.
type Variable struct {
	Text      string       // as R prints it, for example poly(age, 3)
	Levels    []string     // of a factor, the reference level first; nil if not a factor
	Contrasts Contrasts    // of a factor
	Basis     mlreg.Basis  // of a function such as poly; nil if not one
	Words     *mlreg.Words // of words(); nil if not one
	Since     string       // the day from which its dates are counted; "" if it has none
}

// Term is a product of variables.
type Term struct {
	Label     string // the texts of its variables, joined by colons
	Variables []int  // indices of Terms.Variables
	// Full says, for each variable, whether a factor has a column for every
	// level; if not, its reference level has none.
	Full []bool
}

// MissingCount is the number of missing values of a column.
type MissingCount struct {
	Column string
	Count  int
}

// WordCount counts the words in the texts of a words() term, in the rows kept,
// repeats included. Unknown counts those that the fit ignores: words that are
// neither in the vocabulary nor in every training text.
type WordCount struct {
	Variable       string
	Words, Unknown int
}

// TermsOf returns the fitted formula of a design. It is nil if the design was not
// made from a formula, or if terms were selected from it. After Design.Rows or
// Design.Split it still describes the whole design.
func TermsOf(d *mlreg.Design) *Terms {
	t, err := termsOf(d)
	if err != nil || !slices.Equal(t.Columns, d.Names) {
		return nil
	}
	return t
}

// groups returns the terms of the formula with the columns of X that each has,
// and the terms within their margins.
func (t *Terms) groups() []mlreg.TermGroup {
	groups := make([]mlreg.TermGroup, len(t.Terms))
	related := t.related()
	for k, term := range t.Terms {
		groups[k].Name = term.Label
		for _, other := range related(term) {
			part := t.Terms[other]
			switch {
			case part.Label == term.Label:
			case part.within(term):
				groups[k].Margins = append(groups[k].Margins, part.Label)
			case term.within(part):
				t.addReferences(&groups[k], term, part)
			}
		}
	}
	for j, k := range t.Assign {
		groups[k].Terms = append(groups[k].Terms, t.Columns[j])
	}
	return groups
}

// related returns a function that lists terms, in their order: all those of which one is
// within the other, and few besides.
func (t *Terms) related() func(term Term) []int {
	with, ending := make(map[int][]int), make(map[int][]int) // terms with a variable, and with it as their last
	for k, term := range t.Terms {
		for _, v := range term.Variables {
			with[v] = append(with[v], k)
		}
		last := slices.Max(term.Variables)
		ending[last] = append(ending[last], k)
	}
	return func(term Term) []int {
		rarest := slices.MinFunc(term.Variables, func(a, b int) int { return len(with[a]) - len(with[b]) })
		list := slices.Clone(with[rarest])
		for _, v := range term.Variables {
			list = append(list, ending[v]...)
		}
		slices.Sort(list)
		return slices.Compact(list)
	}
}

// within reports whether the variables of the term are all in another.
func (term Term) within(other Term) bool {
	return !slices.ContainsFunc(term.Variables, func(v int) bool { return !slices.Contains(other.Variables, v) })
}

// addReferences adds the reference levels at which the coefficients of a term
// hold: those of the factors that an interaction with it codes by contrasts.
func (t *Terms) addReferences(g *mlreg.TermGroup, term, interaction Term) {
	for i, v := range interaction.Variables {
		x := t.Variables[v]
		if slices.Contains(term.Variables, v) || x.Levels == nil || x.Contrasts != TreatmentContrasts || interaction.Full[i] {
			continue
		}
		if at := fmt.Sprintf("%s = %q", x.Text, x.Levels[0]); !slices.Contains(g.Reference, at) {
			g.Reference = append(g.Reference, at)
		}
	}
}

// String returns the formula, the number of rows and the number omitted.
func (t *Terms) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%d rows of %d, %d columns", format.Line(t.Formula), t.N-t.Omitted, t.N, len(t.Columns))
	if t.Omitted > 0 {
		rows := "rows"
		if t.Omitted == 1 {
			rows = "row"
		}
		fmt.Fprintf(&b, "\n%d %s omitted for missing values: %s", t.Omitted, rows, missingText(t.Missing))
	}
	if t.Classes != nil {
		fmt.Fprintf(&b, "\n%s: classes %q, coded from 0", format.Line(t.Response), t.Classes)
	}
	for _, v := range t.Variables {
		switch {
		case v.Levels != nil && v.Contrasts != TreatmentContrasts:
			fmt.Fprintf(&b, "\n%s: %v contrasts of the levels %q", format.Line(v.Text), v.Contrasts, v.Levels)
		case v.Levels != nil:
			fmt.Fprintf(&b, "\n%s: reference level %q, then %q", format.Line(v.Text), v.Levels[0], v.Levels[1:])
		}
	}
	if t.Since != "" {
		fmt.Fprintf(&b, "\ndates are counted in days since %s", t.Since)
	}
	for _, name := range t.Rounded {
		fmt.Fprintf(&b, "\n%s: integers beyond 2^53 are rounded to the nearest float64", format.Line(name))
	}
	for _, e := range t.Beyond {
		fmt.Fprintf(&b, "\n%s", e)
	}
	for _, w := range t.Words {
		fmt.Fprintf(&b, "\n%s: %d of %d words are not in the vocabulary", format.Line(w.Variable), w.Unknown, w.Words)
	}
	return b.String()
}

func missingText(counts []MissingCount) string {
	parts := make([]string, len(counts))
	for i, m := range counts {
		parts[i] = fmt.Sprintf("%s %d", format.Line(m.Column), m.Count)
	}
	return strings.Join(parts, ", ")
}

// codeFactors decides for every factor in every term whether it is coded by
// contrasts to its reference level or in full, by the rule of R (Chambers and
// Hastie 1992, Statistical Models in S, p. 38): by contrasts if the term
// without that factor is within the margin of an earlier term, and always in
// a term of its own; without an intercept, the first factor in full.
func (t *Terms) codeFactors() {
	for k := range t.Terms {
		term := &t.Terms[k]
		term.Full = make([]bool, len(term.Variables))
		for i := range term.Variables {
			if len(term.Variables) > 1 {
				term.Full[i] = !t.hasMargin(k, i)
			}
		}
	}
	if t.Intercept {
		return
	}
	for _, term := range t.Terms {
		for i, v := range term.Variables {
			if t.Variables[v].Levels != nil {
				term.Full[i] = true
				return
			}
		}
	}
}

// hasMargin reports whether term k without its i-th variable is contained in
// a term before it.
func (t *Terms) hasMargin(k, i int) bool {
	rest := Term{Variables: slices.Delete(slices.Clone(t.Terms[k].Variables), i, i+1)}
	return slices.ContainsFunc(t.Terms[:k], rest.within)
}

// Inputs returns the columns of the frame from which a column of X is computed,
// in their order in its term. The error matches ErrNoColumn if X has no such
// column.
func (t *Terms) Inputs(column string) ([]string, error) {
	k := slices.Index(t.Columns, column)
	if k < 0 {
		return nil, errorf(ErrNoColumn, "the design has no column %q%s", column, suggest(column, t.Columns))
	}
	var inputs []string
	for _, v := range t.Terms[t.Assign[k]].Variables {
		n, err := parseTree(t.Variables[v].Text)
		if err != nil {
			return nil, err
		}
		for _, name := range columnNames(n) {
			if !slices.Contains(inputs, name) {
				inputs = append(inputs, name)
			}
		}
	}
	return inputs, nil
}

func noCompleteRow(rows int, missing []MissingCount) error {
	return errorf(ErrNoRows, "none of the %d rows is complete; missing values: %s", rows, missingText(missing))
}
