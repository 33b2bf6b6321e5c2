package main

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// dice draws everything random of a case.
type dice struct{ *rand.Rand }

// newDice returns the dice of a case.
func newDice(seed, number uint64) dice { return dice{rand.New(rand.NewPCG(seed, number))} }

// chance is true with probability p.
func (r dice) chance(p float64) bool { return r.Float64() < p }

// between returns an integer from low to high.
func (r dice) between(low, high int) int { return low + r.IntN(high-low+1) }

// pick returns one of some values.
func pick[T any](r dice, values ...T) T { return values[r.IntN(len(values))] }

// randomTable draws a table: a response y, classes z (0 and 1) and k (text), numbers x1, x2 ...
// of all sorts, factors f1, f2 ..., sometimes true or false b, and missing values.
func randomTable(r dice) *table {
	n := r.between(12, 40)
	if r.chance(0.5) {
		n = r.between(40, 150)
	}
	t := &table{name: "random"}
	eta := make([]float64, n)
	var first []float64
	for j := range r.between(1, 6) {
		x := randomNumbers(r, n, first)
		if j == 0 {
			first = x
		}
		addTo(eta, scaled(x), pick(r, 0, 0.3, 1, 3)*r.NormFloat64())
		t.columns = append(t.columns, numberColumn(pick(r, "x%d", "x%d", "x%d", "x.%d", "x_%d", "my x%d"), j+1, x, r.between(3, 8)))
	}
	for j := range r.IntN(4) {
		c, codes := randomFactor(r, j+1, n)
		addTo(eta, codes, pick(r, 0, 0.5, 2)*r.NormFloat64())
		t.columns = append(t.columns, c)
	}
	if r.chance(0.3) {
		b := column{name: "b"}
		for range n {
			b.cells = append(b.cells, pick(r, "TRUE", "FALSE"))
		}
		t.columns = append(t.columns, b)
	}
	if r.chance(0.3) {
		sprinkle(r, t)
	}
	return t.with(randomResponse(r, eta)).with(randomClass(r, eta, "z", "0", "1")).with(randomClass(r, eta, "k", "no", "yes"))
}

func addTo(sum, x []float64, factor float64) {
	for i := range sum {
		sum[i] += factor * x[i]
	}
}

// scaled returns x with mean 0 and standard deviation 1.
func scaled(x []float64) []float64 {
	var mean, square float64
	for _, v := range x {
		mean += v / float64(len(x))
	}
	for _, v := range x {
		square += (v - mean) * (v - mean) / float64(len(x))
	}
	z := make([]float64, len(x))
	for i, v := range x {
		if square > 0 {
			z[i] = (v - mean) / math.Sqrt(square)
		}
	}
	return z
}

func numberColumn(name string, j int, x []float64, digits int) column {
	c := column{name: fmt.Sprintf(name, j)}
	for _, v := range x {
		c.cells = append(c.cells, text(v, digits))
	}
	return c
}

// randomNumbers draws a column of numbers: normal, positive, counts, years, of large mean
// or small scale, or nearly a copy of another column.
func randomNumbers(r dice, n int, other []float64) []float64 {
	x := make([]float64, n)
	sort := r.IntN(8)
	noise := pick(r, 1, 0.3, 0.1, 0.01, 0.001)
	scale := pick(r, 1e-5, 1, 1, 100, 1e6)
	for i := range x {
		z := r.NormFloat64()
		switch {
		case sort == 0:
			x[i] = math.Exp(z)
		case sort == 1:
			x[i] = scale * r.Float64()
		case sort == 2:
			x[i] = float64(r.IntN(6))
		case sort == 3:
			x[i] = float64(1950 + r.IntN(70))
		case sort == 4:
			x[i] = 1000 + 10*z
		case sort == 5 && other != nil:
			x[i] = other[i] * (1 + noise*z)
		default:
			x[i] = scale * z
		}
	}
	return x
}

// randomFactor draws a factor, and a number for every row that its effect is a multiple of.
func randomFactor(r dice, j, n int) (column, []float64) {
	levels := pick(r, []string{"a", "b"}, []string{"low", "mid", "high"}, []string{"A", "b", "C", "d"},
		[]string{"x y", "x-z", "10%"}, []string{"1", "2", "10"})[:]
	c := column{name: fmt.Sprintf("f%d", j)}
	codes := make([]float64, n)
	for i := range codes {
		k := i % len(levels) // each level occurs
		if i >= len(levels) {
			k = r.IntN(len(levels))
		}
		c.cells = append(c.cells, levels[k])
		codes[i] = float64(k)
	}
	return c, codes
}

// sprinkle makes some cells of some columns missing.
func sprinkle(r dice, t *table) {
	share := pick(r, 0.01, 0.05, 0.15)
	for _, c := range t.columns {
		if !r.chance(0.5) {
			continue
		}
		for i := range c.cells {
			if r.chance(share) {
				c.cells[i] = missing
			}
		}
	}
}

// randomResponse draws numbers about eta.
func randomResponse(r dice, eta []float64) column {
	noise := pick(r, 1e-4, 0.1, 1, 1, 1, 10)
	mean := pick(r, 0.0, 5, 5, 1000)
	scale := pick(r, 1, 1, 1, 1e-3, 1e5)
	y := make([]float64, len(eta))
	for i := range y {
		y[i] = scale * (mean + eta[i] + noise*r.NormFloat64())
	}
	return numberColumn("y", 0, y, r.between(4, 9)).rename("y")
}

// randomClass draws one of two classes of log odds proportional to eta; with a large
// factor they are nearly or wholly separated.
func randomClass(r dice, eta []float64, name, no, yes string) column {
	factor := pick(r, 0.2, 0.5, 1, 1, 2, 8)
	shift := pick(r, -1.0, 0, 0, 0.5)
	c := column{name: name}
	for _, e := range scaled(eta) {
		cell := no
		if r.chance(1 / (1 + math.Exp(-factor*e-shift))) {
			cell = yes
		}
		c.cells = append(c.cells, cell)
	}
	return c
}

// randomWeights draws a column of weights, at times with zeros.
func randomWeights(r dice, n int) column {
	c := column{name: "w"}
	sort := r.IntN(3)
	for range n {
		w := 0.2 + 3*r.Float64()
		if sort == 1 {
			w = float64(r.between(1, 5))
		}
		if sort == 2 && r.chance(0.1) {
			w = 0
		}
		c.cells = append(c.cells, text(w, 4))
	}
	return c
}

func (c column) rename(name string) column { return column{name, c.cells} }

// rowsToPredict draws new rows: numbers between those of two rows of the table, at times
// a little beyond, text as it occurs, and at times a missing value of a predictor.
func rowsToPredict(r dice, t *table, response, weights string) *table {
	rows := &table{name: t.name}
	n := r.between(2, 8)
	for _, c := range t.columns {
		if c.name == weights {
			continue
		}
		numbers, number := c.numbers()
		levels := c.levels()
		fresh := column{name: c.name}
		for range n {
			cell := pick(r, levels...)
			if number && len(levels) > 8 {
				a, b, s := pick(r, numbers...), pick(r, numbers...), r.Float64()
				if r.chance(0.1) {
					s = 1.1
				}
				cell = text(a+s*(b-a), 6)
			}
			if r.chance(0.01) && c.name != response {
				cell = missing
			}
			fresh.cells = append(fresh.cells, cell)
		}
		rows.columns = append(rows.columns, fresh)
	}
	return rows
}
