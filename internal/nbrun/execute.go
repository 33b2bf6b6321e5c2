package main

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// executeConfig times the cells and lets a notebook run on past a failing one.
//
//go:embed assets/execute.py
var executeConfig []byte

// execute runs one notebook in a fresh kernel, from its own folder, and returns
// the executed copy; the file is not touched. The error is that of a notebook
// that could not be run: see failed for cells that did.
func (c *course) execute(ctx context.Context, path string) (*notebook, error) {
	tmp, err := c.tempDir()
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(tmp)
	config := filepath.Join(tmp, "execute.py")
	if err := os.WriteFile(config, executeConfig, 0o644); err != nil {
		return nil, err
	}
	executed := filepath.Join(tmp, "executed.ipynb")
	env := []string{"REGBOOK_LEDGER=" + filepath.Join(tmp, "ledger"), "REGBOOK_EXECUTED=" + executed,
		"REGBOOK_KEEP=" + filepath.Join(tmp, "keep")} // nothing that an earlier run kept: the packages may have changed
	err = c.runJupyter(ctx, filepath.Dir(path), env, "execute", "--NbClientApp.config_file="+config,
		"--kernel_name="+kernelName, fmt.Sprintf("--timeout=%d", int(c.timeout.Seconds())), filepath.Base(path))
	if err != nil {
		return nil, err
	}
	return readNotebook(executed)
}

// runJupyter runs a subcommand of jupyter in dir, with the kernel's folder on Jupyter's
// path, the project's programs on PATH and env added to the environment. Should ctx end, it is interrupted as
// by Ctrl-C, so that it shuts its kernel down, and killed ten seconds later.
func (c *course) runJupyter(ctx context.Context, dir string, env []string, subcommand string, args ...string) error {
	cmd := exec.CommandContext(ctx, c.jupyter, append([]string{subcommand}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(),
		"JUPYTER_PATH="+c.jupyterPath(),
		"JUPYTER_CONFIG_DIR="+filepath.Join(c.build, "jupyter", "config"),
		"JUPYTER_RUNTIME_DIR="+filepath.Join(c.build, "jupyter", "runtime"),
		"PATH="+filepath.Join(c.build, "bin")+":"+os.Getenv("PATH"),
		"GONB_NO_GOPLS=1", "REGBOOK_NO_NOTES=1", // nobody types, and nobody reads how to
		"GOGC="+cmp.Or(os.Getenv("GOGC"), "400"), // a cell's data are small, and it collects a fifth of its time by default
		"PYDEVD_DISABLE_FILE_VALIDATION=1", "PYTHONUTF8=1")
	cmd.Env = append(cmd.Env, env...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // a Ctrl-C reaches it through ctx only
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGINT) }
	cmd.WaitDelay = 10 * time.Second
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("cannot start Jupyter, which -jupyter names: %w", err)
	}
	err := cmd.Wait()
	// What a cell has started and nothing has ended: the kernel is in a session of its own,
	// so that its processes are found by the folder that their environment names.
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	for _, v := range env {
		if strings.HasPrefix(v, "REGBOOK_LEDGER=") {
			endMarked(v)
		}
	}
	if ctx.Err() != nil {
		return fmt.Errorf("interrupted")
	}
	if err != nil {
		lines := strings.Split(strings.TrimSpace(ansi.ReplaceAllString(out.String(), "")), "\n")
		lines = lines[max(0, len(lines)-12):]
		return fmt.Errorf("%s %s: %w\n    %s", c.jupyter, subcommand, err, strings.Join(lines, "\n    "))
	}
	return nil
}

