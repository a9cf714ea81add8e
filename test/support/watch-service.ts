/**
 * Starts a whole service with its own servers and with monitors that get watches. Reads what Temporal shows of these
 * watches. Contains no assertions.
 */
import { randomBytes } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { optionalTsToMs } from '@temporalio/common/lib/time';
import { temporal } from '@temporalio/proto';
import { readActivityRegion } from '../../src/contracts/probe-activity-ids';
import { monitorWorkflowId } from '../../src/contracts/workflows';
import { createTemporalClient } from '../../src/temporal/connect';
import { type ApiClient, createApiClient, type Result } from './api-client';
import { type OwnServers, startOwnServers } from './own-servers';
import { startService, type TestService } from './service';
import { readSlots } from './slots';
import { type SwitchableTarget, startSwitchableTarget } from './switchable-target';
import { waitUntil } from './wait-until';

const { PENDING_ACTIVITY_STATE_STARTED } = temporal.api.enums.v1.PendingActivityState;

/** The interval of each monitor in milliseconds. */
export const INTERVAL_MS = 10_000;
/** The timeout of each check in milliseconds. There are no retries. */
const TIMEOUT_MS = 4_000;

/** The watch of one region, as Temporal shows it. */
export interface PendingWatch {
  readonly activityId: string;
  /** The attempt of the activity. It is above 1 after a hand-over. */
  readonly attempt: number;
  /** The instant at which a probe started the attempt. */
  readonly startedAtMs: number;
  /** The process that runs the watch, as `pid@host`. */
  readonly identity: string;
}

export interface WatchService {
  readonly servers: OwnServers;
  readonly service: TestService;
  readonly target: SwitchableTarget;
  readonly api: ApiClient;
  readonly client: Client;
  /** Returns the id of the monitor whose target has this path. */
  readonly idOf: (path: string) => string;
  /** Returns the watches of the monitor that a probe runs. */
  readonly readWatches: (path: string) => Promise<readonly PendingWatch[]>;
  /**
   * Resolves when each monitor has a watch with a stored result in each of its regions. Returns the watches of each
   * monitor.
   */
  readonly untilAllWatched: (
    paths: readonly string[],
  ) => Promise<Readonly<Record<string, readonly PendingWatch[]>>>;
  /** Resolves when each region has a measured result for a slot later than now. Returns all results. */
  readonly untilLaterSlot: (path: string) => Promise<readonly Result[]>;
  /** Returns the slots with two results, and the slots without a result or gap, by region. */
  readonly findFaults: (path: string) => Promise<Readonly<Record<string, unknown>>>;
  /**
   * Waits for a later slot of each monitor. Then returns problems with slots of any monitor, and results that are down.
   */
  readonly findLaterFaults: (
    paths: readonly string[],
  ) => Promise<Readonly<Record<string, unknown>>>;
  readonly stop: () => Promise<void>;
}

/** Returns the watches of a monitor that a probe runs. */
export async function readWatchesOf(
  client: Client,
  monitorId: string,
): Promise<readonly PendingWatch[]> {
  const { raw } = await client.workflow.getHandle(monitorWorkflowId(monitorId)).describe();
  const pending = (raw.pendingActivities ?? []).filter(
    ({ activityType, state }) =>
      activityType?.name === 'watchMonitor' && state === PENDING_ACTIVITY_STATE_STARTED,
  );
  return pending.map(({ activityId, attempt, lastStartedTime, lastWorkerIdentity }) => ({
    activityId: activityId ?? '',
    attempt: attempt ?? 0,
    startedAtMs: optionalTsToMs(lastStartedTime) ?? 0,
    identity: lastWorkerIdentity ?? '',
  }));
}

/** Starts the service with one monitor for each path. Each monitor has the given regions. */
export async function startWatchService(
  regionsOf: Readonly<Record<string, readonly string[]>>,
): Promise<WatchService> {
  const [servers, target] = await Promise.all([startOwnServers(), startSwitchableTarget()]);
  const secretKey = randomBytes(32).toString('hex');
  const service = await startService({
    regions: [...new Set(Object.values(regionsOf).flat())],
    environment: {
      ...servers.environment,
      KEEPWATCH_STEADY: 'watch',
      KEEPWATCH_SECRET_KEY: secretKey,
    },
  });
  const api = createApiClient(service.url, (await service.setup()).apiKey);
  const { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace } = servers.environment;
  const client = createTemporalClient({ address, namespace }, [secretKey]);
  const ids = new Map<string, string>();
  for (const [path, regions] of Object.entries(regionsOf)) {
    const bounds = { interval: INTERVAL_MS / 1_000, timeoutMs: TIMEOUT_MS, retries: 0 };
    const body = { name: path, url: target.url + path, regions, ...bounds };
    ids.set(path, await api.createMonitor(body));
  }
  const idOf = (path: string) => ids.get(path) ?? '';
  const regionsFor = (path: string) => regionsOf[path] ?? [];

  const readWatches = (path: string) => readWatchesOf(client, idOf(path));

  async function untilAllWatched(paths: readonly string[]) {
    const all: Record<string, readonly PendingWatch[]> = {};
    for (const path of paths)
      all[path] = await waitUntil(`watches of ${path}`, async () => {
        const watches = await readWatches(path);
        if (watches.length < regionsFor(path).length) return false;
        const rows = (await api.resultsOf(idOf(path))).filter(({ gap }) => gap === null);
        const isStored = ({ activityId, startedAtMs }: PendingWatch): boolean =>
          rows.some(
            ({ region, slot }) =>
              region === readActivityRegion(activityId) && Date.parse(slot) > startedAtMs,
          );
        return watches.every(isStored) && watches;
      });
    return all;
  }

  async function untilLaterSlot(path: string): Promise<readonly Result[]> {
    const sinceMs = Date.now();
    const read = async () => {
      const rows = await api.resultsOf(idOf(path));
      const isLater = (row: Result): boolean =>
        Date.parse(row.slot) > sinceMs && row.gap === null && row.status !== 'unknown';
      const regions = rows.filter(isLater).map(({ region }) => region);
      return regionsFor(path).every((region) => regions.includes(region)) && rows;
    };
    return waitUntil(`a later slot of ${path}`, read);
  }

  async function findFaults(path: string): Promise<Readonly<Record<string, unknown>>> {
    const results = await api.resultsOf(idOf(path));
    const faults = regionsFor(path).flatMap((region) => {
      const { doubled, unnamed } = readSlots(results, { region, intervalMs: INTERVAL_MS });
      return doubled.length + unnamed.length === 0 ? [] : [[region, { doubled, unnamed }]];
    });
    return Object.fromEntries(faults);
  }

  async function findLaterFaults(paths: readonly string[]) {
    const found = paths.map(async (path) => {
      const down = (await untilLaterSlot(path)).filter(({ status }) => status === 'down');
      const faults = { ...(await findFaults(path)), ...(down.length === 0 ? {} : { down }) };
      return Object.keys(faults).length === 0 ? [] : [[path, faults]];
    });
    return Object.fromEntries((await Promise.all(found)).flat());
  }

  return {
    servers,
    service,
    target,
    api,
    client,
    idOf,
    readWatches,
    untilAllWatched,
    untilLaterSlot,
    findFaults,
    findLaterFaults,
    stop: async () => {
      for (const server of [servers.database, servers.temporal]) server.thaw();
      await client.connection.close();
      await service.stop();
      await Promise.all([servers.stop(), target.close()]);
    },
  };
}
