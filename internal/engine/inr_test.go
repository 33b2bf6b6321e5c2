package main

import (
	"strings"
	"testing"
)

// The fit in R reads the file as it was read here, and fits the same; R 4.2.2 gave the same coefficients for these.
func TestInR(t *testing.T) {
	const german = "tag;preis;anteil;g\n31.1.2024;1.234,5;3,5 %;a\n1.2.2024;12.000,0;7 %;b\n5.2.2024;3,5;1 %;a\n9.2.2024;999,5;2 %;b\n1.3.2024;70,0;9 %;a\n"
	for _, c := range []struct {
		p    play
		want string
	}{
		{play{Data: "prostate", Formula: "lpsa ~ lcavol", Method: "ols"}, `df <- read.csv("prostate.csv", stringsAsFactors = TRUE) # written by frames.WriteCSV("prostate.csv", datasets.Prostate(), nil)
m <- lm(lpsa ~ lcavol, df)
summary(m)
confint(m)
plot(m)`},
		{play{Data: "prostate", Formula: "lpsa ~ lcavol", Method: "quantile", Tau: 0.9}, `quantreg::rq(lpsa ~ lcavol, 0.9, df)`},
		{play{Data: "prostate", Formula: "svi ~ lcavol", Method: "logistic", Class: "0"}, `df[["svi"]] <- relevel(factor(df[["svi"]]), ref = "1")
g <- glm(svi ~ lcavol, binomial, df)`},
		{play{Data: "prostate", Formula: "gleason ~ lcavol", Method: "logistic", Class: "7"}, `df[["gleason is 7"]] <- df[["gleason"]] == 7
g <- glm(` + "`gleason is 7`" + ` ~ lcavol, binomial, df)`},
		{play{File: "preise.csv", CSV: german, Formula: "preis ~ anteil + g", Method: "ols"}, `df <- read.csv("preise.csv", sep = ";", dec = ",", check.names = FALSE, stringsAsFactors = TRUE)
df[["tag"]] <- as.Date(lubridate::dmy(df[["tag"]])) # counted from 1970, not from the first: another intercept
df[["preis"]] <- as.numeric(sub(",", ".", gsub("[^0-9,+-]", "", df[["preis"]])))
df[["anteil"]] <- as.numeric(sub(",", ".", gsub("[^0-9,+-]", "", df[["anteil"]]))) / 100
m <- lm(preis ~ anteil + g, df)`},
		{play{File: "x.csv", CSV: "x,y\n1,2\n-,3\nn.a.,4\n2.5,5\n4,6\n5,8\n", Formula: "y ~ x", Method: "ols"}, `na.strings = c("NA", "-", "n.a.")`},
		{play{File: "x.csv", Raw: []byte(utf16le("größe;y\n1,5;2\n2;3\n4;5,5\n")), Formula: "y ~ größe", Method: "ols"}, `fileEncoding = "UTF-16LE"`},
	} {
		if a := fitted(t, c.p); a.Error != "" || !strings.Contains(a.InR, c.want) {
			t.Errorf("%s of %s: %s\n%s\nwant\n%s", c.p.Method, c.p.Formula, a.Error, a.InR, c.want)
		}
	}
	if a := fitted(t, play{Data: "prostate", Formula: "lpsa ~ lcavol", Method: "bayes"}); a.Error != "" || a.InR != "" {
		t.Errorf("%s, R has no evidence: %s", a.Error, a.InR)
	}
}
