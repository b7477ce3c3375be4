(function () {
  "use strict";
  // open opens the tabs and folds that an element is in.
  function open(element) {
    for (var n = element; n && n !== document.body; n = n.parentElement) {
      if (n.tagName === "DETAILS") n.open = true;
      if (n.classList.contains("pane")) {
        var radio = n.previousElementSibling && n.previousElementSibling.previousElementSibling;
        if (radio && radio.type === "radio") radio.checked = true;
      }
    }
  }
  function target() {
    var id = location.hash.slice(1);
    try { return id && document.getElementById(decodeURIComponent(id)); } catch (e) { return null; }
  }

  // The target of an address within a tab or a closed panel is revealed.
  function reveal() {
    var to = target();
    if (!to) return;
    open(to);
    to.scrollIntoView();
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

  addEventListener("hashchange", function () {
    reveal();
    found();
  });
  document.addEventListener("click", function (e) { // the same address once more
    var a = e.target.closest && e.target.closest("a[href^='#']");
    if (a && a.getAttribute("href") === location.hash) setTimeout(reveal);
  });
  reveal();
  found();
})();
