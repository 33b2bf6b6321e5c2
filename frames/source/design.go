package source

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/frames/internal/table"
	"github.com/regbook/regbook/internal/compressed"
	"github.com/regbook/regbook/mlreg"
)

// Route is how the sums of a design are computed.
type Route int

const (
	// Automatic takes the one that is estimated to be faster (Dialect.Costs), by the number of columns of the
	// formula and of the table, of rows where the database has that at hand, and by how fast rows of a server come, which
	// is measured once for a table: where they take five times as long as on one machine or more, sums are
	// computed there unless that takes longer still. Design.String says why. So DuckDB sums up to some twenty columns of a
	// large table, ClickHouse some fifteen and PostgreSQL seven. The steps of a likelihood (Dialect.Step) are estimated by
	// themselves: see DesignSettings.Route.
	Automatic Route = iota
	// Pushed has the engine compute sums where the rows are.
	Pushed
	// Streamed reads the rows and sums them here.
	Streamed
)

// String returns "automatic", "pushed down" or "streamed".
func (r Route) String() string {
	switch r {
	case Automatic:
		return "automatic"
	case Pushed:
		return "pushed down"
	case Streamed:
		return "streamed"
	}
	return fmt.Sprintf("Route(%d)", int(r))
}

// DesignSettings are the options of Source.Design. Those that frames.DesignSettings has,
// too, mean the same.
type DesignSettings struct {
	NA            frames.NAPolicy
	Weights       string
	Contrasts     frames.Contrasts
	LearnComplete bool

	// Route forces a route; the default is Automatic. Design.String says if that would take the
	// other, and why. Pushed is also for the steps of Newton's method by which mlreg.FitLogistic, and mlreg.FitGLM with
	// LogitLink or LogLink of counts, fit terms of numbers. Automatic sums these there, too, if sums are pushed down and eight such
	// steps are estimated to take less time than as many passes over the rows, or than one if these are up to four million numbers: of five
	// numbers on one machine from some 700,000 rows on in DuckDB and in ClickHouse, and never in PostgreSQL; of splines, which take
	// many operations in SQL, only where rows come slowly. Method of the fit says which it was.
	Route Route
	// MaxLevels is how many levels a factor may have; 0 is 1000.
	MaxLevels int
	// MaxValues is how many values of a column are held to learn knots from their
	// quantiles, as ns, bs and rbf do; 0 is 4 million. Beyond it a database finds those of
	// ns and bs itself. The constants of scale and poly need no more than one pass, whatever
	// the number of rows is.
	MaxValues int
}

func (s *DesignSettings) limits() table.Limits {
	l := table.Limits{Levels: s.MaxLevels, Values: s.MaxValues}
	if l.Levels == 0 {
		l.Levels = 1000
	}
	if l.Values == 0 {
		l.Values = 1 << 22
	}
	return l
}

// Design is a formula on a source. It is mlreg.Data, by sums that are computed when they
// are first asked for, and mlreg.RowBlocks, by a pass over the rows each time. It holds
// no rows. The context that it was made with ends its passes, too.
type Design struct {
	ctx    context.Context
	source *Source
	coder  table.Coder
	route  Route
	why    string
	forced bool // the route
	found  learned

	lock    sync.Mutex
	moments *mlreg.Moments
	counts  *table.Counts // of the first complete pass
	stamps  []string      // of the rows of that pass, one of each kind

	types  []table.Field           // of the columns used
	remake func() (*Design, error) // for columns of other types
}

// retried calls f, whose pass may find that columns have other types than those of the
// first rows: the design is then made again, if its columns are among them.
func (d *Design) retried(f func() error) error {
	for {
		err := f()
		if !errors.Is(err, errTypes) {
			return err
		}
		fields, err := d.source.e.fields(d.ctx)
		if err != nil {
			return err
		}
		if slices.Equal(d.types, d.typesOf(fields)) {
			continue // another column
		}
		if len(d.stamps) > 0 {
			return errorf(ErrChanged, "%s has changed since an earlier pass: a column has another type; make the design again", d.source)
		}
		other, err := d.remake()
		if err != nil {
			return err
		}
		d.coder, d.route, d.why, d.found, d.stamps, d.types = other.coder, other.route, other.why, other.found, other.stamps, other.types
	}
}

