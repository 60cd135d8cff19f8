// Play: which frame is due by the clock. Fetches and draws nothing.

/** Seconds that a run of many frames takes at speed 1. */
const LONGEST = 10;

export class Player {
  playing = false;
  private clock = 0;
  /** Time of the run that is due, s. */
  private due = 0;

  /** Begins at a time of the run. */
  start(time: number): void {
    this.playing = true;
    this.clock = performance.now();
    this.due = time;
  }

  stop(): void {
    this.playing = false;
  }

  /** The frame that is due, from the one shown; at the end it stops, or begins anew. */
  next(index: number, times: number[], speed: number, loop: boolean): number {
    const now = performance.now();
    const last = times.length - 1;
    const pace = (Math.min(LONGEST, Math.max(2, times.length / 25)) || 1) / speed;
    this.due += ((now - this.clock) / 1000 / pace) * (times[last] - times[0]);
    this.clock = now;
    while (index < last && times[index + 1] <= this.due) index += 1;
    if (this.due <= times[last]) return index;
    if (!loop) {
      this.stop();
      return last;
    }
    this.due = times[0];
    return 0;
  }
}
