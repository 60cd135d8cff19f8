// What is shown and how, kept in the address of the page. Draws nothing.

export interface Settings {
  frame: number;
  colour: string;
  map: string;
  /** Fixed range of the colours; empty for that of the frame. */
  low: string;
  high: string;
  reference: number;
  chains: boolean;
  chainColour: 'status' | 'strength' | 'size';
  quantile: number;
  /** Force of the thickest line, N; 0 for the quantile. */
  forceScale: number;
  thrust: boolean;
  pressure: boolean;
  contacts: boolean;
  velocities: boolean;
  trails: boolean;
  walls: 'auto' | 'solid' | 'clear' | 'hidden';
  section: '' | 'x' | 'y' | 'z';
  sectionAt: number;
  sectionFlip: boolean;
  body: number;
  speed: number;
  loop: boolean;
  plots: string;
  eye: string;
}

export const DEFAULTS: Settings = {
  frame: -1, colour: 'group', map: 'drystone', low: '', high: '', reference: 0, chains: false, chainColour: 'status', quantile: 0.97,
  forceScale: 0, thrust: false, pressure: false, contacts: false, velocities: false, trails: false, walls: 'auto', section: '', sectionAt: 0.5,
  sectionFlip: false, body: -1, speed: 1, loop: false, plots: '', eye: '',
};

/** What the address says, each value of the type it has to be. */
export function read(hash: string): Settings {
  const given = new URLSearchParams(hash.replace(/^#/, ''));
  const found: any = { ...DEFAULTS };
  for (const [name, standard] of Object.entries(DEFAULTS)) {
    const text = given.get(name);
    if (text === null) continue;
    if (typeof standard === 'boolean') found[name] = text === '1';
    else if (typeof standard === 'number') found[name] = Number.isFinite(Number(text)) ? Number(text) : standard;
    else found[name] = text;
  }
  const allowed = { chainColour: ['status', 'strength', 'size'], walls: ['auto', 'solid', 'clear', 'hidden'], section: ['', 'x', 'y', 'z'] };
  for (const [name, words] of Object.entries(allowed)) if (!words.includes(found[name])) found[name] = (DEFAULTS as any)[name];
  return found;
}

/** The address that keeps what differs from the beginning. */
export function write(settings: Settings): string {
  const kept = new URLSearchParams();
  for (const [name, standard] of Object.entries(DEFAULTS)) {
    const value = (settings as any)[name];
    if (value !== standard) kept.set(name, typeof value === 'boolean' ? (value ? '1' : '0') : String(value));
  }
  return `#${kept}`;
}
