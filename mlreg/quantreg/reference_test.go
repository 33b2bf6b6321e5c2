package quantreg

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/dist"
	"github.com/regbook/regbook/internal/expect"
	"github.com/regbook/regbook/internal/fatal"
	"github.com/regbook/regbook/internal/rows"
	"github.com/regbook/regbook/mlreg"
)

// noiseReference is what mlreg/testdata/noise.R writes.
type noiseReference struct {
	Quantiles []struct {
		Set                         string
		Tau, Rho, LogLik, AIC, Null float64
		Coef, NID, IID, Ker         []float64
		RankIID                     [][2]float64 `json:"rank_iid"`
		RankNID                     [][2]float64 `json:"rank_nid"`
		RankIIDSteps                [][2]float64 `json:"rank_iid_steps"`
		RankNIDSteps                [][2]float64 `json:"rank_nid_steps"`
	}
	Ranks []struct {
		X             [][]float64
		Y, Coef, IID  []float64
		Tau           float64
		Limits, Steps [][2]float64
	}
	Slopes, Slopes3, Rank, Wald []float64
	Process                     struct {
		Tau  []float64
		Coef [][]float64
	}
}

func readNoise(t *testing.T) (*noiseReference, map[string]*mlreg.Design) {
	t.Helper()
	ref := new(noiseReference)
	sets := rows.Noise(t, ref)
	if len(ref.Quantiles) != 16 {
		t.Fatalf("%d quantiles", len(ref.Quantiles))
	}
	return ref, sets
}

// Against rq by method "br", its summaries and its log-likelihood. Stack loss at tau = 0.1,
// 0.25 and 0.8 has ties, whose fits are one of many.
func TestQuantileAgainstR(t *testing.T) {
	ref, sets := readNoise(t)
	for _, r := range ref.Quantiles {
		d := sets[r.Set]
		name := fmt.Sprintf("%s at %v", r.Set, r.Tau)
		f := fatal.On(Fit(d, r.Tau, nil))(t)
		var logW float64
		for _, w := range d.Weights {
			logW += math.Log(w)
		}
		expect.Agrees(t, name+": loss, null loss", []float64{f.Loss(), f.NullLoss()}, []float64{r.Rho, r.Null}, 1e-11)
		expect.Agrees(t, name+": log-likelihood, mlreg.AIC less its parameter for the scale", []float64{f.LogLik() - logW, mlreg.AIC(f) - 2 + 2*logW}, []float64{r.LogLik, r.AIC}, 1e-10)
		if f.Gap() > 1e-13 {
			t.Errorf("%s: gap %g", name, f.Gap())
		}
		if !f.Unique() {
			for j, limits := range f.Range() {
				if b := r.Coef[j]; b < limits.Lower-1e-9*math.Abs(b) || b > limits.Upper+1e-9*math.Abs(b) {
					t.Errorf("%s: R's coefficient %v of %s is not between %v and %v", name, b, limits.Term, limits.Lower, limits.Upper)
				}
			}
			continue
		}
		expect.Agrees(t, name+": coefficients", f.Coef(), r.Coef, 1e-9)
		if r.Set == "stack" {
			continue // ties: fits at tau -+ h are some of many, and R's may be others
		}
		for _, kind := range []struct {
			s    Sparsity
			want []float64
		}{{HendricksKoenker, r.NID}, {SameDensity, r.IID}, {PowellKernel, r.Ker}} {
			i := fatal.On(f.Inference(d, kind.s))(t)
			if kind.s == SameDensity && !oneSparsity(t, f, d, i, kind.want) {
				continue
			}
			expect.Agrees(t, name+": standard errors, "+kind.s.String(), i.StdErr(), kind.want, 1e-6) // R's densities have an epsilon of 1e-8
		}
		for _, unequal := range []bool{false, true} {
			want, steps := r.RankIID, r.RankIIDSteps
			if unequal {
				want, steps = r.RankNID, r.RankNIDSteps
			}
			inside := fatal.On(f.RankLimits(d, 0.9, &RankLimitsSettings{Unequal: unequal}))(t)
			exact := fatal.On(f.RankLimits(d, 0.9, &RankLimitsSettings{Unequal: unequal, Steps: true}))(t)
			for j := range exact {
				got := [][2]float64{{exact[j].Lower, inside[j].Lower}, {exact[j].Upper, inside[j].Upper}}
				for end := range got {
					if !isLimit(got[end][0], steps[j][end], 1e-8) {
						// R stops at another step: the statistic must pass its critical value at ours.
						if !crossesAt(t, d, f, j, got[end][0], unequal) || crossesAt(t, d, f, j, steps[j][end], unequal) {
							t.Errorf("%s, unequal %v: limit %d of coefficient %d is at step %v, and R's at %v", name, unequal, end, j, got[end][0], steps[j][end])
						}
						continue
					}
					if !isLimit(got[end][1], want[j][end], 1e-8) {
						t.Errorf("%s, unequal %v: limit %d of coefficient %d is %v, and R's %v", name, unequal, end, j, got[end][1], want[j][end])
					}
				}
			}
		}
	}
}

