package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"

	"github.com/chromedp/chromedp"
)

// testBelow uses the site below a path of a server, as hosts of pages have it, where nothing is above it: a live
// figure computes, the playground fits, the search finds, and no page asks for what the site does not have.
func testBelow(ctx context.Context, site string) error {
	const base = "/of/a/user/"
	var lock sync.Mutex
	var missing []string
	files := http.StripPrefix(base, http.FileServer(http.Dir(site)))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		noted := &statusWriter{ResponseWriter: w}
		files.ServeHTTP(noted, r)
		if noted.status >= http.StatusBadRequest && r.URL.Path != "/favicon.ico" { // which browsers ask for by themselves
			lock.Lock()
			defer lock.Unlock()
			missing = append(missing, r.URL.Path)
		}
	}))
	defer server.Close()
	for _, c := range []struct{ page, then string }{
		{"", "document.querySelector('.try .handles').dataset.drawn"},
		{"playground.html#data=prostate&formula=lpsa+~+lcavol&method=ols", "document.querySelectorAll('.playground-results img').length > 1"},
		{"01_least_squares_geometry.html", "document.querySelector('[data-live] img').naturalWidth > 0"},
		{"gallery.html", "[...document.images].every(i => i.loading === 'lazy' || i.naturalWidth > 0)"},
		{"COMING_FROM.html", "document.querySelector('table')"},
	} {
		if err := arrive(ctx, server.URL+base+c.page); err != nil {
			return fmt.Errorf("%s: %w", c.page, err)
		}
		if c.page == "" {
			if _, err := evaluate[bool](ctx, "(document.querySelector('.try img').scrollIntoView({ block: 'center' }), true)"); err != nil {
				return err
			}
		}
		if _, err := evaluate[bool](ctx, until(c.then)); err != nil {
			return fmt.Errorf("%s: %w", c.page, err)
		}
		found, err := evaluate[float64](ctx, "regbookSearch.load().then(() => regbookSearch.find('missing data').length)")
		if err != nil || found == 0 {
			return errors.Join(err, fmt.Errorf("%s: the search finds %g", c.page, found))
		}
	}
	if err := chromedp.Do(ctx, chromedp.Navigate("about:blank")); err != nil {
		return err
	}
	lock.Lock()
	defer lock.Unlock()
	if len(missing) > 0 {
		return fmt.Errorf("below a path, pages ask for %q", missing)
	}
	return nil
}

// A statusWriter keeps the status that was answered.
type statusWriter struct {
	http.ResponseWriter
	status int
}

// WriteHeader keeps the status.
func (w *statusWriter) WriteHeader(status int) {
	w.status = status
	w.ResponseWriter.WriteHeader(status)
}
