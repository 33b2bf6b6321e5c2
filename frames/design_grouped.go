package frames

import (
	"slices"
	"strings"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"github.com/regbook/regbook/frames/internal/table"
	"github.com/regbook/regbook/mlreg"
)

// Hierarchy has the arguments of hier.Fit that a formula with groups stands for.
type Hierarchy struct {
	Design   *mlreg.Design
	Groups   *mlreg.Grouping
	Varying  []mlreg.Varying
	ZeroMean []string
}

// Structure returns what varies and what varies about zero, which hier.For puts into settings.
func (g *Hierarchy) Structure() (varying []mlreg.Varying, zeroMean []string) {
	return slices.Clone(g.Varying), slices.Clone(g.ZeroMean)
}

// GroupedDesign makes a design and its groups from a data frame and a formula of lme4's
// form:
//
//	score ~ intake + (1 | school)             the intercept varies between schools
//	score ~ intake + (intake | school)        intercept and slope, which covary
//	score ~ intake + (intake || school)       the same without a covariance
//	score ~ 0 + intake + (1 | school)         the intercept varies about zero
//	score ~ intake + (0 + intake | school)    the slope alone
//	score ~ intake + (1 | school/class)       classes nest in schools: both levels
//	score ~ intake + (intake | school) + (1 | school:class)
//
// A term that varies but stands outside of no parentheses varies about zero (ZeroMean).
// As in lme4, || parts the terms: the columns of one term, as of poly(x, 2), keep their
// covariances. A factor among them has its contrasts here, and all of its levels in
// lme4. A dot is every column but the response, the weights and the groups; lme4's
// takes the groups, too. Groups nest: two groupings are crossed, and refused, if
// neither divides the other. Rows without a group are omitted as other incomplete rows
// are. At most one settings value may be given; errors are those of Design, and a
// *FormulaError that shows the place of a structure that is not known.
//
//	g, err := frames.GroupedDesign(df, "score ~ intake + (intake | school)")
//	fit, err := hier.Fit(g.Design, g.Groups, hier.For(g, nil))
func GroupedDesign(df dataframe.DataFrame, formula string, settings ...*DesignSettings) (*Hierarchy, error) {
	s, err := atMostOne(settings)
	if err != nil {
		return nil, err
	}
	tree, err := parseBars(formula, true)
	if err != nil {
		return nil, err
	}
	b, ok := tree.(*binary)
	if !ok || b.op != "~" {
		return nil, &FormulaError{ErrSyntax, "a formula with groups has the form response ~ terms + (terms | group)", formula, 0, len(formula)}
	}
	p := &bars{src: formula}
	fixed, err := p.take(b.y)
	if err != nil {
		return nil, err
	}
	if len(p.found) == 0 {
		return nil, formulaErrorf(ErrSyntax, formula, b.y, "no group: add a term such as (1 | school), or use Design")
	}
	if fixed == nil {
		fixed = &number{value: 1}
	}
	names, err := p.levels()
	if err != nil {
		return nil, err
	}
	if fixed, err = p.dots(df, s, b.x, fixed); err != nil {
		return nil, err
	}
	return p.design(df, s, b.x, fixed, names)
}

// bar is (terms | group).
type bar struct {
	at          node
	terms       node
	independent bool
	level       string // "school/class"
	depth       int    // columns of the level
	every       bool   // a/b: of every level down to it
}

type bars struct {
	src   string
	found []bar
	group map[string]node // columns of groups, to their places
}

func (p *bars) fail(at node, format string, args ...any) error {
	return formulaErrorf(ErrSyntax, p.src, at, format, args...)
}

// take returns the model without its bars, nil if nothing is left.
func (p *bars) take(n node) (node, error) {
	switch n := n.(type) {
	case *paren:
		if b, ok := n.x.(*binary); ok && (b.op == "|" || b.op == "||") {
			return nil, p.add(n, b)
		}
	case *binary:
		switch n.op {
		case "|", "||":
			return nil, p.fail(n, "put what varies into parentheses: (%s %s %s)", label(n.x), n.op, label(n.y))
		case "+":
			x, err := p.take(n.x)
			if err != nil {
				return nil, err
			}
			y, err := p.take(n.y)
			switch {
			case err != nil:
				return nil, err
			case x == nil:
				return y, nil
			case y == nil:
				return x, nil
			}
			return &binary{n.span, "+", x, y}, nil
		case "-":
			x, err := p.take(n.x)
			if err != nil {
				return nil, err
			}
			if x == nil {
				return &unary{n.span, "-", n.y}, p.none(n.y)
			}
			return &binary{n.span, "-", x, n.y}, p.none(n.y)
		}
		if err := p.none(n.x); err != nil {
			return nil, err
		}
		return n, p.none(n.y)
	case *unary:
		return n, p.none(n.x)
	}
	return n, nil
}

// none refuses bars where they have no meaning.
func (p *bars) none(n node) error {
	switch n := n.(type) {
	case *paren:
		if b, ok := n.x.(*binary); ok && (b.op == "|" || b.op == "||") {
			return p.fail(n, "what varies between groups is added by +, and joined to nothing else")
		}
		return p.none(n.x)
	case *binary:
		if err := p.none(n.x); err != nil {
			return err
		}
		return p.none(n.y)
	case *unary:
		return p.none(n.x)
	}
	return nil
}

