// What pages do beyond HTML: they remember what is unfolded, and show where one is in the list of
// contents. Without it everything is there, folded.
(() => {
  'use strict';
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const page = location.pathname.split('/').pop();
  const memory = {
    get(key) { try { return localStorage.getItem('regbook:' + key); } catch { return null; } },
    set(key, value) { try { localStorage.setItem('regbook:' + key, value); } catch { /* a page may forbid it */ } },
  };

  // Folds: each is remembered by its page and cell, and the button's state for all pages.
  const folds = all('details[data-fold]');
  const key = fold => page + ':' + fold.dataset.fold;
  const code = all('details.fold.code');
  for (const fold of folds) {
    const kept = memory.get(key(fold));
    if (kept !== null) fold.open = kept === 'open';
    else if (fold.classList.contains('code')) fold.open = memory.get('code') === 'open';
    fold.firstElementChild.addEventListener('click', () => setTimeout(() => memory.set(key(fold), fold.open ? 'open' : 'closed')));
  }
  for (const button of all('button.code')) {
    button.hidden = code.length === 0;
    const say = () => {
      const open = code.every(fold => fold.open);
      button.textContent = open ? 'Fold the code' : 'Show all code';
      button.setAttribute('aria-pressed', String(open));
    };
    button.addEventListener('click', () => {
      const open = !code.every(fold => fold.open);
      for (const fold of code) { fold.open = open; memory.set(key(fold), open ? 'open' : 'closed'); }
      memory.set('code', open ? 'open' : 'closed');
      say();
    });
    for (const fold of code) fold.addEventListener('toggle', say);
    say();
  }
  // A link into a fold opens it. Paper shows what goes further, and no code.
  const reveal = () => {
    let at = location.hash && document.getElementById(location.hash.slice(1)) || null;
    if (!at && location.hash) { try { at = document.getElementById(decodeURIComponent(location.hash.slice(1))); } catch { /* not an escape */ } }
    for (let in_ = at; in_; in_ = in_.parentElement) if (in_.tagName === 'DETAILS') in_.open = true;
    if (at) at.scrollIntoView();
  };
  addEventListener('hashchange', reveal);
  if (location.hash) reveal();
  const opened = [];
  addEventListener('beforeprint', () => { for (const fold of all('details.further:not([open])')) { fold.open = true; opened.push(fold); } });
  addEventListener('afterprint', () => { for (const fold of opened.splice(0)) fold.open = false; });

  // A slider begins at the frame of the still above it, and replaces it.
  addEventListener('load', () => {
    for (const holder of all('[data-frames]')) {
      const output = holder.closest('.jp-OutputArea-child'), before = output && output.previousElementSibling;
      const still = before && before.querySelector('.jp-RenderedImage img');
      const at = still ? holder.dataset.alts.split('\n').findIndex(alt => still.alt === 'Figure: ' + alt) : -1;
      if (at < 0) continue;
      for (const control of holder.matches('input') ? [holder] : all('input', holder)) {
        control.value = Math.floor(at / (control.dataset.row || 1)) % (Number(control.max) + 1);
        control.dispatchEvent(new Event('input'));
      }
      before.style.display = 'none';
    }
  });

  // What scrolls sideways can be reached by keys, and says what it is.
  const reach = () => {
    for (const box of all('.wide, .jp-OutputArea-output, .gallery figure')) {
      const scrolls = box.scrollWidth > box.clientWidth + 1;
      if (scrolls && !box.hasAttribute('tabindex')) {
        box.tabIndex = 0;
        box.setAttribute('role', 'region');
        box.setAttribute('aria-label', box.querySelector('table') ? 'table that scrolls' : 'output that scrolls');
      } else if (!scrolls && box.getAttribute('role') === 'region') {
        for (const name of ['tabindex', 'role', 'aria-label']) box.removeAttribute(name);
      }
    }
  };
  addEventListener('load', reach);
  addEventListener('resize', reach);

  // Contents: the section at the top of the window is the current one.
  const links = all('aside .contents a');
  const heads = links.map(a => document.getElementById(a.getAttribute('href').slice(1)) || document.getElementById(decodeURIComponent(a.getAttribute('href').slice(1))));
  if (links.length && 'IntersectionObserver' in window) {
    const mark = () => {
      let now = -1;
      heads.forEach((head, i) => { if (head && head.getBoundingClientRect().top < 120) now = i; });
      links.forEach((a, i) => { if (i === now) a.setAttribute('aria-current', 'true'); else a.removeAttribute('aria-current'); });
      const a = links[now], box = a && a.closest('aside');
      if (a && (a.offsetTop < box.scrollTop || a.offsetTop > box.scrollTop + box.clientHeight - 40)) box.scrollTop = a.offsetTop - box.clientHeight / 2;
    };
    let waiting = false;
    addEventListener('scroll', () => {
      if (waiting) return;
      waiting = true;
      requestAnimationFrame(() => { waiting = false; mark(); });
    }, { passive: true });
    mark();
  }
  // On a phone the list folds again when a section is chosen.
  for (const list of all('details.contents')) list.addEventListener('click', e => { if (e.target.closest('a')) list.open = false; });

  // Code to copy, where the browser lets a page do so.
  if (navigator.clipboard) {
    for (const source of all('details.source')) {
      const button = document.createElement('button');
      button.type = 'button';
      button.className = 'code';
      button.textContent = 'Copy';
      button.addEventListener('click', async () => {
        try { await navigator.clipboard.writeText(source.querySelector('pre:last-of-type').textContent); button.textContent = 'Copied'; } catch { button.textContent = 'Select it'; }
        setTimeout(() => { button.textContent = 'Copy'; }, 2000);
      });
      source.append(button);
    }
  }

  // A menu on a phone: without this script all its links are shown.
  for (const menu of all('button.menu')) {
    const nav = menu.closest('nav');
    const fold = open => { nav.classList.toggle('folded', !open); menu.setAttribute('aria-expanded', String(open)); };
    menu.hidden = false;
    menu.addEventListener('click', () => fold(nav.classList.contains('folded')));
    fold(false);
  }
})();
