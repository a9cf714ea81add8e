/**
 * Reads for pages that show many resources at once: only the few fields that are counted or drawn,
 * never a definition or an outcome.
 */
import type { Model } from 'mongoose';
import type { OverviewStore, TallyRow } from '../services/overview-store';
import { between } from './filters';
import type { IncidentDocument } from './incidents';
import type { MonitorDocument } from './monitors';
import { type ResultDocument, toResultStatus } from './result-documents';
import { parseResultId } from './result-id';
import { endId, firstId } from './result-ranges';
import type { ScenarioDocument } from './scenarios';
import type { StatusDocument } from './statuses';

interface OverviewModels {
  readonly monitors: Model<MonitorDocument>;
  readonly scenarios: Model<ScenarioDocument>;
  readonly statuses: Model<StatusDocument>;
  readonly incidents: Model<IncidentDocument>;
  readonly results: Model<ResultDocument>;
}

type CountedDocument = Pick<
  MonitorDocument,
  '_id' | 'state' | 'pausedUntilMs' | 'groupKey' | 'tags'
>;
/** Small documents, so that an account comes in one answer of the database. */
const BATCH = 5_000;
const COUNTED = { state: 1, pausedUntilMs: 1, groupKey: 1, tags: 1 } as const;

export function createOverviewStore(models: OverviewModels): OverviewStore {
  const { monitors, scenarios, statuses, incidents, results } = models;
  return {
    async resources(accountId, kind) {
      const found =
        kind === 'monitor'
          ? await monitors.find({ accountId }, COUNTED).batchSize(BATCH).lean<CountedDocument[]>()
          : await scenarios.find({ accountId }, COUNTED).batchSize(BATCH).lean<CountedDocument[]>();
      return found.map(toTallyRow);
    },
    async statuses(accountId) {
      const found = await statuses
        .find({ accountId }, { health: 1 })
        .batchSize(BATCH)
        .lean<Pick<StatusDocument, '_id' | 'health'>[]>();
      return found.map(({ _id, ...status }) => ({ ...status, id: _id }));
    },
    async openIncidents(accountId) {
      return incidents.countDocuments({ accountId, open: true });
    },
    async newestResults(accountId, { id, region, limit }) {
      const range = { monitorId: id, region, fromMs: null, toMs: null };
      const found = await results
        .find({ _id: between(firstId(range), endId(range)), a: accountId }, { s: 1, r: 1 })
        .sort({ _id: -1 })
        .limit(limit)
        .lean<Pick<ResultDocument, '_id' | 's' | 'r'>[]>();
      return found.map(({ _id, s, r = null }) => ({
        slotMs: parseResultId(_id).slotMs,
        status: toResultStatus(s),
        responseTimeMs: r,
      }));
    },
  };
}

function toTallyRow({ _id, ...counted }: CountedDocument): TallyRow {
  return { ...counted, id: _id };
}
