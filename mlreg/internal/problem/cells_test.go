package problem

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/regbook/regbook/internal/compressed"
)

// cellRows are the rows of a cell, and what the columns of the model are there.
type cellRows struct {
	x       [][]float64
	y, w    []float64
	columns []compressed.Column
}

// design returns the rows of the model's p columns and the response.
func (c *cellRows) design(p int) [][]float64 {
	var rows [][]float64
	for i, x := range c.x {
		row := make([]float64, p+1)
		for _, column := range c.columns {
			if row[column.At] = column.Times; column.Of >= 0 {
				row[column.At] *= x[column.Of]
			}
		}
		row[p] = c.y[i]
		rows = append(rows, row)
	}
	return rows
}

// exactSums returns means and centered products of weighted rows in 600 bits.
func exactSums(rows [][]float64, w []float64) (mean []float64, s [][]float64) {
	k := len(rows[0])
	number := func(v float64) *big.Float { return new(big.Float).SetPrec(600).SetFloat64(v) }
	total, sums := number(0), make([]*big.Float, k)
	for j := range sums {
		sums[j] = number(0)
	}
	for i, row := range rows {
		total.Add(total, number(w[i]))
		for j, v := range row {
			sums[j].Add(sums[j], number(v).Mul(number(v), number(w[i])))
		}
	}
	mean, s = make([]float64, k), make([][]float64, k)
	for j := range k {
		s[j] = make([]float64, k)
		sums[j].Quo(sums[j], total)
		mean[j], _ = sums[j].Float64()
	}
	for a := range k {
		for b := a; b < k; b++ {
			sum := number(0)
			for i, row := range rows {
				u, v := number(row[a]), number(row[b])
				u.Sub(u, sums[a])
				sum.Add(sum, u.Mul(u, v.Sub(v, sums[b])).Mul(u, number(w[i])))
			}
			s[a][b], _ = sum.Float64()
		}
	}
	return mean, s
}

// Sums of cells make those of the columns of the model, of dummies, of their products with numbers far from zero and of
// contrasts, as exactly as their rows do; a column that has one value everywhere has the sums 0.
func TestExpandIsExact(t *testing.T) {
	rnd := rand.New(rand.NewPCG(4, 8))
	const p, levels = 8, 5
	for _, weighted := range []bool{false, true} {
		var parts []Part
		var rows [][]float64
		var w []float64
		for g := range levels {
			contrast := float64(g) / 3
			c := cellRows{columns: []compressed.Column{{At: 0, Of: 0, Times: 1}, {At: 1, Of: 1, Times: 1}, {At: 7, Of: -1, Times: 0.1}}}
			c.columns = append(c.columns, compressed.Column{At: 4, Of: 1, Times: contrast}, compressed.Column{At: 5, Of: -1, Times: contrast - 1})
			switch g {
			case 1, 2:
				c.columns = append(c.columns, compressed.Column{At: 1 + g, Of: -1, Times: 1})
			case 3:
				c.columns = append(c.columns, compressed.Column{At: 6, Of: 1, Times: 1})
			}
			slices.SortFunc(c.columns, func(a, b compressed.Column) int { return a.At - b.At })
			for range 3 + 40*g {
				x := 0x1p44 + float64(g) + rnd.NormFloat64()
				c.x = append(c.x, []float64{rnd.NormFloat64(), x})
				c.y = append(c.y, 1e4+x+rnd.NormFloat64())
				c.w = append(c.w, 1)
				if weighted {
					c.w[len(c.w)-1] = float64(rnd.IntN(4))
				}
			}
			data := make([]float64, 0, 2*len(c.x))
			for _, x := range c.x {
				data = append(data, x...)
			}
			s := SumRows(Rows{X: blas64.General{Rows: len(c.x), Cols: 2, Stride: 2, Data: data}, Y: c.y, Weights: c.w})
			parts = append(parts, Part{&s, c.columns})
			rows, w = append(rows, c.design(p)...), append(w, c.w...)
		}
		got := Expand(p, parts)
		mean, s := exactSums(rows, w)
		for j := range p + 1 {
			m, low := got.MeanY, got.MeanYLow
			if j < p {
				m, low = got.MeanX[j], got.MeanXLow[j]
			}
			if math.Abs(m-mean[j]+low) > 1e-15*math.Abs(mean[j]) {
				t.Errorf("mean %d is %v, exactly %v", j, m, mean[j])
			}
			if sq := got.Squares()[j]; got.Gross[j] < sq*(1-1e-14) || got.Gross[j] > 1.01*sq+1e-300 {
				t.Errorf("what the sums of column %d were made of is %v, with the sum of squares %v", j, got.Gross[j], sq)
			}
			for k := j; k <= p; k++ {
				v := got.SYY
				if k < p {
					v = got.SXX[j*p+k]
				} else if j < p {
					v = got.SXY[j]
				}
				unit := math.Sqrt(s[j][j] * s[k][k])
				if j == 7 || k == 7 {
					unit = 0 // the constant column
				}
				if math.Abs(v-s[j][k]) > 4e-15*unit+1e-20 {
					t.Errorf("%s: S_%d%d is %.17g, exactly %.17g", fmt.Sprint("weighted ", weighted), j, k, v, s[j][k])
				}
			}
		}
		if got.N != parts[0].N+parts[1].N+parts[2].N+parts[3].N+parts[4].N || got.GrossN != got.N || got.Steps != 1 {
			t.Errorf("%d rows, made of %d in %d steps", got.N, got.GrossN, got.Steps)
		}
	}
}

// What sums computed elsewhere state of their errors stays, in units of what they were made of.
func TestExpandKeepsErrors(t *testing.T) {
	part := func(g int) Part {
		s := NewSums(1)
		s.N, s.W, s.MeanX[0], s.SXX[0], s.SYY, s.MeanXLow = 10, 10, 5, 3, 7, []float64{0}
		s.RelErr, s.Gross, s.GrossW, s.Lost = 1e-12*float64(1+g), []float64{300, 7}, 10, []float64{2}
		return Part{&s, []compressed.Column{{At: g, Of: 0, Times: 2}}}
	}
	got := Expand(2, []Part{part(0), part(1)})
	// Column 0 is 10 in the first part and 0 in the second, beside twice the number.
	if want := 4*300 + 20*25.0; got.Gross[0] != want || got.Gross[2] != 14 || got.RelErr != 2e-12 || !got.Merged || got.Lost[0] != 4 {
		t.Errorf("made of %v, of %v wrong (merged: %v), lost %v", got.Gross, got.RelErr, got.Merged, got.Lost)
	}
}

// The numbers of rows are taken from those of the first one that has a weight.
func TestPointsAreAboutARowOfPositiveWeight(t *testing.T) {
	x := blas64.General{Rows: 3, Cols: 2, Stride: 3, Data: []float64{1e9, 1, 0, 5, 7, 0, 6, 10, 0}}
	for _, c := range []struct {
		weights []float64
		want    []float64
	}{
		{[]float64{0, 2, 1}, []float64{1, 1e9 - 5, -6, 1, 0, 0, 1, 1, 3}},
		{nil, []float64{1, 0, 0, 1, 5 - 1e9, 6, 1, 6 - 1e9, 9}},
		{make([]float64, 3), []float64{1, 0, 0, 1, 5 - 1e9, 6, 1, 6 - 1e9, 9}},
	} {
		var p Points
		p.Of(x, c.weights)
		if u := p.Of(x, nil); u.Rows != 3 || u.Cols != 3 || !slices.Equal(u.Data, c.want) {
			t.Errorf("weights %v: %v, want %v", c.weights, u.Data, c.want)
		}
	}
}
