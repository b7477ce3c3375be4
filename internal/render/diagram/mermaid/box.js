// Boxes of elements: what getBBox tells in a browser, from the numbers of
// shapes and the widths of letters.
import { computed } from './css.js';
import { measure } from './font.js';

const ascent = 0.905;
const descent = 0.212;
const unseen = new Set(['defs', 'marker', 'style', 'title', 'desc', 'metadata', 'clipPath', 'mask', 'pattern', 'linearGradient', 'radialGradient', 'symbol', 'script']);

class Bounds {
  constructor() {
    this.x0 = this.y0 = Infinity;
    this.x1 = this.y1 = -Infinity;
  }
  add(x, y, m) {
    const px = m[0] * x + m[2] * y + m[4];
    const py = m[1] * x + m[3] * y + m[5];
    if (!Number.isFinite(px) || !Number.isFinite(py)) return;
    this.x0 = Math.min(this.x0, px);
    this.x1 = Math.max(this.x1, px);
    this.y0 = Math.min(this.y0, py);
    this.y1 = Math.max(this.y1, py);
  }
  rect(x, y, w, h, m) {
    this.add(x, y, m);
    this.add(x + w, y, m);
    this.add(x, y + h, m);
    this.add(x + w, y + h, m);
  }
  get box() {
    if (this.x0 > this.x1) return { x: 0, y: 0, width: 0, height: 0 };
    return { x: this.x0, y: this.y0, width: this.x1 - this.x0, height: this.y1 - this.y0 };
  }
}

const identity = [1, 0, 0, 1, 0, 0];

function times(a, b) {
  return [
    a[0] * b[0] + a[2] * b[1],
    a[1] * b[0] + a[3] * b[1],
    a[0] * b[2] + a[2] * b[3],
    a[1] * b[2] + a[3] * b[3],
    a[0] * b[4] + a[2] * b[5] + a[4],
    a[1] * b[4] + a[3] * b[5] + a[5],
  ];
}

function transform(text) {
  let m = identity;
  for (const [, name, list] of String(text || '').matchAll(/([a-zA-Z]+)\s*\(([^()]*)\)/g)) {
    const v = list.split(/[\s,]+/).filter(Boolean).map(parseFloat);
    if (v.some((n) => Number.isNaN(n))) continue;
    if (name === 'translate') m = times(m, [1, 0, 0, 1, v[0], v[1] || 0]);
    else if (name === 'scale') m = times(m, [v[0], 0, 0, v[1] ?? v[0], 0, 0]);
    else if (name === 'matrix' && v.length === 6) m = times(m, v);
    else if (name === 'rotate') {
      const a = (v[0] * Math.PI) / 180;
      const [cx, cy] = [v[1] || 0, v[2] || 0];
      m = times(m, [1, 0, 0, 1, cx, cy]);
      m = times(m, [Math.cos(a), Math.sin(a), -Math.sin(a), Math.cos(a), 0, 0]);
      m = times(m, [1, 0, 0, 1, -cx, -cy]);
    }
  }
  return m;
}

const number = (e, name) => parseFloat(e.attrs.get(name)) || 0;

export function boxOf(element) {
  const bounds = new Bounds();
  addElement(bounds, element, identity);
  return bounds.box;
}

// childBox is the box with the element's own transform: what a page would show.
export function childBox(element) {
  const bounds = new Bounds();
  addElement(bounds, element, transform(element.attrs.get('transform')));
  return bounds.box;
}

