(function () {
  "use strict";
  var all = gpudocs.all, load = gpudocs.load, save = gpudocs.save;
  var side = document.querySelector(".side");
  var menu = document.querySelector(".fold-menu");
  var narrow = matchMedia("(max-width: 59.99rem)");

  // Closed sections stay closed; theme-early.js closes them on the next page.
  if (side) {
    side.addEventListener("click", function (e) {
      var twig = e.target.closest("summary") && e.target.closest(".twig");
      if (!twig) return;
      var closed = [], closes = twig.open; // the state before the click
      try { closed = JSON.parse(load("folded")) || []; } catch (e) { /* none */ }
      if (!Array.isArray(closed)) closed = [];
      var key = gpudocsTwig(twig);
      closed = closed.filter(function (k) { return k !== key; });
      if (closes) closed.push(key);
      save("folded", closed.length ? JSON.stringify(closed.slice(-200)) : null);
    });

    // The list keeps its position, but this page is always in view.
    var see = function () {
      var here = side.querySelector("[aria-current=page]");
      if (!here) return;
      var box = side.getBoundingClientRect(), own = here.getBoundingClientRect();
      if (own.top < box.top + 16 || own.bottom > box.bottom - 96) side.scrollTop += own.top - box.top - side.clientHeight / 3;
    };
    try { side.scrollTop = +sessionStorage.getItem("gpudocs-side") || 0; } catch (e) { /* at its top */ }
    see();
    addEventListener("pagehide", function () {
      try { if (!narrow.matches) sessionStorage.setItem("gpudocs-side", side.scrollTop); } catch (e) { /* not kept */ }
    });
    if (menu) menu.addEventListener("toggle", function () { if (menu.open) see(); });
  }

  // The two sheets of a phone: Escape or a click outside closes them.
  all(".fold").forEach(function (fold) {
    var sheet = fold.nextElementSibling, summary = fold.querySelector("summary");
    if (!sheet || !summary) return; // an author's
    function within(n) { return fold.contains(n) || sheet.contains(n); }
    [fold, sheet].forEach(function (n) {
      n.addEventListener("keydown", function (e) {
        if (e.key !== "Escape" || !fold.open) return;
        fold.open = false;
        summary.focus();
      });
      n.addEventListener("focusout", function (e) {
        if (fold.open && e.relatedTarget && !within(e.relatedTarget) && getComputedStyle(summary).position === "fixed") fold.open = false;
      });
    });
  });
})();
