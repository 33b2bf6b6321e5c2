package lecture

import (
	"bytes"
	"errors"
	"image/png"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"

	"github.com/regbook/regbook/mlreg"
)

// The three-point example: X = [[2 0] [2 2] [2 4]], y = (6, 0, 0).
var (
	exampleX1 = []float64{2, 2, 2}
	exampleX2 = []float64{0, 2, 4}
	exampleY  = []float64{6, 0, 0}
)

func TestProjectionExample(t *testing.T) {
	g := get(newGeometry(exampleX1, exampleX2, exampleY, exampleY))(t)
	for name, c := range map[string][2]float64{
		"yhat":     {g.yhat.norm(), math.Sqrt(30)}, // yhat = (5, 2, -1)
		"residual": {g.y.sub(g.yhat).norm(), math.Sqrt(6)},
		"y":        {g.y.norm(), 6},
		"x1'x2":    {g.x1.dot(g.x2), 12},
		"r'x1":     {g.y.sub(g.yhat).dot(g.x1), 0},
		"r'x2":     {g.y.sub(g.yhat).dot(g.x2), 0},
	} {
		if math.Abs(c[0]-c[1]) > 1e-12 {
			t.Errorf("%s = %v, want %v", name, c[0], c[1])
		}
	}
	f := get(Projection(exampleX1, exampleX2, exampleY, &ProjectionSettings{Others: []NamedVector{{"x₃", []float64{4, 0, -4}}}}))(t)
	if want := "‖y‖ = 6, ‖ŷ‖ = 5.477, ‖y − ŷ‖ = 2.449, ‖y − x₃‖ = 4.472"; !strings.HasSuffix(f.Alt, want) {
		t.Errorf("alt %q", f.Alt)
	}
}

// The turn into the picture keeps lengths and angles, in any dimension, and
// puts the residual upright on the plane.
func TestGeometryIsATurn(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for n := 3; n < 40; n += 4 {
		v := make([][]float64, 3)
		for k := range v {
			for range n {
				v[k] = append(v[k], r.NormFloat64())
			}
		}
		g := get(newGeometry(v[0], v[1], v[2], v[2]))(t)
		c := []vec{g.x1, g.x2, g.y}
		for i := range v {
			for j := range v {
				if math.Abs(c[i].dot(c[j])-floats.Dot(v[i], v[j])) > 1e-12*float64(n) {
					t.Errorf("n = %d: inner product %d, %d changed", n, i, j)
				}
			}
		}
		up := g.y.sub(g.yhat)
		if math.Abs(up[0]) > 1e-12 || math.Abs(up[1]) > 1e-12 || up[2] <= 0 || g.x1[2] != 0 && math.Abs(g.x1[2]) > 1e-12 {
			t.Errorf("n = %d: residual %v", n, up)
		}
	}
}

// The page is a plane: what the view keeps of space is an orthonormal pair.
func TestViewIsOrthographic(t *testing.T) {
	for _, v := range []View{{}, {30, 20}, {-75, 60}, {200, 90}} {
		var xx, yy, xy float64
		for k := range 3 {
			var e vec
			e[k] = 1
			x, y := v.project(e)
			xx, yy, xy = xx+x*x, yy+y*y, xy+x*y
		}
		if math.Abs(xx-1) > 1e-12 || math.Abs(yy-1) > 1e-12 || math.Abs(xy) > 1e-12 {
			t.Errorf("%+v: %v %v %v", v, xx, yy, xy)
		}
	}
	// From above, up on the page is away from the eye; from the side it is up.
	if _, y := (View{Elevation: 0}).project(vec{0, 0, 1}); y != 1 {
		t.Errorf("up is %v", y)
	}
	if x, _ := (View{}).project(vec{0, 1, 0}); x != 1 {
		t.Errorf("right is %v", x)
	}
}

func TestProjectionInThePlane(t *testing.T) {
	f := get(Projection(exampleX1, exampleX2, []float64{5, 2, -1}, nil))(t)
	if !strings.Contains(f.Alt, "‖y − ŷ‖ = 0") && !strings.Contains(f.Alt, "e-1") {
		t.Errorf("alt %q", f.Alt)
	}
	if _, err := f.PNG(); err != nil {
		t.Error(err)
	}
	if _, err := Projection(exampleX1, exampleX2, []float64{1, -2, 1}, nil); err != nil {
		t.Errorf("y at a right angle to the plane: %v", err)
	}
}

