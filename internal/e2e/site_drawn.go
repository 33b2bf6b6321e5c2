package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// testDrawn fits points that a reader draws: those of an address, one more by the mouse, one by keys, and without the
// one that is clicked again; the address follows.
func testDrawn(ctx context.Context, site, out string) error {
	if err := openPlayground(ctx, site, "drawn=1+1,2+2.4,3+1.9,4+3.1"); err != nil {
		return err
	}
	fitted := func(n int) string {
		return fmt.Sprintf(`document.querySelector('.playground-results').textContent.includes('n = %d,') && document.querySelector('.drawn-says').textContent.startsWith('%[1]d points') && new URLSearchParams(location.hash.slice(1)).get('drawn').split(',').length === %[1]d`, n)
	}
	if _, err := evaluate[bool](ctx, until(fitted(4))); err != nil {
		return err
	}
	at, err := evaluate[[2]float64](ctx, `(() => { const b = document.querySelector('.board'); b.scrollIntoView({ block: 'center' }); const p = new DOMPoint(320, 120).matrixTransform(b.getScreenCTM()); return [p.x, p.y]; })()`)
	if err != nil {
		return err
	}
	for _, n := range []int{5, 4, 5} {
		if err := chromedp.Do(ctx, chromedp.MouseClickXY(at[0], at[1])); err != nil {
			return err
		}
		if _, err := evaluate[bool](ctx, until(fitted(n))); err != nil {
			return err
		}
	}
	for _, key := range []string{kb.ArrowUp, kb.ArrowUp, kb.Enter} {
		if err := chromedp.Do(ctx, chromedp.KeyEvent(key)); err != nil {
			return err
		}
	}
	if _, err := evaluate[bool](ctx, until(fitted(6))); err != nil {
		return err
	}
	says, err := evaluate[string](ctx, "new URLSearchParams(location.hash.slice(1)).get('drawn').replace(/[\\d.]+/g, v => Number(v).toFixed(1)) + ' ' + document.querySelector('.playground-results').textContent")
	if err != nil || !strings.HasPrefix(says, "1.0 1.0,2.0 2.4,3.0 1.9,4.0 3.1,8.0 3.0,8.0 3.4 ") || !strings.Contains(says, "The same in R") {
		return errors.Join(err, fmt.Errorf("the points that were drawn are %.80q", says))
	}
	return screenshot(ctx, filepath.Join(out, "playground-drawn.png"))
}
