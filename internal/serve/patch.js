// Changing a page into what the server has of it now, part by part. Scripts have
// changed the page since it came, and the reader has: so what was sent is kept beside
// it, the new page is compared with that, and only what differs is replaced. Where the
// two do not fit any more this throws, and the page is loaded anew.

// sent is the page as it came, and standing tells where each of its elements stands.
const inert = document.implementation.createHTMLDocument('');
const standing = new WeakMap();
const sent = { head: inert.importNode(document.head, true), body: inert.importNode(document.body, true) };
pair(sent.head, document.head);
pair(sent.body, document.body);
withoutOurs(sent.head);
withoutOurs(sent.body);

function pair(kept, there) {
  standing.set(kept, there);
  for (let i = 0; i < kept.children.length; i++) pair(kept.children[i], there.children[i]);
}

// withoutOurs leaves out what the server adds to each page, and all scripts: they
// have run, and the server tells when they have changed. Style sheets are for restyle.
function withoutOurs(part) {
  part.querySelectorAll('script, link[rel~=stylesheet]').forEach(n => {
    if (n.localName === 'script' || n.closest('head')) n.remove();
  });
}

// patch makes the page what fresh is, and returns the elements that are new in it.
function patch(fresh) {
  restyle([...fresh.head.querySelectorAll('link[rel~=stylesheet]')]);
  withoutOurs(fresh.head);
  withoutOurs(fresh.body);
  const templates = part => [...part.querySelectorAll('template')].map(t => t.content.textContent + t.content.querySelectorAll('*').length).join();
  if (templates(sent.body) !== templates(fresh.body)) throw new Error('what scripts make elements of has changed');

  const held = inView(), focused = where(document.activeElement), roots = [];
  change(sent.head, fresh.head, []);
  change(sent.body, fresh.body, roots);
  document.documentElement.lang = fresh.documentElement.lang;
  const now = roots.filter(n => n.isConnected);
  for (const root of now) {
    if (window.gpudocs && window.gpudocs.remount) window.gpudocs.remount(root);
    document.dispatchEvent(new CustomEvent('gpudocs:replaced', { detail: root }));
  }
  focused();
  const still = held.find(([n]) => n.isConnected && n.getClientRects().length);
  if (still) scrollBy({ top: still[0].getBoundingClientRect().top - still[1], behavior: 'instant' });
  return now;
}

// restyle puts new style sheets into the places of the old, which stay until the new
// ones are there: nothing is seen without a style.
function restyle(fresh) {
  const old = [...document.head.querySelectorAll('link[rel~=stylesheet]:not([href^="/_gpudocs/"])')];
  fresh.forEach((link, i) => {
    if (old[i] && old[i].getAttribute('href') === link.getAttribute('href')) return;
    const next = document.importNode(link, true), before = old[i];
    if (before) {
      next.addEventListener('load', () => before.remove());
      next.addEventListener('error', () => before.remove());
    }
    const after = before || old[old.length - 1];
    if (after) after.after(next); else document.head.append(next);
  });
  old.slice(fresh.length).forEach(n => n.remove());
}

// Elements whose children are changed one by one, where there is no text between them.
// A <details> is one thing: scripts move about what is in it.
const boxes = new Set(('html head body main article section div nav header footer aside figure ' +
  'ul ol li dl table thead tbody tr blockquote form fieldset').split(' '));

function isBox(n) {
  return boxes.has(n.localName) && n.children.length > 0 && ![...n.childNodes].some(c => c.nodeType === 3 && c.data.trim());
}

function change(old, fresh, roots) {
  if (old.isEqualNode(fresh)) return;
  const alike = old.localName === fresh.localName && old.id === fresh.id;
  if (!alike || !sameWithin(old, fresh) && !(isBox(old) && isBox(fresh))) {
    replace(old, fresh, roots);
    return;
  }
  const there = standing.get(old);
  for (const { name } of [...old.attributes]) {
    if (!fresh.hasAttribute(name)) { there.removeAttribute(name); old.removeAttribute(name); }
  }
  for (const { name, value } of fresh.attributes) {
    if (old.getAttribute(name) !== value) { there.setAttribute(name, value); old.setAttribute(name, value); }
  }
  changeChildren(old, [...old.children], [...fresh.children], roots);
}

function sameWithin(old, fresh) {
  return old.childNodes.length === fresh.childNodes.length && [...old.childNodes].every((n, i) => n.isEqualNode(fresh.childNodes[i]));
}

