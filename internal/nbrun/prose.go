package main

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A numeral is a number in the text of a Markdown cell: digits (1,024, .71, −3,
// 3·10⁻⁸, 2/3, ½), a word from two up (twelve, a hundred, half, twice, tenfold, two
// thirds), or what a formula says that a letter is ($n=100$, $\theta\approx2.5$).
type numeral struct {
	from, to int // bytes of the cell; those of the formula for a number in it
	value    float64
	half     float64 // half a unit of the last digit written; 0 for words and fractions
	soft     bool    // "one", "zero", the 0 and 1 of "mean 0" and "variance 1": numbers only if a comment names their value
}

// is reports whether a value, rounded to the digits written, is the number.
// Half-way cases may be rounded either way; words are exact.
func (n numeral) is(value float64) bool {
	return math.Abs(value-n.value) <= math.Max(n.half*(1+1e-9), 1e-7*math.Abs(n.value))
}

// A remark is an HTML comment.
type remark struct {
	from, to int
	text     string
}

// What numerals puts for a byte that is not prose, and for one of a remark.
const opaque, unseen = '\x01', '\x02'

var (
	fence          = regexp.MustCompile("(?ms)^ {0,3}(```|~~~).*?(^ {0,3}(```|~~~)\\s*$|\\z)")
	codeSpan       = regexp.MustCompile("(?s)``.+?``|`[^`]+`")
	comments       = regexp.MustCompile(`(?s)<!--(.*?)-->`)
	formula        = regexp.MustCompile(`(?s)\$\$(.+?)\$\$|\$([^\s$](?:[^$]*[^\s$\\])?)\$|\\\\?\[(.+?)\\\\?\]|\\\\?\((.+?)\\\\?\)`)
	anyLink        = regexp.MustCompile(`!?\[[^\]]*\]\([^)]*\)|https?://\S+`)
	htmlTag        = regexp.MustCompile(`</?[A-Za-z][^>]*>`)
	headNumber     = regexp.MustCompile(`(?m)^#{1,6}[ \t]+(\d+(?:\.\d+)*[.)]|\d+(?:\.\d+)+)[ \t]`)
	exerciseNumber = regexp.MustCompile(`(?m)^\*\*(?:Exercise )?(\d\d[a-z]?\.\d+)\.?\*\*`)
	standardized   = regexp.MustCompile(`\b(?:between|from|mean|variance|standard deviation) (0 (?:and|to) 1|[01])\b(?:[^.\d]|\.(?:\D|$)|$)`)
	listNumber     = regexp.MustCompile(`(?m)^[ \t]*\d+[.)][ \t]`)
	listItem       = regexp.MustCompile(`^[ \t]*(?:[-*+]|\x01+)[ \t]|^[ \t]{2}`)
	rowsAtHead     = regexp.MustCompile(`(?m)^#{1,6}[ \t].*?(\[\d[\d, –-]*\])[ \t]*$`)
)

// numerals returns the numbers in the text of a Markdown cell, its remarks, and the
// text with all that is not prose masked: code, formulas, links, HTML tags, the
// numbering of headings and lists, and the rows of the ledger at the end of headings.
func numerals(source string) (found []numeral, remarks []remark, masked string) {
	text := []byte(source)
	cover := func(from, to int) {
		for i := from; i < to; i++ {
			if text[i] != '\n' {
				text[i] = opaque
			}
		}
	}
	hide := func(re *regexp.Regexp, group int) {
		for _, at := range re.FindAllSubmatchIndex(text, -1) {
			cover(at[2*group], at[2*group+1])
		}
	}
	hide(fence, 0)
	hide(codeSpan, 0)
	for _, at := range comments.FindAllSubmatchIndex(text, -1) {
		remarks = append(remarks, remark{at[0], at[1], strings.TrimSpace(source[at[2]:at[3]])})
		for i := at[0]; i < at[1]; i++ {
			text[i] = unseen
		}
	}
	for _, at := range formula.FindAllSubmatchIndex(text, -1) {
		if after, _ := utf8.DecodeRune(text[at[1]:]); unicode.IsLetter(after) {
			continue // $\frac12$BIC
		}
		for g := 1; g <= 4; g++ {
			if at[2*g] < 0 {
				continue
			}
			for _, n := range formulaNumerals(source[at[2*g]:at[2*g+1]]) {
				n.from, n.to = at[0], at[1]
				found = append(found, n)
			}
		}
	}
	hide(formula, 0)
	hide(anyLink, 0)
	hide(htmlTag, 0)
	hide(rowsAtHead, 1)
	hide(headNumber, 1)
	hide(exerciseNumber, 1)
	for _, at := range listNumber.FindAllIndex(text, -1) {
		// A list begins a paragraph; else a line happens to begin with the end of a sentence.
		above := strings.TrimSuffix(string(text[:at[0]]), "\n")
		above = above[strings.LastIndexByte(above, '\n')+1:]
		if strings.TrimSpace(above) == "" || listItem.MatchString(above) {
			cover(at[0], at[1]-1)
		}
	}
	written := proseNumerals(string(text))
	for _, at := range standardized.FindAllSubmatchIndex(text, -1) {
		for i, n := range written {
			written[i].soft = n.soft || n.from >= at[2] && n.to <= at[3]
		}
	}
	found = append(found, written...)
	slices.SortStableFunc(found, func(a, b numeral) int { return a.from - b.from })
	return found, remarks, string(text)
}

var (
	digits      = regexp.MustCompile(`^(?:(?:\d{1,3}(?:[,\x{2009}\x{202f}\x{a0}]\d{3})+|\d+)(?:\.\d+)?|\.\d+)`)
	plainDigits = regexp.MustCompile(`^\d+(?:\.\d+)?`)
	separators  = strings.NewReplacer(",", "", "\u2009", "", "\u202f", "", "\u00a0", "")
	exponent    = regexp.MustCompile(`^[eE]([+-]?\d+)\b`)
	timesTen    = regexp.MustCompile(`^\s?[·×]\s?10(?:\^\{?([-−]?\d+)\}?|([⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+))`)
	power       = regexp.MustCompile(`^(?:\^\{?([-−]?\d+)\}?|([⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+))`)
	superscript = strings.NewReplacer("⁻", "-", "−", "-", "⁰", "0", "¹", "1", "²", "2", "³", "3", "⁴", "4",
		"⁵", "5", "⁶", "6", "⁷", "7", "⁸", "8", "⁹", "9")
	version  = regexp.MustCompile(`^(\.\d+)+`)
	fraction = regexp.MustCompile(`^/(\d+)`)
	scale    = regexp.MustCompile(`^[\s\x{a0}](hundred|thousand|million|billion)\b`)
	unit     = regexp.MustCompile(`^(?:x|ms|s|px|[kKMG]B|[cmk]?m|kg|[kM]?Hz)\b`)
	// A term such as "two-sided" is not a number of anything.
	compound = regexp.MustCompile(`^-?(?:dimensional|D|d|sided|tailed|way|norm|stage|step)\b`)
	label    = regexp.MustCompile(`(?i)\b(?:notebooks?|rows?|sections?|chapters?|figures?|figs?\.|tables?|equations?|eqs?\.|pp?\.|pages?|exercises?|lectures?|slides?|theorems?|algorithms?|class|classes)[ \x{a0}]$`)
	among    = regexp.MustCompile(`^\s*(?:,|and|or|to|[-–])\s*$|^,\s+(?:and|or)\s+$`)
)

var vulgar = map[rune]float64{'½': 1. / 2, '⅓': 1. / 3, '⅔': 2. / 3, '¼': 1. / 4, '¾': 3. / 4, '⅕': 1. / 5, '⅛': 1. / 8}

// proseNumerals returns the numbers of text in which all else is masked.
func proseNumerals(text string) []numeral {
	var found []numeral
	labelled := -1 // end of a number that is a label, as in "rows 3"
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		before, _ := utf8.DecodeLastRuneInString(text[:i])
		switch _, isVulgar := vulgar[r]; {
		case isDigit(r) || r == '.' && i+1 < len(text) && isDigit(rune(text[i+1])) && !isDigit(before):
			n, end, ok := digitNumeral(text, i)
			switch {
			case label.MatchString(text[max(0, i-16):i]), labelled >= 0 && among.MatchString(text[labelled:i]):
				labelled = end
			case ok:
				found = append(found, n)
			}
			i = end
		case isVulgar:
			after, _ := utf8.DecodeRuneInString(text[i+size:])
			if !unicode.IsLetter(before) && !unicode.IsLetter(after) {
				found = append(found, numeral{from: i, to: i + size, value: vulgar[r]})
			}
			i += size
		case unicode.IsLetter(r):
			n, ok := wordNumeral(text[i:])
			if ok && before != '-' && !compound.MatchString(text[i+n.to:]) {
				n.from, n.to = i, i+n.to
				found = append(found, n)
				i = n.to
				continue
			}
			for i < len(text) && isWord(r) {
				i += size
				r, size = utf8.DecodeRuneInString(text[i:])
			}
		default:
			i += size
		}
	}
	return found
}

