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
    var version = gpu.readDriver(driver);
    return { devices: devices.slice(0, most), driver: version.driver, odd: version.odd, cuda: /^\d{1,2}\.\d{1,2}$/.test(cuda || "") ? cuda : "",
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
})(gpudocs.gpu);
