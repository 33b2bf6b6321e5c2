package frames

import "fmt"

// foreign lists functions of R and Python that formulas do not have, and what
// to write.
var foreign = map[string]string{
	"s":           "s is a smooth term of mgcv; a spline of fixed degrees of freedom is ns(a, 4) or bs(a, 6)",
	"te":          "te is a smooth term of mgcv; write ns(a, 4):ns(b, 4)",
	"ti":          "ti is a smooth term of mgcv; write ns(a, 4):ns(b, 4)",
	"lo":          "lo is a smooth term of gam; a spline is ns(a, 4)",
	"cr":          "cr is a spline of patsy; a natural cubic spline is ns(a, 4)",
	"cc":          "cc is a spline of patsy; a curve that repeats is fourier(a, period = 365, order = 3)",
	"Q":           "Q quotes a name in patsy; here a name goes in backquotes: `my col`",
	"standardize": "standardize of patsy is scale(a)",
	"center":      "center of patsy is scale(a, scale = FALSE)",
	"Error":       "Error names the strata of R's aov; Regbook has no such terms",
	"strata":      "strata is a term of R's survival models, which Regbook does not have",
	"cluster":     "cluster is a term of R's survival models, which Regbook does not have",
	"cut":         "frames.Cut makes classes of numbers; in a formula write ifelse(a > 2, \"high\", \"low\") or I(a > 2)",
	"as.numeric":  "a column that is read as numbers needs no as.numeric; truth values become numbers by I(1*a)",
	"as.integer":  "a column that is read as numbers needs no as.integer; truth values become numbers by I(1*a)",
	"interaction": "the combinations of two factors are a:b",
	"lag":         "a formula looks at one row at a time; make the column first",
	"diff":        "a formula looks at one row at a time; make the column first",
	"mean":        "a formula looks at one row at a time; a - mean(a) is scale(a, scale = FALSE)",
	"sd":          "a formula looks at one row at a time; (a - mean(a))/sd(a) is scale(a)",
	"ln":          "the natural logarithm is log",
	"pow":         "a power is I(a^2)",
	"c":           "c(...) lists constants in an argument or in a set: I(a %in% c(1, 2))",
	"row_number":  "the number of a row is row(), in frames.With",
	"months":      "the month of a date, from 1 to 12, is month(a)",
	"weekdays":    "the day of the week of a date, 1 for Monday, is weekday(a)",
	"as.Date":     "dates in ISO form need no as.Date: compare with a text, such as a >= \"2024-03-01\"",
	"unique":      "unique(a) only sets the order of levels: factor(a, levels = unique(a))",
}

// noFunction returns the message for an unknown function.
func (c checker) noFunction(n *call) string {
	if text, ok := foreign[n.fn]; ok {
		return fmt.Sprintf("no function %q: %s", n.fn, text)
	}
	if _, ok := summaryFunctions[n.fn]; ok {
		return fmt.Sprintf("no function %q: a formula looks at one row at a time; make the column first, by frames.With", n.fn)
	}
	return fmt.Sprintf("no function %q%s", n.fn, c.suggestFunction(n))
}
