package hierarchy

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"
)

// Block is a part of the effects of a level that is independent of the others.
type Block struct {
	Level int
	At    []int // which of the level's varying columns
	Equal bool  // one variance for all, no covariances; else any covariance matrix
}

// Parameters returns the number of parameters of the block.
func (b *Block) Parameters() int {
	if b.Equal {
		return 1
	}
	return pairs(len(b.At))
}

// Prior is that of the fixed coefficients: independent, with means and variances.
type Prior struct{ Mean, Var []float64 }

// Model says what of a tree's variances is known.
type Model struct {
	Tree   *Tree
	Blocks []Block
	N      float64 // rows
	ML     bool    // maximum likelihood; else restricted, if Prior is nil
	Sigma2 float64 // of the residuals if known, else 0
	Prior  *Prior  // nil for a flat one
	Avoid  bool    // a prior |Psi|^(1/2) of every block keeps it off the boundary

	LogScale   float64 // sum of the logarithms of the fixed columns' scales
	LogWeights float64 // sum of the logarithms of the weights

	hold held
}

// held fixes the standard deviation of the first coefficient of a block, or of the
// residuals (block -1), for a profile.
type held struct {
	on    bool
	block int
	sd    float64
}

// ErrPerfect says that the effects leave no residual.
var ErrPerfect = errors.New("hierarchy: no residual variance is left")

// ErrCollinear says that a fixed column is a combination of the others.
type ErrCollinear struct{ Column int }

func (*ErrCollinear) Error() string { return "hierarchy: fixed columns are collinear" }

// Parameters returns the number of parameters of the covariances.
func (m *Model) Parameters() int {
	n := 0
	for i := range m.Blocks {
		n += m.Blocks[i].Parameters()
	}
	return n
}

// place is where a parameter stands in the Cholesky factor of a block.
type place struct{ block, row, col, diag int } // diag: as many times on the diagonal

func (m *Model) places() []place {
	var out []place
	for b := range m.Blocks {
		if m.Blocks[b].Equal {
			out = append(out, place{block: b, diag: len(m.Blocks[b].At)})
			continue
		}
		for i := range m.Blocks[b].At {
			for j := range i + 1 {
				p := place{block: b, row: i, col: j}
				if i == j {
					p.diag = 1
				}
				out = append(out, p)
			}
		}
	}
	return out
}

// Start returns the parameters at which a search begins: variances equal to those of the
// residuals.
func (m *Model) Start() []float64 {
	var out []float64
	for _, p := range m.places() {
		v := 0.0
		if p.diag > 0 {
			v = 1
		}
		out = append(out, v)
	}
	return out
}

// Delta returns the covariance matrix of every level relative to sigma^2.
func (m *Model) Delta(theta []float64) [][]float64 {
	out := m.zero()
	at := 0
	for b := range m.Blocks {
		n := m.Blocks[b].Parameters()
		m.put(out, b, m.Blocks[b].square(theta[at:at+n]))
		at += n
	}
	return out
}

func (m *Model) zero() [][]float64 {
	out := make([][]float64, len(m.Tree.Levels))
	for l := range out {
		k := len(m.Tree.Levels[l].Vary)
		out[l] = make([]float64, k*k)
	}
	return out
}

// put sets the part of a block.
func (m *Model) put(delta [][]float64, b int, c []float64) {
	block := &m.Blocks[b]
	k, n := len(m.Tree.Levels[block.Level].Vary), len(block.At)
	for i, ai := range block.At {
		for j, aj := range block.At {
			delta[block.Level][ai*k+aj] = c[i*n+j]
		}
	}
}

// part is the inverse of put.
func (m *Model) part(delta [][]float64, b int) []float64 {
	block := &m.Blocks[b]
	k, n := len(m.Tree.Levels[block.Level].Vary), len(block.At)
	out := make([]float64, n*n)
	for i, ai := range block.At {
		for j, aj := range block.At {
			out[i*n+j] = delta[block.Level][ai*k+aj]
		}
	}
	return out
}

