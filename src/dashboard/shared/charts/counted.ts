/** The names of the counted things, in the words of the glossary. Pure. */

/** A scenario has runs; the pings of a heartbeat become results. */
export type Counted = 'check' | 'run' | 'result';

export function countWords(count: number, counted: Counted): string {
  return `${countText(count)} ${counted}${count === 1 ? '' : 's'}`;
}

const COUNT = new Intl.NumberFormat('en');

/** `259,118` */
export function countText(count: number): string {
  return COUNT.format(count);
}

/** `Checks`, as the head of a column. */
export function countedHead(counted: Counted): string {
  return `${counted.charAt(0).toUpperCase()}${counted.slice(1)}s`;
}
