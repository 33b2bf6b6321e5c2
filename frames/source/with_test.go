package source

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/internal/fatal"
)

func get[T any](v T, err error) func(testing.TB) T { return fatal.On(v, err) }

const salesCSV = `city,amount,day,note
 New York,12.5,2024-01-31,<0.5
new york,7,2024-02-01,3
Zürich ,NA,2024-02-11,
N.Y.,3.25,2024-03-09,>9
,8,NA,b-2
`

// Columns of With are those of frames.With, in blocks as in a frame.
func TestWithIsThatOfFrames(t *testing.T) {
	ctx := context.Background()
	path, files := write(t, salesCSV)
	definitions := []string{"city = trimws(tolower(city))", `place = recode(city, "n.y." = "new york")`, "big = amount > 7", `size = case_when(amount > 10, "large", amount > 5, "middle", TRUE, "small")`,
		`part = strsplit(note, "-", 2)`, "month = floor_date(day, \"month\")", "late = month > \"2024-01-15\"", "label = paste(place, amount, sep = \": \")", `has = grepl("[0-9]", note)`, "k = nchar(city)", "odd = k %% 2 == 1", "dozens = amount %/% 3", "rest = -amount %% 2.5", "paid = coalesce(amount, 0)"}
	df := get(frames.ReadCSV(path, nil))(t).Frame
	want := get(frames.With(df, definitions...))(t)
	for what, s := range map[string]*Source{"file": files, "frame": get(Frame(df))(t)} {
		s = get(s.With(ctx, definitions...))(t)
		if got := get(s.Head(ctx, 10))(t); !sameFrame(got, want) {
			t.Errorf("%s: %v, frames has %v", what, got, want)
		}
		kept := get(get(s.Where(ctx, `place == "new york" & !is.na(late)`))(t).Head(ctx, 10))(t)
		if all := get(frames.Where(want, `place == "new york" & !is.na(late)`))(t); !sameFrame(kept, all) {
			t.Errorf("%s: rows %v, frames has %v", what, kept, all)
		}
		counts := get(s.GroupBy("place").Summarise(ctx, "n()", "sum(amount, na.rm = TRUE)"))(t)
		if all := get(frames.GroupBy(want, "place").Summarise("n()", "sum(amount, na.rm = TRUE)"))(t); !sameFrame(counts, all) {
			t.Errorf("%s: groups %v, frames has %v", what, counts, all)
		}
		out := filepath.Join(t.TempDir(), "out.csv")
		if err := s.WriteCSV(ctx, out, nil); err != nil {
			t.Errorf("%s: %v", what, err)
		} else if written := get(frames.ReadCSV(out, nil))(t).Frame; !slices.Equal(written.Names(), want.Names()) || written.Nrow() != want.Nrow() {
			t.Errorf("%s: written %v", what, written)
		}
	}
}

func sameFrame(a, b dataframe.DataFrame) bool {
	if !slices.Equal(a.Names(), b.Names()) || a.Nrow() != b.Nrow() {
		return false
	}
	var x, y strings.Builder
	return errors.Join(frames.FormatCSV(&x, a, nil), frames.FormatCSV(&y, b, nil)) == nil && x.String() == y.String()
}

// What looks at other rows is refused by name, before anything is read.
func TestWithRefusesByName(t *testing.T) {
	ctx := context.Background()
	s := get(Frame(get(frames.Frame(frames.Col("x", []float64{1, 2}), frames.Col("g", []string{"a", "b"})))(t)))(t)
	for src, says := range map[string]string{"y = lag(x)": "lag looks at other rows", "y = cumsum(x)": "cumsum looks at other rows", "y = row()": "row looks at other rows",
		"y = x - mean(x)": "mean", "y = tolowr(g)": "tolower", "y = z + 1": "no column \"z\""} {
		if _, err := s.With(ctx, src); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %q", src, err, says)
		}
	}
	some := get(s.Where(ctx, "x > 1"))(t)
	if _, err := some.With(ctx, "x = x + 1"); !errors.Is(err, frames.ErrSetting) {
		t.Errorf("a column of a condition is replaced: %v", err)
	}
	if _, err := get(s.By(Pushed))(t).With(ctx, "y = x + 1"); !errors.Is(err, frames.ErrSetting) {
		t.Errorf("pushed: %v", err)
	}
	if _, err := s.With(ctx); !errors.Is(err, frames.ErrSetting) {
		t.Errorf("no definition: %v", err)
	}
}
