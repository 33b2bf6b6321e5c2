package frames

import (
	"slices"
)

// factorFunctions are the functions that turn a column into a factor:
// relevel(factor(x), ref) and relevel(x, ref) are factor(x, ref), and C(x,
// contrasts) is factor(x) with contrasts.
var factorFunctions = []string{"C", "as.factor", "factor", "relevel"}

// factorParams are the parameters of factor, in R's order.
var factorParams = []string{"x", "levels", "ref"}

// factorParamsOf returns the parameters of a factor function.
func factorParamsOf(fn string) []string {
	switch fn {
	case "C":
		return []string{"x", "contrasts"}
	case "as.factor":
		return factorParams[:1]
	case "relevel":
		return []string{"x", "ref"}
	}
	return factorParams
}

func isFactorCall(n *call) bool { return slices.Contains(factorFunctions, n.fn) }

// factorArgs matches the arguments of factor(x, levels, ref) and checks them.
func factorArgs(src string, n *call) (*options, error) {
	params := factorParamsOf(n.fn)
	o, err := matchArgs(src, n, params)
	if err != nil {
		return nil, err
	}
	if n.fn == "relevel" || n.fn == "C" {
		if inner, ok := o.args["x"].(*call); ok && isFactorCall(inner) {
			in, err := factorArgs(src, inner)
			if err != nil {
				return nil, err
			}
			if inner.fn == "C" {
				return nil, formulaErrorf(ErrSyntax, src, inner, "C sets the contrasts; write it outside of %s", n.fn)
			}
			o.args["x"], o.args["levels"], o.data = in.args["x"], in.args["levels"], in.data
			if n.fn == "C" {
				o.args["ref"] = in.args["ref"]
			}
		}
		if n.fn == "C" {
			if _, err := contrastArgs(o); err != nil {
				return nil, err
			}
		} else if o.args["ref"] == nil {
			return nil, formulaErrorf(ErrSyntax, src, n, "argument \"ref\" is missing: %s", usage(n.fn, params))
		}
	}
	if err := (checker{src: src}).arithmetic(o.args["x"]); err != nil {
		return nil, err
	}
	if len(columnNames(o.args["x"])) == 0 {
		return nil, formulaErrorf(ErrSyntax, src, o.args["x"], "%s takes a column, not %s", n.fn, label(o.args["x"]))
	}
	if _, err := o.levels(); err != nil {
		return nil, err
	}
	switch ref := o.args["ref"].(type) {
	case nil, *text, *number, *truth:
	case *name:
		if _, err := o.boolean("ref"); err != nil {
			return nil, formulaErrorf(ErrSyntax, src, ref, "ref of %s is a level in quotes or a number, not %s", n.fn, label(ref))
		}
	default:
		return nil, formulaErrorf(ErrSyntax, src, ref, "ref of %s is a level in quotes or a number, not %s", n.fn, label(ref))
	}
	return o, nil
}

// levels returns the levels that levels = c(...) lists, nil if it lists none.
func (o *options) levels() ([]string, error) {
	n := o.args["levels"]
	if n == nil || o.byAppearance() {
		return nil, nil
	}
	levels, bad := setOf(n)
	if bad != nil {
		return nil, formulaErrorf(ErrSyntax, o.src, bad.at, "levels of %s are a list such as c(\"lo\", \"hi\"), or unique(%s) for their order in the rows, not %s",
			o.call.fn, label(o.args["x"]), label(bad.at))
	}
	if len(levels) < 2 {
		return nil, formulaErrorf(ErrSyntax, o.src, n, "levels of %s has one level only; set the reference level by ref = %s", o.call.fn, label(n))
	}
	for k, level := range levels {
		if slices.Contains(levels[:k], level) {
			return nil, formulaErrorf(ErrSyntax, o.src, n, "levels of %s has %q twice", o.call.fn, level)
		}
	}
	return levels, nil
}

// byAppearance reports whether the levels are in their order of appearance in
// the rows.
func (o *options) byAppearance() bool {
	c, ok := o.args["levels"].(*call)
	return ok && c.fn == "unique" && len(c.args) == 1 && c.args[0].name == "" && label(c.args[0].value) == label(o.args["x"])
}
