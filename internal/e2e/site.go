package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// engine is internal/engine on this machine, whose answers those of the browser have to equal.
type engine struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

func startEngine(ctx context.Context, program string) (*engine, error) {
	e := &engine{cmd: exec.CommandContext(ctx, program)}
	var err error
	if e.in, err = e.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := e.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	e.out = bufio.NewReader(out)
	return e, e.cmd.Start()
}

// ask sends a request as it stands, and returns the answer.
func (e *engine) ask(request []byte) (answer struct {
	Numbers     []liveNumber
	Error       string
	Explorables []struct {
		Name   string
		Params []struct{ Frames []float64 }
	}
}, err error) {
	if _, err = e.in.Write(append(slices.Clone(request), '\n')); err != nil {
		return answer, err
	}
	line, err := e.out.ReadBytes('\n')
	if err != nil {
		return answer, err
	}
	return answer, json.Unmarshal(line, &answer)
}

// liveNumber is a number, written to the digits that it claims: the last bits are the machine's.
type liveNumber struct{ Name, Text string }

// A move is what the page did when a slider moved.
type move struct {
	Request json.RawMessage
	Numbers []liveNumber
	Ms      float64
}

// liveScript defines moves(k, n): it moves the sliders of the k-th explorable of a page through n
// places each, and returns what was drawn. Before that a key has to have touched the slider.
const liveScript = `
async (k, n) => {
  const cell = document.querySelectorAll('[data-live]')[k], moves = [];
  for (const s of cell.querySelectorAll('.live input')) {
    for (let i = 0; i < n; i++) {
      const to = Math.round((i + 0.5) / n * s.max);
      if (Number(s.value) === to) continue;
      const start = performance.now();
      const drawn = new Promise((resolve, reject) => {
        cell.addEventListener('drawn', e => resolve(e.detail), { once: true });
        setTimeout(() => reject(new Error('nothing drawn in ten minutes')), 600000);
      });
      s.value = to;
      s.dispatchEvent(new Event('input'));
      const { request, numbers } = await drawn;
      await cell.querySelector('.stage img').decode(); // a reader sees it then
      moves.push({ request, numbers, ms: performance.now() - start });
    }
  }
  return moves;
}`

// testSite moves every explorable of the site through its range, opened from files, and compares
// the numbers with those of the engine on this machine; then uses the playground.
func testSite(ctx context.Context, site, program, out string, places int, only, record string) error {
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	packed, _, err := sizeOfEngine(site)
	if err != nil {
		return err
	}
	fmt.Printf("the engine has %.2f MB packed\n", packed/1e6)
	native, err := startEngine(ctx, program)
	if err != nil {
		return err
	}
	defer native.in.Close()
	ctx, cancel := newBrowser(ctx)
	defer cancel()
	var bad []string
	watch := func(tab context.Context) error { return noteErrors(tab, &bad) }
	if err := watch(ctx); err != nil {
		return err
	}
	pages, explorables, err := withExplorables(site)
	if err != nil {
		return err
	}
	times := &siteTimes{}
	err = testParts(ctx, only, []part{
		{"figures", func() error { return testExplorables(ctx, native, pages, explorables, places, times, out) }},
		{"playground", func() (err error) { times.fits, err = testPlayground(ctx, site, out); return err }},
		{"files", func() (err error) { times.large, err = testFiles(ctx, site, out); return err }},
		{"drawn", func() error { return testDrawn(ctx, site, out) }},
		{"first", func() error { return testFirst(ctx, native, site, out) }},
		{"print", func() error { return testPrint(ctx, site) }},
		{"early", func() error { return testEarlyFile(ctx, site) }},
		{"state", func() error { return testState(ctx, site, watch) }},
		{"downloads", func() error { return testDownloads(ctx, site) }},
		{"memory", func() (err error) { times.memory, err = testLeaks(ctx, pages[len(pages)-1]); return err }},
		{"without", func() error { return testWithout(ctx, pages[0]) }},
		{"dragging", func() error { return testDrags(ctx, native, site, out) }},
		{"keys", func() error { return testKeys(ctx, native, site) }},
		{"address", func() error { return testAddress(ctx, native, site, out) }},
		{"tabs", func() error { return testTabs(ctx, native, site) }},
		{"dark", func() error { return testDark(ctx, site, out) }},
		{"search", func() error { return testSearch(ctx, site, out) }},
		{"examples", func() error { return testExamples(ctx, site) }},
		{"policies", func() error { return testPolicies(ctx, site) }},
		{"below", func() error { return testBelow(ctx, site) }},
		{"phone", func() error { return testPhone(ctx, site, pages, out) }},
	})
	if len(bad) > 0 {
		err = errors.Join(err, fmt.Errorf("in the browser:\n  %s", strings.Join(bad, "\n  ")))
	}
	if err != nil || only != "" {
		return err
	}
	return times.print(ctx, site, record)
}

