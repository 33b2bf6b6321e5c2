package main

import (
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func readLedger(t *testing.T) map[int]row {
	t.Helper()
	b, err := os.ReadFile("../../notebooks/LEDGER.md")
	if err != nil {
		t.Fatal(err)
	}
	rows, err := parseLedger(string(b))
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// The rows are numbered without gaps, and notebooks name no others.
func TestLedger(t *testing.T) {
	rows := readLedger(t)
	for i, n := range slices.Sorted(maps.Keys(rows)) {
		if n != i+1 {
			t.Fatalf("row %d follows row %d", n, i)
		}
	}
	paths, err := filepath.Glob("../../notebooks/*.ipynb")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		nb, err := readNotebook(path)
		if err != nil {
			t.Fatal(err)
		}
		named := nb.checked()
		for _, c := range nb.Cells {
			for _, m := range heading.FindAllStringSubmatch(rowsRemark.ReplaceAllString(string(c.Source), "$1 [rows $2]"), -1) {
				if at := bracketed.FindStringSubmatch(m[1]); c.Type == "markdown" && at != nil {
					for _, n := range parseRows(at[2]) {
						named[n]++
					}
				}
			}
		}
		switch name := filepath.Base(path); {
		case name == "00_first_day.ipynb", name == "17_beyond_memory.ipynb", name == "18_beyond_enumeration.ipynb": // of no lecture
		case len(named) == 0:
			t.Errorf("%s names no rows", path)
		}
		for n := range named {
			if _, ok := rows[n]; !ok {
				t.Errorf("%s: the ledger has no row %d", path, n)
			}
		}
	}
}

func TestParseLedger(t *testing.T) {
	if _, err := parseLedger("| 1 | a | b |\n| 2 | a | b |\n| 1 | c | d |\n"); err == nil || !strings.Contains(err.Error(), "two rows 1") {
		t.Errorf("a row twice: %v", err)
	}
}

func TestSections(t *testing.T) {
	const page = `<h1 id="T">T<a class="anchor-link" href="#T">¶</a></h1>
<h2 id="A-%5B5,-93-96%5D">A's $x$ [5, 93-96]<a class="anchor-link" href="#A-%5B5,-93-96%5D">¶</a></h2>`
	sections, linked, err := linkSections([]byte(page), readLedger(t))
	if err != nil {
		t.Fatal(err)
	}
	want := []section{{Level: 1, Anchor: "#T", Title: "T"}, {Level: 2, Anchor: "#A-%5B5,-93-96%5D", Title: "A's $x$", Rows: []int{5, 93, 94, 95, 96}}}
	if !reflect.DeepEqual(sections, want) {
		t.Errorf("sections %+v, want %+v", sections, want)
	}
	if want := `[<a href="LEDGER.html#row-5">5</a>, <a href="LEDGER.html#row-93">93</a>-<a href="LEDGER.html#row-96">96</a>]`; !strings.Contains(string(linked), want) {
		t.Errorf("%s\nhas no %s", linked, want)
	}
	_, _, err = linkSections([]byte(strings.ReplaceAll(page, "[5,", "[999,")), readLedger(t))
	if err == nil || !strings.Contains(err.Error(), "no row 999") {
		t.Errorf("a row that does not exist: %v", err)
	}

	remark := `<h2 id="B-c-%5Brows-68%5D">B c [rows 68]<a class="anchor-link" href="#B-c-%5Brows-68%5D">¶</a></h2>`
	others, linked, err := linkSections([]byte(remark), readLedger(t))
	if want := `<h2 id="B-c">B c<a class="anchor-link" href="#B-c">¶</a></h2>`; err != nil || string(linked) != want || others[0].Anchor != "#B-c" {
		t.Errorf("%s, want %s: %v", linked, want, err)
	}

	nb := &notebook{Cells: []*cell{{Type: "code", Outputs: []*output{{Type: "stream",
		Text: "ok  4 X'r = 0   true   want true\nok  93 residual  1 -2  want 1 -2\nok  93 weights  2  want 2\nok  the total   7  want 7\n"}}}}}
	rows := page1.shows(readLedger(t), sections, nb.checked())
	var got []int
	for _, r := range rows {
		got = append(got, r.Number, len(r.Sections), r.Checks)
	}
	if want := []int{4, 0, 1, 5, 1, 0, 93, 1, 2, 94, 1, 0, 95, 1, 0, 96, 1, 0}; !slices.Equal(got, want) {
		t.Errorf("number, sections and checks %v, want %v", got, want)
	}
	text := linkLedger("| 4 | a | b |\n| 5 | c | d |\n| 6 | e | f |\n", map[int][]shown{4: rows[:1], 5: rows[1:2]})
	for _, want := range []string{
		`| <a id="row-4"></a>4 | a | b | <a href="01_a.html#A-%5B5,-93-96%5D">01 A's $x$</a> |`,
		`| <a id="row-5"></a>5 | c | d | <a href="01_a.html#A-%5B5,-93-96%5D">01 A's $x$</a> |`,
		`| <a id="row-6"></a>6 | e | f | – |`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%s\nhas no %s", text, want)
		}
	}
}

var page1 = page{Name: "01_a", Number: "01"}
