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

// best times jobs in turns, and returns the least of each. Those behind the first that are pushed down are stopped when they have taken
// twice as long as that and a second; likelihoods, whose steps take longer, twenty times as long and ten seconds.
func best(set *settings, server *engines.Server, jobs ...job) ([]result, error) {
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
			r, err := timed(j, server)
			if err != nil {
				return nil, err
			}
			total[i] += r.Seconds
			if b := all[i]; k > 0 {
				r.MB, r.CPU, r.Seconds = max(r.MB, b.MB), min(r.CPU, b.CPU), min(r.Seconds, b.Seconds)
			}
			all[i] = r
		}
	}
	return all, nil
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
	before := secondsOf(server.Processes())
	if err := cmd.Run(); err != nil {
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
	r.CPU += secondsOf(server.Processes()) - before
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
	if err == nil && j.Connections > 0 {
		s, err = s.Connections(j.Connections)
	}
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
	route, err := j.run(ctx, db, s)
	stopped := errors.Is(err, context.DeadlineExceeded)
	failed := err != nil && strings.Contains(err.Error(), "Out of Memory Error")
	if err != nil && !stopped && !failed {
		return err
	}
	r := result{Seconds: time.Since(start).Seconds(), Route: route, MB: peak(), Stopped: stopped, Failed: failed}
	after, err := used()
	if err != nil {
		return err
	}
	r.CPU = (after - before).Seconds()
	return json.NewEncoder(os.Stdout).Encode(r)
}

// run does what is timed, and returns the route that was taken.
func (j *job) run(ctx context.Context, db *sql.DB, s *source.Source) (source.Route, error) {
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
