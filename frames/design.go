package frames

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/go-gota/gota/dataframe"
	"github.com/regbook/regbook/frames/internal/table"
	"github.com/regbook/regbook/internal/limit"
	"github.com/regbook/regbook/mlreg"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// NAPolicy says what happens to rows with missing values.
type NAPolicy int

const (
	// NAOmit omits a row if it has a missing value in any column that the
	// formula uses. Terms.Omitted counts such rows.
	NAOmit NAPolicy = iota
	// NAError makes missing values an error that names the first.
	NAError
)

// DesignSettings are the options of Design and Formula.Design.
type DesignSettings struct {
	// NA is the policy for missing values; the default is NAOmit.
	NA NAPolicy
	// Weights names the column of weights, none by default. The dot of a
	// formula excludes it.
	Weights string
	// Clusters names the column of clusters, such as firms, none by default: the design keeps
	// their names (mlreg.Design.Clusters) for mlreg.OLS.Clustered and mlreg.GLM.Clustered. The dot
	// of a formula excludes it, and a row without a cluster is omitted.
	Clusters string
	// Contrasts code the factors that the formula does not code by C(a, ...); the
	// default is TreatmentContrasts. R's options(contrasts = ...).
	Contrasts Contrasts
	// LearnComplete learns the constants of scale, ns, bs, poly, rbf and words from
	// the complete rows only. By default they are learned, as in R, from all rows in
	// which the term's own columns are not missing.
	LearnComplete bool
	// MaxNumbers is how many numbers the columns of terms with factors may have in all rows; 0 is 2^28
	// (2.1 GB). More are ErrTooLarge before they are made.
	MaxNumbers int
}

// Design returns the design matrix and the response of a formula, as Formula
// describes it, on the rows of df that are complete in the columns used.
// TermsOf of the design reports the columns and how many rows were omitted. Integers
// beyond 2^53 are exact in conditions, factors, and differences such as I(time - start); as
// a column of X they are the nearest float64, which TermsOf reports, too.
//
//	d, err := frames.Design(df, "lpsa ~ lcavol + poly(age, 3) + svi:lcp")
//
// Columns are named as R's model.matrix names them. The reference level of a factor
// is its first: text levels are in byte order, numbers by size. Interactions follow
// R's rule: a factor has a column for every level where a margin is missing. C(a,
// Sum) codes a by other contrasts; DesignSettings.Contrasts does so for all factors.
// A text column whose cells are mostly numbers gives ErrNotNumeric, with the first
// cell that is not a number, unless the formula says factor(a).
//
// A response that is text, true or false, or factor(a) is a class: Y is the
// index of its level in Classes, counted from 0, so that of two classes the
// second is 1. Levels are in the same order as those of a factor, FALSE before
// TRUE, and factor(a, ref = "x") puts x first.
//
// The constants of a term, such as means, knots and polynomials, are learned as in R:
// from all rows of df in which the term's own columns are not missing, even if
// another column causes the row to be omitted. DesignSettings.LearnComplete learns
// them from the rows kept. (R's poly refuses missing values; here poly treats them as
// ns and scale do.) The levels of factors are those in the rows kept, as in R's lm.
// To learn from training rows only, split the frame and code the rest with
// DesignLike.
//
// A factor of L levels takes L-1 columns, each of eight bytes a row: 300 levels of a million rows are 2.4 GB. Beyond 2^28 numbers
// (2.1 GB; DesignSettings.MaxNumbers) the error is ErrTooLarge, before memory is taken. The same formula of source.Frame(df), in
// package frames/source, makes no column of a level for sums, and those of a block of rows at a time for fits that need rows; its
// comment says what digits that costs, and how to have them.
//
// Behind a bar, y ~ x | zone, stands the column of a factor whose effects mlreg.FitAbsorbed absorbs, of 100,000 levels, too, without
// columns; rows without it are omitted, and the dot excludes it. Other fits refuse the design.
//
// An error about a place in the formula is a *FormulaError that shows the
// place: ErrSyntax, ErrNoColumn with the nearest name, ErrNotNumeric,
// ErrNotFinite, ErrMissing (a column whose values are all missing), ErrLevel (a
// factor of one level, or without the level ref), ErrResponse, ErrSetting (an
// argument of a function). The error matches ErrNoRows if no row is complete.
//
// Settings may follow: weights, contrasts, the policy for missing values. At most
// one may be given; none and nil are the defaults.
//
//	d, err := frames.Design(df, "y ~ a", &frames.DesignSettings{Weights: "w"})
func Design(df dataframe.DataFrame, formula string, settings ...*DesignSettings) (*mlreg.Design, error) {
	f, err := ParseFormula(formula)
	if err != nil {
		return nil, err
	}
	s, err := atMostOne(settings)
	if err != nil {
		return nil, err
	}
	return f.Design(df, s)
}

