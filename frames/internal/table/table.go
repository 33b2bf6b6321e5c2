// Package table is what package frames and its sources share: blocks of rows of typed
// columns, and formulas, conditions and summaries that package frames reads and that a
// source applies to block after block. There is one formula language; its code is in
// package frames, which sets Frames when it starts.
package table

import (
	"context"
	"errors"
	"io"
	"slices"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"github.com/regbook/regbook/mlreg"
)

// Field is a column of a table: its name and the type that its values have.
type Field struct {
	Name string
	Type series.Type // Float, Int, Bool or String
	// Dates says that a String column has dates in ISO form, which formulas take as
	// numbers of days.
	Dates bool
	// Note says why a column that looks like numbers is text, with the first culprit; ""
	// if it is not.
	Note string
}

// Column has the values of a column in the rows of a block.
type Column struct {
	Field
	Num     []float64 // of Float, Int and Bool (1 and 0); NaN where missing
	Low     []float64 // what rounding to Num took from whole numbers beyond 2^53; nil if nothing
	Whole   bool      // a Float column whose values in this block are written as whole numbers
	Ints    bool      // a Float column that is one of integers in a frame of the rows of this block
	Text    []string  // of String
	Missing []bool    // one for each row, all false if none is missing
	Count   int       // missing values
}

// Block has consecutive rows of a table. Its memory may be used again after the call
// that it was given to.
type Block struct {
	N       int // rows
	Columns []*Column
	First   int   // the rows of the table before the first of the block
	Rows    []int // numbers of the rows in the table, from 0; nil if they are First, First+1, ...
}

// Number returns the number of row i of the block in its table, counted from 0.
func (b *Block) Number(i int) int {
	if b.Rows != nil {
		return b.Rows[i]
	}
	return b.First + i
}

// Column returns the column of the name given, nil if there is none.
func (b *Block) Column(name string) *Column {
	for _, c := range b.Columns {
		if c.Name == name {
			return c
		}
	}
	return nil
}

// Keep returns the rows for which keep is true, as copies unless all are.
func (b *Block) Keep(keep []bool) *Block {
	n := 0
	for _, k := range keep {
		if k {
			n++
		}
	}
	if n == b.N {
		return b
	}
	out := &Block{N: n, Rows: make([]int, 0, n)}
	for i, k := range keep {
		if k {
			out.Rows = append(out.Rows, b.Number(i))
		}
	}
	for _, c := range b.Columns {
		to := &Column{Field: c.Field, Whole: c.Whole, Ints: c.Ints, Missing: make([]bool, 0, n)}
		for i, k := range keep {
			if k {
				to.AppendRow(c, i)
			}
		}
		out.Columns = append(out.Columns, to)
	}
	return out
}

// Node is a node of an expression. Parentheses and I() are left out.
type Node struct {
	Kind  NodeKind
	Text  string  // the name of a column or function, an operator, or a text
	Value float64 // of a number; 1 and 0 of TRUE and FALSE
	Low   float64 // what rounding took from a whole number beyond 2^53
	Args  []*Node // operands, or the arguments of a call that have no name
	Named map[string]*Node
	Src   string // the node as R prints it, for messages
}

// NodeKind is the kind of a Node.
type NodeKind int

const (
	NumberNode NodeKind = iota
	TextNode            // a text constant
	TruthNode           // TRUE or FALSE
	ColumnNode          // a column; or NA, which is the kind NANode
	NANode
	CallNode   // a function: log, ifelse, is.na, year, c ...
	UnaryNode  // - + !
	BinaryNode // + - * / ^ %% %/% == != < <= > >= & | %in%
)

// Variable is one expression of a formula with what was learned for it: one of Levels,
// Basis, or neither (a number).
type Variable struct {
	Text     string
	Expr     *Node       // a number, or the expression that is coded by levels
	Levels   []string    // of a factor
	Contrast [][]float64 // of a factor: a row for every level; nil for indicators of levels but the first
	Basis    mlreg.Basis // of poly, scale, ns, bs, rbf, fourier
	Inputs   []*Node     // of a basis
	Words    bool        // of words(), which has no SQL
}

// Part is one column of a variable: number Index of its basis or contrasts, or, if Full,
// the indicator of level Index.
type Part struct {
	Variable, Index int
	Full            bool
}

