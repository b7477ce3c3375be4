// Runs before the first paint, so that a page never flashes in the wrong colours, and never moves
// because of the chosen machine.
(function () {
  var html = document.documentElement, me = document.currentScript;
  html.setAttribute("data-js", "");
  // whileRead calls f with every part of the page that is parsed, until the page is complete.
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

  // Tabs that were chosen on other pages are chosen before the first paint.
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

  // The chosen machine: the address overrides the stored one, and "?machine=" means none. An unknown
  // name is ignored but kept: another site on the same host may know it, and the machine may
  // come back.
  function list(attribute) { return (me.getAttribute(attribute) || "").split(" ").filter(Boolean); }
  var names = list("data-machines");
  // The reader's own GPU is the machine "~": the address has it as "?gpu=", the storage as "gpu".
  function known(name) { return names.indexOf(name) >= 0 || name === "~" && me.hasAttribute("data-own") && !!(own || load("gpu")); }
  var own = /[?&]gpu=[^&]/.test(location.search);
  var machine = load("machine"), asked = own ? ["", "~"] : /[?&]machine=([^&]*)/.exec(location.search);
  if (asked && (asked[1] === "" || known(asked[1]))) {
    machine = asked[1];
    try {
      if (machine) localStorage.setItem("gpudocs-machine", machine);
      else localStorage.removeItem("gpudocs-machine");
    } catch (e) { /* it applies to this page only */ }
  }

  if (!known(machine)) return;
  html.setAttribute("data-machine", machine);

  // theme.js fetches the results of a deferred machine; their space is reserved.
  var here = list("data-here");
  if (machine === "~" || here.length && here.indexOf(machine) < 0) html.setAttribute("data-machine-later", "");

  // Observers run when the parser pauses, before the first paint.
  function show() {
    document.querySelectorAll('[data-for="' + machine + '"][hidden]').forEach(function (n) { n.hidden = false; });
    if (machine !== "~") document.querySelectorAll(":is(.preview, .measures) :is([data-of]:not(.preview-expected), .preview-promise)").forEach(function (n) {
      var of = n.getAttribute("data-of"); // a promise is for the machines that have not printed it
      n.hidden = (of || n.parentNode.getAttribute("data-of")).split(" ").indexOf(machine) < 0 === !!of;
    });
    document.querySelectorAll('.pick option[value="' + machine + '"]').forEach(function (o) { o.selected = true; });
  }
  whileRead(show);
})();
