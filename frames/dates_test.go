package frames

import (
	"context"
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-gota/gota/series"

	"github.com/regbook/regbook/frames/internal/table"
	"github.com/regbook/regbook/mlreg"
)

// datesOfR are the answers of R 4.2.2 in testdata/dates.json:
// LC_ALL=C TZ=UTC Rscript dates.R > dates.json
type datesOfR struct {
	Time, Day                                           []string
	Since, Year, Month, Mday, Yday, Weekday, Hour, Y, X []float64
	Dates                                               []*string
	Columns                                             int
}

func readDates(t *testing.T) datesOfR {
	t.Helper()
	data := get(os.ReadFile("testdata/dates.json"))(t)
	var ref datesOfR
	if err := json.Unmarshal(data, &ref); err != nil {
		t.Fatal(err)
	}
	return ref
}

func TestDatePartsLikeR(t *testing.T) {
	ref := readDates(t)
	df := frame(t, Col("time", ref.Time), Col("day", ref.Day))
	got := get(With(df, "year(time)", "month(time)", "day(time)", "yday(time)", "weekday(time)", "hour(time)", "since = 1*time", "h = 24*(time - day)", "m = month(day)"))(t)
	for name, want := range map[string][]float64{"year(time)": ref.Year, "month(time)": ref.Month, "m": ref.Month, "day(time)": ref.Mday, "yday(time)": ref.Yday,
		"weekday(time)": ref.Weekday, "hour(time)": ref.Hour, "since": ref.Since, "h": ref.Hour} {
		x, err := Floats(got, name)
		if err != nil || !slices.EqualFunc(x, want, func(a, b float64) bool { return math.Abs(a-b) <= 1e-10*math.Max(1, math.Abs(b)) }) {
			t.Errorf("%s is %v, %v; R's is %v", name, x, err, want)
		}
	}
	times := get(Dates(df, "time"))(t)
	for i, v := range times {
		if v.Format("2006-01-02 15:04:05") != ref.Time[i] {
			t.Errorf("%s is %v", ref.Time[i], v)
		}
	}
}

// Dates in a formula are numbers, also in new rows, which are counted from the
// first date of the training rows.
func TestDatesInFormulasLikeR(t *testing.T) {
	ref := readDates(t)
	dates := make([]string, len(ref.Dates))
	for i, d := range ref.Dates {
		if dates[i] = "NaN"; d != nil {
			dates[i] = *d
		}
	}
	df := frame(t, Col("y", ref.Y), Col("day", dates))
	formula := `y ~ day + factor(month(day)) + I(weekday(day) > 5) + I(day >= "2024-02-01")`
	d := get(Design(df, formula))(t)
	if got := d.X.RawMatrix(); got.Cols != ref.Columns || !slices.Equal(got.Data, ref.X) {
		t.Errorf("%q\n%v\nR has %v", d.Names, got.Data, ref.X)
	}
	terms := TermsOf(d)
	if terms.Since != "2024-01-05" || !strings.Contains(terms.String(), "days since 2024-01-05") || terms.Omitted != 1 {
		t.Errorf("%v", terms)
	}
	like, err := DesignLike(d, frame(t, Col("day", []string{"2024-03-01", "2024-04-06"})))
	if err != nil || like.X.At(0, 0) != 56 || like.X.At(1, 4) != 1 {
		t.Errorf("%v, %v", like, err)
	}
	// A dot includes dates, a basis takes them, and rows from another first date
	// are coded by another design.
	dot, err := Design(df, "y ~ .")
	if err != nil || !slices.Equal(dot.Names, []string{"day"}) {
		t.Fatalf("%v, %v", dot, err)
	}
	if _, err = Design(df, "y ~ ns(day, 3) + poly(day, 2) + fourier(day, period = 365, order = 1)"); err != nil {
		t.Error(err)
	}
	fit := get(mlreg.FitOLS(dot, nil))(t)
	later := get(Where(df, `day > "2024-02-01"`))(t)
	other := get(Design(later, "y ~ day"))(t)
	if _, err := fit.Predict(other); err == nil {
		t.Error("days since another date were taken")
	}
	if d, err = Design(df, "day ~ y"); err != nil || d.Y[1] != 3 {
		t.Errorf("a date as response: %v, %v", d, err)
	}
	if d, err = Design(df, "y ~ factor(day)"); err != nil || len(d.Names) != 10 {
		t.Errorf("a factor when asked for: %v, %v", d, err)
	}
	if d, err = Design(df, `y ~ I(day - "2024-01-01") + I(day - "2024-01-01" > 30)`); err != nil || d.X.At(1, 0) != 7 || d.X.At(3, 1) != 0 || d.X.At(5, 1) != 1 {
		t.Errorf("days since a day: %v, %v", d, err)
	}
}

