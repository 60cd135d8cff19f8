// Title, scale bar, colour bar and samples of lines, drawn over the bodies; the same for the screen and for pictures.
import { ARROW, FAINT, INK, MAPS, PRESSURE, SLIP, STICK, TENSION, THRUST, WEAK, css, map } from './colours';
import type { Scales } from './forces';
import { label, roundBelow } from './numbers';
import type { Settings } from './settings';

export interface Told {
  title: string;
  time: number;
  scale: number;
  settings: Settings;
  scales: Scales | null;
  /** Name, unit and range of the colours, where they mean a number. */
  colours: { name: string; low: number; high: number } | null;
  /** Names and colours of the groups, where they mean those. */
  groups: { name: string; colour: string }[];
  tension: boolean;
  /** Whether the run is one of the plane. */
  flat: boolean;
  note: string;
}

/** Height of letters in a picture so wide. */
const letters = (width: number) => Math.min(14, Math.max(10, width / 64));

/** The strip above a picture that is taken away, with its title and time. */
export const headOf = (width: number) => Math.round(2.8 * letters(width));

/** Draws over the bodies, or, `framed`, over a picture with a head. */
export function draw(canvas: HTMLCanvasElement, width: number, height: number, ratio: number, told: Told, framed: boolean): void {
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  const pen = canvas.getContext('2d')!;
  pen.scale(ratio, ratio);
  pen.clearRect(0, 0, width, height);
  const size = letters(width);
  pen.font = `${size}px system-ui, "DejaVu Sans", sans-serif`;
  pen.textBaseline = 'middle';
  if (framed) {
    pen.fillStyle = 'white';
    pen.fillRect(0, 0, width, headOf(width));
    const time = `t = ${label(told.time)} s`;
    const room = width - pen.measureText(time).width - 3.6 * size;
    let title = told.title;
    while (title && pen.measureText(title).width > room) title = `${title.slice(0, -2)}…`;
    pen.fillStyle = INK;
    pen.fillText(title, 1.2 * size, 1.4 * size);
    pen.fillStyle = FAINT;
    pen.textAlign = 'right';
    pen.fillText(time, width - 1.2 * size, 1.4 * size);
    pen.textAlign = 'left';
  }
  const entries = list(told, size, width);
  // from the bottom up, as many in a row as there is room for
  const rows: Entry[][] = [[]];
  let x = 1.2 * size;
  for (const entry of entries) {
    const wide = entry.width(pen) + 1.6 * size;
    if (x + wide > width && rows[rows.length - 1].length > 0) {
      rows.push([]);
      x = 1.2 * size;
    }
    rows[rows.length - 1].push(entry);
    x += wide;
  }
  const high = 2 * size;
  pen.fillStyle = framed ? 'white' : 'rgba(255,255,255,0.82)';
  pen.fillRect(0, height - rows.length * high - 0.4 * size, width, rows.length * high + 0.4 * size);
  rows.forEach((row, rank) => {
    let x = 1.2 * size;
    const y = height - (rows.length - rank - 0.5) * high - 0.2 * size;
    for (const entry of row) {
      entry.draw(pen, x, y);
      x += entry.width(pen) + 1.6 * size;
    }
  });
}

interface Entry {
  width(pen: CanvasRenderingContext2D): number;
  draw(pen: CanvasRenderingContext2D, x: number, y: number): void;
}

/** A sample of so many pixels with a text behind it. */
function sample(size: number, wide: number, text: string, paint: (pen: CanvasRenderingContext2D, x: number, y: number) => void): Entry {
  return {
    width: (pen) => wide + 0.5 * size + pen.measureText(text).width,
    draw: (pen, x, y) => {
      paint(pen, x, y);
      pen.fillStyle = INK;
      pen.fillText(text, x + wide + 0.5 * size, y);
    },
  };
}

const box = (size: number, text: string, colour: string): Entry =>
  sample(size, size, text, (pen, x, y) => {
    pen.fillStyle = colour;
    pen.fillRect(x, y - 0.4 * size, size, 0.8 * size);
  });

