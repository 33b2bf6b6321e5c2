package mlreg

import (
	"errors"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/problem"
)

// header is what a fit keeps of its data besides numbers: what the terms are, and
// how rows to predict must be coded. Nothing in it is shared with a design that
// could be changed.
type header struct {
	Names       []string // p
	Response    string
	NoIntercept bool
	Scaling     *Scaling
	Coding      *Coding
	Omitted     int      // rows left out for missing values
	Offset      bool     // the linear predictor had an offset
	Observed    observed // that were fitted
}

func (h *header) restored() error {
	if h.Scaling != nil {
		return h.Scaling.check(len(h.Names))
	}
	return nil
}

// header returns what a fit to d keeps of it.
func (d *Design) header() header {
	h := d.columnsHeader()
	h.Observed = d.observed()
	return h
}

// columnsHeader is the header without the rows.
func (d *Design) columnsHeader() header {
	if d == nil {
		return header{}
	}
	return header{slices.Clone(d.Names), d.Response, d.NoIntercept, d.Scaling.clone(), d.Coding, d.Omitted, d.Offset != nil || d.subtracted, observed{}}
}

// named turns what package problem says of a column into what the fit says of a term,
// or of the response.
func (h *header) named(err error) error {
	kind := func(column int) string {
		if column == problem.Response {
			return fmt.Sprintf("response %q", h.Response)
		}
		return fmt.Sprintf("term %q", h.Names[column])
	}
	switch e := err.(type) {
	case *problem.RangeError:
		if e.Squares {
			return fmt.Errorf("%w: the squares of %s leave the range of float64; rescale it", ErrNotFinite, kind(e.Column))
		}
		return fmt.Errorf("%w: the length of %s is too large or too small for float64; rescale it", ErrNotFinite, kind(e.Column))
	case *problem.SumError:
		if e.Underflows {
			return fmt.Errorf("%w: the sum of squares of %s underflows; rescale it, or the weights", ErrNotFinite, kind(e.Column))
		}
		return fmt.Errorf("%w: the sum of squares of %s; rescale it", ErrNotFinite, kind(e.Column))
	case *problem.BesideError:
		return fmt.Errorf("%w: the squares of %s, a power of %d of 2 in size, beside those of %q, of %d; rescale or standardize them",
			ErrNotFinite, kind(e.Column), e.Unit, h.Names[e.Largest], e.LargestUnit)
	}
	return err
}

// named is that of the header, but a value that is not finite comes first.
func (d *Design) named(err error) error {
	if err == nil {
		return nil
	}
	if bad := d.checkFinite(); bad != nil {
		return bad
	}
	h := header{Names: d.Names, Response: d.Response}
	return h.named(err)
}

// clone returns a header that shares nothing that could be changed.
func (h *header) clone() header {
	c := *h
	c.Names, c.Scaling = slices.Clone(h.Names), h.Scaling.clone()
	return c
}

// columns returns the header of the columns given, counted from 0.
func (h *header) columns(cols []int) header {
	c := *h
	c.Names = make([]string, len(cols))
	for k, j := range cols {
		c.Names[k] = h.Names[j]
	}
	if h.Scaling != nil {
		c.Scaling = h.Scaling.columns(cols)
	}
	return c
}

// columnsOf returns the design of the columns of d that the fit has terms for, in the
// fit's order and units. It refuses columns coded differently from the fit.
func (h *header) columnsOf(d *Design) (*Design, error) {
	if err := d.Check(); err != nil {
		return nil, err
	}
	if err := h.checkOffset(d); err != nil {
		return nil, err
	}
	if err := h.Coding.check(d.Coding, h.Names); err != nil {
		return nil, err
	}
	if !slices.Equal(d.Names, h.Names) {
		selected, err := d.Select(h.Names...)
		if err != nil {
			return nil, h.coded(d, err)
		}
		d = selected
	}
	return d.Rescale(h.Scaling)
}

// rows returns those columns rounded to float64.
func (h *header) rows(d *Design) (*mat.Dense, error) {
	d, err := h.columnsOf(d)
	if err != nil {
		return nil, err
	}
	return d.X, nil
}

// coded adds to the error of a missing column what may be the reason: a factor
// has fewer levels in new rows.
func (h *header) coded(d *Design, err error) error {
	if h.Coding == nil || d.Coding == nil || h.Coding == d.Coding || !errors.Is(err, ErrShape) {
		return err
	}
	return fmt.Errorf("%w; %s", err, h.Coding.remedy())
}

// orResponse is the name of the response in a table.
func orResponse(name string) string {
	if name == "" {
		return "(response)"
	}
	return name
}
