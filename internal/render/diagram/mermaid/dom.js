// As much of a document as Mermaid asks for while it draws: elements that hold
// attributes, selectors, and boxes of text and shapes that are computed rather
// than rendered.
import { changed, matches, parseSelector } from './css.js';
import { boxOf, childBox, lengthOf, textWidth } from './box.js';
import { parseMarkup } from './markup.js';

const HTML = 'http://www.w3.org/1999/xhtml';

class Style {
  constructor(text) {
    this.values = new Map();
    if (text) this.cssText = text;
  }
  set cssText(text) {
    this.values.clear();
    for (const [name, value] of declarations(text)) this.values.set(name, value);
  }
  get cssText() {
    return [...this.values].map(([k, v]) => `${k}: ${v};`).join(' ');
  }
  setProperty(name, value) {
    this.values.set(name, String(value));
  }
  getPropertyValue(name) {
    return this.values.get(name) || '';
  }
  removeProperty(name) {
    this.values.delete(name);
  }
}

// declarations splits "a: b; c: d" with no regard to strings, which have no place here.
export function declarations(text) {
  const list = [];
  for (const part of String(text).split(';')) {
    const colon = part.indexOf(':');
    if (colon < 0) continue;
    const name = part.slice(0, colon).trim().toLowerCase();
    const value = part.slice(colon + 1).trim();
    const plain = value.replace(/\s*!\s*important$/i, '');
    if (name && plain) list.push([name, plain, plain !== value]);
  }
  return list;
}

class Node {
  constructor(document) {
    this.ownerDocument = document;
    this.parentNode = null;
    this.childNodes = [];
  }
  get parentElement() {
    return this.parentNode && this.parentNode.nodeType === 1 ? this.parentNode : null;
  }
  get firstChild() {
    return this.childNodes[0] || null;
  }
  get lastChild() {
    return this.childNodes[this.childNodes.length - 1] || null;
  }
  get nextSibling() {
    const all = this.parentNode ? this.parentNode.childNodes : [];
    return all[all.indexOf(this) + 1] || null;
  }
  get previousSibling() {
    const all = this.parentNode ? this.parentNode.childNodes : [];
    return all[all.indexOf(this) - 1] || null;
  }
  get children() {
    return this.childNodes.filter((n) => n.nodeType === 1);
  }
  get firstElementChild() {
    return this.children[0] || null;
  }
  get lastElementChild() {
    const all = this.children;
    return all[all.length - 1] || null;
  }
  get childElementCount() {
    return this.children.length;
  }
  get isConnected() {
    return this.getRootNode() === this.ownerDocument;
  }
  hasChildNodes() {
    return this.childNodes.length > 0;
  }
  getRootNode() {
    let n = this;
    while (n.parentNode) n = n.parentNode;
    return n;
  }
  contains(other) {
    for (let n = other; n; n = n.parentNode) if (n === this) return true;
    return false;
  }
  compareDocumentPosition(other) {
    const path = (n) => {
      const list = [];
      for (; n; n = n.parentNode) list.unshift(n);
      return list;
    };
    const a = path(this);
    const b = path(other);
    let i = 0;
    while (i < a.length && i < b.length && a[i] === b[i]) i++;
    if (i === a.length) return 20;
    if (i === b.length) return 10;
    const all = a[i - 1].childNodes;
    return all.indexOf(a[i]) < all.indexOf(b[i]) ? 4 : 2;
  }
  insertBefore(node, before) {
    if (node.nodeType === 11) {
      for (const child of [...node.childNodes]) this.insertBefore(child, before);
      return node;
    }
    node.remove();
    const at = before ? this.childNodes.indexOf(before) : this.childNodes.length;
    this.childNodes.splice(at < 0 ? this.childNodes.length : at, 0, node);
    node.parentNode = this;
    changed(node);
    return node;
  }
  appendChild(node) {
    return this.insertBefore(node, null);
  }
  append(...nodes) {
    for (const n of nodes) this.appendChild(typeof n === 'string' ? this.ownerDocument.createTextNode(n) : n);
  }
  prepend(...nodes) {
    const first = this.firstChild;
    for (const n of nodes) this.insertBefore(typeof n === 'string' ? this.ownerDocument.createTextNode(n) : n, first);
  }
  removeChild(node) {
    const at = this.childNodes.indexOf(node);
    if (at >= 0) this.childNodes.splice(at, 1);
    node.parentNode = null;
    changed(node);
    return node;
  }
  replaceChild(node, old) {
    this.insertBefore(node, old);
    return this.removeChild(old);
  }
  replaceChildren(...nodes) {
    for (const n of [...this.childNodes]) n.remove();
    this.append(...nodes);
  }
  remove() {
    if (this.parentNode) this.parentNode.removeChild(this);
  }
  after(node) {
    this.parentNode.insertBefore(node, this.nextSibling);
  }
  get textContent() {
    return this.childNodes.map((n) => n.textContent).join('');
  }
  set textContent(text) {
    for (const n of [...this.childNodes]) n.remove();
    if (text !== '' && text !== null && text !== undefined) this.appendChild(this.ownerDocument.createTextNode(String(text)));
  }
  querySelectorAll(selector) {
    const parsed = parseSelector(selector);
    const found = [];
    const visit = (n) => {
      for (const child of n.childNodes) {
        if (child.nodeType !== 1) continue;
        if (matches(child, parsed)) found.push(child);
        visit(child);
      }
    };
    visit(this);
    return found;
  }
  querySelector(selector) {
    return this.querySelectorAll(selector)[0] || null;
  }
  getElementsByTagName(name) {
    return this.querySelectorAll(name);
  }
  getElementsByClassName(name) {
    return this.querySelectorAll(name.trim().split(/\s+/).map((c) => '.' + c).join(''));
  }
  toJSON() {
    return undefined; // elements stand in data that Mermaid writes to its log
  }
  addEventListener() {}
  removeEventListener() {}
  dispatchEvent() {}
}

