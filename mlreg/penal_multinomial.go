package mlreg

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/descent"
	"github.com/regbook/regbook/mlreg/internal/stream"
	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
)

// MultinomialPath is a path of logistic regressions of two or more classes by
// FitMultinomialPath.
type MultinomialPath = Path[*SparseMultinomial]

// FitMultinomialPath minimizes
//
//	-sum_i w_i log P(class of row i) + lambda sum_k sum_j f_j (share |b_kj| + (1 - share) b_kj^2),
//	P(y_i = class k | x_i) = exp(eta_ik) / sum_l exp(eta_il),  eta_ik = b_0k + x_i'b_k,
//
// for every lambda of a grid, 0 < share <= 1; the f_j are 1 unless the settings have
// others, and intercepts are not penalized. Every class has coefficients, there is no
// reference. All intercepts may have a constant added, and so may the slopes of a term
// without a penalty: over classes they sum to zero. So may, within limits, the slopes
// of a term of the lasso if the number of classes is even: the middle two are as far
// above zero as below it, as in glmnet. There is no factor of 1/n or 1/2, and slopes are in the units of the design: Design.Standardize first if
// terms have different units. For the lasso glmnet's lambda of family = "multinomial"
// is lambda/n on the same columns, with standardize = FALSE (FromGlmnetPath).
//
// Each fit starts from the one before, and each has its certificate, with
// NullDeviance/2 for the loss of the null model: Gap, KKT. The grid, and what the
// settings say of it, is that of FitLassoPath; from LambdaMax on all penalized slopes
// are zero. If the gap is not reached at some lambda, the path is returned together
// with a *ConvergenceError about the first of them. The path's Terms, and the columns
// of its Slopes, are those of the first class, then of the second, and so on.
//
// The response is an index of Classes, or a number for a label. Errors are those of
// FitMultinomial on labels and of FitLassoPath on settings, and ErrSetting for Groups
// and for NonNegative, which has no meaning without a reference. Classes that terms without a
// penalty separate are not looked for: the path then ends in a *ConvergenceError.
//
// Friedman, Hastie and Tibshirani, Journal of Statistical Software 33 (2010),
// section 4. Method: Newton's steps for the likelihood of all classes, and coordinate
// descent on their quadratic models.
func FitMultinomialPath(d *Design, share float64, settings *PathSettings) (*MultinomialPath, error) {
	if err := checkShare(share, "FitMultinomial"); err != nil {
		return nil, err
	}
	return multinomialPath(d, elasticPenalty{l1: share, l2: 1 - share}, settings)
}

func multinomialPath(d *Design, pen elasticPenalty, settings *PathSettings) (*MultinomialPath, error) {
	if settings != nil && settings.NonNegative != nil {
		return nil, fmt.Errorf("%w: NonNegative: without a reference class the sign of a slope has no meaning", ErrSetting)
	}
	if settings != nil && settings.Groups != nil {
		return nil, fmt.Errorf("%w: Groups are for one linear predictor, not for one of each class", ErrSetting)
	}
	path, err := lossPath(d, pen, settings, multinomialData)
	return newPath[*SparseMultinomial](path), err
}

// multinomialData brings a design to the form that the solver wants.
func multinomialData(d *Design) (*penaltyData, error) {
	classes, y, err := d.codes()
	if err != nil {
		return nil, err
	}
	return lossData(d, y, classes, func(labels, weights []float64) descent.Datafit {
		of := make([][]float64, len(classes))
		for k := range of {
			of[k] = make([]float64, len(labels))
			for i, label := range labels {
				if label == float64(k) {
					of[k][i] = 1
				}
			}
		}
		return descent.NewMultinomial(of, weights)
	})
}

// codes returns the classes of a design to fit, and the number of the class of each
// row, counted from 0.
func (d *Design) codes() (classes []string, y []float64, err error) {
	if err := d.checkTraining(); err != nil {
		return nil, nil, err
	}
	classes, index, err := d.manyLabels()
	for _, k := range index {
		y = append(y, float64(k))
	}
	return classes, y, err
}

// unique moves the slopes of a term in all classes, and the intercepts, by a constant
// where that leaves the objective as it is.
func (r *elasticRun) unique(q *pathPoint) {
	if q.Intercepts == nil {
		return
	}
	p, classes := r.data.Terms(), len(q.Intercepts)
	if !r.data.l.NoIntercept {
		shift(q.Intercepts, mean(q.Intercepts))
	}
	if r.pen.l2 > 0 && r.by.Free() == 0 {
		return
	}
	b := make([]float64, p*classes)
	for i, c := range q.Terms {
		b[c] = q.Slopes[i]
	}
	for j, f := range r.by.Factor {
		of := make([]float64, classes)
		for k := range of {
			of[k] = b[k*p+j]
		}
		var by float64
		switch slices.Sort(of); {
		case f == 0:
			by = mean(of)
		case r.pen.l2 == 0 && classes%2 == 0: // otherwise the middle one is zero
			by = (of[classes/2-1] + of[classes/2]) / 2
		}
		for k := range of {
			b[k*p+j] -= by
		}
	}
	q.Terms, q.Slopes = nil, nil
	for c, v := range b {
		if v != 0 {
			q.Terms, q.Slopes = append(q.Terms, c), append(q.Slopes, v)
		}
	}
}