function list(told: Told, size: number, width: number): Entry[] {
  const { settings, scales } = told;
  const metres = roundBelow((0.16 * width) / told.scale);
  const entries = [sample(size, metres * told.scale, `${label(metres)} m`, (pen, x, y) => {
    pen.strokeStyle = INK;
    pen.lineWidth = 1.4;
    pen.beginPath();
    const end = x + metres * told.scale;
    pen.moveTo(x, y - 0.3 * size); pen.lineTo(x, y + 0.3 * size);
    pen.moveTo(end, y - 0.3 * size); pen.lineTo(end, y + 0.3 * size);
    pen.moveTo(x, y); pen.lineTo(end, y);
    pen.stroke();
  })];
  if (told.colours) entries.push(bar(size, told));
  for (const { name, colour } of told.groups) entries.push(box(size, name, colour));
  if (settings.chains && scales && scales.force > 0) {
    const large = roundBelow(scales.force);
    const wide = (scales.width * large) / scales.force;
    entries.push(sample(size, 2.2 * size, `${label(large)} N`, (pen, x, y) => {
      pen.fillStyle = FAINT;
      pen.fillRect(x, y - wide / 2, 2.2 * size, wide);
    }));
    if (settings.chainColour === 'status') entries.push(box(size, 'stick', css(STICK)), box(size, 'slip', css(SLIP)));
    if (settings.chainColour === 'strength') entries.push(box(size, 'above the mean', css(STICK)), box(size, 'below', css(WEAK)));
    if (told.tension) entries.push(box(size, 'tension', css(TENSION)));
  }
  if (settings.thrust) entries.push(box(size, 'thrust line', css(THRUST)));
  if (settings.pressure && scales && scales.pressure > 0) {
    const most = roundBelow(scales.pressure);
    const long = (scales.pressureLength * most) / scales.pressure;
    entries.push(sample(size, long, told.flat ? `pressure ${label(most)} Pa` : `at a corner ${label(most)} N`, (pen, x, y) => {
      pen.fillStyle = css(PRESSURE);
      pen.fillRect(x, y - 1, long, 2);
    }));
  }
  if (settings.velocities && scales && scales.speed > 0) {
    const speed = roundBelow(scales.speed);
    const long = (scales.length * speed) / scales.speed;
    entries.push(sample(size, long, `${label(speed)} m/s`, (pen, x, y) => {
      pen.strokeStyle = pen.fillStyle = css(ARROW);
      pen.lineWidth = 1.6;
      pen.beginPath(); pen.moveTo(x, y); pen.lineTo(x + long - 6, y); pen.stroke();
      pen.beginPath(); pen.moveTo(x + long, y); pen.lineTo(x + long - 8, y - 3.5); pen.lineTo(x + long - 8, y + 3.5); pen.fill();
    }));
  }
  if (told.note) entries.push(sample(size, 0, told.note, () => {}));
  return entries;
}

function bar(size: number, told: Told): Entry {
  const { name, low, high } = told.colours!;
  const [least, most] = [label(low), label(high)];
  const long = 8 * size;
  const parts = (pen: CanvasRenderingContext2D) => [name, least, most].map((text) => pen.measureText(text).width);
  return {
    width: (pen) => parts(pen).reduce((sum, wide) => sum + wide, long + 1.8 * size),
    draw: (pen, x, y) => {
      const [first, second] = parts(pen);
      pen.fillStyle = INK;
      pen.fillText(name, x, y);
      x += first + 0.8 * size;
      pen.fillText(least, x, y);
      x += second + 0.5 * size;
      for (let k = 0; k < 64; k++) {
        pen.fillStyle = css(map(MAPS[told.settings.map], (k + 0.5) / 64));
        pen.fillRect(x + (long * k) / 64, y - 0.4 * size, (1.6 * long) / 64, 0.8 * size);
      }
      pen.fillStyle = INK;
      pen.fillText(most, x + long + 0.5 * size, y);
    },
  };
}
