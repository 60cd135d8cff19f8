// The row of buttons and the slider that go through time. Which frame is shown is the page's.
import { find } from './dom';
import type { Frame } from './frame';
import { label } from './numbers';
import type { Settings } from './settings';

const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 5, 10];

export interface TimeActions {
  first(): void;
  last(): void;
  by(frames: number): void;
  go(index: number): void;
  play(): void;
  /** Speed or loop have changed. */
  keep(): void;
}

export class Timeline {
  private scrub = find<HTMLInputElement>('scrub');

  constructor(settings: Settings, actions: TimeActions) {
    const click = (id: string, act: () => void) => { find<HTMLButtonElement>(id).onclick = act; };
    click('first', actions.first);
    click('end', actions.last);
    click('back', () => actions.by(-1));
    click('next', () => actions.by(1));
    click('play', actions.play);
    this.scrub.oninput = () => actions.go(Number(this.scrub.value));
    const speed = find<HTMLSelectElement>('speed');
    speed.append(...SPEEDS.map((factor) => new Option(`${factor}×`, String(factor))));
    speed.value = String(settings.speed);
    speed.onchange = () => { settings.speed = Number(speed.value); actions.keep(); };
    const loop = find<HTMLInputElement>('loop');
    loop.checked = settings.loop;
    loop.onchange = () => { settings.loop = loop.checked; actions.keep(); };
  }

  /** Whether the newest frame of a run in progress is shown as it comes. */
  get follows(): boolean {
    return find<HTMLInputElement>('follow').checked;
  }

  span(count: number): void {
    this.scrub.max = String(Math.max(0, count - 1));
  }

  playing(on: boolean): void {
    const button = find('play');
    button.textContent = on ? 'Wait' : 'Play';
    button.setAttribute('aria-label', on ? 'Wait' : 'Play');
  }

  tell(frame: Frame, index: number, count: number): void {
    this.scrub.value = String(index);
    this.scrub.setAttribute('aria-valuetext', `frame ${index} of ${count - 1}, ${label(frame.time)} seconds`);
    find('time').textContent = `t = ${label(frame.time)} s · frame ${index} of ${count - 1}`;
    document.body.dataset.frame = String(index);
  }
}
