// Package pdf writes figures to PDF files. It is a package of its own because a
// program that does not write PDF files links faster without it.
package pdf

import (
	_ "gonum.org/v1/plot/vg/vgpdf" // registers the format

	"github.com/regbook/regbook/plotting"
)

// Save writes the figure to a file whose extension is .pdf, as the figure's method
// Save does. Its text is drawn as shapes, so that it looks the same everywhere. Errors
// are those of that method.
func Save(f *plotting.Figure, path string) error { return f.Save(path) }
