package plotting

import (
	"fmt"
	"slices"

	"github.com/regbook/regbook/plotting/internal/check"
	"gonum.org/v1/plot/vg"
)

// farthest is the largest distance from the page at which lines are drawn. Far
// beyond it the rasterizer counts pixels for minutes.
const farthest = vg.Length(1e6) // points

// bounded is a canvas that moves points beyond farthest back to it. It panics if
// a point is not finite.
type bounded struct{ vg.Canvas }

// Stroke implements vg.Canvas.
func (b bounded) Stroke(p vg.Path) { b.Canvas.Stroke(onPage(p)) }

// Fill implements vg.Canvas.
func (b bounded) Fill(p vg.Path) { b.Canvas.Fill(onPage(p)) }

// onPage returns the path with its points within farthest: p itself if they are.
func onPage(p vg.Path) vg.Path {
	if !slices.ContainsFunc(p, func(c vg.PathComp) bool { return beyond(c.Pos) || slices.ContainsFunc(c.Control, beyond) }) {
		return p
	}
	p = slices.Clone(p)
	for i := range p {
		p[i].Pos = nearer(p[i].Pos)
		p[i].Control = slices.Clone(p[i].Control)
		for k := range p[i].Control {
			p[i].Control[k] = nearer(p[i].Control[k])
		}
	}
	return p
}

// beyond reports whether a point is farther out than farthest, or NaN.
func beyond(p vg.Point) bool {
	return !(max(p.X, -p.X) <= farthest && max(p.Y, -p.Y) <= farthest)
}

func nearer(p vg.Point) vg.Point {
	if !check.IsFinite(float64(p.X)) || !check.IsFinite(float64(p.Y)) {
		panic(fmt.Sprintf("a point has no place on the page: (%v, %v); its values may be too large for float64", p.X, p.Y))
	}
	clamp := func(x vg.Length) vg.Length { return max(-farthest, min(farthest, x)) }
	return vg.Point{X: clamp(p.X), Y: clamp(p.Y)}
}
