// Reads what Netlify reads, with Netlify's own packages, and answers as its redirects do.
//
//   node netlify.mjs REPOSITORY FOLDER < questions.json > answers.json
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { resolveConfig } from "@netlify/config";
import { parseAllHeaders } from "@netlify/headers-parser";
import { parseAllRedirects } from "@netlify/redirect-parser";
import redirector from "netlify-redirector";

const [repository, folder] = process.argv.slice(2);
const builds = {};
const read = (cwd, context) => resolveConfig({ cwd, repositoryRoot: cwd, context, branch: "x", offline: true, mode: "require" });
for (const context of ["production", "deploy-preview", "branch-deploy"]) {
  builds[context] = (await read(repository, context)).config.build.command;
}
builds.starter = (await read(join(repository, "internal/cli/sitecmd/starter"), "production")).config.build.command;
const headers = await parseAllHeaders({ headersFiles: [join(folder, "_headers")], configHeaders: [], minimal: false });
// As netlify dev joins them: https://docs.netlify.com/manage/routing/headers/#multi-value-headers.
const policies = {};
for (const path of ["/pt/", "/pt/gpu/a.svg", "/a.svg", "/pt/a.svg.md"]) {
  policies[path] = headers.headers.filter((h) => h.forRegExp.test(path)).map((h) => h.values["Content-Security-Policy"]).filter(Boolean).join(", ");
}
const redirects = await parseAllRedirects({ redirectsFiles: [join(folder, "_redirects")], configRedirects: [], minimal: false });
const matcher = await redirector.parseJSON(JSON.stringify(redirects.redirects), { jwtSecret: "", jwtRoleClaim: "" });
const answers = JSON.parse(readFileSync(0)).map(({ path, language }) => {
  const of = { "x-language": language, "x-country": "us" };
  const found = matcher.match({
    scheme: "https", host: "example.org", path, query: "", headers: of, cookieValues: {},
    getHeader: (name) => of[name.toLowerCase()] || "", getCookie: () => "",
  });
  return found ? { to: found.to, status: found.status, force: found.force } : null;
});
const errors = [...headers.errors, ...redirects.errors].map(String);
console.log(JSON.stringify({ builds, headers: headers.headers, policies, redirects: redirects.redirects.length, errors, answers }));
process.exit(0); // the matcher's WebAssembly stays else
