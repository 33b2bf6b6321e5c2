package mlreg

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/dd"
)

// exactSolution is the least-squares fit to the numbers of a design: the quotients
// of integers, which are exact, to precision bits. The intercept comes first.
type exactSolution struct {
	coef      []*big.Float
	inverse   [][]*big.Float // (A'WA)^-1
	rss       *big.Float
	logDet    float64   // log det A'WA
	length    []float64 // of the columns of A, weighted
	y         float64   // length of y
	n         int       // rows of positive weight
	intercept bool
}

// solveExactly solves the normal equations by Bareiss' elimination of integers;
// it returns nil if they are singular.
func solveExactly(d *Design) *exactSolution {
	n, p := d.NObs(), d.NTerms()
	s := &exactSolution{intercept: !d.NoIntercept, rss: new(big.Float)}
	offset := 0
	if s.intercept {
		offset = 1
	}
	k := p + offset
	// Columns of A and y, and the weights, as integers times powers of two.
	column := func(j int) func(i int) (hi, lo float64) {
		return func(i int) (float64, float64) {
			switch {
			case j == k:
				return d.Y[i], 0
			case j < offset:
				return 1, 0
			case d.XLow == nil:
				return d.X.At(i, j-offset), 0
			}
			return d.X.At(i, j-offset), d.XLow.At(i, j-offset)
		}
	}
	weights, wexp := integers(n, func(i int) (float64, float64) { return d.Weight(i), 0 })
	a, exp := make([][]*big.Int, k+1), make([]int, k+1)
	for j := range a {
		a[j], exp[j] = integers(n, column(j))
	}
	for _, w := range weights {
		if w.Sign() > 0 {
			s.n++
		}
	}
	product := func(a, b []*big.Int) *big.Int {
		sum, term := new(big.Int), new(big.Int)
		for i, w := range weights {
			term.Mul(a[i], b[i])
			sum.Add(sum, term.Mul(term, w))
		}
		return sum
	}
	// [A'WA | A'Wy | I]
	g := make([][]*big.Int, k)
	for i := range g {
		g[i] = make([]*big.Int, 2*k+1)
		for j := range g[i] {
			g[i][j] = new(big.Int)
			if j <= k {
				g[i][j] = product(a[i], a[j])
			}
		}
		g[i][k+1+i] = big.NewInt(1)
	}
	det := bareiss(g)
	if det == nil {
		return nil
	}
	divisor := precise().SetInt(det)
	scaled := func(v *big.Int, e int) *big.Float {
		q := precise().SetInt(v)
		q.Quo(q, divisor)
		return q.SetMantExp(q, e)
	}
	length := func(j int) float64 {
		ss := precise().SetInt(product(a[j], a[j]))
		ss.SetMantExp(ss, wexp)
		f, _ := ss.Sqrt(ss).Float64()
		return math.Ldexp(f, exp[j])
	}
	// y'y - y'A b, as det y'y - ... over det.
	rss := new(big.Int).Mul(det, product(a[k], a[k]))
	for i := range k {
		rss.Sub(rss, new(big.Int).Mul(product(a[i], a[k]), g[i][k]))
		s.coef = append(s.coef, scaled(g[i][k], exp[k]-exp[i]))
		row := make([]*big.Float, k)
		for j := range row {
			row[j] = scaled(g[i][k+1+j], -exp[i]-exp[j]-wexp)
		}
		s.inverse = append(s.inverse, row)
		s.length = append(s.length, length(i))
	}
	mantissa := precise()
	e := divisor.MantExp(mantissa)
	for i := range k {
		e += 2*exp[i] + wexp
	}
	s.logDet = math.Log(nearest(mantissa)) + float64(e)*math.Ln2
	s.rss, s.y = scaled(rss, 2*exp[k]+wexp), length(k)
	return s
}

// precise returns 0 to many more bits than what cancels takes.
func precise() *big.Float { return new(big.Float).SetPrec(1000) }

// bareiss reduces [G | ...] to det I, without fractions, and returns det, nil if
// it is zero.
func bareiss(g [][]*big.Int) *big.Int {
	last, u, v := big.NewInt(1), new(big.Int), new(big.Int)
	for c := range g {
		if g[c][c].Sign() == 0 { // a positive semidefinite matrix is singular then
			return nil
		}
		for i := range g {
			if i == c {
				continue
			}
			f := new(big.Int).Set(g[i][c])
			for j := range g[i] {
				u.Mul(g[c][c], g[i][j])
				u.Sub(u, v.Mul(f, g[c][j]))
				g[i][j].Quo(u, last)
			}
		}
		last = new(big.Int).Set(g[c][c])
	}
	return last
}

