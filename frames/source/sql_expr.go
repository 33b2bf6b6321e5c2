package source

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/frames/internal/table"
)

// notPushed is why SQL does not compute what a formula asks for; its rows are streamed.
type notPushed struct{ why string }

func (e *notPushed) Error() string { return e.why }

func refuse(format string, args ...any) error { return &notPushed{fmt.Sprintf(format, args...)} }

// refused tells whether an error is a *notPushed.
func refused(err error) bool {
	var not *notPushed
	return errors.As(err, &not)
}

// unlessRefused is an error other than a *notPushed.
func unlessRefused(err error) error {
	if refused(err) {
		return nil
	}
	return err
}

// valueKind is the kind of values that an SQL expression has.
type valueKind int

const (
	numberValue valueKind = iota
	truthValue
	textValue
	dateValue // in days since 1970-01-01
)

// value is an SQL expression.
type value struct {
	sql      string
	kind     valueKind
	constant *table.Node // the text, if it is one
	off      string      // of a number: see rounding.go; "" if it is exact
	// whole is the number as an integer of SQL, "" if it is not a column or a constant of
	// whole numbers.
	whole string
	// most bounds the size of a number that is whole, or computed of such by + - *; 0 for others.
	most float64
	// inexact is true where sql is not the number, "" if it always is.
	inexact string
}

// compiler writes the expressions of formulas and conditions as SQL.
type compiler struct {
	d       *Dialect
	columns sqlColumns
	since   float64 // the day that dates count from in arithmetic
	// ieee has divisions by zero and logarithms of zero be infinite, and NaN missing, as
	// in conditions. If not, what is undefined is NULL: its rows are found by that, since
	// a formula is computed in complete rows only.
	ieee bool
	// noDays refuses dates in arithmetic.
	noDays bool
	// doubts are true in rows in which SQL would round whole numbers beyond 2^53 that rows
	// would not; see sqlEngine.certain.
	doubts []string
	// alone are the columns that rounded wrote which may have whole numbers beyond 2^53.
	alone sqlColumns
}

// maxSQL bounds the length of an expression.
const maxSQL = 1 << 20

// made returns a value, or refuses one that grew too long.
func (c *compiler) made(sql string, kind valueKind) (value, error) {
	if len(sql) > maxSQL {
		return value{}, refuse("an expression is too long for SQL")
	}
	return value{sql: sql, kind: kind}, nil
}

// base is the value of a column where it is not missing.
func (c *compiler) base(col *sqlColumn) value {
	v := value{sql: col.Ref}
	switch col.Kind {
	case FloatKind, WholeKind:
		v.sql = c.d.Double(col.Ref)
		if c.ieee && col.Kind == FloatKind && !col.Decimal {
			v.sql = "CASE WHEN " + c.d.notNumber(col.Ref) + " THEN NULL ELSE " + v.sql + " END"
		}
		if col.Kind == WholeKind {
			v.whole, v.most = col.Ref, 1<<32
			if col.Wide {
				v.most = math.Inf(1)
			}
		}
		if col.Wide || col.Huge {
			v.inexact = c.d.Inexact(&col.TypedColumn)
		}
	case TruthKind:
		v.kind = truthValue
		if c.d.TruthIsWhole {
			v.sql = "(" + col.Ref + " <> 0)"
		}
	case TextKind:
		v = value{sql: c.d.AsText(col.Ref), kind: textValue}
	default:
		days := c.d.Days(&col.TypedColumn)
		v = value{sql: days, kind: dateValue, off: c.d.daysOff(&col.TypedColumn, days)}
	}
	return v
}

