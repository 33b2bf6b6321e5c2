package frames

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/regbook/regbook/frames/internal/table"
)

// tokenKind says what a token of the formula language is.
type tokenKind int

const (
	tokEnd tokenKind = iota
	tokNumber
	tokName
	tokString
	tokOp // one of ~ + - * / : ^ ( ) , = == != < <= > >= ! & | %in% %% %/%
)

// token is one word of a formula; text is the operator, the name or the
// string without its quotes.
type token struct {
	kind     tokenKind
	text     string
	value    float64
	low      float64 // what rounding took from a whole number beyond 2^53
	pos, end int
}

// String describes the token for an error message.
func (t token) String() string {
	switch t.kind {
	case tokEnd:
		return "the end of the formula"
	case tokString:
		return fmt.Sprintf("the text %q", t.text)
	case tokNumber:
		return "the number " + t.text
	}
	return fmt.Sprintf("%q", t.text)
}

// lex cuts a formula into tokens, the last of which is tokEnd.
func lex(src string) ([]token, error) { return lexBars(src, false) }

// lexBars is lex of a formula in which || may have a meaning.
func lexBars(src string, bars bool) ([]token, error) {
	var toks []token
	for i := 0; i < len(src); {
		r, size := utf8.DecodeRuneInString(src[i:])
		if unicode.IsSpace(r) {
			i += size
			continue
		}
		t, err := tokenAt(src, i, r, bars)
		if err != nil {
			return nil, err
		}
		t.pos, i = i, t.end
		toks = append(toks, t)
	}
	return append(toks, token{kind: tokEnd, pos: len(src), end: len(src)}), nil
}

// tokenAt returns the token that begins with r at src[i:], and its end.
func tokenAt(src string, i int, r rune, bars bool) (token, error) {
	fail := func(end int, format string, args ...any) (token, error) {
		return token{}, &FormulaError{ErrSyntax, fmt.Sprintf(format, args...), src, i, end}
	}
	switch op := operatorAt(src[i:]); {
	case op != "":
		end := i + len(op)
		if hint := misread[op]; hint != "" && !(bars && op == "||") {
			return fail(end, "%s has no meaning in a formula; %s", op, hint)
		}
		if op == "**" {
			op = "^" // as R reads it
		}
		return token{kind: tokOp, text: op, end: end}, nil
	case isDigit(src, i) || r == '.' && isDigit(src, i+1):
		t, ok := numberAt(src, i)
		if !ok {
			return fail(t.end, "the number %s is out of range", t.text)
		}
		return t, nil
	case r == '.' || unicode.IsLetter(r):
		end := nameEnd(src, i)
		return token{kind: tokName, text: src[i:end], end: end}, nil
	case r == '`' || r == '"' || r == '\'':
		text, end, ok := unquote(src, i)
		switch {
		case !ok:
			return fail(len(src), "the quote %c is not closed", r)
		case r != '`':
			return token{kind: tokString, text: text, end: end}, nil
		case text == "":
			return fail(end, "a name is empty")
		}
		return token{kind: tokName, text: text, end: end}, nil
	}
	_, size := utf8.DecodeRuneInString(src[i:])
	return fail(i+size, "the character %q has no meaning in a formula%s", r, lookalike(r))
}

// numberAt returns the number at src[i:], false if it is out of range.
func numberAt(src string, i int) (token, bool) {
	end := numberEnd(src, i)
	t := token{kind: tokNumber, text: src[i:end], end: end}
	var err error
	if t.value, err = strconv.ParseFloat(t.text, 64); err != nil || math.IsInf(t.value, 0) {
		return t, false
	}
	if end < len(src) && src[end] == 'L' { // R's integer mark
		t.end++
	}
	if before, after, _ := strings.Cut(t.text, "."); strings.Trim(after, "0") == "" {
		if num, low, ok := table.SplitText(before); ok {
			t.value, t.low = num, low
		}
	}
	return t, true
}

// nameEnd returns where the name at src[i:] ends.
func nameEnd(src string, i int) int {
	for i < len(src) {
		c, n := utf8.DecodeRuneInString(src[i:])
		if c != '.' && c != '_' && !unicode.IsLetter(c) && !unicode.IsDigit(c) {
			break
		}
		i += n
	}
	return i
}

// operators are tried in this order, the longer of two that begin alike first.
var operators = []string{
	"%in%", "%/%", "%%", "**", "//", "==", "!=", "<=", ">=", "<>", "=>", "=<", "<-", "->", "&&", "||",
	"~", "+", "-", "*", "/", ":", "^", "(", ")", ",", "=", "<", ">", "!", "&", "|",
}

// misread lists operators that formulas do not have, and what to write.
var misread = map[string]string{
	"<>": "unequal is !=", "=>": "at least is >=", "=<": "at most is <=",
	"<-": "less than a negative number is written a < -1, with a blank", "->": "write a blank between a minus sign and a comparison",
	"&&": "and, row by row, is &", "||": "or, row by row, is |", "//": "the whole quotient is %/%",
}

