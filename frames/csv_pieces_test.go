package frames

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

// readInPieces reads a text by pieces of the given size; kept columns are not read as
// numbers while they are cut.
func readInPieces(text string, settings *CSVSettings, size int, kept bool) (*CSV, error) {
	s, err := settings.withDefaults()
	if err != nil {
		return nil, err
	}
	in := newCSVInput(func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil }, s)
	in.size = size
	return readPieces(in, func(int) bool { return kept })
}

// sameCSV compares frames and reports.
func sameCSV(t *testing.T, text string, got, want *CSV) {
	t.Helper()
	if !reflect.DeepEqual(got.Report, want.Report) {
		t.Fatalf("%q: report\n%+v\nwant\n%+v", text, got.Report, want.Report)
	}
	for _, name := range want.Frame.Names() {
		a, b := got.Frame.Col(name), want.Frame.Col(name)
		if a.Type() != b.Type() || !reflect.DeepEqual(a.Records(), b.Records()) || !reflect.DeepEqual(a.IsNaN(), b.IsNaN()) {
			t.Fatalf("%q: column %q is %v of type %s, want %v of %s", text, name, a.Records(), a.Type(), b.Records(), b.Type())
		}
		for i := range a.Len() {
			if x, y := a.Elem(i).Float(), b.Elem(i).Float(); x != y && !(x != x && y != y) {
				t.Fatalf("%q: column %q has %v in row %d, want %v", text, name, x, i+1, y)
			}
		}
	}
}

// likeWhole checks that a table is the same whatever the pieces are in which it is read,
// and whether numbers are read while it is cut or afterwards.
func likeWhole(t *testing.T, text string, settings *CSVSettings) {
	t.Helper()
	want, wantErr := readInPieces(text, settings, 1<<12, true)
	for _, size := range []int{1, 7, 64, 1 << 12} {
		for _, kept := range []bool{false, true} {
			got, err := readInPieces(text, settings, size, kept)
			switch {
			case (err == nil) != (wantErr == nil):
				t.Fatalf("%q by %d bytes: %v, want %v", text, size, err, wantErr)
			case err == nil:
				sameCSV(t, text, got, want)
			}
		}
	}
}

// randomTable writes a table of cells that are read in different ways.
func randomTable(rnd *rand.Rand) string {
	kinds := [][]string{
		{"1", "-7", "+3", "007", "12345678901234567", "9223372036854775807", "0", "-0", "99999999999999999999"},
		{"1.5", "-2e-3", ".5", "5.", "Inf", "1e999", "0.1", "123456789.123456789", "1E5", "0.30000000000000004", "1e-400"},
		{"", "NA", " NA ", "\" NA \"", "\"NA\"", ".", "?", "NaN", "\"\""},
		{"true", "FALSE", "True", "\"true\""},
		{"a", "A", "\u00e1", "\" a\"", "x y", "\"say \"\"hi\"\"\"", "\"two\nlines\"", "\"a,b\"", "2,5"},
		{"2024-03-01", "1/2/2024", "31/1/2024", "1/31/2024", "2024-03-01 10:00", "2023-02-30"},
		{" 1 ", "\t2", "\"3\"", "\" 4 \"", "1_000", "0x10", "1;5"},
	}
	columns := 1 + rnd.IntN(3)
	mix := make([][]string, columns)
	for j := range mix {
		for range 1 + rnd.IntN(3) {
			mix[j] = append(mix[j], kinds[rnd.IntN(len(kinds))]...)
		}
	}
	var b strings.Builder
	if rnd.IntN(4) == 0 {
		b.WriteString("\ufeff")
	}
	for j := range columns {
		if j > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "c%d", j)
	}
	b.WriteByte('\n')
	for range rnd.IntN(12) {
		if rnd.IntN(8) == 0 {
			b.WriteString([]string{"\n", "  \n", "\r\n", "\"\"\n", "# \"\n"}[rnd.IntN(5)])
		}
		for j := range columns {
			if j > 0 {
				b.WriteByte(',')
			}
			b.WriteString(mix[j][rnd.IntN(len(mix[j]))])
		}
		b.WriteString([]string{"\n", "\r\n"}[rnd.IntN(2)])
	}
	return b.String()
}

