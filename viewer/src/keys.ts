// Keys of the page: each does what a control does. Text fields keep their keys.

/** Calls what a key stands for, by `KeyboardEvent.key`; letters in lower case. */
export function listenToKeys(acts: Record<string, () => void>): void {
  addEventListener('keydown', (event) => {
    const target = event.target as HTMLElement;
    const typing = target.matches('input:not([type=checkbox]), select, textarea');
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === ' ' && target.matches('button')) return;
    const act = acts[event.key] ?? acts[event.key.toLowerCase()];
    if (!act) return;
    event.preventDefault();
    act();
  });
}
