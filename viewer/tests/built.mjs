// The page that is checked in is the one that its sources give.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

const viewer = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'drystone-built-'));
try {
  execFileSync('node', [join(viewer, 'node_modules/typescript/bin/tsc'), '--noEmit'], { cwd: viewer, stdio: 'inherit' });
  const fresh = join(folder, 'index.html.gz');
  execFileSync('node', ['build.mjs', fresh], { cwd: viewer, stdio: ['ignore', 'ignore', 'inherit'] });
  const page = (path) => gunzipSync(readFileSync(path)).toString();
  if (page(fresh) !== page(join(viewer, '../crates/drystone-serve/page/index.html.gz'))) {
    console.error('crates/drystone-serve/page/index.html.gz is not what viewer/ gives; build it: npm --prefix viewer run build');
    process.exit(1);
  }
  console.log('the page that is checked in is the one that its sources give');
} finally {
  rmSync(folder, { recursive: true, force: true });
}
