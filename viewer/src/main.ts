// The page: holds the settings, fetches frames, and tells everybody else what to draw.
import { Vector3 } from 'three';
import { GROUPS, MAPS, PAPER, STONE, SUPPORT, css, hex, lit, map, mix, scatter, type Rgb } from './colours';
import { Controls } from './controls';
import { Frames, open, type Source, type Status } from './data';
import { BUILT_IN, unitOf, values } from './fields';
import { drawOver, joints, type Joint, type Scales } from './forces';
import type { Frame, Run } from './frame';
import * as legend from './legend';
import { label } from './numbers';
import * as panel from './panel';
import { Plots } from './plots';
import { read, write, type Settings } from './settings';
import { Stage } from './stage';

const find = <T extends HTMLElement>(id: string) => document.getElementById(id) as T;
const CHOSEN = hex('#f0a23c');
/** Frames of a trail. */
const TRAIL = 24;
/** More bodies than this have no trails but for the one chosen. */
const MANY = 1500;

class Page {
  private settings: Settings = read(location.hash);
  private stage: Stage;
  private frames: Frames;
  private controls: Controls;
  private plots: Plots;
  private frame: Frame | null = null;
  private reference: Frame | null = null;
  private trail: number[][][] = [];
  private joints: Joint[] = [];
  private scales: Scales | null = null;
  private range: { name: string; low: number; high: number } | null = null;
  private playing = false;
  private wanted = -1;
  private drawn = 0;
  private dirty = true;
  private film: MediaRecorder | null = null;
  private framed = document.createElement('canvas');
  private version: number | undefined;

  constructor(private source: Source, private run: Run, private times: number[]) {
    this.stage = new Stage(find<HTMLCanvasElement>('view'), run);
    this.frames = new Frames(source);
    const faces = run.forms.some((form) => form.kind === 'polygon' || form.kind === 'polyhedron') || run.open;
    this.controls = new Controls(find<HTMLFormElement>('controls'), this.settings, {
      changed: (name) => this.changed(name),
      fit: () => this.fit(),
      view: (name) => this.look(name),
      screenshot: () => this.screenshot(),
      record: () => this.record(),
      plot: () => this.plots.add(),
    }, run.dimension, faces);
    this.plots = new Plots(find('plots'), source, (time) => this.seek(time), (text) => {
      this.settings.plots = text;
      this.keep();
      this.resize();
    });
    find('title').textContent = run.title || 'Drystone';
    document.title = `${run.title || 'run'} – Drystone`;
    this.listen();
  }

  async start(): Promise<void> {
    const last = this.times.length - 1;
    this.resize();
    if (last < 0) {
      this.say('The run holds no frame yet.');
    } else {
      const [first, end] = await Promise.all([this.frames.get(0), this.frames.get(last)]);
      this.stage.box = this.box([first, end]);
      this.controls.fields([...BUILT_IN, ...end.fields().filter((name) => !BUILT_IN.includes(name))]);
    }
    const eye = this.settings.eye.split(',').map(Number);
    if (eye.length === 6 && eye.every(Number.isFinite)) {
      const { eye: own } = this.stage;
      own.fit(this.stage.box, this.band());
      own.focus.set(eye[0], eye[1], eye[2]);
      [own.half, own.azimuth, own.elevation] = [eye[3], eye[4], eye[5]];
    } else this.fit();
    this.controls.update();
    this.span();
    if (last >= 0) await this.go(this.settings.frame < 0 ? last : Math.min(this.settings.frame, last));
    await this.plots.load(this.settings.plots).catch(() => {});
    this.controls.plots(this.plots.possible);
    if (this.plots.count > 0) this.plots.show(this.frame?.time ?? 0);
    requestAnimationFrame(() => this.tick());
    await this.follow();
  }

  /** The box of what moves; supports that would dwarf it are cut. */
  private box(frames: Frame[]) {
    const grow = (fixed: boolean) => {
      const boxes = frames.map((frame) => this.stage.around(frame, (body) => fixed || !this.run.fixed[body]));
      boxes.forEach((box) => { boxes[0].low.min(box.low); boxes[0].high.max(box.high); });
      return boxes[0];
    };
    const [moving, all] = [grow(false), grow(true)];
    const size = (box: { low: Vector3; high: Vector3 }) => box.high.distanceTo(box.low);
    const good = (box: { low: Vector3; high: Vector3 }) => Number.isFinite(size(box)) && size(box) > 0;
    if (good(moving)) return good(all) && size(all) <= 2.5 * size(moving) ? all : moving;
    return good(all) ? all : { low: new Vector3(-1, -1, -1), high: new Vector3(1, 1, 1) };
  }

