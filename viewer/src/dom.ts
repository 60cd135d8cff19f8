// The parts of the page by their ids.

export const find = <T extends HTMLElement>(id: string) => document.getElementById(id) as T;
