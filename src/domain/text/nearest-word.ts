/** Finds the known word that a misspelled word was meant to be. Pure. */

/** Maximum length of a word. Longer words are not treated as typos. */
const WORD_MAX = 64;
/**
 * From this length on, a word counts as close to every word that begins with it. For example, `interval` is close to
 * `intervalSeconds`.
 */
const STEM_MIN = 4;

/** Returns the closest word. If several are equally close, returns the first. null means that none is close. */
export function findNearestWord(word: string, known: Iterable<string>): string | null {
  const typed = word.toLowerCase();
  if (typed === '' || typed.length > WORD_MAX) return null;
  let nearest: string | null = null;
  let least = Math.max(1, Math.floor(typed.length / 3)) + 1;
  for (const candidate of known) {
    const distance = measureDistance(typed, candidate.toLowerCase(), least);
    if (distance >= least) continue;
    [nearest, least] = [candidate, distance];
  }
  return nearest;
}

/**
 * Returns the distance between the words. If the lengths alone show that the distance is at least `max`, returns
 * infinity.
 */
function measureDistance(typed: string, known: string, max: number): number {
  if (known.length > WORD_MAX) return Number.POSITIVE_INFINITY;
  const [short, long] = typed.length < known.length ? [typed, known] : [known, typed];
  const added = long.length - short.length;
  if (short.length >= STEM_MIN && long.startsWith(short)) return Math.min(1, added);
  return added >= max ? Number.POSITIVE_INFINITY : countEdits(typed, known);
}

/** Counts the letters to insert, delete or replace (Levenshtein). */
function countEdits(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let index = 0; index < from.length; index += 1) {
    const next = [index + 1];
    for (let at = 0; at < to.length; at += 1) {
      const exchanged = (row[at] ?? 0) + Number(from.charAt(index) !== to.charAt(at));
      next.push(Math.min(exchanged, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