  private listen(): void {
    new ResizeObserver(() => this.resize()).observe(find('stage'));
    const click = (id: string, act: () => void) => { find<HTMLButtonElement>(id).onclick = act; };
    click('first', () => this.step(0, true));
    click('end', () => this.step(this.times.length - 1, true));
    click('back', () => this.step(-1));
    click('next', () => this.step(1));
    click('play', () => this.play(!this.playing));
    click('pause', () => this.ask(find('pause').dataset.what as 'pause' | 'continue'));
    click('stop', () => this.ask('stop'));
    const small = matchMedia('(max-width: 720px)');
    const drawer = (shown: boolean) => {
      find('controls').hidden = !shown;
      find('drawer').setAttribute('aria-expanded', String(shown));
    };
    drawer(!small.matches);
    click('drawer', () => drawer(find('controls').hidden));
    const scrub = find<HTMLInputElement>('scrub');
    scrub.oninput = () => { this.play(false); void this.go(Number(scrub.value)); };
    const speed = find<HTMLSelectElement>('speed');
    speed.append(...[0.1, 0.25, 0.5, 1, 2, 5, 10].map((factor) => new Option(`${factor}×`, String(factor))));
    speed.value = String(this.settings.speed);
    speed.onchange = () => { this.settings.speed = Number(speed.value); this.keep(); };
    const loop = find<HTMLInputElement>('loop');
    loop.checked = this.settings.loop;
    loop.onchange = () => { this.settings.loop = loop.checked; this.keep(); };
    addEventListener('keydown', (event) => this.key(event));
    addEventListener('hashchange', () => {
      if (location.hash !== write(this.settings)) location.reload();
    });
    this.pointers(find('stage'));
  }

  private key(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    const typing = target.matches('input:not([type=checkbox]), select, textarea');
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    const toggle = (name: 'chains' | 'thrust' | 'pressure' | 'contacts' | 'velocities' | 'trails') => () => {
      this.settings[name] = !this.settings[name];
      this.controls.update();
      this.changed(name);
    };
    const acts: Record<string, () => void> = {
      ' ': () => this.play(!this.playing), ArrowRight: () => this.step(1), ArrowLeft: () => this.step(-1),
      Home: () => this.step(0, true), End: () => this.step(this.times.length - 1, true), '0': () => this.fit(),
      '+': () => this.zoom(0.8), '-': () => this.zoom(1.25), Escape: () => this.choose(-1),
      f: toggle('chains'), t: toggle('thrust'), p: toggle('pressure'), c: toggle('contacts'), v: toggle('velocities'), r: toggle('trails'),
    };
    if (event.key === ' ' && target.matches('button')) return;
    const act = acts[event.key] ?? acts[event.key.toLowerCase()];
    if (!act) return;
    event.preventDefault();
    act();
  }

  private pointers(room: HTMLElement): void {
    const held = new Map<number, [number, number]>();
    let moved = 0;
    const { eye } = this.stage;
    room.addEventListener('pointerdown', (event) => {
      if ((event.target as HTMLElement).closest('#body')) return;
      held.set(event.pointerId, [event.clientX, event.clientY]);
      room.setPointerCapture(event.pointerId);
      moved = held.size > 1 ? 99 : 0;
    });
    room.addEventListener('pointermove', (event) => {
      const before = held.get(event.pointerId);
      if (!before) return;
      const [dx, dy] = [event.clientX - before[0], event.clientY - before[1]];
      moved += Math.abs(dx) + Math.abs(dy);
      if (held.size === 2) {
        const other = [...held].find(([id]) => id !== event.pointerId)![1];
        const span = (at: number[]) => Math.hypot(at[0] - other[0], at[1] - other[1]);
        eye.zoom(span(before) / Math.max(1, span([event.clientX, event.clientY])));
        eye.move(dx / 2, dy / 2);
      } else if (this.stage.flat || event.buttons === 2 || event.shiftKey) eye.move(dx, dy);
      else eye.turn(dx, dy);
      held.set(event.pointerId, [event.clientX, event.clientY]);
      this.looked();
    });
    const up = (event: PointerEvent) => {
      if (!held.delete(event.pointerId) || moved > 4 || event.type === 'pointercancel') return;
      const rect = room.getBoundingClientRect();
      this.choose(this.stage.pick(event.clientX - rect.left, event.clientY - rect.top));
    };
    room.addEventListener('pointerup', up);
    room.addEventListener('pointercancel', up);
    room.addEventListener('contextmenu', (event) => event.preventDefault());
    room.addEventListener('wheel', (event) => {
      if ((event.target as HTMLElement).closest('#body')) return;
      event.preventDefault();
      const rect = room.getBoundingClientRect();
      eye.zoom(Math.exp(0.0012 * event.deltaY), event.clientX - rect.left, event.clientY - rect.top);
      this.looked();
    }, { passive: false });
  }

