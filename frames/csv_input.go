package frames

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
	"unsafe"
)

// csvInput cuts a file into pieces of whole rows, which are parsed on their own.
type csvInput struct {
	s         CSVSettings // with defaults
	open      func() (io.ReadCloser, error)
	delimiter rune
	names     []string
	hasHeader bool     // the first row is the header
	repairs   []string // of the names
	naNumbers bool     // a mark of missing values looks like a number
	size      int      // of pieces, in bytes
	encoding  encoding // of the file, as far as it is set or known to need conversion
	found     encoding // by the last pass
	converted string   // why

	lock  sync.Mutex
	spare [][]byte // buffers
}

const (
	pieceBytes = 1 << 20
	smallFile  = 1 << 16 // bytes
	maxRow     = 1 << 29 // bytes
)

// piece is a part of a file that starts with a row and ends with one.
type piece struct {
	buf   []byte
	first int // rows before it, without the header
	line  int // of its start, counted from 1
	head  bool
}

// text returns the piece as text, which is valid as long as the piece is.
func (p *piece) text() string { return unsafe.String(unsafe.SliceData(p.buf), len(p.buf)) }

// csvEnd is what a complete pass counts.
type csvEnd struct {
	rows, bytes         int
	empty, comments     int // lines skipped
	emptyAt, commentsAt int
	text, bom           bool // something is not blank; a byte order mark was dropped
	sum                 uint32
}

func newCSVInput(open func() (io.ReadCloser, error), s CSVSettings) *csvInput {
	in := &csvInput{size: pieceBytes, s: s, open: open, delimiter: s.Delimiter, names: slices.Clone(s.Names), hasHeader: s.Names == nil}
	in.encoding, _ = encodingOf(s.Encoding) // checked by withDefaults
	m := marks{s.Decimal, s.Thousands}
	in.naNumbers = slices.ContainsFunc(s.NA, func(cell string) bool { _, ok := m.number(strings.TrimSpace(cell)); return ok })
	return in
}

// again forgets what was read of a file that turned out to have another encoding.
func (in *csvInput) again() {
	in.delimiter, in.names, in.repairs = in.s.Delimiter, slices.Clone(in.s.Names), nil
}

// report says how the file was converted by the last pass; "" if it was not.
func (in *csvInput) report() string {
	in.lock.Lock()
	defer in.lock.Unlock()
	if text := in.found.report(); text != "" {
		return text + in.converted
	}
	return ""
}

// begin finds out the delimiter, and reads the header and the first rows.
func (in *csvInput) begin(first func(p *piece) error) error {
	if err := in.sniff(); err != nil {
		return err
	}
	end, err := in.pass(context.Background(), func(p *piece) error {
		if err := in.readHeader(p); err != nil {
			return err
		}
		if len(in.names) == 0 { // blank lines and comments only
			in.free(p)
			return nil
		}
		if err := first(p); err != nil {
			return err
		}
		in.free(p)
		return errEnough
	})
	if err != nil && !errors.Is(err, errEnough) {
		return err
	}
	if err == nil && end.rows == 0 {
		return in.noRows(end)
	}
	return nil
}

var errEnough = errors.New("frames: enough was read")

// noRows is the error of a file without rows.
func (in *csvInput) noRows(end csvEnd) error {
	if !end.text {
		return errorf(ErrCSV, "the file is empty")
	}
	return errorf(ErrCSV, "the file has a header (%s) and no rows", strings.Join(in.names, ", "))
}

// sniff finds out the delimiter, before lines are told from rows by it. It is a comma if all
// lines are blank.
func (in *csvInput) sniff() error {
	if in.delimiter != 0 {
		return nil
	}
	found := rune(0)
	_, err := in.pass(context.Background(), func(p *piece) error {
		found = sniff(p.text(), in.s.Comment)
		in.free(p)
		if found != 0 {
			return errEnough
		}
		return nil
	})
	if err != nil && !errors.Is(err, errEnough) {
		return err
	}
	in.delimiter = cmp.Or(found, ',')
	return nil
}

// readHeader finds out the names.
func (in *csvInput) readHeader(p *piece) error {
	scan, err := newScanner(p.text(), in.delimiter, in.s.Comment)
	if err != nil {
		return err
	}
	how := make([]mark, len(in.names))
	for in.hasHeader && len(in.names) == 0 {
		row, marks, line, err := scan.row()
		if err != nil {
			return err
		}
		if line == 0 {
			return nil
		}
		if isBlankRow(row) {
			continue
		}
		for _, cell := range row {
			in.names = append(in.names, strings.Clone(cell))
		}
		how = marks
	}
	var rep CSVReport
	in.names = rep.repairNames(in.names, how)
	in.repairs = rep.Repairs
	return nil
}

// unpacked reads text, and counts its lines for the error of a file that ends too
// early.
type unpacked struct {
	from  io.Reader
	as    encoding
	gzip  bool
	lines int
}

