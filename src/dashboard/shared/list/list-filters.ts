/** The filters of a list, read from the page's URL. Pure. */
import type { Status } from '../data/api-types';
import type { Search } from '../data/search';

/** The kind of list, as in its path under /v1. */
export type ListKind = 'monitors' | 'scenarios';

const LIST_FILTERS = ['q', 'type', 'group', 'tag', 'region', 'status'] as const;

/** Returns the named filters that are set. */
export function pickFilters(
  search: Search,
  names: readonly string[] = LIST_FILTERS,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = search[name]?.trim();
      return value === undefined || value === '' ? [] : [[name, value]];
    }),
  );
}

/**
 * Returns the search without values that the named filters do not offer. So a link with such a value shows the whole
 * list instead of an error.
 */
export function dropUnknown(
  search: Search,
  offered: Readonly<Record<string, readonly string[]>>,
): Search {
  const isKnown = ([name, value]: [string, string]) => offered[name]?.includes(value) ?? true;
  return Object.fromEntries(Object.entries(search).filter(isKnown));
}

export function hasFilters(search: Search, names: readonly string[] = LIST_FILTERS): boolean {
  return Object.keys(pickFilters(search, names)).length > 0;
}

/** Returns a change of the URL that removes these filters and the current page of the list. */
export function withoutFilters(
  names: readonly string[] = LIST_FILTERS,
): Readonly<Record<string, undefined>> {
  return Object.fromEntries([...names, 'cursor', 'page'].map((name) => [name, undefined]));
}

/** True if the URL names the status. The URL may name several statuses, separated by commas. */
export function isStatusChosen(search: Search, status: Status): boolean {
  return (search['status'] ?? '').split(',').includes(status);
}

/** Returns the status filter after a click on the count of a status. A second click removes the filter. */
export function toggleStatus(search: Search, status: Status): Status | undefined {
  return isStatusChosen(search, status) ? undefined : status;
}
