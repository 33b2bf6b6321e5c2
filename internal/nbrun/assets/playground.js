// The playground: asks the engine for a fit and shows what comes back. Its state is in the address.
(() => {
  'use strict';
  const { ask, picture, make } = regbook;
  const form = document.querySelector('form.playground'), told = document.querySelector('.playground-told');
  const error = document.querySelector('.playground-error'), results = document.querySelector('.playground-results');
  const columns = document.querySelector('.columns'), { data, formula, method, file } = form.elements, rows = form.elements.new;
  let own = null, sets = [], names = [], ready = false, waits = false; // for the file of an address
  form.hidden = false;

  // owns takes a file of the reader's own in place of a data set, or none. The data are what the
  // selection names, so that any data set can be chosen after a file.
  const mine = make('option', { value: '' });
  const owns = f => {
    own = f;
    mine.remove();
    if (!f) { file.value = ''; return; }
    mine.textContent = f.name;
    data.prepend(mine);
    data.value = '';
  };
  const say = text => { told.textContent = text; };
  const fail = text => { error.textContent = text; error.hidden = !text; };
  const play = () => ({
    ...(own ? { file: own.name, csv: own.text, raw: own.raw } : { data: data.value }),
    formula: formula.value, method: method.value, new: rows.value,
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

  const shown = (part, i) => {
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
      tools.append(button('CSV', () => save(name + '.csv', 'text/csv', part.csv)), ' ', button('LaTeX', () => save(name + '.tex', 'text/x-tex', part.latex)));
    } else section.append(make('pre', { textContent: part.text }));
    section.append(tools);
    return section;
  };

  const request = async (what, text) => {
    say(text);
    fail('');
    results.setAttribute('aria-busy', 'true');
    try {
      const a = await ask({ do: what, play: play() });
      if (a) say('');
      return a;
    } catch (e) {
      say('');
      fail(e.message);
      return null;
    } finally {
      results.setAttribute('aria-busy', 'false');
    }
  };

  // describe shows the data, and offers their columns.
  const describe = async () => {
    const a = await request('columns', 'Reading…');
    if (!a) return;
    names = a.columns;
    columns.replaceChildren(...names.map(name => {
      const quoted = /^[\p{L}.][\p{L}\p{N}._]*$/u.test(name) ? name : '`' + name + '`';
      return button(name, () => {
        const at = formula.selectionStart ?? formula.value.length, before = formula.value.slice(0, at);
        const glue = !before.trim() ? '' : /[~+*:(,-]\s*$/.test(before) ? (/\s$/.test(before) ? '' : ' ') : before.includes('~') ? ' + ' : ' ~ ';
        formula.setRangeText(glue + quoted, at, formula.selectionEnd ?? at, 'end');
        formula.focus();
      });
    }));
    results.replaceChildren(...a.parts.map(shown));
  };

  // fit shows the fit, whose state becomes a new address, or the one that it was taken from.
  const fit = async taken => {
    const state = new URLSearchParams({ ...(own ? { file: own.name } : { data: data.value }), formula: formula.value, method: method.value, ...(rows.value ? { new: rows.value } : {}) });
    if (taken) history.replaceState(null, '', '#' + state);
    else if (location.hash.slice(1) !== state.toString()) history.pushState(null, '', '#' + state);
    const a = await request('fit', 'Computing…');
    if (!a) return;
    const code = make('pre', { textContent: a.code });
    const copy = button('Copy the cell', async () => { try { await navigator.clipboard.writeText(a.code); copy.textContent = 'Copied'; } catch { getSelection().selectAllChildren(code); } });
    results.replaceChildren(...a.parts.map(shown), make('section', {}, make('h2', { textContent: 'The same in a notebook' }), code, make('p', { className: 'tools' }, copy)));
  };

  // restore takes the state from the address and fits, if there is one.
  const restore = async () => {
    const state = new URLSearchParams(location.hash.slice(1)), name = state.get('file');
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
    }
    formula.value = state.get('formula');
    method.value = state.get('method') || 'ols';
    rows.value = state.get('new') || '';
    rows.closest('details').open = Boolean(rows.value);
    if (name !== null && own?.name !== name) {
      results.replaceChildren();
      columns.replaceChildren();
      waits = true;
      fail(`The address is of a fit to the file ${name}, which is not in it: choose the file, and press Fit.`);
      return;
    }
    await describe();
    if (!error.hidden) return;
    await fit(true);
  };

  // textOf returns the text of a file, or if it is not UTF-8 its bytes in base64: the engine
  // finds out what they are, and says so.
  const textOf = bytes => {
    try {
      return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
    } catch {
      let raw = '';
      for (let i = 0; i < bytes.length; i += 0x8000) raw += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
      return { raw: btoa(raw) };
    }
  };

  // take reads a file of the reader's own.
  const take = async f => {
    if (!f) return;
    if (f.size > 20 * 2 ** 20) { fail(`${f.name} has ${Math.round(f.size / 2 ** 20)} MB; a page reads at most 20: install Regbook for more.`); return; }
    owns({ name: f.name, ...textOf(new Uint8Array(await f.arrayBuffer())) });
    if (!ready) return; // the engine reads it when it is there
    if (!waits) formula.value = '';
    waits = false;
    await describe();
  };

  file.addEventListener('change', () => take(file.files[0]));
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
