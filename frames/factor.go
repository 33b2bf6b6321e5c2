package frames

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-gota/gota/series"
)

// factorFunctions are the functions that make a factor of a column:
// relevel(factor(x), ref) and relevel(x, ref) are factor(x, ref).
var factorFunctions = []string{"as.factor", "factor", "relevel"}

var factorParams = []string{"x", "ref"}

func isFactorCall(n *call) bool { return slices.Contains(factorFunctions, n.fn) }

// factorArgs matches the arguments of factor(x, ref) and checks them.
func factorArgs(src string, n *call) (*options, error) {
	params := factorParams
	if n.fn == "as.factor" {
		params = params[:1]
	}
	o, err := matchArgs(src, n, params)
	if err != nil {
		return nil, err
	}
	if n.fn == "relevel" {
		if inner, ok := o.args["x"].(*call); ok && isFactorCall(inner) {
			in, err := factorArgs(src, inner)
			if err != nil {
				return nil, err
			}
			o.args["x"] = in.args["x"]
		}
		if o.args["ref"] == nil {
			return nil, formulaErrorf(ErrSyntax, src, n, "argument \"ref\" is missing: %s", usage(n.fn, params))
		}
	}
	if v, ok := o.args["x"].(*name); !ok || v.name == "." {
		return nil, formulaErrorf(ErrSyntax, src, o.args["x"], "%s takes the name of a column, not %s", n.fn, label(o.args["x"]))
	}
	switch ref := o.args["ref"].(type) {
	case nil, *text, *number:
	case *name:
		if _, err := o.boolean("ref"); err != nil {
			return nil, formulaErrorf(ErrSyntax, src, ref, "ref of %s is a level in quotes or a number, not %s", n.fn, label(ref))
		}
	default:
		return nil, formulaErrorf(ErrSyntax, src, ref, "ref of %s is a level in quotes or a number, not %s", n.fn, label(ref))
	}
	return o, nil
}

// factorOf returns the column of factor(a), or of a column named alone, and
// nil for any other expression.
func (e *evaluator) factorOf(n node) (*column, error) {
	if f, ok := n.(*call); ok && isFactorCall(f) {
		o, err := factorArgs(e.src, f)
		if err != nil {
			return nil, err
		}
		n = o.args["x"]
	}
	if col, ok := n.(*name); ok {
		return e.column(col)
	}
	return nil, nil
}

// isFactor reports whether a variable on column c is coded by levels: if it is
// factor(a), or if c is a column of text or of truth values.
func isFactor(n node, c *column) bool {
	_, called := n.(*call)
	return c != nil && (called || c.typ == series.String || c.typ == series.Bool)
}

// checkSlip refuses a text column named alone if most of its cells, but not
// all, are numbers: as a factor it would have a level for every number.
func (e *evaluator) checkSlip(n node, c *column) error {
	if _, called := n.(*call); called || c.typ != series.String {
		return nil
	}
	row, numbers, _ := c.firstText()
	if row < 0 || !mostly(numbers, len(c.text)-c.count) {
		return nil
	}
	return formulaErrorf(ErrNotNumeric, e.src, n, "%s; if it is meant, write factor(%s)", c.notNumeric(), label(n))
}

// learnLevels returns the levels of a factor in the rows, the reference level
// first.
func (e *evaluator) learnLevels(n node, c *column) ([]string, error) {
	levels := c.levels(e.rows)
	if len(levels) < 2 {
		return nil, formulaErrorf(ErrLevel, e.src, n, "factor %s has one level only, %q; leave it out", label(n), levels[0])
	}
	return e.referFirst(n, c, levels)
}

// learnClasses returns the levels of a response. A column of truth values has
// both, whatever is in the rows.
func (e *evaluator) learnClasses(n node, c *column) ([]string, error) {
	levels := c.levels(e.rows)
	if c.typ == series.Bool {
		levels = []string{"FALSE", "TRUE"}
	}
	if len(levels) < 2 {
		return nil, formulaErrorf(ErrLevel, e.src, n, "the response %s has one class only, %q", label(n), levels[0])
	}
	return e.referFirst(n, c, levels)
}

// referFirst puts the reference level that factor(a, ref) names first.
func (e *evaluator) referFirst(n node, c *column, levels []string) ([]string, error) {
	f, ok := n.(*call)
	if !ok {
		return levels, nil
	}
	o, err := factorArgs(e.src, f)
	if err != nil || o.args["ref"] == nil {
		return levels, err
	}
	ref := strings.Trim(label(o.args["ref"]), `"`)
	switch v := o.args["ref"].(type) {
	case *text:
		ref = v.value
	case *name:
		ref = map[bool]string{true: "TRUE", false: "FALSE"}[strings.HasPrefix(strings.ToUpper(v.name), "T")]
	}
	k := slices.Index(levels, ref)
	if k < 0 {
		return nil, formulaErrorf(ErrLevel, e.src, o.args["ref"], "column %q has no level %q%s", c.name, ref, suggest(ref, levels))
	}
	return slices.Concat(levels[k:k+1], levels[:k], levels[k+1:]), nil
}

// codes returns, for every row, the index of its level. A level that is not
// among the given ones is an error that names the row.
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
				c.at(row), label(n), row+1, fmt.Sprintf("%q", levels))
		}
		codes[i] = k
	}
	return codes, nil
}
