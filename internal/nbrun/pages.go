package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// checkPage returns what is wrong with the text, the checks and the length of an
// executed notebook as one error.
func (c *course) checkPage(nb *notebook) error {
	ledger, err := c.readLedger()
	if err != nil {
		return err
	}
	return errors.Join(asError(append(nb.unbound(ledger), nb.idle()...)), nb.heavy())
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
