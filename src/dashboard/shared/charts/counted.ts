/** The names of counted things (checks, runs, results) in the words of the glossary. Pure. */

/** Scenarios count runs, heartbeats count results (of pings), and other monitors count checks. */
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
