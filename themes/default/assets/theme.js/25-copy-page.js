(function () {
  "use strict";
  var all = gpudocs.all;

  // Copies the page as Markdown. A page that is opened from disk cannot read other files: the link
  // beside the button is followed instead.
  function fetched(url) {
    return fetch(url).then(function (answer) {
      if (!answer.ok) throw new Error(String(answer.status));
      return answer.text();
    });
  }

  function copy(url) {
    var text = fetched(url);
    // Safari allows copying only during the click, but accepts a promise.
    if (window.ClipboardItem && navigator.clipboard && navigator.clipboard.write && window.isSecureContext) {
      var blob = text.then(function (t) { return new Blob([t], { type: "text/plain" }); });
      return navigator.clipboard.write([new ClipboardItem({ "text/plain": blob })]).catch(function () {
        return text.then(gpudocs.copy); // a browser that wants the blob itself
      });
    }
    return text.then(gpudocs.copy);
  }

  gpudocs.mount(function (root) {
    all("button.copy-page", root).forEach(function (button) {
      var label = button.querySelector("span"), text = label.textContent, timer;
      function say(name) {
        return function () {
          button.classList.toggle("copy-done", name === "done");
          label.textContent = button.getAttribute("data-" + name);
          clearTimeout(timer);
          timer = setTimeout(function () {
            button.classList.remove("copy-done");
            label.textContent = text;
          }, 2000);
        };
      }
      button.addEventListener("click", function () {
        var url = button.getAttribute("data-from");
        if (!url) gpudocs.copy(gpudocs.code()).then(say("done"), say("failed"));
        else if (location.protocol === "file:") location.href = url;
        else copy(url).then(say("done"), say("failed"));
      });
    });
  });
})();
