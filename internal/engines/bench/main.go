//go:build unix

// Command bench times the sums of formulas on tables of DuckDB, PostgreSQL and
// ClickHouse by both routes, and the route that is chosen. make engines-bench runs it; it
// writes build/engines.md.
//
// A job, a formula by a route, is a process of its own. Jobs are repeated in turns, and the
// least time of each is told: others on the machine only add to it. The second of two routes
// is stopped when it has taken twice as long as the first. Times are those of Design and
// Moments together; memory is the peak of the process, and of the server's processes what
// they hold of their own, at a tenth of the rows and at all of them.
package main

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
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

// job is what a process times.
type job struct {
	Driver, DSN string // the driver tells the dialect
	Table       string
	P           int
	Route       source.Route
	Limit       float64 // seconds, 0 is none
}

var dialects = map[string]*source.Dialect{"duckdb": source.DuckDB, "pgx": source.PostgreSQL, "clickhouse": source.ClickHouse}

func (j *job) dialect() *source.Dialect { return dialects[j.Driver] }

type result struct {
	Seconds float64
	CPU     float64 // seconds of this process and, from timed, of the server
	MB      float64 // peak of this process
	Server  float64 // peak in MB
	Route   source.Route
	Stopped bool // at the limit
	Failed  bool // for memory
}

func (r result) String() string {
	if r.Failed {
		return "out of memory"
	}
	if r.Stopped {
		return fmt.Sprintf("> %.2f", r.Seconds)
	}
	return fmt.Sprintf("%.2f", r.Seconds)
}

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
	p := flag.String("p", "5,20,50,200", "terms of the formulas")
	out := flag.String("o", "", "the file to write")
	one := flag.String("job", "", "time this job, of JSON")
	flag.Parse()
	err := func() error {
		if *one != "" {
			return timeOne(*one)
		}
		for _, text := range strings.Split(*p, ",") {
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

func run(set *settings, out string) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# Sums of tables where they are and here\n\n%s, %d processors, %s. Seconds for the moments of a formula of p terms of %d columns: the least of up to %d runs, and of the chosen route its ratio to the better one. In brackets seconds of processors, the server's too. Memory is the peak of the process and of the server's own in MB; DuckDB, in the process, has memory_limit = %s.\n\n", time.Now().Format("2006-01-02"), runtime.NumCPU(), runtime.Version(), columns, set.repeats, memoryLimit)
	b.WriteString("| database | rows | p | pushed down | streamed | automatic | chosen | ratio | MB pushed down | MB streamed |\n|--|--|--|--|--|--|--|--|--|--|\n")
	var beyond []string
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
				fmt.Fprintf(&b, "| %v | | | not measured: %v | | | | | | |\n", database.dialect, err)
				continue
			}
			if err != nil {
				return err
			}
			j.Driver, j.DSN = server.Driver, server.DSN
		}
		more, err := measure(&b, set, j, database.rows, server)
		if database.start != nil {
			err = errors.Join(err, server.Close())
		}
		if err != nil {
			return err
		}
		beyond = append(beyond, more...)
	}
	if len(beyond) == 0 {
		fmt.Fprintf(&b, "\nEvery choice takes at most %.1f times the better route.\n", bound)
	} else {
		fmt.Fprintf(&b, "\nBeyond %.1f times the better route: %s.\n", bound, strings.Join(beyond, "; "))
	}
	if out == "" {
		_, err = os.Stdout.WriteString(b.String())
		return err
	}
	return os.WriteFile(out, []byte(b.String()), 0o644)
}

// measure makes the tables, times every formula by every route, and returns the rows
// whose choice takes too long.
func measure(b *strings.Builder, set *settings, j job, rows int, server *engines.Server) (beyond []string, err error) {
	for _, n := range []int{rows / 10, rows} {
		if err := fill(j, n, server.Shards); err != nil {
			return nil, err
		}
	}
	for _, p := range set.sizes {
		j.P = p
		small, err := compare(set, j, rows/10, server)
		if err != nil {
			return nil, err
		}
		all, err := compare(set, j, rows, server)
		if err != nil {
			return nil, err
		}
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
			cell := func(route source.Route) string { return fmt.Sprintf("%v (%.2f)", r[route], r[route].CPU) }
			memory := func(route source.Route) string {
				if j.dialect() == source.DuckDB {
					return fmt.Sprintf("%.0f", r[route].MB)
				}
				return fmt.Sprintf("%.0f + %.0f", r[route].MB, r[route].Server)
			}
			line := fmt.Sprintf("| %v | %d | %d | %s | %s | %s | %v | %.2f | %s | %s |\n", j.dialect(), n, p, cell(source.Pushed), cell(source.Streamed), cell(source.Automatic), took.Route, ratio, memory(source.Pushed), memory(source.Streamed))
			b.WriteString(line)
			fmt.Fprint(os.Stderr, line)
			if ratio > bound || took.Failed {
				beyond = append(beyond, fmt.Sprintf("%v, %d rows, p = %d (%s, %.2f)", j.dialect(), n, p, took.Route, ratio))
			}
		}
	}
	return beyond, nil
}

