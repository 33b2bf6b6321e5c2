package frames

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// encoding is how a file writes its characters; its text is that of CSVSettings.Encoding.
type encoding string

const (
	anyEncoding encoding = "" // to be found out
	utf8Text    encoding = "utf-8"
	utf16LE     encoding = "utf-16le"
	utf16BE     encoding = "utf-16be"
	windows1252 encoding = "windows-1252"
)

// encodingOf reads CSVSettings.Encoding. Latin-1 is taken for Windows-1252, which has signs
// such as the euro where Latin-1 has control characters, as in browsers.
func encodingOf(setting string) (encoding, error) {
	switch name := strings.ToLower(setting); name {
	case "", "utf-8", "utf-16le", "utf-16be", "windows-1252":
		return encoding(name), nil
	case "utf8":
		return utf8Text, nil
	case "latin1", "latin-1", "iso-8859-1", "cp1252":
		return windows1252, nil
	}
	return anyEncoding, errorf(ErrSetting, "CSVSettings.Encoding is %q; it is utf-8, utf-16le, utf-16be or windows-1252", setting)
}

// report says what was converted, "" if nothing was.
func (e encoding) report() string {
	switch e {
	case utf16LE:
		return "converted from UTF-16, little endian"
	case utf16BE:
		return "converted from UTF-16, big endian"
	case windows1252:
		return "converted from Windows-1252 (Latin-1)"
	}
	return ""
}

// sniffEncoding finds out from the first bytes of a file whether it is UTF-16: by a byte order
// mark, or by bytes of zero that stand at odd or at even places only, in at least half of them,
// as in most texts of Latin letters. Mark is the length of the byte order mark.
func sniffEncoding(head []byte) (e encoding, mark int, err error) {
	switch {
	case bytes.HasPrefix(head, []byte("\xff\xfe\x00\x00")), bytes.HasPrefix(head, []byte("\x00\x00\xfe\xff")):
		return anyEncoding, 0, errorf(ErrCSV, "the file is UTF-32; save it as UTF-8")
	case bytes.HasPrefix(head, []byte("\xff\xfe")):
		return utf16LE, 2, nil
	case bytes.HasPrefix(head, []byte("\xfe\xff")):
		return utf16BE, 2, nil
	}
	var zeros [2]int
	for i, b := range head {
		if b == 0 {
			zeros[i%2]++
		}
	}
	enough := func(zeros int) bool { return zeros > 0 && 4*zeros >= len(head) }
	switch {
	case len(head) < 4:
	case zeros[0] == 0 && enough(zeros[1]):
		return utf16LE, 0, nil
	case zeros[1] == 0 && enough(zeros[0]):
		return utf16BE, 0, nil
	}
	return anyEncoding, 0, nil
}

// of1252 are the characters of the bytes 0x80 to 0x9f in Windows-1252; 0 where there is none.
// The others are those of Unicode. (encoding.spec.whatwg.org, index windows-1252.)
var of1252 = [32]rune{
	'€', 0, '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', 0, 'Ž', 0,
	0, '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', 0, 'ž', 'Ÿ',
}

// decoded reads a file as UTF-8.
type decoded struct {
	from io.Reader
	as   encoding
	in   []byte // bytes that are half of a character
	out  []byte // converted, and not yet read
	raw  [1 << 12]byte
	high rune // the first half of a pair of UTF-16; 0 if there is none
	line int
	err  error // to be told once out is read
}

// decode returns what reads a file as UTF-8, and how the file is written as far as the first
// bytes tell.
func decode(r *bufio.Reader, as encoding) (io.Reader, encoding, error) {
	const enough = 1 << 10
	if as == utf8Text {
		return r, as, nil
	}
	head, err := r.Peek(enough)
	if err != nil && !errors.Is(err, io.EOF) {
		return r, as, nil // reading tells
	}
	found, mark, err := sniffEncoding(head)
	switch {
	case as == anyEncoding && err != nil:
		return nil, as, err
	case as == anyEncoding:
		as = found
	case found != as:
		mark = 0
	}
	if as == anyEncoding {
		return r, utf8Text, nil
	}
	if _, err := r.Discard(mark); err != nil {
		return nil, as, fmt.Errorf("frames: %w", err)
	}
	return &decoded{from: r, as: as, line: 1}, as, nil
}

// Read reads text.
func (d *decoded) Read(b []byte) (int, error) {
	for len(d.out) == 0 && d.err == nil {
		n, err := d.from.Read(d.raw[:])
		d.out = d.out[:0]
		d.err = d.convert(d.raw[:n])
		switch {
		case d.err != nil || err == nil:
		case errors.Is(err, io.EOF) && (len(d.in) > 0 || d.high != 0):
			d.err = errorf(ErrCSV, "the file is UTF-16 and ends in the middle of a character, in line %d", d.line)
		default:
			d.err = err
		}
	}
	n := copy(b, d.out)
	d.out = d.out[n:]
	if n == 0 && d.err != nil {
		return 0, d.err
	}
	return n, nil
}

