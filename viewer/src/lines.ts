// Lines of any width, drawn as one batch. What they mean is said by those who add them.
import { BufferAttribute, InstancedBufferAttribute, InstancedBufferGeometry, Mesh, RawShaderMaterial, Sphere } from 'three';
import type { Rgb } from './colours';

const STRIDE = 14;

export class Lines {
  readonly mesh: Mesh;
  private geometry = new InstancedBufferGeometry();
  private data = new Float32Array(64 * STRIDE);
  private count = 0;

  constructor(material: RawShaderMaterial) {
    this.geometry.setAttribute('position', new BufferAttribute(new Float32Array([0, -1, 1, -1, 1, 1, 0, 1]), 2));
    this.geometry.setIndex([0, 1, 2, 0, 2, 3]);
    this.geometry.boundingSphere = new Sphere();
    this.mesh = new Mesh(this.geometry, material);
    this.mesh.frustumCulled = false;
  }

  begin(): void {
    this.count = 0;
  }

  /** A line; `body` −1 or `free` for world axes; a negative width is a size in metres; without a colour, the body's own. */
  add(from: ArrayLike<number>, to: ArrayLike<number>, width: number, colour: Rgb | null, { alpha = 1, body = -1, taper = 0, free = false } = {}): void {
    if ((this.count + 1) * STRIDE > this.data.length) {
      const larger = new Float32Array(2 * this.data.length);
      larger.set(this.data);
      this.data = larger;
    }
    const [r, g, b] = colour ?? [0, 0, 0];
    this.data.set([from[0], from[1], from[2], to[0], to[1], to[2], r / 255, g / 255, b / 255, colour ? alpha : -1, body, width, taper, free ? 1 : 0], this.count * STRIDE);
    this.count += 1;
  }

  arrow(from: number[], to: number[], length: number, colour: Rgb): void {
    if (!(length > 1.5 && length < 1e6)) return;
    const head = Math.min(9, Math.max(1.2, 0.32 * length)) / length;
    const neck = from.map((x, k) => to[k] - head * (to[k] - x));
    this.add(from, neck, Math.min(1.6, Math.max(0.4, 0.16 * head * length)), colour);
    this.add(neck, to, 0.84 * head * length, colour, { taper: 1 });
  }

  end(): void {
    const { geometry } = this;
    // frees the buffers of the frame before
    geometry.dispose();
    for (const [name, size, at] of [['from', 3, 0], ['to', 3, 3], ['paint', 4, 6], ['kind', 4, 10]] as const) {
      const values = new Float32Array(this.count * size);
      for (let k = 0; k < this.count; k++) for (let j = 0; j < size; j++) values[k * size + j] = this.data[k * STRIDE + at + j];
      geometry.setAttribute(name, new InstancedBufferAttribute(values, size));
    }
    geometry.instanceCount = this.count;
    this.mesh.visible = this.count > 0;
  }

  get length(): number {
    return this.count;
  }
}
