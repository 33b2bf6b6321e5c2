package main

import (
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/regbook/regbook/internal/try"
)

// giveScript defines give(name, parts): the page's reader chooses a file, and it is read.
const giveScript = `window.give = async (name, parts) => {
	const transfer = new DataTransfer(), f = document.querySelector('form.playground').elements;
	transfer.items.add(new File(parts, name));
	document.querySelector('.playground-results').replaceChildren();
	f.file.files = transfer.files;
	f.file.dispatchEvent(new Event('change'));
	await window.idle();
};
window.idle = () => new Promise(resolve => {
	const look = () => {
		const there = document.querySelector('.playground-results').childElementCount > 0 || document.querySelector('.playground-error').textContent;
		if (there && document.querySelector('.playground-told').textContent === '' && document.querySelector('.playground-results').getAttribute('aria-busy') === 'false') resolve(); else setTimeout(look, 20);
	};
	setTimeout(look, 20);
});
window.fitted = async (formula, method) => {
	const f = document.querySelector('form.playground').elements;
	f.formula.value = formula; f.method.value = method;
	document.querySelector('.playground-results').replaceChildren();
	document.querySelector('form.playground').requestSubmit();
	await window.idle();
	return document.querySelector('.playground-error').textContent + document.querySelector('.playground-results').textContent;
};
true`

// nasty are files as people have them: bytes by an expression, what the page has to say of how they are read, the
// types of the columns, and the first cells of the preview.
var nasty = []struct{ name, bytes, says, types, first string }{
	{"semicolons.csv", `['x;y\n1,5;2\n2,25;3\n-0,5;4\n']`, "separator semicolon, decimal mark comma", "number|whole number", "1.5|2"},
	{"thousands.tsv", `['ort\tpreis\nA\t1.234,50\nB\t12.000,00\nC\t3,25\n']`, "decimal mark comma, thousands point", "text|number", "A|1234.5"},
	{"excel.txt", `[Uint8Array.of(255, 254), new Uint8Array(new Uint16Array([...'größe;gewicht\n1,80;75\n1,65;60,5\n'].map(c => c.charCodeAt(0))).buffer)]`, "decimal mark comma", "number|number", "1.8|75"},
	{"latin1.csv", `[Uint8Array.from('stra\xdfe,x\nM\xfcnchen,1\nK\xf6ln,2\n', c => c.charCodeAt(0))]`, "separator comma", "text|whole number", "München|1"},
	{"missing.csv", `['x,y\n1,2\n-,3\nn.a.,4\n2.5,5\n']`, "missing also -, n.a.", "number|whole number", "1|2"},
	{"money.csv", `['share,price,day\n12.5%,"$1,200",3/4/2024\n7%,$5,5/6/2024\n']`, "dates with month first", "number|whole number|text", "0.125|1200|2024-03-04"},
}

// testFiles gives the playground files as people have them, changes how one is read, follows a link that has the
// data in it, cancels, and fits 100,000 rows of 20 columns. It returns the seconds to read these, and to fit them.
func testFiles(ctx context.Context, site, out string) (seconds []float64) {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Minute)
	defer cancel()
	openPlayground(ctx, site, "data=prostate&formula=lpsa+~+lcavol&method=ols")
	eval[bool](ctx, giveScript)
	// What belongs to other methods is not shown.
	others := eval[float64](ctx, "[...document.querySelectorAll('.of-logistic, .of-quantile')].filter(e => e.offsetWidth > 0).length")
	if others > 0 {
		try.Fail(fmt.Errorf("least squares has %g fields of other methods", others))
	}
	const seen = `['.guessed', '.preview .types', '.preview tbody tr'].map(s => { const e = document.querySelector(s); return !e ? document.querySelector('.playground-error').textContent : e.matches('p') ? e.textContent : [...e.children].map(c => c.textContent).join('|'); })`
	for _, f := range nasty {
		within(f.name, func() {
			got := eval[[3]string](ctx, fmt.Sprintf("give(%q, %s).then(() => %s)", f.name, f.bytes, seen))
			if !strings.Contains(got[0], f.says) || got[1] != f.types || got[2] != f.first {
				try.Fail(fmt.Errorf("%q, want %q, %q, %q", got, f.says, f.types, f.first))
			}
		})
	}
	testChanges(ctx)
	screenshot(ctx, filepath.Join(out, "playground-nasty.png"))
	return testLarge(ctx, out)
}

