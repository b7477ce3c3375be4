// What a page says of the reader's machine: below its title, at blocks with requirements, and in the field of :::my-gpu.
(function (gpu) {
  "use strict";
  var all = gpudocs.all, fill = gpu.fill, parts, current = null;
  function texts() { return gpu.site.texts; }
  function plural(key, n, values) {
    var forms = texts()[key], rule = new Intl.PluralRules(document.documentElement.lang).select(n);
    return fill(forms[rule] || forms.other, Object.assign({ n: n }, values));
  }
  // part returns a copy of a part of the template my-gpu-form.
  gpu.part = function (name) {
    if (!parts) {
      parts = document.createElement("template");
      parts.innerHTML = gpu.site.form;
    }
    return parts.content.querySelector('[data-part="' + name + '"]').cloneNode(true);
  };
  function icon(status) { return gpu.part("icons").querySelector('[href$="_i-' + status + '"]').closest("svg"); }
  function element(tag, className, children) {
    var e = document.createElement(tag);
    e.className = className;
    [].concat(children).forEach(function (c) { e.append(c); });
    return e;
  }

  // ---- in words

  var words = {
    say: function (c) { return c.words[0]; },
    join: function (l, r, or) { return fill(gpu.site.words[or ? "or" : "and"], { a: l, b: r }); },
    without: function (what) { return fill(gpu.site.words.without, { what: what }); }
  };
  // needed returns what decided in words, and whether that is what a machine must not have.
  function needed(j) { return j.c ? j.not ? j.c.not : j.c.words : ["", false]; }

  // found returns what the machine has. Of memory that is what nvidia-smi prints, or what is sold.
  function found(j, own) {
    if (!own.devices.length) return "";
    if (/^(driver|runs)$/.test(j.c.fact)) return own.driver || j.found;
    if (j.c.fact !== "memory") return j.found;
    var least = own.devices.reduce(function (a, b) { return b.memory[0] < a.memory[0] ? b : a; });
    return least.memory[0] === least.memory[1] ? least.memory[0] + " MiB" : (least.card ? least.card.gib : least.sizes) + " GB";
  }

  // reason says why a requirement is not met.
  function reason(j, own) {
    var what = needed(j), last = /^(driver|cuda)$/.test(j.c.fact) && gpu.unmetByLastBranch(j, own), has = found(j, own);
    if (j.why) return j.why;
    if (last) return fill(texts().never, { what: what[0], driver: last });
    return fill(texts()[what[1] ? "why_without" : has ? "why_found" : "why"], { what: what[0], found: has });
  }

  // answer returns what a requirement means for the machine: its status, and why. If it only lacks what readers install themselves,
  // such as PyTorch, it is met with that.
  function answer(needs, own) {
    if (needs && gpu.site.trees[needs] === undefined) return { status: "none", why: needs }; // the page is newer than this file
    var j = gpu.meets(needs, own), facts = gpu.facts(own), sure = true;
    if (j.answer === gpu.YES) return { status: "passed", why: "" };
    if (j.answer === gpu.NO) return { status: "skipped", why: reason(j, own) };
    if (j.toolkit) return { status: "none", why: j.why ? fill(texts().toolkit, { version: j.c.value.replace(/^cu(\d\d)/, "$1."), why: j.why }) : texts().toolkit_unknown };
    if (j.varies) return { status: "none", why: fill(texts().varies, { what: needed(j)[0], found: found(j, own) }) };
    if (/\bruns torch\b/.test(needs)) { // with the build of PyTorch that runs
      var k = gpu.judge(needs, withTorch(own));
      if (k.answer === gpu.NO) return { status: "skipped", why: k.c.fact === "torch" ? fill(texts().why_found, { what: needed(k)[0], found: "PyTorch " + gpu.install(own).build.version }) : texts().install_none };
    }
    var list = [], simple = true, wish = gpu.wish(needs, facts, {
      say: function (c) {
        if (!own.devices.length && /^(driver|cuda|memory|compute|gpu)$/.test(c.fact)) return null;
        sure = sure && c.own;
        list.push(c);
        return words.say(c);
      },
      join: function (l, r, or) { simple = simple && !or; return words.join(l, r, or); },
      without: function (what) { simple = false; return words.without(what); }
    });
    if (wish === null) return { status: "skipped", why: fill(texts().why, { what: gpu.wish(needs, facts, words) }) };
    return { status: sure ? "passed" : "none", why: fill(texts()["if"], { what: wish }), wishes: !sure ? null : simple ? list : [{ words: [wish] }] };
  }
  gpu.answer = answer;
  // withTorch returns the facts of the machine with the build of PyTorch that runs on it.
  function withTorch(own) {
    var facts = gpu.facts(own), build = gpu.install(own).build, judge = facts.runs, version = build && gpu.parts(build.version).concat(99);
    if (build) facts.torch = { least: version, most: version };
    facts.runs = function (name) { return name === "torch" ? { answer: build ? build.runs : gpu.NO, why: "" } : judge(name); };
    return facts;
  }
  // wished adds what a block needs to a list, of which each program is there once, with the newest version.
  function wished(list, c) {
    var versions = c.fact && c.fact !== "runs", same = list.filter(function (o) {
      return versions ? o.fact === c.fact && (!o.op || !c.op || o.op === ">=" && c.op === ">=") : words.say(o) === words.say(c);
    })[0];
    if (!same) list.push(c);
    else if (versions && c.op && (!same.op || gpu.compare(c.value, same.value) > 0)) list[list.indexOf(same)] = c;
  }

  // count returns the numbers of blocks by their status, the reasons with the blocks that they are for, and what blocks need besides.
  function count(total, needs, own) {
    var c = { total: total, passed: total - needs.length, skipped: 0, none: 0, reasons: [], wishes: [] };
    needs.forEach(function (n) {
      var a = answer(n.needs, own), known = c.reasons.filter(function (r) { return r.why === a.why; })[0];
      c[a.status]++;
      if (a.wishes) a.wishes.forEach(function (w) { wished(c.wishes, w); });
      else if (known) known.blocks.push(n);
      else if (a.why) c.reasons.push({ status: a.status, why: a.why, blocks: [n] });
    });
    c.reasons.sort(function (a, b) { return (a.status === "none") - (b.status === "none"); });
    return c;
  }
  function sum(c, own) {
    var said = [c.passed === c.total ? plural("all", c.total) : plural("some", c.passed, { total: c.total })];
    if (c.none) said.push(plural("maybe", c.none));
    if (c.skipped) said.push(plural("not", c.skipped));
    if (c.wishes.length && own) said.push(fill(texts()[own.devices.length ? "with" : "with_none"], { what: c.wishes.slice(0, 6).map(words.say).join(", ") + (c.wishes.length > 6 ? "…" : "") }));
    return said.join(" ");
  }
  function status(c) { return c.skipped ? "skipped" : c.none ? "none" : "passed"; }

  function name(own) { return gpu.title(own) || texts().no_gpu; }
  // title names the machine with its driver: "RTX 3060 (12 GB), driver 535", or with those that there may be.
  function title(own) {
    var branch = gpu.branchOf(own), driver = own.driver ? "driver " + own.driver : own.cuda && "CUDA " + own.cuda;
    if (!driver && branch) driver = fill(texts()[branch.last ? "at_most" : "at_least"], { driver: branch.name });
    return name(own) + (driver && ", " + driver);
  }

  // install says which build of PyTorch to install.
  function install(box, own) {
    var i = gpu.install(own), t = texts(), said = [];
    function show(command) {
      command.split(/( )/).forEach(function (part) { // a line breaks between them
        box.querySelector("code").append(part === " " ? part : element("span", "", part));
      });
      box.querySelector(".mine-command").hidden = false;
    }
    if (i.build) {
      show(i.build.command);
      said.push(fill(t.install, { version: i.build.version, cuda: i.build.toolkit }));
      if (i.build.driver) said.push(fill(t.install_driver, { driver: i.build.driver }));
      if (own.os === "windows") said.push(t.install_windows);
      if (i.last) said.push(t.install_last);
    } else if (!own.devices.length) {
      show("pip install torch --index-url https://download.pytorch.org/whl/cpu");
      said.push(t.install_cpu);
    } else said.push(t.install_none);
    if (i.why) said.push(t["install_" + i.why]);
    if (i.later) said.push(fill(t.install_later, { driver: i.later.driver, version: i.later.version, cuda: i.later.toolkit }));
    box.querySelector("p").textContent = said.join(" ");
  }

  // machinesWith returns the machines of the site that have a card. If sizes is set, it may have another size of memory.
  gpu.machinesWith = function (card, sizes) {
    return Object.keys(gpu.site.machines).filter(function (name) {
      var own = gpu.read(gpu.site.machines[name]);
      return own && own.devices.some(function (d) {
        var of = gpu.named(d.name.replace(/-/g, " "), d.memory && d.memory[1]);
        return of && (of === card || sizes && of.name === card.name);
      });
    });
  };
  // measured adds to an answer what the page did on machines of the site with the reader's card. If it failed there, meeting the
  // requirements is not enough.
  function measured(box, own) {
    var card = own.devices.length && own.devices[0].card, page = document.querySelector(".mine[data-gpu]"); // other code says nothing of the card
    if (card && page) gpu.machinesWith(card).slice(0, 4).forEach(function (name) {
      gpudocs.results(name).then(function () {
        var of = all(".mine-of[data-for]").filter(function (n) { return n.getAttribute("data-for") === name && /is-(passed|failed|error|stale)/.test(n.className); })[0];
        if (!of) return;
        var a = element("a", "", fill(texts().same_card, { what: of.querySelector(".mine-text").textContent }));
        a.href = "?machine=" + encodeURIComponent(name);
        if (/is-(failed|error)/.test(of.className)) box.classList.replace("is-passed", "is-none");
        box.querySelector("ul").append(element("li", "is-" + /is-(\w+)/.exec(of.className)[1], [of.querySelector("svg").cloneNode(true), element("span", "", a)]));
      });
    });
  }

  // box returns an answer with its buttons, and with what to install if torch is true.
  function box(own, text, reasons, torch) {
    var b = gpu.part("answer");
    b.removeAttribute("data-part");
    b.querySelector(".mine-name").append(element("strong", "", title(own)), own.devices.length ? " · " + texts().yours : "");
    b.querySelector(".mine-text").textContent = text;
    var off = gpu.driverProblem(own);
    if (off) b.querySelector(".mine-name").after(element("p", "mine-off is-skipped", [icon("skipped"), element("span", "", fill(texts()["driver_" + off.is], { driver: off.driver, have: own.driver }))]));
    if (own.odd) {
      b.querySelector(".mine-name").after(element("p", "mine-off is-none", [icon("none"), gpu.aboutDriver(own.odd, own.os, function (driver) {
        gpu.choose(gpu.own(own.devices, driver, own.cuda, own.os));
      })]));
    }
    reasons.forEach(function (r) {
      b.querySelector("ul").append(element("li", "is-" + r.status, [icon(r.status), element("span", "", r.text)]));
    });
    if (torch) install(b.querySelector(".mine-install"), own);
    else b.querySelector(".mine-install").remove();
    function copies(button, text) {
      var label = button.textContent;
      button.addEventListener("click", function () {
        gpudocs.copy(text()).then(function () { button.textContent = button.getAttribute("data-done"); }, function () {});
        setTimeout(function () { button.textContent = label; }, 2000);
      });
    }
    if (torch) copies(b.querySelector("[data-copy]"), function () { return b.querySelector("code").textContent; });
    copies(b.querySelector("[data-link]"), function () { return gpudocs.address(location.href, "~"); });
    b.querySelector("[data-change]").addEventListener("click", function () { gpudocs.own.ask(); });
    b.querySelector("[data-forget]").addEventListener("click", function () {
      gpudocs.own.forget();
      document.querySelector(".pick").focus();
    });
    return b;
  }

  // section is the heading of the part of the page that a block is in, or "".
  function section(id) {
    var block = document.getElementById(id), title = "";
    all("article :is(h2, h3)").forEach(function (h) { if (h.compareDocumentPosition(block) & 4) title = h.textContent.trim(); }); // 4: the block follows
    return title;
  }
  function links(blocks) {
    var span = element("span", "", []);
    span.append(blocks.length > 4 ? " (" : ": ");
    blocks.slice(0, 4).forEach(function (n, i) {
      var a = element("a", "", [section(n.id), n.id.replace(/^code-/, "").replace(/^block-/, "#")].filter(Boolean).join(" · "));
      a.href = "#" + n.id;
      span.append(i ? ", " : "", a);
    });
    if (blocks.length > 4) span.append(", … " + blocks.length + ")");
    return span;
  }
  function why(c) {
    return c.reasons.map(function (r) {
      return { status: r.status, text: element("span", "", [r.why.charAt(0).toUpperCase() + r.why.slice(1), links(r.blocks)]) };
    });
  }

  function mark(place, state, text) {
    var m = gpu.part("mark");
    m.removeAttribute("data-part");
    m.classList.add("is-" + state);
    m.setAttribute("data-for", "~");
    m.prepend(icon(state));
    m.lastElementChild.append(text);
    place.append(m);
  }
  function note(place, text, fits) {
    var n = element("span", "meant" + (fits ? "" : " meant-not"), text);
    n.setAttribute("data-for", "~");
    place.append(n);
  }
  function place(figure) { return figure.querySelector(".code-mine"); }

  // expected marks the expected output of a block that is for the machine, as verify chooses it: of those for a stream the one whose
  // when= is met, or else the one without. If several may be met, it depends on what the reader has installed, so none of these is marked.
  function expected(block, own) {
    var list = [];
    for (var n = block.nextElementSibling; n && n.matches("figure.code-expected[data-when]"); n = n.nextElementSibling) list.push(n);
    ["", "[data-stderr]"].forEach(function (stream) {
      var of = list.filter(function (n) { return n.hasAttribute("data-stderr") === !!stream; });
      var found = of.map(function (n) { return n.getAttribute("data-when") ? answer(n.getAttribute("data-when"), own) : { status: "" }; });
      var several = found.filter(function (a) { return a.status === "passed"; }).length > 1;
      var answers = found.map(function (a) { return several && a.status === "passed" && a.why ? "none" : a.status; });
      of.forEach(function (n, i) {
        var fits = answers[i] ? answers[i] === "passed" : answers.indexOf("passed") < 0 && answers.indexOf("none") < 0;
        if (answers[i] !== "none" && (answers[i] || answers.indexOf("none") < 0) && place(n)) note(place(n), texts()[fits ? "meant" : "meant_not"], fits);
      });
    });
  }

  // show fills the page for a machine in the form of an address, or for the one that is kept if that is faulty.
  gpu.show = function (query, kept) {
    var own = gpu.read(query) || gpu.read(kept), top = document.querySelector(".mine"), focused = document.activeElement.matches(".mine-own [data-change]");
    all('[data-for="~"]').forEach(function (n) { n.remove(); });
    if (!own) return gpudocs.own.forget();
    current = own;
    gpudocs.own.set(gpu.write(own), name(own) + (own.devices.length ? " (" + texts().yours + ")" : ""));
    var needs = [], blocks = 0;
    all("figure.code-run").forEach(function (figure) {
      var at = place(figure), asks = figure.getAttribute("data-asks"), need = figure.getAttribute("data-needs");
      expected(figure, own);
      if (asks !== null && at) asks.split("\n").forEach(function (line) {
        var a = answer(line, own), text = a.status === "skipped" ? fill(texts().runs_not, { why: a.why }) : a.why || texts().yes;
        mark(at, a.wishes ? "none" : a.status, line + ": " + text);
      });
      if (need === null && figure.getAttribute("data-language") === "gpu") return; // it only asks
      blocks++;
      if (need === null) return;
      needs.push({ id: figure.id, needs: need });
      var a = answer(need, own);
      if (at && asks === null) mark(at, a.status, a.status === "skipped" ? fill(texts().runs_not, { why: a.why }) : a.why || texts().runs);
    });
    var fields = all("form[data-gpu-field]"); // which answer for all pages
    if (top && blocks && !fields.length) {
      var c = count(blocks, needs, own), b = box(own, sum(c, own), why(c), top.hasAttribute("data-torch"));
      b.setAttribute("data-for", "~");
      b.classList.add("is-" + (own.odd && !c.skipped ? "none" : status(c)));
      top.prepend(b);
      measured(b, own);
    }
    fields.forEach(function (form) { site(form, own); });
    gpu.tabs(own);
    var shown = document.querySelector(".mine-own");
    if (gpu.reveal && shown) shown.scrollIntoView({ block: "nearest", behavior: "instant" }); // on a phone it is below the window
    gpu.reveal = false;
    if (focused) document.querySelector(".mine-own [data-change]").focus(); // it is a new one
  };
  gpu.current = function () { return current; };

  // lessonNumbers returns ": 1, 2, 5 and 3 more" for count pages, those in the list and others, of which some are lessons, or "".
  function lessonNumbers(pages, count) {
    var list = pages.map(function (p) { return /^\d+(?=[.\d]*\. )/.exec(p.textContent); }).filter(Boolean), more = count - list.length;
    if (!list.length) return "";
    return ": " + list.map(function (m) { return m[0]; }).filter(function (n, i, all) { return n !== all[i - 1]; }).join(", ") + (more ? " " + fill(texts().more, { n: more }) : "");
  }

  // site answers for all pages, in the field of :::my-gpu.
  function site(form, own) {
    var total = gpu.site.total, run = total - gpu.site.pages.length, rest = [], whole = []; // the other pages need nothing
    gpu.site.pages.forEach(function (p) {
      var c = count(p[2], p[3].map(function (i) { return { needs: gpu.site.needs[i] }; }), own);
      var a = element("a", "", p[0]);
      a.href = new URL(p[1], new URL(document.querySelector(".picker").getAttribute("data-own"), location.href));
      if (c.passed === c.total) { run++; whole.push(element("li", "is-passed", [icon("passed"), element("span", "", a)])); }
      else rest.push({ status: status(c), text: element("span", "", [a, ": " + sum(c)]) });
    });
    var b = box(own, run === total ? plural("pages_all", total) : plural("pages", run, { total: total }), rest.slice(0, 12), gpu.site.torch);
    if (whole.length) b.querySelector(".mine-text").after(element("details", "", [element("summary", "", texts().whole + lessonNumbers(whole, run)), element("ul", "", whole.slice(0, 200))]));
    b.setAttribute("data-for", "~");
    if (!form.gpu.value && own.devices.length === 1 && own.devices[0].card) {
      form.gpu.value = own.devices[0].title;
      form.driver.value = own.driver;
    }
    form.querySelector(".my-gpu-answer").replaceChildren(b);
  }
})(gpudocs.gpu);