// unpack reads a file as UTF-8, packed by gzip or not.
func unpack(r io.Reader, as encoding) (*unpacked, error) {
	in := bufio.NewReaderSize(r, 1<<16)
	magic, err := in.Peek(2)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("frames: %w", err)
	}
	if string(magic) != "\x1f\x8b" {
		text, as, err := decode(in, as)
		return &unpacked{from: text, as: as}, err
	}
	packed, err := gzip.NewReader(in)
	if err != nil {
		return nil, errorf(ErrCSV, "the file is packed by gzip, but its beginning is damaged: %v", err)
	}
	text, as, err := decode(bufio.NewReader(packed), as)
	return &unpacked{from: text, as: as, gzip: true}, err
}

// Read reads text.
func (u *unpacked) Read(b []byte) (int, error) {
	n, err := u.from.Read(b)
	if u.gzip {
		u.lines += bytes.Count(b[:n], []byte{'\n'})
	}
	if err == nil || errors.Is(err, io.EOF) || errors.Is(err, ErrCSV) {
		return n, err
	}
	if !u.gzip {
		return n, fmt.Errorf("frames: %w", err)
	}
	what := "is damaged"
	if errors.Is(err, io.ErrUnexpectedEOF) {
		what = "ends too early"
	}
	return n, errorf(ErrCSV, "the file is packed by gzip and %s (%v), after %d lines that could be read; unpack or fetch it again", what, err, u.lines)
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// pass reads the file from its beginning, and emits its pieces.
func (in *csvInput) pass(ctx context.Context, emit func(p *piece) error) (csvEnd, error) {
	r, err := in.open()
	if err != nil {
		return csvEnd{}, err
	}
	end, err := in.cut(ctx, r, emit)
	if closeErr := r.Close(); err == nil && closeErr != nil {
		err = fmt.Errorf("frames: %w", closeErr)
	}
	return end, err
}

func (in *csvInput) cut(ctx context.Context, r io.Reader, emit func(p *piece) error) (csvEnd, error) {
	in.lock.Lock()
	as := in.encoding
	in.lock.Unlock()
	from, err := unpack(r, as)
	if err != nil {
		return csvEnd{}, err
	}
	c := &cutter{in: in, line: 1, head: in.hasHeader}
	in.lock.Lock()
	in.found = from.as
	in.lock.Unlock()
	buf := in.buffer(max(min(in.size, smallFile), 3)) // a byte order mark has 3
	for n := 0; ; {
		var last bool
		if buf, n, last, err = c.fill(from, buf, n); err != nil {
			return c.end, err
		}
		if ctx.Err() != nil {
			return c.end, ctx.Err()
		}
		done := c.rows(buf[:n], last)
		if done == 0 && !last { // a row longer than the buffer
			if err := c.longRow(buf[:n]); err != nil {
				return c.end, err
			}
			larger := make([]byte, 2*len(buf))
			copy(larger, buf[:n])
			buf = larger
			continue
		}
		var rest []byte
		if !last {
			rest = in.buffer(max(in.size, 2*(n-done)))
		}
		left := copy(rest, buf[done:n])
		if done > 0 {
			if err := emit(c.piece(buf[:done])); err != nil {
				return c.end, err
			}
		}
		if last {
			return c.end, nil
		}
		buf, n = rest, left
	}
}

// fill reads on behind the n bytes in a buffer, which grows if the file is no small one, and tells
// whether they are the last. A byte order mark is left out.
func (c *cutter) fill(from io.Reader, buf []byte, n int) (filled []byte, bytesIn int, last bool, err error) {
	start := c.end.bytes == 0
	k, err := io.ReadFull(from, buf[n:])
	if err == nil && len(buf) < c.in.size {
		small := buf
		buf = c.in.buffer(c.in.size)
		var more int
		more, err = io.ReadFull(from, buf[copy(buf, small):])
		k += more
	}
	c.end.sum = crc32.Update(c.end.sum, castagnoli, buf[n:n+k])
	c.end.bytes += k
	n += k
	if last = errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF); err != nil && !last {
		return buf, n, last, err
	}
	if start && bytes.HasPrefix(buf[:n], []byte("\xef\xbb\xbf")) {
		c.end.bom = true
		n = copy(buf, buf[3:n])
	}
	return buf, n, last, nil
}

// buffer returns memory for a piece.
func (in *csvInput) buffer(n int) []byte {
	in.lock.Lock()
	defer in.lock.Unlock()
	if k := len(in.spare) - 1; k >= 0 && cap(in.spare[k]) >= n {
		b := in.spare[k]
		in.spare = in.spare[:k]
		return b[:cap(b)]
	}
	return make([]byte, n)
}

// free lets the memory of a piece be used again.
func (in *csvInput) free(p *piece) {
	const most = 64
	in.lock.Lock()
	defer in.lock.Unlock()
	if cap(p.buf) <= 4*in.size && len(in.spare) < most {
		in.spare = append(in.spare, p.buf)
	}
	p.buf = nil
}

