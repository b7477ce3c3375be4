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
  var names = list("data-machines"), later;
  function known(name) { return names.indexOf(name) >= 0; }
  var machine = load("machine"), asked = /[?&]machine=([^&]*)/.exec(location.search);
  if (asked && (asked[1] === "" || known(asked[1]))) {
    machine = asked[1];
    try {
      if (machine) localStorage.setItem("gpudocs-machine", machine);
      else localStorage.removeItem("gpudocs-machine");
    } catch (e) { /* it holds for this page */ }
  }

  // What the page has no room for comes in scripts of their own, each with as many machines as
  // the page. fileOf is that of a machine, empty for one that is here.
  function fileOf(name, here) {
    var i = names.filter(function (n) { return here.indexOf(n) < 0; }).indexOf(name);
    return here.length && i >= 0 ? "_on/" + Math.floor(i / here.length) + ".js" : "";
  }
  // unpack makes the pieces of a machine of their forms: 0 in these is its name, n the n-th value.
  function unpack(forms, list, name) {
    return list.map(function (piece) {
      return piece && forms[piece[0]].map(function (part) { return typeof part === "string" ? part : part ? piece[part] : name; }).join("");
    });
  }
  // placesOf are the places of a text, or those of the page around it.
  function placesOf(root, own) { return root.querySelectorAll(own ? '[data-place="page"]' : '[data-place=""]'); }
  var pieces = [];
  window.gpudocsDeliver = function (forms, all) { // theme.js goes on here
    gpudocsDeliver.all = [forms, all];
    pieces = (all[machine] || []).map(function (list) { return unpack(forms, list, machine); });
    show();
  };
  gpudocsDeliver.tools = { fileOf: fileOf, unpack: unpack, placesOf: placesOf };
  if (!known(machine)) return;
  html.setAttribute("data-machine", machine);

  // Browsers that know how wait for it before they paint; for the others a place is kept.
  if ((later = fileOf(machine, list("data-here")))) {
    html.setAttribute("data-machine-later", "");
    var script = document.createElement("script");
    script.src = later;
    script.setAttribute("blocking", "render");
    document.head.appendChild(script);
  }

  // What is read is shown before it is painted: observers run when the parser pauses.
  function show() {
    pieces.forEach(function (list, own) {
      placesOf(document, own).forEach(function (place, i) {
        // Tabs are in panels, which are closed: theme.js fills them.
        if (/ data-for="/.test(list[i]) && !place.querySelector('[data-for="' + machine + '"]')) place.insertAdjacentHTML("beforeend", list[i]);
      });
    });
    document.querySelectorAll('[data-for="' + machine + '"][hidden]').forEach(function (n) { n.hidden = false; });
    document.querySelectorAll('.pick option[value="' + machine + '"]').forEach(function (o) { o.selected = true; });
  }
  whileRead(show);
})();
