// Takes the pictures of the book's page "Look at it" as its readers would: by the button of the page, in a browser.
//
//     DRYSTONE=target/release/drystone node viewer/pictures.mjs [NAME…]
//
// CHROMIUM names the browser. Runs are made in a folder of their own, which goes with them.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { servedBy } from './serve.mjs';

const root = new URL('..', import.meta.url).pathname;
const command = process.env.DRYSTONE ?? join(root, 'target/release/drystone');
const executablePath = process.env.CHROMIUM ?? ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);

/** What is run, what the address of the page says, and how large the window is. */
const PICTURES = {
  collapse: { scene: 'new collapse', look: 'frame=26&colour=speed', size: [1300, 720] },
  arch: { scene: 'new arch', more: ['--steps', '100'], look: 'chains=1&thrust=1', size: [1300, 720] },
  chains: {
    scene: 'scenes/gallery/sandbox.toml',
    set: ['sample.disk.grains.count=400', 'sample.disk.grains.region.box={low=[0.0,0.0],high=[7.0,6.0]}', 'body.far.position=[7.0,0.0]',
      'sample.disk.grains.sizes.uniform={smallest=0.06,largest=0.11,by="number"}', 'output.interval=0.025', 'time.duration=0.25'],
    look: 'chains=1', size: [1300, 600],
  },
  arena: { scene: 'scenes/samples/arena.toml', more: ['--steps', '20'], look: 'chains=1', size: [1300, 760] },
  drum: { scene: 'new drum', look: 'chains=1', size: [1100, 760] },
  dome: { scene: 'scenes/samples/dome.toml', more: ['--steps', '20'], look: 'chains=1', size: [1100, 720] },
};

const home = mkdtempSync(join(tmpdir(), 'drystone-pictures-'));

function call(...words) {
  const done = spawnSync(command, words, { cwd: home, encoding: 'utf8' });
  if (![0, 3, 4].includes(done.status)) throw new Error(`drystone ${words.join(' ')}: ${done.stderr}`);
}

/** Runs what a picture shows; gives the folder. */
function made(name, { scene, set = [], more = [] }) {
  let file = join(root, scene);
  if (scene.startsWith('new ')) {
    call('new', scene.slice(4));
    file = join(home, `${scene.slice(4)}.toml`);
  }
  if (set.length === 0) {
    call('run', file, '-o', name, '--quiet', ...more);
    return join(home, name);
  }
  call('sweep', file, ...set.flatMap((words) => ['--set', words]), '-o', name, '--quiet', ...more);
  return join(home, name, 'run-000');
}

const wanted = process.argv.slice(2);
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'] });
try {
  for (const [name, picture] of Object.entries(PICTURES)) {
    if (wanted.length && !wanted.includes(name)) continue;
    const { address, child } = await servedBy(command, ['view', made(name, picture), '--port', '0']);
    const [width, height] = picture.size;
    try {
      // the page forbids scripts that are texts, by which it is asked whether it has drawn
      const page = await browser.newPage({ viewport: { width, height }, acceptDownloads: true, bypassCSP: true });
      await page.goto(`${address}/#${picture.look}`);
      await page.waitForFunction(() => Number(document.body.dataset.drawn) > 0);
      await page.waitForTimeout(1500);
      const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: /picture/ }).click()]);
      await file.saveAs(join(root, `docs/src/pictures/view-${name}.png`));
      console.log(`view-${name}.png`);
      await page.close();
    } finally {
      child.removeAllListeners('exit');
      child.kill();
    }
  }
} finally {
  await browser.close();
  rmSync(home, { recursive: true });
}
