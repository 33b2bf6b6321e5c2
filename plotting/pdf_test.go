//go:build !minimal

package plotting

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/plot"
)

// greek is a plot whose texts the PDF writer of gonum/plot cannot write.
func greek(t *testing.T) *plot.Plot {
	t.Helper()
	p := scatter(t)
	p.Title.Text, p.X.Label.Text = "σ² and β̂₁", "log λ"
	return p
}

func TestSavePDF(t *testing.T) {
	path := filepath.Join(t.TempDir(), "figure.pdf")
	if err := Sized(greek(t), 4, 3).Save(path); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(string(data), "%PDF") {
		t.Errorf("begins with %q", data[:8])
	}
}
