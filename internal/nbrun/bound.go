package main

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A number in the text of a notebook is bound to its source by a comment behind it:
//
//	the slope is 0.52<!--=slope-->             a value that a cell gave ledger.Bind
//	between 0.1 and 0.4<!--=lo,hi-->           the last two numbers, in this order
//	Murphy draws 21<!--fact: Murphy 2012-->    a fact from outside, and its source
//	a residual of 2.45<!--ledger 95-->         what row 95 of notebooks/LEDGER.md has
//
// The first two name as many of the numbers before them, back to the comment before
// or to the start of the paragraph, list item, heading or row of a table; the last
// two hold for all numbers since then in their sentence. A bound string has to stand
// before its comment as it is, in capitals or not. prose.go says what is a number.
//
// Values come from the notebook's last execution only, see stated.

// A problem is what is wrong with the text or the code of a cell.
type problem struct {
	cell int // counted from 1
	text string
}

// A binding is a value, and the cell that bound it.
type binding struct {
	value any
	cell  int
	used  bool
}

// A tally counts the numbers of a text by what holds them.
type tally struct{ bound, ledger, facts int }

func (t tally) String() string {
	return fmt.Sprintf("%d numbers bound to values, %d to the ledger, %d facts", t.bound, t.ledger, t.facts)
}

// unbound returns what is wrong with the numbers in the text of an executed notebook.
func (nb *notebook) unbound(ledger map[int]row) []problem {
	problems, _ := nb.proofread(ledger)
	return problems
}

// proofread is unbound, and counts.
func (nb *notebook) proofread(ledger map[int]row) (problems []problem, count tally) {
	names := map[string]*binding{}
	for i, c := range nb.Cells {
		s := c.stated()
		for _, name := range slices.Sorted(maps.Keys(s.Bound)) {
			if first := names[name]; first == nil {
				names[name] = &binding{value: s.Bound[name], cell: i + 1}
			} else if !sameValue(first.value, s.Bound[name]) {
				problems = append(problems, problem{i + 1, fmt.Sprintf("%s is %s here, and %s in cell %d",
					name, show(s.Bound[name]), show(first.value), first.cell)})
			}
		}
	}
	for i, c := range nb.Cells {
		if c.Type != "markdown" {
			continue
		}
		p := checkText(string(c.Source), names, ledger)
		for _, text := range p.problems {
			problems = append(problems, problem{i + 1, text})
		}
		count.bound += p.count.bound
		count.ledger += p.count.ledger
		count.facts += p.count.facts
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if b := names[name]; !b.used {
			problems = append(problems, problem{b.cell, fmt.Sprintf("%s is bound, and no sentence uses it", name)})
		}
	}
	slices.SortStableFunc(problems, func(a, b problem) int { return cmp.Compare(a.cell, b.cell) })
	return problems, count
}

var (
	blockStart  = regexp.MustCompile(`(?m)^[ \t]*$|^#{1,6}[ \t].*\n?|^[ \t]*(?:[-*+]|\d+[.)])[ \t]|^[ \t]*\|`)
	sentenceEnd = regexp.MustCompile(`([.!?]["')*_\x02]*)\s+["'(*_]*[\p{Lu}\x01]`)
	closeBy     = regexp.MustCompile(`^[\s%*_)"'”]*$`)
	atLine      = regexp.MustCompile(`(?m)^[ \t]*<!--\s*(=|fact|ledger)`)
	rowNumber   = regexp.MustCompile(`^ledger\s+(\d+(?:\s*,\s*\d+)*)$`)
	ownCode     = regexp.MustCompile(`\b(?:cells?|code|call|loop)\b`)
	factSource  = regexp.MustCompile(`^fact:\s*(\S.*)$`)
)

// A proof is a cell's text in the course of being checked.
type proof struct {
	source   string
	masked   string // what numerals makes of it
	numbers  []numeral
	done     []bool // bound, or reported
	names    map[string]*binding
	ledger   map[int]row
	problems []string
	count    tally
}

func (p *proof) fail(at int, format string, args ...any) {
	p.problems = append(p.problems, fmt.Sprintf(format, args...)+"\n    "+p.sentence(at))
}

