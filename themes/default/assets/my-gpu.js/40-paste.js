// What readers paste: the table of nvidia-smi, nvidia-smi -L, -q, or --query-gpu as CSV. Only cards, memory, driver and CUDA are
// read; what else is in the text is dropped.
(function (gpu) {
  "use strict";
  var longest = 200000, lines = 4000, most = 64;

  function mib(text) {
    var m = /^\s*(\d{1,8}) ?(MiB|GiB|MB)?\s*$/.exec(text || "");
    return m ? m[2] === "GiB" ? m[1] * 1024 : +m[1] : 0;
  }

  // paste returns {own, mig, unknown, boards}: the machine, whether a GPU is divided, the names of GPUs that are not in the tables, and what to
  // look for if a GPU is that of several boards. own is null if the text has no GPU.
  gpu.paste = function (text) {
    var list = [], driver = "", cuda = "", mig = false, parts = [], os = "", smi = "";
    function first(re, was) { var m = re.exec(text); return m ? m[1] : was; }
    text = String(text).slice(0, longest);
    var rows = text.split(/\r\n|\n|\r/).slice(0, lines).map(function (l) { return l.slice(0, 400); });
    text = rows.join("\n");
    driver = first(/(?:Driver|KMD) Version *: *([\d.]{3,15})/, "");
    cuda = first(/CUDA (?:UMD |DRIVER )?Version *: *(\d{1,2}\.\d{1,2})/i, "");
    smi = first(/NVIDIA-SMI (?:version *: *)?([\d.]{3,15})/, "");
    function add(name, memory, compute) {
      name = name.replace(/\s+/g, " ").trim().slice(0, 80);
      if (name && list.length < most) list.push({ name: name, mib: memory || 0, compute: compute || "" });
      return list[list.length - 1];
    }
    function last() { return list[list.length - 1]; }

    var columns = null, within = "", inMig = false;
    rows.forEach(function (row) {
      var m;
      if (/^\| MIG devices/.test(row)) inMig = true;
      if (/^\| Processes/.test(row)) inMig = false;
      // | 0  NVIDIA A100-SXM4-40GB   On  | 00000000:07:00.0 Off |  0 |
      if ((m = /^\|\s*(\d{1,3})\s+(\S.*?)\s+(?:On|Off|WDDM|TCC|MCDM|N\/A)\s*\|\s*(?:[0-9A-F]{4,8}:[0-9A-F]{2}:[0-9A-F]{2}\.\d|N\/A)/i.exec(row)) && !inMig) {
        add(m[2]);
        within = "table";
      } else if ((m = /(\d{1,8})MiB *\/ *(\d{1,8})MiB/.exec(row)) && (inMig || within === "table")) {
        if (inMig && /^\|\s*\d+\s+\d+\s+\d+\s+\d+\s/.test(row)) parts.push({ gpu: +/\d+/.exec(row)[0], mib: +m[2] });
        else if (!inMig && last()) { last().mib = +m[2]; within = ""; }
      } else if ((m = /^GPU (\d{1,3}): (.*?) \(UUID: [^)]*\)/.exec(row.trim()))) { // -L
        add(m[2]);
      } else if ((m = /^\s+MIG (\d+g\.(\d+)gb\S*)\s+Device\s+\d+:/.exec(row))) {
        mig = true;
        if (last()) parts.push({ gpu: list.length - 1, mib: m[2] * 1024 });
      } else if ((m = /^\s*Product Name\s*: (.*)$/.exec(row))) { // -q
        add(m[1]);
        within = "q";
      } else if (within && /^\s*FB Memory Usage\s*$/.test(row)) within = "fb";
      else if (within === "fb" && (m = /^\s*Total\s*: (.*)$/.exec(row))) {
        if (last()) last().mib = mib(m[1]);
        within = "q";
      } else if (/^\s*MIG Mode\s*$/.test(row)) within += "+mig";
      else if (/\+mig$/.test(within) && (m = /^\s*Current\s*: (\w+)/.exec(row))) {
        mig = mig || m[1] === "Enabled";
        within = within.replace(/\+mig$/, "");
      } else if (/(^|, *)(name|gpu_name|driver_version|memory\.total( \[\w+\])?|compute_cap)(,|$)/.test(row.trim())) { // a head of CSV
        columns = row.split(",").map(function (c) { return c.trim().split(" ")[0]; });
      } else if (columns && row.indexOf(",") > 0 || !columns && /^[^|:]*\d ?MiB\b/.test(row) && row.indexOf(",") > 0) {
        csv(row.split(",").map(function (c) { return c.trim(); }));
      }
    });
    function csv(cells) {
      var got = { name: "", mib: 0, compute: "" };
      cells.forEach(function (cell, i) {
        var column = columns ? columns[i] : "";
        if (column === "name" || column === "gpu_name" || !columns && !got.name && gpu.named(cell)) got.name = cell;
        else if (column === "memory.total" || !columns && !got.mib && /MiB$/.test(cell)) got.mib = mib(cell);
        else if (column === "driver_version" || !columns && /^\d{3}\.\d+(\.\d+)?$/.test(cell)) driver = driver || cell;
        else if ((column === "compute_cap" || !columns) && /^\d{1,2}\.\d$/.test(cell)) got.compute = cell;
      });
      if (got.name) add(got.name, got.mib, got.compute);
    }

    if (parts.length) mig = true;
    parts.forEach(function (p) { // a program sees one part at most
      var g = list[p.gpu];
      if (g) g.part = Math.max(g.part || 0, p.mib);
    });
    if (/\b(WDDM|TCC|MCDM)\b|[A-Z]:\\/.test(text)) os = "windows";
    else os = smi && driver && smi !== driver && driver.split(".").length === 2 ? "wsl" : "linux";
    var unknown = [], devices = [], boards = "";
    list.forEach(function (g) {
      var size = /(\d{1,3}) ?GB\b/.exec(g.name), card = gpu.named(g.name, g.mib || size && size[1] * 1024) || gpu.named(g.name); // -L has no memory
      var d = gpu.device(card, g.name, g.part || g.mib, g.compute);
      if (!d.compute) unknown.push(g.name);
      if (d.compute || d.memory) devices.push(d);
      if (!card && !boards.length && gpu.board(g.name)) boards = gpu.board(g.name).title;
    });
    return { own: devices.length ? gpu.own(devices, driver.split(".").slice(0, 3).join("."), cuda, os) : null, mig: mig, unknown: unknown, boards: boards };
  };
})(gpudocs.gpu);
