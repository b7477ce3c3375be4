// Writes mermaid.js.gz and LICENSES: npm ci --ignore-scripts && npm run build
import { build } from 'esbuild';
import fs from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';

const here = import.meta.dirname;

// change replaces what stands in a file, and fails where it no longer does.
function change(text, from, to, file) {
  if (!(from instanceof RegExp ? from.test(text) : text.includes(from))) throw new Error(`${file}: ${from} is not there`);
  return text.replaceAll(from instanceof RegExp ? new RegExp(from, 'g') : from, to);
}

const changes = [
  {
    // Each question for a setting copied all settings: nine tenths of the time.
    filter: /mermaid\.core[\\/]chunk-[\w]+\.mjs$/,
    holds: 'return assignWithDepth_default({}, currentConfig);',
    edit(text, file) {
      text = change(text, 'return assignWithDepth_default({}, siteConfig);', 'return siteConfig;', file);
      return change(text, 'return assignWithDepth_default({}, currentConfig);', 'return currentConfig;', file);
    },
  },
  {
    // QuickJS has no RegExp.$1.
    filter: /roughjs[\\/].*\.js$/,
    holds: 'RegExp.$1',
    edit(text, file) {
      text = change(text, /(\w+)\.match\((\/\^.+?\/)\)/, '(lastMatch=$1.match($2))', file);
      return 'let lastMatch;' + change(text, 'RegExp.$1', 'lastMatch[1]', file);
    },
  },
];

const leftOut = {
  name: 'left-out',
  setup(b) {
    // Formulas in labels stay text, and no layout is asked of Cytoscape.
    b.onResolve({ filter: /^(katex|cytoscape|cytoscape-cose-bilkent|cytoscape-fcose)$/ }, () => ({ path: path.join(here, 'none.js') }));
    b.onResolve({ filter: /^dompurify$/ }, () => ({ path: path.join(here, 'purify.js') }));
    for (const c of changes) {
      b.onLoad({ filter: c.filter }, ({ path: file }) => {
        const text = fs.readFileSync(file, 'utf8');
        if (!text.includes(c.holds)) return undefined;
        c.done = true;
        return { contents: c.edit(text, file), loader: 'js' };
      });
    }
  },
};

const result = await build({
  entryPoints: [path.join(here, 'entry.js')],
  bundle: true,
  format: 'iife',
  target: 'es2018',
  minify: process.argv[2] !== 'readable',
  legalComments: 'none',
  metafile: true,
  write: false,
  absWorkingDir: here,
  plugins: [leftOut],
});
if (changes.some((c) => !c.done)) throw new Error('a change found no place');

const text = result.outputFiles[0].contents;
if (process.argv[2] === 'readable') {
  fs.writeFileSync(path.join(here, 'mermaid.readable.js'), text);
} else {
  fs.writeFileSync(path.join(here, 'mermaid.js.gz'), zlib.gzipSync(text, { level: 9 }));
  fs.writeFileSync(path.join(here, 'LICENSES'), licenses(Object.keys(result.metafile.inputs)));
}

// Some packages have their license at the end of what they say of themselves.
function inReadme(file) {
  const [, text] = /^## License$([^]*)/m.exec(fs.readFileSync(file, 'utf8')) ?? [];
  if (!text) throw new Error(`no license in ${file}`);
  return text;
}

// licenses of all packages that went into the file.
function licenses(inputs) {
  const folders = new Set();
  for (const file of inputs) {
    const m = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file);
    if (m) folders.add(m[1]);
  }
  const parts = [];
  for (const folder of [...folders].sort()) {
    const about = JSON.parse(fs.readFileSync(path.join(here, folder, 'package.json'), 'utf8'));
    const file = fs.readdirSync(path.join(here, folder)).find((f) => /^licen[sc]e/i.test(f));
    const text = file ? fs.readFileSync(path.join(here, folder, file), 'utf8') : inReadme(path.join(here, folder, 'README.md'));
    parts.push(`${about.name} ${about.version}: ${about.license ?? 'MIT'}\n\n${text.trim()}\n`); // khroma says it in its file alone
  }
  return parts.join('\n' + '-'.repeat(72) + '\n\n');
}
