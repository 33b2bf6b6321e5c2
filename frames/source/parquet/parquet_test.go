package parquet

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/frames/source"
	"github.com/regbook/regbook/internal/fatal"
	"github.com/regbook/regbook/internal/longids"
	"github.com/regbook/regbook/mlreg"
)

type row struct {
	Y     float64   `parquet:"y"`
	X     *float64  `parquet:"x,optional"`
	Small int32     `parquet:"small"`
	Large int64     `parquet:"large"`
	Flag  bool      `parquet:"flag"`
	Group string    `parquet:"the group,dict"`
	Day   int32     `parquet:"day,date"`
	Time  time.Time `parquet:"time,timestamp(microsecond)"`
	Price int64     `parquet:"price,decimal(2:18)"`
	Tags  []string  `parquet:"tags"`
}

// file writes rows in groups, and returns the frame that they are.
func file(t *testing.T, n int) (string, []row) {
	t.Helper()
	rnd := rand.New(rand.NewPCG(1, 2))
	rows := make([]row, n)
	for i := range rows {
		x := rnd.NormFloat64()
		rows[i] = row{Y: 1e9 + x + rnd.NormFloat64(), Small: int32(rnd.IntN(9)), Large: rnd.Int64N(1 << 40), Flag: i%3 == 0,
			Group: []string{"a", "A", "\u00e1"}[rnd.IntN(3)], Day: int32(19000 + rnd.IntN(700)), Time: time.Unix(1.7e9+int64(i), 5e8).UTC(), Price: int64(i)}
		if i%50 != 7 {
			rows[i].X = &x
		}
	}
	path := filepath.Join(t.TempDir(), "t.parquet")
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := parquet.NewGenericWriter[row](out, parquet.MaxRowsPerRowGroup(10_000), parquet.Compression(&parquet.Snappy))
	if _, err := w.Write(rows); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Close(), out.Close()); err != nil {
		t.Fatal(err)
	}
	return path, rows
}

// Integers of 16 to 19 digits are what they are, as integers and as decimals without a fraction;
// those of more than 64 bits are refused by name.
func TestLongIntegers(t *testing.T) {
	type row struct {
		ID    int64   `parquet:"id"`
		Other int64   `parquet:"other,decimal(0:18)"`
		A     int32   `parquet:"a"`
		B     int64   `parquet:"b"`
		G     string  `parquet:"g"`
		Y     float64 `parquet:"y"`
	}
	type unsigned struct {
		Code uint64 `parquet:"code"`
	}
	type wide struct {
		ID [16]byte `parquet:"id,decimal(0:38)"`
	}
	ids := longids.Make(20_000)
	rows, long := make([]row, len(ids.ID)), make([]wide, 3)
	for i := range rows {
		rows[i] = row{int64(ids.ID[i]), int64(ids.Other[i]), int32(ids.A[i]), int64(ids.B[i]), ids.G[i], ids.Y[i]}
	}
	for i := range long {
		long[i].ID[15] = byte(5 + i)
	}
	write := func(name string, write func(w *os.File) error) *source.Source {
		path := filepath.Join(t.TempDir(), name)
		out := fatal.On(os.Create(path))(t)
		if err := errors.Join(write(out), out.Close()); err != nil {
			t.Fatal(err)
		}
		return fatal.On(Open(path))(t)
	}
	s := write("ids.parquet", func(w *os.File) error { return parquet.Write(w, rows) })
	ids.Check(t, s, source.Streamed)
	s = write("codes.parquet", func(w *os.File) error {
		return parquet.Write(w, []unsigned{{math.MaxUint64}, {math.MaxUint64 - 1}, {math.MaxUint64 - 2}, {5}, {math.MaxUint64}})
	})
	if n := fatal.On(s.GroupBy().Summarise(t.Context(), "n_distinct(code)"))(t); n.Elem(0, 0).Float() != 4 {
		t.Error(n)
	}
	if _, err := s.GroupBy("code").Count(t.Context()); !errors.Is(err, frames.ErrSetting) || !strings.Contains(err.Error(), "18446744073709551615") {
		t.Error(err)
	}
	file := func(w *os.File) error { return parquet.Write(w, long) }
	if h := fatal.On(write("short.parquet", file).Head(t.Context(), 3))(t); h.Elem(2, 0).Float() != 7 {
		t.Error(h)
	}
	long[2].ID[4] = 1
	if _, err := write("wide.parquet", file).Head(t.Context(), 3); !errors.Is(err, ErrParquet) || !strings.Contains(err.Error(), `column "id"`) || !strings.Contains(err.Error(), "64 bits") {
		t.Error(err)
	}
}

