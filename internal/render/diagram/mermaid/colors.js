// Mermaid mixes colours into what it draws. Here each of its theme's variables
// has a colour of its own, by which it is known again in the drawing; the page
// gets the name of a role instead, to which the site's theme gives its colours.

const sentinel = (i) => '#fa' + i.toString(16).padStart(4, '0');

// roles by the name of a variable, the first that fits.
const roles = [
  [/^(?:cScale|pie|git|fillType|venn|xyChart\.plot|surface|cScalePeer|surfacePeer)(\d+)$/, (m) => 'series-' + ((+m[1] + (/^pie|^venn/.test(m[0]) ? 7 : 0)) % 8)],
  [/^(?:cScaleInv|gitInv)\d+$/, 'line'],
  [/^quadrant[1-4]Fill$/, (m) => (/[13]/.test(m[0]) ? 'group' : 'paper')],
  [/^quadrantPointFill$/, 'accent'],
  [/^quadrant(?:Internal|External)/, 'edge'],
  [/^(?:xyChart|radar)\.\w*(?:Tick|Line|axis)Color$/i, 'line'],
  [/graticule|^gridColor$/i, 'grid'],
  [/^sequenceNumberColor$/, 'paper'],
  [/^note(?:Bkg)/, 'note'],
  [/^noteBorder/, 'note-edge'],
  [/^crit|error(?:Bkg)|wardleyEvolution|todayLine/, 'failed'],
  [/^done/, 'group'],
  [/^activeTaskB|^activationB|^secondaryColor$|^taskBkg/, 'accent-wash'],
  [/^vertLine|taskTextClickable/, 'accent'],
  [/(?:Text|Label|title)(?:Color|Fill)?\d*$|TextFill$|^classText$|TextLightColor|TextDarkColor|TextOutsideColor|^textColor$|[tT]itleColor$|TextColor$|LabelColor$|^gitBranchLabel\d$|^cScaleLabel\d+$|^emU?iText/, 'text'],
  [/^(?:lineColor|arrowheadColor|defaultLinkColor|transitionColor|relationColor|signalColor|specialStateColor|emArrowhead|emRelationStroke|archEdge\w*|pieStrokeColor|pieOuterStrokeColor|innerEndBackground)$|Arrow\w*Color$/, 'line'],
  [/^actorLineColor$/, 'edge'],
  [/^(?:background|edgeLabelBackground|relationLabelBackground|commitLabelBackground|altSectionBkgColor|rowOdd|attributeBackgroundColorOdd|compositeBackground)$|backgroundColor$/, 'paper'],
  [/^(?:clusterBkg|tertiaryColor|rectBkgColor|sectionBkgColor2?|excludeBkgColor|altBackground|rowEven|attributeBackgroundColorEven|emSwimlaneBackgroundOdd)$/, 'group'],
  [/^(?:clusterBorder|tertiaryBorderColor|compositeBorder|archGroupBorderColor)$/, 'grid'],
  [/[bB]order\w*$|Stroke$|^border\d$|BorderColor$/, 'edge'],
];

function roleOf(name) {
  for (const [pattern, role] of roles) {
    const m = pattern.exec(name);
    if (m) return typeof role === 'string' ? role : role(m);
  }
  return 'box';
}

const colour = /^(?:#[0-9a-f]{3,8}|rgba?\(.*\)|hsla?\(.*\)|black|white|grey|gray|lightgr[ae]y|red|navy|blue)$/i;
const known = [];

// sentinels returns a theme's variables with a sentinel in the place of each colour.
export function sentinels(variables, prefix = '') {
  const mark = (name) => sentinel(known.push(roleOf(name)) - 1);
  const out = {};
  for (const [key, value] of Object.entries(variables)) {
    if (value && typeof value === 'object') out[key] = sentinels(value, prefix + key + '.');
    else if (key === 'plotColorPalette') out[key] = String(value).split(',').map((_, i) => mark(prefix + 'plot' + i)).join(',');
    else if (typeof value === 'string' && colour.test(value)) out[key] = mark(prefix + key);
  }
  return out;
}

const names = { black: [0, 0, 0], white: [255, 255, 255], grey: [128, 128, 128], gray: [128, 128, 128], lightgrey: [211, 211, 211], lightgray: [211, 211, 211] };

// parse returns red, green, blue, and what is seen of it.
export function parse(value) {
  value = value.trim().toLowerCase();
  let m = /^#([0-9a-f]{3,4})$/.exec(value);
  if (m) value = '#' + [...m[1]].map((c) => c + c).join('');
  m = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})?$/.exec(value);
  if (m) return [...m.slice(1, 4).map((h) => parseInt(h, 16)), m[4] ? parseInt(m[4], 16) / 255 : 1];
  m = /^rgba?\(\s*([\d.]+)[\s,]+([\d.]+)[\s,]+([\d.]+)(?:[\s,/]+([\d.]+))?\s*\)$/.exec(value);
  if (m) return [+m[1], +m[2], +m[3], m[4] === undefined ? 1 : +m[4]];
  return names[value] ? [...names[value], 1] : null;
}

// paint returns {role} for a colour of the theme, {color} for one of the author's.
export function paint(value, given) {
  const rgb = parse(value);
  if (!given && /^hsl/.test(value)) return { role: 'group' }; // of a sentinel, made lighter
  if (!rgb) return /^(?:none|transparent)$/i.test(value) ? { color: 'none' } : { color: value };
  const [r, g, b, opacity] = rgb;
  if (Math.round(r) === 0xfa && known[Math.round(g) * 256 + Math.round(b)]) return { role: known[Math.round(g) * 256 + Math.round(b)], opacity };
  if (!given && Math.max(r, g, b) - Math.min(r, g, b) < 40) return { role: r < 150 ? 'line' : r < 225 ? 'grid' : 'paper', opacity, fixed: true };
  return { color: value, opacity };
}

// dark tells whether white is easier to read on a colour than black.
export function dark(value) {
  const rgb = parse(value);
  if (!rgb) return false;
  const [r, g, b] = rgb.map((v) => ((v / 255 + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b < 0.18;
}