function addElement(bounds, e, m) {
  if (unseen.has(e.tagName) || e.style.getPropertyValue('display') === 'none') return;
  switch (e.tagName) {
    case 'rect':
    case 'image':
    case 'use':
      return bounds.rect(number(e, 'x'), number(e, 'y'), number(e, 'width'), number(e, 'height'), m);
    case 'circle': {
      const r = number(e, 'r');
      return bounds.rect(number(e, 'cx') - r, number(e, 'cy') - r, 2 * r, 2 * r, m);
    }
    case 'ellipse': {
      const [rx, ry] = [number(e, 'rx'), number(e, 'ry')];
      return bounds.rect(number(e, 'cx') - rx, number(e, 'cy') - ry, 2 * rx, 2 * ry, m);
    }
    case 'line':
      bounds.add(number(e, 'x1'), number(e, 'y1'), m);
      return bounds.add(number(e, 'x2'), number(e, 'y2'), m);
    case 'polygon':
    case 'polyline': {
      const v = (e.attrs.get('points') || '').split(/[\s,]+/).filter(Boolean).map(parseFloat);
      for (let i = 0; i + 1 < v.length; i += 2) bounds.add(v[i], v[i + 1], m);
      return;
    }
    case 'path':
      for (const line of points(e.attrs.get('d'))) for (const [x, y] of line) bounds.add(x, y, m);
      return;
    case 'text':
    case 'tspan':
      return addText(bounds, e, m);
    case 'foreignObject': {
      const [w, h] = [number(e, 'width'), number(e, 'height')];
      if (w > 0 && h > 0) bounds.rect(number(e, 'x'), number(e, 'y'), w, h, m);
      return;
    }
  }
  if (e.namespaceURI.endsWith('xhtml') && e.tagName !== 'div' && e.tagName !== 'body') return addLines(bounds, e, m);
  const svgs = e.tagName === 'svg' && e.parentElement && e.parentElement.tagName !== 'div';
  const inner = svgs ? times(m, [1, 0, 0, 1, number(e, 'x'), number(e, 'y')]) : m;
  const texts = e.namespaceURI.endsWith('xhtml') && e.childNodes.some((n) => n.nodeType === 3 && n.data.trim());
  if (texts) return addLines(bounds, e, m);
  for (const child of e.children) addElement(bounds, child, times(inner, transform(child.attrs.get('transform'))));
}

// lines of HTML, which has breaks and nothing else that counts.
export function htmlLines(e) {
  let text = '';
  const visit = (n) => {
    if (n.nodeType === 3) text += n.data.replace(/\s+/g, ' ');
    else if (n.tagName === 'br') text += '\n';
    else {
      const block = n.tagName === 'p' || n.tagName === 'div' || n.tagName === 'li';
      if (block && text.trim() && !text.endsWith('\n')) text += '\n';
      n.childNodes.forEach(visit);
    }
  };
  visit(e);
  return text.split('\n').map((s) => s.trim()).filter((s, i, all) => s || (i > 0 && i < all.length - 1));
}

function addLines(bounds, e, m) {
  const size = fontSize(e);
  const lines = htmlLines(e);
  const width = Math.max(0, ...lines.map((s) => measure(s, size, isBold(e))));
  if (lines.length) bounds.rect(0, 0, width, lines.length * size * 1.5, m);
}

export function fontSize(e) {
  const text = computed(e, 'font-size');
  const n = parseFloat(text);
  if (!(n > 0)) return 16;
  if (/r?em$/.test(text)) return 16 * n;
  if (/ex$/.test(text)) return 8 * n;
  if (/%$/.test(text)) return (16 * n) / 100;
  return /pt$/.test(text) ? (n * 4) / 3 : n;
}

export function isBold(e) {
  const weight = computed(e, 'font-weight');
  return weight === 'bold' || weight === 'bolder' || parseInt(weight, 10) >= 600;
}

const isMono = (e) => /mono|courier/i.test(computed(e, 'font-family') || '');

function length(text, em) {
  const n = parseFloat(text) || 0;
  return /em$/.test(text || '') ? n * em : n;
}

// textWidth is the sum of the widths of all text in an element.
export function textWidth(e) {
  let sum = 0;
  for (const n of e.childNodes) {
    if (n.nodeType === 3) sum += measure(space(n.data), fontSize(e), isBold(e), isMono(e));
    else if (n.tagName !== 'title') sum += textWidth(n);
  }
  return sum;
}

const space = (s) => s.replace(/[\t\n\r ]+/g, ' ');

