/**
 * Incidents as people see them: failures of one resource with hardly a recovery between them are one, with
 * its episodes. What each of them is, incidents.ts keeps; here nothing is written.
 */
import type { Model, QueryFilter } from 'mongoose';
import { atLeast, atMost, below, oneOf } from '../store/filters';
import { type Page, readPage } from '../store/pages';
import {
  fromDocument,
  type Incident,
  type IncidentDocument,
  type IncidentQuery,
  STATE_FILTERS,
} from './incidents';

export interface WholeIncidentStore {
  /** The last episode of each, newest first by when that began. */
  readonly page: (accountId: string, query: IncidentQuery) => Promise<Page<Incident>>;
  /** The last episodes of those of these resources that are open, oldest first. */
  readonly listOpen: (
    accountId: string,
    resourceIds: readonly string[],
  ) => Promise<readonly Incident[]>;
  /** The last episode of the incident that this is one of. */
  readonly findLast: (accountId: string, id: string) => Promise<Incident | null>;
  /** Up to its last one, oldest first; of many, the last `EPISODES_MAX`. */
  readonly episodes: (last: Incident) => Promise<readonly Incident[]>;
}

/** More than people read of one incident. */
export const EPISODES_MAX = 50;

const LAST = { isContinued: null };

export function createWholeIncidentStore(incidents: Model<IncidentDocument>): WholeIncidentStore {
  return {
    page(accountId, { resourceId, state = null, fromMs, toMs, ...query }) {
      const filter: QueryFilter<IncidentDocument> = {
        accountId,
        ...LAST,
        ...(resourceId === null ? {} : { resourceId }),
        ...(state === null ? {} : STATE_FILTERS[state]),
        ...(fromMs === undefined ? {} : { openedAtMs: atLeast(fromMs) }),
        ...(toMs === undefined ? {} : { $or: begunBefore(toMs) }),
      };
      return readPage(incidents, filter, { query, fromDocument });
    },
    async listOpen(accountId, resourceIds) {
      const found = await incidents
        .find({ accountId, open: true, resourceId: oneOf(resourceIds) })
        .sort({ _id: 1 })
        .lean<IncidentDocument[]>();
      return found.map(fromDocument);
    },
    async findLast(accountId, id) {
      const found = await incidents.findOne({ _id: id, accountId }).lean<IncidentDocument>();
      if (found === null) return null;
      if (found.isContinued !== true) return fromDocument(found);
      const { resourceId } = found;
      const last = await incidents
        .findOne({ accountId, resourceId, _id: atLeast(id), ...LAST })
        .sort({ _id: 1 })
        .lean<IncidentDocument>();
      return fromDocument(last ?? found);
    },
    async episodes(last) {
      const { id, accountId, resourceId, earlier } = last;
      if (earlier === undefined) return [last];
      const found = await incidents
        .find({
          accountId,
          resourceId,
          $and: [{ _id: atLeast(earlier.firstId) }, { _id: atMost(id) }],
        })
        .sort({ _id: -1 })
        .limit(EPISODES_MAX)
        .lean<IncidentDocument[]>();
      return found.map(fromDocument).toReversed();
    },
  };
}

/** The first episode, that is; one without earlier ones is its own first. */
function begunBefore(toMs: number): QueryFilter<IncidentDocument>[] {
  return [{ 'earlier.firstOpenedAtMs': below(toMs) }, { earlier: null, openedAtMs: below(toMs) }];
}