// lower is the Cholesky factor of the block.
func (b *Block) lower(theta []float64) []float64 {
	n := len(b.At)
	l := make([]float64, n*n)
	for i := range n {
		for j := range i + 1 {
			switch {
			case !b.Equal:
				l[i*n+j] = theta[pair(i, j)]
			case i == j:
				l[i*n+i] = theta[0]
			}
		}
	}
	return l
}

func (b *Block) square(theta []float64) []float64 {
	n, l := len(b.At), b.lower(theta)
	out := make([]float64, n*n)
	for i := range n {
		for j := range n {
			for c := range min(i, j) + 1 {
				out[i*n+j] += l[i*n+c] * l[j*n+c]
			}
		}
	}
	return out
}

// Value is the criterion at some parameters: -2 log of a likelihood, restricted
// likelihood or evidence.
type Value struct {
	Theta   []float64
	LogVar  float64 // log sigma^2
	Minus2  float64
	Grad    []float64 // with respect to theta, then log sigma^2 if that is searched
	Hess    []float64 // m x m
	Element [][]float64
	second  []float64 // with respect to elements and, last, log sigma^2 if that is not profiled
	size    int

	Beta  []float64 // of the fixed columns
	Cov   []float64 // of Beta relative to sigma^2
	Scale float64   // the quadratic form that sigma^2 divides
	order int
}

// profiled tells whether sigma^2 has its best value at every Delta.
func (m *Model) profiled() bool { return m.Sigma2 == 0 && m.Prior == nil && !m.hold.on }

// searched tells whether log sigma^2 is one of the parameters searched.
func (m *Model) searched() bool {
	return m.Sigma2 == 0 && !m.profiled() && !(m.hold.on && m.hold.block < 0)
}

// freedom returns what multiplies log sigma^2 in the criterion when nothing else does.
func (m *Model) freedom() float64 {
	nu := m.N
	if !m.ML && m.Prior == nil {
		nu -= float64(len(m.Tree.Fixed))
	}
	return nu
}

// Evaluate returns the criterion with derivatives up to an order. logVar counts only if
// sigma^2 is neither known nor profiled.
func (m *Model) Evaluate(theta []float64, logVar float64, order int) (*Value, error) {
	v := &Value{Theta: append([]float64(nil), theta...), LogVar: logVar, order: order}
	if m.Sigma2 > 0 {
		v.LogVar = math.Log(m.Sigma2)
	}
	if m.hold.on {
		if m.hold.block < 0 {
			v.LogVar = 2 * math.Log(m.hold.sd)
		} else {
			v.Theta[m.heldParameter()] = m.hold.sd * math.Exp(-v.LogVar/2)
		}
	}
	j := m.Tree.reduce(m.Delta(v.Theta), order)
	if err := m.top(v, j); err != nil {
		return nil, err
	}
	if order > 0 {
		m.chain(v)
	}
	return v, nil
}

func (m *Model) heldParameter() int {
	at := 0
	for b := range m.hold.block {
		at += m.Blocks[b].Parameters()
	}
	return at
}

// top eliminates the fixed coefficients.
func (m *Model) top(v *Value, j *jet) error {
	e, err := m.eliminate(j, v.LogVar)
	if err != nil {
		return err
	}
	v.Beta, v.Cov, v.Scale = e.beta, e.cov, e.scale
	if m.profiled() {
		v.LogVar = math.Log(v.Scale / (m.freedom() - m.avoided()))
	}
	v.Minus2 = m.minus2(v, e)
	if v.order == 0 {
		return nil
	}
	v.size = j.m + 1
	d := m.slopes(v, e)
	if v.order > 1 {
		v.second = m.curvatures(v, e, d)
	}
	return nil
}

// eliminated is what is left of cross-products of the fixed columns and the response, F, when the
// fixed coefficients are eliminated, H their part of F and c = (-beta, 1):
//
//	beta = H^-1 F_y,  scale = c'F c,  log |H|.
//
// Of p fixed columns, q = p+1.
type eliminated struct {
	*jet
	p         int
	prior     []float64 // of F, the part of the Prior: its own derivative by log sigma^2; nil without
	beta, cov []float64 // cov is H^-1
	contrast  []float64 // c
	scale     float64
	logdet    float64
}

