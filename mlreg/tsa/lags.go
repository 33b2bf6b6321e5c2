package tsa

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/internal/algebra"
	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/door"
	"github.com/regbook/regbook/mlreg/internal/lagged"
	"github.com/regbook/regbook/mlreg/internal/problem"
	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
)

// ChannelLags are the lags From to To of a channel, at least 0, as regressors.
type ChannelLags struct {
	Channel  string
	From, To int
}

// Season is a sum of Order sines and Order cosines of the given period, in steps.
type Season struct {
	Period float64
	Order  int
}

// LagsSettings are the options of NewLags.
type LagsSettings struct {
	// Response is the channel to predict; the default "" is the first.
	Response string
	// Channels are the lags of every channel that is a regressor. Nil is each channel
	// of the series at lags 1 to q, the response among them.
	Channels []ChannelLags
	// Horizon is h >= 1, how many steps ahead the response is predicted: all lags grow
	// by h-1. The default 0 is 1.
	Horizon int
	// Trend is the degree, at most 3, of a polynomial in time, counted in steps from
	// the first time of the series. The default 0 has none.
	Trend int
	// Seasons are periodic terms.
	Seasons []Season
	// Use, of length T, says which rows may be responses, for example those of a fold.
	// Their lags may reach into other rows. Nil is all.
	Use []bool
	// NoIntercept leaves the intercept out of the model.
	NoIntercept bool
}

// Lags is a regression on lags of channels of a series,
//
//	y_t = b_0 + sum_c sum_i b_ci x_c(t-i) + trend + seasons + noise.
//
// Its design, T x (channels times lags), is never built. It is Data: FitOLS,
// FitRidge, FitBayes, FitLassoPath, EnumerateModels and all others that take Data fit it
// by its Moments. What needs rows gets them from Design, or block by block from EachBlock.
//
// Rows are the times whose response and lags are all there: a lag never reaches across a
// gap in time or into another group, and a missing value takes its row and those whose
// lags need it with it. Columns are ordered by channel, those with lags first, then
// those at lag 0 alone, the trend and the seasons; they are named lag(y, 3), and y if
// a channel has lag 0 alone.
//
// Lags keeps the series, which must not be changed while it is in use.
type Lags struct {
	series   *Series
	settings LagsSettings
	q        int
	clock    *clock
	names    []string
	coding   *mlreg.Coding
	lagged   []laggedChannel // with a lag above 0
	now      []int           // channels at lag 0 alone
	response int
	rows     []int // of the series, in rising order

	once    sync.Once
	sums    problem.Sums
	moments *mlreg.Moments
	err     error
}

// laggedChannel are the lags of a channel of the series.
type laggedChannel struct{ channel, from, to int }

// NewLags returns the regression of a channel on lags up to q of the channels of a
// series. With nil settings it is the vector autoregression of order q for the first
// channel,
//
//	y_t = b_0 + sum_c sum_{i=1..q} b_ci x_c(t-i) + noise.
//
// Errors: those of NewSeries; ErrShape for a channel that does not exist, for times that
// are equal, out of order or irregular, with the row; ErrSetting for q < 0, lags or a
// trend out of range; ErrNoData if no time has all its lags, as with q >= T.
func NewLags(s *Series, q int, settings *LagsSettings) (*Lags, error) {
	if err := args.Given("the series", s); err != nil {
		return nil, err
	}
	if err := s.check(); err != nil {
		return nil, err
	}
	if q < 0 {
		return nil, fmt.Errorf("%w: q = %d lags; the order is 0 or more", mlreg.ErrSetting, q)
	}
	l := &Lags{series: s, settings: args.OrDefaults(settings), q: q}
	var err error
	if l.clock, err = s.clock(); err != nil {
		return nil, err
	}
	if err := l.choose(); err != nil {
		return nil, err
	}
	if err := l.checkTerms(); err != nil {
		return nil, err
	}
	l.name()
	l.findRows()
	if len(l.rows) == 0 {
		return nil, l.noRows()
	}
	return l, nil
}