// compare times a formula by every route.
func compare(set *settings, j job, n int, server *engines.Server) (map[source.Route]result, error) {
	j.Table = fmt.Sprint("t", n)
	best := make(map[source.Route]result)
	total := make(map[source.Route]float64)
	for k := range set.repeats {
		for _, route := range []source.Route{source.Streamed, source.Pushed, source.Automatic} {
			b, done := best[route]
			if done && (total[route] >= set.seconds || b.Stopped || b.Failed) {
				continue
			}
			if j.Route, j.Limit = route, 0; route == source.Pushed && k == 0 {
				j.Limit = 2*best[source.Streamed].Seconds + 1
			}
			r, err := timed(j, server)
			if err != nil {
				return nil, err
			}
			total[route] += r.Seconds
			if done {
				r.MB, r.Server, r.CPU = max(r.MB, b.MB), max(r.Server, b.Server), min(r.CPU, b.CPU)
				r.Seconds = min(r.Seconds, b.Seconds)
			}
			best[route] = r
		}
	}
	return best, nil
}

// timed runs a job in a process of its own.
func timed(j job, server *engines.Server) (result, error) {
	var r result
	text, err := json.Marshal(j)
	if err != nil {
		return r, err
	}
	self, err := os.Executable()
	if err != nil {
		return r, err
	}
	var out bytes.Buffer
	cmd := exec.Command(self, "-job", string(text))
	cmd.Stdout, cmd.Stderr = &out, os.Stderr
	before := usageOf(server.Processes())
	if err := cmd.Start(); err != nil {
		return r, err
	}
	done, watched := make(chan struct{}), make(chan float64)
	go func() {
		most := 0.0
		for {
			most = max(most, usageOf(server.Processes()).mb)
			select {
			case <-done:
				watched <- most
				return
			case <-time.After(50 * time.Millisecond):
			}
		}
	}()
	err = cmd.Wait()
	close(done)
	most := <-watched
	if err != nil {
		return r, err
	}
	if err := json.Unmarshal(out.Bytes(), &r); err != nil {
		return r, err
	}
	if count, ok := others[j.dialect()]; ok && r.Stopped {
		if err := idle(j, count); err != nil {
			return r, err
		}
	}
	r.CPU += usageOf(server.Processes()).seconds - before.seconds
	r.Server = most
	return r, nil
}

// others count the queries of a server besides the count. ClickHouse does not end one while it
// reads it, nor PostgreSQL before it has something to send, if the program that asked has ended.
var others = map[*source.Dialect]string{
	source.ClickHouse: "SELECT count(*) - 1 FROM system.processes",
	source.PostgreSQL: "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE state = 'active' AND pid <> pg_backend_pid()",
}

// idle waits up to a minute until the server has ended the queries of a job that was stopped.
func idle(j job, count string) error {
	db, err := sql.Open(j.Driver, j.DSN)
	if err != nil {
		return err
	}
	defer db.Close()
	for range 120 {
		var n int64
		if err := db.QueryRow(count).Scan(&n); err != nil {
			return err
		}
		if n <= 0 {
			return nil
		}
		time.Sleep(500 * time.Millisecond)
	}
	fmt.Fprintln(os.Stderr, "bench: a query that was stopped goes on")
	return nil
}

// timeOne is the process of a job.
func timeOne(text string) error {
	var j job
	if err := json.Unmarshal([]byte(text), &j); err != nil {
		return err
	}
	db, err := sql.Open(j.Driver, j.DSN)
	if err != nil {
		return err
	}
	defer db.Close()
	ctx := context.Background()
	if j.dialect() == source.DuckDB {
		if _, err := db.ExecContext(ctx, "SET memory_limit = '"+memoryLimit+"'"); err != nil {
			return err
		}
	}
	s, err := source.Open(ctx, db, j.dialect(), j.Table)
	if err != nil {
		return err
	}
	if j.Limit > 0 {
		var cancel func()
		ctx, cancel = context.WithTimeout(ctx, time.Duration(j.Limit*float64(time.Second)))
		defer cancel()
	}
	before, err := used()
	if err != nil {
		return err
	}
	start := time.Now()
	d, err := s.Design(ctx, formula(j.P), &source.DesignSettings{Route: j.Route})
	if err != nil {
		return err
	}
	_, err = d.Moments()
	stopped := errors.Is(err, context.DeadlineExceeded)
	failed := err != nil && strings.Contains(err.Error(), "Out of Memory Error")
	if err != nil && !stopped && !failed {
		return err
	}
	r := result{Seconds: time.Since(start).Seconds(), Route: d.Route(), MB: peak(), Stopped: stopped, Failed: failed}
	after, err := used()
	if err != nil {
		return err
	}
	r.CPU = (after - before).Seconds()
	return json.NewEncoder(os.Stdout).Encode(r)
}

