// Which of PyTorch's own builds to install, by the tables for them.
(function (gpu) {
  "use strict";
  var asked = null, answer = null;
  function number(v) { return v.split(".").reduce(function (n, p) { return n * 1000 + +p; }, 0); }
  // builds are those that some system has: {name: "torch 2.14.0+cu126", version: "2.14", toolkit: "12.6", tag: "cu126"}.
  function builds() {
    return Object.keys(gpu.site.answers.runs).map(function (name) { return /^torch (\d+\.\d+)\.0\+(cu(\d\d)(\d))$/.exec(name); }).filter(Boolean)
      .map(function (m) { return { name: m[0], version: m[1], tag: m[2], toolkit: m[3] + "." + m[4] }; })
      .sort(function (a, b) { return number(a.version) - number(b.version); });
  }

  // wheel returns whether a toolkit runs on a machine, "cu126", or a build of PyTorch for it: of a version, "2.3", or the newest for the
  // system. If the driver is not known, that is not known either: an old toolkit, which runs with all drivers, is not better than a new
  // one that may run.
  gpu.wheel = function (own, tag, torch, version) {
    var of = builds().filter(function (b) { return torch && b.tag === tag && (!version || number(version) <= number(b.version)); });
    var here = of.filter(function (b) { return gpu.isBuilt(own, b.name); }), build = version ? here[0] : here[here.length - 1];
    if (of.length && !build) return gpu.NO;
    return Math.min(gpu.runs(own, build ? build.name : tag).answer, own.driver || own.cuda ? gpu.YES : gpu.UNKNOWN);
  };

  // best returns the newest build that runs on a machine, with the oldest driver for it if anyDriver is set, when only the GPUs count, or null.
  function best(own, anyDriver) {
    return builds().map(function (b) {
      var runs = gpu.runs(own, b.name), least = anyDriver ? gpu.leastDriver(own, b.name) : "";
      b.runs = runs.answer;
      b.driver = runs.answer === gpu.YES ? "" : least;
      b.order = [number(b.version)].concat(anyDriver ? [-number(least || "0"), -number(b.toolkit)] : [runs.whole ? 1 : 0, number(b.toolkit)]);
      return b;
    }).filter(function (b) { return b.runs === gpu.YES || b.driver; }).sort(function (a, b) {
      return b.order[0] - a.order[0] || b.order[1] - a.order[1] || b.order[2] - a.order[2];
    })[0] || null;
  }

  // why returns a code for what the answer does not tell by itself: that a newer version has code for the GPUs and its cuDNN none, or that
  // there is none for GPUs so old, or none of PyTorch's own for boards.
  function why(own, build) {
    function some(is) {
      return function (b) { return own.devices.some(function (d) { return gpu.answers(own, d, b.name, gpu.versions(own)).indexOf(is) >= 0; }); };
    }
    if (build) return builds().some(function (b) { return number(b.version) > number(build.version) && some(-1)(b); }) ? "cudnn" : "";
    if (own.devices.some(gpu.onBoard)) return "board";
    return own.devices.length && builds().every(function (b) { return !gpu.isBuilt(own, b.name) || some(-2)(b); }) ? "old" : "";
  }

  // install returns {build, later, last, some, why}. build is the newest build of PyTorch that runs on the reader's machine, later a newer one
  // that runs with a newer driver; both may be null. last is set if no newer PyTorch runs on the GPUs. some is set if the driver is not
  // known: build is then the newest for the GPUs, and says which driver it needs.
  gpu.install = function (own) {
    if (asked === own) return answer;
    var known = gpu.driverProblem(own) ? Object.assign({}, own, { driver: "", cuda: "" }) : own, some = !known.driver && !known.cuda;
    var newest = Math.max.apply(null, builds().map(function (b) { return number(b.version); })), build = best(known, some), later = best(known, true);
    var newer = later && (!build || later.order[0] > build.order[0]);
    if (build) {
      build.command = "pip install " + (number(build.version) === newest ? "torch" : '"torch==' + build.version + '.*"') + " --index-url https://download.pytorch.org/whl/" + build.tag;
    }
    asked = own;
    return answer = { build: build, some: some, later: !some && newer ? later : null, last: build && number(build.version) < newest && !newer, why: why(own, build) };
  };
})(gpudocs.gpu);
