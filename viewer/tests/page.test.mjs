// The page in a real browser: a run made by the command, shown by its server. Pixels are compared with what is known of
// the bodies, not with a picture of yesterday.
//
// DRYSTONE names the command (target/debug/drystone), CHROMIUM the browser.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { chromium } from 'playwright-core';
import { servedBy } from '../serve.mjs';

const root = new URL('../..', import.meta.url).pathname;
const command = process.env.DRYSTONE ?? join(root, 'target/debug/drystone');
const browserPath = process.env.CHROMIUM ?? ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
const home = mkdtempSync(join(tmpdir(), 'drystone-page-'));
const started = [];
let browser;

const PLANE = `title = "Three disks and a block"
dimension = 2
time = { step = 0.005, duration = 1.0 }
output = { interval = 0.05 }
materials.stone.density = 2000
law = [{ between = ["*", "*"], inelastic.friction = 0.5 }]
body = [
  { name = "floor", shape.line = {}, fixed = true },
  { name = "left", material = "stone", shape.disk.radius = 0.1, position = [-0.11, 0.1] },
  { name = "right", material = "stone", shape.disk.radius = 0.1, position = [0.11, 0.1] },
  { name = "top", material = "stone", shape.disk.radius = 0.1, position = [0.0, 0.6] },
  { name = "block", material = "stone", shape.box.size = [0.3, 0.2], position = [0.6, 0.1] },
]
`;

const SPACE = `title = "A ball on blocks"
dimension = 3
time = { step = 0.005, duration = 0.4 }
output = { interval = 0.05 }
materials.stone.density = 2000
law = [{ between = ["*", "*"], inelastic.friction = 0.5 }]
body = [
  { name = "floor", shape.plane = {}, fixed = true },
  { name = "lower", material = "stone", shape.box.size = [1.0, 1.0, 0.4], position = [0, 0, 0.2] },
  { name = "upper", material = "stone", shape.box.size = [0.8, 0.8, 0.4], position = [0, 0, 0.6] },
  { name = "ball", material = "stone", shape.sphere.radius = 0.3, position = [0, 0, 1.2] },
]
`;

/** Runs a scene to its end; gives the folder. */
function made(name, scene) {
  const file = join(home, `${name}.toml`);
  const folder = join(home, name);
  writeFileSync(file, scene);
  const done = spawnSync(command, ['run', file, '-o', folder, '--quiet'], { encoding: 'utf8' });
  assert.ok([0, 3].includes(done.status), done.stderr);
  return folder;
}

/** Starts the command, to be stopped at the end of the tests. */
async function serve(...words) {
  const served = await servedBy(command, words);
  started.push(served.child);
  return served;
}

/** A page that must not complain. */
async function visit(address, size = { width: 1280, height: 720 }, more = {}) {
  // the page forbids scripts that are texts, by which the test asks it
  const context = await browser.newContext({ viewport: size, acceptDownloads: true, bypassCSP: true, ...more });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  page.complaints = [];
  page.on('console', (message) => { if (['error', 'warning'].includes(message.type()) && !/GPU stall|swiftshader|GL Driver/i.test(message.text())) page.complaints.push(message.text()); });
  page.on('pageerror', (error) => page.complaints.push(String(error)));
  await page.goto(address);
  await page.waitForFunction(() => Number(document.body.dataset.drawn) > 0);
  return page;
}

const probe = (page, body) => page.evaluate((body) => window.drystone.probe(body), body);

/** The colour of the picture at a point of the page. */
async function pixel(page, x, y) {
  await settled(page);
  return page.evaluate(([x, y]) => {
    const canvas = document.getElementById('view');
    const rect = canvas.getBoundingClientRect();
    const copy = document.createElement('canvas');
    [copy.width, copy.height] = [canvas.width, canvas.height];
    const pen = copy.getContext('2d');
    pen.drawImage(canvas, 0, 0);
    const ratio = canvas.width / rect.width;
    return [...pen.getImageData(Math.round((x - rect.left) * ratio), Math.round((y - rect.top) * ratio), 1, 1).data].slice(0, 3);
  }, [x, y]);
}

/** Waits until what was asked for is drawn. */
async function settled(page) {
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  await page.waitForTimeout(60);
}

