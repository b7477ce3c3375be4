(function () {
  "use strict";
  var all = gpudocs.all, save = gpudocs.save;

  // Languages: a choice made here is what the site's root will open next time.
  all("a[data-language]").forEach(function (link) {
    link.addEventListener("click", function () { save("language", link.getAttribute("data-language")); });
  });
  var langs = document.querySelector(".langs");
  if (langs) {
    document.addEventListener("click", function (e) {
      if (!langs.contains(e.target)) langs.open = false;
    });
    langs.addEventListener("keydown", function (e) {
      if (e.key === "Escape" && langs.open) {
        langs.open = false;
        langs.querySelector("summary").focus();
      }
    });
  }
})();
