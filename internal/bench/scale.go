package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/frames/source"
	"github.com/regbook/regbook/internal/bench/ours"
	"github.com/regbook/regbook/internal/machine"
	"github.com/regbook/regbook/internal/wholefile"
	"github.com/regbook/regbook/mlreg"
)

// scaleFormula is what bench scale fits.
const scaleFormula = "delay ~ carrier + I((hour - 6)^2) + distance + wind + seats + I(cos(2*pi*(month - 7)/12))"

// scaleRoutes are the ways from a file to a fit that bench scale measures.
var scaleRoutes = map[string]func(path string) (mlreg.Data, error){
	"memory": func(path string) (mlreg.Data, error) {
		c, err := frames.ReadCSV(path, nil)
		if err != nil {
			return nil, err
		}
		return frames.Design(c.Frame, scaleFormula)
	},
	"streamed": func(path string) (mlreg.Data, error) {
		s, err := source.CSV(path, nil)
		if err != nil {
			return nil, err
		}
		return s.Design(context.Background(), scaleFormula)
	},
}

// measurement is what one route took.
type measurement struct {
	Route       string
	Rows, Bytes int
	Seconds     float64 // on the clock
	CPU         float64 // of all processors
	Peak        float64 // bytes resident
	Coef        float64 // of wind, by which the routes are compared
}

// scaleOne measures a route in this process.
func scaleOne(route, path string, out io.Writer) error {
	open, ok := scaleRoutes[route]
	if !ok {
		return fmt.Errorf("no route %q", route)
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	start := time.Now()
	d, err := open(path)
	if err != nil {
		return err
	}
	fit, err := mlreg.FitOLS(d, nil)
	if err != nil {
		return err
	}
	m := measurement{Route: route, Rows: fit.NObs(), Bytes: int(info.Size()), Seconds: time.Since(start).Seconds(), Coef: fit.Coef()[9], Peak: ours.Peak()}
	runtime.KeepAlive(d)
	return json.NewEncoder(out).Encode(m)
}

// scale measures the routes at 10^4 to 10^7 rows and writes the record that notebook 17
// draws: bench scale [-rows 10000000] [-record course/live/data/scale.csv].
func scale(args []string) error {
	set := flag.NewFlagSet("scale", flag.ContinueOnError)
	most := set.Int("rows", 10_000_000, "rows of the largest file")
	memory := set.Int("memory", 10_000_000, "the most rows that are read into memory")
	record := set.String("record", "course/live/data/scale.csv", "the record to write")
	dir := set.String("dir", os.TempDir(), "where the files are made, and removed")
	if err := set.Parse(args); err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	var text strings.Builder
	fmt.Fprintf(&text, "# %s, %d processors, %s, %s; written by bench scale\nroute,rows,bytes,seconds,cpu,peak\n",
		machine.Processor(), runtime.NumCPU(), runtime.GOOS, runtime.Version())
	path := filepath.Join(*dir, "regbook_scale.csv")
	for rows := 10_000; rows <= *most; rows *= 10 {
		if err := datasets.WriteFlights(path, rows, rand.NewPCG(17, uint64(rows))); err != nil {
			return err
		}
		coef := make(map[string]float64)
		for _, route := range []string{"memory", "streamed"} {
			if route == "memory" && rows > *memory {
				continue
			}
			best, err := measure(self, route, path)
			if err != nil {
				return errors.Join(err, os.Remove(path))
			}
			coef[route] = best.Coef
			fmt.Fprintf(os.Stderr, "%s %d rows: %.2f s, %.2f s of processors, %.0f MB\n", route, rows, best.Seconds, best.CPU, best.Peak/1e6)
			fmt.Fprintf(&text, "%s,%d,%d,%.3f,%.3f,%.0f\n", route, rows, best.Bytes, best.Seconds, best.CPU, best.Peak)
		}
		if a, ok := coef["memory"]; ok && !(differRelative([]float64{coef["streamed"]}, []float64{a}) < 1e-10) {
			return errors.Join(fmt.Errorf("%d rows: the coefficient is %v in memory and %v streamed", rows, a, coef["streamed"]), os.Remove(path))
		}
	}
	if err := os.Remove(path); err != nil {
		return err
	}
	return wholefile.Write(*record, func(w io.Writer) error {
		_, err := io.WriteString(w, text.String())
		return err
	})
}

// measure runs a route three times, or once if it is long, and returns the run that took
// the processors least, with the highest peak.
func measure(self, route, path string) (measurement, error) {
	var best measurement
	for run := range 3 {
		cmd := exec.Command(self, "scale-one", route, path)
		out, err := cmd.Output()
		if err != nil {
			return best, fmt.Errorf("%s: %w", route, err)
		}
		var m measurement
		if err := json.Unmarshal(out, &m); err != nil {
			return best, err
		}
		m.CPU = (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
		peak := max(best.Peak, m.Peak)
		if run == 0 || m.CPU < best.CPU {
			best = m
		}
		best.Peak = peak
		if m.Seconds > 30 {
			break
		}
	}
	return best, nil
}
