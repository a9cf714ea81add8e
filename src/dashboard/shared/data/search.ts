/** The state that a page keeps in its URL: plain text values; values at their default are left out. */
import { useMatch, useRouter, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { readSearch, type Search } from './search-text';

export { readSearch, type Search, writeSearch } from './search-text';

type Patch = Readonly<Record<string, string | undefined>>;
type Change = (patch: Patch | ((current: Search) => Patch)) => void;

/**
 * Returns the values in this page's URL, as the same object until they change, and a function that changes some of
 * them; undefined removes a value. A change replaces the entry in the history, so that Back leaves the page, and does
 * not scroll. If a patch depends on the current values, pass a function of them, because the rendered values may be
 * older than the last click. A late change, made when another page is already being opened, is dropped.
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
