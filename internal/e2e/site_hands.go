package main

import (
	"context"
	"encoding/json"
	"errors"
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
)

// pageOf returns the page that has the explorable of a function, in the course: pages come and go.
func pageOf(site, name string) (string, error) {
	pages, err := filepath.Glob(filepath.Join(site, "[0-9][0-9]*.html"))
	if err != nil {
		return "", err
	}
	for _, page := range pages {
		b, err := os.ReadFile(page)
		if err != nil {
			return "", err
		}
		if regexp.MustCompile(`data-live="?` + name + `\b`).Match(b) {
			return page, nil
		}
	}
	return "", fmt.Errorf("no page has the explorable %s", name)
}

// live opens the page of the explorable of a function, touches it by a key, and waits until it computes.
func live(ctx context.Context, site, name string) error {
	page, err := pageOf(site, name)
	if err != nil {
		return err
	}
	if err := open(ctx, page); err != nil {
		return err
	}
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
	if _, err := evaluate[bool](ctx, focus); err != nil {
		return err
	}
	if err := chromedp.Do(ctx, chromedp.KeyEvent(kb.ArrowRight)); err != nil {
		return err
	}
	// Formulas that are typeset above the figure move it.
	if _, err := evaluate[bool](ctx, until("window.drawn && (!window.MathJax?.Hub || (!MathJax.Hub.queue.running && !MathJax.Hub.queue.pending && !document.querySelector('.MathJax_Preview:not(:empty)')))")); err != nil {
		return err
	}
	return settled(ctx)
}

// settled waits until nothing is being drawn and the page has said what it shows and has it in its address,
// and scrolls the figure to the middle.
func settled(ctx context.Context) error {
	const rests = "!cell.querySelector('[aria-busy]') && cell.querySelector('.live-told').textContent === figure().alt"
	if _, err := evaluate[bool](ctx, until(rests+" && addressed()")); err != nil {
		return err
	}
	_, err := evaluate[bool](ctx, "(figure().scrollIntoView({ block: 'center' }), true)")
	return err
}

// settledAsNative is asNative once the figure is settled.
func settledAsNative(ctx context.Context, native *engine) ([]float64, error) {
	if err := settled(ctx); err != nil {
		return nil, err
	}
	return asNative(ctx, native)
}

// asNative holds what was drawn last to the engine on this machine, and returns the values drawn.
func asNative(ctx context.Context, native *engine) ([]float64, error) {
	m, err := evaluate[move](ctx, "({ request: drawn.request, numbers: drawn.numbers })")
	if err != nil {
		return nil, err
	}
	want, err := native.ask(m.Request)
	if err != nil {
		return nil, err
	}
	if want.Error != "" || !slices.Equal(m.Numbers, want.Numbers) {
		return nil, fmt.Errorf("%s gives\n  %v in the browser,\n  %v here %s", m.Request, m.Numbers, want.Numbers, want.Error)
	}
	var request struct{ Values []float64 }
	return request.Values, json.Unmarshal(m.Request, &request)
}

// ring returns the middle of a handle in the window.
func ring(ctx context.Context, k int) (at [2]float64, err error) {
	return evaluate[[2]float64](ctx, fmt.Sprintf(`(() => {
		const r = cell.querySelectorAll('.handles span')[%d].getBoundingClientRect();
		return [r.left + r.width / 2, r.top + r.height / 2];
	})()`, k))
}

// inFigure returns where shares of the figure's width and height are in the window.
func inFigure(ctx context.Context, u, v float64) (at [2]float64, err error) {
	return evaluate[[2]float64](ctx, fmt.Sprintf(`(() => { const r = figure().getBoundingClientRect(); return [r.left + %g * r.width, r.top + %g * r.height]; })()`, u, v))
}

func byMouse(ctx context.Context, from, to [2]float64) error {
	return chromedp.Do(ctx, chromedp.DragAndDropXY(from[0], from[1], to[0], to[1], 8))
}

func byFinger(ctx context.Context, from, to [2]float64) error {
	for i := range 10 {
		t, kind := float64(i)/8, input.DispatchTouchEventTypeTouchMove
		points := []*input.TouchPoint{{X: from[0] + t*(to[0]-from[0]), Y: from[1] + t*(to[1]-from[1])}}
		switch i {
		case 0:
			kind = input.DispatchTouchEventTypeTouchStart
		case 9:
			kind, points = input.DispatchTouchEventTypeTouchEnd, []*input.TouchPoint{}
		}
		if _, err := chromedp.Call(ctx, input.DispatchTouchEvent, input.DispatchTouchEventParams{Type: kind, TouchPoints: points}); err != nil {
			return err
		}
		time.Sleep(20 * time.Millisecond)
	}
	return nil
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
func testDrags(ctx context.Context, native *engine, site, out string) error {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Minute)
	defer cancel()
	for _, d := range drags {
		if err := live(ctx, site, d.name); err != nil {
			return fmt.Errorf("%s: %w", d.name, err)
		}
		if d.name == "PriorWidth" {
			if err := addPoints(ctx, native); err != nil {
				return fmt.Errorf("%s: %w", d.name, err)
			}
		}
		if err := d.test(ctx, native, byMouse); err != nil {
			return fmt.Errorf("%s, by mouse: %w", d.name, err)
		}
		if err := screenshot(ctx, filepath.Join(out, "drag-"+d.name+".png")); err != nil {
			return err
		}
		if d.name == "Projection" {
			if err := turn(ctx, native); err != nil {
				return fmt.Errorf("%s: %w", d.name, err)
			}
		}
	}
	if err := typeMail(ctx, native, site, out); err != nil {
		return fmt.Errorf("Mail: %w", err)
	}
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(390, 800, chromedp.EmulateMobile, chromedp.EmulateTouch)); err != nil {
		return err
	}
	last := drags[len(drags)-1]
	last.dx, last.dy = -60, -40
	if err := live(ctx, site, last.name); err != nil {
		return err
	}
	if err := last.test(ctx, native, byFinger); err != nil {
		return fmt.Errorf("%s, by a finger: %w", last.name, err)
	}
	return chromedp.Do(ctx, chromedp.EmulateViewport(1200, 1000))
}

