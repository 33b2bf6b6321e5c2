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
	{"drop1.f", 1e-9, "itself, at least 1"},
	{"drop1.p", 1e-9, "itself, times n"},
	{"anova2.terms", 0, "texts"},
	{"anova2.df", 0, ""},
	{"anova2.ss", 1e-10, "sum of squares of the response"},
	{"anova2.f", 1e-9, "itself, at least 1"},
	{"anova2.p", 1e-9, "itself, times n"},
	{"anova3.terms", 0, "texts"},
	{"anova3.df", 0, ""},
	{"anova3.ss", 1e-10, "sum of squares of the response"},
	{"anova3.f", 1e-9, "itself, at least 1"},
	{"anova3.p", 1e-9, "itself, times n"},
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
	{"glm.coef", 1e-9, "itself, at least its standard error"},
	{"glm.stderr", 1e-9, "itself"},
	{"glm.confint", 1e-9, "that of the coefficient"},
	{"glm.deviance", 1e-10, "n"},
	{"glm.loglik", 1e-10, "n"},
	{"glm.lr", 1e-9, "n; of P itself times n"},
	{"glm.fitted", 1e-9, "1"},
	{"glm.devres", 1e-9, "largest, at least 1"},
	{"glm.pearson", 1e-9, "largest, at least 1"},
	{"glm.hat", 1e-9, "1"},
	{"glm.link", 1e-9, "sum of its terms' sizes + 1"},
	{"step.path", 0, "texts"},
	{"step.terms", 0, "texts"},
	{"step.aic", 1e-10, "itself, at least n"},
	{"subsets.rss", 1e-10, "total sum of squares"},
	{"subsets.cp", 1e-9, "total sum of squares over s^2, + n"},
	{"ridge.coef", 1e-10, "size of the response over spread of the column"},
	{"ridge.rss", 1e-10, "that of the null model"},
	{"ridge.dof", 1e-10, "itself"},
	{"ridge.gcv", 1e-10, "itself"},
	{"ridge.predict", 1e-10, "largest response + largest prediction"},
	{"net.coef", 1e-5, "spread of the response (of a class, 3) over spread of the column"},
	{"net.fitted", 1e-6, "spread of the response (of a class, 1)"},
	{"net.r2", 1e-7, "1"},
	{"cv.mean", 1e-6, "variance of the response"},
	{"cv.stderr", 1e-6, "variance of the response"},
	{"cv.choice", 0, ""},
	{"bms.pip", 1e-9, "1"},
	{"bms.mean", 1e-9, "coefficient and its standard error"},
	{"bms.sd", 1e-8, "coefficient and its standard error"},
	{"bayes.mean", 1e-10, "itself + its standard deviation"},
	{"bayes.sd", 1e-10, "itself"},
	{"bayes.evidence", 1e-10, "itself, at least n"},
	{"bayes.lower", 1e-9, "as bayes.mean"},
	{"bayes.upper", 1e-9, "as bayes.mean"},
	{"bayes.predict", 1e-9, "largest response + largest limit"},
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
