package frames

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
)

func errorOf[T any](_ T, err error) error { return err }

func manyNames(prefix string, n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf("%s%06d", prefix, i)
	}
	return names
}

// many are calls on tables of many columns, names or keys, each on n of them.
func many(t testing.TB) map[string]func(n int) (call func() error) {
	cases := map[string]func(n int) func() error{
		"types of all columns": func(n int) func() error {
			names, types := manyNames("v", n), make(map[string]series.Type, n)
			for _, name := range names {
				types[name] = series.String
			}
			text := strings.Join(names, ",") + "\n" + strings.Repeat("1,", n-1) + "1\n"
			return func() error { return errorOf(ParseCSV(strings.NewReader(text), &CSVSettings{Types: types})) }
		},
	}
	for what, header := range map[string]func(n int) string{
		"equal": func(n int) string { return strings.Repeat("a,", n-1) + "a" },
		"none":  func(n int) string { return strings.Repeat(",", n-1) },
		"taken": func(n int) string { return strings.Repeat("a,", n/2) + strings.Join(manyNames("a_", n-n/2), ",") },
	} {
		cases["a header: "+what] = func(n int) func() error {
			text := header(n) + "\n" + strings.Repeat("1,", n-1) + "1\n" + strings.Repeat("x,", n-1) + "x\n"
			return func() error {
				c, err := ParseCSV(strings.NewReader(text), nil)
				if err != nil {
					return err
				}
				names := c.Frame.Names()
				if seen := nameSet(names); len(seen) != n {
					return fmt.Errorf("%d names differ", len(seen))
				}
				if last := names[n-1]; what == "equal" && last != fmt.Sprintf("a_%d", n) {
					return fmt.Errorf("the last is named %q", last)
				}
				return nil
			}
		}
	}
	for what, call := range map[string]func(wide dataframe.DataFrame, names []string) error{
		"GroupBy of many keys": func(df dataframe.DataFrame, names []string) error { return errorOf(GroupBy(df, names...).Count()) },
		"Join by all columns":  func(df dataframe.DataFrame, _ []string) error { return errorOf(Join(df, df, InnerJoin)) },
		"Join by one column":   func(df dataframe.DataFrame, names []string) error { return errorOf(Join(df, df, LeftJoin, names[0])) },
		"Longer of many columns": func(df dataframe.DataFrame, names []string) error {
			return errorOf(Longer(df, "name", "value", names...))
		},
		"Describe":                 func(df dataframe.DataFrame, _ []string) error { return errorOf(Describe(df)) },
		"Info":                     func(df dataframe.DataFrame, _ []string) error { return errorOf(Info(df)) },
		"Matrix":                   func(df dataframe.DataFrame, _ []string) error { return errorOf(Matrix(df)) },
		"FormatCSV":                func(df dataframe.DataFrame, _ []string) error { return FormatCSV(io.Discard, df, nil) },
		"Complete":                 func(df dataframe.DataFrame, _ []string) error { return errorOf(Complete(df)) },
		"Sort":                     func(df dataframe.DataFrame, names []string) error { return errorOf(Sort(df, names...)) },
		"a formula of all columns": func(df dataframe.DataFrame, names []string) error { return errorOf(Design(df, names[0]+" ~ .")) },
	} {
		cases[what] = func(n int) func() error {
			names := manyNames("v", n)
			columns := make([]Column, n)
			for i, name := range names {
				columns[i] = Col(name, []int{1, 2, i})
			}
			df := frame(t, columns...)
			return func() error { return call(df, names) }
		}
	}
	for what, call := range map[string]func(df dataframe.DataFrame) error{
		"GroupBy": func(df dataframe.DataFrame) error {
			return errorOf(GroupBy(df, "k").Summarise("n()", "mean(v)", "first(k)"))
		},
		"Join":  func(df dataframe.DataFrame) error { return errorOf(Join(df, df, InnerJoin, "k")) },
		"Wider": func(df dataframe.DataFrame) error { return errorOf(Wider(df, "k", "v", "one")) },
	} {
		cases[what+" of many rows"] = func(n int) func() error {
			df := frame(t, Col("k", manyNames("v", n)), Col("one", make([]int, n)), Col("v", make([]float64, n)))
			return func() error { return call(df) }
		}
	}
	return cases
}

