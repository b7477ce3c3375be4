// The interactive parts of a page, which is readable without them. The files of this folder are
// published as one, theme.js, in the order of their names; what they share is here, also for
// a theme's own files. The text of a page can have any class and any id, but no template, button,
// form or input and no data- attribute: selectors must match one of these, or elements
// whose parts may be missing.
var gpudocs = (function () {
  "use strict";

  // all returns the elements that match a selector, root included.
  function all(selector, within) {
    var list = Array.prototype.slice.call((within || document).querySelectorAll(selector));
    if (within && within.matches && within.matches(selector)) list.unshift(within);
    return list;
  }

  // load and save keep a text in this browser; null removes it.
  function load(key) {
    try { return localStorage.getItem("gpudocs-" + key); } catch (e) { return null; }
  }
  function save(key, value) {
    try {
      if (value === null) localStorage.removeItem("gpudocs-" + key);
      else localStorage.setItem("gpudocs-" + key, value);
    } catch (e) { /* storage is blocked */ }
  }

  // mount calls f with the document, and again with each part of the page that is replaced
  // later: f attaches handlers to elements within its root only.
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
