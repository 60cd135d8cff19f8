// Where frames and tables come from: the server, or the page itself when it was exported. Keeps a bounded number of
// frames.
import { Frame, Run } from './frame';

export interface Status {
  frames: number;
  running: boolean;
  paused?: boolean;
  stopping?: boolean;
  outcome?: string | null;
  version?: number;
  last?: Record<string, number | null> | null;
}

export interface TableInfo {
  name: string;
  columns: string[];
}

export interface TableData {
  rows: number;
  values: (number | null)[][];
}

export interface Source {
  run(): Promise<Run>;
  times(): Promise<number[]>;
  /** A frame; the server leaves out what is not wanted. */
  frame(index: number, depth: Depth): Promise<Frame>;
  tables(): Promise<TableInfo[]>;
  table(name: string, columns: number[]): Promise<TableData>;
  status(): Promise<Status>;
  ask(what: 'pause' | 'continue' | 'stop'): Promise<void>;
  /** Frames of the run, where the page holds fewer. */
  readonly of: number;
  readonly exported: boolean;
}

/** How much of a frame is wanted: places and velocities, all of the bodies, contacts as well. */
export type Depth = 'motion' | 'bodies' | 'all';

const DEPTHS: Depth[] = ['motion', 'bodies', 'all'];

async function get(path: string): Promise<Response> {
  const answer = await fetch(path);
  if (answer.ok) return answer;
  const reason = await answer.json().then((found) => found.error).catch(() => answer.statusText);
  throw new Error(reason);
}

class Served implements Source {
  readonly of = 0;
  readonly exported = false;
  run = () => get('/api/run').then((answer) => answer.json());
  times = () => get('/api/frames').then(async (answer) => (await answer.json()).times);
  frame = (index: number, depth: Depth) => get(`/api/frame/${index}${depth === 'all' ? '' : `?only=${depth}`}`).then(async (answer) => new Frame(await answer.arrayBuffer()));
  tables = () => get('/api/tables').then((answer) => answer.json());
  status = () => get('/api/status').then((answer) => answer.json());

  table(name: string, columns: number[]): Promise<TableData> {
    const wanted = columns.map((column) => `column=${column}`).join('&');
    const path = name.split('/').map(encodeURIComponent).join('/');
    return get(`/api/table/${path}?${wanted}&most=4000`).then((answer) => answer.json());
  }

  async ask(what: string): Promise<void> {
    const answer = await fetch(`/api/${what}`, { method: 'POST', headers: { 'X-Drystone': '1' } });
    if (!answer.ok) throw new Error((await answer.json()).error);
  }
}

class Exported implements Source {
  readonly exported = true;
  constructor(private note: any, private buffer: ArrayBuffer, private start: number) {}
  get of(): number { return this.note.of; }
  run = async () => this.note.run as Run;
  times = async () => this.note.times as number[];
  status = async () => ({ frames: this.note.times.length, running: false });
  tables = async () => this.note.tables.map((table: any) => ({ name: table.name, columns: table.columns }));
  ask = async () => { throw new Error('this page holds a copy of the run'); };

  async frame(index: number): Promise<Frame> {
    const padded = (length: number) => (length + 3) & ~3;
    const before = this.note.lengths.slice(0, index).reduce((sum: number, length: number) => sum + padded(length), 0);
    return new Frame(this.buffer, this.start + before);
  }

  async table(name: string, columns: number[]): Promise<TableData> {
    const table = this.note.tables.find((table: any) => table.name === name);
    return { rows: table.rows, values: columns.map((column) => table.values[column] ?? []) };
  }
}

/** The data of this page, or else the server it came from. */
export async function open(): Promise<Source> {
  const held = document.getElementById('drystone-data');
  if (!held) return new Served();
  const letters = atob(held.textContent ?? '');
  held.remove();
  const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  const buffer = await new Response(stream).arrayBuffer();
  const length = new DataView(buffer).getUint32(0, true);
  const note = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  return new Exported(note, buffer, 4 + length);
}

/** Frames kept in memory, the oldest use forgotten first. */
export class Frames {
  private held = new Map<string, Promise<Frame>>();
  private bytes = 0;
  private sizes = new Map<string, number>();

  /** Those of a `lean` run come without what is not wanted. */
  constructor(private source: Source, public lean: boolean, private most = 256e6) {}

  get(index: number, wanted: Depth): Promise<Frame> {
    const least = DEPTHS.indexOf(this.lean ? wanted : 'all');
    // a frame with more in it serves as well
    const depth = DEPTHS.slice(least).find((depth) => this.held.has(`${index} ${depth}`)) ?? DEPTHS[least];
    const key = `${index} ${depth}`;
    const known = this.held.get(key);
    this.held.delete(key);
    const frame = known ?? this.fetch(key, index, depth);
    this.held.set(key, frame);
    return frame;
  }

  private async fetch(key: string, index: number, depth: Depth): Promise<Frame> {
    try {
      const frame = await this.source.frame(index, depth);
      let size = 0;
      for (const column of frame.columns.values()) size += column.data.byteLength;
      this.sizes.set(key, size);
      this.bytes += size;
      for (const old of [...this.held.keys()]) {
        if (this.bytes <= this.most || this.held.size <= 2) break;
        if (old === key) continue;
        this.held.delete(old);
        this.bytes -= this.sizes.get(old) ?? 0;
        this.sizes.delete(old);
      }
      return frame;
    } catch (error) {
      this.held.delete(key);
      throw error;
    }
  }

  clear(): void {
    this.held.clear();
    this.sizes.clear();
    this.bytes = 0;
  }
}
