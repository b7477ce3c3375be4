// The live half of a previewed page. It keeps one event stream to the server
// while the page is visible, reloads a page that is out of date, and shows
// what the latest build found. Texts come from files: they only ever become
// text nodes.
'use strict';

(() => {
  const script = document.currentScript;
  const build = new URL(script.src).searchParams.get('build');
  const firstDelay = 500, lastDelay = 10000;

  // The stream. Browsers open six connections to a host at most, so a hidden
  // page gives up its own; the server tells what it missed when it comes back.

  let stream = null, retry = 0, delay = firstDelay;

  function connect() {
    clearTimeout(retry);
    if (stream || document.visibilityState === 'hidden') return;
    stream = new EventSource('/_gpudocs/events?build=' + encodeURIComponent(build));
    stream.addEventListener('open', () => { delay = firstDelay; });
    stream.addEventListener('problems', event => show(JSON.parse(event.data)));
    stream.addEventListener('reload', () => {
      disconnect();
      location.reload();
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

  // The problems: errors open the overlay, once; the badge opens it again.

  let dialog = null, badge = null, dismissed = '';

  function show(state) {
    if (dialog) dialog.remove();
    if (badge) badge.remove();
    dialog = badge = null;
    if (state.errors + state.warnings === 0) return;

    const errors = JSON.stringify(state.problems.filter(p => p.severity === 'error'));
    dialog = overlay(state);
    dialog.addEventListener('close', () => { dismissed = errors; });
    badge = button(count(state), () => dialog.showModal());
    badge.id = 'gpudocs-badge';
    badge.className = dialog.className = state.errors ? 'error' : 'warning';
    document.body.append(badge, dialog);
    if (state.errors && errors !== dismissed) dialog.showModal();
  }

  function overlay(state) {
    const title = element('h2', '', count(state));
    title.id = 'gpudocs-overlay-title';
    const dialog = element('dialog', '',
      element('header', '', title, button('Close', () => dialog.close())),
      element('ol', '', ...state.problems.map(item)));
    const more = state.errors + state.warnings - state.problems.length;
    if (more > 0) dialog.append(element('p', 'more', `and ${more} more`));
    dialog.id = 'gpudocs-overlay';
    dialog.setAttribute('role', 'alertdialog');
    dialog.setAttribute('aria-labelledby', title.id);
    return dialog;
  }

  function item(problem) {
    let at = problem.line ? `:${problem.line}:${problem.column || 1}` : '';
    if (problem.cell) { // of a notebook
      at = `, cell ${problem.cell}` + (problem.line ? `, line ${problem.line}, column ${problem.column || 1}` : '');
    }
    const item = element('li', problem.severity,
      element('p', 'place', (problem.file || '') + at),
      element('p', 'message', element('b', '', problem.severity), ' ' + problem.message));
    if (problem.source && problem.line) item.append(source(problem));
    if (problem.hint) item.append(element('p', 'hint', problem.hint));
    return item;
  }

  // Columns count characters, as Array.from does, not UTF-16 units.
  function source(problem) {
    const characters = Array.from(problem.source);
    const from = Math.max((problem.column || 1) - 1, 0);
    const to = from + Math.max(problem.width || 0, 1);
    const text = (a, b) => characters.slice(a, b).join('');
    return element('pre', '',
      element('span', 'line', String(problem.line)),
      element('code', '', text(0, from), element('mark', '', text(from, to) || ' '), text(to)));
  }

  function count(state) {
    const some = (n, word) => n ? [`${n} ${word}${n === 1 ? '' : 's'}`] : [];
    return [...some(state.errors, 'error'), ...some(state.warnings, 'warning')].join(', ');
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
})();