// atMostOne returns the settings given, nil if there are none.
func atMostOne(settings []*DesignSettings) (*DesignSettings, error) {
	switch len(settings) {
	case 0:
		return nil, nil
	case 1:
		return settings[0], nil
	}
	return nil, errorf(ErrSetting, "%d settings are given; put them into one DesignSettings", len(settings))
}

// Design is Design with settings; nil settings are the defaults. It has two more
// errors: ErrMissing under the policy NAError, which names the first missing value,
// and ErrSetting, which names the row of a negative weight or says that MaxNumbers is negative.
func (f *Formula) Design(df dataframe.DataFrame, settings *DesignSettings) (*mlreg.Design, error) {
	d, _, err := f.designWith(df, settings, nil)
	return d, err
}

// designWith is Design of the rows in which other columns have values, too. It returns
// those rows, counted from 0.
func (f *Formula) designWith(df dataframe.DataFrame, settings *DesignSettings, also []expression) (*mlreg.Design, []int, error) {
	var s DesignSettings
	if settings != nil {
		s = *settings
	}
	if err := checkFrame(df); err != nil {
		return nil, nil, err
	}
	if s.MaxNumbers < 0 {
		return nil, nil, errorf(ErrSetting, "DesignSettings.MaxNumbers = %d; it is not negative", s.MaxNumbers)
	}
	if s.Clusters != "" {
		also = append(also, columnExpression(s.Clusters))
	}
	m, err := f.on(df.Names(), &s)
	if err != nil {
		return nil, nil, err
	}
	b := m.builder(evaluatorOf(df))
	b.contrasts, b.also, b.learnComplete = s.Contrasts, also, s.LearnComplete
	b.most = cmp.Or(s.MaxNumbers, limit.Numbers)
	if err := b.selectRows(); err != nil {
		return nil, nil, err
	}
	if err := b.learn(); err != nil {
		return nil, nil, err
	}
	d, err := b.build()
	if err != nil {
		return nil, nil, err
	}
	if s.Clusters != "" {
		c, err := b.eval.named(s.Clusters)
		if err != nil {
			return nil, nil, err
		}
		d.Clusters = valuesAt(b.eval.rows, c.at)
	}
	d.Coding, err = b.terms.coding()
	return d, b.eval.rows, err
}

// DesignLike codes the rows of df as the rows of train: with the same formula,
// levels, basis constants, scaling and policy for missing values. The design
// has a response if df has the columns of the response and each has a value,
// and weights under the same condition. The error matches ErrNoRecipe if train
// was not made from a formula, and ErrLevel if a factor in the response or in a
// term has a level that train did not have.
func DesignLike(train *mlreg.Design, df dataframe.DataFrame) (*mlreg.Design, error) {
	old, err := termsOf(train)
	if err != nil {
		return nil, err
	}
	if err := checkFrame(df); err != nil {
		return nil, err
	}
	m, err := old.model()
	if err != nil {
		return nil, err
	}
	b := m.builder(evaluatorOf(df))
	if err := b.setResponse(b.known); err != nil {
		return nil, err
	}
	t := b.terms
	if t.Weights != "" && !b.known([]string{t.Weights}) {
		t.Weights = ""
	}
	if err := b.selectRows(); err != nil {
		return nil, err
	}
	d, err := b.build()
	if err != nil {
		return nil, err
	}
	t.Weights = old.Weights
	recipe, err := t.recipe()
	if err != nil {
		return nil, err
	}
	d.Coding = train.Coding.WithRecipe(termsFormat, recipe)
	if d, err = d.Select(train.Names...); err != nil {
		return nil, err
	}
	return d.Rescale(train.Scaling)
}

// known reports whether the frame has the columns, each with a value.
func (b *builder) known(columns []string) bool {
	for _, col := range columns {
		if b.eval.constantName(&name{name: col}) != nil {
			continue
		}
		if !b.eval.has(col) {
			return false
		}
		if c, err := b.eval.column(&name{name: col}); err != nil || c.count == len(c.missing) {
			return false
		}
	}
	return true
}

// builder makes a design of the rows of a frame or of a block.
type builder struct {
	model
	eval      *evaluator
	contrasts Contrasts    // of factors that the formula does not code
	also      []expression // columns that have to have values besides

	learnComplete bool // DesignSettings.LearnComplete
	mayBeNone     bool // all rows may have missing values
	most          int  // numbers of the columns of factors; 0 for rows that are coded as others were

	cells  *table.Cells // nil for a design of all columns
	cellOf []int        // of every row
}

