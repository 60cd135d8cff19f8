// Starts a command that serves the page.

import { spawn } from 'node:child_process';

/** Starts it and waits for the address that it tells; a command that tells none is stopped. */
export function servedBy(command, words) {
  const child = spawn(command, words, { stdio: ['ignore', 'pipe', 'pipe'] });
  const told = new Promise((resolve, reject) => {
    let said = '';
    const hear = (data) => {
      said += data;
      const found = said.match(/http:\/\/[\d.:]+/);
      if (found) resolve({ address: found[0], child });
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.on('exit', (code) => reject(new Error(`ended with ${code}: ${said}`)));
    setTimeout(() => reject(new Error(`no address in: ${said}`)), 30_000).unref();
  });
  told.catch(() => child.kill());
  return told;
}
