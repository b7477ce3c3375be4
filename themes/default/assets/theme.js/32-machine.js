(function () {
  "use strict";
  var all = gpudocs.all, save = gpudocs.save;
  var html = document.documentElement;
  var pick = document.querySelector(".pick"), asked = false;

  // The chosen machine, which theme-early.js has read. The tabs of a panel show one result, and
  // change only that panel.
  function machine() { return html.getAttribute("data-machine") || ""; }

  // order puts the machine's tab first in a panel, and the others as they were.
  function order(box, name) {
    var panes = all(".pane", box).filter(function (p) { return p.parentNode === box; });
    panes.forEach(function (p, i) { p.place = p.place || i + 1; }); // where it is if no machine is chosen
    function rank(p) { return p.getAttribute("data-of") === name ? 0 : p.place; }
    panes.sort(function (a, b) { return rank(a) - rank(b); });
    var chosen = null;
    panes.forEach(function (p) {
      var label = p.previousElementSibling, radio = label && label.previousElementSibling;
      if (!radio || radio.type !== "radio") return;
      if (!chosen || radio.defaultChecked) chosen = radio;
      [radio, label, p].forEach(function (n) { box.appendChild(n); });
    });
    var mine = panes[0] && panes[0].getAttribute("data-of") === name && box.querySelector("input");
    if (mine || chosen) (mine || chosen).checked = true;
  }

  // show shows the results of the chosen machine within root, and fetches those of a deferred one.
  function show(root) {
    var name = machine();
    mark(root, name);
    if (!name && gpudocs.gpu && gpudocs.gpu.tabs) gpudocs.gpu.tabs(null);
    if (!name) return;
    var missed = location.hash && !named();
    gpudocs.results(name).then(function () {
      if (machine() !== name) return;
      mark(document, name);
      html.removeAttribute("data-machine-later");
      if (pick && (pick.matches(":focus") || asked && name === "~")) announce(); // the answer of the reader's own GPU is there now
      asked = false;
      if (missed && named()) dispatchEvent(new Event("hashchange")); // to the target that was added
    });
  }
  function mark(root, name) {
    all("[data-for]", root).forEach(function (n) { n.hidden = n.getAttribute("data-for") !== name; });
    all(".switch-machines", root).forEach(function (box) { order(box, name); });
    all("a[data-blank]", root).forEach(function (a) { // where to report a wrong result, of which machine
      var blank = a.getAttribute("data-blank");
      a.whole = a.whole || a.href;
      a.href = a.whole.split(blank).join(name ? encodeURIComponent(name === "~" ? gpudocs.own.title() : name) : blank);
    });
    all(".preview, .measures", root).forEach(function (box) { preview(box, name); });
  }

  // preview leaves what the machine found, or all if name is empty or the reader's own GPU. If the page shows the output of another, that of the
  // machine is copied from its tab.
  function preview(box, name) {
    if (name === "~") name = "";
    all(".preview-mine", box).forEach(function (n) { n.remove(); });
    all("[data-of]:not(.preview-expected)", box).forEach(function (n) { n.hidden = !!name && n.getAttribute("data-of").split(" ").indexOf(name) < 0; });
    all(".preview-values, tbody:has([data-of]), .scroll:has(> table [data-of])", box).forEach(function (n) { n.hidden = !n.querySelector("[data-of]:not([hidden])"); });
    // What other machines printed is also what is expected of this one.
    all(".preview-promise", box).forEach(function (n) { n.hidden = !name || n.parentNode.getAttribute("data-of").split(" ").indexOf(name) >= 0; });
    var output = box.querySelector(".preview-output[hidden]"), pane = output && box.parentNode.querySelector('.pane[data-of="' + name + '"]');
    var shown = pane && Array.prototype.filter.call(pane.children, function (n) { return n.matches(".stream:not(.stream-diff), .figures"); })[0];
    if (!shown) return;
    var mine = output.cloneNode(false);
    mine.classList.add("preview-mine");
    mine.hidden = false;
    mine.appendChild((shown.querySelector("pre") || shown).cloneNode(true));
    output.after(mine);
  }
  // named is the target of the address, if it is on the page.
  function named() {
    try { return document.getElementById(decodeURIComponent(location.hash.slice(1))); } catch (e) { return null; } // not a valid address
  }

  // announce tells screen readers.
  function announce() {
    var said = document.querySelector(".picked"), name = machine();
    var text = document.querySelector(".mine-of:not([hidden]) .mine-text");
    if (said) said.textContent = text ? text.textContent : pick.getAttribute(name ? "data-say" : "data-none").replace("{machine}", name === "~" ? gpudocs.own.title() : gpudocs.label(name));
  }

  // address is that of the page with the machine, so that it can be shared.
  function address(url, name) {
    var u = new URL(url), own = /[?&]gpu=/.test(u.search) ? /^(machine|gpu|driver|cuda|os)=/ : /^machine=/;
    var parts = u.search.slice(1).split("&").filter(function (p) { return p && !own.test(p); });
    if (name) parts.push(name === "~" ? gpudocs.own.query() : "machine=" + name);
    u.search = parts.join("&");
    return u.href;
  }

  function choose(name) {
    if (name) html.setAttribute("data-machine", name);
    else html.removeAttribute("data-machine");
    html.removeAttribute("data-machine-later");
    save("machine", name || null);
    try { history.replaceState(history.state, "", address(location.href, name)); } catch (e) { /* opened from disk */ }
    if (pick.value !== name) pick.value = name;
    asked = true;
    show(document);
    announce();
  }
  gpudocs.choose = choose;
  gpudocs.address = address;

  if (pick) {
    if (pick.value !== machine()) pick.value = machine();
    pick.addEventListener("change", function () {
      if (pick.value !== "~?") return choose(pick.value);
      pick.value = machine();
      gpudocs.own.ask();
    });
    addEventListener("pageshow", function (e) { if (e.persisted) pick.value = machine(); });
    // Another tab of the browser has changed the machine.
    addEventListener("storage", function (e) {
      if (e.key !== "gpudocs-machine" || machine() === (e.newValue || "")) return;
      pick.value = e.newValue || "";
      if (pick.selectedIndex < 0) return;
      if (e.newValue) html.setAttribute("data-machine", e.newValue);
      else html.removeAttribute("data-machine");
      show(document);
    });
    // Without storage, links pass it on.
    document.addEventListener("click", function (e) {
      var a = e.target.closest && e.target.closest("a[href]");
      if (!a || !machine() || gpudocs.load("machine") === machine() || a.origin !== location.origin || /[?&](machine|gpu)=/.test(a.search)) return;
      if (a.pathname === location.pathname || a.hasAttribute("download")) return;
      a.href = address(a.href, machine());
    }, true);
  }
  gpudocs.mount(function (root) {
    show(root);
  });
})();
