// Package find finds the call for a word that users of R, pandas, scikit-learn and
// others type. It reads what stands in COMING_FROM.md, in notebooks/WHICH_METHOD.md and in the
// indexes by task of the packages, so that nothing is written twice.
package find

import (
	"cmp"
	"errors"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// An Entry says that Ours does what Theirs says: a task, a question, or a call of another program.
type Entry struct {
	Theirs string
	Ours   string   // calls, with the names of their packages
	From   string   // where it stands: "index of frames", "from dplyr", "which method"
	Names  []string // of functions and methods in the index, such as mlreg.FitOLS, in its order
}

// indexed are the folders of the packages that have an index by task, those first that a reader
// meets first.
var indexed = []string{"frames", "mlreg", "mlreg/assess", "mlreg/hier", "mlreg/tsa", "mlreg/rlm", "mlreg/quantreg", "plotting", "datasets", "plotting/lecture"}

// Entries reads all entries of the clone, or of a copy of its packages, at root: indexes first. A
// file that is missing has none.
func Entries(root string) ([]Entry, error) {
	var all []Entry
	for _, pkg := range indexed {
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, pkg, "doc.go"), nil, parser.PackageClauseOnly|parser.ParseComments)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		all = append(all, indexEntries(filepath.Base(pkg), f.Doc.Text())...)
	}
	for file, rows := range map[string]func(heading string, cells []string) Entry{
		"COMING_FROM.md":            comingFrom,
		"notebooks/WHICH_METHOD.md": whichMethod,
	} {
		b, err := os.ReadFile(filepath.Join(root, file))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		all = append(all, tableEntries(string(b), rows)...)
	}
	slices.SortStableFunc(all, func(a, b Entry) int { return cmp.Compare(kind(a.From), kind(b.From)) })
	return all, nil
}

// kind orders the sources.
func kind(from string) int {
	return slices.IndexFunc([]string{"index ", "from ", ""}, func(s string) bool { return strings.HasPrefix(from, s) })
}

var (
	link   = regexp.MustCompile(`\[([A-Z][\w.]*)\]`)
	commas = regexp.MustCompile(`\s*,[\s,]*`)
	// markup is code and links of Markdown.
	markup = regexp.MustCompile("`([^`]*)`" + `|\[([^\]]*)\]\([^)]*\)`)
)

// indexEntries reads the items of an index by task: a task and links, once or, after
// semicolons, again.
func indexEntries(pkg, doc string) []Entry {
	_, index, found := strings.Cut(doc, "# Index by task\n")
	if !found {
		return nil
	}
	index, _, _ = strings.Cut(index, "\n# ")
	var all []Entry
	for _, item := range strings.Split(index, "\n  - ")[1:] {
		item, _, _ = strings.Cut(item, "\n\n")
		item = strings.Join(strings.Fields(item), " ")
		task := ""
		for _, part := range strings.Split(item, ";") {
			e := Entry{From: "index of " + pkg}
			for _, m := range link.FindAllStringSubmatch(part, -1) {
				e.Names = append(e.Names, pkg+"."+m[1])
			}
			says := strings.Trim(link.ReplaceAllString(part, ""), " :,")
			says = commas.ReplaceAllString(strings.NewReplacer("( )", "", "()", "").Replace(says), ", ")
			if task == "" {
				task, e.Theirs = says, says
			} else {
				e.Theirs = task + "; " + says
			}
			if len(e.Names) > 0 {
				e.Ours = strings.Join(e.Names, ", ")
				all = append(all, e)
			}
		}
	}
	return all
}

// tableEntries reads the rows of the tables of a Markdown file, below their headings.
func tableEntries(text string, entry func(heading string, cells []string) Entry) []Entry {
	var all []Entry
	heading, inTable := "", false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if h, ok := strings.CutPrefix(line, "## "); ok {
			heading = h
		}
		if !strings.HasPrefix(line, "|") {
			inTable = false
			continue
		}
		if strings.HasPrefix(line, "|--") {
			inTable = true
			continue
		}
		if !inTable {
			continue
		}
		cells := strings.Split(strings.ReplaceAll(strings.Trim(line, "|"), `\|`, "\x00"), "|")
		for i, c := range cells {
			c = strings.ReplaceAll(strings.TrimSpace(c), "\x00", "|")
			cells[i] = markup.ReplaceAllString(c, "$1$2")
		}
		if e := entry(heading, cells); e.Ours != "" {
			all = append(all, e)
		}
	}
	return all
}

