(function () {
  "use strict";
  // Search opens with its button, "/" and Ctrl-K or ⌘K, and again when a reader comes back from a
  // result. It is loaded only then; what is typed meanwhile is not lost.
  var button = document.querySelector(".search-open"), template = document.querySelector("template#_search"), dialog, old;
  if (!button || !template || !window.HTMLDialogElement) return;

  function open(query) {
    if (old && dialog && !dialog.open) {
      if (typeof query !== "string") query = dialog.querySelector("input").value;
      dialog.remove();
      dialog = null;
    }
    if (!dialog) {
      old = false;
      dialog = template.content.firstElementChild.cloneNode(true);
      document.body.appendChild(dialog);
      var script = document.createElement("script");
      script.src = button.getAttribute("data-script");
      script.onload = function () { gpudocs.search.start(dialog, button.getAttribute("data-index")); };
      script.onerror = function () {
        var say = dialog.querySelector(".search-say");
        say.textContent = say.getAttribute("data-failed");
        old = true; // try again
      };
      document.head.appendChild(script);
    }
    var input = dialog.querySelector("input");
    if (typeof query === "string" && input.value !== query) {
      input.value = query;
      input.dispatchEvent(new Event("input"));
    }
    if (!dialog.open) dialog.showModal();
    input.focus();
    input.select();
  }

  button.addEventListener("click", open);
  document.addEventListener("keydown", function (e) {
    var combined = (e.ctrlKey || e.metaKey) && !e.altKey && !e.shiftKey && e.key.toLowerCase() === "k";
    var typing = e.target.isContentEditable || /^(INPUT|TEXTAREA)$/.test(e.target.tagName) && !/^(radio|checkbox|button)$/.test(e.target.type);
    var slash = e.key === "/" && !e.ctrlKey && !e.metaKey && !e.altKey && !typing;
    if (!combined && !slash || document.querySelector("dialog[open]:not(.search)")) return;
    e.preventDefault();
    if (combined && dialog && dialog.open) dialog.close();
    else open();
  });

  function back(e) {
    var type = performance.getEntriesByType && (performance.getEntriesByType("navigation")[0] || {}).type;
    var state = history.state;
    if (state && typeof state.search === "string" && (e.persisted || e.type === "popstate" || type === "back_forward")) open(state.search);
  }
  // In serve the site has changed, and its index.
  document.addEventListener("gpudocs:built", function () {
    old = true;
    if (!dialog || !dialog.open) return;
    dialog.close();
    open();
  });
  addEventListener("pageshow", back);
  addEventListener("popstate", back);
})();
