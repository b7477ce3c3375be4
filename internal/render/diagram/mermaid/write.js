// Writes a drawing: shapes, text and classes for colours. No style sheet, no style
// attribute and no markup of an author's is in what it writes.
import { own, sheetOf } from './css.js';
import { boxOf, htmlLines, fontSize } from './box.js';
import { dark, paint } from './colors.js';

// what stays of an element, beside its paint.
const shape = ['x', 'y', 'dx', 'dy', 'x1', 'y1', 'x2', 'y2', 'cx', 'cy', 'r', 'rx', 'ry', 'width', 'height', 'points', 'd', 'transform', 'viewBox', 'refX', 'refY', 'markerWidth', 'markerHeight', 'markerUnits', 'orient', 'offset', 'gradientUnits', 'preserveAspectRatio'];
const attributes = {
  svg: shape, g: shape, rect: shape, circle: shape, ellipse: shape, line: shape, polygon: shape, polyline: shape, path: shape, text: shape, tspan: shape,
  defs: [], marker: shape, clipPath: shape, linearGradient: shape, stop: shape, symbol: shape, use: shape,
};
const inherited = ['text-anchor', 'dominant-baseline', 'alignment-baseline', 'font-size', 'font-weight', 'font-style', 'text-decoration', 'stroke-width', 'stroke-dasharray', 'stroke-linecap', 'stroke-linejoin', 'opacity', 'fill-opacity', 'stroke-opacity', 'writing-mode', 'stop-opacity', 'fill-rule'];
const textual = new Set(['text-anchor', 'dominant-baseline', 'alignment-baseline', 'font-size', 'font-weight', 'font-style', 'text-decoration', 'writing-mode']);
const initial = { 'font-style': 'normal', 'stroke-dasharray': '0', opacity: '1', 'fill-opacity': '1', 'stroke-opacity': '1' };
const references = ['marker-start', 'marker-mid', 'marker-end', 'clip-path'];

const escape = (s) => s.replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]);

// Places are written to a hundredth: finer is not seen, and differs between machines.
const short = (s) => s.trim().replace(/\s+/g, ' ').replace(/-?\d*\.\d+(?:e-?\d+)?/gi, (n) => String(Math.round(parseFloat(n) * 100) / 100 + 0));

