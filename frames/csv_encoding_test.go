package frames

import (
	"bytes"
	"compress/gzip"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/regbook/regbook/frames/internal/table"
)

// written writes a text in an encoding, UTF-16 with a byte order mark or without.
func writtenIn(t *testing.T, text string, e encoding, mark bool) []byte {
	t.Helper()
	var out []byte
	switch e {
	case utf8Text:
		return []byte(text)
	case windows1252:
		for _, r := range text {
			k := slices.Index(of1252[:], r)
			switch {
			case k >= 0 && r != 0:
				out = append(out, byte(0x80+k))
			case r < 0x80 || r >= 0xa0 && r < 0x100:
				out = append(out, byte(r))
			default:
				t.Fatalf("Windows-1252 has no %q", r)
			}
		}
		return out
	}
	if mark {
		text = "\ufeff" + text
	}
	for _, u := range utf16.Encode([]rune(text)) {
		if e == utf16LE {
			out = append(out, byte(u), byte(u>>8))
		} else {
			out = append(out, byte(u>>8), byte(u))
		}
	}
	return out
}

// The table is that of Python:
// python3 -c "print(bytes(range(128, 160)).decode('cp1252', 'replace'))"
func TestWindows1252(t *testing.T) {
	const python = "€�‚ƒ„…†‡ˆ‰Š‹Œ�Ž��‘’“”•–—˜™š›œ�žŸ"
	for k, want := range []rune(python) {
		if want == utf8.RuneError {
			want = 0
		}
		if of1252[k] != want {
			t.Errorf("0x%X is %q, want %q", 0x80+k, of1252[k], want)
		}
	}
}

// A file in any of these encodings is the table that it is in UTF-8, in memory and in blocks,
// packed or not, wherever the first character beyond ASCII is, and the report says so.
func TestEncodings(t *testing.T) {
	for _, c := range []struct {
		rows int // of plain text first
		text string
	}{
		{0, "Größe;name;y\n1,5;Müller;1\n2;José “x” 5 €;2\n"},
		{3000, "zz;Ärger;1\n3;œuvre;2\n"},
		{100_000, "zz;Ärger;1\n"}, // in another piece
	} {
		text := c.text
		if c.rows > 0 {
			text = "size;name;y\n" + strings.Repeat("1,5;plain;3\n", c.rows) + text
		}
		want := get(ParseCSV(strings.NewReader(text), &CSVSettings{Decimal: ','}))(t)
		for _, e := range []encoding{utf16LE, utf16BE, windows1252} {
			for _, mark := range []bool{true, false} {
				for _, packed := range []bool{true, false} {
					if c.rows > 10_000 && (testing.Short() || e != windows1252 || mark || packed) {
						continue // TestPiecesAreTheTable reads pieces with the race detector
					}
					file := writtenIn(t, text, e, mark)
					if packed {
						var b bytes.Buffer
						w := gzip.NewWriter(&b)
						if _, err := w.Write(file); err != nil {
							t.Fatal(err)
						}
						if err := w.Close(); err != nil {
							t.Fatal(err)
						}
						file = b.Bytes()
					}
					path := filepath.Join(t.TempDir(), "data.csv")
					if err := os.WriteFile(path, file, 0o600); err != nil {
						t.Fatal(err)
					}
					sameInEncoding(t, path, e, want)
				}
			}
		}
	}
}

