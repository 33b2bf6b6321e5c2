package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// stated is what a cell told package ledger, as its metadata keep it.
type stated struct {
	Bound  map[string]any `json:"bound,omitempty"` // json.Number or string
	Checks int            `json:"checks,omitempty"`
}

// statedKey is where a cell's metadata have it.
const statedKey = "ledger"

// stated returns what the metadata have, as the execution wrote it (a text of
// package ledger) or as a notebook keeps it.
func (c *cell) stated() (s stated) {
	switch m := c.Metadata[statedKey].(type) {
	case stated:
		return m
	case map[string]any:
		s.Bound, _ = m["bound"].(map[string]any)
		if n, ok := m["checks"].(json.Number); ok {
			count, _ := n.Int64()
			s.Checks = int(count)
		}
	case string:
		s.Bound = map[string]any{}
		for line := range strings.Lines(m) {
			switch f := strings.Split(strings.TrimSuffix(line, "\n"), "\t"); {
			case len(f) == 4 && f[1] == "bind":
				s.Bound[f[2]] = kept(f[3])
			case len(f) == 6 && f[1] == "check":
				s.Checks++
			}
		}
	}
	return s
}

// kept returns a value of ledger.Bind as a notebook keeps it: numbers to eight
// digits, since processors differ in the last ones.
func kept(value string) any {
	if text, err := strconv.Unquote(value); err == nil {
		return text
	}
	v, err := strconv.ParseFloat(value, 64)
	if err == nil && v != math.Trunc(v) {
		value = strconv.FormatFloat(v, 'g', 8, 64)
	}
	return json.Number(value)
}

// keepStated gives a cell's metadata what an execution of it stated.
func (c *cell) keepStated(executed *cell) {
	delete(c.Metadata, statedKey)
	if s := executed.stated(); len(s.Bound) > 0 || s.Checks > 0 {
		c.Metadata[statedKey] = s
	}
}

// compareStated returns how what a cell states differs from what is committed.
func compareStated(committed, executed *cell) error {
	var diffs []error
	want, got := committed.stated(), executed.stated()
	if want.Checks != got.Checks {
		diffs = append(diffs, fmt.Errorf("%d results committed, %d now", want.Checks, got.Checks))
	}
	names := maps.Clone(want.Bound)
	if names == nil {
		names = map[string]any{}
	}
	maps.Copy(names, got.Bound)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if w, g := want.Bound[name], got.Bound[name]; !sameValue(w, g) {
			diffs = append(diffs, fmt.Errorf("ledger.Bind(%q, ...): committed %s, now %s", name, show(w), show(g)))
		}
	}
	return errors.Join(diffs...)
}

// sameValue reports whether two values are equal, numbers to about six digits.
func sameValue(a, b any) bool {
	x, ok := number64(a)
	y, ok2 := number64(b)
	if ok && ok2 {
		return math.Abs(x-y) <= 1e-6*math.Max(math.Abs(x), math.Abs(y))
	}
	return a == b
}

func number64(v any) (float64, bool) {
	n, ok := v.(json.Number)
	if !ok {
		return 0, false
	}
	f, err := n.Float64()
	return f, err == nil
}

func show(v any) string {
	switch v := v.(type) {
	case nil:
		return "nothing"
	case string:
		return strconv.Quote(v)
	}
	return fmt.Sprint(v)
}
