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
)

// questions are what users type, and behind a tab the beginnings of the addresses of which one has to be among
// the first three that the search finds.
//
//go:embed questions.txt
var questions string

// testSearch asks the questions, and then uses the field on pages of every kind by keys.
func testSearch(ctx context.Context, site, out string) error {
	if err := open(ctx, filepath.Join(site, "index.html")); err != nil {
		return err
	}
	if _, err := evaluate[bool](ctx, "regbookSearch.load().then(() => true)"); err != nil {
		return err
	}
	var bad []string
	lines := strings.Split(strings.TrimSpace(questions), "\n")
	for _, line := range lines {
		question, wanted, ok := strings.Cut(line, "\t")
		if !ok {
			return fmt.Errorf("the question %q has no page", line)
		}
		found, err := evaluate[[]string](ctx, fmt.Sprintf("regbookSearch.find(%q).slice(0, 3).map(r => r.units[0].link)", question))
		if err != nil {
			return err
		}
		if !anyBegins(found, strings.Fields(wanted)) {
			bad = append(bad, fmt.Sprintf("%q finds %s, none of %s", question, strings.Join(found, ", "), wanted))
		}
	}
	if len(bad) > 0 {
		return errors.New(strings.Join(bad, "\n  "))
	}
	for _, page := range []string{"index.html", "02_confidence_limits.html", "playground.html", "mlreg.html", "COMING_FROM.html", "gallery.html"} {
		if err := testSearchField(ctx, filepath.Join(site, page)); err != nil {
			return fmt.Errorf("%s: %w", page, err)
		}
	}
	if err := screenshot(ctx, filepath.Join(out, "search.png")); err != nil {
		return err
	}
	fmt.Printf("%d questions find their pages\n", len(lines))
	// Enter follows the first answer.
	if err := chromedp.Do(ctx, chromedp.KeyEvent(kb.Enter)); err != nil {
		return err
	}
	_, err := evaluate[bool](ctx, until("location.pathname.includes('00_first_day')"))
	return err
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
func testSearchField(ctx context.Context, page string) error {
	if err := open(ctx, page); err != nil {
		return err
	}
	if err := chromedp.Do(ctx, chromedp.KeyEvent("/")); err != nil {
		return err
	}
	// The browser would not write the key that is taken; a key that is sent to it is written all the same.
	const focused = "document.activeElement === document.querySelector('form.search input')"
	if _, err := evaluate[bool](ctx, until(focused)+".then(() => { document.activeElement.value = ''; return true; })"); err != nil {
		return err
	}
	if err := chromedp.Do(ctx, chromedp.KeyEvent("missing data")); err != nil {
		return err
	}
	const first = "document.querySelector('.found li a')"
	if _, err := evaluate[bool](ctx, until(first+" && !document.querySelector('.found').hidden")); err != nil {
		return err
	}
	says, err := evaluate[[3]string](ctx, fmt.Sprintf("[document.querySelector('form.search input').value, %s.getAttribute('href'), document.querySelector('.found mark')?.textContent ?? '']", first))
	if err == nil && (says[0] != "missing data" || !strings.HasPrefix(says[1], "00_first_day.html") || says[2] == "") {
		err = fmt.Errorf("the field has %q, the first answer leads to %s, marked is %q", says[0], says[1], says[2])
	}
	return err
}
