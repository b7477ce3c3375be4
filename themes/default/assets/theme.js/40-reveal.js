(function () {
  "use strict";
  // An address that points into a tab or a closed panel opens it.
  function reveal() {
    var id = location.hash.slice(1), target;
    try { target = id && document.getElementById(decodeURIComponent(id)); } catch (e) { return; }
    if (!target) return;
    for (var n = target; n && n !== document.body; n = n.parentElement) {
      if (n.tagName === "DETAILS") n.open = true;
      if (n.classList.contains("pane")) {
        var radio = n.previousElementSibling && n.previousElementSibling.previousElementSibling;
        if (radio && radio.type === "radio") radio.checked = true;
      }
    }
    target.scrollIntoView();
  }
  addEventListener("hashchange", reveal);
  document.addEventListener("click", function (e) { // the same address once more
    var a = e.target.closest && e.target.closest("a[href^='#']");
    if (a && a.getAttribute("href") === location.hash) setTimeout(reveal);
  });
  reveal();
})();
