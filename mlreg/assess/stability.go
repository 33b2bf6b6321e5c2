package assess

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/door"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/stream"
	"github.com/regbook/regbook/mlreg/report"
)

// Resampling says which rows SelectionStability chooses terms from.
type Resampling int

const (
	// HalfSamples takes half of the rows, rounded down, at random without replacement.
	HalfSamples Resampling = iota
	// ComplementaryPairs takes half samples in pairs without a common row.
	ComplementaryPairs
	// BootstrapResamples takes as many rows as there are, with replacement.
	BootstrapResamples
)

// String returns the name for tables.
func (r Resampling) String() string {
	return format.Choice("Resampling", int(r), "half samples", "half samples in complementary pairs", "bootstrap resamples")
}

// StabilitySettings are the options of SelectionStability.
type StabilitySettings struct {
	// Rows says which rows each choice is made from. The default is HalfSamples.
	Rows Resampling
	// Resamples is the number of choices, an even one for ComplementaryPairs. The
	// default 0 is 100.
	Resamples int
	// Progress, if not nil, is told after every choice how many are done. An error
	// from it stops the work and is returned, with the result over those done by then.
	Progress func(done, total float64) error
}

// Stability says how often terms are chosen from part of the rows. It does not change.
type Stability struct {
	s stabilityState
}

type stabilityState struct {
	Response  string
	N         int
	Names     []string
	Rows      Resampling
	Planned   int
	Done      int    // choices that did not fail
	Failed    int    // and those that did
	Failure   string // why the first of them did
	FailureAt int    // its number
	Pairs     []int  // p x p: choices that have both terms; the diagonal has the terms alone
	Sets      [][]int
	Counts    []int // of every set, the most frequent first
}

// SelectionStability makes a choice of terms many times, each from part of the rows,
// and counts. The function is given rows of d and a source for what is random in it, and
// returns the names of the terms that it keeps:
//
//	stability, err := assess.SelectionStability(d, func(rows *mlreg.Design, _ rand.Source) ([]string, error) {
//		fit, err := mlreg.FitLasso(rows, 20, nil)
//		return fit.Active(), err
//	}, rand.NewPCG(1, 2), nil)
//
// A lambda of the lasso is per sum of squares: half of the rows want half of it for
// the same penalty per observation. The function is called at the same time for
// several resamples, and must not change what it shares. A choice that fails, or
// names a term that d does not have, is counted in Failed and takes no part in the
// frequencies. The same source gives the same result at any GOMAXPROCS.
//
// Rows of weight zero are never drawn.
//
// Nil settings are the defaults. Errors: mlreg.ErrNoTerms; mlreg.ErrNoData for a nil design or function, fewer
// than 4 rows of positive weight, or if all choices fail, with the first failure; mlreg.ErrSetting for a nil
// source, an unknown Resampling, fewer than 2 resamples, or an odd number of
// them in pairs; those of Progress.
//
// Meinshausen and Bühlmann, Stability selection, JRSS B 72 (2010), 417-473; Shah and
// Samworth, Variable selection with error control, JRSS B 75 (2013), 55-80.
func SelectionStability(d *mlreg.Design, choose func(rows *mlreg.Design, src rand.Source) ([]string, error), src rand.Source, settings *StabilitySettings) (*Stability, error) {
	if err := d.Check(); err != nil {
		return nil, err
	}
	s := args.OrDefaults(settings)
	s.Resamples = cmp.Or(s.Resamples, 100)
	switch {
	case d.NTerms() == 0:
		return nil, fmt.Errorf("%w: there is nothing to choose from", mlreg.ErrNoTerms)
	case choose == nil:
		return nil, fmt.Errorf("%w: the function that chooses terms is nil", mlreg.ErrNoData)
	case d.PositiveRows() < 4:
		return nil, fmt.Errorf("%w: %s of positive weight; 4 are the least to choose from halves", mlreg.ErrNoData, format.Plural(d.PositiveRows(), "row"))
	case s.Rows < HalfSamples || s.Rows > BootstrapResamples:
		return nil, fmt.Errorf("%w: Rows is %v", mlreg.ErrSetting, s.Rows)
	case s.Resamples < 2 || s.Rows == ComplementaryPairs && s.Resamples%2 == 1:
		return nil, fmt.Errorf("%w: %d resamples (%v)", mlreg.ErrSetting, s.Resamples, s.Rows)
	}
	if err := args.Size(fmt.Sprintf("%d resamples of %d rows", s.Resamples, d.NObs()), float64(s.Resamples)*float64(d.NObs()), "take fewer Resamples"); err != nil {
		return nil, err
	}
	if err := args.Source(src); err != nil {
		return nil, err
	}
	c := &chooser{d: d, how: s.Rows, choose: choose, columns: map[string]int{}}
	for i := range d.NObs() {
		if d.Weight(i) > 0 {
			c.from = append(c.from, i)
		}
	}
	for j, name := range d.Names {
		c.columns[name] = j
	}
	for range s.Resamples {
		c.seeds = append(c.seeds, [2]uint64{src.Uint64(), src.Uint64()})
	}
	made, halted, _ := door.Each("resample", s.Resamples, door.Progress("StabilitySettings.Progress", s.Progress), c.one)
	f, err := c.count(made, s)
	if err != nil {
		return nil, err
	}
	return f, halted
}

