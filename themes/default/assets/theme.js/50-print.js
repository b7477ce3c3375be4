(function () {
  "use strict";
  var all = gpudocs.all;

  // A printed page cannot be unfolded.
  var shut = [];
  addEventListener("beforeprint", function () {
    shut = all("article :is(details.callout, .code-promise):not([open]), article details:not([class], [open])");
    shut.forEach(function (d) { d.open = true; });
  });
  addEventListener("afterprint", function () {
    shut.forEach(function (d) { d.open = false; });
  });
})();
