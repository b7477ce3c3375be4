// Which CUDA software runs on a machine, and why, by the rules of internal/report/compat, which explains them. A test
// holds both to the same answers. A machine is {os, arch, gpu: {driver, cuda, compat, platform, devices: [{name, compute,
// memory_bytes}]}, frameworks: [{name, version, cuda}]}, as in a report. A driver that is not known is "".
(function (gpu) {
  "use strict";
  var tables = gpu.tables, YES = "yes", MINOR = "minor", FORWARD = "forward", NOT = "no", UNKNOWN = "unknown";
  function rank(a) { return a === NOT ? 0 : a === UNKNOWN ? 1 : 2; }

  gpu.answerOf = function (v) { return rank(v.answer); };
  // foundOf returns the facts of a verdict: "driver 460.91.03, CUDA 11.2".
  gpu.foundOf = function (v) {
    var parts = v.version ? [v.what + " " + v.version] : [];
    if (v.by === "compute" || v.by === "cudnn") parts.push((v.gpu + " " + v.compute).trim());
    else if (v.driver) {
      parts.push("driver " + v.driver);
      if (v.cuda) parts.push("CUDA " + v.cuda);
    }
    return parts.join(", ");
  };

  // ---- versions

  // toolkitOf parses "12.4" and "12", whose minor version is -1.
  function toolkitOf(s) {
    var m = /^(\d+)(?:\.(\d+)(?:\..*)?)?$/.exec(s || "");
    return m && { major: +m[1], minor: m[2] === undefined ? -1 : +m[2] };
  }
  function order(a, b) { return a.major - b.major || a.minor - b.minor; }
  function driverOf(s) {
    s = (s || "").trim().replace(/^([\d.]+)[ +~-].*$/, "$1");
    return /^\d+(\.\d+)*$/.test(s) ? { parts: s.split(".").map(Number), text: s } : null;
  }
  gpu.driverOf = driverOf;
  function atLeast(have, need) { return gpu.compare(have, driverOf(need)) >= 0; }
  // capability parses "8.6" as 86.
  function capability(s) { return /^(0|[1-9]\d*)\.\d$/.test(s || "") ? Math.round(s * 10) : 0; }
  function written(c) { return Math.floor(c / 10) + "." + c % 10; }

  // ---- toolkits and drivers

  var toolkits = tables.toolkits.map(function (t) { return { release: toolkitOf(t[0]), linux: t[1], windows: t[2], archs: t[3] }; });
  var families = tables.families.map(function (f) { return { major: f[0], linux: f[1], windows: f[2] }; });
  function last(c) {
    return toolkits.reduce(function (t, next) {
      return next.release.major === c.major && c.minor < 0 || order(next.release, c) <= 0 ? next : t;
    }, toolkits[0]);
  }
  function onWindows(m) { return /^windows/i.test(m.os || ""); }
  function system(m) { return m.gpu.platform === "wsl2" || onWindows(m) ? "windows" : "linux"; }

  function needs(column, c) {
    var n = { driver: "", minor: "", enough: "" };
    toolkits.forEach(function (t) {
      var d = t[column];
      if (!d) return;
      if (c.minor >= 0 && order(t.release, c) === 0) n.driver = n.enough = d;
      else if (!n.enough && (t.release.major > c.major || c.minor >= 0 && order(t.release, c) > 0)) n.enough = d;
    });
    families.forEach(function (f) {
      var d = f[column];
      if (f.major === c.major && (!n.driver || gpu.compare(driverOf(d), driverOf(n.driver)) < 0)) n.minor = d;
      if (f.major > c.major && !n.enough) n.enough = d;
    });
    return n;
  }

  // supported returns between which CUDA versions is the newest one that a driver supports: ["12.6", "12.7"], as not
  // every release has a row, or null if it is older than all of them.
  gpu.supported = function (driver, os) {
    var column = os === "linux" ? "linux" : "windows", have = driverOf(driver), low = null, next = null;
    if (have) toolkits.forEach(function (t) {
      if (t[column] && atLeast(have, t[column])) low = t.release;
      else if (t[column] && !next) next = t.release;
    });
    if (have) families.forEach(function (f) {
      if (atLeast(have, f[column]) && (!low || f.major > low.major)) low = { major: f.major, minor: 0 };
    });
    if (!low) return null;
    var high = !next ? { major: low.major, minor: 99 } : next.major === low.major ? { major: low.major, minor: next.minor - 1 } : low;
    return [low, high].map(function (r) { return r.major + "." + r.minor; });
  };
  // branch returns the oldest driver of a branch, "535": that of the table, or else the first number there may be.
  gpu.branch = function (number, os) {
    var column = os === "linux" ? "linux" : "windows", list = toolkits.concat(families).map(function (t) { return t[column]; });
    return list.filter(function (d) { return d.split(".")[0] === number; }).sort(function (a, b) { return gpu.compare(driverOf(a), driverOf(b)); })[0] || number + ".0";
  };

  // lastBranch returns the last branch of drivers that supports all GPUs, {name, newest, cuda}, of which no driver exceeds newest, or null.
  gpu.lastBranch = function (m) {
    var row = tables.lastBranches.filter(function (b) {
      return m.gpu.devices.some(function (d) {
        var c = capability(d.compute);
        return c && c <= capability(b[0]) && !integrated(d);
      });
    })[0];
    return row ? { name: row[1], newest: (system(m) === "linux" ? row[1] : row[2] - 1) + ".9999", cuda: row[3] } : null;
  };

  // oldestBranch returns the oldest branch of drivers that supports the newest GPU and the CUDA version of its drivers, {name: "570", cuda},
  // or null if that is not in the table, or a GPU is on a Jetson board.
  function oldestBranch(m) {
    var newest = 0, t;
    m.gpu.devices.forEach(function (d) { newest = Math.max(newest, capability(d.compute)); });
    t = newest && !m.gpu.devices.some(integrated) && toolkits.filter(function (t) { return codeOf(t.archs).native.indexOf(newest) >= 0; })[0];
    return t && t.linux && t !== toolkits[0] ? { name: t.linux.split(".")[0], cuda: t.release.major + "." + t.release.minor } : null;
  }
  // firstBranch returns the same, or null if some GPU has a last branch.
  gpu.firstBranch = function (m) { return gpu.lastBranch(m) ? null : oldestBranch(m); };

  function judgeDriver(m, c, jit) {
    var first = !m.gpu.driver && !m.gpu.cuda && !m.gpu.compat && gpu.firstBranch(m);
    if (first) {
      var least = judgeDriver(Object.assign({}, m, { gpu: Object.assign({}, m.gpu, { driver: first.name + ".0", cuda: first.cuda }) }), c, jit);
      if (rank(least.answer) === rank(YES)) {
        least.branch = first.name;
        if (least.answer === MINOR) least.driver = "";
        return least;
      }
    }
    var n = needs(system(m), c), d = { by: "driver", driver: n.driver, minor: n.minor, gpu: "" };
    var current = driverOf(m.gpu.driver), board = m.gpu.devices.some(integrated);
    if (board) d.driver = d.minor = "";
    if (!current || board) d.answer = bySupported(m.gpu, c);
    else if (n.enough && atLeast(current, n.enough) || !n.driver && supports(m.gpu, c)) d.answer = YES;
    else d.answer = n.minor && atLeast(current, n.minor) ? MINOR : NOT;
    if (d.answer === MINOR && jit) {
      if (!n.driver || board) { d.answer = UNKNOWN; d.by = "toolkit"; }
      else if (jit === 2) { d.answer = UNKNOWN; d.by = "ptx"; }
      else d.answer = NOT;
    }
    if (d.answer === NOT && jit && n.driver) d.minor = "";
    if (d.answer !== YES) forward(d, m, c, jit);
    return d;
  }
  function supports(g, c) {
    var has = toolkitOf(g.cuda);
    return has && !g.compat && c.minor >= 0 && c.major === has.major && order(has, c) >= 0;
  }
  function bySupported(g, c) {
    var has = toolkitOf(g.cuda);
    if (!has || g.compat) return UNKNOWN;
    if (has.major > c.major || c.minor >= 0 && order(has, c) >= 0) return YES;
    return has.major === c.major && c.major >= families[0].major ? MINOR : NOT;
  }

  // forward considers a forward-compatibility package.
  function forward(d, m, c, jit) {
    var pack = toolkitOf(m.gpu.compat), allowed = YES;
    if (!pack || !driverOf(m.gpu.driver) || system(m) === "windows" || order(pack, c) < 0 && (pack.major !== c.major || jit)) return;
    m.gpu.devices.forEach(function (device) {
      var a = packageFor(device);
      if (rank(a) < rank(allowed)) { allowed = a; d.gpu = device.name; }
    });
    var branch = m.gpu.driver.split(".")[0];
    if (pack.major >= 12 && (tables.shortBranches.indexOf(branch) >= 0 || tables.goneBranches.indexOf(branch) >= 0 && order(pack, { major: 12, minor: 3 }) >= 0) && rank(allowed) > 0) {
      allowed = NOT;
      d.gpu = "";
    }
    if (allowed === YES) { d.answer = FORWARD; d.by = "driver"; }
    else if (d.answer === MINOR || d.by === "ptx") d.gpu = "";
    else { d.answer = allowed; d.by = "forward"; }
  }
  function packageFor(device) {
    var model = device.name.replace(/^NVIDIA /, "").split(" ")[0].split("-")[0];
    if (integrated(device) || tables.dataCenter.indexOf(model) >= 0) return YES;
    return tables.consumer.some(function (c) { return device.name.indexOf(c) === 0; }) ? NOT : UNKNOWN;
  }

  // ---- code for GPUs

  // codeOf parses a row of the tables: "7.5 8.0+PTX".
  function codeOf(row) {
    var c = { native: [], ptx: 0, maybe: 0, until: 0, from: 0, floor: 0, all: false, foreign: false };
    (row ? row.split(" ") : []).forEach(function (f) {
      var m = /^(PTX:)?([\d.]+)(?:<([\d.]+))?(\+.*)?$/.exec(f), n = capability(m[2]);
      if (m[1]) { c.ptx = n; c.until = capability(m[3]); c.foreign = !!m[3]; return; }
      if (m[4] === "+") { c.from = n; return; }
      if (m[4] === "+PTX") c.ptx = n;
      if (m[4] === "+PTX?") c.maybe = n;
      c.native.push(n);
    });
    return c;
  }
  function range(c) {
    if (c.from) return written(c.from) + "+";
    return c.native.length ? written(c.native[0]) + "-" + written(Math.max(c.native[c.native.length - 1], c.ptx)) : "";
  }
  function onBoard(c) { return tables.boards.indexOf(c) >= 0; }
  function integrated(d) { return onBoard(capability(d.compute)) || /nvgpu|Tegra/.test(d.name); }
  function fit(c, card) {
    function same(n) { return Math.floor(n / 10) === Math.floor(card / 10) && n <= card; }
    function runs(n) { return n === card || same(n) && !onBoard(n) && !onBoard(card); }
    if (c.native.some(runs) || c.from && card >= c.from) return [YES, c.all];
    if (c.until && card >= c.until) return [UNKNOWN, false];
    if (c.ptx && card >= c.ptx) return [YES, true];
    return [c.maybe && card >= c.maybe || c.native.some(same) ? UNKNOWN : NOT, false];
  }
  function worst(m, of) {
    var w = { answer: YES, by: "", jit: 0, name: "", compute: "", need: "" };
    m.gpu.devices.forEach(function (d) {
      var c = capability(d.compute), a = [UNKNOWN, false], by = "compute", need = range(of);
      if (c) {
        a = fit(of, c);
        if (c > of.native[0] && c < of.native[of.native.length - 1]) need = of.native.map(written).join(", ");
        if (c < of.floor && a[0] === YES) { a = [UNKNOWN, a[1]]; by = "cudnn"; need = written(of.floor); }
      }
      if (a[1]) w.jit = of.foreign ? 2 : Math.max(w.jit, 1);
      if (rank(a[0]) < rank(w.answer)) w = { answer: a[0], by: by, jit: w.jit, name: d.name, compute: d.compute, need: need };
    });
    return w;
  }

  // unsupported returns why no driver of this version supports a GPU of the machine: {is: "first" or "last", driver}, or null.
  gpu.unsupported = function (m) {
    var have = driverOf(m.gpu.driver), first = have && oldestBranch(m), last = have && gpu.lastBranch(m);
    if (first && !atLeast(have, first.name)) return { is: "first", driver: first.name };
    return last && !atLeast(driverOf(last.newest), m.gpu.driver) ? { is: "last", driver: last.name } : null;
  };

  // ---- software

  function release(v) {
    var m = /^(\d+)\.(\d+)/.exec(v || "");
    return m ? m[1] * 65536 + +m[2] : null;
  }
  // archs returns the code of a row of builds for a machine, or "" if there is none for its system.
  gpu.archs = function (row, m) {
    var of = (onWindows(m) ? row[6] : m.arch === "arm64" ? row[5] : "") || row[4];
    return of === "-" ? "" : of;
  };
  // built returns the code of a framework's own build, or null if there is none for the system.
  function built(s, m, toolkit) {
    var number = s.version.split("+")[0], local = s.version.slice(number.length + 1), v = release(number);
    if (v === null || /dev/.test(number) || (local ? local.indexOf("cu") : s.name === "torch")) return null;
    var row = tables.builds.filter(function (b) {
      var of = toolkitOf(b[1]), low = release(b[2]), high = release(b[3]);
      return b[0] === s.name && of.major === toolkit.major && (of.minor < 0 || of.minor === toolkit.minor) && (low === null || v >= low) && (high === null || v <= high);
    })[0];
    var archs = row && gpu.archs(row, m);
    return archs ? Object.assign(codeOf(archs), { floor: capability(row[7]) }) : null;
  }

  // runs judges a toolkit, "cu124", or a framework in the machine's list. It is as a verdict of a report.
  gpu.runs = function (m, what) {
    var g = m.gpu, t = /^cu([1-9]\d)(\d)$/.exec(what), s = { name: "", version: "", toolkit: t ? t[1] + "." + t[2] : "" };
    var found = !t && (m.frameworks || []).filter(function (f) { return f.name === what; })[0];
    if (found) s = { name: what, version: found.version, toolkit: found.cuda };
    var v = { what: what, answer: UNKNOWN, by: "", version: s.version, toolkit: s.toolkit, driver: g.driver || "", cuda: g.cuda || "",
      need_driver: "", need_minor: "", gpu: "", compute: "", need_compute: "", need_cudnn: "" };
    function decided(answer, by) { v.answer = answer; v.by = by; return v; }
    if (!g.devices.length) return decided(NOT, "no-gpu");
    if (!t && !found) return m.frameworks ? decided(NOT, "not-installed") : decided(UNKNOWN, "not-asked");
    var toolkit = toolkitOf(s.toolkit);
    if (!toolkit || toolkit.major < toolkits[0].release.major || toolkit.major > toolkits[toolkits.length - 1].release.major) return decided(UNKNOWN, "toolkit");
    var of = s.name && built(s, m, toolkit);
    if (!of) {
      of = codeOf(last(toolkit).archs);
      of.maybe = of.native[0];
      if (s.name === "numba") of.all = of.foreign = true;
    }
    var w = worst(m, of), d = judgeDriver(m, toolkit, w.jit), by = d.by;
    if (w.answer === NOT || w.answer === UNKNOWN && rank(d.answer) > rank(w.answer)) {
      d.answer = w.answer;
      by = w.by;
      if (by === "cudnn") v.need_cudnn = tables.lastCuDNN[w.need];
      v.gpu = w.name; v.compute = w.compute || ""; v.need_compute = w.need;
    }
    v.need_driver = d.driver; v.need_minor = d.minor;
    if (by === "driver" && d.branch) v.driver = "≥ " + d.branch;
    if (by === "forward") v.gpu = d.gpu;
    if (g.compat) v.cuda = by === "forward" || d.answer === FORWARD ? g.compat : "";
    return decided(d.answer, by);
  };

  // sentence says whether software runs and why, with the texts of verdicts by their codes.
  gpu.sentence = function (v, texts) {
    var key = v.answer + "_" + v.by, both = v.need_driver && v.need_minor, one = v.need_driver || v.need_minor;
    if (v.by === "driver" && (v.answer === NOT || v.answer === MINOR) && !both) key += one ? "_one" : "_none";
    if (v.by === "compute" && !v.compute || v.by === "forward" && !v.gpu || v.by === "toolkit" && !v.toolkit) key += "_none";
    var name = v.version ? v.what + " " + v.version + (v.toolkit && v.version.indexOf("+cu") < 0 ? " (CUDA " + v.toolkit + ")" : "") : v.what;
    var driver = !v.cuda || v.answer === FORWARD || v.by === "forward" ? v.driver : v.driver ? v.driver + ", CUDA " + v.cuda : "CUDA " + v.cuda;
    return gpu.fill(texts[key] || texts.unknown, { what: name, driver: driver, cuda: v.cuda, toolkit: v.toolkit, need_driver: one || "",
      need_minor: v.need_minor, gpu: v.gpu, compute: v.compute, need_compute: v.need_compute, need_cudnn: v.need_cudnn });
  };
  // fill puts values into the places of a text: {what}.
  gpu.fill = function (text, values) {
    return text.replace(/\{(\w+)\}/g, function (place, name) { return name in values ? values[name] : place; });
  };
})(gpudocs.gpu);
