(function () {
  "use strict";
  var all = gpudocs.all;

  // How long ago a machine reported, which is not known when pages are built.
  var units = [["year", 31557600], ["month", 2629800], ["day", 86400], ["hour", 3600], ["minute", 60]];
  function age(n) {
    var seconds = (Date.parse(n.getAttribute("data-since")) - Date.now()) / 1000;
    if (!(seconds < 0) || !window.Intl || !Intl.RelativeTimeFormat) return;
    var unit = units.filter(function (u) { return -seconds >= u[1]; })[0] || units[units.length - 1];
    var ago = Math.ceil(seconds / unit[1]);
    n.textContent = new Intl.RelativeTimeFormat(document.documentElement.lang, ago ? {} : {numeric: "auto"}).format(ago, ago ? unit[0] : "second"); // 0: now
  }

  // Filters the table of machines and checks by machine, result and page. The filter is in the
  // address, and applies to the other parts of the table too.
  function filter(form) {
    var table = form.parentNode.querySelector(".matrix"), found = form.querySelector("[role=status]");
    var on = form.elements.on, outcome = form.elements.outcome, page = form.elements.page;
    var names = [on, outcome, page];

    function apply() {
      var column = on.selectedIndex, shown = 0, rows = 0; // the first column is the check's
      all("thead th", table).forEach(function (th, i) { th.hidden = i > 0 && column > 0 && i !== column; });
      all("tbody", table).forEach(function (body) {
        var any = false;
        all("tr:not(.matrix-page)", body).forEach(function (tr) {
          var cells = tr.cells, fits = !outcome.value;
          for (var i = 1; i < cells.length; i++) {
            cells[i].hidden = column > 0 && i !== column;
            if (!cells[i].hidden && cells[i].className === "is-" + outcome.value) fits = true;
          }
          fits = fits && (!page.value || body.getAttribute("data-page") === page.value);
          tr.hidden = !fits;
          any = any || fits;
          rows++;
          if (fits) shown++;
        });
        body.hidden = !any;
      });
      var chosen = names.some(function (s) { return s.value; });
      found.textContent = chosen ? found.getAttribute("data-found").replace("{n}", shown).replace("{of}", rows) : "";
      fit();
    }

    // fit marks a table that is no wider than the page.
    function fit() {
      var box = table.parentNode;
      box.classList.remove("matrix-fits");
      box.classList.toggle("matrix-fits", box.scrollWidth <= box.clientWidth);
    }
    addEventListener("resize", fit);

    function keep() {
      var query = new URLSearchParams(location.search);
      names.forEach(function (s) {
        query.delete(s.name);
        if (s.value) query.set(s.name, s.value);
      });
      var text = query.toString();
      try { history.replaceState(history.state, "", location.pathname + (text ? "?" + text : "") + location.hash); } catch (e) { /* a file: it is not kept */ }
      carry();
    }
    function carry() {
      var query = new URLSearchParams(location.search);
      query.delete("page");
      all(".status-nav a").forEach(function (a) { a.search = query.toString(); });
    }

    var query = new URLSearchParams(location.search);
    names.forEach(function (s) {
      var value = query.get(s.name);
      if (value && all("option", s).some(function (o) { return o.value === value; })) s.value = value;
      s.addEventListener("change", function () { apply(); keep(); });
    });
    form.addEventListener("submit", function (e) { e.preventDefault(); });
    apply();
    carry();
  }

  gpudocs.mount(function (root) {
    all(".age[data-since]", root).forEach(age);
    all("form.matrix-filter", root).forEach(filter);
  });
})();
