// Which tab is open if the reader has chosen none of its group: the first whose needs the machine meets. A tab needs what its blocks
// need, and runs on the wheel that its title and its code name, if they name one: "cu126", "torch==2.14.*" of it, or "whl/cpu" for a machine without a GPU.
(function (gpu) {
  "use strict";
  var all = gpudocs.all, answers = { passed: gpu.YES, none: gpu.UNKNOWN, skipped: gpu.NO };

  // fits returns whether a machine meets what a tab needs. It is unknown of a tab that says nothing.
  function fits(radio, own) {
    var pane = radio.nextElementSibling.nextElementSibling, list = within("[data-needs]").map(function (n) { return answers[gpu.answer(n.getAttribute("data-needs"), own).status]; });
    // Outputs are of other machines, and of tabs in a tab one is enough.
    function within(selector) { return all(selector, pane).filter(function (n) { return n.closest(".switch-tabs") === radio.parentNode; }); }
    var text = within(".code:not(.code-expected) pre.chroma").reduce(function (t, n) { return t + "\n" + n.textContent; }, radio.value), tags = text.match(/\bcu[1-9]\d\d\b/g) || [];
    if (tags.length && tags.every(function (t) { return t === tags[0]; })) {
      list.push(gpu.wheel(own, tags[0], /torch/i.test(text), (/\btorch==(\d+\.\d+)/.exec(text) || [])[1]));
    }
    if (/\bwhl\/cpu\b/.test(text)) list.push(own.devices.length ? gpu.NO : gpu.YES);
    return list.length ? Math.min.apply(null, list) : gpu.UNKNOWN;
  }

  // tabs opens them for a machine, or as the author has them if there is none. What the reader has chosen, or a link leads to, stays.
  gpu.tabs = function (own) {
    var chosen = [];
    try { chosen = [].concat(JSON.parse(gpudocs.load("tabs")) || []); } catch (e) { /* not ours */ }
    all(".switch-tabs").forEach(function (box) {
      var radios = all("input", box).filter(function (r) { return r.parentNode === box; }), best = radios.filter(function (r) { return r.defaultChecked; })[0];
      var now = radios.filter(function (r) { return r.checked; })[0];
      if (!best || now !== best && now !== box.opened || box.querySelector(":target")) return;
      if (radios.some(function (r) { return chosen.some(function (c) { return (", " + r.value + ", ").indexOf(", " + c + ", ") >= 0; }); })) return;
      var most = own ? fits(best, own) : gpu.YES;
      radios.forEach(function (r) {
        var is = most < gpu.YES ? fits(r, own) : gpu.NO;
        if (is > most) { most = is; best = r; }
      });
      (box.opened = best).checked = true;
    });
  };
  // tabsForMachine opens the tabs for a machine of the site.
  gpu.tabsForMachine = function (name) { gpu.tabs(gpu.read(gpu.site.machines[name] || "")); };
})(gpudocs.gpu);
