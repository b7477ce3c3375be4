(function () {
  "use strict";
  var all = gpudocs.all, save = gpudocs.save;

  // Languages: the language chosen here is what the site's root opens next time. Servers that
  // redirect know it from the cookie, whose name is Netlify's.
  document.addEventListener("click", function (e) {
    var link = e.target.closest && e.target.closest("a[data-language]"), code = link && link.getAttribute("data-language");
    if (link) {
      save("language", code);
      document.cookie = "nf_lang=" + code + "; path=/; max-age=31536000; samesite=lax";
    }
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