func shift(v []float64, by float64) {
	for i := range v {
		v[i] -= by
	}
}

// rawClasses is raw for a point with several linear predictors.
func (p *pathPoint) rawClasses(l linearState) (*pathPoint, error) {
	q := *p
	q.Intercepts, q.Slopes = slices.Clone(p.Intercepts), slices.Clone(p.Slopes)
	n := len(l.Names)
	for k, b0 := range p.Intercepts {
		class := pathPoint{Intercept: b0}
		var at []int
		for i, c := range p.Terms {
			if c/n == k {
				at = append(at, i)
				class.Terms, class.Slopes = append(class.Terms, c%n), append(class.Slopes, p.Slopes[i])
			}
		}
		raw, err := class.raw(l)
		if err != nil {
			return nil, err
		}
		q.Intercepts[k] = raw.Intercept
		for i, b := range raw.Slopes {
			q.Slopes[at[i]] = b
		}
	}
	if !l.NoIntercept {
		shift(q.Intercepts, mean(q.Intercepts))
	}
	return &q, nil
}

// SparseMultinomial is a point of a MultinomialPath: a logistic regression of two or
// more classes with an L1 or elastic net penalty. It holds no data and does not change.
type SparseMultinomial struct {
	l linearState // without coefficients
	c classState
	penalLikelihood
}

// classState are classes with coefficients each.
type classState struct {
	Classes []string  // q
	B       []float64 // q x k, the intercept first
}

func (*SparseMultinomial) of(s *pathState, p *pathPoint) *SparseMultinomial {
	f := &SparseMultinomial{linearState{header: s.L.clone()}, classState{Classes: slices.Clone(s.Classes)}, penalLikelihood{p.penalized(s)}}
	f.c.B = p.classCoef(len(s.L.Names), !s.L.NoIntercept)
	return f
}

// classCoef returns the coefficients, class by class.
func (p *pathPoint) classCoef(terms int, intercept bool) []float64 {
	k, first := terms, 0
	if intercept {
		k, first = terms+1, 1
	}
	b := make([]float64, k*len(p.Intercepts))
	for class, b0 := range p.Intercepts {
		if intercept {
			b[class*k] = b0
		}
	}
	for i, c := range p.Terms {
		b[c/terms*k+first+c%terms] = p.Slopes[i]
	}
	return b
}

// Classes returns the names of the q classes.
func (f *SparseMultinomial) Classes() []string { return slices.Clone(f.c.Classes) }

// Response returns the name of the response.
func (f *SparseMultinomial) Response() string { return f.l.Response }

// Scaling returns the scaling of the design fitted, nil if its columns were raw.
func (f *SparseMultinomial) Scaling() *Scaling { return f.l.Scaling.clone() }

// Coding returns how the columns of the design were computed, nil if they were given.
func (f *SparseMultinomial) Coding() *Coding { return f.l.Coding }

// Terms returns the names of the coefficients of a class: "(Intercept)" first if one
// was fitted, then the terms.
func (f *SparseMultinomial) Terms() []string { return (&linear{f.l}).Names() }

// Names returns the names of all coefficients, class by class, as "class:term".
func (f *SparseMultinomial) Names() []string { return classNames(f.c.Classes, f.Terms()) }

// Coef returns the coefficients in the order of Names.
func (f *SparseMultinomial) Coef() []float64 { return slices.Clone(f.c.B) }

// CoefMatrix returns the coefficients as a matrix: a row for every class, a column
// for each of Terms.
func (f *SparseMultinomial) CoefMatrix() *mat.Dense {
	return mat.NewDense(len(f.c.Classes), len(f.Terms()), f.Coef())
}

// Active returns the names of the slopes that are not zero, as "class:term".
func (f *SparseMultinomial) Active() []string {
	var names []string
	k := len(f.Terms())
	for i, name := range f.Names() {
		if f.c.B[i] != 0 && (f.l.NoIntercept || i%k > 0) {
			names = append(names, name)
		}
	}
	return names
}

// ClassProb returns the probabilities of the classes for every row of d, n x q.
// Columns are found by name and brought to the units of the fit.
func (f *SparseMultinomial) ClassProb(d *Design) (*mat.Dense, error) {
	return f.l.classProb(d, len(f.c.Classes), f.c.B)
}

