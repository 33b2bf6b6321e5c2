package frames

import (
	"regexp"
	"slices"
	"strings"

	"github.com/go-gota/gota/series"
)

// This file has the functions of text that take a pattern: a regular expression of Go's
// (https://pkg.go.dev/regexp/syntax), which is as fast for every pattern and text as its length
// allows, and for that has neither references back nor lookarounds. fixed = TRUE takes the pattern
// literally.

func init() {
	settings := []string{"ignore.case", "fixed"}
	with := func(params ...string) []string { return append(params, settings...) }
	registerValue("sub", valueFunction{params: with("pattern", "replacement", "x"), data: []string{"x"}, least: 3, typ: series.String, of: replaced(1)})
	registerValue("gsub", valueFunction{params: with("pattern", "replacement", "x"), data: []string{"x"}, least: 3, typ: series.String, of: replaced(-1)})
	registerValue("grepl", valueFunction{params: with("pattern", "x"), data: []string{"x"}, least: 2, typ: series.Bool, fills: true, of: matched})
	registerValue("str_extract", valueFunction{params: with("x", "pattern"), data: []string{"x"}, least: 2, typ: series.String, fills: false, of: extracted})
	registerValue("strsplit", valueFunction{params: with("x", "split", "part"), data: []string{"x"}, least: 3, typ: series.String, of: partOf})
}

// pattern reads the pattern of a call.
func (o *options) pattern(param string) (*regexp.Regexp, error) {
	text, err := o.text(param, "")
	if err != nil {
		return nil, err
	}
	ignore, err := o.boolean("ignore.case")
	if err != nil {
		return nil, err
	}
	fixed, err := o.boolean("fixed")
	if err != nil {
		return nil, err
	}
	source := text
	if fixed {
		source = regexp.QuoteMeta(text)
	}
	if ignore {
		source = "(?i)" + source
	}
	p, err := regexp.Compile(source)
	if err != nil {
		why := strings.TrimPrefix(err.Error(), "error parsing regexp: ")
		return nil, formulaErrorf(ErrSyntax, o.src, o.args[param], "the pattern %q is no regular expression of Go's: %s; fixed = TRUE takes it literally", text, why)
	}
	return p, nil
}

// matched computes grepl(pattern, x); as in R, a missing value has no match.
func matched(o *options) (compute, error) {
	p, err := o.pattern("pattern")
	if err != nil {
		return nil, err
	}
	return func(e *evaluator, x []*column) (*column, error) {
		return e.same(series.Bool, func(c *column, i int) { c.num[i] = indicator(!x[0].missing[i] && p.MatchString(x[0].at(i))) }), nil
	}, nil
}

// extracted computes str_extract(x, pattern), the first match, missing where there is none.
func extracted(o *options) (compute, error) {
	p, err := o.pattern("pattern")
	if err != nil {
		return nil, err
	}
	return func(e *evaluator, x []*column) (*column, error) {
		return e.textOf(x, func(i int) (string, bool) {
			s := x[0].at(i)
			at := p.FindStringIndex(s)
			if at == nil {
				return "", false
			}
			return s[at[0]:at[1]], true
		}), nil
	}, nil
}

// replaced computes sub and gsub, of which the first replaces one match and the other all.
func replaced(most int) func(o *options) (compute, error) {
	return func(o *options) (compute, error) {
		p, err := o.pattern("pattern")
		if err != nil {
			return nil, err
		}
		by, err := o.replacement()
		if err != nil {
			return nil, err
		}
		return func(e *evaluator, x []*column) (*column, error) {
			return e.texted(x, func(s string) string {
				if most < 0 {
					return p.ReplaceAllString(s, by)
				}
				at := p.FindStringSubmatchIndex(s)
				if at == nil {
					return s
				}
				return s[:at[0]] + string(p.ExpandString(nil, by, s, at)) + s[at[1]:]
			}), nil
		}, nil
	}
}

// replacement returns the replacement of a call as package regexp writes it: R's \1 is its ${1}, and
// a dollar sign is one.
func (o *options) replacement() (string, error) {
	text, err := o.text("replacement", "")
	if err != nil {
		return "", err
	}
	if fixed, err := o.boolean("fixed"); err != nil || fixed {
		return strings.ReplaceAll(text, "$", "$$"), err
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '$' && (isDigit(text, i+1) || strings.HasPrefix(text[i:], "${")):
			return "", formulaErrorf(ErrSyntax, o.src, o.args["replacement"], "a group of the pattern is \\1 in a replacement, as in R, not %q; \\$ is a dollar sign", text[i:min(len(text), i+2)])
		case c == '$':
			b.WriteString("$$")
		case c != '\\' || i+1 == len(text):
			b.WriteByte(c)
		default:
			i++
			switch c := text[i]; {
			case '0' <= c && c <= '9':
				b.WriteString("${" + string(c) + "}")
			case slices.Contains([]byte("ULE"), c):
				return "", formulaErrorf(ErrSyntax, o.src, o.args["replacement"], "\\%c is perl's; there are toupper and tolower", c)
			case c == '$':
				b.WriteString("$$")
			default:
				b.WriteByte(c)
			}
		}
	}
	return b.String(), nil
}

// partOf computes strsplit(x, split, part): part number part, counted from the last if it is negative,
// missing where there are fewer. As in R, nothing is behind a last separator.
func partOf(o *options) (compute, error) {
	p, err := o.pattern("split")
	if err != nil {
		return nil, err
	}
	part, err := o.whole("part", 0)
	if err != nil {
		return nil, err
	}
	if part == 0 {
		return nil, formulaErrorf(ErrSyntax, o.src, o.args["part"], "part of strsplit is 1 for the first, 2 for the second, -1 for the last")
	}
	return func(e *evaluator, x []*column) (*column, error) {
		return e.textOf(x, func(i int) (string, bool) {
			parts := p.Split(x[0].at(i), -1)
			if last := len(parts) - 1; parts[last] == "" {
				parts = parts[:last]
			}
			k := part - 1
			if part < 0 {
				k = len(parts) + part
			}
			if k < 0 || k >= len(parts) {
				return "", false
			}
			return parts[k], true
		}), nil
	}, nil
}
