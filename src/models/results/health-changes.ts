/**
 * Stores the timeline of a resource. Each change of health, of the resource or of one region, is one document. Each
 * pause or maintenance is one document, too.
 */
import type { Model } from 'mongoose';
import type { ExcludedPeriod, Health, HealthChange } from '../../contracts/records';
import { buildFirstResultId } from '../../domain/health/result-id';
import type { TimeSpan } from '../../domain/health/summary';
import type { Timeline } from '../../domain/health/timeline';
import { writeUnlessPresent } from '../store/database-errors';
import { defineCollection } from '../store/define-schema';
import { between } from '../store/filters';

/** Reads the health of a resource over time. */
export interface TimelineStore {
  /**
   * Returns all changes that are needed to know the health at each instant of the time span. If region is null, returns
   * the changes of the whole resource.
   */
  readonly read: (
    accountId: string,
    query: TimeSpan & { readonly id: string; readonly region: string | null },
  ) => Promise<Timeline>;
  /** Returns the pauses and maintenance periods that overlap the time span and have ended. */
  readonly readExcluded: (
    accountId: string,
    query: TimeSpan & { readonly id: string },
  ) => Promise<readonly ExcludedPeriod[]>;
}

/** Stored instead of a region for all regions together. No region can have this name. */
const WHOLE = '*';
/** Stored instead of a region for pauses and maintenance of a resource. */
const EXCLUDED = '!';

/** Maximum number of periods that are read. Users cannot create that many periods. */
const EXCLUDED_PERIODS_MAX = 5_000;

export interface HealthChangeDocument {
  /** `<resource>:<region or *>:<instant>`, or `<resource>:!:<instant><state>` for a period. */
  readonly _id: string;
  readonly a: string;
  readonly at: number;
  readonly s: Health | ExcludedPeriod['state'];
  /** The end of a period. */
  readonly to?: number;
}

export const healthChangeCollection = defineCollection<HealthChangeDocument>(
  'healthChanges',
  { a: String, at: Number, s: String, to: Number },
  { indexes: [], clustered: true },
);

/** The additions of one slot to the timeline. Empty if nothing changed. */
export interface TimelineAddition {
  /** The changes of health. A change whose region is null belongs to the whole resource. */
  readonly changes: readonly (HealthChange & { readonly region: string | null })[];
  readonly excludedPeriods: readonly ExcludedPeriod[];
}

function buildDocuments(
  { accountId: a, id }: { readonly accountId: string; readonly id: string },
  { changes, excludedPeriods }: TimelineAddition,
): readonly HealthChangeDocument[] {
  const changeDocuments = changes.map(
    ({ region, atMs, health }): HealthChangeDocument => ({
      _id: buildFirstResultId(id, region ?? WHOLE, atMs),
      a,
      at: atMs,
      s: health,
    }),
  );
  return [...changeDocuments, ...excludedPeriods.map((period) => periodDocument(id, a, period))];
}

function periodDocument(id: string, a: string, { state, fromMs, toMs }: ExcludedPeriod) {
  const _id = buildFirstResultId(id, EXCLUDED, fromMs) + state;
  return { _id, a, at: fromMs, s: state, to: toMs };
}

/** Stores changes and periods that are not stored yet. */
export async function insertChanges(
  changes: Model<HealthChangeDocument>,
  owner: { readonly accountId: string; readonly id: string },
  addition: TimelineAddition,
): Promise<void> {
  const documents = buildDocuments(owner, addition);
  if (documents.length === 0) return;
  await writeUnlessPresent(() =>
    changes.insertMany([...documents], { ordered: false, lean: true }),
  );
}

export function createTimelineStore(changes: Model<HealthChangeDocument>): TimelineStore {
  const readExcluded: TimelineStore['readExcluded'] = async (accountId, { id, fromMs, toMs }) => {
    const _id = between(`${id}:${EXCLUDED}:`, buildFirstResultId(id, EXCLUDED, toMs));
    const found = await changes
      .find({ _id, a: accountId })
      .sort({ _id: -1 })
      .limit(EXCLUDED_PERIODS_MAX)
      .lean<HealthChangeDocument[]>();
    return found.flatMap(toExcludedPeriod).filter((period) => period.toMs > fromMs);
  };
  return {
    readExcluded,
    async read(accountId, { id, region, fromMs, toMs }): Promise<Timeline> {
      const name = region ?? WHOLE;
      const firstId = buildFirstResultId(id, name, fromMs);
      const [before, inside, excludedPeriods] = await Promise.all([
        changes
          .find({ _id: between(`${id}:${name}:`, firstId), a: accountId })
          .sort({ _id: -1 })
          .limit(1)
          .lean<HealthChangeDocument[]>(),
        changes
          .find({ _id: between(firstId, buildFirstResultId(id, name, toMs)), a: accountId })
          .sort({ _id: 1 })
          .lean<HealthChangeDocument[]>(),
        readExcluded(accountId, { id, fromMs, toMs }),
      ]);
      return {
        changes: [...before, ...inside].flatMap(toChange),
        excludedPeriods,
      };
    },
  };
}

function toChange({ at, s }: HealthChangeDocument): HealthChange[] {
  return s === 'paused' || s === 'maintenance' ? [] : [{ atMs: at, health: s }];
}

function toExcludedPeriod({ at, s, to }: HealthChangeDocument): ExcludedPeriod[] {
  if ((s !== 'paused' && s !== 'maintenance') || to === undefined) return [];
  return [{ state: s, fromMs: at, toMs: to }];
}
