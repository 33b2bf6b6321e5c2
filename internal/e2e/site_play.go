package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image/png"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/chromedp"

	"github.com/regbook/regbook/internal/try"
)

// played has the state of the playground: formula, heading of the first result, error.
const played = `['#formula', '.playground-results h2', '.playground-error'].map(s => { const e = document.querySelector(s); return e?.value ?? e?.textContent ?? ''; })`

// testState follows a link to a fit, makes another, goes back, forward and back to the first page of all, and follows
// the address of a fit to a file, in a tab of its own: a history holds 50 pages, and those that no reader opened
// leave it first.
func testState(ctx context.Context, site string, watch func(tab context.Context)) {
	ctx, cancel := chromedp.NewContext(ctx)
	defer cancel()
	watch(ctx)
	wait := func(formula, heading, failed string) {
		condition := fmt.Sprintf(`(([f, h, e]) => f === %q && h === %q && e.includes(%q) && (e === '') === %t && document.querySelector('.playground-told').textContent === '')(%s)`,
			formula, heading, failed, failed == "", played)
		if _, err := evaluate[bool](ctx, until(condition)); err != nil {
			is, _ := evaluate[[3]string](ctx, played)
			try.Fail(fmt.Errorf("shown are %q, not %q, %q, %q", is, formula, heading, failed))
		}
	}
	const first, second = "lpsa ~ lcavol", "lpsa ~ lcavol + svi"
	act(ctx, chromedp.Navigate("about:blank"), chromedp.Navigate(addressOf(filepath.Join(site, "playground.html"))))
	wait("lpsa ~ . - train", "The columns", "")
	for _, step := range []struct {
		do                       string
		formula, heading, failed string
	}{
		{"location.hash = 'data=prostate&formula=lpsa+~+lcavol&method=ols'", first, "Least squares", ""},
		{fmt.Sprintf("document.querySelector('#formula').value = %q, document.querySelector('form.playground').requestSubmit()", second), second, "Least squares", ""},
		{"history.back()", first, "Least squares", ""},
		{"history.back()", "lpsa ~ . - train", "The columns", ""},
		{"history.forward()", first, "Least squares", ""},
		{"history.forward()", second, "Least squares", ""},
		{"location.hash = 'file=my.csv&formula=y+~+x&method=ols'", "y ~ x", "", "choose the file"},
		{"location.hash = 'data=nothing&formula=y+~+x&method=ols'", "y ~ x", "", "no data set"},
	} {
		eval[bool](ctx, "("+step.do+", true)")
		within(step.do, func() { wait(step.formula, step.heading, step.failed) })
	}
}

// testDownloads presses the buttons below a table and a figure, and reads the files.
func testDownloads(ctx context.Context, site string) {
	dir := try.Get(os.MkdirTemp("", "regbook"))
	defer os.RemoveAll(dir)
	try.Get(chromedp.CallBrowser(ctx, browser.SetDownloadBehavior, browser.SetDownloadBehaviorParams{Behavior: browser.SetDownloadBehaviorBehaviorAllow, DownloadPath: dir}))
	formula := "lpsa ~ lcavol + svi"
	openPlayground(ctx, site, "data=prostate&method=ols&new=lcavol,svi%0A1,0&formula="+url.QueryEscape(formula))
	for _, c := range []struct {
		title, button, file string
		check               func(b []byte) bool
	}{
		{"Least squares", "CSV", "least-squares.csv", func(b []byte) bool { return bytes.Contains(b, []byte("lcavol,")) && bytes.Contains(b, []byte("svi,")) }},
		{"Least squares", "LaTeX", "least-squares.tex", func(b []byte) bool {
			return bytes.Contains(b, []byte(`\begin{tabular}`)) && bytes.Contains(b, []byte("lcavol"))
		}},
		{"Predictions", "CSV", "predictions.csv", func(b []byte) bool { return bytes.Count(b, []byte("\n")) == 2 }},
		{"Diagnostics", "SVG", "diagnostics.svg", func(b []byte) bool { return bytes.Contains(b, []byte("<svg")) && bytes.Contains(b, []byte("</svg>")) }},
		{"Diagnostics", "PNG", "diagnostics.png", func(b []byte) bool {
			img, err := png.Decode(bytes.NewReader(b))
			return err == nil && img.Bounds().Dx() > 1000 && img.Bounds().Dy() > 500
		}},
	} {
		download(ctx, c.title, c.button, filepath.Join(dir, c.file), c.check)
	}
	codes := eval[[]string](ctx, "[...document.querySelectorAll('.playground-results pre')].map(e => e.textContent)")
	for what, want := range map[string][2]string{
		"cell": {"%%\n", fmt.Sprintf("must.M1(frames.Design(df, %q))", formula)}, "R": {"df <- ", fmt.Sprintf("lm(%s, df)", formula)},
	} {
		if !slices.ContainsFunc(codes, func(code string) bool { return strings.HasPrefix(code, want[0]) && strings.Contains(code, want[1]) }) {
			try.Fail(fmt.Errorf("no %s to copy has %s:\n%s", what, want[1], strings.Join(codes, "\n")))
		}
	}
}

// download presses a button of a section of the results, and waits for the file.
func download(ctx context.Context, title, button, path string, check func(b []byte) bool) {
	const press = `(([title, name]) => {
		const section = [...document.querySelectorAll('.playground-results section')].find(s => s.querySelector('h2').textContent === title);
		[...section.querySelectorAll('button')].find(b => b.textContent === name).click();
		return true;
	})`
	within(fmt.Sprintf("%s of %s", button, title), func() { eval[bool](ctx, fmt.Sprintf("%s([%q, %q])", press, title, button)) })
	var b []byte
	for end := time.Now().Add(10 * time.Minute); ; time.Sleep(50 * time.Millisecond) {
		var err error
		if b, err = os.ReadFile(path); err == nil && check(b) {
			break
		}
		if time.Now().After(end) {
			try.Fail(errors.Join(err, fmt.Errorf("%s of %s has %d bytes: %.200q", button, title, len(b), b)))
		}
	}
	fmt.Printf("%s has %d bytes\n", filepath.Base(path), len(b))
}
