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
  // Each of these has the coder in variables of its own while it loops: that takes half the time.
  const bit = (p, i) => {
    let range = coder[0], code = coder[1], b = 0;
    const q = p[i], bound = Math.imul(range >>> 11, q);
    if ((code ^ sign) < (bound ^ sign)) {
      range = bound;
      p[i] = q + (2048 - q >>> 5);
    } else {
      range = range - bound | 0;
      code = code - bound | 0;
      p[i] = q - (q >>> 5);
      b = 1;
    }
    if (range >>> 24 === 0) { range <<= 8; code = code << 8 | src[at++]; }
    coder[0] = range; coder[1] = code;
    return b;
  };
  const direct = bits => {
    let range = coder[0], code = coder[1], v = 0;
    for (; bits > 0; bits--) {
      range >>>= 1;
      const above = (code ^ sign) >= (range ^ sign);
      if (above) code = code - range | 0;
      v = v << 1 | (above ? 1 : 0);
      if (range >>> 24 === 0) { range <<= 8; code = code << 8 | src[at++]; }
    }
    coder[0] = range; coder[1] = code;
    return v;
  };
  // tree returns the number that bits lead to, below the root m, before its first bit is taken away.
  const tree = (p, from, m, end) => {
    let range = coder[0], code = coder[1], next = at;
    while (m < end) {
      const i = from + m, q = p[i], bound = Math.imul(range >>> 11, q);
      if ((code ^ sign) < (bound ^ sign)) {
        range = bound;
        p[i] = q + (2048 - q >>> 5);
        m <<= 1;
      } else {
        range = range - bound | 0;
        code = code - bound | 0;
        p[i] = q - (q >>> 5);
        m = m << 1 | 1;
      }
      if (range >>> 24 === 0) { range <<= 8; code = code << 8 | src[next++]; }
    }
    coder[0] = range; coder[1] = code; at = next;
    return m;
  };
  const reverse = (p, from, bits) => {
    let m = 1, v = 0;
    for (let i = 0; i < bits; i++) { const b = bit(p, from + m); m = m << 1 | b; v |= b << i; }
    return v;
  };
  const lengths = () => ({ choice: probs(2), low: probs(16 << 3), mid: probs(16 << 3), high: probs(256) });
  const length = (l, pos) => {
    if (!bit(l.choice, 0)) return tree(l.low, pos << 3, 1, 8) - 6;
    if (!bit(l.choice, 1)) return tree(l.mid, pos << 3, 1, 8) + 2;
    return tree(l.high, 0, 1, 256) - 238;
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
      out[n++] = tree(literal, from, m, 0x100);
      state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6;
      continue;
    }
    let count;
    if (!bit(rep, state)) {
      d3 = d2; d2 = d1; d1 = d0;
      count = length(len, pos);
      state = state < 7 ? 7 : 10;
      const slot = tree(slots, Math.min(count - 2, 3) << 6, 1, 64) - 64;
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

// bytesOf decodes base64.
function bytesOf(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const chars = atob(text), bytes = new Uint8Array(chars.length);
  for (let i = 0; i < chars.length; i++) bytes[i] = chars.charCodeAt(i);
  return bytes;
}

let memory = null;
self.regbookTell = text => self.postMessage({ text, bytes: memory?.buffer.byteLength });
self.onmessage = async ({ data }) => {
  if (data.hold !== undefined) { self.regbookHold(new Uint8Array(data.hold)); return; }
  if (data.ask !== undefined) { self.regbookAsk(data.ask); return; }
  try {
    const packed = bytesOf(data.wasm);
    const go = new Go();
    const { instance } = await WebAssembly.instantiate(unlzma(packed, data.size), go.importObject);
    memory = instance.exports.mem;
    go.run(instance).then(() => self.postMessage({ failed: 'the engine has ended' }));
  } catch (e) {
    self.postMessage({ failed: String(e) });
  }
};
