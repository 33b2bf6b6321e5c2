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

  const picture = svg => 'data:image/svg+xml,' + encodeURIComponent(svg);
  const make = (tag, properties = {}, ...children) => {
    const e = Object.assign(document.createElement(tag), properties);
    e.append(...children);
    return e;
  };
  return { start, ask, picture, make };
})();

(() => {
  'use strict';
  const { ask, picture, make } = regbook;
  let list = null;

  // value returns a parameter's value at a step of its slider, of which there are steps + 1.
  const steps = p => p.values ? p.values.length - 1 : p.log ? Math.floor(Math.log(p.max / p.min) / Math.log(p.step) + 1e-9) : Math.floor((p.max - p.min) / p.step + 1e-9);
  const value = (p, i) => p.values ? p.values[i] : Math.min(p.max, Number((p.log ? p.min * p.step ** i : p.min + i * p.step).toPrecision(12)));
  const nearest = (p, v) => {
    let best = 0;
    for (let i = 1; i <= steps(p); i++) if (Math.abs(value(p, i) - v) < Math.abs(value(p, best) - v)) best = i;
    return best;
  };

  for (const cell of document.querySelectorAll('[data-live]')) {
    const holder = cell.querySelector('[data-frames]');
    if (!holder) continue;
    const box = holder.closest('div[style*="max-width"]'), img = box.querySelector('img');
    const old = holder.matches('input') ? holder.parentNode : holder;
    const inputs = old.querySelectorAll('input');
    const told = make('p', { className: 'live-told' });
    told.setAttribute('role', 'status');
    told.textContent = 'Move it: the page then computes between these values, too.';
    box.append(told);

    // replace puts sliders through all values in the place of those through the frames.
    const replace = e => {
      const at = e.params.map((p, k) => nearest(p, p.frames && inputs[k] ? p.frames[inputs[k].value] : p.default));
      let seed = e.seed, wait = null;
      const texts = [];
      const draw = async () => {
        const slow = setTimeout(() => box.classList.add('busy'), 150);
        try {
          const request = { do: 'draw', name: e.name, values: e.params.map((p, k) => value(p, at[k])), seed };
          const a = await ask(request);
          if (!a) return;
          img.src = picture(a.svg);
          img.alt = a.sentence;
          cell.dispatchEvent(new CustomEvent('drawn', { detail: { request, numbers: a.numbers, bytes: a.bytes } }));
          a.labels.forEach((text, k) => { texts[k].textContent = text; sliders[k].setAttribute('aria-valuetext', text); });
          clearTimeout(wait); // screen readers are told where the slider rests
          wait = setTimeout(() => { told.textContent = a.sentence; }, 300);
        } catch (error) {
          told.textContent = error.message;
        } finally {
          clearTimeout(slow);
          box.classList.remove('busy');
        }
      };
      const sliders = e.params.map((p, k) => {
        const s = make('input', { type: 'range', min: 0, max: steps(p), value: at[k], autocomplete: 'off' });
        s.setAttribute('aria-label', p.label);
        s.addEventListener('input', () => { at[k] = Number(s.value); draw(); });
        return s;
      });
      const controls = make('div', { className: 'live' });
      sliders.forEach((s, k) => { texts[k] = make('span', {}); controls.append(make('div', {}, s, ' ', texts[k])); });
      const other = make('button', { type: 'button', className: 'act', textContent: 'Other data' });
      other.addEventListener('click', () => { seed++; draw(); });
      if (e.random) controls.append(other);
      const focused = [...inputs].indexOf(document.activeElement);
      old.hidden = true;
      old.style.display = 'none';
      old.after(controls);
      if (focused >= 0) sliders[focused].focus();
      draw();
    };

    const begin = async event => {
      if (!event.isTrusted || cell.dataset.begun) return;
      cell.dataset.begun = 'true';
      told.textContent = 'Loading the engine…';
      try {
        list ??= (await ask({ do: 'list' })).explorables;
        const e = list.find(e => e.name === cell.dataset.live);
        if (e) replace(e);
      } catch (error) {
        delete cell.dataset.begun;
        list = null;
        told.textContent = `Only these values: ${error.message}.`;
      }
    };
    for (const input of inputs) for (const kind of ['pointerdown', 'keydown', 'input']) input.addEventListener(kind, begin);
  }
})();
