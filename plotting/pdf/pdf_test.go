package pdf

import (
	"os/exec"
	"strings"
	"testing"
)

// A cell, which is built with this tag, has PDF by this package only, and says so.
func TestCellsHaveNoPDF(t *testing.T) {
	out, err := exec.Command("go", "run", "-tags=minimal", "./testdata/cell").CombinedOutput()
	if err != nil || !strings.Contains(string(out), "call pdf.Save(figure, path) of package plotting/pdf") {
		t.Errorf("%v: %s", err, out)
	}
}
