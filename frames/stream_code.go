package frames

import (
	"slices"

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
	rows    int // of table.Plan
}

func newCoder(m model, fields []table.Field, rows int) (*coder, error) {
	c := &coder{model: m, fields: fields, rows: rows}
	vars, err := c.namedVariables()
	if err != nil {
		return nil, err
	}
	if _, factors := m.terms.extents(vars); factors.columns > mostSummed {
		return nil, errorf(ErrTooLarge, "term %s has %.0f columns of %.0f of factors, and the products of at most %d are summed (2^28 numbers, 2.1 GB); %s",
			factors.term, factors.largest, factors.columns, mostSummed, behindABar)
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

// namedVariables returns the variables with the names of their columns, without values.
func (c *coder) namedVariables() ([]*coded, error) {
	vars := make([]*coded, len(c.terms.Variables))
	for v, variable := range c.terms.Variables {
		k := &coded{names: []string{variable.Text}}
		switch {
		case variable.Levels != nil:
			if err := k.takeFactor(c.exprs[v], variable); err != nil {
				return nil, err
			}
		case variable.Words != nil:
			k.names = wordNames(variable)
			k.cols = make([][]float64, len(k.names))
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
