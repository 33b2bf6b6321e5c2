// Search on every page: over the sections of pages, the glossary, the reference, the gallery, and calls of other
// programs. search-index.js, which defines them, is loaded when the field is first used. Words are joined by OR and
// weighed as BM25 does (Robertson and Zaragoza 2009, The Probabilistic Relevance Framework, section 3), with
// words in headings and titles counting more, stems in place of words, and what users call things otherwise.
const regbookSearch = (() => {
  'use strict';
  // What users say, and words of the course for it.
  const said = `
    p value, significant, significance, hypothesis test: p value test confidence limit
    confidence interval, error bar, margin of error: confidence limit interval
    prediction interval: prediction band limit
    mixed model, random effect, random intercept, multilevel, lme4, lmer, nested data, panel data: hierarchy group shrink between
    median regression, quantile: quantile LAD absolute
    one hot, dummy variable, dummy, categorical, category: factor level coding contrast
    multicollinearity, collinear, collinearity, correlated predictors: condition VIF correlated ridge
    save model, save, serialize, pickle, persist, store model: save load
    outlier, outlying, influential point: outlier robust wrong leverage Cook breakdown
    how many lags, lag order: lag order autoregression
    ridge vs lasso, ridge or lasso: ridge lasso elastic net
    missing data, missing value, impute, imputation, na, nan: missing complete gap
    standardize, normalize, scale, z score: standardize scale unit
    feature selection, variable selection, model selection: subset selection term lasso stepwise
    stepwise: greedy subset
    cross validation, kfold, cv: fold cross validation
    heteroscedastic, heteroscedasticity, heteroskedasticity, unequal variance: robust HC3 Breusch Pagan variance
    cluster robust, clustered standard error, clustering: clustered
    time series, forecast, arima, autocorrelation: lag autoregression forecast
    classification, classifier, binary outcome: logistic class naive Bayes
    count data, counts, poisson: Poisson count exposure offset
    big data, large file, out of memory, memory: memory sums pass
    interaction, moderation: interaction product term
    regularization, regularize, shrinkage, penalized: penalty ridge lasso
    mcmc, sampling, gibbs: Gibbs sampling chain
    bayes factor, marginal likelihood: evidence
    spline, nonlinear, nonlinearity, smooth, smoothing: spline basis curve
    more than 30, too many models, many predictors: beyond enumerate thirty bounds
    variable is in the model, probability that a variable: inclusion term subset posterior
    variable importance, important variable, which variables matter: inclusion term posterior model
    pca, dimension reduction: principal components
    roc, auc: ROC curve classifier
    r squared, goodness of fit: variance explained R residual
    equation, matrix form, ols, linear regression, least squares: least squares normal equations
    train test split, holdout, hold out, test set: test rows holdout split
    text, spam, document: word mail naive Bayes
    latex, export, publish table: LaTeX table
    csv, excel, read file, import data, upload: read CSV file
    python, sklearn, pandas: scikit learn pandas
    bma, model averaging: average posterior models inclusion
    leave one out, loo: leave one out
    variance component: variance groups hierarchy
    odds ratio: odds logistic`;
  const stops = new Set('a an and any are as at be by can could do does for from get has have how i if in into is it its me my of on or our should so than that the their them then there this to use used using was we what when where which who why will with without you your vs versus between many much make want regbook'.split(' '));

  // stem takes the endings off a word, as far as forms of one word become equal.
  const stem = word => {
    let w = word;
    if (w.length < 4 || /\d/.test(w)) return w;
    w = w.replace(/sses$/, 'ss').replace(/ies$/, 'y').replace(/([^siu])s$/, '$1');
    const cut = w.replace(/(ing|ed)$/, '');
    if (cut !== w && cut.length > 2 && /[aeiouy]/.test(cut)) w = cut.replace(/([^aeiouylsz])\1$/, '$1');
    w = w.replace(/e$/, '');
    for (const [end, to] of [['ization', 'iz'], ['isation', 'iz'], ['is', 'iz'], ['ation', 'at'], ['ator', 'at'], ['ativ', 'at'], ['ically', ''], ['ical', ''], ['ity', ''], ['ly', ''], ['ic', ''], ['al', '']]) {
      if (w.endsWith(end) && w.length - end.length > 3) return w.slice(0, -end.length) + to;
    }
    return w.replace(/([st])ion$/, '$1').replace(/(.{3})[yi]$/, '$1');
  };

  // words are those of a text in small letters; names of code count whole and in parts: FitOLS is fitols, fit, ols.
  const words = text => {
    const list = [];
    for (const w of text.normalize('NFC').match(/[\p{L}\p{N}_]+(?:'[a-z]+)?/gu) ?? []) {
      const parts = w.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{N}+|[^\p{L}\p{N}_]+/gu) ?? [w];
      if (parts.length > 1) list.push(w.toLowerCase());
      for (const p of parts) list.push(p.toLowerCase().replace(/'s$/, ''));
    }
    return list;
  };
  const stems = text => words(text).map(stem);
  const synonyms = said.trim().split('\n').flatMap(line => {
    const [theirs, ours] = line.split(':');
    return theirs.split(',').map(t => [stems(t).join(' '), stems(ours)]);
  });

  // A unit is what can be found by itself: a section, a term, a name, a figure, a call. Its words have weights.
  const kinds = { notebook: 1, further: 0.9, page: 0.75, ledger: 0.4, term: 0.75, call: 0.75, figure: 0.4, name: 0.6 };
  let units = null;
  const holders = new Map(); // of a stem: units
  const build = index => {
    units = [];
    const add = (unit, fields) => {
      unit.counts = new Map();
      unit.length = 0;
      for (const [text, weight] of fields) for (const w of stems(text)) {
        unit.counts.set(w, (unit.counts.get(w) ?? 0) + weight);
        unit.length += weight;
      }
      for (const w of unit.counts.keys()) { if (holders.has(w)) holders.get(w).push(unit); else holders.set(w, [unit]); }
      units.push(unit);
    };
    for (const page of index.pages) {
      for (const [heading, anchor, text] of page.passages) {
        add({ page, kind: page.kind, title: heading, link: page.file + anchor, text }, [[page.title, 2], [heading, 4], [text, 1]]);
      }
      // The page as a whole counts, too: what it speaks of throughout is what it is about.
      if (page.passages.length) add({ page, whole: true, kind: page.kind, title: '', link: page.file, text: '' }, [[page.title, 8], ...page.passages.flatMap(([heading, , text]) => [[heading, 3], [text, 1]])]);
    }
    for (const e of index.entries) add({ ...e, title: e.name, page: null }, [[e.name, 3], [e.text, 1]]);
  };

  // wanted returns the stems asked for, each with those that stand for it and their weights.
  const wanted = query => {
    const all = stems(query), plain = words(query).map((w, i) => [w, all[i]]);
    const asked = plain.filter(([w]) => !stops.has(w)).map(([, s]) => s);
    const list = [...new Set(asked.length ? asked : all)].map(s => ({ like: new Map([[s, 1]]) }));
    const line = ` ${all.join(' ')} `, kept = ` ${asked.join(' ')} `;
    for (const [theirs, ours] of synonyms) {
      if (!line.includes(` ${theirs} `) && !kept.includes(` ${theirs} `)) continue;
      const parts = theirs.split(' ');
      for (const w of list) if ([...w.like.keys()].some(s => w.like.get(s) === 1 && parts.includes(s))) {
        for (const s of ours) if (!w.like.has(s)) w.like.set(s, parts.length > 1 ? 0.8 : 0.6);
      }
    }
    return list;
  };

  // find returns what a query finds, best first: a page once, with its best sections.
  const find = query => {
    const list = wanted(query);
    const meanOf = of => of.reduce((sum, u) => sum + u.length, 0) / of.length;
    const mean = meanOf(units.filter(u => !u.whole)), wholeMean = meanOf(units.filter(u => u.whole)), weightOfWhole = 0.4;
    const rarity = s => { const n = holders.get(s)?.length ?? 0; return n ? Math.log(1 + (units.length - n + 0.5) / (n + 0.5)) : 0; };
    // The last word may be one that the reader is still typing.
    const last = list.at(-1), typed = last && [...last.like.keys()][0];
    if (typed?.length > 2 && !holders.has(typed)) for (const s of holders.keys()) if (s.startsWith(typed)) last.like.set(s, 0.8);
    const scores = new Map(), asked = stems(query), pairs = asked.slice(1).map((s, i) => asked[i] + ' ' + s);
    let weights = 0;
    for (const w of list) {
      const most = Math.max(...[...w.like].map(([s, x]) => x * rarity(s)));
      weights += w.weight = Math.max(most, 0);
      const best = new Map();
      for (const [s, x] of w.like) for (const u of holders.get(s) ?? []) {
        const n = u.counts.get(s);
        best.set(u, (best.get(u) ?? 0) + x * rarity(s) * n * 2.2 / (n + 1.2 * (0.5 + 0.5 * u.length / (u.whole ? wholeMean : mean))));
      }
      for (const [u, x] of best) {
        const at = scores.get(u) ?? { sum: 0, has: 0 };
        at.sum += x;
        at.has += w.weight;
        scores.set(u, at);
      }
    }
    // Words that stand side by side as they were asked count once more; looked for in the best only.
    const best = [...scores].sort((a, b) => b[1].sum * b[1].has - a[1].sum * a[1].has).slice(0, 150);
    for (const [u, at] of pairs.length ? best : []) {
      const text = ` ${stems(u.title + ' . ' + u.text).join(' ')} `;
      at.sum *= 1 + pairs.filter(p => text.includes(` ${p} `)).length / pairs.length * 0.6;
    }
    const low = query.trim().toLowerCase(), isName = /[a-z]\p{Lu}|[._(]/u.test(query.trim()), results = new Map();
    for (const [u, { sum, has }] of scores) {
      let score = sum * kinds[u.kind] * (0.3 + 0.7 * (has / weights) ** 2);
      const name = u.title.toLowerCase();
      if (u.page === null && (name === low || name.endsWith('.' + low))) score *= isName ? 5 : 1.6;
      else if (u.kind === 'term' && name.split(', ').includes(low)) score *= 1.6;
      const key = u.page ?? u;
      const to = results.get(key) ?? { score: 0, units: [] };
      if (u.whole) to.score += weightOfWhole * score; else to.units.push([score, u]);
      results.set(key, to);
    }
    for (const [key, r] of results) {
      if (!r.units.length) { results.delete(key); continue; } // words of its title alone
      r.units.sort((a, b) => b[0] - a[0]);
      r.score += r.units[0][0] + 0.25 * (r.units[1]?.[0] ?? 0) + 0.12 * (r.units[2]?.[0] ?? 0);
    }
    const sorted = [...results.values()].sort((a, b) => b.score - a.score).map(r => ({ score: r.score, units: r.units.slice(0, 3).map(([, u]) => u) }));
    return isName ? sorted : mixed(sorted);
  };

  // mixed has a page after each name, as long as there are pages: names are many, and alike.
  const mixed = results => {
    const pages = results.filter(r => r.units[0].page), others = results.filter(r => !r.units[0].page), list = [];
    while (pages.length || others.length) {
      const alone = !pages.length || others.length && list.length && list.at(-1).units[0].page && others[0].score > pages[0].score || !list.length && others.length && others[0].score > pages[0].score;
      list.push((alone && others.length ? others : pages).shift());
    }
    return list;
  };

  // excerpt is the part of a text that has most of the words asked for, with these marked.
  const excerpt = (text, list, size = 170) => {
    const like = new Set(list.flatMap(w => [...w.like.keys()]));
    const hits = [...text.matchAll(/[\p{L}\p{N}_]+/gu)].filter(m => like.has(stem(m[0].toLowerCase())));
    let from = 0, most = 0;
    for (const m of hits) {
      const n = new Set(hits.filter(h => h.index >= m.index && h.index < m.index + size - 40).map(h => stem(h[0].toLowerCase()))).size;
      if (n > most) { most = n; from = Math.max(0, m.index - 40); }
    }
    if (from > 0) from = text.indexOf(' ', from) + 1 || from;
    let to = text.length <= from + size ? text.length : text.lastIndexOf(' ', from + size);
    if (to <= from) to = Math.min(text.length, from + size);
    const parts = [from > 0 ? '… ' : ''];
    let at = from;
    for (const m of hits) {
      if (m.index < from || m.index + m[0].length > to) continue;
      const mark = document.createElement('mark');
      mark.textContent = m[0];
      parts.push(text.slice(at, m.index), mark);
      at = m.index + m[0].length;
    }
    parts.push(text.slice(at, to), to < text.length ? ' …' : '');
    return parts;
  };

  let loading = null;
  const load = () => loading ??= new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = 'search-index.js';
    script.onload = () => { build(regbookIndex); resolve(); };
    script.onerror = () => { loading = null; reject(new Error('search-index.js cannot be loaded')); };
    document.head.append(script);
  });

  const names = { notebook: 'course', further: 'course, further reading', page: 'page', ledger: 'ledger', term: 'term', call: 'call', figure: 'figure', name: 'reference' };
  const shown = (r, list) => {
    const [first, ...more] = r.units, item = document.createElement('li');
    item.className = first.kind;
    const link = (text, to) => Object.assign(document.createElement('a'), { textContent: text, href: to });
    const span = (name, ...parts) => { const s = document.createElement('span'); s.className = name; s.append(...parts); return s; };
    if (first.page) {
      item.append(link(first.page.title, first.link), ' ', span('kind', names[first.kind]));
      if (first.title && !first.page.title.includes(first.title.replace(/^[\dab. ]+/, ''))) item.append(span('says', first.title));
    } else item.append(link(first.title, first.link), ' ', span('kind', names[first.kind]));
    item.append(span('says', ...excerpt(first.text, list)));
    const others = first.page ? more.filter(u => u.title) : [];
    if (others.length) item.append(span('says', 'also: ', ...others.flatMap((u, i) => [i ? ', ' : '', link(u.title, u.link)])));
    return item;
  };

  for (const form of document.querySelectorAll('form.search')) {
    const input = form.querySelector('input'), box = form.querySelector('.found'), told = box.querySelector('p'), found = box.querySelector('ol');
    form.hidden = false;
    const search = async () => {
      const query = input.value.trim();
      box.hidden = !query;
      if (!query) return;
      try {
        if (!units) { told.textContent = 'Loading…'; await load(); }
      } catch (e) { told.textContent = e.message; return; }
      if (query !== input.value.trim()) return;
      const hits = find(query), list = wanted(query);
      told.textContent = hits.length ? '' : 'Nothing found.';
      found.replaceChildren(...hits.slice(0, 12).map(r => shown(r, list)));
      box.scrollTop = 0;
    };
    const move = (event, by) => {
      const links = [input, ...found.querySelectorAll('li > a:first-child')], at = links.indexOf(document.activeElement);
      if (at < 0) return;
      event.preventDefault();
      links[Math.max(0, Math.min(links.length - 1, at + by))].focus();
    };
    input.addEventListener('focus', () => { load().catch(() => {}); if (input.value.trim()) search(); });
    input.addEventListener('input', search);
    form.addEventListener('submit', e => { e.preventDefault(); found.querySelector('a')?.click(); });
    form.addEventListener('keydown', e => {
      if (e.key === 'ArrowDown') move(e, 1);
      else if (e.key === 'ArrowUp') move(e, -1);
      else if (e.key === 'Escape') { box.hidden = true; input.focus(); }
    });
    found.addEventListener('click', e => { if (e.target.closest('a')) box.hidden = true; }); // to a place of this page
    document.addEventListener('pointerdown', e => { if (!form.contains(e.target)) box.hidden = true; });
    form.addEventListener('focusout', e => { if (e.relatedTarget && !form.contains(e.relatedTarget)) box.hidden = true; });
    addEventListener('keydown', e => {
      if (e.key !== '/' || e.ctrlKey || e.metaKey || e.altKey || e.target.closest?.('input, textarea, select, [contenteditable]')) return;
      e.preventDefault();
      input.focus();
    });
  }
  return { load, find };
})();