func (p *bars) add(at *paren, b *binary) error {
	if err := (checker{src: p.src}).model(b.x); err != nil {
		return err
	}
	var columns []string
	every := false
	var walk func(n node) error
	walk = func(n node) error {
		switch n := n.(type) {
		case *name:
			if n.name == "." {
				return p.fail(n, "a group is a column, and the dot stands for many")
			}
			columns = append(columns, n.name)
			if p.group == nil {
				p.group = make(map[string]node)
			}
			if p.group[n.name] == nil {
				p.group[n.name] = n
			}
			return nil
		case *paren:
			return walk(n.x)
		case *binary:
			if n.op == "/" || n.op == ":" {
				every = every || n.op == "/"
				if err := walk(n.x); err != nil {
					return err
				}
				return walk(n.y)
			}
		}
		return p.fail(n, "a group is a column, or columns that nest: school, school/class or school:class; make other groups a column first, by frames.With")
	}
	if err := walk(b.y); err != nil {
		return err
	}
	for i, c := range columns {
		if slices.Contains(columns[:i], c) {
			return p.fail(b.y, "%q nests in itself", c)
		}
	}
	p.found = append(p.found, bar{at: at, terms: b.x, independent: b.op == "||", level: strings.Join(columns, "/"), depth: len(columns), every: every})
	return nil
}

// levels returns the columns of the groups, the outermost first.
func (p *bars) levels() ([]string, error) {
	var deepest bar
	for _, b := range p.found {
		if b.depth > deepest.depth {
			deepest = b
		}
	}
	names := strings.Split(deepest.level, "/")
	for _, b := range p.found {
		if b.level != strings.Join(names[:b.depth], "/") {
			return nil, p.fail(b.at, "the groups %s and %s are crossed: neither divides the other, and only groups that nest are fitted; write %s/%s if they do",
				deepest.level, b.level, deepest.level, b.level[strings.LastIndex(b.level, "/")+1:])
		}
	}
	for depth := 1; depth < len(names); depth++ {
		if !slices.ContainsFunc(p.found, func(b bar) bool { return b.depth == depth || b.every && b.depth > depth }) {
			return nil, p.fail(deepest.at, "nothing varies between the groups of %s; write %s, or make one column of both", strings.Join(names[:depth], "/"), strings.Join(names, "/"))
		}
	}
	return names, nil
}

// dots writes out what the dot stands for, outside and inside of the bars.
func (p *bars) dots(df dataframe.DataFrame, s *DesignSettings, response, fixed node) (node, error) {
	var dot []string
	without := columnNames(response)
	if s != nil {
		without = append(without, s.Weights, s.Clusters)
	}
	for _, col := range df.Names() {
		if p.group[col] == nil && !slices.Contains(without, col) {
			dot = append(dot, col)
		}
	}
	write := func(n node) (node, error) {
		var at node
		walkColumns(n, func(c *name) {
			if c.name == "." {
				at = c
			}
		})
		if at == nil {
			return n, nil
		}
		if len(dot) == 0 {
			return nil, p.fail(at, "the dot stands for no column: all are the response, weights or groups")
		}
		return bare(n, withDot(n, dot)), nil
	}
	for i := range p.found {
		terms, err := write(p.found[i].terms)
		if err != nil {
			return nil, err
		}
		p.found[i].terms = terms
	}
	return write(fixed)
}

// design makes the design of all terms and finds the columns of each bar.
func (p *bars) design(df dataframe.DataFrame, s *DesignSettings, response, fixed node, names []string) (*Hierarchy, error) {
	src := label(response) + " ~ " + label(fixed)
	f, err := ParseFormula(src)
	if err != nil {
		return nil, err
	}
	for _, b := range p.found {
		if terms := withoutNumbers(b.terms); terms != nil {
			src += " + (" + label(terms) + ")"
		}
	}
	whole, err := ParseFormula(src)
	if err != nil {
		return nil, err
	}
	var also []expression
	for _, name := range names {
		also = append(also, expression{p.src, p.group[name]})
	}
	d, rows, err := whole.designWith(df, s, also)
	if err != nil {
		return nil, err
	}
	out := &Hierarchy{Design: d}
	if out.Groups, err = groupsOf(df, names, rows); err != nil {
		return nil, err
	}
	coefficients := d.Names
	if !d.NoIntercept {
		coefficients = append([]string{mlreg.InterceptName}, d.Names...)
	}
	fixedNames, _, err := p.names(df, s, f, rows)
	if err != nil {
		return nil, err
	}
	varies := make(map[string]bool)
	for _, b := range p.found {
		cols, assign, err := p.variedBy(b, df, s, rows, coefficients)
		if err != nil {
			return nil, err
		}
		for _, c := range cols {
			varies[c] = true
		}
		out.Varying = append(out.Varying, b.varying(cols, assign, out.Groups.Levels())...)
	}
	if d.NoIntercept && varies[mlreg.InterceptName] {
		out.ZeroMean = append(out.ZeroMean, mlreg.InterceptName)
	}
	for _, c := range coefficients {
		if varies[c] && !slices.Contains(fixedNames, c) {
			out.ZeroMean = append(out.ZeroMean, c)
		}
	}
	return out, nil
}

