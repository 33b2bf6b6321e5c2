package report

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/internal/wholefile"
	"github.com/regbook/regbook/mlreg/internal/fault"
)

// Save writes the table to a file, in the form that the ending of its name says:
//
//	.txt    String, aligned text
//	.html   a page with the table, in UTF-8
//	.md     Markdown
//	.tex    LaTeX, for \usepackage{booktabs}
//	.csv    CSV, with every digit of the numbers, without title and notes
//
// The error is that of Check, mlreg.ErrSetting for another ending, or that of the file. A
// file that exists is replaced only by a table that was written whole.
func (t *Table) Save(path string) error {
	if err := t.Check(); err != nil {
		return err
	}
	var text string
	switch ending := strings.ToLower(filepath.Ext(path)); ending {
	case ".txt":
		text = t.String()
	case ".html", ".htm":
		text = "<!DOCTYPE html>\n<meta charset=\"utf-8\">\n<title>" + format.HTML(t.Title) + "</title>\n" + t.HTML()
	case ".md":
		text = t.Markdown()
	case ".tex":
		text = t.LaTeX()
	case ".csv":
		text = t.CSV()
	default:
		return fmt.Errorf("%w: %q ends in %q; a table is saved as .txt, .html, .md, .tex or .csv", fault.ErrSetting, path, ending)
	}
	return wholefile.Write(path, func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	})
}
