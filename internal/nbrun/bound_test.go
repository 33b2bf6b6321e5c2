package main

import (
	"slices"
	"strings"
	"testing"
)

// boundNotebook has the text, and a cell that bound these values.
func boundNotebook(text_ string) *notebook {
	return &notebook{Cells: []*cell{
		{Type: "code", Metadata: map[string]any{statedKey: "r\tbind\tslope\t0.5231\nr\tbind\tlo\t0.1\nr\tbind\thi\t0.4\nr\tbind\tp\t8\n" +
			"r\tcheck\ttrue\t\"a\"\t\"\"\t\"\"\nr\tbind\tbest\t\"the lasso\"\n"}},
		{Type: "markdown", Source: text(text_)},
	}}
}

// allUsed uses the names of boundNotebook.
const allUsed = "\n\n0.52<!--=slope--> 0.1, 0.4<!--=lo,hi--> eight<!--=p--> The lasso<!--=best-->"

func TestUnbound(t *testing.T) {
	rows := map[int]row{93: {93, "weights 7", "16.36, 9.97, −26.33 bits; .710; 20,000"}, 94: {94, "two rows", "5"}}
	for text, want := range map[string]string{
		// as it should be
		"a slope of 0.52<!--=slope-->, or 0.523<!-- = slope -->":       "",
		"between 0.1 and 0.4<!--=lo,hi-->":                             "",
		"**eight**<!--=p--> and 8<!--=p-->, ($p=8$<!--=p-->)":          "",
		"## The eight<!--=p--> columns":                                "",
		"| a | b |\n|--:|--|\n| 0.1 | eight |<!--=lo,p-->":             "",
		"| a | b |\n|--:|--|\n| 0.1<!--=lo--> | eight<!--=p--> |":      "",
		"- 0.1<!--=lo-->\n- 0.4<!--=hi-->":                             "",
		"**The lasso**<!--=best--> wins, with the\nlasso<!--=best-->":  "",
		"The lasso at 0.1<!--=best,lo-->":                              "",
		"Murphy has 21 of 30<!--fact: Murphy 2012, p. 7-->":            "",
		"bits 16.4 and 9.97 and −26.3<!--ledger 93-->":                 "",
		"two of 20,000, .710 and 0.71<!--ledger 93,94-->":              "",
		"one<!--fact: x--> of them, one of us":                         "",
		"an interval 0.10 to 0.40<!--=lo,hi--> <!-- 5 is a remark -->": "",
		// unbound
		"a slope of 0.52": "unbound: 0.52\n    a slope of 0.52",
		"First 3 of 4. Then eight<!--=p-->. Or 5 of\n6.": "unbound: 3, 4\n    First 3 of 4.|unbound: 5, 6\n    Or 5 of 6.",
		"5 of eight<!--=p-->":                            "unbound: 5",
		"we draw 20.<!--=p--> 5":                         "wrong: 20 is written, p is 8|unbound: 5",
		"It is 7. Murphy has 21<!--fact: Murphy-->":      "unbound: 7",
		"It is 7.\n\nIt is eight<!--=p-->":               "unbound: 7",
		"- It is 7\n- It is eight<!--=p-->":              "unbound: 7",
		"## 7 things\nIt is eight<!--fact: x-->":         "unbound: 7",
		"Murphy has 21<!--fact: Murphy--> and 22":        "unbound: 22",
		"$n=100$ rows":                                   "unbound: $n=100$",
		// wrong
		"a slope of 0.53<!--=slope-->":      "wrong: 0.53 is written, slope is 0.5231 (cell 1)",
		"between 0.4 and 0.1<!--=lo,hi-->":  "wrong: 0.1 is written, hi is 0.4 (cell 1)|wrong: 0.4 is written, lo is 0.1 (cell 1)",
		"seven<!--=p-->":                    "wrong: seven is written",
		"ridge<!--=best-->":                 `best is "the lasso", which does not stand before it`,
		"the lassos<!--=best-->":            "does not stand before it",
		"0.4<!--=lo,hi-->":                  "lo has no number before it",
		"0.4<!--=hi--> again<!--=hi-->":     "hi has no number before it",
		"It is 0.4.\n\nYes<!--=hi-->":       "hi has no number before it|unbound: 0.4",
		"0.4<!--=nosuch-->":                 `no cell binds "nosuch"`,
		"0.4<!--=best-->":                   "does not stand before it|unbound: 0.4",
		"It has 21<!--fact:-->":             "a fact without a source",
		"20<!--fact: the cell's setting-->": "have the cell bind it",
		"It has 21<!--fact Murphy-->":       "a fact without a source",
		"It has many<!--fact: Murphy-->":    "a fact has no number before it",
		"It has 9.96<!--ledger 93-->":       "wrong: row 93 of the ledger has no 9.96",
		"It has 93<!--ledger 93-->":         "wrong: row 93 of the ledger has no 93",
		"It has 5<!--ledger 95-->":          "the ledger has no row 95",
		"It has 5<!--ledger x-->":           "want <!--ledger 93-->",
		"many<!--ledger 93-->":              "row 93 has no number before it",
		"It is\neight\n<!--=p-->":           "a comment begins its line",
	} {
		nb := boundNotebook(text + allUsed)
		var got []string
		for _, p := range nb.unbound(rows) {
			if p.cell != 2 {
				t.Errorf("%q: cell %d", text, p.cell)
			}
			got = append(got, p.text)
		}
		wants := strings.Split(want, "|")
		if want == "" {
			wants = nil
		}
		same := len(got) == len(wants)
		for i := range min(len(got), len(wants)) {
			same = same && slices.ContainsFunc(got, func(g string) bool { return strings.Contains(g, wants[i]) })
		}
		if !same {
			t.Errorf("%q:\n%s\nwant\n%s", text, strings.Join(got, "\n"), strings.Join(wants, "\n"))
		}
	}
}

// Names that no sentence uses, and a name with two values.
func TestUnboundNames(t *testing.T) {
	nb := boundNotebook(strings.Replace(allUsed, "eight<!--=p-->", "", 1))
	if got := nb.unbound(nil); len(got) != 1 || got[0].cell != 1 || got[0].text != "p is bound, and no sentence uses it" {
		t.Errorf("unused: %+v", got)
	}
	nb = boundNotebook(allUsed)
	again := func(value string) *cell {
		return &cell{Type: "code", Metadata: map[string]any{statedKey: "r\tbind\tslope\t" + value + "\n"}}
	}
	nb.Cells = append(nb.Cells, again("0.5231"))
	if got := nb.unbound(nil); got != nil {
		t.Errorf("twice with one value: %+v", got)
	}
	nb.Cells = append(nb.Cells, again("0.5232"))
	if got := nb.unbound(nil); len(got) != 1 || got[0].text != "slope is 0.5232 here, and 0.5231 in cell 1" {
		t.Errorf("two values: %+v", got)
	}
}

func TestDropRemarks(t *testing.T) {
	const text = "a 0.52<!--=slope--> b 5<!--fact: x-->, 6<!-- ledger 93 --> <!-- stays -->"
	if got, want := dropRemarks(text), "a 0.52 b 5, 6 <!-- stays -->"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
