package frames

import (
	"slices"

	"github.com/go-gota/gota/series"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/frames/internal/table"
	"github.com/regbook/regbook/mlreg"
)

// coder codes blocks of rows by a formula that was learned.
type coder struct {
	model
	fields  []table.Field
	names   []string       // wanted; nil for all
	scaling *mlreg.Scaling // applied to the columns
	coding  *mlreg.Coding
}

func newCoder(m model, fields []table.Field) (*coder, error) {
	c := &coder{model: m, fields: fields}
	vars, err := c.namedVariables()
	if err != nil {
		return nil, err
	}
	m.terms.nameColumns(vars)
	c.coding, err = m.terms.coding()
	return c, err
}

// recode returns the coder of a coding that was made before.
func recode(coding *mlreg.Coding, names []string, scaling *mlreg.Scaling, response bool, fields []table.Field) (table.Coder, error) {
	if coding == nil {
		return nil, errorf(ErrNoRecipe, "the rows were not coded by a formula")
	}
	t, err := termsOfCoding(coding)
	if err != nil {
		return nil, err
	}
	columns := t.Columns
	if !response && names != nil {
		t = t.only(names)
	}
	t.NA = NAOmit
	m, err := t.model()
	if err != nil {
		return nil, err
	}
	known := func(cols []string) bool {
		return !slices.ContainsFunc(cols, func(col string) bool {
			return !slices.ContainsFunc(fields, func(f table.Field) bool { return f.Name == col })
		})
	}
	if response {
		if err := m.setResponse(known); err != nil {
			return nil, err
		}
	}
	if t.Weights != "" && (!response || !known([]string{t.Weights})) {
		t.Weights = ""
	}
	if err := m.checkColumns(onFields(fields)); err != nil {
		return nil, err
	}
	c := &coder{model: m, fields: fields, coding: coding, scaling: scaling, names: names}
	if slices.Equal(names, columns) {
		c.names = nil
	}
	vars, err := c.namedVariables()
	if err != nil {
		return nil, err
	}
	t.nameColumns(vars)
	return c, nil
}

// Columns returns the columns that the formula reads.
func (c *coder) Columns() []string {
	return inTable(c.used(), c.fields)
}

// Code returns the design of the complete rows of a block.
func (c *coder) Code(block *table.Block) (*mlreg.Design, table.Counts, error) {
	d, _, counts, err := c.CodeCells(block, nil)
	if d != nil && err == nil {
		d, err = c.finish(d)
	}
	return d, counts, err
}

// rowsOfBlock is about how many rows the blocks of sources have.
const rowsOfBlock = 8192

// Cells returns the plan by cells.
func (c *coder) Cells() *table.Cells {
	if c.names != nil || c.scaling != nil || c.terms.Absorb != "" {
		return nil
	}
	p, err := c.Plan()
	if err != nil {
		return nil
	}
	if cells := p.Cells(); cells.Saves(rowsOfBlock) {
		return cells
	}
	return nil
}

// CodeCells returns the numbers of the cells and the cell of every complete row, and all columns if there are no cells.
func (c *coder) CodeCells(block *table.Block, cells *table.Cells) (*mlreg.Design, []int, table.Counts, error) {
	b := c.builder(onBlock(block))
	b.mayBeNone, b.cells = true, cells
	if err := b.selectRows(); err != nil {
		return nil, nil, table.Counts{}, err
	}
	counts := countsOf(b.terms)
	if len(b.eval.rows) == 0 {
		return nil, nil, counts, nil
	}
	d, err := b.build()
	if err != nil {
		return nil, nil, counts, err
	}
	counts.AddBeyond(b.terms.Beyond...)
	return d, b.cellOf, counts, nil
}

// finish gives a design its coding, its columns and its scaling.
func (c *coder) finish(d *mlreg.Design) (*mlreg.Design, error) {
	d.Coding = c.coding
	if c.names != nil {
		var err error
		if d, err = d.Select(c.names...); err != nil {
			return nil, err
		}
	}
	if c.scaling != nil {
		return d.Rescale(c.scaling)
	}
	return d, nil
}

// Terms returns the fitted formula.
func (c *coder) Terms(counts table.Counts) any {
	t := *c.terms
	t.N, t.Omitted, t.Missing = counts.N, counts.Omitted, missingCounts(counts, c.columns())
	t.Rounded, t.Beyond = counts.Rounded, nil
	for _, v := range t.Variables { // in the order of the formula
		for _, e := range counts.Beyond {
			if e.Term == v.Text {
				t.Beyond = append(t.Beyond, e)
			}
		}
	}
	return &t
}

