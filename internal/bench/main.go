// Command bench compares the speed of this project with that of its peers,
// NumPy, scikit-learn, statsmodels, R and packages of it, on the same data, one program at a
// time, and holds their answers against ours. make bench runs it.
//
// It installs missing peers from Debian's packages, given apt-get and root,
// does without those that are missing still, writes data once to build/bench,
// prints a table and writes it to build/bench.md. Times are of work on data
// that are in memory, the best of all runs and their median; a run of work that
// takes less than 20 ms is the mean of as many as fill 0.2 s. Memory is the most
// that is resident while a program works, with its data in it.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"

	"github.com/regbook/regbook/internal/bench/ours"
)

func main() {
	// The program is started by itself for our work.
	if len(os.Args) > 1 && os.Args[1] == "run" {
		exit(ours.Main(os.Args[2:], os.Stdout))
	}
	if len(os.Args) > 1 && os.Args[1] == "scale" {
		exit(scale(os.Args[2:]))
	}
	if len(os.Args) == 4 && os.Args[1] == "scale-one" {
		exit(scaleOne(os.Args[2], os.Args[3], os.Stdout))
	}
	if len(os.Args) > 1 && os.Args[1] == "certify-one" {
		exit(ours.CertifyOne(os.Args[2:], os.Stdout))
	}
	c := config{rows: table}
	flag.BoolVar(&c.short, "short", false, "small data, to try it out")
	flag.IntVar(&c.rounds, "rounds", 2, "how often all programs take their turns")
	flag.IntVar(&c.runs, "runs", 5, "how often a program works in its turn; long ones do so once")
	flag.Uint64Var(&c.seed, "seed", 20240607, "of the random data")
	flag.StringVar(&c.dir, "dir", "build/bench", "where data and answers are")
	flag.StringVar(&c.report, "report", "build/bench.md", "where the table is written to")
	only := flag.String("only", "", "regular expression of the titles and sizes to compare, as in the table")
	flag.Parse()
	var err error
	if c.only, err = regexp.Compile(*only); err != nil {
		exit(err)
	}
	if c.self, err = os.Executable(); err != nil {
		exit(err)
	}
	if err := installPeers(); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
	}
	exit(c.run(os.Stdout, os.Stderr))
}

func exit(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
	os.Exit(0)
}

// config says what to compare and where.
type config struct {
	short        bool
	rounds, runs int
	seed         uint64
	dir, report  string
	only         *regexp.Regexp
	rows         []row  // to compare, of table
	self         string // the program that does our work: this one
	alone        bool   // without peers for certified posteriors
}

// run compares, writes the table to out and to the report, and says on progress
// what it is doing. The error says if an answer disagrees or a target is missed.
func (c config) run(out, progress io.Writer) error {
	if err := os.MkdirAll(c.dir, 0o777); err != nil {
		return err
	}
	scripts, err := writeScripts(c.dir)
	if err != nil {
		return err
	}
	var results []*result
	for _, r := range c.rows {
		if c.short {
			r = r.small()
		}
		if c.only != nil && !c.only.MatchString(r.name()) {
			continue
		}
		res, err := c.compare(r, scripts, progress)
		if err != nil {
			return err
		}
		results = append(results, res)
	}
	beyond, err := c.compareCertified(scripts, progress)
	if err != nil {
		return err
	}
	text := markdown(results, c) + certifiedTable(beyond, c.short)
	if _, err := io.WriteString(out, text); err != nil {
		return err
	}
	if err := os.WriteFile(c.report, []byte(text), 0o666); err != nil {
		return err
	}
	failed := []error{certifiedFailures(beyond, c.short)}
	for _, r := range results {
		failed = append(failed, r.failures(c.short)...)
	}
	return errors.Join(failed...)
}