// choose finds the channels and their lags.
func (l *Lags) choose() error {
	s, names := &l.settings, l.series.Names
	s.Response = cmp.Or(s.Response, names[0])
	at, err := args.Positions([]string{s.Response}, names)
	if err != nil {
		return err
	}
	l.response = at[0]
	s.Horizon = cmp.Or(s.Horizon, 1)
	if s.Horizon < 0 {
		return fmt.Errorf("%w: LagsSettings.Horizon = %d; it is 1 or more", mlreg.ErrSetting, s.Horizon)
	}
	channels := slices.Clone(s.Channels)
	if s.Channels == nil && l.q > 0 {
		for _, name := range names {
			channels = append(channels, ChannelLags{name, 1, l.q})
		}
	}
	seen := make(map[string]bool)
	for _, c := range channels {
		at, err := args.Positions([]string{c.Channel}, names)
		switch {
		case err != nil:
			return err
		case seen[c.Channel]:
			return fmt.Errorf("%w: the lags of channel %q are given twice", mlreg.ErrSetting, c.Channel)
		case c.From < 0 || c.To < c.From:
			return fmt.Errorf("%w: channel %q has the lags %d to %d; they are 0 or more, the smallest first", mlreg.ErrSetting, c.Channel, c.From, c.To)
		case at[0] == l.response && c.From == 0:
			return fmt.Errorf("%w: channel %q is the response, which cannot be predicted from its lag 0", mlreg.ErrSetting, c.Channel)
		case c.To >= l.series.NObs():
			return fmt.Errorf("%w: lag %d of channel %q in a series of %d times", mlreg.ErrSetting, c.To, c.Channel, l.series.NObs())
		}
		seen[c.Channel] = true
		from, to := c.From+s.Horizon-1, c.To+s.Horizon-1
		if to == 0 {
			l.now = append(l.now, at[0])
		} else {
			l.lagged = append(l.lagged, laggedChannel{at[0], from, to})
		}
	}
	s.Channels = channels
	return nil
}

func (l *Lags) checkTerms() error {
	s := &l.settings
	if s.Trend < 0 || s.Trend > 3 {
		return fmt.Errorf("%w: LagsSettings.Trend = %d; the degree is 0 to 3", mlreg.ErrSetting, s.Trend)
	}
	for _, season := range s.Seasons {
		if _, err := mlreg.NewFourier(season.Period, season.Order); err != nil {
			return err
		}
	}
	if s.Use != nil && len(s.Use) != l.series.NObs() {
		return fmt.Errorf("%w: LagsSettings.Use has %d values for %d times", mlreg.ErrShape, len(s.Use), l.series.NObs())
	}
	s.Seasons, s.Use = slices.Clone(s.Seasons), slices.Clone(s.Use)
	return nil
}

// lagName is the name of a lag of a channel.
func lagName(channel string, lag int) string { return fmt.Sprintf("lag(%s, %d)", channel, lag) }

// name names the columns, and groups them by channel.
func (l *Lags) name() {
	var columns []mlreg.CodedColumn
	var groups []mlreg.TermGroup
	add := func(group, fingerprint string, names ...string) {
		groups = append(groups, mlreg.TermGroup{Name: group, Terms: names})
		for _, name := range names {
			columns = append(columns, mlreg.CodedColumn{Name: name, Fingerprint: fingerprint})
		}
		l.names = append(l.names, names...)
	}
	for _, c := range l.lagged {
		var names []string
		for lag := c.from; lag <= c.to; lag++ {
			names = append(names, lagName(l.series.Names[c.channel], lag))
		}
		add(l.series.Names[c.channel], "", names...)
	}
	for _, c := range l.now {
		add(l.series.Names[c], "", l.series.Names[c])
	}
	since := mlreg.Fingerprint(l.clock.origin, l.clock.step)
	for k := range l.settings.Trend {
		name := "trend"
		if k > 0 {
			name = fmt.Sprintf("trend^%d", k+1)
		}
		add(name, since, name)
	}
	for _, season := range l.settings.Seasons {
		group := fmt.Sprintf("fourier(t, %v, %d)", season.Period, season.Order)
		var names []string
		for k := range season.Order {
			names = append(names, fmt.Sprintf("%ssin%d", group, k+1), fmt.Sprintf("%scos%d", group, k+1))
		}
		add(group, since, names...)
	}
	l.coding = mlreg.NewCoding(columns, groups, "tsa.NewLags 1", nil)
}

// longest returns the largest lag.
func (l *Lags) longest() int {
	longest := 0
	for _, c := range l.lagged {
		longest = max(longest, c.to)
	}
	return longest
}

// findRows finds the times whose response and lags are all there.
func (l *Lags) findRows() {
	n := l.series.NObs()
	use := make([]bool, n)
	for t := range n {
		use[t] = (l.settings.Use == nil || l.settings.Use[t]) && t-l.longest() >= l.clock.start[t] && !math.IsNaN(l.series.Values.At(t, l.response))
		for _, c := range l.now {
			use[t] = use[t] && !math.IsNaN(l.series.Values.At(t, c))
		}
	}
	for _, c := range l.lagged {
		present := make([]int, n) // values without a missing one, up to this time
		for t := range n {
			if t > 0 && l.clock.start[t] == l.clock.start[t-1] {
				present[t] = present[t-1]
			}
			present[t]++
			if math.IsNaN(l.series.Values.At(t, c.channel)) {
				present[t] = 0
			}
			use[t] = use[t] && present[t-c.from] > c.to-c.from
		}
	}
	for t, u := range use {
		if u {
			l.rows = append(l.rows, t)
		}
	}
}

