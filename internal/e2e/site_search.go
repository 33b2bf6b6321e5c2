package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/regbook/regbook/internal/try"
)

// questions are what users type, and behind a tab the beginnings of the addresses of which one has to be among
// the first three that the search finds.
//
//go:embed questions.txt
var questions string

// testSearch asks the questions, and then uses the field on pages of every kind by keys.
func testSearch(ctx context.Context, site, out string) {
	open(ctx, filepath.Join(site, "index.html"))
	eval[bool](ctx, "regbookSearch.load().then(() => true)")
	var bad []string
	lines := strings.Split(strings.TrimSpace(questions), "\n")
	for _, line := range lines {
		question, wanted, ok := strings.Cut(line, "\t")
		if !ok {
			try.Fail(fmt.Errorf("the question %q has no page", line))
		}
		found := eval[[]string](ctx, fmt.Sprintf("regbookSearch.find(%q).slice(0, 3).map(r => r.units[0].link)", question))
		if !anyBegins(found, strings.Fields(wanted)) {
			bad = append(bad, fmt.Sprintf("%q finds %s, none of %s", question, strings.Join(found, ", "), wanted))
		}
	}
	if len(bad) > 0 {
		try.Fail(errors.New(strings.Join(bad, "\n  ")))
	}
	for _, page := range []string{"index.html", "02_confidence_limits.html", "playground.html", "mlreg.html", "COMING_FROM.html", "gallery.html"} {
		within(page, func() { testSearchField(ctx, filepath.Join(site, page)) })
	}
	screenshot(ctx, filepath.Join(out, "search.png"))
	fmt.Printf("%d questions find their pages\n", len(lines))
	// Enter follows the first answer.
	act(ctx, chromedp.KeyEvent(kb.Enter))
	eval[bool](ctx, until("location.pathname.includes('00_first_day')"))
}

func anyBegins(found, wanted []string) bool {
	for _, f := range found {
		for _, w := range wanted {
			if strings.HasPrefix(f, w) {
				return true
			}
		}
	}
	return false
}

// testSearchField types a question after "/", which goes to the field.
func testSearchField(ctx context.Context, page string) {
	open(ctx, page)
	act(ctx, chromedp.KeyEvent("/"))
	// The browser would not write the key that is taken; a key that is sent to it is written all the same.
	const focused = "document.activeElement === document.querySelector('form.search input')"
	eval[bool](ctx, until(focused)+".then(() => { document.activeElement.value = ''; return true; })")
	act(ctx, chromedp.KeyEvent("missing data"))
	const first = "document.querySelector('.found li a')"
	eval[bool](ctx, until(first+" && !document.querySelector('.found').hidden"))
	says := eval[[3]string](ctx, fmt.Sprintf("[document.querySelector('form.search input').value, %s.getAttribute('href'), document.querySelector('.found mark')?.textContent ?? '']", first))
	if says[0] != "missing data" || !strings.HasPrefix(says[1], "00_first_day.html") || says[2] == "" {
		try.Fail(fmt.Errorf("the field has %q, the first answer leads to %s, marked is %q", says[0], says[1], says[2]))
	}
}
