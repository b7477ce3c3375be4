(function () {
  "use strict";
  var search = gpudocs.search;

  // An index is the files of one language. load(name, done) brings one, which calls head,
  // terms or texts below; done(ok) is called then.
  search.Index = function (load) {
    this.load = load;
    this.terms = {}; // by file: the terms and their postings
    this.texts = {}; // by file: its sections
    this.waiting = {}; // by file: who wants it
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
    now.fileOf = [];
    h.texts.forEach(function (n, file) { for (var i = 0; i < n; i++) now.fileOf.push([file, i]); });
  };
  search.terms = function (file, data) {
    var list = { terms: [], postings: [] }, term = "";
    data.split("|").slice(1).forEach(function (e) {
      var at = e.indexOf(" ");
      term = term.slice(0, parseInt(e.charAt(0), 36)) + e.slice(1, at);
      list.terms.push(term);
      list.postings.push(e.slice(at + 1));
    });
    now.terms[file] = list;
  };
  search.texts = function (file, pages) {
    var list = now.texts[file] = [];
    pages.forEach(function (p) {
      p[3].forEach(function (s) { list.push({ url: p[0], title: p[1], lang: p[2], id: s[0], heading: s[1], blocks: s[2] }); });
    });
  };

  // need loads files that are not there yet, and calls done(ok) when all are.
  search.Index.prototype.need = function (names, done) {
    var self = this, left = 1, ok = true;
    function one(came) {
      ok = ok && came;
      if (!--left) done(ok);
    }
    now = self;
    names.forEach(function (name) {
      var kind = name.charAt(0) === "t" ? self.terms : self.texts;
      if (name ? kind[name.slice(1)] : self.head) return;
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

  // text is a chunk whose file is there.
  search.Index.prototype.text = function (chunk) {
    var at = this.fileOf[chunk];
    return this.texts[at[0]][at[1]];
  };

  // files lists those that have the terms from low up to high, at most so many.
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
      var list = this.terms[i];
      if (!list || i + 1 < firsts.length && firsts[i + 1] <= low) continue;
      for (var j = 0; j < list.terms.length; j++) {
        if (list.terms[j] >= low && list.terms[j] <= high) f(list.terms[j], list.postings[j]);
      }
    }
  };

  // postings calls f with each chunk of a term and its weight.
  search.postings = function (data, f) {
    var re = /([0-9a-z]*)([A-Z])/g, m, chunk = -1;
    while ((m = re.exec(data))) {
      chunk += 1 + (m[1] ? parseInt(m[1], 36) : 0);
      f(chunk, m[2].charCodeAt(0) - 64);
    }
  };
})();