// cutter counts the rows of a text and finds where they end.
type cutter struct {
	in     *csvInput
	end    csvEnd
	pos    int  // in the buffer, up to where lines were read
	line   int  // of pos
	quoted bool // pos is in a cell in quotes
	head   bool // the header is to come

	doneAt, doneLine int // the end of the last whole row
	doneRows         int
	pieceLine        int // of the piece to come, with its rows before
	pieceRows        int
	pieceHead        bool
	began            bool
}

// rows reads the lines of a buffer, and returns the length of its whole rows.
func (c *cutter) rows(buf []byte, last bool) int {
	if !c.began {
		c.began, c.pieceLine, c.pieceHead = true, c.line, c.head
	}
	hasQuotes := bytes.IndexByte(buf[c.pos:], '"') >= 0
	for c.pos < len(buf) {
		k := bytes.IndexByte(buf[c.pos:], '\n')
		if k < 0 && !last {
			break
		}
		next := c.pos + k + 1
		line := buf[c.pos:max(c.pos, next-1)]
		if k < 0 {
			next, line = len(buf), buf[c.pos:]
		}
		comment := false
		if !c.quoted {
			comment = c.classify(line)
		}
		if hasQuotes && !comment && bytes.Count(line, []byte{'"'})%2 == 1 {
			c.quoted = !c.quoted
		}
		c.pos = next
		c.line++
		if !c.quoted {
			c.doneAt, c.doneLine, c.doneRows = c.pos, c.line, c.end.rows
		}
	}
	if last {
		c.doneAt, c.doneLine, c.doneRows = len(buf), c.line, c.end.rows
	}
	return c.doneAt
}

// classify counts the line that a row would start with.
func (c *cutter) classify(line []byte) (comment bool) {
	if r := c.in.s.Comment; r != 0 && bytes.HasPrefix(line, []byte(string(r))) {
		c.end.text = true
		if c.end.comments++; c.end.comments == 1 {
			c.end.commentsAt = c.line
		}
		return true
	}
	if c.isBlank(line) {
		if c.end.empty++; c.end.empty == 1 {
			c.end.emptyAt = c.line
		}
		return false
	}
	c.end.text = true
	if c.head {
		c.head = false
		return false
	}
	c.end.rows++
	return false
}

// isBlank reports whether a line is no row: if it is empty, or isBlankRow of the header or a
// table of several columns.
func (c *cutter) isBlank(line []byte) bool {
	if len(line) == 0 || len(line) == 1 && line[0] == '\r' {
		return true
	}
	if line[0] > '"' && line[0] < utf8.RuneSelf || !c.head && len(c.in.names) == 1 {
		return false
	}
	inner := bytes.TrimSpace(line)
	if len(inner) > 0 && inner[0] == '"' {
		inner = bytes.TrimSpace(inner[1:])
		if len(inner) == 0 || inner[0] != '"' {
			return false
		}
	} else if len(inner) > 0 {
		return false
	}
	scan, err := newScanner(string(line), c.in.delimiter, 0)
	if err != nil {
		return false
	}
	row, _, _, err := scan.row()
	return err == nil && isBlankRow(row)
}

// isBlankRow reports whether a row is a blank line: one cell of blanks, of ASCII or beyond, in
// quotes or not, on one line. A table of one column has such rows, if they are not empty.
func isBlankRow(row []string) bool { return len(row) == 1 && isBlankCell(row[0]) }

func isBlankCell(cell string) bool {
	return strings.TrimSpace(cell) == "" && strings.IndexByte(cell, '\n') < 0
}

// piece returns the whole rows of a buffer.
func (c *cutter) piece(buf []byte) *piece {
	p := &piece{buf: buf, first: c.pieceRows, line: c.pieceLine, head: c.pieceHead}
	c.pieceLine, c.pieceRows, c.pieceHead = c.doneLine, c.doneRows, c.head
	c.pos -= len(buf)
	c.doneAt = 0
	return p
}

// longRow looks for what is wrong with a row that does not end.
func (c *cutter) longRow(buf []byte) error {
	delimiter := c.in.delimiter
	if delimiter == 0 {
		delimiter = sniff(string(buf), c.in.s.Comment)
	}
	scan, err := newScanner(string(buf), cmp.Or(delimiter, ','), c.in.s.Comment)
	if err != nil {
		return err
	}
	scan.line = c.pieceLine
	open := scan.line
	for {
		_, _, line, err := scan.row()
		if line == 0 || err != nil && strings.Contains(err.Error(), "is not closed") {
			break
		}
		if err != nil {
			return err
		}
		open = line
	}
	if len(buf) > maxRow {
		return errorf(ErrCSV, "the row on line %d is longer than %d MB; is a quote not closed?", open, maxRow>>20)
	}
	return nil
}

// checkUTF8 returns an error for a piece that is not UTF-8.
func (p *piece) checkUTF8() error {
	if utf8.Valid(p.buf) {
		return nil
	}
	return &notUTF8{p.line - 1 + invalidLine(p.text())}
}
