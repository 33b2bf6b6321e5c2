//go:build unix

// Command bench times the sums of formulas on tables of DuckDB, PostgreSQL and
// ClickHouse by both routes, and the route that is chosen; and by both routes a factor, absorbed levels and a logistic
// regression, beside what the engine takes for naive sums. make engines-bench runs it; it
// writes build/engines.md.
//
// A job, a formula by a route, is a process of its own. Jobs are repeated in turns, and the
// least time of each is told: others on the machine only add to it. The second of two routes
// is stopped when it has taken twice as long as the first. Times are those of Design and
// Moments together, at a tenth of the rows and at all of them; memory is the peak of the process.
package main

import (
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/regbook/regbook/frames/source"
	"github.com/regbook/regbook/internal/engines"
)

const columns = 20

// formulas have about 5, 20, 50 and 200 terms of 20 columns.
func formula(p int) string {
	var terms []string
	for j := 1; j <= columns && len(terms) < p; j++ {
		terms = append(terms, fmt.Sprint("x", j))
	}
	for j := 1; j <= columns && len(terms) < p; j++ {
		terms = append(terms, fmt.Sprintf("I(x%d^2)", j))
	}
	for j := 1; j <= columns; j++ {
		for k := j + 1; k <= columns && len(terms) < p; k++ {
			terms = append(terms, fmt.Sprintf("x%d:x%d", j, k))
		}
	}
	return "y ~ " + strings.Join(terms, " + ")
}

// bound is how much longer than the better route the chosen one may take.
const bound = 1.1

// memoryLimit is how much of a table DuckDB may keep in memory.
const memoryLimit = "200MB"

type settings struct {
	rows     int
	sizes    []int
	repeats  int
	seconds  float64
	database string
}

