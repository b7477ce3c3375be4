// The search of a site's pages. It is loaded when a reader opens search, and then loads the index
// in pieces: see internal/render/search in gpudocs' source. Both turn texts into the terms of the index
// in the same steps; a test compares the two.
gpudocs.search = (function () {
  "use strict";
  var letters = "0-9A-Za-z\u00b5\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u1fff\u2c00-\u2dff\u3040-\ud7ff\uf900-\ufdff";
  var name = new RegExp("-{0,2}[_" + letters + "]+(?:(?:[.\\-]|::|->)[_" + letters + "]+)*(?:\\+\\+|#)?", "g");
  var part = new RegExp("[" + letters + "]+", "g");
  var some = new RegExp("[" + letters + "]"), all = new RegExp("^[" + letters + "]+$");
  var before = new RegExp("[-_" + letters + "]");

  // fold removes capitals and accents; ñ is not an n with an accent.
  function fold(s) {
    s = s.toLowerCase();
    if (/^[\x00-\x7f]*$/.test(s)) return s;
    return s.normalize("NFD").replace(/n\u0303/g, "ñ").replace(/[\u0300-\u036f]/g, "").replace(/ς/g, "σ");
  }

  // stemmer reads the rules of a language: "coes>cao:1 s;...".
  function stemmer(form) {
    var known = Object.create(null), steps = form ? form.split(";").map(function (step) {
      var rules = Object.create(null);
      rules.longest = 0;
      step.split(" ").forEach(function (r) {
        var m = /^([^>:]*)>?([^:]*):?(.*)$/.exec(r);
        rules["$" + m[1]] = { by: m[2], left: m[1].charAt(0) === "^" ? -1 : m[3] === "" ? 3 : +m[3] };
        rules.longest = Math.max(rules.longest, m[1].length);
      });
      return rules;
    }) : [];
    return function (word) {
      if (!steps.length || /[0-9]/.test(word)) return word;
      if (known[word]) return known[word];
      var w = "^" + word;
      steps.forEach(function (rules) {
        for (var at = Math.max(0, w.length - rules.longest); at < w.length; at++) {
          var r = rules["$" + w.slice(at)];
          if (!r || at - 1 < r.left) continue;
          w = (at ? "" : "^") + w.slice(0, at) + r.by;
          return;
        }
      });
      return (known[word] = w.slice(1));
    };
  }

  // hump reports whether a part of a name begins at i: cuda|Malloc, HTTP|Server, but GPUs.
  function hump(s, i) {
    return /[A-Z]/.test(s.charAt(i)) && (!/[A-Z]/.test(s.charAt(i - 1)) || /^[a-z]{2}/.test(s.slice(i + 1)));
  }

  // words returns the names in a text: where each begins and ends, its term as a whole, and the terms of
  // its parts. The term of a stop word is empty.
  function words(text, language) {
    var list = [], m;
    function term(word) {
      if (word.length < 2 || word.length > 40 || language.stop[word] === 1 || /^[0-9]{7}/.test(word) && /^[0-9]+$/.test(word)) return "";
      return language.stem(word);
    }
    name.lastIndex = 0;
    while ((m = name.exec(text))) {
      var s = m[0], at = m.index, flag = /^-*/.exec(s)[0].length;
      if (flag && at && before.test(text.charAt(at - 1))) {
        s = s.slice(flag);
        at += flag;
      }
      var found = { at: at, end: at + s.length, whole: "", parts: [] }, p;
      if (/\.|::|->/.test(s)) {
        var from = 0;
        s.split(/(\.|::|->)/).forEach(function (c, i) { // device_count of torch.cuda.device_count
          if (i % 2 === 0 && some.test(c) && !all.test(c) && fold(c).length <= 60) {
            found.parts.push({ at: at + from, end: at + from + c.length, word: fold(c), term: fold(c), inner: true });
          }
          from += c.length;
        });
      }
      part.lastIndex = 0;
      while ((p = part.exec(s))) {
        var word = p[0], f = fold(word), start = 0;
        found.parts.push({ at: at + p.index, end: at + p.index + word.length, word: f, term: term(f) });
        for (var i = 1; i <= word.length; i++) {
          if (i < word.length ? !hump(word, i) : !start) continue;
          f = fold(word.slice(start, i));
          found.parts.push({ at: at + p.index + start, end: at + p.index + i, word: f, term: term(f), inner: true });
          start = i;
        }
      }
      if (!found.parts.length) continue;
      if (!all.test(s)) {
        f = fold(s);
        if (f.length <= 60) found.whole = f;
      }
      list.push(found);
    }
    return list;
  }

  return { fold: fold, stemmer: stemmer, words: words };
})();
