package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// probe.js defines look, slide and others, which look at a page.
//
//go:embed probe.js
var probe string

// A frontend is a page that runs notebooks.
type frontend struct {
	name      string
	page      string // address of a notebook, to be filled in with its name
	ready     string // selector of what is there when the page is, and its kernel idle
	cell      string // selectors of parts of the page
	prompt    string
	output    string
	failed    string
	runAll    string
	confirm   string
	save      string
	container string // what scrolls
}

var frontends = map[string]frontend{
	"lab": {
		name: "lab", page: "/lab/tree/%s?reset&token=%s", ready: `.jp-Notebook-ExecutionIndicator[data-status="idle"]`, cell: ".jp-CodeCell", prompt: ".jp-InputPrompt", output: ".jp-OutputArea-output",
		failed: `.jp-OutputArea-output[data-mime-type="application/vnd.jupyter.error"], .jp-OutputArea-output[data-mime-type="application/vnd.jupyter.stderr"]`,
		runAll: `button[data-command="notebook:restart-run-all"]`, confirm: ".jp-Dialog button.jp-mod-accept",
		save: `button[data-command="docmanager:save"]`, container: ".jp-WindowedPanel-outer, .jp-Notebook",
	},
	"classic": {
		name: "classic", page: "/notebooks/%s?token=%s", ready: "#kernel_indicator_icon.kernel_idle_icon", cell: ".code_cell", prompt: ".input_prompt", output: ".output_subarea",
		failed:  ".output_error, .output_stderr",
		runAll:  `button[data-jupyter-action="jupyter-notebook:confirm-restart-kernel-and-run-all-cells"]`,
		confirm: ".modal.in .btn-danger",
		save:    `button[data-jupyter-action="jupyter-notebook:save-notebook"]`, container: "#site",
	},
}

// exported is a page that nbconvert makes, which looks like JupyterLab.
var exported = frontend{name: "html", page: "/nbconvert/html/%s?token=%s", ready: ".jp-CodeCell", cell: ".jp-CodeCell", output: ".jp-OutputArea-output",
	failed: frontends["lab"].failed, container: "html"}

// testBrowser runs the notebooks in each frontend that has an address, and
// looks at what they show; then at the same as exported to HTML, and in JupyterLab as
// a notebook from elsewhere, whose scripts are not trusted.
func testBrowser(ctx context.Context, lab, classic, out string, paths []string) error {
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.WindowSize(1400, 1000))
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox)
	}
	ctx, cancel := chromedp.NewExecAllocator(ctx, options...)
	defer cancel()
	ran := false
	addresses := map[string]string{"lab": lab, "classic": classic}
	for _, name := range slices.Sorted(maps.Keys(addresses)) {
		address := addresses[name]
		if address == "" {
			continue
		}
		ran = true
		s, err := newServer(address)
		if err != nil {
			return err
		}
		for _, path := range paths {
			t := &browserTest{server: s, frontend: frontends[name], out: out, title: strings.TrimSuffix(filepath.Base(path), ".ipynb")}
			if err := t.run(ctx, path); err != nil {
				return fmt.Errorf("%s in %s: %w", path, name, err)
			}
		}
	}
	if !ran {
		return errors.New("want the address of -lab or of -classic")
	}
	return nil
}

// A browserTest runs one notebook in one frontend.
type browserTest struct {
	*server
	frontend
	out, title      string
	figures, tables int // that the notebook has to show
}

func (t *browserTest) run(ctx context.Context, path string) (err error) {
	nb, err := readNotebook(path)
	if err != nil {
		return err
	}
	name, err := t.put(ctx, nb, path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, t.remove(ctx, name)) }()
	ctx, cancel := chromedp.NewContext(ctx)
	defer cancel()

	start := time.Now()
	if err := t.open(ctx, t.frontend, name); err != nil {
		return err
	}
	opened := time.Since(start)
	start = time.Now()
	if err := t.runAll(ctx, len(nb.Cells)); err != nil {
		return errors.Join(err, t.screenshot(ctx, t.frontend, "failed"))
	}
	fmt.Printf("ok  %s: %s opened in %.1f s, run in %.1f s\n", t.frontend.name, t.title, opened.Seconds(), time.Since(start).Seconds())
	if err := t.click(ctx, t.frontend.save); err != nil {
		return err
	}
	if nb, err = t.saved(ctx, name); err != nil {
		return errors.Join(err, t.screenshot(ctx, t.frontend, "failed"))
	}
	if t.figures, t.tables, err = nb.outputs(); err != nil {
		return err
	}
	if err := t.look(ctx, t.frontend, ""); err != nil {
		return err
	}
	// The same as the server exports it to HTML, and as a notebook whose
	// outputs come from elsewhere.
	if err := t.open(ctx, exported, name); err != nil {
		return err
	}
	if err := t.look(ctx, exported, "exported"); err != nil {
		return err
	}
	return t.lookAtUntrusted(ctx, nb, path)
}