export function write(svg) {
  const sheet = sheetOf(svg);
  const used = new Set();
  for (const e of svg.querySelectorAll('*')) {
    for (const name of [...references, 'fill', 'stroke']) {
      const m = /url\(\s*["']?[^#)]*#([^"')]+)["']?\s*\)/.exec(own(e, name, sheet) || '');
      if (m) used.add(m[1]);
    }
    if (e.tagName === 'use') used.add((e.getAttribute('href') || e.getAttribute('xlink:href') || '').replace(/^.*#/, ''));
  }
  const ids = new Map([...used].map((id, i) => [id, 'ID-' + i]));
  const state = { sheet, ids };
  const children = svg.childNodes.map((n) => one(n, state, { ink: null, text: false })).join('');
  return `<g${paints(svg, state, {}, false)}>${children}</g>`;
}

function one(e, state, above) {
  if (e.nodeType === 3) return above.text ? escape(e.data.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '').replace(/\s+/g, ' ')) : '';
  if (e.tagName === 'foreignObject') return htmlText(e, state, above);
  if (e.tagName === 'switch') return e.children.filter((c) => c.tagName === 'text').map((c) => one(c, state, above)).join('');
  if (e.tagName === 'a') return e.childNodes.map((c) => one(c, state, above)).join('');
  const id = e.attrs.get('id');
  const kept = attributes[e.tagName];
  const display = own(e, 'display', state.sheet);
  const hidden = display === 'none' || own(e, 'visibility', state.sheet) === 'hidden';
  const definition = e.tagName === 'marker' || e.tagName === 'symbol' || e.tagName.endsWith('Gradient') || e.tagName === 'clipPath';
  if (!kept || hidden || (definition && !state.ids.has(id))) return '';
  const here = { ...above };
  if (e.tagName === 'text') here.text = true;
  if (e.classes.has('node') || e.classes.has('cluster')) here.ink = inkOn(e, state) ?? above.ink;
  const children = e.childNodes.map((n) => one(n, state, here)).join('');
  if (!children && ['g', 'defs', 'text', 'tspan'].includes(e.tagName)) return '';
  if (e.tagName === 'rect' && !(parseFloat(own(e, 'width', state.sheet)) > 0 && parseFloat(own(e, 'height', state.sheet)) > 0)) return '';
  let out = '';
  if (state.ids.has(id)) out += ` id="${state.ids.get(id)}"`;
  for (const name of kept) {
    const value = e.attrs.get(name) ?? (name === 'rx' || name === 'ry' ? own(e, name, state.sheet) : undefined);
    // Some labels of mind maps are put at their middle, and others at their start.
    if (name === 'transform' && /^translate\(\s*0\s*,/.test(value || '') && e.classes.has('label') && e.closest('.mindmap-node')) out += ' text-anchor="middle"';
    if (value && !/NaN|undefined|[<>"&]/.test(value)) out += ` ${name}="${short(value)}"`;
  }
  if (e.tagName === 'use') {
    const target = (e.getAttribute('href') || e.getAttribute('xlink:href') || '').replace(/^.*#/, '');
    out += ` href="#${state.ids.get(target)}"`;
  }
  const turned = milestone(e, state.sheet);
  if (turned) out += ` transform="${turned}"`;
  out += paints(e, state, here, above.text || e.tagName === 'text');
  if (e.tagName === 'tspan' && !out) return children;
  if (e.tagName === 'g' && !out) return children;
  return children ? `<${e.tagName}${out}>${children}</${e.tagName}>` : `<${e.tagName}${out}/>`;
}

// milestone turns a square of a Gantt chart, which Mermaid's sheet does.
function milestone(e, sheet) {
  const rule = sheet.rule(e, 'transform');
  const at = /^\s*(-?[\d.]+)px\s+(-?[\d.]+)px/.exec(e.attrs.get('transform-origin') || '');
  if (!rule || !at || !/rotate\(45deg\)/.test(rule.value)) return '';
  const [x, y] = [short(at[1]), short(at[2])];
  return `translate(${x} ${y}) rotate(45) scale(0.8) translate(${-x} ${-y})`;
}

// inkOn returns black or white where an author gave the shape a colour, and its text none.
function inkOn(e, state) {
  for (const s of e.querySelectorAll('rect, circle, ellipse, polygon, path')) {
    const value = own(s, 'fill', state.sheet);
    if (!value || s.closest('.label')) continue;
    const p = paint(value, given(s, 'fill', state.sheet));
    if (p.color && p.color !== 'none' && !/^url/.test(p.color)) return dark(p.color) ? '#fff' : '#000';
  }
  return null;
}

// given tells whether a value is the author's and not one of Mermaid's own sheet.
function given(e, name, sheet) {
  const rule = sheet.rule(e, name);
  if (rule && rule.important) return true;
  return e.style.values.has(name);
}

function paints(e, state, here, text) {
  const classes = [];
  let out = '';
  for (const name of ['fill', 'stroke', 'stop-color']) {
    let value = own(e, name, state.sheet);
    const mine = value !== undefined && given(e, name, state.sheet);
    if (name === 'stroke' && text) continue; // halos, which only blur
    if (name === 'fill' && text && here.ink && !(mine && paint(value, true).color)) value = e.tagName === 'text' ? here.ink : undefined;
    if (value === undefined || value === 'inherit' || value === 'currentColor') continue;
    const url = /url\(\s*["']?[^#)]*#([^"')]+)["']?\s*\)/.exec(value);
    if (url) {
      out += ` ${name}="url(#${state.ids.get(url[1])})"`;
      continue;
    }
    const p = paint(value, mine || value === here.ink);
    const role = p.role && text && (p.fixed || !/^(?:paper|accent|failed)/.test(p.role)) ? 'text' : p.role;
    if (role) classes.push(`diagram-${name}-${role}`);
    else if (/^[#\w(),.% ]+$/.test(p.color)) out += ` ${name}="${p.color}"`;
    const behind = name === 'fill' && e.tagName === 'rect' && e.classes.has('rect') && !p.role;
    if (behind) out += ' fill-opacity="0.3"'; // what an author puts behind messages is so in the dark too
    else if (p.opacity < 1 && name !== 'stop-color') out += ` ${name}-opacity="${short(String(p.opacity))}"`;
  }
  for (const name of inherited) {
    if (textual.has(name) && !text && e.tagName !== 'g') continue;
    if (out.includes(` ${name}="`)) continue;
    const value = own(e, name, state.sheet);
    if (!value || value === initial[name] || !/^[\w#%., -]+$/.test(value) || /inherit|unset|NaN/.test(value)) continue;
    out += ` ${name}="${name === 'font-size' ? fontSize(e) : short(value)}"`;
  }
  for (const name of references) {
    const m = /url\(\s*["']?[^#)]*#([^"')]+)["']?\s*\)/.exec(own(e, name, state.sheet) || '');
    if (m) out += ` ${name}="url(#${state.ids.get(m[1])})"`;
  }
  return classes.length ? ` class="${classes.join(' ')}"${out}` : out;
}

// htmlText writes the lines of HTML in a drawing as text in the middle of its place.
function htmlText(e, state, above) {
  const lines = htmlLines(e);
  if (!lines.length) return '';
  const b = boxOf(e);
  const size = fontSize(e.children[0] || e);
  const top = b.y + b.height / 2 - ((lines.length - 1) * size * 1.2) / 2 + 0.35 * size;
  const x = short(String(b.x + b.width / 2));
  const ink = above.ink ? `fill="${above.ink}"` : 'class="diagram-fill-text"';
  const spans = lines.map((s, i) => `<tspan x="${x}" y="${short(String(top + i * size * 1.2))}">${escape(s)}</tspan>`);
  const transform = e.attrs.get('transform');
  return `<text ${ink} text-anchor="middle" font-size="${size}"${transform && /^[\w(),.\s-]+$/.test(transform) ? ` transform="${short(transform)}"` : ''}>${spans.join('')}</text>`;
}
