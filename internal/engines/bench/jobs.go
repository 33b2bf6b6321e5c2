//go:build unix

package main

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/regbook/regbook/frames/source"
	"github.com/regbook/regbook/internal/engines"
	"github.com/regbook/regbook/internal/try"
	"github.com/regbook/regbook/mlreg"
)

// job is what a process times.
type job struct {
	Driver, DSN string // the driver tells the dialect
	Table       string
	Formula     string
	Fit         fitting
	Route       source.Route
	Connections int     // 0 reads a table at once
	SQL         string  // timed in place of a formula, unless it is empty
	Limit       float64 // seconds, 0 is none
}

// fitting is what of a formula is timed.
type fitting int

const (
	moments fitting = iota
	absorbed
	logistic
)

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

// cell is a time, and that of processors.
func (r result) cell() string { return fmt.Sprintf("%v (%.2f)", r, r.CPU) }

// memory is the peak of the process, and that of the server.
func (r result) memory(j job) string {
	if j.dialect() == source.DuckDB {
		return fmt.Sprintf("%.0f", r.MB)
	}
	return fmt.Sprintf("%.0f + %.0f", r.MB, r.Server)
}

// best times jobs in turns, and returns the least of each. Those behind the first that are pushed down are stopped when they have taken
// twice as long as that and a second; likelihoods, whose steps take longer, twenty times as long and ten seconds.
func best(set *settings, server *engines.Server, jobs ...job) []result {
	all, total := make([]result, len(jobs)), make([]float64, len(jobs))
	for k := range set.repeats {
		for i, j := range jobs {
			if k > 0 && (total[i] >= set.seconds || all[i].Stopped || all[i].Failed) {
				continue
			}
			if j.Limit = 0; i > 0 && k == 0 && j.Route == source.Pushed {
				if j.Limit = 2*all[0].Seconds + 1; j.Fit == logistic {
					j.Limit *= 10
				}
			}
			r := timed(j, server)
			total[i] += r.Seconds
			if b := all[i]; k > 0 {
				r.MB, r.Server, r.CPU = max(r.MB, b.MB), max(r.Server, b.Server), min(r.CPU, b.CPU)
				r.Seconds = min(r.Seconds, b.Seconds)
			}
			all[i] = r
		}
	}
	return all
}

// timed runs a job in a process of its own.
func timed(j job, server *engines.Server) result {
	var r result
	text := try.Get(json.Marshal(j))
	self := try.Get(os.Executable())
	var out bytes.Buffer
	cmd := exec.Command(self, "-job", string(text))
	cmd.Stdout, cmd.Stderr = &out, os.Stderr
	before := usageOf(server.Processes())
	try.Check(cmd.Start())
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
	ended := cmd.Wait()
	close(done)
	r.Server = <-watched
	try.Check(ended)
	try.Check(json.Unmarshal(out.Bytes(), &r))
	if count, ok := others[j.dialect()]; ok && r.Stopped {
		idle(j, count)
	}
	r.CPU += usageOf(server.Processes()).seconds - before.seconds
	return r
}

// others count the queries of a server besides the count. ClickHouse does not end one while it
// reads it, nor PostgreSQL before it has something to send, if the program that asked has ended.
var others = map[*source.Dialect]string{
	source.ClickHouse: "SELECT count(*) - 1 FROM system.processes",
	source.PostgreSQL: "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE state = 'active' AND pid <> pg_backend_pid()",
}

// idle waits up to a minute until the server has ended the queries of a job that was stopped.
func idle(j job, count string) {
	db := try.Get(sql.Open(j.Driver, j.DSN))
	defer db.Close()
	for range 120 {
		var n int64
		try.Check(db.QueryRow(count).Scan(&n))
		if n <= 0 {
			return
		}
		time.Sleep(500 * time.Millisecond)
	}
	fmt.Fprintln(os.Stderr, "bench: a query that was stopped goes on")
}

// timeOne is the process of a job.
func timeOne(text string) (err error) {
	defer try.Handle(&err)
	var j job
	try.Check(json.Unmarshal([]byte(text), &j))
	db := try.Get(sql.Open(j.Driver, j.DSN))
	defer db.Close()
	ctx := context.Background()
	if j.dialect() == source.DuckDB {
		try.Get(db.ExecContext(ctx, "SET memory_limit = '"+memoryLimit+"'"))
	}
	s := try.Get(source.Open(ctx, db, j.dialect(), j.Table))
	if j.Connections > 0 {
		s = try.Get(s.Connections(j.Connections))
	}
	if j.Limit > 0 {
		var cancel func()
		ctx, cancel = context.WithTimeout(ctx, time.Duration(j.Limit*float64(time.Second)))
		defer cancel()
	}
	before := used()
	start := time.Now()
	route, err := j.computed(ctx, db, s)
	stopped := errors.Is(err, context.DeadlineExceeded)
	failed := err != nil && strings.Contains(err.Error(), "Out of Memory Error")
	if err != nil && !stopped && !failed {
		return err
	}
	r := result{Seconds: time.Since(start).Seconds(), Route: route, MB: peak(), Stopped: stopped, Failed: failed}
	r.CPU = (used() - before).Seconds()
	return json.NewEncoder(os.Stdout).Encode(r)
}

// computed does what is timed, and returns the route that was taken.
func (j *job) computed(ctx context.Context, db *sql.DB, s *source.Source) (source.Route, error) {
	if j.SQL != "" {
		rows, err := db.QueryContext(ctx, j.SQL)
		if err != nil {
			return source.Pushed, err
		}
		for rows.Next() {
		}
		return source.Pushed, errors.Join(rows.Err(), rows.Close())
	}
	d, err := s.Design(ctx, j.Formula, &source.DesignSettings{Route: j.Route})
	if err != nil {
		return j.Route, err
	}
	switch j.Fit {
	case absorbed:
		_, err = mlreg.FitAbsorbed(d)
	case logistic:
		_, err = mlreg.FitLogistic(d, nil)
	default:
		_, err = d.Moments()
	}
	return d.Route(), err
}