// typesOf returns the columns that the design uses.
func (d *Design) typesOf(fields []table.Field) []table.Field {
	used := d.coder.Columns()
	return slices.DeleteFunc(slices.Clone(fields), func(f table.Field) bool { return !slices.Contains(used, f.Name) })
}

// Design reads a formula of package frames for the rows of the source: the same terms,
// levels, contrasts, constants, names and errors as frames.Design on a frame of these
// rows. Levels and constants that the formula needs are learned by one pass over the
// rows (two if dates are part of a spline or polynomial), and none if it needs none.
//
//	d, err := flights.Design(ctx, "delay ~ poly(distance, 3) + carrier*hour + log(seats)")
//	ols, err := mlreg.FitOLS(d, nil)
//
// Rows with a missing value in a column used are left out, and counted by column. The
// constants of ns, bs and rbf that need the values of all rows at once are learned like
// that up to DesignSettings.MaxValues rows and refused beyond; words() likewise. A database
// computes the constants of scale, poly up to degree 8, ns and bs itself if the route is
// Pushed or there are more rows than that, and DuckDB always, where that takes less time
// than reading a column: knots are those of the rows, other constants to 12 digits of the
// column's spread. Design.String says how they were found.
//
// At most one DesignSettings may be given. Errors are those of frames.Design, ErrLevel
// for a factor of more than MaxLevels levels, ErrTooLarge for more than 16,384 columns of factors, and those of reading.
func (s *Source) Design(ctx context.Context, formula string, settings ...*DesignSettings) (*Design, error) {
	if err := s.check(ctx); err != nil {
		return nil, err
	}
	var set DesignSettings
	switch {
	case len(settings) > 1:
		return nil, errorf(frames.ErrSetting, "%d settings are given; put them into one DesignSettings", len(settings))
	case len(settings) == 1 && settings[0] != nil:
		set = *settings[0]
	}
	if set.Route < Automatic || set.Route > Streamed {
		return nil, errorf(frames.ErrSetting, "DesignSettings.Route = %d is no route", set.Route)
	}
	if set.MaxLevels < 0 || set.MaxValues < 0 {
		return nil, errorf(frames.ErrSetting, "DesignSettings.MaxLevels = %d and MaxValues = %d; they are not negative", set.MaxLevels, set.MaxValues)
	}
	var d *Design
	err := s.again(func() error {
		var err error
		d, err = s.design(ctx, formula, &set)
		return err
	})
	return d, err
}

func (s *Source) design(ctx context.Context, formula string, set *DesignSettings) (*Design, error) {
	fields, err := s.e.fields(ctx)
	if err != nil {
		return nil, err
	}
	compile := func() (table.Learner, error) {
		return table.Frames.Compile(formula, fields, &frames.DesignSettings{NA: set.NA, Weights: set.Weights, Contrasts: set.Contrasts, LearnComplete: set.LearnComplete}, set.limits())
	}
	l, err := compile()
	if err != nil {
		return nil, err
	}
	d := &Design{ctx: ctx, source: s}
	err = held(ctx, s.e, func(e engine) error {
		if err := d.learn(e, s.query(fields, l.Columns()), l, compile, set); err != nil {
			return err
		}
		d.types = d.typesOf(fields)
		d.remake = func() (*Design, error) { return s.design(ctx, formula, set) }
		if err := d.choose(e, set.Route); err != nil || !d.stamped(false) { // nothing has been read yet
			return err
		}
		return d.link(e, d.query(fields))
	})
	if err != nil {
		return nil, err
	}
	return d, nil
}