// addText walks a text's parts with a pen. What stands between two absolute
// places is a chunk, aligned as text-anchor says.
function addText(bounds, element, m) {
  const pen = { x: 0, y: 0 };
  let chunk = null;
  const flush = () => {
    if (!chunk || !chunk.width) return;
    const shift = chunk.anchor === 'middle' ? chunk.width / 2 : chunk.anchor === 'end' ? chunk.width : 0;
    bounds.rect(chunk.x - shift, chunk.top, chunk.width, chunk.bottom - chunk.top, m);
    chunk = null;
  };
  const visit = (e) => {
    const size = fontSize(e);
    if (e.attrs.has('x') || e.attrs.has('y') || e === element) {
      flush();
      chunk = null;
      if (e.attrs.has('x')) pen.x = length(e.attrs.get('x'), size);
      if (e.attrs.has('y')) pen.y = length(e.attrs.get('y'), size);
    }
    pen.x += length(e.attrs.get('dx'), size);
    pen.y += length(e.attrs.get('dy'), size);
    for (const n of e.childNodes) {
      if (n.nodeType === 1) {
        if (n.tagName !== 'title') visit(n);
        continue;
      }
      const width = measure(space(n.data), size, isBold(e), isMono(e));
      if (!width) continue;
      const y = pen.y + baseline(e, size);
      chunk ??= { x: pen.x, width: 0, top: Infinity, bottom: -Infinity, anchor: computed(e, 'text-anchor') };
      chunk.width += width;
      chunk.top = Math.min(chunk.top, y - ascent * size);
      chunk.bottom = Math.max(chunk.bottom, y + descent * size);
      pen.x += width;
    }
  };
  visit(element);
  flush();
}

// baseline is how far below y the letters stand.
function baseline(e, size) {
  switch (computed(e, 'dominant-baseline') || computed(e, 'alignment-baseline')) {
    case 'middle':
      return 0.26 * size;
    case 'central':
      return ((ascent - descent) / 2) * size;
    case 'hanging':
    case 'text-before-edge':
      return 0.8 * size;
    default:
      return 0;
  }
}

const steps = 12;

