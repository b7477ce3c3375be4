(function () {
  "use strict";
  var all = gpudocs.all;

  // Pictures and drawings that are wider than the column can be opened over the page.
  var template = document.querySelector("template#_zoom");
  if (!template || !window.HTMLDialogElement) return;

  // width returns the width of the whole picture, of which the page may show a smaller version.
  function width(what) {
    var all = /_images\/.* (\d+)w$/.exec(what.srcset || "");
    return all ? +all[1] : what.naturalWidth;
  }

  function show(what, caption) {
    var dialog = template.content.lastElementChild.cloneNode(true);
    var stage = dialog.querySelector(".zoom-stage"), full = dialog.querySelector(".zoom-full");
    var copy = what.cloneNode(true), ratio;
    copy.removeAttribute("class");
    copy.removeAttribute("loading");
    if (width(what) !== what.naturalWidth) copy.removeAttribute("srcset");
    var title = what.querySelector("title");
    dialog.setAttribute("aria-label", what.alt || title && title.textContent || caption || dialog.getAttribute("aria-label"));
    if (what.tagName !== "IMG") { // its markers are still those of the page
      var box = what.viewBox.baseVal;
      ratio = box && box.width;
      copy.removeAttribute("id");
      all("[id]", copy).forEach(function (n) { n.removeAttribute("id"); });
    }
    stage.appendChild(copy);
    dialog.querySelector(".zoom-caption").textContent = caption;
    function size(on) {
      dialog.classList.toggle("zoom-is-full", on);
      full.setAttribute("aria-pressed", on);
      copy.style.width = on && ratio ? ratio + "px" : "";
    }
    full.addEventListener("click", function () { size(!dialog.classList.contains("zoom-is-full")); });
    copy.addEventListener("click", function () { full.click(); });
    dialog.querySelector(".zoom-close").addEventListener("click", function () { dialog.close(); });
    dialog.addEventListener("click", function (e) { if (e.target === stage || e.target === dialog) dialog.close(); });
    dialog.addEventListener("close", function () { dialog.remove(); });
    document.body.appendChild(dialog);
    dialog.showModal();
    // On a phone the picture has its real size at first, because scaled text would be illegible.
    size(!!ratio && stage.clientWidth < ratio / 2);
  }

  var made = [];
  // place shows the button of a picture that is larger than its visible part.
  function place(z) {
    var what = z.what, shown = what.clientWidth || what.getBoundingClientRect().width;
    var gains = z.box ? z.box.scrollWidth > z.box.clientWidth + 8 : width(what) > shown * 1.1;
    z.button.hidden = !gains || !shown;
    what.classList.toggle("zooms", gains && !z.box);
    if (!gains || !shown) return;
    var of = z.caption || z.box || what; // beside a caption it covers nothing of the picture
    z.button.style.top = of.offsetTop + "px";
    z.button.style.left = of.offsetLeft + (document.documentElement.dir === "rtl" ? 0 : of.offsetWidth) + "px";
  }

  gpudocs.mount(function (root) {
    made = made.filter(function (z) { return z.what.isConnected; });
    all("article img:not(a img, summary img), .diagram-box > svg", root).forEach(function (what) {
      var box = what.closest(".diagram-box"), parent = (box || what).parentElement;
      var figure = what.closest("figure"), caption = figure && figure.querySelector("figcaption");
      if (parent.closest(".zoom-button")) return;
      var button = template.content.firstElementChild.cloneNode(true);
      var z = { what: what, box: box, button: button };
      if (what.nextElementSibling === caption) z.caption = caption;
      var open = function () { show(what, caption && !caption.closest(".code") ? caption.textContent.trim() : ""); };
      parent.classList.add("zoomable");
      (box || what).insertAdjacentElement("afterend", button);
      button.addEventListener("click", open);
      if (!box) {
        what.addEventListener("click", function () { if (!button.hidden) open(); });
        what.addEventListener("load", function () { place(z); });
      }
      made.push(z);
      place(z);
    });
  });
  var later;
  function again() {
    clearTimeout(later);
    later = setTimeout(function () { made.forEach(place); }, 100);
  }
  addEventListener("resize", again);
  addEventListener("load", again);
  document.addEventListener("toggle", again, true); // a fold or a panel has been opened
  document.addEventListener("change", again);       // or a tab
})();
