// Package ours does the work of the benchmark with this project's packages.
package ours

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/try"
	"github.com/regbook/regbook/mlreg"
)

// A Task is prepared for a design, outside the time measured, and is then run
// several times. Main handles its errors: see package try.
type Task func(d *mlreg.Design) (run func() []float64)

// Tasks are the work by name. The peers' scripts have functions of the same
// names.
var Tasks = map[string]Task{
	"ols":       olsTask,
	"leverages": leveragesTask, "leverage": leverageTask,
	"enumerate": enumerateTask,
	"subsets":   subsetsTask,

	"lassopath": lassoPathTask,
	"lassocv":   lassoCVTask,
	"ridgepath": ridgePathTask,
	"gram":      gramTask,

	"bootstrap":     bootstrapTask,
	"jackknifeplus": jackknifePlusTask,

	"lags":      lagsTask,
	"lagorders": lagOrdersTask,
	"laglasso":  lagLassoTask,

	"exam":   examTask,
	"groups": groupsTask,

	"logistic":     logisticTask,
	"logisticpath": logisticPathTask,
	"poisson":      poissonTask,
	"poissonpath":  poissonPathTask,

	"where":     whereTask,
	"sort":      sortTask,
	"group":     groupTask,
	"grouptext": groupTextTask,
	"join":      joinTask,
	"lad":       ladTask,

	"readcsv":    readCSVTask,
	"csvmoments": csvMomentsTask,
}

// labels replaces the response by whether it is above its mean in the model that
// the data were drawn from.
func labels(d *mlreg.Design) *mlreg.Design {
	c := *d
	c.Y = make([]float64, len(d.Y))
	for i, y := range d.Y {
		if y > 1 {
			c.Y[i] = 1
		}
	}
	return &c
}

// logisticTask fits by maximum likelihood; the answer is as for olsTask.
func logisticTask(d *mlreg.Design) func() []float64 {
	d = labels(d)
	return func() []float64 {
		f := try.Get(mlreg.FitLogistic(d, nil))
		return append(f.Coef(), f.StdErr()...)
	}
}

// logisticPathTask fits a path down to a twentieth of the largest lambda; the
// answer is the deviances.
func logisticPathTask(d *mlreg.Design) func() []float64 {
	d = labels(d)
	return func() []float64 {
		path := try.Get(mlreg.FitLogisticPath(d, 1, &mlreg.PathSettings{Ratio: 0.05}))
		return path.Deviance()
	}
}

// countsOf replaces the response by counts, from 0 to 8, that grow with it.
func countsOf(d *mlreg.Design) *mlreg.Design {
	c := *d
	c.Y = make([]float64, len(d.Y))
	for i, y := range d.Y {
		c.Y[i] = math.Floor(math.Max(0, math.Min(8, y)))
	}
	return &c
}

// poissonTask fits by maximum likelihood; the answer is as for olsTask.
func poissonTask(d *mlreg.Design) func() []float64 {
	d = countsOf(d)
	return func() []float64 {
		f := try.Get(mlreg.FitGLM(d, mlreg.Poisson, nil))
		return append(f.Coef(), f.StdErr()...)
	}
}

// poissonPathTask fits a path down to a twentieth of the largest lambda; the answer is the
// deviances.
func poissonPathTask(d *mlreg.Design) func() []float64 {
	d = countsOf(d)
	return func() []float64 {
		path := try.Get(mlreg.FitGLMPath(d, mlreg.Poisson, 1, &mlreg.PathSettings{Ratio: 0.05}))
		return path.Deviance()
	}
}

// olsTask fits; the answer is the coefficients, intercept first, and their
// standard errors.
func olsTask(d *mlreg.Design) func() []float64 {
	return func() []float64 {
		f := try.Get(mlreg.FitOLS(d, nil))
		return append(f.Coef(), f.StdErr()...)
	}
}