  private zoom(factor: number): void {
    this.stage.eye.zoom(factor);
    this.looked();
  }

  /** The view has changed: lines over the bodies keep their width, so they are made anew. */
  private looked(): void {
    const { focus, half, azimuth, elevation } = this.stage.eye;
    this.settings.eye = [focus.x, focus.y, focus.z, half, azimuth, elevation].map((x) => Number(x.toPrecision(6))).join(',');
    this.keep();
    this.paint();
    this.over();
  }

  /** Pixels beneath the bodies that the legend needs. */
  private band(): number {
    return Math.min(0.2 * this.stage.eye.height, this.stage.eye.width < 720 ? 64 : 36);
  }

  private fit(): void {
    this.stage.eye.fit(this.stage.box, this.band());
    this.settings.eye = '';
    this.keep();
    this.paint();
    this.over();
  }

  private look(name: string): void {
    const { eye } = this.stage;
    [eye.azimuth, eye.elevation] = { front: [-90, 0], side: [0, 0], top: [-90, 89] }[name] ?? [-60, 20];
    eye.fit(this.stage.box, this.band());
    this.looked();
  }

  private resize(): void {
    const room = find('stage');
    const [width, height] = [Math.max(1, room.clientWidth), Math.max(1, room.clientHeight)];
    const { eye } = this.stage;
    if (eye.width === width && eye.height === height) return;
    const first = eye.width === 1;
    this.stage.resize(width, height, Math.min(2, devicePixelRatio || 1));
    if (!first && !this.settings.eye) this.stage.eye.fit(this.stage.box, this.band());
    this.paint();
    this.over();
    this.plots.show(this.frame?.time ?? 0);
  }

  private span(): void {
    find<HTMLInputElement>('scrub').max = String(Math.max(0, this.times.length - 1));
  }

  private step(by: number, absolute = false): void {
    this.play(false);
    const now = this.wanted < 0 ? 0 : this.wanted;
    void this.go(Math.max(0, Math.min(this.times.length - 1, absolute ? by : now + by)));
  }

  private seek(time: number): void {
    let best = 0;
    this.times.forEach((t, k) => { if (Math.abs(t - time) < Math.abs(this.times[best] - time)) best = k; });
    this.play(false);
    void this.go(best);
  }

  /** Shows a frame; one asked for later wins. */
  private async go(index: number): Promise<void> {
    this.wanted = index;
    try {
      const frame = await this.frames.get(index);
      const settings = this.settings;
      if (settings.colour === 'displacement') this.reference = await this.frames.get(Math.min(settings.reference, this.times.length - 1));
      if (this.wanted !== index) return;
      this.frame = frame;
      settings.frame = index === this.times.length - 1 ? -1 : index;
      this.say('');
      await this.followTrail(index);
      if (this.wanted !== index) return;
      this.stage.show(frame);
      this.joints = joints(frame);
      this.paint();
      this.over();
      this.tell(index);
    } catch (error) {
      this.play(false);
      this.say(`This frame cannot be shown: ${(error as Error).message}`);
    }
  }

  private tell(index: number): void {
    const frame = this.frame!;
    const scrub = find<HTMLInputElement>('scrub');
    scrub.value = String(index);
    scrub.setAttribute('aria-valuetext', `frame ${index} of ${this.times.length - 1}, ${label(frame.time)} seconds`);
    find('time').textContent = `t = ${label(frame.time)} s · frame ${index} of ${this.times.length - 1}`;
    panel.fill(find('body'), this.run, frame, this.settings.body, () => this.choose(-1));
    this.plots.show(frame.time);
    this.keep();
    document.body.dataset.frame = String(index);
  }

