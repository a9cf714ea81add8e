/** The filters of the lists of scenarios and runs: out of the page's address, into the query. Pure. */
import { withQuery } from '../../shared/api';
import type { Search } from '../../shared/search';

const PAGE_SIZE = 50;
const RUNS_SHOWN = 30;

export const LIST_FILTERS = ['q', 'group', 'tag', 'region', 'health', 'state'] as const;
export const RUN_FILTERS = ['status', 'trigger', 'region'] as const;

function pick(search: Search, names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = search[name]?.trim();
      return value === undefined || value === '' ? [] : [[name, value]];
    }),
  );
}

export function hasAny(search: Search, names: readonly string[]): boolean {
  return Object.keys(pick(search, names)).length > 0;
}

export function listPath(search: Search): string {
  return withQuery('/v1/scenarios', {
    ...pick(search, LIST_FILTERS),
    limit: PAGE_SIZE,
    include: 'recent',
    cursor: search['cursor'],
  });
}

export function runsPath(scenarioId: string, search: Search): string {
  return withQuery(`/v1/scenarios/${scenarioId}/results`, {
    ...pick(search, RUN_FILTERS),
    limit: RUNS_SHOWN,
    cursor: search['cursor'],
  });
}

/** All of these names taken out of the address. */
export function without(names: readonly string[]): Readonly<Record<string, undefined>> {
  return Object.fromEntries([...names, 'cursor'].map((name) => [name, undefined]));
}
