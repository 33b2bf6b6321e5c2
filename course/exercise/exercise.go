// Package exercise checks the answers to the exercises of the course's notebooks.
//
//	exercise.Check("00.2", math.Exp(10*ols.Slopes()[0]))
//
// prints
//
//	00.2: right
//
// or, for another number, "00.2: not yet" with a hint, which for a common slip says
// what it was: a percentage where a share is asked, a variance where its root is.
package exercise

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
)

// An exercise is what Check knows of one. Its answer is a number, a bool, a text, a
// []float64, a []string in any order or a func(float64) float64, whichever want is;
// any other answer needs a judge.
type exercise struct {
	asks    string  // ends the sentence "02.3 asks for ..."; names the unit
	want    any     // a right answer
	or      []any   // others, of the same type
	within  float64 // largest absolute difference of a right number from want; 0 for counts
	because string  // why so much; empty only if within is 0
	at      []float64
	wrong   []wrong
	hint    string                  // for an answer that nothing else recognizes
	judge   func(answer any) string // in place of a comparison with want: a hint, or "" if right
}

// wrong is an answer that is known to come, and what to say to it.
type wrong struct {
	answer any
	hint   string
}

// exercises has the exercises by their id; every file of a notebook adds its own.
var exercises = map[string]exercise{}

// notebook adds the exercises of a notebook, which are 02.1, 02.2 ...
func notebook(number string, list ...exercise) {
	for i, e := range list {
		exercises[fmt.Sprintf("%s.%d", number, i+1)] = e
	}
}

// Check prints whether an answer is right: "02.3: right", or "02.3: not yet" and a hint.
// Answers are numbers of any type, []float64, []int, string, []string, bool, or a function
// where the exercise asks for one. A number has to agree with the right one as closely as
// the exercise says. With nil, Check prints what is asked, and for an id that
// does not exist, the ids that do. It never panics.
func Check(id string, answer any) {
	fmt.Println(verdict(id, answer))
}

// verdict returns the line that Check prints.
func verdict(id string, answer any) (line string) {
	e, known := exercises[id]
	if !known {
		return unknown(id)
	}
	if answer == nil {
		return id + " asks for " + e.asks
	}
	defer func() { // of a function that is the answer
		if r := recover(); r != nil {
			line = fmt.Sprintf("%s: not yet. The function panics: %v", id, r)
		}
	}()
	if hint := e.hintFor(answer); hint != "" {
		return id + ": not yet. " + hint
	}
	return id + ": right"
}

// unknown says which exercises there are: those of the same notebook, or of all.
func unknown(id string) string {
	number, _, _ := strings.Cut(id, ".")
	var same, all []string
	for known := range exercises {
		all = append(all, known)
		if strings.HasPrefix(known, number+".") {
			same = append(same, known)
		}
	}
	slices.Sort(all)
	slices.Sort(same)
	if same != nil {
		return fmt.Sprintf("there is no exercise %q; notebook %s has %s", id, number, strings.Join(same, ", "))
	}
	return fmt.Sprintf("there is no exercise %q; there are %s", id, strings.Join(all, ", "))
}

// hintFor returns what to say to an answer, "" if it is right.
func (e exercise) hintFor(answer any) string {
	if e.judge != nil {
		return e.judge(answer)
	}
	hint := e.compare(answer, e.want)
	for _, other := range e.or {
		if hint == "" {
			break
		}
		if e.compare(answer, other) == "" {
			hint = ""
		}
	}
	if hint == "" {
		return ""
	}
	for _, w := range e.wrong {
		if e.same(answer, w.answer) {
			return w.hint
		}
	}
	return hint
}

// same tells whether an answer is a wrong one that is known: numbers to a thousandth.
func (e exercise) same(answer, known any) bool {
	a, ok := numbers(answer)
	k, also := numbers(known)
	if ok && also {
		return slices.EqualFunc(a, k, func(x, y float64) bool {
			return math.Abs(x-y) <= math.Max(e.within, 1e-3*math.Abs(y))
		})
	}
	return e.compare(answer, known) == ""
}

// compare returns a hint if the answer is not the one wanted, "" if it is.
func (e exercise) compare(answer, want any) string {
	asks := "It asks for " + e.asks + "."
	if f, ok := want.(func(float64) float64); ok {
		got, ok := answer.(func(float64) float64)
		if !ok {
			return fmt.Sprintf("A func(float64) float64 is asked, this is %s. %s", kind(answer), asks)
		}
		for _, x := range e.at {
			if !e.close(got(x), f(x)) {
				return fmt.Sprintf("At %g the function gives %.6g. %s", x, got(x), e.otherwise(asks))
			}
		}
		return ""
	}
	if w, ok := numbers(want); ok {
		got, ok := numbers(answer)
		if !ok {
			return fmt.Sprintf("A number is asked, this is %s. %s", kind(answer), asks)
		}
		return e.compareNumbers(got, w, asks)
	}
	if fmt.Sprintf("%T", answer) != fmt.Sprintf("%T", want) {
		return fmt.Sprintf("This is %s where %s is asked. %s", kind(answer), kind(want), asks)
	}
	if texts, ok := want.([]string); ok {
		got := answer.([]string)
		if missing := less(texts, got); missing > 0 {
			return fmt.Sprintf("%d of %d are missing. %s", missing, len(texts), e.otherwise(asks))
		}
		if more := less(got, texts); more > 0 {
			return fmt.Sprintf("%d too many. %s", more, e.otherwise(asks))
		}
		return ""
	}
	if text, ok := want.(string); ok {
		if fold(answer.(string)) != fold(text) {
			return e.otherwise(asks)
		}
		return ""
	}
	if answer != want {
		return e.otherwise(asks)
	}
	return ""
}

