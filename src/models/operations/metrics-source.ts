/**
 * Reads over all accounts for the operator's metrics: monitors and scenarios with their health, and counts. Every query
 * has a limit or uses an index.
 */
import type { CertificateThreshold } from '../../contracts/certificates';
import type { HeartbeatProgress } from '../../contracts/heartbeat';
import type { Health, RunFailure } from '../../contracts/records';
import type { Models } from '../collections';
import type { Measured, ResourceStatus, StatusDocument } from '../results/statuses';
import { matchAny } from '../store/filters';
import { fromJsonText } from '../store/json-text';

/** The facts about a monitor or scenario that metrics show. */
export interface ResourceMetrics {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  readonly groupKey: string;
  readonly tags: readonly string[];
  readonly isPaused: boolean;
  readonly health: Health;
  readonly regionsHealth: ResourceStatus['regionsHealth'];
}

export interface MonitorMetrics extends ResourceMetrics {
  readonly measured: readonly Measured[];
  readonly tlsExpiresAt: string | null;
  readonly nextSlotMs: number | null;
  readonly intervalMs: number;
  /** True if a watch made the last check. null if there was no check yet. */
  readonly isWatched: boolean | null;
  /** The progress of a heartbeat. null if the monitor is not a heartbeat, or if its job has never reported. */
  readonly heartbeat: HeartbeatProgress | null;
}

export interface ServiceCounts {
  readonly byHealth: readonly { readonly health: Health; readonly count: number }[];
  readonly openIncidents: number;
}

export interface ScenarioMetrics extends ResourceMetrics {
  readonly stepCount: number;
  /** The earliest expiry of the certificates of all steps. */
  readonly tlsExpiresAt: string | null;
  readonly tlsRungs: readonly CertificateThreshold[];
  /** The last run. null until the first run has ended. */
  readonly lastRun: {
    readonly finishedAtMs: number;
    /** The number of the failed step, counted from 1. null if no step failed. */
    readonly failedStep: number | null;
  } | null;
}

/** Reads for the operator over all accounts. The results contain no definitions. */
export interface MetricsStore {
  /** Lists monitors, newest first. */
  readonly listMonitors: (limit: number) => Promise<readonly MonitorMetrics[]>;
  readonly listScenarios: (limit: number) => Promise<readonly ScenarioMetrics[]>;
  readonly count: () => Promise<ServiceCounts>;
}

const BATCH = 1_000;

type Needs = Pick<Models, 'monitors' | 'scenarios' | 'statuses' | 'runs' | 'incidents'>;
type Shown = Pick<ResourceMetrics, 'accountId' | 'name' | 'groupKey' | 'tags'> & {
  readonly _id: string;
  readonly state: string;
};

/** The fields that are read from the status of a monitor. */
const MONITOR_FIELDS = {
  health: 1,
  regionsHealth: 1,
  tlsExpiresAt: 1,
  nextSlotMs: 1,
  measured: 1,
  isWatched: 1,
  heartbeat: 1,
} as const;

const SHOWN_FIELDS = { accountId: 1, name: 1, groupKey: 1, tags: 1, state: 1 } as const;
const SHOWN_OF_MONITORS = { ...SHOWN_FIELDS, intervalSeconds: 1 } as const;