// used returns the time that this process has had of processors.
func used() (time.Duration, error) {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0, err
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), nil
}

// statusMB returns a size of a process in MB, 0 if it is not known.
func statusMB(pid, name string) float64 {
	status, err := os.ReadFile("/proc/" + pid + "/status")
	if err != nil {
		return 0
	}
	for _, line := range strings.Split(string(status), "\n") {
		if rest, ok := strings.CutPrefix(line, name+":"); ok {
			kb, err := strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rest), "kB")), 64)
			if err == nil {
				return kb / 1024
			}
		}
	}
	return 0
}

// peak returns the peak resident memory of this process in MB.
func peak() float64 { return statusMB("self", "VmHWM") }

// usage is what processes have used of processors, and the memory that is their own.
type usage struct{ seconds, mb float64 }

// usageOf adds up the usage of processes, their children, and those that these have waited
// for.
func usageOf(pids []int) usage {
	var u usage
	if len(pids) == 0 {
		return u
	}
	found, _ := filepath.Glob("/proc/[0-9]*/stat") // fails for a bad pattern only
	for _, path := range found {
		text, err := os.ReadFile(path)
		if err != nil {
			continue // it has ended
		}
		after := strings.LastIndexByte(string(text), ')') // of the name
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		fields := strings.Fields(string(text[after+1:]))
		if err != nil || len(fields) < 15 {
			continue
		}
		parent, err := strconv.Atoi(fields[1])
		if err != nil || !slices.Contains(pids, pid) && !slices.Contains(pids, parent) {
			continue
		}
		for _, ticks := range fields[11:15] { // user, system, and those of children
			if x, err := strconv.ParseFloat(ticks, 64); err == nil {
				u.seconds += x / 100
			}
		}
		u.mb += statusMB(strconv.Itoa(pid), "RssAnon")
	}
	return u
}

// fill makes the table of n rows.
func fill(j job, n int, shards []string) error {
	var names, values, types []string
	for k := range columns {
		names = append(names, fmt.Sprint("x", k+1))
	}
	names = append(names, "y")
	random := "random() + random() + random()"
	typ := "DOUBLE"
	switch j.dialect() {
	case source.PostgreSQL:
		typ = "double precision"
	case source.ClickHouse:
		typ = "Float64"
	}
	for k, name := range names {
		if j.dialect() == source.ClickHouse {
			random = fmt.Sprintf("rand(%d) / 4294967296 + rand(%d) / 4294967296", 2*k, 2*k+1)
		}
		values = append(values, random)
		types = append(types, name+" "+typ)
	}
	exec := func(dsn string, commands ...string) error {
		db, err := sql.Open(j.Driver, dsn)
		if err != nil {
			return err
		}
		defer db.Close()
		for _, c := range commands {
			if _, err := db.Exec(c); err != nil {
				return err
			}
		}
		return nil
	}
	table, list := fmt.Sprint("t", n), strings.Join(values, ", ")
	create := "CREATE TABLE " + table + " (" + strings.Join(types, ", ") + ")"
	switch j.dialect() {
	case source.DuckDB:
		return exec(j.DSN, create, fmt.Sprintf("INSERT INTO %s SELECT %s FROM range(%d)", table, list, n))
	case source.PostgreSQL:
		return exec(j.DSN, create, fmt.Sprintf("INSERT INTO %s SELECT %s FROM generate_series(1, %d)", table, list, n), "VACUUM ANALYZE "+table)
	}
	part := "part" + table
	for _, dsn := range shards {
		if err := exec(dsn, "CREATE TABLE "+part+" ("+strings.Join(types, ", ")+") ENGINE = MergeTree ORDER BY tuple()", fmt.Sprintf("INSERT INTO %s SELECT %s FROM numbers(%d)", part, list, n/len(shards))); err != nil {
			return err
		}
	}
	return exec(j.DSN, "CREATE TABLE "+table+" AS "+part+" ENGINE = Distributed(two, default, "+part+")")
}