// convert appends bytes of the file to the text.
func (d *decoded) convert(raw []byte) error {
	if d.as == windows1252 {
		for _, c := range raw {
			r := rune(c)
			if c >= 0x80 && c < 0xa0 {
				if r = of1252[c-0x80]; r == 0 {
					return errorf(ErrCSV, "line %d has the byte 0x%02X, which Windows-1252 does not have; save the file as UTF-8", d.line, c)
				}
			}
			d.put(r)
		}
		return nil
	}
	d.in = append(d.in, raw...)
	whole := len(d.in) &^ 1
	for i := 0; i < whole; i += 2 {
		unit := rune(d.in[i]) | rune(d.in[i+1])<<8
		if d.as == utf16BE {
			unit = rune(d.in[i+1]) | rune(d.in[i])<<8
		}
		switch {
		case d.high != 0:
			r := utf16.DecodeRune(d.high, unit)
			if r == unicode.ReplacementChar {
				return d.unpaired(d.high)
			}
			d.high = 0
			d.put(r)
		case unit >= 0xd800 && unit < 0xdc00:
			d.high = unit
		case utf16.IsSurrogate(unit):
			return d.unpaired(unit)
		default:
			d.put(unit)
		}
	}
	d.in = append(d.in[:0], d.in[whole:]...)
	return nil
}

func (d *decoded) put(r rune) {
	if r == '\n' {
		d.line++
	}
	d.out = utf8.AppendRune(d.out, r)
}

func (d *decoded) unpaired(unit rune) error {
	return errorf(ErrCSV, "the file is UTF-16, and line %d has half of a character, 0x%04X; save it as UTF-8", d.line, unit)
}

// notUTF8 says that a line is not UTF-8.
type notUTF8 struct{ line int }

func (e *notUTF8) Error() string {
	return fmt.Sprintf("frames: line %d is not UTF-8; convert the file, for example with iconv -f latin1 -t utf-8", e.line)
}
func (e *notUTF8) Unwrap() error { return ErrCSV }

// recognize finds out what a file is of which a line is not UTF-8: Windows-1252, of which
// Latin-1 is a part, if no character beyond ASCII is UTF-8 and every byte has a character. It
// is nil if the file is to be read again, and otherwise why it cannot be.
func (in *csvInput) recognize(problem error) error {
	var not *notUTF8
	if !errors.As(problem, &not) {
		return problem
	}
	in.lock.Lock()
	defer in.lock.Unlock()
	switch in.encoding {
	case windows1252:
		return nil // another pass found it
	case utf8Text:
		return problem
	}
	r, err := in.open()
	if err != nil {
		return err
	}
	c, err := census(r)
	if closeErr := r.Close(); err == nil && closeErr != nil {
		err = fmt.Errorf("frames: %w", closeErr)
	}
	switch {
	case err != nil:
		return err
	case c.multi > 0:
		return errorf(ErrCSV, "line %d is not UTF-8, and line %d is; the file mixes encodings: save it as UTF-8, or if all of it is Latin-1, set CSVSettings.Encoding to windows-1252", not.line, c.multi)
	case c.zero > 0:
		return errorf(ErrCSV, "line %d is not UTF-8, and line %d has a byte of zero; if the file is UTF-16, set CSVSettings.Encoding to utf-16le or utf-16be", not.line, c.zero)
	case c.undefined > 0:
		return errorf(ErrCSV, "line %d is not UTF-8, and line %d not Windows-1252 (Latin-1) either; save the file as UTF-8", not.line, c.undefined)
	}
	in.encoding = windows1252
	in.converted = fmt.Sprintf(", since line %d is not UTF-8: it has %q", c.line, c.word)
	return nil
}

// byteCensus has lines, counted from 1, in which bytes of a kind are first met; 0 if they are
// not.
type byteCensus struct {
	line      int    // a byte that is not UTF-8
	word      string // around it, as Windows-1252
	multi     int    // a character of UTF-8 beyond ASCII
	zero      int
	undefined int // a byte that Windows-1252 does not have
}

func census(r io.Reader) (c byteCensus, err error) {
	u, err := unpack(r, utf8Text)
	if err != nil {
		return c, err
	}
	from := bufio.NewReader(u)
	var word []rune
	first := func(to *int, line int) {
		if *to == 0 {
			*to = line
		}
	}
	for line := 1; ; {
		char, size, err := from.ReadRune()
		if errors.Is(err, io.EOF) {
			return c, nil
		}
		if err != nil {
			return c, err
		}
		if char == utf8.RuneError && size == 1 {
			if err := from.UnreadRune(); err != nil {
				return c, err
			}
			b, err := from.ReadByte()
			if err != nil {
				return c, err
			}
			first(&c.line, line)
			if char = rune(b); b < 0xa0 {
				if char = of1252[b-0x80]; char == 0 {
					first(&c.undefined, line)
				}
			}
		} else if char >= utf8.RuneSelf {
			first(&c.multi, line)
		} else if char == 0 {
			first(&c.zero, line)
		}
		const longest = 40
		switch {
		case unicode.IsLetter(char) || c.line == line && char >= utf8.RuneSelf:
			if word = append(word, char); c.line > 0 && c.word == "" && len(word) > longest {
				c.word = string(word)
			}
		case c.line > 0 && c.word == "":
			c.word = string(word)
		default:
			word = word[:0]
		}
		if char == '\n' {
			line++
		}
	}
}
