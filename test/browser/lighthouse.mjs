// Asks Lighthouse about addresses, one after the other in one browser, and prints as JSON
// what it says of each: the points of the four categories, and what cost points.
//
//   CHROME_PATH=/usr/bin/chromium node lighthouse.mjs ADDRESS...
import * as launcher from "chrome-launcher";
import lighthouse, { defaultConfig } from "lighthouse";
import { pageFunctions } from "lighthouse/core/lib/page-functions.js";
import puppeteer from "puppeteer-core";

const chrome = await launcher.launch({
  chromeFlags: ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-component-update", "--disable-background-networking"],
});
try {
  const said = [];
  const addresses = process.argv.slice(2);
  // Its defaults are a phone and a slow network, both computed from a fast load: a phone is a
  // quarter of a computer of 1000 points. One that is slower is less far from a phone.
  const browser = await puppeteer.connect({ browserURL: `http://localhost:${chrome.port}` });
  const [page] = await browser.pages();
  const points = await page.evaluate(pageFunctions.computeBenchmarkIndex);
  await browser.disconnect();
  const slower = Math.min(4, Math.max(1, points / 250));
  const throttling = { ...defaultConfig.settings.throttling, cpuSlowdownMultiplier: slower };
  // No audit looks at the picture of the whole page.
  const flags = { port: chrome.port, output: "json", logLevel: "error", disableFullPageScreenshot: true, throttling };
  for (const address of addresses) {
    const { lhr } = await lighthouse(address, flags);
    const categories = Object.values(lhr.categories);
    said.push({
      address,
      error: lhr.runtimeError?.message ?? "",
      points: Object.fromEntries(categories.map((c) => [c.id, Math.round((c.score ?? 0) * 100)])),
      lost: categories.flatMap((c) =>
        c.auditRefs
          .filter((r) => r.weight > 0 && lhr.audits[r.id].score !== null && lhr.audits[r.id].score < 0.9)
          .map((r) => `${c.id}: ${r.id} ${lhr.audits[r.id].displayValue ?? ""} ${JSON.stringify(lhr.audits[r.id].details?.items?.[0] ?? {}).slice(0, 300)}`),
      ),
    });
  }
  console.log(JSON.stringify(said));
} finally {
  chrome.kill();
}
