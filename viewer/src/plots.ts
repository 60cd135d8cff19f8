// Plots of the tables beneath the bodies, with a cursor at the time shown. Reads no file.
import { FAINT, INK, SERIES } from './colours';
import type { Source, TableInfo } from './data';
import { label, ticks } from './numbers';

interface Choice {
  table: string;
  x: number;
  y: number[];
}

interface Curve {
  x: (number | null)[];
  ys: (number | null)[][];
  time: (number | null)[] | null;
}

const isTime = (title: string) => /^time\b/.test(title);

export class Plots {
  private plots: Plot[] = [];
  private tables: TableInfo[] = [];

  constructor(private room: HTMLElement, private source: Source, private seek: (time: number) => void, private changed: (text: string) => void) {}

  async load(text: string): Promise<void> {
    this.tables = await this.source.tables();
    if (text) for (const part of text.split(';')) this.add(parse(part, this.tables));
  }

  get possible(): boolean {
    return this.tables.length > 0;
  }

  get count(): number {
    return this.plots.length;
  }

  add(choice: Choice | null = null): void {
    const table = this.tables.find((table) => table.name.endsWith('steps.csv')) ?? this.tables[0];
    if (!table || this.plots.length >= 6) return;
    const time = Math.max(0, table.columns.findIndex(isTime));
    const y = ['kinetic [J]', 'iterations'].map((title) => table.columns.indexOf(title)).find((k) => k >= 0) ?? table.columns.length - 1;
    const plot = new Plot(this.tables, choice ?? { table: table.name, x: time, y: [y] }, this.source, this.seek, () => this.tell(), () => {
      this.plots = this.plots.filter((other) => other !== plot);
      plot.room.remove();
      this.tell();
    });
    this.plots.push(plot);
    this.room.append(plot.room);
    void plot.fetch();
    this.tell();
  }

  private tell(): void {
    this.changed(this.plots.map((plot) => format(plot.choice)).join(';'));
  }

  /** Moves the cursor. */
  show(time: number): void {
    for (const plot of this.plots) plot.draw(time);
  }

  /** Reads the tables again: a run in progress has more lines now. */
  async refresh(): Promise<void> {
    if (this.tables.length === 0) this.tables = await this.source.tables();
    await Promise.all(this.plots.map((plot) => plot.fetch()));
  }
}

const format = ({ table, x, y }: Choice) => [table, x, ...y].join('|');

function parse(text: string, tables: TableInfo[]): Choice | null {
  const [table, ...numbers] = text.split('|');
  const columns = tables.find((known) => known.name === table)?.columns.length ?? 0;
  const [x, ...y] = numbers.map(Number);
  const good = (k: number) => Number.isInteger(k) && k >= 0 && k < columns;
  return good(x) && y.length > 0 && y.every(good) ? { table, x, y } : null;
}

class Plot {
  readonly room = document.createElement('figure');
  private canvas = document.createElement('canvas');
  private curve: Curve | null = null;
  private time = 0;
  private view: { x: (value: number) => number; back: (pixel: number) => number } | null = null;

  constructor(private tables: TableInfo[], public choice: Choice, private source: Source, seek: (time: number) => void, private tell: () => void, remove: () => void) {
    this.room.className = 'plot';
    this.room.style.margin = '0';
    const bar = document.createElement('div');
    bar.className = 'bar';
    const table = select('Table', tables.map((table) => table.name), tables.findIndex((known) => known.name === choice.table));
    const [x, y, y2] = ['Across', 'Up', 'Up, second'].map((name) => select(name, [], 0));
    const fill = () => {
      const titles = this.titles();
      options(x, titles, this.choice.x);
      options(y, titles, this.choice.y[0]);
      options(y2, ['–', ...titles], this.choice.y.length > 1 ? this.choice.y[1] + 1 : 0);
    };
    const close = document.createElement('button');
    close.textContent = '×';
    close.setAttribute('aria-label', 'Remove this plot');
    close.onclick = remove;
    table.onchange = () => {
      const titles = tables[table.selectedIndex].columns;
      const across = Math.max(0, titles.findIndex(isTime));
      this.choice = { table: table.value, x: across, y: [Math.min(across + 1, titles.length - 1)] };
      fill();
      this.changed();
    };
    x.onchange = y.onchange = y2.onchange = () => {
      const more = y2.selectedIndex > 0 ? [y2.selectedIndex - 1] : [];
      this.choice = { ...this.choice, x: x.selectedIndex, y: [y.selectedIndex, ...more] };
      this.changed();
    };
    fill();
    bar.append(table, y, y2, document.createTextNode('against'), x, close);
    this.canvas.setAttribute('role', 'img');
    this.room.append(bar, this.canvas);
    const go = (event: PointerEvent) => {
      const time = this.timeAt(event.offsetX);
      if (time !== null && event.buttons) seek(time);
    };
    this.canvas.onpointerdown = go;
    this.canvas.onpointermove = go;
  }

  private titles(): string[] {
    return this.tables.find((known) => known.name === this.choice.table)?.columns ?? [];
  }

  private changed(): void {
    this.tell();
    void this.fetch();
  }

  async fetch(): Promise<void> {
    const { table, x, y } = this.choice;
    const time = this.titles().findIndex(isTime);
    const wanted = [x, ...(time >= 0 ? [time] : []), ...y];
    const { values } = await this.source.table(table, wanted).catch(() => ({ values: wanted.map(() => []) }));
    const own = time >= 0 ? 2 : 1;
    this.curve = { x: values[0], time: time >= 0 ? values[1] : null, ys: values.slice(own) };
    this.draw(this.time);
  }

