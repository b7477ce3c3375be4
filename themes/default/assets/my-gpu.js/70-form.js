// The form in which a reader names a GPU: typed, chosen, or pasted from nvidia-smi.
(function (gpu) {
  "use strict";
  var dialog, pasted = null;

  // ask opens the form, at a field of it, with a text and a driver that a reader has typed.
  gpu.ask = function (field, text, driver) {
    if (!dialog) dialog = make();
    var form = dialog.querySelector("form"), own = gpu.current();
    pasted = null;
    form.reset();
    form.gpu.value = text || "";
    form.driver.value = driver || "";
    if (own && !text && own.devices.length && own.devices[0].card) {
      form.gpu.value = own.devices[0].card.title.replace(/ \(.*/, "");
      form.count.value = own.devices.length;
      form.driver.value = own.driver;
      form.os.value = own.os;
    }
    say(list(form, own && !text && own.devices.length && own.devices[0].card));
    if (!dialog.open) dialog.showModal();
    form[field || "gpu"].focus();
    if (!field) form.gpu.select();
  };
  function say(text) { dialog.querySelector(".my-gpu-say").textContent = text; }

  // list offers the cards that the text may mean, all if there is none. If it is not the name of one model, none is chosen, and the
  // result says what to do.
  function list(form, chosen) {
    var found = form.gpu.value.trim() ? gpu.find(form.gpu.value) : gpu.cards;
    form.card.replaceChildren.apply(form.card, found.map(function (c) {
      return new Option(c.title, c.id);
    }));
    form.card.disabled = !found.length;
    chosen = chosen || found.sure;
    form.card.value = chosen ? chosen.id : "";
    form.card.size = !chosen && form.gpu.value && found.length ? Math.min(Math.max(found.length, 2), 6) : 0; // 0 is one that opens
    if (chosen || !form.gpu.value || gpu.saysNone(form.gpu.value)) return "";
    return gpu.site.texts[found.length ? "which" : gpu.isDriver(form.gpu.value) ? "driver_alone" : "not_found"];
  }

  function make() {
    var d = gpu.part("form"), form = d.querySelector("form");
    d.removeAttribute("data-part");
    document.body.append(d);
    form.gpu.addEventListener("input", function () {
      pasted = null;
      say(list(form));
    });
    form.paste.addEventListener("input", function () { paste(form); });
    form.os.addEventListener("change", function () { if (pasted) pasted.os = form.os.value; });
    [form.card, form.count, form.driver].forEach(function (f) { f.addEventListener("change", function () { pasted = null; }); });
    form.addEventListener("submit", function (e) {
      e.preventDefault();
      var card = gpu.cards.filter(function (c) { return c.id === form.card.value; })[0];
      if (!card && !pasted && gpu.saysNone(form.gpu.value)) pasted = gpu.own([], "", "", form.os.value);
      if (!card && !pasted) return say(form.gpu.value ? list(form) : gpu.site.texts.which);
      if (!pasted && gpu.questioned(form, d.querySelector(".my-gpu-say"), form.os.value)) return;
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
    gpu.reveal = true;
    gpudocs.own.set(gpu.write(own), gpu.title(own));
    gpudocs.choose("~");
  }
  gpu.choose = choose;

  // unknown says what to do about a GPU that is not in the tables: its compute capability is enough.
  function unknown(name) {
    return gpu.fill(gpu.site.texts.paste_unknown, { name: name, command: "nvidia-smi --query-gpu=name,memory.total,compute_cap --format=csv" });
  }
  // paste reads what was pasted, and says what it is.
  function paste(form) {
    var p = gpu.paste(form.paste.value), t = gpu.site.texts, own = p.own;
    pasted = own;
    if (!own) return say(p.unknown.length ? unknown(p.unknown[0]) : form.paste.value.trim() ? t.paste_none : "");
    form.gpu.value = p.boards;
    list(form, own.devices[0].card);
    form.os.value = own.os;
    form.driver.value = own.driver;
    form.count.value = own.devices.length;
    say([gpu.fill(t.paste_found, { what: [gpu.title(own), own.driver && "driver " + own.driver, own.cuda && "CUDA " + own.cuda].filter(Boolean).join(", ") }),
      p.mig ? t.paste_mig : "", p.boards ? t.which_board : "", p.unknown.length ? unknown(p.unknown[0]) : ""].filter(Boolean).join(" "));
  }

  gpu.os = function () { return /Windows/.test(navigator.userAgent) ? "windows" : "linux"; };
  // submit answers in the field of :::my-gpu. Of a model with several sizes the most common is chosen; the answer says which. What is not the
  // name of one model is asked for in the form.
  gpu.submit = function (field) {
    var typed = gpu.splitDriver(field.gpu.value), text = typed.text, found = gpu.find(text), pasted = !found.length && gpu.paste(text).own; // a line of nvidia-smi -L
    if (typed.driver) {
      field.gpu.value = text;
      field.driver.value = typed.driver;
    }
    if (gpu.saysNone(text)) return choose(gpu.own([], "", "", gpu.os()));
    if (gpu.isDriver(text)) {
      field.driver.value = field.driver.value || text;
      field.gpu.value = "";
      field.gpu.focus();
      return field.querySelector(".my-gpu-answer").replaceChildren(gpu.site.texts.driver_alone);
    }
    if (gpu.questioned(field, field.querySelector(".my-gpu-answer"), gpu.os())) return;
    if (pasted) return choose(gpu.own(pasted.devices, pasted.driver || field.driver.value, pasted.cuda, gpu.os()));
    if (!found.length && /nvidia-smi|GPU 0:|MiB/.test(text)) return gpu.ask("paste");
    if (!found.sure) return gpu.ask(found.length ? "card" : "gpu", text, field.driver.value);
    choose(several(found.sure, 1, field.driver.value, gpu.os()));
  };
})(gpudocs.gpu);
