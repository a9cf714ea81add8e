/**
 * Stores incidents, the times during which a monitor or scenario was down. A workflow chooses the id and reports the
 * changes. A change may therefore arrive late, twice, or out of order.
 */
import type { Model } from 'mongoose';
import type { ProviderFacts, SubjectType } from '../../contracts/alerting/identity-providers';
import type { Failure } from '../../contracts/outcome';
import type { AlertDecision, ExplainedBy, IncidentEvidence } from '../../contracts/records';
import { defineCollection } from '../store/define-schema';
import { readOne } from '../store/entities';
import { above, atLeast, atMost, between, matchAny } from '../store/filters';
import { type ListQuery, type Page, readPage } from '../store/pages';
import { evidenceField, providerField } from './incident-fields';
import type { EarlierEpisodes, IncidentNote, SilenceChange } from './incident-parts';

/** One episode of an incident: a time during which a monitor or scenario was down. */
export interface Incident {
  /** `inc_…`. Ids sort by opening time. */
  readonly id: string;
  readonly accountId: string;
  readonly resourceType: SubjectType;
  readonly resourceId: string;
  readonly openedAtMs: number;
  readonly closedAtMs: number | null;
  readonly cause: Pick<Failure, 'code' | 'message'> | null;
  /** The regions that had failed when the incident opened. */
  readonly regions: readonly string[];
  /** The result that opened the incident. Set only for a monitor. */
  readonly firstResultId: string | null;
  /** The run that opened the incident. Set only for a scenario. */
  readonly firstRunId: string | null;
  readonly acknowledgedAtMs: number | null;
  /** Name of the person who acknowledged. */
  readonly acknowledgedBy: string | null;
  /** Until this time, nothing is sent about the incident. The time may be in the past. */
  readonly snoozedUntilMs: number | null;
  readonly snoozedBy: string | null;
  readonly snoozeReason: string | null;
  /** Increases when an acknowledgement or a snooze begins or ends. */
  readonly silenceSequence: number;
  /** The latest actions of people, oldest first. */
  readonly silenceChanges: readonly SilenceChange[];
  readonly notes: readonly IncidentNote[];
  /** The counts of failed slots and regions when the incident opened. */
  readonly evidence?: IncidentEvidence;
  /** Decisions on whether to notify, with their reasons. */
  readonly decisions?: readonly AlertDecision[];
  readonly explainedBy?: ExplainedBy;
  /** Present only in incidents of identity providers. */
  readonly provider?: ProviderFacts;
  /** The earlier episodes. Absent in the first episode of an incident. */
  readonly earlier?: EarlierEpisodes;
}

/** The fields that an acknowledgement or a snooze changes. */
export type SilenceFields = Pick<
  Incident,
  | 'acknowledgedAtMs'
  | 'acknowledgedBy'
  | 'snoozedUntilMs'
  | 'snoozedBy'
  | 'snoozeReason'
  | 'silenceChanges'
>;

/** The states by which incidents can be filtered. `unresolved` means open or acknowledged. */
export type IncidentFilter = 'open' | 'acknowledged' | 'resolved' | 'unresolved';

export interface IncidentQuery extends ListQuery {
  readonly resourceId: string | null;
  readonly state?: IncidentFilter | null;
  /** The range of the opening time, from `fromMs` (inclusive) to `toMs` (exclusive). */
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
}

/** The time during which an episode of an incident was open. */
export interface IncidentSpan extends Pick<Incident, 'openedAtMs' | 'closedAtMs'> {
  /** Id of the incident to which the episode belongs. */
  readonly incidentId: string;
}

