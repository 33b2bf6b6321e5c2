package source

import (
	"context"
	"slices"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/frames/internal/table"
)

// maxGroups is how many groups a summary may have.
const maxGroups = 1_000_000

// Grouped is a source with its rows in groups. GroupBy makes it.
type Grouped struct {
	s    *Source
	keys []string
}

// GroupBy puts rows that are equal in all the given columns or expressions into a group,
// as frames.GroupBy does; without keys all rows are one group. Numbers are made into bins
// by an expression:
//
//	far := flights.GroupBy("miles = 100*floor(distance/100)", "carrier")
//	df, err := far.Summarise(ctx, "n()", "delay = mean(delay, na.rm = TRUE)")
func (s *Source) GroupBy(keys ...string) *Grouped { return &Grouped{s, keys} }

// Summarise returns a frame with a row for every group, sorted by the keys: the keys, and
// a column for every summary, of n, mean, sum, sd, var, min, max, any, all and n_distinct,
// which mean what they mean in frames.Grouped.Summarise. Others, such as median, need all
// values of a group at once and are refused, as are more than a million groups.
//
// It is one pass over the rows. A database computes n, mean, sum, sd, var, min and max of
// numbers itself if it can, in one query, sums about the mean of the group (ClickHouse
// reads rows for sd and var): see Route, and Source.By to force one.
func (g *Grouped) Summarise(ctx context.Context, summaries ...string) (dataframe.DataFrame, error) {
	none := dataframe.DataFrame{}
	if g == nil {
		return none, nilSource
	}
	if err := g.s.check(ctx); err != nil {
		return none, err
	}
	var out dataframe.DataFrame
	err := g.s.steady(func() error {
		summary, q, err := g.summary(ctx, summaries)
		if err != nil {
			return err
		}
		if err = g.s.pushed(ctx, q, summary); refused(err) && g.s.route != Pushed {
			_, err = each(ctx, g.s.e, q, summary.Add)
		}
		if err != nil {
			return forced(err)
		}
		out, err = summary.Result()
		return err
	})
	if err != nil {
		return none, err
	}
	return out, out.Err
}

// summary reads keys and summaries.
func (g *Grouped) summary(ctx context.Context, summaries []string) (table.Summary, query, error) {
	fields, err := g.s.e.fields(ctx)
	if err != nil {
		return nil, query{}, err
	}
	summary, err := table.Frames.Summarise(g.keys, summaries, fields, table.Limits{Levels: maxGroups})
	if err != nil {
		return nil, query{}, err
	}
	return summary, g.s.query(fields, summary.Columns()), nil
}

// Route returns how Summarise computes these summaries, Pushed or Streamed, and why they
// are streamed. Nothing is read. Errors are those of Summarise about its arguments.
func (g *Grouped) Route(ctx context.Context, summaries ...string) (route Route, why string, err error) {
	if g == nil {
		return Automatic, "", nilSource
	}
	if err := g.s.check(ctx); err != nil {
		return Automatic, "", err
	}
	summary, q, err := g.summary(ctx, summaries)
	if err != nil {
		return Automatic, "", err
	}
	e, err := g.s.grouper()
	if err == nil {
		_, err = e.groups(ctx, q, summary)
	}
	switch {
	case err == nil:
		return Pushed, "", nil
	case refused(err) && g.s.route != Pushed:
		return Streamed, err.Error(), nil
	}
	return Automatic, "", forced(err)
}

// grouper returns the engine that computes groups where the rows are, or a *notPushed.
func (s *Source) grouper() (*sqlEngine, error) {
	e, ok := s.e.(*sqlEngine)
	switch {
	case s.route == Streamed:
		return nil, refuse("as set")
	case !ok:
		return nil, refuse("%s computes no sums", s.e)
	}
	return e, nil
}

// pushed has the engine compute a summary. A *notPushed says why it does not.
func (s *Source) pushed(ctx context.Context, q query, summary table.Summary) error {
	e, err := s.grouper()
	if err != nil {
		return err
	}
	plan, err := e.groups(ctx, q, summary)
	if err != nil {
		return err
	}
	return plan.compute(ctx, summary)
}

// forced returns the error of what cannot be pushed down and has to be.
func forced(err error) error {
	if refused(err) {
		return errorf(frames.ErrSetting, "the summaries cannot be pushed down: %v", err)
	}
	return err
}

// Count returns the number n of rows in every group.
func (g *Grouped) Count(ctx context.Context) (dataframe.DataFrame, error) {
	return g.Summarise(ctx, "n = n()")
}

