/** The filters of the list of monitors: out of the page's address, and into the query. Pure. */
import type { Status } from '../../shared/api-types';
import type { Search } from '../../shared/search';
import { withQuery } from '../../shared/with-query';

const PAGE_SIZE = 50;
export const FILTER_NAMES = ['q', 'group', 'tag', 'region', 'health', 'state'] as const;

type Filters = Readonly<Partial<Record<(typeof FILTER_NAMES)[number], string>>>;

export function filtersOf(search: Search): Filters {
  return Object.fromEntries(
    FILTER_NAMES.flatMap((name) => {
      const value = search[name]?.trim();
      return value === undefined || value === '' ? [] : [[name, value]];
    }),
  );
}

export function hasFilters(search: Search): boolean {
  return Object.keys(filtersOf(search)).length > 0;
}

export function listPath(search: Search): string {
  return withQuery('/v1/monitors', {
    ...filtersOf(search),
    limit: PAGE_SIZE,
    include: 'recent',
    cursor: search['cursor'],
  });
}

interface StatusFilter {
  readonly health: string | undefined;
  readonly state: string | undefined;
}

const NO_STATUS: StatusFilter = { health: undefined, state: undefined };

/** What the count of a status narrows the list to; null for one that the list can not be asked for. */
export function filterOfStatus(status: Status): StatusFilter | null {
  if (status === 'maintenance') return null;
  if (status === 'paused') return { health: undefined, state: 'paused' };
  return { health: status, state: 'active' };
}

/** A second press of the same count shows everything again. */
export function toggleStatus(search: Search, status: Status): StatusFilter {
  if (isStatusChosen(search, status)) return NO_STATUS;
  return filterOfStatus(status) ?? NO_STATUS;
}

export function isStatusChosen(search: Search, status: Status): boolean {
  const filter = filterOfStatus(status);
  if (filter === null) return false;
  return search['health'] === filter.health && search['state'] === filter.state;
}
