(function () {
  "use strict";
  var all = gpudocs.all, load = gpudocs.load, save = gpudocs.save;

  // Tabs are synchronised: a variant chosen once is chosen everywhere, also on the next page.
  // The machines of a panel do not: see 32-machine.js.
  function keepStep(selector, key) {
    var remembered = [];
    try { remembered = JSON.parse(load(key)) || []; } catch (e) { /* not ours */ }
    if (!Array.isArray(remembered)) remembered = [];
    function choose(value) {
      // A tab can be one of several: "PyTorch, JAX".
      all(selector + " > input").forEach(function (r) { if ((", " + r.value + ", ").indexOf(", " + value + ", ") >= 0) r.checked = true; });
    }
    gpudocs.mount(function (root) {
      remembered.slice().reverse().forEach(choose);
      all(selector + " > input", root).forEach(function (radio) {
        radio.addEventListener("change", function () {
          var before = radio.nextElementSibling.getBoundingClientRect().top;
          choose(radio.value);
          scrollBy({ top: radio.nextElementSibling.getBoundingClientRect().top - before, behavior: "instant" });
          remembered = [radio.value].concat(remembered.filter(function (v) { return v !== radio.value; })).slice(0, 12);
          save(key, JSON.stringify(remembered));
        });
      });
    });
  }
  keepStep(".switch-tabs", "tabs");
})();
