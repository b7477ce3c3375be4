// Runs before the first paint, so that a page never flashes in the wrong colours, and
// never moves when it finds out which machine the reader has chosen.
(function () {
  var html = document.documentElement, me = document.currentScript;
  html.setAttribute("data-js", "");
  function load(key) {
    try { return localStorage.getItem("gpudocs-" + key); } catch (e) { return null; } // storage is blocked
  }
  var chosen = load("theme");
  if (chosen === "light" || chosen === "dark") html.setAttribute("data-theme", chosen);

  // The machine: the address has the last word, "?machine=" says none. A name that this
  // site does not know is passed over, and not forgotten: another site below the same
  // host may know it, and a machine may come back.
  var names = " " + (me.getAttribute("data-machines") || "") + " ";
  function known(name) { return !!name && name.indexOf(" ") < 0 && names.indexOf(" " + name + " ") >= 0; }
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
  var here = me.getAttribute("data-here"); // of the others there is a script to come
  if (here && (" " + here + " ").indexOf(" " + machine + " ") < 0) html.setAttribute("data-machine-later", "");

  // What is read is shown before it is painted: observers run when the parser pauses.
  function show() {
    document.querySelectorAll('[data-for="' + machine + '"][hidden]').forEach(function (n) { n.hidden = false; });
  }
  var seen = new MutationObserver(show);
  seen.observe(html, { childList: true, subtree: true });
  document.addEventListener("DOMContentLoaded", function () { seen.disconnect(); show(); });
})();