// compile writes an expression.
func (c *compiler) compile(n *table.Node) (value, error) {
	switch n.Kind {
	case table.NumberNode:
		if math.IsInf(n.Value, 0) && c.d.Finite {
			return value{}, c.infinite(n)
		}
		v, err := c.made(c.d.number(n.Value), numberValue)
		v.off = c.d.offConstant(n.Value)
		if n.Value == math.Trunc(n.Value) {
			v.whole, v.most = wholeConstant(n.Value, n.Low), math.Max(1, math.Abs(n.Value))
		}
		if n.Low != 0 {
			v.inexact = "(1=1)"
		}
		return v, err
	case table.TruthNode:
		if n.Value != 0 {
			return c.made("(1=1)", truthValue)
		}
		return c.made("(1=0)", truthValue)
	case table.TextNode:
		s, err := c.d.text(n.Text)
		return value{sql: s, kind: textValue, constant: n}, err
	case table.NANode:
		return value{}, refuse("NA alone is not written as SQL")
	case table.ColumnNode:
		if col := c.columns.named(n.Text); col != nil {
			return c.base(col), nil
		}
		switch n.Text {
		case "pi":
			v, err := c.made(c.d.number(math.Pi), numberValue)
			v.off = c.d.offConstant(math.Pi)
			return v, err
		case "T":
			return c.made("(1=1)", truthValue)
		case "F":
			return c.made("(1=0)", truthValue)
		}
		return value{}, errorf(frames.ErrNoColumn, "no column %q", n.Text)
	case table.UnaryNode:
		return c.unary(n)
	case table.BinaryNode:
		return c.binary(n)
	}
	return c.call(n)
}

// infinite refuses what may be an infinite number, which the database has not.
func (c *compiler) infinite(n *table.Node) error {
	return refuse("%s, which may be infinite, is not written as SQL of %v", n.Src, c.d)
}

// wholeConstant writes a whole number, "" for one beyond 64 bits.
func wholeConstant(num, low float64) string {
	if low != 0 {
		return table.WholeText(num, low)
	}
	if math.Abs(num) < 1<<63 {
		return strconv.FormatFloat(num, 'f', 0, 64)
	}
	return ""
}

// rounded writes an expression that has to be a number, a column alone as the float64
// numbers nearest to its values.
func (c *compiler) rounded(n *table.Node) (value, error) {
	if n.Kind != table.ColumnNode {
		return c.number(n)
	}
	doubts := len(c.doubts)
	v, err := c.number(n)
	c.doubts = c.doubts[:doubts]
	if col := c.columns.named(n.Text); v.inexact != "" && !slices.Contains(c.alone, col) {
		c.alone = append(c.alone, col)
	}
	return v, err
}

// number writes an expression that has to be a number.
func (c *compiler) number(n *table.Node) (value, error) {
	v, err := c.compile(n)
	if err != nil {
		return value{}, err
	}
	return c.asNumber(n, v)
}

func (c *compiler) asNumber(n *table.Node, v value) (value, error) {
	switch v.kind {
	case truthValue:
		return value{sql: "CASE WHEN " + v.sql + " THEN " + c.d.number(1) + " WHEN NOT " + v.sql + " THEN " + c.d.number(0) + " END"}, nil
	case dateValue:
		if c.noDays {
			return value{}, refuse("%s, a date in arithmetic, is not written as SQL", n.Src)
		}
		return value{sql: "(" + v.sql + " - " + c.d.number(c.since) + ")", off: v.off}, nil
	case textValue:
		if c.noDays {
			return value{}, refuse("%s, a text in arithmetic, is not written as SQL", n.Src)
		}
		if v.constant != nil {
			if days, ok := daysOf(v.constant.Text); ok {
				return value{sql: c.d.number(days - c.since)}, nil
			}
		}
		if n.Kind == table.ColumnNode {
			return value{}, errorf(frames.ErrNotNumeric, "column %q is text, not numbers", n.Text)
		}
		return value{}, errorf(frames.ErrNotNumeric, "%s is text, not a number", n.Src)
	}
	if v.inexact != "" && !slices.Contains(c.doubts, v.inexact) {
		c.doubts = append(c.doubts, v.inexact)
	}
	return v, nil
}

// truth writes an expression that has to be a condition.
func (c *compiler) truth(n *table.Node) (string, error) {
	v, err := c.compile(n)
	if err != nil {
		return "", err
	}
	if v.kind == truthValue {
		return v.sql, nil
	}
	x, err := c.asNumber(n, v)
	return "(" + x.sql + " <> 0)", err
}

