package mlreg

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/stream"
	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
)

// Path is fits along a penalty: one for every lambda of a descending grid. F is
// the fit, such as *ElasticNet or *SparseLogistic. Methods without arguments return a
// number for every lambda; Fit(k) is the fit at the k-th, At(lambda) that at any. A path
// holds no data and does not change.
//
// The loss of a path is the residual sum of squares, or half a deviance: of classes minus the
// log-likelihood. Its deviance is the residual sum of squares, or twice the loss.
type Path[F PathFit[F]] struct {
	s pathState
}

// PathFit is a fit that a Path has for every lambda.
type PathFit[F any] interface {
	Lambda() float64
	of(*pathState, *pathPoint) F
}

// ElasticNetPath is a path of FitElasticNetPath, and LassoPath one whose L2 is
// zero.
type (
	ElasticNetPath = Path[*ElasticNet]
	LassoPath      = ElasticNetPath
)

type pathState struct {
	L         linearState // without coefficients
	N         int
	Squares   bool      // the loss is the residual sum of squares; other losses are half a deviance
	Classes   []string  // nil for a Gaussian response
	Family    GLMFamily // of a GLMPath, 0 of others
	L1, L2    float64   // in proportion to lambda
	Null, Max float64
	Factor    []float64
	Points    []*pathPoint
	// Predictors is the number of linear predictors: of the classes of a multinomial
	// path, and 0 or 1 of others.
	Predictors int
	// GroupNames and GroupOf are the groups of columns, nil if there are none.
	GroupNames []string
	GroupOf    [][]int
	Ridge      *ridgeAnywhere // of a ridge path
	// Relaxed says that the path is of FitRelaxedLassoPath, and Gamma is its own.
	Relaxed bool
	Gamma   float64
}

// pathPoint is what a path keeps of a penalty.
type pathPoint struct {
	Lambda          float64
	Terms           []int // of the k-th linear predictor from k p on
	Slopes          []float64
	Intercept       float64
	Intercepts      []float64 // of several linear predictors, instead
	Loss, Objective float64
	Gap, KKT, DoF   float64
	Sweeps          int
}

// coefficients sets the slopes and intercepts of a point: set are the weights that are
// not zero, those of every linear predictor after the other.
func (d *penaltyData) coefficients(to *pathPoint, set []int, w, b0 []float64) {
	p, at := d.Terms(), 0
	to.Terms, to.Slopes = set, make([]float64, len(set))
	for k, b := range b0 {
		from := at
		var columns []int
		for ; at < len(set) && set[at]/p == k; at++ {
			columns = append(columns, set[at]%p)
			to.Slopes[at] = d.Slope(set[at]%p, w[at])
		}
		b0[k] = d.InterceptOf(columns, to.Slopes[from:at]) + b
	}
	if len(b0) > 1 {
		to.Intercepts = b0
	} else {
		to.Intercept = b0[0]
	}
}

// newPath returns a path, nil for none.
func newPath[F PathFit[F]](s *pathState) *Path[F] {
	if s == nil {
		return nil
	}
	return &Path[F]{*s}
}

// means replaces linear predictors of a path by means.
func (s *pathState) means(eta *mat.Dense) {
	link := s.family().Link
	eta.Apply(func(_, _ int, v float64) float64 {
		mu, _ := link.Mean(v)
		return mu
	}, eta)
}

// linear returns the linear predictor of a point.
func (p *pathPoint) linear(l linearState) linearState {
	l.Names = slices.Clone(l.Names)
	l.B0 = p.Intercept
	l.B = make([]float64, len(l.Names))
	for i, j := range p.Terms {
		l.B[j] = p.Slopes[i]
	}
	return l
}

