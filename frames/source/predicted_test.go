package source

import (
	"bytes"
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-gota/gota/series"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/frames/internal/table"
	"github.com/regbook/regbook/mlreg"
)

// A column of predictions has those of frames.Predict, and is used as any other.
func TestWithPredictions(t *testing.T) {
	df := nasty(t, blockRows+1000)
	d, err := frames.Design(df, "y ~ poly(b, 2)*flag + `the group`")
	if err != nil {
		t.Fatal(err)
	}
	fit, err := mlreg.FitOLS(d, nil)
	if err != nil {
		t.Fatal(err)
	}
	want, err := frames.Predict(fit, df)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Frame(df)
	if err != nil {
		t.Fatal(err)
	}
	p, err := s.WithPredictions(ctx, fit, "the \"p\"")
	if err != nil {
		t.Fatal(err)
	}
	got, err := p.Head(ctx, df.Nrow())
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range got.Col("the \"p\"").Float() {
		if v != want[i] && !(v != v && want[i] != want[i]) {
			t.Fatalf("row %d: %v, want %v", i+1, v, want[i])
		}
	}
	some, err := p.Where(ctx, "`the \"p\"` > 5 & count > 3")
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for i, v := range df.Col("count").Float() {
		if v > 3 && want[i] > 5 {
			rows++
		}
	}
	if n, err := some.NRow(ctx); err != nil || n != rows || n == 0 {
		t.Errorf("%d rows, want %d: %v", n, rows, err)
	}
	// a design of the predictions, and predictions of predictions
	again, err := p.Design(ctx, "y ~ `the \"p\"` + b")
	if err != nil {
		t.Fatal(err)
	}
	second, err := mlreg.FitOLS(again, nil)
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(second.Slopes()[0]-1) > 1e-6 || math.Abs(second.Slopes()[1]) > 1e-6 { // what least squares leaves is orthogonal to them
		t.Errorf("slopes %v", second.Slopes())
	}
	twice, err := p.WithPredictions(ctx, second, "q")
	if err != nil {
		t.Fatal(err)
	}
	both, err := twice.Head(ctx, 100)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range both.Col("q").Float() {
		if w := want[i]; !(math.Abs(v-w) < 1e-6) && (v == v || w == w) {
			t.Errorf("row %d: %v of %v", i+1, v, w)
		}
	}

	// Bad input.
	_, err = p.WithPredictions(ctx, fit, "b")
	wantError(t, err, frames.ErrSetting, `"b" already`)
	_, err = p.WithPredictions(ctx, fit, "")
	wantError(t, err, frames.ErrSetting, "empty")
	_, err = p.WithPredictions(ctx, nil, "z")
	wantError(t, err, frames.ErrSetting)
	_, err = p.WithPredictions(ctx, (*mlreg.OLS)(nil), "z")
	wantError(t, err, frames.ErrNoRows, "nil")
	_, err = p.CreateTable(ctx, "t", nil)
	wantError(t, err, frames.ErrSetting, "WriteCSV")
	_, err = p.SQL()
	wantError(t, err, frames.ErrSetting, "no table of a database")
	pushed, err := s.By(Pushed)
	if err != nil {
		t.Fatal(err)
	}
	_, err = pushed.WithPredictions(ctx, fit, "z")
	wantError(t, err, frames.ErrSetting, "cannot be pushed down")
	other, err := frames.With(df, "`the group` = \"new\"")
	if err != nil {
		t.Fatal(err)
	}
	strange, err := Frame(other)
	if err != nil {
		t.Fatal(err)
	}
	if strange, err = strange.WithPredictions(ctx, fit, "z"); err != nil {
		t.Fatal(err)
	}
	_, err = strange.Head(ctx, 5)
	wantError(t, err, frames.ErrLevel, "new", "row 1")
}

// touching is a fit that stamps a file as written whenever it predicts.
type touching struct {
	*mlreg.OLS
	file string
}

func (f touching) Predict(d *mlreg.Design) ([]float64, error) {
	if err := os.Chtimes(f.file, time.Time{}, time.Now().Add(time.Hour)); err != nil {
		return nil, err
	}
	return f.OLS.Predict(d)
}

