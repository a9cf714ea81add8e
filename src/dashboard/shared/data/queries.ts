/**
 * Reading and changing what /v1 has, with one cache: the key of a query is its path. A change tells
 * which paths it may have touched; whoever shows them reads again.
 */
import {
  keepPreviousData,
  QueryClient,
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQueries,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useState } from 'react';
import { ApiProblem, get, type Method, request, UNREADABLE } from './api';
import { isUnder } from './live-change';
import { readAgain } from './read-again';

const RETRIES = 2;
/** Where it is read who asks. */
export const SESSION = '/v1/session';

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      // The service may be on this very machine; what browsers take for offline tells nothing of it.
      mutations: { networkMode: 'always' },
      queries: {
        networkMode: 'always',
        staleTime: 10_000,
        refetchOnReconnect: true,
        refetchOnWindowFocus: true,
        retry: (count, error) =>
          count < RETRIES && (!(error instanceof ApiProblem) || isPassing(error)),
      },
    },
  });
}

/**
 * Reads before anybody shows it; who does so in the next seconds does not ask again. Undefined for what
 * could not be read.
 */
export async function readAhead<T>(client: QueryClient, path: string): Promise<T | undefined> {
  await client.prefetchQuery({ queryKey: [path], queryFn: ({ signal }) => get<T>(path, signal) });
  return client.getQueryData<T>([path]);
}

/** A problem that may be over by the next try: the service, or what is in front of it, is away. */
function isPassing({ status }: ApiProblem): boolean {
  return status === 0 || (status >= 502 && status <= 504);
}

/** It did not come from the service, which is away. */
export function isUnreached(problem: ApiProblem): boolean {
  return isPassing(problem) && (problem.status === 0 || problem.code === UNREADABLE);
}

interface ReadOptions {
  readonly enabled?: boolean;
  /** Milliseconds; for what no event tells of. */
  readonly refetchInterval?: number | false;
}

type Reading<T> = Pick<
  UseQueryResult<T, ApiProblem>,
  'data' | 'error' | 'isPlaceholderData' | 'dataUpdatedAt'
>;

/**
 * What is at the path; while another page of the same list loads, the last one stays. What was read
 * stays too while the service is away: a banner says so, not each part of the page.
 */
export function useRead<T>(path: string, options: ReadOptions = {}): Reading<T> {
  const { data, error, isPlaceholderData, dataUpdatedAt } = useQuery<T, ApiProblem>({
    queryKey: [path],
    queryFn: ({ signal }) => get<T>(path, signal),
    placeholderData: keepPreviousData,
    ...options,
  });
  return { data, error: useShownError(path, { data, error }), isPlaceholderData, dataUpdatedAt };
}

/** Stays while the path is tried again, so that nothing flickers; null for what was read while the service is away. */
export function useShownError(
  path: string,
  { data, error }: Pick<Reading<unknown>, 'data' | 'error'>,
): ApiProblem | null {
  const [last, setLast] = useState<{ path: string; error: ApiProblem } | null>(null);
  if (error !== null && error !== last?.error) setLast({ path, error });
  if (error !== null) return data !== undefined && isUnreached(error) ? null : error;
  return data === undefined && last?.path === path ? last.error : null;
}

/** What is at each of the paths, in their order; for what one request cannot answer. */
export function useReads<T>(paths: readonly string[]): readonly UseQueryResult<T, ApiProblem>[] {
  return useQueries({
    queries: paths.map((path) => ({
      queryKey: [path],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) => get<T>(path, signal),
      placeholderData: keepPreviousData,
    })),
  });
}

export interface Change {
  readonly method: Exclude<Method, 'GET'>;
  readonly path: string;
  readonly body?: unknown;
  readonly ifVersion?: number;
}

/** Sends changes; afterwards everything under `touches` is read again by whoever shows it. */
export function useChange<T = unknown>(
  touches: readonly string[],
): UseMutationResult<T, ApiProblem, Change> {
  const refresh = useRefresh();
  return useMutation<T, ApiProblem, Change>({
    mutationFn: ({ method, path, body, ifVersion }) =>
      request<T>(method, path, { body, ifVersion }),
    onSettled: () => void refresh(touches),
  });
}

export function useRefresh(): (touches: readonly string[]) => Promise<void> {
  const client = useQueryClient();
  return (touches) => readAgain(client, touches);
}

/** Forgets what was read under a path that is no more. */
export function useForget(): (path: string) => void {
  const client = useQueryClient();
  return (path) =>
    client.removeQueries({
      predicate: ({ queryKey }) =>
        isUnder(queryKey, [`${path}/`, `${path}?`]) || queryKey[0] === path,
    });
}