// testChanges changes the order of the dates of the last file, predicts with a bad row, and follows a link with data.
func testChanges(ctx context.Context) {
	day := eval[string](ctx, `(async () => {
		const s = document.querySelector('form.playground').elements.dates;
		s.value = 'dmy';
		document.querySelector('.playground-results').replaceChildren();
		s.dispatchEvent(new Event('change', { bubbles: true }));
		await idle();
		return document.querySelector('.preview tbody tr').lastChild.textContent;
	})()`)
	if day != "2024-04-03" {
		try.Fail(fmt.Errorf("with the day first 3/4/2024 is %s", day))
	}
	says := eval[string](ctx, `(async () => {
		await give('line.csv', ['x;y\n1;2,5\n2;4,5\n3;6,1\n4;8,7\n']);
		document.querySelector('form.playground').elements.new.value = 'x\n2,5\nmany\n3';
		return await fitted('y ~ x', 'ols');
	})()`)
	if !strings.Contains(says, "lower 95%") || !strings.Contains(says, "row 2: ") {
		try.Fail(fmt.Errorf("a bad row to predict: %s", says))
	}
	link := eval[string](ctx, `(async () => {
		const share = document.querySelector('.share');
		share.querySelector('input').value = 'Four points';
		share.querySelector('button').click();
		for (let i = 0; i < 500 && share.lastChild.hidden; i++) await new Promise(r => setTimeout(r, 20));
		return share.lastChild.value;
	})()`)
	arrive(ctx, link)
	shown := eval[[2]string](ctx, until(`document.querySelectorAll('.playground-results img').length > 0`)+`.then(() => [document.title, document.querySelector('.playground-results').textContent])`)
	if !strings.Contains(shown[0], "Four points") || !strings.Contains(shown[1], "OLS fit of y") {
		try.Fail(fmt.Errorf("the link %.200s shows %.300q", link, shown))
	}
}

// testLarge reads 100,000 rows of 20 columns, 30 MB, cancels a fit, and fits them by the three methods that take any
// number of rows. Meanwhile the page answers: its own timer goes on.
func testLarge(ctx context.Context, out string) []float64 {
	eval[bool](ctx, giveScript)
	took := readLarge(ctx)
	seconds := []float64{took}
	for _, c := range []struct{ formula, method, want string }{
		{"y ~ . - class - count", "ols", "OLS fit of y"}, {"class ~ . - y - count", "logistic", "Odds ratios"}, {"count ~ . - y - class", "poisson", "Poisson regression"},
	} {
		start := time.Now()
		says := eval[string](ctx, fmt.Sprintf("fitted(%q, %q)", c.formula, c.method))
		if !strings.Contains(says, c.want) {
			try.Fail(fmt.Errorf("%s: %.300s", c.method, says))
		}
		seconds = append(seconds, time.Since(start).Seconds())
		fmt.Printf("100,000 x 20 %-9s %5.1f s\n", c.method, time.Since(start).Seconds())
		within(c.method, func() { ticked(ctx) })
	}
	fmt.Printf("100,000 x 20 are read and fitted by least squares, with figures, in %.1f s\n", seconds[0]+seconds[1])
	screenshot(ctx, filepath.Join(out, "playground-large.png"))
	// The quantile regression of so many rows is refused before it starts; a fit that runs can be cancelled.
	says := eval[string](ctx, `fitted('y ~ x0', 'quantile')`)
	if !strings.Contains(says, "at most 20000 rows") {
		try.Fail(fmt.Errorf("quantile regression of 100,000 rows: %.300s", says))
	}
	eval[bool](ctx, `(async () => {
		const f = document.querySelector('form.playground').elements;
		f.formula.value = 'y ~ . - class - count'; f.method.value = 'ols';
		document.querySelector('form.playground').requestSubmit();
		const cancel = document.querySelector('button.cancel');
		for (let i = 0; i < 1000 && cancel.hidden; i++) await new Promise(r => setTimeout(r, 20));
		cancel.click();
		return true;
	})()`)
	eval[bool](ctx, until(`document.querySelector('.playground-told').textContent === 'Cancelled.' && document.querySelector('button.cancel').hidden`))
	return seconds
}

// readLarge gives the playground a file of 100,000 rows and 20 columns, and returns how long reading it took.
func readLarge(ctx context.Context) float64 {
	took := eval[float64](ctx, `(async () => {
		let seed = 1;
		const random = () => { seed = (Math.imul(seed, 1103515245) + 12345) >>> 0; return seed / 4294967296 - 0.5; };
		const names = [...Array(17).keys()].map(i => 'x' + i), lines = ['y,class,count,' + names.join(',')];
		for (let i = 0; i < 100000; i++) {
			const x = names.map(random), at = 2 * x[0] - x[1] + 0.5 * x[2];
			lines.push([1 + at + random(), at + random() > 0 ? 'yes' : 'no', Math.floor(Math.exp(at / 2 + 0.5) * (1 + random())), ...x].join(','));
		}
		const text = lines.join('\n') + '\n';
		window.ticks = 0;
		setInterval(() => { window.ticks++; }, 50);
		const start = performance.now();
		await give('large.csv', [text]);
		const error = document.querySelector('.playground-error').textContent;
		if (error) throw new Error(error);
		return (performance.now() - start) / 1000;
	})()`)
	fmt.Printf("100,000 x 20 are read in %.1f s\n", took)
	within("reading", func() { ticked(ctx) })
	return took
}

