// What is known at the vertices of bodies that deform: stress, displacement and whatever else the run stored there.
// Draws nothing.
import type { Frame } from './frame';

/** How fields of vertices are told from those of bodies. */
const MARK = 'nodes: ';

/** Columns of which every component means something by itself. */
const APART = new Set(['principal_stresses']);

/** Names of all of them in a frame. */
export function nodeFields(frame: Frame): string[] {
  const found: string[] = [];
  for (const [path, { components }] of frame.columns) {
    if (!path.startsWith('skins/') || path === 'skins/Points') continue;
    const name = path.slice(6);
    if (APART.has(name)) for (let k = 1; k <= components; k++) found.push(`${MARK}${name} ${k}`);
    else found.push(MARK + name);
  }
  return found;
}

/** A number for each vertex; nothing where the field is none of vertices, or the frame brings none. */
export function nodeValues(field: string, frame: Frame): Float32Array | null {
  if (!field.startsWith(MARK)) return null;
  const [name, part] = field.slice(MARK.length).split(' ');
  const column = frame.columns.get(`skins/${name}`);
  if (!column) return null;
  const { data, components } = column;
  return Float32Array.from({ length: data.length / components }, (_, k) => {
    if (part) return data[components * k + Number(part) - 1];
    if (components === 1) return data[k];
    let sum = 0;
    for (let j = 0; j < components; j++) sum += data[components * k + j] ** 2;
    return Math.sqrt(sum);
  });
}
