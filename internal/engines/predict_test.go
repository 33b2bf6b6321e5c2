//go:build unix

package engines

import (
	"database/sql"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/frames/source"
	"github.com/regbook/regbook/mlreg"
)

// scored is nasty with a response of counts, one of two classes and the number of the row.
func scored(t *testing.T, n int) dataframe.DataFrame {
	t.Helper()
	df, err := frames.With(nasty(t, n), "count = count", "rate = exp(0.1*b)", "share = ifelse(count > 3, 1, 0)")
	if err != nil {
		t.Fatal(err)
	}
	id := make([]int, n)
	for i := range id {
		id[i] = i
	}
	numbers, err := frames.Frame(frames.Col("id", id))
	if err != nil {
		t.Fatal(err)
	}
	if df = df.CBind(numbers); df.Err != nil {
		t.Fatal(df.Err)
	}
	return df
}

// numbers says that a database has numbers for flags.
func (d database) numbers() bool {
	return d.dialect == source.ClickHouse || d.dialect == source.MariaDB
}

// read is a frame as it is read from a database, some of which have numbers for flags.
func read(d database, df dataframe.DataFrame) dataframe.DataFrame {
	if d.numbers() && contains(df.Names(), "flag") {
		return must(frames.With(df, "flag = 1*flag"))
	}
	return df
}

// fitted fits a formula to a frame by a kind of fit.
func fitted(t *testing.T, kind string, df dataframe.DataFrame, formula string) frames.Predictor {
	t.Helper()
	d, err := frames.Design(df, written(formula))
	if err != nil {
		t.Fatalf("%s: %v", formula, err)
	}
	var fit frames.Predictor
	glm := func(family mlreg.GLMFamily, link mlreg.Link) {
		fit, err = mlreg.FitGLM(d, family, &mlreg.GLMSettings{Link: link})
	}
	switch kind {
	case "OLS":
		fit, err = mlreg.FitOLS(d, nil)
	case "standardized lasso":
		var z *mlreg.Design
		if z, err = d.Standardize(nil); err == nil {
			fit, err = mlreg.FitLasso(z, 0.05, nil)
		}
	case "ridge":
		fit, err = mlreg.FitRidge(d, 0.3, nil)
	case "logistic":
		fit, err = mlreg.FitLogistic(d, nil)
	case "Poisson":
		glm(mlreg.Poisson, 0)
	case "cloglog":
		glm(mlreg.Binomial, mlreg.CLogLogLink)
	case "probit":
		glm(mlreg.Binomial, mlreg.ProbitLink)
	case "reciprocal":
		glm(mlreg.Gamma, 0)
	case "root":
		glm(mlreg.Poisson, mlreg.SqrtLink)
	case "reciprocal square":
		glm(mlreg.InverseGaussian, 0)
	case "Bayes of counts":
		fit, err = mlreg.FitBayesGLM(d, mlreg.Poisson, mlreg.GaussianPrior{Tau2: 1}, nil)
	case "Bayes":
		fit, err = mlreg.FitBayesLogistic(d, mlreg.GaussianPrior{Tau2: 1}, nil)
	default:
		t.Fatalf("no fit %s", kind)
	}
	if err != nil {
		t.Fatalf("%s %s: %v", kind, formula, err)
	}
	return fit
}

// samePredictions compares a column with predictions in memory, by the number of the row.
func samePredictions(t *testing.T, what string, s *source.Source, column string, want []float64) {
	t.Helper()
	df, err := s.Head(ctx, len(want)+1)
	if err != nil {
		t.Errorf("%s: %v", what, err)
		return
	}
	if df.Nrow() != len(want) {
		t.Errorf("%s: %d rows, want %d", what, df.Nrow(), len(want))
		return
	}
	size := 0.0 // a prediction near zero is held to the others
	for _, v := range want {
		if v == v {
			size = math.Max(size, math.Abs(v))
		}
	}
	id, got := df.Col("id").Float(), df.Col(column).Float()
	bad := 0
	for i, k := range id {
		w := want[int(k)]
		if got[i] != got[i] && w != w || math.Abs(got[i]-w) <= 1e-12*math.Max(math.Abs(w), 1e-3*size) {
			continue
		}
		if bad++; bad <= 3 {
			t.Errorf("%s: row %v is %.17g, want %.17g", what, k, got[i], w)
		}
	}
}

