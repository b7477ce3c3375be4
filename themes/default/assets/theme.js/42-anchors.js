(function () {
  "use strict";
  var all = gpudocs.all;

  // A link beside each heading: its address, to follow and to copy.
  var template = document.querySelector("template#_anchor");
  if (!template) return;
  gpudocs.mount(function (root) {
    all("article > :is(h2, h3, h4, h5, h6)[id], .printed > :is(h2, h3, h4, h5, h6)[id]", root).forEach(function (heading) {
      if (heading.querySelector(".anchor-link")) return;
      var link = template.content.firstElementChild.cloneNode(true), status = link.firstElementChild, timer;
      link.href = "#" + encodeURIComponent(heading.id);
      link.addEventListener("click", function (e) {
        if (e.ctrlKey || e.metaKey || e.shiftKey) return;
        gpudocs.copy(link.href).then(function () {
          link.classList.add("copied");
          status.textContent = link.getAttribute("data-done");
          clearTimeout(timer);
          timer = setTimeout(function () {
            link.classList.remove("copied");
            status.textContent = "";
          }, 2000);
        }, function () { /* it is in the address bar */ });
      });
      heading.appendChild(link);
    });
  });
})();