// noRows says why.
func (l *Lags) noRows() error {
	n, stretch := l.series.NObs(), 0
	for t, from := range l.clock.start {
		stretch = max(stretch, t-from+1)
	}
	for _, c := range append([]laggedChannel{{channel: l.response}}, l.lagged...) {
		missing := 0
		for t := range n {
			if math.IsNaN(l.series.Values.At(t, c.channel)) {
				missing++
			}
		}
		if missing == n {
			return fmt.Errorf("%w: channel %q has no values: all %d are missing", mlreg.ErrNoData, l.series.Names[c.channel], n)
		}
	}
	return fmt.Errorf("%w: no time has all of its lags up to %d: the longest stretch without a gap has %d times; take fewer lags", mlreg.ErrNoData, l.longest(), stretch)
}

// NObs returns the number of rows: the times that have a response and all lags.
func (l *Lags) NObs() int { return len(l.rows) }

// NTerms returns p, the number of columns.
func (l *Lags) NTerms() int { return len(l.names) }

// Terms returns the p names of the columns.
func (l *Lags) Terms() []string { return slices.Clone(l.names) }

// Response returns the name of the channel to predict.
func (l *Lags) Response() string { return l.settings.Response }

// Series returns the series, which must not be changed.
func (l *Lags) Series() *Series { return l.series }

// Rows returns the rows of the series, counted from 0, that are rows of the design.
func (l *Lags) Rows() []int { return slices.Clone(l.rows) }

// ByChannel returns the columns of each channel, and of the trend and each season, as
// groups: for FitLassoPath, EnumerateModels and SampleModels, whose choice is then one of
// channels.
func (l *Lags) ByChannel() report.Rows[mlreg.TermGroup] { return l.coding.Groups() }

// ByLag returns the columns of each lag, of all channels, as groups named "lag 3"; those of
// the trend and the seasons are groups of their own. They are for the same fits as
// ByChannel, whose choice is then one of lags.
func (l *Lags) ByLag() report.Rows[mlreg.TermGroup] {
	var groups report.Rows[mlreg.TermGroup]
	for lag := range l.longest() + 1 {
		g := mlreg.TermGroup{Name: fmt.Sprintf("lag %d", lag)}
		for _, c := range l.lagged {
			if c.from <= lag && lag <= c.to {
				g.Terms = append(g.Terms, lagName(l.series.Names[c.channel], lag))
			}
		}
		if lag == 0 {
			for _, c := range l.now {
				g.Terms = append(g.Terms, l.series.Names[c])
			}
		}
		if g.Terms != nil {
			groups = append(groups, g)
		}
	}
	return append(groups, l.ByChannel()[len(l.lagged)+len(l.now):]...)
}

// runs returns the rows as runs of neighboring times. Those of two stretches do not meet:
// the first rows of one lack lags.
func (l *Lags) runs() []lagged.Run {
	var runs []lagged.Run
	for _, t := range l.rows {
		if last := len(runs) - 1; last >= 0 && runs[last].End == t {
			runs[last].End++
		} else {
			runs = append(runs, lagged.Run{First: t, End: t + 1})
		}
	}
	return runs
}

// like returns the design without its rows.
func (l *Lags) like() *mlreg.Design {
	return &mlreg.Design{
		Names: slices.Clone(l.names), Response: l.settings.Response, NoIntercept: l.settings.NoIntercept,
		Coding: l.coding, Omitted: l.series.NObs() - len(l.rows),
	}
}

// Moments returns the sufficient statistics of the design, without its rows. The means
// of the channels are removed first. Cross-products over all times are summed for the
// first block row, of all channels with all lags, and the others follow from
//
//	G(i+1, j+1) = G(i, j) + (what enters the window) - (what leaves it),
//
// for each run of times without a gap; so the work is 1/q of what the rows would take.
// A sum is wrong by at most the rounding of direct sums of the largest squares that the
// recurrence went through; it is begun anew from direct sums where these have shrunk a
// hundredfold, and after 128 lags. OLS.Digits counts what is left. They are computed
// once and kept.
//
// Errors: ErrNotFinite for sums of squares that leave the range of float64.
func (l *Lags) Moments() (*mlreg.Moments, error) {
	if l == nil {
		return nil, fmt.Errorf("%w: the lags are nil", mlreg.ErrNoData)
	}
	l.once.Do(func() { l.moments, l.err = l.sum(l.runs()) })
	return l.moments, l.err
}