  private async followTrail(index: number): Promise<void> {
    this.trail = [];
    const { body, trails } = this.settings;
    if (!trails || this.run.open || !this.frame) return;
    const who = body >= 0 ? [body] : this.frame.bodies <= MANY ? [...Array(this.frame.bodies).keys()].filter((body) => !this.run.fixed[body]) : [];
    const from = Math.max(0, index - TRAIL);
    const frames = await Promise.all(Array.from({ length: index - from + 1 }, (_, k) => this.frames.get(from + k)));
    const at = (frame: Frame, body: number) => [0, 1, 2].map((axis) => frame.data('bodies/Points')[3 * body + axis]);
    this.trail = who.map((body) => frames.map((frame) => at(frame, body)));
    // through the seam of a periodic cell nothing flies across the picture
    if (this.run.cell) this.trail = this.trail.map((line) => line.filter((place, k) => k === 0 || Math.hypot(...place.map((x, axis) => x - line[k - 1][axis])) < 4 * this.stage.size));
  }

  private changed(name: keyof Settings): void {
    this.keep();
    if (name === 'colour' || name === 'reference' || name === 'trails') void this.go(this.wanted);
    else if (this.frame) {
      this.paint();
      this.over();
    }
  }

  private keep(): void {
    history.replaceState(null, '', write(this.settings));
  }

  /** Gives every body its colour. */
  private paint(): void {
    const { frame, run, settings, stage } = this;
    if (!frame) return;
    const field = values(settings.colour, frame, this.reference, run);
    this.range = null;
    let [low, high] = [0, 1];
    if (field) {
      [low, high] = [Infinity, -Infinity];
      field.forEach((value, body) => { if (run.open || !run.fixed[body]) [low, high] = [Math.min(low, value), Math.max(high, value)]; });
      if (!(high >= low)) [low, high] = [0, 1];
      if (low > 0) low = 0;
      // what is no more than rounding is rest
      const still = { speed: (1e-8 * stage.size) / run.step, displacement: 1e-9 * stage.size, spin: 1e-8 / run.step }[settings.colour] ?? 0;
      high = Math.max(high, low + still);
      if (settings.low !== '' && Number.isFinite(Number(settings.low))) low = Number(settings.low);
      if (settings.high !== '' && Number.isFinite(Number(settings.high))) high = Number(settings.high);
      const unit = unitOf(settings.colour);
      this.range = { name: `${settings.colour.replaceAll('_', ' ')}${unit ? ` [${unit}]` : ''}`, low, high };
    }
    const stops = MAPS[settings.map] ?? MAPS.drystone;
    const quiet = settings.chains || settings.velocities || settings.thrust || settings.pressure;
    const groups = frame.data('bodies/group');
    const bytes = new Uint8Array(4 * frame.bodies);
    for (let body = 0; body < frame.bodies; body++) {
      const fixed = !run.open && run.fixed[body];
      let colour: Rgb;
      if (field && !fixed) colour = map(stops, (field[body] - low) / (high - low || 1));
      else {
        const group = run.open ? groups[body] : run.group[body];
        colour = fixed ? SUPPORT : settings.colour === 'none' || field ? STONE : GROUPS[group % GROUPS.length];
        if (!fixed) colour = lit(colour, 0.93 + 0.14 * scatter(body));
        if (quiet) colour = mix(colour, PAPER, 0.45);
      }
      if (body === settings.body) colour = CHOSEN;
      bytes.set([colour[0], colour[1], colour[2], this.opacity(body)], 4 * body);
    }
    stage.section = settings.section && !stage.flat ? this.sectionAt() : null;
    stage.paint(bytes);
    this.dirty = true;
  }

  private sectionAt() {
    const axis = 'xyz'.indexOf(this.settings.section);
    const { low, high } = this.stage.box;
    const [from, to] = [low.getComponent(axis), high.getComponent(axis)];
    return { axis, at: from + this.settings.sectionAt * (to - from), flip: this.settings.sectionFlip };
  }

  /** Supports that stand between the eye and what moves, or around it, are seen through. */
  private opacity(body: number): number {
    const { run, stage, settings, frame } = this;
    if (stage.flat || run.open || !run.fixed[body]) return 255;
    if (settings.walls === 'solid') return 255;
    if (settings.walls === 'hidden') return 0;
    const [size, reach] = [2 * stage.radius[body], 0.5 * stage.box.high.distanceTo(stage.box.low)];
    const places = frame!.data('bodies/Points');
    const at = new Vector3(places[3 * body], places[3 * body + 1], places[3 * body + 2]);
    const focus = stage.box.low.clone().add(stage.box.high).multiplyScalar(0.5);
    if (settings.walls === 'clear') return 60;
    const ahead = at.sub(focus).dot(stage.eye.axes().towards);
    return size > 0.4 * reach && ahead > 0.3 * reach ? 50 : 255;
  }

