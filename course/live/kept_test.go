package live

import (
	"errors"
	"testing"

	"github.com/regbook/regbook/internal/try"
)

// What is kept is computed once for a key, again for another, and again after an error.
func TestKept(t *testing.T) {
	var k kept[int, string]
	count, failed := 0, errors.New("stopped")
	ask := func(key int, text string, fails error) (value string, err error) {
		defer try.Handle(&err)
		return k.at(key, func() string { count++; return try.Get(text, fails) }), nil
	}
	for i, c := range []struct {
		key   int
		text  string
		fails error
		want  string
		count int
	}{
		{0, "a", failed, "", 1}, {0, "a", nil, "a", 2}, {0, "b", nil, "a", 2}, {1, "c", nil, "c", 3}, {1, "d", nil, "c", 3},
		{2, "e", failed, "", 4}, {1, "f", nil, "c", 4}, {0, "g", nil, "g", 5},
	} {
		got, err := ask(c.key, c.text, c.fails)
		if c.fails != nil && !errors.Is(err, failed) || c.fails == nil && (err != nil || got != c.want) || count != c.count {
			t.Errorf("call %d: %q, %v after %d computations, want %q after %d", i, got, err, count, c.want, c.count)
		}
	}
}

// A figure is the same whether what it keeps is there or is computed: at a seed, at another and at the first again.
func TestKeptFigures(t *testing.T) {
	for _, e := range []*Explorable{Overfitting(), SlabVariance(), GreedySize(), Direction(), Smoothing(), Pooling()} {
		first := drawnAt(t, e, e.Defaults(), 0)
		other := e.Defaults()
		if p := e.Params[len(e.Params)-1]; p.Values != nil {
			other[len(other)-1] = p.Values[len(p.Values)-1]
		} else {
			other[len(other)-1] = p.Max
		}
		drawnAt(t, e, other, 0)
		expected := e.ID == "03.overfitting" // over all samples
		if drawnAt(t, e, e.Defaults(), e.Seed+1) == first && e.Random && !expected {
			t.Errorf("%s: another seed gives the same sentence", e.ID)
		}
		if again := drawnAt(t, e, e.Defaults(), 0); again != first {
			t.Errorf("%s: %s\nand at first %s", e.ID, again, first)
		}
	}
}

func drawnAt(t *testing.T, e *Explorable, values []float64, seed uint64) string {
	t.Helper()
	view, err := e.Draw(values, &DrawSettings{Seed: seed})
	if err != nil {
		t.Fatal(err)
	}
	text := view.Sentence
	for _, n := range view.Numbers {
		text += " " + n.String()
	}
	return text
}
