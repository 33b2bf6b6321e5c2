package circles

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestBetween(t *testing.T) {
	dir := t.TempDir()
	for name, source := range map[string]string{
		"a_one.go": "package p\nfunc one() { two() }\n",
		"a_two.go": "package p\nfunc two() { three() }\n",
		"b.go":     "package p\nfunc three() { one(); four() }\n",
		"c.go":     "package p\nfunc four() {}\ntype low int\nfunc (low) one() { four() }\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(source), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct {
		together []string
		want     []Pair
	}{
		{nil, []Pair{{"a_one.go", "b.go"}, {"a_two.go", "b.go"}}},
		{[]string{"a c"}, []Pair{{"a_one.go", "b.go"}, {"a_two.go", "b.go"}}},
		{[]string{"c d", "b a"}, nil},
	} {
		got, err := Between(dir, test.together...)
		if err != nil || !slices.Equal(got, test.want) {
			t.Errorf("together %q: %v, %v, want %v", test.together, got, err, test.want)
		}
	}
}
