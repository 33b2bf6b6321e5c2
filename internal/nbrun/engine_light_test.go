package main

import (
	"bytes"
	"debug/elf"
	"debug/gosym"
	"encoding/binary"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"golang.org/x/image/font/sfnt"

	"github.com/regbook/regbook/internal/try"
)

// Every glyph of the fonts of figures has the outline and the width that it has with hints.
func TestWithoutHints(t *testing.T) {
	s := &site{course: &course{root: "../.."}}
	var dir string
	if err := try.Do(func() { dir = s.moduleDir(t.Context(), "codeberg.org/go-fonts/liberation") }); err != nil {
		t.Fatal(err)
	}
	for _, name := range fontsOfFigures {
		files, err := filepath.Glob(filepath.Join(dir, name, "*.ttf"))
		if err != nil || len(files) != 1 {
			t.Fatal(files, err)
		}
		before, err := os.ReadFile(files[0])
		if err != nil {
			t.Fatal(err)
		}
		after, err := withoutHints(before)
		if err != nil {
			t.Fatal(err)
		}
		if zeros := bytes.Count(after, []byte{0}) - bytes.Count(before, []byte{0}); zeros < len(before)/4 {
			t.Errorf("%s: only %d of %d bytes are blanked", name, zeros, len(before))
		}
		hinted, err := sfnt.Parse(before)
		if err != nil {
			t.Fatal(err)
		}
		bare, err := sfnt.Parse(after)
		if err != nil {
			t.Fatal(err)
		}
		if hinted.NumGlyphs() != bare.NumGlyphs() || bare.NumGlyphs() < 1000 {
			t.Fatalf("%s: %d glyphs, want %d", name, bare.NumGlyphs(), hinted.NumGlyphs())
		}
		for k := range hinted.NumGlyphs() {
			one := sfnt.GlyphIndex(k)
			want, err := hinted.LoadGlyph(nil, one, 2048<<6, nil)
			if err != nil {
				t.Fatal(err)
			}
			got, err := bare.LoadGlyph(nil, one, 2048<<6, nil)
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Fatalf("%s: glyph %d has another outline (%v)", name, one, err)
			}
			width, err := hinted.GlyphAdvance(nil, one, 2048<<6, 0)
			if err != nil {
				t.Fatal(err)
			}
			if w, err := bare.GlyphAdvance(nil, one, 2048<<6, 0); err != nil || w != width {
				t.Fatalf("%s: glyph %d is %v wide, want %v (%v)", name, one, w, width, err)
			}
		}
	}
}

// The table of this program's functions keeps the names that are asked for and all stacks, and has no lines: a program for
// WebAssembly has the same table.
func TestBlankLines(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	file, err := elf.Open(program)
	if err != nil {
		t.Skip("the table is looked up in an ELF file")
	}
	defer file.Close()
	section, text := file.Section(".gopclntab"), file.Section(".text")
	if section == nil || file.Machine != elf.EM_X86_64 {
		t.Skip("the table is that of another processor")
	}
	before, err := section.Data()
	if err != nil {
		t.Fatal(err)
	}
	after := slices.Clone(before)
	if err := blankLines(after); err != nil {
		t.Fatal(err)
	}
	if len(after) != len(before) {
		t.Fatal("the table has another length")
	}
	read := func(data []byte) *gosym.Table {
		table, err := gosym.NewTable(nil, gosym.NewLineTable(data, text.Addr))
		if err != nil {
			t.Fatal(err)
		}
		return table
	}
	old, bare := read(before), read(after)
	if len(old.Funcs) < 1000 || len(bare.Funcs) != len(old.Funcs) {
		t.Fatalf("%d functions, want %d", len(bare.Funcs), len(old.Funcs))
	}
	lines, kept := 0, 0
	for i, f := range old.Funcs {
		want := ""
		if keepsName([]byte(f.Name)) {
			want = f.Name
			kept++
		}
		if bare.Funcs[i].Name != want || bare.Funcs[i].Entry != f.Entry {
			t.Fatalf("function %d is %q, want %q", i, bare.Funcs[i].Name, want)
		}
		if file, line, _ := old.PCToLine(f.Entry); file != "" && line > 0 {
			lines++
		}
		if file, line, _ := bare.PCToLine(f.Entry); file != "" || line > 0 {
			t.Fatalf("%s is at %s:%d", f.Name, file, line)
		}
	}
	if kept < 500 || kept > len(old.Funcs)/2 {
		t.Errorf("%d of %d functions keep their names", kept, len(old.Funcs))
	}
	if lines < len(old.Funcs)*9/10 {
		t.Errorf("only %d of %d functions had lines", lines, len(old.Funcs))
	}
	// What the runtime needs of each function is as it was: frame sizes and the maps of its stack.
	want, got := valuesOf(before), valuesOf(after)
	if len(want) < 1000 || !slices.Equal(want, got) {
		t.Error("tables that the runtime reads have changed")
	}
	for _, bad := range [][]byte{nil, before[:100]} {
		if blankLines(slices.Clone(bad)) == nil {
			t.Errorf("a table of %d bytes is accepted", len(bad))
		}
	}
}

// valuesOf returns, for every function of a table, the bytes of its tables of values but those of files and lines.
func valuesOf(table []byte) (all []string) {
	head := func(k int) int { return int(binary.LittleEndian.Uint64(table[8+8*k:])) }
	word := func(at int) int { return int(binary.LittleEndian.Uint32(table[at:])) }
	for k := range head(0) {
		f := head(7) + word(head(7)+8*k+4)
		offsets := []int{word(f + 16)}
		for i := range word(f + 28) {
			offsets = append(offsets, word(f+44+4*i))
		}
		for _, offset := range offsets {
			from := head(6) + offset
			to := from
			for k := 0; offset != 0 && (k == 0 || table[to] != 0); k++ {
				for range 2 {
					_, n := binary.Uvarint(table[to:])
					to += n
				}
			}
			all = append(all, string(table[from:to+1]))
		}
	}
	return all
}

// Segments are found behind other sections, with their addresses, and what is written there reaches the program.
func TestSegments(t *testing.T) {
	program := []byte("\x00asm\x01\x00\x00\x00" + // magic and version
		"\x01\x02ab" + // a section of two bytes
		"\x0b\x12\x02" + "\x00\x41\x90\xce\x00\x0b\x03abc" + "\x00\x41\x05\x0b\x02de" + // data at 10000 and 5
		"\x00\x01x")
	all, err := segments(program)
	if err != nil || len(all) != 2 || all[0].address != 10000 || string(all[0].bytes) != "abc" || all[1].address != 5 || string(all[1].bytes) != "de" {
		t.Errorf("%v, %v", all, err)
	}
	if _, err := segments(program[:20]); err == nil {
		t.Error("half a program is accepted")
	}
	if _, err := segments(bytes.Replace(program, []byte("\x00\x41"), []byte("\x01\x41"), 1)); err == nil {
		t.Error("a segment without an address is accepted")
	}
	if _, err := withoutLines(program); err == nil {
		t.Error("a program without functions is accepted")
	}
}
