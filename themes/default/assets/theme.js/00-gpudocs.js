// What a page can do beyond reading. Every page reads well without it. The files of
// this folder are published as one, theme.js, in the order of their names; what they
// share is here, for a theme's own files too. The text of a page can have any class and any id,
// but no template, button, form or input and no data- attribute: what is asked for here is
// one of these, or may lack whatever stands in the theme's own.
var gpudocs = (function () {
  "use strict";

  // all lists the elements that a selector finds, an element itself among what is within it.
  function all(selector, within) {
    var list = Array.prototype.slice.call((within || document).querySelectorAll(selector));
    if (within && within.matches && within.matches(selector)) list.unshift(within);
    return list;
  }

  // load and save keep a text in this browser; null takes it away.
  function load(key) {
    try { return localStorage.getItem("gpudocs-" + key); } catch (e) { return null; }
  }
  function save(key, value) {
    try {
      if (value === null) localStorage.removeItem("gpudocs-" + key);
      else localStorage.setItem("gpudocs-" + key, value);
    } catch (e) { /* storage is blocked: nothing is remembered */ }
  }

  // mount calls f with the document, and again with each part of the page that is
  // replaced later: what f attaches to elements, it attaches to those within its root.
  var mounted = [];
  function mount(f) {
    mounted.push(f);
    f(document);
  }
  function remount(root) {
    mounted.forEach(function (f) { f(root); });
  }

  return { all: all, load: load, save: save, mount: mount, remount: remount };
})();
