package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/regbook/regbook/internal/machine"
)

// result is a row with the times of all programs, ours first.
type result struct {
	row
	programs []*timing
}

// timing is what a program did.
type timing struct {
	name    string // "regbook" or a peer's
	version string
	seconds []float64 // ascending
	peak    float64   // most memory that was resident, in bytes; 0 if that is not known
	differ  float64   // from our answer
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
	file, err := data(c.dir, r.n, r.p, c.seed, progress)
	if err != nil {
		return nil, err
	}
	res := &result{row: r}
	turns := &turns{row: r, file: file, answer: filepath.Join(c.dir, "answer.f64"), progress: progress}
	res.programs = []*timing{{name: "regbook"}}
	for _, p := range r.peers {
		res.programs = append(res.programs, p.timing())
	}
	for round := range c.rounds {
		err := turns.take(res.programs[0], round, c.runs, 0, func(args []string) []string {
			return append([]string{c.self, "run"}, args...)
		})
		if err != nil {
			return nil, err
		}
		for i, p := range r.peers {
			if p.runs > 0 && round > 0 {
				continue
			}
			runs := c.runs
			if p.runs > 0 {
				runs = p.runs
			}
			err := turns.take(res.programs[i+1], round, runs, p.limit, func(args []string) []string {
				if p.task != "" {
					args[0] = p.task
				}
				if p.program == "regbook" {
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

// turns are the runs of one row by all programs, which have the same answer.
type turns struct {
	row          row
	file, answer string
	progress     io.Writer
	reference    []float64 // the first answer
}

// take times a program once more.
func (s *turns) take(t *timing, round, runs int, limit time.Duration, line func(args []string) []string) error {
	if t.missing != nil {
		return nil
	}
	fmt.Fprintf(s.progress, "%s: %s, round %d\n", s.row.name(), t.name, round+1)
	report, values, err := start(line(s.row.arguments(s.file, s.answer, runs)), s.answer, limit)
	if errors.Is(err, errUnfinished) {
		t.missing = err
		return nil
	}
	if err != nil {
		return err
	}
	if s.reference == nil {
		s.reference = values
	}
	t.version = report.Version
	t.seconds = append(t.seconds, report.Seconds...)
	slices.Sort(t.seconds)
	t.peak = max(t.peak, report.Peak)
	if !t.other {
		t.differ = max(t.differ, s.row.differ(s.reference, values))
	}
	return os.Remove(s.answer)
}

// timing is that of a peer, of which nothing is known yet but whether it is installed.
func (p peer) timing() *timing {
	t := &timing{name: p.program, other: p.task != ""}
	if p.name != "" {
		t.name = p.name
	}
	if p.program != "regbook" && !installed(p.program) {
		t.missing = errMissing
	}
	return t
}

// ratio returns the best time of program i over that of the first peer, and
// whether there are both.
func (r *result) ratio(i int) (float64, bool) {
	if len(r.programs) < 2 || r.programs[i].missing != nil || r.programs[1].missing != nil {
		return 0, false
	}
	return r.programs[i].best() / r.programs[1].best(), true
}

// bytes is the size of the data.
func (r row) bytes() float64 { return 8 * float64(r.n) * float64(r.p+1) }

// failures are the disagreeing answers and, unless the data are too small to
// tell, the missed targets.
func (r *result) failures(short bool) []error {
	var failed []error
	for _, t := range r.programs {
		if t.missing == nil && !t.other && !(t.differ <= r.tolerance) {
			failed = append(failed, fmt.Errorf("%s: %s differs from us by %.1e %s, more than %.0e", r.name(), t.name, t.differ, r.measure, r.tolerance))
		}
	}
	if ratio, ok := r.ratio(0); ok && !short && r.target > 0 && ratio > r.target {
		failed = append(failed, fmt.Errorf("%s: %s takes %.2f times as long as %s, target %g", r.name(), r.programs[0].name, ratio, r.programs[1].name, r.target))
	}
	return failed
}

// markdown writes the table.
func markdown(results []*result, c config) string {
	var b strings.Builder
	b.WriteString("# Speed\n\n")
	fmt.Fprintf(&b, "%s, %d processors, %s; seed %d, %d rounds of %d runs. ", machine.Processor(), runtime.NumCPU(), runtime.Version(), c.seed, c.rounds, c.runs)
	b.WriteString("Data are in memory, programs run one after the other, times are in seconds. " +
		"Work that takes less than 20 ms is repeated until 0.2 s have passed, and a run is the mean. The ratio is that of the best time to the first peer's. Memory is the most that is resident while the program works, in proportion to the data, which are in it. " +
		"What differs is the answer, from ours.\n")
	if c.short {
		b.WriteString("\nSmall data: times and memory say nothing.\n")
	}
	b.WriteString("\n| work | program | best | median | ratio | target | memory / data | data, MB | differs |\n|--|--|--:|--:|--:|--:|--:|--:|--:|\n")
	versions := map[string]string{}
	var order []string
	for _, r := range results {
		for i, t := range r.programs {
			if t.missing != nil {
				fmt.Fprintf(&b, "| %s | %s | %v | | | | | | |\n", r.name(), t.name, t.missing)
				continue
			}
			if versions[t.name] == "" {
				versions[t.name] = t.version
				order = append(order, t.name)
			}
			ratio, target := "", ""
			if v, ok := r.ratio(i); ok {
				ratio = fmt.Sprintf("%.3g", v)
				if i == 0 && r.target > 0 {
					target = fmt.Sprintf("<= %g: %s", r.target, verdict(v <= r.target, c.short))
				}
			}
			differ := ""
			if !t.other && i > 0 {
				differ = fmt.Sprintf("%.0e %s", t.differ, r.measure)
			}
			memory := ""
			if t.peak > 0 {
				memory = fmt.Sprintf("%.2f", t.peak/r.bytes())
			}
			fmt.Fprintf(&b, "| %s | %s | %.4g | %.4g | %s | %s | %s | %.1f | %s |\n",
				r.name(), t.name, t.best(), t.median(), ratio, target, memory, r.bytes()/1e6, differ)
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

// thousands writes n with commas.
func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
