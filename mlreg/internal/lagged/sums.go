package lagged

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/regbook/regbook/mlreg/internal/dd"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/problem"
)

// Design says what a row of a lagged design has: the values of lagged channels at the
// lags 0 to Depth, channel by channel, then those of other channels at lag 0.
type Design struct {
	Lagged blas64.General // T x c, row-major with Stride c
	Depth  []int          // c: the largest lag of each, at least 1
	Now    blas64.General // T x k; k may be 0
}

// Run is the times First <= t < End.
type Run struct{ First, End int }

// Columns returns the number of columns of a row.
func (d *Design) Columns() int {
	p := d.Now.Cols
	for _, depth := range d.Depth {
		p += depth + 1
	}
	return p
}

// Longest returns the largest lag.
func (d *Design) Longest() int {
	longest := 0
	for _, depth := range d.Depth {
		longest = max(longest, depth)
	}
	return longest
}

// offsets returns the first column of each lagged channel, and of the others.
func (d *Design) offsets() (first []int, now int) {
	for _, depth := range d.Depth {
		first = append(first, now)
		now += depth + 1
	}
	return first, now
}

// Sums are those of the rows of a design.
type Sums struct {
	N         int
	G         blas64.General // p x p: sum of products, upper triangle
	Total     []float64      // p: sums of the columns
	Gross     []float64      // p: the sums of squares that rounding errors are relative to
	Refreshes int            // direct sums after the first
}

const (
	direct   = 8    // runs of up to so many times are summed directly
	most     = 128  // steps of the recurrence without a refresh
	shrunk   = 100  // factor by which a sum of squares may shrink without one
	together = 4096 // rows that are copied at a time
)

// Sum returns the sums of the rows at the times of the runs, which are in rising order
// and do not touch; the first has Longest times before it.
func Sum(d *Design, runs []Run) *Sums {
	p := d.Columns()
	s := &Sums{G: blas64.General{Rows: p, Cols: p, Stride: max(p, 1), Data: make([]float64, p*p)}, Total: make([]float64, p), Gross: make([]float64, p)}
	var long []Run
	var short, starts, ends []int
	for _, r := range runs {
		s.N += r.End - r.First
		if r.End-r.First > direct && len(d.Depth) > 0 {
			long = append(long, r)
			starts, ends = append(starts, r.First), append(ends, r.End)
			continue
		}
		for t := r.First; t < r.End; t++ {
			short = append(short, t)
		}
	}
	if len(long) > 0 {
		s.addRows(d, starts, +1, 1)
		s.addRows(d, ends, -1, 1)
		s.recur(d, long)
	}
	if len(short) > 0 {
		s.addDirect(d, short)
	}
	for j := range p {
		s.Gross[j] = math.Max(s.Gross[j], s.G.Data[j*p+j])
	}
	return s
}

// addRows adds sign times the products of the rows at times, lags from least on.
func (s *Sums) addRows(d *Design, times []int, sign float64, least int) {
	p := d.Columns()
	first, now := d.offsets()
	buffer := make([]float64, min(len(times), 256)*p)
	for len(times) > 0 {
		n := min(len(times), 256)
		clear(buffer)
		for i, t := range times[:n] {
			row := buffer[i*p : (i+1)*p]
			for c, depth := range d.Depth {
				for lag := least; lag <= depth; lag++ {
					row[first[c]+lag] = d.Lagged.Data[(t-lag)*d.Lagged.Stride+c]
				}
			}
			if least == 0 && d.Now.Cols > 0 {
				copy(row[now:], d.Now.Data[t*d.Now.Stride:t*d.Now.Stride+d.Now.Cols])
			}
			if least == 0 {
				for j, v := range row {
					s.Total[j] += v
				}
			}
		}
		rows := blas64.General{Rows: n, Cols: p, Stride: p, Data: buffer[:n*p]}
		gram.AddProduct(s.G, sign, rows, rows, true)
		times = times[n:]
	}
}

