package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
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

// kernelName is what Jupyter knows the project's kernel by.
const kernelName, kernelDisplay = "regbook", "Go (Regbook)"

// writeKernel writes the kernelspec of the project's kernel, whose packages are
// those of this clone (internal/tools/kernel).
func (c *course) writeKernel() error {
	program := filepath.Join(c.build, "bin", "kernel")
	if _, err := os.Stat(program); err != nil {
		return fmt.Errorf("the kernel is not built (make does it): %w", err)
	}
	out, err := exec.Command(program, "link", "-root", c.root, filepath.Join(c.build, "jupyter", "kernels", kernelName)).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s link: %w\n%s", program, err, out)
	}
	return nil
}