// integers returns hi + lo of n numbers as integers times 2^exp.
func integers(n int, at func(i int) (hi, lo float64)) (v []*big.Int, exp int) {
	exp = math.MaxInt
	least := func(x float64) {
		if x != 0 {
			_, e := math.Frexp(x)
			exp = min(exp, e-53)
		}
	}
	for i := range n {
		hi, lo := at(i)
		least(hi)
		least(lo)
	}
	if exp == math.MaxInt {
		exp = 0
	}
	part := func(x float64) *big.Int {
		m, e := math.Frexp(x)
		z := big.NewInt(int64(math.Ldexp(m, 53)))
		if x == 0 {
			return z
		}
		return z.Lsh(z, uint(e-53-exp))
	}
	for i := range n {
		hi, lo := at(i)
		z := part(hi)
		v = append(v, z.Add(z, part(lo)))
	}
	return v, exp
}

// nearest is the float64 nearest to x.
func nearest(x *big.Float) float64 {
	f, _ := x.Float64()
	return f
}

// distance returns |got - want|.
func distance(got float64, want *big.Float) float64 {
	return math.Abs(nearest(precise().Sub(big.NewFloat(got), want)))
}

// squareRoot returns the root of x.
func squareRoot(x *big.Float) float64 {
	return nearest(precise().Sqrt(x))
}

// combine returns l'b and l'(A'WA)^-1 l.
func (s *exactSolution) combine(l []*big.Float) (value, variance *big.Float) {
	value, variance = precise(), precise()
	for i, w := range l {
		value.Add(value, precise().Mul(w, s.coef[i]))
		for j, v := range l {
			term := precise().Mul(w, s.inverse[i][j])
			variance.Add(variance, term.Mul(term, v))
		}
	}
	return value, variance
}

// stderr returns the root of sigma2 v.
func (s *exactSolution) stderr(v *big.Float) float64 {
	sigma2 := precise().Quo(s.rss, new(big.Float).SetInt64(int64(s.n-len(s.coef))))
	return squareRoot(sigma2.Mul(sigma2, v))
}

// claims are counted by door.
type claims struct {
	t      *testing.T
	broken map[string]int
	fits   map[string]int
	stated map[string][2]float64 // sums of digits stated, and of digits had
}

func (c *claims) fail(door, format string, args ...any) {
	c.broken[door]++
	if c.broken[door] <= 3 {
		c.t.Errorf("%s: %s", door, fmt.Sprintf(format, args...))
	}
}

// digitsOf returns -log10 of err relative to size, 16 at most.
func digitsOf(err, size float64) float64 {
	if err == 0 {
		return 16
	}
	return math.Min(16, math.Max(0, -math.Log10(err/size)))
}

// check holds what a fit states to the exact solution of data that it is a fit of.
func (c *claims) check(door, problem string, f *OLS, want *exactSolution, rows *Design) {
	coef, stderr := f.Digits()
	c.fits[door]++
	b, se := f.Coef(), f.StdErr()
	least := 16.0
	j := -1 // among the columns that are kept
	var kept []int
	for i := range b {
		if math.IsNaN(b[i]) {
			continue
		}
		kept = append(kept, i)
		if j++; j >= len(want.coef) {
			c.fail(door, "%s: more coefficients than the exact fit", problem)
			return
		}
		size := math.Max(math.Abs(nearest(want.coef[j])), dd.Unit*want.y/want.length[j])
		got := digitsOf(distance(b[i], want.coef[j]), size)
		least = math.Min(least, got)
		if got < float64(coef) {
			c.fail(door, "%s: coefficient %d is %.17g, not %.17g: %.1f digits, %d stated (cond %.2g)",
				problem, i, b[i], nearest(want.coef[j]), got, coef, f.Cond())
		}
	}
	s := c.stated[door]
	c.stated[door] = [2]float64{s[0] + float64(coef), s[1] + least}
	if want.n > len(want.coef) {
		for j, i := range kept {
			exact := want.stderr(want.inverse[j][j])
			if got := digitsOf(math.Abs(se[i]-exact), exact); got < float64(stderr) {
				c.fail(door, "%s: standard error %d is %.17g, not %.17g: %.1f digits, %d stated (cond %.2g)",
					problem, i, se[i], exact, got, stderr, f.Cond())
			}
		}
	}
	c.checkPredictions(door, problem, f, want, rows, kept, stderr)
}

