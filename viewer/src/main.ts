// Opens the run and starts the page; says why where nothing can be shown.
import { open } from './data';
import { find } from './dom';
import { Page } from './page';

async function main(): Promise<void> {
  try {
    const source = await open();
    const [run, times] = await Promise.all([source.run(), source.times()]);
    // where bodies come and go, a row of a frame is no body of the scene
    if (run.open) run.fixed = run.held = [];
    const page = new Page(source, run, times);
    (window as any).drystone = page;
    await page.start();
  } catch (error) {
    const room = find('message');
    room.textContent = `Nothing can be shown: ${(error as Error).message}`;
    room.hidden = false;
    throw error;
  }
}

void main();
