package mlreg

import (
	"fmt"
	"hash/fnv"
	"math"

	"github.com/regbook/regbook/mlreg/internal/door"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/problem"
)

// observed is what a fit keeps of its rows to tell whether another is of the same rows of
// the same response. N is 0 if that is not known.
type observed struct {
	N       int     // rows of positive weight
	W, LogW float64 // sums of weights and of their logarithms
	Classes bool    // Y is of numbers that stand for the names of classes
	Y       meanSD
	Offset  meanSD
	Hash    uint64 // of the response of rows of positive weight in their order, 0 if not known
}

// meanSD is the weighted mean of values and their standard deviation, with the sum of the
// weights for its divisor.
type meanSD struct{ Mean, SD float64 }

// observed returns what is known of the rows of d, unknown if the response is not that of the data.
func (d *Design) observed() observed {
	if d != nil && d.counted != nil {
		return d.counted.observed
	}
	n := d.NObs()
	if n == 0 || len(d.Y) != n || d.subtracted ||
		d.Weights != nil && len(d.Weights) != n || d.Offset != nil && len(d.Offset) != n {
		return observed{}
	}
	s := observed{Classes: d.Classes != nil}
	s.N, s.W = n, float64(n)
	if d.Weights != nil {
		rows := problem.Rows{Y: d.Y, Weights: d.Weights}
		s.N, s.W, s.LogW = rows.Totals()
	}
	number := d.numberOf()
	s.Y, s.Hash = d.spreadOf(number), d.hashOf(number)
	if d.Offset != nil {
		s.Offset = d.spreadOf(d.offsetAt)
	}
	return s
}

// hashOf returns sum_i h(y_i) hashBase^i over the rows of positive weight.
func (d *Design) hashOf(number func(i int) float64) uint64 {
	hash, power := uint64(0), uint64(1)
	for i := range d.Y {
		if d.Weight(i) > 0 {
			bits := math.Float64bits(number(i)+0) * 0x9e3779b97f4a7c15 // 0 for -0
			hash += (bits ^ bits>>29 | 1) * power
			power *= hashBase
		}
	}
	return hash
}

const hashBase = 0xd6e8feb86659fd93

// numberOf returns the function that gives the response of a row, for a class a number that
// depends on its name alone, whatever the order of the classes.
func (d *Design) numberOf() func(i int) float64 {
	if d.Classes == nil {
		return func(i int) float64 { return d.Y[i] }
	}
	number := make([]float64, len(d.Classes))
	for k, class := range d.Classes {
		h := fnv.New64a()
		h.Write([]byte(class))
		number[k] = float64(h.Sum64()>>11) / (1 << 53)
	}
	return func(i int) float64 {
		if y := d.Y[i]; y >= 0 && y < float64(len(number)) {
			return number[int(y)]
		}
		return 0
	}
}

// spreadOf returns that of values of the rows of positive weight.
func (d *Design) spreadOf(value func(i int) float64) meanSD {
	s := d.spreadIn(value, 1)
	if variance := s.SD * s.SD; variance-variance == 0 && variance > 1e-280 {
		return s
	}
	var largest float64 // its squares over- or underflow, or it is constant
	for i := range d.Y {
		if d.Weight(i) > 0 {
			largest = math.Max(largest, math.Abs(value(i)))
		}
	}
	if largest == 0 || largest-largest != 0 {
		return s
	}
	return d.spreadIn(value, min(max(problem.UnitOf(largest), -1000), 1000).Float())
}

// spreadIn is spreadOf by sums of values in units of a power of two.
func (d *Design) spreadIn(value func(i int) float64, unit float64) meanSD {
	var first, total, about, ss float64
	for i := range d.Y {
		if w := d.Weight(i); w > 0 {
			x := value(i) / unit
			if total == 0 {
				first = x
			}
			total += w
			about += w * (x - first)
		}
	}
	if total == 0 {
		return meanSD{}
	}
	mean := first + about/total
	for i := range d.Y {
		if w := d.Weight(i); w > 0 {
			ss += w * gram.Square(value(i)/unit-mean)
		}
	}
	return meanSD{mean * unit, math.Sqrt(ss/total) * unit}
}

