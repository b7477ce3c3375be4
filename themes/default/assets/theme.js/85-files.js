(function () {
  "use strict";
  // If the site is opened from a folder, no server looks for index.html. build --offline writes it into
  // every link; this is for links that a script makes.
  if (location.protocol !== "file:") return;
  document.addEventListener("click", function (e) {
    var a = e.target.closest && e.target.closest("a[href]");
    if (a && a.protocol === "file:" && /\/$/.test(a.pathname)) a.pathname += "index.html";
  }, true);
})();
