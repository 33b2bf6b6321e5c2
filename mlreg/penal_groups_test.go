package mlreg

import (
	"bytes"
	"encoding/gob"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

type groupFit struct {
	L1, L2, Loss, Objective float64
	Coef                    []float64
}

type groupReference struct {
	X                              [][]float64
	Y, Low, Weights                []float64
	Group                          []int
	Lasso, Net, Weighted, Logistic []groupFit
}

// groupedBirths are the births of testdata/grouplasso.R, and their groups.
func groupedBirths(t *testing.T) (*groupReference, *Design, []TermGroup) {
	t.Helper()
	ref := new(groupReference)
	readJSON(t, "grouplasso.json", ref)
	x := mat.NewDense(len(ref.X), len(ref.X[0]), nil)
	for i, row := range ref.X {
		x.SetRow(i, row)
	}
	d := get(NewDesign(x, ref.Y))(t)
	groups := make([]TermGroup, slices.Max(ref.Group))
	for j, g := range ref.Group {
		groups[g-1].Name = fmt.Sprint("g", g)
		groups[g-1].Terms = append(groups[g-1].Terms, d.Names[j])
	}
	return ref, d, groups
}

// An independent solver, see testdata/grouplasso.R: rows and sums, fits and paths.
func TestGroupLassoAgainstR(t *testing.T) {
	ref, d, groups := groupedBirths(t)
	weighted := d.Rows(seq(d.NObs())...)
	weighted.Weights = ref.Weights
	low := d.WithResponse("low", ref.Low)
	settings := &LassoSettings{Groups: groups, Gap: 1e-14}
	check := func(name string, want groupFit, coef []float64, loss, objective float64) {
		t.Helper()
		for j, b := range want.Coef {
			if math.Abs(coef[j]-b) > 1e-7 || (b == 0) != (coef[j] == 0) {
				t.Errorf("%s: coefficient %d is %.10f, want %.10f", name, j, coef[j], b)
			}
		}
		near(t, name+", loss", loss, want.Loss, 1e-7)
		near(t, name+", objective", objective, want.Objective, 1e-12)
	}
	for name, c := range map[string]struct {
		d    *Design
		fits []groupFit
	}{"lasso": {d, ref.Lasso}, "elastic net": {d, ref.Net}, "weighted": {weighted, ref.Weighted}} {
		for _, data := range []Data{c.d, get(c.d.Moments())(t)} {
			for _, want := range c.fits {
				f := get(FitElasticNet(data, want.L1, want.L2, settings))(t)
				check(fmt.Sprintf("%s of %T", name, data), want, f.Coef(), f.RSS(), f.Objective())
			}
		}
	}
	for _, want := range ref.Logistic {
		f := get(FitLogisticElasticNet(low, want.L1, want.L2, settings))(t)
		check("logistic", want, f.Coef(), -f.LogLik(), f.Objective())
	}
}

// Along a path each point is optimal by definition, its certificate is true, groups
// enter whole and from LambdaMax down; what else a path says counts groups.
func TestGroupPathIsCertified(t *testing.T) {
	sequential(t)
	ref, even, groups := groupedBirths(t)
	uneven := even.Rows(seq(even.NObs())...)
	for j := range even.NTerms() {
		for i := range even.NObs() {
			uneven.X.Set(i, j, even.X.At(i, j)*[]float64{1, 7, 0.02, 0.6}[j%4])
		}
	}
	for c := range 4 {
		d, share := []*Design{even, uneven}[c/2], []float64{1, 0.5}[c%2]
		loose := get(FitElasticNetPath(d, share, &PathSettings{Groups: groups}))(t)
		path := get(FitElasticNetPath(d, share, &PathSettings{Groups: groups, Gap: 1e-13}))(t)
		if terms, _ := path.Active(0); len(terms) > 0 {
			t.Errorf("active at lambda max: %v", terms)
		}
		if terms, _ := path.Active(1); len(terms) == 0 {
			t.Error("no group below lambda max")
		}
		for k, lambda := range path.Lambda() {
			f := path.Fit(k)
			r := get(f.Residuals(d))(t)
			worst, penalty := 0.0, 0.0
			for g := range groups {
				var u, b []float64
				for j, of := range ref.Group {
					if of == g+1 {
						slope := f.Slopes()[j]
						x := mat.Col(nil, j, d.X)
						u = append(u, 2*mat.Dot(mat.NewVecDense(len(x), x), mat.NewVecDense(len(r), r))-2*lambda*(1-share)*slope)
						b = append(b, slope)
					}
				}
				size, limit := mat.Norm(mat.NewVecDense(len(b), b), 2), lambda*share*math.Sqrt(float64(len(b)))
				if size == 0 {
					worst = math.Max(worst, mat.Norm(mat.NewVecDense(len(u), u), 2)-limit)
				}
				for i, v := range b {
					if size > 0 {
						worst = math.Max(worst, math.Abs(u[i]-limit*v/size))
					}
				}
				penalty += share*math.Sqrt(float64(len(b)))*size + (1-share)*size*size
			}
			if worst > 1e-5*path.LambdaMax() {
				t.Errorf("share %g, lambda %g: conditions violated by %g", share, lambda, worst)
			}
			near(t, "objective", f.Objective(), f.RSS()+lambda*penalty, 1e-12)
			if nu := get(path.Constraint(lambda))(t); math.Abs(nu-penalty) > 1e-9 {
				t.Errorf("constraint %g, want %g", nu, penalty)
			}
			off := (loose.Objective()[k] - f.Objective()) / path.NullRSS()
			if gap := loose.Gap()[k]; off > gap+1e-13 || gap > 1e-6 || path.Gap()[k] > 1e-13 {
				t.Errorf("off by %g, gap %g and %g", off, gap, path.Gap()[k])
			}
		}
		names, lambda := path.Order()
		if len(names) != len(groups) || !slices.IsSortedFunc(lambda, func(a, b float64) int { return int(math.Copysign(1, b-a)) }) {
			t.Errorf("order %v at %v", names, lambda)
		}
		if got := path.Groups(); len(got) != 4 || got[0].Name != "g1" || len(got[0].Terms) != 3 {
			t.Errorf("groups %v", got)
		}
		if title := path.Describe().Title; !strings.Contains(title, "roup") || !strings.Contains(path.Fit(9).String(), "Group ") {
			t.Errorf("a path of groups is called %q", title)
		}
		var back ElasticNetPath
		if err := gob.NewDecoder(bytes.NewReader(gobBytes(t, path))).Decode(&back); err != nil {
			t.Fatal(err)
		}
		if again, _ := back.Order(); !slices.Equal(again, names) {
			t.Errorf("after gob: order %v", again)
		}
	}
}

// Groups of one column are the lasso; orthonormal columns have a closed form; scaled,
// permuted and tiny columns, and raw units, agree.
func TestGroupLassoEquivalences(t *testing.T) {
	_, d, groups := groupedBirths(t)
	grid := []float64{60, 20, 5, 1}
	alone := get(FitLassoPath(d, &PathSettings{Lambda: grid, Gap: 1e-13}))(t)
	single := get(FitLassoPath(d, &PathSettings{Lambda: grid, Gap: 1e-13, Groups: []TermGroup{{Name: "a", Terms: []string{"x1"}}}}))(t)
	if !mat.EqualApprox(alone.Slopes(), single.Slopes(), 1e-8) {
		t.Error("a group of one column is not that column")
	}
	near(t, "lambda max", single.LambdaMax(), alone.LambdaMax(), 1e-12)

	q := get(FitLassoPath(d, &PathSettings{Lambda: grid, Gap: 1e-13, Groups: groups}))(t)
	m := get(FitLassoPath(get(d.Moments())(t), &PathSettings{Lambda: grid, Gap: 1e-13, Groups: groups}))(t)
	if !mat.EqualApprox(q.Slopes(), m.Slopes(), 1e-8) {
		t.Error("sums differ from rows")
	}
	nearAll(t, "degrees of freedom of sums", m.DoF(), q.DoF(), 1e-6)

	// Two orthonormal columns: b = (1 - lambda sqrt(2)/(2|X'y|))_+ X'y.
	x := mat.NewDense(4, 2, []float64{.5, .5, -.5, .5, .5, -.5, -.5, -.5})
	o := get(NewDesign(x, []float64{3, 1, 2, -2}))(t)
	f := get(FitLasso(o, 1.5, &LassoSettings{Gap: 1e-14, Groups: []TermGroup{{Name: "g", Terms: []string{"x1", "x2"}}}}))(t)
	xy := []float64{3, 2}
	shrink := 1 - 1.5*math.Sqrt2/2/math.Hypot(3, 2)
	nearAll(t, "closed form", f.Slopes(), []float64{xy[0] * shrink, xy[1] * shrink}, 1e-9)

	// The penalty is of slopes in the design's units, whatever those are.
	scaled := d.Rows(seq(d.NObs())...)
	for i := range d.NObs() {
		scaled.X.Set(i, 3, d.X.At(i, 3)*1e5)
	}
	a := get(FitLasso(scaled, 5, &LassoSettings{Gap: 1e-12, Groups: groups}))(t)
	if b := a.Slopes()[3]; !(math.Abs(b) < 1e-4) || b == 0 {
		t.Errorf("slope %g of a column of large numbers", b)
	}
	raw := get(d.Standardize(nil))(t)
	path := get(FitLassoPath(raw, &PathSettings{Lambda: grid, Groups: groups}))(t)
	if p, z := get(path.Predict(d))(t), get(get(path.Raw())(t).Predict(d))(t); !mat.EqualApprox(p, z, 1e-12) {
		t.Error("raw units change predictions")
	}
}

// Every fold standardizes its own rows, and rows in their order or shuffled, wide or
// tall, lead to the same.
func TestGroupLassoCV(t *testing.T) {
	ref, d, groups := groupedBirths(t)
	folds := get(KFold(d.NObs(), 5, rand.NewPCG(1, 2)))(t)
	settings := &PathSettings{Lambda: []float64{60, 20, 5}, Groups: groups, Gap: 1e-13}
	standardize := &CVSettings{Standardize: &StandardizeSettings{}}
	byHand := func(d *Design) *CV {
		return get(CrossValidate(d, folds, func(train *Design) ([]*Lasso, error) {
			own := *settings
			own.Lambda = nil
			for _, l := range settings.Lambda {
				own.Lambda = append(own.Lambda, l*float64(train.NObs())/float64(d.NObs()))
			}
			path, err := FitLassoPath(train, &own)
			if err != nil {
				return nil, err
			}
			return []*Lasso{path.Fit(0), path.Fit(1), path.Fit(2)}, nil
		}, standardize))(t)
	}
	cv := get(FitLassoCV(d, folds, settings, standardize))(t)
	nearAll(t, "mean squared error", cv.Mean(), byHand(d).Mean(), 1e-8)
	if len(cv.Path.Groups()) == 0 {
		t.Error("the path of a cross-validation has no groups")
	}
	// With more columns than rows, folds share the columns.
	few := d.Rows(seq(12)...)
	folds = get(KFold(12, 3, rand.NewPCG(1, 2)))(t)
	cv = get(FitLassoCV(few, folds, settings, standardize))(t)
	nearAll(t, "few rows", cv.Mean(), byHand(few).Mean(), 1e-7)
	low := d.WithResponse("low", ref.Low)
	logistic := get(FitLogisticCV(low, 1, get(StratifiedKFold(low.Y, 4, rand.NewPCG(1, 2)))(t), &PathSettings{Count: 10, Groups: groups}, nil))(t)
	if len(logistic.Path.Groups()) != 4 {
		t.Error("a logistic path has no groups")
	}
}

func TestGroupsBadInput(t *testing.T) {
	_, d, groups := groupedBirths(t)
	for what, c := range map[string]struct {
		s     LassoSettings
		names string
	}{
		"no such term": {LassoSettings{Groups: []TermGroup{{Name: "g", Terms: []string{"x1", "z"}}}}, `"z"`},
		"two groups":   {LassoSettings{Groups: []TermGroup{{Name: "g", Terms: []string{"x1"}}, {Name: "h", Terms: []string{"x1"}}}}, `"h"`},
		"a part":       {LassoSettings{Groups: groups, AlwaysIn: []string{"x2"}}, `group "g1"`},
		"signs":        {LassoSettings{Groups: groups, NonNegative: []string{"x2"}}, `"x2"`},
		"signs of two": {LassoSettings{Groups: []TermGroup{{Name: "g", Terms: []string{"x1", "x2"}}}, NonNegative: []string{"x2"}}, `"x2"`},
	} {
		wantError(t, what, errorOf(FitLasso(d, 1, &c.s)), ErrSetting, c.names)
	}
	whole := get(FitLassoPath(d, &PathSettings{Groups: groups, AlwaysIn: []string{"x1", "x2", "x3"}, NonNegative: []string{"x9"}, Gap: 1e-10}))(t)
	if terms, _ := whole.Active(0); !slices.Equal(terms, []int{0, 1, 2}) {
		t.Errorf("always in: %v", terms)
	}
	if b := whole.Fit(99).Slopes()[8]; b != 0 {
		t.Errorf("a slope of smoking that is not negative is %g", b)
	}
	d.Classes = []string{"a", "b", "c"}
	for i := range d.Y {
		d.Y[i] = float64(i % 3)
	}
	wantError(t, "classes", errorOf(FitMultinomialPath(d, 1, &PathSettings{Groups: groups})), ErrSetting, "Groups")
}

// With hardly any penalty, groups of terms of a model with an offset have the slopes of
// FitGLM: the offset counts.
func TestGroupsWithOffset(t *testing.T) {
	d := wideDesign(t, 1, 60, 5)
	d.Offset = make([]float64, len(d.Y))
	for i := range d.Offset {
		d.Offset[i] = 0.5 * float64(i%7)
	}
	want := get(FitGLM(d, Poisson, nil))(t).Slopes()
	path := get(FitGLMPath(d, Poisson, 1, &PathSettings{
		Lambda: []float64{2e-6, 1e-6}, Gap: 1e-12, Groups: []TermGroup{{Name: "pair", Terms: d.Names[:2]}},
	}))(t)
	for j, b := range path.Fit(1).Slopes() {
		if math.Abs(b-want[j]) > 1e-5 {
			t.Errorf("the slope of %s is %.8g, want %.8g", d.Names[j], b, want[j])
		}
	}
}

// A term enters where its slope is first not zero, whatever it is then.
func TestOrderOfSlopes(t *testing.T) {
	var p ElasticNetPath
	p.s.L.Names = []string{"a", "b", "c"}
	p.s.Points = []*pathPoint{{Lambda: 2, Terms: []int{0, 1}, Slopes: []float64{0, 1}}, {Lambda: 1, Terms: []int{0, 1}, Slopes: []float64{-1, 1}}}
	names, lambda := p.Order()
	if !slices.Equal(names, []string{"b", "a"}) || !slices.Equal(lambda, []float64{2, 1}) {
		t.Errorf("%v at %v", names, lambda)
	}
}