// points turns a path into lines of points; curves become short lines.
export function points(d) {
  const tokens = String(d || '').match(/[a-zA-Z]|[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?/g) || [];
  const lines = [];
  let line = null;
  let i = 0;
  let command = '';
  let [x, y, sx, sy, cx, cy] = [0, 0, 0, 0, 0, 0];
  const next = () => parseFloat(tokens[i++]);
  const to = (px, py) => {
    if (!line) lines.push((line = [[x, y]]));
    line.push([px, py]);
    [x, y] = [px, py];
  };
  const cubic = (x1, y1, x2, y2, px, py) => {
    const [x0, y0] = [x, y];
    for (let k = 1; k <= steps; k++) {
      const t = k / steps;
      const u = 1 - t;
      to(
        u * u * u * x0 + 3 * u * u * t * x1 + 3 * u * t * t * x2 + t * t * t * px,
        u * u * u * y0 + 3 * u * u * t * y1 + 3 * u * t * t * y2 + t * t * t * py,
      );
    }
    [cx, cy] = [x2, y2];
  };
  while (i < tokens.length) {
    if (/[a-zA-Z]/.test(tokens[i])) command = tokens[i++];
    else if (!command) break;
    const upper = command.toUpperCase();
    const rel = command !== upper;
    const [ox, oy] = rel ? [x, y] : [0, 0];
    switch (upper) {
      case 'M':
        [x, y] = [ox + next(), oy + next()];
        [sx, sy] = [x, y];
        lines.push((line = [[x, y]]));
        command = rel ? 'l' : 'L';
        break;
      case 'L':
        to(ox + next(), oy + next());
        break;
      case 'H':
        to(ox + next(), y);
        break;
      case 'V':
        to(x, oy + next());
        break;
      case 'C':
        cubic(ox + next(), oy + next(), ox + next(), oy + next(), ox + next(), oy + next());
        break;
      case 'S':
        cubic(2 * x - cx, 2 * y - cy, ox + next(), oy + next(), ox + next(), oy + next());
        break;
      case 'Q': {
        const [qx, qy, px, py] = [ox + next(), oy + next(), ox + next(), oy + next()];
        cubic(x + (2 / 3) * (qx - x), y + (2 / 3) * (qy - y), px + (2 / 3) * (qx - px), py + (2 / 3) * (qy - py), px, py);
        [cx, cy] = [qx, qy];
        break;
      }
      case 'T': {
        const [qx, qy, px, py] = [2 * x - cx, 2 * y - cy, ox + next(), oy + next()];
        cubic(x + (2 / 3) * (qx - x), y + (2 / 3) * (qy - y), px + (2 / 3) * (qx - px), py + (2 / 3) * (qy - py), px, py);
        [cx, cy] = [qx, qy];
        break;
      }
      case 'A':
        arc(x, y, next(), next(), next(), next(), next(), ox + next(), oy + next(), to);
        break;
      case 'Z':
        to(sx, sy);
        line = null;
        break;
      default:
        return lines;
    }
    if (!'CSQT'.includes(upper)) [cx, cy] = [x, y];
  }
  return lines;
}

// arc is that of https://www.w3.org/TR/SVG2/implnote.html#ArcImplementationNotes
function arc(x1, y1, rx, ry, degrees, large, sweep, x2, y2, to) {
  rx = Math.abs(rx);
  ry = Math.abs(ry);
  if (!rx || !ry || (x1 === x2 && y1 === y2)) return to(x2, y2);
  const phi = (degrees * Math.PI) / 180;
  const [cos, sin] = [Math.cos(phi), Math.sin(phi)];
  const [dx, dy] = [(x1 - x2) / 2, (y1 - y2) / 2];
  const [px, py] = [cos * dx + sin * dy, cos * dy - sin * dx];
  const over = (px * px) / (rx * rx) + (py * py) / (ry * ry);
  if (over > 1) {
    rx *= Math.sqrt(over);
    ry *= Math.sqrt(over);
  }
  const a = rx * rx * py * py + ry * ry * px * px;
  const k = (large === sweep ? -1 : 1) * Math.sqrt(Math.max(0, (rx * rx * ry * ry - a) / a));
  const [qx, qy] = [(k * rx * py) / ry, (-k * ry * px) / rx];
  const [mx, my] = [cos * qx - sin * qy + (x1 + x2) / 2, sin * qx + cos * qy + (y1 + y2) / 2];
  const from = Math.atan2((py - qy) / ry, (px - qx) / rx);
  let turn = Math.atan2((-py - qy) / ry, (-px - qx) / rx) - from;
  if (sweep && turn < 0) turn += 2 * Math.PI;
  if (!sweep && turn > 0) turn -= 2 * Math.PI;
  for (let i = 1; i <= 2 * steps; i++) {
    const t = from + (turn * i) / (2 * steps);
    to(mx + rx * Math.cos(t) * cos - ry * Math.sin(t) * sin, my + rx * Math.cos(t) * sin + ry * Math.sin(t) * cos);
  }
  return undefined;
}

// lengthOf a path: its length, and where a distance along it leads.
export function lengthOf(element) {
  const lines = points(element.attrs.get('d'));
  const length = (line, i) => Math.hypot(line[i][0] - line[i - 1][0], line[i][1] - line[i - 1][1]);
  let total = 0;
  for (const line of lines) for (let i = 1; i < line.length; i++) total += length(line, i);
  const at = (distance) => {
    let last = lines[0] ? lines[0][0] : [0, 0];
    for (const line of lines) {
      for (let i = 1; i < line.length; i++) {
        const l = length(line, i);
        if (distance <= l && l > 0) {
          const t = Math.max(0, distance / l);
          return { x: line[i - 1][0] + t * (line[i][0] - line[i - 1][0]), y: line[i - 1][1] + t * (line[i][1] - line[i - 1][1]) };
        }
        distance -= l;
        last = line[i];
      }
    }
    return { x: last[0], y: last[1] };
  };
  return { total, at };
}
