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

  // What the page has no room for comes in a script of its own: _on/NAME.js. Browsers that
  // know how wait for it before they paint; for the others a place is kept.
  var here = me.getAttribute("data-here");
  if (here && (" " + here + " ").indexOf(" " + machine + " ") < 0) {
    html.setAttribute("data-machine-later", "");
    var script = document.createElement("script");
    script.src = "_on/" + machine + ".js";
    script.setAttribute("blocking", "render");
    document.head.appendChild(script);
  }
  var pieces = [];
  window.gpudocsDeliver = function (name, list) {
    pieces = list;
    show();
  };
  window.gpudocsDeliver.pieces = function () { return pieces; }; // for theme.js, which goes on here

  // What is read is shown before it is painted: observers run when the parser pauses.
  function show() {
    if (pieces.length) {
      document.querySelectorAll("[data-place]").forEach(function (place, i) {
        // Tabs are in panels, which are closed: theme.js fills them.
        if (/ data-for="/.test(pieces[i]) && !place.querySelector('[data-for="' + machine + '"]')) place.insertAdjacentHTML("beforeend", pieces[i]);
      });
    }
    document.querySelectorAll('[data-for="' + machine + '"][hidden]').forEach(function (n) { n.hidden = false; });
    document.querySelectorAll('.pick option[value="' + machine + '"]').forEach(function (o) { o.selected = true; });
  }
  var seen = new MutationObserver(show);
  seen.observe(html, { childList: true, subtree: true });
  document.addEventListener("DOMContentLoaded", function () { seen.disconnect(); });
})();
