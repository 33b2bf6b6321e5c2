// The worker of a page: unpacks the engine, runs it, and hands texts over. wasm_exec.js, Go's own, stands before it.
'use strict';

// unlzma unpacks what xz --format=lzma packed, size bytes of it: the format is described in
// the LZMA specification of Igor Pavlov's LZMA SDK.
function unlzma(src, size) {
  const out = new Uint8Array(size), sign = 1 << 31;
  const lc = src[0] % 9, lp = Math.floor(src[0] / 9) % 5, pb = Math.floor(src[0] / 45);
  const probs = n => new Uint16Array(n).fill(1024);
  const coder = new Int32Array(2); // range and code, without a sign
  let at = 14, n = 0;
  coder[0] = -1;
  for (let i = 0; i < 4; i++) coder[1] = coder[1] << 8 | src[at++];
  const normalize = () => {
    if (coder[0] >>> 24 === 0) { coder[0] <<= 8; coder[1] = coder[1] << 8 | src[at++]; }
  };
  const bit = (p, i) => {
    const q = p[i], bound = Math.imul(coder[0] >>> 11, q);
    let b = 0;
    if ((coder[1] ^ sign) < (bound ^ sign)) {
      coder[0] = bound;
      p[i] = q + (2048 - q >>> 5);
    } else {
      coder[0] -= bound;
      coder[1] -= bound;
      p[i] = q - (q >>> 5);
      b = 1;
    }
    normalize();
    return b;
  };
  const direct = bits => {
    let v = 0;
    for (; bits > 0; bits--) {
      coder[0] >>>= 1;
      const above = (coder[1] ^ sign) >= (coder[0] ^ sign);
      if (above) coder[1] -= coder[0];
      v = v << 1 | (above ? 1 : 0);
      normalize();
    }
    return v;
  };
  const tree = (p, from, bits) => {
    let m = 1;
    for (let i = 0; i < bits; i++) m = m << 1 | bit(p, from + m);
    return m - (1 << bits);
  };
  const reverse = (p, from, bits) => {
    let m = 1, v = 0;
    for (let i = 0; i < bits; i++) { const b = bit(p, from + m); m = m << 1 | b; v |= b << i; }
    return v;
  };
  const lengths = () => ({ choice: probs(2), low: probs(16 << 3), mid: probs(16 << 3), high: probs(256) });
  const length = (l, pos) => {
    if (!bit(l.choice, 0)) return 2 + tree(l.low, pos << 3, 3);
    if (!bit(l.choice, 1)) return 10 + tree(l.mid, pos << 3, 3);
    return 18 + tree(l.high, 0, 8);
  };
  const literal = probs(0x300 << lc + lp), match = probs(192), rep = probs(12), rep0 = probs(12), rep1 = probs(12), rep2 = probs(12), long = probs(192);
  const slots = probs(4 << 6), special = probs(128), align = probs(16), len = lengths(), repLen = lengths();
  let state = 0, d0 = 0, d1 = 0, d2 = 0, d3 = 0;
  while (n < size) {
    const pos = n & (1 << pb) - 1;
    if (!bit(match, (state << 4) + pos)) {
      const before = n > 0 ? out[n - 1] : 0;
      const from = 0x300 * (((n & (1 << lp) - 1) << lc) + (before >>> 8 - lc));
      let m = 1;
      if (state >= 7) {
        let other = out[n - d0 - 1];
        do {
          const want = other >>> 7 & 1;
          other <<= 1;
          const b = bit(literal, from + (1 + want << 8) + m);
          m = m << 1 | b;
          if (want !== b) break;
        } while (m < 0x100);
      }
      while (m < 0x100) m = m << 1 | bit(literal, from + m);
      out[n++] = m;
      state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6;
      continue;
    }
    let count;
    if (!bit(rep, state)) {
      d3 = d2; d2 = d1; d1 = d0;
      count = length(len, pos);
      state = state < 7 ? 7 : 10;
      const slot = tree(slots, Math.min(count - 2, 3) << 6, 6);
      if (slot < 4) d0 = slot;
      else {
        const bits = (slot >>> 1) - 1;
        d0 = (2 | slot & 1) << bits;
        if (slot < 14) d0 += reverse(special, d0 - slot, bits);
        else d0 += (direct(bits - 4) << 4) + reverse(align, 0, 4);
      }
      if (d0 === -1) break; // the mark of the end
    } else {
      if (!bit(rep0, state)) {
        if (!bit(long, (state << 4) + pos)) {
          state = state < 7 ? 9 : 11;
          out[n] = out[n - d0 - 1];
          n++;
          continue;
        }
      } else {
        let d;
        if (!bit(rep1, state)) d = d1;
        else {
          if (!bit(rep2, state)) d = d2;
          else { d = d3; d3 = d2; }
          d2 = d1;
        }
        d1 = d0;
        d0 = d;
      }
      count = length(repLen, pos);
      state = state < 7 ? 8 : 11;
    }
    for (let i = 0; i < count; i++, n++) out[n] = out[n - d0 - 1];
  }
  if (n !== size) throw new Error(`the engine is damaged: ${n} bytes of ${size}`);
  return out;
}

let memory = null;
self.regbookTell = text => self.postMessage({ text, bytes: memory?.buffer.byteLength });
self.onmessage = async ({ data }) => {
  if (data.ask !== undefined) { self.regbookAsk(data.ask); return; }
  try {
    const packed = Uint8Array.from(atob(data.wasm), c => c.charCodeAt(0));
    const go = new Go();
    const { instance } = await WebAssembly.instantiate(unlzma(packed, data.size), go.importObject);
    memory = instance.exports.mem;
    go.run(instance).then(() => self.postMessage({ failed: 'the engine has ended' }));
  } catch (e) {
    self.postMessage({ failed: String(e) });
  }
};
