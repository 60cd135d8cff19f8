// A run in progress: asks the server how it stands, shows that in the head of the page, and passes requests to wait or to
// end on. Draws nothing.
import type { Source, Status } from './data';
import { find } from './dom';
import { label } from './numbers';

/** Milliseconds between two questions while the run goes on, and after its end. */
const OFTEN = 1000;
const SELDOM = 5000;
/** Questions without an answer after which none is asked any more. */
const PATIENCE = 30;

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

export class Live {
  private version: number | undefined;

  constructor(private source: Source, private changed: (status: Status) => Promise<void>, private say: (text: string) => void) {
    find('pause').onclick = () => this.ask(find('pause').dataset.what as 'pause' | 'continue');
    find('stop').onclick = () => this.ask('stop');
  }

  /** Asks again and again. */
  async follow(): Promise<void> {
    if (this.source.exported) return;
    for (let failures = 0; failures < PATIENCE;) {
      let running = true;
      try {
        const status = await this.source.status();
        // another run has taken the place of this one
        if (this.version !== undefined && status.version !== this.version) return location.reload();
        this.version = status.version;
        failures = 0;
        running = status.running;
        await this.tell(status);
      } catch (error) {
        failures += 1;
        this.say((error as Error).message === 'Failed to fetch' ? 'The server does not answer.' : (error as Error).message);
      }
      await pause(running ? OFTEN : SELDOM);
    }
  }

  private async tell(status: Status): Promise<void> {
    const button = find('pause');
    button.hidden = find('stop').hidden = find('follow-label').hidden = !status.running;
    button.textContent = status.paused ? 'Continue run' : 'Pause run';
    button.dataset.what = status.paused ? 'continue' : 'pause';
    const { last } = status;
    const figures = last ? `step ${last.step}, ${last.contacts} contacts, ${last.iterations} iterations, residual ${label(last.residual ?? NaN)}` : '';
    const doing = status.paused ? 'paused' : status.stopping ? 'stopping' : 'running';
    find('live').textContent = status.running ? `${doing}: ${figures}` : status.outcome ? String(status.outcome) : '';
    document.body.dataset.running = String(status.running);
    await this.changed(status);
  }

  private ask(what: 'pause' | 'continue' | 'stop'): void {
    this.source.ask(what).then(() => this.source.status()).then((status) => this.tell(status)).catch((error) => this.say(error.message));
  }
}
