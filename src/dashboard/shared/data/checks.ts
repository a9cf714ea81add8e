/** All monitors and scenarios of the account as rows, and their figures: a few requests, however many. */
import { useQuery } from '@tanstack/react-query';
import { type ApiProblem, get } from './api';
import type { ListedCheck, Page } from './api-types';
import { ALL_CHECKS } from './check-rows';
import { isPassing } from './queries';
import { withQuery } from './with-query';

/** The service keeps figures as long. */
const FIGURES_STALE_MS = 120_000;

interface Checks {
  readonly checks: readonly ListedCheck[] | undefined;
  readonly error: ApiProblem | null;
}

/** Rows that were read stay while the service is away. */
export function useChecks(): Checks {
  const { data, error } = useQuery<readonly ListedCheck[], ApiProblem>({
    queryKey: [ALL_CHECKS],
    queryFn: ({ signal }) => readAll(ALL_CHECKS, signal),
  });
  const isAway = data !== undefined && error !== null && isPassing(error);
  return { checks: data, error: isAway ? null : error };
}

type Figures = NonNullable<ListedCheck['figures']>;

/** By id; undefined until they are there. No event makes them old. */
export function useFigures(): ReadonlyMap<string, Figures> | undefined {
  const { data } = useQuery<ReadonlyMap<string, Figures>, ApiProblem>({
    queryKey: ['figures of checks'],
    queryFn: async ({ signal }) =>
      figuresOf(await readAll(`${ALL_CHECKS}&include=figures`, signal)),
    staleTime: FIGURES_STALE_MS,
    refetchInterval: FIGURES_STALE_MS,
  });
  return data;
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

function figuresOf(rows: readonly ListedCheck[]): ReadonlyMap<string, Figures> {
  return new Map(
    rows.flatMap(({ id, figures }) => (figures === undefined ? [] : [[id, figures] as const])),
  );
}

/** Where the page of a check is. */
export function pageOf({ type, id }: Pick<ListedCheck, 'type' | 'id'>): string {
  return `/${type}s/${id}`;
}