func isDigit(r rune) bool { return '0' <= r && r <= '9' }
func isWord(r rune) bool  { return unicode.IsLetter(r) || isDigit(r) || r == '_' }

// digitNumeral reads the number that begins at i with a digit or a point, and
// returns where it ends; ok is false for part of a name or an expression: x1, 2n,
// n/2, 1/n, 10th, 1.26.3, two-dimensional.
func digitNumeral(text string, i int) (n numeral, end int, ok bool) {
	m := digits.FindString(text[i:])
	if r, _ := utf8.DecodeRuneInString(text[i+len(m):]); isDigit(r) {
		m = plainDigits.FindString(text[i:]) // 1,0000
	}
	end = i + len(m)
	n.value, _ = strconv.ParseFloat(separators.Replace(m), 64)
	n.half = 0.5
	if point := strings.IndexByte(m, '.'); point >= 0 {
		n.half *= math.Pow10(-(len(m) - point - 1))
	}
	if v := version.FindString(text[end:]); v != "" {
		return n, end + len(v), false
	}
	size, ok := n.multiplied(m, text[end:])
	end += size
	rest := func() string { return text[end:] }
	from := i
	before, width := utf8.DecodeLastRuneInString(text[:i])
	if strings.ContainsRune("-−–+", before) {
		outer, _ := utf8.DecodeLastRuneInString(text[:i-width])
		if unicode.IsLetter(outer) && before != '–' {
			ok = false // top-5
		} else if !isDigit(outer) && strings.ContainsRune("-−", before) {
			n.value, from = -n.value, i-width
		}
	}
	n.from, n.to = from, end
	after, size := utf8.DecodeRuneInString(rest())
	if after == '_' { // emphasis, unless a name goes on
		if beyond, _ := utf8.DecodeRuneInString(rest()[size:]); !isWord(beyond) {
			after = ' '
		}
	}
	if before == '_' {
		outer, _ := utf8.DecodeLastRuneInString(text[:i-1])
		if isWord(outer) {
			ok = false
		}
	}
	switch {
	case unicode.IsLetter(before) || strings.ContainsRune("^/√#@₀₁₂", before) && before != utf8.RuneError:
		ok = false
	case compound.MatchString(rest()), strings.ContainsRune("/√_^", after):
		ok = false
	case unicode.IsLetter(after) && !unit.MatchString(rest()):
		ok = false
	}
	for isWord(after) { // the rest of a name
		_, size := utf8.DecodeRuneInString(rest())
		end += size
		after, _ = utf8.DecodeRuneInString(rest())
	}
	return n, end, ok
}

