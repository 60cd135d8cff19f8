// Colours and opacities of the bodies of a frame, as bytes for the stage, and the range that they stand for.
import { Vector3 } from 'three';
import { GROUPS, MAPS, PAPER, STONE, SUPPORT, hex, lit, map, mix, scatter, type Rgb } from './colours';
import { unitOf, values } from './fields';
import type { Frame } from './frame';
import { nodeValues } from './nodes';
import type { Settings } from './settings';
import type { Stage } from './stage';

const CHOSEN = hex('#f0a23c');

/** What the ends of the colours mean. */
export interface ColourRange {
  name: string;
  low: number;
  high: number;
}

/** Four bytes for each body, three for each vertex of what deforms where colours mean something there; the range of the numbers. */
export function tints(stage: Stage, frame: Frame, reference: Frame | null, settings: Settings): { bytes: Uint8Array; vertices: Uint8Array | null; range: ColourRange | null } {
  const { run } = stage;
  const nodes = nodeValues(settings.colour, frame);
  const field = values(settings.colour, frame, reference, run);
  const shown = nodes ?? field;
  const range = shown ? rangeOf(shown, (k) => nodes !== null || run.open || !run.fixed[k], stage, settings) : null;
  const { low, high } = range ?? { low: 0, high: 1 };
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
      colour = fixed ? SUPPORT : settings.colour === 'none' || shown ? STONE : GROUPS[group % GROUPS.length];
      if (!fixed) colour = lit(colour, 0.93 + 0.14 * scatter(body));
      if (quiet) colour = mix(colour, PAPER, 0.45);
    }
    if (body === settings.body) colour = CHOSEN;
    bytes.set([colour[0], colour[1], colour[2], opacity(stage, frame, settings, body)], 4 * body);
  }
  const part = (value: number) => map(stops, (value - low) / (high - low || 1));
  const vertices = nodes ? Uint8Array.from(Array.from(nodes).flatMap(part)) : null;
  return { bytes, vertices, range };
}

/** From nought, or the least where that is below, to the most of what moves; fixed where the settings say so. */
function rangeOf(field: Float32Array, counts: (k: number) => boolean, { run, size }: Stage, settings: Settings): ColourRange {
  let [low, high] = [Infinity, -Infinity];
  field.forEach((value, k) => {
    if (counts(k)) [low, high] = [Math.min(low, value), Math.max(high, value)];
  });
  if (!(high >= low)) [low, high] = [0, 1];
  low = Math.min(low, 0);
  // what is no more than rounding is rest
  const still = { speed: (1e-8 * size) / run.step, displacement: 1e-9 * size, spin: 1e-8 / run.step }[settings.colour] ?? 0;
  high = Math.max(high, low + still);
  if (settings.low !== '' && Number.isFinite(Number(settings.low))) low = Number(settings.low);
  if (settings.high !== '' && Number.isFinite(Number(settings.high))) high = Number(settings.high);
  const unit = unitOf(settings.colour);
  return { name: `${settings.colour.replaceAll('_', ' ')}${unit ? ` [${unit}]` : ''}`, low, high };
}

/** Supports that stand between the eye and what moves, or around it, are seen through. */
function opacity(stage: Stage, frame: Frame, settings: Settings, body: number): number {
  if (stage.flat || stage.run.open || !stage.run.fixed[body]) return 255;
  if (settings.walls === 'solid') return 255;
  if (settings.walls === 'hidden') return 0;
  if (settings.walls === 'clear') return 60;
  const [size, reach] = [2 * stage.radius[body], 0.5 * stage.box.high.distanceTo(stage.box.low)];
  const places = frame.data('bodies/Points');
  const at = new Vector3(places[3 * body], places[3 * body + 1], places[3 * body + 2]);
  const focus = stage.box.low.clone().add(stage.box.high).multiplyScalar(0.5);
  const ahead = at.sub(focus).dot(stage.eye.axes().towards);
  return size > 0.4 * reach && ahead > 0.3 * reach ? 50 : 255;
}

/** The plane that cuts the bodies, where the settings ask for one. */
export function sectionOf(stage: Stage, settings: Settings): Stage['section'] {
  if (!settings.section || stage.flat) return null;
  const axis = 'xyz'.indexOf(settings.section);
  const { low, high } = stage.box;
  const [from, to] = [low.getComponent(axis), high.getComponent(axis)];
  return { axis, at: from + settings.sectionAt * (to - from), flip: settings.sectionFlip };
}