func sameInEncoding(t *testing.T, path string, e encoding, want *CSV) {
	t.Helper()
	for _, set := range []string{"", string(e)} {
		settings := &CSVSettings{Decimal: ',', Encoding: set}
		got := get(ReadCSV(path, settings))(t)
		if !slices.Equal(got.Frame.Names(), want.Frame.Names()) {
			t.Fatalf("%s: columns %q, want %q", e, got.Frame.Names(), want.Frame.Names())
		}
		for j, name := range want.Frame.Names() {
			if !slices.Equal(got.Frame.Col(name).Records(), want.Frame.Col(name).Records()) {
				t.Errorf("%s: column %s differs", e, name)
			}
			if g, w := got.Report.Columns[j], want.Report.Columns[j]; g.Note != w.Note || g.Type != w.Type {
				t.Errorf("%s: column %s is %v, %q; want %v, %q", e, name, g.Type, g.Note, w.Type, w.Note)
			}
		}
		if len(got.Report.Repairs) == 0 || !strings.HasPrefix(got.Report.Repairs[0], e.report()) {
			t.Errorf("%s: the report says %q", e, got.Report.Repairs)
		}
		if e == windows1252 && set == "" && !strings.Contains(got.Report.Repairs[0], "is not UTF-8: it has ") {
			t.Errorf("the report says %q", got.Report.Repairs)
		}
		blocks := get(newCSVReader(path, settings))(t)
		var names []string
		var err error
		for range 5 { // until types and encoding are known
			names = nil
			_, err = blocks.Scan(context.Background(), []string{want.Frame.Names()[1]}, func(b *table.Block) (any, error) {
				return slices.Clone(b.Columns[0].Text), nil
			}, func(r any) error {
				names = append(names, r.([]string)...)
				return nil
			})
			if err != table.ErrTypes {
				break
			}
		}
		if err != nil || !slices.Equal(names, want.Frame.Col(want.Frame.Names()[1]).Records()) {
			t.Errorf("%s: blocks have other texts: %v", e, err)
		}
		if !strings.HasPrefix(blocks.Converted(), e.report()) {
			t.Errorf("%s: blocks say %q", e, blocks.Converted())
		}
	}
}

// The report has the first word that is not UTF-8, with its line.
func TestFirstWordThatIsNotUTF8(t *testing.T) {
	c := get(ParseCSV(strings.NewReader("name,y\nplain,1\nRen\xe9 M\xfcller,2\n"), nil))(t)
	if want := []string{`converted from Windows-1252 (Latin-1), since line 3 is not UTF-8: it has "René"`}; !slices.Equal(c.Report.Repairs, want) {
		t.Errorf("%q, want %q", c.Report.Repairs, want)
	}
	if got := c.Frame.Col("name").Records()[1]; got != "René Müller" {
		t.Error(got)
	}
}

// Any bytes, in pieces of any size, are an error or valid UTF-8, the same in one read and in
// many.
func FuzzEncodings(f *testing.F) {
	for _, text := range []string{"a,b\n1,\xe4\n", "\xff\xfea\x00\n\x001\x00\n\x00", "\xfe\xff\x00a\x00\n\x00\xe4", "a\x00,\x00b\x00", "\xff\xfe\x00\xd8\x00\xdc", "\xff\xfe\x00\x00", "\xef\xbb\xbfa\n\xe4", "a\n\x81\n", ""} {
		f.Add([]byte(text), "", uint8(1))
		f.Add([]byte(text), "latin1", uint8(2))
		f.Add([]byte(text), "utf-16le", uint8(3))
	}
	const longest = 1 << 12 // a file packed by gzip has up to a thousand times as much
	f.Fuzz(func(t *testing.T, file []byte, set string, size uint8) {
		if len(file) > longest {
			return
		}
		c, err := ParseCSV(bytes.NewReader(file), &CSVSettings{Encoding: set})
		in, wrong := (&CSVSettings{Encoding: set}).withDefaults()
		if wrong != nil {
			if err == nil {
				t.Fatal(wrong)
			}
			return
		}
		open, _ := reopener(bytes.NewReader(file))
		parts := newCSVInput(open, in)
		parts.size = int(size) + 1
		other, otherErr := readPieces(parts, nil)
		if (err == nil) != (otherErr == nil) {
			t.Fatalf("%v, in pieces of %d bytes %v", err, parts.size, otherErr)
		}
		if err != nil {
			return
		}
		if !slices.Equal(c.Report.Repairs, other.Report.Repairs) {
			t.Fatalf("%q, in pieces %q", c.Report.Repairs, other.Report.Repairs)
		}
		in1, in2 := c.Frame.Records(), other.Frame.Records()
		for j, row := range in1 {
			for k, cell := range row {
				if !utf8.ValidString(cell) || in2[j][k] != cell {
					t.Fatalf("cell %q, in pieces %q", cell, in2[j][k])
				}
			}
		}
	})
}
