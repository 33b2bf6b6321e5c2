package mlreg

import (
	"encoding/gob"
	"fmt"
	"slices"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/dd"
	"github.com/regbook/regbook/mlreg/report"
)

func init() {
	gob.Register(&Additive{})
	gob.Register(&Interaction{})
}

// Additive is the basis of an additive model,
//
//	f(x) = w_0 + f_1(x_1) + f_2(x_2) + ...,
//
// the columns of several bases side by side. Its inputs are those of the first,
// then those of the second, and so on.
type Additive struct {
	Parts []Basis
}

// NewAdditive returns the basis of an additive model of one or more parts
// (ErrSetting).
func NewAdditive(parts ...Basis) (*Additive, error) {
	if len(parts) == 0 || slices.Contains(parts, nil) {
		return nil, fmt.Errorf("%w: an additive model needs at least one part, and none may be nil", ErrSetting)
	}
	for _, b := range parts {
		if err := given("a part", b); err != nil {
			return nil, err
		}
	}
	return &Additive{slices.Clone(parts)}, nil
}

// Inputs returns the number of inputs of all parts.
func (a *Additive) Inputs() int {
	var d int
	for _, b := range a.Parts {
		d += b.Inputs()
	}
	return d
}

// Names returns the names of the columns of all parts.
func (a *Additive) Names(inputs ...string) []string {
	var names []string
	bytes := 0.0
	for _, b := range a.Parts {
		d := b.Inputs()
		part := b.Names(inputs[:d]...)
		bytes += bytesOf(part)
		checkNames(bytes)
		names = append(names, part...)
		inputs = inputs[d:]
	}
	return names
}

// Eval returns the columns of all parts.
func (a *Additive) Eval(dst []float64, x ...float64) []float64 {
	row := make([]float64, 0, len(dst))
	rest := x
	for _, b := range a.Parts {
		d := min(b.Inputs(), len(rest))
		row = append(row, b.Eval(nil, rest[:d]...)...)
		rest = rest[d:]
	}
	dst = evalSpace(dst, len(row), x, len(x)-len(rest))
	copy(dst, row)
	return dst
}

func (a *Additive) evalLow(lo, hi, x []float64) {
	for _, b := range a.Parts {
		d := b.Inputs()
		m := len(b.Eval(nil, x[:d]...))
		evalLow(b, lo[:m], hi[:m], x[:d])
		lo, hi, x = lo[m:], hi[m:], x[d:]
	}
}

// Interaction is the basis of the products of the columns of two bases,
//
//	a_1(x) b_1(z), a_2(x) b_1(z), ... a_1(x) b_2(z), ...,
//
// as the formula term a:b gives them. Its inputs are those of A, then those of
// B.
type Interaction struct {
	A, B Basis
}

// NewInteraction returns the products of the columns of two bases (ErrSetting
// if one is nil, ErrTooLarge if they are more than 2^17).
func NewInteraction(a, b Basis) (*Interaction, error) {
	if a == nil || b == nil {
		return nil, fmt.Errorf("%w: an interaction needs two bases", ErrSetting)
	}
	product := 1.0
	for _, basis := range []Basis{a, b} {
		if err := given("a basis", basis); err != nil {
			return nil, err
		}
		product *= float64(len(basis.Names(make([]string, basis.Inputs())...)))
	}
	if err := checkColumns("the products", product); err != nil {
		return nil, err
	}
	return &Interaction{a, b}, nil
}

// Inputs returns the number of inputs of both bases.
func (p *Interaction) Inputs() int { return p.A.Inputs() + p.B.Inputs() }

// Names returns a1:b1, a2:b1 ...
func (p *Interaction) Names(inputs ...string) []string {
	d := p.A.Inputs()
	var names []string
	first, second := p.A.Names(inputs[:d]...), p.B.Names(inputs[d:]...)
	checkNames(bytesOf(first)*float64(len(second)) + bytesOf(second)*float64(len(first)))
	for _, b := range second {
		for _, a := range first {
			names = append(names, a+":"+b)
		}
	}
	return names
}

// bytesOf returns the length of all names.
func bytesOf(names []string) float64 {
	bytes := 0.0
	for _, s := range names {
		bytes += float64(len(s))
	}
	return bytes
}

// Eval returns the products.
func (p *Interaction) Eval(dst []float64, x ...float64) []float64 {
	products := p.products(x)
	dst = evalSpace(dst, len(products), x, p.Inputs())
	for k, v := range products {
		dst[k] = v.Hi
	}
	return dst
}

func (p *Interaction) evalLow(lo, _, x []float64) {
	for k, v := range p.products(x) {
		lo[k] = v.Lo
	}
}

// products returns the columns at x to twice the digits.
func (p *Interaction) products(x []float64) []dd.Number {
	d := min(p.A.Inputs(), len(x))
	a, b := twofold(p.A, x[:d]), twofold(p.B, x[d:])
	products := make([]dd.Number, 0, len(a)*len(b))
	for _, v := range b {
		for _, u := range a {
			product := u.Mul(v)
			if product.Hi-product.Hi != 0 { // overflow
				product = dd.Of(u.Hi * v.Hi)
			}
			products = append(products, product)
		}
	}
	return products
}

// twofold returns the columns of a basis at x to twice the digits, if known.
func twofold(b Basis, x []float64) []dd.Number {
	hi := b.Eval(nil, x...)
	lo := make([]float64, len(hi))
	evalLow(b, lo, hi, x)
	columns := make([]dd.Number, len(hi))
	for k := range hi {
		columns[k] = dd.Number{Hi: hi[k], Lo: lo[k]}
	}
	return columns
}

// Describe returns the functions of the basis as a table.
func (a *Additive) Describe() *report.Table {
	return describeBasis(a, "Sum of "+format.Plural(len(a.Parts), "basis part"))
}

// String writes the functions of the basis as text.
func (a *Additive) String() string { return a.Describe().String() }

// Describe returns the functions of the basis as a table.
func (i *Interaction) Describe() *report.Table { return describeBasis(i, "Products of two bases") }

// String writes the functions of the basis as text.
func (i *Interaction) String() string { return i.Describe().String() }
