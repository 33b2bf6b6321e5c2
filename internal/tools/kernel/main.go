// Command kernel is what Jupyter starts for a notebook that imports Regbook: it
// runs GoNB so that the packages, at the versions of go.mod, are there from the
// first cell on, without a preamble and without a network.
//
//	kernel link -root DIR KERNEL     write the kernel of this clone to the folder KERNEL
//	kernel try KERNEL                build and run a cell there, so that the reader's first does not wait
//	kernel install -root DIR         give the user's own Jupyter a kernel, with a copy of the packages
//	kernel remove                    take that kernel away
//	kernel start KERNEL CONNECTION   run GoNB: what the kernelspec calls
//	kernel tool PROGRAM ...          run a tool of the Go command, and note how: see direct.go
//
// GoNB runs the Go command and goimports that it finds on PATH, and there finds
// this program by their names: see command.go and imports.go.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

func main() {
	var err error
	switch filepath.Base(os.Args[0]) {
	case "go":
		err = goCommand(os.Args[1:])
	case "goimports":
		err = goImports(os.Args[1:])
	default:
		err = run(os.Args[1:], os.Stdin, os.Stdout)
	}
	var failed *goError
	if errors.As(err, &failed) { // as the go command itself says it
		fmt.Fprintf(os.Stderr, "%s", failed.output)
		os.Exit(1)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "Go (Regbook):", err)
		os.Exit(1)
	}
}

const usage = "usage: kernel link|try|install|remove|start [flags] [folder]"

// run is main without the process around it.
func run(args []string, in io.Reader, out io.Writer) error {
	if len(args) == 0 {
		return errors.New(usage)
	}
	if args[0] == "tool" {
		return tool(args[1:])
	}
	flags := flag.NewFlagSet("kernel "+args[0], flag.ContinueOnError)
	root := flags.String("root", ".", "`folder` of Regbook's main module")
	name := flags.String("name", "regbook", "`name` of the kernel")
	jupyter := flags.String("jupyter", "jupyter", "the `program` jupyter")
	yes := flags.Bool("yes", false, "overwrite without asking")
	if err := flags.Parse(args[1:]); err != nil {
		return err
	}
	switch args[0] {
	case "link":
		if flags.NArg() != 1 {
			return fmt.Errorf("want the folder of the kernel")
		}
		return link(*root, flags.Arg(0))
	case "try":
		if flags.NArg() != 1 {
			return fmt.Errorf("want the folder of the kernel")
		}
		return try(flags.Arg(0))
	case "install", "remove":
		self, err := os.Executable()
		if err != nil {
			return err
		}
		k := &installer{name: *name, jupyter: *jupyter, programs: filepath.Dir(self), yes: *yes, in: in, out: out, try: try}
		if args[0] == "remove" {
			return k.remove()
		}
		return k.install(*root)
	case "start":
		if flags.NArg() != 2 {
			return fmt.Errorf("want the folder of the kernel and the connection file")
		}
		return start(flags.Arg(0), flags.Arg(1))
	}
	return fmt.Errorf("no command %q; %s", args[0], usage)
}