// checkPredictions holds the bounds of predictions, of contrasts and of bands at
// some rows to the exact ones.
func (c *claims) checkPredictions(door, problem string, f *OLS, want *exactSolution, rows *Design, kept []int, digits int) {
	if rows == nil {
		return
	}
	yhat, err := f.Predict(rows)
	if err != nil {
		c.t.Fatal(err)
	}
	bound, err := f.PredictError(rows)
	if err != nil {
		c.t.Fatal(err)
	}
	band, bandErr := f.ConfidenceBand(rows, 0.95)
	for i := range min(rows.NObs(), 3) {
		full := make([]*big.Float, f.columns())
		flat := make([]float64, f.columns())
		offset := len(full) - rows.NTerms()
		if offset == 1 {
			full[0], flat[0] = big.NewFloat(1), 1
		}
		for j := range rows.NTerms() {
			full[j+offset], flat[j+offset] = precise().SetFloat64(rows.X.At(i, j)), rows.X.At(i, j)
			if rows.XLow != nil {
				full[j+offset].Add(full[j+offset], big.NewFloat(rows.XLow.At(i, j)))
			}
		}
		l := make([]*big.Float, len(kept))
		for a, j := range kept {
			l[a] = full[j]
		}
		value, variance := want.combine(l)
		if e := distance(yhat[i], value); e > bound[i] {
			c.fail(door, "%s: prediction %d is %.17g, not %.17g: error %.2g, bound %.2g", problem, i, yhat[i], nearest(value), e, bound[i])
		}
		if bandErr == nil && want.n > len(want.coef) {
			exact := want.stderr(variance)
			if got := digitsOf(math.Abs(band.StdErr[i]-exact), exact); got < float64(digits) {
				c.fail(door, "%s: standard error of mean %d is %.17g, not %.17g: %.1f digits, %d stated (cond %.2g)",
					problem, i, band.StdErr[i], exact, got, digits, f.Cond())
			}
		}
		if f.Scaling() != nil || len(kept) < len(full) || rows.XLow != nil || want.n <= len(want.coef) {
			continue
		}
		e, err := f.ContrastError(flat)
		if err != nil {
			c.t.Fatal(err)
		}
		row, err := Contrast(f, flat, 0, 0.95)
		if err != nil {
			c.t.Fatal(err)
		}
		if got := distance(row.Estimate, value); got > e {
			c.fail(door, "%s: contrast %d is %.17g, not %.17g: error %.2g, bound %.2g", problem, i, row.Estimate, nearest(value), got, e)
		}
	}
}

// badProblem returns a small ill-conditioned problem and says which it is.
func badProblem(rnd *rand.Rand) (*Design, string) {
	p := 1 + rnd.IntN(6)
	n := p + 1 + rnd.IntN(12)
	if rnd.IntN(6) == 0 {
		n = p + rnd.IntN(2)
	}
	x, low := mat.NewDense(n, p, nil), (*mat.Dense)(nil)
	y := make([]float64, n)
	kind := [...]string{"powers", "shifted powers", "large means", "near collinear", "wide scales", "twofold powers", "integers"}[rnd.IntN(7)]
	shift, step := 0.0, 1.0
	switch kind {
	case "shifted powers":
		shift = math.Trunc(math.Pow(10, 4*rnd.Float64()))
	case "twofold powers":
		low = mat.NewDense(n, p, nil)
		step = 0.1
	case "powers":
		step = 1 / float64(1+rnd.IntN(20))
	}
	mean := math.Pow(10, 16*rnd.Float64())
	gap := math.Pow(10, -13*rnd.Float64())
	for i := range n {
		base := shift + step*float64(i+rnd.IntN(2)*n)
		sum := 0.0
		for j := range p {
			v := rnd.NormFloat64()
			switch kind {
			case "powers", "shifted powers":
				v = math.Pow(base, float64(j+1))
			case "twofold powers":
				hi, lo := base, 0.0
				if j > 0 {
					hi = x.At(i, j-1) * base
					lo = math.FMA(x.At(i, j-1), base, -hi) + low.At(i, j-1)*base
				}
				v = hi + lo
				low.Set(i, j, hi-v+lo)
			case "large means":
				v = mean * (1 + float64(j)) * (1 + 1e-14*math.Pow(10, 10*rnd.Float64())*v)
				if mean > 1e12 {
					v = math.Trunc(mean) + float64(rnd.IntN(40))
				}
			case "near collinear":
				if sum += v; j == p-1 {
					v = sum + gap*rnd.NormFloat64()
				}
			case "wide scales":
				v *= math.Pow(10, float64(37*j%150)-70)
			case "integers":
				v = float64(rnd.IntN(10))
			}
			x.Set(i, j, v)
		}
	}
	noise := math.Pow(10, 10*rnd.Float64()-9)
	for i := range y {
		for j := range p {
			y[i] += x.At(i, j)
		}
		switch rnd.IntN(3) {
		case 0:
			y[i] = rnd.NormFloat64()
		case 1:
			y[i] *= 1 + noise*rnd.NormFloat64()
		}
	}
	d := &Design{X: x, XLow: low, Y: y, Response: "y"}
	for j := range p {
		d.Names = append(d.Names, fmt.Sprint("x", j+1))
	}
	d.NoIntercept = rnd.IntN(5) == 0
	if rnd.IntN(4) == 0 {
		for range n {
			d.Weights = append(d.Weights, math.Pow(10, 6*rnd.Float64()-3))
		}
	}
	return d, fmt.Sprintf("%s, n=%d p=%d mean %.2g gap %.2g, weights %v, no intercept %v", kind, n, p, mean, gap, d.Weights != nil, d.NoIntercept)
}

