// The tests of the image and of notebooks in a browser, in a module of their
// own for what they require.
module github.com/regbook/regbook/internal/e2e

go 1.25.0

require (
	github.com/chromedp/cdproto v0.159.0
	github.com/chromedp/chromedp v0.22.0
	github.com/gobwas/ws v1.4.0
	github.com/regbook/regbook v0.0.0
)

require (
	github.com/go-json-experiment/json v0.0.0-20260213210345-44df1a37e875 // indirect
	github.com/gobwas/httphead v0.1.0 // indirect
	github.com/gobwas/pool v0.2.1 // indirect
	golang.org/x/sys v0.6.0 // indirect
)

replace github.com/regbook/regbook => ../..
