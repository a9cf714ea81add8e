/**
 * What changed lately in an account, from the instants that every write leaves in what it writes.
 * No write is made for it; each collection has an index by account and instant.
 */
import type { Model } from 'mongoose';
import { ID_PREFIXES } from '../../domain/definitions/ids';
import type { IncidentDocument } from '../alerting/incidents';
import type { MonitorDocument } from '../resources/monitors';
import type { ScenarioDocument } from '../resources/scenarios';
import type { RunDocument } from '../results/runs';
import type { StatusDocument } from '../results/statuses';
import { atLeast } from '../store/filters';
import type { RemovalDocument } from './removals';

/** Something that pages show and that is no longer as it was. */
export type LiveChange =
  | { readonly kind: 'monitor' | 'scenario' | 'incident' | 'definition'; readonly id: string }
  | { readonly kind: 'run'; readonly id: string; readonly scenarioId: string };

export interface StoredChange {
  readonly change: LiveChange;
  /** By the clock of whoever wrote it. */
  readonly atMs: number;
  /** Differs between two changes of the same thing. */
  readonly mark: string;
}

export interface ChangeStore {
  /** The last change of each thing that changed at the instant or later, in no order. */
  readonly since: (accountId: string, fromMs: number) => Promise<readonly StoredChange[]>;
}

interface ChangeModels {
  readonly statuses: Model<StatusDocument>;
  readonly runs: Model<RunDocument>;
  readonly incidents: Model<IncidentDocument>;
  readonly monitors: Model<MonitorDocument>;
  readonly scenarios: Model<ScenarioDocument>;
  readonly removals: Model<RemovalDocument>;
}

type Read = (accountId: string, fromMs: number) => Promise<readonly StoredChange[]>;
type Definition = Pick<MonitorDocument, '_id' | 'version' | 'updatedAtMs'>;

/** Of one collection at a time; far more than pages can follow. */
const CHANGES_MAX = 5_000;
const MONITOR_PREFIX = `${ID_PREFIXES.monitor}_`;

export function createChangeStore(models: ChangeModels): ChangeStore {
  const reads: readonly Read[] = [
    statusChanges(models),
    runChanges(models),
    incidentChanges(models),
    monitorChanges(models),
    scenarioChanges(models),
    removalChanges(models),
  ];
  return {
    async since(accountId, fromMs) {
      return (await Promise.all(reads.map((read) => read(accountId, fromMs)))).flat();
    },
  };
}

function statusChanges({ statuses }: ChangeModels): Read {
  return async (accountId, fromMs) => {
    const found = await statuses
      .find({ accountId, changedAtMs: atLeast(fromMs) }, { changedAtMs: 1 })
      .sort({ changedAtMs: -1 })
      .limit(CHANGES_MAX)
      .lean<Pick<StatusDocument, '_id' | 'changedAtMs'>[]>();
    return found.map(({ _id: id, changedAtMs: atMs }) => {
      const kind = id.startsWith(MONITOR_PREFIX) ? 'monitor' : 'scenario';
      return { change: { kind, id }, atMs, mark: `${atMs}` };
    });
  };
}

function runChanges({ runs }: ChangeModels): Read {
  return async (accountId, fromMs) => {
    const found = await runs
      .find(
        { accountId, changedAtMs: atLeast(fromMs) },
        { changedAtMs: 1, scenarioId: 1, sequence: 1 },
      )
      .sort({ changedAtMs: -1 })
      .limit(CHANGES_MAX)
      .lean<Pick<RunDocument, '_id' | 'changedAtMs' | 'scenarioId' | 'sequence'>[]>();
    return found.map(({ _id: id, scenarioId, changedAtMs: atMs, sequence }) => ({
      change: { kind: 'run', id, scenarioId },
      atMs,
      mark: `${sequence}`,
    }));
  };
}

function incidentChanges({ incidents }: ChangeModels): Read {
  return async (accountId, fromMs) => {
    const found = await incidents
      .find({ accountId, changedAtMs: atLeast(fromMs) }, { changedAtMs: 1 })
      .sort({ changedAtMs: -1 })
      .limit(CHANGES_MAX)
      .lean<Pick<IncidentDocument, '_id' | 'changedAtMs'>[]>();
    return found.map(({ _id: id, changedAtMs: atMs }) => ({
      change: { kind: 'incident', id },
      atMs,
      mark: `${atMs}`,
    }));
  };
}

const DEFINITION_FIELDS = { version: 1, updatedAtMs: 1 } as const;

function monitorChanges({ monitors }: ChangeModels): Read {
  return async (accountId, fromMs) => {
    const found = await monitors
      .find({ accountId, updatedAtMs: atLeast(fromMs) }, DEFINITION_FIELDS)
      .sort({ updatedAtMs: -1 })
      .limit(CHANGES_MAX)
      .lean<Definition[]>();
    return found.map(toDefinitionChange);
  };
}

function scenarioChanges({ scenarios }: ChangeModels): Read {
  return async (accountId, fromMs) => {
    const found = await scenarios
      .find({ accountId, updatedAtMs: atLeast(fromMs) }, DEFINITION_FIELDS)
      .sort({ updatedAtMs: -1 })
      .limit(CHANGES_MAX)
      .lean<Definition[]>();
    return found.map(toDefinitionChange);
  };
}

function toDefinitionChange({ _id: id, version, updatedAtMs: atMs }: Definition): StoredChange {
  return { change: { kind: 'definition', id }, atMs, mark: `${version}` };
}

/** A removal is kept for at least a minute, far longer than anybody looks back. */
function removalChanges({ removals }: ChangeModels): Read {
  return async (accountId, fromMs) => {
    const found = await removals
      .find({ accountId, removedAtMs: atLeast(fromMs) }, { removedAtMs: 1 })
      .sort({ removedAtMs: -1 })
      .limit(CHANGES_MAX)
      .lean<Pick<RemovalDocument, '_id' | 'removedAtMs'>[]>();
    return found.map(({ _id: id, removedAtMs: atMs }) => ({
      change: { kind: 'definition', id },
      atMs,
      mark: 'removed',
    }));
  };
}
