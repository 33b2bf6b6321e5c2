package lagged

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/regbook/regbook/mlreg/internal/dd"
)

// column returns the values of all columns at time t.
func (d *Design) row(t int) []float64 {
	var row []float64
	for c, depth := range d.Depth {
		for lag := range depth + 1 {
			row = append(row, d.Lagged.Data[(t-lag)*d.Lagged.Stride+c])
		}
	}
	for k := range d.Now.Cols {
		row = append(row, d.Now.Data[t*d.Now.Stride+k])
	}
	return row
}

// exact returns cross-products and totals by sums in double-double.
func exact(d *Design, runs []Run) (g [][]dd.Number, total []dd.Number) {
	p := d.Columns()
	total = make([]dd.Number, p)
	for range p {
		g = append(g, make([]dd.Number, p))
	}
	for _, r := range runs {
		for t := r.First; t < r.End; t++ {
			row := d.row(t)
			for i, v := range row {
				total[i] = total[i].Add(dd.Of(v))
				for j := i; j < p; j++ {
					g[i][j] = g[i][j].Add(dd.Of(v).Mul(dd.Of(row[j])))
				}
			}
		}
	}
	return g, total
}

func series(src *rand.Rand, times, channels, now int, depth ...int) *Design {
	matrix := func(cols int) blas64.General {
		m := blas64.General{Rows: times, Cols: cols, Stride: max(cols, 1), Data: make([]float64, times*cols)}
		for i := range m.Data {
			m.Data[i] = src.NormFloat64()
		}
		return m
	}
	return &Design{Lagged: matrix(channels), Now: matrix(now), Depth: depth}
}

// check wants every entry to be within the stated bound of the exact one.
func check(t *testing.T, d *Design, runs []Run) *Sums {
	t.Helper()
	s := Sum(d, runs)
	g, total := exact(d, runs)
	p := d.Columns()
	n := 0
	for _, r := range runs {
		n += r.End - r.First
	}
	if s.N != n {
		t.Errorf("%d rows, want %d", s.N, n)
	}
	// Blocks of 256 products, each wrong by its rounding, and the steps of the recurrence.
	rounding := dd.Unit * (2*16*4 + 4*math.Sqrt(float64(n)/256+most))
	for i := range p {
		if off := math.Abs(s.Total[i] - total[i].Float()); off > rounding*math.Sqrt(float64(n)*s.Gross[i])+1e-300 {
			t.Errorf("total of column %d is off by %v", i, off)
		}
		if s.Gross[i] < s.G.Data[i*p+i] {
			t.Errorf("column %d: gross %v below the sum of squares %v", i, s.Gross[i], s.G.Data[i*p+i])
		}
		for j := i; j < p; j++ {
			off := math.Abs(dd.Of(s.G.Data[i*p+j]).Sub(g[i][j]).Float())
			if bound := rounding * math.Sqrt(s.Gross[i]*s.Gross[j]); !(off <= bound) {
				t.Fatalf("G(%d, %d) = %v is off by %v, bound %v", i, j, s.G.Data[i*p+j], off, bound)
			}
		}
	}
	return s
}

func TestSumsAgainstDirect(t *testing.T) {
	src := rand.New(rand.NewPCG(1, 21))
	for _, c := range []struct {
		times, channels, now int
		depth                []int
		runs                 []Run
		refreshes            int
	}{
		{100, 1, 0, []int{1}, []Run{{1, 100}}, 0},
		{100, 1, 1, []int{7}, []Run{{7, 100}}, 0},
		{300, 3, 0, []int{5, 5, 5}, []Run{{5, 300}}, 0},
		{300, 3, 2, []int{9, 2, 5}, []Run{{9, 80}, {95, 96}, {100, 103}, {120, 300}}, 0},
		{200, 2, 0, []int{4, 1}, []Run{{4, 12}, {14, 20}}, 0},                    // short runs only
		{400, 2, 3, []int{150, 149}, []Run{{150, 290}, {300, 400}}, 1},           // refreshed by count
		{9000, 2, 1, []int{3, 2}, []Run{{3, 4200}, {4201, 9000}}, 0},             // copied in parts
		{50, 0, 3, nil, []Run{{0, 20}, {25, 50}}, 0},                             // nothing lagged
		{600, 11, 1, []int{9, 8, 7, 9, 1, 2, 3, 4, 5, 6, 7}, []Run{{9, 600}}, 0}, // wider than a kernel
	} {
		if s := check(t, series(src, c.times, c.channels, c.now, c.depth...), c.runs); s.Refreshes != c.refreshes {
			t.Errorf("%d lags: %d refreshes, want %d", c.depth, s.Refreshes, c.refreshes)
		}
	}
}

