package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/regbook/regbook/frames"
)

// fitsInR are the calls of COMING_FROM.md that fit what the methods of the page do, of data df and a formula; those of
// a method that R has no package for are missing.
var fitsInR = map[string]string{
	"ols":      "m <- lm(%s, df)\nsummary(m)\nconfint(m)\nplot(m)",
	"robust":   "m <- lm(%s, df)\nlmtest::coeftest(m, vcov = sandwich::vcovHC(m, type = \"HC3\"))",
	"logistic": "g <- glm(%s, binomial, df)\nsummary(g)\nexp(cbind(coef(g), confint.default(g)))",
	"poisson":  "g <- glm(%s, poisson, df)\nsummary(g)",
	"quantile": "q <- quantreg::rq(%s, %s, df)\nsummary(q, se = \"nid\")",
	"mm":       "r <- MASS::rlm(%s, df, method = \"MM\")\nsummary(r)",
	"ridge":    matrixInR + "f <- glmnet::cv.glmnet(x, y, alpha = 0) # draws folds of its own\ncoef(f, s = \"lambda.min\")\nplot(f)",
	"lasso":    matrixInR + "f <- glmnet::cv.glmnet(x, y) # draws folds of its own\ncoef(f, s = \"lambda.1se\")\nplot(f)",
	"models":   matrixInR + "b <- BMS::bms(cbind(y, x), g = \"UIP\", mprior = \"uniform\") # a column of a factor by itself\ncoef(b)",
	"groups":   "m <- lme4::lmer(%s, df)\nsummary(m)",
}

const matrixInR = "f <- model.frame(%s, df)\ny <- model.response(f)\nx <- model.matrix(terms(f), f)\nx <- x[, colnames(x) != \"(Intercept)\"]\n"

// inR is the fit in R, "" if R has no call for it.
func (s *session) inR() string {
	fit, ok := fitsInR[s.play.Method]
	if !ok {
		return ""
	}
	read := fmt.Sprintf("df <- read.csv(%q, stringsAsFactors = TRUE) # written by frames.WriteCSV(%[1]q, %s, nil)\n", s.play.Data+".csv", courses[s.play.Data].call)
	if s.as != nil {
		read = s.as.inR(s.play.File)
	}
	args := []any{s.play.Formula}
	if s.chosenInR != "" {
		read += s.chosenInR + "\n"
		args[0] = s.formulaInR
	}
	if s.play.Method == "quantile" {
		args = append(args, fmt.Sprint(s.tau()))
	}
	return read + fmt.Sprintf(fit, args...)
}

// inR reads the file in R.
func (f *file) inR(name string) string {
	report := f.csv.Report
	args := []string{fmt.Sprintf("%q", name)}
	if d := report.Delimiter; d != ',' {
		args = append(args, fmt.Sprintf("sep = %q", string(d)))
	}
	if f.reading.Decimal != "." {
		args = append(args, fmt.Sprintf("dec = %q", f.reading.Decimal))
	}
	missing := []string{`"NA"`}
	for _, c := range report.Columns {
		for _, m := range c.Marks {
			if text := fmt.Sprintf("%q", m.Cell); !slices.Contains(missing, text) {
				missing = append(missing, text)
			}
		}
	}
	if len(missing) > 1 {
		args = append(args, "na.strings = c("+strings.Join(missing, ", ")+")")
	}
	if e := cmp.Or(f.reading.Encoding, converted(report)); e != "" {
		args = append(args, fmt.Sprintf("fileEncoding = %q", strings.ToUpper(e)))
	}
	out := "df <- read.csv(" + strings.Join(args, ", ") + ", check.names = FALSE, stringsAsFactors = TRUE)\n"
	for _, c := range report.Columns {
		out += f.columnInR(c)
	}
	return out
}

// columnInR makes numbers or dates of a column that read.csv leaves as text.
func (f *file) columnInR(c frames.ColumnReport) string {
	column := fmt.Sprintf("df[[%q]]", c.Name)
	order := map[string]string{"day": "dmy", "dat": "dmy", "mon": "mdy", "yea": "ymd"}
	if len(c.Dates) > 3 {
		return fmt.Sprintf("%s <- as.Date(lubridate::%s(%[1]s)) # counted from 1970, not from the first: another intercept\n", column, order[c.Dates[:3]])
	}
	with, decimal := f.clean[c.Name], f.reading.Decimal
	grouped := slices.ContainsFunc(c.Changes, func(change frames.CellChange) bool {
		return strings.HasSuffix(change.What, "between thousands dropped")
	})
	if with == "" && !grouped {
		return ""
	}
	text, share := column, ""
	switch {
	case strings.HasPrefix(with, "frames.Percent"):
		share = " / 100"
	case with != "": // an amount in parentheses is owed
		text = fmt.Sprintf(`sub("^[(]", "-", %s)`, column)
	}
	if strings.HasSuffix(with, "'.')") {
		decimal = "."
	} else if with != "" {
		decimal = ","
	}
	text = fmt.Sprintf(`gsub("[^0-9%s+-]", "", %s)`, decimal, text)
	if decimal == "," {
		text = fmt.Sprintf(`sub(",", ".", %s)`, text)
	}
	return fmt.Sprintf("%s <- as.numeric(%s)%s\n", column, text, share)
}

// converted is the encoding that the file was found to have, as R calls it.
func converted(report frames.CSVReport) string {
	for _, r := range report.Repairs {
		for says, encoding := range map[string]string{"UTF-16, little": "UTF-16LE", "UTF-16, big": "UTF-16BE", "Windows-1252": "windows-1252"} {
			if strings.Contains(r, says) {
				return encoding
			}
		}
	}
	return ""
}