// checkText checks the numbers of a Markdown text and marks the names that it uses.
func checkText(source string, names map[string]*binding, ledger map[int]row) *proof {
	p := &proof{source: source, names: names, ledger: ledger}
	var remarks []remark
	p.numbers, remarks, p.masked = numerals(source)
	p.done = make([]bool, len(p.numbers))
	if at := atLine.FindStringIndex(source); at != nil {
		p.fail(at[0], "a comment begins its line, which Markdown then takes for HTML: put it right behind the number")
	}
	start := 0 // end of the remark before
	for _, r := range remarks {
		from := max(start, p.blockStart(r.from))
		switch {
		case strings.HasPrefix(r.text, "="):
			p.bind(r, from)
		case strings.HasPrefix(r.text, "fact"):
			p.fact(r, max(from, p.sentenceStart(r.from)))
		case strings.HasPrefix(r.text, "ledger"):
			p.row(r, max(from, p.sentenceStart(r.from)))
		default:
			continue
		}
		start = r.to
	}
	for i := 0; i < len(p.numbers); {
		var missing []string // of one sentence
		at := p.numbers[i].from
		sentence := p.sentenceStart(at)
		for ; i < len(p.numbers) && p.sentenceStart(p.numbers[i].from) == sentence; i++ {
			n := p.numbers[i]
			if text := source[n.from:n.to]; !p.done[i] && !n.soft && !slices.Contains(missing, text) {
				missing, at = append(missing, text), n.from
			}
		}
		if missing != nil {
			p.fail(at, "unbound: %s", strings.Join(missing, ", "))
		}
	}
	return p
}

// between returns the indices of the numbers from one place to another. The words
// "one" and "zero" are numbers only close by the end.
func (p *proof) between(from, to int) []int {
	var found []int
	for i, n := range p.numbers {
		if n.from >= from && n.to <= to && (!n.soft || closeBy.MatchString(p.source[n.to:to])) {
			found = append(found, i)
		}
	}
	return found
}

// bind compares the numbers before a remark with the values that it names.
func (p *proof) bind(r remark, from int) {
	names := strings.Split(r.text[1:], ",")
	numbers, end := p.between(from, r.from), r.from
	for k := len(names) - 1; k >= 0; k-- {
		name := strings.TrimSpace(names[k])
		b := p.names[name]
		if b == nil {
			p.fail(r.from, "no cell binds %q", name)
		} else {
			b.used = true
			if text, ok := b.value.(string); ok {
				at := lastWord(p.source[from:end], text)
				if at < 0 {
					p.fail(r.from, "%s is %q, which does not stand before it", name, text)
					return
				}
				end = from + at
				for len(numbers) > 0 && p.numbers[numbers[len(numbers)-1]].to > end {
					last := numbers[len(numbers)-1]
					p.done[last] = p.done[last] || p.numbers[last].to <= end+len(text)
					numbers = numbers[:len(numbers)-1]
				}
				continue
			}
		}
		if len(numbers) == 0 {
			p.fail(r.from, "%s has no number before it", name)
			return
		}
		i := numbers[len(numbers)-1]
		numbers = numbers[:len(numbers)-1]
		n := p.numbers[i]
		p.done[i] = true
		p.count.bound++
		end = min(end, n.from)
		if b == nil {
			continue
		}
		if v, ok := number64(b.value); !ok || !n.is(v) {
			p.fail(n.from, "wrong: %s is written, %s is %s (cell %d)", strings.TrimSpace(p.source[n.from:n.to]), name, show(b.value), b.cell)
		}
	}
}

// lastWord returns where word stands last in text, in capitals or not and not within
// another word, or -1.
func lastWord(text, word string) int {
	all := regexp.MustCompile(`(?i)(?:^|[^\pL\pN])(`+strings.ReplaceAll(regexp.QuoteMeta(word), " ", `\s+`)+`)(?:$|[^\pL\pN])`).FindAllStringSubmatchIndex(text, -1)
	if all == nil {
		return -1
	}
	return all[len(all)-1][2]
}

