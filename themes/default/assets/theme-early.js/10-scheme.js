// Runs before the first paint, so that a page never flashes in the wrong colours, and
// never moves when it finds out which machine the reader has chosen.
(function () {
  var html = document.documentElement, me = document.currentScript;
  html.setAttribute("data-js", "");
  // whileRead calls f with every part of the page that is read, until all of it is.
  function whileRead(f) {
    var seen = new MutationObserver(f);
    seen.observe(html, { childList: true, subtree: true });
    document.addEventListener("DOMContentLoaded", function () { seen.disconnect(); });
  }
  function load(key) {
    try { return localStorage.getItem("gpudocs-" + key); } catch (e) { return null; } // storage is blocked
  }
  var chosen = load("theme");
  if (chosen === "light" || chosen === "dark") html.setAttribute("data-theme", chosen);

  // Tabs that were chosen before are chosen before they are seen, as theme.js does later.
  var tabs = [];
  try { tabs = JSON.parse(load("tabs")) || []; } catch (e) { /* not ours */ }
  if (Array.isArray(tabs) && tabs.length) {
    whileRead(function () {
      tabs.slice().reverse().forEach(function (value) {
        document.querySelectorAll(".switch-tabs > input").forEach(function (r) {
          if ((", " + r.value + ", ").indexOf(", " + value + ", ") >= 0) r.checked = true;
        });
      });
    });
  }

  // The machine: the address has the last word, "?machine=" says none. A name that this
  // site does not know is passed over, and not forgotten: another site below the same
  // host may know it, and a machine may come back.
  function list(attribute) { return (me.getAttribute(attribute) || "").split(" ").filter(Boolean); }
  var names = list("data-machines");
  function known(name) { return names.indexOf(name) >= 0; }
  var machine = load("machine"), asked = /[?&]machine=([^&]*)/.exec(location.search);
  if (asked && (asked[1] === "" || known(asked[1]))) {
    machine = asked[1];
    try {
      if (machine) localStorage.setItem("gpudocs-machine", machine);
      else localStorage.removeItem("gpudocs-machine");
    } catch (e) { /* it holds for this page */ }
  }

  if (!known(machine)) return;
  html.setAttribute("data-machine", machine);

  // What the page has no room for theme.js asks for; a place is kept.
  var here = list("data-here");
  if (here.length && here.indexOf(machine) < 0) html.setAttribute("data-machine-later", "");

  // What is read is shown before it is painted: observers run when the parser pauses.
  function show() {
    document.querySelectorAll('[data-for="' + machine + '"][hidden]').forEach(function (n) { n.hidden = false; });
    document.querySelectorAll('.pick option[value="' + machine + '"]').forEach(function (o) { o.selected = true; });
  }
  whileRead(show);
})();