// Predictions that a database computes are those of frames.Predict, to 12 digits.
func TestPredictionsPushedDown(t *testing.T) {
	df := scored(t, 3000)
	onEach(t, func(t *testing.T, d database, db *sql.DB) {
		memory := read(d, df)
		all := must(source.Open(ctx, db, d.dialect, d.load(t, db, df, nil)))
		s := must(all.By(source.Pushed))
		for _, c := range []struct{ kind, formula string }{
			{"OLS", "y ~ 1"}, {"OLS", "y ~ a + b"}, {"OLS", "y ~ 0 + G + b"}, {"OLS", "y ~ G*b + flag"}, {"OLS", "y ~ G:flag:b + a"},
			{"OLS", "y ~ C(G, Sum) + C(factor(count), Helmert):b"}, {"OLS", "y ~ poly(b, 3)*G + scale(a)"}, {"OLS", "y ~ ns(b, 4)*flag"}, {"OLS", "y ~ bs(b, 6, degree = 2)"},
			{"OLS", "y ~ fourier(b, period = 7, order = 2) + log(wide) + I(b^0.5) + factor(month(day)) + day"},
			{"OLS", "log2(w + 1) ~ b + offset(2*b) + I(count > 3)"},
			{"standardized lasso", "y ~ b + G*flag + scale(wide)"}, {"ridge", "y ~ b + G"},
			{"logistic", "class ~ b*G + flag"}, {"logistic", "share ~ b + offset(count)"}, {"Poisson", "count ~ b + G + offset(0.1*b)"},
			{"cloglog", "share ~ b + flag"}, {"reciprocal", "rate ~ b"}, {"root", "count ~ b + flag"}, {"reciprocal square", "rate ~ b"},
		} {
			if c.formula == "share ~ b + offset(count)" && d.dialect == source.ClickHouse {
				continue // tested once
			}
			if d.dialect == source.ClickHouse { // which reads 1e9 to 15 digits
				c.formula = strings.Replace(c.formula, "scale(a)", "a", 1)
			}
			what := c.kind + " " + c.formula
			fit := fitted(t, c.kind, memory, c.formula)
			want := must(frames.Predict(fit, memory))
			p, err := s.WithPredictions(ctx, fit, `the "prediction`+"`")
			if err != nil {
				t.Errorf("%s: %v", what, err)
				continue
			}
			samePredictions(t, what, p, `the "prediction`+"`", want)
		}
		if d.dialect == source.DuckDB {
			t.Log(must(must(s.WithPredictions(ctx, fitted(t, "logistic", memory, "class ~ b + flag"), "p")).SQL()))
		}
	})
}