// and returns what is known of the rows of both.
func (s observed) and(o observed) observed {
	switch {
	case s.N == 0:
		return o
	case o.N == 0:
		return s
	}
	hash := uint64(0)
	if s.Hash != 0 && o.Hash != 0 {
		power, base := uint64(1), uint64(hashBase)
		for n := s.N; n > 0; n, base = n/2, base*base {
			if n%2 == 1 {
				power *= base
			}
		}
		hash = s.Hash + power*o.Hash
	}
	return observed{
		Hash: hash, N: s.N + o.N, W: s.W + o.W, LogW: s.LogW + o.LogW, Classes: s.Classes || o.Classes,
		Y: s.Y.and(o.Y, s.W, o.W), Offset: s.Offset.and(o.Offset, s.W, o.W),
	}
}

// and returns the spread of values with those of o, whose weights sum to w and wo.
func (s meanSD) and(o meanSD, w, wo float64) meanSD {
	share := wo / (w + wo)
	apart := o.Mean - s.Mean
	within := math.Hypot(s.SD*math.Sqrt(1-share), o.SD*math.Sqrt(share))
	return meanSD{s.Mean + share*apart, math.Hypot(within, apart*math.Sqrt(share*(1-share)))}
}

// near tells whether two spreads are the same but for the rounding of sums.
func (s meanSD) near(o meanSD) bool {
	tol := 1e-9*math.Max(s.SD, o.SD) + 1e-12*math.Max(math.Abs(s.Mean), math.Abs(o.Mean))
	apart := func(a, b float64) bool { return a != b && math.Abs(a-b) > tol }
	return !apart(s.Mean, o.Mean) && !apart(s.SD, o.SD)
}

// unlike is in what the rows of two fits differ.
type unlike int

const (
	alike         unlike = iota
	otherResponse        // by name
	otherNumber          // of rows
	otherWeights
	otherValues // of the response
)

// differs says in what the rows and responses of two fits differ, "" if they do not. Of
// rows that are not known only the name of the response counts.
func (h *header) differs(o *header) (unlike, string) {
	a, b := h.Observed, o.Observed
	switch {
	case h.Response != o.Response:
		return otherResponse, fmt.Sprintf("their responses are %q and %q", h.Response, o.Response)
	case a.N == 0 || b.N == 0:
		return alike, ""
	case a.N != b.N:
		return otherNumber, otherNumbers(a.N, b.N)
	case math.Abs(a.W-b.W) > 1e-9*math.Max(a.W, b.W) || math.Abs(a.LogW-b.LogW) > 1e-9*float64(a.N):
		return otherWeights, fmt.Sprintf("their weights differ: they sum to %.6g and %.6g, and their logarithms to %.6g and %.6g", a.W, b.W, a.LogW, b.LogW)
	case a.Y.near(b.Y):
		return alike, ""
	case a.Classes || b.Classes:
		return otherValues, fmt.Sprintf("their rows differ: the classes of %q have other weights", h.Response)
	}
	return otherValues, fmt.Sprintf("the values of %q differ: their means are %.6g and %.6g, and their standard deviations %.6g and %.6g",
		h.Response, a.Y.Mean, b.Y.Mean, a.Y.SD, b.Y.SD)
}

// fittedTo tells whether the fit is of the rows of d, as far as responses in their order tell.
func (h *header) fittedTo(d *Design) bool {
	hash := h.Observed.Hash
	return hash != 0 && h.Observed.N == d.PositiveRows() && hash == d.observed().Hash
}

// otherNumbers says what to do about fits of different numbers of rows.
func otherNumbers(a, b int) string {
	return fmt.Sprintf("they have %d and %d observations; if values are missing, keep the rows that are complete in all terms", a, b)
}

// hasRows is a fit that knows what rows it is of.
type hasRows interface{ head() *header }

func init() {
	door.FittedTo = func(fit, design any) bool {
		f, ok := fit.(hasRows)
		return ok && f.head().fittedTo(design.(*Design))
	}
}
