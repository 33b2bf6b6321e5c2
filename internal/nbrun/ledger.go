package main

import (
	"cmp"
	"fmt"
	"html"
	"html/template"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A row is a line of notebooks/LEDGER.md.
type row struct {
	Number     int
	Item, Text string
}

var ledgerRow = regexp.MustCompile(`(?m)^\| (\d+) \| (.+?) \| (.+) \|$`)

// parseLedger returns the rows by number.
func parseLedger(text string) (map[int]row, error) {
	rows := map[int]row{}
	for _, m := range ledgerRow.FindAllStringSubmatch(text, -1) {
		n, err := strconv.Atoi(m[1])
		if err != nil {
			return nil, err
		}
		if _, twice := rows[n]; twice {
			return nil, fmt.Errorf("the ledger has two rows %d", n)
		}
		rows[n] = row{n, m[2], m[3]}
	}
	return rows, nil
}

// A section is a heading of a notebook's page. It names rows of the ledger in
// brackets at its end, or in a comment such as <!--rows 5, 93-96-->, which readers do not see: forPage
// makes [rows 5, 93-96] of it, since nbconvert drops comments.
type section struct {
	Level  int           // of the heading, from 1
	Anchor string        // with the #
	Title  template.HTML // without the brackets
	Rows   []int
}

// Href is the link to the section: as it is, for the anchors of nbconvert have
// escapes in them.
func (s section) Href() template.HTMLAttr {
	return template.HTMLAttr(`href="` + html.EscapeString(s.Anchor) + `"`)
}

var (
	sectionHeading = regexp.MustCompile(`(?s)(<h[1-6] id="[^"]*">)(.*?)(<a class="anchor-link" href="(#[^"]*)")`)
	bracketed      = regexp.MustCompile(`\s*\[(rows )?(\d[\d, –-]*)\]$`)
	rowsRemark     = regexp.MustCompile(`(?m)^(#{1,6} .*?)\s*<!--rows (\d[\d, –-]*)-->[ \t]*$`)
	rowsInAnchor   = regexp.MustCompile(`-%5Brows-.*?%5D`)
	number         = regexp.MustCompile(`\d+`)
)

// linkSections returns the sections of a page, and the page with their rows
// linked to the page of the ledger. Anchors lose the rows of remarks, which Jupyter's do not have.
func linkSections(page []byte, ledger map[int]row) ([]section, []byte, error) {
	var sections []section
	var unknown []string
	page = sectionHeading.ReplaceAllFunc(page, func(found []byte) []byte {
		m := sectionHeading.FindSubmatch(rowsInAnchor.ReplaceAll(found, nil))
		title := string(m[2])
		s := section{Level: int(m[1][2] - '0'), Anchor: html.UnescapeString(string(m[4])), Title: template.HTML(title)}
		if at := bracketed.FindStringSubmatchIndex(title); at != nil {
			s.Title = template.HTML(title[:at[0]])
			numbers := title[at[4]:at[5]]
			for _, n := range parseRows(numbers) {
				if _, ok := ledger[n]; !ok {
					unknown = append(unknown, fmt.Sprintf("%s: the ledger has no row %d", title, n))
				}
				s.Rows = append(s.Rows, n)
			}
			if title = string(s.Title); at[2] < 0 {
				title += ` <span class="rows">[` + number.ReplaceAllString(numbers, `<a href="LEDGER.html#row-$0">$0</a>`) + "]</span>"
			}
		}
		sections = append(sections, s)
		return slices.Concat(m[1], []byte(title), m[3])
	})
	if unknown != nil {
		return nil, nil, fmt.Errorf("%s", strings.Join(unknown, "\n"))
	}
	return sections, page, nil
}

// parseRows returns the numbers of a list such as "5, 93-96".
func parseRows(list string) []int {
	var rows []int
	for _, part := range strings.Split(list, ",") {
		ends := number.FindAllString(part, 2)
		if ends == nil {
			continue
		}
		from, _ := strconv.Atoi(ends[0])
		to, _ := strconv.Atoi(ends[len(ends)-1])
		for n := from; n <= to; n++ {
			rows = append(rows, n)
		}
	}
	return rows
}

var checkLine = regexp.MustCompile(`(?m)^ok  (\d+) .* want `)

// checked returns how many results of each row the notebook held against the
// ledger: what ledger.Done printed.
func (nb *notebook) checked() map[int]int {
	count := map[int]int{}
	for _, c := range nb.Cells {
		for _, o := range c.Outputs {
			for _, m := range checkLine.FindAllStringSubmatch(string(o.Text), -1) {
				if n, err := strconv.Atoi(m[1]); err == nil {
					count[n]++
				}
			}
		}
	}
	return count
}

// A shown row is one that a notebook shows.
type shown struct {
	row
	Page     page
	Sections []section
	Checks   int
	Last     section // the page's last section, which lists the checks
}

// shows returns the rows that a page shows, in the order of their numbers.
func (p page) shows(ledger map[int]row, sections []section, checks map[int]int) []shown {
	var rows []shown
	for n, r := range ledger {
		s := shown{row: r, Page: p, Checks: checks[n]}
		for _, section := range sections {
			if slices.Contains(section.Rows, n) {
				s.Sections = append(s.Sections, section)
			}
		}
		if s.Sections != nil || s.Checks > 0 {
			if len(sections) > 0 {
				s.Last = sections[len(sections)-1]
			}
			rows = append(rows, s)
		}
	}
	slices.SortFunc(rows, func(a, b shown) int { return a.Number - b.Number })
	return rows
}

// linkLedger returns the ledger with a column that says where a row is shown,
// and an anchor at each row.
func linkLedger(text string, where map[int][]shown) string {
	text = strings.ReplaceAll(text, "| row | item | formula, figure or number |\n|--:|--|--|\n",
		"| row | item | formula, figure or number | shown in |\n|--:|--|--|--|\n")
	return ledgerRow.ReplaceAllStringFunc(text, func(line string) string {
		m := ledgerRow.FindStringSubmatch(line)
		n, _ := strconv.Atoi(m[1])
		var links []string
		for _, s := range where[n] {
			sections := s.Sections
			if sections == nil {
				sections = []section{s.Last}
			}
			for _, section := range sections {
				links = append(links, fmt.Sprintf(`<a href="%s.html%s">%s %s</a>`,
					s.Page.Name, html.EscapeString(section.Anchor), html.EscapeString(s.Page.Number), section.Title))
			}
		}
		return fmt.Sprintf(`| <a id="row-%d"></a>%d | %s | %s | %s |`, n, n, m[2], m[3], cmp.Or(strings.Join(links, "<br>"), "–"))
	})
}
