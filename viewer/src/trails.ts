// Trails: where bodies were in the frames before. Draws nothing.
import type { Frames } from './data';
import type { Frame, Run } from './frame';
import type { Settings } from './settings';

/** Frames of a trail. */
const LENGTH = 24;
/** More bodies than this have no trails but for the one chosen. */
const MANY = 1500;

/** The places of each body that leaves one, oldest first. */
export async function trailsOf(run: Run, frames: Frames, frame: Frame, index: number, settings: Settings, size: number): Promise<number[][][]> {
  const { body, trails } = settings;
  if (!trails || run.open) return [];
  const moving = () => [...Array(frame.bodies).keys()].filter((body) => !run.fixed[body]);
  const who = body >= 0 ? [body] : frame.bodies <= MANY ? moving() : [];
  const from = Math.max(0, index - LENGTH);
  const before = await Promise.all(Array.from({ length: index - from + 1 }, (_, k) => frames.get(from + k, 'motion')));
  const at = (frame: Frame, body: number) => [0, 1, 2].map((axis) => frame.data('bodies/Points')[3 * body + axis]);
  const lines = who.map((body) => before.map((frame) => at(frame, body)));
  if (!run.cell) return lines;
  // through the seam of a periodic cell nothing flies across the picture
  const near = (place: number[], other: number[]) => Math.hypot(...place.map((x, axis) => x - other[axis])) < 4 * size;
  return lines.map((line) => line.filter((place, k) => k === 0 || near(place, line[k - 1])));
}
