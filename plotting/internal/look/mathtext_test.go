package look

import (
	"image/color"
	"math"
	"testing"

	"gonum.org/v1/plot/vg"
)

func TestMathText(t *testing.T) {
	style := Text(10, color.Black)
	small := Text(10*scriptScale, color.Black)
	near := func(a, b vg.Length) bool { return math.Abs(float64(a-b)) < 0.01 }
	for _, c := range []struct {
		text string
		want vg.Length
	}{
		{"abc", style.Width("a") + style.Width("b") + style.Width("c")},
		{"β̂", style.Width("β")},
		{"x₁", style.Width("x") + small.Width("1")},
		{"xⱼ²", style.Width("x") + small.Width("j") + small.Width("2")},
		{"10⁻³", style.Width("10") + small.Width("−") + small.Width("3")},
		{"a⊥b", style.Width("a□b")}, // no such glyph in the font
		{"\u0302", 0},
		{"", 0},
	} {
		if got := style.Width(c.text); !near(got, c.want) {
			t.Errorf("width of %q is %v, want %v", c.text, got, c.want)
		}
	}
	if len([]rune(subscripts)) != len([]rune(subscripted)) || len([]rune(superscripts)) != len([]rune(superscripted)) {
		t.Error("scripts and what they stand for do not match")
	}
}

func TestShortTerm(t *testing.T) {
	for name, want := range map[string]string{
		"poly(x, 3)1": "poly(x, 3)1",
		"rbf(x, centers = c(1, 2), width = 0.2)3":   "rbf(x…)3",
		"ns(age, df = 4, knots = 3)1:bs(x, df = 5)": "ns(age…)1:bs(x…)",
		"a rather long name, and a comma":           "a rather long name, and a comma",
	} {
		if got := ShortTerm(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// A text is as wide as its font says, kerning included, also the second time.
func TestSet(t *testing.T) {
	face := textHandler.Fonts.Lookup(Text(10, color.Black).Font, 10)
	for _, text := range []string{"AVAToW", "x = 3,5", "βσ", "", " "} {
		for range 2 {
			if got, want := Width(face, text), face.Width(text); got != want {
				t.Errorf("%q is %v wide, want %v", text, got, want)
			}
		}
		if set := Set(face, text); len(set.Glyphs) != len([]rune(text)) || len(set.X) != len(set.Glyphs) {
			t.Errorf("%q has %d glyphs", text, len(set.Glyphs))
		}
	}
	if a, b := Set(face, "AV"), Set(face, "A"); a.X[1] >= b.Width {
		t.Errorf("V begins at %v after A of width %v: no kerning", a.X[1], b.Width)
	}
}
