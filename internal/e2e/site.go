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

	"github.com/regbook/regbook/internal/try"
)

// engine is internal/engine on this machine, whose answers those of the browser have to equal.
type engine struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

func startEngine(ctx context.Context, program string) *engine {
	e := &engine{cmd: exec.CommandContext(ctx, program)}
	e.in = try.Get(e.cmd.StdinPipe())
	e.out = bufio.NewReader(try.Get(e.cmd.StdoutPipe()))
	try.Check(e.cmd.Start())
	return e
}

// ask sends a request as it stands, and returns the answer.
func (e *engine) ask(request []byte) (answer struct {
	Numbers     []liveNumber
	Error       string
	Explorables []struct {
		Name   string
		Params []struct{ Frames []float64 }
	}
}) {
	try.Get(e.in.Write(append(slices.Clone(request), '\n')))
	try.Check(json.Unmarshal(try.Get(e.out.ReadBytes('\n')), &answer))
	return answer
}

// confirm holds the numbers of a move to those of the engine.
func (e *engine) confirm(m move) {
	want := e.ask(m.Request)
	if want.Error != "" || !slices.Equal(m.Numbers, want.Numbers) {
		try.Fail(fmt.Errorf("%s gives\n  %v in the browser,\n  %v here %s", m.Request, m.Numbers, want.Numbers, want.Error))
	}
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
func testSite(ctx context.Context, site, program, out string, places int, only, record string) (err error) {
	defer try.Handle(&err)
	try.Check(os.MkdirAll(out, 0o755))
	packed, _ := sizeOfEngine(site)
	fmt.Printf("the engine has %.2f MB packed\n", packed/1e6)
	native := startEngine(ctx, program)
	defer native.in.Close()
	ctx, cancel := newBrowser(ctx)
	defer cancel()
	var bad []string
	watch := func(tab context.Context) { noteErrors(tab, &bad) }
	watch(ctx)
	pages, explorables := withExplorables(site)
	times := &siteTimes{}
	err = testParts(ctx, only, []part{
		{"figures", func() { testExplorables(ctx, native, pages, explorables, places, times, out) }},
		{"playground", func() { times.fits = testPlayground(ctx, site, out) }},
		{"files", func() { times.large = testFiles(ctx, site, out) }},
		{"drawn", func() { testDrawn(ctx, site, out) }},
		{"first", func() { testFirst(ctx, native, site, out) }},
		{"print", func() { testPrint(ctx, site) }},
		{"early", func() { testEarlyFile(ctx, site) }},
		{"state", func() { testState(ctx, site, watch) }},
		{"downloads", func() { testDownloads(ctx, site) }},
		{"memory", func() { times.memory = testLeaks(ctx, pages[len(pages)-1]) }},
		{"without", func() { testWithout(ctx, pages[0]) }},
		{"dragging", func() { testDrags(ctx, native, site, out) }},
		{"keys", func() { testKeys(ctx, native, site) }},
		{"address", func() { testAddress(ctx, native, site, out) }},
		{"tabs", func() { testTabs(ctx, native, site) }},
		{"dark", func() { testDark(ctx, site, out) }},
		{"search", func() { testSearch(ctx, site, out) }},
		{"examples", func() { testExamples(ctx, site) }},
		{"policies", func() { testPolicies(ctx, site) }},
		{"below", func() { testBelow(ctx, site) }},
		{"phone", func() { testPhone(ctx, site, pages, out) }},
	})
	if len(bad) > 0 {
		err = errors.Join(err, fmt.Errorf("in the browser:\n  %s", strings.Join(bad, "\n  ")))
	}
	if err != nil || only != "" {
		return err
	}
	times.print(ctx, site, record)
	return nil
}

// part is a part of the test of the site.
type part struct {
	what string
	test func()
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
		if e := try.Do(t.test); e != nil { // the others are tested, too
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
func withExplorables(site string) (pages []string, explorables map[string]int) {
	all := try.Get(filepath.Glob(filepath.Join(site, "[0-9][0-9]*.html")))
	explorables = map[string]int{}
	for _, page := range all {
		b := try.Get(os.ReadFile(page))
		if n := bytes.Count(b, []byte("data-live=")); n > 0 {
			pages, explorables[page] = append(pages, page), n
		}
	}
	if len(pages) == 0 {
		try.Fail(errors.New("the site has no explorables"))
	}
	return pages, explorables
}

// print prints the table of times, and writes it to the file record unless that is "".
func (t *siteTimes) print(ctx context.Context, site, record string) {
	table := t.table(ctx, site)
	fmt.Print(table)
	if record == "" {
		return
	}
	replaceTable(record, table)
}

// noteErrors adds what a tab throws to a list.
func noteErrors(tab context.Context, bad *[]string) {
	try.Check(chromedp.Listen(tab, func(ev any) {
		if thrown, ok := ev.(*runtime.EventExceptionThrown); ok {
			*bad = append(*bad, thrown.ExceptionDetails.Text)
		}
	}))
	noteViolations(tab)
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
func testExplorables(ctx context.Context, native *engine, pages []string, explorables map[string]int, places int, times *siteTimes, out string) {
	for _, page := range pages {
		for k := range explorables[page] {
			var first float64
			var ms []float64
			within(fmt.Sprintf("%s, explorable %d", filepath.Base(page), k+1), func() { first, ms = testExplorable(ctx, native, page, k, places) })
			slices.Sort(ms)
			times.first, times.moves = append(times.first, first), append(times.moves, ms...)
			times.medians = append(times.medians, ms[len(ms)/2])
			fmt.Printf("%-34s %d  first figure %5.2f s, then median %4.0f ms, longest %5.0f ms, %d moves\n",
				strings.TrimSuffix(filepath.Base(page), ".html"), k+1, first, ms[len(ms)/2], ms[len(ms)-1], len(ms))
			screenshot(ctx, filepath.Join(out, fmt.Sprintf("%s-%d.png", strings.TrimSuffix(filepath.Base(page), ".html"), k+1)))
		}
	}
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

func screenshot(ctx context.Context, file string) {
	png := try.Get(chromedp.Run(ctx, chromedp.CaptureScreenshot()))
	try.Check(os.WriteFile(file, png, 0o644))
}

// screenshotOf is a screenshot of the window that an element is in.
func screenshotOf(ctx context.Context, selector, file string) {
	eval[bool](ctx, fmt.Sprintf("(document.querySelector(%q).scrollIntoView({ block: 'center' }), true)", selector))
	screenshot(ctx, file)
}

// open opens a page from its file.
func open(ctx context.Context, page string) { arrive(ctx, addressOf(page)) }

// addressOf is that of a file, as a browser opens it.
func addressOf(file string) string { return "file://" + try.Get(filepath.Abs(file)) }

// arrive opens an address by way of an empty page, and waits until each is there: the page before may write its
// own address meanwhile, which the browser tells as an arrival.
func arrive(ctx context.Context, address string) {
	for _, a := range []string{"about:blank", address} {
		act(ctx, chromedp.Navigate(a))
		there := fmt.Sprintf("document.readyState === 'complete' && location.href.split('#')[0] === new URL(%q).href.split('#')[0]", a)
		for {
			ok, err := evaluate[bool](ctx, there)
			if ok && err == nil {
				break
			}
			if ctx.Err() != nil {
				try.Fail(errors.Join(err, context.Cause(ctx)))
			}
			time.Sleep(20 * time.Millisecond)
		}
	}
}

// openFolds opens the folds around a cell, as a reader does.
const openFolds = `for (let fold = cell.closest('details'); fold; fold = fold.parentElement.closest('details')) fold.open = true;`

// testExplorable returns the seconds from the first touch to the first figure, and the milliseconds
// of every move.
func testExplorable(ctx context.Context, native *engine, page string, k, places int) (first float64, ms []float64) {
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
	open(ctx, page)
	eval[bool](ctx, focus)
	act(ctx, chromedp.KeyEvent(kb.ArrowRight))
	first, err := evaluate[float64](ctx, until("window.firstDrawn")+".then(() => (window.firstDrawn - window.touched) / 1000)")
	if err != nil {
		told, _ := evaluate[string](ctx, fmt.Sprintf("document.querySelectorAll('[data-live]')[%d].querySelector('.live-told').textContent", k))
		try.Fail(fmt.Errorf("%w; the page says %q", err, told))
	}
	staysAtFrame(ctx, native)
	moves := eval[[]move](ctx, fmt.Sprintf("(%s)(%d, %d)", liveScript, k, places))
	if loaded := eval[[]string](ctx, fromNetwork); len(loaded) > 0 {
		try.Fail(fmt.Errorf("loaded %q", loaded))
	}
	for _, m := range moves {
		native.confirm(m)
		ms = append(ms, m.Ms)
	}
	if len(ms) == 0 {
		try.Fail(errors.New("nothing moved"))
	}
	return first, ms
}

// staysAtFrame fails if what was drawn first is not at values of the notebook's slider: the figure would
// jump when the page's own slider takes its place.
func staysAtFrame(ctx context.Context, native *engine) {
	first := eval[struct {
		Name   string
		Values []float64
	}](ctx, "({ name: window.firstRequest.name, values: window.firstRequest.values })")
	for _, e := range native.ask([]byte(`{"do":"list"}`)).Explorables {
		if e.Name != first.Name {
			continue
		}
		for k, p := range e.Params {
			if p.Frames != nil && k < 2 && !slices.Contains(p.Frames, first.Values[k]) {
				try.Fail(fmt.Errorf("the first figure of %s is at %g, which is none of %g", e.Name, first.Values[k], p.Frames))
			}
		}
	}
}

// testPlayground fits every method, by the address, and looks at what fails.
func testPlayground(ctx context.Context, site, out string) (seconds []float64) {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Minute)
	defer cancel()
	const idle = `document.querySelector('.playground-told').textContent === '' && document.querySelector('.playground-results').childElementCount > 0`
	act(ctx, chromedp.Navigate(addressOf(filepath.Join(site, "playground.html"))))
	eval[bool](ctx, until(idle))
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
		took, failed := fitInPlayground(ctx, c.data, c.formula, c.method, c.want)
		if c.want != "error" {
			seconds = append(seconds, took)
		}
		fmt.Printf("playground %-9s %-20s %5.2f s  %s\n", c.method, c.formula, took, strings.SplitN(failed, "\n", 2)[0])
		screenshot(ctx, filepath.Join(out, "playground-"+c.method+".png"))
	}
	testBack(ctx)
	testHostileFile(ctx, out)
	return seconds
}

// fitInPlayground fits a formula and returns how long that took, and the error shown if one is wanted.
func fitInPlayground(ctx context.Context, data, formula, method, want string) (seconds float64, failed string) {
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
	var says [2]string
	within(method, func() {
		eval[bool](ctx, fill)
		says = eval[[2]string](ctx, until(done)+`.then(() => ['.playground-results', '.playground-error'].map(s => document.querySelector(s).textContent))`)
	})
	text, failed := says[0], says[1]
	if want == "error" && failed == "" || want != "error" && (failed != "" || !strings.Contains(text, want)) {
		try.Fail(fmt.Errorf("%s of %s: %q is not in %.200q; error %q", method, formula, want, text, failed))
	}
	return time.Since(start).Seconds(), failed
}

// done is whether the playground is at rest.
const done = `document.querySelector('.playground-told').textContent === '' && document.querySelector('.playground-results').getAttribute('aria-busy') === 'false'`

// testBack checks that the button for the page before brings its formula back, and that a file that is
// too large is told so.
func testBack(ctx context.Context) {
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
	within("the page before is not restored, or a large file not refused", func() { eval[bool](ctx, back) })
}

// testHostileFile fits a file of the reader's own, with what must not become HTML.
func testHostileFile(ctx context.Context, out string) {
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
	injected := eval[bool](ctx, hostile)
	if injected {
		try.Fail(errors.New("a file with markup in its names is not shown as text, or not fitted"))
	}
	screenshot(ctx, filepath.Join(out, "playground-file.png"))
	// The selection names the file; the data set chosen before can be chosen after it.
	named := eval[bool](ctx, `(() => {
		const f = document.querySelector('form.playground').elements, named = f.data.selectedOptions[0].textContent;
		f.data.value = 'prostate';
		f.data.dispatchEvent(new Event('change'));
		return named === 'my <b>file</b>.csv' && f.file.value === '' && f.formula.value.startsWith('lpsa ~') && ![...f.data.options].some(o => o.textContent === named);
	})()`)
	if !named {
		try.Fail(errors.New("the selection of data does not name the file, or does not leave it"))
	}
}

// testEarlyFile drops a file on the playground before its engine is there: it is what is read.
func testEarlyFile(ctx context.Context, site string) {
	const drop = `if (location.search === '?early') addEventListener('DOMContentLoaded', () => {
		const dataTransfer = new DataTransfer();
		dataTransfer.items.add(new File(['dose,yield\n1,2\n2,3\n3,5\n'], 'early.csv'));
		dispatchEvent(new DragEvent('drop', { dataTransfer }));
		window.told = document.querySelector('.playground-told').textContent;
	})`
	try.Get(chromedp.Call(ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: drop}))
	open(ctx, filepath.Join(site, "playground.html")+"?early")
	read := until(`document.querySelector('.playground-told').textContent === '' && document.querySelector('.playground-results').childElementCount > 0`)
	says := eval[[3]string](ctx, read+`.then(() => [window.told, document.querySelector('form.playground').elements.data.selectedOptions[0].textContent, document.querySelector('.columns').textContent])`)
	if says != [3]string{"Loading the engine…", "early.csv", "doseyield"} {
		try.Fail(fmt.Errorf("a file that was dropped while the page said %q: the data are %q, of columns %q", says[0], says[1], says[2]))
	}
}

// touch opens a page, moves its first explorable by a key, in its opened folds, and waits for a condition.
func touch(ctx context.Context, page, before, condition string) {
	open(ctx, page)
	focus := before + `; const cell = document.querySelector('[data-live]');
		` + openFolds + `
		cell.addEventListener('drawn', e => { window.drawn = e.detail; });
		cell.querySelector('input').focus(); true`
	eval[bool](ctx, focus)
	act(ctx, chromedp.KeyEvent(kb.ArrowRight))
	eval[bool](ctx, until(condition))
}

// testLeaks moves a slider 500 times; the memory of the engine and of the page settle.
func testLeaks(ctx context.Context, page string) (megabytes float64) {
	touch(ctx, page, "0", "window.drawn")
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
	start := eval[[2]float64](ctx, moves+"(100)")
	end := eval[[2]float64](ctx, moves+"(400)")
	fmt.Printf("memory after 100 and 500 moves: engine %.0f and %.0f MB, page %.0f and %.0f MB\n", start[0]/1e6, end[0]/1e6, start[1]/1e6, end[1]/1e6)
	if end[0] > 1.25*start[0] || end[1] > start[1]+100e6 {
		try.Fail(errors.New("it grows"))
	}
	return end[0] / 1e6
}

// testWithout touches a slider where there is no WebAssembly: the frames go on, and the page says so.
func testWithout(ctx context.Context, page string) {
	touch(ctx, page, "delete window.WebAssembly", `document.querySelector('.live-told').textContent.includes('does not run WebAssembly') && document.querySelector('[data-live] input').offsetWidth > 0`)
}

// testPhone looks for what is wider than a phone, at the playground and at a live figure.
func testPhone(ctx context.Context, site string, pages []string, out string) {
	act(ctx, chromedp.EmulateViewport(390, 800))
	for _, page := range append([]string{filepath.Join(site, "playground.html")}, pages...) {
		name := strings.TrimSuffix(filepath.Base(page), ".html")
		if name == "playground" {
			act(ctx, chromedp.Navigate(addressOf(page)+"#data=prostate&formula=lpsa+~+lcavol&method=ols"))
			eval[bool](ctx, until("document.querySelectorAll('.playground-results img').length > 1"))
		} else {
			within(name, func() { touch(ctx, page, "0", "window.drawn") })
			eval[bool](ctx, "(document.querySelector('[data-live] .stage').scrollIntoView({ block: 'center' }), true)")
		}
		width := eval[float64](ctx, "document.documentElement.scrollWidth")
		if width > 390 {
			try.Fail(fmt.Errorf("%s is %g pixels wide", name, width))
		}
		screenshot(ctx, filepath.Join(out, name+"-phone.png"))
	}
}

// eval evaluates an expression on the page, which may be a promise.
func eval[T any](ctx context.Context, expression string) T {
	return try.Get(evaluate[T](ctx, expression))
}

// act has the browser do something.
func act(ctx context.Context, actions ...chromedp.Action[chromedp.Void]) {
	try.Check(chromedp.Do(ctx, actions...))
}

// within says of an error of a part what it is about.
func within(what string, part func()) {
	if err := try.Do(part); err != nil {
		try.Fail(fmt.Errorf("%s: %w", what, err))
	}
}
