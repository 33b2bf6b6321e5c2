package frames

import (
	"fmt"
	"math"
	"slices"
)

// Formula is a parsed and checked model formula in R's notation; it holds no
// data.
//
//	y ~ a + b       the terms a and b, and an intercept
//	y ~ .           every column that is not part of the response
//	y ~ . - a       all columns except a
//	y ~ a - 1       no intercept; also a + 0
//	y ~ 1           the intercept alone
//	y ~ a:b         the product of a and b; for factors, their combinations
//	y ~ a * b       a + b + a:b
//	y ~ a / b       a + a:b
//	y ~ a %in% b    a:b, for a nested in b
//	y ~ (a + b)^2   all terms and their products of two
//	y ~ I(a^2)      arithmetic: + - * / ^, numbers, pi and parentheses
//	y ~ a %% 7      the remainder, with the sign of the divisor, and a %/% 7 the whole
//	                quotient, rounded down; both exact, as Python's
//	log(y) ~ log(a) functions of a number: log (natural), log2, log10, log1p,
//	                exp, sqrt, abs, sign, sin, cos, floor, ceiling, trunc; also of the response
//	y ~ poly(a, 3)  orthogonal polynomials of degree 3; raw = TRUE for powers
//	y ~ ns(a, 4)    natural cubic splines of 4 columns; bs(a, 6) B-splines; both
//	                also with knots = c(1, 2.5), Boundary.knots and intercept
//	y ~ rbf(a, b)   radial basis functions of one or more columns, with centers,
//	                width and seed
//	y ~ fourier(a, period = 365, order = 3)
//	                sines and cosines of a period and its halves, thirds ...
//	y ~ words(a)    the words that a text has; min = 2 is in how many rows a word
//	                must be, max how many words are kept
//	y ~ scale(a)    (a - mean)/sd, with ddof 1; center = FALSE or scale = FALSE
//	                omits either
//	y ~ factor(a)   a coded by its levels; ref = "x" sets the reference level, as
//	                does relevel(factor(a), ref = "x"); levels = c("lo", "hi") sets
//	                their order, and levels = unique(a) that of the rows
//	y ~ I(a > 2 & !(b == "x"))
//	                a condition: == != < <= > >= ! & | is.na(a), and a %in% c("x",
//	                "y") or 1:3; also without I(), and in factor() and arithmetic,
//	                where TRUE is 1
//	y ~ ifelse(a > 2, b, 0)
//	                a choice, of numbers or of texts; NA is a missing value
//	y ~ toupper(a) + I(grepl("^x", b)) + case_when(d > 2, "high", TRUE, "low")
//	                functions of text, choices and dates, see With; a text is a factor
//	y ~ day         a column of dates (see Dates): days since the first date of the
//	                columns of dates in the formula; I(day - "2024-03-01") since another
//	y ~ year(day) + factor(month(day)) + I(weekday(day) > 5)
//	                parts of a date as numbers: year, month, day, yday (of the year),
//	                weekday (1 is Monday, 7 Sunday), hour (with its fraction)
//	y ~ a + offset(log(t))
//	                a known part of the linear predictor, whose coefficient is 1; new
//	                data are predicted with their own
//	y ~ a + b | zone
//	                an effect of every level of the column zone, which mlreg.FitAbsorbed fits
//	                without columns for them; fixest's fixed effects. A bar between
//	                conditions is "or": I(a | b), also a > 2 | b == "x"
//	y ~ C(a, Sum)   a factor coded by Sum, Helmert or Poly contrasts, or by
//	                Treatment("x") with its reference level, see Contrasts; a may
//	                be a factor() with levels or ref
//	y ~ `my col`    a name that is not a word, in backquotes
//
// Columns of text and of true/false, and conditions, are factors; columns of dates
// are numbers. Dates are compared with dates: I(day >= "2024-03-01"). A missing
// value makes a condition missing, as in R, unless the other operand decides
// (FALSE & NA, TRUE | NA); the results of %in% and is.na are never missing.
// Values not listed in levels = c(...) are missing. The left side may be
// omitted: the design then has no response.
//
// A response of counts is cbind(yes, no), the numbers of successes and failures of a
// row, columns or calculations: Y is then the share of successes, and the number of
// trials is the row's weight, or a factor of it.
type Formula struct {
	src      string
	response node // nil if there is none
	model    node
	offsets  []node // what they are offsets of
	absorbed *name  // behind the bar; nil if there is none
}