// comingFrom is the entry of a row of COMING_FROM.md: a call and ours.
func comingFrom(heading string, cells []string) Entry {
	if len(cells) < 2 || !strings.HasPrefix(heading, "From ") {
		return Entry{}
	}
	from, _, _ := strings.Cut(heading, ":")
	return Entry{Theirs: cells[0], Ours: cells[1], From: strings.ToLower(from[:1]) + from[1:]}
}

// whichMethod is the entry of a row of WHICH_METHOD.md: a question, a method, pages, and the call.
func whichMethod(_ string, cells []string) Entry {
	if len(cells) < 4 {
		return Entry{}
	}
	return Entry{Theirs: cells[0] + " " + cells[1], Ours: cells[3], From: "which method"}
}

// Search returns the entries that have all words of a query, best first: whole words before parts of
// words, calls before mentions, the other program's words before ours, short entries before long ones. If there is
// none, a name such as CorTest is taken for its words.
func Search(all []Entry, query string) []Entry {
	entries := search(all, query)
	if len(entries) == 0 {
		entries = search(all, capital.ReplaceAllString(query, "$1$3 $2$4"))
	}
	return entries
}

var capital = regexp.MustCompile(`([a-z0-9])([A-Z])|([A-Z])([A-Z][a-z])`)

func search(all []Entry, query string) []Entry {
	type found struct {
		entry Entry
		score int
	}
	wanted := words(query)
	var hits []found
	for _, e := range all {
		theirs, ours := words(e.Theirs), words(e.Ours)
		total := 0
		for _, w := range wanted {
			s := max(2*matches(theirs, w.text), matches(ours, w.text))
			if s == 0 {
				total = -1
				break
			}
			total += s
			if called(e.Theirs, w.text) {
				total++
			}
		}
		if total > 0 {
			hits = append(hits, found{e, 100*total - len(theirs)})
		}
	}
	slices.SortStableFunc(hits, func(a, b found) int { return cmp.Compare(b.score, a.score) })
	entries := make([]Entry, len(hits))
	for i, h := range hits {
		entries[i] = h.entry
	}
	return entries
}

// operator is one of R's operators between percent signs.
var operator = regexp.MustCompile(`%(in|o|x|/|\|>|>)?%`)

// words returns the words of a text in small letters, those with a point or an underscore whole and
// in parts, and operators between percent signs.
func words(text string) []word {
	var all []word
	for _, op := range operator.FindAllString(text, -1) {
		all = append(all, word{op, false})
	}
	for _, w := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '.' && r != '%'
	}) {
		w = strings.Trim(w, ".")
		if w == "" {
			continue
		}
		all = append(all, word{w, false})
		if parts := strings.FieldsFunc(w, func(r rune) bool { return r == '_' || r == '.' }); len(parts) > 1 {
			for _, part := range parts {
				all = append(all, word{part, true})
			}
		}
	}
	return all
}

// word is a word of a text, or part of one with a point or an underscore.
type word struct {
	text string
	part bool
}

// called reports whether a text calls a function: rank(x), not se = "rank".
func called(text, fn string) bool {
	before, _, found := strings.Cut(strings.ToLower(text), fn+"(")
	last, _ := utf8.DecodeLastRuneInString(before)
	return found && !unicode.IsLetter(last) && !strings.ContainsRune("_.", last)
}

// matches says how well one of the words is the one wanted: whole 4, a part of one 3, at its
// beginning 2, within 1.
func matches(words []word, wanted string) int {
	best := 0
	for _, w := range words {
		switch {
		case w.text == wanted && !w.part:
			return 4
		case w.text == wanted:
			best = max(best, 3)
		case len(wanted) > 2 && strings.HasPrefix(w.text, wanted):
			best = max(best, 2)
		case len(wanted) > 2 && strings.Contains(w.text, wanted):
			best = max(best, 1)
		}
	}
	return best
}

// Names returns the names in the indexes, in their order.
func Names(all []Entry) []string {
	var names []string
	seen := map[string]bool{}
	for _, e := range all {
		for _, n := range e.Names {
			if !seen[n] {
				seen[n] = true
				names = append(names, n)
			}
		}
	}
	return names
}
