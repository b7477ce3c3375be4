// The live half of a previewed page. It keeps one event stream to the server
// while the page is visible, changes a page that is out of date, and shows
// what the latest build found. Texts come from files: they only ever become
// text nodes.

const script = document.currentScript;
let build = new URL(script.src).searchParams.get('build');
const firstDelay = 500, lastDelay = 10000;

// The stream. Browsers open six connections to a host at most, so a hidden
// page gives up its own; the server tells what it missed when it comes back.

let stream = null, retry = 0, delay = firstDelay;

function connect() {
  clearTimeout(retry);
  if (stream || document.visibilityState === 'hidden') return;
  stream = new EventSource('/_gpudocs/events?build=' + encodeURIComponent(build));
  stream.addEventListener('open', () => { delay = firstDelay; });
  stream.addEventListener('problems', event => show(event.data));
  stream.addEventListener('reload', () => {
    disconnect();
    update().then(() => {
      document.dispatchEvent(new CustomEvent('gpudocs:built'));
      connect();
    }, () => location.reload());
  });
  // Browsers differ in when they give up, so this reconnects by itself.
  stream.addEventListener('error', () => {
    disconnect();
    retry = setTimeout(connect, delay);
    delay = Math.min(2 * delay, lastDelay);
  });
}

function disconnect() {
  clearTimeout(retry);
  if (stream) stream.close();
  stream = null;
}

// update takes over what has changed of the page. It fails where only loading the
// page anew will do: scripts cannot be taken back.
async function update() {
  const answer = await fetch(location.pathname + location.search, { headers: { Accept: 'text/html' } });
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const tag = page.querySelector('script[src^="/_gpudocs/live.js"]');
  if (!answer.ok || answer.redirected || !tag || tag.dataset.scripts !== script.dataset.scripts) throw new Error('another page');
  build = new URL(tag.src).searchParams.get('build');
  patch(page);
  renew(JSON.parse(tag.dataset.images));
}

// renew has the images drawn anew that are others at the same address.
let images = JSON.parse(script.dataset.images);

function renew(now) {
  for (const n of document.querySelectorAll('img[src]')) {
    const [src] = n.getAttribute('src').split('?gpudocs=');
    if (images[src] && now[src] && images[src] !== now[src]) n.src = src + '?gpudocs=' + now[src];
  }
  images = now;
}

// The overlay is in the page's language. The server puts texts before this script.
const language = document.documentElement.lang.slice(0, 2).toLowerCase(), t = texts[language] || texts.en;

// The problems: errors open the overlay, once; the badge opens it again.

let dialog = null, badge = null, dismissed = '', shown = '';

function show(data) {
  const state = JSON.parse(data), problems = JSON.stringify([state.errors, state.warnings, state.problems]);
  if (problems === shown) return; // it may be read just now
  shown = problems;
  const broken = dialog !== null && dialog.className === 'error';
  const reading = take(dialog, badge) && (state.errors > 0 || !broken); // mended errors leave no list of warnings open
  dialog = badge = null;
  if (state.errors + state.warnings === 0) return;

  const errors = JSON.stringify(state.problems.filter(p => p.severity === 'error'));
  const own = dialog = overlay(state);
  dialog.addEventListener('close', () => { if (dialog === own) dismissed = errors; });
  badge = button(count(state), () => dialog.showModal());
  badge.id = 'gpudocs-badge';
  badge.className = dialog.className = state.errors ? 'error' : 'warning';
  document.body.append(badge, dialog);
  if (reading || state.errors && errors !== dismissed) dialog.showModal();
}

// take removes what was shown, tells whether it was open, and gives the focus back to
// the page.
function take(dialog, badge) {
  const open = dialog !== null && dialog.open;
  if (open) dialog.close();
  if (dialog) dialog.remove();
  if (badge) badge.remove();
  return open;
}

function overlay(state) {
  const title = element('h2', '', count(state));
  title.id = 'gpudocs-overlay-title';
  const dialog = element('dialog', '',
    element('header', '', title, button(t.close, () => dialog.close())),
    element('ol', '', ...state.problems.map(item)));
  const more = state.errors + state.warnings - state.problems.filter(p => p.severity !== 'notice').length;
  if (more > 0) dialog.append(element('p', 'more', t.more.replace('{n}', more)));
  dialog.id = 'gpudocs-overlay';
  dialog.setAttribute('role', 'alertdialog');
  dialog.setAttribute('aria-labelledby', title.id);
  return dialog;
}

function item(problem) {
  let at = problem.line ? `:${problem.line}:${problem.column || 1}` : '';
  if (problem.cell) { // of a notebook
    at = `, ${t.cell} ${problem.cell}` + (problem.line ? `, ${t.line} ${problem.line}, ${t.column} ${problem.column || 1}` : '');
  }
  const item = element('li', problem.severity,
    element('p', 'place', (problem.file || '') + at),
    element('p', 'message', element('b', '', t[problem.severity]), ' ', translated(problem, 'message')));
  if (problem.source && problem.line) item.append(source(problem));
  if (problem.hint) item.append(element('p', 'hint', element('b', '', t.hint), translated(problem, 'hint')));
  return item;
}

// translated returns a text of a problem in the page's language. If there is none, it is
// English and marked as that for screen readers.
function translated(problem, name) {
  const translation = problem.translations && problem.translations[language];
  const part = element('span', '', (translation || problem)[name]);
  if (!translation) part.lang = 'en';
  return part;
}

// Columns count characters, as Array.from does, not UTF-16 units.
function source(problem) {
  const characters = Array.from(problem.source);
  const from = Math.max((problem.column || 1) - (problem.source_column || 1), 0);
  const to = from + Math.max(problem.width || 0, 1);
  const text = (a, b) => characters.slice(a, b).join('');
  return element('pre', '',
    element('span', 'line', String(problem.line)),
    element('code', '', text(0, from), element('mark', '', text(from, to) || ' '), text(to)));
}

function count(state) {
  const some = (n, forms) => n ? [(n === 1 ? forms.one : forms.other).replace('{n}', n)] : [];
  return [...some(state.errors, t.errors), ...some(state.warnings, t.warnings)].join(', ');
}

function button(text, action) {
  const button = element('button', '', text);
  button.type = 'button';
  button.addEventListener('click', action);
  return button;
}

function element(tag, className, ...children) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...children); // strings become text nodes
  return element;
}

const style = element('link');
style.rel = 'stylesheet';
style.href = '/_gpudocs/live.css';
document.head.append(style);

document.addEventListener('visibilitychange', () => {
  document.visibilityState === 'hidden' ? disconnect() : connect();
});
addEventListener('pagehide', disconnect);
addEventListener('pageshow', connect);
connect();
