package mlreg

import (
	"encoding/binary"
	"fmt"
	"hash"
	"hash/fnv"
	"math"
	"reflect"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
)

// Coding says how the columns of a design were computed: a fingerprint of the
// constants of each column, such as polynomial coefficients or factor levels; the
// columns that belong to one term; and the recipe from which the package that made
// it computes them again. Package frames makes a Coding from a formula, and Expand
// from a basis.
//
// A fit keeps the coding of its design and refuses rows whose columns were computed
// with other constants (ErrCoding). A Coding does not change, and survives gob.
type Coding struct {
	stored[Coding, codingState]
}

type codingState struct {
	Format  string
	Recipe  []byte
	Columns []CodedColumn
	Groups  []TermGroup
	number  map[string]int // of the columns
	basis   *expansion     // of Expand, as the recipe has it
}

// CodedColumn is a column of a design and the fingerprint of its constants.
type CodedColumn struct {
	Name string
	// Fingerprint is equal in two columns with the same name exactly if they are the
	// same function of the data; it is "" if the column has no constants.
	Fingerprint string
}

// NewCoding returns the coding of the given columns; groups are the terms with
// several columns, see TermGroup. The recipe serves the caller to compute the
// columns of new rows; it is stored unread. Its format is the name of the function
// that uses it, which errors name, and a version: "frames.DesignLike 1".
func NewCoding(columns []CodedColumn, groups []TermGroup, format string, recipe []byte) *Coding {
	c := &Coding{store[Coding](codingState{
		Format: format, Recipe: slices.Clone(recipe), Columns: slices.Clone(columns), Groups: cloneGroups(groups),
	})}
	c.s.index()
	return c
}

func (s *codingState) index() {
	s.number = make(map[string]int, len(s.Columns))
	for k, column := range s.Columns {
		s.number[column.Name] = k
	}
}

// restored computes what is not stored.
func (s *codingState) restored() error {
	s.index()
	if s.Format == expandFormat {
		if e := (&expansion{}); gobDecode(s.Recipe, e, e) == nil { // else its basis is not known here
			s.basis = e
		}
	}
	return nil
}

// Groups returns the terms with several columns; a nil coding has none.
func (c *Coding) Groups() report.Rows[TermGroup] {
	if c == nil {
		return nil
	}
	return cloneGroups(c.s.Groups)
}

func cloneGroups(groups []TermGroup) []TermGroup {
	groups = slices.Clone(groups)
	for k := range groups {
		g := &groups[k]
		g.Terms, g.Margins, g.Reference = slices.Clone(g.Terms), slices.Clone(g.Margins), slices.Clone(g.Reference)
	}
	return groups
}

// Recipe returns the recipe for computing the columns again, and its format; a nil
// coding has none.
func (c *Coding) Recipe() (format string, recipe []byte) {
	if c == nil {
		return "", nil
	}
	return c.s.Format, slices.Clone(c.s.Recipe)
}

// fingerprint returns what the named column has learned, "" if nothing is known.
func (c *Coding) fingerprint(column string) string {
	if c == nil {
		return ""
	}
	if k, ok := c.s.number[column]; ok {
		return c.s.Columns[k].Fingerprint
	}
	return ""
}

// term returns the term that a column belongs to.
func (c *Coding) term(column string) string {
	for _, g := range c.s.Groups {
		if slices.Contains(g.Terms, column) {
			return g.Name
		}
	}
	return column
}

// check names the first of the columns that o computes with other constants than
// c. A column that one of them does not know is taken as it is.
func (c *Coding) check(o *Coding, columns []string) error {
	if c == o || c == nil || o == nil {
		return nil
	}
	for _, column := range columns {
		if a, b := c.fingerprint(column), o.fingerprint(column); a != b && a != "" && b != "" {
			return fmt.Errorf("%w: the constants of term %q were learned anew from these rows; %s",
				ErrCoding, c.term(column), c.remedy())
		}
	}
	return nil
}

// remedy says how to code new rows as those fitted.
func (c *Coding) remedy() string {
	if with, _, _ := strings.Cut(c.s.Format, " "); with != "" {
		return "code new rows like those fitted with " + with
	}
	return "code new rows like those fitted"
}

// WithRecipe returns the coding of the same columns with another recipe.
func (c *Coding) WithRecipe(format string, recipe []byte) *Coding {
	if c == nil {
		return nil
	}
	other := *c
	other.s.Format, other.s.Recipe, other.s.basis = format, slices.Clone(recipe), nil
	return &other
}

// Fingerprint returns a text that differs for different constants: a hash of the
// types and values given, to the bit. It follows pointers and includes the exported
// fields of structs and the elements of slices and matrices. It is the same in every
// process. Values that gob does not store, such as functions, do not count.
func Fingerprint(constants ...any) string {
	h := fnv.New128a() // not sha256, which brings 27 packages to every cell
	for _, c := range constants {
		addPrint(h, reflect.ValueOf(c))
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}

func addPrint(h hash.Hash, v reflect.Value) {
	if !v.IsValid() {
		h.Write([]byte("nil;"))
		return
	}
	fmt.Fprintf(h, "%v:", v.Type())
	if m, ok := v.Interface().(mat.Matrix); ok && !(v.Kind() == reflect.Pointer && v.IsNil()) {
		rows, cols := m.Dims()
		fmt.Fprintf(h, "%d,%d;", rows, cols)
		for i := range rows {
			addNumbers(h, mat.Row(nil, i, m))
		}
		return
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		addPrint(h, v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() {
				fmt.Fprintf(h, "%s=", f.Name)
				addPrint(h, v.Field(i))
			}
		}
	case reflect.Slice, reflect.Array:
		fmt.Fprintf(h, "%d;", v.Len())
		for i := range v.Len() {
			addPrint(h, v.Index(i))
		}
	case reflect.Float64, reflect.Float32:
		addNumbers(h, []float64{v.Float()})
	case reflect.Func, reflect.Chan:
	default:
		fmt.Fprintf(h, "%q;", fmt.Sprint(v.Interface()))
	}
}

func addNumbers(h hash.Hash, x []float64) {
	for _, v := range x {
		h.Write(binary.LittleEndian.AppendUint64(nil, math.Float64bits(v)))
	}
}

// Describe returns the columns as a table: the term that each belongs to, and the
// fingerprint of what it learned.
func (c *Coding) Describe() *report.Table {
	columns := c.s.Columns
	return tables.Shortened(tables.Rows("Coding of columns",
		tables.Text("column", columns, func(k CodedColumn) string { return k.Name }),
		tables.Text("term", columns, func(k CodedColumn) string { return c.term(k.Name) }),
		tables.Text("fingerprint", columns, func(k CodedColumn) string { return k.Fingerprint })))
}

// String writes the columns as text.
func (c *Coding) String() string { return c.Describe().String() }
