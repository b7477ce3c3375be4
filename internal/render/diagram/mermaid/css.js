// Selectors and style sheets, as far as Mermaid uses them.
import { declarations } from './dom.js';

const parsed = new Map();

// Attributes that selectors ask for, and how often an element changed in a way that
// may give other rules to it or to what is in it.
const asked = new Set(['class', 'id']);
let changes = 0;

// changed is told of each attribute that is set, and of each element that is moved.
// An element that nobody has asked about, with nothing in it, changes no answer.
export function changed(element, attribute) {
  if (attribute && !asked.has(attribute)) return;
  if (element.rules || element.childNodes.length) changes++;
}

// parseSelector returns a list of chains, each of compounds from right to left.
export function parseSelector(text) {
  let list = parsed.get(text);
  if (!list) {
    list = splitOutside(text, ',').map(chain).filter(Boolean);
    if (parsed.size > 5000) parsed.clear();
    parsed.set(text, list);
  }
  return list;
}

function splitOutside(text, mark) {
  const parts = [''];
  let depth = 0;
  for (const c of text) {
    if (c === '[' || c === '(') depth++;
    if (c === ']' || c === ')') depth--;
    if (c === mark && depth === 0) parts.push('');
    else parts[parts.length - 1] += c;
  }
  return parts;
}

