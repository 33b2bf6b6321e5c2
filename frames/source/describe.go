package source

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/frames/internal/table"
	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
)

// sampleRows is how many rows quantiles are taken from where rows are read.
const sampleRows = 16384

// Description describes the columns of a source.
type Description struct {
	Source  string
	Rows    int
	Columns []ColumnDescription
	// Sampled is how many rows quantiles were taken from: all, or a sample of 16,384; see
	// Source.Describe. Quantiles are those of mlreg.SampleQuantile; of a sample, a quantile
	// at p has a standard error in p of sqrt(p(1-p)/Sampled), 0.4 points at the median.
	Sampled int
	// Route says whether the database computed it or rows were read.
	Route Route
}

// ColumnDescription describes a column. Of text, the numbers are NaN.
type ColumnDescription struct {
	Name    string
	Type    series.Type // int, float, bool or string
	Dates   bool        // text that is dates in ISO form
	Note    string      // why a column that looks like numbers is text
	Missing int
	// Distinct is the number of distinct values; -1 if there are more than 1000 and quantiles
	// are of a sample.
	Distinct           int
	Mean, SD, Min, Max float64
	Q25, Median, Q75   float64
	first, last        string // of text, in byte order
	beyond             int    // integers of 2^53 or more
	infinite           int
	ints               bool // of a file whose cells are integers
}

// Column returns the description of a column.
func (d *Description) Column(name string) (*ColumnDescription, error) {
	if d == nil {
		return nil, errorf(frames.ErrNoRows, "the description is nil")
	}
	var names []string
	for k := range d.Columns {
		if d.Columns[k].Name == name {
			return &d.Columns[k], nil
		}
		names = append(names, d.Columns[k].Name)
	}
	return nil, errorf(frames.ErrNoColumn, "no column %q; there are %s", name, strings.Join(names, ", "))
}

// describer collects what Describe tells of a column.
type describer struct {
	n, missing, whole int
	shift, mean, ss   float64 // the mean less the first finite value, and squares about it
	low, high         float64
	infinite, beyond  int
	texts             map[string]bool
	numbers           map[float64]bool
	long              map[[2]float64]bool // integers beyond 2^53
	many              bool                // distinct values
	written           bool                // a cell of a file that is no integer
	first, last       string
}

func (c *describer) add(col *table.Column) {
	if col.Type == series.String {
		for i, s := range col.Text {
			switch {
			case col.Missing[i]:
				c.missing++
				continue
			case c.n == 0 || s < c.first:
				c.first = strings.Clone(s)
			}
			if c.n++; s > c.last {
				c.last = strings.Clone(s)
			}
			if !c.many && !c.texts[s] {
				if c.texts == nil {
					c.texts = make(map[string]bool)
				}
				c.texts[strings.Clone(s)] = true
				c.many = len(c.texts) > 1000
			}
		}
		return
	}
	c.written = c.written || !col.Ints
	for i, v := range col.Num {
		if col.Missing[i] {
			c.missing++
			continue
		}
		if c.n == 0 || v < c.low {
			c.low = v
		}
		if c.n == 0 || v > c.high {
			c.high = v
		}
		c.n++
		if low := col.LowAt(i); !c.many {
			c.count(v, low)
		}
		if math.IsInf(v, 0) {
			c.infinite++
			continue
		}
		if v == math.Trunc(v) {
			c.whole++
			if math.Abs(v) >= 1<<53 {
				c.beyond++
			}
		}
		if c.n == c.infinite+1 {
			c.shift = v
		}
		v -= c.shift
		delta := v - c.mean
		c.mean += delta / float64(c.n-c.infinite)
		c.ss += delta * (v - c.mean)
	}
}

// count counts a number among the distinct ones.
func (c *describer) count(v, low float64) {
	if c.numbers == nil {
		c.numbers, c.long = make(map[float64]bool), make(map[[2]float64]bool)
	}
	switch key := [2]float64{v, low}; {
	case low != 0 && !c.long[key]:
		c.long[key] = true
	case low == 0 && !c.numbers[v]:
		c.numbers[v] = true
	}
	c.many = len(c.numbers)+len(c.long) > 1000
}