// penalized returns what a fit knows of its penalty.
func (p *pathPoint) penalized(s *pathState) penalFit {
	return penalFit{penalState{
		N: s.N, Lambda: p.Lambda, L1: p.Lambda * s.L1, L2: p.Lambda * s.L2,
		Loss: p.Loss, Null: s.Null, Objective: p.Objective,
		Gap: p.Gap, KKT: p.KKT, DoF: p.DoF, Sweeps: p.Sweeps, Grouped: s.GroupOf != nil,
	}}
}

// Len returns the number of lambdas.
func (p *Path[F]) Len() int { return len(p.s.Points) }

// NObs returns the number of observations; rows of weight zero do not count.
func (p *Path[F]) NObs() int { return p.s.N }

// Terms returns the p names of the terms; the intercept is not one. Of a multinomial
// path they are those of every class, "class:term".
func (p *Path[F]) Terms() []string {
	if !p.s.several() {
		return slices.Clone(p.s.L.Names)
	}
	return classNames(p.s.Classes, p.s.L.Names)
}

// several tells whether there is a linear predictor for each class.
func (s *pathState) several() bool { return s.Predictors > 1 }

// slopes returns the number of slopes.
func (s *pathState) slopes() int { return max(1, s.Predictors) * len(s.L.Names) }

// Response returns the name of the response.
func (p *Path[F]) Response() string { return p.s.L.Response }

// Classes returns the names of the classes of the response, nil if it is a number.
func (p *Path[F]) Classes() []string { return slices.Clone(p.s.Classes) }

// Scaling returns the scaling of the design fitted, nil if its columns were raw.
func (p *Path[F]) Scaling() *Scaling { return p.s.L.Scaling.clone() }

// Coding returns how the columns of the design fitted were computed, nil if they
// were given.
func (p *Path[F]) Coding() *Coding { return p.s.L.Coding }

// Share returns the part of L1 in lambda: 1 for the lasso, 0 for ridge regression.
func (p *Path[F]) Share() float64 { return p.s.L1 }

// LambdaMax returns the smallest lambda for which every penalized slope is zero:
// the largest c max_j |x_j'r|/(f_j share) with the residuals r of the null model,
// weighted, c = 2 for a Gaussian response and 1 for classes. It is infinite for
// ridge regression.
func (p *Path[F]) LambdaMax() float64 { return p.s.Max }

// each collects a number of every point.
func (p *Path[F]) each(of func(*pathPoint) float64) []float64 {
	out := make([]float64, len(p.s.Points))
	for k, point := range p.s.Points {
		out[k] = of(point)
	}
	return out
}

// Lambda returns the grid, descending.
func (p *Path[F]) Lambda() []float64 { return p.each(func(q *pathPoint) float64 { return q.Lambda }) }

// Intercept returns the intercept at every lambda; NaN for a multinomial path, whose
// fits have one for each class.
func (p *Path[F]) Intercept() []float64 {
	return p.each(func(q *pathPoint) float64 {
		if q.Intercepts != nil {
			return math.NaN()
		}
		return q.Intercept
	})
}

// Slopes returns the slopes as a matrix: a row for every lambda, a column for
// every term.
func (p *Path[F]) Slopes() *mat.Dense {
	m := mat.NewDense(len(p.s.Points), p.s.slopes(), nil)
	for k, point := range p.s.Points {
		for i, j := range point.Terms {
			m.Set(k, j, point.Slopes[i])
		}
	}
	return m
}

// Active returns the terms whose slopes are not zero at the k-th lambda, as
// positions in Terms, and those slopes.
func (p *Path[F]) Active(k int) (terms []int, slopes []float64) {
	for i, b := range p.s.Points[k].Slopes {
		if b != 0 {
			terms, slopes = append(terms, p.s.Points[k].Terms[i]), append(slopes, b)
		}
	}
	return terms, slopes
}

// L1Norm returns sum_j |b_j| at every lambda.
func (p *Path[F]) L1Norm() []float64 {
	return p.each(func(q *pathPoint) float64 {
		var sum float64
		for _, b := range q.Slopes {
			sum += math.Abs(b)
		}
		return sum
	})
}

