// The pressure in joints. Between rigid bodies of the plane it goes straight from edge to edge, and where the resultant
// leaves the middle third over a part of the joint only, since joints bear no tension (Navier, Heyman 1966). Where a body
// deforms, its contact points tell: the force of each over its share of the joint. In space it is the force at each corner.
// Scales are shared with the legend.
import { PRESSURE } from './colours';
import type { Frame } from './frame';
import type { Stage } from './stage';

/** The contact points of two bodies, those without force as well: they tell how far the joint reaches. */
export interface Patch {
  points: number[][];
  pushes: number[];
  /** Unit normal, towards the first body. */
  normal: number[];
  /** Whether one of the bodies deforms. */
  soft: boolean;
}

/** Contacts whose mean normal is shorter than this lie on no common face. */
const COMMON = 0.98;
/** Strokes of a diagram that goes straight. */
const STROKES = 9;

/** Pressures along a joint of the plane: pairs of the way along it from its middle, and the pressure. */
export function straight(length: number, total: number, eccentricity: number): [number, number][] {
  const [half, e] = [0.5 * length, Math.abs(eccentricity)];
  const side = Math.sign(eccentricity) || 1;
  if (e <= length / 6) {
    const mean = total / length;
    const slope = (6 * eccentricity) / length;
    return [[-half, mean * (1 - slope)], [half, mean * (1 + slope)]];
  }
  const pressed = 3 * (half - e);
  if (!(pressed > 1e-6 * length)) return [];
  const wedge: [number, number][] = [[side * (half - pressed), 0], [side * half, (2 * total) / pressed]];
  return side > 0 ? wedge : [wedge[1], wedge[0]];
}

export function patches(frame: Frame, soft: ReadonlySet<number>): Patch[] {
  const [points, normals, forces, pairs] = ['Points', 'normal', 'force', 'bodies'].map((name) => frame.data(`contacts/${name}`));
  const found = new Map<number, Patch>();
  for (let k = 0; k < points.length / 3; k++) {
    const [a, b] = [pairs[2 * k], pairs[2 * k + 1]];
    const sign = a > b ? -1 : 1;
    const key = Math.min(a, b) * frame.bodies + Math.max(a, b);
    const at = (data: ArrayLike<number>) => [data[3 * k], data[3 * k + 1], data[3 * k + 2]];
    const [normal, force] = [at(normals), at(forces)];
    let patch = found.get(key);
    if (!patch) found.set(key, (patch = { points: [], pushes: [], normal: [0, 0, 0], soft: soft.has(a) || soft.has(b) }));
    patch.points.push(at(points));
    patch.pushes.push(Math.max(0, normal.reduce((sum, x, axis) => sum + x * force[axis], 0)));
    patch.normal = patch.normal.map((x, axis) => x + sign * normal[axis]);
  }
  const onFace = ({ points, pushes, normal }: Patch) =>
    points.length > 1 && pushes.some((push) => push > 0) && Math.hypot(...normal) > COMMON * points.length;
  const whole = [...found.values()].filter(onFace);
  for (const patch of whole) {
    const length = Math.hypot(...patch.normal);
    patch.normal = patch.normal.map((x) => x / length);
  }
  return whole;
}

/** What is drawn over one joint: where it stands, how high. */
type Diagram = { foot: number[]; height: number }[];

/** Pressure at each contact point: its force over half the way to its neighbours. */
function shares({ points, pushes }: Patch, ways: number[]): Diagram {
  const order = ways.map((_, k) => k).sort((a, b) => ways[a] - ways[b]);
  const share = (rank: number) => {
    const [before, after] = [rank - 1, rank + 1].map((k) => ways[order[Math.min(order.length - 1, Math.max(0, k))]]);
    return 0.5 * (after - before);
  };
  return order.map((k, rank) => ({ foot: points[k], height: share(rank) > 0 ? pushes[k] / share(rank) : 0 }));
}

function flatDiagram(patch: Patch): Diagram {
  const { points, pushes, normal } = patch;
  const along = [-normal[1], normal[0], 0];
  const ways = points.map((point) => point[0] * along[0] + point[1] * along[1]);
  if (patch.soft) return shares(patch, ways);
  const [low, high] = [Math.min(...ways), Math.max(...ways)];
  const total = pushes.reduce((sum, push) => sum + push, 0);
  const middle = 0.5 * (low + high);
  const resultant = ways.reduce((sum, way, k) => sum + way * pushes[k], 0) / total;
  const ends = high > low ? straight(high - low, total, resultant - middle) : [];
  if (ends.length === 0) return [];
  const base = points[0].map((x, axis) => x - ways[0] * along[axis]);
  return Array.from({ length: STROKES }, (_, k) => {
    const part = k / (STROKES - 1);
    const [way, height] = [0, 1].map((j) => ends[0][j] + part * (ends[1][j] - ends[0][j]));
    return { foot: base.map((x, axis) => x + (middle + way) * along[axis]), height };
  });
}

/** The corners in their order around their middle, so that their tips can be joined. */
function solidDiagram({ points, pushes, normal }: Patch): Diagram {
  const middle = [0, 1, 2].map((axis) => points.reduce((sum, point) => sum + point[axis], 0) / points.length);
  const helper = Math.abs(normal[0]) < 0.9 ? [1, 0, 0] : [0, 1, 0];
  const cross = (a: number[], b: number[]) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  const u = cross(normal, helper);
  const v = cross(normal, u);
  const angle = (point: number[]) => {
    const [x, y] = [u, v].map((axis) => axis.reduce((sum, part, k) => sum + part * (point[k] - middle[k]), 0));
    return Math.atan2(y, x);
  };
  const order = points.map((_, k) => k).sort((a, b) => angle(points[a]) - angle(points[b]));
  return order.map((k) => ({ foot: points[k], height: pushes[k] }));
}

/** Draws the diagrams; gives the largest height and its length in metres. */
export function drawPressure(stage: Stage, frame: Frame): { height: number; length: number } {
  const all = patches(frame, stage.softBodies).map((patch) => ({ patch, diagram: stage.flat ? flatDiagram(patch) : solidDiagram(patch) }));
  const height = Math.max(0, ...all.flatMap(({ diagram }) => diagram.map((one) => one.height)));
  const length = 0.4 * stage.size;
  if (!(height > 0)) return { height: 0, length };
  for (const { patch, diagram } of all) {
    const tips = diagram.map(({ foot, height: own }) => foot.map((x, axis) => x + (own / height) * length * patch.normal[axis]));
    diagram.forEach(({ foot }, k) => stage.over.add(foot, tips[k], 1.2, PRESSURE, { alpha: 0.8 }));
    for (let k = 1; k < tips.length; k++) stage.over.add(tips[k - 1], tips[k], 1.8, PRESSURE);
    if (!stage.flat && tips.length > 2) stage.over.add(tips[tips.length - 1], tips[0], 1.8, PRESSURE);
    if (stage.flat && tips.length > 0) stage.over.add(diagram[0].foot, diagram[diagram.length - 1].foot, 1.2, PRESSURE);
  }
  return { height, length };
}
