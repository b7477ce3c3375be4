(function () {
  "use strict";
  var search = gpudocs.search, last = "\uffff";

  // Weights of the ways in which a term matches, relative to an exact match.
  var whole = 3, other = 0.7, prefix = 0.6, shorter = 0.4, typo = 0.4, few = 4, half = 0.5, same = 0.8, mostWays = 8, mostChecked = 8;

  // named returns a query in which "lesson 5" is the one word that the index has for a page with that number. One for "my GPU" is the word
  // for the field of :::my-gpu.
  function named(index, query) {
    var folded = search.fold(query), own = index.head.own, lesson = new RegExp("(^|\\s)(?:" + index.head.lesson + ")\\s+0*(\\d[\\d.]*)(?=\\s|$)");
    if (own && new RegExp("^\\s*(" + own + ")[\\s?]*$").test(folded)) return "owngpu ";
    var joined = !index.head.lesson ? folded : folded.replace(lesson, function (all, before, n) { return before + "lesson" + (n + ".").replace(/\.+/g, "x"); });
    return joined === folded ? query : joined;
  }

  // questions are the words of a query; the last may be incomplete.
  function questions(index, query) {
    query = named(index, query.slice(0, 200));
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

  // key returns the terms of questions, which are equal for two phrases with the same words.
  function key(asked) {
    return asked.map(function (q) { return q.parts.map(function (p) { return p.term; }).join(" ") || q.whole; }).join(" ");
  }

  // variants returns the questions of a query, and those of what it means in other words: a phrase of it is replaced by each
  // of its synonyms, which is one question.
  function variants(index, query) {
    var asked = questions(index, query), list = [asked];
    index.same = index.same || (index.head.same || []).map(function (group) {
      return group[0].concat(group[1] || []).map(function (phrase, i) {
        var words = questions(index, phrase + " ");
        return { key: key(words), found: i < group[0].length, whole: words.length === 1 ? words[0].whole : "", parts: [].concat.apply([], words.map(function (q) { return q.parts; })) };
      });
    });
    var spans = {};
    for (var i = 0; i < asked.length; i++) for (var j = i + 1; j <= asked.length; j++) spans["$" + key(asked.slice(i, j))] = [i, j];
    index.same.forEach(function (group) {
      var is = group.reduce(function (best, phrase) { // the longest phrase of the query
        var span = spans["$" + phrase.key];
        return span && (!best || span[1] - span[0] > best.to - best.from) ? { from: span[0], to: span[1], key: phrase.key } : best;
      }, null);
      if (is) group.forEach(function (phrase) {
        if (!phrase.found || phrase.key === is.key || list.length === mostWays) return;
        list.push(asked.slice(0, is.from).concat({ whole: phrase.whole, parts: phrase.parts, instead: is.to - is.from }, asked.slice(is.to)));
      });
    });
    return list;
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

  // like reports whether a word of a page is an unknown word with typing errors, or with another ending. Their stems are too short
  // to tell: those of "docker" and "doze" are alike.
  function like(index, part, word) {
    var most = edits(part.word);
    return stems(index, part).concat(part.word).some(function (s) {
      if (near(s, word, most) <= most) return true;
      if (s === part.word ? !part.open : s.length < 5) return false;
      for (var n = s.length - 1; n <= s.length + 1; n++) if (near(s, word.slice(0, n), most) <= (s.length < 6 ? 1 : most)) return true;
      return false;
    });
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
    var out = { weights: {}, terms: {}, list: null }, n = index.pageOf.length;
    function idf(count) { return Math.log(1 + (n - Math.min(n, count) + 0.5) / (Math.min(n, count) + 0.5)); }
    var times = q.instead ? q.instead * same : 1;
    function add(chunk, weight) { weight *= times; out.weights[chunk] = (out.weights[chunk] || 0) + weight; }
    q.hits.forEach(function (h) {
      Object.keys(h.terms).forEach(function (t) { out.terms[t] = 1; });
    });
    if (q.instead) out.list = q.hits.map(function (h) { return h.terms; }); // each word of a phrase counts
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

  // rank returns the pages that have all words, or as many as any has, with the weights of their chunks. If these are few, others with one word less count half: long queries seldom have the very words of the author.
  function rank(index, asked) {
    var pages = {}, most = 0;
    asked.forEach(function (a, i) {
      Object.keys(a.weights).forEach(function (chunk) {
        var at = index.pageOf[chunk], p = pages[at] = pages[at] || { page: at, best: [], chunks: {}, words: {} };
        p.best[i] = Math.max(p.best[i] || 0, a.weights[chunk]);
        p.chunks[chunk] = (p.chunks[chunk] || 0) + a.weights[chunk];
        p.words[chunk] = (p.words[chunk] || 0) + 1;
      });
    });
    var list = Object.keys(pages).map(function (at) {
      var p = pages[at], score = 0;
      p.all = 0;
      for (var c in p.chunks) p.chunks[c] *= p.words[c] / asked.length; // a section with all words is better
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
    return { pages: full, terms: [].concat.apply([], asked.map(function (a) { return a.list || a.terms; })), share: asked.length && most / asked.length };
  }

  // answer joins what was found for the variants of a query: that for those of which pages have the most words, the best pages first.
  function answer(index, ways) {
    var all = ways.map(function (asked) { return rank(index, asked.map(weigh.bind(null, index))); });
    var share = Math.max.apply(null, all.map(function (r) { return r.share; })), pages = {}, out = { terms: [], partly: share < 1, share: share };
    all.forEach(function (r) {
      if (r.share < share) return;
      out.terms = out.terms.concat(r.terms);
      r.pages.forEach(function (p) {
        var old = pages[p.page] = pages[p.page] || p;
        if (old !== p) old.score = Math.max(old.score, p.score) + Math.min(old.score, p.score) * half;
        for (var c in p.chunks) old.chunks[c] = Math.max(old.chunks[c] || 0, p.chunks[c]);
      });
    });
    out.pages = Object.keys(pages).map(function (at) { return pages[at]; });
    out.pages.sort(function (a, b) { return b.score - a.score || a.page - b.page; });
    return out;
  }

  // ask calls done with the pages for a query in order, or with null if a file could not be loaded. Nothing is
  // loaded if the query has no word to search for. Typing errors are looked for only if no page has all words.
  search.ask = function (index, query, done) {
    index.need([""], function (ok) {
      if (!ok) return done(null);
      var ways = variants(index, query), asked = ways[0], names = [];
      function want(low, high, most) { names = names.concat(index.files(low, high, most)); }
      ways.forEach(function (way) {
        way.forEach(function (q) {
          if (q.whole) want(q.whole, q.whole + last, 2);
          q.parts.forEach(function (p) {
            if (p.term) [p.term].concat(others(index, p.term)).forEach(function (t) { want(t, t, 1); });
            if (!p.open || p.word.length < 2) return;
            want(p.word, p.word + last, 4);
            want(p.word.slice(0, 3), p.word.slice(0, 3), 1);
          });
        });
      });
      index.need(names, function (ok) {
        if (!ok) return done(null);
        ways.forEach(function (way) {
          way.forEach(function (q) { q.hits = q.hits || q.parts.map(exactly.bind(null, index)); });
        });
        var found = answer(index, ways), missed = [];
        asked.forEach(function (q) {
          q.hits.forEach(function (h, i) { if (!h.count) missed.push(q.parts[i]); });
        });
        if (!missed.length || !found.partly) return done(found);
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
            q.missed = q.parts.filter(function (p, i) { return missed.indexOf(p) >= 0; });
            q.hits = q.hits.map(function (h, i) { return h.count ? h : nearly(index, q.parts[i]); });
          });
          check(index, asked, answer(index, [asked]), found, done);
        });
      });
    });
  };

  // check calls done with the pages of an answer on which there is a word like each that is missed, or with what was found without it.
  function check(index, asked, more, found, done) {
    if (more.share <= found.share) return done(found);
    var chunks = [];
    more.pages = more.pages.slice(0, mostChecked);
    more.pages.forEach(function (p) { chunks = chunks.concat(search.picks(index, p)); });
    index.read(chunks, function (ok) {
      if (!ok) return done(null);
      more.pages = more.pages.filter(function (p) {
        return asked.every(function (q, i) {
          return !p.best[i] || q.missed.every(function (part) {
            return search.picks(index, p).some(function (chunk) {
              var c = index.text(chunk), text = [c.title, c.heading, c.blocks].join("\n");
              return search.marks(index, text, [more.terms[i]]).some(function (m) { return like(index, part, search.fold(text.slice(m[0], m[1]))); });
            });
          });
        });
      });
      done(more.pages.length ? more : found);
    });
  }
})();
