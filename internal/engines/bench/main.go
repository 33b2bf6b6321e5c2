//go:build unix

// Command bench times the sums of formulas on tables of DuckDB, PostgreSQL and
// ClickHouse by both routes, and the route that is chosen, each in a process of its own,
// whose peak memory it tells (the client's, and with DuckDB the engine's). make
// engines-bench runs it; it writes build/engines.md.
package main

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
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

var sizes = []int{5, 20, 50, 200}

// job is what a process times.
type job struct {
	Driver, DSN string
	Dialect     source.Dialect
	P           int
	Route       source.Route
}

type result struct {
	Seconds float64
	MB      float64
	Route   string
	CPU     float64 // seconds of this process
}

func main() {
	rows := flag.Int("rows", 10_000_000, "rows of DuckDB; the servers have a tenth")
	out := flag.String("o", "", "the file to write")
	one := flag.String("job", "", "time this job, of JSON")
	flag.Parse()
	if err := run(*rows, *out, *one); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(rows int, out, one string) error {
	if one != "" {
		return time1(one)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# Sums of tables where they are and here\n\n%s, %d processors, %s. Seconds for the moments of a formula of p terms of %d columns, and the peak memory of the process in MB.\n\n", time.Now().Format("2006-01-02"), runtime.NumCPU(), runtime.Version(), columns)
	b.WriteString("| database | rows | p | pushed down | streamed | automatic | MB |\n|--|--|--|--|--|--|--|\n")
	dir, err := os.MkdirTemp("", "regbook-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	duck := job{Driver: "duckdb", DSN: filepath.Join(dir, "t.duckdb"), Dialect: source.DuckDB}
	if err := measure(&b, duck, rows, nil); err != nil {
		return err
	}
	for _, server := range []struct {
		start   func() (*engines.Server, error)
		dialect source.Dialect
	}{{engines.StartPostgreSQL, source.PostgreSQL}, {engines.StartClickHouse, source.ClickHouse}} {
		s, err := server.start()
		if errors.Is(err, engines.ErrMissing) {
			fmt.Fprintf(&b, "| %v | | | not measured: %v | | | |\n", server.dialect, err)
			continue
		}
		if err != nil {
			return err
		}
		err = measure(&b, job{Driver: s.Driver, DSN: s.DSN, Dialect: server.dialect}, rows/10, s.Shards)
		if closing := s.Close(); err == nil {
			err = closing
		}
		if err != nil {
			return err
		}
	}
	if out == "" {
		_, err = os.Stdout.WriteString(b.String())
		return err
	}
	return os.WriteFile(out, []byte(b.String()), 0o644)
}

// measure makes the table and times every formula by every route.
func measure(b *strings.Builder, j job, rows int, shards []string) error {
	if err := fill(j, rows, shards); err != nil {
		return err
	}
	for _, p := range sizes {
		var seconds, mb, cpu []string
		var best, chosen float64
		var took string
		for _, route := range []source.Route{source.Pushed, source.Streamed, source.Automatic} {
			j.P, j.Route = p, route
			r, err := timed(j)
			if err != nil {
				return err
			}
			seconds = append(seconds, fmt.Sprintf("%.2f", r.Seconds))
			cpu = append(cpu, fmt.Sprintf("%.2f", r.CPU))
			mb = append(mb, fmt.Sprintf("%.0f", r.MB))
			if route == source.Automatic {
				chosen, took = r.Seconds, r.Route
			} else if best == 0 || r.Seconds < best {
				best = r.Seconds
			}
		}
		fmt.Fprintf(b, "| %v | %d | %d | %s | %s | %s (%s, %.2f of the better) | %s |\n", j.Dialect, rows, p, seconds[0], seconds[1], seconds[2], took, chosen/best, strings.Join(mb, ", "))
		fmt.Fprintf(os.Stderr, "%v p = %d: %s s, automatic %s; of processors %s\n", j.Dialect, p, strings.Join(seconds, ", "), took, strings.Join(cpu, ", "))
	}
	return nil
}

// timed runs a job in a process of its own.
func timed(j job) (result, error) {
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
	if err := cmd.Run(); err != nil {
		return r, err
	}
	return r, json.Unmarshal(out.Bytes(), &r)
}

// time1 is the process of a job.
func time1(text string) error {
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
	s, err := source.Open(ctx, db, j.Dialect, "t")
	if err != nil {
		return err
	}
	start := time.Now()
	d, err := s.Design(ctx, formula(j.P), &source.DesignSettings{Route: j.Route})
	if err != nil {
		return err
	}
	if _, err := d.Moments(); err != nil {
		return err
	}
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		return err
	}
	cpu := time.Duration(used.Utime.Nano() + used.Stime.Nano())
	r := result{CPU: cpu.Seconds(), Seconds: time.Since(start).Seconds(), Route: d.Route().String(), MB: peak()}
	return json.NewEncoder(os.Stdout).Encode(r)
}

// peak returns the peak resident memory of the process in MB, 0 if it is not known.
func peak() float64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for _, line := range strings.Split(string(status), "\n") {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kb, err := strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rest), "kB")), 64)
			if err == nil {
				return kb / 1024
			}
		}
	}
	return 0
}

// fill makes the table.
func fill(j job, rows int, shards []string) error {
	var names, values, types []string
	for k := range columns {
		names = append(names, fmt.Sprint("x", k+1))
	}
	names = append(names, "y")
	random := "random() + random() + random()"
	typ := "DOUBLE"
	switch j.Dialect {
	case source.PostgreSQL:
		typ = "double precision"
	case source.ClickHouse:
		typ = "Float64"
	}
	for k, name := range names {
		if j.Dialect == source.ClickHouse {
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
	list := strings.Join(values, ", ")
	switch j.Dialect {
	case source.DuckDB:
		return exec(j.DSN, "CREATE TABLE t ("+strings.Join(types, ", ")+")", fmt.Sprintf("INSERT INTO t SELECT %s FROM range(%d)", list, rows))
	case source.PostgreSQL:
		return exec(j.DSN, "CREATE TABLE t ("+strings.Join(types, ", ")+")", fmt.Sprintf("INSERT INTO t SELECT %s FROM generate_series(1, %d)", list, rows), "VACUUM ANALYZE t")
	}
	for _, dsn := range shards {
		if err := exec(dsn, "CREATE TABLE part ("+strings.Join(types, ", ")+") ENGINE = MergeTree ORDER BY tuple()", fmt.Sprintf("INSERT INTO part SELECT %s FROM numbers(%d)", list, rows/len(shards))); err != nil {
			return err
		}
	}
	return exec(j.DSN, "CREATE TABLE t AS part ENGINE = Distributed(two, default, part)")
}
