package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// result is a row with the times of all programs, ours first.
type result struct {
	row
	programs []*timing
}

// timing is what a program did.
type timing struct {
	name    string // "default", "openblas" or a peer's
	version string
	seconds []float64 // ascending
	differ  float64   // from the answer of our default build
	other   bool      // other work, whose answer is not compared
	missing error     // why it did not run
}

func (t *timing) best() float64 { return t.seconds[0] }

func (t *timing) median() float64 { return t.seconds[len(t.seconds)/2] }

func (r row) name() string {
	return fmt.Sprintf("%s, %s x %s", r.title, thousands(r.n), thousands(r.p))
}

// compare has all programs work in turn, one at a time.
func (c config) compare(r row, scripts string, progress io.Writer) (*result, error) {
	file, err := data(c.dir, r.n, r.p, progress)
	if err != nil {
		return nil, err
	}
	answer := filepath.Join(c.dir, "answer.f64")
	res := &result{row: r}
	var reference []float64
	turn := func(t *timing, round, runs int, line func(args []string) []string) error {
		if t.missing != nil {
			return nil
		}
		fmt.Fprintf(progress, "%s: %s, round %d\n", r.name(), t.name, round+1)
		report, values, err := start(line(r.arguments(file, answer, runs)), answer)
		if err != nil {
			return err
		}
		if reference == nil {
			reference = values
		}
		t.version = report.Version
		t.seconds = append(t.seconds, report.Seconds...)
		slices.Sort(t.seconds)
		if !t.other {
			t.differ = max(t.differ, r.differ(reference, values))
		}
		return os.Remove(answer)
	}
	res.programs = []*timing{{name: "default"}, {name: "openblas"}}
	if c.openblas == "" {
		res.programs[1].missing = errNotBuilt
	}
	for _, p := range r.peers {
		t := &timing{name: p.program, other: p.task != ""}
		if p.name != "" {
			t.name = p.name
		}
		if p.program != "default" && !installed(p.program) {
			t.missing = errMissing
		}
		res.programs = append(res.programs, t)
	}
	for round := range c.rounds {
		for i, program := range []string{c.self, c.openblas} {
			err := turn(res.programs[i], round, c.runs, func(args []string) []string {
				if i == 0 {
					args = append([]string{"run"}, args...)
				}
				return append([]string{program}, args...)
			})
			if err != nil {
				return nil, err
			}
		}
		for i, p := range r.peers {
			if p.runs > 0 && round > 0 {
				continue
			}
			runs := c.runs
			if p.runs > 0 {
				runs = p.runs
			}
			err := turn(res.programs[i+2], round, runs, func(args []string) []string {
				if p.task != "" {
					args[0] = p.task
				}
				if p.program == "default" {
					return append([]string{c.self, "run"}, args...)
				}
				return command(scripts, p.program, args)
			})
			if err != nil {
				return nil, err
			}
		}
	}
	return res, nil
}

// ratio returns the best time of program i over that of the first peer, and
// whether there are both.
func (r *result) ratio(i int) (float64, bool) {
	if len(r.programs) < 3 || r.programs[i].missing != nil || r.programs[2].missing != nil {
		return 0, false
	}
	return r.programs[i].best() / r.programs[2].best(), true
}

func (r *result) targets() []float64 { return []float64{r.target, r.targetOpenBLAS} }

// failures are the disagreeing answers and, unless the data are too small to
// tell, the missed targets.
func (r *result) failures(short bool) []error {
	var failed []error
	for _, t := range r.programs {
		if t.missing == nil && !t.other && !(t.differ <= r.tolerance) {
			failed = append(failed, fmt.Errorf("%s: %s differs from us by %.1e %s, more than %.0e", r.name(), t.name, t.differ, r.measure, r.tolerance))
		}
	}
	for i, target := range r.targets() {
		if ratio, ok := r.ratio(i); ok && !short && target > 0 && ratio > target {
			failed = append(failed, fmt.Errorf("%s: %s takes %.2f times as long as %s, target %g", r.name(), r.programs[i].name, ratio, r.programs[2].name, target))
		}
	}
	return failed
}

// markdown writes the table.
func markdown(results []*result, c config) string {
	var b strings.Builder
	b.WriteString("# Speed\n\n")
	fmt.Fprintf(&b, "%s, %d processors, %s. ", cpuModel(), runtime.NumCPU(), runtime.Version())
	b.WriteString("Data are in memory, programs run one after the other, times are in seconds. " +
		"The ratio is that of the best time to the first peer's. What differs is the answer, from that of the default build.\n")
	if c.short {
		b.WriteString("\nSmall data: the times say nothing.\n")
	}
	versions := map[string]string{}
	var order []string
	for _, r := range results {
		fmt.Fprintf(&b, "\n## %s\n\n", r.name())
		fmt.Fprintf(&b, "| program | best | median | ratio | target | differs (%s) |\n|--|--:|--:|--:|--:|--:|\n", r.measure)
		for i, t := range r.programs {
			if t.missing != nil {
				fmt.Fprintf(&b, "| %s | %v | | | | |\n", t.name, t.missing)
				continue
			}
			if versions[t.name] == "" {
				versions[t.name] = t.version
				order = append(order, t.name)
			}
			ratio, target := "", ""
			if v, ok := r.ratio(i); ok {
				ratio = fmt.Sprintf("%.3g", v)
				if i < 2 && r.targets()[i] > 0 {
					target = fmt.Sprintf("<= %g: %s", r.targets()[i], verdict(v <= r.targets()[i], c.short))
				}
			}
			differ := ""
			if !t.other {
				differ = fmt.Sprintf("%.0e", t.differ)
			}
			fmt.Fprintf(&b, "| %s | %.4f | %.4f | %s | %s | %s |\n", t.name, t.best(), t.median(), ratio, target, differ)
		}
	}
	b.WriteString("\nPrograms:\n\n")
	for _, name := range order {
		fmt.Fprintf(&b, "- %s: %s\n", name, versions[name])
	}
	return b.String()
}

func verdict(pass, short bool) string {
	switch {
	case short:
		return "too small to tell"
	case pass:
		return "pass"
	}
	return "FAIL"
}

// cpuModel names the processor, as Linux does.
func cpuModel() string {
	info, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return runtime.GOARCH
	}
	for line := range strings.Lines(string(info)) {
		if name, ok := strings.CutPrefix(line, "model name"); ok {
			return strings.TrimLeft(strings.TrimSpace(name), ": \t")
		}
	}
	return runtime.GOARCH
}

// thousands writes n with commas.
func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
