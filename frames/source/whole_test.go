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
	rows := longids.Make(30_000) // of more than one piece of a file
	df := fatal.On(rows.Frame())(t)
	t.Run("frame", func(t *testing.T) { rows.Check(t, fatal.On(source.Frame(df))(t), source.Streamed) })
	path := filepath.Join(t.TempDir(), "rows.csv")
	if err := frames.WriteCSV(path, df, nil); err != nil {
		t.Fatal(err)
	}
	t.Run("CSV", func(t *testing.T) {
		rows.Check(t, fatal.On(source.CSV(path, nil))(t), source.Streamed, source.Automatic)
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
	small := longids.Make(200)
	t.Run("packed", func(t *testing.T) {
		s := fatal.On(source.CSV(path, nil))(t)
		if n := fatal.On(s.NRow(t.Context()))(t); n != 30_000 {
			t.Error(n)
		}
	})
	t.Run("few rows", func(t *testing.T) {
		small.Check(t, fatal.On(source.Frame(fatal.On(small.Frame())(t)))(t), source.Streamed)
	})
}
