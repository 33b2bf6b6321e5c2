package mlreg

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/stream"
	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
)

// Basis turns the inputs of a row into the columns g_1(x) ... g_m(x) of a
// design, so that
//
//	y = w_0 + w_1 g_1(x) + ... + w_m g_m(x) + noise
//
// is linear in w, whatever the functions. A basis learns from the training inputs
// when it is made. After that it does not change, and gob can store it. Expand
// makes a design of a basis.
type Basis interface {
	// Inputs returns d, the number of inputs: the length of the x that Eval takes.
	Inputs() int
	// Names returns the m names of the columns, given the d names of the inputs. It
	// panics if there are fewer, and with an error that matches ErrTooLarge if the names
	// take more than two gigabytes.
	Names(inputs ...string) []string
	// Eval stores g_1(x) ... g_m(x) in dst and returns it; a nil dst is
	// allocated. It panics if len(x) is not d or len(dst) not m.
	Eval(dst []float64, x ...float64) []float64
}

// lowBasis is a basis whose columns are known to twice the digits.
type lowBasis interface {
	// evalLow stores in lo what rounding took from the columns hi that Eval
	// gives at x.
	evalLow(lo, hi, x []float64)
}

// evalLow is the method of a lowBasis; the low parts of others are 0.
func evalLow(b Basis, lo, hi, x []float64) {
	if l, ok := b.(lowBasis); ok {
		l.evalLow(lo, hi, x)
		return
	}
	clear(lo)
}

// evalSpace checks the lengths of Eval's arguments and returns dst.
func evalSpace(dst []float64, columns int, x []float64, inputs int) []float64 {
	if dst == nil {
		dst = make([]float64, columns)
	}
	if len(dst) != columns || len(x) != inputs {
		panic(fmt.Sprintf("mlreg: a basis of %d inputs and %d columns evaluated at %d inputs into %d columns", inputs, columns, len(x), len(dst)))
	}
	return dst
}

// columnNames returns those of a basis, with ErrTooLarge as an error.
func columnNames(b Basis, inputs []string) (names []string, err error) {
	defer func() {
		v := recover()
		if v == nil {
			return
		}
		var ok bool
		if err, ok = v.(error); !ok || !errors.Is(err, ErrTooLarge) {
			panic(v)
		}
	}()
	return b.Names(inputs...), nil
}

// checkNames panics with ErrTooLarge where names of so many bytes would be made.
func checkNames(bytes float64) {
	if err := args.Size(fmt.Sprintf("the names of the columns, %.3g bytes,", bytes), bytes/8, "shorten the names of the inputs"); err != nil {
		panic(err)
	}
}

// numbered returns the names term1, term2 ... of m columns, or term alone if m
// is 1, as R's model.matrix does.
func numbered(term string, m int) []string {
	if m == 1 {
		return []string{term}
	}
	checkNames(float64(len(term)) * float64(m))
	names := make([]string, m)
	for k := range names {
		names[k] = fmt.Sprintf("%s%d", term, k+1)
	}
	return names
}

// callText writes a call of a function, such as rbf(x1, x2).
func callText(fn string, args []string) string { return fn + "(" + strings.Join(args, ", ") + ")" }

// EvalRows returns the columns of a basis (n x m) at the rows of x (n x d), and
// what rounding took from them, nil if nothing or not known: X and XLow of a
// Design. The error matches ErrShape if x does not have d columns, and ErrNoData
// if it has no rows.
func EvalRows(b Basis, x mat.Matrix) (cols, low *mat.Dense, err error) {
	if err := args.Given("the basis", b); err != nil {
		return nil, nil, err
	}
	if err := args.Given("the matrix x", x); err != nil {
		return nil, nil, err
	}
	n, d := x.Dims()
	if n == 0 || d == 0 {
		return nil, nil, fmt.Errorf("%w: the inputs of a basis are %d x %d", ErrNoData, n, d)
	}
	if d != b.Inputs() {
		return nil, nil, fmt.Errorf("%w: the basis takes %d inputs, and x has %d columns", ErrShape, b.Inputs(), d)
	}
	in := make([]float64, d)
	m := len(b.Eval(nil, mat.Row(in, 0, x)...))
	cols = mat.NewDense(n, m, nil)
	lo := make([]float64, m)
	for i := range n {
		row := b.Eval(cols.RawRowView(i), mat.Row(in, i, x)...)
		evalLow(b, lo, row, in)
		if low == nil && slices.ContainsFunc(lo, func(v float64) bool { return v != 0 }) {
			low = mat.NewDense(n, m, nil)
		}
		if low != nil {
			low.SetRow(i, lo)
		}
	}
	return cols, low, nil
}

// expansion is the recipe of a design made by Expand.
type expansion struct {
	Basis  Basis
	Inputs []string
}

func (e *expansion) restored() error {
	if e.Basis == nil {
		return fmt.Errorf("%w: there is no basis", ErrSetting)
	}
	return nil
}

// expandFormat names the recipes of Expand, and wordsFormat those of Words.
const (
	expandFormat = "mlreg.ExpandLike 1"
	wordsFormat  = "mlreg.Words.Expand 1"
)

