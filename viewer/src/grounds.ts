// Half-spaces: hatched ground in the plane, a square with a grid in space, always under what is looked at. Other bodies
// are drawn elsewhere.
import { BufferAttribute, BufferGeometry, Mesh, Vector3, type RawShaderMaterial } from 'three';
import type { Box, Eye } from './camera';
import type { Run } from './frame';
import { roundBelow } from './numbers';
import { add, turned } from './shapes';

/** Where a body is. */
export interface BodyPose {
  at: number[];
  turn: number[];
}

export class Grounds {
  private list: { mesh: Mesh; body: number; local: number[]; turn: number[] }[] = [];

  constructor(private flat: boolean) {}

  /** The mesh of one, to be put into the scene; `material` makes its paint with what is its own. */
  add([body, , local, turn]: Run['items'][0], material: (own: Record<string, { value: any }>) => RawShaderMaterial): Mesh {
    const geometry = new BufferGeometry();
    const square = this.flat ? [-1, -0.01, 1, -0.01, 1, 1, -1, 1] : [-1, -1, 1, -1, 1, 1, -1, 1];
    geometry.setAttribute('position', new BufferAttribute(new Float32Array(square), 2));
    geometry.setIndex([0, 1, 2, 0, 2, 3]);
    const made = material({
      uFoot: { value: new Vector3() }, uAlong: { value: new Vector3() }, uDown: { value: new Vector3() },
      uReach: { value: 1 }, uSpacing: { value: 1 },
    });
    if (!this.flat) made.alphaToCoverage = false;
    const mesh = new Mesh(geometry, made);
    this.list.push({ mesh, body, local, turn });
    return mesh;
  }

  has(material: unknown): boolean {
    return this.list.some(({ mesh }) => mesh.material === material);
  }

  /** Puts them under what is looked at. */
  place(eye: Eye, box: Box, poseOf: (body: number) => BodyPose): void {
    for (const { mesh, body, local, turn } of this.list) {
      const own = poseOf(body);
      const origin = new Vector3(...add(turned(own.turn, local), own.at));
      const normal = new Vector3(...turned(own.turn, turned(turn, this.flat ? [0, 1, 0] : [0, 0, 1])));
      const { uniforms } = mesh.material as RawShaderMaterial;
      if (this.flat) placeFlat(uniforms, eye, origin, normal);
      else {
        placeSquare(uniforms, box, origin, normal);
        mesh.visible = eye.axes().towards.dot(normal) > -0.05;
      }
    }
  }
}

/** The foot of the perpendicular from a place. */
const footOf = (place: Vector3, origin: Vector3, normal: Vector3) =>
  place.clone().addScaledVector(normal, -normal.dot(place.clone().sub(origin)));

function placeFlat(uniforms: RawShaderMaterial['uniforms'], eye: Eye, origin: Vector3, normal: Vector3): void {
  const foot = footOf(eye.focus, origin, normal);
  const along = new Vector3(normal.y, -normal.x, 0);
  uniforms.uReach.value = 4 * eye.half * Math.max(1, eye.width / eye.height) + eye.focus.distanceTo(foot);
  // hatching stays with the ground while the view moves
  const pitch = Math.min(16, Math.max(6, eye.width / 96)) / eye.scale;
  snap(foot, origin, along, pitch);
  uniforms.uAlong.value.copy(along);
  uniforms.uDown.value.copy(normal).negate();
  uniforms.uFoot.value.copy(foot);
}

function placeSquare(uniforms: RawShaderMaterial['uniforms'], box: Box, origin: Vector3, normal: Vector3): void {
  const half = 0.5 * box.high.distanceTo(box.low);
  const foot = footOf(box.low.clone().add(box.high).multiplyScalar(0.5), origin, normal);
  const helper = Math.abs(normal.x) < 0.9 ? new Vector3(1, 0, 0) : new Vector3(0, 1, 0);
  const along = helper.addScaledVector(normal, -normal.dot(helper)).normalize();
  const across = new Vector3().crossVectors(normal, along);
  const spacing = roundBelow(0.34 * half) || 1;
  for (const axis of [along, across]) snap(foot, origin, axis, spacing);
  uniforms.uAlong.value.copy(along);
  uniforms.uDown.value.copy(across);
  uniforms.uReach.value = 1.9 * half;
  uniforms.uSpacing.value = spacing;
  uniforms.uFoot.value.copy(foot);
}

/** Moves a foot along an axis to a multiple of a pitch from the origin. */
function snap(foot: Vector3, origin: Vector3, axis: Vector3, pitch: number): void {
  const s = foot.clone().sub(origin).dot(axis);
  foot.addScaledVector(axis, Math.round(s / pitch) * pitch - s);
}
