// Runs before the first paint, so that a page never flashes in the wrong colours.
(function () {
  var html = document.documentElement;
  html.setAttribute("data-js", "");
  try {
    var chosen = localStorage.getItem("gpudocs-theme");
    if (chosen === "light" || chosen === "dark") html.setAttribute("data-theme", chosen);
  } catch (e) { /* storage is blocked: the system's colours it is */ }
})();
