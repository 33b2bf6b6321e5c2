package frames

import (
	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
)

// Where returns the rows in which a condition of the formula language is true,
// in their order, R's subset.
//
//	cars, err := frames.Where(df, "mpg > 20 & cyl == 6")
//	some, err := frames.Where(df, `ward %in% c("north", "south") | is.na(age)`)
//
// Conditions are those that Formula lists: == != < <= > >= ! & | %in% is.na, on
// columns, arithmetic and functions. A row in which the condition is missing is
// left out, as by R's subset; 0/0 is missing, 1/0 is infinite. Summaries of whole
// columns may be part of it, see Grouped.Summarise: "wt > mean(wt)", and so may functions of
// text and of other rows, see With: `grepl("^St", city)`, "rank(-x) <= 3". Grouped.Where takes
// them by group.
//
// Errors are those of Design about the place in the condition. The error
// matches ErrNoRows if the condition is true in no row; it names a text that
// its column does not have, with the nearest.
func Where(df dataframe.DataFrame, condition string) (dataframe.DataFrame, error) {
	e, err := onFrame(df)
	if err != nil {
		return dataframe.DataFrame{}, err
	}
	return e.where(condition)
}

// where returns the rows of the evaluator's frame in which a condition is true.
func (e *evaluator) where(condition string) (dataframe.DataFrame, error) {
	mask, n, err := e.condition(condition)
	if err != nil {
		return dataframe.DataFrame{}, err
	}
	rows, kept := make([]int, len(mask)), 0
	for i, m := range mask {
		rows[kept] = i // without a branch, which would be mispredicted
		if m {
			kept++
		}
	}
	if kept == 0 {
		return dataframe.DataFrame{}, formulaErrorf(ErrNoRows, condition, n, "the condition is true in none of %d rows%s", len(mask), e.unknownText(n))
	}
	return take(e.frame().df, rows[:kept])
}

// take returns rows of a frame in the order given, as copies.
func take(df dataframe.DataFrame, rows []int) (dataframe.DataFrame, error) {
	out := df.Subset(rows)
	return out, out.Err
}