func (d drag) test(ctx context.Context, native *engine, by func(ctx context.Context, from, to [2]float64) error) error {
	before, err := asNative(ctx, native)
	if err != nil {
		return err
	}
	from, err := ring(ctx, d.ring)
	if err != nil {
		return err
	}
	to := [2]float64{from[0] + d.dx, from[1] + d.dy}
	if err := by(ctx, from, to); err != nil {
		return err
	}
	after, err := settledAsNative(ctx, native)
	if err != nil {
		return err
	}
	for k := range after {
		if moved := after[k] != before[k]; moved != slices.Contains(d.values, k) {
			return fmt.Errorf("the values were %g and are %g", before, after)
		}
	}
	told, err := evaluate[string](ctx, "cell.querySelector('.live-told').textContent")
	if err != nil || !strings.Contains(told, d.told) {
		return errors.Join(err, fmt.Errorf("the page says %q, not %q", told, d.told))
	}
	at, err := ring(ctx, d.ring)
	if err != nil {
		return err
	}
	if d.alongX && math.Abs(at[0]-to[0]) > 6 || d.alongY && math.Abs(at[1]-to[1]) > 6 {
		return fmt.Errorf("the handle was let go at %.0f and is at %.0f", to, at)
	}
	return nil
}

// addPoints adds a point by a click, another by a key, and moves that by keys.
func addPoints(ctx context.Context, native *engine) error {
	at, err := inFigure(ctx, 0.2, 0.5)
	if err != nil {
		return err
	}
	if err := chromedp.Do(ctx, chromedp.MouseClickXY(at[0], at[1])); err != nil {
		return err
	}
	if _, err := evaluate[bool](ctx, until("cell.querySelectorAll('.handles span').length === 1")); err != nil {
		return err
	}
	if spot, err := ring(ctx, 0); err != nil || math.Hypot(spot[0]-at[0], spot[1]-at[1]) > 3 {
		return errors.Join(err, fmt.Errorf("the point is at %.0f, the click was at %.0f", spot, at))
	}
	if _, err := evaluate[bool](ctx, "([...cell.querySelectorAll('button')].find(b => b.textContent === 'Add a point').focus({ preventScroll: true }), true)"); err != nil {
		return err
	}
	if err := chromedp.Do(ctx, chromedp.KeyEvent(kb.Enter)); err != nil {
		return err
	}
	if _, err := evaluate[bool](ctx, until("cell.querySelectorAll('.handles span').length === 2")); err != nil {
		return err
	}
	before, err := asNative(ctx, native)
	if err != nil {
		return err
	}
	if _, err := evaluate[bool](ctx, "(cell.querySelector('[aria-label=\"y of your last point\"]').focus({ preventScroll: true }), true)"); err != nil {
		return err
	}
	if err := chromedp.Do(ctx, chromedp.KeyEvent(kb.ArrowRight+kb.ArrowRight)); err != nil {
		return err
	}
	after, err := settledAsNative(ctx, native)
	if err != nil {
		return err
	}
	if n := len(after); n != len(before) || after[n-1] <= before[n-1] || after[n-2] != before[n-2] {
		return fmt.Errorf("keys moved the point from %g to %g", before, after)
	}
	return nil
}

// turn drags the figure, not a handle.
func turn(ctx context.Context, native *engine) error {
	before, err := asNative(ctx, native)
	if err != nil {
		return err
	}
	from, err := inFigure(ctx, 0.2, 0.9)
	if err != nil {
		return err
	}
	if err := byMouse(ctx, from, [2]float64{from[0] + 100, from[1]}); err != nil {
		return err
	}
	after, err := settledAsNative(ctx, native)
	if err != nil {
		return err
	}
	width, err := evaluate[float64](ctx, "figure().offsetWidth")
	if err != nil {
		return err
	}
	by := math.Mod(after[0]-before[0]+360, 360)
	if want := 100 * 180 / width; math.Abs(by-want) > 3 || after[1] != before[1] {
		return fmt.Errorf("100 pixels turn by %g degrees, not %.0f: %g, %g", by, want, before, after)
	}
	return nil
}

