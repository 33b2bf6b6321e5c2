package frames

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-gota/gota/series"
)

// factorOf returns the column of factor(a), of a column named alone, or of an
// expression that gives text or truth values, and nil for any other expression.
func (e *evaluator) factorOf(n node) (*column, error) {
	f, ok := n.(*call)
	called := ok && isFactorCall(f)
	if called {
		o, err := factorArgs(e.src, f)
		if err != nil {
			return nil, err
		}
		n = o.args["x"]
	}
	if col, ok := stripped(n).(*name); ok && e.constantName(col) == nil {
		c, err := e.column(col)
		if _, direct := n.(*name); err == nil && !direct && !called && c.typ != series.String && c.typ != series.Bool {
			return nil, nil // I(a) of a number
		}
		if err == nil && !called {
			if _, dates := c.dates(); dates {
				return nil, nil // a number of days
			}
		}
		return c, err
	}
	if called {
		return e.computed(n)
	}
	kind, err := e.kind(n)
	if err != nil || kind == series.Float || kind == series.Int {
		return nil, err
	}
	if e.givesDates(n) {
		return nil, nil
	}
	return e.computed(n)
}

// isFactor reports whether a variable on column c is coded by levels: if it is
// factor(a), or if c is a column of text or of truth values.
func isFactor(n node, c *column) bool {
	f, called := n.(*call)
	return c != nil && (called && isFactorCall(f) || c.typ == series.String || c.typ == series.Bool)
}

// learnLevels returns the levels of a factor in the rows, the reference level
// first.
func (e *evaluator) learnLevels(n node, c *column) ([]string, error) {
	levels, err := e.referFirst(n, c, c.levels(e.rows))
	if err != nil {
		return nil, err
	}
	switch len(levels) {
	case 0:
		return nil, formulaErrorf(ErrLevel, e.src, n, "factor %s has no level: it has no value in any row", label(n))
	case 1:
		return nil, formulaErrorf(ErrLevel, e.src, n, "factor %s has one level only, %q; %s", label(n), levels[0], e.whyOne(n))
	}
	if at, ok := n.(*name); ok && e.fromDot(at) && c.typ == series.String && len(levels) == len(e.rows) && len(levels) > 2 {
		return nil, formulaErrorf(ErrLevel, e.src, n, "the dot includes column %q, whose text differs in each of %d rows, such as %q; leave it out: . - %s",
			c.name, len(levels), c.at(e.rows[0]), nameText(c.name))
	}
	return levels, nil
}

// learnClasses returns the levels of a response. A column of truth values has
// both, whatever is in the rows.
func (e *evaluator) learnClasses(n node, c *column) ([]string, error) {
	levels := c.levels(e.rows)
	if c.typ == series.Bool {
		levels = []string{"FALSE", "TRUE"}
	}
	levels, err := e.referFirst(n, c, levels)
	if err != nil {
		return nil, err
	}
	switch len(levels) {
	case 0:
		return nil, formulaErrorf(ErrLevel, e.src, n, "the response %s has no class: it has no value in any row", label(n))
	case 1:
		return nil, formulaErrorf(ErrLevel, e.src, n, "the response %s has one class only, %q", label(n), levels[0])
	}
	return levels, nil
}

// referFirst puts the reference level that factor(a, ref) names first.
func (e *evaluator) referFirst(n node, c *column, levels []string) ([]string, error) {
	f, ok := n.(*call)
	if !ok || !isFactorCall(f) {
		return levels, nil
	}
	o, err := factorArgs(e.src, f)
	if err != nil {
		return nil, err
	}
	if levels, err = e.order(o, c, levels); err != nil || o.args["ref"] == nil {
		return levels, err
	}
	ref := strings.Trim(label(o.args["ref"]), `"`)
	switch v := o.args["ref"].(type) {
	case *text:
		ref = v.value
	case *name:
		ref = truthText(strings.HasPrefix(strings.ToUpper(v.name), "T"))
	}
	k := slices.Index(levels, ref)
	if k < 0 {
		return nil, formulaErrorf(ErrLevel, e.src, o.args["ref"], "column %q has no level %q%s", c.name, ref, suggest(ref, levels))
	}
	return slices.Concat(levels[k:k+1], levels[:k], levels[k+1:]), nil
}

// codes returns the index of the level of every row. A level that is not in the
// list is an error that names its row.
func (e *evaluator) codes(n node, c *column, levels []string) ([]int, error) {
	index := make(map[string]int, len(levels))
	for k, level := range levels {
		index[level] = k
	}
	codes := make([]int, len(e.rows))
	for i, row := range e.rows {
		k, ok := index[c.at(row)]
		if !ok {
			return nil, formulaErrorf(ErrLevel, e.src, n, "level %q of %s in row %d was not seen in training; the levels are %s",
				c.at(row), label(n), e.number1(row), fmt.Sprintf("%q", levels))
		}
		codes[i] = k
	}
	return codes, nil
}

// order puts the levels found in the rows into the requested order.
func (e *evaluator) order(o *options, c *column, levels []string) ([]string, error) {
	if o.byAppearance() {
		first := make(map[string]int, len(levels))
		for i, missing := range c.missing {
			if _, seen := first[c.at(i)]; !missing && !seen {
				first[c.at(i)] = i
			}
		}
		slices.SortFunc(levels, func(a, b string) int { return first[a] - first[b] })
		return levels, nil
	}
	listed, err := o.levels()
	if err != nil || listed == nil {
		return levels, err
	}
	for _, level := range listed {
		if !slices.Contains(levels, level) {
			return nil, formulaErrorf(ErrLevel, e.src, o.args["levels"], "%s has no row of level %q%s", label(o.args["x"]), level, suggest(level, c.levels(nil)))
		}
	}
	return listed, nil
}

// fromDot reports whether a name is one that the dot stands for.
func (e *evaluator) fromDot(n *name) bool {
	return n.name != "." && n.end <= len(e.src) && e.src[n.pos:n.end] == "."
}

// whyOne advises about a factor with one level: a text in a condition that no
// row has may be misspelt.
func (e *evaluator) whyOne(n node) string {
	if unknown := e.unknownText(n); unknown != "" {
		return strings.TrimPrefix(unknown, "; ")
	}
	return "leave it out"
}

// unknownText names a text in a condition that its column does not have, after a
// semicolon; "" if there is none.
func (e *evaluator) unknownText(n node) string {
	advice := ""
	walkSets(n, func(of *name, values []string) {
		c, err := e.column(of)
		if err != nil || c.typ != series.String {
			return
		}
		levels := c.levels(nil)
		for _, v := range values {
			if !slices.Contains(levels, v) {
				advice = fmt.Sprintf("; column %q has no %q%s", c.name, v, suggest(v, levels))
			}
		}
	})
	return advice
}

// walkSets visits the columns in a condition that are compared with constants.
func walkSets(n node, visit func(of *name, values []string)) {
	if b, ok := n.(*binary); ok {
		of, ok := stripped(b.x).(*name)
		if values, bad := setOf(b.y); ok && bad == nil && (b.op == "==" || b.op == "!=" || b.op == "%in%") {
			visit(of, values)
			return
		}
	}
	for _, x := range operands(n) {
		walkSets(x, visit)
	}
}
