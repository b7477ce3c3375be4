(function () {
  "use strict";
  var all = gpudocs.all, load = gpudocs.load, save = gpudocs.save;

  // Tabs keep step: a variant or a machine chosen once is chosen everywhere,
  // on the next page too.
  function keepStep(selector, key, chosen) {
    var radios = all(selector + " > input");
    var remembered = [];
    try { remembered = JSON.parse(load(key)) || []; } catch (e) { /* not ours */ }
    if (!Array.isArray(remembered)) remembered = [];
    function choose(value) {
      // A tab can be one of several: "PyTorch, JAX".
      radios.forEach(function (r) { if ((", " + r.value + ", ").indexOf(", " + value + ", ") >= 0) r.checked = true; });
    }
    remembered.slice().reverse().forEach(choose);
    if (chosen) chosen(remembered[0]);
    radios.forEach(function (radio) {
      radio.addEventListener("change", function () {
        var before = radio.nextElementSibling.getBoundingClientRect().top;
        choose(radio.value);
        if (chosen) chosen(radio.value);
        scrollBy({ top: radio.nextElementSibling.getBoundingClientRect().top - before, behavior: "instant" });
        remembered = [radio.value].concat(remembered.filter(function (v) { return v !== radio.value; })).slice(0, 12);
        save(key, JSON.stringify(remembered));
      });
    });
  }
  keepStep(".switch-tabs", "tabs");

  // The closed line of each panel says how the machine fared that the reader
  // has chosen.
  keepStep(".switch-machines", "machines", function (machine) {
    all(".panel-mine").forEach(function (n) { n.remove(); });
    all(".switch-machines > input:checked").forEach(function (radio) {
      if (radio.value !== machine) return;
      var label = radio.nextElementSibling, summary = label.closest(".panel").firstElementChild;
      var mine = document.createElement("span");
      mine.className = "panel-mine " + label.className;
      all("svg, span", label).forEach(function (n) { mine.appendChild(n.cloneNode(true)); });
      summary.insertBefore(mine, summary.lastElementChild);
    });
  });
})();
