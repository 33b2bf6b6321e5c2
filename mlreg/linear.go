package mlreg

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/door"
)

// Linear is the linear predictor of a fit,
//
//	yhat = b_0 + x'b,
//
// in the units of the design it was fitted to. A fit of one's own embeds it, and then has the
// methods by which predictions, tables and figures know fits:
//
//	type Fit struct{ mlreg.Linear }
//
// NewLinear makes it. It holds no data and does not change. A Fit that gob stores has methods
// GobEncode and GobDecode of its own, which store its Linear and what else it has.
type Linear struct{ linear }

// NewLinear returns the linear predictor of a fit to data, with coefficients in the order of Names:
// that of the intercept first, unless the model has none, then those of the terms. Low are what
// rounding took from them, of the same length; nil is not known.
//
// Errors: those of Moments for data that are no Design; ErrNoData for nil, ErrShape for another number of coefficients, and ErrNotFinite for one that is not finite.
func NewLinear(data Data, coef, low []float64) (Linear, error) {
	if err := args.Given("the data", data); err != nil {
		return Linear{}, err
	}
	var f Linear
	if d, ok := data.(*Design); ok {
		f.l.header = d.header()
	} else {
		m, err := data.Moments()
		if err != nil {
			return Linear{}, err
		}
		f.l.header = m.header()
	}
	return f.With(coef, low)
}

// With returns the linear predictor of the same design with other coefficients; see NewLinear.
func (f *Linear) With(coef, low []float64) (Linear, error) {
	if k := f.columns(); len(coef) != k || low != nil && len(low) != k {
		return Linear{}, fmt.Errorf("%w: %d coefficients, and %d of their low parts, for %d names", ErrShape, len(coef), len(low), k)
	}
	for j, b := range coef {
		if b-b != 0 {
			return Linear{}, fmt.Errorf("%w: the coefficient of %q leaves the range of float64; rescale the data", ErrNotFinite, f.Names()[j])
		}
	}
	g := Linear{linear{linearState{header: f.l.clone()}}}
	if !f.l.NoIntercept {
		g.l.B0, coef = coef[0], coef[1:]
		if low != nil {
			g.l.B0Low, low = low[0], low[1:]
		}
	}
	g.l.B, g.l.BLow = slices.Clone(coef), slices.Clone(low)
	return g, nil
}

// Part returns the linear predictor of some coefficients, by their names; it has no intercept
// unless the names have. The error is ErrShape for a name that is none of Names.
func (f *Linear) Part(names ...string) (*Linear, error) {
	terms := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return name == InterceptName })
	columns, err := args.Positions(terms, f.l.Names)
	if err != nil {
		return nil, err
	}
	g := Linear{linear{linearState{header: f.l.header.columns(columns)}}}
	if g.l.NoIntercept = len(terms) == len(names); !g.l.NoIntercept {
		g.l.B0 = f.l.B0
	}
	for _, j := range columns {
		g.l.B = append(g.l.B, f.l.B[j])
	}
	return &g, nil
}

// Columns returns the design of the terms of the fit: the columns of d in the order and the units
// of the fit, with the rest of d. Errors are those of Predict.
func (f *Linear) Columns(d *Design) (*Design, error) { return f.columnsOf(d) }

// RawLinear returns the same predictor with coefficients in the raw units of the data; see
// OLS.Raw, whose errors it has.
func (f *Linear) RawLinear() (Linear, error) {
	g := *f
	err := g.toRaw(func(int) blas64.Vector { return blas64.Vector{} }, nil)
	return valid(g, err)
}

// GobEncode implements gob.GobEncoder.
func (f *Linear) GobEncode() ([]byte, error) { return f.l.GobEncode() }

// GobDecode implements gob.GobDecoder.
func (f *Linear) GobDecode(b []byte) error {
	if err := f.l.GobDecode(b); err != nil {
		return err
	}
	return f.restored()
}

// combination spells sum_j w_j name_j with the significant digits of its numbers: "lcavol - 2 svi"; a name of "" is 1, and
// weights of zero are left out.
func combination(names []string, w []float64, digits int) string {
	var s strings.Builder
	for j, v := range w {
		switch {
		case v == 0:
			continue
		case s.Len() > 0 && v < 0:
			s.WriteString(" - ")
		case s.Len() > 0:
			s.WriteString(" + ")
		case v < 0:
			s.WriteString("-")
		}
		switch number := strconv.FormatFloat(math.Abs(v), 'g', digits, 64); {
		case names[j] == "":
			s.WriteString(number)
		case number != "1":
			s.WriteString(number + " ")
		}
		s.WriteString(names[j])
	}
	return s.String()
}

func init() {
	door.LowOf = func(linear any) []float64 {
		l := linear.(*Linear).l
		if l.BLow == nil || l.NoIntercept {
			return slices.Clone(l.BLow)
		}
		return append([]float64{l.B0Low}, l.BLow...)
	}
}
