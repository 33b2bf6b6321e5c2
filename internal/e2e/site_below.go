package main

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"

	"github.com/chromedp/chromedp"

	"github.com/regbook/regbook/internal/try"
)

// testBelow uses the site below a path of a server, as hosts of pages have it, where nothing is above it: a live
// figure computes, the playground fits, the search finds, and no page asks for what the site does not have.
func testBelow(ctx context.Context, site string) {
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
		within(c.page, func() { arrive(ctx, server.URL+base+c.page) })
		if c.page == "" {
			eval[bool](ctx, "(document.querySelector('.try img').scrollIntoView({ block: 'center' }), true)")
		}
		within(c.page, func() { eval[bool](ctx, until(c.then)) })
		found := eval[float64](ctx, "regbookSearch.load().then(() => regbookSearch.find('missing data').length)")
		if found == 0 {
			try.Fail(fmt.Errorf("%s: the search finds %g", c.page, found))
		}
	}
	act(ctx, chromedp.Navigate("about:blank"))
	lock.Lock()
	defer lock.Unlock()
	if len(missing) > 0 {
		try.Fail(fmt.Errorf("below a path, pages ask for %q", missing))
	}
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