export function createMetricsSource(needs: Needs): MetricsStore {
  const { monitors, scenarios } = needs;
  return {
    async listMonitors(limit) {
      const found = await monitors
        .find({}, SHOWN_OF_MONITORS)
        .sort({ _id: -1 })
        .limit(limit)
        .lean();
      return inBatches(found, async (batch): Promise<readonly MonitorMetrics[]> => {
        const statusOf = await readStatuses(needs, batch, MONITOR_FIELDS);
        return batch.map((shown) => {
          const status = statusOf.get(shown._id);
          return {
            ...buildMetrics(shown, status),
            measured: status?.measured ?? [],
            tlsExpiresAt: status?.tlsExpiresAt ?? null,
            nextSlotMs: status?.nextSlotMs ?? null,
            intervalMs: shown.intervalSeconds * 1_000,
            isWatched: status?.isWatched ?? null,
            heartbeat: status?.heartbeat ?? null,
          };
        });
      });
    },
    async listScenarios(limit) {
      const shown = { ...SHOWN_FIELDS, stepCount: 1 };
      const found = await scenarios.find({}, shown).sort({ _id: -1 }).limit(limit).lean();
      const fields = { health: 1, regionsHealth: 1, lastRunId: 1, tlsExpiresAt: 1, tlsRungs: 1 };
      return inBatches(found, async (batch): Promise<readonly ScenarioMetrics[]> => {
        const statusOf = await readStatuses(needs, batch, fields);
        const runIds = [...statusOf.values()].flatMap(({ lastRunId }) => lastRunId ?? []);
        const lastRunOf = await readLastRuns(needs, runIds);
        return batch.map((scenario) => {
          const status = statusOf.get(scenario._id);
          const lastRun = lastRunOf.get(status?.lastRunId ?? '') ?? null;
          return {
            ...buildMetrics(scenario, status),
            stepCount: scenario.stepCount,
            tlsExpiresAt: status?.tlsExpiresAt ?? null,
            tlsRungs: status?.tlsRungs ?? [],
            lastRun,
          };
        });
      });
    },
    count: () => countAll(needs),
  };
}

async function countAll({ statuses, incidents }: Needs): Promise<ServiceCounts> {
  const [byHealth, openIncidents] = await Promise.all([
    statuses.aggregate<{ _id: Health; count: number }>([
      { $group: { _id: '$health', count: { $sum: 1 } } },
    ]),
    incidents.countDocuments({ open: true }),
  ]);
  return { byHealth: byHealth.map(({ _id, count }) => ({ health: _id, count })), openIncidents };
}

async function inBatches<Given, Found>(
  all: readonly Given[],
  read: (batch: readonly Given[]) => Promise<readonly Found[]>,
): Promise<readonly Found[]> {
  const found: Found[] = [];
  for (let start = 0; start < all.length; start += BATCH)
    found.push(...(await read(all.slice(start, start + BATCH))));
  return found;
}

type KnownStatus = Pick<StatusDocument, '_id' | 'health' | 'regionsHealth'> &
  Partial<
    Pick<
      StatusDocument,
      | 'tlsExpiresAt'
      | 'tlsRungs'
      | 'nextSlotMs'
      | 'measured'
      | 'isWatched'
      | 'lastRunId'
      | 'heartbeat'
    >
  >;

async function readStatuses(
  { statuses }: Pick<Needs, 'statuses'>,
  batch: readonly { readonly _id: string }[],
  fields: Readonly<Record<string, number>>,
): Promise<ReadonlyMap<string, KnownStatus>> {
  const ids = batch.map(({ _id }) => _id);
  const known = await statuses.find({ _id: matchAny(ids) }, fields).lean<KnownStatus[]>();
  return new Map(known.map((status) => [status._id, status]));
}

async function readLastRuns(
  { runs }: Pick<Needs, 'runs'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, NonNullable<ScenarioMetrics['lastRun']>>> {
  if (ids.length === 0) return new Map();
  const found = await runs.find({ _id: matchAny(ids) }, { finishedAtMs: 1, failure: 1 }).lean();
  return new Map(
    found.flatMap(({ _id, finishedAtMs, failure }) => {
      if (finishedAtMs === null) return [];
      const index = failure === null ? null : fromJsonText<RunFailure>(failure).stepIndex;
      return [[_id, { finishedAtMs, failedStep: index === null ? null : index + 1 }] as const];
    }),
  );
}

function buildMetrics(
  { _id: id, accountId, name, groupKey, tags, state }: Shown,
  status: KnownStatus | undefined,
): ResourceMetrics {
  const { health = 'pending', regionsHealth = [] } = status ?? {};
  const isPaused = state === 'paused';
  return { id, accountId, name, groupKey, tags, isPaused, health, regionsHealth };
}