// ReadCSV recognizes these columns, and says how it read them.
func TestReadDates(t *testing.T) {
	text := `iso,us,eu,german,name,late,time,unsure,wrong,mixed
2024-03-01,1/31/2024,31/1/2024,01.02.2024,1 March 2024,"Mar 1, 2024",2024-03-01T12:30:00Z,1/2/2024,2023-02-28,31/1/2024
2024-02-29,2/1/2024,1/2/2024,31.12.2023,29-Feb-2024,"February 29th, 2024",2024-03-01 02:00:00 +02:00,3/4/2024,2023-02-30,1/31/2024
NA,12/25/2023,25/12/2023,,3 Apr 1999,,2024-03-02 3:04 PM,5/6/2024,2023-03-01,1/1/2024
`
	got := get(ParseCSV(strings.NewReader(text), nil))(t)
	for name, want := range map[string][]string{
		"iso": {"2024-03-01", "2024-02-29", "NaN"}, "us": {"2024-01-31", "2024-02-01", "2023-12-25"}, "eu": {"2024-01-31", "2024-02-01", "2023-12-25"},
		"german": {"2024-02-01", "2023-12-31", "NaN"}, "name": {"2024-03-01", "2024-02-29", "1999-04-03"}, "late": {"2024-03-01", "2024-02-29", "NaN"},
		"time": {"2024-03-01 12:30:00", "2024-03-01 00:00:00", "2024-03-02 15:04:00"}, "unsure": {"1/2/2024", "3/4/2024", "5/6/2024"},
		"wrong": {"2023-02-28", "2023-02-30", "2023-03-01"}, "mixed": {"31/1/2024", "1/31/2024", "1/1/2024"},
	} {
		if cells := got.Frame.Col(name).Records(); !slices.Equal(cells, want) {
			t.Errorf("%s is %q, not %q", name, cells, want)
		}
		if dates := IsDates(got.Frame, name); dates != !slices.Contains([]string{"unsure", "wrong", "mixed"}, name) {
			t.Errorf("%s: dates is %v", name, dates)
		}
	}
	report := got.Report.String()
	for _, want := range []string{
		"us      date", "dates: us: read as month/day/year", "dates: eu: read as day/month/year", "dates: german: read as day.month.year", "dates: iso: read as year-month-day", `changed: german: date written in ISO form: "01.02.2024" in row 1`,
		`changed: time: date written in ISO form, in UTC: "2024-03-01T12:30:00Z" in row 1`,
		`note: unsure: text: dates such as "1/2/2024" in row 1 may have the day or the month first; set CSVSettings.Dates to dmy or mdy`,
		`note: wrong: text, though 2 of 3 values are dates: row 2 has "2023-02-30", a day that does not exist`,
		`note: mixed: text: "31/1/2024" in row 1 has the day first, "1/31/2024" in row 2 the month`,
	} {
		if !strings.Contains(report, want) {
			t.Errorf("the report does not say %q:\n%s", want, report)
		}
	}
	set, err := ParseCSV(strings.NewReader(text), &CSVSettings{Dates: map[string]string{"unsure": "mdy"}})
	if err != nil || set.Frame.Col("unsure").Records()[1] != "2024-03-04" {
		t.Errorf("%v, %v", set, err)
	}
	set, err = ParseCSV(strings.NewReader("d\n20240301\n19991231\n"), &CSVSettings{Dates: map[string]string{"d": "ymd"}})
	if err != nil || !slices.Equal(set.Frame.Col("d").Records(), []string{"2024-03-01", "1999-12-31"}) {
		t.Errorf("%v, %v", set, err)
	}
	_, err = ParseCSV(strings.NewReader(text), &CSVSettings{Dates: map[string]string{"wrong": "ymd"}})
	wantError(t, err, ErrSetting, `row 2 has "2023-02-30", a day that does not exist`)
	_, err = ParseCSV(strings.NewReader(text), &CSVSettings{Dates: map[string]string{"iso": "day"}})
	wantError(t, err, ErrSetting, "ymd, dmy or mdy")
	_, err = ParseCSV(strings.NewReader(text), &CSVSettings{Dates: map[string]string{"day": "ymd"}})
	wantError(t, err, ErrNoColumn)
}