// addDirect adds whole rows.
func (s *Sums) addDirect(d *Design, times []int) { s.addRows(d, times, 1, 0) }

// recur fills G, which has what enters and leaves at lags from 1 on, and Total.
func (s *Sums) recur(d *Design, runs []Run) {
	p, longest := d.Columns(), d.Longest()
	first, now := d.offsets()
	s.fresh(d, runs, 0)
	last := 0 // refresh
	peak := make([]float64, len(d.Depth))
	for c := range peak {
		j := first[c]
		peak[c] = s.G.Data[j*p+j]
		s.Gross[j] = peak[c]
	}
	for i := 1; i <= longest; i++ {
		renew := i-last >= most
		for c, depth := range d.Depth {
			if i > depth {
				continue
			}
			j := first[c] + i
			change := s.G.Data[j*p+j]
			square := s.G.Data[(j-1)*p+j-1] + change
			peak[c] = math.Max(peak[c], math.Max(square, math.Abs(change)))
			renew = renew || peak[c] > shrunk*square
		}
		if renew {
			s.fresh(d, runs, i)
			s.Refreshes++
			last = i
		} else {
			s.step(d, first, now, i)
		}
		for c, depth := range d.Depth {
			if i > depth {
				continue
			}
			j := first[c] + i
			if renew {
				peak[c] = s.G.Data[j*p+j]
			}
			s.Gross[j] = peak[c]
		}
	}
}

// step takes the blocks of G(i, j), j >= i, and G(j, i) from those of i-1: after a refresh
// at lag f, all with min(i, j) >= f follow from min(i, j) = f.
func (s *Sums) step(d *Design, first []int, now, i int) {
	p := d.Columns()
	gram.Each(len(d.Depth), func(c int) {
		for e := c; e < len(d.Depth); e++ {
			if i > d.Depth[c] || i > d.Depth[e] {
				continue
			}
			// Row i, columns from i on.
			to := s.G.Data[(first[c]+i)*p+first[e]+i : (first[c]+i)*p+first[e]+d.Depth[e]+1]
			from := s.G.Data[(first[c]+i-1)*p+first[e]+i-1:]
			for j := range to {
				to[j] += from[j]
			}
			if e == c {
				continue
			}
			// Column i, rows below i.
			for r := i + 1; r <= d.Depth[c]; r++ {
				s.G.Data[(first[c]+r)*p+first[e]+i] += s.G.Data[(first[c]+r-1)*p+first[e]+i-1]
			}
		}
	})
}

// fresh sets G(i, j) for min(i, j) = lag, by sums over all times.
func (s *Sums) fresh(d *Design, runs []Run, lag int) {
	p, longest, c := d.Columns(), d.Longest(), d.Lagged.Cols
	first, now := d.offsets()
	f, others := d.productsAt(runs, lag)
	k, wide := f.Rows, f.Cols
	// Column (longest-j) c + e of f is channel e at lag j.
	at := func(row, e, j int) float64 { return f.Data[row*wide+(longest-j)*c+e] }
	for e, depth := range d.Depth {
		for a := range d.Depth {
			for j := lag; j <= depth; j++ {
				switch {
				case lag > d.Depth[a]:
				case a < e || a == e: // G((a, lag), (e, j))
					s.G.Data[(first[a]+lag)*p+first[e]+j] = at(a, e, j)
				case j > lag: // G((e, j), (a, lag))
					s.G.Data[(first[e]+j)*p+first[a]+lag] = at(a, e, j)
				}
			}
		}
		if lag > 0 {
			continue
		}
		for j := range depth + 1 {
			for a := range d.Now.Cols {
				s.G.Data[(first[e]+j)*p+now+a] = at(c+a, e, j)
			}
			s.Total[first[e]+j] = at(k-1, e, j)
		}
	}
	if lag > 0 {
		return
	}
	for a := range d.Now.Cols {
		for b := a; b < d.Now.Cols; b++ {
			s.G.Data[(now+a)*p+now+b] = others.Data[a*others.Stride+b]
		}
		s.Total[now+a] = others.Data[a*others.Stride+d.Now.Cols]
	}
}