export interface IncidentStore {
  /** Returns a page of incidents, newest first by opening time. */
  readonly page: (accountId: string, query: IncidentQuery) => Promise<Page<Incident>>;
  /**
   * Lists episodes that were open at or after the time, newest first, at most `SPANS_MAX`. If resourceId is null, lists
   * episodes of all checks. Leaves out identity providers.
   */
  readonly spansSince: (
    accountId: string,
    query: { readonly resourceId: string | null; readonly fromMs: number },
  ) => Promise<readonly IncidentSpan[]>;
  readonly find: (accountId: string, id: string) => Promise<Incident | null>;
  /** Lists incidents that these resources explain, newest first, at most `EXPLAINED_MAX`. */
  readonly explainedBy: (
    accountId: string,
    resourceIds: readonly string[],
    span: { readonly fromMs: number; readonly toMs: number | null },
  ) => Promise<readonly Incident[]>;
  readonly findOpen: (accountId: string, resourceId: string) => Promise<Incident | null>;
  /** Returns false and writes nothing if the incident has changed since `before`. */
  readonly silence: (
    accountId: string,
    before: Pick<Incident, 'id' | 'silenceSequence'>,
    change: { readonly fields: SilenceFields; readonly atMs: number },
  ) => Promise<boolean>;
  readonly addNote: (accountId: string, id: string, note: IncidentNote) => Promise<void>;
}

/** Maximum number of explained incidents that are read. No one reads more explained incidents of one incident. */
const EXPLAINED_MAX = 2_000;

const CHECKS = ['monitor', 'scenario'] as const;

/** Maximum number of episodes that are read. A well-maintained account has far fewer episodes in a quarter. */
const SPANS_MAX = 10_000;

export type IncidentDocument = Omit<Incident, 'id'> & {
  readonly _id: string;
  /** Present while the incident is open. */
  readonly open?: true;
  /** Present if the incident has a later episode. */
  readonly isContinued?: true;
  /** The time of the last decision. An older decision never replaces a newer one. */
  readonly decidedAtMs?: number;
  /** The time of the last write, by the writer's clock. */
  readonly changedAtMs: number;
};

export const incidentCollection = defineCollection<IncidentDocument>(
  'incidents',
  {
    accountId: String,
    resourceType: String,
    resourceId: String,
    openedAtMs: Number,
    closedAtMs: Number,
    cause: { type: { _id: false, code: String, message: String }, default: null },
    regions: [String],
    firstResultId: String,
    firstRunId: String,
    acknowledgedAtMs: Number,
    acknowledgedBy: String,
    snoozedUntilMs: Number,
    snoozedBy: String,
    snoozeReason: String,
    silenceSequence: Number,
    silenceChanges: [{ _id: false, atMs: Number, kind: String, text: String, link: String }],
    notes: [{ _id: false, atMs: Number, by: String, text: String }],
    evidence: evidenceField,
    decisions: { type: [{ _id: false, atMs: Number, reason: String }], default: undefined },
    explainedBy: {
      type: {
        _id: false,
        kind: String,
        id: String,
        name: String,
        incidentId: String,
        atMs: Number,
        untilMs: Number,
      },
      default: undefined,
    },
    provider: providerField,
    earlier: {
      type: { _id: false, firstId: String, firstOpenedAtMs: Number, count: Number, downMs: Number },
      default: undefined,
    },
    isContinued: Boolean,
    decidedAtMs: Number,
    open: Boolean,
    changedAtMs: Number,
  },
  {
    indexes: [
      { key: { accountId: 1, _id: -1 } },
      { key: { accountId: 1, changedAtMs: 1 } },
      { key: { accountId: 1, resourceId: 1, _id: -1 } },
      {
        key: { accountId: 1, 'explainedBy.id': 1, _id: -1 },
        partialFilterExpression: { 'explainedBy.id': { $exists: true } },
      },
      { key: { accountId: 1, open: 1, _id: -1 }, partialFilterExpression: { open: true } },
    ],
  },
);

