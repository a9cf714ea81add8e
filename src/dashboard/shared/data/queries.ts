/**
 * Reads and changes the data of /v1, with one cache entry per path. After a change, the affected paths are read again.
 */
import {
  keepPreviousData,
  type Query,
  QueryClient,
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQueries,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ApiProblem, get, type Method, request, UNREADABLE } from './api';
import { isUnder, withoutTimes } from './live-change';
import { readAgain } from './read-again';

const RETRIES = 2;
/** The path of the current session, which names the signed-in person. */
export const SESSION = '/v1/session';

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      // Sends even if the browser is offline, because the service may run on this machine.
      mutations: { networkMode: 'always' },
      queries: {
        networkMode: 'always',
        staleTime: 10_000,
        refetchOnReconnect: true,
        refetchOnWindowFocus: true,
        retry: (count, error) =>
          count < RETRIES && (!(error instanceof ApiProblem) || isTransient(error)),
      },
    },
  });
}

/**
 * Reads the path before a component needs it. A component that shows the data within the next seconds sends no request.
 * undefined means that the path could not be read.
 */
export async function readAhead<T>(client: QueryClient, path: string): Promise<T | undefined> {
  await client.prefetchQuery({ queryKey: [path], queryFn: ({ signal }) => get<T>(path, signal) });
  return client.getQueryData<T>([path]);
}

/** True if the next try may succeed, because the service or its proxy cannot be reached. */
function isTransient({ status }: ApiProblem): boolean {
  return status === 0 || (status >= 502 && status <= 504);
}

/** True if the service could not be reached. */
export function isUnreached(problem: ApiProblem): boolean {
  return isTransient(problem) && (problem.status === 0 || problem.code === UNREADABLE);
}

interface ReadOptions<T> {
  readonly enabled?: boolean;
  /** How often the data is read, in milliseconds. For data whose changes no event reports. */
  readonly refetchInterval?: number | false | ((query: Query<T, ApiProblem>) => number | false);
}

type Reading<T> = Pick<
  UseQueryResult<T, ApiProblem>,
  'data' | 'error' | 'isPlaceholderData' | 'dataUpdatedAt'
>;

/**
 * Reads the data at the path. While another page of a list loads, or while the service cannot be reached, returns the
 * last data.
 */
export function useRead<T>(path: string, options: ReadOptions<T> = {}): Reading<T> {
  const { data, error, isPlaceholderData, dataUpdatedAt } = useQuery<T, ApiProblem>({
    queryKey: [path],
    queryFn: ({ signal }) => get<T>(path, signal),
    placeholderData: keepPreviousData,
    ...options,
  });
  return { data, error: useShownError(path, { data, error }), isPlaceholderData, dataUpdatedAt };
}

/**
 * Returns the error to show. null if there is none. An error stays during retries, so that nothing flickers. An
 * unreachable service is not an error if data was read earlier.
 */
export function useShownError(
  path: string,
  { data, error }: Pick<Reading<unknown>, 'data' | 'error'>,
): ApiProblem | null {
  const [last, setLast] = useState<{ path: string; error: ApiProblem } | null>(null);
  if (error !== null && error !== last?.error) setLast({ path, error });
  if (error !== null) return data !== undefined && isUnreached(error) ? null : error;
  return data === undefined && last?.path === path ? last.error : null;
}

/**
 * Reads the data at each path, in the order of the paths. If only the times in a path change, returns the last data
 * until the new data is read. In `useQueries`, `keepPreviousData` does not do this.
 */
export function useReads<T>(paths: readonly string[]): readonly UseQueryResult<T, ApiProblem>[] {
  const last = useRef<ReadonlyMap<string, T | undefined>>(new Map());
  const results: readonly UseQueryResult<T, ApiProblem>[] = useQueries({
    queries: paths.map((path) => ({
      queryKey: [path],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) => get<T>(path, signal),
      placeholderData: (): T | undefined => last.current.get(withoutTimes(path)),
    })),
  });
  useEffect(() => {
    last.current = new Map(
      paths.map((path, index) => [withoutTimes(path), results[index]?.data] as const),
    );
  });
  return results;
}

export interface Change {
  readonly method: Exclude<Method, 'GET'>;
  readonly path: string;
  readonly body?: unknown;
  readonly ifVersion?: number;
}

/**
 * Returns a function that sends changes. After a change, the data under `touches` is read again by the components that
 * show it.
 */
export function useChange<T = unknown>(
  touches: readonly string[],
): UseMutationResult<T, ApiProblem, Change> {
  const refresh = useRefresh();
  return useMutation<T, ApiProblem, Change>({
    mutationFn: ({ method, path, body, ifVersion }) =>
      request<T>(method, path, { body, ifVersion }),
    onSettled: (_value, error) => void refresh(listTouched(touches, error)),
  });
}

/**
 * Returns the paths to read again. If the change was refused because the account is suspended, the paths include the
 * session, which contains the reason that every page then shows.
 */
export function listTouched(
  touches: readonly string[],
  error: ApiProblem | null,
): readonly string[] {
  return error?.code === 'account_suspended' ? [...touches, SESSION] : touches;
}

export function useRefresh(): (touches: readonly string[]) => Promise<void> {
  const client = useQueryClient();
  return (touches) => readAgain(client, touches);
}

/** Returns a function that removes cached data under a path that no longer exists. */
export function useForget(): (path: string) => void {
  const client = useQueryClient();
  return (path) =>
    client.removeQueries({
      predicate: ({ queryKey }) =>
        isUnder(queryKey, [`${path}/`, `${path}?`]) || queryKey[0] === path,
    });
}