// multiplied takes what stands behind the digits of a numeral, such as an exponent, the denominator of a
// fraction or the word million, and returns its length; it is false for a fraction that is none.
func (n *numeral) multiplied(digits, rest string) (end int, ok bool) {
	ok = true
	scaled := func(by float64, size int) { n.value, n.half, end = n.value*by, n.half*by, end+size }
	exactly := func(v float64, size int) { n.value, n.half, end = v, 0, end+size }
	if e, size := matchExponent(exponent, rest); size > 0 {
		scaled(math.Pow10(e), size)
	} else if e, size := matchExponent(timesTen, rest); size > 0 {
		scaled(math.Pow10(e), size)
	} else if e, size := matchExponent(power, rest); size > 0 {
		exactly(math.Pow(n.value, float64(e)), size)
	} else if f := fraction.FindStringSubmatch(rest); f != nil {
		d, _ := strconv.ParseFloat(f[1], 64)
		ok = d != 0 && digits != "0" // 0/1 loss
		exactly(n.value/d, len(f[0]))
	}
	rest = rest[end:]
	if w := scale.FindStringSubmatch(rest); w != nil {
		scaled(scales[w[1]], len(w[0]))
	} else if d, size := denominator(rest); size > 0 && n.value >= 2 {
		exactly(n.value/d, size)
	} else if r, size := utf8.DecodeRuneInString(rest); vulgar[r] > 0 {
		exactly(n.value+vulgar[r], size)
	}
	return end, ok
}

