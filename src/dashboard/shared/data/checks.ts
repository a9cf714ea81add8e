/** All monitors and scenarios of the account as rows, with their figures, read in a few requests. */
import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { type ApiProblem, get } from './api';
import type { ListedCheck, Page } from './api-types';
import { ALL_CHECKS } from './live-change';
import { useShownError } from './queries';
import { withQuery } from './with-query';

/** How long to wait before figures are requested again, if the service had no time to compute all of them. */
const FIGURES_LEFT_MS = 1_000;
/** How long figures count as new. The service caches them for the same time. */
const FIGURES_STALE_MS = 120_000;

interface Checks {
  readonly checks: readonly ListedCheck[] | undefined;
  readonly error: ApiProblem | null;
}

const ROWS = queryOptions<readonly ListedCheck[], ApiProblem>({
  queryKey: [ALL_CHECKS],
  queryFn: ({ signal }) => readAll(ALL_CHECKS, signal),
});

/** Returns the rows. Rows that were already read stay while the service cannot be reached. */
export function useChecks(): Checks {
  const { data, error } = useQuery(ROWS);
  return { checks: data, error: useShownError(ALL_CHECKS, { data, error }) };
}

/** Reads the rows before a page shows them. */
export function readChecksAhead(client: QueryClient): void {
  void client.prefetchQuery(ROWS);
}

type Figures = NonNullable<ListedCheck['figures']>;

interface FoundFigures {
  readonly byId: ReadonlyMap<string, Figures>;
  /** False if the service had no time to compute all of the figures. */
  readonly areAll: boolean;
}

/**
 * Returns the figures by check id. undefined if they are not read yet. No event reports that the figures are outdated,
 * so they are polled.
 */
export function useFigures(): ReadonlyMap<string, Figures> | undefined {
  const { data } = useQuery<FoundFigures, ApiProblem>({
    queryKey: ['figures of checks'],
    queryFn: async ({ signal }) => {
      const rows = await readAll(`${ALL_CHECKS}&include=figures`, signal);
      const byId = mapFigures(rows);
      return { byId, areAll: byId.size === rows.length };
    },
    staleTime: FIGURES_STALE_MS,
    refetchInterval: ({ state }) =>
      state.data?.areAll === false ? FIGURES_LEFT_MS : FIGURES_STALE_MS,
  });
  return data?.byId;
}

async function readAll(path: string, signal: AbortSignal): Promise<readonly ListedCheck[]> {
  const rows: ListedCheck[] = [];
  for (let cursor: string | null = null; ; ) {
    const next = cursor === null ? path : `${path}&${withQuery('', { cursor }).slice(1)}`;
    const page: Page<ListedCheck> = await get<Page<ListedCheck>>(next, signal);
    rows.push(...page.data);
    if (page.nextCursor === null) return rows;
    cursor = page.nextCursor;
  }
}

function mapFigures(rows: readonly ListedCheck[]): ReadonlyMap<string, Figures> {
  return new Map(
    rows.flatMap(({ id, figures }) => (figures === undefined ? [] : [[id, figures] as const])),
  );
}