// sum sums the rows, which are those of some runs.
func (l *Lags) sum(runs []lagged.Run) (*mlreg.Moments, error) {
	d, columns, center := l.centered()
	sums := lagged.Sum(d, runs)
	l.sums = sums.Moments(columns, center)
	m, err := door.MomentsOf(l.like(), l.sums, func(column int) bool { return l.varies(runs, column) })
	if err != nil {
		return nil, err
	}
	return m.(*mlreg.Moments), nil
}

// varies tells whether a column, or column p, the response, has two values in the rows of
// some runs.
func (l *Lags) varies(runs []lagged.Run, column int) bool {
	value := func(t int) float64 { return l.series.Values.At(t, l.response) }
	if column < len(l.names) {
		row, fixed := make([]float64, len(l.names)), l.fixed()
		value = func(t int) float64 {
			l.fill(row, l.series.Values, t, l.clock.steps[t], fixed)
			return row[column]
		}
	}
	if len(runs) == 0 {
		return false
	}
	first := value(runs[0].First)
	for _, r := range runs {
		for t := r.First; t < r.End; t++ {
			if value(t) != first {
				return true
			}
		}
	}
	return false
}

// centered returns the channels less their means, as package lagged wants them, the
// columns that the design has of theirs, the response last, and what was taken away from
// every column.
func (l *Lags) centered() (d *lagged.Design, columns []int, center []float64) {
	n := l.series.NObs()
	d = &lagged.Design{Lagged: blas64.General{Rows: n, Cols: len(l.lagged), Stride: max(1, len(l.lagged)), Data: make([]float64, n*len(l.lagged))}}
	response, first := -1, 0
	for k, c := range l.lagged {
		mean := l.mean(c.channel)
		for t := range n {
			if v := l.series.Values.At(t, c.channel); !math.IsNaN(v) {
				d.Lagged.Data[t*d.Lagged.Stride+k] = v - mean
			}
		}
		d.Depth = append(d.Depth, c.to)
		for lag := range c.to + 1 {
			center = append(center, mean)
			if lag >= c.from {
				columns = append(columns, first+lag)
			}
		}
		if c.channel == l.response {
			response = first
		}
		first += c.to + 1
	}
	fixed := l.fixed()
	width := len(l.now) + len(fixed)
	if response < 0 {
		width++
	}
	d.Now = blas64.General{Rows: n, Cols: width, Stride: max(1, width), Data: make([]float64, n*width)}
	put := func(k int, value func(t int) float64) {
		mean := meanOf(n, value)
		center = append(center, mean)
		for t := range n {
			if v := value(t); !math.IsNaN(v) {
				d.Now.Data[t*width+k] = v - mean
			}
		}
	}
	for k, c := range l.now {
		put(k, func(t int) float64 { return l.series.Values.At(t, c) })
		columns = append(columns, first+k)
	}
	for k, f := range fixed {
		put(len(l.now)+k, func(t int) float64 { return f(l.clock.steps[t]) })
		columns = append(columns, first+len(l.now)+k)
	}
	if response < 0 {
		put(width-1, func(t int) float64 { return l.series.Values.At(t, l.response) })
		response = first + width - 1
	}
	return d, append(columns, response), center
}

// mean returns that of the values of a channel that are not missing.
func (l *Lags) mean(channel int) float64 {
	return meanOf(l.series.NObs(), func(t int) float64 { return l.series.Values.At(t, channel) })
}

// meanOf returns the mean of values that are not NaN; of equal values it is exact.
func meanOf(n int, value func(t int) float64) float64 {
	var first, sum, count float64
	for t := range n {
		if v := value(t); !math.IsNaN(v) {
			if count == 0 {
				first = v
			}
			sum += v - first
			count++
		}
	}
	if count == 0 {
		return 0
	}
	return first + sum/count
}

// fixed returns the columns of the trend and the seasons as functions of the time in steps.
func (l *Lags) fixed() []func(step float64) float64 {
	var fixed []func(float64) float64
	for k := range l.settings.Trend {
		fixed = append(fixed, func(t float64) float64 { return math.Pow(t, float64(k+1)) })
	}
	for _, season := range l.settings.Seasons {
		for k := range season.Order {
			turn := 2 * math.Pi * float64(k+1) / season.Period
			fixed = append(fixed, func(t float64) float64 { return math.Sin(turn * t) }, func(t float64) float64 { return math.Cos(turn * t) })
		}
	}
	return fixed
}

