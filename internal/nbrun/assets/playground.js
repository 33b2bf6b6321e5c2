// The playground: asks the engine for a fit and shows what comes back. Its state is in the address, with a small
// file, if the reader wants to share it.
(() => {
  'use strict';
  const { ask, hold, stop, picture, make } = regbook;
  const query = selector => document.querySelector(selector);
  const form = query('form.playground'), told = query('.playground-told'), bar = query('progress.working'), cancel = query('button.cancel');
  const error = query('.playground-error'), results = query('.playground-results'), columns = query('.columns'), marks = query('.reading');
  const { data, formula, method, file, pasted, tau } = form.elements, rows = form.elements.new, class_ = form.elements.class;
  const mostOfFile = 60 * 2 ** 20, mostOfLink = 30000;
  let own = null, holds = null, sets = [], names = [], ready = false, waits = false; // for the file of an address
  form.hidden = false;

  // owns takes a file of the reader's own in place of a data set, or none. The data are what the
  // selection names, so that any data set can be chosen after a file.
  const mine = make('option', { value: '' });
  const owns = f => {
    own = f;
    mine.remove();
    marks.hidden = !f || Boolean(f.drawn);
    for (const e of marks.querySelectorAll('select, input')) e.value = '';
    if (!f) { file.value = ''; return; }
    mine.textContent = f.name;
    data.prepend(mine);
    data.value = '';
  };
  const say = text => { told.textContent = text; };
  const fail = text => { error.textContent = text; error.hidden = !text; };
  const reading = () => {
    const { delimiter, decimal, thousands, encoding, dates, na } = form.elements;
    return { delimiter: delimiter.value, decimal: decimal.value, thousands: thousands.value, encoding: encoding.value, dates: dates.value,
      na: na.value.trim() ? na.value.split(',').map(s => s.trim()).filter(Boolean) : null };
  };
  const play = () => ({
    ...(own ? { file: own.name, held: true, read: reading() } : { data: data.value }),
    formula: formula.value, method: method.value, new: rows.value, class: class_.value.trim(), tau: Number(tau.value) || 0.5,
  });
  const save = (name, type, text) => {
    const link = make('a', { download: name, href: URL.createObjectURL(new Blob([text], { type })) });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  };
  const button = (text, act) => {
    const b = make('button', { type: 'button', className: 'act', textContent: text });
    b.addEventListener('click', act);
    return b;
  };
  const copied = (text, name) => {
    const b = button(name, async () => { try { await navigator.clipboard.writeText(text()); b.textContent = 'Copied'; } catch { b.textContent = 'Select it'; } });
    return b;
  };

  // png draws an SVG at twice its size.
  const png = (svg, name) => {
    const img = new Image();
    img.onload = () => {
      const canvas = make('canvas', { width: 2 * img.naturalWidth, height: 2 * img.naturalHeight });
      canvas.getContext('2d').drawImage(img, 0, 0, canvas.width, canvas.height);
      canvas.toBlob(blob => save(name, 'image/png', blob), 'image/png');
    };
    img.src = picture(svg);
  };

  // markdown is the table of a part, from its CSV.
  const markdown = csv => {
    const cells = [[]];
    for (const m of csv.matchAll(/("(?:[^"]|"")*"|[^,\n]*)(,|\n|$)/g)) {
      cells.at(-1).push(m[1].startsWith('"') ? m[1].slice(1, -1).replaceAll('""', '"') : m[1]);
      if (m[2] === '\n') cells.push([]);
      if (m[2] === '') break;
    }
    const lines = cells.filter(r => r.length > 1 || r[0]).map(r => '| ' + r.map(c => c.replaceAll('|', '\\|')).join(' | ') + ' |');
    lines.splice(1, 0, '|' + '--|'.repeat(cells[0].length));
    return lines.join('\n') + '\n';
  };

  const shown = part => {
    const name = part.title.toLowerCase().replace(/[^a-z0-9]+/g, '-');
    const section = make('section', {}, make('h2', { textContent: part.title }));
    const tools = make('p', { className: 'tools' });
    if (part.svg) {
      section.append(make('img', { src: picture(part.svg), alt: part.text }));
      tools.append(button('SVG', () => save(name + '.svg', 'image/svg+xml', part.svg)), ' ', button('PNG', () => png(part.svg, name + '.png')));
    } else if (part.html) {
      const box = make('div', { className: 'wide' });
      box.innerHTML = part.html; // the packages' own tables: their texts are escaped
      section.append(box);
      tools.append(button('CSV', () => save(name + '.csv', 'text/csv', part.csv)), ' ', button('LaTeX', () => save(name + '.tex', 'text/x-tex', part.latex)),
        ' ', button('Markdown', () => save(name + '.md', 'text/markdown', markdown(part.csv))));
    } else section.append(make('pre', { textContent: part.text }));
    section.append(tools);
    return section;
  };

  // previewed is the table of the first rows, with the types of the columns.
  const previewed = p => {
    const row = (cells, tag) => make('tr', {}, ...cells.map(c => make(tag, { textContent: c })));
    const head = make('thead', {}, row(p.names, 'th'), row(p.types, 'th'));
    head.lastChild.className = 'types';
    const table = make('table', {}, head, make('tbody', {}, ...p.rows.map(r => row(r, 'td'))));
    const n = p.rows.length;
    return make('section', {}, make('h2', { textContent: n < p.total ? `The first ${n.toLocaleString('en')} of ${p.total.toLocaleString('en')} rows` : `The ${n.toLocaleString('en')} rows` }),
      make('div', { className: 'wide preview', tabIndex: 0 }, table));
  };

  // request asks the engine, which has the file already or is given it.
  const request = async (what, text) => {
    say(text);
    fail('');
    results.setAttribute('aria-busy', 'true');
    const late = setTimeout(() => { bar.hidden = cancel.hidden = false; bar.removeAttribute('value'); }, 500);
    try {
      if (own && holds !== own) { await hold(own.bytes); holds = own; }
      const a = await ask({ do: what, play: play() });
      if (a) say('');
      return a;
    } catch (e) {
      if (!regbook.running()) holds = null; // the engine has ended, and the next one has no file
      say('');
      fail(e.message);
      return null;
    } finally {
      clearTimeout(late);
      bar.hidden = cancel.hidden = true;
      results.setAttribute('aria-busy', 'false');
    }
  };
  addEventListener('engine-progress', e => { bar.value = e.detail; });
  cancel.addEventListener('click', () => { stop(); holds = null; say('Cancelled.'); });

  const words = { ',': 'comma', ';': 'semicolon', '\t': 'tab', '|': 'bar', '.': 'point', ' ': 'blank', "'": 'apostrophe', none: 'none', dmy: 'day first', mdy: 'month first' };
  // offer has a button for each column, which puts it into the formula.
  const offer = list => {
    names = list;
    columns.replaceChildren(...names.map(name => {
      const quoted = /^[\p{L}.][\p{L}\p{N}._]*$/u.test(name) ? name : '`' + name + '`';
      return button(name, () => {
        const at = formula.selectionStart ?? formula.value.length, before = formula.value.slice(0, at);
        const glue = !before.trim() ? '' : /[~+*:(,-]\s*$/.test(before) ? (/\s$/.test(before) ? '' : ' ') : before.includes('~') ? ' + ' : ' ~ ';
        formula.setRangeText(glue + quoted, at, formula.selectionEnd ?? at, 'end');
        formula.focus();
      });
    }));
  };

  // describe shows the data, and offers their columns.
  const describe = async () => {
    const a = await request('columns', 'Reading…');
    if (!a) return;
    if (a.read) {
      const r = a.read, of = key => words[r[key]] ?? r[key];
      query('.guessed').textContent = `Read with separator ${of('delimiter')}, decimal mark ${of('decimal')}, thousands ${of('thousands')}` +
        (r.dates ? `, dates with ${of('dates')}` : '') + (r.na?.length ? `, missing also ${r.na.join(', ')}` : '') + '. Not so? Change it above.';
    }
    offer(a.columns);
    results.replaceChildren(...a.parts.map(shown), previewed(a.preview));
  };

  // packed is a text in base64 for an address, packed by the browser; unpacked is the way back.
  const through = async (stream, bytes) => new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
  const packed = async bytes => {
    let text = '';
    for (const b of await through(new CompressionStream('deflate-raw'), bytes)) text += String.fromCharCode(b);
    return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
  };
  const unpacked = async text => (await through(new DecompressionStream('deflate-raw'), Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), c => c.charCodeAt(0)))).buffer;

  const stateOf = () => {
    const from = own?.drawn ? { drawn: points.map(p => p.join(' ')).join(',') } : own ? { file: own.name } : { data: data.value };
    const state = new URLSearchParams({ ...from, formula: formula.value, method: method.value });
    if (rows.value) state.set('new', rows.value);
    if (method.value === 'logistic' && class_.value.trim()) state.set('class', class_.value.trim());
    if (method.value === 'quantile' && tau.value !== '0.5') state.set('tau', tau.value);
    if (own) for (const e of marks.querySelectorAll('select, input')) if (e.value) state.set(e.name, e.value);
    return state;
  };

  // linked offers a link that has the data in it, behind the #, which no browser sends.
  const linked = () => {
    const title = make('input', { type: 'text', placeholder: 'title of the link', autocomplete: 'off' }), link = make('input', { type: 'text', readOnly: true, hidden: true });
    title.setAttribute('aria-label', 'title of the link');
    link.setAttribute('aria-label', 'the link');
    const says = make('span', {});
    const b = button(own ? 'A link with the data in it' : 'A link to this fit', async () => {
      const state = stateOf();
      if (title.value.trim()) state.set('title', title.value.trim());
      if (own && !own.drawn) {
        const text = await packed(own.bytes);
        if (text.length > mostOfLink) { says.textContent = ` The data have ${Math.round(text.length / 1000)} kB packed; a link carries ${mostOfLink / 1000}.`; return; }
        state.set('packed', text);
      }
      link.value = location.href.split('#')[0] + '#' + state;
      link.hidden = false;
      link.select();
      try { await navigator.clipboard.writeText(link.value); says.textContent = ' Copied.'; } catch { says.textContent = ''; }
    });
    return make('p', { className: 'share' }, title, ' ', b, says, ' ', link);
  };

  // fit shows the fit, whose state becomes a new address, or the one that it was taken from.
  const fit = async taken => {
    const state = stateOf();
    if (!taken && location.hash.slice(1) !== state.toString()) history.pushState(null, '', '#' + state);
    const start = performance.now(), a = await request('fit', 'Computing…');
    if (!a) return;
    const seconds = (performance.now() - start) / 1000, code = make('pre', { textContent: a.code });
    results.replaceChildren(...a.parts.map(shown), make('section', {}, make('h2', { textContent: 'The same in a notebook' }), code,
      make('p', { className: 'tools' }, copied(() => a.code, 'Copy the cell'))), ...inR(a.inR), make('section', {}, linked(), make('p', { className: 'took', textContent: `This took ${seconds.toFixed(1)} s here, figures included.` })));
  };

  // inR is the fit as R has it, if it has.
  const inR = code => code ? [make('section', {}, make('h2', { textContent: 'The same in R' }), make('pre', { textContent: code }), make('p', { className: 'tools' }, copied(() => code, 'Copy it')))] : [];

  const suits = () => {
    query('.of-logistic').hidden = method.value !== 'logistic';
    query('.of-quantile').hidden = method.value !== 'quantile';
  };

  // The board holds points that a reader draws, in units of x and y, which are data like those of a file.
  const board = query('.board'), unit = 40, [columnsOfBoard, rowsOfBoard] = [10, 6];
  let points = [], cross = [5, 3];
  const shape = (name, attributes) => {
    const e = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
    return e;
  };
  const label = (text, x, y, anchor) => {
    const e = shape('text', { class: 'tick', x, y, 'text-anchor': anchor });
    e.textContent = text;
    return e;
  };
  const place = ([x, y]) => [x * unit, (rowsOfBoard - y) * unit];
  const showBoard = () => {
    const [cx, cy] = place(cross), bottom = rowsOfBoard * unit, right = columnsOfBoard * unit;
    board.replaceChildren(
      ...[...Array(columnsOfBoard + 1).keys()].map(i => label(i, i * unit, bottom + 16, 'middle')),
      ...[...Array(rowsOfBoard + 1).keys()].map(i => label(i, -8, bottom - i * unit + 4, 'end')),
      label('x', right / 2, bottom + 32, 'middle'), label('y', -24, bottom / 2 + 4, 'end'),
      ...[...Array(columnsOfBoard + 1).keys()].map(i => shape('path', { class: 'grid', d: `M${i * unit} 0V${rowsOfBoard * unit}` })),
      ...[...Array(rowsOfBoard + 1).keys()].map(i => shape('path', { class: 'grid', d: `M0 ${i * unit}H${columnsOfBoard * unit}` })),
      shape('path', { class: 'cross', d: `M${cx - 7} ${cy}h14M${cx} ${cy - 7}v14` }),
      ...points.map(p => { const [x, y] = place(p); return shape('circle', { cx: x, cy: y, r: 5 }); }));
    query('.drawn-says').textContent = points.length + (points.length === 1 ? ' point' : ' points') + (points.length < 3 ? ', and a line takes three' : '');
  };
  // drawn takes the points as data, when there are enough for a line and its errors.
  const drawn = async (wants = new Map()) => {
    showBoard();
    if (points.length < 3) return;
    const bytes = new TextEncoder().encode('x,y\n' + points.map(p => p.join(',')).join('\n') + '\n').buffer;
    if (!own?.drawn) {
      formula.value = wants.get('formula') || 'y ~ x';
      method.value = wants.get('method') || 'ols';
      rows.value = '';
      suits();
      offer(['x', 'y']);
    }
    owns({ name: 'drawn.csv', bytes, drawn: true });
    if (!ready) return;
    history.replaceState(null, '', '#' + stateOf());
    await fit(true);
  };
  const put = at => {
    const near = points.findIndex(p => Math.hypot(p[0] - at[0], p[1] - at[1]) < 0.2);
    if (near >= 0) points.splice(near, 1);
    else points.push(at.map(v => Math.round(v * 100) / 100));
    drawn();
  };
  board.addEventListener('click', e => {
    const p = new DOMPoint(e.clientX, e.clientY).matrixTransform(board.getScreenCTM().inverse());
    const at = [p.x / unit, rowsOfBoard - p.y / unit];
    if (at[0] < 0 || at[0] > columnsOfBoard || at[1] < 0 || at[1] > rowsOfBoard) return; // on the numbers
    cross = at;
    put(cross);
  });
  board.addEventListener('keydown', e => {
    const step = { ArrowLeft: [-0.2, 0], ArrowRight: [0.2, 0], ArrowUp: [0, 0.2], ArrowDown: [0, -0.2] }[e.key];
    if (step) {
      cross = [Math.min(columnsOfBoard, Math.max(0, cross[0] + step[0])), Math.min(rowsOfBoard, Math.max(0, cross[1] + step[1]))];
      showBoard();
      query('.drawn-says').textContent = `the cross is at x ${cross[0].toFixed(1)}, y ${cross[1].toFixed(1)}`;
    } else if (e.key === 'Enter' || e.key === ' ') put(cross);
    else return;
    e.preventDefault();
  });
  query('button.wipe').addEventListener('click', () => { points = []; showBoard(); });
  showBoard();

  // restore takes the state from the address and fits, if there is one.
  const restore = async () => {
    const state = new URLSearchParams(location.hash.slice(1)), name = state.get('file');
    if (state.has('drawn')) {
      points = state.get('drawn').split(',').map(p => p.split(' ').map(Number)).filter(p => p.length === 2 && p.every(Number.isFinite));
      query('details.draw').open = true;
      owns(null);
      await drawn(state);
      return;
    }
    document.title = (state.get('title') || 'Playground') + ' · Regbook';
    if (!state.has('formula')) {
      owns(null);
      rows.value = '';
      data.value = 'prostate';
      formula.value = sets.find(s => s.name === 'prostate').formula;
      await describe();
      return;
    }
    if (name === null) {
      owns(null);
      data.value = state.get('data') ?? 'prostate';
      if (!data.value) { fail(`There is no data set "${state.get('data')}".`); return; }
    } else if (state.has('packed')) {
      try { owns({ name, bytes: await unpacked(state.get('packed')) }); } catch { fail('The data in the address are damaged: a part of the link is missing.'); return; }
    }
    formula.value = state.get('formula');
    method.value = state.get('method') || 'ols';
    class_.value = state.get('class') || '';
    tau.value = state.get('tau') || '0.5';
    suits();
    rows.value = state.get('new') || '';
    rows.closest('details').open = Boolean(rows.value);
    if (name !== null && own?.name !== name) {
      results.replaceChildren();
      columns.replaceChildren();
      waits = true;
      fail(`The address is of a fit to the file ${name}, which is not in it: choose the file, and press Fit.`);
      return;
    }
    if (own) for (const e of marks.querySelectorAll('select, input')) e.value = state.get(e.name) ?? '';
    await describe();
    if (!error.hidden) return;
    await fit(true);
  };

  // take reads a file of the reader's own, or a text.
  const take = async f => {
    if (!f) return;
    if (f.size > mostOfFile) { fail(`${f.name} has ${Math.round(f.size / 2 ** 20)} MB; a page reads at most ${mostOfFile / 2 ** 20}: install Regbook for more.`); return; }
    owns({ name: f.name, bytes: await f.arrayBuffer() });
    if (!ready) return; // the engine reads it when it is there
    if (!waits) formula.value = rows.value = '';
    waits = false;
    await describe();
  };

  file.addEventListener('change', () => take(file.files[0]));
  query('button.take').addEventListener('click', () => { if (pasted.value.trim()) take(new File([pasted.value.trimEnd() + '\n'], 'pasted.csv')); });
  marks.addEventListener('change', describe);
  method.addEventListener('change', suits);
  addEventListener('dragover', e => e.preventDefault());
  addEventListener('drop', e => { e.preventDefault(); file.value = ''; take(e.dataTransfer.files[0]); });
  data.addEventListener('change', () => {
    owns(null);
    formula.value = sets.find(s => s.name === data.value)?.formula ?? '';
    describe();
  });
  formula.addEventListener('keydown', e => { // TAB completes a column's name that has begun
    if (e.key !== 'Tab' || e.shiftKey) return;
    const at = formula.selectionStart, begun = formula.value.slice(0, at).match(/[\p{L}\p{N}._]+$/u)?.[0];
    const found = begun ? names.filter(n => n.startsWith(begun) && n !== begun) : [];
    if (!found.length) return;
    e.preventDefault();
    let common = found[0];
    while (!found.every(n => n.startsWith(common))) common = common.slice(0, -1);
    formula.setRangeText(common.slice(begun.length), at, at, 'end');
  });
  form.addEventListener('submit', e => { e.preventDefault(); fit(); });
  addEventListener('popstate', restore); // links within the page, too

  (async () => {
    say('Loading the engine…');
    try {
      sets = (await ask({ do: 'list' })).data;
    } catch (e) {
      say('');
      fail(e.message);
      return;
    }
    data.replaceChildren(...sets.map(s => make('option', { value: s.name, textContent: s.title })));
    ready = true;
    const early = own; // what was dropped before
    if (early) owns(early);
    if (!early || new URLSearchParams(location.hash.slice(1)).get('file') === early.name) await restore();
    else {
      formula.value = '';
      await describe();
    }
  })();
})();