/** Whether a point of the page is one of the picture, and nothing lies over it. */
const inView = (page, x, y) => page.evaluate(([x, y]) => {
  const rect = document.getElementById('view').getBoundingClientRect();
  const over = document.elementFromPoint(x, y);
  const inside = x > rect.left + 2 && x < rect.right - 2 && y > rect.top + 2 && y < rect.bottom - 2;
  return inside && over !== null && (over.id === 'view' || over.contains(document.getElementById('view')));
}, [x, y]);

const frame = (page) => page.evaluate(() => Number(document.body.dataset.frame));
const goTo = async (page, index) => {
  await page.locator('#scrub').fill(String(index));
  await page.waitForFunction((index) => document.body.dataset.frame === String(index), index);
};
const apart = (a, b) => Math.hypot(...a.map((x, k) => x - b[k]));

let plane, space, twoD, threeD;

before(async () => {
  assert.ok(browserPath, 'no Chromium: set CHROMIUM');
  plane = made('plane', PLANE);
  space = made('space', SPACE);
  browser = await chromium.launch({ executablePath: browserPath, args: ['--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--no-sandbox'] });
  twoD = (await serve('view', plane, '--port', '0')).address;
  threeD = (await serve('view', space, '--port', '0')).address;
});

after(async () => {
  await browser?.close();
  for (const child of started) child.kill('SIGINT');
  rmSync(home, { recursive: true, force: true });
});

