// Redirects from the site's root to a language: the one that the reader chose before, else the first
// of the browser's languages that the site has, else the default. Without a script the page is a list of links.
(function () {
  var me = document.currentScript;
  var pages = {}, codes = [];
  me.getAttribute("data-pages").trim().split("\n").forEach(function (line) {
    var at = line.indexOf(" ");
    if (at < 0) return;
    var code = line.slice(0, at).toLowerCase();
    codes.push(code);
    pages[code] = line.slice(at + 1);
  });

  function primary(code) { return code.split("-")[0]; }

  // find returns the same language, else one with the same primary subtag.
  function find(wanted) {
    wanted = String(wanted).toLowerCase();
    if (codes.indexOf(wanted) >= 0) return wanted;
    if (codes.indexOf(primary(wanted)) >= 0) return primary(wanted);
    return codes.filter(function (c) { return primary(c) === primary(wanted); })[0];
  }

  var wanted = [];
  try {
    var chosen = localStorage.getItem("gpudocs-language");
    if (chosen) wanted.push(chosen);
  } catch (e) { /* storage is blocked */ }
  wanted = wanted.concat(navigator.languages || [navigator.language || ""], me.getAttribute("data-default"));

  for (var i = 0; i < wanted.length; i++) {
    var code = wanted[i] && find(wanted[i]);
    if (code) {
      location.replace(pages[code] + location.search + location.hash);
      return;
    }
  }
})();
