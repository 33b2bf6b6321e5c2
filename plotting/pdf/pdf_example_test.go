package pdf_test

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/regbook/regbook/plotting"
	"github.com/regbook/regbook/plotting/pdf"
)

// Texts with letters that the PDF writer of gonum/plot does not have.
func ExampleSave() {
	p := plotting.New("σ² and β̂₁", "log λ", "")
	folder, err := os.MkdirTemp("", "")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "figure.pdf")
	if err := pdf.Save(plotting.Grid(1, p), path); err != nil {
		panic(err)
	}
	file, err := os.ReadFile(path)
	fmt.Printf("%s, %v\n", file[:4], err)
	// Output: %PDF, <nil>
}