// Objective returns the minimized sum of loss and penalty at every lambda; NaN for a
// relaxed lasso, which minimizes no such sum.
func (p *Path[F]) Objective() []float64 {
	return p.each(func(q *pathPoint) float64 { return q.Objective })
}

// deviance is what the deviance is for a loss.
func (s *pathState) deviance(loss float64) float64 {
	if s.Squares {
		return loss
	}
	return 2 * loss
}

// squares is a residual sum of squares, NaN for other losses.
func (s *pathState) squares(loss float64) float64 {
	if s.Squares {
		return loss
	}
	return math.NaN()
}

// Deviance returns the deviance at every lambda: RSS, or -2 times the
// log-likelihood of classes.
func (p *Path[F]) Deviance() []float64 {
	return p.each(func(q *pathPoint) float64 { return p.s.deviance(q.Loss) })
}

// NullDeviance returns the deviance of the null model, which has no slopes.
func (p *Path[F]) NullDeviance() float64 { return p.s.deviance(p.s.Null) }

// DevianceRatio returns 1 - Deviance/NullDeviance at every lambda, which is R2 for
// a Gaussian response.
func (p *Path[F]) DevianceRatio() []float64 {
	return p.each(func(q *pathPoint) float64 { return 1 - q.Loss/p.s.Null })
}

// RSS returns the residual sum of squares at every lambda; NaN for classes, which
// have Deviance.
func (p *Path[F]) RSS() []float64 {
	return p.each(func(q *pathPoint) float64 { return p.s.squares(q.Loss) })
}

// NullRSS returns the residual sum of squares of the null model; NaN for classes.
func (p *Path[F]) NullRSS() float64 { return p.s.squares(p.s.Null) }

// R2 returns 1 - RSS/NullRSS at every lambda, glmnet's deviance ratio; NaN for
// classes, which have DevianceRatio.
func (p *Path[F]) R2() []float64 {
	return p.each(func(q *pathPoint) float64 { return 1 - p.s.squares(q.Loss)/p.s.Null })
}

// Gap returns the duality gap at every lambda: an upper bound of the difference
// between Objective and its minimum, relative to the loss of the null model.
//
// The bound is the dual objective at a multiple s of the weighted residual r. With
// l1_j = lambda f_j share and l2_j = lambda f_j (1 - share) it is, X and y centered
// if there is an intercept,
//
//	D = 2 s r'y - s^2 |r|^2 - sum_j (2s|x_j'r| - l1_j)_+^2 / (4 l2_j),
//
// and for two classes, r_i = w_i (y_i - p_i) and the entropy
// H(u) = -u log u - (1-u) log(1-u),
//
//	D = sum_i w_i H(s |r_i|/w_i) - sum_j (s|x_j'r| - l1_j)_+^2 / (4 l2_j);
//
// the last sum is left out if l2 = 0, where s makes 2s|x_j'r|, or s|x_j'r|, at most
// l1_j (up to the rounding of x_j'r, 1e-14 |x_j| times the size of what r is made
// of). A ridge path is solved without iterations and has no gap (NaN), but KKT.
func (p *Path[F]) Gap() []float64 { return p.each(func(q *pathPoint) float64 { return q.Gap }) }

// KKT returns at every lambda the largest violation of the optimality conditions
// (Karush, Kuhn and Tucker) by a term,
//
//	x_j'r = l1_j/2 sign(b_j) + l2_j b_j,  or  |x_j'r| <= l1_j/2 if b_j = 0,
//
// and twice the right sides for classes, relative to |x_j| times the length of the
// residual of the null model, as Orthogonality is for least squares.
func (p *Path[F]) KKT() []float64 { return p.each(func(q *pathPoint) float64 { return q.KKT }) }

