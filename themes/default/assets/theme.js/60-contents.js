(function () {
  "use strict";
  var all = gpudocs.all;

  // The contents list marks the section that is being read, and closes on
  // narrow screens once it has been used.
  var toc, fold, name, text, links = [], heads = [], waiting = false, before = -2, stayed = -1, staying;

  // Headings in hidden tabs and folds have no position.
  function seen(n) { return n.checkVisibility ? n.checkVisibility() : n.getClientRects().length > 0; }

  function mark() {
    waiting = false;
    if (!heads.length) return;
    // The last sections of a page never reach the top of the window: the line that they must pass moves down to its foot. At the end the
    // target of the address is marked, if it is seen.
    var now = -1, all = document.documentElement.scrollHeight - innerHeight, left = Math.max(0, all - scrollY), target = -1;
    var line = innerHeight * (1 - 0.75 * Math.min(1, left / Math.min(innerHeight, all / 2 || 1)));
    heads.forEach(function (h, i) {
      if (!h || !seen(h)) return;
      var top = h.getBoundingClientRect().top;
      if (top < line) now = i;
      if (left <= 2 && scrollY > 0 && top >= 0 && top < innerHeight && location.hash === links[i].hash) target = i;
    });
    if (target >= 0) now = target;
    if (now === before) return;
    before = now;
    clearTimeout(staying);
    if (now >= 0) staying = setTimeout(function () { stayed = now; }, 1500);
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
  // section is the heading that is being read, or null. Where the bar stays at the top of the page, as on a phone, a reader who came up to
  // it reads the last one stayed at.
  gpudocs.section = function () {
    mark();
    var at = before < 0 && getComputedStyle(document.querySelector(".bar")).position !== "sticky" ? stayed : before;
    return at < 0 ? null : { index: at, id: heads[at].id };
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
    stayed = -1;
    mark();
  });
  addEventListener("scroll", soon, { passive: true });
  addEventListener("hashchange", soon);
})();
