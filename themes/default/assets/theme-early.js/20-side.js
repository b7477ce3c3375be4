// Closes the sections of the sidebar that the reader has closed, before the first paint: observers run
// when the parser pauses. Those with this page stay open.
(function () {
  // A section is identified by the first link in it and by the link's depth below it, because folders
  // without a page of their own may begin with the same link.
  window.gpudocsTwig = function (twig) {
    var section = twig.parentElement, link = section.querySelector("a"), key = link.pathname;
    for (var n = link.parentElement; n !== section; n = n.parentElement) if (n.tagName === "UL") key += "*";
    return key;
  };
  var closed = [];
  try { closed = JSON.parse(localStorage.getItem("gpudocs-folded")) || []; } catch (e) { /* none */ }
  if (!Array.isArray(closed) || !closed.length) return;
  function fold() {
    if (!document.getElementById("_content")) return; // the list is not whole yet
    seen.disconnect();
    document.querySelectorAll(".side .twig").forEach(function (twig) {
      if (closed.indexOf(gpudocsTwig(twig)) >= 0 && !twig.parentElement.querySelector("[aria-current]")) twig.open = false;
    });
  }
  var seen = new MutationObserver(fold);
  seen.observe(document.documentElement, { childList: true, subtree: true });
})();