// columnsOf returns the columns whose missing values make an expression missing.
func (b *builder) columnsOf(x expression) ([]*column, error) {
	masked, err := b.eval.in(x.src).mask(x.n)
	if err != nil {
		return nil, err
	}
	var used []*column
	walkColumns(x.n, func(n *name) {
		if _, alone := x.n.(*name); !alone && b.eval.constantName(n) != nil {
			return
		}
		c, wrong := b.eval.in(x.src).column(n)
		if wrong == nil && c.count == len(c.missing) && !b.mayBeNone {
			wrong = formulaErrorf(ErrMissing, x.src, n, "column %q has no values: all %d are missing", n.name, c.count)
		}
		if wrong != nil && err == nil {
			err = wrong
		}
		used = append(used, c)
	})
	if masked != nil {
		used = []*column{masked}
	}
	return used, err
}

// selectRows copies the columns that are used and finds the rows to keep.
func (b *builder) selectRows() error {
	var used []*column
	known := make(map[*column]bool)
	for _, x := range append(b.used(), b.also...) {
		columns, err := b.columnsOf(x)
		if err != nil {
			return err
		}
		for _, c := range columns {
			if !known[c] {
				known[c], used = true, append(used, c)
			}
		}
	}
	t := b.terms
	t.N, t.Omitted, t.Missing, b.eval.rows = b.eval.height(), 0, nil, nil
	t.Rounded = b.rounded()
	for _, c := range used {
		if c.count > 0 {
			t.Missing = append(t.Missing, MissingCount{c.name, c.count})
		}
	}
	for i := range t.N {
		k := slices.IndexFunc(used, func(c *column) bool { return c.missing[i] })
		switch {
		case k < 0:
			b.eval.rows = append(b.eval.rows, i)
		case t.NA == NAError:
			return errorf(ErrMissing, "column %q is missing in row %d; in all: %s", used[k].name, b.eval.number1(i), missingText(t.Missing))
		default:
			t.Omitted++
		}
	}
	if len(b.eval.rows) == 0 && !b.mayBeNone {
		return noCompleteRow(t.N, t.Missing)
	}
	return nil
}

// rounded returns the columns taken as numbers, alone or by a basis, that have integers
// beyond 2^53.
func (b *builder) rounded() []string {
	var names []string
	for _, x := range slices.Concat(b.response.parts(), b.exprs, b.offsets) {
		parts := []node{x.n}
		if f, ok := x.n.(*call); ok {
			if basis, ok := basisFunctions[f.fn]; ok {
				if o, err := matchArgs(x.src, f, basis.params); err == nil {
					parts = o.data
				}
			}
		}
		for _, part := range parts {
			col, ok := stripped(part).(*name)
			if !ok {
				continue
			}
			if c := b.eval.cols[col.name]; c != nil && c.low != nil && !slices.Contains(names, col.name) {
				names = append(names, col.name)
			}
		}
	}
	slices.Sort(names)
	return names
}

// build fills the design matrix.
func (b *builder) build() (*mlreg.Design, error) {
	t := b.terms
	t.Words, t.Beyond = nil, nil
	vars := make([]*coded, len(t.Variables))
	var err error
	for v, variable := range t.Variables {
		if variable.plain() {
			vars[v] = plainNumbers // until a term needs them
		} else if vars[v], err = b.code(v); err != nil {
			return nil, err
		}
	}
	if err := b.checkSize(vars); err != nil {
		return nil, err
	}
	d := &mlreg.Design{Response: t.Response, Omitted: t.Omitted}
	var lows [][]float64
	if b.cells != nil {
		d.X, lows, d.Names, err = b.numbers(vars)
	} else {
		d.X, lows, err = b.columns(vars)
		d.Names, d.NoIntercept = slices.Clone(t.Columns), !t.Intercept
	}
	if err != nil {
		return nil, err
	}
	for _, i := range b.eval.rows {
		d.RowNumbers = append(d.RowNumbers, b.eval.number1(i))
	}
	d.XLow = lowParts(lows)
	if d.Offset, err = b.offset(); err != nil {
		return nil, err
	}
	if err := b.absorb(d); err != nil {
		return nil, err
	}
	_, counts := countsCall(b.response.n)
	if b.response.n != nil && !counts {
		if d.Y, err = b.respond(); err != nil {
			return nil, err
		}
		d.Classes = slices.Clone(t.Classes)
	}
	if t.Weights != "" {
		if d.Weights, err = b.weights(t.Weights); err != nil {
			return nil, err
		}
	}
	if counts {
		shares, trials, err := b.trials(b.response)
		if err != nil {
			return nil, err
		}
		b.addCounts(d, shares, trials)
	}
	return d, d.Check()
}

