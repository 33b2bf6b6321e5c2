package source

import (
	"database/sql/driver"
	"errors"
	"maps"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/compressed"
	"github.com/regbook/regbook/mlreg"
)

// newtonTable answers as PostgreSQL what a fit of y ~ x asks: a step by the sums at the coefficients that the statement has.
type newtonTable struct {
	x, y  []float64
	steps int
	wrong func(row []driver.Value) // what is changed of a step
}

var (
	linearPredictor1 = regexp.MustCompile(`\(CAST\('([^']*)' AS double precision\)(?: \+ \(CAST\('([^']*)' AS double precision\) \* \(\([^ ]* - CAST\('([^']*)' AS double precision\)\)\)\))?\)? AS regbooketa`)
	secondClass      = regexp.MustCompile(`regbook\d+ = CAST\('1' AS`)
)

func (n *newtonTable) answers() []answer {
	rows, byY := float64(len(n.y)), map[float64]int64{}
	var all, groups [][]driver.Value
	first := []driver.Value{rows}
	for _, column := range [][]float64{n.x, n.y} {
		low, high, sum := math.Inf(1), math.Inf(-1), 0.0
		for _, v := range column {
			low, high, sum = math.Min(low, v), math.Max(high, v), sum+v
		}
		first = append(first, rows, sum, low, high, int64(0), int64(0))
	}
	for i, y := range n.y {
		byY[y]++
		all = append(all, []driver.Value{y, n.x[i]})
	}
	for y, count := range byY {
		groups = append(groups, []driver.Value{y, count})
	}
	return []answer{
		{contains: "regbooketa", compute: n.step},
		{contains: "LIMIT 65537", rows: groups},
		{contains: "hashfloat8extended", rows: [][]driver.Value{{int64(len(n.y)), int64(len(n.y)), "77", int64(0), int64(0)}}},
		{contains: "min(", rows: [][]driver.Value{first}},
		{contains: "SELECT CAST('", compute: func(q string) [][]driver.Value {
			var row []driver.Value
			for _, m := range regexp.MustCompile(`'([^']*)'`).FindAllStringSubmatch(q, -1) {
				row = append(row, number(m[1]))
			}
			return [][]driver.Value{row}
		}},
		{contains: `FROM "t"`, rows: all},
	}
}

func number(text string) float64 {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil && text != "" {
		panic(err)
	}
	return v
}

// step sums z = r/c, weighted by c, by the formulas of textbooks.
func (n *newtonTable) step(q string) [][]driver.Value {
	m := linearPredictor1.FindStringSubmatch(q)
	if m == nil {
		panic("no linear predictor in " + q)
	}
	n.steps++
	center, classes := 4.0, secondClass.MatchString(q) // the mean of x
	var sum [14]float64
	sum[1], sum[5], sum[6] = float64(len(n.y)), math.Inf(1), math.Inf(1)
	for i, y := range n.y {
		d := n.x[i] - center
		eta := number(m[1]) + number(m[2])*(n.x[i]-number(m[3]))
		mu := math.Exp(eta)
		c, loss := mu, mu-y*eta
		if y > 0 {
			loss += y*math.Log(y) - y
		}
		if classes {
			mu = 1 / (1 + math.Exp(-eta))
			c, loss = mu*(1-mu), -y*math.Log(mu)-(1-y)*math.Log(1-mu)
		}
		z := (y - mu) / c
		for k, v := range []float64{c, 1, loss} {
			sum[2+k] += v
		}
		sum[5], sum[6], sum[7] = math.Min(sum[5], c), math.Min(sum[6], c), math.Max(sum[7], math.Abs(eta))
		for k, v := range []float64{c * d, c * z, c * 100, c * d * d, c * d * z, c * z * z} {
			sum[8+k] += v
		}
	}
	row := make([]driver.Value, len(sum))
	for k, v := range sum {
		row[k] = v
	}
	if n.wrong != nil {
		n.wrong(row)
	}
	return [][]driver.Value{row}
}

// fitOf fits y ~ x by steps of the table, and reports how often rows were read.
func (n *newtonTable) fitOf(t *testing.T, counts bool) (fit likelihood, read int, err error) {
	t.Helper()
	return n.fitBy(t, PostgreSQL, Pushed, counts)
}

// fitBy is fitOf by a route and a dialect that writes as PostgreSQL does.
func (n *newtonTable) fitBy(t *testing.T, dialect *Dialect, route Route, counts bool) (fit likelihood, read int, err error) {
	t.Helper()
	s, r, err := opened(t, dialect, n.answers()...)
	if err != nil {
		t.Fatal(err)
	}
	d, err := s.Design(ctx, "y ~ x", &DesignSettings{Route: route})
	if err != nil {
		t.Fatal(err)
	}
	if counts {
		fit, err = mlreg.FitGLM(d, mlreg.Poisson, nil)
	} else {
		fit, err = mlreg.FitLogistic(d, nil)
	}
	for _, q := range r.asked {
		if strings.HasPrefix(q, `SELECT CAST("y"`) {
			read++
		}
	}
	return fit, read, err
}