// learn makes the passes that the formula needs.
func (d *Design) learn(e engine, q query, l table.Learner, again func() (table.Learner, error), set *DesignSettings) error {
	if p, ok := e.(*sqlEngine); ok && l.Pass() && set.Route != Streamed {
		trial, err := again()
		if err != nil {
			return err
		}
		if d.found, err = p.learn(d.ctx, q, l, trialPlan(trial), set.Route == Pushed); err != nil {
			return err
		}
		if err := d.same(d.found.stamp); err != nil {
			return err
		}
	}
	for l.Pass() {
		stamp, err := each(d.ctx, e, q, l.Add)
		if err == nil {
			err = d.same(stamp)
		}
		if err == nil {
			err = l.EndPass()
		}
		if err != nil {
			return err
		}
	}
	var err error
	d.coder, err = l.Coder()
	return err
}

// same compares the rows of a pass with those of the first of its kind: stamps that an
// engine computes are not those of rows that are read.
func (d *Design) same(stamp string) error {
	pushed := strings.HasPrefix(stamp, pushedStamp)
	for _, s := range d.stamps {
		if strings.HasPrefix(s, pushedStamp) == pushed && s != stamp {
			return errorf(ErrChanged, "%s has changed since an earlier pass; make the design again", d.source)
		}
	}
	if stamp != "" && !slices.Contains(d.stamps, stamp) {
		d.stamps = append(d.stamps, stamp)
	}
	return nil
}

// stamped reports whether there was a pass whose sums the engine computed, or one that read rows.
func (d *Design) stamped(pushed bool) bool {
	return slices.ContainsFunc(d.stamps, func(s string) bool { return strings.HasPrefix(s, pushedStamp) == pushed })
}

// link has the engine compute its stamp of the rows that it holds, or that a pass has just
// read, if rows are read as well as pushed down: stamps of one kind only are compared.
func (d *Design) link(e engine, q query) error {
	p, can := e.(*sqlEngine)
	if !can || d.stamped(true) && d.stamped(false) || d.route != Pushed && !d.stamped(true) {
		return nil
	}
	plan, err := d.coder.Plan()
	if err != nil {
		return err
	}
	stamp, err := p.stamp(d.ctx, q, plan)
	if err != nil {
		return err
	}
	return d.same(stamp)
}

// scan makes a pass over rows, which are held to those of sums that the engine computed.
func (d *Design) scan(q query, work func(*table.Block) (any, error), collect func(any) error) (stamp string, err error) {
	err = held(d.ctx, d.source.e, func(e engine) error {
		if stamp, err = e.scan(d.ctx, q, work, collect); err != nil {
			return err
		}
		return d.link(e, q)
	})
	return stamp, err
}

// choose decides on the route.
func (d *Design) choose(e engine, forced Route) error {
	p, can := e.(*sqlEngine)
	if !can {
		if forced == Pushed {
			return errorf(frames.ErrSetting, "%s computes no sums; its rows are streamed", e)
		}
		d.route, d.why = Streamed, ""
		return nil
	}
	plan, err := d.coder.Plan()
	if err != nil {
		return err
	}
	fields, err := e.fields(d.ctx)
	if err != nil {
		return err
	}
	d.forced = forced != Automatic
	refused := p.refuses(d.ctx, d.query(fields), plan)
	switch {
	case forced == Pushed && refused != nil:
		return errorf(frames.ErrSetting, "the formula cannot be pushed down: %v", refused)
	case forced != Automatic:
		d.route, d.why = forced, "as set"
		if refused == nil {
			if better, why := p.prefers(d.ctx, plan, false); better != forced {
				d.why = fmt.Sprintf("as set; the choice would be %v: %s", better, why)
			}
		}
	case refused != nil:
		d.route, d.why = Streamed, refused.Error()
	default:
		d.route, d.why = p.prefers(d.ctx, plan, true)
	}
	return nil
}

// Route returns how sums are computed.
func (d *Design) Route() Route {
	if d == nil {
		return Automatic
	}
	return d.route
}

