// A reader's own machine: {devices: [{name, title, compute, memory: [least, most] in MiB}], driver, cuda, os, arch}. Written in
// an address and in the browser's storage it is "gpu=2x-rtx-3060&driver=535&os=linux". A card that was chosen
// has the memory that it is sold with, of which a driver reports up to 8 % less; a driver may be a branch, "535".
// What depends on the rest is unknown. A machine without a GPU is "gpu=none".
(function (gpu) {
  "use strict";
  var systems = ["linux", "windows", "wsl"], most = 16;
  gpu.systems = systems;

  // words returns the words of a name, without those that say nothing of the model: how it is mounted, the letter behind a Tesla of Kepler.
  function words(name) {
    return name.toLowerCase().replace(/\b(nvidia|graphics|gpu|card|generation|edition|workstation|desktop|with|design|pci-?e?|express|sxm\d?|hbm\d?e?)\b|\(tm\)|\(r\)/g, " ")
      .replace(/\b(mobile|notebook)\b/g, "laptop").replace(/\b(k[1248]0x?)[cmst]\b/g, "$1").replace(/([a-z])(?=\d)|(\d)(?=[a-z])/g, "$1$2 ").match(/[a-z]+|\d+/g) || [];
  }
  function slug(name) { return name.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, ""); }

  // cards are all models in all sizes: {name, title: "RTX 3060 (12 GB)", id: "rtx-3060", compute, gib, spellings: of its names, the words}.
  gpu.cards = [];
  gpu.tables.cards.forEach(function (row) {
    row[1].split(", ").forEach(function (entry) {
      var m = /^(.*) ([\d/]+)$/.exec(entry), sizes = m[2].split("/"), short = m[1].replace(/^GeForce /, "");
      var names = [m[1]].concat(Object.keys(gpu.tables.aliases).filter(function (a) { return gpu.tables.aliases[a] === m[1]; }));
      sizes.forEach(function (size, i) {
        gpu.cards.push({ name: m[1], title: short + " (" + size + " GB)", id: slug(short) + (i ? "-" + size + "gb" : ""), compute: row[0], gib: +size, spellings: names.map(words) });
      });
    });
  });
  // sameName reports whether NVIDIA gave the card of laptops the name of the desktop's, which was so from Pascal to Turing.
  function sameName(card) { return card.compute >= 6 && card.compute < 8; }

  // find returns the cards that a text may mean, the likeliest first: "3060", "rtx3060 12gb". If it is the whole name of one model, sure is
  // its most common card.
  gpu.find = function (text) {
    var size = /\b(\d{1,3}) ?g(?:i?b)?\b/i.exec(text = text.slice(0, 100)), asked = words(size ? text.replace(size[0], " ") : text);
    // What readers leave out, and what they give to cards that have none.
    var found = [], series = ["geforce", "tesla", "rtx", "gtx", "jetson", "blackwell"], loose = series.concat("nvl", "server");
    function fit(card, at, spelling) {
      var left = spelling.slice(), off = 0, whole = true, fits = asked.every(function (w, n) {
        var at = left.indexOf(w);
        for (var k = 0; at < 0 && n === asked.length - 1 && k < left.length; k++) if (left[k].indexOf(w) === 0) { at = k; off += 10; whole = false; }
        if (at >= 0) left.splice(at, 1);
        else if (asked.length > 1 && loose.indexOf(w) >= 0) { off += 20; whole = whole && !/tx/.test(w); }
        else if (w === "laptop" && asked.length > 1 && sameName(card)) off++;
        else return false;
        return true;
      });
      left = left.filter(function (w) { return series.indexOf(w) < 0; });
      return fits && { card: card, rank: off + left.length, at: at, whole: whole && !left.length };
    }
    gpu.cards.forEach(function (card, i) {
      if (!asked.length || size && card.gib !== +size[1]) return;
      var best = card.spellings.map(function (s) { return fit(card, i, s); }).filter(Boolean).sort(function (a, b) { return a.rank - b.rank; })[0];
      if (best) found.push(best);
    });
    found.sort(function (a, b) { return a.rank - b.rank || a.at - b.at; });
    var list = found.map(function (f) { return f.card; }), sure = found.filter(function (f) { return f.whole; });
    sure = sure.filter(function (f) { return f.rank === sure[0].rank; });
    list.sure = sure.length && sure.every(function (f) { return f.card.name === sure[0].card.name; }) ? sure[0].card : null;
    return list;
  };

  // splitDriver splits what a reader types into the card and the driver: "RTX 3060, driver 535".
  gpu.splitDriver = function (text) {
    var m = /,?\s*\bdriver:?\s*([\d.]+)/i.exec(text);
    return m ? { text: text.replace(m[0], " ").trim(), driver: m[1] } : { text: text, driver: "" };
  };

  // named returns the card that a driver calls so, the one whose size is nearest, or null. Old versions of nvidia-smi
  // cut long names: "GeForce RTX 208...". The card of a laptop, "GTX 960M", is never that of a desktop.
  gpu.named = function (name, mib) {
    var cut = /\.\.\.$/.test(name), list = words(name.replace(/\b\d{1,3} ?GB\b/i, " ")), all = " " + list.join(" ") + " ", best = [];
    gpu.cards.forEach(function (card) {
      var rank = 0, part = cut && (" " + card.spellings[0].join(" ")).indexOf(all.trimEnd()) === 0;
      card.spellings.forEach(function (spelling) {
        var of = " " + spelling.join(" ") + " ", at = all.indexOf(of);
        if (at < 0 || /^mx? /.test(all.slice(at + of.length))) return;
        if (["laptop", "max"].some(function (w) { return list.indexOf(w) >= 0 && spelling.indexOf(w) < 0 && !(w === "laptop" && sameName(card)); })) return;
        rank = Math.max(rank, of.length - 2);
      });
      if (!rank && !part) return;
      if (best.length && rank > best[0].rank) best = [];
      if (!best.length || rank === best[0].rank) best.push({ rank: rank, card: card, off: mib ? Math.abs(card.gib * 1024 - mib) / mib : 0 });
    });
    best.sort(function (a, b) { return a.off - b.off; });
    return best.length && best[0].off < 0.2 && (!cut || best.every(function (b) { return b.card.compute === best[0].card.compute; })) ? best[0].card : null;
  };

  // board returns what is known of a Jetson whose driver names only its chip, "Orin (nvgpu)" or "NVIDIA Thor": the boards that it may be.
  gpu.board = function (name) {
    var chip = /\b(orin|xavier|thor)\b/i.exec(name), cards = chip ? gpu.find("jetson " + chip[1]) : [];
    var sizes = cards.map(function (c) { return c.gib; });
    return cards.length ? { title: "Jetson " + chip[1][0].toUpperCase() + chip[1].slice(1).toLowerCase(), compute: cards[0].compute, sizes: Math.min.apply(null, sizes) + "–" + Math.max.apply(null, sizes), memory: [Math.min.apply(null, sizes) * 1024 * 0.92, Math.max.apply(null, sizes) * 1024] } : null;
  };

  // device describes a card, or a GPU with a name; mib is the exact memory, if it is known.
  gpu.device = function (card, name, mib, compute) {
    var board = card ? null : gpu.board(name), memory = mib ? [mib, mib] : card ? [card.gib * 1024 * 0.92, card.gib * 1024] : board && board.memory;
    return { card: card, name: name || card.name, exact: !!name, title: (card || board || { title: name }).title, compute: compute || (card || board || { compute: "" }).compute, memory: memory, sizes: board && board.sizes };
  };
  function arm(d) { return /Jetson|nvgpu|Tegra|\b(Thor|GH\d+|GB\d+|T4G)\b/i.test(d.name); } // no other computer has these GPUs

  function text(d) {
    return (d.card ? d.card.id : slug(d.name).slice(0, 60)) + (d.memory && d.memory[0] === d.memory[1] ? "~" + d.memory[0] : "") + (d.compute && (!d.card || d.compute !== d.card.compute) ? "~" + d.compute : "");
  }
  // write returns a machine as a part of an address, read the machine, or null if it has none.
  gpu.write = function (own) {
    var list = [];
    own.devices.map(text).forEach(function (t) {
      var last = list[list.length - 1];
      if (last && last.text === t) last.n++;
      else list.push({ text: t, n: 1 });
    });
    var parts = ["gpu=" + (list.map(function (l) { return (l.n > 1 ? l.n + "x-" : "") + l.text; }).join(",") || "none")];
    if (own.driver) parts.push("driver=" + own.driver);
    if (own.cuda) parts.push("cuda=" + own.cuda);
    return parts.concat("os=" + own.os).join("&");
  };
  gpu.read = function (query) {
    var given = {}, devices = [];
    query.replace(/^\?/, "").slice(0, 1000).split("&").forEach(function (part) {
      var m = /^(gpu|driver|cuda|os)=([\w.,~%+-]*)$/.exec(part);
      if (m) given[m[1]] = m[2].replace(/%2C/gi, ",").replace(/%7E/gi, "~").replace(/%20|\+/g, "-"); // "RTX 3060" too
    });
    (given.gpu || "").split(",").forEach(function (t) {
      var m = /^(?:(\d{1,2})x-)?([a-z0-9-]{1,70})(?:~(\d{2,7}))?(?:~(\d{1,2}\.\d))?$/.exec(t.toLowerCase());
      if (!m) return;
      var card = gpu.cards.filter(function (c) { return c.id === m[2] || c.id + "-" + c.gib + "gb" === m[2]; })[0] || !m[3] && !m[4] && gpu.find(m[2].replace(/-/g, " ")).sure || null;
      if (!card && !m[3] && !m[4]) return;
      for (var n = Math.min(m[1] || 1, most); n > 0 && devices.length < most; n--) devices.push(gpu.device(card, card ? "" : m[2], +m[3], m[4]));
    });
    return devices.length || given.gpu === "none" ? gpu.own(devices, given.driver, given.cuda, given.os) : null;
  };
  gpu.own = function (devices, driver, cuda, os) {
    var version = /(?:^|\D)(\d{3}(?:[.,]\d{1,4}){0,2})(?!\d)/.exec(driver || ""); // also in "driver 535,183"
    return { devices: devices.slice(0, most), driver: version ? version[1].replace(/,/g, ".") : "", cuda: /^\d{1,2}\.\d{1,2}$/.test(cuda || "") ? cuda : "",
      os: systems.indexOf(os) >= 0 ? os : "linux", arch: devices.some(arm) ? "arm64" : "amd64" };
  };
  // saysNone reports whether a text says that there is no GPU.
  gpu.saysNone = function (text) { return /^\s*((no|none|without|sem|sin|nenhuma?|ninguna?)( (a|uma|una))?( (gpu|card|placa|tarjeta))?|((only|s[oó]|solo) )?cpu)\s*$/i.test(text); };
  // title names a machine: "2 × RTX 3060 (12 GB)". That of a machine without a GPU is empty.
  gpu.title = function (own) {
    var count = Object.create(null); // a name may be __proto__
    own.devices.forEach(function (d) { count[d.title] = (count[d.title] || 0) + 1; });
    return Object.keys(count).map(function (t) { return (count[t] > 1 ? count[t] + " × " : "") + t; }).join(", ");
  };

  // driverProblem returns why the reader's driver does not support the GPUs, or null.
  gpu.driverProblem = function (own) { return gpu.unsupported(possible(own).pop()); };
  function unnamed(own) { return Object.assign({}, own, { driver: "", cuda: "" }); }
  // machines returns what the machine may be, in the form of a report: with the least and the most of what is not exact. A driver
  // that does not support the GPUs is not known.
  gpu.machines = function (own) { return possible(gpu.driverProblem(own) ? unnamed(own) : own); };
  function possible(own) {
    var drivers = own.driver && own.driver.indexOf(".") < 0 ? [gpu.branch(own.driver, own.os), own.driver + ".9999"] : [own.driver], list = [];
    drivers.forEach(function (driver) {
      var cuda = own.cuda ? [own.cuda] : gpu.supported(driver, own.os) || [""];
      (cuda[1] && cuda[1] !== cuda[0] ? cuda : [cuda[0]]).forEach(function (version) {
        [0, 1].forEach(function (end) {
          list.push({ os: own.os === "windows" ? "windows" : "", arch: own.arch, gpu: { driver: driver, cuda: version, platform: own.os === "wsl" ? "wsl2" : "", devices: own.devices.map(function (d) {
            return { name: d.name, exact: d.exact, compute: d.compute, memory_bytes: d.memory ? Math.round(d.memory[end] * 1048576) : 0 };
          }) } });
        });
      });
    });
    return own.devices.every(function (d) { return !d.memory || d.memory[0] === d.memory[1]; }) ? list.filter(function (m, i) { return i % 2 === 0; }) : list;
  }

  // ---- facts

  function version(s) { return /^\d+(\.\d+)*$/.test(s || "") ? { parts: s.split(".").map(Number), text: s } : null; }
  function bytes(n) {
    var tenths = n / 1073741824 * 10, down = Math.floor(tenths); // a half is rounded to even, as in Go
    if (tenths - down > 0.5 || tenths - down === 0.5 && down % 2) down++;
    return n ? { parts: [n], text: (down / 10).toFixed(1) + " GiB" } : null;
  }
  function least(devices, value) {
    return devices.map(value).reduce(function (a, b) { return a && b && gpu.compare(b, a) < 0 ? b : a && b && a; });
  }
  // facts returns what requirements are compared with.
  gpu.facts = function (m) {
    var g = m.gpu, facts = { gpus: { parts: [g.devices.length], text: String(g.devices.length) }, runs: function (what) { return gpu.runs(m, what); } };
    function add(name, value) { if (value) facts[name] = value; }
    var last = gpu.lastBranch(m), first = gpu.firstBranch(m);
    function atMost(s, text) { return { most: version(s), text: "≤ " + text }; }
    function atLeast(s) { return { least: version(s), text: "≥ " + s }; }
    add("driver", version(g.driver) || last && atMost(last.newest, last.name) || first && atLeast(first.name));
    add("cuda", version(g.cuda) || !g.compat && (last && atMost(last.cuda, last.cuda) || first && atLeast(first.cuda)));
    if (g.devices.length) {
      add("memory", least(g.devices, function (d) { return bytes(d.memory_bytes); }));
      add("compute", least(g.devices, function (d) { return version(d.compute); }));
      var names = [], shown = [];
      g.devices.forEach(function (d) {
        var short = d.name.replace(/^NVIDIA /, ""), tesla = /^[KMPVT]\d+$/.test(d.name) ? ["Tesla " + d.name] : [];
        names.push(d.exact ? [d.name, short] : [d.name, "NVIDIA " + d.name].concat(tesla));
        if (shown.indexOf(d.name) < 0) shown.push(d.name);
      });
      facts.gpu = { names: names, text: shown.join(", ") };
      // The whole name of a chosen card, "A100-SXM4-80GB", is not known.
      facts.gpu.may = function (glob) {
        return g.devices.every(function (d) {
          var model = d.name.replace(/^GeForce /, "").toLowerCase();
          return !d.exact && glob.replace(/^\*?(nvidia |geforce |tesla )*/, "").indexOf(model) === 0;
        });
      };
    }
    add("os", m.os ? { names: [[m.os]], text: m.os } : { names: [["linux"]], text: "linux", may: function (glob) { return ["linux", "windows", "macos"].indexOf(glob) < 0; } });
    facts.arch = { names: [[m.arch, m.arch === "arm64" ? "aarch64" : "x86_64"]], text: m.arch };
    facts.machine = { names: [["~"]], text: "" };
    return facts;
  };

  // meets judges a requirement on the reader's machine. varies is set if that depends on what is not exact.
  gpu.meets = function (tree, own) {
    var all = gpu.machines(own).map(function (m) { return gpu.judge(tree, gpu.facts(m)); });
    var worst = all.reduce(function (a, b) { return b.answer < a.answer ? b : a; });
    if (all.every(function (j) { return j.answer === worst.answer; })) return all[0];
    return { answer: gpu.UNKNOWN, varies: true, fact: worst.fact, need: worst.need, found: worst.found, verdict: worst.verdict };
  };
  // unmetByLastBranch returns the last branch of drivers for the GPUs if no driver of it meets a requirement, or null.
  gpu.unmetByLastBranch = function (need, own) {
    var m = gpu.machines(unnamed(own))[0], last = gpu.lastBranch(m);
    return last && gpu.judge(gpu.parse(need), gpu.facts(m)).answer === gpu.NO ? last : null;
  };
})(gpudocs.gpu);
