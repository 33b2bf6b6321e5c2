//go:build unix

package engines

import (
	"database/sql"
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-gota/gota/dataframe"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/frames/source"
	"github.com/regbook/regbook/mlreg"
)

// sameDescription compares a description with frames.Describe of the rows.
func sameDescription(t *testing.T, d *source.Description, df dataframe.DataFrame) {
	t.Helper()
	want := must(frames.Describe(df))
	for i, c := range d.Columns {
		if name := want.Col("variable").Records()[i]; name != c.Name {
			t.Fatalf("column %q, want %q", c.Name, name)
		}
		number := func(column string) float64 { return want.Col(column).Float()[i] }
		if float64(c.Missing) != number("missing") || float64(c.Distinct) != number("distinct") {
			t.Errorf("%s: %d missing and %d distinct values, want %v and %v", c.Name, c.Missing, c.Distinct, number("missing"), number("distinct"))
		}
		for what, got := range map[string]float64{"mean": c.Mean, "sd": c.SD, "min": c.Min, "q25": c.Q25, "median": c.Median, "q75": c.Q75, "max": c.Max} {
			w := number(what)
			if c.Name == "endless" && (what == "mean" || what == "sd") {
				continue // undefined here, infinite there
			}
			unit := math.Abs(w)
			if what == "mean" && c.SD > 0 { // to which its last digits belong
				unit = math.Max(unit, c.SD)
			}
			if !(math.Abs(got-w) <= 1e-12*unit || got != got && w != w || got == w) {
				t.Errorf("%s: %s is %.17g, want %.17g", c.Name, what, got, w)
			}
		}
	}
}

// What a database describes is what frames.Describe does, to 12 digits: repeated rows, a mean
// of 10^9, infinite, missing and wide values, signs of zero, texts and dates.
func TestDescribe(t *testing.T) {
	for name, df := range map[string]dataframe.DataFrame{"nasty": nasty(t, 3001), "grouped": grouped(t), "repeated": repeated(t)} {
		t.Run(name, func(t *testing.T) {
			onEach(t, func(t *testing.T, d database, db *sql.DB) {
				df := finite(t, d, df)
				memory := read(d, df)
				if d.dialect == source.SQLite && name == "grouped" {
					memory = must(frames.With(df, "zero = zero + 0"))
				}
				opened := must(source.Open(ctx, db, d.dialect, d.load(t, db, df, nil)))
				s := must(opened.By(source.Pushed))
				about, err := s.Describe(ctx)
				if err != nil {
					t.Fatal(err)
				}
				chosen := must(opened.Describe(ctx))
				for route, about := range map[source.Route]*source.Description{source.Pushed: about, chooses[d.dialect]: chosen} {
					if about.Rows != df.Nrow() || about.Sampled != about.Rows || about.Route != route {
						t.Errorf("%d rows, %d of them for quantiles, %v", about.Rows, about.Sampled, about.Route)
					}
					sameDescription(t, about, memory)
				}
				some := must(must(opened.Where(ctx, memory.Names()[0]+" > 0")).Describe(ctx)) // another number of rows
				sameDescription(t, some, must(frames.Where(memory, memory.Names()[0]+" > 0")))
				// the same lines of text as by reading rows
				streamed := must(must(s.By(source.Streamed)).Describe(ctx))
				for i, c := range about.Columns {
					if w := streamed.Columns[i]; c.Type != w.Type || c.Dates != w.Dates || c.Missing != w.Missing || w.Distinct >= 0 && c.Distinct != w.Distinct {
						t.Errorf("%s: %+v, want %+v", c.Name, c, w)
					}
				}
				if a, b := about.String(), streamed.String(); a != b {
					t.Logf("\n%s\n%s", a, b)
					t.Error("the text is another")
				}
			})
		})
	}
}

// chooses is the route that Describe takes of few rows.
var chooses = map[*source.Dialect]source.Route{source.MariaDB: source.Streamed, source.DuckDB: source.Pushed, source.ClickHouse: source.Pushed, source.PostgreSQL: source.Streamed, source.SQLite: source.Streamed}

// More than 1000 texts are counted, and more than 16,384 rows give their quartiles, by both
// routes of the dialects that read rows.
func TestDescribeLongColumns(t *testing.T) {
	n := 20_011
	x, g := make([]float64, n), make([]string, n)
	for i := range n {
		x[i], g[i] = math.Exp(float64(i*7919%n)/1000), fmt.Sprint("level ", i%3001)
	}
	df := frame(t, frames.Col("x", x), frames.Col("g", g))
	onEach(t, func(t *testing.T, d database, db *sql.DB) {
		s := must(source.Open(ctx, db, d.dialect, d.load(t, db, df, nil)))
		for _, route := range []source.Route{source.Automatic, source.Pushed} {
			sameDescription(t, must(must(s.By(route)).Describe(ctx)), read(d, df))
		}
	})
}

// repeated is a table of few rows many times over.
func repeated(t *testing.T) dataframe.DataFrame {
	t.Helper()
	rnd := rand.New(rand.NewPCG(1, 7))
	n := 4000
	x, y, g := make([]float64, n), make([]int, n), make([]string, n)
	for i := range n {
		k := min(rnd.IntN(4), rnd.IntN(4))
		x[i], y[i], g[i] = []float64{1e9, -3, 0.25, 7}[k], k, []string{"it's", "é", "E", ""}[k]
	}
	return frame(t, frames.Col("x", x), frames.Col("y", y), frames.Col("g", g))
}

