package quantreg

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/dist"
	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/quantiles"
	"github.com/regbook/regbook/mlreg/internal/stream"
	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
)

// Quantiles are the fits of many quantiles to the same rows, by FitQuantiles or
// FitProcess. They hold no data and do not change.
type Quantiles struct {
	sequence
	pieces pieces
}

// pieces are the probabilities between which each fit is the one of least loss; nil if the taus
// were given.
type pieces struct{ From, To []float64 }

// FitQuantiles is Fit for many probabilities, in ascending order in the result.
// Each fit starts from the one before. Nil or empty taus are mlreg.ErrSetting, and so are two
// that are equal; other errors are those of Fit.
//
// The table says at which probabilities the fit is not the only one of its loss.
//
// Fits of different probabilities can cross: see Crossings and PredictSorted. Whether
// their slopes differ is tested by EqualSlopes.
func FitQuantiles(d *mlreg.Design, taus []float64, settings *Settings) (*Quantiles, error) {
	q, s, err := newFitting(d, taus, settings)
	if err != nil {
		return nil, err
	}
	taus = slices.Clone(taus)
	slices.Sort(taus)
	if len(taus) == 0 || len(slices.Compact(slices.Clone(taus))) < len(taus) {
		return nil, fmt.Errorf("%w: taus %v; they are one or more, and differ", mlreg.ErrSetting, taus)
	}
	out := new(Quantiles)
	var last *quantiles.Solution
	for _, tau := range taus {
		f, solution, err := q.next(tau, s, last)
		if f == nil {
			return nil, err
		}
		last = solution
		out.add(f)
		if err != nil {
			return out, err
		}
	}
	return out, nil
}

// warmRows is the number of rows up to which a fit starts from the last one; beyond it
// samples are faster.
const warmRows = 6000

// next fits a quantile after another.
func (q *fitting) next(tau float64, s *Settings, last *quantiles.Solution) (*Quantile, *quantiles.Solution, error) {
	if s.L2 > 0 {
		f, err := q.ridge(tau, s)
		return f, nil, err
	}
	at := q.At(tau, s.L1)
	var err error
	if last != nil && len(q.Rows) <= warmRows {
		last, err = last.Rebound(at.Low, at.High, s.MaxSteps)
	} else {
		last, err = quantiles.Solve(at, nil, s.MaxSteps)
	}
	f, err := q.fit(tau, s, last, err)
	return f, last, err
}

// ProcessSettings are the options of FitProcess.
type ProcessSettings struct {
	// From and To are the probabilities between which the process is followed; the defaults
	// 0 are 0.0001/n and 1 - 0.0001/n.
	From, To float64
	// MaxSteps limits the number of fits; the default 0 is 1000 + 200 (n + k).
	MaxSteps int
	// Progress, if not nil, is told how far the probability has come, from 0 to 1. An error
	// from it stops the work, and is returned with the process so far.
	Progress func(done, total float64) error
}

// FitProcess fits all quantiles, R's rq with tau = -1: the coefficients as
// functions of tau, which are constant between the probabilities at which one vertex
// takes over from another. The number of vertices grows like n log n.
//
// Fits are numbered by ascending tau. Pieces are the probabilities between which each is
// the fit, and Tau their middles, for which Loss and the others are. Crossings of so many
// fits are usual.
//
// Nil settings are the defaults. Errors are those of Fit.
//
// Koenker and d'Orey, Applied Statistics 36 (1987), 383-393; Portnoy, SIAM Journal on
// Scientific and Statistical Computing 12 (1991), 867-883.
func FitProcess(d *mlreg.Design, settings *ProcessSettings) (*Quantiles, error) {
	set := args.OrDefaults(settings)
	q, s, err := newFitting(d, nil, nil)
	if err != nil {
		return nil, err
	}
	if err := set.complete(len(q.Rows), q.A.Cols); err != nil {
		return nil, err
	}
	start, err := quantiles.Solve(q.At(set.From, 0), nil, 0)
	if err != nil {
		return nil, q.singular(err)
	}
	out := new(Quantiles)
	low, high, lowRate, highRate := q.Rates()
	const shortest = 1e-12
	steps := 0
	err = start.Walk(low, high, lowRate, highRate, set.From, set.To, set.MaxSteps, func(at *quantiles.Solution, from, to float64) error {
		if steps++; set.Progress != nil {
			if err := set.Progress((from-set.From)/(set.To-set.From), 1); err != nil {
				return err
			}
		}
		if to-from < shortest {
			return nil
		}
		f := q.empty((from+to)/2, s)
		if err := q.setCoef(f, at.Coef); err != nil {
			return err
		}
		f.s.Method = "parametric steps"
		value, gap := at.Objective()
		f.s.Gap = gap / math.Max(value, math.SmallestNonzeroFloat64)
		q.setLoss(f, at.Residuals())
		q.setRows(f, at)
		p := q.At(f.s.Tau, 0)
		if err := q.setRange(f, at.Under(p.Low, p.High), 100_000); err != nil {
			return err
		}
		out.add(f)
		out.pieces.From, out.pieces.To = append(out.pieces.From, from), append(out.pieces.To, to)
		return nil
	})
	switch {
	case errors.Is(err, quantiles.ErrSteps):
		return out, &mlreg.ConvergenceError{Method: "parametric steps", Iterations: steps, Measure: "tau", Value: out.pieces.To[len(out.pieces.To)-1], Tol: set.To}
	case err != nil && out.Len() > 0 && set.Progress != nil:
		return out, err
	case err != nil:
		return nil, q.singular(err)
	}
	return out, nil
}

