/** Finds the known word or text that a misspelled word was meant to be. Pure. */

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
 * Returns the items that have the closest text. If no whole text is close, returns the items that have the closest
 * single word. `stokc` finds an item with the name `Stock count`.
 */
export function findNearestItems<Item>(
  typed: string,
  items: readonly Item[],
  listTexts: (item: Item) => readonly string[],
): readonly Item[] {
  const listWhole = (item: Item) => listTexts(item).map((text) => text.toLowerCase());
  const listWords = (item: Item) =>
    listWhole(item).flatMap((text) => text.split(/[^\p{L}\p{N}]+/u));
  for (const list of [listWhole, listWords]) {
    const nearest = findNearestWord(typed, items.flatMap(list));
    if (nearest !== null) return items.filter((item) => list(item).includes(nearest));
  }
  return [];
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

/** Counts the letters to insert, delete, replace, or swap with the next letter (optimal string alignment). */
function countEdits(from: string, to: string): number {
  let before: readonly number[] = [];
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let index = 0; index < from.length; index += 1) {
    const next = [index + 1];
    for (let at = 0; at < to.length; at += 1) {
      const exchanged = (row[at] ?? 0) + Number(from.charAt(index) !== to.charAt(at));
      const isSwap =
        from.charAt(index) === to.charAt(at - 1) && from.charAt(index - 1) === to.charAt(at);
      const swapped = isSwap ? (before[at - 1] ?? exchanged) + 1 : exchanged;
      next.push(Math.min(exchanged, swapped, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
    }
    [before, row] = [row, next];
  }
  return row.at(-1) ?? 0;
}