func main() {
	var set settings
	flag.IntVar(&set.rows, "rows", 10_000_000, "rows of DuckDB; the servers have a tenth")
	flag.IntVar(&set.repeats, "repeats", 12, "most `times` that a job runs")
	flag.Float64Var(&set.seconds, "seconds", 3, "a job that took `s` seconds in total is not repeated")
	flag.StringVar(&set.database, "database", "", "measure `DuckDB`, PostgreSQL or ClickHouse alone")
	p := flag.String("p", "5,20,50,200", "terms of the formulas of numbers")
	out := flag.String("o", "", "the file to write")
	one := flag.String("job", "", "time this job, of JSON")
	flag.Parse()
	err := func() error {
		if *one != "" {
			return timeOne(*one)
		}
		for _, text := range strings.FieldsFunc(*p, func(r rune) bool { return r == ',' }) {
			k, err := strconv.Atoi(text)
			if err != nil {
				return err
			}
			set.sizes = append(set.sizes, k)
		}
		return run(&set, *out)
	}()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

const header = `# Sums of tables where they are and here

%s, %d processors, %s. Seconds for the moments of a formula of p terms of %d columns, a factor, absorbed levels and a logistic regression: the least of up to %d runs,
and of the chosen route its ratio to the better one. Naive is one statement of the engine for count, sums and sums of products of the same columns, by the same GROUP BY,
in the same run, behind it the ratio of the pushed-down job to it; a logistic regression has such a statement for every Newton step. In brackets seconds of processors, the
server's too. Memory is the peak of the process, without servers, in MB; DuckDB, in the process, has memory_limit = %s.

| database | rows | what | pushed down | streamed | automatic | chosen | ratio | naive | pushed down / naive | MB pushed down | MB streamed |
|--|--|--|--|--|--|--|--|--|--|--|--|
`

func run(set *settings, out string) error {
	b := &report{set: set}
	fmt.Fprintf(b, header, time.Now().Format("2006-01-02"), runtime.NumCPU(), runtime.Version(), columns, set.repeats, memoryLimit)
	dir, err := os.MkdirTemp("", "regbook-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	for _, database := range []struct {
		dialect *source.Dialect
		start   func() (*engines.Server, error)
		rows    int
	}{{source.DuckDB, nil, set.rows}, {source.PostgreSQL, engines.StartPostgreSQL, set.rows / 10}, {source.ClickHouse, engines.StartClickHouse, set.rows / 10}} {
		if set.database != "" && !strings.EqualFold(set.database, database.dialect.String()) {
			continue
		}
		server, j := &engines.Server{}, job{Driver: "duckdb", DSN: filepath.Join(dir, "t.duckdb")}
		if database.start != nil {
			server, err = database.start()
			if errors.Is(err, engines.ErrMissing) {
				fmt.Fprintf(b, "| %v | | not measured: %v | | | | | | | | | |\n", database.dialect, err)
				continue
			}
			if err != nil {
				return err
			}
			j.Driver, j.DSN = server.Driver, server.DSN
		}
		err = b.measure(j, database.rows, server)
		if database.start != nil {
			err = errors.Join(err, server.Close())
		}
		if err != nil {
			return err
		}
	}
	if len(b.late) == 0 {
		fmt.Fprintf(b, "\nEvery choice takes at most %.1f times the better route.\n", bound)
	} else {
		fmt.Fprintf(b, "\nBeyond %.1f times the better route: %s.\n", bound, strings.Join(b.late, "; "))
	}
	if out == "" {
		_, err = os.Stdout.WriteString(b.String())
		return err
	}
	return os.WriteFile(out, []byte(b.String()), 0o644)
}

// report is what is written.
type report struct {
	strings.Builder
	set  *settings
	late []string // choices that take too long
}

// line adds a row to the table, and shows it.
func (b *report) line(format string, values ...any) {
	line := fmt.Sprintf(format, values...)
	b.WriteString(line)
	fmt.Fprint(os.Stderr, line)
}

// measure makes the tables and times every question by every route, and the shards of ClickHouse by one connection and by two.
func (b *report) measure(j job, rows int, server *engines.Server) error {
	for _, n := range []int{rows / 10, rows} {
		if err := fill(j, n, server.Shards); err != nil {
			return err
		}
		j.Table = fmt.Sprint("t", n)
		for _, q := range questionsOf(b.set.sizes) {
			if err := b.compare(j, n, server, q); err != nil {
				return err
			}
		}
		if len(server.Shards) == 0 {
			continue
		}
		one := j
		one.Formula, one.Route, one.Connections = fiveNumbers, source.Streamed, 1
		two := one
		two.Connections = 2
		r, err := best(b.set, server, one, two)
		if err != nil {
			return err
		}
		for i, by := range []string{"one connection", "two connections"} {
			b.line("| %v | %d | 5 numbers of two shards by %s at a time | | %s | | | | | | | %.0f |\n", j.dialect(), n, by, r[i].cell(), r[i].MB)
		}
	}
	return nil
}

// compare times a question by every route.
func (b *report) compare(j job, n int, server *engines.Server, q question) error {
	var jobs []job
	j.Formula, j.Fit = q.formula, q.fit
	for _, route := range []source.Route{source.Streamed, source.Pushed, source.Automatic} {
		j.Route = route
		jobs = append(jobs, j)
	}
	if q.of != nil {
		jobs = append(jobs, job{Driver: j.Driver, DSN: j.DSN, Table: j.Table, SQL: q.naive(j.Table)})
	}
	r, err := best(b.set, server, jobs...)
	if err != nil {
		return err
	}
	streamed, pushed, took := r[0], r[1], r[2]
	better := math.Inf(1)
	for _, r := range r[:2] {
		if !r.Failed {
			better = min(better, r.Seconds)
		}
	}
	ratio, naive, times := took.Seconds/better, "", ""
	if q.of != nil {
		naive, times = r[3].cell(), fmt.Sprintf("%.2f", pushed.Seconds/r[3].Seconds)
	}
	b.line("| %v | %d | %s | %s | %s | %s | %v | %.2f | %s | %s | %.0f | %.0f |\n", j.dialect(), n, q.name, pushed.cell(), streamed.cell(), took.cell(), took.Route, ratio, naive, times, pushed.MB, streamed.MB)
	if ratio > bound || took.Failed {
		b.late = append(b.late, fmt.Sprintf("%v, %d rows, %s (%s, %.2f)", j.dialect(), n, q.name, took.Route, ratio))
	}
	return nil
}
