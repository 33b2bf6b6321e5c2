package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"text/tabwriter"
	"time"
)

// nbrun mutate changes literals of the notebooks' code, one at a time, and lists those
// changes that nothing notices: no check of package ledger, no number bound in the
// text, no solution of an exercise, no failing cell. For each the notebook is one
// program, compiled once, which runs the cells that the literal can reach.

// A mutation is a literal or an operator of a notebook, and what to put for it.
type mutation struct {
	page     *mutated
	cell     int // index
	from     int // byte of the cell
	old, new string
	piece    *piece
	verdict  string // who noticed, "" if nobody did
	invalid  bool   // it does not compile
	printed  bool   // what the notebook prints changed
}

// A mutated notebook is one in the course of it.
type mutated struct {
	name    string
	nb      *notebook
	program *program
	cells   []int // that run
	before  *ran  // without a mutation
	limit   time.Duration
	ledger  map[int]row
	known   map[string]bool // problems of the text before
}

// mutate runs n mutations of the notebooks' code drawn with a seed.
func (c *course) mutate(ctx context.Context, paths []string, n int, seed uint64) error {
	tmp, err := c.tempDir()
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	ledger, err := c.readLedger()
	if err != nil {
		return err
	}
	var all []*mutation
	for _, path := range paths {
		nb, err := readNotebook(path)
		if err != nil {
			return err
		}
		m := &mutated{name: newResult(path).name, nb: nb, ledger: ledger, known: map[string]bool{}}
		if err := m.prepare(ctx, c, filepath.Join(tmp, m.name)); err != nil {
			return fmt.Errorf("%s: %w", m.name, err)
		}
		found := m.mutations()
		fmt.Fprintf(c.out, "%-34s %4d literals, %2d cells run in %.1f s\n", m.name, len(found), len(m.cells), (m.limit-mutationGrace).Seconds()/mutationPatience)
		all = append(all, found...)
	}
	rng := rand.New(rand.NewPCG(seed, 16))
	rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	drawn := all[:min(n, len(all))]
	if err := c.tryAll(ctx, drawn, tmp); err != nil {
		return err
	}
	slices.SortStableFunc(drawn, func(a, b *mutation) int {
		return cmp.Or(strings.Compare(a.page.name, b.page.name), a.cell-b.cell, a.from-b.from)
	})
	return c.report(drawn, seed)
}

// tryAll tries mutations, several at a time, each worker in a folder of its own.
func (c *course) tryAll(ctx context.Context, drawn []*mutation, tmp string) error {
	work, wg := make(chan *mutation), sync.WaitGroup{}
	var lock sync.Mutex
	done := 0
	for worker := range c.jobs {
		dir := filepath.Join(tmp, fmt.Sprint("worker", worker))
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
		wg.Add(1)
		go func() {
			defer wg.Done()
			for m := range work {
				m.try(ctx, c, dir)
				lock.Lock()
				done++
				fmt.Fprintf(c.out, "[%d/%d] %s\n", done, len(drawn), strings.Join(m.row(), "  "))
				lock.Unlock()
			}
		}()
	}
	for _, m := range drawn {
		if ctx.Err() == nil {
			work <- m
		}
	}
	close(work)
	wg.Wait()
	if ctx.Err() != nil {
		return fmt.Errorf("interrupted")
	}
	return nil
}

// report writes the table of mutations to build/mutate.txt, and prints those that
// nobody noticed and the counts.
func (c *course) report(drawn []*mutation, seed uint64) error {
	var b bytes.Buffer
	all, survived := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0), tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(c.out, "== noticed by nothing")
	counts := map[string]int{}
	valid, silent, printed := 0, 0, 0
	for _, m := range drawn {
		line := strings.Join(m.row(), "\t") + "\n"
		fmt.Fprint(all, line)
		if m.invalid {
			continue
		}
		valid++
		kind, _, _ := strings.Cut(m.verdict, ":")
		if kind == "" {
			fmt.Fprint(survived, line)
			silent++
			if m.printed {
				printed++
			}
			continue
		}
		counts[kind]++
	}
	if err := errors.Join(all.Flush(), survived.Flush()); err != nil {
		return err
	}
	file := filepath.Join(c.build, "mutate.txt")
	var kinds []string
	for _, kind := range slices.Sorted(maps.Keys(counts)) {
		kinds = append(kinds, fmt.Sprintf("%s %d", kind, counts[kind]))
	}
	summary := fmt.Sprintf("seed %d: of %d mutations %d are noticed by nothing (%d change what is printed, %d not even that); noticed: %s\n",
		seed, valid, silent, printed, silent-printed, strings.Join(kinds, ", "))
	fmt.Fprintf(c.out, "%sall of them: %s\n", summary, file)
	return writeFile(file, append(b.Bytes(), summary...))
}