const simple = /^(?:(\*|[a-zA-Z][\w-]*)|#((?:[\w-]|[^\x00-\x7f]|\\.)+)|\.((?:[\w-]|[^\x00-\x7f]|\\.)+)|\[\s*([\w:-]+)\s*(?:([~^$*|]?=)\s*(?:"([^"]*)"|'([^']*)'|([^\]\s]*))\s*)?\]|:(not|is|where)\(([^()]*)\)|::?([\w-]+)(?:\([^()]*\))?)/;

function chain(text) {
  const compounds = [];
  let rest = text.trim();
  let combinator = ' ';
  let specificity = 0;
  let beside = false; // it asks for what stands beside an element
  while (rest) {
    const c = { combinator, tests: [] };
    let m;
    while ((m = simple.exec(rest))) {
      const [all, tag, id, cls, attr, op, v1, v2, v3, fn, inner, pseudo] = m;
      if (tag && c.tests.length) break;
      rest = rest.slice(all.length);
      if (tag) {
        if (tag !== '*') c.tests.push((e) => e.tagName === tag || e.tagName.toLowerCase() === tag.toLowerCase());
        else c.tests.push(() => true);
        if (tag !== '*') c.key ??= tag;
        specificity += tag === '*' ? 0 : 1;
      } else if (id) {
        const want = id.replace(/\\(.)/g, '$1');
        c.tests.push((e) => e.attrs.get('id') === want);
        specificity += 10000;
      } else if (cls) {
        const want = cls.replace(/\\(.)/g, '$1');
        c.tests.push((e) => e.classes.has(want));
        c.key = '.' + want;
        specificity += 100;
      } else if (attr) {
        const value = v1 ?? v2 ?? v3;
        asked.add(attr);
        c.tests.push((e) => attribute(e.getAttribute(attr), op, value));
        specificity += 100;
      } else if (fn) {
        const list = parseSelector(inner);
        beside ||= list.some((l) => l.beside);
        c.tests.push(fn === 'not' ? (e) => !matches(e, list) : (e) => matches(e, list));
        specificity += fn === 'where' ? 0 : 100;
      } else {
        beside ||= /-child$/.test(pseudo);
        c.tests.push(pseudoTest(pseudo));
        specificity += 100;
      }
    }
    if (!c.tests.length) return null; // not understood: matches nothing
    compounds.unshift(c);
    m = /^\s*([>+~])\s*|^\s+/.exec(rest);
    if (!m) {
      if (rest) return null;
      break;
    }
    combinator = m[1] || ' ';
    beside ||= combinator === '+' || combinator === '~';
    rest = rest.slice(m[0].length);
  }
  return compounds.length ? { compounds, specificity, beside, key: compounds[0].key || '*' } : null;
}

function pseudoTest(name) {
  switch (name) {
    case 'root':
      return (e) => !e.parentElement;
    case 'first-child':
      return (e) => e.parentElement && e.parentElement.firstElementChild === e;
    case 'last-child':
      return (e) => e.parentElement && e.parentElement.lastElementChild === e;
    default: // :hover and its like are never so
      return () => false;
  }
}

function attribute(have, op, want) {
  if (have === null) return false;
  switch (op) {
    case undefined:
      return true;
    case '=':
      return have === want;
    case '^=':
      return have.startsWith(want);
    case '$=':
      return have.endsWith(want);
    case '*=':
      return have.includes(want);
    case '~=':
      return have.split(/\s+/).includes(want);
    default:
      return have === want || have.startsWith(want + '-');
  }
}

export function matches(element, list) {
  return list.some((chain) => from(element, chain.compounds, 0));
}

function from(e, compounds, i) {
  const c = compounds[i];
  if (!c.tests.every((t) => t(e))) return false;
  if (i + 1 === compounds.length) return true;
  switch (c.combinator) {
    case '>':
      return !!e.parentElement && from(e.parentElement, compounds, i + 1);
    case '+':
    case '~': {
      const all = e.parentNode ? e.parentNode.children : [];
      const before = all.slice(0, all.indexOf(e));
      return (c.combinator === '+' ? before.slice(-1) : before).some((s) => from(s, compounds, i + 1));
    }
    default:
      for (let p = e.parentElement; p; p = p.parentElement) if (from(p, compounds, i + 1)) return true;
      return false;
  }
}

// A Sheet holds the rules of style elements, by property and by what they ask for.
export class Sheet {
  constructor(text) {
    this.byProperty = new Map();
    this.beside = false;
    let order = 0;
    for (const [selectors, body] of rules(text)) {
      for (const chain of parseSelector(selectors)) {
        this.beside ||= chain.beside;
        for (const [name, value, important] of declarations(body)) {
          if (!this.byProperty.has(name)) this.byProperty.set(name, new Map());
          const keys = this.byProperty.get(name);
          if (!keys.has(chain.key)) keys.set(chain.key, []);
          keys.get(chain.key).push({ chain, value, important, rank: chain.specificity * 1e5 + order + (important ? 1e12 : 0) });
        }
        order++;
      }
    }
    for (const keys of this.byProperty.values()) for (const list of keys.values()) list.sort((a, b) => b.rank - a.rank);
  }
  // rule returns the one that sets a property of an element itself. Each box of a text
  // asks for it up to the root, so that an element remembers.
  rule(element, name) {
    if (this.beside) return this.find(element, name);
    const known = element.rules;
    if (!known || known.sheet !== this || known.changes !== changes) element.rules = { sheet: this, changes, found: new Map() };
    const found = element.rules.found;
    if (!found.has(name)) found.set(name, this.find(element, name));
    return found.get(name);
  }
  find(element, name) {
    const keys = this.byProperty.get(name);
    if (!keys) return undefined;
    let best;
    const look = (key) => {
      for (const r of keys.get(key) || []) {
        if (best && best.rank > r.rank) return;
        if (from(element, r.chain.compounds, 0)) {
          best = r;
          return;
        }
      }
    };
    look('*');
    look(element.tagName);
    for (const c of element.classes) look('.' + c);
    return best;
  }
}

function* rules(text) {
  text = text.replace(/\/\*[^]*?\*\//g, '');
  let i = 0;
  while (i < text.length) {
    const open = text.indexOf('{', i);
    if (open < 0) return;
    let depth = 1;
    let j = open + 1;
    for (; j < text.length && depth > 0; j++) {
      if (text[j] === '{') depth++;
      else if (text[j] === '}') depth--;
    }
    const selectors = text.slice(i, open).trim();
    if (!selectors.startsWith('@')) yield [selectors, text.slice(open + 1, j - 1)];
    i = j;
  }
}

let kept = { text: null, sheet: null };

// sheetOf returns the rules that hold in the drawing of an element.
export function sheetOf(element) {
  let root = element;
  while (root.parentElement && root.tagName !== 'svg') root = root.parentElement;
  while (root.parentElement && root.parentElement.closest('svg')) root = root.parentElement;
  let text = '';
  for (const child of root.childNodes) if (child.tagName === 'style') text += child.textContent;
  if (kept.text !== text) kept = { text, sheet: new Sheet(text) };
  return kept.sheet;
}

// own is a property as set on the element by rules, style or attribute.
export function own(element, name, sheet) {
  const rule = sheet.rule(element, name);
  if (rule && rule.important) return rule.value;
  return element.style.values.get(name) ?? (rule ? rule.value : undefined) ?? element.attrs.get(name);
}

// computed is a property that is inherited.
export function computed(element, name) {
  const sheet = sheetOf(element);
  for (let e = element; e && e.nodeType === 1; e = e.parentNode) {
    const value = own(e, name, sheet);
    if (value !== undefined && value !== 'inherit') return value;
  }
  return undefined;
}