test('bodies are where they are, in their colours', async () => {
  const page = await visit(twoD);
  await goTo(page, 0);
  for (const [body, name] of ['floor', 'left', 'right', 'top', 'block'].entries()) assert.equal((await probe(page, body)).name, name);
  const sand = [0xd9, 0xc3, 0xa0];
  for (const body of [1, 2, 3, 4]) {
    const { x, y } = await probe(page, body);
    // beside the line that shows how a disk has turned
    assert.ok(apart(await pixel(page, x, y + 8), sand) < 40, `body ${body} is the colour of its group`);
  }
  const top = await probe(page, 3);
  const left = await probe(page, 1);
  assert.ok(top.y < left.y, 'up is up');
  const radius = (0.1 * ((await probe(page, 2)).x - left.x)) / 0.22;
  assert.deepEqual(await pixel(page, top.x, top.y - 1.25 * radius), [255, 255, 255], 'paper above the top disk');
  const ground = await pixel(page, left.x, left.y + 1.25 * radius);
  assert.ok(ground[0] > ground[2] + 5, `ground below, ${ground}`);
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

test('play, step and scrub go through time', async () => {
  const page = await visit(twoD);
  assert.equal(await frame(page), 20, 'the last frame comes first');
  await page.keyboard.press('Home');
  await page.waitForFunction(() => document.body.dataset.frame === '0');
  const high = await probe(page, 3);
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction(() => document.body.dataset.frame === '1');
  await goTo(page, 12);
  assert.ok((await probe(page, 3)).y > high.y + 20, 'the disk has fallen');
  await page.keyboard.press('Home');
  await page.waitForFunction(() => document.body.dataset.frame === '0');
  await page.locator('#speed').selectOption('5');
  await page.locator('#play').click();
  await page.waitForFunction(() => document.body.dataset.frame === '20');
  await page.waitForFunction(() => document.getElementById('play').getAttribute('aria-label') === 'Play');
  assert.match(page.url(), /speed=5/, 'the address keeps the view');
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

test('colours follow a field, with a range that can be fixed', async () => {
  const page = await visit(twoD);
  await goTo(page, 5);
  await page.locator('#set-colour').selectOption('speed');
  const at = async (body) => { const { x, y } = await probe(page, body); return pixel(page, x, y + 8); };
  assert.ok(apart(await at(3), [0x3a, 0x26, 0x70]) < 30, 'the fastest body has the last colour');
  assert.ok(apart(await at(4), [0xe9, 0xe3, 0xd5]) < 30, 'a body at rest has the first');
  await page.locator('#set-high').fill('1000');
  assert.ok(apart(await at(3), [0xe9, 0xe3, 0xd5]) < 30, 'within a wide range it is slow');
  for (const field of ['displacement', 'spin', 'coordination', 'kinetic_energy', 'contact_force', 'none', 'group']) {
    await page.locator('#set-colour').selectOption(field);
    await settled(page);
  }
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

test('force chains, contact points and velocities lie over the bodies', async () => {
  const page = await visit(twoD);
  assert.equal((await probe(page, 1)).lines, 0);
  const { x, y } = await probe(page, 1);
  await page.locator('#set-chains').check();
  await settled(page);
  assert.ok((await probe(page, 1)).lines > 3, 'a line for each contact that bears');
  assert.ok(apart(await pixel(page, x, y + 14), [0x23, 0x47, 0x6f]) < 60, 'the chain from the disk to the ground');
  await page.locator('#set-thrust').check();
  await page.locator('#set-contacts').check();
  await page.keyboard.press('v');
  await settled(page);
  assert.ok(await page.locator('#set-velocities').isChecked());
  await page.locator('#set-trails').check();
  await settled(page);
  assert.ok((await probe(page, 1)).lines > 30);
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

test('a click tells of a body', async () => {
  const page = await visit(twoD);
  const { x, y } = await probe(page, 4);
  await page.mouse.click(x, y);
  const panel = page.locator('#body');
  await panel.waitFor();
  const text = await panel.innerText();
  assert.match(text, /block/);
  assert.match(text, /floor/, 'what it touches');
  const weight = 0.3 * 0.2 * 2000 * 9.81;
  const forces = [...text.matchAll(/floor\s+([\d.]+)/g)].map((found) => Number(found[1]));
  assert.ok(Math.abs(forces.reduce((sum, force) => sum + force, 0) - weight) < 0.01 * weight, `${forces} carry ${weight} N`);
  assert.match(page.url(), /body=4/);
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'hidden' });
  await page.mouse.click(x, y - 250);
  assert.ok(await panel.isHidden(), 'paper is no body');
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

test('plots follow the time, and time follows plots', async () => {
  const page = await visit(twoD);
  await page.getByRole('button', { name: 'add a plot' }).click();
  const plot = page.locator('.plot canvas');
  await plot.waitFor();
  await page.waitForFunction(() => Number(document.querySelector('.plot canvas')?.dataset.cursor) > 0.9);
  assert.match(await plot.getAttribute('aria-label'), /kinetic .* against time/);
  await goTo(page, 10);
  assert.ok(Math.abs(Number(await plot.getAttribute('data-cursor')) - 0.5) < 0.02);
  const box = await plot.boundingBox();
  await page.mouse.click(box.x + 62, box.y + 60);
  await page.waitForFunction(() => Number(document.body.dataset.frame) <= 1);
  await page.getByLabel('Up', { exact: true }).selectOption('iterations');
  await page.waitForFunction(() => /iterations/.test(document.querySelector('.plot canvas').getAttribute('aria-label')));
  assert.match(page.url(), /plots=/);
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

test('the address brings the view back', async () => {
  const page = await visit(`${twoD}/#frame=7&colour=speed&chains=1&body=3&eye=0,0.3,0,0.5,-60,20`);
  assert.equal(await frame(page), 7);
  assert.ok(await page.locator('#set-chains').isChecked());
  assert.match(await page.locator('#body').innerText(), /top/);
  const odd = await visit(`${twoD}/#frame=9999999&colour=nonsense&walls=9&body=1e9&eye=a,b&plots=x|y;;|&speed=NaN`);
  assert.equal(await frame(odd), 20, 'nonsense in the address does no harm');
  assert.deepEqual([...page.complaints, ...odd.complaints], []);
  await page.context().close();
  await odd.context().close();
});

test('pictures and films are taken away', async () => {
  const page = await visit(twoD);
  const [picture] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: /picture/ }).click()]);
  const file = await picture.path();
  assert.match(picture.suggestedFilename(), /^three-disks-and-a-block-\d+\.png$/);
  assert.equal(readFileSync(file).subarray(1, 4).toString(), 'PNG');
  assert.ok(statSync(file).size > 5000);
  // title and time stand above the bodies, not on them
  const shown = await page.evaluate(() => document.getElementById('view').height);
  const high = readFileSync(file).readUInt32BE(20);
  assert.ok(high > shown + 20 && high < shown + 60 && high % 2 === 0, `${high} of ${shown}`);
  const [film] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: /film/ }).click()]);
  assert.match(film.suggestedFilename(), /\.webm$/);
  assert.equal(readFileSync(await film.path()).readUInt32BE(0), 0x1a45dfa3, 'the first bytes of WebM');
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

test('space is turned, cut and picked', async () => {
  const page = await visit(threeD);
  const ball = await probe(page, 3);
  const lit = await pixel(page, ball.x, ball.y);
  assert.ok(apart(lit, [0xd9, 0xc3, 0xa0]) < 70, `the ball is lit, ${lit}`);
  await page.mouse.click(ball.x, ball.y);
  assert.match(await page.locator('#body').innerText(), /ball/);
  await page.keyboard.press('Escape');
  const before = await probe(page, 3);
  await page.mouse.move(ball.x - 200, ball.y);
  await page.mouse.down();
  await page.mouse.move(ball.x - 100, ball.y + 60, { steps: 4 });
  await page.mouse.up();
  assert.match(page.url(), /eye=/);
  assert.ok(apart(Object.values(await probe(page, 3)).slice(0, 2), Object.values(before).slice(0, 2)) > 5, 'it has turned');
  await page.getByRole('button', { name: 'front' }).click();
  await page.locator('#set-section').selectOption('z');
  await page.locator('#set-sectionAt').fill('0.5');
  await settled(page);
  const gone = await probe(page, 3);
  await page.mouse.click(gone.x, gone.y - 4);
  assert.ok(await page.locator('#body').isHidden(), 'what is cut away is not there');
  assert.ok(apart(await pixel(page, gone.x, gone.y - 4), [255, 255, 255]) < 30);
  await page.locator('#set-section').selectOption('');
  await page.locator('#set-chains').check();
  await page.locator('#set-thrust').check();
  await settled(page);
  assert.ok((await probe(page, 3)).lines > 3);
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

test('a run in progress is followed, waits and ends on request', async () => {
  const file = join(home, 'long.toml');
  const folder = join(home, 'long');
  writeFileSync(file, PLANE.replace('duration = 1.0', 'duration = 1e5').replace('interval = 0.05', 'interval = 20'));
  const { address, child } = await serve('run', file, '-o', folder, '--view');
  const ended = new Promise((resolve) => child.on('exit', resolve));
  const page = await visit(address).catch(async () => visit(address));
  await page.waitForFunction(() => /^running: step \d+.*iterations.*residual/.test(document.getElementById('live').textContent));
  const frames = () => page.evaluate(() => Number(document.getElementById('scrub').max));
  const count = await frames();
  await page.waitForFunction((count) => Number(document.getElementById('scrub').max) > count, count);
  await page.waitForFunction(() => document.body.dataset.frame === document.getElementById('scrub').max, null);
  await page.locator('#pause').click();
  await page.waitForFunction(() => /^paused/.test(document.getElementById('live').textContent));
  await page.waitForTimeout(300);
  const lines = () => readFileSync(join(folder, 'probes/steps.csv'), 'utf8').length;
  const waiting = lines();
  await page.waitForTimeout(500);
  assert.equal(lines(), waiting, 'it waits');
  await page.getByRole('button', { name: 'Continue run' }).click();
  await page.waitForFunction(() => /^running/.test(document.getElementById('live').textContent));
  await page.waitForTimeout(500);
  assert.ok(lines() > waiting, 'it goes on');
  await page.locator('#stop').click();
  await page.waitForFunction(() => /stopped/.test(document.getElementById('live').textContent));
  assert.ok(!existsSync(join(folder, 'stop')) && !existsSync(join(folder, 'pause')));
  assert.deepEqual(page.complaints, []);
  await page.context().close();
  child.kill('SIGINT');
  assert.equal(await ended, 4, 'stopped on request');
});

test('a folder that goes away is said', async () => {
  const folder = made('gone', PLANE.replace('duration = 1.0', 'duration = 0.2'));
  const { address } = await serve('view', folder, '--port', '0');
  const page = await visit(address);
  rmSync(folder, { recursive: true });
  await page.waitForFunction(() => /no such run folder/.test(document.getElementById('message').textContent), null, { timeout: 15_000 });
  await page.context().close();
});

test('one page opens from the disk', async () => {
  const file = join(home, 'plane.html');
  const done = spawnSync(command, ['export', plane, '--html', file], { encoding: 'utf8' });
  assert.equal(done.status, 0, done.stderr);
  assert.match(done.stdout, /21 of 21 frames/);
  const page = await visit(`file://${file}`);
  await goTo(page, 0);
  const { x, y } = await probe(page, 3);
  assert.ok(apart(await pixel(page, x, y + 8), [0xd9, 0xc3, 0xa0]) < 40);
  await page.getByRole('button', { name: 'add a plot' }).click();
  await page.waitForFunction(() => document.querySelector('.plot canvas')?.dataset.cursor !== undefined);
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

test('it fits a phone', async () => {
  const page = await visit(twoD, { width: 390, height: 760 }, { hasTouch: true, isMobile: true, deviceScaleFactor: 2 });
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nothing sticks out');
  assert.ok(await page.locator('#controls').isHidden());
  await page.locator('#drawer').tap();
  await page.locator('#set-chains').check();
  await page.locator('#drawer').tap();
  const { x, y } = await probe(page, 4);
  await page.touchscreen.tap(x, y);
  assert.match(await page.locator('#body').innerText(), /block/);
  await page.locator('#first').tap();
  await page.waitForFunction(() => document.body.dataset.frame === '0');
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

test('every control has a name for those who do not see it', async () => {
  const page = await visit(threeD);
  await page.getByRole('button', { name: 'add a plot' }).click();
  const nameless = await page.evaluate(() => [...document.querySelectorAll('button, input, select, [role=img], [role=application]')]
    .filter((part) => !(part.getAttribute('aria-label') || part.textContent.trim() || part.labels?.[0]?.textContent.trim()))
    .map((part) => part.outerHTML));
  assert.deepEqual(nameless, []);
  await page.context().close();
});

/** The colour at a place of the scene. */
async function at(page, place) {
  const [x, y] = await page.evaluate((place) => {
    const rect = document.getElementById('stage').getBoundingClientRect();
    const [x, y] = window.drystone.stage.project(place);
    return [x + rect.left, y + rect.top];
  }, place);
  return pixel(page, x, y);
}

test('the pressure in a joint is drawn over its whole length', async () => {
  const page = await visit(twoD);
  const before = (await probe(page, 4)).lines;
  await page.keyboard.press('p');
  await settled(page);
  assert.ok(await page.locator('#set-pressure').isChecked());
  assert.equal((await probe(page, 4)).lines - before, 9 + 8 + 1, 'strokes, their tips and the joint of the one block');
  const [most, pixels] = await page.evaluate(() => [window.drystone.scales.pressure, window.drystone.scales.pressureLength]);
  assert.ok(Math.abs(most - 0.2 * 2000 * 9.81) < 0.01 * most, `the weight over the joint: ${most} Pa`);
  assert.ok(pixels > 10, `a stroke of ${pixels} pixels`);
  // a block at rest presses evenly: strokes of one length at both ends and in the middle of its 0.3 m
  const ground = await at(page, [0.6 + 0.02, -0.03, 0]);
  for (const x of [0.45, 0.6, 0.75]) assert.ok(apart(await at(page, [x, -0.03, 0]), ground) > 40, `a stroke at ${x}`);
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

test('a body that deforms is drawn as it is, not as it was', async () => {
  const soft = made('soft', `title = "A disk of rubber"
dimension = 2
time = { step = 1e-3, duration = 0.2 }
output = { interval = 0.01 }
materials.rubber = { density = 1000, young = 4e4, poisson = 0.4, retardation = 2e-4 }
law = [{ between = ["*", "*"], inelastic.friction = 0.4 }]
body = [
  { name = "ground", shape.line = {}, fixed = true },
  { name = "disk", material = "rubber", shape.disk.radius = 0.1, position = [0, 0.2], deform.size = 0.04 },
]
`);
  const page = await visit((await serve('view', soft, '--port', '0')).address);
  const widest = () => page.evaluate(() => {
    const points = window.drystone.frame.data('skins/Points');
    let best = 0;
    for (let k = 0; k < points.length; k += 3) if (points[k] > points[best]) best = k;
    return [...points.slice(best, best + 3)];
  });
  await goTo(page, 0);
  assert.ok(Math.abs((await widest())[0] - 0.1) < 1e-6);
  // when it hits the ground it is wider than it was: there is rubber where there would be none
  let most = [0, 0, 0, 0];
  for (let k = 12; k <= 20; k++) {
    await goTo(page, k);
    const place = await widest();
    if (place[0] > most[1]) most = [k, ...place];
  }
  assert.ok(most[1] > 0.105, `it widens to ${most[1]} m`);
  await goTo(page, most[0]);
  const [inside, outside] = [await at(page, [most[1] - 0.0025, most[2], 0]), await at(page, [most[1] + 0.004, most[2], 0])];
  assert.ok(apart(inside, [255, 255, 255]) > 60, `rubber at ${most[1] - 0.0025}: ${inside}`);
  assert.ok(apart(outside, [255, 255, 255]) < 12, `air beside it: ${outside}`);
  // coloured by what is stored at its vertices: most and least stress are the two ends of the map
  await page.locator('#set-colour').selectOption('nodes: von_mises_stress');
  await settled(page);
  const ends = await page.evaluate(() => {
    const { frame, range } = window.drystone;
    const [points, stress] = [frame.data('skins/Points'), frame.data('skins/von_mises_stress')];
    let [low, high] = [0, 0];
    stress.forEach((value, k) => { if (value < stress[low]) low = k; if (value > stress[high]) high = k; });
    const middle = [0, 1].map((axis) => points.reduce((sum, x, k) => sum + (k % 3 === axis ? x : 0), 0) / stress.length);
    const inwards = (k) => [0, 1].map((axis) => middle[axis] + 0.97 * (points[3 * k + axis] - middle[axis]));
    return { low: inwards(low), high: inwards(high), most: stress[high], told: range.high, name: range.name };
  });
  assert.ok(ends.most > 0 && Math.abs(ends.told / ends.most - 1) < 1e-6 && ends.name.includes('[Pa]'), JSON.stringify(ends));
  const [pale, dark] = [await at(page, [...ends.low, 0]), await at(page, [...ends.high, 0])];
  assert.ok(apart(pale, dark) > 60, `${pale} where stress is least, ${dark} where it is most`);
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

test('a ring that deforms keeps its hole, in a scene before its first step as well', async () => {
  const page = await visit((await serve('view', join(root, 'scenes/deformable/ring.toml'), '--port', '0')).address);
  const paper = [255, 255, 255];
  // a ring of radii 0.2 and 0.25 m about (0, 0.251)
  assert.ok(apart(await at(page, [0.0, 0.251, 0]), paper) < 3, 'air in its middle');
  for (const [x, y] of [[0.225, 0], [-0.225, 0], [0, 0.225], [0.159, 0.159]]) {
    assert.ok(apart(await at(page, [x, 0.251 + y, 0]), paper) > 40, `rubber at ${x}, ${y}`);
  }
  for (const [x, y] of [[0.185, 0], [0, 0.185], [-0.13, -0.13], [0.28, 0]]) {
    assert.ok(apart(await at(page, [x, 0.251 + y, 0]), paper) < 3, `none at ${x}, ${y}`);
  }
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

test('frames of a large run bring contacts when they are needed, and memory has an end', async () => {
  const page = await visit(twoD);
  const asked = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname + new URL(request.url()).search));
  // as if it had a hundred thousand bodies
  await page.evaluate(() => { const { frames } = window.drystone; frames.lean = true; frames.clear(); });
  await goTo(page, 15);
  assert.ok(asked.includes('/api/frame/15?only=motion'), asked.join());
  assert.equal(await page.evaluate(() => window.drystone.frame.contacts), 0);
  await page.locator('#set-chains').check();
  await page.waitForFunction(() => window.drystone.frame.contacts > 0);
  await settled(page);
  assert.ok((await probe(page, 1)).lines > 3);
  const size = await page.evaluate(() => { const { frames } = window.drystone; frames.clear(); frames.most = 4 * 2000; return frames.most; });
  for (let k = 0; k <= 20; k++) await goTo(page, k);
  const [bytes, held] = await page.evaluate(() => [window.drystone.frames.bytes, window.drystone.frames.held.size]);
  assert.ok(bytes <= size && held >= 2 && held < 20, `${held} frames in ${bytes} bytes`);
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

test('the mean stress of a block is that of its weight', async () => {
  const block = made('block', PLANE.replace(/  \{ name = "(left|right|top)".*\n/g, '').replace('friction = 0.5', 'friction = 0.0'));
  const page = await visit((await serve('view', block, '--port', '0')).address);
  await page.locator('#set-colour').selectOption('mean_stress');
  await settled(page);
  // ρ g h / 4 of a block h high that is carried at its foot; with friction the two corners could pinch it besides
  const { high, name } = await page.evaluate(() => window.drystone.range);
  assert.ok(Math.abs(high / (2000 * 9.81 * 0.2 / 4) - 1) < 0.01 && name === 'mean stress [Pa]', `${high} ${name}`);
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

test('bodies that come and go are there while they are there', async () => {
  // disks fall past a ledge on which another lies, and leave below it
  const scene = `title = "Past a ledge"
dimension = 2
time = { step = 0.005, duration = 1.5 }
output = { interval = 0.05 }
law = [{ between = ["*", "*"], inelastic.friction = 0.5 }]
body = [
  { name = "ledge", group = "held", shape.box.size = [0.6, 0.2], position = [0.0, -0.1], fixed = true },
  { name = "lying", group = "held", density = 2000, shape.disk.radius = 0.1, position = [0.0, 0.1] },
]
source = [{ name = "grain", density = 2000, radius = [0.08, 0.08], lower = [0.7, 0.8], upper = [0.8, 0.8], rate = 5, count = 4 }]
outlet = [{ name = "below", axis = "y", below = -0.6 }]
`;
  const page = await visit((await serve('view', made('comings', scene), '--port', '0')).address);
  const paper = [255, 255, 255];
  const bodies = () => page.evaluate(() => window.drystone.frame.bodies);
  const counts = [];
  for (let k = 0; k <= 30; k++) {
    await goTo(page, k);
    counts.push(await bodies());
  }
  const fullest = counts.indexOf(Math.max(...counts));
  assert.ok(counts[fullest] >= 4 && counts[0] === 2 && counts.at(-1) === 2, `some came and all of them went: ${counts}`);
  const seen = [];
  for (let k = 0; k <= 30; k++) {
    await goTo(page, k);
    for (let body = 1; body < counts[k]; body++) {
      // beside the line that shows how a disk has turned
      const [x, y] = await probe(page, body).then((place) => [place.x - 4, place.y + 4]);
      // some leave the view before they leave the run
      if (!(await inView(page, x, y))) continue;
      assert.ok(apart(await pixel(page, x, y), paper) > 30, `frame ${k}: body ${body} of ${counts[k]} is drawn`);
      if (body > 1) seen.push({ x, y });
    }
  }
  assert.ok(seen.length > 10, `${seen.length} seen`);
  for (const { x, y } of seen) assert.ok(apart(await pixel(page, x, y), paper) < 3, 'what went is not drawn any more');
  // back in time one of them is clicked: it falls, and touches nothing
  await goTo(page, fullest);
  const { x, y, name } = await probe(page, 2);
  await page.mouse.click(x - 4, y + 4);
  const told = await page.locator('#body').textContent();
  // by the name that its source gave it
  assert.match(name, /^grain [1-4]$/);
  assert.ok(told.includes(name) && told.includes('grain'), told);
  // while it falls the page tells of it, not of the next in its row; when it is gone, of nobody
  const row = () => page.evaluate(() => window.drystone.settings.body);
  const rows = [];
  for (let k = 0; k <= 30; k++) {
    await goTo(page, k);
    rows.push(await row());
    const panel = page.locator('#body');
    assert.equal(await panel.isHidden(), rows[k] < 0, `frame ${k}`);
    if (rows[k] >= 0) assert.ok((await panel.textContent()).includes(name), `frame ${k}`);
  }
  assert.ok(rows[0] < 0 && rows.at(-1) < 0 && rows.filter((row) => row >= 0).length > 5, `${rows}`);
  await page.locator('#set-colour').selectOption('displacement');
  await page.locator('#set-chains').check();
  await goTo(page, 12);
  await settled(page);
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});