// Plan is a formula with all that was learned: each column of the design is a product of
// parts.
type Plan struct {
	Names     []string
	Products  [][]Part
	Variables []Variable
	Response  *Variable // nil if there is none; a class has Levels, and its value is the index of the level
	Counts    bool      // the response is cbind(yes, no): code rows
	Offsets   []*Node   // subtracted from the response of a linear model
	Weights   string    // "" if there are none
	Absorb    string    // the column of a factor to absorb, "" if there is none
	Intercept bool
	Since     string   // the day from which dates are counted, "" if there are none
	Used      []string // columns that must not be missing; see Exact
	// Exact says that a row is complete if no column in Used is missing. If not, the
	// formula decides that itself (ifelse, is.na, levels = c(...)): code rows.
	Exact bool
	Rows  int // complete rows, as constants were learned of; 0 if they were not counted
}

// Counts counts rows.
type Counts struct {
	N, Omitted int
	Missing    map[string]int        // by column used
	Rounded    []string              // columns of numbers with integers beyond 2^53, sorted
	Beyond     []mlreg.Extrapolation // terms with complete rows beyond their range
}

// Round adds columns to Rounded.
func (c *Counts) Round(names ...string) {
	for _, name := range names {
		if k, known := slices.BinarySearch(c.Rounded, name); !known {
			c.Rounded = slices.Insert(c.Rounded, k, name)
		}
	}
}

// Add adds the rows of other.
func (c *Counts) Add(other Counts) {
	c.N += other.N
	c.Omitted += other.Omitted
	if c.Missing == nil {
		c.Missing = make(map[string]int)
	}
	for name, n := range other.Missing {
		c.Missing[name] += n
	}
	c.Round(other.Rounded...)
	c.AddBeyond(other.Beyond...)
}

// Limits bound what is learned.
type Limits struct {
	Levels int // of a factor
	Values int // of the input of a basis whose constants need all values at once, such as quantiles
}

// Learner learns the constants of a formula by passes over the rows.
//
//	for l.Pass() { for every block in order { l.Add(block) }; l.EndPass() }
//	coder, err := l.Coder()
type Learner interface {
	Columns() []string // that it reads
	Pass() bool        // whether another pass is needed
	Add(b *Block) error
	EndPass() error
	Coder() (Coder, error)
	// Needs tells what a pass would learn, for engines that can find it otherwise;
	// after SetLevels and SetBasis of all of it and SetCounts, Pass is false.
	Needs() []Need
	// Exact is that of the Plan.
	Exact() bool
	MaxLevels() int
	MaxValues() int
	SetLevels(variable int, levels []string, rows int) error
	// SetBasis gives what the constants of a basis follow from. The error is that of the
	// values: too few of them are distinct, knots coincide.
	SetBasis(variable int, c Constants) error
	// SetSince gives the first of the dates in the columns of a Need, as text, "" if there is
	// none, and returns it as a number of days.
	SetSince(first string) (days float64, err error)
	// LearnComplete says that constants are learned in complete rows; if not, in all in which
	// the columns of their variable are present and its inputs finite.
	LearnComplete() bool
	SetCounts(c Counts)
}

// Need is a variable whose constants are not known yet.
type Need struct {
	Variable int // -1 is the response
	Text     string
	Expr     *Node // whose distinct values are the levels
	Factor   bool  // its levels are wanted; if not, the constants of a basis, or the first date
	Fn       string

	Columns []string // of dates, of which the first is wanted
	Inputs  []*Node  // of a basis; nil if nothing but the values of all rows will do
	// Distinct is how many distinct values are too few.
	Distinct int
	// Degree is up to which the recurrence of orthogonal polynomials is wanted: poly, scale.
	Degree int
	// Knots is how many knots at quantiles are wanted, of the values within Boundary, or of
	// all if that is nil.
	Knots    int
	Boundary []float64
}

// Constants are what the constants of a basis follow from.
type Constants struct {
	N              int       // values
	Distinct       []float64 // rising: all distinct values if they are too few, or more than that
	Least, Largest float64
	Alpha, Beta    []float64 // those of mlreg.Poly
	Knots          []float64 // type 7 quantiles i/(k+1); nil if no value lies within the boundary
}

// Coder codes blocks of rows as the formula says. Its methods may be called
// concurrently.
type Coder interface {
	Columns() []string // that it reads
	// Code returns the design of the rows of a block that are complete, nil if none is.
	Code(b *Block) (*mlreg.Design, Counts, error)
	// Cells returns the plan by cells if sums of blocks are computed faster by these, nil if not.
	Cells() *Cells
	// CodeCells returns a design of the numbers of the cells in the rows that are complete, nil if none is, and the cell
	// of each.
	CodeCells(b *Block, c *Cells) (d *mlreg.Design, of []int, counts Counts, err error)
	Plan() (*Plan, error)
	// Like returns a design of no rows with the names, the response and the coding of
	// what Code returns; the coding has the counts given.
	Like(c Counts) (*mlreg.Design, error)
	// Missing returns an error if the counts leave no row.
	Check(c Counts) error
	Terms(c Counts) any // *frames.Terms
}

