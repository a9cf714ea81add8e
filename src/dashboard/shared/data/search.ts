/** What a page keeps in its address: plain text values, nothing for what is at its default. */
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { readSearch, type Search } from './search-text';

export { readSearch, type Search, writeSearch } from './search-text';

type Patch = Readonly<Record<string, string | undefined>>;

/**
 * The values of this page's address, the same object until they change, and a way to change some of
 * them; undefined takes one out. Changes replace the entry in the history, so that Back leaves the page,
 * and do not scroll.
 */
export function useSearchState(): readonly [Search, (patch: Patch) => void] {
  const search: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  const change = (patch: Patch): void => {
    // A function, so that two changes at once do not undo each other.
    const next = (before: Readonly<Record<string, unknown>>) => ({ ...before, ...patch });
    void navigate({ to: '.', search: next as never, replace: true, resetScroll: false });
  };
  return [useMemo(() => readSearch(search), [search]), change];
}
