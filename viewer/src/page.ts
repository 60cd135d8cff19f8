// The page: holds the settings, fetches frames, and tells everybody else what to draw.
import { Capture } from './capture';
import { GROUPS, css } from './colours';
import { Controls } from './controls';
import { Frames, type Depth, type Source, type Status } from './data';
import { find } from './dom';
import { AT_CONTACTS, BUILT_IN, OF_MOTION, contactFields } from './fields';
import { drawOver, joints, type Joint, type Scales } from './forces';
import type { Frame, Run } from './frame';
import { listenToKeys } from './keys';
import * as legend from './legend';
import { Live } from './live';
import { nodeFields } from './nodes';
import { sectionOf, tints, type ColourRange } from './paint';
import * as panel from './panel';
import { Player } from './player';
import { Plots } from './plots';
import { listenToPointers } from './pointers';
import { read, write, type Settings } from './settings';
import { Stage } from './stage';
import { Timeline } from './timeline';
import { trailsOf } from './trails';

/** Frames of runs with more bodies come without what nothing needs as yet. */
const LEAN = 5000;

/** Settings that ask for more of a frame, or for other frames. */
const FETCHED = ['colour', 'reference', 'trails', 'chains', 'thrust', 'pressure', 'contacts'];

type Overlay = 'chains' | 'thrust' | 'pressure' | 'contacts' | 'velocities' | 'trails';

export class Page {
  private settings: Settings = read(location.hash);
  private stage: Stage;
  private frames: Frames;
  private controls: Controls;
  private timeline: Timeline;
  private plots: Plots;
  private capture: Capture;
  private player = new Player();
  private live: Live;
  private frame: Frame | null = null;
  private reference: Frame | null = null;
  private trail: number[][][] = [];
  private joints: Joint[] = [];
  private scales: Scales | null = null;
  private range: ColourRange | null = null;
  private wanted = -1;
  /** Who was chosen, where bodies come and go. */
  private chosen = '';
  private drawn = 0;
  private dirty = true;
  private busy = false;