// coding returns the coding of the columns of a basis.
func (e *expansion) coding(columns []string) *Coding {
	coded := make([]CodedColumn, len(columns))
	fingerprint := Fingerprint(e.Basis)
	for k, name := range columns {
		coded[k] = CodedColumn{name, fingerprint}
	}
	recipe, err := stream.Encode(e, e)
	c := NewCoding(coded, nil, expandFormat, recipe)
	c.s.basis = &expansion{}
	if err != nil || gobDecode(recipe, c.s.basis, c.s.basis) != nil { // a basis that was not registered with gob
		c.s.basis = e
	}
	return c
}

// expansionOf returns what Expand made the design of.
func expansionOf(d *Design) (*expansion, error) {
	if err := args.Given("the training design", d); err != nil {
		return nil, err
	}
	if d.Coding != nil && d.Coding.s.basis != nil {
		return d.Coding.s.basis, nil
	}
	format, recipe := d.Coding.Recipe()
	if format != expandFormat || len(recipe) == 0 {
		return nil, fmt.Errorf("%w: Expand did not make the training design", ErrSetting)
	}
	e := &expansion{}
	return e, gobDecode(recipe, e, e)
}

// Expand returns the design, with an intercept, whose columns are those of a
// basis at the rows of x (n x d), and whose response is y (length n, or nil if
// not known). The names are those of the d inputs, x or x1 ... xd unless given;
// Basis.Names makes the names of the columns from them. One input can be passed as
// mat.NewVecDense(n, values).
//
// Basis and names are kept in the design's Coding, for ExpandLike. The error
// names the culprit if lengths do not match, if n is 0, or if a value or a
// column is not finite.
func Expand(b Basis, x mat.Matrix, y []float64, names ...string) (*Design, error) {
	if args.Given("the basis", b) != nil {
		return nil, fmt.Errorf("%w: the basis is nil", ErrSetting)
	}
	if len(names) == 0 {
		names = numbered("x", b.Inputs())
	}
	e := &expansion{b, slices.Clone(names)}
	d, err := e.expand(x, y)
	if err != nil {
		return nil, err
	}
	d.Coding = e.coding(d.Names)
	return d, nil
}

// expand is Expand without the coding.
func (e *expansion) expand(x mat.Matrix, y []float64) (*Design, error) {
	cols, low, err := EvalRows(e.Basis, x)
	if err != nil {
		return nil, err
	}
	if d := e.Basis.Inputs(); len(e.Inputs) != d {
		return nil, fmt.Errorf("%w: %d names for the %d inputs of the basis", ErrShape, len(e.Inputs), d)
	}
	if err := checkInputs(x, e.Inputs); err != nil {
		return nil, err
	}
	names, err := columnNames(e.Basis, e.Inputs)
	if err != nil {
		return nil, err
	}
	d := &Design{X: cols, XLow: low, Y: slices.Clone(y), Names: names, Response: "y"}
	return d, d.Check()
}

// ExpandLike codes new rows as Expand coded train: by the same basis, with the
// constants learned in training, and with the names, the intercept and the scaling
// of train. It is ErrSetting if Expand did not make train. y is nil if the response
// is not known.
func ExpandLike(train *Design, x mat.Matrix, y []float64) (*Design, error) {
	e, err := expansionOf(train)
	if err != nil {
		return nil, err
	}
	d, err := e.expand(x, y)
	if err != nil {
		return nil, err
	}
	if !slices.Equal(d.Names, train.Names) {
		if d, err = d.Select(train.Names...); err != nil {
			return nil, err
		}
	}
	d.Response, d.NoIntercept, d.Coding = train.Response, train.NoIntercept, train.Coding
	return d.Rescale(train.Scaling)
}

// checkInputs names the first input that is not finite.
func checkInputs(x mat.Matrix, names []string) error {
	n, d := x.Dims()
	for i := range n {
		for j := range d {
			if err := checkValue(names[j], i, x.At(i, j)); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkValue returns an error if a value of an input is not finite.
func checkValue(name string, row int, v float64) error {
	if v-v != 0 {
		return fmt.Errorf("%w: input %q is %v in row %d", ErrNotFinite, name, v, row+1)
	}
	return nil
}

// distinctValues returns the distinct values of an input in rising order, or
// ErrNotFinite.
func distinctValues(x []float64) ([]float64, error) {
	for i, v := range x {
		if err := checkValue("x", i, v); err != nil {
			return nil, err
		}
	}
	sorted := slices.Clone(x)
	slices.Sort(sorted)
	return slices.Compact(sorted), nil
}

// describeBasis returns the functions of a basis as a table, of many the first 25, with
// what it is in the title.
func describeBasis(b Basis, kind string, notes ...string) *report.Table {
	inputs := numbered("x", b.Inputs())
	names, err := columnNames(b, inputs)
	if err != nil {
		return tables.Line(kind + ": " + err.Error())
	}
	show := names[:min(len(names), format.FewRows)]
	t := &report.Table{
		Title:   fmt.Sprintf("%s: %s of %s", kind, format.Plural(len(names), "function"), format.Plural(len(inputs), "input")),
		Columns: []report.Column{tables.Int("", gram.NumbersTo(len(show)), func(k int) int { return k + 1 }), report.TextColumn("function", show...)},
		Notes:   notes,
	}
	if more := len(names) - len(show); more > 0 {
		t.Notes = append([]string{fmt.Sprintf("... %d more", more)}, notes...)
	}
	return t
}
