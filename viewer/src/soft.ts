// Bodies that deform: which vertices make their triangles and edges, told once, and where they are in a frame. Draws
// nothing.
import { ShapeUtils, Vector2 } from 'three';
import type { Frame, Run } from './frame';

export interface Surface {
  points: ArrayLike<number>;
  triangles: ArrayLike<number>;
  segments: ArrayLike<number>;
  /** The body of each segment, then of each triangle. */
  bodies: ArrayLike<number>;
}

/** How the vertices of all bodies that deform hang together. */
export function softOf(run: Run): Omit<Surface, 'points'> | null {
  if (!run.skins?.length) return null;
  const triangles: number[] = [];
  const segments: number[] = [];
  const owners: [number[], number[]] = [[], []];
  for (const [item, first] of run.skins) {
    const [body, index] = run.items[item];
    const { kind, vertices, faces } = run.forms[index];
    const count = vertices.length / 3;
    const loops: number[][] = kind === 'polygon' ? ShapeUtils.triangulateShape(Array.from({ length: count }, (_, k) => new Vector2(vertices[3 * k], vertices[3 * k + 1])), []) : faces;
    for (const loop of loops) {
      for (let k = 2; k < loop.length; k++) {
        triangles.push(first + loop[0], first + loop[k - 1], first + loop[k]);
        owners[1].push(body);
      }
    }
    for (let k = 0; kind === 'polygon' && k < count; k++) {
      segments.push(first + k, first + ((k + 1) % count));
      owners[0].push(body);
    }
  }
  return { triangles, segments, bodies: [...owners[0], ...owners[1]] };
}

/** The surfaces that a frame brings: of bodies that deform, or of all where bodies come and go. */
export function surfaceOf(run: Run, frame: Frame, soft: Omit<Surface, 'points'> | null): Surface | null {
  if (run.open) {
    const [points, triangles, segments, bodies] = ['points', 'triangles', 'segments', 'bodies'].map((name) => frame.data(`surfaces/${name}`));
    return { points, triangles, segments, bodies };
  }
  const points = frame.data('skins/Points');
  return soft && points.length > 0 ? { ...soft, points } : null;
}

/** Normals of the vertices: those of their triangles, by area. */
export function smoothNormals(points: ArrayLike<number>, triangles: ArrayLike<number>): Float32Array {
  const normals = new Float32Array(points.length);
  for (let t = 0; t < triangles.length; t += 3) {
    const at = (k: number, axis: number) => points[3 * triangles[t + k] + axis];
    const [u, v] = [1, 2].map((k) => [0, 1, 2].map((axis) => at(k, axis) - at(0, axis)));
    const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    for (let k = 0; k < 3; k++) for (let axis = 0; axis < 3; axis++) normals[3 * triangles[t + k] + axis] += n[axis];
  }
  return normals;
}
