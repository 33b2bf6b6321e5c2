package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/regbook/regbook/internal/try"
)

// noteViolations has every page keep what its content security policy has refused.
func noteViolations(ctx context.Context) {
	const note = `addEventListener('securitypolicyviolation', e => (window.refused ??= []).push(e.violatedDirective + ' ' + e.blockedURI + ' ' + e.sample));`
	try.Get(chromedp.Call(ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: note}))
}

// testPolicies opens every page of the site: each says that it may load nothing but its own files, does with
// that, and has nothing from the network.
func testPolicies(ctx context.Context, site string) {
	files := try.Get(filepath.Glob(filepath.Join(site, "*.html")))
	var bad []string
	for _, file := range files {
		b := try.Get(os.ReadFile(file))
		head, _, _ := bytes.Cut(b, []byte("<script"))
		if !bytes.Contains(head, []byte(`<meta http-equiv="Content-Security-Policy" content="default-src 'none'; `)) {
			bad = append(bad, filepath.Base(file)+" has no policy before its first script")
			continue
		}
		act(ctx, chromedp.Navigate(addressOf(file)))
		found := eval[[]string](ctx, fmt.Sprintf("new Promise(r => setTimeout(r, 300)).then(() => [...(window.refused ?? []), ...%s])", fromNetwork))
		for _, f := range found {
			bad = append(bad, filepath.Base(file)+": "+f)
		}
	}
	if len(bad) > 0 {
		try.Fail(errors.New(strings.Join(bad, "\n  ")))
	}
	fmt.Printf("%d pages keep to their policies\n", len(files))
}

// testKeys moves a slider by keys. The figure has the numbers of this machine, the slider says its value, and
// where it rests, the status line says what the figure shows.
func testKeys(ctx context.Context, native *engine, site string) {
	live(ctx, site, "LassoPath")
	before := asNative(ctx, native)
	for _, keys := range []string{kb.ArrowRight + kb.ArrowRight + kb.ArrowUp, kb.PageUp, kb.ArrowLeft, kb.Home, kb.End} {
		act(ctx, chromedp.KeyEvent(keys))
		after := settledAsNative(ctx, native)
		if slices.Equal(before, after) {
			try.Fail(fmt.Errorf("%q does not move %g", keys, after))
		}
		before = after
		wrong := eval[string](ctx, `(() => {
			const told = cell.querySelector('.live-told'), s = document.activeElement;
			if (told.getAttribute('role') !== 'status') return 'no status line';
			if (!told.textContent || told.textContent !== figure().alt) return 'the line says ' + told.textContent + ', the figure ' + figure().alt;
			if (!cell.contains(s) || s.type !== 'range') return 'the focus is lost';
			if (!s.getAttribute('aria-label') || s.getAttribute('aria-valuetext') !== s.parentNode.textContent.trim()) return 'the slider says ' + s.getAttribute('aria-valuetext');
			if (getComputedStyle(s).outlineStyle === 'none') return 'the focus is not to be seen';
			return '';
		})()`)
		if wrong != "" {
			try.Fail(errors.New(wrong))
		}
	}
}

// contrasts has what is hard to read: text of less than 4.5 to 1 on its ground.
const contrasts = `(() => {
	const light = c => {
		const [r, g, b] = c.match(/[\d.]+/g).map(v => (v = v / 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
		return 0.2126 * r + 0.7152 * g + 0.0722 * b;
	};
	const ground = e => {
		for (; e; e = e.parentElement) {
			const c = getComputedStyle(e).backgroundColor, alpha = c.startsWith('rgba') ? Number(c.match(/[\d.]+/g)[3]) : 1;
			if (c.startsWith('rgb') && alpha === 1) return c;
		}
		return 'rgb(255, 255, 255)';
	};
	const bad = [];
	for (const e of document.querySelectorAll('p, li a, h1, h2, h3, td, th, button, label, input[type=text], textarea, select, .live span, summary, pre')) {
		if (!e.offsetWidth || !(e.value || e.textContent).trim()) continue;
		const a = light(getComputedStyle(e).color), b = light(ground(e)), ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
		if (ratio < 4.5) bad.push(e.tagName + '.' + e.className + ' ' + ratio.toFixed(1) + ' ' + (e.value || e.textContent).trim().slice(0, 30));
	}
	return bad.slice(0, 5);
})()`

