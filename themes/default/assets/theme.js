// What a page can do beyond reading: the colour switch, copy buttons, tabs that
// keep step, a contents list that follows. Every page reads well without it.
(function () {
  "use strict";
  var html = document.documentElement;

  function all(selector, within) {
    return Array.prototype.slice.call((within || document).querySelectorAll(selector));
  }
  function load(key) {
    try { return localStorage.getItem("gpudocs-" + key); } catch (e) { return null; }
  }
  function save(key, value) {
    try {
      if (value === null) localStorage.removeItem("gpudocs-" + key);
      else localStorage.setItem("gpudocs-" + key, value);
    } catch (e) { /* storage is blocked: nothing is remembered */ }
  }

  // Colours: system, light, dark, and round again.
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

  // Languages: a choice made here is what the site's root will open next time.
  all("a[data-language]").forEach(function (link) {
    link.addEventListener("click", function () { save("language", link.getAttribute("data-language")); });
  });
  var langs = document.querySelector(".langs");
  if (langs) {
    document.addEventListener("click", function (e) {
      if (!langs.contains(e.target)) langs.open = false;
    });
    langs.addEventListener("keydown", function (e) {
      if (e.key === "Escape" && langs.open) {
        langs.open = false;
        langs.querySelector("summary").focus();
      }
    });
  }

  // Copying. Of a transcript only what was typed is copied: no prompts, no outputs.
  var python = /^(pycon|python-console|python-repl|pyrepl|doctest)$/i;
  var shell = /^(console|shell-session|sh-session|bash-session|shellsession|terminal)$/i;
  var maybeShell = /^(bash|sh|shell|zsh|text|)$/i;

  function typed(text, language) {
    var lines = text.replace(/\n$/, "").split("\n");
    var isPython = python.test(language) || /^>>> /.test(text);
    var isShell = shell.test(language) || (maybeShell.test(language) && /^\$ /.test(text));
    if (!isPython && !isShell) return lines.join("\n");
    var out = [], goesOn = false;
    lines.forEach(function (line) {
      var m;
      if (isPython) {
        m = /^(?:>>>|\.\.\.)(?: (.*))?$/.exec(line);
        if (m) out.push(m[1] || "");
      } else if ((m = /^\$ (.*)$/.exec(line))) {
        out.push(m[1]);
        goesOn = /\\$/.test(m[1]);
      } else if (goesOn) {
        line = line.replace(/^> /, "");
        out.push(line);
        goesOn = /\\$/.test(line);
      }
    });
    return out.length ? out.join("\n") : lines.join("\n");
  }

  function copy(text) {
    if (navigator.clipboard && window.isSecureContext) return navigator.clipboard.writeText(text);
    return new Promise(function (resolve, reject) { // a plain http:// address in the lab
      var area = document.createElement("textarea");
      area.value = text;
      area.className = "hidden";
      document.body.appendChild(area);
      area.select();
      var ok = false;
      try { ok = document.execCommand("copy"); } catch (e) { /* reported below */ }
      area.remove();
      if (ok) resolve(); else reject(new Error("copy"));
    });
  }

  var template = document.getElementById("_copy");
  if (template) {
    all("figure.code:not(.code-expected)").forEach(function (figure) {
      var pres = all("pre.chroma", figure); // with lines hidden there are several
      if (!pres.length) return;
      var button = template.content.firstElementChild.cloneNode(true);
      var label = button.querySelector("span");
      var text = label.textContent, timer;
      button.addEventListener("click", function () {
        // Of a diff what it ends in is copied.
        var code = document.createElement("code");
        pres.forEach(function (pre) { code.appendChild(pre.cloneNode(true)); });
        all(".ln, .lnt, .sign, .del, .note-mark", code).forEach(function (n) { n.remove(); });
        var say = function (name) {
          return function () {
            button.classList.toggle("copy-done", name === "done");
            label.textContent = button.getAttribute("data-" + name);
            clearTimeout(timer);
            timer = setTimeout(function () {
              button.classList.remove("copy-done");
              label.textContent = text;
            }, 2000);
          };
        };
        copy(typed(code.textContent, figure.getAttribute("data-language") || "")).then(say("done"), say("failed"));
      });
      figure.insertBefore(button, figure.querySelector("figcaption").nextSibling);
    });
  }

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

  // An address that points into a tab or a closed panel opens it.
  function reveal() {
    var id = location.hash.slice(1), target;
    try { target = id && document.getElementById(decodeURIComponent(id)); } catch (e) { return; }
    if (!target) return;
    for (var n = target; n && n !== document.body; n = n.parentElement) {
      if (n.tagName === "DETAILS") n.open = true;
      if (n.classList.contains("pane")) {
        var radio = n.previousElementSibling && n.previousElementSibling.previousElementSibling;
        if (radio && radio.type === "radio") radio.checked = true;
      }
    }
    target.scrollIntoView();
  }
  addEventListener("hashchange", reveal);
  document.addEventListener("click", function (e) { // the same address once more
    var a = e.target.closest && e.target.closest("a[href^='#']");
    if (a && a.getAttribute("href") === location.hash) setTimeout(reveal);
  });
  reveal();

  // On paper nothing can be unfolded.
  var shut = [];
  addEventListener("beforeprint", function () {
    shut = all("article details.callout:not([open]), article details:not([class], [open])");
    shut.forEach(function (d) { d.open = true; });
  });
  addEventListener("afterprint", function () {
    shut.forEach(function (d) { d.open = false; });
  });

  // The contents list marks the section that is being read, and closes on
  // narrow screens once it has been used.
  var links = all(".toc a");
  var fold = document.querySelector(".fold-toc");
  links.forEach(function (a) {
    a.addEventListener("click", function () { if (fold) fold.open = false; });
  });
  var heads = links.map(function (a) {
    return document.getElementById(decodeURIComponent(a.getAttribute("href").slice(1)));
  });
  // What a tab or a fold hides has no place of its own.
  function seen(n) { return n.checkVisibility ? n.checkVisibility() : n.getClientRects().length > 0; }
  if (heads.length) {
    var waiting = false;
    var mark = function () {
      waiting = false;
      var now = -1;
      heads.forEach(function (h, i) {
        if (h && seen(h) && h.getBoundingClientRect().top < innerHeight * 0.25) now = i;
      });
      links.forEach(function (a, i) {
        if (i === now) a.setAttribute("aria-current", "location");
        else a.removeAttribute("aria-current");
      });
    };
    addEventListener("scroll", function () {
      if (!waiting) { waiting = true; requestAnimationFrame(mark); }
    }, { passive: true });
    mark();
  }

  // The sidebar starts where this page stands in it.
  var here = document.querySelector(".side [aria-current=page]");
  var side = here && here.closest(".side");
  if (side && here.offsetTop > side.clientHeight * 0.8) side.scrollTop = here.offsetTop - side.clientHeight / 2;
})();