// ticked fails if the page's timer, which ticks twenty times a second, has hardly ticked since it was asked
// last: the page was blocked while the engine worked.
func ticked(ctx context.Context) {
	const least = 5
	n := eval[float64](ctx, "(() => { const n = window.ticks; window.ticks = 0; return n; })()")
	if n < least {
		try.Fail(fmt.Errorf("the page's timer ticked %g times", n))
	}
}

// testFirst looks at the first page as visitors do, on a screen and on a phone, by light and in the dark: the figure
// draws itself, follows a drag, and nothing is wider than the window.
func testFirst(ctx context.Context, native *engine, site, out string) {
	for _, width := range []int64{1280, 390} {
		for _, scheme := range []string{"light", "dark"} {
			prefer(ctx, scheme)
			firstAt(ctx, site, out, width, scheme)
		}
	}
	prefer(ctx, "light")
	act(ctx, chromedp.EmulateViewport(1200, 1000))
	open(ctx, filepath.Join(site, "index.html"))
	eval[bool](ctx, until("document.querySelector('.try .handles').dataset.drawn"))
	moved := eval[[2]string](ctx, `(async () => {
		const ring = document.querySelector('.try .handles span'), r = ring.getBoundingClientRect(), img = document.querySelector('.try img'), before = img.alt;
		const at = (type, dy) => ring.dispatchEvent(new PointerEvent(type, { bubbles: true, isPrimary: true, button: 0, pointerId: 1, clientX: r.x + r.width / 2, clientY: r.y + r.height / 2 + dy }));
		ring.setPointerCapture = () => {};
		at('pointerdown', 0); at('pointermove', -80); at('pointerup', -80);
		for (let i = 0; i < 500 && img.alt === before; i++) await new Promise(r => setTimeout(r, 20));
		return [before, img.alt];
	})()`)
	if moved[0] == moved[1] {
		try.Fail(fmt.Errorf("dragging a point changes nothing: %q", moved[0]))
	}
}

// firstAt checks that the first page fits into a width and can be read in a scheme of colors.
func firstAt(ctx context.Context, site, out string, width int64, scheme string) {
	act(ctx, chromedp.EmulateViewport(width, 800))
	open(ctx, filepath.Join(site, "index.html"))
	eval[bool](ctx, "(document.querySelector('.try img').scrollIntoView({ block: 'center' }), true)")
	eval[bool](ctx, until("document.querySelector('.try .handles').dataset.drawn"))
	cut := eval[bool](ctx, "(() => { const e = document.querySelector('.install'); return e.scrollWidth > e.clientWidth; })()")
	if cut {
		try.Fail(fmt.Errorf("at %d pixels the lines of install are cut", width))
	}
	screenshotOf(ctx, ".install", filepath.Join(out, fmt.Sprintf("first-%d-%s-install.png", width, scheme)))
	wide := eval[float64](ctx, "(scrollTo(0, 0), document.documentElement.scrollWidth)")
	if wide > float64(width) {
		try.Fail(fmt.Errorf("at %d pixels the first page is %g wide", width, wide))
	}
	screenshot(ctx, filepath.Join(out, fmt.Sprintf("first-%d-%s.png", width, scheme)))
	bad := eval[[]string](ctx, contrasts)
	if len(bad) > 0 {
		try.Fail(fmt.Errorf("hard to read on the first page, %s: %q", scheme, bad))
	}
}

// mostOfPaper is the number of A4 pages that notebook 13 may take.
const mostOfPaper = 14

// sheet is a page of a PDF.
var sheet = regexp.MustCompile(`/Type\s*/Page\b`)

// testPrint prints a long page: without code, and on as many sheets as it may take.
func testPrint(ctx context.Context, site string) {
	open(ctx, filepath.Join(site, "13_model_assessment.html"))
	const width, height = 8.27, 11.69 // inches: A4
	result := try.Get(chromedp.Call(ctx, page.PrintToPDF, page.PrintToPDFParams{PaperWidth: width, PaperHeight: height}))
	n := len(sheet.FindAll(result.Data, -1))
	fmt.Printf("notebook 13 is printed on %d pages of A4\n", n)
	if n == 0 || n > mostOfPaper {
		try.Fail(fmt.Errorf("notebook 13 takes %d pages of A4, more than %d", n, mostOfPaper))
	}
}
