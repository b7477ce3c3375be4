(function () {
  "use strict";
  // The reader's own GPU, as the machine "~". What answers for it is loaded only if a reader has one, or asks. The storage has
  // it as in an address, and its name on a second line.
  var picker = document.querySelector(".picker[data-own]"), others = gpudocs.results, loading;
  if (!picker) return;
  var pick = picker.querySelector(".pick");
  function stored() { return (gpudocs.load("gpu") || "").split("\n"); }
  function asked() { return /[?&]gpu=[^&]/.test(location.search) ? location.search.slice(1) : ""; }

  function bring(attribute) {
    return new Promise(function (done, failed) {
      var script = document.createElement("script");
      script.src = picker.getAttribute(attribute);
      script.onload = done;
      script.onerror = failed;
      document.head.appendChild(script);
    });
  }
  function engine() {
    loading = loading || bring("data-script").then(function () { return bring("data-own"); }).then(function () { return gpudocs.gpu; });
    loading.catch(function () { loading = null; }); // try again
    return loading;
  }
  // option is the reader's GPU in the list.
  function option(title) {
    var o = pick.querySelector('[value="~"]') || document.createElement("option");
    o.value = "~";
    o.textContent = title;
    pick.insertBefore(o, pick.querySelector('[value="~?"]'));
    if (document.documentElement.getAttribute("data-machine") === "~") o.selected = true;
  }
  var last = asked(), name = stored()[1] || "";
  gpudocs.own = {
    query: function () { return last || stored()[0]; },
    title: function () { return name; },
    // set chooses a GPU, and forget removes it.
    set: function (query, title) {
      gpudocs.save("gpu", query + "\n" + title);
      last = query;
      option(name = title);
    },
    forget: function () {
      gpudocs.save("gpu", null);
      last = "";
      var o = pick.querySelector('[value="~"]');
      if (o) o.remove();
      gpudocs.choose("");
    },
    // suggest returns what search shows for the name of a card. A text that cannot be one loads nothing.
    suggest: function (text) {
      if (!/(^|[\s-])([a-z]{1,2}|[rg]tx) ?\d|\b\d{4}\b|titan|jetson/i.test(text)) return Promise.resolve([]);
      return engine().then(function (gpu) { return gpu.suggest(text); }).catch(function () { return []; });
    },
    ask: function (field) { engine().then(function (gpu) { gpu.ask(field); }); }
  };
  // namesNeeds reports whether tabs say what they need: see my-gpu.js/65-tabs.js.
  function namesNeeds(box) { return /\bcu\d{3}\b/.test(box.textContent) || box.querySelector("[data-needs]"); }
  gpudocs.results = function (name) {
    if (name !== "~" && gpudocs.all(".switch-tabs").some(namesNeeds)) engine().then(function (gpu) {
      if (document.documentElement.getAttribute("data-machine") === name) gpu.tabsForMachine(name);
    }, function () {});
    return name === "~" ? engine().then(function (gpu) { gpu.show(last, stored()[0]); }) : others(name);
  };
  if (name || last) option(name || "…");
  // Another tab of the browser has changed it. A title alone differs between languages.
  addEventListener("storage", function (e) {
    var now = (e.newValue || "").split("\n");
    if (e.key !== "gpudocs-gpu" || now[0] && now[0] === last) return;
    last = now[0];
    if (last) option(name = now[1] || "…");
    else if (pick.querySelector('[value="~"]')) pick.querySelector('[value="~"]').remove();
    if (last && document.documentElement.getAttribute("data-machine") === "~") gpudocs.choose("~");
  });

  gpudocs.mount(function (root) {
    gpudocs.all("form[data-gpu-field]", root).forEach(function (form) {
      form.hidden = false;
      form.addEventListener("submit", function (e) {
        e.preventDefault();
        engine().then(function (gpu) { gpu.submit(form); });
      });
      form.addEventListener("focusin", engine, { once: true });
      form.querySelector("[data-paste]").addEventListener("click", function () { gpudocs.own.ask("paste"); });
    });
  });
})();