// eliminate adds the Prior to the cross-products and eliminates the fixed coefficients.
func (m *Model) eliminate(j *jet, logVar float64) (*eliminated, error) {
	p, q := len(m.Tree.Fixed), j.q
	e := &eliminated{jet: j, p: p}
	if m.Prior != nil {
		e.prior = m.Prior.products(logVar, q)
		add(j.F, e.prior)
	}
	h := make([]float64, p*p)
	for i := range p {
		copy(h[i*p:(i+1)*p], j.F[i*q:i*q+p])
	}
	logdet, bad := cholesky(h, p)
	if bad >= 0 {
		return nil, &ErrCollinear{m.Tree.Fixed[bad]}
	}
	e.logdet, e.cov = logdet, inverse(h, p)
	e.beta, e.contrast = make([]float64, p), make([]float64, q)
	for i := range p {
		e.beta[i] = j.F[i*q+p]
	}
	solve(h, p, e.beta)
	for i := range p {
		e.contrast[i] = -e.beta[i]
	}
	e.contrast[p] = 1
	fc := times(j.F, e.contrast, q)
	e.scale = fc[p]
	for i := range p {
		e.scale += e.contrast[i] * fc[i] // zero but for rounding
	}
	whole := math.Abs(j.F[p*q+p])
	if !(e.scale > 1e-13*whole) && m.Sigma2 == 0 || e.scale < 0 && e.scale < -1e-9*whole {
		return nil, ErrPerfect
	}
	return e, nil
}

// products returns what the prior adds to cross-products: sigma^2 over the variances, as
// observations of the coefficients.
func (p *Prior) products(logVar float64, q int) []float64 {
	out, y := make([]float64, q*q), q-1
	for i, mean := range p.Mean {
		w := math.Exp(logVar) / p.Var[i]
		out[i*q+i] = w
		out[i*q+y], out[y*q+i] = w*mean, w*mean
		out[y*q+y] += w * mean * mean
	}
	return out
}

// hasDet tells whether log |H| is in the criterion.
func (m *Model) hasDet() bool { return !m.ML || m.Prior != nil }

// minus2 is the criterion.
func (m *Model) minus2(v *Value, e *eliminated) float64 {
	phi := v.LogVar
	out := m.freedom()*(math.Log(2*math.Pi)+phi) + e.Log + e.scale*math.Exp(-phi) - m.LogWeights
	switch {
	case m.Prior != nil:
		out += e.logdet
		for _, variance := range m.Prior.Var {
			out += math.Log(variance) - phi
		}
	case !m.ML:
		out += e.logdet + 2*m.LogScale
	}
	if m.Avoid {
		out -= m.avoided() * phi
		for i, at := range m.places() {
			if at.diag > 0 {
				out -= 2 * float64(at.diag) * math.Log(math.Abs(v.Theta[i]))
			}
		}
	}
	return out
}

// first is the derivative of F by an element of Delta or, the last, by log sigma^2; nil if it is zero.
func (e *eliminated) first(a int) []float64 {
	if a < e.m {
		return e.D[a]
	}
	return e.prior
}

// second is that by two of them.
func (e *eliminated) second(a, b int) []float64 {
	switch {
	case a < e.m:
		return e.S[pair(a, b)]
	case b == e.m:
		return e.prior
	}
	return nil
}

// slope is made of the derivative D of F: D c, its part c'D c of the scale, and H^-1 D.
type slope struct {
	contrast []float64
	scale    float64
	fixed    []float64 // p x p
}

