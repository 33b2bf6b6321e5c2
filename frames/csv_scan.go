package frames

import (
	"strings"
	"unicode/utf8"
)

// mark says how a cell was written.
type mark byte

const (
	quotedCell mark = 1 << iota // in quotes: it is taken literally
	spacedCell                  // with blanks around it, outside the quotes if any
)

// scanner cuts a text into rows of cells by RFC 4180: a cell in quotes may hold
// delimiters, line ends and doubled quotes. Blanks may stand around the quotes.
// All other cells are returned with the blanks around them.
type scanner struct {
	text    string
	pos     int
	line    int // of pos, counted from 1
	comma   string
	comment string // lines that start with it are skipped; "" if none
	blanks  string // characters allowed around quotes
}

func newScanner(text string, delimiter, comment rune) (*scanner, error) {
	for _, r := range []rune{delimiter, comment} {
		if r == '"' || r == '\n' || r == '\r' || r != 0 && !utf8.ValidRune(r) || r == utf8.RuneError {
			return nil, errorf(ErrSetting, "%q cannot be a delimiter or start a comment", r)
		}
	}
	if delimiter == comment {
		return nil, errorf(ErrSetting, "Delimiter and Comment are both %q", delimiter)
	}
	s := &scanner{text: text, line: 1, comma: string(delimiter), blanks: " \t"}
	if comment != 0 {
		s.comment = string(comment)
	}
	s.blanks = strings.ReplaceAll(s.blanks, s.comma, "")
	return s, nil
}

// row returns the cells of the next row, their marks, and the line it starts on, 0 at
// the end of the text. Empty lines and comments are skipped.
func (s *scanner) row() (cells []string, marks []mark, line int, err error) {
	s.skip()
	if s.pos == len(s.text) {
		return cells, marks, 0, nil
	}
	start := s.line
	for {
		cell, how, err := s.cell()
		if err != nil {
			return cells, marks, start, err
		}
		cells, marks = append(cells, cell), append(marks, how)
		if s.endOfLine() {
			return cells, marks, start, nil
		}
		s.pos += len(s.comma)
	}
}

// skip goes to the next line that is neither empty nor a comment.
func (s *scanner) skip() {
	for s.pos < len(s.text) {
		if s.comment != "" && strings.HasPrefix(s.text[s.pos:], s.comment) {
			end := strings.IndexByte(s.text[s.pos:], '\n')
			if end < 0 {
				s.pos = len(s.text)
				return
			}
			s.pos += end
			s.endOfLine()
			continue
		}
		if !s.endOfLine() {
			return
		}
	}
}

// endOfLine steps over a line end, or is at the end of the text.
func (s *scanner) endOfLine() bool {
	rest := s.text[s.pos:]
	switch {
	case rest == "":
		return true
	case rest[0] == '\n':
		s.pos++
	case rest == "\r":
		s.pos++
		return true
	case strings.HasPrefix(rest, "\r\n"):
		s.pos += 2
	default:
		return false
	}
	s.line++
	return true
}

// cell reads the cell at pos, up to the delimiter or the line end.
func (s *scanner) cell() (string, mark, error) {
	start := s.pos
	first := start
	for first < len(s.text) && strings.IndexByte(s.blanks, s.text[first]) >= 0 {
		first++
	}
	if first < len(s.text) && s.text[first] == '"' {
		return s.quoted(first)
	}
	end := start
	for ; end < len(s.text); end++ {
		c := s.text[end]
		if c == '\n' || c == s.comma[0] && (len(s.comma) == 1 || strings.HasPrefix(s.text[end:], s.comma)) {
			break
		}
		if c == '"' {
			return "", 0, errorf(ErrCSV, "line %d has a quote inside a cell; put the cell in quotes and double the quote inside: \"6\"\" pipe\"", s.line)
		}
	}
	s.pos = end
	if end > start && s.text[end-1] == '\r' && (end == len(s.text) || s.text[end] == '\n') {
		end--
		s.pos--
	}
	return s.text[start:end], 0, nil
}

// quoted reads the cell whose opening quote is at open.
func (s *scanner) quoted(open int) (string, mark, error) {
	how := quotedCell
	if open > s.pos {
		how |= spacedCell
	}
	line, doubled := s.line, false
	end := open + 1
	for {
		k := strings.IndexByte(s.text[end:], '"')
		if k < 0 {
			return "", 0, errorf(ErrCSV, "the quote that opens on line %d is not closed", line)
		}
		end += k
		if end+1 == len(s.text) || s.text[end+1] != '"' {
			break
		}
		doubled = true
		end += 2
	}
	cell := s.text[open+1 : end]
	s.line += strings.Count(cell, "\n")
	s.pos = end + 1
	for s.pos < len(s.text) && strings.IndexByte(s.blanks, s.text[s.pos]) >= 0 {
		s.pos++
		how |= spacedCell
	}
	rest := s.text[s.pos:]
	if rest != "" && rest != "\r" && rest[0] != '\n' && !strings.HasPrefix(rest, "\r\n") && !strings.HasPrefix(rest, s.comma) {
		return "", 0, errorf(ErrCSV, "line %d has text after the quote that closes a cell; double a quote inside quotes", s.line)
	}
	if doubled {
		cell = strings.ReplaceAll(cell, `""`, `"`)
	}
	return cell, how, nil
}

// sniff returns the delimiter that is most frequent in the first line that is neither blank
// nor a comment, outside quotes; in a tie, the first of comma, semicolon and tab. It is 0 if
// there is no such line.
func sniff(text string, comment rune) rune {
	s := scanner{text: text}
	if comment != 0 {
		s.comment = string(comment)
	}
	for s.skip(); s.pos < len(text); s.skip() {
		start, quoted := s.pos, false
		counts := map[byte]int{}
		for ; s.pos < len(text) && (quoted || text[s.pos] != '\n'); s.pos++ {
			switch c := text[s.pos]; {
			case c == '"':
				quoted = !quoted
			case !quoted:
				counts[c]++
			}
		}
		if strings.TrimSpace(strings.ReplaceAll(text[start:s.pos], `"`, "")) == "" {
			continue
		}
		best := ','
		for _, r := range ";\t" {
			if counts[byte(r)] > counts[byte(best)] {
				best = r
			}
		}
		return best
	}
	return 0
}