// row returns the mutation as a line of the table.
func (m *mutation) row() []string {
	verdict := cmp.Or(m.verdict, "survived")
	if m.verdict == "" && m.printed {
		verdict = "survived (printed text changes)"
	}
	source := m.page.program.parts[m.cell].source
	line := source[strings.LastIndexByte(source[:m.from], '\n')+1:]
	line, _, _ = strings.Cut(line, "\n")
	if r := []rune(strings.TrimSpace(line)); len(r) > 60 {
		line = string(r[:57]) + "..."
	}
	return []string{m.page.name, fmt.Sprintf("cell %d", m.cell+1), m.old, "-> " + m.new, verdict, "| " + strings.TrimSpace(line)}
}

// How long a mutated program may run: so many times as long as the notebook, and a
// while more.
const mutationPatience, mutationGrace = 4, 20 * time.Second

// prepare compiles and runs the notebook as it is.
func (m *mutated) prepare(ctx context.Context, c *course, dir string) (err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	program, binary, err := c.compile(ctx, m.nb, dir)
	if err != nil {
		return err
	}
	m.program, m.cells = program, program.mains()
	start := time.Now()
	m.limit = 10 * time.Minute
	m.before = programRun{dir: dir, limit: m.limit}.run(ctx, c, binary)
	if m.before.err != nil {
		return m.before.err
	}
	m.limit = mutationPatience*time.Since(start) + mutationGrace
	for _, i := range m.cells {
		if p := panicked(m.before.output[i]); p != "" {
			return fmt.Errorf("cell %d panics: %s", i+1, p)
		}
	}
	for _, p := range m.problems(m.before) {
		m.known[p] = true
	}
	return nil
}

func panicked(output string) string {
	_, p, _ := strings.Cut(output, "\x00panic ")
	p, _, _ = strings.Cut(p, "\n")
	return p
}

// problems returns what is wrong with the text beside the values that a run bound.
func (m *mutated) problems(r *ran) []string {
	var cells []*cell
	for i, c := range m.nb.Cells {
		if c.Type == "code" {
			c = &cell{Type: "code", Metadata: map[string]any{statedKey: r.stated[i]}}
		}
		cells = append(cells, c)
	}
	var texts []string
	for _, p := range (&notebook{Cells: cells}).unbound(m.ledger) {
		texts = append(texts, p.text)
	}
	return texts
}

// try compiles and runs a mutation and says who notices.
func (m *mutation) try(ctx context.Context, c *course, dir string) {
	page := m.page
	cells := page.program.affected(m.piece)
	source := page.program.parts[m.cell].source
	program, err := newProgram(page.nb, map[int]string{m.cell: source[:m.from] + m.new + source[m.from+len(m.old):]})
	if err != nil {
		m.verdict, m.invalid = "does not parse", true
		return
	}
	program.imports = page.program.imports
	binary, err := c.buildProgram(ctx, program.compose(cells...), dir)
	if err != nil {
		m.verdict, m.invalid = "does not compile", true
		return
	}
	dirty := programRun{dir: dir, limit: page.limit, stated: page.before.others(cells)}.run(ctx, c, binary)
	m.verdict = page.judge(dirty, cells)
	for _, i := range cells {
		m.printed = m.printed || plainOutput(dirty.output[i]) != plainOutput(page.before.output[i])
	}
}

// others returns what all cells stated but these.
func (r *ran) others(cells []int) string {
	var b strings.Builder
	for _, i := range slices.Sorted(maps.Keys(r.stated)) {
		if !slices.Contains(cells, i) {
			b.WriteString(r.stated[i])
		}
	}
	return b.String()
}

var (
	offCheck = regexp.MustCompile(`(?m)^[^\t]*\tcheck\tfalse\t([^\t]*)`)
	notYet   = regexp.MustCompile(`(?m)^(\d\d[a-z]?\.\d+): not yet`)
	doneLine = regexp.MustCompile(`(?m)^(ok|OFF) .*\n`)
)

// plainOutput is a cell's output without what ledger.Done shows.
func plainOutput(text string) string { return doneLine.ReplaceAllString(text, "") }

