package mlreg

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/algebra"
	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/lsq"
	"github.com/regbook/regbook/mlreg/internal/stream"
	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
)

// Absorbed is a least-squares fit with an effect of every level of a factor, by FitAbsorbed. It
// is a Wald of the slopes. It holds no data and does not change.
type Absorbed struct {
	linear
	s absorbedState
}

type absorbedState struct {
	Factor  string
	Levels  []string // sorted
	Effects []float64
	Rows    []int // of positive weight, by level

	N            int
	RSS, TSS     float64
	Within       float64   // TSS of the rows less the means of their levels
	Root         []float64 // p x p: VCov = Root Root'
	DoF          float64   // of inference
	Errors       string    // what standard errors are; "" for those of equal variances
	CoefDigits   int
	StdErrDigits int
}

func (s *absorbedState) restored() error {
	if n := len(s.Levels); len(s.Effects) != n || len(s.Rows) != n {
		return fmt.Errorf("%w: %d levels have %d effects", ErrShape, n, len(s.Effects))
	}
	return nil
}

// FitAbsorbed fits least squares with an effect a_g for every level g of a factor, without a column
// for any of them:
//
//	y_i = a_g(i) + x_i'b + noise,
//
// of p terms and L levels. With the means of each level, weighted if rows are,
//
//	b = argmin_b sum_i w_i ((y_i - mean_g y) - (x_i - mean_g x)'b)^2,   a_g = mean_g y - (mean_g x)'b,
//
// which are the coefficients of lm(y ~ 0 + factor(g) + x), R's fixest::feols(y ~ x | g) and Stata's areg.
// The degrees of freedom count the levels: n - p - L are left. Rows are a *Design or a source's design
// of a formula with a bar,
//
//	d, err := frames.Design(df, "y ~ x | zone")
//	fit, err := mlreg.FitAbsorbed(d)
//
// or any with Design.Levels. A database whose route is source.Pushed sums n, the numbers and their products by level in one
// GROUP BY, as long as the levels do not lie so far apart that digits are lost. Otherwise two passes are made, the first for means, to
// twice the digits; memory is one block and p + 1 means of every level, so that 10^5 levels are as good as ten. The intercept is a part of the
// effects, whether the formula has one or not. Digits counts what the means and the subtraction round.
//
// Errors: ErrNoData for rows without levels, ErrNoTerms without terms, ErrConstant for a term that does not vary
// within the levels, *RankDeficientError for terms that are combinations of others there, ErrChanged, and those of
// FitOLS.
//
// Frisch and Waugh, Econometrica 1 (1933), 387-401; Wooldridge, Econometric Analysis of Cross Section and
// Panel Data, 2nd ed. (2010), section 10.5.
func FitAbsorbed(rows RowBlocks) (*Absorbed, error) {
	a, err := absorb(rows)
	if err != nil {
		return nil, err
	}
	f := &Absorbed{linear: linear{linearState{a.head, a.ols.l.coefficients}}}
	m := a.means
	effects := m.effects(&f.l.coefficients)
	order := gram.NumbersTo(len(m.names))
	slices.SortFunc(order, func(i, j int) int { return strings.Compare(m.names[i], m.names[j]) })
	s := &f.s
	s.Factor, s.N, s.RSS, s.Within = m.factor, a.ols.NObs(), a.ols.RSS(), a.syy
	_, between := m.between()
	s.TSS = s.Within + between
	for _, g := range order {
		s.Levels, s.Effects, s.Rows = append(s.Levels, m.names[g]), append(s.Effects, effects[g]), append(s.Rows, m.rows[g])
	}
	s.DoF = f.DoFResidual()
	s.CoefDigits, s.StdErrDigits = a.ols.Digits()
	s.Root = slices.Clone(a.ols.s.Root)
	floats.Scale(math.Sqrt(f.Sigma2()), s.Root)
	return f, nil
}

// Factor returns the name of the absorbed factor.
func (f *Absorbed) Factor() string { return f.s.Factor }

// LevelEffect is the effect of a level of an absorbed factor.
type LevelEffect struct {
	Level  string
	Rows   int // of positive weight
	Effect float64
}