  /** The time at a pixel, where the plot is over time. */
  private timeAt(pixel: number): number | null {
    if (!this.curve?.time || !this.view) return null;
    const x = this.view.back(pixel);
    let [best, found] = [Infinity, null as number | null];
    this.curve.x.forEach((value, k) => {
      const away = value === null ? Infinity : Math.abs(value - x);
      if (away < best) [best, found] = [away, this.curve!.time![k]];
    });
    return found;
  }

  draw(time: number): void {
    this.time = time;
    const { canvas, curve } = this;
    const [width, height, ratio] = [canvas.clientWidth, canvas.clientHeight, devicePixelRatio];
    if (!width || !curve) return;
    canvas.width = width * ratio;
    canvas.height = height * ratio;
    const pen = canvas.getContext('2d')!;
    pen.scale(ratio, ratio);
    pen.font = '11px system-ui, "DejaVu Sans", sans-serif';
    const range = (lists: (number | null)[][]) => {
      let [low, high] = [Infinity, -Infinity];
      for (const list of lists) for (const value of list) if (value !== null) [low, high] = [Math.min(low, value), Math.max(high, value)];
      if (!(high >= low)) return [0, 1];
      return high > low ? [low, high] : [low - 0.5 * (Math.abs(low) || 1), high + 0.5 * (Math.abs(high) || 1)];
    };
    const [x0, x1] = range([curve.x]);
    const [y0, y1] = range(curve.ys);
    const [left, right, top, bottom] = [58, width - 10, 8, height - 30];
    const at = { x: (x: number) => left + ((x - x0) / (x1 - x0)) * (right - left), y: (y: number) => bottom - ((y - y0) / (y1 - y0)) * (bottom - top) };
    this.view = { x: at.x, back: (pixel) => x0 + ((pixel - left) / (right - left)) * (x1 - x0) };
    pen.strokeStyle = '#e4e6ea';
    pen.fillStyle = FAINT;
    pen.lineWidth = 1;
    pen.textAlign = 'center';
    for (const x of ticks(x0, x1, 7)) { line(pen, at.x(x), top, at.x(x), bottom); pen.fillText(label(x), at.x(x), bottom + 12); }
    pen.textAlign = 'right';
    for (const y of ticks(y0, y1, 4)) { line(pen, left, at.y(y), right, at.y(y)); pen.fillText(label(y), left - 5, at.y(y) + 4); }
    curve.ys.forEach((ys, k) => {
      pen.strokeStyle = SERIES[k];
      pen.lineWidth = 1.4;
      pen.beginPath();
      let up = true;
      ys.forEach((y, row) => {
        const x = curve.x[row];
        if (y === null || x === null || x === undefined) { up = true; return; }
        if (up) pen.moveTo(at.x(x), at.y(y)); else pen.lineTo(at.x(x), at.y(y));
        up = false;
      });
      pen.stroke();
    });
    const row = this.rowAt(time);
    const titles = this.titles();
    if (row >= 0) {
      const x = curve.x[row];
      if (x !== null) {
        pen.strokeStyle = INK;
        pen.lineWidth = 1;
        if (isTime(titles[this.choice.x])) line(pen, at.x(x), top, at.x(x), bottom);
        curve.ys.forEach((ys, k) => {
          const y = ys[row];
          if (y === null || y === undefined) return;
          pen.fillStyle = SERIES[k];
          pen.beginPath(); pen.arc(at.x(x), at.y(y), 3.2, 0, 7); pen.fill();
        });
      }
    }
    pen.textAlign = 'center';
    pen.fillStyle = INK;
    pen.fillText(titles[this.choice.x] ?? '', (left + right) / 2, height - 3);
    pen.textAlign = 'left';
    this.choice.y.forEach((y, k) => {
      pen.fillStyle = SERIES[k];
      const now = row >= 0 ? curve.ys[k]?.[row] : null;
      pen.fillText(`${titles[y] ?? ''}${now === null || now === undefined ? '' : ` = ${label(now)}`}`, left + 6, top + 10 + 14 * k);
    });
    canvas.setAttribute('aria-label', `${this.choice.y.map((y) => titles[y]).join(' and ')} against ${titles[this.choice.x]}; ${curve.x.length} points`);
    canvas.dataset.cursor = row >= 0 ? String(curve.x[row]) : '';
  }

  /** The last row at or before a time. */
  private rowAt(time: number): number {
    const times = this.curve?.time;
    if (!times || times.length === 0) return -1;
    let found = -1;
    for (let k = 0; k < times.length; k++) if (times[k] !== null && times[k]! <= time * (1 + 1e-9) + 1e-15) found = k;
    return Math.max(found, 0);
  }
}

function line(pen: CanvasRenderingContext2D, x0: number, y0: number, x1: number, y1: number): void {
  pen.beginPath(); pen.moveTo(x0, y0); pen.lineTo(x1, y1); pen.stroke();
}

function select(name: string, words: string[], chosen: number): HTMLSelectElement {
  const made = document.createElement('select');
  made.setAttribute('aria-label', name);
  options(made, words, chosen);
  return made;
}

function options(into: HTMLSelectElement, words: string[], chosen: number): void {
  into.replaceChildren(...words.map((word) => new Option(word)));
  into.selectedIndex = Math.max(0, chosen);
}