// Predictions of rows that are far smaller than the largest have the digits of memory, too: to
// 1e-12 of the sum of the sizes of the row's own terms.
func TestPredictionsOfSmallRows(t *testing.T) {
	const n = 2000
	rnd := rand.New(rand.NewPCG(3, 17))
	wide, steep, far, b, y, g, id := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n), make([]string, n), make([]int, n)
	for i := range n {
		wide[i], steep[i], far[i], b[i] = math.Exp(5*rnd.NormFloat64()), math.Exp(8*rnd.Float64()), 1e6+rnd.NormFloat64(), rnd.Float64()
		g[i], id[i] = []string{"u", "v", "w"}[rnd.IntN(3)], i
		y[i] = 1e3*wide[i] + 1e-3*steep[i] + 1e-9*rnd.NormFloat64()
	}
	df := frame(t, frames.Col("id", id), frames.Col("wide", wide), frames.Col("steep", steep), frames.Col("far", far), frames.Col("b", b), frames.Col("g", g), frames.Col("y", y))
	onEach(t, func(t *testing.T, d database, db *sql.DB) {
		s := must(must(source.Open(ctx, db, d.dialect, d.load(t, db, df, nil))).By(source.Pushed))
		for _, formula := range []string{"y ~ wide", "y ~ wide + steep", "y ~ 0 + wide + steep", "y ~ wide + b + far", "y ~ wide*g + steep", "y ~ 0 + wide:g", "y ~ I(wide^2) + wide", "y ~ wide + poly(b, 3)", "y ~ 0 + steep*b + log(wide)"} {
			design := must(frames.Design(df, formula))
			fit := must(mlreg.FitOLS(design, nil))
			p, err := s.WithPredictions(ctx, fit, "p")
			if err != nil {
				t.Errorf("%s: %v", formula, err)
				continue
			}
			coef, x := fit.Coef(), design.X
			rows := must(p.Head(ctx, n))
			worst := 0.0
			for i, k := range rows.Col("id").Float() {
				want, size := 0.0, 0.0
				if fit.Names()[0] != design.Names[0] {
					want, size = coef[0], math.Abs(coef[0])
				}
				at := len(coef) - len(design.Names)
				for j := range design.Names {
					term := coef[at+j] * x.At(int(k), j)
					want, size = want+term, size+math.Abs(term)
				}
				worst = math.Max(worst, math.Abs(rows.Col("p").Elem(i).Float()-want)/size)
			}
			if !(worst <= 1e-12) {
				t.Errorf("%s: a row is off by %.1e of the sum of its terms", formula, worst)
			}
			t.Logf("%s: %.1e", formula, worst)
		}
	})
}

// Means at linear predictors far out are those of memory: all links, from where the mean
// rounds to its limit, or leaves the range, to where it is proportional to a power.
func TestPredictionsFarOut(t *testing.T) {
	near := must(frames.Frame(frames.Col("x", []float64{-1, -0.5, 0, 0.5, 1, 0.2, -0.3, 0.9}), frames.Col("y", []float64{0, 1, 0, 1, 1, 0, 1, 0}), frames.Col("z", []float64{1, 1.2, 2, 1.7, 3, 2.4, 1.1, 2.9})))
	var x []float64
	for _, v := range []float64{0, 1e-9, 0.3, 1, 2, 3, 4, 5, 6, 8, 10, 20, 30, 36, 37, 40, 50, 100, 700, 709, 745, 746, 800, 1e6} {
		x = append(x, v, -v)
	}
	id := make([]int, len(x))
	for i := range id {
		id[i] = i
	}
	far := must(frames.Frame(frames.Col("x", x), frames.Col("id", id)))
	onEach(t, func(t *testing.T, d database, db *sql.DB) {
		s := must(must(source.Open(ctx, db, d.dialect, d.load(t, db, far, nil))).By(source.Pushed))
		for _, c := range []struct {
			family mlreg.GLMFamily
			link   mlreg.Link
			y      string
		}{{mlreg.Binomial, mlreg.LogitLink, "y"}, {mlreg.Binomial, mlreg.CLogLogLink, "y"}, {mlreg.Poisson, mlreg.LogLink, "z"}, {mlreg.QuasiPoisson, mlreg.SqrtLink, "z"}, {mlreg.Gamma, mlreg.ReciprocalLink, "z"},
			{mlreg.Gamma, mlreg.IdentityLink, "z"}, {mlreg.InverseGaussian, mlreg.ReciprocalSquareLink, "z"}} {
			if c.link == mlreg.LogLink {
				c.family = mlreg.QuasiPoisson
			}
			fit := must(mlreg.FitGLM(must(frames.Design(near, c.y+" ~ x")), c.family, &mlreg.GLMSettings{Link: c.link}))
			want := must(frames.Predict(fit, far))
			p, err := s.WithPredictions(ctx, fit, "p")
			if d.dialect.Finite && errors.Is(err, frames.ErrSetting) && strings.Contains(err.Error(), "not defined or infinite") {
				continue
			}
			if err != nil {
				t.Errorf("%v: %v", c.link, err)
				continue
			}
			df := must(p.Head(ctx, len(x)))
			got := df.Col("p").Float()
			for i, k := range df.Col("id").Float() {
				w := want[int(k)]
				if !(got[i] == w || got[i] != got[i] && w != w || math.Abs(got[i]-w) <= 1e-12*math.Abs(w) || math.Abs(w) < 1e-305 && math.Abs(got[i]) < 1e-305) {
					t.Errorf("%v at %v: %.17g, want %.17g", c.link, x[int(k)], got[i], w)
				}
			}
		}
	})
}