// A file of predictions reads back as the frame with them; one that fails leaves what was
// there.
func TestWriteCSV(t *testing.T) {
	df := nastyFile(t)
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in.csv"), filepath.Join(dir, "out.csv")
	if err := frames.WriteCSV(in, df, nil); err != nil {
		t.Fatal(err)
	}
	s, err := CSV(in, nil)
	if err != nil {
		t.Fatal(err)
	}
	d, err := s.Design(ctx, "y ~ b + flag + `the group`")
	if err != nil {
		t.Fatal(err)
	}
	fit, err := mlreg.FitOLS(d, nil)
	if err != nil {
		t.Fatal(err)
	}
	p, err := s.WithPredictions(ctx, fit, "p")
	if err != nil {
		t.Fatal(err)
	}
	if err := p.WriteCSV(ctx, out, nil); err != nil {
		t.Fatal(err)
	}
	file, err := frames.ReadCSV(out, nil)
	if err != nil {
		t.Fatal(err)
	}
	values, err := frames.Predict(fit, df)
	if err != nil {
		t.Fatal(err)
	}
	want := df.Mutate(series.New(values, series.Float, "p")) // w has whole numbers only, and stays one of floats
	var a, b bytes.Buffer
	if err := errors.Join(frames.FormatCSV(&a, file.Frame, nil), frames.FormatCSV(&b, want, nil)); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(file.Frame.Types(), want.Types()) || a.String() != b.String() {
		t.Errorf("the file is another: %v, want %v", file.Frame.Types(), want.Types())
	}

	before, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	// a file that others write during the last block
	touched, err := s.WithPredictions(ctx, touching{fit, in}, "p")
	if err != nil {
		t.Fatal(err)
	}
	wantError(t, touched.WriteCSV(ctx, out, nil), ErrChanged, "open it again")
	if got, err := os.ReadFile(out); err != nil || !bytes.Equal(got, before) {
		t.Errorf("rows of a file that changed were written: %v", err)
	}
	if s, err = CSV(in, nil); err != nil {
		t.Fatal(err)
	}
	if p, err = s.WithPredictions(ctx, fit, "p"); err != nil {
		t.Fatal(err)
	}
	// the file that is read
	if err := p.WriteCSV(ctx, in, nil); err != nil {
		t.Error(err)
	}
	if got, err := os.ReadFile(in); err != nil || !bytes.Equal(got, before) {
		t.Errorf("the source's own file has %d bytes, want %d: %v", len(got), len(before), err)
	}
	_, err = p.Head(ctx, 1)
	wantError(t, err, ErrChanged, "open it again")
	wantError(t, p.WriteCSV(ctx, in, nil), ErrChanged, "open it again")
	// a level that the fit does not know, in the last row
	groups := df.Col("the group").Records()
	groups[len(groups)-1] = "новый"
	bad := filepath.Join(dir, "bad.csv")
	if err := frames.WriteCSV(bad, df.Mutate(series.New(groups, series.String, "the group")), nil); err != nil {
		t.Fatal(err)
	}
	if s, err = CSV(bad, nil); err != nil {
		t.Fatal(err)
	}
	if p, err = s.WithPredictions(ctx, fit, "p"); err != nil {
		t.Fatal(err)
	}
	err = p.WriteCSV(ctx, out, nil)
	wantError(t, err, frames.ErrLevel, "новый", fmt.Sprint("row ", len(groups)))
	after, err := os.ReadFile(out)
	if err != nil || !bytes.Equal(before, after) {
		t.Errorf("a file that failed is not as it was: %v", err)
	}
	if left, err := filepath.Glob(filepath.Join(dir, ".*.part")); err != nil || len(left) > 0 {
		t.Errorf("left %q: %v", left, err)
	}
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	if err := p.WriteCSV(cancelled, out, nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	wantError(t, p.WriteCSV(ctx, "", nil), frames.ErrSetting, "empty")
	wantError(t, p.WriteCSV(ctx, out, &frames.WriteCSVSettings{Delimiter: '"'}), frames.ErrSetting, "Delimiter")
	// whole numbers beyond 2^53, and those that were rounded when they were read
	for text, says := range map[string]string{
		"id,x\n1,2\n9007199254740993,3\n-9223372036854775807,NA\n": "",
		"id,x\n1,2\n9007199254740993,3\n1.5,NA\n":                  `column "id": integers are rounded to the digits of a float64: row 2 has 9007199254740993`,
		"id,x\n1,2\n100000000000000000001,3\n":                     `row 2 has 100000000000000000001`,
	} {
		if err := os.WriteFile(in, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if s, err = CSV(in, nil); err != nil {
			t.Fatal(err)
		}
		if err = s.WriteCSV(ctx, out, nil); says != "" {
			wantError(t, err, frames.ErrSetting, says)
		} else if got, wrong := os.ReadFile(out); err != nil || wrong != nil || string(got) != text {
			t.Errorf("%q is written %q: %v, %v", text, got, err, wrong)
		}
	}
	// a type that a late cell decides
	late := long("1", "3,abc,a\n")
	if err := os.WriteFile(in, []byte(late), 0o644); err != nil {
		t.Fatal(err)
	}
	if s, err = CSV(in, nil); err != nil {
		t.Fatal(err)
	}
	if err := s.WriteCSV(ctx, out, nil); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(out); err != nil || string(got) != late {
		t.Errorf("%d bytes, want %d: %v", len(got), len(late), err)
	}
}

// What lies beyond the range of a spline or polynomial is the same in memory and in blocks, with
// constants learned from a frame or from blocks; designs of other rows say it, too.
func TestExtrapolationsOfBlocks(t *testing.T) {
	n := blockRows + 1000
	x, z, y := make([]float64, n), make([]float64, n), make([]float64, n)
	far := make([]float64, n)
	for i := range x {
		x[i], z[i], far[i] = float64(i%97)/10, float64(i*31%101), float64(i%97)/10
		y[i] = x[i] + z[i]*z[i]/1000
		if i%100 == 7 {
			far[i] += float64(i) / 1000
		}
	}
	far[n-1], z[5] = -1000, math.NaN()
	train, err := frames.Frame(frames.Col("y", y), frames.Col("x", x), frames.Col("z", z))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := frames.Frame(frames.Col("x", far), frames.Col("z", z), frames.Col("y", y))
	if err != nil {
		t.Fatal(err)
	}
	const formula = "y ~ poly(z, 2) + bs(x, 5) + ns(x, 2)"
	d, err := frames.Design(train, formula)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Frame(train)
	if err != nil {
		t.Fatal(err)
	}
	other, err := Frame(rows)
	if err != nil {
		t.Fatal(err)
	}
	streamed, err := s.Design(ctx, formula, &DesignSettings{MaxValues: 4 * n})
	if err != nil {
		t.Fatal(err)
	}
	fits := []frames.Predictor{}
	for _, data := range []mlreg.Data{d, streamed} {
		fit, err := mlreg.FitOLS(data, &mlreg.OLSSettings{Aliased: mlreg.DropAliased})
		if err != nil {
			t.Fatal(err)
		}
		fits = append(fits, fit)
	}
	want, err := frames.Extrapolations(fits[0], rows)
	if err != nil {
		t.Fatal(err)
	}
	if len(want) != 2 || want[0].Rows < 10 || want[0].Farthest != -1000 {
		t.Fatalf("%+v", want)
	}
	for k, fit := range fits {
		got, err := Extrapolations(ctx, fit, other)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("fit %d: %+v, want %+v: %v", k, got, want, err)
		}
		if got, err := Extrapolations(ctx, fit, s); err != nil || got != nil {
			t.Errorf("fit %d: %+v in the rows fitted: %v", k, got, err)
		}
	}
	like, err := DesignLike(ctx, streamed, other)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := like.Moments(); err != nil {
		t.Fatal(err)
	}
	if got := like.Terms().Beyond; !slices.Equal(got, want) {
		t.Errorf("a design of the rows: %+v, want %+v", got, want)
	}
}

// A database is asked for the rows beyond the range by the text that the columns have.
func TestExtrapolationsInSQL(t *testing.T) {
	s, r, err := opened(t, PostgreSQL, answer{contains: "sum(CASE WHEN _r0 <", rows: [][]driver.Value{{int64(7), -1., 9., int64(4), 2., 3., int64(0)}}})
	if err != nil {
		t.Fatal(err)
	}
	e := s.e.(*sqlEngine)
	w := &sqlPlan{e: e, prefix: "_", complete: "x IS NOT NULL", bindings: []binding{{"_0", "x"}, {"_1", "y"}}, ranged: []rangedInput{
		{mlreg.Extrapolation{Term: "bs(x, 4)", Low: 0, High: 5}, "_0"}, {mlreg.Extrapolation{Term: "poly(y, 2)", Low: 0, High: 5}, "_1"},
	}}
	var beyond []mlreg.Extrapolation
	if err := e.within(ctx, func(s *session) (err error) { _, beyond, err = w.first(ctx, s, 7); return err }); err != nil {
		t.Fatal(err)
	}
	if want := []mlreg.Extrapolation{{Term: "bs(x, 4)", Low: 0, High: 5, Rows: 4, Farthest: 9}}; !slices.Equal(beyond, want) {
		t.Errorf("%+v, want %+v", beyond, want)
	}
	asked := r.asked[len(r.asked)-1]
	for _, part := range []string{"_0 AS _r0", "_1 AS _r1", "min(_r0)", "max(_r0)", "x IS NOT NULL"} {
		if !strings.Contains(asked, part) {
			t.Errorf("%q is not in %s", part, asked)
		}
	}
}

// A database computes numbers, of which columns of levels are not any, and finds a level by halves.
func TestPredictionsAreWrittenByNumbers(t *testing.T) {
	const levels = 256
	y, x, g := make([]float64, 4*levels), make([]float64, 4*levels), make([]string, 4*levels)
	for i := range y {
		y[i], x[i], g[i] = float64(i*i%11), float64(i*7%13), fmt.Sprint("g", i%levels)
	}
	df, err := frames.Frame(frames.Col("y", y), frames.Col("x", x), frames.Col("g", g))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		formula string
		numbers []string
		values  int // that levels decide
	}{{"y ~ g", nil, 1}, {"y ~ g*x", []string{"x"}, 2}, {"y ~ C(g, Helmert) + poly(x, 2)", []string{"poly(x, 2)", "poly(x, 2)"}, 1}} {
		d, err := frames.Design(df, c.formula)
		if err != nil {
			t.Fatal(err)
		}
		fit, err := mlreg.FitRidge(d, 1, nil)
		if err != nil {
			t.Fatal(err)
		}
		s, _, err := opened(t, PostgreSQL)
		if err != nil {
			t.Fatal(err)
		}
		e := s.e.(*sqlEngine)
		fields, err := e.fields(ctx)
		if err != nil {
			t.Fatal(err)
		}
		p, err := table.Frames.Predict(fit, fields)
		if err != nil {
			t.Fatal(err)
		}
		coder, err := p.Coder()
		if err != nil {
			t.Fatal(err)
		}
		plan, err := coder.Plan()
		if err != nil {
			t.Fatal(err)
		}
		l, err := linearOf(fit, d)
		if err != nil {
			t.Fatal(err)
		}
		w := &predictionPlan{sqlPlan: &sqlPlan{e: e, prefix: "_"}, l: l, column: "p"}
		if err := w.write(plan); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(w.names, c.numbers) {
			t.Errorf("%s: the numbers are %q, want %q", c.formula, w.names, c.numbers)
		}
		for cell := range levels { // what each number is multiplied by, with and without columns
			left := make(map[int]float64)
			for _, column := range w.cells.Columns(cell) {
				left[column.Of] += l.slopes[column.At] * column.Times
			}
			for _, e := range w.effects {
				if e.Factors == nil {
					left[e.Of] -= e.Values[0]
				} else {
					left[e.Of] -= e.Values[cell]
				}
			}
			for of, off := range left {
				if !(math.Abs(off) < 1e-12) {
					t.Errorf("%s: number %d is multiplied by %g too little in cell %d", c.formula, of, off, cell)
				}
			}
		}
		w.passes = make([]columnPass, len(w.columns))
		w.sum(0)
		if n := strings.Count(w.eta, "WHEN "); n > c.values*(2*levels) {
			t.Errorf("%s: a row is compared with %d levels in all", c.formula, n)
		}
		if n := nested(w.eta); n > 9 { // 1 for what is known, 2^6 times 4 levels, and the last CASE
			t.Errorf("%s: CASE within CASE to depth %d", c.formula, n)
		}
	}
}

// nested is how deep CASEs are nested.
func nested(sql string) (deepest int) {
	depth := 0
	for _, word := range strings.Fields(strings.NewReplacer("(", " ", ")", " ").Replace(sql)) {
		switch word {
		case "CASE":
			depth++
		case "END":
			depth--
		}
		deepest = max(deepest, depth)
	}
	return deepest
}
