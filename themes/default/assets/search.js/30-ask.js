(function () {
  "use strict";
  var search = gpudocs.search, last = "\uffff";

  // Weights of the ways in which a term matches, relative to an exact match.
  var whole = 3, other = 0.7, prefix = 0.6, shorter = 0.4, typo = 0.4, few = 4, half = 0.5;

  // questions are the words of a query; the last may be incomplete.
  function questions(index, query) {
    query = query.slice(0, 200);
    var open = /\S$/.test(query), list = search.words(query, index.language).slice(0, 10);
    return list.map(function (w, i) {
      var end = open && i === list.length - 1;
      var parts = w.parts.filter(function (p, j) {
        return !p.inner && (p.term || end && j === w.parts.length - 1 && p.word.length > 1);
      });
      return {
        whole: w.whole, open: end,
        parts: parts.map(function (p, j) { return { word: p.word, term: p.term, open: end && j === parts.length - 1 }; })
      };
    }).filter(function (q) { return q.whole || q.parts.length; });
  }

  // others returns stems with alternative letters: muestr for mostr.
  function others(index, term) {
    var list = [];
    (index.head.alts || []).forEach(function (pair) {
      [[pair[0], pair[1]], [pair[1], pair[0]]].forEach(function (p) {
        var at = term.lastIndexOf(p[0]);
        if (at > 0) list.push(term.slice(0, at) + p[1] + term.slice(at + p[0].length));
      });
    });
    return list;
  }

  // near returns the number of letters to change, insert, delete or swap between two words, or most + 1.
  function near(a, b, most) {
    if (Math.abs(a.length - b.length) > most) return most + 1;
    var two, one = [], row, i, j;
    for (j = 0; j <= b.length; j++) one.push(j);
    for (i = 1; i <= a.length; i++) {
      row = [i];
      var best = i;
      for (j = 1; j <= b.length; j++) {
        var v = Math.min(one[j] + 1, row[j - 1] + 1, one[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
        if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) v = Math.min(v, two[j - 2] + 1);
        row.push(v);
        best = Math.min(best, v);
      }
      if (best > most) return most + 1;
      two = one;
      one = row;
    }
    return one[b.length];
  }

  // edits returns the number of typing errors that a word may have. Numbers have none.
  function edits(word) {
    return /[0-9]/.test(word) || word.length < 4 ? 0 : word.length < 8 ? 1 : 2;
  }

  // A hit collects the weights of the terms of one part in each chunk; the best counts.
  function Hit() {
    this.terms = {};
    this.weights = {};
    this.pages = {}; // of long lists: the pages of chunks that are not listed
    this.count = 0;
  }
  Hit.prototype.add = function (term, postings, share) {
    var self = this;
    self.terms[term] = true;
    var rest = search.postings(postings, function (chunk, weight) {
      if (!self.weights[chunk]) self.count++;
      self.weights[chunk] = Math.max(self.weights[chunk] || 0, weight * share);
    });
    if (!rest) return;
    self.count += rest.count;
    rest.pages.forEach(function (page) { self.pages[page] = Math.max(self.pages[page] || 0, rest.weight * share); });
  };
  // each calls f with the chunks of the hits; for a page without a known chunk, with its first.
  Hit.prototype.each = function (index, f) {
    Object.keys(this.weights).forEach(f);
    for (var page in this.pages) if (!this.weights[index.first[page]]) f(index.first[page]);
  };
  Hit.prototype.weight = function (index, chunk) {
    return this.weights[chunk] || this.pages[index.pageOf[chunk]] || 0;
  };

  // exactly matches a part by its stem and as the beginning of a term.
  function exactly(index, part) {
    var hit = new Hit();
    function meet(term, share) {
      index.each(term, term, function (t, p) { hit.add(t, p, share); });
    }
    if (part.term) {
      meet(part.term, 1);
      others(index, part.term).forEach(function (t) { meet(t, other); });
    }
    if (part.open && part.word.length > 1) {
      var found = [];
      index.each(part.word, part.word + last, function (t, p) {
        if (t !== part.term) found.push([t, p]);
      });
      found.sort(function (a, b) { return a[0].length - b[0].length; });
      found.slice(0, 60).forEach(function (f) { hit.add(f[0], f[1], hit.terms[part.term] ? prefix : 1); });
      // "medi" begins "medição", whose stem is "med"; "media" has a stem of its own.
      for (var n = part.word.length - 1; part.term === part.word && n >= Math.max(3, part.word.length - 2); n--) meet(part.word.slice(0, n), shorter);
    }
    return hit;
  }

  // stems returns what an unknown word may be without an ending: "refrence" without "ence" is nearly "refer".
  function stems(index, part) {
    var list = [part.term || part.word], w = part.word;
    for (var n = 4; n < w.length; n++) if (index.language.endings[w.slice(n)] === 1 && list.indexOf(w.slice(0, n)) < 0) list.push(w.slice(0, n));
    return list;
  }

  // begins reports whether a text may be the beginning of an ending: "aca" is, of "acao", and "isasao" nearly.
  function begins(index, tail) {
    if (tail.length < 3) return true;
    for (var e in index.language.endings) if (near(tail, e.slice(0, tail.length), tail.length / 3 | 0) <= (tail.length / 3 | 0)) return true;
    return false;
  }

  // nearly matches a part without exact matches: by the beginning of what is being typed, then with
  // typing errors, of which a short stem may have only one.
  function nearly(index, part) {
    var hit = new Hit(), most = edits(part.word), known = stems(index, part), found = [], plain = /^[a-zñ]*$/.test(part.word);
    for (var n = part.word.length - 1; part.open && !hit.count && n >= Math.max(4, part.word.length - 6); n--) {
      var t = part.word.slice(0, n);
      if (begins(index, part.word.slice(n))) index.each(t, t, function (t, p) { hit.add(t, p, 1); });
    }
    if (hit.count || !most) return hit;
    index.each("", last, function (t, p) {
      if (plain && /[^a-zñ]/.test(t) || t.length < 3) return;
      var d = most + 1;
      known.forEach(function (stem) {
        var may = stem.length < 6 ? 1 : most, n = near(stem, t, may);
        if (n <= may) d = Math.min(d, n + (t[0] === stem[0] ? 0 : 0.5));
      });
      if (part.open && d > 1 && near(part.word, t.slice(0, part.word.length), 1) < 2) d = 1;
      if (d < most + 1) found.push([d, t, p]);
    });
    found.sort(function (a, b) { return a[0] - b[0] || b[2].length - a[2].length; });
    found.slice(0, 5).forEach(function (f) {
      if (f[0] < found[0][0] + 1) hit.add(f[1], f[2], f === found[0] ? 1 : typo);
    });
    return hit;
  }

  // weigh combines the hits of a question's parts into weights of chunks.
  function weigh(index, q) {
    var out = { weights: {}, terms: {} }, n = index.pageOf.length;
    function idf(count) { return Math.log(1 + (n - Math.min(n, count) + 0.5) / (Math.min(n, count) + 0.5)); }
    function add(chunk, weight) { out.weights[chunk] = (out.weights[chunk] || 0) + weight; }
    q.hits.forEach(function (h) {
      Object.keys(h.terms).forEach(function (t) { out.terms[t] = 1; });
    });
    if (q.hits.length) {
      var seen = {};
      q.hits.forEach(function (hit) {
        hit.each(index, function (chunk) {
          var sum = 0;
          if (seen[chunk] || !q.hits.every(function (h) {
            var w = h.weight(index, chunk);
            sum += w * idf(h.count);
            return w;
          })) return;
          seen[chunk] = true;
          add(chunk, sum / q.hits.length);
        });
      });
    }
    if (q.whole) {
      var h = new Hit();
      index.each(q.whole, q.whole + last, function (t, p) {
        // torch.cuda is found in torch.cuda.device_count, --gpu in --gpus while it is typed.
        if (t === q.whole || q.open || /[^a-z0-9]/.test(t.charAt(q.whole.length))) h.add(t, p, t === q.whole ? 1 : prefix);
      });
      h.each(index, function (chunk) { add(chunk, 20 + whole * h.weight(index, chunk) * idf(h.count)); });
      Object.keys(h.terms).forEach(function (t) { out.terms[t] = whole; });
    }
    return out;
  }

  // rank returns the pages that have all words, or as many as any has, the best first, with the weights of their chunks. If
  // these are few, others with one word less count half: long queries seldom have the very words of the author.
  function rank(index, asked) {
    var pages = {}, most = 0;
    asked.forEach(function (a, i) {
      Object.keys(a.weights).forEach(function (chunk) {
        var at = index.pageOf[chunk], p = pages[at] = pages[at] || { page: at, best: [], chunks: {} };
        p.best[i] = Math.max(p.best[i] || 0, a.weights[chunk]);
        p.chunks[chunk] = (p.chunks[chunk] || 0) + a.weights[chunk];
      });
    });
    var list = Object.keys(pages).map(function (at) {
      var p = pages[at], score = 0;
      p.all = 0;
      p.best.forEach(function (b) { score += b; p.all++; });
      p.score = score + Object.keys(p.chunks).reduce(function (a, c) { return Math.max(a, p.chunks[c]); }, 0) / 2;
      most = Math.max(most, p.all);
      return p;
    });
    var full = list.filter(function (p) { return p.all === most; }), best = full.reduce(function (b, p) { return Math.max(b, p.score); }, 0);
    if (full.length < few && most > 1) list.forEach(function (p) {
      if (p.all !== most - 1 || p.score < best * half) return;
      p.score *= half;
      full.push(p);
    });
    full.sort(function (a, b) { return b.score - a.score || a.page - b.page; });
    return { pages: full, terms: asked.map(function (a) { return a.terms; }), partly: most < asked.length };
  }

  // ask calls done with the pages for a query in order, or with null if a file could not be loaded. Nothing is
  // loaded if the query has no word to search for.
  search.ask = function (index, query, done) {
    index.need([""], function (ok) {
      if (!ok) return done(null);
      var asked = questions(index, query), names = [];
      function want(low, high, most) { names = names.concat(index.files(low, high, most)); }
      asked.forEach(function (q) {
        if (q.whole) want(q.whole, q.whole + last, 2);
        q.parts.forEach(function (p) {
          if (p.term) [p.term].concat(others(index, p.term)).forEach(function (t) { want(t, t, 1); });
          if (!p.open || p.word.length < 2) return;
          want(p.word, p.word + last, 4);
          want(p.word.slice(0, 3), p.word.slice(0, 3), 1);
        });
      });
      index.need(names, function (ok) {
        if (!ok) return done(null);
        var missed = [];
        asked.forEach(function (q) {
          q.hits = q.parts.map(function (p) {
            var h = exactly(index, p);
            if (!h.count) missed.push(p);
            return h;
          });
        });
        if (!missed.length) return done(rank(index, asked.map(weigh.bind(null, index))));
        var tries = index.head.tries;
        names = [];
        missed.forEach(function (p) {
          // Most errors are after the first letter; the number of files that are read is limited.
          var w = p.word;
          [w.slice(0, 2), w.charAt(0), w.charAt(1), ""].forEach(function (s) {
            index.files(s, s + last, tries).forEach(function (n) { if (names.length < tries && names.indexOf(n) < 0) names.push(n); });
          });
        });
        index.need(names, function (ok) {
          if (!ok) return done(null);
          asked.forEach(function (q) {
            q.hits = q.hits.map(function (h, i) { return h.count ? h : nearly(index, q.parts[i]); });
          });
          done(rank(index, asked.map(weigh.bind(null, index))));
        });
      });
    });
  };
})();
