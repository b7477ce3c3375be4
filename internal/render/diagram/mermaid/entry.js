// Mermaid without a browser: draw(source) gives a drawing that a page can hold.
import './globals.js';
import mermaid from 'mermaid';
import { sentinels } from './colors.js';
import { write } from './write.js';

const locked = ['secure', 'securityLevel', 'startOnLoad', 'maxTextSize', 'maxEdges', 'suppressErrorRendering', 'theme', 'themeVariables', 'themeCSS', 'darkMode', 'fontFamily', 'altFontFamily', 'fontSize', 'look', 'layout', 'htmlLabels', 'handDrawnSeed', 'deterministicIds', 'deterministicIDSeed', 'arrowMarkerAbsolute', 'dompurifyConfig', 'logLevel', 'useMaxWidth'];
const settings = {
  startOnLoad: false,
  securityLevel: 'strict',
  suppressErrorRendering: true,
  maxTextSize: 1 << 16,
  maxEdges: 1000,
  theme: 'base',
  fontFamily: 'Arial, sans-serif',
  htmlLabels: false,
  deterministicIds: true,
  handDrawnSeed: 1,
  secure: locked,
  gantt: { useWidth: 760, todayMarker: 'off' },
  layout: 'dagre', // of mind maps too: they would ask for another
};
for (const name of ['flowchart', 'sequence', 'class', 'state', 'er', 'pie', 'gantt', 'journey', 'timeline', 'mindmap', 'gitGraph', 'quadrantChart', 'xyChart', 'requirement', 'sankey', 'packet', 'block', 'radar', 'kanban', 'c4', 'treemap']) {
  settings[name] = { ...settings[name], useMaxWidth: false };
}
settings.flowchart.htmlLabels = false;
settings.journey.textPlacement = settings.timeline.textPlacement = settings.sequence.textPlacement = 'tspan';

mermaid.initialize(settings);
const variables = mermaid.mermaidAPI.getSiteConfig().themeVariables;
mermaid.initialize({ ...settings, themeVariables: { ...sentinels(variables), useGradient: false, dropShadow: 'none', pieOpacity: '1', fontFamily: 'Arial, sans-serif' } });

// sourceLine leads from a line of what Mermaid parses to that of the source: it
// takes away front matter, comments and empty lines at the top before.
function sourceLine(source, line) {
  const all = source.split('\n');
  let i = 0;
  while (i < all.length && !all[i].trim()) i++;
  if ((all[i] || '').trim() === '---') {
    const end = all.findIndex((s, k) => k > i && s.trim() === '---');
    if (end > 0) i = end + 1;
  }
  const kept = [];
  for (; i < all.length; i++) {
    if (/^\s*%%/.test(all[i])) continue;
    if (!kept.length && !all[i].trim()) continue;
    kept.push(i + 1);
  }
  return kept[Math.min(Math.max(line, 1), kept.length) - 1] || 1;
}

function fault(source, error) {
  const message = String((error && error.message) || error);
  const parser = error && error.result && error.result.parserErrors && error.result.parserErrors[0];
  const token = parser && parser.token;
  let line = token && token.startLine > 0 ? token.startLine : 0;
  const m = /\bon line (\d+)/.exec(message);
  if (!line && m) line = +m[1];
  else if (!line && error && error.hash && error.hash.loc) line = error.hash.loc.first_line;
  return { error: parser ? parser.message : message, line: line > 0 ? sourceLine(source, line) : 0 };
}

// chance is the same for each drawing: names of commits are made by it.
function chance() {
  let seed = 1;
  return () => (seed = (seed * 16807) % 2147483647) / 2147483647;
}

async function draw(source) {
  Math.random = chance();
  document.body.replaceChildren();
  const holder = document.createElement('div');
  holder.removeChild = (node) => node; // Mermaid would take its drawing away again
  document.body.appendChild(holder);
  try {
    const { diagramType } = await mermaid.render('drawing', source, holder);
    return describe(diagramType, holder.querySelector('svg'));
  } catch (error) {
    return fault(source, error);
  }
}

// describe returns what is drawn as data.
function describe(kind, svg) {
  const box = (svg.getAttribute('viewBox') || '').split(/[\s,]+/).map(parseFloat);
  const text = (name) => {
    const e = svg.children.find((c) => c.tagName === name);
    return e ? e.textContent.trim() : '';
  };
  return { kind, title: text('title'), description: text('desc'), viewBox: box.map((n) => Math.round(n * 100) / 100), body: write(svg) };
}

globalThis.draw = async (source) => JSON.stringify(await draw(source));