// problems is how many random problems a test of stated digits takes: 250, 50 with -short, or as
// many as the environment's REGBOOK_PROBLEMS says.
func problems(t *testing.T) int {
	text := os.Getenv("REGBOOK_PROBLEMS")
	if text == "" {
		if testing.Short() {
			return 50
		}
		return 250
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal("REGBOOK_PROBLEMS:", err)
	}
	return n
}

// Through whatever door data come, a fit never states more digits than it has,
// and never an error bound that its predictions and contrasts break.
func TestDigitsThroughEveryDoor(t *testing.T) {
	sequential(t)
	c := &claims{t: t, broken: map[string]int{}, fits: map[string]int{}, stated: map[string][2]float64{}}
	for trial := range problems(t) {
		rnd := rand.New(rand.NewPCG(uint64(trial), 11))
		d, problem := badProblem(rnd)
		problem = fmt.Sprintf("problem %d (%s)", trial, problem)
		want := solveExactly(d)
		if want == nil {
			continue
		}
		fit := func(door string, data Data, want *exactSolution, rows *Design, change func(*OLS) (*OLS, error)) {
			f, err := FitOLS(data, &OLSSettings{Aliased: DropAliased})
			if err == nil && f.columns()-len(f.Aliased()) != len(want.coef) {
				return // more than the copy was dropped
			}
			if err == nil && change != nil {
				f, err = change(f)
			}
			if err != nil {
				return
			}
			c.check(door, problem, f, want, rows)
		}
		raw := func(f *OLS) (*OLS, error) { return f.Raw() }
		fit("rows", d, want, d, nil)
		moments := func(door string, m *Moments, err error, change func(*OLS) (*OLS, error)) {
			if err == nil {
				fit(door, m, want, d, change)
			}
		}
		m, err := d.Moments()
		moments("moments", m, err, nil)
		merged, err := mergedMoments(rnd, d)
		moments("merged moments", merged, err, nil)
		rest, err := subtractedMoments(rnd, d)
		moments("subtracted moments", rest, err, nil)

		settings := &StandardizeSettings{CenterOnly: !d.NoIntercept && rnd.IntN(4) == 0}
		settings.ScaleOnly = !settings.CenterOnly && (d.NoIntercept || rnd.IntN(4) == 0)
		if z, err := d.Standardize(settings); err == nil {
			fit("standardized", z, solveExactly(z), z, nil)
			fit("standardized, rows raw", z, want, d, raw)
			c.scaledFit("standardized, predicts raw rows", problem, z, want, d)
			rounded := *z
			rounded.XLow = nil
			if d.XLow == nil {
				fit("standardized in float64, raw", &rounded, want, d, raw)
			}
			if zm, err := z.Moments(); err == nil {
				fit("moments of standardized", zm, solveExactly(z), z, nil)
				fit("moments of standardized, raw", zm, want, d, raw)
			}
			if zm, err := rounded.Moments(); err == nil && d.XLow == nil {
				fit("moments of standardized in float64, raw", zm, want, d, raw)
			}
			s := &Scaling{Center: make([]float64, d.NTerms()), Scale: make([]float64, d.NTerms())}
			for j := range s.Scale {
				s.Scale[j] = math.Abs(z.Scaling.Scale[j] * (1 + rnd.NormFloat64()))
				if !d.NoIntercept {
					s.Center[j] = z.Scaling.Center[j] + 3*s.Scale[j]*rnd.NormFloat64()
				}
			}
			if again, err := z.Rescale(s); err == nil {
				fit("rescaled twice, raw", again, want, d, raw)
			}
		}
		if d.NTerms() > 1 {
			copied := withAliased(rnd, d)
			fit("rows, aliased dropped", copied, want, nil, nil)
			if m, err := copied.Moments(); err == nil {
				fit("moments, aliased dropped", m, want, nil, nil)
			}
		}
		for name, route := range map[string]func(*Design) (*OLS, error){"QR in float64": fitQR, "corrected": fitCorrected} {
			if f, err := route(d); err == nil && d.XLow == nil {
				c.check(name, problem, f, want, d)
			}
		}
	}
	for door, n := range c.fits {
		s := c.stated[door]
		t.Logf("%-42s %6d fits, %5d broken; %.1f digits stated, %.1f had on average", door, n, c.broken[door], s[0]/float64(n), s[1]/float64(n))
	}
}

