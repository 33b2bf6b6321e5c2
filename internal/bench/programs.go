package main

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/internal/bench/ours"
)

//go:embed peers.py
var pythonScript []byte

//go:embed peers.R
var rScript []byte

// packages are Debian's packages of the peers.
var packages = []string{"r-base-core", "python3-numpy", "python3-scipy", "python3-pandas", "python3-sklearn", "python3-statsmodels", "python3-threadpoolctl", "libopenblas0-pthread", "r-cran-bms", "r-cran-boot", "r-cran-leaps", "r-cran-glmnet", "r-cran-quantreg", "r-cran-lme4"}

// rPrograms are R and packages of it, whose functions are in peers.R.
var rPrograms = []string{"R", "BMS", "boot", "leaps", "glmnet", "quantreg", "lme4"}

// python is Debian's, which has the packages.
const python = "/usr/bin/python3"

// errMissing is why a program does not take part.
var errMissing = errors.New("not installed")

// errUnfinished is why a program has no time.
var errUnfinished = errors.New("not finished")

// installed tells whether a peer can be started.
func installed(program string) bool {
	switch {
	case program == "R":
		return exec.Command("Rscript", "--version").Run() == nil
	case slices.Contains(rPrograms, program):
		return exec.Command("Rscript", "--vanilla", "-e", "loadNamespace('"+program+"')").Run() == nil
	}
	return exec.Command(python, "-c", "import scipy, "+program).Run() == nil
}

// tuned tells whether NumPy, and with it every peer in Python, runs on
// OpenBLAS and not on the reference BLAS, which would be no match.
func tuned() bool {
	const program = "import numpy, threadpoolctl\nassert any(l['internal_api'] == 'openblas' for l in threadpoolctl.threadpool_info())"
	return exec.Command(python, "-c", program).Run() == nil
}

// installPeers installs what is missing, if it may.
func installPeers() error {
	missing := !tuned()
	for _, program := range append([]string{"numpy", "pandas", "sklearn", "statsmodels"}, rPrograms...) {
		missing = missing || !installed(program)
	}
	if !missing {
		return nil
	}
	hint := fmt.Errorf("some peers, or OpenBLAS for them, are missing; on Debian or Ubuntu, as root: apt-get install %s", strings.Join(packages, " "))
	if _, err := exec.LookPath("apt-get"); err != nil || os.Getuid() != 0 {
		return hint
	}
	fmt.Fprintln(os.Stderr, "installing Debian packages:", strings.Join(packages, " "))
	for _, args := range [][]string{{"-q", "update"}, append([]string{"-qy", "install", "--no-install-recommends"}, packages...)} {
		cmd := exec.Command("apt-get", args...)
		cmd.Env = append(os.Environ(), "DEBIAN_FRONTEND=noninteractive")
		cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
		if err := cmd.Run(); err != nil {
			return errors.Join(fmt.Errorf("apt-get %s: %w", args[0], err), hint)
		}
	}
	return nil
}

// writeScripts writes the peers' scripts, and the exam data for them, and returns their
// directory.
func writeScripts(dir string) (string, error) {
	return dir, errors.Join(
		frames.WriteCSV(filepath.Join(dir, "exam.csv"), datasets.Exam(), nil),
		os.WriteFile(filepath.Join(dir, "peers.py"), pythonScript, 0o666),
		os.WriteFile(filepath.Join(dir, "peers.R"), rScript, 0o666))
}

// command returns the command that has a peer do a task.
func command(scripts, program string, args []string) []string {
	if slices.Contains(rPrograms, program) {
		return append([]string{"Rscript", "--vanilla", filepath.Join(scripts, "peers.R"), program}, args...)
	}
	return append([]string{python, filepath.Join(scripts, "peers.py"), program}, args...)
}

// start runs a program on a row's data, and reads its report and its answer. A program that
// takes longer than limit, unless that is 0, is ended: errUnfinished.
func start(command []string, answer string, limit time.Duration) (*ours.Report, []float64, error) {
	var stdout, stderr bytes.Buffer
	ctx := context.Background()
	if limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, limit)
		defer cancel()
	}
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	cmd.WaitDelay = 10 * time.Second
	err := cmd.Run()
	if ctx.Err() != nil {
		return nil, nil, fmt.Errorf("%w in %.0f s", errUnfinished, limit.Seconds())
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w\n%s", strings.Join(command, " "), err, stderr.Bytes())
	}
	var report ours.Report
	if err := json.Unmarshal(stdout.Bytes(), &report); err != nil {
		return nil, nil, fmt.Errorf("%s: %w in %q", strings.Join(command, " "), err, stdout.Bytes())
	}
	values, err := ours.ReadFloats(answer)
	return &report, values, err
}

// data returns the file of the workload of n rows and p columns, and writes it
// if it is not there: Gaussian columns in a first-order autoregression,
//
//	x_1 = e_1, x_j = x_{j-1}/2 + sqrt(3/4) e_j,
//	y = 1 + sum_j ((j mod 5) - 2)/4 x_j + e,
//
// with independent standard normal e.
func data(dir string, n, p int, seed uint64, progress io.Writer) (string, error) {
	file := filepath.Join(dir, fmt.Sprintf("ar1-%dx%d-%d.f64", n, p, seed))
	if info, err := os.Stat(file); err == nil && info.Size() == 8*int64(n)*int64(p+1) {
		return file, nil
	}
	fmt.Fprintln(progress, "writing", file)
	rng := rand.New(rand.NewPCG(seed, uint64(n*p)))
	const step = 0.8660254037844386 // sqrt(3/4)
	y := make([]float64, n)
	return file, ours.WriteFloats(file, func(yield func(float64) bool) {
		for i := range y {
			y[i] = 1 + rng.NormFloat64()
			x := rng.NormFloat64()
			for j := 1; j <= p; j++ {
				if j > 1 {
					x = x/2 + step*rng.NormFloat64()
				}
				y[i] += float64(j%5-2) / 4 * x
				if !yield(x) {
					return
				}
			}
		}
		for _, v := range y {
			if !yield(v) {
				return
			}
		}
	})
}

// arguments are the arguments that every program takes.
func (r row) arguments(file, answer string, runs int) []string {
	return []string{r.task, strconv.Itoa(r.n), strconv.Itoa(r.p), file, answer, strconv.Itoa(runs)}
}
