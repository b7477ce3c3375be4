(function () {
  "use strict";
  var all = gpudocs.all;

  // The contents list marks the section that is being read, and closes on
  // narrow screens once it has been used.
  var links = all(".toc a");
  var fold = document.querySelector(".fold-toc");
  links.forEach(function (a) {
    a.addEventListener("click", function () { if (fold) fold.open = false; });
  });
  var heads = links.map(function (a) {
    return document.getElementById(decodeURIComponent(a.getAttribute("href").slice(1)));
  });
  // What a tab or a fold hides has no place of its own.
  function seen(n) { return n.checkVisibility ? n.checkVisibility() : n.getClientRects().length > 0; }
  if (heads.length) {
    var waiting = false;
    var mark = function () {
      waiting = false;
      var now = -1;
      heads.forEach(function (h, i) {
        if (h && seen(h) && h.getBoundingClientRect().top < innerHeight * 0.25) now = i;
      });
      links.forEach(function (a, i) {
        if (i === now) a.setAttribute("aria-current", "location");
        else a.removeAttribute("aria-current");
      });
    };
    addEventListener("scroll", function () {
      if (!waiting) { waiting = true; requestAnimationFrame(mark); }
    }, { passive: true });
    mark();
  }

  // The sidebar starts where this page stands in it.
  var here = document.querySelector(".side [aria-current=page]");
  var side = here && here.closest(".side");
  if (side && here.offsetTop > side.clientHeight * 0.8) side.scrollTop = here.offsetTop - side.clientHeight / 2;
})();