// nearPerfect returns a problem whose residual is 10^-1 to 10^-32 of its response: rows of
// whole numbers that terms fit, two of them far from the others by a term of their own.
func nearPerfect(rnd *rand.Rand) (*Design, string) {
	p := 1 + rnd.IntN(3)
	n := p + 3 + rnd.IntN(20)
	far := math.Ldexp(1, 4*rnd.IntN(27))
	noise := math.Ldexp(1, -rnd.IntN(60))
	x, y := mat.NewDense(n, p+1, nil), make([]float64, n)
	for i := range n {
		for j := range p {
			x.Set(i, j, float64(rnd.IntN(50)))
			y[i] += float64(j+1) * x.At(i, j)
		}
		if rnd.IntN(3) == 0 {
			y[i] += noise * float64(rnd.IntN(9)-4)
		}
	}
	for i := range 2 {
		x.Set(i, p, far)
		y[i] += 3 * far
	}
	d := &Design{X: x, Y: y, Response: "y", NoIntercept: rnd.IntN(5) == 0}
	for j := range p + 1 {
		d.Names = append(d.Names, fmt.Sprint("x", j+1))
	}
	return d, fmt.Sprintf("n=%d p=%d, far %.2g, noise %.2g, no intercept %v", n, p+1, far, noise, d.NoIntercept)
}

// Standard errors of fits with next to no residual have the digits that are stated, of
// themselves: the rounding of y is no excuse.
func TestDigitsOfNearPerfectFits(t *testing.T) {
	sequential(t)
	c := &claims{t: t, broken: map[string]int{}, fits: map[string]int{}, stated: map[string][2]float64{}}
	for trial := range 4 * problems(t) {
		rnd := rand.New(rand.NewPCG(uint64(trial), 12))
		d, problem := nearPerfect(rnd)
		problem = fmt.Sprintf("problem %d (%s)", trial, problem)
		want := solveExactly(d)
		if want == nil {
			continue
		}
		for door, fit := range map[string]func() (*OLS, error){
			"rows":          func() (*OLS, error) { return FitOLS(d, nil) },
			"QR in float64": func() (*OLS, error) { return fitQR(d) },
			"corrected":     func() (*OLS, error) { return fitCorrected(d) },
			"moments":       func() (*OLS, error) { m, err := d.Moments(); must(t, m, err); return FitOLS(m, nil) },
			"standardized, raw": func() (*OLS, error) {
				z, err := d.Standardize(&StandardizeSettings{ScaleOnly: d.NoIntercept})
				f, err := FitOLS(must(t, z, err), nil)
				if err != nil {
					return nil, err
				}
				return f.Raw()
			},
		} {
			if f, err := fit(); err == nil {
				c.check(door, problem, f, want, d)
			}
		}
	}
	for door, n := range c.fits {
		s := c.stated[door]
		t.Logf("%-20s %6d fits, %5d broken; %.1f digits stated, %.1f had on average", door, n, c.broken[door], s[0]/float64(n), s[1]/float64(n))
	}
}

// scaledFit holds the predictions of raw rows by a fit to scaled ones to those of
// the exact fit to raw data.
func (c *claims) scaledFit(door, problem string, z *Design, want *exactSolution, d *Design) {
	f, err := FitOLS(z, nil)
	if err != nil {
		return
	}
	c.fits[door]++
	kept := make([]int, f.columns())
	for j := range kept {
		kept[j] = j
	}
	_, stderr := f.Digits()
	c.checkPredictions(door, problem, f, want, d, kept, stderr)
}

