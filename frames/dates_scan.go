package frames

import "strings"

// A dateScan reads a cell that may be a date from left to right. A regular expression would read it
// too, and takes about seven times as long.
type dateScan struct{ rest string }

// run takes bytes of a class, as many as there are.
func (s *dateScan) run(in func(c byte) bool) string {
	n := 0
	for n < len(s.rest) && in(s.rest[n]) {
		n++
	}
	taken := s.rest[:n]
	s.rest = s.rest[n:]
	return taken
}

func (s *dateScan) digits() string {
	return s.run(func(c byte) bool { return '0' <= c && c <= '9' })
}

func (s *dateScan) letters() string {
	return s.run(func(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' })
}

// among takes bytes of a set, and reports whether there were any.
func (s *dateScan) among(set string) bool {
	return s.run(func(c byte) bool { return strings.IndexByte(set, c) >= 0 }) != ""
}

// skip takes a text, if it is next.
func (s *dateScan) skip(text string) (ok bool) {
	s.rest, ok = strings.CutPrefix(s.rest, text)
	return ok
}

// numbers reads a date of numbers: 2024-03-01, 1/3/2024, 01.03.2024.
func (s *dateScan) numbers() (writtenDate, bool) {
	first := s.digits()
	if s.rest == "" || !strings.Contains("-/.", s.rest[:1]) {
		return writtenDate{}, false
	}
	separator := s.rest[:1]
	s.skip(separator)
	second := s.digits()
	if !s.skip(separator) {
		return writtenDate{}, false
	}
	third := s.digits()
	a, b, c := whole(first), whole(second), whole(third)
	switch {
	case len(second) < 1 || len(second) > 2:
	case len(first) == 4 && (len(third) == 1 || len(third) == 2):
		return writtenDate{year: a, month: b, day: c}, true
	case len(third) == 4 && (len(first) == 1 || len(first) == 2):
		return writtenDate{year: c, month: b, day: a, unsure: separator != ".", dotted: separator == "."}, true
	}
	return writtenDate{}, false
}

// named reads a date with the month's name: 1 March 2024, 1-Mar-2024, March 1, 2024, with a day of
// the week or without.
func (s *dateScan) named() (writtenDate, bool) {
	before := s.rest
	if s.letters() == "" || !s.skip(", ") {
		s.rest = before
	}
	month, after := s.letters(), ", " // the month first
	if month != "" && !s.among(". -") {
		return writtenDate{}, false
	}
	day := s.digits()
	switch s.letters() {
	case "", "st", "nd", "rd", "th":
	default:
		return writtenDate{}, false
	}
	if month == "" {
		if !s.among(". -") {
			return writtenDate{}, false
		}
		month, after = s.letters(), "., -"
	}
	if !s.among(after) {
		return writtenDate{}, false
	}
	year := s.digits()
	ok := (len(day) == 1 || len(day) == 2) && len(year) == 4
	return writtenDate{year: whole(year), month: monthOf(month), day: whole(day), named: true}, ok
}

// clock reads what is after a date: nothing, or hours, minutes, seconds, their fraction, am or
// pm, and a zone, of which the last four may be "".
func (s *dateScan) clock() (m [6]string, ok bool) {
	const space = "\t\n\f\r "
	if s.rest == "" {
		return m, true
	}
	if !s.skip("T") && !s.skip(" ") {
		return m, false
	}
	s.among(space)
	m[0] = s.digits()
	if !s.skip(":") {
		return m, false
	}
	m[1] = s.digits()
	if s.skip(":") {
		if m[2] = s.digits(); len(m[2]) != 2 {
			return m, false
		}
		if s.skip(".") {
			if m[3] = "." + s.digits(); m[3] == "." {
				return m, false
			}
		}
	}
	s.among(space)
	if len(s.rest) >= 2 && (strings.EqualFold(s.rest[:2], "am") || strings.EqualFold(s.rest[:2], "pm")) {
		m[4], s.rest = s.rest[:2], s.rest[2:]
	}
	s.among(space)
	m[5] = s.zone()
	return m, (len(m[0]) == 1 || len(m[0]) == 2) && len(m[1]) == 2 && s.rest == ""
}

// zone reads Z, or hours and minutes east of Greenwich without their colon; it takes nothing
// if there is no zone.
func (s *dateScan) zone() string {
	before := s.rest
	if s.skip("Z") {
		return "Z"
	}
	if s.skip("+") || s.skip("-") {
		hours := s.digits()
		if len(hours) == 2 {
			s.skip(":")
			hours += s.digits()
		}
		if len(hours) == 4 {
			return before[:1] + hours
		}
	}
	s.rest = before
	return ""
}
