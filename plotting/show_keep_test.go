package plotting

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-gota/gota/dataframe"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

// keeping makes an empty store, and returns what Keep displays.
func keeping(t *testing.T) (dir string, said func() string) {
	t.Helper()
	dir = t.TempDir()
	t.Setenv("XDG_CACHE_HOME", filepath.Join(dir, "cache"))
	t.Setenv("HOME", dir)
	sink := record(t)
	return dir, func() string {
		var b strings.Builder
		for _, put := range *sink {
			b.WriteString(put.Text + "\n")
		}
		*sink = nil
		return b.String()
	}
}

func keptFrame(t *testing.T) dataframe.DataFrame {
	t.Helper()
	df := get(frames.Frame(
		frames.Col("float", []float64{0.1, math.NaN(), math.Inf(-1), math.Copysign(0, -1)}),
		frames.Col("int", []int{math.MaxInt64, math.MinInt64, 0, -1}),
		frames.Col("bool", []bool{true, false, true, false}),
		frames.Col("text", []string{"a,b", "", "NaN", "ö\n"})))(t)
	return df
}

// TestKeepValues holds every kind of value that was kept to what was computed.
func TestKeepValues(t *testing.T) {
	dir, said := keeping(t)
	df := keptFrame(t)
	path := filepath.Join(dir, "f.csv")
	if err := frames.WriteCSV(path, df, nil); err != nil {
		t.Fatal(err)
	}
	keepTwice(t, "frame", df, func(a, b dataframe.DataFrame) bool { return sameCells(a, b) })
	csv := get(frames.ReadCSV(path, nil))(t)
	keepTwice(t, "csv", csv, func(a, b *frames.CSV) bool {
		return sameCells(a.Frame, b.Frame) && a.Report.String() == b.Report.String()
	})
	d := get(mlreg.NewDesign(mat.NewDense(4, 1, []float64{1, 2, 3, 5}), []float64{1, 3, 2, 4}, "x"))(t)
	ols := get(mlreg.FitOLS(d, nil))(t)
	keepTwice(t, "design", d, func(a, b *mlreg.Design) bool { return mat.Equal(a.X, b.X) })
	keepTwice(t, "fit", ols, func(a, b *mlreg.OLS) bool { return a.String() == b.String() })
	keepTwice(t, "number", 0.1, func(a, b float64) bool { return a == b })
	keepTwice(t, "map", map[string]int{"a": 1}, func(a, b map[string]int) bool { return a["a"] == b["a"] })
	if s := said(); s != "" {
		t.Errorf("said %q", s)
	}
}

// keepTwice computes a value once.
func keepTwice[T any](t *testing.T, name string, v T, same func(a, b T) bool) {
	t.Helper()
	computed := 0
	for range 2 {
		got, err := Keep(name, func() (T, error) { computed++; return v, nil }, df1, "level", 3)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if !same(got, v) {
			t.Errorf("%s: %v, want %v", name, got, v)
		}
	}
	if computed != 1 {
		t.Errorf("%s was computed %d times", name, computed)
	}
}

var df1 = func() dataframe.DataFrame {
	df, err := frames.Frame(frames.Col("x", []float64{1}))
	if err != nil {
		panic(err)
	}
	return df
}()

func sameCells(a, b dataframe.DataFrame) bool {
	if strings.Join(a.Names(), "|") != strings.Join(b.Names(), "|") || a.Nrow() != b.Nrow() {
		return false
	}
	for _, name := range a.Names() {
		x, y := a.Col(name), b.Col(name)
		for i := range x.Len() {
			p, q := x.Elem(i), y.Elem(i)
			if p.Type() != q.Type() || p.IsNA() != q.IsNA() || !p.IsNA() && p.String() != q.String() ||
				math.Float64bits(p.Float()) != math.Float64bits(q.Float()) {
				return false
			}
		}
	}
	return true
}

