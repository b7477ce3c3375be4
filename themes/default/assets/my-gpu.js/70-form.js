// The form in which a reader names a GPU: typed, chosen, or pasted from nvidia-smi.
(function (gpu) {
  "use strict";
  var dialog, pasted = null;

  // ask opens the form, at a field of it.
  gpu.ask = function (field, text) {
    if (!dialog) dialog = make();
    var form = dialog.querySelector("form"), own = gpu.current();
    pasted = null;
    form.reset();
    form.gpu.value = text || "";
    if (own && own.devices[0].card && !text) {
      form.count.value = own.devices.length;
      form.driver.value = own.driver;
      form.os.value = own.os;
    }
    list(form, own && !text && own.devices[0].card);
    say(text ? gpu.site.texts.not_found : "");
    if (!dialog.open) dialog.showModal();
    form[field || "gpu"].focus();
  };
  function say(text) { dialog.querySelector(".my-gpu-say").textContent = text; }

  // list offers the cards that the text may mean, all if there is none.
  function list(form, chosen) {
    var found = form.gpu.value.trim() ? gpu.find(form.gpu.value) : gpu.cards;
    form.card.replaceChildren.apply(form.card, found.map(function (c) {
      return new Option(c.title, c.id, false, chosen === c);
    }));
    form.card.disabled = !found.length;
    return found.length;
  }

  function make() {
    var d = gpu.part("form"), form = d.querySelector("form");
    d.removeAttribute("data-part");
    document.body.append(d);
    form.gpu.addEventListener("input", function () {
      pasted = null;
      say(list(form) ? "" : gpu.site.texts.not_found);
    });
    form.paste.addEventListener("input", function () { paste(form); });
    form.os.addEventListener("change", function () { if (pasted) pasted.os = form.os.value; });
    [form.card, form.count, form.driver].forEach(function (f) { f.addEventListener("change", function () { pasted = null; }); });
    form.addEventListener("submit", function (e) {
      e.preventDefault();
      var card = gpu.cards.filter(function (c) { return c.id === form.card.value; })[0];
      if (!card && !pasted) return say(gpu.site.texts.not_found);
      choose(pasted || several(card, form.count.value, form.driver.value, form.os.value));
      d.close();
    });
    d.querySelector("[data-close]").addEventListener("click", function () { d.close(); });
    return d;
  }
  function several(card, n, driver, os) {
    var devices = [];
    for (n = Math.min(Math.max(+n || 1, 1), 16); n > 0; n--) devices.push(gpu.device(card));
    return gpu.own(devices, driver, "", os);
  }
  function choose(own) {
    gpudocs.own.set(gpu.write(own), gpu.title(own));
    gpudocs.choose("~");
  }

  // paste reads what was pasted, and says what it is.
  function paste(form) {
    var p = gpu.paste(form.paste.value), t = gpu.site.texts, own = p.own;
    pasted = own;
    if (!own) return say(p.unknown.length ? gpu.fill(t.paste_unknown, { name: p.unknown[0] }) : form.paste.value.trim() ? t.paste_none : "");
    form.gpu.value = "";
    list(form, own.devices[0].card);
    form.os.value = own.os;
    form.driver.value = own.driver;
    form.count.value = own.devices.length;
    say([gpu.fill(t.paste_found, { what: [gpu.title(own), own.driver && "driver " + own.driver, own.cuda && "CUDA " + own.cuda].filter(Boolean).join(", ") }),
      p.mig ? t.paste_mig : "", p.unknown.length ? gpu.fill(t.paste_unknown, { name: p.unknown[0] }) : ""].filter(Boolean).join(" "));
  }

  // submit answers in the field of :::my-gpu. A GPU of which there are several kinds is chosen by what is most common; the answer says which.
  gpu.submit = function (field) {
    var text = field.gpu.value, found = gpu.find(text);
    if (!found.length && /nvidia-smi|GPU 0:|MiB/.test(text)) return gpu.ask("paste");
    if (!found.length) return gpu.ask("gpu", text);
    choose(several(found[0], 1, field.driver.value, /Windows/.test(navigator.userAgent) ? "windows" : "linux"));
  };
})(gpudocs.gpu);