// Tabulate returns the effects as a table.
func (LevelEffect) Tabulate(r []LevelEffect) *report.Table {
	return tables.Rows("Effects of levels",
		tables.Text("level", r, func(r LevelEffect) string { return r.Level }),
		tables.Int("n", r, func(r LevelEffect) int { return r.Rows }),
		tables.Number("effect", r, format.Digits+1, func(r LevelEffect) float64 { return r.Effect }))
}

// String writes the effect as text.
func (r LevelEffect) String() string { return report.Rows[LevelEffect]{r}.String() }

// Effects returns the effects a_g of the levels, in their order as texts: fixest's fixef. They contain the intercept.
// That of a level of few rows is an average of few, and its own noise is as large as such an average's.
func (f *Absorbed) Effects() report.Rows[LevelEffect] {
	rows := make(report.Rows[LevelEffect], len(f.s.Levels))
	for g, level := range f.s.Levels {
		rows[g] = LevelEffect{level, f.s.Rows[g], f.s.Effects[g]}
	}
	return rows
}

// Predict returns the effect of its level + x'b for every row of d, plus its offset. d needs the levels of its rows,
// Design.Levels, which frames.Predict sets. Errors: ErrNoData for rows without them, ErrNotEstimable for a level that no row fitted
// had, and those of OLS.Predict.
func (f *Absorbed) Predict(d *Design) ([]float64, error) {
	yhat, err := f.linear.Predict(d)
	if err != nil {
		return nil, err
	}
	if d.Levels == nil {
		return nil, fmt.Errorf("%w: a prediction needs the level of %q of every row, Design.Levels; frames.Predict takes it from the column", ErrNoData, f.s.Factor)
	}
	for i, level := range d.Levels {
		g, ok := slices.BinarySearch(f.s.Levels, level)
		if !ok {
			return nil, fmt.Errorf("%w: level %q of %q, in row %d, was not seen in training, and its effect is not known", ErrNotEstimable, level, f.s.Factor, d.RowNumber(i))
		}
		yhat[i] += f.s.Effects[g]
	}
	return yhat, nil
}

// Fitted is Predict: the fitted values of the rows of d.
func (f *Absorbed) Fitted(d *Design) ([]float64, error) { return f.Predict(d) }

// Residuals returns y - yhat for every row of d, which must have a response (ErrNoData). Other errors: as Predict.
func (f *Absorbed) Residuals(d *Design) ([]float64, error) {
	return residualsOf(d, f.l.Response, f.Predict)
}

// NObs returns the number of observations; rows of weight zero do not count.
func (f *Absorbed) NObs() int { return f.s.N }

// DoF returns p + L: slopes and levels.
func (f *Absorbed) DoF() float64 { return float64(len(f.l.B) + len(f.s.Levels)) }

// DoFResidual returns n - p - L.
func (f *Absorbed) DoFResidual() float64 { return float64(f.s.N) - f.DoF() }

// RSS returns sum_i w_i (y_i - yhat_i)^2.
func (f *Absorbed) RSS() float64 { return f.s.RSS }

// Sigma2 returns RSS/(n - p - L), NaN if no degree of freedom is left.
func (f *Absorbed) Sigma2() float64 {
	if f.DoFResidual() <= 0 {
		return math.NaN()
	}
	return f.s.RSS / f.DoFResidual()
}

// R2 returns 1 - RSS/TSS, TSS about the mean of all rows: the effects of the levels explain, too.
func (f *Absorbed) R2() float64 { return 1 - f.s.RSS/f.s.TSS }

// AdjR2 returns 1 - (1 - R2)(n - 1)/(n - p - L).
func (f *Absorbed) AdjR2() float64 {
	if f.DoFResidual() <= 0 {
		return math.NaN()
	}
	return 1 - (1-f.R2())*float64(f.s.N-1)/f.DoFResidual()
}

// R2Within returns 1 - RSS/sum_i w_i (y_i - mean_g y)^2: of what the levels leave, the share that the terms explain.
func (f *Absorbed) R2Within() float64 { return 1 - f.s.RSS/f.s.Within }