// Histogram counts the values of a column in bins of equal width between the least and
// the largest: a frame of the columns from, to and n, one row a bin. The last bin has the
// largest value. Missing values are not counted. It makes two passes, or one if the
// source was described before. A database counts itself, by two queries; Source.By forces
// a route.
func (s *Source) Histogram(ctx context.Context, column string, bins int) (dataframe.DataFrame, error) {
	none := dataframe.DataFrame{}
	if err := s.check(ctx); err != nil {
		return none, err
	}
	if err := checkBins(bins); err != nil {
		return none, err
	}
	x, counts, err := s.pushedHistogram(ctx, column, bins)
	if refused(err) && s.route != Pushed {
		x, counts, err = s.streamedHistogram(ctx, column, bins)
	}
	if err != nil {
		return none, forced(err)
	}
	from, to := make([]float64, bins), make([]float64, bins)
	for k := range bins {
		from[k], to[k] = x.edge(k, bins), x.edge(k+1, bins)
	}
	return frames.Frame(frames.Col("from", from), frames.Col("to", to), frames.Col("n", counts))
}

// streamedHistogram counts the rows that are read.
func (s *Source) streamedHistogram(ctx context.Context, column string, bins int) (interval, []int, error) {
	x, err := s.numeric(ctx, column, bins)
	if err != nil {
		return x, nil, err
	}
	counts := make([]int, bins)
	err = s.visit(ctx, []string{column}, func(b *table.Block) error {
		c := b.Column(column)
		for i, v := range c.Num {
			if !c.Missing[i] {
				counts[x.bin(v, bins)]++
			}
		}
		return nil
	})
	return x, counts, err
}

// pushedHistogram has the engine count the rows of every bin.
func (s *Source) pushedHistogram(ctx context.Context, column string, bins int) (x interval, counts []int, err error) {
	if _, err := s.grouper(); err != nil {
		return x, nil, err
	}
	fields, err := s.e.fields(ctx)
	if err != nil {
		return x, nil, err
	}
	if !isNumeric(fields, column) {
		return x, nil, refuse("%q is no column of numbers", column) // reading tells
	}
	counts = make([]int, bins)
	err = held(ctx, s.e, func(e engine) error {
		held := &Source{e: e, where: s.where, route: s.route}
		about, err := held.rangeOf(ctx, fields, column)
		if err != nil {
			return err
		}
		x = interval{about.Least, about.Largest}
		if x.low == x.high {
			counts[0] = about.N
			return nil
		}
		each := &tally{keys: []table.Key{{Field: table.Field{Name: "bin", Type: series.Float}, Expr: x.binOf(column, bins)}}, calls: []table.Call{{Fn: "n"}}}
		if err := held.pushed(ctx, held.query(fields, []string{column}), each); err != nil {
			return err
		}
		total := 0
		for g, v := range each.groups[0].Num {
			n := each.sums[0][g].N
			if !each.groups[0].Missing[g] {
				counts[min(max(int(v), 0), bins-1)] += n
				total += n
			}
		}
		if total != about.N {
			return errorf(ErrChanged, "%s had %d values of %q and has %d now", s, about.N, column, total)
		}
		return nil
	})
	return x, counts, err
}

// isNumeric tells whether a column is one of numbers.
func isNumeric(fields []table.Field, column string) bool {
	return slices.ContainsFunc(fields, func(f table.Field) bool { return f.Name == column && f.Type != series.String })
}

// binOf is floor((column - low)/(high - low) * bins).
func (x interval) binOf(column string, bins int) *table.Node {
	bin := &table.Node{Kind: table.ColumnNode, Text: column, Src: column}
	for _, step := range []struct {
		op string
		by float64
	}{{"-", x.low}, {"/", x.high - x.low}, {"*", float64(bins)}} {
		bin = &table.Node{Kind: table.BinaryNode, Text: step.op, Args: []*table.Node{bin, {Kind: table.NumberNode, Value: step.by}}, Src: column}
	}
	return &table.Node{Kind: table.CallNode, Text: "floor", Args: []*table.Node{bin}, Src: column}
}

// rangeOf has the engine count the values of a column of numbers, and find their ends.
func (s *Source) rangeOf(ctx context.Context, fields []table.Field, column string) (about table.GroupSums, err error) {
	all := &tally{calls: []table.Call{{Fn: "min", Expr: &table.Node{Kind: table.ColumnNode, Text: column, Src: column}}}}
	if err := s.pushed(ctx, s.query(fields, []string{column}), all); err != nil {
		return about, err
	}
	if len(all.sums[0]) == 0 {
		return about, errorf(frames.ErrNoRows, "%s has no rows", s)
	}
	about = all.sums[0][0]
	switch width := about.Largest - about.Least; {
	case about.N == 0:
		return about, errorf(frames.ErrMissing, "column %q has no values: all %d are missing", column, about.Missing)
	case width-width != 0:
		return about, errorf(frames.ErrNotFinite, "column %q has values from %v to %v", column, about.Least, about.Largest)
	}
	return about, nil
}

// tally is a table.Summary of what an engine counts.
type tally struct {
	keys   []table.Key
	calls  []table.Call
	groups []*table.Column
	sums   [][]table.GroupSums
}

