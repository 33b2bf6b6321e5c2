package mlreg

import (
	"errors"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"
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
	Omitted     int // rows left out for missing values
}

// header returns what a fit to d keeps of it.
func (d *Design) header() header {
	return header{slices.Clone(d.Names), d.Response, d.NoIntercept, d.Scaling.clone(), d.Coding, d.Omitted}
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
// fit's order and units. It refuses columns that were coded otherwise than the fit's.
func (h *header) columnsOf(d *Design) (*Design, error) {
	if err := d.Check(); err != nil {
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