// Digits returns how many significant digits of the slopes, and of their standard errors where variances are equal, are
// certified; see OLS.Digits. The sums, the means of the levels and the subtraction count. Of the standard errors
// of Robust and Clustered none are stated, which is -1.
func (f *Absorbed) Digits() (coef, stderr int) { return f.s.CoefDigits, f.s.StdErrDigits }

// StdErr returns the standard errors of the slopes in the order of Names.
func (f *Absorbed) StdErr() []float64 { return algebra.RowLengths(f.s.Root, len(f.l.B)) }

// VCov returns the covariance matrix of the slopes in the order of Names, with the rows less the means of their levels
// as A,
//
//	VCov = (A'WA)^-1 RSS/(n - p - L),
//
// or that of Robust or Clustered.
func (f *Absorbed) VCov() *mat.SymDense { return algebra.Covariance(f.s.Root, len(f.l.B)) }

// InferenceDoF returns n - p - L, and of Clustered the number of clusters less 1.
func (f *Absorbed) InferenceDoF() float64 { return f.s.DoF }

// Robust returns the fit with a covariance that holds for unequal variances, from the rows that were fitted; rows other than
// those are refused (ErrShape). HC1 multiplies HC0 by n/(n - p - L), as fixest's vcov = "hetero". HC2 and HC3 take the
// leverages of the model with a column for every level, with the rows less the means of their levels as A and W_g the
// sum of the weights of level g,
//
//	h_i = w_i/W_g(i) + w_i a_i'(A'WA)^-1 a_i,
//
// as sandwich's vcovHC of lm(y ~ 0 + factor(g) + x). The only row of a level has leverage 1 and does not count: less the means of
// its level it is zero, and a fit without it has the same slopes. For any other row of leverage 1 HC2 and HC3 are not
// defined (ErrNotEstimable). Robust makes four passes over row blocks.
//
// MacKinnon and White, Journal of Econometrics 29 (1985), 305-325.
func (f *Absorbed) Robust(rows RowBlocks, hc HC) (*Absorbed, error) {
	if hc < HC0 || hc > HC3 {
		return nil, fmt.Errorf("%w: no covariance estimator %v; take HC0, HC1, HC2 or HC3, or Clustered", ErrSetting, hc)
	}
	a, err := f.again(rows)
	if err != nil {
		return nil, err
	}
	scale, of := 1.0, hc
	if hc == HC1 { // whose degrees of freedom are those of the whole model
		scale, of = math.Sqrt(float64(f.s.N)/f.DoFResidual()), HC0
	}
	r, err := a.ols.robust(a.within, of, func(b *fittedRows, i int) (float64, error) {
		w := b.design.Weight(i)
		if w == 0 {
			return 1, nil
		}
		g := a.means.place[b.design.Levels[i]]
		if a.means.rows[g] == 1 {
			return 0, nil
		}
		h := b.h[i] + w/a.means.w[g].Hi
		if h >= lsq.LeverageOne {
			h = 1
		}
		return a.ols.correction(of, h, b.first+i+1)
	})
	if err != nil {
		return nil, err
	}
	return f.with(r, scale, f.DoFResidual(), "robust to unequal variances ("+hc.String()+")"), nil
}