// Terms returns the formula with all that was learned, and the numbers of rows once a
// pass has counted them.
func (d *Design) Terms() *frames.Terms {
	if d == nil {
		return nil
	}
	d.lock.Lock()
	defer d.lock.Unlock()
	return d.terms()
}

func (d *Design) terms() *frames.Terms {
	var c table.Counts
	if d.counts != nil {
		c = *d.counts
	}
	t, _ := d.coder.Terms(c).(*frames.Terms)
	return t
}

// String returns the source, the formula and the route.
func (d *Design) String() string {
	if d == nil {
		return "no design"
	}
	d.lock.Lock()
	defer d.lock.Unlock()
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s\n", d.source, d.terms())
	if d.counts == nil {
		text := b.String()
		b.Reset()
		b.WriteString(strings.Replace(text, "\n0 rows of 0, ", "\nrows not counted yet, ", 1))
	}
	if d.found.how != "" {
		fmt.Fprintf(&b, "constants: %s\n", d.found.how)
	}
	fmt.Fprintf(&b, "sums: %v", d.route)
	if d.why != "" {
		fmt.Fprintf(&b, " (%s)", d.why)
	}
	return b.String()
}

// query is the pass that the design needs.
func (d *Design) query(fields []table.Field, also ...string) query {
	q := d.source.query(fields, append(d.coder.Columns(), also...))
	q.stamped = d.source.query(fields, d.coder.Columns()).columns
	return q
}

// Moments returns the sufficient statistics of the rows, computed once by the route of
// the design. The error matches ErrChanged if the rows are not those that levels and
// constants were learned from. Where a database sums, and nothing but levels of factors has to be learned, the sums find
// them: Design computes these, and Moments returns them, of the rows as they were then.
func (d *Design) Moments() (*mlreg.Moments, error) {
	if d == nil {
		return nil, errorf(frames.ErrNoRows, "the design is nil")
	}
	d.lock.Lock()
	defer d.lock.Unlock()
	if d.moments != nil {
		return d.moments, nil
	}
	var all []*mlreg.Moments
	err := d.retried(func() error {
		var err error
		all, err = d.sums(nil)
		return err
	})
	if err != nil {
		return nil, err
	}
	d.moments, d.found.sums = all[0], nil
	return d.moments, nil
}

// Folds returns the moments of k folds by one pass. The fold of a row is a hash of its
// number, or of its value in the column key, if one is given: rows with equal values are
// then in one fold. A database has no order of rows: without a key, the fold is a hash of
// the values that the formula uses, another one for sums that are pushed down than for rows
// that are streamed. SQLite has no hash: its rows are streamed. A fold may have no row if there
// are few.
//
//	folds, err := d.Folds(10, "", 1)
//
// The errors are those of Moments.
func (d *Design) Folds(k int, key string, seed uint64) ([]*mlreg.Moments, error) {
	if d == nil {
		return nil, errorf(frames.ErrNoRows, "the design is nil")
	}
	if k < 2 {
		return nil, errorf(frames.ErrSetting, "%d folds; there are at least 2", k)
	}
	d.lock.Lock()
	defer d.lock.Unlock()
	var all []*mlreg.Moments
	err := d.retried(func() error {
		f := &folding{k: k, key: key, seed: seed}
		if _, ok := d.source.e.(sampler); ok && key == "" {
			f.values = d.coder.Columns()
		}
		var err error
		all, err = d.sums(f)
		return err
	})
	return all, err
}

// sums computes moments by the route.
func (d *Design) sums(f *folding) ([]*mlreg.Moments, error) {
	fields, err := d.source.e.fields(d.ctx)
	if err != nil {
		return nil, err
	}
	var also []string
	if f != nil && f.key != "" {
		if err := known(f.key, fields); err != nil {
			return nil, err
		}
		also = append(also, f.key)
	}
	q := d.query(fields, also...)
	if d.route == Pushed && d.terms().Absorb == "" { // or the rows tell what the fit cannot do
		all, err := d.pushed(q, f)
		if !refused(err) {
			return all, err
		}
		if err := d.giveUp(err); err != nil {
			return nil, err
		}
	}
	return d.streamed(q, f)
}

