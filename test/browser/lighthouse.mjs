// Asks Lighthouse about addresses, one after the other in one browser, and prints as JSON
// what it says of each: the points of the four categories, and what cost points.
//
//   CHROME_PATH=/usr/bin/chromium node lighthouse.mjs ADDRESS...
import * as launcher from "chrome-launcher";
import lighthouse from "lighthouse";

const chrome = await launcher.launch({
  chromeFlags: ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-component-update", "--disable-background-networking"],
});
try {
  const said = [];
  for (const address of process.argv.slice(2)) {
    // Its defaults are a phone and a slow network, both computed from a fast load.
    const { lhr } = await lighthouse(address, { port: chrome.port, output: "json", logLevel: "error" });
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