// What SQL does not compute is an error of Pushed that says why, and is computed from rows.
func TestPredictionsOfRows(t *testing.T) {
	df := scored(t, 2000)
	onEach(t, func(t *testing.T, d database, db *sql.DB) {
		memory := read(d, df)
		all := must(source.Open(ctx, db, d.dialect, d.load(t, db, df, nil)))
		s := must(all.By(source.Pushed))
		for _, c := range []struct{ kind, formula, why string }{
			{"OLS", "y ~ ifelse(is.na(b), 0, b)", "condition"}, {"OLS", "y ~ rbf(b, centers = 5)", "rbf"},
			{"probit", "share ~ b", "probit"}, {"Bayes", "class ~ b", "Bayes"}, {"Bayes of counts", "count ~ b", "Bayes"}, {"OLS", "y ~ b + bs(wide, 6)", "digits"},
		} {
			fit := fitted(t, c.kind, memory, c.formula)
			if _, err := s.WithPredictions(ctx, fit, "p"); !errors.Is(err, frames.ErrSetting) || !strings.Contains(err.Error(), c.why) {
				t.Errorf("%s: %v", c.formula, err)
			}
			p := must(all.WithPredictions(ctx, fit, "p"))
			samePredictions(t, c.formula, p, "p", must(frames.Predict(fit, memory)))
			if _, err := p.CreateTable(ctx, "no table", here); !errors.Is(err, frames.ErrSetting) || !strings.Contains(err.Error(), c.why) || !strings.Contains(err.Error(), "WriteCSV") {
				t.Errorf("%s: %v", c.formula, err)
			}
			if got := must(p.Sample(ctx, 7, 1)); got.Nrow() != 7 {
				t.Errorf("a sample of %d rows", got.Nrow())
			}
			some := must(p.Where(ctx, "p > 0 & count > 2"))
			want := 0
			predictions := must(frames.Predict(fit, memory))
			for i, v := range memory.Col("count").Float() {
				if v > 2 && predictions[i] > 0 {
					want++
				}
			}
			if n := must(some.NRow(ctx)); n != want {
				t.Errorf("%s: %d rows, want %d", c.formula, n, want)
			}
		}
	})
}

