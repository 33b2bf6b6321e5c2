// Package randomtable draws tables of hostile columns from a seed and a number, for the
// programs that hold this project to R (internal/differential) and to itself
// (internal/invariance).
package randomtable

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
)

// Dice draws everything random of a case.
type Dice struct{ *rand.Rand }

// NewDice returns the Dice of a case.
func NewDice(seed, number uint64) Dice { return Dice{rand.New(rand.NewPCG(seed, number))} }

// ParseCase reads the name of a case, seed/number.
func ParseCase(name string) (seed, number uint64, err error) {
	before, after, _ := strings.Cut(name, "/")
	if seed, err = strconv.ParseUint(before, 10, 64); err == nil {
		number, err = strconv.ParseUint(after, 10, 64)
	}
	if err != nil {
		return 0, 0, fmt.Errorf("case %q is not seed/number: %w", name, err)
	}
	return seed, number, nil
}

// Chance is true with probability p.
func (r Dice) Chance(p float64) bool { return r.Float64() < p }

// Between returns an integer from low to high.
func (r Dice) Between(low, high int) int { return low + r.IntN(high-low+1) }

// Pick returns one of some values.
func Pick[T any](r Dice, values ...T) T { return values[r.IntN(len(values))] }

// Random draws a table: a response y, classes z (0 and 1) and k (text), numbers x1, x2 ...
// of all sorts, factors f1, f2 ..., sometimes true or false b, and missing values.
func Random(r Dice) *Table {
	n := r.Between(12, 40)
	if r.Chance(0.5) {
		n = r.Between(40, 150)
	}
	t := &Table{Name: "random"}
	eta := make([]float64, n)
	var first []float64
	for j := range r.Between(1, 6) {
		x := Numbers(r, n, first)
		if j == 0 {
			first = x
		}
		addTo(eta, Scaled(x), Pick(r, 0, 0.3, 1, 3)*r.NormFloat64())
		t.Columns = append(t.Columns, numberColumn(fmt.Sprintf(Pick(r, "x%d", "x%d", "x%d", "x.%d", "x_%d", "my x%d"), j+1), x, r.Between(3, 8)))
	}
	for j := range r.IntN(4) {
		c, codes := Factor(r, j+1, n)
		addTo(eta, codes, Pick(r, 0, 0.5, 2)*r.NormFloat64())
		t.Columns = append(t.Columns, c)
	}
	if r.Chance(0.3) {
		b := Column{Name: "b"}
		for range n {
			b.Cells = append(b.Cells, Pick(r, "TRUE", "FALSE"))
		}
		t.Columns = append(t.Columns, b)
	}
	if r.Chance(0.3) {
		sprinkle(r, t)
	}
	return t.With(randomResponse(r, eta)).With(randomClass(r, eta, "z", "0", "1")).With(randomClass(r, eta, "k", "no", "yes"))
}

func addTo(sum, x []float64, factor float64) {
	for i := range sum {
		sum[i] += factor * x[i]
	}
}

// Scaled returns x with mean 0 and standard deviation 1.
func Scaled(x []float64) []float64 {
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

func numberColumn(name string, x []float64, digits int) Column {
	c := Column{Name: name}
	for _, v := range x {
		c.Cells = append(c.Cells, Text(v, digits))
	}
	return c
}

// Numbers draws a column of numbers: normal, positive, counts, years, of large mean
// or small scale, or nearly a copy of another column.
func Numbers(r Dice, n int, other []float64) []float64 {
	x := make([]float64, n)
	sort := r.IntN(8)
	noise := Pick(r, 1, 0.3, 0.1, 0.01, 0.001)
	scale := Pick(r, 1e-5, 1, 1, 100, 1e6)
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

// Factor draws a factor, and a number for every row that its effect is a multiple of.
func Factor(r Dice, j, n int) (Column, []float64) {
	levels := Pick(r, []string{"a", "b"}, []string{"low", "mid", "high"}, []string{"A", "b", "C", "d"},
		[]string{"x y", "x-z", "10%"}, []string{"1", "2", "10"})[:]
	c := Column{Name: fmt.Sprintf("f%d", j)}
	codes := make([]float64, n)
	for i := range codes {
		k := i % len(levels) // each level occurs
		if i >= len(levels) {
			k = r.IntN(len(levels))
		}
		c.Cells = append(c.Cells, levels[k])
		codes[i] = float64(k)
	}
	return c, codes
}

// sprinkle makes some cells of some columns missing.
func sprinkle(r Dice, t *Table) {
	share := Pick(r, 0.01, 0.05, 0.15)
	for _, c := range t.Columns {
		if !r.Chance(0.5) {
			continue
		}
		for i := range c.Cells {
			if r.Chance(share) {
				c.Cells[i] = Missing
			}
		}
	}
}

// randomResponse draws numbers about eta.
func randomResponse(r Dice, eta []float64) Column {
	noise := Pick(r, 1e-4, 0.1, 1, 1, 1, 10)
	mean := Pick(r, 0.0, 5, 5, 1000)
	scale := Pick(r, 1, 1, 1, 1e-3, 1e5)
	y := make([]float64, len(eta))
	for i := range y {
		y[i] = scale * (mean + eta[i] + noise*r.NormFloat64())
	}
	return numberColumn("y", y, r.Between(4, 9))
}

// randomClass draws one of two classes of log odds proportional to eta; with a large
// factor they are nearly or wholly separated.
func randomClass(r Dice, eta []float64, name, no, yes string) Column {
	factor := Pick(r, 0.2, 0.5, 1, 1, 2, 8)
	shift := Pick(r, -1.0, 0, 0, 0.5)
	c := Column{Name: name}
	for _, e := range Scaled(eta) {
		cell := no
		if r.Chance(1 / (1 + math.Exp(-factor*e-shift))) {
			cell = yes
		}
		c.Cells = append(c.Cells, cell)
	}
	return c
}

// Weights draws a column of weights, at times with zeros.
func Weights(r Dice, n int) Column {
	c := Column{Name: "w"}
	sort := r.IntN(3)
	for range n {
		w := 0.2 + 3*r.Float64()
		if sort == 1 {
			w = float64(r.Between(1, 5))
		}
		if sort == 2 && r.Chance(0.1) {
			w = 0
		}
		c.Cells = append(c.Cells, Text(w, 4))
	}
	return c
}
