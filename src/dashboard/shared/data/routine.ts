/**
 * Handles events after which only the times of a check have changed. The times are written into the cached rows without
 * a request.
 */
import type { QueryClient } from '@tanstack/react-query';
import type { ListedCheck, Monitor, Scenario } from './api-types';
import { ALL_CHECKS, type CheckChange } from './live-change';

interface Known {
  readonly healthSince: string;
  readonly inMaintenance: boolean;
}

/** The shortest time between two reads of a check's page, even if the check runs more often. */
const PAGE_EVERY_MS = { heartbeat: 20_000, other: 120_000 } as const;

/** Creates the handler. It also remembers the state of checks that no list shows. */
export function createRoutine(client: QueryClient) {
  const seen = new Map<string, Known>();
  const readAtMsById = new Map<string, number>();
  const findRow = ({ id }: CheckChange) =>
    client.getQueryData<readonly ListedCheck[]>([ALL_CHECKS])?.find((row) => row.id === id);
  const readPageData = ({ kind, id }: CheckChange) =>
    client.getQueryData<Monitor | Scenario>([`/v1/${kind}s/${id}`]);
  return {
    /**
     * Writes the times into the cache and returns true if nothing else changed. Otherwise, or if the check is not
     * known, returns false.
     */
    take(change: CheckChange): boolean {
      const shown = [findRow(change), readPageData(change)].filter((one) => one !== undefined);
      const before = seen.get(change.id);
      const { id, healthSince, inMaintenance } = change;
      seen.set(id, { healthSince, inMaintenance });
      const isKnown = shown.length > 0 || before !== undefined;
      if (!isKnown || (before !== undefined && !isAsBefore(before, change))) return false;
      if (!shown.every((one) => isShown(one, change))) return false;
      write(client, change);
      return true;
    },
    /**
     * Reads the data of the check's page. Events contain only a part of this data. For example, they lack the next ping
     * and the default regions.
     */
    readPage(change: CheckChange): void {
      const queryKey = [`/v1/${change.kind}s/${change.id}`];
      const page = client.getQueryData<Monitor | Scenario>(queryKey);
      if (page === undefined) return;
      const isHeartbeat = 'type' in page && page.type === 'heartbeat';
      const everyMs = isHeartbeat ? PAGE_EVERY_MS.heartbeat : PAGE_EVERY_MS.other;
      const readAtMs = readAtMsById.get(change.id) ?? 0;
      if (Date.now() - readAtMs < everyMs) return;
      readAtMsById.set(change.id, Date.now());
      void client.invalidateQueries({ queryKey, exact: true });
    },
  };
}

function isAsBefore({ healthSince, inMaintenance }: Known, change: CheckChange): boolean {
  return healthSince === change.healthSince && inMaintenance === change.inMaintenance;
}

function isShown(
  { healthSince, status }: Pick<ListedCheck, 'healthSince' | 'status'>,
  change: CheckChange,
): boolean {
  if (status === 'paused') return false;
  return isAsBefore({ healthSince, inMaintenance: status === 'maintenance' }, change);
}

function write(client: QueryClient, change: CheckChange): void {
  const { kind, id, lastCheckedAt, nextCheckAt, lastResponseTimeMs } = change;
  client.setQueryData<readonly ListedCheck[]>([ALL_CHECKS], (rows) =>
    rows?.map((row) => (row.id === id ? { ...row, lastCheckedAt, lastResponseTimeMs } : row)),
  );
  client.setQueryData<Monitor | Scenario>([`/v1/${kind}s/${id}`], (page) =>
    page === undefined ? undefined : { ...page, lastCheckedAt, nextCheckAt },
  );
}
