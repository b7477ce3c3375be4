// Requirements of blocks. Go has parsed them when the site was built, in gpu.site: trees by their sources, and the comparisons in them.
//
// A tree is the number of a comparison, {not: tree}, {and: [tree, tree]}, {or: [tree, tree]}, or {base: tree, built: comparison} of what nvcc
// compiles: the base that its author demands, and whether programs of the toolkit run that compiled it here, or null if that is not known. A
// comparison is {fact, op, value, pattern, own, words, not}: see internal/render/mygpu.
//
// The facts of a machine are intervals by name, {least, most, text}, of versions, counts and bytes in parts: [550, 54]. A bound that is missing is
// not known. about is set if the reader's machine has one of them, and nvidia-smi shows which. Texts are {names: [["linux"]], text}; runs is a
// function that judges software. A fact that is missing is unknown.
(function (gpu) {
  "use strict";
  var NO = 0, UNKNOWN = 1, YES = 2;
  gpu.NO = NO; gpu.UNKNOWN = UNKNOWN; gpu.YES = YES;

  // parts returns the parts of a version, or null.
  gpu.parts = function (s) { return /^\d+(\.\d+)*$/.test(s || "") ? s.split(".").map(Number) : null; };
  // compare compares two versions part by part. A missing part is 0.
  gpu.compare = function (a, b) {
    for (var i = 0; i < Math.max(a.length, b.length); i++) {
      var d = (a[i] || 0) - (b[i] || 0);
      if (d) return Math.sign(d);
    }
    return 0;
  };
  function holds(op, d) {
    return { ">=": d >= 0, "<=": d <= 0, ">": d > 0, "<": d < 0, "!=": d !== 0, "==": d === 0 }[op];
  }
  function answer(met) { return met ? YES : NO; }

  // one answers a comparison. All values between the bounds must give the same answer.
  function one(c, facts) {
    var have = facts[c.fact];
    if (!have) return UNKNOWN;
    if (c.pattern) return matches(have, c);
    var first = have.least ? gpu.compare(have.least, c.value) : -1, last = have.most ? gpu.compare(have.most, c.value) : 1;
    for (var n = first; n < last; n++) if (holds(c.op, n) !== holds(c.op, last)) return UNKNOWN;
    return answer(holds(c.op, last));
  }

  // matches answers whether all things match a pattern (==), or none does (!=). If a value has may, it says of which patterns it is unknown.
  function matches(have, c) {
    var pattern = new RegExp(c.pattern, "su"), met = have.names.every(function (names) {
      return names.some(function (n) { return pattern.test(n.toLowerCase()); }) === (c.op === "==");
    });
    return have.may && have.may(c.value.toLowerCase()) && met === (c.op === "!=") ? UNKNOWN : answer(met);
  }

  // evaluate returns {answer, c: the comparison that decides, not: whether it is negated, about, why, toolkit: whether it is the compiler's}.
  function evaluate(tree, facts) {
    if (tree === null) return { answer: YES };
    if (typeof tree === "number") {
      var c = gpu.site.comparisons[tree], have = facts[c.fact];
      if (c.fact === "runs" && have) return Object.assign({ c: c, not: false }, have(c.value));
      return { answer: one(c, facts), c: c, not: false, about: !!have && have.about, why: "" };
    }
    if ("built" in tree) return compiled(evaluate(tree.base, facts), tree.built === null ? null : evaluate(tree.built, facts));
    if ("not" in tree) {
      var of = evaluate(tree.not, facts);
      return Object.assign({}, of, { answer: YES - of.answer, not: !of.not });
    }
    var pair = tree.and || tree.or, l = evaluate(pair[0], facts), r = evaluate(pair[1], facts);
    if (l.answer === r.answer) return l.answer === UNKNOWN && r.about ? r : l; // what nvidia-smi shows before what nobody knows
    return l.answer > r.answer === !!tree.or ? l : r;
  }
  // compiled is never NO for the toolkit's sake, as a reader may have another one.
  function compiled(base, built) {
    if (base.answer !== YES || built && built.answer === YES) return base;
    return Object.assign({ toolkit: !built || built.answer === NO }, built, { answer: UNKNOWN });
  }
  gpu.evaluate = evaluate;
  gpu.judge = function (source, facts) {
    var tree = gpu.site.trees[source];
    return tree === undefined ? { answer: source ? UNKNOWN : YES } : evaluate(tree, facts);
  };

  // wish returns what would have to be true for a requirement whose answer is unknown, in words: say(comparison) words
  // a comparison, or is null if that cannot be true, join(words, words, or) a pair, and without(words) what must not be true.
  gpu.wish = function (source, facts, words) {
    function of(t) {
      if (t === null || evaluate(t, facts).answer !== UNKNOWN) return "";
      if (typeof t === "number") return words.say(gpu.site.comparisons[t]);
      if ("built" in t) return of(t.base) || of(t.built);
      var pair = t.and || t.or || [t.not, null], l = of(pair[0]), r = of(pair[1]);
      if (l === null || r === null) return t.or ? l || r : null;
      if ("not" in t) return words.without(l);
      return l && r && l !== r ? words.join(l, r, !!t.or) : l || r;
    }
    return of(gpu.site.trees[source]);
  };

  // fill puts values into the places of a text: {what}.
  gpu.fill = function (text, values) {
    return text.replace(/\{(\w+)\}/g, function (place, name) { return name in values ? values[name] : place; });
  };
})(gpudocs.gpu);