export function createIncidentStore(incidents: Model<IncidentDocument>): IncidentStore {
  return {
    page(accountId, { resourceId, state = null, fromMs, toMs, ...query }) {
      const filter = {
        accountId,
        ...(resourceId === null ? {} : { resourceId }),
        ...(state === null ? {} : STATE_FILTERS[state]),
        ...(fromMs === undefined && toMs === undefined
          ? {}
          : { openedAtMs: between(fromMs ?? 0, toMs ?? Number.MAX_SAFE_INTEGER) }),
      };
      return readPage(incidents, filter, { query, fromDocument });
    },
    async spansSince(accountId, { resourceId, fromMs }) {
      const wanted = resourceId === null ? { resourceType: matchAny(CHECKS) } : { resourceId };
      const owned = { accountId, ...wanted };
      const found = await incidents
        .find(
          { ...owned, $or: [{ open: true }, { closedAtMs: above(fromMs) }] },
          { openedAtMs: 1, closedAtMs: 1, earlier: 1 },
        )
        .sort({ _id: -1 })
        .limit(SPANS_MAX)
        .lean<Pick<IncidentDocument, '_id' | 'openedAtMs' | 'closedAtMs' | 'earlier'>[]>();
      return found.map(({ _id, openedAtMs, closedAtMs, earlier }) => ({
        incidentId: earlier?.firstId ?? _id,
        openedAtMs,
        closedAtMs,
      }));
    },
    find: (accountId, id) =>
      readOne(incidents.findOne({ _id: id, accountId }).lean<IncidentDocument>(), fromDocument),
    explainedBy: (accountId, resourceIds, period) =>
      findExplained(incidents, { accountId, resourceIds, ...period }),
    findOpen: (accountId, resourceId) =>
      readOne(
        incidents
          .findOne({ accountId, resourceId, open: true })
          .sort({ _id: -1 })
          .lean<IncidentDocument>(),
        fromDocument,
      ),
    async silence(accountId, { id, silenceSequence }, { fields, atMs }) {
      const outcome = await incidents.updateOne(
        { _id: id, accountId, silenceSequence },
        { $set: { ...fields, silenceSequence: silenceSequence + 1, changedAtMs: atMs } },
      );
      return outcome.matchedCount === 1;
    },
    async addNote(accountId, id, note) {
      await incidents.updateOne(
        { _id: id, accountId },
        { $push: { notes: note }, $set: { changedAtMs: note.atMs } },
      );
    },
  };
}

interface ExplainedQuery {
  readonly accountId: string;
  readonly resourceIds: readonly string[];
  readonly fromMs: number;
  /** The end of the span. null means until now. */
  readonly toMs: number | null;
}

/** Finds the explained incidents, newest first. */
async function findExplained(
  incidents: Model<IncidentDocument>,
  { accountId, resourceIds, fromMs, toMs }: ExplainedQuery,
): Promise<Incident[]> {
  const found = await incidents
    .find({
      accountId,
      'explainedBy.id': matchAny(resourceIds),
      $or: [{ open: true }, { closedAtMs: atLeast(fromMs) }],
      ...(toMs !== null && { 'explainedBy.atMs': atMost(toMs) }),
    })
    .sort({ _id: -1 })
    .limit(EXPLAINED_MAX)
    .lean<IncidentDocument[]>();
  return found.map(fromDocument);
}

export const STATE_FILTERS = {
  open: { open: true, acknowledgedAtMs: null },
  acknowledged: { open: true, acknowledgedAtMs: above(0) },
  resolved: { closedAtMs: above(0) },
  unresolved: { open: true },
} as const;

/** The fields of an incident to which no one has responded. */
export const UNANSWERED = {
  acknowledgedAtMs: null,
  acknowledgedBy: null,
  snoozedUntilMs: null,
  snoozedBy: null,
  snoozeReason: null,
  silenceSequence: 0,
  silenceChanges: [],
  notes: [],
} as const;

export function fromDocument(document: IncidentDocument): Incident {
  const { _id, open: _open, isContinued: _, ...stored } = document;
  const { changedAtMs: _changed, decidedAtMs: _decided, ...incident } = stored;
  return { ...UNANSWERED, ...incident, id: _id };
}