func (t *tally) Columns() []string                    { return nil }
func (t *tally) Add(*table.Block) error               { return nil }
func (t *tally) Result() (dataframe.DataFrame, error) { return dataframe.DataFrame{}, nil }
func (t *tally) Keys() []table.Key                    { return t.keys }
func (t *tally) Calls() []table.Call                  { return t.calls }
func (t *tally) SetGroups(keys []*table.Column, sums [][]table.GroupSums) {
	t.groups, t.sums = keys, sums
}

func checkBins(bins int) error {
	if bins < 1 || bins > 4096 {
		return errorf(frames.ErrSetting, "%d bins; there are 1 to 4096", bins)
	}
	return nil
}

// Grid has the number of rows in each cell of a grid over two columns.
type Grid struct {
	X, Y                   string // the columns
	MinX, MaxX, MinY, MaxY float64
	Bins                   int   // along each side
	Counts                 []int // Bins x Bins; the cells of one x are consecutive
}

// Scatter counts rows in the cells of a grid over two columns, between their least and
// largest values: what a scatter plot of a million rows shows. Rows in which one of the
// two is missing are not counted. Passes are as for Histogram.
func (s *Source) Scatter(ctx context.Context, x, y string, bins int) (*Grid, error) {
	a, err := s.numeric(ctx, x, bins)
	if err != nil {
		return nil, err
	}
	b, err := s.numeric(ctx, y, bins)
	if err != nil {
		return nil, err
	}
	g := &Grid{X: x, Y: y, MinX: a.low, MaxX: a.high, MinY: b.low, MaxY: b.high, Bins: bins, Counts: make([]int, bins*bins)}
	err = s.visit(ctx, []string{x, y}, func(block *table.Block) error {
		u, v := block.Column(x), block.Column(y)
		for i := range block.N {
			if !u.Missing[i] && !v.Missing[i] {
				g.Counts[a.bin(u.Num[i], bins)*bins+b.bin(v.Num[i], bins)]++
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return g, nil
}

// At returns the number of rows in the cell that has the point, 0 outside of the grid.
func (g *Grid) At(x, y float64) float64 {
	if g == nil || len(g.Counts) != g.Bins*g.Bins {
		return 0
	}
	if !(x >= g.MinX && x <= g.MaxX && y >= g.MinY && y <= g.MaxY) {
		return 0
	}
	return float64(g.Counts[interval{g.MinX, g.MaxX}.bin(x, g.Bins)*g.Bins+interval{g.MinY, g.MaxY}.bin(y, g.Bins)])
}

// visit makes a pass over columns.
func (s *Source) visit(ctx context.Context, columns []string, visit func(*table.Block) error) error {
	n, err := s.NRow(ctx)
	if err != nil {
		return err
	}
	fields, err := s.e.fields(ctx)
	if err != nil {
		return err
	}
	rows := 0
	err = s.steady(func() error {
		_, err := each(ctx, s.e, s.query(fields, columns), func(b *table.Block) error {
			rows += b.N
			return visit(b)
		})
		return err
	})
	if err == nil && rows != n {
		err = errorf(ErrChanged, "%s had %d rows when they were counted and has %d now; open it again", s, n, rows)
	}
	return err
}

// interval is the range of a column.
type interval struct{ low, high float64 }

func (x interval) edge(k, bins int) float64 {
	if k == bins {
		return x.high
	}
	return x.low + (x.high-x.low)*float64(k)/float64(bins)
}

func (x interval) bin(v float64, bins int) int {
	if x.high == x.low {
		return 0
	}
	k := int((v - x.low) / (x.high - x.low) * float64(bins))
	return min(max(k, 0), bins-1)
}

// numeric returns the range of a column of numbers.
func (s *Source) numeric(ctx context.Context, column string, bins int) (interval, error) {
	if err := checkBins(bins); err != nil {
		return interval{}, err
	}
	if err := s.check(ctx); err != nil {
		return interval{}, err
	}
	fields, err := s.e.fields(ctx)
	if err != nil {
		return interval{}, err
	}
	if isNumeric(fields, column) {
		about, err := s.rangeOf(ctx, fields, column)
		if !refused(err) {
			return interval{about.Least, about.Largest}, err
		}
	}
	d, err := s.Describe(ctx)
	if err != nil {
		return interval{}, err
	}
	c, err := d.Column(column)
	if err != nil {
		return interval{}, err
	}
	if c.Type == "string" {
		return interval{}, errorf(frames.ErrNotNumeric, "column %q is text, not numbers", column)
	}
	if c.Missing == d.Rows {
		return interval{}, errorf(frames.ErrMissing, "column %q has no values: all %d are missing", column, d.Rows)
	}
	if width := c.Max - c.Min; width-width != 0 {
		return interval{}, errorf(frames.ErrNotFinite, "column %q has values from %v to %v", column, c.Min, c.Max)
	}
	return interval{c.Min, c.Max}, nil
}