// With one Stage, pictures of several y from all sides have one plane and one scale, and the
// side of the first vector is up.
func TestProjectionStage(t *testing.T) {
	stage := [][]float64{{6, -3, 0}, {6, 9, 0}}
	var plane []vec
	var scale float64
	for y2 := -3.0; y2 <= 9; y2 += 3 {
		y := []float64{6, y2, 0}
		g := get(newGeometry(exampleX1, exampleX2, y, stage[0]))(t)
		// The residual of (6, y2, 0) is (1, -2, 1) (1 - y2/3).
		if want := math.Sqrt(6) * (1 - y2/3); math.Abs(g.y[2]-want) > 1e-12 {
			t.Errorf("y₂ = %v is at %v, want %v", y2, g.y[2], want)
		}
		g.stage = []vec{g.coords(stage[0]), g.coords(stage[1])}
		for azimuth := 0.0; azimuth < 360; azimuth += 30 {
			s := g.scene(View{Azimuth: azimuth, Elevation: 24}, nil, nil)
			var polygon []vec
			for _, sh := range s.shapes {
				if sh.fill != nil {
					polygon = sh.points
				}
			}
			c := draw.New(vgimg.New(400, 300))
			onPage := s.fit(c)
			unit := onPage(vec{0, 0, 1}).Y - onPage(vec{}).Y
			if plane == nil {
				plane, scale = polygon, float64(unit)
			}
			for k, p := range polygon {
				if p.sub(plane[k]).norm() > 1e-12 {
					t.Errorf("y₂ = %v: corner %v of the plane, at first %v", y2, p, plane[k])
				}
			}
			if math.Abs(float64(unit)-scale) > 1e-9 {
				t.Errorf("y₂ = %v, azimuth %v: scale %v, at first %v", y2, azimuth, unit, scale)
			}
			for _, sh := range s.shapes {
				for _, p := range sh.points {
					if at := onPage(p); at.X < 19 || at.X > 381 || at.Y < 19 || at.Y > 281 {
						t.Errorf("y₂ = %v, azimuth %v: %v is drawn at %v", y2, azimuth, p, at)
					}
				}
			}
		}
	}
	inPlane, err := Projection(exampleX1, exampleX2, []float64{6, 3, 0}, &ProjectionSettings{Stage: stage})
	if err != nil || !strings.HasSuffix(inPlane.Alt, "‖y − ŷ‖ = 0") {
		t.Errorf("in the plane: %v, %v", inPlane, err)
	}
	for says, v := range map[string][]float64{"vector 1 of Stage": {1, 2}, "row 2": {1, math.NaN(), 1}} {
		if _, err := Projection(exampleX1, exampleX2, exampleY, &ProjectionSettings{Stage: [][]float64{v}}); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v on the stage: %v", v, err)
		}
	}
}

// Spots are told where vectors end on the page: in proportion to their orthographic picture.
func TestProjectionSpots(t *testing.T) {
	view := View{Azimuth: 70, Elevation: 24}
	above := []float64{6, 1, 0}
	vectors := [][]float64{{0, 0, 0}, exampleX1, exampleX2, exampleY, above}
	spots := make([]vg.Point, len(vectors))
	f := get(Projection(exampleX1, exampleX2, exampleY, &ProjectionSettings{View: view, Spots: vectors, Spotted: func(k int, end vg.Point) { spots[k] = end }}))(t)
	b := get(f.PNG())(t)
	img := get(png.Decode(bytes.NewReader(b)))(t)
	// Three points before the end of y is its blue head, one and a half beyond there is none.
	along := spots[3].Sub(spots[0])
	along = along.Scale(1 / vg.Length(math.Hypot(along.X.Points(), along.Y.Points())))
	for points, want := range map[vg.Length]bool{-3: true, 1.5: false} {
		p := spots[3].Add(along.Scale(points))
		red, _, blue, _ := img.At(int(p.X.Dots(192)), img.Bounds().Dy()-int(p.Y.Dots(192))).RGBA()
		if got := blue > red+0x4000; got != want {
			t.Errorf("%g points from the end of y it is blue: %t", points, got)
		}
	}
	g := get(newGeometry(exampleX1, exampleX2, exampleY, exampleY))(t)
	unit := 0.0
	for k, v := range vectors[1:] {
		x, y := view.project(g.coords(v))
		d := spots[k+1].Sub(spots[0])
		if unit == 0 {
			unit = d.X.Points() / x
		}
		if !(unit > 1) || math.Abs(d.X.Points()-unit*x) > 1e-6 || math.Abs(d.Y.Points()-unit*y) > 1e-6 {
			t.Errorf("%v ends at %v from the origin, want %g times (%g, %g)", v, d, unit, x, y)
		}
	}
	if _, err := Projection(exampleX1, exampleX2, exampleY, &ProjectionSettings{Spots: [][]float64{{1, 2}}}); !errors.Is(err, mlreg.ErrShape) {
		t.Errorf("a spot of two numbers: %v", err)
	}
}

func TestProjectionErrors(t *testing.T) {
	ones := []float64{1, 1, 1, 1}
	for name, c := range map[string]struct {
		x1, x2, y []float64
		others    []NamedVector
		is        error
		says      string
	}{
		"lengths":  {exampleX1, exampleX2[:2], exampleY, nil, mlreg.ErrShape, "2 values of x2"},
		"empty":    {nil, nil, nil, nil, mlreg.ErrNoData, ""},
		"nan":      {exampleX1, exampleX2, []float64{1, math.NaN(), 2}, nil, mlreg.ErrNotFinite, "row 2"},
		"parallel": {exampleX1, exampleX1, exampleY, nil, mlreg.ErrRankDeficient, ""},
		"zero":     {make([]float64, 3), exampleX2, exampleY, nil, mlreg.ErrRankDeficient, ""},
		"outside":  {ones, []float64{0, 1, 2, 3}, []float64{1, 0, 0, 1}, []NamedVector{{"z", []float64{1, 0, 0, 0}}}, mlreg.ErrShape, `"z" is not in the space`},
	} {
		_, err := Projection(c.x1, c.x2, c.y, &ProjectionSettings{Others: c.others})
		if !errors.Is(err, c.is) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

func TestGoldenProjection(t *testing.T) {
	f := get(Projection([]float64{2, 2, 2}, []float64{0, 2, 4}, []float64{6, 0, 0},
		&ProjectionSettings{Others: []NamedVector{{"x₃", []float64{4, 0, -4}}}}))(t)
	checkImage(t, "projection", f)
}