// A column of predictions is one as any other: conditions, groups, histograms, designs and
// more predictions use it.
func TestPredictionsAreAColumn(t *testing.T) {
	df := scored(t, 3000)
	onEach(t, func(t *testing.T, d database, db *sql.DB) {
		memory := read(d, df)
		s := must(must(source.Open(ctx, db, d.dialect, d.load(t, db, df, nil))).By(source.Pushed))
		first := fitted(t, "OLS", memory, "y ~ G*b + flag")
		p := must(s.WithPredictions(ctx, first, "p"))
		if _, err := p.WithPredictions(ctx, first, "p"); !errors.Is(err, frames.ErrSetting) {
			t.Error(err)
		}
		both := must(frames.Predict(first, memory))
		with := memory.CBind(must(frames.Frame(frames.Col("p", both))))
		if with.Err != nil {
			t.Fatal(with.Err)
		}
		second := fitted(t, "Poisson", with, "count ~ p + G")
		q := must(p.WithPredictions(ctx, second, "q"))
		samePredictions(t, "of predictions", q, "q", must(frames.Predict(second, with)))
		for _, route := range routes {
			sameMoments(t, p, with, written("y ~ p + b + G"), &source.DesignSettings{Route: route})
		}
		some := must(q.Where(ctx, "p > 5 & b > 3"))
		kept := must(frames.Where(with, "p > 5 & b > 3"))
		if n := must(some.NRow(ctx)); n != kept.Nrow() {
			t.Errorf("%d rows, want %d", n, kept.Nrow())
		}
		a := must(p.GroupBy("flag").Summarise(ctx, "n()", "hi = max(p, na.rm = TRUE)"))
		b := must(frames.GroupBy(with, "flag").Summarise("n()", "hi = max(p, na.rm = TRUE)"))
		sameFrames(t, "groups", a, b)
		h := must(p.Histogram(ctx, "p", 10))
		total := 0.0
		for _, n := range h.Col("n").Float() {
			total += n
		}
		missing := 0
		for _, v := range both {
			if v != v {
				missing++
			}
		}
		if int(total) != len(both)-missing {
			t.Errorf("the histogram has %v of %d values", total, len(both)-missing)
		}
	})
}

// here writes to one server.
var here = &source.TableSettings{OneServer: true}

// Predictions become a table, at once or not at all.
func TestCreateTable(t *testing.T) {
	df := scored(t, 500)
	onEach(t, func(t *testing.T, d database, db *sql.DB) {
		memory := read(d, df)
		name := d.load(t, db, df, nil)
		s := must(source.Open(ctx, db, d.dialect, name))
		fit := fitted(t, "OLS", memory, "y ~ G*b + flag")
		want := must(frames.Predict(fit, memory))
		p := must(s.WithPredictions(ctx, fit, "it's p"))
		relation, quoted := fmt.Sprintf("new 'é' %s", name), d.quoted(fmt.Sprintf("new 'é' %s", name))
		made := must(p.CreateTable(ctx, relation, here))
		samePredictions(t, "table", made, "it's p", want)
		file := filepath.Join(t.TempDir(), "rows.csv")
		if err := p.WriteCSV(ctx, file, nil); err != nil {
			t.Fatal(err)
		}
		samePredictions(t, "file", must(source.CSV(file, nil)), "it's p", want)
		if _, err := p.CreateTable(ctx, relation, here); !errors.Is(err, frames.ErrSetting) || !strings.Contains(err.Error(), "Replace") {
			t.Errorf("a table that exists: %v", err)
		}
		some := must(p.Where(ctx, "`it's p` > 5"))
		replaced := must(some.CreateTable(ctx, relation, &source.TableSettings{Replace: true, OneServer: true}))
		if a, b := must(replaced.NRow(ctx)), must(some.NRow(ctx)); a != b || a == 0 || a == 500 {
			t.Errorf("%d rows, want %d", a, b)
		}
		// of the table itself
		again := must(must(replaced.WithPredictions(ctx, fit, "twice")).CreateTable(ctx, relation, &source.TableSettings{Replace: true, OneServer: true}))
		if names := must(again.Names(ctx)); !slices.Contains(names, "twice") || must(again.NRow(ctx)) != must(some.NRow(ctx)) {
			t.Errorf("columns %q", names)
		}
		// A level that came after the column was made: nothing is written.
		insert, row := d.quoted(name), "count, b, flag, "+d.quoted("the \"group`; --")
		if d.dialect == source.ClickHouse {
			insert = d.quoted(name + " part")
		}
		flag := map[bool]string{true: "1", false: "true"}[d.dialect == source.ClickHouse]
		run(t, db, "INSERT INTO "+insert+" ("+row+") SELECT 1, 2.5, "+flag+", 'новый; --'")
		for _, settings := range []*source.TableSettings{here, {Replace: true, OneServer: true}} {
			target := map[bool]string{true: relation, false: "never"}[settings.Replace]
			if _, err := p.CreateTable(ctx, target, settings); !errors.Is(err, frames.ErrLevel) || !strings.Contains(err.Error(), "новый; --") {
				t.Errorf("an unknown level: %v", err)
			}
		}
		if _, err := source.Open(ctx, db, d.dialect, "never"); !errors.Is(err, source.ErrSource) {
			t.Errorf("a table that failed is there: %v", err)
		}
		var left int
		if err := db.QueryRow("SELECT count(*) FROM " + quoted).Scan(&left); err != nil || left != must(some.NRow(ctx)) {
			t.Errorf("the table that was not replaced has %d rows: %v", left, err)
		}
		if _, err := s.WithPredictions(ctx, fit, "p"); !errors.Is(err, frames.ErrLevel) {
			t.Errorf("an unknown level: %v", err)
		}
		known := must(s.Where(ctx, "`the \"group\\`; --` != \"новый; --\""))
		if _, err := must(known.WithPredictions(ctx, fit, "p")).CreateTable(ctx, "known", here); err != nil {
			t.Errorf("known levels alone: %v", err)
		}
		for _, bad := range []string{"", `a"b"`, "a\x00"} {
			if _, err := p.CreateTable(ctx, bad, here); !errors.Is(err, frames.ErrSetting) && bad != `a"b"` {
				t.Errorf("%q: %v", bad, err)
			}
		}
		allBack(t, db)
	})
}

