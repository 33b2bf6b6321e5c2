package frames

import (
	"context"
	"errors"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"github.com/regbook/regbook/frames/internal/table"
)

// tableReader collects the pieces of a file as a data frame.
type tableReader struct {
	in      *csvInput
	columns []csvColumn
	parts   [][]*cells // by column, then by piece
	first   []int      // the rows before each piece
	rows    int
}

// readRows reads a file by pieces. Columns that start as numbers are read as numbers;
// if a cell is none, the file is read again, with the cells of that column kept as text.
func readRows(open func() (io.ReadCloser, error), s CSVSettings) (*CSV, error) {
	return readPieces(newCSVInput(open, s), nil)
}

// readPieces reads a table; keep tells of which columns the cells are to be kept as
// text, whatever they are.
func readPieces(in *csvInput, keep func(column int) bool) (*CSV, error) {
	c, err := readWhole(in, keep)
	if err == nil {
		return c, nil
	}
	if err := in.recognize(err); err != nil {
		return nil, err
	}
	in.again()
	return readWhole(in, keep)
}

// readWhole is readPieces of a file whose encoding is known.
func readWhole(in *csvInput, keep func(column int) bool) (*CSV, error) {
	r := &tableReader{in: in}
	if err := in.begin(r.guess); err != nil {
		return nil, err
	}
	if err := in.checkSettings(); err != nil {
		return nil, err
	}
	for j := range r.columns {
		if keep != nil && keep(j) {
			r.columns[j].mode = keepCells
		}
	}
	end, err := r.read()
	for {
		var wrong conflicts
		if !errors.As(err, &wrong) {
			break
		}
		for _, w := range wrong {
			r.columns[w.column].mode = keepCells
		}
		end, err = r.read()
	}
	if err != nil {
		return nil, err
	}
	return r.table(end)
}

// guess finds the columns that start with numbers: it reads all as numbers that no setting speaks of.
func (r *tableReader) guess(p *piece) error {
	s := &r.in.s
	r.columns = make([]csvColumn, len(r.in.names))
	for j, name := range r.in.names {
		r.columns[j] = csvColumn{name: name, mode: numberCells}
		if _, forced := s.Types[name]; forced || s.Clean[name] != nil || s.Dates[name] != "" {
			r.columns[j].mode = skipCells
		}
	}
	_, err := r.in.parse(p, r.columns, true)
	var wrong conflicts
	if err != nil && !errors.As(err, &wrong) {
		return err
	}
	for _, w := range wrong {
		r.columns[w.column].mode = keepCells
	}
	for j := range r.columns {
		if r.columns[j].mode == skipCells {
			r.columns[j].mode = keepCells
		}
	}
	return nil
}

// read makes a pass over the file.
func (r *tableReader) read() (csvEnd, error) {
	r.parts, r.first, r.rows = make([][]*cells, len(r.columns)), nil, 0
	var end csvEnd
	err := table.InOrder(context.Background(), func(ctx context.Context, emit func(*piece) error) error {
		var err error
		end, err = r.in.pass(ctx, emit)
		return err
	}, func(p *piece) (*parsedPiece, error) {
		defer r.in.free(p)
		return r.in.parse(p, r.columns, true)
	}, func(p *parsedPiece) error {
		for j, c := range p.columns {
			c.Missing = nil // NaN says it
			r.parts[j] = append(r.parts[j], c)
		}
		r.first = append(r.first, r.rows)
		r.rows += p.rows
		return nil
	})
	return end, err
}

// table makes the frame and the report.
func (r *tableReader) table(end csvEnd) (*CSV, error) {
	if r.rows == 0 {
		return nil, r.in.noRows(end)
	}
	rep := CSVReport{Rows: r.rows, Delimiter: r.in.delimiter}
	if text := r.in.report(); text != "" {
		rep.repair("%s", text)
	}
	if end.bom {
		rep.repair("byte order mark dropped")
	}
	rep.skipped("blank", end.empty, end.emptyAt)
	rep.skipped("comment", end.comments, end.commentsAt)
	rep.Repairs = append(rep.Repairs, r.in.repairs...)
	rep.Columns = make([]ColumnReport, len(r.columns))
	others := make([]*column, len(r.columns))
	var p *parsed
	for j := range r.columns {
		c, about := &r.columns[j], &rep.Columns[j]
		about.Name = c.name
		if c.mode == numberCells {
			r.typeOfNumbers(r.parts[j], about)
			continue
		}
		if p == nil {
			p = newParsed(r.rows, &r.in.s)
		}
		text, how := r.kept(j)
		p.fill(text, how, r.in.s.Clean[c.name], about)
		var err error
		if others[j], err = p.typed(about, &r.in.s); err != nil {
			return nil, err
		}
	}
	p = nil
	df, err := frameToFill(rep.Columns, r.rows)
	if err != nil {
		return nil, err
	}
	columns := columnsByReference(df)
	for j, about := range rep.Columns {
		if others[j] != nil {
			others[j].fill(columns[about.Name])
		} else {
			r.setNumbers(r.parts[j], columns[about.Name])
		}
		r.parts[j], others[j] = nil, nil
	}
	return &CSV{df, rep}, nil
}

