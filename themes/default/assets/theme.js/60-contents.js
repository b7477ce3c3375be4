(function () {
  "use strict";
  var all = gpudocs.all;

  // The contents list marks the section that is being read, and closes on
  // narrow screens once it has been used.
  var toc, fold, name, text, links = [], heads = [], waiting = false, before = -2;

  // Headings in hidden tabs and folds have no position.
  function seen(n) { return n.checkVisibility ? n.checkVisibility() : n.getClientRects().length > 0; }

  function mark() {
    waiting = false;
    if (!heads.length) return;
    var now = -1, end = scrollY > 0 && innerHeight + scrollY >= document.documentElement.scrollHeight - 2;
    heads.forEach(function (h, i) {
      if (!h || !seen(h)) return;
      var top = h.getBoundingClientRect().top;
      // The last sections of a page never reach the top of the window: among them, the target
      // of the address is marked.
      if (top < innerHeight * 0.25 || (end && top < innerHeight && location.hash === links[i].hash)) now = i;
    });
    if (now === before) return;
    before = now;
    links.forEach(function (a, i) {
      if (i === now) a.setAttribute("aria-current", "location");
      else a.removeAttribute("aria-current");
    });
    // On a phone the button names the current section.
    if (name) name.textContent = now < 0 ? text : links[now].textContent;
    if (now >= 0 && toc.scrollHeight > toc.clientHeight) {
      var box = toc.getBoundingClientRect(), own = links[now].getBoundingClientRect();
      if (own.top < box.top + 40 || own.bottom > box.bottom - 40) toc.scrollTop += own.top - box.top - toc.clientHeight / 2;
    }
  }
  // section is the heading that is being read, or null.
  gpudocs.section = function () {
    mark();
    return before < 0 ? null : { index: before, id: heads[before].id };
  };
  function soon() {
    if (!waiting) { waiting = true; requestAnimationFrame(mark); }
  }
  function again() { before = -2; soon(); }

  // If a part of the page is replaced, so are its headings.
  gpudocs.mount(function () {
    links = all(".toc:not(article *) a");
    heads = links.map(function (a) {
      return document.getElementById(decodeURIComponent(a.getAttribute("href").slice(1)));
    });
    var list = document.querySelector(".toc:not(article *)"); // not one of the author's
    if (toc !== list) {
      toc = list;
      fold = toc && document.querySelector(".fold-toc");
      name = fold && fold.querySelector("summary span");
      text = name && name.textContent;
      if (fold) {
        toc.addEventListener("click", function (e) { if (e.target.closest("a")) fold.open = false; });
        fold.addEventListener("toggle", again); // now that the list has a height
      }
    }
    before = -2;
    mark();
  });
  addEventListener("scroll", soon, { passive: true });
  addEventListener("hashchange", soon);
})();
