// The bodies on the canvas: geometry made once, poses and colours as textures. What colours mean and what lies over the
// bodies is decided elsewhere.
import {
  BufferAttribute, BufferGeometry, DataTexture, DepthTexture, DoubleSide, FloatType, GLSL3, InstancedBufferAttribute,
  InstancedBufferGeometry, Mesh, NearestFilter, NoBlending, NormalBlending, OrthographicCamera, RGBAFormat, RawShaderMaterial,
  Scene, Sphere, UnsignedByteType, Vector2, Vector3, Vector4, WebGLRenderTarget, WebGLRenderer,
} from 'three';
import { boundsOf } from './bounds';
import { Eye, type Box } from './camera';
import { GROUND_LINE, type Rgb } from './colours';
import type { Frame, Run } from './frame';
import { Grounds, type BodyPose } from './grounds';
import { Lines } from './lines';
import * as glsl from './shaders';
import { meshOf, turned, add, type Mesh as Shape } from './shapes';
import { cornersOf, softOf, surfaceOf, type Surface } from './soft';

/** Forms that occur more often are drawn as instances. */
const FEW = 24;
/** More edges than this are left out in space. */
const MOST_EDGES = 400_000;

export class Stage {
  readonly eye: Eye;
  readonly over: Lines;
  /** Radius of each body about its centre; 0 of half-spaces. */
  radius: Float32Array;
  /** Bodies that deform. */
  readonly softBodies: ReadonlySet<number>;
  /** Mean diameter of what moves. */
  size = 1;
  box: Box = { low: new Vector3(-1, -1, 0), high: new Vector3(1, 1, 0) };
  section: { axis: number; at: number; flip: boolean } | null = null;
  private renderer: WebGLRenderer;
  private bodies = new Scene();
  private overlay = new Scene();
  private screen = new Scene();
  private uniforms: Record<string, { value: any }>;
  private poses!: DataTexture;
  private tints!: DataTexture;
  private target: WebGLRenderTarget | null = null;
  private picked = new WebGLRenderTarget(1, 1);
  private materials: RawShaderMaterial[] = [];
  private grounds: Grounds;
  private soft: Omit<Surface, 'points'> | null;
  private free: Mesh | null = null;
  /** The vertex of each corner of what the frame brings. */
  private freeCorners: ArrayLike<number> = [];
  private edges: Lines;
  private freeEdges: Lines | null = null;
  private capacity = 0;
  private frame: Frame | null = null;

