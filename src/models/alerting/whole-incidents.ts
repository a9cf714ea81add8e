/**
 * Reads incidents in the form that users see. Failures with only short recoveries between them are episodes of one
 * incident.
 */
import type { Model, QueryFilter } from 'mongoose';
import { readAll } from '../store/entities';
import { atLeast, atMost, below, matchAny } from '../store/filters';
import { type Page, readPage } from '../store/pages';
import {
  fromDocument,
  type Incident,
  type IncidentDocument,
  type IncidentQuery,
  STATE_FILTERS,
} from './incidents';

export interface WholeIncidentStore {
  /** Returns a page with the last episode of each incident, newest first by the start of that episode. */
  readonly page: (accountId: string, query: IncidentQuery) => Promise<Page<Incident>>;
  /** Lists the last episodes of these resources' open incidents, oldest first. */
  readonly listOpen: (
    accountId: string,
    resourceIds: readonly string[],
  ) => Promise<readonly Incident[]>;
  /** Returns the last episode of the incident to which the given episode belongs. */
  readonly findLast: (accountId: string, id: string) => Promise<Incident | null>;
  /**
   * Lists the incident's episodes up to and including `last`, oldest first. Only the last `EPISODES_MAX` are returned.
   */
  readonly episodes: (last: Incident) => Promise<readonly Incident[]>;
}

/** Maximum number of episodes that are read. No one reads more episodes of one incident. */
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
    listOpen: (accountId, resourceIds) =>
      readAll(
        incidents
          .find({ accountId, open: true, resourceId: matchAny(resourceIds) })
          .sort({ _id: 1 })
          .lean<IncidentDocument[]>(),
        fromDocument,
      ),
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

/** Filters by the start of the incident's first episode. An episode that has no earlier episodes is the first. */
function begunBefore(toMs: number): QueryFilter<IncidentDocument>[] {
  return [{ 'earlier.firstOpenedAtMs': below(toMs) }, { earlier: null, openedAtMs: below(toMs) }];
}