// LogLikRows returns w log P(class of the row), natural logarithm, for every row of
// d; over the rows fitted it sums to LogLik.
func (f *SparseMultinomial) LogLikRows(d *Design) ([]float64, error) {
	return logLikRows(f, d)
}

// LogLik returns the log-likelihood, without the penalty.
func (f *SparseMultinomial) LogLik() float64 { return -f.s.Loss }

// Raw returns the same fit with coefficients in the raw units of the data; see
// OLS.Raw.
func (f *SparseMultinomial) Raw() (*SparseMultinomial, error) {
	p, k := len(f.l.Names), len(f.Terms())
	q := &pathPoint{}
	for class := range f.c.Classes {
		b := f.c.B[class*k : (class+1)*k]
		var b0 float64
		if k > p {
			b0, b = b[0], b[1:]
		}
		q.Intercepts = append(q.Intercepts, b0)
		for j, v := range b {
			q.Terms, q.Slopes = append(q.Terms, class*p+j), append(q.Slopes, v)
		}
	}
	q, err := q.rawClasses(f.l)
	if err != nil {
		return nil, err
	}
	raw := *f
	raw.l.Scaling = nil
	raw.c.B = q.classCoef(p, k > p)
	return &raw, nil
}

// GobEncode implements gob.GobEncoder.
func (f *SparseMultinomial) GobEncode() ([]byte, error) { return stream.Encode(f, &f.l, &f.c, &f.s) }

// GobDecode implements gob.GobDecoder.
func (f *SparseMultinomial) GobDecode(b []byte) error { return gobDecode(b, f, &f.l, &f.c, &f.s) }

// mean returns the mean of numbers.
func mean(v []float64) float64 {
	var sum float64
	for _, x := range v {
		sum += x
	}
	return sum / float64(len(v))
}

// classProb returns the probabilities of the classes at a point.
func (s *pathState) classProb(point *pathPoint, x *mat.Dense) *mat.Dense {
	return s.L.softmax(x, len(s.Classes), point.classCoef(len(s.L.Names), !s.L.NoIntercept))
}

// likeliest returns, for every row of x and every point, the number of the class of
// largest probability.
func (s *pathState) likeliest(x *mat.Dense) *mat.Dense {
	n, _ := x.Dims()
	out := mat.NewDense(n, len(s.Points), nil)
	for k, point := range s.Points {
		prob := s.classProb(point, x)
		for i := range n {
			out.Set(i, k, float64(floats.MaxIdx(prob.RawRowView(i))))
		}
	}
	return out
}

// against returns, for every row of d and every point, the probability of the row's
// class: against all others, or against the likeliest of the others alone.
func (s *pathState) against(d *Design, likeliest bool) (*mat.Dense, error) {
	index, err := d.classIndices(s.Classes)
	if err != nil {
		return nil, err
	}
	x, err := s.L.rows(d)
	if err != nil {
		return nil, err
	}
	out := mat.NewDense(len(index), len(s.Points), nil)
	for k, point := range s.Points {
		prob := s.classProb(point, x)
		for i, own := range index {
			row := prob.RawRowView(i)
			of := row[own]
			if likeliest {
				row[own] = math.Inf(-1)
				of /= of + slices.Max(row)
			}
			out.Set(i, k, of)
		}
	}
	return out, nil
}

// Describe returns the table of the coefficients, a column for each class, without the
// terms that are zero in all if there are more than 20, with the deviances and the
// certificate.
func (f *SparseMultinomial) Describe() *report.Table {
	const many = 20
	b, names := f.CoefMatrix(), f.Terms()
	var shown []int
	for j, name := range names {
		nonzero := slices.ContainsFunc(mat.Col(nil, j, b), func(v float64) bool { return v != 0 })
		if len(names) <= many || name == InterceptName || nonzero {
			shown = append(shown, j)
		}
	}
	t := &report.Table{
		Title:   f.title("multinomial fit", f.Response()),
		Columns: []report.Column{tables.Text("term", shown, func(j int) string { return names[j] })},
	}
	for k, class := range f.Classes() {
		column := tables.Estimates(format.Each(shown, func(j int) float64 { return b.At(k, j) }))
		column.Name = class
		t.Columns = append(t.Columns, column)
	}
	t.Notes = f.ofDeviance()
	t.Method = t.Notes[1:2]
	if out := len(names) - len(shown); out > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("%s with slopes of zero not shown", format.Plural(out, "term")))
	}
	t.Notes = tables.InScaledUnits(t.Notes, f.Scaling() != nil)
	return t
}

// String writes the table of the fit as text.
func (f *SparseMultinomial) String() string { return f.Describe().String() }