// complete puts defaults for zeros, of n rows and k columns, and refuses what is out of range.
func (s *ProcessSettings) complete(n, k int) error {
	s.From = cmp.Or(s.From, 1e-4/float64(n))
	s.To = cmp.Or(s.To, 1-1e-4/float64(n))
	switch {
	case !(s.From > 0 && s.From < s.To && s.To < 1):
		return fmt.Errorf("%w: ProcessSettings.From = %v and To = %v; they are probabilities, From the smaller", mlreg.ErrSetting, s.From, s.To)
	case s.MaxSteps < 0:
		return fmt.Errorf("%w: ProcessSettings.MaxSteps = %d", mlreg.ErrSetting, s.MaxSteps)
	case s.MaxSteps == 0:
		s.MaxSteps = 1000 + 200*(n+k)
	}
	return nil
}

// Tau returns the probabilities fitted, ascending; of a process those in the middle of
// its pieces.
func (f *Quantiles) Tau() []float64 {
	return format.Each(f.s.States, func(s state) float64 { return s.Tau })
}

// Pieces returns the probabilities from and to which each fit of a process is the fit of
// least loss; nil if the probabilities were given.
func (f *Quantiles) Pieces() (from, to []float64) {
	return slices.Clone(f.pieces.From), slices.Clone(f.pieces.To)
}

// At returns the fit at tau: one of those given, or, of a process, the one whose piece
// has it. The error is mlreg.ErrSetting if there is none.
func (f *Quantiles) At(tau float64) (*Quantile, error) {
	if f.pieces.From != nil {
		k := sort.SearchFloat64s(f.pieces.To, tau)
		if k < len(f.pieces.To) && tau >= f.pieces.From[0] {
			return f.Fit(k), nil
		}
		return nil, fmt.Errorf("%w: tau = %v; the process goes from %v to %v", mlreg.ErrSetting, tau, f.pieces.From[0], f.pieces.To[len(f.pieces.To)-1])
	}
	if k := slices.Index(f.Tau(), tau); k >= 0 {
		return f.Fit(k), nil
	}
	return nil, fmt.Errorf("%w: tau = %v is none of those fitted, %v; see FitProcess", mlreg.ErrSetting, tau, f.Tau())
}

// PredictSorted is Predict with every row in ascending order, which quantiles are: where
// fits cross, sorted ones are nearer to the truth. Errors are those of Predict.
//
// Chernozhukov, Fernandez-Val and Galichon, Econometrica 78 (2010), 1093-1125.
func (f *Quantiles) PredictSorted(d *mlreg.Design) (*mat.Dense, error) {
	m, err := f.Predict(d)
	if err != nil {
		return nil, err
	}
	for i := range d.NObs() {
		slices.Sort(m.RawRowView(i))
	}
	return m, nil
}

// Crossing is a row at which the fit of a larger probability is lower than that of
// the next smaller one.
type Crossing struct {
	Row              int // counted from 0
	Lower, Upper     float64
	AtLower, AtUpper float64 // the fits there: AtLower > AtUpper
}

// Crossings returns the rows of d at which neighboring fits cross, in the order of rows.
// They are none where the terms of d are near their means; far out, lines of different
// slopes must cross. Differences within rounding do not count. Errors are those of Predict.
func (f *Quantiles) Crossings(d *mlreg.Design) (report.Rows[Crossing], error) {
	m, err := f.Predict(d)
	if err != nil {
		return nil, err
	}
	tau := f.Tau()
	var out report.Rows[Crossing]
	for i := range d.NObs() {
		row := m.RawRowView(i)
		for k := 1; k < len(row); k++ {
			if row[k-1]-row[k] > 1e-12*(math.Abs(row[k-1])+math.Abs(row[k])) {
				out = append(out, Crossing{i, tau[k-1], tau[k], row[k-1], row[k]})
			}
		}
	}
	return out, nil
}

