//go:build unix

// Command bench times the sums of formulas on tables of DuckDB, PostgreSQL and
// ClickHouse by both routes, and the route that is chosen; and by both routes a factor, absorbed levels and a logistic
// regression, beside what the engine takes for naive sums. make engines-bench runs it; it
// writes build/engines.md.
//
// A job, a formula by a route, is a process of its own. Jobs are repeated in turns, and the
// least time of each is told: others on the machine only add to it. The second of two routes
// is stopped when it has taken twice as long as the first. Times are those of Design and
// Moments together; memory is the peak of the process, and of the server's processes what
// they hold of their own, at a tenth of the rows and at all of them.
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
	"github.com/regbook/regbook/internal/try"
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
	p := flag.String("p", "5,20,50,200", "terms of the formulas; empty: only the second table")
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

func run(set *settings, out string) (err error) {
	defer try.Handle(&err)
	var b, more strings.Builder
	fmt.Fprintf(&b, "# Sums of tables where they are and here\n\n%s, %d processors, %s. Seconds for the moments of a formula of p terms of %d columns: the least of up to %d runs, and of the chosen route its ratio to the better one. In brackets seconds of processors, the server's too. Memory is the peak of the process and of the server's own in MB; DuckDB, in the process, has memory_limit = %s.\n\n", time.Now().Format("2006-01-02"), runtime.NumCPU(), runtime.Version(), columns, set.repeats, memoryLimit)
	b.WriteString("| database | rows | p | pushed down | streamed | automatic | chosen | ratio | MB pushed down | MB streamed |\n|--|--|--|--|--|--|--|--|--|--|\n")
	var beyond []string
	dir := try.Get(os.MkdirTemp("", "regbook-bench-"))
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
				fmt.Fprintf(&b, "| %v | | | not measured: %v | | | | | | |\n", database.dialect, err)
				continue
			}
			try.Check(err)
			j.Driver, j.DSN = server.Driver, server.DSN
		}
		err := try.Do(func() {
			beyond = append(beyond, measure(&b, set, j, database.rows, server)...)
			measureMore(&more, set, j, database.rows, server)
		})
		if database.start != nil {
			err = errors.Join(err, server.Close())
		}
		try.Check(err)
	}
	if len(beyond) == 0 {
		fmt.Fprintf(&b, "\nEvery choice takes at most %.1f times the better route.\n", bound)
	} else {
		fmt.Fprintf(&b, "\nBeyond %.1f times the better route: %s.\n", bound, strings.Join(beyond, "; "))
	}
	b.WriteString(moreHeader + more.String())
	if out == "" {
		_, err = os.Stdout.WriteString(b.String())
		return err
	}
	return os.WriteFile(out, []byte(b.String()), 0o644)
}

// measure makes the tables, times every formula by every route, and returns the rows
// whose choice takes too long.
func measure(b *strings.Builder, set *settings, j job, rows int, server *engines.Server) (beyond []string) {
	for _, n := range []int{rows / 10, rows} {
		fill(j, n, server.Shards)
	}
	for _, p := range set.sizes {
		j.Formula = formula(p)
		small := compare(set, j, rows/10, server)
		all := compare(set, j, rows, server)
		for i, r := range []map[source.Route]result{small, all} {
			n := rows
			if i == 0 {
				n /= 10
			}
			took := r[source.Automatic]
			better := math.Inf(1)
			for _, route := range []source.Route{source.Pushed, source.Streamed} {
				if !r[route].Failed {
					better = min(better, r[route].Seconds)
				}
			}
			ratio := took.Seconds / better
			pushed, streamed := r[source.Pushed], r[source.Streamed]
			line := fmt.Sprintf("| %v | %d | %d | %s | %s | %s | %v | %.2f | %s | %s |\n", j.dialect(), n, p, pushed.cell(), streamed.cell(), took.cell(), took.Route, ratio, pushed.memory(j), streamed.memory(j))
			b.WriteString(line)
			fmt.Fprint(os.Stderr, line)
			if ratio > bound || took.Failed {
				beyond = append(beyond, fmt.Sprintf("%v, %d rows, p = %d (%s, %.2f)", j.dialect(), n, p, took.Route, ratio))
			}
		}
	}
	return beyond
}

// compare times a formula by every route.
func compare(set *settings, j job, n int, server *engines.Server) map[source.Route]result {
	j.Table = fmt.Sprint("t", n)
	routes := []source.Route{source.Streamed, source.Pushed, source.Automatic}
	jobs := make([]job, len(routes))
	for i, route := range routes {
		jobs[i] = j
		jobs[i].Route = route
	}
	r := best(set, server, jobs...)
	by := make(map[source.Route]result)
	for i, route := range routes {
		by[route] = r[i]
	}
	return by
}
