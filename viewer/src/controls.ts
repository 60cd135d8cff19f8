// The form beside the bodies: every control changes one setting. Draws nothing.
import { MAPS } from './colours';
import type { Settings } from './settings';

export interface Actions {
  changed(name: keyof Settings): void;
  fit(): void;
  view(name: string): void;
  screenshot(): void;
  record(): void;
  plot(): void;
}

export class Controls {
  private inputs = new Map<string, HTMLInputElement | HTMLSelectElement>();
  private record!: HTMLButtonElement;
  private plot!: HTMLButtonElement;

  constructor(form: HTMLFormElement, private settings: Settings, private actions: Actions, dimension: number, joints: boolean) {
    form.onsubmit = (event) => event.preventDefault();
    const set = (title: string, ...parts: (HTMLElement | null)[]) => {
      const made = document.createElement('fieldset');
      made.append(Object.assign(document.createElement('legend'), { textContent: title }), ...parts.filter((part) => part !== null));
      form.append(made);
    };
    set('colour of the bodies',
      this.choose('colour', 'by', ['group']), this.choose('map', 'colours', Object.keys(MAPS)),
      this.number('low', 'from', 'auto'), this.number('high', 'to', 'auto'), this.number('reference', 'displaced since frame', ''));
    set('forces',
      this.check('chains', 'force chains (F)'), this.choose('chainColour', 'colour', ['status', 'strength', 'size']),
      this.range('quantile', 'thickest at quantile', 0.5, 1, 0.005), joints ? this.check('thrust', 'thrust line (T)') : null,
      joints ? this.check('pressure', 'pressure in joints (P)') : null, this.check('contacts', 'contact points (C)'));
    set('motion', this.check('velocities', 'velocities (V)'), this.check('trails', 'trails (R)'));
    if (dimension === 3) {
      set('space', this.choose('walls', 'walls', ['auto', 'solid', 'clear', 'hidden']), this.choose('section', 'section', ['', 'x', 'y', 'z']),
        this.range('sectionAt', 'at', 0, 1, 0.005), this.check('sectionFlip', 'other side'));
    }
    const views = dimension === 3 ? ['front', 'side', 'top'].map((name) => this.button(name, () => actions.view(name))) : [];
    set('view', row(this.button('fit (0)', actions.fit), ...views));
    this.record = this.button('film (WebM)', actions.record);
    this.plot = this.button('add a plot', actions.plot);
    set('take away', row(this.button('picture (PNG)', actions.screenshot), this.record), row(this.plot));
  }

  /** The colours to choose from. */
  fields(names: string[]): void {
    const into = this.inputs.get('colour') as HTMLSelectElement;
    const wanted = names.map((name) => name.replaceAll('_', ' '));
    if ([...into.options].map((option) => option.text).join() === wanted.join()) return;
    into.replaceChildren(...names.map((name, k) => new Option(wanted[k], name)));
    if (!names.includes(this.settings.colour)) this.settings.colour = 'group';
    into.value = this.settings.colour;
  }

  recording(on: boolean): void {
    this.record.setAttribute('aria-pressed', String(on));
    this.record.textContent = on ? 'stop the film' : 'film (WebM)';
  }

  plots(possible: boolean): void {
    this.plot.disabled = !possible;
  }

  /** Shows the settings as they are now. */
  update(): void {
    for (const [name, input] of this.inputs) {
      const value = (this.settings as any)[name];
      if (input instanceof HTMLInputElement && input.type === 'checkbox') input.checked = value;
      else input.value = String(value);
    }
  }

  private label(name: keyof Settings, text: string, input: HTMLInputElement | HTMLSelectElement, read: () => any): HTMLElement {
    input.id = `set-${name}`;
    input.setAttribute('name', name);
    this.inputs.set(name, input);
    input.oninput = () => {
      (this.settings as any)[name] = read();
      this.actions.changed(name);
    };
    const label = document.createElement('label');
    const words = Object.assign(document.createElement('span'), { textContent: text });
    if (input instanceof HTMLInputElement && input.type === 'checkbox') label.append(input, words);
    else label.append(words, input);
    return label;
  }

  private choose(name: keyof Settings, text: string, words: string[]): HTMLElement {
    const made = document.createElement('select');
    made.append(...words.map((word) => new Option(word || 'none', word)));
    return this.label(name, text, made, () => made.value);
  }

  private check(name: keyof Settings, text: string): HTMLElement {
    const made = Object.assign(document.createElement('input'), { type: 'checkbox' });
    return this.label(name, text, made, () => made.checked);
  }

  private number(name: keyof Settings, text: string, placeholder: string): HTMLElement {
    const made = Object.assign(document.createElement('input'), { type: 'number', step: 'any', placeholder });
    const isText = typeof this.settings[name] === 'string';
    return this.label(name, text, made, () => (isText ? made.value : Math.max(0, Math.round(Number(made.value)))));
  }

  private range(name: keyof Settings, text: string, min: number, max: number, step: number): HTMLElement {
    const made = Object.assign(document.createElement('input'), { type: 'range', min: String(min), max: String(max), step: String(step) });
    return this.label(name, text, made, () => Number(made.value));
  }

  private button(text: string, act: () => void): HTMLButtonElement {
    const made = Object.assign(document.createElement('button'), { type: 'button', textContent: text });
    made.onclick = act;
    return made;
  }
}

function row(...parts: HTMLElement[]): HTMLElement {
  const made = document.createElement('div');
  made.style.cssText = 'display:flex;gap:.3rem;flex-wrap:wrap;margin:.2rem 0';
  made.append(...parts);
  return made;
}