  private over(): void {
    if (!this.frame) return;
    this.scales = drawOver(this.stage, this.frame, this.settings, this.joints, this.trail);
    this.dirty = true;
  }

  private told(): legend.Told {
    const { run, settings, frame } = this;
    const used = settings.colour === 'group' ? run.groups.map((name, k) => ({ name, k })).filter(({ name, k }) => name && run.group.some((group, body) => group === k && !run.fixed[body])) : [];
    const groups = used.length > 1 ? used.slice(0, 8).map(({ name, k }) => ({ name, colour: css(GROUPS[k % GROUPS.length]) })) : [];
    const note = this.source.of > this.times.length ? `${this.times.length} of ${this.source.of} frames` : '';
    const tension = this.joints.some((joint) => joint.size < 0);
    return { title: run.title, time: frame?.time ?? 0, scale: this.stage.eye.scale, settings, scales: this.scales, colours: this.range, groups, tension, flat: this.stage.flat, note };
  }

  private draw(): void {
    this.stage.render();
    const { width, height } = this.stage.eye;
    const ratio = Math.min(2, devicePixelRatio || 1);
    legend.draw(find<HTMLCanvasElement>('legend'), width, height, ratio, this.told(), false);
    this.drawn += 1;
    document.body.dataset.drawn = String(this.drawn);
  }

  /** The picture as it is taken away: bodies, title and legend on one canvas. */
  private compose(): HTMLCanvasElement {
    const { width, height } = this.stage.eye;
    const ratio = Math.min(2, devicePixelRatio || 1);
    this.stage.render();
    const labels = document.createElement('canvas');
    legend.draw(labels, width, height, ratio, this.told(), true);
    // films want even sizes
    this.framed.width = Math.floor((width * ratio) / 2) * 2;
    this.framed.height = Math.floor((height * ratio) / 2) * 2;
    const pen = this.framed.getContext('2d')!;
    pen.drawImage(this.stage.canvas, 0, 0);
    pen.drawImage(labels, 0, 0);
    return this.framed;
  }