// columns returns the columns of all terms as a matrix, and what rounding took from
// each, nil if nothing. Plain numbers are computed for the terms that have them, and
// forgotten after the last of these.
func (b *builder) columns(vars []*coded) (x *mat.Dense, lows [][]float64, err error) {
	t, n := b.terms, len(b.eval.rows)
	total, last := 0, make([]int, len(vars))
	for k, term := range t.Terms {
		total += term.columns(vars)
		for _, v := range term.Variables {
			last[v] = k
		}
	}
	x = denseOf(n, total)
	column := make([]float64, n)
	var names []string
	var assign []int
	for k, term := range t.Terms {
		isPower := false
		for _, v := range term.Variables {
			if err := b.codePlain(vars, v); err != nil {
				return nil, nil, err
			}
			isPower = isPower || vars[v].low != nil
		}
		for j := range term.columns(vars) {
			parts, name := term.parts(j, vars)
			low := multiplied(column, vars, parts, isPower)
			x.SetCol(len(lows), column)
			lows = append(lows, low)
			names = append(names, name)
			assign = append(assign, k)
		}
		for _, v := range term.Variables {
			if last[v] == k && t.Variables[v].plain() {
				vars[v] = plainNumbers
			}
		}
	}
	t.Columns, t.Assign = names, assign
	return x, lows, nil
}

// denseOf returns n rows of zeros, which, unlike those of mat.NewDense, may have no columns.
func denseOf(n, columns int) *mat.Dense {
	x := &mat.Dense{}
	x.SetRawMatrix(blas64.General{Rows: n, Cols: columns, Stride: max(columns, 1), Data: make([]float64, n*max(columns, 1))})
	return x
}

// multiplied sets a column to the product of parts, and returns what rounding took from it, nil if that is not wanted.
func multiplied(column []float64, vars []*coded, parts []table.Part, twofold bool) (low []float64) {
	for i := range column {
		column[i] = 1
	}
	if twofold {
		low = make([]float64, len(column))
	}
	for _, part := range parts {
		vars[part.Variable].multiply(column, low, part.Index, part.Full)
	}
	return low
}

// numbers returns the numbers of the cells, what rounding took from each, and their names, and finds the cells.
func (b *builder) numbers(vars []*coded) (x *mat.Dense, lows [][]float64, names []string, err error) {
	n := len(b.eval.rows)
	x, column := denseOf(n, len(b.cells.Numbers)), make([]float64, n)
	for k, parts := range b.cells.Numbers {
		var of []string
		twofold := false
		for _, part := range parts {
			v := part.Variable
			if err := b.codePlain(vars, v); err != nil {
				return nil, nil, nil, err
			}
			twofold = twofold || vars[v].low != nil
			of = append(of, vars[v].name(part.Index, part.Full))
		}
		lows = append(lows, multiplied(column, vars, parts, twofold))
		x.SetCol(k, column)
		names = append(names, strings.Join(of, ":"))
	}
	levels := make([]int, len(b.cells.Factors))
	b.cellOf = make([]int, n)
	for i := range b.cellOf {
		for f, v := range b.cells.Factors {
			levels[f] = vars[v].codes[i]
		}
		b.cellOf[i] = b.cells.Cell(levels)
	}
	return x, lows, names, nil
}

// parts returns what column j of the term is the product of, and its name.
func (t Term) parts(j int, vars []*coded) ([]table.Part, string) {
	parts, names := make([]table.Part, len(t.Variables)), make([]string, len(t.Variables))
	for i, v := range t.Variables { // the digits of j, the first variable's running fastest
		m := vars[v].columns(t.Full[i])
		parts[i] = table.Part{Variable: v, Index: j % m, Full: t.Full[i]}
		names[i] = vars[v].name(j%m, t.Full[i])
		j /= m
	}
	return parts, strings.Join(names, ":")
}

// eachColumn visits the columns of all terms, with the number of the term.
func (t *Terms) eachColumn(vars []*coded, visit func(k int, name string, parts []table.Part)) {
	for k, term := range t.Terms {
		for j := range term.columns(vars) {
			parts, name := term.parts(j, vars)
			visit(k, name, parts)
		}
	}
}