func (c *compiler) unary(n *table.Node) (value, error) {
	if n.Text == "!" {
		x, err := c.truth(n.Args[0])
		if err != nil {
			return value{}, err
		}
		return c.made("(NOT "+x+")", truthValue)
	}
	x, err := c.compile(n.Args[0])
	if err != nil {
		return value{}, err
	}
	if k := n.Args[0]; k.Kind == table.NumberNode && n.Text == "-" { // a constant
		return c.compile(&table.Node{Kind: table.NumberNode, Value: -k.Value, Low: -k.Low, Src: n.Src})
	}
	if x, err = c.asNumber(n.Args[0], x); err != nil {
		return value{}, err
	}
	if n.Text == "-" {
		x.sql = "(-(" + x.sql + "))"
	}
	out, err := c.withOff(x.sql, x.off)
	out.most = x.most
	return out, err
}

func (c *compiler) binary(n *table.Node) (value, error) {
	switch n.Text {
	case "==", "!=", "<", "<=", ">", ">=":
		return c.comparison(n)
	case "%in%":
		return c.member(n)
	case "&", "|":
		x, err := c.truth(n.Args[0])
		if err != nil {
			return value{}, err
		}
		y, err := c.truth(n.Args[1])
		if err != nil {
			return value{}, err
		}
		if n.Text == "|" {
			return c.made("CASE WHEN "+x+" THEN (1=1) WHEN "+y+" THEN (1=1) WHEN NOT ("+x+") AND NOT ("+y+") THEN (1=0) END", truthValue)
		}
		// ClickHouse's AND of NULL and FALSE is NULL
		return c.made("CASE WHEN NOT ("+x+") THEN (1=0) WHEN NOT ("+y+") THEN (1=0) WHEN "+x+" AND "+y+" THEN (1=1) END", truthValue)
	}
	left, err := c.number(n.Args[0])
	if err != nil {
		return value{}, err
	}
	if n.Text == "^" {
		return c.power(left, n.Args[1])
	}
	right, err := c.number(n.Args[1])
	if err != nil {
		return value{}, err
	}
	x, y, zero := left.sql, right.sql, c.d.number(0)
	divisor, constant := constantOf(n.Args[1])
	switch {
	case n.Text == "/" && c.ieee && c.d.Finite && !(constant && divisor != 0):
		return value{}, c.infinite(n)
	case n.Text == "/" && c.ieee:
		return c.made("CASE WHEN "+y+" = "+zero+" THEN CASE WHEN "+x+" > "+zero+" THEN "+c.d.number(math.Inf(1))+" WHEN "+x+" < "+zero+" THEN "+c.d.number(math.Inf(-1))+" END ELSE ("+x+") / ("+y+") END", numberValue)
	case n.Text == "/":
		sql := "((" + x + ") / nullif(" + y + ", " + zero + "))"
		return c.withOff(sql, offQuotient(sql, left, right))
	case n.Text == "*":
		sql := "((" + x + ") * (" + y + "))"
		return c.integral(sql, offProduct(left, right), left.most*right.most)
	case n.Text == "+", n.Text == "-":
		sql := "((" + x + ") " + n.Text + " (" + y + "))"
		most := left.most + right.most
		if left.most == 0 || right.most == 0 {
			most = 0
		}
		return c.integral(sql, sumOf(left.off, right.off, absolute(sql)), most)
	}
	return value{}, refuse("%s is not written as SQL", n.Src)
}

// integral returns a sum or product of the size given, which is exact below 2^53 if its
// operands are whole.
func (c *compiler) integral(sql, off string, most float64) (value, error) {
	v, err := c.withOff(sql, off)
	if v.most = most; most >= table.Exact && err == nil {
		c.doubts = append(c.doubts, "("+absolute(sql)+" >= "+c.d.number(table.Exact)+")")
	}
	return v, err
}

// power writes x to a constant power.
func (c *compiler) power(base value, n *table.Node) (value, error) {
	v, ok := constantOf(n)
	if !ok {
		return value{}, refuse("a power that is not a constant, %s, is not written as SQL", n.Src)
	}
	x := base.sql
	power := c.d.Power + "(" + x + ", " + c.d.number(v) + ")"
	whole := v == math.Trunc(v)
	zero := c.d.number(0)
	sql := ""
	switch {
	case v == 0:
		return c.made(c.d.number(1), numberValue)
	case v == 1:
		return base, nil
	case v == 2 && len(x) < 200:
		sql = "((" + x + ") * (" + x + "))"
	case v == 3 && len(x) < 200:
		sql = "((" + x + ") * (" + x + ") * (" + x + "))"
	case whole && v > 0:
		sql = power
	case v > 0:
		sql = "CASE WHEN " + x + " >= " + zero + " THEN " + power + " END"
	case c.ieee:
		return value{}, refuse("a negative power is not written as SQL in a condition")
	case whole:
		sql = "CASE WHEN " + x + " <> " + zero + " THEN " + power + " END"
	default:
		sql = "CASE WHEN " + x + " > " + zero + " THEN " + power + " END"
	}
	return c.withOff(sql, c.offFunction(sql, base, c.d.number(math.Abs(v))+" * abs(("+sql+") / nullif("+x+", "+zero+"))"))
}

