// Requirements of blocks, "gpus >= 1 and runs cu124", judged by the rules of internal/report/ask. A test
// holds both to the same answers. The requirements are in their normal form, so faults are no concern.
//
// The facts of a machine are values by name: {parts: [550, 54], text: "550.54"}, with least or most instead of parts if only that bound is
// known, of texts {names: [["linux"]], text}, and runs, a function that judges software. A fact that is missing is unknown.
(function (gpu) {
  "use strict";
  var NO = 0, UNKNOWN = 1, YES = 2;
  gpu.NO = NO; gpu.UNKNOWN = UNKNOWN; gpu.YES = YES;

  var texts = ["machine", "gpu", "os", "arch"], amounts = ["memory", "ram"];
  var units = { B: 1, kB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12, KiB: 1024, MiB: Math.pow(1024, 2), GiB: Math.pow(1024, 3), TiB: Math.pow(1024, 4) };
  var ends = [undefined, "and", "or", ",", ")"];

  // parse returns the tree of a requirement, or null if it has none: comparisons {fact, op, value, source}, {not: tree}
  // and {or: whether, left: tree, right: tree}.
  gpu.parse = function (source) {
    var tokens = source.match(/[<>=!]=?|[(),]|"[^"]*"?|'[^']*'?|[^ \t\r\n<>=!(),"']+/g) || [], at = 0;
    function accept(word) { return tokens[at] === word && at++ >= 0; }
    function pair(or, side) {
      var left = side();
      while (or ? accept("or") : accept("and") || accept(",")) left = { or: or, left: left, right: side() };
      return left;
    }
    function any() { return pair(true, all); }
    function all() { return pair(false, unary); }
    function unary() {
      if (accept("not")) return { not: unary() };
      if (!accept("(")) return comparison();
      var inner = any();
      accept(")");
      return inner;
    }
    function comparison() {
      var from = at, source, c = { fact: tokens[at++], op: "", value: null };
      if (c.fact === "runs") {
        c.value = { text: tokens[at++] };
      } else {
        if (accept("(")) {
          c.fact += "(" + tokens[at] + ")";
          at += 2;
        }
        if (ends.indexOf(tokens[at]) < 0) {
          c.op = tokens[at++];
          c.value = value(c.fact);
        }
      }
      source = tokens.slice(from, at);
      c.source = (source[1] === "(" ? [c.fact].concat(source.slice(4)) : source).join(" ");
      return c;
    }
    function value(fact) {
      var text = tokens[at++];
      if (texts.indexOf(fact) >= 0) return { text: text.replace(/^(["'])(.*)\1$/, "$2") };
      if (amounts.indexOf(fact) >= 0) return { parts: [Math.floor(text * units[tokens[at++]])] };
      return { parts: text.split(".").map(Number) };
    }
    return tokens.length ? any() : null;
  };

  // compare compares two values part by part. A missing part is 0.
  gpu.compare = function (a, b) {
    for (var i = 0; i < Math.max(a.parts.length, b.parts.length); i++) {
      var d = (a.parts[i] || 0) - (b.parts[i] || 0);
      if (d) return d;
    }
    return 0;
  };
  function holds(op, d) {
    return { ">=": d >= 0, "<=": d <= 0, ">": d > 0, "<": d < 0, "!=": d !== 0, "==": d === 0 }[op];
  }
  function bounded(fact) { return fact.least || fact.most; }
  function has(facts, name) { return Object.prototype.hasOwnProperty.call(facts, name); }
  function answer(met) { return met ? YES : NO; }

  // evaluate returns an answer, the comparison that decides, and how it is negated: [YES, comparison, "not "].
  function evaluate(tree, facts) {
    if (tree.not) {
      var of = evaluate(tree.not, facts);
      return [YES - of[0], of[1], "not " + of[2]];
    }
    if (tree.left) {
      var l = evaluate(tree.left, facts), r = evaluate(tree.right, facts);
      return l[0] === r[0] || (l[0] > r[0]) === tree.or ? l : r;
    }
    return [one(tree, facts), tree, ""];
  }
  function one(c, facts) {
    if (!has(facts, c.fact)) return UNKNOWN;
    var have = facts[c.fact];
    if (c.fact === "runs") return gpu.answerOf(have(c.value.text));
    if (texts.indexOf(c.fact) >= 0) return matches(have, c.op, c.value.text);
    if (!c.op) return answer(have.text !== "");
    if (!have.parts && !bounded(have)) return UNKNOWN;
    var first = have.most ? -1 : Math.sign(gpu.compare(have.least || have, c.value)), last = have.least ? 1 : Math.sign(gpu.compare(have.most || have, c.value));
    for (var n = first; n < last; n++) if (holds(c.op, n) !== holds(c.op, last)) return UNKNOWN;
    return answer(holds(c.op, last));
  }

  // judge returns whether a requirement is met, with the comparison that decides and what the machine has.
  gpu.judge = function (tree, facts) {
    if (!tree) return { answer: YES };
    var e = evaluate(tree, facts), c = e[1], v = { answer: e[0], fact: c.fact, need: e[2] + c.source, found: "" };
    if (e[0] === YES) return { answer: YES };
    if (c.fact === "runs") {
      v.verdict = has(facts, "runs") ? facts.runs(c.value.text) : null;
      v.found = v.verdict ? gpu.foundOf(v.verdict) : "";
    } else if (has(facts, c.fact) && (e[0] === NO || !bounded(facts[c.fact]))) v.found = facts[c.fact].text;
    return v;
  };

  // wish returns what would have to be true for a requirement whose answer is unknown, in words: say(comparison) words
  // a comparison, or is null if that cannot be true, join(words, words, or) a pair, and without(words) what must not be true.
  gpu.wish = function (tree, facts, words) {
    function of(t) {
      if (evaluate(t, facts)[0] !== UNKNOWN) return "";
      if (!t.left && !t.not) return words.say(t);
      var l = of(t.not || t.left), r = t.left ? of(t.right) : "";
      if (l === null || r === null) return t.or ? l || r : null;
      if (t.not) return words.without(l);
      return l && r && l !== r ? words.join(l, r, t.or) : l || r;
    }
    return of(tree);
  };

  // matches reports whether all things match a pattern (==), or none does (!=). If a value has may, it says of which
  // patterns it is unknown.
  function matches(have, op, pattern) {
    var glob = lower(pattern), met = have.names.every(function (names) {
      return names.some(function (n) { return gpu.glob(glob, lower(n)); }) === (op === "==");
    });
    return have.may && have.may(glob) && met === (op === "!=") ? UNKNOWN : answer(met);
  }
  function lower(s) { return s.toLowerCase().replace(/\//g, "\0"); }

  // glob matches as Go's path.Match does: * any text, ? a character, [a-c] and [^a-c] one of several, \ quotes.
  gpu.glob = function (pattern, name) {
    var p = Array.from(pattern), n = Array.from(name), units = [], i = 0;
    function letter() { return p[i] === "\\" ? p[++i] : p[i]; }
    for (; i < p.length; i++) {
      if (p[i] === "*") {
        if (units[units.length - 1] !== "*") units.push("*");
      } else if (p[i] === "?") units.push("?");
      else if (p[i] === "[") {
        var unit = [];
        if (p[i + 1] === "^") { unit.not = true; i++; }
        do {
          i++;
          var from = letter(), to = from;
          if (p[i + 1] === "-") { i += 2; to = letter(); }
          unit.push([from, to]);
        } while (p[i + 1] !== "]" && i < p.length);
        i++;
        units.push(unit);
      } else { var c = letter(); units.push([[c, c]]); }
    }
    function fits(unit, c) {
      var code = c.codePointAt(0);
      return unit === "?" || unit.some(function (r) { return r[0].codePointAt(0) <= code && code <= r[1].codePointAt(0); }) !== !!unit.not;
    }
    var u = 0, at = 0, star = -1, back = 0;
    while (at < n.length) {
      if (units[u] === "*") { star = u++; back = at; }
      else if (u < units.length && fits(units[u], n[at])) { u++; at++; }
      else if (star >= 0) { u = star + 1; at = ++back; }
      else return false;
    }
    while (units[u] === "*") u++;
    return u === units.length;
  };
})(gpudocs.gpu);