// oneSparsity tells whether the line of the sparsity is unique; otherwise R's standard errors
// must be those of one of its slopes, and ours of the middle.
func oneSparsity(t *testing.T, f *Quantile, d *mlreg.Design, i *Inference, se []float64) bool {
	t.Helper()
	q := fatal.On(f.again(d))(t)
	slopes := fatal.On(sparsities(fatal.On(q.residuals(f))(t), f.Tau(), len(f.Coef())))(t)
	if slopes.Upper-slopes.Lower <= 1e-9*slopes.Upper {
		return true
	}
	middle := (slopes.Lower + slopes.Upper) / 2
	for j, v := range i.StdErr() {
		if s := middle * se[j] / v; s < slopes.Lower*(1-1e-7) || s > slopes.Upper*(1+1e-7) {
			t.Errorf("tau %v: R's standard error %v of coefficient %d is of the slope %v, and slopes are from %v to %v", f.Tau(), se[j], j, s, slopes.Lower, slopes.Upper)
		}
	}
	return false
}

// Small designs with few values, ties, and n tau a whole number. R's standard errors are
// those of a fit that is unique, up to the slope of its line; and where its limits are not
// ours, they are interpolated from a vertex nearer to the fit, or the test statistic does not
// pass its critical value there, or rows are tied. Ours are mirrored if the response is.
func TestRankLimitsOfManyVertices(t *testing.T) {
	ref, _ := readNoise(t)
	var same, nearer, wrong, ties int
	for k, r := range ref.Ranks {
		x := mat.NewDense(len(r.Y), len(r.X[0]), nil)
		for i, row := range r.X {
			x.SetRow(i, row)
		}
		d := fatal.On(mlreg.NewDesign(x, r.Y))(t)
		f := fatal.On(Fit(d, r.Tau, nil))(t)
		if f.Unique() {
			if i := fatal.On(f.Inference(d, SameDensity))(t); oneSparsity(t, f, d, i, r.IID) {
				expect.Agrees(t, fmt.Sprintf("case %d: standard errors", k), i.StdErr(), r.IID, 1e-6)
			}
		}
		inside := fatal.On(f.RankLimits(d, 0.9, nil))(t)
		exact := fatal.On(f.RankLimits(d, 0.9, &RankLimitsSettings{Steps: true}))(t)
		flipped := *d
		flipped.Y = slices.Clone(r.Y)
		for i := range flipped.Y {
			flipped.Y[i] *= -1
		}
		mirrored := fatal.On(fatal.On(Fit(&flipped, 1-r.Tau, nil))(t).RankLimits(&flipped, 0.9, nil))(t)
		for j := range exact {
			for _, pair := range [][2]float64{{-mirrored[j].Upper, inside[j].Lower}, {-mirrored[j].Lower, inside[j].Upper}} {
				if pair[0] != pair[1] && !isLimit(pair[0], pair[1], 1e-9) {
					t.Errorf("case %d: limit %v of coefficient %d, and %v for -y", k, pair[1], j, pair[0])
				}
			}
			steps, limits := []float64{exact[j].Lower, exact[j].Upper}, []float64{inside[j].Lower, inside[j].Upper}
			for end := range steps {
				side := float64(2*end - 1) // limits go outward
				if math.IsInf(steps[end], 0) != math.IsInf(limits[end], 0) {
					t.Errorf("case %d: limit %v at step %v", k, limits[end], steps[end])
				}
				if !math.IsInf(steps[end], 0) && !crossesAt(t, d, f, j, steps[end], false) {
					t.Errorf("case %d: the statistic of coefficient %d does not pass its critical value at %v", k, j, steps[end])
				}
				switch {
				case isLimit(limits[end], r.Limits[j][end], 1e-7):
					same++
				case !isLimit(steps[end], r.Steps[j][end], 1e-7):
					if !math.IsInf(steps[end], 0) && crossesAt(t, d, f, j, r.Steps[j][end], false) {
						t.Errorf("case %d: coefficient %d has the steps %v and R's %v", k, j, steps[end], r.Steps[j][end])
					}
					wrong++
				case k < 6 && side*(limits[end]-r.Limits[j][end]) < 0:
					ties++ // stack loss: R's limit changes if the other terms are shifted
				default:
					if side*(limits[end]-r.Limits[j][end]) < 0 {
						t.Errorf("case %d: limit %d of coefficient %d is %v, nearer to the fit than R's %v", k, end, j, limits[end], r.Limits[j][end])
					}
					nearer++
				}
			}
		}
	}
	if same < 182 || nearer < 10 || wrong > 7 || ties > 3 {
		t.Errorf("R has %d of the limits, %d from a vertex nearer to the fit, %d at another step, %d of ties", same, nearer, wrong, ties)
	}
}

