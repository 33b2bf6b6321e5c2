package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// checkPage returns what is wrong with the text, the checks and the length of an
// executed notebook as one error. A notebook that one of the lists of internal/nbrun
// names may break those rules, and has to.
func (c *course) checkPage(name string, nb *notebook) error {
	ledger, err := c.readLedger()
	if err != nil {
		return err
	}
	return errors.Join(
		c.unless("unbound.txt", name, asError(append(nb.unbound(ledger), nb.idle()...))),
		c.unless("heavy.txt", name, nb.heavy()))
}

// unless returns err, which a list forgives a notebook that it names; it is an error
// that it names one without need.
func (c *course) unless(list, name string, err error) error {
	b, e := os.ReadFile(filepath.Join(c.root, "internal", "nbrun", list))
	switch listed := slices.Contains(strings.Fields(string(b)), name); {
	case e != nil && !errors.Is(e, fs.ErrNotExist):
		return e
	case listed && err == nil:
		return fmt.Errorf("it needs its place in internal/nbrun/%s no longer: take it off", list)
	case listed:
		return nil
	}
	return err
}

// asError returns problems as one error, nil if there are none.
func asError(problems []problem) error {
	var errs []error
	for _, p := range problems {
		errs = append(errs, fmt.Errorf("cell %d: %s", p.cell, p.text))
	}
	return errors.Join(errs...)
}

func (c *course) readLedger() (map[int]row, error) {
	b, err := os.ReadFile(filepath.Join(c.notebooks, "LEDGER.md"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return parseLedger(string(b))
}

// bound prints what is wrong with the text, the checks and the length of notebooks, as
// they are.
func (c *course) bound(paths []string) error {
	ledger, err := c.readLedger()
	if err != nil {
		return err
	}
	bad := 0
	for _, path := range paths {
		nb, err := readNotebook(path)
		if err != nil {
			return err
		}
		problems, count := nb.proofread(ledger)
		err = errors.Join(asError(append(problems, nb.idle()...)), nb.heavy())
		fmt.Fprintf(c.out, "%s: %s\n", filepath.Base(path), count)
		if err != nil {
			bad++
			fmt.Fprintf(c.out, "%s\n", indent(err.Error(), "  ", 1000))
		}
	}
	if bad > 0 {
		return fmt.Errorf("%d of %d notebooks are not as they should be", bad, len(paths))
	}
	return nil
}