  constructor(private source: Source, private run: Run, private times: number[]) {
    this.stage = new Stage(find<HTMLCanvasElement>('view'), run);
    this.frames = new Frames(source, run.names.length > LEAN);
    const faces = run.forms.some((form) => form.kind === 'polygon' || form.kind === 'polyhedron') || run.open;
    this.capture = new Capture(this.stage, () => this.told(), () => this.fileName());
    this.controls = new Controls(find<HTMLFormElement>('controls'), this.settings, {
      changed: (name) => this.changed(name),
      fit: () => this.fit(),
      view: (name) => this.look(name),
      screenshot: () => this.capture.screenshot(),
      record: () => this.record(),
      plot: () => this.plots.add(),
    }, run.dimension, faces);
    this.timeline = new Timeline(this.settings, {
      first: () => this.step(0, true),
      last: () => this.step(this.times.length - 1, true),
      by: (frames) => this.step(frames),
      go: (index) => { this.play(false); void this.go(index); },
      play: () => this.play(!this.player.playing),
      keep: () => this.keep(),
    });
    this.plots = new Plots(find('plots'), source, (time) => this.seek(time), (text) => {
      this.settings.plots = text;
      this.keep();
      this.resize();
    });
    this.live = new Live(source, (status) => this.grown(status), (text) => this.say(text));
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
      // who comes and goes may be in none of the two ends
      const between = this.run.open ? [1, 2, 3].map((part) => Math.round((part * last) / 4)) : [];
      const [end, ...others] = await Promise.all([this.frames.get(last, 'bodies'), ...[0, ...between].map((index) => this.frames.get(index, 'motion'))]);
      this.stage.frameIn([...others, end]);
      this.controls.fields([...new Set([...BUILT_IN, ...end.fields(), ...contactFields(end), ...nodeFields(end)])]);
    }
    const eye = this.settings.eye.split(',').map(Number);
    if (eye.length === 6 && eye.every(Number.isFinite)) {
      const { eye: own } = this.stage;
      own.fit(this.stage.box, this.band());
      own.focus.set(eye[0], eye[1], eye[2]);
      [own.half, own.azimuth, own.elevation] = [eye[3], eye[4], eye[5]];
    } else this.fit();
    this.controls.update();
    this.timeline.span(this.times.length);
    if (last >= 0) await this.go(this.settings.frame < 0 ? last : Math.min(this.settings.frame, last));
    await this.plots.load(this.settings.plots).catch(() => {});
    this.controls.plots(this.plots.possible);
    if (this.plots.count > 0) this.plots.show(this.frame?.time ?? 0);
    requestAnimationFrame(() => this.tick());
    await this.live.follow();
  }

  private listen(): void {
    new ResizeObserver(() => this.resize()).observe(find('stage'));
    const drawer = (shown: boolean) => {
      find('controls').hidden = !shown;
      find('drawer').setAttribute('aria-expanded', String(shown));
    };
    drawer(!matchMedia('(max-width: 720px)').matches);
    find('drawer').onclick = () => drawer(find('controls').hidden);
    const toggle = (name: Overlay) => () => {
      this.settings[name] = !this.settings[name];
      this.controls.update();
      this.changed(name);
    };
    listenToKeys({
      ' ': () => this.play(!this.player.playing), ArrowRight: () => this.step(1), ArrowLeft: () => this.step(-1),
      Home: () => this.step(0, true), End: () => this.step(this.times.length - 1, true), '0': () => this.fit(),
      '+': () => this.zoom(0.8), '-': () => this.zoom(1.25), Escape: () => this.choose(-1),
      f: toggle('chains'), t: toggle('thrust'), p: toggle('pressure'), c: toggle('contacts'), v: toggle('velocities'), r: toggle('trails'),
    });
    addEventListener('hashchange', () => {
      if (location.hash !== write(this.settings)) location.reload();
    });
    listenToPointers(find('stage'), this.stage, { looked: () => this.looked(), choose: (body) => this.choose(body) });
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
    this.redraw();
  }

  /** Pixels beneath the bodies that the legend needs. */
  private band(): number {
    return Math.min(0.2 * this.stage.eye.height, this.stage.eye.width < 720 ? 64 : 36);
  }

  private fit(): void {
    this.stage.eye.fit(this.stage.box, this.band());
    this.settings.eye = '';
    this.keep();
    this.redraw();
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
    this.redraw();
    this.plots.show(this.frame?.time ?? 0);
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

  /** How much of a frame is needed for what is shown. */
  private get depth(): Depth {
    const { chains, thrust, pressure, contacts, colour, body } = this.settings;
    const touching = ['coordination', 'mean_stress'].includes(colour) || colour.startsWith(AT_CONTACTS);
    if (chains || thrust || pressure || contacts || touching || body >= 0 || this.chosen) return 'all';
    return OF_MOTION.has(colour) ? 'motion' : 'bodies';
  }

  /** Shows a frame; one asked for later wins. */
  private async go(index: number): Promise<void> {
    this.wanted = index;
    try {
      const { settings } = this;
      const frame = await this.frames.get(index, this.depth);
      const since = settings.colour === 'displacement' ? await this.frames.get(Math.min(settings.reference, this.times.length - 1), 'motion') : null;
      const trail = await trailsOf(this.run, this.frames, frame, index, settings, this.stage.size);
      if (this.wanted !== index) return;
      [this.frame, this.reference, this.trail] = [frame, since, trail];
      settings.frame = index === this.times.length - 1 ? -1 : index;
      if (this.run.open) this.findChosen(frame);
      this.say('');
      this.stage.show(frame);
      this.joints = joints(frame);
      this.redraw();
      this.tell(index);
    } catch (error) {
      this.play(false);
      this.say(`This frame cannot be shown: ${(error as Error).message}`);
    }
  }

  private tell(index: number): void {
    const frame = this.frame!;
    this.timeline.tell(frame, index, this.times.length);
    panel.fill(find('body'), this.run, frame, this.settings.body, () => this.choose(-1));
    this.plots.show(frame.time);
    this.keep();
  }

  private changed(name: keyof Settings): void {
    this.keep();
    if (this.wanted < 0) return;
    if (FETCHED.includes(name)) void this.go(this.wanted);
    else this.redraw();
  }

  private keep(): void {
    history.replaceState(null, '', write(this.settings));
  }

  /** Gives every body its colour. */
  private paint(): void {
    const { frame, settings, stage } = this;
    if (!frame) return;
    const { bytes, vertices, range } = tints(stage, frame, this.reference, settings);
    this.range = range;
    stage.section = sectionOf(stage, settings);
    stage.paint(bytes);
    stage.paintVertices(vertices);
    this.dirty = true;
  }

  private redraw(): void {
    this.paint();
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

  private fileName(): string {
    const name = (this.run.title || 'drystone').toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '') || 'drystone';
    return `${name}-${String(Math.max(0, this.wanted)).padStart(4, '0')}`;
  }

  private async record(): Promise<void> {
    const possible = await this.capture.record(() => this.times.length, (index) => this.go(index), (on) => this.controls.recording(on));
    if (!possible) this.say('This browser cannot film.');
  }

  private play(on: boolean): void {
    if (on && this.times.length > 1) {
      if (this.wanted >= this.times.length - 1) this.wanted = 0;
      this.player.start(this.times[this.wanted] ?? 0);
    } else this.player.stop();
    this.timeline.playing(this.player.playing);
  }

  private tick(): void {
    requestAnimationFrame(() => this.tick());
    if (this.player.playing && !this.busy) this.advance();
    if (this.dirty) {
      this.dirty = false;
      this.draw();
    }
  }

  private advance(): void {
    const index = this.player.next(this.wanted, this.times, this.settings.speed, this.settings.loop);
    if (!this.player.playing) this.timeline.playing(false);
    if (index === this.wanted) return;
    this.busy = true;
    void this.go(index).finally(() => { this.busy = false; });
    if (index < this.times.length - 1) void this.frames.get(index + 1, this.depth).catch(() => {});
  }

  /** Where bodies come and go the one that was chosen has another row in each frame, or none. */
  private findChosen(frame: Frame): void {
    const { settings } = this;
    if (!this.chosen && settings.body >= 0) this.chosen = frame.who(settings.body);
    settings.body = this.chosen ? frame.rows().get(this.chosen) ?? -1 : -1;
  }

  private choose(body: number): void {
    this.settings.body = body >= 0 && this.frame && body < this.frame.bodies ? body : -1;
    this.chosen = this.run.open && this.settings.body >= 0 ? this.frame!.who(body) : '';
    this.keep();
    if (!this.frame) return;
    panel.fill(find('body'), this.run, this.frame, this.settings.body, () => this.choose(-1));
    if (this.settings.trails || this.frames.lean) void this.go(this.wanted);
    this.paint();
  }

  /** A run in progress may have more frames than before: shows the newest where that is wished. */
  private async grown(status: Status): Promise<void> {
    if (status.frames === this.times.length) return;
    const empty = this.times.length === 0;
    this.times = await this.source.times();
    if (empty && this.times.length > 0) return location.reload();
    this.timeline.span(this.times.length);
    document.body.dataset.frames = String(this.times.length);
    if (this.timeline.follows && !this.player.playing && !this.capture.filming) await this.go(this.times.length - 1);
    else if (this.frame) this.tell(this.wanted);
    await this.plots.refresh().catch(() => {});
    this.plots.show(this.frame?.time ?? 0);
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
