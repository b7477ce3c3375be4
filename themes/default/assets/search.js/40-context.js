(function () {
  "use strict";
  var search = gpudocs.search, length = 150, most = 3, share = 0.2, half = 0.5;

  // marks returns the terms in a text: from, to, the index of the query's word, and its weight: a whole name
  // counts more than its parts.
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

  // runs splits a text at its marks: [text, marked].
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

  // cut shortens a long text to a part with its first mark and as many others as possible.
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
    section.blocks.split("\n").forEach(function (block) {
      var code = block.charAt(0) === "\t", text = code ? block.slice(1) : block;
      var marks = search.marks(index, text, terms), value = distinct(marks) * 2 - (code ? 0.5 : 0);
      if (text && value > best.value) best = { value: value, text: text, marks: marks, code: code };
    });
    if (!best.text) return { runs: [], code: false, value: 0 };
    return { runs: cut(best.text, best.marks), code: best.code, value: Math.max(0, best.value) };
  }

  // picks returns the chunks of a page to show: the text before all headings, if it was found or nothing else was, and the best
  // sections that are not much worse than the first of them.
  search.picks = function (index, page) {
    var intro = index.first[page.page], weights = page.chunks;
    var list = Object.keys(weights).map(Number).filter(function (c) { return c !== intro; });
    list.sort(function (a, b) { return weights[b] - weights[a] || a - b; });
    // Neighbours may be parts of one section, which is shown once.
    var spare = list.slice(0, most).some(function (c, i, l) { return l.indexOf(c + 1) >= 0; }) ? 1 : 0;
    list = list.filter(function (c, i) { return i < most + spare && weights[c] >= weights[list[0]] * share; });
    return weights[intro] ? [intro].concat(list) : list;
  };

  // context returns what to show of a result, once its texts are loaded: the title, and the sections with
  // the words.
  search.context = function (index, page, terms) {
    var sections = [], ids = {}, intro = null, any;
    search.picks(index, page).forEach(function (chunk) {
      var s = any = index.text(chunk), text = snippet(index, s, terms), marked = search.marks(index, s.heading, terms);
      if (!s.id && !s.heading) return void (intro = intro || text);
      if (ids["#" + s.id]) return;
      ids["#" + s.id] = true;
      // A heading that says what is asked, and nothing else, is the best.
      var words = search.words(s.heading, index.language).filter(function (w) { return w.whole || w.parts[0].term; }).length;
      sections.push({ id: s.id, heading: search.runs(s.heading, marked), snippet: text, weight: page.chunks[chunk] * (1 + Math.min(1, marked.length / (words || 1))) });
    });
    var title = search.marks(index, any.title, terms), top = page.chunks[index.first[page.page]] || 0;
    sections.sort(function (a, b) { return b.weight - a.weight; });
    sections = sections.slice(0, most);
    return {
      // Enter leads to the first section, unless the words are rather those of the title and the text below it.
      enter: sections.length && sections[0].weight > top * (title.length ? 1 : half) ? 1 : 0,
      url: any.url, lang: any.lang, title: search.runs(any.title, title),
      snippet: intro && (intro.value > 0 || !sections.length) ? intro : null, sections: sections
    };
  };
})();