// DoF returns the degrees of freedom at every lambda, the intercept included, as
// for least squares: the number of active terms for the lasso (Zou, Hastie and
// Tibshirani, Annals of Statistics 35 (2007), 2173-2192), for the elastic net the
// trace of X_A (X_A'X_A + L2)^-1 X_A' with the active terms A, and for ridge
// regression that with all terms, plus 1 for the intercept. For classes columns are
// weighted by the curvatures of the likelihood, and L2 counts twice.
func (p *Path[F]) DoF() []float64 { return p.each(func(q *pathPoint) float64 { return q.DoF }) }

// Sweeps returns the number of sweeps of coordinate descent at every lambda.
func (p *Path[F]) Sweeps() []int {
	out := make([]int, len(p.s.Points))
	for k, point := range p.s.Points {
		out[k] = point.Sweeps
	}
	return out
}

// Fit returns the fit at the k-th lambda.
func (p *Path[F]) Fit(k int) F { return p.fit(p.s.Points[k]) }

func (p *Path[F]) fit(point *pathPoint) F {
	var none F
	return none.of(&p.s, point)
}

// Predict returns b_0 + x'b, for a logistic path the probability of the second class, for
// one of counts, shares or positive responses the mean, and for a multinomial path the number of the likeliest one in Classes, counted from
// 0, for every row of d (rows of the result) and every lambda (columns). Errors are
// those of OLS.Predict.
func (p *Path[F]) Predict(d *Design) (*mat.Dense, error) {
	x, err := p.s.L.rows(d)
	if err != nil {
		return nil, err
	}
	if p.s.several() {
		return p.s.likeliest(x), nil
	}
	yhat := addOffsets(p.s.predictors(x, p.Slopes), d)
	if p.s.Classes != nil {
		yhat.Apply(func(_, _ int, v float64) float64 { return sigmoid(v) }, yhat)
	}
	if p.s.Family != 0 {
		p.s.means(yhat)
	}
	return yhat, nil
}

// linearPredictors is Predict before the link.
func (p *Path[F]) linearPredictors(d *Design) (*mat.Dense, error) {
	x, err := p.s.L.rows(d)
	if err != nil {
		return nil, err
	}
	return addOffsets(p.s.predictors(x, p.Slopes), d), nil
}

// predictors returns linear predictors; slopes are the matrix of slopes.
func (s *pathState) predictors(x *mat.Dense, slopes func() *mat.Dense) *mat.Dense {
	n, _ := x.Dims()
	eta := mat.NewDense(n, len(s.Points), nil)
	if s.Ridge != nil { // no slope is zero
		eta.Mul(x, slopes().T())
	}
	for i := range n {
		row, to := x.RawRowView(i), eta.RawRowView(i)
		for k, point := range s.Points {
			v := point.Intercept
			if s.Ridge == nil {
				for t, j := range point.Terms {
					v += row[j] * point.Slopes[t]
				}
			}
			to[k] += v
		}
	}
	return eta
}

// Raw returns the same path with coefficients in the raw units of the data; see
// OLS.Raw. Lambda, and all that is not a coefficient, remains that of the design's
// units.
func (p *Path[F]) Raw() (*Path[F], error) {
	raw := *p
	raw.s.L.Scaling = nil
	raw.s.Points = make([]*pathPoint, len(p.s.Points))
	for k, point := range p.s.Points {
		var err error
		if raw.s.Points[k], err = point.raw(p.s.L); err != nil {
			return nil, err
		}
	}
	if p.s.Ridge != nil && p.s.L.Scaling != nil {
		ridge := *p.s.Ridge
		ridge.Undone = p.s.L.Scaling
		raw.s.Ridge = &ridge
	}
	return &raw, nil
}