// productsAt returns the products of the channels at a lag (and, at lag 0, of the columns without
// lags and of a one) with all channels at it and the lags above, and at lag 0 those of the latter
// among themselves.
func (d *Design) productsAt(runs []Run, lag int) (f, others blas64.General) {
	longest, c := d.Longest(), d.Lagged.Cols
	k := c
	if lag == 0 {
		k += d.Now.Cols + 1
		others = blas64.General{Rows: k - c, Cols: k - c, Stride: k - c, Data: make([]float64, (k-c)*(k-c))}
	}
	wide := (longest - lag + 1) * c
	f = blas64.General{Rows: k, Cols: wide, Stride: wide, Data: make([]float64, k*wide)}
	buffer := make([]float64, together*k)
	for _, r := range runs {
		for t := r.First; t < r.End; t += together {
			n := min(together, r.End-t)
			left := blas64.General{Rows: n, Cols: k, Stride: k, Data: buffer[:n*k]}
			for i := range n {
				row := buffer[i*k : (i+1)*k]
				copy(row, d.Lagged.Data[(t+i-lag)*c:(t+i-lag+1)*c])
				if lag == 0 {
					if d.Now.Cols > 0 {
						copy(row[c:], d.Now.Data[(t+i)*d.Now.Stride:(t+i)*d.Now.Stride+d.Now.Cols])
					}
					row[k-1] = 1
				}
			}
			windows := blas64.General{Rows: n, Cols: wide, Stride: c, Data: d.Lagged.Data[(t-longest)*c:]}
			gram.AddProduct(f, 1, left, windows, false)
			if lag == 0 {
				right := left
				right.Cols, right.Data = k-c, left.Data[c:]
				gram.AddProduct(others, 1, right, right, true)
			}
		}
	}
	return f, others
}

// Moments returns the sums of the columns given, in rising order, the last of which is
// the response, about their means; center are the p numbers that were taken away from
// the columns. It overwrites G.
func (s *Sums) Moments(columns []int, center []float64) problem.Sums {
	p, k := s.G.Cols, len(columns)-1
	n := float64(s.N)
	m := problem.Sums{
		N: s.N, W: n, MeanX: make([]float64, k), MeanXLow: make([]float64, k), SXY: make([]float64, k),
		GrossN: s.N, GrossW: n, Gross: make([]float64, k+1), Steps: min(most, p),
	}
	for i, from := range columns {
		mean := dd.Of(s.Total[from]).Div(dd.Of(n))
		m.Gross[i] = s.Gross[from]
		whole := mean.Add(dd.Of(center[from]))
		if i == k {
			m.MeanY, m.MeanYLow = whole.Hi, whole.Lo
		} else {
			m.MeanX[i], m.MeanXLow[i] = whole.Hi, whole.Lo
		}
	}
	get := func(i, j int) float64 { // of columns i <= j; the response may come before others in G
		a, b := columns[i], columns[j]
		if a > b {
			a, b = b, a
		}
		v := s.G.Data[a*p+b] - s.Total[a]/n*s.Total[b]
		if a == b {
			v = math.Max(v, 0)
		}
		return v
	}
	for i := range k {
		m.SXY[i] = get(i, k)
	}
	m.SYY = get(k, k)
	// In place: entry (i, j) of k x k moves to no later place than it had in p x p.
	for i := range k {
		for j := range k {
			v := 0.0
			if j >= i {
				v = get(i, j)
			}
			s.G.Data[i*k+j] = v
		}
	}
	m.SXX = s.G.Data[: k*k : k*k]
	return m
}