// giveUp has rows be streamed from now on, since their sums cannot be pushed down, unless the route is forced.
func (d *Design) giveUp(why error) error {
	if d.forced {
		return errorf(frames.ErrSetting, "the formula cannot be pushed down: %v", why)
	}
	d.route, d.why = Streamed, why.Error()
	return nil
}

// known returns an error for a column that is not in the source.
func known(column string, fields []table.Field) error {
	for _, f := range fields {
		if f.Name == column {
			return nil
		}
	}
	return errorf(frames.ErrNoColumn, "no column %q; there are %s", column, strings.Join(namesOf(fields), ", "))
}

// pushed has the engine compute the sums.
func (d *Design) pushed(q query, f *folding) ([]*mlreg.Moments, error) {
	like, all, err := d.pushedCells(q, f)
	if err != nil {
		return nil, err
	}
	return momentsOf(like, all, f)
}

// pushedCells has the engine compute the sums of cells, by fold.
func (d *Design) pushedCells(q query, f *folding) (*mlreg.Design, [][]compressed.Cell, error) {
	plan, err := d.coder.Plan()
	if err != nil {
		return nil, nil, err
	}
	all, counts, stamp, err := d.source.e.(*sqlEngine).sums(d.ctx, q, plan, f, d.found.sums)
	if err != nil {
		return nil, nil, err
	}
	like, err := d.like(counts, stamp)
	return like, all, err
}

// levels returns the sums of the levels of an absorbed factor, nil if rows are to be read.
func (d *Design) levels() (found *compressed.Levels, err error) {
	d.lock.Lock()
	defer d.lock.Unlock()
	factor := d.terms().Absorb
	if d.route != Pushed || factor == "" {
		return nil, nil
	}
	err = d.retried(func() error {
		fields, err := d.source.e.fields(d.ctx)
		if err != nil {
			return err
		}
		like, all, err := d.pushedCells(d.query(fields), nil)
		switch {
		case refused(err):
			return d.giveUp(err)
		case err == nil:
			found = &compressed.Levels{Like: like, Factor: factor, Cells: all[0]}
		}
		return err
	})
	return found, err
}

// momentsOf returns the moments of cells, of all rows if f is nil, or of every fold.
func momentsOf(like *mlreg.Design, all [][]compressed.Cell, f *folding) ([]*mlreg.Moments, error) {
	if f != nil {
		part := *like
		part.Omitted = 0
		like = &part
	}
	out := make([]*mlreg.Moments, len(all))
	for i, cells := range all {
		m, err := compressed.Moments(like, cells)
		if err != nil {
			return nil, err
		}
		out[i] = m.(*mlreg.Moments)
	}
	return out, nil
}

// counted takes the counts of a complete pass.
func (d *Design) counted(c table.Counts, stamp string) error {
	if err := d.same(stamp); err != nil {
		return err
	}
	if err := d.coder.Check(c); err != nil {
		return err
	}
	if d.counts == nil {
		d.counts = &c
	} else if d.counts.N != c.N || d.counts.Omitted != c.Omitted {
		return errorf(ErrChanged, "%s had %d rows and has %d now; make the design again", d.source, d.counts.N, c.N)
	}
	return nil
}

// like returns a design without rows that has the terms of this one, once a pass is checked.
func (d *Design) like(c table.Counts, stamp string) (*mlreg.Design, error) {
	if err := d.counted(c, stamp); err != nil {
		return nil, err
	}
	return d.coder.Like(c)
}

// place is a fold and a cell, in which rows are summed.
type place struct{ fold, cell int }

