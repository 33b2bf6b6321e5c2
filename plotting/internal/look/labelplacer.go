package look

import (
	"math"

	"gonum.org/v1/plot/vg"
)

// LabelPlacer finds places where labels hide neither lines nor each other. Bounds is
// where they may be.
type LabelPlacer struct {
	Bounds    vg.Rectangle
	Obstacles []vg.Point     // points along the lines
	taken     []vg.Rectangle // labels placed so far
}

// Avoid makes a line something that labels keep off.
func (l *LabelPlacer) Avoid(line ...vg.Point) {
	const step = vg.Length(2)
	for i := 1; i < len(line); i++ {
		d := line[i].Sub(line[i-1])
		n := int(math.Hypot(float64(d.X), float64(d.Y))/float64(step)) + 1
		for k := 0; k <= n; k++ {
			l.Obstacles = append(l.Obstacles, line[i-1].Add(d.Scale(vg.Length(k)/vg.Length(n))))
		}
	}
}

// Place returns the lower left corner for a label of the given size near the
// point at, best in the direction toward (zero: any), and marks its place as
// taken. It tries sixteen directions at three distances and takes the one that
// hides least.
func (l *LabelPlacer) Place(at, toward vg.Point, width, height vg.Length) vg.Point {
	preferred := math.Atan2(float64(toward.Y), float64(toward.X))
	var best vg.Rectangle
	bestCost := math.Inf(1)
	for k := range 16 {
		turn := float64((k+1)/2) * math.Pi / 8
		if k%2 == 1 {
			turn = -turn
		}
		sin, cos := math.Sincos(preferred + turn)
		for _, gap := range [...]vg.Length{5, 10, 16} {
			// The center of the label lies so far out that its box clears
			// the point by the gap.
			center := at.Add(vg.Point{
				X: vg.Length(cos) * (gap + width/2),
				Y: vg.Length(sin) * (gap + height/2),
			})
			half := vg.Point{X: width / 2, Y: height / 2}
			box := vg.Rectangle{Min: center.Sub(half), Max: center.Add(half)}
			cost := l.cost(box) + math.Abs(turn) + 0.1*float64(gap)
			if cost < bestCost-1e-9 {
				best, bestCost = box, cost
			}
		}
	}
	l.taken = append(l.taken, best)
	return best.Min
}

// cost is how much a box hides.
func (l *LabelPlacer) cost(box vg.Rectangle) float64 {
	const clear = vg.Length(2)
	grown := vg.Rectangle{
		Min: box.Min.Sub(vg.Point{X: clear, Y: clear}),
		Max: box.Max.Add(vg.Point{X: clear, Y: clear}),
	}
	var cost float64
	for _, p := range l.Obstacles {
		if p.X > grown.Min.X && p.X < grown.Max.X && p.Y > grown.Min.Y && p.Y < grown.Max.Y {
			cost += 2
		}
	}
	for _, t := range l.taken {
		if t.Min.X < grown.Max.X && t.Max.X > grown.Min.X && t.Min.Y < grown.Max.Y && t.Max.Y > grown.Min.Y {
			cost += 100
		}
	}
	if box.Min.X < l.Bounds.Min.X || box.Max.X > l.Bounds.Max.X || box.Min.Y < l.Bounds.Min.Y || box.Max.Y > l.Bounds.Max.Y {
		cost += 50
	}
	return cost
}
