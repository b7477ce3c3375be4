(function () {
  "use strict";
  var search = gpudocs.search, length = 150, most = 3;

  // marks lists what a text has of the terms: from, to, which of the query's words each is, and
  // what it counts: a whole name more than its parts.
  search.marks = function (index, text, terms) {
    var list = [];
    function which(term) {
      for (var i = 0; term && i < terms.length; i++) if (terms[i][term] > 0) return i;
      return -1;
    }
    search.words(text, index.language).forEach(function (w) {
      var i = which(w.whole);
      if (i >= 0) return list.push([w.at, w.end, i, terms[i][w.whole]]);
      var end = w.at;
      w.parts.forEach(function (p) {
        if (p.at < end || (i = which(p.term)) < 0) return;
        list.push([p.at, p.end, i, terms[i][p.term]]);
        end = p.end;
      });
    });
    return list;
  };

  // runs parts a text at its marks: [text, marked].
  search.runs = function (text, marks) {
    var list = [], at = 0;
    marks.forEach(function (m) {
      if (m[0] > at) list.push([text.slice(at, m[0]), false]);
      list.push([text.slice(m[0], m[1]), true]);
      at = m[1];
    });
    if (at < text.length) list.push([text.slice(at), false]);
    return list;
  };

  // distinct counts the query's words among marks, each once.
  function distinct(marks) {
    var seen = {}, sum = 0;
    marks.forEach(function (m) { seen[m[2]] = Math.max(seen[m[2]] || 0, m[3]); });
    for (var i in seen) sum += seen[i];
    return sum;
  }

  // cut takes so much of a long text that its first mark, and as many others as may be, are in it.
  function cut(text, marks) {
    if (text.length <= length + 20) return search.runs(text, marks);
    var best = 0, from = 0;
    marks.forEach(function (m, i) {
      var n = distinct(marks.slice(i).filter(function (o) { return o[1] < m[0] + length * 0.7; }));
      if (n > best) {
        best = n;
        from = Math.max(0, m[0] - length * 0.3 | 0);
      }
    });
    if (from) {
      var blank = text.indexOf(" ", from);
      if (blank >= 0 && blank < from + 25) from = blank + 1;
      if (/[\udc00-\udfff]/.test(text.charAt(from))) from++;
    }
    var to = from + length, end = text.lastIndexOf(" ", to);
    if (to >= text.length) to = text.length;
    else if (end > to - 25) to = end;
    else if (/[\udc00-\udfff]/.test(text.charAt(to))) to--;
    var list = search.runs(text.slice(from, to), marks.filter(function (m) { return m[0] >= from && m[1] <= to; })
      .map(function (m) { return [m[0] - from, m[1] - from]; }));
    if (from) list.unshift(["… ", false]);
    if (to < text.length) list.push([" …", false]);
    return list;
  }

  // snippet shows the block of a section that has most of the words, prose rather than code.
  function snippet(index, section, terms) {
    var best = { value: -1 };
    section[2].split("\n").forEach(function (block) {
      var code = block.charAt(0) === "\t", text = code ? block.slice(1) : block;
      var marks = search.marks(index, text, terms), value = distinct(marks) * 2 - (code ? 0.5 : 0);
      if (text && value > best.value) best = { value: value, text: text, marks: marks, code: code };
    });
    if (!best.text) return { runs: [], code: false, value: 0 };
    return { runs: cut(best.text, best.marks), code: best.code, value: Math.max(0, best.value) };
  }

  // context tells what to show of a page that was found: its title, and its sections with the words.
  search.context = function (index, found, terms, done) {
    var at = index.fileOf[found.chunk];
    index.need(["x" + at[0]], function (ok) {
      if (!ok) return done(null);
      var c = index.texts[at[0]][at[1]], ids = {}, sections = [], intro = null;
      c[3].forEach(function (s, order) {
        var head = search.marks(index, s[1], terms), text = snippet(index, s, terms);
        var value = distinct(head) * 3 + text.value;
        if (!s[0] && !s[1]) intro = text;
        else if (value > 0 && !ids[s[0]]) sections.push({ id: s[0], heading: search.runs(s[1], head), snippet: text, value: value, order: order });
        if (value > 0) ids[s[0]] = true;
      });
      sections.sort(function (a, b) { return b.value - a.value || a.order - b.order; });
      done({
        url: c[0], lang: c[2], title: search.runs(c[1], search.marks(index, c[1], terms)),
        snippet: intro && (intro.value > 0 || !sections.length) ? intro : null,
        sections: sections.slice(0, most)
      });
    });
  };
})();
