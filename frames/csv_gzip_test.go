package frames

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func packed(t *testing.T, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// A packed file is read as it is unpacked; one that is cut or damaged anywhere is
// an error that says how far it could be read.
func TestReadGzip(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	var text strings.Builder
	text.WriteString("a,b\n")
	for range 5_000 {
		fmt.Fprintf(&text, "%v,%d\n", rng.NormFloat64(), rng.IntN(9))
	}
	all := packed(t, text.String())
	path := filepath.Join(t.TempDir(), "data.csv.gz")
	if err := os.WriteFile(path, all, 0o666); err != nil {
		t.Fatal(err)
	}
	got := get(ReadCSV(path, nil))(t)
	plain, err := ParseCSV(strings.NewReader(text.String()), nil)
	if err != nil || got.Frame.Nrow() != 5_000 || got.Frame.Elem(4_999, 0).Float() != plain.Frame.Elem(4_999, 0).Float() {
		t.Errorf("%v, %v", got.Report, err)
	}
	_, err = ParseCSV(bytes.NewReader(all[:len(all)/2]), nil)
	wantError(t, err, ErrCSV, "ends too early")
	var lines int
	if _, after, ok := strings.Cut(err.Error(), "after "); !ok {
		t.Errorf("%v", err)
	} else if _, err := fmt.Sscanf(after, "%d lines", &lines); err != nil || lines < 2000 || lines > 3000 {
		t.Errorf("half of the file has %d lines, %v", lines, err)
	}
	for _, cut := range []int{3, 12, len(all) - 8, len(all) - 1} {
		_, err = ParseCSV(bytes.NewReader(all[:cut]), nil)
		wantError(t, err, ErrCSV)
	}
	damaged := bytes.Clone(all)
	damaged[len(all)-6] ^= 1
	_, err = ParseCSV(bytes.NewReader(damaged), nil)
	wantError(t, err, ErrCSV, "is damaged")
}