// chooser chooses terms from resamples.
type chooser struct {
	d       *mlreg.Design
	how     Resampling
	choose  func(rows *mlreg.Design, src rand.Source) ([]string, error)
	columns map[string]int
	from    []int // rows of positive weight
	seeds   [][2]uint64
}

// chosenTerms are the columns of a choice, in ascending order, or why it failed.
type chosenTerms struct {
	columns []int
	failed  error
}

// draw returns the rows of resample k. The second of a pair has the next rows of the
// permutation that the first was taken from, so that of an odd number of rows the one
// left over is at random.
func (c *chooser) draw(k int) []int {
	n, first := len(c.from), 0
	if c.how == ComplementaryPairs && k%2 == 1 {
		k, first = k-1, n/2
	}
	random := rand.New(rand.NewPCG(c.seeds[k][0], ^c.seeds[k][1]))
	var rows []int
	if c.how == BootstrapResamples {
		for range n {
			rows = append(rows, c.from[random.IntN(n)])
		}
	} else {
		for _, at := range random.Perm(n)[first : first+n/2] {
			rows = append(rows, c.from[at])
		}
	}
	slices.Sort(rows)
	return rows
}

// one makes choice k. A failure is part of what it returns: the others go on.
func (c *chooser) one(k int) (*chosenTerms, error) {
	columns, err := c.columnsOf(k)
	return &chosenTerms{columns, err}, nil
}

func (c *chooser) columnsOf(k int) ([]int, error) {
	names, err := c.choose(c.d.Rows(c.draw(k)...), rand.NewPCG(c.seeds[k][0], c.seeds[k][1]))
	if err != nil {
		return nil, err
	}
	var columns []int
	for _, name := range names {
		j, ok := c.columns[name]
		if !ok {
			return nil, fmt.Errorf("%w: %q was chosen, which is not a term of the design", mlreg.ErrShape, name)
		}
		columns = append(columns, j)
	}
	slices.Sort(columns)
	return slices.Compact(columns), nil
}