// fact marks the numbers before a remark as facts from outside.
func (p *proof) fact(r remark, from int) {
	numbers := p.between(from, r.from)
	switch {
	case !factSource.MatchString(r.text):
		p.fail(r.from, "a fact without a source: want <!--fact: source-->")
	case ownCode.MatchString(r.text):
		p.fail(r.from, "what the notebook's own code says is no fact from outside: have the cell bind it (%s)", r.text)
	case len(numbers) == 0:
		p.fail(r.from, "a fact has no number before it")
	}
	p.count.facts += len(numbers)
	for _, i := range numbers {
		p.done[i] = true
	}
}

// row looks for the numbers before a remark in rows of the ledger.
func (p *proof) row(r remark, from int) {
	numbers := p.between(from, r.from)
	for _, i := range numbers {
		p.done[i] = true
	}
	m := rowNumber.FindStringSubmatch(r.text)
	if m == nil {
		p.fail(r.from, "want <!--ledger 93-->, or more rows as in <!--ledger 93,94-->")
		return
	}
	var values []float64
	for _, n := range parseRows(m[1]) {
		row, ok := p.ledger[n]
		if !ok {
			p.fail(r.from, "the ledger has no row %d", n)
			return
		}
		values = append(values, row.values()...)
	}
	if len(numbers) == 0 {
		p.fail(r.from, "row %s has no number before it", m[1])
	}
	p.count.ledger += len(numbers)
	for _, i := range numbers {
		if n := p.numbers[i]; !slices.ContainsFunc(values, n.is) {
			p.fail(n.from, "wrong: row %s of the ledger has no %s", m[1], strings.TrimSpace(p.source[n.from:n.to]))
		}
	}
}

var rowDigits = regexp.MustCompile(`[-−]?(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d*\.\d+|\d+)`)

// values returns the numbers of a row.
func (r row) values() []float64 {
	text := r.Item + " " + r.Text
	found, _, _ := numerals(text)
	var values []float64
	for _, n := range found {
		values = append(values, n.value)
	}
	for _, m := range rowDigits.FindAllString(text, -1) {
		v, err := strconv.ParseFloat(strings.ReplaceAll(strings.ReplaceAll(m, ",", ""), "−", "-"), 64)
		if err == nil {
			values = append(values, v, math.Abs(v))
		}
	}
	return values
}

// blockStart returns where the paragraph, list item, heading or row of a table
// begins that a place is in.
func (p *proof) blockStart(at int) int {
	start := 0
	for _, m := range blockStart.FindAllStringIndex(p.source, -1) {
		switch {
		case m[1] <= at: // below a heading
			start = m[1]
		case m[0] <= at:
			start = m[0]
		}
	}
	return start
}

// sentenceStart returns where the sentence begins that a place is in.
func (p *proof) sentenceStart(at int) int {
	start := p.blockStart(at)
	last := start
	for _, m := range sentenceEnd.FindAllStringSubmatchIndex(p.masked[start:], -1) {
		if end := start + m[3]; end <= at {
			last = end
		}
	}
	return last
}

// sentence returns the sentence around a place, for messages.
func (p *proof) sentence(at int) string {
	from := p.sentenceStart(at)
	to := len(p.source)
	if end := strings.Index(p.source[at:], "\n\n"); end >= 0 {
		to = at + end
	}
	if m := sentenceEnd.FindStringSubmatchIndex(p.masked[at:to]); m != nil {
		to = at + m[3]
	}
	text := p.source[from:to]
	text = strings.Join(strings.Fields(comments.ReplaceAllString(text, "")), " ")
	if r := []rune(text); len(r) > 160 {
		text = string(r[:157]) + "..."
	}
	return text
}

// withoutRemarks returns the notebook with the comments of its text left out.
func (nb *notebook) withoutRemarks() *notebook {
	clean := *nb
	clean.Cells = nil
	for _, c := range nb.Cells {
		if c.Type == "markdown" {
			copied := *c
			copied.Source = text(dropRemarks(string(c.Source)))
			c = &copied
		}
		clean.Cells = append(clean.Cells, c)
	}
	return &clean
}

// dropRemarks leaves out the comments that bind numbers.
func dropRemarks(source string) string {
	return comments.ReplaceAllStringFunc(source, func(c string) string {
		if t := strings.TrimSpace(c[4:]); strings.HasPrefix(t, "=") || strings.HasPrefix(t, "fact") || strings.HasPrefix(t, "ledger") {
			return ""
		}
		return c
	})
}
