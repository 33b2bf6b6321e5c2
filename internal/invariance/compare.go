package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/regbook/regbook/mlreg"
)

// disagreement is a quantity that a transformation changes, or a set that is refused on one side.
type disagreement struct {
	set      string
	e        *estimator
	t        *transformation
	quantity string
	off      float64 // as a multiple of what is allowed
	text     string
	refused  string // before or after, or ""
	several  bool   // fits are as good, and this is one of them
}

// outcome is what came of an estimator and a transformation on a set.
type outcome struct {
	e       *estimator
	t       *transformation
	refused bool // on both sides
	worst   float64
	open    []*disagreement
}

// scales are what the numbers of a fit are measured by.
type scales struct {
	mean, sd []float64 // of the columns
	cond     float64
	n        float64
}

// scales of the columns of a design, by its weights.
func scalesOf(in *input) *scales {
	s := &scales{n: float64(in.compared.NObs()), cond: 1}
	for j := range in.width {
		var weight, mean, square float64
		for i := range in.compared.NObs() {
			w, v := 1.0, in.compared.X.At(i, j)
			if in.compared.Weights != nil {
				w = in.compared.Weights[i]
			}
			weight += w
			delta := v - mean
			if weight > 0 {
				mean += delta * w / weight
			}
			square += w * delta * (v - mean)
		}
		s.mean, s.sd = append(s.mean, mean), append(s.sd, math.Sqrt(square/weight))
	}
	if f, err := mlreg.FitOLS(in.compared, &mlreg.OLSSettings{Aliased: mlreg.DropAliased}); err == nil {
		s.cond = math.Max(1, f.Cond())
	}
	return s
}

// natural are the scales of the numbers of a quantity.
func (s *scales) natural(q quantity, all quantities) []float64 {
	out := make([]float64, len(q.v))
	most := 0.0
	switch q.axis {
	case byColumn:
		for j, v := range q.v {
			if s.sd[j] > 0 {
				most = max(most, finite(v*math.Pow(s.sd[j], float64(-q.power))))
			}
		}
		for j := range q.v {
			out[j] = most * math.Pow(s.sd[j], float64(q.power))
		}
		return out
	case origin:
		name := strings.TrimSuffix(q.name, " (intercept)")
		name = strings.Replace(name, "slopes (intercept)", "slopes", 1)
		k := slices.IndexFunc(all, func(o quantity) bool { return o.name == name && o.axis == byColumn })
		if k >= 0 {
			slope, reach := 0.0, 0.0
			for j, v := range all[k].v {
				if s.sd[j] > 0 {
					slope, reach = max(slope, finite(v)*s.sd[j]), max(reach, math.Abs(s.mean[j])/s.sd[j])
				}
			}
			most = slope * reach
		}
		if strings.Contains(q.name, "of class") { // log odds, which may be zero by chance
			most = max(most, 1)
		}
	}
	for _, v := range q.v {
		most = max(most, finite(v))
	}
	if logarithmic(q.name) {
		most += s.n
	}
	for k := range out {
		out[k] = most
	}
	return out
}

// logarithmic numbers may be zero by chance.
func logarithmic(name string) bool {
	return strings.Contains(name, "Log") || strings.Contains(name, "AIC") || strings.Contains(name, "Criterion") || strings.Contains(name, "criterion") || strings.Contains(name, "Cp") || strings.Contains(name, "best models")
}

func finite(v float64) float64 {
	if v-v != 0 {
		return 0
	}
	return math.Abs(v)
}

// compare holds the quantities after a transformation to those before.
func (o *outcome) compare(d *disagreement, s *scales, back *mapping, before, after quantities) {
	if len(before) != len(after) {
		o.found(d, "quantities", math.Inf(1), fmt.Sprintf("%d quantities, and %d", len(before), len(after)))
		return
	}
	allowed := d.e.tolerated()
	allowed = max(allowed*max(1, s.cond/100), 0x1p-48*s.cond*s.cond)
	if d.t.exact {
		allowed = 0
	}
	d.several = slices.ContainsFunc(before, func(q quantity) bool { return q.name == unique && q.v[0] == 0 })
	for k, q := range before {
		got := after[k]
		if q.name != got.name || q.axis != got.axis || len(q.v) != len(got.v) {
			o.found(d, q.name, math.Inf(1), fmt.Sprintf("%s of %d values, and %s of %d", q.name, len(q.v), got.name, len(got.v)))
			return
		}
		if q.axis == origin && !back.origin {
			continue
		}
		off, text := q.off(got, s.natural(q, before), back, d.e.standardized, allowed)
		o.worst = max(o.worst, off)
		if off > 1 {
			o.found(d, q.name, off, text)
		}
	}
}

// off returns the largest difference as a multiple of what is allowed.
func (q quantity) off(got quantity, scale []float64, back *mapping, standardized bool, allowed float64) (worst float64, text string) {
	for i, want := range q.v {
		v := 0.0
		switch {
		case q.axis != byColumn:
			v = got.v[i]
		case back.columns[i] < 0:
			continue
		default:
			v = got.v[back.columns[i]]
			if !standardized {
				v *= math.Pow(back.factor[i], float64(-q.power))
			}
		}
		if v == want || math.IsNaN(v) && math.IsNaN(want) {
			continue
		}
		off := math.Inf(1)
		if allowed > 0 && scale[i] > 0 {
			off = math.Abs(v-want) / scale[i] / allowed
		}
		if math.IsNaN(off) {
			off = math.Inf(1)
		}
		if off > worst {
			worst = off
			text = fmt.Sprintf("value %d of %d is %.15g, and was %.15g: %.2g of %.3g, allowed %.2g", i+1, len(q.v), v, want, math.Abs(v-want)/scale[i], scale[i], allowed)
		}
	}
	return worst, text
}

func (o *outcome) found(d *disagreement, quantity string, off float64, text string) {
	one := *d
	one.quantity, one.off, one.text = quantity, off, text
	o.open = append(o.open, &one)
}
