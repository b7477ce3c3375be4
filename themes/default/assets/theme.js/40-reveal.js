(function () {
  "use strict";
  // How many links within the page led to this entry of the history, and what they have changed: [number, element, property, value].
  var depth = (history.state || {}).depth || 0, changes = [], back = false;
  function set(element, property, value) {
    changes.push([depth, element, property, element[property]]);
    element[property] = value;
  }
  function numbered() { history.replaceState(Object.assign({}, history.state, { depth: depth }), ""); }

  // open opens the tabs and folds that an element is in.
  function open(element) {
    for (var n = element; n && n !== document.body; n = n.parentElement) {
      if (n.tagName === "DETAILS") set(n, "open", true);
      if (n.classList.contains("pane")) {
        var radio = n.previousElementSibling && n.previousElementSibling.previousElementSibling;
        if (!radio || radio.type !== "radio") continue;
        gpudocs.all("input:checked", n.parentElement).forEach(function (r) { set(r, "checked", true); }); // going back checks it again
        radio.checked = true;
      }
    }
  }
  function target(hash) {
    var id = (hash || location.hash).slice(1);
    try { return id && document.getElementById(decodeURIComponent(id)); } catch (e) { return null; }
  }

  // The target of an address within a tab or a closed panel is revealed, below the code that it is about.
  function reveal() {
    var to = target(), figure = to && to.closest(".panel") && to.closest("figure.code");
    if (!to) return;
    open(to);
    (figure || to).scrollIntoView();
    if (figure && to.getBoundingClientRect().top > innerHeight * 0.8) to.scrollIntoView(); // the code is too long
  }

  // After a search, the words that were found are visible: if the section shows none of them, what hides the first is opened.
  function found() {
    var hit, main = document.querySelector("article");
    try {
      hit = JSON.parse(sessionStorage.getItem("gpudocs-found"));
      if (!main || !hit || hit.at !== location.href) return;
      sessionStorage.removeItem("gpudocs-found");
    } catch (e) { return; }
    var from = target(), text, first = null, begun = !from, walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
    while ((text = walker.nextNode())) {
      var e = text.parentElement, heading = e.closest("h1, h2, h3, h4, h5, h6");
      if (!begun) begun = from.contains(text) || !!(from.compareDocumentPosition(text) & Node.DOCUMENT_POSITION_FOLLOWING);
      if (!begun) continue;
      if (heading && heading !== from && heading.tagName !== "H1") break;
      if (!/\S/.test(text.data)) continue;
      var block = e.closest("p, li, td, th, pre, dt, dd, summary, figcaption"); // names in code are in several elements
      var s = (block ? block.textContent : text.data).toLowerCase();
      if (!hit.words.some(function (w) { return s.indexOf(w) >= 0; })) continue;
      if (e.getClientRects().length && !e.closest("details:not([open]) > :not(summary)")) return;
      first = first || e;
    }
    if (!first) return;
    open(first);
    first.scrollIntoView({ block: "center" });
  }
  gpudocs.found = found;

  // moved restores what was there if the reader went back. The entry of a new link has no number yet.
  function moved() {
    var to = (history.state || {}).depth;
    if (to === depth) return;
    back = to < depth;
    depth = to === undefined ? depth + 1 : to;
    while (back && changes.length && changes[changes.length - 1][0] > depth) {
      var c = changes.pop();
      c[1][c[2]] = c[3];
    }
    numbered();
  }
  addEventListener("popstate", moved);
  addEventListener("hashchange", function () {
    moved();
    if (!back) reveal();
    found();
  });
  document.addEventListener("click", function (e) {
    var a = e.target.closest && e.target.closest("a[href^='#']");
    if (!a || e.ctrlKey || e.metaKey) return;
    if (a.getAttribute("href") === location.hash) return setTimeout(reveal); // the same address once more
    depth++; // of the entry to come; browsers open folds before they tell
    open(target(a.hash));
    depth--;
  });
  // A panel opens below its code, which may be longer than the window.
  document.addEventListener("click", function (e) {
    var summary = e.target.closest && e.target.closest(".panel > summary");
    if (summary) setTimeout(function () {
      var body = summary.parentElement.querySelector(".switch-machines");
      if (summary.parentElement.open && body && body.getBoundingClientRect().top > innerHeight * 0.8) body.scrollIntoView({ block: "nearest" });
    });
  });
  numbered();
  reveal();
  found();

  // Browsers scroll to the target of a new page once more when it is loaded, unless the reader has scrolled meanwhile.
  addEventListener("load", function () {
    var to = target(), entry = performance.getEntriesByType("navigation")[0];
    if (to && entry && entry.type === "navigate") setTimeout(function () {
      var top = to.getBoundingClientRect().top;
      if (top >= 0 && top < innerHeight / 4) reveal();
    });
  });
})();