// part is a part of the test of the site.
type part struct {
	what string
	test func() error
}

// testParts tests the parts, or only one of them.
func testParts(ctx context.Context, only string, parts []part) (err error) {
	if only != "" && !slices.ContainsFunc(parts, func(t part) bool { return t.what == only }) {
		return fmt.Errorf("there is no part %q", only)
	}
	for _, t := range parts {
		if only != "" && t.what != only {
			continue
		}
		fmt.Println("==", t.what)
		if e := t.test(); e != nil { // the others are tested, too
			e = fmt.Errorf("%s: %w (alone: make site-test ONLY=%[1]s)", t.what, e)
			fmt.Println(e)
			err = errors.Join(err, e)
		}
		if ctx.Err() != nil {
			break
		}
	}
	return err
}

// withExplorables returns the pages that have explorables, and how many each has.
func withExplorables(site string) (pages []string, explorables map[string]int, err error) {
	pages, err = filepath.Glob(filepath.Join(site, "[0-9][0-9]*.html"))
	if err != nil {
		return nil, nil, err
	}
	explorables = map[string]int{}
	pages = slices.DeleteFunc(pages, func(page string) bool {
		b, e := os.ReadFile(page)
		err = errors.Join(err, e)
		explorables[page] = bytes.Count(b, []byte("data-live="))
		return explorables[page] == 0
	})
	if err != nil || len(pages) == 0 {
		return nil, nil, errors.Join(err, errors.New("the site has no explorables"))
	}
	return pages, explorables, nil
}

// print prints the table of times, and writes it to the file record unless that is "".
func (t *siteTimes) print(ctx context.Context, site, record string) error {
	table, err := t.table(ctx, site)
	if err != nil {
		return err
	}
	fmt.Print(table)
	if record == "" {
		return nil
	}
	return replaceTable(record, table)
}

// noteErrors adds what a tab throws to a list.
func noteErrors(tab context.Context, bad *[]string) error {
	err := chromedp.Listen(tab, func(ev any) {
		if thrown, ok := ev.(*runtime.EventExceptionThrown); ok {
			*bad = append(*bad, thrown.ExceptionDetails.Text)
		}
	})
	if err != nil {
		return err
	}
	return noteViolations(tab)
}

// newBrowser returns the context of a browser, for its caller to cancel.
func newBrowser(ctx context.Context) (context.Context, context.CancelFunc) {
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.WindowSize(1200, 1000))
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox)
	}
	ctx, allocated := chromedp.NewExecAllocator(ctx, options...)
	ctx, cancel := chromedp.NewContext(ctx)
	return ctx, func() {
		cancel()
		allocated()
	}
}

// testExplorables moves the explorables of pages, so many on each.
func testExplorables(ctx context.Context, native *engine, pages []string, explorables map[string]int, places int, times *siteTimes, out string) error {
	for _, page := range pages {
		for k := range explorables[page] {
			first, ms, err := testExplorable(ctx, native, page, k, places)
			if err != nil {
				return fmt.Errorf("%s, explorable %d: %w", filepath.Base(page), k+1, err)
			}
			slices.Sort(ms)
			times.first, times.moves = append(times.first, first), append(times.moves, ms...)
			times.medians = append(times.medians, ms[len(ms)/2])
			fmt.Printf("%-34s %d  first figure %5.2f s, then median %4.0f ms, longest %5.0f ms, %d moves\n",
				strings.TrimSuffix(filepath.Base(page), ".html"), k+1, first, ms[len(ms)/2], ms[len(ms)-1], len(ms))
			if err := screenshot(ctx, filepath.Join(out, fmt.Sprintf("%s-%d.png", strings.TrimSuffix(filepath.Base(page), ".html"), k+1))); err != nil {
				return err
			}
		}
	}
	return nil
}

