// The box of the bodies, which the view shows whole. Draws nothing.
import { Vector3 } from 'three';
import type { Box } from './camera';
import type { Frame, Run } from './frame';
import { add, turned } from './shapes';

/** Supports that make the box larger than this many times what moves are cut. */
const DWARFING = 2.5;

/** The box of what moves in any of the frames, with supports that do not dwarf it. */
export function boundsOf(run: Run, frames: Frame[]): Box {
  const grown = (fixed: boolean) => {
    const boxes = frames.map((frame) => around(run, frame, (body) => fixed || !run.fixed[body]));
    boxes.forEach((box) => { boxes[0].low.min(box.low); boxes[0].high.max(box.high); });
    return boxes[0];
  };
  const [moving, all] = [grown(false), grown(true)];
  const size = (box: Box) => box.high.distanceTo(box.low);
  const good = (box: Box) => Number.isFinite(size(box)) && size(box) > 0;
  if (good(moving)) return good(all) && size(all) <= DWARFING * size(moving) ? all : moving;
  return good(all) ? all : { low: new Vector3(-1, -1, -1), high: new Vector3(1, 1, 1) };
}

/** The box around the shapes of some bodies in a frame. */
function around(run: Run, frame: Frame, wanted: (body: number) => boolean): Box {
  const box = { low: new Vector3(Infinity, Infinity, Infinity), high: new Vector3(-Infinity, -Infinity, -Infinity) };
  const [places, turns] = [frame.data('bodies/Points'), frame.data('bodies/orientation_wxyz')];
  const pose = (body: number) => ({ at: [0, 1, 2].map((k) => places[3 * body + k]), turn: [0, 1, 2, 3].map((k) => turns[4 * body + k]) });
  const take = (place: ArrayLike<number>, radius: number) => {
    const point = new Vector3(place[0], place[1], place[2]);
    const grown = new Vector3(radius, radius, run.dimension === 2 ? 0 : radius);
    box.low.min(point.clone().sub(grown));
    box.high.max(point.add(grown));
  };
  run.balls.body.forEach((body, k) => {
    if (!wanted(body)) return;
    const { at, turn } = pose(body);
    take(add(turned(turn, run.balls.local.length ? run.balls.local.slice(3 * k, 3 * k + 3) : [0, 0, 0]), at), run.balls.radius[k]);
  });
  const soft = new Map(frame.data('skins/Points').length > 0 ? run.skins : []);
  for (const [number, [body, form, local, localTurn]] of run.items.entries()) {
    if (!wanted(body)) continue;
    const { vertices } = run.forms[form];
    const first = soft.get(number);
    if (first !== undefined) {
      const points = frame.data('skins/Points');
      for (let k = 3 * first; k < 3 * first + vertices.length; k += 3) take(points.subarray(k, k + 3), 0);
      continue;
    }
    const { at, turn } = pose(body);
    for (let k = 0; k < vertices.length; k += 3) take(add(turned(turn, add(turned(localTurn, vertices.slice(k, k + 3)), local)), at), 0);
  }
  const points = frame.data('surfaces/points');
  for (let k = 0; run.open && k < points.length; k += 3) take(points.subarray(k, k + 3), 0);
  return box;
}
