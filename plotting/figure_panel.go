package plotting

import (
	"image"
	"image/color"
	"math"
	"slices"
	"strings"

	"github.com/regbook/regbook/plotting/internal/look"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// panel is a plot that is about to be drawn: a copy, whose ticks and legend are
// fitted to the place it gets. The user's plot stays as it is.
type panel struct {
	plot   plot.Plot
	legend plot.Legend // drawn by the panel
	auto   bool        // whether the legend's place is ours to choose
	right  bool        // whether it was put on the right side, where gonum/plot mirrors it and we do not
	equal  bool        // whether a unit has the same length on both axes
	place  place
}

func newPanel(p *plot.Plot) *panel {
	q := &panel{plot: *p, legend: p.Legend}
	l := p.Legend
	q.auto = !l.Top && !l.Left && l.XOffs == 0 && l.YOffs == 0
	q.right = !q.auto && !l.Left
	if q.auto || q.right {
		q.plot.Legend = plot.NewLegend()
	}
	for _, axis := range []*plot.Axis{&q.plot.X, &q.plot.Y} {
		if _, linear := axis.Scale.(plot.LinearScale); !linear {
			axis.Label.TextStyle.Handler = look.Unmeasured{Handler: axis.Label.TextStyle.Handler}
		}
	}
	return q
}

// prepare fits the panel to a canvas about as large as the one it will get.
func (q *panel) prepare(c draw.Canvas) {
	size := c.Size()
	q.breakNames(c)
	if q.equal {
		q.equalise(c)
	}
	x := q.plot.X
	if _, shared := x.Tick.Marker.(unlabeled); shared {
		x.Tick.Label.Font.Size = look.TickSize // that of the panel with the labels
	}
	across := func(t targeted) plot.Ticker { return fit(t, x, size.X-vg.Points(60)) }
	upward := func(t targeted) plot.Ticker {
		intervals := int((size.Y - vg.Points(45)) / vg.Points(29))
		return t.aim(max(2, min(8, intervals)))
	}
	q.plot.X.Tick.Marker = aimed(q.plot.X.Tick.Marker, across)
	q.plot.Y.Tick.Marker = aimed(q.plot.Y.Tick.Marker, upward)
	if w, h := q.legendSize(); q.auto && w > 0 {
		q.place = q.emptiest(size, w, h)
		switch q.place {
		case outside:
			q.plot.Add(rightMargin(w + 2*legendInset))
		case above:
			q.plot.Add(topMargin(h + legendInset))
		}
	}
}

// breakNames breaks names that are longer than their axes in two lines.
func (q *panel) breakNames(c draw.Canvas) {
	if !strings.Contains(q.plot.X.Label.Text, " ") && !strings.Contains(q.plot.Y.Label.Text, " ") {
		return // there is no place to break at
	}
	bare := q.plot
	data := bare.DataCanvas(c).Size()
	for axis, length := range map[*plot.Axis]vg.Length{&q.plot.X: data.X, &q.plot.Y: data.Y} {
		style := axis.Label.TextStyle
		if u, ok := style.Handler.(look.Unmeasured); ok {
			style.Handler = u.Handler
		}
		if name := axis.Label.Text; style.Width(name) > length && !strings.Contains(name, "\n") {
			axis.Label.Text = brokenInTwo(name)
		}
	}
}

// brokenInTwo puts a line break in the place of the space nearest to the middle.
func brokenInTwo(s string) string {
	best := -1
	for i, r := range s {
		if r == ' ' && (best < 0 || math.Abs(float64(2*i-len(s))) < math.Abs(float64(2*best-len(s)))) {
			best = i
		}
	}
	if best < 0 {
		return s
	}
	return s[:best] + "\n" + s[best+1:]
}

// equalise widens the range of an axis until a unit has the same length on both.
// Wider ranges may have wider tick labels, hence the repetition.
func (q *panel) equalise(c draw.Canvas) {
	for range 4 {
		bare := q.plot
		size := bare.DataCanvas(c).Size()
		x, y := q.plot.X.Max-q.plot.X.Min, q.plot.Y.Max-q.plot.Y.Min
		if !(size.X > 0 && size.Y > 0 && x > 0 && y > 0) {
			return
		}
		unit := math.Max(x/float64(size.X), y/float64(size.Y))
		for _, a := range []struct {
			axis *plot.Axis
			more float64
		}{{&q.plot.X, unit*float64(size.X) - x}, {&q.plot.Y, unit*float64(size.Y) - y}} {
			a.axis.Min -= a.more / 2
			a.axis.Max += a.more / 2
		}
	}
}

// targeted is a ticker whose number of marks the panel may choose.
type targeted interface {
	plot.Ticker
	aim(target int) plot.Ticker // about so many marks
	free() bool                 // no number was asked for
}

// aimed returns the ticker with the number of marks that choose gives it, if it is
// open to that.
func aimed(t plot.Ticker, choose func(targeted) plot.Ticker) plot.Ticker {
	switch t := t.(type) {
	case targeted:
		if t.free() {
			return choose(t)
		}
	case unlabeled:
		return unlabeled{aimed(t.Ticker, choose)}
	}
	return t
}

// unlabeled are marks without their labels, of an axis that shares those of another
// panel. Their labels are spaces, since marks without a label have no grid line.
type unlabeled struct{ plot.Ticker }

// Ticks implements plot.Ticker.
func (t unlabeled) Ticks(min, max float64) []plot.Tick {
	marks := slices.Clone(t.Ticker.Ticks(min, max))
	for i := range marks {
		if marks[i].Label != "" {
			marks[i].Label = " "
		}
	}
	return marks
}

// fit returns the closest ticks whose labels stand clear of each other on an axis
// of the given length.
func fit(t targeted, axis plot.Axis, length vg.Length) plot.Ticker {
	for target := 8; ; target-- {
		aimed := t.aim(target)
		marks := aimed.Ticks(axis.Min, axis.Max)
		var widest vg.Length
		for _, m := range marks {
			widest = max(widest, axis.Tick.Label.Width(m.Label))
		}
		if target <= 2 || vg.Length(len(marks))*(widest+vg.Points(16)) <= length {
			return aimed
		}
	}
}

// draw draws the panel, its title and its legend.
func (q *panel) draw(c draw.Canvas) {
	if q.equal {
		q.equalise(c)
	}
	bare, title := q.plot, q.plot.Title
	bare.Title.Text = ""
	if title.Text != "" {
		c.Max.Y -= title.TextStyle.Height(title.Text) + title.Padding
	}
	data := bare.DataCanvas(c).Rectangle
	w, h := q.legendSize()
	if title.Text != "" {
		// Above the data and not at the edge of the canvas, so that the
		// titles of a row of panels stand in line.
		top := data.Max.Y + title.Padding + title.TextStyle.Height(title.Text)
		if q.auto && w > 0 && q.place == above {
			top += h + legendInset
		}
		c.FillText(title.TextStyle, vg.Point{X: (data.Max.X-data.Min.X)/2 + data.Min.X, Y: top}, title.Text)
	}
	bare.BackgroundColor = nil
	bare.Draw(c)
	if w == 0 || !q.auto && !q.right {
		return
	}
	box := q.place.box(data, w, h)
	if q.right {
		box = q.cornered(data, w, h)
	}
	ground := grown(box)
	fillBox(c, Fade(color.White, 0.85), ground.Min.X, ground.Min.Y, ground.Max.X, ground.Max.Y)
	legend := q.legend
	legend.Left, legend.Top, legend.XOffs, legend.YOffs = true, true, 0, 0
	legend.Draw(draw.Canvas{Canvas: c.Canvas, Rectangle: box})
}

// cornered returns the rectangle of a legend of size w x h that was put in a corner on the right of the data
// rectangle d, with its offsets.
func (q *panel) cornered(d vg.Rectangle, w, h vg.Length) vg.Rectangle {
	min := vg.Point{X: d.Max.X - w + q.legend.XOffs, Y: d.Min.Y + q.legend.YOffs}
	if q.legend.Top {
		min.Y = d.Max.Y - h + q.legend.YOffs
	}
	return vg.Rectangle{Min: min, Max: min.Add(vg.Point{X: w, Y: h})}
}

// look.LegendSize returns the size of the legend's box, zero if it has no entries.
func (q *panel) legendSize() (w, h vg.Length) {
	size := q.legend.Rectangle(draw.Canvas{}).Size()
	if size.X == 0 {
		return 0, 0
	}
	return size.X, size.Y + q.legend.TextStyle.FontExtents().Descent
}

// place is where a legend goes.
type place int

const (
	topRight place = iota
	topLeft
	bottomRight
	bottomLeft
	middleRight
	middleLeft
	topCenter
	bottomCenter
	outside // to the right of the data
	above   // between the data and the title
)

const legendInset = vg.Length(8)

// box returns the rectangle of a legend of size w x h at a place of the data
// rectangle d.
func (at place) box(d vg.Rectangle, w, h vg.Length) vg.Rectangle {
	left, right := d.Min.X+legendInset, d.Max.X-legendInset-w
	bottom, top := d.Min.Y+legendInset, d.Max.Y-legendInset-h
	middle, center := (d.Min.Y+d.Max.Y-h)/2, (d.Min.X+d.Max.X-w)/2
	min := [...]vg.Point{
		topRight: {X: right, Y: top}, topLeft: {X: left, Y: top},
		bottomRight: {X: right, Y: bottom}, bottomLeft: {X: left, Y: bottom},
		middleRight: {X: right, Y: middle}, middleLeft: {X: left, Y: middle},
		topCenter: {X: center, Y: top}, bottomCenter: {X: center, Y: bottom},
		outside: {X: d.Max.X + legendInset, Y: top},
		above:   {X: center, Y: d.Max.Y + legendInset/2},
	}[at]
	return vg.Rectangle{Min: min, Max: min.Add(vg.Point{X: w, Y: h})}
}

// grown returns the rectangle with the margin of a legend's background.
func grown(r vg.Rectangle) vg.Rectangle {
	const pad = vg.Length(3)
	margin := vg.Point{X: pad, Y: pad}
	return vg.Rectangle{Min: r.Min.Sub(margin), Max: r.Max.Add(margin)}
}

// emptiest returns the place where a legend of size w x h hides least of the
// plot: it draws the plot small, and counts the pixels that are darker than
// grid lines and bands. If no place is nearly empty, it is outside, or above if a
// low legend would take much of the width there.
func (q *panel) emptiest(size vg.Point, w, h vg.Length) place {
	const dpi = 48
	trial := newUpright(size.X, size.Y, dpi)
	c := draw.New(trial)
	bare := q.plot
	data := bare.DataCanvas(c).Rectangle
	free := outside
	if w+2*legendInset > 0.4*size.X && w <= data.Size().X && h+legendInset < 0.25*size.Y {
		free = above
	}
	if d := data.Size(); w+2*legendInset > d.X || h+2*legendInset > d.Y {
		return free
	}
	trial.within = data
	bare.Draw(c)
	ink := make([]float64, outside)
	for at := range outside {
		ink[at] = inkOf(trial.img, grown(at.box(data, w, h)), dpi)
	}
	best := place(slices.Index(ink, slices.Min(ink)))
	if ink[best] > 0.006 {
		return free
	}
	return best
}

// inkOf returns the share of a rectangle that is drawn on; faint colors count
// for a little.
func inkOf(img *image.RGBA, r vg.Rectangle, dpi float64) float64 {
	height := img.Bounds().Dy()
	x0, x1 := int(r.Min.X.Dots(dpi)), int(math.Ceil(r.Max.X.Dots(dpi)))
	y0, y1 := height-int(math.Ceil(r.Max.Y.Dots(dpi))), height-int(r.Min.Y.Dots(dpi))
	var ink, total float64
	for y := y0; y < y1; y++ {
		for x := x0; x < x1; x++ {
			c := img.RGBAAt(x, y)
			switch dark := 255 - min(c.R, c.G, c.B); {
			case dark > 80:
				ink++
			case dark > 32:
				ink += 0.002
			}
			total++
		}
	}
	return ink / math.Max(total, 1)
}

// rightMargin is a plotter that draws nothing, and keeps so much of the canvas
// free to the right of the data.
type rightMargin vg.Length

// Plot implements plot.Plotter.
func (rightMargin) Plot(draw.Canvas, *plot.Plot) {}

// GlyphBoxes implements plot.GlyphBoxer.
func (m rightMargin) GlyphBoxes(*plot.Plot) []plot.GlyphBox {
	return []plot.GlyphBox{{X: 1, Y: 0.5, Rectangle: vg.Rectangle{Max: vg.Point{X: vg.Length(m)}}}}
}

// topMargin is a plotter that draws nothing, and keeps so much of the canvas free
// above the data.
type topMargin vg.Length

// Plot implements plot.Plotter.
func (topMargin) Plot(draw.Canvas, *plot.Plot) {}

// GlyphBoxes implements plot.GlyphBoxer.
func (m topMargin) GlyphBoxes(*plot.Plot) []plot.GlyphBox {
	return []plot.GlyphBox{{X: 0.5, Y: 1, Rectangle: vg.Rectangle{Max: vg.Point{Y: vg.Length(m)}}}}
}
