// Command nbrun executes the course's notebooks in the project's own kernel.
// The Makefile's targets call it:
//
//	nbrun kernel   write the kernelspec
//	nbrun run      execute the notebooks; write them, as .ipynb and HTML, to build/site
//	nbrun check    execute the notebooks and hold their outputs against those committed,
//	               and the numbers in their text against the values bound to them; each as
//	               one program, and in the kernel if that differs, or with -kernel
//	nbrun regen    execute the notebooks and rewrite their committed outputs
//	nbrun site     write the site with the committed outputs
//	nbrun bound    list the numbers in the text that are bound to no value or to another,
//	               checks that read nothing, and code that is too long
//	nbrun terms    list how long the pages are, and terms used before a page defines them
//	nbrun kit      write the lecturer's folder -out: notebooks for students and for teachers, and slides
//	nbrun grade    execute the notebooks handed in below a folder, each in a container, and list exercises by student
//	nbrun mutate   change literals of the notebooks' code, and list changes that nothing notices
//
// A notebook fails if a cell does not compile, panics, exits with a status
// other than zero, runs a shell command that does, or has an unknown magic.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "nbrun:", err)
		os.Exit(1)
	}
}

// A course is a folder of notebooks and what it takes to execute them.
type course struct {
	root      string // folder of the module
	notebooks string // folder of the .ipynb files
	build     string // folder of everything generated
	command   string // run, check or regen
	jupyter   string // program
	gallery   string // folder with what the Examples drew, "" to run them
	kernel    bool   // check executes in the kernel only
	still     bool   // without the engine, for a test: all packages are compiled for it once more
	mathjax   string // folder of MathJax 2.7, "" to have pages load it from the network
	jobs      int
	timeout   time.Duration // of one cell
	out       io.Writer
}

// run is main without the process around it.
func run(ctx context.Context, args []string, out io.Writer) error {
	c := &course{root: ".", out: out}
	var o options
	flags := c.flags(&o)
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() == 0 || c.jobs < 1 {
		flags.Usage()
		return fmt.Errorf("want a subcommand, and jobs > 0")
	}
	for _, dir := range []*string{&c.root, &c.notebooks, &c.build} {
		abs, err := filepath.Abs(*dir)
		if err != nil {
			return err
		}
		*dir = abs
	}
	if flags.Arg(0) == "site" {
		return c.run(ctx, nil)
	}
	c.command = flags.Arg(0)
	if c.command == "grade" {
		if flags.NArg() != 2 {
			return errors.New("grade wants one folder, that of the notebooks handed in")
		}
		if o.image == "" {
			if err := c.writeKernel(); err != nil {
				return err
			}
		}
		return c.grade(ctx, flags.Arg(1), o.image)
	}
	paths := flags.Args()[1:]
	if len(paths) == 0 {
		var err error
		if paths, err = c.list(); err != nil {
			return err
		}
	}
	return c.do(ctx, paths, o)
}

// options are the flags of one subcommand each.
type options struct {
	kit, image string
	mutations  int
	seed       uint64
}

func (c *course) flags(o *options) *flag.FlagSet {
	flags := flag.NewFlagSet("nbrun", flag.ContinueOnError)
	flags.StringVar(&c.notebooks, "notebooks", "notebooks", "`folder` of the notebooks")
	flags.StringVar(&c.build, "build", "build", "`folder` of everything generated")
	flags.StringVar(&c.jupyter, "jupyter", "jupyter", "Jupyter `program`")
	flags.StringVar(&c.mathjax, "mathjax", "/usr/share/javascript/mathjax", "`folder` of MathJax 2.7, copied beside the site if it exists")
	flags.BoolVar(&c.kernel, "kernel", false, "check in the kernel only, as a reader runs the notebooks")
	flags.IntVar(&c.jobs, "jobs", 2, "notebooks executed at a time")
	flags.DurationVar(&c.timeout, "timeout", 5*time.Minute, "longest time for a cell")
	flags.StringVar(&o.kit, "out", "", "new `folder` for the kit")
	flags.StringVar(&o.image, "image", "regbook", "`image` in which notebooks handed in run; empty: on this machine, with all of your rights")
	flags.IntVar(&o.mutations, "n", 300, "mutations to try")
	flags.Uint64Var(&o.seed, "seed", 1, "`seed` of the sample of mutations")
	flags.Usage = func() {
		fmt.Fprintln(flags.Output(), "usage: nbrun [flags] kernel|run|check|regen|site|bound|terms|mutate|kit [notebook.ipynb ...], or grade folder")
		flags.PrintDefaults()
	}
	return flags
}

