package frames

import (
	"slices"
	"strings"

	"github.com/regbook/regbook/frames/internal/table"
)

// expression is a node and the source text that contains it.
type expression struct {
	src string
	n   node
}

// columnExpression is the column of a name as an expression.
func columnExpression(col string) expression {
	text := nameText(col)
	return expression{text, &name{span{0, len(text)}, col}}
}

// model is a formula that is fitted: its terms and what they are computed from. Frames and blocks
// of a source are coded by the same one.
type model struct {
	terms    *Terms
	exprs    []expression // of terms.Variables
	offsets  []expression
	response expression // n is nil if there is none
}

// on returns the formula on a table of the given columns, of which nothing is learned yet.
func (f *Formula) on(columns []string, s *DesignSettings) (model, error) {
	if s.Contrasts < TreatmentContrasts || s.Contrasts > PolyContrasts {
		return model{}, errorf(ErrSetting, "DesignSettings.Contrasts = %d is not one of the contrasts", s.Contrasts)
	}
	besides := []string{s.Weights, s.Clusters}
	if f.absorbed != nil {
		besides = append(besides, f.absorbed.name)
	}
	columns = slices.DeleteFunc(slices.Clone(columns), func(c string) bool { return slices.Contains(besides, c) })
	x, terms, err := f.expandFormula(columns)
	if err != nil {
		return model{}, err
	}
	if len(terms) == 0 && !x.intercept {
		return model{}, &FormulaError{ErrSyntax, "the formula has neither terms nor an intercept; a model of the mean is written ~ 1", f.src, 0, len(f.src)}
	}
	t := &Terms{Intercept: x.intercept, Weights: s.Weights, NA: s.NA, Formula: f.written(x, terms)}
	m := model{terms: t, response: expression{f.src, f.response}}
	if f.response != nil {
		t.Response = label(f.response)
	}
	if f.absorbed != nil {
		t.Absorb = f.absorbed.name
	}
	for _, n := range f.offsets {
		t.Offsets = append(t.Offsets, label(n))
		m.offsets = append(m.offsets, expression{f.src, n})
	}
	number := make(map[int]int) // of the variables that are in a term
	for _, term := range terms {
		var parts []string
		var vars []int
		for _, v := range term {
			if _, ok := number[v]; !ok {
				number[v] = len(t.Variables)
				t.Variables = append(t.Variables, Variable{Text: x.labels[v]})
				m.exprs = append(m.exprs, expression{f.src, x.vars[v]})
			}
			parts = append(parts, x.labels[v])
			vars = append(vars, number[v])
		}
		t.Terms = append(t.Terms, Term{Label: strings.Join(parts, ":"), Variables: vars})
	}
	return m, nil
}

// model returns the terms with the expressions that their texts stand for, without the response.
func (t *Terms) model() (model, error) {
	m := model{terms: t}
	for _, v := range t.Variables {
		n, err := parseTree(v.Text)
		if err != nil {
			return m, err
		}
		m.exprs = append(m.exprs, expression{v.Text, n})
	}
	for _, text := range t.Offsets {
		n, err := parseTree(text)
		if err != nil {
			return m, err
		}
		m.offsets = append(m.offsets, expression{text, n})
	}
	return m, nil
}

// setResponse gives the model the response of its terms if its columns are known.
func (m *model) setResponse(known func(columns []string) bool) error {
	text := m.terms.Response
	if text == "" {
		return nil
	}
	n, err := parseTree(text)
	if err == nil && known(columnNames(n)) {
		m.response = expression{text, n}
	}
	return err
}

// builder returns what codes rows of a table by the model, of which none is selected yet. Its
// terms are of its own.
func (m model) builder(e *evaluator) *builder {
	t := *m.terms
	m.terms = &t
	e.whole, e.rows = false, nil
	e.since, _ = isoDays(t.Since)
	return &builder{model: m, eval: e}
}

// variables returns the response, if there is one, the variables and the offsets.
func (m *model) variables() []expression {
	all := slices.Concat(m.exprs, m.offsets)
	if m.response.n != nil {
		all = append([]expression{m.response}, all...)
	}
	return all
}

// used returns all that has to have a value in a row, in the order of the formula: the
// response first (of cbind its two parts), the absorbed factor and the weights last.
func (m *model) used() []expression {
	all := slices.Concat(m.exprs, m.offsets, m.terms.absorbed())
	if m.response.n != nil {
		all = append(m.response.parts(), all...)
	}
	if w := m.terms.Weights; w != "" {
		all = append(all, columnExpression(w))
	}
	return all
}

// columns returns the columns of what is used, in its order.
func (m *model) columns() []string { return columnsOfAll(m.used()) }

func columnsOfAll(all []expression) []string {
	var names []string
	for _, x := range all {
		for _, col := range columnNames(x.n) {
			if !slices.Contains(names, col) {
				names = append(names, col)
			}
		}
	}
	return names
}

// inTable returns the columns of some expressions in the order of a table.
func inTable(all []expression, fields []table.Field) []string {
	used := columnsOfAll(all)
	var names []string
	for _, f := range fields {
		if slices.Contains(used, f.Name) {
			names = append(names, f.Name)
		}
	}
	return names
}

// checkColumns returns an error for a name that is no column of the evaluator's table. A name
// alone is one: y ~ pi has no constant.
func (m *model) checkColumns(e *evaluator) error {
	for _, x := range m.used() {
		in, err := e.in(x.src), error(nil)
		if col, alone := x.n.(*name); alone {
			_, err = in.column(col)
		} else {
			err = in.checkNames(x.n)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// checkNames returns an error for a name that is neither a column nor a constant.
func (e *evaluator) checkNames(n node) error {
	var err error
	walkColumns(n, func(col *name) {
		if e.constantName(col) != nil {
			return
		}
		if _, wrong := e.column(col); wrong != nil && err == nil {
			err = wrong
		}
	})
	return err
}

// usesDays reports whether an expression uses columns of dates as numbers.
func (x expression) usesDays(dates func(col *name) bool) bool {
	uses := false
	if x.n != nil {
		walkDays(x.n, func(col *name) { uses = uses || dates(col) })
	}
	return uses
}

// setSince has dates counted from a day, and returns it as a number.
func (m *model) setSince(first float64, dates func(col *name) bool) float64 {
	m.terms.Since, first = sinceText(first)
	for v, x := range m.exprs {
		if x.usesDays(dates) {
			m.terms.Variables[v].Since = m.terms.Since
		}
	}
	return first
}