// open opens a notebook and waits until the page is there and, if that runs
// notebooks, connected to an idle kernel.
func (t *browserTest) open(ctx context.Context, f frontend, name string) error {
	address := t.base + fmt.Sprintf(f.page, url.PathEscape(name), t.token)
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(1400, 1000), chromedp.Navigate(address)); err != nil {
		return err
	}
	return t.until(ctx, 10*time.Minute, "the page is ready and the kernel idle", func() (string, error) {
		state, err := evaluate[string](ctx, fmt.Sprintf(`document.querySelector(%q) ? "" : document.title`, f.ready))
		if err == nil && state == "" && f.runAll != "" {
			connected, err := t.connected(ctx, name)
			if !connected {
				state = "not connected to the kernel"
			}
			return state, err
		}
		return state, err
	})
}

// runAll restarts the kernel and runs all cells, as a reader does, and waits
// until every code cell has been run.
func (t *browserTest) runAll(ctx context.Context, cells int) error {
	if err := t.click(ctx, t.frontend.runAll); err != nil {
		return err
	}
	if err := t.click(ctx, t.confirm); err != nil {
		return err
	}
	// All cells are on the page at once if it is long enough.
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(1400, int64(600*cells))); err != nil {
		return err
	}
	return t.until(ctx, 10*time.Minute, "all cells have been run", func() (string, error) {
		return evaluate[string](ctx, t.call(t.frontend, "pending()"))
	})
}

// call returns the call of a function of probe.js with the selectors of a
// frontend.
func (t *browserTest) call(f frontend, function string) string {
	return fmt.Sprintf("(() => { const cell = %q, prompt = %q, output = %q, failed = %q, box = %q;\n%s\nreturn %s })()",
		f.cell, f.prompt, f.output, f.failed, f.container, probe, function)
}

// evaluate evaluates an expression on the page, which may be a promise.
func evaluate[T any](ctx context.Context, expression string) (T, error) {
	return chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
}

// until waits until state returns the empty string. It says what is waited for;
// a state that begins with "failed" ends the waiting.
func (t *browserTest) until(ctx context.Context, timeout time.Duration, what string, state func() (string, error)) error {
	last := ""
	for deadline := time.Now().Add(timeout); time.Now().Before(deadline); time.Sleep(100 * time.Millisecond) {
		var err error
		last, err = state()
		switch {
		case err != nil:
			return errors.Join(err, context.Cause(ctx))
		case last == "":
			return nil
		case strings.HasPrefix(last, "failed"):
			return errors.New(last)
		}
	}
	return fmt.Errorf("waited %v until %s: %s", timeout, what, last)
}

// click clicks with the mouse on the element that a selector finds, when it is
// to be seen.
func (t *browserTest) click(ctx context.Context, selector string) error {
	ctx, cancel := context.WithTimeoutCause(ctx, 5*time.Minute, fmt.Errorf("nothing on the page to click on: %s", selector))
	defer cancel()
	if err := chromedp.Do(ctx, chromedp.Click(chromedp.CSS(selector))); err != nil {
		return errors.Join(err, context.Cause(ctx))
	}
	return nil
}

// A sight is what look finds on a page.
type sight struct {
	Figures []struct {
		Width, Height int
		Natural       int     // width in pixels of the picture, 0 if it is broken
		Ink           float64 // share of the pixels that are not white
		Seen          bool    // whether it is on top at its centre
	}
	Tables []struct {
		Rows, Width int
		Text        string
	}
	Overlapping []string
	Errors      []string
	Garbled     []string
	Sliders     int
	Moving      int // pictures that sliders change
}

// look checks what a page shows, and moves its sliders. kind is part of the
// screenshot's name.
func (t *browserTest) look(ctx context.Context, f frontend, kind string) error {
	var s sight
	height := 0
	err := t.until(ctx, 2*time.Minute, "all is to be seen", func() (string, error) {
		// Pages put cells where they come into view: make all of them do.
		now, err := evaluate[int](ctx, t.call(f, "height()"))
		if err != nil {
			return "", err
		}
		if now != height {
			height = now
			return "the page grows", chromedp.Do(ctx, chromedp.EmulateViewport(1400, int64(min(height+300, 16000))))
		}
		if s, err = evaluate[sight](ctx, t.call(f, "look()")); err != nil {
			return "", err
		}
		if bad := s.check(t.figures+s.Moving, t.tables); bad != nil {
			return "the page has " + bad.Error(), nil
		}
		return "", nil
	})
	err = errors.Join(err, t.slide(ctx, f, s.Sliders, kind == "untrusted"))
	if err := t.screenshot(ctx, f, kind); err != nil {
		return err
	}
	if err != nil {
		return fmt.Errorf("%s page: %w", strings.TrimSpace(f.name+" "+kind), err)
	}
	fmt.Printf("    %-15s %d figures, %d tables, %d sliders\n", strings.TrimSpace(f.name+" "+kind), len(s.Figures), len(s.Tables), s.Sliders)
	return nil
}

