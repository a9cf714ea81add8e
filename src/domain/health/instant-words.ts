/** An instant as text, the same in all sentences and messages. Pure. */

/** For example `2026-01-05 12:00:00 UTC`. Names the time zone, because a team may live in several. */
export function instantWords(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