// Design returns the design with its rows, numbered as those of the series are, from 1:
// T x p numbers. For a long series prefer EachBlock.
func (l *Lags) Design() *mlreg.Design { return l.design(l.rows) }

// EachBlock calls f with the rows of the design in order, some thousand at a time. An
// error from f ends it and is returned.
func (l *Lags) EachBlock(f func(*mlreg.Design) error) error {
	if err := args.Given("the lags", l); err != nil {
		return err
	}
	if f == nil {
		return fmt.Errorf("%w: the function that gets the blocks is nil", mlreg.ErrNoData)
	}
	size := max(256, (1<<20)/max(1, len(l.names)))
	for rows := range slices.Chunk(l.rows, size) {
		if err := f(l.design(rows)); err != nil {
			return err
		}
	}
	return nil
}

// design returns the given rows of the series as a design.
func (l *Lags) design(rows []int) *mlreg.Design {
	d := l.like()
	d.X, d.Y, d.RowNumbers = algebra.NewDense(len(rows), len(l.names)), make([]float64, len(rows)), make([]int, len(rows))
	fixed := l.fixed()
	for i, t := range rows {
		d.Y[i], d.RowNumbers[i] = l.series.Values.At(t, l.response), t+1
		l.fill(d.X.RawRowView(i), l.series.Values, t, l.clock.steps[t], fixed)
	}
	return d
}

// fill computes the row at time t of the values.
func (l *Lags) fill(row []float64, values *mat.Dense, t int, step float64, fixed []func(float64) float64) {
	j := 0
	for _, c := range l.lagged {
		for lag := c.from; lag <= c.to; lag++ {
			row[j] = values.At(t-lag, c.channel)
			j++
		}
	}
	for _, c := range l.now {
		row[j] = values.At(t, c)
		j++
	}
	for _, f := range fixed {
		row[j] = f(step)
		j++
	}
}

// Only returns the lags whose rows are among those of the series that use marks (T
// values), such as a fold. Lags may still reach into other rows. Errors: ErrShape for
// another length, ErrNoData if no row is left.
func (l *Lags) Only(use []bool) (*Lags, error) {
	if err := args.Given("the lags", l); err != nil {
		return nil, err
	}
	if len(use) != l.series.NObs() {
		return nil, fmt.Errorf("%w: %d marks for %d times", mlreg.ErrShape, len(use), l.series.NObs())
	}
	part := &Lags{series: l.series, settings: l.settings, q: l.q, clock: l.clock, names: l.names, coding: l.coding, lagged: l.lagged, now: l.now, response: l.response}
	for _, t := range l.rows {
		if use[t] {
			part.rows = append(part.rows, t)
		}
	}
	if len(part.rows) == 0 {
		return nil, fmt.Errorf("%w: none of the %d rows is marked", mlreg.ErrNoData, len(l.rows))
	}
	return part, nil
}

// Predict returns the predictions of a fit to l for its rows, block by block. Errors are
// those of the fit.
func (l *Lags) Predict(fit mlreg.Predictor) ([]float64, error) {
	if err := args.Given("the fit", fit); err != nil {
		return nil, err
	}
	var yhat []float64
	err := l.EachBlock(func(d *mlreg.Design) error {
		part, err := fit.Predict(d)
		yhat = append(yhat, part...)
		return err
	})
	if err != nil {
		return nil, err
	}
	return yhat, nil
}

// Residuals returns y - yhat for the rows of l, block by block. Errors are those of the fit.
func (l *Lags) Residuals(fit mlreg.Predictor) ([]float64, error) {
	yhat, err := l.Predict(fit)
	if err != nil {
		return nil, err
	}
	for i, t := range l.rows {
		yhat[i] = l.series.Values.At(t, l.response) - yhat[i]
	}
	return yhat, nil
}

// Describe returns the channels with their lags as a table.
func (l *Lags) Describe() *report.Table {
	var names []string
	var from, to []int
	for _, c := range l.lagged {
		names, from, to = append(names, l.series.Names[c.channel]), append(from, c.from), append(to, c.to)
	}
	for _, c := range l.now {
		names, from, to = append(names, l.series.Names[c]), append(from, 0), append(to, 0)
	}
	t := tables.Rows("Lags as regressors of "+l.settings.Response, report.TextColumn("channel", names...), report.IntColumn("from lag", from...), report.IntColumn("to lag", to...))
	t.Notes = append(t.Notes, fmt.Sprintf("%d rows of %d times; %d terms", len(l.rows), l.series.NObs(), len(l.names)))
	return t
}

// String writes the channels and lags as text.
func (l *Lags) String() string { return l.Describe().String() }