// slopes sets the gradient by the elements and by log sigma^2, and returns what second derivatives
// need as well; a derivative of F that is zero has no contrast.
func (m *Model) slopes(v *Value, e *eliminated) []slope {
	out := make([]slope, v.size)
	v.Grad = make([]float64, v.size)
	for a := range out {
		d := e.first(a)
		if d == nil {
			continue
		}
		s := &out[a]
		s.contrast, s.fixed = times(d, e.contrast, e.q), make([]float64, e.p*e.p)
		for i, c := range e.contrast {
			s.scale += c * s.contrast[i]
		}
		for i := range e.p {
			for l := range e.p {
				x := e.cov[i*e.p+l]
				for c := range e.p {
					s.fixed[i*e.p+c] += x * d[l*e.q+c]
				}
			}
		}
		v.Grad[a] = s.scale * math.Exp(-v.LogVar)
		if a < e.m {
			v.Grad[a] += e.Log1[a]
		}
		if m.hasDet() {
			for i := range e.p {
				v.Grad[a] += s.fixed[i*e.p+i]
			}
		}
	}
	v.Grad[e.m] += m.freedom() - e.scale*math.Exp(-v.LogVar) - m.avoided()
	if m.Prior != nil {
		v.Grad[e.m] -= float64(e.p)
	}
	return out
}

// curvatures returns the second derivatives by the elements and by log sigma^2.
func (m *Model) curvatures(v *Value, e *eliminated, d []slope) []float64 {
	out := make([]float64, v.size*v.size)
	inverse := math.Exp(-v.LogVar)
	for a := range d {
		for b := range a + 1 {
			scale, det := e.curvature(e.second(a, b), &d[a], &d[b])
			x := scale * inverse
			if m.hasDet() {
				x += det
			}
			switch {
			case a < e.m:
				x += e.Log2[pair(a, b)]
			case b < e.m:
				x -= d[b].scale * inverse
			default:
				x += e.scale*inverse - 2*d[a].scale*inverse
			}
			out[a*v.size+b], out[b*v.size+a] = x, x
		}
	}
	return out
}

// curvature returns the second derivatives of the scale and of log |H|, of F by s2 (nil: zero):
//
//	c'S c - 2 (D_a c)'H^-1 (D_b c)  and  tr(H^-1 S) - tr(H^-1 D_a H^-1 D_b).
func (e *eliminated) curvature(s2 []float64, a, b *slope) (scale, det float64) {
	p := e.p
	if s2 != nil {
		d := times(s2, e.contrast, e.q)
		for i, c := range e.contrast {
			scale += c * d[i]
		}
		for i := range p {
			for l := range p {
				det += e.cov[i*p+l] * s2[l*e.q+i]
			}
		}
	}
	if a.contrast == nil || b.contrast == nil {
		return scale, det
	}
	for i := range p {
		for l := range p {
			scale -= 2 * a.contrast[i] * e.cov[i*p+l] * b.contrast[l]
			det -= a.fixed[i*p+l] * b.fixed[l*p+i]
		}
	}
	return scale, det
}

// avoided is what the prior |Psi|^(1/2) takes from the multiple of log sigma^2.
func (m *Model) avoided() float64 {
	if !m.Avoid {
		return 0
	}
	k := 0
	for i := range m.Blocks {
		k += len(m.Blocks[i].At)
	}
	return float64(k)
}

// chain leads derivatives with respect to the elements of Delta back to theta.
func (m *Model) chain(v *Value) {
	if v.second != nil && m.profiled() {
		profileOut(v.second, v.size)
	}
	v.Element = m.elements(v.Grad)
	jac := m.jacobian(v)
	g := make([]float64, len(jac))
	for i := range jac {
		for a, d := range jac[i] {
			g[i] += d * v.Grad[a]
		}
	}
	var h []float64
	if v.second != nil {
		h = m.bent(v, jac)
	}
	if m.Avoid {
		for i, p := range m.places() {
			if p.diag == 0 {
				continue
			}
			g[i] -= 2 * float64(p.diag) / v.Theta[i]
			if h != nil {
				h[i*len(jac)+i] += 2 * float64(p.diag) / (v.Theta[i] * v.Theta[i])
			}
		}
	}
	if m.hold.on && m.hold.block >= 0 {
		g, h = m.holding(v, g, h, len(jac))
	}
	v.Grad, v.Hess = g, h
}

