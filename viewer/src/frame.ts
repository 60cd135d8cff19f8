// Frames and what does not change, as the server packs them. Fetches nothing.

/** What does not change in a run; see `describe.rs` of the server. */
export interface Run {
  title: string;
  dimension: number;
  open: boolean;
  origin: [number, number, number];
  step: number;
  duration: number;
  names: string[];
  groups: string[];
  /** Names of the sources that bodies come from. */
  sources?: string[];
  group: number[];
  fixed: number[];
  held: number[];
  balls: { body: number[]; radius: number[]; local: number[] };
  forms: Form[];
  items: [number, number, [number, number, number], [number, number, number, number]][];
  /** Items that deform, and the first of their vertices in `skins/Points`. */
  skins?: [number, number][];
  ties: (string | null)[];
  cell: { origin: number[]; periods: (number | null)[] } | null;
}

export interface Form {
  kind: 'polygon' | 'line' | 'polyhedron' | 'surface' | 'half-space';
  vertices: number[];
  /** Lists of vertices: of a polygon with holes the lines around it, the outer one first. */
  faces: number[][];
  closed: boolean;
}

type Numbers = Float32Array | Uint32Array | Uint8Array;

/** One column of a frame. */
export interface Column {
  components: number;
  data: Numbers;
}

/** A frame as columns by name: `bodies/velocity`, `contacts/force` … */
export class Frame {
  readonly step: number;
  readonly time: number;
  readonly columns = new Map<string, Column>();

  constructor(buffer: ArrayBuffer, offset = 0) {
    const head = new DataView(buffer, offset, 8);
    if (head.getUint32(0, false) !== 0x44534631) throw new Error('not a frame of Drystone');
    const length = head.getUint32(4, true);
    const note = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, offset + 8, length)));
    this.step = note.step;
    this.time = note.time;
    for (const { name, kind, components, length: count, offset: at } of note.arrays) {
      const from = offset + 8 + length + at;
      const data = kind === 'f32' ? new Float32Array(buffer, from, count) : kind === 'u32' ? new Uint32Array(buffer, from, count) : new Uint8Array(buffer, from, count);
      this.columns.set(name, { components, data });
    }
  }

  /** A column that has to be there; empty where it is not. */
  data(name: string): Numbers {
    return this.columns.get(name)?.data ?? new Float32Array(0);
  }

  get bodies(): number {
    return this.data('bodies/Points').length / 3;
  }

  get contacts(): number {
    return this.data('contacts/Points').length / 3;
  }

  /** Which body a row is, where bodies come and go: its place, and the how manieth it is there. */
  who(body: number): string {
    return `${this.data('bodies/id')[body]}.${this.data('bodies/generation')[body]}`;
  }

  /** The rows of all of them. */
  rows(): Map<string, number> {
    return new Map(Array.from({ length: this.bodies }, (_, body) => [this.who(body), body]));
  }

  /** Names of the columns of bodies that can be shown as colours. */
  fields(): string[] {
    const shown = (name: string) => name.startsWith('bodies/') && !/\/(Points|orientation_wxyz|id|generation|source|number|group|radius)$/.test(name);
    return [...this.columns.keys()].filter(shown).map((name) => name.slice(7));
  }
}