  constructor(readonly canvas: HTMLCanvasElement, readonly run: Run) {
    this.renderer = new WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: true, alpha: false });
    this.renderer.setClearColor(0xffffff, 1);
    this.renderer.autoClear = false;
    this.eye = new Eye(run.dimension);
    this.uniforms = {
      uPose: { value: null }, uColour: { value: null }, uSize: { value: new Vector2(1, 1) }, uScale: { value: 1 },
      uMode: { value: 0 }, uPass: { value: 0 }, uSection: { value: new Vector4() }, uRatio: { value: 1 },
    };
    this.radius = new Float32Array(run.names.length);
    this.reserve(Math.max(1, run.names.length));
    this.edges = new Lines(this.material(glsl.LINE_VERTEX, glsl.LINE_FRAGMENT, { uClip: { value: 1 } }));
    this.over = new Lines(this.material(glsl.LINE_VERTEX, glsl.LINE_FRAGMENT, { uClip: { value: 0 } }));
    this.over.mesh.material = Object.assign(this.over.mesh.material, { depthTest: false, depthWrite: false, transparent: true });
    this.overlay.add(this.over.mesh);
    this.soft = softOf(run);
    this.softBodies = new Set(run.skins?.map(([item]) => run.items[item][0]));
    this.grounds = new Grounds(this.flat);
    this.build();
    const screen = new BufferGeometry();
    screen.setAttribute('position', new BufferAttribute(new Float32Array([-1, -1, 3, -1, -1, 3]), 2));
    const finish = new Mesh(screen, new RawShaderMaterial({
      glslVersion: GLSL3, vertexShader: glsl.SCREEN_VERTEX, fragmentShader: glsl.SCREEN_FRAGMENT, depthTest: false,
      uniforms: { uImage: { value: null }, uDepth: { value: null }, uPixel: { value: new Vector2() }, uStrength: { value: 60 } },
    }));
    finish.frustumCulled = false;
    screen.boundingSphere = new Sphere();
    this.screen.add(finish);
  }

  get flat(): boolean {
    return this.run.dimension === 2;
  }

  private material(vertexShader: string, fragmentShader: string, more: Record<string, { value: any }> = {}, defines = {}): RawShaderMaterial {
    const material = new RawShaderMaterial({
      glslVersion: GLSL3, vertexShader, fragmentShader, defines, uniforms: { ...this.uniforms, ...more },
      transparent: this.flat, depthTest: !this.flat, depthWrite: !this.flat, side: DoubleSide, alphaToCoverage: !this.flat,
    });
    this.materials.push(material);
    return material;
  }

  private reserve(count: number): void {
    if (count <= this.capacity) return;
    this.capacity = Math.max(count, 2 * this.capacity);
    const texture = (rows: number, Numbers: typeof Float32Array | typeof Uint8Array, type: any) => {
      const height = Math.max(1, Math.ceil(rows / 1024));
      const made = new DataTexture(new Numbers(4 * 1024 * height), 1024, height, RGBAFormat, type);
      made.minFilter = made.magFilter = NearestFilter;
      return made;
    };
    this.poses?.dispose();
    this.tints?.dispose();
    this.poses = texture(2 * this.capacity, Float32Array, FloatType);
    this.tints = texture(this.capacity, Uint8Array, UnsignedByteType);
    this.uniforms.uPose.value = this.poses;
    this.uniforms.uColour.value = this.tints;
  }

  private put(mesh: Mesh, order: number): Mesh {
    mesh.frustumCulled = false;
    // nobody asks where it ends: it is never left out, and orders are given
    mesh.geometry.boundingSphere = new Sphere();
    mesh.renderOrder = order;
    this.bodies.add(mesh);
    return mesh;
  }

  private build(): void {
    const { run } = this;
    const items = new Map<number, Run['items']>();
    const soft = new Set(run.skins?.map(([item]) => item));
    for (const [number, item] of run.items.entries()) {
      if (soft.has(number)) this.radius[item[0]] = Math.max(this.radius[item[0]], meshOf(run.forms[item[1]]).size / 2);
      else if (run.forms[item[1]].kind === 'half-space') this.put(this.grounds.add(item, (own) => this.material(glsl.GROUND_VERTEX, this.flat ? glsl.HALF_PLANE_FRAGMENT : glsl.PLANE_FRAGMENT, own)), 0);
      else items.get(item[1])?.push(item) ?? items.set(item[1], [item]);
    }
    const merged = { points: [] as number[], normals: [] as number[], bodies: [] as number[] };
    this.edges.begin();
    let edges = 0;
    for (const [index, list] of items) edges += (meshOf(run.forms[index]).edges.length / 6) * list.length;
    for (const [index, list] of items) {
      const form = run.forms[index];
      const shape = meshOf(form);
      for (const [body, , at] of list) this.radius[body] = Math.max(this.radius[body], Math.hypot(...at) + shape.size / 2);
      const width = form.kind === 'line' ? 1.6 : -shape.size;
      const colour: Rgb | null = form.kind === 'line' ? GROUND_LINE : null;
      if (this.flat || edges <= MOST_EDGES) {
        for (const [body, , at, turn] of list) this.addEdges(shape, body, at, turn, width, colour);
      }
      if (shape.points.length === 0) continue;
      if (list.length > FEW) this.addMany(shape, list);
      else for (const [body, , at, turn] of list) {
        for (let k = 0; k < shape.points.length; k += 3) {
          merged.points.push(...add(turned(turn, shape.points.slice(k, k + 3)), at));
          merged.normals.push(...turned(turn, shape.normals.slice(k, k + 3)));
          merged.bodies.push(body);
        }
      }
    }
    this.edges.end();
    this.put(this.edges.mesh, 3);
    if (merged.points.length > 0) {
      const geometry = new BufferGeometry();
      geometry.setAttribute('position', new BufferAttribute(new Float32Array(merged.points), 3));
      geometry.setAttribute('normal', new BufferAttribute(new Float32Array(merged.normals), 3));
      geometry.setAttribute('body', new BufferAttribute(new Float32Array(merged.bodies), 1));
      this.put(new Mesh(geometry, this.meshMaterial()), 2);
    }
    if (run.balls.body.length > 0) this.addBalls();
    const moving = [...this.radius].filter((radius, body) => radius > 0 && !run.fixed[body]);
    if (moving.length > 0) this.size = (2 * moving.reduce((sum, radius) => sum + radius, 0)) / moving.length;
  }

  private meshMaterial(defines = {}, free = 0): RawShaderMaterial {
    const own = { uFree: { value: free }, uFlat: { value: this.flat ? 1 : 0 } };
    return this.material(glsl.MESH_VERTEX, glsl.MESH_FRAGMENT, own, defines);
  }

  private addEdges(shape: Shape, body: number, at: number[], turn: number[], width: number, colour: Rgb | null): void {
    const place = (k: number) => add(turned(turn, shape.edges.slice(k, k + 3)), at);
    for (let k = 0; k < shape.edges.length; k += 6) this.edges.add(place(k), place(k + 3), width, colour, { body });
  }

  private addMany(shape: Shape, list: Run['items']): void {
    const geometry = new InstancedBufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(new Float32Array(shape.points), 3));
    geometry.setAttribute('normal', new BufferAttribute(new Float32Array(shape.normals), 3));
    const own = (name: string, size: number, of: (item: Run['items'][0]) => number[]) =>
      geometry.setAttribute(name, new InstancedBufferAttribute(new Float32Array(list.flatMap(of)), size));
    own('body', 1, (item) => [item[0]]);
    own('local', 3, (item) => item[2]);
    own('localTurn', 4, ([, , , [w, x, y, z]]) => [x, y, z, w]);
    geometry.instanceCount = list.length;
    this.put(new Mesh(geometry, this.meshMaterial({ MANY: 1 })), 2);
  }

  private addBalls(): void {
    const { body, radius, local } = this.run.balls;
    const geometry = new InstancedBufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(new Float32Array([-1, -1, 1, -1, 1, 1, -1, 1]), 2));
    geometry.setIndex([0, 1, 2, 0, 2, 3]);
    const places = local.length > 0 ? local : new Array(3 * body.length).fill(0);
    geometry.setAttribute('body', new InstancedBufferAttribute(new Float32Array(body), 1));
    geometry.setAttribute('radius', new InstancedBufferAttribute(new Float32Array(radius), 1));
    geometry.setAttribute('local', new InstancedBufferAttribute(new Float32Array(places), 3));
    geometry.instanceCount = body.length;
    body.forEach((owner, k) => {
      this.radius[owner] = Math.max(this.radius[owner], radius[k] + Math.hypot(places[3 * k], places[3 * k + 1], places[3 * k + 2]));
    });
    this.put(new Mesh(geometry, this.material(glsl.BALL_VERTEX, this.flat ? glsl.DISK_FRAGMENT : glsl.SPHERE_FRAGMENT)), 2);
  }

  private pose(body: number): BodyPose {
    const places = this.frame?.data('bodies/Points') ?? [];
    const turns = this.frame?.data('bodies/orientation_wxyz') ?? [];
    return {
      at: [0, 1, 2].map((k) => places[3 * body + k] ?? 0),
      turn: [0, 1, 2, 3].map((k) => turns[4 * body + k] ?? (k ? 0 : 1)),
    };
  }

  /** Takes the box to show from some frames. */
  frameIn(frames: Frame[]): void {
    this.box = boundsOf(this.run, frames);
  }

  /** Takes the places of the bodies from a frame. */
  show(frame: Frame): void {
    this.frame = frame;
    const [places, turns] = [frame.data('bodies/Points'), frame.data('bodies/orientation_wxyz')];
    const count = places.length / 3;
    this.reserve(count);
    const texels = this.poses.image.data as unknown as Float32Array;
    for (let k = 0; k < count; k++) {
      texels[8 * k] = places[3 * k];
      texels[8 * k + 1] = places[3 * k + 1];
      texels[8 * k + 2] = places[3 * k + 2];
      texels[8 * k + 4] = turns[4 * k + 1];
      texels[8 * k + 5] = turns[4 * k + 2];
      texels[8 * k + 6] = turns[4 * k + 3];
      texels[8 * k + 7] = turns[4 * k];
    }
    this.poses.needsUpdate = true;
    if (this.run.open) {
      this.radius = Float32Array.from(frame.data('bodies/radius'));
      const there = this.radius.filter((radius) => radius > 0);
      if (there.length > 0) this.size = (2 * there.reduce((sum, radius) => sum + radius, 0)) / there.length;
    }
    const surface = surfaceOf(this.run, frame, this.soft);
    if (surface) this.showFree(surface);
  }

  /** Surfaces as the frame brings them: of bodies that come and go, or that deform. */
  private showFree(surface: Surface): void {
    const { points, segments, bodies: owners } = surface;
    // what deforms is round, what comes and goes has edges
    const { corners, normals, bodies } = cornersOf(surface, !this.run.open);
    if (!this.free) {
      this.free = this.put(new Mesh(new BufferGeometry(), this.meshMaterial({ NODES: 1 }, 1)), 2);
      this.freeEdges = new Lines(this.material(glsl.LINE_VERTEX, glsl.LINE_FRAGMENT, { uClip: { value: 1 } }));
      this.put(this.freeEdges.mesh, 3);
    }
    const { geometry } = this.free;
    geometry.dispose();
    geometry.setAttribute('position', new BufferAttribute(corners, 3));
    geometry.setAttribute('normal', new BufferAttribute(normals, 3));
    geometry.setAttribute('body', new BufferAttribute(bodies, 1));
    this.freeCorners = surface.triangles;
    this.paintVertices(null);
    this.freeEdges!.begin();
    const end = (k: number) => [0, 1, 2].map((axis) => points[3 * segments[k] + axis]);
    for (let k = 0; k < segments.length; k += 2) this.freeEdges!.add(end(k), end(k + 1), 1.3, null, { body: owners[k / 2], free: true });
    this.freeEdges!.end();
  }

  /** Takes the colours of the bodies, four bytes each; an opacity of 0 hides, one below 255 is seen through. */
  paint(colours: Uint8Array): void {
    (this.tints.image.data as Uint8Array).set(colours);
    this.tints.needsUpdate = true;
  }

  /** Takes the colours of the vertices of bodies that deform, three bytes each; without, they have those of their bodies. */
  paintVertices(colours: Uint8Array | null): void {
    if (!this.free) return;
    const own = new Uint8Array(4 * this.freeCorners.length);
    if (colours) for (let k = 0; k < this.freeCorners.length; k++) {
      const from = 3 * this.freeCorners[k];
      own.set([colours[from], colours[from + 1], colours[from + 2], 255], 4 * k);
    }
    this.free.geometry.setAttribute('own', new BufferAttribute(own, 4, true));
  }

  resize(width: number, height: number, ratio: number): void {
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(width, height, false);
    [this.eye.width, this.eye.height] = [width, height];
    this.target?.dispose();
    this.target = null;
    this.uniforms.uRatio.value = ratio;
    this.uniforms.uSize.value.set(width * ratio, height * ratio);
    if (!this.flat) {
      this.target = new WebGLRenderTarget(width * ratio, height * ratio, { samples: 4, depthTexture: new DepthTexture(width * ratio, height * ratio) });
    }
  }

  private ready(): void {
    const { eye, uniforms } = this;
    eye.update();
    uniforms.uScale.value = eye.scale * uniforms.uRatio.value;
    const plane = uniforms.uSection.value as Vector4;
    plane.set(0, 0, 0, 0);
    if (this.section) {
      const sign = this.section.flip ? -1 : 1;
      plane.setComponent(this.section.axis, sign);
      plane.w = sign * this.section.at;
    }
    this.grounds.place(eye, this.box, (body) => this.pose(body));
  }

  render(): void {
    this.ready();
    const { renderer, eye: { camera }, uniforms } = this;
    uniforms.uMode.value = 0;
    this.blend(true);
    renderer.setRenderTarget(this.target);
    renderer.clear();
    // only the bodies seen through and the lines come in the second pass
    for (const pass of [0, 1]) {
      uniforms.uPass.value = pass;
      this.bodies.children.forEach((mesh) => (mesh.userData.shown ??= mesh.visible));
      if (pass === 1 && !this.flat) this.transparent(true);
      renderer.render(this.bodies, camera);
      if (pass === 1 && !this.flat) this.transparent(false);
      if (this.flat && pass === 0) continue;
    }
    if (this.target) {
      const finish = (this.screen.children[0] as Mesh).material as RawShaderMaterial;
      finish.uniforms.uImage.value = this.target.texture;
      finish.uniforms.uDepth.value = this.target.depthTexture;
      finish.uniforms.uPixel.value.set(uniforms.uRatio.value / this.target.width, uniforms.uRatio.value / this.target.height);
      // a step of a tenth of a body counts
      finish.uniforms.uStrength.value = (2 * (this.eye.depth + 2 * this.eye.half)) / (2 * this.size);
      renderer.setRenderTarget(null);
      renderer.clear();
      renderer.render(this.screen, camera);
    }
    renderer.setRenderTarget(null);
    renderer.render(this.overlay, camera);
  }

  private transparent(on: boolean): void {
    for (const material of this.materials) {
      if (material === this.over.mesh.material || this.grounds.has(material)) continue;
      material.transparent = on;
      material.depthWrite = !on;
      material.alphaToCoverage = !on;
    }
  }

  private blend(on: boolean): void {
    for (const material of this.materials) material.blending = on ? NormalBlending : NoBlending;
  }

  /** The body at a point of the page, or −1. */
  pick(x: number, y: number): number {
    this.ready();
    const { renderer, eye: { camera }, uniforms } = this;
    uniforms.uMode.value = 1;
    uniforms.uPass.value = 0;
    this.blend(false);
    const part = camera.clone() as OrthographicCamera;
    part.setViewOffset(this.eye.width, this.eye.height, x, y, 1, 1);
    renderer.setRenderTarget(this.picked);
    renderer.setClearColor(0x000000, 0);
    renderer.clear();
    this.edges.mesh.visible = false;
    if (this.freeEdges) this.freeEdges.mesh.visible = false;
    renderer.render(this.bodies, part);
    this.edges.mesh.visible = this.edges.length > 0;
    if (this.freeEdges) this.freeEdges.mesh.visible = this.freeEdges.length > 0;
    const pixel = new Uint8Array(4);
    renderer.readRenderTargetPixels(this.picked, 0, 0, 1, 1, pixel);
    renderer.setRenderTarget(null);
    renderer.setClearColor(0xffffff, 1);
    uniforms.uMode.value = 0;
    this.blend(true);
    return pixel[0] + 256 * pixel[1] + 65536 * pixel[2] - 1;
  }

  /** Where a place is on the page. */
  project(at: ArrayLike<number>): [number, number] {
    this.eye.update();
    const point = new Vector3(at[0], at[1], at[2]).project(this.eye.camera);
    return [0.5 * (1 + point.x) * this.eye.width, 0.5 * (1 - point.y) * this.eye.height];
  }
}
