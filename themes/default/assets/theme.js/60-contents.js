(function () {
  "use strict";
  var all = gpudocs.all;

  // The contents list marks the section that is being read, and closes on
  // narrow screens once it has been used.
  var toc, links, heads, fold, name, text;
  function look() {
    toc = document.querySelector(".toc");
    links = all(".toc a");
    heads = links.map(function (a) {
      return document.getElementById(decodeURIComponent(a.getAttribute("href").slice(1)));
    });
    if (fold !== (fold = document.querySelector(".fold-toc"))) {
      name = fold && fold.querySelector("summary span");
      text = name && name.textContent;
      if (fold) fold.addEventListener("toggle", function () { before = -2; soon(); }); // now that it has a height
    }
    before = -2;
  }
  document.addEventListener("click", function (e) {
    if (fold && e.target.closest && e.target.closest(".toc a")) fold.open = false;
  });
  // What a tab or a fold hides has no place of its own.
  function seen(n) { return n.checkVisibility ? n.checkVisibility() : n.getClientRects().length > 0; }

  var waiting = false, before = -1;
  function mark() {
    waiting = false;
    if (!links.length) return;
    var now = -1, end = innerHeight + scrollY >= document.documentElement.scrollHeight - 2 && scrollY > 0;
    heads.forEach(function (h, i) {
      if (!h || !seen(h)) return;
      var top = h.getBoundingClientRect().top;
      // At the page's end sections stand in the window that never come to its top: there
      // it is the one that was asked for.
      if (top < innerHeight * 0.25 || (end && top < innerHeight && location.hash === links[i].hash)) now = i;
    });
    if (now === before) return;
    before = now;
    links.forEach(function (a, i) {
      if (i === now) a.setAttribute("aria-current", "location");
      else a.removeAttribute("aria-current");
    });
    if (name) name.textContent = now < 0 ? text : links[now].textContent;
    if (now >= 0 && toc.scrollHeight > toc.clientHeight) {
      var box = toc.getBoundingClientRect(), own = links[now].getBoundingClientRect();
      if (own.top < box.top + 40 || own.bottom > box.bottom - 40) toc.scrollTop += own.top - box.top - toc.clientHeight / 2;
    }
  }
  function soon() {
    if (!waiting) { waiting = true; requestAnimationFrame(mark); }
  }
  addEventListener("scroll", soon, { passive: true });
  addEventListener("hashchange", soon);
  gpudocs.mount(function () { // a heading that is replaced is another
    look();
    mark();
  });
})();
