/** Reads the changes that become webhook events, oldest first and page by page. No change is left out. */
import type { Model, QueryFilter } from 'mongoose';
import type { Health, RunRecord } from '../../contracts/records';
import { ID_PREFIXES } from '../../domain/definitions/ids';
import { fromDocument, type Incident } from '../alerting/incidents';
import type { Models } from '../collections';
import { toRunRecord } from '../results/runs';
import type { StatusDocument } from '../results/statuses';
import { above, atLeast } from '../store/filters';

/** The last change that was read. */
export interface ChangePosition {
  readonly changedAtMs: number;
  readonly id: string;
}

export interface Changed<Item> extends ChangePosition {
  readonly item: Item;
}

export interface ChangeQuery {
  readonly after: ChangePosition;
  /** Health changes before this instant are left out. */
  readonly oldestMs: number;
  readonly limit: number;
}

export interface MonitorHealth {
  readonly id: string;
  readonly health: Health;
  readonly healthSinceMs: number;
}

type ReadChanged<Item> = (
  accountId: string,
  query: ChangeQuery,
) => Promise<readonly Changed<Item>[]>;

export interface EventSourceStore {
  /** Lists runs that have ended. */
  readonly listRuns: ReadChanged<RunRecord>;
  readonly listIncidents: ReadChanged<Incident>;
  /** Lists changes of health. The entry is null for a scenario. */
  readonly listMonitors: ReadChanged<MonitorHealth | null>;
}

type SourceModels = Pick<Models, 'runs' | 'incidents' | 'statuses'>;

const MONITOR_PREFIX = `${ID_PREFIXES.monitor}_`;

export function createEventSourceStore(models: SourceModels): EventSourceStore {
  return {
    async listRuns(accountId, query) {
      const found = await readChanged(models.runs, { accountId, finished: true }, query);
      return found.map((run) => changed(run, toRunRecord(run)));
    },
    async listIncidents(accountId, query) {
      const found = await readChanged(models.incidents, { accountId }, query);
      return found.map((incident) => changed(incident, fromDocument(incident)));
    },
    async listMonitors(accountId, query) {
      const ofMonitors = { accountId, healthSinceMs: atLeast(query.oldestMs) };
      const found = await readChanged(models.statuses, ofMonitors, query);
      return found.map((status) => changed(status, toHealth(status)));
    },
  };
}

interface ChangedDocument {
  readonly _id: string;
  readonly changedAtMs: number;
}

/** Reads a page of changed documents, oldest first. */
function readChanged<Document extends ChangedDocument>(
  model: Model<Document>,
  filter: QueryFilter<Document>,
  { after: { changedAtMs, id }, limit }: ChangeQuery,
): Promise<Document[]> {
  const behind: QueryFilter<ChangedDocument> = {
    $or: [{ changedAtMs: above(changedAtMs) }, { changedAtMs, _id: above(id) }],
  };
  return model
    .find({ ...filter, ...behind })
    .sort({ changedAtMs: 1, _id: 1 })
    .limit(limit)
    .lean<Document[]>()
    .exec();
}

function changed<Item>({ _id: id, changedAtMs }: ChangedDocument, item: Item): Changed<Item> {
  return { id, changedAtMs, item };
}

/** Converts a status. Returns null for a scenario, because the runs of a scenario contain more details. */
function toHealth({ _id: id, health, healthSinceMs }: StatusDocument): MonitorHealth | null {
  return id.startsWith(MONITOR_PREFIX) ? { id, health, healthSinceMs } : null;
}
