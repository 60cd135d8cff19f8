// What the colour of a body can mean: a number for each body of a frame. Draws nothing.
import type { Frame, Run } from './frame';

/** What can be told without a stored column. */
export const BUILT_IN = ['group', 'none', 'speed', 'displacement', 'spin', 'coordination', 'mean_stress'];

/** What a frame needs no more than places and velocities for. */
export const OF_MOTION = new Set(['group', 'none', 'speed', 'displacement', 'velocity']);

const UNITS: Record<string, string> = {
  speed: 'm/s', displacement: 'm', spin: 'rad/s', coordination: 'contacts', kinetic_energy: 'J', contact_force: 'N', velocity: 'm/s',
  mean_stress: 'Pa', mass: 'kg', 'nodes: von_mises_stress': 'Pa', 'nodes: displacement': 'm', 'nodes: velocity': 'm/s',
  'nodes: principal_stresses 1': 'Pa', 'nodes: principal_stresses 2': 'Pa', 'nodes: principal_stresses 3': 'Pa',
};

export const unitOf = (field: string): string => UNITS[field] ?? '';

/** The field of each body; nothing where it means no number. */
export function values(field: string, frame: Frame, reference: Frame | null, run: Run): Float32Array | null {
  switch (field) {
    case 'group':
    case 'none':
      return null;
    case 'speed':
      return norms(frame, 'velocity');
    case 'displacement':
      return displacements(frame, reference, run);
    case 'coordination':
      return coordination(frame);
    case 'mean_stress':
      return meanStress(frame, run);
    default:
      if (frame.columns.has(`bodies/${field}`)) return norms(frame, field);
      return field.startsWith(AT_CONTACTS) ? atContacts(field.slice(AT_CONTACTS.length), frame) : null;
  }
}

/** How fields of contacts are told from those of bodies. */
export const AT_CONTACTS = 'contacts: ';

/** Names of what the contacts of a frame keep, one number each: gaps, variables of their laws. */
export function contactFields(frame: Frame): string[] {
  const one = ([path, { components }]: [string, { components: number }]) => path.startsWith('contacts/') && components === 1 && path !== 'contacts/status';
  return [...frame.columns].filter(one).map(([path]) => AT_CONTACTS + path.slice(9));
}

/** The largest number at any contact of each body: its damage, say. */
function atContacts(name: string, frame: Frame): Float32Array {
  const most = new Float32Array(frame.bodies).fill(NaN);
  const [pairs, numbers] = [frame.data('contacts/bodies'), frame.data(`contacts/${name}`)];
  for (let k = 0; k < pairs.length; k++) {
    const value = numbers[k >> 1];
    if (!(most[pairs[k]] >= value)) most[pairs[k]] = value;
  }
  return most.map((value) => (Number.isNaN(value) ? 0 : value));
}

/** Mean pressure in each body by its contacts, −tr σ/D with σ = Σ f ⊗ (x − c) / V; compression positive. */
function meanStress(frame: Frame, run: Run): Float32Array {
  const sums = new Float32Array(frame.bodies);
  const [pairs, forces, points] = ['bodies', 'force', 'Points'].map((name) => frame.data(`contacts/${name}`));
  const [places, volumes] = [frame.data('bodies/Points'), frame.data('bodies/volume')];
  const periods = run.cell?.periods ?? [];
  for (let k = 0; k < pairs.length; k++) {
    const [body, contact, sign] = [pairs[k], k >> 1, k % 2 ? 1 : -1];
    for (let axis = 0; axis < run.dimension; axis++) {
      let arm = points[3 * contact + axis] - places[3 * body + axis];
      const period = periods[axis];
      if (period) arm -= Math.round(arm / period) * period;
      sums[body] += sign * forces[3 * contact + axis] * arm;
    }
  }
  return sums.map((sum, body) => (volumes[body] > 0 ? sum / (run.dimension * volumes[body]) : 0));
}

/** Norms of vectors; single numbers as they are. */
function norms(frame: Frame, name: string): Float32Array {
  const column = frame.columns.get(`bodies/${name}`);
  if (!column) return new Float32Array(frame.bodies);
  const { data, components } = column;
  return Float32Array.from({ length: frame.bodies }, (_, k) => {
    if (components === 1) return data[k];
    let sum = 0;
    for (let j = 0; j < components; j++) sum += data[components * k + j] ** 2;
    return Math.sqrt(sum);
  });
}

function displacements(frame: Frame, reference: Frame | null, run: Run): Float32Array {
  const now = frame.data('bodies/Points');
  const then = reference?.data('bodies/Points') ?? now;
  const rows = run.open ? reference?.rows() : undefined;
  const periods = run.cell?.periods ?? [];
  return Float32Array.from({ length: frame.bodies }, (_, body) => {
    const before = run.open ? rows?.get(frame.who(body)) ?? -1 : body;
    if (before < 0) return 0;
    let sum = 0;
    for (let axis = 0; axis < 3; axis++) {
      let d = now[3 * body + axis] - (then[3 * before + axis] ?? now[3 * body + axis]);
      // through the seam the shorter way counts
      const period = periods[axis];
      if (period) d -= Math.round(d / period) * period;
      sum += d * d;
    }
    return Math.sqrt(sum);
  });
}

/** Bodies that press on each body. */
function coordination(frame: Frame): Float32Array {
  const counts = new Float32Array(frame.bodies);
  const [pairs, forces] = [frame.data('contacts/bodies'), frame.data('contacts/force')];
  const seen = new Set<number>();
  for (let k = 0; k < pairs.length / 2; k++) {
    if (forces[3 * k] === 0 && forces[3 * k + 1] === 0 && forces[3 * k + 2] === 0) continue;
    const [a, b] = [Math.min(pairs[2 * k], pairs[2 * k + 1]), Math.max(pairs[2 * k], pairs[2 * k + 1])];
    const key = a * frame.bodies + b;
    if (seen.has(key)) continue;
    seen.add(key);
    counts[a] += 1;
    counts[b] += 1;
  }
  return counts;
}
