/** Converts the run filters in the page's URL to the API query. Pure. */

import type { Search } from '../../../shared/data/search';
import { withQuery } from '../../../shared/data/with-query';
import { pickFilters } from '../../../shared/list/list-filters';

const RUNS_SHOWN = 30;

export const RUN_FILTERS = ['status', 'trigger', 'region'] as const;

export function runsPath(scenarioId: string, search: Search): string {
  return withQuery(`/v1/scenarios/${scenarioId}/results`, {
    ...pickFilters(search, RUN_FILTERS),
    limit: RUNS_SHOWN,
    cursor: search['cursor'],
  });
}