// profileOut takes the last variable, which has its best value at all others, out of second derivatives.
func profileOut(hess []float64, n int) {
	last := n - 1
	for a := range last {
		for b := range last {
			hess[a*n+b] -= hess[a*n+last] * hess[last*n+b] / hess[last*n+last]
		}
	}
}

// jacobian returns the derivatives of the elements, and of log sigma^2, by every parameter searched.
func (m *Model) jacobian(v *Value) [][]float64 {
	var out [][]float64
	starts := m.starts()
	for _, p := range m.places() {
		row := make([]float64, v.size)
		m.eachOf(p, v.Theta, func(element int, d float64) { row[starts[m.Blocks[p.block].Level]+element] += d })
		out = append(out, row)
	}
	if m.searched() {
		row := make([]float64, v.size)
		row[v.size-1] = 1
		out = append(out, row)
	}
	return out
}

// bent returns the second derivatives by the parameters: J'HJ, and the gradient times the second
// derivatives of the elements.
func (m *Model) bent(v *Value, jac [][]float64) []float64 {
	n, size := len(jac), v.size
	h := make([]float64, n*n)
	for i := range jac {
		hj := times(v.second, jac[i], size)
		for l := range jac {
			for a, d := range jac[l] {
				h[l*n+i] += hj[a] * d
			}
		}
	}
	starts, places := m.starts(), m.places()
	for i, p := range places {
		for l, o := range places {
			m.second(p, o, i == l, func(element int, d float64) {
				h[i*n+l] += v.Grad[starts[m.Blocks[p.block].Level]+element] * d
			})
		}
	}
	return h
}

// holding takes a parameter that depends on log sigma^2 alone out of the derivatives:
// theta = sd exp(-phi/2).
func (m *Model) holding(v *Value, g, h []float64, all int) ([]float64, []float64) {
	at := m.heldParameter()
	t := v.Theta[at]
	var left []int
	for i := range all {
		if i != at {
			left = append(left, i)
		}
	}
	phi := -1
	if m.searched() {
		phi = all - 1
	}
	out, hess := make([]float64, len(left)), []float64(nil)
	d := func(i int) float64 { // of the held parameter
		if i == phi {
			return -t / 2
		}
		return 0
	}
	for i, a := range left {
		out[i] = g[a] + d(a)*g[at]
	}
	if h != nil {
		n := len(left)
		hess = make([]float64, n*n)
		for i, a := range left {
			for j, b := range left {
				hess[i*n+j] = h[a*all+b] + d(a)*h[at*all+b] + d(b)*h[a*all+at] + d(a)*d(b)*h[at*all+at]
				if a == phi && b == phi {
					hess[i*n+j] += g[at] * t / 4
				}
			}
		}
	}
	return out, hess
}

// starts returns the number of each level's first element.
func (m *Model) starts() []int {
	out := make([]int, len(m.Tree.Levels))
	n := 0
	for l := range out {
		out[l] = n
		n += pairs(len(m.Tree.Levels[l].Vary))
	}
	return out
}

// eachOf visits the derivatives of the elements of a level's Delta by a parameter.
func (m *Model) eachOf(p place, theta []float64, visit func(element int, d float64)) {
	b := &m.Blocks[p.block]
	at := 0
	for i := range p.block {
		at += m.Blocks[i].Parameters()
	}
	if b.Equal {
		for _, a := range b.At {
			visit(pair(a, a), 2*theta[at])
		}
		return
	}
	l, n := b.lower(theta[at:at+b.Parameters()]), len(b.At)
	for i := range n {
		d := l[i*n+p.col]
		if i == p.row {
			d *= 2
		}
		visit(pair(b.At[p.row], b.At[i]), d)
	}
}

// second visits the second derivatives by two parameters.
func (m *Model) second(p, o place, same bool, visit func(element int, d float64)) {
	if p.block != o.block || p.col != o.col {
		return
	}
	b := &m.Blocks[p.block]
	if b.Equal {
		for _, a := range b.At {
			visit(pair(a, a), 2)
		}
		return
	}
	d := 1.0
	if same {
		d = 2
	}
	visit(pair(b.At[p.row], b.At[o.row]), d)
}

