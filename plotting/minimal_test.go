//go:build minimal

package plotting

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestNoPDFInMinimalBuilds(t *testing.T) {
	err := Sized(scatter(t), 3, 2).Save(filepath.Join(t.TempDir(), "figure.pdf"))
	if err == nil || !strings.Contains(err.Error(), "plotting/pdf") {
		t.Errorf("error %v", err)
	}
}
