// Figures that compute: the engine, and the explorables of a notebook's page. Until a reader
// touches a control nothing is loaded, and the frames drawn beforehand serve.
const regbook = (() => {
  'use strict';
  let worker = null, ready = null, next = 1;
  const waiting = new Map();

  // start loads the engine, once; after it has failed, anew.
  const start = () => ready ??= new Promise((resolve, reject) => {
    const fail = text => {
      const error = new Error(text);
      reject(error);
      for (const w of waiting.values()) w.reject(error);
      waiting.clear();
      worker?.terminate();
      worker = ready = null;
    };
    if (typeof WebAssembly === 'undefined' || typeof Worker === 'undefined') { fail('this browser does not run WebAssembly'); return; }
    const run = () => {
      worker = new Worker(URL.createObjectURL(new Blob([regbookEngine.worker], { type: 'text/javascript' })));
      worker.onerror = e => fail(e.message || 'the engine cannot be started');
      worker.onmessage = ({ data }) => {
        if (data.failed) { fail(data.failed); return; }
        const answer = JSON.parse(data.text);
        answer.bytes = data.bytes;
        if (answer.progress !== undefined) { dispatchEvent(new CustomEvent('engine-progress', { detail: answer.progress })); return; }
        if (answer.id === 0) { resolve(); return; }
        const w = waiting.get(answer.id);
        waiting.delete(answer.id);
        if (!w) return;
        if (answer.error) w.reject(new Error(answer.error));
        else w.resolve(answer);
      };
      worker.postMessage({ wasm: regbookEngine.wasm, size: regbookEngine.size });
    };
    if (typeof regbookEngine !== 'undefined') { run(); return; }
    const script = document.createElement('script');
    script.src = 'engine.js';
    script.onload = run;
    script.onerror = () => fail('engine.js cannot be loaded');
    document.head.append(script);
  });

  // ask resolves to the answer, or to null if something newer was asked meanwhile: the
  // engine answers the newest request only.
  const ask = async request => {
    await start();
    for (const w of waiting.values()) w.resolve(null);
    waiting.clear();
    const id = next++;
    return new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      worker.postMessage({ ask: JSON.stringify({ ...request, id }) });
    });
  };

  // hold gives the engine a file that later requests speak of; stop ends the engine, with all that it works on and holds.
  const hold = async bytes => { await start(); worker.postMessage({ hold: bytes }); };
  const stop = () => {
    worker?.terminate();
    worker = ready = null;
    for (const w of waiting.values()) w.resolve(null);
    waiting.clear();
  };

  const picture = svg => 'data:image/svg+xml;charset=utf-8,' + svg.replaceAll('%', '%25').replaceAll('#', '%23');
  const make = (tag, properties = {}, ...children) => {
    const e = Object.assign(document.createElement(tag), properties);
    e.append(...children);
    return e;
  };
  return { start, ask, hold, stop, running: () => worker !== null, picture, make };
})();

