package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/regbook/regbook/internal/try"
)

// pageOf returns the page that has the explorable of a function, in the course: pages come and go.
func pageOf(site, name string) string {
	for _, page := range try.Get(filepath.Glob(filepath.Join(site, "[0-9][0-9]*.html"))) {
		if regexp.MustCompile(`data-live="?` + name + `\b`).Match(try.Get(os.ReadFile(page))) {
			return page
		}
	}
	try.Fail(fmt.Errorf("no page has the explorable %s", name))
	return ""
}

// live opens the page of the explorable of a function, touches it by a key, and waits until it computes.
func live(ctx context.Context, site, name string) {
	open(ctx, pageOf(site, name))
	focus := fmt.Sprintf(`(() => {
		window.cell = document.querySelector('[data-live=%s]');
		`+openFolds+`
		cell.addEventListener('drawn', e => { window.drawn = e.detail; });
		window.addressed = () => {
			const { name, values, text } = drawn.request, state = new URLSearchParams(location.hash.slice(1));
			return name !== cell.dataset.live || state.get(name) === values.join(',') && (state.get(name + '.text') ?? '') === text;
		};
		window.figure = () => cell.querySelector('div[style*="max-width"] img');
		const input = cell.querySelector('input');
		figure().scrollIntoView({ block: 'center' });
		input.focus({ preventScroll: true });
		return true;
	})()`, name)
	eval[bool](ctx, focus)
	act(ctx, chromedp.KeyEvent(kb.ArrowRight))
	// Formulas that are typeset above the figure move it.
	eval[bool](ctx, until("window.drawn && (!window.MathJax?.Hub || (!MathJax.Hub.queue.running && !MathJax.Hub.queue.pending && !document.querySelector('.MathJax_Preview:not(:empty)')))"))
	settled(ctx)
}

// settled waits until nothing is being drawn and the page has said what it shows and has it in its address,
// and scrolls the figure to the middle.
func settled(ctx context.Context) {
	const rests = "!cell.querySelector('[aria-busy]') && cell.querySelector('.live-told').textContent === figure().alt"
	eval[bool](ctx, until(rests+" && addressed()"))
	eval[bool](ctx, "(figure().scrollIntoView({ block: 'center' }), true)")
}

// settledAsNative is asNative once the figure is settled.
func settledAsNative(ctx context.Context, native *engine) []float64 {
	settled(ctx)
	return asNative(ctx, native)
}

// asNative holds what was drawn last to the engine on this machine, and returns the values drawn.
func asNative(ctx context.Context, native *engine) []float64 {
	m := eval[move](ctx, "({ request: drawn.request, numbers: drawn.numbers })")
	native.confirm(m)
	var request struct{ Values []float64 }
	try.Check(json.Unmarshal(m.Request, &request))
	return request.Values
}

// ring returns the middle of a handle in the window.
func ring(ctx context.Context, k int) [2]float64 {
	return eval[[2]float64](ctx, fmt.Sprintf(`(() => {
		const r = cell.querySelectorAll('.handles span')[%d].getBoundingClientRect();
		return [r.left + r.width / 2, r.top + r.height / 2];
	})()`, k))
}

// inFigure returns where shares of the figure's width and height are in the window.
func inFigure(ctx context.Context, u, v float64) [2]float64 {
	return eval[[2]float64](ctx, fmt.Sprintf(`(() => { const r = figure().getBoundingClientRect(); return [r.left + %g * r.width, r.top + %g * r.height]; })()`, u, v))
}

func byMouse(ctx context.Context, from, to [2]float64) {
	act(ctx, chromedp.DragAndDropXY(from[0], from[1], to[0], to[1], 8))
}

func byFinger(ctx context.Context, from, to [2]float64) {
	for i := range 10 {
		t, kind := float64(i)/8, input.DispatchTouchEventTypeTouchMove
		points := []*input.TouchPoint{{X: from[0] + t*(to[0]-from[0]), Y: from[1] + t*(to[1]-from[1])}}
		switch i {
		case 0:
			kind = input.DispatchTouchEventTypeTouchStart
		case 9:
			kind, points = input.DispatchTouchEventTypeTouchEnd, []*input.TouchPoint{}
		}
		try.Get(chromedp.Call(ctx, input.DispatchTouchEvent, input.DispatchTouchEventParams{Type: kind, TouchPoints: points}))
		time.Sleep(20 * time.Millisecond)
	}
}

// A drag takes a handle of an explorable by some pixels.
type drag struct {
	name   string
	ring   int // which handle
	dx, dy float64
	values []int // that it moves
	// A handle of two values ends below the pointer; one of a single value where the pointer is in
	// this direction.
	alongX, alongY bool
	told           string // that the page says then
}

