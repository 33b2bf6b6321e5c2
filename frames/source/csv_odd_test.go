package source

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/go-gota/gota/series"

	"github.com/regbook/regbook/frames"
)

// inUTF16 writes a text in UTF-16.
func inUTF16(text string, bigEndian bool) string {
	var b bytes.Buffer
	for _, u := range utf16.Encode([]rune(text)) {
		low, high := byte(u), byte(u>>8)
		if bigEndian {
			low, high = high, low
		}
		b.Write([]byte{low, high})
	}
	return b.String()
}

// oddFiles are files as programs and people write them.
func oddFiles() map[string]string {
	const plain = "a,b\n1,x\n2,y\n"
	many := strings.Repeat("1,x\n", 300_000) // in several pieces
	return map[string]string{
		"plain":                               plain,
		"UTF-16, little endian":               "\xff\xfe" + inUTF16(plain, false),
		"UTF-16, big endian":                  "\xfe\xff" + inUTF16(plain, true),
		"UTF-16 without a mark":               inUTF16(plain, false),
		"UTF-16 beyond 16 bits":               "\xff\xfe" + inUTF16("a,b\n1,\U0001f600\n", false),
		"UTF-16 cut in a character":           "\xff\xfe" + inUTF16(plain, false) + "3",
		"UTF-16 with half of a pair":          "\xff\xfea\x00\n\x00\x00\xd8\n\x00",
		"UTF-32":                              "\xff\xfe\x00\x00a\x00\x00\x00",
		"Windows-1252":                        "a,b\n1,Gr\xf6\xdfe\n2,5 \x80\n",
		"Windows-1252, late":                  "a,b\n" + many + "2,Gr\xf6\xdfe\n",
		"a byte of none of them":              "a,b\n1,\x81\n",
		"UTF-8 and Windows-1252":              "a,b\n1,\u00e9\n2,\xe9\n",
		"byte order mark":                     "\ufeff" + plain,
		"byte order mark, quoted":             "\ufeff\"a\",\"b\"\n1,x\n",
		"byte order mark alone":               "\ufeff",
		"CR only":                             "a,b\r1,x\r2,y\r",
		"CR LF":                               "a,b\r\n1,x\r\n2,y\r\n",
		"CR LF and LF":                        "a,b\r\n1,x\n2,y\r\n",
		"CR CR LF":                            "a,b\r\r\n1,x\r\r\n",
		"blank first line":                    "\n" + plain,
		"blanks first":                        "  \n" + plain,
		"many blanks beyond ASCII first":      strings.Repeat("\u00a0\n", 1<<19) + plain,
		"a long blank line first":             strings.Repeat(" ", 1<<21) + "\n" + plain,
		"a blank beyond ASCII first":          "\u00a0\n" + plain,
		"no-break space in Windows-1252":      "\xa0\n" + plain,
		"blank lines, then semicolons":        " \n\u3000\na;b\n1;x\n",
		"blank lines only":                    "\n \n\u00a0\n",
		"quoted blank first":                  "\" \"\n" + plain,
		"a line of delimiters first":          ",\n" + plain,
		"quoted line ends":                    "a,\"b\nc\"\n1,\"x\ny\"\n2,\"\r\n\"\n",
		"quoted line ends after a blank line": "\u00a0\n\"a\n\",b\n\n1,x\n\" \n \",z\n",
		"a quoted line end alone":             "a,b\n\"\n\"\n1,x\n",
		"a quote that stays open":             "a,b\n1,\"x\n2,y\n",
		"a quote inside a cell":               "a,b\n1,x\"y\n",
		"more cells":                          "a,b\n1,x,2\n",
		"fewer cells":                         "a,b\n1\n",
		"fewer cells, late":                   "a,b\n" + many + "1\n",
		"a header alone":                      "a,b\n",
		"empty":                               "",
		"names twice and none":                "a,a,\n1,2,3\n",
		"NUL":                                 "a,b\n1,x\x00y\n",
		"no line end at the end":              "a,b\n1,x",
		"numbers, then text":                  "a,b\n" + many + "z,y\n",
		"one column":                          "a\n1\n\n2\n \n3\n",
		"damaged gzip":                        "\x1f\x8b\x08",
	}
}

// An odd file gives one frame or one error, read at once or by passes.
func TestOddFilesAreReadAlike(t *testing.T) {
	for name, text := range oddFiles() {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "odd.csv")
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			want, wantErr := frames.ReadCSV(path, nil)
			ctx := context.Background()
			s, err := CSV(path, nil)
			if err == nil {
				_, err = s.Describe(ctx)
			}
			if wantErr != nil || err != nil {
				if wantErr == nil || err == nil || withoutName(err) != withoutName(wantErr) {
					t.Fatalf("by passes: %v\nat once:   %v", err, wantErr)
				}
				return
			}
			n := want.Frame.Nrow()
			if strings.Contains(name, "blank") && strings.HasSuffix(name, "first") && (n > 2 || !slices.Equal(want.Frame.Names(), []string{"a", "b"})) {
				t.Errorf("%d rows of %q", n, want.Frame.Names())
			}
			got, err := s.Head(ctx, n+1)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got.Names(), want.Frame.Names()) || got.Nrow() != n {
				t.Fatalf("by passes: %d rows of %q\nat once:   %d of %q", got.Nrow(), got.Names(), n, want.Frame.Names())
			}
			for _, column := range got.Names() {
				a, b := got.Col(column), want.Frame.Col(column)
				if b.Type() == series.Int { // passes have numbers as float64
					b = series.New(b.Float(), series.Float, column)
				}
				if a.Type() != b.Type() || !slices.Equal(a.Records(), b.Records()) || !slices.Equal(a.IsNaN(), b.IsNaN()) {
					t.Errorf("column %q differs: %v and %v", column, a.Type(), b.Type())
				}
			}
			if said := strings.Join(want.Report.Repairs, "\n"); strings.Contains(said, "converted") != strings.Contains(s.String(), "converted") {
				t.Errorf("%s\nat once: %s", s, said)
			}
		})
	}
}

// withoutName is the text of an error without the name of the file.
func withoutName(err error) string {
	_, text, _ := strings.Cut(err.Error(), "frames: ")
	return text
}