// The lower limit of Air.Flow in stack loss, which has ties: R interpolates from a value of the
// coefficient where no vertex is the best, and gives ours once another term is shifted.
func TestRankLimitThatRShifts(t *testing.T) {
	var r struct {
		Limit, Shifted  float64
		Steps, Vertices []float64
	}
	expect.JSON(t, "testdata/ranks.json", &r)
	_, sets := readNoise(t)
	d := sets["stack"]
	f := fatal.On(FitLAD(d, nil))(t)
	inside, step := fatal.On(f.RankLimits(d, 0.9, nil))(t)[1].Lower, fatal.On(f.RankLimits(d, 0.9, &RankLimitsSettings{Steps: true}))(t)[1].Lower
	expect.Near(t, "limit, and R's of shifted terms", inside, r.Shifted, 1e-8)
	expect.Near(t, "step, and R's", step, r.Steps[0], 1e-8)
	expect.Near(t, "step, and the vertex enumerated", step, r.Vertices[0], 1e-8)
	share := (inside - r.Vertices[1]) / (step - r.Vertices[1]) // of the way between two vertices
	expect.Near(t, "R's limit by its rule", r.Steps[1]+share*(step-r.Steps[1]), r.Limit, 1e-8)
	if r.Steps[1] > r.Vertices[1]-0.01 || inside < r.Vertices[0] || inside > r.Vertices[1] {
		t.Errorf("the limit %v is between the vertices %v; R's step %v", inside, r.Vertices[:2], r.Steps[1])
	}
}

func isLimit(got, want, tol float64) bool {
	return math.Abs(want) >= 1e299 && math.IsInf(got, int(want/1e299)) || math.Abs(got-want) <= tol*(1e-3+math.Abs(want))
}

// crossesAt tells whether the statistic of the rank-score test passes its critical value at
// c: whether the derivative of the least loss with coefficient j held at c does, by
// differences of the losses of fits with an offset.
func crossesAt(t *testing.T, d *mlreg.Design, f *Quantile, j int, c float64, unequal bool) bool {
	t.Helper()
	q := fatal.On(f.again(d))(t)
	spread := fatal.On(q.rankSpreads(f.Tau(), unequal))(t)[j]
	critical := dist.TQuantile(0.1, f.DoFResidual()) * math.Sqrt(f.Tau()*(1-f.Tau())) * spread
	// The spread is in units of the response's power of two over the coefficient's, which l'b has.
	loss := func(c float64) float64 {
		held := *d
		held.Offset = make([]float64, d.NObs())
		names := slices.Clone(d.Names)
		for i := range held.Offset {
			if held.Offset[i] = c; j > 0 {
				held.Offset[i] = c * d.X.At(i, j-1)
			}
		}
		if j == 0 {
			held.NoIntercept = true
		} else {
			names = slices.Delete(names, j-1, j)
		}
		return fatal.On(Fit(fatal.On(held.Select(names...))(t), f.Tau(), nil))(t).Loss()
	}
	h := 1e-6 * (1e-3 + math.Abs(c))
	critical *= q.YUnit.Float() // of the loss; of l'b it is one
	left, right := math.Abs(loss(c)-loss(c-h))/h, math.Abs(loss(c+h)-loss(c))/h
	return min(left, right) <= critical*(1+1e-6) && max(left, right) >= critical*(1-1e-6)
}

