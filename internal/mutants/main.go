// Command mutants changes one operator, constant or index of the code at a time, and tells which changes no short test of the package notices:
// those of stored.tsv, and random ones. A change is an overlay of the Go command, so that no file is touched. It writes
// build/code-mutants.txt, and fails if a stored change survives that is not noted as equivalent.
package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
)

func main() {
	seed := flag.Uint64("seed", 1, "of the random changes")
	n := flag.Int("n", 60, "number of random changes")
	in := flag.String("in", "mlreg", "folder of the packages that are changed, with those below it")
	only := flag.String("stored", ".", "regular expression of the stored changes that are tried, as they are printed")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	dir, err := os.MkdirTemp("", "mutants")
	if err == nil {
		r := &report{dir: dir, passes: map[string]bool{}}
		err = r.run(ctx, *seed, *n, filepath.Clean(*in), regexp.MustCompile(*only))
		os.RemoveAll(dir)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// report collects what became of mutations.
type report struct {
	dir            string
	passes         map[string]bool // packages whose tests pass without a change
	all, survivors bytes.Buffer
	tried, lived   int // changes that compile
	lost           int // stored ones that do not compile, or live and are not equivalent
}

// run tries the stored changes in a folder, and n random ones.
func (r *report) run(ctx context.Context, seed uint64, n int, in string, only *regexp.Regexp) error {
	stored, err := readStored("internal/mutants/stored.tsv")
	if err != nil {
		return err
	}
	for _, m := range stored {
		if (in == "." || strings.HasPrefix(m.pkg+"/", in+"/")) && only.MatchString(m.String()) {
			if _, err := r.try(ctx, m); err != nil {
				return err
			}
		}
	}
	all, err := mutations(in)
	if err != nil {
		return err
	}
	fmt.Printf("%d changes of operators, constants and indexes in %s; seed %d\n", len(all), in, seed)
	rng := rand.New(rand.NewPCG(seed, 36))
	rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	for len(all) > 0 && n > 0 {
		valid, err := r.try(ctx, all[0])
		if err != nil {
			return err
		}
		if all = all[1:]; valid {
			n--
		}
	}
	fmt.Printf("== no test notices\n%s%d of %d survive (build/code-mutants.txt)\n", r.survivors.Bytes(), r.lived, r.tried)
	if err := os.MkdirAll("build", 0o755); err != nil {
		return err
	}
	if r.lost > 0 {
		err = fmt.Errorf("%d stored changes do not compile, or survive and are not equivalent", r.lost)
	}
	return cmp.Or(os.WriteFile("build/code-mutants.txt", r.all.Bytes(), 0o644), err)
}

// test runs the short tests of a package, with files replaced.
func (r *report) test(ctx context.Context, pkg string, replaced map[string]string) (out []byte, failed error, err error) {
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": replaced})
	if err != nil {
		return nil, nil, err
	}
	file := filepath.Join(r.dir, "overlay.json")
	if err := os.WriteFile(file, overlay, 0o600); err != nil {
		return nil, nil, err
	}
	out, failed = exec.CommandContext(ctx, "go", "test", "-short", "-failfast", "-vet=off", "-count=1", "-timeout", "4m", "-overlay", file, "./"+pkg).CombinedOutput()
	return out, failed, ctx.Err()
}

var notice = regexp.MustCompile(`--- FAIL: (\S+)|(test timed out)|(panic):`)

// try runs the tests with a change, and tells whether it compiles.
func (r *report) try(ctx context.Context, m *mutation) (valid bool, err error) {
	if !r.passes[m.pkg] {
		if out, failed, err := r.test(ctx, m.pkg, nil); failed != nil || err != nil {
			return false, fmt.Errorf("%s fails without a change: %w\n%s", m.pkg, cmp.Or(err, failed), out)
		}
		r.passes[m.pkg] = true
	}
	source, err := os.ReadFile(m.file)
	if err != nil {
		return false, err
	}
	mutated := filepath.Join(r.dir, filepath.Base(m.file))
	if err := os.WriteFile(mutated, []byte(string(source[:m.from])+m.to+string(source[m.end:])), 0o600); err != nil {
		return false, err
	}
	file, err := filepath.Abs(m.file)
	if err != nil {
		return false, err
	}
	out, failed, err := r.test(ctx, m.pkg, map[string]string{file: mutated})
	if err != nil {
		return false, err
	}
	verdict := "survives"
	if failed != nil {
		verdict = strings.TrimLeft(string(notice.Find(out)), "- FAIL:")
	}
	if bytes.Contains(out, []byte("[build failed]")) || bytes.Contains(out, []byte("[setup failed]")) {
		verdict = "does not compile"
		if m.stored {
			r.lost++
		}
	} else {
		r.tried++
	}
	line := fmt.Sprintf("%s\t%s\n", verdict, m)
	fmt.Printf("[%d] %s", r.tried, line)
	r.all.WriteString(line)
	if failed == nil {
		r.lived++
		r.survivors.WriteString(line)
		if m.stored && m.equivalent == "" {
			r.lost++
		}
	}
	return verdict != "does not compile", nil
}