// judge says who notices what a mutated program left of the cells that it ran, "" if
// nobody does.
func (m *mutated) judge(r *ran, cells []int) string {
	now := &ran{stated: maps.Clone(m.before.stated)}
	for _, i := range cells {
		now.stated[i] = r.stated[i]
		if off := offCheck.FindStringSubmatch(r.stated[i]); off != nil {
			return "ledger: " + off[1]
		}
		switch p := panicked(r.output[i]); {
		case strings.HasPrefix(p, "ledger:"):
			off, _, _ := strings.Cut(r.output[i][max(0, strings.Index(r.output[i], "OFF ")):], "\n")
			return "ledger: " + cmp.Or(strings.TrimSpace(off), p)
		case p != "":
			return fmt.Sprintf("cell fails: %d, %.60s", i+1, p)
		}
		if no := notYet.FindStringSubmatch(r.output[i]); no != nil && !notYet.MatchString(m.before.output[i]) {
			return "exercise: " + no[1]
		}
	}
	if r.err != nil {
		return fmt.Sprintf("cell fails: %.60s", r.err)
	}
	for _, p := range m.problems(now) {
		if !m.known[p] {
			p, _, _ = strings.Cut(p, "\n")
			return "text: " + p
		}
	}
	return ""
}

// What only changes how a figure or a table looks is not mutated: these fields, and
// the arguments of these calls.
var (
	looks     = regexp.MustCompile(`^(Title|Name|Width|Height|Size|Radius|Color|Colors|Min|Max|Columns|Digits|Dash|Dashes|Legend|Alpha)$`)
	looksCall = regexp.MustCompile(`^(ledger\.\w+|exercise\.Check|plotting\.(Fade|Palette|Grid|\w*Column)|color\.\w+)$`)
)

// mutations returns the changes that can be made to the notebook, but to cells of
// checks and solutions.
func (m *mutated) mutations() []*mutation {
	var found []*mutation
	for i, part := range m.program.parts {
		if part == nil || m.nb.Cells[i].isSolution() || m.nb.Cells[i].isChecks() {
			continue
		}
		pieces := part.decls
		if part.main != nil {
			pieces = append(slices.Clone(pieces), part.main)
		}
		for _, d := range pieces {
			ast.Inspect(d.node, func(n ast.Node) bool {
				from, old, new := 0, "", ""
				switch n := n.(type) {
				case *ast.ImportSpec:
					return false
				case *ast.CallExpr:
					if sel, ok := n.Fun.(*ast.SelectorExpr); ok {
						if x, ok := sel.X.(*ast.Ident); ok && looksCall.MatchString(x.Name+"."+sel.Sel.Name) {
							return false
						}
					}
				case *ast.KeyValueExpr:
					if key, ok := n.Key.(*ast.Ident); ok && looks.MatchString(key.Name) {
						return false
					}
				case *ast.AssignStmt:
					if sel, ok := n.Lhs[0].(*ast.SelectorExpr); ok && looks.MatchString(sel.Sel.Name) {
						return false
					}
				case *ast.BasicLit:
					from, old = int(n.Pos()), n.Value
					new = changed(n.Kind, n.Value)
				case *ast.BinaryExpr:
					from, old = int(n.OpPos), n.Op.String()
					new = map[token.Token]string{token.LSS: ">=", token.GTR: "<=", token.LEQ: ">", token.GEQ: "<", token.EQL: "!=", token.NEQ: "=="}[n.Op]
				}
				if new != "" {
					found = append(found, &mutation{page: m, cell: i, from: from - d.base, old: old, new: new, piece: d})
				}
				return true
			})
		}
	}
	return found
}

var lastTerm = regexp.MustCompile("^(.*~.*\\S)\\s*\\+\\s*(?:\\w+\\([^()]*\\)|[^+()]*)([`\"])$")

// changed returns what to put for a literal: a whole number plus one, a tenth more of
// any other, a formula without its last term; "" for other texts.
func changed(kind token.Token, literal string) string {
	switch kind {
	case token.INT:
		if v, err := strconv.ParseInt(literal, 0, 64); err == nil {
			return strconv.FormatInt(v+1, 10)
		}
	case token.FLOAT:
		if v, err := strconv.ParseFloat(literal, 64); err == nil && v == 0 {
			return "0.1"
		} else if err == nil {
			return strconv.FormatFloat(v*1.1, 'g', 6, 64)
		}
	case token.STRING:
		if f := lastTerm.FindStringSubmatch(literal); f != nil {
			return f[1] + f[2]
		}
	}
	return ""
}
