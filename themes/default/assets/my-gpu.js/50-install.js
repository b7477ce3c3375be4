// Which of PyTorch's own builds to install, by the table of internal/report/compat.
(function (gpu) {
  "use strict";
  function number(v) { return v.split(".").reduce(function (n, p) { return n * 1000 + +p; }, 0); }
  var rows = gpu.tables.builds.filter(function (b) { return b[0] === "torch"; }).map(function (b) {
    return { of: b, version: b[3], toolkit: b[1], tag: "cu" + b[1].replace(".", "") };
  });
  var newest = rows.reduce(function (n, r) { return Math.max(n, number(r.version)); }, 0);

  // judge returns the verdict on a build, of which there may be none for the system.
  function judge(m, r) {
    if (!gpu.archs(r.of, m)) return { answer: "no", by: "system" };
    return gpu.runs({ os: m.os, arch: m.arch, gpu: m.gpu, frameworks: [{ name: "torch", version: r.version + ".0+" + r.tag, cuda: r.toolkit }] }, "torch");
  }

  // wheel returns whether a toolkit runs on a machine, "cu126", or a build of PyTorch for it: of a version, "2.3", or the newest for the
  // system. If the driver is not known, that is not known either: an old toolkit, which runs with all drivers, is not better than a new
  // one that may run.
  gpu.wheel = function (own, tag, torch, version) {
    var of = rows.filter(function (r) {
      return torch && r.tag === tag && (!version || number(r.of[2]) <= number(version) && number(version) <= number(r.version));
    });
    function answer(m, v) { return Math.min(gpu.answerOf(v), m.gpu.driver || m.gpu.cuda ? gpu.YES : gpu.UNKNOWN); }
    return Math.min.apply(null, gpu.machines(own).map(function (m) {
      var newest = of.filter(function (r) { return gpu.archs(r.of, m); }).pop();
      return newest ? answer(m, judge(m, newest)) : of.length ? gpu.NO : answer(m, gpu.runs(m, tag));
    }));
  };

  // best returns the newest build that runs on a machine, with the verdict on it, or null. If anyDriver is set, only the GPUs count.
  function best(m, anyDriver) {
    var found = null;
    rows.forEach(function (r) {
      var v = judge(m, r), rank = gpu.answerOf(v);
      var driver = v.need_minor || v.need_driver;
      if (rank !== gpu.YES && !(anyDriver && v.by === "driver" && driver)) return;
      var order = anyDriver ? [number(r.version), -number(driver || "0"), -number(r.toolkit)] : [number(r.version), v.answer === "yes" ? 1 : 0, number(r.toolkit)];
      if (found && (order[0] - found.order[0] || order[1] - found.order[1] || order[2] - found.order[2]) < 0) return;
      found = { version: r.version, toolkit: r.toolkit, tag: r.tag, verdict: v, order: order };
    });
    return found;
  }

  // why returns a code for what the answer does not tell by itself: that a newer version has code for the GPUs and its cuDNN none, or that
  // there is none for GPUs so old, or none of PyTorch's own for boards.
  function why(m, build) {
    if (build) return rows.some(function (r) { return number(r.version) > number(build.version) && judge(m, r).by === "cudnn"; }) ? "cudnn" : "";
    var compute = m.gpu.devices.map(function (d) { return Math.round(d.compute * 10); }), oldest = Math.min.apply(null, rows.map(function (r) { return parseFloat(r.of[4]) * 10; }));
    if (compute.some(function (c) { return c < oldest; })) return "old";
    return compute.some(function (c) { return gpu.tables.boards.indexOf(c) >= 0; }) ? "board" : "";
  }

  // install returns {build, later, last, some, why}. build is the newest build of PyTorch that runs on the reader's machine, later a newer one
  // that runs with a newer driver; both may be null. last is set if no newer PyTorch runs on the GPUs. some is set if the driver is not
  // known: build is then the newest for the GPUs, and its verdict says which driver it needs.
  gpu.install = function (own) {
    var m = gpu.machines(own)[0], some = !m.gpu.driver && !m.gpu.cuda, build = best(m, some), later = best(m, true);
    if (build) {
      build.command = "pip install " + (number(build.version) === newest ? "torch" : '"torch==' + build.version + '.*"') + " --index-url https://download.pytorch.org/whl/" + build.tag;
    }
    return { build: build, some: some, later: !some && later && (!build || later.order[0] > build.order[0]) ? later : null, last: build && number(build.version) < newest && !(later && later.order[0] > build.order[0]), why: own.devices.length ? why(m, build) : "" };
  };
})(gpudocs.gpu);
