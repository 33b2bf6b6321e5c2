package source_test

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"testing"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/frames/source"
	"github.com/regbook/regbook/internal/fatal"
	"github.com/regbook/regbook/internal/longids"
)

// Sources of a frame and of files find integers of 16 to 19 digits as they are. Databases,
// Parquet and DuckDB's files are held to the same by the tests of their modules.
func TestLongIntegers(t *testing.T) {
	n, routes := 30_000, []source.Route{source.Streamed, source.Automatic} // rows of more than one piece of a file
	if testing.Short() {                                                   // TestCSVIsItsFrame reads pieces, and so by either route
		n, routes = 200, routes[:1]
	}
	rows := longids.Make(n)
	df := fatal.On(rows.Frame())(t)
	t.Run("frame", func(t *testing.T) {
		if !testing.Short() {
			rows.Check(t, fatal.On(source.Frame(df))(t), source.Streamed)
		}
	})
	path := filepath.Join(t.TempDir(), "rows.csv")
	if err := frames.WriteCSV(path, df, nil); err != nil {
		t.Fatal(err)
	}
	t.Run("CSV", func(t *testing.T) {
		rows.Check(t, fatal.On(source.CSV(path, nil))(t), routes...)
	})
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	text := fatal.On(os.ReadFile(path))(t)
	if _, err := z.Write(text); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, packed.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Run("packed", func(t *testing.T) {
		s := fatal.On(source.CSV(path, nil))(t)
		if got := fatal.On(s.NRow(t.Context()))(t); got != n {
			t.Error(got)
		}
	})
	small := longids.Make(200)
	t.Run("few rows", func(t *testing.T) {
		small.Check(t, fatal.On(source.Frame(fatal.On(small.Frame())(t)))(t), source.Streamed)
	})
}