// A fit of steps that a database sums is that of the rows, of which none is read.
func TestNewtonStepsAreTheFit(t *testing.T) {
	x := []float64{1, 2, 3, 4, 5, 6, 7, 4}
	for _, y := range [][]float64{{0, 1, 0, 0, 1, 0, 1, 1}, {0, 1, 0, 2, 1, 7, 5, 1}} {
		counts := y[5] > 1
		table := &newtonTable{x: x, y: y}
		got, read, err := table.fitOf(t, counts)
		if err != nil || read > 0 || table.steps < 3 {
			t.Fatalf("rows were read %d times, %d steps: %v", read, table.steps, err)
		}
		d := &mlreg.Design{X: mat.NewDense(8, 1, x), Names: []string{"x"}, Y: y, Response: "y"}
		if counts {
			sameLikelihood(t, "counts", got, generalized(t, d, mlreg.Poisson, 0))
		} else {
			sameLikelihood(t, "classes", got, logistic(t, d, 0))
		}
		if m := got.(interface{ Method() string }).Method(); !strings.Contains(m, "summed by the database") {
			t.Error(m)
		}
	}
}

// Where no route is set, steps are sums where Dialect.Step says that they take less time than rows, by either route with the same fit.
func TestNewtonStepsAreChosen(t *testing.T) {
	x := []float64{1, 2, 3, 4, 5, 6, 7, 4}
	for _, y := range [][]float64{{0, 1, 0, 0, 1, 0, 1, 1}, {0, 1, 0, 2, 1, 7, 5, 1}} {
		var fits []likelihood
		for step, pushed := range map[float64]bool{0.001: true, 100: false} {
			dialect, table := *PostgreSQL, &newtonTable{x: x, y: y}
			dialect.Step = func(n, m, operations float64) float64 { return step * n * m }
			dialect.Numbers = nil // its rows come as fast as on one machine
			fit, read, err := table.fitBy(t, &dialect, Automatic, y[5] > 1)
			if err != nil || (table.steps > 0) != pushed || (read == 0) != pushed || strings.Contains(fit.(interface{ Method() string }).Method(), "summed by the database") != pushed {
				t.Fatalf("a step takes %v s: rows were read %d times, %d steps, %v", step, read, table.steps, err)
			}
			fits = append(fits, fit)
		}
		sameLikelihood(t, "routes", fits[0], fits[1])
	}
	dialect, table := *PostgreSQL, &newtonTable{x: x, y: []float64{0, 1, 0, 0, 1, 0, 1, 1}}
	dialect.Step = nil
	if _, read, err := table.fitBy(t, &dialect, Automatic, false); err != nil || read == 0 || table.steps > 0 {
		t.Errorf("what a step costs is not known: rows were read %d times, %d steps, %v", read, table.steps, err)
	}
}

// What sums do not settle rows tell: classes that are separated, and sums that are no numbers; rows that are others are an error.
func TestNewtonStepsGiveUp(t *testing.T) {
	x := []float64{1, 2, 3, 4, 5, 6, 7, 4}
	separated := &newtonTable{x: x, y: []float64{0, 0, 0, 0, 1, 1, 1, 0}}
	var e *mlreg.SeparationError
	if _, read, err := separated.fitOf(t, false); !errors.As(err, &e) || read == 0 || separated.steps == 0 {
		t.Errorf("rows were read %d times after %d steps: %v", read, separated.steps, err)
	}
	y := []float64{0, 1, 0, 0, 1, 0, 1, 1}
	infinite := &newtonTable{x: x, y: y, wrong: func(row []driver.Value) { row[13] = math.Inf(1) }}
	if _, read, err := infinite.fitOf(t, false); err != nil || read == 0 {
		t.Errorf("rows were read %d times: %v", read, err)
	}
	fewer := &newtonTable{x: x, y: y, wrong: func(row []driver.Value) { row[1] = 7.0 }}
	if _, _, err := fewer.fitOf(t, false); !errors.Is(err, ErrChanged) {
		t.Error(err)
	}
}

// The digits that a fit states fall with the bounds that its steps come with.
func TestNewtonStepsStateTheirErrors(t *testing.T) {
	x, y := []float64{1, 2, 3, 4, 5, 6, 7, 4}, []float64{0, 1, 0, 0, 1, 0, 1, 1}
	exact := &newtonTable{x: x, y: y}
	off := &newtonTable{x: x, y: y, wrong: func(row []driver.Value) { row[10] = 1e14 }} // of the residuals
	var digits [2]int
	for k, table := range []*newtonTable{exact, off} {
		fit, _, err := table.fitOf(t, false)
		if err != nil {
			t.Fatal(err)
		}
		digits[k], _ = fit.(*mlreg.Logistic).Digits()
	}
	if digits[0] < 12 || digits[1] > 9 {
		t.Errorf("%d digits are stated", digits)
	}
}

