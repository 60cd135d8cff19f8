// Builds the page as one HTML file, packed with gzip, where the server embeds it. Other files are not needed to run it.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';

const root = fileURLToPath(new URL('.', import.meta.url));
const target = process.argv[2] ?? `${root}../crates/drystone-serve/page/index.html.gz`;

const result = await build({
  root,
  logLevel: 'warn',
  build: { write: false, assetsInlineLimit: 1e8, cssCodeSplit: false, modulePreload: false, target: 'es2022' },
});
const files = (Array.isArray(result) ? result[0] : result).output;
let page = String(files.find((file) => file.fileName === 'index.html').source);
const inline = (pattern, make) => {
  page = page.replace(pattern, (_, name) => {
    const file = files.find((file) => file.fileName === name.replace(/^\.?\//, ''));
    return make(String(file.code ?? file.source));
  });
};
// the script comes last, after what it works on
let script = '';
inline(/<script type="module" crossorigin src="([^"]+)"><\/script>/, (text) => {
  script = `<script type="module">${text.replaceAll('</script', '<\\/script')}</script>`;
  return '';
});
inline(/<link rel="stylesheet" crossorigin href="([^"]+)">/, (text) => `<style>${text}</style>`);
page = page.replace('</body>', () => `${script}</body>`);
if (/(src|href)="(?!data:|#)/.test(page.replace(/<script[\s\S]*<\/script>/, ''))) throw new Error('the page needs another file');
const licence = readFileSync(`${root}node_modules/three/LICENSE`, 'utf8').trim();
page = page.replace('<head>', () => `<head>\n<!-- Drystone viewer, with three.js:\n${licence}\n-->`);
const zipped = gzipSync(Buffer.from(page), { level: 9 });
zipped[9] = 255; // the system it was built on is nobody's business
writeFileSync(target, zipped);
console.log(`${page.length} bytes, ${zipped.length} packed`);
