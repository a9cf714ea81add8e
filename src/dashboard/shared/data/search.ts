/** Keeps the state of a page in its URL, as text values without defaults. */
import { useMatch, useRouter, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { readSearch, type Search } from './search-text';

export { readSearch, type Search, writeSearch } from './search-text';

type Patch = Readonly<Record<string, string | undefined>>;
type Change = (patch: Patch | ((current: Search) => Patch)) => void;

/**
 * Returns the values in this page's URL, and a function that changes some of these values (undefined removes a value).
 * A change replaces the entry in the history. Rendered values may be old, so pass a function if a patch depends on
 * current values. Changes that are made while another page is being opened are dropped.
 */
export function useSearchState(): readonly [Search, Change] {
  const search: Record<string, unknown> = useSearch({ strict: false });
  const pathname = useMatch({ strict: false, select: (match) => match.pathname });
  const router = useRouter();
  const change: Change = (patch) => {
    if (withoutEnd(router.latestLocation.pathname) !== withoutEnd(pathname)) return;
    const next = (before: Readonly<Record<string, unknown>>) => ({
      ...before,
      ...(typeof patch === 'function' ? patch(readSearch(before)) : patch),
    });
    void router.navigate({ to: '.', search: next as never, replace: true, resetScroll: false });
  };
  return [useMemo(() => readSearch(search), [search]), change];
}

function withoutEnd(pathname: string): string {
  return pathname.replace(/\/$/, '');
}