// A file gives the moments of the frame that has its rows.
func TestParquetIsItsFrame(t *testing.T) {
	const n = 25_000
	path, rows := file(t, n)
	y, x, small, price := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	flag, group, day := make([]bool, n), make([]string, n), make([]string, n)
	for i, r := range rows {
		y[i], small[i], price[i], flag[i], group[i] = r.Y, float64(r.Small), float64(r.Price)/100, r.Flag, r.Group
		day[i] = time.Unix(int64(r.Day)*86400, 0).UTC().Format("2006-01-02")
		x[i] = math.NaN()
		if r.X != nil {
			x[i] = *r.X
		}
	}
	df, err := frames.Frame(frames.Col("y", y), frames.Col("x", x), frames.Col("small", small), frames.Col("price", price), frames.Col("flag", flag), frames.Col("the group", group), frames.Col("day", day))
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	s, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, formula := range []string{"y ~ x", "y ~ x*`the group` + flag", "y ~ factor(small) + price", "y ~ poly(day, 2) + factor(month(day))"} {
		want, err := frames.Design(df, formula)
		if err != nil {
			t.Fatal(err)
		}
		a, err := want.Moments()
		if err != nil {
			t.Fatal(err)
		}
		d, err := s.Design(ctx, formula)
		if err != nil {
			t.Fatal(err)
		}
		b, err := d.Moments()
		if err != nil {
			t.Fatal(err)
		}
		if a.NObs() != b.NObs() || fmt.Sprint(a.Terms()) != fmt.Sprint(b.Terms()) {
			t.Errorf("%s: %d rows of %q, want %d of %q", formula, b.NObs(), b.Terms(), a.NObs(), a.Terms())
			continue
		}
		for j := range a.Terms() {
			unit := math.Sqrt(a.SXX().At(j, j) * a.SYY())
			if u, v := a.SXY()[j], b.SXY()[j]; math.Abs(u-v) > 1e-12*unit {
				t.Errorf("%s: SXY of %s is %v, want %v", formula, a.Terms()[j], v, u)
			}
		}
		if frames.TermsOf(want).String() != d.Terms().String() {
			t.Errorf("%s: %s", formula, d.Terms())
		}
	}
	head, err := s.Head(ctx, 3)
	if err != nil || head.Col("time").Records()[1] != "2023-11-14 22:13:21.5" {
		t.Errorf("%v, %v", head, err)
	}
	if names, err := s.Names(ctx); err != nil || strings.Contains(strings.Join(names, " "), "tags") {
		t.Errorf("%q, %v", names, err)
	}
	// a file that is cut, written anew, or no Parquet at all
	d, err := s.Design(ctx, "y ~ `the group`")
	if err != nil {
		t.Fatal(err)
	}
	all, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, all, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Head(ctx, 1); !errors.Is(err, source.ErrChanged) {
		t.Errorf("a file that was written since it was opened: %v", err)
	}
	if _, err := d.Moments(); !errors.Is(err, source.ErrChanged) {
		t.Errorf("a file written anew: %v", err)
	}
	for _, cut := range []int{0, 3, len(all) / 2, len(all) - 1} {
		if err := os.WriteFile(path, all[:cut], 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(path); !errors.Is(err, ErrParquet) {
			t.Errorf("a file of %d bytes of %d: %v", cut, len(all), err)
		}
	}
	damaged := append([]byte{}, all...)
	for i := len(all) / 4; i < len(all)/4+4000; i++ {
		damaged[i] ^= 0x5a
	}
	if err := os.WriteFile(path, damaged, 0o600); err != nil {
		t.Fatal(err)
	}
	if s, err = Open(path); err == nil {
		_, err = s.Describe(ctx)
	}
	if !errors.Is(err, ErrParquet) {
		t.Errorf("a damaged file: %v", err)
	}
}

// A panic of the caller's function is the caller's, not the file's.
func TestPanicOfEachBlock(t *testing.T) {
	path, _ := file(t, 30_000)
	s, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	d, err := s.Design(context.Background(), "y ~ small")
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if got := recover(); got != "mine" {
			t.Errorf("recovered %v, error %v", got, err)
		}
	}()
	err = d.EachBlock(func(*mlreg.Design) error { panic("mine") })
}
