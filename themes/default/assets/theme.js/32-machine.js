(function () {
  "use strict";
  var all = gpudocs.all, save = gpudocs.save;
  var html = document.documentElement;
  var pick = document.querySelector(".pick");

  // The machine that the reader has chosen; theme-early.js has read it. The tabs of a
  // panel are a look at one result, and change nothing but that panel.
  function machine() { return html.getAttribute("data-machine") || ""; }

  // order puts the machine's tab first in a panel, and the others as they were.
  function order(box, name) {
    var panes = all(".pane", box).filter(function (p) { return p.parentNode === box; });
    function rank(p) { return p.getAttribute("data-of") === name ? 0 : +/\d*$/.exec(p.id)[0]; }
    panes.sort(function (a, b) { return rank(a) - rank(b); });
    var chosen = null;
    panes.forEach(function (p) {
      var label = p.previousElementSibling, radio = label && label.previousElementSibling;
      if (!radio || radio.type !== "radio") return;
      if (!chosen || radio.defaultChecked) chosen = radio;
      [radio, label, p].forEach(function (n) { box.appendChild(n); });
    });
    var mine = panes[0] && panes[0].getAttribute("data-of") === name && box.querySelector("input");
    if (mine || chosen) (mine || chosen).checked = true;
  }

  // show has all within root speak of the machine; page is set where it is that of a text whose pieces have come.
  function show(root, page) {
    var name = machine();
    fill(name, page);
    all("[data-for]", root).forEach(function (n) { n.hidden = n.getAttribute("data-for") !== name; });
    all(".switch-machines", root).forEach(function (box) { order(box, name); });
    if (name && !page) texts().forEach(function (text) { fetchLater(text, name); });
  }

  // What the page has no room for comes in scripts, each for several machines; for the
  // machine that was chosen before, theme-early.js has asked. On the page of a section it comes from
  // those of each page.
  var early = window.gpudocsDeliver, tools = early && early.tools, delivered = {}, asked = {};
  // texts are what has places: where, of which address, with which machines, and whether it is the page itself.
  function texts() {
    return all("[data-here]").map(function (n) {
      var whole = n.tagName === "SCRIPT";
      return { root: whole ? document : n, whole: whole, here: n.getAttribute("data-here").split(" "),
        page: new URL(whole ? "." : n.getAttribute("data-page"), document.baseURI).href.replace(/[^/]*$/, "") };
    });
  }
  function fetchLater(text, name) {
    var file = tools && tools.fileOf(name, text.here);
    if (!file || (delivered[text.page] || {})[name] || asked[text.page + file]) return;
    file = text.page + file;
    asked[file] = true;
    var script = document.createElement("script");
    script.src = file;
    script.onerror = function () { asked[file] = false; };
    document.head.appendChild(script);
  }
  function fill(name, page) {
    texts().forEach(function (text) {
      if (page && text.page !== page) return;
      var pieces = (delivered[text.page] || {})[name];
      if (pieces) pieces.slice(0, text.whole ? 2 : 1).forEach(function (list, own) { put(text, name, list, tools.placesOf(text.root, own)); });
    });
  }
  function put(text, name, list, places) {
    if (list.length !== places.length) return; // it is of another state of the page
    places.forEach(function (place, i) {
      var there = Array.prototype.some.call(place.children, function (n) {
        return (n.getAttribute("data-for") || n.getAttribute("data-of")) === name;
      });
      if (!there && list[i]) place.insertAdjacentHTML("beforeend", text.whole ? list[i] : settle(list[i], text));
    });
  }
  // settle makes a piece of a page fit to stand on the section's: ids get the prefix of the page's place, addresses
  // begin at the page.
  function settle(piece, text) {
    var box = document.createElement("template"), prefix = text.root.id + ".";
    box.innerHTML = piece;
    all("*", box.content).forEach(function (n) {
      ["id", "for", "aria-labelledby", "aria-describedby", "aria-controls"].concat(n.tagName === "INPUT" ? "name" : []).forEach(function (key) {
        if (n.hasAttribute(key)) n.setAttribute(key, n.getAttribute(key).replace(/\S+/g, prefix + "$&"));
      });
      ["href", "src"].forEach(function (key) {
        var to = n.getAttribute(key);
        if (to && to[0] !== "#") n.setAttribute(key, new URL(to, text.page).href);
      });
    });
    return box.innerHTML;
  }
  function deliver(forms, machines) {
    var from = document.currentScript && /^(.*\/)_on\/\d+\.js/.exec(document.currentScript.src);
    receive(from ? from[1] : location.href, forms, machines);
  }
  function receive(page, forms, machines) {
    var missed = location.hash && !document.querySelector(":target");
    var found = delivered[page] = delivered[page] || {};
    Object.keys(machines).forEach(function (name) {
      found[name] = machines[name].map(function (list) { return tools.unpack(forms, list, name); });
    });
    if (!machines[machine()]) return;
    texts().forEach(function (text) { if (text.page === page) show(text.root, page); });
    html.removeAttribute("data-machine-later");
    if (pick && pick.matches(":focus")) announce();
    if (missed) dispatchEvent(new Event("hashchange")); // to what has come
  }
  window.gpudocsDeliver = deliver;
  if (early && machine()) texts().forEach(function (text) {
    if (text.whole) asked[text.page + tools.fileOf(machine(), text.here)] = true;
  });

  // announce tells those who do not see the page.
  function announce() {
    var said = document.querySelector(".picked"), name = machine();
    var text = document.querySelector(".mine-of:not([hidden]) .mine-text");
    if (said) said.textContent = text ? text.textContent : pick.getAttribute(name ? "data-say" : "data-none").replace("{machine}", name);
  }

  // address is that of the page with the machine, so that it can be copied and sent.
  function address(url, name) {
    var u = new URL(url);
    u.search = u.search.replace(/([?&])machine=[^&]*(&|$)/, "$1").replace(/[?&]$/, "");
    if (name) u.search += (u.search ? "&" : "?") + "machine=" + name;
    return u.href;
  }

  function choose(name) {
    if (name) html.setAttribute("data-machine", name);
    else html.removeAttribute("data-machine");
    html.removeAttribute("data-machine-later");
    save("machine", name || null);
    try { history.replaceState(history.state, "", address(location.href, name)); } catch (e) { /* a file of the disk */ }
    show(document);
    announce();
  }

  if (pick) {
    if (pick.value !== machine()) pick.value = machine();
    pick.addEventListener("change", function () { choose(pick.value); });
    addEventListener("pageshow", function (e) { if (e.persisted) pick.value = machine(); });
    // Another tab of the browser has chosen.
    addEventListener("storage", function (e) {
      if (e.key !== "gpudocs-machine" || machine() === (e.newValue || "")) return;
      pick.value = e.newValue || "";
      if (pick.selectedIndex < 0) return;
      if (e.newValue) html.setAttribute("data-machine", e.newValue);
      else html.removeAttribute("data-machine");
      show(document);
    });
    // Where nothing can be kept, links carry it on.
    document.addEventListener("click", function (e) {
      var a = e.target.closest && e.target.closest("a[href]");
      if (!a || !machine() || gpudocs.load("machine") === machine() || a.origin !== location.origin || /[?&]machine=/.test(a.search)) return;
      if (a.pathname === location.pathname || a.hasAttribute("download")) return;
      a.href = address(a.href, machine());
    }, true);
  }
  if (early && early.all) texts().forEach(function (text) {
    if (text.whole) receive(text.page, early.all[0], early.all[1]);
  });
  gpudocs.mount(function (root) {
    if (root !== document) delivered = {}, asked = {}; // another text may have other places
    show(root);
  });
})();