// constantOf returns the value of a number, with a sign or not.
func constantOf(n *table.Node) (float64, bool) {
	switch {
	case n.Kind == table.NumberNode:
		return n.Value, true
	case n.Kind == table.UnaryNode && len(n.Args) == 1 && n.Args[0].Kind == table.NumberNode:
		if n.Text == "-" {
			return -n.Args[0].Value, true
		}
		return n.Args[0].Value, n.Text == "+"
	}
	return 0, false
}

var operators = map[string]string{"==": "=", "!=": "<>", "<": "<", "<=": "<=", ">": ">", ">=": ">="}

func (c *compiler) comparison(n *table.Node) (value, error) {
	x, err := c.compile(n.Args[0])
	if err != nil {
		return value{}, err
	}
	y, err := c.compile(n.Args[1])
	if err != nil {
		return value{}, err
	}
	op := " " + operators[n.Text] + " "
	dates := x.kind == dateValue || y.kind == dateValue
	switch {
	case x.kind == textValue && y.kind == textValue:
		return c.made("("+x.sql+op+y.sql+")", truthValue)
	case dates:
		var sides [2]string
		for i, v := range []value{x, y} {
			if sides[i] = v.sql; v.kind != dateValue {
				days, ok := 0.0, false
				if v.constant != nil {
					days, ok = daysOf(v.constant.Text)
				}
				if !ok {
					return value{}, refuse("%s, which compares a date with something else, is not written as SQL", n.Src)
				}
				sides[i] = c.d.number(days)
			}
		}
		return c.made("("+sides[0]+op+sides[1]+")", truthValue)
	case x.kind == textValue || y.kind == textValue:
		return value{}, refuse("%s, which compares text with numbers, is not written as SQL", n.Src)
	}
	if x.whole != "" && y.whole != "" && (x.inexact != "" || y.inexact != "") {
		return c.made("("+x.whole+op+y.whole+")", truthValue)
	}
	if isSmall(n.Args[0]) || isSmall(n.Args[1]) {
		x.inexact, y.inexact = "", ""
	}
	a, err := c.asNumber(n.Args[0], x)
	if err != nil {
		return value{}, err
	}
	b, err := c.asNumber(n.Args[1], y)
	if err != nil {
		return value{}, err
	}
	return c.made("("+a.sql+op+b.sql+")", truthValue)
}

// isSmall reports whether an expression is a constant that a whole number beyond 2^53 compares
// with as the float64 nearest to it does.
func isSmall(n *table.Node) bool {
	v, ok := constantOf(n)
	return ok && math.Abs(v) < table.Exact
}

// member writes a %in% c(...).
func (c *compiler) member(n *table.Node) (value, error) {
	x, err := c.compile(n.Args[0])
	if err != nil {
		return value{}, err
	}
	var list, wholes []string // the latter as integers, fewer if others are among them
	small := true
	number := func(v *table.Node) error {
		small = small && isSmall(v)
		item, err := c.compile(v)
		if list = append(list, item.sql); item.whole != "" {
			wholes = append(wholes, item.whole)
		}
		if item.inexact != "" && x.whole == "" {
			return refuse("%s, an integer that a float64 does not hold, is not written as SQL", v.Src)
		}
		return err
	}
	for _, v := range elementsOf(n.Args[1]) {
		_, constant := constantOf(v)
		switch {
		case v.Kind == table.TextNode && x.kind == textValue:
			s, err := c.d.text(v.Text)
			if err != nil {
				return value{}, err
			}
			list = append(list, s)
		case constant && x.kind == numberValue:
			if err := number(v); err != nil {
				return value{}, err
			}
		default:
			return value{}, refuse("%s is not written as SQL", n.Src)
		}
	}
	if x.kind == numberValue {
		if small {
			x.inexact = ""
		}
		if x.whole != "" && x.inexact != "" && len(wholes) == len(list) {
			x.sql, list = x.whole, wholes
		} else if x, err = c.asNumber(n.Args[0], x); err != nil {
			return value{}, err
		}
	}
	return c.made("CASE WHEN "+x.sql+" IN ("+strings.Join(list, ", ")+") THEN (1=1) ELSE (1=0) END", truthValue)
}