func TestKeepIsStale(t *testing.T) {
	dir, said := keeping(t)
	path := filepath.Join(dir, "data.csv")
	write := func(text string) {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	n := 0.0
	keep := func(dependencies ...any) float64 {
		v := get(Keep("n", func() (float64, error) { n++; return n, nil }, dependencies...))(t)
		return v
	}
	expect := func(got, want float64, saying string) {
		t.Helper()
		if s := said(); got != want || saying == "" && s != "" || !strings.Contains(s, saying) {
			t.Errorf("%v, want %v; said %q, want %q", got, want, s, saying)
		}
	}
	write("1")
	expect(keep(File(path), 1), 1, "")
	expect(keep(File(path), 1), 1, "")
	write("2")
	expect(keep(File(path), 1), 2, `"n" is computed again: file data.csv changed`)
	expect(keep(File(path), 1.5), 3, "dependency 2 changed")
	expect(keep(File(path), 1.5), 3, "")
	expect(keep(File(path)), 4, "its dependencies are others")
	v := get(Keep("n", func() (float64, error) { return -1, nil }, File(path)))(t)
	expect(v, -1, "the function changed")
	i := get(Keep("n", func() (int, error) { return 7, nil }, File(path)))(t)
	expect(float64(i), 7, "its type was float64 and is int")
	files, err := filepath.Glob(filepath.Join(dir, "cache", "regbook", "keep", "*", "n.kept"))
	if err != nil || len(files) != 1 {
		t.Fatalf("files %v, %v", files, err)
	}
	b := get(os.ReadFile(files[0]))(t)
	for k := 0; k < len(b); k += 3 {
		bad := append([]byte(nil), b...)
		bad[k] ^= 0x55
		if err := os.WriteFile(files[0], bad, 0o600); err != nil {
			t.Fatal(err)
		}
		if i, err := Keep("n", func() (int, error) { return 7, nil }, File(path)); err != nil || i != 7 {
			t.Fatalf("byte %d damaged: %d, %v", k, i, err)
		}
	}
	said()
	if err := Forget("n"); err != nil {
		t.Fatal(err)
	}
	expect(keep(File(path)), 5, "")
}

func TestKeepRefuses(t *testing.T) {
	dir, said := keeping(t)
	type secret struct{ hidden int }
	one := func() (int, error) { return 1, nil }
	if _, err := Keep("a/b", one); !errors.Is(err, mlreg.ErrSetting) || !strings.Contains(err.Error(), `"a/b"`) {
		t.Error(err)
	}
	if err := Forget("../x"); !errors.Is(err, mlreg.ErrSetting) {
		t.Error(err)
	}
	if _, err := Keep("x", one, map[string]int{"a": 1}); !errors.Is(err, mlreg.ErrSetting) {
		t.Error(err)
	}
	if _, err := Keep("x", one, File(filepath.Join(dir, "none"))); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	if _, err := Keep("x", one, (*mlreg.OLS)(nil)); !errors.Is(err, mlreg.ErrNoData) {
		t.Error(err)
	}
	if _, err := Keep[int]("x", nil); !errors.Is(err, mlreg.ErrNoData) {
		t.Error(err)
	}
	if _, err := Keep("x", func() (any, error) { return 1, nil }); !errors.Is(err, mlreg.ErrSetting) {
		t.Error(err)
	}
	if _, err := Keep("x", func() (secret, error) { return secret{1}, nil }); !errors.Is(err, mlreg.ErrSetting) || !strings.Contains(err.Error(), "hidden") {
		t.Error(err)
	}
	if _, err := Keep("x", func() ([]dataframe.DataFrame, error) { return nil, nil }); !errors.Is(err, mlreg.ErrSetting) {
		t.Error(err)
	}
	failed := errors.New("failed")
	if _, err := Keep("x", func() (int, error) { return 1, failed }); !errors.Is(err, failed) {
		t.Error(err)
	}
	t.Setenv("XDG_CACHE_HOME", filepath.Join(os.DevNull, "x"))
	if v, err := Keep("y", one); v != 1 || err == nil && !strings.Contains(said(), `"y" is not kept`) {
		t.Errorf("%d, %v", v, err)
	}
}

func BenchmarkKeep(b *testing.B) {
	b.Setenv("XDG_CACHE_HOME", b.TempDir())
	x := make([]float64, 100_000)
	for i := range x {
		x[i] = math.Sin(float64(i))
	}
	var columns []frames.Column
	for _, name := range strings.Split("a b c d e", " ") {
		columns = append(columns, frames.Col(name, x))
	}
	df := get(frames.Frame(columns...))(b)
	path := filepath.Join(b.TempDir(), "f.csv")
	if err := frames.WriteCSV(path, df, nil); err != nil {
		b.Fatal(err)
	}
	if err := os.Chtimes(path, time.Time{}, time.Now().Add(-time.Hour)); err != nil {
		b.Fatal(err)
	}
	read := func() (*frames.CSV, error) { return frames.ReadCSV(path, nil) }
	b.Run("ReadCSV", func(b *testing.B) {
		for range b.N {
			if _, err := read(); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("Keep", func(b *testing.B) {
		for range b.N {
			if _, err := Keep("f", read, File(path)); err != nil {
				b.Fatal(err)
			}
		}
	})
}
