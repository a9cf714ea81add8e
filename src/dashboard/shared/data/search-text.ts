/** The values of a page's address and its text. Pure. */

export type Search = Readonly<Record<string, string>>;

/** Only text, and only what is not empty. */
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
