(function () {
  "use strict";
  var all = gpudocs.all, save = gpudocs.save;
  var menus = "details.menu";

  // Languages: the language chosen here is what the site's root opens next time. Servers that
  // redirect know it from the cookie, whose name is Netlify's.
  document.addEventListener("click", function (e) {
    var link = e.target.closest && e.target.closest("a[data-language]"), code = link && link.getAttribute("data-language");
    if (link) {
      aim();
      save("language", code);
      document.cookie = "nf_lang=" + code + "; path=/; max-age=31536000; samesite=lax";
    }
    all(menus).forEach(function (menu) { if (!menu.contains(e.target)) menu.open = false; });
  });
  gpudocs.mount(function (root) {
    all(menus, root).forEach(function (menu) {
      menu.addEventListener("keydown", function (e) {
        if (e.key !== "Escape" || !menu.open) return;
        menu.open = false;
        menu.querySelector("summary").focus();
      });
      menu.addEventListener("toggle", function () {
        aim();
        if (menu.open && menu.parentElement.matches(".page-menu")) menu.querySelector("ul").scrollIntoView({ block: "nearest" });
      });
    });
  });

  // Another language opens at the section that is being read. Its headings have other ids there, in the
  // order of this page's contents list, unless they are the same, as that of the measures at its end.
  function aim() {
    all(".bar a[data-language]").forEach(function (link) {
      var ids = link.getAttribute("data-sections"), here = gpudocs.section();
      if (here) link.hash = encodeURIComponent(ids && ids.split(" ")[here.index] || here.id);
      else link.hash = "";
    });
  }
})();
