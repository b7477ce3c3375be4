// Reads the little markup that Mermaid puts into elements: labels.

const entities = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0', equals: '=' };

export function decode(text) {
  return text.replace(/&(?:#x([0-9a-fA-F]{1,6})|#([0-9]{1,7})|([a-zA-Z]+));/g, (all, hex, dec, name) => {
    if (name) return entities[name] ?? all;
    const code = hex ? parseInt(hex, 16) : parseInt(dec, 10);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : all;
  });
}

const tag = /<(\/?)([a-zA-Z][\w-]*)((?:\s+[\w:-]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]+))?)*)\s*(\/?)>/g;

export function parseMarkup(parent, markup) {
  const document = parent.ownerDocument;
  let open = parent;
  let at = 0;
  const text = (s) => {
    if (s) open.appendChild(document.createTextNode(decode(s)));
  };
  for (const m of markup.matchAll(tag)) {
    text(markup.slice(at, m.index));
    at = m.index + m[0].length;
    const [, closing, name, attributes, empty] = m;
    if (closing) {
      let e = open;
      while (e !== parent && e.tagName !== name) e = e.parentNode;
      if (e !== parent) open = e.parentNode;
      continue;
    }
    const element = document.createElementNS(parent.namespaceURI, name);
    for (const a of attributes.matchAll(/([\w:-]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g)) {
      element.setAttribute(a[1], decode(a[2] ?? a[3] ?? a[4] ?? ''));
    }
    open.appendChild(element);
    if (!empty && name !== 'br' && name !== 'img' && name !== 'hr') open = element;
  }
  text(markup.slice(at));
}