// do executes a subcommand that takes notebooks.
func (c *course) do(ctx context.Context, paths []string, o options) error {
	switch c.command {
	case "bound":
		return c.bound(paths)
	case "terms":
		return c.terms()
	case "kit":
		return c.kit(ctx, o.kit, paths)
	case "mutate":
		return c.mutate(ctx, paths, o.mutations, o.seed)
	}
	if c.command == "check" && !c.kernel {
		return c.check(ctx, paths)
	}
	if err := c.writeKernel(); err != nil {
		return err
	}
	switch c.command {
	case "kernel":
		return nil
	case "run":
		return c.run(ctx, paths)
	case "check":
		return c.check(ctx, paths)
	case "regen":
		return c.regen(ctx, paths)
	default:
		return fmt.Errorf("no subcommand %q: want kernel, run, check, regen, site, bound, terms, mutate, kit or grade", c.command)
	}
}

// list returns the notebooks of the course in the order of their names.
func (c *course) list() ([]string, error) {
	entries, err := os.ReadDir(c.notebooks)
	if err != nil && !errors.Is(err, fs.ErrNotExist) { // Git keeps no empty folder
		return nil, err
	}
	var paths []string
	for _, e := range entries {
		if filepath.Ext(e.Name()) == ".ipynb" {
			paths = append(paths, filepath.Join(c.notebooks, e.Name()))
		}
	}
	if paths == nil {
		fmt.Fprintf(c.out, "no notebooks in %s\n", c.notebooks)
	}
	return paths, nil
}

// run executes the notebooks and writes the site, on which the others of the
// course are as committed. It leaves the last good site alone if one fails.
func (c *course) run(ctx context.Context, paths []string) error {
	results, err := c.executeAll(ctx, paths, func(result, *notebook) error { return nil })
	if err != nil {
		return err
	}
	all, err := c.list()
	if err != nil {
		return err
	}
	for _, path := range all {
		r := newResult(path)
		if slices.ContainsFunc(results, func(done result) bool { return done.name == r.name }) {
			continue
		}
		if r.executed, err = readNotebook(path); err != nil {
			return err
		}
		results = append(results, r)
	}
	slices.SortStableFunc(results, func(a, b result) int { return strings.Compare(a.name, b.name) })
	return c.writeSite(ctx, results)
}

// check executes the notebooks and compares.
func (c *course) check(ctx context.Context, paths []string) error {
	diff := filepath.Join(c.build, "diff")
	if err := os.RemoveAll(diff); err != nil {
		return err
	}
	results, err := c.executeAll(ctx, paths, func(r result, committed *notebook) error {
		return errors.Join(compare(committed, r.executed, r.name, diff), c.checkPage(r.executed))
	})
	if slices.ContainsFunc(results, func(r result) bool { return r.err != nil && r.executed != nil }) {
		fmt.Fprintln(c.out, "where the outputs of now are the right ones, make regen writes them to the notebooks")
	}
	return err
}

// regen executes the notebooks and rewrites those that did not fail.
func (c *course) regen(ctx context.Context, paths []string) error {
	_, err := c.executeAll(ctx, paths, func(r result, committed *notebook) error {
		if err := keepOrder(committed, r.executed); err != nil {
			return err
		}
		return r.executed.write(r.path)
	})
	return err
}

// tempDir makes a folder under build/tmp, which is on the same file system as
// whatever is renamed out of it.
func (c *course) tempDir() (string, error) {
	parent := filepath.Join(c.build, "tmp")
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return "", err
	}
	cleanUp(parent)
	return os.MkdirTemp(parent, fmt.Sprintf("nbrun-%d-", os.Getpid()))
}

// cleanUp removes the folders of runs that were killed: a folder's name has the number of
// the process that made it. What their cells have started, and still runs, is ended.
func cleanUp(parent string) {
	found, err := filepath.Glob(filepath.Join(parent, "nbrun-*-*"))
	if err != nil {
		return
	}
	for _, dir := range found {
		part := strings.Split(filepath.Base(dir), "-")
		pid, err := strconv.Atoi(part[1])
		if err != nil || pid == os.Getpid() || syscall.Kill(pid, 0) != syscall.ESRCH {
			continue
		}
		endMarked("REGBOOK_LEDGER=" + filepath.Join(dir, "ledger"))
		os.RemoveAll(dir)
	}
}
