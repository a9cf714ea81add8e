/** Formats an instant in the same way for all sentences and messages. Pure. */

/**
 * Returns a text like `2026-01-05 12:00:00 UTC`. The text names the time zone, because the members of a team may be in
 * different time zones.
 */
export function instantWords(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
