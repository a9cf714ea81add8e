/**
 * Finds recent changes of an account. Every document stores when it was last written, and each collection has an index
 * by account and that time.
 */
import type { Model } from 'mongoose';
import type { Health } from '../../contracts/records';
import { ID_PREFIXES } from '../../domain/definitions/ids';
import { findSlowestResponseMs } from '../../domain/health/health';
import type { Models } from '../collections';
import type { MonitorDocument } from '../resources/monitors';
import type { StatusDocument } from '../results/statuses';
import { atLeast } from '../store/filters';

/** The parts of a check's state that determine its displayed status. */
export interface CheckState {
  readonly health: Health;
  readonly healthSinceMs: number;
  readonly inMaintenance: boolean;
  readonly lastCheckedAtMs: number | null;
  readonly nextSlotMs: number | null;
  /** The response time of the slowest region. */
  readonly lastResponseTimeMs: number | null;
}

/** A change of data that dashboard pages show. */
export type LiveChange =
  | { readonly kind: 'monitor' | 'scenario'; readonly id: string; readonly check: CheckState }
  | { readonly kind: 'incident' | 'definition'; readonly id: string }
  | { readonly kind: 'run'; readonly id: string; readonly scenarioId: string }
  | { readonly kind: 'post'; readonly id: string; readonly pageId: string };

export interface StoredChange {
  readonly change: LiveChange;
  /** When the change was made, by the writer's clock. */
  readonly atMs: number;
  /** A text that differs between two changes of the same object. */
  readonly mark: string;
}

export interface ChangeStore {
  /** Returns the last change of each object at or after the time, unsorted. */
  readonly since: (accountId: string, fromMs: number) => Promise<readonly StoredChange[]>;
}

type ChangeModels = Pick<
  Models,
  'statuses' | 'runs' | 'incidents' | 'monitors' | 'scenarios' | 'statusPagePosts' | 'removals'
>;

type Read = (accountId: string, fromMs: number) => Promise<readonly StoredChange[]>;
type Definition = Pick<MonitorDocument, '_id' | 'version' | 'updatedAtMs'>;

/**
 * Limit per collection and read. If there are more changes, only the newest are returned, because no page could show
 * them all.
 */
const CHANGES_MAX = 5_000;
const STATUS_FIELDS = [
  'changedAtMs',
  'health',
  'healthSinceMs',
  'inMaintenance',
  'lastCheckedAtMs',
  'nextSlotMs',
  'regionsHealth',
] as const;
type ShownStatus = Pick<StatusDocument, Exclude<(typeof STATUS_FIELDS)[number], 'changedAtMs'>>;
const MONITOR_PREFIX = `${ID_PREFIXES.monitor}_`;

export function createChangeStore(models: ChangeModels): ChangeStore {
  const { statuses, runs, incidents, monitors, scenarios, statusPagePosts, removals } = models;
  const reads: readonly Read[] = [
    readChanges(statuses, STATUS_FIELDS, ({ _id: id, changedAtMs: atMs, ...status }) => {
      const kind = id.startsWith(MONITOR_PREFIX) ? 'monitor' : 'scenario';
      return { change: { kind, id, check: toCheckState(status) }, atMs, mark: `${atMs}` };
    }),
    readChanges(
      runs,
      ['changedAtMs', 'scenarioId', 'sequence'],
      ({ _id: id, scenarioId, changedAtMs: atMs, sequence }) => ({
        change: { kind: 'run', id, scenarioId },
        atMs,
        mark: `${sequence}`,
      }),
    ),
    readChanges(incidents, ['changedAtMs'], ({ _id: id, changedAtMs: atMs }) => ({
      change: { kind: 'incident', id },
      atMs,
      mark: `${atMs}`,
    })),
    readChanges(monitors, ['updatedAtMs', 'version'], toDefinitionChange),
    readChanges(scenarios, ['updatedAtMs', 'version'], toDefinitionChange),
    // A deleted post leaves an entry for at least a minute, so that readers notice the deletion.
    readChanges(
      statusPagePosts,
      ['updatedAtMs', 'version', 'pageId', 'isDeleted'],
      ({ _id: id, pageId, updatedAtMs: atMs, version, isDeleted }) => ({
        change: { kind: 'post', id, pageId },
        atMs,
        mark: isDeleted ? 'removed' : `${version}`,
      }),
    ),
    // A removal is kept for at least a minute. No reader looks back further.
    readChanges(removals, ['removedAtMs'], ({ _id: id, removedAtMs: atMs }) => ({
      change: { kind: 'definition', id },
      atMs,
      mark: 'removed',
    })),
  ];
  return {
    async since(accountId, fromMs) {
      return (await Promise.all(reads.map((read) => read(accountId, fromMs)))).flat();
    },
  };
}

function toCheckState({ regionsHealth, ...status }: ShownStatus): CheckState {
  const { health, healthSinceMs, inMaintenance, lastCheckedAtMs, nextSlotMs } = status;
  const lastResponseTimeMs = findSlowestResponseMs(regionsHealth);
  return {
    health,
    healthSinceMs,
    inMaintenance,
    lastCheckedAtMs,
    nextSlotMs,
    lastResponseTimeMs,
  };
}

function toDefinitionChange({ _id: id, version, updatedAtMs: atMs }: Definition): StoredChange {
  return { change: { kind: 'definition', id }, atMs, mark: `${version}` };
}

/** Reads the newest documents by the first of the fields, and converts them to changes. */
function readChanges<
  Document extends { readonly _id: string },
  Field extends keyof Document & string,
>(
  model: Model<Document>,
  fields: readonly [instant: Field, ...others: readonly Field[]],
  toChange: (found: Pick<Document, Field | '_id'>) => StoredChange,
): Read {
  const [instant] = fields;
  return async (accountId, fromMs) => {
    const found = await model
      .find({ accountId, [instant]: atLeast(fromMs) }, [...fields])
      .sort({ [instant]: -1 })
      .limit(CHANGES_MAX)
      .lean<Pick<Document, Field | '_id'>[]>();
    return found.map(toChange);
  };
}