// frameToFill returns a frame whose values are to be set. (dataframe.New copies what it
// is given, and a table would be in memory twice.)
func frameToFill(columns []ColumnReport, rows int) (dataframe.DataFrame, error) {
	places := make([]int, rows)
	blank := make(map[series.Type]series.Series)
	all := make([]series.Series, len(columns))
	for j, c := range columns {
		s, ok := blank[c.Type]
		if !ok {
			s = zeros(c.Type).Subset(places)
			blank[c.Type] = s
		}
		all[j] = s
		all[j].Name = c.Name
	}
	df := dataframe.New(all...)
	if df.Err != nil {
		return df, errorf(ErrCSV, "%v", df.Err)
	}
	return df, nil
}

// kept returns the cells of a column that were kept as text.
func (r *tableReader) kept(j int) (text []string, how []mark) {
	text = make([]string, 0, r.rows)
	for k, c := range r.parts[j] {
		if c.quoted != nil && how == nil {
			how = make([]mark, len(text), r.rows)
		}
		text = append(text, c.Text...)
		switch {
		case c.quoted != nil:
			how = append(how, c.quoted...)
		case how != nil:
			how = how[:len(text)]
		}
		r.parts[j][k] = nil
	}
	return text, how
}

// typeOfNumbers decides whether numbers are integers, and reports on them.
func (r *tableReader) typeOfNumbers(parts []*cells, about *ColumnReport) {
	decimal, missing := 0, 0
	for _, c := range parts {
		decimal += c.decimal
		missing += c.Count
	}
	about.Type = series.Int
	switch {
	case missing == r.rows:
		about.Type, about.Note = series.Float, "no values"
	case decimal > 0:
		about.Type = series.Float
	}
	r.reportNumbers(parts, about)
}

// setNumbers sets the elements of a series.
func (r *tableReader) setNumbers(parts []*cells, s series.Series) {
	var v cell
	for k, c := range parts {
		for i, x := range c.Num {
			e := s.Elem(r.first[k] + i)
			if math.IsNaN(x) {
				e.Set(nil)
				continue
			}
			v.num = x
			v.whole, _ = table.Int(x, c.LowAt(i))
			e.Set(&v)
		}
		parts[k] = nil
	}
}

// reportNumbers reports what parsed.fill and parsed.report would.
func (r *tableReader) reportNumbers(parts []*cells, about *ColumnReport) {
	m := marks{r.in.s.Decimal, r.in.s.Thousands}
	for k, c := range parts {
		for _, o := range c.odd {
			quoted := o.how&quotedCell != 0
			if !quoted && len(strings.TrimSpace(o.cell)) != len(o.cell) || o.how&spacedCell != 0 {
				about.change(blanksDropped, r.first[k]+o.row, o.cell)
			}
		}
	}
	for k, c := range parts {
		for _, gap := range c.gaps {
			gap.Row += r.first[k]
			about.addMissing(gap)
		}
		for _, o := range c.odd {
			quoted := o.how&quotedCell != 0
			cell, row := o.cell, r.first[k]+o.row
			if !quoted {
				cell = strings.TrimSpace(cell)
			}
			if v := c.Num[o.row]; !math.IsNaN(v) {
				m.reportValue(about, row, cell, quoted, v)
				continue
			}
			about.addMissing(CellCount{strings.TrimSpace(cell), 1, row})
			if quoted {
				about.change("taken as missing, though in quotes", row, cell)
			}
		}
	}
	slices.SortFunc(about.Marks, func(a, b CellCount) int { return a.Row - b.Row })
}