// sqlReader computes an expression of SQL: numbers, names, + - * /, comparisons, abs, exp, ln and CASE.
type sqlReader struct {
	rest  string
	names map[string]float64
}

func (r *sqlReader) takes(token string) bool {
	rest, found := strings.CutPrefix(strings.TrimLeft(r.rest, " "), token)
	if found {
		r.rest = rest
	}
	return found
}

func (r *sqlReader) compared() float64 {
	x := r.sum()
	for token, holds := range map[string]func(a, b float64) bool{">=": func(a, b float64) bool { return a >= b }, "> ": func(a, b float64) bool { return a > b }, "< ": func(a, b float64) bool { return a < b }, "= ": func(a, b float64) bool { return a == b }} {
		if r.takes(token) {
			if y := r.sum(); holds(x, y) {
				return 1
			}
			return 0
		}
	}
	return x
}

func (r *sqlReader) sum() float64 {
	x := r.product()
	for {
		switch {
		case r.takes("+"):
			x += r.product()
		case r.takes("-"):
			x -= r.product()
		default:
			return x
		}
	}
}

func (r *sqlReader) product() float64 {
	x := r.factor()
	for {
		switch {
		case r.takes("*"):
			x *= r.factor()
		case r.takes("/"):
			x /= r.factor()
		default:
			return x
		}
	}
}

func (r *sqlReader) factor() float64 {
	switch {
	case r.takes("-"):
		return -r.factor()
	case r.takes("CASE WHEN"):
		return r.choice()
	case r.takes("("):
		x := r.compared()
		r.takes(")")
		return x
	}
	word := regexp.MustCompile(`^ *([a-z]+|[0-9][0-9.e+-]*)`).FindStringSubmatch(r.rest)
	r.rest = r.rest[len(word[0]):]
	if f, ok := map[string]func(float64) float64{"abs": math.Abs, "exp": math.Exp, "ln": math.Log}[word[1]]; ok {
		return f(r.factor())
	}
	if x, ok := r.names[word[1]]; ok {
		return x
	}
	return number(word[1])
}

func (r *sqlReader) choice() float64 {
	first := r.compared()
	r.takes("THEN")
	x := r.compared()
	r.takes("ELSE")
	y := r.compared()
	r.takes("END")
	if first != 0 {
		return x
	}
	return y
}

// What a step writes of a row are curvature, residual and loss of its likelihood, far out as well.
func TestLossOfARow(t *testing.T) {
	for _, counts := range []bool{false, true} {
		for _, eta := range []float64{-200, -40, -3, -0.1, 0, 0.2, 0.7, 2, 30, 200} {
			for _, y := range []float64{0, 1, 2, 7} {
				if !counts && y > 1 {
					continue
				}
				names := map[string]float64{"eta": eta, "y": y, "eo": 3}
				for _, step := range lossSteps(SQLite, compressed.Loss{Counts: counts, One: 1}, "y", func(of string) string { return of }) {
					found := make(map[string]float64)
					for _, b := range step {
						r := &sqlReader{b.sql, names}
						if found[b.name] = r.compared(); r.rest != "" {
							t.Fatalf("%s: %q is left", b.sql, r.rest)
						}
					}
					maps.Copy(names, found)
				}
				mu := math.Exp(eta)
				v, residual, loss := mu, y-mu, mu-y*eta
				if counts && y > 0 {
					loss += y * (math.Log(y) - 1)
				}
				if !counts {
					near, far := math.Exp(-math.Abs(eta)), 1+math.Exp(-math.Abs(eta))
					v, residual, loss = near/far/far, 1/(1+math.Exp(-eta)), math.Log1p(near)+math.Max(eta, 0)
					if residual = -residual; y == 1 {
						residual, loss = 1/(1+math.Exp(eta)), math.Log1p(near)+math.Max(-eta, 0)
					}
				}
				got, want := []float64{names["v"], names["v"] * names["z"], names["l"]}, []float64{v, residual, loss}
				for i := range got {
					if math.Abs(got[i]-want[i]) > 1e-13*(math.Abs(want[i])+map[bool]float64{true: y * (1 + math.Abs(eta)), false: 1}[counts]) {
						t.Errorf("counts %v, eta = %v, y = %v: curvature, residual and loss are %v, want %v", counts, eta, y, got, want)
						break
					}
				}
				if least := 3 + 4*math.Abs(names["z"]); !(names["zo"] >= least) {
					t.Errorf("counts %v, eta = %v, y = %v: off by %v at most, want %v", counts, eta, y, names["zo"], least)
				}
			}
		}
	}
}