// Condition is a condition on rows.
type Condition interface {
	Columns() []string
	Node() *Node
	String() string
	// Mask returns for every row whether the condition is true.
	Mask(b *Block) ([]bool, error)
}

// Definition is a column that an expression defines.
type Definition interface {
	Field() Field
	Columns() ([]string, error) // that it reads
	Column(b *Block) (*Column, error)
}

// Summary computes summaries of groups of rows.
type Summary interface {
	Columns() []string
	Add(b *Block) error
	Result() (dataframe.DataFrame, error)
	// Keys and Calls tell what Add computes, for engines that can compute it otherwise:
	// SetGroups is then called in place of Add.
	Keys() []Key
	Calls() []Call
	// SetGroups gives all groups: a row for every group in a column for every key, and the
	// sums of every call by group.
	SetGroups(keys []*Column, sums [][]GroupSums)
}

// Key is a key of groups.
type Key struct {
	Field
	Expr *Node
}

// Call is a call of a summary function.
type Call struct {
	Fn   string
	Expr *Node // of its values; nil for n()
	Text bool  // the values are texts
}

// GroupSums are sums of the values of a group that are not missing.
type GroupSums struct {
	N, Missing     int // rows if the call has no values
	Sum, SumLow    float64
	Mean, Squares  float64 // squares of deviations from the mean
	Least, Largest float64
}

// Predictor predicts the rows of blocks.
type Predictor interface {
	Columns() ([]string, error)
	// Predict returns the prediction of every row, NaN where a column needed is missing.
	Predict(b *Block) ([]float64, error)
	// Coder codes the terms that the fit has, without a response.
	Coder() (Coder, error)
}

// ErrTypes says that the types of the columns were found to be others than thought. The
// reader knows better now, and what was computed is to be computed again.
var ErrTypes = errors.New("frames: the types of the columns are others than those of the first rows")

// Reader reads the rows of a file.
type Reader interface {
	Fields() []Field
	// Scan makes a pass, see InOrder. The stamp identifies the rows.
	Scan(ctx context.Context, columns []string, work func(*Block) (any, error), collect func(any) error) (stamp string, err error)
}

// Written is a Reader that knows when its file was written last.
type Written interface {
	// Written returns a text that is another after the file was written.
	Written() (string, error)
}

// Converted is a Reader that knows how its file is converted to UTF-8.
type Converted interface {
	// Converted returns a text, "" if the file is UTF-8.
	Converted() string
}

// Frames are the functions of package frames.
var Frames struct {
	// Compile reads a formula for a table of the fields given; settings are
	// *frames.DesignSettings.
	Compile func(formula string, fields []Field, settings any, limits Limits) (Learner, error)
	// Recode returns the coder of a design that was coded before, for a table of the
	// fields given. Names are the columns wanted, nil for all; the response is wanted, or
	// not.
	Recode func(coding *mlreg.Coding, names []string, scaling *mlreg.Scaling, response bool, fields []Field) (Coder, error)
	// Where reads a condition.
	Where func(condition string, fields []Field) (Condition, error)
	// With reads a definition such as "ratio = hp/wt".
	With func(definition string, fields []Field) (Definition, error)
	// Predict returns what predicts rows by a fit, a frames.Predictor.
	Predict func(fit any, fields []Field) (Predictor, error)
	// Summarise reads keys and summaries.
	Summarise func(keys, summaries []string, fields []Field, limits Limits) (Summary, error)
	// CSV opens a file; settings are *frames.CSVSettings.
	CSV func(path string, settings any) (Reader, error)
	// Source makes a *source.Source of a reader, for the packages of files; package source
	// sets it.
	Source func(name string, r Reader) any
	// Frame makes a data frame of a block.
	Frame func(b *Block) dataframe.DataFrame
	// WriteCSV writes a header, then the rows of blocks; settings are
	// *frames.WriteCSVSettings. Whole numbers are written 2.0 in the float columns for which
	// point is true.
	WriteCSV func(w io.Writer, fields []Field, point []bool, settings any) (rows func(b *Block) error, err error)
}
