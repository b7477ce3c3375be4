// The sidebar's sections that the reader has closed are closed before anything is painted:
// observers run when the parser pauses. Those that hold this page stay open.
(function () {
  var closed = [];
  try { closed = JSON.parse(localStorage.getItem("gpudocs-folded")) || []; } catch (e) { /* none */ }
  if (!Array.isArray(closed) || !closed.length) return;
  function fold() {
    if (!document.getElementById("_content")) return; // the list is not whole yet
    seen.disconnect();
    document.querySelectorAll(".side .twig").forEach(function (twig) {
      var link = twig.parentElement.querySelector("a");
      if (closed.indexOf(link.pathname + (twig.previousElementSibling ? "" : "*")) >= 0 &&
        !twig.parentElement.querySelector("[aria-current]")) twig.open = false;
    });
  }
  var seen = new MutationObserver(fold);
  seen.observe(document.documentElement, { childList: true, subtree: true });
})();
