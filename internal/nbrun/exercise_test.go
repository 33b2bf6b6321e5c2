package main

import "testing"

// A solution that is not right fails its notebook, as does one that asks nothing.
func TestUnsolved(t *testing.T) {
	solution := func(source, printed string) *notebook {
		return &notebook{Cells: []*cell{{
			Type: "code", Source: text(source), Metadata: map[string]any{"tags": []any{"solution"}},
			Outputs: []*output{{Type: "stream", Name: "stdout", Text: text(printed)}},
		}}}
	}
	const call = "exercise.Check(\"02.3\", x)"
	for _, c := range []struct {
		source, printed string
		ok              bool
	}{
		{call, "02.3: right\n", true},
		{call, "n = 3\n02.3: right\n", true},
		{call, "02.3: not yet. Try again.\n", false},
		{call, "02.31: right\n", false},
		{call, "", false},
		{call + "\n" + `exercise.Check("02.4", y)`, "02.3: right\n", false},
		{"x := 1", "02.3: right\n", false},
	} {
		if err := solution(c.source, c.printed).unsolved(); (err == nil) != c.ok {
			t.Errorf("%q after %q: %v", c.printed, c.source, err)
		}
	}
	nb := solution(call, "02.3: not yet. Try again.\n")
	nb.Cells[0].Metadata = nil // a reader's own try
	if err := nb.unsolved(); err != nil {
		t.Error(err)
	}
}
