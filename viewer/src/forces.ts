// What lies over the bodies: force chains, joints with their resultants, the thrust line, velocities, contact points,
// trails, ties. Scales are shared with the legend.
import { ARROW, FAINT, GROUND_LINE, SLIP, STICK, TENSION, THRUST, WEAK, hex, map, MAPS, type Rgb } from './colours';
import type { Frame } from './frame';
import { quantile } from './numbers';
import { drawPressure } from './pressure';
import type { Stage } from './stage';
import type { Settings } from './settings';

/** The contacts of two bodies taken together: their resultant, at its centre of pressure. */
export interface Joint {
  bodies: [number, number];
  at: number[];
  force: number[];
  normal: number[];
  /** Norm of the force; negative where it pulls. */
  size: number;
  points: number;
  slips: boolean;
}

export interface Scales {
  /** Force of the thickest line, N, and its width in pixels. */
  force: number;
  width: number;
  /** Speed of the longest arrow, m/s, and its length in pixels. */
  speed: number;
  length: number;
  /** Largest pressure of a joint, Pa, in space force of a corner, N, and its length in pixels. */
  pressure: number;
  pressureLength: number;
}

/** Bodies this much larger than their partner have no centre worth showing. */
const LARGER = 6;
/** Length of a stub, in radii of the smaller body. */
const STUB = 0.4;

export function joints(frame: Frame): Joint[] {
  const [points, normals, forces, pairs, status] = ['Points', 'normal', 'force', 'bodies', 'status'].map((name) => frame.data(`contacts/${name}`));
  const found = new Map<number, Joint & { weight: number; sum: number[] }>();
  const count = frame.bodies;
  for (let k = 0; k < points.length / 3; k++) {
    const [a, b] = [pairs[2 * k], pairs[2 * k + 1]];
    const f = [0, 1, 2].map((axis) => forces[3 * k + axis]);
    const n = [0, 1, 2].map((axis) => normals[3 * k + axis]);
    const push = f[0] * n[0] + f[1] * n[1] + f[2] * n[2];
    if (push === 0) continue;
    const swap = a > b;
    const key = swap ? b * count + a : a * count + b;
    let joint = found.get(key);
    if (!joint) {
      joint = { bodies: swap ? [b, a] : [a, b], at: [0, 0, 0], force: [0, 0, 0], normal: [0, 0, 0], size: 0, points: 0, slips: false, weight: 0, sum: [0, 0, 0] };
      found.set(key, joint);
    }
    const sign = swap ? -1 : 1;
    const weight = Math.abs(push);
    for (let axis = 0; axis < 3; axis++) {
      joint.force[axis] += sign * f[axis];
      joint.normal[axis] += sign * n[axis] * weight;
      joint.sum[axis] += weight * points[3 * k + axis];
    }
    joint.weight += weight;
    joint.points += 1;
    joint.slips ||= status[k] === 2;
  }
  const list = [...found.values()];
  for (const joint of list) {
    joint.at = joint.sum.map((x) => x / joint.weight);
    const length = Math.hypot(...joint.normal) || 1;
    joint.normal = joint.normal.map((x) => x / length);
    const push = joint.force.reduce((sum, f, k) => sum + f * joint.normal[k], 0);
    joint.size = Math.hypot(...joint.force) * Math.sign(push || 1);
  }
  return list;
}

/** Centre of a body as seen from a place, through the seam of a periodic cell where there is one. */
function centre(stage: Stage, frame: Frame, body: number, from: number[]): number[] {
  const places = frame.data('bodies/Points');
  const at = [0, 1, 2].map((k) => places[3 * body + k]);
  const periods = stage.run.cell?.periods ?? [];
  return at.map((x, k) => (periods[k] ? x + Math.round((from[k] - x) / periods[k]!) * periods[k]! : x));
}

export function drawOver(stage: Stage, frame: Frame, settings: Settings, found: Joint[], trail: number[][][]): Scales {
  const { over, eye, flat } = stage;
  // bars on faces are drawn beside the whole of a body, lines between centres are half hidden by it
  const faces = found.filter((joint) => joint.points > 1).length > 0.5 * found.length;
  const part = flat ? (faces ? 0.22 : 0.4) : 0.18;
  const width = Math.min(0.02 * eye.width + 3, Math.max(3, part * stage.size * eye.scale));
  const force = settings.forceScale > 0 ? settings.forceScale : quantile(found.map((joint) => Math.abs(joint.size)), settings.quantile);
  const speeds = frame.data('bodies/velocity');
  const scales: Scales = { force, width, speed: 0, pressure: 0, pressureLength: 0, length: Math.min(0.1 * eye.width, Math.max(0.035 * eye.width, 1.6 * stage.size * eye.scale)) };
  over.begin();
  for (const line of trail) {
    for (let k = 1; k < line.length; k++) over.add(line[k - 1], line[k], 1.4, hex('#5f6672'), { alpha: (0.8 * k) / line.length });
  }
  drawTies(stage, frame);
  if (settings.chains && force > 0) drawChains(stage, frame, settings, found, scales);
  if (settings.thrust) drawThrust(stage, found);
  if (settings.pressure) {
    const { height, length } = drawPressure(stage, frame);
    [scales.pressure, scales.pressureLength] = [height, length * eye.scale];
  }
  if (settings.contacts) drawContacts(stage, frame);
  if (settings.velocities) {
    for (let k = 0; k < speeds.length; k += 3) scales.speed = Math.max(scales.speed, Math.hypot(speeds[k], speeds[k + 1], speeds[k + 2]));
    if (scales.speed > 0) drawVelocities(stage, frame, scales);
  }
  over.end();
  return scales;
}

