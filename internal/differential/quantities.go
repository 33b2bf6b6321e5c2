package main

// quantity is what is compared: what a difference is relative to, and how much of it is
// tolerated.
type quantity struct {
	name      string
	tolerance float64
	scale     string
}

// quantities are in the order of the table printed.
var quantities = []quantity{
	{"fit", 0, "whether there is a fit"},
	{"names", 0, "texts"},
	{"nobs", 0, ""},
	{"df", 0, ""},
	{"design", 1e-11, "largest value of the column"},
	{"coef", 1e-11, "largest value that a response of its length gives the coefficient"},
	{"coef.stderr", 1e-10, "itself"},
	{"coef.t", 1e-10, "largest value that a response of its length gives it"},
	{"coef.p", 1e-9, "itself, times the scale of t"},
	{"confint", 1e-10, "that of the coefficient"},
	{"vcov", 1e-10, "product of the standard errors"},
	{"rss", 1e-10, "itself"},
	{"sigma", 1e-10, "itself"},
	{"r2", 1e-11, "1"},
	{"f", 1e-10, "itself, at least 1"},
	{"f.p", 1e-9, "itself, times n"},
	{"loglik", 1e-11, "itself, at least n"},
	{"anova.terms", 0, "texts"},
	{"anova.df", 0, ""},
	{"anova.ss", 1e-11, "sum of squares of the response"},
	{"anova.f", 1e-9, "itself, at least 1"},
	{"anova.p", 1e-9, "itself, times n"},
	{"drop1.terms", 0, "texts"},
	{"drop1.df", 0, ""},
	{"drop1.ss", 1e-11, "sum of squares of the response"},
	{"drop1.aic", 1e-10, "n"},
	{"drop1.f", 1e-9, "itself, at least 1"},
	{"drop1.p", 1e-9, "itself, times n"},
	{"fitted", 1e-11, "largest response"},
	{"residuals", 1e-11, "largest response"},
	{"hat", 1e-11, "1"},
	{"rstandard", 1e-10, "itself, at least 1, over 1 - h"},
	{"rstudent", 1e-10, "itself, at least 1, over 1 - h and what the row leaves of s^2"},
	{"cooks", 1e-10, "itself, at least 1, over 1 - h"},
	{"dffits", 1e-10, "as rstudent"},
	{"covratio", 1e-10, "as rstudent"},
	{"dfbetas", 1e-10, "as rstudent"},
	{"predict.fit", 1e-11, "largest that a response of its length is predicted to be"},
	{"predict.conf", 1e-10, "as predict.fit"},
	{"predict.pred", 1e-10, "as predict.fit"},
	{"vif", 1e-10, "itself"},
	{"hc0", 1e-10, "itself, at least the ordinary standard error"},
	{"hc1", 1e-10, "as hc0"},
	{"hc2", 1e-10, "as hc0"},
	{"hc3", 1e-10, "as hc0"},
	{"bptest", 1e-9, "itself + 1"},
	{"dwtest", 1e-10, "1"},
}

// quantityOf returns the quantity of a name.
func quantityOf(name string) quantity {
	for _, q := range quantities {
		if q.name == name {
			return q
		}
	}
	panic("no tolerance is stated for " + name)
}

// ulp is what rounding to float64 may do, with some room for long sums.
const ulp = 0x1p-50
