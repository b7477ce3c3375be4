(function () {
  "use strict";
  var all = gpudocs.all;

  // Copies code. From a transcript only what was typed is copied: no prompts, no outputs. A prompt
  // may begin with an environment, user and host, and the name of the shell.
  var who = /^(?:\([\w .-]+\) ?)?(?:\[[^\]]*@[^\]]*\]|[\w.-]+@[^$#%>]*?|(?:ba|z)?sh[\d.-]*)? ?/.source;
  var prompts = [
    { first: /^(?:>>>|In \[\d+\]:)(?: (.*))?$/, next: /^(?:\.\.\.| +\.\.\.:)(?: (.*))?$/ },
    { first: new RegExp(who + "\\$ (.*)$"), next: /^> ?(.*)$/, shell: true },
    { first: /^(?:PS )?[A-Z]:\\[^>]*> ?(.*)$/i, next: /^>> ?(.*)$/ },
    // These two also begin comments: they are prompts only if the transcript has no other.
    { first: new RegExp(who + "% (.*)$"), next: /^> ?(.*)$/, shell: true, sure: true },
    { first: new RegExp(who + "# (.*)$"), next: /^> ?(.*)$/, shell: true, sure: true }
  ];
  var transcript = /^(console|shell-?session|(ba)?sh-session|terminal|pycon|python-console|python-repl|pyrepl|doctest|ipython|doscon)$/i;
  var maybe = /^(bash|sh|shell|zsh|fish|text|powershell|pwsh|ps1|bat|batch|cmd|)$/i;
  var unfinished = /(\\|[|&({]|\b(do|then)|<<.*)$/; // a command that continues on the next line

  function typed(text, language) {
    var lines = text.replace(/\n$/, "").split("\n"), sure = transcript.test(language);
    var prompt = prompts.filter(function (p, i) {
      if (sure) return lines.some(function (line) { return p.first.test(line); });
      return !p.sure && (!i || maybe.test(language)) && p.first.test(lines[0]);
    })[0];
    if (!prompt) return lines.join("\n");
    var out = [], open = false;
    lines.forEach(function (line) {
      var first = prompt.first.exec(line), next = !first && open && prompt.next.exec(line), m = first || next;
      if (m) {
        out.push(m[1] || "");
        open = !prompt.shell || !!next || unfinished.test(m[1]);
      } else if (open && prompt.shell && /\\$/.test(out[out.length - 1])) out.push(line);
      else open = false;
    });
    return out.join("\n");
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

  // From a diff the new version is copied. There are several parts if lines are hidden.
  function codeOf(figure) {
    var code = document.createElement("code");
    all("pre.chroma", figure).forEach(function (pre) { code.appendChild(pre.cloneNode(true)); });
    all(".ln, .lnt, .sign, .del, .note-mark", code).forEach(function (n) { n.remove(); });
    return typed(code.textContent, figure.getAttribute("data-language") || "");
  }

  gpudocs.copy = copy;
  gpudocs.code = function () { // of all blocks that run
    return all("article figure.code-run").map(codeOf).join("\n\n") + "\n";
  };

  var template = document.querySelector("template#_copy");
  if (template) gpudocs.mount(function (root) {
    all("figure.code:not(.code-expected)", root).forEach(function (figure) {
      var caption = figure.querySelector("figcaption");
      if (!caption || !figure.querySelector("pre.chroma")) return;
      var button = template.content.firstElementChild.cloneNode(true);
      var label = button.querySelector("span");
      var text = label.textContent, timer;
      button.addEventListener("click", function () {
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
        copy(codeOf(figure)).then(say("done"), say("failed"));
      });
      caption.insertAdjacentElement("afterend", button);
    });
  });
})();
