package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/chromedp"

	"github.com/regbook/regbook/internal/machine"
	"github.com/regbook/regbook/internal/try"
)

// siteTimes are what a reader waits for.
type siteTimes struct {
	first   []float64 // seconds from the first touch of every explorable to its figure
	moves   []float64 // milliseconds of every move
	medians []float64 // of the moves of every explorable
	fits    []float64 // seconds of the playground's fits
	large   []float64 // seconds to read 100,000 x 20, and to fit them by least squares, logistic and Poisson regression
	memory  float64   // megabytes of the engine after 500 moves
}

// Marks of the table in a Markdown file.
const tableBegins, tableEnds = "<!-- site-test -->\n", "<!-- /site-test -->\n"

// table returns the sizes and times in Markdown, with the machine that they are of.
func (t *siteTimes) table(ctx context.Context, site string) string {
	packed, unpacked := sizeOfEngine(site)
	version := try.Get(chromedp.CallBrowser(ctx, browser.GetVersion, cdp.Empty{}))
	for _, list := range [][]float64{t.first, t.moves, t.medians, t.fits, t.large} {
		if len(list) == 0 {
			try.Fail(errors.New("nothing was timed"))
		}
	}
	for _, list := range [][]float64{t.first, t.moves, t.medians, t.fits} {
		slices.Sort(list)
	}
	middle, last := func(v []float64) float64 { return v[len(v)/2] }, func(v []float64) float64 { return v[len(v)-1] }
	var b strings.Builder
	fmt.Fprintf(&b, "%d processors, %s, %s:\n\n| what a reader waits for | |\n|--|--:|\n", runtime.NumCPU(), machine.Processor(), strings.ReplaceAll(version.Product, "/", " "))
	for _, row := range []struct{ what, value string }{
		{"the engine, packed, loaded at the first touch", fmt.Sprintf("%.2f MB", packed/1e6)},
		{"unpacked", fmt.Sprintf("%.1f MB", unpacked/1e6)},
		{fmt.Sprintf("first touch to first figure, median of %d live figures", len(t.first)), fmt.Sprintf("%.1f s", middle(t.first))},
		{"the slowest of them", fmt.Sprintf("%.1f s", last(t.first))},
		{fmt.Sprintf("each move after that, median of %d", len(t.moves)), fmt.Sprintf("%.0f ms", middle(t.moves))},
		{"median of the slowest live figure", fmt.Sprintf("%.0f ms", last(t.medians))},
		{"a fit in the playground with its figures, fastest and slowest method", fmt.Sprintf("%.1f to %.1f s", t.fits[0], last(t.fits))},
		{"a file of 100,000 x 20, 30 MB, read", fmt.Sprintf("%.1f s", t.large[0])},
		{"least squares, logistic and Poisson regression of it, with their figures", fmt.Sprintf("%.1f, %.1f, %.1f s", t.large[1], t.large[2], t.large[3])},
		{"memory of the engine after 500 moves", fmt.Sprintf("%.0f MB", t.memory)},
	} {
		fmt.Fprintf(&b, "| %s | %s |\n", row.what, row.value)
	}
	return b.String()
}

// mostOfEngine is what the packed engine has to be smaller than, in bytes.
const mostOfEngine = 3.3e6

// sizeOfEngine returns the bytes that a reader loads and those of the program, and an error if the former are
// too many.
func sizeOfEngine(site string) (packed, unpacked float64) {
	script := try.Get(os.ReadFile(filepath.Join(site, "engine.js")))
	var engine struct {
		Size float64
		WASM []byte
	}
	text := strings.TrimSuffix(strings.TrimPrefix(string(script), "var regbookEngine = "), ";\n")
	try.Check(json.Unmarshal([]byte(text), &engine))
	if packed = float64(len(engine.WASM)); packed >= mostOfEngine {
		try.Fail(fmt.Errorf("the engine has %.2f MB packed; it has to be under %.2f", packed/1e6, mostOfEngine/1e6))
	}
	return packed, engine.Size
}

// replaceTable puts a table between its marks in a file.
func replaceTable(file, table string) {
	b := try.Get(os.ReadFile(file))
	before, rest, begins := bytes.Cut(b, []byte(tableBegins))
	_, after, ends := bytes.Cut(rest, []byte(tableEnds))
	if !begins || !ends {
		try.Fail(fmt.Errorf("%s has no lines %s and %s", file, strings.TrimSpace(tableBegins), strings.TrimSpace(tableEnds)))
	}
	try.Check(os.WriteFile(file, slices.Concat(before, []byte(tableBegins), []byte("\n"+table+"\n"), []byte(tableEnds), after), 0o644))
}