// elementsOf are the elements of c(...) and of from:to, if that has constants, not too many nor too
// large, or the node itself.
func elementsOf(v *table.Node) (elements []*table.Node) {
	switch {
	case v.Kind == table.CallNode && v.Text == "c":
		for _, a := range v.Args {
			elements = append(elements, elementsOf(a)...)
		}
		return elements
	case v.Kind == table.BinaryNode && v.Text == ":":
		from, ok := constantOf(v.Args[0])
		to, also := constantOf(v.Args[1])
		if !ok || !also || !(math.Abs(to-from) < 10_000) || math.Max(math.Abs(from), math.Abs(to)) >= table.Exact {
			return []*table.Node{v}
		}
		for k := 0.0; k <= math.Abs(to-from); k++ {
			elements = append(elements, &table.Node{Kind: table.NumberNode, Value: from + math.Copysign(k, to-from), Src: v.Src})
		}
		return elements
	}
	return []*table.Node{v}
}

func (c *compiler) call(n *table.Node) (value, error) {
	d := c.d
	switch n.Text {
	case "is.na":
		if len(n.Args) == 1 && n.Args[0].Kind == table.ColumnNode {
			if col := c.columns.named(n.Args[0].Text); col != nil {
				return c.made(d.missing(col), truthValue)
			}
		}
		x, err := c.compile(n.Args[0])
		if err != nil {
			return value{}, err
		}
		return c.made("("+x.sql+" IS NULL)", truthValue)
	case "ifelse":
		return c.choice(n)
	case "year", "month", "day", "yday", "weekday", "hour":
		return c.datePart(n)
	}
	if len(n.Args) != 1 {
		return value{}, refuse("%s is not written as SQL", n.Src)
	}
	return c.function(n)
}

// function writes a function of one number.
func (c *compiler) function(n *table.Node) (value, error) {
	d := c.d
	in, err := c.number(n.Args[0])
	if err != nil {
		return value{}, err
	}
	x, zero := in.sql, d.number(0)
	log := d.logarithm(x, zero)
	if c.ieee && d.Finite && slices.Contains([]string{"exp", "log", "log2", "log10"}, n.Text) {
		return value{}, c.infinite(n)
	}
	if c.ieee {
		log = "CASE WHEN " + x + " > " + zero + " THEN " + d.Ln + "(CASE WHEN " + x + " > " + zero + " THEN " + x + " END) WHEN " + x + " = " + zero + " THEN " + d.number(math.Inf(-1)) + " END"
	}
	inverse := "abs(" + d.number(1) + " / nullif(" + x + ", " + zero + "))"
	switch n.Text {
	case "abs":
		return c.withOff("abs("+x+")", in.off)
	case "floor", "ceiling":
		if in.off != "" {
			return value{}, refuse("%s of a rounded number is not written as SQL", n.Text)
		}
		return c.withOff(map[string]string{"floor": "floor", "ceiling": "ceil"}[n.Text]+"("+x+")", "")
	case "sin", "cos":
		sql := n.Text + "(" + x + ")"
		return c.withOff(sql, c.offFunction(sql, in, d.number(1)))
	case "sqrt":
		sql := "CASE WHEN " + x + " >= " + zero + " THEN sqrt(" + x + ") END"
		return c.withOff(sql, c.offFunction(sql, in, "abs(("+sql+") / nullif("+x+", "+zero+"))"))
	case "exp":
		over := ""
		if c.ieee {
			over = " WHEN " + x + " > 0 THEN " + d.number(math.Inf(1))
		}
		sql := "CASE WHEN " + x + " <= " + d.number(-745) + " THEN " + zero + " WHEN " + x + " <= " + d.number(709.78) + " THEN exp(" + x + ")" + over + " END"
		return c.withOff(sql, c.offFunction(sql, in, "("+sql+")"))
	case "log":
		return c.withOff(log, c.offFunction(log, in, inverse))
	case "log2":
		sql := "((" + log + ") / " + d.number(math.Ln2) + ")"
		return c.withOff(sql, c.offFunction(sql, in, d.number(1.5)+" * "+inverse))
	case "log10":
		sql := "((" + log + ") / " + d.number(math.Ln10) + ")"
		return c.withOff(sql, c.offFunction(sql, in, inverse))
	case "log1p": // ln(u) x/(u - 1), u = 1 + x: Kahan; see Goldberg (1991), ACM Computing Surveys 23, theorem 4
		if c.ieee {
			return value{}, refuse("log1p is not written as SQL in a condition")
		}
		u := "(" + d.number(1) + " + (" + x + "))"
		sql := "CASE WHEN " + u + " = " + d.number(1) + " THEN " + x + " WHEN " + u + " > " + zero + " THEN " + d.Ln + "(CASE WHEN " + u + " > " + zero + " THEN " + u + " END) * ((" + x + ") / nullif(" + u + " - " + d.number(1) + ", " + zero + ")) END"
		return c.withOff(sql, c.offFunction(sql, in, "abs("+d.number(1)+" / nullif("+u+", "+zero+"))"))
	}
	return value{}, refuse("%s is not written as SQL", n.Text)
}

