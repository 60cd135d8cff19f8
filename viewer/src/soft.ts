// Bodies that deform: which vertices make their triangles and edges, told once, and where they are in a frame. Draws
// nothing.
import type { Frame, Run } from './frame';
import { add, cross, sidesOf, sub, trianglesOf, turned } from './shapes';

export interface Surface {
  points: ArrayLike<number>;
  triangles: ArrayLike<number>;
  segments: ArrayLike<number>;
  /** The body of each segment, then of each triangle. */
  bodies: ArrayLike<number>;
}

/** How the vertices of all bodies that deform hang together. */
export const softOf = (run: Run): Omit<Surface, 'points'> | null => connect(run, []);

/** The same with the polygons of the plane filled as they are where their points are given. */
function connect(run: Run, points: ArrayLike<number>): Surface | null {
  if (!run.skins?.length) return null;
  const triangles: number[] = [];
  const segments: number[] = [];
  const owners: [number[], number[]] = [[], []];
  for (const [item, first] of run.skins) {
    const [body, index] = run.items[item];
    const { vertices } = run.forms[index];
    const now = Array.from(vertices, (_, k) => points[3 * first + k] ?? vertices[k]);
    const form = { ...run.forms[index], vertices: now };
    const flat = form.kind === 'polygon';
    for (const loop of flat ? trianglesOf(form) : form.faces) {
      for (let k = 2; k < loop.length; k++) {
        triangles.push(first + loop[0], first + loop[k - 1], first + loop[k]);
        owners[1].push(body);
      }
    }
    for (const [from, to] of flat ? sidesOf(form) : []) {
      segments.push(first + from, first + to);
      owners[0].push(body);
    }
  }
  return { points, triangles, segments, bodies: [...owners[0], ...owners[1]] };
}

/** The surfaces that a frame brings: of bodies that deform, or of all where bodies come and go. */
export function surfaceOf(run: Run, frame: Frame, soft: Omit<Surface, 'points'> | null): Surface | null {
  if (run.open) {
    const [points, triangles, segments, bodies] = ['points', 'triangles', 'segments', 'bodies'].map((name) => frame.data(`surfaces/${name}`));
    return { points, triangles, segments, bodies };
  }
  if (!soft) return null;
  const stored = frame.data('skins/Points');
  const points = stored.length > 0 ? stored : undeformed(run, frame);
  // in the plane triangles that fill the outline as it was may leave it when it bends
  return run.dimension === 2 ? connect(run, points)! : { ...soft, points };
}

/** Vertices of bodies that deform as they were made, where the frame does not bring them. */
function undeformed(run: Run, frame: Frame): number[] {
  const [places, turns] = [frame.data('bodies/Points'), frame.data('bodies/orientation_wxyz')];
  return run.skins!.flatMap(([item]) => {
    const [body, form, local, localTurn] = run.items[item];
    const [at, turn] = [[0, 1, 2].map((k) => places[3 * body + k]), [0, 1, 2, 3].map((k) => turns[4 * body + k])];
    const { vertices } = run.forms[form];
    const place = (k: number) => add(turned(turn, add(turned(localTurn, vertices.slice(k, k + 3)), local)), at);
    return Array.from({ length: vertices.length / 3 }, (_, k) => place(3 * k)).flat();
  });
}

/** What a graphics card takes: corners, normals and bodies of all triangles, one after the other. */
export function cornersOf({ points, triangles, segments, bodies: owners }: Surface, smooth: boolean) {
  const corners = new Float32Array(3 * triangles.length);
  const normals = new Float32Array(3 * triangles.length);
  const bodies = new Float32Array(triangles.length);
  const before = segments.length / 2;
  const shared = smooth ? smoothNormals(points, triangles) : null;
  for (let t = 0; t < triangles.length; t += 3) {
    const normal = normalOf(points, triangles, t);
    for (let k = t; k < t + 3; k++) {
      const vertex = 3 * triangles[k];
      for (let axis = 0; axis < 3; axis++) {
        corners[3 * k + axis] = points[vertex + axis];
        normals[3 * k + axis] = shared ? shared[vertex + axis] : normal[axis];
      }
      bodies[k] = owners[before + t / 3];
    }
  }
  return { corners, normals, bodies };
}

/** Twice the area of a triangle, as a vector. */
function normalOf(points: ArrayLike<number>, triangles: ArrayLike<number>, t: number): number[] {
  const at = (k: number) => [0, 1, 2].map((axis) => points[3 * triangles[t + k] + axis]);
  return cross(sub(at(1), at(0)), sub(at(2), at(0)));
}

/** Normals of the vertices: those of their triangles, by area. */
function smoothNormals(points: ArrayLike<number>, triangles: ArrayLike<number>): Float32Array {
  const normals = new Float32Array(points.length);
  for (let t = 0; t < triangles.length; t += 3) {
    const n = normalOf(points, triangles, t);
    for (let k = 0; k < 3; k++) for (let axis = 0; axis < 3; axis++) normals[3 * triangles[t + k] + axis] += n[axis];
  }
  return normals;
}
