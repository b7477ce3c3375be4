(function () {
  "use strict";
  var save = gpudocs.save;

  var html = document.documentElement;

  // The button for colours cycles through system, light and dark.
  var scheme = document.querySelector(".scheme");
  if (scheme) {
    var order = ["system", "light", "dark"];
    var showScheme = function () {
      var now = html.getAttribute("data-theme") || "system";
      var text = scheme.getAttribute("data-" + now);
      scheme.setAttribute("aria-label", text);
      scheme.title = text;
    };
    scheme.addEventListener("click", function () {
      var now = html.getAttribute("data-theme") || "system";
      var next = order[(order.indexOf(now) + 1) % order.length];
      if (next === "system") html.removeAttribute("data-theme");
      else html.setAttribute("data-theme", next);
      save("theme", next === "system" ? null : next);
      showScheme();
    });
    showScheme();
  }
})();
