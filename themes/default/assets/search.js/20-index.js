(function () {
  "use strict";
  var search = gpudocs.search;

  // An index is the files of one language. load(name, done) loads one, which calls head, terms or texts
  // below, and then calls done(ok). part(name, from, to, done) loads bytes of one, and calls
  // done(null) if only whole files can be loaded, as from file://.
  search.Index = function (load, part) {
    this.load = load;
    this.part = part;
    this.terms = {}; // by file: the terms and their postings
    this.waiting = {}; // by file: callbacks
  };
  var now; // the index whose files are being loaded

  search.head = function (h) {
    now.head = h;
    now.language = { stem: search.stemmer(h.steps), stop: {}, endings: {} };
    h.steps.split(/[; ]/).forEach(function (r) { now.language.endings[r.split(/[>:]/)[0]] = 1; });
    h.stop.split(" ").forEach(function (w) { now.language.stop[w] = 1; });
    now.pageOf = [];
    now.first = []; // by page: its first chunk
    h.pages.forEach(function (n, page) {
      now.first.push(now.pageOf.length);
      while (n--) now.pageOf.push(page);
    });
    now.packs = []; // the files of texts
    now.packOf = []; // by page
    for (var i = 0, page = 0; i < h.texts.length; i += 2) {
      now.packs.push({ page: page, size: h.texts[i + 1], at: null, lines: [] });
      for (var n = h.texts[i]; n--; page++) now.packOf.push(i / 2);
    }
  };
  search.terms = function (file, data) {
    var list = { terms: [], postings: [] }, term = "";
    data.split("|").slice(1).forEach(function (e) {
      var at = e.indexOf(" ");
      term = term.slice(0, parseInt(e.charAt(0), 36)) + e.slice(1, at);
      list.terms.push(term);
      list.postings.push(e.slice(at + 1));
    });
    now.terms["t" + file] = list;
  };
  search.texts = function (file, lengths, lines) {
    now.place(file, lengths);
    now.packs[file].lines = lines;
  };

  // need loads files that are not loaded yet, and calls done(ok) when all are.
  search.Index.prototype.need = function (names, done) {
    var self = this, left = 1, ok = true;
    function one(came) {
      ok = ok && came;
      if (!--left) done(ok);
    }
    now = self;
    names.forEach(function (name) {
      if (name ? self.terms[name] : self.head) return;
      left++;
      if (self.waiting[name]) return self.waiting[name].push(one);
      var all = self.waiting[name] = [one];
      self.load(name ? self.head.dir + "/" + name + ".js" : "index.js", function (came) {
        delete self.waiting[name];
        all.forEach(function (f) { f(came); });
      });
    });
    one(true);
  };

  // place computes where the lines of a file of texts begin and end: for each page a line with its address,
  // title and language, and one for each of its chunks.
  search.Index.prototype.place = function (file, lengths) {
    var at = start(file) + this.packs[file].size + 4; // "\n,[\n"
    this.packs[file].at = lengths.map(function (length) {
      var place = [at, at + length];
      at += length + 2; // "\n,"
      return place;
    });
  };
  function start(file) { return ("gpudocs.search.texts(" + file + ",\n").length; }

  // line returns the position of a page's line in its file, or that of the page's chunk if one is given.
  search.Index.prototype.line = function (page, chunk) {
    var first = this.packs[this.packOf[page]].page;
    return (chunk === undefined ? this.first[page] : chunk + 1) - this.first[first] + page - first;
  };

  // text returns a chunk that is loaded, or null.
  search.Index.prototype.text = function (chunk) {
    var page = this.pageOf[chunk], lines = this.packs[this.packOf[page]].lines, p = lines[this.line(page)], c = lines[this.line(page, chunk)];
    return p && c ? { url: p[0], title: p[1], lang: p[2], id: c[0], heading: c[1], blocks: c[2] } : null;
  };

  // read loads the texts of chunks, and then calls done(ok). If the server supports ranges, only these
  // lines are loaded.
  search.Index.prototype.read = function (chunks, done) {
    var self = this, packs = {}, left = 1, ok = true;
    function one(came) {
      ok = ok && came;
      if (!--left) done(ok);
    }
    chunks.forEach(function (c) {
      var page = self.pageOf[c], file = self.packOf[page];
      if (!self.text(c)) packs[file] = (packs[file] || []).concat(self.line(page), self.line(page, c));
    });
    Object.keys(packs).forEach(function (file) {
      left++;
      self.lines(+file, packs[file].sort(function (a, b) { return a - b; }), function (came) {
        if (came) return one(true);
        self.part = null; // not from this server
        self.need(["x" + file], one);
      });
    });
    one(true);
  };

  // lines loads some lines of a file, those that are near one another in one request.
  search.Index.prototype.lines = function (file, lines, done) {
    var self = this, pack = self.packs[file], name = self.head.dir + "/x" + file + ".js", left = 1, ok = !!self.part;
    function one() { if (!--left) done(ok); }
    // bring parses a piece. If it is not JSON, the file is a different one.
    function bring(from, to, f) {
      left++;
      self.part(name, from, to, function (text) {
        try {
          if (text === null) throw text; // a cache or a server may send one part and not the next
          f(JSON.parse("[" + text + "]"));
        } catch (e) { ok = false; }
        one();
      });
    }
    if (ok && !pack.at) {
      left = 0;
      return bring(start(file), start(file) + pack.size, function (list) {
        self.place(file, list[0]);
        left++;
        self.lines(file, lines, function (came) {
          ok = came;
          one();
        });
      });
    }
    for (var i = 0; ok && i < lines.length; i++) {
      var from = lines[i], to = from;
      while (i + 1 < lines.length && pack.at[lines[i + 1]][0] - pack.at[to][1] < 400) to = lines[++i];
      bring(pack.at[from][0], pack.at[to][1], function (from, list) {
        list.forEach(function (l, i) { pack.lines[from + i] = l; });
      }.bind(null, from));
    }
    one();
  };

  // files returns those that have the terms from low up to high, up to a number.
  search.Index.prototype.files = function (low, high, most) {
    var firsts = this.head.terms, list = [];
    for (var i = 0; i < firsts.length && list.length < most; i++) {
      if (firsts[i] > high) break;
      if (i + 1 === firsts.length || firsts[i + 1] > low) list.push("t" + i);
    }
    return list;
  };

  // each calls f with the terms that are loaded, from low up to high.
  search.Index.prototype.each = function (low, high, f) {
    var firsts = this.head.terms;
    for (var i = 0; i < firsts.length && firsts[i] <= high; i++) {
      var list = this.terms["t" + i];
      if (!list || i + 1 < firsts.length && firsts[i + 1] <= low) continue;
      for (var j = 0; j < list.terms.length; j++) {
        if (list.terms[j] >= low && list.terms[j] <= high) f(list.terms[j], list.postings[j]);
      }
    }
  };

  // postings calls f with each chunk of a term and its weight. For a long list it returns what is known of the
  // chunks that are not listed: their number, their mean weight, and their pages.
  var bits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  search.postings = function (data, f) {
    var parts = data.split("!"), re = /([0-9a-z]*)([A-Z])/g, m, chunk = -1;
    while ((m = re.exec(parts[0]))) {
      chunk += 1 + (m[1] ? parseInt(m[1], 36) : 0);
      f(chunk, m[2].charCodeAt(0) - 64);
    }
    if (parts.length < 3) return null;
    var rest = { count: parseInt(parts[1].slice(1), 36), weight: parts[1].charCodeAt(0) - 64, pages: [] };
    for (var i = 0; i < parts[2].length; i++) {
      for (var b = 0, n = bits.indexOf(parts[2].charAt(i)); n; b++, n >>= 1) if (n & 1) rest.pages.push(i * 6 + b);
    }
    return rest;
  };
})();
