// What search shows for the name of a card, before the pages: what runs on it, and the machines of the site that have it.
(function (gpu) {
  "use strict";
  var most = 4;

  // suggest returns {title, url, query, id}, the address of each below that of the language. The url of the page that is open is null.
  gpu.suggest = function (text) {
    var typed = gpu.splitDriver(text), card = gpu.find(typed.text).sure, site = gpu.site;
    if (!card) return [];
    var field = site.field; // else a page that answers
    if (field === null && !document.querySelector("figure.code-run") && site.pages.length) field = site.pages[0][1];
    var query = gpu.write(gpu.own([gpu.device(card)], typed.driver, "", gpu.os()));
    var list = (site.status ? gpu.machinesWith(card, true) : []).map(function (name) {
      return { title: gpu.fill(site.texts.of_machine, { machine: gpudocs.label(name) }), url: site.status, query: "machine=" + encodeURIComponent(name), id: "_machines" };
    });
    return [{ title: gpu.fill(site.texts.on_card, { card: card.title }), url: field, query: query, id: "" }].concat(list.slice(0, most));
  };
})(gpudocs.gpu);