// Check returns an error if no row is left.
func (c *coder) Check(counts table.Counts) error { return checkCounts(counts, c.columns()) }

// Like returns a design of no rows.
func (c *coder) Like(counts table.Counts) (*mlreg.Design, error) {
	t := c.Terms(counts).(*Terms)
	recipe, err := t.recipe()
	if err != nil {
		return nil, err
	}
	names := t.Columns
	if c.names != nil {
		names = c.names
	}
	var offset []float64
	if c.offsets != nil {
		offset = []float64{}
	}
	return &mlreg.Design{
		X: &mat.Dense{}, Offset: offset, Names: slices.Clone(names), Response: t.Response, NoIntercept: !t.Intercept, Omitted: t.Omitted,
		Classes: slices.Clone(t.Classes), Scaling: c.scaling, Coding: c.coding.WithRecipe(termsFormat, recipe),
	}, nil
}

// blockPredictor predicts the rows of blocks.
type blockPredictor struct {
	model
	fit    Predictor
	fields []table.Field
}

func predictBlocks(fit any, fields []table.Field) (table.Predictor, error) {
	f, ok := fit.(Predictor)
	if !ok {
		return nil, errorf(ErrSetting, "%T does not predict numbers", fit)
	}
	if err := checkFit(fit); err != nil {
		return nil, err
	}
	if f.Coding() == nil {
		return nil, errorf(ErrNoRecipe, "the fit was not made from a formula; fit a design of frames.Design or Source.Design")
	}
	t, err := codedTerms(f)
	if err != nil {
		return nil, err
	}
	t.Weights = ""
	m, err := t.model()
	if err != nil {
		return nil, err
	}
	return &blockPredictor{m, f, fields}, m.checkColumns(onFields(fields))
}

// Columns returns the columns that the fit needs.
func (p *blockPredictor) Columns() ([]string, error) { return inTable(p.used(), p.fields), nil }

// Coder codes the terms of the fit.
func (p *blockPredictor) Coder() (table.Coder, error) {
	return recode(p.fit.Coding(), fitTerms(p.fit), nil, false, p.fields)
}

// Predict returns the prediction of every row, NaN where a column is missing.
func (p *blockPredictor) Predict(block *table.Block) ([]float64, error) {
	r, err := p.builder(onBlock(block)).codedRows(p.fit.Coding(), nothingElse)
	if err != nil {
		return nil, err
	}
	return r.vector(p.fit.Predict)
}

// namedVariables returns the variables with the names of their columns, without values.
func (c *coder) namedVariables() ([]*coded, error) {
	vars := make([]*coded, len(c.terms.Variables))
	for v, variable := range c.terms.Variables {
		k := &coded{names: []string{variable.Text}}
		switch {
		case variable.Levels != nil:
			var err error
			k.levels, k.coding = variable.Levels, variable.Contrasts
			if k.matrix, err = k.coding.matrix(len(k.levels)); err != nil {
				return nil, placed(err, c.exprs[v])
			}
		case variable.Words != nil:
			k.cols = make([][]float64, len(variable.Words.Vocabulary))
			k.names = nil
			for _, word := range variable.Words.Vocabulary {
				k.names = append(k.names, variable.Text+word)
			}
		case variable.Basis != nil:
			k.cols = make([][]float64, len(variable.Basis.Eval(nil, make([]float64, variable.Basis.Inputs())...)))
			k.names = basisNames(c.exprs[v], variable, len(k.cols))
		default:
			k.cols = make([][]float64, 1)
		}
		vars[v] = k
	}
	return vars, nil
}

