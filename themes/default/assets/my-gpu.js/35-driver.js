// What readers write as the version of their driver. What is none is asked about, and never taken for nothing.
(function (gpu) {
  "use strict";

  // readDriver reads "535", "535,183", "R535" and "535.183.01-open": {driver, cuda, odd}. odd is a text that is no driver, and cuda is set if it is
  // the version of CUDA that nvidia-smi shows beside the driver, "12.2".
  gpu.readDriver = function (text) {
    text = (text || "").trim().slice(0, 40);
    var driver = /^(?:nvidia|driver|vers\S*|[vr:= -])*(\d{3}(?:[., ]\d{1,4}){0,2})(?:[ +~_-].*)?$/i.exec(text);
    var cuda = /^(?:nvidia|cuda|toolkit|vers\S*|[v:= -])*(\d{1,2})(?:[.,](\d{1,2}))?(?:[.,]\d+)?$/i.exec(text);
    if (driver) return { driver: driver[1].replace(/[, ]/g, "."), cuda: "", odd: "" };
    return { driver: "", cuda: cuda ? cuda[1] + "." + (cuda[2] || 0) : "", odd: text };
  };
  // splitDriver splits what a reader types into the card and the driver: "RTX 3060, driver 535", "RTX 3060 CUDA 12.2".
  gpu.splitDriver = function (text) {
    var m = /[,;]?\s*\bdriver:?\s*([\d.,]*\d)/i.exec(text) || /[,;]?\s+((?:cuda|driver)\b.*)$/i.exec(text);
    return m ? { text: text.replace(m[0], " ").trim(), driver: m[1] } : { text: text, driver: "" };
  };
  // isDriver reports whether a text is a driver or a version of CUDA, which a reader may take for the name of a GPU.
  gpu.isDriver = function (text) {
    var is = gpu.readDriver(text);
    return !!(is.driver || is.cuda) && !gpu.find(text).length;
  };

  // aboutDriver asks about a text that is no driver, and offers the driver of a version of CUDA, with which use is called.
  gpu.aboutDriver = function (text, os, use) {
    var t = gpu.site.texts, cuda = gpu.readDriver(text).cuda, first = cuda && gpu.driverOf({ os: os }, cuda), span = document.createElement("span");
    if (!first) {
      span.append(gpu.fill(t.driver_odd, { text: text }));
      return span;
    }
    var button = document.createElement("button"), driver = first.split(".")[0];
    button.type = "button";
    button.className = "my-gpu-link";
    button.setAttribute("data-driver", driver);
    button.textContent = gpu.fill(t.driver_use, { driver: driver });
    button.addEventListener("click", function () { use(driver); });
    span.append(gpu.fill(t.driver_cuda, { cuda: cuda, driver: driver }) + " ", button);
    return span;
  };
  // questioned asks about the driver in a form if it is none, in a place of the form, and reports whether it does.
  gpu.questioned = function (form, place, os) {
    var odd = gpu.readDriver(form.driver.value).odd;
    form.driver.setAttribute("aria-invalid", !!odd);
    if (!odd) return false;
    place.replaceChildren(gpu.aboutDriver(odd, os, function (driver) {
      form.driver.value = driver;
      form.requestSubmit();
    }));
    form.driver.focus();
    return true;
  };
})(gpudocs.gpu);