func TestMany(t *testing.T) {
	for what, prepare := range many(t) {
		if err := prepare(1000)(); err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
	// The numbers of a name go on where they ended.
	names := new(CSVReport).repairNames([]string{"a", "a", "a_2", "b", "a", "a_2", "a"}, make([]mark, 7))
	if got, want := strings.Join(names, " "), "a a_3 a_2 b a_4 a_2_2 a_5"; got != want {
		t.Errorf("names %s, wanted %s", got, want)
	}
}

// BenchmarkMany fails if a call takes much longer than four times its time on a quarter of the
// columns, each time that it is tried. (Calls that compared all pairs took sixteen times as
// long, and minutes for 100,000.) make bench runs it.
func BenchmarkMany(b *testing.B) {
	for what, prepare := range many(b) {
		b.Run(what, func(b *testing.B) {
			timed := func(n int) time.Duration {
				call := prepare(n)
				start := time.Now()
				if err := call(); err != nil {
					b.Fatal(err)
				}
				return time.Since(start)
			}
			var few, many time.Duration
			for range 3 {
				few, many = timed(10_000), timed(40_000)
				if many < 8*few+200*time.Millisecond {
					return
				}
			}
			b.Errorf("%v for 10,000 columns and %v for 40,000", few, many)
		})
	}
}

// What would take more than a bound is refused before memory is taken.
func TestTablesTooLarge(t *testing.T) {
	const n = 20_000
	same := frame(t, Col("k", make([]int, n)), Col("v", make([]float64, n)))
	_, err := Join(same, same, InnerJoin, "k")
	wantError(t, err, ErrTooLarge, "400000000 pairs of rows", "compare more keys")
	if anti, err := Join(same, same, AntiJoin, "k"); err != nil || anti.Frame.Nrow() != 0 {
		t.Errorf("an anti join takes no memory: %v", err)
	}
	own := frame(t, Col("k", manyNames("k", n)), Col("of", manyNames("of", n)), Col("v", make([]float64, n)))
	_, err = Wider(own, "of", "v", "k")
	wantError(t, err, ErrTooLarge, "20000 rows and 20000 columns", "leave the table long")
}

// Names that would move a terminal are shown escaped, in tables, in errors and below formulas.
func TestNamesOnATerminal(t *testing.T) {
	const name = "a\x1b[31m\x07\u202e\nb"
	df := frame(t, Col(name, []float64{1, 2, 4, 3}), Col("y", []float64{1, 2, 2, 5}), Col("g", []string{"u", "v\x1b", "u", "v\x1b"}))
	var texts []string
	say := func(v any, err error) {
		if err != nil {
			texts = append(texts, err.Error())
		} else {
			texts = append(texts, fmt.Sprint(v))
		}
	}
	d := get(Design(df, "y ~ ."))(t)
	say(TermsOf(d), nil)
	say(ParseCSV(strings.NewReader("\""+name+"\",\""+name+"\"\n1,x\n,\x1b\n"), nil))
	say(Join(df, df, LeftJoin, name))
	say(Join(df, df, LeftJoin, "\x1b"))
	say(Complete(df))
	say(Design(df, "y ~ nobody"))
	say(Design(df, "y ~ `"+name+"` + + \x1b"))
	say(Design(df, "y ~ `"+name+"` + log(g)"))
	say(Sort(df, "\x1b"))
	say(ReadCSV("no\x1bfile.csv", nil))
	for _, text := range texts[:len(texts)-1] { // the last is the system's
		if at := strings.IndexAny(text, "\x1b\x07\u202e\r"); at >= 0 {
			t.Errorf("%q", text)
		}
	}
	if want := "    b` + + \\x1b\n           ^^^^"; !strings.Contains(texts[6], want) {
		t.Errorf("%s\nwanted %s", texts[6], want)
	}
}