// elements returns the derivative by the elements of every level as a symmetric matrix
// G, with dF = tr(G dDelta).
func (m *Model) elements(grad []float64) [][]float64 {
	out := m.zero()
	at := 0
	for l := range out {
		k := len(m.Tree.Levels[l].Vary)
		for a := range k {
			for b := range a + 1 {
				g := grad[at]
				if a != b {
					g /= 2
				}
				out[l][a*k+b], out[l][b*k+a] = g, g
				at++
			}
		}
	}
	return out
}

// cholesky overwrites a by its lower factor and returns log |a|, or the number of a
// column that is a combination of those before it.
func cholesky(a []float64, n int) (logdet float64, bad int) {
	for j := range n {
		before := a[j*n+j]
		for l := range j {
			a[j*n+j] -= a[j*n+l] * a[j*n+l]
		}
		if !(a[j*n+j] > 1e-13*before) {
			return 0, j
		}
		d := math.Sqrt(a[j*n+j])
		a[j*n+j] = d
		logdet += 2 * math.Log(d)
		for i := j + 1; i < n; i++ {
			for l := range j {
				a[i*n+j] -= a[i*n+l] * a[j*n+l]
			}
			a[i*n+j] /= d
		}
	}
	return logdet, -1
}

// solve overwrites b by the solution, given the factor of the matrix.
func solve(l []float64, n int, b []float64) {
	for i := range n {
		for j := range i {
			b[i] -= l[i*n+j] * b[j]
		}
		b[i] /= l[i*n+i]
	}
	for i := n - 1; i >= 0; i-- {
		for j := i + 1; j < n; j++ {
			b[i] -= l[j*n+i] * b[j]
		}
		b[i] /= l[i*n+i]
	}
}

// inverse returns that of a matrix given its factor.
func inverse(l []float64, n int) []float64 {
	out := make([]float64, n*n)
	e := make([]float64, n)
	for i := range n {
		clear(e)
		e[i] = 1
		solve(l, n, e)
		copy(out[i*n:], e)
	}
	for i := range n {
		for j := range i {
			v := (out[i*n+j] + out[j*n+i]) / 2
			out[i*n+j], out[j*n+i] = v, v
		}
	}
	return out
}

func times(a, x []float64, q int) []float64 {
	out := make([]float64, q)
	for i := range q {
		for j := range q {
			out[i] += a[i*q+j] * x[j]
		}
	}
	return out
}

// eigen returns the eigenvalues, ascending, and eigenvectors (columns) of a symmetric
// matrix.
func eigen(a []float64, n int) ([]float64, *mat.Dense) {
	var e mat.EigenSym
	s := mat.NewSymDense(n, nil)
	for i := range n {
		for j := range i + 1 {
			s.SetSym(i, j, (a[i*n+j]+a[j*n+i])/2)
		}
	}
	if !e.Factorize(s, true) {
		return nil, nil
	}
	var v mat.Dense
	e.VectorsTo(&v)
	return e.Values(nil), &v
}

// Residual returns the fixed coefficients, and the sum of squares that is left, if nothing
// holds the effects of groups back: no fit of the model leaves less.
func (m *Model) Residual() (beta []float64, rss float64, err error) {
	const far = 1e28 // effects take what they can
	delta := m.zero()
	for l, level := range m.Tree.Levels {
		k := len(level.Vary)
		for i := range k {
			delta[l][i*k+i] = far
		}
	}
	v := &Value{}
	free := Model{Tree: m.Tree, N: m.N, Sigma2: 1}
	if err := free.top(v, m.Tree.reduce(delta, 0)); err != nil {
		return nil, 0, err
	}
	return v.Beta, v.Scale, nil
}

// EvaluateAt returns the criterion at known covariances relative to sigma^2, which is
// known, too.
func (m *Model) EvaluateAt(delta [][]float64) (*Value, error) {
	v := &Value{LogVar: math.Log(m.Sigma2)}
	plain := *m
	plain.Avoid = false
	if err := plain.top(v, m.Tree.reduce(delta, 0)); err != nil {
		return nil, err
	}
	return v, nil
}
