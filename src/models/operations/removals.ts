/**
 * Deletes a monitor or scenario with all its data. The removal is recorded first, so that `sweep` can delete the
 * remaining data after a crash.
 */
import type { Model } from 'mongoose';
import type { ResourceKind } from '../../contracts/definition';
import type { Clock } from '../../platform/clock';
import { interleave } from '../../platform/paced';
import type { EscalationDocument } from '../alerting/escalations';
import type { IncidentDocument } from '../alerting/incidents';
import type { PingDocument } from '../heartbeats/pings';
import type { MonitorDocument } from '../resources/monitors';
import type { RevisionDocument } from '../resources/revisions';
import type { ScenarioDocument } from '../resources/scenarios';
import type { EvidenceDocument } from '../results/evidence';
import type { HealthChangeDocument } from '../results/health-changes';
import type { ResultDocument } from '../results/result-documents';
import type { RunDocument } from '../results/runs';
import type { StatusDocument } from '../results/statuses';
import type { SummaryDocument } from '../results/summaries';
import { defineCollection } from '../store/define-schema';
import { deleteBatch } from '../store/delete-batch';
import { ownedBy } from '../store/filters';
import { matchWatches, type WatchDocument } from '../watches/watches';
import type { RefusedRecordDocument } from './refused-records';

/**
 * Time limit for deleting the results of one resource, at its removal and in each sweep. Later sweeps delete the rest.
 */
const REMOVE_BUDGET_MS = 1_000;
/**
 * Minimum time for which a removal is remembered. Results that are written during the deletion are then deleted, too.
 */
const MIN_AGE_MS = 60_000;
/** The number of results per batch. A batch of this size takes far less time than the timeout of an operation. */
const RESULTS_PER_BATCH = 1_000;
const RUNS_PER_BATCH = 100;

export interface RemovalDocument {
  /** The id of the removed resource. */
  readonly _id: string;
  readonly accountId: string;
  readonly kind: ResourceKind;
  readonly removedAtMs: number;
}

export const removalCollection = defineCollection<RemovalDocument>(
  'removals',
  { accountId: String, kind: String, removedAtMs: Number },
  { indexes: [{ key: { accountId: 1, removedAtMs: 1 } }] },
);

export interface RemovalParts {
  readonly removals: Model<RemovalDocument>;
  readonly monitors: Model<MonitorDocument>;
  readonly scenarios: Model<ScenarioDocument>;
  readonly statuses: Model<StatusDocument>;
  readonly revisions: Model<RevisionDocument>;
  readonly incidents: Model<IncidentDocument>;
  readonly escalations: Model<EscalationDocument>;
  readonly results: Model<ResultDocument>;
  readonly summaries: Model<SummaryDocument>;
  readonly healthChanges: Model<HealthChangeDocument>;
  readonly evidence: Model<EvidenceDocument>;
  readonly evidenceBefore: Model<EvidenceDocument>;
  readonly runs: Model<RunDocument>;
  readonly refusedRecords: Model<RefusedRecordDocument>;
  readonly pings: Model<PingDocument>;
  readonly watches: Model<WatchDocument>;
}

export interface Removals {
  /**
   * Removes the resource, or the remains of a failed creation. Returns true if the resource existed. After the call,
   * reads do not find the resource, and nothing is recorded for it.
   */
  readonly remove: (kind: ResourceKind, accountId: string, id: string) => Promise<boolean>;
  /** Continues unfinished removals for about the given time. Returns the number of removals that are left. */
  readonly sweep: (budgetMs: number) => Promise<number>;
}

export function createRemovals(parts: RemovalParts, clock: Clock): Removals {
  const { removals } = parts;
  return {
    async remove(kind, accountId, id) {
      const owned = { _id: id, accountId };
      const removedAtMs = clock.now();
      await removals.updateOne(owned, { $setOnInsert: { kind, removedAtMs } }, { upsert: true });
      const removed = await removeDefinition(parts, { ...owned, kind });
      await removeHistory(
        parts,
        { ...owned, kind },
        () => clock.now() < removedAtMs + REMOVE_BUDGET_MS,
      );
      return removed;
    },
    async sweep(budgetMs) {
      const startedAtMs = clock.now();
      const hasTime = () => clock.now() < startedAtMs + budgetMs;
      const stored = await removals.find({}).sort({ _id: 1 }).lean<RemovalDocument[]>();
      for (let left = interleave(stored, ({ accountId }) => accountId); left.length > 0; ) {
        const unfinished: RemovalDocument[] = [];
        for (const removal of left) {
          const turnEndsAtMs = clock.now() + REMOVE_BUDGET_MS;
          await removeDefinition(parts, removal);
          const isDone = await removeHistory(parts, removal, () => clock.now() < turnEndsAtMs);
          const isOld = removal.removedAtMs <= startedAtMs - MIN_AGE_MS;
          if (isDone && isOld) await removals.deleteOne({ _id: removal._id });
          if (!isDone) unfinished.push(removal);
          if (!hasTime()) return removals.countDocuments({});
        }
        left = unfinished;
      }
      return removals.countDocuments({});
    },
  };
}

type Removal = Pick<RemovalDocument, '_id' | 'accountId' | 'kind'>;

/** Deletes the definition. The status is deleted first, because nothing is recorded without a status. */
async function removeDefinition(parts: RemovalParts, { _id, accountId, kind }: Removal) {
  const owned = { _id, accountId };
  await parts.statuses.deleteOne(owned);
  const removed =
    kind === 'monitor'
      ? await parts.monitors.deleteOne(owned)
      : await parts.scenarios.deleteOne(owned);
  return removed.deletedCount === 1;
}

/**
 * Deletes the data that belongs to the resource, such as its revisions, incidents and results. Stops between batches
 * when time is up. Resolves to true if nothing is left.
 */
async function removeHistory(
  parts: RemovalParts,
  { _id: id, accountId }: Removal,
  hasTime: () => boolean,
): Promise<boolean> {
  const { revisions, incidents, results, runs, summaries, healthChanges, refusedRecords } = parts;
  await revisions.deleteMany({ _id: ownedBy(id), accountId });
  await parts.evidence.deleteMany({ _id: ownedBy(id), a: accountId });
  await parts.evidenceBefore.deleteMany({ _id: ownedBy(id), a: accountId });
  await incidents.deleteMany({ accountId, resourceId: id });
  await parts.escalations.deleteMany({ accountId, resourceId: id });
  await refusedRecords.deleteMany({ accountId, resourceId: id });
  await parts.pings.deleteMany({ accountId, monitorId: id });
  await parts.watches.deleteMany({ _id: matchWatches(id), accountId });
  await summaries.deleteMany({ _id: ownedBy(id), a: accountId });
  await healthChanges.deleteMany({ _id: ownedBy(id), a: accountId });
  const ofResults = { _id: ownedBy(id), a: accountId };
  const batches = [
    { max: RESULTS_PER_BATCH, remove: (max: number) => deleteBatch(results, ofResults, max) },
    {
      max: RUNS_PER_BATCH,
      remove: (max: number) => deleteBatch(runs, { accountId, scenarioId: id }, max),
    },
  ];
  for (const { max, remove } of batches) {
    let isLeft = true;
    while (isLeft && hasTime()) isLeft = (await remove(max)) === max;
    if (isLeft) return false;
  }
  return true;
}