func (s *sight) check(figures, tables int) error {
	var errs []error
	if len(s.Figures) != figures || len(s.Tables) != tables {
		errs = append(errs, fmt.Errorf("%d figures and %d tables, want %d and %d", len(s.Figures), len(s.Tables), figures, tables))
	}
	for i, f := range s.Figures {
		if f.Natural < 100 || f.Width < 100 || f.Height < 50 || f.Ink < 0.005 || !f.Seen {
			errs = append(errs, fmt.Errorf("figure %d is not to be seen: %+v", i+1, f))
		}
	}
	for i, table := range s.Tables {
		if table.Rows == 0 || table.Width < 50 || strings.TrimSpace(table.Text) == "" {
			errs = append(errs, fmt.Errorf("table %d is not to be seen: %+v", i+1, table))
		}
	}
	if found := slices.Concat(s.Overlapping, s.Errors, s.Garbled); len(found) > 0 {
		errs = append(errs, errors.New(strings.Join(found, "; ")))
	}
	return errors.Join(errs...)
}

// slide moves every slider to its end, and back with the keyboard. On a page
// that is not trusted nothing may move, and no slider may be seen.
func (t *browserTest) slide(ctx context.Context, f frontend, sliders int, untrusted bool) error {
	for i := range sliders {
		moved, err := evaluate[string](ctx, t.call(f, fmt.Sprintf("slide(%d)", i)))
		if err != nil {
			return err
		}
		first, _, ok := strings.Cut(moved, " to ")
		if ok == untrusted || untrusted && moved != "" {
			return fmt.Errorf("slider %d: %q", i+1, moved)
		}
		if untrusted {
			continue
		}
		if wrong, err := evaluate[string](ctx, t.call(f, fmt.Sprintf("hold(%d)", i))); err != nil || wrong != "" {
			return errors.Join(fmt.Errorf("slider %d: %s", i+1, wrong), err)
		}
		// Arrows would choose another cell, were the notebook to take them.
		if err := chromedp.Do(ctx, chromedp.KeyEvent(kb.Home+kb.ArrowRight+kb.ArrowUp+kb.ArrowLeft+kb.ArrowDown)); err != nil {
			return err
		}
		told, err := evaluate[string](ctx, t.call(f, fmt.Sprintf("told(%d)", i)))
		if err != nil {
			return err
		}
		if told != first+" is "+first {
			return fmt.Errorf("slider %d: the keys lead to %q, want %q", i+1, told, first)
		}
	}
	return nil
}

// screenshot keeps a picture of the page.
func (t *browserTest) screenshot(ctx context.Context, f frontend, kind string) error {
	picture, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	if err != nil {
		return err
	}
	name := t.frontend.name + "-" + t.title
	if kind != "" {
		name += "-" + kind
	}
	return os.WriteFile(filepath.Join(t.out, name+".png"), picture, 0o644)
}

// lookAtUntrusted looks at a copy of an executed notebook that the server does
// not know.
func (t *browserTest) lookAtUntrusted(ctx context.Context, nb *notebook, path string) (err error) {
	for _, c := range nb.Cells {
		if metadata, ok := c["metadata"].(map[string]any); ok {
			delete(metadata, "trusted")
		}
	}
	nb.Cells[0]["source"] = source(nb.Cells[0]) + "\n" // or the server would know its signature
	copied, err := t.put(ctx, nb, "untrusted-"+filepath.Base(path))
	if err != nil {
		return err
	}
	defer func() {
		// A page that is open might save the notebook again.
		err = errors.Join(err, chromedp.Do(ctx, chromedp.Navigate("about:blank")), t.remove(ctx, copied))
	}()
	if err := t.open(ctx, t.frontend, copied); err != nil {
		return err
	}
	return t.look(ctx, t.frontend, "untrusted")
}

// saved waits until the notebook on the server has its outputs, and returns it. While the page
// writes it, the server may find no notebook in the file.
func (t *browserTest) saved(ctx context.Context, name string) (nb *notebook, err error) {
	err = t.until(ctx, 5*time.Minute, "the notebook is saved with its outputs", func() (string, error) {
		nb, err = t.read(ctx, name)
		switch {
		case ctx.Err() != nil:
			return "", err
		case err != nil:
			return err.Error(), nil
		case !nb.hasLastOutput():
			return "the last cell has no output", nil
		}
		return "", nil
	})
	return nb, err
}

// read returns a notebook of the server as its file has it now.
func (t *browserTest) read(ctx context.Context, name string) (*notebook, error) {
	var file struct{ Content *notebook }
	if err := t.do(ctx, "GET", "/api/contents/"+url.PathEscape(name), nil, &file); err != nil {
		return nil, err
	}
	if file.Content == nil || len(file.Content.Cells) == 0 {
		return nil, errors.New("no cells")
	}
	return file.Content, nil
}

func (nb *notebook) hasLastOutput() bool {
	outputs, ok := nb.Cells[len(nb.Cells)-1]["outputs"].([]any)
	return ok && len(outputs) > 0
}
