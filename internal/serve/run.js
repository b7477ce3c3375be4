// The buttons of a server that may run code: one behind each block of the page that
// can be run. The run lasts as long as the request for it: who leaves the page, or
// presses "cancel", ends it. The server puts texts before this script, which only ever become text nodes.

// Asked for each time: another start has another, which another tab may have brought.
const token = () => localStorage.getItem('gpudocs-run') || '';
const t = texts[document.documentElement.lang.slice(0, 2).toLowerCase()] || texts.en;

const boxes = new Map(); // by what they stand behind: an edit gives an action another id
let running = null;      // { box, abort }

const banner = element('p', '', t.unlocked);
banner.id = 'gpudocs-runs';
banner.setAttribute('role', 'note');

// list asks what the page offers, and puts a button behind each block that has none.
async function list() {
  const answer = await fetch('/_gpudocs/actions?page=' + encodeURIComponent(location.pathname), { headers: { 'Gpudocs-Token': token() } });
  banner.textContent = answer.ok ? t.unlocked : t.locked;
  if (!banner.isConnected) document.body.append(banner);
  const offered = answer.ok ? await answer.json() : [];
  for (const [behind, box] of boxes) {
    if (!offered.some(a => a.behind === behind)) { box.root.remove(); boxes.delete(behind); }
  }
  for (const action of offered) {
    const place = document.getElementById(action.behind);
    if (!place) continue;
    if (!boxes.has(action.behind)) boxes.set(action.behind, make());
    const box = boxes.get(action.behind);
    box.describe(action);
    if (place.nextElementSibling !== box.root) {
      const had = box.root.contains(document.activeElement) && document.activeElement;
      place.after(box.root);
      if (had) had.focus({ preventScroll: true });
    }
  }
}

function make() {
  const before = element('span', ''), state = element('span', '');
  const start = button(t.verify, () => run(box)), cancel = button(t.cancel, () => running && running.abort.abort());
  const root = element('div', 'gpudocs-run', start, cancel, before, state);
  cancel.hidden = true;
  state.setAttribute('role', 'status');
  const box = { root, id: '', behind: '' };
  box.describe = action => {
    const name = action.steps[action.steps.length - 1] || '', first = action.steps.slice(0, -1);
    if (box.id !== action.id && !(running && running.box === box) && state.textContent !== t.edited) box.say(''); // it was of other code
    box.id = action.id;
    box.behind = action.behind;
    start.setAttribute('aria-label', t.verify_named + name);
    before.textContent = first.length ? t.runs_first + first.join(', ') : '';
    before.hidden = first.length === 0;
  };
  box.say = (text, how) => { state.className = how || ''; state.textContent = text; };
  // Both stay where the keyboard is: the one that is pressed gives way to the other.
  box.busy = on => {
    const had = document.activeElement === (on ? start : cancel);
    start.hidden = on;
    cancel.hidden = !on;
    if (had) (on ? cancel : start).focus({ preventScroll: true });
  };
  return box;
}

async function run(box) {
  const abort = new AbortController();
  if (running) {
    box.say(t.busy, 'error');
    return;
  }
  running = { box, abort };
  box.busy(true);
  box.say(t.requested);
  try {
    const answer = await fetch('/_gpudocs/actions', {
      method: 'POST', signal: abort.signal, body: JSON.stringify({ action: box.id }),
      headers: { 'Content-Type': 'application/json', 'Gpudocs-Token': token() },
    });
    if (!answer.ok) box.say({ 403: t.locked, 409: t.busy }[answer.status] || (await answer.text()).trim(), 'error');
    else await follow(answer.body.getReader(), box);
  } catch (error) {
    box.say(abort.signal.aborted ? t.cancelled : t.unreachable, abort.signal.aborted ? '' : 'error');
  }
  running = null;
  box.busy(false);
}

// follow reads the lines of the answer as they come.
async function follow(reader, box) {
  const decoder = new TextDecoder();
  for (let text = '', ended = false; ;) {
    const { done, value } = await reader.read();
    if (done) {
      if (!ended) box.say(t.unreachable, 'error');
      return;
    }
    text += decoder.decode(value, { stream: true });
    const lines = text.split('\n');
    text = lines.pop();
    for (const line of lines.map(l => JSON.parse(l))) {
      ended = !('step' in line);
      if (!ended) box.say(line.step ? t.running + line.step : t.waiting);
      else if ('error' in line) box.say(line.code ? t.edited : line.error, 'error');
      else {
        box.say(line.ok ? t.passed : t.not_passed, line.ok ? 'good' : 'error');
        wanted = box.behind;
        open();
        sessionStorage.setItem('gpudocs-ran', JSON.stringify({ at: Date.now(), behind: box.behind, ...line }));
      }
    }
  }
}

// The result is shown at once: its panel opens when the page has it.
let wanted = '';
function open(root) {
  const panel = wanted && document.getElementById(wanted);
  if (!panel || root && !root.contains(panel) && root !== panel) return;
  if (panel.localName === 'details') panel.open = true;
  if (root) wanted = '';
}

// Where the page has to be loaded anew for the result, it goes on from there.
function goOn() {
  const ran = JSON.parse(sessionStorage.getItem('gpudocs-ran') || '{}'), box = boxes.get(ran.behind);
  if (!box || Date.now() - ran.at > 10000) return;
  sessionStorage.removeItem('gpudocs-ran');
  box.say(ran.ok ? t.passed : t.not_passed, ran.ok ? 'good' : 'error');
  wanted = ran.behind;
  open(document);
  box.root.querySelector('button').focus({ preventScroll: true });
}

let again = 0;
document.addEventListener('gpudocs:replaced', event => {
  open(event.detail);
  clearTimeout(again);
  again = setTimeout(() => list().catch(() => {})); // of many parts once
});
addEventListener('storage', event => { if (event.key === 'gpudocs-run') list().catch(() => {}); });
list().then(goOn).catch(() => {});

function button(text, action) {
  const button = element('button', '', text);
  button.type = 'button';
  button.addEventListener('click', action);
  return button;
}

function element(tag, className, ...children) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...children);
  return element;
}
