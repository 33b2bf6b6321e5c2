package main

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Figures are drawn by pure Go code, so on one machine they are the same bytes
// every time. Processors that fuse a multiplication and an addition may round
// the edge of a line differently: a pixel counts as different when a channel
// is off by more than channelTolerance of 255, and a figure when more than
// shareTolerance of its pixels are.
const (
	channelTolerance = 8
	shareTolerance   = 1e-4
)

// compare holds the outputs of a notebook, as withOutputs returns them, against
// those committed, text exactly and figures by their pixels, and returns all
// differences as one error. The order of what is printed and what is displayed within
// a cell is not held against it: see apart. Figures that differ are written to diffDir under names that begin
// with name.
func compare(committed, executed *notebook, name, diffDir string) error {
	var diffs []error
	for i, c := range committed.Cells {
		if c.Type != "code" {
			continue
		}
		where := fmt.Sprintf("cell %d, In [%s]", i+1, executed.Cells[i].ExecutionCount)
		want, got := coalesce(c.Outputs), executed.Cells[i].Outputs
		if string(c.ExecutionCount) != string(executed.Cells[i].ExecutionCount) {
			diffs = append(diffs, fmt.Errorf("%s: committed as In [%s]", where, c.ExecutionCount))
		}
		if err := compareStated(c, executed.Cells[i]); err != nil {
			diffs = append(diffs, fmt.Errorf("%s: %w", where, err))
		}
		prefix := filepath.Join(diffDir, fmt.Sprintf("%s-cell%d", name, i+1))
		err := compareCell(want, got, where, prefix)
		if err != nil && compareCell(apart(want), apart(got), where, prefix) == nil {
			continue
		}
		diffs = append(diffs, err)
	}
	return errors.Join(diffs...)
}

// compareCell returns the differences of the outputs of a cell as one error.
func compareCell(want, got []*output, where, prefix string) error {
	if len(want) != len(got) {
		return fmt.Errorf("%s: %d outputs committed, %d now\n%s",
			where, len(want), len(got), indent(unifiedDiff(outline(want), outline(got)), "    ", 60))
	}
	var diffs []error
	for k := range want {
		if err := compareOutput(want[k], got[k], fmt.Sprintf("%s-output%d", prefix, k+1)); err != nil {
			diffs = append(diffs, fmt.Errorf("%s, output %d: %w", where, k+1, err))
		}
	}
	return errors.Join(diffs...)
}

// apart returns the outputs of a cell in an order that the kernel defines: all that
// is printed to standard output, all that is printed to standard error, all that is
// displayed. They reach the kernel by three pipes, each read by a goroutine of
// its own, so that a figure may arrive before a line that was printed before it.
func apart(outputs []*output) []*output {
	pipe := func(o *output) int {
		switch {
		case o.Type != "stream":
			return 2
		case o.Name == "stderr":
			return 1
		}
		return 0
	}
	sorted := slices.Clone(outputs)
	slices.SortStableFunc(sorted, func(a, b *output) int { return pipe(a) - pipe(b) })
	return coalesce(sorted)
}

// keepOrder gives the cells whose outputs differ from those committed by nothing
// but the order of the pipes, see apart, the order committed.
func keepOrder(committed, executed *notebook) error {
	for i, c := range executed.Cells {
		if c.Type != "code" {
			continue
		}
		want, err := encode(apart(committed.Cells[i].Outputs), "")
		if err != nil {
			return err
		}
		got, err := encode(apart(c.Outputs), "")
		if err != nil {
			return err
		}
		if bytes.Equal(want, got) {
			c.Outputs = coalesce(committed.Cells[i].Outputs)
		}
	}
	return nil
}

// compareOutput returns the differences of one output as an error.
func compareOutput(want, got *output, prefix string) error {
	kind := func(o *output) string {
		return strings.Join(append([]string{o.Type, o.Name}, slices.Sorted(maps.Keys(o.Data))...), " ")
	}
	if w, g := kind(want), kind(got); w != g {
		return fmt.Errorf("committed %q, now %q", w, g)
	}
	if want.Text != got.Text {
		return differ(want.Name, string(want.Text), string(got.Text))
	}
	if want.Evalue != got.Evalue {
		return differ("error", want.Evalue, got.Evalue)
	}
	for _, mime := range slices.Sorted(maps.Keys(want.Data)) {
		w, g := want.data(mime), got.data(mime)
		switch {
		case w == g:
		case mime == "image/png":
			if err := comparePNG(w, g, prefix); err != nil {
				return err
			}
		default:
			if err := compareText(mime, w, g, prefix); err != nil {
				return err
			}
		}
	}
	w, err := encode(want.Metadata, " ")
	if err != nil {
		return err
	}
	g, err := encode(got.Metadata, " ")
	if err != nil {
		return err
	}
	if !bytes.Equal(w, g) {
		return differ("metadata", string(w), string(g))
	}
	return nil
}

