// Which CUDA software runs on a reader's machine, with which drivers, and the facts that requirements are compared with. The answers are in
// tables that package internal/render/mygpu has made with internal/report/compat.
(function (gpu) {
  "use strict";
  var tables = gpu.tables, columns = ["linux-amd64", "windows-amd64", "wsl-amd64", "linux-arm64"];
  var order = gpu.compare;

  // steps are the drivers of a system, the oldest first, with the least and the most CUDA version of each.
  function steps(own) { return tables[own.os === "linux" ? "linux" : "windows"]; }
  function step(own, driver) { return steps(own).filter(function (s) { return order(gpu.parts(s.driver), driver) <= 0; }).pop(); }
  // driverOf returns the first driver with a version of CUDA, "535.54.03", or undefined.
  gpu.driverOf = function (own, cuda) {
    return (steps(own).filter(function (s) { return s.least === cuda; })[0] || {}).driver;
  };

  // at is the place of a GPU's compute capability in the tables, the last if it is not there.
  function at(d) {
    var i = tables.capabilities.indexOf(d.compute);
    return i < 0 ? tables.capabilities.length - 1 : i;
  }
  // onBoard reports whether a GPU is that of a Jetson board, whose drivers have other numbers.
  gpu.onBoard = function (d) { return tables.bounds[at(d)] === false; };
  // limits returns {first, last}: of which branch a driver is at least, and at most, that supports all GPUs, {name, least, most}.
  function limits(own) {
    var list = own.devices.map(function (d) { return tables.bounds[at(d)]; }), system = gpu.systems.indexOf(own.os);
    function of(bound, newest) {
      return list.filter(Boolean).map(function (b) { return b[system]; }).filter(function (b) { return b[bound]; })
        .sort(function (a, b) { return newest * order(b[bound][0], a[bound][0]); })[0] || null;
    }
    return list.indexOf(false) >= 0 ? { first: null, last: null } : { first: of("least", 1), last: of("most", -1) };
  }
  // branchOf returns the branch of drivers that bounds those for the GPUs, {name, last: whether it is the last one}, or null.
  gpu.branchOf = function (own) {
    var of = limits(own), branch = of.last || of.first;
    return branch && { name: branch.name, last: !!of.last };
  };

  // named returns the interval of the drivers that the reader names: all of a branch, "535".
  function named(own) {
    var parts = gpu.parts(own.driver);
    if (!parts || parts.length > 1) return parts && { least: parts, most: parts, text: own.driver };
    var first = steps(own).filter(function (s) { return gpu.parts(s.driver)[0] === parts[0]; })[0];
    return { least: first ? gpu.parts(first.driver) : parts, most: parts.concat(9999), text: own.driver, about: true };
  }
  // driverProblem returns why no driver that the reader names supports the GPUs, {is: "first" or "last", driver: the branch that does}, or null.
  gpu.driverProblem = function (own) {
    var have = named(own), of = limits(own);
    if (have && of.first && order(have.most, of.first.least[0]) < 0) return { is: "first", driver: of.first.name };
    return have && of.last && order(have.most, of.last.most[0]) > 0 ? { is: "last", driver: of.last.name } : null;
  };

  // versions returns the intervals of the driver and of its CUDA version, {driver, cuda}. A driver that does not support the GPUs is not known.
  function versions(own) {
    var of = limits(own), bound = of.last || of.first, driver = gpu.driverProblem(own) ? null : named(own), v = { driver: driver, cuda: null };
    var cuda = gpu.parts(own.cuda), board = own.devices.some(gpu.onBoard);
    if (driver && cuda || cuda && !own.driver) v.cuda = { least: cuda, most: cuda, text: own.cuda };
    else if (driver && !board && step(own, driver.least)) { // the numbers of boards are others
      v.cuda = { least: gpu.parts(step(own, driver.least).least), most: gpu.parts(step(own, driver.most).most), about: true };
      v.cuda.text = v.cuda.least.join(".");
    }
    function bounded(i, text) {
      return { least: bound.least && bound.least[i], most: bound.most && bound.most[i], text: (bound.least ? "≥ " : "≤ ") + text };
    }
    if (!driver && bound) v.driver = bounded(0, bound.name);
    if (!v.cuda && !driver && bound) v.cuda = bounded(1, (bound.least || bound.most)[1].join("."));
    return v;
  }
  gpu.versions = versions;

  // overlapping returns what of a list, [value, version, value from there on, ...], is between two bounds.
  function overlapping(list, of) {
    var found = [];
    for (var i = 0; i < list.length; i += 2) {
      var from = i ? gpu.parts(list[i - 1]) : null, to = i + 1 < list.length ? gpu.parts(list[i + 1]) : null;
      if (!(of && of.most && from && order(of.most, from) < 0) && !(of && of.least && to && order(of.least, to) >= 0)) found.push(list[i]);
    }
    return found;
  }
  function columnOf(own, name) { return (gpu.site.answers.runs[name] || [])[columns.indexOf(own.os + "-" + own.arch)]; }
  // isBuilt returns whether there is a build for the machine's system.
  gpu.isBuilt = function (own, name) { return (columnOf(own, name) || []).length > 0; };
  // answers returns those for a GPU with all drivers that the machine may have.
  function answers(own, d, name, v) {
    var column = columnOf(own, name);
    if (!column) return [1];
    return column.length ? overlapping(gpu.site.answers.rows[column[at(d)]], gpu.onBoard(d) ? v.cuda : v.driver) : [0];
  }
  gpu.answers = answers;
  function rank(n) { return n === 1 || n === -1 ? gpu.UNKNOWN : n === 2 || n === 3 ? gpu.YES : gpu.NO; }

  // runs judges software, "cu124" or "torch 2.14.0+cu126": {answer, why, about, whole: it needs no compatibility}. It must run on all GPUs.
  gpu.runs = function (own, name, v) {
    if (!own.devices.length) return { answer: gpu.NO, why: gpu.fill(gpu.site.no_gpu, { what: name }) };
    v = v || versions(own);
    var result = { answer: gpu.YES, why: "", about: !!v.driver && v.driver.about, whole: true };
    own.devices.forEach(function (d) {
      var list = answers(own, d, name, v), ranks = list.map(rank), worst = Math.min.apply(null, ranks);
      result.whole = result.whole && list.every(function (n) { return n === 3; });
      var is = Math.max.apply(null, ranks) === worst ? worst : gpu.UNKNOWN;
      if (is >= result.answer) return;
      result.answer = is;
      result.why = is === gpu.NO && list[0] > 3 ? because(own, d, name, list[0] - 4, v) : "";
    });
    return result;
  };
  // because says why software does not run.
  function because(own, d, name, refusal, v) {
    var r = gpu.site.refusals[refusal], driver = own.driver || (v.driver || { text: "" }).text, cuda = own.driver && v.cuda ? ", CUDA " + v.cuda.text : "";
    var text = gpu.fill(r[0], { what: name, driver: driver + cuda, gpu: d.name, compute: d.compute });
    return r[1] && d.card && tables.packages.indexOf(d.card.name) >= 0 ? text + "; " + r[1] : text;
  }
  // leastDriver returns the oldest driver with which software runs on the machine's GPUs, or "".
  gpu.leastDriver = function (own, name) {
    var of = limits(own);
    return (steps(own).filter(function (s) {
      var driver = gpu.parts(s.driver);
      if (of.first && order(driver, of.first.least[0]) < 0 || of.last && order(driver, of.last.most[0]) > 0) return false;
      return gpu.runs(own, name, { driver: { least: driver, most: driver }, cuda: { least: gpu.parts(s.least), most: gpu.parts(s.most) } }).answer === gpu.YES;
    })[0] || { driver: "" }).driver;
  };

  // ---- facts

  // smallest returns the interval of the least of some intervals, or null if one of them is not known.
  function smallest(list) {
    if (!list.length || list.indexOf(null) >= 0) return null;
    return { least: list.map(function (v) { return v.least; }).sort(order)[0], most: list.map(function (v) { return v.most; }).sort(order)[0] };
  }
  function exactly(parts) { return parts && { least: parts, most: parts, text: parts.join(".") }; }

  // facts returns what requirements are compared with.
  gpu.facts = function (own) {
    var v = versions(own), facts = Object.create(null), devices = own.devices;
    facts.gpus = exactly([devices.length]);
    facts.driver = v.driver;
    facts.cuda = v.cuda;
    facts.memory = smallest(devices.map(function (d) { return d.memory && { least: [Math.round(d.memory[0] * 1048576)], most: [Math.round(d.memory[1] * 1048576)] }; }));
    if (facts.memory) facts.memory.about = gpu.compare(facts.memory.least, facts.memory.most) < 0;
    facts.compute = smallest(devices.map(function (d) { return exactly(gpu.parts(d.compute)); }));
    if (facts.compute) facts.compute = exactly(facts.compute.least);
    if (devices.length) facts.gpu = models(devices);
    // Of Linux the distribution is not known.
    facts.os = own.os === "windows" ? { names: [["windows"]], text: "windows" } :
      { names: [["linux"]], text: "linux", may: function (pattern) { return ["linux", "windows", "macos"].indexOf(pattern) < 0; } };
    facts.arch = { names: [[own.arch, own.arch === "arm64" ? "aarch64" : "x86_64"]], text: own.arch };
    facts.machine = { names: [["~"]], text: "" };
    facts.runs = function (name) { return devices.length && !/^cu\d/.test(name) ? { answer: gpu.UNKNOWN, why: "" } : gpu.runs(own, name, v); };
    return facts;
  };
  // models returns the models of GPUs. The whole name of a chosen card, "A100-SXM4-80GB", is not known.
  function models(devices) {
    var shown = devices.map(function (d) { return d.name; }).filter(function (n, i, all) { return all.indexOf(n) === i; });
    return { text: shown.join(", "), names: devices.map(function (d) {
      var tesla = /^[KMPVT]\d+$/.test(d.name) ? ["Tesla " + d.name] : [];
      return d.exact ? [d.name, d.name.replace(/^NVIDIA /, "")] : [d.name, "NVIDIA " + d.name].concat(tesla);
    }), may: function (pattern) {
      return devices.every(function (d) {
        return !d.exact && pattern.replace(/^\*?(nvidia |geforce |tesla )*/, "").indexOf(d.name.replace(/^GeForce /, "").toLowerCase()) === 0;
      });
    } };
  }

  // meets judges a requirement on the reader's machine: as judge, with found, what the machine has, and varies if that is one of several things.
  gpu.meets = function (source, own) {
    var facts = gpu.facts(own), j = gpu.judge(source, facts), have = j.c && facts[j.c.fact];
    j.found = have && (j.answer === gpu.NO || j.about) && have.text || "";
    j.varies = j.answer === gpu.UNKNOWN && j.about;
    return j;
  };
  // unmetByLastBranch returns the last branch of drivers for the GPUs if no driver of it meets what decided a judgement, or "".
  gpu.unmetByLastBranch = function (j, own) {
    var tree = gpu.site.comparisons.indexOf(j.c), any = gpu.facts(Object.assign({}, own, { driver: "", cuda: "" })), of = gpu.branchOf(own);
    return of && of.last && gpu.evaluate(j.not ? { not: tree } : tree, any).answer === gpu.NO ? of.name : "";
  };
})(gpudocs.gpu);
