package mlreg

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/algebra"
	"github.com/regbook/regbook/mlreg/internal/glm"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/lsq"
	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
)

// Robust returns the fit with standard errors that do not take the variance of the family
// for true: with the scores s_i = w_i (y_i - mu_i) mu'_i/V(mu_i), leverages h_i and
// H = A'WA,
//
//	VCov = H^-1 (sum_i c_i s_i^2 a_i a_i') H^-1,
//
// c_i by hc as in OLS.Robust: 1, n/(n-p), 1/(1-h_i), 1/(1-h_i)^2. Coefficients stay the
// same; statistics are normal, z. H has the second derivatives that the model expects, as
// in R; those of statsmodels are of the responses seen, which differ for a link that is not
// canonical, and its HC1, HC2 and HC3 of a GLM are all HC0. Limits and tests of the fit that is returned are all by
// this covariance, but not Anova, DropTerms and Profile, which are by the deviance. It is
// vcovHC of R's sandwich. The rows are those that were fitted; in blocks (RowBlocks) they
// take one pass. Those of a source.Design with factors take it by their cells, in which a row has its numbers and no dummies.
//
// Errors: ErrSetting for an unknown hc; ErrShape for other rows; ErrNotEstimable for a fit
// with a penalty, and for HC2 and HC3 with a row of leverage 1; ErrNotFinite if the sum overflows.
//
// White, Econometrica 50 (1982), 1-25.
func (f *GLM) Robust(rows RowBlocks, hc HC) (*GLM, error) {
	if hc < HC0 || hc > HC3 {
		return nil, fmt.Errorf("%w: no covariance estimator %v; take HC0, HC1, HC2 or HC3", ErrSetting, hc)
	}
	k := f.columns()
	sum := mat.NewSymDense(k, nil)
	add := func(b *glmBlock) error { return f.addScores(sum, b, hc) }
	if d, ok := rows.(*Design); ok {
		if _, err := f.termsOf(d); err != nil {
			return nil, err
		}
		b, err := f.fittedBlock(d)
		if err != nil {
			return nil, err
		}
		if err := add(b); err != nil {
			return nil, err
		}
	} else {
		if err := f.checkUnpenalized(); err != nil {
			return nil, err
		}
		switch cells, err := f.fittedBlocks(rows, add); {
		case err != nil:
			return nil, err
		case cells != nil:
			sum = cells.scatter()
		}
	}
	if hc == HC1 {
		sum.ScaleSym(float64(f.s.N)/f.DoFResidual(), sum)
	}
	return f.sandwich(sum, "robust to the variance ("+hc.String()+")")
}

// addScores adds c_i s_i^2 z_i z_i' of rows to a sum, with their coordinates z_i = T'a_i by the root of H^-1 = T T', or to that of their cells.
func (f *GLM) addScores(sum *mat.SymDense, b *glmBlock, hc HC) error {
	score, err := f.eachRowAt(b.design, b.eta, f.score)
	if err != nil {
		return err
	}
	for i, s := range score {
		switch rest := 1 - b.h[i]; {
		case s == 0:
		case hc >= HC2 && b.h[i] >= lsq.LeverageOne:
			return fmt.Errorf("%w: row %d has leverage 1, for which %v is not defined; use HC0 or HC1", ErrNotEstimable, b.design.rowAfter(i, b.first), hc)
		case hc == HC2:
			score[i] /= math.Sqrt(rest)
		case hc == HC3:
			score[i] /= rest
		}
	}
	if b.cells != nil {
		b.cells.addSquares(score)
		return nil
	}
	x, err := f.rows(b.design)
	if err != nil {
		return err
	}
	sum.AddSym(sum, scattered(f.coordinates(f.s.Root, f.columns()), x, score))
	return nil
}

// Clustered returns the fit with standard errors that allow any dependence of rows within
// clusters, of which clusters names that of every row; nil takes Design.Clusters:
//
//	VCov = c H^-1 (sum_g s_g s_g') H^-1,   s_g = sum_{i in g} s_i a_i,
//	c = G/(G-1) (n-1)/(n-p),
//
// for G clusters, with the scores and H of Robust: the correction of statsmodels'
// cov_type="cluster", and of sandwich's vcovCL(g, cluster, type = "HC1"); the default of
// vcovCL for a glm lacks (n-1)/(n-p). It needs many clusters. All else is as for Robust.
//
// Errors: ErrShape for another number of clusters than rows; ErrSetting for fewer than two
// clusters; ErrNoData for nil and a design without Clusters; those of Robust.
//
// Liang and Zeger, Biometrika 73 (1986), 13-22.
func (f *GLM) Clustered(d *Design, clusters []string) (*GLM, error) {
	if _, err := f.termsOf(d); err != nil {
		return nil, err
	}
	score, err := f.eachRow(d, f.score)
	if err == nil && clusters == nil {
		clusters, err = d.clusterNames()
	}
	if err != nil {
		return nil, err
	}
	a, err := f.withOnes(d)
	if err != nil {
		return nil, err
	}
	k := f.columns()
	s := &clusterScores{r: k, place: map[string]int{}}
	if err := s.add(d, clusters, func(i int, sum []float64) { floats.AddScaled(sum, score[i], a.RawRowView(i)) }); err != nil {
		return nil, err
	}
	root := mat.NewDense(k, k, f.s.Root)
	for g, sum := range s.scores { // to orthonormal coordinates
		var z mat.VecDense
		z.MulVec(root.T(), mat.NewVecDense(k, sum))
		s.scores[g] = z.RawVector().Data
	}
	meat, err := s.scatter(f.s.N, f.DoFResidual())
	if err != nil {
		return nil, err
	}
	return f.sandwich(meat, fmt.Sprintf("clustered (%d clusters)", len(s.scores)))
}

