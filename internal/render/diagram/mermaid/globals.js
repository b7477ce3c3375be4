// What Mermaid looks for in a browser's window. It comes before Mermaid.
import { Document, Element, Text } from './dom.js';
import { computed } from './css.js';

const quiet = () => {};
const document = new Document();

// copy is structuredClone of the plain values that Mermaid keeps as settings.
function copy(value) {
  if (Array.isArray(value)) return value.map(copy);
  if (value instanceof Map) return new Map([...value].map(([k, v]) => [copy(k), copy(v)]));
  if (value instanceof Set) return new Set([...value].map(copy));
  if (value instanceof Date) return new Date(value);
  if (!value || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, copy(v)]));
}

// Mermaid collects the classes that an author defines in a sheet of its own.
class CSSStyleSheet {
  constructor() {
    this.cssRules = [];
  }
  insertRule(text, at) {
    this.cssRules.splice(at, 0, new Rule(text));
    return at;
  }
}

class Rule {
  constructor(text) {
    [, this.selectorText, this.body] = /^([^{]*)\{([^]*)\}\s*$/.exec(text) || ['', '', ''];
    const rule = this;
    this.style = {
      get length() {
        return rule.body.trim() ? 1 : 0;
      },
      setProperty(name, value) {
        rule.body += `;${name}:${value}`;
      },
    };
  }
  get cssText() {
    return `${this.selectorText}{${this.body}}`;
  }
}

class TextEncoder {
  encode(text) {
    const escaped = encodeURIComponent(text);
    return Uint8Array.from(escaped.match(/%..|./g) || [], (s) => (s.length > 1 ? parseInt(s.slice(1), 16) : s.charCodeAt(0)));
  }
}

class TextDecoder {
  decode(bytes) {
    return decodeURIComponent([...bytes].map((b) => '%' + b.toString(16).padStart(2, '0')).join(''));
  }
}

// Links are not drawn, so that Mermaid need only be told that an address is one.
class URL {
  constructor(text) {
    this.text = String(text);
    this.protocol = this.hostname = '';
  }
  static canParse(text) {
    return /^https?:\/\/[^\s/?#]/i.test(text);
  }
  toString() {
    return this.text;
  }
}

// What asks for numbers by chance gets the same in each build.
let serial = 0;
const uuid = () => '00000000-0000-4000-8000-' + String(++serial).padStart(12, '0');

const window = globalThis;
Object.assign(window, {
  window,
  self: window,
  document,
  Element,
  SVGElement: Element,
  HTMLElement: Element,
  Node: Element,
  Text,
  CSSStyleSheet,
  Intl: typeof Intl === 'undefined' ? {} : Intl, // QuickJS has none; Mermaid then cuts words by letters
  TextEncoder,
  TextDecoder,
  URL,
  crypto: { randomUUID: uuid, getRandomValues: (list) => list.map((_, i) => i) },
  btoa: (text) => text, // for names only
  console: { log: quiet, info: quiet, debug: quiet, warn: quiet, error: quiet, trace: quiet },
  location: { href: 'about:blank', protocol: 'about:', host: '', pathname: '', search: '', hash: '' },
  scrollX: 0,
  scrollY: 0,
  innerWidth: 800,
  innerHeight: 600,
  screen: { availWidth: 800, availHeight: 600 },
  structuredClone: copy,
  // Nothing waits in a build: what is to be done later is done after this.
  setTimeout: (f) => Promise.resolve().then(() => f()) && 0,
  clearTimeout: quiet,
  requestAnimationFrame: (f) => Promise.resolve().then(() => f(0)) && 0,
  addEventListener: quiet,
  removeEventListener: quiet,
  matchMedia: () => ({ matches: false, addEventListener: quiet, addListener: quiet }),
  getComputedStyle: (element) => ({
    getPropertyValue: (name) => computed(element, name) ?? '',
    get fontSize() {
      return computed(element, 'font-size') ?? '16px';
    },
    get textAnchor() {
      return computed(element, 'text-anchor') ?? 'start';
    },
  }),
  CSS: { escape: (s) => String(s).replace(/[^\w-]/g, '\\$&') },
});
if (typeof window.navigator === 'undefined') window.navigator = { userAgent: '' };
document.defaultView = window;