// matchExponent returns the exponent that re matches, and how long the match is.
func matchExponent(re *regexp.Regexp, text string) (e, size int) {
	m := re.FindStringSubmatch(text)
	if m == nil {
		return 0, 0
	}
	e, err := strconv.Atoi(superscript.Replace(strings.Join(m[1:], "")))
	if err != nil {
		return 0, 0
	}
	return e, len(m[0])
}

var (
	units  = map[string]float64{"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9}
	teens  = map[string]float64{"ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19}
	tens   = map[string]float64{"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90}
	scales = map[string]float64{"hundred": 100, "thousand": 1e3, "million": 1e6, "billion": 1e9}
	others = map[string]float64{"zero": 0, "half": 0.5, "twice": 2, "thrice": 3, "dozen": 12}

	denominators = map[string]float64{"half": 2, "third": 3, "quarter": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8,
		"ninth": 9, "tenth": 10, "twentieth": 20, "hundredth": 100, "thousandth": 1000, "millionth": 1e6}

	firstWord  = regexp.MustCompile(`^[A-Za-z]+`)
	nextWord   = regexp.MustCompile(`^(\s+and\s+|\s+|-)([A-Za-z]+)`)
	andA       = regexp.MustCompile(`^\s+and\s+(?:a|one|three)\s+(half|quarters?)\b`)
	aFraction  = regexp.MustCompile(`^[Aa]n?\s+([a-z]+)\b`)
	asFraction = regexp.MustCompile(`^(?:\s+(?:of|as|less|more|fewer|the|smaller|larger|lower|higher|wider|narrower|shorter|longer)\b|\s*[.,;:)\x02])`)
)

// denominator returns the second word of a fraction such as "two thirds".
func denominator(text string) (d float64, size int) {
	m := nextWord.FindStringSubmatch(text)
	if m == nil || strings.Contains(m[1], "and") || !strings.HasSuffix(m[2], "s") && m[2] != "halves" {
		return 0, 0
	}
	word := strings.TrimSuffix(m[2], "s")
	if word == "halve" {
		word = "half"
	}
	if d = denominators[word]; d == 0 {
		return 0, 0
	}
	return d, len(m[0])
}

// wordNumeral reads the number words with which text begins.
func wordNumeral(text string) (numeral, bool) {
	first := firstWord.FindString(text)
	word := strings.ToLower(first)
	if m := aFraction.FindStringSubmatch(text); m != nil {
		if d := denominators[m[1]]; d > 2 && asFraction.MatchString(text[len(m[0]):]) {
			return numeral{to: len(m[0]), value: 1 / d}, true
		}
		return numeral{}, false
	}
	n := numeral{to: len(first)}
	if v, ok := others[word]; ok {
		n.value, n.soft = v, word == "zero"
		return n, word != "half" || !strings.HasPrefix(text[n.to:], "-")
	}
	if fold, ok := strings.CutSuffix(word, "fold"); ok {
		n.value = units[fold] + teens[fold] + tens[fold] + scales[fold]
		return n, n.value > 1
	}
	w := &numberWords{text: text, to: len(first)}
	if !w.count(word) {
		return n, false
	}
	n.value, n.to = w.value+w.group, w.to
	n.addFraction(text)
	n.soft = n.value == 1
	return n, true
}

// numberWords reads a number in words: value counts the thousands and millions that are read, group what
// stands before the next.
type numberWords struct {
	text         string
	to           int
	value, group float64
}

// count reads the words of a whole number, of which the first is word.
func (w *numberWords) count(word string) bool {
	switch {
	case units[word] > 0:
		w.group = units[word]
	case teens[word] > 0:
		w.group = teens[word]
	case tens[word] > 0:
		w.group = w.below100(tens[word], true)
	case scales[word] == 100:
		w.group = 100
	case scales[word] > 0:
		w.value = scales[word]
	default:
		return false
	}
	if w.group == 100 {
		w.more("[and]")
	}
	for {
		v, ok := w.follows(scales, "[][-]")
		if !ok {
			return true
		}
		if v == 100 {
			w.group *= 100
			w.more("[and]")
		} else {
			w.value, w.group = w.value+w.group*v, 0
			w.more("[and][]")
		}
	}
}

// follows reads the next word if it is one of a table; sep says how it may be joined.
func (w *numberWords) follows(table map[string]float64, sep string) (float64, bool) {
	m := nextWord.FindStringSubmatch(w.text[w.to:])
	if m == nil {
		return 0, false
	}
	v, ok := table[strings.ToLower(m[2])]
	joined := strings.TrimSpace(m[1])
	if !ok || !strings.Contains(sep, "["+joined+"]") {
		return 0, false
	}
	w.to += len(m[0])
	return v, true
}

// below100 adds the unit that follows tens.
func (w *numberWords) below100(v float64, isTens bool) float64 {
	if isTens {
		u, _ := w.follows(units, "[-]")
		v += u
	}
	return v
}

// more adds a number below 100 that follows.
func (w *numberWords) more(sep string) {
	for _, table := range []map[string]float64{units, teens, tens} {
		if v, ok := w.follows(table, sep); ok {
			w.group += w.below100(v, v >= 20)
			return
		}
	}
}

// addFraction takes the fraction behind a whole number in words: two and a half, two thirds, one third.
func (n *numeral) addFraction(text string) {
	if m := andA.FindString(text[n.to:]); m != "" {
		n.to += len(m)
		switch {
		case strings.HasSuffix(m, "half"):
			n.value += 0.5
		case strings.HasSuffix(m, "quarters"):
			n.value += 0.75
		default:
			n.value += 0.25
		}
	} else if d, size := denominator(text[n.to:]); size > 0 && n.value > 1 {
		n.value, n.to = n.value/d, n.to+size
	} else if n.value == 1 {
		if m := nextWord.FindStringSubmatch(text[n.to:]); m != nil && denominators[m[2]] > 0 && !strings.Contains(m[1], "and") {
			n.value, n.to = 1/denominators[m[2]], n.to+len(m[0])
		}
	}
}

// A formula, taken apart.
var (
	relation = regexp.MustCompile(`^(?:[=<>]|\\(?:approx|simeq|doteq|leq?|geq?|ll|gg|lt|gt|to|ne|neq)\b)`)
	spacing  = regexp.MustCompile(`^(?:\s|~|\\[,;:! ]|\\(?:left|right|bigl?|bigr?)\b)+`)
	opening  = regexp.MustCompile(`^(?:[(\[]|\\\{)`)
	ellipsis = regexp.MustCompile(`^\\(?:dots|ldots|cdots)\b`)
	fracTeX  = regexp.MustCompile(`^\\[dt]?frac(?:\{(\d+)\}\{(\d+)\}|\s*(\d)\s*(\d))`)
	tenTeX   = regexp.MustCompile(`^\s*\\(?:cdot|times)\s*10\^(?:\{([-−]?\d+)\}|(\d))`)
	powerTeX = regexp.MustCompile(`^\^(?:\{([-−]?\d+)\}|(\d))`)
	// What may follow a number that is all of what a formula equates.
	ended = regexp.MustCompile(`^(?:$|[=<>,;.:)\]&}]|\\(?:approx|simeq|leq?|geq?|lt|gt|to|quad|qquad|text|mathrm|mbox|dots|ldots|cdots|pm|end|mid|tag)\b|\\[%}\\]|%)`)
)

// formulaNumerals returns the numbers that a formula states: those, but 0 and 1, that
// are all of what stands behind a relation (also as a list: n = 10, 100), or a
// formula that is nothing but a number.
func formulaNumerals(tex string) []numeral {
	tex = strings.ReplaceAll(tex, "{,}", ",")
	tex = strings.ReplaceAll(tex, `\,000`, "000")
	skip := func(i int) int { return i + len(spacing.FindString(tex[i:])) }
	if n, end, ok := texNumeral(tex, skip(0)); ok && strings.TrimPrefix(tex[skip(end):], `\%`) == "" {
		return []numeral{n}
	}
	var found []numeral
	depth := 0
	for i := 0; i < len(tex); {
		m := relation.FindString(tex[i:])
		switch {
		case m != "" && depth == 0:
			i = skip(i + len(m))
			i = skip(i + len(opening.FindString(tex[i:])))
			for {
				n, end, ok := texNumeral(tex, i)
				if e := ellipsis.FindString(tex[i:]); e != "" {
					end, ok = i+len(e), true
				} else if !ok {
					break
				} else if rest := tex[skip(end):]; !ended.MatchString(rest) {
					break
				} else if n.value != 0 && n.value != 1 || n.half < 0.5 {
					found = append(found, n)
				}
				i = skip(end)
				if !strings.HasPrefix(tex[i:], ",") {
					break
				}
				i = skip(i + 1)
			}
		case tex[i] == '\\' && i+1 < len(tex):
			i += 2
		default:
			switch tex[i] {
			case '{':
				depth++
			case '}':
				depth--
			}
			i++
		}
	}
	return found
}

// texNumeral reads the number that begins at i.
func texNumeral(tex string, i int) (n numeral, end int, ok bool) {
	sign := 1.
	if strings.HasPrefix(tex[i:], "-") {
		sign, i = -1, i+1
	} else if strings.HasPrefix(tex[i:], "−") {
		sign, i = -1, i+len("−")
	}
	if m := fracTeX.FindStringSubmatch(tex[i:]); m != nil {
		a, _ := strconv.ParseFloat(m[1]+m[3], 64)
		b, _ := strconv.ParseFloat(m[2]+m[4], 64)
		return numeral{value: sign * a / b}, i + len(m[0]), b != 0
	}
	m := digits.FindString(tex[i:])
	if m == "" {
		return n, i, false
	}
	n.value, _ = strconv.ParseFloat(separators.Replace(m), 64)
	n.half = 0.5
	if point := strings.IndexByte(m, '.'); point >= 0 {
		n.half *= math.Pow10(-(len(m) - point - 1))
	}
	end = i + len(m)
	if e, size := matchExponent(tenTeX, tex[end:]); size > 0 {
		n.value, n.half, end = n.value*math.Pow10(e), n.half*math.Pow10(e), end+size
	} else if e, size := matchExponent(powerTeX, tex[end:]); size > 0 {
		n.value, n.half, end = math.Pow(n.value, float64(e)), 0, end+size
	} else if f := fraction.FindStringSubmatch(tex[end:]); f != nil {
		d, _ := strconv.ParseFloat(f[1], 64)
		n.value, n.half, end = n.value/d, 0, end+len(f[0])
	}
	n.value *= sign
	return n, end, true
}