  private save(blob: Blob | null, ending: string): void {
    if (!blob) return;
    const link = document.createElement('a');
    link.href = URL.createObjectURL(blob);
    const name = (this.run.title || 'drystone').toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '') || 'drystone';
    link.download = `${name}-${String(Math.max(0, this.wanted)).padStart(4, '0')}.${ending}`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  }

  private screenshot(): void {
    this.compose().toBlob((blob) => this.save(blob, 'png'));
  }

  /** Films all frames from the beginning, 25 a second, then saves. */
  private async record(): Promise<void> {
    if (this.film) {
      this.film.stop();
      return;
    }
    if (!('MediaRecorder' in window)) return this.say('This browser cannot film.');
    const canvas = this.compose();
    const stream = canvas.captureStream(0);
    const [track] = stream.getVideoTracks() as CanvasCaptureMediaStreamTrack[];
    const kind = ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm'].find((kind) => MediaRecorder.isTypeSupported(kind));
    const film = (this.film = new MediaRecorder(stream, { mimeType: kind, videoBitsPerSecond: 8e6 }));
    const parts: Blob[] = [];
    film.ondataavailable = (event) => parts.push(event.data);
    const done = new Promise((resolve) => { film.onstop = resolve; });
    this.controls.recording(true);
    film.start();
    const start = performance.now();
    for (let index = 0; index < this.times.length && film.state === 'recording'; index++) {
      await this.go(index);
      this.compose();
      track.requestFrame();
      await new Promise((resolve) => setTimeout(resolve, Math.max(1, start + 40 * (index + 1) - performance.now())));
    }
    if (film.state === 'recording') film.stop();
    await done;
    this.film = null;
    this.controls.recording(false);
    this.save(new Blob(parts, { type: 'video/webm' }), 'webm');
  }

  private play(on: boolean): void {
    this.playing = on && this.times.length > 1;
    if (this.playing && this.wanted >= this.times.length - 1) this.wanted = 0;
    const button = find('play');
    button.textContent = this.playing ? 'Wait' : 'Play';
    button.setAttribute('aria-label', this.playing ? 'Wait' : 'Play');
    this.clock = performance.now();
    this.shown = this.times[this.wanted] ?? 0;
  }

  private clock = 0;
  private shown = 0;
  private busy = false;

  private tick(): void {
    requestAnimationFrame(() => this.tick());
    if (this.playing && !this.busy) this.advance();
    if (this.dirty) {
      this.dirty = false;
      this.draw();
    }
  }

  /** Goes on by the time that has passed: the whole run takes ten seconds at speed 1. */
  private advance(): void {
    const now = performance.now();
    const last = this.times.length - 1;
    const span = this.times[last] - this.times[0];
    const pace = (Math.min(10, Math.max(2, this.times.length / 25)) || 1) / this.settings.speed;
    this.shown += ((now - this.clock) / 1000 / pace) * span;
    this.clock = now;
    let index = this.wanted;
    while (index < last && this.times[index + 1] <= this.shown) index += 1;
    if (this.shown > this.times[last]) {
      if (!this.settings.loop) this.play(false);
      else this.shown = this.times[index = 0];
    }
    if (index === this.wanted) return;
    this.busy = true;
    void this.go(index).finally(() => { this.busy = false; });
    if (index < last) void this.frames.get(index + 1).catch(() => {});
  }

  private choose(body: number): void {
    this.settings.body = body >= 0 && this.frame && body < this.frame.bodies ? body : -1;
    this.keep();
    if (!this.frame) return;
    panel.fill(find('body'), this.run, this.frame, this.settings.body, () => this.choose(-1));
    if (this.settings.trails) void this.go(this.wanted);
    this.paint();
  }

  /** Looks at a run in progress once a second, and shows its newest frame. */
  private async follow(): Promise<void> {
    if (this.source.exported) return;
    for (let failures = 0; failures < 30;) {
      try {
        const status = await this.source.status();
        if (this.version !== undefined && status.version !== this.version) return location.reload();
        this.version = status.version;
        failures = 0;
        await this.update(status);
        if (!status.running) {
          await new Promise((resolve) => setTimeout(resolve, 4000));
          continue;
        }
      } catch (error) {
        failures += 1;
        this.say((error as Error).message === 'Failed to fetch' ? 'The server does not answer.' : (error as Error).message);
      }
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  }

  private async update(status: Status): Promise<void> {
    const [pause, stop] = [find('pause'), find('stop')];
    pause.hidden = stop.hidden = !status.running;
    pause.textContent = status.paused ? 'Continue run' : 'Pause run';
    pause.dataset.what = status.paused ? 'continue' : 'pause';
    find('follow-label').hidden = !status.running;
    const last = status.last;
    const figures = last ? `step ${last.step}, ${last.contacts} contacts, ${last.iterations} iterations, residual ${label(last.residual ?? NaN)}` : '';
    find('live').textContent = status.running ? `${status.paused ? 'paused' : status.stopping ? 'stopping' : 'running'}: ${figures}` : status.outcome ? String(status.outcome) : '';
    document.body.dataset.running = String(status.running);
    if (status.frames === this.times.length) return;
    const empty = this.times.length === 0;
    this.times = await this.source.times();
    if (empty && this.times.length > 0) return location.reload();
    this.span();
    document.body.dataset.frames = String(this.times.length);
    if (find<HTMLInputElement>('follow').checked && !this.playing && !this.film) await this.go(this.times.length - 1);
    else if (this.frame) this.tell(this.wanted);
    await this.plots.refresh().catch(() => {});
    this.plots.show(this.frame?.time ?? 0);
  }

  private ask(what: 'pause' | 'continue' | 'stop'): void {
    this.source.ask(what).then(() => this.source.status()).then((status) => this.update(status)).catch((error) => this.say(error.message));
  }

  private say(text: string): void {
    const room = find('message');
    room.textContent = text;
    room.hidden = text === '';
  }

  /** For tests: where a body is on the page, and what is drawn. */
  probe(body: number) {
    const places = this.frame?.data('bodies/Points') ?? [];
    const rect = find('stage').getBoundingClientRect();
    const [x, y] = this.stage.project([places[3 * body], places[3 * body + 1], places[3 * body + 2]]);
    return { x: x + rect.left, y: y + rect.top, lines: this.stage.over.length, name: this.frame ? panel.nameOf(this.run, this.frame, body) : '' };
  }
}

async function main(): Promise<void> {
  try {
    const source = await open();
    const [run, times] = await Promise.all([source.run(), source.times()]);
    // where bodies come and go, a row of a frame is no body of the scene
    if (run.open) run.fixed = run.held = [];
    const page = new Page(source, run, times);
    (window as any).drystone = page;
    await page.start();
  } catch (error) {
    const room = find('message');
    room.textContent = `Nothing can be shown: ${(error as Error).message}`;
    room.hidden = false;
    throw error;
  }
}

void main();