var drags = []drag{
	{"Projection", 0, 6, -60, []int{1}, false, false, ""},
	{"PriorWidth", 0, 30, -40, []int{3, 4}, true, true, ""},
	{"LassoPath", 0, 70, 5, []int{0}, true, false, ""},
	{"Separation", 0, 40, 10, []int{0}, true, false, "the classes overlap"},
	{"Separation", 4, 30, -10, []int{4}, true, false, "the second at 1."},
	{"Separation", 0, -130, 0, []int{0}, true, false, "the classes are separated"},
	{"Outliers", 0, -150, -90, []int{1, 2}, true, true, ""},
}

// testDrags drags every handle by mouse and the last with a finger, adds points, turns the plane, and types a
// mail; the handles stay below the pointer, and the numbers are those of this machine.
func testDrags(ctx context.Context, native *engine, site, out string) {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Minute)
	defer cancel()
	for _, d := range drags {
		within(d.name, func() { live(ctx, site, d.name) })
		if d.name == "PriorWidth" {
			within(d.name, func() { addPoints(ctx, native) })
		}
		within(d.name+", by mouse", func() { d.test(ctx, native, byMouse) })
		screenshot(ctx, filepath.Join(out, "drag-"+d.name+".png"))
		if d.name == "Projection" {
			within(d.name, func() { turn(ctx, native) })
		}
	}
	within("Mail", func() { typeMail(ctx, native, site, out) })
	act(ctx, chromedp.EmulateViewport(390, 800, chromedp.EmulateMobile, chromedp.EmulateTouch))
	last := drags[len(drags)-1]
	last.dx, last.dy = -60, -40
	live(ctx, site, last.name)
	within(last.name+", by a finger", func() { last.test(ctx, native, byFinger) })
	act(ctx, chromedp.EmulateViewport(1200, 1000))
}

func (d drag) test(ctx context.Context, native *engine, by func(ctx context.Context, from, to [2]float64)) {
	before := asNative(ctx, native)
	from := ring(ctx, d.ring)
	to := [2]float64{from[0] + d.dx, from[1] + d.dy}
	by(ctx, from, to)
	after := settledAsNative(ctx, native)
	for k := range after {
		if moved := after[k] != before[k]; moved != slices.Contains(d.values, k) {
			try.Fail(fmt.Errorf("the values were %g and are %g", before, after))
		}
	}
	told := eval[string](ctx, "cell.querySelector('.live-told').textContent")
	if !strings.Contains(told, d.told) {
		try.Fail(fmt.Errorf("the page says %q, not %q", told, d.told))
	}
	at := ring(ctx, d.ring)
	if d.alongX && math.Abs(at[0]-to[0]) > 6 || d.alongY && math.Abs(at[1]-to[1]) > 6 {
		try.Fail(fmt.Errorf("the handle was let go at %.0f and is at %.0f", to, at))
	}
}

// addPoints adds a point by a click, another by a key, and moves that by keys.
func addPoints(ctx context.Context, native *engine) {
	at := inFigure(ctx, 0.2, 0.5)
	act(ctx, chromedp.MouseClickXY(at[0], at[1]))
	eval[bool](ctx, until("cell.querySelectorAll('.handles span').length === 1"))
	if spot := ring(ctx, 0); math.Hypot(spot[0]-at[0], spot[1]-at[1]) > 3 {
		try.Fail(fmt.Errorf("the point is at %.0f, the click was at %.0f", spot, at))
	}
	eval[bool](ctx, "([...cell.querySelectorAll('button')].find(b => b.textContent === 'Add a point').focus({ preventScroll: true }), true)")
	act(ctx, chromedp.KeyEvent(kb.Enter))
	eval[bool](ctx, until("cell.querySelectorAll('.handles span').length === 2"))
	before := asNative(ctx, native)
	eval[bool](ctx, "(cell.querySelector('[aria-label=\"y of your last point\"]').focus({ preventScroll: true }), true)")
	act(ctx, chromedp.KeyEvent(kb.ArrowRight+kb.ArrowRight))
	after := settledAsNative(ctx, native)
	if n := len(after); n != len(before) || after[n-1] <= before[n-1] || after[n-2] != before[n-2] {
		try.Fail(fmt.Errorf("keys moved the point from %g to %g", before, after))
	}
}