// Plan returns the columns of the design as products.
func (c *coder) Plan() (*table.Plan, error) {
	t := c.terms
	vars, err := c.namedVariables()
	if err != nil {
		return nil, err
	}
	p := &table.Plan{Names: slices.Clone(t.Columns), Weights: t.Weights, Absorb: t.Absorb, Intercept: t.Intercept, Since: t.Since, Used: c.Columns(), Exact: true}
	t.eachColumn(vars, func(_ string, term Term, parts []table.Part) { p.Products = append(p.Products, parts) })
	for _, x := range c.offsets {
		p.Offsets = append(p.Offsets, tree(x.n))
		p.Exact = p.Exact && !c.stops(x)
	}
	variable := func(x expression) table.Variable {
		v := table.Variable{Text: label(x.n), Expr: tree(factorInput(x))}
		p.Exact = p.Exact && !c.stops(x)
		return v
	}
	for k, v := range t.Variables {
		to := variable(c.exprs[k])
		to.Levels, to.Contrast, to.Basis, to.Words = v.Levels, vars[k].matrix, v.Basis, v.Words != nil
		if v.Basis != nil {
			n, ok := c.exprs[k].n.(*call)
			if !ok {
				return nil, errorf(ErrSyntax, "%s is not a call", v.Text)
			}
			o, err := matchArgs(c.exprs[k].src, n, basisFunctions[n.fn].params)
			if err != nil {
				return nil, err
			}
			to.Expr = nil
			for _, in := range o.data {
				to.Inputs = append(to.Inputs, tree(in))
				p.Exact = p.Exact && !stopsMissing(in)
			}
		}
		p.Variables = append(p.Variables, to)
	}
	if _, p.Counts = countsCall(c.response.n); c.response.n != nil && !p.Counts {
		y := variable(c.response)
		y.Levels = t.Classes
		p.Response = &y
	}
	return p, nil
}

// stops reports whether an expression may have a value where a column is missing, or the
// other way round.
func (c *coder) stops(x expression) bool {
	if f, ok := x.n.(*call); ok && isFactorCall(f) {
		o, err := factorArgs(x.src, f)
		if err != nil {
			return true
		}
		levels, err := o.levels()
		return err != nil || levels != nil || stopsMissing(o.args["x"])
	}
	return stopsMissing(x.n)
}

// tree returns an expression for a source that computes it itself.
func tree(n node) *table.Node {
	to := &table.Node{Src: label(n)}
	switch n := stripped(n).(type) {
	case *number:
		to.Kind, to.Value, to.Low = table.NumberNode, n.value, n.low
	case *text:
		to.Kind, to.Text = table.TextNode, n.value
	case *truth:
		to.Kind, to.Value = table.TruthNode, indicator(n.value)
	case *name:
		to.Kind, to.Text = table.ColumnNode, n.name
		if isNA(n) {
			to.Kind = table.NANode
		}
	case *unary:
		to.Kind, to.Text, to.Args = table.UnaryNode, n.op, []*table.Node{tree(n.x)}
	case *binary:
		to.Kind, to.Text, to.Args = table.BinaryNode, n.op, []*table.Node{tree(n.x), tree(n.y)}
	case *call:
		to.Kind, to.Text = table.CallNode, n.fn
		for _, a := range n.args {
			if a.name == "" {
				to.Args = append(to.Args, tree(a.value))
				continue
			}
			if to.Named == nil {
				to.Named = make(map[string]*table.Node)
			}
			to.Named[a.name] = tree(a.value)
		}
	}
	return to
}

// whereCondition is a condition on blocks.
type whereCondition struct {
	src    string
	n      node
	fields []table.Field
}

func whereBlocks(src string, fields []table.Field) (table.Condition, error) {
	toks, err := lex(src)
	if err != nil {
		return nil, err
	}
	n, err := (&parser{src: src, toks: toks}).expression()
	if err != nil {
		return nil, err
	}
	if err := (checker{src, ofBlocks}).arithmetic(n); err != nil {
		return nil, err
	}
	e := onFields(fields).in(src)
	if err := e.checkNames(n); err != nil {
		return nil, err
	}
	typ, err := e.kind(n)
	if err == nil && typ != series.Bool {
		err = formulaErrorf(ErrSetting, src, n, "%s is not a condition; compare it, for example %s > 0", label(n), label(n))
	}
	return &whereCondition{src, n, fields}, err
}

func (w *whereCondition) Node() *table.Node { return tree(w.n) }
func (w *whereCondition) String() string    { return label(w.n) }

// Columns returns the columns that the condition reads.
func (w *whereCondition) Columns() []string {
	return inTable([]expression{{w.src, w.n}}, w.fields)
}

// Mask returns the rows in which the condition is true.
func (w *whereCondition) Mask(b *table.Block) ([]bool, error) {
	if b.N == 0 {
		return nil, nil
	}
	e := onBlock(b)
	mask, _, err := e.condition(w.src)
	return mask, err
}
