/**
 * Decides how a page reacts to each change in the stream. If only the times of a check changed, its row is updated
 * without a request. After other changes, the affected data is soon read again. While no one uses the page, results and
 * runs are read at most once a minute. A hidden tab reads only the open incidents, for its title.
 */
import type { QueryClient } from '@tanstack/react-query';
import { createGatherer } from './gather';
import { ALL_CHECKS, CHECK_ROW, isCheckChange, type LiveChange, listPaths } from './live-change';
import { markStale, readAgain } from './read-again';
import { createRoutine } from './routine';

const INCIDENTS = '/v1/incidents';
/** The path of open and acknowledged incidents. */
export const UNRESOLVED_INCIDENTS = `${INCIDENTS}?state=unresolved&limit=200`;

/** How long to wait before paths are read again, in milliseconds. */
const WAIT = { check: 2_000, other: 300, idle: 60_000 } as const;
/** How often rows are read again. No event reports the start of a maintenance window or a deleted channel. */
const ROWS_EVERY_MS = 120_000;

export interface Activity {
  readonly isInUse: () => boolean;
  /** True if the tab is not visible. */
  readonly isHidden: () => boolean;
}

export interface LiveUpdates {
  readonly take: (change: LiveChange) => void;
  /** Reads everything again after the stream was interrupted. */
  readonly readAll: () => void;
  readonly stop: () => void;
}

interface Needs {
  readonly client: QueryClient;
  readonly activity: Activity;
  /** Reads rows again. Uses only the paths that begin with `CHECK_ROW`. */
  readonly readRows: (client: QueryClient, paths: readonly string[]) => void;
}

export function createLiveUpdates({ client, activity, readRows }: Needs): LiveUpdates {
  const refresh = (paths: readonly string[]): void => {
    if (activity.isHidden()) {
      markStale(client, hasRows(paths) ? [...paths, ALL_CHECKS] : paths);
      if (paths.includes(INCIDENTS)) void readAgain(client, [UNRESOLVED_INCIDENTS]);
      return;
    }
    readRows(client, paths);
    void readAgain(client, paths);
  };
  const gatherer = createGatherer(refresh);
  const routine = createRoutine(client);
  const rows = setInterval(() => {
    if (!activity.isHidden()) void readAgain(client, [ALL_CHECKS]);
  }, ROWS_EVERY_MS);
  return {
    take(change) {
      const isCheck = isCheckChange(change);
      if (isCheck && routine.take(change)) {
        const path = `/v1/${change.kind}s/${change.id}`;
        if (activity.isInUse()) gatherer.take([path], WAIT.check);
        else gatherer.take([`${path}/results`], WAIT.idle);
        if (!activity.isHidden()) routine.readPage(change);
        return;
      }
      const isIdleRun = change.kind === 'run' && !activity.isInUse();
      gatherer.take(listPaths(change), isIdleRun ? WAIT.idle : isCheck ? WAIT.check : WAIT.other);
    },
    readAll: () => refresh(['/v1/']),
    stop: () => {
      clearInterval(rows);
      gatherer.stop();
    },
  };
}

function hasRows(paths: readonly string[]): boolean {
  return paths.some((path) => path.startsWith(CHECK_ROW));
}