// Columns that a formula does not use keep their values, whole numbers beyond 2^53 too.
func TestCreateTableKeepsValues(t *testing.T) {
	df := datasets.Prostate()
	fit := fitted(t, "OLS", df, "lpsa ~ lcavol")
	for _, d := range databases {
		t.Run(d.name, func(t *testing.T) {
			db := d.open(t)
			wide := map[*source.Dialect]string{source.ClickHouse: "Int64", source.SQLite: "INTEGER"}[d.dialect]
			if wide == "" {
				wide = "BIGINT"
			}
			float := map[bool]string{true: "Float64", false: "double precision"}[d.dialect == source.ClickHouse]
			create := "CREATE TABLE kept (id " + wide + ", lcavol " + float + ")"
			if d.dialect == source.ClickHouse {
				create += " ENGINE = MergeTree ORDER BY id"
			}
			run(t, db, create)
			run(t, db, "INSERT INTO kept SELECT 9007199254740993, 1.5")
			s := must(source.Open(ctx, db, d.dialect, "kept"))
			p := must(must(s.By(source.Pushed)).WithPredictions(ctx, fit, "p"))
			file := filepath.Join(t.TempDir(), "f.csv")
			if err := p.WriteCSV(ctx, file, nil); err != nil {
				t.Fatal(err)
			}
			if text := string(must(os.ReadFile(file))); !strings.HasPrefix(text, "id,lcavol,p\n9007199254740993,1.5,") {
				t.Errorf("the file is %q", text)
			}
			if _, err := p.CreateTable(ctx, "kept too", nil); err != nil {
				t.Fatal(err)
			}
			var id string
			var got float64
			if err := db.QueryRow("SELECT id, p FROM "+d.quoted("kept too")).Scan(&id, &got); err != nil || id != "9007199254740993" {
				t.Errorf("%s: %v", id, err)
			}
			want := must(frames.Predict(fit, must(frames.Frame(frames.Col("lcavol", []float64{1.5})))))[0]
			if math.Abs(got-want) > 1e-12 {
				t.Errorf("%v, want %v", got, want)
			}
		})
	}
}