(() => {
  'use strict';
  const { ask, picture, make } = regbook;
  let list = null, newest = Promise.resolve();

  // The address has what each explorable of the page shows: its values, then the coordinates of the reader's own
  // points, the seed if it is another, and what was typed.
  const saved = name => {
    const state = new URLSearchParams(location.hash.slice(1)), values = state.get(name);
    if (!values) return null;
    return { values: values.split(',').map(Number), seed: Number(state.get(name + '.seed')), text: state.get(name + '.text') ?? '' };
  };
  const save = (name, { values, seed, text }) => {
    const state = new URLSearchParams(location.hash.includes('=') ? location.hash.slice(1) : '');
    const set = (key, v) => { if (v) state.set(key, v); else state.delete(key); };
    set(name, values.join(','));
    set(name + '.seed', seed);
    set(name + '.text', text);
    history.replaceState(history.state, '', '#' + String(state).replaceAll('%2C', ','));
  };

  // value returns a parameter's value at a step of its slider, of which there are steps + 1.
  const steps = p => p.values ? p.values.length - 1 : p.log ? Math.floor(Math.log(p.max / p.min) / Math.log(p.step) + 1e-9) : Math.floor((p.max - p.min) / p.step + 1e-9);
  const even = (p, i) => Math.min(p.max, Number((p.log ? p.min * p.step ** i : p.min + i * p.step).toPrecision(12)));
  // The values of the notebook's slider are among them, so that nothing jumps when this slider takes its place.
  const grid = p => {
    const all = Array.from({ length: steps(p) + 1 }, (_, i) => even(p, i));
    const far = (a, b) => p.log ? Math.abs(Math.log(a / b)) : Math.abs(a - b);
    for (const v of [...p.frames ?? [], p.default]) {
      let best = 0;
      all.forEach((a, i) => { if (far(a, v) < far(all[best], v)) best = i; });
      all[best] = v;
    }
    return all;
  };
  const value = (p, i) => (p.values ?? (p.grid ??= grid(p)))[i];
  const nearest = (p, v) => {
    let best = 0;
    for (let i = 1; i <= steps(p); i++) if (Math.abs(value(p, i) - v) < Math.abs(value(p, best) - v)) best = i;
    return best;
  };

  const begins = [];
  for (const cell of document.querySelectorAll('[data-live]')) {
    const holder = cell.querySelector('[data-frames]'), eager = 'eager' in cell.dataset;
    if (!holder && !eager) continue;
    const box = holder ? holder.closest('div[style*="max-width"]') : cell, img = box.querySelector('img');
    const old = holder && (holder.matches('input') ? holder.parentNode : holder);
    const inputs = old ? old.querySelectorAll('input') : [];
    const spots = JSON.parse(cell.dataset.spots ?? '[]');
    const told = make('p', { className: 'live-told' });
    told.setAttribute('role', 'status');
    box.append(told);

    // A line above the figure says that it is live. What can be dragged has its ring before anything is loaded; the
    // first pulses once when it is seen.
    const says = make('p', { className: 'live-says' }, make('b', { textContent: 'Live' }), spots.length
      ? ` · drag ${spots.length > 1 ? 'the rings' : 'the ring: ' + spots[0].name}` + (old ? ', or move the slider' : '; keys move the sliders below')
      : ' · move the slider, by hand or by keys: it goes through all values');
    const stage = make('div', { className: 'stage' }), handles = make('div', { className: 'handles' });
    handles.setAttribute('aria-hidden', 'true'); // the sliders do the same by keys
    if (old) box.before(says); else box.prepend(says); // the notebook's own slider finds its image by its place
    img.after(handles);
    box.style.position = 'relative';
    for (const spot of spots) handles.append(make('span', { title: 'drag ' + spot.name }));
    new ResizeObserver((_, observer) => {
      if (handles.dataset.drawn) { observer.disconnect(); return; }
      spots.forEach((spot, i) => {
        handles.children[i].style.left = img.offsetLeft + spot.x * img.offsetWidth + 'px';
        handles.children[i].style.top = img.offsetTop + spot.y * img.offsetHeight + 'px';
        handles.children[i].classList.toggle('left', spot.x > 0.75);
      });
    }).observe(img);
    if (spots.length) handles.firstChild.append(make('i', { textContent: 'drag me' }));

    // replace puts sliders through all values in the place of those through the frames.
    const replace = e => {
      const at = e.params.map((p, k) => nearest(p, p.frames && inputs[k] ? p.frames[inputs[k].value] : p.default));
      let seed = e.seed, wait = null, typed = '', own = [], ownMoved = [], ownShown = 0, drawn = null, busy = 0, latest = 0, touched = false;
      const restore = state => {
        e.params.forEach((p, k) => { if (Number.isFinite(state.values[k])) at[k] = nearest(p, state.values[k]); });
        own = state.values.slice(e.params.length).filter(Number.isFinite).slice(0, 2 * e.points);
        if (own.length % 2) own.pop();
        seed = e.random && Number.isSafeInteger(state.seed) && state.seed > 0 ? state.seed : e.seed;
        text.value = typed = e.text ? state.text.slice(0, 5000) : '';
      };
      const values = () => [...e.params.map((p, k) => value(p, at[k])), ...own];
      const draw = async () => {
        const mine = ++latest;
        busy++;
        box.setAttribute('aria-busy', 'true');
        const slow = setTimeout(() => box.classList.add('busy'), 150);
        try {
          const request = { do: 'draw', name: e.name, values: values(), seed, text: typed };
          const asked = ask(request);
          newest = asked.catch(() => null);
          const a = await asked;
          if (!a) { // something newer was asked: by this figure, or by another of the page, which is then waited for
            if (mine === latest) await newest;
            if (mine === latest) await draw();
            return;
          }
          img.src = picture(a.svg);
          img.alt = a.sentence;
          drawn = a;
          cell.dispatchEvent(new CustomEvent('drawn', { detail: { request, numbers: a.numbers, bytes: a.bytes } }));
          a.labels.forEach((text, k) => { texts[k].textContent = text; sliders[k].setAttribute('aria-valuetext', text); sliders[k].value = at[k]; });
          if (e.text && !typed) text.value = a.text;
          if (own.length && own.length !== ownShown) showOwn();
          for (const moved of ownMoved) moved();
          place();
          clearTimeout(wait); // screen readers are told where the slider rests
          wait = setTimeout(() => {
            told.textContent = a.sentence;
            save(e.name, { values: request.values, seed: seed === e.seed ? 0 : seed, text: typed });
          }, 300);
        } catch (error) {
          told.textContent = error.message;
        } finally {
          clearTimeout(slow);
          if (!--busy) {
            box.classList.remove('busy');
            box.removeAttribute('aria-busy');
          }
        }
      };
      const range = (label, max, now, moved) => {
        const s = make('input', { type: 'range', min: 0, max, value: now, autocomplete: 'off' });
        s.setAttribute('aria-label', label);
        s.addEventListener('input', () => moved(Number(s.value)));
        return s;
      };
      const controls = make('div', { className: 'live' }), texts = [];
      const sliders = e.params.map((p, k) => range(p.label, steps(p), at[k], i => { at[k] = i; typed = ''; draw(); }));
      // Many sliders would push the figure, where the same can be dragged, off the screen.
      const others = make('details', {}, make('summary', { textContent: `${e.params.length - 1} more` }));
      sliders.forEach((s, k) => {
        texts[k] = make('span', {});
        texts[k].setAttribute('aria-hidden', 'true');
        (k > 0 && e.params.length > 4 ? others : controls).append(make('div', {}, s, ' ', texts[k]));
      });
      if (others.childElementCount > 1) controls.append(others);
      const text = make('textarea', { rows: 4, spellcheck: false, maxLength: 5000, autocomplete: 'off' });
      if (e.text) {
        text.addEventListener('input', () => { typed = text.value || ' '; draw(); });
        controls.append(make('label', {}, e.text, text));
      }
      const act = (name, does) => {
        const b = make('button', { type: 'button', className: 'act', textContent: name });
        b.addEventListener('click', does);
        return b;
      };
      const buttons = make('div', { className: 'acts' });
      if (e.random) buttons.append(act('Other data', () => { seed++; draw(); }));

      // Handles: spots are shares of the figure's width and height. A value moves its handle in
      // proportion, so that where the pointer is tells the values.
      img.before(stage);
      stage.append(img, handles);
      const spotOf = event => {
        const r = img.getBoundingClientRect();
        return [(event.clientX - r.left) / r.width, (event.clientY - r.top) / r.height];
      };
      const solved = (h, [u, v]) => {
        const ratio = img.offsetHeight / img.offsetWidth;
        const from = ([x, y]) => [x - h.spots[0][0], (y - h.spots[0][1]) * ratio];
        const d = from([u, v]), [a, b] = h.spots.slice(1).map(from);
        const dot = (p, q) => p[0] * q[0] + p[1] * q[1];
        if (!b) return [dot(d, a) / (dot(a, a) || 1)];
        const det = a[0] * b[1] - a[1] * b[0];
        return [(d[0] * b[1] - d[1] * b[0]) / det, (a[0] * d[1] - a[1] * d[0]) / det];
      };
      // within keeps a coordinate of the reader's own points on their panel.
      const within = (v, k) => {
        const { base, reach } = drawn.handles[indexOf('place')], i = k % 2;
        return Math.round(100 * Math.max(base[i] - reach[i], Math.min(base[i] + reach[i], v))) / 100;
      };
      const take = (h, spot) => solved(h, spot).forEach((t, i) => {
        const k = h.values[i], p = e.params[k];
        if (!p) { own[k - e.params.length] = within(h.base[i] + t, k - e.params.length); return; }
        let to = p.log ? h.base[i] * Math.exp(t) : h.base[i] + t;
        if (p.cyclic) {
          const all = p.max - p.min + p.step;
          to = p.min + ((to - p.min) % all + all) % all;
        }
        at[k] = nearest(p, to);
      });
      // follow moves a handle with the pointer that has taken it, from where it was taken.
      const follow = (element, found) => {
        let i = -1, off = [0, 0];
        element.addEventListener('pointerdown', event => {
          i = event.isPrimary && event.button === 0 ? found(event) : -1;
          if (i < 0) return;
          const h = drawn.handles[i], spot = spotOf(event);
          if (!touched) { touched = true; handles.querySelector('i')?.remove(); }
          off = h.kind === 'turn' ? spot : [spot[0] - h.spots[0][0], spot[1] - h.spots[0][1]];
          element.setPointerCapture(event.pointerId);
          event.preventDefault();
        });
        const move = event => {
          if (i < 0 || !drawn.handles?.[i]) return;
          const h = drawn.handles[i], spot = spotOf(event);
          if (h.kind === 'turn') {
            if (Math.abs(solved(h, [spot[0] - off[0], spot[1] - off[1]])[0]) < 1) return;
            take({ ...h, base: values().slice(h.values[0], h.values[0] + 1) }, [spot[0] - off[0], 0]);
            off = spot;
          } else take(h, [spot[0] - off[0], spot[1] - off[1]]);
          draw();
        };
        element.addEventListener('pointermove', move);
        const end = () => { i = -1; };
        element.addEventListener('pointerup', event => { move(event); end(); });
        element.addEventListener('pointercancel', end);
      };
      const place = () => {
        if (!handles.dataset.drawn) { handles.replaceChildren(); handles.dataset.drawn = 'true'; }
        const shown = (drawn.handles ?? []).flatMap((h, i) => h.kind === 'drag' ? [[h, i]] : []);
        while (handles.childElementCount > shown.length) handles.lastChild.remove();
        while (handles.childElementCount < shown.length) {
          const ring = make('span', {});
          follow(ring, () => Number(ring.dataset.handle));
          handles.append(ring);
        }
        shown.forEach(([h, i], n) => {
          const ring = handles.children[n];
          ring.dataset.handle = i;
          ring.title = 'drag ' + h.name;
          ring.classList.toggle('left', h.spots[0][0] > 0.75);
          if (n === 0 && !touched && !ring.firstChild) ring.append(make('i', { textContent: 'drag me' }));
          ring.style.left = img.offsetLeft + h.spots[0][0] * img.offsetWidth + 'px';
          ring.style.top = img.offsetTop + h.spots[0][1] * img.offsetHeight + 'px';
        });
        img.classList.toggle('turns', Boolean(drawn.handles?.some(h => h.kind === 'turn')));
        img.classList.toggle('takes', own.length < 2 * e.points);
        pointTools.hidden = !own.length;
        more.disabled = own.length >= 2 * e.points;
      };
      new ResizeObserver(() => { if (drawn) place(); }).observe(img);
      const indexOf = kind => drawn?.handles?.findIndex(h => h.kind === kind) ?? -1;
      img.draggable = false;
      follow(img, () => indexOf('turn'));

      // Points of the reader's own: by a click on their panel, or by a button and two sliders.
      const more = act('Add a point', () => add([0, 0])), pointTools = make('div', { className: 'live', hidden: true });
      const add = by => {
        const h = drawn.handles[indexOf('place')];
        by.forEach((t, i) => own.push(within(h.base[i] + t, i)));
        draw();
      };
      // showOwn has sliders for the last of them.
      const showOwn = () => {
        const h = drawn.handles[indexOf('place')];
        ownShown = own.length;
        ownMoved = [];
        const coordinate = (label, i) => {
          const k = own.length - 2 + i, low = h.base[i] - h.reach[i], text = make('span', {});
          const say = () => { text.textContent = `${label} of your last point = ${own[k]}`; s.setAttribute('aria-valuetext', text.textContent); };
          const s = range(`${label} of your last point`, 100, Math.round((own[k] - low) / h.reach[i] * 50), to => { own[k] = within(low + to * h.reach[i] / 50, k); say(); draw(); });
          ownMoved.push(() => { s.value = Math.round((own[k] - low) / h.reach[i] * 50); say(); });
          text.setAttribute('aria-hidden', 'true');
          say();
          return make('div', {}, s, ' ', text);
        };
        pointTools.replaceChildren(coordinate('x', 0), coordinate('y', 1),
          make('div', { className: 'acts' }, act('Take your points away', () => { own = []; ownMoved = []; ownShown = 0; draw(); more.focus(); })));
      };
      if (e.points) {
        img.addEventListener('click', event => {
          const i = indexOf('place');
          if (i >= 0 && own.length < 2 * e.points) {
            const by = solved(drawn.handles[i], spotOf(event));
            if (by.every((t, n) => Math.abs(t) <= drawn.handles[i].reach[n])) add(by);
          }
        });
        buttons.append(more);
      }
      if (buttons.childElementCount) controls.append(buttons);
      if (e.points) told.before(pointTools); // below the figure, which stays where it is
      const focused = [...inputs].indexOf(document.activeElement);
      img.onload = null; // of the notebook's own slider, which shows itself
      if (old) {
        old.hidden = true;
        old.style.display = 'none';
        old.after(controls);
      } else box.append(controls);
      if (focused >= 0) sliders[focused].focus();
      const state = saved(e.name);
      if (state) restore(state);
      addEventListener('hashchange', () => {
        const state = saved(e.name);
        if (state) { restore(state); draw(); }
      });
      return draw();
    };

    const begin = async () => {
      if (cell.dataset.begun) return;
      cell.dataset.begun = 'true';
      if (!eager) told.textContent = 'Loading the engine…';
      try {
        list ??= ask({ do: 'list' }).then(a => a.explorables);
        const e = (await list).find(e => e.name === cell.dataset.live);
        if (e) await replace(e);
      } catch (error) {
        delete cell.dataset.begun;
        list = null;
        told.textContent = `Only these values: ${error.message}.`;
      }
    };
    for (const input of inputs) for (const kind of ['pointerdown', 'keydown', 'input']) input.addEventListener(kind, event => { if (event.isTrusted) begin(); });
    for (const pressed of [img, handles]) pressed.addEventListener('pointerdown', event => { if (event.isTrusted) begin(); });
    begins.push({ cell, begin });
    // The figure of the first page computes when a reader sees it, unless the reader saves data.
    const seen = new IntersectionObserver(entries => {
      if (!entries.some(e => e.isIntersecting)) return;
      seen.disconnect();
      handles.firstChild?.classList.add('pulse');
      if (eager && !navigator.connection?.saveData) begin();
    }, { threshold: 0.5 });
    seen.observe(img);
  }

  // Who follows a link to what an explorable showed is shown that, one after the other.
  const linked = async () => {
    const found = begins.filter(({ cell }) => saved(cell.dataset.live) && !cell.dataset.begun);
    found[0]?.cell.scrollIntoView();
    for (const { begin } of found) await begin();
  };
  addEventListener('hashchange', linked);
  linked();
})();
