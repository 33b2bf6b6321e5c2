package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// jupyterPath returns the folders in which Jupyter looks for kernels: the
// project's own, then whatever the user has.
func (c *course) jupyterPath() string {
	path := filepath.Join(c.build, "jupyter")
	if p := os.Getenv("JUPYTER_PATH"); p != "" {
		path += string(os.PathListSeparator) + p
	}
	return path
}

// writeKernel writes the kernelspec of the project's GoNB, which finds the
// goimports and gopls built beside it.
func (c *course) writeKernel() error {
	bin := filepath.Join(c.build, "bin")
	if _, err := os.Stat(filepath.Join(bin, "gonb")); err != nil {
		return fmt.Errorf("the kernel is not built (make does it): %w", err)
	}
	spec, err := encode(map[string]any{
		"argv":           []string{filepath.Join(bin, "gonb"), "--kernel", "{connection_file}"},
		"display_name":   "Go (gonb)",
		"language":       "go",
		"interrupt_mode": "message",
		// Jupyter replaces ${PATH}, and $$ by a dollar.
		"env": map[string]string{"PATH": strings.ReplaceAll(bin, "$", "$$") + string(os.PathListSeparator) + "${PATH}"},
	}, "  ")
	if err != nil {
		return err
	}
	dir := filepath.Join(c.build, "jupyter", "kernels", "gonb")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return writeFile(filepath.Join(dir, "kernel.json"), append(spec, '\n'))
}
