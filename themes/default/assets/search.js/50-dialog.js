(function () {
  "use strict";
  var search = gpudocs.search, first = 3, second = 5, further = 10;

  // start sets up the dialog, with the index at an address. Texts of pages are added to the document
  // as text only.
  search.start = function (dialog, address) {
    var base = address.slice(0, address.lastIndexOf("/") + 1), site = base.replace(/_search\/$/, "");
    var local = location.protocol === "file:"; // no server looks for index.html
    var input = dialog.querySelector("input"), list = dialog.querySelector(".search-list"), say = dialog.querySelector(".search-say");
    var help = dialog.querySelector(".search-help"), more = dialog.querySelector(".search-more");
    var index = new search.Index(load, !local && window.fetch && part), asked = 0, timer, chosen = null, moved = false, shown = 0, found = null;

    function load(name, done) {
      var script = document.createElement("script");
      function end(ok) {
        script.remove();
        done(ok);
      }
      script.onload = function () { end(true); };
      script.onerror = function () { end(false); };
      script.src = base + name;
      document.head.appendChild(script);
    }

    // part requests a range of bytes, which not all servers support.
    function part(name, from, to, done) {
      fetch(base + name, { headers: { Range: "bytes=" + from + "-" + (to - 1) } }).then(function (r) {
        if (r.status === 206) return r.text();
        if (r.body && r.body.cancel) r.body.cancel();
        return null;
      }).then(done, function () { done(null); });
    }

    function tell(name, query, n) {
      var text = name && say.getAttribute("data-" + name).replace("{query}", function () { return query; }).replace("{n}", n);
      if (say.textContent !== text) say.textContent = text;
      help.hidden = name !== "none";
    }

    function make(tag, name, within) {
      var e = document.createElement(tag);
      if (name) e.className = name;
      if (within) within.appendChild(e);
      return e;
    }

    // write adds a text to an element, with the words of the query marked.
    function write(e, runs, lang) {
      if (lang) e.lang = lang;
      runs.forEach(function (r) {
        if (r[1]) make("mark", "", e).textContent = r[0];
        else e.appendChild(document.createTextNode(r[0]));
      });
    }

    function hit(name, page, id, title, snippet) {
      var a = make("a", "search-hit " + name);
      var url = page.url + (local && /^$|\/$/.test(page.url) ? "index.html" : "");
      a.href = site + encodeURI(url).replace(/[?#]/g, encodeURIComponent) + (id ? "#" + encodeURIComponent(id) : "");
      a.setAttribute("role", "option");
      a.setAttribute("aria-selected", "false");
      a.tabIndex = -1;
      var head = make("span", "search-title", a);
      write(head, title, page.lang);
      if (page.lang && !id) make("span", "code-tag", a).textContent = page.lang;
      if (snippet && snippet.runs.length) write(make(snippet.code ? "code" : "span", "search-text", a), snippet.runs, page.lang);
      return a;
    }

    // suggested returns the result for a card that the query names, or for a machine with it.
    function suggested(s) {
      var a = hit("search-page", { url: s.url || "" }, "", [[s.title]]), to = s.url === null ? new URL(location.href) : a;
      to.search = s.query;
      a.href = to.href.replace(/#.*/, "") + (s.id && "#" + s.id);
      return a;
    }

    // show adds the next pages to the list.
    function show(number, done) {
      var turn = asked, enter = 0, next = found.pages.slice(shown, shown + number), chunks = [];
      next.forEach(function (p) { chunks = chunks.concat(search.picks(index, p)); });
      index.read(chunks, function (ok) {
        if (turn !== asked) return;
        if (!ok) return tell("failed");
        var part = document.createDocumentFragment();
        if (!shown && found.suggested.length) {
          var own = make("div", "search-group", part);
          own.setAttribute("role", "group");
          own.setAttribute("aria-label", found.suggested[0].title);
          found.suggested.forEach(function (s) { own.appendChild(suggested(s)); });
        }
        next.forEach(function (p) {
          var page = search.context(index, p, found.terms), group = make("div", "search-group", part);
          if (p === next[0] && !found.suggested.length) enter = page.enter;
          group.setAttribute("role", "group");
          group.appendChild(hit("search-page", page, "", page.title, page.snippet));
          page.sections.forEach(function (s) { group.appendChild(hit("search-section", page, s.id, s.heading, s.snippet)); });
          group.setAttribute("aria-label", group.firstChild.firstChild.textContent);
        });
        if (!shown) {
          list.textContent = "";
          list.scrollTop = 0;
        }
        list.appendChild(part);
        var hits = options();
        hits.forEach(function (a, i) { a.id = "_search-" + i; });
        shown += next.length;
        more.hidden = shown >= found.pages.length;
        input.setAttribute("aria-expanded", String(hits.length > 0));
        if (done) done(hits, enter);
      });
    }

    function options() { return Array.prototype.slice.call(list.querySelectorAll("[role=option]")); }

    function choose(a, scroll) {
      if (chosen) chosen.setAttribute("aria-selected", "false");
      chosen = a || null;
      if (!chosen) return input.removeAttribute("aria-activedescendant");
      chosen.setAttribute("aria-selected", "true");
      input.setAttribute("aria-activedescendant", chosen.id);
      if (scroll) chosen.scrollIntoView({ block: "nearest" });
    }

    function empty(name, query) {
      list.textContent = "";
      more.hidden = true;
      input.setAttribute("aria-expanded", "false");
      choose(null);
      tell(name, query);
    }

    function ask() {
      var query = input.value.trim(), turn = ++asked;
      clearTimeout(timer);
      if (!query) return empty("start");
      timer = setTimeout(function () { tell("wait"); }, 400);
      search.ask(index, input.value.replace(/^\s+/, ""), function (answer) {
        if (turn !== asked) return;
        clearTimeout(timer);
        if (!answer) return empty("failed");
        (gpudocs.own ? gpudocs.own.suggest(query) : Promise.resolve([])).then(function (list) {
          if (turn !== asked) return;
          if (!answer.pages.length && !list.length) return empty("none", query);
          found = answer;
          found.suggested = list;
          shown = 0;
          show(first, function (hits, enter) {
            moved = false;
            choose(hits[enter]);
            tell(!found.pages.length ? "" : found.partly && !list.length ? "partly" : found.pages.length === 1 ? "single" : "many", query, found.pages.length);
            if (!more.hidden) show(second); // not visible at first
          });
        });
      });
    }

    // go follows a result. The query is kept for when the reader comes back, and passed to the page.
    function go(a) {
      try {
        var words = [].map.call(a.querySelectorAll(".search-text mark"), function (m) { return m.textContent.toLowerCase(); });
        if (words.length) sessionStorage.setItem("gpudocs-found", JSON.stringify({ at: a.href, words: words }));
        setTimeout(gpudocs.found); // if it is this page
      } catch (e) { /* the page opens nothing */ }
      try {
        var state = {}, old = history.state;
        for (var k in old) state[k] = old[k];
        state.search = input.value;
        if (a.href !== location.href) history.replaceState(state, ""); // else it is this entry that would open search
      } catch (e) { /* the query is not kept */ }
      gone = true;
      dialog.close();
    }
    var gone = false;

    input.addEventListener("input", function () {
      clearTimeout(timer);
      asked++;
      timer = setTimeout(ask, 60);
    });
    input.addEventListener("keydown", function (e) {
      var hits = options(), at = hits.indexOf(chosen), to = -1;
      if (e.isComposing || e.altKey || e.shiftKey || !hits.length) return;
      if (e.key === "ArrowDown") to = at + 1;
      else if (e.key === "ArrowUp") to = at > 0 ? at - 1 : hits.length - 1;
      else if (e.key === "Home" && moved) to = 0;
      else if (e.key === "End" && moved) to = hits.length - 1;
      else if (e.key === "Enter" && chosen) {
        e.preventDefault();
        if (e.ctrlKey || e.metaKey) return void open(chosen.href);
        return chosen.click();
      } else return;
      e.preventDefault();
      moved = true;
      if (to < hits.length) return choose(hits[to], true);
      if (more.hidden) return choose(hits[0], true);
      show(further, function (hits) { choose(hits[to], true); });
    });
    list.addEventListener("click", function (e) {
      var a = e.target.closest("a");
      if (a && !e.ctrlKey && !e.metaKey && !e.shiftKey) go(a);
    });
    list.addEventListener("mousemove", function (e) {
      var a = e.target.closest("a");
      if (a && a !== chosen) choose(a);
    });
    more.addEventListener("click", function () {
      var to = options().length;
      show(further, function (hits) {
        choose(hits[to], true);
        input.focus();
      });
    });
    dialog.querySelector(".search-close").addEventListener("click", function () { dialog.close(); });
    dialog.addEventListener("click", function (e) { if (e.target === dialog) dialog.close(); });
    dialog.addEventListener("close", function () {
      if (!gone && history.state && history.state.search !== undefined) {
        var state = {}, old = history.state;
        for (var k in old) if (k !== "search") state[k] = old[k];
        history.replaceState(state, "");
      }
      gone = false;
    });

    index.need([""], function (ok) { if (!ok) empty("failed"); });
    ask();
  };
})();