func (c *compiler) choice(n *table.Node) (value, error) {
	test, err := c.truth(n.Args[0])
	if err != nil {
		return value{}, err
	}
	var branches [2]value
	for i, a := range n.Args[1:3] {
		if a.Kind == table.NANode {
			branches[i] = value{sql: "NULL", kind: -1}
			continue
		}
		if branches[i], err = c.compile(a); err == nil && branches[i].kind == numberValue {
			branches[i], err = c.asNumber(a, branches[i])
		}
		if err != nil {
			return value{}, err
		}
	}
	yes, no := branches[0], branches[1]
	kind := yes.kind
	if kind < 0 {
		kind = no.kind
	}
	if yes.kind >= 0 && no.kind >= 0 && yes.kind != no.kind {
		return value{}, refuse("%s, which gives values of two kinds, is not written as SQL", n.Src)
	}
	if kind == dateValue || kind < 0 {
		return value{}, refuse("%s is not written as SQL", n.Src)
	}
	v, err := c.made("CASE WHEN "+test+" THEN "+yes.sql+" WHEN NOT ("+test+") THEN "+no.sql+" END", kind)
	if yes.off != "" || no.off != "" {
		v.off = "CASE WHEN " + test + " THEN " + orZero(c.d, yes.off) + " WHEN NOT (" + test + ") THEN " + orZero(c.d, no.off) + " END"
	}
	return v, err
}

// datePart writes year(a) and its like of a column.
func (c *compiler) datePart(n *table.Node) (value, error) {
	var col *sqlColumn
	if len(n.Args) == 1 && n.Args[0].Kind == table.ColumnNode {
		col = c.columns.named(n.Args[0].Text)
	}
	if col == nil || col.Kind < DateKind {
		return value{}, refuse("%s is not written as SQL: it takes a column of type date", n.Src)
	}
	if n.Text == "hour" && col.Kind == DateKind && !c.d.TextDates {
		return c.made(c.d.number(0), numberValue)
	}
	sql := c.d.DatePart(n.Text, &col.TypedColumn)
	if sql == "" {
		return value{}, refuse("%s is not written as SQL of %v", n.Text, c.d)
	}
	v, err := c.made(c.d.Double(sql), numberValue)
	if n.Text == "hour" {
		v.off = c.d.number(64)
	}
	return v, err
}

// daysOf returns a date in ISO form as days since 1970-01-01.
func daysOf(s string) (float64, bool) {
	t, ok := timeOf(s)
	if !ok {
		return 0, false
	}
	day := math.Floor(float64(t.Unix()) / 86400)
	return day + (float64(t.Unix())-day*86400+float64(t.Nanosecond())/1e9)/86400, true
}