// raw returns the same point in raw units.
func (p *pathPoint) raw(l linearState) (*pathPoint, error) {
	if p.Intercepts != nil {
		return p.rawClasses(l)
	}
	in := p.linear(l)
	out, err := in.raw()
	if err != nil {
		return nil, err
	}
	q := *p
	q.Intercept = out.B0
	q.Slopes = make([]float64, len(q.Terms))
	for i, j := range q.Terms {
		q.Slopes[i] = out.B[j]
	}
	return &q, nil
}

// GobEncode implements gob.GobEncoder.
func (p *Path[F]) GobEncode() ([]byte, error) { return stream.Encode(p, &p.s) }

// GobDecode implements gob.GobDecoder.
func (p *Path[F]) GobDecode(b []byte) error { return gobDecode(b, p, &p.s) }

// Describe returns ten lambdas of the path as a table, from its first to its last:
// degrees of freedom, the number of slopes that are not zero, their L1 norm, and R2, or
// the ratio of deviances of classes. Below it stand the numbers of lambdas and
// observations, and the certificate of the worst lambda.
func (p *Path[F]) Describe() *report.Table {
	lambda, slopes := p.Lambda(), p.Slopes()
	var rows []int
	for i := range pathRows {
		rows = append(rows, int(math.Round(float64(i)*float64(len(lambda)-1)/(pathRows-1))))
	}
	rows = slices.Compact(rows)
	pick := func(v []float64) []float64 { return format.Each(rows, func(k int) float64 { return v[k] }) }
	explains, base := "R²", "null RSS"
	if !p.s.Squares {
		explains, base = "deviance ratio", "null deviance/2"
	}
	notes := []string{fmt.Sprintf("n = %d, %d lambdas, %s", p.NObs(), len(lambda), format.Plural(len(p.s.L.Names), "term"))}
	if m := p.LambdaMax(); !math.IsInf(m, 0) && !math.IsNaN(m) {
		notes = append(notes, "all penalized slopes are zero from λ = "+format.Number(m, 6)+" on")
	}
	if gap, worst := slices.Max(p.Gap()), slices.Max(p.KKT()); worst > 0 || !math.IsNaN(gap) {
		notes = append(notes, "at every λ: "+gapText(gap, worst, base))
	}
	if p.s.L1 > 0 && p.s.GroupOf == nil && !p.s.several() {
		notes = append(notes, otherTerms(nil, nil, splitGroups(p.s.L.Names, p.s.L.Coding.Groups()))...)
	}
	return &report.Table{
		Title: tables.Of(p.s.title(), p.Response()),
		Columns: []report.Column{
			tables.Written("λ", pick(lambda), func(v float64) string { return format.Number(v, format.Digits) }),
			report.DecimalColumn(format.DoF, pick(p.DoF()), 2),
			nonzeroColumn(slopes, rows),
			tables.Number("Σ|b|", rows, 0, func(k int) float64 { return mat.Norm(slopes.RowView(k).T(), math.Inf(1)) }),
			report.DecimalColumn(explains, pick(p.DevianceRatio()), 4),
		},
		Notes: tables.InScaledUnits(notes, p.Scaling() != nil),
	}
}

// String writes the table of the path as text.
func (p *Path[F]) String() string { return p.Describe().String() }

// title says what a path is of.
func (s *pathState) title() string {
	title := "Lasso path"
	switch {
	case s.L1 == 0:
		title = "Ridge path"
	case s.L1 < 1:
		title = "Elastic net path (L1 share " + format.Number(s.L1, 3) + ")"
	}
	if s.Relaxed {
		title = "Relaxed lasso path (γ = " + format.Number(s.Gamma, 6) + ")"
	}
	switch title = ofGroups(title, s.GroupOf != nil); {
	case s.several():
		title = "Multinomial " + strings.ToLower(title[:1]) + title[1:]
	case s.Family != 0:
		title = s.Family.title() + " " + strings.ToLower(title[:1]) + title[1:]
	case s.Classes != nil:
		title = "Logistic " + strings.ToLower(title[:1]) + title[1:]
	}
	return title
}