// Random dates in random forms come back as they were.
func TestDatesRoundTrip(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 13))
	layouts := []string{"2006-01-02", "2006/1/2", "2/1/2006", "01/02/2006", "2.1.2006", "2 Jan 2006", "02-Jan-2006", "January 2, 2006", "Jan 2, 2006", "2006-01-02 15:04", "2/1/2006 15:04:05", "2006-01-02T15:04:05Z", "1/2/2006 3:04 PM"}
	for _, layout := range layouts {
		var cells strings.Builder
		cells.WriteString("d;k\n")
		want := make([]string, 200)
		for i := range want {
			at := time.Date(1800, 1, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, rng.IntN(130_000)).Add(time.Duration(rng.IntN(1440)) * time.Minute)
			cells.WriteString(at.Format(layout) + ";1\n")
			want[i] = at.Format("2006-01-02")
			if strings.Contains(layout, "04") {
				want[i] = at.Format("2006-01-02 15:04:05")
			}
		}
		got, err := ParseCSV(strings.NewReader(cells.String()), nil)
		if err != nil || !slices.Equal(got.Frame.Col("d").Records(), want) || !IsDates(got.Frame, "d") {
			t.Errorf("%s: %v, %v", layout, got.Report, err)
		}
	}
}

// What is no date is not taken for one, and dates are never a level each.
func TestNotDates(t *testing.T) {
	for _, s := range []string{"2023-02-29", "2024-13-01", "2024-00-10", "2024-1-1", "20240101", "2024-01-01x", "2024-01-01 25:00", "2024-01-01 1", "", "01-01-2024", "2024-01-1o"} {
		if _, ok := isoDays(s); ok {
			t.Errorf("%q is taken for a date", s)
		}
	}
	for _, s := range []string{"1.2.3.4", "10-20-30", "version 12, 2024", "2024-03", "12:30:00", "1/2/24", "555-1234-99", "3-4/2024"} {
		if d, ok := writtenDateOf(s); ok {
			t.Errorf("%q is taken for %v", s, d)
		}
	}
	df := frame(t, Col("y", []float64{1, 2, 3, 4}), Col("day", []string{"2023-02-27", "2023-02-28", "2023-02-30", "2023-03-01"}),
		Col("us", []string{"1/2/2024", "3/4/2024", "5/6/2024", "7/8/2024"}), Col("ok", []string{"2023-02-27", "2023-02-28", "2023-03-01", "2023-03-02"}), Col("k", []string{"a", "b", "a", "b"}))
	design := func(s string) error { _, err := Design(df, s); return err }
	where := func(s string) error { _, err := Where(df, s); return err }
	with := func(s string) error { _, err := With(df, s); return err }
	wantError(t, design("y ~ day"), ErrNotNumeric, `3 of its 4 values are dates: row 3 has "2023-02-30": that day does not exist`, "factor(day)")
	wantError(t, design("y ~ us"), ErrNotNumeric, "CSVSettings.Dates")
	wantError(t, design("y ~ month(day)"), ErrNotNumeric, `row 3 has "2023-02-30": that day does not exist`)
	wantError(t, design("y ~ month(k)"), ErrNotNumeric, `row 1 has "a"`)
	wantError(t, design("~ month(y)"), ErrNotNumeric)
	wantError(t, design("y ~ weekdays(ok)"), ErrSyntax, "weekday(a)")
	wantError(t, where(`ok > "1/3/2023"`), ErrSetting, `"1/3/2023" is no date such as 2024-03-01`)
	wantError(t, where(`ok == "2023-02-30"`), ErrSetting, "that day does not exist")
	wantError(t, where("ok > 3"), ErrNotNumeric)
	wantError(t, with(`a = ok - "yesterday"`), ErrSyntax)
	_, err := Floats(df, "ok")
	wantError(t, err, ErrNotNumeric, "has dates")
	got, err := Where(df, `ok > "2023-02-28" & ok < "2023-03-01 12:00"`)
	if err != nil || got.Nrow() != 1 {
		t.Errorf("%v, %v", got, err)
	}
	got, err = GroupBy(df, "month = month(ok)").Summarise("n()", "first = min(ok)", "last = max(ok)", "length = max(ok) - min(ok)")
	if err == nil {
		t.Logf("%v", got)
	}
	if err != nil || got.Elem(0, 3).String() != "2023-02-28" || got.Elem(1, 0).Float() != 3 {
		t.Errorf("%v, %v", got, err)
	}
}

