/** Names of what is counted (checks, runs or results). Pure. */
import type { Uptime } from '../data/api-types';

/** Scenarios count runs, heartbeats count results (of pings), and other monitors count checks. */
export type Counted = 'check' | 'run' | 'result';

/** Formats a number of things, like `1 check` or `2 checks`. */
export function countWords(count: number, noun: string): string {
  return `${countText(count)} ${noun}${count === 1 ? '' : 's'}`;
}

const COUNT = new Intl.NumberFormat('en');

/** Formats a number like `259,118`. */
export function countText(count: number): string {
  return COUNT.format(count);
}

/** Describes the checks of a window, like `17,280 checks, 36 failed`. */
export function checksText({ total, failed, missed }: Uptime['checks'], counted: Counted): string {
  const parts = [countWords(total, counted)];
  if (failed > 0) parts.push(`${countText(failed)} failed`);
  if (missed > 0) parts.push(`${countText(missed)} not run`);
  return parts.join(', ');
}

/** Returns the header of a column, like `Checks`. */
export function countedHead(counted: Counted): string {
  return `${counted.charAt(0).toUpperCase()}${counted.slice(1)}s`;
}