// sandwich returns the fit with the covariance T M T', for H^-1 = T T'.
func (f *GLM) sandwich(m *mat.SymDense, errors string) (*GLM, error) {
	half, err := symmetricRoot(m)
	if err != nil {
		return nil, err
	}
	k := f.columns()
	v := algebra.Outer(algebra.Multiply(mat.NewDense(k, k, f.s.Root), half, false, false))
	out := *f
	out.c.Errors, out.c.Sandwich = errors, make([]float64, k*k)
	for i := range k {
		for j := range k {
			out.c.Sandwich[i*k+j] = v.At(i, j)
		}
	}
	return &out, nil
}

// Overdispersion are tests that counts vary more than Poisson's: statistics that are about
// standard normal if they do not, with the probabilities P of larger ones.
type Overdispersion struct {
	// CameronTrivedi tests Var y = mu (1 + alpha), and CameronTrivediNB2 Var y =
	// mu + alpha mu^2, the variance of a negative binomial: the t statistics of alpha in
	// the regressions of ((y-mu)^2 - y)/mu on 1 and on mu.
	CameronTrivedi, CameronTrivediNB2 ZTest
	// Dean is the score test of Var y = mu + alpha mu^2,
	//
	//	sum ((y-mu)^2 - y)/sqrt(2 sum mu^2).
	Dean ZTest
	// Alpha is the estimate of alpha in mu (1 + alpha) by the first regression.
	Alpha float64
}

// ZTest is a statistic that is standard normal if the null hypothesis is true, and the
// probability P of a larger one.
type ZTest struct{ Stat, P float64 }

func newZTest(z float64) ZTest {
	return ZTest{z, math.Erfc(z/math.Sqrt2) / 2}
}

// Overdispersion tests whether the counts vary more than their Poisson model says. If they
// do, its standard errors are too small; QuasiPoisson and Robust have larger ones. d has
// the rows that were fitted.
//
// Errors: ErrSetting for a family other than Poisson and QuasiPoisson, and for weights;
// those of Anova.
//
// Cameron and Trivedi, Journal of Econometrics 46 (1990), 347-364; Dean, Journal of the
// American Statistical Association 87 (1992), 451-457.
func (f *GLM) Overdispersion(d *Design) (*Overdispersion, error) {
	if _, err := f.termsOf(d); err != nil {
		return nil, err
	}
	if f.c.Family.kind() != glm.Poisson {
		return nil, fmt.Errorf("%w: overdispersion of the %v family; the test is of counts", ErrSetting, f.c.Family)
	}
	if d.Weights != nil {
		return nil, fmt.Errorf("%w: overdispersion of weighted counts", ErrSetting)
	}
	mu, err := f.Predict(d)
	if err != nil {
		return nil, err
	}
	n := float64(len(mu))
	var sum, ss, cross, squaresOf, dean float64 // of e/mu, and with mu
	for i, m := range mu {
		e := gram.Square(d.Y[i]-m) - d.Y[i]
		sum += e / m
		ss += gram.Square(e / m)
		cross += e
		squaresOf += m * m
		dean += e
	}
	o := &Overdispersion{Alpha: sum / n}
	// t of the mean, and of the slope through the origin.
	o.CameronTrivedi = newZTest(sum / n / math.Sqrt((ss-sum*sum/n)/(n-1)/n))
	slope := cross / squaresOf
	o.CameronTrivediNB2 = newZTest(slope / math.Sqrt((ss-slope*cross)/(n-1)/squaresOf))
	o.Dean = newZTest(dean / math.Sqrt(2*squaresOf))
	return o, nil
}

// Describe returns the test as a table that is written in a line: "z = 1.98, p = 0.0239".
func (t ZTest) Describe() *report.Table {
	line := fmt.Sprintf("z = %s, %s", format.Number(t.Stat, format.Digits), format.PEquals(t.P))
	return tables.Line(line, tables.One("z", t.Stat), report.PColumn(format.P, []float64{t.P}))
}

// String writes the test in a line.
func (t ZTest) String() string { return t.Describe().String() }

// Describe returns a row for each test.
func (o *Overdispersion) Describe() *report.Table {
	tests := []struct {
		name, variance string
		ZTest
	}{
		{"Cameron-Trivedi", "μ (1 + α)", o.CameronTrivedi}, {"Cameron-Trivedi", "μ + α μ²", o.CameronTrivediNB2}, {"Dean", "μ + α μ²", o.Dean},
	}
	t := &report.Table{Title: "Overdispersion of counts, against Poisson's variance μ"}
	var names, variances []string
	var z, p []float64
	for _, test := range tests {
		names, variances = append(names, test.name), append(variances, test.variance)
		z, p = append(z, test.Stat), append(p, test.P)
	}
	t.Columns = []report.Column{report.TextColumn("test", names...), report.TextColumn("variance", variances...), report.NumberColumn("z", z, 3), report.PColumn(format.P, p)}
	t.Notes = []string{"variance over mean: " + format.Number(1+o.Alpha, format.Digits) + "; p of a larger z"}
	return t
}

// String writes the tests as text.
func (o *Overdispersion) String() string { return o.Describe().String() }