export class Text extends Node {
  constructor(document, data) {
    super(document);
    this.nodeType = 3;
    this.nodeName = '#text';
    this.data = data;
  }
  get textContent() {
    return this.data;
  }
  set textContent(text) {
    this.data = String(text);
  }
  get nodeValue() {
    return this.data;
  }
  cloneNode() {
    return new Text(this.ownerDocument, this.data);
  }
}

export class Element extends Node {
  constructor(document, namespace, name) {
    super(document);
    this.nodeType = 1;
    this.namespaceURI = namespace;
    this.tagName = this.nodeName = this.localName = name;
    this.attrs = new Map();
    this.style = new Style('');
  }
  get attributes() {
    return [...this.names()].map((name) => ({ name, value: this.getAttribute(name) }));
  }
  names() {
    const names = [...this.attrs.keys()];
    return this.style.values.size ? [...names, 'style'] : names;
  }
  getAttribute(name) {
    if (name === 'style') return this.style.values.size ? this.style.cssText : null;
    return this.attrs.has(name) ? this.attrs.get(name) : null;
  }
  setAttribute(name, value) {
    if (name === 'style') this.style = new Style(String(value));
    else this.attrs.set(name, String(value));
    changed(this, name);
  }
  removeAttribute(name) {
    if (name === 'style') this.style = new Style('');
    else this.attrs.delete(name);
    changed(this, name);
  }
  hasAttribute(name) {
    return this.getAttribute(name) !== null;
  }
  getAttributeNS(_, name) {
    return this.getAttribute(name);
  }
  setAttributeNS(_, name, value) {
    this.setAttribute(name, value);
  }
  removeAttributeNS(_, name) {
    this.removeAttribute(name);
  }
  hasAttributeNS(_, name) {
    return this.hasAttribute(name);
  }
  get id() {
    return this.attrs.get('id') || '';
  }
  set id(value) {
    this.setAttribute('id', value);
  }
  get className() {
    return this.attrs.get('class') || '';
  }
  set className(value) {
    this.setAttribute('class', value);
  }
  get classes() {
    const text = this.className;
    if (this.classText !== text) {
      this.classText = text;
      this.classSet = new Set(text.split(/\s+/).filter(Boolean));
    }
    return this.classSet;
  }
  get classList() {
    const set = this.classes;
    const write = () => this.setAttribute('class', [...set].join(' '));
    return {
      contains: (c) => set.has(c),
      add: (...all) => {
        for (const c of all) set.add(c);
        write();
      },
      remove: (...all) => {
        for (const c of all) set.delete(c);
        write();
      },
      [Symbol.iterator]: () => set[Symbol.iterator](),
    };
  }
  get dataset() {
    const data = {};
    for (const [k, v] of this.attrs) if (k.startsWith('data-')) data[k.slice(5)] = v;
    return data;
  }
  matches(selector) {
    return matches(this, parseSelector(selector));
  }
  closest(selector) {
    for (let e = this; e && e.nodeType === 1; e = e.parentNode) if (e.matches(selector)) return e;
    return null;
  }
  cloneNode(deep) {
    const copy = new Element(this.ownerDocument, this.namespaceURI, this.tagName);
    for (const [k, v] of this.attrs) copy.attrs.set(k, v);
    copy.style = new Style(this.style.cssText);
    if (deep) for (const n of this.childNodes) copy.appendChild(n.cloneNode(true));
    return copy;
  }
  insertAdjacentElement(where, node) {
    if (where === 'beforeend') this.appendChild(node);
    else if (where === 'afterbegin') this.insertBefore(node, this.firstChild);
    else this.parentNode.insertBefore(node, where === 'beforebegin' ? this : this.nextSibling);
    return node;
  }
  get innerHTML() {
    return this.childNodes.map((n) => n.textContent).join('');
  }
  set innerHTML(markup) {
    this.replaceChildren();
    if (this.tagName === 'style') this.textContent = markup;
    else parseMarkup(this, String(markup));
  }
  get innerText() {
    return this.textContent;
  }
  getBBox() {
    return boxOf(this);
  }
  getBoundingClientRect() {
    const b = childBox(this);
    return { ...b, left: b.x, top: b.y, right: b.x + b.width, bottom: b.y + b.height };
  }
  get clientWidth() {
    return childBox(this).width;
  }
  get clientHeight() {
    return childBox(this).height;
  }
  get offsetWidth() {
    return this.tagName === 'div' || this.tagName === 'body' ? 0 : this.clientWidth;
  }
  get offsetHeight() {
    return this.clientHeight;
  }
  getComputedTextLength() {
    return textWidth(this);
  }
  getTotalLength() {
    return lengthOf(this).total;
  }
  getPointAtLength(distance) {
    return lengthOf(this).at(distance);
  }
  get ownerSVGElement() {
    return this.closest('svg');
  }
  click() {}
  focus() {}
}

export class Document extends Node {
  constructor() {
    super(null);
    this.ownerDocument = this;
    this.nodeType = 9;
    this.nodeName = '#document';
    this.documentElement = this.createElement('html');
    this.head = this.createElement('head');
    this.body = this.createElement('body');
    this.documentElement.append(this.head, this.body);
    this.appendChild(this.documentElement);
    this.baseURI = 'about:blank';
    this.readyState = 'complete';
  }
  createElement(name) {
    return new Element(this, HTML, String(name).toLowerCase());
  }
  createElementNS(namespace, name) {
    return new Element(this, namespace, String(name));
  }
  createTextNode(data) {
    return new Text(this, String(data));
  }
  createDocumentFragment() {
    const fragment = new Node(this);
    fragment.nodeType = 11;
    return fragment;
  }
  getElementById(id) {
    const find = (n) => {
      for (const child of n.childNodes) {
        if (child.nodeType !== 1) continue;
        if (child.attrs.get('id') === id) return child;
        const found = find(child);
        if (found) return found;
      }
      return null;
    };
    return find(this);
  }
}