function drawChains(stage: Stage, frame: Frame, settings: Settings, found: Joint[], { force, width }: Scales): void {
  const { over, run } = stage;
  const alpha = stage.flat ? 1 : 0.75;
  const mean = found.reduce((sum, joint) => sum + Math.abs(joint.size), 0) / (found.length || 1);
  const sorted = [...found].sort((a, b) => Math.abs(a.size) - Math.abs(b.size));
  for (const joint of sorted) {
    const size = Math.abs(joint.size);
    const wide = width * Math.min(size / force, 1.6);
    if (wide < 0.12) continue;
    const colour: Rgb = joint.size < 0 ? TENSION
      : settings.chainColour === 'strength' ? (size > mean ? STICK : WEAK)
      : settings.chainColour === 'size' ? map(MAPS[settings.map].slice(1), size / force)
      : joint.slips ? SLIP : STICK;
    const [a, b] = joint.bodies;
    const radius = (body: number) => stage.radius[body] || Infinity;
    const shown = (body: number, other: number) =>
      !run.fixed[body] && !(run.cell && run.held[body]) && !stage.softBodies.has(body) && radius(body) < LARGER * radius(other);
    if (joint.points > 1) {
      // a face: one bar along the force, through the centre of pressure
      const length = 0.34 * Math.min(radius(a), radius(b), 2 * stage.size);
      const along = joint.force.map((x) => (x / size) * length);
      over.add(joint.at.map((x, k) => x - along[k]), joint.at.map((x, k) => x + along[k]), wide, colour, { alpha });
      continue;
    }
    // a stub on bodies without a centre worth showing: the normal points into the first
    const stub = STUB * Math.min(radius(a), radius(b), stage.size);
    for (const [body, other, sign] of [[a, b, 1], [b, a, -1]]) {
      const into = joint.at.map((x, k) => x + sign * stub * joint.normal[k]);
      over.add(shown(body, other) ? centre(stage, frame, body, joint.at) : into, joint.at, wide, colour, { alpha });
    }
  }
}

/** Joins the centres of pressure of the joints of each body that has two; of one with more, the two that bear most. */
function drawThrust(stage: Stage, found: Joint[]): void {
  const of = new Map<number, Joint[]>();
  for (const joint of found.filter((joint) => joint.size > 0)) {
    for (const body of joint.bodies) of.get(body)?.push(joint) ?? of.set(body, [joint]);
  }
  for (const [body, own] of of) {
    if (stage.run.fixed[body] || own.length < 2) continue;
    const [first, second] = own.sort((a, b) => b.size - a.size);
    stage.over.add(first.at, second.at, 3, THRUST);
  }
  for (const joint of found) if (joint.points > 1 && joint.size > 0) stage.over.add(joint.at, joint.at, 6.5, THRUST);
}

function drawContacts(stage: Stage, frame: Frame): void {
  const [points, normals, status] = ['Points', 'normal', 'status'].map((name) => frame.data(`contacts/${name}`));
  const length = 0.18 * stage.size;
  for (let k = 0; k < points.length / 3; k++) {
    const at = [0, 1, 2].map((axis) => points[3 * k + axis]);
    const colour = status[k] === 0 ? hex(FAINT) : status[k] === 2 ? SLIP : STICK;
    over(stage, at, at, 4, colour);
    over(stage, at, at.map((x, axis) => x + length * normals[3 * k + axis]), 1, colour);
  }
}

const over = (stage: Stage, from: number[], to: number[], width: number, colour: Rgb) => stage.over.add(from, to, width, colour);

function drawVelocities(stage: Stage, frame: Frame, { speed, length }: Scales): void {
  const [places, speeds] = [frame.data('bodies/Points'), frame.data('bodies/velocity')];
  const metres = length / stage.eye.scale / speed;
  for (let k = 0; k < places.length / 3; k++) {
    const v = [0, 1, 2].map((axis) => speeds[3 * k + axis]);
    if (stage.radius[k] === 0 && !stage.run.open) continue;
    const from = [0, 1, 2].map((axis) => places[3 * k + axis]);
    stage.over.arrow(from, from.map((x, axis) => x + metres * v[axis]), (Math.hypot(...v) / speed) * length, ARROW);
  }
}

function drawTies(stage: Stage, frame: Frame): void {
  const [points, names, broken] = ['Points', 'tie', 'broken'].map((name) => frame.data(`ties/${name}`));
  for (let k = 0; k + 1 < points.length / 3; k += 2) {
    const form = stage.run.ties[names[k]];
    if (broken[k] || !form) continue;
    const [a, b] = [k, k + 1].map((row) => [0, 1, 2].map((axis) => points[3 * row + axis]));
    const ring = form !== 'rod' && form !== 'wire' && form !== 'spring';
    if (ring) stage.over.add(a, a, 7, GROUND_LINE);
    stage.over.add(a, b, form === 'rod' ? 3 : form === 'spring' ? 2 : 1.2, GROUND_LINE);
  }
}
