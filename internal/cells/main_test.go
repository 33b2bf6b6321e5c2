package main

import (
	"slices"
	"strings"
	"testing"
)

// What a cell makes the linker read is within its budget. make cells counts the bytes
// as well.
func TestPackages(t *testing.T) {
	for _, c := range cells {
		list, _, err := output(".", []string{"GOWORK=off", "GOFLAGS="}, "go", "list", "-tags=minimal", "-deps", "./testdata/"+c.name)
		if err != nil {
			t.Fatal(err)
		}
		packages := strings.Fields(list)
		if err := c.check(size{packages: len(packages)}); err != nil {
			t.Error(err)
		}
		if len(packages) < c.packages*9/10 {
			t.Errorf("cell %s has %d packages; lower its budget of %d", c.name, len(packages), c.packages)
		}
		// What cost much once, and no cell needs.
		for _, heavy := range []string{"net", "math/big", "crypto/sha256", "database/sql", "log/slog", "text/template", "html",
			"k8s.io/klog/v2", "github.com/janpfeifer/gonb/gonbui", "codeberg.org/go-pdf/fpdf", "gonum.org/v1/plot/vg/vgeps", "gonum.org/v1/gonum/stat/distuv"} {
			if slices.Contains(packages, heavy) {
				t.Errorf("cell %s reads %s", c.name, heavy)
			}
		}
	}
}