// ConfInt returns limits of the coefficients of every fit, those of Quantile.Inference by
// HendricksKoenker with the rows d that were fitted, whose errors it has.
func (f *Quantiles) ConfInt(d *mlreg.Design, level float64) ([]report.Rows[mlreg.Interval], error) {
	limits := make([]report.Rows[mlreg.Interval], f.Len())
	for k, tau := range f.Tau() {
		inference, err := f.Fit(k).Inference(d, HendricksKoenker)
		if err == nil {
			limits[k], err = inference.ConfInt(level)
		}
		if err != nil {
			return nil, fmt.Errorf("at tau = %v: %w", tau, err)
		}
	}
	return limits, nil
}

// EqualSlopes tests that all fits have the same slopes, so that the terms move the
// response but do not change its spread: a Wald test of the differences of the slopes of
// neighboring fits, with the covariance of fits at tau_a <= tau_b
//
//	tau_a (1 - tau_b) H_a^-1 A'A H_b^-1,
//
// H as in Quantile.Inference by HendricksKoenker. It is R's anova of two or more rq fits.
// Terms restricts it to the slopes of some terms; without them it is of all.
//
// Errors: mlreg.ErrSetting for fewer than two fits, a process, a penalized fit or a model without
// intercept or slopes; those of Quantile.Inference.
//
// Koenker and Bassett, Econometrica 50 (1982), 43-61.
func (f *Quantiles) EqualSlopes(d *mlreg.Design, terms ...string) (mlreg.FTest, error) {
	m := f.Len()
	if m < 2 || f.pieces.From != nil {
		return mlreg.FTest{}, fmt.Errorf("%w: the test is of two or more probabilities that were given, and not of a process", mlreg.ErrSetting)
	}
	if !f.head.HasIntercept() || len(f.Names()) == 1 {
		return mlreg.FTest{}, fmt.Errorf("%w: the test is of slopes beside an intercept", mlreg.ErrSetting)
	}
	if len(terms) == 0 {
		terms = f.Names()[1:]
	}
	slopes, err := args.Positions(terms, f.Names()[1:])
	if err != nil {
		return mlreg.FTest{}, err
	}
	q, err := f.Fit(0).again(d)
	if err != nil {
		return mlreg.FTest{}, err
	}
	n, k, s := len(q.Rows), q.A.Cols, len(slopes)
	if n <= k {
		return mlreg.FTest{}, args.ResidualDoF(float64(n - k))
	}
	scores, err := f.slopeScores(q, slopes)
	if err != nil {
		return mlreg.FTest{}, err
	}
	diff, cov := f.slopeDifferences(q, slopes, scores)
	var ch mat.Cholesky
	var x mat.VecDense
	if !ch.Factorize(cov) || ch.SolveVecTo(&x, mat.NewVecDense(len(diff), diff)) != nil {
		return mlreg.FTest{}, fmt.Errorf("%w: the covariance of the differences of slopes is singular; take probabilities farther from each other", mlreg.ErrNotEstimable)
	}
	test := mlreg.FTest{DF1: float64(s * (m - 1)), DF2: float64(n*m - s*(m-1))}
	test.Stat = gram.Dot(diff, x.RawVector().Data) / test.DF1
	test.P = dist.FUpper(test.Stat, test.DF1, test.DF2)
	return test, nil
}

// slopeDifferences returns the differences of some slopes of neighboring fits, in the units of the problem, and their covariance.
func (f *Quantiles) slopeDifferences(q *fitting, slopes []int, scores []*mat.Dense) (diff []float64, cov *mat.SymDense) {
	m, s := f.Len(), len(slopes)
	between := func(t, u int) *mat.Dense {
		var w mat.Dense
		w.Mul(scores[t].T(), scores[u])
		x, y := f.s.States[t].Tau, f.s.States[u].Tau
		w.Scale(math.Min(x, y)-x*y, &w)
		return &w
	}
	diff, cov = make([]float64, s*(m-1)), mat.NewSymDense(s*(m-1), nil)
	for t := range m - 1 {
		for c, j := range slopes {
			diff[t*s+c] = q.InSlope(j, f.s.Coef[t+1][1+j]-f.s.Coef[t][1+j])
		}
		for u := t; u < m-1; u++ {
			var w mat.Dense
			w.Add(between(t, u), between(t+1, u+1))
			w.Sub(&w, between(t, u+1))
			w.Sub(&w, between(t+1, u))
			for c := range s {
				for e := range s {
					if i, j := t*s+c, u*s+e; i <= j {
						cov.SetSym(i, j, w.At(c, e))
					}
				}
			}
		}
	}
	return diff, cov
}

