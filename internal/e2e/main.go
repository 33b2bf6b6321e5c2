// Command e2e tests notebooks where readers meet them: through the API of a
// Jupyter server, in a browser, and on the site, whose figures compute.
//
//	e2e api -url http://127.0.0.1:8888/lab?token=... 01_least_squares_geometry.ipynb ...
//	e2e browser -lab http://127.0.0.1:8888/lab?token=... -classic http://127.0.0.1:8889/tree?token=... -out build/browser ...
//	e2e site -engine build/bin/engine build/site
//
// The notebooks are files of this machine. Both run copies of them, without outputs, on
// the server, and remove these in the end.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "e2e:", err)
		os.Exit(1)
	}
}

// run is main without the process around it.
func run(ctx context.Context, args []string) error {
	if len(args) == 0 {
		return errors.New("want a subcommand: api, browser or site")
	}
	flags := flag.NewFlagSet("e2e "+args[0], flag.ContinueOnError)
	timeout := flags.Duration("timeout", time.Hour, "longest `time` for everything")
	var start func(context.Context, []string) error
	switch args[0] {
	case "api":
		url := flags.String("url", "", "`address` of the server, with its token")
		first := flags.Duration("first", 5*time.Minute, "longest `time` for the first cell, and for the first that compiles")
		start = func(ctx context.Context, paths []string) error { return testAPI(ctx, *url, *first, paths) }
	case "browser":
		lab := flags.String("lab", "", "`address` of JupyterLab, with its token")
		classic := flags.String("classic", "", "`address` of classic Notebook, with its token")
		out := flags.String("out", "build/browser", "`folder` of the screenshots")
		start = func(ctx context.Context, paths []string) error { return testBrowser(ctx, *lab, *classic, *out, paths) }
	case "site":
		program := flags.String("engine", "build/bin/engine", "internal/engine, compiled for this `program`'s machine")
		out := flags.String("out", "build/browser", "`folder` of the screenshots")
		places := flags.Int("places", 8, "`number` of places to which every slider moves")
		only := flags.String("only", "", "the one `part` to test: figures, playground, dragging, ...")
		record := flags.String("record", "", "`file` whose table of sizes and times is replaced")
		start = func(ctx context.Context, sites []string) error {
			return testSite(ctx, sites[0], *program, *out, *places, *only, *record)
		}
	default:
		return fmt.Errorf("no subcommand %q: want api, browser or site", args[0])
	}
	if err := flags.Parse(args[1:]); err != nil {
		return err
	}
	if flags.NArg() == 0 {
		return errors.New("want the files of the notebooks to run, or the folder of the site")
	}
	ctx, cancel := context.WithTimeoutCause(ctx, *timeout, fmt.Errorf("not done after %v", *timeout))
	defer cancel()
	return start(ctx, flags.Args())
}
