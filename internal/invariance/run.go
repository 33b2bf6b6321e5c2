package main

import (
	"errors"
	"fmt"
	"runtime/debug"
	"slices"

	"github.com/regbook/regbook/internal/randomtable"
	"github.com/regbook/regbook/internal/try"
)

// set is one with its transformations.
type set struct {
	id              string
	before, after   []*data
	back            []*mapping
	transformations []*transformation
}

func newSet(seed, number uint64) *set {
	d := generate(seed, number)
	s := &set{id: fmt.Sprintf("%d/%d", seed, number)}
	for k := range transformations {
		t := &transformations[k]
		before, after, back := t.apply(randomtable.NewDice(seed+uint64(k)<<32, number), d)
		s.before, s.after, s.back = append(s.before, before), append(s.after, after), append(s.back, back)
		s.transformations = append(s.transformations, t)
	}
	return s
}

// all holds an estimator to all transformations.
func (s *set) all(e *estimator) []*outcome {
	var outcomes []*outcome
	fits := map[*data]*fitted{} // before
	for k, t := range s.transformations {
		if !t.applies(e) {
			continue
		}
		before := fits[s.before[k]]
		if before == nil {
			before = fit(s.before[k], e, asRows)
			fits[s.before[k]] = before
		}
		o := &outcome{e: e, t: t}
		o.hold(&disagreement{set: s.id, e: e, t: t}, before, fit(s.after[k], e, t.form), s.back[k])
		outcomes = append(outcomes, o)
	}
	return outcomes
}

// fitted is what a fit gives.
type fitted struct {
	in  *input
	q   quantities
	err error
}

// fit fits; a panic is an error.
func fit(d *data, e *estimator, f form) (out *fitted) {
	out = new(fitted)
	defer func() {
		if p := recover(); p != nil {
			out.err = &panicked{fmt.Sprintf("%v\n%s", p, debug.Stack())}
		}
	}()
	defer try.Handle(&out.err)
	out.in = d.input(e, f)
	out.q = e.fit(out.in)
	return out
}

type panicked struct{ text string }

func (p *panicked) Error() string { return "panic: " + p.text }

// hold compares a fit after a transformation with that before.
func (o *outcome) hold(d *disagreement, before, after *fitted, back *mapping) {
	panics := new(panicked)
	switch {
	case errors.As(before.err, &panics) || errors.As(after.err, &panics):
		o.found(d, "panic", 0, panics.text)
	case before.err != nil && after.err != nil:
		o.refused = true
	case before.err != nil:
		d.refused = "before"
		o.found(d, "fit", 0, before.err.Error())
	case after.err != nil:
		d.refused = "after"
		o.found(d, "fit", 0, after.err.Error())
	default:
		o.compare(d, scalesOf(before.in), back, before.q, after.q)
	}
}

// applies tells whether a transformation is one for an estimator.
func (t *transformation) applies(e *estimator) bool {
	switch {
	case slices.Contains(e.without, t.name), t.affine && !e.affine, t.form == asSums && !e.sums, t.form == asBlocks && !e.blocks:
		return false
	}
	return true
}