// ParseFormula parses a formula. The error is a *FormulaError that shows the
// place it could not parse.
func ParseFormula(text string) (*Formula, error) {
	tree, err := parseTree(text)
	if err != nil {
		return nil, err
	}
	f := &Formula{src: text}
	switch n := tree.(type) {
	case *unary:
		if n.op == "~" {
			f.model = n.x
		}
	case *binary:
		if n.op == "~" {
			f.response, f.model = n.x, n.y
		}
	}
	if f.model == nil {
		return nil, &FormulaError{ErrSyntax, "a formula has the form response ~ terms; this one has no ~", text, 0, len(text)}
	}
	if err := f.takeAbsorbed(); err != nil {
		return nil, err
	}
	check := checker{src: text}
	if f.response != nil {
		if err := check.response(f.response); err != nil {
			return nil, err
		}
	}
	if f.model, f.offsets = takeOffsets(f.model); f.model == nil {
		f.model = &number{value: 1}
	}
	if err := check.model(f.model); err != nil {
		return nil, err
	}
	for _, n := range f.offsets {
		if err := check.arithmetic(n); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// String returns the formula as R prints it; a dot stays a dot.
func (f *Formula) String() string {
	response, bar := "~", ""
	if f.response != nil {
		response = label(f.response) + " ~ "
	}
	if f.absorbed != nil {
		bar = " | " + label(f.absorbed)
	}
	return withOffsets(response+label(f.model), f.offsets) + bar
}

// maxTerms bounds how many terms a formula may stand for.
const maxTerms = 100_000

// expansion works out which terms a formula stands for, by the rules of R's
// terms.formula: variables are numbered as they are met, a term is an ordered
// set of variables.
type expansion struct {
	src       string
	dot       []string // what the dot stands for
	vars      []node   // the distinct variables, by first appearance
	labels    []string
	index     map[string]int
	intercept bool
	removing  bool // inside terms removed by a minus sign
}

type termSet struct {
	terms [][]int
	seen  map[string]bool
}

func termKey(term []int) string { return fmt.Sprint(term) }

func newTermSet(terms ...[]int) *termSet {
	s := &termSet{seen: make(map[string]bool)}
	for _, t := range terms {
		s.add(t)
	}
	return s
}

func (s *termSet) add(term []int) {
	if key := termKey(term); !s.seen[key] {
		s.seen[key] = true
		s.terms = append(s.terms, term)
	}
}

func (s *termSet) addAll(t *termSet) {
	for _, term := range t.terms {
		s.add(term)
	}
}

// product returns the term of all variables of a and b.
func product(a, b []int) []int {
	both := slices.Concat(a, b)
	slices.Sort(both)
	return slices.Compact(both)
}

func (e *expansion) variable(n node) []int {
	text := label(n)
	v, ok := e.index[text]
	if !ok {
		v = len(e.vars)
		e.index[text] = v
		e.vars = append(e.vars, n)
		e.labels = append(e.labels, text)
	}
	return []int{v}
}

// expand returns the terms of an expression.
func (e *expansion) expand(n node) (*termSet, error) {
	switch n := n.(type) {
	case *number:
		e.intercept = (n.value == 1) != e.removing
		return newTermSet(), nil
	case *name:
		if n.name != "." {
			return newTermSet(e.variable(n)), nil
		}
		s := newTermSet()
		for _, col := range e.dot {
			s.add(e.variable(&name{n.span, col}))
		}
		return s, nil
	case *paren:
		return e.expand(n.x)
	case *unary:
		switch n.op {
		case "+":
			return e.expand(n.x)
		case "-":
			return e.remove(newTermSet(), n.x)
		}
	case *binary:
		if isModulo(n.op) || isCondition(n.op) && n.op != "%in%" {
			break
		}
		left, err := e.expand(n.x)
		if err != nil {
			return nil, err
		}
		switch n.op {
		case "-":
			return e.remove(left, n.y)
		case "^":
			return e.power(n, left)
		}
		right, err := e.expand(n.y)
		if err != nil {
			return nil, err
		}
		return e.join(n, left, right)
	}
	return newTermSet(e.variable(n)), nil
}

func (e *expansion) remove(left *termSet, n node) (*termSet, error) {
	e.removing = !e.removing
	right, err := e.expand(n)
	e.removing = !e.removing
	if err != nil {
		return nil, err
	}
	s := newTermSet()
	for _, t := range left.terms {
		if right.seen[termKey(t)] {
			continue
		}
		rest, err := e.withoutLags(n, t, right)
		if err != nil {
			return nil, err
		}
		if len(rest) > 0 {
			s.add(rest)
		}
	}
	return s, nil
}

func (e *expansion) power(n *binary, base *termSet) (*termSet, error) {
	times := 1
	if v, ok := n.y.(*number); ok {
		times = int(math.Min(v.value, float64(len(base.terms)+1)))
	}
	s := base
	for range times - 1 {
		before := len(s.terms)
		t, err := e.join(&binary{n.span, "*", n.x, n.x}, s, base)
		if err != nil {
			return nil, err
		}
		if s = t; len(s.terms) == before {
			break
		}
	}
	return s, nil
}

// join combines two sets of terms by one of + : * / and %in%.
func (e *expansion) join(n *binary, left, right *termSet) (*termSet, error) {
	s := newTermSet()
	if n.op != ":" && n.op != "%in%" {
		s.addAll(left)
	}
	if n.op == "+" || n.op == "*" {
		s.addAll(right)
	}
	with, and := left.terms, right.terms
	switch n.op {
	case "+":
		with = nil
	case "/": // a/b is a + (all variables of a):b
		with = [][]int{allOf(left)}
	case "%in%": // a %in% b is a:(all variables of b)
		and = [][]int{allOf(right)}
	}
	if len(with)*len(and) > maxTerms {
		return nil, formulaErrorf(ErrSyntax, e.src, n, "this stands for more than %d terms", maxTerms)
	}
	for _, a := range with {
		for _, b := range and {
			s.add(product(a, b))
		}
	}
	return s, nil
}

// allOf returns the term of all variables of a set.
func allOf(s *termSet) []int {
	var all []int
	for _, t := range s.terms {
		all = product(all, t)
	}
	return all
}

// expandFormula returns the terms of f by rising order of interaction, as R
// sorts them. columns are those the dot may stand for.
func (f *Formula) expandFormula(columns []string) (*expansion, [][]int, error) {
	e := &expansion{src: f.src, index: make(map[string]int), intercept: true}
	var inResponse []string
	if f.response != nil {
		inResponse = columnNames(f.response)
	}
	for _, col := range columns {
		if !slices.Contains(inResponse, col) {
			e.dot = append(e.dot, col)
		}
	}
	set, err := e.expand(f.model)
	if err != nil {
		return nil, nil, err
	}
	terms := set.terms
	slices.SortStableFunc(terms, func(a, b []int) int { return len(a) - len(b) })
	for _, t := range terms {
		for _, v := range t {
			if err := f.checkResponse(e.vars[v], inResponse); err != nil {
				return nil, nil, err
			}
		}
	}
	if f.absorbed != nil {
		e.intercept = true // a part of the effects, whatever the formula says
		if err := f.checkResponse(f.absorbed, inResponse); err != nil {
			return nil, nil, err
		}
	}
	for _, n := range f.offsets {
		if err := f.checkResponse(n, inResponse); err != nil {
			return nil, nil, err
		}
	}
	return e, terms, nil
}

// checkResponse returns an error for a predictor that is the response, or a
// function of the only column in the response.
func (f *Formula) checkResponse(v node, inResponse []string) error {
	if f.response == nil {
		return nil
	}
	same := label(v) == label(f.response)
	if len(inResponse) == 1 && slices.Contains(columnNames(v), inResponse[0]) {
		same = true
	}
	for _, name := range columnNames(v) {
		if l, ok := laggedOf(name); ok && l.steps == 0 && len(inResponse) == 1 && l.col == inResponse[0] {
			same = true
		}
	}
	if !same {
		return nil
	}
	return formulaErrorf(ErrResponse, f.src, v, "the response %s is also a predictor: %s", label(f.response), label(v))
}

// columnNames returns the distinct columns that an expression uses.
func columnNames(n node) []string {
	var names []string
	walkColumns(n, func(n *name) {
		if !slices.Contains(names, n.name) {
			names = append(names, n.name)
		}
	})
	return names
}

// walkColumns visits the names of columns in an expression, in order.
func walkColumns(n node, visit func(*name)) {
	switch n := n.(type) {
	case *name:
		visit(n)
	case *call:
		if _, counts := countsCall(n); counts {
			for _, x := range operands(n) {
				walkColumns(x, visit)
			}
			return
		}
		if f, ok := valueFunctionOf(n); ok {
			for _, x := range f.expressions(n) {
				if !isNA(x) {
					walkColumns(x, visit)
				}
			}
			return
		}
		params := []string{"x"}
		if f, ok := basisFunctions[n.fn]; ok {
			params = f.params
		} else if isFactorCall(n) {
			params = factorParamsOf(n.fn)
		} else if f, ok := summaryFunctions[n.fn]; ok && len(f.params) > 0 {
			params = f.params
		}
		o, err := matchArgs("", n, params)
		if err != nil {
			return // refused when the formula was checked
		}
		for _, x := range o.data {
			walkColumns(x, visit)
		}
	default:
		for _, x := range operands(n) {
			walkColumns(x, visit)
		}
	}
}

// withDot returns an expression of terms with the dot written out.
func withDot(n node, dot []string) node {
	switch n := n.(type) {
	case *name:
		if n.name != "." || len(dot) == 0 {
			return n
		}
		var sum node
		for _, col := range dot {
			if next := (&name{n.span, col}); sum == nil {
				sum = next
			} else {
				sum = &binary{n.span, "+", sum, next}
			}
		}
		if len(dot) == 1 {
			return sum
		}
		return &paren{n.span, sum}
	case *paren, *unary:
		return withOperands(n, func(x node) node { return withDot(x, dot) })
	case *binary:
		x := withDot(n.x, dot)
		if n.op == "+" || n.op == "-" {
			x = bare(n.x, x)
		}
		return &binary{n.span, n.op, x, withDot(n.y, dot)}
	}
	return n
}

// written returns the formula as text with the dot written out. It also omits
// removed terms, unless that could change the order of variables in products.
func (f *Formula) written(e *expansion, terms [][]int) string {
	sum := node(&number{value: 1})
	for k, t := range terms {
		switch {
		case len(t) > 1:
			return (&Formula{response: f.response, model: bare(f.model, withDot(f.model, e.dot)), offsets: f.offsets, absorbed: f.absorbed}).String()
		case k == 0:
			sum = asOperand(e.vars[t[0]])
		default:
			sum = &binary{op: "+", x: sum, y: asOperand(e.vars[t[0]])}
		}
	}
	if !e.intercept {
		sum = &binary{op: "-", x: sum, y: &number{value: 1}}
	}
	return (&Formula{response: f.response, model: sum, offsets: f.offsets, absorbed: f.absorbed}).String()
}

// asOperand returns a variable as it stands between other terms.
func asOperand(n node) node {
	switch n.(type) {
	case *unary, *binary:
		return &paren{x: n}
	}
	return n
}

// bare removes the parentheses around a dot that was written out.
func bare(was, is node) node {
	if p, ok := is.(*paren); ok {
		if _, dot := was.(*name); dot {
			return p.x
		}
	}
	return is
}