// leveragesTask computes the diagonal of the hat matrix after a fit.
func leveragesTask(d *mlreg.Design) func() []float64 {
	f := try.Get(mlreg.FitOLS(d, nil))
	return func() []float64 { return try.Get(f.Leverage(d)) }
}

// leverageTask computes the diagonal of the hat matrix of a design alone.
func leverageTask(d *mlreg.Design) func() []float64 {
	return func() []float64 { return try.Get(mlreg.Leverage(d)) }
}

// enumerateTask sums over all models; the answer is the inclusion
// probabilities. Averages of the coefficients are computed as well, since BMS
// computes them.
func enumerateTask(d *mlreg.Design) func() []float64 {
	return func() []float64 {
		e := try.Get(mlreg.EnumerateModels(d, mlreg.ZellnerG{}, &mlreg.EnumerateSettings{Average: true, Best: 500}))
		return e.InclusionProb()
	}
}

// subsetsTask finds the best subset of every size; the answer is the residual
// sums of squares, from one term on.
func subsetsTask(d *mlreg.Design) func() []float64 {
	return func() []float64 {
		f := try.Get(mlreg.FitBestSubsets(d, nil))
		var rss []float64
		for _, m := range f.Models()[1:] {
			rss = append(rss, m.RSS)
		}
		return rss
	}
}

// Report is what a program prints: the seconds of every run, the most memory that
// was resident during them, in bytes and with the data, and what it is.
type Report struct {
	Seconds []float64 `json:"seconds"`
	Peak    float64   `json:"peak"`
	Version string    `json:"version"`
}

// Main is the program: its arguments are the task, n, p, the file of the data,
// the file for the answer, and the number of runs. Files are float64,
// little-endian: X by rows and then y; the answer's numbers.
func Main(args []string, out io.Writer) (err error) {
	defer try.Handle(&err)
	if len(args) != 6 {
		return fmt.Errorf("want task, n, p, data, answer and runs, got %q", args)
	}
	var sizes [3]int
	for i, s := range []string{args[1], args[2], args[5]} {
		sizes[i] = try.Get(strconv.Atoi(s))
	}
	task, ok := Tasks[args[0]]
	if !ok {
		return fmt.Errorf("no task %q", args[0])
	}
	run := task(try.Get(load(args[3], sizes[0], sizes[1])))
	report := Report{Version: runtime.Version()}
	var answer []float64
	debug.FreeOSMemory()
	forgetPeak()
	for range sizes[2] {
		runtime.GC()
		report.Seconds = append(report.Seconds, timed(time.Now, func() { answer = run() }))
	}
	report.Peak = Peak()
	try.Check(WriteFloats(args[4], slices.Values(answer)))
	return json.NewEncoder(out).Encode(report)
}

// Work that takes less than short is repeated until enough has passed: the clock of R has
// milliseconds, and short work differs from one time to the next. The peers' scripts do the same.
const (
	short  = 20 * time.Millisecond
	enough = 200 * time.Millisecond
)

// timed returns how many seconds some work takes by a clock, the mean if it is repeated.
func timed(now func() time.Time, work func()) float64 {
	start, first := now(), time.Duration(0)
	for times := 1; ; times++ {
		work()
		passed := now().Sub(start)
		if times == 1 {
			first = passed
		}
		if first >= short || passed >= enough {
			return passed.Seconds() / float64(times)
		}
	}
}

// load reads a design.
func load(file string, n, p int) (*mlreg.Design, error) {
	v, err := ReadFloats(file)
	if err != nil {
		return nil, err
	}
	if len(v) != n*(p+1) {
		return nil, fmt.Errorf("%s has %d numbers, not %d", file, len(v), n*(p+1))
	}
	d := &mlreg.Design{X: mat.NewDense(n, p, v[:n*p]), Y: v[n*p:], Response: "y"}
	for j := range p {
		d.Names = append(d.Names, fmt.Sprintf("x%d", j+1))
	}
	return d, nil
}