// nameColumns sets the names of the columns of X and the term of each.
func (t *Terms) nameColumns(vars []*coded) {
	t.Columns, t.Assign = nil, nil
	t.eachColumn(vars, func(k int, name string, _ []table.Part) {
		t.Columns, t.Assign = append(t.Columns, name), append(t.Assign, k)
	})
}

// columns returns how many columns the term has.
func (t Term) columns(vars []*coded) int {
	count := 1
	for i, v := range t.Variables {
		count *= vars[v].columns(t.Full[i])
	}
	return count
}

// plainNumbers stands for a variable of one column that is not computed yet.
var plainNumbers = &coded{cols: [][]float64{nil}}

// codePlain computes variable v if it is plain numbers that are not computed yet.
func (b *builder) codePlain(vars []*coded, v int) (err error) {
	if vars[v] == plainNumbers {
		vars[v], err = b.code(v)
	}
	return err
}

// plain tells whether the variable is one column of numbers.
func (v Variable) plain() bool { return v.Levels == nil && v.Basis == nil && v.Words == nil }

// lowParts returns columns as a matrix, nil if all of them are zero.
func lowParts(lows [][]float64) *mat.Dense {
	var m *mat.Dense
	for j, low := range lows {
		if !slices.ContainsFunc(low, func(v float64) bool { return v != 0 }) {
			continue
		}
		if m == nil {
			m = mat.NewDense(len(low), len(lows), nil)
		}
		m.SetCol(j, low)
	}
	return m
}

// maxValues bounds the size of a design matrix, in float64 values.
const maxValues = 1 << 31

// checkSize returns an error for a design too large for memory: for example if each of a million rows has its own level of
// a factor. The bound on columns of factors is another one, since these can be summed without.
func (b *builder) checkSize(vars []*coded) error {
	if b.cells != nil {
		return nil // no column of a level is made
	}
	all, factors := b.terms.extents(vars)
	rows := len(b.eval.rows)
	switch {
	case b.most > 0 && factors.columns*float64(rows) > float64(b.most):
		instead := behindABar
		if all.columns <= mostSummed {
			instead = "source.Frame(df) of package frames/source, and its Design of the same formula, sum by levels without them; DesignSettings.MaxNumbers raises the bound"
		}
		return errorf(ErrTooLarge, "term %s has %.0f columns for %d rows, and those of factors take at most %d numbers (%.2g GB); %s",
			factors.term, factors.largest, rows, b.most, float64(b.most)*8/1e9, instead)
	case all.columns*float64(rows) > maxValues:
		return tooLarge(all.term, all.largest, rows)
	}
	return nil
}

func tooLarge(term string, columns float64, rows int) error {
	return errorf(ErrTooLarge, "term %s has %.0f columns for %d rows, and a design at most 2^31 numbers (17 GB); leave terms out, or give fewer rows at a time", term, columns, rows)
}

// mostSummed is how many columns a design may have whose products are summed: its square is limit.Numbers.
const mostSummed = 1 << 14

const behindABar = "behind a bar, as in y ~ x | zone, mlreg.FitAbsorbed takes a factor of so many levels without columns"

// extent is how many columns terms have in all, and the largest of them.
type extent struct {
	columns, largest float64
	term             string
}

func (s *extent) add(term string, columns float64) {
	s.columns += columns
	if columns > s.largest {
		s.largest, s.term = columns, term
	}
}

// extents returns those of all terms, and of those with factors.
func (t *Terms) extents(vars []*coded) (all, factors extent) {
	for _, term := range t.Terms {
		columns, ofFactor := 1.0, false // in float64, where a product of counts cannot overflow
		for i, v := range term.Variables {
			columns *= float64(vars[v].columns(term.Full[i]))
			ofFactor = ofFactor || vars[v].levels != nil
		}
		all.add(term.Label, columns)
		if ofFactor {
			factors.add(term.Label, columns)
		}
	}
	return all, factors
}

// tooMany says how much memory values take, and what to do.
func tooMany(values float64, instead string) string {
	return fmt.Sprintf(" has %.3g values, and at most 2^28 are made; %s", values, instead)
}

// weights returns the column of weights in the rows kept.
func (b *builder) weights(col string) ([]float64, error) {
	x := columnExpression(col)
	w, err := b.eval.in(x.src).numeric(x.n)
	if err != nil {
		return nil, err
	}
	for i, v := range w {
		if v < 0 {
			return nil, errorf(ErrSetting, "weight %q is %v in row %d; weights must not be negative", col, v, b.eval.number1(b.eval.rows[i]))
		}
	}
	return w, nil
}
