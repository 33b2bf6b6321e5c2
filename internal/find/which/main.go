// Command which answers %which and %find in the kernel: it prints the calls for a word that
// users of other programs type.
//
//	which WORD...     of the packages of the kernel that REGBOOK_KERNEL names
//	which -names ROOT all names in the indexes of the packages at ROOT, in their order
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/regbook/regbook/internal/find"
)

func main() {
	if err := run(os.Args[1:], os.Getenv("REGBOOK_KERNEL"), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string, kernel string, out io.Writer) error {
	if len(args) == 2 && args[0] == "-names" {
		entries, err := find.Entries(args[1])
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(out, strings.Join(find.Names(entries), "\n"))
		return err
	}
	query := strings.Join(args, " ")
	if query == "" {
		return fmt.Errorf("%%which wants a word: a task (%%which sort rows), or the name of a call in R, pandas or scikit-learn (%%which filter)")
	}
	b, err := os.ReadFile(filepath.Join(kernel, "regbook.json"))
	if err != nil {
		return err
	}
	var config struct{ Root string }
	if err := json.Unmarshal(b, &config); err != nil {
		return err
	}
	entries, err := find.Entries(config.Root)
	if err != nil {
		return err
	}
	return answer(out, query, find.Search(entries, query))
}

// most is how many entries an answer has.
const most = 12

func answer(out io.Writer, query string, found []find.Entry) error {
	var b strings.Builder
	for i, e := range found {
		if i == most {
			fmt.Fprintf(&b, "and %d more: with another word there are fewer\n", len(found)-most)
			break
		}
		fmt.Fprintf(&b, "%s: %s  (%s)\n", e.Theirs, e.Ours, e.From)
	}
	if len(found) == 0 {
		fmt.Fprintf(&b, "nothing has %q: try a word of the task, or part of the name\n", query)
	}
	_, err := io.WriteString(out, b.String())
	return err
}
