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
)

// noteViolations has every page keep what its content security policy has refused.
func noteViolations(ctx context.Context) error {
	const note = `addEventListener('securitypolicyviolation', e => (window.refused ??= []).push(e.violatedDirective + ' ' + e.blockedURI + ' ' + e.sample));`
	_, err := chromedp.Call(ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: note})
	return err
}

// testPolicies opens every page of the site: each says that it may load nothing but its own files, does with
// that, and has nothing from the network.
func testPolicies(ctx context.Context, site string) error {
	files, err := filepath.Glob(filepath.Join(site, "*.html"))
	if err != nil {
		return err
	}
	var bad []string
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		head, _, _ := bytes.Cut(b, []byte("<script"))
		if !bytes.Contains(head, []byte(`<meta http-equiv="Content-Security-Policy" content="default-src 'none'; `)) {
			bad = append(bad, filepath.Base(file)+" has no policy before its first script")
			continue
		}
		path, err := filepath.Abs(file)
		if err != nil {
			return err
		}
		if err := chromedp.Do(ctx, chromedp.Navigate("file://"+path)); err != nil {
			return err
		}
		found, err := evaluate[[]string](ctx, fmt.Sprintf("new Promise(r => setTimeout(r, 300)).then(() => [...(window.refused ?? []), ...%s])", fromNetwork))
		if err != nil {
			return err
		}
		for _, f := range found {
			bad = append(bad, filepath.Base(file)+": "+f)
		}
	}
	if len(bad) > 0 {
		return errors.New(strings.Join(bad, "\n  "))
	}
	fmt.Printf("%d pages keep to their policies\n", len(files))
	return nil
}

// testKeys moves a slider by keys. The figure has the numbers of this machine, the slider says its value, and
// where it rests, the status line says what the figure shows.
func testKeys(ctx context.Context, native *engine, site string) error {
	if err := live(ctx, site, "LassoPath"); err != nil {
		return err
	}
	before, err := asNative(ctx, native)
	if err != nil {
		return err
	}
	for _, keys := range []string{kb.ArrowRight + kb.ArrowRight + kb.ArrowUp, kb.PageUp, kb.ArrowLeft, kb.Home, kb.End} {
		if err := chromedp.Do(ctx, chromedp.KeyEvent(keys)); err != nil {
			return err
		}
		after, err := settledAsNative(ctx, native)
		if err != nil {
			return err
		}
		if slices.Equal(before, after) {
			return fmt.Errorf("%q does not move %g", keys, after)
		}
		before = after
		wrong, err := evaluate[string](ctx, `(() => {
			const told = cell.querySelector('.live-told'), s = document.activeElement;
			if (told.getAttribute('role') !== 'status') return 'no status line';
			if (!told.textContent || told.textContent !== figure().alt) return 'the line says ' + told.textContent + ', the figure ' + figure().alt;
			if (!cell.contains(s) || s.type !== 'range') return 'the focus is lost';
			if (!s.getAttribute('aria-label') || s.getAttribute('aria-valuetext') !== s.parentNode.textContent.trim()) return 'the slider says ' + s.getAttribute('aria-valuetext');
			if (getComputedStyle(s).outlineStyle === 'none') return 'the focus is not to be seen';
			return '';
		})()`)
		if err != nil || wrong != "" {
			return errors.Join(err, errors.New(wrong))
		}
	}
	return nil
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
func prefer(ctx context.Context, scheme string) error {
	_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
	return err
}

// testDark looks at a live figure and the playground as a reader does who prefers the dark.
func testDark(ctx context.Context, site, out string) error {
	if err := prefer(ctx, "dark"); err != nil {
		return err
	}
	for _, name := range []string{"live", "playground"} {
		var err error
		if name == "live" {
			err = live(ctx, site, "Outliers")
		} else {
			err = openPlayground(ctx, site, "data=prostate&formula=lpsa+~+lcavol+%2B+svi&method=ols")
		}
		if err != nil {
			return err
		}
		bad, err := evaluate[[]string](ctx, contrasts)
		if err != nil {
			return err
		}
		if len(bad) > 0 {
			return fmt.Errorf("%s: hard to read: %s", name, strings.Join(bad, "; "))
		}
		paper, err := evaluate[string](ctx, "getComputedStyle(document.body).backgroundColor")
		if err != nil || paper == "rgb(255, 255, 255)" {
			return errors.Join(err, fmt.Errorf("%s is not dark", name))
		}
		if err := screenshot(ctx, filepath.Join(out, "dark-"+name+".png")); err != nil {
			return err
		}
	}
	return prefer(ctx, "light")
}

// openPlayground opens the playground at a state, and waits for its figures.
func openPlayground(ctx context.Context, site, state string) error {
	path, err := filepath.Abs(filepath.Join(site, "playground.html"))
	if err != nil {
		return err
	}
	if err := chromedp.Do(ctx, chromedp.Navigate("about:blank"), chromedp.Navigate("file://"+path+"#"+state)); err != nil {
		return err
	}
	_, err = evaluate[bool](ctx, until("document.querySelectorAll('.playground-results img').length > 0"))
	return err
}

// testTabs uses a page in two tabs in turn: neither disturbs the other.
func testTabs(ctx context.Context, native *engine, site string) error {
	other, cancel := chromedp.NewContext(ctx)
	defer cancel()
	tabs := []context.Context{ctx, other}
	for _, tab := range tabs {
		if err := live(tab, site, "LassoPath"); err != nil {
			return err
		}
	}
	var values [2][]float64
	for range 2 {
		for k, tab := range tabs {
			set := fmt.Sprintf("(() => { const s = cell.querySelector('.live input'); s.value = Number(s.value) + %d; s.dispatchEvent(new Event('input')); return true; })()", 5+10*k)
			if _, err := evaluate[bool](tab, set); err != nil {
				return err
			}
		}
		for k, tab := range tabs {
			if err := settled(tab); err != nil {
				return err
			}
			v, err := asNative(tab, native)
			if err != nil {
				return fmt.Errorf("tab %d: %w", k+1, err)
			}
			if slices.Equal(v, values[k]) || slices.Equal(v, values[1-k]) {
				return fmt.Errorf("tab %d shows %g after %g", k+1, v, values)
			}
			values[k] = v
		}
	}
	return nil
}

// testExamples opens the links to the playground that the pages have, each of which fits.
func testExamples(ctx context.Context, site string) error {
	files, err := filepath.Glob(filepath.Join(site, "*.html"))
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		for _, part := range strings.Split(string(b), `href="playground.html#`)[1:] {
			state, _, _ := strings.Cut(part, `"`)
			state = html.UnescapeString(state)
			if seen[state] {
				continue
			}
			seen[state] = true
			path, err := filepath.Abs(filepath.Join(site, "playground.html"))
			if err != nil {
				return err
			}
			if err := chromedp.Do(ctx, chromedp.Navigate("about:blank"), chromedp.Navigate("file://"+path+"#"+state)); err != nil {
				return err
			}
			failed, err := evaluate[string](ctx, until(`document.querySelectorAll('.playground-results img').length > 0 || document.querySelector('.playground-error').textContent`)+
				`.then(() => document.querySelector('.playground-error').textContent)`)
			if err != nil || failed != "" {
				return errors.Join(err, fmt.Errorf("%s: playground.html#%s: %s", filepath.Base(file), state, failed))
			}
		}
	}
	if len(seen) < 10 {
		return fmt.Errorf("the pages link to %d examples of the playground only", len(seen))
	}
	fmt.Printf("%d examples of the playground fit\n", len(seen))
	return nil
}