// Clustered returns the fit with a covariance that holds if the noise of rows of one cluster is correlated in any way,
//
//	VCov = c (A'WA)^-1 (sum_c s_c s_c') (A'WA)^-1,   c = G/(G-1) (n-1)/(n-k),
//
// as OLS.Clustered has it, with limits of Student's t with G-1 degrees of freedom. Clusters returns the name of the
// cluster of every row of a block, whose values are less the means of their levels; nil takes the levels of the absorbed factor. If every
// level is within a cluster, k = p + 1, since their effects are then not estimated from other clusters; otherwise k = p + L. That is
// Stata's xtreg, fe vce(cluster) and reghdfe. It makes four passes over row blocks. Errors are those of OLS.Clustered.
//
// Cameron and Miller, The Journal of Human Resources 50 (2015), 317-372, section III.B.
func (f *Absorbed) Clustered(rows RowBlocks, clusters func(block *Design) ([]string, error)) (*Absorbed, error) {
	by := "clusters"
	if clusters == nil {
		by = f.s.Factor
		clusters = func(block *Design) ([]string, error) { return block.Levels, nil }
	}
	a, err := f.again(rows)
	if err != nil {
		return nil, err
	}
	of, nested := make([]string, len(a.means.names)), true
	seen := make([]bool, len(of))
	r, err := a.ols.Clustered(a.within, func(block *Design) ([]string, error) {
		names, err := clusters(block)
		if err != nil || len(names) != len(block.Levels) {
			return names, err
		}
		for i, level := range block.Levels {
			if block.Weight(i) == 0 {
				continue
			}
			g := a.means.place[level]
			nested = nested && (!seen[g] || of[g] == names[i])
			seen[g], of[g] = true, names[i]
		}
		return names, nil
	})
	if err != nil {
		return nil, err
	}
	k := f.DoF()
	if nested {
		k = float64(len(f.l.B) + 1)
	}
	return f.with(r, math.Sqrt(a.ols.DoFResidual()/(float64(f.s.N)-k)), r.InferenceDoF(), "robust to what rows of one level of "+by+" have in common"), nil
}

// again makes the fit's two passes, and sees that the rows are those that were fitted.
func (f *Absorbed) again(rows RowBlocks) (*absorption, error) {
	if err := args.ResidualDoF(f.DoFResidual()); err != nil {
		return nil, err
	}
	a, err := absorb(rows)
	if err != nil {
		return nil, err
	}
	if a.ols.NObs() != f.s.N || a.means.factor != f.s.Factor || len(a.means.names) != len(f.s.Levels) || !(math.Abs(a.ols.RSS()-f.s.RSS) <= 1e-6*f.s.RSS+1e-10*f.s.Within) {
		return nil, fmt.Errorf("%w: these are %d rows in %d levels with a residual sum of squares of %g, and the fit was to %d in %d with %g; give the rows that were fitted",
			ErrShape, a.ols.NObs(), len(a.means.names), a.ols.RSS(), f.s.N, len(f.s.Levels), f.s.RSS)
	}
	return a, nil
}

// with returns the fit with the covariance of another, whose root is scaled.
func (f *Absorbed) with(r *Robust, scale, dof float64, errors string) *Absorbed {
	g := *f
	g.s.Root = slices.Clone(r.s.Root)
	floats.Scale(scale, g.s.Root)
	g.s.DoF, g.s.Errors, g.s.StdErrDigits = dof, errors, -1
	return &g
}

// errorsAre says what the standard errors are.
func (f *Absorbed) errorsAre() string { return f.s.Errors }

// ConfInt returns two-sided confidence limits; see the function ConfInt.
func (f *Absorbed) ConfInt(level float64) (report.Rows[Interval], error) { return ConfInt(f, level) }

// Table returns the table of the slopes; see CoefTable.
func (f *Absorbed) Table(level float64) (report.Rows[CoefRow], error) { return CoefTable(f, level) }

// Kind names the fit in the title of its tables.
func (f *Absorbed) Kind() string { return "OLS fit, " + f.s.Factor + " absorbed," }

// Describe returns the table of the fit; see Summary.
func (f *Absorbed) Describe() *report.Table {
	t := summary(f)
	alone := 0
	for _, n := range f.s.Rows {
		if n == 1 {
			alone++
		}
	}
	note := fmt.Sprintf("%s: %s, counted in the residual df", f.s.Factor, format.Plural(len(f.s.Levels), "level"))
	if alone > 0 {
		note += fmt.Sprintf("; %d of a single row, which says nothing of the slopes", alone)
	}
	t.Notes = append(t.Notes, note)
	return t
}

// String writes the table of the fit as text.
func (f *Absorbed) String() string { return f.Describe().String() }

// GobEncode implements gob.GobEncoder.
func (f *Absorbed) GobEncode() ([]byte, error) { return stream.Encode(f, &f.l, &f.s) }

// GobDecode implements gob.GobDecoder.
func (f *Absorbed) GobDecode(b []byte) error { return gobDecode(b, f, &f.l, &f.s) }
