// Colours and what they stand for: the same as in the pictures of `drystone render`. Maps are even in lightness and
// safe for colour-blind readers.

export type Rgb = [number, number, number];

export const hex = (text: string): Rgb => {
  const value = parseInt(text.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
};

export const PAPER = hex('#ffffff');
export const INK = '#2b2d33';
export const FAINT = '#7b7f88';
export const GROUND = hex('#ebe7e0');
export const GROUND_LINE = hex('#6f675c');
export const SUPPORT = hex('#c8c5bf');
export const STONE = hex('#cdbfa8');
export const STICK = hex('#23476f');
export const SLIP = hex('#d1492e');
export const ARROW = hex('#1d7a5a');
export const TENSION = hex('#b8860b');
export const THRUST = hex('#e8920c');
export const PRESSURE = hex('#1f7a5c');
export const WEAK = hex('#8fa6bd');

export const GROUPS = ['#d9c3a0', '#9fb8c8', '#b5c9a3', '#dba99a', '#c3b1d1', '#e3d28b', '#93c4b8', '#c9a98f'].map(hex);
export const SERIES = ['#23476f', '#d1492e', '#1d7a5a', '#b8860b', '#7a4fa3', '#4f9bc9'];

export const MAPS: Record<string, Rgb[]> = {
  drystone: ['#e9e3d5', '#cbdcc6', '#9ccdc0', '#66b3bf', '#3f90b8', '#3369a5', '#36458d', '#3a2670'].map(hex),
  viridis: ['#440154', '#482878', '#3e4a89', '#31688e', '#26828e', '#1f9e89', '#35b779', '#6dcd59', '#b4de2c', '#fde725'].map(hex),
  cividis: ['#00224e', '#123570', '#3b496c', '#575d6d', '#707173', '#8a8678', '#a59c74', '#c3b369', '#e1cc55', '#fee838'].map(hex),
  'blue–red': ['#2b4d8f', '#5c82bd', '#9ab5d8', '#d5deea', '#f2efec', '#eccfc2', '#dd9c85', '#c0604c', '#8f2727'].map(hex),
  grey: ['#f0f0f0', '#303030'].map(hex),
};

export const mix = (a: Rgb, b: Rgb, part: number): Rgb =>
  [0, 1, 2].map((k) => a[k] + (b[k] - a[k]) * part) as Rgb;

export const lit = (colour: Rgb, light: number): Rgb =>
  light <= 1 ? mix(colour, [0x14, 0x14, 0x1c], 1 - light) : mix(colour, PAPER, light - 1);

export function map(stops: Rgb[], part: number): Rgb {
  const place = Math.min(1, Math.max(0, Number.isFinite(part) ? part : 0)) * (stops.length - 1);
  const below = Math.min(Math.floor(place), stops.length - 2);
  return mix(stops[below], stops[below + 1], place - below);
}

export const css = ([r, g, b]: Rgb, alpha = 1): string => `rgba(${r | 0},${g | 0},${b | 0},${alpha})`;

/** A number from 0 to 1 that depends on the body alone: stones of one kind still differ a little. */
export function scatter(body: number): number {
  let mixed = Math.imul(body ^ 0x9e3779b9, 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return ((mixed ^ (mixed >>> 16)) & 0xffff) / 65535;
}