// streamed sums the rows here, by fold and by cell; there is one cell if the plan is not by cells.
func (d *Design) streamed(q query, f *folding) ([]*mlreg.Moments, error) {
	cells := d.coder.Cells()
	sums := make(map[place]any)
	like, err := d.pass(q, cells, func(b *table.Block, design *mlreg.Design, of []int) (any, error) {
		return sumPlaces(b, design, of, f)
	}, func(part any) error {
		for p, s := range part.(map[place]any) {
			if sums[p] == nil {
				sums[p] = s
			} else {
				compressed.Merge(sums[p], s)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	folds := 1
	if f != nil {
		folds = f.k
	}
	all := make([][]compressed.Cell, folds)
	byCell := func(a, b place) int { return cmp.Compare(a.cell, b.cell) }
	for _, p := range slices.SortedFunc(maps.Keys(sums), byCell) {
		c := compressed.Cell{Sums: sums[p]}
		if cells != nil {
			c.Columns = cells.Columns(p.cell)
		} else {
			for j := range like.Names {
				c.Columns = append(c.Columns, compressed.Column{At: j, Of: j, Times: 1})
			}
		}
		all[p.fold] = append(all[p.fold], c)
	}
	return momentsOf(like, all, f)
}

// sumPlaces sums the coded rows of a block by fold and by cell; of has the cells of the rows, and is overwritten.
func sumPlaces(b *table.Block, design *mlreg.Design, of []int, f *folding) (map[place]any, error) {
	fold := make([]int, b.N)
	if f != nil {
		var err error
		if fold, err = f.of(b); err != nil {
			return nil, err
		}
	}
	var places []place
	at := make(map[place]int)
	next := 0
	for i := range b.N { // the rows of the design are among those of the block, in order
		if next == len(design.RowNumbers) || design.RowNumbers[next] != b.Number(i)+1 {
			continue
		}
		p := place{fold[i], of[next]}
		k, ok := at[p]
		if !ok {
			k = len(places)
			at[p], places = k, append(places, p)
		}
		of[next] = k
		next++
	}
	found, err := compressed.SumRows(design, of, len(places))
	sums := make(map[place]any)
	for k, s := range found {
		if s != nil { // or its weights are zero
			sums[places[k]] = s
		}
	}
	return sums, err
}

// code codes a block, by cells if there are any; otherwise all rows are in one.
func (d *Design) code(b *table.Block, cells *table.Cells) (*mlreg.Design, []int, table.Counts, error) {
	if cells != nil {
		return d.coder.CodeCells(b, cells)
	}
	design, counts, err := d.coder.Code(b)
	if design == nil || err != nil {
		return nil, nil, counts, err
	}
	return design, make([]int, len(design.RowNumbers)), counts, nil
}

// pass makes a pass over the rows: it calls work with the designs of the complete ones of blocks, maybe several at a time, and
// collect with what work returns, in the order of the rows. The designs are of all columns if cells is nil, or of the numbers of
// cells; of is the cell of every row. It returns the design of no rows that like does.
func (d *Design) pass(q query, cells *table.Cells, work func(b *table.Block, design *mlreg.Design, of []int) (any, error), collect func(any) error) (*mlreg.Design, error) {
	type part struct {
		result any
		counts table.Counts
	}
	var counts table.Counts
	stamp, err := d.scan(q, func(b *table.Block) (any, error) {
		design, of, counts, err := d.code(b, cells)
		p := part{counts: counts}
		if err == nil && design != nil {
			p.result, err = work(b, design, of)
		}
		return p, err
	}, func(r any) error {
		p := r.(part)
		counts.Add(p.counts)
		if p.result == nil {
			return nil
		}
		return collect(p.result)
	})
	if err != nil {
		return nil, err
	}
	return d.like(counts, stamp)
}

// of returns the fold of every row of a block.
func (f *folding) of(b *table.Block) ([]int, error) {
	out := make([]int, b.N)
	var c *table.Column
	if f.key != "" {
		if c = b.Column(f.key); c == nil {
			return nil, errorf(frames.ErrNoColumn, "no column %q", f.key)
		}
	}
	var values []uint64
	if f.values != nil {
		values = rowHashes(b, f.values)
	}
	for i := range out {
		var h uint64
		switch {
		case f.values != nil:
			h = hash(f.seed, values[i])
		case c == nil:
			h = hash(f.seed, uint64(b.Number(i)))
		case c.Missing[i]:
			h = hashText(f.seed, "\x00")
		case c.Text != nil:
			h = hashText(f.seed, c.Text[i])
		case c.LowAt(i) != 0:
			h = hashText(f.seed, table.WholeText(c.Num[i], c.Low[i]))
		default:
			h = hashText(f.seed, strconv.FormatFloat(c.Num[i], 'g', -1, 64))
		}
		out[i] = int(h % uint64(f.k))
	}
	return out, nil
}

// EachBlock makes one pass over the rows in their order, and calls f with designs of the
// complete ones. The errors are those of Moments and of f.
func (d *Design) EachBlock(f func(block *mlreg.Design) error) error {
	if d == nil {
		return errorf(frames.ErrNoRows, "the design is nil")
	}
	if f == nil {
		return errorf(frames.ErrNoRows, "the function that gets the blocks is nil")
	}
	if err := d.findTypes(); err != nil {
		return err
	}
	if err := d.eachDesign(nil, func(block *mlreg.Design, _ []int) error { return f(block) }); !errors.Is(err, errTypes) {
		return err
	}
	return errorf(ErrChanged, "%s has changed since an earlier pass: a column has another type; make the design again", d.source)
}

// findTypes makes the pass that finds the types of columns, unless one has, before rows are handed on.
func (d *Design) findTypes() error {
	d.lock.Lock()
	defer d.lock.Unlock()
	if len(d.stamps) > 0 {
		return nil
	}
	return d.retried(func() error { return d.eachDesign(d.coder.Cells(), func(*mlreg.Design, []int) error { return nil }) })
}

// eachDesign calls f with the designs of blocks, in their order: of all columns if cells is nil, or of the numbers of cells, with
// the cell of every row.
func (d *Design) eachDesign(cells *table.Cells, f func(block *mlreg.Design, of []int) error) error {
	fields, err := d.source.e.fields(d.ctx)
	if err != nil {
		return err
	}
	type coded struct {
		design *mlreg.Design
		of     []int
	}
	_, err = d.pass(d.query(fields), cells,
		func(_ *table.Block, design *mlreg.Design, of []int) (any, error) { return coded{design, of}, nil },
		func(r any) error { return f(r.(coded).design, r.(coded).of) })
	return err
}

// designLike codes the rows of s by a coding.
func designLike(ctx context.Context, coding *mlreg.Coding, names []string, scaling *mlreg.Scaling, s *Source) (*Design, error) {
	var d *Design
	err := s.again(func() error {
		fields, err := s.e.fields(ctx)
		if err != nil {
			return err
		}
		c, err := table.Frames.Recode(coding, names, scaling, true, fields)
		if err != nil {
			return err
		}
		d = &Design{ctx: ctx, source: s, coder: c}
		d.types = d.typesOf(fields)
		d.remake = func() (*Design, error) { return designLike(ctx, coding, names, scaling, s) }
		return d.choose(s.e, Automatic)
	})
	return d, err
}

// DesignLike codes the rows of s as those of train, by the same levels, constants and
// scaling, as frames.DesignLike does with a frame. The error matches frames.ErrLevel, at
// the pass that meets it, for a level that train did not have.
func DesignLike(ctx context.Context, train *Design, s *Source) (*Design, error) {
	if err := s.check(ctx); err != nil {
		return nil, err
	}
	if train == nil {
		return nil, errorf(frames.ErrNoRows, "the design is nil")
	}
	like, err := train.coder.Like(table.Counts{})
	if err != nil {
		return nil, err
	}
	return designLike(ctx, like.Coding, like.Names, like.Scaling, s)
}