// operatorAt returns the operator that s starts with, "" if none.
func operatorAt(s string) string {
	for _, op := range operators {
		if strings.HasPrefix(s, op) {
			return op
		}
	}
	return ""
}

// lookalike suggests the plain character for r, a character that word
// processors insert.
func lookalike(r rune) string {
	plain := ""
	switch r {
	case '−', '–', '—', '‐', '‑':
		plain = "-"
	case '“', '”', '„', '«', '»':
		plain = `"`
	case '‘', '’', '´':
		plain = "` or '"
	case '×', '·', '∗':
		plain = "*"
	case '∼', '˜':
		plain = "~"
	case '≤':
		plain = "<="
	case '≥':
		plain = ">="
	case '≠':
		plain = "!="
	case '%':
		plain = "%in% for membership, a %% b for the remainder, a %/% b for the whole quotient"
	default:
		return ""
	}
	return "; write " + plain
}

func isDigit(s string, i int) bool { return i < len(s) && s[i] >= '0' && s[i] <= '9' }

// numberEnd returns the end of the decimal number that starts at i.
func numberEnd(s string, i int) int {
	for isDigit(s, i) {
		i++
	}
	if i < len(s) && s[i] == '.' {
		for i++; isDigit(s, i); i++ {
		}
	}
	if i < len(s) && (s[i] == 'e' || s[i] == 'E') {
		k := i + 1
		if k < len(s) && (s[k] == '+' || s[k] == '-') {
			k++
		}
		if isDigit(s, k) {
			for i = k; isDigit(s, i); i++ {
			}
		}
	}
	return i
}

// unquote reads the quoted text that starts at i. A backslash before a quote or a backslash takes it
// as it is, \n and \t are the end of a line and a tab, and before anything else it stays: \d is a
// digit of a pattern, as \\d is in R. It returns the text and where it ends.
func unquote(s string, i int) (text string, end int, ok bool) {
	var b strings.Builder
	for k := i + 1; k < len(s); k++ {
		switch {
		case s[k] == s[i]:
			return b.String(), k + 1, true
		case s[k] == '\\' && k+1 < len(s):
			k++
			switch c := s[k]; {
			case c == 'n':
				b.WriteByte('\n')
				continue
			case c == 't':
				b.WriteByte('\t')
				continue
			case c != '\\' && !strings.ContainsRune("\"'`", rune(c)):
				b.WriteByte('\\')
			}
		}
		b.WriteByte(s[k])
	}
	return "", len(s), false
}

// quote is the inverse of unquote with the quote mark q.
func quote(s string, q byte) string {
	var b strings.Builder
	b.WriteByte(q)
	for k := range len(s) {
		if s[k] == q || s[k] == '\\' {
			b.WriteByte('\\')
		}
		b.WriteByte(s[k])
	}
	b.WriteByte(q)
	return b.String()
}

// formatNumber writes a number as R deparses it: 15 significant digits, or as
// many as are needed to read v back, in the shorter of fixed and scientific
// notation, fixed if equal.
func formatNumber(v float64) string {
	digits := 15
	for digits < 17 {
		if w, err := strconv.ParseFloat(strconv.FormatFloat(v, 'e', digits-1, 64), 64); err == nil && w == v {
			break
		}
		digits++
	}
	s := strconv.FormatFloat(v, 'e', digits-1, 64)
	mantissa, exp, found := strings.Cut(s, "e")
	if !found { // Inf, NaN
		return s
	}
	if strings.Contains(mantissa, ".") {
		mantissa = strings.TrimRight(strings.TrimRight(mantissa, "0"), ".")
	}
	sci := mantissa + "e" + exp
	decimals := 0
	if e, err := strconv.Atoi(exp); err == nil {
		_, fraction, _ := strings.Cut(mantissa, ".")
		decimals = max(0, len(fraction)-e)
	}
	if fixed := strconv.FormatFloat(v, 'f', decimals, 64); len(fixed) <= len(sci) {
		return fixed
	}
	return sci
}

// nameText returns a name, in backquotes if it is not a word of letters,
// digits, dots and underscores that starts with a letter, or with a dot that
// no digit follows, or if it is TRUE or FALSE.
func nameText(s string) string {
	switch s {
	case ".":
		return s
	case "TRUE", "FALSE":
		return quote(s, '`')
	}
	for i, r := range s {
		ok := unicode.IsLetter(r) || r == '.' && !isDigit(s, i+1) || i > 0 && (r == '.' || r == '_' || unicode.IsDigit(r))
		if !ok || r == unicode.ReplacementChar {
			return quote(s, '`')
		}
	}
	return s
}

// suggestColumn is suggest for a name in a formula. A column whose name is not a
// word is cut at its first other character if it is not in backquotes.
func suggestColumn(name string, columns []string) string {
	for _, c := range columns {
		if text := nameText(c); text != c && strings.HasPrefix(c, name) {
			return fmt.Sprintf("; did you mean %s, in backquotes?", text)
		}
	}
	return suggest(name, columns)
}
