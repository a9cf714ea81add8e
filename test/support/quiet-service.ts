/**
 * A whole service with servers of its own whose monitors become quiet, and what a test may see of that
 * in the engine. It asserts nothing.
 */
import { randomBytes } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { decodeOptionalFailureToOptionalError } from '@temporalio/common/lib/internal-non-workflow';
import { temporal } from '@temporalio/proto';
import { monitorWorkflowId } from '../../src/contracts/workflows';
import { createTemporalClient } from '../../src/temporal/connect';
import { type ApiClient, createApiClient, type Result } from './api-client';
import { type OwnServers, startOwnServers } from './own-servers';
import { startService, type TestService } from './service';
import { readSlots } from './slots';
import { type SwitchableTarget, startSwitchableTarget } from './switchable-target';
import { waitUntil } from './wait-until';

const { PENDING_ACTIVITY_STATE_SCHEDULED } = temporal.api.enums.v1.PendingActivityState;

export const INTERVAL_MS = 10_000;
/** Of each check; there are no retries. */
const TIMEOUT_MS = 4_000;

/** A pending quiet check of one region. */
interface PendingCheck {
  readonly attempt: number;
  /** The last outcome in words. */
  readonly said: string;
  /** False while an attempt is in flight. */
  readonly isWaiting: boolean;
}

export interface QuietService {
  readonly servers: OwnServers;
  readonly service: TestService;
  readonly target: SwitchableTarget;
  readonly api: ApiClient;
  readonly client: Client;
  /** The monitor whose target is the path. */
  readonly idOf: (path: string) => string;
  readonly readQuiet: (id: string) => Promise<readonly PendingCheck[]>;
  /** Resolves when each region of each monitor is past its first quiet slot. */
  readonly untilAllQuiet: (paths: readonly string[]) => Promise<void>;
  /** A measured result in each region for a slot that is due later than now; all results. */
  readonly untilLaterSlot: (path: string) => Promise<readonly Result[]>;
  /** Slots with two results and slots that appear nowhere, by region. */
  readonly findFaults: (path: string) => Promise<Readonly<Record<string, unknown>>>;
  /** After a later slot of each: what is wrong with the slots of any, and results that are down. */
  readonly findLaterFaults: (
    paths: readonly string[],
  ) => Promise<Readonly<Record<string, unknown>>>;
  readonly stop: () => Promise<void>;
}

/** Starts it with one monitor for each path; its regions are given with it. */
export async function startQuietService(
  regionsOf: Readonly<Record<string, readonly string[]>>,
): Promise<QuietService> {
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

  async function readQuiet(id: string): Promise<readonly PendingCheck[]> {
    const { raw } = await client.workflow.getHandle(monitorWorkflowId(id)).describe();
    const pending = (raw.pendingActivities ?? []).filter(
      ({ activityType }) => activityType?.name === 'checkWhileQuiet',
    );
    return Promise.all(
      pending.map(async ({ attempt, lastFailure, state }) => {
        const { loadedDataConverter } = client.options;
        const said = await decodeOptionalFailureToOptionalError(loadedDataConverter, lastFailure);
        const isWaiting = state === PENDING_ACTIVITY_STATE_SCHEDULED;
        return { attempt: attempt ?? 0, said: said?.message ?? '', isWaiting };
      }),
    );
  }

  async function untilAllQuiet(paths: readonly string[]): Promise<void> {
    for (const path of paths) {
      const isQuiet = async () => {
        const later = (await readQuiet(idOf(path))).filter(({ said }) => /slot \d\d:/.test(said));
        return later.length === regionsFor(path).length;
      };
      await waitUntil(`quiet checks of ${path}`, isQuiet);
    }
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
    readQuiet,
    untilAllQuiet,
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
