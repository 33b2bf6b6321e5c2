package frames

import (
	"math"
	"slices"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/frames/internal/table"
	"github.com/regbook/regbook/mlreg"
)

// coder codes blocks of rows by a formula that was learned.
type coder struct {
	terms    *Terms
	exprs    []expression
	offsets  []expression
	response expression
	fields   []table.Field
	since    float64

	names   []string       // wanted; nil for all
	scaling *mlreg.Scaling // applied to the columns
	coding  *mlreg.Coding
}

func newCoder(t *Terms, exprs, offsets []expression, response expression, fields []table.Field) (*coder, error) {
	c := &coder{terms: t, exprs: exprs, offsets: offsets, response: response, fields: fields}
	c.since, _ = isoDays(t.Since)
	vars, err := c.namedVariables()
	if err != nil {
		return nil, err
	}
	t.nameColumns(vars)
	c.coding, err = t.coding()
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
	c := &coder{terms: t, fields: fields, coding: coding, scaling: scaling, names: names}
	c.since, _ = isoDays(t.Since)
	for _, v := range t.Variables {
		n, err := parseTree(v.Text)
		if err != nil {
			return nil, err
		}
		c.exprs = append(c.exprs, expression{v.Text, n})
	}
	for _, text := range t.Offsets {
		n, err := parseTree(text)
		if err != nil {
			return nil, err
		}
		c.offsets = append(c.offsets, expression{text, n})
	}
	known := func(cols []string) bool {
		return !slices.ContainsFunc(cols, func(col string) bool {
			return !slices.ContainsFunc(fields, func(f table.Field) bool { return f.Name == col })
		})
	}
	if t.Response != "" && response {
		n, err := parseTree(t.Response)
		if err != nil {
			return nil, err
		}
		if known(columnNames(n)) {
			c.response = expression{t.Response, n}
		}
	}
	if t.Weights != "" && (!response || !known([]string{t.Weights})) {
		t.Weights = ""
	}
	l := &learner{terms: t, exprs: c.exprs, offsets: c.offsets, response: c.response, fields: fields}
	if err := l.checkColumns(onBlock(fieldsBlock(fields))); err != nil {
		return nil, err
	}
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
	return columnsUsed(c.terms, slices.Concat(c.exprs, c.offsets), c.response, c.fields)
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
	t := *c.terms
	b := &builder{eval: onBlock(block), terms: &t, exprs: c.exprs, offsets: c.offsets, response: c.response, mayBeNone: true, cells: cells}
	b.eval.whole, b.eval.since = false, c.since
	if err := b.selectRows(); err != nil {
		return nil, nil, table.Counts{}, err
	}
	counts := countsOf(&t)
	if len(b.eval.rows) == 0 {
		return nil, nil, counts, nil
	}
	d, err := b.build()
	if err != nil {
		return nil, nil, counts, err
	}
	counts.AddBeyond(t.Beyond...)
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
	t.N, t.Omitted, t.Missing = counts.N, counts.Omitted, missingCounts(counts, c.order())
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
func (c *coder) Check(counts table.Counts) error { return checkCounts(counts, c.order()) }

func (c *coder) order() []string {
	return columnsInOrder(c.terms, c.exprs, c.offsets, c.response)
}

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
	p := &blockPredictor{f, fields}
	b, err := p.builder(fieldsBlock(fields))
	if err != nil {
		return nil, err
	}
	l := &learner{terms: &Terms{Absorb: b.terms.Absorb}, exprs: b.exprs, offsets: b.offsets}
	return p, l.checkColumns(b.eval)
}

func (p *blockPredictor) builder(block *table.Block) (*builder, error) {
	t, err := codedTerms(p.fit)
	if err != nil {
		return nil, err
	}
	b, err := t.builder(dataframe.DataFrame{})
	if err != nil {
		return nil, err
	}
	b.eval.rowsOf = block
	return b, nil
}

// Columns returns the columns that the fit needs.
func (p *blockPredictor) Columns() ([]string, error) {
	b, err := p.builder(nil)
	if err != nil {
		return nil, err
	}
	return columnsUsed(&Terms{Absorb: b.terms.Absorb}, slices.Concat(b.exprs, b.offsets), expression{}, p.fields), nil
}

// Coder codes the terms of the fit.
func (p *blockPredictor) Coder() (table.Coder, error) {
	return recode(p.fit.Coding(), fitTerms(p.fit), nil, false, p.fields)
}

// Predict returns the prediction of every row, NaN where a column is missing.
func (p *blockPredictor) Predict(block *table.Block) ([]float64, error) {
	b, err := p.builder(block)
	if err != nil {
		return nil, err
	}
	r, err := b.codedRows(p.fit.Coding(), nothingElse)
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
	e := onBlock(fieldsBlock(fields)).in(src)
	walkColumns(n, func(col *name) {
		if _, wrong := e.column(col); wrong != nil && e.constantName(col) == nil && err == nil {
			err = wrong
		}
	})
	if err != nil {
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
	return columnsUsed(&Terms{}, []expression{{w.src, w.n}}, expression{}, w.fields)
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

// sinceText returns the day that dates are counted from, as text and as a number.
func sinceText(first float64) (string, float64) {
	t := timeOf(first)
	if t.Hour() == 0 && t.Minute() == 0 && t.Second() == 0 && t.Nanosecond() == 0 {
		return t.Format("2006-01-02"), first
	}
	text := t.Format("2006-01-02 15:04:05.999999")
	days, ok := isoDays(text)
	if !ok {
		days = math.NaN()
	}
	return text, days
}
