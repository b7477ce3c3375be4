(function () {
  "use strict";
  var all = gpudocs.all, save = gpudocs.save;

  // Languages: a choice made here is what the site's root will open next time. A server
  // that opens it by itself knows it by the cookie, whose name is Netlify's.
  all("a[data-language]").forEach(function (link) {
    link.addEventListener("click", function () {
      var code = link.getAttribute("data-language");
      save("language", code);
      document.cookie = "nf_lang=" + code + "; path=/; max-age=31536000; samesite=lax";
    });
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