// How far an element is looked for that others stand before now, or no longer do.
const lookAhead = 60;

function changeChildren(box, was, now, roots) {
  const same = (i, j) => i < was.length && j < now.length && was[i].isEqualNode(now[j]);
  let i = 0, j = 0;
  while (i < was.length || j < now.length) {
    if (same(i, j)) { i++; j++; continue; }
    let gone = 0, come = 0;
    for (let n = 1; n <= lookAhead && !same(i + 1, j + 1) && !gone && !come; n++) {
      if (same(i + n, j)) gone = n;
      else if (same(i, j + n)) come = n;
    }
    if (!gone && !come && i < was.length && j < now.length) {
      change(was[i++], now[j++], roots);
      continue;
    }
    if (!gone && !come) { gone = was.length - i; come = now.length - j; }
    for (; gone > 0; gone--) {
      const old = was[i++];
      standing.get(old).remove();
      old.remove();
    }
    for (; come > 0; come--) insert(box, now[j++], was[i], roots);
  }
}

function insert(box, fresh, before, roots) {
  const there = document.importNode(fresh, true);
  const next = before && standing.get(before), previous = before ? null : box.lastElementChild;
  if (next) next.before(there, '\n');
  else if (previous) standing.get(previous).after('\n', there);
  else standing.get(box).prepend(there);
  if (!there.isConnected) throw new Error('a script has taken away what stood there');
  box.insertBefore(fresh, before || null);
  pair(fresh, there);
  roots.push(there);
}

function replace(old, fresh, roots) {
  const from = standing.get(old), to = document.importNode(fresh, true);
  if (!from.isConnected) throw new Error('a script has taken away what stood there');
  // Around the text scripts hold on to what can be pressed.
  const main = document.querySelector('main');
  if (main && !main.contains(from) && from.querySelector('button, select, input')) throw new Error('controls have changed');
  const leave = keep(from, to);
  from.replaceWith(to);
  leave();
  old.replaceWith(fresh);
  pair(fresh, to);
  roots.push(to);
}

// keep carries what the reader has chosen from an element to the one that takes its
// place; what it returns does what can only be done when that stands there.
function keep(from, to) {
  const match = (selector, hand) => {
    const within = root => [...(root.matches(selector) ? [root] : []), ...root.querySelectorAll(selector)];
    const list = within(to);
    within(from).forEach((a, i) => {
      const b = a.id ? list.find(n => n.id === a.id) : list[i];
      if (b) hand(a, b);
    });
  };
  match('details', (a, b) => { b.open = a.open; });
  match('input, select, textarea', (a, b) => {
    if (a.type === 'checkbox' || a.type === 'radio') { if (a.checked) b.checked = true; }
    else if (a.value !== a.defaultValue) b.value = a.value;
  });
  const scrolled = [];
  match('pre, div', (a, b) => { if (a.scrollLeft || a.scrollTop) scrolled.push([b, a.scrollLeft, a.scrollTop]); });
  return () => scrolled.forEach(([n, left, top]) => n.scrollTo({ left, top, behavior: 'instant' }));
}

// where remembers what has the focus, and returns how it is given back: to what has
// its id, or its place among those like it in what has taken its parent's place.
function where(n) {
  if (!n || n === document.body) return () => {};
  const way = [];
  for (let at = n; at && at !== document.body; at = at.parentElement) {
    const like = [...at.parentElement.children].filter(c => c.localName === at.localName);
    way.unshift([at.localName, like.indexOf(at)]);
  }
  return () => {
    if (n.isConnected) return;
    let at = n.id && document.getElementById(n.id);
    if (!at) {
      at = document.body;
      for (const [name, i] of way) at = at && [...at.children].filter(c => c.localName === name)[i];
    }
    if (at) at.focus({ preventScroll: true });
  };
}

// inView lists elements of the text that are in the window, and how far from its top.
function inView() {
  const text = sent.body.querySelector('article') || sent.body.querySelector('main') || sent.body;
  const list = [];
  const look = n => {
    const there = standing.get(n), at = there && there.getBoundingClientRect();
    if (!at || list.length > 40 || at.bottom < 0 || at.top > innerHeight || !at.height) return;
    if (isBox(n)) [...n.children].forEach(look);
    else list.push([there, at.top]);
  };
  look(text);
  return list;
}