func TestPiecesAreTheTable(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	for range 200 {
		text := randomTable(rnd)
		likeWhole(t, text, nil)
		likeWhole(t, text, &CSVSettings{Comment: '#', NA: []string{"1", "NA", ""}})
		if rnd.IntN(3) == 0 { // any bytes
			b := []byte(text)
			for range 3 {
				b[rnd.IntN(len(b))] = "\",\n\r x1"[rnd.IntN(7)]
			}
			likeWhole(t, string(b), nil)
		}
	}
}

// What is a blank line does not depend on the piece that it is in: one cell of blanks, of ASCII or
// beyond, on one line, before the delimiter is known and after.
func TestBlankLinesArePieces(t *testing.T) {
	long := strings.Repeat(" ", 5000)
	for _, blank := range []string{"\u00a0", "\u3000 ", "\u0085", "\" \"", "\"\u2003\"", "\t\t", " \t\"\"", "\v", "\r ", long, "\"" + long + "\""} {
		for _, text := range []string{"a,b\n1,2\n3,4\n", "a;b\n1;2\n3;4\n", "a\n1\n3\n"} {
			likeWhole(t, blank+"\n"+text, nil)
			likeWhole(t, blank+"\r\n"+blank+"\n"+text, nil)
			if got, want := parse(t, blank+"\n"+text, nil), parse(t, text, nil); !reflect.DeepEqual(got.Frame.Records(), want.Frame.Records()) && blank != "\t\t" {
				t.Errorf("%.20q first: %v, want %v", blank, got.Frame.Records(), want.Frame.Records())
			}
			first, rest, _ := strings.Cut(text, "\n")
			likeWhole(t, first+"\n"+blank+"\n"+rest, nil)
		}
	}
	for _, text := range []string{"\"\n\"\na,b\n1,2\n", "a,b\n\" \n \"\n1,2\n", "\u00a0", " \n\u00a0\n", "\t\t\n1\t2\t3\n", "\"\"\"\"\na\n1\n"} {
		likeWhole(t, text, nil)
	}
}

// The rows that a cutter counts are those that are read, so that errors name them.
func TestPiecesKnowTheirRows(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 8))
	for range 500 {
		text := randomTable(rnd)
		s := get((*CSVSettings)(nil).withDefaults())(t)
		in := newCSVInput(func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil }, s)
		in.size = 16
		var columns []csvColumn
		if err := in.begin(func(p *piece) (err error) { columns, _, err = in.keep(p); return err }); err != nil {
			continue
		}
		rows := 0
		end, err := in.pass(context.Background(), func(p *piece) error {
			if p.first != rows {
				return fmt.Errorf("a piece starts after %d rows, not %d", p.first, rows)
			}
			got, err := in.parse(p, columns, false)
			if err == nil {
				rows += got.rows
			}
			return err
		})
		if err == nil && end.rows != rows {
			err = fmt.Errorf("%d rows were counted, %d read", end.rows, rows)
		}
		if err != nil && !strings.Contains(err.Error(), "line ") {
			t.Fatalf("%q: %v", text, err)
		}
	}
}

// A number is read as strconv reads it.
func TestPlainNumbers(t *testing.T) {
	rnd := rand.New(rand.NewPCG(9, 10))
	for range 200_000 {
		var b bytes.Buffer
		if rnd.IntN(3) == 0 {
			b.WriteByte('-')
		}
		for range 1 + rnd.IntN(19) {
			b.WriteByte(byte('0' + rnd.IntN(10)))
		}
		if rnd.IntN(2) == 0 {
			b.WriteByte('.')
			for range rnd.IntN(20) {
				b.WriteByte(byte('0' + rnd.IntN(10)))
			}
		}
		if rnd.IntN(4) == 0 {
			fmt.Fprintf(&b, "e%d", rnd.IntN(700)-350)
		}
		got, kind := plainNumber(b.String())
		want, ok := dotted.number(b.String())
		if kind != notPlain && (!ok || got != want) {
			t.Fatalf("%s is %v, want %v", b.String(), got, want)
		}
	}
}

func FuzzPieces(f *testing.F) {
	rnd := rand.New(rand.NewPCG(11, 12))
	for range 20 {
		f.Add(randomTable(rnd))
	}
	f.Fuzz(func(t *testing.T, text string) { likeWhole(t, text, nil) })
}
