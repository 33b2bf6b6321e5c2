package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
)

// What the engine holds and a page never reads is blanked, since blanks pack to nothing:
// instructions of fonts for screens of few dots, and the functions and lines of source of a stack trace.

// withoutHints blanks the instructions of a TrueType font, which only coarse screens need, the names of its
// glyphs, and tables that draw no outline. Outlines, widths and kerning stay as they are.
// The tables are those of the OpenType specification.
func withoutHints(font []byte) ([]byte, error) {
	ttf := slices.Clone(font)
	tables := map[string][]byte{}
	if len(ttf) < 12 {
		return nil, errors.New("the font has no tables")
	}
	for k := range int(binary.BigEndian.Uint16(ttf[4:])) {
		entry := ttf[12+16*k:]
		at, size := binary.BigEndian.Uint32(entry[8:]), binary.BigEndian.Uint32(entry[12:])
		tables[string(entry[:4])] = ttf[at : at+size]
	}
	for _, name := range []string{"head", "maxp", "loca", "glyf", "post"} {
		if tables[name] == nil {
			return nil, fmt.Errorf("the font has no table %s", name)
		}
	}
	for _, name := range []string{"cvt ", "fpgm", "prep", "gasp", "hdmx", "VDMX", "LTSH", "DSIG", "GSUB", "GDEF"} {
		clear(tables[name])
	}
	post := tables["post"]
	binary.BigEndian.PutUint32(post, 0x00030000) // the version that has no names
	clear(post[32:])
	loca, glyf := tables["loca"], tables["glyf"]
	start := func(k int) int { return 2 * int(binary.BigEndian.Uint16(loca[2*k:])) }
	if binary.BigEndian.Uint16(tables["head"][50:]) == 1 {
		start = func(k int) int { return int(binary.BigEndian.Uint32(loca[4*k:])) }
	}
	for k := range int(binary.BigEndian.Uint16(tables["maxp"][4:])) {
		glyph := glyf[start(k):start(k+1)]
		if len(glyph) == 0 {
			continue
		}
		// A glyph of one piece has its instructions behind the ends of its contours, and its outline behind
		// them: the font stays as long as it is. One of several pieces has them at its end.
		if contours := int(int16(binary.BigEndian.Uint16(glyph))); contours >= 0 {
			count := glyph[10+2*contours:]
			clear(count[2 : 2+binary.BigEndian.Uint16(count)])
		} else {
			clear(glyph[sizeOfPieces(glyph):])
		}
	}
	return ttf, nil
}

// sizeOfPieces returns the length of a glyph of several pieces without its instructions.
func sizeOfPieces(glyph []byte) int {
	const words, scale, more, twoScales, matrix = 1 << 0, 1 << 3, 1 << 5, 1 << 6, 1 << 7
	at := 10
	for {
		flags := binary.BigEndian.Uint16(glyph[at:])
		at += 6
		if flags&words != 0 {
			at += 2
		}
		switch {
		case flags&scale != 0:
			at += 2
		case flags&twoScales != 0:
			at += 4
		case flags&matrix != 0:
			at += 8
		}
		if flags&more == 0 {
			return at
		}
	}
}

// A segment of a WebAssembly program is what is put into memory at an address when it starts.
type segment struct {
	address int
	bytes   []byte // of the program
}

// segments returns those of a program in the binary format of the WebAssembly specification.
func segments(program []byte) (all []segment, err error) {
	b, at := program, 8
	number := func() (v int) {
		u, n := binary.Uvarint(b[at:])
		at += max(n, 1)
		return int(u)
	}
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("the program ends too early: %v", v)
		}
	}()
	const data, atConstant, i32Const, end = 11, 0, 0x41, 0x0b
	for at < len(b) {
		section := b[at]
		at++
		size := number()
		if section != data {
			at += size
			continue
		}
		for range number() {
			if b[at] != atConstant || b[at+1] != i32Const {
				return nil, errors.New("a segment has no constant address")
			}
			at += 2
			address := number()
			if b[at] != end {
				return nil, errors.New("an address does not end")
			}
			at++
			size := number()
			all = append(all, segment{address, b[at : at+size]})
			at += size
		}
	}
	return all, nil
}

// withoutLines blanks the files and lines in the function table of a Go program for WebAssembly, and the names of
// functions but those of package live, which finds its explorables by them, and of package runtime: a stack
// trace has "?" where lines were. The table is package runtime's: pcHeader in
// symtab.go, _func in runtime2.go. It is an error if the program has none of this form.
func withoutLines(program []byte) ([]byte, error) {
	program = slices.Clone(program)
	all, err := segments(program)
	if err != nil {
		return nil, err
	}
	size := 0
	for _, s := range all {
		size = max(size, s.address+len(s.bytes))
	}
	memory := make([]byte, size)
	for _, s := range all {
		copy(memory[s.address:], s.bytes)
	}
	if err := blankLines(memory); err != nil {
		return nil, err
	}
	for _, s := range all {
		copy(s.bytes, memory[s.address:])
	}
	return program, nil
}

// blankLines is withoutLines in the memory of a program.
func blankLines(memory []byte) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("the function table is not of the form that is known: %v", v)
		}
	}()
	table := bytes.Index(memory, []byte{0xf1, 0xff, 0xff, 0xff, 0, 0, 1, 8})
	if table < 0 {
		return errors.New("the program has no function table")
	}
	head := func(k int) int { return int(binary.LittleEndian.Uint64(memory[table+8+8*k:])) }
	functions, names, units, values, entries := head(0), table+head(3), table+head(4), table+head(6), table+head(7)
	word := func(at int) int { return int(binary.LittleEndian.Uint32(memory[at:])) }
	// The first name is empty. Of a _func in words: the name is at 1, tables of values are at 4 (stack pointer), 5 (file) and 6 (line), their number
	// beyond these is at 7, the unit at 8 and the first line at 9; those tables are from 11 on.
	const name, stack, file, line, more, unit, first, further = 1, 4, 5, 6, 7, 8, 9, 11
	kept := make([]bool, entries-values)
	keep := func(offset int) {
		if offset == 0 {
			return
		}
		at := values + offset
		for k := 0; k == 0 || memory[at] != 0; k++ { // pairs of numbers, until one begins with 0
			for range 2 {
				_, n := binary.Uvarint(memory[at:])
				at += n
			}
		}
		for k := offset; k <= at-values; k++ {
			kept[k] = true
		}
	}
	named := make([]bool, units-names)
	for k := range functions {
		f := entries + word(entries+8*k+4)
		at := word(f + 4*name)
		text := memory[names+at : units]
		text = text[:bytes.IndexByte(text, 0)+1]
		if keepsName(text) {
			for i := range text {
				named[at+i] = true
			}
		} else {
			clear(memory[f+4*name : f+4*name+4])
		}
		keep(word(f + 4*stack))
		for i := range word(f + 4*more) {
			keep(word(f + 4*(further+i)))
		}
		for _, i := range []int{file, line, unit, first} {
			clear(memory[f+4*i : f+4*i+4])
		}
	}
	blankOthers(memory[values:], kept)
	blankOthers(memory[names:], named)
	clear(memory[units:values]) // the units and the names of their files
	return nil
}

// blankOthers clears what is not kept.
func blankOthers(memory []byte, kept []bool) {
	for k := range kept {
		if !kept[k] {
			memory[k] = 0
		}
	}
}

// keepsName tells whether the name of a function is kept.
func keepsName(name []byte) bool {
	return bytes.HasPrefix(name, []byte("runtime.")) || bytes.HasPrefix(name, []byte("github.com/regbook/regbook/course/live."))
}