// mergedMoments are the moments of the rows, taken a few at a time.
func mergedMoments(rnd *rand.Rand, d *Design) (*Moments, error) {
	m := NewMoments(d)
	for at := 0; at < d.NObs(); {
		var rows []int
		for end := at + 1 + rnd.IntN(4); at < min(end, d.NObs()); at++ {
			rows = append(rows, at)
		}
		if err := m.Add(d.Rows(rows...)); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// subtractedMoments are the moments of the rows and some others, less those of
// the others.
func subtractedMoments(rnd *rand.Rand, d *Design) (*Moments, error) {
	m, err := d.Moments()
	if err != nil {
		return nil, err
	}
	other := d.Rows(rnd.Perm(d.NObs())[:1+rnd.IntN(d.NObs())]...)
	far := 1 + math.Pow(10, 8*rnd.Float64()-6)
	other.X.Scale(far, other.X)
	if other.XLow != nil {
		other.XLow.Scale(far, other.XLow)
	}
	others, err := other.Moments()
	if err != nil {
		return nil, err
	}
	both, err := m.Merge(others)
	if err != nil {
		return nil, err
	}
	return both.Subtract(others)
}

// withAliased returns the design with a column more, the double of the first.
func withAliased(rnd *rand.Rand, d *Design) *Design {
	n, p := d.X.Dims()
	out := *d
	widen := func(x *mat.Dense) *mat.Dense {
		if x == nil {
			return nil
		}
		wide := mat.NewDense(n, p+1, nil)
		for i := range n {
			copy(wide.RawRowView(i), x.RawRowView(i))
			wide.Set(i, p, 2*x.At(i, 0))
		}
		return wide
	}
	out.X, out.XLow = widen(d.X), widen(d.XLow)
	out.Names = append(append([]string{}, d.Names...), "copy")
	return &out
}

func fitQR(d *Design) (*OLS, error) {
	sys, err := newSystem(d)
	if err != nil {
		return nil, err
	}
	f := newOLS(d.header(), OLSSettings{})
	rows := d.rows()
	f.s.N, f.s.W, _ = rows.Totals()
	sol := sys.QR()
	if len(sol.Keep) < sys.Columns() {
		return nil, ErrRankDeficient
	}
	return f, f.set(sol, sys.Units)
}

func fitCorrected(d *Design) (*OLS, error) {
	m, err := d.Moments()
	if err != nil {
		return nil, err
	}
	e := newEquations(m)
	sol := e.SolveRows(d.rows())
	if sol == nil {
		return nil, ErrRankDeficient
	}
	f := newOLS(d.header(), OLSSettings{})
	f.s.N, f.s.W = m.s.N, m.s.W
	return f.setSums(e, sol, m)
}

// exactScore is the log score of the model of some columns, from its formula: log
// p(y|model), with the least-squares fits of the model and of what is always in.
// A slab is rows of prior observations below the data.
func exactScore(t *testing.T, d *Design, always, terms []string, score ModelScore) float64 {
	sub := get(d.Select(append(append([]string{}, always...), terms...)...))(t)
	fixed := get(d.Select(always...))(t)
	fit, base := solveExactly(sub), solveExactly(fixed)
	if fit == nil || base == nil {
		return math.NaN()
	}
	n, k, q := float64(fit.n), float64(len(terms)), float64(len(base.coef))
	var logW float64
	for i := range d.NObs() {
		logW += math.Log(d.Weight(i))
	}
	log := func(x *big.Float) float64 {
		mantissa := precise()
		e := x.MantExp(mantissa)
		return math.Log(nearest(mantissa)) + float64(e)*math.Ln2
	}
	marginal := func(noise Noise, q2 *big.Float, d2 float64) float64 {
		free := n - q
		if known, ok := noise.(KnownVariance); ok {
			return logW/2 - free/2*math.Log(2*math.Pi*float64(known)) - nearest(q2)/(2*float64(known)) + d2
		}
		an := free / 2
		gamma, _ := math.Lgamma(an)
		return logW/2 - free/2*math.Log(2*math.Pi) + gamma - an*(log(q2)-math.Ln2) + d2
	}
	size := float64(d.NTerms()-len(always)) * math.Log(.5) // the prior over models
	switch score := score.(type) {
	case BICScore:
		if score.Sigma2 > 0 {
			return size + logW/2 - n/2*math.Log(2*math.Pi*score.Sigma2) - nearest(fit.rss)/(2*score.Sigma2) - k/2*math.Log(n)
		}
		return size + logW/2 - n/2*(math.Log(2*math.Pi/n)+log(fit.rss)+1) - k/2*math.Log(n)
	case ZellnerG:
		g := precise().Quo(big.NewFloat(score.G), big.NewFloat(1+score.G))
		q2 := precise().Sub(base.rss, g.Mul(g, precise().Sub(base.rss, fit.rss)))
		return size + marginal(score.Noise, q2, -base.logDet/2-k/2*math.Log1p(score.G))
	case SpikeSlab:
		v := score.SlabVar
		if known, ok := score.Noise.(KnownVariance); ok {
			v /= float64(known)
		}
		// [1 X] as it is and rows of 1/sqrt(V) below the candidates.
		p, rows := sub.NTerms(), sub.NObs()
		wide := &Design{X: mat.NewDense(rows+len(terms), p+1, nil), Y: make([]float64, rows+len(terms)), NoIntercept: true}
		copy(wide.Y, d.Y)
		for i := range rows {
			wide.X.Set(i, 0, 1)
			copy(wide.X.RawRowView(i)[1:], sub.X.RawRowView(i))
			wide.Weights = append(wide.Weights, d.Weight(i))
		}
		for j := range terms {
			wide.X.Set(rows+j, 1+len(always)+j, 1/math.Sqrt(v))
			wide.Weights = append(wide.Weights, 1)
		}
		if d.NoIntercept && p == 0 {
			wide = sub
		} else if d.NoIntercept {
			wide.X = mat.DenseCopyOf(wide.X.Slice(0, rows+len(terms), 1, p+1))
		}
		prior := solveExactly(wide)
		return size + marginal(score.Noise, prior.rss, -prior.logDet/2-k/2*math.Log(v))
	}
	return math.NaN()
}

// No score of any model is further from its exact value than ScoreError says, and
// no model average further from that of the exact models than ModelAverage says.
func TestScoreErrorAgainstExactArithmetic(t *testing.T) {
	sequential(t)
	slack, bounds, broken := 0.0, 0, 0
	averages, brokenAverages := 0, 0
	for trial := range problems(t) {
		rnd := rand.New(rand.NewPCG(uint64(trial), 12))
		d, problem := badProblem(rnd)
		d.XLow = nil
		if d.NTerms() > 4 {
			d, _ = d.Select(d.Names[:4]...)
		}
		if rnd.IntN(4) == 0 {
			d = withAliased(rnd, d)
		}
		scores := []ModelScore{
			BICScore{}, BICScore{Sigma2: 1.5}, ZellnerG{G: 7}, ZellnerG{G: 7, Noise: KnownVariance(2)},
			SpikeSlab{SlabVar: 4}, SpikeSlab{SlabVar: 1 << 20}, SpikeSlab{SlabVar: 4, Noise: KnownVariance(1)},
		}
		score := scores[rnd.IntN(len(scores))]
		if z, ok := score.(ZellnerG); ok && z.Noise == nil {
			z.Noise = InverseGamma{}
			score = z
		}
		if s, ok := score.(SpikeSlab); ok && s.Noise == nil {
			s.Noise = InverseGamma{}
			score = s
		}
		var data Data = d
		if rnd.IntN(3) == 0 {
			m, err := mergedMoments(rnd, d)
			if err != nil {
				continue
			}
			data = m
		}
		if trial%4 == 1 { // sums that are wrong by what they state
			other := rand.New(rand.NewPCG(uint64(trial), 13))
			m, err := MomentsOf(inexactSums(other, d, math.Pow(10, -5-9*other.Float64())))
			if err != nil {
				continue
			}
			data = m
		}
		var always []string
		if d.NTerms() > 1 && rnd.IntN(3) == 0 {
			always = d.Names[1:2]
		}
		e, err := EnumerateModels(data, score, &EnumerateSettings{Always: always, Scores: true})
		if err != nil {
			continue
		}
		if a := e.Aliased(); len(a) > 1 || len(a) == 1 && a[0] != "copy" {
			continue // a term is a combination of others to 1e-7 only
		}
		if bic, ok := score.(BICScore); ok && always == nil && e.ScoreError() < 0.1 && len(e.Aliased()) == 0 {
			if a, err := EnumerateModels(data, bic, &EnumerateSettings{Average: true}); err == nil {
				averages++
				average := get(a.ModelAverage())(t)
				want, sd := exactAverage(t, d, a, bic)
				for j, b := range average.Coef() {
					if off := math.Abs(b - want[j]); off > 4*a.ScoreError()*sd[j]+dd.Unit*math.Abs(want[j]) {
						if brokenAverages++; brokenAverages < 10 {
							t.Errorf("problem %d (%s), %T: average %d is %.17g, not %.17g: off by %.2g, 4 ScoreError StdErr %.2g",
								trial, problem, score, j, b, want[j], off, 4*a.ScoreError()*sd[j])
						}
					}
				}
			}
		}
		got := get(e.GrayScores())(t)
		for i, s := range got {
			want := exactScore(t, d, always, e.GrayModel(i), score)
			if math.IsNaN(want) {
				continue // of a term that is a combination of others
			}
			off := math.Abs(s - want)
			if !math.IsInf(e.ScoreError(), 1) {
				bounds++
				slack += math.Log10(e.ScoreError() / (off + 1e-16*math.Abs(want) + 1e-16))
			}
			// The logarithms of the test are rounded, too.
			if off > e.ScoreError()+0*want {
				if broken++; broken < 10 {
					t.Errorf("problem %d (%s), %T %+v, always %v: score of %v is %.17g, not %.17g: off by %.2g, ScoreError %.2g",
						trial, problem, score, score, always, e.GrayModel(i), s, want, off, e.ScoreError())
				}
			}
		}
	}
	t.Logf("%d averages, broken %d", averages, brokenAverages)
	t.Logf("%d models with a bound, broken %d; it is 10^%.1f times the error on average", bounds, broken, slack/float64(bounds))
}

// exactAverage averages the exact least-squares fits of all models by their exact
// scores, and returns the means and standard deviations of the coefficients.
func exactAverage(t *testing.T, d *Design, e *Enumeration, score BICScore) (mean, sd []float64) {
	k := d.NTerms() + 1
	offset := 1
	if d.NoIntercept {
		k, offset = k-1, 0
	}
	sum, squares, total := make([]*big.Float, k), make([]*big.Float, k), precise()
	for j := range sum {
		sum[j], squares[j] = precise(), precise()
	}
	for i := range 1 << d.NTerms() {
		terms := e.GrayModel(i)
		sub := get(d.Select(terms...))(t)
		fit := solveExactly(sub)
		p := precise().SetFloat64(math.Exp(exactScore(t, d, nil, terms, score) - e.LogNormalizer()))
		total.Add(total, p)
		s2 := precise().SetFloat64(score.Sigma2)
		if score.Sigma2 == 0 {
			s2.Quo(fit.rss, big.NewFloat(float64(fit.n-len(fit.coef))))
		}
		at := 0
		for j := range k {
			if j >= offset && (at-offset >= len(terms) || terms[at-offset] != d.Names[j-offset]) {
				continue
			}
			b := fit.coef[at]
			sum[j].Add(sum[j], precise().Mul(p, b))
			second := precise().Mul(s2, fit.inverse[at][at])
			second.Add(second, precise().Mul(b, b))
			squares[j].Add(squares[j], second.Mul(second, p))
			at++
		}
	}
	for j := range k {
		m := sum[j].Quo(sum[j], total)
		v := squares[j].Quo(squares[j], total)
		mean = append(mean, nearest(m))
		sd = append(sd, squareRoot(v.Sub(v, precise().Mul(m, m))))
	}
	return mean, sd
}

// The digits of a logistic fit led back to raw units are those of the fit to raw
// columns, as far as both state them, wherever the origin is.
func TestLogisticRawDigits(t *testing.T) {
	lost := false
	for trial := range 60 {
		rnd := rand.New(rand.NewPCG(uint64(trial), 13))
		n := 40
		x, y := mat.NewDense(n, 2, nil), make([]float64, n)
		shift := math.Pow(10, 9*rnd.Float64())
		for i := range y {
			x.Set(i, 0, shift+rnd.NormFloat64())
			x.Set(i, 1, rnd.NormFloat64())
			if x.At(i, 0)-shift+rnd.NormFloat64() > 0.3 {
				y[i] = 1
			}
		}
		d := &Design{X: x, Y: y, Names: []string{"a", "b"}, Response: "y", Classes: []string{"no", "yes"}}
		// A scaling about another place than the mean, which has no rounding.
		z := get(d.Rescale(&Scaling{Center: []float64{shift, 0}, Scale: []float64{1, 1}}))(t)
		direct := get(FitLogistic(d, nil))(t)
		scaled := get(FitLogistic(z, nil))(t)
		raw := get(scaled.Raw())(t)
		own, _ := scaled.Digits()
		coef, stderr := raw.Digits()
		lost = lost || coef < own
		directCoef, directStdErr := direct.Digits()
		for j, b := range raw.Coef() {
			if got := digitsOf(math.Abs(b-direct.Coef()[j]), math.Abs(b)); got < float64(min(coef, directCoef))-0.31 {
				t.Errorf("shift %.2g: coefficient %d agrees to %.1f digits, %d and %d stated", shift, j, got, coef, directCoef)
			}
			if got := digitsOf(math.Abs(raw.StdErr()[j]-direct.StdErr()[j]), raw.StdErr()[j]); got < float64(min(stderr, directStdErr))-0.31 {
				t.Errorf("shift %.2g: standard error %d agrees to %.1f digits, %d and %d stated", shift, j, got, stderr, directStdErr)
			}
		}
	}
	if !lost {
		t.Error("no fit lost a digit in its intercept")
	}
}