// varying returns the columns that vary by a bar at each of its levels.
func (b bar) varying(cols []string, assign []int, levels []string) []mlreg.Varying {
	blocks := []mlreg.Varying{{Terms: cols}}
	if b.independent {
		blocks = parted(cols, assign)
	}
	var out []mlreg.Varying
	for depth := 1; depth <= b.depth; depth++ {
		if depth == b.depth || b.every {
			for _, v := range blocks {
				v.Level = levels[depth-1]
				out = append(out, v)
			}
		}
	}
	return out
}

// variedBy returns the columns that vary by a bar, and the term of each.
func (p *bars) variedBy(b bar, df dataframe.DataFrame, s *DesignSettings, rows []int, coefficients []string) (cols []string, assign []int, err error) {
	terms, err := ParseFormula("~ " + label(b.terms))
	if err != nil {
		return nil, nil, err
	}
	cols, assign, err = p.names(df, s, terms, rows)
	if err != nil {
		return nil, nil, err
	}
	if len(cols) == 0 {
		return nil, nil, p.fail(b.at, "nothing varies here: neither the intercept nor a term")
	}
	for _, c := range cols {
		if c != mlreg.InterceptName && !slices.Contains(coefficients, c) {
			return nil, nil, p.fail(b.at, "the column %q of what varies is not one of the design: its factor is coded by all levels here, and by contrasts there; let the intercept vary, too, or make columns of 0 and 1", c)
		}
	}
	return cols, assign, nil
}

// parted are the blocks of columns by their terms: those of several columns covary.
func parted(cols []string, assign []int) []mlreg.Varying {
	alone := mlreg.Varying{Shape: mlreg.DiagonalCovariance}
	var out []mlreg.Varying
	for from := 0; from < len(cols); {
		to := from + 1
		for to < len(cols) && assign[to] == assign[from] {
			to++
		}
		if to == from+1 {
			alone.Terms = append(alone.Terms, cols[from])
		} else {
			out = append(out, mlreg.Varying{Terms: cols[from:to]})
		}
		from = to
	}
	if alone.Terms != nil {
		out = append([]mlreg.Varying{alone}, out...)
	}
	return out
}

// names returns the coefficients of a formula, and the number of each one's term, -1 for the
// intercept.
func (p *bars) names(df dataframe.DataFrame, s *DesignSettings, f *Formula, rows []int) ([]string, []int, error) {
	f.response = nil
	var settings DesignSettings
	if s != nil {
		settings = *s
	}
	settings.Weights = ""
	d, err := f.Design(df.Subset(rows), &settings)
	if err != nil {
		return nil, nil, err
	}
	t, err := termsOf(d)
	if err != nil {
		return nil, nil, err
	}
	if d.NoIntercept {
		return d.Names, t.Assign, nil
	}
	return append([]string{mlreg.InterceptName}, d.Names...), append([]int{-1}, t.Assign...), nil
}

// withoutNumbers leaves the intercept out of the terms that vary: that of the design is
// said by what does not.
func withoutNumbers(n node) node {
	switch n := n.(type) {
	case *number:
		return nil
	case *paren:
		if x := withoutNumbers(n.x); x != nil {
			return &paren{n.span, x}
		}
		return nil
	case *unary:
		if n.op == "+" {
			return withoutNumbers(n.x)
		}
		return nil
	case *binary:
		if n.op != "+" && n.op != "-" {
			return n
		}
		x, y := withoutNumbers(n.x), withoutNumbers(n.y)
		switch {
		case n.op == "-" && x != nil && y != nil:
			return &binary{n.span, "-", x, y}
		case n.op == "-" || y == nil:
			return x
		case x == nil:
			return y
		}
		return &binary{n.span, "+", x, y}
	}
	return n
}

// groupsOf returns the groups of some rows of a frame by nested columns.
func groupsOf(df dataframe.DataFrame, names []string, rows []int) (*mlreg.Grouping, error) {
	var out *mlreg.Grouping
	for _, name := range names {
		c, err := copyColumn(df, name)
		if err != nil {
			return nil, err
		}
		switch {
		case c.typ == series.String || c.typ == series.Bool:
			out, err = nest(out, name, valuesAt(rows, c.at))
		case c.low != nil && c.notInt() < 0:
			out, err = nest(out, name, valuesAt(rows, func(i int) int {
				v, _ := table.Int(c.value(i))
				return v
			}))
		default:
			out, err = nest(out, name, picked(rows, c.num))
		}
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

func nest[T string | float64 | int](outer *mlreg.Grouping, name string, labels []T) (*mlreg.Grouping, error) {
	name = strings.ReplaceAll(name, "/", "\u2215") // the slash joins the names of levels
	if outer == nil {
		return mlreg.NewGrouping(name, labels)
	}
	return mlreg.NestGroups(outer, name, labels)
}