// A value of 1e8 that leaves the window would take 16 digits from the sums after it.
func TestSumsRefreshed(t *testing.T) {
	src := rand.New(rand.NewPCG(2, 21))
	d := series(src, 500, 2, 1, 12, 9)
	d.Lagged.Data[499*2] = 1e8
	runs := []Run{{12, 500}}
	s := check(t, d, runs)
	if s.Refreshes != 1 {
		t.Errorf("%d refreshes, want 1", s.Refreshes)
	}
	g, _ := exact(d, runs)
	p := d.Columns()
	for i := 1; i < p; i++ {
		if got, want := s.G.Data[i*p+i], g[i][i].Float(); math.Abs(got-want) > 1e-13*want {
			t.Errorf("column %d has the sum of squares %v, want %v", i, got, want)
		}
	}
	if quiet := Sum(series(src, 500, 2, 1, 12, 9), runs); quiet.Refreshes != 0 {
		t.Errorf("%d refreshes of white noise", quiet.Refreshes)
	}
}

func TestMoments(t *testing.T) {
	src := rand.New(rand.NewPCG(3, 21))
	d := series(src, 200, 2, 1, 3, 4)
	runs := []Run{{4, 90}, {100, 200}}
	center := make([]float64, d.Columns())
	for j := range center {
		center[j] = float64(j)
	}
	columns := []int{1, 2, 3, 5, 8, 9, 0} // without two lags; the response is column 0
	m := Sum(d, runs).Moments(columns, center)
	k := len(columns) - 1
	mean := make([]float64, k+1)
	var rows [][]float64
	for _, r := range runs {
		for t := r.First; t < r.End; t++ {
			all := d.row(t)
			row := make([]float64, k+1)
			for i, j := range columns {
				row[i] = all[j]
				mean[i] += all[j] / 186
			}
			rows = append(rows, row)
		}
	}
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-11 {
			t.Errorf("%s is %v, want %v", what, got, want)
		}
	}
	cross := func(i, j int) (sum float64) {
		for _, row := range rows {
			sum += (row[i] - mean[i]) * (row[j] - mean[j])
		}
		return sum
	}
	for i := range k {
		near("a mean", m.MeanX[i], mean[i]+center[columns[i]])
		near("SXY", m.SXY[i], cross(i, k))
		for j := i; j < k; j++ {
			near("SXX", m.SXX[i*k+j], cross(i, j))
		}
	}
	near("the mean of the response", m.MeanY, mean[k])
	near("SYY", m.SYY, cross(k, k))
	if m.N != 186 || m.W != 186 {
		t.Errorf("%d rows of weight %v", m.N, m.W)
	}
}

func BenchmarkSum(b *testing.B) {
	const times, channels, lags = 40000, 30, 50
	depth := make([]int, channels)
	for c := range depth {
		depth[c] = lags
	}
	d := series(rand.New(rand.NewPCG(4, 21)), times, channels, 1, depth...)
	for b.Loop() {
		Sum(d, []Run{{lags, times}})
	}
}

// What errors are relative to does not shrink with the sums: a value leaves the window that
// a tenth of its digits go with.
func TestGrossRemembers(t *testing.T) {
	d := series(rand.New(rand.NewPCG(5, 21)), 500, 2, 0, 6, 6)
	d.Lagged.Data[499*2] = 150 // its square is some forty times those of the others
	s := Sum(d, []Run{{6, 500}})
	if s.Refreshes != 0 {
		t.Fatalf("%d refreshes", s.Refreshes)
	}
	p := d.Columns()
	for i := 1; i <= 6; i++ {
		if s.Gross[i] < s.G.Data[0] || s.G.Data[i*p+i] > s.G.Data[0]/10 {
			t.Errorf("lag %d: gross %v of the square %v, after %v", i, s.Gross[i], s.G.Data[i*p+i], s.G.Data[0])
		}
	}
}
