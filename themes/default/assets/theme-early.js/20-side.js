// The sidebar's sections that the reader has closed are closed before anything is painted:
// observers run when the parser pauses. Those that hold this page stay open.
(function () {
  // A section is known by the first link in it and by how deep below it that stands: folders
  // without a page of their own may begin with the same one.
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
