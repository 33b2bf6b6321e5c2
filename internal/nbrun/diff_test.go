package main

import (
	"math/rand/v2"
	"strings"
	"testing"
)

func TestUnifiedDiff(t *testing.T) {
	for _, test := range []struct{ a, b, want string }{
		{"same\n", "same\n", ""},
		{"", "new\n", "@@ -0,0 +1,1 @@\n+new\n"},
		{"gone\n", "", "@@ -1,1 +0,0 @@\n-gone\n"},
		{"a\nb\nc\nd\ne\nf\ng\n", "a\nb\nc\nD\ne\nf\ng\n", "@@ -2,5 +2,5 @@\n b\n c\n-d\n+D\n e\n f\n"},
		{"a\n", "a", "@@ -1,1 +1,1 @@\n-a\n+a\n\\ No newline at the end\n"},
		{
			"1\n2\n3\n4\n5\n6\n7\n8\n9\n", "0\n1\n2\n3\n4\n5\n6\n7\n8\n",
			"@@ -1,2 +1,3 @@\n+0\n 1\n 2\n@@ -7,3 +8,2 @@\n 7\n 8\n-9\n",
		},
	} {
		if got := unifiedDiff(test.a, test.b); got != test.want {
			t.Errorf("from %q to %q:\n%s\nwant\n%s", test.a, test.b, got, test.want)
		}
	}
}

// The kept and deleted lines are the first text, the kept and inserted ones the
// second, however long the texts.
func TestEditsRebuildTexts(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 1, 2, 5, 20, 20, 20, 50, 3000} {
		draw := func() []string {
			s := make([]string, rng.IntN(n+1))
			if n == 3000 {
				s = make([]string, n) // beyond the table's limit
			}
			for i := range s {
				s[i] = string(rune('a' + rng.IntN(4)))
			}
			return s
		}
		x, y := draw(), draw()
		var a, b []string
		for _, e := range edit(x, y) {
			if e.op != '+' {
				a = append(a, e.line)
			}
			if e.op != '-' {
				b = append(b, e.line)
			}
		}
		if strings.Join(a, "") != strings.Join(x, "") || strings.Join(b, "") != strings.Join(y, "") {
			t.Errorf("edits from %v to %v do not rebuild them", x, y)
		}
	}
}