// slopeScores returns, for every fit, the columns of A H^-1 of some slopes.
func (f *Quantiles) slopeScores(q *fitting, slopes []int) ([]*mat.Dense, error) {
	a, n := q.weighted(), len(q.Rows)
	scores := make([]*mat.Dense, f.Len())
	for t, tau := range f.Tau() {
		density, _, err := q.hendricksKoenker(tau, bandwidth(tau, n, true))
		if err != nil {
			return nil, err
		}
		inverse, err := q.inverse(density)
		if err != nil {
			return nil, err
		}
		scores[t] = mat.NewDense(n, len(slopes), nil)
		for c, j := range slopes {
			var v mat.VecDense
			v.MulVec(a, inverse.ColView(q.First+j))
			scores[t].SetCol(c, v.RawVector().Data)
		}
	}
	return scores, nil
}

// Describe returns the coefficients as a table, a row for every fit; of more than ten
// fits ten are shown, from the first to the last.
func (f *Quantiles) Describe() *report.Table {
	rows := f.shown()
	tau, coef, r1 := f.Tau(), f.Coef(), f.R1()
	t := &report.Table{
		Title:   "Quantile regressions of " + f.Response(),
		Columns: []report.Column{tables.Written("τ", format.Each(rows, func(k int) float64 { return tau[k] }), func(v float64) string { return format.Number(v, 4) })},
	}
	for j, name := range f.Names() {
		const most = 8
		if j == most {
			t.Notes = append(t.Notes, fmt.Sprintf("%d coefficients not shown", len(f.Names())-most))
			break
		}
		t.Columns = append(t.Columns, tables.Number(name, rows, 0, func(k int) float64 { return coef.At(k, j) }))
	}
	t.Columns = append(t.Columns, report.DecimalColumn("R1", format.Each(rows, func(k int) float64 { return r1[k] }), 4))
	if open := f.notUnique(); len(open) > 0 {
		t.Notes = append(t.Notes, "other coefficients have the same loss at τ = "+strings.Join(open, ", ")+"; see Unique and Range of Fit")
	}
	note := fmt.Sprintf("n = %d, %s", f.NObs(), format.Plural(f.Len(), "fit"))
	if f.pieces.From != nil {
		note += fmt.Sprintf(", all quantiles from %s to %s", format.Number(f.pieces.From[0], 3), format.Number(f.pieces.To[f.Len()-1], 6))
	}
	t.Notes = tables.InScaledUnits(append(t.Notes, note, "duality gaps at most "+format.PowerAbove(math.Max(slices.Max(f.Gap()), 1e-15))+" of the objective"), f.Scaling() != nil)
	return t
}

// notUnique returns the probabilities of the fits that are not the only ones of their loss, the first six.
func (f *Quantiles) notUnique() []string {
	var open []string
	for k, tau := range f.Tau() {
		if f.s.States[k].Unique {
			continue
		}
		if len(open) == 6 {
			return append(open, "...")
		}
		open = append(open, format.Number(tau, 4))
	}
	return open
}

// GobEncode implements gob.GobEncoder.
func (f *Quantiles) GobEncode() ([]byte, error) {
	return stream.Encode(f, &f.head, &f.s, &f.pieces)
}

// GobDecode implements gob.GobDecoder.
func (f *Quantiles) GobDecode(b []byte) error {
	return stream.Decode(b, f, f.restored, &f.head, &f.s, &f.pieces)
}

// restored looks at what gob has filled.
func (f *Quantiles) restored() error {
	if m := len(f.pieces.From); m != len(f.pieces.To) || m > 0 && m != f.Len() {
		return fmt.Errorf("%w: %d fits have %d pieces", mlreg.ErrShape, f.Len(), m)
	}
	return f.sequence.restored()
}

// String writes the table of the fits as text.
func (f *Quantiles) String() string { return f.Describe().String() }

// Tabulate returns the crossings as a table.
func (Crossing) Tabulate(c []Crossing) *report.Table {
	return tables.Rows("Crossing quantiles",
		tables.Int("row", c, func(r Crossing) int { return r.Row + 1 }),
		tables.Number("τ", c, 4, func(r Crossing) float64 { return r.Lower }),
		tables.Number("fit", c, format.Digits+1, func(r Crossing) float64 { return r.AtLower }),
		tables.Number("next τ", c, 4, func(r Crossing) float64 { return r.Upper }),
		tables.Number("its fit", c, format.Digits+1, func(r Crossing) float64 { return r.AtUpper }))
}

// Describe returns the crossing as a table.
func (c Crossing) Describe() *report.Table {
	return report.Rows[Crossing]{c}.Describe()
}

// String writes the crossing as text.
func (c Crossing) String() string { return c.Describe().String() }