// Against anova of rq fits, and rq with tau = -1.
func TestQuantilesAgainstR(t *testing.T) {
	ref, sets := readNoise(t)
	engel, made := sets["engel"], sets["made"]
	for _, c := range []struct {
		d    *mlreg.Design
		taus []float64
		want []float64
	}{{engel, []float64{0.75, 0.25, 0.5}, ref.Slopes}, {made, []float64{0.3, 0.5, 0.7}, ref.Slopes3}} {
		f := fatal.On(fatal.On(FitQuantiles(c.d, c.taus, nil))(t).EqualSlopes(c.d))(t)
		expect.Agrees(t, "equal slopes", []float64{f.DF1, f.DF2, f.Stat, f.P}, c.want, 1e-6)
	}
	small := fatal.On(FitLAD(fatal.On(made.Select("a"))(t), nil))(t)
	rank := fatal.On(small.RankTest(made))(t)
	expect.Agrees(t, "rank test", []float64{rank.DF, rank.Stat / rank.DF}, []float64{ref.Rank[0], ref.Rank[2]}, 1e-8)
	expect.Agrees(t, "its probability by F", []float64{dist.FUpper(rank.Stat/rank.DF, rank.DF, float64(made.NObs()-4))}, ref.Rank[3:], 1e-8)
	large := fatal.On(fatal.On(FitLAD(made, nil))(t).Inference(made, HendricksKoenker))(t)
	wald := fatal.On(mlreg.WaldTest(large, mat.NewDense(2, 4, []float64{0, 0, 1, 0, 0, 0, 0, 1}), nil))(t)
	expect.Agrees(t, "Wald test", []float64{wald.DF1, wald.DF2, wald.Stat}, ref.Wald[:3], 1e-6)

	process := fatal.On(FitProcess(made, nil))(t)
	from, _ := process.Pieces()
	if len(from) != len(ref.Process.Tau)-1 && len(from) != len(ref.Process.Tau) {
		t.Errorf("%d pieces, and R has %d probabilities", len(from), len(ref.Process.Tau))
	}
	for k, tau := range ref.Process.Tau[1 : len(ref.Process.Tau)-1] {
		f := fatal.On(process.At(tau + 1e-7))(t)
		expect.Agrees(t, fmt.Sprintf("process from %v", tau), f.Coef(), ref.Process.Coef[k+1], 1e-6)
	}
}

// Quantile regressions of statsmodels, which reweights until its coefficients rest, have
// at most our loss up to what is left of that.
func TestQuantileAgainstStatsmodels(t *testing.T) {
	var want struct {
		Quantile []struct {
			Tau, Loss, Null, R1 float64
			Coef                []float64
		}
	}
	expect.JSON(t, "../testdata/noise_statsmodels.json", &want)
	d := rows.CSV(t, "../testdata/glm.csv", "g", "x1", "x2", "b")
	for _, r := range want.Quantile {
		f := fatal.On(Fit(d, r.Tau, nil))(t)
		for j, l := range f.Range() { // of all fits with the least loss
			if b := r.Coef[j]; b < l.Lower-1e-4*math.Abs(b) || b > l.Upper+1e-4*math.Abs(b) {
				t.Errorf("tau = %v: %s is %v, and not from %v to %v", r.Tau, l.Term, b, l.Lower, l.Upper)
			}
		}
		expect.Near(t, "loss", f.Loss(), r.Loss, 1e-6)
		expect.Near(t, "null loss", f.NullLoss(), r.Null, 1e-6)
		expect.Near(t, "R1", f.R1(), r.R1, 1e-5)
		if f.Loss() > r.Loss*(1+1e-12) || f.NullLoss() > r.Null*(1+1e-12) {
			t.Errorf("tau = %v: loss %v, and statsmodels' %v", r.Tau, f.Loss(), r.Loss)
		}
	}
}

// glmRows are those of mlreg/testdata/glm.csv: g on x1, x2 and b.
