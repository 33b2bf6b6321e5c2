package main

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/regbook/regbook/mlreg"
)

// disagreement is a quantity of a case beyond its tolerance, or refused by one side.
type disagreement struct {
	c        *Case
	quantity string
	// off is the difference as a multiple of what is tolerated.
	off  float64
	text string
	// refused says which side refuses: "us", "R", or "" if neither does.
	refused string
	// ourNaN says that we have no number wherever the two differ.
	ourNaN bool
	ours   value
	// us is all that we give for the case.
	us values
	// r is all that R gives for the case.
	r *answer
}

// compare holds our quantities of a case to R's, and enters each in the tally.
func compare(t *tally, c *Case, us values, usErr error, r *answer) {
	switch {
	case r == nil:
		t.refuse(&disagreement{c: c, quantity: "fit", refused: "R", text: "no answer"})
		return
	case usErr != nil && r.Refused != "":
		t.bothRefuse("fit")
		return
	case usErr != nil:
		d := &disagreement{c: c, quantity: "fit", refused: "us", text: usErr.Error(), r: r}
		if errors.Is(usErr, mlreg.ErrSeparated) && !(r.extreme() > 15) {
			d.text = "R sees no separation; " + d.text
			t.beyond(d, math.Inf(1))
			return
		}
		t.refuse(d)
		return
	case r.Refused != "":
		t.refuse(&disagreement{c: c, quantity: "fit", refused: "R", text: r.Refused, r: r})
		return
	}
	t.agree("fit", 0)
	follows := ""
	for _, q := range quantities {
		theirs, there := r.Values[q.name]
		our, here := us[q.name]
		if !there || !here {
			continue // of another kind, or refused under another name
		}
		if follows != "" && strings.HasPrefix(q.name, follows) {
			continue
		}
		same := compareOne(t, &disagreement{c: c, quantity: q.name, ours: our, us: us, r: r}, q, theirs)
		if table, of := strings.CutSuffix(q.name, ".terms"); !same && of {
			follows = table // the lines of other terms
		} else if !same && (q.name == "names" || q.name == "nobs" || q.name == "df" || q.name == "design") {
			return // the rest follows
		}
	}
}

// extreme is the largest log odds that R fits.
func (a *answer) extreme() float64 {
	if v := a.Values["extreme"].Numbers; len(v) == 1 {
		return math.Abs(float64(v[0]))
	}
	return math.NaN()
}

// compareOne enters one quantity and tells whether it agrees; d is what is written if it
// does not.
func compareOne(t *tally, d *disagreement, q quantity, theirs vector) bool {
	our := d.ours
	switch {
	case our.err != nil && theirs.Error != "":
		t.bothRefuse(q.name)
	case our.err != nil:
		d.refused, d.text = "us", our.err.Error()
		t.refuse(d)
	case theirs.Error != "":
		d.refused, d.text = "R", theirs.Error
		t.refuse(d)
	default:
		worst := d.difference(theirs, q.tolerance)
		if d.off <= 1 {
			t.agree(q.name, worst)
			return true
		}
		t.beyond(d, worst)
	}
	return false
}

// difference returns the worst difference relative to its scale, and enters in d by how
// much it is more than tolerated.
func (d *disagreement) difference(theirs vector, tolerance float64) (worst float64) {
	our := d.ours
	if our.texts != nil || theirs.Texts != nil {
		a, b := our.texts, theirs.Texts
		if strings.HasPrefix(d.quantity, "step.") {
			a, b = ordered(a, d.quantity == "step.terms"), ordered(b, d.quantity == "step.terms")
		}
		if !slices.Equal(a, b) {
			worst, d.off, d.text = math.Inf(1), math.Inf(1), fmt.Sprintf("%q, R has %q", our.texts, theirs.Texts)
		}
		return worst
	}
	at, length := theirs.positions()
	if len(our.numbers) != length {
		d.off, d.text = math.Inf(1), fmt.Sprintf("%d values, R has %d: %.6g, %.6g", len(our.numbers), length, our.numbers, theirs.Numbers)
		return math.Inf(1)
	}
	allowed := max(tolerance, ulp*our.amplification)
	d.ourNaN = true
	for k, i := range at {
		got, want := our.numbers[i], float64(theirs.Numbers[k])
		if got == want || math.IsNaN(got) && math.IsNaN(want) {
			continue
		}
		scale := our.scale[min(i, len(our.scale)-1)]
		relative := math.Abs(got-want) / scale
		if math.IsNaN(relative) {
			relative = math.Inf(1)
		}
		worst = max(worst, relative)
		off := relative / allowed
		d.ourNaN = d.ourNaN && (off <= 1 || math.IsNaN(got))
		if off > max(1, d.off) {
			d.off = off
			d.text = fmt.Sprintf("value %d of %d is %.15g, R has %.15g: %.2g of %.3g, allowed %.2g", i+1, length, got, want, relative, scale, allowed)
		}
	}
	return worst
}

// ordered returns terms with the parts of their products in order, since R's update() has
// them in another one, and the terms themselves in order if they are a set.
func ordered(terms []string, set bool) []string {
	var result []string
	for _, t := range terms {
		sign, term, change := strings.Cut(t, " ")
		if !change || sign != "+" && sign != "-" {
			sign, term = "", t
		}
		result = append(result, sign+strings.Join(slices.Sorted(slices.Values(strings.Split(term, ":"))), ":"))
	}
	if set {
		slices.Sort(result)
	}
	return result
}

// positions are the places of the values of a vector, and its whole length.
func (v vector) positions() (at []int, length int) {
	if v.Length > 0 {
		return kept(v.Length), v.Length
	}
	at = make([]int, len(v.Numbers))
	for i := range at {
		at[i] = i
	}
	return at, len(at)
}

// most is how many values of a vector are stored.
const most = 10

// kept are the places of the values that are stored of a vector of some length.
func kept(length int) []int {
	var at []int
	for i := range min(most, length) {
		if length <= most {
			at = append(at, i)
		} else {
			at = append(at, i*(length-1)/(most-1))
		}
	}
	return at
}
