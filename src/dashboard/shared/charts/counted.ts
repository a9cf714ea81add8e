/** Names of what is counted (checks, runs or results). Pure. */

/** Scenarios count runs, heartbeats count results (of pings), and other monitors count checks. */
export type Counted = 'check' | 'run' | 'result';

export function countWords(count: number, counted: Counted): string {
  return `${countText(count)} ${counted}${count === 1 ? '' : 's'}`;
}

const COUNT = new Intl.NumberFormat('en');

/** Formats a number like `259,118`. */
export function countText(count: number): string {
  return COUNT.format(count);
}

/** Returns the header of a column, like `Checks`. */
export function countedHead(counted: Counted): string {
  return `${counted.charAt(0).toUpperCase()}${counted.slice(1)}s`;
}
