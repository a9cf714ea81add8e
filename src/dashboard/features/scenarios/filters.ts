/** The filters of the runs of a scenario: out of the page's address, into the query. Pure. */
import { pickFilters } from '../../shared/list/list-filters';
import type { Search } from '../../shared/search';
import { withQuery } from '../../shared/with-query';

const RUNS_SHOWN = 30;

export const RUN_FILTERS = ['status', 'trigger', 'region'] as const;

export function runsPath(scenarioId: string, search: Search): string {
  return withQuery(`/v1/scenarios/${scenarioId}/results`, {
    ...pickFilters(search, RUN_FILTERS),
    limit: RUNS_SHOWN,
    cursor: search['cursor'],
  });
}
