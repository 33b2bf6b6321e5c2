package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/regbook/regbook/internal/try"
)

// testDrawn fits points that a reader draws: those of an address, one more by the mouse, one by keys, and without the
// one that is clicked again; the address follows.
func testDrawn(ctx context.Context, site, out string) {
	openPlayground(ctx, site, "drawn=1+1,2+2.4,3+1.9,4+3.1")
	fitted := func(n int) string {
		return fmt.Sprintf(`document.querySelector('.playground-results').textContent.includes('n = %d,') && document.querySelector('.drawn-says').textContent.startsWith('%[1]d points') && new URLSearchParams(location.hash.slice(1)).get('drawn').split(',').length === %[1]d`, n)
	}
	eval[bool](ctx, until(fitted(4)))
	at := eval[[2]float64](ctx, `(() => { const b = document.querySelector('.board'); b.scrollIntoView({ block: 'center' }); const p = new DOMPoint(320, 120).matrixTransform(b.getScreenCTM()); return [p.x, p.y]; })()`)
	for _, n := range []int{5, 4, 5} {
		act(ctx, chromedp.MouseClickXY(at[0], at[1]))
		eval[bool](ctx, until(fitted(n)))
	}
	for _, key := range []string{kb.ArrowUp, kb.ArrowUp, kb.Enter} {
		act(ctx, chromedp.KeyEvent(key))
	}
	eval[bool](ctx, until(fitted(6)))
	says := eval[string](ctx, "new URLSearchParams(location.hash.slice(1)).get('drawn').replace(/[\\d.]+/g, v => Number(v).toFixed(1)) + ' ' + document.querySelector('.playground-results').textContent")
	if !strings.HasPrefix(says, "1.0 1.0,2.0 2.4,3.0 1.9,4.0 3.1,8.0 3.0,8.0 3.4 ") || !strings.Contains(says, "The same in R") {
		try.Fail(fmt.Errorf("the points that were drawn are %.80q", says))
	}
	screenshot(ctx, filepath.Join(out, "playground-drawn.png"))
}