// Many rows, more than a database is asked to sort: quartiles are exact, and sums are to 13
// digits of those of whole numbers.
func TestDescribeManyRows(t *testing.T) {
	const n, prime = 4_300_000, 4_999_999
	x, tied, sum := make([]float64, n), make([]float64, n), new(big.Int)
	squares, total := new(big.Int), 0
	for i := range n {
		k := i * 7919 % prime
		x[i], tied[i] = float64(k*k), float64(k%5)
		v := big.NewInt(int64(k * k))
		sum.Add(sum, v)
		squares.Add(squares, v.Mul(v, v))
		total += k % 5
	}
	mean, _ := new(big.Rat).SetFrac(sum, big.NewInt(n)).Float64()
	ss := new(big.Rat).SetInt(squares)
	ss.Sub(ss, new(big.Rat).SetFrac(new(big.Int).Mul(sum, sum), big.NewInt(n)))
	variance, _ := ss.Quo(ss, new(big.Rat).SetInt64(n-1)).Float64()
	slices.Sort(x)
	slices.Sort(tied)
	for _, d := range []database{databases[0], databases[3]} {
		t.Run(d.name, func(t *testing.T) {
			db := d.open(t)
			query := "CREATE TABLE many AS SELECT CAST(k * k AS DOUBLE) AS x, CAST(k % 5 AS DOUBLE) AS tied, CASE WHEN i < 1075000 THEN 1.0 ELSE 3.0 END AS quarter FROM (SELECT i, i * 7919 % 4999999 AS k FROM range(4300000) AS r(i))"
			if d.dialect == source.ClickHouse {
				query = "CREATE TABLE many ENGINE = MergeTree ORDER BY tuple() AS SELECT toFloat64(k * k) AS x, toFloat64(k % 5) AS tied, if(number < 1075000, 1., 3.) AS quarter FROM (SELECT number, number * 7919 % 4999999 AS k FROM numbers(4300000))"
			}
			run(t, db, query)
			about := must(must(must(source.Open(ctx, db, d.dialect, "many")).By(source.Pushed)).Describe(ctx))
			for name, sorted := range map[string][]float64{"x": x, "tied": tied} {
				c := must(about.Column(name))
				for p, got := range map[float64]float64{0.25: c.Q25, 0.5: c.Median, 0.75: c.Q75} {
					if want := mlreg.SampleQuantile(sorted, p); got != want {
						t.Errorf("quantile %v of %s is %.17g, want %.17g", p, name, got, want)
					}
				}
			}
			if c := must(about.Column("quarter")); c.Q25 != 2.5 || c.Median != 3 { // between two values, of two bins
				t.Errorf("the quartile between 1 and 3 is %v, the median %v", c.Q25, c.Median)
			}
			c := must(about.Column("x"))
			if math.Abs(c.Mean/mean-1) > 1e-14 || math.Abs(c.SD/math.Sqrt(variance)-1) > 1e-14 {
				t.Errorf("mean %.17g and sd %.17g, want %.17g and %.17g", c.Mean, c.SD, mean, math.Sqrt(variance))
			}
			if tied := must(about.Column("tied")); tied.Mean != float64(total)/n || tied.Distinct != 5 || c.Distinct != n {
				t.Errorf("%+v, %+v", tied, c)
			}
		})
	}
}

// Whole numbers beyond 2^53 are described and counted.
func TestDescribeWide(t *testing.T) {
	for _, d := range databases {
		t.Run(d.name, func(t *testing.T) {
			db := d.open(t)
			typ := map[*source.Dialect]string{source.ClickHouse: "Int64", source.SQLite: "INTEGER"}[d.dialect]
			engine := ""
			if d.dialect == source.ClickHouse {
				engine = " ENGINE = MergeTree ORDER BY id"
			}
			if typ == "" {
				typ = "BIGINT"
			}
			run(t, db, "CREATE TABLE ids (id "+typ+")"+engine)
			for k := range 5 {
				run(t, db, fmt.Sprintf("INSERT INTO ids SELECT %d", 9007199254740992+k))
			}
			s := must(must(source.Open(ctx, db, d.dialect, "ids")).By(source.Pushed))
			about, err := s.Describe(ctx)
			if err != nil {
				t.Fatal(err)
			}
			if c := about.Columns[0]; c.Distinct != 5 || c.Min != 9007199254740992 || c.Max != 9007199254740996 || c.Median != 9007199254740994 {
				t.Errorf("%+v", c)
			}
			if c := must(must(source.Open(ctx, db, d.dialect, "ids")).Describe(ctx)).Columns[0]; c.Distinct != 5 || c.Median != 9007199254740994 {
				t.Errorf("%+v", c)
			}
			none := must(s.Where(ctx, "id < 0"))
			if _, err := none.Describe(ctx); !errors.Is(err, frames.ErrNoRows) {
				t.Error(err)
			}
		})
	}
}

func contains(names []string, name string) bool {
	for _, n := range names {
		if n == name {
			return true
		}
	}
	return false
}