// Days that do not exist are named by the report with row and cell, even if no other date is
// there, and a formula refuses the column, in memory and in blocks.
func TestDaysThatDoNotExistAreNamed(t *testing.T) {
	for _, c := range []struct {
		cells []string
		want  string
	}{
		{[]string{"2024-02-30", "2024-02-31", "2024-01-01"}, `row 1 has "2024-02-30", a day that does not exist`},
		{[]string{"2024-02-30", "2023-02-29"}, `row 1 has "2024-02-30", a day that does not exist`},
		{[]string{"31/04/2024", "31/06/2024", "1/1/2024"}, `row 1 has "31/04/2024", a day that does not exist`},
		{[]string{"30/05/2024", "31/04/2024", "1/1/2024"}, `row 2 has "31/04/2024", a day that does not exist`},
		{[]string{"30 Feb 2024", "31 April 2024", "x"}, `row 1 has "30 Feb 2024", a day that does not exist`},
		{[]string{"29.02.2023", "30.02.2023"}, `row 1 has "29.02.2023", a day that does not exist`},
		{[]string{"2024-13-05", "2024-00-10"}, `row 1 has "2024-13-05", a day that does not exist`},
	} {
		file := "y,d\n1," + strings.Join(c.cells, "\n2,") + "\n"
		csv := get(ParseCSV(strings.NewReader(file), nil))(t)
		if about := csv.Report.Columns[1]; !strings.Contains(about.Note, c.want) || about.Type != series.String {
			t.Errorf("%q: %q, want %q", c.cells, about.Note, c.want)
		}
		_, err := Design(csv.Frame, "y ~ d")
		wantError(t, err, ErrNotNumeric, "factor(d)", c.want[:len(c.want)-len(", a day that does not exist")])
		path := filepath.Join(t.TempDir(), "dates.csv")
		if err := os.WriteFile(path, []byte(file), 0o600); err != nil {
			t.Fatal(err)
		}
		blocks := get(newCSVReader(path, nil))(t)
		l := get(newLearner("y ~ d", blocks.Fields(), nil, table.Limits{Levels: 100, Values: 100}))(t)
		if _, err = blocks.Scan(context.Background(), []string{"y", "d"}, func(b *table.Block) (any, error) { return nil, l.Add(b) }, func(any) error { return nil }); err == nil {
			err = l.EndPass()
		}
		wantError(t, err, ErrNotNumeric, "factor(d)", c.want[:len(c.want)-len(", a day that does not exist")])
	}
}
