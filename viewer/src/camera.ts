// From where the bodies are seen: parallel rays, always; in the plane from above, in space turned about the upright.
import { OrthographicCamera, Vector3 } from 'three';

export interface Box {
  low: Vector3;
  high: Vector3;
}

export class Eye {
  readonly camera = new OrthographicCamera(-1, 1, 1, -1, 0, 1);
  focus = new Vector3();
  /** Metres in half the height of the picture. */
  half = 1;
  azimuth = -60;
  elevation = 20;
  depth = 10;
  width = 1;
  height = 1;

  constructor(readonly dimension: number) {}

  /** Pixels of the page in a metre. */
  get scale(): number {
    return this.height / (2 * this.half);
  }

  axes(): { right: Vector3; up: Vector3; towards: Vector3 } {
    if (this.dimension === 2) {
      return { right: new Vector3(1, 0, 0), up: new Vector3(0, 1, 0), towards: new Vector3(0, 0, 1) };
    }
    const [a, e] = [this.azimuth, this.elevation].map((angle) => (angle * Math.PI) / 180);
    const towards = new Vector3(Math.cos(e) * Math.cos(a), Math.cos(e) * Math.sin(a), Math.sin(e));
    const right = new Vector3(-Math.sin(a), Math.cos(a), 0);
    return { right, up: new Vector3().crossVectors(towards, right), towards };
  }

  update(): void {
    const { camera } = this;
    const { right, up, towards } = this.axes();
    const wide = (this.half * this.width) / this.height;
    [camera.left, camera.right, camera.top, camera.bottom] = [-wide, wide, this.half, -this.half];
    const far = this.depth + 2 * this.half;
    [camera.near, camera.far] = [0, 2 * far];
    camera.matrixAutoUpdate = false;
    camera.matrix.makeBasis(right, up, towards);
    camera.matrix.setPosition(this.focus.clone().addScaledVector(towards, far));
    camera.matrixWorldNeedsUpdate = true;
    camera.updateMatrixWorld(true);
    camera.updateProjectionMatrix();
  }

  /** Shows all of a box, above a band of so many pixels. */
  fit({ low, high }: Box, band: number): void {
    const { right, up } = this.axes();
    this.focus.copy(low).add(high).multiplyScalar(0.5);
    const size = new Vector3().subVectors(high, low).multiplyScalar(0.5);
    const along = (axis: Vector3) => Math.abs(axis.x) * size.x + Math.abs(axis.y) * size.y + Math.abs(axis.z) * size.z;
    const margin = 1.12;
    const room = Math.max(1, this.height - band);
    this.half = Math.max((along(up) * this.height) / room, (along(right) * this.height) / this.width, 1e-9) * margin;
    this.focus.addScaledVector(up, -band / 2 / this.scale);
    this.depth = size.length() * 4;
  }

  turn(dx: number, dy: number): void {
    this.azimuth = ((this.azimuth - 0.4 * dx + 540) % 360) - 180;
    this.elevation = Math.max(-89, Math.min(89, this.elevation + 0.4 * dy));
  }

  move(dx: number, dy: number): void {
    const { right, up } = this.axes();
    this.focus.addScaledVector(right, -dx / this.scale).addScaledVector(up, dy / this.scale);
  }

  /** Zooms, keeping the point under the pointer where it is. */
  zoom(factor: number, x = this.width / 2, y = this.height / 2): void {
    const before = this.scale;
    this.half = Math.min(1e9, Math.max(1e-9, this.half * factor));
    const by = 1 / before - 1 / this.scale;
    const { right, up } = this.axes();
    this.focus.addScaledVector(right, (x - this.width / 2) * by).addScaledVector(up, -(y - this.height / 2) * by);
  }
}