// fromNetwork has what a page has loaded from the network.
const fromNetwork = `performance.getEntries().map(e => e.name).filter(name => name.startsWith('http'))`

// until returns a promise that a condition holds within ten minutes, on a busy machine, too.
func until(condition string) string {
	return fmt.Sprintf(`new Promise((resolve, reject) => {
		const start = Date.now(), look = () => {
			if (%s) resolve(true);
			else if (Date.now() - start > 600000) reject(new Error('still not: ' + %q));
			else setTimeout(look, 20);
		};
		look();
	})`, condition, condition)
}

func screenshot(ctx context.Context, file string) error {
	png, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	if err != nil {
		return err
	}
	return os.WriteFile(file, png, 0o644)
}

// screenshotOf is a screenshot of the window that an element is in.
func screenshotOf(ctx context.Context, selector, file string) error {
	if _, err := evaluate[bool](ctx, fmt.Sprintf("(document.querySelector(%q).scrollIntoView({ block: 'center' }), true)", selector)); err != nil {
		return err
	}
	return screenshot(ctx, file)
}

// open opens a page from its file.
func open(ctx context.Context, page string) error {
	path, err := filepath.Abs(page)
	if err != nil {
		return err
	}
	return arrive(ctx, "file://"+path)
}

// arrive opens an address by way of an empty page, and waits until each is there: the page before may write its
// own address meanwhile, which the browser tells as an arrival.
func arrive(ctx context.Context, address string) error {
	for _, a := range []string{"about:blank", address} {
		if err := chromedp.Do(ctx, chromedp.Navigate(a)); err != nil {
			return err
		}
		there := fmt.Sprintf("document.readyState === 'complete' && location.href.split('#')[0] === new URL(%q).href.split('#')[0]", a)
		for {
			ok, err := evaluate[bool](ctx, there)
			if ok && err == nil {
				break
			}
			if ctx.Err() != nil {
				return errors.Join(err, context.Cause(ctx))
			}
			time.Sleep(20 * time.Millisecond)
		}
	}
	return nil
}

// openFolds opens the folds around a cell, as a reader does.
const openFolds = `for (let fold = cell.closest('details'); fold; fold = fold.parentElement.closest('details')) fold.open = true;`

// testExplorable returns the seconds from the first touch to the first figure, and the milliseconds
// of every move.
func testExplorable(ctx context.Context, native *engine, page string, k, places int) (first float64, ms []float64, err error) {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Minute)
	defer cancel()
	focus := fmt.Sprintf(`(() => {
		const cell = document.querySelectorAll('[data-live]')[%d];
		`+openFolds+`
		cell.addEventListener('drawn', e => { window.firstDrawn = performance.now(); window.firstRequest = e.detail.request; }, { once: true });
		cell.addEventListener('keydown', () => { window.touched ??= performance.now(); }, true);
		const input = cell.querySelector('input');
		input.scrollIntoView({ block: 'end' });
		input.focus();
		return true;
	})()`, k)
	if err := open(ctx, page); err != nil {
		return 0, nil, err
	}
	if _, err := evaluate[bool](ctx, focus); err != nil {
		return 0, nil, err
	}
	if err := chromedp.Do(ctx, chromedp.KeyEvent(kb.ArrowRight)); err != nil {
		return 0, nil, err
	}
	if first, err = evaluate[float64](ctx, until("window.firstDrawn")+".then(() => (window.firstDrawn - window.touched) / 1000)"); err != nil {
		told, _ := evaluate[string](ctx, fmt.Sprintf("document.querySelectorAll('[data-live]')[%d].querySelector('.live-told').textContent", k))
		return 0, nil, fmt.Errorf("%w; the page says %q", err, told)
	}
	if err := staysAtFrame(ctx, native); err != nil {
		return 0, nil, err
	}
	moves, err := evaluate[[]move](ctx, fmt.Sprintf("(%s)(%d, %d)", liveScript, k, places))
	if err != nil {
		return 0, nil, err
	}
	if loaded, err := evaluate[[]string](ctx, fromNetwork); err != nil || len(loaded) > 0 {
		return 0, nil, errors.Join(err, fmt.Errorf("loaded %q", loaded))
	}
	for _, m := range moves {
		want, err := native.ask(m.Request)
		if err != nil {
			return 0, nil, err
		}
		if want.Error != "" || !slices.Equal(m.Numbers, want.Numbers) {
			return 0, nil, fmt.Errorf("%s gives\n  %v in the browser,\n  %v here %s", m.Request, m.Numbers, want.Numbers, want.Error)
		}
		ms = append(ms, m.Ms)
	}
	if len(ms) == 0 {
		return 0, nil, errors.New("nothing moved")
	}
	return first, ms, nil
}

