(function () {
  "use strict";
  var all = gpudocs.all, words = document.getElementById("_later");

  // A page includes the results of eight machines. Those of a deferred machine are fetched as JSON
  // when a reader chooses it: one file for the whole site.
  gpudocs.results = function () { return Promise.resolve(); };
  // label names a machine by its GPUs first, as the list of machines does.
  gpudocs.label = function (name) {
    return all(".pick option").filter(function (o) { return o.value === name; }).map(function (o) { return o.textContent; })[0] || name;
  };
  if (!words) return;
  words = words.content;
  var address = document.getElementById("_later").dataset;
  var files = {}; // by machine

  function load(name) {
    if (location.protocol === "file:") return Promise.reject(address.file);
    if (!address.results) return Promise.reject(address.off);
    files[name] = files[name] || fetch(new URL(address.results + encodeURIComponent(name) + ".json", document.baseURI)).then(function (r) {
      if (!r.ok) throw new Error(r.status);
      return r.json();
    }).then(function (file) {
      file.by = {};
      file.results.forEach(function (r) { file.by[r.id] = r; });
      return file;
    }).catch(function () {
      delete files[name]; // so that it is fetched again
      throw address.failed;
    });
    return files[name];
  }

  // element makes an element with a class, and children that are elements or texts.
  function element(tag, className, children, attributes) {
    var e = document.createElement(tag);
    if (className) e.className = className;
    [].concat(children === undefined || children === null ? [] : children).forEach(function (c) {
      e.append(typeof c === "object" ? c : visible(String(c)));
    });
    Object.keys(attributes || {}).forEach(function (key) { e.setAttribute(key, attributes[key]); });
    return e;
  }
  // visible makes invisible characters of a text visible.
  function visible(text) { return text.replace(/(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}\u2028\u2029]/gu, "\ufffd"); }
  function word(name) { return words.querySelector('[data-word="' + name + '"]').textContent; }
  function status(name) { return words.querySelector('[data-status="' + name + '"]').cloneNode(true); }
  function icon(name) { return status(name).firstElementChild; }
  function statusText(name) { return status(name).textContent; }

  // The strongest status counts, as in internal/render/results/status.go.
  var strength = ["altered", "failed", "error", "stale", "passed", "skipped", "answered", "not-applicable", "none"];
  function overall(list) {
    return strength.filter(function (s) { return list.indexOf(s) >= 0; })[0] || "none";
  }
  function statusOf(result) { return result.not_applicable ? "not-applicable" : result.answer ? "answered" : result.status; }
  function duration(ms) {
    var number = function (n, digits) { return n.toLocaleString(document.documentElement.lang, { maximumFractionDigits: digits }); };
    return ms < 1000 ? number(ms, ms < 10 ? 1 : 0) + " ms" : number(ms / 1000, 1) + " s";
  }
  function day(time) {
    return new Date(time).toLocaleDateString(document.documentElement.lang, { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });
  }
  // amount returns a number with its unit in the reader's language, as Amount of internal/text/catalog.go.
  function amount(text) {
    return text.split(", ").map(function (part) {
      return part.replace(/^((?:\S+ = )?-?)(\d+)(\.\d+)?((?:e[+-]?\d+)? [^\s\d]\S*)$/, function (all, before, whole, decimals, unit) {
        var sample = address.number; // 10,000.5
        if (whole.length > 4) whole = whole.replace(/\B(?=(\d{3})+$)/g, sample[2]);
        return before + whole + (decimals || "").replace(".", sample[6]) + unit;
      });
    }).join(", ");
  }
  function gpus(g) {
    var count = {};
    g.devices.forEach(function (d) { count[d] = (count[d] || 0) + 1; });
    return Object.keys(count).map(function (d) { return (count[d] > 1 ? count[d] + " × " : "") + d; }).join(", ");
  }

  // found returns the results of a panel's checks, outcome the status of all of them.
  function found(panel, file) {
    return panel.getAttribute("data-checks").split(" ").map(function (id) { return file.by[id.replace("?", "")]; }).filter(Boolean);
  }
  function outcome(list) { return overall(list.map(statusOf)); }
  function has(place, name) {
    return Array.prototype.some.call(place ? place.children : [], function (n) { return (n.getAttribute("data-for") || n.getAttribute("data-of")) === name; });
  }

  // fill adds a machine to a panel: to its line, and as a tab.
  function fill(panel, name, file) {
    var list = found(panel, file), state = outcome(list);
    var line = panel.querySelector(".panel-place"), box = panel.querySelector(".switch-machines");
    if (line && !has(line, name)) line.append(element("span", "panel-mine is-" + state,
      [icon(state), element("span", "", [element("b", "", gpudocs.label(name)), " " + statusText(state)])], { "data-for": name, hidden: "" }));
    if (!box || !list.length || has(box, name)) return;
    var id = panel.id + "." + list[0].place;
    box.append(
      element("input", "", null, { type: "radio", name: panel.id + "-m", id: id + "-t", value: name, "data-of": name }),
      element("label", "is-" + state, [icon(state), element("span", "", gpudocs.label(name)), element("span", "hidden", statusText(state))], { "for": id + "-t", "data-of": name }),
      element("div", "pane", pane(list, state, name, file), { id: id, "data-of": name }));
  }
  function pane(list, state, name, file) {
    var first = list[0], rows = list.filter(function (r) { return r.want; }), parts = [];
    var lang = document.documentElement.lang;
    function sentences(r) { return ((r.text || {})[lang] || []); }
    var why = rows.length ? "" : sentences(first)[0];
    parts.push(element("p", "verdict is-" + state, [icon(state), element("strong", "", statusText(state)), why ? " " : "", why ? element("span", "", why) : ""]));
    if (state === "altered") parts.push(element("p", "altered-note", word("altered")));
    if (state === "stale") parts.push(element("p", "stale-note", word("stale")));
    var facts = [element("b", "", gpudocs.label(name)), element("time", "", day(first.ran), { datetime: first.ran }), !rows.length && first.outcome !== "skipped" && duration(first.duration_ms),
      file.os, first.interpreter, (first.packages || []).map(function (p) { return p.name + " " + (p.version || "–"); }).join(", ")];
    if (file.gpu) facts.push(gpus(file.gpu), file.gpu.driver && "driver " + file.gpu.driver, file.gpu.cuda && "CUDA " + file.gpu.cuda);
    facts = facts.filter(Boolean).map(function (f, i) { return i ? [" · ", f] : [f]; });
    parts.push(element("p", "facts", [].concat.apply([], facts)));
    if (rows.length) parts.push(table(name, ["want", "found", "status"], rows.map(function (r) {
      var reason = sentences(r)[0];
      return [element("code", "", r.want), element("code", "", r.found ? amount(r.found) : "–"), element("span", "is-" + statusOf(r), [icon(statusOf(r)), element("strong", "", " " + statusText(r.answer || statusOf(r))), reason ? " " + reason : ""])];
    })));
    list.forEach(function (r) {
      sentences(r).slice(1).filter(Boolean).forEach(function (s) { parts.push(element("p", "quiet", s)); });
    });
    if (!rows.length && first.captures) parts.push(table(name, ["name", "value", "unit"], first.captures.map(function (c) {
      return [element("code", "", c.name), element("code", "", c.unit ? amount(c.value + " " + c.unit).slice(0, -c.unit.length - 1) : c.value), c.unit || "–"];
    })));
    if (first.diff) parts.push(stream("diff", name, first.diff.map(function (d) {
      var tag = { "-": "del", "+": "ins" }[d.op] || "span";
      return element(tag, { "-": "diff-missing", "+": "diff-extra" }[d.op], d.op + " " + d.text + "\n");
    })));
    if (first.stdout) parts.push(stream("stdout", name, first.stdout.text, first.stdout.cut));
    if (first.figures) parts.push(element("div", "figures", first.figures.map(function (f, i) {
      return display(f, word("figures") + " " + (i + 1) + ": " + name);
    }), { role: "group", "aria-label": word("figures") + ": " + name }));
    if (first.stderr) parts.push(stream("stderr", name, first.stderr.text, first.stderr.cut));
    if (!rows.length && !first.diff && !first.stdout && !first.stderr && !first.figures && state !== "skipped") parts.push(element("p", "quiet", word("nothing")));
    return parts;
  }
  // display shows a picture, or HTML that the build has sanitised.
  function display(f, label) {
    if (f.url) {
      var size = f.width ? { width: f.width, height: f.height } : {};
      return element("img", "", null, Object.assign(size, { src: new URL("../" + f.url, new URL(address.results, document.baseURI)), alt: label, loading: "lazy" }));
    }
    if (f.html) return element("div", "output-html scroll", Array.from(new DOMParser().parseFromString(f.html, "text/html").body.childNodes), { tabindex: 0, role: "region", "aria-label": label });
    return f.text ? element("div", "stream", element("pre", "", f.text, { tabindex: 0, role: "region", "aria-label": label })) : element("p", "quiet", word("empty"));
  }
  function table(name, heads, rows) {
    return element("div", "scroll", element("table", "rows", [
      element("thead", "", element("tr", "", heads.map(function (h) { return element("th", "", word(h), { scope: "col" }); }))),
      element("tbody", "", rows.map(function (r) { return element("tr", "", r.map(function (c) { return element("td", "", c); })); }))
    ]), { tabindex: 0, role: "region", "aria-label": word(heads[0]) + ": " + name });
  }
  function stream(kind, name, text, cut) {
    return element("div", "stream stream-" + kind, [element("p", "stream-name", word(kind)),
      element("pre", "", element(kind === "diff" ? "code" : "samp", "", text), { tabindex: 0, role: "region", "aria-label": word(kind) + ": " + name }),
      cut ? element("p", "cut-note", word("cut").replace("{n}", amount(cut + " B").slice(0, -2))) : ""]);
  }

  // verdict adds the result of the page on the machine: a sentence and links to the blocks.
  function verdict(panels, name, file) {
    var ids = {}, count = {}, links = [];
    panels.forEach(function (panel) {
      var list = found(panel, file), state = outcome(list);
      panel.getAttribute("data-checks").split(" ").forEach(function (id) { if (id.slice(-1) !== "?") ids[id] = statusOf(file.by[id] || { status: "none" }); });
      if (state === "passed" || state === "answered") return;
      var to = list.length && document.getElementById(panel.id + "." + list[0].place) ? panel.id + "." + list[0].place : panel.id;
      links.push(element("li", "is-" + state, element("a", "", [icon(state), element("code", "", panel.id.replace(/^.*code-|\.results$/g, "")), element("span", "", statusText(state))], { href: "#" + to })));
    });
    Object.keys(ids).forEach(function (id) { count[ids[id]] = (count[ids[id]] || 0) + 1; });
    var states = strength.filter(function (s) { return count[s]; });
    if (states.length === 1 && states[0] === "none") return note("none", name, address.never.replace("{machine}", gpudocs.label(name)));
    var box = note(overall(states), name, gpudocs.label(name) + ": " + states.map(function (s) { return statusText(s) + " " + count[s]; }).join(", "));
    if (links.length) box.append(element("ul", "", links.slice(0, 40)));
    return box;
  }
  function note(state, name, text) {
    var link = words.querySelector(".mine-link").cloneNode(true);
    link.href = "?machine=" + name;
    link.title = link.lastElementChild.textContent = link.title.replace("{machine}", gpudocs.label(name));
    return element("div", "mine-of is-" + state, element("p", "", [icon(state), element("span", "mine-text", text), link]), { "data-for": name, hidden: "" });
  }

  // results adds the results of a deferred machine to the page, hidden unless it is the chosen one: see 32-machine.js. The promise is fulfilled when the page shows them, or why it cannot.
  gpudocs.results = function (name) {
    var panels = all(".panel[data-checks]"), lacking = panels.filter(function (p) { return !has(p.querySelector(".panel-place"), name); });
    var top = document.querySelector(".mine");
    if (!name || !lacking.length && (!top || has(top, name))) return Promise.resolve();
    function say(box) {
      all('.mine-of[data-late="' + name + '"]').forEach(function (n) { n.remove(); });
      box.setAttribute("data-late", name);
      if (top && !has(top, name)) top.append(box);
      else if (!top && panels[0]) panels[0].closest("article").prepend(box); // the page of a section
    }
    return load(name).then(function (file) {
      lacking.forEach(function (p) { fill(p, name, file); });
      say(verdict(panels, name, file));
    }, function (why) { say(note("none", name, why)); });
  };
})();
