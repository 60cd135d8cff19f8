// Mouse, pen and fingers on the stage: they turn, move and zoom the view, and choose a body. What that changes on the page
// is told to others.
import type { Stage } from './stage';

export interface Looking {
  /** The view has changed. */
  looked(): void;
  /** A body was clicked; −1 where there is none. */
  choose(body: number): void;
}

/** A pointer that has moved less far than this, in pixels, has clicked. */
const STILL = 4;

export function listenToPointers(room: HTMLElement, stage: Stage, { looked, choose }: Looking): void {
  const held = new Map<number, [number, number]>();
  let moved = 0;
  const { eye } = stage;
  const onPanel = (event: Event) => (event.target as HTMLElement).closest('#body') !== null;
  room.addEventListener('pointerdown', (event) => {
    if (onPanel(event)) return;
    held.set(event.pointerId, [event.clientX, event.clientY]);
    room.setPointerCapture(event.pointerId);
    moved = held.size > 1 ? Infinity : 0;
  });
  room.addEventListener('pointermove', (event) => {
    const before = held.get(event.pointerId);
    if (!before) return;
    const [dx, dy] = [event.clientX - before[0], event.clientY - before[1]];
    moved += Math.abs(dx) + Math.abs(dy);
    if (held.size === 2) {
      const other = [...held].find(([id]) => id !== event.pointerId)![1];
      const span = (at: number[]) => Math.hypot(at[0] - other[0], at[1] - other[1]);
      eye.zoom(span(before) / Math.max(1, span([event.clientX, event.clientY])));
      eye.move(dx / 2, dy / 2);
    } else if (stage.flat || event.buttons === 2 || event.shiftKey) eye.move(dx, dy);
    else eye.turn(dx, dy);
    held.set(event.pointerId, [event.clientX, event.clientY]);
    looked();
  });
  const up = (event: PointerEvent) => {
    if (!held.delete(event.pointerId) || moved > STILL || event.type === 'pointercancel') return;
    const rect = room.getBoundingClientRect();
    choose(stage.pick(event.clientX - rect.left, event.clientY - rect.top));
  };
  room.addEventListener('pointerup', up);
  room.addEventListener('pointercancel', up);
  room.addEventListener('contextmenu', (event) => event.preventDefault());
  room.addEventListener('wheel', (event) => {
    if (onPanel(event)) return;
    event.preventDefault();
    const rect = room.getBoundingClientRect();
    eye.zoom(Math.exp(0.0012 * event.deltaY), event.clientX - rect.left, event.clientY - rect.top);
    looked();
  }, { passive: false });
}
