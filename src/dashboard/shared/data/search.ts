/** What a page keeps in its address: plain text values, nothing for what is at its default. */
import { useNavigate, useSearch } from '@tanstack/react-router';

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

type Patch = Readonly<Record<string, string | undefined>>;

/**
 * The values of this page's address, and a way to change some of them; undefined takes one out.
 * Changes replace the entry in the history, so that Back leaves the page.
 */
export function useSearchState(): readonly [Search, (patch: Patch) => void] {
  const search: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  const change = (patch: Patch): void => {
    // A function, so that two changes at once do not undo each other.
    const next = (before: Readonly<Record<string, unknown>>) => ({ ...before, ...patch });
    void navigate({ to: '.', search: next as never, replace: true });
  };
  return [readSearch(search), change];
}
