/** An instant as sentences and messages write it, wherever they are read. Pure. */

/** `2026-01-05 12:00:00 UTC`: with the zone named, since people of one team may live in several. */
export function instantWords(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
