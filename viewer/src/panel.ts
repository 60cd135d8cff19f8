// What is known of one body in one frame, as a small table. Draws nothing.
import { unitOf } from './fields';
import type { Frame, Run } from './frame';
import { label } from './numbers';

/** Most contacts listed. */
const MOST = 40;

export function nameOf(run: Run, frame: Frame, body: number): string {
  if (!run.open) return run.names[body] || `body ${body}`;
  const [slot, age] = [frame.data('bodies/id')[body], frame.data('bodies/generation')[body]];
  // those of a source are called after it, in the order in which they came
  const source = run.sources?.[frame.data('bodies/source')[body] - 1];
  if (source) return `${source} ${frame.data('bodies/number')[body]}`;
  return age ? `body ${slot}, the ${age + 1}th of its place` : run.names[slot] ?? `body ${slot}`;
}

export function fill(room: HTMLElement, run: Run, frame: Frame, body: number, close: () => void): void {
  room.replaceChildren();
  room.hidden = body < 0 || body >= frame.bodies;
  if (room.hidden) return;
  const button = Object.assign(document.createElement('button'), { className: 'close', textContent: '×' });
  button.setAttribute('aria-label', 'Close');
  button.onclick = close;
  const heading = Object.assign(document.createElement('h2'), { textContent: nameOf(run, frame, body) });
  const table = document.createElement('table');
  const line = (name: string, text: string) => {
    const row = table.insertRow();
    row.append(Object.assign(document.createElement('th'), { textContent: name, scope: 'row' }));
    row.insertCell().textContent = text;
  };
  const group = run.open ? frame.data('bodies/group')[body] : run.group[body];
  line('group', `${run.groups[group] ?? group}${!run.open && run.fixed[body] ? ', a support' : ''}`);
  const vector = (name: string, count: number, shift = [0, 0, 0]) => {
    const data = frame.data(`bodies/${name}`);
    const size = frame.columns.get(`bodies/${name}`)?.components ?? 1;
    return Array.from({ length: Math.min(count, size) }, (_, k) => label(data[size * body + k] + (shift[k] ?? 0))).join(', ');
  };
  line('position', `${vector('Points', run.dimension, run.origin)} m`);
  const turn = frame.data('bodies/orientation_wxyz');
  if (run.dimension === 2) line('angle', `${label((2 * Math.atan2(turn[4 * body + 3], turn[4 * body]) * 180) / Math.PI)}°`);
  for (const field of frame.fields()) {
    const count = field === 'spin' ? 3 : run.dimension;
    line(field.replaceAll('_', ' '), `${vector(field, count)} ${unitOf(field)}`);
  }
  room.append(button, heading, table, contacts(run, frame, body));
}

function contacts(run: Run, frame: Frame, body: number): HTMLElement {
  const [pairs, forces, normals, status, gaps] = ['bodies', 'force', 'normal', 'status', 'gap'].map((name) => frame.data(`contacts/${name}`));
  const found: { other: number; push: number; shear: number; status: string; gap: number }[] = [];
  for (let k = 0; k < pairs.length / 2; k++) {
    if (pairs[2 * k] !== body && pairs[2 * k + 1] !== body) continue;
    const other = pairs[2 * k] === body ? pairs[2 * k + 1] : pairs[2 * k];
    let [push, all] = [0, 0];
    for (let axis = 0; axis < 3; axis++) {
      push += forces[3 * k + axis] * normals[3 * k + axis];
      all += forces[3 * k + axis] ** 2;
    }
    found.push({ other, push, shear: Math.sqrt(Math.max(0, all - push * push)), status: ['open', 'stick', 'slip'][status[k]] ?? '?', gap: gaps[k] });
  }
  found.sort((a, b) => Math.abs(b.push) - Math.abs(a.push));
  const made = document.createElement('div');
  const words = found.length === 1 ? '1 contact' : `${found.length} contacts`;
  made.append(Object.assign(document.createElement('p'), { textContent: words, style: 'margin:.4rem 0 .1rem' }));
  if (found.length === 0) return made;
  const table = document.createElement('table');
  const head = table.insertRow();
  for (const title of ['with', 'N [N]', 'T [N]', 'state']) head.append(Object.assign(document.createElement('th'), { textContent: title, scope: 'col' }));
  for (const { other, push, shear, status } of found.slice(0, MOST)) {
    const row = table.insertRow();
    for (const text of [nameOf(run, frame, other), label(push), label(shear), status]) row.insertCell().textContent = text;
  }
  made.append(table);
  return made;
}