// Describe describes the columns, as frames.Describe does those of a frame; a second call
// returns the same without a pass. Source.By forces a route. Statistics of integers beyond
// 2^53 are those of the nearest float64, and distinct ones are counted exactly.
//
// DuckDB and ClickHouse count distinct values and find means, standard deviations about them
// and quartiles themselves, by a few queries: the quartiles of up to 4 million rows by their
// own functions or by sorting one column after the other, and those of more by counting in
// ever smaller bins, exactly and without sorting. PostgreSQL and SQLite would take several
// times as long as reading the rows: their rows are read, a few columns at a time whose values
// are held, at most 4 million, and the description is as exact; the distinct values of a text
// with more than 1000 are counted there. Of more rows than that, and of files, a single pass
// takes quantiles from a sample and counts up to 1000 distinct values.
func (s *Source) Describe(ctx context.Context) (*Description, error) {
	if err := s.check(ctx); err != nil {
		return nil, err
	}
	s.lock.Lock()
	defer s.lock.Unlock()
	stats := s.stats
	err := s.steady(func() error {
		var err error
		if stats == nil {
			stats, err = s.describe(ctx)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	s.stats = stats
	return stats, nil
}

func (s *Source) describe(ctx context.Context) (*Description, error) {
	if e, ok := s.e.(*sqlEngine); ok && s.route != Streamed {
		d, err := s.describeTable(ctx, e)
		switch {
		case !refused(err):
			return d, err
		case s.route == Pushed:
			return nil, errorf(frames.ErrSetting, "the description cannot be pushed down: %v", err)
		}
	}
	fields, err := s.e.fields(ctx)
	if err != nil {
		return nil, err
	}
	return s.describeRows(ctx, s.e, fields, false)
}

// describeRows describes columns by one pass. All values are held for quantiles, or those of a
// sample of rows.
func (s *Source) describeRows(ctx context.Context, e engine, fields []table.Field, all bool) (*Description, error) {
	about := make([]describer, len(fields))
	for j, f := range fields {
		about[j].many = all && f.Type != series.String // their values are held
	}
	draw, pool := newBottom(sampleRows, 1), make([]table.Column, len(fields))
	out := &Description{Source: s.String(), Route: Streamed}
	_, err := each(ctx, e, s.query(fields, namesOf(fields)), func(b *table.Block) error {
		out.Rows += b.N
		for j, f := range fields {
			about[j].add(b.Column(f.Name))
		}
		for i := range b.N {
			at, ok := out.Rows-b.N+i, true
			if !all {
				at, ok = draw.take(b.Number(i))
			}
			if !ok {
				continue
			}
			for j, f := range fields {
				if f.Type == series.String {
					continue
				}
				from, to := b.Column(f.Name), &pool[j]
				if at == len(to.Num) {
					to.AppendNumber(0, 0)
				}
				if to.Set(at, from.Num[i], from.LowAt(i)); from.Missing[i] {
					to.Set(at, math.NaN(), 0)
				}
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if out.Rows == 0 {
		return nil, errorf(frames.ErrNoRows, "%s has no rows", s)
	}
	if out.Sampled = len(draw.drawn); all {
		out.Sampled = out.Rows
	}
	for j, f := range fields {
		out.Columns = append(out.Columns, about[j].column(f, &pool[j], all))
	}
	return out, nil
}

// sortedValues returns the numbers of a column that are not NaN, sorted, and how many are
// distinct.
func sortedValues(c *table.Column) (sorted []float64, distinct int) {
	if c.Low == nil {
		sorted = slices.DeleteFunc(c.Num, math.IsNaN)
		slices.Sort(sorted)
		for i, v := range sorted {
			if i == 0 || v != sorted[i-1] {
				distinct++
			}
		}
		return sorted, distinct
	}
	var pairs [][2]float64
	for i, v := range c.Num {
		if v == v {
			pairs = append(pairs, [2]float64{v, c.Low[i]})
		}
	}
	slices.SortFunc(pairs, func(a, b [2]float64) int { return table.Compare(a[0], a[1], b[0], b[1]) })
	for i, v := range pairs {
		if sorted = append(sorted, v[0]); i == 0 || v != pairs[i-1] {
			distinct++
		}
	}
	return sorted, distinct
}

// column describes a column by what was collected and a sample of it, or all of its values.
func (c *describer) column(f table.Field, drawn *table.Column, all bool) ColumnDescription {
	nan := math.NaN()
	d := ColumnDescription{Name: f.Name, Type: f.Type, Dates: f.Dates, Note: f.Note, Missing: c.missing, Distinct: -1,
		Mean: nan, SD: nan, Min: nan, Max: nan, Q25: nan, Median: nan, Q75: nan, first: c.first, last: c.last, beyond: c.beyond, infinite: c.infinite, ints: !c.written}
	if !c.many {
		d.Distinct = len(c.texts) + len(c.numbers) + len(c.long)
	}
	if f.Type == series.String {
		return d
	}
	if f.Type == series.Float && c.n > 0 && c.whole == c.n {
		d.Type = series.Int
	}
	sample, distinct := sortedValues(drawn)
	if all {
		d.Distinct = distinct
	}
	if c.n == 0 {
		return d
	}
	d.Min, d.Max = c.low, c.high
	if c.infinite == 0 {
		if d.Mean = c.shift + c.mean; c.low == c.high {
			d.Mean = c.low
		}
		if c.n > 1 {
			d.SD = math.Sqrt(c.ss / float64(c.n-1))
		}
	}
	if len(sample) > 0 {
		d.Q25, d.Median, d.Q75 = mlreg.SampleQuantile(sample, .25), mlreg.SampleQuantile(sample, .5), mlreg.SampleQuantile(sample, .75)
	}
	return d
}

// NRow returns the number of rows, by one pass.
func (s *Source) NRow(ctx context.Context) (int, error) {
	if err := s.check(ctx); err != nil {
		return 0, err
	}
	if e, ok := s.e.(sampler); ok {
		if n, err := e.count(ctx, query{where: s.where}); !refused(err) {
			return n, err
		}
	}
	d, err := s.Describe(ctx)
	if err != nil {
		return 0, err
	}
	return d.Rows, nil
}

// Frame returns the description as a data frame, a row for every column.
func (d *Description) Frame() (dataframe.DataFrame, error) {
	if d == nil {
		return dataframe.DataFrame{}, errorf(frames.ErrNoRows, "the description is nil")
	}
	var name, typ []string
	var missing, distinct []int
	var values [7][]float64
	for _, c := range d.Columns {
		name, typ = append(name, c.Name), append(typ, c.kind())
		missing, distinct = append(missing, c.Missing), append(distinct, c.Distinct)
		for k, v := range []float64{c.Mean, c.SD, c.Min, c.Q25, c.Median, c.Q75, c.Max} {
			values[k] = append(values[k], v)
		}
	}
	return frames.Frame(frames.Col("column", name), frames.Col("type", typ), frames.Col("missing", missing), frames.Col("distinct", distinct),
		frames.Col("mean", values[0]), frames.Col("sd", values[1]), frames.Col("min", values[2]), frames.Col("q25", values[3]),
		frames.Col("median", values[4]), frames.Col("q75", values[5]), frames.Col("max", values[6]))
}

func (c *ColumnDescription) kind() string {
	if c.Dates {
		return "date"
	}
	return string(c.Type)
}

// String returns the description as text, one line a column.
func (d *Description) String() string {
	if d == nil {
		return "no description"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d rows, %d columns\n", format.Line(d.Source), d.Rows, len(d.Columns))
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "column\ttype\tmissing\tmean\tsd\tmin\tmedian\tmax")
	for _, c := range d.Columns {
		if c.Type == series.String {
			distinct := fmt.Sprintf("%d distinct", c.Distinct)
			if c.Distinct < 0 {
				distinct = "more than 1000 distinct"
			}
			fmt.Fprintf(w, "%s\t%s\t%d\t%s\t\t%s\t\t%s\n", format.Line(c.Name), c.kind(), c.Missing, distinct, format.Line(c.first), format.Line(c.last))
			continue
		}
		fmt.Fprintf(w, "%s\t%s\t%d\t%.5g\t%.4g\t%.6g\t%.5g\t%.6g\n", format.Line(c.Name), c.kind(), c.Missing, c.Mean, c.SD, c.Min, c.Median, c.Max)
	}
	if err := w.Flush(); err != nil {
		return err.Error()
	}
	if d.Sampled < d.Rows {
		fmt.Fprintf(&b, "medians are of a sample of %d rows\n", d.Sampled)
	}
	for _, c := range d.Columns {
		if c.Note != "" {
			fmt.Fprintf(&b, "note: %s: %s\n", format.Line(c.Name), format.Line(c.Note))
		}
		if c.infinite > 0 {
			fmt.Fprintf(&b, "note: %s: %d values are infinite\n", format.Line(c.Name), c.infinite)
		}
		if c.beyond > 0 {
			fmt.Fprintf(&b, "note: %s: %d integers are 2^53 or more; statistics are those of the nearest float64\n", format.Line(c.Name), c.beyond)
		}
	}
	return b.String()
}