// endMarked ends the processes that have a variable in their environment. Its value names
// a folder that this run alone has made. Where there is no /proc, it finds none.
func endMarked(variable string) {
	found, err := filepath.Glob("/proc/[0-9]*/environ")
	if err != nil {
		return
	}
	for _, path := range found {
		b, err := os.ReadFile(path)
		if err != nil || !slices.Contains(strings.Split(string(b), "\x00"), variable) {
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(path))); err == nil && pid != os.Getpid() {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
}

// A result is an executed notebook and what was wrong with it, if anything.
type result struct {
	path     string
	name     string    // file name without .ipynb
	executed *notebook // with the metadata of the file and nothing that differs from run to run
	note     string    // for the line that tells how it went
	err      error
}

func newResult(path string) result {
	return result{path: path, name: strings.TrimSuffix(filepath.Base(path), ".ipynb")}
}

// executeAll executes notebooks, c.jobs at a time, and calls then for each
// that has no failing cell. It prints a line for each as it ends and returns the
// results in the order of paths.
func (c *course) executeAll(ctx context.Context, paths []string, then func(r result, committed *notebook) error) ([]result, error) {
	results := make([]result, len(paths))
	var (
		wg      sync.WaitGroup
		printer sync.Mutex
		done    int
		slots   = make(chan struct{}, c.jobs)
	)
	for i, path := range paths {
		slots <- struct{}{}
		wg.Add(1)
		go func() {
			defer wg.Done()
			defer func() { <-slots }()
			if ctx.Err() != nil {
				return
			}
			start := time.Now()
			r, raw := c.attempt(ctx, path, then)
			results[i] = r
			err := r.err

			printer.Lock()
			defer printer.Unlock()
			if done++; ctx.Err() != nil {
				return
			}
			status := "ok  "
			if err != nil {
				status = "FAIL"
			}
			fmt.Fprintf(c.out, "[%*d/%d] %s %-32s %s\n", len(fmt.Sprint(len(paths))), done, len(paths),
				status, r.name, raw.timings(time.Since(start)))
			if r.note != "" {
				fmt.Fprintf(c.out, "    %s\n", r.note)
			}
			if err != nil {
				fmt.Fprintf(c.out, "%s\n", indent(err.Error(), "    ", 200))
			}
		}()
	}
	wg.Wait()
	if ctx.Err() != nil {
		return nil, fmt.Errorf("interrupted")
	}
	var bad []string
	for _, r := range results {
		if r.err != nil {
			bad = append(bad, r.name)
		}
	}
	if bad != nil {
		return results, fmt.Errorf("%d of %d notebooks failed: %s; alone: %s", len(bad), len(paths),
			strings.Join(bad, ", "), c.alone(bad))
	}
	return results, nil
}

// attempt executes a notebook and calls then if no cell failed. It returns the executed copy as it came, too.
// For check a page is one program; a page that is not as committed is
// executed by the kernel, which decides.
func (c *course) attempt(ctx context.Context, path string, then func(r result, committed *notebook) error) (result, *notebook) {
	r := newResult(path)
	committed, err := readNotebook(path)
	if err != nil {
		r.err = err
		return r, nil
	}
	by := func(execute func(context.Context, string) (*notebook, error)) (raw *notebook, err error) {
		if raw, err = execute(ctx, path); err == nil {
			err = errors.Join(raw.failed(), raw.unsolved())
		}
		if err == nil {
			r.executed = committed.withOutputs(raw)
			err = then(r, committed)
		}
		return raw, err
	}
	if c.command != "check" || c.kernel {
		raw, err := by(c.execute)
		r.err = err
		return r, raw
	}
	raw, err := by(c.executeWhole)
	if err == nil || ctx.Err() != nil {
		r.err = err
		return r, raw
	}
	_, missing := exec.LookPath(c.jupyter)
	if missing = cmp.Or(missing, c.writeKernel()); missing != nil {
		r.err = fmt.Errorf("%w\n(the page was one program; the kernel decides whether it is wrong, and cannot be asked: %w)", err, missing)
		return r, raw
	}
	r.executed = nil
	raw, r.err = by(c.execute)
	if r.err == nil {
		r.note = "by the kernel: " + firstLine(err)
	}
	return r, raw
}

func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}

// alone returns the command that runs the notebooks of these names only.
func (c *course) alone(names []string) string {
	words := []string{filepath.Join(c.build, "bin", "nbrun"), c.command}
	for _, name := range names {
		words = append(words, filepath.Join(c.notebooks, name+".ipynb"))
	}
	for i, w := range words {
		if here, err := filepath.Rel(c.root, w); err == nil && filepath.IsLocal(here) {
			words[i] = here
		}
	}
	return strings.Join(words, " ")
}

// timings says how long an executed notebook took in all, and how long its
// cells took after the first, which pays for setting the session up.
func (nb *notebook) timings(all time.Duration) string {
	s := fmt.Sprintf("%5.1f s", all.Seconds())
	if nb == nil {
		return s
	}
	var seconds []float64
	slowest, at := 0., 0
	for i, c := range nb.Cells {
		n, ok := c.Metadata["seconds"].(json.Number)
		if !ok {
			continue
		}
		t, err := n.Float64()
		if err != nil {
			continue
		}
		seconds = append(seconds, t)
		if len(seconds) > 1 && t >= slowest {
			slowest, at = t, i+1
		}
	}
	if seconds == nil { // one program
		return s
	}
	s += fmt.Sprintf("  %2d code cells", len(seconds))
	if len(seconds) < 2 {
		return s
	}
	later := slices.Sorted(slices.Values(seconds[1:]))
	return s + fmt.Sprintf("; after the first: median %.2f s, longest %.2f s (cell %d)", later[len(later)/2], slowest, at)
}