// staysAtFrame returns an error if what was drawn first is not at values of the notebook's slider: the figure would
// jump when the page's own slider takes its place.
func staysAtFrame(ctx context.Context, native *engine) error {
	first, err := evaluate[struct {
		Name   string
		Values []float64
	}](ctx, "({ name: window.firstRequest.name, values: window.firstRequest.values })")
	if err != nil {
		return err
	}
	list, err := native.ask([]byte(`{"do":"list"}`))
	if err != nil {
		return err
	}
	for _, e := range list.Explorables {
		if e.Name != first.Name {
			continue
		}
		for k, p := range e.Params {
			if p.Frames != nil && k < 2 && !slices.Contains(p.Frames, first.Values[k]) {
				return fmt.Errorf("the first figure of %s is at %g, which is none of %g", e.Name, first.Values[k], p.Frames)
			}
		}
	}
	return nil
}

// testPlayground fits every method, by the address, and looks at what fails.
func testPlayground(ctx context.Context, site, out string) (seconds []float64, err error) {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Minute)
	defer cancel()
	address, err := filepath.Abs(filepath.Join(site, "playground.html"))
	if err != nil {
		return nil, err
	}
	address = "file://" + address
	const idle = `document.querySelector('.playground-told').textContent === '' && document.querySelector('.playground-results').childElementCount > 0`
	if err := chromedp.Do(ctx, chromedp.Navigate(address)); err != nil {
		return nil, err
	}
	if _, err := evaluate[bool](ctx, until(idle)); err != nil {
		return nil, err
	}
	for _, c := range []struct{ data, formula, method, want string }{
		{"prostate", "lpsa ~ . - train", "ols", "OLS fit of lpsa"},
		{"prostate", "lpsa ~ . - train", "ridge", "Cross-validation"},
		{"prostate", "lpsa ~ . - train", "lasso", "Cross-validation"},
		{"prostate", "svi ~ lcavol + age", "logistic", "Odds ratios"},
		{"prostate", "lpsa ~ . - train", "bayes", "Posterior"},
		{"prostate", "lpsa ~ . - train", "models", "Which terms are in"},
		{"prostate", "lpsa ~ lcavol +", "ols", "error"},
		{"prostate", "lpsa ~ nothing", "ols", "error"},
	} {
		took, failed, err := fitInPlayground(ctx, c.data, c.formula, c.method, c.want)
		if err != nil {
			return nil, err
		}
		if c.want != "error" {
			seconds = append(seconds, took)
		}
		fmt.Printf("playground %-9s %-20s %5.2f s  %s\n", c.method, c.formula, took, strings.SplitN(failed, "\n", 2)[0])
		if err := screenshot(ctx, filepath.Join(out, "playground-"+c.method+".png")); err != nil {
			return nil, err
		}
	}
	if err := testBack(ctx); err != nil {
		return nil, err
	}
	return seconds, testHostileFile(ctx, out)
}

// fitInPlayground fits a formula and returns how long that took, and the error shown if one is wanted.
func fitInPlayground(ctx context.Context, data, formula, method, want string) (seconds float64, failed string, err error) {
	fill := fmt.Sprintf(`(() => {
		const f = document.querySelector('form.playground').elements;
		f.data.value = %q; f.formula.value = %q; f.method.value = %q;
		document.querySelector('.playground-results').replaceChildren();
		const fit = document.querySelector('form.playground button[type=submit]');
		if (fit.offsetWidth === 0) throw new Error('the button is hidden');
		fit.click();
		return true;
	})()`, data, formula, method)
	start := time.Now()
	if _, err := evaluate[bool](ctx, fill); err != nil {
		return 0, "", fmt.Errorf("%s: %w", method, err)
	}
	says, err := evaluate[[2]string](ctx, until(done)+`.then(() => ['.playground-results', '.playground-error'].map(s => document.querySelector(s).textContent))`)
	if err != nil {
		return 0, "", fmt.Errorf("%s: %w", method, err)
	}
	text, failed := says[0], says[1]
	if want == "error" && failed == "" || want != "error" && (failed != "" || !strings.Contains(text, want)) {
		return 0, "", fmt.Errorf("%s of %s: %q is not in %.200q; error %q", method, formula, want, text, failed)
	}
	return time.Since(start).Seconds(), failed, nil
}