// typeMail types a mail in the place of the one shown.
func typeMail(ctx context.Context, native *engine, site, out string) error {
	if err := live(ctx, site, "Mail"); err != nil {
		return err
	}
	shown, err := evaluate[string](ctx, "(() => { const t = cell.querySelector('textarea'); t.focus(); t.select(); return t.value; })()")
	if err != nil || len(shown) < 10 {
		return errors.Join(err, fmt.Errorf("the text of the mail is %q", shown))
	}
	if err := chromedp.Do(ctx, chromedp.KeyEvent("free money, <script>george</script>!")); err != nil {
		return err
	}
	if _, err := settledAsNative(ctx, native); err != nil {
		return err
	}
	told, err := evaluate[string](ctx, "cell.querySelector('.live-told').textContent")
	if err != nil {
		return err
	}
	if want := "The mail has 4 of the filter's 54 words"; !strings.HasPrefix(told, want) {
		return fmt.Errorf("the page says %q, not %q", told, want)
	}
	return screenshot(ctx, filepath.Join(out, "mail.png"))
}

// shown has what the explorables of a page show: sentence, values and text of each.
const shown = `JSON.stringify([...document.querySelectorAll('[data-live]')].map(c => [c.dataset.begun ?? 'still', c.querySelector('.live-told').textContent,
	...[...c.querySelectorAll('.live input')].map(s => s.getAttribute('aria-valuetext')), c.querySelector('textarea')?.value ?? '']))`

// allRest tells if every explorable that has been moved has said what it shows, by which it is in the address.
const allRest = `[...document.querySelectorAll('[data-live]')].filter(c => c.dataset.begun !== undefined).every(c =>
	!c.querySelector('[aria-busy]') && c.querySelector('.live-told').textContent === c.querySelector('div[style*="max-width"] img').alt)`

// testAddress opens the address of what explorables show in their turn: other data and points of the reader's own, a
// typed mail, and two figures of a page that have been moved at once; they show the same again.
func testAddress(ctx context.Context, native *engine, site, out string) error {
	for _, c := range []struct {
		name, moved string // and what the address has then
		do          func() error
	}{
		{"PriorWidth", "PriorWidth.seed=5", func() error {
			if err := live(ctx, site, "PriorWidth"); err != nil {
				return err
			}
			if err := addPoints(ctx, native); err != nil {
				return err
			}
			_, err := evaluate[bool](ctx, "([...cell.querySelectorAll('button')].find(b => b.textContent === 'Other data').click(), true)")
			return err
		}},
		{"Mail", "Mail.text=free+money", func() error { return typeMail(ctx, native, site, out) }},
		{"PriorInclusion", "SlabVariance=", func() error { return moveInclusion(ctx, site) }},
	} {
		if err := c.do(); err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		if err := testRestored(ctx, native, site, c.name, c.moved); err != nil {
			return err
		}
	}
	return nil
}

// moveInclusion moves all controls of the page of prior inclusion.
func moveInclusion(ctx context.Context, site string) error {
	if err := live(ctx, site, "PriorInclusion"); err != nil {
		return err
	}
	if err := chromedp.Do(ctx, chromedp.KeyEvent(kb.ArrowRight)); err != nil {
		return err
	}
	if _, err := evaluate[bool](ctx, `(() => {
		window.cell = document.querySelector('[data-live=SlabVariance]');
		cell.querySelector('input').focus({ preventScroll: true });
		return true;
	})()`); err != nil {
		return err
	}
	if err := chromedp.Do(ctx, chromedp.KeyEvent(kb.ArrowRight)); err != nil {
		return err
	}
	if err := settled(ctx); err != nil {
		return err
	}
	_, err := evaluate[bool](ctx, `(() => {
		for (let i = 0; i < 5; i++) for (const s of document.querySelectorAll('.live input')) { s.value = Number(s.value) - 1; s.dispatchEvent(new Event('input')); }
		return true;
	})()`)
	return err
}

// testRestored checks that the address says what was moved, and that a page opened by it shows the same.
func testRestored(ctx context.Context, native *engine, site, name, moved string) error {
	if err := settled(ctx); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if _, err := asNative(ctx, native); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if _, err := evaluate[bool](ctx, until(allRest+fmt.Sprintf(" && location.hash.includes(%q)", moved))); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	was, err := evaluate[string](ctx, shown)
	if err != nil {
		return err
	}
	hash, err := evaluate[string](ctx, "location.hash")
	if err != nil {
		return err
	}
	page, err := pageOf(site, name)
	if err != nil {
		return err
	}
	path, err := filepath.Abs(page)
	if err != nil {
		return err
	}
	if err := arrive(ctx, "file://"+path+hash); err != nil {
		return err
	}
	if _, err := evaluate[bool](ctx, until(fmt.Sprintf("%s === %q", shown, was))); err != nil {
		is, _ := evaluate[string](ctx, shown)
		return fmt.Errorf("%s%s shows\n  %s,\n  and showed\n  %s", name, hash, is, was)
	}
	fmt.Printf("%s%s\n", name, hash)
	return nil
}
