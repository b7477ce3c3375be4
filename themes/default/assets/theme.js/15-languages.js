(function () {
  "use strict";
  var all = gpudocs.all, save = gpudocs.save;

  // Languages: a choice made here is what the site's root will open next time.
  document.addEventListener("click", function (e) {
    var link = e.target.closest && e.target.closest("a[data-language]");
    if (link) save("language", link.getAttribute("data-language"));
    all(".langs").forEach(function (langs) { if (!langs.contains(e.target)) langs.open = false; });
  });
  gpudocs.mount(function (root) {
    all(".langs", root).forEach(function (langs) {
      langs.addEventListener("keydown", function (e) {
        if (e.key === "Escape" && langs.open) {
          langs.open = false;
          langs.querySelector("summary").focus();
        }
      });
    });
  });
})();
