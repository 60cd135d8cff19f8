// Shapes as triangles and edges. Knows no body and no graphics card.
import { ShapeUtils, Vector2 } from 'three';
import type { Form } from './frame';

export interface Mesh {
  points: number[];
  normals: number[];
  edges: number[]; // six numbers each
  size: number;
}

/** Neighbours whose normals have a larger product than this are parts of one round face. */
const ROUND = 0.96;

export function meshOf(form: Form): Mesh {
  const corner = (k: number) => form.vertices.slice(3 * k, 3 * k + 3);
  const size = sizeOf(form);
  if (form.kind === 'polygon' || form.kind === 'line') {
    const points = trianglesOf(form).flat().flatMap(corner);
    const edges = sidesOf(form).flatMap(([from, to]) => [...corner(from), ...corner(to)]);
    return { points, normals: points.map((_, k) => (k % 3 === 2 ? 1 : 0)), edges, size };
  }
  return solid(form, size);
}

/** Lines around a form of the plane, each a list of vertices: the outer one first, then those of its holes. */
const loopsOf = ({ vertices, faces }: Form): number[][] =>
  faces.length > 0 ? faces : [Array.from({ length: vertices.length / 3 }, (_, k) => k)];

/** A polygon as triangles. */
export function trianglesOf(form: Form): number[][] {
  const [outer, ...holes] = loopsOf(form).map((loop) => loop.map((k) => new Vector2(form.vertices[3 * k], form.vertices[3 * k + 1])));
  if (form.kind !== 'polygon' || outer.length < 3) return [];
  const order = loopsOf(form).flat();
  return ShapeUtils.triangulateShape(outer, holes).map((triangle) => triangle.map((k) => order[k]));
}

/** Sides of a form of the plane. */
export const sidesOf = (form: Form): [number, number][] =>
  loopsOf(form).flatMap((loop) => loop.slice(form.closed ? 0 : 1).map((to, k) => {
    const from = form.closed ? loop[(k + loop.length - 1) % loop.length] : loop[k];
    return [from, to] as [number, number];
  }));

function sizeOf(form: Form): number {
  let most = 0;
  for (let k = 0; k < form.vertices.length; k += 3) most = Math.max(most, Math.hypot(...form.vertices.slice(k, k + 3)));
  return 2 * most;
}

function solid(form: Form, size: number): Mesh {
  const at = (k: number): number[] => form.vertices.slice(3 * k, 3 * k + 3);
  const count = form.vertices.length / 3;
  const middle = [0, 1, 2].map((axis) => form.vertices.filter((_, k) => k % 3 === axis).reduce((sum, x) => sum + x, 0) / count);
  const faces: { loop: number[]; normal: number[] }[] = [];
  for (const loop of form.faces) {
    if (loop.length < 3) continue;
    const first = at(loop[0]);
    let normal = [0, 0, 0];
    for (let k = 2; k < loop.length; k++) normal = add(normal, cross(sub(at(loop[k - 1]), first), sub(at(loop[k]), first)));
    const length = Math.hypot(...normal);
    if (!(length > 0)) continue;
    normal = normal.map((x) => x / length);
    const inward = form.kind === 'polyhedron' && dot(normal, sub(first, middle)) < 0;
    faces.push(inward ? { loop: [...loop].reverse(), normal: normal.map((x) => -x) } : { loop, normal });
  }
  const around = new Map<number, number[]>();
  faces.forEach(({ loop }, face) => loop.forEach((k) => around.get(k)?.push(face) ?? around.set(k, [face])));
  const mesh: Mesh = { points: [], normals: [], edges: [], size };
  for (const { loop, normal } of faces) {
    const smooth = loop.map((k) => {
      const sum = (around.get(k) ?? []).map((face) => faces[face].normal).filter((other) => dot(other, normal) > ROUND).reduce(add, [0, 0, 0]);
      const length = Math.hypot(...sum) || 1;
      return sum.map((x) => x / length);
    });
    for (let k = 2; k < loop.length; k++) {
      for (const corner of [0, k - 1, k]) {
        mesh.points.push(...at(loop[corner]));
        mesh.normals.push(...smooth[corner]);
      }
    }
  }
  const sides = new Map<string, number>();
  faces.forEach(({ loop, normal }, face) => loop.forEach((from, rank) => {
    const to = loop[(rank + 1) % loop.length];
    const key = `${Math.min(from, to)},${Math.max(from, to)}`;
    const other = sides.get(key);
    if (other === undefined) sides.set(key, face);
    else {
      sides.delete(key);
      if (dot(faces[other].normal, normal) <= ROUND) mesh.edges.push(...at(from), ...at(to));
    }
  }));
  // sides of one face only are borders
  for (const key of sides.keys()) mesh.edges.push(...key.split(',').flatMap((k) => at(Number(k))));
  return mesh;
}

export const add = (a: number[], b: number[]): number[] => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const sub = (a: number[], b: number[]): number[] => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const dot = (a: number[], b: number[]): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = (a: number[], b: number[]): number[] => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

/** A vector turned by a unit quaternion, scalar first. */
export function turned([w, x, y, z]: ArrayLike<number> & Iterable<number>, v: number[]): number[] {
  const inner = cross([x, y, z], v).map((part, k) => part + w * v[k]);
  return cross([x, y, z], inner).map((part, k) => v[k] + 2 * part);
}