// With returns the frame with columns added, or replaced where the name is
// taken, R's transform. In arithmetic a date is a number of days since 1970-01-01,
// so that a difference of dates is in days: "stay = left - came".
//
//	df, err := frames.With(df, "ratio = hp/wt", "heavy = wt > 3", "size = ifelse(heavy, \"large\", \"small\")")
//
// Each definition is a name, = and an expression of the formula language (see
// Formula), which may use the columns defined before it. A name that is not a
// word is written in backquotes; without a name, the column is named by the
// expression. A value is missing where R's is. Numbers are float columns,
// conditions bool, texts string; a column alone keeps its type. Integers keep all their
// digits: sums, differences, products and remainders of int columns and whole constants are exact up
// to 64 bits, in an int column if float64 does not hold them, and all else, such as
// quotients, is computed with the nearest float64. Summaries of
// whole columns may be part of an expression, see Grouped.Summarise:
// "z = (x - mean(x))/sd(x)"; Grouped.With takes them by group.
//
// Functions that look at other rows take them in the order of the frame, and Grouped.With those of the
// group; values missing in x are missing in the result, unless it says otherwise:
//
//	row()                    number of the row, counted from 1: "row = row()" before rows are left
//	                         out, sorted or joined keeps it with its row
//	lag(x), lag(x, n)        value n rows before, lead(x, n) behind; missing where there is none
//	diff(x), diff(x, lag)    x less its value 1, or lag, rows before; of dates in days
//	cumsum(x), cumprod(x), cummin(x), cummax(x)
//	                         up to the row; missing from the first missing value on
//	frollmean(x, n), frollsum(x, n), frollmedian(x, n), frollmin(x, n), frollmax(x, n), frollsd(x, n)
//	                         of the row and the n - 1 before; missing if one is, or there are fewer
//	nafill(x, "locf")        the last value up to the row that is not missing; "nocb" the next
//	rank(x, na.last, ties.method)
//	                         1 is the smallest, ties share the mean of their places, or "min", "max",
//	                         "first", "dense"; missing values are last, or missing by na.last = "keep"
//
// Functions of text mean what they mean in R, and take numbers as R writes them:
//
//	tolower(s), toupper(s), trimws(s), trimws(s, "left"), nchar(s), as.character(x)
//	substr(s, 1, 3)          letters 1 to 3
//	startsWith(s, "a"), endsWith(s, "z"), grepl(pattern, s)
//	                         conditions; grepl of a missing value is FALSE
//	sub(pattern, by, s), gsub(pattern, by, s)
//	                         the first match, or all, replaced; \1 in by is the first group
//	str_extract(s, pattern)  first match, missing if there is none
//	strsplit(s, pattern, 2)  second part, missing if there are fewer; -1 is the last
//	paste(a, b, sep = "-"), paste0(a, b), sprintf("%s: %.1f", a, x)
//	                         a missing value is written NA
//	as.numeric(s)            a number; other text is an error that names the row, or missing by
//	                         errors = "coerce"; as.integer(s) cuts
//	round(x, digits), pmin(a, b), pmax(a, b, na.rm = TRUE)
//
// A pattern is a regular expression of Go's (https://pkg.go.dev/regexp/syntax), without R's references
// back and lookarounds; fixed = TRUE takes it literally, ignore.case = TRUE both cases. A backslash in it
// may be doubled, as R wants it, or not: "\d+". Choices are of conditions or of values:
//
//	ifelse(test, yes, no)
//	case_when(age < 18, "child", age < 65, "adult", TRUE, "senior")
//	                         the value behind the first condition that is TRUE, missing if none is
//	coalesce(a, b, 0)        the first value that is not missing
//	recode(city, "NYC" = "New York", LA = "Los Angeles", .default = "other")
//	                         other values stay if there is no .default; .missing is that of missing ones
//
// Functions of dates give dates, which stay dates in formulas and on axes:
//
//	floor_date(t, "month")   where the hour, day, week (from Monday), month, quarter or year of t begins
//	as.Date(t)               the day of a time; as.Date(k, origin = "1899-12-30") of a day number of Excel
//	dmy(s), mdy(s), ymd(s)   dates written in that order, in the forms that ReadCSV knows; other text is
//	                         an error, or missing by errors = "coerce"
//	to_utc(t, "Europe/Zurich", repeated = "first", skipped = "forward")
//	                         when the clocks of a zone showed t. An hour that they show twice is the
//	                         "first" or "second" of the two, or by the "order" of the rows; one that they
//	                         leave out is missing by "NA", or moves "forward". Without the rule each is
//	                         an error that names the row
//	from_utc(t, "Europe/Zurich")
//	                         what the clocks of a zone show
//
// The frame given is not changed. The error names the row and the values where
// an expression is not defined, such as hp/wt where wt is 0, or infinite (it
// matches ErrNotFinite; ifelse(wt == 0, NA, hp/wt) says what is meant); other
// errors are those of Design about the place in the expression.
func With(df dataframe.DataFrame, definitions ...string) (dataframe.DataFrame, error) {
	e, err := onFrame(df)
	if err != nil {
		return dataframe.DataFrame{}, err
	}
	return e.with(definitions)
}

// with adds columns to the evaluator's frame.
func (e *evaluator) with(definitions []string) (dataframe.DataFrame, error) {
	none := dataframe.DataFrame{}
	if len(definitions) == 0 {
		return none, errorf(ErrSetting, "no column is defined; a definition is for example \"ratio = hp/wt\"")
	}
	var all []series.Series
	at := make(map[string]int) // by name
	add := func(s series.Series) {
		k, ok := at[s.Name]
		if !ok {
			k, all = len(all), append(all, s)
			at[s.Name] = k
		}
		all[k] = s
	}
	for _, name := range e.names() {
		add(e.frame().series[name])
	}
	for _, src := range definitions {
		d, err := parseDefinition(src)
		if err != nil {
			return none, err
		}
		c, err := e.define(d)
		if err != nil {
			return none, err
		}
		if err := c.stored(); err != nil {
			return none, err
		}
		add(c.series(d.name))
		c.computed = true
		e.cols[d.name] = c
		e.groups = e.groups.fresh()
	}
	out := dataframe.New(all...)
	return out, out.Err
}
