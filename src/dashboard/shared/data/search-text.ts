/** Converts the search part of a page's URL to values and back. Pure. */

export type Search = Readonly<Record<string, string>>;

/** Keeps only texts that are not empty. */
export function readSearch(given: Readonly<Record<string, unknown>>): Search {
  const texts = Object.entries(given).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== '',
  );
  return Object.fromEntries(texts);
}

export function writeSearch(given: Readonly<Record<string, unknown>>): string {
  const text = new URLSearchParams(readSearch(given)).toString();
  return text === '' ? '' : `?${text}`;
}