// embedded matches the figures within a page: PNG in base64.
var embedded = regexp.MustCompile(`iVBORw0KGgo[A-Za-z0-9+/]+=*`)

// compareText compares two texts exactly, but for embedded figures, which are
// compared as figures are.
func compareText(mime, want, got, prefix string) error {
	const mark = "(figure)"
	w, g := embedded.FindAllString(want, -1), embedded.FindAllString(got, -1)
	want, got = embedded.ReplaceAllString(want, mark), embedded.ReplaceAllString(got, mark)
	if want != got || len(w) != len(g) {
		return differ(mime, want, got)
	}
	for i := range w {
		if w[i] == g[i] {
			continue
		}
		if err := comparePNG(w[i], g[i], fmt.Sprintf("%s-figure%d", prefix, i+1)); err != nil {
			return fmt.Errorf("%s, figure %d: %w", mime, i+1, err)
		}
	}
	return nil
}

// differ returns the difference of two texts as an error.
func differ(what, want, got string) error {
	return fmt.Errorf("%s differs (- committed, + now)\n%s", what, indent(unifiedDiff(want, got), "    ", 60))
}

// outline returns a line or more for each output: its text, or what it displays.
func outline(outputs []*output) string {
	var b strings.Builder
	for _, o := range outputs {
		b.WriteString(strings.TrimSuffix(string(o.Text), "\n"))
		for _, mime := range slices.Sorted(maps.Keys(o.Data)) {
			fmt.Fprintf(&b, "<%s %d bytes>", mime, len(o.Data[mime]))
		}
		b.WriteString(o.Evalue + "\n")
	}
	return b.String()
}

// comparePNG compares two figures in base64 by their pixels. If they differ
// they are written to prefix-committed.png and prefix-now.png.
func comparePNG(want, got, prefix string) error {
	w, wImage, err := decodePNG(want)
	if err != nil {
		return fmt.Errorf("committed figure: %w", err)
	}
	g, gImage, err := decodePNG(got)
	if err != nil {
		return fmt.Errorf("figure: %w", err)
	}
	var what string
	if wImage.Bounds() != gImage.Bounds() {
		what = fmt.Sprintf("committed %v pixels, now %v", wImage.Bounds().Size(), gImage.Bounds().Size())
	} else {
		differing, largest := pixels(wImage, gImage)
		size := wImage.Bounds().Size()
		share := float64(differing) / float64(size.X*size.Y)
		if share <= shareTolerance {
			return nil
		}
		what = fmt.Sprintf("%d of %d pixels (%.3g%%) differ, by up to %d of 255; %.3g%% may, by more than %d",
			differing, size.X*size.Y, 100*share, largest, 100*shareTolerance, channelTolerance)
	}
	if err := os.MkdirAll(filepath.Dir(prefix), 0o755); err != nil {
		return err
	}
	err = errors.Join(writeFile(prefix+"-committed.png", w), writeFile(prefix+"-now.png", g))
	return errors.Join(fmt.Errorf("image/png differs: %s\n    see %s-{committed,now}.png", what, prefix), err)
}

// decodePNG returns the bytes and the image of a figure in base64.
func decodePNG(s string) ([]byte, image.Image, error) {
	b, err := base64.StdEncoding.DecodeString(strings.TrimSpace(s))
	if err != nil {
		return nil, nil, err
	}
	img, err := png.Decode(bytes.NewReader(b))
	return b, img, err
}

// pixels returns how many pixels of two images of one size differ beyond the
// tolerance, and the largest difference of any channel, out of 255.
func pixels(a, b image.Image) (differing, largest int) {
	x, y := rgba(a), rgba(b)
	for i := 0; i < len(x); i += 4 {
		p, q := x[i:i+4:i+4], y[i:i+4:i+4]
		if [4]byte(p) == [4]byte(q) {
			continue
		}
		var d int
		for k, v := range p {
			d = max(d, int(v)-int(q[k]), int(q[k])-int(v))
		}
		if d > channelTolerance {
			differing++
		}
		largest = max(largest, d)
	}
	return differing, largest
}

// rgba returns the channels of an image, four bytes a pixel, row by row, those of
// colour multiplied by the last, as image.RGBA has them.
func rgba(img image.Image) []byte {
	box := img.Bounds()
	if whole, ok := img.(*image.RGBA); ok && whole.Stride == 4*box.Dx() {
		return whole.Pix
	}
	whole := image.NewRGBA(box)
	draw.Draw(whole, box, img, box.Min, draw.Src)
	return whole.Pix
}
