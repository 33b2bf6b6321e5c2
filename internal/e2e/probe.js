// What e2e looks for on a page. The selectors cell, prompt, output, failed and
// box are defined around it.

const all = (selector, within) => [...(within || document).querySelectorAll(selector)];

// outputs are those that are on the page, the innermost of nested ones left out.
const outputs = () => all(output).filter(o => !o.parentElement.closest(output));

// pending says what keeps a run of all cells from being done, "" if it is.
const pending = () => {
  const bad = all(failed).map(e => e.innerText);
  if (bad.length) return "failed: " + bad.join("\n").slice(0, 600);
  const cells = all(cell).filter(c => c.querySelector(prompt) && !c.querySelector(".jp-InputPlaceholder")); // a folded cell has no number
  const left = cells.filter(c => !/\[\d+\]/.test(c.querySelector(prompt).textContent));
  return cells.length === 0 ? "no cells" : left.length ? left.length + " of " + cells.length + " cells left" : "";
};

// height is that of the whole notebook.
const height = () => {
  const tops = outputs().concat(all(cell)).map(e => e.getBoundingClientRect().bottom);
  const scrolled = Math.max(0, ...all(box).map(e => e.scrollTop));
  return Math.ceil(Math.max(...tops) + scrolled);
};

// ink is the share of the pixels of a picture that are neither white nor clear.
const ink = img => {
  const canvas = document.createElement("canvas");
  canvas.width = img.naturalWidth; canvas.height = img.naturalHeight;
  const context = canvas.getContext("2d");
  context.drawImage(img, 0, 0);
  const pixels = context.getImageData(0, 0, canvas.width, canvas.height).data;
  let n = 0;
  for (let i = 0; i < pixels.length; i += 4)
    if (pixels[i + 3] > 0 && pixels[i] + pixels[i + 1] + pixels[i + 2] < 720) n++;
  return n / (pixels.length / 4);
};

// line says what is wrong with how a slider stands beside its label.
const line = input => {
  const a = input.getBoundingClientRect(), b = input.nextElementSibling.getBoundingClientRect();
  return a.width < 150 ? "slider " + a.width + " pixels wide" : b.top > a.bottom || b.bottom < a.top ? "slider and label in different lines" : "";
};

const look = async () => {
  const images = outputs().flatMap(o => all("img", o)), tables = outputs().flatMap(o => all("table", o));
  const figures = [];
  for (const img of images) {
    let decoded = true;
    await img.decode().catch(() => { decoded = false });
    img.scrollIntoView({block: "center"}); // a page may be longer than any window
    const r = img.getBoundingClientRect();
    const top = document.elementFromPoint(r.left + r.width / 2, r.top + r.height / 2);
    figures.push({Width: Math.round(r.width), Height: Math.round(r.height), Natural: decoded ? img.naturalWidth : 0,
      Ink: decoded ? ink(img) : 0, Seen: top === img});
  }
  const boxes = images.concat(tables).map(e => e.getBoundingClientRect());
  const overlapping = [];
  boxes.forEach((a, i) => boxes.slice(0, i).forEach((b, k) => {
    if (a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1)
      overlapping.push("outputs " + (k + 1) + " and " + (i + 1) + " overlap");
  }));
  return {
    Figures: figures, Overlapping: overlapping,
    Tables: tables.map(t => ({Rows: t.querySelectorAll("tbody tr").length, Width: Math.round(t.getBoundingClientRect().width), Text: t.innerText})),
    Errors: all(failed).map(e => "error output: " + e.innerText.slice(0, 200)),
    Garbled: outputs().map(o => o.innerText).filter(s => /base64|<\/?(table|td|div|img)|oninput|undefined/.test(s)).map(s => "garbled output: " + s.slice(0, 200)),
    Sliders: sliders().length, Moving: new Set(sliders().map(movedBy)).size,
  };
};

const sliders = () => outputs().flatMap(o => all("input[type=range]", o));

// movedBy is the picture that a slider changes, alone or with another slider.
const movedBy = input => {
  let e = input.parentElement;
  while (!e.querySelector("img")) e = e.parentElement;
  return e.querySelector("img");
};

// slide moves slider i to its end, and says what is wrong with it, or from
// which label to which it has changed the page, "" if there is no slider to be
// seen and the page has not changed.
const slide = async i => {
  const input = sliders()[i], label = input.nextElementSibling;
  const img = movedBy(input);
  const src = img.src, alt = img.alt, text = label.textContent;
  input.value = input.max;
  input.dispatchEvent(new Event("input", {bubbles: true}));
  await img.decode();
  if (img.src === src) return input.checkVisibility() ? "a slider is seen, and moves nothing" : "";
  if (img.alt === alt) return "the alternative text is that of another frame: " + alt;
  return line(input) || text + " to " + label.textContent;
};

// hold gives slider i the focus, and says what is wrong with that.
const hold = i => {
  const input = sliders()[i];
  input.focus();
  return document.activeElement === input ? "" : "slider does not take the focus";
};

// told is what a screen reader says about slider i, and what is seen.
const told = i => sliders()[i].getAttribute("aria-valuetext") + " is " + sliders()[i].nextElementSibling.textContent;