// count sums up the choices.
func (c *chooser) count(made []*chosenTerms, s StabilitySettings) (*Stability, error) {
	p := c.d.NTerms()
	f := &Stability{stabilityState{
		Response: c.d.Response, N: c.d.NObs(), Names: slices.Clone(c.d.Names), Rows: s.Rows, Planned: s.Resamples, Pairs: make([]int, p*p),
	}}
	var first error
	at := map[string]int{}
	for k, m := range made {
		if m == nil { // stopped before
			continue
		}
		if m.failed != nil {
			if f.s.Failed++; first == nil {
				first, f.s.FailureAt, f.s.Failure = m.failed, k, m.failed.Error()
			}
			continue
		}
		columns := m.columns
		f.s.Done++
		for _, i := range columns {
			for _, j := range columns {
				f.s.Pairs[i*p+j]++
			}
		}
		key := fmt.Sprint(columns)
		m, ok := at[key]
		if !ok {
			m = len(f.s.Sets)
			at[key] = m
			f.s.Sets, f.s.Counts = append(f.s.Sets, columns), append(f.s.Counts, 0)
		}
		f.s.Counts[m]++
	}
	if f.s.Done == 0 && first != nil {
		return nil, fmt.Errorf("%w: all %d choices failed, resample %d with: %w", mlreg.ErrNoData, f.s.Failed, f.s.FailureAt, first)
	}
	f.sortSets()
	return f, nil
}

// sortSets puts the most frequent set first, and of equal ones that which came first.
func (f *Stability) sortSets() {
	order := gram.NumbersTo(len(f.s.Sets))
	counts, sets := slices.Clone(f.s.Counts), slices.Clone(f.s.Sets)
	slices.SortStableFunc(order, func(a, b int) int { return counts[b] - counts[a] })
	for to, from := range order {
		f.s.Counts[to], f.s.Sets[to] = counts[from], sets[from]
	}
}

// GobEncode implements gob.GobEncoder.
func (f *Stability) GobEncode() ([]byte, error) { return stream.Encode(f, &f.s) }

// GobDecode implements gob.GobDecoder.
func (f *Stability) GobDecode(b []byte) error { return stream.Decode(b, f, nil, &f.s) }

// Response returns the name of the response.
func (f *Stability) Response() string { return f.s.Response }

// Terms returns the names of the terms of the design.
func (f *Stability) Terms() []string { return slices.Clone(f.s.Names) }

// NObs returns the number of rows of the design.
func (f *Stability) NObs() int { return f.s.N }

// Resamples returns the number of choices that the frequencies are over.
func (f *Stability) Resamples() int { return f.s.Done }

// Failed returns how many choices failed, and why the first did.
func (f *Stability) Failed() (count int, first string) { return f.s.Failed, f.s.Failure }

// InclusionProb returns the share of choices that have each term, pi_j.
func (f *Stability) InclusionProb() []float64 {
	p := len(f.s.Names)
	return format.Each(gram.NumbersTo(p), func(j int) float64 { return float64(f.s.Pairs[j*p+j]) / float64(max(1, f.s.Done)) })
}

// InclusionErr returns the Monte Carlo standard error of every share,
// sqrt(pi_j (1 - pi_j)/B) for B resamples: how much it would differ with another
// seed, not with other data.
func (f *Stability) InclusionErr() []float64 {
	freq := f.InclusionProb()
	for j, v := range freq {
		freq[j] = math.Sqrt(v * (1 - v) / float64(max(1, f.s.Done)))
	}
	return freq
}

// MeanSize returns the mean number of terms chosen, q.
func (f *Stability) MeanSize() float64 {
	var q float64
	for _, v := range f.InclusionProb() {
		q += v
	}
	return q
}

// Index returns the stability of the choice,
//
//	1 - mean_j s_j^2 / ((q/p)(1 - q/p)),   s_j^2 = pi_j (1 - pi_j) B/(B - 1):
//
// 1 if all choices are the same, 0 on average for choices of so many terms at random. It is
// NaN if nothing or everything is chosen always.
//
// Nogueira, Sechidis and Brown, JMLR 18 (2018), 174, definition 4.
func (f *Stability) Index() float64 {
	p, b := float64(len(f.s.Names)), float64(f.s.Done)
	var variance float64
	for _, v := range f.InclusionProb() {
		variance += v * (1 - v) * b / (b - 1) / p
	}
	share := f.MeanSize() / p
	return 1 - variance/(share*(1-share))
}