// turn drags the figure, not a handle.
func turn(ctx context.Context, native *engine) {
	before := asNative(ctx, native)
	from := inFigure(ctx, 0.2, 0.9)
	byMouse(ctx, from, [2]float64{from[0] + 100, from[1]})
	after := settledAsNative(ctx, native)
	width := eval[float64](ctx, "figure().offsetWidth")
	by := math.Mod(after[0]-before[0]+360, 360)
	if want := 100 * 180 / width; math.Abs(by-want) > 3 || after[1] != before[1] {
		try.Fail(fmt.Errorf("100 pixels turn by %g degrees, not %.0f: %g, %g", by, want, before, after))
	}
}

// typeMail types a mail in the place of the one shown.
func typeMail(ctx context.Context, native *engine, site, out string) {
	live(ctx, site, "Mail")
	shown := eval[string](ctx, "(() => { const t = cell.querySelector('textarea'); t.focus(); t.select(); return t.value; })()")
	if len(shown) < 10 {
		try.Fail(fmt.Errorf("the text of the mail is %q", shown))
	}
	act(ctx, chromedp.KeyEvent("free money, <script>george</script>!"))
	settledAsNative(ctx, native)
	told := eval[string](ctx, "cell.querySelector('.live-told').textContent")
	if want := "The mail has 4 of the filter's 54 words"; !strings.HasPrefix(told, want) {
		try.Fail(fmt.Errorf("the page says %q, not %q", told, want))
	}
	screenshot(ctx, filepath.Join(out, "mail.png"))
}

// shown has what the explorables of a page show: sentence, values and text of each.
const shown = `JSON.stringify([...document.querySelectorAll('[data-live]')].map(c => [c.dataset.begun ?? 'still', c.querySelector('.live-told').textContent,
	...[...c.querySelectorAll('.live input')].map(s => s.getAttribute('aria-valuetext')), c.querySelector('textarea')?.value ?? '']))`

// allRest tells if every explorable that has been moved has said what it shows, by which it is in the address.
const allRest = `[...document.querySelectorAll('[data-live]')].filter(c => c.dataset.begun !== undefined).every(c =>
	!c.querySelector('[aria-busy]') && c.querySelector('.live-told').textContent === c.querySelector('div[style*="max-width"] img').alt)`

// testAddress opens the address of what explorables show in their turn: other data and points of the reader's own, a
// typed mail, and two figures of a page that have been moved at once; they show the same again.
func testAddress(ctx context.Context, native *engine, site, out string) {
	for _, c := range []struct {
		name, moved string // and what the address has then
		do          func()
	}{
		{"PriorWidth", "PriorWidth.seed=5", func() {
			live(ctx, site, "PriorWidth")
			addPoints(ctx, native)
			eval[bool](ctx, "([...cell.querySelectorAll('button')].find(b => b.textContent === 'Other data').click(), true)")
		}},
		{"Mail", "Mail.text=free+money", func() { typeMail(ctx, native, site, out) }},
		{"PriorInclusion", "SlabVariance=", func() { moveInclusion(ctx, site) }},
	} {
		within(c.name, c.do)
		testRestored(ctx, native, site, c.name, c.moved)
	}
}

// moveInclusion moves all controls of the page of prior inclusion.
func moveInclusion(ctx context.Context, site string) {
	live(ctx, site, "PriorInclusion")
	act(ctx, chromedp.KeyEvent(kb.ArrowRight))
	eval[bool](ctx, `(() => {
		window.cell = document.querySelector('[data-live=SlabVariance]');
		cell.querySelector('input').focus({ preventScroll: true });
		return true;
	})()`)
	act(ctx, chromedp.KeyEvent(kb.ArrowRight))
	settled(ctx)
	eval[bool](ctx, `(() => {
		for (let i = 0; i < 5; i++) for (const s of document.querySelectorAll('.live input')) { s.value = Number(s.value) - 1; s.dispatchEvent(new Event('input')); }
		return true;
	})()`)
}

// testRestored checks that the address says what was moved, and that a page opened by it shows the same.
func testRestored(ctx context.Context, native *engine, site, name, moved string) {
	within(name, func() {
		settledAsNative(ctx, native)
		eval[bool](ctx, until(allRest+fmt.Sprintf(" && location.hash.includes(%q)", moved)))
	})
	was := eval[string](ctx, shown)
	hash := eval[string](ctx, "location.hash")
	arrive(ctx, addressOf(pageOf(site, name))+hash)
	if _, err := evaluate[bool](ctx, until(fmt.Sprintf("%s === %q", shown, was))); err != nil {
		is, _ := evaluate[string](ctx, shown)
		try.Fail(fmt.Errorf("%s%s shows\n  %s,\n  and showed\n  %s", name, hash, is, was))
	}
	fmt.Printf("%s%s\n", name, hash)
}