// compareNumbers is compare for one number or several.
func (e exercise) compareNumbers(got, want []float64, asks string) string {
	agree := func(change func(float64) float64) bool {
		return slices.EqualFunc(got, want, func(g, w float64) bool { return e.close(g, change(w)) })
	}
	for _, g := range got {
		if math.IsNaN(g) {
			return "NaN is no number: something was divided by zero, or is missing."
		}
	}
	switch {
	case len(got) != len(want):
		return fmt.Sprintf("%d numbers are asked, these are %d. %s", len(want), len(got), asks)
	case agree(func(w float64) float64 { return w }):
		return ""
	case slices.EqualFunc(slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(want)), e.close):
		return "The right numbers, in another order."
	case e.within == 0: // a slip of a count is not told by its factor
		return e.otherwise(asks)
	}
	for _, slip := range slips {
		if agree(slip.change) {
			return slip.hint
		}
	}
	near := slices.EqualFunc(got, want, func(g, w float64) bool { return math.Abs(g-w) <= 0.02*math.Abs(w) })
	if near {
		return fmt.Sprintf("Close, but more than %g off: round at the end only, and see which rows and which divisor are meant.", e.within)
	}
	return e.otherwise(asks)
}

// slips are what any number is mistaken for.
var slips = []struct {
	change func(float64) float64
	hint   string
}{
	{func(x float64) float64 { return 100 * x }, "This is 100 times the answer: a percentage where a share is asked."},
	{func(x float64) float64 { return x / 100 }, "This is a hundredth of the answer: a share where a percentage is asked."},
	{func(x float64) float64 { return -x }, "The sign is the other way round."},
	{func(x float64) float64 { return x * x }, "This is the square of the answer, as a variance is of a standard deviation."},
	{math.Sqrt, "This is the root of the answer, as a standard deviation is of a variance."},
	{func(x float64) float64 { return 2 * x }, "This is twice the answer: are both sides counted where one is asked?"},
	{func(x float64) float64 { return x / 2 }, "This is half the answer: is one side counted where both are asked?"},
	{func(x float64) float64 { return 1 - x }, "This is 1 minus the answer: the other part of the whole."},
	{func(x float64) float64 { return 1 / x }, "This is 1 divided by the answer."},
	{math.Log, "This is the logarithm of the answer."},
	{math.Exp, "This is exp of the answer."},
}

// close tells whether two numbers are as close as the exercise asks; the digits that
// rounding takes do not count.
func (e exercise) close(got, want float64) bool {
	return math.Abs(got-want) <= e.within+1e-12*math.Abs(want)
}

func (e exercise) otherwise(asks string) string {
	if e.hint != "" {
		return e.hint
	}
	return asks
}

// less counts the texts of a that b has not.
func less(a, b []string) (n int) {
	have := map[string]bool{}
	for _, s := range b {
		have[fold(s)] = true
	}
	for _, s := range a {
		if !have[fold(s)] {
			n++
		}
	}
	return n
}

func fold(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }

// numbers returns an answer of one number or several.
func numbers(answer any) ([]float64, bool) {
	v := reflect.ValueOf(answer)
	if k := v.Kind(); k == reflect.Slice || k == reflect.Array {
		all := make([]float64, v.Len())
		for i := range all {
			x, ok := number(v.Index(i))
			if !ok {
				return nil, false
			}
			all[i] = x
		}
		return all, v.Len() > 0 || v.Type().Elem().Kind() == reflect.Float64
	}
	x, ok := number(v)
	return []float64{x}, ok
}

func number(v reflect.Value) (float64, bool) {
	switch {
	case v.CanInt():
		return float64(v.Int()), true
	case v.CanUint():
		return float64(v.Uint()), true
	case v.CanFloat():
		return v.Float(), true
	}
	return math.NaN(), false
}

// kind names the type of an answer.
func kind(answer any) string {
	switch answer.(type) {
	case string:
		return "a text"
	case bool:
		return "true or false"
	case []string:
		return "a list of texts"
	case []float64, []int:
		return "a list of numbers"
	}
	if _, ok := numbers(answer); ok {
		return "a number"
	}
	return fmt.Sprintf("a %T", answer)
}
