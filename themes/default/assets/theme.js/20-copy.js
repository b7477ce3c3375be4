(function () {
  "use strict";
  var all = gpudocs.all;

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

  gpudocs.copy = copy;

  var template = document.getElementById("_copy");
  if (template) gpudocs.mount(function (root) {
    all("figure.code:not(.code-expected)", root).forEach(function (figure) {
      if (!figure.querySelector("pre.chroma")) return;
      var button = template.content.firstElementChild.cloneNode(true);
      var label = button.querySelector("span");
      var text = label.textContent, timer;
      button.addEventListener("click", function () {
        // Of a diff what it ends in is copied.
        var code = document.createElement("code");
        // With lines hidden there are several.
        all("pre.chroma", figure).forEach(function (pre) { code.appendChild(pre.cloneNode(true)); });
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
  });
})();
