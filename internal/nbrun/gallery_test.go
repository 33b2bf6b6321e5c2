package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/regbook/regbook/internal/try"
)

// The Examples draw everything that plotting and plotting/lecture can draw, the gallery shows it with
// their code, and what is not drawn is named.
func TestGallery(t *testing.T) {
	c := &course{root: "../..", build: t.TempDir(), out: io.Discard}
	drawn, err := c.drawGallery(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	s := &site{course: c, dir: t.TempDir()}
	if s.docs, err = readReferences(c.root); err != nil {
		t.Fatal(err)
	}
	if err := try.Do(func() { s.addOutputs(drawn); s.writeGallery() }); err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(s.dir, "gallery.html"))
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{
		`<h2 id="plotting-I-have-data-and-want-to-see">`, `<figure id="plotting.CoefPlot">`, `<img src="gallery/plotting.CoefPlot.1.png" alt="Figure: `,
		"plotting.Show(plotting.Diagnostics(", `<figure id="plotting.Stems">`, `<figure id="lecture.Projection">`, `<figure id="plotting.Show">`,
		`<div class="wide"><table`, "data-frames=",
	} {
		if !bytes.Contains(page, []byte(part)) {
			t.Errorf("the page has no %s", part)
		}
	}
	if config, err := os.Stat(filepath.Join(s.dir, "gallery", "plotting.CoefPlot.1.png")); err != nil || config.Size() < 1000 {
		t.Errorf("a picture: %v, %v", config, err)
	}
	for _, name := range []string{"CoefPlot", "Stems", "Head", "Interactive"} {
		kept := s.docs["plotting"].drawn[name]
		delete(s.docs["plotting"].drawn, name)
		if err := try.Do(s.writeGallery); err == nil || !strings.Contains(err.Error(), "plotting."+name+"\n") {
			t.Errorf("without the Example of %s: %v", name, err)
		}
		s.docs["plotting"].drawn[name] = kept
	}
}