// done is whether the playground is at rest.
const done = `document.querySelector('.playground-told').textContent === '' && document.querySelector('.playground-results').getAttribute('aria-busy') === 'false'`

// testBack checks that the button for the page before brings its formula back, and that a file that is
// too large is told so.
func testBack(ctx context.Context) error {
	back := `(async () => {
		const f = document.querySelector('form.playground').elements, now = f.formula.value;
		history.back();
		await ` + until("f.formula.value !== now && "+done) + `;
		const transfer = new DataTransfer();
		transfer.items.add(new File([new Uint8Array(70 * 2 ** 20)], 'large.csv'));
		f.file.files = transfer.files;
		f.file.dispatchEvent(new Event('change'));
		await ` + until("document.querySelector('.playground-error').textContent.includes('at most 60')") + `;
		return true;
	})()`
	if ok, err := evaluate[bool](ctx, back); err != nil || !ok {
		return errors.Join(err, errors.New("the page before is not restored, or a large file not refused"))
	}
	return nil
}

// testHostileFile fits a file of the reader's own, with what must not become HTML.
func testHostileFile(ctx context.Context, out string) error {
	hostile := `(async () => {
		const text = 'y,<script>window.injected=1</script>,"<img src=x onerror=window.injected=1>"\n' + [...Array(20).keys()].map(i => [i + Math.sin(i), i, i * i % 7].join(',')).join('\n');
		const transfer = new DataTransfer();
		transfer.items.add(new File([text], 'my <b>file</b>.csv'));
		const input = document.querySelector('form.playground').elements.file;
		input.files = transfer.files;
		input.dispatchEvent(new Event('change'));
		const f = document.querySelector('form.playground').elements;
		await ` + until("f.formula.value === '' && "+done) + `; // the file has been read
		f.formula.value = 'y ~ .'; f.method.value = 'ols';
		document.querySelector('form.playground').requestSubmit();
		await ` + until(done) + `;
		return window.injected === 1 || document.querySelector('.playground-results').textContent.indexOf('OLS fit') < 0;
	})()`
	injected, err := evaluate[bool](ctx, hostile)
	if err != nil {
		return err
	}
	if injected {
		return errors.New("a file with markup in its names is not shown as text, or not fitted")
	}
	if err := screenshot(ctx, filepath.Join(out, "playground-file.png")); err != nil {
		return err
	}
	// The selection names the file; the data set chosen before can be chosen after it.
	named, err := evaluate[bool](ctx, `(() => {
		const f = document.querySelector('form.playground').elements, named = f.data.selectedOptions[0].textContent;
		f.data.value = 'prostate';
		f.data.dispatchEvent(new Event('change'));
		return named === 'my <b>file</b>.csv' && f.file.value === '' && f.formula.value.startsWith('lpsa ~') && ![...f.data.options].some(o => o.textContent === named);
	})()`)
	if err == nil && !named {
		err = errors.New("the selection of data does not name the file, or does not leave it")
	}
	return err
}

// testEarlyFile drops a file on the playground before its engine is there: it is what is read.
func testEarlyFile(ctx context.Context, site string) error {
	const drop = `if (location.search === '?early') addEventListener('DOMContentLoaded', () => {
		const dataTransfer = new DataTransfer();
		dataTransfer.items.add(new File(['dose,yield\n1,2\n2,3\n3,5\n'], 'early.csv'));
		dispatchEvent(new DragEvent('drop', { dataTransfer }));
		window.told = document.querySelector('.playground-told').textContent;
	})`
	if _, err := chromedp.Call(ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: drop}); err != nil {
		return err
	}
	if err := open(ctx, filepath.Join(site, "playground.html")+"?early"); err != nil {
		return err
	}
	read := until(`document.querySelector('.playground-told').textContent === '' && document.querySelector('.playground-results').childElementCount > 0`)
	says, err := evaluate[[3]string](ctx, read+`.then(() => [window.told, document.querySelector('form.playground').elements.data.selectedOptions[0].textContent, document.querySelector('.columns').textContent])`)
	if err == nil && says != [3]string{"Loading the engine…", "early.csv", "doseyield"} {
		err = fmt.Errorf("a file that was dropped while the page said %q: the data are %q, of columns %q", says[0], says[1], says[2])
	}
	return err
}