// Stable returns the terms that a share of at least threshold of the choices has, the most
// frequent first: stability selection. The error is mlreg.ErrSetting for a threshold outside
// (0, 1].
func (f *Stability) Stable(threshold float64) ([]string, error) {
	if !(threshold > 0 && threshold <= 1) {
		return nil, fmt.Errorf("%w: a threshold of %v; it is above 0, and at most 1", mlreg.ErrSetting, threshold)
	}
	freq := f.InclusionProb()
	var columns []int
	for j, v := range freq {
		if v >= threshold {
			columns = append(columns, j)
		}
	}
	slices.SortStableFunc(columns, func(a, b int) int { return cmp.Compare(freq[b], freq[a]) })
	return f.names(columns), nil
}

// ErrorBound bounds the expected number of terms that Stable(threshold) names falsely,
//
//	q^2 / ((2 threshold - 1) p).
//
// For half samples "falsely" is a term that is not in the truth, and the bound
// supposes that the false terms are exchangeable and that the choice is not worse
// than chance (Meinshausen and Bühlmann 2010, theorem 1). For complementary pairs it
// is a term that a choice from half of the rows has with probability q/p or less,
// and nothing is supposed (Shah and Samworth 2013, theorem 1). q is estimated by MeanSize. The
// error is mlreg.ErrSetting for a threshold outside (1/2, 1], and for bootstrap resamples.
func (f *Stability) ErrorBound(threshold float64) (float64, error) {
	if f.s.Rows == BootstrapResamples {
		return 0, fmt.Errorf("%w: the bound on errors is for half samples, and not for %v", mlreg.ErrSetting, f.s.Rows)
	}
	if !(threshold > 0.5 && threshold <= 1) {
		return 0, fmt.Errorf("%w: a threshold of %v; the bound is for more than 1/2", mlreg.ErrSetting, threshold)
	}
	q := f.MeanSize()
	return q * q / ((2*threshold - 1) * float64(len(f.s.Names))), nil
}

// Sets returns the sets of terms that were chosen together, the most frequent first, and
// how often each was.
func (f *Stability) Sets() (terms [][]string, counts []int) {
	for _, columns := range f.s.Sets {
		terms = append(terms, f.names(columns))
	}
	return terms, slices.Clone(f.s.Counts)
}

func (f *Stability) names(columns []int) []string {
	return format.Each(columns, func(j int) string { return f.s.Names[j] })
}

// Describe returns the table of the terms, the most frequent first, and below it the
// sets chosen most often.
func (f *Stability) Describe() *report.Table {
	freq, stderr := f.InclusionProb(), f.InclusionErr()
	order := gram.NumbersTo(len(freq))
	slices.SortStableFunc(order, func(a, b int) int { return f.s.Pairs[b*len(freq)+b] - f.s.Pairs[a*len(freq)+a] })
	t := &report.Table{Title: fmt.Sprintf("How often terms are chosen: %d %v of %d rows", f.s.Done, f.s.Rows, f.s.N), Columns: []report.Column{
		report.TextColumn("term", f.names(order)...),
		report.DecimalColumn("share", format.Each(order, func(j int) float64 { return freq[j] }), 3),
		report.DecimalColumn(format.StdErr, format.Each(order, func(j int) float64 { return stderr[j] }), 3),
	}}
	t.Notes = []string{fmt.Sprintf("%s terms on average; stability index %s", format.Decimal(f.MeanSize(), 2), format.Decimal(f.Index(), 3))}
	const shown = 3
	sets, counts := f.Sets()
	for m := range min(shown, len(sets)) {
		t.Notes = append(t.Notes, fmt.Sprintf("%d of %d: {%s}", counts[m], f.s.Done, strings.Join(sets[m], " ")))
	}
	if more := len(f.s.Sets) - shown; more > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("and %s", format.Plural(more, "other set")))
	}
	if f.s.Failed > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("%d choices failed and are not counted, the first, of resample %d: %s", f.s.Failed, f.s.FailureAt, f.s.Failure))
	}
	if left := f.s.Planned - f.s.Done - f.s.Failed; left > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("stopped: %d resamples not done", left))
	}
	return t
}

// String returns the table as text.
func (f *Stability) String() string { return f.Describe().String() }
