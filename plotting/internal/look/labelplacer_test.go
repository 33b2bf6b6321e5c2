package look

import (
	"testing"

	"gonum.org/v1/plot/vg"
)

// Labels keep off lines and off each other, where there is room.
func TestLabelPlacer(t *testing.T) {
	p := LabelPlacer{Bounds: vg.Rectangle{Max: vg.Point{X: 300, Y: 300}}}
	p.Avoid(vg.Point{X: 0, Y: 150}, vg.Point{X: 300, Y: 150})
	for range 6 {
		p.Place(vg.Point{X: 150, Y: 150}, vg.Point{X: 1}, 30, 10)
	}
	for i, a := range p.taken {
		if a.Min.Y < 150 && a.Max.Y > 150 {
			t.Errorf("label %d lies on the line: %v", i, a)
		}
		for _, b := range p.taken[:i] {
			if a.Min.X < b.Max.X && b.Min.X < a.Max.X && a.Min.Y < b.Max.Y && b.Min.Y < a.Max.Y {
				t.Errorf("labels %v and %v overlap", a, b)
			}
		}
	}
}