// prefer has the browser prefer light or dark pages.
func prefer(ctx context.Context, scheme string) {
	try.Get(chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}}))
}

// testDark looks at a live figure and the playground as a reader does who prefers the dark.
func testDark(ctx context.Context, site, out string) {
	prefer(ctx, "dark")
	for _, name := range []string{"live", "playground"} {
		if name == "live" {
			live(ctx, site, "Outliers")
		} else {
			openPlayground(ctx, site, "data=prostate&formula=lpsa+~+lcavol+%2B+svi&method=ols")
		}
		bad := eval[[]string](ctx, contrasts)
		if len(bad) > 0 {
			try.Fail(fmt.Errorf("%s: hard to read: %s", name, strings.Join(bad, "; ")))
		}
		paper := eval[string](ctx, "getComputedStyle(document.body).backgroundColor")
		if paper == "rgb(255, 255, 255)" {
			try.Fail(fmt.Errorf("%s is not dark", name))
		}
		screenshot(ctx, filepath.Join(out, "dark-"+name+".png"))
	}
	prefer(ctx, "light")
}

// openPlayground opens the playground at a state, and waits for its figures.
func openPlayground(ctx context.Context, site, state string) {
	act(ctx, chromedp.Navigate("about:blank"), chromedp.Navigate(addressOf(filepath.Join(site, "playground.html"))+"#"+state))
	eval[bool](ctx, until("document.querySelectorAll('.playground-results img').length > 0"))
}

// testTabs uses a page in two tabs in turn: neither disturbs the other.
func testTabs(ctx context.Context, native *engine, site string) {
	other, cancel := chromedp.NewContext(ctx)
	defer cancel()
	tabs := []context.Context{ctx, other}
	for _, tab := range tabs {
		live(tab, site, "LassoPath")
	}
	var values [2][]float64
	for range 2 {
		for k, tab := range tabs {
			set := fmt.Sprintf("(() => { const s = cell.querySelector('.live input'); s.value = Number(s.value) + %d; s.dispatchEvent(new Event('input')); return true; })()", 5+10*k)
			eval[bool](tab, set)
		}
		for k, tab := range tabs {
			within(fmt.Sprint("tab ", k+1), func() {
				v := settledAsNative(tab, native)
				if slices.Equal(v, values[k]) || slices.Equal(v, values[1-k]) {
					try.Fail(fmt.Errorf("it shows %g after %g", v, values))
				}
				values[k] = v
			})
		}
	}
}

// testExamples opens the links to the playground that the pages have, each of which fits.
func testExamples(ctx context.Context, site string) {
	files := try.Get(filepath.Glob(filepath.Join(site, "*.html")))
	seen := map[string]bool{}
	for _, file := range files {
		b := try.Get(os.ReadFile(file))
		for _, part := range strings.Split(string(b), `href="playground.html#`)[1:] {
			state, _, _ := strings.Cut(part, `"`)
			state = html.UnescapeString(state)
			if seen[state] {
				continue
			}
			seen[state] = true
			act(ctx, chromedp.Navigate("about:blank"), chromedp.Navigate(addressOf(filepath.Join(site, "playground.html"))+"#"+state))
			failed := eval[string](ctx, until(`document.querySelectorAll('.playground-results img').length > 0 || document.querySelector('.playground-error').textContent`)+
				`.then(() => document.querySelector('.playground-error').textContent)`)
			if failed != "" {
				try.Fail(fmt.Errorf("%s: playground.html#%s: %s", filepath.Base(file), state, failed))
			}
		}
	}
	if len(seen) < 10 {
		try.Fail(fmt.Errorf("the pages link to %d examples of the playground only", len(seen)))
	}
	fmt.Printf("%d examples of the playground fit\n", len(seen))
}