// touch opens a page, moves its first explorable by a key, in its opened folds, and waits for a condition.
func touch(ctx context.Context, page, before, condition string) error {
	if err := open(ctx, page); err != nil {
		return err
	}
	focus := before + `; const cell = document.querySelector('[data-live]');
		` + openFolds + `
		cell.addEventListener('drawn', e => { window.drawn = e.detail; });
		cell.querySelector('input').focus(); true`
	if _, err := evaluate[bool](ctx, focus); err != nil {
		return err
	}
	if err := chromedp.Do(ctx, chromedp.KeyEvent(kb.ArrowRight)); err != nil {
		return err
	}
	_, err := evaluate[bool](ctx, until(condition))
	return err
}

// testLeaks moves a slider 500 times; the memory of the engine and of the page settle.
func testLeaks(ctx context.Context, page string) (megabytes float64, err error) {
	if err := touch(ctx, page, "0", "window.drawn"); err != nil {
		return 0, err
	}
	const moves = `(async n => {
		const cell = document.querySelector('[data-live]'), s = cell.querySelector('.live input');
		for (let i = 0; i < n; i++) {
			const drawn = new Promise(resolve => cell.addEventListener('drawn', resolve, { once: true }));
			s.value = Number(s.value) === Number(s.max) ? 0 : Number(s.value) + 1;
			s.dispatchEvent(new Event('input'));
			await drawn;
		}
		return [window.drawn.bytes, performance.memory.usedJSHeapSize];
	})`
	start, err := evaluate[[2]float64](ctx, moves+"(100)")
	if err != nil {
		return 0, err
	}
	end, err := evaluate[[2]float64](ctx, moves+"(400)")
	if err != nil {
		return 0, err
	}
	fmt.Printf("memory after 100 and 500 moves: engine %.0f and %.0f MB, page %.0f and %.0f MB\n", start[0]/1e6, end[0]/1e6, start[1]/1e6, end[1]/1e6)
	if end[0] > 1.25*start[0] || end[1] > start[1]+100e6 {
		return 0, errors.New("it grows")
	}
	return end[0] / 1e6, nil
}

// testWithout touches a slider where there is no WebAssembly: the frames go on, and the page says so.
func testWithout(ctx context.Context, page string) error {
	return touch(ctx, page, "delete window.WebAssembly", `document.querySelector('.live-told').textContent.includes('does not run WebAssembly') && document.querySelector('[data-live] input').offsetWidth > 0`)
}

// testPhone looks for what is wider than a phone, at the playground and at a live figure.
func testPhone(ctx context.Context, site string, pages []string, out string) error {
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(390, 800)); err != nil {
		return err
	}
	for _, page := range append([]string{filepath.Join(site, "playground.html")}, pages...) {
		name := strings.TrimSuffix(filepath.Base(page), ".html")
		if name == "playground" {
			path, err := filepath.Abs(page)
			if err != nil {
				return err
			}
			if err := chromedp.Do(ctx, chromedp.Navigate("file://"+path+"#data=prostate&formula=lpsa+~+lcavol&method=ols")); err != nil {
				return err
			}
			if _, err := evaluate[bool](ctx, until("document.querySelectorAll('.playground-results img').length > 1")); err != nil {
				return err
			}
		} else if err := touch(ctx, page, "0", "window.drawn"); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		} else if _, err := evaluate[bool](ctx, "(document.querySelector('[data-live] .stage').scrollIntoView({ block: 'center' }), true)"); err != nil {
			return err
		}
		width, err := evaluate[float64](ctx, "document.documentElement.scrollWidth")
		if err != nil {
			return err
		}
		if width > 390 {
			return fmt.Errorf("%s is %g pixels wide", name, width)
		}
		if err := screenshot(ctx, filepath.Join(out, name+"-phone.png")); err != nil {
			return err
		}
	}
	return nil
}
