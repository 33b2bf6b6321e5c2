package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
)

// What a cell states is stored with it, the same from run to run, and compared.
func TestStatedIsKept(t *testing.T) {
	source := &notebook{Cells: []*cell{{Type: "code", Metadata: map[string]any{statedKey: map[string]any{"checks": json.Number("9")}}}}}
	executed := &notebook{Cells: []*cell{{Type: "code", Metadata: map[string]any{statedKey: "r\tbind\tthird\t0.3333333333333333\n" +
		"r\tbind\tn\t12345678901\nr\tbind\tbig\t1e+20\nr\tbind\tbest\t\"a \\\"b\\\"\"\nr\tcheck\tfalse\t\"x\"\t\"\"\t\"\"\n"}}}}
	r := source.withOutputs(executed)
	b, err := encode(r.Cells[0].Metadata, "")
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"ledger":{"bound":{"best":"a \"b\"","big":1e+20,"n":12345678901,"third":0.33333333},"checks":1}}`
	if got := strings.Join(strings.Fields(string(b)), ""); got != strings.ReplaceAll(want, " ", "") {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	path := filepath.Join(t.TempDir(), "a.ipynb")
	if err := r.write(path); err != nil {
		t.Fatal(err)
	}
	committed, err := readNotebook(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := compareStated(committed.Cells[0], r.Cells[0]); err != nil {
		t.Error(err)
	}
	for change, want := range map[string]string{
		"bind\tthird\t0.3333334":        "",
		"bind\tthird\t0.33334":          `ledger.Bind("third", ...): committed 0.33333333, now 0.33334`,
		"bind\tnew\t1":                  `ledger.Bind("new", ...): committed nothing, now 1`,
		"check\ttrue\t\"\"\t\"\"\t\"\"": "1 results committed, 2 now",
	} {
		now := *executed.Cells[0]
		now.Metadata = map[string]any{statedKey: now.Metadata[statedKey].(string) + "r\t" + change + "\n"}
		err := compareStated(committed.Cells[0], &now)
		if (err == nil) != (want == "") || err != nil && err.Error() != want {
			t.Errorf("%q: %v, want %q", change, err, want)
		}
	}
}
