package main

import (
	"html/template"
	"net/url"
)

// An example is a fit of the playground to which a page links.
type example struct{ Text, Data, Formula, Method, New string }

// Link returns the address, whose fragment is what playground.js reads.
func (e example) Link() template.URL {
	state := url.Values{"data": {e.Data}, "formula": {e.Formula}, "method": {e.Method}}
	if e.New != "" {
		state.Set("new", e.New)
	}
	return template.URL("playground.html#" + state.Encode())
}

// examples are the fits that suit a notebook, by its number.
var examples = map[string][]example{
	"00": {{Text: "Ozone by temperature, wind and sun", Data: "airquality", Formula: "log(Ozone) ~ poly(Temp, 2) + Wind + Solar", Method: "ols"}},
	"01": {{Text: "Longley's data, whose columns are nearly dependent", Data: "longley", Formula: "Employed ~ .", Method: "ols"}},
	"02": {{Text: "Limits for three weights of the prostate data, and a prediction", Data: "prostate", Formula: "lpsa ~ lcavol + lweight + svi", Method: "ols", New: "lcavol,lweight,svi\n1.5,3.6,0\n"}},
	"03": {{Text: "A polynomial of degree 5 in the volume of the tumour", Data: "prostate", Formula: "lpsa ~ poly(lcavol, 5)", Method: "ols"}},
	"04": {{Text: "A Gaussian prior for the prostate data", Data: "prostate", Formula: "lpsa ~ . - train", Method: "bayes"}},
	"05": {{Text: "Prior and noise of the diabetes data by their evidence", Data: "diabetes", Formula: "progression ~ .", Method: "bayes"}},
	"06": {{Text: "1,024 models of the diabetes data", Data: "diabetes", Formula: "progression ~ .", Method: "models"}},
	"07": {{Text: "All models of the caterpillars", Data: "caterpillar", Formula: "y ~ .", Method: "models"}},
	"08": {{Text: "The lasso on the prostate data", Data: "prostate", Formula: "lpsa ~ . - train", Method: "lasso"}},
	"09": {{Text: "Ridge regression on Longley's data", Data: "longley", Formula: "Employed ~ .", Method: "ridge"}},
	"10": {
		{Text: "The average over 256 models of the prostate data", Data: "prostate", Formula: "lpsa ~ . - train", Method: "models"},
		{Text: "Ridge regression on them", Data: "prostate", Formula: "lpsa ~ . - train", Method: "ridge"},
	},
	"11": {{Text: "Invasion by the volume of the tumour and the age", Data: "prostate", Formula: "svi ~ lcavol + age", Method: "logistic"}},
	"12": {{Text: "Spam by five words, with weights that are chosen together", Data: "spambase", Formula: "type ~ remove + free + money + george + hp", Method: "logistic"}},
	"13": {{Text: "A cross-validated lasso on the diabetes data", Data: "diabetes", Formula: "progression ~ .", Method: "lasso"}},
	"14": {{Text: "Exam results by intake and sex, without the schools", Data: "exam", Formula: "normexam ~ standLRT + sex + schgend", Method: "ols"}},
	"16": {{Text: "Ozone without its logarithm: residuals with a long tail", Data: "airquality", Formula: "Ozone ~ Temp + Wind + Solar", Method: "ols"}},
}
